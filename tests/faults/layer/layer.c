#include "layer.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT       __attribute__((visibility("default")))
#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct layer layer;

EXPORT struct layer *weft_layer(void);
EXPORT struct layer *weft_layer(void)
{
    return &layer;
}

// ---- what is below -----------------------------------------------------------------------------

typedef struct xcb_info xcb_info; ///< VkXcbSurfaceCreateInfoKHR, which is only handed on.
typedef VkResult(VKAPI_PTR *create_surface)(VkInstance, const xcb_info *,
                                            const VkAllocationCallbacks *, VkSurfaceKHR *);

static struct {
    PFN_vkGetInstanceProcAddr instance_get;
    PFN_vkGetDeviceProcAddr device_get;
    VkInstance instance;
    PFN_vkDestroyInstance DestroyInstance;
    PFN_vkDestroyDevice DestroyDevice;
    PFN_vkEnumerateDeviceExtensionProperties EnumerateDeviceExtensionProperties;
    PFN_vkGetPhysicalDeviceFeatures2 GetPhysicalDeviceFeatures2;
    PFN_vkGetPhysicalDeviceProperties2 GetPhysicalDeviceProperties2;
    create_surface CreateXcbSurfaceKHR;
    PFN_vkDestroySurfaceKHR DestroySurfaceKHR;
    PFN_vkGetPhysicalDeviceMemoryProperties2 GetPhysicalDeviceMemoryProperties2;
    PFN_vkGetPhysicalDeviceFormatProperties2 GetPhysicalDeviceFormatProperties2;
    PFN_vkGetDeviceImageMemoryRequirements GetDeviceImageMemoryRequirements;
    PFN_vkGetImageMemoryRequirements2 GetImageMemoryRequirements2;
    PFN_vkFlushMappedMemoryRanges FlushMappedMemoryRanges;
    PFN_vkInvalidateMappedMemoryRanges InvalidateMappedMemoryRanges;
    PFN_vkCmdPipelineBarrier2 CmdPipelineBarrier2;
    PFN_vkCmdCopyBuffer CmdCopyBuffer;
    PFN_vkAllocateMemory AllocateMemory;
    PFN_vkFreeMemory FreeMemory;
    PFN_vkCreateGraphicsPipelines CreateGraphicsPipelines;
    PFN_vkCreateComputePipelines CreateComputePipelines;
    PFN_vkDestroyPipeline DestroyPipeline;
#define LAYER_OBJECT(Name, info, faults)                                                           \
    PFN_vkCreate##Name Create##Name;                                                               \
    PFN_vkDestroy##Name Destroy##Name;
#define LAYER_CALL(Name, faults, params, args) PFN_vk##Name Name;
#define LAYER_ASK(Name, faults, params, args)  PFN_vk##Name Name;
#include "functions.def"
    bool driver_tells; ///< It has VK_EXT_device_fault itself.
} below;

// ---- failing -----------------------------------------------------------------------------------

enum {
    M = 1 << LAYER_FAULT_MEMORY,
    L = 1 << LAYER_FAULT_LOST,
    O = 1 << LAYER_FAULT_OUTDATED,
    B = 1 << LAYER_FAULT_SUBOPTIMAL,
    S = 1 << LAYER_FAULT_SURFACE,
    AFTER = 1 << LAYER_FAULT_KINDS,
};

static VkResult result_of(enum layer_fault fault, uint64_t at)
{
    switch (fault) {
    case LAYER_FAULT_MEMORY:
        return at % 2 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_OUT_OF_DEVICE_MEMORY;
    case LAYER_FAULT_LOST:
        return VK_ERROR_DEVICE_LOST;
    case LAYER_FAULT_OUTDATED:
        return VK_ERROR_OUT_OF_DATE_KHR;
    case LAYER_FAULT_SUBOPTIMAL:
        return VK_SUBOPTIMAL_KHR;
    case LAYER_FAULT_SURFACE:
        return VK_ERROR_SURFACE_LOST_KHR;
    case LAYER_FAULT_NONE:
    case LAYER_FAULT_KINDS:
        break;
    }
    return VK_SUCCESS;
}

