/// \file frame.h
/// The frame layer: append draw and dispatch intent, in any order; Weft validates it, plans a legal
/// order, lowers it and accounts for every packet (report.h).
///
/// Nothing needs to be checked on the way: calls on a NULL frame, whose beginning failed and was
/// reported, do nothing, return none, and weft_frame_submit() WEFT_ERROR_USAGE. A frame that was
/// submitted or cancelled does the same, and reports it, until the next one begins.
///
/// One thread at a time per frame; materials from any thread. Everything given is copied when it is
/// appended, unless a comment says otherwise. Errors are reported at once and again in the report;
/// the first one makes the frame fail at submit, with nothing drawn and the device usable.
#ifndef WEFT_FRAME_H
#define WEFT_FRAME_H

#include <weft/base.h>
#include <weft/command.h>
#include <weft/device.h>
#include <weft/pipeline.h>
#include <weft/report.h>
#include <weft/resource.h>
#include <weft/surface.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_frame weft_frame;

/// Names within one frame. All zero is none.
typedef struct weft_target {
    uint32_t index, generation;
} weft_target;
typedef struct weft_layer {
    uint32_t index, generation;
} weft_layer;
typedef struct weft_clip {
    uint32_t index, generation;
} weft_clip;
/// A pipeline with its state and its argument table; lives until it is destroyed or the device
/// ends.
typedef struct weft_material {
    uint32_t index, generation;
} weft_material;

// ---- materials ---------------------------------------------------------------------------------

/// No transform is written.
#define WEFT_NO_TRANSFORM UINT32_MAX

/// Kinds of access to a resource.
typedef enum weft_access_kind {
    WEFT_ACCESS_SAMPLED = 1,
    WEFT_ACCESS_STORAGE_READ,
    WEFT_ACCESS_STORAGE_WRITE,
    WEFT_ACCESS_VERTEX,
    WEFT_ACCESS_INDEX,
    WEFT_ACCESS_INDIRECT,
    WEFT_ACCESS_UNIFORM,
} weft_access_kind;

/// A use that the planner cannot see: through the heap or a pointer.
typedef struct weft_access {
    weft_access_kind kind;
    weft_buffer buffer;    ///< One of buffer and texture.
    uint64_t offset, size; ///< Bytes; size 0: the rest. The planner may take the whole buffer.
    weft_texture texture;
} weft_access;

/// Parameters of weft_material_create(). Zero-initialise, then set what differs.
typedef struct weft_material_desc {
    weft_graphics_pipeline pipeline;               ///< Required.
    weft_argument_table arguments;                 ///< Slot 1.
    const weft_depth_stencil_state *depth_stencil; ///< NULL: the pipeline's states[0].
    const weft_blend_state *blend;                 ///< Likewise.
    const weft_raster_state *raster;               ///< Likewise.
    uint32_t transform_offset; ///< Where a packet's transform goes in the root block: bytes, a
                               ///< multiple of 4 that leaves 64; or WEFT_NO_TRANSFORM.
    weft_shader_stages transform_stages; ///< 0: VERTEX | FRAGMENT.
    const weft_access *accesses;         ///< Of every packet with this material.
    uint32_t access_count;
    const char *label; ///< For messages of its creation.
} weft_material_desc;
/// The pipeline and the table must live as long as packets are drawn with the material. On failure
/// `*out` is none: WEFT_ERROR_USAGE, WEFT_ERROR_MEMORY, or the device's state. Thread-safe.
WEFT_API weft_result weft_material_create(weft_device *device, const weft_material_desc *desc,
                                          weft_material *out);
/// Frames that were submitted keep it. One that is open fails if it has packets of it. None does
/// nothing. Thread-safe.
WEFT_API void weft_material_destroy(weft_device *device, weft_material material);

// ---- frames ------------------------------------------------------------------------------------

typedef uint32_t weft_frame_flags;
enum {
    WEFT_FRAME_REFERENCE = 1u << 0, ///< No dispatch is moved; no merging, aliasing, culling, of
                                    ///< which none is done so far; nothing sorted beyond the rules.
    WEFT_FRAME_GPU_TIMES = 1u << 1, ///< Time each pass; submit waits for the GPU. Without
                                    ///< WEFT_FEATURE_TIMESTAMPS the report's times stay 0.
    WEFT_FRAME_CHECK = 1u << 2,     ///< Prove the plan, independently of what made it; a plan that
                                    ///< is refuted is a fault of Weft: the frame fails with
                                    ///< WEFT_ERROR_BACKEND. Takes time: for tests and for doubts.
};

