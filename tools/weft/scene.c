#include "scene.h"

#include <stdlib.h>

struct scene_texture scene_texture_none(void)
{
    return (struct scene_texture){.image = -1};
}

struct scene_material scene_material_default(void)
{
    const struct scene_texture none = scene_texture_none();
    return (struct scene_material){
        .name = "default",
        .base_color = {1, 1, 1, 1},
        .metallic = 1,
        .roughness = 1,
        .normal_scale = 1,
        .occlusion_strength = 1,
        .alpha_cutoff = 0.5f,
        .base_color_map = none,
        .metal_rough_map = none,
        .normal_map = none,
        .occlusion_map = none,
        .emissive_map = none,
        .uv_transform = {1, 0, 0, 0, 1, 0},
    };
}

static void extend(struct scene *scene, struct vec3 p)
{
    scene->min =
        (struct vec3){fminf(scene->min.x, p.x), fminf(scene->min.y, p.y), fminf(scene->min.z, p.z)};
    scene->max =
        (struct vec3){fmaxf(scene->max.x, p.x), fmaxf(scene->max.y, p.y), fmaxf(scene->max.z, p.z)};
}

static bool measure_instance(struct scene *scene, const struct scene_instance *instance)
{
    const struct scene_mesh *mesh = &scene->meshes[instance->mesh];
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        const float *p = mesh->vertices[mesh->indices[i]].position;
        const struct vec3 world = mat_point(&instance->world, (struct vec3){p[0], p[1], p[2]});
        if (!vec_is_finite(world))
            return false;
        extend(scene, world);
    }
    scene->triangles += mesh->index_count / 3;
    return true;
}

bool scene_measure(struct scene *scene, struct failure *why)
{
    scene->min = (struct vec3){INFINITY, INFINITY, INFINITY};
    scene->max = (struct vec3){-INFINITY, -INFINITY, -INFINITY};
    scene->triangles = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (!measure_instance(scene, &scene->instances[i]))
            return failure_set(why, "a vertex of mesh %u is not finite", scene->instances[i].mesh);
    if (scene->triangles == 0)
        return failure_set(why, "the model has no triangles to draw");
    const struct vec3 size = vec_sub(scene->max, scene->min);
    if (!vec_is_finite(size) || !isfinite(vec_dot(size, size)))
        return failure_set(why, "the model is too large for floating-point numbers");
    return true;
}

void scene_finish(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->image_count; i++)
        image_finish(&scene->images[i]);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        free(scene->meshes[i].vertices);
        free(scene->meshes[i].indices);
    }
    free(scene->images);
    free(scene->materials);
    free(scene->meshes);
    free(scene->instances);
    free(scene->cameras);
    *scene = (struct scene){0};
}
