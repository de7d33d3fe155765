/// The picture of a report: what its parts share. Time runs down, one lane for each pass; columns
/// on the right are targets.
#ifndef WF_FRAME_REPORT_SVG_H
#define WF_FRAME_REPORT_SVG_H

#include "frame/context.h"

#include "base/text.h"

/// Where things stand, in units of the picture.
enum {
    WF_SVG_LEFT = 16,
    WF_SVG_STRIP = 324, ///< Packets begin.
    WF_SVG_STRIP_WIDTH = 580,
    WF_SVG_RIGHT = 916,   ///< Lanes end.
    WF_SVG_TARGETS = 960, ///< The first target's column.
    WF_SVG_COLUMN = 44,   ///< Width of a column.
    WF_SVG_MAX_COLUMNS = 24,
};

struct wf_svg {
    const weft_frame_report *report;
    struct wf_base_text text;
    int y;               ///< Where what comes next begins.
    uint32_t *packets;   ///< By pass: those drawn in their order, then others. Those of none last.
    uint32_t *starts;    ///< Of each pass in `packets`, of those of none, and the end.
    int *tops, *bottoms; ///< Of each pass's lane.
};

/// A color of the packets of a layer, or of a target.
const char *wf_svg_layer_color(uint32_t layer);
const char *wf_svg_target_color(uint32_t target);

/// Appends text as XML holds it, `most` characters at most.
void wf_svg_escape(struct wf_base_text *text, const char *string, size_t most);
/// The first `most` characters, or as many as fit.
struct wf_svg_name {
    char text[128];
};
struct wf_svg_name wf_svg_short(const char *string, size_t most);
/// A line of text whose baseline begins at x, y; `style` is further attributes.
void wf_svg_text(struct wf_svg *svg, int x, int y, const char *style, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
/// Likewise, and goes on to the next line.
void wf_svg_say(struct wf_svg *svg, int x, const char *style, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
void wf_svg_rect(struct wf_svg *svg, int x, int y, int width, int height, const char *style);
/// An arrow at `y`: solid for what is written, dashed for what is read.
void wf_svg_arrow(struct wf_svg *svg, int from, int to, int y, const char *color, bool write);
/// "s", but for one.
const char *wf_svg_plural(uint32_t count);

// The parts, from top to bottom; each moves `y`.
void wf_svg_header(struct wf_svg *svg);
void wf_svg_lanes(struct wf_svg *svg);          ///< report_svg_pass.c
void wf_svg_target_columns(struct wf_svg *svg); ///< report_svg_target.c
void wf_svg_target_list(struct wf_svg *svg);
void wf_svg_diagnostics(struct wf_svg *svg);
void wf_svg_packet_strip(struct wf_svg *svg, uint32_t pass); ///< report_svg_packet.c
/// What became of packets that are not drawn, in one line for each reason.
void wf_svg_undrawn(struct wf_svg *svg, uint32_t pass);

#endif
