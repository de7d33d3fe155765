// Pictures, materials and cameras of a glTF file.
#include "gltf.h"

#include <stdlib.h>
#include <string.h>

#define WRAP_CLAMP  33071u
#define WRAP_MIRROR 33648u

// ---- pictures -----------------------------------------------------------------------------------

static bool read_image_bytes(const struct gltf *gltf, json_t *object, struct bytes *out,
                             struct failure *why)
{
    const char *uri = json_string_value(json_object_get(object, "uri"));
    if (uri && uri_is_data(uri))
        return uri_decode_data(uri, out, why);
    if (uri) {
        char *name = uri_to_name(uri), *path = name ? file_beside(gltf->path, name) : NULL;
        const bool fine =
            path ? file_read(path, out, why) : failure_set(why, "a URI that is no file name");
        free(name);
        free(path);
        return fine || failure_prefix(why, uri);
    }
    uint32_t index;
    if (!gltf_reference(object, "bufferView", gltf->view_count, &index) || index == GLTF_NONE)
        return failure_set(why, "it has neither a URI nor a buffer view");
    const struct gltf_view *view = &gltf->views[index];
    out->data = malloc(view->size);
    if (!out->data)
        return failure_set(why, "out of memory");
    memcpy(out->data, gltf->buffers[view->buffer].data + view->offset, view->size);
    out->size = view->size;
    return true;
}

/// A picture that cannot be read becomes a checker board, with a warning.
static bool load_image(const struct gltf *gltf, uint32_t index, struct image *out,
                       struct failure *why)
{
    struct bytes bytes = {0};
    struct failure reason;
    const bool fine = read_image_bytes(gltf, gltf_object(gltf, "images", index), &bytes, &reason) &&
                      image_read(bytes.data, bytes.size, out, &reason);
    bytes_finish(&bytes);
    if (fine)
        return true;
    say_warning("%s: images[%u]: %s; a checker board stands for it", gltf->path, index,
                reason.text);
    return image_create_placeholder(out, why);
}

static bool load_images(const struct gltf *gltf, struct scene *scene, struct failure *why)
{
    const size_t count = gltf_length(gltf, "images");
    scene->images = calloc(count + 1, sizeof *scene->images);
    if (!scene->images)
        return failure_set(why, "out of memory");
    scene->image_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++)
        if (!load_image(gltf, i, &scene->images[i], why))
            return false;
    return true;
}

// ---- materials ----------------------------------------------------------------------------------

static enum scene_wrap wrap_of(json_t *sampler, const char *key)
{
    uint64_t wrap = 0;
    gltf_uint(sampler, key, UINT32_MAX, &wrap);
    return wrap == WRAP_CLAMP ? SCENE_CLAMP : wrap == WRAP_MIRROR ? SCENE_MIRROR : SCENE_REPEAT;
}

static void load_sampler(json_t *sampler, struct scene_texture *out)
{
    uint64_t mag = 9729, min = 9987; // linear, linear with linear mips
    gltf_uint(sampler, "magFilter", UINT32_MAX, &mag);
    gltf_uint(sampler, "minFilter", UINT32_MAX, &min);
    out->wrap_u = wrap_of(sampler, "wrapS");
    out->wrap_v = wrap_of(sampler, "wrapT");
    out->nearest_mag = mag == 9728;
    out->no_mips = min == 9728 || min == 9729;
    out->nearest_min = min == 9728 || min == 9984 || min == 9986;
    out->nearest_mip = min == 9984 || min == 9985;
}

/// KHR_texture_transform: offset, then rotation counter-clockwise, then scale.
static void load_transform(json_t *info, float out[6])
{
    json_t *transform =
        json_object_get(json_object_get(info, "extensions"), "KHR_texture_transform");
    if (!transform)
        return;
    float offset[2] = {0, 0}, scale[2] = {1, 1};
    gltf_numbers(transform, "offset", offset, 2);
    gltf_numbers(transform, "scale", scale, 2);
    const float angle = gltf_number(transform, "rotation", 0), c = cosf(angle), s = sinf(angle);
    const float matrix[6] = {c * scale[0],  s * scale[1], offset[0],
                             -s * scale[0], c * scale[1], offset[1]};
    memcpy(out, matrix, sizeof matrix);
}

static struct scene_texture load_texture(const struct gltf *gltf, json_t *info,
                                         struct scene_material *material)
{
    struct scene_texture out = scene_texture_none();
    uint32_t index, image, sampler;
    uint64_t set = 0;
    if (!gltf_reference(info, "index", gltf_length(gltf, "textures"), &index) || index == GLTF_NONE)
        return out;
    json_t *texture = gltf_object(gltf, "textures", index);
    if (!gltf_reference(texture, "source", gltf_length(gltf, "images"), &image) ||
        image == GLTF_NONE)
        return out;
    out.image = (int32_t)image;
    gltf_reference(texture, "sampler", gltf_length(gltf, "samplers"), &sampler);
    load_sampler(gltf_object(gltf, "samplers", sampler), &out);
    gltf_uint(info, "texCoord", 1, &set);
    out.uv_set = (uint32_t)set & 1;
    load_transform(info, material->uv_transform);
    return out;
}

static void load_alpha(json_t *object, struct scene_material *out)
{
    const char *mode = json_string_value(json_object_get(object, "alphaMode"));
    if (mode && strcmp(mode, "MASK") == 0)
        out->alpha = SCENE_MASK;
    else if (mode && strcmp(mode, "BLEND") == 0)
        out->alpha = SCENE_BLEND;
    out->alpha_cutoff = gltf_number(object, "alphaCutoff", 0.5f);
    out->double_sided = json_is_true(json_object_get(object, "doubleSided"));
}

