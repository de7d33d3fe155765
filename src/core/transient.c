// Transient memory: one mapped buffer, cut into a slot for each frame in flight, each slot a bump
// allocator. What does not fit into a slot goes into buffers of its own for the rest of the frame;
// at the next advance the ring grows, under the same handle, to hold as much as was asked for.
#include "core/object.h"

#include "base/array.h"
#include "base/bits.h"

#include <inttypes.h>

#define FIRST_SLOT_BYTES (UINT64_C(256) << 10)
#define MAX_ALIGN        (UINT64_C(64) << 10)

struct wf_core_transient {
    struct wf_base_mutex lock;
    weft_buffer ring; ///< None until the first allocation.
    uint64_t slot_bytes;
    uint32_t slot;                   ///< The frame's.
    uint64_t used;                   ///< Of the slot.
    uint64_t wanted;                 ///< Bytes asked for in this frame, alignment included.
    uint64_t most;                   ///< Most ever wanted: the ring grows to it.
    uint64_t refused;                ///< A size of slots for which there was no memory; 0: none.
    uint64_t serials[WF_CORE_SLOTS]; ///< The last submission that can use the slot.
    weft_buffer *extra;              ///< Buffers for what did not fit.
    size_t extra_capacity;
    uint32_t extra_count;
    uint64_t extra_used; ///< Of the last one.
};

weft_result wf_core_transient_create(struct weft_device *dev)
{
    struct wf_core_transient *t = wf_base_alloc_zero(dev->allocator, sizeof *t);
    if (!t)
        return WEFT_ERROR_MEMORY;
    if (!wf_base_mutex_init(&t->lock)) {
        wf_base_free(dev->allocator, t, sizeof *t);
        return WEFT_ERROR_MEMORY;
    }
    t->slot_bytes = FIRST_SLOT_BYTES;
    dev->transient = t;
    return WEFT_OK;
}

void wf_core_transient_destroy(struct weft_device *dev)
{
    struct wf_core_transient *t = dev->transient;
    if (!t)
        return;
    // the buffers are objects, discarded with all others
    wf_base_free(dev->allocator, t->extra, t->extra_capacity * sizeof *t->extra);
    wf_base_mutex_finish(&t->lock);
    wf_base_free(dev->allocator, t, sizeof *t);
    dev->transient = NULL;
}

static weft_result buffer_new(struct weft_device *dev, uint64_t size, weft_buffer *out)
{
    weft_buffer_desc desc = {
        .size = size,
        .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_VERTEX | WEFT_BUFFER_USAGE_INDEX |
                 WEFT_BUFFER_USAGE_UNIFORM | WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_INDIRECT,
        .memory = WEFT_MEMORY_DEFAULT,
        .label = "transient",
    };
    if (wf_core_has(dev, WEFT_FEATURE_POINTERS))
        desc.usage |= WEFT_BUFFER_USAGE_ADDRESS;
    return wf_core_buffer_new(dev, &desc, true, out);
}

static weft_transient piece(struct weft_device *dev, weft_buffer handle, uint64_t offset,
                            uint64_t size)
{
    const struct wf_core_buffer *buf = wf_core_buffer_find(dev, handle);
    return (weft_transient){
        .buffer = handle,
        .offset = offset,
        .size = size,
        .cpu = buf->mapped + offset,
        .gpu = buf->address ? buf->address + offset : 0,
    };
}

/// A buffer of its own, or the rest of the last one.
static weft_transient alloc_extra(struct weft_device *dev, uint64_t size, uint64_t align)
{
    struct wf_core_transient *t = dev->transient;
    if (t->extra_count > 0) {
        const weft_buffer last = t->extra[t->extra_count - 1];
        const uint64_t at = wf_base_align_up(t->extra_used, align);
        if (wf_base_range_fits(at, size, wf_core_buffer_find(dev, last)->size)) {
            t->extra_used = at + size;
            return piece(dev, last, at, size);
        }
    }
    weft_buffer *extra = wf_base_array_grow(dev->allocator, t->extra, &t->extra_capacity,
                                            (size_t)t->extra_count + 1, sizeof *extra);
    if (!extra) {
        wf_core_failed(&dev->on, WEFT_ERROR_MEMORY, "take transient memory");
        return (weft_transient){0};
    }
    t->extra = extra;
    const uint64_t bytes = wf_base_align_up(wf_base_max_u64(size, t->slot_bytes), 4);
    if (buffer_new(dev, bytes, &extra[t->extra_count]) != WEFT_OK)
        return (weft_transient){0};
    t->extra_used = size;
    return piece(dev, extra[t->extra_count++], 0, size);
}

