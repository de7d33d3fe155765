// Queues, submissions under way, timelines.
#include "backends/vulkan/vulkan.h"

#include "base/bits.h"

#include <string.h>

// ---- timelines ---------------------------------------------------------------------------------

static VkResult semaphore_new(struct wf_vk_device *dev, uint64_t initial, VkSemaphore *out)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
        .initialValue = initial,
    };
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    return dev->vk.CreateSemaphore(dev->handle, &info, NULL, out);
}

static VkSemaphore semaphore_of(struct wf_hal_timeline *timeline)
{
    return ((struct wf_vk_timeline *)timeline)->handle;
}

weft_result wf_vk_timeline_create(struct wf_hal_device *hal, uint64_t initial,
                                  struct wf_hal_timeline **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_timeline *timeline = wf_base_alloc_zero(hal->allocator, sizeof *timeline);
    if (!timeline)
        return WEFT_ERROR_MEMORY;
    timeline->base.initial = initial;
    const weft_result result =
        wf_vk_result(dev, semaphore_new(dev, initial, &timeline->handle), "creating a timeline");
    if (result != WEFT_OK) {
        wf_base_free(hal->allocator, timeline, sizeof *timeline);
        return result;
    }
    *out = &timeline->base;
    return WEFT_OK;
}

void wf_vk_timeline_destroy(struct wf_hal_device *hal, struct wf_hal_timeline *timeline)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    dev->vk.DestroySemaphore(dev->handle, semaphore_of(timeline), NULL);
    wf_base_free(hal->allocator, timeline, sizeof(struct wf_vk_timeline));
}

/// The value reached; `unknown` if the driver cannot tell, `lost` if the device is.
static uint64_t value_of(struct wf_vk_device *dev, VkSemaphore semaphore, uint64_t unknown,
                         uint64_t lost)
{
    uint64_t value = 0;
    const VkResult result = dev->vk.GetSemaphoreCounterValue(dev->handle, semaphore, &value);
    const weft_result known = wf_vk_result(dev, result, "asking for a timeline's value");
    if (atomic_load(&dev->lost))
        return lost;
    return known == WEFT_OK ? value : unknown;
}

uint64_t wf_vk_timeline_value(struct wf_hal_device *hal, struct wf_hal_timeline *timeline)
{
    return value_of(wf_vk_device(hal), semaphore_of(timeline), timeline->initial, UINT64_MAX);
}

weft_result wf_vk_timeline_wait(struct wf_hal_device *hal, struct wf_hal_timeline *timeline,
                                uint64_t value, uint64_t timeout_ns)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    VkSemaphore semaphore = semaphore_of(timeline);
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &semaphore,
        .pValues = &value,
    };
    if (atomic_load(&dev->lost))
        return WEFT_ERROR_LOST;
    return wf_vk_result(dev, dev->vk.WaitSemaphores(dev->handle, &info, timeout_ns),
                        "waiting for a timeline");
}

weft_result wf_vk_timeline_signal(struct wf_hal_device *hal, struct wf_hal_timeline *timeline,
                                  uint64_t value)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    const VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = semaphore_of(timeline),
        .value = value,
    };
    return wf_vk_result(dev, dev->vk.SignalSemaphore(dev->handle, &info), "signalling a timeline");
}

// ---- set-up ------------------------------------------------------------------------------------

static weft_result queue_init(struct wf_vk_device *dev, weft_queue which)
{
    struct wf_vk_queue *queue = &dev->queues[which];
    queue->family = dev->adapter.queues[which].family;
    queue->lock = &dev->queues[WEFT_QUEUE_GRAPHICS].own_lock;
    if (dev->adapter.queues[which].own) {
        if (!wf_base_mutex_init(&queue->own_lock))
            return WEFT_ERROR_MEMORY;
        queue->lock = &queue->own_lock;
    }
    if (!dev->shared)
        dev->vk.GetDeviceQueue(dev->handle, queue->family, 0, &queue->handle);
    else if (!queue->handle)
        queue->handle = dev->queues[WEFT_QUEUE_GRAPHICS].handle;
    const weft_result result =
        wf_vk_result(dev, semaphore_new(dev, 0, &queue->timeline), "opening a queue");
    if (result != WEFT_OK)
        return result;
    return wf_vk_command_pool_create(&dev->base, which, &dev->service_pools[which]);
}

