// The loader, opened at run time, and an instance of it.
#include "backends/vulkan/vulkan.h"

#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EXTENSIONS 8u
#define MAINTENANCE    "VK_EXT_surface_maintenance1"
#define CAPABILITIES   "VK_KHR_get_surface_capabilities2"
#define VALIDATION     "VK_LAYER_KHRONOS_validation"

static const char *const surface_extensions[WEFT_SURFACE_KIND_COUNT] = {
    [WEFT_SURFACE_XCB] = "VK_KHR_xcb_surface",
    [WEFT_SURFACE_XLIB] = "VK_KHR_xlib_surface",
    [WEFT_SURFACE_WAYLAND] = "VK_KHR_wayland_surface",
    [WEFT_SURFACE_WIN32] = "VK_KHR_win32_surface",
};

/// Functions that need no instance.
struct globals {
#define WF_VK_GLOBAL_FN(name) PFN_vk##name name;
#include "backends/vulkan/functions.def"
};

static void *open_library(void)
{
    static const char *const names[] = {"libvulkan.so.1", "libvulkan.so", "vulkan-1.dll",
                                        "libvulkan.1.dylib", "libMoltenVK.dylib"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = wf_base_library_open(names[i]);
    return library;
}

static bool load_globals(const struct wf_vk_instance *instance, struct globals *out)
{
#define WF_VK_GLOBAL_FN(name)                                                                      \
    out->name = (PFN_vk##name)instance->get(NULL, "vk" #name);                                     \
    if (!out->name)                                                                                \
        return false;
#include "backends/vulkan/functions.def"
    return true;
}

/// A function of an instance or a device, and its place in wf_vk_functions.
struct function {
    const char *name;
    size_t offset;
    bool optional;
};

#define FUNCTION(name, optional)                                                                   \
    {                                                                                              \
        "vk" #name, offsetof(struct wf_vk_functions, name), optional                               \
    }

static const struct function instance_functions[] = {
#define WF_VK_INSTANCE_FN(name)       FUNCTION(name, false),
#define WF_VK_INSTANCE_OPTIONAL(name) FUNCTION(name, true),
#include "backends/vulkan/functions.def"
};

static const struct function device_functions[] = {
#define WF_VK_DEVICE_FN(name)       FUNCTION(name, false),
#define WF_VK_DEVICE_OPTIONAL(name) FUNCTION(name, true),
#include "backends/vulkan/functions.def"
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool put_function(struct wf_vk_functions *to, const struct function *f,
                         PFN_vkVoidFunction function)
{
    memcpy((char *)to + f->offset, &function, sizeof function);
    return function || f->optional;
}

static bool load_instance(struct wf_vk_instance *instance)
{
    bool whole = true;
    for (size_t i = 0; i < COUNT(instance_functions); i++)
        whole &= put_function(&instance->fn, &instance_functions[i],
                              instance->get(instance->handle, instance_functions[i].name));
    return whole;
}

bool wf_vk_device_load(const struct wf_vk_instance *instance, VkDevice device,
                       struct wf_vk_functions *out)
{
    bool whole = true;
    *out = instance->fn;
    for (size_t i = 0; i < COUNT(device_functions); i++)
        whole &= put_function(out, &device_functions[i],
                              out->GetDeviceProcAddr(device, device_functions[i].name));
    return whole;
}

static bool is_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(list[i].extensionName, name) == 0)
            return true;
    }
    return false;
}

/// The extensions of the loader, or of a layer; freed with free(). Empty if there is no memory.
static VkExtensionProperties *list_extensions(const struct globals *g, const char *layer,
                                              uint32_t *count)
{
    VkExtensionProperties *list = NULL;
    *count = 0;
    if (g->EnumerateInstanceExtensionProperties(layer, count, NULL) == VK_SUCCESS && *count > 0)
        list = calloc(*count, sizeof *list);
    if (!list || g->EnumerateInstanceExtensionProperties(layer, count, list) < VK_SUCCESS)
        *count = 0;
    return list;
}

static bool has_layer(const struct globals *g)
{
    VkLayerProperties *list = NULL;
    uint32_t count = 0;
    bool found = false;
    if (g->EnumerateInstanceLayerProperties(&count, NULL) == VK_SUCCESS && count > 0)
        list = calloc(count, sizeof *list);
    if (list && g->EnumerateInstanceLayerProperties(&count, list) >= VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(list[i].layerName, VALIDATION) == 0;
    }
    free(list);
    return found;
}

