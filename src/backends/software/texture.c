// Textures, views, samplers, and the heap's entries.
#include "backends/software/software.h"

void wf_sw_texture_needs(struct wf_hal_device *dev, const weft_texture_desc *desc,
                         weft_memory_needs *out)
{
    struct wf_sw_image image;
    (void)dev;
    const bool fits = wf_sw_image_init(&image, desc);
    *out = (weft_memory_needs){.size = fits ? image.size : 0, .alignment = WF_SW_IMAGE_ALIGN};
}

static weft_texture_desc plain_desc(const weft_texture_desc *desc)
{
    weft_texture_desc plain = *desc;
    plain.fast_clear = NULL;
    plain.place = (weft_placement){0};
    plain.label = NULL;
    return plain;
}

weft_result wf_sw_texture_create(struct wf_hal_device *hal, const weft_texture_desc *desc,
                                 const struct wf_hal_placement *place, struct wf_hal_texture **out)
{
    *out = NULL;
    struct wf_sw_texture *tex = wf_base_alloc_zero(hal->allocator, sizeof *tex);
    if (!tex)
        return WEFT_ERROR_MEMORY;
    tex->base.desc = plain_desc(desc);
    const bool fits = wf_sw_image_init(&tex->image, desc);
    tex->placed = place && place->block;
    if (!fits)
        tex->image.memory = NULL; // core has checked the limits: only its size can be too much
    else if (tex->placed)
        tex->image.memory = ((struct wf_sw_memory_block *)place->block)->memory + place->offset;
    else
        tex->image.memory = wf_sw_arena_alloc(&wf_sw_device(hal)->arena, tex->image.size, false);
    if (!tex->image.memory) {
        wf_base_free(hal->allocator, tex, sizeof *tex);
        return WEFT_ERROR_DEVICE_MEMORY;
    }
    *out = &tex->base;
    return WEFT_OK;
}

void wf_sw_texture_destroy(struct wf_hal_device *hal, struct wf_hal_texture *base)
{
    struct wf_sw_texture *tex = wf_sw_texture(base);
    if (!tex->placed)
        wf_sw_arena_free(&wf_sw_device(hal)->arena, tex->image.memory);
    wf_base_free(hal->allocator, tex, sizeof *tex);
}

weft_result wf_sw_texture_view_create(struct wf_hal_device *hal, struct wf_hal_texture *tex,
                                      const weft_texture_view_desc *desc,
                                      struct wf_hal_texture_view **out)
{
    *out = NULL;
    struct wf_sw_texture_view *view = wf_base_alloc_zero(hal->allocator, sizeof *view);
    if (!view)
        return WEFT_ERROR_MEMORY;
    view->base.texture = tex;
    view->base.desc = *desc;
    view->base.desc.texture = (weft_texture){0};
    view->base.desc.pool = (weft_view_pool){0};
    view->base.desc.label = NULL;
    // A view for rendering has both aspects; sampled through it is the depth.
    const bool both = (desc->aspect & WEFT_ASPECT_DEPTH) && (desc->aspect & WEFT_ASPECT_STENCIL);
    const struct wf_sw_view_desc full = {
        .kind = desc->kind,
        .format = desc->format,
        .mip = desc->mip,
        .mip_count = desc->mip_count,
        .layer = desc->layer,
        .layer_count = desc->layer_count,
        .aspect = both ? WEFT_ASPECT_DEPTH : desc->aspect,
        .swizzle = {desc->swizzle[0], desc->swizzle[1], desc->swizzle[2], desc->swizzle[3]},
    };
    if (!wf_sw_view_init(&view->view, &wf_sw_texture(tex)->image, &full)) {
        wf_base_free(hal->allocator, view, sizeof *view);
        return WEFT_ERROR_UNSUPPORTED;
    }
    *out = &view->base;
    return WEFT_OK;
}

void wf_sw_texture_view_destroy(struct wf_hal_device *hal, struct wf_hal_texture_view *view)
{
    wf_base_free(hal->allocator, view, sizeof(struct wf_sw_texture_view));
}

weft_result wf_sw_sampler_create(struct wf_hal_device *hal, const weft_sampler_desc *desc,
                                 struct wf_hal_sampler **out)
{
    struct wf_sw_hal_sampler *sampler = wf_base_alloc_zero(hal->allocator, sizeof *sampler);
    *out = sampler ? &sampler->base : NULL;
    if (!sampler)
        return WEFT_ERROR_MEMORY;
    sampler->base.desc = *desc;
    sampler->base.desc.label = NULL;
    wf_sw_sampler_init(&sampler->sampler, desc);
    return WEFT_OK;
}

void wf_sw_sampler_destroy(struct wf_hal_device *hal, struct wf_hal_sampler *sampler)
{
    wf_base_free(hal->allocator, sampler, sizeof(struct wf_sw_hal_sampler));
}

/// The heap is a part of the device.
weft_result wf_sw_heap_open(struct wf_hal_device *hal)
{
    (void)hal;
    return WEFT_OK;
}

// The host keeps entries that shaders in flight use from being written.
void wf_sw_heap_write(struct wf_hal_device *hal, weft_heap_kind kind, uint32_t index,
                      struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler)
{
    struct wf_sw_device *dev = wf_sw_device(hal);
    if (kind > WEFT_HEAP_SAMPLER || index >= dev->heap_ranges[kind].count)
        return;
    dev->heap[dev->heap_ranges[kind].first + index] = (struct wf_sw_binding){
        .view = view ? &wf_sw_texture_view(view)->view : NULL,
        .sampler = sampler ? &((struct wf_sw_hal_sampler *)sampler)->sampler : NULL,
    };
}
