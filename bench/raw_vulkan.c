#include "raw_vulkan.h"

#include "raw_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.frag.spv.h"
#include "record.vert.spv.h"
#include "record_table.frag.spv.h"

struct raw_vulkan {
    struct raw_device dev;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline plain[2], tinted;
    struct raw_buffer buffer;
    VkDescriptorPool sets_pool;
    VkDescriptorSet sets[2];
};

enum { TINT_STRIDE = 256 }; // the largest offset alignment that Vulkan allows

// ---- resources ----------------------------------------------------------------------------------

static void make_buffer(struct raw_vulkan *raw)
{
    raw_buffer_open(&raw->dev, (VkDeviceSize)2 * TINT_STRIDE, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                    &raw->buffer);
    float *tints = raw->buffer.bytes;
    for (size_t i = 0; i < 2; ++i)
        for (size_t k = 0; k < 4; ++k)
            tints[i * (TINT_STRIDE / sizeof(float)) + k] = k == 3 ? 1 : (float)i;
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
    raw_need(raw->dev.vk.CreateDescriptorSetLayout(raw->dev.device, &set, NULL, &raw->set_layout) ==
                 VK_SUCCESS,
             "vkCreateDescriptorSetLayout");
    const VkPushConstantRange root = {
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, .size = 64};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &raw->set_layout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &root};
    raw_need(raw->dev.vk.CreatePipelineLayout(raw->dev.device, &info, NULL, &raw->layout) ==
                 VK_SUCCESS,
             "vkCreatePipelineLayout");
}

static void make_sets(struct raw_vulkan *raw)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 2,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    raw_need(raw->dev.vk.CreateDescriptorPool(raw->dev.device, &pool, NULL, &raw->sets_pool) ==
                 VK_SUCCESS,
             "vkCreateDescriptorPool");
    const VkDescriptorSetLayout layouts[2] = {raw->set_layout, raw->set_layout};
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = raw->sets_pool,
                                              .descriptorSetCount = 2,
                                              .pSetLayouts = layouts};
    raw_need(raw->dev.vk.AllocateDescriptorSets(raw->dev.device, &info, raw->sets) == VK_SUCCESS,
             "vkAllocateDescriptorSets");
    for (uint32_t i = 0; i < 2; ++i) {
        const VkDescriptorBufferInfo tint = {raw->buffer.handle, (VkDeviceSize)i * TINT_STRIDE, 16};
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = raw->sets[i],
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                            .pBufferInfo = &tint};
        raw->dev.vk.UpdateDescriptorSets(raw->dev.device, 1, &write, 0, NULL);
    }
}

static void make_pipelines(struct raw_vulkan *raw)
{
    VkShaderModule vertex = raw_module(&raw->dev, record_vert, sizeof record_vert);
    VkShaderModule fragment = raw_module(&raw->dev, record_frag, sizeof record_frag);
    VkShaderModule tinted = raw_module(&raw->dev, record_table_frag, sizeof record_table_frag);
    struct raw_pipeline_desc desc = {
        .layout = raw->layout, .vertex = vertex, .fragment = fragment, .cull = VK_CULL_MODE_NONE};
    raw->plain[0] = raw_pipeline(&raw->dev, &desc);
    desc.cull = VK_CULL_MODE_BACK_BIT;
    raw->plain[1] = raw_pipeline(&raw->dev, &desc);
    desc.cull = VK_CULL_MODE_NONE;
    desc.fragment = tinted;
    raw->tinted = raw_pipeline(&raw->dev, &desc);
    raw->dev.vk.DestroyShaderModule(raw->dev.device, vertex, NULL);
    raw->dev.vk.DestroyShaderModule(raw->dev.device, fragment, NULL);
    raw->dev.vk.DestroyShaderModule(raw->dev.device, tinted, NULL);
}

struct raw_vulkan *raw_vulkan_open(void)
{
    struct raw_vulkan *raw = calloc(1, sizeof *raw);
    raw_need(raw, "allocating memory");
    raw_adapter_open(&raw->dev);
    const VkPhysicalDeviceVulkan13Features features = raw_features(NULL);
    raw_device_open(&raw->dev, NULL, 0, &features);
    make_buffer(raw);
    make_layouts(raw);
    make_sets(raw);
    make_pipelines(raw);
    return raw;
}

void raw_vulkan_close(struct raw_vulkan *raw)
{
    const struct raw_functions *vk = &raw->dev.vk;
    VkDevice device = raw->dev.device;
    vk->DestroyDescriptorPool(device, raw->sets_pool, NULL);
    for (int i = 0; i < 2; ++i)
        vk->DestroyPipeline(device, raw->plain[i], NULL);
    vk->DestroyPipeline(device, raw->tinted, NULL);
    vk->DestroyPipelineLayout(device, raw->layout, NULL);
    vk->DestroyDescriptorSetLayout(device, raw->set_layout, NULL);
    raw_buffer_close(&raw->dev, &raw->buffer);
    raw_device_close(&raw->dev);
    free(raw);
}

