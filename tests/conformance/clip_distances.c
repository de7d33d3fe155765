// Clip distances: as many as there may be, read back by the fragment shader, and of lines and
// points.
#include "cases.h"
#include "draw.h"

#include "clip_eight.frag.spv.h"
#include "clip_eight.vert.spv.h"
#include "clip_line.vert.spv.h"
#include "layer.frag.spv.h"

enum { SIZE = 32 };

/// The eight distances of clip_eight.vert at a texel's center; no center is on a plane.
static void distances_at(uint32_t column, uint32_t row, double out[8])
{
    const double x = (column + 0.5) * 2 / SIZE - 1, y = 1 - (row + 0.5) * 2 / SIZE;
    out[0] = 0.8 - x;
    out[1] = 0.7 + x;
    out[2] = 0.6 - y;
    out[3] = 0.9 + y;
    out[4] = 1.1 - x - y;
    out[5] = 1.2 + x + y;
    out[6] = 1.02 - x + y;
    out[7] = 0.95 + x - y;
}

static struct conform_texel octagon(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    double d[8];
    (void)user;
    (void)z;
    distances_at(x, y, d);
    for (uint32_t i = 0; i < 8; i++)
        if (d[i] < 0)
            return (struct conform_texel){{0, 0, 0, 0}};
    return (struct conform_texel){{d[0], d[3], d[6], d[7]}};
}

void case_clip_eight_distances(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA32_FLOAT}};
    conform_rect_shaders(c, &desc);
    desc.vertex.shader = CONFORM_SHADER(c, clip_eight_vert);
    desc.fragment.shader = CONFORM_SHADER(c, clip_eight_frag);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    // Corners that clipping makes stand on a grid of sixteenths of a texel at least: half a step
    // along both axes.
    conform_expect_texels(c, target, NULL, octagon, NULL, 2.0 / SIZE / 32 * 2);
}

static weft_texture draw_cut(struct conform *c, weft_topology topology,
                             const struct conform_vertex *vertices, uint32_t count)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}, .topology = topology};
    conform_vertex_shaders(c, &desc);
    desc.vertex.shader = CONFORM_SHADER(c, clip_line_vert);
    desc.fragment.shader = CONFORM_SHADER(c, layer_frag);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, count), 0);
    weft_render_draw(enc, count, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

static struct conform_vertex at(float x, uint32_t row, const float color[4])
{
    return (struct conform_vertex){{x, 1 - (2 * (float)row + 1) / 4, 0, 1},
                                   {color[0], color[1], color[2], color[3]}};
}

/// The left half is cut off, whichever end is there; the color is the first vertex's.
void case_clip_distances_of_lines(struct conform *c)
{
    const struct conform_vertex vertices[] = {at(-1, 0, conform_white),  at(1, 0, conform_red),
                                              at(1, 2, conform_white),   at(-1, 2, conform_red),
                                              at(-0.9F, 3, conform_red), at(-0.1F, 3, conform_red)};
    struct conform_marks marks = {0};
    conform_mark(&marks, SIZE / 2, 0, SIZE / 2, 1);
    conform_mark(&marks, SIZE / 2, 2, SIZE / 2, 1);
    conform_expect_texels(c, draw_cut(c, WEFT_TOPOLOGY_LINE_LIST, vertices, 6), NULL,
                          conform_marked, &marks, 0);
}

void case_clip_distances_of_points(struct conform *c)
{
    const float right = 9.0F / SIZE, left = -right;
    const struct conform_vertex vertices[] = {at(right, 1, conform_white), at(left, 1, conform_red),
                                              at(left, 3, conform_red),
                                              at(right, 3, conform_white)};
    struct conform_marks marks = {0};
    marks.at[1][SIZE / 2 + 4] = marks.at[3][SIZE / 2 + 4] = true;
    conform_expect_texels(c, draw_cut(c, WEFT_TOPOLOGY_POINT_LIST, vertices, 4), NULL,
                          conform_marked, &marks, 0);
}
