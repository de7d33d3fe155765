// Texels from memory and back: odd sizes, parts of slices, rows further apart than they are long.
#include "cases.h"
#include "model.h"

#include <string.h>

static weft_texture plain(struct conform *c, const struct conform_model *model,
                          weft_texture_kind kind)
{
    const bool volume = kind == WEFT_TEXTURE_3D;
    return conform_texture(c, &(weft_texture_desc){.kind = kind,
                                                   .format = model->format,
                                                   .width = model->width,
                                                   .height = model->height,
                                                   .depth = volume ? model->depth : 1,
                                                   .layers = volume ? 1 : model->depth});
}

void case_texture_upload_odd_sizes(struct conform *c)
{
    static const uint32_t sizes[][2] = {{2, 2}, {3, 5}, {65, 1}, {1, 1}, {1, 7}};
    static const weft_format formats[] = {WEFT_FORMAT_R8_UNORM, WEFT_FORMAT_RG8_UINT,
                                          WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA32_UINT};
    struct conform_model model;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            conform_model_init(&model, formats[f], sizes[i][0], sizes[i][1], 1);
            conform_model_fill(&model, (uint32_t)(f * 16 + i));
            const weft_texture texture = plain(c, &model, WEFT_TEXTURE_2D);
            conform_model_upload(c, &model, texture, 0, 0);
            conform_model_expect(c, &model, texture, 0, 0);
        }
    }
}

/// A box of three slices, at an odd place, over a picture of another pattern.
static void three_slices(struct conform *c, weft_texture_kind kind)
{
    struct conform_model model, part;
    const struct conform_box all = {0, 0, 0, 5, 3, 3};
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 9, 7, 6);
    conform_model_fill(&model, 1);
    conform_model_init(&part, WEFT_FORMAT_RGBA8_UNORM, 5, 3, 3);
    conform_model_fill(&part, 2);
    const weft_texture texture = plain(c, &model, kind);
    conform_model_upload(c, &model, texture, 0, 0);

    const bool volume = kind == WEFT_TEXTURE_3D;
    const weft_texture_region region = {.x = 3,
                                        .y = 1,
                                        .z = volume ? 2 : 0,
                                        .layer = volume ? 0 : 2,
                                        .layer_count = volume ? 0 : 3,
                                        .width = 5,
                                        .height = 3,
                                        .depth = volume ? 3 : 1};
    weft_texture_write(conform_device(c), texture, &region, part.data, NULL);
    conform_model_copy(&model, (const uint32_t[3]){3, 1, 2}, &part, &all);
    conform_model_expect(c, &model, texture, 0, 0);
    conform_expect_texels(c, texture, &region, conform_model_texel, &part, 0);
}

void case_texture_upload_slices_of_3d(struct conform *c)
{
    three_slices(c, WEFT_TEXTURE_3D);
}

void case_texture_upload_layers(struct conform *c)
{
    three_slices(c, WEFT_TEXTURE_2D);
}

/// Memory ends with the last texel of the last row: nothing may be read behind it.
void case_texture_upload_wide_rows(struct conform *c)
{
    enum { ROW = 44, SLICE_ROWS = 5, SIZE = 8 + (SLICE_ROWS + 2) * ROW + 7 * 4 };
    const weft_texel_layout layout = {.offset = 8, .row_bytes = ROW, .slice_rows = SLICE_ROWS};
    const struct conform_box box = {0, 0, 0, 7, 3, 2};
    uint8_t bytes[SIZE], back[SIZE];
    conform_bytes_fill(bytes, sizeof bytes, 3);
    struct conform_model model, got;
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UINT, 7, 3, 2);
    conform_model_put(&model, &box, bytes, &layout);

    const weft_texture texture = plain(c, &model, WEFT_TEXTURE_2D);
    const weft_texture_region region = {.layer_count = 2};
    weft_texture_write(conform_device(c), texture, &region, bytes, &layout);
    conform_model_expect(c, &model, texture, 0, 0);

    weft_texture_read(conform_device(c), texture, &region, back, sizeof back, &layout);
    conform_check(c);
    if (!conform_draws(c))
        return;
    conform_model_init(&got, WEFT_FORMAT_RGBA8_UINT, 7, 3, 2);
    conform_model_put(&got, &box, back, &layout);
    CONFORM_EXPECT(c, memcmp(got.data, model.data, conform_model_size(&model)) == 0);
}

void case_texture_upload_part_of_the_mips(struct conform *c)
{
    struct conform_model mips[3];
    const weft_texture texture = conform_texture(
        c,
        &(weft_texture_desc){.format = WEFT_FORMAT_RG8_UNORM, .width = 13, .height = 5, .mips = 3});
    for (uint32_t i = 0; i < 3; i++) {
        conform_model_init(&mips[i], WEFT_FORMAT_RG8_UNORM, 13 >> i, 5 >> i, 1);
        conform_model_fill(&mips[i], i);
        conform_model_upload(c, &mips[i], texture, i, 0);
    }
    for (uint32_t i = 0; i < 3; i++)
        conform_model_expect(c, &mips[i], texture, i, 0);
}

void case_texture_upload_refusals(struct conform *c)
{
    uint32_t texels[64] = {0};
    struct conform_model model;
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 8, 8, 1);
    const weft_texture texture = plain(c, &model, WEFT_TEXTURE_2D);
    weft_device *const device = conform_device(c);
    weft_texture_read(device, texture, NULL, texels, sizeof texels - 1, NULL);
    conform_expect_rule(c, WEFT_RULE_TEXEL_LAYOUT_SIZE);
    weft_texture_write(device, texture, &(weft_texture_region){.x = 4, .width = 5}, texels, NULL);
    conform_expect_rule(c, WEFT_RULE_TEXTURE_REGION_BOX);
    weft_texture_write(device, texture, &(weft_texture_region){.mip = 1}, texels, NULL);
    conform_expect_rule(c, WEFT_RULE_TEXTURE_REGION_MIP);
    weft_texture_write(device, texture, NULL, texels, &(weft_texel_layout){.row_bytes = 28});
    conform_expect_rule(c, WEFT_RULE_TEXEL_LAYOUT_ROW);
}
