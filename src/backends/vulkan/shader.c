// Shaders: what modules declare against what the device has, and the module for one stage.
#include "backends/vulkan/vulkan.h"

#include "shader/module.h"
#include "shader/tables.h"

#include <stdio.h>
#include <string.h>

/// A capability and the member of wf_vk_adapter (a VkBool32) that must be true for it.
struct capability {
    uint16_t capability;
    uint16_t offset; ///< 0: Vulkan 1.3 always has it, or core's features stand for it.
};

#define AT(member) ((uint16_t)offsetof(struct wf_vk_adapter, member))
// clang-format off
static const struct capability capabilities[] = {
    {SpvCapabilityMatrix, 0}, {SpvCapabilityShader, 0}, {SpvCapabilityImageQuery, 0},
    {SpvCapabilitySampled1D, 0}, {SpvCapabilityImage1D, 0}, {SpvCapabilitySampledBuffer, 0},
    {SpvCapabilityImageBuffer, 0}, {SpvCapabilityInputAttachment, 0},
    {SpvCapabilityDerivativeControl, 0}, {SpvCapabilityStorageImageExtendedFormats, 0},
    {SpvCapabilityDeviceGroup, 0}, {SpvCapabilityGeometry, AT(features.features.geometryShader)},
    {SpvCapabilityDrawParameters, AT(features11.shaderDrawParameters)},
    {SpvCapabilityMultiView, AT(features11.multiview)},
    {SpvCapabilityInt64, AT(features.features.shaderInt64)},
    {SpvCapabilityInt16, AT(features.features.shaderInt16)},
    {SpvCapabilityInt8, AT(features12.shaderInt8)},
    {SpvCapabilityFloat16, AT(features12.shaderFloat16)},
    {SpvCapabilityFloat64, AT(features.features.shaderFloat64)},
    {SpvCapabilityInt64Atomics, AT(features12.shaderBufferInt64Atomics)},
    {SpvCapabilityImageCubeArray, AT(features.features.imageCubeArray)},
    {SpvCapabilitySampledCubeArray, AT(features.features.imageCubeArray)},
    {SpvCapabilityImageGatherExtended, AT(features.features.shaderImageGatherExtended)},
    {SpvCapabilityStorageImageMultisample, AT(features.features.shaderStorageImageMultisample)},
    {SpvCapabilityImageMSArray, AT(features.features.shaderStorageImageMultisample)},
    {SpvCapabilityClipDistance, AT(features.features.shaderClipDistance)},
    {SpvCapabilityCullDistance, AT(features.features.shaderCullDistance)},
    {SpvCapabilitySampleRateShading, AT(features.features.sampleRateShading)},
    {SpvCapabilityMinLod, AT(features.features.shaderResourceMinLod)},
    {SpvCapabilityStorageImageReadWithoutFormat,
     AT(features.features.shaderStorageImageReadWithoutFormat)},
    {SpvCapabilityStorageImageWriteWithoutFormat,
     AT(features.features.shaderStorageImageWriteWithoutFormat)},
    {SpvCapabilityUniformBufferArrayDynamicIndexing,
     AT(features.features.shaderUniformBufferArrayDynamicIndexing)},
    {SpvCapabilitySampledImageArrayDynamicIndexing,
     AT(features.features.shaderSampledImageArrayDynamicIndexing)},
    {SpvCapabilityStorageBufferArrayDynamicIndexing,
     AT(features.features.shaderStorageBufferArrayDynamicIndexing)},
    {SpvCapabilityStorageImageArrayDynamicIndexing,
     AT(features.features.shaderStorageImageArrayDynamicIndexing)},
    {SpvCapabilityGroupNonUniform, 0}, {SpvCapabilityGroupNonUniformVote, 0},
    {SpvCapabilityGroupNonUniformArithmetic, 0}, {SpvCapabilityGroupNonUniformBallot, 0},
    {SpvCapabilityGroupNonUniformShuffle, 0}, {SpvCapabilityGroupNonUniformShuffleRelative, 0},
    {SpvCapabilityGroupNonUniformClustered, 0}, {SpvCapabilityGroupNonUniformQuad, 0},
    {SpvCapabilityStorageBuffer16BitAccess, AT(features11.storageBuffer16BitAccess)},
    {SpvCapabilityUniformAndStorageBuffer16BitAccess,
     AT(features11.uniformAndStorageBuffer16BitAccess)},
    {SpvCapabilityStoragePushConstant16, AT(features11.storagePushConstant16)},
    {SpvCapabilityStorageInputOutput16, AT(features11.storageInputOutput16)},
    {SpvCapabilityStorageBuffer8BitAccess, AT(features12.storageBuffer8BitAccess)},
    {SpvCapabilityUniformAndStorageBuffer8BitAccess,
     AT(features12.uniformAndStorageBuffer8BitAccess)},
    {SpvCapabilityStoragePushConstant8, AT(features12.storagePushConstant8)},
    {SpvCapabilityVariablePointersStorageBuffer, AT(features11.variablePointersStorageBuffer)},
    {SpvCapabilityVariablePointers, AT(features11.variablePointers)},
    {SpvCapabilityShaderNonUniform, AT(features12.descriptorIndexing)},
    {SpvCapabilityRuntimeDescriptorArray, AT(features12.runtimeDescriptorArray)},
    {SpvCapabilityUniformTexelBufferArrayDynamicIndexing,
     AT(features12.shaderUniformTexelBufferArrayDynamicIndexing)},
    {SpvCapabilityStorageTexelBufferArrayDynamicIndexing,
     AT(features12.shaderStorageTexelBufferArrayDynamicIndexing)},
    {SpvCapabilityUniformBufferArrayNonUniformIndexing,
     AT(features12.shaderUniformBufferArrayNonUniformIndexing)},
    {SpvCapabilitySampledImageArrayNonUniformIndexing,
     AT(features12.shaderSampledImageArrayNonUniformIndexing)},
    {SpvCapabilityStorageBufferArrayNonUniformIndexing,
     AT(features12.shaderStorageBufferArrayNonUniformIndexing)},
    {SpvCapabilityStorageImageArrayNonUniformIndexing,
     AT(features12.shaderStorageImageArrayNonUniformIndexing)},
    {SpvCapabilityUniformTexelBufferArrayNonUniformIndexing,
     AT(features12.shaderUniformTexelBufferArrayNonUniformIndexing)},
    {SpvCapabilityStorageTexelBufferArrayNonUniformIndexing,
     AT(features12.shaderStorageTexelBufferArrayNonUniformIndexing)},
    {SpvCapabilityShaderViewportIndex, AT(features12.shaderOutputViewportIndex)},
    {SpvCapabilityShaderLayer, AT(features12.shaderOutputLayer)},
    {SpvCapabilityShaderViewportIndexLayerEXT, AT(features12.shaderOutputLayer)},
    {SpvCapabilityVulkanMemoryModel, AT(features12.vulkanMemoryModel)},
    {SpvCapabilityVulkanMemoryModelDeviceScope, AT(features12.vulkanMemoryModelDeviceScope)},
    {SpvCapabilityPhysicalStorageBufferAddresses, AT(features12.bufferDeviceAddress)},
    {SpvCapabilityDemoteToHelperInvocation, AT(features13.shaderDemoteToHelperInvocation)},
    {SpvCapabilityDotProduct, AT(features13.shaderIntegerDotProduct)},
    {SpvCapabilityDotProductInputAll, AT(features13.shaderIntegerDotProduct)},
    {SpvCapabilityDotProductInput4x8Bit, AT(features13.shaderIntegerDotProduct)},
    {SpvCapabilityDotProductInput4x8BitPacked, AT(features13.shaderIntegerDotProduct)},
    {SpvCapabilityAtomicFloat32AddEXT, AT(float_atomics.shaderBufferFloat32AtomicAdd)},
    {SpvCapabilityAtomicFloat64AddEXT, AT(float_atomics.shaderBufferFloat64AtomicAdd)},
    {SpvCapabilityAtomicFloat32MinMaxEXT, AT(float_atomics2.shaderBufferFloat32AtomicMinMax)},
    {SpvCapabilityAtomicFloat64MinMaxEXT, AT(float_atomics2.shaderBufferFloat64AtomicMinMax)},
    {SpvCapabilityMeshShadingEXT, AT(mesh.meshShader)},
    {SpvCapabilityRayQueryKHR, AT(ray_query.rayQuery)},
    {SpvCapabilityWorkgroupMemoryExplicitLayoutKHR,
     AT(workgroup_layout.workgroupMemoryExplicitLayout)},
    {SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR,
     AT(workgroup_layout.workgroupMemoryExplicitLayout8BitAccess)},
    {SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR,
     AT(workgroup_layout.workgroupMemoryExplicitLayout16BitAccess)},
};
// clang-format on

