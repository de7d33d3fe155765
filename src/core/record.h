/// Recording: command allocators and buffers, render and compute encoders, and what the device
/// keeps for them.
///
/// Command buffers are recycled and freed only with the device, so a call through a pointer that
/// was given up is met with a state, not with freed memory. The states are checked at every
/// validation level.
#ifndef WF_CORE_RECORD_H
#define WF_CORE_RECORD_H

#include "core/pipeline.h"
#include "core/query.h"

#define WF_CORE_EVENTS       64u
#define WF_CORE_SURFACE_USES 8u ///< Surfaces that one command buffer draws to.

enum wf_core_command_state {
    WF_CORE_COMMAND_IDLE, ///< In the free list.
    WF_CORE_COMMAND_RECORDING,
    WF_CORE_COMMAND_EXECUTABLE,
    WF_CORE_COMMAND_SUBMITTING, ///< Inside of weft_queue_submit().
};

enum wf_core_encoder_state {
    WF_CORE_ENCODER_CLOSED,
    WF_CORE_ENCODER_OPEN,
    WF_CORE_ENCODER_SWALLOWS, ///< Its beginning failed: calls do nothing.
};

struct wf_core_command_allocator {
    struct wf_hal_command_pool *pool;
    weft_queue queue;
    atomic_uint out;             ///< Command buffers recording or executable.
    atomic_uint_fast64_t serial; ///< Of the last submission with one of its command buffers.
};

struct wf_core_command_allocator_cold {
    struct wf_core_cold base;
};

/// One slot of arguments as an encoder has it.
struct wf_core_bound_table {
    const struct wf_core_shape *shape; ///< NULL: nothing set.
    const struct wf_core_table_version *version;
    weft_argument_table handle; ///< For diagnostics.
};

// Bits of an encoder's `stale`: what draws and dispatches must look at again.
#define WF_CORE_STALE_TABLES   UINT64_C(0x1)
#define WF_CORE_STALE_STREAMS  UINT64_C(0x2)
#define WF_CORE_STALE_STATE    UINT64_C(0x4)
#define WF_CORE_STALE_PIPELINE UINT64_C(0x8) ///< None is set.
#define WF_CORE_STALE_ALL      UINT64_C(0xf)
// What was refused when it was set last, and reported: draws and dispatches fail without a word
// about what follows from it. A slot that does not exist stands for one that does.
#define WF_CORE_REFUSED_PIPELINE     UINT64_C(0x10)
#define WF_CORE_REFUSED_ROOT         UINT64_C(0x20)
#define WF_CORE_REFUSED_INDICES      UINT64_C(0x40)
#define WF_CORE_REFUSED_TABLE(slot)  (UINT64_C(0x100) << (slot) % WF_HAL_SLOTS)
#define WF_CORE_REFUSED_STREAM(slot) ((UINT64_C(1) << 32) << (slot) % WF_CORE_MAX_STREAMS)
#define WF_CORE_REFUSED              (~WF_CORE_STALE_ALL)

struct weft_render_encoder {
    // touched by every call
    struct weft_command_buffer *cmd;
    const struct wf_hal_device_ops *ops;
    struct wf_hal_command *hal;
    uint8_t state; ///< enum wf_core_encoder_state
    bool validate;
    uint64_t stale;      ///< Bits of WF_CORE_STALE_* and WF_CORE_REFUSED_*.
    uint32_t root_limit; ///< max_root_bytes
    const struct wf_core_pipeline *pipeline;
    uint64_t root_written[2];              ///< Vertex, fragment: bit per four bytes.
    uint64_t vertex_limit, instance_limit; ///< What the streams bound hold.
    uint64_t index_limit;                  ///< Indices that the index buffer holds.
    weft_index_type index_type;            ///< NONE: none bound.
    bool index_fits;                       ///< The index buffer was found to match the pipeline.

