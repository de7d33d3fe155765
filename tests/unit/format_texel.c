// The texel codec against the definitions of the Vulkan specification, in double precision.
#include <math.h>
#include <string.h>

#include "base/half.h"
#include "hal/format.h"
#include "hal/texel.h"
#include "support/test.h"

static float as_float(uint32_t word)
{
    return wf_base_float_from_bits(word);
}

/// What one component's bits mean, as a float (rounded once) or an integer.
static uint32_t decode_oracle(const struct wf_hal_texel_codec *codec, uint32_t c, uint32_t raw)
{
    const uint32_t bits = codec->bits[c];
    EXPECT(bits > 0);
    const double max = (double)(((uint64_t)1 << bits) - 1);
    const int64_t sign = raw >> (bits - 1) & 1 ? (int64_t)raw - ((int64_t)1 << bits) : (int64_t)raw;
    const bool srgb = codec->kind == WF_HAL_TEXEL_SRGB8 || codec->kind == WF_HAL_TEXEL_BGRA8_SRGB;
    switch (codec->numeric) {
    case WF_HAL_NUMERIC_UNORM:
        if (srgb && c < 3) {
            const double e = raw / 255.0;
            return wf_base_float_bits(
                (float)(e <= 0.04045 ? e / 12.92 : pow((e + 0.055) / 1.055, 2.4)));
        }
        return wf_base_float_bits((float)(raw / max));
    case WF_HAL_NUMERIC_SNORM:
        return wf_base_float_bits(
            (float)fmax((double)sign / (double)((1 << (bits - 1)) - 1), -1.0));
    case WF_HAL_NUMERIC_UINT:
        return raw;
    case WF_HAL_NUMERIC_SINT:
        return (uint32_t)sign;
    case WF_HAL_NUMERIC_FLOAT:
        return bits == 32 ? raw : wf_base_half_to_float_bits((uint16_t)raw);
    default:
        return 0;
    }
}

static void put_bits(uint8_t *texel, uint32_t shift, uint32_t bits, uint32_t raw)
{
    for (uint32_t b = 0; b < bits; b++)
        if (raw >> b & 1)
            texel[(shift + b) / 8] |= (uint8_t)(1 << (shift + b) % 8);
}

static bool is_nan(uint32_t word)
{
    return (word & 0x7fffffffu) > 0x7f800000u;
}

/// Every value of component `c` (of 32-bit ones some), decoded and encoded again.
static void check_component(weft_format format, uint32_t c)
{
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(format);
    const uint32_t bits = codec->bits[c];
    const uint64_t values = bits == 32 ? 100000 : (uint64_t)1 << bits;
    for (uint64_t v = 0; v < values; v++) {
        const uint32_t raw = bits == 32 ? (uint32_t)(v * 0x9e3779b1u) : (uint32_t)v;
        uint8_t texel[16] = {0}, back[16] = {0};
        put_bits(texel, wf_hal_texel_shift(codec, c), bits, raw);
        uint32_t out[1][4];
        wf_hal_texel_decode(codec, texel, 1, out);
        if (out[0][c] != decode_oracle(codec, c, raw))
            test_fail(__FILE__, __LINE__, "%s component %u value %u: 0x%08x, not 0x%08x",
                      weft_format_get_info(format)->name, c, raw, out[0][c],
                      decode_oracle(codec, c, raw));
        wf_hal_texel_encode(codec, (const uint32_t(*)[4])out, 1, back);
        const bool lowest = codec->numeric == WF_HAL_NUMERIC_SNORM && raw == 1u << (bits - 1);
        if (!lowest && !is_nan(out[0][c])) // two codes of an snorm mean -1
            EXPECT_MEM(back, texel, sizeof back);
    }
}

TEST(texel, decodes_every_value_and_encodes_it_back)
{
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get((weft_format)f);
        if (!codec || codec->numeric == WF_HAL_NUMERIC_SHARED ||
            codec->numeric == WF_HAL_NUMERIC_UFLOAT || f == WEFT_FORMAT_D24_UNORM)
            continue;
        for (uint32_t c = 0; c < 4; c++)
            if (codec->bits[c])
                check_component((weft_format)f, c);
    }
}

TEST(texel, missing_components_are_zero_and_one)
{
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get((weft_format)f);
        if (!codec)
            continue;
        uint8_t zero[16] = {0};
        uint32_t out[1][4] = {{7, 7, 7, 7}};
        wf_hal_texel_decode(codec, zero, 1, out);
        const uint32_t one = wf_hal_texel_is_integer(codec) ? 1 : wf_base_float_bits(1.0f);
        for (uint32_t c = 0; c < 4; c++)
            EXPECT_EQ(out[0][c], codec->bits[c] || c < 3 ? 0 : one);
    }
}

