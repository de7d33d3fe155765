// A mesh leaves no gap and covers nothing twice.
//
// Rule: where two triangles share an edge, a sample on it is covered by exactly one of them
// (Vulkan, "Basic Polygon Rasterization"); what clipping cuts off at a shared edge is the same on
// both sides
// ("Primitive Clipping": "must be invariant").
//
// Proof: each triangle adds 1 where it covers. Random triangulations of a convex polygon at whole
// 1/256 pixels (fans, slivers, triangles of no area, corners of up to dozens) count exactly 1
// within the polygon, by 128-bit edge functions and the top-left rule, and 0 outside. Meshes that
// near, far, clip distances, the guard band or a viewport between the pixels cut count exactly 1
// where an exact plane says that they are wholly in, 0 where they are wholly out, and at most 1
// along the cut.
#include "proof.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distance.vert.spv.h"
#include "value.frag.spv.h"
#include "value.vert.spv.h"

#ifndef PROOF_SIDE
#define PROOF_SIDE 128 // pixels: four tiles of the device
#endif
enum { SIDE = PROOF_SIDE, MOST_POINTS = 160, MOST_TRIANGLES = 2 * MOST_POINTS };

struct mesh {
    struct proof_point points[MOST_POINTS];
    uint32_t point_count;
    uint32_t triangles[MOST_TRIANGLES][3];
    uint32_t triangle_count;
    struct proof_point border[8]; // Of the polygon, clockwise on the screen.
    uint32_t border_count;
};

// ---- exact geometry ----------------------------------------------------------------------------

static bool within_border(const struct mesh *m, struct proof_point p)
{
    for (uint32_t i = 0; i < m->border_count; i++) {
        if (!proof_owns(m->border[i], m->border[(i + 1) % m->border_count], p))
            return false;
    }
    return true;
}

static wide area(const struct mesh *m, const uint32_t t[3])
{
    return proof_edge(m->points[t[0]], m->points[t[1]], m->points[t[2]]);
}

// ---- random triangulations ---------------------------------------------------------------------

static void add_triangle(struct mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = m->triangles[m->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/// A convex polygon of 3 to 7 corners inside a circle, as a fan.
static void start(struct mesh *m, uint64_t *seed, int32_t radius)
{
    const uint32_t corners = 3 + proof_below(seed, 5);
    const double turn = proof_below(seed, 1000) / 100.0;
    const struct proof_point middle = {proof_between(seed, 0, SIDE * PROOF_STEPS),
                                       proof_between(seed, 0, SIDE * PROOF_STEPS)};
    memset(m, 0, sizeof(*m));
    m->border_count = corners;
    for (uint32_t i = 0; i < corners; i++) {
        const double angle = turn + (i + proof_below(seed, 50) / 100.0) * 6.283185307 / corners;
        m->points[m->point_count++] = (struct proof_point){
            middle.x + (int64_t)(radius * cos(angle)), middle.y + (int64_t)(radius * sin(angle))};
    }
    memcpy(m->border, m->points, sizeof(m->border));
    for (uint32_t i = 1; i + 1 < corners; i++)
        add_triangle(m, 0, i, i + 1);
}

/// A rectangle over more than the target, or over a part of it, as two triangles.
static void start_rectangle(struct mesh *m, uint64_t *seed, int32_t margin)
{
    const int64_t x0 = proof_between(seed, -margin, SIDE * PROOF_STEPS / 3),
                  y0 = proof_between(seed, -margin, SIDE * PROOF_STEPS / 3),
                  x1 = proof_between(seed, SIDE * PROOF_STEPS / 3 * 2, SIDE * PROOF_STEPS + margin),
                  y1 = proof_between(seed, SIDE * PROOF_STEPS / 3 * 2, SIDE * PROOF_STEPS + margin);
    const struct proof_point corners[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    memset(m, 0, sizeof(*m));
    memcpy(m->points, corners, sizeof(corners));
    memcpy(m->border, corners, sizeof(corners));
    m->point_count = m->border_count = 4;
    add_triangle(m, 0, 1, 2);
    add_triangle(m, 0, 2, 3);
}

static bool is_corner(const struct mesh *m, struct proof_point p)
{
    for (uint32_t i = 0; i < m->point_count; i++) {
        if (m->points[i].x == p.x && m->points[i].y == p.y)
            return true;
    }
    return false;
}

/// Splits the triangle that holds the point in three: of no area where it lies on an edge.
static void insert(struct mesh *m, struct proof_point p)
{
    if (m->point_count == MOST_POINTS || is_corner(m, p))
        return;
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        const uint32_t a = m->triangles[i][0], b = m->triangles[i][1], c = m->triangles[i][2];
        if (proof_edge(m->points[a], m->points[b], p) < 0 ||
            proof_edge(m->points[b], m->points[c], p) < 0 ||
            proof_edge(m->points[c], m->points[a], p) < 0 || area(m, m->triangles[i]) == 0)
            continue;
        const uint32_t at = m->point_count++;
        m->points[at] = p;
        m->triangles[i][2] = at;
        add_triangle(m, b, c, at);
        add_triangle(m, c, a, at);
        return;
    }
}

/// Turns the diagonal of two neighbours, if that leaves none of them folded over.
static void flip(struct mesh *m, uint32_t first, uint32_t side)
{
    uint32_t *t = m->triangles[first];
    const uint32_t a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3];
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        uint32_t *n = m->triangles[i];
        for (uint32_t k = 0; k < 3; k++) {
            if (n[k] != b || n[(k + 1) % 3] != a)
                continue;
            const uint32_t d = n[(k + 2) % 3];
            const uint32_t one[3] = {a, d, c}, other[3] = {d, b, c};
            if (area(m, one) < 0 || area(m, other) < 0)
                return;
            memcpy(t, one, sizeof(one));
            memcpy(n, other, sizeof(other));
            return;
        }
    }
}

