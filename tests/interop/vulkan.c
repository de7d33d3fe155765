#include "vulkan_host.h"

#include <dlfcn.h>

#define IMAGE_USAGE                                                                                \
    (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |                            \
     VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

// ---- the device --------------------------------------------------------------------------------

static void lock(void *user, VkQueue queue)
{
    struct host *h = user;
    pthread_mutex_lock(&h->mutex);
    h->locked += queue == h->queue;
    h->locks++;
}

static void unlock(void *user, VkQueue queue)
{
    struct host *h = user;
    h->locked -= queue == h->queue;
    pthread_mutex_unlock(&h->mutex);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data,
                                             void *user)
{
    struct host *h = user;
    (void)severity, (void)types;
    h->messages++;
    (void)fprintf(stderr, "layer: %s\n", data->pMessage);
    return VK_FALSE;
}

static bool open_instance(struct host *h)
{
    h->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!h->library)
        return false;
    void *symbol = dlsym(h->library, "vkGetInstanceProcAddr");
    memcpy(&h->GetInstanceProcAddr, &symbol, sizeof symbol);
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)h->GetInstanceProcAddr(NULL, "vkCreateInstance");
    h->instance_extensions[0] = "VK_EXT_debug_utils";
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = listen,
        .pUserData = h,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = h->instance_extensions,
    };
    if (create(&info, NULL, &h->instance) != VK_SUCCESS)
        return false;
#define FN(name) h->name = (PFN_vk##name)h->GetInstanceProcAddr(h->instance, "vk" #name);
    HOST_INSTANCE_FUNCTIONS(FN)
#undef FN
    EXPECT_EQ(h->CreateDebugUtilsMessengerEXT(h->instance, &messenger, NULL, &h->messenger),
              VK_SUCCESS);
    return true;
}

static bool find_adapter(struct host *h)
{
    VkPhysicalDeviceProperties properties;
    uint32_t count = 1;
    if (h->EnumeratePhysicalDevices(h->instance, &count, &h->adapter) < VK_SUCCESS || count == 0)
        return false;
    h->GetPhysicalDeviceProperties(h->adapter, &properties);
    h->GetPhysicalDeviceMemoryProperties(h->adapter, &h->memory);
    return properties.apiVersion >= VK_API_VERSION_1_3;
}

uint32_t host_push_constants(const struct host *h)
{
    VkPhysicalDeviceProperties properties;
    h->GetPhysicalDeviceProperties(h->adapter, &properties);
    return properties.limits.maxPushConstantsSize;
}

static void choose_features(struct host *h, unsigned flags)
{
    h->features = (VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &h->features13};
    h->features13 = (VkPhysicalDeviceVulkan13Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &h->features11};
    h->features11 = (VkPhysicalDeviceVulkan11Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &h->features12};
    h->features12 = (VkPhysicalDeviceVulkan12Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    if (flags & HOST_RICH)
        h->GetPhysicalDeviceFeatures2(h->adapter, &h->features);
    h->features12.bufferDeviceAddressCaptureReplay = VK_FALSE;
    h->features12.bufferDeviceAddressMultiDevice = VK_FALSE;
    h->features11.protectedMemory = VK_FALSE;
    h->features12.timelineSemaphore = VK_TRUE;
    if (host_push_constants(h) < 256)
        h->features12.bufferDeviceAddress = !(flags & HOST_WITHOUT_ADDRESSES);
    h->features13.dynamicRendering = VK_TRUE;
    h->features13.maintenance4 = VK_TRUE;
    h->features13.synchronization2 = !(flags & HOST_WITHOUT_SYNC_2);
}

static void open_device(struct host *h)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16, family = 0;
    const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    h->GetPhysicalDeviceQueueFamilyProperties(h->adapter, &count, families);
    while (family + 1 < count && (families[family].queueFlags & needed) != needed)
        family++;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &h->features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    VkDevice device;
    EXPECT_EQ(h->CreateDevice(h->adapter, &info, NULL, &device), VK_SUCCESS);
    PFN_vkGetDeviceQueue get_queue =
        (PFN_vkGetDeviceQueue)h->GetDeviceProcAddr(device, "vkGetDeviceQueue");
    get_queue(device, family, 0, &h->queue);
    h->shared = (weft_vulkan_device){
        .instance = h->instance,
        .physical_device = h->adapter,
        .device = device,
        .get_instance_proc_addr = h->GetInstanceProcAddr,
        .api_version = VK_API_VERSION_1_3,
        .queues = {[WEFT_QUEUE_GRAPHICS] = {h->queue, family}},
        .features = &h->features,
        .instance_extensions = h->instance_extensions,
        .instance_extension_count = 1,
        .lock_queue = lock,
        .unlock_queue = unlock,
        .user = h,
    };
}

