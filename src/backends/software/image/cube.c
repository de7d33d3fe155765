#include "backends/software/image/cube.h"

/// Face axes: which component of the vector is s, t and the major one, and their signs.
static const struct face {
    uint8_t s, t, major;
    int8_t s_sign, t_sign, major_sign;
} faces[6] = {
    {2, 1, 0, -1, -1, +1}, {2, 1, 0, +1, -1, -1}, {0, 2, 1, +1, +1, +1},
    {0, 2, 1, +1, -1, -1}, {0, 1, 2, +1, -1, +1}, {0, 1, 2, -1, -1, -1},
};

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
