/// \file command.h
/// Recording: command buffers, render and compute encoders.
///
/// One thread at a time may record into one command buffer; different ones are independent.
/// Recording calls return nothing: each error is reported at once, the first one sticks and
/// weft_command_end() returns it. Zero-sized draws, dispatches and copies do nothing and are no
/// errors.
#ifndef WEFT_COMMAND_H
#define WEFT_COMMAND_H

#include <weft/base.h>
#include <weft/pipeline.h>
#include <weft/query.h>
#include <weft/resource.h>
#include <weft/sync.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_render_encoder weft_render_encoder;
typedef struct weft_compute_encoder weft_compute_encoder;

/// Parameters of weft_command_allocator_create(), which may be NULL: all zero.
typedef struct weft_command_allocator_desc {
    weft_queue queue;
    const char *label;
} weft_command_allocator_desc;
WEFT_API weft_result weft_command_allocator_create(weft_device *device,
                                                   const weft_command_allocator_desc *desc,
                                                   weft_command_allocator *out);
WEFT_API void weft_command_allocator_destroy(weft_device *device, weft_command_allocator allocator);
/// Makes its memory free again; every command buffer of it must have finished or been discarded.
WEFT_API weft_result weft_command_allocator_reset(weft_device *device,
                                                  weft_command_allocator allocator);

typedef uint32_t weft_command_flags;
enum {
    WEFT_COMMAND_PREVALIDATED = 1u << 0, ///< Rules are skipped; generations and states are not.
};

/// Parameters of weft_command_begin(). Zero-initialise, then set what differs.
typedef struct weft_command_desc {
    weft_queue queue;
    weft_command_allocator allocator; ///< None: the device's own.
    weft_command_flags flags;
    const char *label;
} weft_command_desc;

/// Takes a command buffer and begins recording. `desc` may be NULL. `*out` is NULL on failure.
WEFT_API weft_result weft_command_begin(weft_device *device, const weft_command_desc *desc,
                                        weft_command_buffer **out);
/// Ends recording. Returns the first error met; the command buffer is then given back and the
/// pointer invalid.
WEFT_API weft_result weft_command_end(weft_command_buffer *cmd);
/// Gives back a command buffer, recording or executable, that will not be submitted. NULL does
/// nothing.
WEFT_API void weft_command_discard(weft_command_buffer *cmd);

/// Tags what follows: diagnostics carry `origin` as their command.
WEFT_API void weft_command_set_origin(weft_command_buffer *cmd, uint64_t origin);

/// Debug groups and markers, outside and inside of encoders. Labels are copied.
WEFT_API void weft_command_push_group(weft_command_buffer *cmd, const char *label);
WEFT_API void weft_command_pop_group(weft_command_buffer *cmd);
WEFT_API void weft_command_marker(weft_command_buffer *cmd, const char *label);

/// Writes a timestamp after everything recorded before. Needs WEFT_FEATURE_TIMESTAMPS_ANYWHERE.
WEFT_API void weft_command_write_timestamp(weft_command_buffer *cmd, weft_query_pool pool,
                                           uint32_t query);
/// Copies query results as uint64 into a buffer with usage QUERY: what submitted commands before it
/// wrote last, 0 where none did. `offset` is a multiple of 8.
WEFT_API void weft_command_resolve_queries(weft_command_buffer *cmd, weft_query_pool pool,
                                           uint32_t first, uint32_t count, weft_buffer buffer,
                                           uint64_t offset);

// ---- render passes -----------------------------------------------------------------------------

typedef enum weft_load {
    WEFT_LOAD_UNSPECIFIED = 0, ///< Refused where there is an attachment: name one.
    WEFT_LOAD_LOAD,
    WEFT_LOAD_CLEAR,
    WEFT_LOAD_DISCARD, ///< Contents are undefined at first.
} weft_load;

typedef enum weft_store {
    WEFT_STORE_STORE = 0,
    WEFT_STORE_DISCARD,
} weft_store;

typedef struct weft_color_attachment {
    weft_texture_view view; ///< One mip. None: unused slot.
    /// Average of the samples at pass end; of integers, one of them: sample 0 on the software
    /// device.
    weft_texture_view resolve;
    weft_load load;
    weft_store store;
    weft_clear_color clear;
} weft_color_attachment;

