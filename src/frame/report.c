#include "frame/context.h"

#include "base/text.h"

#include <stdio.h>

static const char *reason_text(const struct weft_frame *f, const struct wf_frame_packet *packet)
{
    static const char *const texts[WF_FRAME_REASON_COUNT] = {
        [WF_FRAME_REASON_NONE] = "",
        [WF_FRAME_REASON_REFUSED] = "it broke a rule",
        [WF_FRAME_REASON_RECORDED] = "it was refused when it was recorded",
        [WF_FRAME_REASON_SKIPPED] = "the pass has nothing to draw to",
        [WF_FRAME_REASON_CLIPPED] = "its clip is empty",
        [WF_FRAME_REASON_HOISTED] = "it was moved before its pass",
        [WF_FRAME_REASON_EMPTY] = "it has nothing to draw",
    };
    return packet->reason == WF_FRAME_REASON_SKIPPED && f->skipped ? f->skipped
                                                                   : texts[packet->reason];
}

static uint32_t name_or_none(uint32_t index)
{
    return index == WF_FRAME_BAD ? UINT32_MAX : index;
}

static bool report_packets(struct weft_frame *f)
{
    weft_packet_report *out = wf_frame_append(f, &f->report_packets, f->packets.count);
    if (!out)
        return false;
    for (size_t i = 0; i < f->packets.count; i++) {
        const struct wf_frame_packet *p = wf_frame_at(&f->packets, i);
        const bool drawn = p->fate == WEFT_FATE_DRAWN && f->failed == WEFT_OK;
        out[i] = (weft_packet_report){
            .sequence = i,
            .kind = p->kind,
            .pass = name_or_none(p->pass),
            .layer = name_or_none(p->layer),
            .position = drawn ? p->position : UINT32_MAX,
            .fate = p->fate,
            .code = p->code,
            .reason = reason_text(f, p),
        };
        if (p->fate == WEFT_FATE_DRAWN && !drawn) {
            out[i].fate = WEFT_FATE_DROPPED;
            out[i].reason = "the frame failed";
        }
        if (p->layer < WF_FRAME_BAD)
            ((struct wf_frame_layer *)wf_frame_at(&f->layers, p->layer))->packets++;
        f->report.drawn += out[i].fate == WEFT_FATE_DRAWN;
        f->report.dropped += out[i].fate == WEFT_FATE_DROPPED;
        f->report.failed += out[i].fate == WEFT_FATE_FAILED;
    }
    f->report.packets = out;
    f->report.packet_count = (uint32_t)f->packets.count;
    return true;
}

static bool report_layers(struct weft_frame *f)
{
    weft_layer_report *out = wf_frame_append(f, &f->report_layers, f->layers.count);
    if (!out)
        return false;
    for (size_t i = 0; i < f->layers.count; i++) {
        const struct wf_frame_layer *l = wf_frame_at(&f->layers, i);
        out[i] =
            (weft_layer_report){l->name, l->sort_base, (uint32_t)l->order, l->parent, l->packets};
    }
    f->report.layers = out;
    f->report.layer_count = (uint32_t)f->layers.count;
    return true;
}

/// Nanoseconds of pass `index`, 0 if it was not timed; waits for the GPU.
static uint64_t pass_time(struct weft_frame *f, uint32_t index)
{
    const struct wf_frame_pass *pass = wf_frame_at(&f->passes, index);
    uint64_t ticks[2] = {0, 0};
    // the queries of a dropped pass hold what an earlier frame wrote
    if (pass->timer == WF_FRAME_NONE || f->report.serial == 0 || pass->draws == 0)
        return 0;
    if (weft_serial_wait(f->device, f->report.serial, UINT64_MAX) != WEFT_OK ||
        weft_query_pool_read(f->device, f->timers, pass->timer, 2, ticks, sizeof ticks) != WEFT_OK)
        return 0;
    const weft_capabilities *caps = weft_device_capabilities(f->device);
    return caps ? (uint64_t)((double)(ticks[1] - ticks[0]) * (double)caps->limits.timestamp_period)
                : 0;
}

static bool report_passes(struct weft_frame *f)
{
    weft_pass_report *out = wf_frame_append(f, &f->report_passes, f->passes.count);
    if (!out)
        return false;
    for (uint32_t i = 0; i < f->passes.count; i++) {
        const struct wf_frame_pass *p = wf_frame_at(&f->passes, i);
        const bool render = p->kind == WF_FRAME_PASS_RENDER;
        out[i] = (weft_pass_report){
            .kind = render ? WEFT_PASS_RENDER : WEFT_PASS_COMPUTE,
            .label = p->label,
            .target = render ? p->target : UINT32_MAX,
            .load = p->attachments.color_count > 0 ? p->ops.load : WEFT_LOAD_UNSPECIFIED,
            .store = p->ops.store,
            .depth_load = weft_texture_view_is_none(p->attachments.depth) ? WEFT_LOAD_UNSPECIFIED
                                                                          : p->ops.depth_load,
            .depth_store = p->ops.depth_store,
            .width = p->attachments.width,
            .height = p->attachments.height,
            .samples = p->attachments.samples,
            .packets = f->failed == WEFT_OK ? p->count : 0,
            .draws = f->failed == WEFT_OK ? p->draws : 0,
            .parts = f->failed == WEFT_OK ? p->parts : 0,
            .split_bytes = f->failed == WEFT_OK ? p->split_bytes : 0,
            .present = render && p->attachments.kind == WF_FRAME_TARGET_PRESENT,
            .gpu_ns = pass_time(f, i),
        };
        f->report.gpu_ns += out[i].gpu_ns;
    }
    f->report.passes = out;
    f->report.pass_count = (uint32_t)f->passes.count;
    return true;
}

