#include "backends/software/command.h"

#include <string.h>

#include "base/bits.h"

struct wf_sw_command_pool {
    struct wf_hal_device *dev;
    weft_queue queue;
    struct wf_base_mutex lock; ///< The executor gives back while others are recorded.
    struct wf_sw_command *commands;
    struct wf_sw_chunk *chunks;
};

static struct wf_sw_command_pool *pool_of(struct wf_hal_command_pool *pool)
{
    return (struct wf_sw_command_pool *)pool;
}

// ---- pools -------------------------------------------------------------------------------------

weft_result wf_sw_command_pool_create(struct wf_hal_device *dev, weft_queue queue,
                                      struct wf_hal_command_pool **out)
{
    *out = NULL;
    struct wf_sw_command_pool *pool = wf_base_alloc_zero(dev->allocator, sizeof *pool);
    if (!pool)
        return WEFT_ERROR_MEMORY;
    pool->dev = dev;
    pool->queue = queue;
    if (!wf_base_mutex_init(&pool->lock)) {
        wf_base_free(dev->allocator, pool, sizeof *pool);
        return WEFT_ERROR_MEMORY;
    }
    *out = (struct wf_hal_command_pool *)pool;
    return WEFT_OK;
}

void wf_sw_command_pool_destroy(struct wf_hal_device *dev, struct wf_hal_command_pool *hal)
{
    struct wf_sw_command_pool *pool = pool_of(hal);
    for (struct wf_sw_chunk *chunk = pool->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        wf_base_free(dev->allocator, chunk, sizeof *chunk);
    }
    for (struct wf_sw_command *cmd = pool->commands, *next; cmd; cmd = next) {
        next = cmd->next;
        wf_base_free(dev->allocator, cmd, sizeof *cmd);
    }
    wf_base_mutex_finish(&pool->lock);
    wf_base_free(dev->allocator, pool, sizeof *pool);
}

void wf_sw_command_pool_reset(struct wf_hal_device *dev, struct wf_hal_command_pool *pool)
{
    (void)dev; // every command has been given back already, with its chunks
    (void)pool;
}

weft_result wf_sw_command_begin(struct wf_hal_device *dev, struct wf_hal_command_pool *hal,
                                struct wf_hal_command **out)
{
    struct wf_sw_command_pool *pool = pool_of(hal);
    *out = NULL;
    wf_base_mutex_lock(&pool->lock);
    struct wf_sw_command *cmd = pool->commands;
    if (cmd)
        pool->commands = cmd->next;
    wf_base_mutex_unlock(&pool->lock);
    if (!cmd)
        cmd = wf_base_alloc(dev->allocator, sizeof *cmd);
    if (!cmd)
        return WEFT_ERROR_MEMORY;
    *cmd = (struct wf_sw_command){.base = {.dev = dev, .queue = pool->queue}, .pool = pool};
    *out = &cmd->base;
    return WEFT_OK;
}

weft_result wf_sw_command_end(struct wf_hal_command *cmd)
{
    return ((struct wf_sw_command *)cmd)->failed ? WEFT_ERROR_MEMORY : WEFT_OK;
}

void wf_sw_command_give(struct wf_sw_command *cmd)
{
    struct wf_sw_command_pool *pool = cmd->pool;
    wf_base_mutex_lock(&pool->lock);
    if (cmd->first) {
        cmd->chunk->next = pool->chunks;
        pool->chunks = cmd->first;
    }
    cmd->next = pool->commands;
    pool->commands = cmd;
    wf_base_mutex_unlock(&pool->lock);
}

void wf_sw_command_discard(struct wf_hal_command *cmd)
{
    wf_sw_command_give((struct wf_sw_command *)cmd);
}

// ---- records -----------------------------------------------------------------------------------
// Core lets nothing wrong pass; but with validation off, what would write outside of our own memory
// is dropped here and in execute.c: a host's mistake must not harm its process.

