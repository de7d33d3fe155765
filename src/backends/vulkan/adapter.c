// Physical devices: what each has, whether it will do, and what Weft can promise with it.
#include "backends/vulkan/vulkan.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const extension_names[WF_VK_EXT_COUNT] = {
    [WF_VK_EXT_SWAPCHAIN] = "VK_KHR_swapchain",
    [WF_VK_EXT_SWAPCHAIN_MAINTENANCE] = "VK_EXT_swapchain_maintenance1",
    [WF_VK_EXT_DYNAMIC_STATE_3] = "VK_EXT_extended_dynamic_state3",
    [WF_VK_EXT_LINE_RASTERIZATION] = "VK_EXT_line_rasterization",
    [WF_VK_EXT_FLOAT_ATOMICS] = "VK_EXT_shader_atomic_float",
    [WF_VK_EXT_FLOAT_ATOMICS_2] = "VK_EXT_shader_atomic_float2",
    [WF_VK_EXT_WORKGROUP_LAYOUT] = "VK_KHR_workgroup_memory_explicit_layout",
    [WF_VK_EXT_MEMORY_BUDGET] = "VK_EXT_memory_budget",
    [WF_VK_EXT_DEVICE_FAULT] = "VK_EXT_device_fault",
    [WF_VK_EXT_ROBUSTNESS_2] = "VK_EXT_robustness2",
    [WF_VK_EXT_MESH_SHADER] = "VK_EXT_mesh_shader",
    [WF_VK_EXT_ACCELERATION] = "VK_KHR_acceleration_structure",
    [WF_VK_EXT_DEFERRED_HOST] = "VK_KHR_deferred_host_operations",
    [WF_VK_EXT_RAY_QUERY] = "VK_KHR_ray_query",
};

const char *wf_vk_extension_name(enum wf_vk_extension extension)
{
    return extension_names[extension];
}

/// False if there is no memory to list them in.
static bool read_extensions(const struct wf_vk_instance *instance, struct wf_vk_adapter *a)
{
    uint32_t count = 0;
    VkExtensionProperties *list = NULL;
    const struct wf_vk_functions *fn = &instance->fn;
    VkResult result = fn->EnumerateDeviceExtensionProperties(a->handle, NULL, &count, NULL);
    if (result == VK_SUCCESS)
        list = calloc((size_t)count + 1, sizeof *list);
    if (list)
        result = fn->EnumerateDeviceExtensionProperties(a->handle, NULL, &count, list);
    const bool listed = list && result >= VK_SUCCESS;
    for (uint32_t i = 0; listed && i < count; i++) {
        for (uint32_t k = 0; k < WF_VK_EXT_COUNT; k++) {
            if (strcmp(list[i].extensionName, extension_names[k]) == 0)
                a->extensions |= 1u << k;
        }
    }
    free(list);
    return listed;
}

/// Links a structure into a chain.
static void chain(void *head, void *item)
{
    ((VkBaseOutStructure *)item)->pNext = ((VkBaseOutStructure *)head)->pNext;
    ((VkBaseOutStructure *)head)->pNext = item;
}

static bool has(const struct wf_vk_adapter *a, enum wf_vk_extension extension)
{
    return (a->extensions & 1u << extension) != 0;
}

#define CORE (-1)

#define PART(member, extension, type)                                                              \
    {                                                                                              \
        offsetof(struct wf_vk_adapter, member), sizeof((struct wf_vk_adapter *)0)->member,         \
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, (extension)                                  \
    }

