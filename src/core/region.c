// Regions of textures and how their texels lie in memory: shared by writes, reads and copies.
#include "core/check.h"

#include "base/bits.h"

#include <inttypes.h>

uint32_t wf_core_mip_side(uint32_t side, uint32_t mip)
{
    return mip < 32 ? wf_base_max_u32(side >> mip, 1) : 1;
}

uint32_t wf_core_attachment_layers(const struct wf_hal_texture_view *view)
{
    const weft_texture_desc *texture = &view->texture->desc;
    return texture->kind == WEFT_TEXTURE_3D ? wf_core_mip_side(texture->depth, view->desc.mip)
                                            : view->desc.layer_count;
}

static uint32_t rest(uint32_t given, uint32_t start, uint32_t total)
{
    if (given != 0)
        return given;
    return start < total ? total - start : 0;
}

weft_texture_region wf_core_region_resolve(const weft_texture_desc *texture,
                                           const weft_texture_region *region)
{
    weft_texture_region full = region ? *region : (weft_texture_region){0};
    if (full.layer_count == 0)
        full.layer_count = 1;
    full.width = rest(full.width, full.x, wf_core_mip_side(texture->width, full.mip));
    full.height = rest(full.height, full.y, wf_core_mip_side(texture->height, full.mip));
    full.depth = rest(full.depth, full.z, wf_core_mip_side(texture->depth, full.mip));
    if (full.aspect == 0) {
        const weft_aspect_set has = weft_format_get_info(texture->format)->aspects;
        full.aspect = has & (0u - has); // the lowest bit: color, else depth, else stencil
    }
    return full;
}

uint32_t wf_core_aspect_bytes(weft_format format, weft_aspect_set aspect)
{
    const weft_format_info *info = weft_format_get_info(format);
    if (!(info->aspects & aspect))
        return 0;
    if (aspect == WEFT_ASPECT_STENCIL)
        return 1;
    if (format == WEFT_FORMAT_D24_UNORM || format == WEFT_FORMAT_D24_UNORM_S8_UINT)
        return 0; // how 24 bits lie differs between devices
    return format == WEFT_FORMAT_D32_FLOAT_S8_UINT ? 4 : info->block_bytes;
}

struct region_check {
    const struct wf_core_subject *on;
    bool ok;
};

static void bad(struct region_check *c, weft_rule rule, const char *what, uint64_t start,
                uint64_t count, uint64_t total)
{
    c->ok = wf_core_broken(c->on, rule, "%s: %" PRIu64 " from %" PRIu64 ", of %" PRIu64 ".", what,
                           count, start, total);
}

static void check_axis(struct region_check *c, const char *axis, uint32_t start, uint32_t count,
                       uint32_t total, uint32_t block)
{
    if (count == 0 || !wf_base_range_fits(start, count, total)) {
        bad(c, WEFT_RULE_TEXTURE_REGION_BOX, axis, start, count, total);
        return;
    }
    const bool to_edge = start + count == total;
    if (start % block != 0 || (count % block != 0 && !to_edge))
        bad(c, WEFT_RULE_TEXTURE_REGION_BLOCK, axis, start, count, total);
}

static void check_layers(struct region_check *c, const weft_texture_desc *texture,
                         const weft_texture_region *region)
{
    if (texture->kind == WEFT_TEXTURE_3D) {
        if (region->layer != 0 || region->layer_count != 1)
            bad(c, WEFT_RULE_TEXTURE_REGION_LAYER, "Layers of a 3D texture", region->layer,
                region->layer_count, 1);
    } else if (!wf_base_range_fits(region->layer, region->layer_count, texture->layers)) {
        bad(c, WEFT_RULE_TEXTURE_REGION_LAYER, "Layers", region->layer, region->layer_count,
            texture->layers);
    }
}

