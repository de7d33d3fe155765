/// Texels to and from numbers, for every uncompressed format. Conversions are those of the Vulkan
/// specification ("Fixed-Point Data Conversions"): encoding rounds to the nearest value (ties to
/// even), NaN becomes 0 in normalised formats, sRGB is encoded from the exact function.
#ifndef WF_HAL_TEXEL_H
#define WF_HAL_TEXEL_H

#include "hal/format.h"

// A texel is four 32-bit words: float bits for normalised and float formats, int32 for SINT,
// uint32 for UINT. Components that the format lacks are 0, 0, 1 (1.0f or the integer 1).
// Depth formats decode to red.

/// `count` texels, tightly packed in `src`.
void wf_hal_texel_decode(const struct wf_hal_texel_codec *codec, const uint8_t *src, uint32_t count,
                         uint32_t (*out)[4]);
/// Clamps to what the format can hold; of integers too large the low bits are stored.
void wf_hal_texel_encode(const struct wf_hal_texel_codec *codec, const uint32_t (*in)[4],
                         uint32_t count, uint8_t *dst);

/// NULL for NONE, compressed formats and formats with both depth and stencil (see
/// wf_hal_format_of_aspect()).
const struct wf_hal_texel_codec *wf_hal_texel_codec_get(weft_format format);

/// Linear value of an 8-bit sRGB component, correctly rounded.
extern const float wf_hal_srgb_to_linear[256];
/// The 8-bit sRGB component nearest to a linear value, exact for every float. NaN and negative: 0.
uint8_t wf_hal_linear_to_srgb(float linear);

/// The three- and four-component packed floats. NaN and negative values become 0 or stay NaN as the
/// Vulkan specification says.
uint32_t wf_hal_rgb9e5_encode(const float rgb[3]);
void wf_hal_rgb9e5_decode(uint32_t bits, float rgb[3]);
uint32_t wf_hal_rg11b10_encode(const float rgb[3]);
void wf_hal_rg11b10_decode(uint32_t bits, float rgb[3]);

/// Depth as the 16- or 24-bit number nearest to a value that is clamped to 0..1, and back.
uint32_t wf_hal_depth_encode(float depth, uint32_t bits);
float wf_hal_depth_decode(uint32_t value, uint32_t bits);

#endif
