// Lines: values along them, and what holds for triangles only.
#include "cases.h"
#include "draw.h"

#include "interpolate.frag.spv.h"
#include "interpolate.vert.spv.h"

enum { SIZE = 16, ROW = 5, SMOOTH = 0, LINEAR, FLAT };

/// From the left edge of the target to the right one, through the centers of a row.
static const struct conform_vertex whole[2] = {
    {{-1, 1 - (2 * ROW + 1.0F) / SIZE, 0.25F, 1}, {0, 1, -3, 0.125F}},
    {{4, (1 - (2 * ROW + 1.0F) / SIZE) * 4, 3, 4}, {1, 0, 5, 0.25F}},
};

/// The same way, but near cuts it at 8.25 texels: the first end is lost.
static const struct conform_vertex cut_ends[2] = {
    {{-1, 1 - (2 * ROW + 1.0F) / SIZE, -33.0F / 64, 1}, {0, 1, -3, 0.125F}},
    {{1, 1 - (2 * ROW + 1.0F) / SIZE, 31.0F / 64, 1}, {1, 0, 5, 0.25F}},
};

struct line {
    const struct conform_vertex *ends;
    uint32_t kind, first; ///< The first texel that is drawn.
};

static struct conform_texel along(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct line *line = user;
    const uint32_t kind = line->kind;
    const struct conform_vertex *ends = line->ends;
    struct conform_texel out = {{0, 0, 0, 0}};
    (void)z;
    if (y != ROW || x < line->first)
        return out;
    double t = (x + 0.5) / SIZE;
    const double a = (1 - t) / ends[0].position[3], b = t / ends[1].position[3];
    if (kind == SMOOTH)
        t = b / (a + b);
    if (kind == FLAT)
        t = 0;
    for (uint32_t i = 0; i < 4; i++)
        out.v[i] = ends[0].color[i] * (1 - t) + ends[1].color[i] * t;
    return out;
}

static void values(struct conform *c, struct line line, double tolerance)
{
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA32_FLOAT},
                                        .topology = WEFT_TOPOLOGY_LINE_LIST};
    conform_vertex_shaders(c, &desc);
    desc.vertex.shader = CONFORM_SHADER(c, interpolate_vert);
    desc.fragment.shader = CONFORM_SHADER(c, interpolate_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, line.ends, 2), 0);
    weft_render_set_root(enc, 0, 0, &line.kind, sizeof line.kind);
    weft_render_draw(enc, 2, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, along, &line, tolerance);
}

/// Values of up to 5 in 32-bit floats.
static const double rounding = 5e-6;

/// By the formula of Vulkan's "Basic Line Segment Rasterization"; flat values are the first end's.
void case_lines_perspective(struct conform *c)
{
    values(c, (struct line){whole, SMOOTH, 0}, rounding);
}

void case_lines_noperspective(struct conform *c)
{
    values(c, (struct line){whole, LINEAR, 0}, rounding);
}

void case_lines_flat(struct conform *c)
{
    values(c, (struct line){whole, FLAT, 0}, 0);
}

/// Clipping does not show in what is left: flat values stay those of the end that was cut off.
void case_lines_cut(struct conform *c)
{
    values(c, (struct line){cut_ends, SMOOTH, 8}, rounding);
    values(c, (struct line){cut_ends, FLAT, 8}, 0);
}

static struct conform_texel unbiased(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)x;
    (void)z;
    return (struct conform_texel){{y == ROW ? 0.5 : 1, 0, 0, 1}};
}

/// Neither culling nor depth bias is for lines.
void case_lines_without_bias(struct conform *c)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true},
        .raster = {.cull = WEFT_CULL_FRONT, .depth_bias = -4096, .depth_bias_slope = -8}};
    const float y = 1 - (2 * ROW + 1.0F) / SIZE;
    const struct conform_vertex vertices[2] = {{{-1, y, 0.5F, 1}, {0}}, {{1, y, 0.5F, 1}, {0}}};
    const weft_texture depth = conform_target(c, WEFT_FORMAT_D32_FLOAT, SIZE, SIZE);
    weft_graphics_pipeline_desc desc = {.depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                        .topology = WEFT_TOPOLOGY_LINE_LIST,
                                        .states = &state,
                                        .state_count = 1};
    conform_vertex_shaders(c, &desc);
    desc.fragment = (weft_shader_use){0};
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.depth_stencil = conform_view(c, depth),
                                      .depth_load = WEFT_LOAD_CLEAR,
                                      .clear_depth = 1});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, 2), 0);
    weft_render_draw(enc, 2, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, depth, NULL, unbiased, NULL, 0);
}
