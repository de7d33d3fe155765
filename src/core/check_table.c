// Rules of what is written into argument tables.
#include "core/check.h"
#include "core/check_acceleration.h"
#include "core/check_argument.h"

#include <assert.h>
#include <inttypes.h>

struct check {
    const struct wf_core_subject *on;
    const struct wf_hal_argument *argument;
    const struct wf_hal_write *write;
};

static bool check_buffer_usage(const struct check *c)
{
    const weft_argument_type type = c->argument->type;
    weft_buffer_usage need = WEFT_BUFFER_USAGE_TEXEL;
    const char *name = "TEXEL";
    if (type == WEFT_ARGUMENT_UNIFORM_BUFFER) {
        need = WEFT_BUFFER_USAGE_UNIFORM;
        name = "UNIFORM";
    } else if (type == WEFT_ARGUMENT_STORAGE_BUFFER) {
        need = WEFT_BUFFER_USAGE_STORAGE;
        name = "STORAGE";
    }
    if (c->write->buffer->usage & need)
        return true;
    return wf_core_broken(c->on, WEFT_RULE_ARGUMENT_BUFFER_USAGE,
                          "Binding %u is a %s; its buffer was created without %s.",
                          c->argument->binding, wf_core_argument_name(type), name);
}

/// What the device asks of the ranges of a kind of argument.
struct range_limit {
    uint32_t align, most;
    const char *align_name, *most_name;
    uint32_t unit; ///< Bytes that `most` counts.
};

static struct range_limit range_limit(const weft_limits *l, const struct wf_hal_argument *a)
{
    if (wf_core_argument_is_texels(a->type))
        return (struct range_limit){l->texel_offset_alignment, l->max_texel_elements,
                                    "texel_offset_alignment", "max_texel_elements",
                                    weft_format_get_info(a->storage)->block_bytes};
    if (a->type == WEFT_ARGUMENT_UNIFORM_BUFFER)
        return (struct range_limit){l->uniform_offset_alignment, l->max_uniform_range,
                                    "uniform_offset_alignment", "max_uniform_range", 1};
    return (struct range_limit){l->storage_offset_alignment, l->max_storage_range,
                                "storage_offset_alignment", "max_storage_range", 1};
}

static bool check_buffer(const struct check *c)
{
    const struct range_limit limit = range_limit(&c->on->dev->caps.limits, c->argument);
    const uint64_t count = c->write->size / limit.unit;
    bool ok = check_buffer_usage(c);
    if (c->write->offset % limit.align != 0)
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_OFFSET,
                            "Binding %u was given the offset %" PRIu64 ", no multiple of %u (%s).",
                            c->argument->binding, c->write->offset, limit.align, limit.align_name);
    if (count == 0) // of a size that is not 0
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_RANGE,
                            "Binding %u was given %" PRIu64 " bytes, less than a texel of %u.",
                            c->argument->binding, c->write->size, limit.unit);
    else if (count > limit.most)
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_RANGE,
                            "Binding %u was given %" PRIu64 " %s; the device binds %u (%s).",
                            c->argument->binding, count,
                            wf_core_argument_is_texels(c->argument->type) ? "texels" : "bytes",
                            limit.most, limit.most_name);
    return ok;
}

static bool class_fits(weft_sample_class asked, weft_sample_class have)
{
    if (asked == have)
        return true;
    // Depth reads as a float; what filters can also be read without filtering.
    const bool is_float =
        asked == WEFT_SAMPLE_CLASS_FLOAT || asked == WEFT_SAMPLE_CLASS_UNFILTERABLE_FLOAT;
    return is_float && (have == WEFT_SAMPLE_CLASS_FLOAT || have == WEFT_SAMPLE_CLASS_DEPTH);
}

static weft_sample_class class_of(const struct wf_hal_texture_view *view)
{
    const weft_format_info *info = weft_format_get_info(view->desc.format);
    if (view->desc.aspect == WEFT_ASPECT_STENCIL)
        return WEFT_SAMPLE_CLASS_UINT;
    return info->sample_class;
}

