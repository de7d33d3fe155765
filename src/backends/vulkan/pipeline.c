// Pipelines, and the variants of one where state is not dynamic.
#include "backends/vulkan/vulkan.h"

#include "backends/vulkan/mend.h"

#include "base/bits.h"
#include "shader/module.h"

#include <stdio.h>
#include <string.h>

/// Stages of a graphics pipeline; the first is the vertex or the mesh shader.
enum { FIRST, FRAGMENT, TASK, STAGES };

#define ROOT_ALIGNMENT 32u ///< Of a structure with four doubles, the most there is.

/// How to make a graphics pipeline again with other state. `desc` lives as long as the pipeline.
struct wf_vk_recipe {
    const struct wf_hal_graphics_pipeline_desc *desc;
    const struct wf_shader_module *modules[STAGES]; ///< By stage; NULL: it is not there.
    struct wf_shader_module *mended[STAGES];        ///< Those of them that are the pipeline's own.
};

// ---- specialization ----------------------------------------------------------------------------

struct constants {
    VkSpecializationInfo info;
    VkSpecializationMapEntry *entries;
    uint32_t count;
};

/// Bytes that Vulkan wants of a constant.
static size_t constant_size(const struct wf_shader_module *module, uint32_t id)
{
    for (uint32_t i = 0; i < module->constant_count; i++) {
        const struct wf_shader_constant *c = &module->constants[i];
        if (c->spec_id != id)
            continue;
        const struct wf_shader_type *type = wf_shader_type(module, c->type);
        return type && type->width >= 8 ? type->width / 8 : sizeof(VkBool32);
    }
    return sizeof(uint32_t);
}

static bool fill_constants(struct wf_vk_device *dev, const struct wf_hal_stage *stage,
                           const struct wf_shader_module *module, struct constants *out)
{
    *out = (struct constants){.count = stage->constant_count};
    out->entries = wf_base_alloc_array(dev->base.allocator, out->count, sizeof *out->entries);
    if (!out->entries)
        return false;
    for (uint32_t i = 0; i < out->count; i++)
        out->entries[i] = (VkSpecializationMapEntry){
            .constantID = stage->constants[i].id,
            .offset = (uint32_t)(i * sizeof(weft_constant) + offsetof(weft_constant, value)),
            .size = constant_size(module, stage->constants[i].id),
        };
    out->info = (VkSpecializationInfo){
        .mapEntryCount = out->count,
        .pMapEntries = out->entries,
        .dataSize = out->count * sizeof(weft_constant),
        .pData = stage->constants,
    };
    return true;
}

// ---- stages ------------------------------------------------------------------------------------

/// A stage as Vulkan takes it, with what must be freed again.
struct stage {
    VkShaderModule module;
    struct constants constants;
    VkPipelineShaderStageCreateInfo info;
};

static void stage_finish(struct wf_vk_device *dev, struct stage *stage)
{
    if (stage->module)
        dev->vk.DestroyShaderModule(dev->handle, stage->module, NULL);
    wf_base_free(dev->base.allocator, stage->constants.entries,
                 stage->constants.count * sizeof *stage->constants.entries);
}

static VkShaderStageFlagBits stage_bit(uint32_t model)
{
    switch (model) {
    case SpvExecutionModelVertex:
        return VK_SHADER_STAGE_VERTEX_BIT;
    case SpvExecutionModelFragment:
        return VK_SHADER_STAGE_FRAGMENT_BIT;
    case SpvExecutionModelTaskEXT:
        return VK_SHADER_STAGE_TASK_BIT_EXT;
    case SpvExecutionModelMeshEXT:
        return VK_SHADER_STAGE_MESH_BIT_EXT;
    default:
        return VK_SHADER_STAGE_COMPUTE_BIT;
    }
}

