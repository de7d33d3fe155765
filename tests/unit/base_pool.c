#include "base/pool.h"
#include "base/thread.h"
#include "base_random.h"
#include "support/test.h"

#include <stdlib.h>

enum { TAG = 0xa5 };

struct hot {
    uint32_t value;
};

struct cold {
    char text[20];
};

static void pool_open(struct wf_base_pool *pool, uint32_t capacity, uint32_t generation_limit)
{
    EXPECT(wf_base_pool_init(pool, wf_base_allocator_default(),
                             &(struct wf_base_pool_desc){
                                 .hot_size = sizeof(struct hot),
                                 .cold_size = sizeof(struct cold),
                                 .capacity = capacity,
                                 .generation_limit = generation_limit,
                                 .tag = TAG,
                             }));
}

static enum wf_base_handle_state state(struct wf_base_pool *pool, struct wf_base_handle h)
{
    return wf_base_pool_state(pool, h);
}

static struct hot *hot(struct wf_base_pool *pool, struct wf_base_handle h)
{
    return wf_base_pool_hot(pool, h);
}

TEST(pool, tells_why_a_handle_is_bad)
{
    struct wf_base_pool pool;
    pool_open(&pool, 1000, 0);
    const struct wf_base_handle a = wf_base_pool_take(&pool);
    EXPECT(a.index != 0 && a.generation == ((uint32_t)TAG << 24 | 1));
    EXPECT_EQ(state(&pool, a), WF_BASE_HANDLE_LIVE);
    EXPECT_EQ(state(&pool, (struct wf_base_handle){0, 0}), WF_BASE_HANDLE_NONE);
    const struct wf_base_handle foreign = {a.index, a.generation ^ 1u << 24};
    EXPECT_EQ(state(&pool, foreign), WF_BASE_HANDLE_FOREIGN);
    const struct wf_base_handle bad[] = {
        {a.index, a.generation + 1}, {a.index + 1, a.generation},    {1u << 31, a.generation},
        {0, a.generation},           {a.index, (uint32_t)TAG << 24}, {a.index, 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        EXPECT(!hot(&pool, bad[i]));
        EXPECT(!wf_base_pool_cold(&pool, bad[i]));
        EXPECT(!wf_base_pool_give(&pool, bad[i]));
        EXPECT(state(&pool, bad[i]) ==
               (bad[i].generation ? WF_BASE_HANDLE_INVALID : WF_BASE_HANDLE_FOREIGN));
    }
    EXPECT(wf_base_pool_give(&pool, a));
    EXPECT(!wf_base_pool_give(&pool, a));
    EXPECT(!hot(&pool, a));
    EXPECT_EQ(state(&pool, a), WF_BASE_HANDLE_STALE);
    const struct wf_base_handle b = wf_base_pool_take(&pool);
    EXPECT(b.index == a.index && b.generation == a.generation + 1);
    EXPECT(!hot(&pool, a) && hot(&pool, b));
    wf_base_pool_finish(&pool);
}

TEST(pool, items_are_zeroed_and_never_move)
{
    enum { COUNT = 2000 };
    static struct wf_base_handle handles[COUNT];
    static struct hot *places[COUNT];
    struct wf_base_pool pool;
    pool_open(&pool, COUNT, 0);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            handles[i] = wf_base_pool_take(&pool);
            places[i] = hot(&pool, handles[i]);
            struct cold *cold = wf_base_pool_cold(&pool, handles[i]);
            EXPECT(places[i] && places[i]->value == 0 && cold && cold->text[19] == 0);
            EXPECT((uintptr_t)places[i] % 16 == 0);
            places[i]->value = i;
            cold->text[19] = 1;
        }
        EXPECT_EQ(wf_base_pool_take(&pool).index, 0); // full
        EXPECT_EQ(wf_base_pool_count(&pool), COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            EXPECT(hot(&pool, handles[i]) == places[i] && places[i]->value == i);
            EXPECT(wf_base_pool_give(&pool, handles[i]));
        }
    }
    EXPECT_EQ(wf_base_pool_count(&pool), 0);
    wf_base_pool_finish(&pool);
}

TEST(pool, used_up_slots_are_retired)
{
    enum { CAPACITY = 300, LIMIT = 3 };
    struct wf_base_pool pool;
    pool_open(&pool, CAPACITY, LIMIT);
    static uint8_t seen[1 << 12][LIMIT + 1];
    uint32_t taken = 0;
    for (;; taken++) {
        const struct wf_base_handle h = wf_base_pool_take(&pool);
        if (h.index == 0)
            break;
        const uint32_t number = h.generation & WF_BASE_POOL_GENERATION_MASK;
        EXPECT(h.index < 1 << 12 && number >= 1 && number <= LIMIT);
        EXPECT(!seen[h.index][number]); // no handle is ever given twice
        seen[h.index][number] = 1;
        EXPECT(wf_base_pool_give(&pool, h));
        EXPECT_EQ(state(&pool, h), WF_BASE_HANDLE_STALE);
    }
    EXPECT(taken >= 2 * CAPACITY * LIMIT);
    EXPECT_EQ(pool.retired * LIMIT, taken);
    wf_base_pool_finish(&pool);
}