/// The features that are asked for, and enabled, one structure after the other.
static const struct part {
    size_t at, size;
    VkStructureType type;
    int extension; ///< enum wf_vk_extension, or CORE.
} parts[] = {
    PART(features11, CORE, VULKAN_1_1_FEATURES),
    PART(features12, CORE, VULKAN_1_2_FEATURES),
    PART(features13, CORE, VULKAN_1_3_FEATURES),
    PART(swapchain_maintenance, WF_VK_EXT_SWAPCHAIN_MAINTENANCE,
         SWAPCHAIN_MAINTENANCE_1_FEATURES_EXT),
    PART(dynamic3, WF_VK_EXT_DYNAMIC_STATE_3, EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT),
    PART(lines, WF_VK_EXT_LINE_RASTERIZATION, LINE_RASTERIZATION_FEATURES_EXT),
    PART(float_atomics, WF_VK_EXT_FLOAT_ATOMICS, SHADER_ATOMIC_FLOAT_FEATURES_EXT),
    PART(float_atomics2, WF_VK_EXT_FLOAT_ATOMICS_2, SHADER_ATOMIC_FLOAT_2_FEATURES_EXT),
    PART(workgroup_layout, WF_VK_EXT_WORKGROUP_LAYOUT,
         WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR),
    PART(fault, WF_VK_EXT_DEVICE_FAULT, FAULT_FEATURES_EXT),
    PART(robust, WF_VK_EXT_ROBUSTNESS_2, ROBUSTNESS_2_FEATURES_EXT),
    PART(mesh, WF_VK_EXT_MESH_SHADER, MESH_SHADER_FEATURES_EXT),
    PART(acceleration, WF_VK_EXT_ACCELERATION, ACCELERATION_STRUCTURE_FEATURES_KHR),
    PART(ray_query, WF_VK_EXT_RAY_QUERY, RAY_QUERY_FEATURES_KHR),
};

#define PARTS (sizeof parts / sizeof *parts)

static VkBaseOutStructure *part_of(struct wf_vk_adapter *a, const struct part *part)
{
    return (VkBaseOutStructure *)(void *)((char *)a + part->at);
}

void wf_vk_adapter_link(struct wf_vk_adapter *a)
{
    VkBaseOutStructure *last = (VkBaseOutStructure *)&a->features;
    for (size_t i = 0; i < PARTS; i++) {
        VkBaseOutStructure *item = part_of(a, &parts[i]);
        item->sType = parts[i].type;
        if (parts[i].extension != CORE && !has(a, (enum wf_vk_extension)parts[i].extension))
            continue;
        last->pNext = item;
        last = item;
    }
    last->pNext = NULL;
}

static void read_features(const struct wf_vk_instance *instance, struct wf_vk_adapter *a)
{
    a->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    wf_vk_adapter_link(a);
    instance->fn.GetPhysicalDeviceFeatures2(a->handle, &a->features);
}

/// `values` of features, where the host has them too; NULL: it has none.
static void limit_values(VkBool32 *values, const VkBool32 *host, size_t size)
{
    for (size_t i = 0; i < size / sizeof *values; i++)
        values[i] = values[i] && host && host[i];
}