weft_result wf_vk_queue_init(struct wf_vk_device *dev)
{
    weft_result result = WEFT_OK;
    for (int i = 0; i < WEFT_QUEUE_COUNT && result == WEFT_OK; i++)
        result = queue_init(dev, (weft_queue)i);
    return result;
}

static bool is_memory(VkResult result)
{
    return result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void recycle(struct wf_vk_flight *flight)
{
    while (flight->commands) {
        struct wf_vk_command *cmd = flight->commands;
        flight->commands = cmd->next;
        wf_vk_command_recycle(cmd);
    }
}

void wf_vk_queue_finish(struct wf_vk_device *dev)
{
    for (uint32_t i = dev->flight_head; i != dev->flight_tail; i++)
        recycle(&dev->flights[i & (dev->flight_capacity - 1)]);
    wf_base_free(dev->base.allocator, dev->flights, dev->flight_capacity * sizeof *dev->flights);
    wf_base_free(dev->base.allocator, dev->scratch.bytes, dev->scratch.size);
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        struct wf_vk_queue *queue = &dev->queues[i];
        if (dev->service_pools[i])
            wf_vk_command_pool_destroy(&dev->base, dev->service_pools[i]);
        if (queue->timeline)
            dev->vk.DestroySemaphore(dev->handle, queue->timeline, NULL);
        if (queue->lock == &queue->own_lock)
            wf_base_mutex_finish(&queue->own_lock);
    }
}

void wf_vk_queue_lock(struct wf_vk_device *dev, const struct wf_vk_queue *queue)
{
    wf_base_mutex_lock(queue->lock);
    if (dev->lock_queue)
        dev->lock_queue(dev->lock_user, queue->handle);
}

void wf_vk_queue_unlock(struct wf_vk_device *dev, const struct wf_vk_queue *queue)
{
    if (dev->lock_queue)
        dev->unlock_queue(dev->lock_user, queue->handle);
    wf_base_mutex_unlock(queue->lock);
}

#define QUIET_TRIES 8 ///< Who asks for quiet is about to destroy, and has no other way.

static VkResult wait_idle(struct wf_vk_device *dev, const struct wf_vk_queue *queue)
{
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int i = 0; i < QUIET_TRIES && is_memory(result); i++)
        result = dev->vk.QueueWaitIdle(queue->handle);
    return result;
}

void wf_vk_quiet(struct wf_vk_device *dev)
{
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        const struct wf_vk_queue *queue = &dev->queues[i];
        if (!queue->timeline || queue->lock != &queue->own_lock)
            continue;
        wf_vk_queue_lock(dev, queue);
        (void)wf_vk_result(dev, wait_idle(dev, queue), "waiting for a queue");
        wf_vk_queue_unlock(dev, queue);
    }
}

// ---- submissions under way ---------------------------------------------------------------------

static struct wf_vk_flight *flight_at(struct wf_vk_device *dev, uint32_t index)
{
    return &dev->flights[index & (dev->flight_capacity - 1)];
}

/// Room for one more. flight_lock is held.
static bool flights_grow(struct wf_vk_device *dev)
{
    const uint32_t count = dev->flight_tail - dev->flight_head;
    if (count < dev->flight_capacity)
        return true;
    const uint32_t capacity = dev->flight_capacity ? dev->flight_capacity * 2 : 16;
    struct wf_vk_flight *flights =
        wf_base_alloc_array(dev->base.allocator, capacity, sizeof *flights);
    if (!flights)
        return false;
    for (uint32_t i = 0; i < count; i++)
        flights[i] = *flight_at(dev, dev->flight_head + i);
    wf_base_free(dev->base.allocator, dev->flights, dev->flight_capacity * sizeof *dev->flights);
    dev->flights = flights;
    dev->flight_capacity = capacity;
    dev->flight_head = 0;
    dev->flight_tail = count;
    return true;
}

