// Acceleration structures, and their builds.
#include "core/check.h"
#include "core/check_acceleration.h"
#include "core/watch.h"

#include "base/array.h"
#include "base/bits.h"

/// The hal's form, but for the buffers.
static struct wf_hal_geometry geometry_of(const weft_acceleration_geometry *g)
{
    return (struct wf_hal_geometry){
        .kind = g->kind,
        .flags = g->flags,
        .count = g->count,
        .offset = g->offset,
        .stride = wf_core_geometry_stride(g),
        .vertex_count = g->vertex_count,
        .format = g->format,
        .index_type = g->index_type,
        .index_offset = g->index_offset,
        .transformed = g->transformed,
        .transform_offset = g->transform_offset,
    };
}

/// The geometries of a description in the hal's form; `*out` NULL: there are none. False when out
/// of memory.
static bool geometries_of(struct weft_device *dev, const weft_acceleration_structure_desc *desc,
                          struct wf_hal_geometry **out)
{
    *out = NULL;
    if (desc->geometry_count == 0)
        return true;
    *out = wf_base_alloc_array(dev->allocator, desc->geometry_count, sizeof **out);
    for (uint32_t i = 0; *out && i < desc->geometry_count; ++i)
        (*out)[i] = geometry_of(&desc->geometries[i]);
    return *out != NULL;
}

/// What creating and asking for sizes begin with. WEFT_OK: `hal->geometries` is to be freed.
static weft_result begin(weft_device *dev, const weft_acceleration_structure_desc *desc,
                         const struct wf_core_subject *on, struct wf_hal_acceleration_desc *hal)
{
    if (!wf_core_need(on, WEFT_FEATURE_RAY_QUERY, "An acceleration structure"))
        return WEFT_ERROR_UNSUPPORTED;
    // At every level: it is rare, and bounds what follows.
    if (!wf_core_check_acceleration_desc(dev, desc))
        return WEFT_ERROR_USAGE;
    struct wf_hal_geometry *geometries;
    if (!geometries_of(dev, desc, &geometries))
        return wf_core_failed(on, WEFT_ERROR_MEMORY, NULL);
    *hal = (struct wf_hal_acceleration_desc){desc->level, desc->flags, geometries,
                                             desc->geometry_count, desc->instance_count};
    return WEFT_OK;
}

static void end(weft_device *dev, const struct wf_hal_acceleration_desc *hal)
{
    wf_base_free(dev->allocator, (void *)hal->geometries,
                 hal->geometry_count * sizeof *hal->geometries);
}

weft_result weft_acceleration_structure_sizes(weft_device *device,
                                              const weft_acceleration_structure_desc *desc,
                                              weft_acceleration_sizes *out)
{
    weft_result result = wf_core_enter(device, desc, out, sizeof *out);
    if (result != WEFT_OK)
        return result;
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_ACCELERATION_STRUCTURE, desc->label);
    struct wf_hal_acceleration_desc hal = {0};
    result = begin(device, desc, &on, &hal);
    if (result != WEFT_OK)
        return result;
    device->ops->acceleration_sizes(device->hal, &hal, out);
    end(device, &hal);
    return WEFT_OK;
}

// ---- life --------------------------------------------------------------------------------------

/// Memory that builds use, in the structure's own hands.
static weft_result own_scratch(weft_device *dev, struct wf_core_acceleration_structure *hot)
{
    const uint64_t most = wf_base_max_u64(hot->sizes.build_scratch, hot->sizes.update_scratch);
    if (hot->hal->flags & WEFT_ACCELERATION_SCRATCH_GIVEN || most == 0)
        return WEFT_OK;
    const weft_buffer_desc desc = {
        .size = (most + 3) & ~UINT64_C(3),
        .usage = WEFT_BUFFER_USAGE_ACCELERATION,
        .memory = WEFT_MEMORY_GPU,
        .label = "scratch of an acceleration structure",
    };
    return wf_core_buffer_new(dev, &desc, true, &hot->scratch);
}

