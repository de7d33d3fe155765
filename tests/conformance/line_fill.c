// Triangles whose edges alone are drawn. Corners stand at the centers of texels and edges go along
// rows, columns and diagonals, so that there is no doubt which texels an edge meets; whether it
// meets the one that it ends in is left to the device.
#include "cases.h"
#include "draw.h"

#include "facing.frag.spv.h"
#include "interpolate.frag.spv.h"
#include "interpolate.vert.spv.h"

#include <math.h>

enum { SIZE = 16, LOW = 2, HIGH = 12, SMOOTH = 0, FLAT = 2 };

/// What a texel is to be: cleared, on an edge, or either.
enum place { OUTSIDE, EDGE, EITHER };

/// Corners (LOW, LOW), (HIGH, LOW), (LOW, HIGH): the diagonal is where x + y is LOW + HIGH.
static enum place place_of(int x, int y)
{
    const bool column = x == LOW && y >= LOW && y <= HIGH, row = y == LOW && x >= LOW && x <= HIGH;
    const bool diagonal = x + y == LOW + HIGH && x >= LOW && x <= HIGH;
    if ((x == LOW || x == HIGH) && (y == LOW || y == HIGH) && x + y != 2 * HIGH)
        return EITHER;
    return column || row || diagonal ? EDGE : OUTSIDE;
}

/// A corner at the center of a texel, in clip space.
static struct conform_vertex corner(int x, int y, float z, float w, const float color[4])
{
    return (struct conform_vertex){
        {((2 * (float)x + 1) / SIZE - 1) * w, (1 - (2 * (float)y + 1) / SIZE) * w, z * w, w},
        {color[0], color[1], color[2], color[3]}};
}

struct scene {
    struct conform_vertex vertices[3];
    weft_raster_state raster;
    uint32_t kind; ///< Of interpolate.frag.
    bool facing;   ///< With facing.frag instead.
    weft_format depth;
};

static void triangle(struct conform_vertex out[3], bool turned)
{
    out[0] = corner(LOW, LOW, 0.25F, 1, (const float[4]){1, 0.5F, 0, 1});
    out[turned ? 2 : 1] = corner(LOW, HIGH, 0.25F, 1, (const float[4]){0, 0.5F, 1, 1});
    out[turned ? 1 : 2] = corner(HIGH, LOW, 0.25F, 1, (const float[4]){0.25F, 1, 0.5F, 1});
}

/// Draws into a cleared target of floats; the clear is -1 everywhere.
static weft_texture draw(struct conform *c, const struct scene *s, weft_texture *depth)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = s->depth ? WEFT_COMPARE_ALWAYS : WEFT_COMPARE_DEFAULT,
                          .depth_write = s->depth != WEFT_FORMAT_NONE},
        .raster = s->raster};
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA32_FLOAT},
                                        .depth_stencil = s->depth,
                                        .states = &state,
                                        .state_count = 1};
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    conform_vertex_shaders(c, &desc);
    if (s->facing) {
        desc.fragment.shader = CONFORM_SHADER(c, facing_frag);
    } else {
        desc.vertex.shader = CONFORM_SHADER(c, interpolate_vert);
        desc.fragment.shader = CONFORM_SHADER(c, interpolate_frag);
    }
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, SIZE, SIZE);
    weft_render_pass_desc pass = {.colors[0] = {.view = conform_view(c, target),
                                                .load = WEFT_LOAD_CLEAR,
                                                .clear = {.f = {-1, -1, -1, -1}}},
                                  .clear_depth = 1};
    if (s->depth && depth) {
        *depth = conform_target(c, s->depth, SIZE, SIZE);
        pass.depth_stencil = conform_view(c, *depth);
        pass.depth_load = WEFT_LOAD_CLEAR;
    }
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, s->vertices, 3), 0);
    if (!s->facing)
        weft_render_set_root(enc, 0, 0, &s->kind, sizeof s->kind);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// What is on edges, in numbers.
typedef void value_at(void *user, int x, int y, float out[4]);

static void expect(struct conform *c, weft_texture target, enum place (*place)(int x, int y),
                   value_at *value, void *user)
{
    static float texels[SIZE][SIZE][4];
    if (!conform_read_texels(c, target, texels, sizeof texels))
        return;
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            float want[4] = {-1, -1, -1, -1};
            const float *got = texels[y][x];
            if (place(x, y) == EDGE)
                value(user, x, y, want);
            for (int i = 0; i < 4 && place(x, y) != EITHER; i++)
                if (!(fabsf(got[i] - want[i]) <= 2e-6F))
                    conform_fail(c, "component %d of texel (%d, %d) is %g, not %g", i, x, y,
                                 (double)got[i], (double)want[i]);
        }
    }
}

static void constant(void *user, int x, int y, float out[4])
{
    const float *color = user;
    (void)x;
    (void)y;
    for (int i = 0; i < 4; i++)
        out[i] = color[i];
}

static enum place nowhere(int x, int y)
{
    (void)x;
    (void)y;
    return OUTSIDE;
}

/// Flat inputs are those of the first vertex, on the edge between the other two as well.
void case_line_fill_flat(struct conform *c)
{
    struct scene s = {.raster = {.fill = WEFT_FILL_LINE}, .kind = FLAT};
    triangle(s.vertices, false);
    expect(c, draw(c, &s, NULL), place_of, constant, s.vertices[0].color);
    triangle(s.vertices, true);
    expect(c, draw(c, &s, NULL), place_of, constant, s.vertices[0].color);
}

