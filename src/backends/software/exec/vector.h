/// Vectors of 32-bit lanes for the run files, the one place that uses compiler extensions for them
/// (elsewhere: one lane, standard C). WF_SW_BYTES, the size of a vector, is set by the run file.
///
/// Every operation is an IEEE one or made of integers, so the width never changes a bit.
#ifndef WF_SW_VECTOR_H
#define WF_SW_VECTOR_H

#ifndef WF_SW_BYTES
#define WF_SW_BYTES 16
#endif

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__GNUC__) && WF_SW_BYTES > 4

#define VL (WF_SW_BYTES / 4)
typedef float v_F __attribute__((vector_size(WF_SW_BYTES), may_alias));
typedef uint32_t v_U __attribute__((vector_size(WF_SW_BYTES), may_alias));
typedef int32_t v_I __attribute__((vector_size(WF_SW_BYTES), may_alias));
typedef double v_D __attribute__((vector_size(WF_SW_BYTES * 2)));

#define FC(x)   ((v_F){0} + (x))
#define UC(x)   ((v_U){0} + (x))
#define IC(x)   ((v_I){0} + (x))
#define MASK(x) ((v_U)(x))
#define AS_U(x) ((v_U)(x))
#define AS_F(x) ((v_F)(x))
#define TO_U(x) ((v_U)(x))
#define TO_I(x) ((v_I)(x))

#define V_CONVERT(x, type) __builtin_convertvector(x, type)

#else

#define VL 1
typedef float v_F;
typedef uint32_t v_U;
typedef int32_t v_I;
typedef double v_D;

static inline uint32_t v_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static inline float v_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

#define FC(x)   (x)
#define UC(x)   ((uint32_t)(x))
#define IC(x)   ((int32_t)(x))
#define MASK(x) (0u - (uint32_t)(x))
#define AS_U(x) v_bits(x)
#define AS_F(x) v_float(x)
#define TO_U(x) ((uint32_t)(x))
#define TO_I(x) ((int32_t)(x))

#define V_CONVERT(x, type) ((type)(x))

#endif

static inline v_U v_select(v_U mask, v_U a, v_U b)
{
    return b ^ ((a ^ b) & mask);
}

static inline v_F v_selectf(v_U mask, v_F a, v_F b)
{
    return AS_F(v_select(mask, AS_U(a), AS_U(b)));
}

static inline v_F v_neg(v_F a)
{
    return AS_F(AS_U(a) ^ UC(0x80000000u));
}

static inline v_F v_abs(v_F a)
{
    return AS_F(AS_U(a) & UC(0x7fffffffu));
}

/// The magnitude of one with the sign of another.
static inline v_F v_copysign(v_F a, v_F sign)
{
    return AS_F((AS_U(a) & UC(0x7fffffffu)) | (AS_U(sign) & UC(0x80000000u)));
}

/// a < b ? a : b, and so b when either is NaN.
static inline v_F v_min(v_F a, v_F b)
{
#if defined(__AVX__) && WF_SW_BYTES == 32
    return (v_F)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__) && WF_SW_BYTES == 16
    return (v_F)_mm_min_ps((__m128)a, (__m128)b);
#else
    return v_selectf(MASK(a < b), a, b);
#endif
}

/// a > b ? a : b, and so b when either is NaN.
static inline v_F v_max(v_F a, v_F b)
{
#if defined(__AVX__) && WF_SW_BYTES == 32
    return (v_F)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__) && WF_SW_BYTES == 16
    return (v_F)_mm_max_ps((__m128)a, (__m128)b);
#else
    return v_selectf(MASK(a > b), a, b);
#endif
}

static inline v_F v_sqrt(v_F a)
{
#if defined(__AVX__) && WF_SW_BYTES == 32
    return (v_F)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__) && WF_SW_BYTES == 16
    return (v_F)_mm_sqrt_ps((__m128)a);
#elif VL > 1
    for (int i = 0; i < VL; i++)
        a[i] = sqrtf(a[i]);
    return a;
#else
    return sqrtf(a);
#endif
}

/// Only for |a| < 2^31.
static inline v_I v_to_int(v_F a)
{
    return V_CONVERT(a, v_I);
}

static inline v_F v_int_to_float(v_I a)
{
    return V_CONVERT(a, v_F);
}

