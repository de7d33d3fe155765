// Query pools: creation, reading, and what recordings ask of them.
#include "core/record.h"
#include "core/watch.h"

#include <inttypes.h>
#include <string.h>

/// A bound for the array of serials.
#define MAX_QUERIES (1u << 20)

static weft_feature_set feature_of(weft_query_kind kind)
{
    switch (kind) {
    case WEFT_QUERY_TIMESTAMP:
        return WEFT_FEATURE_TIMESTAMPS;
    case WEFT_QUERY_OCCLUSION:
        return WEFT_FEATURE_OCCLUSION_QUERIES;
    case WEFT_QUERY_STATISTICS:
        break;
    }
    return WEFT_FEATURE_PIPELINE_STATISTICS;
}

static const char *kind_name(weft_query_kind kind)
{
    static const char *const names[] = {"timestamp", "occlusion", "statistics"};
    return (unsigned)kind <= WEFT_QUERY_STATISTICS ? names[kind] : "unknown";
}

static bool check_desc(struct weft_device *dev, const weft_query_pool_desc *desc)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_QUERY_POOL, desc->label);
    bool ok = true;
    if ((unsigned)desc->kind > WEFT_QUERY_STATISTICS)
        ok = wf_core_broken(&on, WEFT_RULE_ENUM_UNKNOWN, "%u is no kind of query.",
                            (unsigned)desc->kind);
    else
        ok = wf_core_need(&on, feature_of(desc->kind), "A query pool of this kind");
    if (desc->count == 0 || desc->count > MAX_QUERIES)
        ok = wf_core_broken(&on, WEFT_RULE_QUERY_COUNT, "A pool of %u queries was asked for.",
                            desc->count);
    return ok;
}

static size_t queries_size(uint32_t count)
{
    return sizeof(struct wf_core_queries) + count * sizeof(atomic_uint_fast64_t);
}

weft_result weft_query_pool_create(weft_device *device, const weft_query_pool_desc *desc,
                                   weft_query_pool *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    if (!check_desc(device, desc))
        return WEFT_ERROR_USAGE;
    struct wf_core_query_pool *pool = wf_core_query_pool_take(device, desc->label, out);
    if (!pool)
        return WEFT_ERROR_MEMORY;
    pool->kind = desc->kind;
    pool->count = desc->count;
    weft_result result = WEFT_ERROR_MEMORY;
    pool->queries = wf_base_alloc_zero(device->allocator, queries_size(desc->count));
    if (pool->queries)
        result = device->ops->query_pool_create(device->hal, desc, &pool->hal);
    if (result == WEFT_OK) {
        pool->queries->hal = pool->hal;
        pool->queries->count = desc->count;
        return WEFT_OK;
    }
    wf_base_free(device->allocator, pool->queries, queries_size(desc->count));
    wf_core_query_pool_give(device, out);
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_QUERY_POOL, desc->label);
    return wf_core_failed(&on, result, NULL);
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    struct wf_core_queries *queries = object;
    dev->ops->query_pool_destroy(dev->hal, queries->hal);
    wf_base_free(dev->allocator, queries, queries_size(queries->count));
}

void wf_core_query_pool_discard(struct weft_device *dev, void *object)
{
    struct wf_core_query_pool *hot = object;
    wf_core_retire(dev, release, hot->queries, 0, 0);
}

void weft_query_pool_destroy(weft_device *device, weft_query_pool pool)
{
    wf_core_query_pool_destroy(device, pool);
}

// ---- reading -----------------------------------------------------------------------------------

static size_t result_size(weft_query_kind kind)
{
    return kind == WEFT_QUERY_STATISTICS ? sizeof(weft_pipeline_statistics) : sizeof(uint64_t);
}

static bool check_read(struct weft_device *dev, weft_query_pool handle,
                       const struct wf_core_query_pool *pool, uint32_t first, uint32_t count,
                       size_t size)
{
    const struct wf_core_subject on = wf_core_about(dev, wf_core_query_pool_object(handle));
    bool ok = true;
    if (!wf_base_range_fits(first, count, pool->count))
        ok = wf_core_broken(&on, WEFT_RULE_QUERY_RANGE,
                            "%u queries from %u were read from a pool of %u.", count, first,
                            pool->count);
    const uint64_t need = (uint64_t)count * result_size(pool->kind);
    if (size < need)
        ok = wf_core_broken(&on, WEFT_RULE_QUERY_READ_SIZE,
                            "The results take %" PRIu64 " bytes; there is room for %zu.", need,
                            size);
    return ok;
}

/// Reads runs of queries that were written; the others are 0.
static weft_result read_runs(struct weft_device *dev, const struct wf_core_query_pool *pool,
                             uint32_t first, uint32_t count, void *data)
{
    const size_t size = result_size(pool->kind);
    weft_result result = WEFT_OK;
    memset(data, 0, count * size);
    for (uint32_t i = 0; i < count && result == WEFT_OK;) {
        uint32_t end = i;
        while (end < count && atomic_load(&pool->queries->serials[first + end]) != 0)
            ++end;
        if (end > i)
            result = dev->ops->query_pool_read(dev->hal, pool->hal, first + i, end - i,
                                               (uint64_t *)((char *)data + i * size));
        i = end + 1;
    }
    return result;
}

