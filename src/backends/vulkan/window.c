// Windows: native surfaces and their swapchains.
#include "backends/vulkan/surface.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

// The types of the window systems that Vulkan's headers name; their own headers are not needed.
typedef struct xcb_connection_t xcb_connection_t;
typedef uint32_t xcb_window_t;
typedef uint32_t xcb_visualid_t;
typedef struct _XDisplay Display;
typedef unsigned long Window;
typedef unsigned long VisualID;
struct wl_display;
struct wl_surface;
typedef void *HINSTANCE, *HWND, *HANDLE, *HMONITOR;
typedef const wchar_t *LPCWSTR;
typedef unsigned long DWORD;
typedef struct _SECURITY_ATTRIBUTES SECURITY_ATTRIBUTES;
// clang-format off
#include <vulkan/vulkan_xcb.h>
#include <vulkan/vulkan_xlib.h>
#include <vulkan/vulkan_wayland.h>
#include <vulkan/vulkan_win32.h>
// clang-format on

/// What vkCreate...SurfaceKHR takes: one of these, by kind.
union native {
    VkXcbSurfaceCreateInfoKHR xcb;
    VkXlibSurfaceCreateInfoKHR xlib;
    VkWaylandSurfaceCreateInfoKHR wayland;
    VkWin32SurfaceCreateInfoKHR win32;
};

typedef VkResult(VKAPI_PTR *create_surface)(VkInstance, const void *, const VkAllocationCallbacks *,
                                            VkSurfaceKHR *);

/// Fills `out`; NULL if the kind is none that the backend knows.
static const char *describe(const weft_surface_target *target, union native *out)
{
    switch (target->kind) {
    case WEFT_SURFACE_XCB:
        out->xcb = (VkXcbSurfaceCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR,
            .connection = target->display,
            .window = (xcb_window_t)target->xid,
        };
        return "vkCreateXcbSurfaceKHR";
    case WEFT_SURFACE_XLIB:
        out->xlib = (VkXlibSurfaceCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR,
            .dpy = target->display,
            .window = (Window)target->xid,
        };
        return "vkCreateXlibSurfaceKHR";
    case WEFT_SURFACE_WAYLAND:
        out->wayland = (VkWaylandSurfaceCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
            .display = target->display,
            .surface = target->window,
        };
        return "vkCreateWaylandSurfaceKHR";
    case WEFT_SURFACE_WIN32:
        out->win32 = (VkWin32SurfaceCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_WIN32_SURFACE_CREATE_INFO_KHR,
            .hinstance = target->display,
            .hwnd = target->window,
        };
        return "vkCreateWin32SurfaceKHR";
    default:
        return NULL;
    }
}

static VkResult create_native(const struct wf_vk_instance *instance,
                              const weft_surface_target *target, VkSurfaceKHR *out)
{
    union native native;
    *out = VK_NULL_HANDLE;
    if (!instance->surfaces[target->kind])
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    const char *name = describe(target, &native);
    create_surface create = name ? (create_surface)instance->get(instance->handle, name) : NULL;
    return create ? create(instance->handle, &native, NULL, out) : VK_ERROR_EXTENSION_NOT_PRESENT;
}

/// VK_ERROR_FEATURE_NOT_PRESENT: it does not.
static VkResult supports(const struct wf_vk_instance *instance, const struct wf_vk_adapter *adapter,
                         VkSurfaceKHR surface)
{
    VkBool32 supported = VK_FALSE;
    const VkResult result = instance->fn.GetPhysicalDeviceSurfaceSupportKHR(
        adapter->handle, adapter->queues[WEFT_QUEUE_GRAPHICS].family, surface, &supported);
    return result == VK_SUCCESS && !supported ? VK_ERROR_FEATURE_NOT_PRESENT : result;
}

bool wf_vk_window_presents(const struct wf_vk_instance *instance,
                           const struct wf_vk_adapter *adapter, const weft_surface_target *target)
{
    VkSurfaceKHR surface;
    if (!(adapter->extensions & 1u << WF_VK_EXT_SWAPCHAIN) ||
        create_native(instance, target, &surface) != VK_SUCCESS)
        return false;
    const bool supported = supports(instance, adapter, surface) == VK_SUCCESS;
    instance->fn.DestroySurfaceKHR(instance->handle, surface, NULL);
    return supported;
}

