#include "raw_vulkan.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "record.frag.spv.h"
#include "record.vert.spv.h"
#include "record_table.frag.spv.h"

/// What is called, by the object that it is looked up for.
#define GLOBAL_FUNCTIONS(X) X(CreateInstance)
#define INSTANCE_FUNCTIONS(X)                                                                      \
    X(CreateDevice)                                                                                \
    X(DestroyInstance)                                                                             \
    X(EnumeratePhysicalDevices)                                                                    \
    X(GetDeviceProcAddr)                                                                           \
    X(GetPhysicalDeviceMemoryProperties)                                                           \
    X(GetPhysicalDeviceProperties2)
#define DEVICE_FUNCTIONS(X)                                                                        \
    X(AllocateCommandBuffers)                                                                      \
    X(AllocateDescriptorSets)                                                                      \
    X(AllocateMemory)                                                                              \
    X(BeginCommandBuffer)                                                                          \
    X(BindBufferMemory)                                                                            \
    X(BindImageMemory)                                                                             \
    X(CmdBeginRendering)                                                                           \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindPipeline)                                                                             \
    X(CmdDraw)                                                                                     \
    X(CmdEndRendering)                                                                             \
    X(CmdPipelineBarrier2)                                                                         \
    X(CmdPushConstants)                                                                            \
    X(CmdSetScissor)                                                                               \
    X(CmdSetViewport)                                                                              \
    X(CreateBuffer)                                                                                \
    X(CreateCommandPool)                                                                           \
    X(CreateDescriptorPool)                                                                        \
    X(CreateDescriptorSetLayout)                                                                   \
    X(CreateGraphicsPipelines)                                                                     \
    X(CreateImage)                                                                                 \
    X(CreateImageView)                                                                             \
    X(CreatePipelineLayout)                                                                        \
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
    X(DestroyShaderModule)                                                                         \
    X(EndCommandBuffer)                                                                            \
    X(FreeMemory)                                                                                  \
    X(GetBufferMemoryRequirements)                                                                 \
    X(GetDeviceQueue)                                                                              \
    X(GetImageMemoryRequirements)                                                                  \
    X(MapMemory)                                                                                   \
    X(QueueSubmit2)                                                                                \
    X(QueueWaitIdle)                                                                               \
    X(ResetCommandPool)                                                                            \
    X(UpdateDescriptorSets)

#define DECLARE(name) PFN_vk##name name;
struct functions {
    GLOBAL_FUNCTIONS(DECLARE)
    INSTANCE_FUNCTIONS(DECLARE)
    DEVICE_FUNCTIONS(DECLARE)
};
#undef DECLARE

struct raw_vulkan {
    struct functions vk;
    void *loader;
    char name[780];
    VkInstance instance;
    VkPhysicalDevice adapter;
    VkDevice device;
    VkQueue queue;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline plain[2], tinted;
    VkBuffer buffer;
    VkImage image;
    VkDeviceMemory memory[2];
    VkImageView view;
    VkDescriptorPool sets_pool;
    VkDescriptorSet sets[2];
    VkCommandPool pool;
    VkCommandBuffer cmd;
};

enum { TINT_STRIDE = 256 }; // the largest offset alignment that Vulkan allows

static void need(bool fine, const char *what)
{
    if (fine)
        return;
    (void)fprintf(stderr, "raw Vulkan: %s failed\n", what);
    exit(1);
}

// ---- device -------------------------------------------------------------------------------------

