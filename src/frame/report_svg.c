#include "frame/report_svg.h"

#include <stdio.h>
#include <string.h>

const char *wf_svg_layer_color(uint32_t layer)
{
    static const char *const colors[] = {"#9aa5b1", "#4e9de6", "#f2a33a", "#63b75b", "#b07cd8",
                                         "#e5738a", "#3fb8af", "#c2a24a", "#7d8cf0", "#a8763e"};
    return layer == UINT32_MAX ? colors[0] : colors[layer % (sizeof colors / sizeof colors[0])];
}

const char *wf_svg_target_color(uint32_t target)
{
    static const char *const colors[] = {"#155e8a", "#8a3d15", "#2f6b2a",
                                         "#6a2a7d", "#7a6a12", "#1a6b66"};
    return colors[target % (sizeof colors / sizeof colors[0])];
}

/// Whether XML may hold this character, and a reader wants to see it: no controls, no U+FFFE.
static bool is_fine(const char *at, size_t length)
{
    const unsigned char *p = (const unsigned char *)at;
    if (length == 1)
        return p[0] >= 0x20 && p[0] != 0x7f;
    return !(length == 2 && p[0] == 0xc2 && p[1] < 0xa0) &&
           !(length == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe);
}

void wf_svg_escape(struct wf_base_text *text, const char *string, size_t most)
{
    const size_t size = strlen(string);
    for (size_t i = 0, n = 0; i < size; n++) {
        const size_t length = wf_base_utf8_length(string + i, size - i);
        if (n >= most) {
            wf_base_text_append(text, "\xe2\x80\xa6");
            return;
        }
        if (length == 0 || !is_fine(string + i, length))
            wf_base_text_append(text, "\xef\xbf\xbd");
        else if (length == 1 && strchr("&<>\"'", string[i]))
            wf_base_text_format(text, "&#%d;", string[i]);
        else
            wf_base_text_append_bytes(text, string + i, length);
        i += length ? length : 1;
    }
}

struct wf_svg_name wf_svg_short(const char *string, size_t most)
{
    struct wf_svg_name name;
    const size_t size = strlen(string);
    size_t at = 0;
    for (size_t n = 0; at < size && n < most; n++) {
        const size_t length = wf_base_utf8_length(string + at, size - at);
        if (at + 4 >= sizeof name.text)
            break;
        memcpy(name.text + at, string + at, length ? length : 1);
        at += length ? length : 1;
    }
    name.text[at] = '\0';
    return name;
}

static void text_line(struct wf_svg *svg, int x, int y, const char *style, const char *format,
                      va_list args)
{
    char line[512];
    (void)vsnprintf(line, sizeof line, format, args);
    wf_base_text_format(&svg->text, "<text x=\"%d\" y=\"%d\" %s>", x, y, style);
    wf_svg_escape(&svg->text, line, 170);
    wf_base_text_append(&svg->text, "</text>\n");
}

void wf_svg_text(struct wf_svg *svg, int x, int y, const char *style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_line(svg, x, y, style, format, args);
    va_end(args);
}

void wf_svg_say(struct wf_svg *svg, int x, const char *style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_line(svg, x, svg->y + 12, style, format, args);
    va_end(args);
    svg->y += 16;
}

void wf_svg_rect(struct wf_svg *svg, int x, int y, int width, int height, const char *style)
{
    wf_base_text_format(&svg->text, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" %s/>\n", x,
                        y, width, height, style);
}

void wf_svg_arrow(struct wf_svg *svg, int from, int to, int y, const char *color, bool write)
{
    const int back = to > from ? -8 : 8;
    wf_base_text_format(&svg->text,
                        "<path d=\"M%d %dH%d\" stroke=\"%s\" stroke-width=\"2\"%s/>\n"
                        "<path d=\"M%d %dl%d -4v8z\" fill=\"%s\"/>\n",
                        from, y, to + back, color, write ? "" : " stroke-dasharray=\"4 2\"", to, y,
                        back, color);
}

const char *wf_svg_plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static double ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

static void cpu_times(struct wf_svg *svg, int y)
{
    static const char *const names[] = {"append", "validate", "plan", "lower", "submit"};
    const weft_frame_times *t = &svg->report->times;
    const uint64_t times[] = {t->append, t->validate, t->plan, t->lower, t->submit};
    uint64_t most = 1;
    for (int i = 0; i < 5; i++)
        most = times[i] > most ? times[i] : most;
    wf_svg_text(svg, WF_SVG_LEFT, y + 12, "font-weight=\"bold\"", "CPU time by phase");
    for (int i = 0; i < 5; i++) {
        y += 16;
        wf_svg_text(svg, WF_SVG_LEFT, y + 12, "", "%s", names[i]);
        const int width = 1 + (int)((double)times[i] * 110 / (double)most);
        wf_svg_rect(svg, 74, y + 3, width, 10, "fill=\"#5f7f9f\"");
        wf_svg_text(svg, 74 + width + 5, y + 12, "", "%.3f ms", ms(times[i]));
    }
}