static VkResult stage_init(struct wf_vk_device *dev, const struct wf_hal_stage *from,
                           const struct wf_shader_module *module,
                           const struct wf_vk_root_place *root, struct stage *out)
{
    *out = (struct stage){0};
    if (!fill_constants(dev, from, module, &out->constants))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = wf_vk_shader_module(dev, module, root, &out->module);
    out->info = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage_bit(from->entry->model),
        .module = out->module,
        .pName = from->entry->name,
        .pSpecializationInfo = out->constants.count ? &out->constants.info : NULL,
    };
    return result;
}

// ---- layouts -----------------------------------------------------------------------------------

static VkResult make_layout(struct wf_vk_device *dev, struct wf_vk_pipeline *pipeline)
{
    VkDescriptorSetLayout sets[WF_HAL_SLOTS + 1];
    for (uint32_t i = 0; i < WF_HAL_SLOTS; i++) {
        const struct wf_hal_layout *layout = pipeline->layouts[i];
        sets[i] = layout ? ((const struct wf_vk_layout *)layout)->handle : dev->empty_layout;
    }
    sets[WF_VK_HEAP_SET] = dev->heap.layout;
    const VkPushConstantRange range = {dev->root_stages, 0, dev->root_range};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = dev->heap.layout ? WF_HAL_SLOTS + 1 : WF_HAL_SLOTS,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    const VkResult result = pipeline->heap ? wf_vk_heap_need(dev) : VK_SUCCESS;
    return result != VK_SUCCESS
               ? result
               : dev->vk.CreatePipelineLayout(dev->handle, &info, NULL, &pipeline->layout);
}

static bool uses_heap(const struct wf_shader_module *module)
{
    for (uint32_t i = 0; module && i < module->variable_count; i++) {
        if (module->variables[i].set == WF_VK_HEAP_SET)
            return true;
    }
    return false;
}

static struct wf_vk_pipeline *pipeline_new(struct wf_hal_device *hal,
                                           const struct wf_hal_layout *const *layouts,
                                           VkPipelineBindPoint point)
{
    struct wf_vk_pipeline *pipeline = wf_base_alloc_zero(hal->allocator, sizeof *pipeline);
    if (!pipeline)
        return NULL;
    if (!wf_base_mutex_init(&pipeline->lock)) {
        wf_base_free(hal->allocator, pipeline, sizeof *pipeline);
        return NULL;
    }
    pipeline->base.compute = point == VK_PIPELINE_BIND_POINT_COMPUTE;
    pipeline->point = point;
    memcpy(pipeline->layouts, layouts, sizeof pipeline->layouts);
    return pipeline;
}

void wf_vk_pipeline_destroy(struct wf_hal_device *hal, struct wf_hal_pipeline *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_pipeline *pipeline = (struct wf_vk_pipeline *)base;
    for (struct wf_vk_variant *v = pipeline->first, *next; v; v = next) {
        next = v->next;
        dev->vk.DestroyPipeline(dev->handle, v->handle, NULL);
        wf_base_free(hal->allocator, v, sizeof *v);
    }
    if (pipeline->handle)
        dev->vk.DestroyPipeline(dev->handle, pipeline->handle, NULL);
    if (pipeline->layout)
        dev->vk.DestroyPipelineLayout(dev->handle, pipeline->layout, NULL);
    wf_base_mutex_finish(&pipeline->lock);
    for (int i = 0; i < STAGES && pipeline->recipe; i++)
        wf_shader_free(pipeline->recipe->mended[i]);
    wf_base_free(hal->allocator, pipeline->recipe, sizeof *pipeline->recipe);
    wf_base_free(hal->allocator, pipeline, sizeof *pipeline);
}

/// Drivers refuse shaders with VK_ERROR_UNKNOWN and the like.
static bool is_refusal(VkResult result)
{
    return result == VK_ERROR_UNKNOWN || result == VK_ERROR_INVALID_SHADER_NV ||
           result == VK_ERROR_INITIALIZATION_FAILED;
}

/// What a failed build is.
static weft_result build_result(struct wf_vk_device *dev, VkResult result, const char *label,
                                struct wf_shader_error *error)
{
    if (!is_refusal(result))
        return wf_vk_result(dev, result, "building a pipeline");
    *error = (struct wf_shader_error){0};
    (void)snprintf(error->message, sizeof error->message,
                   "The driver of \"%.64s\" cannot build pipeline \"%.64s\" (VkResult %d).",
                   dev->base.caps.name, label, (int)result);
    return WEFT_ERROR_SHADER;
}

