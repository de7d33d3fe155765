// Surfaces: a ring of images without a window.
#include <string.h>

#include "backends/software/software.h"

#define RING 3u

struct wf_sw_surface {
    struct wf_hal_surface base;
    weft_surface_config config;
    struct wf_hal_texture *images[RING]; ///< All or none.
    uint32_t next;                       ///< The image that is acquired next, or is now.
    bool acquired;
    struct wf_hal_texture *presented;
};

static const weft_format surface_formats[] = {
    WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_RGBA8_UNORM,  WEFT_FORMAT_BGRA8_UNORM_SRGB,
    WEFT_FORMAT_BGRA8_UNORM,      WEFT_FORMAT_RGBA16_FLOAT,
};

static struct wf_sw_surface *surface_of(struct wf_hal_surface *surface)
{
    return (struct wf_sw_surface *)surface;
}

weft_result wf_sw_surface_create(struct wf_hal_device *dev, const weft_surface_target *target,
                                 struct wf_hal_surface **out)
{
    *out = NULL;
    if (target->kind != WEFT_SURFACE_HEADLESS)
        return WEFT_ERROR_UNSUPPORTED; // no window system yet
    struct wf_sw_surface *surface = wf_base_alloc_zero(dev->allocator, sizeof *surface);
    if (!surface)
        return WEFT_ERROR_MEMORY;
    surface->base.kind = target->kind;
    *out = &surface->base;
    return WEFT_OK;
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
    drop_images(dev, surface_of(base)->images);
    wf_base_free(dev->allocator, base, sizeof(struct wf_sw_surface));
}

void wf_sw_surface_query(struct wf_hal_device *dev, struct wf_hal_surface *base,
                         weft_surface_info *out)
{
    (void)dev;
    *out = (weft_surface_info){
        .format_count = sizeof surface_formats / sizeof *surface_formats,
        .modes = 1u << WEFT_PRESENT_FIFO | 1u << WEFT_PRESENT_IMMEDIATE,
        .color_spaces = 1u << WEFT_COLOR_SPACE_SRGB,
        .config = surface_of(base)->config,
    };
    memcpy(out->formats, surface_formats, sizeof surface_formats);
}

static bool is_offered(weft_format format)
{
    for (size_t i = 0; i < sizeof surface_formats / sizeof *surface_formats; i++) {
        if (surface_formats[i] == format)
            return true;
    }
    return false;
}

static weft_result make_images(struct wf_hal_device *dev, const weft_surface_config *config,
                               struct wf_hal_texture *images[RING])
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
    for (uint32_t i = 0; i < RING; i++) {
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
    weft_surface_config full = *config;
    if (full.format == WEFT_FORMAT_NONE)
        full.format = surface_formats[0];
    if (!is_offered(full.format) || full.color_space != WEFT_COLOR_SPACE_SRGB ||
        (full.mode != WEFT_PRESENT_FIFO && full.mode != WEFT_PRESENT_IMMEDIATE))
        return WEFT_ERROR_SURFACE;
    // The host reads a headless surface back, whatever it says.
    full.usage |= WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC;

    struct wf_hal_texture *images[RING] = {NULL};
    if (full.width != 0 && full.height != 0) {
        const weft_result result = make_images(dev, &full, images);
        if (result != WEFT_OK)
            return result;
    }
    wf_sw_queue_drain(wf_sw_device(dev)); // the old images may still be drawn to
    drop_images(dev, surface->images);
    memcpy(surface->images, images, sizeof images);
    surface->config = *config = full;
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
    if (!surface->images[0])
        return WEFT_ACQUIRE_SKIP;
    surface->acquired = true;
    *out = surface->images[surface->next];
    return WEFT_ACQUIRE_READY;
}

// Submissions run in order, so whatever reads the image next sees what was drawn before.
weft_result wf_sw_surface_present(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                  const weft_rect *damage, uint32_t damage_count)
{
    struct wf_sw_surface *surface = surface_of(base);
    (void)damage, (void)damage_count;
    if (wf_sw_lost(dev, NULL))
        return WEFT_ERROR_LOST;
    if (!surface->acquired)
        return WEFT_SKIP;
    surface->presented = surface->images[surface->next];
    surface->next = (surface->next + 1) % RING;
    surface->acquired = false;
    return WEFT_OK;
}

struct wf_hal_texture *wf_sw_surface_presented(struct wf_hal_device *dev,
                                               struct wf_hal_surface *base)
{
    (void)dev;
    return surface_of(base)->presented;
}
