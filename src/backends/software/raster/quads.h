/// Coverage of a 4×4 block, four quads at once: the one place for vector types. The standard form
/// computes the same integers.
#ifndef WF_SOFTWARE_RASTER_QUADS_H
#define WF_SOFTWARE_RASTER_QUADS_H

#include <stdint.h>

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

#endif
