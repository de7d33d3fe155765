// What fragments are given: interpolated inputs, FragCoord and depth.
//
// Rule (Vulkan, "Basic Polygon Rasterization"): with a, b, c the barycentric coordinates of the
// place on the screen, a noperspective input is a fa + b fb + c fc, a perspective one is (a fa/wa +
// b fb/wb + c fc/wc) / (a/wa + b/wb + c/wc), depth is a za + b zb + c zc, FragCoord.w is the
// interpolated 1/w; flat is the first vertex's. The place is the pixel's centre, with sample
// shading the sample; centroid inputs of a partly covered pixel are those of its first covered
// sample.
//
// Proof: random triangles with corners at 1/256 pixels, whole w, whole values, some cut by near and
// far, which must not show in what is left; the formulas are quotients of 128-bit integers, divided
// once, in long doubles. Bounds follow from the device's arithmetic, u = 2^-24 being half a unit in
// the last place of 1:
//   weights    l = float(edge / area): edges and area are exact, so a relative error of u
//   1/w        sum of three products l × float(1/w): 3 roundings each, 2 sums: 5 u of the sum of
//   magnitudes linear     f0 + (l1 (f1 - f0) + l2 (f2 - f0)): 4 u of the magnitudes in brackets, u
//   of the result perspective  weights p = l float(1/w) (3 u), times the rounded 1 / (1/w) (6 u),
//   rounded (u): 10 u;
//              the rest as above: 13 u of the magnitudes in brackets, u of the result
//   depth      in doubles up to one rounding: u, and what doubles lose
// A whole w that is no power of two costs z a rounding of 1/w and one of z/w, of up to 2 at a
// corner.
#include "proof.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.vert.spv.h"
#include "inputs_pixel.frag.spv.h"
#include "inputs_sample.frag.spv.h"

#ifndef PROOF_SIDE
#define PROOF_SIDE 32 // pixels
#endif
enum { SIDE = PROOF_SIDE, COUNT = 3, Z_STEPS = 1 << 14, VALUES = 1 << 19 };

static const long double u = 0x1p-24L;

struct corner {
    struct proof_point at;
    int64_t w, z; // z in 1 / Z_STEPS, after the division by w
    int64_t value[4];
};

struct triangle {
    struct corner c[3];
    bool whole_w; // some w is no power of two
};

struct scene {
    struct proof p;
    weft_graphics_pipeline pipeline;
    bool per_sample;
    float (*texels[5])[4]; // smooth, linear, place, centroid, depth
    struct triangle triangles[COUNT];
};

/// Largest errors that were seen, as parts of what is allowed; of depth, in units in the last
/// place.
struct worst {
    double smooth, linear, centroid, w, z, z_whole;
};

// ---- the oracle --------------------------------------------------------------------------------

/// Near and far cut it where depth is not from 0 to 1.
static bool covers(const struct triangle *t, struct proof_point p)
{
    const struct corner *c = t->c;
    if (!proof_covers(c[0].at, c[1].at, c[2].at, p))
        return false;
    const wide area = proof_edge(c[0].at, c[1].at, c[2].at), sign = area > 0 ? 1 : -1;
    wide z = 0;
    for (uint32_t i = 0; i < 3; i++)
        z += sign * proof_edge(c[(i + 1) % 3].at, c[(i + 2) % 3].at, p) * c[i].z;
    return z >= 0 && z <= sign * area * Z_STEPS;
}

/// Exact weights at a place, and what follows from them.
struct weights {
    wide e[3], area; // screen
    wide p[3], sum;  // perspective: e / w, times all three w
    wide all_w;
    long double spread; // of the magnitudes of p, as a multiple of their sum
};