/// Drivers for Wayland wait in vkQueuePresentKHR until the frame before was shown, which is for
/// ever when nobody sees the window. So FIFO is made of MAILBOX, and of waiting before the next
/// frame.
static void open_pacing(struct wf_vk_surface *surface, const weft_surface_target *target)
{
    char reason[WF_BASE_LIBRARY_REASON];
    if (target->kind == WEFT_SURFACE_WAYLAND && wf_hal_wayland_load(reason))
        (void)wf_hal_wayland_open(&surface->wayland, target->display, target->window);
}

weft_result wf_vk_window_open(struct wf_vk_device *dev, struct wf_vk_surface *surface,
                              const weft_surface_target *target)
{
    if (!wf_vk_has(dev, WF_VK_EXT_SWAPCHAIN))
        return WEFT_ERROR_UNSUPPORTED;
    VkResult result = create_native(&dev->instance, target, &surface->handle);
    if (result == VK_ERROR_EXTENSION_NOT_PRESENT)
        return WEFT_ERROR_UNSUPPORTED;
    if (result == VK_SUCCESS) {
        result = supports(&dev->instance, &dev->adapter, surface->handle);
        if (result != VK_SUCCESS)
            wf_vk_window_close(dev, surface);
    }
    if (result == VK_SUCCESS)
        open_pacing(surface, target);
    return wf_vk_result(dev, result, "opening a window's surface");
}

void wf_vk_window_close(struct wf_vk_device *dev, struct wf_vk_surface *surface)
{
    if (surface->wayland.surface)
        wf_hal_wayland_close(&surface->wayland);
    dev->vk.DestroySurfaceKHR(dev->instance.handle, surface->handle, NULL);
}

// ---- what a window offers ----------------------------------------------------------------------

static const struct {
    VkColorSpaceKHR vulkan;
    weft_color_space weft;
} color_spaces[] = {
    {VK_COLOR_SPACE_SRGB_NONLINEAR_KHR, WEFT_COLOR_SPACE_SRGB},
    {VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT, WEFT_COLOR_SPACE_EXTENDED_LINEAR},
    {VK_COLOR_SPACE_HDR10_ST2084_EXT, WEFT_COLOR_SPACE_HDR10},
    {VK_COLOR_SPACE_DISPLAY_P3_NONLINEAR_EXT, WEFT_COLOR_SPACE_DISPLAY_P3},
};

