// Command buffers: pools, recording, barriers, markers.
#include "backends/vulkan/vulkan.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

// ---- pools -------------------------------------------------------------------------------------

static struct wf_vk_command_pool *pool_of(struct wf_hal_command_pool *pool)
{
    return (struct wf_vk_command_pool *)pool;
}

weft_result wf_vk_command_pool_create(struct wf_hal_device *hal, weft_queue queue,
                                      struct wf_hal_command_pool **out)
{
    *out = NULL;
    struct wf_vk_command_pool *pool = wf_base_alloc_zero(hal->allocator, sizeof *pool);
    if (!pool || !wf_base_mutex_init(&pool->lock)) {
        wf_base_free(hal->allocator, pool, sizeof *pool);
        return WEFT_ERROR_MEMORY;
    }
    pool->queue = queue;
    *out = (struct wf_hal_command_pool *)pool;
    return WEFT_OK;
}

static void command_free(struct wf_vk_device *dev, struct wf_vk_command *cmd)
{
    for (uint32_t i = 0; i < WF_VK_EVENTS; i++) {
        if (cmd->events[i])
            dev->vk.DestroyEvent(dev->handle, cmd->events[i], NULL);
    }
    wf_vk_staging_trim(cmd, 0);
    if (cmd->native_pool)
        dev->vk.DestroyCommandPool(dev->handle, cmd->native_pool, NULL);
    wf_vk_roots_finish(dev, cmd);
    const struct wf_base_allocator *a = dev->base.allocator;
    wf_base_free(a, cmd->segments, cmd->segment_capacity * sizeof *cmd->segments);
    wf_base_free(a, cmd->writes, cmd->write_capacity * sizeof *cmd->writes);
    wf_base_free(a, cmd, sizeof *cmd);
}

void wf_vk_command_pool_destroy(struct wf_hal_device *hal, struct wf_hal_command_pool *base)
{
    struct wf_vk_command_pool *pool = pool_of(base);
    while (pool->free) {
        struct wf_vk_command *cmd = pool->free;
        pool->free = cmd->next;
        command_free(wf_vk_device(hal), cmd);
    }
    wf_base_mutex_finish(&pool->lock);
    wf_base_free(hal->allocator, pool, sizeof *pool);
}

void wf_vk_command_pool_reset(struct wf_hal_device *hal, struct wf_hal_command_pool *pool)
{
    (void)hal, (void)pool; // each command buffer is reset when it is begun again
}

void wf_vk_command_recycle(struct wf_vk_command *cmd)
{
    struct wf_vk_command_pool *pool = cmd->pool;
    wf_base_mutex_lock(&pool->lock);
    cmd->next = pool->free;
    pool->free = cmd;
    wf_base_mutex_unlock(&pool->lock);
}

// ---- begin and end -----------------------------------------------------------------------------

/// Another segment, for good: segments_made is one more.
static VkResult segment_new(struct wf_vk_device *dev, struct wf_vk_command *cmd)
{
    struct wf_vk_segment *segments =
        wf_base_array_grow(dev->base.allocator, cmd->segments, &cmd->segment_capacity,
                           cmd->segments_made + 1, sizeof *segments);
    if (!segments)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    cmd->segments = segments;
    const VkCommandBufferAllocateInfo buffers = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = cmd->native_pool,
        .commandBufferCount = 2,
    };
    VkCommandBuffer made[2];
    const VkResult result = dev->vk.AllocateCommandBuffers(dev->handle, &buffers, made);
    if (result == VK_SUCCESS)
        segments[cmd->segments_made++] =
            (struct wf_vk_segment){.handle = made[0], .prologue = made[1]};
    return result;
}

