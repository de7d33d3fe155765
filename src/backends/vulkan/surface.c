// Surfaces: a ring of images of the backend's own (HEADLESS), or a window's swapchain (window.c).
#include "backends/vulkan/surface.h"

#include "base/bits.h"

#include <string.h>

static const weft_format headless_formats[] = {
    WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_RGBA8_UNORM,  WEFT_FORMAT_BGRA8_UNORM_SRGB,
    WEFT_FORMAT_BGRA8_UNORM,      WEFT_FORMAT_RGBA16_FLOAT,
};

static bool is_window(const struct wf_vk_surface *surface)
{
    return surface->base.kind != WEFT_SURFACE_HEADLESS;
}

weft_result wf_vk_surface_create(struct wf_hal_device *hal, const weft_surface_target *target,
                                 struct wf_hal_surface **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_surface *surface = wf_base_alloc_zero(hal->allocator, sizeof *surface);
    if (!surface)
        return WEFT_ERROR_MEMORY;
    surface->base.kind = target->kind;
    if (is_window(surface)) {
        const weft_result result = wf_vk_window_open(dev, surface, target);
        if (result != WEFT_OK) {
            wf_base_free(hal->allocator, surface, sizeof *surface);
            return result;
        }
    }
    *out = &surface->base;
    return WEFT_OK;
}

weft_queue_set wf_vk_surface_queues(weft_texture_usage usage)
{
    const bool copies = usage & (WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST);
    const bool computes = usage & (WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_STORAGE);
    return WEFT_QUEUE_SET_GRAPHICS | (copies || computes ? WEFT_QUEUE_SET_COMPUTE : 0u) |
           (copies ? WEFT_QUEUE_SET_COPY : 0u);
}

// ---- images ------------------------------------------------------------------------------------

static void record_change(struct wf_vk_device *dev, VkCommandBuffer buf,
                          const struct wf_vk_texture *tex, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier2 barrier = wf_vk_layout_change(tex, from, to);
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    dev->vk.CmdPipelineBarrier2(buf, &info);
}

VkResult wf_vk_surface_record(struct wf_vk_device *dev, struct wf_vk_surface_images *images)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = dev->queues[WEFT_QUEUE_GRAPHICS].family,
    };
    VkResult result = dev->vk.CreateCommandPool(dev->handle, &pool, NULL, &images->pool);
    for (uint32_t i = 0; i < images->count && result == VK_SUCCESS; i++) {
        struct wf_vk_surface_image *image = &images->items[i];
        VkCommandBuffer made[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
        const VkCommandBufferAllocateInfo buffers = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = images->pool,
            .commandBufferCount = 2,
        };
        const VkCommandBufferBeginInfo begin = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
        };
        result = dev->vk.AllocateCommandBuffers(dev->handle, &buffers, made);
        for (int k = 0; k < 2 && result == VK_SUCCESS; k++) {
            result = dev->vk.BeginCommandBuffer(made[k], &begin);
            if (result != VK_SUCCESS)
                break;
            if (k == 0)
                record_change(dev, made[k], image->texture, VK_IMAGE_LAYOUT_UNDEFINED,
                              VK_IMAGE_LAYOUT_GENERAL);
            else
                record_change(dev, made[k], image->texture, VK_IMAGE_LAYOUT_GENERAL,
                              VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
            result = dev->vk.EndCommandBuffer(made[k]);
        }
        image->to_general = made[0];
        image->to_present = made[1];
    }
    return result;
}

void wf_vk_surface_drop(struct wf_vk_device *dev, struct wf_vk_surface_images *images)
{
    for (uint32_t i = 0; i < images->count; i++) {
        struct wf_vk_surface_image *image = &images->items[i];
        if (image->texture && images->swapchain)
            image->texture->handle = VK_NULL_HANDLE; // the swapchain's
        if (image->texture)
            wf_vk_texture_destroy(&dev->base, &image->texture->base);
        if (image->acquired)
            dev->vk.DestroySemaphore(dev->handle, image->acquired, NULL);
        if (image->presentable)
            dev->vk.DestroySemaphore(dev->handle, image->presentable, NULL);
        if (image->shown)
            dev->vk.DestroyFence(dev->handle, image->shown, NULL);
    }
    if (images->spare)
        dev->vk.DestroySemaphore(dev->handle, images->spare, NULL);
    if (images->pool)
        dev->vk.DestroyCommandPool(dev->handle, images->pool, NULL);
    if (images->swapchain)
        dev->vk.DestroySwapchainKHR(dev->handle, images->swapchain, NULL);
    *images = (struct wf_vk_surface_images){0};
}