/// Both halves are exact, so that the sum rounds once.
static inline v_F v_uint_to_float(v_U a)
{
    const v_F high = v_int_to_float(TO_I(a >> 16)) * FC(65536.0f);
    return high + v_int_to_float(TO_I(a & UC(0xffff)));
}

/// Rounds toward zero; saturates; NaN is 0.
static inline v_U v_float_to_int(v_F a)
{
    const v_U number = MASK(a == a);
    const v_U big = MASK(a >= FC(2147483648.0f));
    const v_U fits = MASK(v_abs(a) < FC(2147483648.0f));
    const v_U safe = TO_U(v_to_int(AS_F(AS_U(a) & fits)));
    const v_U out = v_select(big, UC(0x7fffffffu), UC(0x80000000u));
    return v_select(fits, safe, out) & number;
}

static inline v_U v_float_to_uint(v_F a)
{
    const v_U positive = MASK(a > FC(0.0f));
    const v_U low = MASK(a < FC(2147483648.0f));
    const v_U fits = MASK(a < FC(4294967296.0f));
    const v_F shifted = v_selectf(low, a, a - FC(2147483648.0f));
    const v_U safe = TO_U(v_to_int(AS_F(AS_U(shifted) & fits & positive)));
    const v_U wide = safe ^ (~low & UC(0x80000000u));
    return v_select(fits, wide, UC(0xffffffffu)) & positive;
}

static inline v_F v_trunc(v_F a)
{
    const v_U small = MASK(v_abs(a) < FC(8388608.0f));
    const v_F whole = v_int_to_float(v_to_int(AS_F(AS_U(a) & small)));
    return v_selectf(small, v_copysign(whole, a), a);
}

static inline v_F v_floor(v_F a)
{
    const v_F whole = v_trunc(a);
    const v_F less = whole - AS_F(MASK(a < whole) & AS_U(FC(1.0f)));
    return v_selectf(MASK(whole == a), whole, less);
}

/// To nearest, ties to even.
static inline v_F v_round(v_F a)
{
    const v_F magnitude = v_abs(a);
    const v_F whole = (magnitude + FC(8388608.0f)) - FC(8388608.0f);
    return v_selectf(MASK(magnitude < FC(8388608.0f)), v_copysign(whole, a), a);
}

/// To the nearest half, ties to even, kept as float: by adding and taking away a number whose last
/// place is that of the half.
static inline v_F v_quantize_half(v_F a)
{
    const v_U magnitude = AS_U(a) & UC(0x7fffffffu);
    const v_U sign = AS_U(a) & UC(0x80000000u);
    const v_U odd = (magnitude >> 13) & UC(1);
    const v_U normal = (magnitude + UC(0xfffu) + odd) & UC(0xffffe000u);
    const v_F scaled = (AS_F(magnitude) + FC(0.5f)) - FC(0.5f); // last place 2^-24
    v_U result = v_select(MASK(magnitude < UC(0x38800000u)), AS_U(scaled), normal);
    result = v_select(MASK(magnitude >= UC(0x477ff000u)), UC(0x7f800000u), result);
    result = v_select(MASK(magnitude > UC(0x7f800000u)), UC(0x7fc00000u), result);
    return AS_F(result | sign);
}

/// All ones where the mask's bit for the lane is set.
static inline v_U v_lanes(uint64_t mask)
{
#if VL > 1
    static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    v_U bits;
    memcpy(&bits, bit, sizeof bits);
    return MASK((UC((uint32_t)mask) & bits) != UC(0));
#else
    return MASK(mask & 1);
#endif
}

/// The sign bits of a row as a mask.
static inline uint64_t v_bitmask(const uint32_t *row)
{
    uint64_t mask = 0;
#if defined(__AVX__) && WF_SW_BYTES == 32
    for (int k = 0; k < 8; k++)
        mask |= (uint64_t)(uint32_t)_mm256_movemask_ps(
                    _mm256_load_ps((const float *)row + k * (size_t)8))
                << (k * 8);
#elif defined(__SSE2__) && WF_SW_BYTES == 16
    for (int k = 0; k < 16; k++)
        mask |= (uint64_t)(uint32_t)_mm_movemask_ps(_mm_load_ps((const float *)row + k * (size_t)4))
                << (k * 4);
#else
    for (int i = 0; i < 64; i++)
        mask |= (uint64_t)(row[i] >> 31) << i;
#endif
    return mask;
}

#endif
