#include "frame/context.h"

#include "base/text.h"

#include <inttypes.h>

// The schema is docs/report.md. Members keep their order; numbers are integers.

static void member_string(struct wf_base_text *t, const char *name, const char *value)
{
    wf_base_text_format(t, "\"%s\": ", name);
    wf_base_text_json_string(t, value);
}

static void write_packets(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->packet_count; i++) {
        const weft_packet_report *p = &r->packets[i];
        wf_base_text_format(t, "%s\n    {\"sequence\": %" PRIu64 ", \"kind\": \"%s\"", i ? "," : "",
                            p->sequence, wf_frame_kind_name(p->kind));
        if (p->pass != UINT32_MAX)
            wf_base_text_format(t, ", \"pass\": %u", p->pass);
        if (p->layer != UINT32_MAX)
            wf_base_text_format(t, ", \"layer\": %u", p->layer);
        wf_base_text_format(t, ", \"fate\": \"%s\"", wf_frame_fate_name(p->fate));
        if (p->fate == WEFT_FATE_DRAWN)
            wf_base_text_format(t, ", \"position\": %u", p->position);
        if (p->code)
            wf_base_text_format(t, ", \"code\": \"W%04u\"", p->code);
        if (p->reason[0]) {
            wf_base_text_append(t, ", ");
            member_string(t, "reason", p->reason);
        }
        wf_base_text_append(t, "}");
    }
}

static void write_layers(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->layer_count; i++) {
        const weft_layer_report *l = &r->layers[i];
        wf_base_text_format(t, "%s\n    {", i ? "," : "");
        member_string(t, "name", l->name);
        wf_base_text_format(t, ", \"sort_base\": %d, \"order\": \"%s\", \"packets\": %u",
                            l->sort_base, wf_frame_order_name(l->order), l->packets);
        if (l->parent != UINT32_MAX)
            wf_base_text_format(t, ", \"parent\": %u", l->parent);
        wf_base_text_append(t, "}");
    }
}

static void write_passes(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->pass_count; i++) {
        const weft_pass_report *p = &r->passes[i];
        wf_base_text_format(t, "%s\n    {\"kind\": \"%s\", ", i ? "," : "",
                            wf_frame_pass_name(p->kind));
        member_string(t, "label", p->label);
        if (p->target != UINT32_MAX)
            wf_base_text_format(t, ", \"target\": %u", p->target);
        if (p->load)
            wf_base_text_format(t, ", \"load\": \"%s\", \"store\": \"%s\"",
                                wf_frame_load_name(p->load), wf_frame_store_name(p->store));
        if (p->depth_load)
            wf_base_text_format(t, ", \"depth_load\": \"%s\", \"depth_store\": \"%s\"",
                                wf_frame_load_name(p->depth_load),
                                wf_frame_store_name(p->depth_store));
        wf_base_text_format(t,
                            ", \"width\": %u, \"height\": %u, \"samples\": %u, \"present\": %s, "
                            "\"packets\": %u, \"draws\": %u, \"gpu_ns\": %" PRIu64 "}",
                            p->width, p->height, p->samples, p->present ? "true" : "false",
                            p->packets, p->draws, p->gpu_ns);
    }
}

static void write_barriers(const weft_frame_report *r, struct wf_base_text *t)
{
    char stages[128];
    for (uint32_t i = 0; i < r->barrier_count; i++) {
        const weft_barrier_report *b = &r->barriers[i];
        wf_base_text_format(t, "%s\n    {\"before_pass\": %u, ", i ? "," : "", b->before_pass);
        if (b->before_packet != UINT64_MAX)
            wf_base_text_format(t, "\"before_packet\": %" PRIu64 ", ", b->before_packet);
        member_string(t, "producers", wf_frame_stage_names(b->producers, stages, sizeof stages));
        wf_base_text_append(t, ", ");
        member_string(t, "consumers", wf_frame_stage_names(b->consumers, stages, sizeof stages));
        wf_base_text_append(t, ", ");
        member_string(t, "hazards", wf_frame_hazard_names(b->hazards, stages, sizeof stages));
        wf_base_text_append(t, ", ");
        member_string(t, "cause", b->cause);
        wf_base_text_append(t, ", \"causes\": [");
        for (uint32_t c = 0; c < b->cause_count; c++)
            wf_base_text_format(t, "%s{\"from\": %u, \"to\": %u}", c ? ", " : "", b->causes[c].from,
                                b->causes[c].to);
        wf_base_text_append(t, "]}");
    }
}

