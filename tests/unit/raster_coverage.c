// Which samples a triangle covers, against edge functions in 128-bit integers with the top-left
// rule as the specifications word it.
#include "raster_support.h"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#define SIDE 128 // pixels: positions of 1/256 pixel then go through the viewport exactly

struct point {
    int64_t x, y; // 1/256 pixels
};

static const float one[4] = {1, 1, 1, 1};

static struct raster_vertex vertex_at(struct point p)
{
    struct raster_vertex v = {
        (float)p.x / (SIDE * 128) - 1.0f, 1.0f - (float)p.y / (SIDE * 128), 0.5f, 1, {0}};
    memcpy(v.color, one, sizeof(one));
    return v;
}

static __int128 edge(struct point a, struct point b, int64_t x, int64_t y)
{
    return (__int128)(b.x - a.x) * (y - a.y) - (__int128)(b.y - a.y) * (x - a.x);
}

// A point on an edge belongs to the triangle if the edge is a left or a top one.
static bool owns(struct point a, struct point b, int64_t x, int64_t y)
{
    const __int128 e = edge(a, b, x, y);
    const bool top = a.y == b.y && b.x > a.x, left = b.y < a.y;
    return e > 0 || (e == 0 && (top || left));
}

static bool covers(const struct point t[3], int64_t x, int64_t y)
{
    const __int128 area = edge(t[0], t[1], t[2].x, t[2].y);
    if (area == 0)
        return false;
    const struct point a = t[0], b = area > 0 ? t[1] : t[2], c = area > 0 ? t[2] : t[1];
    return owns(a, b, x, y) && owns(b, c, x, y) && owns(c, a, x, y);
}

static struct raster_fixture counting(uint32_t samples)
{
    struct raster_fixture f =
        raster_open(2, SIDE, SIDE, samples, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color = (weft_blend_equation){WEFT_BLEND_ONE, WEFT_BLEND_ONE, 0};
    f.draw.blend.targets[0].alpha = (weft_blend_equation){WEFT_BLEND_ONE, WEFT_BLEND_ONE, 0};
    return f;
}

#define GRID 24

// Points of a grid that is larger than the target. Inner ones move if `moves`, but never so far
// that a cell folds over.
static void make_grid(struct point grid[GRID + 1][GRID + 1], uint64_t *seed, bool moves)
{
    const int64_t margin = 2048;
    const int64_t step = INT64_C(256) * (SIDE + 16) / GRID;
    for (int at = 0; at < (GRID + 1) * (GRID + 1); at++) {
        const int x = at % (GRID + 1), y = at / (GRID + 1);
        struct point *p = &grid[y][x];
        *p = (struct point){x * step - margin, y * step - margin};
        if (moves && x > 0 && y > 0 && x < GRID && y < GRID) {
            p->x += (int64_t)(raster_random(seed) % (unsigned)(step / 2)) - step / 4;
            p->y += (int64_t)(raster_random(seed) % (unsigned)(step / 2)) - step / 4;
        }
    }
}

TEST(raster_coverage, a_random_mesh_covers_each_pixel_once)
{
    static struct point grid[GRID + 1][GRID + 1];
    static struct raster_vertex mesh[GRID * GRID][6];
    uint64_t seed = 7;
    struct raster_fixture f = counting(1);
    for (int round = 0; round < 6; round++) {
        make_grid(grid, &seed, round > 0);
        for (int cell = 0; cell < GRID * GRID; cell++) {
            const int x = cell % GRID, y = cell / GRID;
            const struct raster_vertex a = vertex_at(grid[y][x]), b = vertex_at(grid[y][x + 1]),
                                       c = vertex_at(grid[y + 1][x]),
                                       d = vertex_at(grid[y + 1][x + 1]);
            const bool other = raster_random(&seed) & 1;
            const struct raster_vertex two[6] = {a, b, other ? d : c, other ? a : b, d, c};
            memcpy(mesh[cell], two, sizeof(two));
        }
        raster_once(&f, mesh[0], GRID * GRID * 6);
        for (uint32_t at = 0; at < SIDE * SIDE; at++)
            EXPECT_EQ(raster_red(&f, at % SIDE, at / SIDE), 1);
    }
    raster_close(&f);
}

static void random_triangle(uint64_t *seed, struct point t[3])
{
    // Small, medium and huge ones; now and then on pixel centers, where ties are.
    static const int64_t spans[] = {600, 4000, 40000, 2000000};
    const int64_t span = spans[raster_random(seed) % 4];
    const bool snap = raster_random(seed) % 3 == 0;
    const int64_t x = raster_random(seed) % (SIDE * 256), y = raster_random(seed) % (SIDE * 256);
    for (int i = 0; i < 3; i++) {
        t[i].x = x + raster_random(seed) % (uint32_t)(2 * span) - span;
        t[i].y = y + raster_random(seed) % (uint32_t)(2 * span) - span;
        if (snap) {
            t[i].x = t[i].x / 128 * 128;
            t[i].y = t[i].y / 128 * 128;
        }
    }
}

static void check_random(uint32_t samples, const uint8_t positions[][2], int rounds)
{
    enum { COUNT = 24 };
    uint64_t seed = samples;
    struct raster_fixture f = counting(samples);
    for (int round = 0; round < rounds; round++) {
        struct point t[COUNT][3];
        struct raster_vertex v[COUNT * 3];
        for (int i = 0; i < COUNT; i++) {
            random_triangle(&seed, t[i]);
            for (int c = 0; c < 3; c++)
                v[3 * i + c] = vertex_at(t[i][c]);
        }
        raster_once(&f, v, COUNT * 3);
        for (uint32_t at = 0; at < SIDE * SIDE * samples; at++) {
            const uint32_t x = at % SIDE, y = at / SIDE % SIDE, s = at / (SIDE * SIDE);
            int wanted = 0;
            for (int i = 0; i < COUNT; i++)
                wanted +=
                    covers(t[i], x * 256 + positions[s][0] * 16, y * 256 + positions[s][1] * 16);
            float texel[4];
            raster_texel(&f, x, y, s, texel);
            EXPECT_EQ(texel[0], wanted);
        }
    }
    raster_close(&f);
}

TEST(raster_coverage, random_triangles_cover_what_exact_edges_say)
{
    check_random(1, (const uint8_t[][2]){{8, 8}}, 30);
}

// The standard sample locations of Vulkan, in 1/16 pixels.
TEST(raster_coverage, samples_lie_at_the_standard_positions)
{
    check_random(2, (const uint8_t[][2]){{12, 12}, {4, 4}}, 6);
    check_random(4, (const uint8_t[][2]){{6, 2}, {14, 6}, {2, 10}, {10, 14}}, 6);
    check_random(
        8,
        (const uint8_t[][2]){{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
        4);
}

TEST(raster_coverage, slivers_and_degenerate_triangles_are_safe)
{
    struct raster_fixture f = counting(1);
    struct raster_vertex v[9] = {
        vertex_at((struct point){0, 0}),       vertex_at((struct point){25600, 25600}),
        vertex_at((struct point){0, 0}),       vertex_at((struct point){128, 128}),
        vertex_at((struct point){128, 128}),   vertex_at((struct point){128, 128}),
        vertex_at((struct point){0, 1000}),    vertex_at((struct point){30000, 1001}),
        vertex_at((struct point){15000, 1000})};
    raster_once(&f, v, 9);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++)
            EXPECT_EQ(raster_red(&f, x, y), 0);
    }
    raster_close(&f);
}
