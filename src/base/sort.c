#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

enum { SMALL = 48, VALUES = 256 };

static inline bool goes_after(const struct wf_base_sort_item *a, const struct wf_base_sort_item *b)
{
    return a->key != b->key ? a->key > b->key : a->payload > b->payload;
}

static void sort_small(struct wf_base_sort_item *items, uint32_t count, bool by_payload)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct wf_base_sort_item item = items[i];
        uint32_t at = i;
        for (; at > 0 &&
               (by_payload ? goes_after(&items[at - 1], &item) : items[at - 1].key > item.key);
             at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/// What is sorted, and where the other half of the memory is: each pass swaps them.
struct halves {
    struct wf_base_sort_item *from, *to;
    uint32_t count;
};

/// Byte `shift` / 8 of the key, or of the payload.
static inline uint32_t digit(const struct wf_base_sort_item *item, uint32_t shift, bool of_payload)
{
    return (uint32_t)((of_payload ? item->payload : item->key) >> shift) & (VALUES - 1);
}

/// One pass: distributes by one byte.
static inline void distribute(struct halves *h, uint32_t shift, bool of_payload)
{
    uint32_t starts[VALUES] = {0};
    for (uint32_t i = 0; i < h->count; i++)
        starts[digit(&h->from[i], shift, of_payload)]++;
    uint32_t sum = 0;
    for (uint32_t v = 0; v < VALUES; v++) {
        const uint32_t count = starts[v];
        starts[v] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < h->count; i++)
        h->to[starts[digit(&h->from[i], shift, of_payload)]++] = h->from[i];
    struct wf_base_sort_item *swap = h->from;
    h->from = h->to;
    h->to = swap;
}

static void sort_by(struct wf_base_sort_item *items, struct wf_base_sort_item *scratch,
                    uint32_t count, bool by_payload)
{
    if (count <= SMALL) {
        sort_small(items, count, by_payload);
        return;
    }
    uint64_t keys = 0; // bits in which keys differ
    uint32_t payloads = 0;
    bool sorted = true;
    for (uint32_t i = 1; i < count; i++) {
        keys |= items[i].key ^ items[0].key;
        payloads |= items[i].payload ^ items[0].payload;
        sorted &=
            by_payload ? !goes_after(&items[i - 1], &items[i]) : items[i - 1].key <= items[i].key;
    }
    if (sorted)
        return;
    struct halves h = {items, scratch, count};
    for (uint32_t shift = 0; by_payload && shift < 32; shift += 8) {
        if (payloads >> shift & 0xff)
            distribute(&h, shift, true);
    }
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        if (keys >> shift & 0xff)
            distribute(&h, shift, false);
    }
    if (h.from != items)
        memcpy(items, h.from, count * sizeof *items);
}

void wf_base_sort(struct wf_base_sort_item *items, struct wf_base_sort_item *scratch,
                  uint32_t count)
{
    sort_by(items, scratch, count, false);
}

void wf_base_sort_payload(struct wf_base_sort_item *items, struct wf_base_sort_item *scratch,
                          uint32_t count)
{
    sort_by(items, scratch, count, true);
}
