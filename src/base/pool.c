#include "base/pool.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

enum { CACHE_LINE = 64, MAX_CAPACITY = 1 << 24 };

static size_t table_bytes(const struct wf_base_pool *pool)
{
    return pool->chunk_limit * sizeof *pool->chunks;
}

bool wf_base_pool_init(struct wf_base_pool *pool, const struct wf_base_allocator *allocator,
                       const struct wf_base_pool_desc *desc)
{
    assert(desc->hot_size > 0 && desc->hot_size < 1u << 20 && desc->cold_size < 1u << 20);
    assert(desc->capacity > 0 && desc->capacity <= MAX_CAPACITY);
    *pool = (struct wf_base_pool){
        .hot_size = (uint32_t)wf_base_align_up(desc->hot_size, 16),
        .cold_size = (uint32_t)wf_base_align_up(desc->cold_size, 16),
        .capacity = desc->capacity,
        .generation_start = desc->generation_start,
        .generation_limit =
            desc->generation_limit ? desc->generation_limit : WF_BASE_POOL_GENERATION_MASK,
        .tag = (uint32_t)desc->tag << 24,
        .allocator = allocator,
        .newest = desc->generation_start,
        .used = 1,
    };
    assert(pool->generation_limit <= WF_BASE_POOL_GENERATION_MASK);
    assert(pool->generation_start < pool->generation_limit);
    if (!wf_base_mutex_init(&pool->lock))
        return false;
    // Room for every slot that can be alive, the none slot, and as many again for retired ones.
    pool->chunk_limit =
        (uint32_t)wf_base_div_up((uint64_t)desc->capacity * 2 + 1, WF_BASE_POOL_CHUNK_ITEMS);
    pool->chunks = wf_base_alloc(allocator, table_bytes(pool));
    if (!pool->chunks) {
        wf_base_mutex_finish(&pool->lock);
        return false;
    }
    for (uint32_t c = 0; c < pool->chunk_limit; c++)
        atomic_init(&pool->chunks[c], NULL);
    return true;
}

static size_t chunk_bytes(const struct wf_base_pool *pool)
{
    const size_t head = (size_t)wf_base_align_up(sizeof(struct wf_base_pool_chunk), CACHE_LINE);
    return head + WF_BASE_POOL_CHUNK_ITEMS * ((size_t)pool->hot_size + pool->cold_size);
}

void wf_base_pool_finish(struct wf_base_pool *pool)
{
    if (!pool->chunks)
        return;
    for (uint32_t c = 0; c < pool->chunk_limit; c++)
        wf_base_free(pool->allocator, atomic_load(&pool->chunks[c]), chunk_bytes(pool));
    wf_base_free(pool->allocator, pool->chunks, table_bytes(pool));
    wf_base_mutex_finish(&pool->lock);
    *pool = (struct wf_base_pool){0};
}

static struct wf_base_pool_chunk *chunk_at(const struct wf_base_pool *pool, uint32_t index)
{
    return atomic_load_explicit(&pool->chunks[index >> WF_BASE_POOL_CHUNK_SHIFT],
                                memory_order_acquire);
}

/// Makes sure that the chunk of a slot is there, and publishes it to those who look up.
static bool chunk_ensure(struct wf_base_pool *pool, uint32_t index)
{
    if (chunk_at(pool, index))
        return true;
    struct wf_base_pool_chunk *chunk =
        wf_base_alloc_aligned(pool->allocator, chunk_bytes(pool), CACHE_LINE);
    if (!chunk)
        return false;
    memset(chunk, 0, sizeof *chunk);
    for (uint32_t i = 0; i < WF_BASE_POOL_CHUNK_ITEMS; i++) {
        atomic_init(&chunk->live[i], 0);
        chunk->last[i] = pool->generation_start;
    }
    chunk->hot = (char *)chunk + wf_base_align_up(sizeof *chunk, CACHE_LINE);
    if (pool->cold_size)
        chunk->cold = chunk->hot + (size_t)WF_BASE_POOL_CHUNK_ITEMS * pool->hot_size;
    atomic_store_explicit(&pool->chunks[index >> WF_BASE_POOL_CHUNK_SHIFT], chunk,
                          memory_order_release);
    return true;
}

/// A free slot's index, unlinked, or 0.
static uint32_t slot_find(struct wf_base_pool *pool)
{
    if (pool->live >= pool->capacity)
        return 0;
    const uint32_t index = pool->free_head;
    if (index) {
        pool->free_head = chunk_at(pool, index)->next_free[index % WF_BASE_POOL_CHUNK_ITEMS];
        return index;
    }
    if (pool->used >> WF_BASE_POOL_CHUNK_SHIFT >= pool->chunk_limit ||
        !chunk_ensure(pool, pool->used))
        return 0;
    return pool->used++;
}

