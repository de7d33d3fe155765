/// The frame layer: intent → IR → validate → plan → lower → report. It is a client of the public
/// API: it includes no header of core or hal, never branches on the backend, and has no door that
/// hosts lack.
///
/// This header: what the frame layer keeps for each device, and the frame itself.
#ifndef WF_FRAME_CONTEXT_H
#define WF_FRAME_CONTEXT_H

#include "frame/ir.h"

#include <weft/rules.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/thread.h"

/// A material as the pool keeps it.
struct wf_frame_material {
    weft_graphics_pipeline pipeline;
    weft_argument_table arguments;
    uint32_t transform_offset;
    weft_shader_stages transform_stages;
    bool has_depth_stencil, has_blend, has_raster;
    weft_depth_stencil_state depth_stencil;
    weft_blend_state blend;
    weft_raster_state raster;
    weft_access *accesses; ///< A copy.
    uint32_t access_count;
    uint64_t seen; ///< The frame that gave it its look, without a table of slot 2.
    uint32_t look;
    bool ended;               ///< Destroyed while materials are pinned. The context's lock.
    weft_material also_ended; ///< The next of those.
};

/// A texture that targets share over time.
struct wf_frame_transient {
    weft_texture texture;
    weft_texture_view view;
    weft_format format;
    uint32_t width, height, layers, samples;
    bool in_use;    ///< By the current frame.
    uint64_t frame; ///< Used last.
};

/// The library's own quad pipelines, one for each kind of target.
struct wf_frame_quad_pipeline {
    weft_format color, depth;
    uint32_t samples;
    bool textured;
    weft_graphics_pipeline pipeline;
    weft_material material;
};

struct wf_frame_context;

/// Vertices and indices of all quads of a frame.
struct wf_frame_quads_memory {
    weft_transient vertices, indices;
};

/// The frame. One per context: its arrays keep their memory.
struct weft_frame {
    struct wf_frame_context *context;
    weft_device *device;
    uint64_t number; ///< From 1; its low half is the generation of the frame's names.
    bool open;       ///< Between begin and submit or cancel.
    weft_frame_flags flags;
    weft_surface surface;
    bool acquired;       ///< The surface gave an image.
    const char *skipped; ///< Why it did not; NULL if it did or there is no surface.
    const char *label;
    weft_result failed;  ///< The first error's result.
    bool listening;      ///< A diagnostic of the device is being listed: nothing may be reported.
    bool telling;        ///< A diagnostic of its own is on its way to the device.
    bool planned;        ///< The plan is whole.
    bool eager;          ///< Packets are judged when they are appended: FULL validation.
    bool quick;          ///< It is open and not eager: usual packets take a short way.
    uint32_t generation; ///< Of its names.
    uint64_t judged;     ///< The packet that is being judged; UINT64_MAX: none.
    uint32_t present_target;                   ///< WF_FRAME_NONE: none.
    uint32_t open_pass, open_clip, open_layer; ///< Innermost; WF_FRAME_NONE: none.
    uint32_t compute_pass; ///< The one that dispatches go to now; WF_FRAME_NONE: a new one.
    uint64_t began;        ///< Clock.
    weft_frame_times times;

    struct wf_base_arena arena; ///< Strings and what lives for the frame.
    // What is appended: the IR.
    struct wf_frame_array targets, passes, layers, clips, packets;
    struct wf_frame_array tape; ///< uint64_t
    struct wf_frame_array diagnostics;
    // What validation and planning make of it.
    struct wf_frame_array looks, lanes, places, sort, sort_scratch;
    struct wf_frame_array order; ///< uint32_t: sequences.
    struct wf_frame_array steps, uses, histories, barriers, causes;
    struct wf_frame_array report_packets, report_layers, report_passes, report_barriers;
    struct wf_base_map seen;    ///< Scratch of access.c and barrier.c.
    struct wf_base_map touched; ///< Scratch of step.c.
    struct wf_base_map ranks;   ///< Looks and pipelines by what they are; then lanes. validate.c
    uint32_t pipeline_count;    ///< Ranks given.
    bool has_quads;             ///< A packet of quads was appended.
    struct wf_frame_array report_targets, report_accesses;
    struct wf_frame_quads_memory quads;
    weft_frame_report report;
    uint32_t state_changes;
    uint64_t barrier_work; ///< Plan: uses and barriers looked at. Tests see that it is linear.
    weft_query_pool timers;
    uint32_t timer_capacity; ///< Queries in the pool.
};

