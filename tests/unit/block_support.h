/// Blocks of compressed formats as images of one block, for the tests of image/block*.
#ifndef TESTS_UNIT_BLOCK_SUPPORT_H
#define TESTS_UNIT_BLOCK_SUPPORT_H

#include <math.h>

#include "backends/software/image/block.h"
#include "image_fixture.h"

/// All texels of a block, through a view of an image that is this block.
static inline void block_decode(weft_format format, const uint8_t *bytes,
                                float out[WF_SW_BLOCK_TEXELS][4])
{
    static struct wf_sw_block_cache cache;
    const struct wf_hal_format *info = wf_hal_format_get(format);
    struct wf_sw_image image = image_open(&(weft_texture_desc){
        .format = format, .width = info->block_width, .height = info->block_height});
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    memcpy(image.memory, bytes, info->codec.texel_bytes);
    wf_sw_block_cache_init(&cache);
    for (int y = 0; y < info->block_height; y++)
        for (int x = 0; x < info->block_width; x++)
            memcpy(out[y * info->block_width + x],
                   wf_sw_block_texel(&cache, &view, 0, 0, (const int32_t[2]){x, y}),
                   4 * sizeof(float));
    image_close(&image);
}

/// Writes bits of a little-endian number.
static inline void block_put(uint8_t *block, int first, int count, uint32_t value)
{
    for (int i = 0; i < count; i++) {
        const int at = first + i;
        block[at / 8] = (uint8_t)((block[at / 8] & ~(1 << at % 8)) | (value >> i & 1) << at % 8);
    }
}

/// Whether a texel is those 255ths.
static inline bool block_is(const float texel[4], int r, int g, int b, int a)
{
    const int want[4] = {r, g, b, a};
    bool same = true;
    for (int c = 0; c < 4; c++)
        same = same && fabsf(texel[c] * 255 - (float)want[c]) < 1e-4f;
    return same;
}

#define EXPECT_BYTES(texel, r, g, b, a) EXPECT(block_is(texel, r, g, b, a))

#endif