/// Layers with their colors, in two columns.
static void layer_legend(struct wf_svg *svg, int y)
{
    const weft_frame_report *r = svg->report;
    enum { SHOWN = 10 };
    wf_svg_text(svg, WF_SVG_STRIP, y + 12, "font-weight=\"bold\"", "Layers (colors of packets)");
    for (uint32_t i = 0; i < r->layer_count && i < SHOWN; i++) {
        const weft_layer_report *l = &r->layers[i];
        const int x = WF_SVG_STRIP + (int)(i / 5) * 170, at = y + 16 + (int)(i % 5) * 16;
        char style[32];
        (void)snprintf(style, sizeof style, "fill=\"%s\"", wf_svg_layer_color(i));
        wf_svg_rect(svg, x, at + 2, 12, 12, style);
        if (i + 1 == SHOWN && r->layer_count > SHOWN)
            wf_svg_text(svg, x + 18, at + 12, "", "and %u more", r->layer_count - i);
        else
            wf_svg_text(svg, x + 18, at + 12, "", "%s, %s: %u",
                        wf_svg_short(l->name[0] ? l->name : "(no layer)", 14).text,
                        wf_frame_order_name(l->order), l->packets);
    }
}

static void symbol_legend(struct wf_svg *svg, int y)
{
    const int x = 660;
    wf_svg_text(svg, x, y + 12, "font-weight=\"bold\"", "How to read it");
    wf_svg_text(svg, x, y + 28, "", "Time runs down. Each box is a pass; its");
    wf_svg_text(svg, x, y + 44, "", "blocks are packets in the drawn order: with their");
    wf_svg_text(svg, x, y + 60, "", "number, or how many they are (\xc3\x97 200).");
    wf_svg_rect(svg, x, y + 71, 24, 3, "fill=\"#c62828\"");
    wf_svg_text(svg, x + 30, y + 76, "", "barrier: what follows waits for what was before");
    wf_svg_arrow(svg, x, x + 24, y + 88, wf_svg_target_color(0), true);
    wf_svg_arrow(svg, x + 210, x + 186, y + 88, wf_svg_target_color(0), false);
    wf_svg_text(svg, x + 216, y + 92, "", "it reads one");
    wf_svg_text(svg, x + 30, y + 92, "", "a pass draws to a target");
}

void wf_svg_header(struct wf_svg *svg)
{
    const weft_frame_report *r = svg->report;
    wf_svg_text(svg, WF_SVG_LEFT, 28, "font-size=\"20\" font-weight=\"bold\"", "Frame %llu %s",
                (unsigned long long)r->frame, wf_svg_short(r->label, 60).text);
    char gpu[48] = "";
    if (r->gpu_ns)
        (void)snprintf(gpu, sizeof gpu, " \xc2\xb7 %.3f ms on the GPU", ms(r->gpu_ns));
    wf_svg_text(svg, WF_SVG_LEFT, 50,
                r->result < 0 ? "font-size=\"14\" fill=\"#c62828\"" : "font-size=\"14\"",
                "%s%s \xc2\xb7 %u pass%s \xc2\xb7 %u packet%s: %u drawn, %u dropped, %u failed "
                "\xc2\xb7 %u barrier%s \xc2\xb7 %u state change%s%s",
                weft_result_name(r->result), r->presented ? ", presented" : "", r->pass_count,
                r->pass_count == 1 ? "" : "es", r->packet_count, wf_svg_plural(r->packet_count),
                r->drawn, r->dropped, r->failed, r->barrier_count, wf_svg_plural(r->barrier_count),
                r->state_changes, wf_svg_plural(r->state_changes), gpu);
    cpu_times(svg, 64);
    layer_legend(svg, 64);
    symbol_legend(svg, 64);
    svg->y = 176;
}