TEST(texel, vertex_attributes_decode_every_value)
{
    for (int f = 1; f < WEFT_VERTEX_FORMAT_COUNT; f++) {
        const struct wf_hal_texel_codec *codec = wf_hal_vertex_format_get((weft_vertex_format)f);
        for (uint32_t c = 0; c < codec->components; c++)
            for (uint32_t i = 0; i < 65536; i++) {
                const uint32_t bits = codec->bits[c];
                const uint32_t raw = bits == 32 ? i * 0x9e3779b1u : i & ((1u << bits) - 1);
                uint8_t bytes[16] = {0};
                put_bits(bytes, wf_hal_texel_shift(codec, c), bits, raw);
                uint32_t out[1][4];
                wf_hal_texel_decode(codec, bytes, 1, out);
                EXPECT_EQ(out[0][c], decode_oracle(codec, c, raw));
            }
    }
}

static uint32_t encode_one(weft_format format, float red)
{
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(format);
    const uint32_t in[1][4] = {{wf_base_float_bits(red), 0, 0, 0}};
    uint8_t out[16] = {0};
    wf_hal_texel_encode(codec, in, 1, out);
    return out[0] | (uint32_t)out[1] << 8 | (uint32_t)out[2] << 16 | (uint32_t)out[3] << 24;
}

/// Encodes floats that lie on, just below and just above every rounding boundary.
static void check_rounding(weft_format format, uint32_t max)
{
    for (uint32_t k = 0; k < max; k++) {
        const float tie = (float)((k + 0.5) / max);
        for (int step = -2; step <= 2; step++) {
            const float f = as_float(wf_base_float_bits(tie) + (uint32_t)step);
            const uint32_t code = encode_one(format, f);
            EXPECT(fabs((double)f * max - code) <= 0.5);
            EXPECT_EQ(code, (uint32_t)nearbyint((double)f * max));
        }
    }
}

TEST(texel, unorm_encoding_rounds_to_nearest_even)
{
    check_rounding(WEFT_FORMAT_R8_UNORM, 255);
    check_rounding(WEFT_FORMAT_R16_UNORM, 65535);
    check_rounding(WEFT_FORMAT_D16_UNORM, 65535);
    check_rounding(WEFT_FORMAT_RGB10A2_UNORM, 1023);
    EXPECT_EQ(encode_one(WEFT_FORMAT_R8_UNORM, NAN), 0);
    EXPECT_EQ(encode_one(WEFT_FORMAT_R8_UNORM, -INFINITY), 0);
    EXPECT_EQ(encode_one(WEFT_FORMAT_R8_UNORM, INFINITY), 255);
    EXPECT_EQ(encode_one(WEFT_FORMAT_R8_UNORM, 3.0f), 255);
}

TEST(texel, snorm_encoding_rounds_to_nearest)
{
    for (int i = -127; i <= 127; i++) {
        EXPECT_EQ((int8_t)encode_one(WEFT_FORMAT_R8_SNORM, (float)((i + 0.49) / 127)), i);
        EXPECT_EQ((int8_t)encode_one(WEFT_FORMAT_R8_SNORM, (float)((i - 0.49) / 127)), i);
    }
    EXPECT_EQ(encode_one(WEFT_FORMAT_R8_SNORM, NAN), 0);
    EXPECT_EQ((int8_t)encode_one(WEFT_FORMAT_R8_SNORM, -5.0f), -127);
    EXPECT_EQ((int16_t)encode_one(WEFT_FORMAT_R16_SNORM, 5.0f), 32767);
}

TEST(texel, depth24_keeps_every_value)
{
    for (uint32_t v = 0; v < 1u << 24; v++) {
        const float f = wf_hal_depth_decode(v, 24);
        if (wf_hal_depth_encode(f, 24) != v)
            test_fail(__FILE__, __LINE__, "depth %u does not come back", v);
    }
    EXPECT(wf_hal_depth_decode(0xffffff, 24) == 1.0f);
    EXPECT_EQ(encode_one(WEFT_FORMAT_D24_UNORM, 1.0f), 0xffffff);
    EXPECT_EQ(encode_one(WEFT_FORMAT_D24_UNORM, NAN), 0);
}

static long double srgb_exact(float linear)
{
    const long double l = linear;
    return 255.0L * (l <= 0.0031308L ? 12.92L * l : 1.055L * powl(l, 1.0L / 2.4L) - 0.055L);
}

/// Walks over every float from 2^-13 to 1: the code may only ever step up by one, and each step
/// lies exactly where the transfer function crosses the half. That settles all floats between.
TEST(texel, srgb_encoding_is_exact_for_every_float)
{
    const uint32_t start = wf_base_float_bits(0x1p-13f), end = wf_base_float_bits(1.0f);
    uint8_t code = wf_hal_linear_to_srgb(0x1p-13f);
    EXPECT_EQ(code, 0);
    EXPECT(srgb_exact(0x1p-13f) < 0.5L);
    for (uint32_t bits = start + 1; bits <= end; bits++) {
        const uint8_t next = wf_hal_linear_to_srgb(as_float(bits));
        if (next == code)
            continue;
        EXPECT_EQ(next, code + 1);
        EXPECT(srgb_exact(as_float(bits)) >= code + 0.5L);
        EXPECT(srgb_exact(as_float(bits - 1)) < code + 0.5L);
        code = next;
    }
    EXPECT_EQ(code, 255);
    EXPECT_EQ(wf_hal_linear_to_srgb(1e-30f), 0);
    EXPECT_EQ(wf_hal_linear_to_srgb(-1.0f), 0);
    EXPECT_EQ(wf_hal_linear_to_srgb(NAN), 0);
    EXPECT_EQ(wf_hal_linear_to_srgb(INFINITY), 255);
}

