// Single texels by integer coordinates: fetches, storage reads and writes, atomics.
#include <stdatomic.h>
#include <string.h>

#include "backends/software/image/block.h"
#include "base/bits.h"
#include "base/half.h"
#include "hal/texel.h"

static int32_t row_value(const int32_t *row, uint32_t lane)
{
    return row ? row[lane] : 0;
}

/// 64 bits, so that adding an offset cannot overflow.
static int64_t coordinate(const struct wf_sw_texel_args *args, uint32_t c, uint32_t lane)
{
    return (int64_t)row_value(args->coords[c], lane) +
           (c < 3 ? row_value(args->offset[c], lane) : 0);
}

/// Texels along each axis and the layer; axes that a kind lacks are 0.
static void split_coordinates(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                              uint32_t lane, int64_t at[3], int64_t *layer)
{
    at[0] = coordinate(args, 0, lane);
    at[1] = at[2] = *layer = 0;
    switch (view->kind) {
    case WEFT_VIEW_1D:
    case WEFT_VIEW_DEFAULT:
        break;
    case WEFT_VIEW_1D_ARRAY:
        *layer = row_value(args->coords[1], lane);
        break;
    case WEFT_VIEW_2D:
        at[1] = coordinate(args, 1, lane);
        break;
    case WEFT_VIEW_2D_ARRAY:
    case WEFT_VIEW_CUBE:
    case WEFT_VIEW_CUBE_ARRAY:
        at[1] = coordinate(args, 1, lane);
        *layer = row_value(args->coords[2], lane);
        break;
    case WEFT_VIEW_3D:
        at[1] = coordinate(args, 1, lane);
        at[2] = coordinate(args, 2, lane);
        break;
    }
}

struct place {
    uint32_t mip, slice, sample; ///< Of the image.
    int32_t at[2];
};

/// Where a lane's texel lies; false when anything is out of range.
static bool find_place(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                       uint32_t lane, struct place *out)
{
    const int32_t level = row_value(args->lod, lane), sample = row_value(args->sample, lane);
    if (!view->image->memory || !view->codec || (uint32_t)level >= view->mip_count ||
        (uint32_t)sample >= view->image->samples)
        return false;
    int64_t at[3], layer;
    split_coordinates(view, args, lane, at, &layer);
    out->mip = view->mip + (uint32_t)level;
    const struct wf_sw_mip *mip = &view->plane->mips[out->mip];
    if (at[0] < 0 || at[0] >= mip->width || at[1] < 0 || at[1] >= mip->height || at[2] < 0 ||
        at[2] >= mip->depth || layer < 0 || layer >= view->layer_count)
        return false;
    out->slice = view->kind == WEFT_VIEW_3D ? (uint32_t)at[2] : view->layer + (uint32_t)layer;
    out->sample = (uint32_t)sample;
    out->at[0] = (int32_t)at[0];
    out->at[1] = (int32_t)at[1];
    return true;
}

/// The texel's first byte; NULL when anything is out of range, and in compressed formats.
static uint8_t *find_texel(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                           uint32_t lane)
{
    struct place p;
    if (!find_place(view, args, lane, &p) || wf_sw_view_is_compressed(view))
        return NULL;
    return wf_sw_image_row(view->image, view->plane, p.mip, p.slice, p.sample, (uint32_t)p.at[1]) +
           (size_t)(uint32_t)p.at[0] * view->plane->block_bytes;
}

/// A texel in range, or what stands for one: zeros, and 1 where the format has no alpha.
static void load_texel(const struct wf_sw_view *view, const uint8_t *texel, uint32_t out[4])
{
    static const uint8_t nothing[16];
    memset(out, 0, 4 * sizeof *out);
    if (view->codec && view->codec->components < 4)
        out[3] = wf_base_float_bits(1.0f);
    if (view->codec)
        wf_hal_texel_decode(view->codec, texel ? texel : nothing, 1, (uint32_t(*)[4])out);
}

