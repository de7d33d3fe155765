// What fragment programs are given: varyings by each kind of interpolation against long doubles,
// and the builtins.
#include "raster_support.h"

#include "support/test.h"

#include <math.h>
#include <string.h>

#define SIDE 64

struct corner {
    int x, y; // 1/256 pixels
    float w;  // a power of two: the division is exact
};

static struct raster_vertex vertex_of(struct corner c, const float color[4])
{
    struct raster_vertex v = {((float)c.x / (SIDE * 128) - 1) * c.w,
                              (1 - (float)c.y / (SIDE * 128)) * c.w,
                              0.25f * c.w,
                              c.w,
                              {0}};
    memcpy(v.color, color, sizeof(v.color));
    return v;
}

static long double edge(struct corner a, struct corner b, long double x, long double y)
{
    return (long double)(b.x - a.x) * (y - a.y) - (long double)(b.y - a.y) * (x - a.x);
}

static void random_triangle(uint64_t *seed, struct corner t[3], float colors[3][4])
{
    for (int i = 0; i < 3; i++) {
        t[i].x = (int)(raster_random(seed) % (SIDE * 256 * 3)) - SIDE * 256;
        t[i].y = (int)(raster_random(seed) % (SIDE * 256 * 3)) - SIDE * 256;
        t[i].w = ldexpf(1, (int)(raster_random(seed) % 8) - 2);
        for (int c = 0; c < 4; c++)
            colors[i][c] = (float)(raster_random(seed) % 20000) / 100.0f - 100.0f;
    }
}

static void check(const struct wf_sw_program *program, bool perspective)
{
    uint64_t seed = 11;
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_D32_FLOAT);
    f.draw.fragment = program;
    f.draw.depth_stencil.depth = WEFT_COMPARE_ALWAYS;
    f.draw.depth_stencil.depth_write = true;
    for (int round = 0; round < 60; round++) {
        struct corner t[3];
        float colors[3][4];
        random_triangle(&seed, t, colors);
        const struct raster_vertex v[3] = {vertex_of(t[0], colors[0]), vertex_of(t[1], colors[1]),
                                           vertex_of(t[2], colors[2])};
        raster_once(&f, v, 3);
        for (uint32_t at = 0; at < SIDE * SIDE; at++) {
            if (((const float *)(const void *)f.depth)[at] == 1.0f)
                continue; // not covered
            const long double x = (at % SIDE) * 256.0L + 128,
                              y = (at - at % SIDE) * (256.0L / SIDE) + 128;
            long double k[3] = {edge(t[1], t[2], x, y), edge(t[2], t[0], x, y),
                                edge(t[0], t[1], x, y)};
            for (int i = 0; i < 3 && perspective; i++)
                k[i] /= t[i].w;
            const long double sum = k[0] + k[1] + k[2];
            float got[4];
            raster_texel(&f, at % SIDE, at / SIDE, 0, got);
            for (int c = 0; c < 4; c++) {
                const long double wanted =
                    (k[0] * colors[0][c] + k[1] * colors[1][c] + k[2] * colors[2][c]) / sum;
                EXPECT_NEAR(got[c], (double)wanted, 1e-4); // of 200: 22 bits
            }
        }
    }
    raster_close(&f);
}

TEST(raster_interpolate, perspective_is_that_of_exact_arithmetic)
{
    check(&fragment_color, true);
}

TEST(raster_interpolate, noperspective_is_linear_on_the_screen)
{
    check(&fragment_linear, false);
}

TEST(raster_interpolate, equal_values_stay_exactly_equal)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    const float odd[4] = {0.1f, 1e-30f, 12345.678f, -7.3f};
    const struct raster_vertex v[3] = {vertex_of((struct corner){-999, -777, 4}, odd),
                                       vertex_of((struct corner){SIDE * 700, 13, 1}, odd),
                                       vertex_of((struct corner){5, SIDE * 700, 0.5f}, odd)};
    raster_once(&f, v, 3);
    for (uint32_t at = 0; at < SIDE * SIDE; at++) {
        float got[4];
        raster_texel(&f, at % SIDE, at / SIDE, 0, got);
        EXPECT_MEM(got, odd, sizeof(odd));
    }
    raster_close(&f);
}

