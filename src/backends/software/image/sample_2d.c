// Nearest, bilinear and trilinear filtering, with or without comparison, of 2D views, arrays and
// cubes of all formats but integers, with any address mode but the border.
#include <string.h>

#include "backends/software/image/block.h"
#include "backends/software/image/cube.h"
#include "backends/software/image/sample_block.h"
#include "base/bits.h"
#include "base/cpu.h"
#include "base/half.h"
#include "hal/texel.h"

#define BLOCK WF_SW_BLOCK

static void (*choose_block(void))(const struct wf_sw_block *)
{
#if defined(WF_SW_IMAGE_AVX2)
    if (wf_base_cpu_has_avx2())
        return wf_sw_sample_block_avx2;
#endif
    return wf_sw_sample_block;
}

uint8_t wf_sw_view_path(const struct wf_sw_view *view)
{
    const bool kind = view->kind == WEFT_VIEW_2D || view->kind == WEFT_VIEW_2D_ARRAY ||
                      view->kind == WEFT_VIEW_CUBE || view->kind == WEFT_VIEW_CUBE_ARRAY;
    if (!kind || view->image->size > UINT32_MAX || !view->codec ||
        wf_hal_texel_is_integer(view->codec) || wf_sw_view_is_compressed(view))
        return WF_SW_VIEW_GENERAL;
    switch (view->format) {
    case WEFT_FORMAT_RGBA8_UNORM:
        return WF_SW_VIEW_RGBA8;
    case WEFT_FORMAT_RGBA8_UNORM_SRGB:
        return WF_SW_VIEW_RGBA8_SRGB;
    case WEFT_FORMAT_BGRA8_UNORM:
        return WF_SW_VIEW_BGRA8;
    case WEFT_FORMAT_BGRA8_UNORM_SRGB:
        return WF_SW_VIEW_BGRA8_SRGB;
    default:
        return WF_SW_VIEW_CODED;
    }
}

uint8_t wf_sw_sampler_path(const struct wf_sw_sampler *sampler)
{
    return sampler->address[0] != WEFT_ADDRESS_CLAMP_TO_BORDER &&
           sampler->address[1] != WEFT_ADDRESS_CLAMP_TO_BORDER;
}

static const weft_swizzle identity[4] = {WEFT_SWIZZLE_R, WEFT_SWIZZLE_G, WEFT_SWIZZLE_B,
                                         WEFT_SWIZZLE_A};

static void store_block(const weft_swizzle swizzles[4], uint32_t lane, uint32_t mask,
                        float color[4][BLOCK], uint32_t out[4][LANES])
{
    static const float constant[2] = {0.0f, 1.0f};
    for (uint32_t c = 0; c < 4; c++) {
        const weft_swizzle swizzle = swizzles[c];
        float row[BLOCK];
        if (swizzle >= WEFT_SWIZZLE_R)
            memcpy(row, color[swizzle - WEFT_SWIZZLE_R], sizeof row);
        else
            for (uint32_t i = 0; i < BLOCK; i++)
                row[i] = constant[swizzle == WEFT_SWIZZLE_ONE];
        if (mask == 0xffff) {
            memcpy(out[c] + lane, row, sizeof row);
            continue;
        }
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            const uint32_t i = wf_base_ctz32(rest);
            out[c][lane + i] = wf_base_float_bits(row[i]);
        }
    }
}

// ---- layers and faces --------------------------------------------------------------------------

static const float float_zeros[LANES];

static const float *row_or_zeros(const float *row)
{
    return row ? row : float_zeros;
}

static void find_layers(const struct wf_sw_view *view, const struct wf_sw_sample_args *args,
                        uint32_t slices[LANES])
{
    const bool cubes = view->kind == WEFT_VIEW_CUBE_ARRAY;
    const float *layers = row_or_zeros(args->coords[cubes ? 3 : 2]);
    const uint32_t stride = cubes ? 6 : 1;
    const uint32_t count = view->layer_count / stride;
    const float last = (float)(count - 1);
    if (cubes || view->kind == WEFT_VIEW_2D_ARRAY)
        for (uint32_t i = 0; i < LANES; i++)
            slices[i] = view->layer + stride * wf_sw_round_layer(layers[i], last);
    else
        for (uint32_t i = 0; i < LANES; i++)
            slices[i] = view->layer;
}

