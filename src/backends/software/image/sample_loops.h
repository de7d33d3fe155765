/// The loops behind sample_block.h: short, over 16 lanes, in plain C that compilers turn into
/// vector code, with one order of operations. Included by one source file for each instruction set.
#ifndef WF_SW_IMAGE_SAMPLE_LOOPS_H
#define WF_SW_IMAGE_SAMPLE_LOOPS_H

#include "backends/software/image/sample_block.h"

#include <string.h>

#include "base/bits.h"
#include "base/half.h"
#include "hal/texel.h"

// The only extension here: one instruction that reads a table eight times.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define BLOCK WF_SW_BLOCK

/// One axis of one level.
struct axis {
    weft_address_mode mode;
    float size;
    int32_t count;
    float half; ///< 0.5 for linear, 0 for nearest.
};

/// The 2×2 texels, x fastest, and the weights of the second ones.
struct texels {
    uint32_t texel[4][BLOCK];
    float wx[BLOCK], wy[BLOCK];
};

// ---- addresses ---------------------------------------------------------------------------------

/// Both texels along an axis, inside the image, and the weight of the second (0 if nearest).
static void wrap_repeat(const struct axis *axis, const float *u, int32_t *restrict near,
                        int32_t *restrict far, float *restrict weight)
{
    const float size = axis->size, half = axis->half;
    const int32_t count = axis->count;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float x = wf_sw_fraction(u[i]) * size - half;
        const int32_t at = wf_sw_floor(x);
        weight[i] = x - (float)at;
        near[i] = at + (at < 0 ? count : 0);
        far[i] = at + 1 - (at + 1 >= count ? count : 0);
    }
}

static inline int32_t mirror(int32_t at, int32_t count)
{
    const int32_t down = at < 0 ? -1 - at : at;
    const int32_t up = down >= count ? 2 * count - 1 - down : down;
    return up < 0 ? 0 : up;
}

static void wrap_mirror(const struct axis *axis, const float *u, int32_t *restrict near,
                        int32_t *restrict far, float *restrict weight)
{
    const float size = axis->size, half = axis->half;
    const int32_t count = axis->count;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float x = wf_sw_fraction(u[i] * 0.5f) * 2.0f * size - half;
        const int32_t at = wf_sw_floor(x);
        weight[i] = x - (float)at;
        near[i] = mirror(at, count);
        far[i] = mirror(at + 1, count);
    }
}

static void wrap_clamp(const struct axis *axis, const float *u, int32_t *restrict near,
                       int32_t *restrict far, float *restrict weight)
{
    const float size = axis->size, half = axis->half;
    const int32_t last = axis->count - 1;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float x = wf_base_clamp_f32(u[i] * size, -0x1p20f, 0x1p20f) - half;
        const int32_t at = wf_sw_floor(x);
        weight[i] = x - (float)at;
        near[i] = wf_sw_clamp_i32(at, 0, last);
        far[i] = wf_sw_clamp_i32(at + 1, 0, last);
    }
}

static void wrap(const struct axis *axis, const float *u, int32_t *near, int32_t *far,
                 float *weight)
{
    if (axis->mode == WEFT_ADDRESS_REPEAT)
        wrap_repeat(axis, u, near, far, weight);
    else if (axis->mode == WEFT_ADDRESS_MIRROR_REPEAT)
        wrap_mirror(axis, u, near, far, weight);
    else
        wrap_clamp(axis, u, near, far, weight);
}

static inline uint32_t load_texel(const uint8_t *memory, uint32_t offset)
{
    uint32_t texel;
    memcpy(&texel, memory + offset, sizeof texel);
    return texel;
}

/// Images of this path are smaller than 4 GiB, so offsets have 32 bits.
static void load_texels(const struct wf_sw_block *block, uint32_t level, bool linear,
                        struct texels *restrict out)
{
    const struct wf_sw_mip *mip = &block->view->plane->mips[block->view->mip + level];
    const uint8_t *const memory = block->view->image->memory;
    const float half = linear ? 0.5f : 0.0f;
    const struct axis u = {block->u, (float)mip->width, (int32_t)mip->width, half};
    const struct axis v = {block->v, (float)mip->height, (int32_t)mip->height, half};
    const uint32_t pitch = mip->row_bytes, start = (uint32_t)mip->offset;
    const uint32_t slice_bytes = (uint32_t)mip->slice_bytes;
    int32_t x[2][BLOCK], y[2][BLOCK];
    uint32_t left[BLOCK], right[BLOCK], top[BLOCK], bottom[BLOCK];
    wrap(&u, block->s, x[0], x[1], out->wx);
    wrap(&v, block->t, y[0], y[1], out->wy);
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t base = start + block->slices[i] * slice_bytes;
        left[i] = (uint32_t)x[0][i] * 4;
        right[i] = (uint32_t)x[1][i] * 4;
        top[i] = (uint32_t)y[0][i] * pitch + base;
        bottom[i] = (uint32_t)y[1][i] * pitch + base;
    }
    if (!linear) {
        for (uint32_t i = 0; i < BLOCK; i++)
            out->texel[0][i] = load_texel(memory, top[i] + left[i]);
        return;
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        out->texel[0][i] = load_texel(memory, top[i] + left[i]);
        out->texel[1][i] = load_texel(memory, top[i] + right[i]);
        out->texel[2][i] = load_texel(memory, bottom[i] + left[i]);
        out->texel[3][i] = load_texel(memory, bottom[i] + right[i]);
    }
}

// ---- colors ------------------------------------------------------------------------------------

static inline float component(uint32_t texel, uint32_t shift)
{
    return (float)(int32_t)(texel >> shift & 255);
}