struct extensions {
    const char *names[MAX_EXTENSIONS + WEFT_SURFACE_KIND_COUNT];
    uint32_t count;
};

static void choose_extensions(struct wf_vk_instance *instance, const struct globals *g, bool layer,
                              struct extensions *out)
{
    uint32_t count, layer_count = 0;
    VkExtensionProperties *list = list_extensions(g, NULL, &count);
    VkExtensionProperties *of_layer = layer ? list_extensions(g, VALIDATION, &layer_count) : NULL;
    out->count = 0;
    instance->debug_utils = is_listed(list, count, "VK_EXT_debug_utils") ||
                            is_listed(of_layer, layer_count, "VK_EXT_debug_utils");
    if (instance->debug_utils)
        out->names[out->count++] = "VK_EXT_debug_utils";
    if (is_listed(of_layer, layer_count, "VK_EXT_validation_features"))
        out->names[out->count++] = "VK_EXT_validation_features";
    const bool surfaces = is_listed(list, count, "VK_KHR_surface");
    if (surfaces)
        out->names[out->count++] = "VK_KHR_surface";
    if (surfaces && is_listed(list, count, "VK_EXT_swapchain_colorspace"))
        out->names[out->count++] = "VK_EXT_swapchain_colorspace";
    instance->surface_maintenance =
        surfaces && is_listed(list, count, MAINTENANCE) && is_listed(list, count, CAPABILITIES);
    if (instance->surface_maintenance) {
        out->names[out->count++] = MAINTENANCE;
        out->names[out->count++] = CAPABILITIES;
    }
    for (int kind = 0; surfaces && kind < WEFT_SURFACE_KIND_COUNT; kind++) {
        const char *name = surface_extensions[kind];
        instance->surfaces[kind] = name && is_listed(list, count, name);
        if (instance->surfaces[kind])
            out->names[out->count++] = name;
    }
    free(list);
    free(of_layer);
}

static VkResult create(struct wf_vk_instance *instance, const struct globals *g, bool layer)
{
    struct extensions extensions;
    choose_extensions(instance, g, layer, &extensions);
    const VkValidationFeatureEnableEXT enable =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT checks = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = 1,
        .pEnabledValidationFeatures = &enable,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pEngineName = "Weft",
        .engineVersion =
            VK_MAKE_API_VERSION(0, WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH),
        .apiVersion = VK_API_VERSION_1_3,
    };
    const char *const layers[] = {VALIDATION};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = layer ? &checks : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = layer ? 1 : 0,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = extensions.count,
        .ppEnabledExtensionNames = extensions.names,
    };
    return g->CreateInstance(&info, NULL, &instance->handle);
}

/// Drivers are unloaded with the last instance, and some (NVIDIA's) take memory at each loading
/// that the system never gets back: after some thirty devices they load no more. So the process
/// keeps one plain instance for good.
static void keep_drivers(const struct globals *g)
{
    static struct wf_base_mutex lock = WF_BASE_MUTEX_INIT;
    static VkInstance kept;
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    wf_base_mutex_lock(&lock);
    if (!kept && g->CreateInstance(&info, NULL, &kept) != VK_SUCCESS)
        kept = VK_NULL_HANDLE; // whoever opens one himself is told why
    wf_base_mutex_unlock(&lock);
}

