#include "base/hash.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

// The map probes linearly and stays at most three quarters full: a lookup ends at the first empty
// slot.

enum { MIN_CAPACITY = 16 };

/// The capacity that holds `count`, or 0 when there is none.
static size_t capacity_for(size_t count)
{
    if (count > SIZE_MAX / 4)
        return 0;
    const uint64_t capacity = wf_base_next_pow2(count + count / 3 + 1);
    return capacity <= SIZE_MAX ? wf_base_max_size(MIN_CAPACITY, (size_t)capacity) : 0;
}

static bool needs_room(size_t count, size_t capacity)
{
    return count >= capacity - capacity / 4;
}

void wf_base_map_init(struct wf_base_map *map, const struct wf_base_allocator *allocator)
{
    *map = (struct wf_base_map){.allocator = allocator};
}

static size_t map_bytes(size_t capacity)
{
    return capacity * (sizeof(struct wf_base_map_entry) + 1);
}

void wf_base_map_finish(struct wf_base_map *map)
{
    wf_base_free(map->allocator, map->entries, map_bytes(map->capacity));
    *map = (struct wf_base_map){.allocator = map->allocator};
}

/// The key's place, or the empty one where it belongs.
static size_t map_probe(const struct wf_base_map *map, uint64_t key)
{
    const size_t mask = map->capacity - 1;
    size_t i = (size_t)wf_base_hash_u64(key) & mask;
    while (map->used[i] && map->entries[i].key != key)
        i = (i + 1) & mask;
    return i;
}

static void map_put(struct wf_base_map *map, size_t i, uint64_t key, uint64_t value)
{
    map->entries[i] = (struct wf_base_map_entry){key, value};
    map->count += !map->used[i];
    map->used[i] = 1;
}

static bool map_resize(struct wf_base_map *map, size_t capacity)
{
    if (capacity == 0 || capacity > SIZE_MAX / (sizeof(struct wf_base_map_entry) + 1))
        return false;
    struct wf_base_map bigger = {.allocator = map->allocator, .capacity = capacity};
    bigger.entries = wf_base_alloc_zero(map->allocator, map_bytes(capacity));
    if (!bigger.entries)
        return false;
    bigger.used = (uint8_t *)(bigger.entries + capacity);
    size_t cursor = 0;
    const struct wf_base_map_entry *entry;
    while ((entry = wf_base_map_next(map, &cursor)) != NULL)
        map_put(&bigger, map_probe(&bigger, entry->key), entry->key, entry->value);
    wf_base_map_finish(map);
    *map = bigger;
    return true;
}

bool wf_base_map_reserve(struct wf_base_map *map, size_t count)
{
    const size_t capacity = capacity_for(count);
    return capacity != 0 && (capacity <= map->capacity || map_resize(map, capacity));
}

bool wf_base_map_set(struct wf_base_map *map, uint64_t key, uint64_t value)
{
    uint64_t *known = wf_base_map_find(map, key);
    if (known) {
        *known = value;
        return true;
    }
    if (needs_room(map->count, map->capacity) && !wf_base_map_reserve(map, map->count + 1))
        return false;
    assert(map->entries); // there is room now
    map_put(map, map_probe(map, key), key, value);
    return true;
}

uint64_t *wf_base_map_find(const struct wf_base_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    const size_t i = map_probe(map, key);
    return map->used[i] ? &map->entries[i].value : NULL;
}

uint64_t wf_base_map_get(const struct wf_base_map *map, uint64_t key, uint64_t missing)
{
    const uint64_t *value = wf_base_map_find(map, key);
    return value ? *value : missing;
}

void wf_base_map_clear(struct wf_base_map *map)
{
    if (map->count)
        memset(map->used, 0, map->capacity);
    map->count = 0;
}

const struct wf_base_map_entry *wf_base_map_next(const struct wf_base_map *map, size_t *cursor)
{
    while (*cursor < map->capacity) {
        const size_t i = (*cursor)++;
        if (map->used[i])
            return &map->entries[i];
    }
    return NULL;
}
