// What a pass begins with and what it keeps: viewport, scissor, references, root blocks.
#include "cases.h"
#include "draw.h"

#include <string.h>

enum { SIZE = 8 };

/// The state of one pass is none of the next one's: the second sets nothing but a pipeline. Its
/// stencil reference is 0 and so is its blend constant.
void case_pass_begins_fresh(struct conform *c)
{
    const weft_format format = conform_depth_stencil_format(c);
    const weft_pipeline_state state = {
        .depth_stencil = {.stencil = true,
                          .front = {.pass = WEFT_STENCIL_REPLACE},
                          .back = {.pass = WEFT_STENCIL_REPLACE}},
        .blend.targets[0] = {
            .enable = true,
            .color = {WEFT_BLEND_ONE_MINUS_CONSTANT, WEFT_BLEND_ZERO, WEFT_BLEND_OP_ADD},
            .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ZERO, WEFT_BLEND_OP_ADD}}};
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, format, &state);
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE),
                       stencil = conform_target(c, format, SIZE, SIZE);
    const weft_render_pass_desc pass = {
        .colors[0] = {.view = conform_view(c, color), .load = WEFT_LOAD_CLEAR},
        .depth_stencil = conform_view(c, stencil),
        .depth_load = WEFT_LOAD_CLEAR,
        .stencil_load = WEFT_LOAD_CLEAR,
        .clear_stencil = 5};
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < 2; i++) {
        weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
        weft_render_set_pipeline(enc, pipeline);
        if (i == 0) {
            weft_render_set_viewport(enc, &(weft_viewport){1, 1, 2, 2, 0, 0.5F});
            weft_render_set_scissor(enc, &(weft_rect){2, 2, 1, 1});
            weft_render_set_stencil_reference(enc, 77);
            weft_render_set_blend_constant(enc, conform_white);
        }
        conform_fill(enc, 0.25F, conform_white);
        weft_render_end(enc);
        conform_barrier(cmd);
    }
    conform_submit(c, cmd);
    conform_expect_color(c, color, (const double[4]){1, 1, 1, 1}, 0);
    uint8_t zeros[SIZE * SIZE] = {0}, got[SIZE * SIZE];
    weft_texture_read(conform_device(c), stencil,
                      &(weft_texture_region){.aspect = WEFT_ASPECT_STENCIL}, got, sizeof got, NULL);
    conform_check(c);
    if (conform_draws(c))
        CONFORM_EXPECT(c, memcmp(got, zeros, sizeof got) == 0);
}

static weft_render_encoder *begin(struct conform *c, weft_command_buffer *cmd, weft_texture target)
{
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL));
    return enc;
}

/// Each stage has a root block of its own: the vertex shader takes its rectangle from one, the
/// fragment shader its color from the other.
void case_pass_root_of_each_stage(struct conform *c)
{
    const struct conform_rect_root vertex = {.rect = {-1, -1, 0, 1}, .color = {1, 0, 0, 1}},
                                   fragment = {.rect = {0, -1, 1, 1}, .color = {1, 1, 1, 1}};
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, target);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_VERTEX, 0, &vertex, sizeof vertex);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_FRAGMENT, 0, &fragment, sizeof fragment);
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {0};
    conform_mark(&marks, 0, 0, SIZE / 2, SIZE);
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}

/// Parts of the root block are written one after the other; the rest stays, also when the pipeline
/// changes. What a draw saw no later write changes.
void case_pass_root_in_parts(struct conform *c)
{
    const struct conform_rect_root whole = {.rect = {-1, -1, 0, 1}, .color = {0.2F, 0, 0, 1}};
    const float x[2] = {0, 0}, right = 1, green = 1;
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, target);
    weft_render_set_root(enc, 0, 0, &whole, sizeof whole);
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_set_root(enc, 0, 0, x, sizeof x[0]);        // rect[0]: from the middle
    weft_render_set_root(enc, 0, 8, &right, sizeof right);  // rect[2]: to the right edge
    weft_render_set_root(enc, 0, 36, &green, sizeof green); // color[1]
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL));
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    uint8_t texels[SIZE][4];
    if (!conform_read_texels(c, target, texels, sizeof texels))
        return;
    for (uint32_t i = 0; i < SIZE; i++) {
        const uint8_t wanted[4] = {51, i < SIZE / 2 ? 0 : 255, 0, 255};
        CONFORM_EXPECT(c, memcmp(texels[i], wanted, 4) == 0);
    }
}

/// A viewport between texels: its edges are the rectangle's, from 0.5 (whose center is on the left
/// edge and counts) to 3.5 (on the right one, and does not), from 2.25 to 6.75.
void case_pass_viewport_between_texels(struct conform *c)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, target);
    weft_render_set_viewport(enc, &(weft_viewport){0.5F, 2.25F, 3, 4.5F, 0, 1});
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {0};
    conform_mark(&marks, 0, 2, 3, 5);
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}
