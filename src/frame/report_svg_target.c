#include "frame/report_svg.h"

#include <stdio.h>

static int column_of(uint32_t target)
{
    return WF_SVG_TARGETS + (int)target * WF_SVG_COLUMN;
}

/// An arrow between a pass's lane and a target's bar: to the bar if the pass writes it.
static void arrow(struct wf_svg *svg, uint32_t pass, uint32_t target, bool write)
{
    if (pass >= svg->report->pass_count || target >= WF_SVG_MAX_COLUMNS)
        return;
    const int x = column_of(target);
    const int y = svg->tops[pass] + 12 + (int)(target % 4) * 14 + (write ? 0 : 7);
    wf_svg_arrow(svg, write ? WF_SVG_RIGHT : x, write ? x : WF_SVG_RIGHT, y,
                 wf_svg_target_color(target), write);
}

static void bar(struct wf_svg *svg, uint32_t index)
{
    const weft_target_report *t = &svg->report->targets[index];
    const int x = column_of(index), top = svg->report->pass_count > 0 ? svg->tops[0] : svg->y;
    wf_base_text_format(&svg->text, "<text transform=\"translate(%d %d) rotate(-35)\" fill=\"%s\">",
                        x + 4, top - 6, wf_svg_target_color(index));
    wf_svg_escape(&svg->text, t->label, 16);
    wf_base_text_append(&svg->text, "</text>\n");
    if (t->first_pass >= svg->report->pass_count || t->last_pass >= svg->report->pass_count ||
        t->last_pass < t->first_pass)
        return;
    char style[64];
    (void)snprintf(style, sizeof style, "fill=\"%s\" rx=\"3\"%s", wf_svg_target_color(index),
                   t->kind == WEFT_TARGET_TRANSIENT ? " fill-opacity=\"0.6\"" : "");
    wf_svg_rect(svg, x, svg->tops[t->first_pass], 12,
                svg->bottoms[t->last_pass] - svg->tops[t->first_pass], style);
}

void wf_svg_target_columns(struct wf_svg *svg)
{
    const weft_frame_report *r = svg->report;
    for (uint32_t i = 0; i < r->target_count && i < WF_SVG_MAX_COLUMNS; i++)
        bar(svg, i);
    for (uint32_t i = 0; i < r->pass_count; i++) {
        if (r->passes[i].target < r->target_count)
            arrow(svg, i, r->passes[i].target, true);
    }
    uint32_t last[WF_SVG_MAX_COLUMNS]; // one arrow for each pass, counted from 1
    for (uint32_t i = 0; i < WF_SVG_MAX_COLUMNS; i++)
        last[i] = 0;
    for (uint32_t i = 0; i < r->access_count; i++) {
        const weft_access_report *a = &r->accesses[i];
        if (a->target >= r->target_count || a->target >= WF_SVG_MAX_COLUMNS || a->write ||
            last[a->target] == a->pass + 1)
            continue;
        last[a->target] = a->pass + 1;
        arrow(svg, a->pass, a->target, false);
    }
}

static void describe(struct wf_svg *svg, uint32_t index)
{
    static const char *const kinds[] = {"the surface's image", "the host's",
                                        "transient: only in this frame"};
    const weft_target_report *t = &svg->report->targets[index];
    const bool small = t->bytes < 1048576;
    char formats[160] = "", passes[48] = "no pass uses it", style[32];
    int at = 0;
    for (uint32_t c = 0; c <= t->color_count && c <= 8; c++) {
        const weft_format format = c < t->color_count && c < 8 ? t->colors[c] : t->depth;
        if (format && at >= 0 && at < (int)sizeof formats)
            at += snprintf(formats + at, sizeof formats - (size_t)at, ", %s",
                           weft_format_get_info(format)->name);
    }
    if (t->first_pass != UINT32_MAX)
        (void)snprintf(passes, sizeof passes, "from pass %u to pass %u", t->first_pass,
                       t->last_pass);
    (void)snprintf(style, sizeof style, "fill=\"%s\"", wf_svg_target_color(index));
    wf_svg_rect(svg, WF_SVG_LEFT, svg->y + 2, 12, 12, style);
    wf_svg_say(svg, WF_SVG_LEFT + 18, "", "%s (%s): %u \xc3\x97 %u, %u sample%s%s, %.2f %s, %s",
               wf_svg_short(t->label, 30).text, (uint32_t)t->kind < 3 ? kinds[t->kind] : "unknown",
               t->width, t->height, t->samples, wf_svg_plural(t->samples), formats,
               (double)t->bytes / (small ? 1024 : 1048576), small ? "KiB" : "MiB", passes);
}

void wf_svg_target_list(struct wf_svg *svg)
{
    const weft_frame_report *r = svg->report;
    if (r->target_count == 0)
        return;
    svg->y += 12;
    wf_svg_say(svg, WF_SVG_LEFT, "font-weight=\"bold\"",
               "Targets (bars on the right: from the first pass that uses them to the last; dashed "
               "arrows: they are read)");
    for (uint32_t i = 0; i < r->target_count && i < WF_SVG_MAX_COLUMNS; i++)
        describe(svg, i);
    if (r->target_count > WF_SVG_MAX_COLUMNS)
        wf_svg_say(svg, WF_SVG_LEFT, "", "and %u more", r->target_count - WF_SVG_MAX_COLUMNS);
}
