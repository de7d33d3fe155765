#include "base/alloc.h"

#include "base/bits.h"
#include "base/system.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

static void *heap_alloc(void *user, size_t size, size_t align)
{
    (void)user;
    assert(wf_base_is_pow2(align));
    return wf_base_heap_alloc(size, align);
}

static void heap_free(void *user, void *ptr, size_t size)
{
    (void)user;
    (void)size;
    wf_base_heap_free(ptr);
}

const struct wf_base_allocator *wf_base_allocator_default(void)
{
    static const struct wf_base_allocator heap = {.alloc = heap_alloc, .free = heap_free};
    return &heap;
}

void *wf_base_alloc_aligned(const struct wf_base_allocator *a, size_t size, size_t align)
{
    return a->alloc(a->user, size ? size : 1, align);
}

void *wf_base_alloc(const struct wf_base_allocator *a, size_t size)
{
    return wf_base_alloc_aligned(a, size, alignof(max_align_t));
}

void *wf_base_alloc_zero(const struct wf_base_allocator *a, size_t size)
{
    void *ptr = wf_base_alloc(a, size);
    return ptr ? memset(ptr, 0, size) : NULL;
}

void *wf_base_alloc_array(const struct wf_base_allocator *a, size_t count, size_t item_size)
{
    size_t size;
    return wf_base_mul_size(count, item_size, &size) ? wf_base_alloc_zero(a, size) : NULL;
}

void *wf_base_realloc_array(const struct wf_base_allocator *a, void *ptr, size_t old_count,
                            size_t new_count, size_t item_size)
{
    size_t new_size;
    if (!wf_base_mul_size(new_count, item_size, &new_size))
        return NULL;
    void *moved = wf_base_alloc(a, new_size);
    if (!moved || !ptr)
        return moved;
    const size_t old_size = old_count * item_size; // fitted when it was allocated
    memcpy(moved, ptr, wf_base_min_size(old_size, new_size));
    wf_base_free(a, ptr, old_size);
    return moved;
}

void wf_base_free(const struct wf_base_allocator *a, void *ptr, size_t size)
{
    if (ptr)
        a->free(a->user, ptr, size ? size : 1);
}

void *wf_base_copy_bytes(const struct wf_base_allocator *a, const void *data, size_t size)
{
    void *copy = wf_base_alloc(a, size);
    if (copy && size)
        memcpy(copy, data, size);
    return copy;
}

char *wf_base_copy_string(const struct wf_base_allocator *a, const char *text)
{
    return text ? wf_base_copy_bytes(a, text, strlen(text) + 1) : NULL;
}

/// Whether the call with this number is to fail.
static bool counting_fails(struct wf_base_counting_allocator *c, uint64_t call)
{
    const uint64_t n = atomic_load(&c->fail_at);
    return n != 0 && (call == n || (call > n && atomic_load(&c->fail_after)));
}

static void counting_note_peak(struct wf_base_counting_allocator *c, uint_fast64_t bytes)
{
    uint_fast64_t peak = atomic_load(&c->peak_bytes);
    while (bytes > peak && !atomic_compare_exchange_weak(&c->peak_bytes, &peak, bytes)) {
    }
}

static void *counting_alloc(void *user, size_t size, size_t align)
{
    struct wf_base_counting_allocator *c = user;
    if (counting_fails(c, atomic_fetch_add(&c->calls, 1) + 1))
        return NULL;
    void *ptr = c->parent->alloc(c->parent->user, size, align);
    if (!ptr)
        return NULL;
    atomic_fetch_add(&c->live_blocks, 1);
    counting_note_peak(c, atomic_fetch_add(&c->live_bytes, size) + size);
    return ptr;
}

static void counting_free(void *user, void *ptr, size_t size)
{
    struct wf_base_counting_allocator *c = user;
    const uint64_t before = atomic_fetch_sub(&c->live_bytes, size);
    assert(before >= size);
    (void)before;
    atomic_fetch_sub(&c->live_blocks, 1);
    c->parent->free(c->parent->user, ptr, size);
}

void wf_base_counting_init(struct wf_base_counting_allocator *c,
                           const struct wf_base_allocator *parent)
{
    c->allocator =
        (struct wf_base_allocator){.alloc = counting_alloc, .free = counting_free, .user = c};
    c->parent = parent;
    atomic_init(&c->calls, 0);
    atomic_init(&c->live_blocks, 0);
    atomic_init(&c->live_bytes, 0);
    atomic_init(&c->peak_bytes, 0);
    atomic_init(&c->fail_at, 0);
    atomic_init(&c->fail_after, false);
}

void wf_base_counting_fail(struct wf_base_counting_allocator *c, uint64_t n, bool after)
{
    atomic_store(&c->calls, 0);
    atomic_store(&c->fail_after, after);
    atomic_store(&c->fail_at, n);
}