/// Faces and coordinates of the lanes of a cube.
struct cube_rows {
    float s[LANES], t[LANES];
    uint32_t face[LANES];
    uint64_t seams; ///< Lanes whose texels lie on more than one face.
};

static void project(const struct wf_sw_sample_args *args, struct cube_rows *out)
{
    const float *x = row_or_zeros(args->coords[0]), *y = row_or_zeros(args->coords[1]);
    const float *z = row_or_zeros(args->coords[2]);
    for (uint32_t i = 0; i < LANES; i++) {
        const struct wf_sw_cube_face f = wf_sw_cube_face(x[i], y[i], z[i]);
        const float major = wf_sw_cube_major(f, x[i], y[i], z[i]);
        out->s[i] = wf_sw_cube_coordinate(wf_sw_cube_s(f, x[i], z[i]), major);
        out->t[i] = wf_sw_cube_coordinate(wf_sw_cube_t(f, y[i], z[i]), major);
        out->face[i] = wf_sw_cube_layer(f);
    }
}

static uint64_t find_seams(const struct wf_sw_view *view, const struct wf_sw_levels *levels,
                           const struct cube_rows *rows)
{
    uint64_t seams = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        // Half a texel of the coarser level, and a little more for rounding.
        const uint32_t level = levels->first[i] + (levels->toward[i] != 0.0f);
        const float edge = 0.5001f / (float)view->plane->mips[view->mip + level].width;
        const float s = rows->s[i], t = rows->t[i];
        const bool inside = s > edge && s < 1 - edge && t > edge && t < 1 - edge;
        seams |= (uint64_t)(levels->linear[i] && !inside) << i;
    }
    return seams;
}

void wf_sw_sample_2d(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                     const struct wf_sw_sample_args *args, const struct wf_sw_levels *levels,
                     uint64_t mask, uint32_t out[4][LANES])
{
    const bool cube = view->kind == WEFT_VIEW_CUBE || view->kind == WEFT_VIEW_CUBE_ARRAY;
    void (*const sample_block)(const struct wf_sw_block *) = choose_block();
    const float *s = row_or_zeros(args->coords[0]), *t = row_or_zeros(args->coords[1]);
    struct cube_rows rows;
    uint32_t slices[LANES];
    uint64_t seams = 0;
    find_layers(view, args, slices);
    if (cube) {
        project(args, &rows);
        seams = mask & find_seams(view, levels, &rows);
        for (uint32_t i = 0; i < LANES; i++)
            slices[i] += rows.face[i];
        s = rows.s;
        t = rows.t;
    }
    float reference[LANES];
    for (uint32_t i = 0; i < LANES && args->dref; i++)
        reference[i] = wf_sw_reference(view->format, args->dref[i]);
    for (uint32_t lane = 0; lane < LANES; lane += BLOCK) {
        float color[4][BLOCK];
        const struct wf_sw_block block = {
            .view = view,
            .u = cube ? WEFT_ADDRESS_CLAMP_TO_EDGE : sampler->address[0],
            .v = cube ? WEFT_ADDRESS_CLAMP_TO_EDGE : sampler->address[1],
            .s = s + lane,
            .t = t + lane,
            .slices = slices + lane,
            .first = levels->first + lane,
            .toward = levels->toward + lane,
            .linear = levels->linear + lane,
            .reference = args->dref ? reference + lane : NULL,
            .compare = sampler->compare,
            .mask = (uint32_t)((mask & ~seams) >> lane) & 0xffff,
            .color = color,
        };
        if (!block.mask)
            continue;
        sample_block(&block);
        store_block(args->dref ? identity : view->swizzle, lane, block.mask, color, out);
    }
    if (seams)
        wf_sw_sample_general(view, sampler, args, levels, seams, out);
}
