/// \file sync.h
/// Stages and barriers, queues and submission, timelines.
#ifndef WEFT_SYNC_H
#define WEFT_SYNC_H

#include <weft/base.h>
#include <weft/resource.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_command_buffer weft_command_buffer; ///< command.h

/// Stages of work, as producers and consumers of barriers.
typedef uint32_t weft_stage_set;
enum {
    WEFT_STAGE_DRAW_INDIRECT = 1u << 0, ///< Reads of indirect arguments and counts.
    WEFT_STAGE_VERTEX_INPUT = 1u << 1,  ///< Reads of vertices, instances and indices.
    WEFT_STAGE_VERTEX = 1u << 2,
    WEFT_STAGE_FRAGMENT = 1u << 3,
    WEFT_STAGE_TARGET = 1u << 4, ///< Attachments: loads, drawing, stores, resolves at the end.
    WEFT_STAGE_COMPUTE = 1u << 5,
    WEFT_STAGE_COPY = 1u << 6,         ///< Copies, fills, resolves of queries, mip generation.
    WEFT_STAGE_MESH = 1u << 7,         ///< Task and mesh shaders.
    WEFT_STAGE_ACCELERATION = 1u << 8, ///< Acceleration structure builds.
    WEFT_STAGE_HOST = 1u << 9,         ///< CPU reads of mapped memory.
    WEFT_STAGE_ALL = (1u << 10) - 1u,
};

/// Caches that a plain stage barrier does not cover. Barriers whose consumers are WEFT_STAGE_ALL,
/// and those for one buffer or texture, cover them.
typedef uint32_t weft_hazard_set;
enum {
    WEFT_HAZARD_DRAW_ARGUMENTS = 1u
                                 << 0,   ///< Indirect arguments; consumer COMPUTE or DRAW_INDIRECT.
    WEFT_HAZARD_DESCRIPTORS = 1u << 1,   ///< Heap entries written on the GPU.
    WEFT_HAZARD_DEPTH_STENCIL = 1u << 2, ///< Depth or stencil read as a texture.
};

/// What a texture is ready for.
typedef enum weft_texture_state {
    WEFT_TEXTURE_STATE_RESTING = 0, ///< Readable by any stage; a surface's: presentable.
    WEFT_TEXTURE_STATE_UNDEFINED,   ///< As `before` only: contents may be dropped.
    WEFT_TEXTURE_STATE_STORAGE,     ///< Storage reads and writes.
    WEFT_TEXTURE_STATE_COPY,
    WEFT_TEXTURE_STATE_TARGET,
    WEFT_TEXTURE_STATE_NATIVE, ///< With its host, whose own it is: weft_placement.native.
} weft_texture_state;

/// What a queue is for holds also where the device has no queue of its own for it, and the graphics
/// queue does its work.
typedef enum weft_queue {
    WEFT_QUEUE_GRAPHICS = 0, ///< Everything.
    WEFT_QUEUE_COMPUTE,      ///< No passes, mips, or copies of depth or stencil.
    WEFT_QUEUE_COPY, ///< Nor dispatches, builds and queries; offsets of texels are multiples of 4.
    WEFT_QUEUE_COUNT,
} weft_queue;

/// A texture leaves one state for another, or one queue for another.
typedef struct weft_texture_barrier {
    weft_texture texture;
    uint32_t mip, mip_count, layer, layer_count; ///< Counts 0: the rest.
    weft_texture_state before, after;
    weft_stage_set producers, consumers;
    weft_queue from, to; ///< Equal: no transfer. On a transfer both queues record it.
} weft_texture_barrier;

typedef struct weft_buffer_barrier {
    weft_buffer buffer;
    uint64_t offset, size; ///< Bytes; size 0: the rest.
    weft_stage_set producers, consumers;
    weft_queue from, to;
} weft_buffer_barrier;

// ---- barriers ----------------------------------------------------------------------------------

/// Commands of a queue begin in the order in which they were submitted and recorded, and may go on
/// side by side. Two that use the same bytes or texels, of which one writes, need a barrier between
/// them: in the command buffer of either or in one between, on the same queue. This holds inside of
/// an encoder, too, where no barrier can be recorded: it is ended, and another begun. To overwrite
/// what was read needs a barrier as well. Barriers chain: A to B and then B to C is A to C.
///
/// In order without a barrier are
/// - what the draws of one pass do to its attachments, its loads, stores and resolves;
/// - atomics among themselves; and what else the invocations of one dispatch, or of the draws of
/// one
///   pass, do through tables, pointers and the heap is their own business;
/// - uploads (weft_buffer_write(), weft_texture_write(), first contents), which run before the
///   submission that follows, and reads, each after everything before and before all that follows;
/// - what was done to a surface's image before it was acquired;
/// - whatever the CPU knows to have finished, by waiting or by asking, before what it submits then.
///
/// Queues are ordered by timelines alone: `stages` of a signal are its producers, those of a wait
/// its consumers. FULL validation reports what lacks a barrier (docs/barriers.md).

