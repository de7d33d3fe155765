// What a host shares with Weft, and Weft with a host: interop/vulkan.h.
#include "backends/vulkan/vulkan.h"

#include <weft/interop/vulkan.h>

#include <stdio.h>
#include <string.h>

/// What a structure must hold, and what it lacks if it does not.
struct demand {
    bool met;
    const char *what;
};

/// False, and says so, if a demand is not met.
static bool meets(const struct demand *demands, size_t count, char reason[WF_HAL_REASON_LENGTH])
{
    for (size_t i = 0; i < count; i++) {
        if (demands[i].met)
            continue;
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "%s", demands[i].what);
        return false;
    }
    return true;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- the host's device -------------------------------------------------------------------------

static bool listed(const char *const *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (names[i] && strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static bool device_is_whole(const weft_native *native, char reason[WF_HAL_REASON_LENGTH])
{
    const weft_vulkan_device *d = native->object;
    if (native->size != sizeof *d) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "weft_vulkan_device has %zu bytes, not %zu",
                       sizeof *d, native->size);
        return false;
    }
    const weft_vulkan_queue *q = d->queues;
    const bool same = q[WEFT_QUEUE_COMPUTE].handle &&
                      q[WEFT_QUEUE_COMPUTE].handle == q[WEFT_QUEUE_COPY].handle &&
                      q[WEFT_QUEUE_COPY].handle != q[WEFT_QUEUE_GRAPHICS].handle;
    const struct demand demands[] = {
        {d->instance, "weft_vulkan_device.instance is null"},
        {d->physical_device, "weft_vulkan_device.physical_device is null"},
        {d->device, "weft_vulkan_device.device is null"},
        {d->get_instance_proc_addr, "weft_vulkan_device.get_instance_proc_addr is NULL"},
        {d->api_version >= VK_API_VERSION_1_3, "weft_vulkan_device.api_version is below 1.3"},
        {q[WEFT_QUEUE_GRAPHICS].handle, "weft_vulkan_device.queues has no graphics queue"},
        {!same, "the compute and the copy queue of weft_vulkan_device.queues are the same"},
        {d->features && d->features->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
         "weft_vulkan_device.features is NULL, or no VkPhysicalDeviceFeatures2"},
        {d->extensions || d->extension_count == 0, "weft_vulkan_device.extensions is NULL"},
        {d->instance_extensions || d->instance_extension_count == 0,
         "weft_vulkan_device.instance_extensions is NULL"},
        {!d->lock_queue == !d->unlock_queue,
         "one of weft_vulkan_device.lock_queue and unlock_queue is NULL"},
    };
    return meets(demands, COUNT(demands), reason);
}

static bool enabled(const void *user, const char *extension)
{
    const weft_vulkan_device *d = user;
    return listed(d->extensions, d->extension_count, extension);
}

static bool instance_enabled(const void *user, const char *extension)
{
    const weft_vulkan_device *d = user;
    return listed(d->instance_extensions, d->instance_extension_count, extension);
}

weft_result wf_vk_share(struct wf_vk_device *dev, const weft_native *native,
                        char reason[WF_HAL_REASON_LENGTH])
{
    const weft_vulkan_device *d = native->object;
    if (!device_is_whole(native, reason))
        return WEFT_ERROR_USAGE;
    dev->shared = d->device;
    dev->lock_queue = d->lock_queue;
    dev->unlock_queue = d->unlock_queue;
    dev->lock_user = d->user;
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++)
        dev->queues[i].handle = d->queues[i].handle;
    dev->instance.get = d->get_instance_proc_addr;
    dev->instance.handle = d->instance;
    if (!wf_vk_instance_adopt(&dev->instance, instance_enabled, d)) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH,
                       "weft_vulkan_device.get_instance_proc_addr knows too few functions");
        return WEFT_ERROR_USAGE;
    }
    if (!wf_vk_adapter_read(&dev->instance, d->physical_device, &dev->adapter, reason))
        return WEFT_ERROR_UNSUPPORTED;
    uint32_t families[WEFT_QUEUE_COUNT];
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        const bool own =
            d->queues[i].handle && (i == WEFT_QUEUE_GRAPHICS ||
                                    d->queues[i].handle != d->queues[WEFT_QUEUE_GRAPHICS].handle);
        families[i] = own ? d->queues[i].family : UINT32_MAX;
        if (!own)
            dev->queues[i].handle = VK_NULL_HANDLE;
    }
    if (!wf_vk_adapter_queues(&dev->instance, &dev->adapter, families)) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH,
                       "a family of weft_vulkan_device.queues cannot do what its queue is for");
        return WEFT_ERROR_USAGE;
    }
    wf_vk_adapter_limit(&dev->adapter, d->features, enabled, d);
    if (!wf_vk_adapter_meets_needs(&dev->adapter, "was opened without", reason))
        return WEFT_ERROR_UNSUPPORTED;
    wf_vk_adapter_capabilities(&dev->instance, &dev->adapter, &dev->base.caps);
    return WEFT_OK;
}

