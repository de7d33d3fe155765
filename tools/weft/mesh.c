#include "mesh.h"

#include "vec.h"

#include <stdlib.h>

bool mesh_create_grid(uint32_t columns, uint32_t rows, mesh_place *place, void *user,
                      struct mesh *out)
{
    *out = (struct mesh){.vertex_count = (columns + 1) * (rows + 1),
                         .index_count = columns * rows * 6};
    out->vertices = calloc(out->vertex_count, sizeof *out->vertices);
    out->indices = calloc(out->index_count, sizeof *out->indices);
    if (!out->vertices || !out->indices) {
        mesh_finish(out);
        return false;
    }
    for (uint32_t i = 0; i < out->vertex_count; i++) {
        struct mesh_vertex *vertex = &out->vertices[i];
        const uint32_t column = i % (columns + 1), row = i / (columns + 1);
        vertex->uv[0] = (float)column / (float)columns;
        vertex->uv[1] = (float)row / (float)rows;
        place(user, vertex->uv[0], vertex->uv[1], vertex);
    }
    uint32_t *index = out->indices;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++) {
            const uint32_t a = r * (columns + 1) + c, b = a + columns + 1;
            const uint32_t cell[6] = {a, a + 1, b, b, a + 1, b + 1};
            for (int i = 0; i < 6; i++)
                *index++ = cell[i];
        }
    return true;
}

void mesh_finish(struct mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    *mesh = (struct mesh){0};
}

static void put(float out[3], struct vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void place_floor(void *user, float u, float v, struct mesh_vertex *out)
{
    const float extent = *(const float *)user;
    put(out->position, (struct vec3){(2 * u - 1) * extent, 0, (1 - 2 * v) * extent});
    put(out->normal, (struct vec3){0, 1, 0});
}

bool mesh_create_floor(float extent, struct mesh *out)
{
    return mesh_create_grid(24, 24, place_floor, &extent, out);
}

static void place_sphere(void *user, float u, float v, struct mesh_vertex *out)
{
    (void)user;
    const float phi = 2 * VEC_PI * u, theta = VEC_PI * (1 - v);
    const struct vec3 at = {sinf(theta) * sinf(phi), cosf(theta), sinf(theta) * cosf(phi)};
    put(out->position, at);
    put(out->normal, at);
}

bool mesh_create_sphere(struct mesh *out)
{
    return mesh_create_grid(96, 48, place_sphere, NULL, out);
}

struct knot {
    float radius, thickness;
};

static struct vec3 knot_point(float radius, float t)
{
    const float r = radius * (0.72f + 0.28f * cosf(3 * t));
    return (struct vec3){r * cosf(2 * t), radius * 0.42f * sinf(3 * t), r * sinf(2 * t)};
}

/// The tube's cross-section stands on the knot's tangent; its axes lean on the way to the middle.
static void place_knot(void *user, float u, float v, struct mesh_vertex *out)
{
    const struct knot *knot = user;
    const float t = 2 * VEC_PI * u, around = 2 * VEC_PI * v, step = 0.01f;
    const struct vec3 at = knot_point(knot->radius, t);
    const struct vec3 ahead =
        vec_sub(knot_point(knot->radius, t + step), knot_point(knot->radius, t - step));
    const struct vec3 tangent = vec_normalize(ahead);
    const struct vec3 side = vec_normalize(
        vec_cross(tangent, vec_normalize((struct vec3){at.x, 0.6f * knot->radius, at.z})));
    const struct vec3 up = vec_cross(side, tangent);
    const struct vec3 normal = vec_add(vec_scale(side, cosf(around)), vec_scale(up, sinf(around)));
    put(out->position, vec_add(at, vec_scale(normal, knot->thickness)));
    put(out->normal, normal);
    out->uv[0] = 14 * u; // so that the picture is as long as it is wide
    out->uv[1] = 2 * v;
}

bool mesh_create_knot(float radius, float thickness, struct mesh *out)
{
    struct knot knot = {radius, thickness};
    return mesh_create_grid(420, 32, place_knot, &knot, out);
}

struct box {
    float half[3], rounding;
    int face;
};

static float clamp(float value, float limit)
{
    return fminf(fmaxf(value, -limit), limit);
}

/// A point on the sharp box is drawn in and pushed out again along a rounded normal.
static void place_box(void *user, float u, float v, struct mesh_vertex *out)
{
    const struct box *box = user;
    const int axis = box->face / 2, a = (axis + 1) % 3, b = (axis + 2) % 3;
    const float sign = box->face % 2 ? -1 : 1;
    float sharp[3], inner[3], normal[3], length = 0;
    sharp[axis] = sign * box->half[axis];
    sharp[a] = (2 * u - 1) * box->half[a] * sign;
    sharp[b] = (2 * v - 1) * box->half[b];
    for (int i = 0; i < 3; i++) {
        inner[i] = clamp(sharp[i], box->half[i] - box->rounding);
        normal[i] = sharp[i] - inner[i];
        length += normal[i] * normal[i];
    }
    for (int i = 0; i < 3; i++) {
        out->normal[i] = normal[i] / sqrtf(length);
        out->position[i] = inner[i] + out->normal[i] * box->rounding;
    }
}

/// Appends `from` to `to`; false: out of memory.
static bool append(struct mesh *to, const struct mesh *from)
{
    const uint32_t vertices = to->vertex_count + from->vertex_count,
                   indices = to->index_count + from->index_count;
    struct mesh_vertex *v = realloc(to->vertices, vertices * sizeof *v);
    if (v)
        to->vertices = v;
    uint32_t *x = realloc(to->indices, indices * sizeof *x);
    if (x)
        to->indices = x;
    if (!v || !x)
        return false;
    for (uint32_t i = 0; i < from->vertex_count; i++)
        v[to->vertex_count + i] = from->vertices[i];
    for (uint32_t i = 0; i < from->index_count; i++)
        x[to->index_count + i] = from->indices[i] + to->vertex_count;
    to->vertex_count = vertices;
    to->index_count = indices;
    return true;
}

bool mesh_create_box(float x, float y, float z, float rounding, uint32_t cells, struct mesh *out)
{
    *out = (struct mesh){0};
    for (int face = 0; face < 6; face++) {
        struct box box = {{x, y, z}, rounding, face};
        struct mesh side;
        const bool fine =
            mesh_create_grid(cells, cells, place_box, &box, &side) && append(out, &side);
        mesh_finish(&side);
        if (!fine) {
            mesh_finish(out);
            return false;
        }
    }
    return true;
}
