// Opening a device on the adapter that suits best, and what it loses.
#include "backends/vulkan/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ADAPTERS 16u

extern const struct wf_hal_backend wf_vk_backend;

// ---- failures ----------------------------------------------------------------------------------

/// What the driver tells of the fault, behind a comma, or nothing.
static void fault_text(struct wf_vk_device *dev, char *out, size_t size)
{
    *out = 0;
    if (!wf_vk_has(dev, WF_VK_EXT_DEVICE_FAULT) || !dev->vk.GetDeviceFaultInfoEXT)
        return;
    VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    VkDeviceFaultInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT};
    if (dev->vk.GetDeviceFaultInfoEXT(dev->handle, &counts, NULL) < VK_SUCCESS)
        return;
    counts = (VkDeviceFaultCountsEXT){.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    if (dev->vk.GetDeviceFaultInfoEXT(dev->handle, &counts, &info) >= VK_SUCCESS &&
        info.description[0])
        (void)snprintf(out, size, ": %.96s", info.description);
}

static void lose(struct wf_vk_device *dev, const char *what)
{
    char fault[128];
    wf_base_mutex_lock(&dev->lost_lock);
    if (!atomic_load(&dev->lost)) {
        fault_text(dev, fault, sizeof fault);
        (void)snprintf(dev->lost_reason, sizeof dev->lost_reason, "the driver lost it while %s%s",
                       what, fault);
        atomic_store(&dev->lost, 1);
    }
    wf_base_mutex_unlock(&dev->lost_lock);
}

weft_result wf_vk_meaning(VkResult result)
{
    switch (result) {
    case VK_SUCCESS:
        return WEFT_OK;
    case VK_TIMEOUT:
        return WEFT_ERROR_TIMEOUT;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_MEMORY_MAP_FAILED: // addresses ran out
        return WEFT_ERROR_MEMORY;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_FRAGMENTATION:
        return WEFT_ERROR_DEVICE_MEMORY;
    case VK_ERROR_DEVICE_LOST:
        return WEFT_ERROR_LOST;
    case VK_ERROR_SURFACE_LOST_KHR:
    case VK_ERROR_NATIVE_WINDOW_IN_USE_KHR:
        return WEFT_ERROR_SURFACE;
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return WEFT_ERROR_UNSUPPORTED;
    case VK_ERROR_INVALID_SHADER_NV:
        return WEFT_ERROR_SHADER;
    default:
        return WEFT_ERROR_BACKEND;
    }
}

weft_result wf_vk_result(struct wf_vk_device *dev, VkResult result, const char *what)
{
    const weft_result meaning = wf_vk_meaning(result);
    if (meaning == WEFT_ERROR_LOST)
        lose(dev, what);
    else if (meaning == WEFT_ERROR_BACKEND)
        wf_base_log(dev->base.log, WF_BASE_LOG_ERROR, "Vulkan: %s failed with %d", what,
                    (int)result);
    return meaning;
}

bool wf_vk_lost(struct wf_hal_device *hal, char reason[WF_HAL_REASON_LENGTH])
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    if (!atomic_load(&dev->lost))
        return false;
    if (reason) {
        wf_base_mutex_lock(&dev->lost_lock);
        memcpy(reason, dev->lost_reason, WF_HAL_REASON_LENGTH);
        wf_base_mutex_unlock(&dev->lost_lock);
    }
    return true;
}

void wf_vk_name(struct wf_vk_device *dev, VkObjectType type, uint64_t handle, const char *label)
{
    if (!label || !*label || !dev->vk.SetDebugUtilsObjectNameEXT)
        return;
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = label,
    };
    (void)dev->vk.SetDebugUtilsObjectNameEXT(dev->handle, &info); // a name is no reason to fail
}

// ---- the table ---------------------------------------------------------------------------------