void wf_svg_diagnostics(struct wf_svg *svg)
{
    const weft_frame_report *r = svg->report;
    enum { SHOWN = 12 };
    if (r->diagnostic_count == 0)
        return;
    svg->y += 12;
    wf_svg_say(svg, WF_SVG_LEFT, "font-weight=\"bold\"", "What was reported");
    for (uint32_t i = 0; i < r->diagnostic_count && i < SHOWN; i++) {
        const weft_frame_diagnostic *d = &r->diagnostics[i];
        char code[16] = "", packet[40] = "";
        if (d->code)
            (void)snprintf(code, sizeof code, " W%04u", d->code);
        if (d->sequence != UINT64_MAX)
            (void)snprintf(packet, sizeof packet, ", packet %llu", (unsigned long long)d->sequence);
        wf_svg_say(svg, WF_SVG_LEFT,
                   d->severity == WEFT_SEVERITY_ERROR ? "fill=\"#c62828\"" : "fill=\"#8a5a00\"",
                   "%s%s%s%s%s: %s", wf_frame_severity_name(d->severity), code, packet,
                   d->layer[0] ? " in " : "", wf_svg_short(d->layer, 30).text, d->message);
        if (d->hint[0])
            wf_svg_say(svg, WF_SVG_LEFT + 20, "", "%s", d->hint);
    }
    if (r->diagnostic_count > SHOWN)
        wf_svg_say(svg, WF_SVG_LEFT, "", "and %u more", r->diagnostic_count - SHOWN);
}

/// A packet goes behind the others of its pass.
static void deal(struct wf_svg *svg, uint32_t *ends, uint32_t packet)
{
    const uint32_t pass = svg->report->packets[packet].pass, passes = svg->report->pass_count;
    svg->packets[ends[pass < passes ? pass : passes]++] = packet;
}

/// Sorts packets by pass: first those that are drawn, by their positions.
static void sort_packets(struct wf_svg *svg, uint32_t *drawn, uint32_t *ends)
{
    const weft_frame_report *r = svg->report;
    const uint32_t count = r->packet_count, passes = r->pass_count;
    for (uint32_t i = 0; i < count; i++) {
        const weft_packet_report *p = &r->packets[i];
        ends[p->pass < passes ? p->pass : passes]++;
        drawn[i] = UINT32_MAX;
    }
    for (uint32_t i = 0, at = 0; i <= passes; i++) {
        svg->starts[i] = at;
        at += ends[i];
        ends[i] = svg->starts[i];
        svg->starts[i + 1] = at;
    }
    for (uint32_t i = 0; i < count; i++) {
        const weft_packet_report *p = &r->packets[i];
        if (p->fate == WEFT_FATE_DRAWN && p->position < count)
            drawn[p->position] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (drawn[i] != UINT32_MAX)
            deal(svg, ends, drawn[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const weft_packet_report *p = &r->packets[i];
        if (p->fate != WEFT_FATE_DRAWN || p->position >= count || drawn[p->position] != i)
            deal(svg, ends, i);
    }
}

static void write_svg(struct wf_svg *svg, struct wf_base_text *out)
{
    const weft_frame_report *r = svg->report;
    wf_svg_header(svg);
    if (r->target_count > 0)
        svg->y += 36; // the columns' names
    wf_svg_lanes(svg);
    wf_svg_target_columns(svg);
    wf_svg_target_list(svg);
    wf_svg_diagnostics(svg);
    const uint32_t columns =
        r->target_count < WF_SVG_MAX_COLUMNS ? r->target_count : WF_SVG_MAX_COLUMNS;
    const int width = WF_SVG_TARGETS + (columns > 1 ? (int)columns : 2) * WF_SVG_COLUMN + 60;
    wf_base_text_format(out,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
                        "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                        "font-size=\"12\" fill=\"#222\">\n"
                        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                        width, svg->y + 16, width, svg->y + 16);
    wf_base_text_append(out, wf_base_text_string(&svg->text));
    wf_base_text_append(out, "</svg>\n");
    out->failed |= svg->text.failed;
}

void wf_frame_report_svg(const weft_frame_report *report, struct wf_base_text *text)
{
    const struct wf_base_allocator *allocator = text->allocator;
    struct wf_svg svg = {.report = report};
    const size_t packets = report->packet_count, passes = report->pass_count;
    // one array for all: packets twice, where passes begin, where they end, tops and bottoms
    const size_t count = 2 * packets + 4 * passes + 3;
    uint32_t *memory = wf_base_alloc_zero(allocator, count * sizeof *memory);
    if (!memory) {
        text->failed = true;
        return;
    }
    svg.packets = memory;
    svg.starts = memory + 2 * packets;
    uint32_t *ends = svg.starts + passes + 2;
    svg.tops = (int *)(ends + passes + 1);
    svg.bottoms = svg.tops + passes;
    wf_base_text_init(&svg.text, allocator);
    sort_packets(&svg, memory + packets, ends);
    write_svg(&svg, text);
    wf_base_text_finish(&svg.text);
    wf_base_free(allocator, memory, count * sizeof *memory);
}
