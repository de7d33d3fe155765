/// Bits and small integer helpers. The compiler's builtins are used where there are any.
#ifndef WF_BASE_BITS_H
#define WF_BASE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t wf_base_popcount64(uint64_t x)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(x);
#else
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((x * 0x0101010101010101u) >> 56);
#endif
}

static inline uint32_t wf_base_popcount32(uint32_t x)
{
    return wf_base_popcount64(x);
}

/// Zeros below the lowest set bit; 64 for 0.
static inline uint32_t wf_base_ctz64(uint64_t x)
{
    if (x == 0)
        return 64;
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(x);
#else
    return wf_base_popcount64((x & (0 - x)) - 1);
#endif
}

/// 32 for 0.
static inline uint32_t wf_base_ctz32(uint32_t x)
{
    return x == 0 ? 32 : wf_base_ctz64(x);
}

/// Zeros above the highest set bit; 64 for 0.
static inline uint32_t wf_base_clz64(uint64_t x)
{
    if (x == 0)
        return 64;
#if defined(__GNUC__)
    return (uint32_t)__builtin_clzll(x);
#else
    uint32_t n = 0;
    for (; !(x >> 63); x <<= 1)
        n++;
    return n;
#endif
}

/// 32 for 0.
static inline uint32_t wf_base_clz32(uint32_t x)
{
    return wf_base_clz64(x) - 32;
}

/// floor(log2(x)); x is not 0.
static inline uint32_t wf_base_log2_u64(uint64_t x)
{
    assert(x != 0);
    return 63 - wf_base_clz64(x);
}

static inline bool wf_base_is_pow2(uint64_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/// The smallest power of two not below x; 1 for 0; 0 when there is none.
static inline uint64_t wf_base_next_pow2(uint64_t x)
{
    if (x <= 1)
        return 1;
    const uint32_t bits = 64 - wf_base_clz64(x - 1);
    return bits == 64 ? 0 : (uint64_t)1 << bits;
}

/// `align` is a power of two. The caller knows that the result fits.
static inline uint64_t wf_base_align_up(uint64_t x, uint64_t align)
{
    assert(wf_base_is_pow2(align));
    return (x + (align - 1)) & ~(align - 1);
}

static inline uint64_t wf_base_align_down(uint64_t x, uint64_t align)
{
    assert(wf_base_is_pow2(align));
    return x & ~(align - 1);
}

static inline bool wf_base_is_aligned(uint64_t x, uint64_t align)
{
    assert(wf_base_is_pow2(align));
    return (x & (align - 1)) == 0;
}

/// ceil(x / y), without overflow; y is not 0.
static inline uint64_t wf_base_div_up(uint64_t x, uint64_t y)
{
    return x / y + (x % y != 0);
}

static inline uint64_t wf_base_rotl64(uint64_t x, uint32_t n)
{
    return (x << (n & 63)) | (x >> ((64 - n) & 63));
}

static inline uint32_t wf_base_min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t wf_base_max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline int32_t wf_base_max_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline uint64_t wf_base_min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t wf_base_max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline size_t wf_base_min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t wf_base_max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/// NaN becomes lo.
static inline float wf_base_clamp_f32(float a, float lo, float hi)
{
    return a > lo ? (a < hi ? a : hi) : lo;
}

#endif
