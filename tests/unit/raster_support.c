#include "raster_support.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "hal/format.h"
#include "hal/texel.h"
#include "support/test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// ---- the stand-in ------------------------------------------------------------------------------

struct wf_sw_context {
    const struct wf_base_allocator *allocator;
    float in[32][WF_SW_LANES], out[32][WF_SW_LANES];
};

struct wf_sw_context *wf_sw_context_create(const struct wf_base_allocator *allocator)
{
    struct wf_sw_context *context = wf_base_alloc_zero(allocator, sizeof(*context));
    if (context)
        context->allocator = allocator;
    return context;
}

void wf_sw_context_destroy(struct wf_sw_context *context)
{
    if (context)
        wf_base_free(context->allocator, context, sizeof(*context));
}

const struct wf_sw_program_info *wf_sw_program_info(const struct wf_sw_program *program)
{
    return &program->info;
}

bool wf_sw_prepare(struct wf_sw_context *context, const struct wf_sw_program *program,
                   struct wf_sw_batch *batch)
{
    (void)program;
    *batch = (struct wf_sw_batch){.inputs = (uint32_t(*)[WF_SW_LANES])context->in,
                                  .outputs = (const uint32_t(*)[WF_SW_LANES])context->out};
    return true;
}

enum wf_sw_result wf_sw_run(struct wf_sw_context *context, const struct wf_sw_program *program,
                            const struct wf_sw_resources *resources, struct wf_sw_batch *batch)
{
    (void)resources;
    program->run(context->in, context->out, batch);
    return WF_SW_OK;
}

// ---- programs ----------------------------------------------------------------------------------

#define USER(at, part)                                                                             \
    {                                                                                              \
        .builtin = WF_SHADER_NONE, .location = (at), .component = (part)                           \
    }
#define USER4(at) USER(at, 0), USER(at, 1), USER(at, 2), USER(at, 3)
#define BUILTIN(id, part)                                                                          \
    {                                                                                              \
        .builtin = (id), .location = WF_SHADER_NONE, .component = (part)                           \
    }
#define BUILTIN4(id) BUILTIN(id, 0), BUILTIN(id, 1), BUILTIN(id, 2), BUILTIN(id, 3)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define IN_OUT(in, out)                                                                            \
    .inputs = (in), .input_count = COUNT(in), .outputs = (out), .output_count = COUNT(out)

static const struct wf_sw_row vertex_in[] = {USER4(0), USER4(1),
                                             BUILTIN(SpvBuiltInInstanceIndex, 0)};
static const struct wf_sw_row vertex_out[] = {BUILTIN4(SpvBuiltInPosition), USER4(0),
                                              BUILTIN(SpvBuiltInPointSize, 0)};
static const struct wf_sw_row color_in[] = {USER4(0)};
static const struct wf_sw_row color_out[] = {USER4(0)};
#define FLAT(part)                                                                                 \
    {                                                                                              \
        .builtin = WF_SHADER_NONE, .component = (part), .flat = true                               \
    }
#define LINEAR(part)                                                                               \
    {                                                                                              \
        .builtin = WF_SHADER_NONE, .component = (part), .no_perspective = true                     \
    }
#define CENTROID(part)                                                                             \
    {                                                                                              \
        .builtin = WF_SHADER_NONE, .component = (part), .centroid = true                           \
    }
static const struct wf_sw_row distance_out[] = {BUILTIN4(SpvBuiltInPosition), USER4(0),
                                                BUILTIN(SpvBuiltInClipDistance, 0),
                                                BUILTIN(SpvBuiltInCullDistance, 0)};
static const struct wf_sw_row layer_out[] = {BUILTIN4(SpvBuiltInPosition), USER4(0),
                                             BUILTIN(SpvBuiltInLayer, 0)};
