#include "hal/texel.h"

#include <string.h>

#include "base/bits.h"
#include "base/half.h"

// Little-endian bytes are read one by one, so texels need no alignment and hosts no byte order; the
// compiler makes one load of it.
static uint32_t load16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t load32(const uint8_t *p)
{
    return load16(p) | load16(p + 2) << 16;
}

static void store16(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static void store32(uint8_t *p, uint32_t value)
{
    store16(p, value);
    store16(p + 2, value >> 16);
}

static void fill_missing(const struct wf_hal_texel_codec *codec, uint32_t texel[4])
{
    if (codec->components == 4)
        return;
    texel[1] = 0;
    texel[2] = 0;
    texel[3] = wf_hal_texel_is_integer(codec) ? 1 : wf_base_float_bits(1.0f);
}

/// wf_base_half_to_float_bits() without branches, so that loops over it become vector code.
static inline uint32_t half_decode(uint32_t half)
{
    const uint32_t rest = half & 0x7fffu;
    const uint32_t subnormal = wf_base_float_bits((float)(int32_t)rest * 0x1p-24f);
    const uint32_t normal = (rest << 13) + (112u << 23);
    const uint32_t special = (rest << 13) | 0x7f800000u;
    return (half & 0x8000u) << 16 | (rest < 0x400u ? subnormal : rest < 0x7c00u ? normal : special);
}

/// Nearest whole number to value × scale, ties to even, exact: the product has at most 48 bits and
/// adding 1.5 × 2^52 rounds it in the one addition.
static int32_t scale_and_round(float value, int32_t scale)
{
    const double biased = (double)value * scale + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &biased, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

static uint32_t unorm_encode(uint32_t word, uint32_t max)
{
    const float value = wf_base_clamp_f32(wf_base_float_from_bits(word), 0.0f, 1.0f);
    return (uint32_t)scale_and_round(value, (int32_t)max);
}

static uint32_t snorm_encode(uint32_t word, int32_t max)
{
    const float value = wf_base_float_from_bits(word);
    return value != value ? 0
                          : (uint32_t)scale_and_round(wf_base_clamp_f32(value, -1.0f, 1.0f), max);
}

static uint32_t unorm_decode(uint32_t value, uint32_t max)
{
    return wf_base_float_bits((float)value / (float)max);
}

static uint32_t snorm_decode(int32_t value, int32_t max)
{
    const float f = (float)value / (float)max;
    return wf_base_float_bits(f < -1.0f ? -1.0f : f);
}

// ---- components of 8, 16 or 32 bits ------------------------------------------------------------

static inline uint32_t component_decode(enum wf_hal_texel_kind kind, const uint8_t *p)
{
    switch (kind) {
    case WF_HAL_TEXEL_UNORM8:
        return unorm_decode(*p, 255);
    case WF_HAL_TEXEL_SNORM8:
        return snorm_decode((int8_t)*p, 127);
    case WF_HAL_TEXEL_UINT8:
        return *p;
    case WF_HAL_TEXEL_SINT8:
        return (uint32_t)(int8_t)*p;
    case WF_HAL_TEXEL_UNORM16:
        return unorm_decode(load16(p), 65535);
    case WF_HAL_TEXEL_SNORM16:
        return snorm_decode((int16_t)load16(p), 32767);
    case WF_HAL_TEXEL_UINT16:
        return load16(p);
    case WF_HAL_TEXEL_SINT16:
        return (uint32_t)(int16_t)load16(p);
    case WF_HAL_TEXEL_FLOAT16:
        return half_decode(load16(p));
    default:
        return load32(p);
    }
}

static inline void component_encode(enum wf_hal_texel_kind kind, uint32_t word, uint8_t *p)
{
    switch (kind) {
    case WF_HAL_TEXEL_UNORM8:
        *p = (uint8_t)unorm_encode(word, 255);
        break;
    case WF_HAL_TEXEL_SNORM8:
        *p = (uint8_t)snorm_encode(word, 127);
        break;
    case WF_HAL_TEXEL_UINT8:
    case WF_HAL_TEXEL_SINT8:
        *p = (uint8_t)word;
        break;
    case WF_HAL_TEXEL_UNORM16:
        store16(p, unorm_encode(word, 65535));
        break;
    case WF_HAL_TEXEL_SNORM16:
        store16(p, snorm_encode(word, 32767));
        break;
    case WF_HAL_TEXEL_UINT16:
    case WF_HAL_TEXEL_SINT16:
        store16(p, word);
        break;
    case WF_HAL_TEXEL_FLOAT16:
        store16(p, wf_base_half_from_float(wf_base_float_from_bits(word)));
        break;
    default:
        store32(p, word);
        break;
    }
}

static inline uint32_t component_bytes(enum wf_hal_texel_kind kind)
{
    if (kind == WF_HAL_TEXEL_WORDS)
        return 4;
    return kind >= WF_HAL_TEXEL_UNORM16 ? 2 : 1;
}

static inline void decode_components(const struct wf_hal_texel_codec *codec,
                                     enum wf_hal_texel_kind kind, const uint8_t *src,
                                     uint32_t count, uint32_t (*out)[4])
{
    const uint32_t size = component_bytes(kind);
    for (uint32_t i = 0; i < count; i++) {
        fill_missing(codec, out[i]);
        for (uint32_t c = 0; c < codec->components; c++, src += size)
            out[i][c] = component_decode(kind, src);
    }
}

static inline void encode_components(const struct wf_hal_texel_codec *codec,
                                     enum wf_hal_texel_kind kind, const uint32_t (*in)[4],
                                     uint32_t count, uint8_t *dst)
{
    const uint32_t size = component_bytes(kind);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < codec->components; c++, dst += size)
            component_encode(kind, in[i][c], dst);
}

/// Four halves: without a count of components this is vector code.
static void decode_half4(const uint8_t *src, uint32_t count, uint32_t (*out)[4])
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < 4; c++)
            out[i][c] = half_decode(load16(src + 8 * (size_t)i + 2 * (size_t)c));
}

