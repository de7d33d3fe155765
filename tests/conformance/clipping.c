// What is cut off: near and far against clamping, distances of the vertex shader, and triangles
// that reach behind the eye.
#include "cases.h"
#include "draw.h"

#include "clip.vert.spv.h"
#include "cull_distance.vert.spv.h"
#include "white.frag.spv.h"

enum { SIZE = 16 };

/// A full rectangle whose depth rises from -0.5 at the left edge to 1.5 at the right.
static weft_buffer through_both(struct conform *c)
{
    static const struct conform_vertex vertices[6] = {
        {{-1, -1, -0.5F, 1}, {1, 1, 1, 1}}, {{1, -1, 1.5F, 1}, {1, 1, 1, 1}},
        {{-1, 1, -0.5F, 1}, {1, 1, 1, 1}},  {{-1, 1, -0.5F, 1}, {1, 1, 1, 1}},
        {{1, -1, 1.5F, 1}, {1, 1, 1, 1}},   {{1, 1, 1.5F, 1}, {1, 1, 1, 1}}};
    return conform_vertices(c, vertices, 6);
}

static void draw_through(struct conform *c, weft_pipeline_flags flags, weft_texture color,
                         weft_texture depth)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}};
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                        .flags = flags,
                                        .states = &state,
                                        .state_count = 1};
    conform_vertex_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, color),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0, 0, 0, 1}}},
                                      .depth_stencil = conform_view(c, depth),
                                      .depth_load = WEFT_LOAD_CLEAR,
                                      .clear_depth = 0.5F});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, through_both(c), 0);
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
}

/// The formula: depth at a texel's center.
static double depth_at(uint32_t x)
{
    return -0.5 + 2 * (x + 0.5) / SIZE;
}

static struct conform_texel clamped(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    const double depth = depth_at(x);
    return (struct conform_texel){{depth < 0 ? 0 : depth > 1 ? 1 : depth, 0, 0, 1}};
}

static struct conform_texel clipped(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    const double depth = depth_at(x);
    return (struct conform_texel){{depth < 0 || depth > 1 ? 0.5 : depth, 0, 0, 1}};
}

/// Depth at the centers is off by what a few roundings of 24-bit floats may lose.
static const double rounding = 1e-6;

void case_clip_near_and_far(struct conform *c)
{
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const weft_texture depth = conform_target(c, WEFT_FORMAT_D32_FLOAT, SIZE, SIZE);
    draw_through(c, 0, color, depth);
    struct conform_marks marks = {0};
    conform_mark(&marks, SIZE / 4, 0, SIZE / 2, SIZE);
    conform_expect_texels(c, color, NULL, conform_marked, &marks, 0);
    conform_expect_texels(c, depth, NULL, clipped, NULL, rounding);
}

void case_clip_clamp(struct conform *c)
{
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const weft_texture depth = conform_target(c, WEFT_FORMAT_D32_FLOAT, SIZE, SIZE);
    draw_through(c, WEFT_PIPELINE_DEPTH_CLAMP, color, depth);
    conform_expect_color(c, color, (const double[4]){1, 1, 1, 1}, 0);
    conform_expect_texels(c, depth, NULL, clamped, NULL, rounding);
}

/// Distance 0 keeps the right half, distance 1 all above the lowest quarter: both cut.
void case_clip_distances(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.vertex.shader = CONFORM_SHADER(c, clip_vert);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {0};
    conform_mark(&marks, SIZE / 2, 0, SIZE / 2, SIZE * 3 / 4);
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}

/// A primitive goes if all of its corners are below 0 in one distance, and stays whole otherwise.
void case_clip_cull_distances(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    desc.vertex.shader = CONFORM_SHADER(c, cull_distance_vert);
    desc.fragment.shader = CONFORM_SHADER(c, white_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 16, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_draw(enc, 6, 4, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {0};
    conform_mark(&marks, 0, 0, 16, 4);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 8; x < 12; x++)
            marks.at[y][x] = false;
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}

/// A floor that runs from below the eye to the horizon: one vertex lies behind it. In clip space
/// (x, -1, z, w) with w from -4 to 4, what is in front projects to y = -1 / w.
void case_clip_behind_the_eye(struct conform *c)
{
    static const struct conform_vertex vertices[3] = {{{-64, -1, 0.5F, 4}, {1, 1, 1, 1}},
                                                      {{0, -1, 0.5F, -4}, {1, 1, 1, 1}},
                                                      {{64, -1, 0.5F, 4}, {1, 1, 1, 1}}};
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}, .flags = 0};
    conform_vertex_shaders(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, 3), 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    // w = 4 is at y = -0.25, which is 10 texels down; there x spans ±16, and more below.
    struct conform_marks marks = {0};
    conform_mark(&marks, 0, 10, SIZE, SIZE - 10);
    conform_expect_texels(c, target, NULL, conform_marked, &marks, 0);
}
