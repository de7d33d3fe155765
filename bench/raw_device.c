#include "raw_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void raw_need(bool fine, const char *what)
{
    if (fine)
        return;
    (void)fprintf(stderr, "raw Vulkan: %s failed\n", what);
    exit(1);
}

static void check(VkResult result, const char *what)
{
    raw_need(result == VK_SUCCESS, what);
}

// ---- device -------------------------------------------------------------------------------------

static void open_instance(struct raw_device *raw)
{
    struct raw_functions *vk = &raw->vk;
    raw->loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    raw_need(raw->loader, "opening libvulkan.so.1");
    const PFN_vkGetInstanceProcAddr get =
        (PFN_vkGetInstanceProcAddr)dlsym(raw->loader, "vkGetInstanceProcAddr");
    raw_need(get, "vkGetInstanceProcAddr");
#define LOAD(function)                                                                             \
    vk->function = (PFN_vk##function)get(raw->instance, "vk" #function);                           \
    raw_need(vk->function, "vk" #function);
    RAW_GLOBAL_FUNCTIONS(LOAD)
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &about};
    check(vk->CreateInstance(&info, NULL, &raw->instance), "vkCreateInstance");
    RAW_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
}

void raw_adapter_open(struct raw_device *raw)
{
    *raw = (struct raw_device){0};
    open_instance(raw);
    uint32_t count = 1;
    const VkResult result = raw->vk.EnumeratePhysicalDevices(raw->instance, &count, &raw->adapter);
    raw_need((result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1, "finding a device");
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    raw->vk.GetPhysicalDeviceProperties2(raw->adapter, &properties);
    (void)snprintf(raw->name, sizeof raw->name, "%s, %s %s", properties.properties.deviceName,
                   driver.driverName, driver.driverInfo);
}

bool raw_adapter_has(struct raw_device *raw, const char *extension)
{
    uint32_t count = 0;
    check(raw->vk.EnumerateDeviceExtensionProperties(raw->adapter, NULL, &count, NULL),
          "counting extensions");
    VkExtensionProperties *all = calloc(count + 1, sizeof *all);
    raw_need(all, "allocating memory");
    check(raw->vk.EnumerateDeviceExtensionProperties(raw->adapter, NULL, &count, all),
          "listing extensions");
    bool found = false;
    for (uint32_t i = 0; i < count; ++i)
        found |= strcmp(all[i].extensionName, extension) == 0;
    free(all);
    return found;
}

VkPhysicalDeviceVulkan13Features raw_features(void *next)
{
    return (VkPhysicalDeviceVulkan13Features){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = next,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE};
}

/// The first type of memory that has the flags; VK_MAX_MEMORY_TYPES if there is none.
static uint32_t memory_type(struct raw_device *raw, const VkMemoryRequirements *needs,
                            VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties memory;
    raw->vk.GetPhysicalDeviceMemoryProperties(raw->adapter, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        if (needs->memoryTypeBits >> i & 1u &&
            (memory.memoryTypes[i].propertyFlags & flags) == flags)
            return i;
    }
    return VK_MAX_MEMORY_TYPES;
}

/// In a type that has `wanted` besides, if there is one.
static VkDeviceMemory allocate(struct raw_device *raw, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags flags, VkMemoryPropertyFlags wanted,
                               bool address)
{
    uint32_t type = memory_type(raw, needs, flags | wanted);
    if (type == VK_MAX_MEMORY_TYPES)
        type = memory_type(raw, needs, flags);
    raw_need(type < VK_MAX_MEMORY_TYPES, "finding memory");
    VkDeviceMemory out = VK_NULL_HANDLE;
    const VkMemoryAllocateFlagsInfo how = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = address ? &how : NULL,
                                       .allocationSize = needs->size,
                                       .memoryTypeIndex = type};
    check(raw->vk.AllocateMemory(raw->device, &info, NULL, &out), "vkAllocateMemory");
    return out;
}

static void open_target(struct raw_device *raw)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {RAW_SIDE, RAW_SIDE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                             VK_IMAGE_USAGE_SAMPLED_BIT};
    check(raw->vk.CreateImage(raw->device, &info, NULL, &raw->image), "vkCreateImage");
    VkMemoryRequirements needs;
    raw->vk.GetImageMemoryRequirements(raw->device, raw->image, &needs);
    raw->memory = allocate(raw, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, false);
    check(raw->vk.BindImageMemory(raw->device, raw->image, raw->memory, 0), "vkBindImageMemory");
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = raw->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = info.format,
        .subresourceRange = {
            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    check(raw->vk.CreateImageView(raw->device, &view, NULL, &raw->view), "vkCreateImageView");
}

static void open_commands(struct raw_device *raw)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    check(raw->vk.CreateCommandPool(raw->device, &pool, NULL, &raw->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = raw->pool,
                                              .commandBufferCount = 1};
    check(raw->vk.AllocateCommandBuffers(raw->device, &info, &raw->cmd),
          "vkAllocateCommandBuffers");
}

static void load_device(struct raw_device *raw)
{
    static const struct {
        const char *name;
        size_t offset;
        bool optional;
    } functions[] = {
#define ENTRY(function)    {"vk" #function, offsetof(struct raw_functions, function), false},
#define OPTIONAL(function) {"vk" #function, offsetof(struct raw_functions, function), true},
        RAW_DEVICE_FUNCTIONS(ENTRY) RAW_OPTIONAL_FUNCTIONS(OPTIONAL)
#undef ENTRY
#undef OPTIONAL
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        const PFN_vkVoidFunction found = raw->vk.GetDeviceProcAddr(raw->device, functions[i].name);
        raw_need(found || functions[i].optional, functions[i].name);
        memcpy((char *)&raw->vk + functions[i].offset, &found, sizeof found);
    }
}

/// Queue family 0 draws on every driver that these benchmarks are for.
void raw_device_open(struct raw_device *raw, const char *const *extensions,
                     uint32_t extension_count, const void *features)
{
    struct raw_functions *vk = &raw->vk;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = extension_count,
                                     .ppEnabledExtensionNames = extensions};
    check(vk->CreateDevice(raw->adapter, &info, NULL, &raw->device), "vkCreateDevice");
    load_device(raw);
    vk->GetDeviceQueue(raw->device, 0, 0, &raw->queue);
    open_target(raw);
    open_commands(raw);
}

