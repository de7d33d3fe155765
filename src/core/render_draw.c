// Draws, and the queries around them.
#include "core/record.h"

/// Sums of two 32-bit numbers, so they cannot overflow.
static uint64_t end_of(uint32_t first, uint32_t count)
{
    return (uint64_t)first + count;
}

/// Nothing changed since the last draw that was looked at closely, and the root block is written.
static bool is_ready(const weft_render_encoder *enc)
{
    const struct wf_core_pipeline *p = enc->pipeline;
    return enc->stale == 0 && ((p->root_need[0] & ~enc->root_written[0]) |
                               (p->root_need[1] & ~enc->root_written[1])) == 0;
}

/// At OFF: a draw needs a pipeline, as an encoder's state, and nothing that was refused: that is
/// not there for the backend.
static bool has_pipeline(weft_render_encoder *enc)
{
    if (enc->stale & WF_CORE_REFUSED)
        return false;
    return enc->pipeline != NULL || wf_core_check_draw(enc, 0, 0);
}

static void draw(weft_render_encoder *enc, uint32_t vertex_count, uint32_t instance_count,
                 uint32_t first_vertex, uint32_t first_instance)
{
    ++enc->cmd->counts.draws;
    enc->ops->cmd_draw(enc->hal, vertex_count, instance_count, first_vertex, first_instance);
}

/// Any draw, with all that can be wrong about it.
static WF_CORE_COLD void check_and_draw(weft_render_encoder *enc, uint32_t vertex_count,
                                        uint32_t instance_count, uint32_t first_vertex,
                                        uint32_t first_instance)
{
    if (!wf_core_render_open(enc) || vertex_count == 0 || instance_count == 0)
        return;
    if (!enc->validate && !has_pipeline(enc))
        return;
    if (wf_core_check_draw(enc, end_of(first_vertex, vertex_count),
                           end_of(first_instance, instance_count)))
        draw(enc, vertex_count, instance_count, first_vertex, first_instance);
}

/// What was looked at before takes a short way. At OFF a draw needs what has_pipeline() asks.
static inline bool can_draw(const weft_render_encoder *enc, uint32_t vertex_count,
                            uint32_t instance_count, uint32_t first_vertex, uint32_t first_instance)
{
    if (!enc || enc->state != WF_CORE_ENCODER_OPEN || vertex_count == 0 || instance_count == 0)
        return false;
    if (!enc->validate)
        return enc->pipeline != NULL && !(enc->stale & WF_CORE_REFUSED);
    return is_ready(enc) && end_of(first_vertex, vertex_count) <= enc->vertex_limit &&
           end_of(first_instance, instance_count) <= enc->instance_limit;
}

void weft_render_draw(weft_render_encoder *enc, uint32_t vertex_count, uint32_t instance_count,
                      uint32_t first_vertex, uint32_t first_instance)
{
    if (can_draw(enc, vertex_count, instance_count, first_vertex, first_instance))
        draw(enc, vertex_count, instance_count, first_vertex, first_instance);
    else
        check_and_draw(enc, vertex_count, instance_count, first_vertex, first_instance);
}

void weft_render_draw_indexed(weft_render_encoder *enc, uint32_t index_count,
                              uint32_t instance_count, uint32_t first_index, int32_t vertex_offset,
                              uint32_t first_instance)
{
    if (!wf_core_render_open(enc) || index_count == 0 || instance_count == 0)
        return;
    if (enc->validate) {
        const uint64_t indices = end_of(first_index, index_count);
        const uint64_t instances = end_of(first_instance, instance_count);
        // The limit is 0 without an index buffer, and index_fits once it matches the pipeline.
        if ((!is_ready(enc) || !enc->index_fits || indices > enc->index_limit ||
             instances > enc->instance_limit) &&
            !wf_core_check_draw_indexed(enc, indices, instances))
            return;
    } else if (!has_pipeline(enc)) {
        return;
    }
    ++enc->cmd->counts.draws;
    enc->ops->cmd_draw_indexed(enc->hal, index_count, instance_count, first_index, vertex_offset,
                               first_instance);
}

/// The hal's form. False after the error stuck.
static bool resolve_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws,
                             uint32_t tight, struct wf_hal_indirect *out)
{
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, draws->buffer);
    const struct wf_core_buffer *count = NULL;
    bool ok = buf != NULL;
    if (!weft_buffer_is_none(draws->count_buffer)) {
        count = wf_core_buffer_get_at(cmd->dev, &cmd->origin, draws->count_buffer);
        ok = ok && count;
    }
    if (!ok)
        return false;
    *out = (struct wf_hal_indirect){
        .buffer = buf->hal,
        .offset = draws->offset,
        .stride = draws->stride > 0 ? draws->stride : tight,
        .max_count = draws->max_count,
        .count_buffer = count ? count->hal : NULL,
        .count_offset = draws->count_offset,
        .root_stride = draws->root_stride,
        .root_base = draws->root_base,
    };
    return true;
}

