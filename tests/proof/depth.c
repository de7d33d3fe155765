// Depth: what a second pass finds, depth bias, depth clamp.
//
// Rules: (1) a primitive that is drawn again with the same vertices and state has the same depth at
// each sample, so that EQUAL passes where its depth is stored (Vulkan, "Invariance"; promised for
// every format, for any batching, order and number of threads). (2) "Depth Bias": m × slope factor
// + r × constant factor with m the larger of |dz/dx| and |dz/dy|, r = 2^-16 or 2^-24 for fixed
// point and 2^(e - 23) for floats with e the exponent of the largest |z| of the triangle; limited
// by the clamp. (3) With depth clamp nothing is cut at near and far, and depth is clamped to the
// viewport's range; depth is then stored as the nearest number of the format.
//
// Proof: (1) 96 triangles over each other, cut by near, far, the guard band or not, biased or not:
// the first pass keeps the nearest and its bit; the second one, in any order and pieces, must pass
// that triangle at that sample, nothing that was not drawn there, and no triangle that doubles put
// clearly behind what is stored. (2, 3) the formula in
// quotients of 128-bit integers against what is stored, to half a step and what doubles lose.
#include "proof.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.frag.spv.h"
#include "value.vert.spv.h"
#include "write_z.frag.spv.h"

enum { SIDE = 128, BITS = 24, COUNT = 4 * BITS, Z_STEPS = 1 << 14 };

struct scene {
    struct proof p;
    weft_graphics_pipeline pipeline, rewriting; // the second one writes FragCoord.z back
    float (*first)[4], (*second)[4], (*depth)[4];
    uint64_t losers; // samples of triangles that were seen not to pass again
};

static void scene_open(struct scene *s, const struct proof_desc *desc, weft_pipeline_flags flags)
{
    struct proof_desc full = *desc;
    full.width = full.height = SIDE;
    full.colors[0] = WEFT_FORMAT_RGBA32_FLOAT;
    proof_open(&s->p, &full);
    weft_graphics_pipeline_desc pipeline = {.vertex = {.shader = PROOF_SHADER(&s->p, value_vert)},
                                            .fragment = {.shader = PROOF_SHADER(&s->p, value_frag)},
                                            .flags = flags};
    s->pipeline = proof_pipeline(&s->p, pipeline);
    pipeline.fragment.shader = PROOF_SHADER(&s->p, write_z_frag);
    s->rewriting = proof_pipeline(&s->p, pipeline);
    s->first = calloc((size_t)SIDE * SIDE * s->p.samples, sizeof(*s->first));
    s->second = calloc((size_t)SIDE * SIDE * s->p.samples, sizeof(*s->second));
    s->depth = calloc((size_t)SIDE * SIDE * s->p.samples, sizeof(*s->depth));
    EXPECT(s->first && s->second && s->depth);
}

static void scene_close(struct scene *s)
{
    free(s->first);
    free(s->second);
    free(s->depth);
    proof_close(&s->p);
}

// ---- a second pass -----------------------------------------------------------------------------

static void random_corner(uint64_t *seed, const struct scene *s, struct proof_point middle,
                          int32_t span, struct proof_vertex *v)
{
    const struct proof_point at = {middle.x + proof_between(seed, -span, span),
                                   middle.y + proof_between(seed, -span, span)};
    // Any floats will do here: most within near and far, some beyond, some behind the eye.
    const float w = (float)proof_between(seed, proof_below(seed, 12) ? 1 : -2000, 4000) / 500;
    const float z = (float)proof_between(seed, -400, 4000) / 3600;
    *v = proof_vertex_at(&s->p, at, z, w);
}

static void random_triangles(uint64_t *seed, const struct scene *s, struct proof_vertex *vertices)
{
    static const int32_t spans[] = {500, 3000, 10000, 60000, 20000000};
    for (uint32_t i = 0; i < COUNT; i++) {
        const struct proof_point middle = {proof_between(seed, 0, SIDE * PROOF_STEPS),
                                           proof_between(seed, 0, SIDE * PROOF_STEPS)};
        const int32_t span = spans[proof_below(seed, 5)];
        for (uint32_t c = 0; c < 3; c++) {
            random_corner(seed, s, middle, span, &vertices[3 * i + c]);
            vertices[3 * i + c].value[i / BITS] = (float)(1u << i % BITS);
        }
    }
}