// ---- compute -----------------------------------------------------------------------------------

static VkResult build_compute(struct wf_vk_device *dev, struct wf_vk_pipeline *pipeline,
                              const struct wf_hal_compute_pipeline_desc *desc)
{
    struct stage stage = {0};
    const struct wf_shader_module *module = desc->compute.shader->module;
    const struct wf_vk_mend mend = {.entry = desc->compute.entry};
    struct wf_shader_module *mended = NULL;
    VkResult result = make_layout(dev, pipeline);
    if (result == VK_SUCCESS && !wf_vk_mend_module(dev, module, &mend, &mended))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        result = stage_init(dev, &desc->compute, mended ? mended : module,
                            &(struct wf_vk_root_place){0}, &stage);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = stage.info,
        .layout = pipeline->layout,
    };
    if (result == VK_SUCCESS)
        result = dev->vk.CreateComputePipelines(dev->handle, dev->pipeline_cache, 1, &info, NULL,
                                                &pipeline->handle);
    stage_finish(dev, &stage);
    wf_shader_free(mended);
    if (result == VK_SUCCESS)
        wf_vk_name(dev, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline->handle, desc->label);
    return result;
}

weft_result wf_vk_compute_pipeline_create(struct wf_hal_device *hal,
                                          const struct wf_hal_compute_pipeline_desc *desc,
                                          struct wf_hal_pipeline **out,
                                          struct wf_shader_error *error)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_pipeline *pipeline =
        pipeline_new(hal, desc->layouts, VK_PIPELINE_BIND_POINT_COMPUTE);
    if (!pipeline)
        return WEFT_ERROR_MEMORY;
    pipeline->heap = uses_heap(desc->compute.shader->module);
    const weft_result result =
        build_result(dev, build_compute(dev, pipeline, desc), desc->label, error);
    if (result != WEFT_OK) {
        wf_vk_pipeline_destroy(hal, &pipeline->base);
        return result;
    }
    *out = &pipeline->base;
    return WEFT_OK;
}

// ---- graphics ----------------------------------------------------------------------------------

#define MAX_DYNAMIC    20u
#define MAX_ATTRIBUTES 32u

