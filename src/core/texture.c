#include "core/check.h"
#include "core/upload.h"
#include "core/watch.h"

#include "base/bits.h"

static uint32_t largest(const weft_texture_desc *desc)
{
    uint32_t side = wf_base_max_u32(desc->width, desc->height);
    return desc->kind == WEFT_TEXTURE_3D ? wf_base_max_u32(side, desc->depth) : side;
}

static uint32_t or_one(uint32_t value)
{
    return value ? value : 1;
}

static weft_texture_desc texture_desc_defaults(const weft_texture_desc *desc)
{
    weft_texture_desc full = *desc;
    full.width = or_one(full.width);
    full.height = or_one(full.height);
    full.depth = or_one(full.depth);
    if (full.layers == 0)
        full.layers = full.kind == WEFT_TEXTURE_CUBE ? 6 : 1;
    full.mips =
        full.mips == WEFT_MIPS_ALL ? wf_base_log2_u64(largest(&full)) + 1 : or_one(full.mips);
    full.samples = or_one(full.samples);
    if (full.usage == 0)
        full.usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_DST;
    if (full.view_format == full.format)
        full.view_format = WEFT_FORMAT_NONE;
    return full;
}

static weft_texture_desc hal_desc(const weft_texture_desc *desc)
{
    weft_texture_desc bare = *desc;
    bare.place = (weft_placement){0};
    bare.label = bare.label ? bare.label : "";
    return bare;
}

static weft_result back(struct weft_device *dev, const weft_texture_desc *desc,
                        struct wf_core_texture *tex)
{
    const weft_texture_desc bare = hal_desc(desc);
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_TEXTURE, bare.label);
    struct wf_hal_placement place = {0};
    struct wf_hal_native native;
    weft_result result;
    if (desc->place.native) {
        if (!wf_core_native_place(&on, &desc->place, &native))
            return WEFT_ERROR_USAGE;
        place.native = &native;
        tex->native = true;
    } else if (!weft_memory_block_is_none(desc->place.block)) {
        struct wf_core_placed placed = {.on = on, .memory = WEFT_MEMORY_GPU};
        dev->ops->texture_needs(dev->hal, &bare, &placed.needs);
        result = wf_core_place(&desc->place, &placed, &place);
        if (result != WEFT_OK)
            return result;
        tex->block = desc->place.block;
    }
    result = dev->ops->texture_create(dev->hal, &bare, &place, &tex->hal);
    if (result == WEFT_OK)
        return WEFT_OK;
    wf_core_unplace(dev, tex->block);
    return wf_core_native_failed(&on, result, place.native);
}

weft_result weft_texture_create(weft_device *device, const weft_texture_desc *desc,
                                weft_texture *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const weft_texture_desc full = texture_desc_defaults(desc);
    if (device->validate && !wf_core_check_texture_desc(device, &full))
        return WEFT_ERROR_USAGE;
    struct wf_core_texture *tex = wf_core_texture_take(device, full.label, out);
    if (!tex)
        return WEFT_ERROR_MEMORY;
    tex->usage = full.usage;
    tex->format = full.format;
    struct wf_core_texture_cold *cold = wf_core_texture_cold(device, *out);
    cold->desc = full;
    cold->desc.fast_clear = NULL;
    cold->desc.place.native = NULL;
    cold->desc.label = NULL;
    const weft_result result = back(device, &full, tex);
    if (result == WEFT_OK)
        wf_core_watch_texture(device, tex->hal, wf_core_texture_object(*out));
    else
        wf_core_texture_give(device, out);
    return result;
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    dev->ops->texture_destroy(dev->hal, object);
}

void wf_core_texture_discard(struct weft_device *dev, void *object)
{
    struct wf_core_texture *tex = object;
    if (tex->surface) {
        wf_core_retire_unreserve(dev);
        return;
    }
    const weft_texture_desc *desc = &tex->hal->desc;
    const uint64_t bytes =
        weft_format_image_bytes(desc->format, desc->width, desc->height, desc->depth);
    wf_core_unplace(dev, tex->block);
    wf_core_retire(dev, release, tex->hal, 0,
                   tex->native ? 0 : bytes * desc->layers * desc->samples);
}

/// Ends a texture and orphans its views, whose hal parts go first.
static bool end(struct weft_device *dev, weft_texture texture, struct wf_core_texture *ended)
{
    wf_base_mutex_lock(&dev->object_lock);
    const bool ok = wf_core_end(dev, WEFT_OBJECT_TEXTURE,
                                (struct wf_base_handle){texture.index, texture.generation}, ended,
                                sizeof *ended);
    if (ok)
        wf_core_views_orphan(dev, ended->first_view);
    wf_base_mutex_unlock(&dev->object_lock);
    return ok;
}

