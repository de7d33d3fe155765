// What render and compute encoders share: pipelines, tables, root block, buffer ranges.
#include "core/record.h"

#include "core/build.h"

static bool pipeline_failed(struct weft_command_buffer *cmd, weft_object object)
{
    return wf_core_command_broken(cmd, object, WEFT_RULE_PIPELINE_BROKEN,
                                  "The pipeline could not be built; that was reported before.");
}

const struct wf_core_pipeline *wf_core_bind_pipeline(struct weft_command_buffer *cmd,
                                                     struct wf_core_pipeline *pipeline,
                                                     weft_object object)
{
    int status = atomic_load_explicit(&pipeline->status, memory_order_acquire);
    if (status == WEFT_PENDING) {
        const struct wf_core_subject on = wf_core_about_in(cmd, object);
        wf_core_note(&on, WEFT_RULE_PIPELINE_NOT_READY,
                     "Recording waits until the pipeline is built.");
        wf_core_build_wait(cmd->dev, pipeline);
        status = atomic_load_explicit(&pipeline->status, memory_order_acquire);
    }
    if (status != WEFT_OK) {
        pipeline_failed(cmd, object);
        return NULL;
    }
    return pipeline;
}

/// Dynamic offsets in order of their elements.
static bool check_offsets(struct weft_command_buffer *cmd, weft_argument_table table,
                          const struct wf_core_table_version *version, const uint32_t *offsets)
{
    const struct wf_core_shape *shape = version->table->shape;
    const weft_limits *limits = &cmd->dev->caps.limits;
    bool ok = true;
    for (uint32_t a = 0; a < shape->argument_count; ++a) {
        const struct wf_hal_argument *argument = &shape->arguments[a];
        if (!(argument->flags & WEFT_ARGUMENT_DYNAMIC))
            continue;
        const uint32_t align = argument->type == WEFT_ARGUMENT_UNIFORM_BUFFER
                                   ? limits->uniform_offset_alignment
                                   : limits->storage_offset_alignment;
        for (uint32_t e = 0; e < argument->count; ++e, ++offsets) {
            const struct wf_core_bound_extent *extent =
                &version->extents[argument->first_element + e];
            if (*offsets % align != 0)
                ok = wf_core_command_broken(cmd, wf_core_argument_table_object(table),
                                            WEFT_RULE_DYNAMIC_OFFSET,
                                            "The offset %u for binding %u is no multiple of %u.",
                                            *offsets, argument->binding, align);
            if (*offsets > extent->slack)
                ok = wf_core_command_broken(
                    cmd, wf_core_argument_table_object(table), WEFT_RULE_DYNAMIC_OFFSET,
                    "The offset %u for binding %u leaves the buffer, which has %llu bytes behind "
                    "the range.",
                    *offsets, argument->binding, (unsigned long long)extent->slack);
        }
    }
    return ok;
}

static bool refuse_slot(struct weft_command_buffer *cmd, uint32_t slot)
{
    return wf_core_broken(&cmd->on, WEFT_RULE_ARGUMENT_SLOT, "Arguments were set for slot %u.",
                          slot);
}

bool wf_core_bind_table(struct weft_command_buffer *cmd, uint32_t slot, weft_argument_table table,
                        const uint32_t *offsets, uint32_t offset_count,
                        struct wf_core_bound_table tables[WF_HAL_SLOTS])
{
    if (slot >= WF_HAL_SLOTS)
        return refuse_slot(cmd, slot);
    const struct wf_core_argument_table *hot =
        wf_core_argument_table_get_at(cmd->dev, &cmd->origin, table);
    if (!hot)
        return false;
    const struct wf_core_shape *shape = hot->table->shape;
    if (offset_count != shape->dynamic_count)
        return wf_core_command_broken(
            cmd, wf_core_argument_table_object(table), WEFT_RULE_DYNAMIC_OFFSET_COUNT,
            "%u offsets were given for %u dynamic elements.", offset_count, shape->dynamic_count);
    if (offset_count > 0 &&
        !wf_core_check_array(&cmd->on, offsets, offset_count, "dynamic offsets"))
        return false;
    struct wf_core_table_version *version = wf_core_table_snapshot(cmd, table, hot->table);
    if (!version)
        return false;
    if (cmd->validate && offset_count > 0 && !check_offsets(cmd, table, version, offsets))
        return false;
    tables[slot] = (struct wf_core_bound_table){shape, version, table};
    cmd->ops->cmd_set_table(cmd->hal, slot, version->hal, offsets, offset_count);
    return true;
}

