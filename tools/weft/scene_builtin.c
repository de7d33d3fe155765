// The model that is there without a file: what the demo draws.
#include "mesh.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HUES       12
#define RING       60
#define RINGS      2
#define PANE_COUNT 3

enum { FLOOR = 0, SPHERE_GOLD, SPHERE_CHROME, KNOT, PANES, CUBES = PANES + PANE_COUNT };
#define MESHES (CUBES + HUES)

/// Mesh i has material i.
static struct scene_material material_of(uint32_t index)
{
    static const struct {
        const char *name;
        float color[4], metallic, roughness;
    } table[CUBES] = {
        {"floor", {0.045f, 0.05f, 0.06f, 1}, 0, 0.55f},
        {"gold", {0.83f, 0.52f, 0.16f, 1}, 1, 0.28f},
        {"chrome", {0.62f, 0.64f, 0.67f, 1}, 1, 0.14f},
        {"knot", {0.76f, 0.12f, 0.025f, 1}, 0.1f, 0.32f},
        {"amber glass", {0.80f, 0.42f, 0.06f, 0.35f}, 0, 0.1f},
        {"teal glass", {0.01f, 0.42f, 0.52f, 0.35f}, 0, 0.1f},
        {"violet glass", {0.32f, 0.12f, 0.52f, 0.35f}, 0, 0.1f},
    };
    struct scene_material material = scene_material_default();
    if (index < CUBES) {
        (void)snprintf(material.name, sizeof material.name, "%s", table[index].name);
        memcpy(material.base_color, table[index].color, sizeof material.base_color);
        material.metallic = table[index].metallic;
        material.roughness = table[index].roughness;
        material.alpha = table[index].color[3] < 1 ? SCENE_BLEND : SCENE_OPAQUE;
        material.double_sided = material.alpha == SCENE_BLEND;
        return material;
    }
    const float turn = (float)(index - CUBES) / HUES;
    (void)snprintf(material.name, sizeof material.name, "hue %u", index - CUBES);
    for (int c = 0; c < 3; c++) {
        const float wave = 0.5f + 0.5f * cosf(2 * VEC_PI * (turn - (float)c / 3));
        material.base_color[c] = 0.06f + 0.80f * wave * wave;
    }
    material.metallic = 0;
    material.roughness = 0.4f;
    return material;
}

static bool make_shape(uint32_t index, struct mesh *out)
{
    switch (index) {
    case FLOOR:
        return mesh_create_floor(6, out);
    case SPHERE_GOLD:
    case SPHERE_CHROME:
        return mesh_create_sphere(out);
    case KNOT:
        return mesh_create_knot(1.75f, 0.36f, out);
    case PANES:
    case PANES + 1:
    case PANES + 2:
        return mesh_create_box(0.85f, 1.25f, 0.05f, 0.05f, 8, out);
    default:
        return mesh_create_box(1, 1, 1, 0.22f, 4, out); // small in the picture, and many
    }
}

/// Takes the indices, copies the vertices.
static bool adopt(struct mesh *shape, uint32_t material, struct scene_mesh *out)
{
    *out = (struct scene_mesh){.vertices = calloc(shape->vertex_count, sizeof *out->vertices),
                               .indices = shape->indices,
                               .vertex_count = shape->vertex_count,
                               .index_count = shape->index_count,
                               .material = material};
    shape->indices = NULL;
    for (uint32_t i = 0; out->vertices && i < shape->vertex_count; i++) {
        const struct mesh_vertex *from = &shape->vertices[i];
        struct scene_vertex *to = &out->vertices[i];
        *to = (struct scene_vertex){.tangent = {1, 0, 0, 1}, .color = {255, 255, 255, 255}};
        memcpy(to->position, from->position, sizeof to->position);
        memcpy(to->normal, from->normal, sizeof to->normal);
        memcpy(to->uv, from->uv, sizeof from->uv);
    }
    mesh_finish(shape);
    return out->vertices;
}

