/// \file pipeline.h
/// Pipelines, the state that commands set, and argument layouts and tables. Creating and destroying
/// is as in resource.h.
#ifndef WEFT_PIPELINE_H
#define WEFT_PIPELINE_H

#include <weft/base.h>
#include <weft/resource.h>
#include <weft/shader.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- state set by command, or listed in a pipeline ----------------------------------------------

typedef enum weft_stencil_op {
    WEFT_STENCIL_KEEP = 0,
    WEFT_STENCIL_ZERO,
    WEFT_STENCIL_REPLACE,
    WEFT_STENCIL_INCREMENT_CLAMP,
    WEFT_STENCIL_DECREMENT_CLAMP,
    WEFT_STENCIL_INVERT,
    WEFT_STENCIL_INCREMENT_WRAP,
    WEFT_STENCIL_DECREMENT_WRAP,
} weft_stencil_op;

typedef struct weft_stencil_face {
    weft_compare compare; ///< DEFAULT: ALWAYS.
    weft_stencil_op fail, depth_fail, pass;
} weft_stencil_face;

/// Zero-initialised: no depth test, no depth write, no stencil.
typedef struct weft_depth_stencil_state {
    weft_compare depth; ///< DEFAULT: the depth test is off.
    bool depth_write;
    bool stencil; ///< The stencil test is on.
    weft_stencil_face front, back;
    uint8_t read_mask, write_mask; ///< 0: 0xff. Use no_stencil_write for none.
    bool no_stencil_write;
} weft_depth_stencil_state;

typedef enum weft_blend_factor {
    WEFT_BLEND_DEFAULT = 0, ///< ONE as source, ZERO as destination.
    WEFT_BLEND_ZERO,
    WEFT_BLEND_ONE,
    WEFT_BLEND_SRC,
    WEFT_BLEND_ONE_MINUS_SRC,
    WEFT_BLEND_SRC_ALPHA,
    WEFT_BLEND_ONE_MINUS_SRC_ALPHA,
    WEFT_BLEND_DST,
    WEFT_BLEND_ONE_MINUS_DST,
    WEFT_BLEND_DST_ALPHA,
    WEFT_BLEND_ONE_MINUS_DST_ALPHA,
    WEFT_BLEND_SRC_ALPHA_SATURATED,
    WEFT_BLEND_CONSTANT,
    WEFT_BLEND_ONE_MINUS_CONSTANT,
    WEFT_BLEND_SRC1, ///< This and the next three need WEFT_FEATURE_DUAL_SOURCE.
    WEFT_BLEND_ONE_MINUS_SRC1,
    WEFT_BLEND_SRC1_ALPHA,
    WEFT_BLEND_ONE_MINUS_SRC1_ALPHA,
} weft_blend_factor;

typedef enum weft_blend_op {
    WEFT_BLEND_OP_ADD = 0,
    WEFT_BLEND_OP_SUBTRACT,
    WEFT_BLEND_OP_REVERSE_SUBTRACT,
    WEFT_BLEND_OP_MIN,
    WEFT_BLEND_OP_MAX,
} weft_blend_op;

/// Bit set of the components that are written.
typedef uint32_t weft_color_mask;
enum {
    WEFT_COLOR_MASK_R = 1u << 0,
    WEFT_COLOR_MASK_G = 1u << 1,
    WEFT_COLOR_MASK_B = 1u << 2,
    WEFT_COLOR_MASK_A = 1u << 3,
    WEFT_COLOR_MASK_NO_COLOR = 1u << 4, ///< Nothing at all is written.
};

typedef struct weft_blend_equation {
    weft_blend_factor src, dst;
    weft_blend_op op;
} weft_blend_equation;

typedef struct weft_blend_target {
    bool enable;
    weft_blend_equation color, alpha;
    weft_color_mask mask; ///< 0: all four.
} weft_blend_target;

/// Zero-initialised: overwrite all components of all targets.
typedef struct weft_blend_state {
    bool independent; ///< targets[i] for color i; otherwise targets[0] for all.
    weft_blend_target targets[8];
} weft_blend_state;

typedef enum weft_cull {
    WEFT_CULL_NONE = 0,
    WEFT_CULL_FRONT,
    WEFT_CULL_BACK,
} weft_cull;

typedef enum weft_front_face {
    WEFT_FRONT_COUNTER_CLOCKWISE = 0, ///< As seen in clip space, y up.
    WEFT_FRONT_CLOCKWISE,
} weft_front_face;

typedef enum weft_fill {
    WEFT_FILL_SOLID = 0,
    /// The edges of triangles as lines, one pixel wide: culling, depth bias and flat inputs are
    /// those of the triangle. Whether edges that clipping made and triangles without area are drawn
    /// is up to the device. Needs WEFT_FEATURE_LINE_FILL.
    WEFT_FILL_LINE,
} weft_fill;

