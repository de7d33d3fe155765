// Writing down what draws and dispatches do.
#include "core/watch_state.h"

#include <string.h>

struct wf_watch_box wf_watch_view_box(const struct wf_hal_texture_view *view)
{
    const weft_texture_view_desc *d = &view->desc;
    const bool slices = view->texture->desc.kind == WEFT_TEXTURE_3D;
    return (struct wf_watch_box){
        .mip = {d->mip, d->mip + d->mip_count},
        .layer = {slices ? 0 : d->layer, slices ? UINT32_MAX : d->layer + d->layer_count},
        .x = {0, UINT32_MAX},
        .y = {0, UINT32_MAX},
        .aspects = d->aspect,
    };
}

// ---- tables ------------------------------------------------------------------------------------

uint8_t wf_watch_row_of(weft_shader_stages stage)
{
    return stage == WEFT_SHADER_STAGE_VERTEX     ? WF_WATCH_ROW_VERTEX
           : stage == WEFT_SHADER_STAGE_FRAGMENT ? WF_WATCH_ROW_FRAGMENT
           : stage == WEFT_SHADER_STAGE_COMPUTE  ? WF_WATCH_ROW_COMPUTE
                                                 : WF_WATCH_ROW_MESH;
}

wf_watch_columns wf_watch_depth_column(uint8_t row)
{
    return row == WF_WATCH_ROW_VERTEX     ? WF_WATCH_DEPTH_VERTEX
           : row == WF_WATCH_ROW_FRAGMENT ? WF_WATCH_DEPTH_FRAGMENT
           : row == WF_WATCH_ROW_COMPUTE  ? WF_WATCH_DEPTH_COMPUTE
                                          : WF_WATCH_DEPTH_MESH;
}

static void use_element(struct wf_watch_recording *rec, const struct wf_core_binding_use *use,
                        const struct wf_hal_write *write, uint32_t element)
{
    struct wf_watch_op how = {
        .row = use->row,
        .flags = use->flags,
        .columns = (wf_watch_columns)(1u << use->row),
        .depth = (wf_watch_columns)(1u << use->row),
    };
    if (use->acceleration) {
        if (write->acceleration)
            wf_watch_structure(rec, write->acceleration, &how);
    } else if (use->texture && write->view) {
        const struct wf_watch_box box = wf_watch_view_box(write->view);
        if (box.aspects & (WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL))
            how.depth = wf_watch_depth_column(use->row);
        wf_watch_box(rec, write->view->texture, &box, &how);
    } else if (!use->texture && write->buffer) {
        uint64_t at = write->offset;
        const uint32_t dynamic = use->dynamic == UINT32_MAX ? UINT32_MAX : use->dynamic + element;
        if (dynamic < WF_WATCH_DYNAMIC)
            at += rec->offsets[use->slot][dynamic];
        wf_watch_bytes(rec, write->buffer, at, at + write->size, &how);
    }
}

/// What the shaders read and write through tables.
static void use_tables(struct wf_watch_recording *rec, const struct wf_core_pipeline *p,
                       const struct wf_core_bound_table tables[WF_HAL_SLOTS])
{
    // What a pass's shaders do together is theirs; dispatches are told apart.
    bool fresh[WF_HAL_SLOTS];
    for (uint32_t slot = 0; slot < WF_HAL_SLOTS; ++slot) {
        const struct wf_hal_table *table = tables[slot].version ? tables[slot].version->hal : NULL;
        fresh[slot] =
            table && (!rec->pass || rec->last_pipeline != p || rec->last_tables[slot] != table);
        rec->last_tables[slot] = table;
    }
    rec->last_pipeline = p;
    if (p->unseen) {
        wf_watch_op_add(rec, WF_WATCH_OP_UNSEEN)->columns = (wf_watch_columns)p->unseen;
        rec->unseen = true;
    }
    for (uint32_t i = 0; i < p->use_count; ++i) {
        const struct wf_core_binding_use *use = &p->uses[i];
        const struct wf_watch_table *known =
            fresh[use->slot] ? tables[use->slot].version->hal->watch : NULL;
        for (uint32_t e = 0; known && e < use->count && use->first_element + e < known->count; ++e)
            use_element(rec, use, &known->writes[use->first_element + e], e);
    }
}

static void set_table(struct wf_hal_command *cmd, uint32_t slot, struct wf_hal_table *table,
                      const uint32_t *offsets, uint32_t offset_count)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec && offset_count > 0) {
        const uint32_t count = offset_count < WF_WATCH_DYNAMIC ? offset_count : WF_WATCH_DYNAMIC;
        memcpy(rec->offsets[slot], offsets, count * sizeof *offsets);
        rec->last_tables[slot] = NULL;
    }
    wf_watch_backend(cmd)->cmd_set_table(cmd, slot, table, offsets, offset_count);
}

