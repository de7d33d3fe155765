/// \file gltf.h
/// A glTF 2.0 file: read, checked from end to end, and packed anew for assimp.
///
/// assimp crashes on deep node chains and drops faces whose indices are out of range. So the file
/// is checked first, without recursion, and assimp is then given a canonical .glb that holds only
/// what was checked: nodes, meshes and plain accessors. Materials, pictures and cameras are taken
/// from the JSON directly.
#pragma once

#include "file.h"
#include "scene.h"

#include <jansson.h>

/// Nodes below one another. assimp walks them by recursion.
#define GLTF_MAX_DEPTH 1000u
/// Elements of one accessor, and of all primitives together: many may share one accessor.
#define GLTF_MAX_COUNT (1u << 27)

#define GLTF_NONE UINT32_MAX

struct gltf_view {
    uint32_t buffer;
    size_t offset, size, stride; ///< stride 0: tight.
};

struct gltf_accessor {
    uint32_t view; ///< GLTF_NONE: zeros.
    size_t offset, stride;
    uint32_t count;
    uint32_t components;     ///< 1–16.
    uint32_t component_type; ///< glTF's number, such as 5126.
    bool normalized;
    uint32_t sparse_count, sparse_index_view, sparse_value_view;
    uint32_t sparse_index_type;
    size_t sparse_index_offset, sparse_value_offset;
};

struct gltf {
    const char *path;
    json_t *root;
    struct bytes chunk; ///< The binary chunk of a .glb; buffer 0 without a URI.
    struct bytes *buffers;
    struct gltf_view *views;
    struct gltf_accessor *accessors;
    uint32_t buffer_count, view_count, accessor_count;
    uint32_t *parents; ///< Of each node; GLTF_NONE: a root.
    uint32_t *order;   ///< The drawn scene's nodes, parents before children.
    uint32_t node_count, order_count;
    uint64_t elements; ///< Of all primitives' vertices and indices together.
};

/// Reads the container, the JSON and the buffers.
bool gltf_read(const char *path, struct gltf *out, struct failure *why);
/// Fills views and accessors; every range is inside its buffer.
bool gltf_check_accessors(struct gltf *gltf, struct failure *why);
/// Meshes use accessors of the right kind, and every index is below the number of vertices.
bool gltf_check_meshes(struct gltf *gltf, struct failure *why);
/// Nodes are trees without cycles, not too deep. Fills parents and order.
bool gltf_check_nodes(struct gltf *gltf, struct failure *why);
/// All of the above.
bool gltf_open(const char *path, struct gltf *out, struct failure *why);
void gltf_finish(struct gltf *gltf);

/// Element `index` as floats (normalised types scaled); missing components are 0.
void gltf_accessor_floats(const struct gltf *gltf, const struct gltf_accessor *accessor,
                          uint32_t index, float out[4]);
/// Element `index` of a scalar integer accessor.
uint32_t gltf_accessor_index(const struct gltf *gltf, const struct gltf_accessor *accessor,
                             uint32_t index);

/// The .glb for assimp. Materials are named by their number.
bool gltf_pack(const struct gltf *gltf, struct bytes *out, struct failure *why);

/// Pictures and materials of the file.
bool gltf_load_materials(const struct gltf *gltf, struct scene *scene, struct failure *why);
/// A warning for each kind of thing in the file that is not drawn.
void gltf_warn_ignored(const struct gltf *gltf);
/// Cameras in the drawn scene.
bool gltf_load_cameras(const struct gltf *gltf, struct scene *scene, struct failure *why);

// ---- helpers for JSON ---------------------------------------------------------------------------

/// The object at `index` of the root's array `key`; NULL if it is not there or no object.
json_t *gltf_object(const struct gltf *gltf, const char *key, size_t index);
/// Length of the root's array `key`; 0 if there is none.
size_t gltf_length(const struct gltf *gltf, const char *key);
/// Reads member `key` of `object` as an integer from 0 to `max`. Absent: `*out` keeps its value.
/// False: it is there and is something else.
bool gltf_uint(json_t *object, const char *key, uint64_t max, uint64_t *out);
/// Reads `key` as a reference below `count`; absent: GLTF_NONE.
bool gltf_reference(json_t *object, const char *key, size_t count, uint32_t *out);
/// Number of `key`, or `fallback`.
float gltf_number(json_t *object, const char *key, float fallback);
/// Fills `out` from the array `key` if it has `count` numbers.
bool gltf_numbers(json_t *object, const char *key, float *out, size_t count);
/// Local transform of a node.
struct mat4 gltf_node_matrix(json_t *node);
