#include "swdev_scene.h"

#include <string.h>

#include "shader/module.h"
#include "swdev_color.frag.spv.h"
#include "swdev_color.vert.spv.h"

// (0, 0) is the top left texel, y of clip space points up.
static const struct scene_vertex half[3] = {
    {-1, -1, 0.5f, {255, 0, 0, 255}},
    {1, -1, 0.5f, {255, 0, 0, 255}},
    {-1, 1, 0.5f, {255, 0, 0, 255}},
};

static struct wf_hal_stage stage(struct scene *c, uint32_t i, const uint32_t *code, size_t bytes)
{
    static const uint32_t models[2] = {SpvExecutionModelVertex, SpvExecutionModelFragment};
    struct wf_shader_error error = {0};
    if (!wf_shader_read(wf_base_allocator_default(), code, bytes, &c->modules[i], &error))
        test_fail(__FILE__, __LINE__, "%s", error.message);
    if (c->s.ops->shader_create(c->s.dev, c->modules[i], &c->shaders[i], &error) != WEFT_OK)
        test_fail(__FILE__, __LINE__, "%s", error.message);
    return (struct wf_hal_stage){.shader = c->shaders[i],
                                 .entry = wf_shader_entry(c->modules[i], models[i], "main")};
}

static void make_pipeline(struct scene *c, const struct scene_desc *scene)
{
    static const weft_vertex_stream stream = {.slot = 2, .stride = sizeof(struct scene_vertex)};
    static const weft_vertex_attribute attributes[2] = {
        {.location = 0, .slot = 2, .format = WEFT_VERTEX_FORMAT_FLOAT32X3},
        {.location = 1, .slot = 2, .offset = 12, .format = WEFT_VERTEX_FORMAT_UNORM8X4}};
    static const weft_pipeline_state state = {.depth_stencil = {.depth = WEFT_COMPARE_DEFAULT}};
    struct wf_shader_error error = {0};
    const struct wf_hal_graphics_pipeline_desc desc = {
        .vertex = scene->vertex ? stage(c, 0, scene->vertex, scene->vertex_bytes)
                                : stage(c, 0, swdev_color_vert, sizeof swdev_color_vert),
        .fragment = scene->fragment ? stage(c, 1, scene->fragment, scene->fragment_bytes)
                                    : stage(c, 1, swdev_color_frag, sizeof swdev_color_frag),
        .root_bytes = 8,
        .streams = &stream,
        .stream_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
        .topology = scene->topology,
        .restart = scene->restart,
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .depth_stencil = WEFT_FORMAT_D32_FLOAT_S8_UINT,
        .samples = c->samples,
        .sample_mask = UINT32_MAX,
        .flags = scene->flags,
        .states = &state,
        .state_count = 1,
        .label = "colored",
    };
    if (c->s.ops->graphics_pipeline_create(c->s.dev, &desc, &c->pipeline, &error) != WEFT_OK)
        test_fail(__FILE__, __LINE__, "%s", error.message);
}

static struct wf_hal_texture *target(struct scene *c, weft_format format, uint32_t samples)
{
    const weft_texture_desc desc = {
        .format = format,
        .width = SCENE_SIDE,
        .height = SCENE_SIDE,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = samples,
        .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC,
    };
    return swdev_texture(&c->s, &desc);
}

void scene_open(struct scene *c, const struct scene_desc *desc)
{
    static const struct scene_desc plain;
    if (!desc)
        desc = &plain;
    *c = (struct scene){.samples = desc->samples ? desc->samples : 1};
    swdev_open(&c->s, NULL);
    c->color = c->resolved = target(c, WEFT_FORMAT_RGBA8_UNORM, c->samples);
    if (c->samples > 1)
        c->resolved = target(c, WEFT_FORMAT_RGBA8_UNORM, 1);
    c->depth = target(c, WEFT_FORMAT_D32_FLOAT_S8_UINT, c->samples);
    c->color_view = swdev_view(&c->s, c->color);
    c->resolved_view = swdev_view(&c->s, c->resolved);
    c->depth_view = swdev_view(&c->s, c->depth);
    c->pixels = swdev_buffer(&c->s, UINT64_C(4) * SCENE_SIDE * SCENE_SIDE, WEFT_MEMORY_READBACK);
    c->vertices = swdev_buffer(&c->s, 4096, WEFT_MEMORY_DEFAULT);
    memcpy(c->vertices->mapped, half, sizeof half);
    make_pipeline(c, desc);
}