static VkResult command_new(struct wf_vk_device *dev, struct wf_vk_command_pool *pool,
                            struct wf_vk_command **out)
{
    struct wf_vk_command *cmd = wf_base_alloc_zero(dev->base.allocator, sizeof *cmd);
    if (!cmd)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    cmd->base = (struct wf_hal_command){.dev = &dev->base, .queue = pool->queue};
    cmd->vk = &dev->vk;
    cmd->pool = pool;
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = dev->queues[pool->queue].family,
    };
    VkResult result = dev->vk.CreateCommandPool(dev->handle, &info, NULL, &cmd->native_pool);
    if (result == VK_SUCCESS)
        result = segment_new(dev, cmd);
    if (result != VK_SUCCESS) {
        command_free(dev, cmd);
        return result;
    }
    *out = cmd;
    return VK_SUCCESS;
}

static const VkCommandBufferBeginInfo once = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
};

void wf_vk_command_forget(struct wf_vk_command *cmd)
{
    cmd->bound_pipeline = VK_NULL_HANDLE;
    memset(cmd->state_set, 0, sizeof cmd->state_set);
}

/// Forgets what was recorded before.
static VkResult command_reset(struct wf_vk_device *dev, struct wf_vk_command *cmd)
{
    cmd->pipeline = NULL;
    wf_vk_command_forget(cmd);
    cmd->dirty = 0;
    for (uint32_t i = 0; i < WF_HAL_SLOTS; i++)
        cmd->bound[i].table = NULL;
    cmd->rendering = cmd->root_split = cmd->blend_forgotten = false;
    cmd->segment_count = cmd->write_count = cmd->writes_seen = 0;
    cmd->failed = WEFT_OK;
    cmd->events_again = 0;
    wf_vk_roots_reset(cmd);
    wf_vk_staging_trim(cmd, WF_VK_STAGING_KEPT);
    VkResult result = dev->vk.ResetCommandPool(dev->handle, cmd->native_pool, 0);
    for (uint32_t i = 0; cmd->events_used != 0 && i < WF_VK_EVENTS; i++) {
        if (cmd->events_used & UINT64_C(1) << i && result == VK_SUCCESS)
            result = dev->vk.ResetEvent(dev->handle, cmd->events[i]);
    }
    if (result == VK_SUCCESS)
        cmd->events_used = 0;
    return result;
}

/// Begins the next segment, which is made already.
static VkResult segment_begin(struct wf_vk_command *cmd)
{
    struct wf_vk_segment *segment = &cmd->segments[cmd->segment_count];
    segment->prologue_begun = false;
    segment->after.pool = NULL;
    const VkResult result = cmd->vk->BeginCommandBuffer(segment->handle, &once);
    if (result != VK_SUCCESS)
        return result;
    cmd->segment_count++;
    cmd->handle = segment->handle;
    cmd->queried = 0;
    return VK_SUCCESS;
}

static struct wf_vk_segment *segment_of(const struct wf_vk_command *cmd)
{
    return &cmd->segments[cmd->segment_count - 1];
}

static VkResult segment_end(const struct wf_vk_command *cmd, const struct wf_vk_segment *segment)
{
    VkResult result = VK_SUCCESS;
    if (segment->prologue_begun)
        result = cmd->vk->EndCommandBuffer(segment->prologue);
    const VkResult main = cmd->vk->EndCommandBuffer(segment->handle);
    return result != VK_SUCCESS ? result : main;
}

weft_result wf_vk_command_begin(struct wf_hal_device *hal, struct wf_hal_command_pool *base,
                                struct wf_hal_command **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_command_pool *pool = pool_of(base);
    *out = NULL;
    wf_base_mutex_lock(&pool->lock);
    struct wf_vk_command *cmd = pool->free;
    if (cmd)
        pool->free = cmd->next;
    wf_base_mutex_unlock(&pool->lock);
    VkResult result = cmd ? VK_SUCCESS : command_new(dev, pool, &cmd);
    if (result != VK_SUCCESS)
        return wf_vk_result(dev, result, "making a command buffer");
    result = command_reset(dev, cmd);
    if (result == VK_SUCCESS)
        result = segment_begin(cmd);
    if (result != VK_SUCCESS) {
        wf_vk_command_recycle(cmd);
        return wf_vk_result(dev, result, "beginning a command buffer");
    }
    *out = &cmd->base;
    return WEFT_OK;
}