static bool is_offered(const struct wf_vk_adapter *adapter, uint32_t capability)
{
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
        if (capabilities[i].capability != capability)
            continue;
        VkBool32 has = VK_TRUE;
        if (capabilities[i].offset != 0)
            memcpy(&has, (const char *)adapter + capabilities[i].offset, sizeof has);
        return has;
    }
    return false;
}

/// Whether an instruction chooses among sampled images by a value.
static bool chooses_image(const struct wf_shader_module *module,
                          const struct wf_shader_instruction *ins)
{
    if ((ins->opcode != SpvOpAccessChain && ins->opcode != SpvOpInBoundsAccessChain) ||
        ins->operand_count < 2 || module->ids[ins->operands[1]].role == WF_SHADER_ROLE_CONSTANT)
        return false;
    const struct wf_shader_variable *variable = wf_shader_variable(module, ins->operands[0]);
    if (!variable || variable->storage != SpvStorageClassUniformConstant)
        return false;
    const struct wf_shader_type *array = wf_shader_type(module, variable->type);
    const struct wf_shader_type *element = wf_shader_type(module, array->component);
    return element && (element->kind == WF_SHADER_TYPE_SAMPLED_IMAGE ||
                       (element->kind == WF_SHADER_TYPE_IMAGE && element->image.sampled == 1 &&
                        element->image.dim != SpvDimBuffer));
}