/// Queries at the edges of a pass. UINT32_MAX: not this edge.
typedef struct weft_pass_timestamps {
    weft_query_pool pool; ///< None: no timestamps.
    uint32_t begin, end;
} weft_pass_timestamps;

/// All attachments have one size and one number of layers; the slices of a 3D texture's mip count
/// as its layers. More than one layer needs WEFT_FEATURE_LAYERED_RENDERING: loads, clears, stores
/// and resolves are of all of them, and each primitive goes to the one that the vertex shader
/// writes to Layer for its first vertex, 0 if it writes none. Where a primitive goes whose layer
/// there is not is undefined; the software device drops it.
typedef struct weft_render_pass_desc {
    weft_color_attachment colors[8];
    weft_texture_view depth_stencil;
    weft_load depth_load, stencil_load;
    weft_store depth_store, stencil_store;
    float clear_depth;               ///< 0–1.
    uint32_t clear_stencil;          ///< 0–255.
    weft_aspect_set read_only;       ///< Aspects that are tested and may be sampled, not written.
    uint32_t width, height, samples; ///< Only without attachments.
    weft_query_pool occlusion;       ///< Pool of weft_render_begin_occlusion().
    weft_pass_timestamps times;
    const char *label;
} weft_render_pass_desc;

/// Begins a pass. Never NULL: after an error the encoder swallows everything. Viewport and scissor
/// start as the whole target, the stencil reference as 0, the blend constant as 0.
WEFT_API weft_render_encoder *weft_command_begin_render(weft_command_buffer *cmd,
                                                        const weft_render_pass_desc *desc);
WEFT_API void weft_render_end(weft_render_encoder *enc);

/// Sets the pipeline and installs its states[0] (depth-stencil, blend, raster).
WEFT_API void weft_render_set_pipeline(weft_render_encoder *enc, weft_graphics_pipeline pipeline);
WEFT_API void weft_render_set_depth_stencil(weft_render_encoder *enc,
                                            const weft_depth_stencil_state *state);
WEFT_API void weft_render_set_blend(weft_render_encoder *enc, const weft_blend_state *state);
WEFT_API void weft_render_set_raster(weft_render_encoder *enc, const weft_raster_state *state);

typedef struct weft_viewport {
    float x, y, width, height;  ///< Texels, origin top-left; may exceed the target.
    float min_depth, max_depth; ///< 0–1.
} weft_viewport;
WEFT_API void weft_render_set_viewport(weft_render_encoder *enc, const weft_viewport *viewport);
/// May exceed the target; it is intersected with it. An empty one draws nothing.
WEFT_API void weft_render_set_scissor(weft_render_encoder *enc, const weft_rect *scissor);
WEFT_API void weft_render_set_stencil_reference(weft_render_encoder *enc, uint32_t reference);
WEFT_API void weft_render_set_blend_constant(weft_render_encoder *enc, const float color[4]);

/// Snapshots `table` for `slot`. `offsets`: one per DYNAMIC element, by binding, in bytes.
WEFT_API void weft_render_set_arguments(weft_render_encoder *enc, uint32_t slot,
                                        weft_argument_table table, const uint32_t *offsets,
                                        uint32_t offset_count);
/// Writes `size` bytes at `offset` of the root block as `stages` see it (0: all of them). Both are
/// multiples of 4. What is not written is undefined. Vertex, task and mesh shaders see the same
/// part; fragment shaders may have one of their own. It stays over pipeline changes, within the
/// pass.
WEFT_API void weft_render_set_root(weft_render_encoder *enc, weft_shader_stages stages,
                                   uint32_t offset, const void *data, uint32_t size);
/// Writes the 8-byte address of `buffer` + `buffer_offset` at `offset` (a multiple of 8) of the
/// root block.
WEFT_API void weft_render_set_root_pointer(weft_render_encoder *enc, weft_shader_stages stages,
                                           uint32_t offset, weft_buffer buffer,
                                           uint64_t buffer_offset);
/// `slot` is one of the pipeline's streams; `offset` in bytes, a multiple of 4. Usage VERTEX. Both
/// buffers stay over pipeline changes, within the pass.
WEFT_API void weft_render_set_vertex_buffer(weft_render_encoder *enc, uint32_t slot,
                                            weft_buffer buffer, uint64_t offset);
/// `offset` in bytes, a multiple of the index size. Usage INDEX.
WEFT_API void weft_render_set_index_buffer(weft_render_encoder *enc, weft_buffer buffer,
                                           uint64_t offset, weft_index_type type);

