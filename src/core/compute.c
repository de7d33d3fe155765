// Compute encoders: dispatches, and what they read. Copies are in copy.c.
#include "core/record.h"

#include <string.h>

bool wf_core_compute_refuse(const weft_compute_encoder *enc)
{
    if (enc->state == WF_CORE_ENCODER_SWALLOWS)
        return false;
    struct weft_command_buffer *cmd = enc->cmd;
    return wf_core_broken(&cmd->on, WEFT_RULE_ENCODER_CLOSED,
                          "The compute encoder was used after its end.");
}

/// For callers whose weft_command_begin() failed. Never written to.
static weft_compute_encoder no_encoder = {.state = WF_CORE_ENCODER_SWALLOWS};

weft_compute_encoder *weft_command_begin_compute(weft_command_buffer *cmd,
                                                 const weft_compute_pass_desc *desc)
{
    if (!wf_core_command_recording(cmd))
        return &no_encoder;
    weft_compute_encoder *enc = &cmd->compute;
    const weft_compute_pass_desc full = desc ? *desc : (weft_compute_pass_desc){0};
    wf_core_label_set(cmd->pass, full.label);
    cmd->in_encoder = true;
    memset(enc, 0, sizeof *enc);
    enc->cmd = cmd;
    struct wf_hal_query_pool *times;
    if (!wf_core_pass_times(cmd, &full.times, &times)) {
        enc->state = WF_CORE_ENCODER_SWALLOWS;
        return enc;
    }
    enc->ops = cmd->ops;
    enc->hal = cmd->hal;
    enc->state = WF_CORE_ENCODER_OPEN;
    enc->validate = cmd->validate;
    enc->stale = WF_CORE_STALE_TABLES;
    enc->root_limit = cmd->dev->caps.limits.max_root_bytes;
    enc->groups = cmd->groups;
    cmd->ops->cmd_begin_compute(cmd->hal, times, full.times.begin, full.times.end, cmd->pass);
    return enc;
}

void weft_compute_end(weft_compute_encoder *enc)
{
    if (!enc || enc == &no_encoder)
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    if (enc->state == WF_CORE_ENCODER_OPEN) {
        if (enc->validate && cmd->groups != enc->groups)
            wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_GROUPS,
                           "%u debug groups that the encoder began are still open.",
                           cmd->groups - enc->groups);
        cmd->groups = enc->groups;
        cmd->ops->cmd_end_compute(cmd->hal);
    } else if (enc->state == WF_CORE_ENCODER_CLOSED) {
        wf_core_compute_refuse(enc);
        return;
    }
    enc->state = WF_CORE_ENCODER_CLOSED;
    cmd->in_encoder = false;
    cmd->pass[0] = '\0';
}

void weft_compute_set_pipeline(weft_compute_encoder *enc, weft_compute_pipeline handle)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    enc->stale |= WF_CORE_STALE_TABLES | WF_CORE_REFUSED_PIPELINE;
    if (!wf_core_command_on_queue(cmd, false, "A compute pipeline"))
        return;
    const struct wf_core_compute_pipeline *hot =
        wf_core_compute_pipeline_get_at(cmd->dev, &cmd->origin, handle);
    if (!hot)
        return;
    const struct wf_core_pipeline *pipeline =
        wf_core_bind_pipeline(cmd, hot->pipeline, wf_core_compute_pipeline_object(handle));
    if (!pipeline)
        return;
    enc->pipeline = pipeline;
    enc->stale &= ~WF_CORE_REFUSED_PIPELINE;
    enc->ops->cmd_set_compute_pipeline(enc->hal, pipeline->hal);
}

void weft_compute_set_arguments(weft_compute_encoder *enc, uint32_t slot, weft_argument_table table,
                                const uint32_t *offsets, uint32_t offset_count)
{
    if (!wf_core_compute_open(enc))
        return;
    enc->stale |= WF_CORE_STALE_TABLES | WF_CORE_REFUSED_TABLE(slot);
    if (wf_core_bind_table(enc->cmd, slot, table, offsets, offset_count, enc->tables))
        enc->stale &= ~WF_CORE_REFUSED_TABLE(slot);
}