/// One component of the filtered texels, 0 to 255.
static void filter_unorm(const struct texels *t, uint32_t shift, bool linear, float *restrict out)
{
    if (!linear) {
        for (uint32_t i = 0; i < BLOCK; i++)
            out[i] = component(t->texel[0][i], shift);
        return;
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float top = wf_sw_lerp(component(t->texel[0][i], shift),
                                     component(t->texel[1][i], shift), t->wx[i]);
        const float bottom = wf_sw_lerp(component(t->texel[2][i], shift),
                                        component(t->texel[3][i], shift), t->wx[i]);
        out[i] = wf_sw_lerp(top, bottom, t->wy[i]);
    }
}

static void decode_srgb(const uint32_t *texels, uint32_t shift, float *restrict out)
{
#if defined(__AVX2__)
    for (uint32_t i = 0; i < BLOCK; i += 8) {
        const __m256i words = _mm256_loadu_si256((const __m256i *)(const void *)(texels + i));
        const __m256i codes = _mm256_and_si256(
            _mm256_srl_epi32(words, _mm_cvtsi32_si128((int)shift)), _mm256_set1_epi32(255));
        _mm256_storeu_ps(out + i, _mm256_i32gather_ps(wf_hal_srgb_to_linear, codes, 4));
    }
#else
    for (uint32_t i = 0; i < BLOCK; i++)
        out[i] = wf_hal_srgb_to_linear[texels[i] >> shift & 255];
#endif
}

/// The same in linear space, 0 to 1.
static void filter_srgb(const struct texels *t, uint32_t shift, bool linear, float *restrict out)
{
    if (!linear) {
        decode_srgb(t->texel[0], shift, out);
        return;
    }
    float v[4][BLOCK];
    for (uint32_t k = 0; k < 4; k++)
        decode_srgb(t->texel[k], shift, v[k]);
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float top = wf_sw_lerp(v[0][i], v[1][i], t->wx[i]);
        const float bottom = wf_sw_lerp(v[2][i], v[3][i], t->wx[i]);
        out[i] = wf_sw_lerp(top, bottom, t->wy[i]);
    }
}

/// Colors where every lane reads from `level` with one filter; `blended`: and from the next level.
static void sample_level(const struct wf_sw_block *block, uint32_t level, bool linear, bool blended,
                         float (*restrict color)[BLOCK])
{
    const uint8_t path = block->view->path;
    const bool bgra = path == WF_SW_VIEW_BGRA8 || path == WF_SW_VIEW_BGRA8_SRGB;
    const bool srgb = path == WF_SW_VIEW_RGBA8_SRGB || path == WF_SW_VIEW_BGRA8_SRGB;
    struct texels near, far;
    load_texels(block, level, linear, &near);
    if (blended)
        load_texels(block, level + 1, linear, &far);
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t shift = 8 * (bgra && c < 3 ? 2 - c : c);
        const bool table = srgb && c < 3;
        float other[BLOCK];
        if (table)
            filter_srgb(&near, shift, linear, color[c]);
        else
            filter_unorm(&near, shift, linear, color[c]);
        if (blended) {
            if (table)
                filter_srgb(&far, shift, linear, other);
            else
                filter_unorm(&far, shift, linear, other);
            for (uint32_t i = 0; i < BLOCK; i++)
                color[c][i] = wf_sw_lerp(color[c][i], other[i], block->toward[i]);
        }
        if (!table)
            for (uint32_t i = 0; i < BLOCK; i++)
                color[c][i] /= 255.0f;
    }
}

/// Whether all lanes agree with `lane`, whose levels and filter they share.
static bool all_equal(const struct wf_sw_block *block, uint32_t lane)
{
    uint32_t levels = 0, filters = 0;
    for (uint32_t i = 0; i < BLOCK; i++)
        levels |= block->first[i] ^ block->first[lane];
    for (uint32_t i = 0; i < BLOCK; i++)
        filters |= (uint32_t)(block->linear[i] ^ block->linear[lane]);
    return (levels | filters) == 0;
}

/// Lanes of `mask` that agree with `lane`.
static uint32_t find_equals(const struct wf_sw_block *block, uint32_t mask, uint32_t lane)
{
    uint32_t equals = 0;
    for (uint32_t i = 0; i < BLOCK; i++)
        equals |= (uint32_t)(block->first[i] == block->first[lane] &&
                             block->linear[i] == block->linear[lane])
                  << i;
    return equals & mask;
}

/// Whether a lane of `mask` blends two levels.
static bool any_blended(const struct wf_sw_block *block, uint32_t mask)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < BLOCK; i++)
        bits |= wf_base_float_bits(block->toward[i]) & (0 - (mask >> i & 1));
    return bits != 0;
}

static void sample_block(const struct wf_sw_block *block)
{
    uint32_t lane = wf_base_ctz32(block->mask);
    uint32_t same = all_equal(block, lane) ? block->mask : find_equals(block, block->mask, lane);
    sample_level(block, block->first[lane], block->linear[lane], any_blended(block, same),
                 block->color);
    // Few blocks lie across a change of levels.
    for (uint32_t rest = block->mask & ~same; rest; rest &= ~same) {
        float color[4][BLOCK];
        lane = wf_base_ctz32(rest);
        same = find_equals(block, rest, lane);
        sample_level(block, block->first[lane], block->linear[lane], any_blended(block, same),
                     color);
        for (uint32_t c = 0; c < 4; c++)
            for (uint32_t i = 0; i < BLOCK; i++)
                block->color[c][i] = same >> i & 1 ? color[c][i] : block->color[c][i];
    }
}

#endif
