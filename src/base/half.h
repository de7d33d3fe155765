/// Floats as bits. IEEE 754 binary16, with subnormals, infinities and NaN payloads as far as they
/// fit: to float exactly, from float rounded.
#ifndef WF_BASE_HALF_H
#define WF_BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t wf_base_float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline float wf_base_float_from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint64_t wf_base_double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static inline double wf_base_double_from_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/// A signalling NaN stays one as bits, wherever the machine passes floats in registers untouched.
static inline uint32_t wf_base_half_to_float_bits(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    const uint32_t exponent = (h >> 10) & 0x1fu;
    uint32_t mantissa = h & 0x3ffu;
    if (exponent == 31)
        return sign | 0x7f800000u | mantissa << 13;
    if (exponent != 0)
        return sign | (exponent + 112) << 23 | mantissa << 13;
    if (mantissa == 0)
        return sign;
    uint32_t e = 113;
    for (; !(mantissa & 0x400u); mantissa <<= 1)
        e--;
    return sign | e << 23 | (mantissa & 0x3ffu) << 13;
}

static inline float wf_base_half_to_float(uint16_t h)
{
    return wf_base_float_from_bits(wf_base_half_to_float_bits(h));
}

/// Rounds to nearest, ties to even; too large becomes infinity; NaN stays NaN, made quiet.
static inline uint16_t wf_base_half_from_float(float f)
{
    const uint32_t bits = wf_base_float_bits(f);
    const uint32_t sign = bits >> 16 & 0x8000u;
    const uint32_t rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00u | (rest >> 13 & 0x3ffu));
    if (rest >= 0x477ff000u) // 65520: halfway to 2^16 and beyond
        return (uint16_t)(sign | 0x7c00u);
    if (rest >= 0x38800000u) { // normal: rebias, then round by adding
        const uint32_t odd = rest >> 13 & 1;
        return (uint16_t)(sign | (rest - 0x38000000u + 0xfffu + odd) >> 13);
    }
    if (rest < 0x33000000u) // below half of the smallest subnormal
        return (uint16_t)sign;
    const uint32_t shift = 126 - (rest >> 23); // 14 to 24
    const uint32_t mantissa = (rest & 0x7fffffu) | 0x800000u;
    const uint32_t down = mantissa >> shift;
    const uint32_t lost = mantissa & (((uint32_t)1 << shift) - 1);
    const uint32_t tie = (uint32_t)1 << (shift - 1);
    return (uint16_t)(sign | (down + (lost > tie || (lost == tie && (down & 1)))));
}

#endif
