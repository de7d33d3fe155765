// Making mips: a pass for each mip and layer that averages the one above by area. (Blitting has
// another filter where a side is odd.)
#include "backends/vulkan/vulkan.h"

#include "backends/vulkan/shaders.h"
#include "base/bits.h"
#include "base/unpack.h"

#include <assert.h>
#include <string.h>

#define KINDS 3u

struct pipeline {
    struct pipeline *next;
    weft_format format;
    uint32_t kind;
    VkPipeline handle;
};

struct wf_vk_mips_device {
    struct wf_hal_layout *layout; ///< One sampled texture.
    VkPipelineLayout native;
    VkShaderModule vertex, fragments[KINDS];
    struct pipeline *pipelines;
};

/// Of one texture. Levels count from 0, which makes mip 1.
struct wf_vk_mips {
    VkPipeline pipeline;
    uint32_t level_count, target_count;
    struct wf_hal_texture_view **sources; ///< By level: mip `level`, all layers.
    struct wf_hal_table **tables;         ///< By level.
    VkImageView *targets;                 ///< By level, then layer or slice.
};

/// As the shader declares it.
struct root {
    int32_t from[3], slice, to[3];
};

static uint32_t kind_of(const weft_texture_desc *desc)
{
    return desc->kind == WEFT_TEXTURE_1D ? 0 : desc->kind == WEFT_TEXTURE_3D ? 2 : 1;
}

static uint32_t side(uint32_t size, uint32_t mip)
{
    return wf_base_max_u32(size >> mip, 1);
}

static uint32_t slices(const weft_texture_desc *desc, uint32_t mip)
{
    return desc->kind == WEFT_TEXTURE_3D ? side(desc->depth, mip) : desc->layers;
}

// ---- what all textures share; mips_lock is held ----------------------------------------------

/// The words of all modules, in the order of mips_modules. NULL when out of memory.
static uint32_t *unpack_words(const struct wf_base_allocator *allocator)
{
    uint32_t *words = wf_base_alloc(allocator, MIPS_MODULES_SIZE);
    if (!words)
        return NULL;
    uint8_t *bytes = (uint8_t *)words;
    const bool whole = wf_base_unpack(mips_modules, sizeof mips_modules, bytes, MIPS_MODULES_SIZE);
    assert(whole && "what the build packed is damaged");
    (void)whole;
    for (size_t i = 0; i < MIPS_MODULES_SIZE / 4; i++, bytes += 4)
        words[i] = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                   (uint32_t)bytes[3] << 24;
    return words;
}

static VkResult make_modules(struct wf_vk_device *dev, struct wf_vk_mips_device *m)
{
    const struct {
        size_t words;
        VkShaderModule *out;
    } modules[] = {
        {MIPS_VERTEX_WORDS, &m->vertex},
        {MIPS_1D_WORDS, &m->fragments[0]},
        {MIPS_2D_WORDS, &m->fragments[1]},
        {MIPS_3D_WORDS, &m->fragments[2]},
    };
    uint32_t *const words = unpack_words(dev->base.allocator);
    if (!words)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const uint32_t *at = words;
    VkResult result = VK_SUCCESS;
    for (size_t i = 0; i < sizeof modules / sizeof *modules && result == VK_SUCCESS; i++) {
        const VkShaderModuleCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = modules[i].words * sizeof *at,
            .pCode = at,
        };
        result = dev->vk.CreateShaderModule(dev->handle, &info, NULL, modules[i].out);
        at += modules[i].words;
    }
    wf_base_free(dev->base.allocator, words, MIPS_MODULES_SIZE);
    return result;
}

static VkResult make_native(struct wf_vk_device *dev, struct wf_vk_mips_device *m)
{
    const VkPushConstantRange range = {dev->root_stages, 0, dev->root_range};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &((struct wf_vk_layout *)m->layout)->handle,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return dev->vk.CreatePipelineLayout(dev->handle, &info, NULL, &m->native);
}

