// Which samples a triangle covers.
//
// Rule: a sample is covered when its location lies inside the polygon of the snapped vertices;
// on an edge that two triangles share it belongs to exactly one of them (Vulkan, "Basic Polygon
// Rasterization": point sampling). Which one is the top-left rule, as docs/ARCHITECTURE.md
// promises: to the one for which the edge is a left edge or a level top edge. Locations are those
// of Vulkan's "Standard sample locations"; positions have 8 sub-pixel bits. A triangle of no area
// covers nothing; facing is the sign of its area ("Basic Polygon Rasterization"), culling follows.
//
// Proof: random triangles at whole 1/256 pixels, from much less than a pixel to hundreds of times
// the target, on and off it, judged one by one against edge functions in 128-bit integers. A pass
// takes 96 of them: each adds a power of two of its own to one of four floats, so that every sample
// tells which triangles covered it, and how often.
#include "proof.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cull.vert.spv.h"
#include "value.frag.spv.h"
#include "value.vert.spv.h"

enum { SIDE = 128, BITS = 24, COUNT = 4 * BITS, LARGEST = 7000000 };

struct triangle {
    struct proof_point c[3];
};

struct scene {
    struct proof p;
    weft_graphics_pipeline pipeline;
    float (*texels)[4];
    uint32_t (*wanted)[4];
};

static const weft_pipeline_state adding = {
    .blend = {.targets = {{.enable = true,
                           .color = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                           .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}}}}};

static void scene_open(struct scene *s, uint32_t samples, uint32_t threads, bool culls)
{
    proof_open(&s->p, &(struct proof_desc){.threads = threads,
                                           .width = SIDE,
                                           .height = SIDE,
                                           .samples = samples,
                                           .colors = {WEFT_FORMAT_RGBA32_FLOAT}});
    s->pipeline = proof_pipeline(
        &s->p,
        (weft_graphics_pipeline_desc){.vertex = {.shader = culls ? PROOF_SHADER(&s->p, cull_vert)
                                                                 : PROOF_SHADER(&s->p, value_vert)},
                                      .fragment = {.shader = PROOF_SHADER(&s->p, value_frag)},
                                      .states = &adding,
                                      .state_count = 1});
    s->texels = calloc((size_t)samples * SIDE * SIDE, sizeof(*s->texels));
    s->wanted = calloc((size_t)samples * SIDE * SIDE, sizeof(*s->wanted));
    EXPECT(s->texels && s->wanted);
}

static void scene_close(struct scene *s)
{
    free(s->texels);
    free(s->wanted);
    proof_close(&s->p);
}

// ---- the oracle --------------------------------------------------------------------------------

static bool is_culled(const weft_raster_state *state, bool clockwise)
{
    const bool front = clockwise == (state->front == WEFT_FRONT_CLOCKWISE);
    return state->cull == (front ? WEFT_CULL_FRONT : WEFT_CULL_BACK);
}

static int64_t clamped(int64_t v)
{
    return v < 0 ? 0 : v > SIDE ? SIDE : v;
}

/// Sets bit `bit` of every sample that the triangle covers.
static void expect_triangle(struct scene *s, const struct triangle *t, uint32_t bit,
                            const weft_raster_state *state)
{
    const wide area = proof_edge(t->c[0], t->c[1], t->c[2]);
    if (area == 0 || is_culled(state, area > 0))
        return;
    struct proof_point low = t->c[0], high = t->c[0];
    for (int i = 1; i < 3; i++) {
        low.x = t->c[i].x < low.x ? t->c[i].x : low.x;
        low.y = t->c[i].y < low.y ? t->c[i].y : low.y;
        high.x = t->c[i].x > high.x ? t->c[i].x : high.x;
        high.y = t->c[i].y > high.y ? t->c[i].y : high.y;
    }
    // Pixels that may have a sample within, and one more on each side.
    const int64_t x0 = clamped(low.x / PROOF_STEPS - 1), x1 = clamped(high.x / PROOF_STEPS + 2);
    const int64_t y0 = clamped(low.y / PROOF_STEPS - 1), y1 = clamped(high.y / PROOF_STEPS + 2);
    for (uint32_t n = 0; n < s->p.samples; n++) {
        for (int64_t y = y0; y < y1; y++) {
            uint32_t(*row)[4] = s->wanted + ((size_t)n * SIDE + (size_t)y) * SIDE;
            for (int64_t x = x0; x < x1; x++) {
                const struct proof_point at = proof_sample_at(s->p.samples, n, x, y);
                row[x][bit / BITS] |= (uint32_t)proof_covers(t->c[0], t->c[1], t->c[2], at)
                                      << bit % BITS;
            }
        }
    }
}

// ---- random triangles --------------------------------------------------------------------------

static int64_t near(uint64_t *seed, int64_t at, int32_t span)
{
    const int64_t v = at + proof_between(seed, -span, span);
    return v < -LARGEST ? -LARGEST : v > LARGEST ? LARGEST : v;
}

