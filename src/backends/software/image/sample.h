/// What the files of sampling share; private to image/.
#ifndef WF_SW_IMAGE_SAMPLE_H
#define WF_SW_IMAGE_SAMPLE_H

#include "backends/software/image/image.h"
#include "base/half.h"
#include "hal/texel.h"

#define LANES WF_SW_IMAGE_LANES

/// Largest magnitude of sampler and shader bias together.
#define WF_SW_MAX_LOD_BIAS 16.0f

/// Values of wf_sw_view.path: how sample_2d.c reads the format.
enum wf_sw_view_path {
    WF_SW_VIEW_GENERAL = 0,
    WF_SW_VIEW_RGBA8,
    WF_SW_VIEW_RGBA8_SRGB,
    WF_SW_VIEW_BGRA8,
    WF_SW_VIEW_BGRA8_SRGB,
    WF_SW_VIEW_CODED, ///< Any other plain format that is not made of integers, through its codec.
};

uint8_t wf_sw_view_path(const struct wf_sw_view *view);
/// Whether the sampler fits the loops of sample_2d.c (no border).
uint8_t wf_sw_sampler_path(const struct wf_sw_sampler *sampler);

/// Where in its footprint each lane samples. Only with anisotropy.
struct wf_sw_probes {
    uint8_t count[LANES];
    bool along_x[LANES]; ///< The footprint is longer along x of the screen; otherwise along y.
};

/// Which levels each lane filters.
struct wf_sw_levels {
    uint32_t first[LANES]; ///< Relative to the view.
    float toward[LANES];   ///< Weight of level first + 1; 0: that level is not read.
    uint8_t linear[LANES]; ///< Filter inside a level: 0 nearest, 1 linear.
    struct wf_sw_probes probes;
};

/// Coordinates of a view, without the layer.
static inline uint32_t wf_sw_coordinate_count(weft_view_kind kind)
{
    switch (kind) {
    case WEFT_VIEW_1D:
    case WEFT_VIEW_1D_ARRAY:
        return 1;
    case WEFT_VIEW_2D:
    case WEFT_VIEW_2D_ARRAY:
        return 2;
    case WEFT_VIEW_3D:
    case WEFT_VIEW_CUBE:
    case WEFT_VIEW_CUBE_ARRAY:
    case WEFT_VIEW_DEFAULT:
        break;
    }
    return 3;
}

/// Whether more than one place may be sampled: the footprint is known, and numbers can be averaged.
static inline bool wf_sw_anisotropic(const struct wf_sw_view *view,
                                     const struct wf_sw_sampler *sampler,
                                     const struct wf_sw_sample_args *args)
{
    return sampler->anisotropy > 1.0f && args->mode != WF_SW_LOD_EXPLICIT &&
           !wf_hal_texel_is_integer(view->codec);
}

/// Levels for a sample instruction. Lanes outside of any mask get levels too.
void wf_sw_levels_choose(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                         const struct wf_sw_sample_args *args, struct wf_sw_levels *out);

/// Any view, any sampler, one lane after the other.
void wf_sw_sample_general(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                          const struct wf_sw_sample_args *args, const struct wf_sw_levels *levels,
                          uint64_t mask, uint32_t out[4][LANES]);
/// 2D, 2D array and cube views whose path is not GENERAL; samplers without a border. Comparisons
/// only for CODED views.
void wf_sw_sample_2d(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                     const struct wf_sw_sample_args *args, const struct wf_sw_levels *levels,
                     uint64_t mask, uint32_t out[4][LANES]);

/// floor() for |x| < 2^31, without a call and without the rounding mode.
static inline int32_t wf_sw_floor(float x)
{
    const int32_t i = (int32_t)x;
    return i - (x < (float)i);
}

/// The fraction of `u` in 0 to just below 1; 0 for NaN, infinities and whole numbers.
static inline float wf_sw_fraction(float u)
{
    // Without a branch, so that loops stay loops of vectors.
    const uint32_t bits = wf_base_float_bits(u), tame = (bits & 0x7fffffffu) < 0x4b000000u;
    const float safe = wf_base_float_from_bits(bits & (0 - tame));
    const float f = safe - (float)wf_sw_floor(safe);
    return f < 0x1.fffffep-1f ? f : 0x1.fffffep-1f;
}

/// `a` at weight 0 and exact where both are equal.
static inline float wf_sw_lerp(float a, float b, float weight)
{
    return a + (b - a) * weight;
}

/// The nearest layer, ties to even (adding 2^23 rounds), 0 to `last`.
static inline uint32_t wf_sw_round_layer(float layer, float last)
{
    const float above = layer > 0.0f ? layer : 0.0f;
    const float clamped = above < last ? above : last;
    return (uint32_t)(int32_t)(clamped + 0x1p23f - 0x1p23f);
}

/// Whether a comparison sampler's test passes.
static inline bool wf_sw_compare(weft_compare op, float reference, float texel)
{
    switch (op) {
    case WEFT_COMPARE_DEFAULT:
    case WEFT_COMPARE_NEVER:
        break;
    case WEFT_COMPARE_LESS:
        return reference < texel;
    case WEFT_COMPARE_EQUAL:
        return reference == texel;
    case WEFT_COMPARE_LESS_EQUAL:
        return reference <= texel;
    case WEFT_COMPARE_GREATER:
        return reference > texel;
    case WEFT_COMPARE_NOT_EQUAL:
        return reference != texel;
    case WEFT_COMPARE_GREATER_EQUAL:
        return reference >= texel;
    case WEFT_COMPARE_ALWAYS:
        return true;
    }
    return false;
}

/// What a reference is compared as: fixed-point depth takes it clamped.
static inline float wf_sw_reference(weft_format format, float reference)
{
    if (format == WEFT_FORMAT_D32_FLOAT)
        return reference;
    return reference > 0.0f ? reference < 1.0f ? reference : 1.0f : 0.0f;
}

static inline int32_t wf_sw_clamp_i32(int32_t i, int32_t lo, int32_t hi)
{
    return i < lo ? lo : i > hi ? hi : i;
}

#endif
