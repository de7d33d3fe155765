#include "frame/context.h"

static weft_target target_name(const struct weft_frame *frame, uint32_t index)
{
    return (weft_target){index + 1, frame->generation};
}

static struct wf_frame_target *target_find(struct weft_frame *frame, weft_target target)
{
    if (target.generation != frame->generation || target.index == 0 ||
        target.index > frame->targets.count)
        return NULL;
    return wf_frame_at(&frame->targets, target.index - 1);
}

weft_target weft_frame_present_target(weft_frame *frame)
{
    if (!wf_frame_usable(frame) || frame->present_target == WF_FRAME_NONE)
        return (weft_target){0, 0};
    return target_name(frame, frame->present_target);
}

/// Extent of a view's mip. Slices are layers to a pass.
static bool view_extent(struct weft_frame *frame, weft_texture_view view,
                        struct wf_frame_target *target, weft_texture *texture, weft_format *format)
{
    weft_texture_view_info info;
    if (!weft_texture_view_get_info(frame->device, view, &info)) {
        return wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_VIEW, UINT64_MAX, WF_FRAME_NONE,
                               "Target '%s' has a view that does not live.", target->label);
    }
    *texture = info.texture;
    *format = info.format;
    target->width = info.width;
    target->height = info.height;
    target->layers = info.kind == WEFT_VIEW_3D ? info.depth : info.layers;
    target->samples = info.samples;
    return true;
}

static bool target_from_views(struct weft_frame *frame, const weft_target_desc *desc,
                              struct wf_frame_target *target)
{
    target->kind = WF_FRAME_TARGET_VIEWS;
    target->colors_kept = target->depth_kept = true;
    bool ok = true;
    for (uint32_t i = 0; i < 8; i++) {
        target->colors[i] = desc->colors[i];
        target->resolves[i] = desc->resolves[i];
        if (weft_texture_view_is_none(desc->colors[i]))
            continue;
        target->color_count = i + 1;
        ok = view_extent(frame, desc->colors[i], target, &target->textures[i],
                         &target->formats[i]) &&
             ok;
        if (!weft_texture_view_is_none(desc->resolves[i]))
            target->resolve_textures[i] =
                weft_texture_view_texture(frame->device, desc->resolves[i]);
    }
    target->depth = desc->depth_stencil;
    if (!weft_texture_view_is_none(desc->depth_stencil))
        ok = view_extent(frame, desc->depth_stencil, target, &target->depth_texture,
                         &target->depth_format) &&
             ok;
    return ok;
}

static bool target_from_formats(struct weft_frame *frame, const weft_target_desc *desc,
                                struct wf_frame_target *target)
{
    target->kind = WF_FRAME_TARGET_TRANSIENT;
    target->width = desc->width;
    target->height = desc->height;
    target->layers = 1;
    target->samples = desc->samples ? desc->samples : 1;
    if (desc->width == 0 || desc->height == 0)
        return wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_SIZE, UINT64_MAX, WF_FRAME_NONE,
                               "Target '%s' is %ux%u texels.", target->label, desc->width,
                               desc->height);
    for (uint32_t i = 0; i < 8 && desc->color_formats[i] != WEFT_FORMAT_NONE; i++) {
        target->color_count = i + 1;
        target->formats[i] = desc->color_formats[i];
        if (!wf_frame_transient_take(frame, target, desc->color_formats[i], target->samples,
                                     &target->colors[i], &target->textures[i]))
            return false;
        if (target->samples > 1 &&
            !wf_frame_transient_take(frame, target, desc->color_formats[i], 1, &target->resolves[i],
                                     &target->resolve_textures[i]))
            return false;
    }
    target->depth_format = desc->depth_format;
    if (desc->depth_format == WEFT_FORMAT_NONE)
        return true;
    return wf_frame_transient_take(frame, target, desc->depth_format, target->samples,
                                   &target->depth, &target->depth_texture);
}

static bool has_views(const weft_target_desc *desc)
{
    for (uint32_t i = 0; i < 8; i++) {
        if (!weft_texture_view_is_none(desc->colors[i]))
            return true;
    }
    return !weft_texture_view_is_none(desc->depth_stencil);
}