static void random_triangle(uint64_t *seed, struct triangle *t)
{
    static const int32_t spans[] = {20, 200, 600, 4000, 20000, 200000, LARGEST};
    static const int32_t snaps[] = {1, 1, 1, 16, 128, 256};
    const int32_t span = spans[proof_below(seed, 7)], snap = snaps[proof_below(seed, 6)];
    const int64_t x = proof_between(seed, -2000, SIDE * PROOF_STEPS + 2000),
                  y = proof_between(seed, -2000, SIDE * PROOF_STEPS + 2000);
    for (int i = 0; i < 3; i++) {
        t->c[i].x = near(seed, x, span) / snap * snap;
        t->c[i].y = near(seed, y, span) / snap * snap;
    }
    // Level and upright edges, and now and then no area at all.
    const uint32_t special = proof_below(seed, 12), i = proof_below(seed, 3), j = (i + 1) % 3;
    if (special < 2)
        t->c[j].x = t->c[i].x;
    if (special == 1 || special == 2)
        t->c[j].y = t->c[i].y;
    if (special == 3) {
        t->c[j].x = t->c[i].x + (t->c[3 - i - j].x - t->c[i].x) / 2;
        t->c[j].y = t->c[i].y + (t->c[3 - i - j].y - t->c[i].y) / 2;
    }
}

static uint64_t judge(struct scene *s, uint64_t *seed)
{
    struct triangle triangles[COUNT];
    struct proof_vertex vertices[COUNT * 3];
    weft_pipeline_state state = adding;
    state.raster.cull = (weft_cull)proof_below(seed, 3);
    state.raster.front = (weft_front_face)proof_below(seed, 2);
    const size_t texels = (size_t)SIDE * SIDE * s->p.samples;
    memset(s->wanted, 0, texels * sizeof(*s->wanted));
    for (uint32_t i = 0; i < COUNT; i++) {
        random_triangle(seed, &triangles[i]);
        expect_triangle(s, &triangles[i], i, &state.raster);
        for (uint32_t c = 0; c < 3; c++) {
            vertices[3 * i + c] = proof_vertex_at(&s->p, triangles[i].c[c], 0.5f, 1);
            vertices[3 * i + c].value[i / BITS] = (float)(1u << i % BITS);
        }
    }
    proof_upload(&s->p, vertices, COUNT * 3, NULL, 0);
    proof_run(&s->p, (const float[4]){0},
              &(struct proof_draw){.pipeline = s->pipeline, .count = COUNT * 3, .state = &state},
              1);
    proof_read(&s->p, 0, s->texels);
    for (size_t i = 0; i < texels; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            if ((double)s->texels[i][k] != s->wanted[i][k])
                test_fail(__FILE__, __LINE__,
                          "sample %zu of (%zu, %zu): %.9g, not %u, of component %u",
                          i / SIDE / SIDE, i % SIDE, i / SIDE % SIDE, s->texels[i][k],
                          s->wanted[i][k], k);
        }
    }
    return proof_hash(s->texels, texels * sizeof(*s->texels));
}

static void judge_many(uint32_t samples, uint32_t quick)
{
    struct scene s = {0};
    uint64_t seed = samples;
    const uint32_t rounds = proof_rounds(quick);
    scene_open(&s, samples, 2, false);
    for (uint32_t i = 0; i < rounds; i++)
        (void)judge(&s, &seed);
    scene_close(&s);
    (void)printf("coverage: %u triangles, %u samples\n", rounds * COUNT, samples);
}

TEST(coverage, a_pixel_is_covered_where_exact_edges_say)
{
    judge_many(1, 30);
}

TEST(coverage, two_samples_are_covered_where_exact_edges_say)
{
    judge_many(2, 4);
}

TEST(coverage, four_samples_are_covered_where_exact_edges_say)
{
    judge_many(4, 3);
}

TEST(coverage, eight_samples_are_covered_where_exact_edges_say)
{
    judge_many(8, 2);
}

TEST(coverage, is_the_same_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    uint64_t first = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct scene s = {0};
        uint64_t seed = 5;
        scene_open(&s, 4, threads[i], false);
        const uint64_t hash = judge(&s, &seed);
        first = i ? first : hash;
        EXPECT_EQ(hash, first);
        scene_close(&s);
    }
}

/// Cull distances are below, above and exactly zero; one of two that rejects is enough.
static void judge_culled(struct scene *s, uint64_t *seed)
{
    struct proof_vertex vertices[BITS * 3];
    memset(s->wanted, 0, (size_t)SIDE * SIDE * sizeof(*s->wanted));
    for (uint32_t i = 0; i < BITS; i++) {
        struct triangle t;
        bool culled[2] = {true, true};
        random_triangle(seed, &t);
        for (uint32_t c = 0; c < 3; c++) {
            struct proof_vertex *v = &vertices[3 * i + c];
            *v = proof_vertex_at(&s->p, t.c[c], 0.5f, 1);
            v->value[0] = (float)(1u << i);
            for (uint32_t k = 0; k < 2; k++) {
                v->value[1 + k] = (float)proof_between(seed, -7, 1) / 8;
                culled[k] &= v->value[1 + k] < 0;
            }
        }
        if (!culled[0] && !culled[1])
            expect_triangle(s, &t, i, &adding.raster);
    }
    proof_upload(&s->p, vertices, BITS * 3, NULL, 0);
    proof_run(&s->p, (const float[4]){0},
              &(struct proof_draw){.pipeline = s->pipeline, .count = BITS * 3}, 1);
    proof_read(&s->p, 0, s->texels);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        EXPECT((double)s->texels[i][0] == s->wanted[i][0]);
}

TEST(coverage, ends_where_a_cull_distance_is_negative_at_all_corners)
{
    struct scene s = {0};
    uint64_t seed = 11;
    const uint32_t rounds = proof_rounds(20);
    scene_open(&s, 1, 2, true);
    for (uint32_t i = 0; i < rounds; i++)
        judge_culled(&s, &seed);
    scene_close(&s);
}