/// The capability, at every level: its hooks are optional.
static bool has_indirect(struct weft_command_buffer *cmd)
{
    return wf_core_command_can(cmd, &cmd->on, WEFT_FEATURE_INDIRECT_DRAWS, "An indirect draw");
}

static bool has_mesh(struct weft_command_buffer *cmd)
{
    return wf_core_command_can(cmd, &cmd->on, WEFT_FEATURE_MESH_SHADERS, "Drawing meshlets");
}

static bool begin_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws,
                           enum wf_core_draw kind, struct wf_hal_indirect *out)
{
    if (!wf_core_render_takes(enc, draws, "description") || draws->max_count == 0 ||
        !has_indirect(enc->cmd) || (kind == WF_CORE_DRAW_MESH && !has_mesh(enc->cmd)))
        return false;
    if (!resolve_indirect(enc, draws, wf_core_indirect_bytes(kind), out))
        return false;
    if (enc->validate ? !wf_core_check_draw_indirect(enc, draws, kind) : !has_pipeline(enc))
        return false;
    enc->cmd->counts.draws += draws->max_count;
    return true;
}

void weft_render_draw_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws)
{
    struct wf_hal_indirect indirect;
    if (begin_indirect(enc, draws, WF_CORE_DRAW_VERTICES, &indirect))
        enc->ops->cmd_draw_indirect(enc->hal, &indirect);
}

void weft_render_draw_indexed_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws)
{
    struct wf_hal_indirect indirect;
    if (begin_indirect(enc, draws, WF_CORE_DRAW_INDEXED, &indirect))
        enc->ops->cmd_draw_indexed_indirect(enc->hal, &indirect);
}

void weft_render_draw_mesh(weft_render_encoder *enc, uint32_t x, uint32_t y, uint32_t z)
{
    if (!wf_core_render_open(enc) || x == 0 || y == 0 || z == 0)
        return;
    if (!has_mesh(enc->cmd))
        return;
    if (enc->validate ? !wf_core_check_draw_mesh(enc, x, y, z) : !has_pipeline(enc))
        return;
    ++enc->cmd->counts.draws;
    enc->ops->cmd_draw_mesh(enc->hal, x, y, z);
}

void weft_render_draw_mesh_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws)
{
    struct wf_hal_indirect indirect;
    if (begin_indirect(enc, draws, WF_CORE_DRAW_MESH, &indirect))
        enc->ops->cmd_draw_mesh_indirect(enc->hal, &indirect);
}

// ---- queries -----------------------------------------------------------------------------------

static bool query_refuse(weft_render_encoder *enc, weft_rule rule, const char *why)
{
    struct weft_command_buffer *cmd = enc->cmd;
    return wf_core_broken(&cmd->on, rule, "%s", why);
}

void weft_render_begin_occlusion(weft_render_encoder *enc, uint32_t query)
{
    if (!wf_core_render_open(enc))
        return;
    if (enc->occlusion_open) {
        query_refuse(enc, WEFT_RULE_OCCLUSION_NESTED, "An occlusion query is open already.");
        return;
    }
    if (weft_query_pool_is_none(enc->occlusion)) {
        query_refuse(enc, WEFT_RULE_OCCLUSION_POOL,
                     "The pass was begun without an occlusion pool.");
        return;
    }
    if (!wf_core_query_use(enc->cmd, enc->occlusion, WEFT_QUERY_OCCLUSION, query, 1))
        return;
    enc->occlusion_open = true;
    enc->ops->cmd_begin_occlusion(enc->hal, query);
}

void weft_render_end_occlusion(weft_render_encoder *enc)
{
    if (!wf_core_render_open(enc))
        return;
    if (!enc->occlusion_open) {
        query_refuse(enc, WEFT_RULE_OCCLUSION_NESTED, "No occlusion query is open.");
        return;
    }
    enc->occlusion_open = false;
    enc->ops->cmd_end_occlusion(enc->hal);
}

void weft_render_begin_statistics(weft_render_encoder *enc, weft_query_pool pool, uint32_t query)
{
    if (!wf_core_render_open(enc))
        return;
    if (enc->statistics_open) {
        query_refuse(enc, WEFT_RULE_STATISTICS_NESTED, "A statistics query is open already.");
        return;
    }
    const struct wf_core_query_pool *hot =
        wf_core_query_use(enc->cmd, pool, WEFT_QUERY_STATISTICS, query, 1);
    if (!hot)
        return;
    enc->statistics_open = true;
    enc->ops->cmd_begin_statistics(enc->hal, hot->hal, query);
}

void weft_render_end_statistics(weft_render_encoder *enc)
{
    if (!wf_core_render_open(enc))
        return;
    if (!enc->statistics_open) {
        query_refuse(enc, WEFT_RULE_STATISTICS_NESTED, "No statistics query is open.");
        return;
    }
    enc->statistics_open = false;
    enc->ops->cmd_end_statistics(enc->hal);
}
