/// The intermediate representation of one frame: plain data in flat arrays that refer to each other
/// by index. The append functions fill it, validate reads it, plan orders it, lower walks the plan.
#ifndef WF_FRAME_IR_H
#define WF_FRAME_IR_H

#include <weft/frame.h>

#define WF_FRAME_NONE UINT32_MAX

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
    const char *label;
    bool drawn;                   ///< A pass on it has begun.
    bool colors_kept, depth_kept; ///< They have contents to load.
};

/// One begin/end bracket on a target.
struct wf_frame_pass {
    uint32_t target;
    weft_target_ops ops;
    struct wf_frame_target attachments; ///< The target's, with what the ops add: samples, depth.
    const char *label;
    bool open;
    bool dropped;                        ///< Nothing to draw to: the surface had no image.
    uint32_t head, tail;                 ///< Its packets as appended; WF_FRAME_NONE: none.
    uint32_t first, count;               ///< Plan: its packets in the order.
    uint32_t draws;                      ///< Lower: draw commands recorded.
    uint32_t first_access, access_count; ///< Validate: in wf_frame.uses.
    bool barrier;                        ///< Plan: one stands before it.
    weft_stage_set producers, consumers;
    weft_hazard_set hazards;
    const char *cause;
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
    uint32_t segment;                   ///< Plan: of its packet last numbered.
    uint32_t packets;
};

struct wf_frame_clip {
    weft_rect rect; ///< Already intersected with the parent.
    uint32_t parent;
};

/// What a packet draws from.
struct wf_frame_geometry {
    uint32_t first_stream, stream_count; ///< In wf_frame.streams.
    weft_buffer indices;
    uint64_t index_offset;
    weft_index_type index_type;
    uint32_t first, count;
    int32_t vertex_offset;
    weft_instance_view instances;
    uint32_t indirect; ///< In wf_frame.indirects, or WF_FRAME_NONE.
};

/// The hot record. Its index is its sequence.
struct wf_frame_packet {
    uint64_t sort_key;
    weft_material material;
    weft_argument_table arguments;
    uint32_t pass, layer, clip; ///< Clip: WF_FRAME_NONE for none.
    uint32_t geometry;
    uint32_t transform; ///< Index of 16 floats, or WF_FRAME_NONE.
    uint32_t root;      ///< Byte offset in wf_frame.root_bytes.
    uint16_t root_offset, root_size;
    uint32_t first_access, access_count; ///< Declared by the packet, in wf_frame.declared.
    uint8_t kind, order;
    uint8_t fate;          ///< weft_packet_fate
    uint32_t code;         ///< Rule broken.
    const char *reason;    ///< Constant text.
    uint32_t next_in_pass; ///< As appended.
    uint32_t segment;      ///< Plan: between the STRICT packets of its layer.
    uint32_t position;     ///< Plan: place in the order.
};

/// One resource as one pass uses it.
struct wf_frame_use {
    uint64_t resource; ///< A key of access.c.
    weft_stage_set stages;
    bool write;
    weft_hazard_set hazards; ///< What a barrier must guard, besides: this read, or reads of this.
    const char *what;        ///< "color write", "sampled read", ... constant text.
};

/// What is known of one resource while the passes are walked.
struct wf_frame_history {
    uint32_t write_pass;         ///< WF_FRAME_NONE: this frame has not written it.
    weft_stage_set write_stages; ///< Of that pass.
    weft_hazard_set hazards;     ///< Of that write.
    weft_stage_set visible;      ///< Stages that see the write through a barrier.
    weft_stage_set read_stages;  ///< Reads since.
    weft_stage_set closed;       ///< Stages that wait for all those reads through a barrier.
    const char *what;            ///< How it was written, or read.
    uint32_t read_pass;
};

#endif
