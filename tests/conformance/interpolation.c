// Interpolation against the formulas of Vulkan ("Basic Line Segment Rasterization", "Basic Polygon
// Rasterization"), in doubles.
#include "cases.h"
#include "draw.h"

#include "interpolate.frag.spv.h"
#include "interpolate.vert.spv.h"
#include "noperspective.frag.spv.h"
#include "noperspective.vert.spv.h"

enum { SIZE = 16, SMOOTH = 0, LINEAR, FLAT, PLACE, SIZES };

/// A triangle over the whole target. Its corners are whole texels on the target after the division
/// by w, so that no snapping moves them.
static const struct conform_vertex corners[3] = {
    {{-1, 1, 0.25F, 1}, {0, 1, -3, 0.125F}},
    {{6, 2, 1, 2}, {1, 0, 5, 0.25F}},
    {{-4, -12, 3, 4}, {0.5F, -1, 100, 0.5F}},
};

struct weights {
    double at[3];
};

/// Barycentric coordinates on the target of a texel's center.
static struct weights weights_at(uint32_t x, uint32_t y)
{
    double px[3], py[3];
    for (uint32_t i = 0; i < 3; i++) {
        const float *p = corners[i].position;
        px[i] = (p[0] / (double)p[3] + 1) * SIZE / 2;
        py[i] = (1 - p[1] / (double)p[3]) * SIZE / 2;
    }
    const double cx = x + 0.5, cy = y + 0.5;
    struct weights w;
    double sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t a = (i + 1) % 3, b = (i + 2) % 3;
        w.at[i] = (px[b] - px[a]) * (cy - py[a]) - (py[b] - py[a]) * (cx - px[a]);
        sum += w.at[i];
    }
    for (uint32_t i = 0; i < 3; i++)
        w.at[i] /= sum;
    return w;
}

static struct conform_texel interpolated(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t kind = *(const uint32_t *)user;
    struct weights w = weights_at(x, y);
    (void)z;
    double sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        if (kind == SMOOTH)
            w.at[i] /= corners[i].position[3];
        sum += w.at[i];
    }
    struct conform_texel out = {{0, 0, 0, 0}};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 4; k++)
            out.v[k] += w.at[i] / sum * corners[i].color[k];
    return out;
}

static struct conform_texel place(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct weights w = weights_at(x, y);
    (void)user;
    (void)z;
    struct conform_texel out = {{x + 0.5, y + 0.5, 0, 0}};
    for (uint32_t i = 0; i < 3; i++) {
        const float *p = corners[i].position;
        out.v[2] += w.at[i] * p[2] / p[3];
        out.v[3] += w.at[i] / p[3];
    }
    return out;
}

static weft_texture draw(struct conform *c, uint32_t kind)
{
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA32_FLOAT}};
    conform_vertex_shaders(c, &desc);
    desc.vertex.shader =
        kind == SIZES ? CONFORM_SHADER(c, noperspective_vert) : CONFORM_SHADER(c, interpolate_vert);
    desc.fragment.shader =
        kind == SIZES ? CONFORM_SHADER(c, noperspective_frag) : CONFORM_SHADER(c, interpolate_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){-1, -1, -1, -1});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, corners, 3), 0);
    if (kind != SIZES)
        weft_render_set_root(enc, 0, 0, &kind, sizeof kind);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// Values reach 100; 32-bit floats with a few roundings each lose less than this.
static const double rounding = 100 * 1e-6;

void case_interpolate_perspective(struct conform *c)
{
    uint32_t kind = SMOOTH;
    conform_expect_texels(c, draw(c, kind), NULL, interpolated, &kind, rounding);
}

void case_interpolate_noperspective(struct conform *c)
{
    uint32_t kind = LINEAR;
    conform_expect_texels(c, draw(c, kind), NULL, interpolated, &kind, rounding);
}

/// Perspective is only in the last channel.
static struct conform_texel of_sizes(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t smooth = SMOOTH, linear = LINEAR;
    (void)user;
    struct conform_texel out = interpolated(&linear, x, y, z);
    out.v[3] = interpolated(&smooth, x, y, z).v[3];
    return out;
}

void case_interpolate_noperspective_sizes(struct conform *c)
{
    conform_expect_texels(c, draw(c, SIZES), NULL, of_sizes, NULL, rounding);
}

/// The first vertex gives flat values.
void case_interpolate_flat(struct conform *c)
{
    const float *first = corners[0].color;
    conform_expect_color(c, draw(c, FLAT),
                         (const double[4]){first[0], first[1], first[2], first[3]}, 0);
}

void case_interpolate_fragment_place(struct conform *c)
{
    conform_expect_texels(c, draw(c, PLACE), NULL, place, NULL, 1e-6);
}
