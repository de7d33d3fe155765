// Stands in for the rooms that have not landed yet: every call fails and says so. The definitions
// are weak, so a room replaces its part by being linked; the file goes when the last one has.
#include <stdio.h>

#include "backends/software/exec/exec.h"

#define WEAK __attribute__((weak))

WEAK bool wf_sw_program_create(const struct wf_base_allocator *allocator,
                               const struct wf_sw_program_desc *desc, struct wf_sw_program **out,
                               struct wf_shader_error *error)
{
    (void)allocator, (void)desc;
    *out = NULL;
    *error = (struct wf_shader_error){0};
    (void)snprintf(error->message, sizeof error->message, "The interpreter is not built yet.");
    return false;
}

WEAK void wf_sw_program_destroy(struct wf_sw_program *program)
{
    (void)program;
}

WEAK struct wf_sw_context *wf_sw_context_create(const struct wf_base_allocator *allocator)
{
    (void)allocator;
    return NULL;
}

WEAK void wf_sw_context_destroy(struct wf_sw_context *context)
{
    (void)context;
}

WEAK const struct wf_sw_program_info *wf_sw_program_info(const struct wf_sw_program *program)
{
    static const struct wf_sw_program_info none;
    (void)program;
    return &none;
}

WEAK bool wf_sw_prepare(struct wf_sw_context *context, const struct wf_sw_program *program,
                        struct wf_sw_batch *batch)
{
    (void)context, (void)program, (void)batch;
    return false;
}

WEAK enum wf_sw_result wf_sw_run(struct wf_sw_context *context, const struct wf_sw_program *program,
                                 const struct wf_sw_resources *resources, struct wf_sw_batch *batch)
{
    (void)context, (void)program, (void)resources, (void)batch;
    return WF_SW_MEMORY;
}

WEAK enum wf_sw_result wf_sw_run_group(struct wf_sw_context *context,
                                       const struct wf_sw_program *program,
                                       const struct wf_sw_resources *resources,
                                       const uint32_t group_id[3], const uint32_t group_count[3])
{
    (void)context, (void)program, (void)resources, (void)group_id, (void)group_count;
    return WF_SW_MEMORY;
}
