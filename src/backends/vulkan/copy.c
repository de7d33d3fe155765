// Copies and fills.
#include "backends/vulkan/vulkan.h"

#include "base/bits.h"

_Static_assert(sizeof(struct wf_hal_buffer_copy) == sizeof(VkBufferCopy) &&
                   offsetof(struct wf_hal_buffer_copy, dst_offset) ==
                       offsetof(VkBufferCopy, dstOffset) &&
                   offsetof(struct wf_hal_buffer_copy, size) == offsetof(VkBufferCopy, size),
               "regions of copies lie as Vulkan has them");

void wf_vk_cmd_copy_buffer(struct wf_hal_command *base, struct wf_hal_buffer *src,
                           struct wf_hal_buffer *dst, const struct wf_hal_buffer_copy *regions,
                           uint32_t region_count)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->vk->CmdCopyBuffer(cmd->handle, wf_vk_buffer(src)->handle, wf_vk_buffer(dst)->handle,
                           region_count, (const VkBufferCopy *)(const void *)regions);
}

void wf_vk_cmd_fill_buffer(struct wf_hal_command *base, struct wf_hal_buffer *buf, uint64_t offset,
                           uint64_t size, uint32_t value)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->vk->CmdFillBuffer(cmd->handle, wf_vk_buffer(buf)->handle, offset, size, value);
}

static VkImageSubresourceLayers layers_of(const struct wf_hal_texture *tex,
                                          const weft_texture_region *region)
{
    const bool volume = tex->desc.kind == WEFT_TEXTURE_3D;
    return (VkImageSubresourceLayers){
        wf_vk_aspects(region->aspect),
        region->mip,
        volume ? 0 : region->layer,
        volume ? 1 : region->layer_count,
    };
}

static VkOffset3D offset_of(const weft_texture_region *region)
{
    return (VkOffset3D){(int32_t)region->x, (int32_t)region->y, (int32_t)region->z};
}

static VkExtent3D extent_of(const weft_texture_region *region)
{
    return (VkExtent3D){region->width, region->height, region->depth};
}

/// Bytes of a block of one aspect as it lies in a buffer.
static uint32_t block_bytes(const weft_format_info *info, weft_aspect_set aspect)
{
    return aspect == WEFT_ASPECT_STENCIL ? 1 : info->block_bytes;
}

static VkBufferImageCopy buffer_copy(const struct wf_hal_texture *tex,
                                     const weft_texture_region *region,
                                     const struct wf_hal_texel_layout *layout)
{
    const weft_format_info *info = weft_format_get_info(tex->desc.format);
    return (VkBufferImageCopy){
        .bufferOffset = layout->offset,
        .bufferRowLength =
            (uint32_t)(layout->row_bytes / block_bytes(info, region->aspect) * info->block_width),
        .bufferImageHeight = (uint32_t)(layout->slice_rows * info->block_height),
        .imageSubresource = layers_of(tex, region),
        .imageOffset = offset_of(region),
        .imageExtent = extent_of(region),
    };
}

void wf_vk_cmd_copy_buffer_to_texture(struct wf_hal_command *base, struct wf_hal_buffer *src,
                                      const struct wf_hal_texel_layout *layout,
                                      struct wf_hal_texture *dst, const weft_texture_region *region)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    const VkBufferImageCopy copy = buffer_copy(dst, region, layout);
    cmd->vk->CmdCopyBufferToImage(cmd->handle, wf_vk_buffer(src)->handle,
                                  wf_vk_texture(dst)->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
}

void wf_vk_cmd_copy_texture_to_buffer(struct wf_hal_command *base, struct wf_hal_texture *src,
                                      const weft_texture_region *region, struct wf_hal_buffer *dst,
                                      const struct wf_hal_texel_layout *layout)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    const VkBufferImageCopy copy = buffer_copy(src, region, layout);
    cmd->vk->CmdCopyImageToBuffer(cmd->handle, wf_vk_texture(src)->handle, VK_IMAGE_LAYOUT_GENERAL,
                                  wf_vk_buffer(dst)->handle, 1, &copy);
}

// ---- one aspect of two
// ---------------------------------------------------------------------------

enum { ASPECT_BYTES = 1 << 18 }; ///< A row of the widest texture, several times.

static struct wf_hal_buffer *aspect_buffer(struct wf_vk_device *dev)
{
    wf_base_mutex_lock(&dev->mips_lock);
    if (!dev->aspect_buffer)
        (void)wf_vk_buffer_create(
            &dev->base,
            &(weft_buffer_desc){.size = ASPECT_BYTES,
                                .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
                                .memory = WEFT_MEMORY_GPU},
            &(struct wf_hal_placement){0}, &dev->aspect_buffer);
    wf_base_mutex_unlock(&dev->mips_lock);
    return dev->aspect_buffer;
}

static void copy_is_done(struct wf_vk_command *cmd)
{
    wf_vk_memory_barrier(cmd, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_2_COPY_BIT,
                         VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT);
}

/// By a buffer, that all submissions share: some rows of a layer at a time.
static void copy_aspect(struct wf_hal_command *base, struct wf_hal_texture *src,
                        const weft_texture_region *src_region, struct wf_hal_texture *dst,
                        const weft_texture_region *dst_region)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    struct wf_hal_buffer *buffer = aspect_buffer(wf_vk_device(base->dev));
    if (!buffer) {
        wf_vk_command_fail(cmd, WEFT_ERROR_MEMORY);
        return;
    }
    const struct wf_hal_texel_layout tight = {0};
    const uint32_t most = ASPECT_BYTES / (uint32_t)sizeof(float) / src_region->width;
    for (uint32_t layer = 0; layer < src_region->layer_count; layer++) {
        for (uint32_t y = 0; y < src_region->height; y += most) {
            weft_texture_region from = *src_region, to = *dst_region;
            from.layer += layer, to.layer += layer;
            from.y += y, to.y += y;
            from.layer_count = to.layer_count = 1;
            from.height = to.height = wf_base_min_u32(most, src_region->height - y);
            copy_is_done(cmd);
            wf_vk_cmd_copy_texture_to_buffer(base, src, &from, buffer, &tight);
            copy_is_done(cmd);
            wf_vk_cmd_copy_buffer_to_texture(base, buffer, &tight, dst, &to);
        }
    }
}

/// lavapipe copies both aspects where one is asked for (handle_copy_image in lvp_execute.c).
static bool copies_both(const struct wf_vk_device *dev, const struct wf_hal_texture *tex,
                        weft_aspect_set aspect)
{
    return dev->adapter.properties12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE &&
           weft_format_get_info(tex->desc.format)->aspects & ~aspect && tex->desc.samples == 1;
}

void wf_vk_cmd_copy_texture(struct wf_hal_command *base, struct wf_hal_texture *src,
                            const weft_texture_region *src_region, struct wf_hal_texture *dst,
                            const weft_texture_region *dst_region)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    if (copies_both(wf_vk_device(base->dev), src, src_region->aspect)) {
        copy_aspect(base, src, src_region, dst, dst_region);
        return;
    }
    const VkImageCopy copy = {
        .srcSubresource = layers_of(src, src_region),
        .srcOffset = offset_of(src_region),
        .dstSubresource = layers_of(dst, dst_region),
        .dstOffset = offset_of(dst_region),
        .extent = extent_of(src_region),
    };
    cmd->vk->CmdCopyImage(cmd->handle, wf_vk_texture(src)->handle, VK_IMAGE_LAYOUT_GENERAL,
                          wf_vk_texture(dst)->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
}
