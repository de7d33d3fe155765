// Triangles filled with lines: their edges, and nothing else.
#include <string.h>

#include "raster_support.h"
#include "support/test.h"

enum { SIDE = 64, LOW = 8, HIGH = 56 };

/// A corner at a pixel's middle.
static struct raster_vertex at(int x, int y)
{
    return (struct raster_vertex){
        (2 * (float)x + 1) / SIDE - 1, 1 - (2 * (float)y + 1) / SIDE, 0.5f, 1, {1, 1, 1, 1}};
}

static void open_with(struct raster_fixture *f, uint32_t samples)
{
    *f = raster_open(2, SIDE, SIDE, samples, WEFT_FORMAT_R32_FLOAT, WEFT_FORMAT_NONE);
    f->draw.raster.fill = WEFT_FILL_LINE;
}

TEST(raster_edges, every_sample_of_rows_and_columns_is_covered)
{
    for (uint32_t samples = 1; samples <= 8; samples *= 2) {
        struct raster_fixture f;
        open_with(&f, samples);
        const struct raster_vertex v[3] = {at(LOW, LOW), at(LOW, HIGH), at(HIGH, LOW)};
        raster_once(&f, v, 3);
        for (uint32_t s = 0; s < samples; s++) {
            for (uint32_t i = LOW + 1; i < HIGH; i++) {
                float row[4], column[4], inside[4];
                raster_texel(&f, i, LOW, s, row);
                raster_texel(&f, LOW, i, s, column);
                EXPECT(row[0] == 1 && column[0] == 1);
                raster_texel(&f, LOW + 2, LOW + 2 + (i - LOW) / 2, s, inside);
                EXPECT(inside[0] == 0);
            }
        }
        raster_close(&f);
    }
}

TEST(raster_edges, what_is_culled_or_has_no_area_draws_nothing)
{
    struct raster_fixture f;
    open_with(&f, 1);
    const struct raster_vertex line[3] = {at(LOW, LOW), at(HIGH, HIGH), at(LOW, LOW)};
    const struct raster_vertex turned[3] = {at(LOW, LOW), at(HIGH, LOW), at(LOW, HIGH)};
    weft_pipeline_statistics statistics = {0};
    uint64_t passed = 0;
    f.draw.statistics = &statistics;
    f.draw.occlusion = &passed;
    raster_once(&f, line, 3);
    EXPECT_EQ(passed, 0);
    f.draw.raster.cull = WEFT_CULL_BACK;
    raster_once(&f, turned, 3);
    EXPECT_EQ(passed, 0);
    f.draw.raster.cull = WEFT_CULL_FRONT;
    raster_once(&f, turned, 3);
    EXPECT_EQ(passed, 3 * (HIGH - LOW)); // each edge without the pixel that it ends in
    EXPECT_EQ(statistics.clipped_in, 3);
    EXPECT_EQ(statistics.clipped_out, 2);
    raster_close(&f);
}

/// The two halves of a line that share a pixel draw it once, whatever the direction.
TEST(raster_edges, an_edge_blends_once)
{
    struct raster_fixture f;
    open_with(&f, 1);
    f.draw.blend.targets[0] =
        (weft_blend_target){.enable = true,
                            .color = {.src = WEFT_BLEND_ONE, .dst = WEFT_BLEND_ONE},
                            .alpha = {.src = WEFT_BLEND_ONE, .dst = WEFT_BLEND_ONE}};
    const struct raster_vertex v[3] = {at(LOW, LOW), at(33, HIGH), at(HIGH, 21)};
    raster_once(&f, v, 3);
    uint32_t twice = 0;
    float sum = 0;
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            EXPECT(raster_red(&f, x, y) <= 2);
            sum += raster_red(&f, x, y);
            twice += raster_red(&f, x, y) > 1;
        }
    }
    EXPECT(twice <= 6);          // near the corners, where two edges are
    EXPECT(sum == 48 + 35 + 48); // a pixel for each step along an edge's longer side
    EXPECT(raster_red(&f, 20, 32) + raster_red(&f, 21, 32) == 1); // half-way along the first
    raster_close(&f);
}

/// Corners anywhere, behind the eye and out of all bounds as well. Something of it is seen.
static uint64_t draw_wild(uint32_t threads, uint32_t samples)
{
    static struct raster_vertex v[3 * 400];
    struct raster_fixture f =
        raster_open(threads, 200, 150, samples, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D32_FLOAT);
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 3 * 400; i++) {
        const float scale = i % 7 == 0 ? 1e6f : i % 3 == 0 ? 20 : 1.5f;
        const float unit = 0x1p-30f;
        v[i].x = ((float)raster_random(&seed) * unit - 1) * scale;
        v[i].y = ((float)raster_random(&seed) * unit - 1) * scale;
        v[i].z = (float)raster_random(&seed) * unit * 0.5f;
        v[i].w = i % 5 == 0 ? (float)raster_random(&seed) * unit - 1 : 1;
        for (uint32_t k = 0; k < 4; k++)
            v[i].color[k] = (float)raster_random(&seed) * unit * 0.5f;
    }
    f.draw.raster = (weft_raster_state){
        .fill = WEFT_FILL_LINE, .cull = WEFT_CULL_BACK, .depth_bias = 3, .depth_bias_slope = 1};
    f.draw.depth_stencil =
        (weft_depth_stencil_state){.depth = WEFT_COMPARE_LESS, .depth_write = true};
    uint64_t passed = 0;
    f.draw.occlusion = &passed;
    raster_once(&f, v, 3 * 400);
    EXPECT(passed > 1000); // of hundreds of edges that are tens of pixels long
    const uint64_t hash = raster_hash(&f);
    raster_close(&f);
    return hash;
}

TEST(raster_edges, wild_triangles_give_the_same_bits_on_any_number_of_threads)
{
    for (uint32_t samples = 1; samples <= 8; samples *= 2) {
        const uint64_t one = draw_wild(1, samples);
        EXPECT_EQ(draw_wild(2, samples), one);
        EXPECT_EQ(draw_wild(7, samples), one);
    }
}
