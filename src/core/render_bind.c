// What draws read: arguments, the root block, vertex and index buffers.
#include "core/record.h"

void weft_render_set_arguments(weft_render_encoder *enc, uint32_t slot, weft_argument_table table,
                               const uint32_t *offsets, uint32_t offset_count)
{
    if (!wf_core_render_open(enc))
        return;
    enc->stale |= WF_CORE_STALE_TABLES | WF_CORE_REFUSED_TABLE(slot);
    if (wf_core_bind_table(enc->cmd, slot, table, offsets, offset_count, enc->tables))
        enc->stale &= ~WF_CORE_REFUSED_TABLE(slot);
}

#define HAL_STAGES  ((weft_shader_stages)(WEFT_SHADER_STAGE_VERTEX | WEFT_SHADER_STAGE_FRAGMENT))
#define MESH_STAGES ((weft_shader_stages)(WEFT_SHADER_STAGE_TASK | WEFT_SHADER_STAGE_MESH))

/// The rare way: stages of mesh pipelines, for which the hal has VERTEX, or something is wrong.
/// 0 after reporting that.
static WF_CORE_COLD weft_shader_stages root_look(weft_render_encoder *enc,
                                                 weft_shader_stages stages, uint32_t offset,
                                                 uint32_t size)
{
    struct weft_command_buffer *cmd = enc->cmd;
    bool ok = true;
    if (stages & ~(HAL_STAGES | MESH_STAGES))
        ok = wf_core_broken(&cmd->on, WEFT_RULE_BITS_UNKNOWN,
                            "The stages 0x%x are not all stages of a render pass.", stages);
    if (!wf_core_check_root(cmd, enc->root_limit, offset, size) || !ok)
        return 0;
    return (stages & HAL_STAGES) | (stages & MESH_STAGES ? WEFT_SHADER_STAGE_VERTEX : 0);
}

/// Checks a write and remembers what it wrote. The stages as the hal has them; 0 after reporting.
static weft_shader_stages root_note(weft_render_encoder *enc, weft_shader_stages stages,
                                    uint32_t offset, uint32_t size)
{
    if (((offset | size) & 3) != 0 || size > enc->root_limit || offset > enc->root_limit - size ||
        (stages & ~HAL_STAGES) != 0) {
        stages = root_look(enc, stages, offset, size);
        if (stages == 0)
            return 0;
    }
    const uint64_t mask = wf_core_root_mask(offset, size);
    if (stages & WEFT_SHADER_STAGE_VERTEX)
        enc->root_written[0] |= mask;
    if (stages & WEFT_SHADER_STAGE_FRAGMENT)
        enc->root_written[1] |= mask;
    return stages;
}

/// Any write, with all that can be wrong about it.
static WF_CORE_COLD void set_root(weft_render_encoder *enc, weft_shader_stages stages,
                                  uint32_t offset, const void *data, uint32_t size)
{
    if (!wf_core_render_open(enc) || size == 0)
        return;
    if (!wf_core_check_given(&enc->cmd->on, data, "data") ||
        (stages = root_note(enc, stages != 0 ? stages : HAL_STAGES, offset, size)) == 0) {
        enc->stale |= WF_CORE_REFUSED_ROOT; // what bounds host memory is checked at every level
        return;
    }
    enc->stale &= ~WF_CORE_REFUSED_ROOT;
    enc->ops->cmd_set_root(enc->hal, stages, offset, data, size);
}

/// Once per draw, often: the usual write takes a short way.
void weft_render_set_root(weft_render_encoder *enc, weft_shader_stages stages, uint32_t offset,
                          const void *data, uint32_t size)
{
    if (!enc || enc->state != WF_CORE_ENCODER_OPEN || (stages & ~HAL_STAGES) != 0 || !data ||
        size == 0 || ((offset | size) & 3) != 0 || (uint64_t)offset + size > enc->root_limit) {
        set_root(enc, stages, offset, data, size);
        return;
    }
    const uint64_t mask = wf_core_root_mask(offset, size);
    if (stages == 0)
        stages = HAL_STAGES;
    if (stages & WEFT_SHADER_STAGE_VERTEX)
        enc->root_written[0] |= mask;
    if (stages & WEFT_SHADER_STAGE_FRAGMENT)
        enc->root_written[1] |= mask;
    enc->stale &= ~WF_CORE_REFUSED_ROOT;
    enc->ops->cmd_set_root(enc->hal, stages, offset, data, size);
}