/// Compilers leave out SampledImageArrayDynamicIndexing where it is needed.
static bool chooses_images(const struct wf_shader_module *module)
{
    struct wf_shader_instruction ins;
    for (uint32_t at = module->first_function;
         wf_shader_next(module, &at, module->word_count, &ins);)
        if (chooses_image(module, &ins))
            return true;
    return false;
}

static bool lack(const struct wf_vk_device *dev, uint32_t capability, struct wf_shader_error *error)
{
    *error = (struct wf_shader_error){.opcode = SpvOpCapability};
    (void)snprintf(error->message, sizeof error->message,
                   "The module needs capability %s, which \"%.64s\" does not have.",
                   wf_shader_value_name(WF_SHADER_KIND_CAPABILITY, capability),
                   dev->base.caps.name);
    return false;
}

static bool check_capabilities(const struct wf_vk_device *dev,
                               const struct wf_shader_module *module, struct wf_shader_error *error)
{
    for (uint32_t i = 0; i < module->capability_count; i++)
        if (!is_offered(&dev->adapter, module->capabilities[i]))
            return lack(dev, module->capabilities[i], error);
    if (!dev->adapter.features.features.shaderSampledImageArrayDynamicIndexing &&
        chooses_images(module))
        return lack(dev, SpvCapabilitySampledImageArrayDynamicIndexing, error);
    return true;
}

weft_result wf_vk_shader_create(struct wf_hal_device *hal, const struct wf_shader_module *module,
                                struct wf_hal_shader **out, struct wf_shader_error *error)
{
    *out = NULL;
    if (!check_capabilities(wf_vk_device(hal), module, error))
        return WEFT_ERROR_SHADER;
    struct wf_hal_shader *shader = wf_base_alloc_zero(hal->allocator, sizeof *shader);
    if (!shader)
        return WEFT_ERROR_MEMORY;
    shader->module = module;
    *out = shader;
    return WEFT_OK;
}

