// What assimp takes on trust: meshes and nodes.
#include "gltf.h"

#include <stdlib.h>
#include <string.h>

#define TYPE_UBYTE 5121u
#define TYPE_FLOAT 5126u
#define MODE_MAX   6u

// ---- meshes -------------------------------------------------------------------------------------

/// Attributes that are drawn, and the components that they may have.
static const struct attribute {
    const char *name;
    uint32_t min, max;
    bool only_float;
} attributes[] = {{"POSITION", 3, 3, true},    {"NORMAL", 3, 3, true},
                  {"TANGENT", 4, 4, true},     {"TEXCOORD_0", 2, 2, false},
                  {"TEXCOORD_1", 2, 2, false}, {"COLOR_0", 3, 4, false}};

/// Sums of such numbers stay finite, and sorting by them is sound.
#define COORDINATE_MAX 1e18f

static bool check_positions(const struct gltf *gltf, uint32_t index, struct failure *why)
{
    const struct gltf_accessor *accessor = &gltf->accessors[index];
    for (uint32_t i = 0; i < accessor->count; i++) {
        float value[4];
        gltf_accessor_floats(gltf, accessor, i, value);
        for (int c = 0; c < 3; c++)
            if (!(fabsf(value[c]) <= COORDINATE_MAX))
                return failure_set(why, "position %u of accessors[%u] is not finite or too large",
                                   i, index);
    }
    return true;
}

/// Counts work before it is done, so that a small file cannot ask for much.
static bool count_elements(struct gltf *gltf, json_t *attributes_of, uint32_t indices,
                           struct failure *why)
{
    uint32_t positions = GLTF_NONE;
    (void)gltf_reference(attributes_of, "POSITION", gltf->accessor_count, &positions);
    gltf->elements += positions == GLTF_NONE ? 0 : gltf->accessors[positions].count;
    gltf->elements += indices == GLTF_NONE ? 0 : gltf->accessors[indices].count;
    return gltf->elements <= GLTF_MAX_COUNT ||
           failure_set(why, "the meshes have more than %u vertices and indices in all",
                       GLTF_MAX_COUNT);
}

static bool check_attribute(const struct gltf *gltf, json_t *object,
                            const struct attribute *attribute, uint32_t *count, struct failure *why)
{
    uint32_t index;
    if (!gltf_reference(object, attribute->name, gltf->accessor_count, &index))
        return failure_set(why, "%s is no accessor of the file", attribute->name);
    if (index == GLTF_NONE)
        return true;
    const struct gltf_accessor *accessor = &gltf->accessors[index];
    if (accessor->components < attribute->min || accessor->components > attribute->max)
        return failure_set(why, "%s (accessors[%u]) has %u components", attribute->name, index,
                           accessor->components);
    const bool is_float = accessor->component_type == TYPE_FLOAT;
    if (!is_float && (attribute->only_float || !accessor->normalized))
        return failure_set(why, "%s (accessors[%u]) has component type %u", attribute->name, index,
                           accessor->component_type);
    if (*count == 0)
        *count = accessor->count;
    if (accessor->count != *count)
        return failure_set(why, "%s (accessors[%u]) has %u elements, POSITION has %u",
                           attribute->name, index, accessor->count, *count);
    return attribute != attributes || check_positions(gltf, index, why);
}

static bool check_indices(const struct gltf *gltf, uint32_t index, uint32_t vertex_count,
                          struct failure *why)
{
    const struct gltf_accessor *accessor = &gltf->accessors[index];
    const uint32_t type = accessor->component_type;
    if (accessor->components != 1 || (type != TYPE_UBYTE && type != 5123 && type != 5125))
        return failure_set(why, "indices (accessors[%u]) are not unsigned integers", index);
    for (uint32_t i = 0; i < accessor->count; i++) {
        const uint32_t value = gltf_accessor_index(gltf, accessor, i);
        if (value >= vertex_count)
            return failure_set(why, "index %u of accessors[%u] is %u, but there are %u vertices", i,
                               index, value, vertex_count);
    }
    return true;
}

static bool check_primitive(struct gltf *gltf, json_t *primitive, struct failure *why)
{
    uint64_t mode = 4;
    uint32_t material, indices, count = 0;
    if (!json_is_object(primitive))
        return failure_set(why, "not an object");
    if (!gltf_uint(primitive, "mode", MODE_MAX, &mode))
        return failure_set(why, "mode is none of glTF's");
    if (!gltf_reference(primitive, "material", gltf_length(gltf, "materials"), &material))
        return failure_set(why, "its material is none of the file");
    if (!gltf_reference(primitive, "indices", gltf->accessor_count, &indices))
        return failure_set(why, "indices is no accessor of the file");
    json_t *object = json_object_get(primitive, "attributes");
    if (!count_elements(gltf, object, indices, why))
        return false;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (!check_attribute(gltf, object, &attributes[i], &count, why))
            return false;
    return count == 0 || indices == GLTF_NONE || check_indices(gltf, indices, count, why);
}

