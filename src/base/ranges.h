/// Ranges of a space of units (of memory that somebody else holds, say), taken and given back in
/// constant time: free ranges lie in bins by size, eight to each power of two, found by two
/// bitmaps (the two-level segregated fit of Masmano et al. 2004, without touching the space).
/// Not thread-safe.
#ifndef WF_BASE_RANGES_H
#define WF_BASE_RANGES_H

#include "base/alloc.h"

#define WF_BASE_RANGES_NONE UINT32_MAX
#define WF_BASE_RANGES_TOPS 32u
#define WF_BASE_RANGES_SUBS 8u

struct wf_base_range {
    uint32_t offset, size;       ///< Units.
    uint32_t before, after;      ///< Neighbours in the space.
    uint32_t bin_prev, bin_next; ///< Of free ones; bin_next also links unused records.
    bool free;
};

struct wf_base_ranges {
    const struct wf_base_allocator *allocator;
    struct wf_base_range *items;
    uint32_t capacity, count; ///< Records there is room for; records ever used.
    uint32_t unused;          ///< First record that stands for nothing.
    uint32_t size, used;      ///< Units in all, and taken.
    uint32_t tops;
    uint8_t subs[WF_BASE_RANGES_TOPS];
    uint32_t bins[WF_BASE_RANGES_TOPS][WF_BASE_RANGES_SUBS];
};

/// One free range of `size` units, not 0. False when out of memory.
bool wf_base_ranges_init(struct wf_base_ranges *r, const struct wf_base_allocator *allocator,
                         uint32_t size);
void wf_base_ranges_finish(struct wf_base_ranges *r);

/// Takes `size` units (not 0): the range's name, with its first unit in `*offset`. NONE if there is
/// no such free range or no memory for its record. A range that fits is found unless all that fit
/// are in the bin of `size` itself, less than an eighth larger.
uint32_t wf_base_ranges_take(struct wf_base_ranges *r, uint32_t size, uint32_t *offset);

/// Gives a taken range back; it joins its free neighbours.
void wf_base_ranges_give(struct wf_base_ranges *r, uint32_t range);

#endif