static uint32_t dynamic_states(const struct wf_vk_device *dev, VkDynamicState out[MAX_DYNAMIC])
{
    static const VkDynamicState always[] = {
        VK_DYNAMIC_STATE_VIEWPORT,           VK_DYNAMIC_STATE_SCISSOR,
        VK_DYNAMIC_STATE_DEPTH_BIAS,         VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
        VK_DYNAMIC_STATE_BLEND_CONSTANTS,    VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
        VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, VK_DYNAMIC_STATE_STENCIL_REFERENCE,
        VK_DYNAMIC_STATE_CULL_MODE,          VK_DYNAMIC_STATE_FRONT_FACE,
        VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,  VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
        VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,   VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
        VK_DYNAMIC_STATE_STENCIL_OP,
    };
    uint32_t count = sizeof always / sizeof *always;
    memcpy(out, always, sizeof always);
    if (dev->dynamic_blend) {
        out[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT;
        out[count++] = VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT;
        out[count++] = VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT;
    }
    if (dev->dynamic_fill)
        out[count++] = VK_DYNAMIC_STATE_POLYGON_MODE_EXT;
    return count;
}

/// The fixed state of a graphics pipeline; the parts point at each other.
struct fixed {
    VkVertexInputBindingDescription bindings[WF_VK_STREAMS];
    VkVertexInputAttributeDescription attributes[MAX_ATTRIBUTES];
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineRasterizationLineStateCreateInfoEXT lines;
    VkPipelineRasterizationStateCreateInfo raster;
    VkSampleMask mask;
    VkPipelineMultisampleStateCreateInfo samples;
    VkPipelineDepthStencilStateCreateInfo depth;
    VkPipelineColorBlendAttachmentState targets[WF_HAL_MAX_COLORS];
    VkPipelineColorBlendStateCreateInfo blend;
    VkDynamicState dynamics[MAX_DYNAMIC];
    VkPipelineDynamicStateCreateInfo dynamic;
    VkFormat colors[WF_HAL_MAX_COLORS];
    VkPipelineRenderingCreateInfo rendering;
};

static void fill_input(struct fixed *f, const struct wf_hal_graphics_pipeline_desc *desc)
{
    for (uint32_t i = 0; i < desc->stream_count; i++)
        f->bindings[i] = (VkVertexInputBindingDescription){
            desc->streams[i].slot,
            desc->streams[i].stride,
            desc->streams[i].rate == WEFT_STEP_INSTANCE ? VK_VERTEX_INPUT_RATE_INSTANCE
                                                        : VK_VERTEX_INPUT_RATE_VERTEX,
        };
    for (uint32_t i = 0; i < desc->attribute_count; i++)
        f->attributes[i] = (VkVertexInputAttributeDescription){
            desc->attributes[i].location,
            desc->attributes[i].slot,
            wf_vk_vertex_format(desc->attributes[i].format),
            desc->attributes[i].offset,
        };
    f->input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = desc->stream_count,
        .pVertexBindingDescriptions = f->bindings,
        .vertexAttributeDescriptionCount = desc->attribute_count,
        .pVertexAttributeDescriptions = f->attributes,
    };
    static const VkPrimitiveTopology topologies[] = {
        [WEFT_TOPOLOGY_TRIANGLE_LIST] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        [WEFT_TOPOLOGY_TRIANGLE_STRIP] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        [WEFT_TOPOLOGY_LINE_LIST] = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
        [WEFT_TOPOLOGY_LINE_STRIP] = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
        [WEFT_TOPOLOGY_POINT_LIST] = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    f->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = topologies[desc->topology],
        .primitiveRestartEnable = desc->restart != WEFT_INDEX_NONE,
    };
}

static void fill_raster(const struct wf_vk_device *dev, struct fixed *f,
                        const struct wf_hal_graphics_pipeline_desc *desc, weft_fill fill)
{
    f->viewport = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1,
    };
    // Weft's lines are parallelograms (decision 12), Vulkan's default where lines are not strict.
    f->lines = (VkPipelineRasterizationLineStateCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT,
    };
    f->raster = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .pNext = dev->adapter.lines.rectangularLines ? &f->lines : NULL,
        .depthClampEnable = (desc->flags & WEFT_PIPELINE_DEPTH_CLAMP) != 0,
        .polygonMode = fill == WEFT_FILL_LINE ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL,
        .lineWidth = 1.0F,
    };
    f->mask = desc->sample_mask;
    f->samples = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = (VkSampleCountFlagBits)desc->samples,
        .sampleShadingEnable = (desc->flags & WEFT_PIPELINE_SAMPLE_SHADING) != 0,
        .minSampleShading = 1.0F,
        .pSampleMask = &f->mask,
        .alphaToCoverageEnable = (desc->flags & WEFT_PIPELINE_ALPHA_TO_COVERAGE) != 0,
    };
    f->depth = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .maxDepthBounds = 1.0F,
    };
}

static void fill_targets(const struct wf_vk_device *dev, struct fixed *f,
                         const struct wf_hal_graphics_pipeline_desc *desc,
                         const weft_blend_state *blend)
{
    uint32_t colors = 0;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; i++) {
        f->colors[i] = wf_vk_format(desc->colors[i]);
        f->targets[i] = wf_vk_blend_target(blend, i);
        if (desc->colors[i] != WEFT_FORMAT_NONE)
            colors = i + 1;
    }
    f->blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = colors,
        .pAttachments = f->targets,
    };
    f->dynamic = (VkPipelineDynamicStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = dynamic_states(dev, f->dynamics),
        .pDynamicStates = f->dynamics,
    };
    const VkImageAspectFlags aspects = wf_vk_format_aspects(desc->depth_stencil);
    const VkFormat depth = wf_vk_format(desc->depth_stencil);
    f->rendering = (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = colors,
        .pColorAttachmentFormats = f->colors,
        .depthAttachmentFormat = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? depth : VK_FORMAT_UNDEFINED,
        .stencilAttachmentFormat =
            aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? depth : VK_FORMAT_UNDEFINED,
    };
}

