// Clipping at near, far, the eye, clip distances' cousins and the guard band; and positions that no
// one should send.
#include "raster_support.h"

#include "support/test.h"

#include <math.h>

#define SIDE 64

static const float white[4] = {1, 1, 1, 1};

static uint32_t count_covered(const struct raster_fixture *f)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < f->height; y++) {
        for (uint32_t x = 0; x < f->width; x++)
            count += raster_red(f, x, y) != 0;
    }
    return count;
}

static struct raster_fixture open_float(void)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_D32_FLOAT);
    f.draw.depth_stencil.depth = WEFT_COMPARE_ALWAYS;
    f.draw.depth_stencil.depth_write = true;
    return f;
}

// Depth runs from -1 to 2 over the target: only its middle third lies within the view volume.
static void ramp(struct raster_vertex v[6])
{
    raster_quad(v, 0, white);
    for (int i = 0; i < 6; i++) {
        v[i].z = v[i].x < 0 ? -1.0f : 2.0f;
        v[i].color[0] = v[i].x + 3.0f; // 2 to 4
    }
}

static float depth_at(const struct raster_fixture *f, uint32_t x, uint32_t y)
{
    return ((const float *)(const void *)f->depth)[y * f->width + x];
}

TEST(raster_clip, near_and_far_cut_where_depth_leaves_the_volume)
{
    struct raster_fixture f = open_float();
    struct raster_vertex v[6];
    ramp(v);
    raster_once(&f, v, 6);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const double at = (x + 0.5) / SIDE, z = -1 + 3 * at;
            const float red = raster_red(&f, x, y);
            if (fabs(z) < 0.01 || fabs(z - 1) < 0.01)
                continue; // cut within this pixel's neighbourhood of 1/256
            EXPECT_EQ(red != 0, z > 0 && z < 1);
            if (red != 0) {
                EXPECT_NEAR(red, 2 + 2 * at, 1e-2); // positions after a cut are rounded to 1/256
                EXPECT_NEAR(depth_at(&f, x, y), z, 1e-2);
            }
        }
    }
    raster_close(&f);
}

TEST(raster_clip, pieces_of_a_cut_mesh_meet_without_gap_or_overlap)
{
    struct raster_fixture f = open_float();
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color = (weft_blend_equation){WEFT_BLEND_ONE, WEFT_BLEND_ONE, 0};
    // A floor in perspective from behind the eye to far away, as a fan around a point on it.
    enum { SLICES = 9 };
    struct raster_vertex v[3 * SLICES];
    const struct raster_vertex middle = {0.1f, -1, 0.3f, 1.3f, {1, 1, 1, 1}};
    for (int i = 0; i < SLICES; i++) {
        struct raster_vertex *slice = &v[(size_t)3 * i];
        slice[0] = middle;
        for (int k = 0; k < 2; k++) {
            const double angle = 6.283185307179586 * ((i + k) % SLICES) / SLICES;
            const float w = 1.3f + 6 * (float)sin(angle);
            slice[1 + k] =
                (struct raster_vertex){8 * (float)cos(angle), -1, w - 1, w, {1, 1, 1, 1}};
        }
    }
    raster_once(&f, v, 3 * SLICES);
    uint32_t covered = 0;
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const float red = raster_red(&f, x, y);
            EXPECT(red <= 1.0001f);
            covered += red != 0;
            // In the middle of the floor there is no hole.
            if (y > SIDE - 8 && y < SIDE - 1)
                EXPECT(red != 0);
        }
    }
    EXPECT(covered > SIDE * 10);
    raster_close(&f);
}

TEST(raster_clip, depth_clamp_keeps_what_clipping_would_cut)
{
    struct raster_fixture f = open_float();
    f.draw.flags = WEFT_PIPELINE_DEPTH_CLAMP;
    f.draw.viewport.min_depth = 0.25f;
    f.draw.viewport.max_depth = 0.75f;
    struct raster_vertex v[6];
    ramp(v);
    raster_once(&f, v, 6);
    EXPECT_EQ(count_covered(&f), SIDE * SIDE);
    EXPECT_EQ(depth_at(&f, 0, 0) == 0.25f, 1);
    EXPECT_EQ(depth_at(&f, SIDE - 1, 0) == 0.75f, 1);
    raster_close(&f);
}

