/// Bump allocation in chunks: everything is dropped at once. One thread at a time.
/// After reset or rewind the chunks are kept, so that a repeated pattern allocates nothing.
#ifndef WF_BASE_ARENA_H
#define WF_BASE_ARENA_H

#include "base/alloc.h"

#include <stdarg.h>

struct wf_base_arena_chunk;

struct wf_base_arena {
    const struct wf_base_allocator *allocator;
    size_t chunk_size;                   ///< Bytes asked for at a time, at least.
    size_t limit;                        ///< Most bytes ever held in chunks.
    size_t reserved;                     ///< Bytes held in chunks now.
    struct wf_base_arena_chunk *first;   ///< In order of use.
    struct wf_base_arena_chunk *current; ///< Where the next item goes; those behind it are empty.
};

/// A point to rewind to. It is void after a rewind to an earlier one and after reset.
struct wf_base_arena_mark {
    struct wf_base_arena_chunk *chunk;
    size_t used;
};

/// Allocates nothing yet. chunk_size 0: 64 KiB. limit 0: no limit.
void wf_base_arena_init(struct wf_base_arena *arena, const struct wf_base_allocator *allocator,
                        size_t chunk_size, size_t limit);

/// Gives all chunks back. The arena can be used again as if just initialised. Works on a zeroed
/// one.
void wf_base_arena_finish(struct wf_base_arena *arena);

/// NULL when out of memory or over the limit; what was allocated before stays valid.
/// `align` is a power of two, at most 4096; 0 means that of every standard type.
void *wf_base_arena_alloc(struct wf_base_arena *arena, size_t size, size_t align);
void *wf_base_arena_alloc_zero(struct wf_base_arena *arena, size_t size, size_t align);

/// A zeroed array, aligned for every standard type. NULL also when the size does not fit.
void *wf_base_arena_array(struct wf_base_arena *arena, size_t count, size_t item_size);

void *wf_base_arena_copy(struct wf_base_arena *arena, const void *data, size_t size);

/// Copies of strings, NUL added. NULL for NULL.
char *wf_base_arena_string(struct wf_base_arena *arena, const char *text);
char *wf_base_arena_string_n(struct wf_base_arena *arena, const char *text, size_t length);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
wf_base_arena_format(struct wf_base_arena *arena, const char *format, ...);
char *wf_base_arena_vformat(struct wf_base_arena *arena, const char *format, va_list args);

struct wf_base_arena_mark wf_base_arena_mark_get(const struct wf_base_arena *arena);

/// Drops what was allocated since the mark. Keeps the chunks.
void wf_base_arena_rewind(struct wf_base_arena *arena, struct wf_base_arena_mark mark);

/// Drops everything. Keeps the chunks.
void wf_base_arena_reset(struct wf_base_arena *arena);

/// Bytes handed out now, gaps for alignment included. Linear in chunks.
size_t wf_base_arena_used(const struct wf_base_arena *arena);

#endif
