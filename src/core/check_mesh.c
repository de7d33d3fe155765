// Mesh pipelines: what takes the place of vertex input, and how task and mesh shaders fit.
#include "core/check.h"
#include "core/pipeline.h"

#include "shader/reflect.h"

static bool check_no_input(const struct wf_core_subject *on,
                           const weft_graphics_pipeline_desc *desc)
{
    if (desc->stream_count == 0 && desc->attribute_count == 0 && desc->topology == 0 &&
        desc->restart == WEFT_INDEX_NONE)
        return true;
    return wf_core_broken(on, WEFT_RULE_PIPELINE_MESH_INPUT,
                          "%u streams, %u attributes, topology %u and restart %u were given.",
                          desc->stream_count, desc->attribute_count, (unsigned)desc->topology,
                          (unsigned)desc->restart);
}

static bool check_payload(const struct wf_core_subject *on, const struct wf_core_stage *mesh,
                          const struct wf_core_stage *task)
{
    const uint32_t reads = wf_core_stage_entry(mesh)->payload_size;
    if (reads == 0)
        return true;
    if (!task->module)
        return wf_core_broken(on, WEFT_RULE_PIPELINE_PAYLOAD,
                              "The mesh shader reads %u bytes of payload, and no task shader is "
                              "there to give them.",
                              reads);
    const uint32_t gives = wf_core_stage_entry(task)->payload_size;
    return gives == reads || wf_core_broken(on, WEFT_RULE_PIPELINE_PAYLOAD,
                                            "The mesh shader reads %u bytes of payload, the task "
                                            "shader has %u.",
                                            reads, gives);
}

/// Points and lines are drawn only where vertices could be.
static bool check_primitives(const struct wf_core_subject *on, const struct wf_core_stage *mesh)
{
    const uint32_t modes = wf_core_stage_reflection(mesh)->entry->modes;
    return (modes & WF_SHADER_MODE_OUTPUT_TRIANGLES) != 0 ||
           wf_core_need(on, WEFT_FEATURE_POINTS_AND_LINES, "A mesh shader of points or lines");
}

bool wf_core_check_mesh_pipeline(const struct wf_core_subject *on,
                                 const weft_graphics_pipeline_desc *desc,
                                 const struct wf_core_stage stages[WF_CORE_MAX_STAGES])
{
    const struct wf_core_stage *mesh = &stages[WF_CORE_STAGE_FIRST];
    bool ok = check_no_input(on, desc);
    ok &= check_payload(on, mesh, &stages[WF_CORE_STAGE_TASK]);
    return check_primitives(on, mesh) && ok;
}
