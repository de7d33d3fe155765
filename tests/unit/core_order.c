#include "core/upload_order.h"

#include "base_random.h"
#include "support/test.h"

enum { BUFFERS = 3, BYTES = 1 << 16, STEPS = 20000 };

/// The order without a filter: every range since the last barrier.
struct naive {
    struct wf_core_order_range list[WF_CORE_ORDER_FEW + WF_CORE_ORDER_MANY];
    uint32_t count, longs;
};

static bool naive_add(struct naive *n, const struct wf_core_order_range *range)
{
    const bool is_long = range->end - range->begin > WF_CORE_ORDER_SHORT;
    if (is_long ? n->longs == WF_CORE_ORDER_FEW : n->count - n->longs == WF_CORE_ORDER_MANY)
        return false;
    for (uint32_t i = 0; i < n->count; ++i)
        if (n->list[i].buffer == range->buffer && n->list[i].begin < range->end &&
            range->begin < n->list[i].end)
            return false;
    n->list[n->count++] = *range;
    n->longs += is_long;
    return true;
}

TEST(core_order, a_range_is_refused_exactly_when_it_meets_another_or_there_is_no_room)
{
    static struct wf_core_order order;
    static struct naive naive;
    static char buffers[BUFFERS];
    uint64_t seed = 7;
    uint32_t refused = 0;
    for (int i = 0; i < STEPS; ++i) {
        const uint32_t size = random_below(&seed, 8) ? 4 + random_below(&seed, 64) * 4 : 4096;
        const uint64_t begin = random_below(&seed, i % 1000 < 500 ? BYTES : BYTES * 256) * 4ull;
        const struct wf_core_order_range range = {&buffers[random_below(&seed, BUFFERS)], begin,
                                                  begin + size};
        const bool wanted = naive_add(&naive, &range);
        EXPECT(wf_core_order_add_range(&order, range.buffer, range.begin, range.end) == wanted);
        if (!wanted) {
            ++refused;
            wf_core_order_reset(&order);
            naive = (struct naive){0};
            EXPECT(naive_add(&naive, &range));
            EXPECT(wf_core_order_add_range(&order, range.buffer, range.begin, range.end));
        }
    }
    EXPECT(refused > 100 && refused < STEPS / 10);
}

TEST(core_order, boxes_of_texels_meet_in_all_four_directions_or_not_at_all)
{
    static struct wf_core_order order;
    static char textures[2];
    const struct wf_core_order_box first = {
        .texture = &textures[0], .begin = {4, 4, 4, 4}, .end = {8, 8, 8, 8}};
    EXPECT(wf_core_order_add_box(&order, &first));
    for (int i = 0; i < 4; ++i) {
        struct wf_core_order_box beside = first;
        beside.begin[i] = 8;
        beside.end[i] = 9;
        EXPECT(wf_core_order_add_box(&order, &beside));
        struct wf_core_order_box over = first;
        over.begin[i] = 7;
        over.end[i] = 9;
        EXPECT(!wf_core_order_add_box(&order, &over));
    }
    struct wf_core_order_box other = first;
    other.texture = &textures[1];
    EXPECT(wf_core_order_add_box(&order, &other));
    other = first;
    other.mip = 1;
    EXPECT(wf_core_order_add_box(&order, &other));
    other = first;
    other.aspect = 1;
    EXPECT(wf_core_order_add_box(&order, &other));
}