static const struct wf_sw_row layer_in[] = {BUILTIN(SpvBuiltInLayer, 0)};
static const struct wf_sw_row centroid_in[] = {CENTROID(0), CENTROID(1), CENTROID(2), CENTROID(3)};
static const struct wf_sw_row flat_in[] = {FLAT(0), FLAT(1), FLAT(2), FLAT(3)};
static const struct wf_sw_row linear_in[] = {LINEAR(0), LINEAR(1), LINEAR(2), LINEAR(3)};
static const struct wf_sw_row coord_in[] = {BUILTIN4(SpvBuiltInFragCoord)};
static const struct wf_sw_row facing_in[] = {BUILTIN(SpvBuiltInFrontFacing, 0)};
static const struct wf_sw_row depth_out[] = {USER4(0), BUILTIN(SpvBuiltInFragDepth, 0)};
static const struct wf_sw_row mask_out[] = {USER4(0), BUILTIN(SpvBuiltInSampleMask, 0)};
static const struct wf_sw_row sample_in[] = {
    BUILTIN(SpvBuiltInSampleId, 0), BUILTIN(SpvBuiltInSamplePosition, 0),
    BUILTIN(SpvBuiltInSamplePosition, 1), BUILTIN(SpvBuiltInPrimitiveId, 0)};
static const struct wf_sw_row coverage_in[] = {BUILTIN(SpvBuiltInSampleMask, 0)};
static const struct wf_sw_row point_in[] = {BUILTIN(SpvBuiltInPointCoord, 0),
                                            BUILTIN(SpvBuiltInPointCoord, 1)};
#define SECOND(part)                                                                               \
    {                                                                                              \
        .builtin = WF_SHADER_NONE, .component = (part), .index = 1                                 \
    }
static const struct wf_sw_row dual_out[] = {USER4(0), SECOND(0), SECOND(1), SECOND(2), SECOND(3)};

static void copy_rows(rows in, rows out, uint32_t count)
{
    memcpy(out, in, count * sizeof(in[0]));
}

static uint32_t word_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    return word;
}

static void run_vertex(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 8);
}

static void run_instanced(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 8);
    for (uint32_t l = 0; l < WF_SW_LANES; l++)
        out[0][l] += 0.25f * (float)word_of(in[8][l]);
}

static void run_points(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 8);
    memcpy(out[8], in[4], sizeof(out[8]));
}

static void run_distances(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 8);
    memcpy(out[8], in[5], 2 * sizeof(out[8]));
}

static void run_layers(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 8);
    for (uint32_t l = 0; l < WF_SW_LANES; l++) {
        const int32_t layer = (int32_t)in[7][l];
        memcpy(&out[8][l], &layer, sizeof(layer));
    }
}

static void run_layer(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    memset(out, 0, 4 * sizeof(out[0]));
    for (uint32_t l = 0; l < WF_SW_LANES; l++)
        out[0][l] = (float)(word_of(in[0][l]) + 1);
}

static void run_color(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 4);
}

static void run_facing(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    memset(out, 0, 4 * sizeof(out[0]));
    for (uint32_t l = 0; l < WF_SW_LANES; l++)
        out[0][l] = word_of(in[0][l]) ? 1.0f : 0.0f;
}

static void run_discard(rows in, rows out, struct wf_sw_batch *batch)
{
    copy_rows(in, out, 4);
    for (uint32_t l = 0; l < WF_SW_LANES; l++)
        batch->killed |= (uint64_t)(in[0][l] > 0.5f) << l;
    batch->killed &= batch->active;
}

static void run_depth(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 4);
    memcpy(out[4], in[0], sizeof(out[4]));
}

static void run_sample_mask(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 4);
    for (uint32_t l = 0; l < WF_SW_LANES; l++) {
        const uint32_t mask = (uint32_t)in[0][l];
        memcpy(&out[4][l], &mask, sizeof(mask));
    }
}

static void run_dual(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    copy_rows(in, out, 4);
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t l = 0; l < WF_SW_LANES; l++)
            out[4 + c][l] = 1.0f - in[c][l];
    }
}

static void run_sample(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    for (uint32_t l = 0; l < WF_SW_LANES; l++) {
        out[0][l] = (float)word_of(in[0][l]) / 8.0f;
        out[1][l] = in[1][l];
        out[2][l] = in[2][l];
        out[3][l] = (float)word_of(in[3][l]);
    }
}

static void run_coverage(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    memset(out, 0, 4 * sizeof(out[0]));
    for (uint32_t l = 0; l < WF_SW_LANES; l++)
        out[0][l] = (float)word_of(in[0][l]);
}

static void run_point(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    memset(out, 0, 4 * sizeof(out[0]));
    copy_rows(in, out, 2);
}

static void run_integer(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)batch;
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t l = 0; l < WF_SW_LANES; l++) {
            const uint32_t value = (uint32_t)in[c][l];
            memcpy(&out[c][l], &value, sizeof(value));
        }
    }
}

