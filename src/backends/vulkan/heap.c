// The heap: one descriptor set that is written while it is in use (descriptor indexing).
#include "backends/vulkan/vulkan.h"

// Bindings as shaders see them (shader.h).
static const VkDescriptorType types[] = {
    [WEFT_HEAP_SAMPLED] = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    [WEFT_HEAP_STORAGE] = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    [WEFT_HEAP_SAMPLER] = VK_DESCRIPTOR_TYPE_SAMPLER,
    [WEFT_HEAP_ACCELERATION] = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, // last: it may lack
};

#define KINDS (sizeof types / sizeof *types)

static uint32_t entries(const struct wf_vk_device *dev, uint32_t kind)
{
    const weft_limits *limits = &dev->base.caps.limits;
    return kind == WEFT_HEAP_ACCELERATION ? limits->max_heap_accelerations
           : kind == WEFT_HEAP_SAMPLER    ? limits->max_heap_samplers
                                          : limits->max_heap_textures;
}

static uint32_t kinds(const struct wf_vk_device *dev)
{
    return entries(dev, WEFT_HEAP_ACCELERATION) > 0 ? KINDS : KINDS - 1;
}

VkResult wf_vk_heap_create(struct wf_vk_device *dev)
{
    VkDescriptorSetLayoutBinding bindings[KINDS];
    VkDescriptorBindingFlags flags[KINDS];
    for (uint32_t i = 0; i < kinds(dev); i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = types[i],
            .descriptorCount = entries(dev, i),
            .stageFlags = dev->root_stages,
        };
        flags[i] = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                   VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                   VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
    }
    const VkDescriptorSetLayoutBindingFlagsCreateInfo how = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = kinds(dev),
        .pBindingFlags = flags,
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &how,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
        .bindingCount = kinds(dev),
        .pBindings = bindings,
    };
    return dev->vk.CreateDescriptorSetLayout(dev->handle, &info, NULL, &dev->heap.layout);
}

static VkResult create_set(struct wf_vk_device *dev)
{
    VkDescriptorPoolSize sizes[KINDS];
    for (uint32_t i = 0; i < kinds(dev); i++)
        sizes[i] = (VkDescriptorPoolSize){types[i], entries(dev, i)};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
        .maxSets = 1,
        .poolSizeCount = kinds(dev),
        .pPoolSizes = sizes,
    };
    VkResult result = VK_SUCCESS;
    if (!dev->heap.pool)
        result = dev->vk.CreateDescriptorPool(dev->handle, &pool, NULL, &dev->heap.pool);
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = dev->heap.pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &dev->heap.layout,
    };
    if (result == VK_SUCCESS)
        result = dev->vk.AllocateDescriptorSets(dev->handle, &set, &dev->heap.set);
    return result;
}

VkResult wf_vk_heap_need(struct wf_vk_device *dev)
{
    wf_base_mutex_lock(&dev->heap.lock);
    const VkResult result = dev->heap.set ? VK_SUCCESS : create_set(dev);
    wf_base_mutex_unlock(&dev->heap.lock);
    return result;
}

weft_result wf_vk_heap_open(struct wf_hal_device *hal)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    return wf_vk_result(dev, wf_vk_heap_need(dev), "creating the heap");
}

void wf_vk_heap_destroy(struct wf_vk_device *dev)
{
    if (dev->heap.pool)
        dev->vk.DestroyDescriptorPool(dev->handle, dev->heap.pool, NULL);
    if (dev->heap.layout)
        dev->vk.DestroyDescriptorSetLayout(dev->handle, dev->heap.layout, NULL);
}

void wf_vk_heap_write(struct wf_hal_device *hal, weft_heap_kind kind, uint32_t index,
                      struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    if (!view && !sampler)
        return; // an entry that nobody may read can stay as it is
    const VkDescriptorImageInfo image = {
        .sampler = sampler ? ((struct wf_vk_sampler *)sampler)->handle : VK_NULL_HANDLE,
        .imageView = !view                       ? VK_NULL_HANDLE
                     : kind == WEFT_HEAP_STORAGE ? wf_vk_texture_view(view)->storage
                                                 : wf_vk_texture_view(view)->sampled,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = dev->heap.set,
        .dstBinding = (uint32_t)kind,
        .dstArrayElement = index,
        .descriptorCount = 1,
        .descriptorType = types[kind],
        .pImageInfo = &image,
    };
    dev->vk.UpdateDescriptorSets(dev->handle, 1, &write, 0, NULL);
}

void wf_vk_heap_write_acceleration(struct wf_hal_device *hal, uint32_t index,
                                   struct wf_hal_acceleration *structure)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    if (!structure)
        return; // as above
    VkAccelerationStructureKHR handle = wf_vk_acceleration_handle(structure);
    const VkWriteDescriptorSetAccelerationStructureKHR what = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &handle,
    };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .pNext = &what,
        .dstSet = dev->heap.set,
        .dstBinding = WEFT_HEAP_ACCELERATION,
        .dstArrayElement = index,
        .descriptorCount = 1,
        .descriptorType = types[WEFT_HEAP_ACCELERATION],
    };
    dev->vk.UpdateDescriptorSets(dev->handle, 1, &write, 0, NULL);
}
