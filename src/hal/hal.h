/// The hal: one table of functions per opened device, between core and the backends.
///
/// Core has validated every argument, resolved every default and clipped every zero-sized command;
/// hooks keep only asserts. The hal knows no handle, no rule and no public object: public
/// descriptions appear here only if they hold no handle. Each hook's comment is its contract; a
/// hook is required unless it names the capability that makes it optional (wf_hal_ops_check()
/// asserts it when a device opens).
///
/// Threads: creation and destruction of objects, queue_submit, waits and polls may come from any
/// threads at once. One command buffer is recorded by one thread at a time. Core never destroys an
/// object before every submission that could use it has finished, and serialises queue_submit,
/// surface calls, and heap_open with heap_write and heap_write_acceleration.
#ifndef WF_HAL_HAL_H
#define WF_HAL_HAL_H

#include <weft/interop/native.h>
#include <weft/weft.h>

#include "base/alloc.h"
#include "base/log.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_shader_module; ///< shader/module.h
struct wf_shader_entry;
struct wf_shader_error;

#define WF_HAL_SLOTS         WEFT_ARGUMENT_SLOTS
#define WF_HAL_MAX_COLORS    8u
#define WF_HAL_REASON_LENGTH 192u
/// Acquiring waits at most so long for a window that its window system does not draw.
#define WF_HAL_WINDOW_WAIT_NS UINT64_C(100000000)
/// After so long in all a frame is drawn without being asked for: what was waited for may not come
/// (a window that was hidden and is shown again waits for the frame), and once in a while costs
/// little.
#define WF_HAL_WINDOW_GIVE_UP_NS UINT64_C(2000000000)

struct wf_hal_device;
struct wf_hal_command;      ///< One command buffer.
struct wf_hal_command_pool; ///< One command allocator.

// ---- opening -----------------------------------------------------------------------------------

/// What a backend is opened with. Pointers live as long as the device, except where a comment says
/// less.
struct wf_hal_open {
    const struct wf_base_allocator *allocator;
    const struct wf_base_log *log;
    const weft_software_options *software;     ///< Never NULL; only during open.
    const weft_surface_target *surface;        ///< NULL: none. Only during open.
    const weft_requirements *require, *prefer; ///< To choose among adapters. Only during open.
    /// The host's own device; NULL: none. Only during open. Only if wf_hal_backend.shares.
    const weft_native *native;
    bool gpu_only; ///< Adapters that run on the CPU are no choice: the software device is better.
    weft_validation validation; ///< FULL: turn the driver's own checks on too.
    /// Told what the driver or its checks say while the device lives; any thread. `id` names the
    /// driver's rule, or is "".
    void (*message)(void *user, weft_severity severity, const char *id, const char *text);
    void *message_user;
    uint32_t frames_in_flight;
};

/// A backend of the registry.
struct wf_hal_backend {
    weft_backend id;
    /// Lists adapters: writes at most `*count`, sets `*count` to how many there are. `out` may be
    /// NULL.
    weft_result (*adapters)(weft_capabilities *out, uint32_t *count);
    bool shares; ///< It can use a device of the host's own.
    /// Opens a device. On failure `*out` is NULL and `reason` says why, in one sentence without a
    /// full stop. WEFT_ERROR_USAGE: `open->native` is not as the backend's header asks.
    weft_result (*open)(const struct wf_hal_open *open, struct wf_hal_device **out,
                        char reason[WF_HAL_REASON_LENGTH]);
};

/// Backend number `index` of this build in order of preference; NULL past the end.
const struct wf_hal_backend *wf_hal_backend_at(uint32_t index);
const struct wf_hal_backend *wf_hal_backend_find(weft_backend id);

// ---- objects: the part that core sees; each backend's structure begins with it -----------------

struct wf_hal_memory_block {
    uint64_t size;
    weft_memory memory;
    void *watch; ///< Core's, see wf_hal_device.
};