// ---- vertices and indices ----------------------------------------------------------------------

static const struct wf_watch_op input_read = {
    .row = WF_WATCH_ROW_INPUT,
    .columns = WEFT_STAGE_VERTEX_INPUT,
    .depth = WEFT_STAGE_VERTEX_INPUT,
};

static void set_vertex_buffer(struct wf_hal_command *cmd, uint32_t slot, struct wf_hal_buffer *buf,
                              uint64_t offset)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec && slot < WF_CORE_MAX_STREAMS) {
        rec->streams[slot].buffer = buf;
        rec->streams[slot].offset = offset;
    }
    wf_watch_backend(cmd)->cmd_set_vertex_buffer(cmd, slot, buf, offset);
}

static void set_index_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *buf, uint64_t offset,
                             weft_index_type type)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        rec->indices = buf;
        rec->index_offset = offset;
        rec->index_bytes = type == WEFT_INDEX_UINT16 ? 2 : 4;
    }
    wf_watch_backend(cmd)->cmd_set_index_buffer(cmd, buf, offset, type);
}

/// A range of elements; count UINT64_MAX: as many as there are.
struct span {
    uint64_t first, count;
};
static const struct span all = {0, UINT64_MAX};

static void use_stream(struct wf_watch_recording *rec, const struct wf_core_stream *stream,
                       uint32_t slot, struct span span)
{
    const struct wf_hal_buffer *buf = rec->streams[slot].buffer;
    const uint64_t base = rec->streams[slot].offset;
    if (!buf)
        return;
    uint64_t begin = base, end = buf->size;
    if (stream->stride == 0) {
        end = base + stream->reach;
    } else if (span.count != UINT64_MAX) {
        begin = base + span.first * stream->stride;
        end = begin + (span.count - 1) * stream->stride + stream->reach;
    }
    wf_watch_bytes(rec, buf, begin, end < buf->size ? end : buf->size, &input_read);
}

static void use_streams(struct wf_watch_recording *rec, const struct wf_core_pipeline *p,
                        struct span vertices, struct span instances)
{
    for (uint32_t slot = 0; p->stream_mask >> slot; ++slot) {
        if (p->stream_mask >> slot & 1)
            use_stream(rec, &p->streams[slot], slot,
                       p->streams[slot].instance ? instances : vertices);
    }
}

static void use_indices(struct wf_watch_recording *rec, struct span span)
{
    if (!rec->indices)
        return;
    uint64_t begin = rec->index_offset, end = rec->indices->size;
    if (span.count != UINT64_MAX) {
        begin += span.first * rec->index_bytes;
        end = begin + span.count * rec->index_bytes;
    }
    wf_watch_bytes(rec, rec->indices, begin, end, &input_read);
}

// ---- draws -------------------------------------------------------------------------------------

static const struct wf_watch_op draw_arguments = {
    .row = WF_WATCH_ROW_INDIRECT,
    .columns = WF_WATCH_DRAW_ARGUMENTS,
    .depth = WF_WATCH_DRAW_ARGUMENTS,
};
/// A dispatch's are read by either stage.
static const struct wf_watch_op dispatch_arguments = {
    .row = WF_WATCH_ROW_COMPUTE,
    .columns = WF_WATCH_DISPATCH_ARGUMENTS,
    .depth = WF_WATCH_DISPATCH_ARGUMENTS,
};

/// The recording of a draw that was begun, and its pipeline. NULL: nobody writes it down.
static struct wf_watch_recording *draw_begin(struct wf_hal_command *cmd,
                                             const struct wf_core_pipeline **pipeline)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (!rec || !rec->owner || !rec->owner->render.pipeline)
        return NULL;
    *pipeline = rec->owner->render.pipeline;
    wf_watch_command(rec, WF_WATCH_DRAW);
    return rec;
}

static void draw(struct wf_hal_command *cmd, uint32_t vertex_count, uint32_t instance_count,
                 uint32_t first_vertex, uint32_t first_instance)
{
    const struct wf_core_pipeline *p;
    struct wf_watch_recording *rec = draw_begin(cmd, &p);
    if (rec) {
        use_streams(rec, p, (struct span){first_vertex, vertex_count},
                    (struct span){first_instance, instance_count});
        use_tables(rec, p, rec->owner->render.tables);
    }
    wf_watch_backend(cmd)->cmd_draw(cmd, vertex_count, instance_count, first_vertex,
                                    first_instance);
}

