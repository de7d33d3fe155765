#include "core/watch_order.h"

#include "base/bits.h"

wf_watch_columns wf_watch_consumers(weft_stage_set consumers, weft_hazard_set hazards)
{
    static const struct {
        weft_stage_set stages;
        weft_hazard_set hazard;
        wf_watch_columns column;
    } guarded[] = {
        {WEFT_STAGE_DRAW_INDIRECT, WEFT_HAZARD_DRAW_ARGUMENTS, WF_WATCH_DRAW_ARGUMENTS},
        {WEFT_STAGE_DRAW_INDIRECT | WEFT_STAGE_COMPUTE, WEFT_HAZARD_DRAW_ARGUMENTS,
         WF_WATCH_DISPATCH_ARGUMENTS},
        {WEFT_STAGE_VERTEX, WEFT_HAZARD_DEPTH_STENCIL, WF_WATCH_DEPTH_VERTEX},
        {WEFT_STAGE_FRAGMENT, WEFT_HAZARD_DEPTH_STENCIL, WF_WATCH_DEPTH_FRAGMENT},
        {WEFT_STAGE_COMPUTE, WEFT_HAZARD_DEPTH_STENCIL, WF_WATCH_DEPTH_COMPUTE},
        {WEFT_STAGE_MESH, WEFT_HAZARD_DEPTH_STENCIL, WF_WATCH_DEPTH_MESH},
    };
    const bool all = (consumers & WEFT_STAGE_ALL) == WEFT_STAGE_ALL;
    wf_watch_columns columns = (wf_watch_columns)(consumers & WF_WATCH_PLAIN);
    for (uint32_t i = 0; i < sizeof guarded / sizeof guarded[0]; ++i) {
        if (all || (consumers & guarded[i].stages && hazards & guarded[i].hazard))
            columns |= guarded[i].column;
    }
    return columns;
}

/// The largest level of a row over some columns.
static uint64_t most(const uint64_t levels[WF_WATCH_COLUMNS], uint32_t columns)
{
    uint64_t best = 0;
    for (uint32_t c = 0; columns >> c; ++c) {
        if (columns >> c & 1 && levels[c] > best)
            best = levels[c];
    }
    return best;
}

struct wf_watch_reach wf_watch_reach_of(const struct wf_watch_order *order, uint32_t queue,
                                        weft_stage_set producers, uint64_t position)
{
    struct wf_watch_reach reach;
    for (uint32_t q = 0; q < WF_WATCH_QUEUES; ++q) {
        for (uint32_t s = 0; s < (uint32_t)WF_WATCH_ROWS; ++s)
            reach.at[q][s] = q == queue && producers >> s & 1
                                 ? position
                                 : most(order->level[queue][q][s], producers & WF_WATCH_PLAIN);
    }
    return reach;
}

bool wf_watch_order_after(struct wf_watch_order *order, uint32_t queue,
                          const struct wf_watch_reach *reach, wf_watch_columns columns)
{
    bool gained = false;
    for (uint32_t q = 0; q < WF_WATCH_QUEUES; ++q) {
        for (uint32_t s = 0; s < (uint32_t)WF_WATCH_ROWS; ++s) {
            const uint64_t at = reach->at[q][s];
            uint64_t *levels = order->level[queue][q][s];
            for (uint32_t c = 0; at > 0 && c < WF_WATCH_COLUMNS; ++c) {
                if (!(columns >> c & 1) || levels[c] >= at)
                    continue;
                gained |= order->last[q][s] > levels[c];
                levels[c] = at;
            }
        }
    }
    return gained;
}

/// The lowest bit of a set, taken out of it.
static uint32_t take_bit(uint32_t *bits)
{
    const uint32_t bit = wf_base_ctz32(*bits);
    *bits &= *bits - 1;
    return bit;
}

/// Whether what the access's own barriers ordered goes on to column `c`.
static bool chained(const struct wf_watch_order *order, const struct wf_watch_access *a,
                    uint32_t queue, uint32_t c)
{
    if (a->viewer == queue && a->columns >> c & 1)
        return true;
    for (uint32_t left = a->columns & WF_WATCH_PLAIN; left;) {
        if (a->since <= order->level[queue][a->viewer][take_bit(&left)][c])
            return true;
    }
    return false;
}

wf_watch_columns wf_watch_unordered(const struct wf_watch_order *order,
                                    const struct wf_watch_access *a, uint32_t queue,
                                    wf_watch_columns columns)
{
    if (a->position <= order->known)
        return 0;
    const uint64_t *levels = order->level[queue][a->queue][a->row];
    wf_watch_columns missing = 0;
    for (uint32_t left = columns; left;) {
        const uint32_t c = take_bit(&left);
        if (a->position > levels[c] && !(a->columns && chained(order, a, queue, c)))
            missing |= (wf_watch_columns)(1u << c);
    }
    return missing;
}

void wf_watch_access_barrier(const struct wf_watch_order *order, struct wf_watch_access *a,
                             uint32_t queue, weft_stage_set producers, wf_watch_columns columns,
                             uint64_t position)
{
    const wf_watch_columns all = (wf_watch_columns)~0u;
    const wf_watch_columns before =
        (wf_watch_columns)(all & ~wf_watch_unordered(order, a, queue, all));
    if (!(a->queue == queue && producers >> a->row & 1) && !(before & producers))
        return;
    a->columns = before | columns;
    a->since = position;
    a->viewer = (uint8_t)queue;
}

bool wf_watch_settled(const struct wf_watch_order *order, const struct wf_watch_access *a,
                      uint32_t queues)
{
    for (uint32_t q = 0; q < WF_WATCH_QUEUES; ++q) {
        if (queues >> q & 1 && wf_watch_unordered(order, a, q, (wf_watch_columns)~0u))
            return false;
    }
    return true;
}
