/// Growth of typed arrays that their owner keeps as pointer, count and capacity.
#ifndef WF_BASE_ARRAY_H
#define WF_BASE_ARRAY_H

#include "base/alloc.h"

/// Makes room for `need` items (at least 1), growing by half or more, so that appending is linear.
/// Returns the array, moved or not, with `*capacity` updated; new items are not initialised.
/// NULL when out of memory: the old array stays valid. Free with size capacity * item_size.
///
///     struct item *items =
///         wf_base_array_grow(a, x->items, &x->capacity, x->count + 1, sizeof *items);
///     if (!items)
///         return WEFT_ERROR_MEMORY;
///     x->items = items;
void *wf_base_array_grow(const struct wf_base_allocator *a, void *items, size_t *capacity,
                         size_t need, size_t item_size);

#endif
