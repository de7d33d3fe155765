#include "core/startup.h"

#include "core/pipeline_cache.h"
#include "core/record.h"
#include "core/surface.h"
#include "core/timeline.h"
#include "core/upload.h"
#include "core/watch.h"

/// A host cannot destroy what is the library's own, so that is no leak.
static bool is_internal(struct weft_device *dev, weft_object object)
{
    if (object.kind == WEFT_OBJECT_BUFFER) {
        const struct wf_core_buffer *buf = wf_core_buffer_find(
            dev, (weft_buffer){.index = object.index, .generation = object.generation});
        return buf && buf->internal;
    }
    if (object.kind == WEFT_OBJECT_TEXTURE) {
        const struct wf_core_texture *tex = wf_core_texture_find(
            dev, (weft_texture){.index = object.index, .generation = object.generation});
        return tex && tex->surface;
    }
    if (object.kind == WEFT_OBJECT_TEXTURE_VIEW) {
        const struct wf_core_texture_view *view = wf_core_texture_view_find(
            dev, (weft_texture_view){.index = object.index, .generation = object.generation});
        return view && view->surface;
    }
    if (object.kind == WEFT_OBJECT_ARGUMENT_LAYOUT) {
        const struct wf_core_argument_layout *layout = wf_core_argument_layout_find(
            dev, (weft_argument_layout){.index = object.index, .generation = object.generation});
        return layout && layout->internal;
    }
    return false;
}

static void report_leaks(struct weft_device *dev, weft_object_kind kind)
{
    struct wf_base_pool *pool = &dev->pools[kind];
    if (!pool->chunks)
        return;
    for (struct wf_base_handle h = wf_base_pool_next(pool, 0); h.index != 0;
         h = wf_base_pool_next(pool, h.index)) {
        const weft_object object = wf_core_object(kind, h.index, h.generation);
        if (!is_internal(dev, object))
            wf_core_warn(&(struct wf_core_subject){.dev = dev, .object = object},
                         WEFT_RULE_OBJECT_LEAKED, "The %s \"%s\" {%u, 0x%08x} was not destroyed.",
                         wf_core_kind_name(kind), wf_core_label(dev, object), h.index,
                         h.generation);
    }
}

/// Command buffers are no objects of a pool.
static void report_open(struct weft_device *dev)
{
    const struct weft_command_buffer *cmd = dev->recorders ? dev->recorders->all : NULL;
    for (; cmd; cmd = cmd->all_next) {
        if (cmd->state == WF_CORE_COMMAND_IDLE)
            continue;
        const struct wf_core_subject on =
            wf_core_about_new(dev, WEFT_OBJECT_COMMAND_BUFFER, cmd->label);
        wf_core_warn(&on, WEFT_RULE_OBJECT_LEAKED,
                     "The command buffer \"%s\" was neither submitted nor discarded.", cmd->label);
    }
}

void wf_core_device_close(struct weft_device *dev)
{
    if (!dev->hal)
        return;
    if (dev->recorders)
        wf_core_recorders_discard(dev);
    wf_core_transient_destroy(dev);
    wf_core_reads_destroy(dev);
    wf_core_belt_destroy(dev);
    wf_core_destroy_all(dev);
    wf_core_retire_all(dev);
    wf_core_recorders_destroy(dev);
    wf_core_heap_destroy(dev);
    wf_base_free(dev->allocator, dev->submit_commands,
                 dev->submit_capacity * sizeof(struct wf_hal_command *));
    dev->submit_commands = NULL;
    dev->submit_capacity = 0;
    wf_core_pools_finish(dev);
    wf_core_watch_destroy(dev);
    dev->ops->destroy(dev->hal);
    dev->hal = NULL;
}

static void wait_for_gpu(struct weft_device *dev)
{
    const uint64_t serial = atomic_load(&dev->serial);
    while (wf_core_ready(dev)) {
        const weft_result result = wf_core_wait_serial(dev, serial, UINT64_MAX);
        if (result != WEFT_PENDING)
            return;
        wf_base_thread_yield();
    }
    // A lost device may still be at work on what is about to be freed.
    if (wf_core_has(dev, WEFT_FEATURE_BLOCKING_WAIT))
        dev->ops->serial_wait(dev->hal, serial, UINT64_MAX);
}

void weft_device_shutdown(weft_device *device)
{
    if (!device || atomic_load(&device->state) == WEFT_DEVICE_SHUT_DOWN)
        return;
    wf_core_attach_finish(device);
    if (device->hal) {
        wait_for_gpu(device);
        wf_core_watch_tell(device);
        report_open(device);
        for (int kind = 0; kind < WF_CORE_KINDS; ++kind)
            report_leaks(device, (weft_object_kind)kind);
    }
    wf_core_pipeline_cache_close(device);
    // From here on the host is not called any more, but for its memory.
    device->hooks.diagnostic = NULL;
    device->hooks.log = NULL;
    device->log.write = NULL;
    wf_core_device_close(device);
    atomic_store(&device->state, WEFT_DEVICE_SHUT_DOWN);
}
