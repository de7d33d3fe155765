// Load operations: what a pass stored, the next one finds.
#include "cases.h"
#include "draw.h"

#include <string.h>

enum { WIDTH = 16, HEIGHT = 8 };

/// A pass on a color that is loaded.
static weft_render_encoder *begin_loaded(weft_command_buffer *cmd, weft_texture_view view)
{
    return weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_LOAD}});
}

/// Left half in one pass, two columns of the right half in the next, in one command buffer.
void case_load_after_store(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, HEIGHT);
    const weft_texture_view view = conform_view(c, target);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, view, conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_draw_rect(enc, &(weft_rect){0, 0, 8, HEIGHT}, WIDTH, HEIGHT, 0, conform_white);
    weft_render_end(enc);
    conform_barrier(cmd);
    enc = begin_loaded(cmd, view);
    weft_render_set_pipeline(enc, pipeline);
    conform_draw_rect(enc, &(weft_rect){10, 0, 2, HEIGHT}, WIDTH, HEIGHT, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {0};
    conform_mark(&marks, 0, 0, 8, HEIGHT);
    conform_mark(&marks, 10, 0, 2, HEIGHT);
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}

/// Sixteen passes add a sixteenth of red each, over submissions of their own.
void case_load_many_passes(struct conform *c)
{
    const weft_pipeline_state state = {
        .blend.targets[0] = {.enable = true,
                             .color = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                             .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}}};
    conform_need_format(c, WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_CAN_BLEND);
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_NONE, &state);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA16_FLOAT, WIDTH, HEIGHT);
    const weft_texture_view view = conform_view(c, target);
    for (uint32_t i = 0; i < 16; i++) {
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc =
            i == 0 ? conform_begin_pass(cmd, view, (const float[4]){0}) : begin_loaded(cmd, view);
        weft_render_set_pipeline(enc, pipeline);
        conform_fill(enc, 0, (const float[4]){0.0625F, 0, 1, 0});
        weft_render_end(enc);
        conform_submit(c, cmd);
    }
    conform_expect_color(c, target, (const double[4]){1, 0, 16, 0}, 0);
}

static struct conform_texel by_place(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)z;
    if (x >= 4 && x < 8)
        return (struct conform_texel){{1, 1, 1, 1}};
    return (struct conform_texel){{x * 10 / 255.0, y * 20 / 255.0, 77 / 255.0, 1}};
}

/// Texels from the CPU are loaded; those that the pass does not draw over stay to the bit.
void case_load_written_texels(struct conform *c)
{
    uint8_t texels[HEIGHT][WIDTH][4];
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            memcpy(texels[y][x], (const uint8_t[4]){(uint8_t)(x * 10), (uint8_t)(y * 20), 77, 255},
                   4);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, HEIGHT);
    weft_texture_write(conform_device(c), target, &(weft_texture_region){0}, texels, NULL);
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin_loaded(cmd, conform_view(c, target));
    weft_render_set_pipeline(enc, pipeline);
    conform_draw_rect(enc, &(weft_rect){4, 0, 4, HEIGHT}, WIDTH, HEIGHT, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, by_place, NULL, 0);
}

/// Depth and stencil of a first pass bound what the second one draws: where depth is 0.25 and
/// where stencil is 1 nothing passes.
void case_load_depth_and_stencil(struct conform *c)
{
    const weft_format format = conform_depth_stencil_format(c);
    const weft_pipeline_state first = {.depth_stencil = {.depth = WEFT_COMPARE_ALWAYS,
                                                         .depth_write = true,
                                                         .stencil = true,
                                                         .front = {.pass = WEFT_STENCIL_REPLACE},
                                                         .back = {.pass = WEFT_STENCIL_REPLACE}}};
    const weft_pipeline_state second = {.depth_stencil = {.depth = WEFT_COMPARE_LESS,
                                                          .stencil = true,
                                                          .front.compare = WEFT_COMPARE_EQUAL,
                                                          .back.compare = WEFT_COMPARE_EQUAL}};
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, HEIGHT);
    const weft_texture depth = conform_target(c, format, WIDTH, HEIGHT);
    weft_render_pass_desc pass = {.depth_stencil = conform_view(c, depth),
                                  .depth_load = WEFT_LOAD_CLEAR,
                                  .stencil_load = WEFT_LOAD_CLEAR,
                                  .clear_depth = 1};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_graphics_pipeline_desc depth_only = {
        .depth_stencil = format, .states = &first, .state_count = 1};
    conform_rect_shaders(c, &depth_only);
    depth_only.fragment = (weft_shader_use){0};
    weft_render_set_pipeline(enc, conform_pipeline(c, &depth_only));
    conform_draw_rect(enc, &(weft_rect){0, 0, 4, HEIGHT}, WIDTH, HEIGHT, 0.25F, conform_white);
    weft_render_set_stencil_reference(enc, 1);
    conform_draw_rect(enc, &(weft_rect){8, 0, 4, HEIGHT}, WIDTH, HEIGHT, 0.75F, conform_white);
    weft_render_end(enc);
    conform_barrier(cmd);
    pass.colors[0] =
        (weft_color_attachment){.view = conform_view(c, target), .load = WEFT_LOAD_CLEAR};
    pass.colors[0].clear.f[3] = 1;
    pass.depth_load = pass.stencil_load = WEFT_LOAD_LOAD;
    enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc,
                             conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, format, &second));
    conform_fill(enc, 0.5F, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {0};
    conform_mark(&marks, 4, 0, 4, HEIGHT);
    conform_mark(&marks, 12, 0, 4, HEIGHT);
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}
