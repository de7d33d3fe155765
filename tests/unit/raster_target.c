// Targets, topologies and streams: sizes, scissors, samples, strips, instances, bounds, threads.
#include "raster_support.h"

#include "base/alloc.h"
#include "support/test.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const float white[4] = {1, 1, 1, 1};

static uint32_t count_lit(const struct raster_fixture *f)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < f->height; y++) {
        for (uint32_t x = 0; x < f->width; x++)
            count += raster_red(f, x, y) != 0;
    }
    return count;
}

static struct raster_fixture open_plain(uint32_t width, uint32_t height)
{
    return raster_open(1, width, height, 1, WEFT_FORMAT_RGBA32_FLOAT,
                       WEFT_FORMAT_D24_UNORM_S8_UINT);
}

TEST(raster_target, odd_sizes_are_filled_to_the_last_pixel)
{
    static const uint32_t sizes[][2] = {{1, 1}, {65, 1}, {63, 65}, {1, 129}, {64, 64}, {130, 67}};
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    for (int i = 0; i < 6; i++) {
        struct raster_fixture f = open_plain(sizes[i][0], sizes[i][1]);
        f.draw.depth_stencil.depth = WEFT_COMPARE_LESS;
        f.draw.depth_stencil.depth_write = true;
        raster_once(&f, v, 6);
        EXPECT_EQ(count_lit(&f), sizes[i][0] * sizes[i][1]);
        // What was stored is loaded again: nothing is nearer now.
        f.pass.depth_load = f.pass.colors[0].load = WEFT_LOAD_LOAD;
        uint64_t passed = 0;
        f.draw.occlusion = &passed;
        raster_once(&f, v, 6);
        EXPECT_EQ(passed, 0);
        raster_close(&f);
    }
}

TEST(raster_target, empty_targets_and_draws_are_nothing)
{
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    struct raster_fixture f = open_plain(16, 16);
    f.pass.width = 0;
    raster_once(&f, v, 6);
    f.pass.width = 16;
    raster_once(&f, v, 2);
    f.draw.instance_count = 0;
    raster_once(&f, v, 6);
    f.draw.instance_count = 1;
    f.draw.scissor = (weft_rect){5, 5, 0, 7};
    raster_once(&f, v, 6);
    f.draw.scissor = (weft_rect){16, 0, 7, 7};
    raster_once(&f, v, 6);
    EXPECT_EQ(count_lit(&f), 0);
    raster_close(&f);
}

TEST(raster_target, viewports_and_scissors_may_exceed_the_target)
{
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    struct raster_fixture f = open_plain(70, 50);
    f.draw.viewport = (weft_viewport){-100, -200, 1000, 1000, 0, 1};
    f.draw.scissor = (weft_rect){-5, -6, 4000000000u, 4000000000u};
    raster_once(&f, v, 6);
    EXPECT_EQ(count_lit(&f), 70 * 50);
    f.draw.scissor = (weft_rect){60, 48, UINT32_MAX, UINT32_MAX};
    raster_once(&f, v, 6);
    EXPECT_EQ(count_lit(&f), 10 * 2);
    // Triangles end at the viewport even if they reach beyond it.
    f.draw.scissor = (weft_rect){0, 0, 70, 50};
    f.draw.viewport = (weft_viewport){10, 20, 16, 8, 0, 1};
    for (int i = 0; i < 6; i++) {
        v[i].x *= 3;
        v[i].y *= 3;
    }
    raster_once(&f, v, 6);
    EXPECT_EQ(count_lit(&f), 16 * 8);
    EXPECT(raster_red(&f, 10, 20) == 1 && raster_red(&f, 25, 27) == 1);
    raster_close(&f);
}