weft_result wf_vk_command_end(struct wf_hal_command *base)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    wf_vk_roots_flush(cmd);
    wf_vk_command_fail(cmd, wf_vk_result(wf_vk_device(base->dev), segment_end(cmd, segment_of(cmd)),
                                         "ending a command buffer"));
    return cmd->failed;
}

void wf_vk_command_split(struct wf_vk_command *cmd, const struct wf_vk_resolve *after)
{
    struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    const size_t at = cmd->segment_count - 1;
    VkResult result = cmd->segments_made > cmd->segment_count ? VK_SUCCESS : segment_new(dev, cmd);
    if (result == VK_SUCCESS)
        result = segment_begin(cmd); // before the other ends: there is always one that records
    if (result == VK_SUCCESS) {
        result = segment_end(cmd, &cmd->segments[at]);
        if (after)
            cmd->segments[at].after = *after;
        wf_vk_command_forget(cmd);
    }
    wf_vk_command_fail(cmd, wf_vk_result(dev, result, "beginning a command buffer"));
}

void wf_vk_command_discard(struct wf_hal_command *cmd)
{
    wf_vk_command_recycle(wf_vk_command(cmd));
}

void wf_vk_command_fail(struct wf_vk_command *cmd, weft_result result)
{
    if (cmd->failed == WEFT_OK)
        cmd->failed = result;
}

VkCommandBuffer wf_vk_prologue(struct wf_vk_command *cmd)
{
    struct wf_vk_segment *segment = segment_of(cmd);
    if (segment->prologue_begun)
        return segment->prologue;
    const VkResult result = cmd->vk->BeginCommandBuffer(segment->prologue, &once);
    wf_vk_command_fail(
        cmd, wf_vk_result(wf_vk_device(cmd->base.dev), result, "beginning a command buffer"));
    segment->prologue_begun = result == VK_SUCCESS;
    return segment->prologue_begun ? segment->prologue : VK_NULL_HANDLE;
}

// ---- barriers ----------------------------------------------------------------------------------

static VkMemoryBarrier2 memory_barrier(const struct wf_hal_command *at, weft_stage_set producers,
                                       weft_stage_set consumers, weft_hazard_set hazards)
{
    VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    wf_vk_scope(at, producers, true, 0, &barrier.srcStageMask, &barrier.srcAccessMask);
    wf_vk_scope(at, consumers, false, hazards, &barrier.dstStageMask, &barrier.dstAccessMask);
    return barrier;
}

static void barrier_all(struct wf_vk_command *cmd, const VkMemoryBarrier2 *barrier)
{
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = barrier,
    };
    cmd->vk->CmdPipelineBarrier2(cmd->handle, &info);
}

void wf_vk_cmd_barrier(struct wf_hal_command *base, weft_stage_set producers,
                       weft_stage_set consumers, weft_hazard_set hazards)
{
    const VkMemoryBarrier2 barrier = memory_barrier(base, producers, consumers, hazards);
    barrier_all(wf_vk_command(base), &barrier);
}

void wf_vk_memory_barrier(struct wf_vk_command *cmd, VkPipelineStageFlags2 from,
                          VkAccessFlags2 from_access, VkPipelineStageFlags2 to,
                          VkAccessFlags2 to_access)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = from,
        .srcAccessMask = from_access,
        .dstStageMask = to,
        .dstAccessMask = to_access,
    };
    barrier_all(cmd, &barrier);
}

