#include "frame/report_svg.h"

#include <stdio.h>

enum { MOST_CAUSES = 4, MOST_INSIDE = 6 };

static void name_access(const weft_access_report *a, char *out, size_t size)
{
    (void)snprintf(out, size, "%s in %s %llu", a->what,
                   a->packet == UINT64_MAX ? "pass" : "dispatch",
                   (unsigned long long)(a->packet == UINT64_MAX ? a->pass : a->packet));
}

static void causes(struct wf_svg *svg, const weft_barrier_report *b, int x)
{
    const weft_frame_report *r = svg->report;
    char from[64], to[64];
    for (uint32_t i = 0; i < b->cause_count && i < MOST_CAUSES; i++) {
        const weft_barrier_cause *c = &b->causes[i];
        if (c->from >= r->access_count || c->to >= r->access_count)
            continue;
        name_access(&r->accesses[c->from], from, sizeof from);
        name_access(&r->accesses[c->to], to, sizeof to);
        wf_svg_say(svg, x, "fill=\"#c62828\"", "%s: %s \xe2\x86\x92 %s",
                   wf_svg_short(r->accesses[c->to].resource, 40).text, from, to);
    }
    if (b->cause_count > MOST_CAUSES)
        wf_svg_say(svg, x, "fill=\"#c62828\"", "and %u more", b->cause_count - MOST_CAUSES);
}

/// What a barrier says: "barrier: target → fragment", then its causes.
static void barrier(struct wf_svg *svg, const weft_barrier_report *b, int x)
{
    char producers[128], consumers[128], where[40] = "";
    if (b->before_packet != UINT64_MAX)
        (void)snprintf(where, sizeof where, " before dispatch %llu",
                       (unsigned long long)b->before_packet);
    wf_svg_say(svg, x, "fill=\"#c62828\" font-weight=\"bold\"", "barrier%s: %s \xe2\x86\x92 %s",
               where, wf_frame_stage_names(b->producers, producers, sizeof producers),
               wf_frame_stage_names(b->consumers, consumers, sizeof consumers));
    causes(svg, b, x + 16);
}

/// Those between passes as lines over the lanes, those between the dispatches of one inside it.
static void barriers(struct wf_svg *svg, uint32_t pass, bool inside)
{
    const weft_frame_report *r = svg->report;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->barrier_count; i++) {
        const weft_barrier_report *b = &r->barriers[i];
        if (b->before_pass != pass || (b->before_packet != UINT64_MAX) != inside)
            continue;
        if (!inside) {
            wf_svg_rect(svg, WF_SVG_LEFT, svg->y + 4, WF_SVG_RIGHT - WF_SVG_LEFT, 3,
                        "fill=\"#c62828\"");
            svg->y += 9;
        }
        if (count++ < MOST_INSIDE)
            barrier(svg, b, inside ? WF_SVG_STRIP : WF_SVG_LEFT + 8);
    }
    if (count > MOST_INSIDE)
        wf_svg_say(svg, WF_SVG_STRIP, "fill=\"#c62828\"", "and %u more barriers",
                   count - MOST_INSIDE);
}

static void ops(struct wf_svg *svg, int y, const weft_pass_report *p)
{
    char color[64] = "", depth[64] = "";
    if (p->load)
        (void)snprintf(color, sizeof color, "color %s \xe2\x86\x92 %s", wf_frame_load_name(p->load),
                       wf_frame_store_name(p->store));
    if (p->depth_load)
        (void)snprintf(depth, sizeof depth, "%sdepth %s \xe2\x86\x92 %s", color[0] ? ", " : "",
                       wf_frame_load_name(p->depth_load), wf_frame_store_name(p->depth_store));
    wf_svg_text(svg, WF_SVG_LEFT + 10, y, "", "%s%s", color, depth);
}

/// What a pass is, on the left of its lane.
static void facts(struct wf_svg *svg, uint32_t index, int y, uint64_t longest)
{
    const weft_pass_report *p = &svg->report->passes[index];
    const int x = WF_SVG_LEFT + 10;
    wf_svg_text(svg, x, y + 18, "font-weight=\"bold\" font-size=\"13\"", "Pass %u: %s", index,
                wf_svg_short(p->label, 26).text);
    if (p->kind == WEFT_PASS_RENDER) {
        wf_svg_text(svg, x, y + 34, "", "%s %u \xc3\x97 %u, %u sample%s",
                    p->present ? "renders to the screen," : "renders", p->width, p->height,
                    p->samples, wf_svg_plural(p->samples));
        ops(svg, y + 50, p);
        wf_svg_text(svg, x, y + 66, "", "%u packet%s, %u draw%s", p->packets,
                    wf_svg_plural(p->packets), p->draws, wf_svg_plural(p->draws));
    } else {
        wf_svg_text(svg, x, y + 34, "", "computes: %u dispatch%s", p->draws,
                    p->draws == 1 ? "" : "es");
    }
    if (p->gpu_ns == 0)
        return;
    const int width = 1 + (int)((double)p->gpu_ns * 140 / (double)longest);
    wf_svg_rect(svg, x, y + 73, width, 8, "fill=\"#b5651d\"");
    wf_svg_text(svg, x + width + 5, y + 82, "", "%.3f ms on the GPU", (double)p->gpu_ns / 1e6);
}

void wf_svg_lanes(struct wf_svg *svg)
{
    const weft_frame_report *r = svg->report;
    uint64_t longest = 1;
    for (uint32_t i = 0; i < r->pass_count; i++)
        longest = r->passes[i].gpu_ns > longest ? r->passes[i].gpu_ns : longest;
    for (uint32_t i = 0; i <= r->pass_count; i++) {
        if (i == r->pass_count && svg->starts[i] == svg->starts[i + 1])
            break;
        if (i < r->pass_count)
            barriers(svg, i, false);
        const int top = svg->y + 4;
        svg->y = top + 8;
        wf_svg_packet_strip(svg, i);
        if (i < r->pass_count)
            barriers(svg, i, true);
        wf_svg_undrawn(svg, i);
        const int least = top + (i == r->pass_count                       ? 30
                                 : r->passes[i].gpu_ns                    ? 92
                                 : r->passes[i].kind == WEFT_PASS_COMPUTE ? 46
                                                                          : 76);
        const int bottom = svg->y + 6 > least ? svg->y + 6 : least;
        wf_svg_rect(svg, WF_SVG_LEFT, top, WF_SVG_RIGHT - WF_SVG_LEFT, bottom - top,
                    "fill=\"none\" stroke=\"#8795a1\" rx=\"4\"");
        if (i < r->pass_count) {
            facts(svg, i, top, longest);
            svg->tops[i] = top;
            svg->bottoms[i] = bottom;
        } else {
            wf_svg_text(svg, WF_SVG_LEFT + 10, top + 18, "font-weight=\"bold\" font-size=\"13\"",
                        "In no pass");
        }
        svg->y = bottom + 4;
    }
}
