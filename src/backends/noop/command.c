#include "backends/noop/noop.h"

struct wf_hal_command_pool {
    struct wf_hal_device *dev;
    weft_queue queue;
    struct wf_base_mutex lock;    ///< Submissions give commands back from any thread.
    struct wf_noop_command *free; ///< Locked.
};

weft_result wf_noop_command_pool_create(struct wf_hal_device *dev, weft_queue queue,
                                        struct wf_hal_command_pool **out)
{
    *out = NULL;
    struct wf_hal_command_pool *pool = wf_noop_new(dev, sizeof *pool);
    if (!pool)
        return WEFT_ERROR_MEMORY;
    if (!wf_base_mutex_init(&pool->lock)) {
        wf_base_free(dev->allocator, pool, sizeof *pool);
        return WEFT_ERROR_MEMORY;
    }
    pool->dev = dev;
    pool->queue = queue;
    *out = pool;
    return WEFT_OK;
}

void wf_noop_command_pool_reset(struct wf_hal_device *dev, struct wf_hal_command_pool *pool)
{
    (void)dev, (void)pool; // finished commands are free already, and kept to record again
}

void wf_noop_command_pool_destroy(struct wf_hal_device *dev, struct wf_hal_command_pool *pool)
{
    while (pool->free) {
        struct wf_noop_command *cmd = pool->free;
        pool->free = cmd->next;
        wf_base_free(dev->allocator, cmd, sizeof *cmd);
    }
    wf_base_mutex_finish(&pool->lock);
    wf_base_free(dev->allocator, pool, sizeof *pool);
}

weft_result wf_noop_command_begin(struct wf_hal_device *dev, struct wf_hal_command_pool *pool,
                                  struct wf_hal_command **out)
{
    wf_base_mutex_lock(&pool->lock);
    struct wf_noop_command *cmd = pool->free;
    if (cmd)
        pool->free = cmd->next;
    wf_base_mutex_unlock(&pool->lock);
    if (!cmd)
        cmd = wf_noop_new(dev, sizeof *cmd);
    *out = cmd ? &cmd->base : NULL;
    if (!cmd)
        return WEFT_ERROR_MEMORY;
    *cmd = (struct wf_noop_command){.base = {.dev = dev, .queue = pool->queue}, .pool = pool};
    return WEFT_OK;
}

weft_result wf_noop_command_end(struct wf_hal_command *cmd)
{
    (void)cmd;
    return WEFT_OK;
}

void wf_noop_command_recycle(struct wf_noop_command *cmd)
{
    struct wf_hal_command_pool *pool = cmd->pool;
    wf_base_mutex_lock(&pool->lock);
    cmd->next = pool->free;
    pool->free = cmd;
    wf_base_mutex_unlock(&pool->lock);
}

void wf_noop_command_discard(struct wf_hal_command *cmd)
{
    wf_noop_command_recycle((struct wf_noop_command *)cmd);
}

static struct wf_noop_counts *counts(struct wf_hal_command *cmd)
{
    return &((struct wf_noop_command *)cmd)->counts; // `base` is the first member
}

void wf_noop_cmd_barrier(struct wf_hal_command *cmd, weft_stage_set producers,
                         weft_stage_set consumers, weft_hazard_set hazards)
{
    (void)producers, (void)consumers, (void)hazards;
    counts(cmd)->barriers++;
}

void wf_noop_cmd_texture_barrier(struct wf_hal_command *cmd,
                                 const struct wf_hal_texture_barrier *barriers, uint32_t count)
{
    (void)barriers;
    counts(cmd)->barriers += count;
}

void wf_noop_cmd_buffer_barrier(struct wf_hal_command *cmd,
                                const struct wf_hal_buffer_barrier *barriers, uint32_t count)
{
    (void)barriers;
    counts(cmd)->barriers += count;
}

void wf_noop_cmd_alias_barrier(struct wf_hal_command *cmd, struct wf_hal_texture *after)
{
    (void)after;
    counts(cmd)->barriers++;
}

void wf_noop_cmd_signal_after(struct wf_hal_command *cmd, weft_stage_set producers, uint32_t event)
{
    (void)producers, (void)event;
    counts(cmd)->barriers++;
}

