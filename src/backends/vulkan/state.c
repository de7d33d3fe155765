// Values of Vulkan for values of Weft.
#include "backends/vulkan/vulkan.h"

VkCompareOp wf_vk_compare(weft_compare compare, VkCompareOp otherwise)
{
    // The orders are the same, but for the default in front.
    return compare == WEFT_COMPARE_DEFAULT ? otherwise : (VkCompareOp)(compare - 1);
}

VkStencilOp wf_vk_stencil_op(weft_stencil_op op)
{
    return (VkStencilOp)op; // the orders are the same
}

static VkBlendFactor factor(weft_blend_factor name, VkBlendFactor otherwise)
{
    static const VkBlendFactor factors[] = {
        [WEFT_BLEND_ZERO] = VK_BLEND_FACTOR_ZERO,
        [WEFT_BLEND_ONE] = VK_BLEND_FACTOR_ONE,
        [WEFT_BLEND_SRC] = VK_BLEND_FACTOR_SRC_COLOR,
        [WEFT_BLEND_ONE_MINUS_SRC] = VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
        [WEFT_BLEND_SRC_ALPHA] = VK_BLEND_FACTOR_SRC_ALPHA,
        [WEFT_BLEND_ONE_MINUS_SRC_ALPHA] = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        [WEFT_BLEND_DST] = VK_BLEND_FACTOR_DST_COLOR,
        [WEFT_BLEND_ONE_MINUS_DST] = VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
        [WEFT_BLEND_DST_ALPHA] = VK_BLEND_FACTOR_DST_ALPHA,
        [WEFT_BLEND_ONE_MINUS_DST_ALPHA] = VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
        [WEFT_BLEND_SRC_ALPHA_SATURATED] = VK_BLEND_FACTOR_SRC_ALPHA_SATURATE,
        [WEFT_BLEND_CONSTANT] = VK_BLEND_FACTOR_CONSTANT_COLOR,
        [WEFT_BLEND_ONE_MINUS_CONSTANT] = VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR,
        [WEFT_BLEND_SRC1] = VK_BLEND_FACTOR_SRC1_COLOR,
        [WEFT_BLEND_ONE_MINUS_SRC1] = VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
        [WEFT_BLEND_SRC1_ALPHA] = VK_BLEND_FACTOR_SRC1_ALPHA,
        [WEFT_BLEND_ONE_MINUS_SRC1_ALPHA] = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA,
    };
    return name == WEFT_BLEND_DEFAULT ? otherwise : factors[name]; // also of alpha
}

VkPipelineColorBlendAttachmentState wf_vk_blend_target(const weft_blend_state *blend,
                                                       uint32_t target)
{
    const weft_blend_target *t = &blend->targets[blend->independent ? target : 0];
    const weft_color_mask all =
        WEFT_COLOR_MASK_R | WEFT_COLOR_MASK_G | WEFT_COLOR_MASK_B | WEFT_COLOR_MASK_A;
    const weft_color_mask mask =
        t->mask & WEFT_COLOR_MASK_NO_COLOR ? 0 : (t->mask == 0 ? all : t->mask & all);
    return (VkPipelineColorBlendAttachmentState){
        .blendEnable = t->enable,
        .srcColorBlendFactor = factor(t->color.src, VK_BLEND_FACTOR_ONE),
        .dstColorBlendFactor = factor(t->color.dst, VK_BLEND_FACTOR_ZERO),
        .colorBlendOp = (VkBlendOp)t->color.op, // the orders are the same
        .srcAlphaBlendFactor = factor(t->alpha.src, VK_BLEND_FACTOR_ONE),
        .dstAlphaBlendFactor = factor(t->alpha.dst, VK_BLEND_FACTOR_ZERO),
        .alphaBlendOp = (VkBlendOp)t->alpha.op,
        .colorWriteMask = mask, // the bits are the same
    };
}

VkShaderStageFlags wf_vk_stages(weft_shader_stages stages)
{
    return (stages & WEFT_SHADER_STAGE_VERTEX ? VK_SHADER_STAGE_VERTEX_BIT : 0u) |
           (stages & WEFT_SHADER_STAGE_FRAGMENT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0u) |
           (stages & WEFT_SHADER_STAGE_COMPUTE ? VK_SHADER_STAGE_COMPUTE_BIT : 0u) |
           (stages & WEFT_SHADER_STAGE_TASK ? VK_SHADER_STAGE_TASK_BIT_EXT : 0u) |
           (stages & WEFT_SHADER_STAGE_MESH ? VK_SHADER_STAGE_MESH_BIT_EXT : 0u);
}