TEST(raster_target, samples_resolve_to_their_average)
{
    for (uint32_t samples = 2; samples <= 8; samples *= 2) {
        struct raster_fixture f =
            raster_open(1, 66, 5, samples, WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_D32_FLOAT);
        struct raster_vertex v[6];
        raster_quad(v, 0.5f, white);
        for (int i = 0; i < 6; i++) { // the left half of pixel 65's samples, by position
            v[i].x = v[i].x < 0 ? -1.0f : (65.5f / 66) * 2 - 1;
        }
        raster_once(&f, v, 6);
        for (uint32_t x = 0; x < 66; x++) {
            float sum = 0, got[4];
            for (uint32_t s = 0; s < samples; s++) {
                raster_texel(&f, x, 2, s, got);
                sum += got[0];
            }
            raster_resolved(&f, x, 2, got);
            EXPECT_NEAR(got[0], sum / (float)samples, 0.004);
            EXPECT_EQ(sum > 0 && sum < (float)samples, x == 65);
        }
        raster_close(&f);
    }
}

TEST(raster_target, integers_resolve_to_their_first_sample)
{
    for (uint32_t samples = 2; samples <= 8; samples *= 2) {
        struct raster_fixture f =
            raster_open(1, 66, 5, samples, WEFT_FORMAT_RGBA8_UINT, WEFT_FORMAT_NONE);
        const float color[4] = {200, 100, 50, 25};
        struct raster_vertex v[6];
        raster_quad(v, 0.5f, color);
        f.draw.fragment = &fragment_integer;
        f.pass.colors[0].clear.u[0] = 7;
        for (uint32_t mask = 1; mask <= 2; mask++) {
            f.draw.sample_mask = mask;
            raster_once(&f, v, 6);
            for (size_t i = 0; i < (size_t)66 * 5; i++)
                EXPECT_EQ(f.resolve[4 * i], mask == 1 ? 200 : 7);
        }
        raster_close(&f);
    }
}

TEST(raster_target, sample_masks_of_state_program_and_alpha)
{
    struct raster_fixture f = raster_open(1, 8, 8, 4, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    struct raster_vertex v[6];
    uint64_t passed = 0;
    float got[4];
    f.draw.occlusion = &passed;
    f.draw.sample_mask = 0xfffffff5u;
    raster_quad(v, 0, white);
    raster_once(&f, v, 6);
    raster_resolved(&f, 3, 3, got);
    EXPECT(got[0] == 0.5f);
    EXPECT_EQ(passed, 8 * 8 * 2);

    f.draw.fragment = &fragment_sample_mask; // writes red as a number: samples 1 and 2
    const float six[4] = {6, 0, 0, 1};
    raster_quad(v, 0, six);
    passed = 0;
    raster_once(&f, v, 6);
    EXPECT_EQ(passed, 8 * 8); // sample 2 of the two masks
    raster_texel(&f, 0, 0, 2, got);
    EXPECT(got[0] == 6);

    f.draw.fragment = &fragment_color;
    f.draw.sample_mask = UINT32_MAX;
    f.draw.flags = WEFT_PIPELINE_ALPHA_TO_COVERAGE;
    for (int quarters = 0; quarters <= 4; quarters++) {
        const float color[4] = {1, 1, 1, (float)quarters / 4};
        raster_quad(v, 0, color);
        passed = 0;
        raster_once(&f, v, 6);
        EXPECT_EQ(passed, 8 * 8 * quarters);
    }
    raster_close(&f);
}

TEST(raster_target, strips_and_restarts_make_the_triangles_of_lists)
{
    struct raster_fixture f = open_plain(64, 64);
    f.draw.raster.cull = WEFT_CULL_BACK;
    // A zigzag of 22 vertices; indices with a cut in the middle, an odd triangle before it.
    enum { N = 22 };
    struct raster_vertex v[N];
    for (int i = 0; i < N; i++)
        v[i] = (struct raster_vertex){
            -1 + 2 * (float)(i - (i & 1)) / 20, i & 1 ? 1.0f : -1.0f, 0.5f, 1, {1, 1, 1, 1}};
    f.draw.topology = WEFT_TOPOLOGY_TRIANGLE_STRIP;
    f.draw.raster.front = WEFT_FRONT_CLOCKWISE;
    raster_once(&f, v, N);
    EXPECT_EQ(count_lit(&f), 64 * 64);
    f.draw.raster.front = WEFT_FRONT_COUNTER_CLOCKWISE;
    raster_once(&f, v, N);
    EXPECT_EQ(count_lit(&f), 0);

    uint16_t indices[] = {0, 1, 2, 3, 4, 0xffff, 6, 7, 8, 9, 0xffff, 0xffff, 1};
    f.draw.raster.front = WEFT_FRONT_CLOCKWISE;
    f.draw.index_type = f.draw.restart = WEFT_INDEX_UINT16;
    f.draw.indices = (const uint8_t *)indices;
    f.draw.index_size = sizeof(indices);
    f.draw.count = sizeof(indices) / sizeof(indices[0]);
    f.draw.depth_stencil = (weft_depth_stencil_state){.depth = WEFT_COMPARE_LESS};
    raster_once(&f, v, N);
    const uint64_t hash = raster_hash(&f);
    const uint16_t list[] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 6, 7, 8, 7, 9, 8};
    f.draw.topology = WEFT_TOPOLOGY_TRIANGLE_LIST;
    f.draw.indices = (const uint8_t *)list;
    f.draw.index_size = sizeof(list);
    f.draw.count = sizeof(list) / sizeof(list[0]);
    raster_once(&f, v, N);
    EXPECT_EQ(raster_hash(&f), hash);
    raster_close(&f);
}

