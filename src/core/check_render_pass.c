// What a render pass asks of its attachments.
#include "core/check.h"
#include "core/record.h"

struct check {
    struct wf_core_subject on; ///< The attachment that is looked at.
    const weft_render_pass_desc *desc;
    const struct wf_hal_render_pass *pass;
    bool ok;
};

static void look_at(struct check *c, weft_texture_view view)
{
    c->on.object = wf_core_texture_view_object(view);
}

static const char *format_name(weft_format format)
{
    return weft_format_get_info(format)->name;
}

static void check_layers(struct check *c, const struct wf_hal_texture_view *view, const char *what)
{
    const uint32_t layers = wf_core_attachment_layers(view);
    if (layers != c->pass->layers)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_LAYERS,
                               "%s has %u layers; another attachment has %u.", what, layers,
                               c->pass->layers);
    if (layers > 1)
        c->ok &=
            wf_core_need(&c->on, WEFT_FEATURE_LAYERED_RENDERING, "An attachment of several layers");
}

/// What every attachment must be: renderable, one mip, of the pass's size.
static void check_attachment(struct check *c, const struct wf_hal_texture_view *view,
                             const char *what, uint32_t samples)
{
    const weft_texture_desc *texture = &view->texture->desc;
    if (!(texture->usage & WEFT_TEXTURE_USAGE_RENDER))
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_USAGE, "%s is of a texture without RENDER.",
                               what);
    if (view->desc.mip_count != 1)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_VIEW, "%s has %u mips.", what,
                               view->desc.mip_count);
    check_layers(c, view, what);
    const uint32_t width = wf_core_mip_side(texture->width, view->desc.mip);
    const uint32_t height = wf_core_mip_side(texture->height, view->desc.mip);
    if (width != c->pass->width || height != c->pass->height)
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_PASS_SIZE, "%s is %ux%u; another attachment is %ux%u.",
                           what, width, height, c->pass->width, c->pass->height);
    if (texture->samples != samples)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_SAMPLES, "%s has %u samples, not %u.", what,
                               texture->samples, samples);
}

static void check_load(struct check *c, weft_load load, weft_store store, const char *what)
{
    if (load == WEFT_LOAD_UNSPECIFIED)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_LOAD, "%s has no load operation.", what);
    c->ok &= wf_core_check_enum(&c->on, (unsigned)load, WEFT_LOAD_DISCARD, "load operation");
    if ((unsigned)store > WEFT_STORE_DISCARD)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_ENUM_UNKNOWN, "%u is no store operation.",
                               (unsigned)store);
}

static void check_transient(struct check *c, const struct wf_hal_texture_view *view, weft_load load,
                            weft_store store, const char *what)
{
    if (!(view->texture->desc.usage & WEFT_TEXTURE_USAGE_TRANSIENT))
        return;
    if (load == WEFT_LOAD_LOAD || store == WEFT_STORE_STORE)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_TRANSIENT, "%s is transient, and is %s.",
                               what, load == WEFT_LOAD_LOAD ? "loaded" : "stored");
}

static void check_resolve(struct check *c, uint32_t i)
{
    const struct wf_hal_color_attachment *color = &c->pass->colors[i];
    const weft_format format = color->resolve->desc.format;
    look_at(c, c->desc->colors[i].resolve);
    check_attachment(c, color->resolve, "A resolve target", 1);
    if (!color->view) {
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_RESOLVE,
                               "Color %u is resolved, and has no view.", i);
        return;
    }
    if (color->view->texture->desc.samples == 1)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_RESOLVE,
                               "Color %u is resolved, and has one sample.", i);
    if (format != color->view->desc.format)
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_PASS_RESOLVE, "Color %u is %s, its resolve target %s.",
                           i, format_name(color->view->desc.format), format_name(format));
    if (!(c->on.dev->caps.formats[format] & WEFT_FORMAT_CAN_RESOLVE))
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_RESOLVE,
                               "%s cannot be resolved on this device.", format_name(format));
}

static void check_color(struct check *c, uint32_t i)
{
    const struct wf_hal_color_attachment *color = &c->pass->colors[i];
    if (color->resolve)
        check_resolve(c, i);
    if (!color->view)
        return;
    const weft_format format = color->view->desc.format;
    const struct weft_device *dev = c->on.dev;
    look_at(c, c->desc->colors[i].view);
    check_attachment(c, color->view, "A color attachment", c->pass->samples);
    check_load(c, color->load, color->store, "A color attachment");
    check_transient(c, color->view, color->load, color->store, "A color attachment");
    if (!(weft_format_get_info(format)->aspects & WEFT_ASPECT_COLOR) ||
        !(dev->caps.formats[format] & WEFT_FORMAT_CAN_RENDER))
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_FORMAT, "%s cannot be a color attachment.",
                               format_name(format));
    if (i >= dev->caps.limits.max_color_targets)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_COLOR_COUNT,
                               "Color %u is used; max_color_targets is %u.", i,
                               dev->caps.limits.max_color_targets);
}

/// A read-only aspect is kept as it is.
static void check_read_only(struct check *c, weft_aspect_set aspects)
{
    const weft_aspect_set read_only = c->desc->read_only & aspects;
    if ((read_only & WEFT_ASPECT_DEPTH && c->desc->depth_load != WEFT_LOAD_LOAD) ||
        (read_only & WEFT_ASPECT_STENCIL && c->desc->stencil_load != WEFT_LOAD_LOAD))
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_PASS_READ_ONLY, "A read-only aspect is not loaded.");
    if ((read_only & WEFT_ASPECT_DEPTH && c->desc->depth_store != WEFT_STORE_STORE) ||
        (read_only & WEFT_ASPECT_STENCIL && c->desc->stencil_store != WEFT_STORE_STORE))
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_PASS_READ_ONLY, "A read-only aspect is not stored.");
}

