// The canonical .glb for assimp: only nodes, meshes and plain accessors of floats and 32-bit
// indices.
#include "gltf.h"

#include <stdlib.h>
#include <string.h>

/// What an accessor becomes.
enum kind { KIND_FLOATS = 0, KIND_COLOR, KIND_INDICES, KIND_COUNT };

struct packer {
    const struct gltf *gltf;
    uint8_t *data;
    size_t size, capacity;
    json_t *views, *accessors;
    uint32_t *packed[KIND_COUNT]; ///< By accessor: its new number, or GLTF_NONE.
    bool failed;                  ///< Out of memory.
};

static uint8_t *reserve(struct packer *packer, size_t size)
{
    if (size > packer->capacity - packer->size) {
        size_t capacity = packer->capacity * 2 + size + 4096;
        uint8_t *data = realloc(packer->data, capacity);
        if (!data) {
            packer->failed = true;
            return NULL;
        }
        packer->data = data;
        packer->capacity = capacity;
    }
    uint8_t *at = packer->data + packer->size;
    packer->size += size;
    return at;
}

static void write_floats(struct packer *packer, const struct gltf_accessor *accessor,
                         uint32_t components, uint8_t *at)
{
    for (uint32_t i = 0; i < accessor->count; i++) {
        float value[4];
        gltf_accessor_floats(packer->gltf, accessor, i, value);
        if (components > accessor->components)
            value[3] = 1; // a color without alpha is opaque
        for (int c = 0; c < 4; c++)
            if (!isfinite(value[c]))
                value[c] = 0; // a broken normal or texture coordinate is no reason to draw nothing
        memcpy(at + i * (size_t)components * 4, value, (size_t)components * 4);
    }
}

static void write_indices(struct packer *packer, const struct gltf_accessor *accessor, uint8_t *at)
{
    for (uint32_t i = 0; i < accessor->count; i++) {
        const uint32_t value = gltf_accessor_index(packer->gltf, accessor, i);
        memcpy(at + i * (size_t)4, &value, 4);
    }
}

/// The new number of an accessor, which is written when it is first asked for.
static uint32_t pack_accessor(struct packer *packer, uint32_t index, enum kind kind)
{
    uint32_t *known = &packer->packed[kind][index];
    if (*known != GLTF_NONE || packer->failed)
        return *known;
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const struct gltf_accessor *accessor = &packer->gltf->accessors[index];
    const uint32_t components = kind == KIND_COLOR ? 4 : accessor->components;
    const size_t offset = packer->size, size = (size_t)accessor->count * components * 4;
    uint8_t *at = reserve(packer, size);
    if (!at)
        return *known;
    if (kind == KIND_INDICES)
        write_indices(packer, accessor, at);
    else
        write_floats(packer, accessor, components, at);
    *known = (uint32_t)json_array_size(packer->accessors);
    json_array_append_new(packer->views,
                          json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset",
                                    (json_int_t)offset, "byteLength", (json_int_t)size));
    json_array_append_new(packer->accessors,
                          json_pack("{s:i, s:i, s:i, s:s}", "bufferView", (int)*known,
                                    "componentType", kind == KIND_INDICES ? 5125 : 5126, "count",
                                    (int)accessor->count, "type", types[components]));
    return *known;
}

static void pack_attribute(struct packer *packer, json_t *from, json_t *to, const char *name)
{
    uint32_t index;
    gltf_reference(from, name, packer->gltf->accessor_count, &index);
    if (index == GLTF_NONE)
        return;
    const enum kind kind = strcmp(name, "COLOR_0") == 0 ? KIND_COLOR : KIND_FLOATS;
    json_object_set_new(to, name, json_integer(pack_accessor(packer, index, kind)));
}

/// NULL: a primitive without positions, which is not drawn.
static json_t *pack_primitive(struct packer *packer, json_t *from)
{
    static const char *const names[] = {"POSITION",   "NORMAL",     "TANGENT",
                                        "TEXCOORD_0", "TEXCOORD_1", "COLOR_0"};
    json_t *attributes = json_object_get(from, "attributes");
    uint64_t mode = 4;
    uint32_t indices, material;
    gltf_uint(from, "mode", 6, &mode);
    gltf_reference(from, "indices", packer->gltf->accessor_count, &indices);
    gltf_reference(from, "material", gltf_length(packer->gltf, "materials"), &material);
    if (!json_object_get(attributes, "POSITION") || mode < 4)
        return NULL;
    json_t *packed = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        pack_attribute(packer, attributes, packed, names[i]);
    json_t *to = json_pack("{s:o, s:i}", "attributes", packed, "mode", (int)mode);
    if (indices != GLTF_NONE)
        json_object_set_new(to, "indices",
                            json_integer(pack_accessor(packer, indices, KIND_INDICES)));
    if (material != GLTF_NONE)
        json_object_set_new(to, "material", json_integer(material));
    return to;
}