static const struct wf_hal_device_ops ops = {
#define WF_HAL_HOOK(result, name, parameters) .name = wf_vk_##name,
#define WF_HAL_OPTIONAL(feature, result, name, parameters)
#include "hal/hooks.def"
    .native_get = wf_vk_native_get,
    .heap_open = wf_vk_heap_open,
    .memory_block_create = wf_vk_memory_block_create,
    .memory_block_destroy = wf_vk_memory_block_destroy,
    .acceleration_sizes = wf_vk_acceleration_sizes,
    .acceleration_create = wf_vk_acceleration_create,
    .acceleration_destroy = wf_vk_acceleration_destroy,
    .heap_write_acceleration = wf_vk_heap_write_acceleration,
    .heap_write = wf_vk_heap_write,
    .pipeline_cache_save = wf_vk_pipeline_cache_save,
    .pipeline_cache_load = wf_vk_pipeline_cache_load,
    .timeline_wait = wf_vk_timeline_wait,
    .serial_wait = wf_vk_serial_wait,
    .cmd_signal_after = wf_vk_cmd_signal_after,
    .cmd_wait_before = wf_vk_cmd_wait_before,
    .cmd_write_timestamp = wf_vk_cmd_write_timestamp,
    .cmd_draw_indirect = wf_vk_cmd_draw_indirect,
    .cmd_draw_indexed_indirect = wf_vk_cmd_draw_indexed_indirect,
    .cmd_draw_mesh = wf_vk_cmd_draw_mesh,
    .cmd_draw_mesh_indirect = wf_vk_cmd_draw_mesh_indirect,
    .cmd_begin_occlusion = wf_vk_cmd_begin_occlusion,
    .cmd_end_occlusion = wf_vk_cmd_end_occlusion,
    .cmd_begin_statistics = wf_vk_cmd_begin_statistics,
    .cmd_end_statistics = wf_vk_cmd_end_statistics,
    .cmd_dispatch = wf_vk_cmd_dispatch,
    .cmd_dispatch_indirect = wf_vk_cmd_dispatch_indirect,
    .cmd_build_acceleration = wf_vk_cmd_build_acceleration,
    .cmd_generate_mips = wf_vk_cmd_generate_mips,
};

// ---- closing -----------------------------------------------------------------------------------

static void close_layouts(struct wf_vk_device *dev)
{
    wf_vk_heap_destroy(dev);
    if (dev->root_layout)
        dev->vk.DestroyPipelineLayout(dev->handle, dev->root_layout, NULL);
    if (dev->empty_layout)
        dev->vk.DestroyDescriptorSetLayout(dev->handle, dev->empty_layout, NULL);
    if (dev->pipeline_cache)
        dev->vk.DestroyPipelineCache(dev->handle, dev->pipeline_cache, NULL);
}

static void close_locks(struct wf_vk_device *dev)
{
    struct wf_base_mutex *const locks[] = {&dev->mips_lock,   &dev->memory_lock, &dev->fresh_lock,
                                           &dev->flight_lock, &dev->lost_lock,   &dev->heap.lock};
    for (size_t i = 0; i < sizeof locks / sizeof(struct wf_base_mutex *); i++)
        wf_base_mutex_finish(locks[i]);
}

void wf_vk_destroy(struct wf_hal_device *hal)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    if (dev->handle) {
        wf_vk_quiet(dev);
        wf_vk_mips_finish(dev);
        wf_vk_queue_finish(dev);
        close_layouts(dev);
        wf_vk_memory_finish(dev);
        if (!dev->shared)
            dev->vk.DestroyDevice(dev->handle, NULL);
    }
    wf_vk_instance_close(&dev->instance);
    close_locks(dev);
    wf_base_free(hal->allocator, dev, sizeof *dev);
}

// ---- choosing ----------------------------------------------------------------------------------

static weft_result list_adapters(const struct wf_vk_instance *instance,
                                 VkPhysicalDevice out[MAX_ADAPTERS], uint32_t *count)
{
    *count = MAX_ADAPTERS;
    const VkResult result = instance->fn.EnumeratePhysicalDevices(instance->handle, count, out);
    if (result >= VK_SUCCESS)
        return WEFT_OK;
    *count = 0; // without a driver some loaders fail
    return result == VK_ERROR_INITIALIZATION_FAILED ? WEFT_OK : wf_vk_meaning(result);
}

static bool has_formats(const weft_capabilities *caps, const weft_requirements *r)
{
    for (size_t i = 0; i < sizeof r->formats / sizeof *r->formats; i++) {
        const weft_format format = r->formats[i].format;
        if (format == WEFT_FORMAT_NONE)
            break;
        if (r->formats[i].caps & ~caps->formats[format])
            return false;
    }
    return true;
}

static bool meets(const weft_capabilities *caps, const weft_requirements *r)
{
    return !(r->features & ~caps->features) && has_formats(caps, r);
}