/// Zero-initialised: no culling, solid, no bias.
typedef struct weft_raster_state {
    weft_cull cull;
    weft_front_face front;
    weft_fill fill;
    float depth_bias, depth_bias_slope, depth_bias_clamp; ///< The Vulkan formula (27.11.3).
} weft_raster_state;

/// One combination that a pipeline builds ahead.
typedef struct weft_pipeline_state {
    weft_depth_stencil_state depth_stencil;
    weft_blend_state blend;
    weft_raster_state raster;
} weft_pipeline_state;

// ---- pipelines ---------------------------------------------------------------------------------

/// Flat inputs are those of a primitive's first vertex, its provoking one.
typedef enum weft_topology {
    WEFT_TOPOLOGY_TRIANGLE_LIST = 0,
    WEFT_TOPOLOGY_TRIANGLE_STRIP,
    WEFT_TOPOLOGY_LINE_LIST,
    WEFT_TOPOLOGY_LINE_STRIP,
    WEFT_TOPOLOGY_POINT_LIST,
} weft_topology;

typedef enum weft_step_rate {
    WEFT_STEP_VERTEX = 0,
    WEFT_STEP_INSTANCE,
} weft_step_rate;

/// One vertex buffer slot. Gaps between slots are allowed.
typedef struct weft_vertex_stream {
    uint32_t slot; ///< Below weft_limits.max_vertex_streams.
    uint32_t
        stride; ///< Bytes, up to weft_limits.max_vertex_stride; 0: every vertex reads the same.
    weft_step_rate rate;
} weft_vertex_stream;

typedef struct weft_vertex_attribute {
    uint32_t location; ///< As the shader declares it.
    uint32_t slot;     ///< One of the streams.
    uint32_t
        offset; ///< Bytes from the start of the element; a multiple of 4, or of the size if less.
    weft_vertex_format format;
} weft_vertex_attribute;

typedef uint32_t weft_pipeline_flags;
enum {
    WEFT_PIPELINE_ALPHA_TO_COVERAGE = 1u << 0,
    WEFT_PIPELINE_DUAL_SOURCE = 1u << 1,
    WEFT_PIPELINE_DEPTH_CLAMP = 1u << 2,    ///< Clamp instead of clipping at near and far.
    WEFT_PIPELINE_BACKGROUND = 1u << 3,     ///< Build on another thread; ask for readiness.
    WEFT_PIPELINE_SAMPLE_SHADING = 1u << 4, ///< The fragment shader runs for each sample.
    WEFT_PIPELINE_ALL_FLAGS = (1u << 5) - 1u,
};

/// Parameters of weft_graphics_pipeline_create(). Zero-initialise, then set what differs.
///
/// A mesh pipeline has a mesh shader in place of the vertex shader: its workgroups write vertices
/// and primitives by themselves, so that streams, attributes, topology and restart stay zero. A
/// task shader before it, if there is one, decides for each of its workgroups how many there are,
/// and hands them a payload. Flat inputs are those of a primitive's first index. It is drawn with
/// weft_render_draw_mesh(). Needs WEFT_FEATURE_MESH_SHADERS.
typedef struct weft_graphics_pipeline_desc {
    weft_shader_use vertex;          ///< Required unless mesh is set.
    weft_shader_use fragment;        ///< None: depth only.
    weft_shader_use task, mesh;      ///< `task` may be none.
    weft_argument_layout layouts[3]; ///< By slot; none: reflected.
    const weft_vertex_stream *streams;
    uint32_t stream_count;
    const weft_vertex_attribute *attributes;
    uint32_t attribute_count;
    weft_topology topology;
    weft_index_type restart;   ///< Strips: the all-ones index of this width cuts. NONE: no restart.
    weft_format colors[8];     ///< NONE: unused slot.
    weft_format depth_stencil; ///< NONE: none.
    uint32_t samples;     ///< 0: 1. They lie at the standard positions (Vulkan, Multisampling).
    uint32_t sample_mask; ///< 0: all.
    weft_pipeline_flags flags;
    const weft_pipeline_state *states; ///< Built now; [0] is installed when the pipeline is set.
    uint32_t state_count;              ///< 0: one zero-initialised state.
    const char *label;
} weft_graphics_pipeline_desc;

typedef struct weft_compute_pipeline_desc {
    weft_shader_use compute;         ///< Required.
    weft_argument_layout layouts[3]; ///< By slot; none: reflected.
    weft_pipeline_flags flags;       ///< BACKGROUND.
    const char *label;
} weft_compute_pipeline_desc;

