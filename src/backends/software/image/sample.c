// Sampling of any view with any sampler, lane by lane. What is common and hot has loops of its own
// in sample_2d.c, with the same results up to the rounding of the filter.
#include "backends/software/image/sample.h"
#include "backends/software/image/block.h"
#include "backends/software/image/cube.h"

#include <string.h>

#include "base/bits.h"
#include "base/half.h"
#include "hal/texel.h"

#define BORDER (-1) ///< Coordinate of a texel that is the border.

static const float float_zeros[LANES];

/// One instruction, its rows complete.
struct state {
    const struct wf_sw_view *view;
    const struct wf_sw_sampler *sampler;
    const float *coords[4];
    const int32_t *offset[3];
    const float *dref;
    struct wf_sw_block_cache *cache; ///< Of compressed formats.
    uint32_t border[4];
    uint32_t axes; ///< Filtered coordinates: 1 to 3 (cube: 2).
    bool cube, integer;
};

/// What one lane reads in one level.
struct footprint {
    int32_t at[3][2]; ///< The two texels along each axis, wrapped; BORDER is outside.
    float weight[3];  ///< Of the second.
    uint32_t mip;     ///< Of the image.
    uint32_t slice;   ///< Layer, or first layer of the cube.
    uint32_t face;    ///< Of a cube.
};

// ---- coordinates -------------------------------------------------------------------------------

static int32_t wrap(int32_t i, int32_t size, weft_address_mode mode)
{
    int32_t m;
    switch (mode) {
    case WEFT_ADDRESS_REPEAT:
        m = i % size;
        return m < 0 ? m + size : m;
    case WEFT_ADDRESS_MIRROR_REPEAT:
        m = i % (2 * size);
        m = m < 0 ? m + 2 * size : m;
        return m < size ? m : 2 * size - 1 - m;
    case WEFT_ADDRESS_CLAMP_TO_EDGE:
        return wf_sw_clamp_i32(i, 0, size - 1);
    case WEFT_ADDRESS_CLAMP_TO_BORDER:
        break;
    }
    return i >= 0 && i < size ? i : BORDER;
}

/// The coordinate in texels, brought near the image without changing what it wraps to.
static float scale_coordinate(float u, float size, weft_address_mode mode)
{
    if (mode == WEFT_ADDRESS_REPEAT)
        return wf_sw_fraction(u) * size;
    if (mode == WEFT_ADDRESS_MIRROR_REPEAT)
        return wf_sw_fraction(u * 0.5f) * 2.0f * size;
    return wf_base_clamp_f32(u * size, -0x1p20f, 0x1p20f);
}

/// Texels along one axis, not wrapped yet.
static void find_texels(float x, int32_t offset, bool linear, int32_t at[2], float *weight)
{
    const float shifted = x - (linear ? 0.5f : 0.0f);
    const int32_t i = wf_sw_floor(shifted);
    *weight = linear ? shifted - (float)i : 0.0f;
    at[0] = i + wf_sw_clamp_i32(offset, -0x100000, 0x100000);
    at[1] = at[0] + linear;
}

/// The layer row of a view kind; layers come in sixes for cubes.
static uint32_t find_slice(const struct state *s, uint32_t lane)
{
    const struct wf_sw_view *view = s->view;
    const uint32_t cubes = view->layer_count / 6;
    switch (view->kind) {
    case WEFT_VIEW_1D_ARRAY:
        return view->layer + wf_sw_round_layer(s->coords[1][lane], (float)(view->layer_count - 1));
    case WEFT_VIEW_2D_ARRAY:
        return view->layer + wf_sw_round_layer(s->coords[2][lane], (float)(view->layer_count - 1));
    case WEFT_VIEW_CUBE_ARRAY:
        return view->layer + 6 * wf_sw_round_layer(s->coords[3][lane], (float)(cubes - 1));
    case WEFT_VIEW_3D:
        return 0;
    default:
        return view->layer;
    }
}