/// Takes note of what has finished. flight_lock is held.
static void collect(struct wf_vk_device *dev)
{
    uint64_t reached[WEFT_QUEUE_COUNT];
    bool asked[WEFT_QUEUE_COUNT] = {false};
    for (uint32_t i = dev->flight_head; i != dev->flight_tail; i++) {
        struct wf_vk_flight *flight = flight_at(dev, i);
        if (flight->done)
            continue;
        if (!asked[flight->queue])
            reached[flight->queue] = value_of(dev, dev->queues[flight->queue].timeline, 0, 0);
        asked[flight->queue] = true;
        if (flight->serial > reached[flight->queue])
            continue;
        flight->done = true;
        recycle(flight);
    }
    while (dev->flight_head != dev->flight_tail && flight_at(dev, dev->flight_head)->done) {
        atomic_store(&dev->finished, flight_at(dev, dev->flight_head)->serial);
        dev->flight_head++;
    }
}

uint64_t wf_vk_serial_finished(struct wf_hal_device *hal)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    wf_base_mutex_lock(&dev->flight_lock);
    if (dev->flight_head != dev->flight_tail && !atomic_load(&dev->lost))
        collect(dev);
    wf_base_mutex_unlock(&dev->flight_lock);
    return atomic_load(&dev->finished);
}

/// What a lost device had under way is over, once it is quiet.
static void collect_lost(struct wf_vk_device *dev)
{
    wf_vk_quiet(dev);
    wf_base_mutex_lock(&dev->flight_lock);
    for (; dev->flight_head != dev->flight_tail; dev->flight_head++) {
        struct wf_vk_flight *flight = flight_at(dev, dev->flight_head);
        recycle(flight);
        atomic_store(&dev->finished, flight->serial);
    }
    wf_base_mutex_unlock(&dev->flight_lock);
}

weft_result wf_vk_serial_wait(struct wf_hal_device *hal, uint64_t serial, uint64_t timeout_ns)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    VkSemaphore semaphores[WEFT_QUEUE_COUNT];
    uint64_t values[WEFT_QUEUE_COUNT] = {0};
    uint32_t count = 0;
    wf_base_mutex_lock(&dev->flight_lock);
    for (uint32_t i = dev->flight_head; i != dev->flight_tail; i++) {
        const struct wf_vk_flight *flight = flight_at(dev, i);
        if (flight->serial <= serial && !flight->done)
            values[flight->queue] = flight->serial;
    }
    wf_base_mutex_unlock(&dev->flight_lock);
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        if (values[i] == 0)
            continue;
        semaphores[count] = dev->queues[i].timeline;
        values[count++] = values[i];
    }
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = count,
        .pSemaphores = semaphores,
        .pValues = values,
    };
    VkResult waited = VK_SUCCESS;
    if (count > 0 && !atomic_load(&dev->lost))
        waited = dev->vk.WaitSemaphores(dev->handle, &info, timeout_ns);
    if (is_memory(waited) && timeout_ns == UINT64_MAX) {
        wf_vk_quiet(dev); // who waits for ever destroys things afterwards
        waited = VK_SUCCESS;
    }
    const weft_result result = wf_vk_result(dev, waited, "waiting for a submission");
    if (atomic_load(&dev->lost)) {
        collect_lost(dev); // what was submitted leaves its objects alone
        return WEFT_ERROR_LOST;
    }
    (void)wf_vk_serial_finished(hal);
    return result;
}

// ---- what is used for the first time -----------------------------------------------------------

#define BATCH 32u

static void flush_fresh(struct wf_vk_device *dev, VkCommandBuffer buf,
                        const VkImageMemoryBarrier2 *barriers, uint32_t count)
{
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = count,
        .pImageMemoryBarriers = barriers,
    };
    if (count > 0)
        dev->vk.CmdPipelineBarrier2(buf, &info);
}

