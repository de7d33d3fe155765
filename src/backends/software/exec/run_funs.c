#include "backends/software/exec/run.h"

#include <math.h>

#include "base/bits.h"
#include "base/half.h"

// Lane by lane. Arguments of a lane are read before its results are written: rows may be shared.

static inline float as_f(uint32_t bits)
{
    return wf_base_float_from_bits(bits);
}

static inline uint32_t from_f(float f)
{
    return wf_base_float_bits(f);
}

static inline uint64_t join(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

static inline double as_d(uint32_t low, uint32_t high)
{
    return wf_base_double_from_bits(join(low, high));
}

static inline uint64_t from_d(double d)
{
    return wf_base_double_bits(d);
}

/// Rounded so that rounding once more, to fewer bits, gives what rounding at once would.
static inline float round_to_odd(double d)
{
    const float f = (float)d;
    uint32_t bits = from_f(f);
    if ((double)f == d || d != d)
        return f;
    if (fabs((double)f) > fabs(d))
        bits--;
    return as_f(bits | 1);
}

#define LANES1(name, expression)                                                                   \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const uint32_t x = r[1][i];                                                            \
            r[0][i] = (expression);                                                                \
        }                                                                                          \
    }
#define LANES2(name, expression)                                                                   \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const uint32_t x = r[1][i], y = r[2][i];                                               \
            r[0][i] = (expression);                                                                \
        }                                                                                          \
    }

static inline int32_t divide(uint32_t x, uint32_t y)
{
    if (y == 0)
        return 0;
    if (y == UINT32_MAX)
        return (int32_t)(0 - x);
    return (int32_t)x / (int32_t)y;
}

static inline uint32_t remainder_of(uint32_t x, uint32_t y)
{
    return x - (uint32_t)divide(x, y) * y;
}

static inline uint32_t modulo(uint32_t x, uint32_t y)
{
    if (y == 0)
        return 0;
    const uint32_t rest = remainder_of(x, y);
    return rest != 0 && (int32_t)(rest ^ y) < 0 ? rest + y : rest;
}

static inline uint32_t reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

static inline uint32_t highest(uint32_t x)
{
    return x ? 31 - wf_base_clz32(x) : UINT32_MAX;
}

/// `bits` ones from the bottom; any number is safe.
static inline uint32_t ones(uint32_t bits)
{
    return bits >= 32 ? UINT32_MAX : (1u << bits) - 1;
}

static inline uint32_t extract(uint32_t x, uint32_t offset, uint32_t bits, bool is_signed)
{
    if (bits == 0 || offset > 31)
        return 0;
    uint32_t value = x >> offset & ones(bits);
    if (is_signed && bits < 32 && value >> (bits - 1) & 1)
        value |= ~ones(bits);
    return value;
}

LANES2(UDIV, y ? x / y : 0)
LANES2(UMOD, y ? x % y : 0)
LANES2(SDIV, (uint32_t)divide(x, y))
LANES2(SREM, y ? remainder_of(x, y) : 0)
LANES2(SMOD, modulo(x, y))
LANES2(UMULHI, (uint32_t)((uint64_t)x *y >> 32))
LANES2(SMULHI, (uint32_t)((uint64_t)((int64_t)(int32_t)x *(int32_t)y) >> 32))
LANES1(BITREV, reverse(x))
LANES1(BITCOUNT, wf_base_popcount32(x))
LANES1(FINDLSB, x ? wf_base_ctz32(x) : UINT32_MAX)
LANES1(FINDUMSB, highest(x))
LANES1(FINDSMSB, highest((int32_t)x < 0 ? ~x : x))
LANES2(MASK_BELOW, x >= 32 * y + 32 ? UINT32_MAX : x > 32 * y ? ones(x - 32 * y) : 0)
LANES2(MASK_EQUAL, x / 32 == y ? 1u << (x & 31) : 0)
LANES2(FREM, from_f(fmodf(as_f(x), as_f(y))))
LANES2(LDEXP, from_f(ldexpf(as_f(x), (int32_t)y > 400    ? 400
                                     : (int32_t)y < -400 ? -400
                                                         : (int32_t)y)))