static const struct wf_hal_stage *first_stage(const struct wf_hal_graphics_pipeline_desc *desc)
{
    return desc->mesh.shader ? &desc->mesh : &desc->vertex;
}

static struct wf_vk_root_place root_place(const struct wf_vk_pipeline *pipeline, bool split,
                                          bool fragment)
{
    if (split && pipeline->root_shift == 0)
        return (struct wf_vk_root_place){fragment ? sizeof(VkDeviceAddress) : 0, true};
    return (struct wf_vk_root_place){split && fragment ? pipeline->root_shift : 0, false};
}

static VkResult build_stages(struct wf_vk_device *dev, const struct wf_vk_pipeline *pipeline,
                             bool split, struct stage stages[STAGES], uint32_t *count)
{
    const struct wf_hal_graphics_pipeline_desc *desc = pipeline->recipe->desc;
    const struct wf_hal_stage *from[STAGES] = {first_stage(desc), &desc->fragment, &desc->task};
    VkResult result = VK_SUCCESS;
    *count = 0;
    for (uint32_t i = 0; i < STAGES && result == VK_SUCCESS; i++) {
        const struct wf_shader_module *module = pipeline->recipe->modules[i];
        if (!module)
            continue;
        const struct wf_vk_root_place root = root_place(pipeline, split, i == FRAGMENT);
        result = stage_init(dev, from[i], module, &root, &stages[*count]);
        ++*count;
    }
    return result;
}

static VkResult build_variant(struct wf_vk_device *dev, struct wf_vk_pipeline *pipeline,
                              struct wf_vk_variant *variant)
{
    const struct wf_hal_graphics_pipeline_desc *desc = pipeline->recipe->desc;
    struct stage stages[STAGES] = {0};
    uint32_t stage_count;
    VkResult result = build_stages(dev, pipeline, variant->split, stages, &stage_count);
    const VkPipelineShaderStageCreateInfo infos[STAGES] = {stages[0].info, stages[1].info,
                                                           stages[2].info};
    struct fixed f;
    fill_input(&f, desc);
    fill_raster(dev, &f, desc, variant->fill);
    fill_targets(dev, &f, desc, &variant->blend);
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &f.rendering,
        .stageCount = stage_count,
        .pStages = infos,
        .pVertexInputState = desc->mesh.shader ? NULL : &f.input,
        .pInputAssemblyState = desc->mesh.shader ? NULL : &f.assembly,
        .pViewportState = &f.viewport,
        .pRasterizationState = &f.raster,
        .pMultisampleState = &f.samples,
        .pDepthStencilState = &f.depth,
        .pColorBlendState = &f.blend,
        .pDynamicState = &f.dynamic,
        .layout = pipeline->layout,
    };
    if (result == VK_SUCCESS)
        result = dev->vk.CreateGraphicsPipelines(dev->handle, dev->pipeline_cache, 1, &info, NULL,
                                                 &variant->handle);
    for (uint32_t i = 0; i < STAGES; i++)
        stage_finish(dev, &stages[i]);
    if (result == VK_SUCCESS)
        wf_vk_name(dev, VK_OBJECT_TYPE_PIPELINE, (uint64_t)variant->handle, desc->label);
    return result;
}

// ---- variants ----------------------------------------------------------------------------------

static bool equation_equal(const weft_blend_equation *a, const weft_blend_equation *b)
{
    return a->src == b->src && a->dst == b->dst && a->op == b->op;
}