/// Parameters of weft_frame_begin(). Zero-initialised: offscreen only.
typedef struct weft_frame_desc {
    weft_surface surface; ///< Presented at submit, if a pass drew to it. None: no present target.
    weft_frame_flags flags;
    const char *label;
} weft_frame_desc;

/// Begins a frame: takes the next frame slot, waiting until the GPU has left it, and acquires the
/// surface. WEFT_SKIP: `*out` is valid and everything may be appended, but the present is dropped,
/// and reported.
/// `*out` is NULL on failure. One frame per device at a time.
WEFT_API weft_result weft_frame_begin(weft_device *device, const weft_frame_desc *desc,
                                      weft_frame **out);

/// Validates, plans, lowers, submits and presents; `*report` (may be NULL) lives until the next
/// weft_frame_begin() of the device. `frame` has ended then, whatever the result.
WEFT_API weft_result weft_frame_submit(weft_frame *frame, const weft_frame_report **report);
/// Drops a frame: nothing is drawn or presented. Its surface's image waits for the next frame, or
/// for weft_surface_configure(). NULL does nothing.
WEFT_API void weft_frame_cancel(weft_frame *frame);

/// Memory of the frame's slot for vertices, instances and arguments; see weft_transient_alloc().
/// `size` and `align` in bytes. All zero on failure, which is reported but does not fail the frame.
WEFT_API weft_transient weft_frame_alloc(weft_frame *frame, uint64_t size, uint64_t align);

// ---- targets -----------------------------------------------------------------------------------

/// The surface's image; none if the frame has no surface.
WEFT_API weft_target weft_frame_present_target(weft_frame *frame);

/// An offscreen target: the host's views, or (all none) transient textures of these formats and
/// this size.
typedef struct weft_target_desc {
    weft_texture_view colors[8];
    weft_texture_view resolves[8]; ///< For multisampled host views; each beside its color.
    weft_texture_view depth_stencil;
    weft_format color_formats[8]; ///< Transient: NONE ends the list.
    weft_format depth_format;     ///< Transient.
    uint32_t width, height;       ///< Transient: texels.
    uint32_t samples;             ///< Transient: 0: 1; above it colors are resolved for sampling.
    const char *label;
} weft_target_desc;
/// None on failure, which is reported and fails the frame. Transient textures hold nothing at
/// first, and nothing is kept of them after the frame.
WEFT_API weft_target weft_frame_offscreen_target(weft_frame *frame, const weft_target_desc *desc);

/// A view of color `index` (its resolve, if it has one) for sampling after the target's pass has
/// ended. None for a bad index or target, which is reported, and for the present target of a
/// skipped frame.
WEFT_API weft_texture_view weft_frame_target_view(weft_frame *frame, weft_target target,
                                                  uint32_t index);

/// How a pass begins and ends.
typedef struct weft_target_ops {
    weft_load load; ///< All colors. Required if there are any.
    weft_store store;
    weft_clear_color clear[8]; ///< By color.
    weft_load depth_load;      ///< Depth and stencil. UNSPECIFIED: CLEAR.
    weft_store depth_store;    ///< Depth and stencil.
    float clear_depth;         ///< 0–1. With depth_load UNSPECIFIED: 1.
    uint32_t clear_stencil;    ///< 0–255.
    weft_format depth_format;  ///< Targets without a depth buffer: one for this pass, with as many
                               ///< layers as the target's views. NONE: none.
    uint32_t samples; ///< Targets of one sample: draw with more, and resolve (each layer). 0: the
                      ///< target's.
    weft_argument_table globals; ///< Slot 0 of every packet, unless the layer says otherwise.
    const char *label;
} weft_target_ops;

/// Begins a pass on a target. Passes keep their begin order and do not nest. What it returns names
/// the pass, for packets also after its end; none on failure, which is reported and fails the
/// frame.
WEFT_API weft_target weft_frame_target_begin(weft_frame *frame, weft_target target,
                                             const weft_target_ops *ops);
/// Ends the open pass.
WEFT_API void weft_frame_target_end(weft_frame *frame, weft_target pass);

// ---- layers and clips --------------------------------------------------------------------------

typedef enum weft_order {
    WEFT_ORDER_INHERIT = 0, ///< Packets: the layer's. Layers: LAYERED.
    WEFT_ORDER_STRICT,      ///< Exactly the sequence; nothing crosses it.
    WEFT_ORDER_LAYERED,     ///< The sequence inside the layer, unless sort_inside.
    WEFT_ORDER_SORTABLE,    ///< By sort_key >> key_shift, then material, then sequence.
    WEFT_ORDER_DEPTH,       ///< Likewise; the key is the host's depth, never inferred.
} weft_order;

