// Averages: mip levels from the level above, and single-sampled images from multisampled ones.
#include <string.h>

#include "backends/software/image/image.h"
#include "base/bits.h"
#include "base/half.h"
#include "hal/texel.h"

#define CHUNK 32u ///< Texels made at a time, so that everything fits on the stack.

// ---- mips --------------------------------------------------------------------------------------

/// The up to three texels of the larger level that one texel covers along an axis.
struct taps {
    uint32_t first, count;
    float weight[3];
};

/// Texel `i` of `small` ones over `large` ones, where small is half of large, rounded down.
static struct taps find_taps(uint32_t i, uint32_t small, uint32_t large)
{
    if (large == 1)
        return (struct taps){0, 1, {1.0f}};
    if (large % 2 == 0)
        return (struct taps){2 * i, 2, {0.5f, 0.5f}};
    const float whole = (float)large; // texel i covers i × large / small to (i + 1) × large / small
    return (struct taps){
        2 * i, 3, {(float)(small - i) / whole, (float)small / whole, (float)(i + 1) / whole}};
}

struct reduction {
    const struct wf_sw_image *image;
    const struct wf_hal_texel_codec *codec;
    const struct wf_sw_mip *small, *large;
    uint32_t mip, layer;
    bool volume;
};

/// A run of texels of one row of the smaller level.
struct run {
    uint32_t z, y, x, count;
};

/// Adds what row y, z of the larger level gives to each texel of a run.
static void add_row(const struct reduction *r, const struct run *run, const uint32_t zy[2],
                    float weight, float (*sum)[4])
{
    const uint32_t small = r->small->width, large = r->large->width;
    uint32_t texels[2 * CHUNK + 1][4];
    const struct taps first = find_taps(run->x, small, large);
    const struct taps last = find_taps(run->x + run->count - 1, small, large);
    const uint32_t slice = r->volume ? zy[0] : r->layer;
    const uint8_t *row = wf_sw_image_row(r->image, &r->image->main, r->mip - 1, slice, 0, zy[1]);
    wf_hal_texel_decode(r->codec, row + (size_t)first.first * r->codec->texel_bytes,
                        last.first + last.count - first.first, texels);
    for (uint32_t i = 0; i < run->count; i++) {
        const struct taps t = find_taps(run->x + i, small, large);
        for (uint32_t c = 0; c < 4; c++) {
            float value = 0;
            for (uint32_t k = 0; k < t.count; k++)
                value +=
                    wf_base_float_from_bits(texels[t.first - first.first + k][c]) * t.weight[k];
            sum[i][c] += value * weight;
        }
    }
}

static void average_run(const struct reduction *r, const struct run *run, uint8_t *to)
{
    const struct taps tz = find_taps(run->z, r->small->depth, r->large->depth);
    const struct taps ty = find_taps(run->y, r->small->height, r->large->height);
    float sum[CHUNK][4] = {{0}};
    uint32_t words[CHUNK][4];
    for (uint32_t k = 0; k < tz.count; k++)
        for (uint32_t j = 0; j < ty.count; j++)
            add_row(r, run, (const uint32_t[2]){tz.first + k, ty.first + j},
                    tz.weight[k] * ty.weight[j], sum);
    memcpy(words, sum, sizeof words);
    wf_hal_texel_encode(r->codec, (const uint32_t(*)[4])words, run->count, to);
}

/// Integers have no average.
static void pick_run(const struct reduction *r, const struct run *run, uint8_t *to)
{
    const uint32_t z = wf_base_min_u32(2 * run->z, r->large->depth - 1);
    const uint32_t y = wf_base_min_u32(2 * run->y, r->large->height - 1);
    const size_t size = r->codec->texel_bytes;
    const uint8_t *row =
        wf_sw_image_row(r->image, &r->image->main, r->mip - 1, r->volume ? z : r->layer, 0, y);
    for (uint32_t i = 0; i < run->count; i++)
        memcpy(to + i * size, row + size * wf_base_min_u32(2 * (run->x + i), r->large->width - 1),
               size);
}

bool wf_sw_image_make_mip(struct wf_sw_image *image, uint32_t mip, uint32_t layer, uint32_t y0,
                          uint32_t y1)
{
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(image->format);
    if (!codec || wf_hal_format_get(image->format)->aspects != WEFT_ASPECT_COLOR || mip == 0 ||
        mip >= image->mips || layer >= image->layers || !image->memory)
        return false;
    const struct reduction r = {
        image, codec, &image->main.mips[mip],        &image->main.mips[mip - 1],
        mip,   layer, image->kind == WEFT_TEXTURE_3D};
    for (uint32_t z = 0; z < r.small->depth; z++)
        for (uint32_t y = y0; y < wf_base_min_u32(y1, r.small->height); y++) {
            uint8_t *const row =
                wf_sw_image_row(image, &image->main, mip, r.volume ? z : layer, 0, y);
            for (uint32_t x = 0; x < r.small->width; x += CHUNK) {
                const struct run run = {z, y, x, wf_base_min_u32(CHUNK, r.small->width - x)};
                uint8_t *const to = row + (size_t)x * codec->texel_bytes;
                if (wf_hal_texel_is_integer(codec))
                    pick_run(&r, &run, to);
                else
                    average_run(&r, &run, to);
            }
        }
    return true;
}