static struct proof_point random_point(const struct mesh *m, uint64_t *seed)
{
    static const int64_t snaps[] = {1, 1, 16, 128};
    const int64_t snap = snaps[proof_below(seed, 4)];
    const uint32_t kind = proof_below(seed, 4);
    struct proof_point p = {proof_between(seed, -2000, SIDE * PROOF_STEPS + 2000),
                            proof_between(seed, -2000, SIDE * PROOF_STEPS + 2000)};
    if (kind == 0) { // a cluster, less than a pixel wide
        p = m->points[proof_below(seed, m->point_count)];
        p.x += proof_between(seed, -100, 100);
        p.y += proof_between(seed, -100, 100);
    } else if (kind == 1) { // on an edge, or nearly
        const uint32_t *t = m->triangles[proof_below(seed, m->triangle_count)];
        const struct proof_point a = m->points[t[0]], b = m->points[t[1]];
        const int64_t part = proof_between(seed, 0, 256);
        return (struct proof_point){a.x + (b.x - a.x) * part / 256, a.y + (b.y - a.y) * part / 256};
    }
    return (struct proof_point){p.x / snap * snap, p.y / snap * snap};
}

static void refine(struct mesh *m, uint64_t *seed)
{
    const uint32_t points = proof_below(seed, MOST_POINTS);
    for (uint32_t i = 0; i < points; i++) {
        insert(m, random_point(m, seed));
        for (uint32_t k = proof_below(seed, 4); k > 0; k--)
            flip(m, proof_below(seed, m->triangle_count), proof_below(seed, 3));
    }
}

/// A grid of 8 × 8 cells whose inner points are moved, each cut along one diagonal: no
/// triangle is so thin that what is cut off it could be folded over by snapping.
static void start_grid(struct mesh *m, uint64_t *seed)
{
    enum { CELLS = 8, POINTS = CELLS + 1, STEP = 40 * SIDE, START = -30 * SIDE, MOVE = 10 * SIDE };
    memset(m, 0, sizeof(*m));
    m->border_count = 4;
    for (uint32_t at = 0; at < POINTS * POINTS; at++) {
        const uint32_t x = at % POINTS, y = at / POINTS;
        const int32_t move = x == 0 || y == 0 || x == CELLS || y == CELLS ? 0 : MOVE;
        m->points[at] =
            (struct proof_point){START + (int64_t)x * STEP + proof_between(seed, -move, move),
                                 START + (int64_t)y * STEP + proof_between(seed, -move, move)};
    }
    m->point_count = POINTS * POINTS;
    for (uint32_t at = 0; at < CELLS * CELLS; at++) {
        const uint32_t a = at / CELLS * POINTS + at % CELLS, b = a + 1, c = b + POINTS, d = c - 1;
        const bool other = proof_below(seed, 2);
        add_triangle(m, a, b, other ? d : c);
        add_triangle(m, other ? b : a, c, d);
    }
    const uint32_t corners[4] = {0, CELLS, POINTS * POINTS - 1, POINTS * CELLS};
    for (uint32_t i = 0; i < 4; i++)
        m->border[i] = m->points[corners[i]];
}

