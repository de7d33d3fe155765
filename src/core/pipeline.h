/// Pipelines: what shaders and fixed state need of commands, worked out once.
#ifndef WF_CORE_PIPELINE_H
#define WF_CORE_PIPELINE_H

#include "core/argument.h"
#include "core/shader.h"

#define WF_CORE_MAX_STREAMS    32u
#define WF_CORE_MAX_ROOT_BYTES 256u ///< Four bytes are one bit of a root mask.
#define WF_CORE_STAGES         5u   ///< Bits of weft_shader_stages.

/// Formats and samples that a pipeline draws to, or that a pass has. Compared as bytes.
struct wf_core_targets {
    uint8_t colors[WF_HAL_MAX_COLORS];
    uint8_t depth_stencil;
    uint8_t samples;
    uint8_t zero[6];
};

/// A buffer block (or another resource) that a shader reads out of a table.
struct wf_core_need {
    uint32_t slot;
    uint32_t binding;
    uint32_t first_element, count;
    uint64_t bytes; ///< That each element must have bound; 1: written at all.
};

struct wf_core_stream {
    uint32_t stride;
    uint32_t reach; ///< Bytes of an element that attributes read.
    bool instance;
};

/// One graphics or compute pipeline. Shared by its handle and by the thread that builds it.
struct wf_core_pipeline {
    atomic_uint references;
    atomic_int status; ///< WEFT_PENDING, WEFT_OK, or why it could not be built.
    struct wf_hal_pipeline *hal;
    bool compute;

    // what draws and dispatches need
    struct wf_core_targets targets;
    uint32_t stream_mask; ///< Slots that attributes read.
    struct wf_core_stream streams[WF_CORE_MAX_STREAMS];
    uint64_t root_need[2]; ///< Vertex and fragment; compute: the first.
    uint32_t slot_mask;    ///< Slots that have a shape.
    struct wf_core_shape *shapes[WF_HAL_SLOTS];
    struct wf_core_need *needs;
    uint32_t need_count;
    weft_index_type restart;
    weft_topology topology;
    weft_pipeline_flags flags;
    bool writes_depth, strip;
    uint32_t shader_colors; ///< Bit i: the fragment shader writes color i.
    weft_pipeline_state state;

    // what it is made of
    struct wf_core_module *modules[2];
    weft_argument_layout layouts[WF_HAL_SLOTS];
    uint32_t owned_layouts; ///< Bits: reflected, destroyed with the pipeline.
    struct wf_base_arena arena;
    struct wf_core_build *build;   ///< In the arena.
    struct wf_core_pipeline *next; ///< In the builder's queue.
    char label[WF_CORE_LABEL];
};

struct wf_core_graphics_pipeline {
    struct wf_core_pipeline *pipeline;
};

struct wf_core_graphics_pipeline_cold {
    struct wf_core_cold base;
};

struct wf_core_compute_pipeline {
    struct wf_core_pipeline *pipeline;
};

struct wf_core_compute_pipeline_cold {
    struct wf_core_cold base;
};

#endif
