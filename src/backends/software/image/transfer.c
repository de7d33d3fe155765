// Regions of images to and from bytes and other images.
#include <string.h>

#include "backends/software/image/image.h"
#include "base/bits.h"
#include "hal/texel.h"

// ---- regions -----------------------------------------------------------------------------------

/// A region in blocks and slices (layers, or slices of a 3D image), known to be inside.
struct box {
    const struct wf_sw_plane *plane;
    uint32_t mip, slice, slices;
    uint32_t x, y, width, height; ///< Blocks.
    size_t row_bytes;             ///< Of the box's part of a row.
};

/// Whether [at, at + size) lies in 0..limit and begins and ends on blocks or at the limit.
static bool range_fits(uint32_t at, uint32_t size, uint32_t limit, uint32_t block)
{
    const uint64_t end = (uint64_t)at + size;
    return end <= limit && at % block == 0 && (end == limit || end % block == 0);
}

/// `slices`: how many to take, where another region gives the size; 0: as the region says.
static bool find_box(const struct wf_sw_image *image, const weft_texture_region *region,
                     uint32_t slices, struct box *out)
{
    const struct wf_hal_format *info = wf_hal_format_get(image->format);
    *out = (struct box){.plane = wf_sw_image_plane(image, region->aspect), .mip = region->mip};
    if (!out->plane || region->aspect & (region->aspect - 1) || region->mip >= image->mips)
        return false;
    const struct wf_sw_mip *mip = &out->plane->mips[region->mip];
    if (!range_fits(region->x, region->width, mip->width, info->block_width) ||
        !range_fits(region->y, region->height, mip->height, info->block_height))
        return false;
    const bool volume = image->kind == WEFT_TEXTURE_3D;
    if (!volume && (region->z != 0 || (slices == 0 && region->depth > 1)))
        return false;
    out->slice = volume ? region->z : region->layer;
    out->slices = slices;
    if (slices == 0)
        out->slices = volume ? region->depth : wf_base_max_u32(region->layer_count, 1);
    if ((uint64_t)out->slice + out->slices > (volume ? mip->depth : image->layers))
        return false;
    out->x = region->x / info->block_width;
    out->y = region->y / info->block_height;
    out->width = (uint32_t)wf_base_div_up(region->width, info->block_width);
    out->height = (uint32_t)wf_base_div_up(region->height, info->block_height);
    out->row_bytes = (size_t)out->width * out->plane->block_bytes;
    return true;
}

static uint8_t *box_row(const struct wf_sw_image *image, const struct box *box, uint32_t slice,
                        uint32_t sample, uint32_t y)
{
    return wf_sw_image_row(image, box->plane, box->mip, box->slice + slice, sample, box->y + y) +
           (size_t)box->x * box->plane->block_bytes;
}

// ---- bytes -------------------------------------------------------------------------------------

/// Steps through memory, once it is known that the whole box lies inside.
static bool find_pitch(const struct box *box, const struct wf_sw_bytes *bytes, uint64_t *row,
                       uint64_t *slice)
{
    *row = bytes->layout.row_bytes ? bytes->layout.row_bytes : box->row_bytes;
    const uint64_t slice_rows = bytes->layout.slice_rows ? bytes->layout.slice_rows : box->height;
    if (box->width == 0 || box->height == 0 || box->slices == 0)
        return true;
    if (*row < box->row_bytes || slice_rows < box->height || bytes->layout.offset > bytes->size)
        return false;
    const uint64_t rows = (box->slices - 1) * slice_rows + box->height - 1; // below 2^45
    if (rows > UINT64_MAX / *row)
        return false;
    const uint64_t before = rows * *row, room = bytes->size - bytes->layout.offset;
    *slice = slice_rows * *row;
    return room >= box->row_bytes && before <= room - box->row_bytes;
}

/// The top byte of a 24-bit depth is not part of it.
static void mask_depth24(uint8_t *row, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++)
        row[4 * (size_t)x + 3] = 0;
}

bool wf_sw_image_copy_from_bytes(struct wf_sw_image *dst, const weft_texture_region *region,
                                 const struct wf_sw_bytes *src)
{
    struct box box;
    uint64_t row_step, slice_step = 0;
    if (dst->samples != 1 || !find_box(dst, region, 0, &box) ||
        !find_pitch(&box, src, &row_step, &slice_step))
        return false;
    const bool depth24 =
        wf_hal_format_of_aspect(dst->format, WEFT_ASPECT_DEPTH) == WEFT_FORMAT_D24_UNORM &&
        box.plane == &dst->main;
    for (uint32_t s = 0; s < box.slices; s++)
        for (uint32_t y = 0; y < box.height && box.width; y++) {
            uint8_t *const to = box_row(dst, &box, s, 0, y);
            memcpy(to, src->data + src->layout.offset + s * slice_step + y * row_step,
                   box.row_bytes);
            if (depth24)
                mask_depth24(to, box.width);
        }
    return true;
}

bool wf_sw_image_copy_to_bytes(const struct wf_sw_image *src, const weft_texture_region *region,
                               const struct wf_sw_bytes *dst)
{
    struct box box;
    uint64_t row_step, slice_step = 0;
    if (src->samples != 1 || !find_box(src, region, 0, &box) ||
        !find_pitch(&box, dst, &row_step, &slice_step))
        return false;
    for (uint32_t s = 0; s < box.slices; s++)
        for (uint32_t y = 0; y < box.height && box.width; y++)
            memcpy(dst->data + dst->layout.offset + s * slice_step + y * row_step,
                   box_row(src, &box, s, 0, y), box.row_bytes);
    return true;
}

// ---- images ------------------------------------------------------------------------------------

/// Rows in the order that keeps an overlapping source intact: backwards when the copy goes towards
/// higher addresses. Each row is moved whole.
static void copy_rows(const struct wf_sw_image *src, const struct box *from,
                      const struct wf_sw_image *dst, const struct box *to)
{
    const uint64_t per_slice = (uint64_t)src->samples * from->height;
    const uint64_t rows = per_slice * from->slices;
    if (from->width == 0 || rows == 0)
        return;
    const bool backwards = box_row(dst, to, 0, 0, 0) > box_row(src, from, 0, 0, 0);
    for (uint64_t i = 0; i < rows; i++) {
        const uint64_t row = backwards ? rows - 1 - i : i;
        const uint32_t slice = (uint32_t)(row / per_slice);
        const uint32_t sample = (uint32_t)(row % per_slice / from->height);
        const uint32_t y = (uint32_t)(row % from->height);
        memmove(box_row(dst, to, slice, sample, y), box_row(src, from, slice, sample, y),
                from->row_bytes);
    }
}

bool wf_sw_image_copy(const struct wf_sw_image *src, const weft_texture_region *src_region,
                      struct wf_sw_image *dst, const weft_texture_region *dst_region)
{
    struct box from, to;
    const struct wf_hal_format *a = wf_hal_format_get(src->format);
    const struct wf_hal_format *b = wf_hal_format_get(dst->format);
    if (src->samples != dst->samples || a->block_width != b->block_width ||
        a->block_height != b->block_height || !find_box(src, src_region, 0, &from))
        return false;
    weft_texture_region place = *dst_region;
    place.width = src_region->width;
    place.height = src_region->height;
    if (!find_box(dst, &place, from.slices, &to) ||
        from.plane->block_bytes != to.plane->block_bytes)
        return false;
    copy_rows(src, &from, dst, &to);
    return true;
}