static void find_footprint(const struct state *s, uint32_t lane, uint32_t level, bool linear,
                           const int32_t extra[2], struct footprint *out)
{
    const struct wf_sw_mip *mip = &s->view->plane->mips[s->view->mip + level];
    const int32_t sizes[3] = {(int32_t)mip->width, (int32_t)mip->height, (int32_t)mip->depth};
    float point[3] = {s->coords[0][lane], s->coords[1][lane], s->coords[2][lane]};
    memset(out, 0, sizeof *out);
    out->mip = s->view->mip + level;
    out->slice = find_slice(s, lane);
    if (s->cube) {
        const struct wf_sw_cube_face face = wf_sw_cube_face(point[0], point[1], point[2]);
        const float major = wf_sw_cube_major(face, point[0], point[1], point[2]);
        const float side_s = wf_sw_cube_s(face, point[0], point[2]);
        const float side_t = wf_sw_cube_t(face, point[1], point[2]);
        out->face = wf_sw_cube_layer(face);
        point[0] = wf_sw_cube_coordinate(side_s, major);
        point[1] = wf_sw_cube_coordinate(side_t, major);
    }
    for (uint32_t a = 0; a < 3 && a < s->axes; a++) {
        const weft_address_mode mode =
            s->cube ? WEFT_ADDRESS_CLAMP_TO_EDGE : s->sampler->address[a];
        int32_t offset = s->offset[a] ? s->offset[a][lane] : 0;
        if (extra && a < 2)
            offset = extra[a];
        find_texels(scale_coordinate(point[a], (float)sizes[a], mode), offset, linear, out->at[a],
                    &out->weight[a]);
        if (s->cube && linear)
            continue; // neighbours may lie on other faces
        out->at[a][0] = wrap(out->at[a][0], sizes[a], mode);
        out->at[a][1] = wrap(out->at[a][1], sizes[a], mode);
    }
}

// ---- texels ------------------------------------------------------------------------------------

static void load_texel(const struct state *s, uint32_t mip, uint32_t slice, const int32_t at[2],
                       uint32_t out[4])
{
    const struct wf_sw_view *view = s->view;
    if (wf_sw_view_is_compressed(view)) {
        memcpy(out, wf_sw_block_texel(s->cache, view, mip, slice, at), 4 * sizeof *out);
        return;
    }
    const uint8_t *row = wf_sw_image_row(view->image, view->plane, mip, slice, 0, (uint32_t)at[1]);
    wf_hal_texel_decode(view->codec, row + (size_t)(uint32_t)at[0] * view->plane->block_bytes, 1,
                        (uint32_t(*)[4])out);
}

/// Texel `k` of a footprint, the first axis fastest. False where a cube has no such texel.
static bool load_corner(const struct state *s, const struct footprint *f, uint32_t k,
                        uint32_t out[4])
{
    int32_t at[2] = {f->at[0][k & 1], f->at[1][k >> 1 & 1]};
    const int32_t z = f->at[2][k >> 2];
    uint32_t face = f->face;
    if (s->cube) {
        if (!wf_sw_cube_wrap(s->view->plane->mips[f->mip].width, &face, &at[0], &at[1]))
            return false;
        load_texel(s, f->mip, f->slice + face, at, out);
    } else if (at[0] == BORDER || at[1] == BORDER || z == BORDER) {
        memcpy(out, s->border, sizeof s->border);
    } else {
        load_texel(s, f->mip, f->slice + (uint32_t)z, at, out);
    }
    return true;
}

/// The missing texel at a corner of a cube is the average of the three others, or one of them.
static void fill_cube_corner(const struct state *s, uint32_t texels[8][4], uint32_t missing)
{
    if (s->integer) {
        memcpy(texels[missing], texels[missing ^ 1], sizeof texels[0]);
        return;
    }
    for (uint32_t c = 0; c < 4; c++) {
        float sum = 0;
        for (uint32_t k = 0; k < 4; k++)
            if (k != missing)
                sum += wf_base_float_from_bits(texels[k][c]);
        texels[missing][c] = wf_base_float_bits(sum / 3.0f);
    }
}

