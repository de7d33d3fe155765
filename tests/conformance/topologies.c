// Topologies and primitive restart. Lines and points are one texel wide.
#include "cases.h"
#include "draw.h"

#include <string.h>

enum { WIDTH = 16, HEIGHT = 8, MOST = 40 };

/// Vertices in texels, y down.
struct shape {
    weft_topology topology;
    weft_index_type restart;
    uint32_t count;
    float at[MOST][2];
    uint32_t index_count; ///< 0: not indexed.
    uint32_t indices[MOST];
    weft_raster_state raster;
};

static void draw_indices(struct conform *c, weft_render_encoder *enc, const struct shape *s,
                         weft_index_type type)
{
    uint16_t narrow[MOST];
    for (uint32_t i = 0; i < s->index_count; i++)
        narrow[i] = (uint16_t)s->indices[i];
    const bool wide = type == WEFT_INDEX_UINT32;
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, wide ? sizeof s->indices : sizeof narrow,
                       wide ? (const void *)s->indices : narrow);
    weft_render_set_index_buffer(enc, buffer, 0, type);
    weft_render_draw_indexed(enc, s->index_count, 1, 0, 0, 0);
}

static weft_texture draw(struct conform *c, const struct shape *s, weft_index_type type)
{
    struct conform_vertex vertices[MOST] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        vertices[i] = (struct conform_vertex){
            {s->at[i][0] / WIDTH * 2 - 1, 1 - s->at[i][1] / HEIGHT * 2, 0, 1}, {1, 1, 1, 1}};
    }
    const weft_pipeline_state state = {.raster = s->raster};
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .topology = s->topology,
                                        .restart = s->restart,
                                        .states = &state,
                                        .state_count = 1};
    conform_vertex_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, HEIGHT);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, MOST), 0);
    if (s->index_count)
        draw_indices(c, enc, s, type);
    else
        weft_render_draw(enc, s->count, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

static void expect(struct conform *c, const struct shape *s, weft_index_type type,
                   struct conform_marks *marks)
{
    conform_expect_texels(c, draw(c, s, type), NULL, conform_marked, marks, 0);
}

/// Two triangles, and two vertices too many, which draw nothing. No center is on a slanted edge.
void case_topology_triangle_list(struct conform *c)
{
    const struct shape s = {.count = 8,
                            .at = {{0, 0},
                                   {4, 0},
                                   {0, 4.25F}, //
                                   {8, 0},
                                   {8, 8},
                                   {17, 8},
                                   {0, 8},
                                   {8, 0}}};
    struct conform_marks marks = {0};
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const double px = x + 0.5, py = y + 0.5;
            const bool first = px / 4 + py / 4.25 < 1;
            const bool second = px > 8 && (px - 8) / 9 < py / 8;
            marks.at[y][x] = first || second;
        }
    expect(c, &s, WEFT_INDEX_NONE, &marks);
}

/// A ribbon of five triangles; every second is turned round, so that culling keeps all or none.
void case_topology_triangle_strip(struct conform *c)
{
    struct shape s = {.topology = WEFT_TOPOLOGY_TRIANGLE_STRIP,
                      .count = 8,
                      .at = {{1, 1}, {1, 6}, {4, 1}, {4, 6}, {9, 1}, {9, 6}, {12, 1}, {12, 6}},
                      .raster.cull = WEFT_CULL_BACK};
    struct conform_marks marks = {0};
    s.raster.cull = WEFT_CULL_FRONT;
    expect(c, &s, WEFT_INDEX_NONE, &marks);
    conform_mark(&marks, 1, 1, 11, 5);
    s.raster.cull = WEFT_CULL_BACK;
    expect(c, &s, WEFT_INDEX_NONE, &marks);
}

/// Two ribbons; the odd number of vertices before the cut must not turn the second one round.
static void restarts(struct conform *c, weft_index_type type)
{
    const uint32_t cut = type == WEFT_INDEX_UINT16 ? 0xffff : UINT32_MAX;
    const struct shape s = {.topology = WEFT_TOPOLOGY_TRIANGLE_STRIP,
                            .restart = type,
                            .count = 9,
                            .at = {{1, 1},
                                   {1, 6},
                                   {4, 1},
                                   {4, 6},
                                   {4, 6}, //
                                   {9, 1},
                                   {9, 6},
                                   {12, 1},
                                   {12, 6}},
                            .index_count = 12,
                            .indices = {0, 1, 2, 3, 4, cut, 5, 6, 7, 8, cut, cut},
                            .raster.cull = WEFT_CULL_BACK};
    struct conform_marks marks = {0};
    conform_mark(&marks, 1, 1, 3, 5);
    conform_mark(&marks, 9, 1, 3, 5);
    expect(c, &s, type, &marks);
}

void case_topology_restart_16(struct conform *c)
{
    restarts(c, WEFT_INDEX_UINT16);
}

void case_topology_restart_32(struct conform *c)
{
    restarts(c, WEFT_INDEX_UINT32);
}

/// Lines begin and end a quarter off a center: by the diamond rule and as rectangles alike the
/// first texel is drawn and the last one is not.
void case_topology_line_list(struct conform *c)
{
    const struct shape s = {.topology = WEFT_TOPOLOGY_LINE_LIST,
                            .count = 9,
                            .at = {{1.25F, 1.5F},
                                   {7.25F, 1.5F}, // to the right: 1 to 6
                                   {7.75F, 3.5F},
                                   {1.75F, 3.5F}, // to the left: 7 to 2
                                   {10.5F, 1.25F},
                                   {10.5F, 6.25F}, // down: 1 to 5
                                   {13.5F, 6.75F},
                                   {13.5F, 1.75F}, // up: 6 to 2
                                   {0.5F, 7.5F}}};
    struct conform_marks marks = {0};
    conform_mark(&marks, 1, 1, 6, 1);
    conform_mark(&marks, 2, 3, 6, 1);
    conform_mark(&marks, 10, 1, 1, 5);
    conform_mark(&marks, 13, 2, 1, 5);
    expect(c, &s, WEFT_INDEX_NONE, &marks);
}

/// A corner is drawn once by one of its two lines. A cut ends the strip.
void case_topology_line_strip(struct conform *c)
{
    const struct shape s = {.topology = WEFT_TOPOLOGY_LINE_STRIP,
                            .restart = WEFT_INDEX_UINT16,
                            .count = 5,
                            .at = {{1.25F, 1.5F},
                                   {6.5F, 1.5F},
                                   {6.5F, 5.25F}, //
                                   {9.25F, 3.5F},
                                   {13.25F, 3.5F}},
                            .index_count = 6,
                            .indices = {0, 1, 2, 0xffff, 3, 4}};
    struct conform_marks marks = {0};
    conform_mark(&marks, 1, 1, 6, 1);
    conform_mark(&marks, 6, 1, 1, 4);
    conform_mark(&marks, 9, 3, 4, 1);
    expect(c, &s, WEFT_INDEX_UINT16, &marks);
}

/// A point covers the texel that it is in: a square of side 1 holds no other center.
void case_topology_points(struct conform *c)
{
    const struct shape s = {
        .topology = WEFT_TOPOLOGY_POINT_LIST,
        .count = 5,
        .at = {
            {0.5F, 0.5F}, {5.25F, 3.75F}, {7.75F, 2.25F}, {15.5F, 7.5F}, {20.5F, 3.5F}}}; // outside
    struct conform_marks marks = {0};
    marks.at[0][0] = marks.at[3][5] = marks.at[2][7] = marks.at[7][15] = true;
    expect(c, &s, WEFT_INDEX_NONE, &marks);
}
