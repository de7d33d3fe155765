/// Vulkan as a program would write it by hand, without Weft: what the yardsticks share. Whatever
/// fails ends the program with a message.
#ifndef BENCH_RAW_DEVICE_H
#define BENCH_RAW_DEVICE_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is called, by the object that it is looked up for.
#define RAW_GLOBAL_FUNCTIONS(X) X(CreateInstance)
#define RAW_INSTANCE_FUNCTIONS(X)                                                                  \
    X(CreateDevice)                                                                                \
    X(DestroyInstance)                                                                             \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(EnumeratePhysicalDevices)                                                                    \
    X(GetDeviceProcAddr)                                                                           \
    X(GetPhysicalDeviceFeatures2)                                                                  \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceProperties2)
#define RAW_DEVICE_FUNCTIONS(X)                                                                    \
    X(AllocateCommandBuffers)                                                                      \
    X(AllocateDescriptorSets)                                                                      \
    X(AllocateMemory)                                                                              \
    X(BeginCommandBuffer)                                                                          \
    X(BindBufferMemory)                                                                            \
    X(BindImageMemory)                                                                             \
    X(CmdBeginRendering)                                                                           \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindPipeline)                                                                             \
    X(CmdCopyBuffer)                                                                               \
    X(CmdDraw)                                                                                     \
    X(CmdEndRendering)                                                                             \
    X(CmdPipelineBarrier2)                                                                         \
    X(CmdPushConstants)                                                                            \
    X(CmdSetCullMode)                                                                              \
    X(CmdSetDepthBiasEnable)                                                                       \
    X(CmdSetDepthBoundsTestEnable)                                                                 \
    X(CmdSetDepthCompareOp)                                                                        \
    X(CmdSetDepthTestEnable)                                                                       \
    X(CmdSetDepthWriteEnable)                                                                      \
    X(CmdSetFrontFace)                                                                             \
    X(CmdSetPrimitiveRestartEnable)                                                                \
    X(CmdSetPrimitiveTopology)                                                                     \
    X(CmdSetRasterizerDiscardEnable)                                                               \
    X(CmdSetScissor)                                                                               \
    X(CmdSetScissorWithCount)                                                                      \
    X(CmdSetStencilTestEnable)                                                                     \
    X(CmdSetViewport)                                                                              \
    X(CmdSetViewportWithCount)                                                                     \
    X(CreateBuffer)                                                                                \
    X(CreateCommandPool)                                                                           \
    X(CreateDescriptorPool)                                                                        \
    X(CreateDescriptorSetLayout)                                                                   \
    X(CreateGraphicsPipelines)                                                                     \
    X(CreateImage)                                                                                 \
    X(CreateImageView)                                                                             \
    X(CreatePipelineLayout)                                                                        \
    X(CreateSampler)                                                                               \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyCommandPool)                                                                          \
    X(DestroyDescriptorPool)                                                                       \
    X(DestroyDescriptorSetLayout)                                                                  \
    X(DestroyDevice)                                                                               \
    X(DestroyImage)                                                                                \
    X(DestroyImageView)                                                                            \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroySampler)                                                                              \
    X(DestroyShaderModule)                                                                         \
    X(EndCommandBuffer)                                                                            \
    X(FreeMemory)                                                                                  \
    X(GetBufferDeviceAddress)                                                                      \
    X(GetBufferMemoryRequirements)                                                                 \
    X(GetDeviceQueue)                                                                              \
    X(GetImageMemoryRequirements)                                                                  \
    X(MapMemory)                                                                                   \
    X(QueueSubmit2)                                                                                \
    X(QueueWaitIdle)                                                                               \
    X(ResetCommandPool)                                                                            \
    X(ResetDescriptorPool)                                                                         \
    X(UpdateDescriptorSets)
