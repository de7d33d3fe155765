#include "gltf.h"

json_t *gltf_object(const struct gltf *gltf, const char *key, size_t index)
{
    json_t *object = json_array_get(json_object_get(gltf->root, key), index);
    return json_is_object(object) ? object : NULL;
}

size_t gltf_length(const struct gltf *gltf, const char *key)
{
    return json_array_size(json_object_get(gltf->root, key));
}

bool gltf_uint(json_t *object, const char *key, uint64_t max, uint64_t *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    if (json_is_real(value)) { // some exporters write 3.0
        const double number = json_real_value(value);
        if (!(number >= 0 && number <= (double)max) || number != floor(number))
            return false;
        *out = (uint64_t)number;
        return *out <= max;
    }
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (uint64_t)json_integer_value(value);
    return *out <= max;
}

bool gltf_reference(json_t *object, const char *key, size_t count, uint32_t *out)
{
    *out = GLTF_NONE;
    if (!json_object_get(object, key))
        return true;
    uint64_t value = 0;
    if (count == 0 || !gltf_uint(object, key, count - 1, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

float gltf_number(json_t *object, const char *key, float fallback)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? (float)json_number_value(value) : fallback;
}

bool gltf_numbers(json_t *object, const char *key, float *out, size_t count)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array) || json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!json_is_number(json_array_get(array, i)))
            return false;
    for (size_t i = 0; i < count; i++)
        out[i] = (float)json_number_value(json_array_get(array, i));
    return true;
}

struct mat4 gltf_node_matrix(json_t *node)
{
    struct mat4 matrix;
    if (gltf_numbers(node, "matrix", matrix.m, 16))
        return matrix;
    float t[3] = {0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    gltf_numbers(node, "translation", t, 3);
    gltf_numbers(node, "rotation", q, 4);
    gltf_numbers(node, "scale", s, 3);
    return mat_from_trs(t, q, s);
}