static void open_instance(struct raw_vulkan *raw)
{
    struct functions *vk = &raw->vk;
    raw->loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    need(raw->loader, "opening libvulkan.so.1");
    const PFN_vkGetInstanceProcAddr get =
        (PFN_vkGetInstanceProcAddr)dlsym(raw->loader, "vkGetInstanceProcAddr");
    need(get, "vkGetInstanceProcAddr");
#define LOAD(function)                                                                             \
    vk->function = (PFN_vk##function)get(raw->instance, "vk" #function);                           \
    need(vk->function, "vk" #function);
    GLOBAL_FUNCTIONS(LOAD)
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &about};
    need(vk->CreateInstance(&info, NULL, &raw->instance) == VK_SUCCESS, "vkCreateInstance");
    INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
}

static void open_adapter(struct raw_vulkan *raw)
{
    uint32_t count = 1;
    const VkResult result = raw->vk.EnumeratePhysicalDevices(raw->instance, &count, &raw->adapter);
    need((result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1, "finding a device");
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    raw->vk.GetPhysicalDeviceProperties2(raw->adapter, &properties);
    (void)snprintf(raw->name, sizeof raw->name, "%s, %s %s", properties.properties.deviceName,
                   driver.driverName, driver.driverInfo);
}

/// Queue family 0 draws on every driver that these benchmarks are for.
static void open_device(struct raw_vulkan *raw)
{
    struct functions *vk = &raw->vk;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE,
        .dynamicRendering = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    need(vk->CreateDevice(raw->adapter, &info, NULL, &raw->device) == VK_SUCCESS, "vkCreateDevice");
#define LOAD(function)                                                                             \
    vk->function = (PFN_vk##function)vk->GetDeviceProcAddr(raw->device, "vk" #function);           \
    need(vk->function, "vk" #function);
    DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    vk->GetDeviceQueue(raw->device, 0, 0, &raw->queue);
}

// ---- resources ----------------------------------------------------------------------------------

static VkDeviceMemory allocate(struct raw_vulkan *raw, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags flags)
{
    VkPhysicalDeviceMemoryProperties memory;
    raw->vk.GetPhysicalDeviceMemoryProperties(raw->adapter, &memory);
    uint32_t type = 0;
    while (type < memory.memoryTypeCount &&
           !((needs->memoryTypeBits >> type & 1u) &&
             (memory.memoryTypes[type].propertyFlags & flags) == flags))
        ++type;
    VkDeviceMemory out = VK_NULL_HANDLE;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs->size,
                                       .memoryTypeIndex = type};
    need(raw->vk.AllocateMemory(raw->device, &info, NULL, &out) == VK_SUCCESS, "vkAllocateMemory");
    return out;
}

static void make_buffer(struct raw_vulkan *raw)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = (VkDeviceSize)2 * TINT_STRIDE,
                                     .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT};
    need(raw->vk.CreateBuffer(raw->device, &info, NULL, &raw->buffer) == VK_SUCCESS,
         "vkCreateBuffer");
    VkMemoryRequirements needs;
    raw->vk.GetBufferMemoryRequirements(raw->device, raw->buffer, &needs);
    raw->memory[0] = allocate(
        raw, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    need(raw->vk.BindBufferMemory(raw->device, raw->buffer, raw->memory[0], 0) == VK_SUCCESS,
         "vkBindBufferMemory");
    void *bytes;
    need(raw->vk.MapMemory(raw->device, raw->memory[0], 0, VK_WHOLE_SIZE, 0, &bytes) == VK_SUCCESS,
         "vkMapMemory");
    float *tints = bytes;
    for (size_t i = 0; i < 2; ++i)
        for (size_t k = 0; k < 4; ++k)
            tints[i * (TINT_STRIDE / sizeof(float)) + k] = k == 3 ? 1 : (float)i;
}

static void make_target(struct raw_vulkan *raw)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {RECORD_SIDE, RECORD_SIDE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    need(raw->vk.CreateImage(raw->device, &info, NULL, &raw->image) == VK_SUCCESS, "vkCreateImage");
    VkMemoryRequirements needs;
    raw->vk.GetImageMemoryRequirements(raw->device, raw->image, &needs);
    raw->memory[1] = allocate(raw, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    need(raw->vk.BindImageMemory(raw->device, raw->image, raw->memory[1], 0) == VK_SUCCESS,
         "vkBindImageMemory");
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = raw->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = info.format,
        .subresourceRange = {
            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    need(raw->vk.CreateImageView(raw->device, &view, NULL, &raw->view) == VK_SUCCESS,
         "vkCreateImageView");
}

static void make_layouts(struct raw_vulkan *raw)
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    need(raw->vk.CreateDescriptorSetLayout(raw->device, &set, NULL, &raw->set_layout) == VK_SUCCESS,
         "vkCreateDescriptorSetLayout");
    const VkPushConstantRange root = {
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, .size = 64};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &raw->set_layout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &root};
    need(raw->vk.CreatePipelineLayout(raw->device, &info, NULL, &raw->layout) == VK_SUCCESS,
         "vkCreatePipelineLayout");
}

static void make_sets(struct raw_vulkan *raw)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 2,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    need(raw->vk.CreateDescriptorPool(raw->device, &pool, NULL, &raw->sets_pool) == VK_SUCCESS,
         "vkCreateDescriptorPool");
    const VkDescriptorSetLayout layouts[2] = {raw->set_layout, raw->set_layout};
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = raw->sets_pool,
                                              .descriptorSetCount = 2,
                                              .pSetLayouts = layouts};
    need(raw->vk.AllocateDescriptorSets(raw->device, &info, raw->sets) == VK_SUCCESS,
         "vkAllocateDescriptorSets");
    for (uint32_t i = 0; i < 2; ++i) {
        const VkDescriptorBufferInfo tint = {raw->buffer, (VkDeviceSize)i * TINT_STRIDE, 16};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = raw->sets[i],
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                            .pBufferInfo = &tint};
        raw->vk.UpdateDescriptorSets(raw->device, 1, &write, 0, NULL);
    }
}

