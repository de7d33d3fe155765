/// \file vec.h
/// Vectors and matrices of floats. Matrices are column-major and multiply column vectors.
#pragma once

#include <math.h>
#include <stdbool.h>

struct vec3 {
    float x, y, z;
};

struct mat4 {
    float m[16];
};

#define VEC_PI 3.14159265358979f

static inline struct vec3 vec_add(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vec3 vec_sub(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vec3 vec_scale(struct vec3 a, float s)
{
    return (struct vec3){a.x * s, a.y * s, a.z * s};
}

static inline float vec_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec_cross(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec_length(struct vec3 a)
{
    return sqrtf(vec_dot(a, a));
}

/// The zero vector stays as it is.
static inline struct vec3 vec_normalize(struct vec3 a)
{
    const float length = vec_length(a);
    return length > 0 ? vec_scale(a, 1 / length) : a;
}

static inline bool vec_is_finite(struct vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline struct mat4 mat_identity(void)
{
    return (struct mat4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

static inline struct mat4 mat_multiply(const struct mat4 *a, const struct mat4 *b)
{
    struct mat4 out;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            float sum = 0;
            for (int i = 0; i < 4; i++)
                sum += a->m[4 * i + row] * b->m[4 * column + i];
            out.m[4 * column + row] = sum;
        }
    return out;
}

/// A point through an affine matrix.
static inline struct vec3 mat_point(const struct mat4 *a, struct vec3 p)
{
    const float *m = a->m;
    return (struct vec3){m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12],
                         m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                         m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

/// Column 0 to 3 without its last element.
static inline struct vec3 mat_column(const struct mat4 *a, int column)
{
    const float *m = a->m + 4 * column;
    return (struct vec3){m[0], m[1], m[2]};
}

/// Determinant of the upper left 3×3 part: negative if the matrix mirrors.
static inline float mat_determinant3(const struct mat4 *a)
{
    return vec_dot(mat_column(a, 0), vec_cross(mat_column(a, 1), mat_column(a, 2)));
}

static inline bool mat_is_finite(const struct mat4 *a)
{
    for (int i = 0; i < 16; i++)
        if (!isfinite(a->m[i]))
            return false;
    return true;
}

/// Translation · rotation (unit quaternion x, y, z, w) · scale.
static inline struct mat4 mat_from_trs(const float t[3], const float q[4], const float s[3])
{
    const float x = q[0], y = q[1], z = q[2], w = q[3];
    return (struct mat4){{(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0],
                          2 * (x * z - y * w) * s[0], 0, 2 * (x * y - z * w) * s[1],
                          (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
                          2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2],
                          (1 - 2 * (x * x + y * y)) * s[2], 0, t[0], t[1], t[2], 1}};
}

/// World to view for a camera at `eye` with these unit axes; it looks along -back.
static inline struct mat4 mat_view(struct vec3 eye, struct vec3 right, struct vec3 up,
                                   struct vec3 back)
{
    return (struct mat4){{right.x, up.x, back.x, 0, right.y, up.y, back.y, 0, right.z, up.z, back.z,
                          0, -vec_dot(right, eye), -vec_dot(up, eye), -vec_dot(back, eye), 1}};
}

/// Perspective to Weft's clip space (y up, z 0 to 1). `tan_y` is the tangent of half the vertical
/// field of view.
static inline struct mat4 mat_perspective(float tan_y, float aspect, float near, float far)
{
    const float depth = far / (near - far);
    return (struct mat4){{1 / (tan_y * aspect), 0, 0, 0, 0, 1 / tan_y, 0, 0, 0, 0, depth, -1, 0, 0,
                          near * depth, 0}};
}

/// Orthographic likewise; `half_y` is half the height.
static inline struct mat4 mat_orthographic(float half_y, float aspect, float near, float far)
{
    const float depth = 1 / (near - far);
    return (struct mat4){{1 / (half_y * aspect), 0, 0, 0, 0, 1 / half_y, 0, 0, 0, 0, depth, 0, 0, 0,
                          near * depth, 1}};
}