// A strip of more primitives than a batch holds, with cuts everywhere, against the same triangles
// as a list.
TEST(raster_target, long_strips_with_cuts_are_split_rightly)
{
    enum { N = 3000 };
    static uint32_t strip[N], list[3 * N];
    static struct raster_vertex v[512];
    uint64_t seed = 17;
    for (int i = 0; i < 512; i++) {
        v[i] = (struct raster_vertex){(float)(raster_random(&seed) % 2000) / 1000 - 1,
                                      (float)(raster_random(&seed) % 2000) / 1000 - 1,
                                      0.5f,
                                      1,
                                      {1, 0, 0, 1}};
    }
    uint32_t start = 0, n = 0;
    for (uint32_t i = 0; i < N; i++) {
        strip[i] = raster_random(&seed) % (i < 2000 ? 20 : 700) == 0 ? UINT32_MAX
                                                                     : raster_random(&seed) % 512;
        if (strip[i] == UINT32_MAX) {
            start = i + 1;
        } else if (i >= start + 2) {
            const bool odd = (i - start) & 1;
            list[n++] = strip[i - 2];
            list[n++] = strip[odd ? i : i - 1];
            list[n++] = strip[odd ? i - 1 : i];
        }
    }
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        struct raster_fixture f = open_plain(100, 80);
        f.draw.blend.targets[0].enable = true;
        f.draw.blend.targets[0].color = (weft_blend_equation){WEFT_BLEND_ONE, WEFT_BLEND_ONE, 0};
        f.draw.raster.cull = WEFT_CULL_BACK;
        f.draw.index_type = f.draw.restart = WEFT_INDEX_UINT32;
        f.draw.topology = k == 0 ? WEFT_TOPOLOGY_TRIANGLE_STRIP : WEFT_TOPOLOGY_TRIANGLE_LIST;
        f.draw.indices = (const uint8_t *)(k == 0 ? strip : list);
        f.draw.index_size = k == 0 ? sizeof(strip) : n * sizeof(list[0]);
        f.draw.count = k == 0 ? N : n;
        raster_once(&f, v, 512);
        hashes[k] = raster_hash(&f);
        raster_close(&f);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(raster_target, instances_see_their_number_and_their_stream)
{
    struct raster_fixture f = open_plain(64, 64);
    const struct raster_vertex v[3] = {
        {-1, -1, 0.5f, 1, {0}}, {-0.75f, -1, 0.5f, 1, {0}}, {-1, 3, 0.5f, 1, {0}}};
    float colors[10][4];
    for (int i = 0; i < 10; i++)
        colors[i][0] = (float)(i + 1);
    f.draw.vertex = &vertex_instanced;
    f.draw.first_instance = 1;
    f.draw.instance_count = 3;
    raster_begin(&f);
    raster_add(&f, v, 3);
    raster_end(&f);
    // Per-instance colors: the second attribute from a stream of its own.
    raster_begin(&f);
    f.attributes[1] = (struct wf_sw_raster_attribute){1,
                                                      WEFT_VERTEX_FORMAT_FLOAT32X4,
                                                      WEFT_STEP_INSTANCE,
                                                      (const uint8_t *)colors,
                                                      sizeof(colors),
                                                      0,
                                                      sizeof(colors[0])};
    f.attributes[0].data = (const uint8_t *)v;
    EXPECT_EQ(wf_sw_raster_draw(f.raster, &f.draw), WEFT_OK);
    raster_end(&f);
    EXPECT(raster_red(&f, 0, 60) == 0); // instance 0 is not drawn
    for (uint32_t i = 1; i <= 3; i++)
        EXPECT(raster_red(&f, 8 * i + 1, 60) == (float)(i + 1));
    raster_close(&f);
}

TEST(raster_target, reads_past_the_end_of_buffers_are_zero)
{
    struct raster_fixture f = open_plain(32, 32);
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    const uint32_t indices[] = {0, 1, 2, 3000000000u, 4, 5};
    f.draw.index_type = WEFT_INDEX_UINT32;
    f.draw.indices = (const uint8_t *)indices;
    f.draw.index_size = sizeof(indices);
    f.draw.count = 6;
    raster_once(&f, v, 6); // one corner reads as 0, 0, 0, 0: behind the eye
    EXPECT(count_lit(&f) >= 31 * 32 / 2);
    f.draw.count = 600; // indices past the end are 0: degenerate triangles
    raster_once(&f, v, 6);
    f.draw.vertex_offset = -100;
    raster_once(&f, v, 6);
    f.draw.vertex_offset = INT32_MAX;
    raster_once(&f, v, 6);
    f.draw.vertex_offset = 0;
    raster_begin(&f);
    f.attributes[0].data = f.attributes[1].data = NULL;
    EXPECT_EQ(wf_sw_raster_draw(f.raster, &f.draw), WEFT_OK);
    raster_end(&f);
    EXPECT_EQ(count_lit(&f), 0);
    raster_close(&f);
}

TEST(raster_target, points_are_squares)
{
    struct raster_fixture f = open_plain(64, 64);
    f.draw.vertex = &vertex_points;
    f.draw.fragment = &fragment_point;
    f.draw.topology = WEFT_TOPOLOGY_POINT_LIST;
    const struct raster_vertex v = {0, 0, 0.5f, 1, {8, 0, 0, 0}};
    uint64_t passed = 0;
    f.draw.occlusion = &passed;
    raster_once(&f, &v, 1);
    EXPECT_EQ(passed, 64);
    float got[4];
    raster_texel(&f, 28, 35, 0, got);
    EXPECT_NEAR(got[0], 0.5 / 8, 1e-6);
    EXPECT_NEAR(got[1], 7.5 / 8, 1e-6);
    const struct raster_vertex gone = {2, 0, 0.5f, 1, {64, 0, 0, 0}};
    passed = 0;
    raster_once(&f, &gone, 1);
    EXPECT_EQ(passed, 0); // its center is outside of the view volume
    raster_close(&f);
}

TEST(raster_target, lines_take_one_pixel_per_step)
{
    struct raster_fixture f = open_plain(64, 64);
    f.draw.topology = WEFT_TOPOLOGY_LINE_STRIP;
    const struct raster_vertex v[3] = {{-1, -0.9f, 0.5f, 1, {1, 1, 1, 1}},
                                       {1, 0.3f, 0.5f, 1, {1, 1, 1, 1}},
                                       {0.9f, -3, 0.5f, 1, {1, 1, 1, 1}}};
    raster_once(&f, v, 2);
    EXPECT_EQ(count_lit(&f), 64);
    raster_once(&f, v, 3);
    for (uint32_t x = 0; x < 64; x++)
        EXPECT(raster_red(&f, x, (uint32_t)(32 * (1.9 - 1.2 * (x + 0.5) / 64))) == 1);
    for (uint32_t y = 23; y < 64; y++) // the other's first pixel is the last of the one
        EXPECT(raster_red(&f, (uint32_t)(64 - 3.2 * (y + 0.5 - 22.4) / (3.3 * 32)), y) == 1);
    EXPECT_EQ(count_lit(&f), 64 + 41);
    raster_close(&f);
}

TEST(raster_target, halves_of_points_and_lines_shade_a_pixel_once)
{
    struct raster_fixture f = raster_open(1, 64, 64, 4, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE);
    uint64_t passed = 0;
    f.draw.occlusion = &passed;
    f.draw.vertex = &vertex_points;
    f.draw.fragment = &fragment_effect;
    f.draw.topology = WEFT_TOPOLOGY_POINT_LIST;
    const struct raster_vertex point[2] = {{0, 0, 0.5f, 1, {8, 0, 0, 0}},
                                           {0.5f, 0.25f, 0.5f, 1, {10, 0, 0, 0}}};
    atomic_store(&effect_count, 0);
    raster_once(&f, point, 2);
    EXPECT_EQ(atomic_load(&effect_count), 64 + 100);
    EXPECT_EQ(passed, 4 * (64 + 100));
    f.draw.topology = WEFT_TOPOLOGY_LINE_LIST; // along the pixels of a row
    const struct raster_vertex line[2] = {{-0.5f, -1.0f / 64, 0.5f, 1, {0}},
                                          {0.5f, -1.0f / 64, 0.5f, 1, {0}}};
    atomic_store(&effect_count, 0);
    raster_once(&f, line, 2);
    EXPECT_EQ(atomic_load(&effect_count), 32);
    raster_close(&f);
}

TEST(raster_target, lines_end_at_the_viewport)
{
    struct raster_fixture f = open_plain(64, 64);
    f.draw.topology = WEFT_TOPOLOGY_LINE_LIST;
    f.draw.viewport = (weft_viewport){16, 8, 32, 48, 0, 1};
    const struct raster_vertex v[4] = {{-3, 0.01f, 0.5f, 1, {1, 1, 1, 1}},
                                       {3, 0.01f, 0.5f, 1, {1, 1, 1, 1}},
                                       {0.01f, 3, 0.5f, 1, {1, 1, 1, 1}},
                                       {0.01f, -3, 0.5f, 1, {1, 1, 1, 1}}};
    raster_once(&f, v, 4);
    for (uint32_t x = 16; x < 48; x++)
        EXPECT(raster_red(&f, x, 31) == 1);
    for (uint32_t y = 8; y < 56; y++)
        EXPECT(raster_red(&f, 32, y) == 1);
    EXPECT_EQ(count_lit(&f), 32 + 48 - 1);
    raster_close(&f);
}

static bool within(float at, float start, float size)
{
    return at > start && at < start + size;
}

TEST(raster_target, triangles_end_within_a_pixel_at_the_viewport)
{
    static const float positions[2][4][2] = {
        {{0.5f, 0.5f}}, {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}}};
    const weft_viewport p = {10.3f, 20.6f, 15.4f, 7.5f, 0, 1};
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    for (int i = 0; i < 6; i++) {
        v[i].x *= 3;
        v[i].y *= 3;
    }
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t samples = k ? 4 : 1;
        struct raster_fixture f =
            raster_open(1, 64, 64, samples, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
        f.draw.viewport = p;
        raster_once(&f, v, 6);
        for (uint32_t at = 0; at < 64 * 64 * samples; at++) {
            const uint32_t x = at % 64, y = at / 64 % 64, s = at / (64 * 64);
            const float *position = positions[k][s];
            float got[4];
            raster_texel(&f, x, y, s, got);
            EXPECT_EQ(got[0] == 1, within((float)x + position[0], p.x, p.width) &&
                                       within((float)y + position[1], p.y, p.height));
        }
        raster_close(&f);
    }
}