static struct weights weights_at(const struct triangle *t, struct proof_point p)
{
    struct weights k = {.area = proof_edge(t->c[0].at, t->c[1].at, t->c[2].at)};
    const wide sign = k.area > 0 ? 1 : -1;
    k.area *= sign;
    k.all_w = (wide)t->c[0].w * t->c[1].w * t->c[2].w;
    long double magnitudes = 0;
    for (uint32_t i = 0; i < 3; i++) {
        k.e[i] = sign * proof_edge(t->c[(i + 1) % 3].at, t->c[(i + 2) % 3].at, p);
        k.p[i] = k.e[i] * (k.all_w / t->c[i].w);
        k.sum += k.p[i];
        magnitudes += fabsl((long double)k.p[i]);
    }
    k.spread = magnitudes / fabsl((long double)k.sum);
    return k;
}

/// The exact value, and the sum of the magnitudes of the terms that the device adds to f0.
static long double exact(const struct triangle *t, const wide *weights, wide sum, uint32_t part,
                         long double *terms)
{
    wide value = 0, first = t->c[0].value[part];
    *terms = 0;
    for (uint32_t i = 0; i < 3; i++) {
        value += weights[i] * t->c[i].value[part];
        *terms += fabsl((long double)(weights[i] * (t->c[i].value[part] - first)));
    }
    *terms /= fabsl((long double)sum);
    return (long double)value / (long double)sum;
}

static void expect_within(const char *what, long double got, long double wanted, long double room,
                          double *worst)
{
    const long double off = fabsl(got - wanted);
    if (!(off <= room))
        test_fail(__FILE__, __LINE__, "%s is %.12Lg, not %.12Lg within %.3Lg", what, got, wanted,
                  room);
    const double part = room > 0 ? (double)(off / room) : 0;
    *worst = part > *worst ? part : *worst;
}

/// `part` to 3 of a perspective value.
static void expect_smooth(const char *what, const struct triangle *t, const struct weights *k,
                          const float *got, uint32_t parts, double *worst)
{
    for (uint32_t i = 0; i < parts; i++) {
        long double terms;
        const long double wanted = exact(t, k->p, k->sum, i, &terms);
        const long double room = u * ((8.1L + 5.1L * k->spread) * terms + 1.01L * fabsl(wanted));
        expect_within(what, got[i], wanted, room, worst);
    }
}

static void expect_linear(const struct triangle *t, const struct weights *k, const float *got,
                          double *worst)
{
    for (uint32_t i = 0; i < 4; i++) {
        long double terms;
        const long double wanted = exact(t, k->e, k->area, i, &terms);
        expect_within("noperspective", got[i], wanted, u * (4.1L * terms + 1.01L * fabsl(wanted)),
                      worst);
    }
}

static void expect_depth(const struct triangle *t, const struct weights *k, float got,
                         struct worst *worst)
{
    wide z = 0;
    for (uint32_t i = 0; i < 3; i++)
        z += k->e[i] * t->c[i].z;
    long double wanted = (long double)z / ((long double)k->area * Z_STEPS);
    if (t->whole_w) {
        expect_within("depth with any w", got, wanted, u * 6.1L, &worst->z_whole);
        return;
    }
    // Half a unit in the last place of the result, and a little for the doubles.
    expect_within("depth", got, wanted, u * (1.01L * fabsl(wanted) + 0x1p-12L), &worst->z);
}

static bool inside(const struct weights *k)
{
    return k->e[0] >= 0 && k->e[1] >= 0 && k->e[2] >= 0;
}

// ---- judging -----------------------------------------------------------------------------------

/// The triangle that was drawn last over a sample; NULL: none.
static const struct triangle *last_over(const struct scene *s, struct proof_point p)
{
    for (uint32_t i = COUNT; i > 0; i--) {
        if (covers(&s->triangles[i - 1], p))
            return &s->triangles[i - 1];
    }
    return NULL;
}

static struct proof_point sample_place(uint32_t samples, uint32_t i, uint32_t n)
{
    return proof_sample_at(samples, n, i % SIDE, i / SIDE);
}

