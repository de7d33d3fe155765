// Query pools. A query is reset right before it is written, or, inside of a pass, in the prologue
// of its segment. Results are waited for, which takes no time where a barrier is, but only of
// queries that submitted commands write: which they are is known at submission, not while
// recording.
#include "backends/vulkan/vulkan.h"

#include "base/array.h"

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
    *out = &pool->base;
    return WEFT_OK;
}

void wf_vk_query_pool_destroy(struct wf_hal_device *hal, struct wf_hal_query_pool *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_query_pool *pool = wf_vk_query_pool(base);
    if (pool->handle)
        dev->vk.DestroyQueryPool(dev->handle, pool->handle, NULL);
    wf_base_free(hal->allocator, (void *)pool->written, base->count * sizeof *pool->written);
    wf_base_free(hal->allocator, pool, sizeof *pool);
}

// ---- what is written ---------------------------------------------------------------------------

/// Of a command of a submission: what comes before in it, and in the commands before that.
struct moment {
    const struct wf_hal_submit *submit; ///< NULL: only what was submitted.
    uint32_t index;
    size_t writes;
};

static bool command_writes(const struct wf_vk_command *cmd, size_t writes,
                           const struct wf_vk_query_pool *pool, uint32_t query)
{
    for (size_t i = 0; i < writes; i++) {
        const struct wf_vk_query_write *w = &cmd->writes[i];
        if (w->pool == pool && query >= w->first && query - w->first < w->count)
            return true;
    }
    return false;
}

static bool is_written(const struct wf_vk_query_pool *pool, uint32_t query, const struct moment *at)
{
    if (atomic_load_explicit(&pool->written[query], memory_order_relaxed))
        return true;
    for (uint32_t i = 0; at->submit && i <= at->index; i++) {
        const struct wf_vk_command *cmd = wf_vk_command(at->submit->commands[i]);
        if (command_writes(cmd, i < at->index ? cmd->write_count : at->writes, pool, query))
            return true;
    }
    return false;
}

/// How many queries from `first` on, `count` at most, are written like the first.
static uint32_t run_of(const struct wf_vk_query_pool *pool, uint32_t first, uint32_t count,
                       const struct moment *at)
{
    const bool written = is_written(pool, first, at);
    uint32_t n = 1;
    while (n < count && is_written(pool, first + n, at) == written)
        n++;
    return n;
}

/// False if there is no memory.
static bool note_write(struct wf_vk_command *cmd, struct wf_vk_query_pool *pool, uint32_t query)
{
    struct wf_vk_query_write *last = cmd->write_count ? &cmd->writes[cmd->write_count - 1] : NULL;
    // What was resolved meanwhile does not know of it.
    if (last && cmd->write_count != cmd->writes_seen && last->pool == pool &&
        last->first + last->count == query) {
        last->count++;
        return true;
    }
    struct wf_vk_query_write *writes =
        wf_base_array_grow(cmd->base.dev->allocator, cmd->writes, &cmd->write_capacity,
                           cmd->write_count + 1, sizeof *writes);
    if (!writes) {
        wf_vk_command_fail(cmd, WEFT_ERROR_MEMORY);
        return false;
    }
    cmd->writes = writes;
    writes[cmd->write_count++] = (struct wf_vk_query_write){pool, query, 1};
    return true;
}

void wf_vk_queries_submitted(const struct wf_vk_command *cmd)
{
    for (size_t i = 0; i < cmd->write_count; i++) {
        const struct wf_vk_query_write *w = &cmd->writes[i];
        for (uint32_t k = 0; k < w->count; k++)
            atomic_store_explicit(&w->pool->written[w->first + k], 1, memory_order_relaxed);
    }
}