// ---- drawing -----------------------------------------------------------------------------------

static const weft_pipeline_state adding = {
    .blend = {.targets = {{.enable = true,
                           .color = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                           .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}}}}};

struct scene {
    struct proof p;
    weft_graphics_pipeline pipeline;
    float (*texels)[4];
};

enum kind { KIND_PLAIN, KIND_DISTANCES, KIND_CLAMPED };

static void scene_open(struct scene *s, uint32_t samples, uint32_t threads, enum kind kind)
{
    proof_open(&s->p, &(struct proof_desc){.threads = threads,
                                           .width = SIDE,
                                           .height = SIDE,
                                           .samples = samples,
                                           .colors = {WEFT_FORMAT_RGBA32_FLOAT}});
    s->pipeline = proof_pipeline(
        &s->p, (weft_graphics_pipeline_desc){
                   .vertex = {.shader = kind == KIND_DISTANCES ? PROOF_SHADER(&s->p, distance_vert)
                                                               : PROOF_SHADER(&s->p, value_vert)},
                   .fragment = {.shader = PROOF_SHADER(&s->p, value_frag)},
                   .flags = kind == KIND_CLAMPED ? WEFT_PIPELINE_DEPTH_CLAMP : 0,
                   .states = &adding,
                   .state_count = 1});
    s->texels = calloc((size_t)SIDE * SIDE * samples, sizeof(*s->texels));
    EXPECT(s->texels != NULL);
}

static void scene_close(struct scene *s)
{
    free(s->texels);
    proof_close(&s->p);
}

/// Draws the mesh's triangles, each starting at any of its corners, in any order.
static void draw(struct scene *s, const struct mesh *m, const struct proof_vertex *vertices,
                 const weft_viewport *viewport, uint64_t *seed)
{
    uint32_t indices[MOST_TRIANGLES * 3];
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        const uint32_t turn = proof_below(seed, 3), to = proof_below(seed, i + 1);
        memcpy(indices + (size_t)3 * i, indices + (size_t)3 * to, 3 * sizeof(*indices));
        for (uint32_t c = 0; c < 3; c++)
            indices[3 * to + c] = m->triangles[i][(c + turn) % 3];
    }
    proof_upload(&s->p, vertices, m->point_count, indices, m->triangle_count * 3);
    proof_run(&s->p, (const float[4]){0},
              &(struct proof_draw){.pipeline = s->pipeline,
                                   .count = m->triangle_count * 3,
                                   .indexed = true,
                                   .viewport = viewport},
              1);
    proof_read(&s->p, 0, s->texels);
}

static struct proof_point sample_at(const struct scene *s, uint32_t i)
{
    const uint32_t n = i / (SIDE * SIDE);
    return proof_sample_at(s->p.samples, n, i % SIDE, i / SIDE % SIDE);
}

/// `low` to `high` triangles may have covered sample `i`.
static void expect_count(const struct scene *s, uint32_t i, int low, int high)
{
    const float got = s->texels[i][0];
    if (got < (float)low || got > (float)high)
        test_fail(__FILE__, __LINE__, "sample %u of (%u, %u) is covered %g times, not %d to %d",
                  i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE, got, low, high);
}

/// So many meshes, fewer on a large target.
static uint32_t rounds_of(uint32_t quick)
{
    const uint32_t rounds = proof_rounds(quick) * 128 / SIDE * 128 / SIDE;
    return rounds ? rounds : 1;
}

// ---- whole meshes ------------------------------------------------------------------------------

static uint64_t judge_whole(struct scene *s, uint64_t *seed, uint64_t *triangles)
{
    static const int32_t sizes[] = {300, 3000, 12000, 60000, 7000000};
    struct mesh m;
    struct proof_vertex vertices[MOST_POINTS];
    if (proof_below(seed, 2))
        start(&m, seed, sizes[proof_below(seed, 5)]);
    else
        start_rectangle(&m, seed, sizes[proof_below(seed, 5)]);
    refine(&m, seed);
    for (uint32_t i = 0; i < m.point_count; i++) {
        // Any w will do: the corners are where they are on the screen.
        const float w = (float)(1u << proof_below(seed, 4));
        vertices[i] = proof_vertex_at(&s->p, m.points[i], 0.5f, w);
        vertices[i].value[0] = 1;
    }
    draw(s, &m, vertices, NULL, seed);
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++) {
        const int wanted = within_border(&m, sample_at(s, i));
        expect_count(s, i, wanted, wanted);
    }
    *triangles += m.triangle_count;
    return proof_hash(s->texels, (size_t)SIDE * SIDE * s->p.samples * sizeof(*s->texels));
}

