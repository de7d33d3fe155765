/// Handles {index, generation} and the items behind them. Items live in chunks that never move, in
/// a hot and a cold part. Looking up is lock-free from any thread; take and give lock.
///
/// The generation's top byte is the owner's tag, so that another pool's handle is told from a stale
/// one. The other 24 bits start after `generation_start` and never wrap: a slot that used up its
/// generations is retired. Index 0 is never given: {0, 0} is none.
#ifndef WF_BASE_POOL_H
#define WF_BASE_POOL_H

#include "base/alloc.h"
#include "base/thread.h"

#define WF_BASE_POOL_CHUNK_SHIFT     8
#define WF_BASE_POOL_CHUNK_ITEMS     (1u << WF_BASE_POOL_CHUNK_SHIFT)
#define WF_BASE_POOL_GENERATION_MASK 0xffffffu

/// Passed by value: it fits into a register.
struct wf_base_handle {
    uint32_t index, generation;
};

enum wf_base_handle_state {
    WF_BASE_HANDLE_NONE,    ///< {0, 0}.
    WF_BASE_HANDLE_LIVE,    ///< Names an item.
    WF_BASE_HANDLE_STALE,   ///< Named an item that was given back.
    WF_BASE_HANDLE_FOREIGN, ///< Another tag's, or an earlier owner's of this tag.
    WF_BASE_HANDLE_INVALID, ///< Never given by this pool.
};

struct wf_base_pool_chunk {
    atomic_uint_least32_t live[WF_BASE_POOL_CHUNK_ITEMS]; ///< Generation of the live item, or 0.
    uint32_t last[WF_BASE_POOL_CHUNK_ITEMS];              ///< The newest generation given. Locked.
    uint32_t next_free[WF_BASE_POOL_CHUNK_ITEMS];         ///< Locked.
    char *hot, *cold;                                     ///< In the same block.
};

struct wf_base_pool_desc {
    uint32_t hot_size;         ///< Bytes per item that every use touches. Required.
    uint32_t cold_size;        ///< Bytes per item for the rest; may be 0.
    uint32_t capacity;         ///< Most items alive at once, 1 to 2^24. Required.
    uint32_t generation_limit; ///< Generations per slot; 0: all 2^24 - 1. (Tests lower it.)
    uint32_t generation_start; ///< The newest generation of the tag's owner before, or 0: what that
                               ///< one gave is foreign here. Below the limit.
    uint8_t tag;               ///< The owner's, in every handle.
};

struct wf_base_pool {
    _Atomic(struct wf_base_pool_chunk *) *chunks; ///< Reserved whole; an entry is set once.
    uint32_t chunk_limit;                         ///< Entries in chunks.
    uint32_t hot_size, cold_size;                 ///< Rounded up to 16; the hot one's stride.
    uint32_t capacity, generation_start, generation_limit;
    uint32_t tag; ///< In the top byte.
    const struct wf_base_allocator *allocator;
    struct wf_base_mutex lock; ///< Guards all below, and the chunks' locked parts.
    uint32_t newest;           ///< The largest generation given, or generation_start.
    uint32_t used;             ///< Slots ever given, slot 0 included.
    uint32_t free_head;        ///< 0: none.
    uint32_t live, retired;
};

/// False when out of memory. Reserves the chunk table only: capacity / 16 bytes.
bool wf_base_pool_init(struct wf_base_pool *pool, const struct wf_base_allocator *allocator,
                       const struct wf_base_pool_desc *desc);

/// Frees everything, live items included, without a word to them. Works on a zeroed pool.
void wf_base_pool_finish(struct wf_base_pool *pool);

/// A new item, both parts zeroed, or {0, 0} when full or out of memory. Thread-safe.
struct wf_base_handle wf_base_pool_take(struct wf_base_pool *pool);

/// Ends an item. False, and nothing done, unless the handle is live. Thread-safe: of two threads
/// that give the same handle, one gets true.
bool wf_base_pool_give(struct wf_base_pool *pool, struct wf_base_handle handle);

/// Why a handle is good or bad. Thread-safe.
enum wf_base_handle_state wf_base_pool_state(struct wf_base_pool *pool,
                                             struct wf_base_handle handle);

/// Live items now. Thread-safe.
uint32_t wf_base_pool_count(struct wf_base_pool *pool);

/// The live item after `index` (0: the first), or {0, 0}. Thread-safe; what lives may change.
struct wf_base_handle wf_base_pool_next(struct wf_base_pool *pool, uint32_t index);

/// The hot part of a live item, or NULL for every other handle. Lock-free.
/// The caller keeps the item from being given back while he uses it.
void *wf_base_pool_hot(const struct wf_base_pool *pool, struct wf_base_handle handle);

/// Likewise, inline: for loops over many handles.
static inline void *wf_base_pool_look(const struct wf_base_pool *pool, struct wf_base_handle handle)
{
    const uint32_t at = handle.index >> WF_BASE_POOL_CHUNK_SHIFT;
    if (at >= pool->chunk_limit || handle.generation == 0)
        return NULL;
    const struct wf_base_pool_chunk *chunk =
        atomic_load_explicit(&pool->chunks[at], memory_order_acquire);
    const size_t slot = handle.index % WF_BASE_POOL_CHUNK_ITEMS;
    return chunk && atomic_load_explicit(&chunk->live[slot], memory_order_acquire) ==
                        handle.generation
               ? chunk->hot + slot * pool->hot_size
               : NULL;
}

/// Its cold part. NULL also where the pool has none.
void *wf_base_pool_cold(const struct wf_base_pool *pool, struct wf_base_handle handle);

#endif
