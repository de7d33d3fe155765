// Depth and stencil: every comparison and operation, early and late, against what the words say.
#include "raster_support.h"

#include "support/test.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define SIDE 40

static const float red[4] = {0.25f, 0, 0, 1};

static struct raster_fixture open_depth(weft_format depth)
{
    return raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, depth);
}

static bool compare(weft_compare op, double a, double b)
{
    switch (op) {
    case WEFT_COMPARE_NEVER:
        return false;
    case WEFT_COMPARE_LESS:
        return a < b;
    case WEFT_COMPARE_EQUAL:
        return a == b;
    case WEFT_COMPARE_LESS_EQUAL:
        return a <= b;
    case WEFT_COMPARE_GREATER:
        return a > b;
    case WEFT_COMPARE_NOT_EQUAL:
        return a != b;
    case WEFT_COMPARE_GREATER_EQUAL:
        return a >= b;
    default:
        return true;
    }
}

TEST(raster_depth, every_comparison_decides_between_less_equal_and_greater)
{
    static const weft_format formats[] = {WEFT_FORMAT_D16_UNORM, WEFT_FORMAT_D24_UNORM,
                                          WEFT_FORMAT_D32_FLOAT};
    for (int k = 0; k < 3; k++) {
        struct raster_fixture f = open_depth(formats[k]);
        f.pass.clear_depth = 0.5f;
        for (int op = WEFT_COMPARE_NEVER; op <= WEFT_COMPARE_ALWAYS; op++) {
            for (int z = 1; z <= 3; z++) {
                struct raster_vertex v[6];
                raster_quad(v, (float)z * 0.25f, red);
                f.draw.depth_stencil.depth = (weft_compare)op;
                uint64_t passed = 0;
                f.draw.occlusion = &passed;
                raster_once(&f, v, 6);
                const bool pass = compare((weft_compare)op, z * 0.25, 0.5);
                EXPECT_EQ(raster_red(&f, 5, 6) != 0, pass);
                EXPECT_EQ(passed, pass ? SIDE * SIDE : 0);
            }
        }
        raster_close(&f);
    }
}

// A tilted triangle drawn again, by other means, meets exactly its own depth.
TEST(raster_depth, a_second_pass_finds_equal_depth_everywhere)
{
    static const weft_format formats[] = {WEFT_FORMAT_D16_UNORM, WEFT_FORMAT_D24_UNORM,
                                          WEFT_FORMAT_D32_FLOAT};
    const struct raster_vertex v[6] = {{-1.1f, -1.3f, 0.13f, 1.1f, {1, 1, 1, 1}},
                                       {4.7f, -1.2f, 0.5f, 2, {1, 1, 1, 1}},
                                       {-1.2f, 9.3f, 2.9f, 3, {1, 1, 1, 1}},
                                       {-1, -1, -0.3f, 1, {1, 1, 1, 1}},
                                       {1, -1, 0.6f, 1, {1, 1, 1, 1}},
                                       {0, 1, 0.5f, 1, {1, 1, 1, 1}}};
    for (int k = 0; k < 3; k++) {
        struct raster_fixture f = open_depth(formats[k]);
        uint64_t first = 0, second = 0;
        f.draw.depth_stencil.depth = WEFT_COMPARE_ALWAYS;
        f.draw.depth_stencil.depth_write = true;
        f.draw.occlusion = &first;
        raster_once(&f, v, 3);
        f.pass.depth_load = WEFT_LOAD_LOAD;
        f.draw.depth_stencil.depth = WEFT_COMPARE_EQUAL;
        f.draw.occlusion = &second;
        f.draw.fragment = k == 0 ? &fragment_discard : NULL; // late, and depth alone
        struct raster_vertex again[3];
        memcpy(again, v, sizeof(again));
        for (size_t i = 0; i < 3; i++)
            again[i].color[0] = 0;
        raster_once(&f, again, 3);
        EXPECT(first > 500);
        EXPECT_EQ(first, second);
        f.pass.depth_load = WEFT_LOAD_CLEAR;
        raster_close(&f);
    }
}

TEST(raster_depth, bias_is_constant_steps_plus_slope)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_D24_UNORM);
    const uint32_t *depth = (const uint32_t *)(const void *)f.depth;
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, red);
    f.draw.depth_stencil.depth = WEFT_COMPARE_ALWAYS;
    f.draw.depth_stencil.depth_write = true;
    raster_once(&f, v, 6);
    const uint32_t plain = depth[0];
    f.draw.raster.depth_bias = 64;
    raster_once(&f, v, 6);
    EXPECT_NEAR(depth[0], plain + 64.0, 1);
    f.draw.raster.depth_bias = 0;
    f.draw.raster.depth_bias_slope = 3;
    raster_once(&f, v, 6);
    EXPECT_EQ(depth[0], plain); // level: no slope
    for (int i = 0; i < 6; i++)
        v[i].z = v[i].x < 0 ? 0.0f : 0.5f;
    raster_once(&f, v, 6);
    const double slope = 0.5 / SIDE; // per pixel
    EXPECT_NEAR(depth[4], (4.5 * slope + 3 * slope) * 16777215, 4);
    f.draw.raster.depth_bias_clamp = (float)slope;
    raster_once(&f, v, 6);
    EXPECT_NEAR(depth[4], (4.5 * slope + slope) * 16777215, 4);
    raster_close(&f);
}