void wf_vk_surface_destroy(struct wf_hal_device *hal, struct wf_hal_surface *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_surface *surface = wf_vk_surface(base);
    wf_vk_window_quiet(dev, surface);
    wf_vk_surface_drop(dev, &surface->images);
    if (is_window(surface))
        wf_vk_window_close(dev, surface);
    wf_base_free(hal->allocator, surface, sizeof *surface);
}

// ---- headless ----------------------------------------------------------------------------------

static bool is_offered(weft_format format)
{
    for (size_t i = 0; i < sizeof headless_formats / sizeof *headless_formats; i++) {
        if (headless_formats[i] == format)
            return true;
    }
    return false;
}

static weft_result make_headless(struct wf_vk_device *dev, const weft_surface_config *config,
                                 struct wf_vk_surface_images *images)
{
    const weft_texture_desc desc = {
        .format = config->format,
        .width = config->width,
        .height = config->height,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage = config->usage,
        .queues = wf_vk_surface_queues(config->usage),
        .view_format = weft_format_get_info(config->format)->twin,
    };
    weft_result result = WEFT_OK;
    images->count = WF_VK_HEADLESS_IMAGES;
    for (uint32_t i = 0; i < images->count && result == WEFT_OK; i++) {
        struct wf_hal_texture *tex;
        result = wf_vk_texture_create(&dev->base, &desc, NULL, &tex);
        images->items[i].texture = tex ? wf_vk_texture(tex) : NULL;
    }
    if (result == WEFT_OK)
        result = wf_vk_result(dev, wf_vk_surface_record(dev, images), "configuring a surface");
    if (result != WEFT_OK)
        wf_vk_surface_drop(dev, images);
    return result;
}

static weft_result configure_headless(struct wf_vk_device *dev, weft_surface_config *config,
                                      struct wf_vk_surface_images *images)
{
    if (config->format == WEFT_FORMAT_NONE)
        config->format = headless_formats[0];
    if (!is_offered(config->format) || config->color_space != WEFT_COLOR_SPACE_SRGB ||
        (config->mode != WEFT_PRESENT_FIFO && config->mode != WEFT_PRESENT_IMMEDIATE))
        return WEFT_ERROR_SURFACE;
    // The host reads a headless surface back and presents pixels to it, whatever it says.
    config->usage |=
        WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST;
    if (config->width == 0 || config->height == 0)
        return WEFT_OK;
    return make_headless(dev, config, images);
}

// ---- hooks -------------------------------------------------------------------------------------

weft_result wf_vk_surface_query(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                weft_surface_info *out)
{
    struct wf_vk_surface *surface = wf_vk_surface(base);
    if (is_window(surface))
        return wf_vk_window_query(wf_vk_device(hal), surface, out);
    *out = (weft_surface_info){
        .format_count = sizeof headless_formats / sizeof *headless_formats,
        .modes = 1u << WEFT_PRESENT_FIFO | 1u << WEFT_PRESENT_IMMEDIATE,
        .color_spaces = 1u << WEFT_COLOR_SPACE_SRGB,
        .config = surface->config,
    };
    memcpy(out->formats, headless_formats, sizeof headless_formats);
    return WEFT_OK;
}