TEST(texel, srgb_codes_come_back)
{
    for (uint32_t code = 0; code < 256; code++)
        EXPECT_EQ(wf_hal_linear_to_srgb(wf_hal_srgb_to_linear[code]), code);
}

TEST(texel, packed_floats_decode_every_value_and_encode_it_back)
{
    for (uint32_t v = 0; v < 2048; v++) {
        const int exponent = (int)(v >> 6), mantissa = (int)(v & 63);
        float rgb[3];
        wf_hal_rg11b10_decode(v | v << 11 | (v >> 1) << 22, rgb);
        if (exponent == 31) {
            EXPECT(mantissa ? isnan(rgb[0]) && isnan(rgb[1]) : isinf(rgb[0]) && isinf(rgb[1]));
            continue;
        }
        const double expected =
            exponent ? ldexp(64 + mantissa, exponent - 21) : ldexp(mantissa, -20);
        const int blue_mantissa = mantissa / 2;
        const double blue =
            exponent ? ldexp(32 + blue_mantissa, exponent - 20) : ldexp(blue_mantissa, -19);
        EXPECT(rgb[0] == expected && rgb[1] == expected && rgb[2] == blue);
        EXPECT_EQ(wf_hal_rg11b10_encode(rgb), v | v << 11 | (v >> 1) << 22);
    }
}

static float red_of_rg11b10(float value)
{
    float rgb[3] = {value, 0, 0};
    wf_hal_rg11b10_decode(wf_hal_rg11b10_encode(rgb), rgb);
    return rgb[0];
}

TEST(texel, packed_floats_round_to_nearest)
{
    float codes[31 * 64];
    for (uint32_t v = 0; v < 31 * 64; v++) {
        float rgb[3];
        wf_hal_rg11b10_decode(v, rgb);
        codes[v] = rgb[0];
    }
    for (uint32_t v = 0; v + 1 < 31 * 64; v++) {
        const float middle = (codes[v] + codes[v + 1]) / 2; // exact
        EXPECT(red_of_rg11b10(nextafterf(middle, 0)) == codes[v]);
        EXPECT(red_of_rg11b10(nextafterf(middle, 1e9f)) == codes[v + 1]);
        EXPECT(red_of_rg11b10(middle) == codes[v + (v & 1)]);
    }
    EXPECT(red_of_rg11b10(1e9f) == 65024.0f);
    EXPECT(red_of_rg11b10(-1.0f) == 0.0f);
    EXPECT(red_of_rg11b10(-INFINITY) == 0.0f);
    EXPECT(isinf(red_of_rg11b10(INFINITY)));
    EXPECT(isnan(red_of_rg11b10(NAN)));
    EXPECT(isnan(red_of_rg11b10(-NAN)));
}

TEST(texel, shared_exponents_decode_every_value_and_come_back)
{
    for (uint32_t exponent = 0; exponent < 32; exponent++)
        for (uint32_t m = 0; m < 512; m++) {
            float rgb[3], again[3];
            wf_hal_rgb9e5_decode(m | (511 - m) << 9 | 3 << 18 | exponent << 27, rgb);
            EXPECT(rgb[0] == ldexp(m, (int)exponent - 24));
            EXPECT(rgb[1] == ldexp(511 - m, (int)exponent - 24));
            wf_hal_rgb9e5_decode(wf_hal_rgb9e5_encode(rgb), again);
            EXPECT_MEM(again, rgb, sizeof rgb);
        }
}

TEST(texel, shared_exponents_are_within_half_a_step_of_the_largest)
{
    uint32_t state = 1;
    for (int i = 0; i < 200000; i++) {
        float rgb[3], out[3], largest = 0;
        for (int c = 0; c < 3; c++) {
            state = state * 1664525u + 1013904223u;
            rgb[c] = ldexpf((float)(state >> 8), (int)(state % 40) - 40);
            rgb[c] = rgb[c] > 65408.0f ? 65408.0f : rgb[c];
            largest = fmaxf(largest, rgb[c]);
        }
        wf_hal_rgb9e5_decode(wf_hal_rgb9e5_encode(rgb), out);
        // A largest component that rounds up to 512 steps takes the next exponent.
        const double step = fmax(ldexp(1, ilogb(largest * 512 / 511.5) - 8), ldexp(1, -24));
        for (int c = 0; c < 3; c++)
            EXPECT(fabs((double)out[c] - rgb[c]) <= step / 2);
    }
    const float odd[3] = {NAN, -3.0f, INFINITY};
    float out[3];
    wf_hal_rgb9e5_decode(wf_hal_rgb9e5_encode(odd), out);
    EXPECT(out[0] == 0 && out[1] == 0 && out[2] == 65408.0f);
}