TEST(pool, what_the_tag_gave_before_is_foreign)
{
    enum { START = 7 };
    struct wf_base_pool pool;
    EXPECT(wf_base_pool_init(&pool, wf_base_allocator_default(),
                             &(struct wf_base_pool_desc){.hot_size = sizeof(struct hot),
                                                         .capacity = 1000,
                                                         .generation_start = START,
                                                         .tag = TAG}));
    EXPECT_EQ(pool.newest, START);
    const struct wf_base_handle h = wf_base_pool_take(&pool);
    EXPECT_EQ(h.generation, (uint32_t)TAG << 24 | (START + 1));
    EXPECT_EQ(pool.newest, START + 1);
    for (uint32_t number = 1; number <= START; number++) {
        const struct wf_base_handle old = {h.index, (uint32_t)TAG << 24 | number};
        EXPECT(!hot(&pool, old) && !wf_base_pool_give(&pool, old));
        EXPECT_EQ(state(&pool, old), WF_BASE_HANDLE_FOREIGN);
        EXPECT_EQ(state(&pool, (struct wf_base_handle){900, old.generation}),
                  WF_BASE_HANDLE_FOREIGN);
    }
    EXPECT_EQ(state(&pool, h), WF_BASE_HANDLE_LIVE);
    wf_base_pool_finish(&pool);
}

TEST(pool, agrees_with_a_list)
{
    enum { CAPACITY = 700, STEPS = 30000 };
    static struct wf_base_handle live[CAPACITY], dead[STEPS];
    uint32_t live_count = 0, dead_count = 0;
    uint64_t seed = 9;
    struct wf_base_pool pool;
    pool_open(&pool, CAPACITY, 50);
    for (int step = 0; step < STEPS; step++) {
        if (random_below(&seed, 2)) {
            const struct wf_base_handle h = wf_base_pool_take(&pool);
            EXPECT_EQ(h.index != 0, live_count < CAPACITY);
            if (h.index) {
                hot(&pool, h)->value = h.index ^ h.generation;
                live[live_count++] = h;
            }
        } else if (live_count) {
            const uint32_t i = random_below(&seed, live_count);
            EXPECT(wf_base_pool_give(&pool, live[i]));
            dead[dead_count++] = live[i];
            live[i] = live[--live_count];
        }
        if (live_count) {
            const struct wf_base_handle h = live[random_below(&seed, live_count)];
            EXPECT(hot(&pool, h) && hot(&pool, h)->value == (h.index ^ h.generation));
        }
        if (dead_count)
            EXPECT_EQ(state(&pool, dead[random_below(&seed, dead_count)]), WF_BASE_HANDLE_STALE);
    }
    uint32_t walked = 0;
    for (struct wf_base_handle h = wf_base_pool_next(&pool, 0); h.index;
         h = wf_base_pool_next(&pool, h.index), walked++)
        EXPECT(hot(&pool, h)->value == (h.index ^ h.generation));
    EXPECT_EQ(walked, live_count);
    wf_base_pool_finish(&pool);
}

TEST(pool, out_of_memory_is_none)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    const struct wf_base_pool_desc desc = {.hot_size = 8, .capacity = 1000, .tag = TAG};
    struct wf_base_pool pool;
    wf_base_counting_fail(&c, 1, false);
    EXPECT(!wf_base_pool_init(&pool, &c.allocator, &desc));
    wf_base_counting_fail(&c, 2, false);
    EXPECT(wf_base_pool_init(&pool, &c.allocator, &desc));
    EXPECT_EQ(wf_base_pool_take(&pool).index, 0);
    const struct wf_base_handle h = wf_base_pool_take(&pool);
    EXPECT(h.index != 0 && !wf_base_pool_cold(&pool, h));
    wf_base_pool_finish(&pool);
    wf_base_pool_finish(&pool);
    EXPECT_EQ(c.live_bytes, 0);
}

struct contender {
    struct wf_base_pool *pool;
    struct wf_base_thread thread;
    uint64_t seed;
    uint32_t errors;
};

static void contend(void *user)
{
    struct contender *me = user;
    struct wf_base_handle mine[64];
    uint32_t count = 0;
    for (int step = 0; step < 4000; step++) {
        if (count < 64 && random_below(&me->seed, 2)) {
            mine[count] = wf_base_pool_take(me->pool);
            struct hot *item = hot(me->pool, mine[count]);
            me->errors += !item || item->value != 0;
            if (item)
                item->value = mine[count++].index;
        } else if (count) {
            const struct wf_base_handle h = mine[--count];
            struct hot *item = hot(me->pool, h);
            me->errors += !item || item->value != h.index;
            me->errors += !wf_base_pool_give(me->pool, h);
            me->errors += hot(me->pool, h) != NULL;
        }
    }
    while (count) {
        const struct wf_base_handle h = mine[--count];
        me->errors += !wf_base_pool_give(me->pool, h);
    }
}

TEST(pool, threads_do_not_disturb_each_other)
{
    struct wf_base_pool pool;
    pool_open(&pool, 1024, 100);
    struct contender all[4];
    for (uint32_t i = 0; i < 4; i++) {
        all[i] = (struct contender){.pool = &pool, .seed = i};
        EXPECT(wf_base_thread_start(&all[i].thread, "contender", contend, &all[i]));
    }
    for (uint32_t i = 0; i < 4; i++) {
        wf_base_thread_join(&all[i].thread);
        EXPECT_EQ(all[i].errors, 0);
    }
    EXPECT_EQ(wf_base_pool_count(&pool), 0);
    wf_base_pool_finish(&pool);
}
