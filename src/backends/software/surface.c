// Surfaces: a ring of images, and the window that shows them, if there is one.
//
// Presenting to a window waits until its image is drawn, and then hands it to the window system on
// the thread of the caller, who so knows at which size of the window a frame was shown. So one
// image is enough there.
#include <stdio.h>
#include <string.h>

#include "backends/software/software.h"
#include "backends/software/window.h"

#define RING 3u

struct wf_sw_surface {
    struct wf_hal_surface base;
    struct wf_sw_window *window; ///< NULL: HEADLESS.
    weft_surface_config config;
    struct wf_hal_texture *images[RING]; ///< All or none; of a window only the first.
    uint32_t image_count;
    uint32_t next; ///< The image that is acquired next, or is now.
    bool acquired;
    struct wf_hal_texture *presented;
};

// Headless ones begin with RGBA, for the host reads them; windows have no floats, and show BGRA as
// it is.
static const weft_format surface_formats[] = {
    WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA16_FLOAT,
    WEFT_FORMAT_BGRA8_UNORM_SRGB, WEFT_FORMAT_BGRA8_UNORM, WEFT_FORMAT_RGBA8_UNORM_SRGB,
    WEFT_FORMAT_RGBA8_UNORM,
};
enum { HEADLESS_FORMATS = 5, WINDOW_FIRST = 3, WINDOW_FORMATS = 4 };

static struct wf_sw_surface *surface_of(struct wf_hal_surface *surface)
{
    return (struct wf_sw_surface *)surface;
}

bool wf_sw_surface_possible(weft_surface_kind kind, char reason[WF_BASE_LIBRARY_REASON])
{
    if (kind == WEFT_SURFACE_HEADLESS)
        return true;
    const struct wf_sw_window_system *system = wf_sw_window_system_of(kind);
    if (system)
        return system->load(kind, reason);
    (void)snprintf(reason, WF_BASE_LIBRARY_REASON,
                   "this system has no such windows, or the software device shows none");
    return false;
}

static weft_result open_window(struct wf_hal_device *dev, const weft_surface_target *target,
                               struct wf_sw_surface *surface)
{
    char reason[WF_BASE_LIBRARY_REASON] = "";
    weft_result result = WEFT_ERROR_UNSUPPORTED;
    if (wf_sw_surface_possible(target->kind, reason)) {
        const struct wf_sw_window_system *system = wf_sw_window_system_of(target->kind);
        result = system->create(dev, target, &surface->window, reason);
        if (result == WEFT_OK)
            surface->window->system = system;
    }
    if (reason[0])
        wf_base_log(dev->log, WF_BASE_LOG_ERROR, "A window cannot be presented to: %s.", reason);
    return result;
}

weft_result wf_sw_surface_create(struct wf_hal_device *dev, const weft_surface_target *target,
                                 struct wf_hal_surface **out)
{
    *out = NULL;
    struct wf_sw_surface *surface = wf_base_alloc_zero(dev->allocator, sizeof *surface);
    if (!surface)
        return WEFT_ERROR_MEMORY;
    surface->base.kind = target->kind;
    surface->image_count = target->kind == WEFT_SURFACE_HEADLESS ? RING : 1;
    weft_result result = WEFT_OK;
    if (target->kind != WEFT_SURFACE_HEADLESS)
        result = open_window(dev, target, surface);
    if (result == WEFT_OK)
        *out = &surface->base;
    else
        wf_base_free(dev->allocator, surface, sizeof *surface);
    return result;
}

static void drop_images(struct wf_hal_device *dev, struct wf_hal_texture *images[RING])
{
    for (uint32_t i = 0; i < RING; i++) {
        if (images[i])
            wf_sw_texture_destroy(dev, images[i]);
        images[i] = NULL;
    }
}

void wf_sw_surface_destroy(struct wf_hal_device *dev, struct wf_hal_surface *base)
{
    struct wf_sw_surface *surface = surface_of(base);
    if (surface->window)
        surface->window->system->destroy(dev, surface->window);
    drop_images(dev, surface->images);
    wf_base_free(dev->allocator, base, sizeof(struct wf_sw_surface));
}

weft_result wf_sw_surface_query(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                weft_surface_info *out)
{
    (void)dev;
    const struct wf_sw_surface *surface = surface_of(base);
    const struct wf_sw_window *window = surface->window;
    *out = (weft_surface_info){
        .format_count = window ? WINDOW_FORMATS : HEADLESS_FORMATS,
        .modes =
            window ? window->system->modes : 1u << WEFT_PRESENT_FIFO | 1u << WEFT_PRESENT_IMMEDIATE,
        .color_spaces = 1u << WEFT_COLOR_SPACE_SRGB,
        .config = surface->config,
    };
    memcpy(out->formats, surface_formats + (window ? WINDOW_FIRST : 0),
           out->format_count * sizeof *surface_formats);
    return WEFT_OK;
}

static bool is_offered(const weft_surface_info *info, const weft_surface_config *config)
{
    bool format = false;
    for (uint32_t i = 0; i < info->format_count; i++)
        format = format || info->formats[i] == config->format;
    return format && info->modes >> config->mode & 1 &&
           info->color_spaces >> config->color_space & 1;
}

