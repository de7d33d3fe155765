#include "whole.h"

#include "whole.comp.spv.h"
#include "whole.frag.spv.h"
#include "whole.vert.spv.h"

enum { TEXELS = 64 };

struct vertex {
    float position[3];
    float color[4];
    float uv[2];
};

static float next_float(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 16777216.0f;
}

static void fill_vertices(struct vertex out[WHOLE_TRIANGLES * 3])
{
    uint32_t state = 1;
    for (uint32_t i = 0; i < WHOLE_TRIANGLES * 3; i++) {
        struct vertex *v = &out[i];
        for (int k = 0; k < 2; k++)
            v->position[k] = next_float(&state) * 2.4f - 1.2f;
        v->position[2] = next_float(&state) * 1.1f - 0.05f; // some beyond near and far
        for (int k = 0; k < 4; k++)
            v->color[k] = next_float(&state);
        for (int k = 0; k < 2; k++)
            v->uv[k] = next_float(&state) * 6.0f - 3.0f;
    }
}

static bool make_textures(struct whole *w)
{
    weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM_SRGB,
                              .width = TEXELS,
                              .height = TEXELS,
                              .mips = WEFT_MIPS_ALL,
                              .usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_DST |
                                       WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_RENDER,
                              .label = "image"};
    bool ok = weft_texture_create(w->dev, &desc, &w->image) == WEFT_OK;
    desc = (weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                               .width = WHOLE_WIDTH,
                               .height = WHOLE_HEIGHT,
                               .samples = 4,
                               .usage = WEFT_TEXTURE_USAGE_RENDER,
                               .label = "many"};
    ok &= weft_texture_create(w->dev, &desc, &w->many) == WEFT_OK;
    desc.format = WEFT_FORMAT_D32_FLOAT;
    ok &= weft_texture_create(w->dev, &desc, &w->depth) == WEFT_OK;
    desc.format = WEFT_FORMAT_RGBA8_UNORM;
    desc.samples = 1;
    desc.usage |= WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC;
    ok &= weft_texture_create(w->dev, &desc, &w->one) == WEFT_OK;
    if (!ok)
        return false;
    const weft_texture textures[] = {w->image, w->many, w->one, w->depth};
    weft_texture_view *const views[] = {&w->image_view, &w->many_view, &w->one_view,
                                        &w->depth_view};
    for (int i = 0; i < 4; i++)
        ok &= weft_texture_view_create(w->dev, &(weft_texture_view_desc){.texture = textures[i]},
                                       views[i]) == WEFT_OK;
    uint8_t texels[TEXELS][TEXELS][4];
    for (uint32_t i = 0; i < sizeof texels; i++)
        (&texels[0][0][0])[i] = (uint8_t)(i * 2654435761u >> 13);
    return ok && weft_texture_write(w->dev, w->image,
                                    &(weft_texture_region){.width = TEXELS, .height = TEXELS},
                                    texels, NULL) == WEFT_OK;
}

static bool make_buffer(struct whole *w, uint64_t size, weft_buffer_usage usage, const void *data,
                        weft_buffer *out)
{
    const weft_buffer_desc desc = {
        .size = size, .usage = usage, .memory = WEFT_MEMORY_GPU, .data = data};
    return weft_buffer_create(w->dev, &desc, out) == WEFT_OK;
}

static bool make_buffers(struct whole *w)
{
    static struct vertex vertices[WHOLE_TRIANGLES * 3];
    static uint16_t indices[WHOLE_TRIANGLES * 3];
    static const float scene[8] = {0.9f, -1.1f, 1, 1, 0.05f, 0.125f, 0, 0};
    fill_vertices(vertices);
    for (uint32_t i = 0; i < WHOLE_TRIANGLES * 3; i++)
        indices[i] = (uint16_t)(i * 7 % (WHOLE_TRIANGLES * 3));
    return make_buffer(w, sizeof vertices, WEFT_BUFFER_USAGE_VERTEX, vertices, &w->vertices) &&
           make_buffer(w, sizeof indices, WEFT_BUFFER_USAGE_INDEX, indices, &w->indices) &&
           make_buffer(w, sizeof scene, WEFT_BUFFER_USAGE_UNIFORM, scene, &w->scene) &&
           make_buffer(w, WHOLE_SUMS,
                       WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_COPY_SRC |
                           WEFT_BUFFER_USAGE_COPY_DST,
                       NULL, &w->counts);
}

