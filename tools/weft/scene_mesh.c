#include "scene_mesh.h"

#include <stdlib.h>
#include <string.h>

/// Edges that are sharper than this stay sharp.
#define SMOOTH_COSINE 0.4067f // 66 degrees
/// Corners that meet at a point are compared with each other up to this number.
#define MEETING_MAX 512u

static struct vec3 to_vec(const float v[3])
{
    return (struct vec3){v[0], v[1], v[2]};
}

static void put_vec(float out[3], struct vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static struct vec3 corner_at(const struct scene_mesh *mesh, uint32_t corner)
{
    return to_vec(mesh->vertices[corner].position);
}

/// At a right angle to the triangle, as long as twice its area.
static struct vec3 triangle_normal(const struct scene_mesh *mesh, uint32_t triangle)
{
    const struct vec3 a = corner_at(mesh, 3 * triangle);
    return vec_cross(vec_sub(corner_at(mesh, 3 * triangle + 1), a),
                     vec_sub(corner_at(mesh, 3 * triangle + 2), a));
}

static bool same_point(struct vec3 a, struct vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool has_area(const struct scene_mesh *mesh, uint32_t triangle)
{
    const struct vec3 a = corner_at(mesh, 3 * triangle), b = corner_at(mesh, 3 * triangle + 1),
                      c = corner_at(mesh, 3 * triangle + 2);
    return !same_point(a, b) && !same_point(b, c) && !same_point(c, a);
}

static void drop_degenerate(struct scene_mesh *mesh)
{
    size_t kept = 0;
    for (uint32_t t = 0; t < mesh->vertex_count / 3; t++)
        if (has_area(mesh, t))
            memmove(&mesh->vertices[3 * kept++], &mesh->vertices[3 * (size_t)t],
                    3 * sizeof *mesh->vertices);
    mesh->vertex_count = (uint32_t)(3 * kept);
}

// ---- joining ------------------------------------------------------------------------------------

static uint32_t hash_bytes(const void *bytes, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)bytes + i, 4);
        hash = (hash ^ word) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

/// Numbers the vertices whose first `size` bytes are equal: `out[v]` is the first vertex like v.
/// False: out of memory.
static bool find_equal(const struct scene_mesh *mesh, size_t size, uint32_t *out)
{
    size_t capacity = 16;
    while (capacity < 2 * (size_t)mesh->vertex_count)
        capacity *= 2;
    uint32_t *slots = malloc(capacity * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0xff, capacity * sizeof *slots);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        size_t slot = hash_bytes(&mesh->vertices[v], size) & (capacity - 1);
        while (slots[slot] != UINT32_MAX &&
               memcmp(&mesh->vertices[slots[slot]], &mesh->vertices[v], size) != 0)
            slot = (slot + 1) & (capacity - 1);
        if (slots[slot] == UINT32_MAX)
            slots[slot] = v;
        out[v] = slots[slot];
    }
    free(slots);
    return true;
}

/// Keeps one of the vertices that are equal; the mesh has indices afterwards.
static bool join(struct scene_mesh *mesh)
{
    const uint32_t corners = mesh->vertex_count;
    mesh->indices = malloc(((size_t)corners + 1) * sizeof *mesh->indices);
    if (!mesh->indices || !find_equal(mesh, sizeof *mesh->vertices, mesh->indices))
        return false;
    uint32_t kept = 0;
    for (uint32_t v = 0; v < corners; v++) {
        const uint32_t first = mesh->indices[v];
        if (first == v) {
            mesh->vertices[kept] = mesh->vertices[v];
            mesh->indices[v] = kept++;
        } else {
            mesh->indices[v] = mesh->indices[first]; // renumbered before, as it comes first
        }
    }
    mesh->index_count = corners;
    mesh->vertex_count = kept;
    return true;
}

// ---- normals ------------------------------------------------------------------------------------

