#include "core/upload.h"
#include "core/watch.h"

#include "base/array.h"

uint64_t wf_core_finished(struct weft_device *dev)
{
    return dev->ops->serial_finished(dev->hal);
}

weft_result wf_core_wait_serial(struct weft_device *dev, uint64_t serial, uint64_t timeout_ns)
{
    if (wf_core_finished(dev) >= serial) {
        // On a lost device serials go on, so that objects can be freed; the work was not done.
        wf_core_watch_finished(dev, serial);
        return wf_core_alive(dev) ? WEFT_OK : wf_core_not_ready(dev);
    }
    if (!wf_core_has(dev, WEFT_FEATURE_BLOCKING_WAIT))
        return WEFT_PENDING;
    const weft_result result = dev->ops->serial_wait(dev->hal, serial, timeout_ns);
    if (result == WEFT_OK)
        wf_core_watch_finished(dev, serial);
    if (result == WEFT_OK || result == WEFT_ERROR_TIMEOUT)
        return result;
    return wf_core_failed(&dev->on, result, "wait for the GPU");
}

/// Hands one submission to the hal. submit_lock is held.
static weft_result hand_over(struct weft_device *dev, weft_queue queue,
                             struct wf_hal_submit *submit)
{
    const uint64_t serial = atomic_load_explicit(&dev->serial, memory_order_relaxed) + 1;
    submit->serial = serial;
    const weft_result result = dev->ops->queue_submit(dev->hal, queue, submit);
    if (result != WEFT_OK)
        return wf_core_failed(&dev->on, result, "submit to a queue");
    atomic_store_explicit(&dev->serial, serial, memory_order_release);
    atomic_fetch_add_explicit(&dev->counters.submissions, 1, memory_order_relaxed);
    return WEFT_OK;
}

/// One submission with the uploads as its first command.
static weft_result submit_with(struct weft_device *dev, struct wf_hal_command *uploads,
                               struct wf_hal_submit *submit)
{
    const size_t need = (size_t)submit->command_count + 1;
    struct wf_hal_command **all =
        wf_base_array_grow(dev->allocator, dev->submit_commands, &dev->submit_capacity, need,
                           sizeof(struct wf_hal_command *));
    if (!all)
        return wf_core_failed(&dev->on, WEFT_ERROR_MEMORY, "submit to a queue");
    dev->submit_commands = all;
    all[0] = uploads;
    for (uint32_t i = 0; i < submit->command_count; ++i)
        all[i + 1] = submit->commands[i];
    struct wf_hal_submit joined = *submit;
    joined.commands = all;
    ++joined.command_count;
    const weft_result result = hand_over(dev, WEFT_QUEUE_GRAPHICS, &joined);
    submit->serial = joined.serial;
    return result;
}

/// Uploads run on the graphics queue. For another queue they are a submission of their own that the
/// CPU waits for: rare, and no timeline need be threaded through.
static weft_result submit_before(struct weft_device *dev, weft_queue queue,
                                 struct wf_hal_command *uploads, struct wf_hal_submit *submit)
{
    struct wf_hal_submit first = {.commands = &uploads,
                                  .command_count = 1,
                                  .surfaces = submit->surfaces,
                                  .surface_count = submit->surface_count};
    weft_result result = hand_over(dev, WEFT_QUEUE_GRAPHICS, &first);
    if (result != WEFT_OK)
        return result;
    wf_core_belt_done(dev, first.serial);
    result = wf_core_wait_serial(dev, first.serial, UINT64_MAX);
    return result == WEFT_OK ? hand_over(dev, queue, submit) : result;
}

static weft_result submit_locked(struct weft_device *dev, weft_queue queue,
                                 struct wf_hal_submit *submit)
{
    struct wf_hal_command *uploads;
    weft_result result = wf_core_belt_end(dev, &uploads);
    if (result != WEFT_OK)
        return result;
    wf_base_mutex_lock(&dev->submit_lock);
    if (!uploads)
        result = hand_over(dev, queue, submit);
    else if (queue != WEFT_QUEUE_GRAPHICS)
        result = submit_before(dev, queue, uploads, submit);
    else {
        result = submit_with(dev, uploads, submit);
        if (result == WEFT_OK)
            wf_core_belt_done(dev, submit->serial);
    }
    wf_base_mutex_unlock(&dev->submit_lock);
    return result;
}

weft_result wf_core_submit(struct weft_device *dev, weft_queue queue, struct wf_hal_submit *submit)
{
    if (!wf_core_ready(dev))
        return wf_core_not_ready(dev);
    wf_core_belt_lock(dev);
    const weft_result result = submit_locked(dev, queue, submit);
    wf_core_belt_unlock(dev);
    if (result == WEFT_OK)
        wf_core_retire_collect(dev);
    return result;
}

weft_result wf_core_submit_uploads_locked(struct weft_device *dev)
{
    struct wf_hal_command *uploads;
    weft_result result = wf_core_belt_end(dev, &uploads);
    if (result != WEFT_OK || !uploads)
        return result;
    wf_base_mutex_lock(&dev->submit_lock);
    struct wf_hal_submit submit = {.commands = &uploads, .command_count = 1};
    result = hand_over(dev, WEFT_QUEUE_GRAPHICS, &submit);
    if (result == WEFT_OK)
        wf_core_belt_done(dev, submit.serial);
    wf_base_mutex_unlock(&dev->submit_lock);
    return result;
}

weft_result wf_core_submit_uploads(struct weft_device *dev)
{
    wf_core_belt_lock(dev);
    const weft_result result = wf_core_submit_uploads_locked(dev);
    wf_core_belt_unlock(dev);
    return result;
}
