/// \file report.h
/// What became of a frame: every packet, pass and barrier, with reasons and cost. Plain data.
#ifndef WEFT_REPORT_H
#define WEFT_REPORT_H

#include <weft/base.h>
#include <weft/command.h>
#include <weft/sync.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_packet_fate {
    WEFT_FATE_DRAWN = 0,
    WEFT_FATE_DROPPED, ///< `reason` says why.
    WEFT_FATE_FAILED,  ///< It broke a rule: `code`.
} weft_packet_fate;

typedef struct weft_packet_report {
    uint64_t sequence;
    uint32_t kind;     ///< weft_packet_kind.
    uint32_t pass;     ///< Index into passes; UINT32_MAX: none.
    uint32_t layer;    ///< Index into layers; UINT32_MAX: none.
    uint32_t position; ///< Place in the drawn order; UINT32_MAX if not drawn.
    weft_packet_fate fate;
    uint32_t code;      ///< Rule broken; 0: none.
    const char *reason; ///< "" if drawn as it came; a dispatch may be moved before its pass.
} weft_packet_report;

typedef struct weft_layer_report {
    const char *name;
    int32_t sort_base;
    uint32_t order;  ///< weft_order.
    uint32_t parent; ///< UINT32_MAX: none.
    uint32_t packets;
} weft_layer_report;

typedef enum weft_pass_kind {
    WEFT_PASS_RENDER = 0, ///< Of weft_frame_target_begin().
    WEFT_PASS_COMPUTE,    ///< Dispatches between those.
} weft_pass_kind;

typedef struct weft_pass_report {
    weft_pass_kind kind;
    const char *label;
    uint32_t target; ///< Index into targets; UINT32_MAX: none.
    uint32_t width, height, samples;
    weft_load load, depth_load; ///< UNSPECIFIED: it has no colors, or no depth.
    weft_store store, depth_store;
    uint32_t packets, draws; ///< Packets drawn; draws and dispatches recorded.
    uint32_t parts;          ///< RENDER: above 1 it was split by dispatches; 0 if not recorded.
    uint64_t split_bytes;    ///< Stored and loaded more between the parts.
    bool present;
    uint64_t gpu_ns; ///< 0 if it was not timed.
} weft_pass_report;

typedef enum weft_target_kind {
    WEFT_TARGET_PRESENT = 0, ///< The surface's image.
    WEFT_TARGET_HOST,        ///< Views of the host.
    WEFT_TARGET_TRANSIENT,   ///< The frame's own textures.
} weft_target_kind;

typedef struct weft_target_report {
    weft_target_kind kind;
    const char *label;
    uint32_t width, height, layers, samples;
    weft_format colors[8]; ///< Up to `color_count`.
    uint32_t color_count;
    weft_format depth;              ///< NONE: none.
    uint64_t bytes;                 ///< Of its texels, resolved ones included.
    uint32_t first_pass, last_pass; ///< That draw to it or read it; UINT32_MAX: none.
} weft_target_report;

/// What a pass does with a resource.
typedef struct weft_access_report {
    uint32_t pass;
    uint64_t packet;      ///< The dispatch; UINT64_MAX: the whole pass.
    const char *resource; ///< Such as "'shadow' depth", "texture 12", "buffer 7".
    uint32_t target;      ///< Index into targets; UINT32_MAX: it is of none.
    const char *what;     ///< "color write", "sampled read", ...
    weft_stage_set stages;
    bool write;
} weft_access_report;

/// Two accesses in an order that a barrier must keep. Indices into accesses.
typedef struct weft_barrier_cause {
    uint32_t from, to;
} weft_barrier_cause;

typedef struct weft_barrier_report {
    uint32_t before_pass;   ///< It stands before this pass,
    uint64_t before_packet; ///< or before this packet in it; UINT64_MAX: the pass.
    weft_stage_set producers, consumers;
    weft_hazard_set hazards;
    const char *cause; ///< The first, such as "pass 0 color write -> pass 1 sampled read".
    const weft_barrier_cause *causes;
    uint32_t cause_count;
} weft_barrier_report;

typedef struct weft_frame_diagnostic {
    uint32_t code;
    weft_severity severity;
    uint64_t sequence; ///< The packet; UINT64_MAX: none.
    const char *layer; ///< "" if none.
    const char *message, *hint;
} weft_frame_diagnostic;

/// Nanoseconds on the CPU per phase.
typedef struct weft_frame_times {
    uint64_t append, validate, plan, lower, submit;
} weft_frame_times;

typedef struct weft_frame_report {
    const char *label;
    uint64_t frame;  ///< From 1.
    uint64_t serial; ///< Submission; 0 if nothing was submitted.
    weft_result result;
    bool presented;
    const weft_packet_report *packets; ///< By sequence.
    uint32_t packet_count;
    const weft_layer_report *layers;
    uint32_t layer_count;
    const weft_pass_report *passes;
    uint32_t pass_count;
    const weft_target_report *targets;
    uint32_t target_count;
    const weft_access_report *accesses; ///< Of passes in the plan; none if there is no plan.
    uint32_t access_count;
    const weft_barrier_report *barriers;
    uint32_t barrier_count;
    uint32_t needless_barriers; ///< Of them, separate nothing; counted with WEFT_FRAME_CHECK.
    const weft_frame_diagnostic *diagnostics;
    uint32_t diagnostic_count;
    uint32_t drawn, dropped, failed;
    uint32_t state_changes; ///< Pipeline and table changes recorded.
    weft_frame_times times;
    uint64_t gpu_ns; ///< Sum over the passes; 0 if it was not timed.
} weft_frame_report;

typedef enum weft_report_format {
    WEFT_REPORT_TEXT = 0,
    WEFT_REPORT_JSON, ///< docs/report.md has the schema.
    WEFT_REPORT_SVG,  ///< A picture of the frame, as SVG 1.1 without scripts.
} weft_report_format;

/// The report as text; `*out` is UTF-8, freed with weft_text_free(). NULL: WEFT_ERROR_USAGE,
/// reported nowhere.
WEFT_API weft_result weft_frame_report_write(const weft_frame_report *report,
                                             weft_report_format format, char **out);

#ifdef __cplusplus
}
#endif

#endif
