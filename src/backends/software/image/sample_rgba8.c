// Nearest, bilinear and trilinear filtering of four-byte texels: 2D views, arrays and cubes of
// RGBA8 and BGRA8, linear and sRGB, with any address mode but the border.
#include <string.h>

#include "backends/software/image/sample_block.h"
#include "base/bits.h"
#include "base/half.h"

#define BLOCK WF_SW_BLOCK

static void (*choose_block(void))(const struct wf_sw_block *)
{
#if defined(WF_SW_IMAGE_AVX2)
    if (__builtin_cpu_supports("avx2"))
        return wf_sw_sample_block_avx2;
#endif
    return wf_sw_sample_block;
}

uint8_t wf_sw_view_path(const struct wf_sw_view *view)
{
    const bool kind = view->kind == WEFT_VIEW_2D || view->kind == WEFT_VIEW_2D_ARRAY ||
                      view->kind == WEFT_VIEW_CUBE || view->kind == WEFT_VIEW_CUBE_ARRAY;
    if (!kind || view->image->size > UINT32_MAX)
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
        return WF_SW_VIEW_GENERAL;
    }
}

uint8_t wf_sw_sampler_path(const struct wf_sw_sampler *sampler)
{
    return sampler->address[0] != WEFT_ADDRESS_CLAMP_TO_BORDER &&
           sampler->address[1] != WEFT_ADDRESS_CLAMP_TO_BORDER;
}

static void store_block(const struct wf_sw_view *view, uint32_t lane, uint32_t mask,
                        float color[4][BLOCK], uint32_t out[4][LANES])
{
    static const float constant[2] = {0.0f, 1.0f};
    for (uint32_t c = 0; c < 4; c++) {
        const weft_swizzle swizzle = view->swizzle[c];
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
    uint64_t seams; ///< Lanes whose texels lie on more than one face.
};

/// Whether all texels that a lane reads lie on its face.
static bool is_inside(const struct wf_sw_view *view, const struct wf_sw_levels *levels,
                      uint32_t lane, const struct wf_sw_cube_point *p)
{
    if (!levels->linear[lane])
        return true;
    // Half a texel of the coarser level, and a little more for rounding.
    const uint32_t level = levels->first[lane] + (levels->toward[lane] != 0.0f);
    const float edge = 0.5001f / (float)view->plane->mips[view->mip + level].width;
    return p->s > edge && p->s < 1 - edge && p->t > edge && p->t < 1 - edge;
}

/// Adds the faces to `slices`.
static void project(const struct wf_sw_view *view, const struct wf_sw_sample_args *args,
                    const struct wf_sw_levels *levels, uint64_t mask, struct cube_rows *out,
                    uint32_t slices[LANES])
{
    const float *rows[3];
    for (uint32_t c = 0; c < 3; c++)
        rows[c] = row_or_zeros(args->coords[c]);
    memset(out, 0, sizeof *out);
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = wf_base_ctz64(rest);
        const float r[3] = {rows[0][i], rows[1][i], rows[2][i]};
        const struct wf_sw_cube_point p = wf_sw_cube_project(r);
        out->s[i] = p.s;
        out->t[i] = p.t;
        slices[i] += p.face;
        if (!is_inside(view, levels, i, &p))
            out->seams |= UINT64_C(1) << i;
    }
}

void wf_sw_sample_rgba8(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
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
        project(view, args, levels, mask, &rows, slices);
        seams = rows.seams;
        s = rows.s;
        t = rows.t;
    }
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
            .mask = (uint32_t)((mask & ~seams) >> lane) & 0xffff,
            .color = color,
        };
        if (!block.mask)
            continue;
        sample_block(&block);
        store_block(view, lane, block.mask, color, out);
    }
    if (seams)
        wf_sw_sample_general(view, sampler, args, levels, seams, out);
}
