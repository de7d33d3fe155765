/// Memory: the allocator that every layer is handed, checked size arithmetic, and a counting
/// allocator for tests and fault injection.
///
/// src/base is the layer that all others use. It knows no GPU word: containers, sorting, threads,
/// text. It includes nothing but the C library and itself.
#ifndef WF_BASE_ALLOC_H
#define WF_BASE_ALLOC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where memory comes from: the shape of the host's hook. Both functions are called from any
/// thread. Whoever stores a pointer to an allocator needs it to outlive him.
struct wf_base_allocator {
    void *(*alloc)(void *user, size_t size, size_t align); ///< NULL when there is none. size > 0.
    void (*free)(void *user, void *ptr, size_t size); ///< `size` as it was asked for. ptr not NULL.
    void *user;
};

/// The C library's heap. Never NULL.
const struct wf_base_allocator *wf_base_allocator_default(void);

/// `size` bytes (0 is served as 1), aligned for every standard type. NULL when out of memory.
void *wf_base_alloc(const struct wf_base_allocator *a, size_t size);
void *wf_base_alloc_zero(const struct wf_base_allocator *a, size_t size);

/// `align` is a power of two. The memory is freed with wf_base_free() like any other.
void *wf_base_alloc_aligned(const struct wf_base_allocator *a, size_t size, size_t align);

/// A zeroed array. NULL when out of memory or when the size does not fit.
void *wf_base_alloc_array(const struct wf_base_allocator *a, size_t count, size_t item_size);

/// Moves an array into `new_count` items; new ones are not initialised. NULL leaves `ptr` as it
/// was.
void *wf_base_realloc_array(const struct wf_base_allocator *a, void *ptr, size_t old_count,
                            size_t new_count, size_t item_size);

/// `size` is what was asked for. NULL does nothing.
void wf_base_free(const struct wf_base_allocator *a, void *ptr, size_t size);

/// A copy of `size` bytes. NULL when out of memory.
void *wf_base_copy_bytes(const struct wf_base_allocator *a, const void *data, size_t size);

/// A copy of a string, freed with size strlen + 1. NULL for NULL and when out of memory.
char *wf_base_copy_string(const struct wf_base_allocator *a, const char *text);

/// Sizes: false, with `*out` untouched, when the result does not fit.
static inline bool wf_base_add_size(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b)
        return false;
    *out = a + b;
    return true;
}

static inline bool wf_base_mul_size(size_t a, size_t b, size_t *out)
{
    if (b != 0 && a > SIZE_MAX / b)
        return false;
    *out = a * b;
    return true;
}

static inline bool wf_base_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (a > UINT64_MAX - b)
        return false;
    *out = a + b;
    return true;
}

static inline bool wf_base_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b != 0 && a > UINT64_MAX / b)
        return false;
    *out = a * b;
    return true;
}

/// Whether [offset, offset + size) lies in [0, total), without overflow.
static inline bool wf_base_range_fits(uint64_t offset, uint64_t size, uint64_t total)
{
    return offset <= total && size <= total - offset;
}

/// Counts what goes through it, and can fail on purpose. Thread-safe. Read the counters when quiet,
/// or as a snapshot.
struct wf_base_counting_allocator {
    struct wf_base_allocator allocator; ///< Hand out a pointer to this.
    const struct wf_base_allocator *parent;
    atomic_uint_fast64_t calls;       ///< Allocations asked for, failed ones included.
    atomic_uint_fast64_t live_blocks; ///< Held now.
    atomic_uint_fast64_t live_bytes;  ///< Held now.
    atomic_uint_fast64_t peak_bytes;  ///< Most held at one time.
    atomic_uint_fast64_t fail_at;     ///< The call with this number (from 1) fails; 0: none.
    atomic_bool fail_after;           ///< Later calls fail too.
};

void wf_base_counting_init(struct wf_base_counting_allocator *c,
                           const struct wf_base_allocator *parent);

/// Starts counting calls anew and lets the n-th from now fail (0: none), and, if `after`, all later
/// ones. What is held stays counted.
void wf_base_counting_fail(struct wf_base_counting_allocator *c, uint64_t n, bool after);

#endif