struct wf_frame_context {
    weft_device *device;
    struct wf_base_allocator allocator; ///< The device's.
    struct wf_base_mutex lock;          ///< Of frame.open, and of the ends of materials.
    struct wf_base_pool materials;
    uint32_t tag;        ///< Top byte of names: tells devices apart.
    bool pinned;         ///< A frame is being submitted: what materials are stays.
    weft_material ended; ///< Destroyed since; the first one.
    struct wf_frame_array transients, quad_pipelines;
    struct wf_frame_array quad_tables; ///< weft_argument_table: reused each frame.
    uint32_t quad_tables_used;
    struct wf_base_map quad_views; ///< Of this frame: view and sampler → index of their table.
    weft_shader quad_vertex, quad_plain, quad_textured;
    weft_sampler quad_sampler;
    struct weft_frame frame;
};

/// The device's context, made at first use; NULL with an error: memory is out, or the device is not
/// ready or takes no more client libraries.
weft_result wf_frame_context_get(weft_device *device, struct wf_frame_context **out);

// ---- array.c -----------------------------------------------------------------------------------
void wf_frame_array_init(struct wf_frame_array *array, size_t item_size);
static inline void *wf_frame_at(const struct wf_frame_array *array, size_t index)
{
    return (char *)array->items + index * array->item_size;
}
/// Makes room for `count` more items; false when out of memory (the frame has failed then).
bool wf_frame_reserve(struct weft_frame *frame, struct wf_frame_array *array, size_t count);
/// Room for `count` more items at the end, zeroed; NULL when out of memory (the frame has failed
/// then).
void *wf_frame_append(struct weft_frame *frame, struct wf_frame_array *array, size_t count);
/// Room for `count` more items at the end, not initialised; `count` may be 0.
static inline void *wf_frame_take(struct weft_frame *frame, struct wf_frame_array *array,
                                  size_t count)
{
    if ((!array->items || array->capacity - array->count < count) &&
        !wf_frame_reserve(frame, array, count))
        return NULL;
    void *at = wf_frame_at(array, array->count);
    array->count += count;
    return at;
}
/// A copy that lives for the frame; "" for NULL, and when out of memory (the frame has failed
/// then).
const char *wf_frame_keep(struct weft_frame *frame, const char *text);
void wf_frame_array_finish(const struct wf_base_allocator *allocator, struct wf_frame_array *array);

// ---- frame.c -----------------------------------------------------------------------------------
/// Whether a call may use the frame. False on NULL, silently: its beginning failed and was
/// reported; and after reporting on one that was submitted or cancelled.
bool wf_frame_closed(struct weft_frame *frame);
static inline bool wf_frame_usable(struct weft_frame *frame)
{
    return (frame && frame->open) || wf_frame_closed(frame);
}
/// Reports that the description of a call on a frame is NULL; the frame has failed.
void wf_frame_null(struct weft_frame *frame);
/// Reports that the place for the result (`out` is NULL) or the description of a call on the device
/// is NULL, to the device.
void wf_frame_null_device(weft_device *device, const void *out);
/// Whether a call may use the frame, and has the description that it needs.
static inline bool wf_frame_given(struct weft_frame *frame, const void *desc)
{
    if (!wf_frame_usable(frame))
        return false;
    if (!desc)
        wf_frame_null(frame);
    return desc != NULL;
}
/// Likewise for a call on the device.
static inline bool wf_frame_given_device(weft_device *device, const void *desc, const void *out)
{
    if (!desc || !out)
        wf_frame_null_device(device, out);
    return desc && out;
}

