// Query pools. A query is reset right before it is written, or, inside of a pass, in the prologue;
// a new pool is reset by the first submission, so that nothing waits for a query for ever.
#include "backends/vulkan/vulkan.h"

#include <string.h>

// Statistics are of passes, in which nothing computes: the seventh number is 0.
#define STATISTICS                                                                                 \
    (VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |                                     \
     VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |                                   \
     VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |                                        \
     VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |                                         \
     VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT)
#define STATISTIC_COUNT 6u ///< In the order of their bits, as in weft_pipeline_statistics.

static VkQueryType type_of(weft_query_kind kind)
{
    return kind == WEFT_QUERY_TIMESTAMP   ? VK_QUERY_TYPE_TIMESTAMP
           : kind == WEFT_QUERY_OCCLUSION ? VK_QUERY_TYPE_OCCLUSION
                                          : VK_QUERY_TYPE_PIPELINE_STATISTICS;
}

static size_t result_bytes(weft_query_kind kind)
{
    return kind == WEFT_QUERY_STATISTICS ? sizeof(weft_pipeline_statistics) : sizeof(uint64_t);
}

weft_result wf_vk_query_pool_create(struct wf_hal_device *hal, const weft_query_pool_desc *desc,
                                    struct wf_hal_query_pool **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_query_pool *pool = wf_base_alloc_zero(hal->allocator, sizeof *pool);
    if (!pool)
        return WEFT_ERROR_MEMORY;
    pool->base = (struct wf_hal_query_pool){desc->kind, desc->count};
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = type_of(desc->kind),
        .queryCount = desc->count,
        .pipelineStatistics = desc->kind == WEFT_QUERY_STATISTICS ? STATISTICS : 0u,
    };
    weft_result result = WEFT_ERROR_MEMORY;
    pool->written = wf_base_alloc_array(hal->allocator, desc->count, sizeof *pool->written);
    if (pool->written)
        result = wf_vk_result(dev, dev->vk.CreateQueryPool(dev->handle, &info, NULL, &pool->handle),
                              "creating a query pool");
    if (result != WEFT_OK) {
        wf_vk_query_pool_destroy(hal, &pool->base);
        return result;
    }
    wf_vk_name(dev, VK_OBJECT_TYPE_QUERY_POOL, (uint64_t)pool->handle, desc->label);
    wf_base_mutex_lock(&dev->fresh_lock);
    pool->fresh = true;
    pool->fresh_next = dev->fresh.queries;
    dev->fresh.queries = pool;
    wf_base_mutex_unlock(&dev->fresh_lock);
    *out = &pool->base;
    return WEFT_OK;
}

void wf_vk_query_pool_destroy(struct wf_hal_device *hal, struct wf_hal_query_pool *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_query_pool *pool = wf_vk_query_pool(base);
    wf_base_mutex_lock(&dev->fresh_lock);
    struct wf_vk_query_pool **at = &dev->fresh.queries;
    while (pool->fresh && *at != pool)
        at = &(*at)->fresh_next;
    if (pool->fresh)
        *at = pool->fresh_next;
    wf_base_mutex_unlock(&dev->fresh_lock);
    if (pool->handle)
        dev->vk.DestroyQueryPool(dev->handle, pool->handle, NULL);
    wf_base_free(hal->allocator, (void *)pool->written, base->count * sizeof *pool->written);
    wf_base_free(hal->allocator, pool, sizeof *pool);
}

void wf_vk_query_pool_prepare(struct wf_vk_device *dev, struct wf_vk_query_pool *pool,
                              VkCommandBuffer buf)
{
    dev->vk.CmdResetQueryPool(buf, pool->handle, 0, pool->base.count);
}