static bool make_meshes(struct scene *scene)
{
    scene->meshes = calloc(MESHES, sizeof *scene->meshes);
    scene->materials = calloc(MESHES, sizeof *scene->materials);
    if (!scene->meshes || !scene->materials)
        return false;
    for (uint32_t i = 0; i < MESHES; i++) {
        struct mesh shape = {0};
        scene->materials[scene->material_count++] = material_of(i);
        scene->mesh_count++;
        if (!make_shape(i, &shape) || !adopt(&shape, i, &scene->meshes[i]))
            return false;
    }
    return true;
}

static void put(struct scene *scene, uint32_t mesh, struct vec3 at, const float turn[4],
                float scale)
{
    scene->instances[scene->instance_count++] =
        (struct scene_instance){mesh, mat_from_trs((const float[3]){at.x, at.y, at.z}, turn,
                                                   (const float[3]){scale, scale, scale})};
}

/// About the vertical axis.
static void put_turned(struct scene *scene, uint32_t mesh, struct vec3 at, float turn, float scale)
{
    put(scene, mesh, at, (const float[4]){0, sinf(turn / 2), 0, cosf(turn / 2)}, scale);
}

/// Two rings of cubes that rise and fall in a wave.
static void put_cube(struct scene *scene, uint32_t index)
{
    const bool outer = index % RINGS;
    const uint32_t place = index / RINGS;
    const float part = (float)place / RING;
    const float angle = 2 * VEC_PI * (part + (outer ? 0.5f / RING : 0));
    const float radius = outer ? 4.5f : 4.05f, tilt = 1.5f * angle;
    const float height = 0.2f + 0.42f * (0.5f + 0.5f * sinf(5 * angle + (outer ? 1.2f : 0)));
    float turn[4] = {sinf(tilt) * cosf(angle), sinf(tilt) * 0.5f, sinf(tilt) * sinf(angle),
                     cosf(tilt)};
    const float length = sqrtf(1 + 0.25f * sinf(tilt) * sinf(tilt));
    for (int i = 0; i < 4; i++)
        turn[i] /= length;
    put(scene, CUBES + (uint32_t)(part * HUES) % HUES,
        (struct vec3){radius * cosf(angle), height, radius * sinf(angle)}, turn,
        outer ? 0.1f : 0.14f);
}

static bool make_instances(struct scene *scene)
{
    static const struct {
        uint32_t mesh;
        struct vec3 at;
        float turn, scale;
    } table[] = {
        {FLOOR, {0, 0, 0}, 0.35f, 1},
        {KNOT, {0, 1.95f, 0}, 0.55f, 1},
        {SPHERE_GOLD, {-2.3f, 0.55f, 1.35f}, 0, 0.55f},
        {SPHERE_CHROME, {1.95f, 0.45f, 1.85f}, 0, 0.45f},
        {SPHERE_GOLD, {0.85f, 0.22f, 2.45f}, 0, 0.22f},
        {SPHERE_CHROME, {-1.15f, 0.28f, 2.2f}, 0, 0.28f},
        {PANES, {2.35f, 1.3f, -0.9f}, -0.5f, 1},
        {PANES + 1, {2.95f, 1.3f, -0.1f}, -0.5f, 1},
        {PANES + 2, {3.55f, 1.3f, 0.7f}, -0.5f, 1},
    };
    const uint32_t count = sizeof table / sizeof *table;
    scene->instances = calloc(count + RING * RINGS, sizeof *scene->instances);
    for (uint32_t i = 0; scene->instances && i < count; i++)
        put_turned(scene, table[i].mesh, table[i].at, table[i].turn, table[i].scale);
    for (uint32_t i = 0; scene->instances && i < RING * RINGS; i++)
        put_cube(scene, i);
    return scene->instances;
}

bool scene_make_builtin(struct scene *out, struct failure *why)
{
    *out = (struct scene){0};
    const bool made = make_meshes(out) && make_instances(out);
    if (made && scene_measure(out, why))
        return true;
    if (!made)
        failure_set(why, "out of memory");
    scene_finish(out);
    return false;
}
