/// Pipelines: what shaders and fixed state need of commands, worked out once.
#ifndef WF_CORE_PIPELINE_H
#define WF_CORE_PIPELINE_H

#include "core/argument.h"
#include "core/shader.h"

#define WF_CORE_MAX_STREAMS    32u
#define WF_CORE_MAX_ROOT_BYTES 256u ///< Four bytes are one bit of a root mask.
#define WF_CORE_MAX_STAGES     3u   ///< Of one pipeline.

/// Formats and samples that a pipeline draws to, or that a pass has. Compared as bytes.
struct wf_core_targets {
    uint8_t colors[WF_HAL_MAX_COLORS];
    uint8_t depth_stencil;
    uint8_t samples;
    uint8_t zero[6];
};

/// Something that a shader reads out of a table.
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

/// A stage while a pipeline is made.
struct wf_core_stage {
    struct wf_core_module *module; ///< NULL: unused.
    uint32_t entry;                ///< Index in the module.
    const weft_shader_use *use;
    weft_shader_stages stage; ///< One bit.
};

struct wf_core_binding_use; ///< watch_state.h

/// One graphics or compute pipeline. Shared by its handle and by the thread that builds it.
struct wf_core_pipeline {
    atomic_uint references;
    atomic_int status; ///< WEFT_PENDING, WEFT_OK, or why it could not be built.
    struct wf_hal_pipeline *hal;
    bool compute;
    bool mesh; ///< Drawn with weft_render_draw_mesh().

    // what draws and dispatches need
    struct wf_core_targets targets;
    uint32_t stream_mask; ///< Slots that attributes read.
    struct wf_core_stream streams[WF_CORE_MAX_STREAMS];
    uint64_t root_need[2]; ///< Fragment is the second, every other stage the first.
    uint32_t slot_mask;    ///< Slots that shaders read.
    struct wf_core_shape *shapes[WF_HAL_SLOTS];
    struct wf_core_need *needs; ///< In the arena.
    uint32_t need_count;
    struct wf_core_binding_use *uses; ///< For the watch: what each stage does. In the arena.
    uint32_t use_count;
    weft_stage_set unseen; ///< Stages that use pointers or the heap.
    weft_index_type restart;
    weft_pipeline_state state; ///< The first one, resolved.

    // what it is made of
    struct wf_core_module *modules[WF_CORE_MAX_STAGES];
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

// ---- pipeline.c: what both kinds share ---------------------------------------------------------

/// A pipeline with one reference and nothing in it; NULL when out of memory.
struct wf_core_pipeline *wf_core_pipeline_new(struct weft_device *dev, const char *label,
                                              bool compute);
void wf_core_pipeline_drop(struct weft_device *dev, struct wf_core_pipeline *pipeline);
/// Takes back a pipeline that could not be made whole.
void wf_core_pipeline_undo(struct weft_device *dev, struct wf_core_pipeline *pipeline);
/// Retires what a destroyed handle held.
void wf_core_pipeline_retire(struct weft_device *dev, struct wf_core_pipeline *pipeline);

/// Finds the shader and entry point of a stage. False after reporting.
bool wf_core_stage_find(const struct wf_core_subject *on, const weft_shader_use *use,
                        weft_shader_stages stage, struct wf_core_stage *out);
/// Takes modules, layouts (given or reflected), needs and root masks from the stages. They were
/// checked. WEFT_ERROR_USAGE: the layouts do not fit; reported.
weft_result wf_core_pipeline_adopt(const struct wf_core_subject *on,
                                   struct wf_core_pipeline *pipeline,
                                   const struct wf_core_stage *stages, uint32_t stage_count,
                                   const weft_argument_layout *layouts);
/// The hal's form of a stage, copied into the arena. False when out of memory.
bool wf_core_stage_copy(struct wf_core_pipeline *pipeline, const struct wf_core_stage *stage,
                        struct wf_hal_stage *out);
/// Bytes of the root block over all stages, a multiple of 4.
uint32_t wf_core_root_bytes(const struct wf_core_stage *stages, uint32_t count);
/// Ends what weft_x_pipeline_create() does; `result` is how it went so far. Builds, now or later,
/// or undoes a pipeline (NULL: there was no memory for one) after reporting.
weft_result wf_core_pipeline_finish(const struct wf_core_subject *on,
                                    struct wf_core_pipeline *pipeline, weft_result result,
                                    bool background);
weft_argument_layout wf_core_pipeline_layout(struct weft_device *dev,
                                             const struct wf_core_pipeline *pipeline,
                                             uint32_t slot);

static inline const weft_reflection *wf_core_stage_entry(const struct wf_core_stage *stage)
{
    return &stage->module->entries[stage->entry];
}

static inline const struct wf_shader_reflection *
wf_core_stage_reflection(const struct wf_core_stage *stage)
{
    return stage->module->reflections[stage->entry];
}

/// Places of a graphics pipeline's stages.
enum { WF_CORE_STAGE_FIRST, WF_CORE_STAGE_FRAGMENT, WF_CORE_STAGE_TASK }; ///< FIRST: vertex or mesh

static inline bool wf_core_is_mesh(const weft_graphics_pipeline_desc *desc)
{
    return !weft_shader_is_none(desc->mesh.shader) || !weft_shader_is_none(desc->task.shader);
}

// ---- check_stage.c, check_graphics_pipeline.c, check_mesh.c ------------------------------------

/// Specialization constants, and the workgroup that they give.
bool wf_core_check_stage(const struct wf_core_subject *on, const struct wf_core_stage *stage);
/// One binding of a shader against the layout of its slot.
struct wf_shader_layout_entry;
bool wf_core_check_layout_fits(const struct wf_core_subject *on,
                               const struct wf_shader_layout_entry *entry,
                               const struct wf_core_shape *shape);
bool wf_core_check_graphics_pipeline(const struct wf_core_subject *on,
                                     const weft_graphics_pipeline_desc *desc,
                                     const struct wf_core_stage stages[WF_CORE_MAX_STAGES]);
/// What a mesh pipeline must leave out, and that its shaders fit each other.
bool wf_core_check_mesh_pipeline(const struct wf_core_subject *on,
                                 const weft_graphics_pipeline_desc *desc,
                                 const struct wf_core_stage stages[WF_CORE_MAX_STAGES]);

#endif