static void copy_name(char *out, size_t size, json_t *object, const char *fallback, size_t index)
{
    const char *name = json_string_value(json_object_get(object, "name"));
    if (name)
        (void)snprintf(out, size, "%s", name);
    else
        (void)snprintf(out, size, "%s %zu", fallback, index);
}

static void load_material(const struct gltf *gltf, size_t index, struct scene_material *out)
{
    json_t *object = gltf_object(gltf, "materials", index);
    json_t *pbr = json_object_get(object, "pbrMetallicRoughness"),
           *extensions = json_object_get(object, "extensions");
    json_t *normal = json_object_get(object, "normalTexture"),
           *occlusion = json_object_get(object, "occlusionTexture");
    *out = scene_material_default();
    copy_name(out->name, sizeof out->name, object, "material", index);
    gltf_numbers(pbr, "baseColorFactor", out->base_color, 4);
    out->metallic = gltf_number(pbr, "metallicFactor", 1);
    out->roughness = gltf_number(pbr, "roughnessFactor", 1);
    gltf_numbers(object, "emissiveFactor", out->emissive, 3);
    json_t *strength = json_object_get(extensions, "KHR_materials_emissive_strength");
    for (int i = 0; i < 3; i++)
        out->emissive[i] *= gltf_number(strength, "emissiveStrength", 1);
    out->normal_scale = gltf_number(normal, "scale", 1);
    out->occlusion_strength = gltf_number(occlusion, "strength", 1);
    out->unlit = json_object_get(extensions, "KHR_materials_unlit") != NULL;
    load_alpha(object, out);
    // The base color's transform is read last: where they differ, it is the one that counts.
    out->emissive_map = load_texture(gltf, json_object_get(object, "emissiveTexture"), out);
    out->occlusion_map = load_texture(gltf, occlusion, out);
    out->normal_map = load_texture(gltf, normal, out);
    out->metal_rough_map =
        load_texture(gltf, json_object_get(pbr, "metallicRoughnessTexture"), out);
    out->base_color_map = load_texture(gltf, json_object_get(pbr, "baseColorTexture"), out);
}

bool gltf_load_materials(const struct gltf *gltf, struct scene *scene, struct failure *why)
{
    const size_t count = gltf_length(gltf, "materials");
    scene->materials = calloc(count + 1, sizeof *scene->materials);
    if (!scene->materials)
        return failure_set(why, "out of memory");
    for (size_t i = 0; i < count; i++)
        load_material(gltf, i, &scene->materials[i]);
    scene->materials[count] = scene_material_default(); // of primitives that name none
    scene->material_count = (uint32_t)count + 1;
    return load_images(gltf, scene, why);
}

// ---- cameras ------------------------------------------------------------------------------------

static bool load_camera(const struct gltf *gltf, uint32_t index, struct scene_camera *out,
                        struct failure *why)
{
    json_t *object = gltf_object(gltf, "cameras", index);
    json_t *perspective = json_object_get(object, "perspective"),
           *orthographic = json_object_get(object, "orthographic");
    copy_name(out->name, sizeof out->name, object, "camera", index);
    out->orthographic = !perspective && orthographic;
    out->size = out->orthographic ? gltf_number(orthographic, "ymag", 0)
                                  : gltf_number(perspective, "yfov", 0);
    if (!(out->size > 0) || (!out->orthographic && out->size >= VEC_PI) || !isfinite(out->size))
        return failure_set(why, "cameras[%u]: it has no field of view", index);
    return true;
}

/// World matrices of all nodes in `order`.
static struct mat4 *world_matrices(const struct gltf *gltf)
{
    struct mat4 *worlds = calloc(gltf->node_count + (size_t)1, sizeof *worlds);
    for (uint32_t i = 0; worlds && i < gltf->order_count; i++) {
        const uint32_t node = gltf->order[i], parent = gltf->parents[node];
        const struct mat4 local = gltf_node_matrix(gltf_object(gltf, "nodes", node));
        worlds[node] = parent == GLTF_NONE ? local : mat_multiply(&worlds[parent], &local);
    }
    return worlds;
}

bool gltf_load_cameras(const struct gltf *gltf, struct scene *scene, struct failure *why)
{
    struct mat4 *worlds = world_matrices(gltf);
    scene->cameras = calloc(gltf->order_count + (size_t)1, sizeof *scene->cameras);
    bool fine = worlds && scene->cameras;
    if (!fine)
        failure_set(why, "out of memory");
    for (uint32_t i = 0; fine && i < gltf->order_count; i++) {
        json_t *node = gltf_object(gltf, "nodes", gltf->order[i]);
        uint32_t index;
        gltf_reference(node, "camera", gltf_length(gltf, "cameras"), &index);
        if (index == GLTF_NONE)
            continue;
        struct scene_camera *camera = &scene->cameras[scene->camera_count++];
        camera->world = worlds[gltf->order[i]];
        fine = load_camera(gltf, index, camera, why);
        const char *name = json_string_value(json_object_get(node, "name"));
        if (fine && name && !json_object_get(gltf_object(gltf, "cameras", index), "name"))
            (void)snprintf(camera->name, sizeof camera->name, "%s", name);
    }
    free(worlds);
    return fine;
}
