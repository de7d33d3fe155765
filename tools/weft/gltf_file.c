// The container of a glTF file: .glb chunks or plain JSON, and the buffers that it names.
#include "gltf.h"

#include <stdlib.h>
#include <string.h>

#define GLB_MAGIC      0x46546c67u // "glTF"
#define GLB_CHUNK_JSON 0x4e4f534au
#define GLB_CHUNK_BIN  0x004e4942u

static uint32_t read_u32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/// Where the chunks of a .glb lie.
struct chunks {
    const uint8_t *json, *bin;
    size_t json_size, bin_size;
};

static bool find_chunks(const struct bytes *file, struct chunks *out, struct failure *why)
{
    if (file->size < 20)
        return failure_set(why, "truncated: a .glb has a header of 20 bytes");
    if (read_u32(file->data + 4) != 2)
        return failure_set(why, "glTF version %u; only 2 can be read", read_u32(file->data + 4));
    const size_t length = read_u32(file->data + 8);
    if (length > file->size || length < 20)
        return failure_set(why, "truncated: the header says %zu bytes, the file has %zu", length,
                           file->size);
    for (size_t at = 12; at + 8 <= length;) {
        const size_t size = read_u32(file->data + at);
        const uint32_t type = read_u32(file->data + at + 4);
        at += 8;
        if (size > length - at)
            return failure_set(why, "truncated: a chunk of %zu bytes where %zu are left", size,
                               length - at);
        if (type == GLB_CHUNK_JSON && !out->json) {
            out->json = file->data + at;
            out->json_size = size;
        } else if (type == GLB_CHUNK_BIN && !out->bin) {
            out->bin = file->data + at;
            out->bin_size = size;
        }
        at += size;
    }
    return out->json || failure_set(why, "a .glb without a JSON chunk");
}

static bool copy_bytes(const uint8_t *data, size_t size, struct bytes *out, struct failure *why)
{
    out->data = malloc(size + 1);
    if (!out->data)
        return failure_set(why, "out of memory for %zu bytes", size);
    memcpy(out->data, data, size);
    out->size = size;
    return true;
}

static bool parse_json(struct gltf *gltf, const void *text, size_t size, struct failure *why)
{
    json_error_t error;
    gltf->root = json_loadb(text, size, JSON_ALLOW_NUL, &error);
    if (!gltf->root)
        return failure_set(why, "broken JSON at line %d, column %d: %s", error.line, error.column,
                           error.text);
    if (!json_is_object(gltf->root))
        return failure_set(why, "the JSON is not an object");
    return true;
}

static bool read_container(struct gltf *gltf, struct failure *why)
{
    struct bytes file;
    if (!file_read(gltf->path, &file, why))
        return false;
    bool fine;
    if (file.size >= 4 && read_u32(file.data) == GLB_MAGIC) {
        struct chunks chunks = {0};
        fine = find_chunks(&file, &chunks, why) &&
               parse_json(gltf, chunks.json, chunks.json_size, why) &&
               (!chunks.bin || copy_bytes(chunks.bin, chunks.bin_size, &gltf->chunk, why));
    } else {
        fine = file.size > 0 ? parse_json(gltf, file.data, file.size, why)
                             : failure_set(why, "the file is empty");
    }
    bytes_finish(&file);
    return fine;
}

/// Extensions whose absence of support would only change the look are ignored; these are known.
static bool is_known_extension(const char *name)
{
    static const char *const known[] = {
        "KHR_texture_transform", "KHR_materials_unlit",    "KHR_materials_emissive_strength",
        "KHR_materials_ior",     "KHR_materials_specular", "KHR_materials_clearcoat",
        "KHR_materials_sheen",   "KHR_lights_punctual"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

static bool check_header(const struct gltf *gltf, struct failure *why)
{
    const char *version =
        json_string_value(json_object_get(json_object_get(gltf->root, "asset"), "version"));
    if (!version)
        return failure_set(why, "not a glTF file: asset.version is missing");
    if (version[0] != '2' || version[1] != '.')
        return failure_set(why, "glTF version %s; only 2.x can be read", version);
    size_t i;
    json_t *name;
    json_array_foreach(json_object_get(gltf->root, "extensionsRequired"), i, name)
    {
        const char *text = json_string_value(name);
        if (!text || !is_known_extension(text))
            return failure_set(why, "it requires the extension %s, which is not supported",
                               text ? text : "?");
    }
    return true;
}

static bool read_buffer(struct gltf *gltf, uint32_t index, struct failure *why)
{
    struct bytes *out = &gltf->buffers[index];
    json_t *buffer = gltf_object(gltf, "buffers", index);
    uint64_t length = 0;
    if (!buffer || !json_object_get(buffer, "byteLength") ||
        !gltf_uint(buffer, "byteLength", UINT32_MAX, &length))
        return failure_set(why, "buffers[%u]: byteLength is missing or no size", index);

    const char *uri = json_string_value(json_object_get(buffer, "uri"));
    char what[64];
    (void)snprintf(what, sizeof what, "buffers[%u]", index);
    if (!uri) {
        if (index != 0 || !gltf->chunk.data)
            return failure_set(why, "buffers[%u]: it has neither a URI nor a chunk of the file",
                               index);
        *out = gltf->chunk;
        gltf->chunk = (struct bytes){0};
    } else if (uri_is_data(uri)) {
        if (!uri_decode_data(uri, out, why))
            return failure_prefix(why, what);
    } else {
        char *name = uri_to_name(uri), *path = name ? file_beside(gltf->path, name) : NULL;
        const bool fine =
            path ? file_read(path, out, why) : failure_set(why, "a URI that is no file name");
        free(name);
        free(path);
        if (!fine)
            return failure_prefix(why, uri) || failure_prefix(why, what);
    }
    if (out->size < length)
        return failure_set(why, "buffers[%u]: byteLength is %llu, but there are %zu bytes", index,
                           (unsigned long long)length, out->size);
    return true;
}

static bool read_buffers(struct gltf *gltf, struct failure *why)
{
    const size_t count = gltf_length(gltf, "buffers");
    gltf->buffers = calloc(count + 1, sizeof *gltf->buffers);
    if (!gltf->buffers)
        return failure_set(why, "out of memory");
    gltf->buffer_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++)
        if (!read_buffer(gltf, i, why))
            return false;
    return true;
}

bool gltf_read(const char *path, struct gltf *out, struct failure *why)
{
    *out = (struct gltf){.path = path};
    return read_container(out, why) && check_header(out, why) && read_buffers(out, why);
}

bool gltf_open(const char *path, struct gltf *out, struct failure *why)
{
    if (gltf_read(path, out, why) && gltf_check_accessors(out, why) &&
        gltf_check_meshes(out, why) && gltf_check_nodes(out, why))
        return true;
    gltf_finish(out);
    return false;
}

void gltf_finish(struct gltf *gltf)
{
    for (uint32_t i = 0; gltf->buffers && i < gltf->buffer_count; i++)
        bytes_finish(&gltf->buffers[i]);
    bytes_finish(&gltf->chunk);
    free(gltf->buffers);
    free(gltf->views);
    free(gltf->accessors);
    free(gltf->parents);
    free(gltf->order);
    json_decref(gltf->root);
    *gltf = (struct gltf){0};
}
