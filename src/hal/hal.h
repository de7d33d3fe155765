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
/// surface calls and heap_write.
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
    void *watch;          ///< Core's, see wf_hal_device.
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
    /// Waits for everything and frees the device. Every object has been destroyed before.
    void (*destroy)(struct wf_hal_device *dev);

    /// Tells what is behind a device (`object` NULL), buffer, texture, texture view, timeline or
    /// command buffer, in the structure of the backend's header in weft/interop/.
    /// WEFT_ERROR_USAGE, nothing written, if that has another size. A command's state is unknown
    /// from then on: the host records what it likes. Optional: NULL where nothing is shared; then
    /// no placement is native.
    weft_result (*native_get)(struct wf_hal_device *dev, weft_object_kind kind, void *object,
                              const struct wf_hal_native_place *place);

    // memory. Failures: WEFT_ERROR_MEMORY, WEFT_ERROR_DEVICE_MEMORY, WEFT_ERROR_LOST, and
    // WEFT_ERROR_UNSUPPORTED for a kind of memory that is not there or does not suit.
    void (*buffer_needs)(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                         weft_memory_needs *out);
    void (*texture_needs)(struct wf_hal_device *dev, const weft_texture_desc *desc,
                          weft_memory_needs *out);
    /// Optional unless WEFT_FEATURE_PLACED_RESOURCES.
    weft_result (*memory_block_create)(struct wf_hal_device *dev,
                                       const weft_memory_block_desc *desc,
                                       struct wf_hal_memory_block **out);
    void (*memory_block_destroy)(struct wf_hal_device *dev, struct wf_hal_memory_block *block);
    weft_memory_budget (*memory_budget)(struct wf_hal_device *dev); ///< used and available only.

    // buffers. `desc->data` is ignored: core uploads.
    weft_result (*buffer_create)(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                                 const struct wf_hal_placement *place, struct wf_hal_buffer **out);
    void (*buffer_destroy)(struct wf_hal_device *dev, struct wf_hal_buffer *buf);
    /// CPU writes in the range become visible to later submissions, or GPU writes to the CPU.
    void (*buffer_flush)(struct wf_hal_device *dev, struct wf_hal_buffer *buf, uint64_t offset,
                         uint64_t size);

    // textures, views, samplers
    weft_result (*texture_create)(struct wf_hal_device *dev, const weft_texture_desc *desc,
                                  const struct wf_hal_placement *place,
                                  struct wf_hal_texture **out);
    void (*texture_destroy)(struct wf_hal_device *dev, struct wf_hal_texture *tex);
    weft_result (*texture_view_create)(struct wf_hal_device *dev, struct wf_hal_texture *tex,
                                       const weft_texture_view_desc *desc,
                                       struct wf_hal_texture_view **out);
    void (*texture_view_destroy)(struct wf_hal_device *dev, struct wf_hal_texture_view *view);
    weft_result (*sampler_create)(struct wf_hal_device *dev, const weft_sampler_desc *desc,
                                  struct wf_hal_sampler **out);
    void (*sampler_destroy)(struct wf_hal_device *dev, struct wf_hal_sampler *sampler);
    /// These are optional unless WEFT_FEATURE_RAY_QUERY. Buffers with usage ACCELERATION have
    /// addresses that are multiples of 256.
    void (*acceleration_sizes)(struct wf_hal_device *dev,
                               const struct wf_hal_acceleration_desc *desc,
                               weft_acceleration_sizes *out);
    weft_result (*acceleration_create)(struct wf_hal_device *dev,
                                       const struct wf_hal_acceleration_desc *desc,
                                       struct wf_hal_acceleration **out);
    void (*acceleration_destroy)(struct wf_hal_device *dev, struct wf_hal_acceleration *structure);
    /// Entry `index` of WEFT_HEAP_ACCELERATION, which heap_write never gets. NULL empties it.
    void (*heap_write_acceleration)(struct wf_hal_device *dev, uint32_t index,
                                    struct wf_hal_acceleration *structure);
    /// Entry `index` of the heap. One of view and sampler; both NULL empties it. Live.
    /// Optional unless WEFT_FEATURE_HEAP.
    void (*heap_write)(struct wf_hal_device *dev, weft_heap_kind kind, uint32_t index,
                       struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler);

    // shaders and pipelines
    /// Takes a module that the reader accepted. WEFT_ERROR_SHADER with `error` filled: it needs
    /// what the device lacks.
    weft_result (*shader_create)(struct wf_hal_device *dev, const struct wf_shader_module *module,
                                 struct wf_hal_shader **out, struct wf_shader_error *error);
    void (*shader_destroy)(struct wf_hal_device *dev, struct wf_hal_shader *shader);
    weft_result (*layout_create)(struct wf_hal_device *dev, const struct wf_hal_argument *arguments,
                                 uint32_t argument_count, struct wf_hal_layout **out);
    void (*layout_destroy)(struct wf_hal_device *dev, struct wf_hal_layout *layout);
    /// May run on any thread for BACKGROUND pipelines. WEFT_ERROR_SHADER with `error` filled, or
    /// memory. `desc`, its arrays and its modules live as long as the pipeline; its shaders and
    /// layouts need not.
    weft_result (*graphics_pipeline_create)(struct wf_hal_device *dev,
                                            const struct wf_hal_graphics_pipeline_desc *desc,
                                            struct wf_hal_pipeline **out,
                                            struct wf_shader_error *error);
    weft_result (*compute_pipeline_create)(struct wf_hal_device *dev,
                                           const struct wf_hal_compute_pipeline_desc *desc,
                                           struct wf_hal_pipeline **out,
                                           struct wf_shader_error *error);
    void (*pipeline_destroy)(struct wf_hal_device *dev, struct wf_hal_pipeline *pipeline);
    /// Writes what the driver keeps of the pipelines made so far: at most `*size` bytes, which it
    /// sets to how many they are; `data` NULL: to how many there are. False if it cannot.
    /// Optional, as the next one is, unless WEFT_FEATURE_PIPELINE_CACHE.
    bool (*pipeline_cache_save)(struct wf_hal_device *dev, void *data, size_t *size);
    /// Adds what a device of an adapter with this name and driver saved. `data`, at a multiple of
    /// 8, is not trusted to be so: false, and nothing is added, if it is not the driver's own.
    /// Called before any pipeline is made.
    bool (*pipeline_cache_load)(struct wf_hal_device *dev, const void *data, size_t size);

    // argument tables. A version that a submission in flight uses is never written: core makes
    // another.
    weft_result (*table_create)(struct wf_hal_device *dev, struct wf_hal_layout *layout,
                                struct wf_hal_table **out);
    void (*table_destroy)(struct wf_hal_device *dev, struct wf_hal_table *table);
    /// On failure the elements are undefined: core writes them again before it uses the table.
    weft_result (*table_write)(struct wf_hal_device *dev, struct wf_hal_table *table,
                               const struct wf_hal_write *writes, uint32_t count);

    // queries
    weft_result (*query_pool_create)(struct wf_hal_device *dev, const weft_query_pool_desc *desc,
                                     struct wf_hal_query_pool **out);
    void (*query_pool_destroy)(struct wf_hal_device *dev, struct wf_hal_query_pool *pool);
    /// Results as uint64 (statistics: 7 each). Only called when every submission that wrote them is
    /// done.
    weft_result (*query_pool_read)(struct wf_hal_device *dev, struct wf_hal_query_pool *pool,
                                   uint32_t first, uint32_t count, uint64_t *out);

    // timelines and queues
    weft_result (*timeline_create)(struct wf_hal_device *dev, uint64_t initial,
                                   struct wf_hal_timeline **out);
    void (*timeline_destroy)(struct wf_hal_device *dev, struct wf_hal_timeline *timeline);
    uint64_t (*timeline_value)(struct wf_hal_device *dev, struct wf_hal_timeline *timeline);
    /// WEFT_OK, WEFT_ERROR_TIMEOUT or WEFT_ERROR_LOST. Optional unless WEFT_FEATURE_BLOCKING_WAIT.
    weft_result (*timeline_wait)(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                 uint64_t value, uint64_t timeout_ns);
    weft_result (*timeline_signal)(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                   uint64_t value);
    /// All or nothing. Takes the commands: they return to their pool when the submission has
    /// finished.
    weft_result (*queue_submit)(struct wf_hal_device *dev, weft_queue queue,
                                const struct wf_hal_submit *submit);
    /// The largest serial such that it and all before it have finished. Cheap.
    uint64_t (*serial_finished)(struct wf_hal_device *dev);
    /// Until serial_finished() >= serial. On a lost device it returns WEFT_ERROR_LOST, but not
    /// before what was submitted has left its objects alone. Optional unless
    /// WEFT_FEATURE_BLOCKING_WAIT.
    weft_result (*serial_wait)(struct wf_hal_device *dev, uint64_t serial, uint64_t timeout_ns);
    /// True once the device is lost; `reason` (may be NULL) says why. Cheap.
    bool (*lost)(struct wf_hal_device *dev, char reason[WF_HAL_REASON_LENGTH]);

    // surfaces
    weft_result (*surface_create)(struct wf_hal_device *dev, const weft_surface_target *target,
                                  struct wf_hal_surface **out);
    void (*surface_destroy)(struct wf_hal_device *dev, struct wf_hal_surface *surface);
    /// No formats: its window is gone.
    /// Memory, WEFT_ERROR_SURFACE or WEFT_ERROR_LOST if it cannot be asked.
    weft_result (*surface_query)(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                 weft_surface_info *out);
    /// On failure the old configuration stays. `config` becomes the actual one. An image that is
    /// acquired goes back with the others.
    weft_result (*surface_configure)(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                     weft_surface_config *config);
    /// The texture belongs to the surface and stays the same object for the same image. Or
    /// WF_HAL_ACQUIRE_MEMORY.
    weft_acquire_status (*surface_acquire)(struct wf_hal_device *dev,
                                           struct wf_hal_surface *surface,
                                           struct wf_hal_texture **out);
    weft_result (*surface_present)(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                   const weft_rect *damage, uint32_t damage_count);
    /// Texture presented last, for reading back; NULL if none. HEADLESS only.
    struct wf_hal_texture *(*surface_presented)(struct wf_hal_device *dev,
                                                struct wf_hal_surface *surface);

    // command buffers
    weft_result (*command_pool_create)(struct wf_hal_device *dev, weft_queue queue,
                                       struct wf_hal_command_pool **out);
    void (*command_pool_destroy)(struct wf_hal_device *dev, struct wf_hal_command_pool *pool);
    /// Every command of it is finished or discarded.
    void (*command_pool_reset)(struct wf_hal_device *dev, struct wf_hal_command_pool *pool);
    weft_result (*command_begin)(struct wf_hal_device *dev, struct wf_hal_command_pool *pool,
                                 struct wf_hal_command **out);
    /// WEFT_ERROR_MEMORY if recording ran out of memory (sticky until here).
    weft_result (*command_end)(struct wf_hal_command *cmd);
    void (*command_discard)(struct wf_hal_command *cmd); ///< Recording or ended, not submitted.

    // commands outside of passes
    void (*cmd_barrier)(struct wf_hal_command *cmd, weft_stage_set producers,
                        weft_stage_set consumers, weft_hazard_set hazards);
    void (*cmd_texture_barrier)(struct wf_hal_command *cmd,
                                const struct wf_hal_texture_barrier *barriers, uint32_t count);
    void (*cmd_buffer_barrier)(struct wf_hal_command *cmd,
                               const struct wf_hal_buffer_barrier *barriers, uint32_t count);
    /// Between everything. `after` (NULL: another resource) is used from here on, its contents
    /// undefined.
    void (*cmd_alias_barrier)(struct wf_hal_command *cmd, struct wf_hal_texture *after);
    /// These two are optional unless WEFT_FEATURE_SPLIT_BARRIERS.
    void (*cmd_signal_after)(struct wf_hal_command *cmd, weft_stage_set producers, uint32_t event);
    void (*cmd_wait_before)(struct wf_hal_command *cmd, weft_stage_set consumers,
                            weft_hazard_set hazards, uint32_t event);
    void (*cmd_push_group)(struct wf_hal_command *cmd, const char *label);
    void (*cmd_pop_group)(struct wf_hal_command *cmd);
    void (*cmd_marker)(struct wf_hal_command *cmd, const char *label);
    /// Optional unless WEFT_FEATURE_TIMESTAMPS_ANYWHERE.
    void (*cmd_write_timestamp)(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                                uint32_t query);
    void (*cmd_resolve_queries)(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                                uint32_t first, uint32_t count, struct wf_hal_buffer *buf,
                                uint64_t offset);

    // render passes. All state is unset at begin; core sets what it documents as initial.
    void (*cmd_begin_render)(struct wf_hal_command *cmd, const struct wf_hal_render_pass *pass);
    void (*cmd_end_render)(struct wf_hal_command *cmd);
    void (*cmd_set_pipeline)(struct wf_hal_command *cmd, struct wf_hal_pipeline *pipeline);
    void (*cmd_set_depth_stencil)(struct wf_hal_command *cmd,
                                  const weft_depth_stencil_state *state);
    void (*cmd_set_blend)(struct wf_hal_command *cmd, const weft_blend_state *state);
    void (*cmd_set_raster)(struct wf_hal_command *cmd, const weft_raster_state *state);
    void (*cmd_set_viewport)(struct wf_hal_command *cmd, const weft_viewport *viewport);
    /// Already intersected with the target; may be empty.
    void (*cmd_set_scissor)(struct wf_hal_command *cmd, const weft_rect *scissor);
    void (*cmd_set_stencil_reference)(struct wf_hal_command *cmd, uint32_t reference);
    void (*cmd_set_blend_constant)(struct wf_hal_command *cmd, const float color[4]);
    /// For the current encoder, render or compute. `offsets`: layout->dynamic_count of them. They
    /// stay over pipeline changes, within the encoder.
    void (*cmd_set_table)(struct wf_hal_command *cmd, uint32_t slot, struct wf_hal_table *table,
                          const uint32_t *offsets, uint32_t offset_count);
    /// `stages`: VERTEX (for all that come before the rasterizer, task and mesh shaders, too),
    /// FRAGMENT or both; or COMPUTE.
    void (*cmd_set_root)(struct wf_hal_command *cmd, weft_shader_stages stages, uint32_t offset,
                         const void *data, uint32_t size);
    void (*cmd_set_vertex_buffer)(struct wf_hal_command *cmd, uint32_t slot,
                                  struct wf_hal_buffer *buf, uint64_t offset);
    void (*cmd_set_index_buffer)(struct wf_hal_command *cmd, struct wf_hal_buffer *buf,
                                 uint64_t offset, weft_index_type type);
    void (*cmd_draw)(struct wf_hal_command *cmd, uint32_t vertex_count, uint32_t instance_count,
                     uint32_t first_vertex, uint32_t first_instance);
    void (*cmd_draw_indexed)(struct wf_hal_command *cmd, uint32_t index_count,
                             uint32_t instance_count, uint32_t first_index, int32_t vertex_offset,
                             uint32_t first_instance);
    /// These two are optional unless WEFT_FEATURE_INDIRECT_DRAWS.
    void (*cmd_draw_indirect)(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws);
    void (*cmd_draw_indexed_indirect)(struct wf_hal_command *cmd,
                                      const struct wf_hal_indirect *draws);
    /// With mesh pipelines, where the other draws are with pipelines that are none. Optional unless
    /// WEFT_FEATURE_MESH_SHADERS; indirect ones come only with WEFT_FEATURE_INDIRECT_DRAWS.
    void (*cmd_draw_mesh)(struct wf_hal_command *cmd, uint32_t x, uint32_t y, uint32_t z);
    void (*cmd_draw_mesh_indirect)(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws);
    /// Optional unless WEFT_FEATURE_OCCLUSION_QUERIES.
    void (*cmd_begin_occlusion)(struct wf_hal_command *cmd, uint32_t query);
    void (*cmd_end_occlusion)(struct wf_hal_command *cmd);
    /// Optional unless WEFT_FEATURE_PIPELINE_STATISTICS.
    void (*cmd_begin_statistics)(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                                 uint32_t query);
    void (*cmd_end_statistics)(struct wf_hal_command *cmd);

    // compute encoders
    void (*cmd_begin_compute)(struct wf_hal_command *cmd, struct wf_hal_query_pool *times,
                              uint32_t time_begin, uint32_t time_end, const char *label);
    void (*cmd_end_compute)(struct wf_hal_command *cmd);
    void (*cmd_set_compute_pipeline)(struct wf_hal_command *cmd, struct wf_hal_pipeline *pipeline);
    /// These two are optional unless WEFT_FEATURE_COMPUTE.
    void (*cmd_dispatch)(struct wf_hal_command *cmd, uint32_t x, uint32_t y, uint32_t z);
    void (*cmd_dispatch_indirect)(struct wf_hal_command *cmd, struct wf_hal_buffer *buf,
                                  uint64_t offset);
    /// `regions` do not overlap in `dst`; at least one.
    void (*cmd_copy_buffer)(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                            struct wf_hal_buffer *dst, const struct wf_hal_buffer_copy *regions,
                            uint32_t region_count);
    /// Regions are resolved (no zero extent, one aspect) and inside the texture.
    void (*cmd_copy_buffer_to_texture)(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                                       const struct wf_hal_texel_layout *layout,
                                       struct wf_hal_texture *dst,
                                       const weft_texture_region *region);
    void (*cmd_copy_texture_to_buffer)(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                                       const weft_texture_region *region, struct wf_hal_buffer *dst,
                                       const struct wf_hal_texel_layout *layout);
    void (*cmd_copy_texture)(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                             const weft_texture_region *src_region, struct wf_hal_texture *dst,
                             const weft_texture_region *dst_region);
    void (*cmd_fill_buffer)(struct wf_hal_command *cmd, struct wf_hal_buffer *buf, uint64_t offset,
                            uint64_t size, uint32_t value);
    /// Optional unless WEFT_FEATURE_RAY_QUERY.
    void (*cmd_build_acceleration)(struct wf_hal_command *cmd,
                                   const struct wf_hal_acceleration_build *build);
    /// Optional unless WEFT_FEATURE_GENERATE_MIPS.
    void (*cmd_generate_mips)(struct wf_hal_command *cmd, struct wf_hal_texture *tex);
    /// Optional unless WEFT_FEATURE_GPU_HEAP_WRITES.
    void (*cmd_write_heap)(struct wf_hal_command *cmd, weft_heap_kind kind, uint32_t index,
                           struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler);
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