VkImageMemoryBarrier2 wf_vk_layout_change(const struct wf_vk_texture *tex, VkImageLayout from,
                                          VkImageLayout to)
{
    const VkAccessFlags2 all = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    return (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = all,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = tex->handle,
        .subresourceRange = {tex->aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                             VK_REMAINING_ARRAY_LAYERS},
    };
}

/// Records the first barriers of new images.
static void record_fresh(struct wf_vk_device *dev, VkCommandBuffer buf)
{
    VkImageMemoryBarrier2 barriers[BATCH];
    uint32_t count = 0;
    for (const struct wf_vk_texture *tex = dev->fresh.textures; tex; tex = tex->fresh_next) {
        barriers[count++] = wf_vk_layout_change(tex, tex->layout, VK_IMAGE_LAYOUT_GENERAL);
        if (count == BATCH) {
            flush_fresh(dev, buf, barriers, count);
            count = 0;
        }
    }
    flush_fresh(dev, buf, barriers, count);
}

/// What is new is ready, and may be destroyed.
static void settle_fresh(struct wf_vk_device *dev, weft_queue queue, uint64_t serial)
{
    struct wf_vk_fresh *fresh = &dev->fresh;
    if (!fresh->textures)
        return;
    for (struct wf_vk_texture *tex = fresh->textures; tex; tex = tex->fresh_next)
        tex->fresh = false, tex->settled = serial;
    fresh->textures = NULL;
    fresh->serials[queue] = serial;
}

// ---- submitting --------------------------------------------------------------------------------

/// Vulkan's form of a submission, in memory that the device keeps.
struct job {
    struct wf_vk_device *dev;
    weft_queue queue;
    const struct wf_hal_submit *submit;
    VkCommandBufferSubmitInfo *commands;
    VkSemaphoreSubmitInfo *waits, *signals;
    uint32_t command_count, wait_count, signal_count;
    struct wf_vk_command *own; ///< A list of what the backend adds.
};

static bool job_init(struct wf_vk_device *dev, struct job *job)
{
    const struct wf_hal_submit *submit = job->submit;
    size_t commands = (size_t)submit->surface_count + 1;
    for (uint32_t i = 0; i < submit->command_count; i++)
        commands += wf_vk_command(submit->commands[i])->segment_count * 3;
    const size_t waits =
        (size_t)submit->wait_count + ((size_t)submit->surface_count + 1) * WEFT_QUEUE_COUNT;
    const size_t signals = (size_t)submit->signal_count + 1;
    const size_t size = commands * sizeof *job->commands + (waits + signals) * sizeof *job->waits;
    if (dev->scratch.size < size) {
        void *bytes = wf_base_alloc(dev->base.allocator, size * 2);
        if (!bytes)
            return false;
        wf_base_free(dev->base.allocator, dev->scratch.bytes, dev->scratch.size);
        dev->scratch.bytes = bytes;
        dev->scratch.size = size * 2;
    }
    job->waits = dev->scratch.bytes;
    job->signals = job->waits + waits;
    job->commands = (VkCommandBufferSubmitInfo *)(void *)(job->signals + signals);
    return true;
}

static VkSemaphoreSubmitInfo semaphore_info(VkSemaphore semaphore, uint64_t value,
                                            VkPipelineStageFlags2 stages)
{
    return (VkSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = semaphore,
        .value = value,
        .stageMask = stages,
    };
}

