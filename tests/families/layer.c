// A Vulkan layer for tests: it gives a device with one queue family two more, one that computes and
// one that only copies, without timestamps (with WEFT_FAMILIES_UNTIMED both), and runs their work
// on the queue that there is. With the Khronos layer above it, which takes them for real, a program
// is judged by the rules of dedicated queues on a machine that has none.
#define VK_NO_PROTOTYPES
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT       __attribute__((visibility("default")))
#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { FAMILIES = 3 };

/// The functions that the layer calls below itself.
#define INSTANCE_FUNCTIONS(X)                                                                      \
    X(DestroyInstance)                                                                             \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    X(GetPhysicalDeviceQueueFamilyProperties2)                                                     \
    X(GetPhysicalDeviceSurfaceSupportKHR)
#define DEVICE_FUNCTIONS(X)                                                                        \
    X(DestroyDevice)                                                                               \
    X(GetDeviceQueue)                                                                              \
    X(CreateCommandPool)                                                                           \
    X(CreateBuffer)                                                                                \
    X(CreateImage)                                                                                 \
    X(DestroyBuffer)                                                                               \
    X(DestroyImage)                                                                                \
    X(CreateSwapchainKHR)                                                                          \
    X(GetDeviceBufferMemoryRequirements)                                                           \
    X(GetDeviceImageMemoryRequirements)                                                            \
    X(CmdPipelineBarrier2)                                                                         \
    X(QueueSubmit)                                                                                 \
    X(QueueSubmit2)                                                                                \
    X(QueueWaitIdle)                                                                               \
    X(QueuePresentKHR)

/// A queue of a family. The loader writes to the first word of what a VkQueue points to.
struct queue {
    void *loader;
    VkQueue real;
    VkDevice device;
    uint32_t family;
    struct queue *next;
};

static struct {
    PFN_vkGetInstanceProcAddr instance_get;
    PFN_vkGetDeviceProcAddr device_get;
    VkInstance instance;
#define FUNCTION(Name) PFN_vk##Name Name;
    INSTANCE_FUNCTIONS(FUNCTION)
    DEVICE_FUNCTIONS(FUNCTION)
#undef FUNCTION
} below;

/// Several queues of the program's are one below, whose uses must be kept apart.
static pthread_mutex_t one_queue = PTHREAD_MUTEX_INITIALIZER;
static struct queue *queues;

// ---- families ----------------------------------------------------------------------------------

static void describe(VkQueueFamilyProperties *out, uint32_t family, VkQueueFamilyProperties real)
{
    *out = real;
    out->queueCount = 1;
    if (family == 1)
        out->queueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
    if (family == 2)
        out->queueFlags = VK_QUEUE_TRANSFER_BIT;
    if (family == 2 || (family == 1 && getenv("WEFT_FAMILIES_UNTIMED")))
        out->timestampValidBits = 0;
}

static VkQueueFamilyProperties real_family(VkPhysicalDevice device)
{
    VkQueueFamilyProperties real;
    uint32_t one = 1;
    below.GetPhysicalDeviceQueueFamilyProperties(device, &one, &real);
    return real;
}

static VKAPI_ATTR void VKAPI_CALL on_GetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties *out)
{
    const VkQueueFamilyProperties real = real_family(device);
    *count = out && *count < FAMILIES ? *count : FAMILIES;
    for (uint32_t i = 0; out && i < *count; i++)
        describe(&out[i], i, real);
}

static VKAPI_ATTR void VKAPI_CALL on_GetPhysicalDeviceQueueFamilyProperties2(
    VkPhysicalDevice device, uint32_t *count, VkQueueFamilyProperties2 *out)
{
    const VkQueueFamilyProperties real = real_family(device);
    *count = out && *count < FAMILIES ? *count : FAMILIES;
    for (uint32_t i = 0; out && i < *count; i++)
        describe(&out[i].queueFamilyProperties, i, real);
}

static VKAPI_ATTR VkResult VKAPI_CALL on_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice device,
                                                                            uint32_t family,
                                                                            VkSurfaceKHR surface,
                                                                            VkBool32 *out)
{
    (void)family;
    return below.GetPhysicalDeviceSurfaceSupportKHR(device, 0, surface, out);
}

// ---- objects -----------------------------------------------------------------------------------

static VKAPI_ATTR VkResult VKAPI_CALL on_CreateCommandPool(VkDevice device,
                                                           const VkCommandPoolCreateInfo *info,
                                                           const VkAllocationCallbacks *allocator,
                                                           VkCommandPool *out)
{
    VkCommandPoolCreateInfo one = *info;
    one.queueFamilyIndex = 0;
    return below.CreateCommandPool(device, &one, allocator, out);
}

