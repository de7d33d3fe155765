#include "core/check.h"
#include "core/lint.h"

#include "base/bits.h"

#include <inttypes.h>

/// What is being checked, and how it went so far.
struct check {
    struct wf_core_subject on;
    const weft_texture_desc *desc;
    const weft_format_info *info;
    bool ok;
};

static void broken(struct check *c, weft_rule rule, const char *what, uint64_t value)
{
    c->ok = wf_core_broken(&c->on, rule, "%s: %" PRIu64 ".", what, value);
}

static void need(struct check *c, weft_feature_set feature, const char *what)
{
    if (!wf_core_need(&c->on, feature, what))
        c->ok = false;
}

static void check_enums(struct check *c)
{
    const weft_texture_desc *d = c->desc;
    c->ok &= wf_core_check_enum(&c->on, (unsigned)d->kind, WEFT_TEXTURE_CUBE, "kind of texture");
    if (d->format == WEFT_FORMAT_NONE)
        broken(c, WEFT_RULE_TEXTURE_FORMAT_NONE, "The format is not set", 0);
    else if ((unsigned)d->format >= WEFT_FORMAT_COUNT)
        broken(c, WEFT_RULE_ENUM_UNKNOWN, "Unknown format", (uint64_t)d->format);
    c->ok &= wf_core_check_bits(&c->on, d->usage, WEFT_TEXTURE_USAGE_ALL_BITS, "usage");
    c->ok &= wf_core_check_bits(&c->on, d->queues, (1u << WEFT_QUEUE_COUNT) - 1, "queue set");
}

static uint32_t max_side(const struct check *c)
{
    const weft_limits *limits = &c->on.dev->caps.limits;
    switch (c->desc->kind) {
    case WEFT_TEXTURE_1D:
        return limits->max_texture_1d;
    case WEFT_TEXTURE_3D:
        return limits->max_texture_3d;
    case WEFT_TEXTURE_2D:
    case WEFT_TEXTURE_CUBE:
        break;
    }
    return limits->max_texture_2d;
}

static void check_extent(struct check *c)
{
    const weft_texture_desc *d = c->desc;
    const uint32_t limit = max_side(c);
    const uint32_t side = wf_base_max_u32(wf_base_max_u32(d->width, d->height), d->depth);
    if (side > limit)
        broken(c, WEFT_RULE_TEXTURE_SIZE_LIMIT, "The largest side in texels", side);
    if (d->kind == WEFT_TEXTURE_1D && d->height != 1)
        broken(c, WEFT_RULE_TEXTURE_SHAPE, "A 1D texture's height", d->height);
    if (d->kind != WEFT_TEXTURE_3D && d->depth != 1)
        broken(c, WEFT_RULE_TEXTURE_SHAPE, "The depth of a texture that is not 3D", d->depth);
    if (d->kind == WEFT_TEXTURE_3D && d->layers != 1)
        broken(c, WEFT_RULE_TEXTURE_SHAPE, "The layers of a 3D texture", d->layers);
    if (d->kind == WEFT_TEXTURE_CUBE && d->width != d->height)
        broken(c, WEFT_RULE_TEXTURE_SHAPE, "The height of a cube that is not square", d->height);
    if (d->kind == WEFT_TEXTURE_CUBE && d->layers % 6 != 0)
        broken(c, WEFT_RULE_TEXTURE_SHAPE, "The layers of a cube", d->layers);
    if (d->layers > c->on.dev->caps.limits.max_texture_layers)
        broken(c, WEFT_RULE_TEXTURE_LAYERS_LIMIT, "Layers", d->layers);
    if (d->mips > wf_base_log2_u64(side ? side : 1) + 1)
        broken(c, WEFT_RULE_TEXTURE_MIPS, "Mips", d->mips);
}

static void check_features(struct check *c)
{
    const weft_texture_desc *d = c->desc;
    if (d->kind == WEFT_TEXTURE_1D)
        need(c, WEFT_FEATURE_TEXTURES_1D, "A 1D texture");
    if (d->kind == WEFT_TEXTURE_3D)
        need(c, WEFT_FEATURE_TEXTURES_3D, "A 3D texture");
    if (d->kind == WEFT_TEXTURE_CUBE && d->layers > 6)
        need(c, WEFT_FEATURE_CUBE_ARRAYS, "A cube array");
    else if (d->kind != WEFT_TEXTURE_CUBE && d->layers > 1)
        need(c, WEFT_FEATURE_TEXTURE_ARRAYS, "A texture array");
    if (d->usage & WEFT_TEXTURE_USAGE_STORAGE)
        need(c, WEFT_FEATURE_STORAGE_TEXTURES, "Usage STORAGE");
    if (d->view_format != WEFT_FORMAT_NONE)
        need(c, WEFT_FEATURE_TEXTURE_VIEWS, "A view format");
    if (!weft_memory_block_is_none(d->place.block))
        need(c, WEFT_FEATURE_PLACED_RESOURCES, "A placed texture");
}