/// Values change along each edge from corner to corner.
static void along(void *user, int x, int y, float out[4])
{
    const struct conform_vertex *v = user;
    const float across = (float)(x - LOW) / (HIGH - LOW), down = (float)(y - LOW) / (HIGH - LOW);
    for (int i = 0; i < 4; i++)
        out[i] =
            v[0].color[i] * (1 - across - down) + v[1].color[i] * down + v[2].color[i] * across;
}

void case_line_fill_smooth(struct conform *c)
{
    struct scene s = {.raster = {.fill = WEFT_FILL_LINE}, .kind = SMOOTH};
    triangle(s.vertices, false);
    expect(c, draw(c, &s, NULL), place_of, along, s.vertices);
}

/// The triangle is culled, not its edges; and they face as it does.
void case_line_fill_culling(struct conform *c)
{
    float front[4] = {0, 1, 0, 1}, back[4] = {1, 0, 0, 1};
    for (uint32_t i = 0; i < 12; i++) {
        const bool turned = (i & 1) != 0, clockwise = (i & 2) != 0;
        const weft_cull cull = (weft_cull)(i / 4);
        struct scene s = {
            .raster = {.fill = WEFT_FILL_LINE,
                       .cull = cull,
                       .front = clockwise ? WEFT_FRONT_CLOCKWISE : WEFT_FRONT_COUNTER_CLOCKWISE},
            .facing = true};
        triangle(s.vertices, turned); // down, then to the right: counter-clockwise
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 4; n++)
                s.vertices[k].color[n] = front[n];
        const bool is_front = turned == clockwise;
        const bool drawn = cull != (is_front ? WEFT_CULL_FRONT : WEFT_CULL_BACK);
        expect(c, draw(c, &s, NULL), drawn ? place_of : nowhere, constant, is_front ? front : back);
    }
}

// ---- clipping ----------------------------------------------------------------------------------

enum { CUT = 7 };

/// The near plane cuts between columns: what is right of it is gone. An edge along the cut is the
/// device's choice.
static enum place cut_place(int x, int y)
{
    if (x == CUT || x == CUT + 1)
        return EITHER;
    return x > CUT ? OUTSIDE : place_of(x, y);
}

void case_line_fill_clipped(struct conform *c)
{
    struct scene s = {.raster = {.fill = WEFT_FILL_LINE}, .kind = SMOOTH};
    triangle(s.vertices, false);
    // Depth is 0 in the middle between the columns.
    for (int i = 0; i < 3; i++)
        s.vertices[i].position[2] = (CUT + 0.5F - (float)(i == 2 ? HIGH : LOW)) / 16;
    expect(c, draw(c, &s, NULL), cut_place, along, s.vertices);
    // The first vertex is the one that is cut off.
    const struct conform_vertex last = s.vertices[2];
    s.vertices[2] = s.vertices[1];
    s.vertices[1] = s.vertices[0];
    s.vertices[0] = last;
    s.kind = FLAT;
    expect(c, draw(c, &s, NULL), cut_place, constant, s.vertices[0].color);
}

/// From far outside on the left and above; through (4, 12) and (12, 4) and back.
static enum place large_place(int x, int y)
{
    return x + y == SIZE ? EDGE : OUTSIDE;
}

void case_line_fill_larger(struct conform *c)
{
    const float color[4] = {0.5F, 0.25F, 1, 1};
    struct scene s = {.raster = {.fill = WEFT_FILL_LINE},
                      .kind = FLAT,
                      .vertices = {corner(-40, -40, 0.5F, 1, color),
                                   corner(-40, SIZE + 40, 0.5F, 1, color),
                                   corner(SIZE + 40, -40, 0.5F, 1, color)}};
    expect(c, draw(c, &s, NULL), large_place, constant, s.vertices[0].color);
    // The same where a corner is behind the eye: the way to it goes on along the diagonal.
    for (int i = 0; i < 4; i++) // beyond infinity: from (4, 12) away from the corner before
        s.vertices[2].position[i] =
            2 * corner(4, 12, 0.5F, 1, color).position[i] - 3 * s.vertices[1].position[i];
    expect(c, draw(c, &s, NULL), large_place, constant, s.vertices[0].color);
}

// ---- depth bias --------------------------------------------------------------------------------

/// Depth rises by 1/64 for each texel to the right. On all edges the bias is twice that, by the
/// triangle's own slope, although one of them is level.
void case_line_fill_depth_bias(struct conform *c)
{
    weft_texture depth = {0};
    struct scene s = {.raster = {.fill = WEFT_FILL_LINE, .depth_bias_slope = 2},
                      .kind = FLAT,
                      .depth = WEFT_FORMAT_D32_FLOAT};
    triangle(s.vertices, false);
    s.vertices[2].position[2] = 0.25F + (HIGH - LOW) / 64.0F;
    draw(c, &s, &depth);
    float got[SIZE][SIZE];
    if (!conform_read_texels(c, depth, got, sizeof got))
        return;
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            const double edge = 0.25 + (x - LOW + 2) / 64.0;
            const double want = place_of(x, y) == EDGE ? edge : 1;
            if (place_of(x, y) != EITHER && !(fabs((double)got[y][x] - want) <= 1e-6))
                conform_fail(c, "the depth of texel (%d, %d) is %.7g, not %.7g", x, y,
                             (double)got[y][x], want);
        }
    }
}
