// Blending against long doubles, write masks, and every format that can be rendered to.
#include "raster_support.h"

#include "hal/format.h"
#include "hal/texel.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

#define SIDE 16

struct values {
    double src[4], second[4], dst[4], constant[4];
};

static double factor(const struct values *v, weft_blend_factor f, int c)
{
    switch (f) {
    case WEFT_BLEND_ONE:
        return 1;
    case WEFT_BLEND_SRC:
        return v->src[c];
    case WEFT_BLEND_ONE_MINUS_SRC:
        return 1 - v->src[c];
    case WEFT_BLEND_SRC_ALPHA:
        return v->src[3];
    case WEFT_BLEND_ONE_MINUS_SRC_ALPHA:
        return 1 - v->src[3];
    case WEFT_BLEND_DST:
        return v->dst[c];
    case WEFT_BLEND_ONE_MINUS_DST:
        return 1 - v->dst[c];
    case WEFT_BLEND_DST_ALPHA:
        return v->dst[3];
    case WEFT_BLEND_ONE_MINUS_DST_ALPHA:
        return 1 - v->dst[3];
    case WEFT_BLEND_SRC_ALPHA_SATURATED:
        return c == 3 ? 1 : fmin(v->src[3], 1 - v->dst[3]);
    case WEFT_BLEND_CONSTANT:
        return v->constant[c];
    case WEFT_BLEND_ONE_MINUS_CONSTANT:
        return 1 - v->constant[c];
    case WEFT_BLEND_SRC1:
        return v->second[c];
    case WEFT_BLEND_ONE_MINUS_SRC1:
        return 1 - v->second[c];
    case WEFT_BLEND_SRC1_ALPHA:
        return v->second[3];
    case WEFT_BLEND_ONE_MINUS_SRC1_ALPHA:
        return 1 - v->second[3];
    default:
        return 0;
    }
}

static double blended(const struct values *v, const weft_blend_equation *e, int c)
{
    const double sf = e->src == WEFT_BLEND_DEFAULT ? 1 : factor(v, e->src, c);
    const double df = factor(v, e->dst, c), s = v->src[c], d = v->dst[c];
    switch (e->op) {
    case WEFT_BLEND_OP_SUBTRACT:
        return s * sf - d * df;
    case WEFT_BLEND_OP_REVERSE_SUBTRACT:
        return d * df - s * sf;
    case WEFT_BLEND_OP_MIN:
        return fmin(s, d);
    case WEFT_BLEND_OP_MAX:
        return fmax(s, d);
    default:
        return s * sf + d * df;
    }
}

// Draws one color over a clear color. The target's first texel as stored bits decoded.
static void draw_over(struct raster_fixture *f, const float src[4], const float dst[4],
                      float got[4])
{
    struct raster_vertex v[6];
    raster_quad(v, 0, src);
    memcpy(f->pass.colors[0].clear.f, dst, sizeof(f->pass.colors[0].clear.f));
    raster_once(f, v, 6);
    raster_texel(f, SIDE - 1, 3, 0, got);
}

// One combination with colors of its own.
static void check_equation(struct raster_fixture *f, const weft_blend_equation *e, uint64_t *seed)
{
    struct values v;
    float src[4], dst[4], got[4];
    f->draw.blend.targets[0].color = f->draw.blend.targets[0].alpha = *e;
    for (int c = 0; c < 4; c++) {
        src[c] = (float)(raster_random(seed) % 1001) / 1000;
        dst[c] = (float)(raster_random(seed) % 256) / 255;
        f->draw.blend_constant[c] = (float)(raster_random(seed) % 1001) / 1000;
        v.src[c] = src[c];
        v.second[c] = 1 - v.src[c];
        v.dst[c] = dst[c];
        v.constant[c] = f->draw.blend_constant[c];
    }
    draw_over(f, src, dst, got);
    for (int c = 0; c < 4; c++)
        EXPECT_NEAR(got[c], fmin(fmax(blended(&v, e, c), 0), 1), 1.0 / 255);
}

TEST(raster_blend, every_factor_and_operation_within_one_step)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE);
    f.draw.fragment = &fragment_dual;
    f.draw.flags = WEFT_PIPELINE_DUAL_SOURCE;
    f.draw.blend.targets[0].enable = true;
    uint64_t seed = 1;
    const int factors = WEFT_BLEND_ONE_MINUS_SRC1_ALPHA + 1, ops = WEFT_BLEND_OP_MAX + 1;
    for (int n = 0; n < factors * factors * ops; n++) {
        const weft_blend_equation e = {(weft_blend_factor)(n % factors),
                                       (weft_blend_factor)(n / factors % factors),
                                       (weft_blend_op)(n / factors / factors)};
        check_equation(&f, &e, &seed);
    }
    raster_close(&f);
}