/// Indices of all triangles, in any order, each still starting at its first corner.
static void shuffle(uint64_t *seed, uint32_t *indices)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t to = proof_below(seed, i + 1);
        memcpy(indices + (size_t)3 * i, indices + (size_t)3 * to, 3 * sizeof(*indices));
        for (uint32_t c = 0; c < 3; c++)
            indices[3 * to + c] = 3 * i + c;
    }
}

/// Splits the triangles into up to `most` draws.
static uint32_t split(uint64_t *seed, const struct proof_draw *whole, struct proof_draw *draws,
                      uint32_t most)
{
    uint32_t count = 0, done = 0;
    while (done < COUNT) {
        const uint32_t left = COUNT - done;
        const uint32_t part = count + 1 == most ? left : 1 + proof_below(seed, left);
        draws[count] = *whole;
        draws[count].first = 3 * done;
        draws[count++].count = 3 * part;
        done += part;
    }
    return count;
}

static weft_pipeline_state random_state(uint64_t *seed)
{
    weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS_EQUAL, .depth_write = true}};
    if (proof_below(seed, 2)) {
        state.raster.depth_bias = (float)proof_between(seed, -100, 100);
        state.raster.depth_bias_slope = (float)proof_between(seed, -300, 300) / 100;
        state.raster.depth_bias_clamp = (float)proof_between(seed, -10, 10) / 100;
    }
    return state;
}

static void second_state(weft_pipeline_state *state)
{
    static const weft_blend_equation add = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD};
    state->depth_stencil.depth = WEFT_COMPARE_EQUAL;
    state->depth_stencil.depth_write = false;
    state->blend.targets[0] = (weft_blend_target){.enable = true, .color = add, .alpha = add};
}

static void judge_sample(const struct scene *s, size_t i)
{
    bool drawn = false, again = false;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t winner = (uint32_t)s->first[i][k], equal = (uint32_t)s->second[i][k];
        drawn |= winner != 0;
        again |= equal != 0;
        if ((winner & equal) != winner)
            test_fail(
                __FILE__, __LINE__,
                "the triangle that is nearest at sample %zu of (%zu, %zu) does not pass again",
                i / SIDE / SIDE, i % SIDE, i / SIDE % SIDE);
    }
    if (drawn != again)
        test_fail(__FILE__, __LINE__, "sample %zu of (%zu, %zu) passes where nothing was drawn",
                  i / SIDE / SIDE, i % SIDE, i / SIDE % SIDE);
}

/// A triangle in front of the eye and without bias covers the sample, and is behind what is stored:
/// both so clearly that snapping to 1/256 pixel does not matter.
static bool is_behind(const struct proof_vertex v[3], double near, struct proof_point p,
                      double stored)
{
    double x[3], y[3], z[3], depth = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const double w = (double)v[i].at[3];
        if (w <= 0)
            return false;
        x[i] = (1 + (double)v[i].at[0] / w) * SIDE / 2 - (double)p.x / PROOF_STEPS;
        y[i] = (1 - (double)v[i].at[1] / w) * SIDE / 2 - (double)p.y / PROOF_STEPS;
        z[i] = near + (double)v[i].at[2] / w * (1 - near);
    }
    const double x1 = x[1] - x[0], y1 = y[1] - y[0], z1 = z[1] - z[0];
    const double x2 = x[2] - x[0], y2 = y[2] - y[0], z2 = z[2] - z[0];
    const double area = x1 * y2 - x2 * y1;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t a = (i + 1) % 3, b = (i + 2) % 3;
        const double part = (x[a] * y[b] - x[b] * y[a]) / area;
        if (!(part * fabs(area) > hypot(x[b] - x[a], y[b] - y[a]) / 16))
            return false;
        depth += part * z[i];
    }
    const double slope = fmax(fabs(z1 * y2 - z2 * y1), fabs(z2 * x1 - z1 * x2)) / fabs(area);
    return depth < 0.99 && depth > stored + (1 + slope) / 64;
}

/// None of the triangles that lose may pass. Every 13th sample will do.
static void judge_losers(struct scene *s, const struct proof_vertex *vertices, double near)
{
    proof_read(&s->p, 1, s->depth);
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i += 13) {
        const struct proof_point at =
            proof_sample_at(s->p.samples, i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE);
        for (uint32_t k = 0; k < COUNT; k++) {
            if (!is_behind(vertices + (size_t)3 * k, near, at, (double)s->depth[i][0]))
                continue;
            s->losers++;
            if ((uint32_t)s->second[i][k / BITS] >> k % BITS & 1)
                test_fail(__FILE__, __LINE__, "a triangle behind sample %u of (%u, %u) passes",
                          i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE);
        }
    }
}