void wf_noop_cmd_wait_before(struct wf_hal_command *cmd, weft_stage_set consumers,
                             weft_hazard_set hazards, uint32_t event)
{
    (void)consumers, (void)hazards, (void)event;
    counts(cmd)->barriers++;
}

void wf_noop_cmd_push_group(struct wf_hal_command *cmd, const char *label)
{
    (void)label;
    counts(cmd)->markers++;
}

void wf_noop_cmd_pop_group(struct wf_hal_command *cmd)
{
    (void)cmd;
}

void wf_noop_cmd_marker(struct wf_hal_command *cmd, const char *label)
{
    (void)label;
    counts(cmd)->markers++;
}

void wf_noop_cmd_write_timestamp(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                                 uint32_t query)
{
    (void)pool, (void)query;
    counts(cmd)->queries++;
}

void wf_noop_cmd_resolve_queries(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                                 uint32_t first, uint32_t count, struct wf_hal_buffer *buf,
                                 uint64_t offset)
{
    (void)pool, (void)first, (void)buf, (void)offset;
    counts(cmd)->queries += count;
}

void wf_noop_cmd_begin_render(struct wf_hal_command *cmd, const struct wf_hal_render_pass *pass)
{
    (void)pass;
    counts(cmd)->render_passes++;
}

void wf_noop_cmd_end_render(struct wf_hal_command *cmd)
{
    (void)cmd;
}

void wf_noop_cmd_set_pipeline(struct wf_hal_command *cmd, struct wf_hal_pipeline *pipeline)
{
    (void)pipeline;
    counts(cmd)->pipelines++;
}

void wf_noop_cmd_set_depth_stencil(struct wf_hal_command *cmd,
                                   const weft_depth_stencil_state *state)
{
    (void)state;
    counts(cmd)->states++;
}

void wf_noop_cmd_set_blend(struct wf_hal_command *cmd, const weft_blend_state *state)
{
    (void)state;
    counts(cmd)->states++;
}

void wf_noop_cmd_set_raster(struct wf_hal_command *cmd, const weft_raster_state *state)
{
    (void)state;
    counts(cmd)->states++;
}

void wf_noop_cmd_set_viewport(struct wf_hal_command *cmd, const weft_viewport *viewport)
{
    (void)viewport;
    counts(cmd)->states++;
}

void wf_noop_cmd_set_scissor(struct wf_hal_command *cmd, const weft_rect *scissor)
{
    (void)scissor;
    counts(cmd)->states++;
}

void wf_noop_cmd_set_stencil_reference(struct wf_hal_command *cmd, uint32_t reference)
{
    (void)reference;
    counts(cmd)->states++;
}

void wf_noop_cmd_set_blend_constant(struct wf_hal_command *cmd, const float color[4])
{
    (void)color;
    counts(cmd)->states++;
}

void wf_noop_cmd_set_table(struct wf_hal_command *cmd, uint32_t slot, struct wf_hal_table *table,
                           const uint32_t *offsets, uint32_t offset_count)
{
    (void)slot, (void)table, (void)offsets, (void)offset_count;
    counts(cmd)->tables++;
}

void wf_noop_cmd_set_root(struct wf_hal_command *cmd, weft_shader_stages stages, uint32_t offset,
                          const void *data, uint32_t size)
{
    (void)stages, (void)offset, (void)data;
    counts(cmd)->roots++;
    counts(cmd)->root_bytes += size;
}

void wf_noop_cmd_set_vertex_buffer(struct wf_hal_command *cmd, uint32_t slot,
                                   struct wf_hal_buffer *buf, uint64_t offset)
{
    (void)slot, (void)buf, (void)offset;
    counts(cmd)->streams++;
}

void wf_noop_cmd_set_index_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *buf,
                                  uint64_t offset, weft_index_type type)
{
    (void)buf, (void)offset, (void)type;
    counts(cmd)->streams++;
}

void wf_noop_cmd_draw(struct wf_hal_command *cmd, uint32_t vertex_count, uint32_t instance_count,
                      uint32_t first_vertex, uint32_t first_instance)
{
    (void)vertex_count, (void)instance_count, (void)first_vertex, (void)first_instance;
    counts(cmd)->draws++;
}