LANES1(TO_HALF, wf_base_half_from_float(as_f(x)))
LANES1(FROM_HALF, wf_base_half_to_float_bits((uint16_t)x))
LANES2(I64_TO_F32, from_f((float)(int64_t)join(x, y)))
LANES2(U64_TO_F32, from_f((float)join(x, y)))
LANES2(F64_TO_F16, wf_base_half_from_float(round_to_odd(as_d(x, y))))
LANES2(F64_TO_F32, from_f((float)as_d(x, y)))

static void fun_BFI(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t base = r[1][i], insert = r[2][i], offset = r[3][i], bits = r[4][i];
        const uint32_t mask = offset > 31 ? 0 : ones(bits) << offset;
        r[0][i] = offset > 31 ? base : (base & ~mask) | (insert << offset & mask);
    }
}

static void fun_SBFE(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        r[0][i] = extract(r[1][i], r[2][i], r[3][i], true);
}

static void fun_UBFE(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        r[0][i] = extract(r[1][i], r[2][i], r[3][i], false);
}

static void fun_FMA(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        r[0][i] = from_f(fmaf(as_f(r[1][i]), as_f(r[2][i]), as_f(r[3][i])));
}

/// Zero, infinities and NaN keep themselves and have exponent 0.
static void fun_FREXP(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t x = r[2][i];
        int exponent = 0;
        const bool ends = (x & 0x7f800000u) == 0x7f800000u;
        r[0][i] = ends ? x : from_f(frexpf(as_f(x), &exponent));
        r[1][i] = (uint32_t)exponent;
    }
}

/// The standard sample positions, in sixteenths of a pixel from its corner.
static void fun_SAMPLE_OFFSET(uint32_t *const *r, uint32_t n)
{
    static const uint8_t two[2][2] = {{12, 12}, {4, 4}};
    static const uint8_t four[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    static const uint8_t eight[8][2] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                        {3, 13}, {1, 7},  {11, 15}, {15, 1}};
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t sample = r[2][i], samples = r[3][i];
        const uint8_t *at = (const uint8_t[2]){8, 8};
        if (samples == 2 && sample < 2)
            at = two[sample];
        else if (samples == 4 && sample < 4)
            at = four[sample];
        else if (samples == 8 && sample < 8)
            at = eight[sample];
        r[0][i] = from_f(((float)at[0] - 8) / 16);
        r[1][i] = from_f(((float)at[1] - 8) / 16);
    }
}

// Packing: to nearest, ties to even, NaN as 0.

static inline uint32_t pack_one(uint32_t x, float low, float scale, uint32_t mask)
{
    const float clamped = wf_base_clamp_f32(as_f(x) == as_f(x) ? as_f(x) : 0.0f, low, 1.0f) * scale;
    const float magnitude = fabsf(clamped);
    const int32_t whole = (int32_t)((magnitude + 8388608.0f) - 8388608.0f);
    return (uint32_t)(clamped < 0 ? -whole : whole) & mask;
}

#define PACK(name, count, bits, low, scale)                                                        \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            uint32_t packed = 0;                                                                   \
            for (uint32_t k = 0; k < (count); k++)                                                 \
                packed |= pack_one(r[1 + k][i], low, scale, ones(bits)) << (k * (bits));           \
            r[0][i] = packed;                                                                      \
        }                                                                                          \
    }
#define UNPACK(name, count, bits, is_signed, scale)                                                \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const uint32_t x = r[count][i];                                                        \
            for (uint32_t k = 0; k < (count); k++) {                                               \
                const uint32_t part = extract(x, k * (bits), bits, is_signed);                     \
                const float value = (is_signed) ? (float)(int32_t)part : (float)part;              \
                r[k][i] = from_f(wf_base_clamp_f32(value / (scale), -1.0f, 1.0f));                 \
            }                                                                                      \
        }                                                                                          \
    }

PACK(PACK_SNORM4X8, 4, 8, -1.0f, 127.0f)
PACK(PACK_UNORM4X8, 4, 8, 0.0f, 255.0f)
PACK(PACK_SNORM2X16, 2, 16, -1.0f, 32767.0f)
PACK(PACK_UNORM2X16, 2, 16, 0.0f, 65535.0f)
UNPACK(UNPACK_SNORM4X8, 4, 8, true, 127.0f)
UNPACK(UNPACK_UNORM4X8, 4, 8, false, 255.0f)
UNPACK(UNPACK_SNORM2X16, 2, 16, true, 32767.0f)
UNPACK(UNPACK_UNORM2X16, 2, 16, false, 65535.0f)

