// Layouts, views and capabilities.
#include "image_fixture.h"

/// Counts each byte of a plane's texels up from 0; returns how many there are.
static uint64_t touch_plane(const struct wf_sw_image *image, const struct wf_sw_plane *plane,
                            uint32_t mip_index)
{
    const weft_format_info *info = weft_format_get_info(image->format);
    const struct wf_sw_mip *mip = &plane->mips[mip_index];
    const uint32_t slices = image->kind == WEFT_TEXTURE_3D ? mip->depth : image->layers;
    const size_t row =
        (mip->width + info->block_width - 1) / info->block_width * (size_t)plane->block_bytes;
    for (uint32_t z = 0; z < slices; z++)
        for (uint32_t s = 0; s < image->samples; s++)
            for (uint32_t y = 0; y < mip->rows; y++) {
                uint8_t *at = wf_sw_image_row(image, plane, mip_index, z, s, y);
                EXPECT_EQ((uintptr_t)at % WF_SW_IMAGE_ALIGN, 0);
                EXPECT((uint64_t)(at - image->memory) + row <= image->size);
                for (size_t b = 0; b < row; b++)
                    EXPECT_EQ(at[b]++, 0);
            }
    return (uint64_t)row * slices * image->samples * mip->rows;
}

TEST(image_layout, texels_do_not_overlap_and_rows_are_aligned)
{
    static const weft_texture_desc descs[] = {
        {.format = WEFT_FORMAT_R8_UNORM, .width = 1},
        {.format = WEFT_FORMAT_RGBA8_UNORM, .width = 65, .height = 3, .layers = 4, .mips = 7},
        {.format = WEFT_FORMAT_RGBA32_FLOAT, .width = 128, .height = 8, .mips = WEFT_MIPS_ALL},
        {.format = WEFT_FORMAT_D24_UNORM_S8_UINT, .width = 9, .height = 5, .samples = 4},
        {.format = WEFT_FORMAT_D32_FLOAT_S8_UINT, .width = 16, .height = 9, .mips = 3, .layers = 2},
        {.kind = WEFT_TEXTURE_3D,
         .format = WEFT_FORMAT_RG16_UINT,
         .width = 7,
         .height = 8,
         .depth = 9,
         .mips = WEFT_MIPS_ALL},
        {.kind = WEFT_TEXTURE_CUBE, .format = WEFT_FORMAT_RGBA8_UNORM, .width = 8, .height = 8},
        {.format = WEFT_FORMAT_BC1_RGBA_UNORM, .width = 13, .height = 6, .mips = 4},
    };
    for (size_t i = 0; i < sizeof descs / sizeof descs[0]; i++) {
        struct wf_sw_image image = image_open(&descs[i]);
        uint64_t used = 0;
        for (uint32_t m = 0; m < image.mips; m++) {
            used += touch_plane(&image, &image.main, m);
            if (image.stencil.block_bytes)
                used += touch_plane(&image, &image.stencil, m);
        }
        EXPECT(used <= image.size);
        image_close(&image);
    }
}

TEST(image_layout, defaults_are_resolved)
{
    struct wf_sw_image image;
    EXPECT(wf_sw_image_init(&image, &(weft_texture_desc){.format = WEFT_FORMAT_R8_UNORM}));
    EXPECT(image.width == 1 && image.height == 1 && image.depth == 1 && image.layers == 1);
    EXPECT(image.mips == 1 && image.samples == 1);
    EXPECT(wf_sw_image_init(&image, &(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                                                         .format = WEFT_FORMAT_R8_UNORM,
                                                         .width = 16384,
                                                         .height = 16384,
                                                         .mips = WEFT_MIPS_ALL}));
    EXPECT_EQ(image.layers, 6);
    EXPECT_EQ(image.mips, 15);
}

TEST(image_layout, what_is_too_much_is_refused)
{
    static const weft_texture_desc bad[] = {
        {.format = WEFT_FORMAT_NONE},
        {.format = (weft_format)12345},
        {.format = WEFT_FORMAT_R8_UNORM, .width = 16385},
        {.format = WEFT_FORMAT_R8_UNORM, .height = 0x80000000},
        {.format = WEFT_FORMAT_R8_UNORM, .layers = 2049},
        {.format = WEFT_FORMAT_R8_UNORM, .width = 8, .mips = 5},
        {.format = WEFT_FORMAT_R8_UNORM, .samples = 3},
        {.format = WEFT_FORMAT_R8_UNORM, .samples = 16},
        {.format = WEFT_FORMAT_R8_UNORM, .width = 4, .samples = 4, .mips = 2},
        {.format = WEFT_FORMAT_R8_UNORM, .kind = WEFT_TEXTURE_1D, .height = 2},
        {.format = WEFT_FORMAT_R8_UNORM, .kind = WEFT_TEXTURE_CUBE, .width = 2, .height = 3},
        {.format = WEFT_FORMAT_R8_UNORM, .kind = WEFT_TEXTURE_CUBE, .layers = 7},
        {.format = WEFT_FORMAT_R8_UNORM, .kind = WEFT_TEXTURE_3D, .layers = 2},
        {.format = WEFT_FORMAT_R8_UNORM, .kind = WEFT_TEXTURE_3D, .depth = 2049},
        {.format = WEFT_FORMAT_BC1_RGBA_UNORM, .samples = 4},
        {.format = WEFT_FORMAT_R8_UNORM, .kind = (weft_texture_kind)77},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct wf_sw_image image;
        EXPECT(!wf_sw_image_init(&image, &bad[i]));
    }
}