/// Indirect arguments, byte for byte as on every API.
typedef struct weft_draw_indirect_args {
    uint32_t vertex_count, instance_count, first_vertex, first_instance;
} weft_draw_indirect_args;
typedef struct weft_draw_indexed_indirect_args {
    uint32_t index_count, instance_count, first_index;
    int32_t vertex_offset;
    uint32_t first_instance;
} weft_draw_indexed_indirect_args;
typedef struct weft_draw_mesh_indirect_args {
    uint32_t groups[3];
} weft_draw_mesh_indirect_args;
typedef struct weft_dispatch_indirect_args {
    uint32_t groups[3];
} weft_dispatch_indirect_args;

/// Vertices `first_vertex` to `first_vertex + vertex_count - 1`, for each instance.
WEFT_API void weft_render_draw(weft_render_encoder *enc, uint32_t vertex_count,
                               uint32_t instance_count, uint32_t first_vertex,
                               uint32_t first_instance);
/// Indices from `first_index` on; `vertex_offset` is added to each.
WEFT_API void weft_render_draw_indexed(weft_render_encoder *enc, uint32_t index_count,
                                       uint32_t instance_count, uint32_t first_index,
                                       int32_t vertex_offset, uint32_t first_instance);

/// Where indirect arguments lie.
typedef struct weft_indirect_draws {
    weft_buffer buffer;       ///< Usage INDIRECT.
    uint64_t offset;          ///< Bytes, a multiple of 4.
    uint32_t stride;          ///< Bytes, a multiple of 4; 0: tight.
    uint32_t max_count;       ///< Draws; with a count buffer, at most.
    weft_buffer count_buffer; ///< None: exactly max_count. Else one uint32 (INDIRECT_COUNT).
    uint64_t count_offset;
    uint32_t root_stride; ///< Not 0: each draw's root block lies at root_base + i × stride
                          ///< (ROOT_STRIDE).
    weft_gpu_ptr root_base;
} weft_indirect_draws;
/// Arguments are weft_draw_indirect_args. Needs WEFT_FEATURE_INDIRECT_DRAWS.
WEFT_API void weft_render_draw_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws);
/// Arguments are weft_draw_indexed_indirect_args. Needs WEFT_FEATURE_INDIRECT_DRAWS.
WEFT_API void weft_render_draw_indexed_indirect(weft_render_encoder *enc,
                                                const weft_indirect_draws *draws);
/// Runs x * y * z workgroups of the pipeline's task shader, or of its mesh shader if it has none:
/// each way up to weft_limits.max_mesh_workgroups, together up to max_mesh_workgroups_total. Needs
/// WEFT_FEATURE_MESH_SHADERS and a mesh pipeline, which other draws do not take. Not within a
/// statistics query.
WEFT_API void weft_render_draw_mesh(weft_render_encoder *enc, uint32_t x, uint32_t y, uint32_t z);
/// Arguments are weft_draw_mesh_indirect_args; counts beyond the limits are undefined. Needs
/// WEFT_FEATURE_INDIRECT_DRAWS as well.
WEFT_API void weft_render_draw_mesh_indirect(weft_render_encoder *enc,
                                             const weft_indirect_draws *draws);

/// Counts samples between begin and end into the pass's pool. Not nested.
WEFT_API void weft_render_begin_occlusion(weft_render_encoder *enc, uint32_t query);
WEFT_API void weft_render_end_occlusion(weft_render_encoder *enc);
WEFT_API void weft_render_begin_statistics(weft_render_encoder *enc, weft_query_pool pool,
                                           uint32_t query);
WEFT_API void weft_render_end_statistics(weft_render_encoder *enc);

// ---- compute and copies ------------------------------------------------------------------------

typedef struct weft_compute_pass_desc {
    weft_pass_timestamps times;
    const char *label;
} weft_compute_pass_desc;

/// Begins an encoder for dispatches and copies; `desc` may be NULL. Never NULL. Commands in one
/// encoder are ordered only by barriers, which are recorded between encoders.
WEFT_API weft_compute_encoder *weft_command_begin_compute(weft_command_buffer *cmd,
                                                          const weft_compute_pass_desc *desc);
WEFT_API void weft_compute_end(weft_compute_encoder *enc);

