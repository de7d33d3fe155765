// The format table against facts that can be derived some other way.
#include <ctype.h>
#include <string.h>

#include "hal/format.h"
#include "hal/texel.h"
#include "support/test.h"

TEST(format, every_row_is_filled)
{
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info((weft_format)f);
        EXPECT(info->name != NULL && strlen(info->name) >= 5);
        for (const char *p = info->name; *p; p++)
            EXPECT(islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_');
        EXPECT(info->block_bytes >= 1 && info->block_bytes <= 16);
        EXPECT(info->block_width >= 1 && info->block_height >= 1);
        EXPECT_EQ(info->compressed, info->block_width > 1);
        EXPECT(info->components >= 1 && info->components <= 4);
        EXPECT(info->aspects != 0);
        EXPECT(info->sample_class != WEFT_SAMPLE_CLASS_NONE);
    }
}

TEST(format, names_are_unique)
{
    for (int a = 0; a < WEFT_FORMAT_COUNT; a++)
        for (int b = 0; b < a; b++)
            EXPECT(strcmp(weft_format_get_info((weft_format)a)->name,
                          weft_format_get_info((weft_format)b)->name) != 0);
}

TEST(format, twins_are_mutual_and_differ_in_srgb_only)
{
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info((weft_format)f);
        EXPECT_EQ(info->srgb, strstr(info->name, "_srgb") != NULL);
        if (info->srgb)
            EXPECT(info->twin != WEFT_FORMAT_NONE);
        if (info->twin == WEFT_FORMAT_NONE)
            continue;
        const weft_format_info *twin = weft_format_get_info(info->twin);
        EXPECT_EQ(twin->twin, f);
        EXPECT(twin->srgb != info->srgb);
        EXPECT_EQ(twin->block_bytes, info->block_bytes);
        EXPECT_EQ(twin->block_width, info->block_width);
        EXPECT_EQ(twin->block_height, info->block_height);
        EXPECT_EQ(twin->components, info->components);
    }
}

TEST(format, component_bits_fill_the_texel)
{
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const struct wf_hal_format *row = wf_hal_format_get((weft_format)f);
        if (row->compressed || (row->aspects & ~WEFT_ASPECT_COLOR))
            continue;
        uint32_t sum = row->codec.numeric == WF_HAL_NUMERIC_SHARED ? 5 : 0, components = 0;
        for (int c = 0; c < 4; c++) {
            sum += row->codec.bits[c];
            components += row->codec.bits[c] != 0;
        }
        EXPECT_EQ(sum, row->codec.texel_bytes * 8);
        EXPECT_EQ(components, row->codec.components);
    }
}

TEST(format, names_match_bytes_of_known_formats)
{
    EXPECT_STR(weft_format_get_info(WEFT_FORMAT_RGBA8_UNORM)->name, "rgba8_unorm");
    EXPECT_EQ(weft_format_get_info(WEFT_FORMAT_RGBA8_UNORM)->block_bytes, 4);
    EXPECT_EQ(weft_format_get_info(WEFT_FORMAT_RGBA32_FLOAT)->block_bytes, 16);
    EXPECT_EQ(weft_format_get_info(WEFT_FORMAT_RG16_SINT)->sample_class, WEFT_SAMPLE_CLASS_SINT);
    EXPECT_EQ(weft_format_get_info(WEFT_FORMAT_D24_UNORM_S8_UINT)->aspects,
              WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL);
    EXPECT_EQ(weft_format_get_info(WEFT_FORMAT_D32_FLOAT)->sample_class, WEFT_SAMPLE_CLASS_DEPTH);
    EXPECT_EQ(weft_format_get_info(WEFT_FORMAT_BC1_RGBA_UNORM)->block_bytes, 8);
    EXPECT_EQ(weft_format_get_info(WEFT_FORMAT_ASTC_12X10_UNORM)->block_height, 10);
    EXPECT_STR(weft_format_get_info(WEFT_FORMAT_ASTC_12X12_UNORM_SRGB)->name,
               "astc_12x12_unorm_srgb");
}

TEST(format, what_is_no_format_is_none)
{
    EXPECT_STR(weft_format_get_info((weft_format)9999)->name, "none");
    EXPECT_EQ(weft_format_get_info((weft_format)-1)->block_bytes, 0);
    EXPECT_STR(weft_vertex_format_get_info((weft_vertex_format)9999)->name, "none");
    EXPECT(wf_hal_texel_codec_get((weft_format)9999) == NULL);
    EXPECT_EQ(wf_hal_vertex_format_get(WEFT_VERTEX_FORMAT_NONE)->texel_bytes, 0);
}

