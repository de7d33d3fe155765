#include "core/upload_order.h"

#include <string.h>

#define PIECE_SHIFT 6 // of what a bit of the filter stands for

static bool meets_range(const struct wf_core_order_range *list, uint32_t count, const void *buffer,
                        uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < count; ++i)
        if (list[i].buffer == buffer && list[i].begin < end && begin < list[i].end)
            return true;
    return false;
}

/// Sets the bits of a short range. True if one was set.
static bool filter(struct wf_core_order *order, const void *buffer, uint64_t begin, uint64_t end)
{
    uint64_t met = 0;
    const uint64_t last = (end - 1) >> PIECE_SHIFT;
    const uint64_t base = (uint64_t)(uintptr_t)buffer * 0xff51afd7ed558ccdu;
    for (uint64_t piece = begin >> PIECE_SHIFT; piece <= last; ++piece) {
        const uint64_t hash = (base + piece) * 0x9e3779b97f4a7c15u >> 52; // 12 bits
        const uint64_t bit = UINT64_C(1) << (hash & 63);
        met |= order->filter[hash >> 6] & bit;
        order->filter[hash >> 6] |= bit;
    }
    return met != 0;
}

bool wf_core_order_add_range(struct wf_core_order *order, const void *buffer, uint64_t begin,
                             uint64_t end)
{
    if (meets_range(order->longs, order->long_count, buffer, begin, end))
        return false;
    struct wf_core_order_range *added;
    if (end - begin > WF_CORE_ORDER_SHORT) {
        if (order->long_count == WF_CORE_ORDER_FEW ||
            meets_range(order->shorts, order->short_count, buffer, begin, end))
            return false;
        added = &order->longs[order->long_count++];
    } else {
        if (order->short_count == WF_CORE_ORDER_MANY)
            return false;
        if (filter(order, buffer, begin, end) &&
            meets_range(order->shorts, order->short_count, buffer, begin, end))
            return false;
        added = &order->shorts[order->short_count++];
    }
    added->buffer = buffer;
    added->begin = begin;
    added->end = end;
    return true;
}

static bool meets_box(const struct wf_core_order_box *a, const struct wf_core_order_box *b)
{
    if (a->texture != b->texture || a->mip != b->mip || a->aspect != b->aspect)
        return false;
    for (int i = 0; i < 4; ++i) {
        if (a->begin[i] >= b->end[i] || b->begin[i] >= a->end[i])
            return false;
    }
    return true;
}

bool wf_core_order_add_box(struct wf_core_order *order, const struct wf_core_order_box *box)
{
    if (order->box_count == WF_CORE_ORDER_FEW)
        return false;
    for (uint32_t i = 0; i < order->box_count; ++i)
        if (meets_box(&order->boxes[i], box))
            return false;
    order->boxes[order->box_count++] = *box;
    return true;
}

void wf_core_order_reset(struct wf_core_order *order)
{
    if (order->short_count > 0)
        memset(order->filter, 0, sizeof order->filter);
    order->box_count = order->long_count = order->short_count = 0;
}