WEFT_API void weft_compute_set_pipeline(weft_compute_encoder *enc, weft_compute_pipeline pipeline);
WEFT_API void weft_compute_set_arguments(weft_compute_encoder *enc, uint32_t slot,
                                         weft_argument_table table, const uint32_t *offsets,
                                         uint32_t offset_count);
WEFT_API void weft_compute_set_root(weft_compute_encoder *enc, uint32_t offset, const void *data,
                                    uint32_t size);
WEFT_API void weft_compute_set_root_pointer(weft_compute_encoder *enc, uint32_t offset,
                                            weft_buffer buffer, uint64_t buffer_offset);
/// Workgroups, each up to weft_limits.max_workgroups. Needs WEFT_FEATURE_COMPUTE.
WEFT_API void weft_compute_dispatch(weft_compute_encoder *enc, uint32_t x, uint32_t y, uint32_t z);
/// Group counts beyond weft_limits.max_workgroups are undefined: the software device dispatches
/// nothing, a GPU may hang. `offset` is a multiple of 4.
WEFT_API void weft_compute_dispatch_indirect(weft_compute_encoder *enc, weft_buffer buffer,
                                             uint64_t offset);

/// Offsets and size in bytes, multiples of 4. Within one buffer the ranges must not overlap.
WEFT_API void weft_compute_copy_buffer(weft_compute_encoder *enc, weft_buffer src,
                                       uint64_t src_offset, weft_buffer dst, uint64_t dst_offset,
                                       uint64_t size);
/// Regions and layouts of copies may be NULL, as in weft_texture_write().
WEFT_API void weft_compute_copy_buffer_to_texture(weft_compute_encoder *enc, weft_buffer src,
                                                  const weft_texel_layout *layout, weft_texture dst,
                                                  const weft_texture_region *region);
WEFT_API void weft_compute_copy_texture_to_buffer(weft_compute_encoder *enc, weft_texture src,
                                                  const weft_texture_region *region,
                                                  weft_buffer dst, const weft_texel_layout *layout);
/// Formats equal up to sRGB; the size is that of `src_region`.
WEFT_API void weft_compute_copy_texture(weft_compute_encoder *enc, weft_texture src,
                                        const weft_texture_region *src_region, weft_texture dst,
                                        const weft_texture_region *dst_region);
/// Offset and size are multiples of 4; size 0: to the end.
WEFT_API void weft_compute_fill_buffer(weft_compute_encoder *enc, weft_buffer buffer,
                                       uint64_t offset, uint64_t size, uint32_t value);
/// Makes each mip from the one above with a 2×2 box filter, in linear space for sRGB formats. Where
/// a side is odd, a texel is the average of what it covers, by area.
WEFT_API void weft_compute_generate_mips(weft_compute_encoder *enc, weft_texture texture);
/// Writes heap entries on the GPU timeline. Needs WEFT_FEATURE_GPU_HEAP_WRITES.
WEFT_API void weft_compute_write_heap(weft_compute_encoder *enc, weft_heap_range range,
                                      uint32_t element, weft_texture_view view,
                                      weft_sampler sampler);

/// What is built into an acceleration structure. A bottom level has the geometries that it was
/// created for, each with as much or less in it; a top level instances. With flag UPDATE it is
/// always exactly as much.
typedef struct weft_acceleration_build {
    weft_acceleration_structure structure;
    bool update; ///< Move what was built before, in place: counts are the same. Needs flag UPDATE.
    const weft_acceleration_geometry *geometries;
    uint32_t geometry_count;
    uint32_t instance_count;
    weft_buffer instances;    ///< weft_acceleration_instance each. Usage ACCELERATION.
    uint64_t instance_offset; ///< Bytes, a multiple of 16.
    weft_buffer scratch;      ///< With SCRATCH_GIVEN: usage ACCELERATION, in use until it is built.
    uint64_t scratch_offset;  ///< Bytes, a multiple of 256.
} weft_acceleration_build;
/// Builds it on the GPU, in stage WEFT_STAGE_ACCELERATION: barriers order a bottom level before the
/// top level that has it, and that before shaders. Needs WEFT_FEATURE_RAY_QUERY.
WEFT_API void weft_compute_build_acceleration_structure(weft_compute_encoder *enc,
                                                        const weft_acceleration_build *build);

#ifdef __cplusplus
}
#endif

#endif
