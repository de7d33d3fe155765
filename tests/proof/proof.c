#include "proof.h"

#include <weft/rules.h>

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fetch.comp.spv.h"
#include "fetch_samples.comp.spv.h"

uint32_t proof_rounds(uint32_t quick)
{
    const char *text = getenv("WEFT_PROOF");
    const unsigned long times = text ? strtoul(text, NULL, 10) : 1;
    return times > 1 ? quick * (uint32_t)times : quick;
}

uint32_t proof_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t word = *seed ^ *seed >> 29;
    word *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(word >> 32);
}

uint32_t proof_below(uint64_t *seed, uint32_t below)
{
    return (uint32_t)((uint64_t)proof_random(seed) * below >> 32);
}

int32_t proof_between(uint64_t *seed, int32_t low, int32_t high)
{
    return low + (int32_t)proof_below(seed, (uint32_t)(high - low) + 1);
}

void proof_expect(weft_result result, const char *what)
{
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", what, weft_result_name(result));
}

/// Whatever a test leaves goes with its device.
static void on_diagnostic(void *user, const weft_diagnostic *diagnostic)
{
    (void)user;
    if (diagnostic->code != WEFT_RULE_OBJECT_LEAKED)
        (void)fprintf(stderr, "W%04u: %s\n", diagnostic->code, diagnostic->message);
}

static weft_texture target_create(struct proof *p, weft_format format, weft_texture_view *view)
{
    weft_texture texture;
    PROOF_EXPECT(weft_texture_create(
        p->device,
        &(weft_texture_desc){
            .format = format,
            .width = p->width,
            .height = p->height,
            .samples = p->samples,
            .usage =
                WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED |
                (p->samples == 1 ? WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST : 0u)},
        &texture));
    PROOF_EXPECT(
        weft_texture_view_create(p->device, &(weft_texture_view_desc){.texture = texture}, view));
    return texture;
}

void proof_open(struct proof *p, const struct proof_desc *desc)
{
    *p = (struct proof){.width = desc->width,
                        .height = desc->height,
                        .samples = desc->samples ? desc->samples : 1,
                        .depth_format = desc->depth};
    const weft_host_hooks hooks = {.diagnostic = on_diagnostic};
    const weft_software_options software = {.threads = desc->threads ? desc->threads : 2};
    const weft_device_desc device_desc = {
        .backends = 1u << WEFT_BACKEND_SOFTWARE, .hooks = &hooks, .software = &software};
    weft_device_start(&device_desc, &p->device);
    PROOF_EXPECT(weft_device_wait(p->device, UINT64_MAX));
    for (; p->color_count < 4 && desc->colors[p->color_count] != WEFT_FORMAT_NONE;
         p->color_count++) {
        const uint32_t i = p->color_count;
        p->color_formats[i] = desc->colors[i];
        p->colors[i] = target_create(p, desc->colors[i], &p->color_views[i]);
    }
    if (desc->depth != WEFT_FORMAT_NONE)
        p->depth = target_create(p, desc->depth, &p->depth_view);
    const weft_shader shader =
        p->samples > 1 ? PROOF_SHADER(p, fetch_samples_comp) : PROOF_SHADER(p, fetch_comp);
    PROOF_EXPECT(weft_compute_pipeline_create(
        p->device, &(weft_compute_pipeline_desc){.compute = {.shader = shader}}, &p->fetch));
    weft_shader_destroy(p->device, shader);
    PROOF_EXPECT(weft_buffer_create(
        p->device,
        &(weft_buffer_desc){.size = UINT64_C(16) * p->width * p->height * p->samples,
                            .usage = WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_COPY_SRC},
        &p->fetched));
}

void proof_close(struct proof *p)
{
    weft_device_destroy(p->device);
}

weft_shader proof_shader(struct proof *p, const uint32_t *code, size_t size)
{
    weft_shader shader;
    PROOF_EXPECT(
        weft_shader_create(p->device, &(weft_shader_desc){.code = code, .size = size}, &shader));
    return shader;
}