/// What the call comes to, VK_SUCCESS if nothing is wrong with it.
static VkResult strike(const char *name, int can)
{
    if (can & L && atomic_load(&layer.lost))
        return VK_ERROR_DEVICE_LOST;
    const enum layer_fault fault = layer.fault;
    if (fault == LAYER_FAULT_NONE || !(can & 1 << fault) ||
        atomic_fetch_add(&layer.chances, 1) + 1 != layer.at)
        return VK_SUCCESS;
    atomic_store(&layer.struck, name);
    atomic_store(&layer.lost, fault == LAYER_FAULT_LOST);
    atomic_store(&layer.hit, true);
    return result_of(fault, layer.at);
}

/// Whether a call that comes to `result` does its work first.
static bool works(VkResult result, int can)
{
    return result >= VK_SUCCESS || (can & AFTER && result != VK_ERROR_OUT_OF_HOST_MEMORY &&
                                    result != VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void add(enum layer_object object, int64_t count)
{
    atomic_fetch_add(&layer.live[object], count);
}

// ---- plain calls -------------------------------------------------------------------------------

#define LAYER_CALL(Name, faults, params, args)                                                     \
    static VKAPI_ATTR VkResult VKAPI_CALL on_##Name params                                         \
    {                                                                                              \
        const VkResult result = strike(#Name, faults);                                             \
        const VkResult real = works(result, faults) ? below.Name args : result;                    \
        return result == VK_SUCCESS || real < VK_SUCCESS ? real : result;                          \
    }
#define LAYER_ASK LAYER_CALL
#define LAYER_OBJECT(Name, info, faults)                                                           \
    static VKAPI_ATTR VkResult VKAPI_CALL on_Create##Name(                                         \
        VkDevice device, const info *desc, const VkAllocationCallbacks *allocator, Vk##Name *out)  \
    {                                                                                              \
        VkResult result = strike("Create" #Name, faults);                                          \
        if (result == VK_SUCCESS)                                                                  \
            result = below.Create##Name(device, desc, allocator, out);                             \
        add(LAYER_##Name, result == VK_SUCCESS);                                                   \
        return result;                                                                             \
    }                                                                                              \
    static VKAPI_ATTR void VKAPI_CALL on_Destroy##Name(VkDevice device, Vk##Name object,           \
                                                       const VkAllocationCallbacks *allocator)     \
    {                                                                                              \
        add(LAYER_##Name, object ? -1 : 0);                                                        \
        below.Destroy##Name(device, object, allocator);                                            \
    }
#include "functions.def"

// ---- other objects -----------------------------------------------------------------------------

/// Sizes of allocations, the newest ones. What was freed is found no more by whoever asks rightly.
static struct {
    VkDeviceMemory memory;
    VkDeviceSize size;
} sizes[256];
static atomic_uint sizes_kept;

static void keep_size(VkDeviceMemory memory, VkDeviceSize size)
{
    const unsigned at = atomic_fetch_add(&sizes_kept, 1) % COUNT(sizes);
    sizes[at].memory = memory;
    sizes[at].size = size;
}

static VkDeviceSize size_of(VkDeviceMemory memory)
{
    const unsigned kept = atomic_load(&sizes_kept);
    for (unsigned i = kept; i > 0 && i + COUNT(sizes) > kept; i--) {
        if (sizes[(i - 1) % COUNT(sizes)].memory == memory)
            return sizes[(i - 1) % COUNT(sizes)].size;
    }
    return UINT64_MAX;
}

/// As the specification has it: whole atoms, or up to the end of the allocation.
static void judge_ranges(uint32_t count, const VkMappedMemoryRange *ranges)
{
    for (uint32_t i = 0; i < count; i++) {
        const VkDeviceSize offset = ranges[i].offset, size = ranges[i].size;
        const VkDeviceSize all = size_of(ranges[i].memory);
        const bool to_end = size == VK_WHOLE_SIZE || offset + size == all;
        const bool legal = offset % LAYER_ATOM == 0 && offset < all &&
                           (to_end || (size % LAYER_ATOM == 0 && size <= all - offset));
        atomic_fetch_add(&layer.flushes, 1);
        atomic_fetch_add(&layer.illegal, !legal && layer.claims & LAYER_CLAIM_INCOHERENT);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL on_FlushMappedMemoryRanges(VkDevice device, uint32_t count,
                                                                 const VkMappedMemoryRange *ranges)
{
    const VkResult result = strike("FlushMappedMemoryRanges", M);
    judge_ranges(count, ranges);
    return result == VK_SUCCESS ? below.FlushMappedMemoryRanges(device, count, ranges) : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
on_InvalidateMappedMemoryRanges(VkDevice device, uint32_t count, const VkMappedMemoryRange *ranges)
{
    const VkResult result = strike("InvalidateMappedMemoryRanges", M);
    judge_ranges(count, ranges);
    return result == VK_SUCCESS ? below.InvalidateMappedMemoryRanges(device, count, ranges)
                                : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL on_AllocateMemory(VkDevice device,
                                                        const VkMemoryAllocateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkDeviceMemory *out)
{
    VkResult result = strike("AllocateMemory", M);
    if (result == VK_SUCCESS)
        result = below.AllocateMemory(device, info, allocator, out);
    add(LAYER_MEMORY, result == VK_SUCCESS);
    if (result == VK_SUCCESS)
        keep_size(*out, info->allocationSize);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL on_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                                const VkAllocationCallbacks *allocator)
{
    add(LAYER_MEMORY, memory ? -1 : 0);
    below.FreeMemory(device, memory, allocator);
}

static VKAPI_ATTR void VKAPI_CALL on_CmdPipelineBarrier2(VkCommandBuffer commands,
                                                         const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        atomic_fetch_add(&layer.discards,
                         info->pImageMemoryBarriers[i].oldLayout == VK_IMAGE_LAYOUT_UNDEFINED);
    below.CmdPipelineBarrier2(commands, info);
}

static VKAPI_ATTR void VKAPI_CALL on_CmdCopyBuffer(VkCommandBuffer commands, VkBuffer from,
                                                   VkBuffer to, uint32_t count,
                                                   const VkBufferCopy *regions)
{
    atomic_fetch_add(&layer.copies, 1);
    below.CmdCopyBuffer(commands, from, to, count, regions);
}

/// A failure leaves null handles behind, the specification says.
static VkResult pipelines_made(VkResult result, uint32_t count, VkPipeline *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (result < VK_SUCCESS)
            out[i] = VK_NULL_HANDLE;
        add(LAYER_PIPELINE, out[i] ? 1 : 0);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
on_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                           const VkGraphicsPipelineCreateInfo *infos,
                           const VkAllocationCallbacks *allocator, VkPipeline *out)
{
    VkResult result = strike("CreateGraphicsPipelines", M);
    if (layer.claims & LAYER_CLAIM_ONE_PIPELINE && atomic_load(&layer.live[LAYER_PIPELINE]) > 0)
        result = VK_ERROR_UNKNOWN;
    if (result == VK_SUCCESS)
        result = below.CreateGraphicsPipelines(device, cache, count, infos, allocator, out);
    return pipelines_made(result, count, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
on_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                          const VkComputePipelineCreateInfo *infos,
                          const VkAllocationCallbacks *allocator, VkPipeline *out)
{
    VkResult result = strike("CreateComputePipelines", M);
    if (result == VK_SUCCESS)
        result = below.CreateComputePipelines(device, cache, count, infos, allocator, out);
    return pipelines_made(result, count, out);
}

static VKAPI_ATTR void VKAPI_CALL on_DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                     const VkAllocationCallbacks *allocator)
{
    add(LAYER_PIPELINE, pipeline ? -1 : 0);
    below.DestroyPipeline(device, pipeline, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL on_CreateXcbSurfaceKHR(VkInstance instance,
                                                             const xcb_info *info,
                                                             const VkAllocationCallbacks *allocator,
                                                             VkSurfaceKHR *out)
{
    VkResult result = strike("CreateXcbSurfaceKHR", M);
    if (result == VK_SUCCESS)
        result = below.CreateXcbSurfaceKHR(instance, info, allocator, out);
    add(LAYER_SURFACE, result == VK_SUCCESS);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL on_DestroySurfaceKHR(VkInstance instance, VkSurfaceKHR surface,
                                                       const VkAllocationCallbacks *allocator)
{
    add(LAYER_SURFACE, surface ? -1 : 0);
    below.DestroySurfaceKHR(instance, surface, allocator);
}

// ---- what the device has -----------------------------------------------------------------------

#define HEAP_ENTRIES    256u
#define PUSH_CONSTANTS  128u ///< So that root blocks lie in memory.
#define FAULT_EXTENSION "VK_EXT_device_fault"

static VKAPI_ATTR VkResult VKAPI_CALL on_EnumerateDeviceExtensionProperties(
    VkPhysicalDevice device, const char *name, uint32_t *count, VkExtensionProperties *out)
{
    if (name)
        return below.EnumerateDeviceExtensionProperties(device, name, count, out);
    const uint32_t room = *count;
    VkResult result = strike("EnumerateDeviceExtensionProperties", M);
    if (result == VK_SUCCESS)
        result = below.EnumerateDeviceExtensionProperties(device, NULL, count, out);
    if (result < VK_SUCCESS)
        return result;
    if (!out) {
        ++*count; // one more at most
        return result;
    }
    below.driver_tells = false;
    for (uint32_t i = 0; i < *count; i++)
        below.driver_tells |= strcmp(out[i].extensionName, FAULT_EXTENSION) == 0;
    if (!below.driver_tells && *count < room)
        out[(*count)++] = (VkExtensionProperties){FAULT_EXTENSION, 1};
    return result;
}

static VKAPI_ATTR void VKAPI_CALL on_GetPhysicalDeviceFeatures2(VkPhysicalDevice device,
                                                                VkPhysicalDeviceFeatures2 *features)
{
    below.GetPhysicalDeviceFeatures2(device, features);
    for (VkBaseOutStructure *s = (VkBaseOutStructure *)features; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT)
            ((VkPhysicalDeviceFaultFeaturesEXT *)s)->deviceFault = VK_TRUE;
    }
}

/// A device with less of a heap opens sooner.
static VKAPI_ATTR void VKAPI_CALL
on_GetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *properties)
{
    below.GetPhysicalDeviceProperties2(device, properties);
    VkPhysicalDeviceLimits *limits = &properties->properties.limits;
    limits->maxPushConstantsSize = PUSH_CONSTANTS;
    if (layer.claims & LAYER_CLAIM_INCOHERENT)
        limits->nonCoherentAtomSize = LAYER_ATOM;
    if (layer.claims & LAYER_CLAIM_FEW_TEXELS) {
        limits->maxTexelBufferElements = LAYER_TEXELS;
        limits->minTexelBufferOffsetAlignment = LAYER_TEXEL_ALIGNMENT;
    }
    for (VkBaseOutStructure *s = (VkBaseOutStructure *)properties; s; s = s->pNext) {
        VkPhysicalDeviceVulkan12Properties *p = (VkPhysicalDeviceVulkan12Properties *)s;
        if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES)
            continue;
        p->maxDescriptorSetUpdateAfterBindSampledImages = HEAP_ENTRIES;
        p->maxDescriptorSetUpdateAfterBindStorageImages = HEAP_ENTRIES;
        p->maxDescriptorSetUpdateAfterBindSamplers = HEAP_ENTRIES;
    }
}

static VKAPI_ATTR void VKAPI_CALL on_GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2 *properties)
{
    below.GetPhysicalDeviceMemoryProperties2(device, properties);
    VkPhysicalDeviceMemoryProperties *memory = &properties->memoryProperties;
    for (uint32_t i = 0; layer.claims & LAYER_CLAIM_INCOHERENT && i < memory->memoryTypeCount; i++)
        memory->memoryTypes[i].propertyFlags &=
            ~(VkMemoryPropertyFlags)VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
}

static VKAPI_ATTR void VKAPI_CALL on_GetPhysicalDeviceFormatProperties2(
    VkPhysicalDevice device, VkFormat format, VkFormatProperties2 *properties)
{
    below.GetPhysicalDeviceFormatProperties2(device, format, properties);
    if (layer.claims & LAYER_CLAIM_FEW_TEXELS && format == VK_FORMAT_R8G8B8A8_UNORM)
        properties->formatProperties.bufferFeatures = 0;
}

/// A type that no memory has.
#define APART (UINT32_C(1) << 31)

static VKAPI_ATTR void VKAPI_CALL on_GetDeviceImageMemoryRequirements(
    VkDevice device, const VkDeviceImageMemoryRequirements *info, VkMemoryRequirements2 *needs)
{
    below.GetDeviceImageMemoryRequirements(device, info, needs);
    const bool depth =
        (info->pCreateInfo->usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) != 0;
    if (layer.claims & LAYER_CLAIM_DEPTH_APART && depth)
        needs->memoryRequirements.memoryTypeBits = APART;
}

static VKAPI_ATTR void VKAPI_CALL on_GetImageMemoryRequirements2(
    VkDevice device, const VkImageMemoryRequirementsInfo2 *info, VkMemoryRequirements2 *needs)
{
    below.GetImageMemoryRequirements2(device, info, needs);
    if (layer.claims & LAYER_CLAIM_IMAGES_APART)
        needs->memoryRequirements.memoryTypeBits = APART;
}

/// There is more to tell than anybody asks for: VK_INCOMPLETE.
static VKAPI_ATTR VkResult VKAPI_CALL tell_fault(VkDevice device, VkDeviceFaultCountsEXT *counts,
                                                 VkDeviceFaultInfoEXT *info)
{
    (void)device;
    const uint32_t room = counts->addressInfoCount;
    atomic_fetch_add(&layer.told, 1);
    counts->vendorInfoCount = 0;
    counts->vendorBinarySize = 0;
    if (!info) {
        counts->addressInfoCount = 1;
        return VK_SUCCESS;
    }
    counts->addressInfoCount = 0;
    (void)snprintf(info->description, sizeof info->description, "%s", LAYER_REASON);
    return room < 1 ? VK_INCOMPLETE : VK_SUCCESS;
}

// ---- instance and device -----------------------------------------------------------------------

static VKAPI_ATTR VkResult VKAPI_CALL on_CreateInstance(const VkInstanceCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO)
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    below.instance_get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = strike("CreateInstance", M);
    if (result == VK_SUCCESS) {
        const PFN_vkCreateInstance create =
            (PFN_vkCreateInstance)below.instance_get(NULL, "vkCreateInstance");
        result = create(info, allocator, out);
    }
    if (result != VK_SUCCESS)
        return result;
    add(LAYER_INSTANCE, 1);
    below.instance = *out;
#define GET(Name, type) below.Name = (type)below.instance_get(*out, "vk" #Name);
    GET(DestroyInstance, PFN_vkDestroyInstance)
    GET(EnumerateDeviceExtensionProperties, PFN_vkEnumerateDeviceExtensionProperties)
    GET(GetPhysicalDeviceFeatures2, PFN_vkGetPhysicalDeviceFeatures2)
    GET(GetPhysicalDeviceProperties2, PFN_vkGetPhysicalDeviceProperties2)
    GET(GetPhysicalDeviceMemoryProperties2, PFN_vkGetPhysicalDeviceMemoryProperties2)
    GET(GetPhysicalDeviceFormatProperties2, PFN_vkGetPhysicalDeviceFormatProperties2)
    GET(CreateXcbSurfaceKHR, create_surface)
    GET(DestroySurfaceKHR, PFN_vkDestroySurfaceKHR)
#define LAYER_ASK(Name, faults, params, args) GET(Name, PFN_vk##Name)
#include "functions.def"
#undef GET
    return result;
}

static VKAPI_ATTR void VKAPI_CALL on_DestroyInstance(VkInstance instance,
                                                     const VkAllocationCallbacks *allocator)
{
    add(LAYER_INSTANCE, instance ? -1 : 0);
    below.DestroyInstance(instance, allocator);
    below.instance = NULL;
}

/// Takes the structure out of the chain; who linked it does so anew for each device.
static void unlink_fault(const VkDeviceCreateInfo *info)
{
    for (VkBaseOutStructure *s = (VkBaseOutStructure *)info; s && s->pNext; s = s->pNext) {
        if (s->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT)
            s->pNext = s->pNext->pNext;
    }
}

/// Creates the device without what the driver does not have.
static VkResult create_device(PFN_vkCreateDevice create, VkPhysicalDevice device,
                              const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    VkDeviceCreateInfo less = *info;
    const char *names[64];
    less.enabledExtensionCount = 0;
    less.ppEnabledExtensionNames = names;
    for (uint32_t i = 0; i < info->enabledExtensionCount && i < COUNT(names); i++) {
        if (below.driver_tells || strcmp(info->ppEnabledExtensionNames[i], FAULT_EXTENSION) != 0)
            names[less.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
    }
    if (!below.driver_tells)
        unlink_fault(&less);
    return create(device, &less, allocator, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL on_CreateDevice(VkPhysicalDevice device,
                                                      const VkDeviceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO)
        link = (VkLayerDeviceCreateInfo *)link->pNext;
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    below.device_get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = strike("CreateDevice", M | L);
    if (result == VK_SUCCESS)
        result = create_device((PFN_vkCreateDevice)get(below.instance, "vkCreateDevice"), device,
                               info, allocator, out);
    if (result != VK_SUCCESS)
        return result;
    add(LAYER_DEVICE, 1);
#define GET(Name) below.Name = (PFN_vk##Name)below.device_get(*out, "vk" #Name);
    GET(DestroyDevice)
    GET(GetDeviceImageMemoryRequirements)
    GET(GetImageMemoryRequirements2)
    GET(FlushMappedMemoryRanges)
    GET(CmdPipelineBarrier2)
    GET(CmdCopyBuffer)
    GET(InvalidateMappedMemoryRanges)
    GET(AllocateMemory)
    GET(FreeMemory)
    GET(CreateGraphicsPipelines)
    GET(CreateComputePipelines)
    GET(DestroyPipeline)
#define LAYER_OBJECT(Name, info, faults)                                                           \
    GET(Create##Name)                                                                              \
    GET(Destroy##Name)
#define LAYER_CALL(Name, faults, params, args) GET(Name)
#include "functions.def"
#undef GET
    return result;
}

static VKAPI_ATTR void VKAPI_CALL on_DestroyDevice(VkDevice device,
                                                   const VkAllocationCallbacks *allocator)
{
    add(LAYER_DEVICE, device ? -1 : 0);
    below.DestroyDevice(device, allocator);
}

// ---- what the loader asks ----------------------------------------------------------------------

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL on_GetInstanceProcAddr(VkInstance instance,
                                                                       const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL on_GetDeviceProcAddr(VkDevice device,
                                                                     const char *name);

struct entry {
    const char *name;
    PFN_vkVoidFunction function;
};

#define ENTRY(Name) {"vk" #Name, (PFN_vkVoidFunction)on_##Name},

static const struct entry of_instance[] = {
    ENTRY(CreateInstance) ENTRY(DestroyInstance) ENTRY(CreateDevice) ENTRY(GetInstanceProcAddr)
        ENTRY(GetDeviceProcAddr) ENTRY(EnumerateDeviceExtensionProperties)
            ENTRY(GetPhysicalDeviceFeatures2) ENTRY(GetPhysicalDeviceProperties2)
                ENTRY(GetPhysicalDeviceMemoryProperties2) ENTRY(GetPhysicalDeviceFormatProperties2)
                    ENTRY(CreateXcbSurfaceKHR) ENTRY(DestroySurfaceKHR)
#define LAYER_ASK(Name, faults, params, args) ENTRY(Name)
#include "functions.def"
};

static const struct entry of_device[] = {
    ENTRY(DestroyDevice) ENTRY(GetDeviceImageMemoryRequirements) ENTRY(GetImageMemoryRequirements2)
        ENTRY(FlushMappedMemoryRanges) ENTRY(CmdPipelineBarrier2) ENTRY(CmdCopyBuffer)
            ENTRY(InvalidateMappedMemoryRanges) ENTRY(AllocateMemory) ENTRY(FreeMemory)
                ENTRY(CreateGraphicsPipelines) ENTRY(CreateComputePipelines) ENTRY(DestroyPipeline)
#define LAYER_OBJECT(Name, info, faults)                                                           \
    ENTRY(Create##Name)                                                                            \
    ENTRY(Destroy##Name)
#define LAYER_CALL(Name, faults, params, args) ENTRY(Name)
#include "functions.def"
};

static PFN_vkVoidFunction find(const struct entry *entries, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(entries[i].name, name) == 0)
            return entries[i].function;
    }
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL on_GetDeviceProcAddr(VkDevice device,
                                                                     const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)on_GetDeviceProcAddr;
    if (strcmp(name, "vkGetDeviceFaultInfoEXT") == 0)
        return (PFN_vkVoidFunction)tell_fault;
    const PFN_vkVoidFunction real = below.device_get(device, name);
    const PFN_vkVoidFunction own = find(of_device, COUNT(of_device), name);
    return real && own ? own : real;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL on_GetInstanceProcAddr(VkInstance instance,
                                                                       const char *name)
{
    PFN_vkVoidFunction own = find(of_instance, COUNT(of_instance), name);
    if (!own)
        own = find(of_device, COUNT(of_device), name);
    if (!below.instance_get || !below.instance) // the loader asks before there is an instance
        return own;
    const PFN_vkVoidFunction real = below.instance_get(instance, name);
    return real && own ? own : real;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *pVersionStruct)
{
    if (pVersionStruct->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    pVersionStruct->loaderLayerInterfaceVersion = 2;
    pVersionStruct->pfnGetInstanceProcAddr = on_GetInstanceProcAddr;
    pVersionStruct->pfnGetDeviceProcAddr = on_GetDeviceProcAddr;
    pVersionStruct->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
