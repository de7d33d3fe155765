#include "base/ranges.h"

#include "support/test.h"

#define UNITS 4096u
#define MOST  256u

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

TEST(base_ranges, one_range_is_everything)
{
    struct wf_base_ranges r;
    uint32_t at = 7;
    EXPECT(wf_base_ranges_init(&r, wf_base_allocator_default(), UNITS));
    const uint32_t all = wf_base_ranges_take(&r, UNITS, &at);
    EXPECT(all != WF_BASE_RANGES_NONE && at == 0 && r.used == UNITS);
    EXPECT(wf_base_ranges_take(&r, 1, &at) == WF_BASE_RANGES_NONE);
    wf_base_ranges_give(&r, all);
    EXPECT(r.used == 0 && wf_base_ranges_take(&r, UNITS, &at) != WF_BASE_RANGES_NONE);
    wf_base_ranges_finish(&r);
}

/// Neighbours join again, whatever the order in which they are given back.
TEST(base_ranges, free_neighbours_join)
{
    static const uint32_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct wf_base_ranges r;
        uint32_t names[3], at;
        EXPECT(wf_base_ranges_init(&r, wf_base_allocator_default(), 96));
        for (int k = 0; k < 3; k++)
            names[k] = wf_base_ranges_take(&r, 32, &at);
        EXPECT(names[2] != WF_BASE_RANGES_NONE && at == 64);
        for (int k = 0; k < 3; k++)
            wf_base_ranges_give(&r, names[orders[i][k]]);
        EXPECT(wf_base_ranges_take(&r, 96, &at) != WF_BASE_RANGES_NONE && at == 0);
        wf_base_ranges_finish(&r);
    }
}

/// Random takes and gives against a map of units: ranges lie inside, never overlap, and all of
/// them given back are one range again.
TEST(base_ranges, agree_with_a_map_of_units)
{
    static bool taken[UNITS];
    uint32_t names[MOST], offsets[MOST], sizes[MOST], count = 0, used = 0;
    struct wf_base_ranges r;
    uint64_t random = 12345;
    EXPECT(wf_base_ranges_init(&r, wf_base_allocator_default(), UNITS));
    for (int step = 0; step < 20000; step++) {
        const uint32_t dice = next_random(&random);
        if (count < MOST && dice % 5 < 3) {
            const uint32_t size = 1 + (dice >> 8) % (dice % 7 == 0 ? 500 : 30);
            uint32_t at;
            const uint32_t name = wf_base_ranges_take(&r, size, &at);
            if (name == WF_BASE_RANGES_NONE)
                continue;
            EXPECT(at <= UNITS - size);
            for (uint32_t i = at; i < at + size; i++) {
                EXPECT(!taken[i]);
                taken[i] = true;
            }
            names[count] = name;
            offsets[count] = at;
            sizes[count++] = size;
            used += size;
        } else if (count > 0) {
            const uint32_t which = (dice >> 8) % count;
            for (uint32_t i = 0; i < sizes[which]; i++)
                taken[offsets[which] + i] = false;
            wf_base_ranges_give(&r, names[which]);
            used -= sizes[which];
            count--;
            names[which] = names[count];
            offsets[which] = offsets[count];
            sizes[which] = sizes[count];
        }
        EXPECT(r.used == used);
    }
    while (count > 0)
        wf_base_ranges_give(&r, names[--count]);
    uint32_t at;
    EXPECT(wf_base_ranges_take(&r, UNITS, &at) != WF_BASE_RANGES_NONE);
    wf_base_ranges_finish(&r);
}

/// Each power of two and its neighbours is found again in an empty space of that size.
TEST(base_ranges, sizes_of_every_bin)
{
    for (uint32_t shift = 0; shift < 32; shift++) {
        for (int32_t off = -1; off <= 1; off++) {
            const uint64_t size = (UINT64_C(1) << shift) + (uint64_t)(int64_t)off;
            if (size == 0 || size > UINT32_MAX)
                continue;
            struct wf_base_ranges r;
            uint32_t at, name;
            EXPECT(wf_base_ranges_init(&r, wf_base_allocator_default(), (uint32_t)size));
            // A range of the bin of `size` itself may be too small, but for powers of two and
            // sizes below a bin's step it is not.
            const uint32_t less = (uint32_t)(size - size / 8);
            name = wf_base_ranges_take(&r, less > 0 ? less : 1, &at);
            EXPECT(name != WF_BASE_RANGES_NONE && at == 0);
            wf_base_ranges_finish(&r);
        }
    }
}

TEST(base_ranges, no_memory_for_a_record)
{
    struct wf_base_counting_allocator counting;
    struct wf_base_ranges r;
    uint32_t at;
    wf_base_counting_init(&counting, wf_base_allocator_default());
    wf_base_counting_fail(&counting, 1, true);
    EXPECT(!wf_base_ranges_init(&r, &counting.allocator, UNITS));
    wf_base_counting_fail(&counting, 0, false);
    EXPECT(wf_base_ranges_init(&r, &counting.allocator, UNITS));
    wf_base_counting_fail(&counting, 1, true);
    uint32_t got = 0;
    while (wf_base_ranges_take(&r, 1, &at) != WF_BASE_RANGES_NONE)
        got++;
    EXPECT(got > 0 && got < UNITS && r.used == got); // the records ran out, and nothing was lost
    wf_base_counting_fail(&counting, 0, false);
    EXPECT(wf_base_ranges_take(&r, 1, &at) != WF_BASE_RANGES_NONE && at == got);
    wf_base_ranges_finish(&r);
    EXPECT(counting.live_blocks == 0);
}
