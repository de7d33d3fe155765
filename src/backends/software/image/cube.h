/// Cube maps: faces by the table of the Vulkan specification ("Cube Map Face Selection"); private
/// to image/. Written without branches, so that loops over lanes become vector code.
#ifndef WF_SW_IMAGE_CUBE_H
#define WF_SW_IMAGE_CUBE_H

#include "base/bits.h"

/// Which face a vector hits. NaN and null vectors hit one too.
struct wf_sw_cube_face {
    uint32_t is_y, is_z; ///< The major axis; neither: x.
    float sign;          ///< Of the component along it.
};

static inline struct wf_sw_cube_face wf_sw_cube_face(float x, float y, float z)
{
    const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
    const uint32_t is_z = (uint32_t)(az >= ax) & (uint32_t)(az >= ay);
    const uint32_t is_y = (uint32_t)(ay >= ax) & (is_z ^ 1);
    const float major = is_z ? z : is_y ? y : x;
    return (struct wf_sw_cube_face){is_y, is_z, major < 0 ? -1.0f : 1.0f};
}

/// The layer of a face.
static inline uint32_t wf_sw_cube_layer(struct wf_sw_cube_face f)
{
    return 4 * f.is_z + 2 * f.is_y + (uint32_t)(f.sign < 0);
}

/// A vector in the axes of a face: s, t and outwards.
static inline float wf_sw_cube_s(struct wf_sw_cube_face f, float x, float z)
{
    return f.is_z ? f.sign * x : f.is_y ? x : -f.sign * z;
}

static inline float wf_sw_cube_t(struct wf_sw_cube_face f, float y, float z)
{
    return f.is_y ? f.sign * z : -y;
}

static inline float wf_sw_cube_major(struct wf_sw_cube_face f, float x, float y, float z)
{
    return f.sign * (f.is_z ? z : f.is_y ? y : x);
}

/// A face coordinate, 0 to 1; the middle for null vectors, 0 for NaN.
static inline float wf_sw_cube_coordinate(float side, float major)
{
    const float ratio = side / (major > 0 ? major : 1.0f);
    return wf_base_clamp_f32(0.5f * ratio + 0.5f, 0.0f, 1.0f);
}

/// Where texel (x, y) of `face` really lies when x or y is one off its edge, n × n texels. False
/// for the corner of a cube, where there is no such texel.
bool wf_sw_cube_wrap(uint32_t n, uint32_t *face, int32_t *x, int32_t *y);

#endif
