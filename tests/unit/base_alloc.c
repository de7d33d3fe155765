#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base_random.h"
#include "support/test.h"

#include <string.h>

TEST(alloc, sizes_are_checked_for_overflow)
{
    size_t out = 7;
    EXPECT(!wf_base_mul_size(SIZE_MAX / 2 + 1, 2, &out));
    EXPECT(!wf_base_add_size(SIZE_MAX, 1, &out));
    EXPECT_EQ(out, 7);
    EXPECT(wf_base_mul_size(SIZE_MAX / 2, 2, &out) && out == SIZE_MAX - 1);
    EXPECT(wf_base_mul_size(SIZE_MAX, 0, &out) && out == 0);
    uint64_t wide = 7;
    EXPECT(!wf_base_mul_u64(UINT64_MAX, 2, &wide) && !wf_base_add_u64(1, UINT64_MAX, &wide));
    EXPECT_EQ(wide, 7);
    EXPECT(wf_base_range_fits(4, 4, 8));
    EXPECT(!wf_base_range_fits(5, 4, 8));
    EXPECT(!wf_base_range_fits(UINT64_MAX, 2, 8));
    EXPECT(!wf_base_range_fits(2, UINT64_MAX, 8));
}

TEST(alloc, too_large_an_array_is_refused)
{
    const struct wf_base_allocator *a = wf_base_allocator_default();
    EXPECT(!wf_base_alloc_array(a, SIZE_MAX / 4, 8));
    EXPECT(!wf_base_realloc_array(a, NULL, 0, SIZE_MAX / 4, 8));
}

TEST(alloc, alignment_is_kept)
{
    const struct wf_base_allocator *a = wf_base_allocator_default();
    for (size_t align = 1; align <= 4096; align *= 2) {
        void *ptr = wf_base_alloc_aligned(a, 33, align);
        EXPECT(ptr && (uintptr_t)ptr % align == 0);
        wf_base_free(a, ptr, 33);
    }
}

TEST(alloc, counting_sees_every_byte)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    void *one = wf_base_alloc(&c.allocator, 100);
    void *none = wf_base_alloc(&c.allocator, 0);
    char *text = wf_base_copy_string(&c.allocator, "weft");
    EXPECT_STR(text, "weft");
    EXPECT_EQ(c.calls, 3);
    EXPECT_EQ(c.live_blocks, 3);
    EXPECT_EQ(c.live_bytes, 106);
    wf_base_free(&c.allocator, one, 100);
    wf_base_free(&c.allocator, none, 0);
    wf_base_free(&c.allocator, text, 5);
    wf_base_free(&c.allocator, NULL, 9);
    EXPECT_EQ(c.live_blocks, 0);
    EXPECT_EQ(c.live_bytes, 0);
    EXPECT_EQ(c.peak_bytes, 106);
}

TEST(alloc, the_nth_call_fails)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    for (int after = 0; after < 2; after++) {
        wf_base_counting_fail(&c, 2, after);
        void *p[3];
        for (int i = 0; i < 3; i++)
            p[i] = wf_base_alloc_zero(&c.allocator, 8);
        EXPECT(p[0] && !p[1] && (p[2] != NULL) == !after);
        for (int i = 0; i < 3; i++)
            wf_base_free(&c.allocator, p[i], 8);
    }
    EXPECT_EQ(c.live_bytes, 0);
}

TEST(array, growing_keeps_what_is_there)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    uint32_t *items = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        items = wf_base_array_grow(&c.allocator, items, &capacity, i + 1, sizeof *items);
        EXPECT(items && capacity > i);
        items[i] = i * 3;
    }
    for (uint32_t i = 0; i < 10000; i++)
        EXPECT_EQ(items[i], i * 3);
    EXPECT(c.calls < 30);
    const size_t before = capacity;
    wf_base_counting_fail(&c, 1, true);
    EXPECT(!wf_base_array_grow(&c.allocator, items, &capacity, before + 1, sizeof *items));
    EXPECT_EQ(capacity, before);
    wf_base_free(&c.allocator, items, capacity * sizeof *items);
    EXPECT_EQ(c.live_bytes, 0);
}

/// Random allocations in an arena; each is filled, and all are checked at the end.
static void arena_round(struct wf_base_arena *arena, uint64_t seed)
{
    enum { COUNT = 300 };
    struct {
        unsigned char *ptr;
        size_t size;
    } blocks[COUNT];
    for (int i = 0; i < COUNT; i++) {
        const size_t align = (size_t)1 << random_below(&seed, 8);
        blocks[i].size = random_below(&seed, random_below(&seed, 20) ? 100 : 5000);
        blocks[i].ptr = wf_base_arena_alloc(arena, blocks[i].size, align);
        EXPECT(blocks[i].ptr && (uintptr_t)blocks[i].ptr % align == 0);
        memset(blocks[i].ptr, i, blocks[i].size);
    }
    for (int i = 0; i < COUNT; i++) {
        for (size_t b = 0; b < blocks[i].size; b++)
            EXPECT(blocks[i].ptr[b] == (unsigned char)i);
    }
}

