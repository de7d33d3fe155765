#include "backends/software/memory.h"
#include "base/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define LIMIT (UINT64_C(1) << 30)

static struct wf_sw_arena arena_open(void)
{
    struct wf_sw_arena arena;
    EXPECT(wf_sw_arena_init(&arena, UINT64_C(1) << 36, LIMIT));
    return arena;
}

TEST(swdev_memory, addresses_resolve_to_the_exact_byte)
{
    struct wf_sw_arena arena = arena_open();
    uint8_t *a = wf_sw_arena_alloc(&arena, 100, true);
    uint8_t *b = wf_sw_arena_alloc(&arena, 200000, true);
    EXPECT(a && b);
    const weft_gpu_ptr at = wf_sw_arena_address(&arena, a), bt = wf_sw_arena_address(&arena, b);
    uint64_t available = 0;
    EXPECT(wf_sw_arena_resolve(&arena, at, 100, &available) == a);
    EXPECT_EQ(available, 100);
    EXPECT(wf_sw_arena_resolve(&arena, at + 99, 1, &available) == a + 99);
    EXPECT_EQ(available, 1);
    EXPECT(!wf_sw_arena_resolve(&arena, at + 99, 2, &available));
    EXPECT_EQ(available, 1);
    EXPECT(!wf_sw_arena_resolve(&arena, at + 100, 1, NULL));
    EXPECT(!wf_sw_arena_resolve(&arena, at - 1, 1, NULL));
    EXPECT(wf_sw_arena_resolve(&arena, bt + 199996, 4, NULL) == b + 199996);
    EXPECT(!wf_sw_arena_resolve(&arena, bt + 199997, 4, NULL));
    EXPECT(!wf_sw_arena_resolve(&arena, bt, UINT64_MAX, NULL));
    wf_sw_arena_finish(&arena);
}

TEST(swdev_memory, null_foreign_and_stale_addresses_resolve_to_nothing)
{
    struct wf_sw_arena arena = arena_open();
    uint64_t available = 1;
    EXPECT(!wf_sw_arena_resolve(&arena, 0, 0, &available));
    EXPECT_EQ(available, 0);
    EXPECT(!wf_sw_arena_resolve(&arena, 64, 1, NULL));
    EXPECT(!wf_sw_arena_resolve(&arena, UINT64_MAX, 1, NULL));
    EXPECT(!wf_sw_arena_resolve(&arena, arena.page_count << WF_SW_PAGE_SHIFT, 1, NULL));
    uint8_t *a = wf_sw_arena_alloc(&arena, 70000, true);
    const weft_gpu_ptr at = wf_sw_arena_address(&arena, a);
    wf_sw_arena_free(&arena, a);
    EXPECT(!wf_sw_arena_resolve(&arena, at, 1, NULL));
    EXPECT(!wf_sw_arena_resolve(&arena, at + 69999, 1, NULL));
    uint8_t *hidden = wf_sw_arena_alloc(&arena, 70000, false);
    EXPECT(!wf_sw_arena_resolve(&arena, wf_sw_arena_address(&arena, hidden), 1, NULL));
    wf_sw_arena_finish(&arena);
}

TEST(swdev_memory, memory_is_zeroed_and_comes_back)
{
    struct wf_sw_arena arena = arena_open();
    for (int round = 0; round < 3; round++) {
        uint8_t *a = wf_sw_arena_alloc(&arena, 1000000, true);
        EXPECT(a && a[0] == 0 && a[999999] == 0);
        memset(a, 0xff, 1000000);
        wf_sw_arena_free(&arena, a);
    }
    EXPECT_EQ(wf_sw_arena_used(&arena), 0);
    EXPECT(!wf_sw_arena_alloc(&arena, LIMIT + 1, true));
    EXPECT(!wf_sw_arena_alloc(&arena, UINT64_MAX, true));
    uint8_t *all = wf_sw_arena_alloc(&arena, LIMIT, true);
    EXPECT(all && !wf_sw_arena_alloc(&arena, 1, true));
    wf_sw_arena_free(&arena, all);
    wf_sw_arena_finish(&arena);
}

// Every range: inside of the arena, distinct from the others, and neighbours of free ranges used.
TEST(swdev_memory, thousands_of_allocations_never_overlap)
{
    enum { COUNT = 4000 };
    static uint8_t *memory[COUNT];
    static uint64_t sizes[COUNT];
    struct wf_sw_arena arena = arena_open();
    memset(memory, 0, sizeof memory);
    uint32_t random = 1;
    for (uint32_t step = 0; step < 4 * COUNT; step++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t i = (random >> 8) % COUNT;
        if (memory[i]) {
            EXPECT_EQ(memory[i][0], i % 251);
            EXPECT_EQ(memory[i][sizes[i] - 1], i % 251);
            wf_sw_arena_free(&arena, memory[i]);
            memory[i] = NULL;
            continue;
        }
        sizes[i] = 1 + (random >> 4) % (random & 1 ? 300 : 200000);
        memory[i] = wf_sw_arena_alloc(&arena, sizes[i], true);
        EXPECT(memory[i] && memory[i][0] == 0 && memory[i][sizes[i] - 1] == 0);
        memory[i][0] = memory[i][sizes[i] - 1] = (uint8_t)(i % 251);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        wf_sw_arena_free(&arena, memory[i]);
    EXPECT_EQ(wf_sw_arena_used(&arena), 0);
    EXPECT_EQ(arena.pages[1].count, arena.page_count - 1); // all joined again
    wf_sw_arena_finish(&arena);
}

struct churn {
    struct wf_sw_arena arena;
    uint8_t *fixed;
    atomic_uint bad;
};

static void churn_item(void *user, uint32_t item, uint32_t worker)
{
    struct churn *churn = user;
    (void)worker;
    const weft_gpu_ptr fixed = wf_sw_arena_address(&churn->arena, churn->fixed);
    uint8_t *memory = wf_sw_arena_alloc(&churn->arena, 1 + item * 977 % 150000, true);
    if (wf_sw_arena_resolve(&churn->arena, fixed + 4999, 1, NULL) != churn->fixed + 4999 ||
        wf_sw_arena_resolve(&churn->arena, fixed + 5000, 1, NULL) || !memory ||
        !wf_sw_arena_resolve(&churn->arena, wf_sw_arena_address(&churn->arena, memory), 1, NULL))
        churn->bad++;
    wf_sw_arena_free(&churn->arena, memory);
}

TEST(swdev_memory, threads_allocate_and_resolve_at_once)
{
    static struct churn churn;
    churn.arena = arena_open();
    churn.bad = 0;
    churn.fixed = wf_sw_arena_alloc(&churn.arena, 5000, true);
    struct wf_base_tasks *tasks = wf_base_tasks_create(4, wf_base_allocator_default());
    EXPECT(tasks);
    wf_base_tasks_run(tasks, churn_item, &churn, 2000);
    wf_base_tasks_destroy(tasks);
    EXPECT_EQ(churn.bad, 0);
    wf_sw_arena_free(&churn.arena, churn.fixed);
    EXPECT_EQ(wf_sw_arena_used(&churn.arena), 0);
    wf_sw_arena_finish(&churn.arena);
}
