// Work that is larger than any part that a device may cut it into.
#include "cases.h"
#include "draw.h"

#include "white.frag.spv.h"

enum { SIDE = 32, QUADS = SIDE * SIDE, INDICES = QUADS * 5 };

/// A grid of rectangles, one texel each, as a single strip: four vertices for each one, then a cut.
/// Every third is left out.
struct strip {
    uint32_t count;
    uint32_t indices[INDICES];
    struct conform_vertex vertices[QUADS * 4];
};

static struct conform_texel thirds_left_out(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const double v = ((y * SIDE + x) % 3 != 1);
    (void)user;
    (void)z;
    return (struct conform_texel){{v, v, v, 1}};
}

static void fill(struct strip *s)
{
    for (uint32_t i = 0; i < QUADS; i++) {
        const uint32_t column = i % SIDE, row = i / SIDE;
        const float x0 = (float)column * 2 / SIDE - 1, x1 = x0 + 2.0F / SIDE,
                    y0 = 1 - (float)row * 2 / SIDE, y1 = y0 - 2.0F / SIDE;
        const float corners[4][2] = {{x0, y0}, {x0, y1}, {x1, y0}, {x1, y1}};
        for (uint32_t k = 0; k < 4; k++)
            s->vertices[i * 4 + k] =
                (struct conform_vertex){{corners[k][0], corners[k][1], 0, 1}, {1, 1, 1, 1}};
        if (i % 3 == 1)
            continue;
        for (uint32_t k = 0; k < 4; k++)
            s->indices[s->count++] = i * 4 + k;
        s->indices[s->count++] = UINT32_MAX;
    }
}

/// A strip of thousands of vertices with hundreds of cuts. Back faces are culled, so that each part
/// has to begin with the right winding.
void case_large_strip(struct conform *c)
{
    static struct strip s; // 170 KB
    s.count = 0;
    fill(&s);
    const weft_pipeline_state state = {.raster.cull = WEFT_CULL_BACK};
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .topology = WEFT_TOPOLOGY_TRIANGLE_STRIP,
                                        .restart = WEFT_INDEX_UINT32,
                                        .states = &state,
                                        .state_count = 1};
    conform_vertex_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, s.vertices, QUADS * 4), 0);
    weft_render_set_index_buffer(
        enc, conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, sizeof s.indices, s.indices), 0,
        WEFT_INDEX_UINT32);
    weft_render_draw_indexed(enc, s.count, 1, 0, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, thirds_left_out, NULL, 0);
}

/// Twenty thousand instances of one rectangle in one draw add up, and are counted, exactly.
void case_large_instances(struct conform *c)
{
    enum { INSTANCES = 20000, WIDTH = 16 };
    const weft_pipeline_state adding = {
        .blend.targets[0] = {.enable = true,
                             .color = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                             .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}}};
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_BLEND);
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE, &adding);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, WIDTH, WIDTH);
    const struct conform_rect_root root = {.rect = {-1, -1, 1, 1}, .color = {1, 0.5F, 0, -1}};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_root(enc, 0, 0, &root, sizeof root);
    weft_render_draw(enc, 6, INSTANCES, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_color(c, target, (const double[4]){INSTANCES, INSTANCES / 2.0, 0, -INSTANCES},
                         0);
}

static struct conform_texel diagonal(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t side = *(const uint32_t *)user;
    const double v = x + y + 1 >= side;
    (void)z;
    return (struct conform_texel){{v, v, v, 1}};
}

/// A large target of odd size, and the triangle on the lower right of its diagonal. Centers on the
/// diagonal lie exactly on an edge, a left one, and so are drawn.
void case_large_target(struct conform *c)
{
    uint32_t side = 1021;
    static const struct conform_vertex vertices[3] = {{{1, 1, 0, 1}, {1, 1, 1, 1}},
                                                      {{1, -1, 0, 1}, {1, 1, 1, 1}},
                                                      {{-1, -1, 0, 1}, {1, 1, 1, 1}}};
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_vertex_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, white_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, side, side);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, 3), 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, diagonal, &side, 0);
}