// ---- diag.c ------------------------------------------------------------------------------------
/// Reports a broken rule to the device and into the frame's list; the frame has failed. `sequence`
/// UINT64_MAX: no packet. Returns false.
bool wf_frame_broken(struct weft_frame *frame, weft_rule rule, uint64_t sequence, uint32_t layer,
                     const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
/// Warns that a frame took an image of its surface and will not present it.
void wf_frame_not_presented(struct weft_frame *frame);
/// Outside of a frame.
bool wf_frame_broken_device(weft_device *device, weft_rule rule, const char *label,
                            const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/// A call of the device failed with `result`: the frame has failed.
void wf_frame_fail(struct weft_frame *frame, weft_result result);
/// Host memory is out: the frame has failed; the first time it is reported, as core does.
void wf_frame_out_of_memory(struct weft_frame *frame);
/// Puts what others report (core, while lowering) into the frame's list.
void wf_frame_listen(void *user, const weft_diagnostic *diagnostic);

// ---- names -------------------------------------------------------------------------------------
/// Passes and targets share one type; passes have this bit of the index set.
#define WF_FRAME_PASS_BIT 0x80000000u

/// Index of a pass, or WF_FRAME_BAD.
static inline uint32_t wf_frame_pass_find(const struct weft_frame *frame, weft_target pass)
{
    const uint32_t index = pass.index & ~WF_FRAME_PASS_BIT;
    if (pass.generation != frame->generation || !(pass.index & WF_FRAME_PASS_BIT) ||
        index >= frame->passes.count)
        return WF_FRAME_BAD;
    const struct wf_frame_pass *found = wf_frame_at(&frame->passes, index);
    return found->kind == WF_FRAME_PASS_RENDER ? index : WF_FRAME_BAD;
}

/// The table of slot 0 for packets of this layer in this pass.
static inline weft_argument_table wf_frame_globals(const struct wf_frame_pass *pass,
                                                   const struct wf_frame_layer *layer)
{
    return weft_argument_table_is_none(layer->globals) ? pass->ops.globals : layer->globals;
}

// ---- parts -------------------------------------------------------------------------------------
struct wf_frame_material *wf_frame_material_find(struct wf_frame_context *context,
                                                 weft_material material);
/// Of the packet that is being appended; NULL after reporting why it does not live.
const struct wf_frame_material *wf_frame_material_use(struct weft_frame *frame,
                                                      weft_material material, uint32_t layer);
/// While they are pinned, materials that are destroyed are only marked, so that a submission may
/// keep pointers to what it found.
void wf_frame_materials_pin(struct wf_frame_context *context);
void wf_frame_materials_unpin(struct wf_frame_context *context);
/// A texture as large as `target`, of as many layers, for this frame, and its view. False after
/// reporting. transient.c
bool wf_frame_transient_take(struct weft_frame *frame, const struct wf_frame_target *target,
                             weft_format format, uint32_t samples, weft_texture_view *view,
                             weft_texture *texture);
void wf_frame_transients_release(struct wf_frame_context *context);
void wf_frame_transients_finish(struct wf_frame_context *context);
/// The library's own material for quads on a pass. False after reporting. builtin.c
bool wf_frame_quad_material(struct weft_frame *frame, const struct wf_frame_pass *pass,
                            uint32_t layer, bool textured, weft_material *out);
/// A table with this texture for this frame.
bool wf_frame_quad_table(struct weft_frame *frame, weft_texture_view view, weft_sampler sampler,
                         weft_argument_table *out);
void wf_frame_builtin_finish(struct wf_frame_context *context);
/// Vertices and indices of all quads that are drawn, in their order; quad i has
/// vertices from 4 i and indices from 6 i on. False after reporting. quads.c
bool wf_frame_quads_generate(struct weft_frame *frame);
// ---- packets -----------------------------------------------------------------------------------
/// Judges a packet that was appended. Returns its sequence, or UINT64_MAX. packet.c
uint64_t wf_frame_packet_judge(struct weft_frame *frame, uint32_t sequence);
/// A transform goes somewhere. validate.c
bool wf_frame_check_transform(struct weft_frame *frame, const struct wf_frame_material *material,
                              const float *transform, uint32_t layer);
/// Root data fits. validate.c
bool wf_frame_check_root_range(struct weft_frame *frame, const struct wf_frame_packet *packet);
/// Whether quads may be drawn, and what with. False after reporting. quads.c
bool wf_frame_judge_quads(struct weft_frame *frame, struct wf_frame_packet *packet);
/// Likewise a dispatch. dispatch.c
bool wf_frame_judge_dispatch(struct weft_frame *frame, struct wf_frame_packet *packet);
/// Likewise commands of the host's own. record.c
bool wf_frame_judge_record(struct weft_frame *frame, struct wf_frame_packet *packet);
/// Judges packet `sequence`: its fate, and the look that it has. validate.c
void wf_frame_judge(struct weft_frame *frame, uint32_t sequence);

// ---- phases ------------------------------------------------------------------------------------
/// Judges every packet that was not judged when it was appended.
void wf_frame_validate(struct weft_frame *frame);
/// The rule that a declared access breaks, or WEFT_RULE_NONE. access.c
weft_rule wf_frame_access_rule(const weft_access *access);
/// Whether what it names lives; core reports why not.
bool wf_frame_access_lives(weft_device *device, const weft_access *access);
/// The order, the steps and the barriers between them. plan.c
bool wf_frame_plan(struct weft_frame *frame);
bool wf_frame_plan_order(struct weft_frame *frame);
/// Cuts the order into steps, with dispatches before their pass where they may be. step.c
bool wf_frame_plan_steps(struct weft_frame *frame);
/// What one step uses, at the end of the uses. `mark` is its own among the steps that were
/// collected since `seen` was cleared, and not 0. Quiet: nothing is reported. access.c
void wf_frame_collect_step(struct weft_frame *frame, struct wf_frame_step *step, uint32_t mark,
                           bool quiet);
/// Before steps are collected anew. access.c
void wf_frame_forget_uses(struct weft_frame *frame);
/// How a step's use of a texture names it. access.c
uint64_t wf_frame_texture_key(weft_texture texture);
/// Whether a resource that a use names is a texture.
bool wf_frame_key_is_texture(uint64_t resource);
/// What each step reads and writes, with the check for feedback loops. access.c
void wf_frame_collect_accesses(struct weft_frame *frame);
bool wf_frame_plan_barriers(struct weft_frame *frame);
/// Proves that the plan's barriers order what must be ordered, and counts those that it does not
/// need. False after reporting what is missing. check.c
bool wf_frame_check(struct weft_frame *frame);
/// A planned order is recorded as it is. Errors of the commands stick to `cmd`.
weft_result wf_frame_lower(struct weft_frame *frame, weft_command_buffer *cmd);
bool wf_frame_report_build(struct weft_frame *frame);
/// The parts of a report that tell of resources. report_access.c
bool wf_frame_report_accesses(struct weft_frame *frame);
struct wf_base_text;
void wf_frame_report_text(const weft_frame_report *report, struct wf_base_text *text);
void wf_frame_report_json(const weft_frame_report *report, struct wf_base_text *text);
void wf_frame_report_svg(const weft_frame_report *report, struct wf_base_text *text);
/// Words for enums of a report; "unknown" for what is none. report.c
const char *wf_frame_order_name(uint32_t order);
const char *wf_frame_kind_name(uint32_t kind);
const char *wf_frame_fate_name(weft_packet_fate fate);
const char *wf_frame_severity_name(weft_severity severity);
const char *wf_frame_pass_name(weft_pass_kind kind);
const char *wf_frame_target_name(weft_target_kind kind);
const char *wf_frame_load_name(weft_load load);
const char *wf_frame_store_name(weft_store store);
/// Words of the stages, such as "fragment|compute". report.c
const char *wf_frame_stage_names(weft_stage_set stages, char *out, size_t size);
/// Likewise of hazards; "" for none.
const char *wf_frame_hazard_names(weft_hazard_set hazards, char *out, size_t size);

#endif