/// Higher is better.
static uint32_t score(const weft_capabilities *caps, const struct wf_hal_open *open)
{
    static const uint32_t by_type[] = {
        [WEFT_ADAPTER_UNKNOWN] = 1, [WEFT_ADAPTER_DISCRETE] = 5, [WEFT_ADAPTER_INTEGRATED] = 4,
        [WEFT_ADAPTER_VIRTUAL] = 3, [WEFT_ADAPTER_CPU] = 2,      [WEFT_ADAPTER_NONE] = 0,
    };
    return by_type[caps->type] + (meets(caps, open->prefer) ? 16u : 0u) +
           (meets(caps, open->require) ? 32u : 0u);
}

/// Whether the adapter can present to the host's window; true without one.
static bool presents(const struct wf_vk_instance *instance, const struct wf_vk_adapter *adapter,
                     const weft_surface_target *target)
{
    if (!target || target->kind == WEFT_SURFACE_HEADLESS)
        return true;
    return wf_vk_window_presents(instance, adapter, target);
}

static weft_result choose(struct wf_vk_device *dev, const struct wf_hal_open *open,
                          char reason[WF_HAL_REASON_LENGTH])
{
    VkPhysicalDevice handles[MAX_ADAPTERS];
    uint32_t best = 0, count;
    weft_result result = list_adapters(&dev->instance, handles, &count);
    // Both are too large for a stack.
    struct wf_vk_adapter *adapter = wf_base_alloc(open->allocator, sizeof *adapter);
    weft_capabilities *caps = wf_base_alloc(open->allocator, sizeof *caps);
    if (!adapter || !caps)
        result = WEFT_ERROR_MEMORY;
    (void)snprintf(reason, WF_HAL_REASON_LENGTH, "%s",
                   result == WEFT_OK                    ? "there is no Vulkan device"
                   : result == WEFT_ERROR_MEMORY        ? "out of memory"
                   : result == WEFT_ERROR_DEVICE_MEMORY ? "out of device memory"
                                                        : "the driver lists no devices");
    for (uint32_t i = 0; adapter && caps && i < count; i++) {
        if (!wf_vk_adapter_read(&dev->instance, handles[i], adapter, reason))
            continue;
        if (open->gpu_only &&
            adapter->properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
            (void)snprintf(reason, WF_HAL_REASON_LENGTH,
                           "\"%.64s\" runs on the CPU, as the software device does; name the "
                           "backend to have it",
                           adapter->properties.properties.deviceName);
            continue;
        }
        if (!presents(&dev->instance, adapter, open->surface)) {
            (void)snprintf(reason, WF_HAL_REASON_LENGTH, "\"%.64s\" cannot present to the surface",
                           adapter->properties.properties.deviceName);
            continue;
        }
        wf_vk_adapter_capabilities(&dev->instance, adapter, caps);
        const uint32_t now = 1 + score(caps, open);
        if (now > best) {
            best = now;
            dev->adapter = *adapter;
            dev->base.caps = *caps;
        }
    }
    wf_base_free(open->allocator, adapter, sizeof *adapter);
    wf_base_free(open->allocator, caps, sizeof *caps);
    return result == WEFT_OK && best == 0 ? WEFT_ERROR_UNSUPPORTED : result;
}

// ---- creating ----------------------------------------------------------------------------------

static bool load_device(struct wf_vk_device *dev)
{
    if (!wf_vk_device_load(&dev->instance, dev->handle, &dev->vk))
        return false;
    if (!dev->instance.debug_utils) {
        dev->vk.SetDebugUtilsObjectNameEXT = NULL;
        dev->vk.CmdBeginDebugUtilsLabelEXT = NULL;
        dev->vk.CmdInsertDebugUtilsLabelEXT = NULL;
        dev->vk.CmdEndDebugUtilsLabelEXT = NULL;
    }
    return true;
}

/// Everything is enabled that is there, but for what costs speed.
static void trim_features(struct wf_vk_adapter *a)
{
    a->features12.bufferDeviceAddressCaptureReplay = VK_FALSE;
    a->features12.bufferDeviceAddressMultiDevice = VK_FALSE;
    // The heap holds no buffers, and not all drivers keep their robustness with these.
    a->features12.descriptorBindingUniformBufferUpdateAfterBind = VK_FALSE;
    a->features12.descriptorBindingStorageBufferUpdateAfterBind = VK_FALSE;
    a->features12.descriptorBindingUniformTexelBufferUpdateAfterBind = VK_FALSE;
    a->features12.descriptorBindingStorageTexelBufferUpdateAfterBind = VK_FALSE;
    a->features11.protectedMemory = VK_FALSE;
    a->fault.deviceFaultVendorBinary = VK_FALSE;
    a->acceleration.accelerationStructureCaptureReplay = VK_FALSE;
    a->acceleration.accelerationStructureIndirectBuild = VK_FALSE;
    a->acceleration.accelerationStructureHostCommands = VK_FALSE;
    a->mesh.multiviewMeshShader = VK_FALSE;
    a->mesh.primitiveFragmentShadingRateMeshShader = VK_FALSE; // its own feature is another one
}

