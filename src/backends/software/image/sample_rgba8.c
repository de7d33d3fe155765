// Nearest, bilinear and trilinear filtering of four-byte texels: 2D views, arrays and cubes of
// RGBA8 and BGRA8, linear and sRGB, with any address mode but the border. Blocks of 16 lanes go
// through short loops over arrays that compilers turn into vector code; all of it is plain C with
// one order of operations, so the bits are the same whatever the vector width.
#include "backends/software/image/sample.h"

#include <string.h>

#include "base/bits.h"
#include "base/half.h"
#include "hal/texel.h"

#define BLOCK 16u

/// What 16 lanes read from one level each.
struct level_rows {
    float width[BLOCK], height[BLOCK];
    int32_t columns[BLOCK], rows[BLOCK];
    uint32_t base[BLOCK];  ///< Bytes from the image's memory to the layer.
    uint32_t pitch[BLOCK]; ///< Bytes from row to row.
    float half[BLOCK];     ///< 0.5 for linear, 0 for nearest.
    float keep[BLOCK];     ///< Factor of weights: 1 for linear, 0 for nearest.
};

/// The 2×2 texels, x fastest, and the weights of the second ones.
struct texel_rows {
    uint32_t texel[4][BLOCK];
    float wx[BLOCK], wy[BLOCK];
};

struct instruction {
    const struct wf_sw_view *view;
    const struct wf_sw_sampler *sampler;
    const struct wf_sw_levels *levels;
    weft_address_mode u, v;
    const float *s, *t;     ///< LANES coordinates.
    const uint32_t *slices; ///< LANES layers of the image.
    bool nearest;           ///< No lane is linear.
};

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

// ---- addresses ---------------------------------------------------------------------------------

static void find_levels(const struct instruction *in, uint32_t first_lane, uint32_t farther,
                        struct level_rows *out)
{
    const struct wf_sw_view *view = in->view;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t lane = first_lane + i;
        const uint32_t level =
            wf_base_min_u32(in->levels->first[lane] + farther, view->mip_count - 1);
        const struct wf_sw_mip *mip = &view->plane->mips[view->mip + level];
        out->columns[i] = (int32_t)mip->width;
        out->rows[i] = (int32_t)mip->height;
        out->base[i] = (uint32_t)(mip->offset + in->slices[lane] * mip->slice_bytes);
        out->pitch[i] = mip->row_bytes;
        out->keep[i] = (float)in->levels->linear[lane];
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        out->width[i] = (float)out->columns[i];
        out->height[i] = (float)out->rows[i];
        out->half[i] = 0.5f * out->keep[i];
    }
}

/// Both texels along one axis, inside the image, and the weight of the second.
static void wrap_repeat(const float *u, const struct level_rows *l, const float *size,
                        const int32_t *count, int32_t *near, int32_t *far, float *weight)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float x = wf_sw_fraction(u[i]) * size[i] - l->half[i];
        const int32_t at = wf_sw_floor(x);
        weight[i] = (x - (float)at) * l->keep[i];
        near[i] = at < 0 ? at + count[i] : at;
        far[i] = at + 1 >= count[i] ? at + 1 - count[i] : at + 1;
    }
}

static inline int32_t mirror(int32_t at, int32_t count)
{
    const int32_t down = at < 0 ? -1 - at : at;
    const int32_t up = down >= count ? 2 * count - 1 - down : down;
    return up < 0 ? 0 : up;
}

static void wrap_mirror(const float *u, const struct level_rows *l, const float *size,
                        const int32_t *count, int32_t *near, int32_t *far, float *weight)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float x = wf_sw_fraction(u[i] * 0.5f) * 2.0f * size[i] - l->half[i];
        const int32_t at = wf_sw_floor(x);
        weight[i] = (x - (float)at) * l->keep[i];
        near[i] = mirror(at, count[i]);
        far[i] = mirror(at + 1, count[i]);
    }
}