/// The depth test happens before the filter.
static void compare_texels(const struct state *s, uint32_t lane, uint32_t count,
                           uint32_t texels[8][4])
{
    const float reference = wf_sw_reference(s->view->format, s->dref[lane]);
    for (uint32_t k = 0; k < count; k++) {
        const float depth = wf_base_float_from_bits(texels[k][0]);
        const bool pass = wf_sw_compare(s->sampler->compare, reference, depth);
        texels[k][0] = wf_base_float_bits(pass ? 1.0f : 0.0f);
        texels[k][1] = texels[k][2] = 0;
        texels[k][3] = wf_base_float_bits(1.0f);
    }
}

/// Texels of a footprint, first axis fastest; returns how many there are.
static uint32_t load_footprint(const struct state *s, const struct footprint *f, uint32_t lane,
                               bool linear, uint32_t texels[8][4])
{
    const uint32_t count = linear ? 1u << s->axes : 1;
    uint32_t missing = count;
    for (uint32_t k = 0; k < count; k++)
        if (!load_corner(s, f, k, texels[k]))
            missing = k;
    if (s->dref) // a missing texel is compared before it is made
        compare_texels(s, lane, count, texels);
    if (missing < count)
        fill_cube_corner(s, texels, missing);
    return count;
}

static void filter(const struct footprint *f, uint32_t count, uint32_t texels[8][4], float out[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        float v[8] = {0};
        for (size_t k = 0; k < count; k++)
            v[k] = wf_base_float_from_bits(texels[k][c]);
        for (uint32_t axis = 0, left = count; left > 1; axis++) {
            left /= 2;
            for (size_t k = 0; k < left; k++)
                v[k] = wf_sw_lerp(v[2 * k], v[2 * k + 1], f->weight[axis]);
        }
        out[c] = v[0];
    }
}

static void sample_level(const struct state *s, uint32_t lane, uint32_t level, bool linear,
                         float out[4])
{
    struct footprint f;
    uint32_t texels[8][4] = {{0}};
    find_footprint(s, lane, level, linear, NULL, &f);
    const uint32_t count = load_footprint(s, &f, lane, linear, texels);
    filter(&f, count, texels, out);
}

// ---- instructions ------------------------------------------------------------------------------

static uint32_t swizzle_one(const struct state *s, weft_swizzle swizzle, const uint32_t texel[4])
{
    if (swizzle == WEFT_SWIZZLE_ZERO)
        return 0;
    if (swizzle == WEFT_SWIZZLE_ONE)
        return s->integer ? 1 : wf_base_float_bits(1.0f);
    return texel[swizzle - WEFT_SWIZZLE_R];
}

static void store_lane(const struct state *s, uint32_t lane, const uint32_t texel[4],
                       uint32_t out[4][LANES])
{
    for (uint32_t c = 0; c < 4; c++)
        out[c][lane] = s->dref ? texel[c] : swizzle_one(s, s->view->swizzle[c], texel);
}

static void sample_lane(const struct state *s, const struct wf_sw_levels *levels, uint32_t lane,
                        uint32_t out[4][LANES])
{
    const uint32_t level = levels->first[lane];
    const bool linear = levels->linear[lane] && !s->integer;
    uint32_t result[4];
    if (s->integer) {
        struct footprint f;
        find_footprint(s, lane, level, false, NULL, &f);
        uint32_t texels[8][4] = {{0}};
        load_footprint(s, &f, lane, false, texels);
        memcpy(result, texels[0], sizeof result);
    } else {
        float near[4], far[4];
        sample_level(s, lane, level, linear, near);
        if (levels->toward[lane] != 0.0f) {
            sample_level(s, lane, level + 1, linear, far);
            for (uint32_t c = 0; c < 4; c++)
                near[c] = wf_sw_lerp(near[c], far[c], levels->toward[lane]);
        }
        memcpy(result, near, sizeof result);
    }
    store_lane(s, lane, result, out);
}

static const uint8_t gather_order[4] = {2, 3, 1, 0}; ///< (0, 1), (1, 1), (1, 0), (0, 0)

