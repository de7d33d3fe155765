// Lines and points.
//
// Rules (Vulkan, "Basic Line Segment Rasterization" without strictLines, "Basic Point
// Rasterization"): a line from a to b whose longer extent is in x is the parallelogram a ± (0,
// 1/2), b ± (0, 1/2), otherwise a ± (1/2, 0), b ± (1/2, 0), rasterized as a polygon: by the sample
// locations, and on edges by the top-left rule. A point is the square of its size around its
// position, likewise; PointCoord runs from 0 to 1 over it. Values along a line are weighted by t =
// (x - xa) / (xb - xa), or in y, as at the ends divided by w for perspective.
//
// Proof: random lines and points at 1/256 pixels, 96 to a pass, each adding a bit of its own,
// against the parallelogram's and square's edge functions in 128-bit integers: each covered sample
// once, though the device draws two halves. With one sample a line has one pixel per step: between
// its first and its last pixel these are the pixels whose diamond it leaves (the rule of Bresenham
// lines); that is proven as well. Lines that the viewport cuts stay within 1/100 pixel of where
// they were. Values: quotients of 128-bit integers, with the bounds of interpolation.c.
#include "proof.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.vert.spv.h"
#include "inputs_pixel.frag.spv.h"
#include "point.frag.spv.h"
#include "point.vert.spv.h"
#include "value.frag.spv.h"
#include "value.vert.spv.h"

enum { SIDE = 128, BITS = 24, COUNT = 4 * BITS, HALF = PROOF_STEPS / 2 };

static const weft_pipeline_state adding = {
    .blend = {.targets = {{.enable = true,
                           .color = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                           .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}}}}};

struct scene {
    struct proof p;
    weft_graphics_pipeline pipeline;
    float (*texels)[4];
};

static void scene_open(struct scene *s, uint32_t samples, uint32_t threads, bool points)
{
    proof_open(&s->p, &(struct proof_desc){.threads = threads,
                                           .width = SIDE,
                                           .height = SIDE,
                                           .samples = samples,
                                           .colors = {WEFT_FORMAT_RGBA32_FLOAT}});
    s->pipeline = proof_pipeline(
        &s->p, (weft_graphics_pipeline_desc){
                   .vertex = {.shader = points ? PROOF_SHADER(&s->p, point_vert)
                                               : PROOF_SHADER(&s->p, value_vert)},
                   .fragment = {.shader = PROOF_SHADER(&s->p, value_frag)},
                   .topology = points ? WEFT_TOPOLOGY_POINT_LIST : WEFT_TOPOLOGY_LINE_LIST,
                   .states = &adding,
                   .state_count = 1});
    s->texels = calloc((size_t)samples * SIDE * SIDE, sizeof(*s->texels));
    EXPECT(s->texels != NULL);
}

static void scene_close(struct scene *s)
{
    free(s->texels);
    proof_close(&s->p);
}

/// Four corners, in order around; clockwise or not.
struct shape {
    struct proof_point corners[4];
};

/// Whether p is within the bounds of the corners: nothing else can be covered.
static bool is_near(const struct shape *s, struct proof_point p)
{
    bool left = false, right = false, above = false, below = false;
    for (uint32_t i = 0; i < 4; i++) {
        left |= s->corners[i].x <= p.x;
        right |= s->corners[i].x >= p.x;
        above |= s->corners[i].y <= p.y;
        below |= s->corners[i].y >= p.y;
    }
    return left && right && above && below;
}

static bool shape_covers(const struct shape *s, struct proof_point p)
{
    const struct proof_point *c = s->corners;
    const wide area = proof_edge(c[0], c[1], c[2]);
    bool inside = area != 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t from = area > 0 ? i : 3 - i, to = area > 0 ? (i + 1) % 4 : (6 - i) % 4;
        inside = inside && proof_owns(c[from], c[to], p);
    }
    return inside;
}

