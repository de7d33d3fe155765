// Levels of detail: a chain whose every level holds its own number shows which ones were read.
#include <math.h>

#include "image_fixture.h"

/// 128 × 64 texels; level l is filled with l.
static struct wf_sw_image open_ladder(weft_texture_kind kind, weft_format format)
{
    const bool cube = kind == WEFT_TEXTURE_CUBE;
    struct wf_sw_image image =
        image_open(&(weft_texture_desc){.kind = kind,
                                        .format = format,
                                        .width = 128,
                                        .height = cube                      ? 128
                                                  : kind == WEFT_TEXTURE_1D ? 1
                                                                            : 64,
                                        .mips = WEFT_MIPS_ALL});
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(format);
    for (uint32_t m = 0; m < image.mips; m++)
        for (uint32_t layer = 0; layer < image.layers; layer++)
            for (uint32_t y = 0; y < image.main.mips[m].height; y++)
                for (uint32_t x = 0; x < image.main.mips[m].width; x++) {
                    const uint32_t texel[1][4] = {{wf_base_float_bits((float)m)}};
                    wf_hal_texel_encode(codec, texel, 1,
                                        image_texel(&image, (struct place){m, layer, 0, x, y}));
                }
    return image;
}

static struct wf_sw_sampler ladder_sampler(weft_sampler_desc desc)
{
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler, &desc);
    return sampler;
}

static float sample_one(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                        const struct wf_sw_sample_args *args, uint32_t lane)
{
    uint32_t out[4][64];
    wf_sw_image_sample(view, sampler, args, UINT64_C(1) << lane, out);
    return lane_float(out, 0, lane);
}

/// Coordinates whose quad derivatives are (dudx, dvdx) and (dudy, dvdy).
static void slope(float u[64], float v[64], double dudx, double dvdx, double dudy, double dvdy)
{
    for (int i = 0; i < 64; i++) {
        u[i] = (float)(0.3 + (i & 1) * dudx + (i >> 1 & 1) * dudy);
        v[i] = (float)(0.6 + (i & 1) * dvdx + (i >> 1 & 1) * dvdy);
    }
}

TEST(image_lod, implicit_level_is_the_log2_of_the_longer_derivative)
{
    struct wf_sw_image image = open_ladder(WEFT_TEXTURE_2D, WEFT_FORMAT_R16_FLOAT);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    const struct wf_sw_sampler sampler = ladder_sampler((weft_sampler_desc){
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR});
    struct rng rng = {1};
    for (int round = 0; round < 5000; round++) {
        float u[64], v[64];
        double d[4];
        for (int k = 0; k < 4; k++)
            d[k] = ((int)rng_below(&rng, 2001) - 1000) / 4000.0;
        slope(u, v, d[0], d[1], d[2], d[3]);
        const double dx = hypot(((double)u[1] - u[0]) * 128, ((double)v[1] - v[0]) * 64);
        const double dy = hypot(((double)u[2] - u[0]) * 128, ((double)v[2] - v[0]) * 64);
        const double want = fmin(fmax(log2(fmax(dx, dy)), 0), 7);
        const struct wf_sw_sample_args args = {.coords = {u, v}};
        for (uint32_t lane = 0; lane < 4; lane++)
            EXPECT_NEAR(sample_one(&view, &sampler, &args, lane), want, 2e-6);
        float query[2][64];
        wf_sw_image_query_lod(&view, &sampler, &args, 0xf0, query);
        EXPECT_NEAR(query[0][5], want, 2e-6);
        EXPECT_NEAR(query[1][6], log2(fmax(dx, dy)), 2e-6);
    }
    image_close(&image);
}

TEST(image_lod, gradients_do_as_derivatives_do)
{
    struct wf_sw_image image = open_ladder(WEFT_TEXTURE_2D, WEFT_FORMAT_R16_FLOAT);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    const struct wf_sw_sampler sampler = ladder_sampler((weft_sampler_desc){
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR});
    float u[64], ddx[2][64], ddy[2][64];
    fill_row_f(u, 0.5f);
    for (int i = 0; i < 64; i++) {
        ddx[0][i] = (float)i / 128;
        ddx[1][i] = 0;
        ddy[0][i] = 0;
        ddy[1][i] = (float)(63 - i) / 64;
    }
    const struct wf_sw_sample_args args = {.coords = {u, u},
                                           .mode = WF_SW_LOD_GRADIENT,
                                           .ddx = {ddx[0], ddx[1]},
                                           .ddy = {ddy[0], ddy[1]}};
    uint32_t out[4][64];
    wf_sw_image_sample(&view, &sampler, &args, UINT64_MAX, out);
    for (uint32_t i = 0; i < 64; i++)
        EXPECT_NEAR(lane_float(out, 0, i), log2(fmax(i, 63 - i)), 1e-6);
    image_close(&image);
}