static void judge_many_whole(uint32_t samples, uint32_t quick)
{
    struct scene s = {0};
    uint64_t seed = samples, triangles = 0;
    const uint32_t rounds = rounds_of(quick);
    scene_open(&s, samples, 2, KIND_PLAIN);
    for (uint32_t i = 0; i < rounds; i++)
        (void)judge_whole(&s, &seed, &triangles);
    scene_close(&s);
    (void)printf("mesh: %u meshes, %u triangles, %u samples\n", rounds, (uint32_t)triangles,
                 samples);
}

TEST(mesh, covers_each_pixel_exactly_once)
{
    judge_many_whole(1, 40);
}

TEST(mesh, covers_each_of_two_samples_exactly_once)
{
    judge_many_whole(2, 12);
}

TEST(mesh, covers_each_of_four_samples_exactly_once)
{
    judge_many_whole(4, 8);
}

TEST(mesh, covers_each_of_eight_samples_exactly_once)
{
    judge_many_whole(8, 6);
}

TEST(mesh, is_the_same_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    uint64_t first = 0, triangles = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct scene s = {0};
        uint64_t seed = 5;
        scene_open(&s, 4, threads[i], KIND_PLAIN);
        const uint64_t hash = judge_whole(&s, &seed, &triangles);
        first = i ? first : hash;
        EXPECT_EQ(hash, first);
        scene_close(&s);
    }
}

// ---- meshes that are cut -----------------------------------------------------------------------

enum { ONE = 1024 }; // of z and of distances

/// Whether a value, given at each point in 1 / ONE and linear on the screen within each triangle,
/// is from 0 to 1 at p. Exact.
static bool is_drawn(const struct mesh *m, const int64_t *values, struct proof_point p)
{
    if (!within_border(m, p))
        return false;
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *t = m->triangles[i];
        const struct proof_point a = m->points[t[0]], b = m->points[t[1]], c = m->points[t[2]];
        if (!proof_covers(a, b, c, p))
            continue;
        const wide value = proof_edge(b, c, p) * values[t[0]] + proof_edge(c, a, p) * values[t[1]] +
                           proof_edge(a, b, p) * values[t[2]];
        return value >= 0 && value <= proof_edge(a, b, c) * ONE;
    }
    return false;
}

/// Near and far cut where z is not in [0, 1], clip distances where one is negative; w varies.
static void judge_cut(struct scene *s, uint64_t *seed, bool distances)
{
    struct mesh m;
    struct proof_vertex vertices[MOST_POINTS];
    int64_t values[MOST_POINTS];
    start_rectangle(&m, seed, 3000);
    refine(&m, seed);
    for (uint32_t i = 0; i < m.point_count; i++) {
        const float w = (float)(1 + proof_below(seed, 5));
        values[i] = proof_between(seed, -ONE, 2 * ONE);
        const float value = (float)values[i] / ONE;
        vertices[i] = proof_vertex_at(&s->p, m.points[i], distances ? 0.5f : value, w);
        vertices[i].value[0] = 1;
        vertices[i].value[1] = value * w; // distances are in clip space
        vertices[i].value[2] = (1 - value) * w;
    }
    draw(s, &m, vertices, NULL, seed);
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++) {
        const int wanted = is_drawn(&m, values, sample_at(s, i));
        expect_count(s, i, wanted, wanted);
    }
}

static void judge_many_cut(uint32_t samples, uint32_t quick, bool distances)
{
    struct scene s = {0};
    uint64_t seed = samples;
    const uint32_t rounds = rounds_of(quick);
    scene_open(&s, samples, 2, distances ? KIND_DISTANCES : KIND_PLAIN);
    for (uint32_t i = 0; i < rounds; i++)
        judge_cut(&s, &seed, distances);
    scene_close(&s);
}

TEST(mesh, that_near_and_far_cut_has_no_gap_and_no_overlap)
{
    judge_many_cut(1, 12, false);
    judge_many_cut(4, 4, false);
}

TEST(mesh, that_clip_distances_cut_has_no_gap_and_no_overlap)
{
    judge_many_cut(1, 12, true);
    judge_many_cut(4, 4, true);
}