static struct wf_sw_chunk *chunk_take(struct wf_sw_command_pool *pool)
{
    wf_base_mutex_lock(&pool->lock);
    struct wf_sw_chunk *chunk = pool->chunks;
    if (chunk)
        pool->chunks = chunk->next;
    wf_base_mutex_unlock(&pool->lock);
    if (!chunk)
        chunk = wf_base_alloc(pool->dev->allocator, sizeof *chunk);
    if (chunk) {
        chunk->next = NULL;
        chunk->used = 0;
    }
    return chunk;
}

// Room for a record, its head filled; NULL once recording has run out of memory.
static void *record(struct wf_hal_command *hal, enum wf_sw_op op, size_t size)
{
    struct wf_sw_command *cmd = (struct wf_sw_command *)hal;
    const uint32_t bytes = (uint32_t)wf_base_align_up(size, 8);
    if (cmd->failed || bytes > WF_SW_CHUNK_BYTES)
        return NULL; // nothing that core lets pass is that large
    if (!cmd->chunk || cmd->chunk->used + bytes > WF_SW_CHUNK_BYTES) {
        struct wf_sw_chunk *chunk = chunk_take(cmd->pool);
        if (!chunk) {
            cmd->failed = true;
            return NULL;
        }
        if (cmd->chunk)
            cmd->chunk->next = chunk;
        else
            cmd->first = chunk;
        cmd->chunk = chunk;
    }
    struct wf_sw_record *head = (void *)(cmd->chunk->data + cmd->chunk->used);
    cmd->chunk->used += bytes;
    head->op = op;
    head->bytes = bytes;
    return head;
}

static void record_plain(struct wf_hal_command *cmd, enum wf_sw_op op)
{
    record(cmd, op, sizeof(struct wf_sw_record));
}

// ---- outside of passes -------------------------------------------------------------------------
// Commands are executed one after another, each with all its effects: a barrier asks for nothing.

void wf_sw_cmd_barrier(struct wf_hal_command *cmd, weft_stage_set producers,
                       weft_stage_set consumers, weft_hazard_set hazards)
{
    (void)cmd, (void)producers, (void)consumers, (void)hazards;
}

void wf_sw_cmd_texture_barrier(struct wf_hal_command *cmd,
                               const struct wf_hal_texture_barrier *barriers, uint32_t count)
{
    (void)cmd, (void)barriers, (void)count;
}

void wf_sw_cmd_buffer_barrier(struct wf_hal_command *cmd,
                              const struct wf_hal_buffer_barrier *barriers, uint32_t count)
{
    (void)cmd, (void)barriers, (void)count;
}

void wf_sw_cmd_alias_barrier(struct wf_hal_command *cmd, struct wf_hal_texture *after)
{
    (void)cmd, (void)after;
}

void wf_sw_cmd_signal_after(struct wf_hal_command *cmd, weft_stage_set producers, uint32_t event)
{
    (void)cmd, (void)producers, (void)event;
}

void wf_sw_cmd_wait_before(struct wf_hal_command *cmd, weft_stage_set consumers,
                           weft_hazard_set hazards, uint32_t event)
{
    (void)cmd, (void)consumers, (void)hazards, (void)event;
}

// Nothing looks at groups and markers: there is no debugger of the device yet.
void wf_sw_cmd_push_group(struct wf_hal_command *cmd, const char *label)
{
    (void)cmd, (void)label;
}

void wf_sw_cmd_pop_group(struct wf_hal_command *cmd)
{
    (void)cmd;
}

void wf_sw_cmd_marker(struct wf_hal_command *cmd, const char *label)
{
    (void)cmd, (void)label;
}

void wf_sw_cmd_write_timestamp(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                               uint32_t query)
{
    struct wf_sw_rec_timestamp *rec = record(cmd, WF_SW_OP_WRITE_TIMESTAMP, sizeof *rec);
    if (!rec)
        return;
    rec->pool = wf_sw_query_pool(pool);
    rec->query = query;
}