TEST(raster_blend, srgb_targets_blend_in_linear_light)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_BGRA8_UNORM_SRGB, WEFT_FORMAT_NONE);
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color = (weft_blend_equation){
        WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_ONE_MINUS_SRC_ALPHA, WEFT_BLEND_OP_ADD};
    const float src[4] = {1, 0.5f, 0, 0.5f}, dst[4] = {0, 0, 1, 1};
    float got[4];
    draw_over(&f, src, dst, got);
    EXPECT_EQ(f.color[2], wf_hal_linear_to_srgb(0.5f));
    EXPECT_EQ(f.color[1], wf_hal_linear_to_srgb(0.25f));
    EXPECT_EQ(f.color[0], wf_hal_linear_to_srgb(0.5f));
    raster_close(&f);
}

TEST(raster_blend, fixed_point_targets_clamp_the_source_first_and_floats_do_not)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE);
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color =
        (weft_blend_equation){WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_REVERSE_SUBTRACT};
    const float src[4] = {7, -3, 0.5f, NAN}, dst[4] = {1, 0.25f, 1, 1};
    float got[4];
    draw_over(&f, src, dst, got);
    EXPECT_NEAR(got[0], 0, 1e-6);
    EXPECT_NEAR(got[1], 0.25, 0.01);
    EXPECT_NEAR(got[2], 0.5, 0.01);
    raster_close(&f);
    f = raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_NONE);
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color =
        (weft_blend_equation){WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_REVERSE_SUBTRACT};
    draw_over(&f, src, dst, got);
    EXPECT_NEAR(got[0], -6, 1e-6);
    EXPECT_NEAR(got[1], 3.25, 1e-6);
    raster_close(&f);
}

TEST(raster_blend, layers_within_one_draw_blend_in_order)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_NONE);
    f.draw.blend.targets[0].enable = true;
    f.draw.blend.targets[0].color = (weft_blend_equation){
        WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_ONE_MINUS_SRC_ALPHA, WEFT_BLEND_OP_ADD};
    enum { LAYERS = 12 };
    struct raster_vertex v[6 * LAYERS];
    float wanted = 0;
    for (int i = 0; i < LAYERS; i++) {
        const float color[4] = {(float)i, 0, 0, 0.25f};
        raster_quad(&v[(size_t)6 * i], 0, color);
        wanted = color[0] * 0.25f + wanted * 0.75f;
    }
    raster_once(&f, v, 6 * LAYERS);
    for (uint32_t at = 0; at < SIDE * SIDE; at++)
        EXPECT(raster_red(&f, at % SIDE, at / SIDE) == wanted);
    raster_close(&f);
}

static const weft_format float_formats[] = {
    WEFT_FORMAT_R8_UNORM,      WEFT_FORMAT_RG8_UNORM,        WEFT_FORMAT_RGBA8_UNORM,
    WEFT_FORMAT_BGRA8_UNORM,   WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_BGRA8_UNORM_SRGB,
    WEFT_FORMAT_R16_FLOAT,     WEFT_FORMAT_RG16_FLOAT,       WEFT_FORMAT_RGBA16_FLOAT,
    WEFT_FORMAT_R32_FLOAT,     WEFT_FORMAT_RG32_FLOAT,       WEFT_FORMAT_RGBA32_FLOAT,
    WEFT_FORMAT_RGB10A2_UNORM, WEFT_FORMAT_RG11B10_UFLOAT,   WEFT_FORMAT_R16_UNORM,
    WEFT_FORMAT_RGBA16_UNORM,  WEFT_FORMAT_RGBA8_SNORM,      WEFT_FORMAT_RGBA16_SNORM};

TEST(raster_blend, drawing_and_clearing_store_what_the_codec_says)
{
    const float color[4] = {0.75f, 0.3f, 0.123456f, 0.6f}, clear[4] = {0.1f, 0.9f, 0.5f, 1};
    for (size_t k = 0; k < sizeof(float_formats) / sizeof(float_formats[0]); k++) {
        struct raster_fixture f = raster_open(1, 65, 3, 1, float_formats[k], WEFT_FORMAT_NONE);
        const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(float_formats[k]);
        struct raster_vertex v[6];
        uint32_t words[2][4];
        uint8_t wanted[2][16];
        memcpy(words[0], color, sizeof(color));
        memcpy(words[1], clear, sizeof(clear));
        for (int i = 0; i < 2; i++)
            wf_hal_texel_encode(codec, (const uint32_t(*)[4]) & words[i], 1, wanted[i]);
        raster_quad(v, 0, color);
        f.draw.scissor.width = 64;
        memcpy(f.pass.colors[0].clear.f, clear, sizeof(clear));
        raster_once(&f, v, 6);
        EXPECT_MEM(f.color, wanted[0], f.bytes);
        EXPECT_MEM(f.color + (size_t)63 * f.bytes, wanted[0], f.bytes);
        EXPECT_MEM(f.color + (size_t)64 * f.bytes, wanted[1], f.bytes);
        raster_close(&f);
    }
}