// ---- pipelines ----------------------------------------------------------------------------------

static VkShaderModule make_module(struct raw_vulkan *raw, const uint32_t *code, size_t size)
{
    VkShaderModule out = VK_NULL_HANDLE;
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    need(raw->vk.CreateShaderModule(raw->device, &info, NULL, &out) == VK_SUCCESS,
         "vkCreateShaderModule");
    return out;
}

static VkPipeline make_pipeline(struct raw_vulkan *raw, const VkShaderModule modules[2],
                                VkCullModeFlags cull)
{
    VkPipelineShaderStageCreateInfo stages[2];
    for (int i = 0; i < 2; ++i)
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
            .module = modules[i],
            .pName = "main"};
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
        .cullMode = cull,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState all = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &all};
    const VkDynamicState changing[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = changing};
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .layout = raw->layout};
    VkPipeline out = VK_NULL_HANDLE;
    need(raw->vk.CreateGraphicsPipelines(raw->device, VK_NULL_HANDLE, 1, &info, NULL, &out) ==
             VK_SUCCESS,
         "vkCreateGraphicsPipelines");
    return out;
}

static void make_pipelines(struct raw_vulkan *raw)
{
    VkShaderModule vertex = make_module(raw, record_vert, sizeof record_vert);
    VkShaderModule fragment = make_module(raw, record_frag, sizeof record_frag);
    VkShaderModule tinted = make_module(raw, record_table_frag, sizeof record_table_frag);
    const VkShaderModule plain[2] = {vertex, fragment}, other[2] = {vertex, tinted};
    raw->plain[0] = make_pipeline(raw, plain, VK_CULL_MODE_NONE);
    raw->plain[1] = make_pipeline(raw, plain, VK_CULL_MODE_BACK_BIT);
    raw->tinted = make_pipeline(raw, other, VK_CULL_MODE_NONE);
    raw->vk.DestroyShaderModule(raw->device, vertex, NULL);
    raw->vk.DestroyShaderModule(raw->device, fragment, NULL);
    raw->vk.DestroyShaderModule(raw->device, tinted, NULL);
}

static void make_commands(struct raw_vulkan *raw)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    need(raw->vk.CreateCommandPool(raw->device, &pool, NULL, &raw->pool) == VK_SUCCESS,
         "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = raw->pool,
                                              .commandBufferCount = 1};
    need(raw->vk.AllocateCommandBuffers(raw->device, &info, &raw->cmd) == VK_SUCCESS,
         "vkAllocateCommandBuffers");
}

struct raw_vulkan *raw_vulkan_open(void)
{
    struct raw_vulkan *raw = calloc(1, sizeof *raw);
    need(raw, "allocating memory");
    open_instance(raw);
    open_adapter(raw);
    open_device(raw);
    make_buffer(raw);
    make_target(raw);
    make_layouts(raw);
    make_sets(raw);
    make_pipelines(raw);
    make_commands(raw);
    return raw;
}

void raw_vulkan_close(struct raw_vulkan *raw)
{
    const struct functions *vk = &raw->vk;
    vk->DestroyCommandPool(raw->device, raw->pool, NULL);
    vk->DestroyDescriptorPool(raw->device, raw->sets_pool, NULL);
    for (int i = 0; i < 2; ++i)
        vk->DestroyPipeline(raw->device, raw->plain[i], NULL);
    vk->DestroyPipeline(raw->device, raw->tinted, NULL);
    vk->DestroyPipelineLayout(raw->device, raw->layout, NULL);
    vk->DestroyDescriptorSetLayout(raw->device, raw->set_layout, NULL);
    vk->DestroyImageView(raw->device, raw->view, NULL);
    vk->DestroyImage(raw->device, raw->image, NULL);
    vk->DestroyBuffer(raw->device, raw->buffer, NULL);
    for (int i = 0; i < 2; ++i)
        vk->FreeMemory(raw->device, raw->memory[i], NULL);
    vk->DestroyDevice(raw->device, NULL);
    vk->DestroyInstance(raw->instance, NULL);
    (void)dlclose(raw->loader);
    free(raw);
}

