#include "frame/context.h"

#include "base/text.h"

#include <stdio.h>

static bool report_packets(struct weft_frame *f)
{
    weft_packet_report *out = wf_frame_append(f, &f->report_packets, f->packets.count);
    if (!out)
        return false;
    for (size_t i = 0; i < f->packets.count; i++) {
        const struct wf_frame_packet *p = wf_frame_at(&f->packets, i);
        const bool drawn = p->fate == WEFT_PACKET_DRAWN && f->failed == WEFT_OK;
        out[i] = (weft_packet_report){
            .sequence = i,
            .kind = p->kind,
            .pass = p->pass,
            .layer = p->layer,
            .position = drawn ? p->position : UINT32_MAX,
            .fate = p->fate,
            .code = p->code,
            .reason = p->reason ? p->reason : "",
        };
        if (p->fate == WEFT_PACKET_DRAWN && !drawn) {
            out[i].fate = WEFT_PACKET_DROPPED;
            out[i].reason = "the frame failed";
        }
        f->report.drawn += out[i].fate == WEFT_PACKET_DRAWN;
        f->report.dropped += out[i].fate == WEFT_PACKET_DROPPED;
        f->report.failed += out[i].fate == WEFT_PACKET_FAILED;
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
    if (index * 2 + 1 >= f->timer_count || f->report.serial == 0 || pass->dropped)
        return 0;
    if (weft_serial_wait(f->device, f->report.serial, UINT64_MAX) != WEFT_OK ||
        weft_query_pool_read(f->device, f->timers, index * 2, 2, ticks, sizeof ticks) != WEFT_OK)
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
        const struct wf_frame_target *t = wf_frame_at(&f->targets, p->target);
        out[i] = (weft_pass_report){
            .label = p->label,
            .width = p->attachments.width,
            .height = p->attachments.height,
            .samples = p->attachments.samples,
            .packets = f->failed == WEFT_OK ? p->count : 0,
            .draws = f->failed == WEFT_OK ? p->draws : 0,
            .present = t->kind == WF_FRAME_TARGET_PRESENT,
            .gpu_ns = pass_time(f, i),
        };
        f->report.gpu_ns += out[i].gpu_ns;
    }
    f->report.passes = out;
    f->report.pass_count = (uint32_t)f->passes.count;
    return true;
}

static bool report_barriers(struct weft_frame *f)
{
    for (uint32_t i = 0; i < f->passes.count; i++) {
        const struct wf_frame_pass *p = wf_frame_at(&f->passes, i);
        if (!p->barrier)
            continue;
        weft_barrier_report *out = wf_frame_append(f, &f->report_barriers, 1);
        if (!out)
            return false;
        *out = (weft_barrier_report){i, p->producers, p->consumers, p->hazards, p->cause};
    }
    f->report.barriers = f->report_barriers.items;
    f->report.barrier_count = (uint32_t)f->report_barriers.count;
    return true;
}

bool wf_frame_report_build(struct weft_frame *f)
{
    weft_frame_report *r = &f->report;
    r->label = f->label;
    r->frame = f->number;
    if (!report_packets(f) || !report_layers(f) || !report_passes(f) || !report_barriers(f))
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
    static const char *const names[] = {"mesh", "instances", "quads"};
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
    (format == WEFT_REPORT_JSON ? wf_frame_report_json : wf_frame_report_text)(report, &text);
    *out = weft_text_copy(wf_base_text_string(&text));
    const bool failed = text.failed || !*out;
    wf_base_text_finish(&text);
    if (!failed)
        return WEFT_OK;
    weft_text_free(*out);
    *out = NULL;
    return WEFT_ERROR_MEMORY;
}
