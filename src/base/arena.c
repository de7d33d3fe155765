#include "base/arena.h"

#include "base/bits.h"

#include <assert.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_CHUNK = 64 * 1024, MAX_ALIGN = 4096 };

struct wf_base_arena_chunk {
    struct wf_base_arena_chunk *next;
    size_t size; ///< Bytes of data.
    size_t used;
    alignas(max_align_t) char data[];
};

void wf_base_arena_init(struct wf_base_arena *arena, const struct wf_base_allocator *allocator,
                        size_t chunk_size, size_t limit)
{
    *arena = (struct wf_base_arena){
        .allocator = allocator,
        .chunk_size = chunk_size ? chunk_size : DEFAULT_CHUNK,
        .limit = limit ? limit : SIZE_MAX,
    };
}

void wf_base_arena_finish(struct wf_base_arena *arena)
{
    struct wf_base_arena_chunk *next;
    for (struct wf_base_arena_chunk *chunk = arena->first; chunk; chunk = next) {
        next = chunk->next;
        wf_base_free(arena->allocator, chunk, sizeof *chunk + chunk->size);
    }
    arena->first = arena->current = NULL;
    arena->reserved = 0;
}

/// Takes from one chunk, or NULL when it is too full.
static void *chunk_take(struct wf_base_arena_chunk *chunk, size_t size, size_t align)
{
    const uintptr_t start = (uintptr_t)(chunk->data + chunk->used);
    const size_t gap = (size_t)(0 - start) & (align - 1);
    const size_t room = chunk->size - chunk->used;
    if (gap > room || size > room - gap)
        return NULL;
    void *ptr = chunk->data + chunk->used + gap;
    chunk->used += gap + size;
    return ptr;
}

/// A new chunk that has room for `size` at any place that `align` asks for, not linked yet.
static struct wf_base_arena_chunk *chunk_create(struct wf_base_arena *arena, size_t size,
                                                size_t align)
{
    size_t bytes, total;
    if (!wf_base_add_size(size, align, &bytes))
        return NULL;
    bytes = wf_base_max_size(bytes, arena->chunk_size);
    if (!wf_base_add_size(bytes, sizeof(struct wf_base_arena_chunk), &total) ||
        total > arena->limit - arena->reserved)
        return NULL;
    struct wf_base_arena_chunk *chunk = wf_base_alloc(arena->allocator, total);
    if (!chunk)
        return NULL;
    arena->reserved += total;
    chunk->size = bytes;
    chunk->used = 0;
    return chunk;
}

/// Unlinks the first kept chunk behind `current` that has room, or NULL.
static struct wf_base_arena_chunk *chunk_reuse(struct wf_base_arena *arena, size_t size,
                                               size_t align)
{
    struct wf_base_arena_chunk **link = arena->current ? &arena->current->next : &arena->first;
    for (; *link; link = &(*link)->next) {
        struct wf_base_arena_chunk *chunk = *link;
        if (chunk->size >= align && chunk->size - align >= size) {
            *link = chunk->next;
            return chunk;
        }
    }
    return NULL;
}

void *wf_base_arena_alloc(struct wf_base_arena *arena, size_t size, size_t align)
{
    if (align == 0)
        align = alignof(max_align_t);
    assert(wf_base_is_pow2(align) && align <= MAX_ALIGN);
    if (arena->current) {
        void *ptr = chunk_take(arena->current, size, align);
        if (ptr)
            return ptr;
    }
    struct wf_base_arena_chunk *chunk = chunk_reuse(arena, size, align);
    if (!chunk)
        chunk = chunk_create(arena, size, align);
    if (!chunk)
        return NULL;
    struct wf_base_arena_chunk **link = arena->current ? &arena->current->next : &arena->first;
    chunk->next = *link;
    *link = chunk;
    arena->current = chunk;
    return chunk_take(chunk, size, align);
}

void *wf_base_arena_alloc_zero(struct wf_base_arena *arena, size_t size, size_t align)
{
    void *ptr = wf_base_arena_alloc(arena, size, align);
    return ptr ? memset(ptr, 0, size) : NULL;
}

void *wf_base_arena_array(struct wf_base_arena *arena, size_t count, size_t item_size)
{
    size_t size;
    if (!wf_base_mul_size(count, item_size, &size))
        return NULL;
    return wf_base_arena_alloc_zero(arena, size, 0);
}

void *wf_base_arena_copy(struct wf_base_arena *arena, const void *data, size_t size)
{
    void *copy = wf_base_arena_alloc(arena, size, 0);
    if (copy && size)
        memcpy(copy, data, size);
    return copy;
}

char *wf_base_arena_string_n(struct wf_base_arena *arena, const char *text, size_t length)
{
    size_t size;
    if (!text || !wf_base_add_size(length, 1, &size))
        return NULL;
    char *copy = wf_base_arena_alloc(arena, size, 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *wf_base_arena_string(struct wf_base_arena *arena, const char *text)
{
    return text ? wf_base_arena_string_n(arena, text, strlen(text)) : NULL;
}

char *wf_base_arena_vformat(struct wf_base_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : wf_base_arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *wf_base_arena_format(struct wf_base_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = wf_base_arena_vformat(arena, format, args);
    va_end(args);
    return text;
}

struct wf_base_arena_mark wf_base_arena_mark_get(const struct wf_base_arena *arena)
{
    return (struct wf_base_arena_mark){arena->current, arena->current ? arena->current->used : 0};
}

void wf_base_arena_rewind(struct wf_base_arena *arena, struct wf_base_arena_mark mark)
{
    struct wf_base_arena_chunk *chunk = mark.chunk ? mark.chunk->next : arena->first;
    for (; chunk; chunk = chunk->next)
        chunk->used = 0;
    if (mark.chunk)
        mark.chunk->used = mark.used;
    arena->current = mark.chunk;
}

void wf_base_arena_reset(struct wf_base_arena *arena)
{
    wf_base_arena_rewind(arena, (struct wf_base_arena_mark){NULL, 0});
}

size_t wf_base_arena_used(const struct wf_base_arena *arena)
{
    size_t used = 0;
    for (const struct wf_base_arena_chunk *chunk = arena->first; chunk; chunk = chunk->next)
        used += chunk->used;
    return used;
}