static void flat_case(struct raster_fixture *f, const struct raster_vertex *v, float wanted)
{
    raster_once(f, v, 3);
    uint32_t seen = 0;
    for (uint32_t at = 0; at < SIDE * SIDE; at++) {
        const float red = raster_red(f, at % SIDE, at / SIDE);
        EXPECT(red == 0 || red == wanted);
        seen += red != 0;
    }
    EXPECT(seen > 100);
}

TEST(raster_interpolate, flat_takes_the_first_vertex_whatever_is_cut_or_turned)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    f.draw.fragment = &fragment_flat;
    struct raster_vertex v[3] = {{-1, -1, 0.2f, 1, {5, 0, 0, 0}},
                                 {1, -1, 0.5f, 1, {6, 0, 0, 0}},
                                 {-1, 1, 0.5f, 1, {7, 0, 0, 0}}};
    flat_case(&f, v, 5);
    const struct raster_vertex turned[3] = {v[1], v[0], v[2]};
    flat_case(&f, turned, 6);
    v[0].z = -0.5f; // the first vertex itself is cut off
    flat_case(&f, v, 5);
    v[0].z = 0.2f;
    v[1].z = 3;
    flat_case(&f, v, 5);
    f.draw.topology = WEFT_TOPOLOGY_LINE_STRIP;
    for (int cut = 0; cut < 2; cut++) {
        const struct raster_vertex line[2] = {{-1, 0.1f, cut ? 0.5f : -0.5f, 1, {5, 0, 0, 0}},
                                              {1, 0.1f, cut ? -0.5f : 0.5f, 1, {6, 0, 0, 0}}};
        raster_once(&f, line, 2);
        EXPECT(raster_red(&f, cut ? 10 : 50, 28) == 5);
    }
    raster_close(&f);
}

TEST(raster_interpolate, frag_coord_is_the_pixel_centre_depth_and_one_over_w)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_D32_FLOAT);
    f.draw.fragment = &fragment_coord;
    f.draw.depth_stencil.depth = WEFT_COMPARE_ALWAYS;
    f.draw.depth_stencil.depth_write = true;
    static const float none[4];
    const struct raster_vertex v[3] = {vertex_of((struct corner){-256, -256, 4}, none),
                                       vertex_of((struct corner){SIDE * 768, -256, 4}, none),
                                       vertex_of((struct corner){-256, SIDE * 768, 4}, none)};
    raster_once(&f, v, 3);
    for (uint32_t at = 0; at < SIDE * SIDE; at++) {
        float got[4];
        raster_texel(&f, at % SIDE, at / SIDE, 0, got);
        EXPECT(got[0] == (float)(at % SIDE) + 0.5f);
        EXPECT((uint32_t)got[1] == at / SIDE && got[1] - floorf(got[1]) == 0.5f);
        EXPECT(got[2] == ((const float *)(const void *)f.depth)[at]);
        EXPECT_NEAR(got[3], 0.25, 1e-7);
    }
    raster_close(&f);
}

TEST(raster_interpolate, front_faces_and_culling_follow_the_winding_in_clip_space)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    f.draw.fragment = &fragment_facing;
    f.pass.colors[0].clear.f[0] = 0.5f;
    // Counter-clockwise with y up.
    const struct raster_vertex v[3] = {{-1, -1, 0, 1, {0}}, {3, -1, 0, 1, {0}}, {-1, 3, 0, 1, {0}}};
    for (int front = 0; front < 2; front++) {
        for (int cull = 0; cull < 3; cull++) {
            f.draw.raster.front = (weft_front_face)front;
            f.draw.raster.cull = (weft_cull)cull;
            raster_once(&f, v, 3);
            const bool is_front = front == WEFT_FRONT_COUNTER_CLOCKWISE;
            const bool culled = cull == (is_front ? WEFT_CULL_FRONT : WEFT_CULL_BACK);
            EXPECT(raster_red(&f, 3, 3) == (culled ? 0.5f : is_front ? 1.0f : 0.0f));
        }
    }
    raster_close(&f);
}

