// Compute pipelines.
#include "core/build.h"

static bool check(const struct wf_core_subject *on, const weft_compute_pipeline_desc *desc,
                  const struct wf_core_stage *stage)
{
    bool ok = wf_core_check_stage(on, stage);
    ok &= wf_core_need(on, WEFT_FEATURE_COMPUTE, "A compute pipeline");
    if (desc->flags & ~(weft_pipeline_flags)WEFT_PIPELINE_BACKGROUND)
        ok = wf_core_broken(on, WEFT_RULE_BITS_UNKNOWN,
                            "The flags 0x%x are not for compute pipelines.", desc->flags);
    return ok;
}

/// What the hal builds from, in the pipeline's arena.
static weft_result prepare(struct wf_core_pipeline *pipeline, const struct wf_core_stage *stage)
{
    struct wf_core_build *build = wf_base_arena_alloc_zero(&pipeline->arena, sizeof *build, 0);
    if (!build || !wf_core_stage_copy(pipeline, stage, &build->compute.compute))
        return WEFT_ERROR_MEMORY;
    for (uint32_t i = 0; i < WF_HAL_SLOTS; ++i)
        build->compute.layouts[i] = pipeline->shapes[i] ? pipeline->shapes[i]->hal : NULL;
    build->compute.root_bytes = wf_core_root_bytes(stage, 1);
    build->compute.label = pipeline->label;
    pipeline->build = build;
    return WEFT_OK;
}

static weft_result make(const struct wf_core_subject *on, const weft_compute_pipeline_desc *desc,
                        const struct wf_core_stage *stage, struct wf_core_pipeline *pipeline)
{
    const weft_result result = wf_core_pipeline_adopt(on, pipeline, stage, 1, desc->layouts);
    return result == WEFT_OK ? prepare(pipeline, stage) : result;
}

weft_result weft_compute_pipeline_create(weft_device *device,
                                         const weft_compute_pipeline_desc *desc,
                                         weft_compute_pipeline *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_COMPUTE_PIPELINE, desc->label);
    struct wf_core_origin origin = {.command = WF_CORE_NO_COMMAND}; // tells memory from misuse
    on.origin = &origin;
    struct wf_core_stage stage;
    if (!wf_core_stage_find(&on, &desc->compute, WEFT_SHADER_STAGE_COMPUTE, &stage) ||
        !check(&on, desc, &stage))
        return origin.error != WEFT_OK ? origin.error : WEFT_ERROR_USAGE;
    struct wf_core_compute_pipeline *hot = wf_core_compute_pipeline_take(device, desc->label, out);
    if (!hot)
        return WEFT_ERROR_MEMORY;
    hot->pipeline = wf_core_pipeline_new(device, desc->label, true);
    weft_result result = hot->pipeline ? make(&on, desc, &stage, hot->pipeline) : WEFT_ERROR_MEMORY;
    result =
        wf_core_pipeline_finish(&on, hot->pipeline, result, desc->flags & WEFT_PIPELINE_BACKGROUND);
    if (result != WEFT_OK)
        wf_core_compute_pipeline_give(device, out);
    return result;
}

void wf_core_compute_pipeline_discard(struct weft_device *dev, void *object)
{
    struct wf_core_compute_pipeline *hot = object;
    wf_core_pipeline_retire(dev, hot->pipeline);
}

void weft_compute_pipeline_destroy(weft_device *device, weft_compute_pipeline pipeline)
{
    wf_core_compute_pipeline_destroy(device, pipeline);
}

weft_result weft_compute_pipeline_ready(weft_device *device, weft_compute_pipeline pipeline)
{
    const struct wf_core_compute_pipeline *hot = wf_core_compute_pipeline_get(device, pipeline);
    if (!hot)
        return WEFT_ERROR_USAGE;
    return (weft_result)atomic_load_explicit(&hot->pipeline->status, memory_order_acquire);
}

weft_argument_layout weft_compute_pipeline_layout(weft_device *device,
                                                  weft_compute_pipeline pipeline, uint32_t slot)
{
    const struct wf_core_compute_pipeline *hot = wf_core_compute_pipeline_get(device, pipeline);
    return hot ? wf_core_pipeline_layout(device, hot->pipeline, slot) : (weft_argument_layout){0};
}