bool wf_core_check_root(struct weft_command_buffer *cmd, uint32_t limit, uint32_t offset,
                        uint32_t size)
{
    bool ok = true;
    if (((offset | size) & 3) != 0)
        ok = wf_core_broken(&cmd->on, WEFT_RULE_ROOT_ALIGNMENT,
                            "%u bytes at offset %u were written.", size, offset);
    if ((uint64_t)offset + size > limit)
        ok = wf_core_broken(&cmd->on, WEFT_RULE_ROOT_RANGE,
                            "%u bytes at offset %u were written; the root block has %u bytes.",
                            size, offset, limit);
    return ok;
}

static bool check_root_pointer(struct weft_command_buffer *cmd, uint32_t offset, weft_buffer buffer,
                               const struct wf_core_buffer *buf, uint64_t buffer_offset)
{
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_buffer_object(buffer));
    bool ok = wf_core_need(&on, WEFT_FEATURE_POINTERS, "A root pointer");
    if (offset % 8 != 0)
        ok = wf_core_broken(&on, WEFT_RULE_ROOT_POINTER_ALIGNMENT,
                            "The pointer was written at offset %u.", offset);
    ok &= wf_core_check_range(cmd,
                              &(struct wf_core_range_use){buffer, buf, WEFT_BUFFER_USAGE_ADDRESS,
                                                          buffer_offset, 0, 1, "a root pointer"});
    return ok;
}

bool wf_core_root_address(struct weft_command_buffer *cmd, uint32_t limit, uint32_t offset,
                          weft_buffer buffer, uint64_t buffer_offset, weft_gpu_ptr *out)
{
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, buffer);
    if (!buf)
        return false;
    if (cmd->validate) {
        bool ok = check_root_pointer(cmd, offset, buffer, buf, buffer_offset);
        ok &= wf_core_check_root(cmd, limit, offset, sizeof *out);
        if (!ok)
            return false;
    }
    *out = buf->address + buffer_offset;
    return true;
}

static const char *usage_name(weft_buffer_usage usage)
{
    switch (usage) {
    case WEFT_BUFFER_USAGE_COPY_SRC:
        return "COPY_SRC";
    case WEFT_BUFFER_USAGE_COPY_DST:
        return "COPY_DST";
    case WEFT_BUFFER_USAGE_VERTEX:
        return "VERTEX";
    case WEFT_BUFFER_USAGE_INDEX:
        return "INDEX";
    case WEFT_BUFFER_USAGE_INDIRECT:
        return "INDIRECT";
    case WEFT_BUFFER_USAGE_ADDRESS:
        return "ADDRESS";
    case WEFT_BUFFER_USAGE_ACCELERATION:
        return "ACCELERATION";
    default:
        return "QUERY";
    }
}

bool wf_core_check_range(struct weft_command_buffer *cmd, const struct wf_core_range_use *use)
{
    const struct wf_core_buffer *buf = use->buf;
    bool ok = true;
    if (!(buf->usage & use->usage))
        ok = wf_core_command_broken(cmd, wf_core_buffer_object(use->handle),
                                    WEFT_RULE_COMMAND_BUFFER_USAGE,
                                    "The buffer is used as %s and was created without %s.",
                                    use->what, usage_name(use->usage));
    if (use->offset % use->alignment != 0)
        ok = wf_core_command_broken(
            cmd, wf_core_buffer_object(use->handle), WEFT_RULE_COMMAND_OFFSET_ALIGNMENT,
            "The offset %llu of %s is no multiple of %llu.", (unsigned long long)use->offset,
            use->what, (unsigned long long)use->alignment);
    if (!wf_base_range_fits(use->offset, use->size, buf->size))
        ok = wf_core_command_broken(cmd, wf_core_buffer_object(use->handle),
                                    WEFT_RULE_COMMAND_BUFFER_RANGE,
                                    "%llu bytes at %llu are used as %s, of a buffer of %llu.",
                                    (unsigned long long)use->size, (unsigned long long)use->offset,
                                    use->what, (unsigned long long)buf->size);
    return ok;
}