TEST(raster_depth, float_depth_is_biased_by_its_exponent)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_D32_FLOAT);
    struct raster_vertex v[6];
    raster_quad(v, 0.75f, red);
    f.draw.depth_stencil.depth = WEFT_COMPARE_ALWAYS;
    f.draw.depth_stencil.depth_write = true;
    f.draw.raster.depth_bias = -5;
    raster_once(&f, v, 6);
    EXPECT(*(const float *)(const void *)f.depth == 0.75f - 5 * ldexpf(1, -24));
    raster_close(&f);
}

static uint32_t stencil_of(weft_stencil_op op, uint32_t value, uint32_t reference)
{
    switch (op) {
    case WEFT_STENCIL_ZERO:
        return 0;
    case WEFT_STENCIL_REPLACE:
        return reference;
    case WEFT_STENCIL_INCREMENT_CLAMP:
        return value == 255 ? 255 : value + 1;
    case WEFT_STENCIL_DECREMENT_CLAMP:
        return value == 0 ? 0 : value - 1;
    case WEFT_STENCIL_INVERT:
        return value ^ 255;
    case WEFT_STENCIL_INCREMENT_WRAP:
        return (value + 1) & 255;
    case WEFT_STENCIL_DECREMENT_WRAP:
        return (value + 255) & 255;
    default:
        return value;
    }
}

TEST(raster_depth, every_stencil_operation_on_every_outcome)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_D32_FLOAT_S8_UINT);
    f.pass.clear_depth = 0.5f;
    static const uint32_t values[] = {0, 1, 0x5a, 255};
    struct raster_vertex v[6];
    for (uint32_t n = 0; n < 8 * 3 * 4; n++) {
        const weft_stencil_op op = (weft_stencil_op)(n % 8);
        const uint32_t outcome = n / 8 % 3, value = values[n / 24];
        weft_stencil_face face = {outcome == 0 ? WEFT_COMPARE_NEVER : WEFT_COMPARE_ALWAYS,
                                  WEFT_STENCIL_KEEP, WEFT_STENCIL_KEEP, WEFT_STENCIL_KEEP};
        *(outcome == 0 ? &face.fail : outcome == 1 ? &face.depth_fail : &face.pass) = op;
        f.draw.depth_stencil = (weft_depth_stencil_state){
            .depth = WEFT_COMPARE_LESS, .stencil = true, .front = face, .back = face};
        f.draw.stencil_reference = 0x33;
        f.pass.clear_stencil = value;
        raster_quad(v, outcome == 1 ? 0.75f : 0.25f, red);
        f.draw.fragment = n & 1 ? &fragment_discard : &fragment_color; // late and early
        raster_once(&f, v, 6);
        EXPECT_EQ(f.stencil[SIDE + 1], stencil_of(op, value, 0x33));
        EXPECT_EQ(raster_red(&f, 1, 1) != 0, outcome == 2);
    }
    raster_close(&f);
}

TEST(raster_depth, stencil_masks_and_faces)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_S8_UINT);
    struct raster_vertex v[6];
    raster_quad(v, 0, red);
    f.pass.clear_stencil = 0xf0;
    f.draw.stencil_reference = 0x3c;
    const weft_stencil_face replace = {.compare = WEFT_COMPARE_EQUAL, .pass = WEFT_STENCIL_REPLACE};
    f.draw.depth_stencil = (weft_depth_stencil_state){
        .stencil = true, .front = replace, .back = replace, .read_mask = 0x30, .write_mask = 0x0f};
    raster_once(&f, v, 6);
    EXPECT_EQ(f.stencil[0], 0xfc);
    f.draw.depth_stencil.read_mask = 0;
    raster_once(&f, v, 6);
    EXPECT_EQ(f.stencil[0], 0xf0);
    f.draw.depth_stencil.no_stencil_write = true;
    f.draw.depth_stencil.read_mask = 0x30;
    raster_once(&f, v, 6);
    EXPECT_EQ(f.stencil[0], 0xf0);
    // The quad's triangles turn clockwise: with that as the back, only the back face counts.
    f.draw.depth_stencil = (weft_depth_stencil_state){.stencil = true,
                                                      .front = {.pass = WEFT_STENCIL_ZERO},
                                                      .back = {.pass = WEFT_STENCIL_INVERT}};
    raster_once(&f, v, 6);
    EXPECT_EQ(f.stencil[0], 0x0f);
    f.draw.raster.front = WEFT_FRONT_CLOCKWISE;
    raster_once(&f, v, 6);
    EXPECT_EQ(f.stencil[0], 0);
    raster_close(&f);
}

