/// The intermediate representation of one frame: plain data in flat arrays that refer to each other
/// by index. The append functions fill it, validate reads it, plan orders it, lower walks the plan.
#ifndef WF_FRAME_IR_H
#define WF_FRAME_IR_H

#include <weft/frame.h>

#define WF_FRAME_NONE UINT32_MAX

enum { WF_FRAME_STAGES = 10, WF_FRAME_HAZARDS = 3 };

/// A flat array that keeps its memory from frame to frame. array.c
struct wf_frame_array {
    void *items;
    size_t count, capacity;
    size_t item_size;
};

enum wf_frame_target_kind {
    WF_FRAME_TARGET_PRESENT,
    WF_FRAME_TARGET_VIEWS,     ///< The host's own.
    WF_FRAME_TARGET_TRANSIENT, ///< Textures of the frame layer's cache.
};

/// Somewhere to draw. Views are those of the attachments: multisampled ones with their resolves.
struct wf_frame_target {
    enum wf_frame_target_kind kind;
    weft_texture_view colors[8], resolves[8], depth;
    weft_texture textures[8], resolve_textures[8], depth_texture;
    uint32_t color_count;
    uint32_t width, height, samples;
    uint32_t layers; ///< Of each view; a 3D one's slices.
    weft_format formats[8], depth_format;
    const char *label;
    bool drawn;                   ///< A pass on it has begun.
    bool colors_kept, depth_kept; ///< They have contents to load.
};

enum wf_frame_pass_kind {
    WF_FRAME_PASS_RENDER,  ///< One begin/end bracket on a target.
    WF_FRAME_PASS_COMPUTE, ///< Dispatches between those.
};

struct wf_frame_pass {
    enum wf_frame_pass_kind kind;
    uint32_t target; ///< RENDER.
    weft_target_ops ops;
    struct wf_frame_target attachments; ///< The target's, with what the ops add: samples, depth.
    const char *label;
    bool open;
    bool dropped;          ///< Nothing to draw to: the surface had no image.
    bool has_dispatches;   ///< RENDER: some were appended to it.
    uint32_t first, count; ///< Plan: its packets in the order.
    uint32_t parts;        ///< Plan: render steps; above 1 it is split.
    uint64_t split_bytes;  ///< Plan: moved more, for that.
    uint32_t draws;        ///< Lower: draws and dispatches recorded.
    uint32_t timer;        ///< Lower: its first query; WF_FRAME_NONE: not timed.
};

struct wf_frame_layer {
    const char *name;
    int32_t sort_base;
    weft_order order;
    bool sort_inside;
    uint32_t key_shift;
    weft_argument_table globals;
    uint32_t parent;                    ///< WF_FRAME_NONE: none.
    uint32_t rank;                      ///< Plan: place among all layers.
    uint32_t first_child, next_sibling; ///< Plan.
    uint32_t lane;                      ///< Plan: the last one of its lanes that was looked for.
    uint32_t packets;
};

struct wf_frame_clip {
    weft_rect rect; ///< Already intersected with the parent.
    uint32_t parent;
};

/// A name that is given but is not of this frame.
#define WF_FRAME_BAD (UINT32_MAX - 1)

/// Why a packet is not drawn; reason_text() of report.c has the words.
enum wf_frame_reason {
    WF_FRAME_REASON_NONE,
    WF_FRAME_REASON_REFUSED,  ///< It broke a rule.
    WF_FRAME_REASON_RECORDED, ///< Likewise, while it was recorded.
    WF_FRAME_REASON_SKIPPED,  ///< wf_frame.skipped says why.
    WF_FRAME_REASON_CLIPPED,
    WF_FRAME_REASON_EMPTY,
    WF_FRAME_REASON_HOISTED, ///< Drawn, but moved.
    WF_FRAME_REASON_COUNT,
};

enum wf_frame_packet_flags {
    WF_FRAME_HAS_TRANSFORM = 1u << 0,
    WF_FRAME_HAS_INSTANCES = 1u << 1, ///< An instance stream.
    WF_FRAME_HAS_INDIRECT = 1u << 2,
    WF_FRAME_HAS_NULLS = 1u << 3, ///< An array was counted and NULL: refused.
};

/// The hot record. Its index is its sequence. What only some have lies on the tape.
struct wf_frame_packet {
    uint64_t sort_key;
    weft_material material;        ///< Quads: the library's own, once it is judged.
    weft_argument_table arguments; ///< Slot 2. Quads: once they are judged.
    uint32_t pass, clip, layer;    ///< WF_FRAME_NONE, WF_FRAME_BAD.
    uint32_t side;                 ///< Where its side data begins on the tape.
    uint8_t kind, order, flags;    ///< weft_packet_kind, weft_order, wf_frame_packet_flags.
    uint8_t stream_count;
    // From here on all is 0 for most packets.
    uint32_t access_count;           ///< Declared by the packet.
    uint16_t root_offset, root_size; ///< Bytes; UINT16_MAX: larger than any root block.
    uint16_t code;                   ///< Rule broken.
    uint8_t fate, reason;            ///< weft_packet_fate, enum wf_frame_reason.
    uint32_t look;                   ///< Validate: in wf_frame.looks. Dispatches: none.
    uint32_t position;               ///< Plan: its place in wf_frame.places; then in the order.
};

