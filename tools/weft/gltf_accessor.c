// Buffer views and accessors: every range is proved to lie inside its buffer before it is read.
#include "gltf.h"

#include <stdlib.h>
#include <string.h>

enum {
    TYPE_BYTE = 5120,
    TYPE_UBYTE = 5121,
    TYPE_SHORT = 5122,
    TYPE_USHORT = 5123,
    TYPE_UINT = 5125,
    TYPE_FLOAT = 5126,
};

static uint32_t component_bytes(uint32_t type)
{
    switch (type) {
    case TYPE_BYTE:
    case TYPE_UBYTE:
        return 1;
    case TYPE_SHORT:
    case TYPE_USHORT:
        return 2;
    case TYPE_UINT:
    case TYPE_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static uint32_t component_count(const char *type)
{
    static const struct {
        const char *name;
        uint32_t count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].name) == 0)
            return types[i].count;
    return 0;
}

static bool check_view(struct gltf *gltf, uint32_t index, struct failure *why)
{
    json_t *object = gltf_object(gltf, "bufferViews", index);
    uint64_t offset = 0, size = 0, stride = 0;
    uint32_t buffer = GLTF_NONE;
    if (!object || !gltf_reference(object, "buffer", gltf->buffer_count, &buffer) ||
        buffer == GLTF_NONE)
        return failure_set(why, "bufferViews[%u]: it names no buffer of the file", index);
    if (!gltf_uint(object, "byteOffset", UINT32_MAX, &offset) ||
        !gltf_uint(object, "byteLength", UINT32_MAX, &size) || size == 0 ||
        !gltf_uint(object, "byteStride", 252, &stride))
        return failure_set(why, "bufferViews[%u]: its offset, length or stride is no size", index);
    const size_t available = gltf->buffers[buffer].size;
    if (offset > available || size > available - offset)
        return failure_set(
            why, "bufferViews[%u]: bytes %llu to %llu are beyond buffers[%u], which has %zu", index,
            (unsigned long long)offset, (unsigned long long)offset + size, buffer, available);
    gltf->views[index] = (struct gltf_view){buffer, (size_t)offset, (size_t)size, (size_t)stride};
    return true;
}

/// Whether `count` elements of `bytes`, `stride` apart from `offset`, lie inside the view.
static bool range_fits(const struct gltf_view *view, uint64_t offset, uint64_t stride,
                       uint64_t bytes, uint64_t count)
{
    return offset <= view->size && stride * (count - 1) + bytes <= view->size - offset;
}

/// The substituted elements of a sparse accessor.
static bool check_sparse(struct gltf *gltf, json_t *sparse, struct gltf_accessor *out,
                         size_t element, struct failure *why)
{
    json_t *indices = json_object_get(sparse, "indices"),
           *values = json_object_get(sparse, "values");
    uint64_t count = 0, type = 0, index_offset = 0, value_offset = 0;
    if (!gltf_uint(sparse, "count", out->count, &count) || count == 0)
        return failure_set(why, "its sparse count is no number up to its count");
    if (!gltf_uint(indices, "componentType", UINT32_MAX, &type) ||
        (type != TYPE_UBYTE && type != TYPE_USHORT && type != TYPE_UINT))
        return failure_set(why, "its sparse indices are not unsigned integers");
    if (!gltf_reference(indices, "bufferView", gltf->view_count, &out->sparse_index_view) ||
        !gltf_reference(values, "bufferView", gltf->view_count, &out->sparse_value_view) ||
        out->sparse_index_view == GLTF_NONE || out->sparse_value_view == GLTF_NONE ||
        !gltf_uint(indices, "byteOffset", UINT32_MAX, &index_offset) ||
        !gltf_uint(values, "byteOffset", UINT32_MAX, &value_offset))
        return failure_set(why, "its sparse part names no buffer view of the file");
    const uint64_t index_bytes = component_bytes((uint32_t)type);
    if (!range_fits(&gltf->views[out->sparse_index_view], index_offset, index_bytes, index_bytes,
                    count) ||
        !range_fits(&gltf->views[out->sparse_value_view], value_offset, element, element, count))
        return failure_set(why, "its sparse part is beyond its buffer view");
    out->sparse_count = (uint32_t)count;
    out->sparse_index_type = (uint32_t)type;
    out->sparse_index_offset = (size_t)index_offset;
    out->sparse_value_offset = (size_t)value_offset;
    return true;
}

static bool check_accessor(struct gltf *gltf, json_t *object, struct gltf_accessor *out,
                           struct failure *why)
{
    uint64_t offset = 0, count = 0, type = 0;
    if (!gltf_uint(object, "count", GLTF_MAX_COUNT, &count) || count == 0)
        return failure_set(why, "its count is no number from 1 to %u", GLTF_MAX_COUNT);
    if (!gltf_uint(object, "componentType", UINT32_MAX, &type) ||
        component_bytes((uint32_t)type) == 0)
        return failure_set(why, "its componentType is none of glTF's");
    const uint32_t components = component_count(json_string_value(json_object_get(object, "type")));
    if (components == 0)
        return failure_set(why, "its type is none of glTF's");
    *out =
        (struct gltf_accessor){.count = (uint32_t)count,
                               .components = components,
                               .component_type = (uint32_t)type,
                               .normalized = json_is_true(json_object_get(object, "normalized"))};
    if (!gltf_reference(object, "bufferView", gltf->view_count, &out->view) ||
        !gltf_uint(object, "byteOffset", UINT32_MAX, &offset))
        return failure_set(why, "it names no buffer view of the file");
    const size_t element = (size_t)components * component_bytes((uint32_t)type);
    if (out->view != GLTF_NONE) {
        const struct gltf_view *view = &gltf->views[out->view];
        out->offset = (size_t)offset;
        out->stride = view->stride ? view->stride : element;
        if (!range_fits(view, offset, out->stride, element, count))
            return failure_set(why, "%llu elements are beyond bufferViews[%u], which has %zu bytes",
                               (unsigned long long)count, out->view, view->size);
    }
    json_t *sparse = json_object_get(object, "sparse");
    return !sparse || check_sparse(gltf, sparse, out, element, why);
}

