#include "backends/software/image/block.h"

#include <string.h>

#include "hal/texel.h"

struct wf_sw_bits wf_sw_bits_load(const uint8_t *bytes, uint32_t count)
{
    uint64_t words[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++)
        words[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    return (struct wf_sw_bits){words[0], words[1]};
}

uint32_t wf_sw_bits_take(struct wf_sw_bits *bits, uint32_t count)
{
    const uint64_t value = bits->low & ((UINT64_C(1) << count) - 1);
    bits->low = bits->low >> count | bits->high << 1 << (63 - count);
    bits->high >>= count;
    return (uint32_t)value;
}

void wf_sw_decode_rgba8(bool srgb, uint8_t (*texels)[4], uint32_t (*out)[4])
{
    const weft_format plain = srgb ? WEFT_FORMAT_RGBA8_UNORM_SRGB : WEFT_FORMAT_RGBA8_UNORM;
    wf_hal_texel_decode(wf_hal_texel_codec_get(plain), texels[0], 16, out);
}

void wf_sw_block_cache_init(struct wf_sw_block_cache *cache)
{
    memset(cache->blocks, 0, sizeof cache->blocks);
}

static void decode(weft_format format, const uint8_t *block, uint32_t (*out)[4])
{
    if (format < WEFT_FORMAT_ETC2_RGB8_UNORM)
        wf_sw_decode_bc(format, block, out);
    else if (format < WEFT_FORMAT_ASTC_4X4_UNORM)
        wf_sw_decode_etc(format, block, out);
    else
        wf_sw_decode_astc(format, block, out);
}

const uint32_t *wf_sw_block_texel(struct wf_sw_block_cache *cache, const struct wf_sw_view *view,
                                  uint32_t mip, uint32_t slice, const int32_t at[2])
{
    const struct wf_hal_format *info = wf_hal_format_get(view->format);
    const uint32_t x = (uint32_t)at[0] / info->block_width;
    const uint32_t y = (uint32_t)at[1] / info->block_height;
    const uint8_t *block = wf_sw_image_row(view->image, view->plane, mip, slice, 0, y) +
                           (size_t)x * view->plane->block_bytes;
    // The four blocks of a linear filter, in two levels, do not drive each other out.
    const uint32_t slot = (x & 1) | (y & 1) << 1 | (mip & 1) << 2;
    if (cache->blocks[slot] != block) {
        decode(view->format, block, cache->texels[slot]);
        cache->blocks[slot] = block;
    }
    return cache->texels[slot][(uint32_t)at[1] % info->block_height * info->block_width +
                               (uint32_t)at[0] % info->block_width];
}
