#include "faults.h"

#include <stdio.h>

static struct {
    const struct wf_hal_device_ops *real;
    enum fault_kind kind;
    uint64_t at;
    atomic_uint_fast64_t chances;
    atomic_bool hit, lost;
} fault;

const char *fault_name(enum fault_kind kind)
{
    static const char *const names[FAULT_KINDS] = {
        "nothing", "creation", "mapped memory", "recording", "submission",  "wait",
        "acquire", "outdated", "present",       "loss",      "loss behind",
    };
    return names[kind];
}

/// Whether this is the chance that was armed.
static bool fails(enum fault_kind kind)
{
    if (fault.kind != kind || atomic_fetch_add(&fault.chances, 1) + 1 != fault.at)
        return false;
    atomic_store(&fault.hit, true);
    return true;
}

void fault_arm(enum fault_kind kind, uint64_t at)
{
    fault.kind = at != 0 ? kind : FAULT_NONE;
    fault.at = at;
    atomic_store(&fault.chances, 0);
    atomic_store(&fault.hit, false);
}

bool fault_hit(void)
{
    return atomic_load(&fault.hit);
}

// ---- hooks -------------------------------------------------------------------------------------

static weft_result buffer_create(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                                 const struct wf_hal_placement *place, struct wf_hal_buffer **out)
{
    *out = NULL;
    if ((desc->memory != WEFT_MEMORY_GPU && fails(FAULT_MAP)) || fails(FAULT_CREATE))
        return WEFT_ERROR_DEVICE_MEMORY;
    return fault.real->buffer_create(dev, desc, place, out);
}

static weft_result block_create(struct wf_hal_device *dev, const weft_memory_block_desc *desc,
                                struct wf_hal_memory_block **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->memory_block_create(dev, desc, out);
}

static weft_result texture_create(struct wf_hal_device *dev, const weft_texture_desc *desc,
                                  const struct wf_hal_placement *place, struct wf_hal_texture **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->texture_create(dev, desc, place, out);
}

static weft_result view_create(struct wf_hal_device *dev, struct wf_hal_texture *tex,
                               const weft_texture_view_desc *desc, struct wf_hal_texture_view **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->texture_view_create(dev, tex, desc, out);
}

static weft_result sampler_create(struct wf_hal_device *dev, const weft_sampler_desc *desc,
                                  struct wf_hal_sampler **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->sampler_create(dev, desc, out);
}

static weft_result acceleration_create(struct wf_hal_device *dev,
                                       const struct wf_hal_acceleration_desc *desc,
                                       struct wf_hal_acceleration **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->acceleration_create(dev, desc, out);
}

static weft_result layout_create(struct wf_hal_device *dev, const struct wf_hal_argument *arguments,
                                 uint32_t count, struct wf_hal_layout **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->layout_create(dev, arguments, count, out);
}

static weft_result heap_open(struct wf_hal_device *dev)
{
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY : fault.real->heap_open(dev);
}

static weft_result table_create(struct wf_hal_device *dev, struct wf_hal_layout *layout,
                                struct wf_hal_table **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->table_create(dev, layout, out);
}

static weft_result shader_create(struct wf_hal_device *dev, const struct wf_shader_module *module,
                                 struct wf_hal_shader **out, struct wf_shader_error *error)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->shader_create(dev, module, out, error);
}

static weft_result graphics_create(struct wf_hal_device *dev,
                                   const struct wf_hal_graphics_pipeline_desc *desc,
                                   struct wf_hal_pipeline **out, struct wf_shader_error *error)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->graphics_pipeline_create(dev, desc, out, error);
}

static weft_result compute_create(struct wf_hal_device *dev,
                                  const struct wf_hal_compute_pipeline_desc *desc,
                                  struct wf_hal_pipeline **out, struct wf_shader_error *error)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->compute_pipeline_create(dev, desc, out, error);
}

static weft_result queries_create(struct wf_hal_device *dev, const weft_query_pool_desc *desc,
                                  struct wf_hal_query_pool **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->query_pool_create(dev, desc, out);
}

static weft_result timeline_create(struct wf_hal_device *dev, uint64_t initial,
                                   struct wf_hal_timeline **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->timeline_create(dev, initial, out);
}

static weft_result surface_create(struct wf_hal_device *dev, const weft_surface_target *target,
                                  struct wf_hal_surface **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_SURFACE : fault.real->surface_create(dev, target, out);
}

static weft_result surface_configure(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                     weft_surface_config *config)
{
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->surface_configure(dev, surface, config);
}

