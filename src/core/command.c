// Command buffers: idle → recording → executable → submitted → idle.
#include "core/record.h"
#include "core/watch.h"

#include "base/array.h"

#include <string.h>

static struct weft_command_buffer *command_take(struct weft_device *dev)
{
    struct wf_core_recorders *r = dev->recorders;
    wf_base_mutex_lock(&r->lock);
    struct weft_command_buffer *cmd = r->free;
    if (cmd) {
        r->free = cmd->next;
    } else {
        cmd = wf_base_alloc_zero(dev->allocator, sizeof *cmd);
        if (cmd) {
            cmd->dev = dev;
            cmd->ops = dev->ops;
            cmd->all_next = r->all;
            r->all = cmd;
        }
    }
    wf_base_mutex_unlock(&r->lock);
    return cmd;
}

static void command_put_back(struct weft_command_buffer *cmd)
{
    struct wf_core_recorders *r = cmd->dev->recorders;
    wf_base_mutex_lock(&r->lock);
    cmd->next = r->free;
    r->free = cmd;
    wf_base_mutex_unlock(&r->lock);
}

void wf_core_command_give(struct weft_command_buffer *cmd)
{
    struct weft_device *dev = cmd->dev;
    wf_core_open_remove(dev, &cmd->open);
    struct wf_core_command_allocator *allocator =
        wf_core_command_allocator_find(dev, cmd->allocator);
    if (allocator)
        atomic_fetch_sub(&allocator->out, 1);
    cmd->state = WF_CORE_COMMAND_IDLE;
    cmd->render.state = WF_CORE_ENCODER_CLOSED;
    cmd->compute.state = WF_CORE_ENCODER_CLOSED;
    cmd->hal = NULL;
    command_put_back(cmd);
}

/// The device's own pool of a queue, made at its first use.
static weft_result own_pool(struct weft_device *dev, weft_queue queue,
                            struct wf_hal_command_pool **out)
{
    struct wf_core_recorders *r = dev->recorders;
    weft_result result = WEFT_OK;
    wf_base_mutex_lock(&r->lock);
    if (!r->pools[queue])
        result = dev->ops->command_pool_create(dev->hal, queue, &r->pools[queue]);
    *out = r->pools[queue];
    wf_base_mutex_unlock(&r->lock);
    return result;
}

static bool check_command_desc(struct weft_device *dev, const weft_command_desc *desc)
{
    const struct wf_core_subject on =
        wf_core_about_new(dev, WEFT_OBJECT_COMMAND_BUFFER, desc->label);
    bool ok = true;
    if ((unsigned)desc->queue >= WEFT_QUEUE_COUNT)
        ok = wf_core_broken(&on, WEFT_RULE_ENUM_UNKNOWN, "%u is no queue.", (unsigned)desc->queue);
    ok &= wf_core_check_bits(&on, desc->flags, WEFT_COMMAND_PREVALIDATED, "command flags");
    return ok;
}

/// The hal's pool to record from. NULL after reporting, with `*result` set.
static struct wf_hal_command_pool *pool_for(struct weft_device *dev, const weft_command_desc *desc,
                                            weft_queue queue,
                                            struct wf_core_command_allocator **allocator,
                                            weft_result *result)
{
    *allocator = NULL;
    *result = WEFT_ERROR_USAGE;
    if (!weft_command_allocator_is_none(desc->allocator)) {
        *allocator = wf_core_command_allocator_get(dev, desc->allocator);
        if (!*allocator)
            return NULL;
        if ((*allocator)->queue != queue) {
            const struct wf_core_subject on =
                wf_core_about_new(dev, WEFT_OBJECT_COMMAND_BUFFER, desc->label);
            wf_core_broken(&on, WEFT_RULE_COMMAND_ALLOCATOR_QUEUE,
                           "The command buffer is for queue %d, its allocator for %d.", (int)queue,
                           (int)(*allocator)->queue);
            return NULL;
        }
        return (*allocator)->pool;
    }
    struct wf_hal_command_pool *pool;
    *result = own_pool(dev, queue, &pool);
    if (*result != WEFT_OK)
        wf_core_failed(&(struct wf_core_subject){.dev = dev,
                                                 .object = wf_core_command_object(),
                                                 .label = desc->label},
                       *result, NULL);
    return pool;
}