/// Nothing that is given is left unused.
static bool check_parts(struct weft_frame *frame, const weft_target_desc *desc, const char *label)
{
    bool mixed = false;
    for (uint32_t i = 0; i < 8; i++)
        mixed |= weft_texture_view_is_none(desc->colors[i]) &&
                 !weft_texture_view_is_none(desc->resolves[i]);
    if (has_views(desc))
        mixed |=
            desc->color_formats[0] != WEFT_FORMAT_NONE || desc->depth_format != WEFT_FORMAT_NONE;
    if (mixed)
        wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_PARTS, UINT64_MAX, WF_FRAME_NONE,
                        "Target '%s' has views beside formats, or a resolve without a color.",
                        label);
    return !mixed;
}

weft_target weft_frame_offscreen_target(weft_frame *frame, const weft_target_desc *desc)
{
    if (!wf_frame_given(frame, desc))
        return (weft_target){0, 0};
    struct wf_frame_target target = {
        .label = wf_frame_keep(frame, desc->label ? desc->label : "offscreen")};
    if (!has_views(desc) && desc->color_formats[0] == WEFT_FORMAT_NONE &&
        desc->depth_format == WEFT_FORMAT_NONE) {
        wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_EMPTY, UINT64_MAX, WF_FRAME_NONE,
                        "Target '%s' has neither views nor formats.", target.label);
        return (weft_target){0, 0};
    }
    if (!check_parts(frame, desc, target.label))
        return (weft_target){0, 0};
    if (!(has_views(desc) ? target_from_views : target_from_formats)(frame, desc, &target))
        return (weft_target){0, 0};
    struct wf_frame_target *at = wf_frame_append(frame, &frame->targets, 1);
    if (!at)
        return (weft_target){0, 0};
    *at = target;
    return target_name(frame, (uint32_t)frame->targets.count - 1);
}

weft_texture_view weft_frame_target_view(weft_frame *frame, weft_target target, uint32_t index)
{
    const weft_texture_view none = {0, 0};
    if (!wf_frame_usable(frame))
        return none;
    const uint32_t pass = wf_frame_pass_find(frame, target);
    const struct wf_frame_target *t =
        pass != WF_FRAME_BAD
            ? wf_frame_at(&frame->targets,
                          ((const struct wf_frame_pass *)wf_frame_at(&frame->passes, pass))->target)
            : target_find(frame, target);
    if (!t || index >= t->color_count) {
        wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_NAME, UINT64_MAX, WF_FRAME_NONE,
                        "Color %u of target {%u, %u} does not exist in this frame.", index,
                        target.index, target.generation);
        return none;
    }
    return weft_texture_view_is_none(t->resolves[index]) ? t->colors[index] : t->resolves[index];
}

/// Adds what the pass asks for beyond the target: a multisampled color in front, a depth buffer.
static bool attachments_complete(struct weft_frame *frame, struct wf_frame_pass *pass)
{
    struct wf_frame_target *a = &pass->attachments;
    const uint32_t samples = pass->ops.samples ? pass->ops.samples : a->samples;
    if (samples != a->samples && a->samples == 1) {
        for (uint32_t i = 0; i < a->color_count; i++) {
            a->resolves[i] = a->colors[i];
            a->resolve_textures[i] = a->textures[i];
            weft_texture_view_info info;
            if (!weft_texture_view_get_info(frame->device, a->resolves[i], &info) ||
                !wf_frame_transient_take(frame, a, info.format, samples, &a->colors[i],
                                         &a->textures[i]))
                return false;
        }
        a->samples = samples;
    } else if (samples != a->samples) {
        return wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_SAMPLES, UINT64_MAX, WF_FRAME_NONE,
                               "Pass '%s' asks for %u samples on a target of %u.", pass->label,
                               samples, a->samples);
    }
    if (pass->ops.depth_format == WEFT_FORMAT_NONE || !weft_texture_view_is_none(a->depth))
        return true;
    return wf_frame_transient_take(frame, a, pass->ops.depth_format, a->samples, &a->depth,
                                   &a->depth_texture);
}

static bool adds_samples(const struct wf_frame_target *target, const weft_target_ops *ops)
{
    return target->samples == 1 && ops->samples > 1;
}

