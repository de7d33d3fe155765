// What backends make late, while commands are recorded: variants of pipelines, events, texel views.
#include "faults.h"

#include "support/record.h"

#include "tint.frag.spv.h"
#include "tint.vert.spv.h"

enum { SIDE = 8 };

static void submit(struct scene *s, weft_command_buffer *cmd)
{
    if (!scene_ok(s, weft_command_end(cmd)))
        return;
    const weft_submit work = {.commands = &cmd, .command_count = 1};
    if (!scene_ok(s, weft_queue_submit(s->dev, WEFT_QUEUE_GRAPHICS, &work, NULL)))
        weft_command_discard(cmd);
}

// ---- variants ----------------------------------------------------------------------------------

struct variants {
    weft_shader vertex, fragment;
    weft_graphics_pipeline pipeline;
    weft_texture texture;
    weft_texture_view view;
};

static bool make_variants(struct scene *s, struct variants *v)
{
    const weft_shader_desc vertex = {.code = tint_vert, .size = sizeof tint_vert};
    const weft_shader_desc fragment = {.code = tint_frag, .size = sizeof tint_frag};
    const weft_texture_desc texture = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                       .width = SIDE,
                                       .height = SIDE,
                                       .usage =
                                           WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC};
    if (!scene_ok(s, weft_shader_create(s->dev, &vertex, &v->vertex)) ||
        !scene_ok(s, weft_shader_create(s->dev, &fragment, &v->fragment)) ||
        !scene_ok(s, weft_texture_create(s->dev, &texture, &v->texture)))
        return false;
    const weft_texture_view_desc view = {.texture = v->texture, .swizzle = {WEFT_SWIZZLE_B}};
    const weft_graphics_pipeline_desc pipeline = {.vertex = {.shader = v->vertex},
                                                  .fragment = {.shader = v->fragment},
                                                  .colors = {WEFT_FORMAT_RGBA8_UNORM}};
    return scene_ok(s, weft_texture_view_create(s->dev, &view, &v->view)) &&
           scene_ok(s, weft_graphics_pipeline_create(s->dev, &pipeline, &v->pipeline));
}

static void draw_variants(struct scene *s, const struct variants *v)
{
    static const float one[32] = {1, 1, 1, 1}, green[4] = {0, 1, 0, 1};
    weft_command_buffer *cmd;
    if (!scene_ok(s, weft_command_begin(s->dev, NULL, &cmd)))
        return;
    weft_render_encoder *enc = record_pass(cmd, v->view);
    weft_render_set_pipeline(enc, v->pipeline);
    weft_render_set_root(enc, 0, 0, one, sizeof one);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_FRAGMENT, 0, green, sizeof green);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_set_blend(enc, &(weft_blend_state){.targets[0] = {.mask = WEFT_COLOR_MASK_R}});
    weft_render_draw(enc, 3, 1, 0, 0);
    if (s->dev->caps.features & WEFT_FEATURE_LINE_FILL)
        weft_render_set_raster(enc, &(weft_raster_state){.fill = WEFT_FILL_LINE});
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    submit(s, cmd);
}

void scene_variants(struct scene *s)
{
    struct variants v = {0};
    if (make_variants(s, &v))
        draw_variants(s, &v);
    weft_graphics_pipeline_destroy(s->dev, v.pipeline);
    weft_shader_destroy(s->dev, v.vertex);
    weft_shader_destroy(s->dev, v.fragment);
    weft_texture_view_destroy(s->dev, v.view);
    weft_texture_destroy(s->dev, v.texture);
}

// ---- split barriers ----------------------------------------------------------------------------

static void fill_twice(struct scene *s, weft_buffer buffer, weft_command_allocator allocator)
{
    weft_command_buffer *cmd;
    if (!scene_ok(s,
                  weft_command_begin(s->dev, &(weft_command_desc){.allocator = allocator}, &cmd)))
        return;
    for (uint32_t i = 0; i < 2; ++i) {
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_fill_buffer(enc, buffer, 0, 64, i);
        weft_compute_end(enc);
        weft_command_signal_after(cmd, WEFT_STAGE_COPY, i);
        weft_command_wait_before(cmd, WEFT_STAGE_COPY, 0, i);
    }
    submit(s, cmd);
}

void scene_split(struct scene *s)
{
    weft_buffer buffer = {0};
    weft_command_allocator allocator = {0};
    const weft_buffer_desc desc = {
        .size = 64, .usage = WEFT_BUFFER_USAGE_COPY_DST, .memory = WEFT_MEMORY_GPU};
    if (scene_ok(s, weft_buffer_create(s->dev, &desc, &buffer)) &&
        scene_ok(s, weft_command_allocator_create(s->dev, &(weft_command_allocator_desc){0},
                                                  &allocator))) {
        for (int i = 0; i < 2 && s->result == WEFT_OK; ++i) { // the second has events to reset
            fill_twice(s, buffer, allocator);
            scene_ok(s, weft_device_wait_idle(s->dev));
        }
    }
    weft_command_allocator_destroy(s->dev, allocator);
    weft_buffer_destroy(s->dev, buffer);
}

// ---- texel buffers -----------------------------------------------------------------------------

static void set_table(struct scene *s, weft_argument_table table)
{
    weft_command_buffer *cmd;
    if (!scene_ok(s, weft_command_begin(s->dev, NULL, &cmd)))
        return;
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_end(enc);
    submit(s, cmd);
}

void scene_texels(struct scene *s)
{
    weft_buffer buffer = {0};
    weft_argument_layout layout = {0};
    weft_argument_table table = {0};
    const weft_argument arguments[] = {
        {.binding = 0, .type = WEFT_ARGUMENT_UNIFORM_TEXELS, .storage = WEFT_FORMAT_RGBA32_FLOAT},
        {.binding = 1, .type = WEFT_ARGUMENT_STORAGE_TEXELS, .storage = WEFT_FORMAT_R32_UINT},
    };
    bool ok =
        scene_ok(s, weft_buffer_create(s->dev,
                                       &(weft_buffer_desc){.size = 256,
                                                           .usage = WEFT_BUFFER_USAGE_TEXEL |
                                                                    WEFT_BUFFER_USAGE_STORAGE},
                                       &buffer)) &&
        scene_ok(s, weft_argument_layout_create(
                        s->dev,
                        &(weft_argument_layout_desc){.arguments = arguments, .argument_count = 2},
                        &layout));
    const weft_argument_write writes[] = {{.binding = 0, .buffer = buffer},
                                          {.binding = 1, .buffer = buffer}};
    const weft_argument_table_desc desc = {.layout = layout, .writes = writes, .write_count = 2};
    ok = ok && scene_ok(s, weft_argument_table_create(s->dev, &desc, &table));
    for (int i = 0; ok && i < 2 && s->result == WEFT_OK; ++i) {
        set_table(s, table);
        scene_ok(s, weft_argument_table_write(s->dev, table, &writes[1], 1));
    }
    weft_argument_table_destroy(s->dev, table);
    weft_argument_layout_destroy(s->dev, layout);
    weft_buffer_destroy(s->dev, buffer);
}
