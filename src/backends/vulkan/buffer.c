#include "backends/vulkan/vulkan.h"

#include "base/bits.h"

uint32_t wf_vk_families(const struct wf_vk_device *dev, weft_queue_set queues,
                        uint32_t families[WEFT_QUEUE_COUNT])
{
    uint32_t count = 0;
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        const uint32_t family = dev->adapter.queues[i].family;
        bool listed = !(queues & 1u << i);
        for (uint32_t k = 0; k < count && !listed; k++)
            listed = families[k] == family;
        if (!listed)
            families[count++] = family;
    }
    return count;
}

void wf_vk_buffer_info(const struct wf_vk_device *dev, const weft_buffer_desc *desc,
                       VkBufferCreateInfo *out, uint32_t families[WEFT_QUEUE_COUNT])
{
    static const struct {
        weft_buffer_usage weft;
        VkBufferUsageFlags vulkan;
    } usages[] = {
        {WEFT_BUFFER_USAGE_COPY_SRC, VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
        {WEFT_BUFFER_USAGE_COPY_DST, VK_BUFFER_USAGE_TRANSFER_DST_BIT},
        {WEFT_BUFFER_USAGE_VERTEX, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT},
        {WEFT_BUFFER_USAGE_INDEX, VK_BUFFER_USAGE_INDEX_BUFFER_BIT},
        {WEFT_BUFFER_USAGE_UNIFORM, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
        {WEFT_BUFFER_USAGE_STORAGE, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
        {WEFT_BUFFER_USAGE_INDIRECT, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT},
        // What an address points to is storage for Vulkan.
        {WEFT_BUFFER_USAGE_ADDRESS,
         VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
        {WEFT_BUFFER_USAGE_QUERY, VK_BUFFER_USAGE_TRANSFER_DST_BIT},
        {WEFT_BUFFER_USAGE_TEXEL,
         VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT},
        // Inputs, scratch memory (which is storage), and structures themselves.
        {WEFT_BUFFER_USAGE_ACCELERATION,
         VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
             VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT},
    };
    VkBufferUsageFlags usage = 0;
    for (size_t i = 0; i < sizeof usages / sizeof *usages; i++)
        usage |= desc->usage & usages[i].weft ? usages[i].vulkan : 0u;
    const uint32_t count = wf_vk_families(dev, desc->queues, families);
    *out = (VkBufferCreateInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = desc->size,
        .usage = usage,
        .sharingMode = count > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = count > 1 ? count : 0,
        .pQueueFamilyIndices = families,
    };
}

static weft_result find_memory(struct wf_vk_device *dev, const weft_buffer_desc *desc,
                               const struct wf_hal_placement *place, struct wf_vk_buffer *buf)
{
    VkMemoryDedicatedRequirements dedicated = {.sType =
                                                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 needs = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
        .pNext = &dedicated,
    };
    const VkBufferMemoryRequirementsInfo2 ask = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2,
        .buffer = buf->handle,
    };
    dev->vk.GetBufferMemoryRequirements2(dev->handle, &ask, &needs);
    if (place->block) {
        bool shared; // is nothing to a buffer
        buf->bound = ((struct wf_vk_block *)place->block)->memory;
        buf->bound.offset += place->offset;
        buf->bound.mapped = buf->bound.mapped ? buf->bound.mapped + place->offset : NULL;
        return wf_vk_place_enter(dev, place, &needs.memoryRequirements, &buf->place, &shared);
    }
    if (desc->usage & WEFT_BUFFER_USAGE_ACCELERATION)
        needs.memoryRequirements.alignment =
            wf_base_max_u64(needs.memoryRequirements.alignment, WF_VK_ACCELERATION_ALIGNMENT);
    const bool alone =
        dedicated.requiresDedicatedAllocation || dedicated.prefersDedicatedAllocation;
    const struct wf_vk_memory_request request = {
        .needs = needs.memoryRequirements,
        .memory = desc->memory,
        .staging = desc->usage == WEFT_BUFFER_USAGE_COPY_SRC,
        .dedicated = alone,
        .for_buffer = alone ? buf->handle : VK_NULL_HANDLE,
    };
    const weft_result result = wf_vk_memory_take(dev, &request, &buf->memory);
    buf->bound = buf->memory;
    return result;
}

static weft_result place_buffer(struct wf_vk_device *dev, const weft_buffer_desc *desc,
                                const struct wf_hal_placement *place, struct wf_vk_buffer *buf)
{
    const weft_result found = find_memory(dev, desc, place, buf);
    if (found != WEFT_OK)
        return found;
    const struct wf_vk_memory memory = buf->bound;
    const VkBindBufferMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
        .buffer = buf->handle,
        .memory = memory.handle,
        .memoryOffset = memory.offset,
    };
    const VkResult result = dev->vk.BindBufferMemory2(dev->handle, 1, &bind);
    buf->base.mapped = desc->memory == WEFT_MEMORY_GPU ? NULL : memory.mapped;
    buf->base.whole = wf_vk_memory_whole(&memory);
    buf->base.whole_offset = memory.offset;
    buf->incoherent = buf->base.mapped && !wf_vk_memory_is_coherent(dev, memory.type);
    return wf_vk_result(dev, result, "binding a buffer's memory");
}

weft_result wf_vk_buffer_create(struct wf_hal_device *hal, const weft_buffer_desc *desc,
                                const struct wf_hal_placement *place, struct wf_hal_buffer **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_buffer *buf = wf_base_alloc_zero(hal->allocator, sizeof *buf);
    if (!buf)
        return WEFT_ERROR_MEMORY;
    buf->base.size = desc->size;
    buf->base.usage = desc->usage;
    buf->base.memory = desc->memory;
    buf->queues = desc->queues;
    uint32_t families[WEFT_QUEUE_COUNT];
    VkBufferCreateInfo info;
    wf_vk_buffer_info(dev, desc, &info, families);
    weft_result result;
    if (place->native)
        result = wf_vk_buffer_adopt(dev, place->native, desc, buf);
    else
        result = wf_vk_result(dev, dev->vk.CreateBuffer(dev->handle, &info, NULL, &buf->handle),
                              "creating a buffer");
    if (result == WEFT_OK && !buf->native)
        result = place_buffer(dev, desc, place, buf);
    if (result != WEFT_OK) {
        wf_vk_buffer_destroy(hal, &buf->base);
        return result;
    }
    if (desc->usage & WEFT_BUFFER_USAGE_ADDRESS) {
        const VkBufferDeviceAddressInfo ask = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
            .buffer = buf->handle,
        };
        buf->base.address = dev->vk.GetBufferDeviceAddress(dev->handle, &ask);
    }
    if (!buf->native)
        wf_vk_name(dev, VK_OBJECT_TYPE_BUFFER, (uint64_t)buf->handle, desc->label);
    *out = &buf->base;
    return WEFT_OK;
}

void wf_vk_buffer_destroy(struct wf_hal_device *hal, struct wf_hal_buffer *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_buffer *buf = wf_vk_buffer(base);
    if (buf->handle && !buf->native)
        dev->vk.DestroyBuffer(dev->handle, buf->handle, NULL);
    wf_vk_place_leave(dev, &buf->place);
    wf_vk_memory_give(dev, &buf->memory);
    wf_base_free(hal->allocator, buf, sizeof *buf);
}

void wf_vk_buffer_flush(struct wf_hal_device *hal, struct wf_hal_buffer *base, uint64_t offset,
                        uint64_t size)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    const struct wf_vk_buffer *buf = wf_vk_buffer(base);
    if (!buf->incoherent)
        return;
    // Whole atoms, but for the last one of an allocation that ends inside of it.
    const struct wf_vk_memory *in = &buf->bound;
    const uint64_t atom = dev->adapter.properties.properties.limits.nonCoherentAtomSize;
    const uint64_t begin = wf_base_align_down(in->offset + offset, atom);
    const uint64_t end = wf_base_align_up(in->offset + offset + size, atom);
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = in->handle,
        .offset = begin,
        .size = end < wf_vk_memory_end(in) ? end - begin : VK_WHOLE_SIZE,
    };
    (void)wf_vk_result(dev, dev->vk.FlushMappedMemoryRanges(dev->handle, 1, &range),
                       "flushing a buffer");
    (void)wf_vk_result(dev, dev->vk.InvalidateMappedMemoryRanges(dev->handle, 1, &range),
                       "invalidating a buffer");
}
