#include "base/ranges.h"

#include <assert.h>
#include <string.h>

#define NONE     WF_BASE_RANGES_NONE
#define SUB_BITS 3u

struct bin {
    uint32_t top, sub;
};

static uint32_t log2_floor(uint32_t value)
{
    return 31u - (uint32_t)__builtin_clz(value);
}

/// The bin whose ranges are at most as small as `size`: where a free range of that size lies.
static struct bin bin_of(uint32_t size)
{
    if (size < WF_BASE_RANGES_SUBS)
        return (struct bin){0, size};
    const uint32_t top = log2_floor(size) - SUB_BITS;
    return (struct bin){top + 1, (size >> top) - WF_BASE_RANGES_SUBS};
}

/// The first bin of which every range is large enough.
static struct bin bin_above(uint32_t size)
{
    if (size >= WF_BASE_RANGES_SUBS) {
        const uint32_t step = UINT32_C(1) << (log2_floor(size) - SUB_BITS);
        size = size > UINT32_MAX - (step - 1) ? UINT32_MAX : size + (step - 1);
    }
    return bin_of(size);
}

static void bin_insert(struct wf_base_ranges *r, uint32_t at)
{
    struct wf_base_range *range = &r->items[at];
    const struct bin bin = bin_of(range->size);
    uint32_t *first = &r->bins[bin.top][bin.sub];
    range->free = true;
    range->bin_prev = NONE;
    range->bin_next = *first;
    if (*first != NONE)
        r->items[*first].bin_prev = at;
    *first = at;
    r->tops |= UINT32_C(1) << bin.top;
    r->subs[bin.top] |= (uint8_t)(1u << bin.sub);
}

static void bin_remove(struct wf_base_ranges *r, uint32_t at)
{
    struct wf_base_range *range = &r->items[at];
    const struct bin bin = bin_of(range->size);
    range->free = false;
    if (range->bin_next != NONE)
        r->items[range->bin_next].bin_prev = range->bin_prev;
    if (range->bin_prev != NONE) {
        r->items[range->bin_prev].bin_next = range->bin_next;
        return;
    }
    r->bins[bin.top][bin.sub] = range->bin_next;
    if (range->bin_next != NONE)
        return;
    r->subs[bin.top] &= (uint8_t) ~(1u << bin.sub);
    if (r->subs[bin.top] == 0)
        r->tops &= ~(UINT32_C(1) << bin.top);
}

/// A free range out of `from` or a later bin, or NONE.
static uint32_t find(const struct wf_base_ranges *r, struct bin from)
{
    const uint32_t subs = r->subs[from.top] & (0xffu << from.sub);
    if (subs != 0)
        return r->bins[from.top][__builtin_ctz(subs)];
    if (from.top + 1 >= WF_BASE_RANGES_TOPS)
        return NONE;
    const uint32_t tops = r->tops & (UINT32_MAX << (from.top + 1));
    if (tops == 0)
        return NONE;
    const uint32_t top = (uint32_t)__builtin_ctz(tops);
    return r->bins[top][__builtin_ctz(r->subs[top])];
}

static uint32_t record_new(struct wf_base_ranges *r)
{
    if (r->unused != NONE) {
        const uint32_t at = r->unused;
        r->unused = r->items[at].bin_next;
        return at;
    }
    if (r->count == r->capacity) {
        const uint32_t capacity = r->capacity ? r->capacity * 2 : 16;
        struct wf_base_range *items =
            wf_base_realloc_array(r->allocator, r->items, r->capacity, capacity, sizeof *items);
        if (!items)
            return NONE;
        r->items = items;
        r->capacity = capacity;
    }
    return r->count++;
}

static void record_drop(struct wf_base_ranges *r, uint32_t at)
{
    r->items[at].bin_next = r->unused;
    r->unused = at;
}

bool wf_base_ranges_init(struct wf_base_ranges *r, const struct wf_base_allocator *allocator,
                         uint32_t size)
{
    assert(size > 0);
    *r = (struct wf_base_ranges){.allocator = allocator, .unused = NONE, .size = size};
    memset(r->bins, 0xff, sizeof r->bins);
    const uint32_t at = record_new(r);
    if (at == NONE)
        return false;
    r->items[at] = (struct wf_base_range){.size = size, .before = NONE, .after = NONE};
    bin_insert(r, at);
    return true;
}

void wf_base_ranges_finish(struct wf_base_ranges *r)
{
    wf_base_free(r->allocator, r->items, r->capacity * sizeof *r->items);
    *r = (struct wf_base_ranges){0};
}

/// Cuts what is behind the first `size` units of a range off, as a free one.
static bool split(struct wf_base_ranges *r, uint32_t at, uint32_t size)
{
    const uint32_t rest = record_new(r);
    if (rest == NONE)
        return false;
    struct wf_base_range *range = &r->items[at];
    r->items[rest] = (struct wf_base_range){
        .offset = range->offset + size,
        .size = range->size - size,
        .before = at,
        .after = range->after,
    };
    if (range->after != NONE)
        r->items[range->after].before = rest;
    range->after = rest;
    range->size = size;
    bin_insert(r, rest);
    return true;
}

uint32_t wf_base_ranges_take(struct wf_base_ranges *r, uint32_t size, uint32_t *offset)
{
    assert(size > 0);
    const uint32_t at = find(r, bin_above(size));
    if (at == NONE)
        return NONE;
    bin_remove(r, at);
    if (r->items[at].size > size && !split(r, at, size)) {
        bin_insert(r, at);
        return NONE;
    }
    r->used += size;
    *offset = r->items[at].offset;
    return at;
}

/// Joins a free range and the one behind it into the first.
static void join(struct wf_base_ranges *r, uint32_t at, uint32_t next)
{
    struct wf_base_range *range = &r->items[at];
    range->size += r->items[next].size;
    range->after = r->items[next].after;
    if (range->after != NONE)
        r->items[range->after].before = at;
    record_drop(r, next);
}

void wf_base_ranges_give(struct wf_base_ranges *r, uint32_t range)
{
    assert(range < r->count && !r->items[range].free);
    r->used -= r->items[range].size;
    const uint32_t before = r->items[range].before, after = r->items[range].after;
    if (after != NONE && r->items[after].free) {
        bin_remove(r, after);
        join(r, range, after);
    }
    if (before != NONE && r->items[before].free) {
        bin_remove(r, before);
        join(r, before, range);
        range = before;
    }
    bin_insert(r, range);
}