static const struct {
    VkPresentModeKHR vulkan;
    weft_present_mode weft;
} modes[] = {
    {VK_PRESENT_MODE_FIFO_KHR, WEFT_PRESENT_FIFO},
    {VK_PRESENT_MODE_FIFO_RELAXED_KHR, WEFT_PRESENT_FIFO_RELAXED},
    {VK_PRESENT_MODE_MAILBOX_KHR, WEFT_PRESENT_MAILBOX},
    {VK_PRESENT_MODE_IMMEDIATE_KHR, WEFT_PRESENT_IMMEDIATE},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MAX_FORMATS  64u
#define MAX_MODES    16u

/// The surface's formats that Weft knows, best first: 8-bit sRGB ones in front.
static VkResult list_formats(struct wf_vk_device *dev, const struct wf_vk_surface *surface,
                             uint32_t *count, VkSurfaceFormatKHR out[MAX_FORMATS])
{
    *count = MAX_FORMATS;
    const VkResult result = dev->vk.GetPhysicalDeviceSurfaceFormatsKHR(dev->adapter.handle,
                                                                       surface->handle, count, out);
    return result == VK_INCOMPLETE ? VK_SUCCESS : result;
}

static weft_format weft_format_of(VkFormat format)
{
    for (unsigned i = 1; i < WEFT_FORMAT_COUNT; i++) {
        if (wf_vk_format((weft_format)i) == format)
            return (weft_format)i;
    }
    return WEFT_FORMAT_NONE;
}

static void add_format(weft_surface_info *out, weft_format format, bool first)
{
    for (uint32_t i = 0; i < out->format_count; i++) {
        if (out->formats[i] == format)
            return;
    }
    if (out->format_count == COUNT(out->formats))
        return;
    if (first)
        memmove(out->formats + 1, out->formats, out->format_count * sizeof *out->formats);
    out->formats[first ? 0 : out->format_count] = format;
    out->format_count++;
}

weft_result wf_vk_window_query(struct wf_vk_device *dev, struct wf_vk_surface *surface,
                               weft_surface_info *out)
{
    VkSurfaceFormatKHR formats[MAX_FORMATS] = {{0}};
    VkPresentModeKHR list[MAX_MODES] = {0};
    uint32_t count, mode_count = MAX_MODES;
    *out = (weft_surface_info){.config = surface->config};
    VkResult result = list_formats(dev, surface, &count, formats);
    if (result == VK_SUCCESS)
        result = dev->vk.GetPhysicalDeviceSurfacePresentModesKHR(
            dev->adapter.handle, surface->handle, &mode_count, list);
    if (result < VK_SUCCESS)
        return wf_vk_result(dev, result, "asking a window");
    for (uint32_t i = 0; i < count; i++) {
        const weft_format format = weft_format_of(formats[i].format);
        for (size_t k = 0; k < COUNT(color_spaces); k++) {
            if (format == WEFT_FORMAT_NONE || formats[i].colorSpace != color_spaces[k].vulkan)
                continue;
            out->color_spaces |= 1u << color_spaces[k].weft;
            add_format(out, format, weft_format_get_info(format)->srgb);
        }
    }
    for (uint32_t i = 0; i < mode_count; i++) {
        for (size_t k = 0; k < COUNT(modes); k++) {
            if (list[i] == modes[k].vulkan)
                out->modes |= 1u << modes[k].weft;
        }
    }
    return WEFT_OK;
}

// ---- configuring -------------------------------------------------------------------------------

/// The format in the color space that was asked for, and how FIFO is made. WEFT_ERROR_SURFACE: it
/// does not have it.
static weft_result choose_format(struct wf_vk_device *dev, struct wf_vk_surface *surface,
                                 weft_surface_config *config, VkSurfaceFormatKHR *out, bool *paced)
{
    weft_surface_info info;
    const weft_result asked = wf_vk_window_query(dev, surface, &info);
    if (asked != WEFT_OK)
        return asked;
    if (config->format == WEFT_FORMAT_NONE && info.format_count > 0)
        config->format = info.formats[0];
    *out = (VkSurfaceFormatKHR){wf_vk_format(config->format),
                                color_spaces[config->color_space].vulkan};
    if (!(info.modes & 1u << config->mode))
        return WEFT_ERROR_SURFACE;
    *paced = surface->wayland.surface && config->mode == WEFT_PRESENT_FIFO &&
             info.modes & 1u << WEFT_PRESENT_MAILBOX;
    VkSurfaceFormatKHR formats[MAX_FORMATS];
    uint32_t count;
    const VkResult result = list_formats(dev, surface, &count, formats);
    for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++) {
        if (formats[i].format == out->format && formats[i].colorSpace == out->colorSpace)
            return WEFT_OK;
    }
    return result == VK_SUCCESS ? WEFT_ERROR_SURFACE : wf_vk_result(dev, result, "asking a window");
}

static VkImageUsageFlags usage_of(weft_texture_usage usage)
{
    return VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
           (usage & WEFT_TEXTURE_USAGE_SAMPLED ? VK_IMAGE_USAGE_SAMPLED_BIT : 0u) |
           (usage & WEFT_TEXTURE_USAGE_STORAGE ? VK_IMAGE_USAGE_STORAGE_BIT : 0u) |
           (usage & WEFT_TEXTURE_USAGE_COPY_SRC ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0u) |
           (usage & WEFT_TEXTURE_USAGE_COPY_DST ? VK_IMAGE_USAGE_TRANSFER_DST_BIT : 0u);
}

/// The window's own size where it has one, what was asked for where the images give it one.
static void settle_size(const VkSurfaceCapabilitiesKHR *caps, weft_surface_config *config)
{
    if (caps->currentExtent.width != UINT32_MAX) {
        config->width = caps->currentExtent.width;
        config->height = caps->currentExtent.height;
        return;
    }
    if (config->width == 0 || config->height == 0)
        return;
    config->width = wf_base_min_u32(wf_base_max_u32(config->width, caps->minImageExtent.width),
                                    caps->maxImageExtent.width);
    config->height = wf_base_min_u32(wf_base_max_u32(config->height, caps->minImageExtent.height),
                                     caps->maxImageExtent.height);
}

