// Rules of copies. Regions and texel layouts are checked as those of writes and reads are.
#include "core/check_copy.h"

#include "core/check.h"

static bool overlap(uint64_t a, uint64_t b, uint64_t size)
{
    return a < b ? b - a < size : a - b < size;
}

bool wf_core_check_copy_buffer(struct weft_command_buffer *cmd,
                               const struct wf_core_buffer_copy *copy)
{
    bool ok = wf_core_check_range(
        cmd, &(struct wf_core_range_use){copy->src_handle, copy->src, WEFT_BUFFER_USAGE_COPY_SRC,
                                         copy->src_offset, copy->size, 4, "a copy's source"});
    ok &= wf_core_check_range(
        cmd, &(struct wf_core_range_use){copy->dst_handle, copy->dst, WEFT_BUFFER_USAGE_COPY_DST,
                                         copy->dst_offset, copy->size, 4, "a copy's destination"});
    const struct wf_core_subject on =
        wf_core_about_in(cmd, wf_core_buffer_object(copy->src_handle));
    if (copy->size % 4 != 0)
        ok = wf_core_broken(&on, WEFT_RULE_COPY_SIZE, "%llu bytes were to be copied.",
                            (unsigned long long)copy->size);
    if (copy->src == copy->dst && overlap(copy->src_offset, copy->dst_offset, copy->size))
        ok = wf_core_broken(&on, WEFT_RULE_COPY_OVERLAP,
                            "%llu bytes are copied from %llu to %llu of one buffer.",
                            (unsigned long long)copy->size, (unsigned long long)copy->src_offset,
                            (unsigned long long)copy->dst_offset);
    return ok;
}

bool wf_core_check_fill(struct weft_command_buffer *cmd, weft_buffer handle,
                        const struct wf_core_buffer *buf, uint64_t offset, uint64_t size)
{
    bool ok = wf_core_check_range(cmd, &(struct wf_core_range_use){handle, buf,
                                                                   WEFT_BUFFER_USAGE_COPY_DST,
                                                                   offset, size, 4, "a fill"});
    if (size % 4 != 0)
        ok = wf_core_command_broken(cmd, wf_core_buffer_object(handle), WEFT_RULE_COPY_SIZE,
                                    "%llu bytes were to be filled.", (unsigned long long)size);
    return ok;
}

static bool check_usage(struct weft_command_buffer *cmd, weft_texture handle,
                        const struct wf_core_texture *tex, bool written)
{
    const weft_texture_usage usage =
        written ? WEFT_TEXTURE_USAGE_COPY_DST : WEFT_TEXTURE_USAGE_COPY_SRC;
    if (tex->usage & usage)
        return true;
    return wf_core_command_broken(cmd, wf_core_texture_object(handle),
                                  written ? WEFT_RULE_TEXTURE_COPY_DST : WEFT_RULE_TEXTURE_COPY_SRC,
                                  "The texture was created with usage 0x%x.", tex->usage);
}

bool wf_core_check_mips(struct weft_command_buffer *cmd, weft_texture handle,
                        const struct wf_core_texture *tex)
{
    const weft_format_caps caps = cmd->dev->caps.formats[tex->format];
    bool ok = check_usage(cmd, handle, tex, true);
    ok &= check_usage(cmd, handle, tex, false);
    if (!(caps & WEFT_FORMAT_CAN_FILTER) || !(caps & WEFT_FORMAT_CAN_RENDER) ||
        tex->hal->desc.samples != 1)
        ok =
            wf_core_command_broken(cmd, wf_core_texture_object(handle), WEFT_RULE_MIPS_FORMAT,
                                   "Mips of %s with %u samples cannot be made.",
                                   weft_format_get_info(tex->format)->name, tex->hal->desc.samples);
    return ok;
}

static bool check_aspect(struct weft_command_buffer *cmd, const weft_texture_region *region)
{
    return region->aspect == WEFT_ASPECT_COLOR ||
           wf_core_command_on_queue(cmd, true, "A copy of depth or stencil");
}

static bool check_offset(struct weft_command_buffer *cmd, const weft_texel_layout *layout)
{
    return !layout || layout->offset % 4 == 0 ||
           wf_core_command_on_queue(cmd, false, "A copy of texels at no multiple of 4 bytes");
}

