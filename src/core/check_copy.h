/// Copies as they are resolved and checked.
#ifndef WF_CORE_CHECK_COPY_H
#define WF_CORE_CHECK_COPY_H

#include "core/record.h"

struct wf_core_buffer_copy {
    weft_buffer src_handle, dst_handle;
    const struct wf_core_buffer *src, *dst;
    uint64_t src_offset, dst_offset, size;
};

/// Between a buffer and a texture.
struct wf_core_texel_copy {
    weft_buffer buffer_handle;
    weft_texture texture_handle;
    const struct wf_core_buffer *buffer;
    const struct wf_core_texture *texture;
    weft_texture_region region;
    struct wf_hal_texel_layout layout;
};

struct wf_core_texture_copy {
    weft_texture src_handle, dst_handle;
    const struct wf_core_texture *src, *dst;
    weft_texture_region src_region, dst_region;
};

bool wf_core_check_copy_buffer(struct weft_command_buffer *cmd,
                               const struct wf_core_buffer_copy *copy);
bool wf_core_check_fill(struct weft_command_buffer *cmd, weft_buffer handle,
                        const struct wf_core_buffer *buf, uint64_t offset, uint64_t size);
bool wf_core_check_mips(struct weft_command_buffer *cmd, weft_texture handle,
                        const struct wf_core_texture *tex);

/// Fills in region and layout, and checks unless the command buffer is prevalidated. False after
/// the error stuck.
bool wf_core_texel_copy_resolve(struct weft_command_buffer *cmd, struct wf_core_texel_copy *copy,
                                const weft_texel_layout *layout, const weft_texture_region *region,
                                bool to_texture);
bool wf_core_texture_copy_resolve(struct weft_command_buffer *cmd,
                                  struct wf_core_texture_copy *copy,
                                  const weft_texture_region *src_region,
                                  const weft_texture_region *dst_region);

#endif
