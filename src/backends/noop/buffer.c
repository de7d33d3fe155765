#include "backends/noop/noop.h"

/// Only mapped buffers have bytes: the host may write to them.
static bool has_bytes(weft_memory memory)
{
    return memory != WEFT_MEMORY_GPU;
}

weft_result wf_noop_buffer_create(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                                  const struct wf_hal_placement *place, struct wf_hal_buffer **out)
{
    (void)place;
    struct wf_noop_device *noop = wf_noop_device(dev);
    *out = NULL;
    struct wf_hal_buffer *buf = wf_noop_new(dev, sizeof *buf);
    if (!buf)
        return WEFT_ERROR_MEMORY;
    buf->size = desc->size;
    buf->usage = desc->usage;
    buf->memory = desc->memory;
    if (has_bytes(desc->memory)) {
        buf->mapped = wf_base_alloc_zero(dev->allocator, (size_t)desc->size);
        if (!buf->mapped) {
            wf_base_free(dev->allocator, buf, sizeof *buf);
            return WEFT_ERROR_DEVICE_MEMORY;
        }
    }
    if (desc->usage & WEFT_BUFFER_USAGE_ADDRESS)
        buf->address = atomic_fetch_add(&noop->next_address, (desc->size + 511) & ~UINT64_C(255));
    atomic_fetch_add(&noop->allocated, desc->size);
    *out = buf;
    return WEFT_OK;
}

void wf_noop_buffer_destroy(struct wf_hal_device *dev, struct wf_hal_buffer *buf)
{
    atomic_fetch_sub(&wf_noop_device(dev)->allocated, buf->size);
    wf_base_free(dev->allocator, buf->mapped, (size_t)buf->size);
    wf_base_free(dev->allocator, buf, sizeof *buf);
}

void wf_noop_buffer_flush(struct wf_hal_device *dev, struct wf_hal_buffer *buf, uint64_t offset,
                          uint64_t size)
{
    (void)dev, (void)buf, (void)offset, (void)size;
}