struct wf_base_handle wf_base_pool_take(struct wf_base_pool *pool)
{
    struct wf_base_handle handle = {0, 0};
    wf_base_mutex_lock(&pool->lock);
    const uint32_t index = slot_find(pool);
    if (index) {
        struct wf_base_pool_chunk *chunk = chunk_at(pool, index);
        const size_t slot = index % WF_BASE_POOL_CHUNK_ITEMS;
        memset(chunk->hot + slot * pool->hot_size, 0, pool->hot_size);
        if (chunk->cold)
            memset(chunk->cold + slot * pool->cold_size, 0, pool->cold_size);
        handle.index = index;
        const uint32_t number = ++chunk->last[slot];
        handle.generation = pool->tag | number;
        if (pool->newest < number)
            pool->newest = number;
        pool->live++;
        atomic_store_explicit(&chunk->live[slot], handle.generation, memory_order_release);
    }
    wf_base_mutex_unlock(&pool->lock);
    return handle;
}

/// The chunk, if the handle is live.
static struct wf_base_pool_chunk *chunk_of(const struct wf_base_pool *pool,
                                           struct wf_base_handle handle)
{
    if (handle.index >> WF_BASE_POOL_CHUNK_SHIFT >= pool->chunk_limit || handle.generation == 0)
        return NULL;
    struct wf_base_pool_chunk *chunk = chunk_at(pool, handle.index);
    if (!chunk)
        return NULL;
    const uint32_t live = atomic_load_explicit(
        &chunk->live[handle.index % WF_BASE_POOL_CHUNK_ITEMS], memory_order_acquire);
    return live == handle.generation ? chunk : NULL;
}

void *wf_base_pool_hot(const struct wf_base_pool *pool, struct wf_base_handle handle)
{
    struct wf_base_pool_chunk *chunk = chunk_of(pool, handle);
    const size_t slot = handle.index % WF_BASE_POOL_CHUNK_ITEMS;
    return chunk ? chunk->hot + slot * pool->hot_size : NULL;
}

void *wf_base_pool_cold(const struct wf_base_pool *pool, struct wf_base_handle handle)
{
    struct wf_base_pool_chunk *chunk = chunk_of(pool, handle);
    const size_t slot = handle.index % WF_BASE_POOL_CHUNK_ITEMS;
    return chunk && chunk->cold ? chunk->cold + slot * pool->cold_size : NULL;
}

bool wf_base_pool_give(struct wf_base_pool *pool, struct wf_base_handle handle)
{
    wf_base_mutex_lock(&pool->lock);
    struct wf_base_pool_chunk *chunk = chunk_of(pool, handle);
    if (chunk) {
        const size_t slot = handle.index % WF_BASE_POOL_CHUNK_ITEMS;
        atomic_store_explicit(&chunk->live[slot], 0, memory_order_release);
        pool->live--;
        if (chunk->last[slot] >= pool->generation_limit) {
            pool->retired++;
        } else {
            chunk->next_free[slot] = pool->free_head;
            pool->free_head = handle.index;
        }
    }
    wf_base_mutex_unlock(&pool->lock);
    return chunk != NULL;
}

static enum wf_base_handle_state state_locked(const struct wf_base_pool *pool,
                                              struct wf_base_handle handle)
{
    if ((handle.generation & ~WF_BASE_POOL_GENERATION_MASK) != pool->tag)
        return WF_BASE_HANDLE_FOREIGN;
    const uint32_t number = handle.generation & WF_BASE_POOL_GENERATION_MASK;
    if (handle.index == 0 || number == 0)
        return WF_BASE_HANDLE_INVALID;
    if (number <= pool->generation_start)
        return WF_BASE_HANDLE_FOREIGN;
    if (handle.index >= pool->used)
        return WF_BASE_HANDLE_INVALID;
    const struct wf_base_pool_chunk *chunk = chunk_at(pool, handle.index);
    const size_t slot = handle.index % WF_BASE_POOL_CHUNK_ITEMS;
    if (number > chunk->last[slot])
        return WF_BASE_HANDLE_INVALID;
    return atomic_load(&chunk->live[slot]) == handle.generation ? WF_BASE_HANDLE_LIVE
                                                                : WF_BASE_HANDLE_STALE;
}

enum wf_base_handle_state wf_base_pool_state(struct wf_base_pool *pool,
                                             struct wf_base_handle handle)
{
    if (handle.index == 0 && handle.generation == 0)
        return WF_BASE_HANDLE_NONE;
    wf_base_mutex_lock(&pool->lock);
    const enum wf_base_handle_state state = state_locked(pool, handle);
    wf_base_mutex_unlock(&pool->lock);
    return state;
}

uint32_t wf_base_pool_count(struct wf_base_pool *pool)
{
    wf_base_mutex_lock(&pool->lock);
    const uint32_t live = pool->live;
    wf_base_mutex_unlock(&pool->lock);
    return live;
}

struct wf_base_handle wf_base_pool_next(struct wf_base_pool *pool, uint32_t index)
{
    struct wf_base_handle handle = {0, 0};
    wf_base_mutex_lock(&pool->lock);
    for (uint32_t i = index + 1; i < pool->used; i++) {
        const uint32_t live = atomic_load(&chunk_at(pool, i)->live[i % WF_BASE_POOL_CHUNK_ITEMS]);
        if (live) {
            handle = (struct wf_base_handle){i, live};
            break;
        }
    }
    wf_base_mutex_unlock(&pool->lock);
    return handle;
}
