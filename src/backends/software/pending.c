// Stands in for the rooms that have not landed yet: every call fails and says so. The definitions
// are weak, so a room replaces its part by being linked; the file goes when the last one has.
#include <stdio.h>

#include "backends/software/exec/exec.h"
#include "backends/software/raster/raster.h"

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

WEAK enum wf_sw_result wf_sw_run_group(struct wf_sw_context *context,
                                       const struct wf_sw_program *program,
                                       const struct wf_sw_resources *resources,
                                       const uint32_t group_id[3], const uint32_t group_count[3])
{
    (void)context, (void)program, (void)resources, (void)group_id, (void)group_count;
    return WF_SW_MEMORY;
}

WEAK struct wf_sw_raster *wf_sw_raster_create(struct wf_base_tasks *tasks,
                                              const struct wf_base_allocator *allocator)
{
    (void)allocator;
    return (struct wf_sw_raster *)tasks; // any pointer: nothing looks behind it
}

WEAK void wf_sw_raster_destroy(struct wf_sw_raster *r)
{
    (void)r;
}

WEAK weft_result wf_sw_raster_begin(struct wf_sw_raster *r, const struct wf_sw_raster_pass *pass)
{
    (void)r, (void)pass;
    return WEFT_ERROR_UNSUPPORTED;
}

WEAK weft_result wf_sw_raster_draw(struct wf_sw_raster *r, const struct wf_sw_draw *draw)
{
    (void)r, (void)draw;
    return WEFT_ERROR_UNSUPPORTED;
}

WEAK weft_result wf_sw_raster_flush(struct wf_sw_raster *r)
{
    (void)r;
    return WEFT_ERROR_UNSUPPORTED;
}

WEAK weft_result wf_sw_raster_end(struct wf_sw_raster *r)
{
    (void)r;
    return WEFT_ERROR_UNSUPPORTED;
}