void host_adopt(struct host *h, const weft_vulkan_device *d)
{
    h->shared = *d;
    h->instance = d->instance;
    h->adapter = d->physical_device;
    h->device = d->device;
    h->queue = d->queues[WEFT_QUEUE_GRAPHICS].handle;
    h->GetInstanceProcAddr = d->get_instance_proc_addr;
#define FN(name) h->name = (PFN_vk##name)h->GetInstanceProcAddr(h->instance, "vk" #name);
    HOST_INSTANCE_FUNCTIONS(FN)
#undef FN
#define FN(name) h->name = (PFN_vk##name)h->GetDeviceProcAddr(h->device, "vk" #name);
    HOST_DEVICE_FUNCTIONS(FN)
#undef FN
    h->GetPhysicalDeviceMemoryProperties(h->adapter, &h->memory);
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = d->queues[WEFT_QUEUE_GRAPHICS].family,
    };
    EXPECT_EQ(h->CreateCommandPool(h->device, &pool, NULL, &h->pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = h->pool,
        .commandBufferCount = 1,
    };
    EXPECT_EQ(h->AllocateCommandBuffers(h->device, &buffer, &h->cmd), VK_SUCCESS);
}

void host_drop(struct host *h)
{
    h->DestroyCommandPool(h->device, h->pool, NULL);
}

bool host_open(struct host *h, unsigned flags)
{
    *h = (struct host){0};
    pthread_mutex_init(&h->mutex, NULL);
    if (!open_instance(h) || !find_adapter(h)) {
        test_skip("there is no device of Vulkan 1.3");
        return false;
    }
    choose_features(h, flags);
    open_device(h);
    const weft_vulkan_device shared = h->shared;
    if (!(flags & HOST_WITHOUT_SYNC_2)) // which the host's own commands use
        host_adopt(h, &shared);
    return true;
}

void host_close(struct host *h)
{
    EXPECT_EQ(h->locked, 0);
    if (h->device) {
        EXPECT_EQ(h->QueueWaitIdle(h->queue), VK_SUCCESS); // it lives
        host_drop(h);
        h->DestroyDevice(h->device, NULL);
    }
    h->DestroyDebugUtilsMessengerEXT(h->instance, h->messenger, NULL);
    h->DestroyInstance(h->instance, NULL);
    (void)dlclose(h->library);
    pthread_mutex_destroy(&h->mutex);
    EXPECT_EQ(h->messages, 0);
}

struct fixture host_fixture(const struct host *h)
{
    const weft_native native = weft_vulkan_from_device(&h->shared);
    return fixture_open_desc(
        &(weft_device_desc){.validation = WEFT_VALIDATION_FULL, .native = &native});
}

// ---- objects -----------------------------------------------------------------------------------

static VkDeviceMemory allocate(struct host *h, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags wanted)
{
    uint32_t type = 0;
    while (type + 1 < h->memory.memoryTypeCount &&
           (!(needs->memoryTypeBits & 1u << type) ||
            (h->memory.memoryTypes[type].propertyFlags & wanted) != wanted))
        type++;
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    EXPECT_EQ(h->AllocateMemory(h->device, &info, NULL, &memory), VK_SUCCESS);
    return memory;
}