static void draw_indexed(struct wf_hal_command *cmd, uint32_t index_count, uint32_t instance_count,
                         uint32_t first_index, int32_t vertex_offset, uint32_t first_instance)
{
    const struct wf_core_pipeline *p;
    struct wf_watch_recording *rec = draw_begin(cmd, &p);
    if (rec) {
        use_indices(rec, (struct span){first_index, index_count});
        use_streams(rec, p, all, (struct span){first_instance, instance_count});
        use_tables(rec, p, rec->owner->render.tables);
    }
    wf_watch_backend(cmd)->cmd_draw_indexed(cmd, index_count, instance_count, first_index,
                                            vertex_offset, first_instance);
}

/// Arguments lie `stride` apart, `bytes` each.
static void use_arguments(struct wf_watch_recording *rec, const struct wf_hal_indirect *draws,
                          uint64_t bytes)
{
    wf_watch_bytes(rec, draws->buffer, draws->offset,
                   draws->offset + (uint64_t)draws->stride * (draws->max_count - 1) + bytes,
                   &draw_arguments);
    if (draws->count_buffer)
        wf_watch_bytes(rec, draws->count_buffer, draws->count_offset, draws->count_offset + 4,
                       &draw_arguments);
}

static void use_indirect(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws,
                         bool indexed)
{
    const struct wf_core_pipeline *p;
    struct wf_watch_recording *rec = draw_begin(cmd, &p);
    if (!rec)
        return;
    use_arguments(rec, draws,
                  indexed ? sizeof(weft_draw_indexed_indirect_args)
                          : sizeof(weft_draw_indirect_args));
    if (indexed)
        use_indices(rec, all);
    use_streams(rec, p, all, all);
    use_tables(rec, p, rec->owner->render.tables);
}

static void draw_indirect(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws)
{
    use_indirect(cmd, draws, false);
    wf_watch_backend(cmd)->cmd_draw_indirect(cmd, draws);
}

static void draw_indexed_indirect(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws)
{
    use_indirect(cmd, draws, true);
    wf_watch_backend(cmd)->cmd_draw_indexed_indirect(cmd, draws);
}

static void draw_mesh(struct wf_hal_command *cmd, uint32_t x, uint32_t y, uint32_t z)
{
    const struct wf_core_pipeline *p;
    struct wf_watch_recording *rec = draw_begin(cmd, &p);
    if (rec)
        use_tables(rec, p, rec->owner->render.tables);
    wf_watch_backend(cmd)->cmd_draw_mesh(cmd, x, y, z);
}

static void draw_mesh_indirect(struct wf_hal_command *cmd, const struct wf_hal_indirect *draws)
{
    const struct wf_core_pipeline *p;
    struct wf_watch_recording *rec = draw_begin(cmd, &p);
    if (rec) {
        use_arguments(rec, draws, sizeof(weft_draw_mesh_indirect_args));
        use_tables(rec, p, rec->owner->render.tables);
    }
    wf_watch_backend(cmd)->cmd_draw_mesh_indirect(cmd, draws);
}

// ---- dispatches --------------------------------------------------------------------------------

static void use_dispatch(struct wf_watch_recording *rec)
{
    if (!rec || !rec->owner || !rec->owner->compute.pipeline)
        return;
    wf_watch_command(rec, WF_WATCH_DISPATCH);
    use_tables(rec, rec->owner->compute.pipeline, rec->owner->compute.tables);
    wf_watch_op_add(rec, WF_WATCH_OP_TOUCHED);
}

static void dispatch(struct wf_hal_command *cmd, uint32_t x, uint32_t y, uint32_t z)
{
    use_dispatch(wf_watch_of(cmd));
    wf_watch_backend(cmd)->cmd_dispatch(cmd, x, y, z);
}

static void dispatch_indirect(struct wf_hal_command *cmd, struct wf_hal_buffer *buf,
                              uint64_t offset)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    use_dispatch(rec);
    if (rec)
        wf_watch_bytes(rec, buf, offset, offset + sizeof(weft_dispatch_indirect_args),
                       &dispatch_arguments);
    wf_watch_backend(cmd)->cmd_dispatch_indirect(cmd, buf, offset);
}

void wf_watch_draw_hooks(struct wf_hal_device_ops *ops)
{
    ops->cmd_set_table = set_table;
    ops->cmd_set_vertex_buffer = set_vertex_buffer;
    ops->cmd_set_index_buffer = set_index_buffer;
    ops->cmd_draw = draw;
    ops->cmd_draw_indexed = draw_indexed;
    ops->cmd_draw_indirect = draw_indirect;
    ops->cmd_draw_indexed_indirect = draw_indexed_indirect;
    ops->cmd_draw_mesh = draw_mesh;
    ops->cmd_draw_mesh_indirect = draw_mesh_indirect;
    ops->cmd_dispatch = dispatch;
    ops->cmd_dispatch_indirect = dispatch_indirect;
}
