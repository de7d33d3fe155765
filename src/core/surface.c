// Surfaces: configure → acquire → draw and submit → present.
#include "core/surface.h"
#include "core/record.h"

#include "core/check.h"
#include "core/check_surface.h"
#include "core/upload.h"

#include <inttypes.h>
#include <string.h>

static void lock(struct weft_device *dev)
{
    wf_base_mutex_lock(&dev->recorders->surface_lock);
}

static void unlock(struct weft_device *dev)
{
    wf_base_mutex_unlock(&dev->recorders->surface_lock);
}

weft_result weft_surface_create(weft_device *device, const weft_surface_desc *desc,
                                weft_surface *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_subject on = wf_core_about_new(device, WEFT_OBJECT_SURFACE, desc->label);
    if (!wf_core_check_surface_desc(device, desc))
        return WEFT_ERROR_USAGE;
    struct wf_core_surface *surface = wf_core_surface_take(device, desc->label, out);
    if (!surface)
        return WEFT_ERROR_MEMORY;
    surface->kind = desc->target.kind;
    const weft_result result =
        device->ops->surface_create(device->hal, &desc->target, &surface->hal);
    if (result == WEFT_OK)
        return WEFT_OK;
    wf_core_surface_give(device, out);
    return wf_core_failed(&on, result, NULL);
}

/// Ends the handles that were lent. surface_lock is held.
static void forget_images(struct weft_device *dev, struct wf_core_surface *surface)
{
    for (uint32_t i = 0; i < surface->image_count; ++i)
        wf_core_texture_unwrap(dev, surface->images[i].texture, surface->images[i].view);
    surface->image_count = 0;
    surface->acquired = false;
    surface->submitted = false;
    surface->lent = (weft_surface_image){0};
}

/// Writes that wait for a submission may be to the image that is lent: they go before it does.
static weft_result submit_writes(struct weft_device *dev, struct wf_core_surface *surface)
{
    if (!surface->acquired || surface->submitted || !wf_core_belt_waits(dev))
        return WEFT_OK;
    return wf_core_submit(dev, WEFT_QUEUE_GRAPHICS,
                          &(struct wf_hal_submit){.surfaces = &surface->hal, .surface_count = 1});
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    dev->ops->surface_destroy(dev->hal, object);
}

void wf_core_surface_discard(struct weft_device *dev, void *object)
{
    struct wf_core_surface *hot = object;
    const bool quiet = submit_writes(dev, hot) == WEFT_OK;
    forget_images(dev, hot);
    if (hot->kind == WEFT_SURFACE_HEADLESS || !quiet ||
        !wf_core_has(dev, WEFT_FEATURE_BLOCKING_WAIT)) {
        wf_core_retire(dev, release, hot->hal, 0, 0);
        return;
    }
    // The host may close its window as soon as this returns. No command buffer that is still open
    // can be submitted with the surface's images any more.
    dev->ops->serial_wait(dev->hal, atomic_load(&dev->serial), UINT64_MAX);
    wf_core_retire_collect(dev);
    wf_core_retire_unreserve(dev);
    dev->ops->surface_destroy(dev->hal, hot->hal);
}

void weft_surface_destroy(weft_device *device, weft_surface surface)
{
    if (!device)
        return;
    // Ending lent images and submitting to the surface exclude each other.
    const bool live = wf_core_surface_find(device, surface) != NULL;
    if (live)
        lock(device);
    wf_core_surface_destroy(device, surface);
    if (live)
        unlock(device);
}

/// The surface, with the lock held; NULL after reporting, without it. `needed` must not be NULL.
static struct wf_core_surface *begin(struct weft_device *dev, weft_surface handle,
                                     const void *needed, const char *what, weft_result *result)
{
    *result = WEFT_ERROR_USAGE;
    if (!wf_core_ready(dev)) {
        *result = wf_core_not_ready(dev);
        return NULL;
    }
    if (!wf_core_given(dev, needed, what))
        return NULL;
    lock(dev);
    struct wf_core_surface *surface = wf_core_surface_get(dev, handle);
    if (!surface)
        unlock(dev);
    return surface;
}

