#include "hal/hal.h"

#include <assert.h>

/// Function pointers are compared with NULL through this, so that one table can hold them all.
struct hook {
    bool present;
    weft_feature_set needed_by; ///< 0: always required.
};

static bool hooks_are_whole(const struct wf_hal_device *dev)
{
    const struct wf_hal_device_ops *ops = dev->ops;
    const struct hook hooks[] = {
        {ops->destroy != NULL, 0},
        {ops->buffer_needs != NULL, 0},
        {ops->texture_needs != NULL, 0},
        {ops->memory_block_create != NULL, WEFT_FEATURE_PLACED_RESOURCES},
        {ops->memory_block_destroy != NULL, WEFT_FEATURE_PLACED_RESOURCES},
        {ops->memory_budget != NULL, 0},
        {ops->buffer_create != NULL, 0},
        {ops->buffer_destroy != NULL, 0},
        {ops->buffer_flush != NULL, 0},
        {ops->texture_create != NULL, 0},
        {ops->texture_destroy != NULL, 0},
        {ops->texture_view_create != NULL, 0},
        {ops->texture_view_destroy != NULL, 0},
        {ops->sampler_create != NULL, 0},
        {ops->sampler_destroy != NULL, 0},
        {ops->heap_write != NULL, WEFT_FEATURE_HEAP},
        {ops->shader_create != NULL, 0},
        {ops->shader_destroy != NULL, 0},
        {ops->layout_create != NULL, 0},
        {ops->layout_destroy != NULL, 0},
        {ops->graphics_pipeline_create != NULL, 0},
        {ops->compute_pipeline_create != NULL, 0},
        {ops->pipeline_destroy != NULL, 0},
        {ops->table_create != NULL, 0},
        {ops->table_destroy != NULL, 0},
        {ops->table_write != NULL, 0},
        {ops->query_pool_create != NULL, 0},
        {ops->query_pool_destroy != NULL, 0},
        {ops->query_pool_read != NULL, 0},
        {ops->timeline_create != NULL, 0},
        {ops->timeline_destroy != NULL, 0},
        {ops->timeline_value != NULL, 0},
        {ops->timeline_wait != NULL, WEFT_FEATURE_BLOCKING_WAIT},
        {ops->timeline_signal != NULL, 0},
        {ops->queue_submit != NULL, 0},
        {ops->serial_finished != NULL, 0},
        {ops->serial_wait != NULL, WEFT_FEATURE_BLOCKING_WAIT},
        {ops->lost != NULL, 0},
        {ops->surface_create != NULL, 0},
        {ops->surface_destroy != NULL, 0},
        {ops->surface_query != NULL, 0},
        {ops->surface_configure != NULL, 0},
        {ops->surface_acquire != NULL, 0},
        {ops->surface_present != NULL, 0},
        {ops->surface_presented != NULL, 0},
        {ops->command_pool_create != NULL, 0},
        {ops->command_pool_destroy != NULL, 0},
        {ops->command_pool_reset != NULL, 0},
        {ops->command_begin != NULL, 0},
        {ops->command_end != NULL, 0},
        {ops->command_discard != NULL, 0},
        {ops->cmd_barrier != NULL, 0},
        {ops->cmd_texture_barrier != NULL, 0},
        {ops->cmd_buffer_barrier != NULL, 0},
        {ops->cmd_alias_barrier != NULL, 0},
        {ops->cmd_signal_after != NULL, WEFT_FEATURE_SPLIT_BARRIERS},
        {ops->cmd_wait_before != NULL, WEFT_FEATURE_SPLIT_BARRIERS},
        {ops->cmd_push_group != NULL, 0},
        {ops->cmd_pop_group != NULL, 0},
        {ops->cmd_marker != NULL, 0},
        {ops->cmd_write_timestamp != NULL, WEFT_FEATURE_TIMESTAMPS_ANYWHERE},
        {ops->cmd_resolve_queries != NULL, 0},
        {ops->cmd_begin_render != NULL, 0},
        {ops->cmd_end_render != NULL, 0},
        {ops->cmd_set_pipeline != NULL, 0},
        {ops->cmd_set_depth_stencil != NULL, 0},
        {ops->cmd_set_blend != NULL, 0},
        {ops->cmd_set_raster != NULL, 0},
        {ops->cmd_set_viewport != NULL, 0},
        {ops->cmd_set_scissor != NULL, 0},
        {ops->cmd_set_stencil_reference != NULL, 0},
        {ops->cmd_set_blend_constant != NULL, 0},
        {ops->cmd_set_table != NULL, 0},
        {ops->cmd_set_root != NULL, 0},
        {ops->cmd_set_vertex_buffer != NULL, 0},
        {ops->cmd_set_index_buffer != NULL, 0},
        {ops->cmd_draw != NULL, 0},
        {ops->cmd_draw_indexed != NULL, 0},
        {ops->cmd_draw_indirect != NULL, WEFT_FEATURE_INDIRECT_DRAWS},
        {ops->cmd_draw_indexed_indirect != NULL, WEFT_FEATURE_INDIRECT_DRAWS},
        {ops->cmd_begin_occlusion != NULL, WEFT_FEATURE_OCCLUSION_QUERIES},
        {ops->cmd_end_occlusion != NULL, WEFT_FEATURE_OCCLUSION_QUERIES},
        {ops->cmd_begin_statistics != NULL, WEFT_FEATURE_PIPELINE_STATISTICS},
        {ops->cmd_end_statistics != NULL, WEFT_FEATURE_PIPELINE_STATISTICS},
        {ops->cmd_begin_compute != NULL, 0},
        {ops->cmd_end_compute != NULL, 0},
        {ops->cmd_set_compute_pipeline != NULL, 0},
        {ops->cmd_dispatch != NULL, WEFT_FEATURE_COMPUTE},
        {ops->cmd_dispatch_indirect != NULL, WEFT_FEATURE_COMPUTE},
        {ops->cmd_copy_buffer != NULL, 0},
        {ops->cmd_copy_buffer_to_texture != NULL, 0},
        {ops->cmd_copy_texture_to_buffer != NULL, 0},
        {ops->cmd_copy_texture != NULL, 0},
        {ops->cmd_fill_buffer != NULL, 0},
        {ops->cmd_generate_mips != NULL, WEFT_FEATURE_GENERATE_MIPS},
        {ops->cmd_write_heap != NULL, WEFT_FEATURE_GPU_HEAP_WRITES},
    };
    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++) {
        const weft_feature_set by = hooks[i].needed_by;
        if (!hooks[i].present && (by == 0 || (dev->caps.features & by)))
            return false;
    }
    return sizeof hooks / sizeof hooks[0] == sizeof *ops / sizeof ops->destroy;
}

void wf_hal_ops_check(const struct wf_hal_device *dev)
{
    assert(hooks_are_whole(dev));
    assert(dev->caps.limits.max_root_bytes >= 128 && dev->caps.limits.max_color_targets >= 1);
    (void)hooks_are_whole;
    (void)dev;
}