void wf_noop_cmd_draw_indexed(struct wf_hal_command *cmd, uint32_t index_count,
                              uint32_t instance_count, uint32_t first_index, int32_t vertex_offset,
                              uint32_t first_instance)
{
    (void)index_count, (void)instance_count, (void)first_index, (void)vertex_offset,
        (void)first_instance;
    counts(cmd)->draws++;
}

void wf_noop_cmd_draw_mesh(struct wf_hal_command *cmd, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    counts(cmd)->draws++;
}

void wf_noop_cmd_draw_indirect(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws)
{
    (void)draws;
    counts(cmd)->indirect_draws++;
}

void wf_noop_cmd_draw_indexed_indirect(struct wf_hal_command *cmd,
                                       const struct wf_hal_indirect *draws)
{
    (void)draws;
    counts(cmd)->indirect_draws++;
}

void wf_noop_cmd_begin_occlusion(struct wf_hal_command *cmd, uint32_t query)
{
    (void)query;
    counts(cmd)->queries++;
}

void wf_noop_cmd_end_occlusion(struct wf_hal_command *cmd)
{
    (void)cmd;
}

void wf_noop_cmd_begin_statistics(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                                  uint32_t query)
{
    (void)pool, (void)query;
    counts(cmd)->queries++;
}

void wf_noop_cmd_end_statistics(struct wf_hal_command *cmd)
{
    (void)cmd;
}

void wf_noop_cmd_begin_compute(struct wf_hal_command *cmd, struct wf_hal_query_pool *times,
                               uint32_t time_begin, uint32_t time_end, const char *label)
{
    (void)times, (void)time_begin, (void)time_end, (void)label;
    counts(cmd)->compute_passes++;
}

void wf_noop_cmd_end_compute(struct wf_hal_command *cmd)
{
    (void)cmd;
}

void wf_noop_cmd_set_compute_pipeline(struct wf_hal_command *cmd, struct wf_hal_pipeline *pipeline)
{
    (void)pipeline;
    counts(cmd)->pipelines++;
}

void wf_noop_cmd_dispatch(struct wf_hal_command *cmd, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    counts(cmd)->dispatches++;
}

void wf_noop_cmd_dispatch_indirect(struct wf_hal_command *cmd, struct wf_hal_buffer *buf,
                                   uint64_t offset)
{
    (void)buf, (void)offset;
    counts(cmd)->dispatches++;
}

void wf_noop_cmd_copy_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                             struct wf_hal_buffer *dst, const struct wf_hal_buffer_copy *regions,
                             uint32_t region_count)
{
    (void)src, (void)dst, (void)regions;
    counts(cmd)->copies += region_count;
}

void wf_noop_cmd_copy_buffer_to_texture(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                                        const struct wf_hal_texel_layout *layout,
                                        struct wf_hal_texture *dst,
                                        const weft_texture_region *region)
{
    (void)src, (void)layout, (void)dst, (void)region;
    counts(cmd)->copies++;
}

void wf_noop_cmd_copy_texture_to_buffer(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                                        const weft_texture_region *region,
                                        struct wf_hal_buffer *dst,
                                        const struct wf_hal_texel_layout *layout)
{
    (void)src, (void)region, (void)dst, (void)layout;
    counts(cmd)->copies++;
}

void wf_noop_cmd_copy_texture(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                              const weft_texture_region *src_region, struct wf_hal_texture *dst,
                              const weft_texture_region *dst_region)
{
    (void)src, (void)src_region, (void)dst, (void)dst_region;
    counts(cmd)->copies++;
}

void wf_noop_cmd_fill_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *buf, uint64_t offset,
                             uint64_t size, uint32_t value)
{
    (void)buf, (void)offset, (void)size, (void)value;
    counts(cmd)->fills++;
}

void wf_noop_cmd_build_acceleration(struct wf_hal_command *cmd,
                                    const struct wf_hal_acceleration_build *build)
{
    (void)build;
    counts(cmd)->dispatches++;
}

void wf_noop_cmd_generate_mips(struct wf_hal_command *cmd, struct wf_hal_texture *tex)
{
    (void)tex;
    counts(cmd)->mip_chains++;
}

void wf_noop_cmd_write_heap(struct wf_hal_command *cmd, weft_heap_kind kind, uint32_t index,
                            struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler)
{
    (void)kind, (void)index, (void)view, (void)sampler;
    counts(cmd)->heap_writes++;
}