struct wf_hal_buffer {
    uint64_t size;
    weft_buffer_usage usage;
    weft_memory memory;   ///< Never AUTO.
    uint8_t *mapped;      ///< NULL for GPU memory (even if the backend could map it).
    weft_gpu_ptr address; ///< 0 without pointers or usage ADDRESS.
    /// Optional: a buffer over all the memory that this one and others lie in, this one at
    /// `whole_offset`. It lives as long, and takes copies: one for all of them.
    struct wf_hal_buffer *whole;
    uint64_t whole_offset;
    void *watch; ///< Core's, see wf_hal_device.
};

struct wf_hal_texture {
    weft_texture_desc desc; ///< Resolved: no zero counts; label, placement and clear hint cleared.
    void *watch;            ///< Core's, see wf_hal_device.
};

struct wf_hal_texture_view {
    struct wf_hal_texture *texture;
    weft_texture_view_desc desc; ///< Resolved; handles and label cleared.
};

struct wf_hal_sampler {
    weft_sampler_desc desc; ///< Resolved; label cleared.
};

/// Its own memory but not its scratch.
struct wf_hal_acceleration {
    weft_acceleration_level level;
    weft_acceleration_flags flags;
    uint64_t size; ///< Bytes.
    weft_gpu_ptr address;
    void *watch; ///< Core's, see wf_hal_device.
};

struct wf_hal_layout {
    const struct wf_hal_argument *arguments; ///< Sorted by binding; the backend's copy.
    uint32_t argument_count;
    uint32_t element_count; ///< Sum of the counts.
    uint32_t dynamic_count; ///< Elements that take an offset.
};

/// One version of an argument table.
struct wf_hal_table {
    const struct wf_hal_layout *layout;
    void *watch; ///< Core's, see wf_hal_device.
};

struct wf_hal_shader {
    const struct wf_shader_module *module; ///< Core's; outlives the shader and its pipelines.
};

struct wf_hal_pipeline {
    bool compute;
};

struct wf_hal_query_pool {
    weft_query_kind kind;
    uint32_t count;
};

struct wf_hal_timeline {
    uint64_t initial;
};

struct wf_hal_surface {
    weft_surface_kind kind;
};

/// What surface_acquire says beyond weft_acquire_status: memory ran out, the next time there may
/// be some.
#define WF_HAL_ACQUIRE_MEMORY ((weft_acquire_status)(WEFT_ACQUIRE_LOST + 1))

struct wf_hal_command {
    struct wf_hal_device *dev;
    weft_queue queue;
    void *watch; ///< Core's, see wf_hal_device.
};

// ---- descriptions with pointers for handles ----------------------------------------------------

/// What the host made itself, in a structure of the backend's header in weft/interop/. Where it is
/// not as that asks, creating the object fails with WEFT_ERROR_USAGE, and `reason` says why, in one
/// sentence without a full stop.
struct wf_hal_native {
    const void *object; ///< Only during the call.
    size_t size;        ///< Not checked.
    char reason[WF_HAL_REASON_LENGTH];
};

/// Where a structure of such a header is to be written.
struct wf_hal_native_place {
    void *out;   ///< Zeroed.
    size_t size; ///< Not checked.
};

/// A place in a block; block NULL: own memory, unless it is native.
struct wf_hal_placement {
    struct wf_hal_memory_block *block;
    uint64_t offset;
    struct wf_hal_native *native; ///< Or this is all: the host's own, never freed. NULL: it is not.
};

/// Part of a bottom level; as weft_acceleration_geometry, resolved: no stride is 0. The buffers are
/// NULL where only sizes are asked for.
struct wf_hal_geometry {
    weft_geometry_kind kind;
    weft_geometry_flags flags;
    uint32_t count;
    struct wf_hal_buffer *buffer;
    uint64_t offset;
    uint32_t stride;
    uint32_t vertex_count;
    weft_vertex_format format;
    weft_index_type index_type;
    struct wf_hal_buffer *indices; ///< NULL also without indices.
    uint64_t index_offset;
    bool transformed;
    struct wf_hal_buffer *transform; ///< NULL also without a transform.
    uint64_t transform_offset;
};

