// Stands in for the rooms that have not landed yet: every call fails and says so. The definitions
// are weak, so a room replaces its part by being linked; the file goes when the last one has.
#include <stdio.h>

#include "backends/software/exec/exec.h"
#include "backends/software/image/image.h"
#include "backends/software/raster/raster.h"

#define WEAK __attribute__((weak))

WEAK bool wf_sw_program_create(const struct wf_base_allocator *allocator,
                               const struct wf_sw_program_desc *desc, struct wf_sw_program **out,
                               struct wf_shader_error *error)
{
    (void)allocator, (void)desc;
    *out = NULL;
    *error = (struct wf_shader_error){0};
    snprintf(error->message, sizeof error->message, "The interpreter is not built yet.");
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

WEAK bool wf_sw_image_init(struct wf_sw_image *image, const weft_texture_desc *desc)
{
    (void)image, (void)desc;
    return false;
}

WEAK const struct wf_sw_plane *wf_sw_image_plane(const struct wf_sw_image *image,
                                                 weft_aspect_set aspect)
{
    (void)image, (void)aspect;
    return NULL;
}

WEAK weft_format_caps wf_sw_format_caps(weft_format format)
{
    (void)format;
    return 0;
}

WEAK bool wf_sw_view_init(struct wf_sw_view *view, struct wf_sw_image *image,
                          const struct wf_sw_view_desc *desc)
{
    (void)view, (void)image, (void)desc;
    return false;
}

WEAK void wf_sw_sampler_init(struct wf_sw_sampler *sampler, const weft_sampler_desc *desc)
{
    *sampler = (struct wf_sw_sampler){0};
    (void)desc;
}

WEAK bool wf_sw_image_copy_from_bytes(struct wf_sw_image *dst, const weft_texture_region *region,
                                      const struct wf_sw_bytes *src)
{
    (void)dst, (void)region, (void)src;
    return false;
}

WEAK bool wf_sw_image_copy_to_bytes(const struct wf_sw_image *src,
                                    const weft_texture_region *region,
                                    const struct wf_sw_bytes *dst)
{
    (void)src, (void)region, (void)dst;
    return false;
}

WEAK bool wf_sw_image_copy(const struct wf_sw_image *src, const weft_texture_region *src_region,
                           struct wf_sw_image *dst, const weft_texture_region *dst_region)
{
    (void)src, (void)src_region, (void)dst, (void)dst_region;
    return false;
}

WEAK bool wf_sw_image_make_mip(struct wf_sw_image *image, uint32_t mip, uint32_t layer, uint32_t y0,
                               uint32_t y1)
{
    (void)image, (void)mip, (void)layer, (void)y0, (void)y1;
    return false;
}