/// Families of a transfer; both ignored if it is none, or if the resource belongs to all of
/// `queues` at once.
static void transfer(const struct wf_vk_device *dev, weft_queue_set queues, weft_queue from,
                     weft_queue to, uint32_t *from_family, uint32_t *to_family)
{
    uint32_t families[WEFT_QUEUE_COUNT];
    *from_family = dev->queues[from].family;
    *to_family = dev->queues[to].family;
    if (*from_family == *to_family || wf_vk_families(dev, queues, families) > 1)
        *from_family = *to_family = VK_QUEUE_FAMILY_IGNORED;
}

static VkImageLayout layout_of(const struct wf_vk_texture *tex, weft_texture_state state)
{
    return state == WEFT_TEXTURE_STATE_NATIVE ? wf_vk_native_layout(tex) : VK_IMAGE_LAYOUT_GENERAL;
}

void wf_vk_cmd_texture_barrier(struct wf_hal_command *base,
                               const struct wf_hal_texture_barrier *barriers, uint32_t count)
{
    const struct wf_vk_device *dev = wf_vk_device(base->dev);
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_hal_texture_barrier *b = &barriers[i];
        const struct wf_vk_texture *tex = wf_vk_texture(b->texture);
        VkImageMemoryBarrier2 image = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
            .oldLayout = b->before == WEFT_TEXTURE_STATE_UNDEFINED && b->from == b->to
                             ? VK_IMAGE_LAYOUT_UNDEFINED
                             : layout_of(tex, b->before),
            .newLayout = layout_of(tex, b->after),
            .image = tex->handle,
            .subresourceRange = {tex->aspects, b->mip, b->mip_count, b->layer, b->layer_count},
        };
        wf_vk_scope(base, b->producers, true, 0, &image.srcStageMask, &image.srcAccessMask);
        wf_vk_scope(base, b->consumers, false, 0, &image.dstStageMask, &image.dstAccessMask);
        transfer(dev, tex->base.desc.queues, b->from, b->to, &image.srcQueueFamilyIndex,
                 &image.dstQueueFamilyIndex);
        // Of two halves that transfer nothing, the first changes the layout.
        if (image.srcQueueFamilyIndex == VK_QUEUE_FAMILY_IGNORED && b->from != b->to &&
            base->queue == b->to)
            image.oldLayout = image.newLayout;
        const VkDependencyInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
            .imageMemoryBarrierCount = 1,
            .pImageMemoryBarriers = &image,
        };
        wf_vk_command(base)->vk->CmdPipelineBarrier2(wf_vk_command(base)->handle, &info);
    }
}

void wf_vk_cmd_buffer_barrier(struct wf_hal_command *base,
                              const struct wf_hal_buffer_barrier *barriers, uint32_t count)
{
    const struct wf_vk_device *dev = wf_vk_device(base->dev);
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_hal_buffer_barrier *b = &barriers[i];
        VkBufferMemoryBarrier2 buffer = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
            .buffer = wf_vk_buffer(b->buffer)->handle,
            .offset = b->offset,
            .size = b->size,
        };
        wf_vk_scope(base, b->producers, true, 0, &buffer.srcStageMask, &buffer.srcAccessMask);
        wf_vk_scope(base, b->consumers, false, 0, &buffer.dstStageMask, &buffer.dstAccessMask);
        transfer(dev, wf_vk_buffer(b->buffer)->queues, b->from, b->to, &buffer.srcQueueFamilyIndex,
                 &buffer.dstQueueFamilyIndex);
        const VkDependencyInfo info = {
            .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
            .bufferMemoryBarrierCount = 1,
            .pBufferMemoryBarriers = &buffer,
        };
        wf_vk_command(base)->vk->CmdPipelineBarrier2(wf_vk_command(base)->handle, &info);
    }
}