const char *raw_vulkan_name(const struct raw_vulkan *raw)
{
    return raw->name;
}

// ---- recording ----------------------------------------------------------------------------------

/// callgrind counts what happens inside, by name.
void weft_bench_raw_root(const struct raw_vulkan *raw, int draws, const float root[16]);
void weft_bench_raw_table(const struct raw_vulkan *raw, int draws, const float root[16]);
void weft_bench_raw_pipeline(const struct raw_vulkan *raw, int draws, const float root[16]);

static const VkShaderStageFlags root_stages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

__attribute__((noinline)) void weft_bench_raw_root(const struct raw_vulkan *raw, int draws,
                                                   const float root[16])
{
    for (int i = 0; i < draws; ++i) {
        raw->vk.CmdPushConstants(raw->cmd, raw->layout, root_stages, 0, 64, root);
        raw->vk.CmdDraw(raw->cmd, 3, 1, 0, 0);
    }
}

__attribute__((noinline)) void weft_bench_raw_table(const struct raw_vulkan *raw, int draws,
                                                    const float root[16])
{
    for (int i = 0; i < draws; ++i) {
        raw->vk.CmdPushConstants(raw->cmd, raw->layout, root_stages, 0, 64, root);
        raw->vk.CmdBindDescriptorSets(raw->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, raw->layout, 0, 1,
                                      &raw->sets[i & 1], 0, NULL);
        raw->vk.CmdDraw(raw->cmd, 3, 1, 0, 0);
    }
}

__attribute__((noinline)) void weft_bench_raw_pipeline(const struct raw_vulkan *raw, int draws,
                                                       const float root[16])
{
    for (int i = 0; i < draws; ++i) {
        raw->vk.CmdBindPipeline(raw->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, raw->plain[i & 1]);
        raw->vk.CmdPushConstants(raw->cmd, raw->layout, root_stages, 0, 64, root);
        raw->vk.CmdDraw(raw->cmd, 3, 1, 0, 0);
    }
}

static void begin_pass(struct raw_vulkan *raw)
{
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
    const VkRect2D area = {{0, 0}, {RECORD_SIDE, RECORD_SIDE}};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = area,
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    raw->vk.CmdBeginRendering(raw->cmd, &info);
    const VkViewport viewport = {0, RECORD_SIDE, RECORD_SIDE, -RECORD_SIDE, 0, 1};
    raw->vk.CmdSetViewport(raw->cmd, 0, 1, &viewport);
    raw->vk.CmdSetScissor(raw->cmd, 0, 1, &area);
}

static void submit_and_wait(struct raw_vulkan *raw)
{
    const VkCommandBufferSubmitInfo cmd = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = raw->cmd};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &cmd};
    need(raw->vk.QueueSubmit2(raw->queue, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS,
         "vkQueueSubmit2");
    need(raw->vk.QueueWaitIdle(raw->queue) == VK_SUCCESS, "vkQueueWaitIdle");
}

uint64_t raw_vulkan_run(struct raw_vulkan *raw, enum record_kind kind, int draws, bool submit)
{
    static const float root[16];
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    need(raw->vk.ResetCommandPool(raw->device, raw->pool, 0) == VK_SUCCESS, "vkResetCommandPool");
    need(raw->vk.BeginCommandBuffer(raw->cmd, &begin) == VK_SUCCESS, "vkBeginCommandBuffer");
    begin_pass(raw);
    raw->vk.CmdBindPipeline(raw->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                            kind == RECORD_TABLE ? raw->tinted : raw->plain[0]);
    const uint64_t start = bench_thread_ns();
    switch (kind) {
    case RECORD_TABLE:
        weft_bench_raw_table(raw, draws, root);
        break;
    case RECORD_PIPELINE:
        weft_bench_raw_pipeline(raw, draws, root);
        break;
    default:
        weft_bench_raw_root(raw, draws, root);
        break;
    }
    const uint64_t time = bench_thread_ns() - start;
    raw->vk.CmdEndRendering(raw->cmd);
    need(raw->vk.EndCommandBuffer(raw->cmd) == VK_SUCCESS, "vkEndCommandBuffer");
    if (submit)
        submit_and_wait(raw);
    return time;
}
