#include "core/check_surface.h"

bool wf_core_check_surface_desc(struct weft_device *dev, const weft_surface_desc *desc)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_SURFACE, desc->label);
    const weft_surface_target *target = &desc->target;
    if ((unsigned)target->kind >= WEFT_SURFACE_KIND_COUNT)
        return wf_core_broken(&on, WEFT_RULE_ENUM_UNKNOWN, "%u is no kind of a surface.",
                              (unsigned)target->kind);
    bool window = target->window, display = true;
    switch (target->kind) {
    case WEFT_SURFACE_HEADLESS:
        return true;
    case WEFT_SURFACE_XCB:
    case WEFT_SURFACE_XLIB:
        window = target->xid != 0;
        display = target->display;
        break;
    case WEFT_SURFACE_WAYLAND:
    case WEFT_SURFACE_WIN32:
        display = target->display;
        break;
    case WEFT_SURFACE_CANVAS:
        window = target->selector;
        break;
    default:
        break;
    }
    return (window && display) || wf_core_broken(&on, WEFT_RULE_SURFACE_TARGET,
                                                 "A surface of kind %d was asked for without a %s.",
                                                 (int)target->kind, window ? "display" : "window");
}

static bool offers(const weft_surface_info *info, weft_format format)
{
    for (uint32_t i = 0; i < info->format_count; ++i) {
        if (info->formats[i] == format)
            return true;
    }
    return false;
}

static bool check_enums(const struct wf_core_subject *on, const weft_surface_info *info,
                        const weft_surface_config *config)
{
    bool ok = true;
    if ((unsigned)config->mode > WEFT_PRESENT_IMMEDIATE)
        ok = wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN, "%u is no present mode.",
                            (unsigned)config->mode);
    else if (!(info->modes >> config->mode & 1))
        ok = wf_core_broken(on, WEFT_RULE_SURFACE_MODE, "Present mode %d is none of 0x%x.",
                            (int)config->mode, info->modes);
    if ((unsigned)config->color_space > WEFT_COLOR_SPACE_DISPLAY_P3)
        ok = wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN, "%u is no color space.",
                            (unsigned)config->color_space);
    else if (!(info->color_spaces >> config->color_space & 1))
        ok = wf_core_broken(on, WEFT_RULE_SURFACE_COLOR_SPACE, "Color space %d is none of 0x%x.",
                            (int)config->color_space, info->color_spaces);
    return ok;
}

bool wf_core_check_surface_config(struct weft_device *dev, weft_surface handle,
                                  const struct wf_core_surface *surface,
                                  const weft_surface_info *info, const weft_surface_config *config)
{
    const struct wf_core_subject on = wf_core_about(dev, wf_core_surface_object(handle));
    const uint32_t most = dev->caps.limits.max_texture_2d;
    bool ok = check_enums(&on, info, config);
    if (surface->acquired && surface->submitted)
        ok = wf_core_broken(&on, WEFT_RULE_SURFACE_ACQUIRED,
                            "The surface was configured while an image waits for its present.");
    if (!offers(info, config->format))
        ok = wf_core_broken(&on, WEFT_RULE_SURFACE_FORMAT,
                            "The surface was configured with %s, which it does not offer.",
                            weft_format_get_info(config->format)->name);
    if (config->width > most || config->height > most)
        ok = wf_core_broken(&on, WEFT_RULE_SURFACE_SIZE,
                            "The surface was configured with %ux%u; max_texture_2d is %u.",
                            config->width, config->height, most);
    if (config->usage & ~(weft_texture_usage)WEFT_TEXTURE_USAGE_ALL_BITS ||
        config->usage & WEFT_TEXTURE_USAGE_TRANSIENT)
        ok = wf_core_broken(&on, WEFT_RULE_BITS_UNKNOWN,
                            "The usage 0x%x has bits that a surface cannot have.", config->usage);
    return ok;
}

bool wf_core_check_present(struct weft_device *dev, weft_surface handle,
                           const struct wf_core_surface *surface, const weft_rect *damage,
                           uint32_t count)
{
    const struct wf_core_subject on = wf_core_about(dev, wf_core_surface_object(handle));
    if (!surface->acquired)
        return wf_core_broken(&on, WEFT_RULE_SURFACE_NOT_ACQUIRED,
                              "A surface was presented without an acquired image.");
    if (!surface->submitted)
        return wf_core_broken(&on, WEFT_RULE_SURFACE_NOT_WRITTEN,
                              "The image was presented, and no submission named the surface.");
    bool ok = true;
    for (uint32_t i = 0; damage && i < count; ++i) {
        const weft_rect *r = &damage[i];
        if (r->x < 0 || r->y < 0 || (uint64_t)r->x + r->width > surface->lent.width ||
            (uint64_t)r->y + r->height > surface->lent.height)
            ok = wf_core_broken(&on, WEFT_RULE_SURFACE_DAMAGE,
                                "Damage %u is %ux%u at (%d, %d) of an image of %ux%u.", i, r->width,
                                r->height, r->x, r->y, surface->lent.width, surface->lent.height);
    }
    return ok;
}

bool wf_core_check_present_pixels(struct weft_device *dev, weft_surface handle,
                                  const struct wf_core_texture *texture, uint32_t row_bytes)
{
    const weft_texture_desc *desc = &texture->hal->desc;
    const uint64_t tight = weft_format_row_bytes(desc->format, desc->width);
    const uint32_t block = weft_format_get_info(desc->format)->block_bytes;
    if (row_bytes == 0 || (row_bytes >= tight && row_bytes % block == 0))
        return true;
    return wf_core_broken_object(dev, wf_core_surface_object(handle), WEFT_RULE_SURFACE_ROW_BYTES,
                                 "Rows of %llu bytes were given %u bytes apart.",
                                 (unsigned long long)tight, row_bytes);
}

bool wf_core_check_surface_readable(struct weft_device *dev, weft_surface handle,
                                    const struct wf_core_surface *surface)
{
    const struct wf_core_subject on = wf_core_about(dev, wf_core_surface_object(handle));
    bool ok = wf_core_need(&on, WEFT_FEATURE_BLOCKING_WAIT, "A blocking read");
    if (surface->kind != WEFT_SURFACE_HEADLESS)
        ok = wf_core_broken(&on, WEFT_RULE_SURFACE_NOT_HEADLESS, "A surface of kind %d was read.",
                            (int)surface->kind);
    return ok;
}