// 64 bits.

static inline int64_t divide64(uint64_t x, uint64_t y)
{
    if (y == 0)
        return 0;
    if (y == UINT64_MAX)
        return (int64_t)(0 - x);
    return (int64_t)x / (int64_t)y;
}

static inline uint64_t remainder64(uint64_t x, uint64_t y)
{
    return y ? x - (uint64_t)divide64(x, y) * y : 0;
}

static inline uint64_t modulo64(uint64_t x, uint64_t y)
{
    const uint64_t rest = remainder64(x, y);
    return rest != 0 && (int64_t)(rest ^ y) < 0 ? rest + y : rest;
}

static inline uint64_t shift_right_signed(uint64_t x, uint32_t by)
{
    return (uint64_t)((int64_t)x >> by);
}

static inline uint64_t to_i64(double d)
{
    if (d != d)
        return 0;
    if (d >= 9223372036854775808.0)
        return INT64_MAX;
    return d < -9223372036854775808.0 ? (uint64_t)INT64_MIN : (uint64_t)(int64_t)d;
}

static inline uint64_t to_u64(double d)
{
    if (!(d > 0))
        return 0;
    return d >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)d;
}

static inline uint64_t multiply_high(uint64_t x, uint64_t y)
{
    const uint64_t xl = (uint32_t)x, xh = x >> 32, yl = (uint32_t)y, yh = y >> 32;
    const uint64_t middle = xh * yl + (xl * yl >> 32), other = xl * yh + (uint32_t)middle;
    return xh * yh + (middle >> 32) + (other >> 32);
}

#define PAIRS(name, expression)                                                                    \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const uint64_t x = join(r[2][i], r[3][i]), y = join(r[4][i], r[5][i]);                 \
            const uint64_t z = (expression);                                                       \
            r[0][i] = (uint32_t)z;                                                                 \
            r[1][i] = (uint32_t)(z >> 32);                                                         \
        }                                                                                          \
    }
#define PAIR_SHIFT(name, expression)                                                               \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const uint64_t x = join(r[2][i], r[3][i]);                                             \
            const uint32_t by = r[4][i] & 63;                                                      \
            const uint64_t z = (expression);                                                       \
            r[0][i] = (uint32_t)z;                                                                 \
            r[1][i] = (uint32_t)(z >> 32);                                                         \
        }                                                                                          \
    }
#define PAIR_TEST(name, type, condition)                                                           \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const type x = (type)join(r[1][i], r[2][i]), y = (type)join(r[3][i], r[4][i]);         \
            r[0][i] = (condition) ? UINT32_MAX : 0;                                                \
        }                                                                                          \
    }
#define DOUBLE_TEST(name, condition)                                                               \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const double x = as_d(r[1][i], r[2][i]), y = as_d(r[3][i], r[4][i]);                   \
            r[0][i] = (condition) ? UINT32_MAX : 0;                                                \
        }                                                                                          \
    }
#define DOUBLE1(name, expression)                                                                  \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const double x = as_d(r[2][i], r[3][i]);                                               \
            const uint64_t z = (expression);                                                       \
            r[0][i] = (uint32_t)z;                                                                 \
            r[1][i] = (uint32_t)(z >> 32);                                                         \
        }                                                                                          \
    }
#define DOUBLE2(name, expression)                                                                  \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const double x = as_d(r[2][i], r[3][i]), y = as_d(r[4][i], r[5][i]);                   \
            const uint64_t z = from_d(expression);                                                 \
            r[0][i] = (uint32_t)z;                                                                 \
            r[1][i] = (uint32_t)(z >> 32);                                                         \
        }                                                                                          \
    }
#define WIDEN(name, expression)                                                                    \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            const float x = as_f(r[2][i]);                                                         \
            const uint64_t z = (expression);                                                       \
            r[0][i] = (uint32_t)z;                                                                 \
            r[1][i] = (uint32_t)(z >> 32);                                                         \
        }                                                                                          \
    }