_Atomic uint32_t effect_count;

static void run_effect(rows in, rows out, struct wf_sw_batch *batch)
{
    (void)in, (void)out;
    for (uint64_t lanes = batch->active & ~batch->helpers; lanes; lanes &= lanes - 1)
        atomic_fetch_add(&effect_count, 1);
}

const struct wf_sw_program vertex_plain = {{IN_OUT(vertex_in, vertex_out)}, run_vertex};
const struct wf_sw_program vertex_instanced = {{IN_OUT(vertex_in, vertex_out)}, run_instanced};
const struct wf_sw_program vertex_points = {{IN_OUT(vertex_in, vertex_out)}, run_points};
const struct wf_sw_program vertex_distances = {{IN_OUT(vertex_in, distance_out)}, run_distances};
const struct wf_sw_program vertex_layers = {{IN_OUT(vertex_in, layer_out)}, run_layers};
const struct wf_sw_program fragment_layer = {{IN_OUT(layer_in, color_out)}, run_layer};
const struct wf_sw_program fragment_color = {{IN_OUT(color_in, color_out)}, run_color};
const struct wf_sw_program fragment_flat = {{IN_OUT(flat_in, color_out)}, run_color};
const struct wf_sw_program fragment_linear = {{IN_OUT(linear_in, color_out)}, run_color};
const struct wf_sw_program fragment_centroid = {{IN_OUT(centroid_in, color_out)}, run_color};
const struct wf_sw_program fragment_coord = {{IN_OUT(coord_in, color_out)}, run_color};
const struct wf_sw_program fragment_facing = {{IN_OUT(facing_in, color_out)}, run_facing};
const struct wf_sw_program fragment_discard = {{IN_OUT(color_in, color_out), .discards = true},
                                               run_discard};
const struct wf_sw_program fragment_depth = {{IN_OUT(color_in, depth_out), .writes_depth = true},
                                             run_depth};
const struct wf_sw_program fragment_sample_mask = {
    {IN_OUT(color_in, mask_out), .writes_sample_mask = true}, run_sample_mask};
const struct wf_sw_program fragment_dual = {{IN_OUT(color_in, dual_out)}, run_dual};
const struct wf_sw_program fragment_sample = {{IN_OUT(sample_in, color_out), .per_sample = true},
                                              run_sample};
const struct wf_sw_program fragment_coverage = {{IN_OUT(coverage_in, color_out)}, run_coverage};
const struct wf_sw_program fragment_point = {{IN_OUT(point_in, color_out)}, run_point};
const struct wf_sw_program fragment_integer = {{IN_OUT(color_in, color_out)}, run_integer};
const struct wf_sw_program fragment_effect = {{.side_effects = true}, run_effect};

// ---- the fixture -------------------------------------------------------------------------------

static struct wf_sw_raster_plane plane_of(const struct raster_fixture *f, uint8_t **memory,
                                          weft_format format, uint32_t samples)
{
    const uint64_t row = (uint64_t)wf_hal_format_get(format)->codec.texel_bytes * f->width;
    *memory = calloc(row * f->height * samples + 1, 1);
    EXPECT(*memory != NULL);
    return (struct wf_sw_raster_plane){
        .data = *memory, .row_bytes = row, .sample_bytes = row * f->height, .format = format};
}

