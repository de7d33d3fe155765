// Models through assimp: glTF in the packed form of gltf_pack(), OBJ from its file.
#include "gltf.h"
#include "scene_child.h"
#include "scene_mesh.h"
#include "scene_obj.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/// Vertex coordinates beyond it are refused; gltf_check.c has the same bound.
#define COORDINATE_MAX 1e18f

// ---- assimp's log -------------------------------------------------------------------------------

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

// ---- meshes -------------------------------------------------------------------------------------

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

static void copy_tangent(const struct aiMesh *in, unsigned i, struct vec3 normal, float out[4])
{
    const struct vec3 tangent = vec_normalize(to_vec(&in->mTangents[i]));
    out[0] = tangent.x;
    out[1] = tangent.y;
    out[2] = tangent.z;
    out[3] = vec_dot(vec_cross(normal, tangent), to_vec(&in->mBitangents[i])) < 0 ? -1 : 1;
}

static void copy_vertex(const struct aiMesh *in, unsigned i, struct scene_vertex *out)
{
    const struct aiVector3D *p = &in->mVertices[i];
    // Adding 0 makes -0 the same as 0, so that equal positions have equal bytes.
    *out = (struct scene_vertex){.position = {p->x + 0, p->y + 0, p->z + 0},
                                 .color = {255, 255, 255, 255}};
    struct vec3 normal = {0, 1, 0};
    if (in->mNormals && vec_is_finite(to_vec(&in->mNormals[i])))
        normal = vec_normalize(to_vec(&in->mNormals[i]));
    out->normal[0] = normal.x;
    out->normal[1] = normal.y;
    out->normal[2] = normal.z;
    if (in->mTangents && in->mBitangents)
        copy_tangent(in, i, normal, out->tangent);
    if (in->mTextureCoords[0])
        copy_uv(&in->mTextureCoords[0][i], out->uv);
    if (in->mTextureCoords[1])
        copy_uv(&in->mTextureCoords[1][i], out->uv + 2);
    if (in->mColors[0])
        copy_color(&in->mColors[0][i], out->color);
}

/// Triangles only: what is less counts as `*thin`, and is left out.
static bool copy_mesh(const struct aiMesh *in, struct scene_mesh *out, size_t *thin,
                      struct failure *why)
{
    if (in->mNumFaces > UINT32_MAX / 16)
        return failure_set(why, "a mesh of %u triangles is too large", in->mNumFaces);
    out->vertices = malloc((size_t)in->mNumFaces * 3 * sizeof *out->vertices + 1);
    if (!out->vertices)
        return failure_set(why, "out of memory for a mesh of %u triangles", in->mNumFaces);
    for (unsigned f = 0; f < in->mNumFaces; f++) {
        const struct aiFace *face = &in->mFaces[f];
        *thin += face->mNumIndices != 3;
        for (unsigned c = 0; face->mNumIndices == 3 && c < 3; c++) {
            if (face->mIndices[c] >= in->mNumVertices)
                return failure_set(why, "a face names vertex %u of %u", face->mIndices[c],
                                   in->mNumVertices);
            copy_vertex(in, face->mIndices[c], &out->vertices[out->vertex_count++]);
        }
    }
    const struct scene_given given = {.normals = in->mNormals != NULL,
                                      .tangents = in->mTangents && in->mBitangents};
    return scene_mesh_complete(out, given, why);
}

static bool copy_meshes(const struct aiScene *in, const char *path, struct scene *out,
                        struct failure *why)
{
    size_t thin = 0;
    out->meshes = calloc(in->mNumMeshes + (size_t)1, sizeof *out->meshes);
    if (!out->meshes)
        return failure_set(why, "out of memory");
    out->mesh_count = in->mNumMeshes;
    for (unsigned i = 0; i < in->mNumMeshes; i++)
        if (!copy_mesh(in->mMeshes[i], &out->meshes[i], &thin, why))
            return false;
    if (thin > 0)
        say_warning("%s: %zu point(s) or line(s) are not drawn", path, thin);
    return true;
}

// ---- nodes --------------------------------------------------------------------------------------

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

// ---- importing ----------------------------------------------------------------------------------

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

/// What is to be imported.
struct import_job {
    const char *path;
    const struct bytes *packed; ///< Empty: the file.
};

static bool copy_scene(const struct aiScene *in, const struct import_job *job, struct scene *out,
                       struct failure *why)
{
    const bool is_gltf = job->packed->data != NULL;
    if (!copy_meshes(in, job->path, out, why) || !copy_nodes(in, out, why))
        return false;
    for (unsigned i = 0; i < in->mNumMeshes; i++) {
        const unsigned material = in->mMeshes[i]->mMaterialIndex;
        out->meshes[i].material =
            is_gltf ? gltf_material(in, material, out->material_count) : material;
    }
    return true;
}

/// Imports from `packed`, or from the file if it is empty. Of assimp's later steps only the one
/// that cannot fail is used: when one does, version 5.2 frees the model twice.
static const struct aiScene *import(const char *path, const struct bytes *packed,
                                    struct failure *why)
{
    struct import_log log = {0};
    struct aiLogStream stream = {on_log, (char *)&log};
    aiAttachLogStream(&stream);
    const struct aiScene *in =
        packed->data ? aiImportFileFromMemory((const char *)packed->data, (unsigned)packed->size,
                                              aiProcess_Triangulate, "glb")
                     : aiImportFile(path, aiProcess_Triangulate);
    aiDetachLogStream(&stream);
    bool fine = false;
    if (!in)
        failure_set(why, "%s", aiGetErrorString());
    else if (!in->mRootNode || in->mNumMeshes == 0)
        failure_set(why, "the model has no triangles to draw");
    else if (!coordinates_are_sound(in))
        failure_set(why, "a vertex is not finite or too large");
    else if (log.dropped[0])
        failure_set(why, "faces of the model are broken (%s)", log.dropped);
    else
        fine = true;
    if (in && !fine)
        aiReleaseImport(in);
    return fine ? in : NULL;
}

/// In a process of its own.
static bool import_scene(void *user, struct scene *out, struct failure *why)
{
    const struct import_job *job = user;
    const struct aiScene *in = import(job->path, job->packed, why);
    if (!in)
        return false;
    const bool fine = (job->packed->data || scene_obj_materials(in, job->path, out, why)) &&
                      copy_scene(in, job, out, why);
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
                      gltf_pack(&gltf, &packed, why) &&
                      scene_child_run(import_scene, &(struct import_job){path, &packed}, out, why);
    if (fine)
        gltf_warn_ignored(&gltf);
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
    return scene_child_run(import_scene, &(struct import_job){path, &none}, out, why);
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
