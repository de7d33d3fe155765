#include "core/check.h"

#include "base/bits.h"

#include <inttypes.h>

const char *wf_core_view_name(weft_view_kind kind)
{
    static const char *const names[] = {
        [WEFT_VIEW_DEFAULT] = "default",   [WEFT_VIEW_1D] = "1D",
        [WEFT_VIEW_1D_ARRAY] = "1D array", [WEFT_VIEW_2D] = "2D",
        [WEFT_VIEW_2D_ARRAY] = "2D array", [WEFT_VIEW_3D] = "3D",
        [WEFT_VIEW_CUBE] = "cube",         [WEFT_VIEW_CUBE_ARRAY] = "cube array",
    };
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "unknown";
}

static const char *texture_name(weft_texture_kind kind)
{
    static const char *const names[] = {
        [WEFT_TEXTURE_2D] = "2D",
        [WEFT_TEXTURE_1D] = "1D",
        [WEFT_TEXTURE_3D] = "3D",
        [WEFT_TEXTURE_CUBE] = "cube",
    };
    return names[kind]; // a texture's own: it was checked
}

struct check {
    struct wf_core_subject on;
    const weft_texture_desc *texture;
    const weft_texture_view_desc *desc;
    bool ok;
};

static void range(struct check *c, weft_rule rule, const char *what, uint32_t start, uint32_t count,
                  uint32_t total)
{
    if (count == 0 || !wf_base_range_fits(start, count, total))
        c->ok = wf_core_broken(&c->on, rule, "%s: %u from %u, of %u.", what, count, start, total);
}

/// Whether a texture can be seen as that kind at all, layers aside.
static bool kind_fits(weft_texture_kind texture, weft_view_kind view)
{
    switch (view) {
    case WEFT_VIEW_1D:
    case WEFT_VIEW_1D_ARRAY:
        return texture == WEFT_TEXTURE_1D;
    case WEFT_VIEW_2D:
    case WEFT_VIEW_2D_ARRAY:
        return texture == WEFT_TEXTURE_2D || texture == WEFT_TEXTURE_CUBE;
    case WEFT_VIEW_3D:
        return texture == WEFT_TEXTURE_3D;
    case WEFT_VIEW_CUBE:
    case WEFT_VIEW_CUBE_ARRAY:
        return texture == WEFT_TEXTURE_CUBE;
    case WEFT_VIEW_DEFAULT:
        break;
    }
    return false;
}

static bool layers_fit(weft_view_kind view, uint32_t layers)
{
    switch (view) {
    case WEFT_VIEW_CUBE:
        return layers == 6;
    case WEFT_VIEW_CUBE_ARRAY:
        return layers % 6 == 0;
    case WEFT_VIEW_1D_ARRAY:
    case WEFT_VIEW_2D_ARRAY:
        return true;
    default:
        return layers == 1;
    }
}

static void check_kind(struct check *c)
{
    const weft_texture_view_desc *d = c->desc;
    if ((unsigned)d->kind > WEFT_VIEW_CUBE_ARRAY)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_ENUM_UNKNOWN, "%u is no kind of view.",
                               (unsigned)d->kind);
    else if (!kind_fits(c->texture->kind, d->kind))
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_VIEW_KIND, "A %s view of a %s texture was asked for.",
                           wf_core_view_name(d->kind), texture_name(c->texture->kind));
    else if (!layers_fit(d->kind, d->layer_count))
        c->ok = wf_core_broken(&c->on, WEFT_RULE_VIEW_KIND, "A %s view cannot have %u layer(s).",
                               wf_core_view_name(d->kind), d->layer_count);
}

static void check_format(struct check *c)
{
    const weft_texture_view_desc *d = c->desc;
    const weft_format_info *info = weft_format_get_info(c->texture->format);
    if (d->format != c->texture->format && d->format != c->texture->view_format)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_VIEW_FORMAT,
                               "The view asks for %s, the texture was declared with %s.",
                               weft_format_get_info(d->format)->name, info->name);
    if (d->aspect & ~info->aspects)
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_VIEW_ASPECT, "The aspects are 0x%x, those of %s 0x%x.",
                           d->aspect, info->name, info->aspects);
    for (int i = 0; i < 4; ++i) {
        c->ok &= wf_core_check_enum(&c->on, (unsigned)d->swizzle[i], WEFT_SWIZZLE_A, "swizzle");
    }
}

bool wf_core_check_view_desc(struct weft_device *dev, const weft_texture_desc *texture,
                             const weft_texture_view_desc *desc)
{
    struct check c = {
        .on = wf_core_about_new(dev, WEFT_OBJECT_TEXTURE_VIEW, desc->label),
        .texture = texture,
        .desc = desc,
        .ok = true,
    };
    range(&c, WEFT_RULE_VIEW_MIPS, "Mips", desc->mip, desc->mip_count, texture->mips);
    range(&c, WEFT_RULE_VIEW_LAYERS, "Layers", desc->layer, desc->layer_count, texture->layers);
    check_kind(&c);
    check_format(&c);
    return c.ok;
}