static VkCompositeAlphaFlagBitsKHR alpha_of(VkCompositeAlphaFlagsKHR has)
{
    static const VkCompositeAlphaFlagBitsKHR wanted[] = {
        VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR, VK_COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        if (has & wanted[i])
            return wanted[i];
    }
    return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
}

static VkResult create_swapchain(struct wf_vk_device *dev, const struct wf_vk_surface *surface,
                                 const VkSurfaceCapabilitiesKHR *caps,
                                 const weft_surface_config *config, VkSurfaceFormatKHR format,
                                 struct wf_vk_surface_images *images)
{
    const uint32_t most = caps->maxImageCount ? caps->maxImageCount : WF_VK_SURFACE_IMAGES;
    uint32_t families[WEFT_QUEUE_COUNT];
    const uint32_t family_count =
        wf_vk_families(dev, wf_vk_surface_queues(config->usage), families);
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = surface->handle,
        .minImageCount = wf_base_min_u32(wf_base_max_u32(caps->minImageCount + 1, 3), most),
        .imageFormat = format.format,
        .imageColorSpace = format.colorSpace,
        .imageExtent = {config->width, config->height},
        .imageArrayLayers = 1,
        .imageUsage = usage_of(config->usage) & caps->supportedUsageFlags,
        .imageSharingMode =
            family_count > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = family_count > 1 ? family_count : 0,
        .pQueueFamilyIndices = families,
        .preTransform = caps->currentTransform,
        .compositeAlpha = alpha_of(caps->supportedCompositeAlpha),
        .presentMode = images->paced ? VK_PRESENT_MODE_MAILBOX_KHR : modes[config->mode].vulkan,
        .clipped = VK_TRUE,
        .oldSwapchain = surface->retired ? VK_NULL_HANDLE : surface->images.swapchain,
    };
    return dev->vk.CreateSwapchainKHR(dev->handle, &info, NULL, &images->swapchain);
}

static VkResult semaphore_new(struct wf_vk_device *dev, VkSemaphore *out)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    return dev->vk.CreateSemaphore(dev->handle, &info, NULL, out);
}

/// Whether a fence can tell when presenting is over (VK_EXT_swapchain_maintenance1).
static bool tells_presents(const struct wf_vk_device *dev)
{
    return wf_vk_has(dev, WF_VK_EXT_SWAPCHAIN_MAINTENANCE) &&
           dev->adapter.swapchain_maintenance.swapchainMaintenance1;
}

static VkResult adopt_image(struct wf_vk_device *dev, const weft_surface_config *config,
                            VkImage handle, struct wf_vk_surface_image *image)
{
    struct wf_vk_texture *tex = wf_base_alloc_zero(dev->base.allocator, sizeof *tex);
    if (!tex)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    tex->handle = handle;
    tex->aspects = VK_IMAGE_ASPECT_COLOR_BIT;
    tex->base.desc = (weft_texture_desc){
        .format = config->format,
        .width = config->width,
        .height = config->height,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage = config->usage | WEFT_TEXTURE_USAGE_RENDER,
        .queues = wf_vk_surface_queues(config->usage),
    };
    image->texture = tex;
    VkResult result = semaphore_new(dev, &image->acquired);
    if (result == VK_SUCCESS)
        result = semaphore_new(dev, &image->presentable);
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (result == VK_SUCCESS && tells_presents(dev))
        result = dev->vk.CreateFence(dev->handle, &fence, NULL, &image->shown);
    return result;
}