// ---- the host's images and buffers -------------------------------------------------------------

weft_result wf_vk_image_adopt(struct wf_vk_device *dev, struct wf_hal_native *native,
                              const weft_texture_desc *desc, struct wf_vk_texture *tex)
{
    const weft_vulkan_image *image = native->object;
    struct wf_vk_image_info info;
    wf_vk_image_info(dev, desc, &info);
    if (native->size != sizeof *image) {
        (void)snprintf(native->reason, WF_HAL_REASON_LENGTH,
                       "weft_vulkan_image has %zu bytes, not %zu", sizeof *image, native->size);
        return WEFT_ERROR_USAGE;
    }
    const struct demand demands[] = {
        {image->image, "weft_vulkan_image.image is null"},
        {image->format == info.info.format,
         "weft_vulkan_image.format is not that of weft_texture_desc.format"},
        {!(info.info.usage & ~image->usage),
         "weft_vulkan_image.usage lacks what weft_texture_desc asks for"},
        {!(info.info.flags & ~image->flags),
         "weft_vulkan_image.flags lacks what weft_texture_desc asks for"},
        {image->native_layout != VK_IMAGE_LAYOUT_PREINITIALIZED,
         "weft_vulkan_image.native_layout is PREINITIALIZED, which no image becomes"},
    };
    if (!meets(demands, COUNT(demands), native->reason))
        return WEFT_ERROR_USAGE;
    tex->handle = image->image;
    tex->native = true;
    tex->layout = image->layout;
    tex->native_layout = image->native_layout;
    return WEFT_OK;
}

weft_result wf_vk_buffer_adopt(struct wf_vk_device *dev, struct wf_hal_native *native,
                               const weft_buffer_desc *desc, struct wf_vk_buffer *buf)
{
    const weft_vulkan_buffer *buffer = native->object;
    uint32_t families[WEFT_QUEUE_COUNT];
    VkBufferCreateInfo info;
    wf_vk_buffer_info(dev, desc, &info, families);
    if (native->size != sizeof *buffer) {
        (void)snprintf(native->reason, WF_HAL_REASON_LENGTH,
                       "weft_vulkan_buffer has %zu bytes, not %zu", sizeof *buffer, native->size);
        return WEFT_ERROR_USAGE;
    }
    const struct demand demands[] = {
        {buffer->buffer, "weft_vulkan_buffer.buffer is null"},
        {buffer->size >= desc->size, "weft_vulkan_buffer.size is below weft_buffer_desc.size"},
        {!(info.usage & ~buffer->usage),
         "weft_vulkan_buffer.usage lacks what weft_buffer_desc asks for"},
    };
    if (!meets(demands, COUNT(demands), native->reason))
        return WEFT_ERROR_USAGE;
    buf->handle = buffer->buffer;
    buf->native = true;
    return WEFT_OK;
}

// ---- what is Weft's ----------------------------------------------------------------------------

static struct wf_vk_queue *queue_named(struct wf_vk_device *dev, VkQueue handle)
{
    int i = 0;
    while (i + 1 < WEFT_QUEUE_COUNT && dev->queues[i].handle != handle)
        i++;
    return &dev->queues[i];
}

static void lock_for_host(void *user, VkQueue queue)
{
    wf_vk_queue_lock(user, queue_named(user, queue));
}

static void unlock_for_host(void *user, VkQueue queue)
{
    wf_vk_queue_unlock(user, queue_named(user, queue));
}