void wf_sw_cmd_resolve_queries(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                               uint32_t first, uint32_t count, struct wf_hal_buffer *buf,
                               uint64_t offset)
{
    struct wf_sw_rec_resolve_queries *rec = record(cmd, WF_SW_OP_RESOLVE_QUERIES, sizeof *rec);
    if (!rec)
        return;
    rec->pool = wf_sw_query_pool(pool);
    rec->first = first;
    rec->count = count;
    rec->buf = wf_sw_buffer(buf);
    rec->offset = offset;
}

// ---- render passes -----------------------------------------------------------------------------

void wf_sw_cmd_begin_render(struct wf_hal_command *cmd, const struct wf_hal_render_pass *pass)
{
    struct wf_sw_rec_begin_render *rec = record(cmd, WF_SW_OP_BEGIN_RENDER, sizeof *rec);
    if (!rec)
        return;
    rec->pass = *pass;
    rec->pass.label = NULL;
    wf_sw_label_copy(rec->label, pass->label);
}

void wf_sw_cmd_end_render(struct wf_hal_command *cmd)
{
    record_plain(cmd, WF_SW_OP_END_RENDER);
}

void wf_sw_cmd_set_pipeline(struct wf_hal_command *cmd, struct wf_hal_pipeline *pipeline)
{
    struct wf_sw_rec_pipeline *rec = record(cmd, WF_SW_OP_SET_PIPELINE, sizeof *rec);
    if (rec)
        rec->pipeline = (const struct wf_sw_pipeline *)pipeline;
}

void wf_sw_cmd_set_depth_stencil(struct wf_hal_command *cmd, const weft_depth_stencil_state *state)
{
    struct wf_sw_rec_depth_stencil *rec = record(cmd, WF_SW_OP_SET_DEPTH_STENCIL, sizeof *rec);
    if (rec)
        rec->state = *state;
}

void wf_sw_cmd_set_blend(struct wf_hal_command *cmd, const weft_blend_state *state)
{
    struct wf_sw_rec_blend *rec = record(cmd, WF_SW_OP_SET_BLEND, sizeof *rec);
    if (rec)
        rec->state = *state;
}

void wf_sw_cmd_set_raster(struct wf_hal_command *cmd, const weft_raster_state *state)
{
    struct wf_sw_rec_raster *rec = record(cmd, WF_SW_OP_SET_RASTER, sizeof *rec);
    if (rec)
        rec->state = *state;
}

void wf_sw_cmd_set_viewport(struct wf_hal_command *cmd, const weft_viewport *viewport)
{
    struct wf_sw_rec_viewport *rec = record(cmd, WF_SW_OP_SET_VIEWPORT, sizeof *rec);
    if (rec)
        rec->viewport = *viewport;
}

void wf_sw_cmd_set_scissor(struct wf_hal_command *cmd, const weft_rect *scissor)
{
    struct wf_sw_rec_scissor *rec = record(cmd, WF_SW_OP_SET_SCISSOR, sizeof *rec);
    if (rec)
        rec->rect = *scissor;
}

static void record_number(struct wf_hal_command *cmd, enum wf_sw_op op,
                          struct wf_hal_query_pool *pool, uint32_t number)
{
    struct wf_sw_rec_number *rec = record(cmd, op, sizeof *rec);
    if (!rec)
        return;
    rec->pool = wf_sw_query_pool(pool);
    rec->number = number;
}

void wf_sw_cmd_set_stencil_reference(struct wf_hal_command *cmd, uint32_t reference)
{
    record_number(cmd, WF_SW_OP_SET_STENCIL_REFERENCE, NULL, reference);
}

void wf_sw_cmd_set_blend_constant(struct wf_hal_command *cmd, const float color[4])
{
    struct wf_sw_rec_blend_constant *rec = record(cmd, WF_SW_OP_SET_BLEND_CONSTANT, sizeof *rec);
    if (rec)
        memcpy(rec->color, color, sizeof rec->color);
}