static const VkBaseInStructure *in_chain(const void *head, VkStructureType type)
{
    const VkBaseInStructure *at = head;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

void wf_vk_adapter_limit(struct wf_vk_adapter *a, const VkPhysicalDeviceFeatures2 *features,
                         bool (*enabled)(const void *user, const char *extension), const void *user)
{
    const size_t head = sizeof(VkBaseOutStructure);
    for (uint32_t i = 0; i < WF_VK_EXT_COUNT; i++) {
        if (!enabled(user, extension_names[i]))
            a->extensions &= ~(1u << i);
    }
    limit_values((VkBool32 *)&a->features.features, (const VkBool32 *)&features->features,
                 sizeof features->features);
    for (size_t i = 0; i < PARTS; i++) {
        const bool there =
            parts[i].extension == CORE || has(a, (enum wf_vk_extension)parts[i].extension);
        const VkBaseInStructure *host = there ? in_chain(features, parts[i].type) : NULL;
        limit_values((VkBool32 *)(void *)((char *)part_of(a, &parts[i]) + head),
                     host ? (const VkBool32 *)(const void *)((const char *)host + head) : NULL,
                     parts[i].size - head);
    }
    wf_vk_adapter_link(a);
}

static void read_properties(const struct wf_vk_instance *instance, struct wf_vk_adapter *a)
{
    a->properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    a->properties11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
    a->properties12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    a->properties13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
    chain(&a->properties, &a->properties11);
    chain(&a->properties, &a->properties12);
    chain(&a->properties, &a->properties13);
    a->mesh_properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT;
    a->acceleration_properties.sType =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR;
    if (has(a, WF_VK_EXT_ACCELERATION))
        chain(&a->properties, &a->acceleration_properties);
    if (has(a, WF_VK_EXT_MESH_SHADER))
        chain(&a->properties, &a->mesh_properties);
    instance->fn.GetPhysicalDeviceProperties2(a->handle, &a->properties);
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    instance->fn.GetPhysicalDeviceMemoryProperties2(a->handle, &memory);
    a->memory = memory.memoryProperties;
}

// ---- queues ------------------------------------------------------------------------------------

#define MAX_FAMILIES 32u

/// The family with `wanted` and none of `unwanted`; MAX_FAMILIES: there is none.
static uint32_t find_family(const VkQueueFamilyProperties2 *families, uint32_t count,
                            VkQueueFlags wanted, VkQueueFlags unwanted)
{
    for (uint32_t i = 0; i < count; i++) {
        const VkQueueFlags flags = families[i].queueFamilyProperties.queueFlags;
        if ((flags & wanted) == wanted && !(flags & unwanted))
            return i;
    }
    return MAX_FAMILIES;
}

static uint32_t list_families(const struct wf_vk_instance *instance, const struct wf_vk_adapter *a,
                              VkQueueFamilyProperties2 families[MAX_FAMILIES])
{
    uint32_t count = MAX_FAMILIES;
    for (uint32_t i = 0; i < count; i++)
        families[i] =
            (VkQueueFamilyProperties2){.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2};
    instance->fn.GetPhysicalDeviceQueueFamilyProperties2(a->handle, &count, families);
    return count;
}

/// A copy queue that copies only whole tiles is no use for Weft's texel layouts.
static bool copies_texels(const VkQueueFamilyProperties2 *family)
{
    const VkExtent3D step = family->queueFamilyProperties.minImageTransferGranularity;
    return step.width == 1 && step.height == 1 && step.depth == 1;
}

/// Timestamps are there if they are on all queues that write some: all but the copy queue.
static void judge_timestamps(struct wf_vk_adapter *a, const VkQueueFamilyProperties2 *families)
{
    a->timestamps = true;
    for (int i = 0; i < WEFT_QUEUE_COPY; i++)
        a->timestamps &= families[a->queues[i].family].queueFamilyProperties.timestampValidBits > 0;
}

bool wf_vk_adapter_queues(const struct wf_vk_instance *instance, struct wf_vk_adapter *a,
                          const uint32_t wanted[WEFT_QUEUE_COUNT])
{
    static const VkQueueFlags needed[WEFT_QUEUE_COUNT] = {
        [WEFT_QUEUE_GRAPHICS] = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT,
        [WEFT_QUEUE_COMPUTE] = VK_QUEUE_COMPUTE_BIT,
    };
    VkQueueFamilyProperties2 families[MAX_FAMILIES];
    const uint32_t count = list_families(instance, a, families);
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        const uint32_t family = wanted[i] != UINT32_MAX ? wanted[i] : wanted[WEFT_QUEUE_GRAPHICS];
        a->queues[i].own = wanted[i] != UINT32_MAX;
        a->queues[i].family = family;
        if (family >= count || !copies_texels(&families[family]) ||
            needed[i] & ~families[family].queueFamilyProperties.queueFlags)
            return false;
    }
    a->no_graphics = false;
    judge_timestamps(a, families);
    return true;
}

static void read_queues(const struct wf_vk_instance *instance, struct wf_vk_adapter *a)
{
    VkQueueFamilyProperties2 families[MAX_FAMILIES];
    const uint32_t count = list_families(instance, a, families);
    const VkQueueFlags graphics = VK_QUEUE_GRAPHICS_BIT, compute = VK_QUEUE_COMPUTE_BIT;
    const uint32_t main = find_family(families, count, graphics | compute, 0);
    a->no_graphics = main == MAX_FAMILIES;
    if (a->no_graphics)
        return;
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++)
        a->queues[i].family = main;
    a->queues[WEFT_QUEUE_GRAPHICS].own = true;
    const uint32_t others[WEFT_QUEUE_COUNT] = {
        [WEFT_QUEUE_GRAPHICS] = MAX_FAMILIES,
        [WEFT_QUEUE_COMPUTE] = find_family(families, count, compute, graphics),
        [WEFT_QUEUE_COPY] = find_family(families, count, VK_QUEUE_TRANSFER_BIT, graphics | compute),
    };
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        if (others[i] == MAX_FAMILIES || !copies_texels(&families[others[i]]))
            continue;
        a->queues[i].family = others[i];
        a->queues[i].own = true;
    }
    judge_timestamps(a, families);
}