static bool make_shader(struct whole *w, const void *code, size_t size, weft_shader *out)
{
    return weft_shader_create(w->dev, &(weft_shader_desc){.code = code, .size = size}, out) ==
           WEFT_OK;
}

static bool make_pipelines(struct whole *w)
{
    if (!make_shader(w, whole_vert, sizeof whole_vert, &w->vertex) ||
        !make_shader(w, whole_frag, sizeof whole_frag, &w->fragment) ||
        !make_shader(w, whole_comp, sizeof whole_comp, &w->compute))
        return false;
    const weft_vertex_stream stream = {.stride = sizeof(struct vertex)};
    const weft_vertex_attribute attributes[] = {
        {.location = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X3},
        {.location = 1, .offset = 12, .format = WEFT_VERTEX_FORMAT_FLOAT32X4},
        {.location = 2, .offset = 28, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
    };
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS_EQUAL, .depth_write = true},
        .blend.targets[0] = {.enable = true,
                             .color = {WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_ONE_MINUS_SRC_ALPHA,
                                       WEFT_BLEND_OP_ADD},
                             .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE_MINUS_SRC_ALPHA,
                                       WEFT_BLEND_OP_ADD}},
    };
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = w->vertex},
        .fragment = {.shader = w->fragment},
        .streams = &stream,
        .stream_count = 1,
        .attributes = attributes,
        .attribute_count = 3,
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .depth_stencil = WEFT_FORMAT_D32_FLOAT,
        .samples = 4,
        .states = &state,
        .state_count = 1,
        .label = "picture",
    };
    const weft_compute_pipeline_desc count = {.compute = {.shader = w->compute}, .label = "count"};
    return weft_graphics_pipeline_create(w->dev, &desc, &w->pipeline) == WEFT_OK &&
           weft_compute_pipeline_create(w->dev, &count, &w->counter) == WEFT_OK;
}

static bool make_table(struct whole *w, weft_argument_layout layout,
                       const weft_argument_write *writes, uint32_t count, weft_argument_table *out)
{
    const weft_argument_table_desc desc = {
        .layout = layout, .writes = writes, .write_count = count};
    return weft_argument_table_create(w->dev, &desc, out) == WEFT_OK;
}

static bool make_tables(struct whole *w)
{
    const weft_sampler_desc linear = {
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR};
    if (weft_sampler_create(w->dev, &linear, &w->sampler) != WEFT_OK)
        return false;
    const weft_argument_write scene = {.buffer = w->scene};
    const weft_argument_write image = {.view = w->image_view, .sampler = w->sampler};
    const weft_argument_write count[] = {{.view = w->one_view},
                                         {.binding = 1, .buffer = w->counts}};
    return make_table(w, weft_graphics_pipeline_layout(w->dev, w->pipeline, 0), &scene, 1,
                      &w->globals) &&
           make_table(w, weft_graphics_pipeline_layout(w->dev, w->pipeline, 1), &image, 1,
                      &w->material) &&
           make_table(w, weft_compute_pipeline_layout(w->dev, w->counter, 0), count, 2,
                      &w->counting);
}

bool whole_create(struct whole *w, weft_device *dev)
{
    *w = (struct whole){.dev = dev};
    return make_textures(w) && make_buffers(w) && make_pipelines(w) && make_tables(w);
}

