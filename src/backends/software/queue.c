#include "backends/software/queue.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "backends/software/command.h"
#include "backends/software/execute.h"
#include "backends/software/software.h"
#include "base/array.h"

struct wf_sw_timeline {
    struct wf_hal_timeline base;
    atomic_uint_fast64_t value; ///< Changed under the queue's lock.
};

struct point {
    struct wf_sw_timeline *timeline;
    uint64_t value;
};

struct wf_sw_submission {
    struct wf_sw_submission *next;
    struct wf_sw_command *first, *last; ///< Linked by their `next`.
    struct point *points;               ///< Waits, then signals.
    size_t capacity;
    uint32_t wait_count, signal_count;
    uint64_t serial;
};

// ---- the executor ------------------------------------------------------------------------------

static bool reached(const struct wf_sw_submission *sub)
{
    for (uint32_t i = 0; i < sub->wait_count; i++) {
        if (atomic_load(&sub->points[i].timeline->value) < sub->points[i].value)
            return false;
    }
    return true;
}

static void raise_value(struct wf_sw_timeline *timeline, uint64_t value)
{
    if (atomic_load(&timeline->value) < value)
        atomic_store(&timeline->value, value);
}

static void execute(struct wf_sw_device *dev, const struct wf_sw_submission *sub)
{
    for (struct wf_sw_command *cmd = sub->first, *next; cmd; cmd = next) {
        next = cmd->next;
        if (!atomic_load(&dev->queue.lost))
            wf_sw_execute(dev->executor, cmd);
        wf_sw_command_give(cmd);
    }
}

static void finish(struct wf_sw_queue *queue, struct wf_sw_submission *sub)
{
    // A lost device did not do the work: what waits for it is told so. The serial goes on, so that
    // objects can be freed.
    for (uint32_t i = 0; i < sub->signal_count && !atomic_load(&queue->lost); i++) {
        const struct point *signal = &sub->points[sub->wait_count + i];
        raise_value(signal->timeline, signal->value);
    }
    atomic_store(&queue->finished, sub->serial);
    sub->next = queue->spare;
    queue->spare = sub;
    wf_base_cond_broadcast(&queue->done);
}

static void executor_main(void *user)
{
    struct wf_sw_device *dev = user;
    struct wf_sw_queue *queue = &dev->queue;
    wf_base_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->first && !queue->quit)
            wf_base_cond_wait(&queue->work, &queue->lock);
        struct wf_sw_submission *sub = queue->first;
        if (!sub)
            break;
        queue->first = sub->next;
        while (!reached(sub) && !queue->quit && !atomic_load(&queue->lost))
            wf_base_cond_wait(&queue->work, &queue->lock);
        wf_base_mutex_unlock(&queue->lock);
        execute(dev, sub);
        wf_base_mutex_lock(&queue->lock);
        finish(queue, sub);
    }
    wf_base_mutex_unlock(&queue->lock);
}

bool wf_sw_queue_init(struct wf_sw_device *dev)
{
    struct wf_sw_queue *queue = &dev->queue;
    const bool lock = wf_base_mutex_init(&queue->lock);
    const bool work = lock && wf_base_cond_init(&queue->work);
    const bool done = work && wf_base_cond_init(&queue->done);
    if (done && wf_base_thread_start(&queue->thread, "weft-software", executor_main, dev))
        return true;
    if (done)
        wf_base_cond_finish(&queue->done);
    if (work)
        wf_base_cond_finish(&queue->work);
    if (lock)
        wf_base_mutex_finish(&queue->lock);
    return false;
}

static void submission_free(struct wf_sw_device *dev, struct wf_sw_submission *sub)
{
    wf_base_free(dev->base.allocator, sub->points, sub->capacity * sizeof *sub->points);
    wf_base_free(dev->base.allocator, sub, sizeof *sub);
}

