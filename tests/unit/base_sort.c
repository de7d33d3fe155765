#include "base/sort.h"
#include "base_random.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static int compare(const void *a, const void *b)
{
    const struct wf_base_sort_item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/// Sorts `count` random keys in which only the bits of `mask` vary, and compares with qsort by
/// (key, original place).
static void check_sort(uint32_t count, uint64_t mask, uint64_t seed)
{
    static struct wf_base_sort_item items[MOST], scratch[MOST], wanted[MOST];
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct wf_base_sort_item){(random_u64(&seed) & mask) | (0x5a & ~mask), i, ~i};
    memcpy(wanted, items, count * sizeof items[0]);
    qsort(wanted, count, sizeof wanted[0], compare);
    wf_base_sort(items, scratch, count);
    EXPECT_MEM(items, wanted, count * sizeof items[0]);
}

TEST(sort, is_stable_and_right)
{
    static const uint64_t masks[] = {UINT64_MAX,
                                     0,
                                     7,
                                     0xff00,
                                     0xff000000ff000000u,
                                     0x8000000000000001u,
                                     0xffffffff00000000u,
                                     0x0101010101010101u};
    static const uint32_t counts[] = {0, 1, 2, 3, 47, 48, 49, 255, 256, 1000, MOST};
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            check_sort(counts[c], masks[m], m * 100 + c);
    }
}
