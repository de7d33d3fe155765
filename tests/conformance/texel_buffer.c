// Texel buffers: their formats, their sizes, and what lies outside.
#include "cases.h"
#include "model.h"
#include "texel.h"

#include <math.h>
#include <string.h>

#include "texel_buffers.comp.spv.h"

enum { COUNT = 16, INSIDE = 4, BYTES = 1024, FIRST = 256, WINDOW = 256 };

/// Texels inside of every window first, then ones outside.
static const int32_t places[COUNT] = {0,     1,         7,         15,        -1,      64,
                                      65,    -64,       INT32_MAX, INT32_MIN, 1 << 30, 1 << 28,
                                      -1000, 0x8000000, 100000,    1 << 24};

/// As the shader's block.
struct results {
    float floats[COUNT][4];
    uint32_t uints[COUNT][4];
    uint32_t words[COUNT];
    uint32_t sizes[4];
};

struct scene {
    weft_compute_pipeline pipeline;
    weft_argument_table table;
    weft_buffer floats, uints, words, results;
    uint8_t float_bytes[BYTES], uint_bytes[BYTES], word_bytes[BYTES];
};

static weft_buffer make_buffer(struct conform *c, uint8_t bytes[BYTES], uint32_t seed)
{
    conform_bytes_fill(bytes, BYTES, seed);
    for (uint32_t i = 1; i < BYTES; i += 2)
        bytes[i] &= 0x3f; // no NaN, where they are floats
    return conform_buffer(c, WEFT_BUFFER_USAGE_TEXEL, BYTES, bytes);
}

/// Each binding has a window in the middle of its buffer. The formats are the layout's; with NONE
/// for both, the layout is reflected.
static void make(struct conform *c, struct scene *s, weft_format floats, weft_format uints)
{
    const weft_argument arguments[] = {
        {.binding = 0, .type = WEFT_ARGUMENT_UNIFORM_TEXELS, .storage = floats},
        {.binding = 1,
         .type = WEFT_ARGUMENT_UNIFORM_TEXELS,
         .storage = uints,
         .sampled = WEFT_SAMPLE_CLASS_UINT},
        {.binding = 2, .type = WEFT_ARGUMENT_STORAGE_TEXELS, .storage = WEFT_FORMAT_R32_UINT},
        {.binding = 3, .type = WEFT_ARGUMENT_STORAGE_BUFFER, .flags = WEFT_ARGUMENT_READ_ONLY},
        {.binding = 4, .type = WEFT_ARGUMENT_STORAGE_BUFFER}};
    weft_argument_layout layout = {0};
    if (floats != WEFT_FORMAT_NONE)
        weft_argument_layout_create(
            conform_device(c),
            &(weft_argument_layout_desc){.arguments = arguments, .argument_count = 5}, &layout);
    weft_compute_pipeline_create(
        conform_device(c),
        &(weft_compute_pipeline_desc){.compute = {.shader = CONFORM_SHADER(c, texel_buffers_comp)},
                                      .layouts = {layout}},
        &s->pipeline);
    conform_check(c);
    s->floats = make_buffer(c, s->float_bytes, 1);
    s->uints = make_buffer(c, s->uint_bytes, 2);
    s->words = make_buffer(c, s->word_bytes, 3);
    s->results = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof(struct results), NULL);
    const weft_buffer at = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof places, places);
    const weft_argument_write writes[] = {
        {.binding = 0, .buffer = s->floats, .offset = FIRST, .size = WINDOW},
        {.binding = 1, .buffer = s->uints, .offset = FIRST, .size = WINDOW},
        {.binding = 2, .buffer = s->words, .offset = FIRST, .size = WINDOW},
        {.binding = 3, .buffer = at},
        {.binding = 4, .buffer = s->results}};
    s->table = conform_table(c, weft_compute_pipeline_layout(conform_device(c), s->pipeline, 0),
                             writes, 5);
}

static void run(struct conform *c, const struct scene *s, uint32_t op)
{
    weft_command_buffer *cmd = conform_begin(c);
    conform_barrier(cmd);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, s->pipeline);
    weft_compute_set_arguments(enc, 0, s->table, NULL, 0);
    weft_compute_set_root(enc, 0, &op, sizeof op);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_barrier(cmd);
    conform_submit(c, cmd);
}

/// Texel `place` of a window, or what stands for it: zeros, and perhaps 1 as alpha.
static void expect_component(struct conform *c, const uint8_t *bytes, weft_format format,
                             const uint32_t at[2], double got)
{
    const uint32_t size = conform_texel_bytes(format, WEFT_ASPECT_COLOR), k = at[1];
    struct conform_texel want = {{0, 0, 0, 1}};
    const bool inside = (uint32_t)places[at[0]] < WINDOW / size; // of small texels more are
    if (inside)
        conform_texel_decode(format, WEFT_ASPECT_COLOR,
                             bytes + FIRST + (size_t)places[at[0]] * size, &want);
    const bool outside = !inside && k == 3 && got == 0;
    const bool same = got == want.v[k] || (isnan(got) && isnan(want.v[k]));
    // Drivers decode sRGB by tables and by polynomials: a quarter of a step of 8 bits.
    const double tolerance = weft_format_get_info(format)->srgb ? 1e-3 : 1e-6;
    if (!outside && !same && !(fabs(got - want.v[k]) <= tolerance))
        conform_fail(c, "component %u of texel %d as %s is %.9g, not %.9g", k, places[at[0]],
                     weft_format_get_info(format)->name, got, want.v[k]);
}