/// Work of `producers` recorded before happens before work of `consumers` recorded after, with its
/// writes visible. From COMPUTE to ALL it is the conservative barrier: shader reads and writes,
/// sampled reads, vertex, index and instance fetch and indirect reads all see the writes. It is no
/// read-back fence. Outside of encoders only.
WEFT_API void weft_command_barrier(weft_command_buffer *cmd, weft_stage_set producers,
                                   weft_stage_set consumers, weft_hazard_set hazards);
/// Likewise for parts of textures, whose state changes from `before` to `after`.
WEFT_API void weft_command_texture_barrier(weft_command_buffer *cmd,
                                           const weft_texture_barrier *barriers, uint32_t count);
/// Likewise for ranges of buffers.
WEFT_API void weft_command_buffer_barrier(weft_command_buffer *cmd,
                                          const weft_buffer_barrier *barriers, uint32_t count);
/// Memory that `before` used is used by `after` from here on, after all that was done to `before`.
/// The none handle stands for any. A texture that shares memory with other resources comes to life
/// where it is named as `after`, its contents undefined: also for its first use, and when `before`
/// has been destroyed.
WEFT_API void weft_command_alias_barrier(weft_command_buffer *cmd, weft_object before,
                                         weft_object after);

/// Split barriers. Need WEFT_FEATURE_SPLIT_BARRIERS. `event` is below 64, for this command buffer
/// only.
WEFT_API void weft_command_signal_after(weft_command_buffer *cmd, weft_stage_set producers,
                                        uint32_t event);
WEFT_API void weft_command_wait_before(weft_command_buffer *cmd, weft_stage_set consumers,
                                       weft_hazard_set hazards, uint32_t event);

// ---- timelines ---------------------------------------------------------------------------------

/// Parameters of weft_timeline_create(), which may be NULL: all zero.
typedef struct weft_timeline_desc {
    uint64_t initial;
    const char *label;
} weft_timeline_desc;
WEFT_API weft_result weft_timeline_create(weft_device *device, const weft_timeline_desc *desc,
                                          weft_timeline *out);
WEFT_API void weft_timeline_destroy(weft_device *device, weft_timeline timeline);
/// The value reached; 0 for a bad handle, UINT64_MAX once the device is lost.
WEFT_API uint64_t weft_timeline_value(weft_device *device, weft_timeline timeline);
/// Blocks until `value` is reached: WEFT_OK, WEFT_ERROR_TIMEOUT, or WEFT_ERROR_LOST. Waiting for a
/// value that nothing submitted will reach is an error without WEFT_FEATURE_TIMELINE_ANY_ORDER.
WEFT_API weft_result weft_timeline_wait(weft_device *device, weft_timeline timeline, uint64_t value,
                                        uint64_t timeout_ns);
/// Sets the value from the CPU; it must be larger than the current one.
WEFT_API weft_result weft_timeline_signal(weft_device *device, weft_timeline timeline,
                                          uint64_t value);

typedef struct weft_timeline_point {
    weft_timeline timeline;
    uint64_t value;
    weft_stage_set stages; ///< Waits: what must wait; signals: after what. 0: ALL.
} weft_timeline_point;

// ---- submission --------------------------------------------------------------------------------

/// Parameters of weft_queue_submit().
typedef struct weft_submit {
    weft_command_buffer *const *commands; ///< In order; each executable, submitted once.
    uint32_t command_count;
    const weft_timeline_point *waits; ///< Values already submitted, unless TIMELINE_ANY_ORDER.
    uint32_t wait_count;
    const weft_timeline_point *signals;
    uint32_t signal_count;
    const weft_surface *surfaces; ///< Acquired surfaces written here.
    uint32_t surface_count;
} weft_submit;

/// Submits. `*serial` (may be NULL) is the submission's number, rising from 1 over all queues. All
/// or nothing: on failure no command buffer was submitted. On success every command buffer is given
/// up: the pointer is invalid afterwards.
WEFT_API weft_result weft_queue_submit(weft_device *device, weft_queue queue,
                                       const weft_submit *submit, uint64_t *serial);
/// Blocks until the submission with that serial has finished.
WEFT_API weft_result weft_serial_wait(weft_device *device, uint64_t serial, uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif

#endif