/// Judges what COUNT shapes added.
static void expect_shapes(const struct scene *s, const struct shape *shapes)
{
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++) {
        const struct proof_point at =
            proof_sample_at(s->p.samples, i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE);
        for (uint32_t k = 0; k < COUNT; k++) {
            // Whole numbers below 2^24: bit k tells of shape k, unless one was added twice.
            const uint32_t sum = (uint32_t)s->texels[i][k / BITS];
            const bool wanted = is_near(&shapes[k], at) && shape_covers(&shapes[k], at);
            if ((sum >> k % BITS & 1) != wanted)
                test_fail(__FILE__, __LINE__,
                          "sample %u of (%u, %u) is %scovered by shape %u (%lld, %lld) to (%lld, "
                          "%lld)",
                          i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE, wanted ? "not " : "", k,
                          (long long)shapes[k].corners[0].x, (long long)shapes[k].corners[0].y,
                          (long long)shapes[k].corners[2].x, (long long)shapes[k].corners[2].y);
        }
    }
}

static uint64_t hash(const struct scene *s)
{
    return proof_hash(s->texels, sizeof(*s->texels) * s->p.samples * SIDE * SIDE);
}

// ---- lines -------------------------------------------------------------------------------------

struct line {
    struct proof_point a, b;
};

static bool is_flat(const struct line *l)
{
    return llabs(l->b.x - l->a.x) >= llabs(l->b.y - l->a.y);
}

static struct shape line_shape(const struct line *l)
{
    const int64_t x = is_flat(l) ? 0 : HALF, y = is_flat(l) ? HALF : 0;
    return (struct shape){{{l->a.x - x, l->a.y - y},
                           {l->b.x - x, l->b.y - y},
                           {l->b.x + x, l->b.y + y},
                           {l->a.x + x, l->a.y + y}}};
}

/// Within the viewport, so that nothing is cut.
static void random_line(uint64_t *seed, struct line *l)
{
    static const int32_t spans[] = {100, 700, 3000, SIDE * PROOF_STEPS};
    static const int64_t snaps[] = {1, 1, 1, 16, 128};
    const int32_t span = spans[proof_below(seed, 4)], last = SIDE * PROOF_STEPS;
    const int64_t snap = snaps[proof_below(seed, 5)];
    const uint32_t special = proof_below(seed, 8);
    l->a = (struct proof_point){proof_between(seed, 0, last), proof_between(seed, 0, last)};
    l->b = (struct proof_point){l->a.x + proof_between(seed, -span, span),
                                l->a.y + proof_between(seed, -span, span)};
    struct proof_point *ends[2] = {&l->a, &l->b};
    for (uint32_t i = 0; i < 2; i++) {
        ends[i]->x = (ends[i]->x < 0 ? 0 : ends[i]->x > last ? last : ends[i]->x) / snap * snap;
        ends[i]->y = (ends[i]->y < 0 ? 0 : ends[i]->y > last ? last : ends[i]->y) / snap * snap;
    }
    if (special == 0)
        l->b.x = l->a.x;
    if (special == 1)
        l->b.y = l->a.y;
}

static void draw_lines(struct scene *s, const struct line *lines)
{
    struct proof_vertex vertices[2 * COUNT];
    memset(vertices, 0, sizeof(vertices));
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        const struct line *l = &lines[i / 2];
        vertices[i] = proof_vertex_at(&s->p, i % 2 ? l->b : l->a, 0.5f, (float)(1 + i % 3));
        vertices[i].value[i / 2 / BITS] = (float)(1u << i / 2 % BITS);
    }
    proof_upload(&s->p, vertices, 2 * COUNT, NULL, 0);
    proof_run(&s->p, (const float[4]){0},
              &(struct proof_draw){.pipeline = s->pipeline, .count = 2 * COUNT}, 1);
    proof_read(&s->p, 0, s->texels);
}

static uint64_t judge_lines(struct scene *s, uint64_t *seed)
{
    struct line lines[COUNT];
    struct shape shapes[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        random_line(seed, &lines[i]);
        shapes[i] = line_shape(&lines[i]);
    }
    draw_lines(s, lines);
    expect_shapes(s, shapes);
    return hash(s);
}

typedef uint64_t judge_function(struct scene *s, uint64_t *seed);

/// Scenes at 1, 2, 4 and 8 samples.
static void judge_samples(const char *name, bool points, judge_function *judge)
{
    for (uint32_t samples = 1; samples <= 8; samples *= 2) {
        struct scene s = {0};
        uint64_t seed = samples;
        const uint32_t rounds = proof_rounds(samples < 8 ? 3 - samples / 2 : 1);
        scene_open(&s, samples, 2, points);
        for (uint32_t i = 0; i < rounds; i++)
            (void)judge(&s, &seed);
        scene_close(&s);
        (void)printf("%s: %u, %u samples\n", name, rounds * COUNT, samples);
    }
}