static uint64_t judge_again(struct scene *s, uint64_t *seed)
{
    static struct proof_vertex vertices[3 * COUNT];
    uint32_t indices[3 * COUNT];
    struct proof_draw draws[8];
    const weft_viewport viewport = {0, 0, SIDE, SIDE, (float)proof_below(seed, 3) / 3, 1};
    weft_pipeline_state state = random_state(seed);
    const struct proof_draw whole = {
        .pipeline = s->pipeline, .indexed = true, .state = &state, .viewport = &viewport};
    const size_t samples = (size_t)SIDE * SIDE * s->p.samples;
    memset(vertices, 0, sizeof(vertices));
    random_triangles(seed, s, vertices);
    for (uint32_t i = 0; i < 3 * COUNT; i++)
        indices[i] = i;
    proof_upload(&s->p, vertices, 3 * COUNT, indices, 3 * COUNT);
    proof_run(&s->p, (const float[4]){0}, draws, split(seed, &whole, draws, 3));
    proof_read(&s->p, 0, s->first);

    second_state(&state);
    shuffle(seed, indices);
    proof_upload(&s->p, vertices, 3 * COUNT, indices, 3 * COUNT);
    const uint32_t count = split(seed, &whole, draws, 8);
    const bool rewrites = s->p.samples == 1 && proof_below(seed, 2);
    for (uint32_t i = 0; rewrites && i < count; i++)
        draws[i].pipeline = s->rewriting;
    proof_run_over_depth(&s->p, draws, count);
    proof_read(&s->p, 0, s->second);
    for (size_t i = 0; i < samples; i++)
        judge_sample(s, i);
    if (state.raster.depth_bias == 0 && state.raster.depth_bias_slope == 0)
        judge_losers(s, vertices, (double)viewport.min_depth);
    return proof_hash(s->first, samples * sizeof(*s->first)) ^
           proof_hash(s->second, samples * sizeof(*s->second)) << 1;
}

static void judge_many_again(weft_format depth, weft_pipeline_flags flags)
{
    uint64_t losers = 0;
    for (uint32_t samples = 1; samples <= 8; samples *= 2) {
        struct scene s = {0};
        uint64_t seed = samples + flags;
        const uint32_t rounds = proof_rounds(samples < 8 ? 5 - samples : 1);
        scene_open(&s, &(struct proof_desc){.samples = samples, .depth = depth}, flags);
        for (uint32_t i = 0; i < rounds; i++)
            (void)judge_again(&s, &seed);
        losers += s.losers;
        scene_close(&s);
    }
    EXPECT(losers > 0);
}

TEST(depth, is_found_equal_by_a_second_pass)
{
    judge_many_again(WEFT_FORMAT_D16_UNORM, 0);
    judge_many_again(WEFT_FORMAT_D24_UNORM, 0);
    judge_many_again(WEFT_FORMAT_D32_FLOAT, 0);
}

TEST(depth, that_is_clamped_is_found_equal_by_a_second_pass)
{
    judge_many_again(WEFT_FORMAT_D16_UNORM, WEFT_PIPELINE_DEPTH_CLAMP);
    judge_many_again(WEFT_FORMAT_D24_UNORM, WEFT_PIPELINE_DEPTH_CLAMP);
    judge_many_again(WEFT_FORMAT_D32_FLOAT, WEFT_PIPELINE_DEPTH_CLAMP);
}

TEST(depth, is_the_same_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    uint64_t first = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct scene s = {0};
        uint64_t seed = 5;
        scene_open(&s,
                   &(struct proof_desc){
                       .threads = threads[i], .samples = 4, .depth = WEFT_FORMAT_D24_UNORM},
                   0);
        const uint64_t hash = judge_again(&s, &seed);
        first = i ? first : hash;
        EXPECT_EQ(hash, first);
        scene_close(&s);
    }
}

// ---- bias and clamp ----------------------------------------------------------------------------

struct corner {
    struct proof_point at;
    int64_t z; // in 1 / Z_STEPS
};

/// Depth by the formulas, before it is stored; all but the last divisions is exact.
struct formula {
    const struct corner *c;
    const weft_raster_state *raster;
    const weft_viewport *viewport;
    long double r; // smallest step
    bool clamps;   // to the viewport's range
};

/// z on the screen, in the viewport's range.
static long double in_range(const struct formula *f, long double z)
{
    return z * ((long double)f->viewport->max_depth - (long double)f->viewport->min_depth) +
           (long double)f->viewport->min_depth;
}

