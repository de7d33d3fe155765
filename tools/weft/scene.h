/// \file scene.h
/// A model as plain data: what the renderer draws. Right-handed, y up, glTF's conventions; texture
/// coordinates have their origin at the top left. Knows no file format and no device.
#pragma once

#include "failure.h"
#include "image.h"
#include "vec.h"

#include <stddef.h>
#include <stdint.h>

enum scene_wrap { SCENE_REPEAT = 0, SCENE_MIRROR, SCENE_CLAMP };

/// How a material uses a picture.
struct scene_texture {
    int32_t image; ///< Into scene.images; -1: none.
    enum scene_wrap wrap_u, wrap_v;
    bool nearest_mag, nearest_min, nearest_mip;
    bool no_mips;
    uint32_t uv_set; ///< 0 or 1.
};

enum scene_alpha { SCENE_OPAQUE = 0, SCENE_MASK, SCENE_BLEND };

/// glTF's metallic-roughness model.
struct scene_material {
    char name[64];
    float base_color[4]; ///< Linear.
    float metallic, roughness;
    float emissive[3]; ///< Linear.
    float normal_scale, occlusion_strength;
    float alpha_cutoff;
    enum scene_alpha alpha;
    bool double_sided;
    bool unlit; ///< The base color as it is.
    struct scene_texture base_color_map, metal_rough_map, normal_map, occlusion_map, emissive_map;
    float uv_transform[6]; ///< u' = m0 u + m1 v + m2, v' = m3 u + m4 v + m5; of all maps.
};

struct scene_vertex {
    float position[3];
    float normal[3];
    float tangent[4]; ///< w: 1 or -1; bitangent = w · cross(normal, tangent), up in the texture.
    float uv[4];      ///< Set 0, set 1.
    uint8_t color[4]; ///< Linear, multiplied into the base color.
};

struct scene_mesh {
    struct scene_vertex *vertices;
    uint32_t *indices; ///< Triangles.
    uint32_t vertex_count, index_count;
    uint32_t material;
};

struct scene_instance {
    uint32_t mesh;
    struct mat4 world;
};

struct scene_camera {
    char name[64];
    struct mat4 world; ///< It looks along its own -z.
    bool orthographic;
    float size; ///< Vertical field of view in radians, or half the height.
};

struct scene {
    struct image *images;
    struct scene_material *materials;
    struct scene_mesh *meshes;
    struct scene_instance *instances;
    struct scene_camera *cameras;
    uint32_t image_count, material_count, mesh_count, instance_count, camera_count;
    struct vec3 min, max; ///< Of the instances' vertices in the world.
    uint64_t triangles;   ///< Drawn.
};

/// Reads a model: .gltf, .glb or .obj. What can be done without is a warning on stderr (a texture
/// that cannot be read becomes a checker board); everything else fails with a reason.
bool scene_load(const char *path, struct scene *out, struct failure *why);
/// The model that is there without a file.
bool scene_make_builtin(struct scene *out, struct failure *why);
void scene_finish(struct scene *scene);

/// A plain white material without maps.
struct scene_material scene_material_default(void);
/// A texture that is none.
struct scene_texture scene_texture_none(void);
/// Computes the bounds and counts the triangles; false if there is nothing to draw, or something
/// is not finite.
bool scene_measure(struct scene *scene, struct failure *why);
