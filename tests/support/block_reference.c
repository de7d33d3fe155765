#include "support/block_reference.h"

#include <math.h>

long reference_bits(const uint8_t *block, int limit, int first, int count)
{
    long value = 0;
    for (int i = 0; i < count; i++)
        if (first + i >= 0 && first + i < limit && block[(first + i) / 8] >> (first + i) % 8 & 1)
            value += 1L << i;
    return value;
}

double reference_srgb(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

double reference_half(long bits)
{
    const double sign = bits & 0x8000 ? -1 : 1;
    const long exponent = bits >> 10 & 31, mantissa = bits & 1023;
    if (exponent == 31)
        return mantissa ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp((double)mantissa, -24);
    return sign * ldexp(1024 + (double)mantissa, (int)exponent - 25);
}

void reference_texel(weft_format format, const uint8_t *block, int x, int y, double out[4])
{
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    if (format < WEFT_FORMAT_ETC2_RGB8_UNORM)
        reference_bc(format, block, x, y, out);
    else if (format < WEFT_FORMAT_ASTC_4X4_UNORM)
        reference_etc(format, block, x, y, out);
    else
        reference_astc(format, block, x, y, out);
    if (weft_format_get_info(format)->srgb)
        for (int c = 0; c < 3; c++)
            out[c] = reference_srgb(out[c]);
}
