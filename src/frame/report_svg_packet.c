#include "frame/report_svg.h"

#include <stdio.h>

/// How the packets of a pass are shown.
struct strip {
    uint32_t each;    ///< Packets in one block, at most.
    int width;        ///< Of a block.
    int x, y;         ///< Of the next block.
    uint32_t barrier; ///< The next of the barriers inside of the pass.
    bool mixed;       ///< Blocks hold packets of several layers.
};

enum { BLOCK = 20, GAP = 2, MOST_SINGLE = 110, MOST_BINS = 75 };

/// The block of `count` packets, from `first` to `last`.
static void block(struct wf_svg *svg, struct strip *strip, const weft_packet_report *first,
                  const weft_packet_report *last, uint32_t count)
{
    const weft_frame_report *r = svg->report;
    const bool mixed = first->layer != last->layer || (strip->mixed && count > 1);
    if (strip->x + strip->width > WF_SVG_STRIP + WF_SVG_STRIP_WIDTH) {
        strip->x = WF_SVG_STRIP;
        strip->y += BLOCK + GAP;
    }
    wf_base_text_format(&svg->text, "<g><title>%u packet%s, %s %llu to %llu, layer ", count,
                        wf_svg_plural(count), wf_frame_kind_name(first->kind),
                        (unsigned long long)first->sequence, (unsigned long long)last->sequence);
    wf_svg_escape(&svg->text,
                  mixed                           ? "(several)"
                  : first->layer < r->layer_count ? r->layers[first->layer].name
                                                  : "",
                  60);
    wf_base_text_append(&svg->text, "</title>");
    char style[48];
    (void)snprintf(style, sizeof style, "fill=\"%s\" rx=\"2\"",
                   mixed ? "#d5d9dd" : wf_svg_layer_color(first->layer));
    wf_svg_rect(svg, strip->x, strip->y, strip->width - GAP, BLOCK, style);
    if (count > 1)
        wf_svg_text(svg, strip->x + 3, strip->y + 14, "font-size=\"10\"", "\xc3\x97 %u", count);
    else
        wf_svg_text(svg, strip->x + 3, strip->y + 14, "font-size=\"9\"", "%llu",
                    (unsigned long long)first->sequence);
    wf_base_text_append(&svg->text, "</g>\n");
    strip->x += strip->width;
}

/// A mark in front of a packet that a barrier inside of its pass stands before.
static bool mark_barrier(struct wf_svg *svg, struct strip *strip, uint32_t pass, uint64_t sequence)
{
    const weft_frame_report *r = svg->report;
    while (strip->barrier < r->barrier_count &&
           (r->barriers[strip->barrier].before_pass < pass ||
            (r->barriers[strip->barrier].before_pass == pass &&
             r->barriers[strip->barrier].before_packet == UINT64_MAX)))
        strip->barrier++;
    if (strip->barrier >= r->barrier_count || r->barriers[strip->barrier].before_pass != pass ||
        r->barriers[strip->barrier].before_packet != sequence)
        return false;
    strip->barrier++;
    return true;
}

static uint32_t drawn_count(const struct wf_svg *svg, uint32_t pass)
{
    uint32_t count = 0;
    for (uint32_t i = svg->starts[pass]; i < svg->starts[pass + 1]; i++)
        count += svg->report->packets[svg->packets[i]].fate == WEFT_FATE_DRAWN;
    return count;
}

/// Few packets have a block each; of more, as many as it takes share one: those of one layer, if
/// layers do not change too often for that.
static struct strip strip_of(const struct wf_svg *svg, uint32_t begin, uint32_t count)
{
    const int single = svg->report->packet_count < 1000 ? 24 : 36; // so wide are the numbers
    struct strip strip = {1, single, WF_SVG_STRIP, svg->y, 0, false};
    if (count <= MOST_SINGLE)
        return strip;
    strip.each = (count + MOST_BINS - 1) / MOST_BINS;
    strip.width = 46;
    uint32_t changes = 0;
    for (uint32_t i = begin + 1; i < begin + count; i++)
        changes += svg->report->packets[svg->packets[i]].layer !=
                   svg->report->packets[svg->packets[i - 1]].layer;
    strip.mixed = changes > MOST_BINS;
    return strip;
}

void wf_svg_packet_strip(struct wf_svg *svg, uint32_t pass)
{
    const weft_frame_report *r = svg->report;
    const uint32_t count = drawn_count(svg, pass), end = svg->starts[pass] + count;
    struct strip strip = strip_of(svg, svg->starts[pass], count);
    for (uint32_t i = svg->starts[pass]; i < end;) {
        const weft_packet_report *first = &r->packets[svg->packets[i]], *last = first;
        uint32_t n = 1;
        if (mark_barrier(svg, &strip, pass, first->sequence)) {
            wf_svg_rect(svg, strip.x, strip.y - 2, 3, BLOCK + 4, "fill=\"#c62828\"");
            strip.x += 5;
        }
        for (; n < strip.each && i + n < end; n++) {
            const weft_packet_report *next = &r->packets[svg->packets[i + n]];
            if (next->layer != first->layer && !strip.mixed)
                break;
            last = next;
        }
        block(svg, &strip, first, last, n);
        i += n;
    }
    if (count > 0)
        svg->y = strip.y + BLOCK + 4;
}

/// Packets that share why they are not drawn.
struct reason {
    const weft_packet_report *first;
    uint32_t count;
};

void wf_svg_undrawn(struct wf_svg *svg, uint32_t pass)
{
    const weft_frame_report *r = svg->report;
    enum { REASONS = 8 };
    struct reason reasons[REASONS];
    uint32_t count = 0, others = 0;
    for (uint32_t i = svg->starts[pass]; i < svg->starts[pass + 1]; i++) {
        const weft_packet_report *p = &r->packets[svg->packets[i]];
        if (p->fate == WEFT_FATE_DRAWN)
            continue;
        uint32_t at = 0;
        while (at < count &&
               (reasons[at].first->fate != p->fate || reasons[at].first->code != p->code ||
                reasons[at].first->reason != p->reason))
            at++;
        if (at == REASONS) {
            others++;
            continue;
        }
        if (at == count)
            reasons[count++] = (struct reason){p, 0};
        reasons[at].count++;
    }
    for (uint32_t i = 0; i < count; i++) {
        const weft_packet_report *p = reasons[i].first;
        const bool failed = p->fate == WEFT_FATE_FAILED;
        char code[16] = "";
        if (p->code)
            (void)snprintf(code, sizeof code, "W%04u, ", p->code);
        wf_svg_rect(svg, WF_SVG_STRIP, svg->y, 46, 14,
                    failed ? "fill=\"#c62828\" rx=\"2\""
                           : "fill=\"#fff\" stroke=\"#777\" stroke-dasharray=\"3 2\" rx=\"2\"");
        wf_svg_text(svg, WF_SVG_STRIP + 4, svg->y + 11,
                    failed ? "font-size=\"10\" fill=\"#fff\"" : "font-size=\"10\"", "\xc3\x97 %u",
                    reasons[i].count);
        wf_svg_say(svg, WF_SVG_STRIP + 54, failed ? "fill=\"#c62828\"" : "fill=\"#555\"",
                   "%s: %s%s (%s %s%llu)", wf_frame_fate_name(p->fate), code, p->reason,
                   wf_frame_kind_name(p->kind), reasons[i].count > 1 ? "from " : "packet ",
                   (unsigned long long)p->sequence);
        svg->y += 2;
    }
    if (others > 0)
        wf_svg_say(svg, WF_SVG_STRIP, "", "and %u more that are not drawn", others);
}