void wf_vk_mips_finish(struct wf_vk_device *dev)
{
    struct wf_vk_mips_device *m = dev->mips;
    if (!m)
        return;
    while (m->pipelines) {
        struct pipeline *p = m->pipelines;
        m->pipelines = p->next;
        dev->vk.DestroyPipeline(dev->handle, p->handle, NULL);
        wf_base_free(dev->base.allocator, p, sizeof *p);
    }
    for (uint32_t i = 0; i < KINDS; i++) {
        if (m->fragments[i])
            dev->vk.DestroyShaderModule(dev->handle, m->fragments[i], NULL);
    }
    if (m->vertex)
        dev->vk.DestroyShaderModule(dev->handle, m->vertex, NULL);
    if (m->native)
        dev->vk.DestroyPipelineLayout(dev->handle, m->native, NULL);
    if (m->layout)
        wf_vk_layout_destroy(&dev->base, m->layout);
    wf_base_free(dev->base.allocator, m, sizeof *m);
    dev->mips = NULL;
}

static weft_result device_init(struct wf_vk_device *dev)
{
    static const struct wf_hal_argument source = {
        .count = 1,
        .type = WEFT_ARGUMENT_SAMPLED_TEXTURE,
        .stages = WEFT_SHADER_STAGE_FRAGMENT,
    };
    if (dev->mips)
        return WEFT_OK;
    dev->mips = wf_base_alloc_zero(dev->base.allocator, sizeof *dev->mips);
    if (!dev->mips)
        return WEFT_ERROR_MEMORY;
    weft_result result = wf_vk_layout_create(&dev->base, &source, 1, &dev->mips->layout);
    if (result == WEFT_OK)
        result = wf_vk_result(dev, make_native(dev, dev->mips), "preparing to make mips");
    if (result == WEFT_OK)
        result = wf_vk_result(dev, make_modules(dev, dev->mips), "preparing to make mips");
    if (result != WEFT_OK)
        wf_vk_mips_finish(dev);
    return result;
}

/// The fixed state of the pass: nothing is tested, blended or culled.
static VkResult build(struct wf_vk_device *dev, struct pipeline *p)
{
    const struct wf_vk_mips_device *m = dev->mips;
    const VkShaderModule modules[2] = {m->vertex, m->fragments[p->kind]};
    VkPipelineShaderStageCreateInfo stages[2];
    for (int i = 0; i < 2; i++)
        stages[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT,
            .module = modules[i],
            .pName = "main",
        };
    const VkFormat format = wf_vk_format(p->format);
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
    };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .lineWidth = 1.0F,
    };
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkPipelineColorBlendAttachmentState target = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &target,
    };
    const VkDynamicState dynamics[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 2,
        .pDynamicStates = dynamics,
    };
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
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
        .layout = m->native,
    };
    return dev->vk.CreateGraphicsPipelines(dev->handle, dev->pipeline_cache, 1, &info, NULL,
                                           &p->handle);
}

static weft_result pipeline_for(struct wf_vk_device *dev, weft_format format, uint32_t kind,
                                VkPipeline *out)
{
    for (const struct pipeline *p = dev->mips->pipelines; p; p = p->next) {
        if (p->format == format && p->kind == kind) {
            *out = p->handle;
            return WEFT_OK;
        }
    }
    struct pipeline *p = wf_base_alloc_zero(dev->base.allocator, sizeof *p);
    if (!p)
        return WEFT_ERROR_MEMORY;
    p->format = format;
    p->kind = kind;
    const weft_result result = wf_vk_result(dev, build(dev, p), "preparing to make mips");
    if (result != WEFT_OK) {
        wf_base_free(dev->base.allocator, p, sizeof *p);
        return result;
    }
    p->next = dev->mips->pipelines;
    dev->mips->pipelines = p;
    *out = p->handle;
    return WEFT_OK;
}

// ---- one texture -------------------------------------------------------------------------------