PAIRS(IADD64, x + y)
PAIRS(ISUB64, x - y)
PAIRS(IMUL64, x *y)
PAIRS(UMULHI64, multiply_high(x, y))
PAIRS(UDIV64, y ? x / y : 0)
PAIRS(UMOD64, y ? x % y : 0)
PAIRS(SDIV64, (uint64_t)divide64(x, y))
PAIRS(SREM64, remainder64(x, y))
PAIRS(SMOD64, modulo64(x, y))
PAIR_SHIFT(SHL64, x << by)
PAIR_SHIFT(SHR64, x >> by)
PAIR_SHIFT(SAR64, shift_right_signed(x, by))
PAIR_TEST(IEQ64, uint64_t, x == y)
PAIR_TEST(ULT64, uint64_t, x < y)
PAIR_TEST(ULE64, uint64_t, x <= y)
PAIR_TEST(SLT64, int64_t, x < y)
PAIR_TEST(SLE64, int64_t, x <= y)
WIDEN(F32_TO_I64, to_i64((double)x))
WIDEN(F32_TO_U64, to_u64((double)x))
WIDEN(F32_TO_F64, from_d((double)x))
DOUBLE1(F64_TO_I64, to_i64(x))
DOUBLE1(F64_TO_U64, to_u64(x))
DOUBLE1(DSQRT, from_d(sqrt(x)))
DOUBLE1(DFLOOR, from_d(floor(x)))
DOUBLE1(DTRUNC, from_d(trunc(x)))
DOUBLE1(DROUND, from_d(nearbyint(x)))
DOUBLE2(DADD, x + y)
DOUBLE2(DSUB, x - y)
DOUBLE2(DMUL, x *y)
DOUBLE2(DDIV, x / y)
DOUBLE2(DREM, fmod(x, y))
DOUBLE2(DMOD, x - y * floor(x / y))
DOUBLE2(DMIN, y < x ? y : x)
DOUBLE2(DMAX, x < y ? y : x)
DOUBLE_TEST(DEQ, x == y)
DOUBLE_TEST(DNE, x != y)
DOUBLE_TEST(DLT, x < y)
DOUBLE_TEST(DLE, x <= y)

static void fun_I64_TO_F64(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t z = from_d((double)(int64_t)join(r[2][i], r[3][i]));
        r[0][i] = (uint32_t)z;
        r[1][i] = (uint32_t)(z >> 32);
    }
}

static void fun_U64_TO_F64(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t z = from_d((double)join(r[2][i], r[3][i]));
        r[0][i] = (uint32_t)z;
        r[1][i] = (uint32_t)(z >> 32);
    }
}

static void fun_DFMA(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t z =
            from_d(fma(as_d(r[2][i], r[3][i]), as_d(r[4][i], r[5][i]), as_d(r[6][i], r[7][i])));
        r[0][i] = (uint32_t)z;
        r[1][i] = (uint32_t)(z >> 32);
    }
}

static void fun_DLDEXP(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const int32_t by = (int32_t)r[4][i];
        const uint64_t z = from_d(ldexp(as_d(r[2][i], r[3][i]), by > 3000    ? 3000
                                                                : by < -3000 ? -3000
                                                                             : by));
        r[0][i] = (uint32_t)z;
        r[1][i] = (uint32_t)(z >> 32);
    }
}

static void fun_DFREXP(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const double x = as_d(r[3][i], r[4][i]);
        int exponent = 0;
        const bool ends = (r[4][i] & 0x7ff00000u) == 0x7ff00000u;
        const uint64_t z = from_d(ends ? x : frexp(x, &exponent));
        r[0][i] = (uint32_t)z;
        r[1][i] = (uint32_t)(z >> 32);
        r[2][i] = (uint32_t)exponent;
    }
}

// Between the lanes of a quad. Words have no neighbours: their derivative is never asked for.

#define DERIVATIVE(name, from, to)                                                                 \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t i = 0; i < n; i++)                                                           \
            r[0][i] = from_f(as_f(r[1][to]) - as_f(r[1][from]));                                   \
    }

DERIVATIVE(DDX_FINE, i & ~1u, i | 1u)
DERIVATIVE(DDY_FINE, i & ~2u, i | 2u)
DERIVATIVE(DDX_COARSE, i & ~3u, (i & ~3u) | 1u)
DERIVATIVE(DDY_COARSE, i & ~3u, (i & ~3u) | 2u)

// Between the lanes of a subgroup, `n` lanes at a time: lanes first + [0, size) are one.

