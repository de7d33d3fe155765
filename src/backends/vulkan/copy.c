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

// ---- copies that go through another buffer -----------------------------------------------------

#define LEAST_STAGING (UINT64_C(64) << 10)
#define STAGED_ROWS   64u ///< Of one copy.

struct wf_vk_staging {
    struct wf_vk_staging *next;
    struct wf_hal_buffer *buffer;
};

void wf_vk_staging_trim(struct wf_vk_command *cmd, uint64_t keep)
{
    struct wf_vk_staging **at = &cmd->staging;
    if (*at && (*at)->buffer->size <= keep) // the newest is the largest
        at = &(*at)->next;
    while (*at) {
        struct wf_vk_staging *staging = *at;
        *at = staging->next;
        wf_vk_buffer_destroy(cmd->base.dev, staging->buffer);
        wf_base_free(cmd->base.dev->allocator, staging, sizeof *staging);
    }
}

static weft_result staging_new(struct wf_vk_command *cmd, uint64_t size)
{
    struct wf_hal_device *hal = cmd->base.dev;
    struct wf_vk_staging *staging = wf_base_alloc_zero(hal->allocator, sizeof *staging);
    if (!staging)
        return WEFT_ERROR_MEMORY;
    const weft_buffer_desc desc = {
        .size = wf_base_align_up(wf_base_max_u64(size, LEAST_STAGING), 4),
        .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
        .memory = WEFT_MEMORY_GPU,
        .queues = 1u << cmd->base.queue,
        .label = "staged copies",
    };
    const weft_result result =
        wf_vk_buffer_create(hal, &desc, &(struct wf_hal_placement){0}, &staging->buffer);
    if (result != WEFT_OK) {
        wf_base_free(hal->allocator, staging, sizeof *staging);
        return result;
    }
    staging->next = cmd->staging; // the newest one is the largest
    cmd->staging = staging;
    return WEFT_OK;
}

static void copy_barrier(struct wf_vk_command *cmd)
{
    wf_vk_memory_barrier(cmd, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                         VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT);
}

/// A buffer that earlier copies have left, or null: the command has failed.
static VkBuffer stage(struct wf_vk_command *cmd, uint64_t size)
{
    if (cmd->staging && cmd->staging->buffer->size >= size)
        copy_barrier(cmd);
    else
        wf_vk_command_fail(cmd, staging_new(cmd, size));
    return cmd->failed == WEFT_OK ? wf_vk_buffer(cmd->staging->buffer)->handle : VK_NULL_HANDLE;
}

/// Depth and stencil begin at multiples of 4 for Vulkan, and so does everything on a queue that
/// only copies. For Weft a multiple of the block is enough.
static bool is_staged(const struct wf_vk_command *cmd, const weft_texture_region *region,
                      const struct wf_hal_texel_layout *layout)
{
    const struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    const bool copies_only =
        cmd->base.queue == WEFT_QUEUE_COPY && dev->adapter.queues[WEFT_QUEUE_COPY].own;
    return layout->offset % 4 != 0 && (region->aspect != WEFT_ASPECT_COLOR || copies_only);
}

/// Rows of blocks of a region: bytes of one, how many a slice has, and slices.
struct rows {
    uint64_t bytes;
    uint32_t count, slices;
};

static struct rows rows_of(const struct wf_hal_texture *tex, const weft_texture_region *region)
{
    const weft_format_info *info = weft_format_get_info(tex->desc.format);
    return (struct rows){
        .bytes =
            wf_base_div_up(region->width, info->block_width) * block_bytes(info, region->aspect),
        .count = (uint32_t)wf_base_div_up(region->height, info->block_height),
        .slices = tex->desc.kind == WEFT_TEXTURE_3D ? region->depth : region->layer_count,
    };
}

