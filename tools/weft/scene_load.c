// Models through assimp: glTF in the packed form of gltf_pack(), OBJ from its file.
#include "gltf.h"
#include "scene_obj.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/// Normals are generated across edges that are less sharp than this, in degrees.
#define SMOOTH_ANGLE 66.0f
/// Vertex coordinates beyond it are refused; gltf_check.c has the same bound.
#define COORDINATE_MAX 1e18f

static const unsigned post_processing =
    aiProcess_Triangulate | aiProcess_FindDegenerates | aiProcess_SortByPType |
    aiProcess_GenSmoothNormals | aiProcess_CalcTangentSpace | aiProcess_JoinIdenticalVertices;

// ---- assimp's log
// --------------------------------------------------------------------------------

/// The first warning that means that a part of the model is not there.
struct import_log {
    char dropped[256];
};

static void on_log(const char *message, char *user)
{
    struct import_log *log = (struct import_log *)(void *)user;
    const bool lost = strstr(message, "dropped") || strstr(message, "out-of-range") ||
                      strstr(message, "out of range") || strstr(message, "Invalid face");
    if (!lost || log->dropped[0] || strncmp(message, "Debug", 5) == 0)
        return;
    (void)snprintf(log->dropped, sizeof log->dropped, "%s", message);
    log->dropped[strcspn(log->dropped, "\n")] = 0;
}

// ---- meshes
// --------------------------------------------------------------------------------------

static bool coordinates_are_sound(const struct aiScene *in)
{
    for (unsigned m = 0; m < in->mNumMeshes; m++)
        for (unsigned i = 0; i < in->mMeshes[m]->mNumVertices; i++) {
            const struct aiVector3D *p = &in->mMeshes[m]->mVertices[i];
            if (!(fabsf(p->x) <= COORDINATE_MAX && fabsf(p->y) <= COORDINATE_MAX &&
                  fabsf(p->z) <= COORDINATE_MAX))
                return false;
        }
    return true;
}

static uint8_t to_unorm8(float value)
{
    return (uint8_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f);
}

static void copy_color(const struct aiColor4D *color, uint8_t out[4])
{
    out[0] = to_unorm8(color->r);
    out[1] = to_unorm8(color->g);
    out[2] = to_unorm8(color->b);
    out[3] = to_unorm8(color->a);
}

static struct vec3 to_vec(const struct aiVector3D *v)
{
    return (struct vec3){v->x, v->y, v->z};
}

/// assimp's texture coordinates have their origin at the bottom left, ours at the top left.
static void copy_uv(const struct aiVector3D *uv, float out[2])
{
    out[0] = uv->x;
    out[1] = 1 - uv->y;
}

/// Any tangent at a right angle to the normal, for vertices that have none.
static struct vec3 some_tangent(struct vec3 normal)
{
    const struct vec3 axis =
        fabsf(normal.x) < 0.5f ? (struct vec3){1, 0, 0} : (struct vec3){0, 1, 0};
    return vec_normalize(vec_cross(axis, normal));
}

static void copy_vertex(const struct aiMesh *in, unsigned i, struct scene_vertex *out)
{
    const struct aiVector3D *p = &in->mVertices[i];
    struct vec3 normal =
        in->mNormals ? vec_normalize(to_vec(&in->mNormals[i])) : (struct vec3){0, 0, 0};
    if (!vec_is_finite(normal) || vec_dot(normal, normal) < 0.5f)
        normal = (struct vec3){0, 1, 0};
    struct vec3 tangent = some_tangent(normal);
    float sign = 1;
    if (in->mTangents && in->mBitangents) {
        const struct vec3 given = vec_normalize(to_vec(&in->mTangents[i]));
        if (vec_is_finite(given) && vec_dot(given, given) > 0.5f)
            tangent = given;
        sign = vec_dot(vec_cross(normal, tangent), to_vec(&in->mBitangents[i])) < 0 ? -1 : 1;
    }
    *out = (struct scene_vertex){.position = {p->x, p->y, p->z},
                                 .normal = {normal.x, normal.y, normal.z},
                                 .tangent = {tangent.x, tangent.y, tangent.z, sign},
                                 .color = {255, 255, 255, 255}};
    if (in->mTextureCoords[0])
        copy_uv(&in->mTextureCoords[0][i], out->uv);
    if (in->mTextureCoords[1])
        copy_uv(&in->mTextureCoords[1][i], out->uv + 2);
    if (in->mColors[0])
        copy_color(&in->mColors[0][i], out->color);
}

