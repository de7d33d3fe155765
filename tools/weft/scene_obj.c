#include "scene_obj.h"

#include "file.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

struct loader {
    const struct aiScene *in;
    const char *path; ///< Of the model.
    struct scene *out;
    char **names; ///< Of the images.
};

/// Blender and others write folders with backslashes.
static void mend_slashes(char *name)
{
    for (; *name; name++)
        if (*name == '\\')
            *name = '/';
}

static bool read_image(const struct loader *loader, const char *name, struct image *out,
                       struct failure *why)
{
    struct bytes bytes = {0};
    struct failure reason;
    char *path = file_beside(loader->path, name);
    const bool fine = path && file_read(path, &bytes, &reason) &&
                      image_read(bytes.data, bytes.size, out, &reason);
    bytes_finish(&bytes);
    free(path);
    if (fine)
        return true;
    say_warning("%s: %s: %s; a checker board stands for it", loader->path, name,
                path ? reason.text : "out of memory");
    return image_create_placeholder(out, why);
}

/// The number of the image of that name, which is read when it is first asked for; -1: failed.
static int32_t find_image(struct loader *loader, const char *name, struct failure *why)
{
    struct scene *out = loader->out;
    for (uint32_t i = 0; i < out->image_count; i++)
        if (loader->names[i] && strcmp(loader->names[i], name) == 0)
            return (int32_t)i;
    loader->names[out->image_count] = strdup(name);
    if (!loader->names[out->image_count] ||
        !read_image(loader, name, &out->images[out->image_count], why))
        return -1;
    return (int32_t)out->image_count++;
}

static bool load_texture(struct loader *loader, const struct aiMaterial *in,
                         enum aiTextureType type, struct scene_texture *out, struct failure *why)
{
    struct aiString name;
    if (aiGetMaterialTexture(in, type, 0, &name, NULL, NULL, NULL, NULL, NULL, NULL) !=
            aiReturn_SUCCESS ||
        name.length == 0)
        return true;
    mend_slashes(name.data);
    out->image = find_image(loader, name.data, why);
    return out->image >= 0;
}

static void load_factors(const struct aiMaterial *in, struct scene_material *out)
{
    struct aiColor4D color = {1, 1, 1, 1};
    struct aiString name;
    float opacity = 1, shininess = 0;
    if (aiGetMaterialString(in, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS)
        (void)snprintf(out->name, sizeof out->name, "%.63s", name.data);
    if (aiGetMaterialColor(in, AI_MATKEY_COLOR_DIFFUSE, &color) == aiReturn_SUCCESS) {
        out->base_color[0] = color.r;
        out->base_color[1] = color.g;
        out->base_color[2] = color.b;
    }
    if (aiGetMaterialColor(in, AI_MATKEY_COLOR_EMISSIVE, &color) == aiReturn_SUCCESS) {
        out->emissive[0] = color.r;
        out->emissive[1] = color.g;
        out->emissive[2] = color.b;
    }
    out->metallic = 0;
    out->roughness = 0.6f;
    if (aiGetMaterialFloatArray(in, AI_MATKEY_SHININESS, &shininess, NULL) == aiReturn_SUCCESS &&
        shininess > 0)
        out->roughness = sqrtf(2 / (shininess + 2));
    if (aiGetMaterialFloatArray(in, AI_MATKEY_OPACITY, &opacity, NULL) == aiReturn_SUCCESS &&
        opacity < 1) {
        out->base_color[3] = fmaxf(opacity, 0);
        out->alpha = SCENE_BLEND;
    }
    out->double_sided = true; // OBJ does not say which side is the front
}

static bool load_material(struct loader *loader, const struct aiMaterial *in,
                          struct scene_material *out, struct failure *why)
{
    *out = scene_material_default();
    load_factors(in, out);
    struct scene_texture opacity = scene_texture_none();
    if (!load_texture(loader, in, aiTextureType_DIFFUSE, &out->base_color_map, why) ||
        !load_texture(loader, in, aiTextureType_EMISSIVE, &out->emissive_map, why) ||
        !load_texture(loader, in, aiTextureType_NORMALS, &out->normal_map, why) ||
        !load_texture(loader, in, aiTextureType_OPACITY, &opacity, why))
        return false;
    const float *color = out->base_color;
    if (out->base_color_map.image >= 0 && color[0] + color[1] + color[2] == 0)
        out->base_color[0] = out->base_color[1] = out->base_color[2] =
            1; // some exporters write black
    if (opacity.image >= 0 && opacity.image == out->base_color_map.image)
        out->alpha = SCENE_BLEND; // the picture's own alpha
    return true;
}

bool scene_obj_materials(const struct aiScene *in, const char *path, struct scene *out,
                         struct failure *why)
{
    const size_t most = (size_t)in->mNumMaterials * 4 + 1;
    struct loader loader = {in, path, out, calloc(most, sizeof *loader.names)};
    out->images = calloc(most, sizeof *out->images);
    out->materials = calloc(in->mNumMaterials + (size_t)1, sizeof *out->materials);
    bool fine = loader.names && out->images && out->materials;
    if (!fine)
        failure_set(why, "out of memory");
    for (unsigned i = 0; fine && i < in->mNumMaterials; i++)
        fine = load_material(&loader, in->mMaterials[i], &out->materials[i], why);
    out->material_count = in->mNumMaterials;
    for (size_t i = 0; loader.names && i < most; i++)
        free(loader.names[i]);
    free(loader.names);
    return fine;
}