static weft_result make_images(struct wf_hal_device *dev, const weft_surface_config *config,
                               uint32_t count, struct wf_hal_texture *images[RING])
{
    const weft_texture_desc desc = {
        .format = config->format,
        .width = config->width,
        .height = config->height,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage = config->usage | WEFT_TEXTURE_USAGE_RENDER,
        .view_format = weft_format_get_info(config->format)->twin,
    };
    for (uint32_t i = 0; i < count; i++) {
        const weft_result result = wf_sw_texture_create(dev, &desc, NULL, &images[i]);
        if (result != WEFT_OK) {
            drop_images(dev, images);
            return result;
        }
    }
    return WEFT_OK;
}

weft_result wf_sw_surface_configure(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                    weft_surface_config *config)
{
    struct wf_sw_surface *surface = surface_of(base);
    struct wf_sw_window *window = surface->window;
    weft_surface_config full = *config;
    weft_surface_info info;
    (void)wf_sw_surface_query(dev, base, &info);
    if (full.format == WEFT_FORMAT_NONE)
        full.format = info.formats[0];
    if (!is_offered(&info, &full) ||
        (window && !window->system->measure(window, &full.width, &full.height)))
        return WEFT_ERROR_SURFACE;
    // The host reads a headless surface back, whatever it says.
    full.usage |= WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC;

    struct wf_hal_texture *images[RING] = {NULL};
    if (full.width != 0 && full.height != 0) {
        const weft_result result = make_images(dev, &full, surface->image_count, images);
        if (result != WEFT_OK)
            return result;
    }
    wf_sw_queue_drain(wf_sw_device(dev)); // the old images may still be drawn to
    drop_images(dev, surface->images);
    memcpy(surface->images, images, sizeof images);
    surface->config = *config = full;
    if (window) {
        window->width = full.width;
        window->height = full.height;
        window->fifo = full.mode == WEFT_PRESENT_FIFO;
    }
    surface->next = 0;
    surface->acquired = false;
    surface->presented = NULL;
    return WEFT_OK;
}

weft_acquire_status wf_sw_surface_acquire(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                          struct wf_hal_texture **out)
{
    struct wf_sw_surface *surface = surface_of(base);
    *out = NULL;
    if (wf_sw_lost(dev, NULL))
        return WEFT_ACQUIRE_LOST;
    if (surface->config.format == WEFT_FORMAT_NONE)
        return WEFT_ACQUIRE_RECONFIGURE;
    weft_acquire_status status = WEFT_ACQUIRE_READY;
    if (surface->window) // also without a size: it may have got one
        status = surface->window->system->acquire(surface->window);
    if (status == WEFT_ACQUIRE_READY && !surface->images[0])
        status = WEFT_ACQUIRE_SKIP;
    if (status != WEFT_ACQUIRE_READY)
        return status;
    surface->acquired = true;
    *out = surface->images[surface->next];
    return WEFT_ACQUIRE_READY;
}

/// The smallest rectangle that holds all; without any, the whole image.
static weft_rect bounds_of(const weft_surface_config *config, const weft_rect *rects,
                           uint32_t count)
{
    if (count == 0)
        return (weft_rect){0, 0, config->width, config->height};
    int64_t left = config->width, top = config->height, right = 0, bottom = 0;
    for (uint32_t i = 0; i < count; i++) {
        const weft_rect *r = &rects[i];
        left = r->x < left ? r->x : left;
        top = r->y < top ? r->y : top;
        right = (int64_t)r->x + r->width > right ? (int64_t)r->x + r->width : right;
        bottom = (int64_t)r->y + r->height > bottom ? (int64_t)r->y + r->height : bottom;
    }
    if (left >= right ||
        top >= bottom) // nothing changed: a window system wants something all the same
        return (weft_rect){0, 0, 1, 1};
    return (weft_rect){(int32_t)left, (int32_t)top, (uint32_t)(right - left),
                       (uint32_t)(bottom - top)};
}

static weft_result show(struct wf_hal_device *dev, struct wf_sw_surface *surface,
                        const struct wf_hal_texture *image, const weft_rect *area)
{
    wf_sw_queue_drain(wf_sw_device(dev));
    if (wf_sw_lost(dev, NULL)) // it was not drawn
        return WEFT_ERROR_LOST;
    return surface->window->system->present(dev, surface->window,
                                            &((const struct wf_sw_texture *)image)->image, area);
}

// Submissions run in order, so whatever reads the image next sees what was drawn before.
weft_result wf_sw_surface_present(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                  const weft_rect *damage, uint32_t damage_count)
{
    struct wf_sw_surface *surface = surface_of(base);
    if (wf_sw_lost(dev, NULL))
        return WEFT_ERROR_LOST;
    if (!surface->acquired)
        return WEFT_SKIP;
    struct wf_hal_texture *image = surface->images[surface->next];
    surface->presented = image;
    surface->next = (surface->next + 1) % surface->image_count;
    surface->acquired = false;
    if (!surface->window)
        return WEFT_OK;
    const weft_rect area = bounds_of(&surface->config, damage, damage_count);
    return show(dev, surface, image, &area);
}

struct wf_hal_texture *wf_sw_surface_presented(struct wf_hal_device *dev,
                                               struct wf_hal_surface *base)
{
    (void)dev;
    return surface_of(base)->presented;
}