weft_result wf_vk_surface_configure(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                    weft_surface_config *config)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_surface *surface = wf_vk_surface(base);
    struct wf_vk_surface_images images = {0};
    weft_surface_config full = *config;
    if (atomic_load(&dev->lost))
        return WEFT_ERROR_LOST;
    const weft_result result = is_window(surface)
                                   ? wf_vk_window_configure(dev, surface, &full, &images)
                                   : configure_headless(dev, &full, &images);
    if (result != WEFT_OK)
        return result;
    // The images before may still be drawn to, or shown.
    if (images.swapchain && surface->images.swapchain) {
        wf_vk_window_retire(dev, surface);
    } else {
        wf_vk_window_quiet(dev, surface);
        wf_vk_surface_drop(dev, &surface->images);
    }
    surface->images = images;
    surface->config = *config = full;
    surface->next = 0;
    surface->acquired = surface->ready = surface->stale = surface->retired = false;
    surface->presented = NULL;
    return WEFT_OK;
}

weft_acquire_status wf_vk_surface_acquire(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                          struct wf_hal_texture **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_surface *surface = wf_vk_surface(base);
    *out = NULL;
    if (atomic_load(&dev->lost))
        return WEFT_ACQUIRE_LOST;
    if (surface->config.format == WEFT_FORMAT_NONE)
        return WEFT_ACQUIRE_RECONFIGURE;
    if (!surface->acquired) {
        if (is_window(surface)) {
            const weft_acquire_status status = wf_vk_window_acquire(dev, surface);
            if (status != WEFT_ACQUIRE_READY)
                return status;
        } else if (surface->images.count == 0) {
            return WEFT_ACQUIRE_SKIP;
        }
        surface->acquired = true;
        surface->ready = false;
    }
    *out = &surface->images.items[surface->next].texture->base;
    return WEFT_ACQUIRE_READY;
}

bool wf_vk_surface_first_use(struct wf_hal_surface *base, struct wf_vk_first_use *out)
{
    const struct wf_vk_surface *surface = wf_vk_surface(base);
    const struct wf_vk_surface_image *image = &surface->images.items[surface->next];
    *out =
        (struct wf_vk_first_use){image->acquired, image->to_general, image->texture, image->uses};
    return surface->acquired && !surface->ready;
}

void wf_vk_surface_used(struct wf_hal_surface *base, weft_queue queue, uint64_t serial)
{
    struct wf_vk_surface *surface = wf_vk_surface(base);
    surface->images.items[surface->next].uses[queue] = serial;
}

/// What the graphics queue does from now on comes after what other queues did to the image.
static void hand_to_graphics(struct wf_vk_device *dev, const struct wf_vk_surface_image *image)
{
    wf_base_mutex_lock(&dev->fresh_lock);
    for (int i = WEFT_QUEUE_GRAPHICS + 1; i < WEFT_QUEUE_COUNT; i++)
        dev->fresh.serials[i] = wf_base_max_u64(dev->fresh.serials[i], image->uses[i]);
    wf_base_mutex_unlock(&dev->fresh_lock);
}

void wf_vk_surface_submitted(struct wf_hal_surface *base, uint64_t serial)
{
    struct wf_vk_surface *surface = wf_vk_surface(base);
    struct wf_vk_surface_images *images = &surface->images;
    struct wf_vk_surface_image *image = &images->items[surface->next];
    images->newest = serial;
    if (!surface->ready) {
        image->serial = serial;
        if (image->presented && images->proof == 0)
            images->proof = serial;
    }
    surface->ready = true;
}

weft_result wf_vk_surface_present(struct wf_hal_device *hal, struct wf_hal_surface *base,
                                  const weft_rect *damage, uint32_t damage_count)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_surface *surface = wf_vk_surface(base);
    (void)damage, (void)damage_count;
    if (atomic_load(&dev->lost))
        return WEFT_ERROR_LOST;
    if (!surface->acquired)
        return WEFT_SKIP;
    surface->acquired = false;
    if (is_window(surface))
        return wf_vk_window_present(dev, surface);
    hand_to_graphics(dev, &surface->images.items[surface->next]);
    surface->presented = surface->images.items[surface->next].texture;
    surface->next = (surface->next + 1) % surface->images.count;
    return WEFT_OK;
}

struct wf_hal_texture *wf_vk_surface_presented(struct wf_hal_device *hal,
                                               struct wf_hal_surface *base)
{
    (void)hal;
    const struct wf_vk_surface *surface = wf_vk_surface(base);
    return surface->presented ? &surface->presented->base : NULL;
}
