/// Compressed formats: texels out of blocks; private to image/. A block is decoded whole, because
/// what is read next lies most often in the same one.
#ifndef WF_SW_IMAGE_BLOCK_H
#define WF_SW_IMAGE_BLOCK_H

#include "backends/software/image/image.h"

#define WF_SW_BLOCK_TEXELS 144u ///< Of the largest block, 12×12.

static inline bool wf_sw_view_is_compressed(const struct wf_sw_view *view)
{
    return view->codec && view->codec->kind == WF_HAL_TEXEL_NONE;
}

// ---- texels of views ---------------------------------------------------------------------------

/// The blocks that one instruction has read last. Large: for the stack, and never cleared whole.
struct wf_sw_block_cache {
    const uint8_t *blocks[8]; ///< NULL: nothing yet.
    uint32_t texels[8][WF_SW_BLOCK_TEXELS][4];
};

void wf_sw_block_cache_init(struct wf_sw_block_cache *cache);

/// A texel of a compressed view as hal/texel.h has it. Everything must be in range; valid until the
/// next call.
const uint32_t *wf_sw_block_texel(struct wf_sw_block_cache *cache, const struct wf_sw_view *view,
                                  uint32_t mip, uint32_t slice, const int32_t at[2]);

// ---- decoders ----------------------------------------------------------------------------------
// Any bytes are a block. Texels are written row by row of the block.

void wf_sw_decode_bc(weft_format format, const uint8_t *block, uint32_t (*out)[4]);
void wf_sw_decode_etc(weft_format format, const uint8_t *block, uint32_t (*out)[4]);
void wf_sw_decode_astc(weft_format format, const uint8_t *block, uint32_t (*out)[4]);

/// A block as one little-endian number, read from its low end. Behind its end are zeros.
struct wf_sw_bits {
    uint64_t low, high;
};

struct wf_sw_bits wf_sw_bits_load(const uint8_t *bytes, uint32_t count);
/// The next 0 to 32 bits.
uint32_t wf_sw_bits_take(struct wf_sw_bits *bits, uint32_t count);

/// 16 texels of four bytes each.
void wf_sw_decode_rgba8(bool srgb, uint8_t (*texels)[4], uint32_t (*out)[4]);

#endif