/// A rectangle whose corners are up to 2^31 pixels away; its other points stay within the target.
static void start_far(struct mesh *m, uint64_t *seed)
{
    start_rectangle(m, seed, 3000);
    refine(m, seed);
    for (uint32_t i = 0; i < 4; i++) {
        const int64_t far = INT64_C(1) << (22 + proof_below(seed, 17));
        const bool right = i == 1 || i == 2, down = i >= 2;
        m->points[i].x = (right ? SIDE * PROOF_STEPS : 0) + (right ? far : -far);
        m->points[i].y = (down ? SIDE * PROOF_STEPS : 0) + (down ? far : -far);
    }
}

static bool is_folded(const struct mesh *m)
{
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        if (area(m, m->triangles[i]) < 0)
            return true;
    }
    return false;
}

static void judge_guard(struct scene *s, uint64_t *seed)
{
    struct mesh m;
    struct proof_vertex vertices[MOST_POINTS];
    do
        start_far(&m, seed);
    while (m.point_count == 4 || is_folded(&m)); // by moving the corners
    for (uint32_t i = 0; i < m.point_count; i++) {
        vertices[i] = proof_vertex_at(&s->p, m.points[i], 0.5f, 1);
        vertices[i].value[0] = 1;
    }
    draw(s, &m, vertices, NULL, seed);
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++)
        expect_count(s, i, 1, 1);
}

TEST(mesh, with_corners_beyond_the_guard_band_has_no_gap_and_no_overlap)
{
    for (uint32_t samples = 1; samples <= 4; samples *= 4) {
        struct scene s = {0};
        uint64_t seed = samples;
        const uint32_t rounds = rounds_of(20);
        scene_open(&s, samples, 2, KIND_PLAIN);
        for (uint32_t i = 0; i < rounds; i++)
            judge_guard(&s, &seed);
        scene_close(&s);
    }
}

/// A viewport whose sides lie between the samples of a pixel.
static void judge_viewport(struct scene *s, uint64_t *seed)
{
    struct mesh m;
    struct proof_vertex vertices[MOST_POINTS];
    const int32_t x = proof_between(seed, 0, 60 * SIDE), y = proof_between(seed, 0, 60 * SIDE);
    const weft_viewport viewport = {
        (float)x / PROOF_STEPS, (float)y / PROOF_STEPS, (float)SIDE / 2, (float)SIDE / 2, 0, 1};
    start_rectangle(&m, seed, 3000);
    refine(&m, seed);
    for (uint32_t i = 0; i < m.point_count; i++)
        vertices[i] =
            (struct proof_vertex){.at = {(float)(m.points[i].x - x) / (64 * SIDE) - 1,
                                         1 - (float)(m.points[i].y - y) / (64 * SIDE), 0.5f, 1},
                                  .value = {1}};
    draw(s, &m, vertices, &viewport, seed);
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++) {
        const struct proof_point p = sample_at(s, i);
        const int64_t side = INT64_C(128) * SIDE, px = p.x - x, py = p.y - y;
        const bool wanted = within_border(&m, p) && px >= 0 && py >= 0 && px < side && py < side;
        expect_count(s, i, wanted, wanted);
    }
}

TEST(mesh, that_a_viewport_cuts_has_no_gap_and_no_overlap)
{
    for (uint32_t samples = 1; samples <= 8; samples *= 2) {
        struct scene s = {0};
        uint64_t seed = samples;
        const uint32_t rounds = rounds_of(6);
        scene_open(&s, samples, 2, KIND_PLAIN);
        for (uint32_t i = 0; i < rounds; i++)
            judge_viewport(&s, &seed);
        scene_close(&s);
    }
}

// ---- meshes in space ---------------------------------------------------------------------------

/// A point of a plane is origin + u × right + v × down in clip space, u and v from -1 to 1.
struct plane {
    double origin[4], right[4], down[4];
};

/// A condition that a sample is drawn, linear on the screen: a x + b y + c >= 0, in clip units.
struct bound {
    double at[3];
};

/// adj(right, down, origin), of their x, y and w: what takes (x, y, 1) to (u, v, 1) times w / det.
static double inverse(const struct plane *p, double out[3][3])
{
    static const uint32_t rows[3] = {0, 1, 3};
    const double *const columns[3] = {p->right, p->down, p->origin};
    for (uint32_t i = 0; i < 3; i++) {
        const double *a = columns[(i + 1) % 3], *b = columns[(i + 2) % 3];
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t m = rows[(k + 1) % 3], n = rows[(k + 2) % 3];
            out[i][k] = a[m] * b[n] - a[n] * b[m];
        }
    }
    return p->right[0] * out[0][0] + p->right[1] * out[0][1] + p->right[3] * out[0][2];
}

