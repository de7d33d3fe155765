/// A host with a Vulkan device of its own, which shares it with Weft.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "support/record.h"

#include <weft/interop/vulkan.h>

// Functions of the host: without their vk.
#define HOST_INSTANCE_FUNCTIONS(FN)                                                                \
    FN(DestroyInstance)                                                                            \
    FN(EnumeratePhysicalDevices)                                                                   \
    FN(GetPhysicalDeviceProperties)                                                                \
    FN(GetPhysicalDeviceFeatures2)                                                                 \
    FN(GetPhysicalDeviceQueueFamilyProperties)                                                     \
    FN(GetPhysicalDeviceMemoryProperties)                                                          \
    FN(CreateDevice)                                                                               \
    FN(GetDeviceProcAddr)                                                                          \
    FN(CreateDebugUtilsMessengerEXT)                                                               \
    FN(DestroyDebugUtilsMessengerEXT)

#define HOST_DEVICE_FUNCTIONS(FN)                                                                  \
    FN(DestroyDevice)                                                                              \
    FN(GetDeviceQueue)                                                                             \
    FN(QueueSubmit2)                                                                               \
    FN(QueueWaitIdle)                                                                              \
    FN(AllocateMemory)                                                                             \
    FN(FreeMemory)                                                                                 \
    FN(MapMemory)                                                                                  \
    FN(CreateBuffer)                                                                               \
    FN(DestroyBuffer)                                                                              \
    FN(GetBufferMemoryRequirements)                                                                \
    FN(BindBufferMemory)                                                                           \
    FN(CreateImage)                                                                                \
    FN(DestroyImage)                                                                               \
    FN(GetImageMemoryRequirements)                                                                 \
    FN(BindImageMemory)                                                                            \
    FN(CreateCommandPool)                                                                          \
    FN(DestroyCommandPool)                                                                         \
    FN(ResetCommandPool)                                                                           \
    FN(AllocateCommandBuffers)                                                                     \
    FN(BeginCommandBuffer)                                                                         \
    FN(EndCommandBuffer)                                                                           \
    FN(CmdPipelineBarrier2)                                                                        \
    FN(CmdCopyImageToBuffer)                                                                       \
    FN(CmdClearColorImage)                                                                         \
    FN(CmdFillBuffer)

struct host {
    void *library;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice adapter;
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan11Features features11;
    VkPhysicalDeviceVulkan12Features features12;
    VkPhysicalDeviceVulkan13Features features13;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    const char *instance_extensions[1];
    weft_vulkan_device shared; ///< What Weft is given.
    pthread_mutex_t mutex;     ///< Of the queue; guards the next two.
    int locked, locks;         ///< Now, and how often.
    int messages;              ///< Of the Khronos layer.
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define FN(name) PFN_vk##name name;
    HOST_INSTANCE_FUNCTIONS(FN)
    HOST_DEVICE_FUNCTIONS(FN)
#undef FN
};

enum host_flags {
    HOST_PLAIN = 0,             ///< Only what Weft needs is enabled.
    HOST_RICH = 1,              ///< And whatever of Vulkan's own features there is.
    HOST_WITHOUT_SYNC_2 = 2,    ///< One of its needs is not.
    HOST_WITHOUT_ADDRESSES = 4, ///< Nor is what devices with few push constants need.
};

/// False, after skipping the test, without a device of Vulkan 1.3.
bool host_open(struct host *h, unsigned flags);
/// Bytes.
uint32_t host_push_constants(const struct host *h);
/// Expects that the layer, if it is there, had nothing to say.
void host_close(struct host *h);
/// The functions and the command buffer of a device that Weft opened.
void host_adopt(struct host *h, const weft_vulkan_device *device);
void host_drop(struct host *h);
/// A Weft device on the host's.
struct fixture host_fixture(const struct host *h);

/// Nothing was reported but what might be faster, such as other layouts than GENERAL; clears.
static inline void host_expect_quiet(struct fixture *f)
{
    if (f->log->grave != 0)
        test_fail(__FILE__, __LINE__, "%u warnings, the last: %s", f->log->grave, f->log->message);
    fixture_clear(f);
}

/// Clears a target and draws over all of it.
static inline void host_draw(weft_command_buffer *cmd, const struct record_plain *plain)
{
    weft_render_encoder *enc = record_pass(cmd, plain->view);
    weft_render_set_pipeline(enc, plain->pipeline);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
}

struct host_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    uint8_t *mapped;
};
struct host_buffer host_buffer(struct host *h, VkDeviceSize size, VkBufferUsageFlags usage);
void host_buffer_free(struct host *h, struct host_buffer *buffer);

struct host_image {
    VkImage handle;
    VkDeviceMemory memory;
};
/// RGBA8, RECORD_WIDTH by RECORD_HEIGHT: attached, sampled, copied.
struct host_image host_image(struct host *h);
void host_image_free(struct host *h, struct host_image *image);
weft_vulkan_image host_image_told(const struct host_image *image, VkImageLayout layout,
                                  VkImageLayout native_layout);

void host_begin(struct host *h);
/// Submits, with these (may be NULL), and waits if `wait`.
void host_submit(struct host *h, const VkSemaphoreSubmitInfo *waits,
                 const VkSemaphoreSubmitInfo *signals, bool wait);
/// A barrier of everything, with a change of layout.
void host_barrier(struct host *h, VkImage image, VkImageLayout from, VkImageLayout to);
void host_copy_out(struct host *h, VkImage image, VkImageLayout layout, VkBuffer to);