bool wf_vk_blend_equal(const weft_blend_state *a, const weft_blend_state *b)
{
    if (a->independent != b->independent)
        return false;
    const uint32_t count = a->independent ? WF_HAL_MAX_COLORS : 1;
    for (uint32_t i = 0; i < count; i++) {
        const weft_blend_target *x = &a->targets[i], *y = &b->targets[i];
        if (x->enable != y->enable || x->mask != y->mask || !equation_equal(&x->color, &y->color) ||
            !equation_equal(&x->alpha, &y->alpha))
            return false;
    }
    return true;
}

static struct wf_vk_variant *find_variant(const struct wf_vk_device *dev,
                                          struct wf_vk_pipeline *pipeline,
                                          const weft_blend_state *blend, weft_fill fill, bool split)
{
    struct wf_vk_variant *v = pipeline->first;
    for (; v; v = v->next) {
        if (v->split == split && (dev->dynamic_fill || v->fill == fill) &&
            (dev->dynamic_blend || wf_vk_blend_equal(&v->blend, blend)))
            break;
    }
    return v;
}

static VkResult add_variant(struct wf_vk_device *dev, struct wf_vk_pipeline *pipeline,
                            const weft_blend_state *blend, weft_fill fill, bool split,
                            VkPipeline *out)
{
    struct wf_vk_variant *variant = wf_base_alloc_zero(dev->base.allocator, sizeof *variant);
    if (!variant)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    variant->blend = *blend;
    variant->fill = fill;
    variant->split = split;
    const VkResult result = build_variant(dev, pipeline, variant);
    if (result != VK_SUCCESS) {
        wf_base_free(dev->base.allocator, variant, sizeof *variant);
        return result;
    }
    *out = variant->handle;
    variant->next = pipeline->first;
    pipeline->first = variant;
    return VK_SUCCESS;
}

weft_result wf_vk_pipeline_variant(struct wf_vk_device *dev, struct wf_vk_pipeline *pipeline,
                                   const weft_blend_state *blend, weft_fill fill, bool split,
                                   VkPipeline *out)
{
    const struct wf_vk_variant *found = find_variant(dev, pipeline, blend, fill, split);
    if (found) {
        *out = found->handle;
        return WEFT_OK;
    }
    VkResult result = VK_SUCCESS;
    wf_base_mutex_lock(&pipeline->lock);
    found = find_variant(dev, pipeline, blend, fill, split); // another thread may have made it
    if (found)
        *out = found->handle;
    else
        result = add_variant(dev, pipeline, blend, fill, split, out);
    wf_base_mutex_unlock(&pipeline->lock);
    if (!is_refusal(result))
        return wf_vk_result(dev, result, "building a variant of a pipeline");
    wf_base_log(dev->base.log, WF_BASE_LOG_ERROR,
                "Vulkan: the driver cannot build a variant of pipeline \"%.64s\" (VkResult %d)",
                pipeline->recipe->desc->label, (int)result);
    return WEFT_ERROR_SHADER;
}

static const struct wf_shader_module *module_of(const struct wf_hal_stage *stage)
{
    return stage->shader ? stage->shader->module : NULL;
}

/// Locations that are read as signed normalised integers.
static uint32_t snorm_inputs(const struct wf_hal_graphics_pipeline_desc *desc)
{
    uint32_t snorm = 0;
    for (uint32_t i = 0; i < desc->attribute_count; i++) {
        const weft_vertex_attribute *a = &desc->attributes[i];
        const bool is_snorm =
            (a->format >= WEFT_VERTEX_FORMAT_SNORM8 && a->format <= WEFT_VERTEX_FORMAT_SNORM8X4) ||
            (a->format >= WEFT_VERTEX_FORMAT_SNORM16 && a->format <= WEFT_VERTEX_FORMAT_SNORM16X4);
        snorm |= is_snorm && a->location < 32 ? 1u << a->location : 0;
    }
    return snorm;
}

