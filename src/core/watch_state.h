/// What the parts of the watch share.
#ifndef WF_CORE_WATCH_STATE_H
#define WF_CORE_WATCH_STATE_H

#include "core/watch.h"
#include "core/watch_memory.h"

#define WF_WATCH_INFOS    4096u ///< Commands whose names are remembered.
#define WF_WATCH_LABELS   512u
#define WF_WATCH_SIGNALS  64u  ///< Newest signals of all timelines.
#define WF_WATCH_SERIALS  256u ///< Newest submissions.
#define WF_WATCH_FINDINGS 16u  ///< Found and not yet told; more wait for another time.
#define WF_WATCH_PLACES   512u ///< Told already. A power of two.
#define WF_WATCH_IDLE     32u  ///< Barriers that are followed to see who needs them.
#define WF_WATCH_DYNAMIC  32u  ///< Dynamic offsets of one slot that are looked at.

/// Commands, as reports name them.
enum wf_watch_command {
    WF_WATCH_DRAW,
    WF_WATCH_DRAWS, ///< Of a pass, together.
    WF_WATCH_DISPATCH,
    WF_WATCH_PASS,    ///< Its loads, stores and the drawing to its targets.
    WF_WATCH_RESOLVE, ///< At its end.
    WF_WATCH_COPY,
    WF_WATCH_FILL,
    WF_WATCH_MIPS,
    WF_WATCH_QUERIES,
    WF_WATCH_BUILD,
    WF_WATCH_BARRIER,
};

// ---- resources ---------------------------------------------------------------------------------

/// The head of what the watch knows of a buffer or a texture.
struct wf_watch_resource {
    weft_object object; ///< As the host knows it; NONE: the library's own.
    char label[WF_CORE_LABEL];
    struct wf_watch_block *block;   ///< Placed there, or NULL.
    struct wf_watch_resource *next; ///< In the block.
    uint64_t begin, end;            ///< In the block.
    uint64_t used, taken;           ///< Positions of the last use and of the last alias barrier.
};

struct wf_watch_buffer {
    struct wf_watch_resource base;
    bool written; ///< It can be written by the GPU: otherwise reads are no matter.
    struct wf_watch_segments segments;
};

/// An acceleration structure: one byte for all of it.
struct wf_watch_acceleration {
    struct wf_watch_buffer base;
    uint64_t scratch; ///< Bytes that a build needs.
};

struct wf_watch_texture {
    struct wf_watch_resource base;
    struct wf_watch_boxes boxes;
    const struct wf_hal_texture *hal;
    const struct wf_hal_surface *surface; ///< It is one of that surface's images.
    struct wf_watch_texture *next;        ///< Among images of surfaces.
};

struct wf_watch_block {
    struct wf_watch_resource *first;
};

/// The contents of one version of a table.
struct wf_watch_table {
    uint32_t count;
    struct wf_hal_write writes[];
};

/// What one stage of a pipeline does with a binding.
struct wf_core_binding_use {
    uint8_t slot, row, flags; ///< Flags of accesses; none: reads.
    bool texture, acceleration;
    uint32_t first_element, count;
    uint32_t dynamic; ///< Index of the first element's offset; UINT32_MAX: none.
};

// ---- recordings --------------------------------------------------------------------------------

enum wf_watch_op_kind {
    WF_WATCH_OP_COMMAND,
    WF_WATCH_OP_LABEL,
    WF_WATCH_OP_ENCODER,
    WF_WATCH_OP_BUFFER,
    WF_WATCH_OP_TEXTURE,
    WF_WATCH_OP_UNSEEN,  ///< Work of stages whose accesses nobody sees.
    WF_WATCH_OP_TOUCHED, ///< What the backend told of a dispatch, or of a pass's draws.
    WF_WATCH_OP_BARRIER,
    WF_WATCH_OP_BUFFER_BARRIER,
    WF_WATCH_OP_TEXTURE_BARRIER,
    WF_WATCH_OP_ALIAS,
    WF_WATCH_OP_SIGNAL,
    WF_WATCH_OP_WAIT,
};

struct wf_watch_op {
    uint8_t kind;
    uint8_t detail; ///< Command; hazards; event; of encoders: whether it is a pass.
    uint8_t row, flags;
    wf_watch_columns columns, depth; ///< Barriers: producers and consumers.
    union {
        uint64_t origin; ///< Commands, barriers.
        char label[WF_CORE_LABEL];
        struct {
            struct wf_watch_buffer *at;
            uint64_t begin, end;
        } buffer;
        struct {
            struct wf_watch_texture *at;
            struct wf_watch_box box;
        } texture;
        struct { ///< NULL: any.
            struct wf_watch_resource *before, *after;
        } alias;
    } u;
};

