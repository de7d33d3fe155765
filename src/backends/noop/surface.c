#include "backends/noop/noop.h"

struct noop_surface {
    struct wf_hal_surface base;
    weft_surface_config config;
    struct wf_hal_texture image; ///< The only one: nothing is ever shown.
    bool presented;
};

static struct noop_surface *noop_surface(struct wf_hal_surface *surface)
{
    return (struct noop_surface *)surface; // `base` is the first member
}

weft_result wf_noop_surface_create(struct wf_hal_device *dev, const weft_surface_target *target,
                                   struct wf_hal_surface **out)
{
    struct noop_surface *surface = wf_noop_new(dev, sizeof *surface);
    *out = surface ? &surface->base : NULL;
    if (!surface)
        return WEFT_ERROR_MEMORY;
    surface->base.kind = target->kind;
    return WEFT_OK;
}

void wf_noop_surface_destroy(struct wf_hal_device *dev, struct wf_hal_surface *surface)
{
    wf_base_free(dev->allocator, surface, sizeof(struct noop_surface));
}

weft_result wf_noop_surface_query(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                  weft_surface_info *out)
{
    (void)dev;
    *out = (weft_surface_info){
        .formats = {WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_RGBA8_UNORM,
                    WEFT_FORMAT_BGRA8_UNORM_SRGB, WEFT_FORMAT_BGRA8_UNORM,
                    WEFT_FORMAT_RGBA16_FLOAT},
        .format_count = 5,
        .modes = 1u << WEFT_PRESENT_FIFO,
        .color_spaces = 1u << WEFT_COLOR_SPACE_SRGB,
        .config = noop_surface(surface)->config,
    };
    return WEFT_OK;
}

weft_result wf_noop_surface_configure(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                      weft_surface_config *config)
{
    (void)dev;
    struct noop_surface *noop = noop_surface(surface);
    noop->config = *config;
    noop->presented = false;
    noop->image.desc = (weft_texture_desc){
        .format = config->format,
        .width = config->width,
        .height = config->height,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage = config->usage | WEFT_TEXTURE_USAGE_RENDER,
    };
    return WEFT_OK;
}

weft_acquire_status wf_noop_surface_acquire(struct wf_hal_device *dev,
                                            struct wf_hal_surface *surface,
                                            struct wf_hal_texture **out)
{
    (void)dev;
    struct noop_surface *noop = noop_surface(surface);
    *out = NULL;
    if (noop->config.width == 0 || noop->config.height == 0)
        return WEFT_ACQUIRE_SKIP;
    *out = &noop->image;
    return WEFT_ACQUIRE_READY;
}

weft_result wf_noop_surface_present(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                    const weft_rect *damage, uint32_t damage_count)
{
    (void)dev, (void)damage, (void)damage_count;
    noop_surface(surface)->presented = true;
    return WEFT_OK;
}

struct wf_hal_texture *wf_noop_surface_presented(struct wf_hal_device *dev,
                                                 struct wf_hal_surface *surface)
{
    (void)dev;
    struct noop_surface *noop = noop_surface(surface);
    return noop->presented ? &noop->image : NULL;
}
