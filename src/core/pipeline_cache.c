#include "core/pipeline_cache.h"

#include "base/hash.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

#define MAX_BYTES (UINT64_C(256) << 20)

/// What the file begins with. The driver's bytes follow.
struct header {
    char magic[8];
    uint32_t version, backend;
    uint64_t size; ///< Of what follows.
    struct wf_base_hash128 whose, what;
};

static const char magic[8] = "weftpipe";
enum { VERSION = 1 };

/// Names the library, the adapter and the driver.
static struct wf_base_hash128 identity(const struct weft_device *dev)
{
    char text[512];
    const int length =
        snprintf(text, sizeof text, "%d.%d.%d|%s|%s", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR,
                 WEFT_VERSION_PATCH, dev->caps.name, dev->caps.driver);
    return wf_base_hash_bytes128(text, (size_t)length, 0);
}

static struct header header_of(const struct weft_device *dev, const void *data, size_t size)
{
    struct header h = {.version = VERSION,
                       .backend = (uint32_t)dev->caps.backend,
                       .size = size,
                       .whose = identity(dev),
                       .what = wf_base_hash_bytes128(data, size, VERSION)};
    memcpy(h.magic, magic, sizeof h.magic);
    return h;
}

static uint64_t hash_of(const void *data, size_t size)
{
    return wf_base_hash_bytes(data, size) | 1; // 0 is none
}

// ---- reading -----------------------------------------------------------------------------------

/// How many bytes follow the header of a plain file; 0: it is none, or too large, or empty.
static size_t payload_size(FILE *file)
{
    const uint64_t size = wf_base_file_size(file);
    return size > sizeof(struct header) && size <= MAX_BYTES ? (size_t)size - sizeof(struct header)
                                                             : 0;
}

static void load(struct weft_device *dev, FILE *file)
{
    struct header h;
    const size_t size = payload_size(file);
    void *data = size ? wf_base_alloc(dev->allocator, size) : NULL;
    if (!data)
        return;
    if (fread(&h, sizeof h, 1, file) == 1 && fread(data, 1, size, file) == size) {
        const struct header wanted = header_of(dev, data, size);
        if (memcmp(&h, &wanted, sizeof h) == 0 &&
            dev->ops->pipeline_cache_load(dev->hal, data, size))
            dev->pipeline_cache_was = hash_of(data, size);
    }
    wf_base_free(dev->allocator, data, size);
}

bool wf_core_pipeline_cache_open(struct weft_device *dev, const char *path)
{
    if (!path || !path[0] || !wf_core_has(dev, WEFT_FEATURE_PIPELINE_CACHE))
        return true;
    const size_t size = strlen(path) + 1;
    dev->pipeline_cache = wf_base_alloc(dev->allocator, size);
    if (!dev->pipeline_cache)
        return false;
    memcpy(dev->pipeline_cache, path, size);
    FILE *file = wf_base_file_open(path);
    if (file) {
        load(dev, file);
        (void)fclose(file);
    }
    return true;
}

// ---- writing -----------------------------------------------------------------------------------

static bool replace(struct weft_device *dev, const struct header *h, const void *data)
{
    const char *path = dev->pipeline_cache;
    const size_t room = strlen(path) + sizeof WF_BASE_FILE_BESIDE;
    char *name = wf_base_alloc(dev->allocator, room);
    if (!name)
        return false;
    FILE *file = wf_base_file_create_beside(path, name, room);
    bool fine = file != NULL;
    if (file) {
        fine = fwrite(h, sizeof *h, 1, file) == 1 && fwrite(data, 1, h->size, file) == h->size;
        fine &= fclose(file) == 0;
        fine = fine && wf_base_file_replace(name, path);
        if (!fine)
            wf_base_file_remove(name);
    }
    wf_base_free(dev->allocator, name, room);
    return fine;
}

static bool save(struct weft_device *dev)
{
    size_t size = 0;
    if (!dev->ops->pipeline_cache_save(dev->hal, NULL, &size) || size == 0)
        return true;
    const size_t room = size;
    void *data = wf_base_alloc(dev->allocator, room);
    if (!data)
        return false;
    bool fine = dev->ops->pipeline_cache_save(dev->hal, data, &size);
    if (fine && hash_of(data, size) != dev->pipeline_cache_was) {
        const struct header h = header_of(dev, data, size);
        fine = replace(dev, &h, data);
    }
    wf_base_free(dev->allocator, data, room);
    return fine;
}

void wf_core_pipeline_cache_close(struct weft_device *dev)
{
    if (!dev->pipeline_cache)
        return;
    if (wf_core_ready(dev) && !save(dev))
        wf_base_log(&dev->log, WF_BASE_LOG_WARNING, "the pipeline cache %s could not be written",
                    dev->pipeline_cache);
    wf_base_free(dev->allocator, dev->pipeline_cache, strlen(dev->pipeline_cache) + 1);
    dev->pipeline_cache = NULL;
}
