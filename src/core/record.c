// What the device keeps for recording: its life, and the store of command buffers.
#include "core/record.h"

#include "core/build.h"

bool wf_core_recorders_create(struct weft_device *dev)
{
    struct wf_core_recorders *r = wf_base_alloc_zero(dev->allocator, sizeof *r);
    if (!r)
        return false;
    struct wf_base_mutex *const locks[] = {&r->lock, &r->layout_lock, &r->surface_lock,
                                           &r->build_lock};
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; ++i) {
        if (wf_base_mutex_init(locks[i]))
            continue;
        while (i-- > 0)
            wf_base_mutex_finish(locks[i]);
        wf_base_free(dev->allocator, r, sizeof *r);
        return false;
    }
    dev->recorders = r;
    return true;
}

static void discard_open_commands(struct weft_device *dev)
{
    for (struct weft_command_buffer *cmd = dev->recorders->all; cmd; cmd = cmd->all_next) {
        if (cmd->state == WF_CORE_COMMAND_IDLE)
            continue;
        dev->ops->command_discard(cmd->hal);
        wf_core_command_give(cmd);
    }
}

void wf_core_recorders_discard(struct weft_device *dev)
{
    struct wf_core_recorders *r = dev->recorders;
    if (!r)
        return;
    wf_core_builder_destroy(dev, r->builder);
    r->builder = NULL;
    discard_open_commands(dev);
    for (int i = 0; i < WEFT_QUEUE_COUNT; ++i) {
        if (r->pools[i])
            dev->ops->command_pool_destroy(dev->hal, r->pools[i]);
        r->pools[i] = NULL;
    }
}

void wf_core_recorders_destroy(struct weft_device *dev)
{
    struct wf_core_recorders *r = dev->recorders;
    if (!r)
        return;
    struct weft_command_buffer *next;
    for (struct weft_command_buffer *cmd = r->all; cmd; cmd = next) {
        next = cmd->all_next;
        wf_base_free(dev->allocator, cmd->queries, cmd->query_capacity * sizeof *cmd->queries);
        wf_base_free(dev->allocator, cmd->geometries,
                     cmd->geometry_capacity * sizeof *cmd->geometries);
        wf_base_free(dev->allocator, cmd->heap_writes,
                     cmd->heap_write_capacity * sizeof *cmd->heap_writes);
        wf_base_free(dev->allocator, cmd, sizeof *cmd);
    }
    wf_base_free(dev->allocator, r->shapes, r->shape_capacity * sizeof(struct wf_core_shape *));
    wf_base_mutex_finish(&r->lock);
    wf_base_mutex_finish(&r->layout_lock);
    wf_base_mutex_finish(&r->surface_lock);
    wf_base_mutex_finish(&r->build_lock);
    wf_base_free(dev->allocator, r, sizeof *r);
    dev->recorders = NULL;
}