void wf_sw_queue_finish(struct wf_sw_device *dev)
{
    struct wf_sw_queue *queue = &dev->queue;
    wf_base_mutex_lock(&queue->lock);
    queue->quit = true;
    wf_base_cond_signal(&queue->work);
    wf_base_mutex_unlock(&queue->lock);
    wf_base_thread_join(&queue->thread);
    while (queue->spare) {
        struct wf_sw_submission *sub = queue->spare;
        queue->spare = sub->next;
        submission_free(dev, sub);
    }
    wf_base_cond_finish(&queue->done);
    wf_base_cond_finish(&queue->work);
    wf_base_mutex_finish(&queue->lock);
}

void wf_sw_queue_drain(struct wf_sw_device *dev)
{
    struct wf_sw_queue *queue = &dev->queue;
    wf_base_mutex_lock(&queue->lock);
    const uint64_t serial = queue->submitted;
    while (atomic_load(&queue->finished) < serial)
        wf_base_cond_wait(&queue->done, &queue->lock);
    wf_base_mutex_unlock(&queue->lock);
}

void wf_sw_queue_lose(struct wf_sw_device *dev, const char *reason)
{
    struct wf_sw_queue *queue = &dev->queue;
    wf_base_mutex_lock(&queue->lock);
    if (!atomic_load(&queue->lost)) {
        (void)snprintf(queue->reason, sizeof queue->reason, "%s", reason);
        atomic_store(&queue->lost, true);
        wf_base_cond_signal(&queue->work);
        wf_base_cond_broadcast(&queue->done);
    }
    wf_base_mutex_unlock(&queue->lock);
}

// ---- submitting --------------------------------------------------------------------------------

static struct wf_sw_submission *submission_take(struct wf_sw_device *dev, size_t points)
{
    wf_base_mutex_lock(&dev->queue.lock);
    struct wf_sw_submission *sub = dev->queue.spare;
    if (sub)
        dev->queue.spare = sub->next;
    wf_base_mutex_unlock(&dev->queue.lock);
    if (!sub)
        sub = wf_base_alloc_zero(dev->base.allocator, sizeof *sub);
    if (!sub || points <= sub->capacity)
        return sub;
    struct point *grown =
        wf_base_array_grow(dev->base.allocator, sub->points, &sub->capacity, points, sizeof *grown);
    if (!grown) {
        submission_free(dev, sub);
        return NULL;
    }
    sub->points = grown;
    return sub;
}

static void set_points(struct point *out, const struct wf_hal_timeline_point *in, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = (struct point){(struct wf_sw_timeline *)in[i].timeline, in[i].value};
}

weft_result wf_sw_queue_submit(struct wf_hal_device *hal, weft_queue queue,
                               const struct wf_hal_submit *submit)
{
    struct wf_sw_device *dev = wf_sw_device(hal);
    (void)queue;
    if (atomic_load(&dev->queue.lost))
        return WEFT_ERROR_LOST;
    struct wf_sw_submission *sub =
        submission_take(dev, (size_t)submit->wait_count + submit->signal_count);
    if (!sub)
        return WEFT_ERROR_MEMORY;
    sub->next = NULL;
    sub->first = sub->last = NULL;
    for (uint32_t i = 0; i < submit->command_count; i++) {
        struct wf_sw_command *cmd = (struct wf_sw_command *)submit->commands[i];
        cmd->next = NULL;
        if (sub->last)
            sub->last->next = cmd;
        else
            sub->first = cmd;
        sub->last = cmd;
    }
    sub->serial = submit->serial;
    sub->wait_count = submit->wait_count;
    sub->signal_count = submit->signal_count;
    if (sub->points) {
        set_points(sub->points, submit->waits, submit->wait_count);
        set_points(sub->points + submit->wait_count, submit->signals, submit->signal_count);
    }

    wf_base_mutex_lock(&dev->queue.lock);
    if (dev->queue.first)
        dev->queue.last->next = sub;
    else
        dev->queue.first = sub;
    dev->queue.last = sub;
    dev->queue.submitted = sub->serial;
    wf_base_cond_signal(&dev->queue.work);
    wf_base_mutex_unlock(&dev->queue.lock);
    return WEFT_OK;
}