void wf_vk_shader_destroy(struct wf_hal_device *hal, struct wf_hal_shader *shader)
{
    wf_base_free(hal->allocator, shader, sizeof *shader);
}

// ---- non-uniform images ------------------------------------------------------------------------

enum { DECORATE_WORDS = 3 };

/// What `id` was made of, down to the load of the image; 0: it is no sampled image.
static uint32_t part_of_sampled(const struct wf_shader_module *module, uint32_t id)
{
    const uint16_t opcode = module->ids[id].opcode;
    const struct wf_shader_type *type = wf_shader_type_of(module, id);
    const bool made = opcode == SpvOpSampledImage || (opcode == SpvOpCopyObject && type &&
                                                      type->kind == WF_SHADER_TYPE_SAMPLED_IMAGE);
    return made ? wf_shader_at(module, module->ids[id].word).operands[0] : 0;
}

/// SwiftShader looks for NonUniform at the load of the image that went into a sampled image; Vulkan
/// asks for it at the sampled image (VUID-RuntimeSpirv-NonUniform-06274), and glslang leaves it off
/// the load. Writes what to add to `out`, and returns how many words; NULL: only counts.
static size_t decorate_images(const struct wf_shader_module *module, uint32_t *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < module->decoration_count; i++) {
        const struct wf_shader_decoration *d = &module->decorations[i];
        if (d->kind != SpvDecorationNonUniform || d->member != WF_SHADER_NONE)
            continue;
        for (uint32_t id = part_of_sampled(module, d->target);
             id != 0 && !wf_shader_decoration(module, id, WF_SHADER_NONE, d->kind);
             id = part_of_sampled(module, id), count += DECORATE_WORDS) {
            const uint32_t words[DECORATE_WORDS] = {
                DECORATE_WORDS << SpvWordCountShift | SpvOpDecorate, id, d->kind};
            if (out)
                memcpy(out + count, words, sizeof words);
        }
    }
    return count;
}

/// Where the first decoration of a module stands; there is one.
static size_t first_decoration(const uint32_t *words)
{
    size_t at = 5; // after the header
    while ((words[at] & SpvOpCodeMask) != SpvOpDecorate)
        at += words[at] >> SpvWordCountShift;
    return at;
}

/// Adds them to `*words`, or to a copy of the module's if that is NULL. False when out of memory.
static bool add_decorations(const struct wf_base_allocator *allocator,
                            const struct wf_shader_module *module, uint32_t **words, size_t *count)
{
    const size_t added = decorate_images(module, NULL);
    if (added == 0)
        return true;
    uint32_t *longer = wf_base_alloc_array(allocator, *count + added, sizeof *longer);
    if (!longer)
        return false;
    const uint32_t *from = *words ? *words : module->words;
    const size_t at = first_decoration(from);
    memcpy(longer, from, at * sizeof *longer);
    (void)decorate_images(module, longer + at);
    memcpy(longer + at + added, from + at, (*count - at) * sizeof *longer);
    wf_base_free(allocator, *words, *count * sizeof **words);
    *words = longer;
    *count += added;
    return true;
}

// ---- modules -----------------------------------------------------------------------------------

VkResult wf_vk_shader_module(struct wf_vk_device *dev, const struct wf_shader_module *module,
                             const struct wf_vk_root_place *root, VkShaderModule *out)
{
    const struct wf_base_allocator *allocator = dev->base.allocator;
    size_t count = module->word_count;
    uint32_t *words = NULL;
    if (root->at != 0 || root->by_pointer) {
        words = wf_vk_root_placed(allocator, module, root, &count);
        if (!words)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (dev->adapter.properties12.driverID == VK_DRIVER_ID_GOOGLE_SWIFTSHADER &&
        !add_decorations(allocator, module, &words, &count)) {
        wf_base_free(allocator, words, count * sizeof *words);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = count * sizeof *module->words,
        .pCode = words ? words : module->words,
    };
    const VkResult result = dev->vk.CreateShaderModule(dev->handle, &info, NULL, out);
    wf_base_free(allocator, words, info.codeSize);
    return result;
}
