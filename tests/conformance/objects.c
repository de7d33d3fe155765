// What cases are made of. Each helper ends the case if the library refuses.
#include "internal.h"

#include "flat.frag.spv.h"
#include "rect.vert.spv.h"

weft_buffer conform_buffer(struct conform *c, weft_buffer_usage usage, uint64_t size,
                           const void *data)
{
    weft_buffer out;
    weft_buffer_create(c->device,
                       &(weft_buffer_desc){.size = size,
                                           .usage = usage | WEFT_BUFFER_USAGE_COPY_SRC |
                                                    WEFT_BUFFER_USAGE_COPY_DST,
                                           .memory = WEFT_MEMORY_GPU,
                                           .data = data},
                       &out);
    conform_check(c);
    return out;
}

weft_texture conform_texture(struct conform *c, const weft_texture_desc *desc)
{
    weft_texture_desc whole = *desc;
    weft_texture out;
    if (whole.usage == 0)
        whole.usage = WEFT_TEXTURE_USAGE_SAMPLED;
    if (whole.samples <= 1)
        whole.usage |= WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST;
    weft_texture_create(c->device, &whole, &out);
    conform_check(c);
    return out;
}

weft_texture conform_target(struct conform *c, weft_format format, uint32_t width, uint32_t height)
{
    return conform_texture(
        c, &(weft_texture_desc){.format = format,
                                .width = width,
                                .height = height,
                                .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED});
}

weft_texture_view conform_view_of(struct conform *c, const weft_texture_view_desc *desc)
{
    weft_texture_view out;
    weft_texture_view_create(c->device, desc, &out);
    conform_check(c);
    return out;
}

weft_texture_view conform_view(struct conform *c, weft_texture texture)
{
    return conform_view_of(c, &(weft_texture_view_desc){.texture = texture});
}

weft_sampler conform_sampler(struct conform *c, const weft_sampler_desc *desc)
{
    weft_sampler out;
    weft_sampler_create(c->device, desc, &out);
    conform_check(c);
    return out;
}

weft_shader conform_shader(struct conform *c, const uint32_t *code, size_t size)
{
    weft_shader out;
    weft_shader_create(c->device, &(weft_shader_desc){.code = code, .size = size}, &out);
    conform_check(c);
    return out;
}

weft_graphics_pipeline conform_pipeline(struct conform *c, const weft_graphics_pipeline_desc *desc)
{
    weft_graphics_pipeline out;
    weft_graphics_pipeline_create(c->device, desc, &out);
    conform_check(c);
    return out;
}

weft_compute_pipeline conform_compute(struct conform *c, weft_shader shader)
{
    weft_compute_pipeline out;
    weft_compute_pipeline_create(
        c->device, &(weft_compute_pipeline_desc){.compute = {.shader = shader}}, &out);
    conform_check(c);
    return out;
}

weft_argument_table conform_table(struct conform *c, weft_argument_layout layout,
                                  const weft_argument_write *writes, uint32_t count)
{
    weft_argument_table out;
    weft_argument_table_create(
        c->device,
        &(weft_argument_table_desc){.layout = layout, .writes = writes, .write_count = count},
        &out);
    conform_check(c);
    return out;
}

// ---- recording ---------------------------------------------------------------------------------

weft_command_buffer *conform_begin(struct conform *c)
{
    weft_command_buffer *cmd;
    weft_command_begin(c->device, NULL, &cmd);
    conform_check(c);
    return cmd;
}

weft_render_encoder *conform_begin_pass(weft_command_buffer *cmd, weft_texture_view view,
                                        const float clear[4])
{
    return weft_command_begin_render(
        cmd, &(weft_render_pass_desc){
                 .colors[0] = {.view = view,
                               .load = WEFT_LOAD_CLEAR,
                               .clear = {.f = {clear[0], clear[1], clear[2], clear[3]}}}});
}

void conform_submit(struct conform *c, weft_command_buffer *cmd)
{
    uint64_t serial = 0;
    if (weft_command_end(cmd) == WEFT_OK &&
        weft_queue_submit(c->device, WEFT_QUEUE_GRAPHICS,
                          &(weft_submit){.commands = &cmd, .command_count = 1}, &serial) == WEFT_OK)
        weft_serial_wait(c->device, serial, UINT64_MAX);
    conform_check(c);
}

void conform_barrier(weft_command_buffer *cmd)
{
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL,
                         WEFT_HAZARD_DRAW_ARGUMENTS | WEFT_HAZARD_DESCRIPTORS |
                             WEFT_HAZARD_DEPTH_STENCIL);
}

void conform_texture_state(weft_command_buffer *cmd, weft_texture texture,
                           weft_texture_state before, weft_texture_state after)
{
    weft_command_texture_barrier(cmd,
                                 &(weft_texture_barrier){.texture = texture,
                                                         .before = before,
                                                         .after = after,
                                                         .producers = WEFT_STAGE_ALL,
                                                         .consumers = WEFT_STAGE_ALL},
                                 1);
}

void conform_rect_shaders(struct conform *c, weft_graphics_pipeline_desc *desc)
{
    desc->vertex.shader = CONFORM_SHADER(c, rect_vert);
    desc->fragment.shader = CONFORM_SHADER(c, flat_frag);
}

void conform_draw_rect(weft_render_encoder *enc, const weft_rect *rect, uint32_t width,
                       uint32_t height, float depth, const float color[4])
{
    const float w = (float)width, h = (float)height;
    const float x0 = (float)rect->x, y0 = (float)rect->y;
    const struct conform_rect_root root = {
        .rect = {x0 / w * 2 - 1, 1 - y0 / h * 2, (x0 + (float)rect->width) / w * 2 - 1,
                 1 - (y0 + (float)rect->height) / h * 2},
        .depth = depth,
        .color = {color[0], color[1], color[2], color[3]},
    };
    weft_render_set_root(enc, 0, 0, &root, sizeof root);
    weft_render_draw(enc, 6, 1, 0, 0);
}