// A scene with everything in it: many small and some huge triangles, killing and blending.
static uint64_t scene(uint32_t threads, uint32_t samples, bool flushes)
{
    struct raster_fixture f =
        raster_open(threads, 333, 217, samples, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D24_UNORM);
    enum { SMALL = 6000, LARGE = 60 };
    struct raster_vertex *v = calloc((size_t)3 * (SMALL + LARGE), sizeof(*v));
    uint64_t seed = 99, passed = 0;
    for (int i = 0; i < SMALL + LARGE; i++) {
        const float size = i < SMALL ? 0.05f : 3.0f;
        const float x = (float)(raster_random(&seed) % 2000) / 1000 - 1;
        const float y = (float)(raster_random(&seed) % 2000) / 1000 - 1;
        for (int c = 0; c < 3; c++) {
            struct raster_vertex *p = &v[3 * i + c];
            p->w = 1 + (float)(raster_random(&seed) % 1000) / 500;
            p->x = p->w * (x + size * ((float)(raster_random(&seed) % 1000) / 1000 - 0.5f));
            p->y = p->w * (y + size * ((float)(raster_random(&seed) % 1000) / 1000 - 0.5f));
            p->z = p->w * (float)(raster_random(&seed) % 1200) / 1000 - 0.1f;
            for (int k = 0; k < 4; k++)
                p->color[k] = (float)(raster_random(&seed) % 1000) / 1000;
        }
    }
    f.draw.depth_stencil.depth = WEFT_COMPARE_LESS_EQUAL;
    f.draw.depth_stencil.depth_write = true;
    f.draw.occlusion = &passed;
    raster_begin(&f);
    raster_add(&f, v, 3 * SMALL);
    if (flushes)
        EXPECT_EQ(wf_sw_raster_flush(f.raster), WEFT_OK);
    f.draw.fragment = &fragment_discard;
    raster_add(&f, &v[(size_t)3 * SMALL], 3 * LARGE);
    if (flushes)
        EXPECT_EQ(wf_sw_raster_flush(f.raster), WEFT_OK);
    f.draw.fragment = &fragment_color;
    f.draw.depth_stencil.depth_write = false;
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color =
        (weft_blend_equation){WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_ONE_MINUS_SRC_ALPHA, 0};
    raster_add(&f, &v[3000], 3 * SMALL - 3000);
    for (int i = 0; i < 50; i++) // and many tiny draws
        raster_add(&f, &v[(size_t)3 * i], 6);
    raster_end(&f);
    const uint64_t hash = raster_hash(&f) ^ passed * 0x9e3779b97f4a7c15u;
    free(v);
    raster_close(&f);
    return hash;
}

