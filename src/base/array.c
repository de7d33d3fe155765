#include "base/array.h"

#include "base/bits.h"

#include <assert.h>

void *wf_base_array_grow(const struct wf_base_allocator *a, void *items, size_t *capacity,
                         size_t need, size_t item_size)
{
    assert(need > 0);
    if (need <= *capacity)
        return items;
    size_t bigger = wf_base_max_size(need, 8);
    if (*capacity <= SIZE_MAX / 2)
        bigger = wf_base_max_size(bigger, *capacity + *capacity / 2);
    void *moved = wf_base_realloc_array(a, items, *capacity, bigger, item_size);
    if (moved)
        *capacity = bigger;
    return moved;
}