weft_graphics_pipeline proof_pipeline(struct proof *p, weft_graphics_pipeline_desc desc)
{
    static const weft_vertex_stream stream = {.stride = sizeof(struct proof_vertex)};
    static const weft_vertex_attribute attributes[] = {
        {.location = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X4},
        {.location = 1,
         .offset = offsetof(struct proof_vertex, value),
         .format = WEFT_VERTEX_FORMAT_FLOAT32X4},
    };
    if (!desc.streams) {
        desc.streams = &stream;
        desc.stream_count = 1;
        desc.attributes = attributes;
        desc.attribute_count = 2;
    }
    memcpy(desc.colors, p->color_formats, sizeof(p->color_formats));
    desc.depth_stencil = p->depth_format;
    desc.samples = p->samples;
    weft_graphics_pipeline pipeline;
    PROOF_EXPECT(weft_graphics_pipeline_create(p->device, &desc, &pipeline));
    return pipeline;
}

static void fill(struct proof *p, weft_buffer *buffer, uint64_t *room, const void *data,
                 uint64_t size, weft_buffer_usage usage)
{
    if (size > *room) {
        weft_buffer_destroy(p->device, *buffer);
        *room = size;
        PROOF_EXPECT(weft_buffer_create(p->device,
                                        &(weft_buffer_desc){.size = size, .usage = usage}, buffer));
    }
    void *to = weft_buffer_map(p->device, *buffer, 0, size);
    EXPECT(to != NULL);
    memcpy(to, data, size);
    PROOF_EXPECT(weft_buffer_flush(p->device, *buffer, 0, size));
}

void proof_upload(struct proof *p, const struct proof_vertex *vertices, uint32_t count,
                  const uint32_t *indices, uint32_t index_count)
{
    fill(p, &p->vertices, &p->vertex_room, vertices, count * sizeof(*vertices),
         WEFT_BUFFER_USAGE_VERTEX);
    if (indices)
        fill(p, &p->indices, &p->index_room, indices, index_count * sizeof(*indices),
             WEFT_BUFFER_USAGE_INDEX);
}

static void draw(struct proof *p, weft_render_encoder *enc, const struct proof_draw *d)
{
    weft_render_set_pipeline(enc, d->pipeline);
    if (d->state) {
        weft_render_set_depth_stencil(enc, &d->state->depth_stencil);
        weft_render_set_blend(enc, &d->state->blend);
        weft_render_set_raster(enc, &d->state->raster);
    }
    if (d->viewport)
        weft_render_set_viewport(enc, d->viewport);
    if (d->scissor)
        weft_render_set_scissor(enc, d->scissor);
    if (d->root)
        weft_render_set_root(enc, 0, 0, d->root, d->root_bytes);
    if (d->blend_constant)
        weft_render_set_blend_constant(enc, d->blend_constant);
    if (!weft_argument_table_is_none(d->arguments))
        weft_render_set_arguments(enc, 0, d->arguments, NULL, 0);
    weft_render_set_vertex_buffer(enc, 0, p->vertices, 0);
    if (!d->indexed) {
        weft_render_draw(enc, d->count, 1, d->first, 0);
        return;
    }
    weft_render_set_index_buffer(enc, p->indices, 0, WEFT_INDEX_UINT32);
    weft_render_draw_indexed(enc, d->count, 1, d->first, 0, 0);
}

void proof_submit(struct proof *p, weft_command_buffer *cmd)
{
    uint64_t serial = 0;
    PROOF_EXPECT(weft_command_end(cmd));
    PROOF_EXPECT(weft_queue_submit(p->device, WEFT_QUEUE_GRAPHICS,
                                   &(weft_submit){.commands = &cmd, .command_count = 1}, &serial));
    PROOF_EXPECT(weft_serial_wait(p->device, serial, UINT64_MAX));
}

static void barrier(weft_command_buffer *cmd)
{
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, WEFT_HAZARD_DEPTH_STENCIL);
}

