#include "backends/software/memory.h"

#include <assert.h>

#include "backends/software/software.h"
#include "base/bits.h"
#include "base/system.h"

// Under AddressSanitizer what lies outside of allocations is poisoned, to find our own mistakes.
#if defined(__SANITIZE_ADDRESS__)
#define WF_SW_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WF_SW_POISON 1
#endif
#endif
#ifdef WF_SW_POISON
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, size)   ((void)(memory), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) ((void)(memory), (void)(size))
#endif

#define SMALLEST_RESERVE (UINT64_C(64) << 20)

/// The last page of the table stands behind the range, so that a neighbour always exists.
static uint64_t table_bytes(const struct wf_sw_arena *arena)
{
    return wf_base_align_up((arena->page_count + 1) * sizeof *arena->pages, WF_SW_PAGE_SIZE);
}

static void release(struct wf_sw_arena *arena)
{
    if (arena->pages)
        wf_base_pages_release(arena->pages, table_bytes(arena));
    wf_base_pages_release(arena->base, arena->page_count << WF_SW_PAGE_SHIFT);
    *arena = (struct wf_sw_arena){0};
}

static uint8_t *page_memory(const struct wf_sw_arena *arena, uint32_t page)
{
    return arena->base + ((uint64_t)page << WF_SW_PAGE_SHIFT);
}

static void list_add(struct wf_sw_arena *arena, uint32_t first, uint32_t count)
{
    struct wf_sw_page *page = &arena->pages[first];
    uint32_t *head = &arena->free[wf_base_log2_u64(count)];
    page->used = false;
    page->count = arena->pages[first + count - 1].count = count;
    page->previous = 0;
    page->next = *head;
    if (*head)
        arena->pages[*head].previous = first;
    *head = first;
}

static void list_remove(struct wf_sw_arena *arena, uint32_t first)
{
    const struct wf_sw_page *page = &arena->pages[first];
    if (page->previous)
        arena->pages[page->previous].next = page->next;
    else
        arena->free[wf_base_log2_u64(page->count)] = page->next;
    if (page->next)
        arena->pages[page->next].previous = page->previous;
}

bool wf_sw_arena_init(struct wf_sw_arena *arena, uint64_t reserve, uint64_t limit)
{
    *arena = (struct wf_sw_arena){.limit = limit};
    for (; reserve >= SMALLEST_RESERVE && !arena->base; reserve /= 2) {
        arena->base = wf_base_pages_reserve(reserve);
        arena->page_count = reserve >> WF_SW_PAGE_SHIFT;
    }
    if (!arena->base)
        return false;
    arena->pages = wf_base_pages_reserve(table_bytes(arena));
    if (!arena->pages || !wf_base_pages_commit(arena->pages, (size_t)table_bytes(arena)) ||
        !wf_base_mutex_init(&arena->lock)) {
        release(arena);
        return false;
    }
    arena->pages[0].used = arena->pages[arena->page_count].used = true;
    arena->pages[0].count = 1;
    list_add(arena, 1, (uint32_t)(arena->page_count - 1));
    return true;
}

void wf_sw_arena_finish(struct wf_sw_arena *arena)
{
    if (!arena->base)
        return;
    ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->top << WF_SW_PAGE_SHIFT);
    wf_base_mutex_finish(&arena->lock);
    release(arena);
}

// The first range that is long enough; of larger classes every one is.
static uint32_t find_range(const struct wf_sw_arena *arena, uint32_t count)
{
    uint32_t order = wf_base_log2_u64(count);
    for (uint32_t at = arena->free[order]; at; at = arena->pages[at].next) {
        if (arena->pages[at].count >= count)
            return at;
    }
    for (order++; order < WF_SW_PAGE_CLASSES; order++) {
        if (arena->free[order])
            return arena->free[order];
    }
    return 0;
}

static uint32_t take_range(struct wf_sw_arena *arena, uint64_t count)
{
    if (count >= arena->page_count || count << WF_SW_PAGE_SHIFT > arena->limit - arena->used)
        return 0;
    const uint32_t first = find_range(arena, (uint32_t)count);
    if (!first)
        return 0;
    list_remove(arena, first);
    const uint32_t rest = arena->pages[first].count - (uint32_t)count;
    if (rest)
        list_add(arena, first + (uint32_t)count, rest);
    arena->pages[first].used = true;
    arena->pages[first].count = arena->pages[first + count - 1].count = (uint32_t)count;
    arena->used += count << WF_SW_PAGE_SHIFT;
    arena->top = wf_base_max_u64(arena->top, first + count);
    return first;
}