void wf_sw_cmd_set_table(struct wf_hal_command *cmd, uint32_t slot, struct wf_hal_table *table,
                         const uint32_t *offsets, uint32_t offset_count)
{
    const size_t bytes = offset_count * sizeof *offsets;
    if (slot >= WF_HAL_SLOTS || offset_count != table->layout->dynamic_count)
        return;
    struct wf_sw_rec_table *rec = record(cmd, WF_SW_OP_SET_TABLE, sizeof *rec + bytes);
    if (!rec)
        return;
    rec->table = (const struct wf_sw_argument_table *)table;
    rec->slot = slot;
    rec->offset_count = offset_count;
    if (bytes)
        memcpy(rec->offsets, offsets, bytes);
}

void wf_sw_cmd_set_root(struct wf_hal_command *cmd, weft_shader_stages stages, uint32_t offset,
                        const void *data, uint32_t size)
{
    if (!wf_base_range_fits(offset, size, WF_SW_ROOT_BYTES))
        return;
    struct wf_sw_rec_root *rec = record(cmd, WF_SW_OP_SET_ROOT, sizeof *rec + size);
    if (!rec)
        return;
    rec->stages = stages;
    rec->offset = offset;
    rec->size = size;
    memcpy(rec->data, data, size);
}

static void record_buffer(struct wf_hal_command *cmd, enum wf_sw_op op,
                          const struct wf_sw_rec_buffer *what)
{
    struct wf_sw_rec_buffer *rec = record(cmd, op, sizeof *rec);
    if (!rec)
        return;
    const struct wf_sw_record head = rec->head;
    *rec = *what;
    rec->head = head;
}

void wf_sw_cmd_set_vertex_buffer(struct wf_hal_command *cmd, uint32_t slot,
                                 struct wf_hal_buffer *buf, uint64_t offset)
{
    record_buffer(
        cmd, WF_SW_OP_SET_VERTEX_BUFFER,
        &(struct wf_sw_rec_buffer){.buf = wf_sw_buffer(buf), .offset = offset, .slot = slot});
}

void wf_sw_cmd_set_index_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *buf,
                                uint64_t offset, weft_index_type type)
{
    record_buffer(
        cmd, WF_SW_OP_SET_INDEX_BUFFER,
        &(struct wf_sw_rec_buffer){.buf = wf_sw_buffer(buf), .offset = offset, .type = type});
}

void wf_sw_cmd_draw(struct wf_hal_command *cmd, uint32_t vertex_count, uint32_t instance_count,
                    uint32_t first_vertex, uint32_t first_instance)
{
    struct wf_sw_rec_draw *rec = record(cmd, WF_SW_OP_DRAW, sizeof *rec);
    if (!rec)
        return;
    rec->count = vertex_count;
    rec->instance_count = instance_count;
    rec->first = first_vertex;
    rec->vertex_offset = 0;
    rec->first_instance = first_instance;
}

void wf_sw_cmd_draw_indexed(struct wf_hal_command *cmd, uint32_t index_count,
                            uint32_t instance_count, uint32_t first_index, int32_t vertex_offset,
                            uint32_t first_instance)
{
    struct wf_sw_rec_draw *rec = record(cmd, WF_SW_OP_DRAW_INDEXED, sizeof *rec);
    if (!rec)
        return;
    rec->count = index_count;
    rec->instance_count = instance_count;
    rec->first = first_index;
    rec->vertex_offset = vertex_offset;
    rec->first_instance = first_instance;
}

void wf_sw_cmd_draw_indirect(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws)
{
    struct wf_sw_rec_indirect *rec = record(cmd, WF_SW_OP_DRAW_INDIRECT, sizeof *rec);
    if (rec)
        rec->draws = *draws;
}

void wf_sw_cmd_draw_indexed_indirect(struct wf_hal_command *cmd,
                                     const struct wf_hal_indirect *draws)
{
    struct wf_sw_rec_indirect *rec = record(cmd, WF_SW_OP_DRAW_INDEXED_INDIRECT, sizeof *rec);
    if (rec)
        rec->draws = *draws;
}