/// The names of what is enabled. The same at each call.
static void name_extensions(struct wf_vk_device *dev, weft_vulkan_device *out)
{
    const char **names = dev->told.extensions;
    for (uint32_t i = 0; i < WF_VK_EXT_COUNT; i++) {
        if (dev->adapter.extensions & 1u << i)
            names[out->extension_count++] = wf_vk_extension_name((enum wf_vk_extension)i);
    }
    out->extensions = names;
    names = dev->told.instance_extensions;
    out->instance_extension_count = wf_vk_instance_extensions(&dev->instance, names);
    out->instance_extensions = names;
}

static void tell_device(struct wf_vk_device *dev, weft_vulkan_device *out)
{
    *out = (weft_vulkan_device){
        .instance = dev->instance.handle,
        .physical_device = dev->adapter.handle,
        .device = dev->handle,
        .get_instance_proc_addr = dev->instance.get,
        .api_version = VK_API_VERSION_1_3,
        .features = &dev->adapter.features,
        .lock_queue = lock_for_host,
        .unlock_queue = unlock_for_host,
        .user = dev,
    };
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++)
        out->queues[i] = (weft_vulkan_queue){dev->queues[i].handle, dev->queues[i].family};
    wf_base_mutex_lock(&dev->lost_lock); // it guards this, too
    name_extensions(dev, out);
    wf_base_mutex_unlock(&dev->lost_lock);
}

static void tell_image(struct wf_vk_device *dev, struct wf_vk_texture *tex, weft_vulkan_image *out)
{
    struct wf_vk_image_info info;
    wf_vk_image_info(dev, &tex->base.desc, &info);
    wf_base_mutex_lock(&dev->fresh_lock);
    const bool fresh = tex->fresh;
    wf_base_mutex_unlock(&dev->fresh_lock);
    *out = (weft_vulkan_image){
        .image = tex->handle,
        .format = info.info.format,
        .usage = info.info.usage,
        .flags = info.info.flags,
        .layout = fresh ? tex->layout : VK_IMAGE_LAYOUT_GENERAL,
        .native_layout = wf_vk_native_layout(tex),
    };
}

static void tell_buffer(const struct wf_vk_device *dev, const struct wf_vk_buffer *buf,
                        weft_vulkan_buffer *out)
{
    const weft_buffer_desc desc = {.size = buf->base.size, .usage = buf->base.usage};
    uint32_t families[WEFT_QUEUE_COUNT];
    VkBufferCreateInfo info;
    wf_vk_buffer_info(dev, &desc, &info, families);
    *out = (weft_vulkan_buffer){buf->handle, buf->base.size, info.usage};
}

/// The structure of each kind.
union told {
    weft_vulkan_device device;
    weft_vulkan_image image;
    weft_vulkan_view view;
    weft_vulkan_buffer buffer;
    VkSemaphore semaphore;
    VkCommandBuffer command;
};

weft_result wf_vk_native_get(struct wf_hal_device *hal, weft_object_kind kind, void *object,
                             const struct wf_hal_native_place *place)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    const struct wf_vk_texture_view *view;
    union told told;
    size_t size = 0;
    switch (kind) {
    case WEFT_OBJECT_DEVICE:
        tell_device(dev, &told.device);
        size = sizeof told.device;
        break;
    case WEFT_OBJECT_TEXTURE:
        tell_image(dev, object, &told.image);
        size = sizeof told.image;
        break;
    case WEFT_OBJECT_TEXTURE_VIEW:
        view = object;
        told.view = (weft_vulkan_view){view->sampled, view->storage, view->attached};
        size = sizeof told.view;
        break;
    case WEFT_OBJECT_BUFFER:
        tell_buffer(dev, object, &told.buffer);
        size = sizeof told.buffer;
        break;
    case WEFT_OBJECT_TIMELINE:
        told.semaphore = ((struct wf_vk_timeline *)object)->handle;
        size = sizeof(VkSemaphore);
        break;
    default: // WEFT_OBJECT_COMMAND_BUFFER
        told.command = ((struct wf_vk_command *)object)->handle;
        wf_vk_command_forget(object);
        size = sizeof(VkCommandBuffer);
        break;
    }
    if (size != place->size)
        return WEFT_ERROR_USAGE;
    memcpy(place->out, &told, size);
    return WEFT_OK;
}