weft_result wf_vk_query_pool_read(struct wf_hal_device *hal, struct wf_hal_query_pool *base,
                                  uint32_t first, uint32_t count, uint64_t *out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    const struct wf_vk_query_pool *pool = wf_vk_query_pool(base);
    const struct moment now = {.submit = NULL};
    const size_t size = result_bytes(base->kind);
    VkResult result = VK_SUCCESS;
    memset(out, 0, count * size);
    for (uint32_t i = 0, n; i < count && result == VK_SUCCESS; i += n) {
        n = run_of(pool, first + i, count - i, &now);
        if (is_written(pool, first + i, &now))
            result = dev->vk.GetQueryPoolResults(dev->handle, pool->handle, first + i, n, n * size,
                                                 (char *)out + i * size, size,
                                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    }
    return wf_vk_result(dev, result, "reading queries");
}

// ---- commands ----------------------------------------------------------------------------------

void wf_vk_write_time(struct wf_vk_command *cmd, struct wf_hal_query_pool *times, uint32_t query)
{
    struct wf_vk_query_pool *pool = wf_vk_query_pool(times);
    if (!note_write(cmd, pool, query))
        return;
    cmd->vk->CmdResetQueryPool(cmd->handle, pool->handle, query, 1);
    cmd->vk->CmdWriteTimestamp2(cmd->handle, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool->handle,
                                query);
}

void wf_vk_cmd_write_timestamp(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                               uint32_t query)
{
    wf_vk_write_time(wf_vk_command(cmd), pool, query);
}

void wf_vk_query_begin_pass(struct wf_vk_command *cmd, const struct wf_hal_render_pass *pass)
{
    const uint32_t possible =
        1u << WEFT_QUERY_STATISTICS | (pass->occlusion ? 1u << WEFT_QUERY_OCCLUSION : 0u);
    if (cmd->queried & possible)
        wf_vk_command_split(cmd, NULL);
}

/// False, with the command failed, if it cannot be begun.
static bool begin_query(struct wf_vk_command *cmd, struct wf_vk_query_pool *pool, uint32_t query,
                        VkQueryControlFlags how)
{
    VkCommandBuffer before = wf_vk_prologue(cmd);
    if (!before || !note_write(cmd, pool, query))
        return false;
    cmd->queried |= 1u << pool->base.kind;
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

// ---- resolving ---------------------------------------------------------------------------------

/// Queries `i` to `i + n` of those that are resolved, which are `written`, or 0.
static void resolve_run(struct wf_vk_command *cmd, const struct wf_vk_resolve *r, uint32_t i,
                        uint32_t n, bool written)
{
    const weft_query_kind kind = r->pool->base.kind;
    const uint64_t size = result_bytes(kind), offset = r->offset + i * size;
    // The seventh statistic is 0, which Vulkan does not write.
    if (!written || kind == WEFT_QUERY_STATISTICS)
        cmd->vk->CmdFillBuffer(cmd->handle, r->to, offset, n * size, 0);
    if (!written)
        return;
    if (kind == WEFT_QUERY_STATISTICS)
        wf_vk_memory_barrier(cmd, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT);
    cmd->vk->CmdCopyQueryPoolResults(cmd->handle, r->pool->handle, r->first + i, n, r->to, offset,
                                     size, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

void wf_vk_resolve_late(struct wf_vk_command *to, const struct wf_vk_resolve *r,
                        const struct wf_hal_submit *submit, uint32_t index)
{
    const struct moment at = {submit, index, r->writes};
    for (uint32_t i = 0, n; i < r->count; i += n) {
        n = run_of(r->pool, r->first + i, r->count - i, &at);
        resolve_run(to, r, i, n, is_written(r->pool, r->first + i, &at));
    }
}

void wf_vk_cmd_resolve_queries(struct wf_hal_command *base, struct wf_hal_query_pool *pool,
                               uint32_t first, uint32_t count, struct wf_hal_buffer *buf,
                               uint64_t offset)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    const struct wf_vk_resolve resolve = {wf_vk_query_pool(pool),    first,  count,
                                          wf_vk_buffer(buf)->handle, offset, cmd->write_count};
    bool here = true;
    for (uint32_t i = 0; i < count && here; i++)
        here = command_writes(cmd, cmd->write_count, resolve.pool, first + i);
    if (here) {
        cmd->queried |= 1u << pool->kind;
        resolve_run(cmd, &resolve, 0, count, true);
    } else {
        cmd->writes_seen = cmd->write_count;
        wf_vk_command_split(cmd, &resolve);
    }
}
