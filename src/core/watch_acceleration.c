// Acceleration structures: what builds read and write. Structures count as buffers.
#include "core/watch_state.h"

#include <string.h>

/// What the watch knows of an acceleration structure; of its bytes all are used at once.
struct wf_watch_acceleration {
    struct wf_watch_buffer buffer; ///< The first: a recording knows no others.
    weft_acceleration_sizes sizes;
};

// ---- life --------------------------------------------------------------------------------------

static weft_result acceleration_create(struct wf_hal_device *dev,
                                       const struct wf_hal_acceleration_desc *desc,
                                       struct wf_hal_acceleration **out)
{
    struct wf_core_watch *w = dev->watch;
    const weft_result result = w->ops->acceleration_create(dev, desc, out);
    if (result != WEFT_OK)
        return result;
    struct wf_watch_acceleration *known = wf_base_alloc_zero(w->dev->allocator, sizeof *known);
    (*out)->watch = known;
    if (!known)
        return WEFT_OK;
    known->buffer.written = true;
    w->ops->acceleration_sizes(dev, desc, &known->sizes);
    return WEFT_OK;
}

static void acceleration_destroy(struct wf_hal_device *dev, struct wf_hal_acceleration *structure)
{
    struct wf_core_watch *w = dev->watch;
    struct wf_watch_acceleration *known = structure->watch;
    if (known) {
        wf_base_mutex_lock(&w->lock);
        wf_watch_settle(w);
        wf_watch_free_bytes(&w->memory, &known->buffer.segments);
        wf_base_mutex_unlock(&w->lock);
        wf_base_free(w->dev->allocator, known, sizeof *known);
    }
    w->ops->acceleration_destroy(dev, structure);
}

void wf_core_watch_acceleration(struct weft_device *dev,
                                const struct wf_hal_acceleration *structure, weft_object object,
                                const char *label)
{
    struct wf_watch_acceleration *known = dev->watch && structure ? structure->watch : NULL;
    if (!known)
        return;
    known->buffer.base.object = object;
    wf_core_label_set(known->buffer.base.label, label);
}

// ---- builds ------------------------------------------------------------------------------------

#define BUILD_OP(FLAGS)                                                                            \
    {                                                                                              \
        .row = WF_WATCH_ROW_ACCELERATION, .flags = (FLAGS), .columns = WEFT_STAGE_ACCELERATION,    \
        .depth = WEFT_STAGE_ACCELERATION,                                                          \
    }
static const struct wf_watch_op build_read = BUILD_OP(0);
static const struct wf_watch_op build_write = BUILD_OP(WF_WATCH_WRITE);
static const struct wf_watch_op build_update = BUILD_OP(WF_WATCH_WRITE | WF_WATCH_READS);

void wf_watch_structure(struct wf_watch_recording *rec, const struct wf_hal_acceleration *structure,
                        const struct wf_watch_op *how)
{
    struct wf_watch_acceleration *known = structure->watch;
    if (known)
        wf_watch_known_bytes(rec, &known->buffer, 0, structure->size, how);
}

/// What a geometry is read from.
static void use_geometry(struct wf_watch_recording *rec, const struct wf_hal_geometry *g)
{
    const bool triangles = g->kind == WEFT_GEOMETRY_TRIANGLES;
    const uint64_t points = triangles ? g->vertex_count : g->count;
    const uint64_t bytes = triangles ? weft_vertex_format_get_info(g->format)->bytes : 24;
    if (points > 0)
        wf_watch_bytes(rec, g->buffer, g->offset, g->offset + (points - 1) * g->stride + bytes,
                       &build_read);
    const uint64_t index = g->index_type == WEFT_INDEX_UINT16 ? 2 : 4;
    if (g->indices)
        wf_watch_bytes(rec, g->indices, g->index_offset, g->index_offset + 3 * index * g->count,
                       &build_read);
    if (g->transform)
        wf_watch_bytes(rec, g->transform, g->transform_offset, g->transform_offset + 48,
                       &build_read);
}

/// Which structures the instances name nobody sees.
static void build_acceleration(struct wf_hal_command *cmd,
                               const struct wf_hal_acceleration_build *build)
{
    struct wf_watch_recording *rec = cmd->watch;
    const struct wf_watch_acceleration *known = build->structure->watch;
    if (rec && known) {
        wf_watch_command(rec, WF_WATCH_BUILD);
        wf_watch_structure(rec, build->structure, build->update ? &build_update : &build_write);
        for (uint32_t i = 0; i < build->geometry_count; ++i)
            use_geometry(rec, &build->geometries[i]);
        if (build->instances && build->instance_count > 0)
            wf_watch_bytes(rec, build->instances, build->instance_offset,
                           build->instance_offset +
                               (uint64_t)build->instance_count * sizeof(weft_acceleration_instance),
                           &build_read);
        const uint64_t scratch =
            build->update ? known->sizes.update_scratch : known->sizes.build_scratch;
        if (build->scratch && scratch > 0)
            wf_watch_bytes(rec, build->scratch, build->scratch_offset,
                           build->scratch_offset + scratch, &build_update);
    }
    wf_watch_backend(cmd)->cmd_build_acceleration(cmd, build);
}

void wf_watch_acceleration_hooks(struct wf_hal_device_ops *ops)
{
    ops->acceleration_create = acceleration_create;
    ops->acceleration_destroy = acceleration_destroy;
    ops->cmd_build_acceleration = build_acceleration;
}