    // looked at when something is stale
    uint32_t stream_mask; ///< Bound ones.
    struct wf_core_bound_table tables[WF_HAL_SLOTS];
    uint64_t stream_bytes[WF_CORE_MAX_STREAMS];    ///< From the offset to the buffer's end.
    const weft_depth_stencil_state *depth_stencil; ///< The pipeline's, or what was set since:
    const weft_blend_state *blend;
    struct {
        weft_depth_stencil_state depth_stencil;
        weft_blend_state blend;
    } set;

    // the pass
    struct wf_core_targets targets;
    uint32_t width, height;
    weft_aspect_set aspects, read_only; ///< Of the depth-stencil attachment.
    weft_query_pool occlusion;
    bool occlusion_open, statistics_open;
    uint32_t groups; ///< Open debug groups when it began.
};

struct weft_compute_encoder {
    struct weft_command_buffer *cmd;
    const struct wf_hal_device_ops *ops;
    struct wf_hal_command *hal;
    uint8_t state; ///< enum wf_core_encoder_state
    bool validate;
    uint64_t stale; ///< As above; TABLES for all that is not refused.
    uint32_t root_limit;
    const struct wf_core_pipeline *pipeline;
    uint64_t root_written;
    struct wf_core_bound_table tables[WF_HAL_SLOTS];
    uint32_t groups;
};

/// Queries that a command buffer writes.
struct wf_core_query_use {
    weft_query_pool pool;
    uint32_t first, count;
};

/// A surface whose image a command buffer uses, and which image that was.
struct wf_core_surface_use {
    weft_surface surface;
    uint64_t acquisition;
};

/// Added to the device's counters at submission.
struct wf_core_command_counts {
    uint64_t render_passes, draws, dispatches, copies, barriers;
};

struct weft_command_buffer {
    struct weft_device *dev;
    const struct wf_hal_device_ops *ops;
    struct wf_hal_command *hal;
    uint8_t state; ///< enum wf_core_command_state
    bool validate;
    bool in_encoder;
    weft_queue queue; ///< Through wf_core_queue().
    weft_queue asked; ///< As the host said: what may be recorded follows from it.
    struct wf_core_origin origin;
    struct wf_core_subject on; ///< Itself, at `origin`.
    struct wf_core_command_counts counts;
    uint64_t events; ///< Signalled by signal_after.
    uint32_t groups; ///< Open debug groups.
    weft_command_allocator allocator;
    struct wf_core_open open;
    struct wf_core_query_use *queries;
    size_t query_count, query_capacity;
    struct wf_hal_geometry *geometries; ///< Scratch of builds.
    size_t geometry_capacity;
    struct wf_core_heap_entry *heap_writes; ///< Committed when it is submitted.
    size_t heap_write_count, heap_write_capacity;
    struct wf_core_surface_use surfaces[WF_CORE_SURFACE_USES];
    uint32_t surface_count;
    struct weft_command_buffer *next, *all_next; ///< Free ones; all of the device's.
    char label[WF_CORE_LABEL], pass[WF_CORE_LABEL];
    struct weft_render_encoder render;
    struct weft_compute_encoder compute;
};

struct wf_core_builder; ///< build.c

/// What a device keeps for this half of core.
struct wf_core_recorders {
    struct wf_base_mutex lock; ///< Guards the two lists and the pools.
    struct weft_command_buffer *free, *all;
    struct wf_hal_command_pool *pools[WEFT_QUEUE_COUNT]; ///< The device's own; NULL: not used yet.
    struct wf_base_mutex layout_lock;  ///< Guards shapes and their counts of references.
    struct wf_base_mutex surface_lock; ///< Serialises surface calls.
    struct wf_core_shape **shapes;
    size_t shape_count, shape_capacity;
    struct wf_base_mutex build_lock; ///< Guards the next one.
    struct wf_core_builder *builder; ///< NULL until the first background pipeline.
};