static VkPipelineStageFlags2 stages_of(struct wf_vk_device *dev, weft_queue queue,
                                       weft_stage_set stages)
{
    const struct wf_hal_command at = {.dev = &dev->base, .queue = queue};
    VkPipelineStageFlags2 mask;
    VkAccessFlags2 access;
    wf_vk_scope(&at, stages & ~(weft_stage_set)WEFT_STAGE_HOST, true, 0, &mask, &access);
    return mask ? mask : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

static void add_command(struct job *job, VkCommandBuffer buf)
{
    job->commands[job->command_count++] = (VkCommandBufferSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = buf,
    };
}

/// Begins a command of the backend's own.
static weft_result begin_own(struct job *job, struct wf_vk_command **out)
{
    struct wf_hal_command *cmd;
    const weft_result result =
        wf_vk_command_begin(&job->dev->base, job->dev->service_pools[job->queue], &cmd);
    *out = wf_vk_command(cmd);
    return result;
}

static weft_result end_own(struct job *job, struct wf_vk_command *cmd)
{
    const weft_result result = wf_vk_command_end(&cmd->base);
    add_command(job, cmd->handle);
    cmd->next = job->own;
    job->own = cmd;
    return result;
}

/// Makes what is new ready.
static weft_result add_fresh(struct job *job)
{
    struct wf_vk_command *cmd;
    if (!job->dev->fresh.textures)
        return WEFT_OK;
    const weft_result result = begin_own(job, &cmd);
    if (result != WEFT_OK)
        return result;
    record_fresh(job->dev, cmd->handle);
    return end_own(job, cmd);
}

/// Waits for what other queues were given.
static void add_other_queues(struct job *job, const uint64_t serials[WEFT_QUEUE_COUNT])
{
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        if (i != (int)job->queue && serials[i] > atomic_load(&job->dev->finished))
            job->waits[job->wait_count++] = semaphore_info(job->dev->queues[i].timeline, serials[i],
                                                           VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    }
}

static void add_semaphores(struct job *job)
{
    struct wf_vk_device *dev = job->dev;
    const weft_queue queue = job->queue;
    const struct wf_hal_submit *submit = job->submit;
    for (uint32_t i = 0; i < submit->wait_count; i++)
        job->waits[job->wait_count++] =
            semaphore_info(semaphore_of(submit->waits[i].timeline), submit->waits[i].value,
                           stages_of(dev, queue, submit->waits[i].stages));
    // What another queue makes ready for its first use must be.
    add_other_queues(job, dev->fresh.serials);
    for (uint32_t i = 0; i < submit->signal_count; i++)
        job->signals[job->signal_count++] =
            semaphore_info(semaphore_of(submit->signals[i].timeline), submit->signals[i].value,
                           stages_of(dev, queue, submit->signals[i].stages));
    job->signals[job->signal_count++] = semaphore_info(dev->queues[queue].timeline, submit->serial,
                                                       VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

/// The first use of a surface's image, whose contents are dropped.
static weft_result add_surface(struct job *job, const struct wf_vk_first_use *first)
{
    const struct wf_vk_queue *queues = job->dev->queues;
    if (first->wait)
        job->waits[job->wait_count++] =
            semaphore_info(first->wait, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    add_other_queues(job, first->uses);
    if (queues[job->queue].family == queues[WEFT_QUEUE_GRAPHICS].family) {
        add_command(job, first->ready);
        return WEFT_OK;
    }
    struct wf_vk_command *cmd;
    const weft_result result = begin_own(job, &cmd);
    if (result != WEFT_OK)
        return result;
    const VkImageMemoryBarrier2 barrier =
        wf_vk_layout_change(first->texture, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    flush_fresh(job->dev, cmd->handle, &barrier, 1);
    return end_own(job, cmd);
}

static weft_result add_surfaces(struct job *job)
{
    const struct wf_hal_submit *submit = job->submit;
    weft_result result = WEFT_OK;
    for (uint32_t i = 0; i < submit->surface_count && result == WEFT_OK; i++) {
        bool again = false; // a surface may be named twice
        for (uint32_t k = 0; k < i; k++)
            again |= submit->surfaces[k] == submit->surfaces[i];
        struct wf_vk_first_use first;
        if (!again && wf_vk_surface_first_use(submit->surfaces[i], &first))
            result = add_surface(job, &first);
    }
    return result;
}

static weft_result add_segment(struct job *job, uint32_t index, const struct wf_vk_segment *segment)
{
    struct wf_vk_command *cmd;
    if (segment->prologue_begun)
        add_command(job, segment->prologue);
    add_command(job, segment->handle);
    if (!segment->after.pool)
        return WEFT_OK;
    const weft_result result = begin_own(job, &cmd);
    if (result != WEFT_OK)
        return result;
    wf_vk_resolve_late(cmd, &segment->after, job->submit, index);
    return end_own(job, cmd);
}

static weft_result add_commands(struct job *job)
{
    weft_result result = WEFT_OK;
    for (uint32_t i = 0; i < job->submit->command_count; i++) {
        const struct wf_vk_command *cmd = wf_vk_command(job->submit->commands[i]);
        for (size_t k = 0; k < cmd->segment_count && result == WEFT_OK; k++)
            result = add_segment(job, i, &cmd->segments[k]);
    }
    return result;
}

/// Everything has been submitted. flight_lock is held, and there is room for a flight.
static void took_off(const struct job *job)
{
    struct wf_vk_device *dev = job->dev;
    const struct wf_hal_submit *submit = job->submit;
    struct wf_vk_flight *flight = flight_at(dev, dev->flight_tail++);
    *flight =
        (struct wf_vk_flight){.serial = submit->serial, .queue = job->queue, .commands = job->own};
    for (uint32_t i = 0; i < submit->command_count; i++) {
        struct wf_vk_command *cmd = wf_vk_command(submit->commands[i]);
        wf_vk_queries_submitted(cmd);
        cmd->next = flight->commands;
        flight->commands = cmd;
    }
    for (uint32_t i = 0; i < submit->surface_count; i++) {
        wf_vk_surface_submitted(submit->surfaces[i], submit->serial);
        wf_vk_surface_used(submit->surfaces[i], job->queue, submit->serial);
    }
}

/// The last step; flight_lock is held.
static weft_result hand_over(const struct job *job)
{
    struct wf_vk_device *dev = job->dev;
    struct wf_vk_queue *q = &dev->queues[job->queue];
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = job->wait_count,
        .pWaitSemaphoreInfos = job->waits,
        .commandBufferInfoCount = job->command_count,
        .pCommandBufferInfos = job->commands,
        .signalSemaphoreInfoCount = job->signal_count,
        .pSignalSemaphoreInfos = job->signals,
    };
    if (!flights_grow(dev))
        return WEFT_ERROR_MEMORY;
    wf_vk_queue_lock(dev, q);
    const VkResult result = dev->vk.QueueSubmit2(q->handle, 1, &info, VK_NULL_HANDLE);
    wf_vk_queue_unlock(dev, q);
    if (result == VK_SUCCESS)
        took_off(job);
    return wf_vk_result(dev, result, "submitting");
}

weft_result wf_vk_queue_submit(struct wf_hal_device *hal, weft_queue queue,
                               const struct wf_hal_submit *submit)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct job job = {.dev = dev, .queue = queue, .submit = submit};
    if (atomic_load(&dev->lost))
        return WEFT_ERROR_LOST;
    if (!job_init(dev, &job))
        return WEFT_ERROR_MEMORY;
    wf_base_mutex_lock(&dev->fresh_lock); // nothing new is destroyed meanwhile
    weft_result result = add_fresh(&job);
    if (result == WEFT_OK) {
        add_semaphores(&job);
        result = add_surfaces(&job);
    }
    if (result == WEFT_OK)
        result = add_commands(&job);
    if (result == WEFT_OK) {
        wf_base_mutex_lock(&dev->flight_lock);
        result = hand_over(&job);
        wf_base_mutex_unlock(&dev->flight_lock);
    }
    if (result == WEFT_OK)
        settle_fresh(dev, queue, submit->serial);
    else
        recycle(&(struct wf_vk_flight){.commands = job.own});
    wf_base_mutex_unlock(&dev->fresh_lock);
    return result;
}