static void write_accesses(const weft_frame_report *r, struct wf_base_text *t)
{
    char stages[128];
    for (uint32_t i = 0; i < r->access_count; i++) {
        const weft_access_report *a = &r->accesses[i];
        wf_base_text_format(t, "%s\n    {\"pass\": %u, ", i ? "," : "", a->pass);
        if (a->packet != UINT64_MAX)
            wf_base_text_format(t, "\"packet\": %" PRIu64 ", ", a->packet);
        member_string(t, "resource", a->resource);
        if (a->target != UINT32_MAX)
            wf_base_text_format(t, ", \"target\": %u", a->target);
        wf_base_text_format(t, ", \"what\": \"%s\", \"stages\": \"%s\", \"write\": %s}", a->what,
                            wf_frame_stage_names(a->stages, stages, sizeof stages),
                            a->write ? "true" : "false");
    }
}

static void write_targets(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->target_count; i++) {
        const weft_target_report *a = &r->targets[i];
        wf_base_text_format(t, "%s\n    {\"kind\": \"%s\", ", i ? "," : "",
                            wf_frame_target_name(a->kind));
        member_string(t, "label", a->label);
        wf_base_text_format(t,
                            ", \"width\": %u, \"height\": %u, \"layers\": %u, \"samples\": %u, "
                            "\"colors\": [",
                            a->width, a->height, a->layers, a->samples);
        for (uint32_t c = 0; c < a->color_count && c < 8; c++)
            wf_base_text_format(t, "%s\"%s\"", c ? ", " : "",
                                weft_format_get_info(a->colors[c])->name);
        wf_base_text_format(t, "], \"depth\": \"%s\", \"bytes\": %" PRIu64,
                            weft_format_get_info(a->depth)->name, a->bytes);
        if (a->first_pass != UINT32_MAX)
            wf_base_text_format(t, ", \"first_pass\": %u, \"last_pass\": %u", a->first_pass,
                                a->last_pass);
        wf_base_text_append(t, "}");
    }
}

static void write_diagnostics(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->diagnostic_count; i++) {
        const weft_frame_diagnostic *d = &r->diagnostics[i];
        wf_base_text_format(t, "%s\n    {", i ? "," : "");
        if (d->code)
            wf_base_text_format(t, "\"code\": \"W%04u\", ", d->code);
        wf_base_text_format(t, "\"severity\": \"%s\", ", wf_frame_severity_name(d->severity));
        if (d->sequence != UINT64_MAX)
            wf_base_text_format(t, "\"sequence\": %" PRIu64 ", ", d->sequence);
        member_string(t, "layer", d->layer);
        wf_base_text_append(t, ", ");
        member_string(t, "message", d->message);
        wf_base_text_append(t, ", ");
        member_string(t, "hint", d->hint);
        wf_base_text_append(t, "}");
    }
}

static void write_list(const weft_frame_report *r, struct wf_base_text *t, const char *name,
                       void (*write)(const weft_frame_report *, struct wf_base_text *))
{
    wf_base_text_format(t, ",\n  \"%s\": [", name);
    write(r, t);
    wf_base_text_append(t, "]");
}

void wf_frame_report_json(const weft_frame_report *r, struct wf_base_text *t)
{
    wf_base_text_append(t, "{\n  \"schema\": \"weft-frame-report-1\",\n  ");
    member_string(t, "label", r->label);
    wf_base_text_format(t, ",\n  \"frame\": %" PRIu64 ", \"serial\": %" PRIu64 ", ", r->frame,
                        r->serial);
    member_string(t, "result", weft_result_name(r->result));
    wf_base_text_format(t, ", \"presented\": %s,\n", r->presented ? "true" : "false");
    wf_base_text_format(
        t,
        "  \"drawn\": %u, \"dropped\": %u, \"failed\": %u, "
        "\"state_changes\": %u, \"needless_barriers\": %u, \"gpu_ns\": %" PRIu64 ",\n",
        r->drawn, r->dropped, r->failed, r->state_changes, r->needless_barriers, r->gpu_ns);
    wf_base_text_format(t,
                        "  \"times_ns\": {\"append\": %" PRIu64 ", \"validate\": %" PRIu64
                        ", \"plan\": %" PRIu64 ", \"lower\": %" PRIu64 ", \"submit\": %" PRIu64 "}",
                        r->times.append, r->times.validate, r->times.plan, r->times.lower,
                        r->times.submit);
    write_list(r, t, "passes", write_passes);
    write_list(r, t, "targets", write_targets);
    write_list(r, t, "accesses", write_accesses);
    write_list(r, t, "barriers", write_barriers);
    write_list(r, t, "layers", write_layers);
    write_list(r, t, "packets", write_packets);
    write_list(r, t, "diagnostics", write_diagnostics);
    wf_base_text_append(t, "\n}\n");
}
