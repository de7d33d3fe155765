#include "core/object.h"

weft_result weft_view_pool_create(weft_device *device, const weft_view_pool_desc *desc,
                                  weft_view_pool *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    if (desc->capacity == 0) {
        const struct wf_core_subject on =
            wf_core_about_new(device, WEFT_OBJECT_VIEW_POOL, desc->label);
        wf_core_broken(&on, WEFT_RULE_VIEW_POOL_CAPACITY, "A view pool of no views was asked for.");
        return WEFT_ERROR_USAGE;
    }
    struct wf_core_view_pool *pool = wf_core_view_pool_take(device, desc->label, out);
    if (!pool)
        return WEFT_ERROR_MEMORY;
    pool->capacity = desc->capacity;
    return WEFT_OK;
}

/// Destroys the views of a live pool. object_lock is held.
static void empty(struct weft_device *dev, struct wf_core_view_pool *pool)
{
    while (wf_core_texture_view_find(dev, pool->first))
        wf_core_texture_view_destroy(dev, pool->first); // moves pool->first on
}

weft_result weft_view_pool_reset(weft_device *device, weft_view_pool pool)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    wf_base_mutex_lock(&device->object_lock);
    struct wf_core_view_pool *hot = wf_core_view_pool_get(device, pool);
    if (hot)
        empty(device, hot);
    wf_base_mutex_unlock(&device->object_lock);
    return hot ? WEFT_OK : WEFT_ERROR_USAGE;
}

void wf_core_view_pool_discard(struct weft_device *dev, void *object)
{
    struct wf_core_view_pool *pool = object;
    (void)pool; // it holds nothing but views, which have gone
    wf_core_retire_unreserve(dev);
}

void weft_view_pool_destroy(weft_device *device, weft_view_pool pool)
{
    if (!device)
        return;
    wf_base_mutex_lock(&device->object_lock);
    struct wf_core_view_pool *hot = wf_core_view_pool_find(device, pool);
    if (hot)
        empty(device, hot);
    wf_core_view_pool_destroy(device, pool);
    wf_base_mutex_unlock(&device->object_lock);
}