struct host_buffer host_buffer(struct host *h, VkDeviceSize size, VkBufferUsageFlags usage)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    struct host_buffer b;
    EXPECT_EQ(h->CreateBuffer(h->device, &info, NULL, &b.handle), VK_SUCCESS);
    VkMemoryRequirements needs;
    h->GetBufferMemoryRequirements(h->device, b.handle, &needs);
    b.memory = allocate(h, &needs,
                        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    EXPECT_EQ(h->BindBufferMemory(h->device, b.handle, b.memory, 0), VK_SUCCESS);
    EXPECT_EQ(h->MapMemory(h->device, b.memory, 0, VK_WHOLE_SIZE, 0, (void **)&b.mapped),
              VK_SUCCESS);
    memset(b.mapped, 0xee, size);
    return b;
}

void host_buffer_free(struct host *h, struct host_buffer *b)
{
    h->DestroyBuffer(h->device, b->handle, NULL);
    h->FreeMemory(h->device, b->memory, NULL);
}

struct host_image host_image(struct host *h)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .extent = {RECORD_WIDTH, RECORD_HEIGHT, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = IMAGE_USAGE,
    };
    struct host_image i;
    EXPECT_EQ(h->CreateImage(h->device, &info, NULL, &i.handle), VK_SUCCESS);
    VkMemoryRequirements needs;
    h->GetImageMemoryRequirements(h->device, i.handle, &needs);
    i.memory = allocate(h, &needs, 0);
    EXPECT_EQ(h->BindImageMemory(h->device, i.handle, i.memory, 0), VK_SUCCESS);
    return i;
}

void host_image_free(struct host *h, struct host_image *i)
{
    h->DestroyImage(h->device, i->handle, NULL);
    h->FreeMemory(h->device, i->memory, NULL);
}

weft_vulkan_image host_image_told(const struct host_image *i, VkImageLayout layout,
                                  VkImageLayout native_layout)
{
    return (weft_vulkan_image){
        .image = i->handle,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .usage = IMAGE_USAGE,
        .layout = layout,
        .native_layout = native_layout,
    };
}

// ---- commands ----------------------------------------------------------------------------------

void host_begin(struct host *h)
{
    const VkCommandBufferBeginInfo once = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    EXPECT_EQ(h->ResetCommandPool(h->device, h->pool, 0), VK_SUCCESS);
    EXPECT_EQ(h->BeginCommandBuffer(h->cmd, &once), VK_SUCCESS);
}

void host_submit(struct host *h, const VkSemaphoreSubmitInfo *waits,
                 const VkSemaphoreSubmitInfo *signals, bool wait)
{
    EXPECT_EQ(h->EndCommandBuffer(h->cmd), VK_SUCCESS);
    const VkCommandBufferSubmitInfo command = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = h->cmd};
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = waits ? 1 : 0,
        .pWaitSemaphoreInfos = waits,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &command,
        .signalSemaphoreInfoCount = signals ? 1 : 0,
        .pSignalSemaphoreInfos = signals,
    };
    h->shared.lock_queue(h->shared.user, h->queue);
    EXPECT_EQ(h->QueueSubmit2(h->queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
    if (wait)
        EXPECT_EQ(h->QueueWaitIdle(h->queue), VK_SUCCESS);
    h->shared.unlock_queue(h->shared.user, h->queue);
}

void host_barrier(struct host *h, VkImage image, VkImageLayout from, VkImageLayout to)
{
    const VkAccessFlags2 all = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = all,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = all,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    h->CmdPipelineBarrier2(h->cmd, &info);
}

void host_copy_out(struct host *h, VkImage image, VkImageLayout layout, VkBuffer to)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {RECORD_WIDTH, RECORD_HEIGHT, 1},
    };
    h->CmdCopyImageToBuffer(h->cmd, image, layout, to, 1, &region);
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
        .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    h->CmdPipelineBarrier2(h->cmd, &info);
}