TEST(raster_depth, killed_fragments_leave_depth_alone)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_D32_FLOAT);
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, red);
    for (int i = 0; i < 6; i++)
        v[i].color[0] = v[i].x < 0 ? 0.25f : 0.75f; // above one half on the right
    f.draw.fragment = &fragment_discard;
    f.draw.depth_stencil.depth = WEFT_COMPARE_LESS;
    f.draw.depth_stencil.depth_write = true;
    uint64_t passed = 0;
    f.draw.occlusion = &passed;
    raster_once(&f, v, 6);
    const float *depth = (const float *)(const void *)f.depth;
    EXPECT(depth[0] == 0.5f && depth[SIDE - 1] == 1.0f);
    EXPECT(raster_red(&f, 0, 0) != 0 && raster_red(&f, SIDE - 1, 0) == 0);
    EXPECT_EQ(passed, SIDE * SIDE / 2);
    raster_close(&f);
}

TEST(raster_depth, overlapping_killing_triangles_keep_their_order)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_D32_FLOAT);
    f.draw.fragment = &fragment_discard;
    f.draw.depth_stencil.depth = WEFT_COMPARE_LESS;
    f.draw.depth_stencil.depth_write = true;
    enum { LAYERS = 30 };
    static struct raster_vertex v[6 * LAYERS];
    float nearest = 2, wanted = 0;
    uint64_t seed = 5;
    for (int i = 0; i < LAYERS; i++) {
        const float z = (float)(raster_random(&seed) % 1000) / 1000;
        const float color[4] = {(float)(raster_random(&seed) % 1000) / 1000, 0, 0, 1};
        raster_quad(&v[(size_t)6 * i], z, color);
        if (color[0] <= 0.5f && z < nearest) {
            nearest = z;
            wanted = color[0];
        }
    }
    raster_once(&f, v, 6 * LAYERS);
    for (uint32_t at = 0; at < SIDE * SIDE; at++)
        EXPECT(raster_red(&f, at % SIDE, at / SIDE) == wanted);
    raster_close(&f);
}

TEST(raster_depth, written_depth_replaces_the_triangles)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_D16_UNORM);
    struct raster_vertex v[6];
    raster_quad(v, 0.9f, red);
    f.draw.fragment = &fragment_depth;
    f.draw.depth_stencil.depth = WEFT_COMPARE_LESS;
    f.draw.depth_stencil.depth_write = true;
    f.pass.clear_depth = 0.5f;
    raster_once(&f, v, 6);
    EXPECT_EQ(((const uint16_t *)(const void *)f.depth)[7], 16384);
    EXPECT(raster_red(&f, 7, 0) == 0.25f);
    raster_close(&f);
}

TEST(raster_depth, programs_with_effects_run_before_the_test_unless_told_otherwise)
{
    struct raster_fixture f = open_depth(WEFT_FORMAT_D32_FLOAT);
    struct raster_vertex v[6];
    raster_quad(v, 0.75f, red);
    f.pass.clear_depth = 0.5f;
    f.draw.depth_stencil.depth = WEFT_COMPARE_LESS;
    f.draw.fragment = &fragment_effect;
    atomic_store(&effect_count, 0);
    raster_once(&f, v, 6);
    EXPECT_EQ(atomic_load(&effect_count), SIDE * SIDE);
    struct wf_sw_program early = fragment_effect;
    early.info.modes = WF_SHADER_MODE_EARLY_FRAGMENT_TESTS;
    f.draw.fragment = &early;
    atomic_store(&effect_count, 0);
    raster_once(&f, v, 6);
    EXPECT_EQ(atomic_load(&effect_count), 0);
    raster_close(&f);
}

TEST(raster_depth, a_target_that_holds_no_number_is_not_passed)
{
    static const struct {
        weft_compare compare;
        bool passes;
    } cases[] = {{WEFT_COMPARE_LESS, false},          {WEFT_COMPARE_EQUAL, false},
                 {WEFT_COMPARE_LESS_EQUAL, false},    {WEFT_COMPARE_GREATER, false},
                 {WEFT_COMPARE_GREATER_EQUAL, false}, {WEFT_COMPARE_NOT_EQUAL, true},
                 {WEFT_COMPARE_ALWAYS, true}};
    static const float color[4] = {1, 1, 1, 1};
    struct raster_fixture f =
        raster_open(1, 8, 8, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_D32_FLOAT);
    struct raster_vertex v[6];
    raster_quad(v, 0.5f, color);
    for (uint32_t i = 0; i < 64; i++)
        ((float *)(void *)f.depth)[i] = NAN;
    f.pass.depth_load = WEFT_LOAD_LOAD;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f.draw.depth_stencil.depth = cases[i].compare;
        raster_once(&f, v, 6);
        EXPECT_EQ(raster_red(&f, 3, 3) == 1, cases[i].passes);
    }
    raster_close(&f);
}