static weft_transient alloc(struct weft_device *dev, uint64_t size, uint64_t align)
{
    struct wf_core_transient *t = dev->transient;
    if (weft_buffer_is_none(t->ring) &&
        buffer_new(dev, t->slot_bytes * dev->frames_in_flight, &t->ring) != WEFT_OK)
        return (weft_transient){0};
    t->wanted = wf_base_align_up(t->wanted, align) + size;
    const uint64_t at = wf_base_align_up(t->used, align);
    if (!wf_base_range_fits(at, size, t->slot_bytes))
        return alloc_extra(dev, size, align);
    t->used = at + size;
    return piece(dev, t->ring, t->slot * t->slot_bytes + at, size);
}

static bool check(struct weft_device *dev, uint64_t size, uint64_t align)
{
    bool ok = true;
    if (size == 0 || size > dev->caps.limits.max_buffer_size)
        ok = wf_core_broken(&dev->on, WEFT_RULE_TRANSIENT_SIZE,
                            "%" PRIu64 " bytes were asked for, the limit is %" PRIu64 ".", size,
                            dev->caps.limits.max_buffer_size);
    if (!wf_base_is_pow2(align) || align > MAX_ALIGN)
        ok = wf_core_broken(&dev->on, WEFT_RULE_TRANSIENT_ALIGN, "The alignment is %" PRIu64 ".",
                            align);
    return ok;
}

weft_transient weft_transient_alloc(weft_device *device, uint64_t size, uint64_t align)
{
    if (!wf_core_ready(device)) {
        wf_core_not_ready(device);
        return (weft_transient){0};
    }
    if (align == 0)
        align = 256;
    if (!check(device, size, align))
        return (weft_transient){0};
    wf_base_mutex_lock(&device->transient->lock);
    const weft_transient got = alloc(device, size, align);
    wf_base_mutex_unlock(&device->transient->lock);
    return got;
}

/// Destroys the buffers beside the ring.
static void drop_extra(struct weft_device *dev, struct wf_core_transient *t)
{
    while (t->extra_count > 0)
        wf_core_buffer_destroy(dev, t->extra[--t->extra_count]);
    t->extra_used = 0;
}

/// Grows the ring to what the largest frame wanted. Where memory ends, which is reported, it stays
/// as it is and tries no such size again: buffers beside it serve.
static weft_result grow(struct weft_device *dev, struct wf_core_transient *t)
{
    const uint64_t limit = dev->caps.limits.max_buffer_size / dev->frames_in_flight;
    uint64_t bytes = wf_base_next_pow2(t->most);
    if (bytes > limit)
        bytes = wf_base_align_down(limit, MAX_ALIGN);
    if (bytes <= t->slot_bytes || weft_buffer_is_none(t->ring) ||
        (t->refused > 0 && bytes >= t->refused))
        return WEFT_OK;
    const weft_result result = wf_core_buffer_back(dev, t->ring, bytes * dev->frames_in_flight);
    if (result == WEFT_OK)
        t->slot_bytes = bytes;
    else
        t->refused = bytes;
    return result == WEFT_ERROR_LOST ? result : WEFT_OK;
}

static weft_result advance(struct weft_device *dev, struct wf_core_transient *t)
{
    const uint32_t next = (t->slot + 1) % dev->frames_in_flight;
    t->serials[t->slot] = atomic_load(&dev->serial);
    const weft_result result = wf_core_wait_serial(dev, t->serials[next], UINT64_MAX);
    if (result != WEFT_OK)
        return result; // the slot stays, and so does the frame
    t->most = wf_base_max_u64(t->most, t->wanted);
    t->slot = next;
    t->used = 0;
    t->wanted = 0;
    drop_extra(dev, t);
    return grow(dev, t);
}

weft_result weft_transient_advance(weft_device *device)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    wf_base_mutex_lock(&device->transient->lock);
    const weft_result result = advance(device, device->transient);
    wf_base_mutex_unlock(&device->transient->lock);
    if (result == WEFT_OK)
        wf_core_retire_collect(device);
    return result;
}