weft_result weft_surface_query(weft_device *device, weft_surface handle, weft_surface_info *out)
{
    if (out)
        *out = (weft_surface_info){0};
    weft_result result;
    struct wf_core_surface *surface = begin(device, handle, out, WF_CORE_RESULT, &result);
    if (!surface)
        return result;
    result = device->ops->surface_query(device->hal, surface->hal, out);
    if (result != WEFT_OK) {
        const struct wf_core_subject on = wf_core_about(device, wf_core_surface_object(handle));
        result = wf_core_failed(&on, result, "ask a surface");
    }
    unlock(device);
    return result;
}

// ---- configuring -------------------------------------------------------------------------------

/// The first 8-bit sRGB format that the surface offers, or its first one.
static weft_format preferred_format(const weft_surface_info *info)
{
    for (uint32_t i = 0; i < info->format_count; ++i) {
        const weft_format_info *format = weft_format_get_info(info->formats[i]);
        if (format->srgb && format->block_bytes == 4)
            return info->formats[i];
    }
    return info->format_count > 0 ? info->formats[0] : WEFT_FORMAT_NONE;
}

/// Old images may be in flight, and their views die before them, unless the backend sees to it.
static weft_result drain(struct weft_device *dev, struct wf_core_surface *surface)
{
    weft_result result = submit_writes(dev, surface);
    if (result == WEFT_OK && (surface->kind == WEFT_SURFACE_HEADLESS || !dev->hal->lingers))
        result = wf_core_wait_serial(dev, atomic_load(&dev->serial), UINT64_MAX);
    if (result != WEFT_OK)
        return result;
    forget_images(dev, surface);
    wf_core_retire_collect(dev);
    return WEFT_OK;
}

static weft_result configure(struct weft_device *dev, weft_surface handle,
                             struct wf_core_surface *surface, weft_surface_config *config)
{
    weft_surface_info info;
    const struct wf_core_subject on = wf_core_about(dev, wf_core_surface_object(handle));
    weft_result result = dev->ops->surface_query(dev->hal, surface->hal, &info);
    if (result != WEFT_OK)
        return wf_core_failed(&on, result, "configure a surface");
    if (info.format_count == 0) // no misuse: its window is gone
        return wf_core_failed(&on, WEFT_ERROR_SURFACE, "configure a surface");
    if (config->format == WEFT_FORMAT_NONE)
        config->format = preferred_format(&info);
    if (dev->validate && !wf_core_check_surface_config(dev, handle, surface, &info, config))
        return WEFT_ERROR_USAGE;
    result = drain(dev, surface);
    if (result != WEFT_OK)
        return result;
    config->usage |= WEFT_TEXTURE_USAGE_RENDER;
    result = dev->ops->surface_configure(dev->hal, surface->hal, config);
    if (result != WEFT_OK)
        return wf_core_failed(&on, result, "configure a surface");
    surface->configured = true;
    return WEFT_OK;
}

weft_result weft_surface_configure(weft_device *device, weft_surface handle,
                                   const weft_surface_config *config)
{
    weft_result result;
    struct wf_core_surface *surface = begin(device, handle, config, "configuration", &result);
    if (!surface)
        return result;
    weft_surface_config full = *config;
    result = configure(device, handle, surface, &full);
    unlock(device);
    return result;
}

// ---- acquiring ---------------------------------------------------------------------------------

/// The handles around one of the backend's images, made when it is first seen.
static struct wf_core_surface_image *image_of(struct weft_device *dev, weft_surface handle,
                                              struct wf_core_surface *surface,
                                              struct wf_hal_texture *hal, weft_result *result)
{
    for (uint32_t i = 0; i < surface->image_count; ++i) {
        if (surface->images[i].hal == hal)
            return &surface->images[i];
    }
    if (surface->image_count == WF_CORE_SURFACE_IMAGES) {
        const struct wf_core_subject on = wf_core_about(dev, wf_core_surface_object(handle));
        *result = wf_core_failed(&on, WEFT_ERROR_BACKEND, "keep so many images of a surface");
        return NULL;
    }
    struct wf_core_surface_image *image = &surface->images[surface->image_count];
    const char *label = wf_core_label(dev, wf_core_surface_object(handle));
    *result = wf_core_texture_wrap(dev, hal, label, &image->texture, &image->view);
    if (*result != WEFT_OK)
        return NULL;
    wf_core_texture_find(dev, image->texture)->owner = handle;
    image->hal = hal;
    ++surface->image_count;
    return image;
}