void weft_render_set_root_pointer(weft_render_encoder *enc, weft_shader_stages stages,
                                  uint32_t offset, weft_buffer buffer, uint64_t buffer_offset)
{
    if (!wf_core_render_open(enc))
        return;
    weft_gpu_ptr address;
    enc->stale |= WF_CORE_REFUSED_ROOT;
    if (!wf_core_root_address(enc->cmd, enc->root_limit, offset, buffer, buffer_offset, &address))
        return;
    weft_render_set_root(enc, stages, offset, &address, sizeof address);
}

/// The slot at every level: it indexes the encoder's arrays and the backend's.
static bool check_stream(weft_render_encoder *enc, uint32_t slot, weft_buffer handle,
                         const struct wf_core_buffer *buf, uint64_t offset)
{
    struct weft_command_buffer *cmd = enc->cmd;
    bool ok = true;
    if (enc->validate)
        ok = wf_core_check_range(cmd,
                                 &(struct wf_core_range_use){handle, buf, WEFT_BUFFER_USAGE_VERTEX,
                                                             offset, 0, 4, "a vertex buffer"});
    const uint32_t limit = cmd->dev->caps.limits.max_vertex_streams;
    if (slot >= limit || slot >= WF_CORE_MAX_STREAMS)
        ok = wf_core_command_broken(cmd, wf_core_buffer_object(handle), WEFT_RULE_STREAM_SLOT,
                                    "The vertex buffer is for slot %u; max_vertex_streams is %u.",
                                    slot, limit);
    return ok;
}

void weft_render_set_vertex_buffer(weft_render_encoder *enc, uint32_t slot, weft_buffer buffer,
                                   uint64_t offset)
{
    if (!wf_core_render_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    enc->stale |= WF_CORE_REFUSED_STREAM(slot);
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, buffer);
    if (!buf || !check_stream(enc, slot, buffer, buf, offset))
        return;
    enc->stale &= ~WF_CORE_REFUSED_STREAM(slot);
    if (enc->validate) {
        enc->stream_mask |= 1u << slot;
        enc->stream_bytes[slot] = buf->size - offset;
        enc->stale |= WF_CORE_STALE_STREAMS;
    }
    enc->ops->cmd_set_vertex_buffer(enc->hal, slot, buf->hal, offset);
}

void weft_render_set_index_buffer(weft_render_encoder *enc, weft_buffer buffer, uint64_t offset,
                                  weft_index_type type)
{
    if (!wf_core_render_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    enc->stale |= WF_CORE_REFUSED_INDICES;
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, buffer);
    if (!buf)
        return;
    const uint32_t bytes = type == WEFT_INDEX_UINT16 ? 2 : 4;
    if (enc->validate) {
        bool ok = wf_core_check_range(
            cmd, &(struct wf_core_range_use){buffer, buf, WEFT_BUFFER_USAGE_INDEX, offset, 0, bytes,
                                             "an index buffer"});
        if (type != WEFT_INDEX_UINT16 && type != WEFT_INDEX_UINT32)
            ok = wf_core_command_broken(cmd, wf_core_buffer_object(buffer), WEFT_RULE_ENUM_UNKNOWN,
                                        "%u is no type of an index buffer.", (unsigned)type);
        if (!ok)
            return;
        enc->index_limit = (buf->size - offset) / bytes;
    }
    enc->stale &= ~WF_CORE_REFUSED_INDICES;
    enc->index_type = type;
    enc->index_fits = false;
    enc->ops->cmd_set_index_buffer(enc->hal, buf->hal, offset, type);
}