bool wf_core_texel_copy_resolve(struct weft_command_buffer *cmd, struct wf_core_texel_copy *copy,
                                const weft_texel_layout *layout, const weft_texture_region *region,
                                bool to_texture)
{
    const weft_texture_desc *desc = &copy->texture->hal->desc;
    const struct wf_core_subject on =
        wf_core_about_in(cmd, wf_core_texture_object(copy->texture_handle));
    copy->region = wf_core_region_resolve(desc, region);
    bool ok = true;
    if (cmd->validate) {
        ok = check_usage(cmd, copy->texture_handle, copy->texture, to_texture);
        ok &= wf_core_check_range(
            cmd, &(struct wf_core_range_use){
                     copy->buffer_handle, copy->buffer,
                     to_texture ? WEFT_BUFFER_USAGE_COPY_SRC : WEFT_BUFFER_USAGE_COPY_DST,
                     layout ? layout->offset : 0, 0, 1, "a copy of texels"});
        ok &= wf_core_check_region(&on, desc, &copy->region);
        ok &= check_aspect(cmd, &copy->region) && check_offset(cmd, layout);
    }
    if (!ok)
        return false;
    const struct wf_core_extent extent = wf_core_region_extent(desc, &copy->region);
    copy->layout = wf_core_layout_resolve(&extent, layout);
    const struct wf_core_texels texels = {
        .texture = desc,
        .region = &copy->region,
        .layout = &copy->layout,
        .size = copy->buffer->size,
        .align_offset = true,
    };
    return !cmd->validate || wf_core_check_layout(&on, &texels);
}

static bool formats_match(weft_format a, weft_format b)
{
    return a == b || weft_format_get_info(a)->twin == b;
}

static bool axes_overlap(uint32_t a, uint32_t b, uint32_t size)
{
    return overlap(a, b, size);
}

static bool regions_overlap(const weft_texture_region *a, const weft_texture_region *b)
{
    return a->mip == b->mip && axes_overlap(a->layer, b->layer, a->layer_count) &&
           axes_overlap(a->x, b->x, a->width) && axes_overlap(a->y, b->y, a->height) &&
           axes_overlap(a->z, b->z, a->depth);
}

static bool check_texture_copy(struct weft_command_buffer *cmd,
                               const struct wf_core_texture_copy *copy)
{
    const struct wf_core_subject src =
        wf_core_about_in(cmd, wf_core_texture_object(copy->src_handle));
    const struct wf_core_subject dst =
        wf_core_about_in(cmd, wf_core_texture_object(copy->dst_handle));
    bool ok = check_usage(cmd, copy->src_handle, copy->src, false);
    ok &= check_usage(cmd, copy->dst_handle, copy->dst, true);
    ok &= wf_core_check_region(&src, &copy->src->hal->desc, &copy->src_region);
    ok &= wf_core_check_region(&dst, &copy->dst->hal->desc, &copy->dst_region);
    if (!formats_match(copy->src->format, copy->dst->format))
        ok = wf_core_broken(&dst, WEFT_RULE_COPY_FORMATS, "%s was to be copied to %s.",
                            weft_format_get_info(copy->src->format)->name,
                            weft_format_get_info(copy->dst->format)->name);
    if (copy->src_region.aspect != copy->dst_region.aspect)
        ok = wf_core_broken(&dst, WEFT_RULE_COPY_FORMATS, "Aspect 0x%x was to be copied to 0x%x.",
                            copy->src_region.aspect, copy->dst_region.aspect);
    ok &= check_aspect(cmd, &copy->src_region);
    if (copy->src == copy->dst && regions_overlap(&copy->src_region, &copy->dst_region))
        ok = wf_core_broken(&dst, WEFT_RULE_COPY_OVERLAP,
                            "The regions overlap in mip %u of one texture.", copy->src_region.mip);
    return ok;
}

bool wf_core_texture_copy_resolve(struct weft_command_buffer *cmd,
                                  struct wf_core_texture_copy *copy,
                                  const weft_texture_region *src_region,
                                  const weft_texture_region *dst_region)
{
    copy->src_region = wf_core_region_resolve(&copy->src->hal->desc, src_region);
    weft_texture_region full = dst_region ? *dst_region : (weft_texture_region){0};
    full.width = copy->src_region.width;
    full.height = copy->src_region.height;
    full.depth = copy->src_region.depth;
    full.layer_count = copy->src_region.layer_count;
    copy->dst_region = wf_core_region_resolve(&copy->dst->hal->desc, &full);
    return !cmd->validate || check_texture_copy(cmd, copy);
}
