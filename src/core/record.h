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

#define WF_CORE_EVENTS 64u

enum wf_core_command_state {
    WF_CORE_COMMAND_IDLE, ///< In the free list.
    WF_CORE_COMMAND_RECORDING,
    WF_CORE_COMMAND_EXECUTABLE,
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

/// Bits of weft_render_encoder.stale: what draws must look at again.
enum {
    WF_CORE_STALE_TABLES = 1u << 0,
    WF_CORE_STALE_STREAMS = 1u << 1,
    WF_CORE_STALE_STATE = 1u << 2,
    WF_CORE_STALE_PIPELINE = 1u << 3, ///< None is set.
    WF_CORE_STALE_ALL = (1u << 4) - 1u,
};

struct weft_render_encoder {
    // touched by every call
    struct weft_command_buffer *cmd;
    const struct wf_hal_device_ops *ops;
    struct wf_hal_command *hal;
    uint8_t state; ///< enum wf_core_encoder_state
    bool validate;
    uint32_t stale;
    uint32_t root_limit; ///< max_root_bytes
    const struct wf_core_pipeline *pipeline;
    uint64_t root_written[2];              ///< Vertex, fragment: bit per four bytes.
    uint64_t vertex_limit, instance_limit; ///< What the streams bound hold.
    uint64_t index_limit;                  ///< Indices that the index buffer holds.
    weft_index_type index_type;            ///< NONE: none bound.
    bool scissor_empty;

    // looked at when something is stale
    uint32_t table_mask, stream_mask; ///< Bound ones.
    struct wf_core_bound_table tables[WF_HAL_SLOTS];
    uint64_t stream_bytes[WF_CORE_MAX_STREAMS]; ///< From the offset to the buffer's end.
    weft_depth_stencil_state depth_stencil;
    weft_blend_state blend;
    weft_raster_state raster;

    // the pass
    struct wf_core_targets targets;
    uint32_t width, height;
    weft_aspect_set aspects, read_only; ///< Of the depth-stencil attachment.
    weft_query_pool occlusion;
    uint32_t occlusion_count;
    bool occlusion_open, statistics_open;
    uint32_t groups; ///< Open debug groups when it began.
};

struct weft_compute_encoder {
    struct weft_command_buffer *cmd;
    const struct wf_hal_device_ops *ops;
    struct wf_hal_command *hal;
    uint8_t state; ///< enum wf_core_encoder_state
    bool validate;
    bool stale; ///< Dispatches must look at the pipeline and the tables again.
    uint32_t root_limit;
    const struct wf_core_pipeline *pipeline;
    uint64_t root_written;
    uint32_t table_mask;
    struct wf_core_bound_table tables[WF_HAL_SLOTS];
    uint32_t groups;
};

/// Queries that a command buffer writes.
struct wf_core_query_use {
    weft_query_pool pool;
    uint32_t first, count;
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
    weft_queue queue;  ///< Through wf_core_queue().
    weft_result error; ///< The first one.
    struct wf_core_origin origin;
    struct wf_core_command_counts counts;
    uint64_t events; ///< Signalled by signal_after.
    uint32_t groups; ///< Open debug groups.
    weft_command_allocator allocator;
    struct wf_core_open open;
    struct wf_core_query_use *queries;
    size_t query_count, query_capacity;
    struct weft_command_buffer *next, *all_next; ///< Free ones; all of the device's.
    char label[WF_CORE_LABEL], pass[WF_CORE_LABEL];
    struct weft_render_encoder render;
    struct weft_compute_encoder compute;
};

struct wf_core_builder; ///< build.c

/// What a device keeps for this half of core. Made at start, once the hal is there.
struct wf_core_recorders {
    struct wf_base_mutex lock; ///< Guards the two lists and the pools.
    struct weft_command_buffer *free, *all;
    struct wf_hal_command_pool *pools[WEFT_QUEUE_COUNT]; ///< The device's own; NULL: not used yet.
    struct wf_base_mutex layout_lock;  ///< Guards shapes and their counts of references.
    struct wf_base_mutex surface_lock; ///< Serialises surface calls.
    struct wf_core_shape **shapes;
    size_t shape_count, shape_capacity;
    struct wf_core_builder *builder; ///< NULL until the first background pipeline.
};

/// False when out of memory.
bool wf_core_recorders_create(struct weft_device *dev);
/// Every object that recording made was destroyed and retired, and the GPU is idle. NULL-safe.
void wf_core_recorders_destroy(struct weft_device *dev);
/// Gives back every command buffer that is still recording or executable. At shutdown, before
/// objects die.
void wf_core_recorders_discard(struct weft_device *dev);

/// Makes `result` the command buffer's error if it has none yet.
static inline void wf_core_command_fail(struct weft_command_buffer *cmd, weft_result result)
{
    if (cmd->error == WEFT_OK)
        cmd->error = result;
}

#endif