WEFT_API weft_result weft_graphics_pipeline_create(weft_device *device,
                                                   const weft_graphics_pipeline_desc *desc,
                                                   weft_graphics_pipeline *out);
WEFT_API void weft_graphics_pipeline_destroy(weft_device *device, weft_graphics_pipeline pipeline);
/// WEFT_OK when it can be set without building anything, WEFT_PENDING before, or the error of its
/// building.
WEFT_API weft_result weft_graphics_pipeline_ready(weft_device *device,
                                                  weft_graphics_pipeline pipeline);

WEFT_API weft_result weft_compute_pipeline_create(weft_device *device,
                                                  const weft_compute_pipeline_desc *desc,
                                                  weft_compute_pipeline *out);
WEFT_API void weft_compute_pipeline_destroy(weft_device *device, weft_compute_pipeline pipeline);
WEFT_API weft_result weft_compute_pipeline_ready(weft_device *device,
                                                 weft_compute_pipeline pipeline);

/// The layout of slot 0–2 of a pipeline, given or reflected; none if the slot is unused. The
/// pipeline owns a reflected layout: it is gone with the pipeline, tables made from it stay whole.
WEFT_API weft_argument_layout weft_graphics_pipeline_layout(weft_device *device,
                                                            weft_graphics_pipeline pipeline,
                                                            uint32_t slot);
WEFT_API weft_argument_layout weft_compute_pipeline_layout(weft_device *device,
                                                           weft_compute_pipeline pipeline,
                                                           uint32_t slot);

// ---- arguments ---------------------------------------------------------------------------------

/// Argument slots: globals of a pass, material, shader-specific.
#define WEFT_ARGUMENT_SLOTS 3u

typedef uint32_t weft_argument_flags;
enum {
    WEFT_ARGUMENT_DYNAMIC = 1u << 0,   ///< Buffers: an offset is given when the table is set.
    WEFT_ARGUMENT_READ_ONLY = 1u << 1, ///< Storage that is only read.
};

/// One entry of a layout.
typedef struct weft_argument {
    uint32_t binding;
    uint32_t count;            ///< Array length; 0: 1.
    weft_argument_type type;   ///< Required.
    weft_shader_stages stages; ///< 0: all.
    weft_argument_flags flags;
    weft_view_kind view; ///< Textures; DEFAULT: 2D.
    bool multisampled;
    weft_sample_class sampled; ///< NONE: FLOAT.
    weft_format storage;       ///< Storage textures and texel buffers. NONE: of the latter, four
                               ///< 32-bit components.
    weft_sampler fixed;        ///< Samplers and COMBINED: always this one.
} weft_argument;

typedef struct weft_argument_layout_desc {
    const weft_argument *arguments; ///< Bindings distinct, any order.
    uint32_t argument_count;
    const char *label;
} weft_argument_layout_desc;
WEFT_API weft_result weft_argument_layout_create(weft_device *device,
                                                 const weft_argument_layout_desc *desc,
                                                 weft_argument_layout *out);
WEFT_API void weft_argument_layout_destroy(weft_device *device, weft_argument_layout layout);

/// New contents of one array element of a binding; the type comes from the layout.
typedef struct weft_argument_write {
    uint32_t binding, element;
    weft_buffer buffer;
    uint64_t offset, size; ///< Bytes; size 0: to the end.
    weft_texture_view view;
    weft_sampler sampler; ///< View and sampler for COMBINED.
    weft_acceleration_structure acceleration;
} weft_argument_write;

typedef struct weft_argument_table_desc {
    weft_argument_layout layout;       ///< Required.
    const weft_argument_write *writes; ///< First contents.
    uint32_t write_count;
    const char *label;
} weft_argument_table_desc;

/// A table. Setting it on an encoder snapshots it: a later write makes a new version, and work
/// recorded before keeps the old one. Every element that the shader uses must have been written
/// when it is set. Writes that break no rule take effect even if others of the same call do.
WEFT_API weft_result weft_argument_table_create(weft_device *device,
                                                const weft_argument_table_desc *desc,
                                                weft_argument_table *out);
WEFT_API void weft_argument_table_destroy(weft_device *device, weft_argument_table table);
WEFT_API weft_result weft_argument_table_write(weft_device *device, weft_argument_table table,
                                               const weft_argument_write *writes, uint32_t count);

/// Element number `index` of a table (from 0, by rising binding, arrays in order) as it was last
/// written: handles zero if it never was. `argument` (may be NULL) gets the layout's entry,
/// resolved, its fixed sampler left out. False past the end and for a bad handle, which is not
/// reported. Thread-safe.
WEFT_API bool weft_argument_table_get(weft_device *device, weft_argument_table table,
                                      uint32_t index, weft_argument *argument,
                                      weft_argument_write *out);

#ifdef __cplusplus
}
#endif

#endif
