/// Arithmetic on the four lanes of a quad: the one place for vector types. The standard forms do
/// the same operations in the same order, so that both give the same bits.
#ifndef WF_SOFTWARE_RASTER_QUADS_H
#define WF_SOFTWARE_RASTER_QUADS_H

#include <weft/resource.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#define RASTER_SSE2 1
#else
#define RASTER_SSE2 0
#endif

/// Edge functions of one sample over a tile, in pixels: x[i] × px + y[i] × py + c[i] is not
/// negative inside. Sums wrap; within the triangle's bounds they do not.
struct edges {
    uint32_t x[3], y[3], c[3];
};

/// Bit 4q + l: lane l of quad q of the block at (px, py) is inside.
static inline uint32_t edges_block(const struct edges *e, uint32_t px, uint32_t py)
{
#if RASTER_SSE2
    __m128i out[4];
    for (int q = 0; q < 4; q++)
        out[q] = _mm_setzero_si128();
    for (int i = 0; i < 3; i++) {
        const uint32_t x = e->x[i], y = e->y[i];
        const __m128i start = _mm_add_epi32(_mm_set1_epi32((int)(x * px + y * py + e->c[i])),
                                            _mm_set_epi32((int)(x + y), (int)y, (int)x, 0));
        const __m128i right = _mm_set1_epi32((int)(2 * x)), down = _mm_set1_epi32((int)(2 * y));
        const __m128i below = _mm_add_epi32(start, down);
        out[0] = _mm_or_si128(out[0], start);
        out[1] = _mm_or_si128(out[1], _mm_add_epi32(start, right));
        out[2] = _mm_or_si128(out[2], below);
        out[3] = _mm_or_si128(out[3], _mm_add_epi32(below, right));
    }
    uint32_t outside = 0;
    for (int q = 0; q < 4; q++)
        outside |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(out[q])) << (4 * q);
    return ~outside & 0xffffu;
#else
    uint32_t inside = 0;
    for (uint32_t b = 0; b < 16; b++) {
        const uint32_t dx = px + ((b >> 2 & 1) << 1 | (b & 1)),
                       dy = py + ((b >> 3) << 1 | (b >> 1 & 1));
        uint32_t sign = 0;
        for (uint32_t i = 0; i < 3; i++)
            sign |= e->x[i] * dx + e->y[i] * dy + e->c[i];
        inside |= (~sign >> 31) << b;
    }
    return inside;
#endif
}

/// out[l] = (float)((start + step of lane l) × scale): lane 1 steps in x, lane 2 in y, lane 3 in
/// both.
static inline void quad_scaled_steps(double start, double step_x, double step_y, double scale,
                                     float out[4])
{
#if RASTER_SSE2
    const __m128d scales = _mm_set1_pd(scale), steps = _mm_set_pd(step_x, 0.0);
    const __m128d top = _mm_add_pd(_mm_set1_pd(start), steps);
    const __m128d below = _mm_add_pd(_mm_set1_pd(start), _mm_add_pd(_mm_set1_pd(step_y), steps));
    _mm_storeu_ps(out, _mm_movelh_ps(_mm_cvtpd_ps(_mm_mul_pd(top, scales)),
                                     _mm_cvtpd_ps(_mm_mul_pd(below, scales))));
#else
    out[0] = (float)((start + 0.0) * scale);
    out[1] = (float)((start + step_x) * scale);
    out[2] = (float)((start + (step_y + 0.0)) * scale);
    out[3] = (float)((start + (step_y + step_x)) * scale);
#endif
}

/// Depth of a plane: out[l] = (float)(z + (z_x × x + z_y × y)) where x and y are those of lane 0,
/// one more in lanes to the right and below.
static inline void quad_plane(double z, const double slope[2], double x, double y, float out[4])
{
#if RASTER_SSE2
    const __m128d across =
        _mm_mul_pd(_mm_set1_pd(slope[0]), _mm_add_pd(_mm_set1_pd(x), _mm_set_pd(1.0, 0.0)));
    const __m128d top = _mm_add_pd(across, _mm_set1_pd(slope[1] * y));
    const __m128d below = _mm_add_pd(across, _mm_set1_pd(slope[1] * (y + 1.0)));
    const __m128d start = _mm_set1_pd(z);
    _mm_storeu_ps(out, _mm_movelh_ps(_mm_cvtpd_ps(_mm_add_pd(start, top)),
                                     _mm_cvtpd_ps(_mm_add_pd(start, below))));
#else
    for (uint32_t l = 0; l < 4; l++)
        out[l] = (float)(z + (slope[0] * (x + (l & 1)) + slope[1] * (y + (l >> 1))));
#endif
}

/// Each lane within [low, high]; NaN becomes low.
static inline void quad_clamp(float v[4], float low, float high)
{
#if RASTER_SSE2
    const __m128 raised = _mm_max_ps(_mm_loadu_ps(v), _mm_set1_ps(low));
    _mm_storeu_ps(v, _mm_min_ps(raised, _mm_set1_ps(high)));
#else
    for (uint32_t l = 0; l < 4; l++) {
        v[l] = v[l] > low ? v[l] : low;
        v[l] = v[l] < high ? v[l] : high;
    }
#endif
}

/// out[l] = a0 + (b1[l] × d1 + b2[l] × d2).
static inline void quad_interpolate(float a0, float d1, float d2, const float b1[4],
                                    const float b2[4], void *out)
{
#if RASTER_SSE2
    const __m128 first = _mm_mul_ps(_mm_loadu_ps(b1), _mm_set1_ps(d1));
    const __m128 second = _mm_mul_ps(_mm_loadu_ps(b2), _mm_set1_ps(d2));
    _mm_storeu_ps(out, _mm_add_ps(_mm_set1_ps(a0), _mm_add_ps(first, second)));
#else
    float value[4];
    for (uint32_t l = 0; l < 4; l++)
        value[l] = a0 + (b1[l] * d1 + b2[l] * d2);
    memcpy(out, value, sizeof(value));
#endif
}

/// Bit l: a[l] compares with b[l]. NaN, from a target that was uploaded, equals nothing.
static inline uint32_t quad_compare(weft_compare op, const float a[4], const float b[4])
{
#if RASTER_SSE2
    const __m128 x = _mm_loadu_ps(a), y = _mm_loadu_ps(b);
    const uint32_t less = (uint32_t)_mm_movemask_ps(_mm_cmplt_ps(x, y));
    const uint32_t greater = (uint32_t)_mm_movemask_ps(_mm_cmplt_ps(y, x));
    const uint32_t equal = (uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(x, y));
#else
    uint32_t less = 0, greater = 0, equal = 0;
    for (uint32_t l = 0; l < 4; l++) {
        less |= (uint32_t)(a[l] < b[l]) << l;
        greater |= (uint32_t)(a[l] > b[l]) << l;
        equal |= (uint32_t)(a[l] == b[l]) << l;
    }
#endif
    switch (op) {
    case WEFT_COMPARE_NEVER:
        return 0;
    case WEFT_COMPARE_LESS:
        return less;
    case WEFT_COMPARE_EQUAL:
        return equal;
    case WEFT_COMPARE_LESS_EQUAL:
        return less | equal;
    case WEFT_COMPARE_GREATER:
        return greater;
    case WEFT_COMPARE_NOT_EQUAL:
        return ~equal & 0xf;
    case WEFT_COMPARE_GREATER_EQUAL:
        return greater | equal;
    case WEFT_COMPARE_DEFAULT:
    case WEFT_COMPARE_ALWAYS:
        break;
    }
    return 0xf;
}

#endif