static weft_result lend(struct weft_device *dev, weft_surface handle,
                        struct wf_core_surface *surface, struct wf_hal_texture *hal,
                        weft_surface_image *out)
{
    weft_result result = WEFT_OK;
    const struct wf_core_surface_image *image = image_of(dev, handle, surface, hal, &result);
    if (!image)
        return result;
    *out = (weft_surface_image){
        .status = WEFT_ACQUIRE_READY,
        .texture = image->texture,
        .view = image->view,
        .width = hal->desc.width,
        .height = hal->desc.height,
        .format = hal->desc.format,
    };
    surface->lent = *out;
    surface->acquired = true;
    surface->submitted = false;
    ++surface->acquisition;
    return WEFT_OK;
}

static weft_result acquire(struct weft_device *dev, weft_surface handle,
                           struct wf_core_surface *surface, weft_surface_image *out)
{
    if (surface->acquired) {
        *out = surface->lent;
        return WEFT_OK;
    }
    if (!surface->configured) {
        wf_core_broken_object(dev, wf_core_surface_object(handle), WEFT_RULE_SURFACE_NOT_CONFIGURED,
                              "An image was acquired before the surface was configured.");
        return WEFT_ERROR_USAGE;
    }
    struct wf_hal_texture *hal;
    const struct wf_core_subject on = wf_core_about(dev, wf_core_surface_object(handle));
    out->status = dev->ops->surface_acquire(dev->hal, surface->hal, &hal);
    if (out->status == WF_HAL_ACQUIRE_MEMORY) {
        out->status = WEFT_ACQUIRE_SKIP;
        return wf_core_failed(&on, WEFT_ERROR_MEMORY, "acquire an image");
    }
    switch (out->status) {
    case WEFT_ACQUIRE_READY:
        return lend(dev, handle, surface, hal, out);
    case WEFT_ACQUIRE_SKIP:
        return WEFT_SKIP;
    case WEFT_ACQUIRE_RECONFIGURE:
        return WEFT_OK;
    case WEFT_ACQUIRE_LOST:
        break;
    }
    if (!wf_core_alive(dev)) // that is why
        return wf_core_not_ready(dev);
    return wf_core_failed(&on, WEFT_ERROR_SURFACE, "acquire an image");
}

weft_result weft_surface_acquire(weft_device *device, weft_surface handle, weft_surface_image *out)
{
    weft_surface_image image = {.status = WEFT_ACQUIRE_LOST};
    weft_result result;
    struct wf_core_surface *surface = begin(device, handle, out, WF_CORE_RESULT, &result);
    if (surface) {
        result = acquire(device, handle, surface, &image);
        unlock(device);
    }
    if (out)
        *out = image;
    return result;
}

bool wf_core_command_uses_texture(struct weft_command_buffer *cmd, weft_texture texture,
                                  const struct wf_core_texture *tex)
{
    if (!tex->surface)
        return true;
    struct weft_device *dev = cmd->dev;
    lock(dev);
    const struct wf_core_surface *surface = wf_core_surface_find(dev, tex->owner);
    const bool lent = surface && surface->acquired &&
                      surface->lent.texture.index == texture.index &&
                      surface->lent.texture.generation == texture.generation;
    const uint64_t acquisition = lent ? surface->acquisition : 0;
    unlock(dev);
    if (!lent)
        return wf_core_command_broken(cmd, wf_core_texture_object(texture),
                                      WEFT_RULE_SURFACE_NOT_ACQUIRED,
                                      "The image was presented, and is not acquired again.");
    for (uint32_t i = 0; i < cmd->surface_count; ++i) {
        const struct wf_core_surface_use *use = &cmd->surfaces[i];
        if (use->surface.index == tex->owner.index && use->acquisition == acquisition)
            return true;
    }
    if (cmd->surface_count == WF_CORE_SURFACE_USES)
        return wf_core_broken(&cmd->on, WEFT_RULE_SURFACE_TOO_MANY,
                              "The command buffer draws to %u surfaces already.",
                              cmd->surface_count);
    cmd->surfaces[cmd->surface_count++] = (struct wf_core_surface_use){tex->owner, acquisition};
    return true;
}

// ---- presenting --------------------------------------------------------------------------------

