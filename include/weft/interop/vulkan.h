/// \file interop/vulkan.h
/// Sharing instance, device, images and buffers with code that calls Vulkan itself.
///
/// Queues. Weft submits to a queue, and presents on it, in any call that takes its device. Vulkan
/// wants uses of a queue kept apart: either the host gives `lock_queue` and `unlock_queue`, which
/// Weft calls around each use, or it uses the queue only while no thread is in a call of Weft. To
/// submit to a queue of Weft's own device, it calls the two that weft_vulkan_get_device() tells.
///
/// Order. Submissions to the same queue begin in order; what one writes another sees behind a
/// barrier of both stages, as always: the host records its own, before or behind. Between queues,
/// and with the CPU, timelines: weft_vulkan_get_timeline(), weft_native_promise(). FULL validation
/// sees Weft's commands alone: where a barrier of the host's stands between two of them and none of
/// Weft's, it reports that one is missing.
///
/// Layouts. Weft keeps images in VK_IMAGE_LAYOUT_GENERAL from their first submission on (surfaces:
/// from the first that names them to their present), and expects them so of the host: whoever needs
/// another layout meanwhile changes it back. An image of the host's is moved from the layout that
/// it was given in by the first submission of any kind after weft_texture_create(), behind all that
/// the queue was given before. To hand it over in the host's own layout, a texture barrier to
/// WEFT_TEXTURE_STATE_NATIVE is recorded last, and one from there first when it comes back.
///
/// Families. An image or buffer of the host's belongs to the family of the queue of Weft's that
/// uses it, or is CONCURRENT over all of them; to take it elsewhere, the host records both halves.
///
/// Memory. A host binds memory before it gives an image or buffer, and frees it, with the object,
/// once the Weft object is destroyed and weft_device_wait_idle(), or a value of a timeline behind
/// its last use, was waited for. The memory of an image of Weft's may hold other images: never
/// write to it but through the image.
#ifndef WEFT_INTEROP_VULKAN_H
#define WEFT_INTEROP_VULKAN_H

#include <weft/interop/native.h>

#ifndef VULKAN_CORE_H_ // a host may have its own way to it
#include <vulkan/vulkan_core.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_vulkan_queue {
    VkQueue handle;
    uint32_t family;
} weft_vulkan_queue;

/// A device of Vulkan. Given to Weft it is the host's, with what the host enabled: Weft offers the
/// capabilities that this allows, and no other. It needs Vulkan 1.3 with timelineSemaphore,
/// dynamicRendering, synchronization2 and maintenance4, and bufferDeviceAddress where it has fewer
/// than 256 bytes of push constants. Asked for, it is what Weft opened, and the pointers live as
/// long as its device.
typedef struct weft_vulkan_device {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    uint32_t api_version; ///< VkApplicationInfo.apiVersion of the instance; at least 1.3.
    /// By weft_queue. The graphics queue is required; its family does graphics and compute. A null
    /// handle, or the same again, stands for it.
    weft_vulkan_queue queues[WEFT_QUEUE_COUNT];
    /// What vkCreateDevice() was given: a chain with VkPhysicalDeviceVulkan11Features, 12 and 13 in
    /// it, where features of structures that those took in are told, too.
    const VkPhysicalDeviceFeatures2 *features;
    const char *const *extensions; ///< Of the device, as enabled.
    uint32_t extension_count;
    const char *const *instance_extensions; ///< As enabled. Windows need those of surfaces; the
    uint32_t instance_extension_count;      ///< layer's messages, labels: VK_EXT_debug_utils.
    /// Both or neither. Any thread; Weft holds locks of its own. See above.
    void (*lock_queue)(void *user, VkQueue queue);
    void (*unlock_queue)(void *user, VkQueue queue);
    void *user; ///< Passed to the two.
} weft_vulkan_device;

/// An image. Given to Weft, with the rest in weft_texture_desc.
typedef struct weft_vulkan_image {
    VkImage image;
    VkFormat format; ///< The one that weft_texture_desc.format is.
    /// As the image was created. Required is what weft_texture_desc says, by name; with more than
    /// one mip, also COLOR_ATTACHMENT and SAMPLED where the format can be rendered to and filtered.
    VkImageUsageFlags usage;
    VkImageCreateFlags flags; ///< Cubes: CUBE_COMPATIBLE; 3D that is rendered to:
                              ///< 2D_ARRAY_COMPATIBLE; a view_format: MUTABLE_FORMAT and
                              ///< EXTENDED_USAGE.
    /// Where it is, or will be when the queue has done what it was given. UNDEFINED: its contents
    /// are dropped (a new image of Weft's before any submission).
    VkImageLayout layout;
    VkImageLayout native_layout; ///< Of WEFT_TEXTURE_STATE_NATIVE. UNDEFINED: GENERAL.
} weft_vulkan_image;