TEST(raster_interpolate, sample_shading_runs_once_per_sample)
{
    struct raster_fixture f = raster_open(1, 8, 8, 4, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    static const float positions[4][2] = {
        {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
    struct raster_vertex v[6];
    static const float none[4];
    f.draw.fragment = &fragment_sample;
    raster_quad(v, 0, none);
    raster_once(&f, v, 6);
    for (uint32_t at = 0; at < 8; at++) {
        const uint32_t x = at < 4 ? 0 : 7, y = x, s = at % 4;
        float got[4];
        raster_texel(&f, x, y, s, got);
        EXPECT(got[0] == (float)s / 8 && got[1] == positions[s][0] && got[2] == positions[s][1]);
        EXPECT(got[3] == (x ? 1.0f : 0.0f)); // PrimitiveId: the upper left half is first
    }
    raster_close(&f);
}

TEST(raster_interpolate, primitive_ids_count_what_restarts_leave)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    // Triangle i of the strip leads with vertex i: the first column's lower and upper half ...
    struct raster_vertex v[10];
    for (int i = 0; i < 10; i++) {
        const int column = i / 2;
        v[i] = (struct raster_vertex){
            -1 + 0.5f * (float)column, i & 1 ? 1.0f : -1.0f, 0.5f, 1, {0, 0, 0, 0}};
    }
    enum { PER_INSTANCE = 700 }; // more than a batch takes
    static uint16_t indices[PER_INSTANCE + 2];
    const uint16_t strips[] = {0xffff, 0, 1, 2, 3, 0xffff, 0xffff, 6, 0xffff, 6, 7, 8, 9};
    f.draw.fragment = &fragment_sample;
    f.draw.topology = WEFT_TOPOLOGY_TRIANGLE_STRIP;
    f.draw.index_type = f.draw.restart = WEFT_INDEX_UINT16;
    f.draw.indices = (const uint8_t *)indices;
    f.draw.index_size = sizeof indices;
    f.draw.count = PER_INSTANCE + 2;
    f.draw.instance_count = 2; // both draw the same
    for (uint32_t before = 0; before <= 600; before += 300) {
        // Degenerate triangles are counted: that many of them, and a cut.
        memset(indices, 0, sizeof indices);
        for (uint32_t i = before ? before + 2 : 0; i < PER_INSTANCE + 2; i++)
            indices[i] = 0xffff;
        memcpy(&indices[before + 3], strips, sizeof strips);
        raster_once(&f, v, 10);
        const uint32_t points[4][2] = {{2, 60}, {13, 3}, {50, 60}, {61, 3}};
        for (uint32_t i = 0; i < 4; i++) {
            float got[4];
            raster_texel(&f, points[i][0], points[i][1], 0, got);
            EXPECT(got[3] == (float)(before + i));
        }
    }
    raster_close(&f);
}

TEST(raster_interpolate, the_sample_mask_is_what_the_triangle_covers_not_what_passes)
{
    struct raster_fixture f =
        raster_open(1, 8, 8, 4, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_D32_FLOAT);
    static const float none[4];
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, none);
    for (uint32_t i = 64; i < 4 * 64; i++)
        ((float *)(void *)f.depth)[i] = 1; // sample 0 stays at 0: nothing is nearer
    f.pass.depth_load = WEFT_LOAD_LOAD;
    f.draw.depth_stencil.depth = WEFT_COMPARE_LESS;
    f.draw.fragment = &fragment_coverage;
    raster_once(&f, v, 6);
    for (uint32_t s = 0; s < 4; s++) {
        float got[4];
        raster_texel(&f, 1, 1, s, got);
        EXPECT(got[0] == (s ? 15.0f : 0.0f));
    }
    raster_close(&f);
}

TEST(raster_interpolate, centroid_stays_within_the_triangle)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 8, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    // Red and green are weights: outside of the triangle one of them is negative.
    const float colors[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    const struct raster_vertex v[3] = {vertex_of((struct corner){300, 200, 1}, colors[0]),
                                       vertex_of((struct corner){SIDE * 240, 1700, 2}, colors[1]),
                                       vertex_of((struct corner){2000, SIDE * 220, 4}, colors[2])};
    for (int centroid = 0; centroid < 2; centroid++) {
        uint32_t outside = 0, covered = 0;
        f.draw.fragment = centroid ? &fragment_centroid : &fragment_color;
        raster_once(&f, v, 3);
        for (uint32_t at = 0; at < SIDE * SIDE * 8; at++) {
            float got[4];
            raster_texel(&f, at % SIDE, at / SIDE % SIDE, at / (SIDE * SIDE), got);
            covered += got[3] != 0;
            outside += got[0] < -1e-6f || got[1] < -1e-6f || got[2] < -1e-6f;
        }
        EXPECT(covered > 1000);
        EXPECT_EQ(outside != 0, !centroid);
    }
    raster_close(&f);
}