struct wf_hal_acceleration_desc {
    weft_acceleration_level level;
    weft_acceleration_flags flags;
    const struct wf_hal_geometry *geometries; ///< In counts, the most that builds will have.
    uint32_t geometry_count;
    uint32_t instance_count;
};

struct wf_hal_acceleration_build {
    struct wf_hal_acceleration *structure;
    const struct wf_hal_geometry *geometries;
    uint32_t geometry_count;
    uint32_t instance_count;
    struct wf_hal_buffer *instances; ///< NULL for a bottom level.
    uint64_t instance_offset;
    bool update;
    struct wf_hal_buffer *scratch; ///< Enough of it.
    uint64_t scratch_offset;       ///< A multiple of 256, where the buffer's address is one.
};

/// One entry of a layout; as weft_argument.
struct wf_hal_argument {
    uint32_t binding, count;
    uint32_t first_element; ///< Sum of the counts of smaller bindings.
    weft_argument_type type;
    weft_shader_stages stages;
    weft_argument_flags flags;
    weft_view_kind view;
    bool multisampled;
    weft_sample_class sampled;
    weft_format storage;
    struct wf_hal_sampler *fixed; ///< NULL: none.
};

/// New contents of one element.
struct wf_hal_write {
    uint32_t argument; ///< Index into layout->arguments.
    uint32_t element;  ///< Within that argument.
    struct wf_hal_buffer *buffer;
    uint64_t offset, size; ///< Within the buffer; size never 0.
    struct wf_hal_texture_view *view;
    struct wf_hal_sampler *sampler;
    struct wf_hal_acceleration *acceleration;
};

/// A shader as a pipeline uses it.
struct wf_hal_stage {
    struct wf_hal_shader *shader; ///< NULL: stage unused.
    const struct wf_shader_entry *entry;
    const weft_constant *constants;
    uint32_t constant_count;
};

struct wf_hal_graphics_pipeline_desc {
    struct wf_hal_stage vertex, fragment; ///< No vertex shader: a mesh shader.
    struct wf_hal_stage task, mesh;
    const struct wf_hal_layout *layouts[WF_HAL_SLOTS]; ///< NULL: slot unused.
    uint32_t root_bytes;                               ///< Used by any stage, a multiple of 4.
    const weft_vertex_stream *streams;
    uint32_t stream_count;
    const weft_vertex_attribute *attributes;
    uint32_t attribute_count;
    weft_topology topology;
    weft_index_type restart;
    weft_format colors[WF_HAL_MAX_COLORS];
    weft_format depth_stencil;
    uint32_t samples, sample_mask; ///< Resolved: at least 1; all-ones for all.
    weft_pipeline_flags flags;
    const weft_pipeline_state *states; ///< Resolved, at least one.
    uint32_t state_count;
    const char *label; ///< "" if none.
};

struct wf_hal_compute_pipeline_desc {
    struct wf_hal_stage compute;
    const struct wf_hal_layout *layouts[WF_HAL_SLOTS];
    uint32_t root_bytes;
    const char *label;
};

struct wf_hal_color_attachment {
    struct wf_hal_texture_view *view;    ///< NULL: unused slot.
    struct wf_hal_texture_view *resolve; ///< NULL: none.
    weft_load load;
    weft_store store;
    weft_clear_color clear;
};