// ---- four bytes: the formats of most textures and targets --------------------------------------

static inline void decode_unorm8(const uint8_t *src, uint32_t count, uint32_t red, uint32_t blue,
                                 uint32_t (*out)[4])
{
    for (uint32_t i = 0; i < count; i++, src += 4) {
        out[i][0] = unorm_decode(src[red], 255);
        out[i][1] = unorm_decode(src[1], 255);
        out[i][2] = unorm_decode(src[blue], 255);
        out[i][3] = unorm_decode(src[3], 255);
    }
}

static inline void encode_unorm8(const uint32_t (*in)[4], uint32_t count, uint32_t red,
                                 uint32_t blue, uint8_t *dst)
{
    for (uint32_t i = 0; i < count; i++, dst += 4) {
        dst[red] = (uint8_t)unorm_encode(in[i][0], 255);
        dst[1] = (uint8_t)unorm_encode(in[i][1], 255);
        dst[blue] = (uint8_t)unorm_encode(in[i][2], 255);
        dst[3] = (uint8_t)unorm_encode(in[i][3], 255);
    }
}

static inline void decode_srgb(const uint8_t *src, uint32_t count, uint32_t red, uint32_t blue,
                               uint32_t (*out)[4])
{
    for (uint32_t i = 0; i < count; i++, src += 4) {
        out[i][0] = wf_base_float_bits(wf_hal_srgb_to_linear[src[red]]);
        out[i][1] = wf_base_float_bits(wf_hal_srgb_to_linear[src[1]]);
        out[i][2] = wf_base_float_bits(wf_hal_srgb_to_linear[src[blue]]);
        out[i][3] = unorm_decode(src[3], 255);
    }
}

static inline void encode_srgb(const uint32_t (*in)[4], uint32_t count, uint32_t red, uint32_t blue,
                               uint8_t *dst)
{
    for (uint32_t i = 0; i < count; i++, dst += 4) {
        dst[red] = wf_hal_linear_to_srgb(wf_base_float_from_bits(in[i][0]));
        dst[1] = wf_hal_linear_to_srgb(wf_base_float_from_bits(in[i][1]));
        dst[blue] = wf_hal_linear_to_srgb(wf_base_float_from_bits(in[i][2]));
        dst[3] = (uint8_t)unorm_encode(in[i][3], 255);
    }
}

// ---- packed words ------------------------------------------------------------------------------