uint64_t wf_sw_serial_finished(struct wf_hal_device *dev)
{
    return atomic_load(&wf_sw_device(dev)->queue.finished);
}

// Waits until `value` has come to `wanted`; with `alive`, only while the device is not lost.
static bool wait_for(struct wf_sw_queue *queue, atomic_uint_fast64_t *value, uint64_t wanted,
                     bool alive, uint64_t timeout_ns)
{
    if (atomic_load(value) >= wanted)
        return true;
    const uint64_t deadline = wf_base_deadline_ns(timeout_ns);
    bool in_time = true;
    wf_base_mutex_lock(&queue->lock);
    while (in_time && atomic_load(value) < wanted && !(alive && atomic_load(&queue->lost)))
        in_time = wf_base_cond_wait_until(&queue->done, &queue->lock, deadline);
    const bool there = atomic_load(value) >= wanted;
    wf_base_mutex_unlock(&queue->lock);
    return there;
}

weft_result wf_sw_serial_wait(struct wf_hal_device *dev, uint64_t serial, uint64_t timeout_ns)
{
    struct wf_sw_queue *queue = &wf_sw_device(dev)->queue;
    // Also on a lost device: whoever was told that it is lost frees what commands refer to.
    if (!wait_for(queue, &queue->finished, serial, false, timeout_ns))
        return WEFT_ERROR_TIMEOUT;
    return atomic_load(&queue->lost) ? WEFT_ERROR_LOST : WEFT_OK;
}

bool wf_sw_lost(struct wf_hal_device *dev, char reason[WF_HAL_REASON_LENGTH])
{
    const struct wf_sw_queue *queue = &wf_sw_device(dev)->queue;
    if (!atomic_load(&queue->lost))
        return false;
    if (reason)
        memcpy(reason, queue->reason, WF_HAL_REASON_LENGTH);
    return true;
}

// ---- timelines ---------------------------------------------------------------------------------

weft_result wf_sw_timeline_create(struct wf_hal_device *dev, uint64_t initial,
                                  struct wf_hal_timeline **out)
{
    struct wf_sw_timeline *timeline = wf_base_alloc_zero(dev->allocator, sizeof *timeline);
    *out = timeline ? &timeline->base : NULL;
    if (!timeline)
        return WEFT_ERROR_MEMORY;
    timeline->base.initial = initial;
    atomic_init(&timeline->value, initial);
    return WEFT_OK;
}

void wf_sw_timeline_destroy(struct wf_hal_device *dev, struct wf_hal_timeline *timeline)
{
    wf_base_free(dev->allocator, timeline, sizeof(struct wf_sw_timeline));
}

uint64_t wf_sw_timeline_value(struct wf_hal_device *dev, struct wf_hal_timeline *timeline)
{
    (void)dev;
    return atomic_load(&((struct wf_sw_timeline *)timeline)->value);
}

weft_result wf_sw_timeline_wait(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                uint64_t value, uint64_t timeout_ns)
{
    struct wf_sw_queue *queue = &wf_sw_device(dev)->queue;
    if (wait_for(queue, &((struct wf_sw_timeline *)timeline)->value, value, true, timeout_ns))
        return WEFT_OK;
    return atomic_load(&queue->lost) ? WEFT_ERROR_LOST : WEFT_ERROR_TIMEOUT;
}

weft_result wf_sw_timeline_signal(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                  uint64_t value)
{
    struct wf_sw_queue *queue = &wf_sw_device(dev)->queue;
    wf_base_mutex_lock(&queue->lock);
    raise_value((struct wf_sw_timeline *)timeline, value);
    wf_base_cond_signal(&queue->work);
    wf_base_cond_broadcast(&queue->done);
    wf_base_mutex_unlock(&queue->lock);
    return WEFT_OK;
}