/// Textures that are the pass's own, and what an earlier pass discarded, hold nothing to load.
static bool check_loads(struct weft_frame *frame, const struct wf_frame_target *target,
                        const weft_target_ops *ops)
{
    bool ok = true;
    const bool own_depth =
        weft_texture_view_is_none(target->depth) && ops->depth_format != WEFT_FORMAT_NONE;
    const bool has_depth = own_depth || !weft_texture_view_is_none(target->depth);
    if (ops->load == WEFT_LOAD_LOAD && target->color_count > 0 &&
        (adds_samples(target, ops) || !target->colors_kept))
        ok =
            wf_frame_broken(frame, WEFT_RULE_FRAME_LOAD_UNDEFINED, UINT64_MAX, WF_FRAME_NONE,
                            "The pass on '%s' loads colors that nothing has drawn.", target->label);
    if (ops->depth_load == WEFT_LOAD_LOAD && has_depth && (own_depth || !target->depth_kept))
        ok =
            wf_frame_broken(frame, WEFT_RULE_FRAME_LOAD_UNDEFINED, UINT64_MAX, WF_FRAME_NONE,
                            "The pass on '%s' loads depths that nothing has drawn.", target->label);
    return ok;
}

static bool check_begin(struct weft_frame *frame, const struct wf_frame_target *target,
                        const weft_target_ops *ops)
{
    bool ok = true;
    if (!target)
        return wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_NAME, UINT64_MAX, WF_FRAME_NONE,
                               "A pass begins on a target that does not exist in this frame.");
    if (frame->open_pass != WF_FRAME_NONE)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_PASS_NESTED, UINT64_MAX, WF_FRAME_NONE,
                             "A pass on '%s' begins inside of another.", target->label);
    if (ops->load == WEFT_LOAD_UNSPECIFIED && target->color_count > 0)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_LOAD_UNSPECIFIED, UINT64_MAX, WF_FRAME_NONE,
                             "The pass on '%s' does not say what its colors begin with.",
                             target->label);
    if (ops->depth_format != WEFT_FORMAT_NONE && !weft_texture_view_is_none(target->depth))
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_TARGET_DEPTH, UINT64_MAX, WF_FRAME_NONE,
                             "The pass on '%s' asks for a depth buffer, and the target has one.",
                             target->label);
    return check_loads(frame, target, ops) && ok;
}

static void resolve_depth_ops(weft_target_ops *ops)
{
    if (ops->depth_load != WEFT_LOAD_UNSPECIFIED)
        return;
    ops->depth_load = WEFT_LOAD_CLEAR;
    ops->clear_depth = 1.0f;
}

weft_target weft_frame_target_begin(weft_frame *frame, weft_target target,
                                    const weft_target_ops *ops)
{
    const weft_target none = {0, 0};
    if (!wf_frame_given(frame, ops))
        return none;
    struct wf_frame_target *t = target_find(frame, target);
    if (!check_begin(frame, t, ops))
        return none;
    struct wf_frame_pass *pass = wf_frame_append(frame, &frame->passes, 1);
    if (!pass)
        return none;
    pass->target = target.index - 1;
    pass->ops = *ops;
    resolve_depth_ops(&pass->ops);
    pass->label = ops->label ? wf_frame_keep(frame, ops->label) : t->label;
    pass->attachments = *t;
    pass->dropped = t->kind == WF_FRAME_TARGET_PRESENT && !frame->acquired;
    pass->open = true;
    frame->compute_pass = WF_FRAME_NONE;
    t->drawn = true;
    // samples added for the pass are resolved into the target, stored or not
    t->colors_kept = ops->store == WEFT_STORE_STORE || adds_samples(t, ops);
    t->depth_kept = ops->depth_store == WEFT_STORE_STORE;
    frame->open_pass = (uint32_t)frame->passes.count - 1;
    if (!pass->dropped)
        attachments_complete(frame, pass);
    return (weft_target){frame->open_pass | WF_FRAME_PASS_BIT, frame->generation};
}

void weft_frame_target_end(weft_frame *frame, weft_target pass)
{
    if (!wf_frame_usable(frame))
        return;
    const uint32_t index = wf_frame_pass_find(frame, pass);
    if (index != frame->open_pass) {
        wf_frame_broken(frame, WEFT_RULE_FRAME_PASS_UNBALANCED, UINT64_MAX, WF_FRAME_NONE,
                        "A pass ends that is not the open one.");
        return;
    }
    ((struct wf_frame_pass *)wf_frame_at(&frame->passes, index))->open = false;
    frame->open_pass = WF_FRAME_NONE;
}