static weft_result keep_geometries(weft_device *dev, const weft_acceleration_structure_desc *desc,
                                   struct wf_core_acceleration_structure *hot)
{
    hot->instance_count = desc->instance_count;
    if (desc->geometry_count == 0)
        return WEFT_OK;
    hot->geometries =
        wf_base_alloc_array(dev->allocator, desc->geometry_count, sizeof *hot->geometries);
    if (!hot->geometries)
        return WEFT_ERROR_MEMORY;
    hot->geometry_count = desc->geometry_count;
    for (uint32_t i = 0; i < desc->geometry_count; ++i)
        hot->geometries[i] = desc->geometries[i];
    return WEFT_OK;
}

static void free_geometries(struct weft_device *dev, struct wf_core_acceleration_structure *hot)
{
    wf_base_free(dev->allocator, hot->geometries, hot->geometry_count * sizeof *hot->geometries);
}

/// All but the handle.
static weft_result make(weft_device *dev, const weft_acceleration_structure_desc *desc,
                        const struct wf_hal_acceleration_desc *hal,
                        struct wf_core_acceleration_structure *hot)
{
    weft_result result = keep_geometries(dev, desc, hot);
    if (result != WEFT_OK)
        return result;
    dev->ops->acceleration_sizes(dev->hal, hal, &hot->sizes);
    result = dev->ops->acceleration_create(dev->hal, hal, &hot->hal);
    if (result == WEFT_OK) {
        result = own_scratch(dev, hot);
        if (result != WEFT_OK)
            dev->ops->acceleration_destroy(dev->hal, hot->hal);
    }
    if (result != WEFT_OK)
        free_geometries(dev, hot);
    return result;
}

weft_result weft_acceleration_structure_create(weft_device *device,
                                               const weft_acceleration_structure_desc *desc,
                                               weft_acceleration_structure *out)
{
    weft_result result = wf_core_enter(device, desc, out, sizeof *out);
    if (result != WEFT_OK)
        return result;
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_ACCELERATION_STRUCTURE, desc->label);
    struct wf_hal_acceleration_desc hal = {0};
    result = begin(device, desc, &on, &hal);
    if (result != WEFT_OK)
        return result;
    struct wf_core_acceleration_structure *hot =
        wf_core_acceleration_structure_take(device, desc->label, out);
    if (hot) {
        hot->heap_index = UINT32_MAX;
        result = make(device, desc, &hal, hot);
    } else {
        result = WEFT_ERROR_MEMORY;
    }
    end(device, &hal);
    if (result == WEFT_OK)
        wf_core_watch_acceleration(device, hot->hal, wf_core_acceleration_structure_object(*out));
    if (result != WEFT_OK && hot) {
        wf_core_acceleration_structure_give(device, out);
        wf_core_failed(&on, result, NULL);
    }
    return result;
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    wf_core_heap_forget_acceleration(dev, (uint32_t)extra);
    dev->ops->acceleration_destroy(dev->hal, object);
}

void wf_core_acceleration_structure_discard(struct weft_device *dev, void *object)
{
    struct wf_core_acceleration_structure *hot = object;
    free_geometries(dev, hot);
    wf_core_buffer_destroy(dev, hot->scratch); // none does nothing
    wf_core_retire(dev, release, hot->hal, hot->heap_index, hot->hal->size);
}

void weft_acceleration_structure_destroy(weft_device *device, weft_acceleration_structure structure)
{
    wf_core_acceleration_structure_destroy(device, structure);
}

weft_gpu_ptr weft_acceleration_structure_address(weft_device *device,
                                                 weft_acceleration_structure structure)
{
    const struct wf_core_acceleration_structure *hot =
        wf_core_acceleration_structure_get(device, structure);
    return hot ? hot->hal->address : 0;
}

// ---- builds ------------------------------------------------------------------------------------

/// A buffer that lives, or NULL after the error stuck.
static struct wf_hal_buffer *use_buffer(struct weft_command_buffer *cmd, weft_buffer handle)
{
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, handle);
    return buf ? buf->hal : NULL;
}

