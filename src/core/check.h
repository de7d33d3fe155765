/// Checks of descriptions and ranges. Each reports every broken rule and tells whether all hold.
/// Descriptions come resolved. Called only if `dev->validate`, except where a comment says more.
#ifndef WF_CORE_CHECK_H
#define WF_CORE_CHECK_H

#include "core/object.h"

bool wf_core_check_buffer_desc(struct weft_device *dev, const weft_buffer_desc *desc);
/// Whether [offset, offset + size) lies in the buffer. Also at validation OFF, where memory of the
/// library itself is read or written.
bool wf_core_check_buffer_range(struct weft_device *dev, weft_buffer handle,
                                const struct wf_core_buffer *buf, uint64_t offset, uint64_t size,
                                const char *what);
bool wf_core_check_buffer_write(struct weft_device *dev, weft_buffer handle,
                                const struct wf_core_buffer *buf, uint64_t offset, uint64_t size);
bool wf_core_check_texture_desc(struct weft_device *dev, const weft_texture_desc *desc);
bool wf_core_check_view_desc(struct weft_device *dev, const weft_texture_desc *texture,
                             const weft_texture_view_desc *desc);
/// For messages: "2D array".
const char *wf_core_view_name(weft_view_kind kind);
bool wf_core_check_sampler_desc(struct weft_device *dev, const weft_sampler_desc *desc);

/// Texels of a side at a mip; nonsense mips are 1.
uint32_t wf_core_mip_side(uint32_t side, uint32_t mip);
/// Layers that a pass sees in an attachment: of a 3D texture the slices of the view's mip.
uint32_t wf_core_attachment_layers(const struct wf_hal_texture_view *view);
/// The region of a texture with nothing left zero. Nonsense stays nonsense.
weft_texture_region wf_core_region_resolve(const weft_texture_desc *texture,
                                           const weft_texture_region *region);
/// `texture` is the description of the texture that `on` names. The region is resolved.
bool wf_core_check_region(const struct wf_core_subject *on, const weft_texture_desc *texture,
                          const weft_texture_region *region);

/// Bytes of one block of one aspect in a buffer; 0 if that aspect is not copied (24-bit depth).
uint32_t wf_core_aspect_bytes(weft_format format, weft_aspect_set aspect);
/// Rows of blocks, blocks per row and slices of a resolved region.
struct wf_core_extent {
    uint64_t row_bytes; ///< Tight.
    uint32_t blocks, rows, slices;
};
struct wf_core_extent wf_core_region_extent(const weft_texture_desc *texture,
                                            const weft_texture_region *region);
/// Fills in zeros. `layout` NULL: tight, from 0.
struct wf_hal_texel_layout wf_core_layout_resolve(const struct wf_core_extent *extent,
                                                  const weft_texel_layout *layout);
/// Bytes from the start of the memory to the end of the last row; UINT64_MAX if it overflows.
uint64_t wf_core_layout_end(const struct wf_core_extent *extent,
                            const struct wf_hal_texel_layout *layout);
/// Texels of a region as they lie in memory.
struct wf_core_texels {
    const weft_texture_desc *texture;
    const weft_texture_region *region;        ///< Resolved.
    const struct wf_hal_texel_layout *layout; ///< Resolved.
    uint64_t size;                            ///< Bytes of the memory.
    bool align_offset; ///< The offset must be a multiple of the block: buffers.
};
bool wf_core_check_layout(const struct wf_core_subject *on, const struct wf_core_texels *texels);

#endif
