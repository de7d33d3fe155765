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

/// Where the 2×2 texels lie, x fastest, and the weights of the second ones. Of a nearest filter
/// only the first is there.
struct footprints {
    uint32_t offset[4][BLOCK]; ///< Bytes from the image's memory.
    float wx[BLOCK], wy[BLOCK];
    bool linear;
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

/// Images that are sampled here are smaller than 4 GiB, so offsets have 32 bits.
static void find_footprints(const struct wf_sw_block *block, uint32_t level, bool linear,
                            struct footprints *restrict out)
{
    const struct wf_sw_mip *mip = &block->view->plane->mips[block->view->mip + level];
    const float half = linear ? 0.5f : 0.0f;
    const struct axis u = {block->u, (float)mip->width, (int32_t)mip->width, half};
    const struct axis v = {block->v, (float)mip->height, (int32_t)mip->height, half};
    const uint32_t pitch = mip->row_bytes, start = (uint32_t)mip->offset;
    const uint32_t slice_bytes = (uint32_t)mip->slice_bytes;
    const uint32_t size = block->view->plane->block_bytes;
    int32_t x[2][BLOCK], y[2][BLOCK];
    wrap(&u, block->s, x[0], x[1], out->wx);
    wrap(&v, block->t, y[0], y[1], out->wy);
    out->linear = linear;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t base = start + block->slices[i] * slice_bytes;
        const uint32_t left = (uint32_t)x[0][i] * size, right = (uint32_t)x[1][i] * size;
        const uint32_t top = (uint32_t)y[0][i] * pitch + base;
        const uint32_t bottom = (uint32_t)y[1][i] * pitch + base;
        out->offset[0][i] = top + left;
        out->offset[1][i] = top + right;
        out->offset[2][i] = bottom + left;
        out->offset[3][i] = bottom + right;
    }
}

static void filter_linear(float (*v)[BLOCK], const struct footprints *f, float *restrict out)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float top = wf_sw_lerp(v[0][i], v[1][i], f->wx[i]);
        const float bottom = wf_sw_lerp(v[2][i], v[3][i], f->wx[i]);
        out[i] = wf_sw_lerp(top, bottom, f->wy[i]);
    }
}

// ---- four bytes --------------------------------------------------------------------------------

static void load_words(const uint8_t *memory, const uint32_t *offsets, uint32_t *restrict out)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        memcpy(&out[i], memory + offsets[i], sizeof out[i]);
}

static inline float component(uint32_t texel, uint32_t shift)
{
    return (float)(int32_t)(texel >> shift & 255);
}

/// One component of the filtered texels, 0 to 255.
static void filter_unorm(uint32_t (*texels)[BLOCK], const struct footprints *f, uint32_t shift,
                         float *restrict out)
{
    if (!f->linear) {
        for (uint32_t i = 0; i < BLOCK; i++)
            out[i] = component(texels[0][i], shift);
        return;
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float top =
            wf_sw_lerp(component(texels[0][i], shift), component(texels[1][i], shift), f->wx[i]);
        const float bottom =
            wf_sw_lerp(component(texels[2][i], shift), component(texels[3][i], shift), f->wx[i]);
        out[i] = wf_sw_lerp(top, bottom, f->wy[i]);
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
static void filter_srgb(uint32_t (*texels)[BLOCK], const struct footprints *f, uint32_t shift,
                        float *restrict out)
{
    float v[4][BLOCK];
    if (!f->linear) {
        decode_srgb(texels[0], shift, out);
        return;
    }
    for (uint32_t k = 0; k < 4; k++)
        decode_srgb(texels[k], shift, v[k]);
    filter_linear(v, f, out);
}

/// Whether component `c` of a four-byte path is sRGB.
static bool is_encoded(uint8_t path, uint32_t c)
{
    return (path == WF_SW_VIEW_RGBA8_SRGB || path == WF_SW_VIEW_BGRA8_SRGB) && c < 3;
}

static void sample_words(const struct wf_sw_block *block, const struct footprints *f,
                         float (*restrict color)[BLOCK])
{
    const uint8_t path = block->view->path;
    const bool bgra = path == WF_SW_VIEW_BGRA8 || path == WF_SW_VIEW_BGRA8_SRGB;
    uint32_t texels[4][BLOCK];
    for (uint32_t k = 0; k < (f->linear ? 4u : 1u); k++)
        load_words(block->view->image->memory, f->offset[k], texels[k]);
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t shift = 8 * (bgra && c < 3 ? 2 - c : c);
        if (is_encoded(path, c))
            filter_srgb(texels, f, shift, color[c]);
        else
            filter_unorm(texels, f, shift, color[c]);
    }
}

// ---- any format --------------------------------------------------------------------------------

/// Texels side by side, as the codec takes them.
static void load_bytes(const struct wf_sw_block *block, const uint32_t *offsets, uint8_t *out)
{
    const uint8_t *const memory = block->view->image->memory;
    switch (block->view->plane->block_bytes) {
    case 1:
        for (uint32_t i = 0; i < BLOCK; i++)
            out[i] = memory[offsets[i]];
        break;
    case 2:
        for (size_t i = 0; i < BLOCK; i++)
            memcpy(out + 2 * i, memory + offsets[i], 2);
        break;
    case 4:
        for (size_t i = 0; i < BLOCK; i++)
            memcpy(out + 4 * i, memory + offsets[i], 4);
        break;
    case 8:
        for (size_t i = 0; i < BLOCK; i++)
            memcpy(out + 8 * i, memory + offsets[i], 8);
        break;
    default:
        for (size_t i = 0; i < BLOCK; i++)
            memcpy(out + 16 * i, memory + offsets[i], 16);
        break;
    }
}

/// Components of the texels of one corner, as rows.
static void load_coded(const struct wf_sw_block *block, const uint32_t *offsets,
                       float (*restrict out)[BLOCK])
{
    uint8_t bytes[16 * BLOCK];
    uint32_t words[BLOCK][4];
    load_bytes(block, offsets, bytes);
    wf_hal_texel_decode(block->view->codec, bytes, BLOCK, words);
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t i = 0; i < BLOCK; i++)
            out[c][i] = wf_base_float_from_bits(words[i][c]);
}