/// Made at start, once the hal is there. False when out of memory.
bool wf_core_recorders_create(struct weft_device *dev);
/// Ends background building and gives back every command buffer that is still recording or
/// executable. The GPU is idle; objects still live. NULL-safe.
void wf_core_recorders_discard(struct weft_device *dev);
/// Frees the rest, once every object was destroyed and released. NULL-safe.
void wf_core_recorders_destroy(struct weft_device *dev);

// ---- command buffers (command.c) ---------------------------------------------------------------

/// Unlinks a command buffer and puts it into the free list; its hal command is no longer its own.
void wf_core_command_give(struct weft_command_buffer *cmd);
/// Whether commands outside of encoders can be recorded now. False after reporting why not. NULL is
/// silently false.
bool wf_core_command_recording(struct weft_command_buffer *cmd);
/// The same for a call that only one queue offers.
bool wf_core_command_on_queue(struct weft_command_buffer *cmd, bool graphics, const char *what);
/// Remembers that queries are written. False, with the command buffer failed, without memory.
bool wf_core_command_uses_queries(struct weft_command_buffer *cmd, weft_query_pool pool,
                                  uint32_t first, uint32_t count);

/// Likewise for a write into the heap.
bool wf_core_command_writes_heap(struct weft_command_buffer *cmd,
                                 const struct wf_core_heap_entry *entry);

/// Remembers the surface behind a texture, if it has one. False after the error stuck: the image is
/// not the one that is acquired now.
bool wf_core_command_uses_texture(struct weft_command_buffer *cmd, weft_texture texture,
                                  const struct wf_core_texture *tex);

/// Makes `result` the command buffer's error if it has none yet.
static inline void wf_core_command_fail(struct weft_command_buffer *cmd, weft_result result)
{
    if (cmd->origin.error == WEFT_OK)
        cmd->origin.error = result;
}

/// Whether the device can do what a command asks. Its hook is optional: at every level. False after
/// reporting.
bool wf_core_command_can(struct weft_command_buffer *cmd, const struct wf_core_subject *on,
                         weft_feature_set feature, const char *what);

static inline weft_object wf_core_command_object(void)
{
    return (weft_object){.kind = WEFT_OBJECT_COMMAND_BUFFER};
}

// ---- encoders ----------------------------------------------------------------------------------

/// Reports the use of an encoder that was ended; silent on one that swallows. Returns false.
bool wf_core_render_refuse(const weft_render_encoder *enc) WF_CORE_COLD;
bool wf_core_compute_refuse(const weft_compute_encoder *enc) WF_CORE_COLD;

static inline bool wf_core_render_open(const weft_render_encoder *enc)
{
    return enc && (enc->state == WF_CORE_ENCODER_OPEN || wf_core_render_refuse(enc));
}

/// The same for a call that needs what `pointer` points to.
static inline bool wf_core_render_takes(const weft_render_encoder *enc, const void *pointer,
                                        const char *what)
{
    return wf_core_render_open(enc) && wf_core_check_given(&enc->cmd->on, pointer, what);
}

static inline bool wf_core_compute_open(const weft_compute_encoder *enc)
{
    return enc && (enc->state == WF_CORE_ENCODER_OPEN || wf_core_compute_refuse(enc));
}

/// One bit for each four bytes of [offset, offset + size), which lies below WF_CORE_MAX_ROOT_BYTES
/// and is not empty.
static inline uint64_t wf_core_root_mask(uint32_t offset, uint32_t size)
{
    return UINT64_MAX >> ((64 - size / 4) & 63) << offset / 4;
}

/// Checks and snapshots a table and hands it to the hal; tables[slot] then says what is set. False
/// after the error stuck. (bind.c)
bool wf_core_bind_table(struct weft_command_buffer *cmd, uint32_t slot, weft_argument_table table,
                        const uint32_t *offsets, uint32_t offset_count,
                        struct wf_core_bound_table tables[WF_HAL_SLOTS]);