// ---- requirements ------------------------------------------------------------------------------

bool wf_vk_adapter_meets_needs(const struct wf_vk_adapter *a, const char *lacks,
                               char reason[WF_HAL_REASON_LENGTH])
{
    const VkPhysicalDeviceProperties *p = &a->properties.properties;
    const struct {
        bool has;
        const char *what;
    } needs[] = {
        {p->apiVersion >= VK_API_VERSION_1_3, "Vulkan 1.3"},
        {!a->no_graphics, "a queue for graphics and compute"},
        {a->features13.dynamicRendering, "dynamic rendering"},
        {a->features13.synchronization2, "synchronization2"},
        {a->features13.maintenance4, "maintenance4"},
        {a->features12.timelineSemaphore, "timeline semaphores"},
        {p->limits.maxBoundDescriptorSets >= WF_HAL_SLOTS + 1, "four descriptor sets"},
        {p->limits.maxPushConstantsSize >= WF_VK_ROOT_BYTES, "128 bytes of push constants"},
        // Where each stage has a root block of its own, and they do not fit (root.c).
        {p->limits.maxPushConstantsSize >= 2 * WF_VK_ROOT_BYTES ||
             a->features12.bufferDeviceAddress,
         "buffer device addresses or 256 bytes of push constants"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (needs[i].has)
            continue;
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "\"%.64s\" %s %s", p->deviceName, lacks,
                       needs[i].what);
        return false;
    }
    return true;
}

bool wf_vk_adapter_read(const struct wf_vk_instance *instance, VkPhysicalDevice device,
                        struct wf_vk_adapter *out, char reason[WF_HAL_REASON_LENGTH])
{
    *out = (struct wf_vk_adapter){.handle = device};
    VkPhysicalDeviceProperties2 first = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    instance->fn.GetPhysicalDeviceProperties2(device, &first);
    if (first.properties.apiVersion < VK_API_VERSION_1_3) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "\"%.64s\" lacks Vulkan 1.3",
                       first.properties.deviceName);
        return false;
    }
    if (!read_extensions(instance, out)) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "out of memory listing what \"%.64s\" has",
                       first.properties.deviceName);
        return false;
    }
    read_features(instance, out);
    read_properties(instance, out);
    read_queues(instance, out);
    wf_vk_adapter_withhold(out);
    return wf_vk_adapter_meets_needs(out, "lacks", reason);
}

// ---- capabilities ------------------------------------------------------------------------------

static bool has_meshes(const struct wf_vk_adapter *a)
{
    return a->mesh.meshShader && a->mesh.taskShader;
}

static bool has_rays(const struct wf_vk_adapter *a)
{
    return a->acceleration.accelerationStructure && a->ray_query.rayQuery &&
           has(a, WF_VK_EXT_DEFERRED_HOST) && a->features12.bufferDeviceAddress;
}

static bool has_subgroups(const struct wf_vk_adapter *a)
{
    const VkSubgroupFeatureFlags all =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
        VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
        VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
        VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT;
    const VkShaderStageFlags meshes =
        has_meshes(a) ? VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT : 0u;
    const VkShaderStageFlags stages =
        VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT | meshes;
    return (a->properties11.subgroupSupportedOperations & all) == all &&
           (a->properties11.subgroupSupportedStages & stages) == stages;
}