/// In front of the eye, within near and far, within u and v.
static void bounds_of(const struct plane *p, struct bound out[7])
{
    double q[3][3];
    const double det = inverse(p, q), sign = det > 0 ? 1 : -1;
    for (uint32_t k = 0; k < 3; k++) {
        const double z = p->right[2] * q[0][k] + p->down[2] * q[1][k] + p->origin[2] * q[2][k];
        out[0].at[k] = sign * q[2][k];
        out[1].at[k] = sign * z;
        out[2].at[k] = sign * ((k == 2 ? det : 0) - z);
        out[3].at[k] = sign * (q[2][k] - q[0][k]);
        out[4].at[k] = sign * (q[2][k] + q[0][k]);
        out[5].at[k] = sign * (q[2][k] - q[1][k]);
        out[6].at[k] = sign * (q[2][k] + q[1][k]);
    }
}

/// Pixels from a cut or the border within which snapping may decide.
static const double band = 1.0 / 64;

/// -1: not drawn, 1: drawn, 0: within the band.
static int side_of_plane(const struct bound bounds[7], bool clamps, struct proof_point at)
{
    const double x = (double)at.x / (128 * SIDE) - 1, y = 1 - (double)at.y / (128 * SIDE);
    int side = 1;
    for (uint32_t i = 0; i < 7; i++) {
        if (clamps && (i == 1 || i == 2))
            continue; // near and far do not cut
        const double *b = bounds[i].at;
        const double pixels = 2.0 / SIDE * hypot(b[0], b[1]) * band;
        const double value = b[0] * x + b[1] * y + b[2];
        if (value < -pixels)
            return -1;
        if (value <= pixels)
            side = 0;
    }
    return side;
}

/// Part of it behind the eye, or beyond near and far.
static void random_plane(uint64_t *seed, struct plane *p)
{
    double q[3][3];
    do {
        for (uint32_t k = 0; k < 4; k++) {
            p->origin[k] = proof_between(seed, -16, 16) / 16.0;
            p->right[k] = proof_between(seed, -64, 64) / 16.0;
            p->down[k] = proof_between(seed, -64, 64) / 16.0;
        }
        p->origin[3] = proof_between(seed, 8, 32) / 16.0;
        p->right[3] /= 2; // w stays so small that cells stay large
        p->down[3] /= 2;
    } while (fabs(inverse(p, q)) < 8);
}

static void judge_plane(struct scene *s, uint64_t *seed, bool clamps)
{
    enum { CELLS = 8, POINTS = CELLS + 1 };
    struct mesh m;
    struct plane plane;
    struct bound bounds[7];
    struct proof_vertex vertices[POINTS * POINTS];
    start_grid(&m, seed); // for its triangles
    random_plane(seed, &plane);
    bounds_of(&plane, bounds);
    memset(vertices, 0, sizeof(vertices));
    for (uint32_t i = 0; i < POINTS * POINTS; i++) {
        const uint32_t column = i % POINTS, row = i / POINTS;
        const double u = column / (CELLS / 2.0) - 1, v = row / (CELLS / 2.0) - 1;
        for (uint32_t k = 0; k < 4; k++)
            vertices[i].at[k] = (float)(plane.origin[k] + u * plane.right[k] + v * plane.down[k]);
        vertices[i].value[0] = 1;
    }
    draw(s, &m, vertices, NULL, seed);
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++) {
        const int side = side_of_plane(bounds, clamps, sample_at(s, i));
        expect_count(s, i, side > 0, side >= 0);
    }
}

static void judge_planes(uint32_t samples, bool clamps)
{
    struct scene s = {0};
    uint64_t seed = samples;
    const uint32_t rounds = rounds_of(26);
    scene_open(&s, samples, 2, clamps ? KIND_CLAMPED : KIND_PLAIN);
    for (uint32_t i = 0; i < rounds; i++)
        judge_plane(&s, &seed, clamps);
    scene_close(&s);
}

TEST(mesh, in_space_has_no_gap_and_no_overlap)
{
    judge_planes(1, false);
    judge_planes(4, false);
}

TEST(mesh, whose_depth_is_clamped_ends_at_the_eye_alone)
{
    judge_planes(1, true);
    judge_planes(4, true);
}