static VkResult adopt_images(struct wf_vk_device *dev, const weft_surface_config *config,
                             struct wf_vk_surface_images *images)
{
    VkImage handles[WF_VK_SURFACE_IMAGES];
    uint32_t count = WF_VK_SURFACE_IMAGES;
    VkResult result =
        dev->vk.GetSwapchainImagesKHR(dev->handle, images->swapchain, &count, handles);
    if (result == VK_INCOMPLETE)
        return VK_ERROR_TOO_MANY_OBJECTS;
    for (; result == VK_SUCCESS && images->count < count; images->count++)
        result = adopt_image(dev, config, handles[images->count], &images->items[images->count]);
    if (result == VK_SUCCESS)
        result = semaphore_new(dev, &images->spare);
    if (result == VK_SUCCESS)
        result = wf_vk_surface_record(dev, images);
    return result;
}

weft_result wf_vk_window_configure(struct wf_vk_device *dev, struct wf_vk_surface *surface,
                                   weft_surface_config *config, struct wf_vk_surface_images *images)
{
    VkSurfaceCapabilitiesKHR caps;
    VkSurfaceFormatKHR format;
    VkResult result = dev->vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(dev->adapter.handle,
                                                                      surface->handle, &caps);
    if (result != VK_SUCCESS)
        return wf_vk_result(dev, result, "asking a window");
    config->usage |= WEFT_TEXTURE_USAGE_RENDER;
    const weft_result chosen = choose_format(dev, surface, config, &format, &images->paced);
    if (chosen != WEFT_OK || usage_of(config->usage) & ~caps.supportedUsageFlags)
        return chosen != WEFT_OK ? chosen : WEFT_ERROR_SURFACE;
    if (caps.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT)
        config->usage |= WEFT_TEXTURE_USAGE_COPY_DST; // for weft_surface_present_pixels()
    settle_size(&caps, config);
    if (surface->wayland.surface)
        wf_hal_wayland_forget(&surface->wayland);
    if (config->width == 0 || config->height == 0)
        return WEFT_OK;
    result = create_swapchain(dev, surface, &caps, config, format, images);
    if (result == VK_SUCCESS)
        result = adopt_images(dev, config, images);
    if (result != VK_SUCCESS)
        wf_vk_surface_drop(dev, images);
    if (result != VK_SUCCESS && surface->images.swapchain)
        surface->stale = surface->retired = true; // the old one was given up for the new one
    return wf_vk_result(dev, result, "configuring a window");
}

// ---- swapchains of before ----------------------------------------------------------------------

/// Whether presenting is over for an image; waits `timeout_ns` for it.
static bool is_shown(struct wf_vk_device *dev, const struct wf_vk_surface_image *image,
                     uint64_t timeout_ns)
{
    if (!image->shown || !image->presented)
        return true;
    const VkResult result =
        dev->vk.WaitForFences(dev->handle, 1, &image->shown, VK_TRUE, timeout_ns);
    if (result == VK_ERROR_DEVICE_LOST)
        (void)wf_vk_result(dev, result, "waiting for a window");
    return result == VK_SUCCESS;
}

/// Whether it is for all images; waits until `deadline` (wf_base_clock_ns()), which may have
/// passed.
static bool are_shown(struct wf_vk_device *dev, const struct wf_vk_surface_images *images,
                      uint64_t deadline)
{
    bool over = true;
    for (uint32_t i = 0; i < images->count; i++) {
        const uint64_t now = wf_base_clock_ns();
        over &= is_shown(dev, &images->items[i], deadline > now ? deadline - now : 0);
    }
    return over;
}

/// Destroys what nothing uses any more. Without fences, that an image of the present swapchain came
/// round proves it, for presents come to their end in order.
static void sweep(struct wf_vk_device *dev, struct wf_vk_surface *surface)
{
    if (surface->old_count == 0)
        return;
    const uint64_t finished = wf_vk_serial_finished(&dev->base);
    const uint64_t proof = surface->images.proof;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < surface->old_count; i++) {
        struct wf_vk_surface_images *old = &surface->old[i];
        const bool shown =
            tells_presents(dev) ? are_shown(dev, old, 0) : proof != 0 && proof <= finished;
        // The change of layout for presenting comes behind `newest`, and has no serial. The fence
        // comes after it, but the Khronos layer believes only in what was submitted later.
        if (shown && !old->untold && old->newest < finished)
            wf_vk_surface_drop(dev, old);
        else
            surface->old[kept++] = *old;
    }
    surface->old_count = kept;
}