static void gather_lane(const struct state *s, const struct wf_sw_sample_args *args, uint32_t lane,
                        uint32_t out[4][LANES])
{
    const weft_swizzle swizzle = s->dref ? WEFT_SWIZZLE_R : s->view->swizzle[args->component & 3];
    struct footprint f;
    uint32_t texels[8][4] = {{0}};
    if (args->gather_offsets && !s->cube) {
        for (uint32_t k = 0; k < 4; k++) {
            find_footprint(s, lane, 0, true, args->gather_offsets[k], &f);
            load_footprint(s, &f, lane, true, texels);
            out[k][lane] = swizzle_one(s, swizzle, texels[0]);
        }
        return;
    }
    find_footprint(s, lane, 0, true, NULL, &f);
    load_footprint(s, &f, lane, true, texels);
    for (uint32_t k = 0; k < 4; k++)
        out[k][lane] = swizzle_one(s, swizzle, texels[gather_order[k]]);
}

/// The border as a texel of the view's format: what the format lacks is 0, 0, 1.
static void init_border(struct state *s)
{
    const uint32_t one = s->integer ? 1 : wf_base_float_bits(1.0f);
    const weft_border_color color = s->sampler->border;
    for (uint32_t c = 0; c < 4; c++) {
        const bool there = s->view->codec->components > c;
        const bool set = c == 3 ? !there || color != WEFT_BORDER_TRANSPARENT_BLACK
                                : there && color == WEFT_BORDER_OPAQUE_WHITE;
        s->border[c] = set ? one : 0;
    }
}

static void init_state(struct state *s, const struct wf_sw_view *view,
                       const struct wf_sw_sampler *sampler, const struct wf_sw_sample_args *args,
                       struct wf_sw_block_cache *cache)
{
    *s = (struct state){.view = view, .sampler = sampler, .dref = args->dref, .cache = cache};
    wf_sw_block_cache_init(cache);
    for (uint32_t c = 0; c < 4; c++)
        s->coords[c] = args->coords[c] ? args->coords[c] : float_zeros;
    s->cube = view->kind == WEFT_VIEW_CUBE || view->kind == WEFT_VIEW_CUBE_ARRAY;
    s->integer = wf_hal_texel_is_integer(view->codec);
    s->axes = view->kind == WEFT_VIEW_3D                                       ? 3
              : view->kind == WEFT_VIEW_1D || view->kind == WEFT_VIEW_1D_ARRAY ? 1
                                                                               : 2;
    if (!s->cube)
        memcpy(s->offset, args->offset, sizeof s->offset);
    if (s->integer)
        s->dref = NULL;
    init_border(s);
}

static void write_zeros(uint64_t mask, uint32_t out[4][LANES])
{
    for (uint64_t rest = mask; rest; rest &= rest - 1)
        for (uint32_t c = 0; c < 4; c++)
            out[c][wf_base_ctz64(rest)] = 0;
}

void wf_sw_sample_general(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                          const struct wf_sw_sample_args *args, const struct wf_sw_levels *levels,
                          uint64_t mask, uint32_t out[4][LANES])
{
    struct wf_sw_block_cache cache;
    struct state s;
    init_state(&s, view, sampler, args, &cache);
    for (uint64_t rest = mask; rest; rest &= rest - 1)
        sample_lane(&s, levels, wf_base_ctz64(rest), out);
}

static void gather(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                   const struct wf_sw_sample_args *args, uint64_t mask, uint32_t out[4][LANES])
{
    struct wf_sw_block_cache cache;
    struct state s;
    init_state(&s, view, sampler, args, &cache);
    for (uint64_t rest = mask; rest; rest &= rest - 1)
        gather_lane(&s, args, wf_base_ctz64(rest), out);
}

/// One place for each lane, at levels that are known.
static void sample_once(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                        const struct wf_sw_sample_args *args, const struct wf_sw_levels *levels,
                        uint64_t mask, uint32_t out[4][LANES])
{
    const bool offset = args->offset[0] || args->offset[1] || args->offset[2];
    const bool fits =
        view->path == WF_SW_VIEW_CODED || (view->path != WF_SW_VIEW_GENERAL && !args->dref);
    if (fits && sampler->path && !offset)
        wf_sw_sample_2d(view, sampler, args, levels, mask, out);
    else
        wf_sw_sample_general(view, sampler, args, levels, mask, out);
}