/// What one command buffer does. Recycled with its memory.
struct wf_watch_recording {
    struct wf_watch_recording *next;
    struct wf_core_watch *watch;
    struct weft_command_buffer *owner; ///< While recording. NULL: the library's own.
    char title[WF_CORE_LABEL];         ///< The owner's label: it may record again before the judge.
    uint32_t queue;
    struct wf_watch_op *ops;
    size_t capacity;
    uint32_t count;
    bool starved;                 ///< Something is missing for lack of memory.
    bool foreign;                 ///< The host recorded into it by itself.
    struct wf_watch_op nowhere;   ///< Takes what there is no memory for.
    struct wf_hal_touch *touches; ///< Told by the backend; each unit of work ends with a zero.
    size_t touch_capacity;
    uint32_t touch_count;
    bool touch_lost; ///< There was no memory for all.

    // state of recording
    bool pass, unseen;             ///< In a pass; with draws that reach what only the backend sees.
    char label[WF_CORE_LABEL];     ///< Of the encoder.
    char groups[4][WF_CORE_LABEL]; ///< Labels of the innermost groups.
    uint32_t group_count;
    struct {
        struct wf_hal_buffer *buffer;
        uint64_t offset;
    } streams[WF_CORE_MAX_STREAMS];
    struct wf_hal_buffer *indices;
    uint64_t index_offset;
    uint32_t index_bytes;
    uint32_t offsets[WF_HAL_SLOTS][WF_WATCH_DYNAMIC];
    /// What the last draw or dispatch used: the same again is not written down again.
    const struct wf_core_pipeline *last_pipeline;
    const struct wf_hal_table *last_tables[WF_HAL_SLOTS];
    struct wf_hal_render_pass targets; ///< Of the open pass, for its resolves.
};

// ---- the watch ---------------------------------------------------------------------------------

/// The name of a command.
struct wf_watch_info {
    uint64_t position, origin;
    uint32_t index; ///< In its command buffer.
    uint32_t label, buffer_label;
    uint8_t command, queue;
    bool internal;
};

/// A barrier of the host that nothing has needed yet.
struct wf_watch_idle {
    struct wf_watch_op op;
    uint64_t position;
    uint32_t index, label, buffer_label; ///< As the watch's when it was recorded.
    bool needed;
};

/// A signal of a timeline and what is ordered before it.
struct wf_watch_signal {
    const struct wf_hal_timeline *timeline;
    uint64_t value;
    struct wf_watch_reach reach;
};

/// Something to be told.
struct wf_watch_finding {
    weft_rule rule;
    weft_severity severity;
    weft_object object;
    uint64_t command;
    char label[WF_CORE_LABEL], pass[WF_CORE_LABEL];
    char message[448], hint[256];
};

/// Something to be judged in its turn.
struct wf_watch_pending {
    struct wf_watch_pending *next;
    enum { WF_WATCH_SUBMISSION, WF_WATCH_REACHED, WF_WATCH_ACQUIRED } kind;
    uint64_t known; ///< The watch's when it came in.
    bool blind;     ///< Something before it is not known.
    // a submission
    weft_queue queue;
    bool whole; ///< Nothing is missing of the recordings. What they do not show may be barriers.
    uint64_t serial;
    struct wf_watch_recording *first;
    struct wf_hal_timeline_point *points; ///< Waits, then signals.
    size_t capacity;
    uint32_t wait_count, signal_count;
    // a timeline that was seen to have reached a value
    const struct wf_hal_timeline *timeline;
    uint64_t value;
    // a surface's image that was acquired: whoever had it is done with it
    struct wf_watch_texture *image;
};

/// Addresses of a buffer.
struct wf_watch_space {
    uint64_t begin, end;
    struct wf_watch_buffer *buffer;
};

struct wf_core_watch {
    struct weft_device *dev;
    const struct wf_hal_device_ops *ops; ///< The backend's.
    struct wf_hal_device_ops table;      ///< Those with the watch's in it.
    struct wf_base_mutex lock;
    struct wf_watch_recording *free;
    struct wf_watch_texture *images;          ///< Of surfaces.
    struct wf_watch_pending *pending, *spare; ///< Oldest first; to be used again.
    struct wf_watch_recording *lost;          ///< There was no memory to keep them in order.
    bool blind;                               ///< Nor to remember something; the next one is told.
    struct wf_watch_space *spaces;            ///< By address.
    size_t space_capacity;
    uint32_t space_count;
    uint64_t known; ///< Position up to which the CPU knows that all has finished.
    struct wf_watch_memory memory;
    struct wf_watch_order order;
    struct wf_watch_order hosts; ///< As if the library recorded no barriers, to judge the host's.
    struct wf_watch_reach events[WF_CORE_EVENTS];
    struct wf_watch_signal signals[WF_WATCH_SIGNALS];
    uint64_t signal_count;
    uint64_t serial; ///< The newest judged.
    uint64_t serial_end[WF_WATCH_SERIALS];
    uint64_t position; ///< Of the newest command.
    uint64_t taken;    ///< Position of the last alias barrier for any resource.