void raw_device_close(struct raw_device *raw)
{
    const struct raw_functions *vk = &raw->vk;
    vk->DestroyCommandPool(raw->device, raw->pool, NULL);
    vk->DestroyImageView(raw->device, raw->view, NULL);
    vk->DestroyImage(raw->device, raw->image, NULL);
    vk->FreeMemory(raw->device, raw->memory, NULL);
    vk->DestroyDevice(raw->device, NULL);
    vk->DestroyInstance(raw->instance, NULL);
    (void)dlclose(raw->loader);
}

// ---- resources ----------------------------------------------------------------------------------

void raw_buffer_open(struct raw_device *raw, VkDeviceSize size, VkBufferUsageFlags usage,
                     struct raw_buffer *out)
{
    const struct raw_functions *vk = &raw->vk;
    const VkBufferUsageFlags descriptors = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                           VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
    const bool address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    check(vk->CreateBuffer(raw->device, &info, NULL, &out->handle), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vk->GetBufferMemoryRequirements(raw->device, out->handle, &needs);
    out->memory = allocate(
        raw, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        usage & descriptors ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : 0, address);
    check(vk->BindBufferMemory(raw->device, out->handle, out->memory, 0), "vkBindBufferMemory");
    check(vk->MapMemory(raw->device, out->memory, 0, VK_WHOLE_SIZE, 0, &out->bytes), "vkMapMemory");
    const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = out->handle};
    out->address = address ? vk->GetBufferDeviceAddress(raw->device, &where) : 0;
}

void raw_buffer_close(struct raw_device *raw, struct raw_buffer *buffer)
{
    raw->vk.DestroyBuffer(raw->device, buffer->handle, NULL);
    raw->vk.FreeMemory(raw->device, buffer->memory, NULL);
}

VkShaderModule raw_module(struct raw_device *raw, const uint32_t *code, size_t size)
{
    VkShaderModule out = VK_NULL_HANDLE;
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    check(raw->vk.CreateShaderModule(raw->device, &info, NULL, &out), "vkCreateShaderModule");
    return out;
}

VkPipeline raw_pipeline(struct raw_device *raw, const struct raw_pipeline_desc *desc)
{
    VkPipelineShaderStageCreateInfo stages[2];
    for (int i = 0; i < 2; ++i)
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
            .module = i ? desc->fragment : desc->vertex,
            .pName = "main",
            .pSpecializationInfo = i ? desc->constants : NULL};
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .cullMode = desc->cull,
        .frontFace = desc->front,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState all = {.blendEnable = desc->blend,
                                                     .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                     .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                     .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                     .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                     .colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &all};
    VkDynamicState changing[16] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    for (uint32_t i = 0; i < desc->dynamic_count; ++i)
        changing[2 + i] = desc->dynamic[i];
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2 + desc->dynamic_count,
        .pDynamicStates = changing};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .flags = desc->flags,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .layout = desc->layout};
    VkPipeline out = VK_NULL_HANDLE;
    check(raw->vk.CreateGraphicsPipelines(raw->device, VK_NULL_HANDLE, 1, &info, NULL, &out),
          "vkCreateGraphicsPipelines");
    return out;
}

// ---- passes -------------------------------------------------------------------------------------

void raw_begin(struct raw_device *raw)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    check(raw->vk.ResetCommandPool(raw->device, raw->pool, 0), "vkResetCommandPool");
    check(raw->vk.BeginCommandBuffer(raw->cmd, &begin), "vkBeginCommandBuffer");
}

void raw_begin_pass(struct raw_device *raw)
{
    raw_begin(raw);
    const VkImageMemoryBarrier2 image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .dstStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .image = raw->image,
        .subresourceRange = {
            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    const VkDependencyInfo barrier = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                      .imageMemoryBarrierCount = 1,
                                      .pImageMemoryBarriers = &image};
    raw->vk.CmdPipelineBarrier2(raw->cmd, &barrier);
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                             .imageView = raw->view,
                                             .imageLayout = image.newLayout,
                                             .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR};
    const VkRect2D area = {{0, 0}, {RAW_SIDE, RAW_SIDE}};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = area,
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    raw->vk.CmdBeginRendering(raw->cmd, &info);
    const VkViewport viewport = {0, RAW_SIDE, RAW_SIDE, -RAW_SIDE, 0, 1};
    raw->vk.CmdSetViewport(raw->cmd, 0, 1, &viewport);
    raw->vk.CmdSetScissor(raw->cmd, 0, 1, &area);
}

void raw_end_pass(struct raw_device *raw, bool submit)
{
    raw->vk.CmdEndRendering(raw->cmd);
    raw_end(raw, submit);
}

void raw_end(struct raw_device *raw, bool submit)
{
    check(raw->vk.EndCommandBuffer(raw->cmd), "vkEndCommandBuffer");
    if (!submit)
        return;
    const VkCommandBufferSubmitInfo cmd = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = raw->cmd};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &cmd};
    check(raw->vk.QueueSubmit2(raw->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
    check(raw->vk.QueueWaitIdle(raw->queue), "vkQueueWaitIdle");
}