void wf_vk_mips_drop(struct wf_vk_device *dev, struct wf_vk_texture *tex)
{
    struct wf_vk_mips *m = tex->mips;
    if (!m)
        return;
    for (uint32_t i = 0; m->tables && i < m->level_count; i++) {
        if (m->tables[i])
            wf_vk_table_destroy(&dev->base, m->tables[i]);
    }
    for (uint32_t i = 0; m->sources && i < m->level_count; i++) {
        if (m->sources[i])
            wf_vk_texture_view_destroy(&dev->base, m->sources[i]);
    }
    for (uint32_t i = 0; m->targets && i < m->target_count; i++) {
        if (m->targets[i])
            dev->vk.DestroyImageView(dev->handle, m->targets[i], NULL);
    }
    const struct wf_base_allocator *a = dev->base.allocator;
    wf_base_free(a, m->tables, m->level_count * sizeof(struct wf_hal_table *));
    wf_base_free(a, m->sources, m->level_count * sizeof(struct wf_hal_texture_view *));
    wf_base_free(a, m->targets, m->target_count * sizeof(VkImageView));
    wf_base_free(a, m, sizeof *m);
    tex->mips = NULL;
}

static weft_result make_source(struct wf_vk_device *dev, struct wf_vk_texture *tex, uint32_t level)
{
    static const weft_view_kind kinds[KINDS] = {WEFT_VIEW_1D_ARRAY, WEFT_VIEW_2D_ARRAY,
                                                WEFT_VIEW_3D};
    const weft_texture_desc *of = &tex->base.desc;
    const weft_texture_view_desc desc = {
        .kind = kinds[kind_of(of)],
        .format = of->format,
        .mip = level,
        .mip_count = 1,
        .layer_count = of->layers,
        .aspect = WEFT_ASPECT_COLOR,
    };
    struct wf_vk_mips *m = tex->mips;
    weft_result result =
        wf_vk_texture_view_create(&dev->base, &tex->base, &desc, &m->sources[level]);
    if (result == WEFT_OK)
        result = wf_vk_table_create(&dev->base, dev->mips->layout, &m->tables[level]);
    const struct wf_hal_write write = {.view = m->sources[level]};
    if (result == WEFT_OK)
        result = wf_vk_table_write(&dev->base, m->tables[level], &write, 1);
    return result;
}

static weft_result make_target(struct wf_vk_device *dev, struct wf_vk_texture *tex, uint32_t mip,
                               uint32_t slice, VkImageView *out)
{
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = &usage,
        .image = tex->handle,
        .viewType =
            tex->base.desc.kind == WEFT_TEXTURE_1D ? VK_IMAGE_VIEW_TYPE_1D : VK_IMAGE_VIEW_TYPE_2D,
        .format = wf_vk_format(tex->base.desc.format),
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 1, slice, 1},
    };
    return wf_vk_result(dev, dev->vk.CreateImageView(dev->handle, &info, NULL, out),
                        "preparing to make mips");
}

static weft_result make_views(struct wf_vk_device *dev, struct wf_vk_texture *tex)
{
    struct wf_vk_mips *m = tex->mips;
    weft_result result = WEFT_OK;
    uint32_t at = 0;
    for (uint32_t level = 0; level < m->level_count && result == WEFT_OK; level++) {
        result = make_source(dev, tex, level);
        const uint32_t count = slices(&tex->base.desc, level + 1);
        for (uint32_t i = 0; i < count && result == WEFT_OK; i++)
            result = make_target(dev, tex, level + 1, i, &m->targets[at++]);
    }
    return result;
}

static weft_result texture_init(struct wf_vk_device *dev, struct wf_vk_texture *tex)
{
    const struct wf_base_allocator *a = dev->base.allocator;
    const weft_texture_desc *desc = &tex->base.desc;
    if (tex->mips)
        return WEFT_OK;
    struct wf_vk_mips *m = wf_base_alloc_zero(a, sizeof *m);
    if (!m)
        return WEFT_ERROR_MEMORY;
    tex->mips = m;
    m->level_count = desc->mips - 1;
    for (uint32_t mip = 1; mip < desc->mips; mip++)
        m->target_count += slices(desc, mip);
    m->sources = wf_base_alloc_array(a, m->level_count, sizeof(struct wf_hal_texture_view *));
    m->tables = wf_base_alloc_array(a, m->level_count, sizeof(struct wf_hal_table *));
    m->targets = wf_base_alloc_array(a, m->target_count, sizeof(VkImageView));
    weft_result result = WEFT_ERROR_MEMORY;
    if (m->sources && m->tables && m->targets)
        result = pipeline_for(dev, desc->format, kind_of(desc), &m->pipeline);
    if (result == WEFT_OK)
        result = make_views(dev, tex);
    if (result != WEFT_OK)
        wf_vk_mips_drop(dev, tex);
    return result;
}