static long double bias(const struct formula *f)
{
    const struct corner *c = f->c;
    const wide area = proof_edge(c[0].at, c[1].at, c[2].at);
    const wide z1 = c[1].z - c[0].z, z2 = c[2].z - c[0].z;
    const wide x1 = c[1].at.x - c[0].at.x, x2 = c[2].at.x - c[0].at.x;
    const wide y1 = c[1].at.y - c[0].at.y, y2 = c[2].at.y - c[0].at.y;
    const long double per_pixel =
        PROOF_STEPS * (in_range(f, 1) - in_range(f, 0)) / ((long double)area * Z_STEPS);
    const long double m = fmaxl(fabsl((long double)(z1 * y2 - z2 * y1) * per_pixel),
                                fabsl((long double)(z2 * x1 - z1 * x2) * per_pixel));
    const long double value =
        m * (long double)f->raster->depth_bias_slope + f->r * (long double)f->raster->depth_bias;
    const long double clamp = (long double)f->raster->depth_bias_clamp;
    return clamp > 0 ? fminl(value, clamp) : clamp < 0 ? fmaxl(value, clamp) : value;
}

static long double clampl(long double v, long double low, long double high)
{
    return v < low ? low : v > high ? high : v;
}

static long double depth_at(const struct formula *f, struct proof_point p)
{
    const struct corner *c = f->c;
    const wide area = proof_edge(c[0].at, c[1].at, c[2].at);
    wide z = 0;
    for (uint32_t i = 0; i < 3; i++)
        z += proof_edge(c[(i + 1) % 3].at, c[(i + 2) % 3].at, p) * c[i].z;
    long double value = in_range(f, (long double)z / ((long double)area * Z_STEPS)) + bias(f);
    if (f->clamps)
        value = clampl(value, fminl(f->viewport->min_depth, f->viewport->max_depth),
                       fmaxl(f->viewport->min_depth, f->viewport->max_depth));
    return clampl(value, 0, 1);
}

/// Near and far cut where depth is not from 0 to 1, unless it is clamped. Exact.
static bool is_drawn(const struct formula *f, struct proof_point p)
{
    const struct corner *c = f->c;
    if (!proof_covers(c[0].at, c[1].at, c[2].at, p))
        return false;
    const wide area = proof_edge(c[0].at, c[1].at, c[2].at), sign = area > 0 ? 1 : -1;
    wide z = 0;
    for (uint32_t i = 0; i < 3; i++)
        z += sign * proof_edge(c[(i + 1) % 3].at, c[(i + 2) % 3].at, p) * c[i].z;
    return f->clamps || (z >= 0 && z <= sign * area * Z_STEPS);
}

/// The smallest step of depth: for floats that of the largest |z| of the triangle.
static long double step_of(const struct formula *f, weft_format depth)
{
    if (depth != WEFT_FORMAT_D32_FLOAT)
        return depth == WEFT_FORMAT_D16_UNORM ? 0x1p-16L : 0x1p-24L;
    long double largest = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const long double z = in_range(f, (long double)f->c[i].z / Z_STEPS);
        largest = fmaxl(largest, f->clamps ? fabsl(z) : z);
    }
    if (!f->clamps) // what near and far cut off does not count
        largest = fminl(largest, fmaxl(f->viewport->min_depth, f->viewport->max_depth));
    int exponent;
    (void)frexpl(largest, &exponent);
    return ldexpl(1, exponent - 1 - 23);
}

static const weft_viewport viewports[] = {
    {0, 0, SIDE, SIDE, 0, 1}, {0, 0, SIDE, SIDE, 0.25f, 0.75f}, {0, 0, SIDE, SIDE, 1, 0.5f}};

static void random_biased(uint64_t *seed, struct corner c[3], bool beyond)
{
    static const int32_t spans[] = {2000, 10000, 60000};
    const int32_t span = spans[proof_below(seed, 3)];
    const int32_t low = beyond ? -Z_STEPS : 0, high = beyond ? 2 * Z_STEPS : Z_STEPS;
    do {
        for (uint32_t i = 0; i < 3; i++) {
            c[i].at.x = SIDE * PROOF_STEPS / 2 + proof_between(seed, -span, span);
            c[i].at.y = SIDE * PROOF_STEPS / 2 + proof_between(seed, -span, span);
            c[i].z = proof_between(seed, low, high);
        }
    } while (proof_edge(c[0].at, c[1].at, c[2].at) == 0);
    if (proof_below(seed, 4) == 0) // level: the constant alone
        c[1].z = c[2].z = c[0].z;
}