/// Where a centroid input of pixel `i` is taken.
static struct proof_point centroid_place(const struct scene *s, const struct triangle *t,
                                         uint32_t i)
{
    const uint32_t samples = s->p.samples;
    uint32_t covered = 0, first = samples;
    for (uint32_t n = samples; n > 0; n--) {
        const struct proof_point at = sample_place(samples, i, n - 1);
        if (!covers(t, at))
            continue;
        covered++;
        first = n - 1;
    }
    return covered == samples ? sample_place(1, i, 0) : sample_place(samples, i, first);
}

static void judge_place(const struct triangle *t, const struct weights *k, struct proof_point at,
                        const float *got, struct worst *worst)
{
    EXPECT(got[0] == (float)at.x / PROOF_STEPS && got[1] == (float)at.y / PROOF_STEPS);
    if (inside(k)) // FragCoord.z of a centre that is not covered is beyond the triangle: not stored
        expect_depth(t, k, got[2], worst);
    const long double w = (long double)k->sum / ((long double)k->area * (long double)k->all_w);
    expect_within("FragCoord.w", got[3], w, u * 5.1L * k->spread * fabsl(w), &worst->w);
}

static void judge_sample(const struct scene *s, uint32_t i, uint32_t n, struct worst *worst)
{
    const uint32_t at = n * SIDE * SIDE + i;
    const struct proof_point sample = sample_place(s->p.samples, i, n);
    const struct triangle *t = last_over(s, sample);
    if (!t) {
        EXPECT(s->texels[2][at][0] == 0);
        return;
    }
    const struct proof_point shaded = s->per_sample ? sample : sample_place(1, i, 0);
    const struct proof_point middle =
        s->per_sample ? sample : centroid_place(s, t, i); // sample shading goes before centroid
    const struct weights k = weights_at(t, shaded), c = weights_at(t, middle),
                         d = weights_at(t, sample);
    // The centre of a pixel that is partly covered may see the plane behind the eye.
    if (k.sum > 0 && k.spread < 1000) {
        expect_smooth("perspective", t, &k, s->texels[0][at], 3, &worst->smooth);
        judge_place(t, &k, shaded, s->texels[2][at], worst);
    }
    EXPECT(s->texels[0][at][3] == (float)t->c[0].value[3]);
    expect_linear(t, &k, s->texels[1][at], &worst->linear);
    expect_smooth("centroid", t, &c, s->texels[3][at], 4, &worst->centroid);
    expect_depth(t, &d, s->texels[4][at][0], worst);
}

// ---- random triangles --------------------------------------------------------------------------

static void random_triangle(uint64_t *seed, struct triangle *t)
{
    static const int32_t spans[] = {300, 1000, 4000, 20000, 400000, 6000000};
    const uint32_t size = proof_below(seed, 8);
    const int32_t span = spans[size < 6 ? size : 3];
    const int64_t x = proof_between(seed, 0, SIDE * PROOF_STEPS),
                  y = proof_between(seed, 0, SIDE * PROOF_STEPS);
    // With corners far away w must be a power of two, so that they are where they are meant to be.
    t->whole_w = proof_below(seed, 2) && span < 40000;
    const bool cut = proof_below(seed, 3) == 0;
    for (uint32_t i = 0; i < 3; i++) {
        struct corner *c = &t->c[i];
        c->at.x = x + proof_between(seed, -span, span);
        c->at.y = y + proof_between(seed, -span, span);
        c->w = t->whole_w ? proof_between(seed, 1, 100) : INT64_C(1) << proof_below(seed, 7);
        c->z = cut ? proof_between(seed, -Z_STEPS, 2 * Z_STEPS) : proof_between(seed, 0, Z_STEPS);
        for (uint32_t k = 0; k < 4; k++)
            c->value[k] = proof_between(seed, -VALUES, VALUES);
    }
    // Long and thin: all but on a line.
    if (proof_below(seed, 3) == 0) {
        t->c[2].at.x = (t->c[0].at.x + t->c[1].at.x) / 2 + proof_between(seed, -200, 200);
        t->c[2].at.y = (t->c[0].at.y + t->c[1].at.y) / 2 + proof_between(seed, -200, 200);
    }
}

