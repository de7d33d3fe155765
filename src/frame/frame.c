#include "frame/context.h"

#include "base/text.h"

#include <string.h>

static void arrays_reset(struct weft_frame *f)
{
    f->targets.count = f->passes.count = f->layers.count = f->clips.count = f->packets.count = 0;
    f->tape.count = f->diagnostics.count = f->looks.count = f->order.count = 0;
    f->steps.count = f->barriers.count = f->causes.count = 0;
    f->report_packets.count = f->report_layers.count = f->report_passes.count =
        f->report_barriers.count = f->report_targets.count = f->report_accesses.count = 0;
    wf_base_map_clear(&f->ranks);
    f->pipeline_count = 0;
    f->has_quads = false;
}

static void frame_reset(struct weft_frame *f, const weft_frame_desc *desc)
{
    arrays_reset(f);
    wf_base_arena_reset(&f->arena);
    f->number++;
    f->generation = f->context->tag << 24 | ((uint32_t)f->number & 0x00ffffffu);
    f->eager = weft_device_validation(f->device) == WEFT_VALIDATION_FULL;
    f->flags = desc->flags;
    f->surface = desc->surface;
    f->acquired = f->planned = false;
    f->skipped = NULL;
    f->failed = WEFT_OK;
    f->judged = UINT64_MAX;
    f->present_target = f->open_pass = f->open_clip = f->compute_pass = WF_FRAME_NONE;
    f->open_layer = 0;
    f->state_changes = 0;
    f->times = (weft_frame_times){0};
    f->report = (weft_frame_report){0};
    f->label = "";
    f->label = wf_frame_keep(f, desc->label);
    f->context->quad_tables_used = 0;
    wf_base_map_clear(&f->context->quad_views);
    wf_frame_transients_release(f->context);
}

/// Layer 0 holds what is drawn outside of any layer.
static bool root_layer(struct weft_frame *f)
{
    struct wf_frame_layer *root = wf_frame_append(f, &f->layers, 1);
    if (root)
        *root = (struct wf_frame_layer){
            .name = "", .order = WEFT_ORDER_LAYERED, .parent = WF_FRAME_NONE};
    return root != NULL;
}

/// Returns whether it was open.
static bool frame_open(struct weft_frame *f)
{
    wf_base_mutex_lock(&f->context->lock);
    const bool was = f->open;
    f->open = true;
    wf_base_mutex_unlock(&f->context->lock);
    return was;
}

static void frame_close(struct weft_frame *f)
{
    f->quick = false;
    wf_base_mutex_lock(&f->context->lock);
    f->open = false;
    wf_base_mutex_unlock(&f->context->lock);
}

static const char *why_skipped(weft_acquire_status status)
{
    switch (status) {
    case WEFT_ACQUIRE_READY:
        return NULL;
    case WEFT_ACQUIRE_SKIP:
        return "the surface has no size or is not visible";
    case WEFT_ACQUIRE_RECONFIGURE:
        return "the surface must be configured again";
    case WEFT_ACQUIRE_LOST:
        break;
    }
    return "the surface is lost";
}

/// The surface's image becomes the present target; without one its passes are dropped.
static weft_result acquire(struct weft_frame *f)
{
    if (weft_surface_is_none(f->surface))
        return WEFT_OK;
    weft_surface_image image;
    const weft_result res = weft_surface_acquire(f->device, f->surface, &image);
    if (res < 0)
        return res;
    if (image.status == WEFT_ACQUIRE_LOST)
        return WEFT_ERROR_SURFACE;
    struct wf_frame_target *target = wf_frame_append(f, &f->targets, 1);
    if (!target)
        return WEFT_ERROR_MEMORY;
    *target = (struct wf_frame_target){.kind = WF_FRAME_TARGET_PRESENT,
                                       .color_count = 1,
                                       .samples = 1,
                                       .layers = 1,
                                       .colors_kept = true,
                                       .label = "present"};
    f->present_target = 0;
    f->skipped = why_skipped(image.status);
    f->acquired = image.status == WEFT_ACQUIRE_READY;
    if (!f->acquired)
        return WEFT_SKIP;
    weft_texture_view_info info;
    if (weft_texture_view_get_info(f->device, image.view, &info))
        target->formats[0] = info.format;
    target->colors[0] = image.view;
    target->textures[0] = image.texture;
    target->width = image.width;
    target->height = image.height;
    return WEFT_OK;
}

weft_result weft_frame_begin(weft_device *device, const weft_frame_desc *desc, weft_frame **out)
{
    if (out)
        *out = NULL;
    struct wf_frame_context *context;
    const weft_result got = wf_frame_context_get(device, &context);
    if (got != WEFT_OK)
        return got;
    if (!wf_frame_given_device(device, desc, out))
        return WEFT_ERROR_USAGE;
    struct weft_frame *f = &context->frame;
    if (frame_open(f)) {
        wf_frame_broken_device(device, WEFT_RULE_FRAME_OPEN, desc->label,
                               "A frame begins while another is open.");
        return WEFT_ERROR_USAGE;
    }
    frame_reset(f, desc);
    weft_result res = root_layer(f) ? weft_transient_advance(device) : WEFT_ERROR_MEMORY;
    if (res == WEFT_OK)
        res = acquire(f);
    if (res < 0) {
        frame_close(f);
        return res;
    }
    f->quick = !f->eager;
    f->began = wf_base_clock_ns();
    *out = f;
    return res;
}