void wf_sw_cmd_begin_occlusion(struct wf_hal_command *cmd, uint32_t query)
{
    record_number(cmd, WF_SW_OP_BEGIN_OCCLUSION, NULL, query);
}

void wf_sw_cmd_end_occlusion(struct wf_hal_command *cmd)
{
    record_plain(cmd, WF_SW_OP_END_OCCLUSION);
}

void wf_sw_cmd_begin_statistics(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                                uint32_t query)
{
    record_number(cmd, WF_SW_OP_BEGIN_STATISTICS, pool, query);
}

void wf_sw_cmd_end_statistics(struct wf_hal_command *cmd)
{
    record_plain(cmd, WF_SW_OP_END_STATISTICS);
}

// ---- compute encoders --------------------------------------------------------------------------

void wf_sw_cmd_begin_compute(struct wf_hal_command *cmd, struct wf_hal_query_pool *times,
                             uint32_t time_begin, uint32_t time_end, const char *label)
{
    struct wf_sw_rec_begin_compute *rec = record(cmd, WF_SW_OP_BEGIN_COMPUTE, sizeof *rec);
    (void)label;
    if (!rec)
        return;
    rec->times = times ? wf_sw_query_pool(times) : NULL;
    rec->time_begin = time_begin;
    rec->time_end = time_end;
}

void wf_sw_cmd_end_compute(struct wf_hal_command *cmd)
{
    record_plain(cmd, WF_SW_OP_END_COMPUTE);
}

void wf_sw_cmd_set_compute_pipeline(struct wf_hal_command *cmd, struct wf_hal_pipeline *pipeline)
{
    wf_sw_cmd_set_pipeline(cmd, pipeline);
}

void wf_sw_cmd_dispatch(struct wf_hal_command *cmd, uint32_t x, uint32_t y, uint32_t z)
{
    struct wf_sw_rec_dispatch *rec = record(cmd, WF_SW_OP_DISPATCH, sizeof *rec);
    if (!rec)
        return;
    rec->groups[0] = x;
    rec->groups[1] = y;
    rec->groups[2] = z;
}

void wf_sw_cmd_dispatch_indirect(struct wf_hal_command *cmd, struct wf_hal_buffer *buf,
                                 uint64_t offset)
{
    record_buffer(cmd, WF_SW_OP_DISPATCH_INDIRECT,
                  &(struct wf_sw_rec_buffer){.buf = wf_sw_buffer(buf), .offset = offset});
}

void wf_sw_cmd_copy_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                           struct wf_hal_buffer *dst, const struct wf_hal_buffer_copy *regions,
                           uint32_t region_count)
{
    for (uint32_t i = 0; i < region_count; i++) {
        struct wf_sw_rec_copy_buffer *rec = record(cmd, WF_SW_OP_COPY_BUFFER, sizeof *rec);
        if (!rec)
            return;
        rec->src = wf_sw_buffer(src);
        rec->dst = wf_sw_buffer(dst);
        rec->src_offset = regions[i].src_offset;
        rec->dst_offset = regions[i].dst_offset;
        rec->size = regions[i].size;
    }
}

static void record_copy_texels(struct wf_hal_command *cmd, enum wf_sw_op op,
                               struct wf_hal_buffer *buf, const struct wf_hal_texel_layout *layout,
                               struct wf_hal_texture *tex, const weft_texture_region *region)
{
    struct wf_sw_rec_copy_texels *rec = record(cmd, op, sizeof *rec);
    if (!rec)
        return;
    rec->buf = wf_sw_buffer(buf);
    rec->tex = wf_sw_texture(tex);
    rec->layout = *layout;
    rec->region = *region;
}