/// Checks a range of the root block. (bind.c)
bool wf_core_check_root(struct weft_command_buffer *cmd, uint32_t limit, uint32_t offset,
                        uint32_t size);
/// The address for a root pointer; false after the error stuck. (bind.c)
bool wf_core_root_address(struct weft_command_buffer *cmd, uint32_t limit, uint32_t offset,
                          weft_buffer buffer, uint64_t buffer_offset, weft_gpu_ptr *out);
/// The pipeline, built; waits if it is still being built. NULL after the error stuck. (bind.c)
const struct wf_core_pipeline *wf_core_bind_pipeline(struct weft_command_buffer *cmd,
                                                     struct wf_core_pipeline *pipeline,
                                                     weft_object object);
/// Whether the tables hold what the pipeline needs. (check_draw.c)
bool wf_core_check_tables(struct weft_command_buffer *cmd, const struct wf_core_pipeline *pipeline,
                          const struct wf_core_bound_table tables[WF_HAL_SLOTS]);
/// How a command uses a buffer.
struct wf_core_range_use {
    weft_buffer handle;
    const struct wf_core_buffer *buf;
    weft_buffer_usage usage;
    uint64_t offset, size, alignment;
    const char *what; ///< "a vertex buffer"
};
/// Usage, alignment and range. (bind.c)
bool wf_core_check_range(struct weft_command_buffer *cmd, const struct wf_core_range_use *use);
/// Queries of a pool of `kind`: the pool, or NULL after the error stuck. (query.c)
struct wf_core_query_pool *wf_core_query_use(struct weft_command_buffer *cmd,
                                             weft_query_pool handle, weft_query_kind kind,
                                             uint32_t first, uint32_t count);
/// The two edges of a pass. False after the error stuck; `*pool` NULL: no timestamps. (query.c)
bool wf_core_pass_times(struct weft_command_buffer *cmd, const weft_pass_timestamps *times,
                        struct wf_hal_query_pool **pool);

/// Everything wrong with a pass; fills `pass` and the encoder's part about it.
/// (check_render_pass.c)
bool wf_core_check_render_pass(struct weft_command_buffer *cmd, const weft_render_pass_desc *desc,
                               const struct wf_hal_render_pass *pass);

// ---- check_draw.c ------------------------------------------------------------------------------

/// A draw that the fast path did not let through: looks again at what is stale, then reports all
/// that is wrong. True: it may be recorded after all.
bool wf_core_check_draw(weft_render_encoder *enc, uint64_t vertex_end, uint64_t instance_end);
bool wf_core_check_draw_indexed(weft_render_encoder *enc, uint64_t index_end,
                                uint64_t instance_end);
bool wf_core_check_draw_mesh(weft_render_encoder *enc, uint32_t x, uint32_t y, uint32_t z);
enum wf_core_draw { WF_CORE_DRAW_VERTICES, WF_CORE_DRAW_INDEXED, WF_CORE_DRAW_MESH };
/// Bytes of the arguments of one indirect draw.
uint32_t wf_core_indirect_bytes(enum wf_core_draw kind);
bool wf_core_check_draw_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws,
                                 enum wf_core_draw kind);
bool wf_core_check_targets(weft_render_encoder *enc, const struct wf_core_pipeline *pipeline,
                           weft_object object);
bool wf_core_check_dispatch(weft_compute_encoder *enc);

// ---- check_state.c -----------------------------------------------------------------------------

bool wf_core_check_depth_stencil(const struct wf_core_subject *on,
                                 const weft_depth_stencil_state *state);
bool wf_core_check_blend(const struct wf_core_subject *on, const weft_blend_state *state);
bool wf_core_check_raster(const struct wf_core_subject *on, const weft_raster_state *state);
/// Resolves the zeros of a state.
weft_depth_stencil_state wf_core_depth_stencil_resolved(const weft_depth_stencil_state *state);
weft_blend_state wf_core_blend_resolved(const weft_blend_state *state);

#endif