void wf_vk_window_quiet(struct wf_vk_device *dev, struct wf_vk_surface *surface)
{
    wf_vk_quiet(dev);
    const uint64_t deadline = wf_base_clock_ns() + WF_HAL_WINDOW_WAIT_NS;
    (void)are_shown(dev, &surface->images, deadline);
    for (uint32_t i = 0; i < surface->old_count; i++) {
        (void)are_shown(dev, &surface->old[i], deadline);
        wf_vk_surface_drop(dev, &surface->old[i]);
    }
    surface->old_count = 0;
}

/// An image that is acquired and was not drawn to stays with it: vkReleaseSwapchainImagesEXT()
/// would have to wait for its semaphore first.
void wf_vk_window_retire(struct wf_vk_device *dev, struct wf_vk_surface *surface)
{
    sweep(dev, surface);
    if (surface->old_count == WF_VK_SURFACE_OLD) // sizes come faster than frames
        wf_vk_window_quiet(dev, surface);
    surface->old[surface->old_count++] = surface->images;
}

// ---- acquiring and presenting ------------------------------------------------------------------

/// A window without a size has none to draw to; one that got a size again must be configured.
static weft_acquire_status without_images(struct wf_vk_device *dev,
                                          const struct wf_vk_surface *surface)
{
    VkSurfaceCapabilitiesKHR caps;
    const VkResult result = dev->vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(dev->adapter.handle,
                                                                            surface->handle, &caps);
    if (result == VK_ERROR_SURFACE_LOST_KHR)
        return WEFT_ACQUIRE_LOST;
    const bool sized = result == VK_SUCCESS && caps.currentExtent.width != UINT32_MAX &&
                       caps.currentExtent.width > 0 && caps.currentExtent.height > 0;
    return sized ? WEFT_ACQUIRE_RECONFIGURE : WEFT_ACQUIRE_SKIP;
}

weft_acquire_status wf_vk_window_acquire(struct wf_vk_device *dev, struct wf_vk_surface *surface)
{
    struct wf_vk_surface_images *images = &surface->images;
    sweep(dev, surface);
    if (!images->swapchain)
        return without_images(dev, surface);
    if (surface->stale)
        return WEFT_ACQUIRE_RECONFIGURE;
    if (surface->images.paced) {
        const weft_acquire_status status = wf_hal_wayland_wait(&surface->wayland, true, NULL, NULL);
        if (status != WEFT_ACQUIRE_READY)
            return status;
    }
    // The submission that waited for it was long ago, but that an image came round is no proof.
    switch (wf_vk_serial_wait(&dev->base, images->spare_serial, WF_HAL_WINDOW_WAIT_NS)) {
    case WEFT_OK:
        break;
    case WEFT_ERROR_TIMEOUT:
        return WEFT_ACQUIRE_SKIP;
    case WEFT_ERROR_LOST:
        return WEFT_ACQUIRE_LOST;
    default:
        return WF_HAL_ACQUIRE_MEMORY;
    }
    const VkResult result =
        dev->vk.AcquireNextImageKHR(dev->handle, images->swapchain, WF_HAL_WINDOW_WAIT_NS,
                                    images->spare, VK_NULL_HANDLE, &surface->next);
    switch (result) {
    case VK_SUBOPTIMAL_KHR:
        surface->stale = true; // this image can be used, the next ones better not
        break;
    case VK_SUCCESS:
        break;
    case VK_TIMEOUT:
    case VK_NOT_READY:
        return WEFT_ACQUIRE_SKIP;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        (void)wf_vk_result(dev, result, "acquiring an image");
        return WF_HAL_ACQUIRE_MEMORY;
    case VK_ERROR_OUT_OF_DATE_KHR:
        surface->stale = true;
        return WEFT_ACQUIRE_RECONFIGURE;
    default:
        (void)wf_vk_result(dev, result, "acquiring an image");
        return WEFT_ACQUIRE_LOST;
    }
    struct wf_vk_surface_image *image = &images->items[surface->next];
    VkSemaphore acquired = images->spare;
    images->spare = image->acquired;
    images->spare_serial = image->serial;
    image->acquired = acquired;
    image->serial = 0;
    return WEFT_ACQUIRE_READY;
}