/// The room that stored depth has around the formula's.
static long double room_of(const struct formula *f, weft_format depth, long double wanted)
{
    // Steep slopes cost what doubles lose of the slope over the target.
    const long double doubles = 0x1p-40L * (1 + fabsl(bias(f)));
    if (depth == WEFT_FORMAT_D32_FLOAT)
        return 0x1.03p-24L * fabsl(wanted) + doubles + 0x1p-149L;
    // The value is a float before it becomes a number of the format: a tie may go either way.
    const long double step = depth == WEFT_FORMAT_D16_UNORM ? 1 / 65535.0L : 1 / 16777215.0L;
    return step / 2 + 0x1.03p-24L * fabsl(wanted) + doubles;
}

static double judge_formula(struct scene *s, uint64_t *seed, bool clamps)
{
    struct corner c[3];
    struct proof_vertex vertices[3];
    weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}};
    const weft_viewport *viewport = &viewports[proof_below(seed, 3)];
    struct formula f = {.c = c, .raster = &state.raster, .viewport = viewport, .clamps = clamps};
    random_biased(seed, c, clamps || proof_below(seed, 2));
    state.raster.depth_bias = (float)(proof_below(seed, 2) ? proof_between(seed, -2000, 2000) : 0);
    state.raster.depth_bias_slope = (float)proof_between(seed, -64, 64) / 16;
    if (proof_below(seed, 2))
        state.raster.depth_bias_clamp = (float)proof_between(seed, -64, 64) / 1024;
    f.r = step_of(&f, s->p.depth_format);
    for (uint32_t i = 0; i < 3; i++) {
        vertices[i] = proof_vertex_at(&s->p, c[i].at, (float)c[i].z / Z_STEPS, 1);
        memset(vertices[i].value, 0, sizeof(vertices[i].value));
    }
    proof_upload(&s->p, vertices, 3, NULL, 0);
    proof_run(&s->p, (const float[4]){0},
              &(struct proof_draw){
                  .pipeline = s->pipeline, .count = 3, .state = &state, .viewport = viewport},
              1);
    proof_read(&s->p, 1, s->first);
    double worst = 0;
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++) {
        const struct proof_point at =
            proof_sample_at(s->p.samples, i / (SIDE * SIDE), i % SIDE, i / SIDE % SIDE);
        if (!is_drawn(&f, at))
            continue;
        const long double wanted = depth_at(&f, at), got = s->first[i][0];
        const long double room = room_of(&f, s->p.depth_format, wanted);
        if (!(fabsl(got - wanted) <= room))
            test_fail(__FILE__, __LINE__,
                      "depth at (%u, %u) is %.12Lg, not %.12Lg within %.3Lg (bias %g, slope %g, "
                      "clamp %g)",
                      i % SIDE, i / SIDE % SIDE, got, wanted, room, state.raster.depth_bias,
                      state.raster.depth_bias_slope, state.raster.depth_bias_clamp);
        worst = fmax(worst, (double)(fabsl(got - wanted) / room));
    }
    return worst;
}

static void judge_formulas(weft_format depth, bool clamps)
{
    double worst = 0;
    for (uint32_t samples = 1; samples <= 4; samples *= 4) {
        struct scene s = {0};
        uint64_t seed = samples;
        const uint32_t rounds = proof_rounds(24 / samples);
        scene_open(&s, &(struct proof_desc){.samples = samples, .depth = depth},
                   clamps ? WEFT_PIPELINE_DEPTH_CLAMP : 0);
        for (uint32_t i = 0; i < rounds; i++)
            worst = fmax(worst, judge_formula(&s, &seed, clamps));
        scene_close(&s);
    }
    (void)printf("depth: format %d, %s: %.2f of the error that is allowed\n", (int)depth,
                 clamps ? "clamped" : "biased", worst);
}

TEST(depth, is_biased_by_the_formula)
{
    judge_formulas(WEFT_FORMAT_D16_UNORM, false);
    judge_formulas(WEFT_FORMAT_D24_UNORM, false);
    judge_formulas(WEFT_FORMAT_D32_FLOAT, false);
}

TEST(depth, is_clamped_to_the_range_of_the_viewport)
{
    judge_formulas(WEFT_FORMAT_D16_UNORM, true);
    judge_formulas(WEFT_FORMAT_D24_UNORM, true);
    judge_formulas(WEFT_FORMAT_D32_FLOAT, true);
}
