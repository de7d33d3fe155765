/// 64 texels between rows of components and packed memory: the common formats in loops that
/// vectorise, the others through the codec. Both give the codec's bits.
#include "backends/software/raster/parts.h"

#include "base/half.h"

#include <string.h>

/// Nearest of 0 to 255, ties to even; NaN is 0.
static uint32_t unorm8(uint32_t word)
{
    float v = wf_base_float_from_bits(word);
    v = v > 0.0f ? v : 0.0f;
    v = v < 1.0f ? v : 1.0f;
    // Adding 1.5 × 2^52 rounds to an integer, which is then in the low bits. In double the product
    // is exact.
    const double rounded = (double)v * 255.0 + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &rounded, sizeof(bits));
    return (uint32_t)bits & 0xffu;
}

/// unorm8() of a row. In floats, as long as no product is so near to a tie that its own rounding
/// could decide it.
static void unorm8_row(const uint32_t *row, uint32_t out[LANES])
{
    // One step to a loop: together, compilers make branches of the clamps.
    float v[LANES];
    uint32_t unsure = 0;
    for (uint32_t l = 0; l < LANES; l++)
        v[l] = wf_base_float_from_bits(row[l]);
    for (uint32_t l = 0; l < LANES; l++)
        v[l] = v[l] > 0.0f ? v[l] : 0.0f;
    for (uint32_t l = 0; l < LANES; l++)
        v[l] = v[l] < 1.0f ? v[l] : 1.0f;
    for (uint32_t l = 0; l < LANES; l++) {
        const float product = v[l] * 255.0f;
        const float rounded = product + 0x1.8p23f;
        const float off = product - (rounded - 0x1.8p23f);
        out[l] = wf_base_float_bits(rounded) & 0xffu;
        unsure |= off * off > 0.2499f ? 1u : 0u;
    }
    if (!unsure)
        return;
    for (uint32_t l = 0; l < LANES; l++)
        out[l] = unorm8(row[l]);
}

static void encode_unorm8(const uint32_t *const rows[4], bool swap, uint8_t *texels)
{
    uint32_t r[LANES], g[LANES], b[LANES], a[LANES];
    unorm8_row(rows[swap ? 2 : 0], r);
    unorm8_row(rows[1], g);
    unorm8_row(rows[swap ? 0 : 2], b);
    unorm8_row(rows[3], a);
    for (uint32_t l = 0; l < LANES; l++)
        r[l] |= g[l] << 8 | b[l] << 16 | a[l] << 24;
    for (size_t l = 0; l < LANES; l++) {
        texels[4 * l] = (uint8_t)r[l];
        texels[4 * l + 1] = (uint8_t)(r[l] >> 8);
        texels[4 * l + 2] = (uint8_t)(r[l] >> 16);
        texels[4 * l + 3] = (uint8_t)(r[l] >> 24);
    }
}

static void decode_unorm8(const uint8_t *texels, bool swap, uint32_t rows[4][LANES])
{
    uint32_t *low = rows[swap ? 2 : 0], *high = rows[swap ? 0 : 2];
    for (size_t l = 0; l < LANES; l++) {
        low[l] = wf_base_float_bits((float)texels[4 * l] / 255.0f);
        rows[1][l] = wf_base_float_bits((float)texels[4 * l + 1] / 255.0f);
        high[l] = wf_base_float_bits((float)texels[4 * l + 2] / 255.0f);
        rows[3][l] = wf_base_float_bits((float)texels[4 * l + 3] / 255.0f);
    }
}

void wf_sw_raster_encode(weft_format format, const uint32_t *const rows[4], uint8_t *texels)
{
    if (format == WEFT_FORMAT_RGBA8_UNORM || format == WEFT_FORMAT_BGRA8_UNORM) {
        encode_unorm8(rows, format == WEFT_FORMAT_BGRA8_UNORM, texels);
        return;
    }
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(format);
    uint32_t words[LANES][4];
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t l = 0; l < LANES; l++)
            words[l][c] = rows[c][l];
    }
    wf_hal_texel_encode(codec, (const uint32_t(*)[4])words, LANES, texels);
}

void wf_sw_raster_decode(weft_format format, const uint8_t *texels, uint32_t rows[4][LANES])
{
    if (format == WEFT_FORMAT_RGBA8_UNORM || format == WEFT_FORMAT_BGRA8_UNORM) {
        decode_unorm8(texels, format == WEFT_FORMAT_BGRA8_UNORM, rows);
        return;
    }
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(format);
    uint32_t words[LANES][4];
    wf_hal_texel_decode(codec, texels, LANES, words);
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t l = 0; l < LANES; l++)
            rows[c][l] = words[l][c];
    }
}