TEST(format, sizes_round_up_to_blocks)
{
    EXPECT_EQ(weft_format_row_bytes(WEFT_FORMAT_RGBA8_UNORM, 5), 20);
    EXPECT_EQ(weft_format_row_bytes(WEFT_FORMAT_BC1_RGBA_UNORM, 5), 16);
    EXPECT_EQ(weft_format_row_bytes(WEFT_FORMAT_NONE, 5), 0);
    EXPECT_EQ(weft_format_image_bytes(WEFT_FORMAT_BC1_RGBA_UNORM, 5, 5, 1), 32);
    EXPECT_EQ(weft_format_image_bytes(WEFT_FORMAT_ASTC_5X4_UNORM, 6, 4, 3), 96);
    EXPECT_EQ(weft_format_image_bytes(WEFT_FORMAT_R8_UNORM, 3, 5, 7), 105);
    EXPECT_EQ(weft_format_image_bytes(WEFT_FORMAT_NONE, 3, 5, 7), 0);
    EXPECT(weft_format_image_bytes(WEFT_FORMAT_RGBA32_FLOAT, UINT32_MAX, UINT32_MAX, UINT32_MAX) ==
           UINT64_MAX);
}

TEST(format, aspects_are_formats_of_their_own)
{
    EXPECT_EQ(wf_hal_format_of_aspect(WEFT_FORMAT_D24_UNORM_S8_UINT, WEFT_ASPECT_DEPTH),
              WEFT_FORMAT_D24_UNORM);
    EXPECT_EQ(wf_hal_format_of_aspect(WEFT_FORMAT_D32_FLOAT_S8_UINT, WEFT_ASPECT_STENCIL),
              WEFT_FORMAT_S8_UINT);
    EXPECT_EQ(wf_hal_format_of_aspect(WEFT_FORMAT_D16_UNORM, WEFT_ASPECT_DEPTH),
              WEFT_FORMAT_D16_UNORM);
    EXPECT_EQ(wf_hal_format_of_aspect(WEFT_FORMAT_D16_UNORM, WEFT_ASPECT_STENCIL),
              WEFT_FORMAT_NONE);
    EXPECT_EQ(wf_hal_format_of_aspect(WEFT_FORMAT_R8_UINT, WEFT_ASPECT_COLOR), WEFT_FORMAT_R8_UINT);
}

TEST(format, vertex_rows_agree_with_their_names)
{
    for (int f = 1; f < WEFT_VERTEX_FORMAT_COUNT; f++) {
        const struct wf_hal_texel_codec *codec = wf_hal_vertex_format_get((weft_vertex_format)f);
        const weft_vertex_format_info *info = weft_vertex_format_get_info((weft_vertex_format)f);
        uint32_t sum = 0, components = 0;
        for (int c = 0; c < 4; c++) {
            sum += codec->bits[c];
            components += codec->bits[c] != 0;
        }
        EXPECT_EQ(sum, info->bytes * 8);
        EXPECT_EQ(components, info->components);
        const char *x = strchr(info->name, 'x');
        if (x)
            EXPECT_EQ(info->components, x[1] - '0');
        EXPECT_EQ(info->shader_class == WEFT_SAMPLE_CLASS_UINT,
                  strncmp(info->name, "uint", 4) == 0);
        EXPECT_EQ(info->shader_class == WEFT_SAMPLE_CLASS_SINT,
                  strncmp(info->name, "sint", 4) == 0);
        EXPECT(codec->kind != WF_HAL_TEXEL_NONE);
        EXPECT_EQ(codec->texel_bytes, info->bytes);
    }
    EXPECT_EQ(weft_vertex_format_get_info(WEFT_VERTEX_FORMAT_FLOAT32X3)->bytes, 12);
}

TEST(format, every_uncompressed_aspect_has_a_codec)
{
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info((weft_format)f);
        const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get((weft_format)f);
        const bool both = info->aspects == (WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL);
        EXPECT_EQ(codec != NULL, !info->compressed && !both);
        if (codec)
            EXPECT_EQ(codec->texel_bytes, info->block_bytes);
    }
}