static weft_result pool_create(struct wf_hal_device *dev, weft_queue queue,
                               struct wf_hal_command_pool **out)
{
    *out = NULL;
    return fails(FAULT_CREATE) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->command_pool_create(dev, queue, out);
}

static weft_result command_begin(struct wf_hal_device *dev, struct wf_hal_command_pool *pool,
                                 struct wf_hal_command **out)
{
    *out = NULL;
    return fails(FAULT_RECORD) ? WEFT_ERROR_DEVICE_MEMORY
                               : fault.real->command_begin(dev, pool, out);
}

static weft_result command_end(struct wf_hal_command *cmd)
{
    const weft_result result = fault.real->command_end(cmd);
    return fails(FAULT_RECORD) ? WEFT_ERROR_MEMORY : result;
}

static weft_result queue_submit(struct wf_hal_device *dev, weft_queue queue,
                                const struct wf_hal_submit *submit)
{
    if (fails(FAULT_LOST)) {
        atomic_store(&fault.lost, true);
        return WEFT_ERROR_LOST;
    }
    if (atomic_load(&fault.lost))
        return WEFT_ERROR_LOST;
    if (fails(FAULT_SUBMIT))
        return WEFT_ERROR_BACKEND;
    const weft_result result = fault.real->queue_submit(dev, queue, submit);
    if (fails(FAULT_LOST_AFTER))
        atomic_store(&fault.lost, true);
    return result;
}

static weft_result serial_wait(struct wf_hal_device *dev, uint64_t serial, uint64_t timeout_ns)
{
    const weft_result result = fault.real->serial_wait(dev, serial, timeout_ns);
    if (atomic_load(&fault.lost))
        return WEFT_ERROR_LOST;
    return fails(FAULT_WAIT) ? WEFT_ERROR_BACKEND : result;
}

static weft_result timeline_wait(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                 uint64_t value, uint64_t timeout_ns)
{
    if (atomic_load(&fault.lost))
        return WEFT_ERROR_LOST;
    const weft_result result = fault.real->timeline_wait(dev, timeline, value, timeout_ns);
    return fails(FAULT_WAIT) ? WEFT_ERROR_BACKEND : result;
}

static bool lost(struct wf_hal_device *dev, char reason[WF_HAL_REASON_LENGTH])
{
    if (!atomic_load(&fault.lost))
        return fault.real->lost(dev, reason);
    if (reason)
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "a test wanted it");
    return true;
}

static weft_acquire_status surface_acquire(struct wf_hal_device *dev,
                                           struct wf_hal_surface *surface,
                                           struct wf_hal_texture **out)
{
    if (fails(FAULT_ACQUIRE))
        return WEFT_ACQUIRE_LOST;
    if (fails(FAULT_RECONFIGURE))
        return WEFT_ACQUIRE_RECONFIGURE;
    return fault.real->surface_acquire(dev, surface, out);
}

static weft_result surface_present(struct wf_hal_device *dev, struct wf_hal_surface *surface,
                                   const weft_rect *damage, uint32_t count)
{
    const weft_result result = fault.real->surface_present(dev, surface, damage, count);
    return fails(FAULT_PRESENT) ? WEFT_ERROR_SURFACE : result;
}

void fault_install(struct weft_device *dev)
{
    static struct wf_hal_device_ops ops;
    fault.real = dev->ops;
    atomic_store(&fault.lost, false);
    ops = *dev->ops;
    ops.buffer_create = buffer_create;
    ops.memory_block_create = block_create;
    ops.texture_create = texture_create;
    ops.texture_view_create = view_create;
    ops.sampler_create = sampler_create;
    ops.acceleration_create = acceleration_create;
    ops.layout_create = layout_create;
    ops.heap_open = heap_open;
    ops.table_create = table_create;
    ops.shader_create = shader_create;
    ops.graphics_pipeline_create = graphics_create;
    ops.compute_pipeline_create = compute_create;
    ops.query_pool_create = queries_create;
    ops.timeline_create = timeline_create;
    ops.surface_create = surface_create;
    ops.surface_configure = surface_configure;
    ops.command_pool_create = pool_create;
    ops.command_begin = command_begin;
    ops.command_end = command_end;
    ops.queue_submit = queue_submit;
    ops.serial_wait = serial_wait;
    ops.timeline_wait = timeline_wait;
    ops.lost = lost;
    ops.surface_acquire = surface_acquire;
    ops.surface_present = surface_present;
    dev->ops = &ops;
}