static VkResult create_device(struct wf_vk_device *dev)
{
    struct wf_vk_adapter *a = &dev->adapter;
    const float priority = 1.0F;
    VkDeviceQueueCreateInfo queues[WEFT_QUEUE_COUNT];
    uint32_t queue_count = 0;
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        if (a->queues[i].own)
            queues[queue_count++] = (VkDeviceQueueCreateInfo){
                .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                .queueFamilyIndex = a->queues[i].family,
                .queueCount = 1,
                .pQueuePriorities = &priority,
            };
    }
    const char *extensions[WF_VK_EXT_COUNT];
    uint32_t extension_count = 0;
    bool windows = false;
    for (int i = 0; i < WEFT_SURFACE_KIND_COUNT; i++)
        windows |= dev->instance.surfaces[i];
    if (!windows)
        a->extensions &= ~(1u << WF_VK_EXT_SWAPCHAIN);
    if (!windows || !dev->instance.surface_maintenance)
        a->extensions &= ~(1u << WF_VK_EXT_SWAPCHAIN_MAINTENANCE);
    for (uint32_t i = 0; i < WF_VK_EXT_COUNT; i++) {
        if (a->extensions & 1u << i)
            extensions[extension_count++] = wf_vk_extension_name((enum wf_vk_extension)i);
    }
    trim_features(a);
    wf_vk_adapter_link(a); // it was copied since
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &a->features,
        .queueCreateInfoCount = queue_count,
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    return dev->vk.CreateDevice(a->handle, &info, NULL, &dev->handle);
}

/// A layout with no set and the root block, which every pipeline's layout agrees with.
static VkResult create_layouts(struct wf_vk_device *dev)
{
    const uint32_t most = dev->adapter.properties.properties.limits.maxPushConstantsSize;
    dev->root_range = most < 2 * WF_VK_ROOT_BYTES ? most : 2 * WF_VK_ROOT_BYTES;
    if (dev->root_range < 2 * WF_VK_ROOT_BYTES) { // root blocks may lie in memory instead
        struct wf_vk_adapter *a = &dev->adapter;
        a->features11.storagePushConstant16 &= a->features11.storageBuffer16BitAccess;
        a->features12.storagePushConstant8 &= a->features12.storageBuffer8BitAccess;
    }
    dev->root_stages =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
    if (dev->base.caps.features & WEFT_FEATURE_MESH_SHADERS)
        dev->root_stages |= VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    const VkDescriptorSetLayoutCreateInfo empty = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    VkResult result =
        dev->vk.CreateDescriptorSetLayout(dev->handle, &empty, NULL, &dev->empty_layout);
    const VkPushConstantRange range = {dev->root_stages, 0, dev->root_range};
    const VkPipelineLayoutCreateInfo root = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    if (result == VK_SUCCESS)
        result = dev->vk.CreatePipelineLayout(dev->handle, &root, NULL, &dev->root_layout);
    const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    if (result == VK_SUCCESS)
        result = dev->vk.CreatePipelineCache(dev->handle, &cache, NULL, &dev->pipeline_cache);
    return result;
}

static bool init_locks(struct wf_vk_device *dev)
{
    return wf_base_mutex_init(&dev->mips_lock) && wf_base_mutex_init(&dev->memory_lock) &&
           wf_base_mutex_init(&dev->fresh_lock) && wf_base_mutex_init(&dev->flight_lock) &&
           wf_base_mutex_init(&dev->lost_lock) && wf_base_mutex_init(&dev->heap.lock);
}