static void expect_read(struct conform *c, const struct scene *s, weft_format floats,
                        weft_format uints)
{
    struct results r;
    run(c, s, 0);
    if (!conform_read_buffer(c, s->results, 0, &r, sizeof r))
        return;
    for (uint32_t i = 0; i < 4 * COUNT; i++) {
        const uint32_t at[2] = {i / 4, i % 4};
        expect_component(c, s->float_bytes, floats, at, (double)r.floats[at[0]][at[1]]);
        expect_component(c, s->uint_bytes, uints, at, r.uints[at[0]][at[1]]);
        if (at[1] == 0)
            expect_component(c, s->word_bytes, WEFT_FORMAT_R32_UINT, at, r.words[at[0]]);
    }
    CONFORM_EXPECT(c, r.sizes[0] == WINDOW / weft_format_get_info(floats)->block_bytes);
    CONFORM_EXPECT(c, r.sizes[1] == WINDOW / weft_format_get_info(uints)->block_bytes);
    CONFORM_EXPECT(c, r.sizes[2] == WINDOW / 4);
}

/// Without a format in the layout: four components of 32 bits.
void case_texel_buffer_reflected(struct conform *c)
{
    struct scene s;
    make(c, &s, WEFT_FORMAT_NONE, WEFT_FORMAT_NONE);
    expect_read(c, &s, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_RGBA32_UINT);
}

void case_texel_buffer_formats(struct conform *c)
{
    static const weft_format pairs[][2] = {{WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA8_UINT},
                                           {WEFT_FORMAT_R32_FLOAT, WEFT_FORMAT_R32_UINT},
                                           {WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_RGBA16_UINT},
                                           {WEFT_FORMAT_RGBA8_SNORM, WEFT_FORMAT_RG32_UINT}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct scene s;
        make(c, &s, pairs[i][0], pairs[i][1]);
        expect_read(c, &s, pairs[i][0], pairs[i][1]);
    }
}

void case_texel_buffer_every_format(struct conform *c)
{
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info(f);
        const bool floats = info->sample_class == WEFT_SAMPLE_CLASS_FLOAT;
        if (!(conform_capabilities(c)->formats[f] & WEFT_FORMAT_CAN_LOAD_TEXELS) ||
            (!floats && info->sample_class != WEFT_SAMPLE_CLASS_UINT))
            continue;
        struct scene s;
        const weft_format other = floats ? WEFT_FORMAT_R32_UINT : WEFT_FORMAT_R32_FLOAT;
        make(c, &s, floats ? f : other, floats ? other : f);
        expect_read(c, &s, floats ? f : other, floats ? other : f);
    }
}

/// What is written and counted outside of the window is dropped.
void case_texel_buffer_written(struct conform *c)
{
    struct scene s;
    uint32_t want[INSIDE];
    make(c, &s, WEFT_FORMAT_NONE, WEFT_FORMAT_NONE);
    run(c, &s, 1);
    run(c, &s, 2);
    for (uint32_t i = 0; i < INSIDE; i++) {
        const uint32_t word = 1005 + i;
        want[i] = 1000 + i;
        memcpy(s.word_bytes + FIRST + 4 * (size_t)places[i], &word, sizeof word);
    }
    conform_expect_bytes(c, s.words, 0, s.word_bytes, BYTES);
    conform_expect_bytes(c, s.results, offsetof(struct results, words), want, sizeof want);
}

void case_texel_buffer_refusals(struct conform *c)
{
    struct scene s;
    weft_argument_layout layout;
    weft_device *const device = conform_device(c);
    const weft_argument depth = {.type = WEFT_ARGUMENT_UNIFORM_TEXELS,
                                 .storage = WEFT_FORMAT_D32_FLOAT};
    weft_argument_layout_create(
        device, &(weft_argument_layout_desc){.arguments = &depth, .argument_count = 1}, &layout);
    conform_expect_rule(c, WEFT_RULE_LAYOUT_STORAGE_FORMAT);
    make(c, &s, WEFT_FORMAT_NONE, WEFT_FORMAT_NONE);
    const weft_argument_write plain = {.binding = 0, .buffer = conform_buffer(c, 0, BYTES, NULL)};
    weft_argument_table_write(device, s.table, &plain, 1);
    conform_expect_rule(c, WEFT_RULE_ARGUMENT_BUFFER_USAGE);
}