/// Gives the image its layout for presenting, in a submission of its own behind all others.
static VkResult make_presentable(struct wf_vk_device *dev, const struct wf_vk_surface *surface)
{
    const struct wf_vk_surface_image *image = &surface->images.items[surface->next];
    VkCommandBufferSubmitInfo commands[2];
    uint32_t count = 0;
    if (!surface->ready)
        commands[count++] = (VkCommandBufferSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
            .commandBuffer = image->to_general,
        };
    commands[count++] = (VkCommandBufferSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = image->to_present,
    };
    VkSemaphoreSubmitInfo waits[WEFT_QUEUE_COUNT];
    uint32_t wait_count = 0;
    if (!surface->ready)
        waits[wait_count++] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = image->acquired,
            .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        };
    for (int i = WEFT_QUEUE_GRAPHICS + 1; i < WEFT_QUEUE_COUNT && surface->ready; i++) {
        if (image->uses[i] > atomic_load(&dev->finished))
            waits[wait_count++] = (VkSemaphoreSubmitInfo){
                .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                .semaphore = dev->queues[i].timeline,
                .value = image->uses[i],
                .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
            };
    }
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = image->presentable,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = wait_count,
        .pWaitSemaphoreInfos = waits,
        .commandBufferInfoCount = count,
        .pCommandBufferInfos = commands,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &signal,
    };
    return dev->vk.QueueSubmit2(dev->queues[WEFT_QUEUE_GRAPHICS].handle, 1, &info, VK_NULL_HANDLE);
}

/// Whether the image's fence can go with its next present: the one before is over, as it came
/// round.
static bool take_fence(struct wf_vk_device *dev, const struct wf_vk_surface_image *image)
{
    if (!image->shown || !image->presented)
        return image->shown;
    return is_shown(dev, image, WF_HAL_WINDOW_WAIT_NS) &&
           dev->vk.ResetFences(dev->handle, 1, &image->shown) == VK_SUCCESS;
}

/// Presents, `fenced`: with the image's fence. The queue's lock is held.
static VkResult present(struct wf_vk_device *dev, struct wf_vk_surface *surface, bool fenced)
{
    struct wf_vk_surface_image *image = &surface->images.items[surface->next];
    const VkSwapchainPresentFenceInfoEXT fence = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT,
        .swapchainCount = 1,
        .pFences = &image->shown,
    };
    const VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .pNext = fenced ? &fence : NULL,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &image->presentable,
        .swapchainCount = 1,
        .pSwapchains = &surface->images.swapchain,
        .pImageIndices = &surface->next,
    };
    const VkResult result = dev->vk.QueuePresentKHR(dev->queues[WEFT_QUEUE_GRAPHICS].handle, &info);
    const bool queued = result >= VK_SUCCESS || result == VK_ERROR_OUT_OF_DATE_KHR ||
                        result == VK_ERROR_SURFACE_LOST_KHR;
    image->presented = queued || (image->presented && !fenced);
    surface->images.untold |= !queued || (image->shown && !fenced);
    return result;
}

weft_result wf_vk_window_present(struct wf_vk_device *dev, struct wf_vk_surface *surface)
{
    const struct wf_vk_queue *queue = &dev->queues[WEFT_QUEUE_GRAPHICS];
    if (surface->images.paced)
        wf_hal_wayland_ask(&surface->wayland); // goes with the driver's commit
    // What it may wait for is waited for before others are kept from the queue.
    struct wf_vk_surface_image *image = &surface->images.items[surface->next];
    const bool fenced = take_fence(dev, image);
    wf_vk_queue_lock(dev, queue);
    VkResult result = make_presentable(dev, surface);
    if (result == VK_SUCCESS)
        result = present(dev, surface, fenced);
    else
        image->presented &= !fenced; // the fence is of no present now
    wf_vk_queue_unlock(dev, queue);
    // What was not presented for want of memory is the window's only again with new images.
    surface->stale |= result != VK_SUCCESS;
    if (result == VK_SUBOPTIMAL_KHR || result == VK_ERROR_OUT_OF_DATE_KHR)
        return result == VK_SUBOPTIMAL_KHR ? WEFT_OK : WEFT_SKIP;
    return wf_vk_result(dev, result, "presenting");
}