static void fun_ELECT(uint32_t *const *r, uint32_t n)
{
    const uint32_t size = r[2][0];
    for (uint32_t first = 0; first < n; first += size) {
        bool found = false;
        for (uint32_t i = first; i < first + size && i < n; i++) {
            r[0][i] = r[1][i] && !found ? UINT32_MAX : 0;
            found |= r[1][i] != 0;
        }
    }
}

/// Sets the lanes of a subgroup to one value.
static void fill(uint32_t *row, uint32_t first, uint32_t size, uint32_t value)
{
    for (uint32_t i = first; i < first + size && i < WF_SW_LANES; i++)
        row[i] = value;
}

#define VOTE(name, start, step)                                                                    \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        const uint32_t size = r[2][0];                                                             \
        for (uint32_t first = 0; first < n; first += size) {                                       \
            uint32_t vote = (start), seen = 0;                                                     \
            bool any = false;                                                                      \
            for (uint32_t i = first; i < first + size && i < n; i++) {                             \
                const uint32_t x = r[3][i];                                                        \
                if (!r[1][i])                                                                      \
                    continue;                                                                      \
                if (!any)                                                                          \
                    seen = x;                                                                      \
                any = true;                                                                        \
                vote = (step);                                                                     \
            }                                                                                      \
            fill(r[0], first, size, vote);                                                         \
            (void)seen;                                                                            \
        }                                                                                          \
    }

VOTE(VOTE_ALL, UINT32_MAX, vote &x)
VOTE(VOTE_ANY, 0, vote | x)
VOTE(VOTE_EQUAL, UINT32_MAX, x == seen ? vote : 0)

static void fun_BALLOT(uint32_t *const *r, uint32_t n)
{
    const uint32_t size = r[3][0];
    for (uint32_t first = 0; first < n; first += size) {
        uint64_t bits = 0;
        for (uint32_t i = first; i < first + size && i < n; i++)
            bits |= (uint64_t)(r[2][i] && r[4][i]) << (i - first);
        fill(r[0], first, size, (uint32_t)bits);
        fill(r[1], first, size, (uint32_t)(bits >> 32));
    }
}

static void fun_FIRST(uint32_t *const *r, uint32_t n)
{
    const uint32_t size = r[2][0];
    for (uint32_t first = 0; first < n; first += size) {
        uint32_t at = first;
        while (at + 1 < first + size && at + 1 < n && !r[1][at])
            at++;
        fill(r[0], first, size, r[3][at]);
    }
}

static void fun_SHUFFLE(uint32_t *const *r, uint32_t n)
{
    const uint32_t size = r[2][0];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = (i & ~(size - 1)) + r[4][i];
        r[0][i] = r[4][i] < size && from < n && r[1][from] ? r[3][from] : 0;
    }
}

static void fun_QUAD(uint32_t *const *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        r[0][i] = r[1][(i & ~3u) | (r[2][i] & 3)];
}

/// In ascending order, so that sums of floats are always the same.
static void scan(uint32_t *const *r, uint32_t n, uint32_t identity,
                 uint32_t (*step)(uint32_t sum, uint32_t x))
{
    const uint32_t size = r[2][0], mode = r[4][0];
    for (uint32_t first = 0; first < n; first += size) {
        uint32_t sum = identity;
        for (uint32_t i = first; i < first + size && i < n; i++) {
            const uint32_t x = r[3][i], before = sum;
            if (r[1][i])
                sum = step(sum, x);
            r[0][i] = mode == 2 ? before : sum;
        }
        if (mode == 0)
            fill(r[0], first, size, sum);
    }
}

