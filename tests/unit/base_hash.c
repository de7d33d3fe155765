#include "base/hash.h"
#include "base_random.h"
#include "support/test.h"

#include <string.h>

TEST(hash, matches_the_reference_algorithm)
{
    // from the reference implementation of MurmurHash3_x64_128, seed 0
    const struct {
        const char *text;
        uint64_t low, high;
    } known[] = {
        {"", 0, 0},
        {"hello", 0xcbd8a7b341bd9b02u, 0x5b1e906a48ae1d19u},
        {"The quick brown fox jumps over the lazy dog", 0xe34bbc7bbc071b6cu, 0x7a433ca9c49a9347u},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct wf_base_hash128 h =
            wf_base_hash_bytes128(known[i].text, strlen(known[i].text), 0);
        EXPECT(h.low == known[i].low && h.high == known[i].high);
    }
}

TEST(hash, does_not_depend_on_the_address)
{
    char room[80];
    for (size_t size = 0; size < 64; size++) {
        for (size_t i = 0; i < size; i++)
            room[i] = (char)(i * 7);
        const uint64_t h = wf_base_hash_bytes(room, size);
        memmove(room + 3, room, size);
        EXPECT(wf_base_hash_bytes(room + 3, size) == h);
    }
}

TEST(map, agrees_with_a_plain_array)
{
    enum { KEYS = 50000, STEPS = 100000 };
    static uint64_t values[KEYS];
    static bool there[KEYS];
    uint64_t seed = 1;
    struct wf_base_map map;
    wf_base_map_init(&map, wf_base_allocator_default());
    size_t count = 0;
    for (int step = 0; step < STEPS; step++) {
        const uint32_t k = random_below(&seed, KEYS);
        const uint64_t key = k * UINT64_C(0x100000000); // low halves all equal; 0 among them
        values[k] = random_u64(&seed);
        EXPECT(wf_base_map_set(&map, key, values[k]));
        count += !there[k];
        there[k] = true;
        const uint32_t q = random_below(&seed, KEYS);
        const uint64_t *found = wf_base_map_find(&map, q * UINT64_C(0x100000000));
        EXPECT((found != NULL) == there[q] && (!found || *found == values[q]));
        EXPECT_EQ(map.count, count);
    }
    size_t cursor = 0, seen = 0;
    const struct wf_base_map_entry *entry;
    while ((entry = wf_base_map_next(&map, &cursor)) != NULL) {
        EXPECT(there[entry->key >> 32] && values[entry->key >> 32] == entry->value);
        seen++;
    }
    EXPECT_EQ(seen, count);
    wf_base_map_clear(&map);
    EXPECT_EQ(map.count, 0);
    EXPECT_EQ(wf_base_map_get(&map, 0, 42), 42);
    wf_base_map_finish(&map);
}

TEST(map, reserve_means_no_allocation_later)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    for (uint32_t count = 1; count < 200; count += 7) {
        struct wf_base_map map;
        wf_base_map_init(&map, &c.allocator);
        EXPECT(wf_base_map_reserve(&map, count));
        const uint64_t calls = c.calls;
        for (uint32_t i = 0; i < count; i++)
            EXPECT(wf_base_map_set(&map, i, i));
        EXPECT_EQ(c.calls, calls);
        wf_base_map_finish(&map);
    }
    EXPECT_EQ(c.live_bytes, 0);
}

TEST(map, out_of_memory_leaves_it_as_it_was)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    struct wf_base_map map;
    wf_base_map_init(&map, &c.allocator);
    wf_base_counting_fail(&c, 2, true);
    uint64_t key = 0;
    while (wf_base_map_set(&map, key, key + 1))
        key++;
    EXPECT(key >= 8 && map.count == key);
    for (uint64_t k = 0; k < key; k++)
        EXPECT_EQ(wf_base_map_get(&map, k, 0), k + 1);
    EXPECT(wf_base_map_set(&map, 3, 99)); // replacing needs no room
    EXPECT(!wf_base_map_reserve(&map, SIZE_MAX));
    wf_base_map_finish(&map);
    EXPECT_EQ(c.live_bytes, 0);
}
