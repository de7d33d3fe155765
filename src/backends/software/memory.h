/// The software device's GPU memory: one reserved range of addresses, so that a weft_gpu_ptr that
/// a shader computed is checked against the allocation that it points into by two table look-ups.
///
/// A weft_gpu_ptr is an offset into the range, not a host address: it is the same from run to run,
/// and neither 0 nor a small offset from it is ever an allocation. The whole range can be read and
/// written at any time and holds zeros where nothing is allocated, so that a look-up that races
/// with a free (a broken host) cannot crash; but for Windows, which counts all memory that could be
/// touched, so there only allocations can be.
///
/// An allocation takes whole pages of addresses, but memory only where it is touched. Memory
/// placed in a block is bounds-checked against the block, which is what aliasing means.
#ifndef WF_SOFTWARE_MEMORY_H
#define WF_SOFTWARE_MEMORY_H

#include <stdatomic.h>

#include <weft/base.h>

#include "base/thread.h"

#define WF_SW_PAGE_SHIFT   16u
#define WF_SW_PAGE_SIZE    (UINT64_C(1) << WF_SW_PAGE_SHIFT)
#define WF_SW_PAGE_CLASSES 32u

/// One page of addresses. Readers use only `start` and `size`.
struct wf_sw_page {
    atomic_uint_least32_t start; ///< First page of the allocation that may be pointed to; 0: none.
    uint32_t count;              ///< First and last page of a range: its pages.
    atomic_uint_least64_t size;  ///< First page of an allocation: its exact bytes.
    uint32_t next, previous;     ///< First page of a free range: others of its class; 0: none.
    bool used;                   ///< First page of a range: it is allocated.
};

struct wf_sw_arena {
    uint8_t *base;
    struct wf_sw_page *pages;
    uint64_t page_count; ///< Page 0 is never allocated.
    uint64_t limit;      ///< Most bytes in use at once.
    struct wf_base_mutex lock;
    uint64_t used;                     ///< Bytes of allocated pages.
    uint64_t top;                      ///< Pages from here on were never allocated.
    uint32_t free[WF_SW_PAGE_CLASSES]; ///< Free ranges of 2^i pages and more; 0: none.
};

/// Reserves addresses, fewer than wanted where the system refuses. `limit`: most bytes in use at
/// once. False when there are none.
bool wf_sw_arena_init(struct wf_sw_arena *arena, uint64_t reserve, uint64_t limit);
/// Works on a zeroed arena.
void wf_sw_arena_finish(struct wf_sw_arena *arena);

/// Zeroed memory at a multiple of WF_SW_PAGE_SIZE; NULL when there is none. Only `addressable`
/// memory is found by wf_sw_arena_resolve(). `size` is not 0. Thread-safe.
uint8_t *wf_sw_arena_alloc(struct wf_sw_arena *arena, uint64_t size, bool addressable);
/// NULL does nothing. Thread-safe.
void wf_sw_arena_free(struct wf_sw_arena *arena, uint8_t *memory);
/// Bytes in use. Thread-safe.
uint64_t wf_sw_arena_used(struct wf_sw_arena *arena);

static inline weft_gpu_ptr wf_sw_arena_address(const struct wf_sw_arena *arena,
                                               const uint8_t *memory)
{
    return (weft_gpu_ptr)(memory - arena->base);
}

/// The first byte of the allocation that holds `address`, with that byte's address and the exact
/// size; NULL if there is none. Thread-safe and lock-free.
static inline uint8_t *wf_sw_arena_find(const struct wf_sw_arena *arena, weft_gpu_ptr address,
                                        weft_gpu_ptr *start, uint64_t *size)
{
    const uint64_t page = address >> WF_SW_PAGE_SHIFT;
    if (page >= arena->page_count)
        return NULL;
    const uint32_t first = atomic_load_explicit(&arena->pages[page].start, memory_order_relaxed);
    *size = atomic_load_explicit(&arena->pages[first].size, memory_order_relaxed);
    *start = (weft_gpu_ptr)first << WF_SW_PAGE_SHIFT;
    return address - *start < *size ? arena->base + *start : NULL; // page 0 has size 0
}

/// The memory behind `size` bytes at `address`, or NULL if they are not all inside of one
/// allocation. `*available` (may be NULL) is how many bytes there are from `address` to its end; 0
/// if it is in none. Thread-safe and lock-free.
static inline uint8_t *wf_sw_arena_resolve(const struct wf_sw_arena *arena, weft_gpu_ptr address,
                                           uint64_t size, uint64_t *available)
{
    weft_gpu_ptr start = 0;
    uint64_t bytes = 0;
    const bool found = wf_sw_arena_find(arena, address, &start, &bytes) != NULL;
    const uint64_t rest = found ? bytes - (address - start) : 0;
    if (available)
        *available = rest;
    return found && size <= rest ? arena->base + address : NULL;
}

#endif