#define SCAN(name, identity, expression)                                                           \
    static uint32_t step_##name(uint32_t sum, uint32_t x)                                          \
    {                                                                                              \
        return (expression);                                                                       \
    }                                                                                              \
    static void fun_SCAN_##name(uint32_t *const *r, uint32_t n)                                    \
    {                                                                                              \
        scan(r, n, identity, step_##name);                                                         \
    }

SCAN(IADD, 0, sum + x)
SCAN(FADD, 0, from_f(as_f(sum) + as_f(x)))
SCAN(IMUL, 1, sum *x)
SCAN(FMUL, 0x3f800000u, from_f(as_f(sum) * as_f(x)))
SCAN(SMIN, 0x7fffffffu, (int32_t)x < (int32_t)sum ? x : sum)
SCAN(UMIN, UINT32_MAX, x < sum ? x : sum)
SCAN(FMIN, 0x7f800000u, as_f(x) < as_f(sum) ? x : sum)
SCAN(SMAX, 0x80000000u, (int32_t)x > (int32_t)sum ? x : sum)
SCAN(UMAX, 0, x > sum ? x : sum)
SCAN(FMAX, 0xff800000u, as_f(x) > as_f(sum) ? x : sum)
SCAN(AND, UINT32_MAX, sum &x)
SCAN(OR, 0, sum | x)
SCAN(XOR, 0, sum ^ x)

/// Which of the functions above, as SCAN64 is told.
#define WHICH(name) (WF_SW_FUN_SCAN_##name - WF_SW_FUN_SCAN_IADD)

static uint64_t step_wide(uint32_t which, uint64_t sum, uint64_t x)
{
    const double a = as_d((uint32_t)sum, (uint32_t)(sum >> 32)),
                 b = as_d((uint32_t)x, (uint32_t)(x >> 32));
    switch (which) {
    case WHICH(IADD):
        return sum + x;
    case WHICH(FADD):
        return from_d(a + b);
    case WHICH(IMUL):
        return sum * x;
    case WHICH(FMUL):
        return from_d(a * b);
    case WHICH(SMIN):
        return (int64_t)x < (int64_t)sum ? x : sum;
    case WHICH(UMIN):
        return x < sum ? x : sum;
    case WHICH(FMIN):
        return b < a ? x : sum;
    case WHICH(SMAX):
        return (int64_t)x > (int64_t)sum ? x : sum;
    case WHICH(UMAX):
        return x > sum ? x : sum;
    case WHICH(FMAX):
        return b > a ? x : sum;
    case WHICH(AND):
        return sum & x;
    case WHICH(OR):
        return sum | x;
    default:
        return sum ^ x;
    }
}

static void fun_SCAN64(uint32_t *const *r, uint32_t n)
{
    static const uint64_t identities[] = {
        [WHICH(IMUL)] = 1,
        [WHICH(FMUL)] = UINT64_C(0x3ff0000000000000),
        [WHICH(SMIN)] = INT64_MAX,
        [WHICH(UMIN)] = UINT64_MAX,
        [WHICH(FMIN)] = UINT64_C(0x7ff0000000000000),
        [WHICH(SMAX)] = UINT64_C(0x8000000000000000),
        [WHICH(FMAX)] = UINT64_C(0xfff0000000000000),
        [WHICH(AND)] = UINT64_MAX,
        [WHICH(XOR)] = 0, // the last: zero is that of the others
    };
    const uint32_t size = r[3][0], mode = r[5][0], which = r[7][0];
    for (uint32_t first = 0; first < n; first += size) {
        uint64_t sum = identities[which];
        for (uint32_t i = first; i < first + size && i < n; i++) {
            const uint64_t x = join(r[4][i], r[6][i]), before = sum;
            if (r[2][i])
                sum = step_wide(which, sum, x);
            r[0][i] = (uint32_t)(mode == 2 ? before : sum);
            r[1][i] = (uint32_t)((mode == 2 ? before : sum) >> 32);
        }
        if (mode == 0) {
            fill(r[0], first, size, (uint32_t)sum);
            fill(r[1], first, size, (uint32_t)(sum >> 32));
        }
    }
}

const wf_sw_fun_loop wf_sw_funs[] = {
#define WF_FUN(name, results, arguments) fun_##name,
#define WF_FUN_VECTOR(name, results, arguments)
#define WF_FUN_CROSS(name, results, arguments) fun_##name,
#include "backends/software/exec/funs.def"
#undef WF_FUN
#undef WF_FUN_VECTOR
#undef WF_FUN_CROSS
};

const struct wf_sw_fun_info wf_sw_fun_infos[] = {
#define WF_FUN(name, results, arguments)        {results, arguments},
#define WF_FUN_VECTOR(name, results, arguments) {results, arguments},
#define WF_FUN_CROSS(name, results, arguments)  {results, arguments},
#include "backends/software/exec/funs.def"
#undef WF_FUN
#undef WF_FUN_VECTOR
#undef WF_FUN_CROSS
};