void weft_compute_set_root(weft_compute_encoder *enc, uint32_t offset, const void *data,
                           uint32_t size)
{
    if (!wf_core_compute_open(enc) || size == 0)
        return;
    // Bounds host memory, so at every level.
    if (((offset | size) & 3) != 0 || size > enc->root_limit || offset > enc->root_limit - size) {
        enc->stale |= WF_CORE_REFUSED_ROOT;
        wf_core_check_root(enc->cmd, enc->root_limit, offset, size);
        return;
    }
    if (!wf_core_check_given(&enc->cmd->on, data, "data")) {
        enc->stale |= WF_CORE_REFUSED_ROOT;
        return;
    }
    enc->stale &= ~WF_CORE_REFUSED_ROOT;
    enc->root_written |= wf_core_root_mask(offset, size);
    enc->ops->cmd_set_root(enc->hal, WEFT_SHADER_STAGE_COMPUTE, offset, data, size);
}

void weft_compute_set_root_pointer(weft_compute_encoder *enc, uint32_t offset, weft_buffer buffer,
                                   uint64_t buffer_offset)
{
    if (!wf_core_compute_open(enc))
        return;
    weft_gpu_ptr address;
    enc->stale |= WF_CORE_REFUSED_ROOT;
    if (wf_core_root_address(enc->cmd, enc->root_limit, offset, buffer, buffer_offset, &address))
        weft_compute_set_root(enc, offset, &address, sizeof address);
}

/// Whether everything that a dispatch needs is set, as far as it has to be looked at again.
static bool is_ready(weft_compute_encoder *enc)
{
    const struct wf_core_pipeline *p = enc->pipeline;
    if (p && !enc->validate)
        return !(enc->stale & WF_CORE_REFUSED); // what was refused is not there for the backend
    return (p && !enc->stale && (p->root_need[0] & ~enc->root_written) == 0) ||
           wf_core_check_dispatch(enc);
}

/// The capability, at every level: its hooks are optional.
static bool has_compute(struct weft_command_buffer *cmd)
{
    return wf_core_command_can(cmd, &cmd->on, WEFT_FEATURE_COMPUTE, "A dispatch");
}

static bool check_groups(struct weft_command_buffer *cmd, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t most = cmd->dev->caps.limits.max_workgroups;
    if (x <= most && y <= most && z <= most)
        return true;
    return wf_core_broken(&cmd->on, WEFT_RULE_DISPATCH_SIZE,
                          "%u x %u x %u workgroups were dispatched; max_workgroups is %u.", x, y, z,
                          most);
}

void weft_compute_dispatch(weft_compute_encoder *enc, uint32_t x, uint32_t y, uint32_t z)
{
    if (!wf_core_compute_open(enc) || x == 0 || y == 0 || z == 0)
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    bool ok = has_compute(cmd) && is_ready(enc);
    if (enc->validate)
        ok &= check_groups(cmd, x, y, z);
    if (!ok)
        return;
    ++cmd->counts.dispatches;
    enc->ops->cmd_dispatch(enc->hal, x, y, z);
}

void weft_compute_dispatch_indirect(weft_compute_encoder *enc, weft_buffer buffer, uint64_t offset)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, buffer);
    bool ok = has_compute(cmd) && is_ready(enc);
    if (!buf)
        return;
    if (enc->validate)
        ok &= wf_core_check_range(
            cmd, &(struct wf_core_range_use){buffer, buf, WEFT_BUFFER_USAGE_INDIRECT, offset,
                                             sizeof(weft_dispatch_indirect_args), 4,
                                             "indirect arguments"});
    if (!ok)
        return;
    ++cmd->counts.dispatches;
    enc->ops->cmd_dispatch_indirect(enc->hal, buf->hal, offset);
}
