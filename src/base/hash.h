/// Hashes of bytes and an open-addressing map. The map: one thread at a time.
#ifndef WF_BASE_HASH_H
#define WF_BASE_HASH_H

#include "base/alloc.h"

struct wf_base_hash128 {
    uint64_t low, high;
};

/// MurmurHash3 x64 128 (Austin Appleby, public domain), the same on every machine, so that it can
/// name content in files. Not safe against an adversary who wants collisions.
struct wf_base_hash128 wf_base_hash_bytes128(const void *data, size_t size, uint32_t seed);

/// The low half of it.
uint64_t wf_base_hash_bytes(const void *data, size_t size);

/// A bijection that spreads every bit.
static inline uint64_t wf_base_hash_u64(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

static inline uint64_t wf_base_hash_combine(uint64_t a, uint64_t b)
{
    return wf_base_hash_u64(a * 0x9e3779b97f4a7c15u + b);
}

struct wf_base_map_entry {
    uint64_t key, value;
};

/// From uint64 to uint64; a pointer goes in as uintptr_t. Every key is allowed.
struct wf_base_map {
    const struct wf_base_allocator *allocator;
    struct wf_base_map_entry *entries;
    uint8_t *used;   ///< Behind the entries, in the same block.
    size_t capacity; ///< 0 or a power of two.
    size_t count;
};

void wf_base_map_init(struct wf_base_map *map, const struct wf_base_allocator *allocator);
void wf_base_map_finish(struct wf_base_map *map);

/// Room for `count` keys without further allocation. False when out of memory.
bool wf_base_map_reserve(struct wf_base_map *map, size_t count);

/// Adds or replaces. False when out of memory, with the map as it was.
bool wf_base_map_set(struct wf_base_map *map, uint64_t key, uint64_t value);

/// The value's place until the next change of the map, or NULL.
uint64_t *wf_base_map_find(const struct wf_base_map *map, uint64_t key);

/// The value, or `missing`.
uint64_t wf_base_map_get(const struct wf_base_map *map, uint64_t key, uint64_t missing);

/// Removes all; keeps the memory.
void wf_base_map_clear(struct wf_base_map *map);

/// Walks in no useful order; start with `*cursor` 0. NULL at the end.
const struct wf_base_map_entry *wf_base_map_next(const struct wf_base_map *map, size_t *cursor);

#endif