// ---- barriers ----------------------------------------------------------------------------------

#define SHADER_READS                                                                               \
    (VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |                   \
     VK_ACCESS_2_UNIFORM_READ_BIT)

#define SHADER_STAGES                                                                              \
    (WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT | WEFT_STAGE_COMPUTE | WEFT_STAGE_MESH)

/// What a stage of Weft is: stages, what they read, what they write.
static const struct {
    weft_stage_set stage;
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 reads, writes;
} scopes[] = {
    {WEFT_STAGE_DRAW_INDIRECT, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
     VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, 0},
    {WEFT_STAGE_VERTEX_INPUT, VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
     VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT, 0},
    {WEFT_STAGE_VERTEX, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, SHADER_READS,
     VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
    {WEFT_STAGE_FRAGMENT, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, SHADER_READS,
     VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
    {WEFT_STAGE_TARGET,
     VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |
         VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
     VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT,
     VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT},
    {WEFT_STAGE_COMPUTE, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, SHADER_READS,
     VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
    {WEFT_STAGE_MESH,
     VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT,
     SHADER_READS, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
    // Builds read buffers as shaders do.
    {WEFT_STAGE_ACCELERATION, VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
     VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR | VK_ACCESS_2_SHADER_READ_BIT,
     VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR},
    {WEFT_STAGE_COPY, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT,
     VK_ACCESS_2_TRANSFER_WRITE_BIT},
    // Mips are made by passes, which belong to COPY for the host.
    {WEFT_STAGE_COPY,
     VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
     VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT,
     VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT},
    {WEFT_STAGE_HOST, VK_PIPELINE_STAGE_2_HOST_BIT,
     VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT, VK_ACCESS_2_HOST_WRITE_BIT},
};

/// The stages that a queue has, of those in `scopes`.
static const VkPipelineStageFlags2 queue_stages[WEFT_QUEUE_COUNT] = {
    [WEFT_QUEUE_GRAPHICS] = ~(VkPipelineStageFlags2)0,
    [WEFT_QUEUE_COMPUTE] = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT |
                           VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                           VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
                           VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
    [WEFT_QUEUE_COPY] = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
};

void wf_vk_scope(const struct wf_hal_command *at, weft_stage_set stages, bool writes,
                 weft_hazard_set hazards, VkPipelineStageFlags2 *stage_mask,
                 VkAccessFlags2 *access_mask)
{
    const weft_feature_set features = at->dev->caps.features;
    const weft_stage_set all = WEFT_STAGE_ALL & ~(weft_stage_set)WEFT_STAGE_HOST;
    *stage_mask = 0;
    *access_mask = 0;
    if ((stages & all) == all) {
        *stage_mask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        *access_mask = VK_ACCESS_2_MEMORY_WRITE_BIT | (writes ? 0 : VK_ACCESS_2_MEMORY_READ_BIT);
        stages &= WEFT_STAGE_HOST;
    }
    if (!(features & WEFT_FEATURE_MESH_SHADERS)) // Vulkan knows no such stage there
        stages &= ~(weft_stage_set)WEFT_STAGE_MESH;
    if (!(features & WEFT_FEATURE_RAY_QUERY))
        stages &= ~(weft_stage_set)WEFT_STAGE_ACCELERATION;
    if (hazards & WEFT_HAZARD_DRAW_ARGUMENTS)
        stages |= WEFT_STAGE_DRAW_INDIRECT;
    const VkAccessFlags2 structures =
        features & WEFT_FEATURE_RAY_QUERY ? VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR : 0;
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        const VkPipelineStageFlags2 has = scopes[i].stages & queue_stages[at->queue];
        if (!(stages & scopes[i].stage) || !has)
            continue;
        *stage_mask |= has;
        *access_mask |= scopes[i].writes | (writes ? 0 : scopes[i].reads);
        if (!writes && stages & scopes[i].stage & SHADER_STAGES)
            *access_mask |= structures;
    }
}