TEST(lines, cover_what_their_parallelogram_does)
{
    judge_samples("lines", false, judge_lines);
}

/// Twice the distance from the diamond's middle along the axes, less one pixel, at the point of the
/// line where it crosses the middle of the longer axis: negative within. Over the longer extent.
static wide diamond(const struct line *l, int64_t x, int64_t y)
{
    const bool flat = is_flat(l);
    const int64_t along = flat ? l->b.x - l->a.x : l->b.y - l->a.y;
    const int64_t across = flat ? l->b.y - l->a.y : l->b.x - l->a.x;
    const int64_t from = (flat ? x * PROOF_STEPS - l->a.x : y * PROOF_STEPS - l->a.y) + HALF;
    const int64_t off = (flat ? l->a.y - y * PROOF_STEPS : l->a.x - x * PROOF_STEPS) - HALF;
    const wide distance = (wide)off * along + (wide)across * from;
    const wide size = along < 0 ? -along : along;
    return 2 * (distance < 0 ? -distance : distance) - size * PROOF_STEPS;
}

/// Pixels whose middle column (row) the line crosses, well within its ends: inside the diamond it
/// is covered, outside not; on the border between two diamonds either is.
static void expect_diamonds(const struct scene *s, const struct line *lines)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        for (uint32_t k = 0; k < COUNT; k++) {
            const struct line *l = &lines[k];
            const int64_t x = i % SIDE, y = i / SIDE;
            const int64_t a = is_flat(l) ? l->a.x : l->a.y, b = is_flat(l) ? l->b.x : l->b.y;
            const int64_t at = (is_flat(l) ? x : y) * PROOF_STEPS + HALF;
            const int64_t low = a < b ? a : b, high = a < b ? b : a;
            if (at - low < PROOF_STEPS || high - at < PROOF_STEPS)
                continue;
            const bool got = (uint32_t)s->texels[i][k / BITS] >> k % BITS & 1;
            const wide d = diamond(l, x, y);
            if ((got && d > 0) || (!got && d < 0))
                test_fail(__FILE__, __LINE__, "line %u at (%u, %u)", k, i % SIDE, i / SIDE);
        }
    }
}

TEST(lines, leave_the_diamonds_of_their_pixels)
{
    struct scene s = {0};
    struct line lines[COUNT];
    uint64_t seed = 3;
    const uint32_t rounds = proof_rounds(2);
    scene_open(&s, 1, 2, false);
    for (uint32_t i = 0; i < rounds; i++) {
        for (uint32_t k = 0; k < COUNT; k++)
            random_line(&seed, &lines[k]);
        draw_lines(&s, lines);
        expect_diamonds(&s, lines);
    }
    scene_close(&s);
}

/// Pixels that the nearest edge is away from p; negative outside.
static double depth_in(const struct shape *s, struct proof_point p)
{
    double least = 1e9;
    const double sign = proof_edge(s->corners[0], s->corners[1], s->corners[2]) > 0 ? 1 : -1;
    for (uint32_t i = 0; i < 4; i++) {
        const struct proof_point a = s->corners[i], b = s->corners[(i + 1) % 4];
        const double length = hypot((double)(b.x - a.x), (double)(b.y - a.y));
        least = fmin(least, sign * (double)proof_edge(a, b, p) / length / PROOF_STEPS);
    }
    return least;
}

/// Ends outside of the viewport: what is left lies where it was, but for snapping.
static void judge_cut_lines(struct scene *s, uint64_t *seed)
{
    struct line lines[COUNT];
    struct shape shapes[COUNT];
    const int32_t side = SIDE * PROOF_STEPS, far = 2 * side;
    for (uint32_t k = 0; k < COUNT; k++) {
        do {
            lines[k].a = (struct proof_point){proof_between(seed, -far, side + far),
                                              proof_between(seed, -far, side + far)};
            lines[k].b = (struct proof_point){proof_between(seed, -far, side + far),
                                              proof_between(seed, -far, side + far)};
        } while (lines[k].a.x == lines[k].b.x && lines[k].a.y == lines[k].b.y);
        shapes[k] = line_shape(&lines[k]);
    }
    draw_lines(s, lines);
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++) {
        const struct proof_point at =
            proof_sample_at(s->p.samples, i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE);
        // The ends of what is left are cut along an axis: near the sides that takes a little more.
        const bool inner = at.x > PROOF_STEPS && at.y > PROOF_STEPS && at.x < side - PROOF_STEPS &&
                           at.y < side - PROOF_STEPS;
        for (uint32_t k = 0; k < COUNT; k++) {
            const bool got = (uint32_t)s->texels[i][k / BITS] >> k % BITS & 1;
            const double in = depth_in(&shapes[k], at);
            if ((got && in < -0.01) || (!got && inner && in > 0.01))
                test_fail(__FILE__, __LINE__, "line %u, sample %u of (%u, %u): %g pixels in", k,
                          i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE, in);
        }
    }
}