void whole_destroy(struct whole *w)
{
    weft_argument_table_destroy(w->dev, w->globals);
    weft_argument_table_destroy(w->dev, w->material);
    weft_argument_table_destroy(w->dev, w->counting);
    weft_graphics_pipeline_destroy(w->dev, w->pipeline);
    weft_compute_pipeline_destroy(w->dev, w->counter);
    weft_shader_destroy(w->dev, w->vertex);
    weft_shader_destroy(w->dev, w->fragment);
    weft_shader_destroy(w->dev, w->compute);
    weft_sampler_destroy(w->dev, w->sampler);
    weft_texture_view_destroy(w->dev, w->image_view);
    weft_texture_view_destroy(w->dev, w->many_view);
    weft_texture_view_destroy(w->dev, w->one_view);
    weft_texture_view_destroy(w->dev, w->depth_view);
    weft_texture_destroy(w->dev, w->image);
    weft_texture_destroy(w->dev, w->many);
    weft_texture_destroy(w->dev, w->one);
    weft_texture_destroy(w->dev, w->depth);
    weft_buffer_destroy(w->dev, w->vertices);
    weft_buffer_destroy(w->dev, w->indices);
    weft_buffer_destroy(w->dev, w->scene);
    weft_buffer_destroy(w->dev, w->counts);
}

// ---- recording ---------------------------------------------------------------------------------

static void record_picture(const struct whole *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc =
        weft_command_begin_render(cmd, &(weft_render_pass_desc){
                                           .colors[0] = {.view = w->many_view,
                                                         .resolve = w->one_view,
                                                         .load = WEFT_LOAD_CLEAR,
                                                         .store = WEFT_STORE_DISCARD,
                                                         .clear = {.f = {0.1f, 0.2f, 0.3f, 1}}},
                                           .depth_stencil = w->depth_view,
                                           .depth_load = WEFT_LOAD_CLEAR,
                                           .clear_depth = 1,
                                           .label = "picture",
                                       });
    weft_render_set_pipeline(enc, w->pipeline);
    weft_render_set_arguments(enc, 0, w->globals, NULL, 0);
    weft_render_set_arguments(enc, 1, w->material, NULL, 0);
    weft_render_set_vertex_buffer(enc, 0, w->vertices, 0);
    weft_render_set_index_buffer(enc, w->indices, 0, WEFT_INDEX_UINT16);
    for (uint32_t i = 0; i < 4; i++)
        weft_render_draw_indexed(enc, WHOLE_TRIANGLES / 4 * 3, 2, WHOLE_TRIANGLES / 4 * 3 * i, 0,
                                 i);
    weft_render_set_scissor(enc, &(weft_rect){30, 20, 77, 55});
    weft_render_draw(enc, WHOLE_TRIANGLES / 4 * 3 / 2, 3, 30, 1);
    weft_render_end(enc);
}

static void record_count(const struct whole *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, w->counts, 0, 0, 0);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_TARGET | WEFT_STAGE_COPY, WEFT_STAGE_COMPUTE, 0);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, w->counter);
    weft_compute_set_arguments(enc, 0, w->counting, NULL, 0);
    weft_compute_dispatch(enc, WHOLE_GROUPS_X, WHOLE_GROUPS_Y, 1);
    weft_compute_end(enc);
    // For whoever comes next, and the next of these: it uses the same targets.
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
}

weft_command_buffer *whole_record(const struct whole *w)
{
    weft_command_buffer *cmd;
    if (weft_command_begin(w->dev, NULL, &cmd) != WEFT_OK)
        return NULL;
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, w->image);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_FRAGMENT, 0);
    record_picture(w, cmd);
    record_count(w, cmd);
    return weft_command_end(cmd) == WEFT_OK ? cmd : NULL;
}

bool whole_render(const struct whole *w, struct whole_result *out)
{
    weft_command_buffer *cmd = whole_record(w);
    if (!cmd)
        return false;
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    if (weft_queue_submit(w->dev, WEFT_QUEUE_GRAPHICS, &submit, NULL) != WEFT_OK) {
        weft_command_discard(cmd);
        return false;
    }
    return weft_texture_read(w->dev, w->one, NULL, out->pixels, sizeof out->pixels, NULL) ==
               WEFT_OK &&
           weft_buffer_read(w->dev, w->counts, 0, out->counts, sizeof out->counts) == WEFT_OK;
}