weft_result wf_vk_instance_open(struct wf_vk_instance *instance, bool validate,
                                char reason[WF_HAL_REASON_LENGTH])
{
    *instance = (struct wf_vk_instance){.library = open_library()};
    struct globals g;
    if (!instance->library) {
        (void)snprintf(
            reason, WF_HAL_REASON_LENGTH,
            "there is no Vulkan loader (libvulkan.so.1 or vulkan-1.dll; Debian: libvulkan1)");
        return WEFT_ERROR_UNSUPPORTED;
    }
    void *symbol = wf_base_library_symbol(instance->library, "vkGetInstanceProcAddr");
    memcpy(&instance->get, &symbol, sizeof symbol);
    uint32_t version = 0;
    if (!instance->get || !load_globals(instance, &g) ||
        g.EnumerateInstanceVersion(&version) != VK_SUCCESS || version < VK_API_VERSION_1_3) {
        wf_vk_instance_close(instance);
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "the Vulkan loader is older than 1.3");
        return WEFT_ERROR_UNSUPPORTED;
    }
    keep_drivers(&g);
    const VkResult result = create(instance, &g, validate && has_layer(&g));
    if (result != VK_SUCCESS || !load_instance(instance)) {
        wf_vk_instance_close(instance);
        (void)snprintf(reason, WF_HAL_REASON_LENGTH,
                       result == VK_ERROR_INCOMPATIBLE_DRIVER
                           ? "there is no Vulkan driver (Debian: mesa-vulkan-drivers)"
                           : "vkCreateInstance failed with %d",
                       (int)result);
        const weft_result meaning = wf_vk_meaning(result);
        return meaning == WEFT_ERROR_BACKEND ? WEFT_ERROR_UNSUPPORTED : meaning;
    }
    return WEFT_OK;
}

bool wf_vk_instance_adopt(struct wf_vk_instance *instance,
                          bool (*enabled)(const void *user, const char *extension),
                          const void *user)
{
    instance->shared = true;
    instance->debug_utils = enabled(user, "VK_EXT_debug_utils");
    const bool surfaces = enabled(user, "VK_KHR_surface");
    instance->surface_maintenance =
        surfaces && enabled(user, MAINTENANCE) && enabled(user, CAPABILITIES);
    for (int kind = 0; kind < WEFT_SURFACE_KIND_COUNT; kind++) {
        const char *name = surface_extensions[kind];
        instance->surfaces[kind] = surfaces && name && enabled(user, name);
    }
    return load_instance(instance);
}

uint32_t wf_vk_instance_extensions(const struct wf_vk_instance *instance,
                                   const char *out[WF_VK_INSTANCE_EXTENSIONS])
{
    uint32_t count = 0;
    bool surfaces = false;
    if (instance->debug_utils)
        out[count++] = "VK_EXT_debug_utils";
    for (int kind = 0; kind < WEFT_SURFACE_KIND_COUNT; kind++) {
        surfaces |= instance->surfaces[kind];
        if (instance->surfaces[kind])
            out[count++] = surface_extensions[kind];
    }
    if (surfaces)
        out[count++] = "VK_KHR_surface";
    if (instance->surface_maintenance) {
        out[count++] = MAINTENANCE;
        out[count++] = CAPABILITIES;
    }
    return count;
}

void wf_vk_instance_close(struct wf_vk_instance *instance)
{
    if (instance->messenger)
        instance->fn.DestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger, NULL);
    if (instance->handle && !instance->shared && instance->fn.DestroyInstance)
        instance->fn.DestroyInstance(instance->handle, NULL);
    if (instance->library)
        wf_base_library_close(instance->library);
    *instance = (struct wf_vk_instance){0};
}

// ---- messages ----------------------------------------------------------------------------------

/// The sentence of a message of the layer, which begins with handles: "... | MessageID = 0x12 | ".
static const char *sentence_of(const char *message)
{
    static const char before[] = "| MessageID = ";
    const char *at = message ? strstr(message, before) : NULL;
    at = at ? strstr(at + sizeof before - 1, " | ") : NULL;
    return at ? at + 3 : message ? message : "";
}

static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data,
                                             void *user)
{
    const struct wf_vk_device *dev = user;
    weft_severity weft = WEFT_SEVERITY_WARNING;
    if (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
        weft = WEFT_SEVERITY_ERROR;
    else if (types & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)
        weft = WEFT_SEVERITY_PERFORMANCE;
    dev->message(dev->message_user, weft, data->pMessageIdName ? data->pMessageIdName : "",
                 sentence_of(data->pMessage));
    return VK_FALSE;
}

void wf_vk_instance_listen(struct wf_vk_device *dev)
{
    struct wf_vk_instance *instance = &dev->instance;
    if (!dev->message || !instance->debug_utils || !instance->fn.CreateDebugUtilsMessengerEXT)
        return;
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = listen,
        .pUserData = dev,
    };
    if (instance->fn.CreateDebugUtilsMessengerEXT(instance->handle, &info, NULL,
                                                  &instance->messenger) != VK_SUCCESS)
        instance->messenger = VK_NULL_HANDLE;
}