static bool has_heap(const struct wf_vk_adapter *a)
{
    const VkPhysicalDeviceVulkan12Features *f = &a->features12;
    return f->descriptorIndexing && f->runtimeDescriptorArray &&
           f->descriptorBindingPartiallyBound && f->descriptorBindingSampledImageUpdateAfterBind &&
           f->descriptorBindingStorageImageUpdateAfterBind &&
           f->descriptorBindingUpdateUnusedWhilePending &&
           f->shaderSampledImageArrayNonUniformIndexing &&
           f->shaderStorageImageArrayNonUniformIndexing;
}

static bool has_float_atomics(const struct wf_vk_adapter *a)
{
    const VkPhysicalDeviceShaderAtomicFloatFeaturesEXT *f = &a->float_atomics;
    return f->shaderBufferFloat32Atomics && f->shaderBufferFloat32AtomicAdd &&
           f->shaderSharedFloat32Atomics && f->shaderSharedFloat32AtomicAdd;
}

static weft_feature_set features_of(const struct wf_vk_adapter *a)
{
    const VkPhysicalDeviceFeatures *f = &a->features.features;
    const VkPhysicalDeviceVulkan12Features *f12 = &a->features12;
    const struct {
        bool has;
        weft_feature_set features;
    } rows[] = {
        {true,
         WEFT_FEATURE_COMPUTE | WEFT_FEATURE_INDIRECT_DRAWS | WEFT_FEATURE_MULTIPLE_RENDER_TARGETS |
             WEFT_FEATURE_TEXTURE_VIEWS | WEFT_FEATURE_MULTISAMPLE | WEFT_FEATURE_PLACED_RESOURCES |
             WEFT_FEATURE_TEXTURES_1D | WEFT_FEATURE_TEXTURES_3D | WEFT_FEATURE_TEXTURE_ARRAYS |
             WEFT_FEATURE_STORAGE_TEXTURES | WEFT_FEATURE_GENERATE_MIPS |
             WEFT_FEATURE_BLOCKING_WAIT | WEFT_FEATURE_SPLIT_BARRIERS | WEFT_FEATURE_STENCIL |
             WEFT_FEATURE_DEPTH_BIAS | WEFT_FEATURE_POINTS_AND_LINES |
             WEFT_FEATURE_ALPHA_TO_COVERAGE | WEFT_FEATURE_PRIMITIVE_RESTART |
             WEFT_FEATURE_OCCLUSION_QUERIES | WEFT_FEATURE_PIPELINE_CACHE},
        {f12->bufferDeviceAddress, WEFT_FEATURE_POINTERS},
        {has_heap(a), WEFT_FEATURE_HEAP},
        {f12->drawIndirectCount, WEFT_FEATURE_INDIRECT_COUNT},
        {f->drawIndirectFirstInstance, WEFT_FEATURE_INDIRECT_FIRST_INSTANCE},
        {f->multiDrawIndirect, WEFT_FEATURE_MULTI_DRAW},
        {f->shaderInt64, WEFT_FEATURE_INT64},
        {f12->shaderFloat16, WEFT_FEATURE_FLOAT16},
        {f->shaderFloat64, WEFT_FEATURE_FLOAT64},
        {has_subgroups(a), WEFT_FEATURE_SUBGROUPS},
        {has_meshes(a), WEFT_FEATURE_MESH_SHADERS},
        {has_subgroups(a) && a->properties11.subgroupSupportedStages & VK_SHADER_STAGE_VERTEX_BIT,
         WEFT_FEATURE_SUBGROUPS_IN_VERTEX},
        {has_rays(a), WEFT_FEATURE_RAY_QUERY},
        {f->fillModeNonSolid, WEFT_FEATURE_LINE_FILL},
        {a->timestamps, WEFT_FEATURE_TIMESTAMPS | WEFT_FEATURE_TIMESTAMPS_ANYWHERE},
        {f->pipelineStatisticsQuery, WEFT_FEATURE_PIPELINE_STATISTICS},
        {a->dynamic3.extendedDynamicState3ColorBlendEnable &&
             a->dynamic3.extendedDynamicState3ColorBlendEquation &&
             a->dynamic3.extendedDynamicState3ColorWriteMask,
         WEFT_FEATURE_DYNAMIC_BLEND},
        {f->dualSrcBlend, WEFT_FEATURE_DUAL_SOURCE},
        {f->sampleRateShading, WEFT_FEATURE_SAMPLE_SHADING},
        {f->depthClamp, WEFT_FEATURE_DEPTH_CLAMP},
        {f->imageCubeArray, WEFT_FEATURE_CUBE_ARRAYS},
        {f->samplerAnisotropy, WEFT_FEATURE_ANISOTROPY},
        {f->textureCompressionBC, WEFT_FEATURE_BC},
        {f->textureCompressionETC2, WEFT_FEATURE_ETC2},
        {f->textureCompressionASTC_LDR, WEFT_FEATURE_ASTC},
        {f->vertexPipelineStoresAndAtomics, WEFT_FEATURE_STORAGE_IN_VERTEX},
        {f->fragmentStoresAndAtomics, WEFT_FEATURE_FRAGMENT_STORES},
        {f->independentBlend, WEFT_FEATURE_INDEPENDENT_BLEND},
        {f->shaderClipDistance, WEFT_FEATURE_CLIP_DISTANCE},
        {f12->shaderOutputLayer, WEFT_FEATURE_LAYERED_RENDERING},
        {f->shaderInt64 && f12->shaderBufferInt64Atomics && f12->shaderSharedInt64Atomics,
         WEFT_FEATURE_INT64_ATOMICS},
        {has_float_atomics(a), WEFT_FEATURE_FLOAT_ATOMICS},
        {has_float_atomics(a) && a->float_atomics2.shaderBufferFloat32AtomicMinMax &&
             a->float_atomics2.shaderSharedFloat32AtomicMinMax,
         WEFT_FEATURE_FLOAT_MIN_MAX_ATOMICS},
        {has_float_atomics(a) && f->shaderFloat64 &&
             a->float_atomics.shaderBufferFloat64AtomicAdd &&
             a->float_atomics.shaderSharedFloat64AtomicAdd,
         WEFT_FEATURE_FLOAT64_ATOMICS},
        {a->features11.variablePointers, WEFT_FEATURE_VARIABLE_POINTERS},
        {a->workgroup_layout.workgroupMemoryExplicitLayout, WEFT_FEATURE_WORKGROUP_LAYOUT},
    };
    weft_feature_set set = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        set |= rows[i].has ? rows[i].features : 0;
    return set;
}