typedef struct weft_layer_desc {
    const char *name;  ///< UTF-8; NULL: "".
    int32_t sort_base; ///< Layers are drawn by rising sort_base, then in push order; a layer's own
                       ///< packets before those of the layers inside it.
    weft_order order;
    bool sort_inside;            ///< LAYERED: sort by key inside.
    uint32_t key_shift;          ///< 0–63.
    weft_argument_table globals; ///< Slot 0; none: the target's.
} weft_layer_desc;
/// Opens a layer inside the current one. Layers opened in different passes are different layers.
/// None on failure, which is reported and fails the frame; then it must not be popped.
WEFT_API weft_layer weft_frame_layer_push(weft_frame *frame, const weft_layer_desc *desc);
WEFT_API void weft_frame_layer_pop(weft_frame *frame);

/// Intersects with the enclosing clip. Texels of the target.
WEFT_API weft_clip weft_frame_clip_push(weft_frame *frame, const weft_rect *rect);
WEFT_API void weft_frame_clip_pop(weft_frame *frame);

// ---- packets -----------------------------------------------------------------------------------

typedef struct weft_stream_view {
    uint32_t slot;
    weft_buffer buffer;
    uint64_t offset; ///< Bytes.
} weft_stream_view;

/// Vertices and indices of the host's buffers, or of weft_frame_alloc(). Streams, tables and root
/// data that the pipeline reads must be given: what is left out is undefined, and refused only
/// where no packet before it in the pass gave one.
typedef struct weft_geometry_view {
    weft_buffer indices;   ///< None: not indexed.
    uint64_t index_offset; ///< Bytes.
    weft_index_type index_type;
    uint32_t first, count; ///< Vertices or indices.
    int32_t vertex_offset; ///< Indexed only.
    const weft_stream_view *streams;
    uint32_t stream_count;
} weft_geometry_view;

/// Per-instance data: slot 1 of a pipeline that declares it per instance.
typedef struct weft_instance_view {
    weft_buffer buffer; ///< None: no stream, only a count.
    uint64_t offset;    ///< Bytes.
    uint32_t stride;    ///< Bytes; the pipeline's, never 0 with a buffer.
    uint32_t first, count;
} weft_instance_view;

typedef struct weft_indirect_view {
    weft_buffer buffer; ///< Usage INDIRECT. None: not indirect. Counts of the packet are not used.
    uint64_t offset;    ///< Bytes, a multiple of 4.
    uint32_t stride;    ///< Bytes: 0 or the size of the arguments.
    uint32_t max_count; ///< Draws, with a count buffer at most. 0: 1.
    weft_buffer count_buffer; ///< None: exactly max_count.
    uint64_t count_offset;    ///< Bytes, a multiple of 4.
} weft_indirect_view;

typedef enum weft_packet_kind {
    WEFT_PACKET_MESH = 0,
    WEFT_PACKET_INSTANCES,
    WEFT_PACKET_QUADS,    ///< weft_frame_draw_quads().
    WEFT_PACKET_DISPATCH, ///< weft_frame_dispatch().
    WEFT_PACKET_RECORD,   ///< weft_frame_record().
    WEFT_PACKET_KIND_COUNT,
} weft_packet_kind;

/// A draw. Zero-initialise, then set what differs.
typedef struct weft_draw_packet {
    weft_packet_kind kind;
    weft_order order;   ///< INHERIT, or one that is stricter than the layer's.
    weft_target target; ///< A pass. None: innermost open; likewise layer and clip.
    weft_layer layer;
    weft_clip clip;
    uint64_t sort_key;
    weft_material material;
    weft_argument_table arguments; ///< Slot 2.
    weft_geometry_view geometry;
    weft_instance_view instances; ///< Count 0: one instance (MESH), none (INSTANCES).
    weft_indirect_view indirect;
    const float *transform; ///< 16 floats, column-major; NULL: identity. NULL for a material
                            ///< without a place for it.
    const void *root;       ///< Written at root_offset; must not overlap the transform.
    uint32_t root_offset, root_size; ///< Bytes, multiples of 4.
    const weft_access *accesses;
    uint32_t access_count;
} weft_draw_packet;

/// Appends a packet. Returns its sequence number, from 0. It is judged when the frame is submitted;
/// at FULL validation at once. One that breaks a rule makes the frame fail, and is in the report,
/// as failed. UINT64_MAX: it was refused at once, or could not be kept for want of memory.
WEFT_API uint64_t weft_frame_draw(weft_frame *frame, const weft_draw_packet *packet);
/// As weft_frame_draw() with that kind, whatever `packet->kind` says.
WEFT_API uint64_t weft_frame_draw_mesh(weft_frame *frame, const weft_draw_packet *packet);
WEFT_API uint64_t weft_frame_draw_instances(weft_frame *frame, const weft_draw_packet *packet);