/// Of extensions: NULL where they are not enabled.
#define RAW_OPTIONAL_FUNCTIONS(X)                                                                  \
    X(CmdBindDescriptorBuffersEXT)                                                                 \
    X(CmdSetAlphaToCoverageEnableEXT)                                                              \
    X(CmdSetColorBlendEnableEXT)                                                                   \
    X(CmdSetColorBlendEquationEXT)                                                                 \
    X(CmdSetColorWriteMaskEXT)                                                                     \
    X(CmdSetDescriptorBufferOffsetsEXT)                                                            \
    X(CmdSetPolygonModeEXT)                                                                        \
    X(CmdSetRasterizationSamplesEXT)                                                               \
    X(CmdSetSampleMaskEXT)                                                                         \
    X(CmdSetVertexInputEXT)                                                                        \
    X(GetDescriptorEXT)                                                                            \
    X(GetDescriptorSetLayoutBindingOffsetEXT)                                                      \
    X(GetDescriptorSetLayoutSizeEXT)

#define RAW_DECLARE(name) PFN_vk##name name;
struct raw_functions {
    RAW_GLOBAL_FUNCTIONS(RAW_DECLARE)
    RAW_INSTANCE_FUNCTIONS(RAW_DECLARE)
    RAW_DEVICE_FUNCTIONS(RAW_DECLARE)
    RAW_OPTIONAL_FUNCTIONS(RAW_DECLARE)
};
#undef RAW_DECLARE

enum { RAW_SIDE = 64 }; ///< Texels of the target.

struct raw_device {
    struct raw_functions vk;
    void *loader;
    char name[780]; ///< "llvmpipe (LLVM 15.0.6, 256 bits), llvmpipe Mesa 25.0.7".
    VkInstance instance;
    VkPhysicalDevice adapter;
    VkDevice device;
    VkQueue queue;
    VkImage image; ///< The target.
    VkDeviceMemory memory;
    VkImageView view;
    VkCommandPool pool;
    VkCommandBuffer cmd;
};

void raw_need(bool fine, const char *what);

/// The loader's first adapter.
void raw_adapter_open(struct raw_device *raw);
bool raw_adapter_has(struct raw_device *raw, const char *extension);
/// `features`: a chain that begins with what raw_features() returns.
void raw_device_open(struct raw_device *raw, const char *const *extensions,
                     uint32_t extension_count, const void *features);
/// What all of these programs need, in front of `next`.
VkPhysicalDeviceVulkan13Features raw_features(void *next);
void raw_device_close(struct raw_device *raw);

/// A buffer in memory that the host sees; that of descriptors lies on the GPU if it can.
struct raw_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *bytes;
    VkDeviceAddress address; ///< If it was asked for in `usage`.
};
void raw_buffer_open(struct raw_device *raw, VkDeviceSize size, VkBufferUsageFlags usage,
                     struct raw_buffer *out);
void raw_buffer_close(struct raw_device *raw, struct raw_buffer *buffer);

VkShaderModule raw_module(struct raw_device *raw, const uint32_t *code, size_t size);

/// A graphics pipeline for the target. Zero-initialise, then set what differs.
struct raw_pipeline_desc {
    VkPipelineLayout layout;
    VkShaderModule vertex, fragment;
    const VkSpecializationInfo *constants; ///< Of the fragment shader.
    VkPipelineCreateFlags flags;
    VkCullModeFlags cull;
    VkFrontFace front;
    bool blend;                    ///< Sums up.
    const VkDynamicState *dynamic; ///< Besides viewport and scissor; at most 14.
    uint32_t dynamic_count;
};
VkPipeline raw_pipeline(struct raw_device *raw, const struct raw_pipeline_desc *desc);

/// Begins the command buffer; ends it. `submit`: it also runs, and is waited for.
void raw_begin(struct raw_device *raw);
void raw_end(struct raw_device *raw, bool submit);
/// Likewise with a pass that clears the target.
void raw_begin_pass(struct raw_device *raw);
void raw_end_pass(struct raw_device *raw, bool submit);

#endif