/// A buffer. Given to Weft, weft_buffer_desc.size of its bytes are used, from the first. Weft does
/// not map it.
typedef struct weft_vulkan_buffer {
    VkBuffer buffer;
    VkDeviceSize size;
    VkBufferUsageFlags usage; ///< Required is what weft_buffer_desc.usage says, by name; ADDRESS:
                              ///< SHADER_DEVICE_ADDRESS and STORAGE_BUFFER; QUERY: TRANSFER_DST;
                              ///< TEXEL: both of texels.
} weft_vulkan_buffer;

/// The views of a texture view: up to three, of which some may be the same, and some null where the
/// texture's usage has no need of them.
typedef struct weft_vulkan_view {
    VkImageView sampled;
    VkImageView storage;
    VkImageView attached;
} weft_vulkan_view;

// ---- what the host gives -----------------------------------------------------------------------

/// For weft_device_desc.native.
static inline weft_native weft_vulkan_from_device(const weft_vulkan_device *device)
{
    const weft_native native = {WEFT_BACKEND_VULKAN, device, sizeof *device};
    return native;
}

/// For weft_texture_desc.place.native.
static inline weft_native weft_vulkan_from_image(const weft_vulkan_image *image)
{
    const weft_native native = {WEFT_BACKEND_VULKAN, image, sizeof *image};
    return native;
}

/// For weft_buffer_desc.place.native.
static inline weft_native weft_vulkan_from_buffer(const weft_vulkan_buffer *buffer)
{
    const weft_native native = {WEFT_BACKEND_VULKAN, buffer, sizeof *buffer};
    return native;
}

// ---- what the host gets; see weft_native_get() -------------------------------------------------

static inline weft_result weft_vulkan_get_device(weft_device *device, weft_vulkan_device *out)
{
    const weft_object object = {0, 0, WEFT_OBJECT_DEVICE};
    return weft_native_get(device, object, WEFT_BACKEND_VULKAN, out, sizeof *out);
}

/// For a surface's texture, only from the first submission that names the surface to the present.
static inline weft_result weft_vulkan_get_image(weft_device *device, weft_texture texture,
                                                weft_vulkan_image *out)
{
    const weft_object object = {texture.index, texture.generation, WEFT_OBJECT_TEXTURE};
    return weft_native_get(device, object, WEFT_BACKEND_VULKAN, out, sizeof *out);
}

static inline weft_result weft_vulkan_get_view(weft_device *device, weft_texture_view view,
                                               weft_vulkan_view *out)
{
    const weft_object object = {view.index, view.generation, WEFT_OBJECT_TEXTURE_VIEW};
    return weft_native_get(device, object, WEFT_BACKEND_VULKAN, out, sizeof *out);
}

/// Whole; another one after weft_buffer_rebind().
static inline weft_result weft_vulkan_get_buffer(weft_device *device, weft_buffer buffer,
                                                 weft_vulkan_buffer *out)
{
    const weft_object object = {buffer.index, buffer.generation, WEFT_OBJECT_BUFFER};
    return weft_native_get(device, object, WEFT_BACKEND_VULKAN, out, sizeof *out);
}

/// A timeline semaphore with the timeline's values. What the host signals on it itself,
/// weft_native_promise() tells.
static inline weft_result weft_vulkan_get_timeline(weft_device *device, weft_timeline timeline,
                                                   VkSemaphore *out)
{
    const weft_object object = {timeline.index, timeline.generation, WEFT_OBJECT_TIMELINE};
    return weft_native_get(device, object, WEFT_BACKEND_VULKAN, out, sizeof(VkSemaphore));
}

/// See weft_native_command(). Null on failure.
static inline VkCommandBuffer weft_vulkan_command(weft_command_buffer *cmd)
{
    VkCommandBuffer out = NULL;
    weft_native_command(cmd, WEFT_BACKEND_VULKAN, &out, sizeof(VkCommandBuffer));
    return out;
}

#ifdef __cplusplus
}
#endif

#endif