TEST(image_lod, bias_and_limits_apply_in_order)
{
    struct wf_sw_image image = open_ladder(WEFT_TEXTURE_2D, WEFT_FORMAT_R16_FLOAT);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    static const struct {
        float sampler_bias, bias, min, max, min_lod, want; ///< The derivatives give level 2.
    } cases[] = {
        {0, 0, 0, 0, 0, 2},       {1, 0, 0, 0, 0, 3},    {1, 1.5f, 0, 0, 0, 4.5f},
        {0, 100, 0, 0, 0, 7},     {-3, 0, 0, 0, 0, 0},   {0, 0, 3.25f, 10, 0, 3.25f},
        {0, 0, 0, 1.5f, 0, 1.5f}, {0, 0, 0, 1.5f, 3, 3}, {NAN, 0, 0, 0, 0, 0},
    };
    float u[64], v[64], bias[64], min_lod[64];
    slope(u, v, 4.0 / 128, 0, 0, 4.0 / 64);
    for (int k = 0; k < 9; k++) {
        const struct wf_sw_sampler sampler =
            ladder_sampler((weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                               .min = WEFT_FILTER_LINEAR,
                                               .mip = WEFT_FILTER_LINEAR,
                                               .lod_bias = cases[k].sampler_bias,
                                               .lod_min = cases[k].min,
                                               .lod_max = cases[k].max});
        fill_row_f(bias, cases[k].bias);
        fill_row_f(min_lod, cases[k].min_lod);
        const struct wf_sw_sample_args args = {
            .coords = {u, v}, .lod = bias, .lod_min = cases[k].min_lod ? min_lod : NULL};
        EXPECT_NEAR(sample_one(&view, &sampler, &args, 9), cases[k].want, 1e-5);
    }
    image_close(&image);
}

TEST(image_lod, only_base_mip_reads_the_base)
{
    struct wf_sw_image image = open_ladder(WEFT_TEXTURE_2D, WEFT_FORMAT_R16_FLOAT);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){.mip = 1});
    const struct wf_sw_sampler sampler =
        ladder_sampler((weft_sampler_desc){.only_base_mip = true, .mip = WEFT_FILTER_LINEAR});
    float lod[64];
    fill_row_f(lod, 5);
    const struct wf_sw_sample_args args = {.mode = WF_SW_LOD_EXPLICIT, .lod = lod};
    EXPECT_NEAR(sample_one(&view, &sampler, &args, 0), 1, 0);
    image_close(&image);
}

TEST(image_lod, nearest_mip_rounds_halves_down)
{
    struct wf_sw_image image = open_ladder(WEFT_TEXTURE_2D, WEFT_FORMAT_R16_FLOAT);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    const struct wf_sw_sampler sampler = ladder_sampler((weft_sampler_desc){0});
    for (int i = -32; i < 300; i++) {
        float lod[64];
        fill_row_f(lod, (float)i / 32);
        const struct wf_sw_sample_args args = {.mode = WF_SW_LOD_EXPLICIT, .lod = lod};
        const double d = fmin(fmax(i / 32.0, 0), 7);
        EXPECT_NEAR(sample_one(&view, &sampler, &args, 3), ceil(d + 0.5) - 1, 0);
    }
    image_close(&image);
}

TEST(image_lod, one_dimension_has_one_derivative)
{
    struct wf_sw_image image = open_ladder(WEFT_TEXTURE_1D, WEFT_FORMAT_R16_FLOAT);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    const struct wf_sw_sampler sampler = ladder_sampler((weft_sampler_desc){
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR});
    float u[64], v[64];
    slope(u, v, 8.0 / 128, 1, 0, 1);
    EXPECT_NEAR(sample_one(&view, &sampler, &(struct wf_sw_sample_args){.coords = {u, v}}, 0), 3,
                1e-5);
    image_close(&image);
}

/// One step of s across a face in the middle of a pixel quad.
TEST(image_lod, cube_derivatives_follow_the_face)
{
    struct wf_sw_image image = open_ladder(WEFT_TEXTURE_CUBE, WEFT_FORMAT_R16_FLOAT);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    const struct wf_sw_sampler sampler = ladder_sampler((weft_sampler_desc){
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR});
    for (int major = 0; major < 3; major++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float rows[3][64];
            for (int i = 0; i < 64; i++) {
                rows[major][i] = (float)sign * 2;
                rows[(major + 1) % 3][i] = (float)(i & 1) * 4 * 2 * 2 / 128; // 4 texels
                rows[(major + 2) % 3][i] = (float)(i >> 1 & 1) * 2 * 2 / 128;
            }
            const struct wf_sw_sample_args args = {.coords = {rows[0], rows[1], rows[2]}};
            EXPECT_NEAR(sample_one(&view, &sampler, &args, 4), 2, 1e-5);
        }
    image_close(&image);
}

TEST(image_lod, magnification_and_minification_have_their_filters)
{
    struct wf_sw_image image =
        image_open(&(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 2});
    image.memory[4] = 255; // black, red
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    float u[64], lod[64];
    fill_row_f(u, 0.5f - 0.0625f);
    for (int mag = 0; mag < 2; mag++) {
        const struct wf_sw_sampler sampler = ladder_sampler(
            (weft_sampler_desc){.mag = mag ? WEFT_FILTER_LINEAR : WEFT_FILTER_NEAREST,
                                .min = mag ? WEFT_FILTER_NEAREST : WEFT_FILTER_LINEAR,
                                .u = WEFT_ADDRESS_CLAMP_TO_EDGE});
        for (int i = 0; i < 64; i++)
            lod[i] = i % 2 ? 0.5f : -0.5f;
        uint32_t out[4][64];
        wf_sw_image_sample(
            &view, &sampler,
            &(struct wf_sw_sample_args){.coords = {u}, .mode = WF_SW_LOD_EXPLICIT, .lod = lod},
            UINT64_MAX, out);
        for (uint32_t i = 0; i < 64; i++)
            EXPECT_NEAR(lane_float(out, 0, i), (int)(i % 2) != mag ? 0.375 : 0, 1e-6);
    }
    image_close(&image);
}