void weft_texture_destroy(weft_device *device, weft_texture texture)
{
    if (!device)
        return;
    const struct wf_core_texture *live = wf_core_texture_find(device, texture);
    if (live && live->surface) {
        wf_core_broken_object(device, wf_core_texture_object(texture), WEFT_RULE_OBJECT_NOT_YOURS,
                              "This texture belongs to a surface.");
        return;
    }
    struct wf_core_texture ended;
    if (end(device, texture, &ended))
        wf_core_texture_discard(device, &ended);
}

weft_result wf_core_texture_wrap(struct weft_device *dev, struct wf_hal_texture *hal,
                                 const char *label, weft_texture *out, weft_texture_view *view)
{
    *view = (weft_texture_view){0};
    struct wf_core_texture *tex = wf_core_texture_take(dev, label, out);
    if (!tex)
        return WEFT_ERROR_MEMORY;
    tex->hal = hal;
    tex->usage = hal->desc.usage;
    tex->format = hal->desc.format;
    tex->surface = true;
    wf_core_texture_cold(dev, *out)->desc = hal->desc;
    const weft_texture_view_desc desc = {
        .texture = *out,
        .kind = WEFT_VIEW_2D,
        .format = hal->desc.format,
        .mip_count = 1,
        .layer_count = 1,
        .aspect = WEFT_ASPECT_COLOR,
        .label = label,
    };
    const weft_result result = wf_core_view_new(dev, &desc, view);
    if (result != WEFT_OK) {
        wf_core_texture_give(dev, out);
        return result;
    }
    wf_core_texture_view_find(dev, *view)->surface = true;
    return WEFT_OK;
}

void wf_core_texture_unwrap(struct weft_device *dev, weft_texture texture, weft_texture_view view)
{
    wf_base_mutex_lock(&dev->object_lock);
    wf_core_texture_view_destroy(dev, view);
    wf_base_mutex_unlock(&dev->object_lock);
    struct wf_core_texture ended;
    if (end(dev, texture, &ended))
        wf_core_texture_discard(dev, &ended);
}

bool weft_texture_get_desc(weft_device *device, weft_texture texture, weft_texture_desc *out)
{
    if (!wf_core_given(device, out, WF_CORE_RESULT))
        return false;
    *out = (weft_texture_desc){0};
    if (!wf_core_texture_get(device, texture))
        return false;
    *out = wf_core_texture_cold(device, texture)->desc;
    return true;
}

weft_result weft_texture_memory_needs(weft_device *device, const weft_texture_desc *desc,
                                      weft_memory_needs *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const weft_texture_desc full = texture_desc_defaults(desc);
    if (device->validate && !wf_core_check_texture_desc(device, &full))
        return WEFT_ERROR_USAGE;
    const weft_texture_desc bare = hal_desc(&full);
    device->ops->texture_needs(device->hal, &bare, out);
    return WEFT_OK;
}

static bool check_write(const struct wf_core_subject *on, const struct wf_core_texture *tex,
                        const weft_texture_region *region, const struct wf_hal_texel_layout *layout)
{
    const struct wf_core_texels texels = {
        .texture = &tex->hal->desc,
        .region = region,
        .layout = layout,
        .size = UINT64_MAX - 1, // the host vouches for it, short of an overflow
    };
    bool ok = wf_core_check_layout(on, &texels);
    if (!(tex->usage & WEFT_TEXTURE_USAGE_COPY_DST))
        ok = wf_core_broken(on, WEFT_RULE_TEXTURE_COPY_DST,
                            "This texture was created with usage 0x%x.", tex->usage);
    return ok;
}

weft_result weft_texture_write(weft_device *device, weft_texture texture,
                               const weft_texture_region *region, const void *data,
                               const weft_texel_layout *layout)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_texture *tex = wf_core_texture_get(device, texture);
    if (!tex || !wf_core_given(device, data, "data"))
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(device, wf_core_texture_object(texture));
    const weft_texture_desc *desc = &tex->hal->desc;
    const weft_texture_region full = wf_core_region_resolve(desc, region);
    if (!wf_core_check_region(&on, desc, &full))
        return WEFT_ERROR_USAGE;
    const struct wf_core_extent extent = wf_core_region_extent(desc, &full);
    const struct wf_hal_texel_layout lines = wf_core_layout_resolve(&extent, layout);
    if (device->validate && !check_write(&on, tex, &full, &lines))
        return WEFT_ERROR_USAGE;
    return wf_core_upload_texture(device, tex->hal, &full, data, &lines);
}