TEST(raster_blend, integer_targets_keep_every_bit)
{
    static const weft_format formats[] = {WEFT_FORMAT_R8_UINT,     WEFT_FORMAT_RGBA8_SINT,
                                          WEFT_FORMAT_RG16_UINT,   WEFT_FORMAT_R32_UINT,
                                          WEFT_FORMAT_RGBA32_SINT, WEFT_FORMAT_RGB10A2_UINT};
    const float color[4] = {77, 3, 120, 2};
    for (size_t k = 0; k < sizeof(formats) / sizeof(formats[0]); k++) {
        struct raster_fixture f = raster_open(1, SIDE, SIDE, 1, formats[k], WEFT_FORMAT_NONE);
        f.draw.fragment = &fragment_integer;
        f.draw.blend.targets[0].enable = true; // means nothing for integers
        f.pass.colors[0].clear = (weft_clear_color){.u = {9, 8, 7, 1}};
        f.draw.scissor.width = SIDE / 2;
        struct raster_vertex v[6];
        raster_quad(v, 0, color);
        raster_once(&f, v, 6);
        float got[4];
        uint32_t words[4];
        for (int right = 0; right < 2; right++) {
            raster_texel(&f, right ? SIDE - 1 : 0, 0, 0, got);
            memcpy(words, got, sizeof(words));
            const int count = (int)wf_hal_format_get(formats[k])->codec.components;
            const uint32_t clear[4] = {9, 8, 7, 1};
            for (int c = 0; c < count; c++)
                EXPECT_EQ(words[c], right ? clear[c] : (uint32_t)color[c]);
        }
        raster_close(&f);
    }
}

TEST(raster_blend, write_masks_leave_the_other_components_alone)
{
    const float color[4] = {1, 0.5f, 0.25f, 0.5f}, clear[4] = {0.25f, 1, 0.5f, 1};
    for (size_t k = 0; k < sizeof(float_formats) / sizeof(float_formats[0]); k++) {
        for (uint32_t mask = 1; mask <= WEFT_COLOR_MASK_NO_COLOR; mask++) {
            for (int blends = 0; blends < 2; blends++) {
                struct raster_fixture f =
                    raster_open(1, 4, 4, 1, float_formats[k], WEFT_FORMAT_NONE);
                struct raster_vertex v[6];
                float all[4], none[4], got[4];
                memcpy(f.pass.colors[0].clear.f, clear, sizeof(clear));
                f.draw.blend.targets[0].enable = blends;
                raster_quad(v, 0, color);
                raster_once(&f, v, 6);
                raster_texel(&f, 0, 0, 0, all);
                raster_once(&f, v, 0);
                raster_texel(&f, 0, 0, 0, none);
                f.draw.blend.targets[0].mask = mask;
                raster_once(&f, v, 6);
                raster_texel(&f, 0, 0, 0, got);
                for (int c = 0; c < 4; c++)
                    EXPECT(got[c] == (mask < 16 && mask >> c & 1 ? all[c] : none[c]));
                raster_close(&f);
            }
        }
    }
}

TEST(raster_blend, targets_are_written_one_by_one)
{
    struct raster_fixture f =
        raster_open(1, SIDE, SIDE, 1, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE);
    // The program writes color 0 only: color 2 keeps its clear value.
    static uint8_t other[SIDE * SIDE * 2];
    f.pass.colors[2].plane = (struct wf_sw_raster_plane){
        .data = other, .row_bytes = sizeof(other) / SIDE, .format = WEFT_FORMAT_RG8_UNORM};
    f.pass.colors[2].load = WEFT_LOAD_CLEAR;
    f.pass.colors[2].clear = (weft_clear_color){.f = {1, 0, 0, 0}};
    const float color[4] = {0, 1, 0, 1};
    struct raster_vertex v[6];
    raster_quad(v, 0, color);
    raster_once(&f, v, 6);
    EXPECT_EQ(f.color[1], 255);
    EXPECT_EQ(other[0], 255);
    EXPECT_EQ(other[1], 0);
    raster_close(&f);
}

// The rasterizer's own loops for 8-bit targets give the codec's bytes, ties included.
TEST(raster_blend, eight_bits_are_rounded_as_the_codec_does)
{
    struct raster_fixture f = raster_open(1, 64, 64, 1, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE);
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(WEFT_FORMAT_RGBA8_UNORM);
    for (uint32_t n = 0; n < 255 * 16; n++) {
        // Around each tie, from both sides.
        const float tie = ((float)(n >> 4) + 0.5f) / 255.0f;
        float color[4] = {tie, tie, tie, tie};
        for (int c = 0; c < 4; c++) {
            const uint32_t at = n % 16 * 4 + (uint32_t)c;
            for (uint32_t k = 0; k < at / 2; k++)
                color[c] = nextafterf(color[c], at & 1 ? 2.0f : -1.0f);
        }
        struct raster_vertex v[6];
        uint8_t wanted[4];
        uint32_t words[1][4];
        memcpy(words, color, sizeof(color));
        wf_hal_texel_encode(codec, (const uint32_t(*)[4])words, 1, wanted);
        raster_quad(v, 0, color);
        f.draw.scissor = (weft_rect){(int32_t)(n % 64), 0, 1, 1};
        raster_once(&f, v, 6);
        EXPECT_MEM(f.color + (size_t)4 * (n % 64), wanted, 4);
    }
    raster_close(&f);
}