TEST(lines, that_the_viewport_cuts_stay_where_they_were)
{
    for (uint32_t samples = 1; samples <= 4; samples *= 4) {
        struct scene s = {0};
        uint64_t seed = samples;
        const uint32_t rounds = proof_rounds(1);
        scene_open(&s, samples, 2, false);
        for (uint32_t i = 0; i < rounds; i++)
            judge_cut_lines(&s, &seed);
        scene_close(&s);
    }
}

// ---- points ------------------------------------------------------------------------------------

static uint64_t judge_points(struct scene *s, uint64_t *seed)
{
    static const int32_t sizes[] = {600, 2560, 40000};
    struct proof_vertex vertices[COUNT];
    struct shape shapes[COUNT];
    memset(vertices, 0, sizeof(vertices));
    for (uint32_t i = 0; i < COUNT; i++) {
        // In steps; below one pixel counts as one.
        const int32_t size = proof_between(seed, 0, sizes[proof_below(seed, 3)]);
        const int64_t side = size < PROOF_STEPS ? PROOF_STEPS : size;
        const struct proof_point at = {proof_between(seed, 0, SIDE * PROOF_STEPS),
                                       proof_between(seed, 0, SIDE * PROOF_STEPS)};
        const int64_t x = at.x - side / 2, y = at.y - side / 2; // rounded down: see below
        shapes[i] = (struct shape){{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}};
        vertices[i] = proof_vertex_at(&s->p, at, 0.5f, (float)(1 + i % 3));
        vertices[i].at[2] = (float)size / PROOF_STEPS; // the shader makes it the size
        vertices[i].value[i / BITS] = (float)(1u << i % BITS);
    }
    // An odd side has its edges half a step off these, where no sample lies between.
    proof_upload(&s->p, vertices, COUNT, NULL, 0);
    proof_run(&s->p, (const float[4]){0},
              &(struct proof_draw){.pipeline = s->pipeline, .count = COUNT}, 1);
    proof_read(&s->p, 0, s->texels);
    expect_shapes(s, shapes);
    return hash(s);
}

TEST(points, cover_what_their_square_does)
{
    judge_samples("points", true, judge_points);
}

TEST(points, and_lines_are_the_same_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    uint64_t first = 0;
    for (uint32_t i = 0; i < 8; i++) {
        struct scene s = {0};
        uint64_t seed = 5;
        scene_open(&s, 4, threads[i % 4], i >= 4);
        const uint64_t got = i >= 4 ? judge_points(&s, &seed) : judge_lines(&s, &seed);
        first = i % 4 ? first : got;
        EXPECT_EQ(got, first);
        scene_close(&s);
    }
}

static void open_inputs(struct proof *p, weft_graphics_pipeline *pipeline, bool points)
{
    struct proof_desc desc = {.width = SIDE, .height = SIDE};
    for (uint32_t i = 0; i < (points ? 1u : 4u); i++)
        desc.colors[i] = WEFT_FORMAT_RGBA32_FLOAT;
    proof_open(p, &desc);
    *pipeline = proof_pipeline(
        p, (weft_graphics_pipeline_desc){
               .vertex = {.shader =
                              points ? PROOF_SHADER(p, point_vert) : PROOF_SHADER(p, inputs_vert)},
               .fragment = {.shader = points ? PROOF_SHADER(p, point_frag)
                                             : PROOF_SHADER(p, inputs_pixel_frag)},
               .topology = points ? WEFT_TOPOLOGY_POINT_LIST : WEFT_TOPOLOGY_LINE_LIST});
}

