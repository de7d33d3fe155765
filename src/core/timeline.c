// Timelines, and waiting for serials.
#include "core/timeline.h"
#include "core/watch.h"

#include <inttypes.h>

weft_result weft_timeline_create(weft_device *device, const weft_timeline_desc *desc,
                                 weft_timeline *out)
{
    const weft_result entered = wf_core_enter_result(device, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const weft_timeline_desc full = desc ? *desc : (weft_timeline_desc){0};
    struct wf_core_timeline *timeline = wf_core_timeline_take(device, full.label, out);
    if (!timeline)
        return WEFT_ERROR_MEMORY;
    atomic_store(&timeline->promised, full.initial);
    const weft_result result =
        device->ops->timeline_create(device->hal, full.initial, &timeline->hal);
    if (result == WEFT_OK)
        return WEFT_OK;
    wf_core_timeline_give(device, out);
    const struct wf_core_subject on = wf_core_about_new(device, WEFT_OBJECT_TIMELINE, full.label);
    return wf_core_failed(&on, result, NULL);
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    dev->ops->timeline_destroy(dev->hal, object);
}

void wf_core_timeline_discard(struct weft_device *dev, void *object)
{
    struct wf_core_timeline *hot = object;
    wf_core_retire(dev, release, hot->hal, 0, 0);
}

void weft_timeline_destroy(weft_device *device, weft_timeline timeline)
{
    wf_core_timeline_destroy(device, timeline);
}

uint64_t weft_timeline_value(weft_device *device, weft_timeline timeline)
{
    if (device && atomic_load(&device->state) == WEFT_DEVICE_LOST)
        return UINT64_MAX;
    const struct wf_core_timeline *hot = wf_core_timeline_get(device, timeline);
    if (!device || !hot)
        return 0;
    const uint64_t value = device->ops->timeline_value(device->hal, hot->hal);
    wf_core_watch_reached(device, hot->hal, value);
    return value;
}

static bool check_wait(struct weft_device *dev, weft_timeline handle,
                       struct wf_core_timeline *timeline, uint64_t value)
{
    const struct wf_core_subject on = wf_core_about(dev, wf_core_timeline_object(handle));
    const uint64_t promised = atomic_load(&timeline->promised);
    if (wf_core_has(dev, WEFT_FEATURE_TIMELINE_ANY_ORDER) || value <= promised)
        return true;
    return wf_core_broken(&on, WEFT_RULE_TIMELINE_NOT_SUBMITTED,
                          "%" PRIu64 " was waited for; what was submitted reaches %" PRIu64 ".",
                          value, promised);
}

weft_result weft_timeline_wait(weft_device *device, weft_timeline handle, uint64_t value,
                               uint64_t timeout_ns)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    struct wf_core_timeline *timeline = wf_core_timeline_get(device, handle);
    if (!timeline)
        return WEFT_ERROR_USAGE;
    if (device->validate && !check_wait(device, handle, timeline, value))
        return WEFT_ERROR_USAGE;
    if (weft_timeline_value(device, handle) >= value)
        return WEFT_OK;
    const struct wf_core_subject on = wf_core_about(device, wf_core_timeline_object(handle));
    if (!wf_core_need(&on, WEFT_FEATURE_BLOCKING_WAIT, "Waiting for a timeline"))
        return WEFT_ERROR_UNSUPPORTED;
    const weft_result result =
        device->ops->timeline_wait(device->hal, timeline->hal, value, timeout_ns);
    if (result == WEFT_OK)
        wf_core_watch_reached(device, timeline->hal, value);
    wf_core_watch_tell(device);
    if (result == WEFT_OK || result == WEFT_ERROR_TIMEOUT)
        return result;
    return wf_core_failed(&on, result, "wait for a timeline");
}

weft_result weft_timeline_signal(weft_device *device, weft_timeline handle, uint64_t value)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    struct wf_core_timeline *timeline = wf_core_timeline_get(device, handle);
    if (!timeline)
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(device, wf_core_timeline_object(handle));
    const uint64_t now = atomic_load(&timeline->promised);
    if (device->validate && value <= now) {
        wf_core_broken(&on, WEFT_RULE_TIMELINE_VALUE,
                       "%" PRIu64 " was signalled; the timeline is at %" PRIu64 " or will be.",
                       value, now);
        return WEFT_ERROR_USAGE;
    }
    const weft_result result = device->ops->timeline_signal(device->hal, timeline->hal, value);
    if (result != WEFT_OK)
        return wf_core_failed(&on, result, "signal a timeline");
    wf_core_timeline_promise(timeline, value);
    return WEFT_OK;
}

weft_result weft_serial_wait(weft_device *device, uint64_t serial, uint64_t timeout_ns)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const uint64_t newest = atomic_load(&device->serial);
    if (serial > newest) {
        wf_core_broken_object(
            device, (weft_object){.kind = WEFT_OBJECT_DEVICE}, WEFT_RULE_SERIAL_UNKNOWN,
            "Submission %" PRIu64 " was waited for; the newest is %" PRIu64 ".", serial, newest);
        return WEFT_ERROR_USAGE;
    }
    const weft_result result = wf_core_wait_serial(device, serial, timeout_ns);
    wf_core_watch_tell(device);
    return result;
}