struct raster_fixture raster_open(uint32_t threads, uint32_t width, uint32_t height,
                                  uint32_t samples, weft_format color, weft_format depth)
{
    struct raster_fixture f = {.width = width, .height = height, .samples = samples};
    f.tasks = wf_base_tasks_create(threads, wf_base_allocator_default());
    f.raster = wf_sw_raster_create(f.tasks, wf_base_allocator_default());
    EXPECT(f.raster != NULL);
    f.pass = (struct wf_sw_raster_pass){.width = width,
                                        .height = height,
                                        .samples = samples,
                                        .depth_load = WEFT_LOAD_CLEAR,
                                        .stencil_load = WEFT_LOAD_CLEAR,
                                        .clear_depth = 1};
    if (color != WEFT_FORMAT_NONE) {
        f.pass.colors[0].plane = plane_of(&f, &f.color, color, samples);
        f.pass.colors[0].load = WEFT_LOAD_CLEAR;
        if (samples > 1)
            f.pass.colors[0].resolve = plane_of(&f, &f.resolve, color, 1);
    }
    f.bytes = wf_hal_format_get(color)->codec.texel_bytes;
    const weft_format depth_format = wf_hal_format_of_aspect(depth, WEFT_ASPECT_DEPTH);
    if (depth_format != WEFT_FORMAT_NONE)
        f.pass.depth = plane_of(&f, &f.depth, depth_format, samples);
    if (wf_hal_format_of_aspect(depth, WEFT_ASPECT_STENCIL) != WEFT_FORMAT_NONE)
        f.pass.stencil = plane_of(&f, &f.stencil, WEFT_FORMAT_S8_UINT, samples);
    for (uint32_t i = 0; i < 2; i++)
        f.attributes[i] = (struct wf_sw_raster_attribute){.location = i,
                                                          .format = WEFT_VERTEX_FORMAT_FLOAT32X4,
                                                          .offset = 16 * i,
                                                          .stride = sizeof(struct raster_vertex)};
    f.draw = (struct wf_sw_draw){
        .vertex = &vertex_plain,
        .fragment = &fragment_color,
        .attribute_count = 2,
        .instance_count = 1,
        .sample_mask = UINT32_MAX,
        .viewport = {0, 0, (float)width, (float)height, 0, 1},
        .scissor = {0, 0, width, height},
    };
    return f;
}

void raster_close(struct raster_fixture *f)
{
    wf_sw_raster_destroy(f->raster);
    wf_base_tasks_destroy(f->tasks);
    free(f->color);
    free(f->resolve);
    free(f->depth);
    free(f->stencil);
}

void raster_begin(struct raster_fixture *f)
{
    EXPECT_EQ(wf_sw_raster_begin(f->raster, &f->pass), WEFT_OK);
}

void raster_add(struct raster_fixture *f, const struct raster_vertex *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < 2; i++) {
        f->attributes[i].data = (const uint8_t *)vertices;
        f->attributes[i].size = count * sizeof(*vertices);
    }
    f->draw.attributes = f->attributes;
    f->draw.vertex_resources = f->draw.fragment_resources = &f->resources;
    if (f->draw.index_type == WEFT_INDEX_NONE)
        f->draw.count = count;
    EXPECT_EQ(wf_sw_raster_draw(f->raster, &f->draw), WEFT_OK);
}

void raster_end(struct raster_fixture *f)
{
    EXPECT_EQ(wf_sw_raster_end(f->raster), WEFT_OK);
}

void raster_once(struct raster_fixture *f, const struct raster_vertex *vertices, uint32_t count)
{
    raster_begin(f);
    raster_add(f, vertices, count);
    raster_end(f);
}

static void decode(const struct raster_fixture *f, const uint8_t *at, float out[4])
{
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(f->pass.colors[0].plane.format);
    uint32_t words[1][4];
    wf_hal_texel_decode(codec, at, 1, words);
    memcpy(out, words[0], sizeof(words[0]));
}

void raster_texel(const struct raster_fixture *f, uint32_t x, uint32_t y, uint32_t sample,
                  float out[4])
{
    decode(f, f->color + ((size_t)(sample * f->height + y) * f->width + x) * f->bytes, out);
}

void raster_resolved(const struct raster_fixture *f, uint32_t x, uint32_t y, float out[4])
{
    decode(f, f->resolve + ((size_t)y * f->width + x) * f->bytes, out);
}

float raster_red(const struct raster_fixture *f, uint32_t x, uint32_t y)
{
    float texel[4];
    raster_texel(f, x, y, 0, texel);
    return texel[0];
}

uint64_t raster_hash(const struct raster_fixture *f)
{
    const size_t texels = (size_t)f->width * f->height * f->samples;
    const uint64_t color = wf_base_hash_bytes(f->color, texels * f->bytes);
    if (!f->depth)
        return color;
    const uint32_t bytes = wf_hal_format_get(f->pass.depth.format)->codec.texel_bytes;
    return wf_base_hash_combine(color, wf_base_hash_bytes(f->depth, texels * bytes));
}

void raster_quad(struct raster_vertex out[6], float z, const float color[4])
{
    static const float corners[6][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, 1}, {1, -1}, {-1, -1}};
    for (uint32_t i = 0; i < 6; i++) {
        out[i] = (struct raster_vertex){corners[i][0], corners[i][1], z, 1, {0}};
        memcpy(out[i].color, color, sizeof(out[i].color));
    }
}

uint32_t raster_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}