/// The image is the surface's again. surface_lock is held.
static weft_result hand_back(struct weft_device *dev, weft_surface handle,
                             struct wf_core_surface *surface, const weft_rect *damage,
                             uint32_t count)
{
    surface->acquired = false;
    surface->submitted = false;
    surface->lent = (weft_surface_image){0};
    const weft_result result = dev->ops->surface_present(dev->hal, surface->hal, damage, count);
    if (result == WEFT_OK || result == WEFT_SKIP)
        return result;
    const struct wf_core_subject on = wf_core_about(dev, wf_core_surface_object(handle));
    return wf_core_failed(&on, result, "present an image");
}

weft_result weft_surface_present(weft_device *device, weft_surface handle, const weft_rect *damage,
                                 uint32_t damage_count)
{
    weft_result result;
    struct wf_core_surface *surface = begin(device, handle, device, "", &result);
    if (!surface)
        return result;
    // Also at OFF: it is the surface's state.
    if (wf_core_check_present(device, handle, surface, damage, damage_count))
        result = hand_back(device, handle, surface, damage, damage ? damage_count : 0);
    unlock(device);
    return result;
}

/// Uploads pixels to the acquired image and presents it. surface_lock is held.
static weft_result present_pixels(struct weft_device *dev, weft_surface handle,
                                  struct wf_core_surface *surface, const void *pixels,
                                  uint32_t row_bytes)
{
    weft_surface_image image = {0};
    weft_result result = acquire(dev, handle, surface, &image);
    if (result != WEFT_OK)
        return result;
    if (image.status != WEFT_ACQUIRE_READY) // it must be configured again
        return WEFT_SKIP;
    const struct wf_core_texture *tex = wf_core_texture_find(dev, image.texture);
    if (!wf_core_check_present_pixels(dev, handle, tex, row_bytes))
        return WEFT_ERROR_USAGE;
    const weft_texture_region region = wf_core_region_resolve(&tex->hal->desc, NULL);
    const struct wf_core_extent extent = wf_core_region_extent(&tex->hal->desc, &region);
    const weft_texel_layout given = {.row_bytes = row_bytes};
    const struct wf_hal_texel_layout layout = wf_core_layout_resolve(&extent, &given);
    result = wf_core_upload_texture(dev, tex->hal, &region, pixels, &layout);
    if (result == WEFT_OK)
        result =
            wf_core_submit(dev, WEFT_QUEUE_GRAPHICS,
                           &(struct wf_hal_submit){.surfaces = &surface->hal, .surface_count = 1});
    return result == WEFT_OK ? hand_back(dev, handle, surface, NULL, 0) : result;
}

weft_result weft_surface_present_pixels(weft_device *device, weft_surface handle,
                                        const void *pixels, uint32_t row_bytes)
{
    weft_result result;
    struct wf_core_surface *surface = begin(device, handle, pixels, "data", &result);
    if (!surface)
        return result;
    result = present_pixels(device, handle, surface, pixels, row_bytes);
    unlock(device);
    return result;
}

// ---- reading back ------------------------------------------------------------------------------

/// surface_lock is held.
static weft_result read_presented(struct weft_device *dev, weft_surface handle,
                                  struct wf_core_surface *surface, void *data, uint64_t size)
{
    if (!wf_core_check_surface_readable(dev, handle, surface))
        return WEFT_ERROR_USAGE;
    struct wf_hal_texture *hal = dev->ops->surface_presented(dev->hal, surface->hal);
    if (!hal) {
        wf_core_broken_object(dev, wf_core_surface_object(handle), WEFT_RULE_SURFACE_NOT_PRESENTED,
                              "Nothing was presented since the surface was configured.");
        return WEFT_ERROR_USAGE;
    }
    const uint64_t need =
        weft_format_image_bytes(hal->desc.format, hal->desc.width, hal->desc.height, 1);
    if (size < need) {
        wf_core_broken_object(dev, wf_core_surface_object(handle), WEFT_RULE_SURFACE_READ_SIZE,
                              "The image takes %" PRIu64 " bytes; there is room for %" PRIu64 ".",
                              need, size);
        return WEFT_ERROR_USAGE;
    }
    const weft_texture_region region = wf_core_region_resolve(&hal->desc, NULL);
    return wf_core_read_texture(dev, hal, &region, data, need);
}

weft_result weft_surface_read(weft_device *device, weft_surface handle, void *data, uint64_t size)
{
    weft_result result;
    struct wf_core_surface *surface = begin(device, handle, data, WF_CORE_RESULT, &result);
    if (!surface)
        return result;
    result = read_presented(device, handle, surface, data, size);
    unlock(device);
    return result;
}