struct wf_hal_render_pass {
    struct wf_hal_color_attachment colors[WF_HAL_MAX_COLORS];
    struct wf_hal_texture_view *depth_stencil; ///< NULL: none.
    weft_load depth_load, stencil_load;        ///< For aspects that the format has.
    weft_store depth_store, stencil_store;
    float clear_depth;
    uint32_t clear_stencil;
    weft_aspect_set read_only;
    uint32_t width, height, samples; ///< Of the attachments, or as given without any.
    uint32_t layers;                 ///< Of every attachment, slices of 3D ones; at least 1.
    struct wf_hal_query_pool *occlusion;
    struct wf_hal_query_pool *times; ///< NULL: no timestamps.
    uint32_t time_begin, time_end;   ///< UINT32_MAX: not this edge.
    const char *label;
};

/// As weft_texel_layout, with row_bytes and slice_rows resolved (never 0).
struct wf_hal_texel_layout {
    uint64_t offset;
    uint64_t row_bytes;
    uint64_t slice_rows;
};

struct wf_hal_indirect {
    struct wf_hal_buffer *buffer;
    uint64_t offset;
    uint32_t stride; ///< Resolved.
    uint32_t max_count;
    struct wf_hal_buffer *count_buffer; ///< NULL: exactly max_count.
    uint64_t count_offset;
    uint32_t root_stride; ///< 0: none.
    weft_gpu_ptr root_base;
};

struct wf_hal_texture_barrier {
    struct wf_hal_texture *texture;
    uint32_t mip, mip_count, layer, layer_count;
    weft_texture_state before, after;
    weft_stage_set producers, consumers;
    weft_queue from, to;
};

struct wf_hal_buffer_barrier {
    struct wf_hal_buffer *buffer;
    uint64_t offset, size;
    weft_stage_set producers, consumers;
    weft_queue from, to;
};

struct wf_hal_timeline_point {
    struct wf_hal_timeline *timeline;
    uint64_t value;
    weft_stage_set stages;
};

struct wf_hal_submit {
    struct wf_hal_command *const *commands;
    uint32_t command_count;
    const struct wf_hal_timeline_point *waits;
    uint32_t wait_count;
    const struct wf_hal_timeline_point *signals;
    uint32_t signal_count;
    struct wf_hal_surface *const *surfaces;
    uint32_t surface_count;
    uint64_t serial; ///< One more than the submission before, over all queues.
};

/// What shaders reached through a pointer, or through an entry of the heap.
struct wf_hal_touch {
    weft_shader_stages stage; ///< One bit.
    bool write, atomic;       ///< Atomics are writes.
    weft_gpu_ptr address;
    uint64_t size;
    const struct wf_hal_texture_view *view; ///< Not NULL: the heap's; no address.
};

/// Bytes that a copy from buffer to buffer moves.
struct wf_hal_buffer_copy {
    uint64_t src_offset, dst_offset, size;
};

// ---- the table ---------------------------------------------------------------------------------

/// One opened device. Arguments are validated and complete; hooks do not check them again.
struct wf_hal_device_ops {
// NOLINTNEXTLINE(bugprone-macro-parentheses): types stand in no parentheses
#define WF_HAL_HOOK(result, name, parameters) result(*name) parameters;
#include "hal/hooks.def"
};

/// An opened device; each backend's structure begins with it.
struct wf_hal_device {
    const struct wf_hal_device_ops *ops;
    const struct wf_base_allocator *allocator;
    const struct wf_base_log *log;
    weft_capabilities caps; ///< Filled before open returns, constant from then on.
    /// Core's, for a backend that sees what shaders reach (`tells`); NULL: nobody asks. Called
    /// while commands are executed, in order: for each touch of a dispatch or of a pass's draws,
    /// and then with NULL where the dispatch or the pass ends, be there touches or not.
    void (*touched)(const struct wf_hal_command *cmd, const struct wf_hal_touch *touch);
    bool tells;
    bool lingers; ///< Images of a window that is configured anew stay until submissions left them.
    void *watch;  ///< Core's, at FULL validation; as in some objects. Backends leave
                  ///< these alone.
};

/// Asserts that the table holds every hook that the device's capabilities make required.
void wf_hal_ops_check(const struct wf_hal_device *dev);

#ifdef __cplusplus
}
#endif

#endif