    // while a recording is judged
    const struct wf_watch_recording *judged;
    uint32_t index;   ///< Of the newest command in it.
    uint32_t touch;   ///< The next of its touches.
    uint64_t encoder; ///< Position before the encoder.
    bool pass;        ///< It is a render pass.
    uint32_t label, buffer_label;
    const struct wf_watch_resource *resource; ///< That is being used.

    // barriers since the last one of everything
    struct wf_watch_idle idle[WF_WATCH_IDLE];
    uint32_t idle_count;
    uint64_t everything; ///< Position of that one.
    bool unseen;         ///< Something that they may be for is not seen.

    // names
    struct wf_watch_info infos[WF_WATCH_INFOS]; ///< By position, modulo.
    char labels[WF_WATCH_LABELS][WF_CORE_LABEL];
    uint32_t label_count; ///< Label 0 is none.

    // findings
    struct wf_watch_finding findings[WF_WATCH_FINDINGS];
    atomic_uint finding_count;
    uint32_t told;
    uint64_t places[WF_WATCH_PLACES];
    uint32_t place_count;
};

/// The recording behind a hal command; NULL: there was no memory for one.
static inline struct wf_watch_recording *wf_watch_of(const struct wf_hal_command *cmd)
{
    return cmd->watch;
}

static inline const struct wf_hal_device_ops *wf_watch_backend(const struct wf_hal_command *cmd)
{
    return ((const struct wf_core_watch *)cmd->dev->watch)->ops;
}

// watch_record.c
void wf_watch_record_hooks(struct wf_hal_device_ops *ops);
void wf_watch_recording_reset(struct wf_watch_recording *rec);
struct wf_watch_op *wf_watch_op_add(struct wf_watch_recording *rec, enum wf_watch_op_kind kind);

// watch_draw.c
void wf_watch_draw_hooks(struct wf_hal_device_ops *ops);
void wf_watch_command(struct wf_watch_recording *rec, enum wf_watch_command command);
/// An acceleration structure.
void wf_watch_structure(struct wf_watch_recording *rec, const struct wf_hal_acceleration *structure,
                        const struct wf_watch_op *how);
void wf_watch_bytes(struct wf_watch_recording *rec, const struct wf_hal_buffer *buf, uint64_t begin,
                    uint64_t end, const struct wf_watch_op *how);
void wf_watch_box(struct wf_watch_recording *rec, const struct wf_hal_texture *tex,
                  const struct wf_watch_box *box, const struct wf_watch_op *how);
/// The stage of a shader, and what guards its reads of depth.
uint8_t wf_watch_row_of(weft_shader_stages stage);
wf_watch_columns wf_watch_depth_column(uint8_t row);
/// A view's part of its texture.
struct wf_watch_box wf_watch_view_box(const struct wf_hal_texture_view *view);

// watch_submit.c
void wf_watch_submit_hooks(struct wf_core_watch *watch);
void wf_watch_acquired(struct wf_core_watch *watch, struct wf_watch_texture *image);
void wf_watch_pending_finish(struct wf_core_watch *watch);
/// Judges what can be. The lock is held.
void wf_watch_settle(struct wf_core_watch *watch);
/// And gives up the rest: it is not judged, and counts as in order.
void wf_watch_give_up(struct wf_core_watch *watch);

// watch_judge.c; the lock is held
void wf_watch_judge(struct wf_core_watch *watch, const struct wf_watch_recording *rec);
void wf_watch_hazard(void *user, const struct wf_watch_clash *clash);
void wf_watch_ordered(void *user, const struct wf_watch_access *before,
                      const struct wf_watch_access *after);
/// Everything so far counts as ordered before everything that follows.
void wf_watch_forget(struct wf_core_watch *watch);

// watch_report.c; the lock is held
uint32_t wf_watch_label(struct wf_core_watch *watch, const char *text);
/// Names the command at the watch's position.
void wf_watch_name_command(struct wf_core_watch *watch, uint8_t command, uint64_t origin);
void wf_watch_report_hazard(struct wf_core_watch *watch, const struct wf_watch_clash *clash);
void wf_watch_report_alias(struct wf_core_watch *watch, const struct wf_watch_resource *before,
                           const struct wf_watch_resource *after);
/// `later`: what it orders nothing needed.
void wf_watch_report_unneeded(struct wf_core_watch *watch, const struct wf_watch_op *op,
                              bool later);

#endif