static bool use_geometry(struct weft_command_buffer *cmd, const weft_acceleration_geometry *g,
                         struct wf_hal_geometry *out)
{
    *out = geometry_of(g);
    const bool triangles = g->kind == WEFT_GEOMETRY_TRIANGLES;
    bool ok = (out->buffer = use_buffer(cmd, g->buffer)) != NULL;
    if (triangles && g->index_type != WEFT_INDEX_NONE)
        ok &= (out->indices = use_buffer(cmd, g->indices)) != NULL;
    if (triangles && g->transformed)
        ok &= (out->transform = use_buffer(cmd, g->transform)) != NULL;
    return ok;
}

static bool use_geometries(struct weft_command_buffer *cmd, const weft_acceleration_build *build,
                           struct wf_hal_acceleration_build *out)
{
    if (build->geometry_count == 0)
        return true;
    if (!wf_core_check_array(&cmd->on, build->geometries, build->geometry_count, "geometries"))
        return false;
    struct wf_hal_geometry *room =
        wf_base_array_grow(cmd->dev->allocator, cmd->geometries, &cmd->geometry_capacity,
                           build->geometry_count, sizeof *room);
    if (!room) {
        wf_core_failed(&cmd->on, WEFT_ERROR_MEMORY, "record a build");
        return false;
    }
    cmd->geometries = room;
    bool ok = true;
    for (uint32_t i = 0; i < build->geometry_count; ++i)
        ok &= use_geometry(cmd, &build->geometries[i], &room[i]);
    out->geometries = room;
    out->geometry_count = build->geometry_count;
    return ok;
}

/// Scratch memory is given, or the structure has some; at every level, as it is written.
static bool use_scratch(struct weft_command_buffer *cmd, const weft_acceleration_build *build,
                        const struct wf_core_acceleration_structure *hot,
                        struct wf_hal_acceleration_build *out)
{
    const bool given = (hot->hal->flags & WEFT_ACCELERATION_SCRATCH_GIVEN) != 0;
    if (given == weft_buffer_is_none(build->scratch))
        return wf_core_command_broken(
            cmd, wf_core_acceleration_structure_object(build->structure),
            WEFT_RULE_ACCELERATION_SCRATCH,
            given ? "It was created with SCRATCH_GIVEN, and the build brings none."
                  : "The build brings scratch memory; it was created without SCRATCH_GIVEN.");
    const struct wf_core_buffer *own = wf_core_buffer_find(cmd->dev, hot->scratch);
    out->scratch = given ? use_buffer(cmd, build->scratch) : own ? own->hal : NULL;
    out->scratch_offset = given ? build->scratch_offset : 0;
    return out->scratch != NULL || !given;
}

void weft_compute_build_acceleration_structure(weft_compute_encoder *enc,
                                               const weft_acceleration_build *build)
{
    if (!wf_core_compute_open(enc) || !wf_core_check_given(&enc->cmd->on, build, "description"))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    if (!wf_core_command_can(cmd, &cmd->on, WEFT_FEATURE_RAY_QUERY,
                             "Building an acceleration structure") ||
        !wf_core_command_on_queue(cmd, false, "A build of an acceleration structure"))
        return;
    struct wf_core_acceleration_structure *hot =
        wf_core_acceleration_structure_get_at(cmd->dev, &cmd->origin, build->structure);
    if (!hot)
        return;
    const bool top = hot->hal->level == WEFT_ACCELERATION_TOP;
    struct wf_hal_acceleration_build out = {.structure = hot->hal,
                                            .instance_count = build->instance_count,
                                            .instance_offset = build->instance_offset,
                                            .update = build->update};
    bool ok = use_geometries(cmd, build, &out);
    if (top)
        ok &= (out.instances = use_buffer(cmd, build->instances)) != NULL;
    if (!use_scratch(cmd, build, hot, &out) || !ok ||
        (enc->validate && !wf_core_check_acceleration_build(cmd, build)))
        return;
    atomic_store(&hot->built, true);
    ++cmd->counts.dispatches;
    enc->ops->cmd_build_acceleration(enc->hal, &out);
}
