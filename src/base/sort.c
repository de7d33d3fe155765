#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

enum { SMALL = 48, BYTES = 8, VALUES = 256 };

static void sort_small(struct wf_base_sort_item *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct wf_base_sort_item item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/// One pass: distributes by one byte, given how often each value of it occurs.
static void distribute(const struct wf_base_sort_item *from, struct wf_base_sort_item *to,
                       uint32_t count, uint32_t shift, const uint32_t *counts)
{
    uint32_t starts[VALUES];
    uint32_t sum = 0;
    for (uint32_t v = 0; v < VALUES; v++) {
        starts[v] = sum;
        sum += counts[v];
    }
    for (uint32_t i = 0; i < count; i++)
        to[starts[from[i].key >> shift & 0xff]++] = from[i];
}

void wf_base_sort(struct wf_base_sort_item *items, struct wf_base_sort_item *scratch,
                  uint32_t count)
{
    if (count <= SMALL) {
        sort_small(items, count);
        return;
    }
    uint32_t counts[BYTES][VALUES] = {{0}};
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t key = items[i].key;
        for (uint32_t b = 0; b < BYTES; b++)
            counts[b][key >> 8 * b & 0xff]++;
        sorted &= i == 0 || items[i - 1].key <= key;
    }
    if (sorted)
        return;
    struct wf_base_sort_item *from = items, *to = scratch;
    for (uint32_t b = 0; b < BYTES; b++) {
        if (counts[b][from[0].key >> 8 * b & 0xff] == count)
            continue;
        distribute(from, to, count, 8 * b, counts[b]);
        struct wf_base_sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}
