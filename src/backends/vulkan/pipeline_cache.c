// The driver's pipeline cache, as bytes. Core keeps them in a file.
#include "backends/vulkan/vulkan.h"

#include <string.h>

bool wf_vk_pipeline_cache_save(struct wf_hal_device *hal, void *data, size_t *size)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    const VkResult result =
        dev->vk.GetPipelineCacheData(dev->handle, dev->pipeline_cache, size, data);
    return result == VK_SUCCESS || result == VK_INCOMPLETE; // what fits is of use, too
}

/// Whether bytes begin as those of this very adapter and driver do.
static bool is_own(const struct wf_vk_device *dev, const void *data, size_t size)
{
    const VkPhysicalDeviceProperties *own = &dev->adapter.properties.properties;
    VkPipelineCacheHeaderVersionOne header;
    if (size < sizeof header)
        return false;
    memcpy(&header, data, sizeof header);
    return header.headerSize == sizeof header &&
           header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           header.vendorID == own->vendorID && header.deviceID == own->deviceID &&
           memcmp(header.pipelineCacheUUID, own->pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

bool wf_vk_pipeline_cache_load(struct wf_hal_device *hal, const void *data, size_t size)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    VkPipelineCache cache = VK_NULL_HANDLE;
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size,
        .pInitialData = data,
    };
    if (!is_own(dev, data, size) ||
        dev->vk.CreatePipelineCache(dev->handle, &info, NULL, &cache) != VK_SUCCESS)
        return false;
    dev->vk.DestroyPipelineCache(dev->handle, dev->pipeline_cache, NULL);
    dev->pipeline_cache = cache;
    return true;
}