/// What a texture has in common with others is worth nothing to it: it begins anew.
void wf_vk_cmd_alias_barrier(struct wf_hal_command *base, struct wf_hal_texture *after)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
    };
    const bool placed = after && wf_vk_texture(after)->place.block;
    VkImageMemoryBarrier2 image;
    if (placed)
        image = wf_vk_layout_change(wf_vk_texture(after), VK_IMAGE_LAYOUT_UNDEFINED,
                                    VK_IMAGE_LAYOUT_GENERAL);
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
        .imageMemoryBarrierCount = placed,
        .pImageMemoryBarriers = placed ? &image : NULL,
    };
    wf_vk_command(base)->vk->CmdPipelineBarrier2(wf_vk_command(base)->handle, &info);
}

// ---- split barriers ----------------------------------------------------------------------------

/// Both sides must name the same dependency, and the first does not know the second: what waits
/// is everything.
static VkMemoryBarrier2 event_barrier(const struct wf_hal_command *at, weft_stage_set producers)
{
    return memory_barrier(at, producers, WEFT_STAGE_ALL & ~(weft_stage_set)WEFT_STAGE_HOST, 0);
}

void wf_vk_cmd_signal_after(struct wf_hal_command *base, weft_stage_set producers, uint32_t event)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    struct wf_vk_device *dev = wf_vk_device(base->dev);
    // An event that is set stays so until it is reset, and queues that only copy have none.
    const bool copies = base->queue == WEFT_QUEUE_COPY && dev->adapter.queues[base->queue].own;
    if (copies || cmd->events_used & UINT64_C(1) << event) {
        cmd->events_again |= UINT64_C(1) << event;
        return;
    }
    if (!cmd->events[event]) {
        const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
        const weft_result result =
            wf_vk_result(dev, dev->vk.CreateEvent(dev->handle, &info, NULL, &cmd->events[event]),
                         "making an event");
        if (result != WEFT_OK) {
            wf_vk_command_fail(cmd, result);
            return;
        }
    }
    cmd->events_used |= UINT64_C(1) << event;
    cmd->event_producers[event] = producers & ~(weft_stage_set)WEFT_STAGE_HOST;
    const VkMemoryBarrier2 barrier = event_barrier(base, cmd->event_producers[event]);
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    cmd->vk->CmdSetEvent2(cmd->handle, cmd->events[event], &info);
}

void wf_vk_cmd_wait_before(struct wf_hal_command *base, weft_stage_set consumers,
                           weft_hazard_set hazards, uint32_t event)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    (void)consumers, (void)hazards; // everything waits
    // Where making it failed, too: for who judges the rest of the command.
    if (!(cmd->events_used & ~cmd->events_again & UINT64_C(1) << event)) {
        wf_vk_cmd_alias_barrier(base, NULL);
        return;
    }
    const VkMemoryBarrier2 barrier = event_barrier(base, cmd->event_producers[event]);
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    cmd->vk->CmdWaitEvents2(cmd->handle, 1, &cmd->events[event], &info);
}

// ---- labels ------------------------------------------------------------------------------------

static VkDebugUtilsLabelEXT label_of(const char *label)
{
    return (VkDebugUtilsLabelEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
        .pLabelName = label,
    };
}

void wf_vk_cmd_push_group(struct wf_hal_command *base, const char *label)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    if (!cmd->vk->CmdBeginDebugUtilsLabelEXT)
        return;
    const VkDebugUtilsLabelEXT info = label_of(label);
    cmd->vk->CmdBeginDebugUtilsLabelEXT(cmd->handle, &info);
}

void wf_vk_cmd_pop_group(struct wf_hal_command *base)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    if (cmd->vk->CmdEndDebugUtilsLabelEXT)
        cmd->vk->CmdEndDebugUtilsLabelEXT(cmd->handle);
}

void wf_vk_cmd_marker(struct wf_hal_command *base, const char *label)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    if (!cmd->vk->CmdInsertDebugUtilsLabelEXT)
        return;
    const VkDebugUtilsLabelEXT info = label_of(label);
    cmd->vk->CmdInsertDebugUtilsLabelEXT(cmd->handle, &info);
}