static void command_reset(struct weft_command_buffer *cmd, const weft_command_desc *desc)
{
    struct weft_device *dev = cmd->dev;
    cmd->state = WF_CORE_COMMAND_RECORDING;
    cmd->validate = dev->validate && !(desc->flags & WEFT_COMMAND_PREVALIDATED);
    cmd->in_encoder = false;
    cmd->queue = wf_core_queue(dev, desc->queue);
    cmd->asked = desc->queue;
    wf_core_label_set(cmd->label, desc->label);
    cmd->pass[0] = '\0';
    cmd->origin = (struct wf_core_origin){.command = WF_CORE_NO_COMMAND, .pass = cmd->pass};
    cmd->on =
        (struct wf_core_subject){cmd->dev, wf_core_command_object(), cmd->label, &cmd->origin};
    cmd->counts = (struct wf_core_command_counts){0};
    cmd->events = 0;
    cmd->groups = 0;
    cmd->query_count = 0;
    cmd->heap_write_count = 0;
    cmd->surface_count = 0;
    cmd->allocator = desc->allocator;
}

weft_result weft_command_begin(weft_device *device, const weft_command_desc *desc,
                               weft_command_buffer **out)
{
    const weft_result entered = wf_core_enter_result(device, out, sizeof(void *));
    if (entered != WEFT_OK)
        return entered;
    const weft_command_desc full = desc ? *desc : (weft_command_desc){0};
    if (!check_command_desc(device, &full))
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_COMMAND_BUFFER, full.label);
    weft_result result;
    struct wf_core_command_allocator *allocator;
    struct wf_hal_command_pool *pool =
        pool_for(device, &full, wf_core_queue(device, full.queue), &allocator, &result);
    if (!pool)
        return result;
    struct weft_command_buffer *cmd = command_take(device);
    if (!cmd)
        return wf_core_failed(&on, WEFT_ERROR_MEMORY, "begin a command buffer");
    result = device->ops->command_begin(device->hal, pool, &cmd->hal);
    if (result != WEFT_OK) {
        command_put_back(cmd);
        return wf_core_failed(&on, result, "begin a command buffer");
    }
    command_reset(cmd, &full);
    wf_core_watch_begin(cmd);
    if (allocator)
        atomic_fetch_add(&allocator->out, 1);
    wf_core_open_add(device, &cmd->open);
    *out = cmd;
    return WEFT_OK;
}

static bool refuse_state(struct weft_command_buffer *cmd, const char *why)
{
    return wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_STATE, "The command buffer is %s.", why);
}

static const char *state_name(const struct weft_command_buffer *cmd)
{
    switch (cmd->state) {
    case WF_CORE_COMMAND_RECORDING:
        return "still recording";
    case WF_CORE_COMMAND_EXECUTABLE:
        return "already ended";
    default:
        return "given up: it was submitted, discarded, or its recording failed";
    }
}

bool wf_core_command_recording(struct weft_command_buffer *cmd)
{
    if (!cmd)
        return false;
    if (cmd->state != WF_CORE_COMMAND_RECORDING)
        return refuse_state(cmd, state_name(cmd));
    if (!cmd->in_encoder)
        return true;
    return wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_ENCODER_OPEN,
                          "The command was recorded while an encoder was open.");
}

bool wf_core_command_on_queue(struct weft_command_buffer *cmd, bool graphics, const char *what)
{
    if (cmd->asked == WEFT_QUEUE_GRAPHICS || (!graphics && cmd->asked == WEFT_QUEUE_COMPUTE))
        return true;
    return wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_QUEUE_CANNOT,
                          "%s was recorded for the %s queue.", what,
                          cmd->asked == WEFT_QUEUE_COMPUTE ? "compute" : "copy");
}

bool wf_core_command_can(struct weft_command_buffer *cmd, const struct wf_core_subject *on,
                         weft_feature_set feature, const char *what)
{
    if (!wf_core_has(cmd->dev, feature))
        wf_core_command_fail(cmd, WEFT_ERROR_UNSUPPORTED);
    return wf_core_need(on, feature, what);
}