static uint32_t most_samples(const VkPhysicalDeviceLimits *l)
{
    const VkSampleCountFlags counts =
        l->framebufferColorSampleCounts & l->framebufferDepthSampleCounts;
    return counts & VK_SAMPLE_COUNT_8_BIT ? 8 : counts & VK_SAMPLE_COUNT_4_BIT ? 4 : 1;
}

/// Entries of the heap: as many as the device promises, within reason.
static uint32_t heap_entries(uint32_t a, uint32_t b, uint32_t most)
{
    return wf_base_min_u32(wf_base_min_u32(a, b), most);
}

static weft_limits limits_of(const struct wf_vk_adapter *a, weft_feature_set features)
{
    const VkPhysicalDeviceLimits *l = &a->properties.properties.limits;
    const VkPhysicalDeviceVulkan12Properties *p12 = &a->properties12;
    const bool heap = (features & WEFT_FEATURE_HEAP) != 0;
    const uint32_t sampled =
        heap_entries(p12->maxDescriptorSetUpdateAfterBindSampledImages,
                     p12->maxPerStageDescriptorUpdateAfterBindSampledImages, WF_VK_HEAP_TEXTURES);
    const uint32_t storage =
        heap_entries(p12->maxDescriptorSetUpdateAfterBindStorageImages,
                     p12->maxPerStageDescriptorUpdateAfterBindStorageImages, WF_VK_HEAP_TEXTURES);
    const uint32_t samplers =
        heap_entries(p12->maxDescriptorSetUpdateAfterBindSamplers,
                     p12->maxPerStageDescriptorUpdateAfterBindSamplers, WF_VK_HEAP_SAMPLERS);
    const uint32_t side = wf_base_min_u32(l->maxImageDimension2D, l->maxImageDimensionCube);
    return (weft_limits){
        .max_buffer_size = wf_base_min_u64(a->properties13.maxBufferSize, UINT64_C(1) << 40),
        .max_texture_1d = l->maxImageDimension1D,
        .max_texture_2d = side,
        .max_texture_3d = l->maxImageDimension3D,
        .max_texture_layers = l->maxImageArrayLayers,
        .max_color_targets = wf_base_min_u32(l->maxColorAttachments, WF_HAL_MAX_COLORS),
        .max_samples = most_samples(l),
        .max_root_bytes = WF_VK_ROOT_BYTES,
        .max_vertex_streams = wf_base_min_u32(l->maxVertexInputBindings, WF_VK_STREAMS),
        .max_vertex_attributes = wf_base_min_u32(l->maxVertexInputAttributes, 32),
        .max_vertex_stride = l->maxVertexInputBindingStride,
        .max_dynamic_offsets = wf_base_min_u32(
            WF_VK_DYNAMIC_OFFSETS, wf_base_min_u32(l->maxDescriptorSetUniformBuffersDynamic,
                                                   l->maxDescriptorSetStorageBuffersDynamic)),
        .max_uniform_range = l->maxUniformBufferRange,
        .max_storage_range = l->maxStorageBufferRange,
        .uniform_offset_alignment = (uint32_t)l->minUniformBufferOffsetAlignment,
        .storage_offset_alignment = (uint32_t)l->minStorageBufferOffsetAlignment,
        .max_texel_elements = l->maxTexelBufferElements,
        .texel_offset_alignment = (uint32_t)l->minTexelBufferOffsetAlignment,
        .copy_offset_alignment = 4,
        .copy_row_alignment = 1,
        .max_uniform_buffers = l->maxPerStageDescriptorUniformBuffers,
        .max_storage_buffers = l->maxPerStageDescriptorStorageBuffers,
        .max_sampled_textures = l->maxPerStageDescriptorSampledImages,
        .max_storage_textures = l->maxPerStageDescriptorStorageImages,
        .max_samplers = l->maxPerStageDescriptorSamplers,
        .max_heap_textures = heap ? wf_base_min_u32(sampled, storage) : 0,
        .max_heap_samplers = heap ? samplers : 0,
        .max_workgroup_size = {l->maxComputeWorkGroupSize[0], l->maxComputeWorkGroupSize[1],
                               l->maxComputeWorkGroupSize[2]},
        .max_workgroup_invocations = l->maxComputeWorkGroupInvocations,
        .max_workgroup_memory = l->maxComputeSharedMemorySize,
        .max_workgroups = wf_base_min_u32(
            l->maxComputeWorkGroupCount[0],
            wf_base_min_u32(l->maxComputeWorkGroupCount[1], l->maxComputeWorkGroupCount[2])),
        .max_indirect_count = features & WEFT_FEATURE_MULTI_DRAW ? l->maxDrawIndirectCount : 1,
        .max_viewport = wf_base_min_u32(l->maxViewportDimensions[0], l->maxViewportDimensions[1]),
        .max_clip_distances =
            features & WEFT_FEATURE_CLIP_DISTANCE ? wf_base_min_u32(l->maxClipDistances, 8) : 0,
        .subgroup_size = features & WEFT_FEATURE_SUBGROUPS ? a->properties11.subgroupSize : 0,
        .max_anisotropy = features & WEFT_FEATURE_ANISOTROPY ? l->maxSamplerAnisotropy : 1.0F,
        .timestamp_period = features & WEFT_FEATURE_TIMESTAMPS ? l->timestampPeriod : 0.0F,
    };
}

