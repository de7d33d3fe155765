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

void *wf_core_get(struct weft_device *dev, const struct wf_core_origin *origin,
                  weft_object_kind kind, struct wf_base_handle handle)
{
    void *hot = wf_base_pool_hot(&dev->pools[kind], handle);
    return hot ? hot : wf_core_handle_bad(dev, origin, kind, handle);
}

struct wf_base_handle wf_core_take(struct weft_device *dev, weft_object_kind kind,
                                   const char *label)
{
    const bool reserved = wf_core_retire_reserve(dev);
    const struct wf_base_handle h =
        reserved ? wf_base_pool_take(&dev->pools[kind]) : (struct wf_base_handle){0, 0};
    if (h.index == 0) {
        if (reserved)
            wf_core_retire_unreserve(dev);
        wf_core_failed(&(struct wf_core_subject){.dev = dev,
                                                 .object = wf_core_object(kind, 0, 0),
                                                 .label = label ? label : ""},
                       WEFT_ERROR_MEMORY, "create another object of this kind");
        return h;
    }
    struct wf_core_cold *cold = wf_base_pool_cold(&dev->pools[kind], h);
    if (cold) // it is alive
        wf_core_label_set(cold->label, label);
    return h;
}

void wf_core_give(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle)
{
    if (wf_base_pool_give(&dev->pools[kind], handle))
        wf_core_retire_unreserve(dev);
}

bool wf_core_end(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle,
                 void *hot, size_t size)
{
    if (handle.index == 0 && handle.generation == 0)
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

struct size {
    weft_object_kind kind;
    uint32_t hot, cold, capacity;
};

static const struct size sizes[] = {
#define OBJECT(name, KIND, capacity)                                                               \
    {WEFT_OBJECT_##KIND, sizeof(struct wf_core_##name), sizeof(struct wf_core_##name##_cold),      \
     (capacity)},
#include "core/objects.def"
#undef OBJECT
};

bool wf_core_pools_init(struct weft_device *dev)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const struct wf_base_pool_desc desc = {
            .hot_size = sizes[i].hot,
            .cold_size = sizes[i].cold,
            .capacity = sizes[i].capacity,
            .tag = dev->tag,
        };
        if (!wf_base_pool_init(&dev->pools[sizes[i].kind], dev->allocator, &desc))
            return false;
    }
    return true;
}

void wf_core_pools_finish(struct weft_device *dev)
{
    for (size_t i = 0; i < WF_CORE_KINDS; ++i) {
        wf_base_pool_finish(&dev->pools[i]);
        memset(&dev->pools[i], 0, sizeof dev->pools[i]);
    }
}