void wf_sw_cmd_copy_buffer_to_texture(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                                      const struct wf_hal_texel_layout *layout,
                                      struct wf_hal_texture *dst, const weft_texture_region *region)
{
    record_copy_texels(cmd, WF_SW_OP_COPY_BUFFER_TO_TEXTURE, src, layout, dst, region);
}

void wf_sw_cmd_copy_texture_to_buffer(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                                      const weft_texture_region *region, struct wf_hal_buffer *dst,
                                      const struct wf_hal_texel_layout *layout)
{
    record_copy_texels(cmd, WF_SW_OP_COPY_TEXTURE_TO_BUFFER, dst, layout, src, region);
}

void wf_sw_cmd_copy_texture(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                            const weft_texture_region *src_region, struct wf_hal_texture *dst,
                            const weft_texture_region *dst_region)
{
    struct wf_sw_rec_copy_texture *rec = record(cmd, WF_SW_OP_COPY_TEXTURE, sizeof *rec);
    if (!rec)
        return;
    rec->src = wf_sw_texture(src);
    rec->dst = wf_sw_texture(dst);
    rec->src_region = *src_region;
    rec->dst_region = *dst_region;
}

void wf_sw_cmd_fill_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *buf, uint64_t offset,
                           uint64_t size, uint32_t value)
{
    struct wf_sw_rec_fill *rec = record(cmd, WF_SW_OP_FILL_BUFFER, sizeof *rec);
    if (!rec)
        return;
    rec->buf = wf_sw_buffer(buf);
    rec->offset = offset;
    rec->size = size;
    rec->value = value;
}

void wf_sw_cmd_generate_mips(struct wf_hal_command *cmd, struct wf_hal_texture *tex)
{
    struct wf_sw_rec_generate_mips *rec = record(cmd, WF_SW_OP_GENERATE_MIPS, sizeof *rec);
    if (rec)
        rec->tex = wf_sw_texture(tex);
}

void wf_sw_cmd_write_heap(struct wf_hal_command *cmd, weft_heap_kind kind, uint32_t index,
                          struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler)
{
    struct wf_sw_rec_write_heap *rec = record(cmd, WF_SW_OP_WRITE_HEAP, sizeof *rec);
    if (!rec)
        return;
    rec->kind = kind;
    rec->index = index;
    rec->view = view;
    rec->sampler = sampler;
}

// ---- the table ---------------------------------------------------------------------------------

// It stands here because most of its hooks do.
const struct wf_hal_device_ops wf_sw_device_ops = {
#define WF_HAL_HOOK(result, name, parameters) .name = wf_sw_##name,
#define WF_HAL_OPTIONAL(feature, result, name, parameters)
#include "hal/hooks.def"
    .memory_block_create = wf_sw_memory_block_create,
    .memory_block_destroy = wf_sw_memory_block_destroy,
    .heap_open = wf_sw_heap_open,
    .heap_write = wf_sw_heap_write,
    .timeline_wait = wf_sw_timeline_wait,
    .serial_wait = wf_sw_serial_wait,
    .cmd_signal_after = wf_sw_cmd_signal_after,
    .cmd_wait_before = wf_sw_cmd_wait_before,
    .cmd_write_timestamp = wf_sw_cmd_write_timestamp,
    .cmd_draw_indirect = wf_sw_cmd_draw_indirect,
    .cmd_draw_indexed_indirect = wf_sw_cmd_draw_indexed_indirect,
    .cmd_begin_occlusion = wf_sw_cmd_begin_occlusion,
    .cmd_end_occlusion = wf_sw_cmd_end_occlusion,
    .cmd_begin_statistics = wf_sw_cmd_begin_statistics,
    .cmd_end_statistics = wf_sw_cmd_end_statistics,
    .cmd_dispatch = wf_sw_cmd_dispatch,
    .cmd_dispatch_indirect = wf_sw_cmd_dispatch_indirect,
    .cmd_generate_mips = wf_sw_cmd_generate_mips,
    .cmd_write_heap = wf_sw_cmd_write_heap,
};