/// Corners by the point that they meet at.
struct meetings {
    uint32_t *point;          ///< Of each corner: the first corner there.
    uint32_t *start, *corner; ///< Corners of point p: corner[start[p]] to corner[start[p + 1] - 1].
    struct vec3 *sum;         ///< Of all corners of a point, where they are more than MEETING_MAX.
};

/// A counting sort of the corners by their point.
static bool find_meetings(const struct scene_mesh *mesh, struct meetings *out)
{
    const uint32_t count = mesh->vertex_count;
    out->point = malloc(((size_t)count + 1) * sizeof *out->point);
    out->start = calloc((size_t)count + 2, sizeof *out->start);
    out->corner = malloc(((size_t)count + 1) * sizeof *out->corner);
    out->sum = calloc((size_t)count + 1, sizeof *out->sum);
    if (!out->point || !out->start || !out->corner || !out->sum ||
        !find_equal(mesh, sizeof mesh->vertices->position, out->point))
        return false;
    for (uint32_t c = 0; c < count; c++)
        out->start[out->point[c] + 2]++;
    for (uint32_t p = 2; p < count + 2; p++)
        out->start[p] += out->start[p - 1];
    for (uint32_t c = 0; c < count; c++)
        out->corner[out->start[out->point[c] + 1]++] = c;
    return true;
}

static void meetings_finish(struct meetings *meetings)
{
    free(meetings->point);
    free(meetings->start);
    free(meetings->corner);
    free(meetings->sum);
}

/// The triangle's angle at a corner, by which its normal counts.
static float angle_at(const struct scene_mesh *mesh, uint32_t corner)
{
    const uint32_t first = corner / 3 * 3;
    const struct vec3 at = corner_at(mesh, corner);
    const struct vec3 a = vec_normalize(vec_sub(corner_at(mesh, first + (corner + 1) % 3), at));
    const struct vec3 b = vec_normalize(vec_sub(corner_at(mesh, first + (corner + 2) % 3), at));
    return acosf(fminf(fmaxf(vec_dot(a, b), -1), 1));
}

/// Sums up once where too many corners meet to compare each with each.
static void sum_crowds(struct meetings *meetings, const struct vec3 *weighted, uint32_t points)
{
    for (uint32_t p = 0; p < points; p++) {
        const uint32_t begin = meetings->start[p], end = meetings->start[p + 1];
        for (uint32_t i = begin; end - begin > MEETING_MAX && i < end; i++)
            meetings->sum[p] = vec_add(meetings->sum[p], weighted[meetings->corner[i]]);
    }
}

/// The mean of the triangles that meet a corner at no sharp edge. `weighted` holds, for each
/// corner, its triangle's unit normal times its angle.
static struct vec3 smooth_normal(const struct meetings *meetings, const struct vec3 *unit,
                                 const struct vec3 *weighted, uint32_t corner)
{
    const uint32_t point = meetings->point[corner];
    const uint32_t begin = meetings->start[point], end = meetings->start[point + 1];
    const struct vec3 own = unit[corner / 3];
    struct vec3 sum = meetings->sum[point];
    for (uint32_t i = begin; end - begin <= MEETING_MAX && i < end; i++) {
        const uint32_t other = meetings->corner[i];
        if (vec_dot(own, unit[other / 3]) >= SMOOTH_COSINE)
            sum = vec_add(sum, weighted[other]);
    }
    sum = vec_normalize(sum);
    return vec_dot(sum, sum) > 0.5f ? sum : own;
}

static bool make_normals(struct scene_mesh *mesh)
{
    struct meetings meetings = {0};
    const size_t corners = mesh->vertex_count;
    struct vec3 *unit = calloc(corners / 3 + 1, sizeof *unit),
                *weighted = calloc(corners + 1, sizeof *weighted);
    const bool fine = unit && weighted && find_meetings(mesh, &meetings);
    for (uint32_t c = 0; fine && c < corners; c++) {
        if (c % 3 == 0)
            unit[c / 3] = vec_normalize(triangle_normal(mesh, c / 3));
        weighted[c] = vec_scale(unit[c / 3], angle_at(mesh, c));
    }
    if (fine)
        sum_crowds(&meetings, weighted, mesh->vertex_count);
    for (uint32_t c = 0; fine && c < corners; c++)
        put_vec(mesh->vertices[c].normal, smooth_normal(&meetings, unit, weighted, c));
    meetings_finish(&meetings);
    free(unit);
    free(weighted);
    return fine;
}