bool wf_core_check_region(const struct wf_core_subject *on, const weft_texture_desc *texture,
                          const weft_texture_region *region)
{
    struct region_check c = {.on = on, .ok = true};
    const weft_format_info *info = weft_format_get_info(texture->format);
    if (region->mip >= texture->mips)
        bad(&c, WEFT_RULE_TEXTURE_REGION_MIP, "Mips", region->mip, 1, texture->mips);
    check_layers(&c, texture, region);
    check_axis(&c, "Columns", region->x, region->width,
               wf_core_mip_side(texture->width, region->mip), info->block_width);
    check_axis(&c, "Rows", region->y, region->height,
               wf_core_mip_side(texture->height, region->mip), info->block_height);
    check_axis(&c, "Slices", region->z, region->depth,
               wf_core_mip_side(texture->depth, region->mip), 1);
    if (!wf_base_is_pow2(region->aspect) || !(region->aspect & info->aspects))
        c.ok = wf_core_broken(on, WEFT_RULE_TEXTURE_REGION_ASPECT,
                              "The aspects are 0x%x, those of %s 0x%x.", region->aspect, info->name,
                              info->aspects);
    else if (wf_core_aspect_bytes(texture->format, region->aspect) == 0)
        c.ok = wf_core_broken(on, WEFT_RULE_TEXTURE_NOT_COPIED,
                              "The depth of %s has no bytes of its own.", info->name);
    if (texture->samples != 1)
        bad(&c, WEFT_RULE_TEXTURE_REGION_SAMPLES, "Samples", 0, texture->samples, 1);
    return c.ok;
}

struct wf_core_extent wf_core_region_extent(const weft_texture_desc *texture,
                                            const weft_texture_region *region)
{
    const weft_format_info *info = weft_format_get_info(texture->format);
    const uint32_t blocks = (uint32_t)wf_base_div_up(region->width, info->block_width);
    return (struct wf_core_extent){
        .row_bytes = (uint64_t)blocks * wf_core_aspect_bytes(texture->format, region->aspect),
        .blocks = blocks,
        .rows = (uint32_t)wf_base_div_up(region->height, info->block_height),
        .slices = texture->kind == WEFT_TEXTURE_3D ? region->depth : region->layer_count,
    };
}

struct wf_hal_texel_layout wf_core_layout_resolve(const struct wf_core_extent *extent,
                                                  const weft_texel_layout *layout)
{
    return (struct wf_hal_texel_layout){
        .offset = layout ? layout->offset : 0,
        .row_bytes = layout && layout->row_bytes ? layout->row_bytes : extent->row_bytes,
        .slice_rows = layout && layout->slice_rows ? layout->slice_rows : extent->rows,
    };
}

uint64_t wf_core_layout_end(const struct wf_core_extent *extent,
                            const struct wf_hal_texel_layout *layout)
{
    // all but the last row of the last slice are whole
    uint64_t rows, bytes;
    if (!wf_base_mul_u64(extent->slices - 1, layout->slice_rows, &rows) ||
        !wf_base_add_u64(rows, extent->rows - 1, &rows) ||
        !wf_base_mul_u64(rows, layout->row_bytes, &bytes) ||
        !wf_base_add_u64(bytes, extent->row_bytes, &bytes) ||
        !wf_base_add_u64(bytes, layout->offset, &bytes))
        return UINT64_MAX;
    return bytes;
}

bool wf_core_check_layout(const struct wf_core_subject *on, const struct wf_core_texels *texels)
{
    const struct wf_hal_texel_layout *layout = texels->layout;
    const struct wf_core_extent extent = wf_core_region_extent(texels->texture, texels->region);
    const uint32_t block = wf_core_aspect_bytes(texels->texture->format, texels->region->aspect);
    bool ok = true;
    if (layout->row_bytes < extent.row_bytes || (block != 0 && layout->row_bytes % block != 0))
        ok = wf_core_broken(on, WEFT_RULE_TEXEL_LAYOUT_ROW,
                            "Rows are %" PRIu64 " bytes apart and hold %" PRIu64
                            ", in blocks of %u.",
                            layout->row_bytes, extent.row_bytes, block);
    if (layout->slice_rows < extent.rows)
        ok = wf_core_broken(on, WEFT_RULE_TEXEL_LAYOUT_SLICE,
                            "Slices are %" PRIu64 " rows apart and hold %u.", layout->slice_rows,
                            extent.rows);
    if (texels->align_offset && block != 0 && layout->offset % block != 0)
        ok = wf_core_broken(on, WEFT_RULE_TEXEL_LAYOUT_OFFSET,
                            "The offset is %" PRIu64 ", a block %u bytes.", layout->offset, block);
    const uint64_t last = wf_core_layout_end(&extent, layout);
    if (last > texels->size)
        ok = wf_core_broken(on, WEFT_RULE_TEXEL_LAYOUT_SIZE,
                            "The last texel ends at byte %" PRIu64 " of %" PRIu64 ".", last,
                            texels->size);
    return ok;
}
