// Graphics pipelines.
#include "core/build.h"
#include "core/record.h"

static const weft_pipeline_state no_state;

static weft_graphics_pipeline_desc resolve(const weft_graphics_pipeline_desc *desc)
{
    weft_graphics_pipeline_desc full = *desc;
    if (full.samples == 0)
        full.samples = 1;
    if (full.sample_mask == 0)
        full.sample_mask = UINT32_MAX;
    if (full.state_count == 0) {
        full.states = &no_state;
        full.state_count = 1;
    }
    return full;
}

static weft_pipeline_state state_resolved(const weft_pipeline_state *state)
{
    return (weft_pipeline_state){
        .depth_stencil = wf_core_depth_stencil_resolved(&state->depth_stencil),
        .blend = wf_core_blend_resolved(&state->blend),
        .raster = state->raster,
    };
}

/// What draws need of vertex streams.
static void take_streams(struct wf_core_pipeline *pipeline, const weft_graphics_pipeline_desc *desc)
{
    for (uint32_t i = 0; i < desc->stream_count; ++i) {
        const weft_vertex_stream *stream = &desc->streams[i];
        pipeline->streams[stream->slot] = (struct wf_core_stream){
            .stride = stream->stride,
            .instance = stream->rate == WEFT_STEP_INSTANCE,
        };
    }
    for (uint32_t i = 0; i < desc->attribute_count; ++i) {
        const weft_vertex_attribute *attribute = &desc->attributes[i];
        const uint32_t end =
            attribute->offset + weft_vertex_format_get_info(attribute->format)->bytes;
        struct wf_core_stream *stream = &pipeline->streams[attribute->slot];
        pipeline->stream_mask |= 1u << attribute->slot;
        stream->reach = end > stream->reach ? end : stream->reach;
    }
}

static void take_targets(struct wf_core_pipeline *pipeline, const weft_graphics_pipeline_desc *desc)
{
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i)
        pipeline->targets.colors[i] = (uint8_t)desc->colors[i];
    pipeline->targets.depth_stencil = (uint8_t)desc->depth_stencil;
    pipeline->targets.samples = (uint8_t)desc->samples;
    pipeline->restart = desc->restart;
    pipeline->state = state_resolved(&desc->states[0]);
}

static bool copy_arrays(struct wf_core_pipeline *pipeline, const weft_graphics_pipeline_desc *desc,
                        struct wf_hal_graphics_pipeline_desc *out)
{
    struct wf_base_arena *arena = &pipeline->arena;
    weft_pipeline_state *states = wf_base_arena_array(arena, desc->state_count, sizeof *states);
    if (!states)
        return false;
    for (uint32_t i = 0; i < desc->state_count; ++i)
        states[i] = state_resolved(&desc->states[i]);
    out->states = states;
    out->state_count = desc->state_count;
    out->stream_count = desc->stream_count;
    out->attribute_count = desc->attribute_count;
    if (desc->stream_count > 0)
        out->streams =
            wf_base_arena_copy(arena, desc->streams, desc->stream_count * sizeof *desc->streams);
    if (desc->attribute_count > 0)
        out->attributes = wf_base_arena_copy(arena, desc->attributes,
                                             desc->attribute_count * sizeof *desc->attributes);
    return (out->streams || out->stream_count == 0) &&
           (out->attributes || out->attribute_count == 0);
}

/// What the hal builds from, in the pipeline's arena.
static weft_result prepare(struct wf_core_pipeline *pipeline,
                           const weft_graphics_pipeline_desc *desc,
                           const struct wf_core_stage stages[WF_CORE_MAX_STAGES])
{
    struct wf_core_build *build = wf_base_arena_alloc_zero(&pipeline->arena, sizeof *build, 0);
    if (!build)
        return WEFT_ERROR_MEMORY;
    struct wf_hal_graphics_pipeline_desc *out = &build->graphics;
    if (!wf_core_stage_copy(pipeline, &stages[WF_CORE_STAGE_FIRST],
                            pipeline->mesh ? &out->mesh : &out->vertex) ||
        !wf_core_stage_copy(pipeline, &stages[WF_CORE_STAGE_FRAGMENT], &out->fragment) ||
        !wf_core_stage_copy(pipeline, &stages[WF_CORE_STAGE_TASK], &out->task) ||
        !copy_arrays(pipeline, desc, out))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < WF_HAL_SLOTS; ++i)
        out->layouts[i] = pipeline->shapes[i] ? pipeline->shapes[i]->hal : NULL;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i)
        out->colors[i] = desc->colors[i];
    out->root_bytes = wf_core_root_bytes(stages, WF_CORE_MAX_STAGES);
    out->topology = desc->topology;
    out->restart = desc->restart;
    out->depth_stencil = desc->depth_stencil;
    out->samples = desc->samples;
    out->sample_mask = desc->sample_mask;
    out->flags = desc->flags;
    out->label = pipeline->label;
    pipeline->build = build;
    return WEFT_OK;
}

