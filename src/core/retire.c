// When a destroyed object may really go. Nothing is recorded per draw; instead there is one rule:
//
//   An object can be used by submissions made before it was destroyed, and by command buffers that
//   were open (recording or executable) at that moment. So it waits first until each of those
//   command buffers has been submitted or discarded, and then for the newest submission of that
//   time.
//
// Open command buffers form a list, oldest first, each stamped with the epoch in which it began; a
// retirement takes the current epoch and begins the next. A retirement of epoch E is past the first
// wait when every open command buffer has an epoch above E. It is then stamped with the newest
// serial, which covers whatever was submitted until then, and goes when that serial has finished.
// Both waits keep the order, so the queue is one ring with two heads.
//
// The upload belt's own command buffer is one of the open ones, so writes that are still waiting
// for a submission hold their destinations.
#include "core/core.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

static void list_init(struct wf_core_retirement *r)
{
    if (!r->open.next)
        r->open.next = r->open.prev = &r->open;
}

void wf_core_open_add(struct weft_device *dev, struct wf_core_open *open)
{
    struct wf_core_retirement *r = &dev->retirement;
    wf_base_mutex_lock(&dev->retire_lock);
    list_init(r);
    open->epoch = r->epoch;
    open->prev = r->open.prev;
    open->next = &r->open;
    open->prev->next = open;
    r->open.prev = open;
    wf_base_mutex_unlock(&dev->retire_lock);
}

void wf_core_open_remove(struct weft_device *dev, struct wf_core_open *open)
{
    wf_base_mutex_lock(&dev->retire_lock);
    open->prev->next = open->next;
    open->next->prev = open->prev;
    open->prev = open->next = NULL;
    wf_base_mutex_unlock(&dev->retire_lock);
}

static struct wf_core_retired *item(const struct wf_core_retirement *r, uint32_t position)
{
    return &r->items[position & (r->capacity - 1)];
}

/// Room for `need` items. Positions wrap around at 2^32, capacities are powers of two below that.
static bool grow(struct weft_device *dev, struct wf_core_retirement *r, uint64_t need)
{
    if (need <= r->capacity)
        return true;
    if (need > UINT32_C(1) << 30)
        return false;
    const uint32_t capacity = (uint32_t)wf_base_next_pow2(wf_base_max_u64(need, 64));
    struct wf_core_retired *items = wf_base_alloc_array(dev->allocator, capacity, sizeof *items);
    if (!items)
        return false;
    for (uint32_t i = r->head; i != r->tail; ++i)
        items[i & (capacity - 1)] = *item(r, i);
    wf_base_free(dev->allocator, r->items, r->capacity * sizeof *r->items);
    r->items = items;
    r->capacity = capacity;
    return true;
}

bool wf_core_retire_reserve(struct weft_device *dev)
{
    struct wf_core_retirement *r = &dev->retirement;
    wf_base_mutex_lock(&dev->retire_lock);
    const bool ok = grow(dev, r, (uint64_t)(r->tail - r->head) + r->reserved + 1);
    if (ok)
        ++r->reserved;
    wf_base_mutex_unlock(&dev->retire_lock);
    return ok;
}

void wf_core_retire_unreserve(struct weft_device *dev)
{
    wf_base_mutex_lock(&dev->retire_lock);
    assert(dev->retirement.reserved > 0);
    --dev->retirement.reserved;
    wf_base_mutex_unlock(&dev->retire_lock);
}

void wf_core_retire(struct weft_device *dev,
                    void (*release)(struct weft_device *dev, void *object, uint64_t extra),
                    void *object, uint64_t extra, uint64_t bytes)
{
    struct wf_core_retirement *r = &dev->retirement;
    wf_base_mutex_lock(&dev->retire_lock);
    assert(r->reserved > 0 && r->tail - r->head < r->capacity);
    --r->reserved;
    *item(r, r->tail) = (struct wf_core_retired){
        .release = release,
        .object = object,
        .extra = extra,
        .bytes = bytes,
        .epoch = r->epoch++,
    };
    ++r->tail;
    r->bytes += bytes;
    wf_base_mutex_unlock(&dev->retire_lock);
    atomic_fetch_add_explicit(&dev->deaths, 1, memory_order_release);
    wf_core_retire_collect(dev);
}

/// The first wait: stamps what no open command buffer can use.
static void resolve(struct weft_device *dev, struct wf_core_retirement *r)
{
    list_init(r);
    const uint64_t oldest = r->open.next == &r->open ? UINT64_MAX : r->open.next->epoch;
    const uint64_t serial = atomic_load(&dev->serial);
    for (; r->resolved != r->tail && item(r, r->resolved)->epoch < oldest; ++r->resolved)
        item(r, r->resolved)->serial = serial;
}

/// Takes the next item that may go. False when there is none.
static bool take(struct weft_device *dev, struct wf_core_retirement *r, uint64_t finished,
                 struct wf_core_retired *out)
{
    wf_base_mutex_lock(&dev->retire_lock);
    const bool found = r->head != r->resolved && item(r, r->head)->serial <= finished;
    if (found) {
        *out = *item(r, r->head++);
        r->bytes -= out->bytes;
    } else {
        r->collecting = false;
    }
    wf_base_mutex_unlock(&dev->retire_lock);
    return found;
}

/// Releases one by one, without the lock, but on one thread at a time: order matters, a view goes
/// before its texture.
static void release_until(struct weft_device *dev, uint64_t finished)
{
    struct wf_core_retired next;
    while (take(dev, &dev->retirement, finished, &next))
        next.release(dev, next.object, next.extra);
}

/// Whether there is something to release and this thread may do it.
static bool begin(struct weft_device *dev)
{
    struct wf_core_retirement *r = &dev->retirement;
    wf_base_mutex_lock(&dev->retire_lock);
    resolve(dev, r);
    const bool go = !r->collecting && r->head != r->resolved;
    if (go)
        r->collecting = true;
    wf_base_mutex_unlock(&dev->retire_lock);
    return go;
}

void wf_core_retire_collect(struct weft_device *dev)
{
    if (begin(dev))
        release_until(dev, wf_core_finished(dev));
}

void wf_core_retire_all(struct weft_device *dev)
{
    struct wf_core_retirement *r = &dev->retirement;
    r->resolved = r->tail;
    release_until(dev, UINT64_MAX);
    assert(r->head == r->tail && r->reserved == 0);
    wf_base_free(dev->allocator, r->items, r->capacity * sizeof *r->items);
    *r = (struct wf_core_retirement){0};
}

uint64_t wf_core_retired_bytes(struct weft_device *dev)
{
    wf_base_mutex_lock(&dev->retire_lock);
    const uint64_t bytes = dev->retirement.bytes;
    wf_base_mutex_unlock(&dev->retire_lock);
    return bytes;
}