bool wf_frame_report_build(struct weft_frame *f)
{
    weft_frame_report *r = &f->report;
    r->label = f->label;
    r->frame = f->number;
    if (!report_packets(f) || !report_layers(f) || !report_passes(f) ||
        !wf_frame_report_accesses(f))
        return false;
    r->diagnostics = f->diagnostics.items;
    r->diagnostic_count = (uint32_t)f->diagnostics.count;
    r->state_changes = f->state_changes;
    r->times = f->times;
    r->result = f->failed != WEFT_OK ? f->failed : f->skipped ? WEFT_SKIP : WEFT_OK;
    return true;
}

static const char *name_of(uint32_t value, const char *const names[], size_t count)
{
    return value < count ? names[value] : "unknown";
}

const char *wf_frame_order_name(uint32_t order)
{
    static const char *const names[] = {"inherit", "strict", "layered", "sortable", "depth"};
    return name_of(order, names, sizeof names / sizeof names[0]);
}

const char *wf_frame_kind_name(uint32_t kind)
{
    static const char *const names[] = {"mesh", "instances", "quads", "dispatch", "record"};
    return name_of(kind, names, sizeof names / sizeof names[0]);
}

const char *wf_frame_fate_name(weft_packet_fate fate)
{
    static const char *const names[] = {"drawn", "dropped", "failed"};
    return name_of((uint32_t)fate, names, sizeof names / sizeof names[0]);
}

const char *wf_frame_severity_name(weft_severity severity)
{
    static const char *const names[] = {"info", "performance", "warning", "error"};
    return name_of((uint32_t)severity, names, sizeof names / sizeof names[0]);
}

const char *wf_frame_pass_name(weft_pass_kind kind)
{
    static const char *const names[] = {"render", "compute"};
    return name_of((uint32_t)kind, names, sizeof names / sizeof names[0]);
}

const char *wf_frame_target_name(weft_target_kind kind)
{
    static const char *const names[] = {"present", "host", "transient"};
    return name_of((uint32_t)kind, names, sizeof names / sizeof names[0]);
}

const char *wf_frame_load_name(weft_load load)
{
    static const char *const names[] = {"none", "load", "clear", "discard"};
    return name_of((uint32_t)load, names, sizeof names / sizeof names[0]);
}

const char *wf_frame_store_name(weft_store store)
{
    static const char *const names[] = {"store", "discard"};
    return name_of((uint32_t)store, names, sizeof names / sizeof names[0]);
}

/// Names of the bits, joined.
static const char *join(uint32_t bits, const char *const names[], size_t count, char *out,
                        size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (!(bits & 1u << i) || at >= size)
            continue;
        const int wrote = snprintf(out + at, size - at, "%s%s", at ? "|" : "", names[i]);
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    return out;
}

const char *wf_frame_stage_names(weft_stage_set stages, char *out, size_t size)
{
    static const char *const names[] = {"draw_indirect", "vertex_input", "vertex", "fragment",
                                        "target",        "compute",      "copy",   "mesh",
                                        "acceleration",  "host"};
    return join(stages, names, sizeof names / sizeof names[0], out, size);
}

const char *wf_frame_hazard_names(weft_hazard_set hazards, char *out, size_t size)
{
    static const char *const names[] = {"draw_arguments", "descriptors", "depth_stencil"};
    return join(hazards, names, sizeof names / sizeof names[0], out, size);
}

weft_result weft_frame_report_write(const weft_frame_report *report, weft_report_format format,
                                    char **out)
{
    if (out)
        *out = NULL;
    if (!report || !out)
        return WEFT_ERROR_USAGE;
    struct wf_base_text text;
    wf_base_text_init(&text, wf_base_allocator_default());
    (format == WEFT_REPORT_SVG    ? wf_frame_report_svg
     : format == WEFT_REPORT_JSON ? wf_frame_report_json
                                  : wf_frame_report_text)(report, &text);
    *out = weft_text_copy(wf_base_text_string(&text));
    const bool failed = text.failed || !*out;
    wf_base_text_finish(&text);
    if (!failed)
        return WEFT_OK;
    weft_text_free(*out);
    *out = NULL;
    return WEFT_ERROR_MEMORY;
}