static uint32_t least(const uint32_t values[3])
{
    return wf_base_min_u32(values[0], wf_base_min_u32(values[1], values[2]));
}

/// What both stages can.
static void fill_mesh_limits(const VkPhysicalDeviceMeshShaderPropertiesEXT *p, weft_limits *out)
{
    out->max_mesh_workgroups =
        wf_base_min_u32(least(p->maxTaskWorkGroupCount), least(p->maxMeshWorkGroupCount));
    out->max_mesh_workgroups_total =
        wf_base_min_u32(p->maxTaskWorkGroupTotalCount, p->maxMeshWorkGroupTotalCount);
    for (int i = 0; i < 3; i++)
        out->max_mesh_workgroup_size[i] =
            wf_base_min_u32(p->maxTaskWorkGroupSize[i], p->maxMeshWorkGroupSize[i]);
    out->max_mesh_workgroup_invocations =
        wf_base_min_u32(p->maxTaskWorkGroupInvocations, p->maxMeshWorkGroupInvocations);
    out->max_mesh_workgroup_memory =
        wf_base_min_u32(p->maxTaskPayloadAndSharedMemorySize, p->maxMeshPayloadAndSharedMemorySize);
    out->max_task_payload = p->maxTaskPayloadSize;
    out->max_mesh_output_vertices = p->maxMeshOutputVertices;
    out->max_mesh_output_primitives = p->maxMeshOutputPrimitives;
    out->max_mesh_output_components = p->maxMeshOutputComponents;
}