static weft_result make(const struct wf_core_subject *on, const weft_graphics_pipeline_desc *desc,
                        const struct wf_core_stage stages[WF_CORE_MAX_STAGES],
                        struct wf_core_pipeline *pipeline)
{
    pipeline->mesh = wf_core_is_mesh(desc);
    take_streams(pipeline, desc);
    take_targets(pipeline, desc);
    const weft_result result =
        wf_core_pipeline_adopt(on, pipeline, stages, WF_CORE_MAX_STAGES, desc->layouts);
    return result == WEFT_OK ? prepare(pipeline, desc, stages) : result;
}

/// A stage that may be left out.
static bool find_optional(const struct wf_core_subject *on, const weft_shader_use *use,
                          weft_shader_stages stage, struct wf_core_stage *out)
{
    *out = (struct wf_core_stage){.use = use, .stage = stage};
    return weft_shader_is_none(use->shader) || wf_core_stage_find(on, use, stage, out);
}

static bool find_stages(const struct wf_core_subject *on, const weft_graphics_pipeline_desc *desc,
                        struct wf_core_stage stages[WF_CORE_MAX_STAGES])
{
    const bool mesh = wf_core_is_mesh(desc);
    if (mesh &&
        (weft_shader_is_none(desc->mesh.shader) || !weft_shader_is_none(desc->vertex.shader)))
        return wf_core_broken(on, WEFT_RULE_PIPELINE_MESH,
                              weft_shader_is_none(desc->mesh.shader)
                                  ? "A task shader was given without a mesh shader."
                                  : "A vertex shader was given together with a mesh shader.");
    bool ok = wf_core_stage_find(on, mesh ? &desc->mesh : &desc->vertex,
                                 mesh ? WEFT_SHADER_STAGE_MESH : WEFT_SHADER_STAGE_VERTEX,
                                 &stages[WF_CORE_STAGE_FIRST]);
    ok &= find_optional(on, &desc->fragment, WEFT_SHADER_STAGE_FRAGMENT, // none: depth only
                        &stages[WF_CORE_STAGE_FRAGMENT]);
    return find_optional(on, &desc->task, WEFT_SHADER_STAGE_TASK, &stages[WF_CORE_STAGE_TASK]) &&
           ok;
}

weft_result weft_graphics_pipeline_create(weft_device *device,
                                          const weft_graphics_pipeline_desc *desc,
                                          weft_graphics_pipeline *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_GRAPHICS_PIPELINE, desc->label);
    if (wf_core_is_mesh(desc) && !wf_core_need(&on, WEFT_FEATURE_MESH_SHADERS, "A mesh pipeline"))
        return WEFT_ERROR_UNSUPPORTED;
    const weft_graphics_pipeline_desc full = resolve(desc);
    struct wf_core_stage stages[WF_CORE_MAX_STAGES];
    // At every level: what a description says bounds arrays here and in the hal.
    if (!find_stages(&on, &full, stages) || !wf_core_check_graphics_pipeline(&on, &full, stages))
        return WEFT_ERROR_USAGE;
    struct wf_core_graphics_pipeline *hot = wf_core_graphics_pipeline_take(device, full.label, out);
    if (!hot)
        return WEFT_ERROR_MEMORY;
    hot->pipeline = wf_core_pipeline_new(device, full.label, false);
    weft_result result =
        hot->pipeline ? make(&on, &full, stages, hot->pipeline) : WEFT_ERROR_MEMORY;
    result =
        wf_core_pipeline_finish(&on, hot->pipeline, result, full.flags & WEFT_PIPELINE_BACKGROUND);
    if (result != WEFT_OK)
        wf_core_graphics_pipeline_give(device, out);
    return result;
}

void wf_core_graphics_pipeline_discard(struct weft_device *dev, void *object)
{
    struct wf_core_graphics_pipeline *hot = object;
    wf_core_pipeline_retire(dev, hot->pipeline);
}

void weft_graphics_pipeline_destroy(weft_device *device, weft_graphics_pipeline pipeline)
{
    wf_core_graphics_pipeline_destroy(device, pipeline);
}

weft_result weft_graphics_pipeline_ready(weft_device *device, weft_graphics_pipeline pipeline)
{
    const struct wf_core_graphics_pipeline *hot = wf_core_graphics_pipeline_get(device, pipeline);
    if (!hot)
        return WEFT_ERROR_USAGE;
    return (weft_result)atomic_load_explicit(&hot->pipeline->status, memory_order_acquire);
}

weft_argument_layout weft_graphics_pipeline_layout(weft_device *device,
                                                   weft_graphics_pipeline pipeline, uint32_t slot)
{
    const struct wf_core_graphics_pipeline *hot = wf_core_graphics_pipeline_get(device, pipeline);
    return hot ? wf_core_pipeline_layout(device, hot->pipeline, slot) : (weft_argument_layout){0};
}
