// Root blocks that do not fit into push constants: memory of the command buffer.
#include "backends/vulkan/vulkan.h"

#include <string.h>

struct wf_vk_root_chunk {
    struct wf_vk_root_chunk *next;
    struct wf_hal_buffer *buffer;
};

static weft_result chunk_new(struct wf_vk_command *cmd, struct wf_vk_root_chunk **out)
{
    struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    struct wf_vk_root_chunk *chunk = wf_base_alloc_zero(dev->base.allocator, sizeof *chunk);
    if (!chunk)
        return WEFT_ERROR_MEMORY;
    const weft_buffer_desc desc = {
        .size = WF_VK_ROOT_CHUNK,
        .usage = WEFT_BUFFER_USAGE_ADDRESS,
        .memory = WEFT_MEMORY_DEFAULT,
        .queues = 1u << cmd->base.queue,
        .label = "root blocks",
    };
    const weft_result result =
        wf_vk_buffer_create(&dev->base, &desc, &(struct wf_hal_placement){0}, &chunk->buffer);
    if (result != WEFT_OK) {
        wf_base_free(dev->base.allocator, chunk, sizeof *chunk);
        return result;
    }
    *out = chunk;
    return WEFT_OK;
}

/// Steps to the next chunk, which is made if it must be.
static bool next_chunk(struct wf_vk_command *cmd)
{
    struct wf_vk_root_chunk **next = cmd->roots.at ? &cmd->roots.at->next : &cmd->roots.first;
    const weft_result result = *next ? WEFT_OK : chunk_new(cmd, next);
    wf_vk_command_fail(cmd, result);
    if (result != WEFT_OK)
        return false;
    cmd->roots.at = *next;
    cmd->roots.used = 0;
    return true;
}

bool wf_vk_roots_write(struct wf_vk_command *cmd, VkDeviceAddress out[2])
{
    const bool room = cmd->roots.at && cmd->roots.used < WF_VK_ROOT_CHUNK;
    if (!room && !next_chunk(cmd))
        return false;
    const struct wf_hal_buffer *buffer = cmd->roots.at->buffer;
    memcpy((uint8_t *)buffer->mapped + cmd->roots.used, cmd->root, sizeof cmd->root);
    out[0] = buffer->address + cmd->roots.used;
    out[1] = out[0] + sizeof cmd->root[0];
    cmd->roots.used += sizeof cmd->root;
    return true;
}

void wf_vk_roots_flush(struct wf_vk_command *cmd)
{
    for (struct wf_vk_root_chunk *c = cmd->roots.at ? cmd->roots.first : NULL; c; c = c->next) {
        wf_vk_buffer_flush(cmd->base.dev, c->buffer, 0, WF_VK_ROOT_CHUNK);
        if (c == cmd->roots.at)
            break;
    }
}

void wf_vk_roots_reset(struct wf_vk_command *cmd)
{
    cmd->roots.at = NULL;
}

void wf_vk_roots_finish(struct wf_vk_device *dev, struct wf_vk_command *cmd)
{
    for (struct wf_vk_root_chunk *c = cmd->roots.first, *next; c; c = next) {
        next = c->next;
        wf_vk_buffer_destroy(&dev->base, c->buffer);
        wf_base_free(dev->base.allocator, c, sizeof *c);
    }
}