TEST(raster_clip, the_guard_band_takes_huge_triangles)
{
    struct raster_fixture f = open_float();
    const struct raster_vertex v[3] = {{-1e6f, -1e6f, 0.5f, 1, {0, 0, 0, 0}},
                                       {3e6f, -1e6f, 0.5f, 1, {4e6f, 0, 0, 0}},
                                       {-1e6f, 3e6f, 0.5f, 1, {0, 4e6f, 0, 0}}};
    raster_once(&f, v, 3);
    EXPECT_EQ(count_covered(&f), SIDE * SIDE);
    // Color is x + 1e6 in clip space: about 1e6 all over the target.
    EXPECT_NEAR(raster_red(&f, 0, 0), 1e6, 100);
    EXPECT_NEAR(raster_red(&f, SIDE - 1, SIDE - 1), 1e6, 100);
    raster_close(&f);
}

TEST(raster_clip, what_lies_behind_the_eye_is_not_drawn)
{
    struct raster_fixture f = open_float();
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    for (int i = 0; i < 6; i++) {
        v[i].w = -1;
        v[i].z = -0.5f;
    }
    raster_once(&f, v, 6);
    EXPECT_EQ(count_covered(&f), 0);
    for (int i = 0; i < 6; i++)
        v[i].w = v[i].z = v[i].x = v[i].y = 0;
    raster_once(&f, v, 6);
    EXPECT_EQ(count_covered(&f), 0);
    f.draw.flags = WEFT_PIPELINE_DEPTH_CLAMP;
    raster_once(&f, v, 6);
    EXPECT_EQ(count_covered(&f), 0);
    raster_close(&f);
}

TEST(raster_clip, positions_that_are_no_numbers_draw_nothing)
{
    struct raster_fixture f = open_float();
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 12; i++) {
        struct raster_vertex v[3] = {{-1, -1, 0.5f, 1, {1, 1, 1, 1}},
                                     {3, -1, 0.5f, 1, {1, 1, 1, 1}},
                                     {-1, 3, 0.5f, 1, {1, 1, 1, 1}}};
        float *fields[4] = {&v[1].x, &v[1].y, &v[1].z, &v[1].w};
        *fields[i / 3] = bad[i % 3];
        raster_once(&f, v, 3);
        EXPECT_EQ(count_covered(&f), 0);
    }
    // Large but finite: whatever comes out, it is within the target.
    uint64_t seed = 3;
    for (int round = 0; round < 300; round++) {
        struct raster_vertex v[3];
        for (int c = 0; c < 3; c++) {
            float *fields[4] = {&v[c].x, &v[c].y, &v[c].z, &v[c].w};
            for (int k = 0; k < 4; k++)
                *fields[k] = ldexpf((float)raster_random(&seed) / 1e9f - 1.0f,
                                    (int)(raster_random(&seed) % 250) - 125);
            for (int k = 0; k < 4; k++)
                v[c].color[k] = 1;
        }
        raster_once(&f, v, 3);
    }
    raster_close(&f);
}

TEST(raster_clip, clip_distances_cut_and_cull_distances_reject)
{
    struct raster_fixture f = open_float();
    f.draw.vertex = &vertex_distances;
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    for (int i = 0; i < 6; i++)
        v[i].color[1] = v[i].y < 0 ? -1.0f : 3.0f; // negative in the lowest quarter
    raster_once(&f, v, 6);
    EXPECT_EQ(count_covered(&f), SIDE * SIDE * 3 / 4);
    EXPECT(raster_red(&f, 0, SIDE * 3 / 4 - 1) != 0 && raster_red(&f, 0, SIDE * 3 / 4) == 0);
    for (int i = 0; i < 6; i++) {
        v[i].color[1] = 1;
        v[i].color[2] = i < 3 ? -1.0f : i == 4 ? 1.0f : -1.0f; // all of the first triangle's
    }
    raster_once(&f, v, 6);
    const uint32_t half = count_covered(&f);
    EXPECT(half > SIDE * SIDE / 2 - SIDE && half < SIDE * SIDE / 2 + SIDE);
    raster_close(&f);
}