static void scene_open(struct scene *s, uint32_t samples, uint32_t threads, bool per_sample)
{
    static const weft_pipeline_state writes_depth = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}};
    proof_open(&s->p,
               &(struct proof_desc){.threads = threads,
                                    .width = SIDE,
                                    .height = SIDE,
                                    .samples = samples,
                                    .colors = {WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_RGBA32_FLOAT,
                                               WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_RGBA32_FLOAT},
                                    .depth = WEFT_FORMAT_D32_FLOAT});
    s->per_sample = per_sample;
    s->pipeline = proof_pipeline(
        &s->p, (weft_graphics_pipeline_desc){
                   .vertex = {.shader = PROOF_SHADER(&s->p, inputs_vert)},
                   .fragment = {.shader = per_sample ? PROOF_SHADER(&s->p, inputs_sample_frag)
                                                     : PROOF_SHADER(&s->p, inputs_pixel_frag)},
                   .states = &writes_depth,
                   .state_count = 1});
    for (uint32_t i = 0; i < 5; i++) {
        s->texels[i] = calloc((size_t)samples * SIDE * SIDE, sizeof(*s->texels[i]));
        EXPECT(s->texels[i] != NULL);
    }
}

static void scene_close(struct scene *s)
{
    for (uint32_t i = 0; i < 5; i++)
        free(s->texels[i]);
    proof_close(&s->p);
}

static uint64_t judge(struct scene *s, uint64_t *seed, struct worst *worst)
{
    struct proof_vertex vertices[3 * COUNT];
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        if (i % 3 == 0)
            random_triangle(seed, &s->triangles[i / 3]);
        const struct corner *c = &s->triangles[i / 3].c[i % 3];
        vertices[i] = proof_vertex_at(&s->p, c->at, (float)c->z / Z_STEPS, (float)c->w);
        for (uint32_t k = 0; k < 4; k++)
            vertices[i].value[k] = (float)c->value[k];
    }
    proof_upload(&s->p, vertices, 3 * COUNT, NULL, 0);
    proof_run(&s->p, (const float[4]){0},
              &(struct proof_draw){.pipeline = s->pipeline, .count = 3 * COUNT}, 1);
    for (uint32_t i = 0; i < 5; i++) {
        proof_read(&s->p, i, s->texels[i]);
        hash ^= proof_hash(s->texels[i], sizeof(*s->texels[i]) * s->p.samples * SIDE * SIDE) << i;
    }
    for (uint32_t i = 0; i < SIDE * SIDE * s->p.samples; i++)
        judge_sample(s, i % (SIDE * SIDE), i / (SIDE * SIDE), worst);
    return hash;
}

static void judge_many(uint32_t samples, bool per_sample, uint32_t quick)
{
    struct scene s = {0};
    struct worst worst = {0};
    uint64_t seed = samples;
    const uint32_t rounds = proof_rounds(SIDE > 32 ? 2 : quick);
    scene_open(&s, samples, 2, per_sample);
    for (uint32_t i = 0; i < rounds; i++)
        (void)judge(&s, &seed, &worst);
    scene_close(&s);
    (void)printf("interpolation: %u triangles, %u samples%s; of the error that is allowed: "
                 "perspective %.2f, noperspective %.2f, centroid %.2f, w %.2f, z %.2f, z of any w "
                 "%.2f\n",
                 rounds * COUNT, samples, per_sample ? " shaded apart" : "", worst.smooth,
                 worst.linear, worst.centroid, worst.w, worst.z, worst.z_whole);
}

TEST(interpolation, at_pixels_is_exact_but_for_the_roundings)
{
    judge_many(1, false, 100);
}

TEST(interpolation, of_several_samples_is_exact_but_for_the_roundings)
{
    judge_many(2, false, 20);
    judge_many(4, false, 20);
    judge_many(8, false, 15);
}

TEST(interpolation, at_samples_is_exact_but_for_the_roundings)
{
    judge_many(2, true, 10);
    judge_many(4, true, 10);
    judge_many(8, true, 10);
}