static void check_depth_clear(struct check *c, weft_aspect_set aspects)
{
    const float depth = c->desc->clear_depth;
    if (aspects & WEFT_ASPECT_DEPTH && c->desc->depth_load == WEFT_LOAD_CLEAR &&
        !(depth >= 0.0f && depth <= 1.0f))
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_PASS_CLEAR, "Depth is cleared to %g.", (double)depth);
    if (aspects & WEFT_ASPECT_STENCIL && c->desc->stencil_load == WEFT_LOAD_CLEAR &&
        c->desc->clear_stencil > 255)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_CLEAR, "Stencil is cleared to %u.",
                               c->desc->clear_stencil);
}

static void check_depth_stencil(struct check *c)
{
    const struct wf_hal_texture_view *view = c->pass->depth_stencil;
    if (!view)
        return;
    const weft_render_pass_desc *d = c->desc;
    const weft_aspect_set aspects = weft_format_get_info(view->desc.format)->aspects;
    look_at(c, d->depth_stencil);
    check_attachment(c, view, "The depth-stencil attachment", c->pass->samples);
    if (!(c->on.dev->caps.formats[view->desc.format] & WEFT_FORMAT_CAN_DEPTH_STENCIL))
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_FORMAT,
                               "%s cannot be a depth-stencil attachment.",
                               format_name(view->desc.format));
    if (aspects & WEFT_ASPECT_DEPTH) {
        check_load(c, d->depth_load, d->depth_store, "Depth");
        check_transient(c, view, d->depth_load, d->depth_store, "Depth");
    }
    if (aspects & WEFT_ASPECT_STENCIL) {
        check_load(c, d->stencil_load, d->stencil_store, "Stencil");
        check_transient(c, view, d->stencil_load, d->stencil_store, "Stencil");
    }
    check_read_only(c, aspects);
    check_depth_clear(c, aspects);
}

static bool same_place(const struct wf_hal_texture_view *a, const struct wf_hal_texture_view *b)
{
    return a && b && a->texture == b->texture && a->desc.mip == b->desc.mip &&
           a->desc.layer < b->desc.layer + b->desc.layer_count &&
           b->desc.layer < a->desc.layer + a->desc.layer_count;
}

/// No place may be written through two attachments.
static void check_twice(struct check *c)
{
    const struct wf_hal_texture_view *all[2 * WF_HAL_MAX_COLORS];
    weft_texture_view handles[2 * WF_HAL_MAX_COLORS];
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        all[(size_t)2 * i] = c->pass->colors[i].view;
        all[(size_t)2 * i + 1] = c->pass->colors[i].resolve;
        handles[(size_t)2 * i] = c->desc->colors[i].view;
        handles[(size_t)2 * i + 1] = c->desc->colors[i].resolve;
    }
    for (uint32_t a = 0; a < 2 * WF_HAL_MAX_COLORS; ++a) {
        for (uint32_t b = a + 1; b < 2 * WF_HAL_MAX_COLORS; ++b) {
            if (!same_place(all[a], all[b]))
                continue;
            look_at(c, handles[b]);
            c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_TWICE,
                                   "The same texels are attached twice, as color %u and %u.", a / 2,
                                   b / 2);
        }
    }
}

static bool has_attachments(const struct wf_hal_render_pass *pass)
{
    bool any = pass->depth_stencil != NULL;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i)
        any |= pass->colors[i].view != NULL;
    return any;
}

static void check_size(struct check *c)
{
    const weft_render_pass_desc *d = c->desc;
    look_at(c, (weft_texture_view){0});
    const bool given = d->width != 0 || d->height != 0 || d->samples != 0;
    if (has_attachments(c->pass)) {
        if (given)
            c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_SIZE_GIVEN,
                                   "A size of %ux%u and %u samples were given beside attachments.",
                                   d->width, d->height, d->samples);
        return;
    }
    const uint32_t most = c->on.dev->caps.limits.max_texture_2d;
    if (d->width == 0 || d->height == 0 || d->width > most || d->height > most)
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_PASS_EMPTY,
                           "The pass has no attachment and the size %ux%u.", d->width, d->height);
    const uint32_t samples = c->pass->samples;
    if (samples > c->on.dev->caps.limits.max_samples || (samples & (samples - 1)) != 0)
        c->ok = wf_core_broken(&c->on, WEFT_RULE_PASS_SAMPLES, "A pass of %u samples was begun.",
                               samples);
}

bool wf_core_check_render_pass(struct weft_command_buffer *cmd, const weft_render_pass_desc *desc,
                               const struct wf_hal_render_pass *pass)
{
    struct check c = {
        .on = {.dev = cmd->dev, .origin = &cmd->origin}, .desc = desc, .pass = pass, .ok = true};
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i)
        check_color(&c, i);
    check_depth_stencil(&c);
    check_twice(&c);
    check_size(&c);
    if (desc->read_only & ~(weft_aspect_set)(WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL)) {
        look_at(&c, desc->depth_stencil);
        c.ok = wf_core_broken(&c.on, WEFT_RULE_BITS_UNKNOWN,
                              "read_only 0x%x has bits that are neither depth nor stencil.",
                              desc->read_only);
    }
    return c.ok;
}
