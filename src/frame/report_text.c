#include "frame/context.h"

#include "base/text.h"

#include <inttypes.h>

static double ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

/// Who accesses, and how: "pass 0 color write".
static void write_access(const weft_access_report *a, struct wf_base_text *t)
{
    if (a->packet == UINT64_MAX)
        wf_base_text_format(t, "pass %u %s", a->pass, a->what);
    else
        wf_base_text_format(t, "dispatch #%" PRIu64 " %s", a->packet, a->what);
}

static void write_barrier(const weft_frame_report *r, const weft_barrier_report *b,
                          struct wf_base_text *t)
{
    char producers[128], consumers[128];
    wf_base_text_format(t, "  barrier %s -> %s",
                        wf_frame_stage_names(b->producers, producers, sizeof producers),
                        wf_frame_stage_names(b->consumers, consumers, sizeof consumers));
    if (b->before_packet != UINT64_MAX)
        wf_base_text_format(t, " before dispatch #%" PRIu64, b->before_packet);
    wf_base_text_append(t, "\n");
    for (uint32_t i = 0; i < b->cause_count; i++) {
        const weft_barrier_cause *c = &b->causes[i];
        if (c->from >= r->access_count || c->to >= r->access_count)
            continue;
        wf_base_text_format(t, "    %s: ", r->accesses[c->to].resource);
        write_access(&r->accesses[c->from], t);
        wf_base_text_append(t, " -> ");
        write_access(&r->accesses[c->to], t);
        wf_base_text_append(t, "\n");
    }
}

static void write_targets(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->target_count; i++) {
        const weft_target_report *a = &r->targets[i];
        wf_base_text_format(t, "  target %u '%s' (%s) %ux%u, %u sample%s:", i, a->label,
                            wf_frame_target_name(a->kind), a->width, a->height, a->samples,
                            a->samples == 1 ? "" : "s");
        for (uint32_t c = 0; c < a->color_count && c < 8; c++)
            wf_base_text_format(t, " %s", weft_format_get_info(a->colors[c])->name);
        if (a->depth)
            wf_base_text_format(t, " %s", weft_format_get_info(a->depth)->name);
        wf_base_text_format(t, ", %" PRIu64 " bytes", a->bytes);
        if (a->first_pass != UINT32_MAX)
            wf_base_text_format(t, ", passes %u to %u", a->first_pass, a->last_pass);
        wf_base_text_append(t, "\n");
    }
}

static void write_passes(const weft_frame_report *r, struct wf_base_text *t)
{
    uint32_t barrier = 0;
    for (uint32_t i = 0; i < r->pass_count; i++) {
        const weft_pass_report *p = &r->passes[i];
        for (; barrier < r->barrier_count && r->barriers[barrier].before_pass == i; barrier++)
            write_barrier(r, &r->barriers[barrier], t);
        wf_base_text_format(t, "  pass %u '%s'", i, p->label);
        if (p->kind == WEFT_PASS_COMPUTE)
            wf_base_text_format(t, ": %u dispatches", p->draws);
        else
            wf_base_text_format(t, "%s %ux%u, %u sample%s: %u packets, %u draws",
                                p->present ? " (present)" : "", p->width, p->height, p->samples,
                                p->samples == 1 ? "" : "s", p->packets, p->draws);
        if (p->gpu_ns)
            wf_base_text_format(t, ", %.3f ms on the device", ms(p->gpu_ns));
        wf_base_text_append(t, "\n");
    }
}

static void write_layers(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->layer_count; i++) {
        const weft_layer_report *l = &r->layers[i];
        if (l->packets > 0 || i > 0)
            wf_base_text_format(t, "  layer %u '%s' base %d, %s: %u packets\n", i,
                                l->name[0] ? l->name : "(frame)", l->sort_base,
                                wf_frame_order_name(l->order), l->packets);
    }
}

static void write_packet(const weft_frame_report *r, const weft_packet_report *p,
                         struct wf_base_text *t)
{
    wf_base_text_format(t, "  #%" PRIu64 " %s", p->sequence, wf_frame_kind_name(p->kind));
    if (p->pass < r->pass_count)
        wf_base_text_format(t, ", pass %u", p->pass);
    if (p->layer < r->layer_count)
        wf_base_text_format(t, ", layer '%s'", r->layers[p->layer].name);
    wf_base_text_format(t, ": %s", wf_frame_fate_name(p->fate));
    if (p->fate == WEFT_FATE_DRAWN)
        wf_base_text_format(t, " at %u\n", p->position);
    else if (p->code)
        wf_base_text_format(t, ": W%04u, %s\n", p->code, p->reason);
    else
        wf_base_text_format(t, ": %s\n", p->reason);
}

static void write_diagnostics(const weft_frame_report *r, struct wf_base_text *t)
{
    for (uint32_t i = 0; i < r->diagnostic_count; i++) {
        const weft_frame_diagnostic *d = &r->diagnostics[i];
        wf_base_text_format(t, "  %s", wf_frame_severity_name(d->severity));
        if (d->code)
            wf_base_text_format(t, " W%04u", d->code);
        if (d->sequence != UINT64_MAX)
            wf_base_text_format(t, " packet #%" PRIu64, d->sequence);
        if (d->layer[0])
            wf_base_text_format(t, " in '%s'", d->layer);
        wf_base_text_format(t, ": %s\n", d->message);
        if (d->hint[0])
            wf_base_text_format(t, "        %s\n", d->hint);
    }
}

void wf_frame_report_text(const weft_frame_report *r, struct wf_base_text *t)
{
    wf_base_text_format(t, "frame %" PRIu64 "%s%s: %s%s\n", r->frame, r->label[0] ? " " : "",
                        r->label, weft_result_name(r->result), r->presented ? ", presented" : "");
    wf_base_text_format(t,
                        "  %u packets: %u drawn, %u dropped, %u failed; %u state changes, "
                        "%u barriers\n",
                        r->packet_count, r->drawn, r->dropped, r->failed, r->state_changes,
                        r->barrier_count);
    write_passes(r, t);
    write_targets(r, t);
    write_layers(r, t);
    for (uint32_t i = 0; i < r->packet_count; i++)
        write_packet(r, &r->packets[i], t);
    write_diagnostics(r, t);
    wf_base_text_format(t,
                        "  time: append %.3f ms, validate %.3f, plan %.3f, lower %.3f, submit %.3f",
                        ms(r->times.append), ms(r->times.validate), ms(r->times.plan),
                        ms(r->times.lower), ms(r->times.submit));
    if (r->gpu_ns)
        wf_base_text_format(t, ", device %.3f", ms(r->gpu_ns));
    wf_base_text_append(t, "\n");
}