bool gltf_check_meshes(struct gltf *gltf, struct failure *why)
{
    for (size_t m = 0; m < gltf_length(gltf, "meshes"); m++) {
        json_t *primitives = json_object_get(gltf_object(gltf, "meshes", m), "primitives");
        if (json_array_size(primitives) == 0)
            return failure_set(why, "meshes[%zu]: it has no primitives", m);
        for (size_t p = 0; p < json_array_size(primitives); p++) {
            if (check_primitive(gltf, json_array_get(primitives, p), why))
                continue;
            char what[64];
            (void)snprintf(what, sizeof what, "meshes[%zu].primitives[%zu]", m, p);
            return failure_prefix(why, what);
        }
    }
    return true;
}

// ---- nodes --------------------------------------------------------------------------------------

/// A node's own references and numbers; its children learn their parent.
static bool check_node(struct gltf *gltf, uint32_t index, struct failure *why)
{
    json_t *node = gltf_object(gltf, "nodes", index);
    uint32_t reference;
    if (!node)
        return failure_set(why, "nodes[%u]: not an object", index);
    if (!gltf_reference(node, "mesh", gltf_length(gltf, "meshes"), &reference) ||
        !gltf_reference(node, "camera", gltf_length(gltf, "cameras"), &reference))
        return failure_set(why, "nodes[%u]: its mesh or camera is none of the file", index);
    const struct mat4 matrix = gltf_node_matrix(node);
    if (!mat_is_finite(&matrix))
        return failure_set(why, "nodes[%u]: its transform is not finite", index);
    json_t *children = json_object_get(node, "children");
    for (size_t i = 0; i < json_array_size(children); i++) {
        const json_t *child = json_array_get(children, i);
        const json_int_t number = json_is_integer(child) ? json_integer_value(child) : -1;
        if (number < 0 || number >= gltf->node_count)
            return failure_set(why, "nodes[%u]: a child is no node of the file", index);
        if (number == index)
            return failure_set(why, "nodes[%u]: it is its own child", index);
        if (gltf->parents[number] != GLTF_NONE)
            return failure_set(why, "nodes[%lld]: it has two parents, nodes[%u] and nodes[%u]",
                               (long long)number, gltf->parents[number], index);
        gltf->parents[number] = index;
    }
    return true;
}

/// Appends what lies below order[from] onwards, level by level. False: deeper than the limit.
static bool walk_down(struct gltf *gltf, uint32_t *order, uint32_t from, uint32_t *count)
{
    uint32_t level_end = *count, depth = 1;
    for (uint32_t i = from; i < *count; i++) {
        if (i == level_end) {
            level_end = *count;
            if (++depth > GLTF_MAX_DEPTH)
                return false;
        }
        json_t *children = json_object_get(gltf_object(gltf, "nodes", order[i]), "children");
        for (size_t c = 0; c < json_array_size(children); c++)
            order[(*count)++] = (uint32_t)json_integer_value(json_array_get(children, c));
    }
    return true;
}

/// Every node hangs below a root: otherwise some run in a circle.
static bool check_trees(struct gltf *gltf, struct failure *why)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < gltf->node_count; i++)
        if (gltf->parents[i] == GLTF_NONE)
            gltf->order[count++] = i;
    if (!walk_down(gltf, gltf->order, 0, &count))
        return failure_set(why, "nodes are nested more than %u deep", GLTF_MAX_DEPTH);
    return count == gltf->node_count || failure_set(why, "nodes are their own descendants");
}

/// Marks a root that the scene has named.
#define LISTED (GLTF_NONE - 1)

/// Fills order with the nodes of the scene that is drawn; without scenes it stays all of them.
static bool choose_scene(struct gltf *gltf, struct failure *why)
{
    uint32_t scene, count = 0;
    const size_t scenes = gltf_length(gltf, "scenes");
    gltf->order_count = gltf->node_count;
    if (!gltf_reference(gltf->root, "scene", scenes, &scene))
        return failure_set(why, "scene is none of the file");
    if (scenes == 0)
        return true;
    const json_t *roots =
        json_object_get(gltf_object(gltf, "scenes", scene == GLTF_NONE ? 0 : scene), "nodes");
    for (size_t i = 0; i < json_array_size(roots); i++) {
        const json_t *root = json_array_get(roots, i);
        const json_int_t number = json_is_integer(root) ? json_integer_value(root) : -1;
        if (number < 0 || number >= gltf->node_count || gltf->parents[number] != GLTF_NONE)
            return failure_set(why,
                               "the scene lists %lld, which is no root node or is listed twice",
                               (long long)number);
        gltf->parents[number] = LISTED;
        gltf->order[count++] = (uint32_t)number;
    }
    for (uint32_t i = 0; i < count; i++)
        gltf->parents[gltf->order[i]] = GLTF_NONE;
    walk_down(gltf, gltf->order, 0, &count);
    gltf->order_count = count;
    return true;
}

bool gltf_check_nodes(struct gltf *gltf, struct failure *why)
{
    const size_t count = gltf_length(gltf, "nodes");
    gltf->node_count = (uint32_t)count;
    gltf->parents = malloc((count + 1) * sizeof *gltf->parents);
    gltf->order = malloc((count + 1) * sizeof *gltf->order);
    if (!gltf->parents || !gltf->order)
        return failure_set(why, "out of memory");
    memset(gltf->parents, 0xff, (count + 1) * sizeof *gltf->parents);
    for (uint32_t i = 0; i < count; i++)
        if (!check_node(gltf, i, why))
            return false;
    return check_trees(gltf, why) && choose_scene(gltf, why);
}