static VkResult mend_modules(const struct wf_vk_device *dev, struct wf_vk_recipe *recipe)
{
    const struct wf_hal_graphics_pipeline_desc *desc = recipe->desc;
    const struct wf_shader_module *vertex = module_of(&desc->vertex),
                                  *fragment = module_of(&desc->fragment);
    const uint32_t linear = vertex && fragment ? wf_vk_linear_varyings(vertex, fragment) : 0;
    const struct wf_vk_mend mends[STAGES] = {
        [FIRST] = {first_stage(desc)->entry, snorm_inputs(desc), linear},
        [FRAGMENT] = {desc->fragment.entry, 0, linear},
        [TASK] = {desc->task.entry, 0, 0},
    };
    for (int i = 0; i < STAGES; i++) {
        struct wf_shader_module **mended = &recipe->mended[i];
        if (!recipe->modules[i])
            continue;
        if (!wf_vk_mend_module(dev, recipe->modules[i], &mends[i], mended))
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        if (*mended)
            recipe->modules[i] = *mended;
    }
    return VK_SUCCESS;
}

/// Which bytes of the root block the stages declare, and where the fragment stage finds its own.
static void root_ranges(const struct wf_vk_device *dev, struct wf_vk_pipeline *pipeline)
{
    const struct wf_shader_module *const *modules = pipeline->recipe->modules;
    if (!modules[FIRST] || !modules[FRAGMENT])
        return;
    uint32_t begin[STAGES] = {0}, end[STAGES] = {0};
    for (int i = 0; i < STAGES; i++) {
        begin[i] = UINT32_MAX;
        if (modules[i])
            wf_vk_root_range(modules[i], &begin[i], &end[i]);
    }
    pipeline->fragment_begin = begin[FRAGMENT];
    pipeline->fragment_end = end[FRAGMENT];
    const uint32_t before_begin = wf_base_min_u32(begin[FIRST], begin[TASK]);
    const uint32_t before_end = wf_base_max_u32(end[FIRST], end[TASK]);
    pipeline->shared_begin = wf_base_max_u32(before_begin, begin[FRAGMENT]);
    pipeline->shared_end = wf_base_min_u32(before_end, end[FRAGMENT]);
    const uint32_t shift = (uint32_t)wf_base_align_up(before_end, ROOT_ALIGNMENT);
    pipeline->root_shift = shift + end[FRAGMENT] <= dev->root_range ? shift : 0;
}

weft_result wf_vk_graphics_pipeline_create(struct wf_hal_device *hal,
                                           const struct wf_hal_graphics_pipeline_desc *desc,
                                           struct wf_hal_pipeline **out,
                                           struct wf_shader_error *error)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_pipeline *pipeline =
        pipeline_new(hal, desc->layouts, VK_PIPELINE_BIND_POINT_GRAPHICS);
    if (!pipeline)
        return WEFT_ERROR_MEMORY;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    pipeline->recipe = wf_base_alloc_zero(hal->allocator, sizeof *pipeline->recipe);
    if (pipeline->recipe) {
        *pipeline->recipe = (struct wf_vk_recipe){
            desc,
            {module_of(first_stage(desc)), module_of(&desc->fragment), module_of(&desc->task)},
            {NULL},
        };
        for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; i++)
            pipeline->colors |= desc->colors[i] != WEFT_FORMAT_NONE;
        for (int i = 0; i < STAGES; i++)
            pipeline->heap |= uses_heap(pipeline->recipe->modules[i]);
        root_ranges(dev, pipeline);
        result = mend_modules(dev, pipeline->recipe);
        if (result == VK_SUCCESS)
            result = make_layout(dev, pipeline);
    }
    for (uint32_t i = 0; i < desc->state_count && result == VK_SUCCESS; i++) {
        const weft_pipeline_state *state = &desc->states[i];
        VkPipeline made;
        if (!find_variant(dev, pipeline, &state->blend, state->raster.fill, false))
            result = add_variant(dev, pipeline, &state->blend, state->raster.fill, false, &made);
    }
    const weft_result done = build_result(dev, result, desc->label, error);
    if (done != WEFT_OK) {
        wf_vk_pipeline_destroy(hal, &pipeline->base);
        return done;
    }
    *out = &pipeline->base;
    return WEFT_OK;
}