static void wrap_clamp(const float *u, const struct level_rows *l, const float *size,
                       const int32_t *count, int32_t *near, int32_t *far, float *weight)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float x = wf_base_clamp_f32(u[i] * size[i], -0x1p20f, 0x1p20f) - l->half[i];
        const int32_t at = wf_sw_floor(x);
        weight[i] = (x - (float)at) * l->keep[i];
        near[i] = wf_sw_clamp_i32(at, 0, count[i] - 1);
        far[i] = wf_sw_clamp_i32(at + 1, 0, count[i] - 1);
    }
}

static void wrap_axis(weft_address_mode mode, const float *u, const struct level_rows *l,
                      const float *size, const int32_t *count, int32_t *near, int32_t *far,
                      float *weight)
{
    if (mode == WEFT_ADDRESS_REPEAT)
        wrap_repeat(u, l, size, count, near, far, weight);
    else if (mode == WEFT_ADDRESS_MIRROR_REPEAT)
        wrap_mirror(u, l, size, count, near, far, weight);
    else
        wrap_clamp(u, l, size, count, near, far, weight);
}

static inline uint32_t load_texel(const uint8_t *memory, uint32_t offset)
{
    uint32_t texel;
    memcpy(&texel, memory + offset, sizeof texel);
    return texel;
}

static void load_texels(const struct instruction *in, uint32_t lane, uint32_t farther,
                        struct texel_rows *out)
{
    struct level_rows l;
    int32_t x[2][BLOCK], y[2][BLOCK];
    uint32_t left[BLOCK], right[BLOCK], top[BLOCK], bottom[BLOCK];
    find_levels(in, lane, farther, &l);
    wrap_axis(in->u, in->s + lane, &l, l.width, l.columns, x[0], x[1], out->wx);
    wrap_axis(in->v, in->t + lane, &l, l.height, l.rows, y[0], y[1], out->wy);
    for (uint32_t i = 0; i < BLOCK; i++) {
        left[i] = (uint32_t)x[0][i] * 4;
        right[i] = (uint32_t)x[1][i] * 4;
        top[i] = (uint32_t)y[0][i] * l.pitch[i] + l.base[i];
        bottom[i] = (uint32_t)y[1][i] * l.pitch[i] + l.base[i];
    }
    const uint8_t *memory = in->view->image->memory;
    if (in->nearest) {
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

/// Component `shift` / 8 of every texel, 0 to 255.
static void unpack(const uint32_t *texels, uint32_t shift, float *out)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        out[i] = (float)(int32_t)(texels[i] >> shift & 255);
}

/// The same through the sRGB table, 0 to 1.
static void unpack_srgb(const uint32_t *texels, uint32_t shift, float *out)
{
    for (uint32_t i = 0; i < BLOCK; i++)
        out[i] = wf_hal_srgb_to_linear[texels[i] >> shift & 255];
}

static void filter_component(const struct texel_rows *t, uint32_t shift, bool srgb, bool nearest,
                             float *out)
{
    float v[4][BLOCK];
    for (uint32_t k = 0; k < (nearest ? 1u : 4u); k++) {
        if (srgb)
            unpack_srgb(t->texel[k], shift, v[k]);
        else
            unpack(t->texel[k], shift, v[k]);
    }
    if (nearest) {
        memcpy(out, v[0], sizeof v[0]);
        return;
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        const float top = wf_sw_lerp(v[0][i], v[1][i], t->wx[i]);
        const float bottom = wf_sw_lerp(v[2][i], v[3][i], t->wx[i]);
        out[i] = wf_sw_lerp(top, bottom, t->wy[i]);
    }
}

/// Colors of 16 lanes, red to alpha, 0 to 1.
static void sample_block(const struct instruction *in, uint32_t lane, float color[4][BLOCK])
{
    const bool bgra = in->view->path == WF_SW_VIEW_BGRA8 || in->view->path == WF_SW_VIEW_BGRA8_SRGB;
    const bool srgb =
        in->view->path == WF_SW_VIEW_RGBA8_SRGB || in->view->path == WF_SW_VIEW_BGRA8_SRGB;
    const float *toward = in->levels->toward + lane;
    bool blended = false;
    for (uint32_t i = 0; i < BLOCK && in->levels->blended; i++)
        blended |= toward[i] != 0.0f;

    struct texel_rows near, far;
    load_texels(in, lane, 0, &near);
    if (blended)
        load_texels(in, lane, 1, &far);
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t shift = 8 * (bgra && c < 3 ? 2 - c : c);
        const bool table = srgb && c < 3;
        filter_component(&near, shift, table, in->nearest, color[c]);
        if (blended) {
            float other[BLOCK];
            filter_component(&far, shift, table, in->nearest, other);
            for (uint32_t i = 0; i < BLOCK; i++)
                color[c][i] = wf_sw_lerp(color[c][i], other[i], toward[i]);
        }
        if (!table)
            for (uint32_t i = 0; i < BLOCK; i++)
                color[c][i] /= 255.0f;
    }
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

static void find_layers(const struct wf_sw_view *view, const float *layers, uint32_t stride,
                        uint32_t slices[LANES])
{
    const float last = (float)(view->layer_count / stride - 1);
    for (uint32_t i = 0; i < LANES; i++)
        slices[i] = view->layer + stride * wf_sw_round_layer(layers[i], last);
}

/// Faces and coordinates; returns the lanes whose texels lie on more than one face.
static uint64_t project(const struct wf_sw_view *view, const struct wf_sw_sample_args *args,
                        const struct wf_sw_levels *levels, uint64_t mask, float s[LANES],
                        float t[LANES], uint32_t slices[LANES])
{
    const float *rows[3];
    for (uint32_t c = 0; c < 3; c++)
        rows[c] = row_or_zeros(args->coords[c]);
    memset(s, 0, LANES * sizeof *s);
    memset(t, 0, LANES * sizeof *t);
    uint64_t seams = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = wf_base_ctz64(rest);
        const float r[3] = {rows[0][i], rows[1][i], rows[2][i]};
        const struct wf_sw_cube_point p = wf_sw_cube_project(r);
        s[i] = p.s;
        t[i] = p.t;
        slices[i] += p.face;
        if (!levels->linear[i])
            continue;
        // Half a texel of the coarser level, and a little more for rounding.
        const uint32_t level = levels->first[i] + (levels->toward[i] != 0.0f);
        const float edge = 0.5001f / (float)view->plane->mips[view->mip + level].width;
        const bool inside = p.s > edge && p.s < 1 - edge && p.t > edge && p.t < 1 - edge;
        seams |= inside ? 0 : UINT64_C(1) << i;
    }
    return seams;
}

