// Compressed images through views: fetches, samples, partial blocks, layers, borders and twins.
#include "block_support.h"
#include "support/block_reference.h"

static const weft_format formats[] = {
    WEFT_FORMAT_BC1_RGBA_UNORM, WEFT_FORMAT_BC3_RGBA_UNORM_SRGB, WEFT_FORMAT_BC4_R_SNORM,
    WEFT_FORMAT_BC5_RG_UNORM,   WEFT_FORMAT_BC7_RGBA_UNORM,      WEFT_FORMAT_ETC2_RGB8_UNORM,
    WEFT_FORMAT_EAC_R11_SNORM,  WEFT_FORMAT_ASTC_5X4_UNORM,      WEFT_FORMAT_ASTC_8X6_UNORM_SRGB,
};

static struct wf_sw_image open_random(const weft_texture_desc *desc)
{
    struct wf_sw_image image = image_open(desc);
    struct rng rng = {5};
    for (uint64_t i = 0; i < image.size; i++)
        image.memory[i] = (uint8_t)rng_next(&rng);
    return image;
}

static void want_texel(const struct wf_sw_image *image, weft_format format, struct place p,
                       double out[4])
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    const uint8_t *block =
        wf_sw_image_row(image, &image->main, p.mip, p.slice, 0, p.y / info->block_height) +
        (size_t)(p.x / info->block_width) * image->main.block_bytes;
    reference_texel(format, block, (int)(p.x % info->block_width), (int)(p.y % info->block_height),
                    out);
}

/// Fetches every texel of every mip and layer, 64 at a time, with some outside.
static void check_fetches(struct wf_sw_image *image, const struct wf_sw_view *view)
{
    for (uint32_t m = 0; m < view->mip_count; m++) {
        const struct wf_sw_mip *mip = &image->main.mips[m];
        for (uint32_t layer = 0; layer < view->layer_count; layer++)
            for (uint32_t y = 0; y <= mip->height; y++) {
                int32_t rows[4][64];
                uint32_t out[4][64];
                for (int i = 0; i < 64; i++) {
                    rows[0][i] = i;
                    rows[1][i] = (int32_t)y;
                    rows[2][i] = (int32_t)layer;
                    rows[3][i] = (int32_t)m;
                }
                const struct wf_sw_texel_args args = {.coords = {rows[0], rows[1], rows[2]},
                                                      .lod = rows[3]};
                wf_sw_image_fetch(view, &args, UINT64_MAX, out);
                for (uint32_t i = 0; i < 64; i++) {
                    double want[4] = {0, 0, 0, 1};
                    if (i < mip->width && y < mip->height)
                        want_texel(image, view->format, (struct place){m, layer, 0, i, y}, want);
                    else if (view->codec->components == 4)
                        want[3] = 0;
                    for (uint32_t c = 0; c < 4; c++)
                        EXPECT_NEAR(lane_float(out, c, i), want[c], 1e-6);
                }
            }
    }
}

TEST(block_view, every_texel_is_fetched_from_its_block)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        struct wf_sw_image image = open_random(&(weft_texture_desc){
            .format = formats[f], .width = 21, .height = 13, .layers = 2, .mips = WEFT_MIPS_ALL});
        struct wf_sw_view view =
            image_view(&image, &(struct wf_sw_view_desc){.kind = WEFT_VIEW_2D_ARRAY});
        check_fetches(&image, &view);
        const weft_format twin = (weft_format)wf_hal_format_get(formats[f])->twin;
        if (twin) {
            view = image_view(
                &image, &(struct wf_sw_view_desc){.kind = WEFT_VIEW_2D_ARRAY, .format = twin});
            check_fetches(&image, &view);
        }
        image_close(&image);
    }
}

TEST(block_view, linear_samples_are_averages_of_decoded_texels)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        struct wf_sw_image image = open_random(&(weft_texture_desc){
            .format = formats[f], .width = 22, .height = 14, .mips = WEFT_MIPS_ALL});
        const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
        struct wf_sw_sampler sampler;
        wf_sw_sampler_init(&sampler, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                          .min = WEFT_FILTER_LINEAR,
                                                          .mip = WEFT_FILTER_LINEAR});
        struct rng rng = {11};
        float u[64], v[64], lod[64];
        uint32_t x[64], y[64], out[4][64];
        for (int i = 0; i < 64; i++) {
            x[i] = rng_below(&rng, 11);
            y[i] = rng_below(&rng, 7);
            // The middle of four texels of mip 1, half way to mip 2.
            u[i] = (float)(x[i] + 1) / 11;
            v[i] = (float)(y[i] + 1) / 7;
            lod[i] = 1;
        }
        wf_sw_image_sample(
            &view, &sampler,
            &(struct wf_sw_sample_args){.coords = {u, v}, .mode = WF_SW_LOD_EXPLICIT, .lod = lod},
            UINT64_MAX, out);
        for (uint32_t i = 0; i < 64; i++) {
            double sum[4] = {0}, texel[4];
            for (uint32_t k = 0; k < 4; k++) {
                want_texel(&image, view.format,
                           (struct place){1, 0, 0, (x[i] + (k & 1)) % 11, (y[i] + (k >> 1)) % 7},
                           texel);
                for (int c = 0; c < 4; c++)
                    sum[c] += texel[c] / 4;
            }
            for (uint32_t c = 0; c < 4; c++)
                EXPECT_NEAR(lane_float(out, c, i), sum[c], 1e-5);
        }
        image_close(&image);
    }
}

TEST(block_view, borders_know_which_components_a_format_has)
{
    struct wf_sw_image image = open_random(
        &(weft_texture_desc){.format = WEFT_FORMAT_BC5_RG_UNORM, .width = 4, .height = 4});
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler, &(weft_sampler_desc){.u = WEFT_ADDRESS_CLAMP_TO_BORDER,
                                                      .v = WEFT_ADDRESS_CLAMP_TO_BORDER,
                                                      .border = WEFT_BORDER_OPAQUE_WHITE});
    float u[64], v[64];
    uint32_t out[4][64];
    fill_row_f(u, -3);
    fill_row_f(v, 0.5f);
    wf_sw_image_sample(&view, &sampler,
                       &(struct wf_sw_sample_args){.coords = {u, v}, .mode = WF_SW_LOD_EXPLICIT}, 1,
                       out);
    EXPECT(lane_float(out, 0, 0) == 1 && lane_float(out, 1, 0) == 1);
    EXPECT(lane_float(out, 2, 0) == 0 && lane_float(out, 3, 0) == 1);
    image_close(&image);
}

TEST(block_view, storage_cannot_touch_blocks)
{
    struct wf_sw_image image = open_random(
        &(weft_texture_desc){.format = WEFT_FORMAT_BC1_RGBA_UNORM, .width = 4, .height = 4});
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    uint8_t before[8];
    memcpy(before, image.memory, sizeof before);
    const uint32_t ones[64] = {0x3f800000};
    const uint32_t *const rows[4] = {ones, ones, ones, ones};
    uint32_t out[4][64] = {{7}};
    uint32_t *texels[64];
    wf_sw_image_write(&view, &(struct wf_sw_texel_args){0}, 1, rows);
    wf_sw_image_read(&view, &(struct wf_sw_texel_args){0}, 1, out);
    wf_sw_image_texel_pointers(&view, &(struct wf_sw_texel_args){0}, 1, texels);
    EXPECT_MEM(image.memory, before, sizeof before);
    EXPECT(out[0][0] == 0 && texels[0] == NULL);
    image_close(&image);
}