weft_result wf_vk_query_pool_read(struct wf_hal_device *hal, struct wf_hal_query_pool *base,
                                  uint32_t first, uint32_t count, uint64_t *out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    const size_t size = result_bytes(base->kind);
    memset(out, 0, count * size);
    return wf_vk_result(dev,
                        dev->vk.GetQueryPoolResults(
                            dev->handle, wf_vk_query_pool(base)->handle, first, count, count * size,
                            out, size, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                        "reading queries");
}

static void note_written(struct wf_vk_query_pool *pool, uint32_t query)
{
    atomic_store_explicit(&pool->written[query], 1, memory_order_relaxed);
}

// ---- commands ----------------------------------------------------------------------------------

void wf_vk_write_time(struct wf_vk_command *cmd, struct wf_hal_query_pool *times, uint32_t query)
{
    struct wf_vk_query_pool *pool = wf_vk_query_pool(times);
    note_written(pool, query);
    cmd->vk->CmdResetQueryPool(cmd->handle, pool->handle, query, 1);
    cmd->vk->CmdWriteTimestamp2(cmd->handle, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool->handle,
                                query);
}

void wf_vk_cmd_write_timestamp(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                               uint32_t query)
{
    wf_vk_write_time(wf_vk_command(cmd), pool, query);
}

/// False, with the command failed, if there is no prologue to reset the query in.
static bool begin_query(struct wf_vk_command *cmd, struct wf_vk_query_pool *pool, uint32_t query,
                        VkQueryControlFlags how)
{
    VkCommandBuffer before = cmd->rendering ? wf_vk_prologue(cmd) : cmd->handle;
    if (!before)
        return false;
    note_written(pool, query);
    cmd->vk->CmdResetQueryPool(before, pool->handle, query, 1);
    cmd->vk->CmdBeginQuery(cmd->handle, pool->handle, query, how);
    return true;
}

void wf_vk_cmd_begin_occlusion(struct wf_hal_command *base, uint32_t query)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    const struct wf_vk_device *dev = wf_vk_device(base->dev);
    const bool precise = dev->adapter.features.features.occlusionQueryPrecise;
    cmd->query = query;
    cmd->counting = begin_query(cmd, wf_vk_query_pool(cmd->occlusion), query,
                                precise ? VK_QUERY_CONTROL_PRECISE_BIT : 0u);
}

void wf_vk_cmd_end_occlusion(struct wf_hal_command *base)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    if (cmd->counting)
        cmd->vk->CmdEndQuery(cmd->handle, wf_vk_query_pool(cmd->occlusion)->handle, cmd->query);
}

void wf_vk_cmd_begin_statistics(struct wf_hal_command *base, struct wf_hal_query_pool *pool,
                                uint32_t query)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->statistics_query = query;
    cmd->statistics =
        begin_query(cmd, wf_vk_query_pool(pool), query, 0) ? wf_vk_query_pool(pool) : NULL;
}

void wf_vk_cmd_end_statistics(struct wf_hal_command *base)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    if (cmd->statistics)
        cmd->vk->CmdEndQuery(cmd->handle, cmd->statistics->handle, cmd->statistics_query);
}

/// Waiting for a query that nobody writes would hang the queue: those read 0, as hal.h asks.
void wf_vk_cmd_resolve_queries(struct wf_hal_command *base, struct wf_hal_query_pool *pool_base,
                               uint32_t first, uint32_t count, struct wf_hal_buffer *buf,
                               uint64_t offset)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    struct wf_vk_query_pool *pool = wf_vk_query_pool(pool_base);
    VkBuffer to = wf_vk_buffer(buf)->handle;
    const uint64_t size = result_bytes(pool_base->kind);
    for (uint32_t i = 0, end; i < count; i = end) {
        const uint8_t written =
            atomic_load_explicit(&pool->written[first + i], memory_order_relaxed);
        for (end = i + 1; end < count; end++) {
            if (atomic_load_explicit(&pool->written[first + end], memory_order_relaxed) != written)
                break;
        }
        // The seventh statistic is 0, which Vulkan does not write.
        if (!written || pool_base->kind == WEFT_QUERY_STATISTICS)
            cmd->vk->CmdFillBuffer(cmd->handle, to, offset + i * size, (end - i) * size, 0);
        if (written && pool_base->kind == WEFT_QUERY_STATISTICS)
            wf_vk_memory_barrier(
                cmd, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
        if (written)
            cmd->vk->CmdCopyQueryPoolResults(cmd->handle, pool->handle, first + i, end - i, to,
                                             offset + i * size, size,
                                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    }
}