static void fill_ray_limits(const struct wf_vk_adapter *a, bool heap, weft_limits *out)
{
    const VkPhysicalDeviceAccelerationStructurePropertiesKHR *p = &a->acceleration_properties;
    out->max_geometries = (uint32_t)wf_base_min_u64(p->maxGeometryCount, UINT32_MAX);
    out->max_geometry_primitives = (uint32_t)wf_base_min_u64(p->maxPrimitiveCount, UINT32_MAX);
    out->max_instances = (uint32_t)wf_base_min_u64(p->maxInstanceCount, UINT32_MAX);
    out->max_acceleration_structures = p->maxPerStageDescriptorAccelerationStructures;
    if (heap && a->acceleration.descriptorBindingAccelerationStructureUpdateAfterBind)
        out->max_heap_accelerations =
            heap_entries(p->maxDescriptorSetUpdateAfterBindAccelerationStructures,
                         p->maxPerStageDescriptorUpdateAfterBindAccelerationStructures,
                         WF_VK_HEAP_ACCELERATIONS);
}

static uint64_t local_memory(const struct wf_vk_adapter *a)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < a->memory.memoryHeapCount; i++) {
        if (a->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            bytes += a->memory.memoryHeaps[i].size;
    }
    return bytes;
}

void wf_vk_adapter_capabilities(const struct wf_vk_instance *instance,
                                const struct wf_vk_adapter *a, weft_capabilities *out)
{
    static const weft_adapter_type types[] = {
        [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = WEFT_ADAPTER_INTEGRATED,
        [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = WEFT_ADAPTER_DISCRETE,
        [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = WEFT_ADAPTER_VIRTUAL,
        [VK_PHYSICAL_DEVICE_TYPE_CPU] = WEFT_ADAPTER_CPU,
    };
    const VkPhysicalDeviceProperties *p = &a->properties.properties;
    *out = (weft_capabilities){
        .backend = WEFT_BACKEND_VULKAN,
        .type = (unsigned)p->deviceType < sizeof types / sizeof *types ? types[p->deviceType]
                                                                       : WEFT_ADAPTER_UNKNOWN,
        .memory = local_memory(a),
        .graphics_queues = 1,
        .compute_queues = a->queues[WEFT_QUEUE_COMPUTE].own,
        .copy_queues = a->queues[WEFT_QUEUE_COPY].own,
        .features = features_of(a),
    };
    out->limits = limits_of(a, out->features);
    if (has_meshes(a))
        fill_mesh_limits(&a->mesh_properties, &out->limits);
    if (has_rays(a))
        fill_ray_limits(a, has_heap(a), &out->limits);
    (void)snprintf(out->name, sizeof out->name, "%.127s", p->deviceName);
    (void)snprintf(out->driver, sizeof out->driver, "%.48s %.64s", a->properties12.driverName,
                   a->properties12.driverInfo);
    memcpy(out->withheld, a->withheld, sizeof out->withheld);
    wf_vk_formats_fill(instance, a, out);
}