TEST(arena, blocks_do_not_overlap_and_reset_allocates_nothing)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    struct wf_base_arena arena;
    wf_base_arena_init(&arena, &c.allocator, 1024, 0);
    arena_round(&arena, 1);
    const uint64_t calls = c.calls;
    for (int i = 0; i < 20; i++) {
        wf_base_arena_reset(&arena);
        EXPECT_EQ(wf_base_arena_used(&arena), 0);
        arena_round(&arena, 1);
    }
    EXPECT_EQ(c.calls, calls);
    for (uint64_t seed = 2; seed < 50; seed++) {
        wf_base_arena_reset(&arena);
        arena_round(&arena, seed);
    }
    EXPECT_EQ(c.live_bytes, arena.reserved);
    wf_base_arena_finish(&arena);
    EXPECT_EQ(c.live_bytes, 0);
    arena_round(&arena, 3);
    wf_base_arena_finish(&arena);
    EXPECT_EQ(c.live_bytes, 0);
}

TEST(arena, the_limit_holds)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    struct wf_base_arena arena;
    wf_base_arena_init(&arena, &c.allocator, 256, 4096);
    size_t got = 0;
    while (wf_base_arena_alloc(&arena, 64, 0))
        got += 64;
    EXPECT(got >= 2048 && got <= 4096);
    EXPECT(arena.reserved <= 4096 && c.peak_bytes <= 4096);
    EXPECT(!wf_base_arena_alloc(&arena, SIZE_MAX, 1));
    EXPECT(!wf_base_arena_alloc(&arena, SIZE_MAX - 64, 64));
    EXPECT(!wf_base_arena_array(&arena, SIZE_MAX / 2, 8));
    wf_base_arena_reset(&arena);
    EXPECT(wf_base_arena_alloc(&arena, 64, 0) != NULL);
    wf_base_arena_finish(&arena);
    EXPECT_EQ(c.live_bytes, 0);
}

TEST(arena, out_of_memory_leaves_it_usable)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    struct wf_base_arena arena;
    wf_base_arena_init(&arena, &c.allocator, 128, 0);
    char *kept = wf_base_arena_string(&arena, "kept");
    wf_base_counting_fail(&c, 1, true);
    EXPECT(!wf_base_arena_alloc(&arena, 4000, 0));
    EXPECT(!wf_base_arena_format(&arena, "%4000d", 1));
    EXPECT_STR(kept, "kept");
    EXPECT(wf_base_arena_alloc(&arena, 16, 0) != NULL);
    wf_base_arena_finish(&arena);
}

TEST(arena, rewind_drops_what_came_after_the_mark)
{
    struct wf_base_arena arena;
    wf_base_arena_init(&arena, wf_base_allocator_default(), 256, 0);
    const struct wf_base_arena_mark start = wf_base_arena_mark_get(&arena);
    char *kept = wf_base_arena_format(&arena, "%s %d", "kept", 7);
    const struct wf_base_arena_mark mark = wf_base_arena_mark_get(&arena);
    char *again = wf_base_arena_alloc(&arena, 100, 1);
    for (int i = 0; i < 100; i++)
        EXPECT(wf_base_arena_alloc_zero(&arena, 100, 8) != NULL);
    wf_base_arena_rewind(&arena, mark);
    EXPECT_EQ(wf_base_arena_used(&arena), strlen("kept 7") + 1);
    EXPECT(wf_base_arena_alloc(&arena, 100, 1) == again);
    EXPECT_STR(kept, "kept 7");
    wf_base_arena_rewind(&arena, start);
    EXPECT_EQ(wf_base_arena_used(&arena), 0);
    wf_base_arena_finish(&arena);
}

TEST(arena, strings_are_copied)
{
    struct wf_base_arena arena;
    wf_base_arena_init(&arena, wf_base_allocator_default(), 0, 0);
    EXPECT(!wf_base_arena_string(&arena, NULL));
    EXPECT_STR(wf_base_arena_string(&arena, ""), "");
    EXPECT_STR(wf_base_arena_string_n(&arena, "abcdef", 3), "abc");
    EXPECT_MEM(wf_base_arena_copy(&arena, "abcdef", 6), "abcdef", 6);
    wf_base_arena_finish(&arena);
}