/// The same of any format.
static void fetch_texel(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                        uint32_t lane, struct wf_sw_block_cache *cache, uint32_t out[4])
{
    struct place p;
    if (wf_sw_view_is_compressed(view) && find_place(view, args, lane, &p))
        memcpy(out, wf_sw_block_texel(cache, view, p.mip, p.slice, p.at), 4 * sizeof *out);
    else
        load_texel(view, find_texel(view, args, lane), out);
}

void wf_sw_image_fetch(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                       uint64_t mask, uint32_t out[4][WF_SW_IMAGE_LANES])
{
    const uint32_t one =
        view->codec && wf_hal_texel_is_integer(view->codec) ? 1 : wf_base_float_bits(1.0f);
    struct wf_sw_block_cache cache;
    wf_sw_block_cache_init(&cache);
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = wf_base_ctz64(rest);
        uint32_t texel[4];
        fetch_texel(view, args, lane, &cache, texel);
        for (uint32_t c = 0; c < 4; c++) {
            const weft_swizzle swizzle = view->swizzle[c];
            out[c][lane] = swizzle >= WEFT_SWIZZLE_R     ? texel[swizzle - WEFT_SWIZZLE_R]
                           : swizzle == WEFT_SWIZZLE_ONE ? one
                                                         : 0;
        }
    }
}

/// Storage accesses have no level and no offset.
static struct wf_sw_texel_args storage_args(const struct wf_sw_texel_args *args)
{
    struct wf_sw_texel_args plain = *args;
    plain.lod = NULL;
    memset(plain.offset, 0, sizeof plain.offset);
    return plain;
}

void wf_sw_image_read(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                      uint64_t mask, uint32_t out[4][WF_SW_IMAGE_LANES])
{
    const struct wf_sw_texel_args plain = storage_args(args);
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = wf_base_ctz64(rest);
        uint32_t texel[4];
        load_texel(view, find_texel(view, &plain, lane), texel);
        for (uint32_t c = 0; c < 4; c++)
            out[c][lane] = texel[c];
    }
}

void wf_sw_image_write(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                       uint64_t mask, const uint32_t *const texel[4])
{
    const struct wf_sw_texel_args plain = storage_args(args);
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = wf_base_ctz64(rest);
        uint8_t *const to = find_texel(view, &plain, lane);
        if (!to)
            continue;
        uint32_t value[1][4];
        for (uint32_t c = 0; c < 4; c++)
            value[0][c] = texel[c] ? texel[c][lane] : 0;
        wf_hal_texel_encode(view->codec, (const uint32_t(*)[4])value, 1, to);
    }
}

void wf_sw_image_texel_pointers(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                                uint64_t mask, uint32_t *out[WF_SW_IMAGE_LANES])
{
    const struct wf_sw_texel_args plain = storage_args(args);
    const bool fits = view->plane->block_bytes == 4;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = wf_base_ctz64(rest);
        // Rows start at multiples of 64 bytes, so four-byte texels are aligned.
        out[lane] = fits ? (uint32_t *)(void *)find_texel(view, &plain, lane) : NULL;
    }
}

// ---- atomics -----------------------------------------------------------------------------------

// NOLINTNEXTLINE(readability-function-size): an atomic has that many operands
void wf_sw_image_atomic(const struct wf_sw_view *view, enum wf_sw_atomic op,
                        const struct wf_sw_texel_args *args, uint64_t mask, const uint32_t *value,
                        const uint32_t *compare, uint32_t out[WF_SW_IMAGE_LANES])
{
    uint32_t *texels[WF_SW_IMAGE_LANES];
    wf_sw_image_texel_pointers(view, args, mask, texels);
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = wf_base_ctz64(rest);
        out[lane] = 0;
        if (texels[lane])
            out[lane] = wf_sw_atomic_apply((_Atomic uint32_t *)texels[lane], op,
                                           value ? value[lane] : 0, compare ? compare[lane] : 0);
    }
}