static VkBufferCreateInfo buffer_of_one(const VkBufferCreateInfo *info)
{
    VkBufferCreateInfo one = *info;
    one.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    return one;
}

static VkImageCreateInfo image_of_one(const VkImageCreateInfo *info)
{
    VkImageCreateInfo one = *info;
    one.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    return one;
}

/// What belongs to several families at once, of which the Khronos layer does not say that nothing
/// is to be transferred.
static struct {
    pthread_mutex_t lock;
    uint64_t handles[1024];
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Puts `now` where `before` was; false if it was nowhere.
static int shared_exchange(uint64_t before, uint64_t now)
{
    int found = 0;
    pthread_mutex_lock(&shared.lock);
    for (size_t i = 0; i < COUNT(shared.handles) && !found; i++) {
        found = shared.handles[i] == before;
        if (found)
            shared.handles[i] = now;
    }
    pthread_mutex_unlock(&shared.lock);
    return found;
}

static void judge_transfer(uint64_t handle, uint32_t from, uint32_t to)
{
    if (from != to && handle && shared_exchange(handle, handle))
        (void)fputs("Validation Error: [ WEFT-families-transfer ] a barrier names families of what "
                    "is CONCURRENT\n\n",
                    stderr);
}

static void note_shared(VkSharingMode mode, uint64_t handle)
{
    if (mode == VK_SHARING_MODE_CONCURRENT && !shared_exchange(0, handle))
        abort();
}

static VKAPI_ATTR void VKAPI_CALL on_DestroyBuffer(VkDevice device, VkBuffer buffer,
                                                   const VkAllocationCallbacks *allocator)
{
    (void)(buffer && shared_exchange((uint64_t)buffer, 0));
    below.DestroyBuffer(device, buffer, allocator);
}

static VKAPI_ATTR void VKAPI_CALL on_DestroyImage(VkDevice device, VkImage image,
                                                  const VkAllocationCallbacks *allocator)
{
    (void)(image && shared_exchange((uint64_t)image, 0));
    below.DestroyImage(device, image, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL on_CreateBuffer(VkDevice device,
                                                      const VkBufferCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkBuffer *out)
{
    const VkBufferCreateInfo one = buffer_of_one(info);
    const VkResult result = below.CreateBuffer(device, &one, allocator, out);
    if (result == VK_SUCCESS)
        note_shared(info->sharingMode, (uint64_t)*out);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL on_CreateImage(VkDevice device, const VkImageCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkImage *out)
{
    const VkImageCreateInfo one = image_of_one(info);
    const VkResult result = below.CreateImage(device, &one, allocator, out);
    if (result == VK_SUCCESS)
        note_shared(info->sharingMode, (uint64_t)*out);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL on_CreateSwapchainKHR(VkDevice device,
                                                            const VkSwapchainCreateInfoKHR *info,
                                                            const VkAllocationCallbacks *allocator,
                                                            VkSwapchainKHR *out)
{
    VkSwapchainCreateInfoKHR one = *info;
    one.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
    return below.CreateSwapchainKHR(device, &one, allocator, out);
}

static VKAPI_ATTR void VKAPI_CALL on_GetDeviceBufferMemoryRequirements(
    VkDevice device, const VkDeviceBufferMemoryRequirements *info, VkMemoryRequirements2 *out)
{
    const VkBufferCreateInfo one = buffer_of_one(info->pCreateInfo);
    VkDeviceBufferMemoryRequirements ask = *info;
    ask.pCreateInfo = &one;
    below.GetDeviceBufferMemoryRequirements(device, &ask, out);
}

static VKAPI_ATTR void VKAPI_CALL on_GetDeviceImageMemoryRequirements(
    VkDevice device, const VkDeviceImageMemoryRequirements *info, VkMemoryRequirements2 *out)
{
    const VkImageCreateInfo one = image_of_one(info->pCreateInfo);
    VkDeviceImageMemoryRequirements ask = *info;
    ask.pCreateInfo = &one;
    below.GetDeviceImageMemoryRequirements(device, &ask, out);
}

/// What changes families changes nothing below.
static VKAPI_ATTR void VKAPI_CALL on_CmdPipelineBarrier2(VkCommandBuffer cmd,
                                                         const VkDependencyInfo *info)
{
    VkDependencyInfo one = *info;
    VkImageMemoryBarrier2 *images = calloc(info->imageMemoryBarrierCount + 1, sizeof *images);
    VkBufferMemoryBarrier2 *buffers = calloc(info->bufferMemoryBarrierCount + 1, sizeof *buffers);
    if (!images || !buffers)
        abort();
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        images[i] = info->pImageMemoryBarriers[i];
        judge_transfer((uint64_t)images[i].image, images[i].srcQueueFamilyIndex,
                       images[i].dstQueueFamilyIndex);
        images[i].srcQueueFamilyIndex = images[i].dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        buffers[i] = info->pBufferMemoryBarriers[i];
        judge_transfer((uint64_t)buffers[i].buffer, buffers[i].srcQueueFamilyIndex,
                       buffers[i].dstQueueFamilyIndex);
        buffers[i].srcQueueFamilyIndex = buffers[i].dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    }
    one.pImageMemoryBarriers = images;
    one.pBufferMemoryBarriers = buffers;
    below.CmdPipelineBarrier2(cmd, &one);
    free(images);
    free(buffers);
}

// ---- queues ------------------------------------------------------------------------------------

static VKAPI_ATTR void VKAPI_CALL on_GetDeviceQueue(VkDevice device, uint32_t family,
                                                    uint32_t index, VkQueue *out)
{
    pthread_mutex_lock(&one_queue);
    struct queue *queue = queues;
    while (queue && (queue->device != device || queue->family != family))
        queue = queue->next;
    if (!queue) {
        queue = calloc(1, sizeof *queue);
        if (!queue)
            abort();
        *queue = (struct queue){.device = device, .family = family, .next = queues};
        below.GetDeviceQueue(device, 0, index, &queue->real);
        queues = queue;
    }
    pthread_mutex_unlock(&one_queue);
    *out = (VkQueue)(void *)queue;
}

static VKAPI_ATTR void VKAPI_CALL on_DestroyDevice(VkDevice device,
                                                   const VkAllocationCallbacks *allocator)
{
    below.DestroyDevice(device, allocator);
    pthread_mutex_lock(&one_queue);
    for (struct queue **at = &queues; *at;) {
        struct queue *queue = *at;
        if (queue->device == device) {
            *at = queue->next;
            free(queue);
        } else {
            at = &queue->next;
        }
    }
    pthread_mutex_unlock(&one_queue);
}

#define QUEUE_FUNCTION(Name, params, args)                                                         \
    static VKAPI_ATTR VkResult VKAPI_CALL on_##Name params                                         \
    {                                                                                              \
        VkQueue real = ((const struct queue *)(const void *)queue)->real;                          \
        pthread_mutex_lock(&one_queue);                                                            \
        const VkResult result = below.Name args;                                                   \
        pthread_mutex_unlock(&one_queue);                                                          \
        return result;                                                                             \
    }
QUEUE_FUNCTION(QueueSubmit,
               (VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence),
               (real, count, infos, fence))
QUEUE_FUNCTION(QueueSubmit2,
               (VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence),
               (real, count, infos, fence))
QUEUE_FUNCTION(QueueWaitIdle, (VkQueue queue), (real))
QUEUE_FUNCTION(QueuePresentKHR, (VkQueue queue, const VkPresentInfoKHR *info), (real, info))

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
    const VkResult result =
        ((PFN_vkCreateInstance)below.instance_get(NULL, "vkCreateInstance"))(info, allocator, out);
    if (result != VK_SUCCESS)
        return result;
    below.instance = *out;
#define GET(Name) below.Name = (PFN_vk##Name)below.instance_get(*out, "vk" #Name);
    INSTANCE_FUNCTIONS(GET)
#undef GET
    return result;
}

static VKAPI_ATTR void VKAPI_CALL on_DestroyInstance(VkInstance instance,
                                                     const VkAllocationCallbacks *allocator)
{
    below.DestroyInstance(instance, allocator);
    below.instance = NULL;
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
    VkDeviceQueueCreateInfo queue = info->pQueueCreateInfos[0];
    queue.queueFamilyIndex = 0;
    queue.queueCount = 1;
    VkDeviceCreateInfo one = *info;
    one.queueCreateInfoCount = 1;
    one.pQueueCreateInfos = &queue;
    const VkResult result =
        ((PFN_vkCreateDevice)get(below.instance, "vkCreateDevice"))(device, &one, allocator, out);
    if (result != VK_SUCCESS)
        return result;
#define GET(Name) below.Name = (PFN_vk##Name)below.device_get(*out, "vk" #Name);
    DEVICE_FUNCTIONS(GET)
#undef GET
    return result;
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

static const struct entry of_instance[] = {INSTANCE_FUNCTIONS(ENTRY) ENTRY(CreateInstance) ENTRY(
    CreateDevice) ENTRY(GetInstanceProcAddr) ENTRY(GetDeviceProcAddr)};

static const struct entry of_device[] = {DEVICE_FUNCTIONS(ENTRY)};

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