static bool check_view_shape(const struct check *c)
{
    const struct wf_hal_texture_view *view = c->write->view;
    const struct wf_hal_argument *a = c->argument;
    bool ok = true;
    if (view->desc.kind != a->view)
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_VIEW_KIND,
                            "Binding %u takes a %s view and was given a %s one.", a->binding,
                            wf_core_view_name(a->view), wf_core_view_name(view->desc.kind));
    if (a->multisampled != (view->texture->desc.samples > 1))
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_SAMPLES,
                            "Binding %u is %smultisampled; its texture has %u samples.", a->binding,
                            a->multisampled ? "" : "not ", view->texture->desc.samples);
    return ok;
}

static bool check_sampled_view(const struct check *c)
{
    const struct wf_hal_texture_view *view = c->write->view;
    bool ok = check_view_shape(c);
    if (!(view->texture->desc.usage & WEFT_TEXTURE_USAGE_SAMPLED))
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_TEXTURE_USAGE,
                            "Binding %u is sampled; its texture was created without SAMPLED.",
                            c->argument->binding);
    if (!class_fits(c->argument->sampled, class_of(view)))
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_CLASS,
                            "Binding %u reads another class than %s has.", c->argument->binding,
                            weft_format_get_info(view->desc.format)->name);
    const weft_aspect_set both = WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL;
    if ((view->desc.aspect & both) == both)
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_ASPECT,
                            "Binding %u was given a view of depth and stencil.",
                            c->argument->binding);
    return ok;
}

static bool check_storage_view(const struct check *c)
{
    const struct wf_hal_texture_view *view = c->write->view;
    bool ok = check_view_shape(c);
    if (!(view->texture->desc.usage & WEFT_TEXTURE_USAGE_STORAGE))
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_TEXTURE_USAGE,
                            "Binding %u is storage; its texture was created without STORAGE.",
                            c->argument->binding);
    if (view->desc.format != c->argument->storage)
        ok =
            wf_core_broken(c->on, WEFT_RULE_ARGUMENT_CLASS, "Binding %u stores %s; its view is %s.",
                           c->argument->binding, weft_format_get_info(c->argument->storage)->name,
                           weft_format_get_info(view->desc.format)->name);
    if (view->desc.mip_count != 1)
        ok = wf_core_broken(c->on, WEFT_RULE_ARGUMENT_VIEW_KIND,
                            "Binding %u is storage; its view has %u mips.", c->argument->binding,
                            view->desc.mip_count);
    return ok;
}

/// What the device cannot filter needs a sampler that does not.
static bool check_filter(const struct check *c)
{
    const struct wf_hal_sampler *sampler =
        c->argument->fixed ? c->argument->fixed : c->write->sampler;
    assert(sampler && c->write->view); // both were resolved
    const weft_format format = c->write->view->desc.format;
    const bool filters = sampler->desc.mag == WEFT_FILTER_LINEAR ||
                         sampler->desc.min == WEFT_FILTER_LINEAR ||
                         sampler->desc.mip == WEFT_FILTER_LINEAR;
    if (!filters || c->on->dev->caps.formats[format] & WEFT_FORMAT_CAN_FILTER ||
        sampler->desc.compare != WEFT_COMPARE_DEFAULT)
        return true;
    return wf_core_broken(c->on, WEFT_RULE_ARGUMENT_FILTER,
                          "Binding %u filters %s, which this device cannot.", c->argument->binding,
                          weft_format_get_info(format)->name);
}

bool wf_core_check_table_write(const struct wf_core_subject *on,
                               const struct wf_hal_argument *argument,
                               const weft_argument_write *given, const struct wf_hal_write *write)
{
    (void)given;
    const struct check c = {on, argument, write};
    bool ok = true;
    if (write->buffer)
        ok = check_buffer(&c);
    if (write->view && argument->type == WEFT_ARGUMENT_STORAGE_TEXTURE)
        ok = check_storage_view(&c);
    else if (write->view)
        ok = check_sampled_view(&c);
    if (argument->type == WEFT_ARGUMENT_COMBINED)
        ok &= check_filter(&c);
    if (write->acceleration)
        ok &= wf_core_check_acceleration_level(on, write->acceleration);
    return ok;
}
