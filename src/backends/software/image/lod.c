// The level of detail: Vulkan specification, "Scale Factor Operation, LOD Operation and Image Level
// Selection".
#include "backends/software/image/cube.h"
#include "backends/software/image/sample.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/half.h"

/// log2 of a positive normal float, within 3e-7 or 2 units in the last place: the exponent, and the
/// series of the inverse hyperbolic tangent for the rest.
static inline float log2_approx(float x)
{
    const uint32_t bits = wf_base_float_bits(x);
    const uint32_t shifted = bits - 0x3f3504f3u; // sqrt(1/2)
    const int32_t exponent = (int32_t)shifted >> 23;
    const float m = wf_base_float_from_bits((shifted & 0x7fffffu) + 0x3f3504f3u);
    const float s = (m - 1.0f) / (m + 1.0f), q = s * s;
    const float series =
        2.885390082f + q * (0.9617966939f + q * (0.5770780164f + q * 0.4121985831f));
    return (float)exponent + s * series;
}

/// Half the log2 of a squared length; NaN and 0 give about -63, infinity about 64.
static inline float half_log2(float squared)
{
    return 0.5f * log2_approx(wf_base_clamp_f32(squared, FLT_MIN, FLT_MAX));
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static const float zeros[LANES];

static const float *row_or_zeros(const float *row)
{
    return row ? row : zeros;
}

static bool is_cube(weft_view_kind kind)
{
    return kind == WEFT_VIEW_CUBE || kind == WEFT_VIEW_CUBE_ARRAY;
}

enum { QUADS = LANES / 4 };

/// Adds squares of one coordinate's change per pixel, in texels, once per quad.
static void add_implicit(const float *row, float size, float x2[QUADS], float y2[QUADS])
{
    for (size_t q = 0; q < QUADS; q++) {
        const float dx = (row[4 * q + 1] - row[4 * q]) * size;
        const float dy = (row[4 * q + 2] - row[4 * q]) * size;
        x2[q] += dx * dx;
        y2[q] += dy * dy;
    }
}

static void add_gradient(const float *ddx, const float *ddy, float size, float x2[LANES],
                         float y2[LANES])
{
    for (uint32_t i = 0; i < LANES; i++) {
        const float dx = ddx[i] * size, dy = ddy[i] * size;
        x2[i] += dx * dx;
        y2[i] += dy * dy;
    }
}

/// How the vectors of a cube change along one direction of the screen.
struct cube_change {
    float d[3][LANES];
};

static void fill_cube_change(const struct wf_sw_sample_args *args, const float *const given[3],
                             uint32_t neighbour, struct cube_change *out)
{
    for (uint32_t c = 0; c < 3; c++) {
        const float *row = row_or_zeros(args->coords[c]);
        const float *gradient = row_or_zeros(given[c]);
        if (args->mode == WF_SW_LOD_GRADIENT)
            memcpy(out->d[c], gradient, sizeof out->d[c]);
        else
            for (size_t i = 0; i < LANES; i++)
                out->d[c][i] = row[(i & ~(size_t)3) + neighbour] - row[i & ~(size_t)3];
    }
}

/// Squared lengths of the derivatives of s and t, by the quotient rule.
static void add_cube(const struct wf_sw_sample_args *args, const struct cube_change *change,
                     float size, float out[LANES])
{
    const float *rx = row_or_zeros(args->coords[0]), *ry = row_or_zeros(args->coords[1]);
    const float *rz = row_or_zeros(args->coords[2]);
    const float *dx = change->d[0], *dy = change->d[1], *dz = change->d[2];
    for (uint32_t i = 0; i < LANES; i++) {
        const struct wf_sw_cube_face f = wf_sw_cube_face(rx[i], ry[i], rz[i]);
        const float major = wf_sw_cube_major(f, rx[i], ry[i], rz[i]);
        const float d_major = wf_sw_cube_major(f, dx[i], dy[i], dz[i]);
        const float scale = 0.5f * size / (major * major);
        const float s =
            (major * wf_sw_cube_s(f, dx[i], dz[i]) - wf_sw_cube_s(f, rx[i], rz[i]) * d_major) *
            scale;
        const float t =
            (major * wf_sw_cube_t(f, dy[i], dz[i]) - wf_sw_cube_t(f, ry[i], rz[i]) * d_major) *
            scale;
        out[i] = s * s + t * t;
    }
}

/// Squared lengths of the footprint's sides along x and y, in texels of the base level.
struct sides {
    float x2[LANES], y2[LANES];
};

static void find_sides(const struct wf_sw_view *view, const struct wf_sw_sample_args *args,
                       const float sizes[3], struct sides *out)
{
    memset(out, 0, sizeof *out);
    if (is_cube(view->kind)) {
        struct cube_change change;
        fill_cube_change(args, args->ddx, 1, &change);
        add_cube(args, &change, sizes[0], out->x2);
        fill_cube_change(args, args->ddy, 2, &change);
        add_cube(args, &change, sizes[0], out->y2);
        return;
    }
    const uint32_t count = wf_sw_coordinate_count(view->kind);
    if (args->mode == WF_SW_LOD_GRADIENT) {
        for (uint32_t c = 0; c < count; c++)
            add_gradient(row_or_zeros(args->ddx[c]), row_or_zeros(args->ddy[c]), sizes[c], out->x2,
                         out->y2);
        return;
    }
    float x2[QUADS] = {0}, y2[QUADS] = {0};
    for (uint32_t c = 0; c < count; c++)
        add_implicit(row_or_zeros(args->coords[c]), sizes[c], x2, y2);
    for (uint32_t i = 0; i < LANES; i++) {
        out->x2[i] = x2[i / 4];
        out->y2[i] = y2[i / 4];
    }
}

/// How often to sample along the longer side, and how much finer a level that leaves: log2 of eta.
static float choose_probes(const struct sides *s, uint32_t lane, float most, uint8_t *count)
{
    const float x2 = s->x2[lane], y2 = s->y2[lane];
    const float longer = larger(x2, y2), shorter = longer == x2 ? y2 : x2;
    *count = 1;
    // Sides that differ in rounding only are equal: that they are is not to be seen.
    if (!(longer > 0.0f) || !(longer * 0.9995f > shorter))
        return 0.0f;
    const float ratio = sqrtf(longer / shorter);
    const float eta = ratio < most ? ratio : most;
    *count = (uint8_t)ceilf(eta * 0.9998f);
    return ratio < most ? half_log2(longer) - half_log2(shorter) : log2_approx(most);
}

static void derive_from_quads(const struct wf_sw_view *view, const struct wf_sw_sample_args *args,
                              const float sizes[3], float lod[LANES])
{
    float x2[QUADS] = {0}, y2[QUADS] = {0};
    for (uint32_t c = 0; c < wf_sw_coordinate_count(view->kind); c++)
        add_implicit(row_or_zeros(args->coords[c]), sizes[c], x2, y2);
    for (uint32_t q = 0; q < QUADS; q++)
        x2[q] = half_log2(larger(x2[q], y2[q]));
    for (uint32_t i = 0; i < LANES; i++)
        lod[i] = x2[i / 4];
}

/// The level from derivatives, before any bias; with anisotropy, also the probes.
static void derive_lod(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                       const struct wf_sw_sample_args *args, float lod[LANES],
                       struct wf_sw_probes *probes)
{
    const struct wf_sw_mip *mip = &view->plane->mips[view->mip];
    const float sizes[3] = {(float)mip->width, (float)mip->height, (float)mip->depth};
    if (!is_cube(view->kind) && args->mode == WF_SW_LOD_IMPLICIT && sampler->anisotropy <= 1.0f) {
        derive_from_quads(view, args, sizes, lod);
        return;
    }
    struct sides sides;
    find_sides(view, args, sizes, &sides);
    for (uint32_t i = 0; i < LANES; i++)
        lod[i] = half_log2(larger(sides.x2[i], sides.y2[i]));
    if (!wf_sw_anisotropic(view, sampler, args))
        return;
    for (uint32_t i = 0; i < LANES; i++) {
        lod[i] -= choose_probes(&sides, i, sampler->anisotropy, &probes->count[i]);
        probes->along_x[i] = sides.x2[i] > sides.y2[i];
    }
}

/// Level with bias, clamped by the sampler and by MinLod.
static void clamp_lod(const struct wf_sw_sampler *sampler, const struct wf_sw_sample_args *args,
                      float lod[LANES])
{
    const float *bias = row_or_zeros(args->mode == WF_SW_LOD_IMPLICIT ? args->lod : NULL);
    for (uint32_t i = 0; i < LANES; i++) {
        const float b =
            wf_base_clamp_f32(sampler->lod_bias + bias[i], -WF_SW_MAX_LOD_BIAS, WF_SW_MAX_LOD_BIAS);
        lod[i] = wf_base_clamp_f32(lod[i] + b, sampler->lod_min, sampler->lod_max);
    }
    if (args->lod_min)
        for (uint32_t i = 0; i < LANES; i++)
            lod[i] = larger(args->lod_min[i], lod[i]);
}

static void base_lod(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                     const struct wf_sw_sample_args *args, float lod[LANES],
                     struct wf_sw_probes *probes)
{
    if (args->mode == WF_SW_LOD_EXPLICIT)
        memcpy(lod, row_or_zeros(args->lod), LANES * sizeof *lod);
    else
        derive_lod(view, sampler, args, lod, probes);
}

/// The first level for all lanes, whatever their level of detail.
static bool has_one_level(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                          const struct wf_sw_sample_args *args)
{
    const bool base = sampler->lod_max <= 0.0f && sampler->lod_min <= 0.0f && !args->lod_min;
    return (view->mip_count == 1 || base) && sampler->mag == sampler->min &&
           !wf_sw_anisotropic(view, sampler, args);
}

void wf_sw_levels_choose(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                         const struct wf_sw_sample_args *args, struct wf_sw_levels *out)
{
    const uint8_t mag = sampler->mag == WEFT_FILTER_LINEAR;
    const uint8_t min = sampler->min == WEFT_FILTER_LINEAR;
    memset(out->linear, mag, sizeof out->linear);
    if (has_one_level(view, sampler, args)) {
        memset(out->first, 0, sizeof out->first);
        memset(out->toward, 0, sizeof out->toward);
        return;
    }
    float lod[LANES];
    base_lod(view, sampler, args, lod, &out->probes);
    clamp_lod(sampler, args, lod);
    if (min != mag)
        for (uint32_t i = 0; i < LANES; i++)
            out->linear[i] = lod[i] > 0.0f ? min : mag;
    const float last = (float)(view->mip_count - 1);
    const bool blend = sampler->mip == WEFT_FILTER_LINEAR;
    for (uint32_t i = 0; i < LANES; i++) {
        const float level = wf_base_clamp_f32(lod[i], 0.0f, last);
        const int32_t down = (int32_t)level;
        const float rest = level - (float)down;
        // ceil(level + 0.5) - 1 rounds halves down.
        out->first[i] = (uint32_t)(down + (!blend && rest > 0.5f));
        out->toward[i] = blend ? rest : 0.0f;
    }
}

void wf_sw_image_query_lod(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                           const struct wf_sw_sample_args *args, uint64_t mask,
                           float out[2][WF_SW_IMAGE_LANES])
{
    const struct wf_sw_sample_args implicit = {
        .coords = {args->coords[0], args->coords[1], args->coords[2], args->coords[3]}};
    const float last = (float)(view->mip_count - 1);
    float lod[LANES];
    struct wf_sw_probes probes;
    derive_lod(view, sampler, &implicit, lod, &probes);
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = wf_base_ctz64(rest);
        const float bias =
            wf_base_clamp_f32(sampler->lod_bias, -WF_SW_MAX_LOD_BIAS, WF_SW_MAX_LOD_BIAS);
        out[1][i] = lod[i] + bias;
        float level = wf_base_clamp_f32(out[1][i], sampler->lod_min, sampler->lod_max);
        level = wf_base_clamp_f32(level, 0.0f, last);
        if (sampler->mip == WEFT_FILTER_NEAREST) {
            const float down = (float)(int32_t)level;
            level = down + (level - down > 0.5f ? 1.0f : 0.0f);
        }
        out[0][i] = level;
    }
}
