#include "backends/noop/noop.h"

weft_result wf_noop_texture_create(struct wf_hal_device *dev, const weft_texture_desc *desc,
                                   const struct wf_hal_placement *place,
                                   struct wf_hal_texture **out)
{
    (void)place;
    struct wf_hal_texture *tex = wf_noop_new(dev, sizeof *tex);
    *out = tex;
    if (!tex)
        return WEFT_ERROR_MEMORY;
    tex->desc = *desc;
    return WEFT_OK;
}

void wf_noop_texture_destroy(struct wf_hal_device *dev, struct wf_hal_texture *tex)
{
    wf_base_free(dev->allocator, tex, sizeof *tex);
}

weft_result wf_noop_texture_view_create(struct wf_hal_device *dev, struct wf_hal_texture *tex,
                                        const weft_texture_view_desc *desc,
                                        struct wf_hal_texture_view **out)
{
    struct wf_hal_texture_view *view = wf_noop_new(dev, sizeof *view);
    *out = view;
    if (!view)
        return WEFT_ERROR_MEMORY;
    *view = (struct wf_hal_texture_view){tex, *desc};
    return WEFT_OK;
}

void wf_noop_texture_view_destroy(struct wf_hal_device *dev, struct wf_hal_texture_view *view)
{
    wf_base_free(dev->allocator, view, sizeof *view);
}

weft_result wf_noop_sampler_create(struct wf_hal_device *dev, const weft_sampler_desc *desc,
                                   struct wf_hal_sampler **out)
{
    struct wf_hal_sampler *sampler = wf_noop_new(dev, sizeof *sampler);
    *out = sampler;
    if (!sampler)
        return WEFT_ERROR_MEMORY;
    sampler->desc = *desc;
    return WEFT_OK;
}

void wf_noop_sampler_destroy(struct wf_hal_device *dev, struct wf_hal_sampler *sampler)
{
    wf_base_free(dev->allocator, sampler, sizeof *sampler);
}

weft_result wf_noop_heap_open(struct wf_hal_device *dev)
{
    (void)dev;
    return WEFT_OK;
}

static void count_heap_write(struct wf_hal_device *dev)
{
    struct wf_noop_device *noop = wf_noop_device(dev);
    wf_base_mutex_lock(&noop->lock);
    noop->counts.heap_writes++;
    wf_base_mutex_unlock(&noop->lock);
}

void wf_noop_heap_write(struct wf_hal_device *dev, weft_heap_kind kind, uint32_t index,
                        struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler)
{
    (void)kind, (void)index, (void)view, (void)sampler;
    count_heap_write(dev);
}

void wf_noop_heap_write_acceleration(struct wf_hal_device *dev, uint32_t index,
                                     struct wf_hal_acceleration *structure)
{
    (void)index, (void)structure;
    count_heap_write(dev);
}

// ---- acceleration structures -------------------------------------------------------------------

/// About what drivers ask for: it is only compared with what hosts give.
void wf_noop_acceleration_sizes(struct wf_hal_device *dev,
                                const struct wf_hal_acceleration_desc *desc,
                                weft_acceleration_sizes *out)
{
    (void)dev;
    uint64_t items = desc->instance_count;
    for (uint32_t i = 0; i < desc->geometry_count; i++)
        items += desc->geometries[i].count;
    const bool update = (desc->flags & WEFT_ACCELERATION_UPDATE) != 0;
    *out = (weft_acceleration_sizes){
        .size = 256 + items * 64,
        .build_scratch = 256 + items * 32,
        .update_scratch = update ? 256 + items * 16 : 0,
    };
}

weft_result wf_noop_acceleration_create(struct wf_hal_device *dev,
                                        const struct wf_hal_acceleration_desc *desc,
                                        struct wf_hal_acceleration **out)
{
    struct wf_hal_acceleration *structure = wf_noop_new(dev, sizeof *structure);
    *out = structure;
    if (!structure)
        return WEFT_ERROR_MEMORY;
    weft_acceleration_sizes sizes;
    wf_noop_acceleration_sizes(dev, desc, &sizes);
    *structure = (struct wf_hal_acceleration){
        .level = desc->level,
        .flags = desc->flags,
        .size = sizes.size,
        .address = atomic_fetch_add(&wf_noop_device(dev)->next_address, sizes.size),
    };
    return WEFT_OK;
}

void wf_noop_acceleration_destroy(struct wf_hal_device *dev, struct wf_hal_acceleration *structure)
{
    wf_base_free(dev->allocator, structure, sizeof *structure);
}
