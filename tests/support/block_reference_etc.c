// ETC2 and EAC.
#include "support/block_reference.h"

#include <math.h>

/// Bits `from` down to `to` of the 64-bit number that the specification numbers them in.
static int bits64(const uint8_t *b, int from, int to)
{
    int value = 0;
    for (int i = from; i >= to; i--)
        value = 2 * value + (b[(63 - i) / 8] >> i % 8 & 1);
    return value;
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/// Three bits in two's complement.
static int delta(int raw)
{
    return raw < 4 ? raw : raw - 8;
}

static int extend5(int v)
{
    return v * 8 + v / 4;
}

static int extend6(int v)
{
    return v * 4 + v / 16;
}

static int extend7(int v)
{
    return v * 2 + v / 64;
}

static const int modifiers[8][4] = {
    {-8, -2, 2, 8},     {-17, -5, 5, 17},   {-29, -9, 9, 29},     {-42, -13, 13, 42},
    {-60, -18, 18, 60}, {-80, -24, 24, 80}, {-106, -33, 33, 106}, {-183, -47, 47, 183},
};
static const int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

static void planar(const uint8_t *b, int x, int y, int out[3])
{
    const int o[3] = {extend6(bits64(b, 62, 57)),
                      extend7(bits64(b, 56, 56) * 64 + bits64(b, 54, 49)),
                      extend6(bits64(b, 48, 48) * 32 + bits64(b, 44, 43) * 8 + bits64(b, 41, 39))};
    const int h[3] = {extend6(bits64(b, 38, 34) * 2 + bits64(b, 32, 32)),
                      extend7(bits64(b, 31, 25)), extend6(bits64(b, 24, 19))};
    const int v[3] = {extend6(bits64(b, 18, 13)), extend7(bits64(b, 12, 6)),
                      extend6(bits64(b, 5, 0))};
    for (int c = 0; c < 3; c++) {
        const double value = x * (h[c] - o[c]) / 4.0 + y * (v[c] - o[c]) / 4.0 + o[c];
        out[c] = clamp((int)floor(value + 0.5), 0, 255);
    }
}

static void t_mode(const uint8_t *b, int index, int out[3])
{
    const int first[3] = {bits64(b, 60, 59) * 4 + bits64(b, 57, 56), bits64(b, 55, 52),
                          bits64(b, 51, 48)};
    const int second[3] = {bits64(b, 47, 44), bits64(b, 43, 40), bits64(b, 39, 36)};
    const int d = distances[bits64(b, 35, 34) * 2 + bits64(b, 32, 32)];
    const int paint[4] = {0, d, 0, -d};
    for (int c = 0; c < 3; c++)
        out[c] = clamp(17 * (index == 0 ? first[c] : second[c]) + paint[index], 0, 255);
}

static void h_mode(const uint8_t *b, int index, int out[3])
{
    const int first[3] = {17 * bits64(b, 62, 59), 17 * (bits64(b, 58, 56) * 2 + bits64(b, 52, 52)),
                          17 * (bits64(b, 51, 51) * 8 + bits64(b, 49, 47))};
    const int second[3] = {17 * bits64(b, 46, 43), 17 * bits64(b, 42, 39), 17 * bits64(b, 38, 35)};
    const int value1 = first[0] * 65536 + first[1] * 256 + first[2];
    const int value2 = second[0] * 65536 + second[1] * 256 + second[2];
    const int d = distances[bits64(b, 34, 34) * 4 + bits64(b, 32, 32) * 2 + (value1 >= value2)];
    for (int c = 0; c < 3; c++)
        out[c] = clamp((index < 2 ? first[c] : second[c]) + (index % 2 ? -d : d), 0, 255);
}

/// Individual and differential: base of the texel's half, and a modifier.
static void half_mode(const uint8_t *b, bool individual, bool holes, const int at[2], int index,
                      int out[3])
{
    const bool second = bits64(b, 32, 32) ? at[1] >= 2 : at[0] >= 2;
    const int table = second ? bits64(b, 36, 34) : bits64(b, 39, 37);
    const int order[4] = {2, 3, 1, 0}; // +a, +b, -a, -b
    int modifier = modifiers[table][order[index]];
    if (holes && index % 2 == 0)
        modifier = 0;
    for (int c = 0; c < 3; c++) {
        const int top = 63 - 8 * c;
        int base;
        if (individual)
            base = 17 * (second ? bits64(b, top - 4, top - 7) : bits64(b, top, top - 3));
        else
            base = extend5(bits64(b, top, top - 4) +
                           (second ? delta(bits64(b, top - 5, top - 7)) : 0));
        out[c] = clamp(base + modifier, 0, 255);
    }
}

static void color_block(const uint8_t *b, bool punch, int x, int y, double out[4])
{
    const bool bit33 = bits64(b, 33, 33), holes = punch && !bit33;
    const int pixel = 4 * x + y; // a to p
    const int index = 2 * bits64(b, 16 + pixel, 16 + pixel) + bits64(b, pixel, pixel);
    int rgb[3], mode = 3;
    for (int c = 2; c >= 0; c--) {
        const int sum =
            bits64(b, 63 - 8 * c, 59 - 8 * c) + delta(bits64(b, 58 - 8 * c, 56 - 8 * c));
        if (sum < 0 || sum > 31)
            mode = c;
    }
    if (!punch && !bit33)
        mode = 4;
    if (mode == 0)
        t_mode(b, index, rgb);
    else if (mode == 1)
        h_mode(b, index, rgb);
    else if (mode == 2)
        planar(b, x, y, rgb);
    else
        half_mode(b, mode == 4, holes, (const int[2]){x, y}, index, rgb);
    const bool hole = holes && index == 2 && mode != 2;
    for (int c = 0; c < 3; c++)
        out[c] = hole ? 0 : rgb[c] / 255.0;
    out[3] = hole ? 0 : 1;
}

static const int eac_modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

static int eac_modifier(const uint8_t *b, int x, int y)
{
    const int first = 47 - 3 * (4 * x + y);
    return eac_modifiers[bits64(b, 51, 48)][bits64(b, first, first - 2)];
}

static double alpha_block(const uint8_t *b, int x, int y)
{
    return clamp(bits64(b, 63, 56) + eac_modifier(b, x, y) * bits64(b, 55, 52), 0, 255) / 255.0;
}

static double eleven_block(const uint8_t *b, bool sign, int x, int y)
{
    const int multiplier = bits64(b, 55, 52);
    const double scale = multiplier ? multiplier : 1.0 / 8, step = eac_modifier(b, x, y) * scale;
    if (!sign)
        return fmin(fmax((bits64(b, 63, 56) + 0.5 + step) / 255.875, 0), 1);
    int base = bits64(b, 63, 56);
    if (base > 127)
        base -= 256;
    if (base == -128)
        base = -127;
    return fmin(fmax((base + step) / 127.875, -1), 1);
}

void reference_etc(weft_format format, const uint8_t *block, int x, int y, double out[4])
{
    switch (format) {
    case WEFT_FORMAT_ETC2_RGBA8_UNORM:
    case WEFT_FORMAT_ETC2_RGBA8_UNORM_SRGB:
        color_block(block + 8, false, x, y, out);
        out[3] = alpha_block(block, x, y);
        break;
    case WEFT_FORMAT_EAC_RG11_UNORM:
    case WEFT_FORMAT_EAC_RG11_SNORM:
        out[1] = eleven_block(block + 8, format == WEFT_FORMAT_EAC_RG11_SNORM, x, y);
        out[0] = eleven_block(block, format == WEFT_FORMAT_EAC_RG11_SNORM, x, y);
        break;
    case WEFT_FORMAT_EAC_R11_UNORM:
    case WEFT_FORMAT_EAC_R11_SNORM:
        out[0] = eleven_block(block, format == WEFT_FORMAT_EAC_R11_SNORM, x, y);
        break;
    case WEFT_FORMAT_ETC2_RGB8A1_UNORM:
    case WEFT_FORMAT_ETC2_RGB8A1_UNORM_SRGB:
        color_block(block, true, x, y, out);
        break;
    default:
        color_block(block, false, x, y, out);
        break;
    }
}