/// Zeros that no byte of the file stands for: a small file must not claim much memory.
static bool check_claims(const struct gltf *gltf, struct failure *why)
{
    uint64_t claimed = 0;
    for (uint32_t i = 0; i < gltf->accessor_count; i++)
        if (gltf->accessors[i].view == GLTF_NONE)
            claimed += gltf->accessors[i].count;
    return claimed <= GLTF_MAX_COUNT / 16 ||
           failure_set(why, "accessors without a buffer view claim %llu elements",
                       (unsigned long long)claimed);
}

bool gltf_check_accessors(struct gltf *gltf, struct failure *why)
{
    const size_t views = gltf_length(gltf, "bufferViews"),
                 accessors = gltf_length(gltf, "accessors");
    gltf->views = calloc(views + 1, sizeof *gltf->views);
    gltf->accessors = calloc(accessors + 1, sizeof *gltf->accessors);
    if (!gltf->views || !gltf->accessors)
        return failure_set(why, "out of memory");
    gltf->view_count = (uint32_t)views;
    for (uint32_t i = 0; i < views; i++)
        if (!check_view(gltf, i, why))
            return false;
    gltf->accessor_count = (uint32_t)accessors;
    for (uint32_t i = 0; i < accessors; i++) {
        json_t *object = gltf_object(gltf, "accessors", i);
        char what[32];
        (void)snprintf(what, sizeof what, "accessors[%u]", i);
        if (!object)
            return failure_set(why, "%s: not an object", what);
        if (!check_accessor(gltf, object, &gltf->accessors[i], why))
            return failure_prefix(why, what);
    }
    return check_claims(gltf, why);
}

// ---- reading ------------------------------------------------------------------------------------

static uint32_t read_uint(const uint8_t *bytes, uint32_t type)
{
    if (type == TYPE_UBYTE)
        return bytes[0];
    if (type == TYPE_USHORT)
        return bytes[0] | (uint32_t)bytes[1] << 8;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float read_component(const uint8_t *bytes, uint32_t type, bool normalized)
{
    switch (type) {
    case TYPE_BYTE:
        return normalized ? fmaxf((float)(int8_t)bytes[0] / 127, -1) : (float)(int8_t)bytes[0];
    case TYPE_UBYTE:
        return normalized ? (float)bytes[0] / 255 : (float)bytes[0];
    case TYPE_SHORT: {
        const int16_t value = (int16_t)read_uint(bytes, TYPE_USHORT);
        return normalized ? fmaxf((float)value / 32767, -1) : (float)value;
    }
    case TYPE_USHORT: {
        const uint32_t value = read_uint(bytes, type);
        return normalized ? (float)value / 65535 : (float)value;
    }
    case TYPE_UINT:
        return (float)read_uint(bytes, type);
    default: {
        float value;
        memcpy(&value, bytes, sizeof value);
        return value;
    }
    }
}

static const uint8_t *view_bytes(const struct gltf *gltf, uint32_t view)
{
    return gltf->buffers[gltf->views[view].buffer].data + gltf->views[view].offset;
}

/// The bytes of an element; NULL: zeros. The indices of a sparse part rise, so they are searched by
/// halves.
static const uint8_t *element_bytes(const struct gltf *gltf, const struct gltf_accessor *a,
                                    uint32_t index)
{
    const uint32_t index_bytes = component_bytes(a->sparse_index_type);
    uint32_t low = 0, high = a->sparse_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint8_t *at = view_bytes(gltf, a->sparse_index_view) + a->sparse_index_offset +
                            middle * (size_t)index_bytes;
        const uint32_t value = read_uint(at, a->sparse_index_type);
        if (value == index)
            return view_bytes(gltf, a->sparse_value_view) + a->sparse_value_offset +
                   middle * (size_t)a->components * component_bytes(a->component_type);
        if (value < index)
            low = middle + 1;
        else
            high = middle;
    }
    return a->view == GLTF_NONE ? NULL : view_bytes(gltf, a->view) + a->offset + index * a->stride;
}

void gltf_accessor_floats(const struct gltf *gltf, const struct gltf_accessor *accessor,
                          uint32_t index, float out[4])
{
    memset(out, 0, 4 * sizeof *out);
    const uint8_t *bytes = element_bytes(gltf, accessor, index);
    const size_t size = component_bytes(accessor->component_type);
    for (uint32_t c = 0; bytes && c < accessor->components && c < 4; c++)
        out[c] = read_component(bytes + c * size, accessor->component_type, accessor->normalized);
}

uint32_t gltf_accessor_index(const struct gltf *gltf, const struct gltf_accessor *accessor,
                             uint32_t index)
{
    const uint8_t *bytes = element_bytes(gltf, accessor, index);
    return bytes ? read_uint(bytes, accessor->component_type) : 0;
}
