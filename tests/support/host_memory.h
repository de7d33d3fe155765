/// Host memory for weft_host_hooks: it counts what is live, can fail an allocation, and insists on
/// getting back the size that it gave.
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct host_memory {
    atomic_uint_fast64_t calls;      ///< Allocations asked for.
    atomic_uint_fast64_t fail_at;    ///< Number of the first that fails, from 1; 0: none.
    atomic_uint_fast64_t fail_count; ///< How many fail from there on.
    atomic_size_t live_bytes;
};

/// In front of what the library gets.
struct host_memory_header {
    void *start;
    size_t size;
};

static inline void *host_memory_alloc(void *user, size_t size, size_t align)
{
    struct host_memory *memory = user;
    const uint64_t call = atomic_fetch_add(&memory->calls, 1) + 1;
    const uint64_t first = atomic_load(&memory->fail_at);
    if (first != 0 && call >= first && call - first < atomic_load(&memory->fail_count))
        return NULL;
    const size_t least = sizeof(struct host_memory_header);
    const size_t before = align < least ? least : align;
    void *start = NULL;
    if (size > SIZE_MAX - before || posix_memalign(&start, before, before + size) != 0)
        return NULL;
    struct host_memory_header *header = (void *)((char *)start + before);
    header[-1] = (struct host_memory_header){start, size};
    atomic_fetch_add(&memory->live_bytes, size);
    return header;
}

static inline void host_memory_free(void *user, void *ptr, size_t size)
{
    struct host_memory *memory = user;
    if (!ptr)
        return;
    const struct host_memory_header *header = (const struct host_memory_header *)ptr - 1;
    if (header->size != size) {
        (void)fprintf(stderr, "%zu bytes are given back as %zu\n", header->size, size);
        abort();
    }
    atomic_fetch_sub(&memory->live_bytes, size);
    free(header->start);
}
