// State that is set by command on a render encoder.
#include "core/record.h"

void weft_render_set_pipeline(weft_render_encoder *enc, weft_graphics_pipeline handle)
{
    if (!wf_core_render_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    enc->stale |= WF_CORE_REFUSED_PIPELINE;
    const struct wf_core_graphics_pipeline *hot =
        wf_core_graphics_pipeline_get_at(cmd->dev, &cmd->origin, handle);
    if (!hot)
        return;
    const weft_object object = wf_core_graphics_pipeline_object(handle);
    const struct wf_core_pipeline *pipeline = wf_core_bind_pipeline(cmd, hot->pipeline, object);
    if (!pipeline)
        return;
    if (enc->validate && !wf_core_check_targets(enc, pipeline, object))
        return;
    enc->pipeline = pipeline;
    enc->index_fits = false;
    enc->depth_stencil = &pipeline->state.depth_stencil;
    enc->blend = &pipeline->state.blend;
    enc->stale &= ~(WF_CORE_REFUSED_PIPELINE | WF_CORE_STALE_PIPELINE);
    enc->stale |= WF_CORE_STALE_TABLES | WF_CORE_STALE_STREAMS | WF_CORE_STALE_STATE;
    enc->ops->cmd_set_pipeline(enc->hal, pipeline->hal);
    enc->ops->cmd_set_depth_stencil(enc->hal, &pipeline->state.depth_stencil);
    enc->ops->cmd_set_blend(enc->hal, &pipeline->state.blend);
    enc->ops->cmd_set_raster(enc->hal, &pipeline->state.raster);
}

void weft_render_set_depth_stencil(weft_render_encoder *enc, const weft_depth_stencil_state *state)
{
    if (!wf_core_render_takes(enc, state, "state"))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    if (enc->validate && !wf_core_check_depth_stencil(&cmd->on, state))
        return;
    enc->set.depth_stencil = wf_core_depth_stencil_resolved(state);
    enc->depth_stencil = &enc->set.depth_stencil;
    enc->stale |= WF_CORE_STALE_STATE;
    enc->ops->cmd_set_depth_stencil(enc->hal, enc->depth_stencil);
}

void weft_render_set_blend(weft_render_encoder *enc, const weft_blend_state *state)
{
    if (!wf_core_render_takes(enc, state, "state"))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    if (enc->validate && !wf_core_check_blend(&cmd->on, state))
        return;
    enc->set.blend = wf_core_blend_resolved(state);
    enc->blend = &enc->set.blend;
    enc->stale |= WF_CORE_STALE_STATE;
    enc->ops->cmd_set_blend(enc->hal, enc->blend);
}

void weft_render_set_raster(weft_render_encoder *enc, const weft_raster_state *state)
{
    if (!wf_core_render_takes(enc, state, "state"))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    if (enc->validate && !wf_core_check_raster(&cmd->on, state))
        return;
    enc->ops->cmd_set_raster(enc->hal, state);
}

/// Written so that a NaN fails.
static bool check_viewport(struct weft_command_buffer *cmd, const weft_viewport *v)
{
    const float most = (float)cmd->dev->caps.limits.max_viewport;
    bool ok = true;
    if (!(v->width > 0.0f && v->width <= most && v->height > 0.0f && v->height <= most &&
          v->x >= -2.0f * most && v->x <= 2.0f * most && v->y >= -2.0f * most &&
          v->y <= 2.0f * most))
        ok = wf_core_broken(&cmd->on, WEFT_RULE_VIEWPORT_SIZE,
                            "The viewport is %g x %g at (%g, %g); max_viewport is %g.",
                            (double)v->width, (double)v->height, (double)v->x, (double)v->y,
                            (double)most);
    if (!(v->min_depth >= 0.0f && v->min_depth <= 1.0f && v->max_depth >= 0.0f &&
          v->max_depth <= 1.0f))
        ok = wf_core_broken(&cmd->on, WEFT_RULE_VIEWPORT_DEPTH,
                            "The viewport's depth range is %g to %g.", (double)v->min_depth,
                            (double)v->max_depth);
    return ok;
}

void weft_render_set_viewport(weft_render_encoder *enc, const weft_viewport *viewport)
{
    if (!wf_core_render_takes(enc, viewport, "viewport"))
        return;
    if (enc->validate && !check_viewport(enc->cmd, viewport))
        return;
    enc->ops->cmd_set_viewport(enc->hal, viewport);
}

/// The part of [at, at + size) that lies in [0, limit).
static void clip_side(int32_t at, uint32_t size, uint32_t limit, int32_t *clipped_at,
                      uint32_t *clipped_size)
{
    int64_t first = at, end = (int64_t)at + size;
    first = first < 0 ? 0 : first > (int64_t)limit ? (int64_t)limit : first;
    end = end < first ? first : end > (int64_t)limit ? (int64_t)limit : end;
    *clipped_at = (int32_t)first;
    *clipped_size = (uint32_t)(end - first);
}

void weft_render_set_scissor(weft_render_encoder *enc, const weft_rect *scissor)
{
    if (!wf_core_render_takes(enc, scissor, "scissor"))
        return;
    weft_rect clipped;
    clip_side(scissor->x, scissor->width, enc->width, &clipped.x, &clipped.width);
    clip_side(scissor->y, scissor->height, enc->height, &clipped.y, &clipped.height);
    enc->ops->cmd_set_scissor(enc->hal, &clipped);
}

void weft_render_set_stencil_reference(weft_render_encoder *enc, uint32_t reference)
{
    if (!wf_core_render_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    if (enc->validate && reference > 255) {
        wf_core_broken(&cmd->on, WEFT_RULE_STENCIL_REFERENCE, "The stencil reference is %u.",
                       reference);
        return;
    }
    enc->ops->cmd_set_stencil_reference(enc->hal, reference);
}

void weft_render_set_blend_constant(weft_render_encoder *enc, const float color[4])
{
    if (wf_core_render_takes(enc, color, "color"))
        enc->ops->cmd_set_blend_constant(enc->hal, color);
}
