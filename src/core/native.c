// What a host shares with Weft, and Weft with a host, passed through unseen.
#include "core/record.h"
#include "core/timeline.h"
#include "core/watch.h"

#include <weft/interop/native.h>

#include <inttypes.h>
#include <string.h>

bool wf_core_native_check(const struct wf_core_subject *on, weft_backend backend)
{
    const struct weft_device *dev = on->dev;
    if (backend == dev->caps.backend && dev->ops->native_get)
        return true;
    return wf_core_broken(on, WEFT_RULE_NATIVE_BACKEND,
                          "The device is of the backend %s; %s%s was named.",
                          weft_backend_name(dev->caps.backend), weft_backend_name(backend),
                          dev->ops->native_get ? "" : ", and it shares nothing");
}

bool wf_core_native_place(const struct wf_core_subject *on, const weft_placement *place,
                          struct wf_hal_native *out)
{
    const weft_native *native = place->native;
    *out = (struct wf_hal_native){.object = native->object, .size = native->size};
    bool ok = wf_core_native_check(on, native->backend);
    ok &= wf_core_check_given(on, native->object, "native object");
    if (!weft_memory_block_is_none(place->block))
        ok = wf_core_broken(on, WEFT_RULE_PLACEMENT_NATIVE, "It has a memory block, too.");
    return ok;
}

weft_result wf_core_native_failed(const struct wf_core_subject *on, weft_result result,
                                  const struct wf_hal_native *native)
{
    if (!native || result != WEFT_ERROR_USAGE)
        return wf_core_failed(on, result, NULL);
    wf_core_broken(on, WEFT_RULE_NATIVE_OBJECT, "%s.", native->reason);
    return result;
}

/// What the hal knows an object by; false after reporting.
static bool find(struct weft_device *dev, weft_object o, void **out)
{
    const struct wf_base_handle handle = {o.index, o.generation};
    const void *hot = NULL;
    switch (o.kind) {
    case WEFT_OBJECT_DEVICE:
        *out = NULL;
        return true;
    case WEFT_OBJECT_BUFFER:
        hot = wf_core_get(dev, NULL, o.kind, handle);
        *out = hot ? ((const struct wf_core_buffer *)hot)->hal : NULL;
        break;
    case WEFT_OBJECT_TEXTURE:
        hot = wf_core_get(dev, NULL, o.kind, handle);
        *out = hot ? ((const struct wf_core_texture *)hot)->hal : NULL;
        break;
    case WEFT_OBJECT_TEXTURE_VIEW:
        hot = wf_core_view_use(dev, NULL, (weft_texture_view){o.index, o.generation});
        *out = hot ? ((const struct wf_core_texture_view *)hot)->hal : NULL;
        break;
    case WEFT_OBJECT_TIMELINE:
        hot = wf_core_get(dev, NULL, o.kind, handle);
        *out = hot ? ((const struct wf_core_timeline *)hot)->hal : NULL;
        break;
    default:
        return wf_core_broken(&dev->on, WEFT_RULE_NATIVE_KIND, "A %s was given.",
                              wf_core_kind_name(o.kind));
    }
    return hot != NULL;
}

/// The structure was zeroed.
static weft_result get(const struct wf_core_subject *on, weft_object_kind kind, void *object,
                       const struct wf_hal_native_place *place)
{
    const weft_result result = on->dev->ops->native_get(on->dev->hal, kind, object, place);
    if (result == WEFT_ERROR_USAGE)
        wf_core_broken(on, WEFT_RULE_NATIVE_OBJECT,
                       "A structure of %zu bytes was given: that of another kind, or version.",
                       place->size);
    return result;
}

weft_result weft_native_get(weft_device *device, weft_object object, weft_backend backend,
                            void *out, size_t size)
{
    const weft_result entered = wf_core_enter_result(device, out, size);
    if (entered != WEFT_OK)
        return entered;
    void *hal = NULL;
    if (!find(device, object, &hal))
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(device, object);
    if (!wf_core_native_check(&on, backend))
        return WEFT_ERROR_USAGE;
    return get(&on, object.kind, hal, &(struct wf_hal_native_place){out, size});
}

weft_result weft_native_promise(weft_device *device, weft_timeline timeline, uint64_t value)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    struct wf_core_timeline *hot = wf_core_timeline_get(device, timeline);
    if (!hot)
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(device, wf_core_timeline_object(timeline));
    if (!wf_core_native_check(&on, device->caps.backend))
        return WEFT_ERROR_USAGE;
    const uint64_t now = atomic_load(&hot->promised);
    if (device->validate && value <= now) {
        wf_core_broken(&on, WEFT_RULE_TIMELINE_VALUE,
                       "%" PRIu64 " was promised; the timeline is at %" PRIu64 " or will be.",
                       value, now);
        return WEFT_ERROR_USAGE;
    }
    wf_core_timeline_promise(hot, value);
    wf_core_watch_blind(device); // what the host waited for in between, it does not know
    return WEFT_OK;
}

void weft_native_command(weft_command_buffer *cmd, weft_backend backend, void *out, size_t size)
{
    if (out)
        memset(out, 0, size);
    if (!wf_core_command_recording(cmd) || !wf_core_check_given(&cmd->on, out, WF_CORE_RESULT) ||
        !wf_core_native_check(&cmd->on, backend))
        return;
    (void)get(&cmd->on, WEFT_OBJECT_COMMAND_BUFFER, cmd->hal,
              &(struct wf_hal_native_place){out, size});
}