static weft_format_caps caps_wanted(const weft_texture_desc *d, const weft_format_info *info)
{
    weft_format_caps caps = 0;
    if (d->usage & WEFT_TEXTURE_USAGE_SAMPLED)
        caps |= WEFT_FORMAT_CAN_SAMPLE;
    if (d->usage & WEFT_TEXTURE_USAGE_STORAGE)
        caps |= WEFT_FORMAT_CAN_STORE;
    if (d->usage & (WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST))
        caps |= WEFT_FORMAT_CAN_COPY;
    if (d->usage & WEFT_TEXTURE_USAGE_RENDER)
        caps |= info->aspects & WEFT_ASPECT_COLOR ? WEFT_FORMAT_CAN_RENDER
                                                  : WEFT_FORMAT_CAN_DEPTH_STENCIL;
    return caps;
}

static void check_format_usage(struct check *c)
{
    static const struct {
        weft_format_caps cap;
        const char *what;
    } uses[] = {
        {WEFT_FORMAT_CAN_SAMPLE, "sampled"},
        {WEFT_FORMAT_CAN_STORE, "used as storage"},
        {WEFT_FORMAT_CAN_COPY, "copied"},
        {WEFT_FORMAT_CAN_RENDER, "rendered to"},
        {WEFT_FORMAT_CAN_DEPTH_STENCIL, "used for depth and stencil"},
    };
    const weft_format_caps missing =
        caps_wanted(c->desc, c->info) & ~c->on.dev->caps.formats[c->desc->format];
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; ++i) {
        if (missing & uses[i].cap)
            c->ok = wf_core_broken(&c->on, WEFT_RULE_TEXTURE_FORMAT_USAGE,
                                   "On this device %s cannot be %s.", c->info->name, uses[i].what);
    }
    const weft_format view = c->desc->view_format;
    if (view != WEFT_FORMAT_NONE && view != c->info->twin)
        c->ok =
            wf_core_broken(&c->on, WEFT_RULE_TEXTURE_VIEW_FORMAT, "%s is not the sRGB twin of %s.",
                           weft_format_get_info(view)->name, c->info->name);
}

static weft_format_caps samples_cap(uint32_t samples)
{
    switch (samples) {
    case 2:
        return WEFT_FORMAT_CAN_MSAA_2;
    case 4:
        return WEFT_FORMAT_CAN_MSAA_4;
    case 8:
        return WEFT_FORMAT_CAN_MSAA_8;
    default:
        return 0;
    }
}

static void check_samples(struct check *c)
{
    const weft_texture_desc *d = c->desc;
    if (d->samples == 1)
        return;
    const weft_format_caps cap = samples_cap(d->samples);
    if (cap == 0 || d->samples > c->on.dev->caps.limits.max_samples ||
        !(c->on.dev->caps.formats[d->format] & cap))
        broken(c, WEFT_RULE_TEXTURE_SAMPLES, "Samples that this device cannot do", d->samples);
    const bool plain = d->kind == WEFT_TEXTURE_2D && d->mips == 1 &&
                       d->usage & WEFT_TEXTURE_USAGE_RENDER &&
                       !(d->usage & WEFT_TEXTURE_USAGE_STORAGE);
    if (!plain)
        broken(c, WEFT_RULE_TEXTURE_SAMPLES_SHAPE,
               "A multisampled texture of another shape; samples", d->samples);
}

static void check_transient(struct check *c)
{
    const weft_texture_usage usage = c->desc->usage;
    const weft_texture_usage both = WEFT_TEXTURE_USAGE_TRANSIENT | WEFT_TEXTURE_USAGE_RENDER;
    if (usage & WEFT_TEXTURE_USAGE_TRANSIENT && usage != both)
        broken(c, WEFT_RULE_TEXTURE_TRANSIENT, "The usage of a transient texture", usage);
}

bool wf_core_check_texture_desc(struct weft_device *dev, const weft_texture_desc *desc)
{
    struct check c = {
        .on = wf_core_about_new(dev, WEFT_OBJECT_TEXTURE, desc->label),
        .desc = desc,
        .info = weft_format_get_info(desc->format),
        .ok = true,
    };
    check_enums(&c);
    check_extent(&c);
    check_features(&c);
    check_transient(&c);
    if (desc->format != WEFT_FORMAT_NONE && (unsigned)desc->format < WEFT_FORMAT_COUNT) {
        check_format_usage(&c);
        check_samples(&c);
    }
    if (c.ok) {
        const uint32_t side =
            wf_base_max_u32(wf_base_max_u32(desc->width, desc->height), desc->depth);
        wf_core_lint_limit(&c.on,
                           desc->kind == WEFT_TEXTURE_3D ? WF_CORE_LINT_TEXTURE_3D
                                                         : WF_CORE_LINT_TEXTURE_2D,
                           side);
        wf_core_lint_limit(&c.on, WF_CORE_LINT_LAYERS, desc->layers);
    }
    return c.ok;
}