TEST(raster_target, the_image_is_the_same_for_any_number_of_threads)
{
    for (uint32_t samples = 1; samples <= 4; samples *= 4) {
        const uint64_t hash = scene(1, samples, false);
        EXPECT_EQ(scene(2, samples, false), hash);
        EXPECT_EQ(scene(7, samples, false), hash);
        EXPECT_EQ(scene(16, samples, false), hash);
        EXPECT_EQ(scene(2, samples, true), hash);
    }
}

// More triangles than one flush holds, each over several tiles.
static uint64_t crowd(uint32_t threads)
{
    struct raster_fixture f =
        raster_open(threads, 192, 128, 1, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D32_FLOAT);
    static struct raster_vertex v[6];
    const float faint[4] = {0.6f, 0.2f, 0.1f, 0.01f};
    raster_quad(v, 0.5f, faint);
    for (int i = 0; i < 6; i++) {
        v[i].x = v[i].x * 0.02f - 0.985f;
        v[i].y *= 0.02f;
    }
    f.draw.vertex = &vertex_instanced; // by a quarter each: most are outside, after setup
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color =
        (weft_blend_equation){WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_ONE_MINUS_SRC_ALPHA, 0};
    f.draw.instance_count = 8;
    raster_begin(&f);
    for (int i = 0; i < 20000; i++)
        raster_add(&f, v, 6);
    EXPECT_EQ(wf_sw_raster_end(f.raster), WEFT_OK);
    EXPECT(wf_sw_raster_times_take(f.raster).flushes > 1);
    const uint64_t hash = raster_hash(&f);
    raster_close(&f);
    return hash;
}

