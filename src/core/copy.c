// Copies, fills and mip chains.
#include "core/check.h"
#include "core/check_copy.h"

/// Buffers of a call; false after the error stuck.
static bool find_buffer(struct weft_command_buffer *cmd, weft_buffer handle,
                        const struct wf_core_buffer **out)
{
    *out = wf_core_buffer_get_at(cmd->dev, &cmd->origin, handle);
    return *out != NULL;
}

/// Textures likewise; a surface's image must be the one that is acquired.
static bool find_texture(struct weft_command_buffer *cmd, weft_texture handle,
                         const struct wf_core_texture **out)
{
    *out = wf_core_texture_get_at(cmd->dev, &cmd->origin, handle);
    return *out != NULL && wf_core_command_uses_texture(cmd, handle, *out);
}

void weft_compute_copy_buffer(weft_compute_encoder *enc, weft_buffer src, uint64_t src_offset,
                              weft_buffer dst, uint64_t dst_offset, uint64_t size)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_buffer *from, *to;
    if (!find_buffer(cmd, src, &from) || !find_buffer(cmd, dst, &to) || size == 0)
        return;
    const struct wf_core_buffer_copy copy = {src, dst, from, to, src_offset, dst_offset, size};
    if (enc->validate && !wf_core_check_copy_buffer(cmd, &copy))
        return;
    ++cmd->counts.copies;
    const struct wf_hal_buffer_copy region = {src_offset, dst_offset, size};
    enc->ops->cmd_copy_buffer(enc->hal, from->hal, to->hal, &region, 1);
}

void weft_compute_copy_buffer_to_texture(weft_compute_encoder *enc, weft_buffer src,
                                         const weft_texel_layout *layout, weft_texture dst,
                                         const weft_texture_region *region)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    struct wf_core_texel_copy copy = {.buffer_handle = src, .texture_handle = dst};
    if (!find_buffer(cmd, src, &copy.buffer) || !find_texture(cmd, dst, &copy.texture))
        return;
    if (!wf_core_texel_copy_resolve(cmd, &copy, layout, region, true))
        return;
    ++cmd->counts.copies;
    enc->ops->cmd_copy_buffer_to_texture(enc->hal, copy.buffer->hal, &copy.layout,
                                         copy.texture->hal, &copy.region);
}

void weft_compute_copy_texture_to_buffer(weft_compute_encoder *enc, weft_texture src,
                                         const weft_texture_region *region, weft_buffer dst,
                                         const weft_texel_layout *layout)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    struct wf_core_texel_copy copy = {.buffer_handle = dst, .texture_handle = src};
    if (!find_texture(cmd, src, &copy.texture) || !find_buffer(cmd, dst, &copy.buffer))
        return;
    if (!wf_core_texel_copy_resolve(cmd, &copy, layout, region, false))
        return;
    ++cmd->counts.copies;
    enc->ops->cmd_copy_texture_to_buffer(enc->hal, copy.texture->hal, &copy.region,
                                         copy.buffer->hal, &copy.layout);
}

void weft_compute_copy_texture(weft_compute_encoder *enc, weft_texture src,
                               const weft_texture_region *src_region, weft_texture dst,
                               const weft_texture_region *dst_region)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_texture *from, *to;
    if (!find_texture(cmd, src, &from) || !find_texture(cmd, dst, &to))
        return;
    struct wf_core_texture_copy copy = {
        .src_handle = src, .dst_handle = dst, .src = from, .dst = to};
    if (!wf_core_texture_copy_resolve(cmd, &copy, src_region, dst_region))
        return;
    ++cmd->counts.copies;
    enc->ops->cmd_copy_texture(enc->hal, from->hal, &copy.src_region, to->hal, &copy.dst_region);
}

void weft_compute_fill_buffer(weft_compute_encoder *enc, weft_buffer handle, uint64_t offset,
                              uint64_t size, uint32_t value)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_buffer *buf;
    if (!find_buffer(cmd, handle, &buf))
        return;
    const uint64_t bytes = size > 0 ? size : offset < buf->size ? buf->size - offset : 0;
    if (enc->validate && !wf_core_check_fill(cmd, handle, buf, offset, bytes))
        return;
    if (bytes == 0)
        return;
    ++cmd->counts.copies;
    enc->ops->cmd_fill_buffer(enc->hal, buf->hal, offset, bytes, value);
}

void weft_compute_generate_mips(weft_compute_encoder *enc, weft_texture handle)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_texture *tex;
    if (!find_texture(cmd, handle, &tex))
        return;
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_texture_object(handle));
    if (!wf_core_command_can(cmd, &on, WEFT_FEATURE_GENERATE_MIPS, "Making mips") ||
        !wf_core_command_on_queue(cmd, true, "Making mips"))
        return;
    if (enc->validate && !wf_core_check_mips(cmd, handle, tex))
        return;
    if (tex->hal->desc.mips == 1)
        return;
    ++cmd->counts.copies;
    enc->ops->cmd_generate_mips(enc->hal, tex->hal);
}

void weft_compute_write_heap(weft_compute_encoder *enc, weft_heap_range handle, uint32_t element,
                             weft_texture_view view, weft_sampler sampler)
{
    if (!wf_core_compute_open(enc))
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_heap_range_object(handle));
    if (!wf_core_command_can(cmd, &on, WEFT_FEATURE_GPU_HEAP_WRITES, "Writing the heap on the GPU"))
        return;
    struct wf_core_heap_entry entry;
    const struct wf_core_heap_place place = {cmd->dev, &cmd->origin, handle, element};
    if (!wf_core_heap_enter(&place, view, sampler, &entry) ||
        !wf_core_command_writes_heap(cmd, &entry))
        return;
    enc->ops->cmd_write_heap(enc->hal, entry.kind, entry.index, entry.view, entry.sampler);
}