uint8_t *wf_sw_arena_alloc(struct wf_sw_arena *arena, uint64_t size, bool addressable)
{
    assert(size != 0);
    if (size > arena->limit)
        return NULL;
    const uint64_t count = wf_base_div_up(size, WF_SW_PAGE_SIZE);
    wf_base_mutex_lock(&arena->lock);
    const uint32_t first = take_range(arena, count);
    if (first && addressable) {
        atomic_store_explicit(&arena->pages[first].size, size, memory_order_relaxed);
        for (uint64_t i = 0; i < count; i++)
            atomic_store_explicit(&arena->pages[first + i].start, first, memory_order_relaxed);
    }
    wf_base_mutex_unlock(&arena->lock);
    if (!first)
        return NULL;
    uint8_t *memory = page_memory(arena, first);
    if (!wf_base_pages_commit(memory, (size_t)count << WF_SW_PAGE_SHIFT)) {
        wf_sw_arena_free(arena, memory);
        return NULL;
    }
    ASAN_POISON_MEMORY_REGION(memory, count << WF_SW_PAGE_SHIFT);
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    return memory;
}

// Joins [first, first + count) with its free neighbours.
static void give_range(struct wf_sw_arena *arena, uint32_t first, uint32_t count)
{
    const uint32_t next = first + count;
    if (!arena->pages[next].used) {
        list_remove(arena, next);
        count += arena->pages[next].count;
    }
    const uint32_t before = first - arena->pages[first - 1].count;
    if (!arena->pages[before].used) {
        list_remove(arena, before);
        first = before;
        count += arena->pages[before].count;
    }
    list_add(arena, first, count);
}

void wf_sw_arena_free(struct wf_sw_arena *arena, uint8_t *memory)
{
    if (!memory)
        return;
    const uint32_t first = (uint32_t)((uint64_t)(memory - arena->base) >> WF_SW_PAGE_SHIFT);
    wf_base_mutex_lock(&arena->lock);
    const uint32_t count = arena->pages[first].count;
    assert(arena->pages[first].used && page_memory(arena, first) == memory);
    atomic_store_explicit(&arena->pages[first].size, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < count; i++)
        atomic_store_explicit(&arena->pages[first + i].start, 0, memory_order_relaxed);
    wf_base_mutex_unlock(&arena->lock);

    // Not under the lock: it takes long for large ranges, and nobody else can have this one yet.
    const size_t bytes = (size_t)count << WF_SW_PAGE_SHIFT;
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
    wf_base_pages_decommit(memory, bytes);
    ASAN_POISON_MEMORY_REGION(memory, bytes);

    wf_base_mutex_lock(&arena->lock);
    arena->used -= bytes;
    give_range(arena, first, count);
    wf_base_mutex_unlock(&arena->lock);
}

uint64_t wf_sw_arena_used(struct wf_sw_arena *arena)
{
    wf_base_mutex_lock(&arena->lock);
    const uint64_t used = arena->used;
    wf_base_mutex_unlock(&arena->lock);
    return used;
}

// ---- hooks -------------------------------------------------------------------------------------

weft_result wf_sw_memory_block_create(struct wf_hal_device *hal, const weft_memory_block_desc *desc,
                                      struct wf_hal_memory_block **out)
{
    struct wf_sw_device *dev = wf_sw_device(hal);
    *out = NULL;
    struct wf_sw_memory_block *block = wf_base_alloc(hal->allocator, sizeof *block);
    if (!block)
        return WEFT_ERROR_MEMORY;
    *block = (struct wf_sw_memory_block){.base = {.size = desc->size, .memory = desc->memory}};
    block->memory = wf_sw_arena_alloc(&dev->arena, desc->size, true);
    if (!block->memory) {
        wf_base_free(hal->allocator, block, sizeof *block);
        return WEFT_ERROR_DEVICE_MEMORY;
    }
    *out = &block->base;
    return WEFT_OK;
}

void wf_sw_memory_block_destroy(struct wf_hal_device *hal, struct wf_hal_memory_block *base)
{
    struct wf_sw_memory_block *block = (struct wf_sw_memory_block *)base;
    wf_sw_arena_free(&wf_sw_device(hal)->arena, block->memory);
    wf_base_free(hal->allocator, block, sizeof *block);
}

weft_memory_budget wf_sw_memory_budget(struct wf_hal_device *hal)
{
    struct wf_sw_arena *arena = &wf_sw_device(hal)->arena;
    const uint64_t used = wf_sw_arena_used(arena);
    return (weft_memory_budget){.used = used, .available = arena->limit - used};
}
