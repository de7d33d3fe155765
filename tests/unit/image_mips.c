// Mip levels and resolves against averages in double precision.
#include <math.h>

#include "image_fixture.h"

static double load(const struct wf_sw_image *image, struct place p, int c)
{
    uint32_t words[4];
    image_load(image, image->format, p, words);
    return wf_hal_texel_is_integer(wf_hal_texel_codec_get(image->format))
               ? (double)words[c]
               : wf_base_float_from_bits(words[c]);
}

/// Length of [a0, a1) that lies in [b0, b1).
static double overlap(double a0, double a1, double b0, double b1)
{
    return fmax(0, fmin(a1, b1) - fmax(a0, b0));
}

/// The average over exactly the box that a texel of the smaller level covers.
static double box_naive(const struct wf_sw_image *image, uint32_t mip, uint32_t layer,
                        const uint32_t at[3], int c)
{
    const struct wf_sw_mip *small = &image->main.mips[mip], *large = &image->main.mips[mip - 1];
    const uint32_t n[3] = {small->width, small->height, small->depth};
    const uint32_t m[3] = {large->width, large->height, large->depth};
    double sum = 0, total = 0;
    for (uint32_t z = 0; z < m[2]; z++)
        for (uint32_t y = 0; y < m[1]; y++)
            for (uint32_t x = 0; x < m[0]; x++) {
                const uint32_t p[3] = {x, y, z};
                double weight = 1;
                for (int a = 0; a < 3; a++)
                    weight *= overlap((double)at[a] * m[a] / n[a], (at[a] + 1.0) * m[a] / n[a],
                                      p[a], p[a] + 1.0);
                total += weight;
                if (weight > 0)
                    sum += weight *
                           load(image,
                                (struct place){mip - 1, image->kind == WEFT_TEXTURE_3D ? z : layer,
                                               0, x, y},
                                c);
            }
    return sum / total;
}

/// What storing in the format costs at most, in linear values.
static double tolerance(weft_format format, double value, int c)
{
    const weft_format_info *info = weft_format_get_info(format);
    if (info->srgb && c < 3)
        return 0.52 / 255 *
                   (value < 0.0031308 ? 1 / 12.92 : 2.4 / 1.055 * pow(value, 1 - 1 / 2.4)) +
               1e-6;
    return info->block_bytes / info->components == 1 ? 0.5001 / 255 : 1e-6;
}

static void check_mips(const weft_texture_desc *desc)
{
    struct rng rng = {21};
    struct wf_sw_image image = image_open(desc);
    image_fill_random(&image, &rng);
    for (uint32_t mip = 1; mip < image.mips; mip++)
        for (uint32_t layer = 0; layer < image.layers; layer++) {
            const struct wf_sw_mip *small = &image.main.mips[mip];
            // In two parts, as two threads would.
            EXPECT(wf_sw_image_make_mip(&image, mip, layer, 0, small->height / 2));
            EXPECT(wf_sw_image_make_mip(&image, mip, layer, small->height / 2, UINT32_MAX));
            for (uint32_t z = 0; z < small->depth; z++)
                for (uint32_t y = 0; y < small->height; y++)
                    for (uint32_t x = 0; x < small->width; x++)
                        for (int c = 0; c < 4; c++) {
                            const double want =
                                box_naive(&image, mip, layer, (const uint32_t[3]){x, y, z}, c);
                            EXPECT_NEAR(
                                load(&image,
                                     (struct place){mip, image.kind == WEFT_TEXTURE_3D ? z : layer,
                                                    0, x, y},
                                     c),
                                want, tolerance(desc->format, want, c));
                        }
        }
    image_close(&image);
}

TEST(image_mips, box_filter_is_exact_for_any_size)
{
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA8_UNORM_SRGB,
                                          WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_R8_UNORM};
    static const uint32_t sizes[][2] = {{2, 2}, {3, 5}, {65, 1}, {1, 7}, {16, 8}, {130, 3}};
    for (int f = 0; f < 4; f++) {
        for (int s = 0; s < 6; s++)
            check_mips(&(weft_texture_desc){.format = formats[f],
                                            .width = sizes[s][0],
                                            .height = sizes[s][1],
                                            .mips = WEFT_MIPS_ALL,
                                            .layers = 2});
        check_mips(&(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                                        .format = formats[f],
                                        .width = 5,
                                        .height = 4,
                                        .depth = 7,
                                        .mips = WEFT_MIPS_ALL});
        check_mips(&(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                                        .format = formats[f],
                                        .width = 6,
                                        .height = 6,
                                        .mips = WEFT_MIPS_ALL});
    }
}

TEST(image_mips, one_color_stays_that_color)
{
    for (int code = 0; code < 256; code += 5) {
        struct wf_sw_image image = image_open(&(weft_texture_desc){
            .format = WEFT_FORMAT_RGBA8_UNORM_SRGB, .width = 7, .height = 9, .mips = 3});
        memset(image.memory, code, image.main.mips[1].offset);
        for (uint32_t mip = 1; mip < 3; mip++) {
            EXPECT(wf_sw_image_make_mip(&image, mip, 0, 0, 100));
            for (uint32_t y = 0; y < image.main.mips[mip].height; y++)
                for (uint32_t b = 0; b < image.main.mips[mip].width * 4; b++)
                    EXPECT_EQ(wf_sw_image_row(&image, &image.main, mip, 0, 0, y)[b], code);
        }
        image_close(&image);
    }
}

TEST(image_mips, integers_are_picked)
{
    struct rng rng = {22};
    struct wf_sw_image image = image_open(
        &(weft_texture_desc){.format = WEFT_FORMAT_RG16_UINT, .width = 5, .height = 6, .mips = 2});
    image_fill_random(&image, &rng);
    EXPECT(wf_sw_image_make_mip(&image, 1, 0, 0, 3));
    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 2; x++)
            EXPECT(load(&image, (struct place){1, 0, 0, x, y}, 1) ==
                   load(&image, (struct place){0, 0, 0, 2 * x, 2 * y}, 1));
    image_close(&image);
}

TEST(image_mips, what_cannot_be_made_is_refused)
{
    struct wf_sw_image color = image_open(&(weft_texture_desc){
        .format = WEFT_FORMAT_RGBA8_UNORM, .width = 4, .height = 4, .mips = 2});
    EXPECT(!wf_sw_image_make_mip(&color, 0, 0, 0, 1));
    EXPECT(!wf_sw_image_make_mip(&color, 2, 0, 0, 1));
    EXPECT(!wf_sw_image_make_mip(&color, 1, 1, 0, 1));
    image_close(&color);
    static const weft_format formats[] = {WEFT_FORMAT_BC7_RGBA_UNORM, WEFT_FORMAT_D32_FLOAT,
                                          WEFT_FORMAT_D24_UNORM_S8_UINT};
    for (int f = 0; f < 3; f++) {
        struct wf_sw_image image = image_open(
            &(weft_texture_desc){.format = formats[f], .width = 8, .height = 8, .mips = 2});
        EXPECT(!wf_sw_image_make_mip(&image, 1, 0, 0, 4));
        image_close(&image);
    }
}