void scene_close(struct scene *c)
{
    const struct wf_hal_device_ops *ops = c->s.ops;
    ops->pipeline_destroy(c->s.dev, c->pipeline);
    for (uint32_t i = 0; i < 2; i++) {
        ops->shader_destroy(c->s.dev, c->shaders[i]);
        wf_shader_free(c->modules[i]);
    }
    ops->buffer_destroy(c->s.dev, c->pixels);
    ops->buffer_destroy(c->s.dev, c->vertices);
    ops->texture_view_destroy(c->s.dev, c->color_view);
    ops->texture_view_destroy(c->s.dev, c->resolved_view);
    ops->texture_view_destroy(c->s.dev, c->depth_view);
    if (c->resolved != c->color)
        ops->texture_destroy(c->s.dev, c->resolved);
    ops->texture_destroy(c->s.dev, c->color);
    ops->texture_destroy(c->s.dev, c->depth);
    swdev_close(&c->s);
}

void scene_begin(struct scene *c, struct wf_hal_query_pool *occlusion)
{
    const struct wf_hal_device_ops *ops = c->s.ops;
    const struct wf_hal_render_pass pass = {
        .colors = {{.view = c->color_view,
                    .resolve = c->samples > 1 ? c->resolved_view : NULL,
                    .load = WEFT_LOAD_CLEAR,
                    .clear = {.f = {0, 0, 1, 1}}}},
        .depth_stencil = c->depth_view,
        .depth_load = WEFT_LOAD_CLEAR,
        .stencil_load = WEFT_LOAD_CLEAR,
        .clear_depth = 0.5f,
        .width = SCENE_SIDE,
        .height = SCENE_SIDE,
        .samples = c->samples,
        .occlusion = occlusion,
        .label = "pass",
    };
    c->cmd = swdev_begin(&c->s);
    ops->cmd_begin_render(c->cmd, &pass);
    ops->cmd_set_pipeline(c->cmd, c->pipeline);
    ops->cmd_set_depth_stencil(c->cmd, &(weft_depth_stencil_state){.stencil = false});
    ops->cmd_set_blend(c->cmd, &(weft_blend_state){.independent = false});
    ops->cmd_set_raster(c->cmd, &(weft_raster_state){.cull = WEFT_CULL_NONE});
    ops->cmd_set_viewport(
        c->cmd, &(weft_viewport){.width = SCENE_SIDE, .height = SCENE_SIDE, .max_depth = 1});
    ops->cmd_set_scissor(c->cmd, &(weft_rect){.width = SCENE_SIDE, .height = SCENE_SIDE});
    ops->cmd_set_vertex_buffer(c->cmd, 2, c->vertices, 0);
}

void scene_end(struct scene *c)
{
    const struct wf_hal_device_ops *ops = c->s.ops;
    const weft_texture_region all = {.layer_count = 1,
                                     .width = SCENE_SIDE,
                                     .height = SCENE_SIDE,
                                     .depth = 1,
                                     .aspect = WEFT_ASPECT_COLOR};
    ops->cmd_end_render(c->cmd);
    ops->cmd_copy_texture_to_buffer(
        c->cmd, c->resolved, &all, c->pixels,
        &(struct wf_hal_texel_layout){.row_bytes = UINT64_C(4) * SCENE_SIDE,
                                      .slice_rows = SCENE_SIDE});
    swdev_run(&c->s, c->cmd);
}

const uint8_t *scene_pixel(const struct scene *c, uint32_t x, uint32_t y)
{
    return c->pixels->mapped + ((size_t)y * SCENE_SIDE + x) * 4;
}

bool scene_is_red(const struct scene *c, uint32_t x, uint32_t y)
{
    static const uint8_t red[4] = {255, 0, 0, 255}, blue[4] = {0, 0, 255, 255};
    const uint8_t *pixel = scene_pixel(c, x, y);
    const bool is = memcmp(pixel, red, 4) == 0;
    EXPECT(is || memcmp(pixel, blue, 4) == 0);
    return is;
}

uint32_t scene_count_red(const struct scene *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SCENE_SIDE * SCENE_SIDE; i++)
        count += scene_is_red(c, i % SCENE_SIDE, i / SCENE_SIDE);
    return count;
}