weft_result weft_query_pool_read(weft_device *device, weft_query_pool handle, uint32_t first,
                                 uint32_t count, void *data, size_t size)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_query_pool *pool = wf_core_query_pool_get(device, handle);
    // Bounds host memory, so at every level.
    if (!pool || !check_read(device, handle, pool, first, count, size) ||
        (count > 0 && !wf_core_given(device, data, WF_CORE_RESULT)))
        return WEFT_ERROR_USAGE;
    const uint64_t finished = wf_core_finished(device);
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t serial = atomic_load(&pool->queries->serials[first + i]);
        if (serial > finished)
            return WEFT_PENDING;
        wf_core_watch_finished(device, serial);
    }
    if (!wf_core_alive(device)) // finished, but not done
        return wf_core_not_ready(device);
    const weft_result result = count > 0 ? read_runs(device, pool, first, count, data) : WEFT_OK;
    if (result == WEFT_OK)
        return WEFT_OK;
    const struct wf_core_subject on = wf_core_about(device, wf_core_query_pool_object(handle));
    return wf_core_failed(&on, result, "read queries");
}

// ---- recording ---------------------------------------------------------------------------------

static bool check_use(struct weft_command_buffer *cmd, weft_query_pool handle,
                      const struct wf_core_query_pool *pool, weft_query_kind kind, uint32_t first,
                      uint32_t count)
{
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_query_pool_object(handle));
    bool ok = true;
    if (pool->kind != kind)
        ok = wf_core_broken(&on, WEFT_RULE_QUERY_KIND, "A pool of %s queries was used for %s.",
                            kind_name(pool->kind), kind_name(kind));
    if (!wf_base_range_fits(first, count, pool->count))
        ok = wf_core_broken(&on, WEFT_RULE_QUERY_RANGE, "Query %u was used of a pool of %u.", first,
                            pool->count);
    return ok;
}

struct wf_core_query_pool *wf_core_query_use(struct weft_command_buffer *cmd,
                                             weft_query_pool handle, weft_query_kind kind,
                                             uint32_t first, uint32_t count)
{
    struct wf_core_query_pool *pool = wf_core_query_pool_get_at(cmd->dev, &cmd->origin, handle);
    // Bounds host memory, so at every level.
    if (!pool || !check_use(cmd, handle, pool, kind, first, count) ||
        !wf_core_command_on_queue(cmd, false, "A query"))
        return NULL;
    if (count > 0 && !wf_core_command_uses_queries(cmd, handle, first, count))
        return NULL;
    return pool;
}

bool wf_core_pass_times(struct weft_command_buffer *cmd, const weft_pass_timestamps *times,
                        struct wf_hal_query_pool **out)
{
    *out = NULL;
    if (weft_query_pool_is_none(times->pool))
        return true;
    struct wf_core_query_pool *pool =
        wf_core_query_use(cmd, times->pool, WEFT_QUERY_TIMESTAMP, 0, 0);
    if (!pool)
        return false;
    const uint32_t edges[2] = {times->begin, times->end};
    for (int i = 0; i < 2; ++i) {
        if (edges[i] != UINT32_MAX &&
            !wf_core_query_use(cmd, times->pool, WEFT_QUERY_TIMESTAMP, edges[i], 1))
            return false;
    }
    *out = pool->hal;
    return true;
}

void weft_command_write_timestamp(weft_command_buffer *cmd, weft_query_pool pool, uint32_t query)
{
    if (!wf_core_command_recording(cmd))
        return;
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_query_pool_object(pool));
    if (!wf_core_command_can(cmd, &on, WEFT_FEATURE_TIMESTAMPS_ANYWHERE,
                             "A timestamp outside of pass edges"))
        return;
    const struct wf_core_query_pool *hot =
        wf_core_query_use(cmd, pool, WEFT_QUERY_TIMESTAMP, query, 1);
    if (hot)
        cmd->ops->cmd_write_timestamp(cmd->hal, hot->hal, query);
}

void weft_command_resolve_queries(weft_command_buffer *cmd, weft_query_pool pool, uint32_t first,
                                  uint32_t count, weft_buffer buffer, uint64_t offset)
{
    if (!wf_core_command_recording(cmd) || count == 0)
        return;
    struct wf_core_query_pool *hot = wf_core_query_pool_get_at(cmd->dev, &cmd->origin, pool);
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, buffer);
    if (!hot || !buf)
        return;
    const uint64_t bytes = (uint64_t)count * result_size(hot->kind);
    bool ok = check_use(cmd, pool, hot, hot->kind, first, count) &&
              wf_core_command_on_queue(cmd, false, "A resolve of queries");
    if (cmd->validate)
        ok &= wf_core_check_range(cmd, &(struct wf_core_range_use){buffer, buf,
                                                                   WEFT_BUFFER_USAGE_QUERY, offset,
                                                                   bytes, 8, "resolved queries"});
    if (ok)
        cmd->ops->cmd_resolve_queries(cmd->hal, hot->hal, first, count, buf->hal, offset);
}