static inline void decode_rgb10a2(bool integer, const uint8_t *src, uint32_t count,
                                  uint32_t (*out)[4])
{
    for (uint32_t i = 0; i < count; i++, src += 4) {
        const uint32_t word = load32(src);
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t value = word >> 10 * c & 1023;
            out[i][c] = integer ? value : unorm_decode(value, 1023);
        }
        out[i][3] = integer ? word >> 30 : unorm_decode(word >> 30, 3);
    }
}

static void encode_rgb10a2(const uint32_t (*in)[4], uint32_t count, uint8_t *dst)
{
    for (uint32_t i = 0; i < count; i++, dst += 4)
        store32(dst, unorm_encode(in[i][0], 1023) | unorm_encode(in[i][1], 1023) << 10 |
                         unorm_encode(in[i][2], 1023) << 20 | unorm_encode(in[i][3], 3) << 30);
}

static void encode_rgb10a2_uint(const uint32_t (*in)[4], uint32_t count, uint8_t *dst)
{
    for (uint32_t i = 0; i < count; i++, dst += 4)
        store32(dst, (in[i][0] & 1023) | (in[i][1] & 1023) << 10 | (in[i][2] & 1023) << 20 |
                         in[i][3] << 30);
}

/// 2^exponent for exponents of normal floats.
static double power_of_two(int32_t exponent)
{
    return wf_base_float_from_bits((uint32_t)(exponent + 127) << 23);
}

uint32_t wf_hal_rgb9e5_encode(const float rgb[3])
{
    double c[3], largest = 0;
    for (uint32_t i = 0; i < 3; i++) {
        c[i] = wf_base_clamp_f32(rgb[i], 0.0f, 65408.0f);
        largest = c[i] > largest ? c[i] : largest;
    }
    // The exponent, first without the rounding of the largest component.
    const uint32_t bits = wf_base_float_bits((float)largest);
    const int32_t floor_log2 = (int32_t)(bits >> 23) - 127;
    int32_t exponent = (floor_log2 < -16 ? -16 : floor_log2) + 16;
    if ((uint32_t)(largest / power_of_two(exponent - 24) + 0.5) == 512)
        exponent++;
    const double scale = power_of_two(24 - exponent);
    uint32_t word = (uint32_t)exponent << 27;
    for (uint32_t i = 0; i < 3; i++)
        word |= (uint32_t)(c[i] * scale + 0.5) << 9 * i;
    return word;
}

void wf_hal_rgb9e5_decode(uint32_t bits, float rgb[3])
{
    const float scale = wf_base_float_from_bits(((bits >> 27) + 127 - 24) << 23);
    for (uint32_t i = 0; i < 3; i++)
        rgb[i] = (float)(bits >> 9 * i & 511) * scale;
}

