/// Host memory that counts what is live and can fail an allocation: for weft_host_hooks.
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct host_memory {
    atomic_uint_fast64_t calls; ///< Allocations asked for.
    uint64_t fail_at;           ///< Number of the first that fails, from 1; 0: none.
    uint64_t fail_count;        ///< How many fail from there on.
    atomic_size_t live_bytes;
};

static inline void *host_memory_alloc(void *user, size_t size, size_t align)
{
    struct host_memory *memory = user;
    const uint64_t call = atomic_fetch_add(&memory->calls, 1) + 1;
    if (memory->fail_at != 0 && call >= memory->fail_at &&
        call - memory->fail_at < memory->fail_count)
        return NULL;
    const size_t step = align < sizeof(void *) ? sizeof(void *) : align;
    void *ptr = NULL;
    if (posix_memalign(&ptr, step, size) != 0)
        return NULL;
    atomic_fetch_add(&memory->live_bytes, size);
    return ptr;
}

static inline void host_memory_free(void *user, void *ptr, size_t size)
{
    struct host_memory *memory = user;
    if (ptr)
        atomic_fetch_sub(&memory->live_bytes, size);
    free(ptr);
}