bool wf_core_command_uses_queries(struct weft_command_buffer *cmd, weft_query_pool pool,
                                  uint32_t first, uint32_t count)
{
    struct wf_core_query_use *uses =
        wf_base_array_grow(cmd->dev->allocator, cmd->queries, &cmd->query_capacity,
                           cmd->query_count + 1, sizeof *uses);
    if (!uses) {
        wf_core_failed(&cmd->on, WEFT_ERROR_MEMORY, "record a query");
        return false;
    }
    cmd->queries = uses;
    uses[cmd->query_count++] = (struct wf_core_query_use){pool, first, count};
    return true;
}

bool wf_core_command_writes_heap(struct weft_command_buffer *cmd,
                                 const struct wf_core_heap_entry *entry)
{
    struct wf_core_heap_entry *writes =
        wf_base_array_grow(cmd->dev->allocator, cmd->heap_writes, &cmd->heap_write_capacity,
                           cmd->heap_write_count + 1, sizeof *writes);
    if (!writes) {
        wf_core_failed(&cmd->on, WEFT_ERROR_MEMORY, "record a write into the heap");
        return false;
    }
    cmd->heap_writes = writes;
    writes[cmd->heap_write_count++] = *entry;
    return true;
}

/// What must be closed when recording ends.
static void check_end(struct weft_command_buffer *cmd)
{
    if (cmd->in_encoder)
        wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_ENCODER_OPEN,
                       "The command buffer was ended while an encoder was open.");
    if (cmd->validate && cmd->groups > 0)
        wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_GROUPS, "%u debug groups are open at the end.",
                       cmd->groups);
}

weft_result weft_command_end(weft_command_buffer *cmd)
{
    if (!cmd)
        return WEFT_ERROR_USAGE;
    if (cmd->state != WF_CORE_COMMAND_RECORDING) {
        refuse_state(cmd, state_name(cmd));
        return WEFT_ERROR_USAGE;
    }
    check_end(cmd);
    if (cmd->origin.error == WEFT_OK && !wf_core_ready(cmd->dev))
        cmd->origin.error = wf_core_not_ready(cmd->dev);
    if (cmd->origin.error == WEFT_OK) {
        const weft_result result = cmd->ops->command_end(cmd->hal);
        if (result != WEFT_OK)
            cmd->origin.error = wf_core_failed(&cmd->on, result, "record a command buffer");
    }
    const weft_result error = cmd->origin.error;
    if (error == WEFT_OK) {
        cmd->state = WF_CORE_COMMAND_EXECUTABLE;
        return WEFT_OK;
    }
    cmd->ops->command_discard(cmd->hal);
    wf_core_command_give(cmd);
    return error;
}

void weft_command_discard(weft_command_buffer *cmd)
{
    if (!cmd)
        return;
    if (cmd->state == WF_CORE_COMMAND_IDLE) {
        refuse_state(cmd, state_name(cmd));
        return;
    }
    cmd->ops->command_discard(cmd->hal);
    wf_core_command_give(cmd);
}

void weft_command_set_origin(weft_command_buffer *cmd, uint64_t origin)
{
    if (cmd)
        cmd->origin.command = origin;
}

/// Whether groups and markers can be recorded: inside of encoders, too.
static bool marks(struct weft_command_buffer *cmd)
{
    if (!cmd)
        return false;
    return cmd->state == WF_CORE_COMMAND_RECORDING || refuse_state(cmd, state_name(cmd));
}

void weft_command_push_group(weft_command_buffer *cmd, const char *label)
{
    if (!marks(cmd))
        return;
    ++cmd->groups;
    cmd->ops->cmd_push_group(cmd->hal, label ? label : "");
}

/// Groups that were open when the encoder began stay open until it ends.
static uint32_t groups_below(const struct weft_command_buffer *cmd)
{
    if (cmd->render.state == WF_CORE_ENCODER_OPEN)
        return cmd->render.groups;
    return cmd->compute.state == WF_CORE_ENCODER_OPEN ? cmd->compute.groups : 0;
}

void weft_command_pop_group(weft_command_buffer *cmd)
{
    if (!marks(cmd))
        return;
    if (cmd->groups <= groups_below(cmd)) {
        wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_GROUPS, "There is no open debug group to pop.");
        return;
    }
    --cmd->groups;
    cmd->ops->cmd_pop_group(cmd->hal);
}

void weft_command_marker(weft_command_buffer *cmd, const char *label)
{
    if (marks(cmd))
        cmd->ops->cmd_marker(cmd->hal, label ? label : "");
}