static weft_result prepare(struct wf_vk_device *dev, struct wf_vk_texture *tex)
{
    wf_base_mutex_lock(&dev->mips_lock);
    weft_result result = device_init(dev);
    if (result == WEFT_OK)
        result = texture_init(dev, tex);
    wf_base_mutex_unlock(&dev->mips_lock);
    return result;
}

// ---- recording ---------------------------------------------------------------------------------

static void draw(struct wf_vk_command *cmd, const struct wf_vk_texture *tex, uint32_t mip,
                 uint32_t slice, VkImageView target)
{
    const struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    const struct wf_vk_functions *vk = cmd->vk;
    const weft_texture_desc *desc = &tex->base.desc;
    const uint32_t sizes[3] = {desc->width, desc->height, desc->depth};
    struct root root = {.slice = (int32_t)slice};
    for (int i = 0; i < 3; i++) {
        root.from[i] = (int32_t)side(sizes[i], mip - 1);
        root.to[i] = (int32_t)side(sizes[i], mip);
    }
    const VkRect2D area = {{0, 0}, {(uint32_t)root.to[0], (uint32_t)root.to[1]}};
    const VkViewport viewport = {0, 0, (float)root.to[0], (float)root.to[1], 0, 1};
    const VkRenderingAttachmentInfo attachment = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = target,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = area,
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = &attachment,
    };
    vk->CmdBeginRendering(cmd->handle, &rendering);
    vk->CmdSetViewport(cmd->handle, 0, 1, &viewport);
    vk->CmdSetScissor(cmd->handle, 0, 1, &area);
    vk->CmdPushConstants(cmd->handle, dev->root_layout, dev->root_stages, 0, sizeof root, &root);
    vk->CmdDraw(cmd->handle, 3, 1, 0, 0);
    vk->CmdEndRendering(cmd->handle);
}

/// What the encoder and later passes had set is set no more, or again.
static void restore(struct wf_vk_command *cmd)
{
    const struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    wf_vk_command_forget(cmd);
    cmd->vk->CmdPushConstants(cmd->handle, dev->root_layout, dev->root_stages, 0, WF_VK_ROOT_BYTES,
                              cmd->root[0]);
}

void wf_vk_cmd_generate_mips(struct wf_hal_command *base, struct wf_hal_texture *hal)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    struct wf_vk_device *dev = wf_vk_device(base->dev);
    struct wf_vk_texture *tex = wf_vk_texture(hal);
    const weft_result result =
        base->queue == WEFT_QUEUE_GRAPHICS ? prepare(dev, tex) : WEFT_ERROR_UNSUPPORTED;
    if (result != WEFT_OK) {
        wf_vk_command_fail(cmd, result);
        return;
    }
    const struct wf_vk_mips *m = tex->mips;
    const VkImageView *target = m->targets;
    cmd->vk->CmdBindPipeline(cmd->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, m->pipeline);
    for (uint32_t level = 0; level < m->level_count; level++) {
        const struct wf_vk_table *table = (const struct wf_vk_table *)m->tables[level];
        cmd->vk->CmdBindDescriptorSets(cmd->handle, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                       dev->mips->native, 0, 1, &table->set, 0, NULL);
        const uint32_t count = slices(&hal->desc, level + 1);
        for (uint32_t i = 0; i < count; i++)
            draw(cmd, tex, level + 1, i, *target++);
        if (level + 1 < m->level_count)
            wf_vk_memory_barrier(cmd, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                 VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                                 VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                 VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
    }
    restore(cmd);
}