const char *raw_vulkan_name(const struct raw_vulkan *raw)
{
    return raw->dev.name;
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
    const struct raw_device *dev = &raw->dev;
    for (int i = 0; i < draws; ++i) {
        dev->vk.CmdPushConstants(dev->cmd, raw->layout, root_stages, 0, 64, root);
        dev->vk.CmdDraw(dev->cmd, 3, 1, 0, 0);
    }
}

__attribute__((noinline)) void weft_bench_raw_table(const struct raw_vulkan *raw, int draws,
                                                    const float root[16])
{
    const struct raw_device *dev = &raw->dev;
    for (int i = 0; i < draws; ++i) {
        dev->vk.CmdPushConstants(dev->cmd, raw->layout, root_stages, 0, 64, root);
        dev->vk.CmdBindDescriptorSets(dev->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, raw->layout, 0, 1,
                                      &raw->sets[i & 1], 0, NULL);
        dev->vk.CmdDraw(dev->cmd, 3, 1, 0, 0);
    }
}

__attribute__((noinline)) void weft_bench_raw_pipeline(const struct raw_vulkan *raw, int draws,
                                                       const float root[16])
{
    const struct raw_device *dev = &raw->dev;
    for (int i = 0; i < draws; ++i) {
        dev->vk.CmdBindPipeline(dev->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, raw->plain[i & 1]);
        dev->vk.CmdPushConstants(dev->cmd, raw->layout, root_stages, 0, 64, root);
        dev->vk.CmdDraw(dev->cmd, 3, 1, 0, 0);
    }
}

uint64_t raw_vulkan_run(struct raw_vulkan *raw, enum record_kind kind, int draws, bool submit)
{
    static const float root[16];
    raw_begin_pass(&raw->dev);
    raw->dev.vk.CmdBindPipeline(raw->dev.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
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
    raw_end_pass(&raw->dev, submit);
    return time;
}

// ---- buffer writes ------------------------------------------------------------------------------

/// A frame of writes.
struct writes {
    uint32_t count;
    bool apart; ///< Each into a buffer of its own.
    struct raw_buffer from, *to;
    VkBufferCopy *regions;
};

static void record_writes(struct raw_device *raw, const struct writes *w)
{
    static const uint8_t data[256] = {1, 2, 3};
    for (uint32_t i = 0; i < w->count; ++i) {
        memcpy((uint8_t *)w->from.bytes + w->regions[i].srcOffset, data, w->regions[i].size);
        if (w->apart)
            raw->vk.CmdCopyBuffer(raw->cmd, w->from.handle, w->to[i].handle, 1, &w->regions[i]);
    }
    if (!w->apart)
        raw->vk.CmdCopyBuffer(raw->cmd, w->from.handle, w->to->handle, w->count, w->regions);
}

static uint64_t time_writes(struct raw_device *raw, const struct writes *w)
{
    raw_begin(raw);
    const uint64_t start = bench_thread_ns();
    record_writes(raw, w);
    const uint64_t time = bench_thread_ns() - start;
    raw_end(raw, true);
    return time;
}

uint64_t raw_vulkan_writes(struct raw_vulkan *raw, uint32_t count, uint32_t bytes, uint32_t step,
                           bool shuffled, int frames)
{
    struct writes w = {.count = count, .apart = step == 0};
    const uint32_t buffers = w.apart ? count : 1;
    w.to = calloc(buffers, sizeof *w.to);
    w.regions = calloc(count, sizeof *w.regions);
    raw_need(w.to && w.regions, "memory");
    for (uint32_t i = 0; i < buffers; ++i)
        raw_buffer_open(&raw->dev, w.apart ? bytes : (VkDeviceSize)count * step,
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT, &w.to[i]);
    raw_buffer_open(&raw->dev, (VkDeviceSize)count * bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                    &w.from);
    for (uint32_t i = 0; i < count; ++i)
        w.regions[i] = (VkBufferCopy){(VkDeviceSize)i * bytes,
                                      (VkDeviceSize)(shuffled ? i * 617 % count : i) * step, bytes};
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < frames; ++i) {
        const uint64_t time = time_writes(&raw->dev, &w);
        best = time < best ? time : best;
    }
    for (uint32_t i = 0; i < buffers; ++i)
        raw_buffer_close(&raw->dev, &w.to[i]);
    raw_buffer_close(&raw->dev, &w.from);
    free(w.to);
    free(w.regions);
    return best;
}