TEST(image_layout, views_that_do_not_fit_are_refused)
{
    struct wf_sw_view view;
    struct wf_sw_image image = image_open(&(weft_texture_desc){
        .format = WEFT_FORMAT_RGBA8_UNORM, .width = 8, .height = 8, .layers = 12, .mips = 3});
    static const struct wf_sw_view_desc bad[] = {
        {.mip = 3},
        {.mip = 1, .mip_count = 3},
        {.mip_count = UINT32_MAX},
        {.layer = 12},
        {.layer = 1, .layer_count = 12},
        {.layer = 11, .layer_count = UINT32_MAX},
        {.kind = WEFT_VIEW_3D},
        {.kind = WEFT_VIEW_1D},
        {.kind = WEFT_VIEW_2D, .layer_count = 2},
        {.kind = WEFT_VIEW_CUBE, .layer_count = 5},
        {.kind = WEFT_VIEW_CUBE_ARRAY, .layer_count = 7},
        {.format = WEFT_FORMAT_R8_UNORM},
        {.format = WEFT_FORMAT_RGBA32_FLOAT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(!wf_sw_view_init(&view, &image, &bad[i]));
    EXPECT(wf_sw_view_init(&view, &image, &(struct wf_sw_view_desc){.kind = WEFT_VIEW_CUBE_ARRAY}));
    EXPECT(wf_sw_view_init(&view, &image,
                           &(struct wf_sw_view_desc){.format = WEFT_FORMAT_RGBA8_UNORM_SRGB}));
    EXPECT_EQ(view.kind, WEFT_VIEW_2D_ARRAY);
    image_close(&image);
}

TEST(image_layout, sizes_are_those_of_the_level)
{
    uint32_t size[3];
    struct wf_sw_image image = image_open(&(weft_texture_desc){
        .format = WEFT_FORMAT_RGBA8_UNORM, .width = 20, .height = 20, .layers = 12, .mips = 4});
    struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){.mip = 1});
    wf_sw_view_size(&view, 2, size);
    EXPECT(size[0] == 2 && size[1] == 2 && size[2] == 12);
    wf_sw_view_size(&view, 3, size);
    EXPECT(size[0] == 0 && size[1] == 0 && size[2] == 0);
    wf_sw_view_size(&view, -1, size);
    EXPECT_EQ(size[0], 0);
    view = image_view(&image, &(struct wf_sw_view_desc){.kind = WEFT_VIEW_CUBE_ARRAY});
    wf_sw_view_size(&view, 0, size);
    EXPECT(size[0] == 20 && size[1] == 20 && size[2] == 2);
    image_close(&image);
}

TEST(image_layout, capabilities_claim_only_what_there_is)
{
    for (int f = 0; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info((weft_format)f);
        const weft_format_caps caps = wf_sw_format_caps((weft_format)f);
        if (f == WEFT_FORMAT_NONE) {
            EXPECT_EQ(caps, 0);
            continue;
        }
        if (info->compressed) {
            EXPECT_EQ(caps, WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_FILTER | WEFT_FORMAT_CAN_COPY);
            continue;
        }
        EXPECT(caps & WEFT_FORMAT_CAN_SAMPLE);
        EXPECT(caps & WEFT_FORMAT_CAN_COPY);
        const bool integer = info->sample_class == WEFT_SAMPLE_CLASS_UINT ||
                             info->sample_class == WEFT_SAMPLE_CLASS_SINT;
        EXPECT_EQ((caps & WEFT_FORMAT_CAN_FILTER) != 0, !integer);
        if (integer)
            EXPECT(!(caps & WEFT_FORMAT_CAN_BLEND));
        EXPECT_EQ((caps & WEFT_FORMAT_CAN_DEPTH_STENCIL) != 0, info->aspects != WEFT_ASPECT_COLOR);
        if (info->srgb)
            EXPECT(!(caps & WEFT_FORMAT_CAN_STORE));
    }
    EXPECT_EQ(wf_sw_format_caps((weft_format)-1), 0);
}