// The tape holds one after the other, each in units of 8 bytes: the head (one of the next four, by
// kind); 16 floats of transform, if it has one; streams; instances; indirect arguments; root data;
// declared accesses; quads.

/// What a mesh draws from.
struct wf_frame_geometry {
    weft_buffer indices;
    uint64_t index_offset;
    uint32_t index_type; ///< weft_index_type.
    uint32_t first, count;
    int32_t vertex_offset;
    uint32_t first_instance, instance_count;
};

struct wf_frame_quads {
    weft_texture_view view;
    weft_sampler sampler;
    uint32_t count;
    uint32_t first; ///< Lower: of the frame's quads.
};

struct wf_frame_dispatch {
    weft_compute_pipeline pipeline;
    weft_argument_table arguments[3];
    uint32_t groups[3];
    uint32_t barrier_after;
    weft_dispatch_indirect_view indirect;
};

struct wf_frame_record {
    void (*fn)(weft_command_buffer *cmd, void *user);
    void *user;
    const char *label;
    uint32_t unused; ///< In units of 8 bytes, also where pointers have 4.
};

/// What draws in one stretch share: state is set again where it changes.
struct wf_frame_look {
    const struct wf_frame_material *material;
    weft_argument_table arguments; ///< Slot 2.
    uint32_t pipeline;             ///< Rank of the pipeline by first appearance.
    uint32_t rank;                 ///< Pipelines, then looks, by first appearance.
    uint32_t used;                 ///< access.c: the mark of the last step that uses it.
};

/// The packets of one layer in one pass.
struct wf_frame_lane {
    uint32_t pass, layer;
    uint32_t segment;   ///< Counts up at each change between STRICT and not.
    uint32_t places[5]; ///< By weft_order, in this segment; WF_FRAME_NONE: none yet.
};

/// Packets that stand together in the order: of one lane, one segment and one mode.
struct wf_frame_place {
    uint32_t lane, segment;
    uint8_t order;
    uint32_t count, start; ///< In the order.
};

enum wf_frame_step_kind {
    WF_FRAME_STEP_RENDER,   ///< A render pass, or a part of one, with its draws.
    WF_FRAME_STEP_DISPATCH, ///< One dispatch.
    WF_FRAME_STEP_RECORD,   ///< Commands of the host's own.
};

/// What the plan is made of: barriers stand between steps.
struct wf_frame_step {
    enum wf_frame_step_kind kind;
    uint32_t pass;
    uint32_t first, count;         ///< In wf_frame.order.
    uint32_t first_use, use_count; ///< In wf_frame.uses.
    uint32_t barrier;              ///< In wf_frame.barriers, before it; WF_FRAME_NONE: none.
    bool barrier_after;            ///< COMPUTE to ALL right after it, whatever follows.
    bool begins, ends;             ///< The pass's first step, its last.
    bool first_part, last_part;    ///< RENDER: others load, and store, what the pass keeps.
    bool keeps;                    ///< The last part: a dispatch after it uses an attachment.
};

struct wf_frame_barrier {
    uint32_t step; ///< Before which it stands.
    weft_stage_set producers, consumers;
    weft_hazard_set hazards;
    uint32_t first_cause, cause_count; ///< In wf_frame.causes.
};

/// Two uses that a barrier keeps in this order. Indices into wf_frame.uses.
struct wf_frame_cause {
    uint32_t from, to;
};

/// One resource as one step uses it.
struct wf_frame_use {
    uint64_t resource; ///< A key of access.c.
    weft_stage_set stages;
    bool write;
    weft_hazard_set hazards; ///< What a barrier must guard, besides: this read, or reads of this.
    const char *what;        ///< "color write", "sampled read", ... constant text.
    uint32_t previous;       ///< Reads: the one before since the last write; WF_FRAME_NONE: none.
};

/// What is known of one resource while the steps are walked.
struct wf_frame_history {
    uint32_t write_step;         ///< WF_FRAME_NONE: this frame has not written it.
    weft_stage_set write_stages; ///< Of that step.
    weft_hazard_set hazards;     ///< Of that write.
    uint32_t ahead_pass; ///< The last pass that was seen to write it when it was looked ahead.
    weft_stage_set read_stages;      ///< Of reads in that step and since.
    uint32_t reads[WF_FRAME_STAGES]; ///< Of those, the last step by stage.
    uint32_t read_step;              ///< The last one that reads it.
    uint32_t write_use;              ///< The last write, in wf_frame.uses.
    uint32_t read_use, first_read;   ///< The last read since, and read_step's first.
    const char *name;                ///< Report.
    uint32_t target;                 ///< Report: WF_FRAME_NONE: none.
};

#endif
