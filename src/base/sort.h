/// Stable radix sort, linear in the number of items.
#ifndef WF_BASE_SORT_H
#define WF_BASE_SORT_H

#include <stdint.h>

struct wf_base_sort_item {
    uint64_t key;
    uint32_t index;   ///< The caller's; carried along.
    uint32_t payload; ///< Likewise.
};

/// Sorts by key, ascending; equal keys keep their order. `scratch` has room for `count` items and
/// does not overlap. Bytes that are equal in all keys cost no pass.
void wf_base_sort(struct wf_base_sort_item *items, struct wf_base_sort_item *scratch,
                  uint32_t count);

/// Likewise by key and, where keys are equal, by payload.
void wf_base_sort_payload(struct wf_base_sort_item *items, struct wf_base_sort_item *scratch,
                          uint32_t count);

#endif
