// Culling and winding. Clip space has y up: a rectangle whose coordinates grow is
// counter-clockwise.
#include "cases.h"
#include "draw.h"

#include "facing.frag.spv.h"

static const float left[4] = {-1, -1, 0, 1}, right_reversed[4] = {0, 1, 1, -1};

/// Row by row: cull none, front, back; first with counter-clockwise as the front, then clockwise.
void case_cull_modes(struct conform *c)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 2, 6);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL));
    struct conform_marks marks = {0};
    for (int32_t row = 0; row < 6; row++) {
        const weft_raster_state raster = {.cull = (weft_cull)(row % 3),
                                          .front = (weft_front_face)(row / 3)};
        weft_render_set_raster(enc, &raster);
        weft_render_set_scissor(enc, &(weft_rect){0, row, 2, 1});
        conform_draw_clip_rect(enc, left, 0, conform_white);
        conform_draw_clip_rect(enc, right_reversed, 0, conform_white);
        for (uint32_t x = 0; x < 2; x++) {
            const bool front = (x == 0) == (raster.front == WEFT_FRONT_COUNTER_CLOCKWISE);
            marks.at[row][x] =
                raster.cull == WEFT_CULL_NONE || (raster.cull == WEFT_CULL_FRONT) != front;
        }
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}

static struct conform_texel white_or_red(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)z;
    const bool front = (x == 0) == (y == 0);
    return (struct conform_texel){{1, front, front, 1}};
}

/// Two counter-clockwise triangles cover the left texel of a row, clockwise ones the right.
void case_cull_front_facing(struct conform *c)
{
    static const struct conform_vertex vertices[12] = {
        {{-1, -1, 0, 1}, {1, 1, 1, 1}}, {{0, -1, 0, 1}, {1, 1, 1, 1}},
        {{-1, 1, 0, 1}, {1, 1, 1, 1}},  {{-1, 1, 0, 1}, {1, 1, 1, 1}},
        {{0, -1, 0, 1}, {1, 1, 1, 1}},  {{0, 1, 0, 1}, {1, 1, 1, 1}},
        {{0, 1, 0, 1}, {1, 1, 1, 1}},   {{1, 1, 0, 1}, {1, 1, 1, 1}},
        {{0, -1, 0, 1}, {1, 1, 1, 1}},  {{0, -1, 0, 1}, {1, 1, 1, 1}},
        {{1, 1, 0, 1}, {1, 1, 1, 1}},   {{1, -1, 0, 1}, {1, 1, 1, 1}}};
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 2, 2);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_vertex_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, facing_frag);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, 12), 0);
    for (int32_t row = 0; row < 2; row++) {
        weft_render_set_raster(enc, &(weft_raster_state){.front = (weft_front_face)row});
        weft_render_set_scissor(enc, &(weft_rect){0, row, 2, 1});
        weft_render_draw(enc, 12, 1, 0, 0);
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, white_or_red, NULL, 0);
}

/// Triangles without an area, and such as have a vertex at infinity behind the eye, draw nothing.
void case_cull_degenerate(struct conform *c)
{
    static const struct conform_vertex vertices[9] = {
        {{-1, -1, 0, 1}, {1, 1, 1, 1}},      {{1, 1, 0, 1}, {1, 1, 1, 1}},
        {{0, 0, 0, 1}, {1, 1, 1, 1}},        {{-0.5F, 0.5F, 0, 1}, {1, 1, 1, 1}},
        {{-0.5F, 0.5F, 0, 1}, {1, 1, 1, 1}}, {{1, 0, 0, 1}, {1, 1, 1, 1}},
        {{-1, -1, 0, -1}, {1, 1, 1, 1}},     {{1, -1, 0, -1}, {1, 1, 1, 1}},
        {{0, 1, 0, -1}, {1, 1, 1, 1}}};
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 16, 16);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_vertex_shaders(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, 9), 0);
    weft_render_draw(enc, 9, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_color(c, target, (const double[4]){0, 0, 0, 1}, 0);
}
