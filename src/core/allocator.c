// Command allocators.
#include "core/record.h"

weft_result weft_command_allocator_create(weft_device *device,
                                          const weft_command_allocator_desc *desc,
                                          weft_command_allocator *out)
{
    const weft_result entered = wf_core_enter_result(device, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const weft_command_allocator_desc full = desc ? *desc : (weft_command_allocator_desc){0};
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_COMMAND_ALLOCATOR, full.label);
    if ((unsigned)full.queue >= WEFT_QUEUE_COUNT) {
        wf_core_broken(&on, WEFT_RULE_ENUM_UNKNOWN, "%u is no queue.", (unsigned)full.queue);
        return WEFT_ERROR_USAGE;
    }
    struct wf_core_command_allocator *allocator =
        wf_core_command_allocator_take(device, full.label, out);
    if (!allocator)
        return WEFT_ERROR_MEMORY;
    allocator->queue = wf_core_queue(device, full.queue);
    const weft_result result =
        device->ops->command_pool_create(device->hal, allocator->queue, &allocator->pool);
    if (result == WEFT_OK)
        return WEFT_OK;
    wf_core_command_allocator_give(device, out);
    return wf_core_failed(&on, result, NULL);
}

/// Whether nothing of it is recording, executable or in flight.
static bool is_quiet(struct weft_device *dev, weft_command_allocator handle,
                     struct wf_core_command_allocator *allocator, const char *what)
{
    const unsigned out = atomic_load(&allocator->out);
    const struct wf_core_subject on = wf_core_about(dev, wf_core_command_allocator_object(handle));
    if (out > 0)
        return wf_core_broken(&on, WEFT_RULE_COMMAND_ALLOCATOR_BUSY,
                              "The allocator was to be %s with %u command buffers recording or "
                              "executable.",
                              what, out);
    const uint64_t serial = atomic_load(&allocator->serial);
    if (serial > wf_core_finished(dev))
        return wf_core_broken(&on, WEFT_RULE_COMMAND_ALLOCATOR_BUSY,
                              "The allocator was to be %s before submission %llu has finished.",
                              what, (unsigned long long)serial);
    return true;
}

weft_result weft_command_allocator_reset(weft_device *device, weft_command_allocator handle)
{
    struct wf_core_command_allocator *allocator = wf_core_command_allocator_get(device, handle);
    if (!allocator)
        return WEFT_ERROR_USAGE;
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    if (!is_quiet(device, handle, allocator, "reset"))
        return WEFT_ERROR_USAGE;
    device->ops->command_pool_reset(device->hal, allocator->pool);
    return WEFT_OK;
}

static void release_pool(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    dev->ops->command_pool_destroy(dev->hal, object);
}

void wf_core_command_allocator_discard(struct weft_device *dev, void *object)
{
    struct wf_core_command_allocator *hot = object;
    wf_core_retire(dev, release_pool, hot->pool, 0, 0);
}

void weft_command_allocator_destroy(weft_device *device, weft_command_allocator handle)
{
    if (!device)
        return;
    struct wf_core_command_allocator *live = wf_core_command_allocator_find(device, handle);
    // In flight is fine: the pool is retired. Open command buffers would lose their memory.
    if (live && atomic_load(&live->out) > 0) {
        is_quiet(device, handle, live, "destroyed");
        return;
    }
    wf_core_command_allocator_destroy(device, handle);
}