/// One rectangle of texels of the target.
typedef struct weft_quad {
    float x, y, width, height; ///< Texels, origin top-left.
    float u0, v0, u1, v1;      ///< Texture coordinates of the corners.
    float color[4];            ///< Straight alpha, linear.
} weft_quad;

/// Quads through the library's own pipeline (alpha blending, no depth test), or a material's, whose
/// vertices are {float2 position in texels, float2 texture coordinate, float4 color} in slot 0 and
/// whose transform takes texels to clip space.
typedef struct weft_quads_packet {
    weft_order order;
    weft_target target;
    weft_layer layer;
    weft_clip clip;
    uint64_t sort_key;
    weft_material material; ///< None: the library's own.
    weft_texture_view view; ///< Own pipeline only: multiplied in. None: plain color.
    weft_sampler sampler;   ///< Of the view. None: linear, clamped.
    const weft_quad *quads;
    uint32_t quad_count;
    const float *transform; ///< Texels to clip space; NULL: the target's extent.
} weft_quads_packet;
/// Like weft_frame_draw(). Zero quads are dropped, and reported.
WEFT_API uint64_t weft_frame_draw_quads(weft_frame *frame, const weft_quads_packet *packet);

// ---- dispatches --------------------------------------------------------------------------------

/// Where the workgroup counts of a dispatch lie.
typedef struct weft_dispatch_indirect_view {
    weft_buffer buffer; ///< weft_dispatch_indirect_args; usage INDIRECT. None: not indirect.
    uint64_t offset;    ///< Bytes, a multiple of 4.
} weft_dispatch_indirect_view;

/// A dispatch. Zero-initialise, then set what differs. What it reads and writes through its tables
/// is seen, what it does through the heap and pointers is declared.
///
/// One inside of a pass sees what the draws before it wrote, and draws after it see what it wrote.
/// It is moved before the pass if it uses nothing that those draws write, and writes nothing that
/// they use, the pass's attachments included; never if its order is STRICT, past a dispatch with
/// barrier_after, or in a REFERENCE frame. Otherwise the pass is split there: attachments are
/// stored, loaded again, and resolved at the end; the report tells what that cost.
typedef struct weft_dispatch_packet {
    weft_target target; ///< A pass. None: the open one; between passes, none.
    weft_layer layer;   ///< None: the innermost open.
    weft_order order;   ///< INHERIT, or one that is stricter than the layer's.
    uint64_t sort_key;
    weft_compute_pipeline pipeline;       ///< Required; lives until the frame is submitted.
    weft_argument_table arguments[3];     ///< By slot. None in slot 0: the globals.
    uint32_t groups[3];                   ///< A 0: dispatches nothing; dropped, and reported.
    weft_dispatch_indirect_view indirect; ///< In place of groups.
    const void *root;                     ///< Written at root_offset.
    uint32_t root_offset, root_size;      ///< Bytes, multiples of 4.
    const weft_access *accesses;
    uint32_t access_count;
    bool barrier_after; ///< COMPUTE to ALL: everything after it sees everything it wrote.
} weft_dispatch_packet;
/// Like weft_frame_draw(), also while no pass is open.
WEFT_API uint64_t weft_frame_dispatch(weft_frame *frame, const weft_dispatch_packet *packet);

// ---- commands of the host's own ----------------------------------------------------------------

/// Commands that the host records itself: copies, passes, builds, whatever the frame layer has no
/// packet for. They have their place in the plan as a dispatch has, which see; only what is
/// declared of them counts. Zero-initialise, then set what differs.
typedef struct weft_record_packet {
    weft_target target; ///< A pass. None: the open one; between passes, none.
    weft_layer layer;   ///< None: the innermost open.
    weft_order order;   ///< INHERIT, or one that is stricter than the layer's.
    uint64_t sort_key;
    const weft_access *accesses; ///< Reads and, STORAGE_WRITE, writes, by any stage: copies and
                                 ///< attachments are included, whatever the kind says.
    uint32_t access_count;
    /// Called by weft_frame_submit(), on its thread, outside of encoders. It ends what encoders it
    /// begins, orders its own commands, and neither ends `cmd`, sets its origin, nor calls anything
    /// of the frame. Required.
    void (*fn)(weft_command_buffer *cmd, void *user);
    void *user;
    const char *label; ///< Of the group that the commands are in. NULL: "commands".
} weft_record_packet;
/// Like weft_frame_dispatch(). Not called if the frame fails before it is recorded, or is
/// cancelled.
WEFT_API uint64_t weft_frame_record(weft_frame *frame, const weft_record_packet *packet);

#ifdef __cplusplus
}
#endif

#endif