/// Everything of a device but its instance and adapter.
static weft_result build(struct wf_vk_device *dev)
{
    dev->vk = dev->instance.fn;
    dev->handle = dev->shared;
    VkResult result = dev->shared ? VK_SUCCESS : create_device(dev);
    if (result == VK_SUCCESS && !load_device(dev)) {
        if (dev->vk.DestroyDevice && !dev->shared)
            dev->vk.DestroyDevice(dev->handle, NULL);
        dev->handle = VK_NULL_HANDLE; // destroy() may lack what it calls
        return WEFT_ERROR_BACKEND;
    }
    if (result == VK_SUCCESS)
        result = create_layouts(dev);
    weft_result made = wf_vk_result(dev, result, "opening the device");
    if (made == WEFT_OK)
        made = wf_vk_queue_init(dev);
    if (made == WEFT_OK && dev->base.caps.features & WEFT_FEATURE_HEAP)
        made = wf_vk_result(dev, wf_vk_heap_create(dev), "laying out the heap");
    if (made == WEFT_OK)
        wf_vk_memory_init(dev);
    return made;
}

/// Finds instance and adapter: Weft's own, or the host's.
static weft_result find(struct wf_vk_device *dev, const struct wf_hal_open *open,
                        char reason[WF_HAL_REASON_LENGTH])
{
    if (!open->native) {
        const weft_result result =
            wf_vk_instance_open(&dev->instance, open->validation == WEFT_VALIDATION_FULL, reason);
        if (result != WEFT_OK)
            return result;
        return choose(dev, open, reason);
    }
    const weft_result result = wf_vk_share(dev, open->native, reason);
    if (result != WEFT_OK || presents(&dev->instance, &dev->adapter, open->surface))
        return result;
    (void)snprintf(reason, WF_HAL_REASON_LENGTH, "\"%.64s\" cannot present to the surface",
                   dev->base.caps.name);
    return WEFT_ERROR_UNSUPPORTED;
}

static weft_result vk_open(const struct wf_hal_open *open, struct wf_hal_device **out,
                           char reason[WF_HAL_REASON_LENGTH])
{
    *out = NULL;
    struct wf_vk_device *dev = wf_base_alloc_zero(open->allocator, sizeof *dev);
    if (!dev || !init_locks(dev)) {
        wf_base_free(open->allocator, dev, sizeof *dev);
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "out of memory");
        return WEFT_ERROR_MEMORY;
    }
    dev->base.allocator = open->allocator;
    dev->base.log = open->log;
    dev->base.lingers = true;
    dev->base.ops = &ops;
    dev->message = open->message;
    dev->message_user = open->message_user;
    weft_result result = find(dev, open, reason);
    if (result == WEFT_OK) {
        if (open->validation == WEFT_VALIDATION_FULL)
            wf_vk_instance_listen(dev);
        dev->dynamic_blend = (dev->base.caps.features & WEFT_FEATURE_DYNAMIC_BLEND) != 0;
        dev->dynamic_fill = dev->adapter.dynamic3.extendedDynamicState3PolygonMode;
        result = build(dev);
        if (result != WEFT_OK)
            (void)snprintf(reason, WF_HAL_REASON_LENGTH, "opening \"%.64s\" failed with %s",
                           dev->base.caps.name, weft_result_name(result));
    }
    if (result != WEFT_OK) {
        wf_vk_destroy(&dev->base);
        return result;
    }
    *out = &dev->base;
    return WEFT_OK;
}

static weft_result vk_adapters(weft_capabilities *out, uint32_t *count)
{
    struct wf_vk_instance instance;
    char reason[WF_HAL_REASON_LENGTH];
    const uint32_t room = out ? *count : 0;
    *count = 0;
    if (wf_vk_instance_open(&instance, false, reason) != WEFT_OK)
        return WEFT_OK; // no loader or no driver: no adapter
    VkPhysicalDevice handles[MAX_ADAPTERS];
    uint32_t found;
    const weft_result listed = list_adapters(&instance, handles, &found);
    struct wf_vk_adapter *adapter = malloc(sizeof *adapter);
    for (uint32_t i = 0; adapter && i < found; i++) {
        if (!wf_vk_adapter_read(&instance, handles[i], adapter, reason))
            continue;
        if (*count < room)
            wf_vk_adapter_capabilities(&instance, adapter, &out[*count]);
        ++*count;
    }
    const bool failed = !adapter;
    free(adapter);
    wf_vk_instance_close(&instance);
    return failed ? WEFT_ERROR_MEMORY : listed;
}

const struct wf_hal_backend wf_vk_backend = {
    .id = WEFT_BACKEND_VULKAN,
    .shares = true,
    .adapters = vk_adapters,
    .open = vk_open,
};
