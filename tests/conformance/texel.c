// Decoding by the format's name: components, bits of each, and what the bits mean.
#include "texel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double conform_srgb_decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

double conform_srgb_encode(double linear)
{
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

/// A float of 5 exponent bits and `mantissa` bits below; no sign.
static double small_float(uint32_t bits, int mantissa)
{
    const uint32_t fraction = bits & ((1u << mantissa) - 1);
    const int exponent = (int)(bits >> mantissa & 31);
    if (exponent == 31)
        return fraction ? NAN : INFINITY;
    if (exponent == 0)
        return ldexp(fraction, -14 - mantissa);
    return ldexp((double)(fraction | 1u << mantissa), exponent - 15 - mantissa);
}

double conform_half(uint32_t bits)
{
    const double magnitude = small_float(bits & 0x7fff, 10);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static double float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int32_t sign_extend(uint32_t value, uint32_t bits)
{
    const uint32_t sign = 1u << (bits - 1);
    return (int32_t)((value ^ sign) - sign);
}

/// What `bits` bits mean in a format of that numeric type.
static double number_of(uint32_t value, uint32_t bits, const char *type)
{
    const double top = ldexp(1, (int)bits) - 1;
    if (strncmp(type, "unorm", 5) == 0)
        return value / top;
    if (strcmp(type, "snorm") == 0)
        return fmax(sign_extend(value, bits) / floor(top / 2), -1);
    if (strcmp(type, "uint") == 0)
        return value;
    if (strcmp(type, "sint") == 0)
        return sign_extend(value, bits);
    return bits == 16 ? conform_half(value) : float_of(value);
}

static bool decode_packed(weft_format format, uint32_t word, struct conform_texel *out)
{
    switch (format) {
    case WEFT_FORMAT_RGB9E5_UFLOAT:
        for (uint32_t i = 0; i < 3; i++)
            out->v[i] = ldexp(word >> 9 * i & 511, (int)(word >> 27) - 15 - 9);
        return true;
    case WEFT_FORMAT_RG11B10_UFLOAT:
        out->v[0] = small_float(word & 2047, 6);
        out->v[1] = small_float(word >> 11 & 2047, 6);
        out->v[2] = small_float(word >> 22, 5);
        return true;
    case WEFT_FORMAT_RGB10A2_UINT:
    case WEFT_FORMAT_RGB10A2_UNORM:
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t top = i < 3 ? 1023 : 3, value = word >> 10 * i & top;
            out->v[i] = format == WEFT_FORMAT_RGB10A2_UINT ? value : (double)value / top;
        }
        return true;
    default:
        return false;
    }
}

static bool decode_depth_stencil(weft_format format, weft_aspect_set aspect, const uint8_t *bytes,
                                 struct conform_texel *out)
{
    uint32_t word = 0;
    memcpy(&word, bytes, conform_texel_bytes(format, aspect));
    if (aspect == WEFT_ASPECT_STENCIL)
        out->v[0] = word;
    else
        out->v[0] = format == WEFT_FORMAT_D16_UNORM ? word / 65535.0 : float_of(word);
    return true;
}

/// "rgba8_unorm_srgb": a row of letters, their bits, the type.
static void decode_plain(const weft_format_info *info, const uint8_t *bytes,
                         struct conform_texel *out)
{
    const size_t letters = strspn(info->name, "rgba");
    char *type;
    const uint32_t bits = (uint32_t)strtoul(info->name + letters, &type, 10);
    for (size_t i = 0; i < letters; i++) {
        uint32_t value = 0;
        memcpy(&value, bytes + i * bits / 8, bits / 8);
        const size_t component = (size_t)(strchr("rgba", info->name[i]) - "rgba");
        double number = number_of(value, bits, type + 1);
        if (info->srgb && component < 3)
            number = conform_srgb_decode(number);
        out->v[component] = number;
    }
}

uint32_t conform_texel_bytes(weft_format format, weft_aspect_set aspect)
{
    const weft_format_info *info = weft_format_get_info(format);
    if (aspect == WEFT_ASPECT_STENCIL)
        return info->aspects & WEFT_ASPECT_STENCIL ? 1 : 0;
    switch (format) {
    case WEFT_FORMAT_D24_UNORM:
    case WEFT_FORMAT_D24_UNORM_S8_UINT:
        return 0;
    case WEFT_FORMAT_D32_FLOAT_S8_UINT:
        return 4;
    default:
        return info->block_bytes;
    }
}

bool conform_texel_decode(weft_format format, weft_aspect_set aspect, const void *bytes,
                          struct conform_texel *out)
{
    const weft_format_info *info = weft_format_get_info(format);
    *out = (struct conform_texel){{0, 0, 0, 1}};
    if (info->compressed || conform_texel_bytes(format, aspect) == 0)
        return false;
    if (info->aspects != WEFT_ASPECT_COLOR)
        return decode_depth_stencil(format, aspect, bytes, out);
    if (info->block_bytes == 4) {
        uint32_t word;
        memcpy(&word, bytes, 4);
        if (decode_packed(format, word, out))
            return true;
    }
    decode_plain(info, bytes, out);
    return true;
}
