#include "core/record.h"
#include "core/surface.h"
#include "core/timeline.h"

#include "base/text.h"

#include <string.h>

void wf_core_label_set(char out[WF_CORE_LABEL], const char *label)
{
    size_t used = 0;
    for (const char *at = label ? label : ""; *at;) {
        const size_t left = strlen(at);
        size_t length = wf_base_utf8_length(at, left);
        if (length == 0)
            length = 1; // not UTF-8: the byte itself
        if (used + length >= WF_CORE_LABEL)
            break;
        memcpy(out + used, at, length);
        used += length;
        at += length;
    }
    out[used] = '\0';
}

void *wf_core_get(struct weft_device *dev, struct wf_core_origin *origin, weft_object_kind kind,
                  struct wf_base_handle handle)
{
    void *hot = dev ? wf_base_pool_hot(&dev->pools[kind], handle) : NULL;
    return hot ? hot : wf_core_handle_bad(dev, origin, kind, handle);
}

void *wf_core_take(struct weft_device *dev, weft_object_kind kind, const char *label,
                   struct wf_base_handle *out)
{
    const bool reserved = wf_core_retire_reserve(dev);
    *out = reserved ? wf_base_pool_take(&dev->pools[kind]) : (struct wf_base_handle){0, 0};
    if (out->index == 0) {
        if (reserved)
            wf_core_retire_unreserve(dev);
        const struct wf_core_subject on = wf_core_about_new(dev, kind, label ? label : "");
        wf_core_failed(&on, WEFT_ERROR_MEMORY, "create another object of this kind");
        return NULL;
    }
    struct wf_core_cold *cold = wf_base_pool_cold(&dev->pools[kind], *out);
    if (cold) // it is alive
        wf_core_label_set(cold->label, label);
    return wf_base_pool_hot(&dev->pools[kind], *out);
}

weft_result wf_core_enter_result(struct weft_device *dev, void *out, size_t size)
{
    if (out)
        memset(out, 0, size);
    if (!wf_core_ready(dev))
        return wf_core_not_ready(dev);
    return wf_core_given(dev, out, WF_CORE_RESULT) ? WEFT_OK : WEFT_ERROR_USAGE;
}

weft_result wf_core_enter(struct weft_device *dev, const void *desc, void *out, size_t size)
{
    const weft_result entered = wf_core_enter_result(dev, out, size);
    if (entered == WEFT_OK && !wf_core_given(dev, desc, "description"))
        return WEFT_ERROR_USAGE;
    return entered;
}

bool wf_core_given(struct weft_device *dev, const void *pointer, const char *what)
{
    return dev && wf_core_check_given(&dev->on, pointer, what);
}

void wf_core_give(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle)
{
    if (wf_base_pool_give(&dev->pools[kind], handle))
        wf_core_retire_unreserve(dev);
}

bool wf_core_end(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle,
                 void *hot, size_t size)
{
    if (!dev || (handle.index == 0 && handle.generation == 0))
        return false;
    if (atomic_load(&dev->state) == WEFT_DEVICE_SHUT_DOWN)
        return false;
    const void *live = wf_base_pool_hot(&dev->pools[kind], handle);
    if (live)
        memcpy(hot, live, size);
    if (!live || !wf_base_pool_give(&dev->pools[kind], handle)) {
        wf_core_handle_bad(dev, NULL, kind, handle);
        return false;
    }
    return true;
}

const char *wf_core_label(struct weft_device *dev, weft_object object)
{
    if (object.kind == WEFT_OBJECT_DEVICE)
        return dev->label;
    if ((unsigned)object.kind >= WF_CORE_KINDS)
        return "";
    const struct wf_core_cold *cold = wf_base_pool_cold(
        &dev->pools[object.kind], (struct wf_base_handle){object.index, object.generation});
    return cold ? cold->label : "";
}

// In the order in which they are destroyed.
static const struct kind {
    weft_object_kind kind;
    uint32_t hot, cold, capacity;
    void (*discard)(struct weft_device *dev, void *hot);
} kinds[] = {
#define OBJECT(name, KIND, capacity)                                                               \
    {WEFT_OBJECT_##KIND, sizeof(struct wf_core_##name), sizeof(struct wf_core_##name##_cold),      \
     (capacity), wf_core_##name##_discard},
#include "core/objects.def"
#undef OBJECT
};

#define KINDS (sizeof kinds / sizeof kinds[0])

/// As large as the largest hot part.
union hot {
#define OBJECT(name, KIND, capacity) struct wf_core_##name name;
#include "core/objects.def"
#undef OBJECT
};

static void destroy(struct weft_device *dev, const struct kind *kind, struct wf_base_handle handle)
{
    union hot hot;
    if (wf_core_end(dev, kind->kind, handle, &hot, kind->hot))
        kind->discard(dev, &hot);
}

void wf_core_destroy(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle)
{
    const struct kind *k = kinds;
    while (k->kind != kind)
        ++k;
    destroy(dev, k, handle);
}

void wf_core_destroy_all(struct weft_device *dev)
{
    for (size_t i = 0; i < KINDS; ++i) {
        struct wf_base_handle h;
        struct wf_base_pool *pool = &dev->pools[kinds[i].kind];
        while (pool->chunks && (h = wf_base_pool_next(pool, 0)).index != 0)
            destroy(dev, &kinds[i], h);
    }
}

bool wf_core_pools_init(struct weft_device *dev)
{
    for (size_t i = 0; i < KINDS; ++i) {
        const struct wf_base_pool_desc desc = {
            .hot_size = kinds[i].hot,
            .cold_size = kinds[i].cold,
            .capacity = kinds[i].capacity,
            .generation_start = dev->newest_generation,
            .tag = dev->tag,
        };
        if (!wf_base_pool_init(&dev->pools[kinds[i].kind], dev->allocator, &desc))
            return false;
    }
    return true;
}

void wf_core_pools_finish(struct weft_device *dev)
{
    for (size_t i = 0; i < WF_CORE_KINDS; ++i) {
        if (dev->newest_generation < dev->pools[i].newest)
            dev->newest_generation = dev->pools[i].newest;
        wf_base_pool_finish(&dev->pools[i]);
        memset(&dev->pools[i], 0, sizeof dev->pools[i]);
    }
}