TEST(raster_target, passes_that_need_several_flushes_are_whole)
{
    EXPECT_EQ(crowd(1), crowd(3));
}

TEST(raster_target, statistics_count_work_not_threads)
{
    weft_pipeline_statistics s[2] = {{0}, {0}};
    for (uint32_t i = 0; i < 2; i++) {
        struct raster_fixture f =
            raster_open(1 + 3 * i, 64, 64, 1, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE);
        struct raster_vertex v[6];
        raster_quad(v, 0.5f, white);
        f.draw.statistics = &s[i];
        f.draw.instance_count = 5;
        raster_once(&f, v, 6);
        raster_close(&f);
    }
    EXPECT_EQ(s[0].vertices, 30);
    EXPECT_EQ(s[0].primitives, 10);
    EXPECT_EQ(s[0].clipped_out, 10);
    EXPECT_EQ(s[0].fragment_invocations, 5 * 64 * 64);
    EXPECT_MEM(&s[0], &s[1], sizeof(s[0]));
}

// The n-th allocation fails: the pass says so or does without, and what follows works again.
TEST(raster_target, running_out_of_memory_is_reported_and_leaks_nothing)
{
    struct raster_fixture f = open_plain(100, 100);
    struct raster_vertex v[9];
    raster_quad(v, 0.5f, white);
    for (int i = 6; i < 9; i++) { // and one that is cut
        v[i] = v[i - 6];
        v[i].z = i == 6 ? -1.0f : 0.5f;
    }
    f.attributes[0].data = f.attributes[1].data = (const uint8_t *)v;
    f.attributes[0].size = f.attributes[1].size = sizeof(v);
    f.draw.attributes = f.attributes;
    f.draw.vertex_resources = f.draw.fragment_resources = &f.resources;
    f.draw.count = 9;
    uint32_t failures = 0;
    for (uint64_t n = 1; n < 60; n++) {
        struct wf_base_counting_allocator counting;
        wf_base_counting_init(&counting, wf_base_allocator_default());
        wf_base_counting_fail(&counting, n, n & 1);
        struct wf_sw_raster *r = wf_sw_raster_create(f.tasks, &counting.allocator);
        for (int pass = 0; r && pass < 2; pass++) {
            weft_result result = wf_sw_raster_begin(r, &f.pass);
            if (result == WEFT_OK) {
                (void)wf_sw_raster_draw(r, &f.draw);
                result = wf_sw_raster_end(r);
            }
            EXPECT(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
            failures += result != WEFT_OK;
            wf_base_counting_fail(&counting, 0, false);
        }
        wf_sw_raster_destroy(r);
        EXPECT_EQ(counting.live_bytes, 0);
    }
    EXPECT(failures > 5);
    raster_close(&f);
}

TEST(raster_target, a_frame_like_the_last_one_allocates_nothing)
{
    struct raster_fixture f = open_plain(96, 80);
    struct wf_base_counting_allocator counting;
    wf_base_counting_init(&counting, wf_base_allocator_default());
    wf_sw_raster_destroy(f.raster);
    f.raster = wf_sw_raster_create(f.tasks, &counting.allocator);
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, white);
    f.draw.instance_count = 500;
    raster_once(&f, v, 6);
    const uint64_t calls = counting.calls;
    for (int i = 0; i < 3; i++)
        raster_once(&f, v, 6);
    EXPECT_EQ(counting.calls, calls);
    raster_close(&f);
}