/// Triangles only; other faces are left out (lines and points lie in meshes of their own).
static bool copy_mesh(const struct aiMesh *in, struct scene_mesh *out, struct failure *why)
{
    if (!(in->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) || in->mNumVertices == 0)
        return true;
    if (in->mNumFaces > UINT32_MAX / 3)
        return failure_set(why, "a mesh of %u triangles is too large", in->mNumFaces);
    out->vertices = malloc(in->mNumVertices * sizeof *out->vertices);
    out->indices = malloc((size_t)in->mNumFaces * 3 * sizeof *out->indices);
    if (!out->vertices || !out->indices)
        return failure_set(why, "out of memory for a mesh of %u triangles", in->mNumFaces);
    out->vertex_count = in->mNumVertices;
    for (unsigned i = 0; i < in->mNumVertices; i++)
        copy_vertex(in, i, &out->vertices[i]);
    for (unsigned f = 0; f < in->mNumFaces; f++) {
        const struct aiFace *face = &in->mFaces[f];
        if (face->mNumIndices != 3)
            continue;
        for (int c = 0; c < 3; c++) {
            if (face->mIndices[c] >= in->mNumVertices)
                return failure_set(why, "a face names vertex %u of %u", face->mIndices[c],
                                   in->mNumVertices);
            out->indices[out->index_count++] = face->mIndices[c];
        }
    }
    return true;
}

static bool copy_meshes(const struct aiScene *in, struct scene *out, struct failure *why)
{
    out->meshes = calloc(in->mNumMeshes + (size_t)1, sizeof *out->meshes);
    if (!out->meshes)
        return failure_set(why, "out of memory");
    out->mesh_count = in->mNumMeshes;
    for (unsigned i = 0; i < in->mNumMeshes; i++)
        if (!copy_mesh(in->mMeshes[i], &out->meshes[i], why))
            return false;
    return true;
}

// ---- nodes
// ---------------------------------------------------------------------------------------

static struct mat4 to_mat(const struct aiMatrix4x4 *m)
{
    return (struct mat4){{m->a1, m->b1, m->c1, m->d1, m->a2, m->b2, m->c2, m->d2, m->a3, m->b3,
                          m->c3, m->d3, m->a4, m->b4, m->c4, m->d4}};
}

struct pending_node {
    const struct aiNode *node;
    struct mat4 parent;
};

