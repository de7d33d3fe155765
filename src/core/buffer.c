#include "core/check.h"
#include "core/upload.h"
#include "core/watch.h"

#include <string.h>

static weft_buffer_desc buffer_desc_defaults(const weft_buffer_desc *desc)
{
    weft_buffer_desc full = *desc;
    if (full.usage == 0)
        full.usage = WEFT_BUFFER_USAGE_COPY_DST;
    if (full.memory == WEFT_MEMORY_AUTO)
        full.memory = full.data || full.place.native ? WEFT_MEMORY_GPU : WEFT_MEMORY_DEFAULT;
    return full;
}

/// What the hal sees: no handles, and COPY_DST where the belt brings the first contents.
static weft_buffer_desc hal_desc(const weft_buffer_desc *desc)
{
    weft_buffer_desc bare = *desc;
    if (bare.data && bare.memory == WEFT_MEMORY_GPU)
        bare.usage |= WEFT_BUFFER_USAGE_COPY_DST;
    bare.data = NULL;
    bare.place = (weft_placement){0};
    bare.label = bare.label ? bare.label : "";
    return bare;
}

static void adopt(struct weft_device *dev, struct wf_core_buffer *buf, struct wf_hal_buffer *hal)
{
    buf->hal = hal;
    buf->size = hal->size;
    buf->mapped = hal->mapped;
    buf->address = buf->usage & WEFT_BUFFER_USAGE_ADDRESS ? hal->address : 0;
    (void)dev;
}

static weft_result fill(struct weft_device *dev, struct wf_core_buffer *buf, const void *data)
{
    if (!buf->mapped)
        return wf_core_upload_buffer(dev, buf->hal, 0, data, buf->size);
    memcpy(buf->mapped, data, buf->size); // nothing can be using it yet
    dev->ops->buffer_flush(dev->hal, buf->hal, 0, buf->size);
    return WEFT_OK;
}

static weft_result back(struct weft_device *dev, const weft_buffer_desc *desc,
                        struct wf_core_buffer *buf)
{
    const weft_buffer_desc bare = hal_desc(desc);
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_BUFFER, bare.label);
    struct wf_hal_placement place = {0};
    struct wf_hal_native native;
    weft_result result = WEFT_OK;
    if (desc->place.native) {
        if (!wf_core_native_place(&on, &desc->place, &native))
            return WEFT_ERROR_USAGE;
        place.native = &native;
        buf->native = true;
    } else if (!weft_memory_block_is_none(desc->place.block)) {
        struct wf_core_placed placed = {.on = on, .memory = desc->memory};
        dev->ops->buffer_needs(dev->hal, &bare, &placed.needs);
        result = wf_core_place(&desc->place, &placed, &place);
        if (result != WEFT_OK)
            return result;
        buf->block = desc->place.block;
    }
    struct wf_hal_buffer *hal;
    result = dev->ops->buffer_create(dev->hal, &bare, &place, &hal);
    if (result != WEFT_OK)
        return wf_core_native_failed(&on, result, place.native);
    adopt(dev, buf, hal);
    return WEFT_OK;
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    dev->ops->buffer_destroy(dev->hal, object);
}

void wf_core_buffer_discard(struct weft_device *dev, void *object)
{
    struct wf_core_buffer *buf = object;
    wf_core_unplace(dev, buf->block);
    wf_core_retire(dev, release, buf->hal, 0, buf->native ? 0 : buf->size);
}

weft_result wf_core_buffer_new(struct weft_device *dev, const weft_buffer_desc *resolved,
                               bool internal, weft_buffer *out)
{
    struct wf_core_buffer *buf = wf_core_buffer_take(dev, resolved->label, out);
    if (!buf)
        return WEFT_ERROR_MEMORY;
    buf->usage = resolved->usage;
    buf->memory = resolved->memory;
    buf->internal = internal;
    struct wf_core_buffer_cold *cold = wf_core_buffer_cold(dev, *out);
    cold->desc = *resolved;
    cold->desc.data = NULL;
    cold->desc.place.native = NULL;
    cold->desc.label = NULL;
    weft_result result = back(dev, resolved, buf);
    if (result == WEFT_OK && !internal)
        wf_core_watch_buffer(dev, buf->hal, wf_core_buffer_object(*out));
    if (result != WEFT_OK) {
        wf_core_unplace(dev, buf->block);
        wf_core_buffer_give(dev, out);
        return result;
    }
    if (resolved->data)
        result = fill(dev, buf, resolved->data);
    if (result != WEFT_OK) { // the belt may have recorded a part of it: it goes as all others do
        wf_core_buffer_destroy(dev, *out);
        *out = (weft_buffer){0};
    }
    return result;
}

weft_result weft_buffer_create(weft_device *device, const weft_buffer_desc *desc, weft_buffer *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const weft_buffer_desc full = buffer_desc_defaults(desc);
    if (device->validate && !wf_core_check_buffer_desc(device, &full))
        return WEFT_ERROR_USAGE;
    return wf_core_buffer_new(device, &full, false, out);
}

void weft_buffer_destroy(weft_device *device, weft_buffer buffer)
{
    if (!device)
        return;
    const struct wf_core_buffer *live = wf_core_buffer_find(device, buffer);
    if (live && live->internal) {
        wf_core_broken_object(device, wf_core_buffer_object(buffer), WEFT_RULE_OBJECT_NOT_YOURS,
                              "This buffer is the library's own.");
        return;
    }
    wf_core_buffer_destroy(device, buffer);
}

