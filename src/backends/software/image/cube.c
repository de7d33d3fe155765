// Cube maps: faces by the table of the Vulkan specification ("Cube Map Face Selection").
#include "backends/software/image/sample.h"

#include "base/bits.h"

/// Face axes: which component of the vector is s, t and the major one, and their signs.
static const struct face {
    uint8_t s, t, major;
    int8_t s_sign, t_sign, major_sign;
} faces[6] = {
    {2, 1, 0, -1, -1, +1}, {2, 1, 0, +1, -1, -1}, {0, 2, 1, +1, +1, +1},
    {0, 2, 1, +1, -1, -1}, {0, 1, 2, +1, -1, +1}, {0, 1, 2, -1, -1, -1},
};

static float magnitude(float x)
{
    return x < 0 ? -x : x;
}

struct wf_sw_cube_point wf_sw_cube_project(const float r[3])
{
    const float x = magnitude(r[0]), y = magnitude(r[1]), z = magnitude(r[2]);
    const uint32_t major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    const uint32_t face = 2 * major + (r[major] < 0);
    const struct face *f = &faces[face];
    const float length = magnitude(r[major]);
    if (!(length > 0))
        return (struct wf_sw_cube_point){face, 0.5f, 0.5f};
    // Ratios lie in -1..1, or are NaN for infinite vectors: those clamp to 0.
    const float s = 0.5f * ((float)f->s_sign * r[f->s] / length) + 0.5f;
    const float t = 0.5f * ((float)f->t_sign * r[f->t] / length) + 0.5f;
    return (struct wf_sw_cube_point){face, wf_base_clamp_f32(s, 0.0f, 1.0f),
                                     wf_base_clamp_f32(t, 0.0f, 1.0f)};
}

void wf_sw_cube_derivative(uint32_t face, const float r[3], const float d[3], float out[2])
{
    const struct face *f = &faces[face];
    const float length = magnitude(r[f->major]);
    const float d_length = (float)f->major_sign * d[f->major];
    const float scale = 0.5f / (length * length);
    out[0] = (float)f->s_sign * (length * d[f->s] - r[f->s] * d_length) * scale;
    out[1] = (float)f->t_sign * (length * d[f->t] - r[f->t] * d_length) * scale;
}

bool wf_sw_cube_wrap(uint32_t n, uint32_t *face, int32_t *x, int32_t *y)
{
    const int32_t side = (int32_t)n;
    const bool x_out = *x < 0 || *x >= side, y_out = *y < 0 || *y >= side;
    if (x_out && y_out)
        return false;
    if (!x_out && !y_out)
        return true;
    // Positions in a cube from -n to n, where the middles of texels on a face are whole numbers.
    const struct face *f = &faces[*face];
    int32_t p[3];
    p[f->s] = f->s_sign * (2 * *x + 1 - side);
    p[f->t] = f->t_sign * (2 * *y + 1 - side);
    // The texel next to the edge lies on the other face in the row nearest to this one.
    p[f->major] = f->major_sign * (side - 1);
    const uint32_t major = x_out ? f->s : f->t;
    const uint32_t next = 2 * major + (p[major] < 0);
    const struct face *g = &faces[next];
    *face = next;
    *x = (g->s_sign * p[g->s] + side - 1) / 2;
    *y = (g->t_sign * p[g->t] + side - 1) / 2;
    return true;
}