/// Grows an array of `size`-byte elements to hold `count`; false: out of memory.
static bool grow(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return true;
    const size_t wanted = count * 2;
    void *grown = realloc(*array, wanted * size);
    if (!grown)
        return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

/// Depth first with a stack of its own: the file decides how deep it goes.
static bool copy_nodes(const struct aiScene *in, struct scene *out, struct failure *why)
{
    struct pending_node *stack = NULL;
    size_t depth = 0, stack_capacity = 0, instance_capacity = 0;
    bool fine = grow((void **)&stack, &stack_capacity, 1, sizeof *stack);
    if (fine)
        stack[depth++] = (struct pending_node){in->mRootNode, mat_identity()};
    while (fine && depth > 0) {
        const struct pending_node top = stack[--depth];
        const struct mat4 local = to_mat(&top.node->mTransformation),
                          world = mat_multiply(&top.parent, &local);
        fine =
            grow((void **)&out->instances, &instance_capacity,
                 out->instance_count + (size_t)top.node->mNumMeshes, sizeof *out->instances) &&
            grow((void **)&stack, &stack_capacity, depth + top.node->mNumChildren, sizeof *stack);
        for (unsigned i = 0; fine && i < top.node->mNumMeshes; i++)
            if (out->meshes[top.node->mMeshes[i]].index_count > 0)
                out->instances[out->instance_count++] =
                    (struct scene_instance){top.node->mMeshes[i], world};
        for (unsigned i = top.node->mNumChildren; fine && i-- > 0;)
            stack[depth++] = (struct pending_node){top.node->mChildren[i], world};
    }
    free(stack);
    return fine || failure_set(why, "out of memory");
}

// ---- importing
// -----------------------------------------------------------------------------------

/// The last material of a glTF scene is the default one.
static uint32_t gltf_material(const struct aiScene *in, unsigned index, uint32_t count)
{
    struct aiString name;
    if (aiGetMaterialString(in->mMaterials[index], AI_MATKEY_NAME, &name) != aiReturn_SUCCESS)
        return count - 1;
    char *end;
    const unsigned long number = strtoul(name.data, &end, 10);
    return end != name.data && *end == 0 && number < count ? (uint32_t)number : count - 1;
}

static bool copy_scene(const struct aiScene *in, bool is_gltf, struct scene *out,
                       struct failure *why)
{
    if (!copy_meshes(in, out, why) || !copy_nodes(in, out, why))
        return false;
    for (unsigned i = 0; i < in->mNumMeshes; i++) {
        const unsigned material = in->mMeshes[i]->mMaterialIndex;
        out->meshes[i].material =
            is_gltf ? gltf_material(in, material, out->material_count) : material;
    }
    return true;
}

/// Imports from `packed`, or from the file if it is empty, in two steps: what was read is looked at
/// before anything is computed from it.
static const struct aiScene *import(const char *path, const struct bytes *packed,
                                    struct failure *why)
{
    struct import_log log = {0};
    struct aiLogStream stream = {on_log, (char *)&log};
    aiAttachLogStream(&stream);
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_SBP_REMOVE,
                               aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    // Triangles without an area have no normal. By area alone small models would vanish.
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_FD_REMOVE, 1);
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_FD_CHECKAREA, 0);
    aiSetImportPropertyFloat(properties, AI_CONFIG_PP_GSN_MAX_SMOOTHING_ANGLE, SMOOTH_ANGLE);
    const struct aiScene *in =
        packed->data ? aiImportFileFromMemoryWithProperties(
                           (const char *)packed->data, (unsigned)packed->size, 0, "glb", properties)
                     : aiImportFileExWithProperties(path, 0, NULL, properties);
    if (!in)
        failure_set(why, "%s", aiGetErrorString());
    else if (!in->mRootNode || in->mNumMeshes == 0)
        failure_set(why, "the model has no triangles to draw");
    else if (!coordinates_are_sound(in))
        failure_set(why, "a vertex is not finite or too large");
    else if (!aiApplyPostProcessing(in, post_processing)) {
        failure_set(why, "%s", aiGetErrorString());
        in = NULL; // assimp has freed it
    } else if (log.dropped[0])
        failure_set(why, "faces of the model are broken (%s)", log.dropped);
    else
        why->text[0] = 0;
    aiReleasePropertyStore(properties);
    aiDetachLogStream(&stream);
    if (in && why->text[0]) {
        aiReleaseImport(in);
        in = NULL;
    }
    return in;
}

static bool import_scene(const char *path, const struct bytes *packed, struct scene *out,
                         struct failure *why)
{
    const struct aiScene *in = import(path, packed, why);
    if (!in)
        return false;
    const bool is_gltf = packed->data != NULL;
    const bool fine =
        (is_gltf || scene_obj_materials(in, path, out, why)) && copy_scene(in, is_gltf, out, why);
    aiReleaseImport(in);
    return fine;
}

static bool load_gltf(const char *path, struct scene *out, struct failure *why)
{
    struct gltf gltf;
    struct bytes packed = {0};
    if (!gltf_open(path, &gltf, why))
        return false;
    const bool fine = gltf_load_materials(&gltf, out, why) && gltf_load_cameras(&gltf, out, why) &&
                      gltf_pack(&gltf, &packed, why) && import_scene(path, &packed, out, why);
    bytes_finish(&packed);
    gltf_finish(&gltf);
    return fine;
}

static bool load_obj(const char *path, struct scene *out, struct failure *why)
{
    struct bytes file, none = {0};
    if (!file_read(path, &file, why)) // assimp would not say why
        return false;
    bytes_finish(&file);
    return import_scene(path, &none, out, why);
}

bool scene_load(const char *path, struct scene *out, struct failure *why)
{
    *out = (struct scene){0};
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    bool fine;
    if (dot && (strcasecmp(dot, ".gltf") == 0 || strcasecmp(dot, ".glb") == 0))
        fine = load_gltf(path, out, why);
    else if (dot && strcasecmp(dot, ".obj") == 0)
        fine = load_obj(path, out, why);
    else
        fine = failure_set(why, "an unknown kind of model; .gltf, .glb and .obj can be read");
    if (fine && scene_measure(out, why))
        return true;
    scene_finish(out);
    return failure_prefix(why, path);
}