/// Replaces texels by what the depth test says, before the filter.
static void compare_block(const struct wf_sw_block *block, float (*texel)[BLOCK])
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        const bool pass = wf_sw_compare(block->compare, block->reference[i], texel[0][i]);
        texel[0][i] = pass ? 1.0f : 0.0f;
        texel[1][i] = texel[2][i] = 0.0f;
        texel[3][i] = 1.0f;
    }
}

static void sample_coded(const struct wf_sw_block *block, const struct footprints *f,
                         float (*restrict color)[BLOCK])
{
    const uint32_t there = block->view->codec->components;
    float corners[4][4][BLOCK];
    for (uint32_t k = 0; k < (f->linear ? 4u : 1u); k++) {
        load_coded(block, f->offset[k], corners[k]);
        if (block->reference)
            compare_block(block, corners[k]);
    }
    for (uint32_t c = 0; c < 4; c++) {
        memcpy(color[c], corners[0][c], sizeof corners[0][c]); // what is missing is the same in all
        if (!f->linear || c >= there)
            continue;
        float v[4][BLOCK];
        for (uint32_t k = 0; k < 4; k++)
            memcpy(v[k], corners[k][c], sizeof v[k]);
        filter_linear(v, f, color[c]);
    }
}

// ---- levels ------------------------------------------------------------------------------------

static void sample_level(const struct wf_sw_block *block, uint32_t level, bool linear,
                         float (*restrict color)[BLOCK])
{
    struct footprints f;
    find_footprints(block, level, linear, &f);
    if (block->view->path == WF_SW_VIEW_CODED)
        sample_coded(block, &f, color);
    else
        sample_words(block, &f, color);
}

/// Colors where every lane reads from `level` with one filter; `blended`: and from the next level.
static void sample_levels(const struct wf_sw_block *block, uint32_t level, bool linear,
                          bool blended, float (*restrict color)[BLOCK])
{
    sample_level(block, level, linear, color);
    if (blended) {
        float other[4][BLOCK];
        sample_level(block, level + 1, linear, other);
        for (uint32_t c = 0; c < 4; c++)
            for (uint32_t i = 0; i < BLOCK; i++)
                color[c][i] = wf_sw_lerp(color[c][i], other[c][i], block->toward[i]);
    }
    for (uint32_t c = 0; c < 4 && block->view->path != WF_SW_VIEW_CODED; c++)
        for (uint32_t i = 0; i < BLOCK && !is_encoded(block->view->path, c); i++)
            color[c][i] /= 255.0f;
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
    sample_levels(block, block->first[lane], block->linear[lane], any_blended(block, same),
                  block->color);
    // Few blocks lie across a change of levels.
    for (uint32_t rest = block->mask & ~same; rest; rest &= ~same) {
        float color[4][BLOCK];
        lane = wf_base_ctz32(rest);
        same = find_equals(block, rest, lane);
        sample_levels(block, block->first[lane], block->linear[lane], any_blended(block, same),
                      color);
        for (uint32_t c = 0; c < 4; c++)
            for (uint32_t i = 0; i < BLOCK; i++)
                block->color[c][i] = same >> i & 1 ? color[c][i] : block->color[c][i];
    }
}

#endif