TEST(points, have_coordinates_from_0_to_1)
{
    static float texels[SIDE * SIDE][4];
    struct proof p;
    weft_graphics_pipeline pipeline;
    uint64_t seed = 9;
    const uint32_t rounds = proof_rounds(16);
    open_inputs(&p, &pipeline, true);
    for (uint32_t round = 0; round < rounds; round++) {
        const int32_t size = proof_between(&seed, PROOF_STEPS, 20000);
        const struct proof_point at = {proof_between(&seed, 0, SIDE * PROOF_STEPS),
                                       proof_between(&seed, 0, SIDE * PROOF_STEPS)};
        struct proof_vertex vertex = proof_vertex_at(&p, at, 0, 1);
        vertex.at[2] = (float)size / PROOF_STEPS;
        proof_upload(&p, &vertex, 1, NULL, 0);
        proof_run(&p, (const float[4]){-1, -1, -1, -1},
                  &(struct proof_draw){.pipeline = pipeline, .count = 1}, 1);
        proof_read(&p, 0, texels);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            if (texels[i][3] < 0)
                continue; // not covered
            const struct proof_point pixel = proof_sample_at(1, 0, i % SIDE, i / SIDE);
            EXPECT_NEAR(texels[i][0], 0.5 + (double)(pixel.x - at.x) / size, 0x1p-23);
            EXPECT_NEAR(texels[i][1], 0.5 + (double)(pixel.y - at.y) / size, 0x1p-23);
        }
    }
    proof_close(&p);
}

// ---- values along lines ------------------------------------------------------------------------

struct along {
    struct line line;
    int64_t w[2], value[2];
};

static void judge_value(const struct along *a, const float *got, bool perspective,
                        struct proof_point pixel)
{
    const struct line *l = &a->line;
    const bool flat = is_flat(l);
    const int64_t whole = flat ? l->b.x - l->a.x : l->b.y - l->a.y;
    const int64_t part = flat ? pixel.x - l->a.x : pixel.y - l->a.y;
    // The weights of both ends, of one sign.
    const wide first = (wide)(whole - part) * (perspective ? a->w[1] : 1);
    const wide last = (wide)part * (perspective ? a->w[0] : 1);
    const long double sum = (long double)(first + last);
    const long double wanted = (long double)(first * a->value[0] + last * a->value[1]) / sum;
    const long double terms =
        fabsl((long double)last / sum * (long double)(a->value[1] - a->value[0]));
    const long double room = 0x1p-24L * (13.3L * terms + 1.01L * fabsl(wanted));
    if (!(fabsl((long double)got[0] - wanted) <= room))
        test_fail(__FILE__, __LINE__, "a value along a line is %.9g, not %.12Lg within %.3Lg",
                  got[0], wanted, room);
}

TEST(lines, have_values_by_the_formula)
{
    static float smooth[SIDE * SIDE][4], linear[SIDE * SIDE][4];
    struct proof p;
    weft_graphics_pipeline pipeline;
    uint64_t seed = 9;
    const uint32_t rounds = proof_rounds(24);
    open_inputs(&p, &pipeline, false);
    for (uint32_t round = 0; round < rounds; round++) {
        struct along a;
        struct proof_vertex vertices[2];
        random_line(&seed, &a.line);
        for (uint32_t i = 0; i < 2; i++) {
            a.w[i] = proof_between(&seed, 1, 100);
            a.value[i] = proof_between(&seed, -500000, 500000);
            vertices[i] = proof_vertex_at(&p, i ? a.line.b : a.line.a, 0.5f, (float)a.w[i]);
            vertices[i].value[0] = (float)a.value[i];
            vertices[i].value[3] = 1; // marks what is covered
        }
        proof_upload(&p, vertices, 2, NULL, 0);
        proof_run(&p, (const float[4]){0}, &(struct proof_draw){.pipeline = pipeline, .count = 2},
                  1);
        proof_read(&p, 0, smooth);
        proof_read(&p, 1, linear);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            const struct proof_point pixel = proof_sample_at(1, 0, i % SIDE, i / SIDE);
            if (smooth[i][3] == 0)
                continue;
            judge_value(&a, smooth[i], true, pixel);
            judge_value(&a, linear[i], false, pixel);
        }
    }
    proof_close(&p);
}