/// How coordinate `c` of a lane changes along the longer side of its footprint.
static float change_of(const struct wf_sw_sample_args *args, const struct wf_sw_probes *probes,
                       uint32_t c, uint32_t lane)
{
    const bool along_x = probes->along_x[lane];
    if (args->mode == WF_SW_LOD_GRADIENT) {
        const float *row = along_x ? args->ddx[c] : args->ddy[c];
        return row ? row[lane] : 0.0f;
    }
    const float *quad = args->coords[c] + (lane & ~3u);
    return quad[along_x ? 1 : 2] - quad[0];
}

/// Lanes that sample `number` times or more, from 1 on.
static uint64_t lanes_with(const struct wf_sw_probes *probes, uint64_t mask, uint32_t number)
{
    uint64_t with = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = wf_base_ctz64(rest);
        with |= (uint64_t)(probes->count[i] >= number) << i;
    }
    return with;
}

/// Coordinates of probe `number`: of N, at -1/2 + number / (N + 1) along the longer side.
static void move_to_probe(const struct wf_sw_sample_args *args, const struct wf_sw_probes *probes,
                          uint32_t number, uint32_t axes, float moved[3][LANES])
{
    for (uint32_t c = 0; c < axes; c++) {
        for (uint32_t i = 0; args->coords[c] && i < LANES; i++) {
            const uint32_t count = probes->count[i];
            const float at = (float)number / (float)(count + 1) - 0.5f;
            moved[c][i] = args->coords[c][i];
            if (count > 1)
                moved[c][i] += at * change_of(args, probes, c, i);
        }
    }
}

/// The average of a row of probes along the longer side of each lane's footprint.
static void sample_probes(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                          const struct wf_sw_sample_args *args, const struct wf_sw_levels *levels,
                          uint64_t mask, uint32_t out[4][LANES])
{
    const struct wf_sw_probes *probes = &levels->probes;
    const uint64_t many = lanes_with(probes, mask, 2);
    float sum[4][LANES] = {{0}}, moved[3][LANES];
    struct wf_sw_sample_args each = *args;
    const uint32_t axes = wf_sw_coordinate_count(view->kind);
    for (uint32_t c = 0; c < axes; c++)
        each.coords[c] = args->coords[c] ? moved[c] : NULL;
    if (mask & ~many)
        sample_once(view, sampler, args, levels, mask & ~many, out);
    uint64_t left = many;
    for (uint32_t number = 1; left; left = lanes_with(probes, many, ++number)) {
        uint32_t one[4][LANES];
        move_to_probe(args, probes, number, axes, moved);
        sample_once(view, sampler, &each, levels, left, one);
        for (uint64_t rest = left; rest; rest &= rest - 1)
            for (uint32_t c = 0, i = wf_base_ctz64(rest); c < 4; c++)
                sum[c][i] += wf_base_float_from_bits(one[c][i]);
    }
    for (uint64_t rest = many; rest; rest &= rest - 1)
        for (uint32_t c = 0, i = wf_base_ctz64(rest); c < 4; c++)
            out[c][i] = wf_base_float_bits(sum[c][i] / (float)probes->count[i]);
}

void wf_sw_image_sample(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                        const struct wf_sw_sample_args *args, uint64_t mask,
                        uint32_t out[4][WF_SW_IMAGE_LANES])
{
    if (!view->codec || !view->image->memory) {
        write_zeros(mask, out);
        return;
    }
    if (args->gather) {
        gather(view, sampler, args, mask, out);
        return;
    }
    struct wf_sw_levels levels;
    wf_sw_levels_choose(view, sampler, args, &levels);
    if (wf_sw_anisotropic(view, sampler, args))
        sample_probes(view, sampler, args, &levels, mask, out);
    else
        sample_once(view, sampler, args, &levels, mask, out);
}