// ---- tangents -----------------------------------------------------------------------------------

/// Where u rises on a triangle, scaled by its area, and whether the texture is mirrored on it.
static struct vec3 triangle_tangent(const struct scene_vertex *const v[3], float *sign)
{
    const struct vec3 a = vec_sub(to_vec(v[1]->position), to_vec(v[0]->position));
    const struct vec3 b = vec_sub(to_vec(v[2]->position), to_vec(v[0]->position));
    const float u1 = v[1]->uv[0] - v[0]->uv[0], u2 = v[2]->uv[0] - v[0]->uv[0];
    const float v1 = v[0]->uv[1] - v[1]->uv[1], v2 = v[0]->uv[1] - v[2]->uv[1]; // up in the picture
    const float area = u1 * v2 - u2 * v1;
    *sign = area < 0 ? -1 : 1;
    return vec_scale(vec_sub(vec_scale(a, v2), vec_scale(b, v1)), *sign);
}

/// Before the vertices are joined: those of mirrored triangles must stay apart.
static void mark_signs(struct scene_mesh *mesh)
{
    for (uint32_t c = 0; c < mesh->vertex_count; c += 3) {
        const struct scene_vertex *const v[3] = {&mesh->vertices[c], &mesh->vertices[c + 1],
                                                 &mesh->vertices[c + 2]};
        float sign;
        triangle_tangent(v, &sign);
        for (uint32_t i = 0; i < 3; i++) {
            float *tangent = mesh->vertices[c + i].tangent;
            tangent[0] = tangent[1] = tangent[2] = 0;
            tangent[3] = sign;
        }
    }
}

/// Any direction at a right angle to the normal, for vertices without texture coordinates.
static struct vec3 some_tangent(struct vec3 normal)
{
    const struct vec3 axis =
        fabsf(normal.x) < 0.5f ? (struct vec3){1, 0, 0} : (struct vec3){0, 1, 0};
    return vec_normalize(vec_cross(axis, normal));
}

/// After they are joined: the sum of the triangles', made square to the normal.
static void make_tangents(struct scene_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        struct scene_vertex *v[3];
        float sign;
        for (int c = 0; c < 3; c++)
            v[c] = &mesh->vertices[mesh->indices[i + c]];
        const struct vec3 tangent = triangle_tangent((const struct scene_vertex *const *)v, &sign);
        for (int c = 0; c < 3 && vec_is_finite(tangent); c++)
            put_vec(v[c]->tangent, vec_add(to_vec(v[c]->tangent), tangent));
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        struct scene_vertex *v = &mesh->vertices[i];
        const struct vec3 normal = to_vec(v->normal), sum = vec_normalize(to_vec(v->tangent));
        const struct vec3 square =
            vec_normalize(vec_sub(sum, vec_scale(normal, vec_dot(sum, normal))));
        const bool sound = vec_is_finite(square) && vec_dot(square, square) > 0.5f;
        put_vec(v->tangent, sound ? square : some_tangent(normal));
    }
}

bool scene_mesh_complete(struct scene_mesh *mesh, struct scene_given given, struct failure *why)
{
    drop_degenerate(mesh);
    if (!given.normals && !make_normals(mesh))
        return failure_set(why, "out of memory for normals");
    if (!given.tangents)
        mark_signs(mesh);
    if (!join(mesh))
        return failure_set(why, "out of memory for %u vertices", mesh->vertex_count);
    if (!given.tangents)
        make_tangents(mesh);
    return true;
}