TEST(interpolation, is_the_same_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    uint64_t first = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct scene s = {0};
        struct worst worst = {0};
        uint64_t seed = 5;
        scene_open(&s, 4, threads[i], false);
        const uint64_t hash = judge(&s, &seed, &worst);
        first = i ? first : hash;
        EXPECT_EQ(hash, first);
        scene_close(&s);
    }
}

// ---- behind the eye ----------------------------------------------------------------------------

/// Value 0, z and w of a triangle in clip space at (x, y) of the screen, in clip units: the
/// corners' weights are those that make (x, y, 1) of their x, y and w, up to a factor.
static long double at_screen(const struct proof_vertex v[3], long double x, long double y,
                             long double *z)
{
    long double l[3], sum = 0, value = 0, w = 0;
    *z = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const float *a = v[(i + 1) % 3].at, *b = v[(i + 2) % 3].at;
        l[i] = ((long double)a[1] * b[3] - (long double)a[3] * b[1]) * x +
               ((long double)a[3] * b[0] - (long double)a[0] * b[3]) * y +
               ((long double)a[0] * b[1] - (long double)a[1] * b[0]);
        sum += l[i];
    }
    for (uint32_t i = 0; i < 3; i++) {
        value += l[i] / sum * v[i].value[0];
        *z += l[i] / sum * v[i].at[2];
        w += l[i] / sum * v[i].at[3];
    }
    *z /= w;
    return value;
}

/// What may change within half a step of snapping, twice over, and some rounding.
static void judge_behind(const struct proof_vertex v[3], uint32_t pixel, float value, float depth)
{
    const long double step = 2.0L / SIDE / PROOF_STEPS;
    const uint32_t column = pixel % SIDE, row = pixel / SIDE;
    const long double x = (column + 0.5L) * 2 / SIDE - 1, y = 1 - (row + 0.5L) * 2 / SIDE;
    long double z, near_z, room = 0x1p-16L * 200, room_z = 0x1p-16L;
    const long double wanted = at_screen(v, x, y, &z);
    for (uint32_t k = 0; k < 4; k++) {
        const long double dx = k == 0   ? step
                               : k == 1 ? -step
                                        : 0,
                          dy = k == 2   ? step
                               : k == 3 ? -step
                                        : 0;
        room += fabsl(at_screen(v, x + dx, y + dy, &near_z) - wanted);
        room_z += fabsl(near_z - z);
    }
    double unused = 0;
    expect_within("a value of what is partly behind the eye", value, wanted, room, &unused);
    expect_within("depth of what is partly behind the eye", depth, z, room_z, &unused);
}

TEST(interpolation, of_what_is_partly_behind_the_eye_is_that_of_the_rest)
{
    struct scene s = {0};
    uint64_t seed = 21;
    uint32_t judged = 0;
    const uint32_t rounds = proof_rounds(SIDE > 32 ? 4 : 100);
    scene_open(&s, 1, 2, false);
    for (uint32_t round = 0; round < rounds; round++) {
        struct proof_vertex v[3];
        for (uint32_t i = 0; i < 3; i++) {
            for (uint32_t k = 0; k < 4; k++) {
                v[i].at[k] = (float)proof_between(&seed, -32, 32) / 16;
                v[i].value[k] = (float)proof_between(&seed, -100, 100);
            }
            v[i].value[3] = 1; // marks what is covered
        }
        v[0].at[3] = fabsf(v[0].at[3]) + 0.5f;
        v[1].at[3] = -fabsf(v[1].at[3]);
        proof_upload(&s.p, v, 3, NULL, 0);
        proof_run(&s.p, (const float[4]){0},
                  &(struct proof_draw){.pipeline = s.pipeline, .count = 3}, 1);
        proof_read(&s.p, 0, s.texels[0]);
        proof_read(&s.p, 4, s.texels[4]);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            if (s.texels[0][i][3] != 0) {
                judge_behind(v, i, s.texels[0][i][0], s.texels[4][i][0]);
                judged++;
            }
        }
    }
    scene_close(&s);
    EXPECT(judged > rounds);
}