static void run(struct proof *p, const weft_render_pass_desc *pass, const struct proof_draw *draws,
                uint32_t count)
{
    weft_command_buffer *cmd;
    PROOF_EXPECT(weft_command_begin(p->device, &(weft_command_desc){0}, &cmd));
    barrier(cmd);
    weft_render_encoder *enc = weft_command_begin_render(cmd, pass);
    for (uint32_t i = 0; i < count; i++)
        draw(p, enc, &draws[i]);
    weft_render_end(enc);
    proof_submit(p, cmd);
}

/// The targets. `clear`: what colors are cleared to; NULL: they are loaded.
static weft_render_pass_desc pass_of(const struct proof *p, const float *clear)
{
    weft_render_pass_desc pass = {.depth_stencil = p->depth_view, .clear_depth = 1};
    for (uint32_t i = 0; i < p->color_count; i++) {
        pass.colors[i].view = p->color_views[i];
        pass.colors[i].load = clear ? WEFT_LOAD_CLEAR : WEFT_LOAD_LOAD;
        if (clear)
            memcpy(pass.colors[i].clear.f, clear, 4 * sizeof(*clear));
    }
    return pass;
}

void proof_run(struct proof *p, const float *clear, const struct proof_draw *draws, uint32_t count)
{
    weft_render_pass_desc pass = pass_of(p, clear);
    pass.depth_load = clear ? WEFT_LOAD_CLEAR : WEFT_LOAD_LOAD;
    run(p, &pass, draws, count);
}

void proof_run_over_depth(struct proof *p, const struct proof_draw *draws, uint32_t count)
{
    weft_render_pass_desc pass = pass_of(p, (const float[4]){0});
    pass.depth_load = WEFT_LOAD_LOAD;
    run(p, &pass, draws, count);
}

void proof_read(struct proof *p, uint32_t color, float (*out)[4])
{
    const uint32_t texels = p->width * p->height * p->samples;
    const weft_argument_write writes[] = {
        {.binding = 0, .view = color < p->color_count ? p->color_views[color] : p->depth_view},
        {.binding = 1, .buffer = p->fetched}};
    weft_argument_table table;
    PROOF_EXPECT(weft_argument_table_create(
        p->device,
        &(weft_argument_table_desc){.layout = weft_compute_pipeline_layout(p->device, p->fetch, 0),
                                    .writes = writes,
                                    .write_count = 2},
        &table));
    weft_command_buffer *cmd;
    PROOF_EXPECT(weft_command_begin(p->device, &(weft_command_desc){0}, &cmd));
    barrier(cmd);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, p->fetch);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, (texels + 63) / 64, 1, 1);
    weft_compute_end(enc);
    proof_submit(p, cmd);
    PROOF_EXPECT(weft_buffer_read(p->device, p->fetched, 0, out, UINT64_C(16) * texels));
    weft_argument_table_destroy(p->device, table);
}

static const uint8_t locations[4][8][2] = {
    {{8, 8}},
    {{12, 12}, {4, 4}},
    {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
};

static uint32_t log2_of(uint32_t samples)
{
    return samples >= 8 ? 3 : samples / 2;
}

struct proof_point proof_sample(uint32_t samples, uint32_t sample)
{
    const uint8_t *at = locations[log2_of(samples)][sample];
    return (struct proof_point){INT64_C(16) * at[0], INT64_C(16) * at[1]};
}

struct proof_point proof_sample_at(uint32_t samples, uint32_t sample, int64_t x, int64_t y)
{
    const struct proof_point in = proof_sample(samples, sample);
    return (struct proof_point){x * PROOF_STEPS + in.x, y * PROOF_STEPS + in.y};
}

struct proof_vertex proof_vertex_at(const struct proof *p, struct proof_point at, float z, float w)
{
    const double x = (double)at.x / (128.0 * p->width) - 1;
    const double y = 1 - (double)at.y / (128.0 * p->height);
    return (struct proof_vertex){.at = {(float)(x * w), (float)(y * w), z * w, w}};
}

uint64_t proof_hash(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}