bool wf_frame_closed(struct weft_frame *frame)
{
    return frame && wf_frame_broken_device(frame->device, WEFT_RULE_FRAME_CLOSED, NULL,
                                           "A frame is used after it was submitted or cancelled.");
}

void wf_frame_null(struct weft_frame *frame)
{
    wf_frame_broken(frame, WEFT_RULE_POINTER_NULL, UINT64_MAX, WF_FRAME_NONE,
                    "The description is NULL.");
}

void wf_frame_null_device(weft_device *device, const void *out)
{
    wf_frame_broken_device(device, WEFT_RULE_POINTER_NULL, NULL, "The %s is NULL.",
                           out ? "description" : "place for the result");
}

weft_transient weft_frame_alloc(weft_frame *frame, uint64_t size, uint64_t align)
{
    return wf_frame_usable(frame) ? weft_transient_alloc(frame->device, size, align)
                                  : (weft_transient){0};
}

void weft_frame_cancel(weft_frame *frame)
{
    if (wf_frame_usable(frame))
        frame_close(frame);
}

/// Time since `*at`, which moves on to now.
static uint64_t lap(uint64_t *at)
{
    const uint64_t now = wf_base_clock_ns();
    const uint64_t spent = now - *at;
    *at = now;
    return spent;
}

static void check_balance(struct weft_frame *f)
{
    if (f->open_pass != WF_FRAME_NONE)
        wf_frame_broken(f, WEFT_RULE_FRAME_PASS_UNBALANCED, UINT64_MAX, WF_FRAME_NONE,
                        "The frame is submitted while a pass is open.");
    if (f->open_layer != 0)
        wf_frame_broken(f, WEFT_RULE_FRAME_LAYER_UNBALANCED, UINT64_MAX, f->open_layer,
                        "The frame is submitted while a layer is open.");
    if (f->open_clip != WF_FRAME_NONE)
        wf_frame_broken(f, WEFT_RULE_FRAME_CLIP_UNBALANCED, UINT64_MAX, WF_FRAME_NONE,
                        "The frame is submitted while a clip is open.");
}

/// Records the plan. The command buffer is NULL unless it is whole.
static weft_command_buffer *record(struct weft_frame *f)
{
    weft_command_buffer *cmd = NULL;
    // Without room for a scope, which is reported, the host is told directly.
    const bool listening = weft_error_scope_listen(f->device, WEFT_SEVERITY_PERFORMANCE,
                                                   wf_frame_listen, f) == WEFT_OK;
    weft_result res = weft_command_begin(f->device, &(weft_command_desc){.label = f->label}, &cmd);
    if (res == WEFT_OK) {
        const weft_result lowered = wf_frame_lower(f, cmd);
        res = weft_command_end(cmd);
        if (res == WEFT_OK && lowered != WEFT_OK) {
            weft_command_discard(cmd);
            res = lowered;
        }
    }
    if (listening)
        weft_error_scope_pop(f->device, NULL);
    if (res == WEFT_OK)
        return cmd;
    wf_frame_fail(f, res);
    return NULL;
}

static bool wants_present(const struct weft_frame *f)
{
    return f->acquired && ((const struct wf_frame_target *)wf_frame_at(&f->targets, 0))->drawn;
}

static void submit(struct weft_frame *f, weft_command_buffer *cmd)
{
    const bool present = wants_present(f);
    const weft_submit work = {
        .commands = &cmd,
        .command_count = 1,
        .surfaces = &f->surface,
        .surface_count = present ? 1 : 0,
    };
    weft_result res = weft_queue_submit(f->device, WEFT_QUEUE_GRAPHICS, &work, &f->report.serial);
    if (res != WEFT_OK)
        weft_command_discard(cmd);
    else if (present)
        res = weft_surface_present(f->device, f->surface, NULL, 0);
    if (res != WEFT_OK)
        wf_frame_fail(f, res);
    else if (f->acquired && !present)
        wf_frame_not_presented(f);
    f->report.presented = present && res == WEFT_OK;
}

weft_result weft_frame_submit(weft_frame *f, const weft_frame_report **report)
{
    if (report)
        *report = NULL;
    if (!wf_frame_usable(f))
        return WEFT_ERROR_USAGE;
    uint64_t at = f->began;
    f->times.append = lap(&at);
    check_balance(f);
    wf_frame_materials_pin(f->context);
    wf_frame_validate(f);
    f->times.validate = lap(&at);
    if (f->failed == WEFT_OK && !wf_frame_plan(f))
        wf_frame_out_of_memory(f); // unless it failed of something else, which stays
    f->times.plan = lap(&at);
    weft_command_buffer *cmd = f->failed == WEFT_OK ? record(f) : NULL;
    wf_frame_materials_unpin(f->context);
    f->times.lower = lap(&at);
    if (cmd)
        submit(f, cmd);
    f->times.submit = lap(&at);
    if (wf_frame_report_build(f) && report)
        *report = &f->report;
    const weft_result res = f->failed != WEFT_OK ? f->failed : f->skipped ? WEFT_SKIP : WEFT_OK;
    frame_close(f);
    return res;
}