/// Copies tight rows to where they belong, and nothing in between.
static void spread_rows(const struct wf_vk_command *cmd, VkBuffer from, VkBuffer to,
                        const struct rows *rows, const struct wf_hal_texel_layout *layout)
{
    VkBufferCopy copies[STAGED_ROWS];
    uint32_t count = 0;
    uint64_t at = 0;
    for (uint32_t slice = 0; slice < rows->slices; slice++) {
        for (uint32_t row = 0; row < rows->count; row++, at += rows->bytes) {
            const uint64_t line = (uint64_t)slice * layout->slice_rows + row;
            copies[count++] =
                (VkBufferCopy){at, layout->offset + line * layout->row_bytes, rows->bytes};
            if (count == STAGED_ROWS) {
                cmd->vk->CmdCopyBuffer(cmd->handle, from, to, count, copies);
                count = 0;
            }
        }
    }
    if (count > 0)
        cmd->vk->CmdCopyBuffer(cmd->handle, from, to, count, copies);
}

void wf_vk_cmd_copy_buffer_to_texture(struct wf_hal_command *base, struct wf_hal_buffer *src,
                                      const struct wf_hal_texel_layout *layout,
                                      struct wf_hal_texture *dst, const weft_texture_region *region)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    VkBuffer from = wf_vk_buffer(src)->handle;
    VkBufferImageCopy copy = buffer_copy(dst, region, layout);
    if (is_staged(cmd, region, layout)) {
        const struct rows rows = rows_of(dst, region);
        const uint64_t lines = (uint64_t)(rows.slices - 1) * layout->slice_rows + rows.count - 1;
        const VkBufferCopy all = {layout->offset, 0, lines * layout->row_bytes + rows.bytes};
        VkBuffer staging = stage(cmd, all.size);
        if (!staging)
            return;
        cmd->vk->CmdCopyBuffer(cmd->handle, from, staging, 1, &all);
        copy_barrier(cmd);
        copy.bufferOffset = 0;
        from = staging;
    }
    cmd->vk->CmdCopyBufferToImage(cmd->handle, from, wf_vk_texture(dst)->handle,
                                  VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
}

void wf_vk_cmd_copy_texture_to_buffer(struct wf_hal_command *base, struct wf_hal_texture *src,
                                      const weft_texture_region *region, struct wf_hal_buffer *dst,
                                      const struct wf_hal_texel_layout *layout)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    VkBuffer to = wf_vk_buffer(dst)->handle;
    VkBufferImageCopy copy = buffer_copy(src, region, layout);
    VkBuffer staging = VK_NULL_HANDLE;
    const struct rows rows = rows_of(src, region);
    if (is_staged(cmd, region, layout)) {
        staging = stage(cmd, rows.bytes * rows.count * rows.slices);
        if (!staging)
            return;
        copy.bufferOffset = copy.bufferRowLength = copy.bufferImageHeight = 0;
    }
    cmd->vk->CmdCopyImageToBuffer(cmd->handle, wf_vk_texture(src)->handle, VK_IMAGE_LAYOUT_GENERAL,
                                  staging ? staging : to, 1, &copy);
    if (staging) {
        copy_barrier(cmd);
        spread_rows(cmd, staging, to, &rows, layout);
    }
}

// ---- copies between textures -------------------------------------------------------------------

/// By a buffer, for which both copies are of one aspect.
static void copy_aspect(struct wf_vk_command *cmd, struct wf_hal_texture *src,
                        const weft_texture_region *src_region, struct wf_hal_texture *dst,
                        const weft_texture_region *dst_region)
{
    const struct wf_hal_texel_layout tight = {0};
    VkBuffer buffer = stage(cmd, (uint64_t)src_region->width * src_region->height *
                                     src_region->layer_count * sizeof(float));
    if (!buffer)
        return;
    const VkBufferImageCopy from = buffer_copy(src, src_region, &tight);
    const VkBufferImageCopy to = buffer_copy(dst, dst_region, &tight);
    cmd->vk->CmdCopyImageToBuffer(cmd->handle, wf_vk_texture(src)->handle, VK_IMAGE_LAYOUT_GENERAL,
                                  buffer, 1, &from);
    copy_barrier(cmd);
    cmd->vk->CmdCopyBufferToImage(cmd->handle, buffer, wf_vk_texture(dst)->handle,
                                  VK_IMAGE_LAYOUT_GENERAL, 1, &to);
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
    struct wf_vk_command *cmd = wf_vk_command(base);
    if (copies_both(wf_vk_device(base->dev), src, src_region->aspect)) {
        copy_aspect(cmd, src, src_region, dst, dst_region);
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