void *weft_buffer_map(weft_device *device, weft_buffer buffer, uint64_t offset, uint64_t size)
{
    const struct wf_core_buffer *buf = wf_core_buffer_get(device, buffer);
    if (!buf)
        return NULL;
    if (!buf->mapped) {
        wf_core_broken_object(device, wf_core_buffer_object(buffer), WEFT_RULE_BUFFER_NOT_MAPPED,
                              "This buffer is GPU memory.");
        return NULL;
    }
    if (!wf_core_check_buffer_range(device, buffer, buf, offset, size, "Mapping"))
        return NULL;
    return buf->mapped + offset;
}

weft_result weft_buffer_flush(weft_device *device, weft_buffer buffer, uint64_t offset,
                              uint64_t size)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_buffer *buf = wf_core_buffer_get(device, buffer);
    if (!buf)
        return WEFT_ERROR_USAGE;
    if (!buf->mapped) {
        wf_core_broken_object(device, wf_core_buffer_object(buffer), WEFT_RULE_BUFFER_NOT_MAPPED,
                              "This buffer is GPU memory.");
        return WEFT_ERROR_USAGE;
    }
    if (!wf_core_check_buffer_range(device, buffer, buf, offset, size, "Flushing"))
        return WEFT_ERROR_USAGE;
    device->ops->buffer_flush(device->hal, buf->hal, offset, size);
    return WEFT_OK;
}

weft_gpu_ptr weft_buffer_address(weft_device *device, weft_buffer buffer)
{
    const struct wf_core_buffer *buf = wf_core_buffer_get(device, buffer);
    if (!buf)
        return 0;
    const struct wf_core_subject on = wf_core_about(device, wf_core_buffer_object(buffer));
    if (!wf_core_need(&on, WEFT_FEATURE_POINTERS, "An address"))
        return 0;
    if (!(buf->usage & WEFT_BUFFER_USAGE_ADDRESS))
        wf_core_broken(&on, WEFT_RULE_BUFFER_ADDRESS_USAGE,
                       "This buffer was created with usage 0x%x.", buf->usage);
    return buf->address;
}

weft_result wf_core_buffer_back(struct weft_device *dev, weft_buffer handle, uint64_t size)
{
    struct wf_core_buffer *buf = wf_core_buffer_find(dev, handle);
    struct wf_core_buffer_cold *cold = wf_core_buffer_cold(dev, handle);
    const struct wf_core_subject on = wf_core_about(dev, wf_core_buffer_object(handle));
    weft_buffer_desc desc = hal_desc(&cold->desc);
    desc.size = size;
    desc.usage = buf->hal->usage;
    desc.label = cold->base.label;
    if (!wf_core_retire_reserve(dev))
        return wf_core_failed(&on, WEFT_ERROR_MEMORY, "rebind a buffer");
    struct wf_hal_buffer *hal;
    const weft_result result =
        dev->ops->buffer_create(dev->hal, &desc, &(struct wf_hal_placement){0}, &hal);
    if (result != WEFT_OK) {
        wf_core_retire_unreserve(dev);
        return wf_core_failed(&on, result, "rebind a buffer");
    }
    struct wf_hal_buffer *old = buf->hal;
    cold->desc.size = size;
    adopt(dev, buf, hal);
    ++buf->backing;
    if (!buf->internal)
        wf_core_watch_buffer(dev, hal, wf_core_buffer_object(handle));
    wf_core_retire(dev, release, old, 0, old->size);
    return WEFT_OK;
}

weft_result weft_buffer_rebind(weft_device *device, weft_buffer buffer)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_buffer *buf = wf_core_buffer_get(device, buffer);
    if (!buf)
        return WEFT_ERROR_USAGE;
    if (buf->internal || buf->native || !weft_memory_block_is_none(buf->block)) {
        wf_core_broken_object(device, wf_core_buffer_object(buffer), WEFT_RULE_BUFFER_REBIND_PLACED,
                              buf->internal ? "This buffer is the library's own."
                              : buf->native ? "This buffer is the host's own."
                                            : "This buffer is placed in a memory block.");
        return WEFT_ERROR_USAGE;
    }
    return wf_core_buffer_back(device, buffer, buf->size);
}

weft_result weft_buffer_write(weft_device *device, weft_buffer buffer, uint64_t offset,
                              const void *data, uint64_t size)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_buffer *buf = wf_core_buffer_get(device, buffer);
    if (!buf)
        return WEFT_ERROR_USAGE;
    if (size && !wf_core_given(device, data, "data"))
        return WEFT_ERROR_USAGE;
    if (device->validate && !wf_core_check_buffer_write(device, buffer, buf, offset, size))
        return WEFT_ERROR_USAGE;
    return size ? wf_core_upload_buffer(device, buf->hal, offset, data, size) : WEFT_OK;
}

bool weft_buffer_get_desc(weft_device *device, weft_buffer buffer, weft_buffer_desc *out)
{
    if (!wf_core_given(device, out, WF_CORE_RESULT))
        return false;
    *out = (weft_buffer_desc){0};
    if (!wf_core_buffer_get(device, buffer))
        return false;
    *out = wf_core_buffer_cold(device, buffer)->desc;
    return true;
}

weft_result weft_buffer_memory_needs(weft_device *device, const weft_buffer_desc *desc,
                                     weft_memory_needs *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    weft_buffer_desc full = buffer_desc_defaults(desc);
    full.place = (weft_placement){0}; // asked before there is a place
    if (device->validate && !wf_core_check_buffer_desc(device, &full))
        return WEFT_ERROR_USAGE;
    const weft_buffer_desc bare = hal_desc(&full);
    device->ops->buffer_needs(device->hal, &bare, out);
    return WEFT_OK;
}