/// An unsigned float of 5 exponent bits and `mantissa` bits: nearest, ties to even. Too large
/// becomes the largest finite one, negative becomes 0, infinity and NaN stay.
static uint32_t ufloat_encode(float value, uint32_t mantissa)
{
    const uint32_t infinity = 31u << mantissa;
    const uint32_t bits = wf_base_float_bits(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return infinity | 1;
    if (bits >> 31)
        return 0;
    if (bits == 0x7f800000u)
        return infinity;
    const uint32_t exponent = bits >> 23;
    uint32_t shift = 23 - mantissa;
    uint32_t whole = bits - (112u << 23); // rebiased
    if (exponent < 113) {                 // subnormal in the small format
        shift += 113 - exponent;
        if (shift > 24)
            return 0;
        whole = (bits & 0x7fffffu) | 0x800000u;
    }
    const uint32_t down = whole >> shift;
    const uint32_t lost = whole & ((UINT32_C(1) << shift) - 1), tie = UINT32_C(1) << (shift - 1);
    const uint32_t rounded = down + (lost > tie || (lost == tie && (down & 1)));
    return rounded < infinity ? rounded : infinity - 1;
}

uint32_t wf_hal_rg11b10_encode(const float rgb[3])
{
    return ufloat_encode(rgb[0], 6) | ufloat_encode(rgb[1], 6) << 11 |
           ufloat_encode(rgb[2], 5) << 22;
}

void wf_hal_rg11b10_decode(uint32_t bits, float rgb[3])
{
    // With its mantissa filled up, each is the magnitude of a half.
    rgb[0] = wf_base_half_to_float((uint16_t)((bits & 0x7ff) << 4));
    rgb[1] = wf_base_half_to_float((uint16_t)((bits >> 11 & 0x7ff) << 4));
    rgb[2] = wf_base_half_to_float((uint16_t)(bits >> 22 << 5));
}

static inline void decode_rgb(void (*decode)(uint32_t, float *), const uint8_t *src, uint32_t count,
                              uint32_t (*out)[4])
{
    for (uint32_t i = 0; i < count; i++, src += 4) {
        float rgb[3];
        decode(load32(src), rgb);
        memcpy(out[i], rgb, sizeof rgb);
        out[i][3] = wf_base_float_bits(1.0f);
    }
}

static inline void encode_rgb(uint32_t (*encode)(const float *), const uint32_t (*in)[4],
                              uint32_t count, uint8_t *dst)
{
    for (uint32_t i = 0; i < count; i++, dst += 4) {
        float rgb[3];
        memcpy(rgb, in[i], sizeof rgb);
        store32(dst, encode(rgb));
    }
}

// ---- depth -------------------------------------------------------------------------------------

uint32_t wf_hal_depth_encode(float depth, uint32_t bits)
{
    return unorm_encode(wf_base_float_bits(depth), (UINT32_C(1) << bits) - 1);
}

float wf_hal_depth_decode(uint32_t value, uint32_t bits)
{
    const uint32_t max = (UINT32_C(1) << bits) - 1;
    return (float)(value & max) / (float)max;
}

static void decode_unorm24(const struct wf_hal_texel_codec *codec, const uint8_t *src,
                           uint32_t count, uint32_t (*out)[4])
{
    for (uint32_t i = 0; i < count; i++, src += 4) {
        fill_missing(codec, out[i]);
        out[i][0] = wf_base_float_bits(wf_hal_depth_decode(load32(src), 24));
    }
}

static void encode_unorm24(const uint32_t (*in)[4], uint32_t count, uint8_t *dst)
{
    for (uint32_t i = 0; i < count; i++, dst += 4)
        store32(dst, unorm_encode(in[i][0], 0xffffff));
}

// ---- all of them -------------------------------------------------------------------------------

void wf_hal_texel_decode(const struct wf_hal_texel_codec *codec, const uint8_t *src, uint32_t count,
                         uint32_t (*out)[4])
{
    const enum wf_hal_texel_kind kind = (enum wf_hal_texel_kind)codec->kind;
    switch (kind) {
    case WF_HAL_TEXEL_NONE:
        break;
    case WF_HAL_TEXEL_UNORM8:
        decode_components(codec, WF_HAL_TEXEL_UNORM8, src, count, out);
        break;
    case WF_HAL_TEXEL_SNORM8:
        decode_components(codec, WF_HAL_TEXEL_SNORM8, src, count, out);
        break;
    case WF_HAL_TEXEL_UINT8:
        decode_components(codec, WF_HAL_TEXEL_UINT8, src, count, out);
        break;
    case WF_HAL_TEXEL_SINT8:
        decode_components(codec, WF_HAL_TEXEL_SINT8, src, count, out);
        break;
    case WF_HAL_TEXEL_UNORM16:
        decode_components(codec, WF_HAL_TEXEL_UNORM16, src, count, out);
        break;
    case WF_HAL_TEXEL_SNORM16:
        decode_components(codec, WF_HAL_TEXEL_SNORM16, src, count, out);
        break;
    case WF_HAL_TEXEL_UINT16:
        decode_components(codec, WF_HAL_TEXEL_UINT16, src, count, out);
        break;
    case WF_HAL_TEXEL_SINT16:
        decode_components(codec, WF_HAL_TEXEL_SINT16, src, count, out);
        break;
    case WF_HAL_TEXEL_FLOAT16:
        if (codec->components == 4)
            decode_half4(src, count, out);
        else
            decode_components(codec, WF_HAL_TEXEL_FLOAT16, src, count, out);
        break;
    case WF_HAL_TEXEL_WORDS:
        decode_components(codec, WF_HAL_TEXEL_WORDS, src, count, out);
        break;
    case WF_HAL_TEXEL_UNORM24:
        decode_unorm24(codec, src, count, out);
        break;
    case WF_HAL_TEXEL_RGBA8:
        decode_unorm8(src, count, 0, 2, out);
        break;
    case WF_HAL_TEXEL_BGRA8:
        decode_unorm8(src, count, 2, 0, out);
        break;
    case WF_HAL_TEXEL_SRGB8:
        decode_srgb(src, count, 0, 2, out);
        break;
    case WF_HAL_TEXEL_BGRA8_SRGB:
        decode_srgb(src, count, 2, 0, out);
        break;
    case WF_HAL_TEXEL_RGB10A2:
        decode_rgb10a2(false, src, count, out);
        break;
    case WF_HAL_TEXEL_RGB10A2_UINT:
        decode_rgb10a2(true, src, count, out);
        break;
    case WF_HAL_TEXEL_RGB9E5:
        decode_rgb(wf_hal_rgb9e5_decode, src, count, out);
        break;
    case WF_HAL_TEXEL_RG11B10:
        decode_rgb(wf_hal_rg11b10_decode, src, count, out);
        break;
    }
}

void wf_hal_texel_encode(const struct wf_hal_texel_codec *codec, const uint32_t (*in)[4],
                         uint32_t count, uint8_t *dst)
{
    const enum wf_hal_texel_kind kind = (enum wf_hal_texel_kind)codec->kind;
    switch (kind) {
    case WF_HAL_TEXEL_NONE:
        break;
    case WF_HAL_TEXEL_UNORM8:
        encode_components(codec, WF_HAL_TEXEL_UNORM8, in, count, dst);
        break;
    case WF_HAL_TEXEL_SNORM8:
        encode_components(codec, WF_HAL_TEXEL_SNORM8, in, count, dst);
        break;
    case WF_HAL_TEXEL_UINT8:
    case WF_HAL_TEXEL_SINT8:
        encode_components(codec, WF_HAL_TEXEL_UINT8, in, count, dst);
        break;
    case WF_HAL_TEXEL_UNORM16:
        encode_components(codec, WF_HAL_TEXEL_UNORM16, in, count, dst);
        break;
    case WF_HAL_TEXEL_SNORM16:
        encode_components(codec, WF_HAL_TEXEL_SNORM16, in, count, dst);
        break;
    case WF_HAL_TEXEL_UINT16:
    case WF_HAL_TEXEL_SINT16:
        encode_components(codec, WF_HAL_TEXEL_UINT16, in, count, dst);
        break;
    case WF_HAL_TEXEL_FLOAT16:
        encode_components(codec, WF_HAL_TEXEL_FLOAT16, in, count, dst);
        break;
    case WF_HAL_TEXEL_WORDS:
        encode_components(codec, WF_HAL_TEXEL_WORDS, in, count, dst);
        break;
    case WF_HAL_TEXEL_UNORM24:
        encode_unorm24(in, count, dst);
        break;
    case WF_HAL_TEXEL_RGBA8:
        encode_unorm8(in, count, 0, 2, dst);
        break;
    case WF_HAL_TEXEL_BGRA8:
        encode_unorm8(in, count, 2, 0, dst);
        break;
    case WF_HAL_TEXEL_SRGB8:
        encode_srgb(in, count, 0, 2, dst);
        break;
    case WF_HAL_TEXEL_BGRA8_SRGB:
        encode_srgb(in, count, 2, 0, dst);
        break;
    case WF_HAL_TEXEL_RGB10A2:
        encode_rgb10a2(in, count, dst);
        break;
    case WF_HAL_TEXEL_RGB10A2_UINT:
        encode_rgb10a2_uint(in, count, dst);
        break;
    case WF_HAL_TEXEL_RGB9E5:
        encode_rgb(wf_hal_rgb9e5_encode, in, count, dst);
        break;
    case WF_HAL_TEXEL_RG11B10:
        encode_rgb(wf_hal_rg11b10_encode, in, count, dst);
        break;
    }
}

const struct wf_hal_texel_codec *wf_hal_texel_codec_get(weft_format format)
{
    const struct wf_hal_texel_codec *codec = &wf_hal_format_get(format)->codec;
    return codec->kind == WF_HAL_TEXEL_NONE ? NULL : codec;
}
