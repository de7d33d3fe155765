// Varyings of triangles that are cut at the near plane and behind the eye, and of strips: clipping
// must not show in what is left.
#include "cases.h"
#include "draw.h"

#include "interpolate.frag.spv.h"
#include "interpolate.vert.spv.h"

enum { SIZE = 16, SMOOTH = 0, LINEAR, FLAT };

/// Corner 0 lies before the near plane, with w above 0.
static const struct conform_vertex before_near[3] = {
    {{0, 3, -1, 1}, {5, -2, 0.5F, 1}},
    {{6, -6, 1, 2}, {1, 0, 4, 0}},
    {{-12, -8, 3, 4}, {-1, 8, -4, 2}},
};
/// Corner 0 lies behind the eye.
static const struct conform_vertex behind_eye[3] = {
    {{0.5F, 2, -2, -1}, {5, -2, 0.5F, 1}},
    {{6, -6, 1, 2}, {1, 0, 4, 0}},
    {{-12, -8, 3, 4}, {-1, 8, -4, 2}},
};

struct triangle {
    const struct conform_vertex *corners;
    uint32_t kind;
};

/// λ with Σ λi (xi, yi, wi) = (x, y, 1), by Cramer's rule: homogeneous coordinates of the triangle,
/// true for corners on either side of the eye.
static void solve(const struct conform_vertex v[3], double x, double y, double out[3])
{
    double sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const float *a = v[(i + 1) % 3].position, *b = v[(i + 2) % 3].position;
        out[i] = x * ((double)a[1] * b[3] - (double)a[3] * b[1]) +
                 y * ((double)a[3] * b[0] - (double)a[0] * b[3]) +
                 ((double)a[0] * b[1] - (double)a[1] * b[0]);
        sum += out[i] * v[i].position[3];
    }
    for (uint32_t i = 0; i < 3; i++)
        out[i] /= sum;
}

static struct conform_texel expected(void *user, uint32_t px, uint32_t py, uint32_t pz)
{
    const struct triangle *t = user;
    double k[3], depth = 0, sum = 0;
    (void)pz;
    solve(t->corners, (px + 0.5) / (SIZE / 2.0) - 1, 1 - (py + 0.5) / (SIZE / 2.0), k);
    bool inside = true;
    for (uint32_t i = 0; i < 3; i++) {
        inside &= k[i] > 0;
        depth += k[i] * t->corners[i].position[2];
    }
    struct conform_texel out = {{0, 0, 0, 0}};
    if (!inside || depth < 0)
        return out;
    for (uint32_t i = 0; i < 3; i++) {
        if (t->kind == LINEAR) // weights on the screen
            k[i] *= t->corners[i].position[3];
        if (t->kind == FLAT)
            k[i] = i == 0;
        sum += k[i];
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t c = 0; c < 4; c++)
            out.v[c] += k[i] / sum * t->corners[i].color[c];
    return out;
}

static weft_texture draw(struct conform *c, weft_topology topology,
                         const struct conform_vertex *vertices, uint32_t count, uint32_t kind)
{
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA32_FLOAT}, .topology = topology};
    conform_vertex_shaders(c, &desc);
    desc.vertex.shader = CONFORM_SHADER(c, interpolate_vert);
    desc.fragment.shader = CONFORM_SHADER(c, interpolate_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, count), 0);
    weft_render_set_root(enc, 0, 0, &kind, sizeof kind);
    weft_render_draw(enc, count, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// Values reach 8, and corners that clipping makes are snapped to 1/256 texel, over which they
/// change by less than a hundredth.
static const double snapped = 0.02;

static void check(struct conform *c, const struct conform_vertex *corners, uint32_t kind,
                  double tolerance)
{
    struct triangle t = {.corners = corners, .kind = kind};
    conform_expect_texels(c, draw(c, WEFT_TOPOLOGY_TRIANGLE_LIST, corners, 3, kind), NULL, expected,
                          &t, tolerance);
}

void case_clip_varyings_perspective(struct conform *c)
{
    check(c, before_near, SMOOTH, snapped);
    check(c, behind_eye, SMOOTH, snapped);
}

void case_clip_varyings_noperspective(struct conform *c)
{
    check(c, before_near, LINEAR, snapped);
}

/// The first vertex gives flat values, also when it was cut off.
void case_clip_varyings_flat(struct conform *c)
{
    check(c, before_near, FLAT, 0);
    check(c, behind_eye, FLAT, 0);
}

static struct conform_texel by_column(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)z;
    // Two triangles in four columns, parted by the diagonal from the bottom left to the top right:
    // the first of a pair has its corner at the top left.
    const double dx = (x % 4 + 0.5) / 4, dy = (y + 0.5) / SIZE;
    const uint32_t first = 2 * (x / 4) + (dx + dy > 1 ? 1 : 0);
    return (struct conform_texel){{first, first * 10.0, -(double)first, 0.5}};
}

/// In strips triangle i has vertex i as its first, whichever way it is turned. Corners go down, up
/// right, down right and so on; no center lies on a diagonal.
void case_clip_varyings_flat_strip(struct conform *c)
{
    struct conform_vertex vertices[10];
    for (uint32_t i = 0; i < 10; i++) {
        const uint32_t column = i / 2;
        const float n = (float)i, x = (float)column / 2 - 1;
        vertices[i] = (struct conform_vertex){{x, i & 1 ? -1 : 1, 0, 1}, {n, n * 10, -n, 0.5F}};
    }
    conform_expect_texels(c, draw(c, WEFT_TOPOLOGY_TRIANGLE_STRIP, vertices, 10, FLAT), NULL,
                          by_column, NULL, 0);
}