void wf_sw_sample_rgba8(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                        const struct wf_sw_sample_args *args, const struct wf_sw_levels *levels,
                        uint64_t mask, uint32_t out[4][LANES])
{
    const bool cube = view->kind == WEFT_VIEW_CUBE || view->kind == WEFT_VIEW_CUBE_ARRAY;
    float s[LANES], t[LANES];
    uint32_t slices[LANES];
    struct instruction in = {view,
                             sampler,
                             levels,
                             sampler->address[0],
                             sampler->address[1],
                             row_or_zeros(args->coords[0]),
                             row_or_zeros(args->coords[1]),
                             slices,
                             levels->uniform && !levels->linear[0]};
    const float *layers = view->kind == WEFT_VIEW_2D_ARRAY     ? args->coords[2]
                          : view->kind == WEFT_VIEW_CUBE_ARRAY ? args->coords[3]
                                                               : NULL;
    find_layers(view, row_or_zeros(layers), cube ? 6 : 1, slices);
    uint64_t seams = 0;
    if (cube) {
        seams = project(view, args, levels, mask, s, t, slices);
        in.u = in.v = WEFT_ADDRESS_CLAMP_TO_EDGE;
        in.s = s;
        in.t = t;
    }
    for (uint32_t lane = 0; lane < LANES; lane += BLOCK) {
        const uint32_t block = (uint32_t)((mask & ~seams) >> lane) & 0xffff;
        if (!block)
            continue;
        float color[4][BLOCK];
        sample_block(&in, lane, color);
        store_block(view, lane, block, color, out);
    }
    if (seams)
        wf_sw_sample_general(view, sampler, args, levels, seams, out);
}