/// `numbers` tells each mesh's new number; GLTF_NONE: nothing of it is drawn.
static json_t *pack_meshes(struct packer *packer, uint32_t *numbers)
{
    json_t *meshes = json_array();
    for (size_t m = 0; m < gltf_length(packer->gltf, "meshes"); m++) {
        json_t *from = json_object_get(gltf_object(packer->gltf, "meshes", m), "primitives");
        json_t *primitives = json_array();
        for (size_t p = 0; p < json_array_size(from); p++) {
            json_t *primitive = pack_primitive(packer, json_array_get(from, p));
            if (primitive)
                json_array_append_new(primitives, primitive);
        }
        const bool empty = json_array_size(primitives) == 0;
        numbers[m] = empty ? GLTF_NONE : (uint32_t)json_array_size(meshes);
        if (empty)
            json_decref(primitives);
        else
            json_array_append_new(meshes, json_pack("{s:o}", "primitives", primitives));
    }
    return meshes;
}

static json_t *pack_node(const struct packer *packer, uint32_t index, const uint32_t *meshes)
{
    json_t *from = gltf_object(packer->gltf, "nodes", index), *to = json_object(),
           *matrix = json_array();
    json_t *children = json_object_get(from, "children");
    if (json_array_size(children) > 0)
        json_object_set(to, "children", children);
    uint32_t mesh;
    gltf_reference(from, "mesh", gltf_length(packer->gltf, "meshes"), &mesh);
    if (mesh != GLTF_NONE && meshes[mesh] != GLTF_NONE)
        json_object_set_new(to, "mesh", json_integer(meshes[mesh]));
    const struct mat4 local = gltf_node_matrix(from);
    for (int i = 0; i < 16; i++)
        json_array_append_new(matrix, json_real(local.m[i]));
    json_object_set_new(to, "matrix", matrix);
    return to;
}

static json_t *pack_nodes(const struct packer *packer, const uint32_t *meshes)
{
    json_t *nodes = json_array();
    for (uint32_t i = 0; i < packer->gltf->node_count; i++)
        json_array_append_new(nodes, pack_node(packer, i, meshes));
    return nodes;
}

/// The roots of the scene that is drawn.
static json_t *pack_scene(const struct gltf *gltf)
{
    json_t *roots = json_array();
    for (uint32_t i = 0; i < gltf->order_count; i++)
        if (gltf->parents[gltf->order[i]] == GLTF_NONE)
            json_array_append_new(roots, json_integer(gltf->order[i]));
    return roots;
}

static json_t *pack_materials(const struct gltf *gltf)
{
    json_t *materials = json_array();
    for (size_t i = 0; i < gltf_length(gltf, "materials"); i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%zu", i);
        json_array_append_new(materials, json_pack("{s:s}", "name", name));
    }
    return materials;
}

static void put_u32(uint8_t *at, size_t value)
{
    const uint32_t word = (uint32_t)value;
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

/// Header, JSON chunk, binary chunk.
static bool assemble(const struct packer *packer, const char *json, struct bytes *out)
{
    const size_t length = strlen(json), text = (length + 3) / 4 * 4,
                 data = (packer->size + 3) / 4 * 4;
    if (text + data > UINT32_MAX - 64)
        return false;
    out->size = 12 + 8 + text + 8 + data;
    out->data = calloc(1, out->size);
    if (!out->data)
        return false;
    memcpy(out->data, "glTF", 4);
    put_u32(out->data + 4, 2);
    put_u32(out->data + 8, out->size);
    put_u32(out->data + 12, text);
    memcpy(out->data + 16, "JSON", 4);
    memset(out->data + 20, ' ', text);
    memcpy(out->data + 20, json, length);
    put_u32(out->data + 20 + text, data);
    memcpy(out->data + 24 + text, "BIN", 4);
    if (packer->size > 0)
        memcpy(out->data + 28 + text, packer->data, packer->size);
    return true;
}

static json_t *pack_root(struct packer *packer, uint32_t *mesh_numbers)
{
    json_t *meshes = pack_meshes(packer, mesh_numbers);
    return json_pack("{s:{s:s}, s:i, s:[{s:o}], s:o, s:o, s:o, s:O, s:O, s:[{s:I}]}", "asset",
                     "version", "2.0", "scene", 0, "scenes", "nodes", pack_scene(packer->gltf),
                     "nodes", pack_nodes(packer, mesh_numbers), "meshes", meshes, "materials",
                     pack_materials(packer->gltf), "accessors", packer->accessors, "bufferViews",
                     packer->views, "buffers", "byteLength", (json_int_t)packer->size);
}

bool gltf_pack(const struct gltf *gltf, struct bytes *out, struct failure *why)
{
    *out = (struct bytes){0};
    struct packer packer = {.gltf = gltf, .views = json_array(), .accessors = json_array()};
    const size_t meshes = gltf_length(gltf, "meshes"),
                 table = ((size_t)gltf->accessor_count + 1) * sizeof(uint32_t);
    uint32_t *numbers = calloc(meshes + 1, sizeof *numbers);
    bool fine = numbers != NULL;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        packer.packed[kind] = malloc(table);
        fine = fine && packer.packed[kind];
        if (packer.packed[kind])
            memset(packer.packed[kind], 0xff, table);
    }
    json_t *root = fine ? pack_root(&packer, numbers) : NULL;
    char *json =
        root && !packer.failed ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    fine = json && assemble(&packer, json, out);
    free(json);
    json_decref(root);
    json_decref(packer.views);
    json_decref(packer.accessors);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        free(packer.packed[kind]);
    free(packer.data);
    free(numbers);
    return fine || failure_set(why, "out of memory for the model");
}
