#include "backends/software/image/image.h"

#include "backends/software/image/sample.h"
#include "base/bits.h"
#include "hal/texel.h"

// ---- layout ------------------------------------------------------------------------------------

static uint32_t or_one(uint32_t value)
{
    return value ? value : 1;
}

static bool sides_are_valid(const struct wf_sw_image *image)
{
    const uint32_t width = image->width, height = image->height, depth = image->depth;
    switch (image->kind) {
    case WEFT_TEXTURE_1D:
        return width <= WF_SW_IMAGE_MAX_SIDE && height == 1 && depth == 1;
    case WEFT_TEXTURE_2D:
        return width <= WF_SW_IMAGE_MAX_SIDE && height <= WF_SW_IMAGE_MAX_SIDE && depth == 1;
    case WEFT_TEXTURE_CUBE:
        return width <= WF_SW_IMAGE_MAX_SIDE && height == width && depth == 1 &&
               image->layers % 6 == 0;
    case WEFT_TEXTURE_3D:
        return width <= WF_SW_IMAGE_MAX_DEPTH && height <= WF_SW_IMAGE_MAX_DEPTH &&
               depth <= WF_SW_IMAGE_MAX_DEPTH && image->layers == 1;
    }
    return false;
}

static bool samples_are_valid(const struct wf_sw_image *image, const struct wf_hal_format *info)
{
    if (image->samples == 1)
        return true;
    return image->samples <= 8 && wf_base_is_pow2(image->samples) && image->mips == 1 &&
           image->kind == WEFT_TEXTURE_2D && !info->compressed;
}

/// Lays a plane out from `offset` on; returns where it ends.
static uint64_t lay_out_plane(const struct wf_sw_image *image, const struct wf_hal_format *info,
                              uint32_t block_bytes, struct wf_sw_plane *plane, uint64_t offset)
{
    plane->block_bytes = block_bytes;
    for (uint32_t m = 0; m < image->mips; m++) {
        struct wf_sw_mip *mip = &plane->mips[m];
        mip->width = wf_base_max_u32(image->width >> m, 1);
        mip->height = wf_base_max_u32(image->height >> m, 1);
        mip->depth = wf_base_max_u32(image->depth >> m, 1);
        mip->rows = (uint32_t)wf_base_div_up(mip->height, info->block_height);
        mip->row_bytes = (uint32_t)wf_base_align_up(
            wf_base_div_up(mip->width, info->block_width) * block_bytes, WF_SW_IMAGE_ALIGN);
        // Rows a power of two apart would share a few sets of the caches.
        if (mip->row_bytes % 2048 == 0 && mip->rows > 1)
            mip->row_bytes += WF_SW_IMAGE_ALIGN;
        mip->sample_bytes = (uint64_t)mip->row_bytes * mip->rows;
        mip->slice_bytes = mip->sample_bytes * image->samples;
        mip->offset = offset;
        offset += mip->slice_bytes * (image->kind == WEFT_TEXTURE_3D ? mip->depth : image->layers);
    }
    return offset;
}

bool wf_sw_image_init(struct wf_sw_image *image, const weft_texture_desc *desc)
{
    const struct wf_hal_format *info = wf_hal_format_get(desc->format);
    *image = (struct wf_sw_image){
        .kind = desc->kind,
        .format = desc->format,
        .width = or_one(desc->width),
        .height = or_one(desc->height),
        .depth = or_one(desc->depth),
        .layers = desc->layers                      ? desc->layers
                  : desc->kind == WEFT_TEXTURE_CUBE ? 6
                                                    : 1,
        .mips = or_one(desc->mips),
        .samples = or_one(desc->samples),
    };
    const uint32_t longest =
        wf_base_max_u32(image->width, wf_base_max_u32(image->height, image->depth));
    const uint32_t chain = wf_base_log2_u64(longest) + 1;
    if (image->mips == WEFT_MIPS_ALL)
        image->mips = chain;
    if (info->codec.texel_bytes == 0 || !sides_are_valid(image) || image->mips > chain ||
        image->layers > WF_SW_IMAGE_MAX_LAYERS || !samples_are_valid(image, info))
        return false;
    image->size = lay_out_plane(image, info, info->codec.texel_bytes, &image->main, 0);
    if (info->stencil_bytes)
        image->size = lay_out_plane(image, info, info->stencil_bytes, &image->stencil, image->size);
    return true;
}

const struct wf_sw_plane *wf_sw_image_plane(const struct wf_sw_image *image, weft_aspect_set aspect)
{
    const weft_aspect_set all = wf_hal_format_get(image->format)->aspects;
    if (aspect == 0)
        return &image->main;
    if (!(all & aspect))
        return NULL;
    return aspect == WEFT_ASPECT_STENCIL && image->stencil.block_bytes ? &image->stencil
                                                                       : &image->main;
}

// ---- capabilities ------------------------------------------------------------------------------

static weft_format_caps color_caps(weft_format format, const struct wf_hal_format *info)
{
    weft_format_caps caps =
        WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_COPY | WEFT_FORMAT_CAN_LOAD_TEXELS;
    const bool filtered = info->sample_class == WEFT_SAMPLE_CLASS_FLOAT;
    if (filtered)
        caps |= WEFT_FORMAT_CAN_FILTER;
    if (format == WEFT_FORMAT_RGB9E5_UFLOAT) // no GPU draws or stores to it
        return caps;
    if (!info->srgb)
        caps |= WEFT_FORMAT_CAN_STORE | WEFT_FORMAT_CAN_STORE_TEXELS;
    if (format == WEFT_FORMAT_R32_UINT || format == WEFT_FORMAT_R32_SINT ||
        format == WEFT_FORMAT_R32_FLOAT)
        caps |= WEFT_FORMAT_CAN_ATOMIC;
    caps |= WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_RESOLVE | WEFT_FORMAT_CAN_MSAA_4 |
            WEFT_FORMAT_CAN_MSAA_2 | WEFT_FORMAT_CAN_MSAA_8;
    return filtered ? caps | WEFT_FORMAT_CAN_BLEND : caps;
}

weft_format_caps wf_sw_format_caps(weft_format format)
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    if (info->codec.texel_bytes == 0)
        return 0;
    if (info->compressed)
        return WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_FILTER | WEFT_FORMAT_CAN_COPY;
    if (info->aspects == WEFT_ASPECT_COLOR)
        return color_caps(format, info);
    weft_format_caps caps = WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_COPY |
                            WEFT_FORMAT_CAN_DEPTH_STENCIL | WEFT_FORMAT_CAN_MSAA_4 |
                            WEFT_FORMAT_CAN_MSAA_2 | WEFT_FORMAT_CAN_MSAA_8;
    if (info->aspects & WEFT_ASPECT_DEPTH)
        caps |= WEFT_FORMAT_CAN_FILTER;
    return caps;
}

// ---- views -------------------------------------------------------------------------------------

static weft_view_kind default_kind(const struct wf_sw_image *image, uint32_t layers)
{
    switch (image->kind) {
    case WEFT_TEXTURE_1D:
        return layers > 1 ? WEFT_VIEW_1D_ARRAY : WEFT_VIEW_1D;
    case WEFT_TEXTURE_3D:
        return WEFT_VIEW_3D;
    case WEFT_TEXTURE_CUBE:
        return layers > 6 ? WEFT_VIEW_CUBE_ARRAY : WEFT_VIEW_CUBE;
    case WEFT_TEXTURE_2D:
        break;
    }
    return layers > 1 ? WEFT_VIEW_2D_ARRAY : WEFT_VIEW_2D;
}

static bool kind_fits(const struct wf_sw_image *image, weft_view_kind kind, uint32_t layers)
{
    const bool flat = image->kind == WEFT_TEXTURE_2D || image->kind == WEFT_TEXTURE_CUBE;
    const bool square = flat && image->width == image->height && image->samples == 1;
    switch (kind) {
    case WEFT_VIEW_1D:
        return image->kind == WEFT_TEXTURE_1D && layers == 1;
    case WEFT_VIEW_1D_ARRAY:
        return image->kind == WEFT_TEXTURE_1D;
    case WEFT_VIEW_2D:
        return flat && layers == 1;
    case WEFT_VIEW_2D_ARRAY:
        return flat;
    case WEFT_VIEW_3D:
        return image->kind == WEFT_TEXTURE_3D && layers == 1;
    case WEFT_VIEW_CUBE:
        return square && layers == 6;
    case WEFT_VIEW_CUBE_ARRAY:
        return square && layers % 6 == 0;
    case WEFT_VIEW_DEFAULT:
        break;
    }
    return false;
}

/// Format and plane of the one aspect that is seen.
static bool init_view_format(struct wf_sw_view *view, const struct wf_sw_view_desc *desc)
{
    const struct wf_hal_format *own = wf_hal_format_get(view->image->format);
    view->aspect = desc->aspect & own->aspects;
    if (view->aspect == 0 || view->aspect & (view->aspect - 1))
        view->aspect = own->aspects & (0 - own->aspects); // color, or depth before stencil
    view->plane = wf_sw_image_plane(view->image, view->aspect);
    view->format = wf_hal_format_of_aspect(view->image->format, view->aspect);
    if (desc->format != WEFT_FORMAT_NONE && view->aspect == WEFT_ASPECT_COLOR)
        view->format = desc->format;
    const struct wf_hal_format *info = wf_hal_format_get(view->format);
    view->sample_class = (weft_sample_class)info->sample_class;
    view->codec = info->compressed ? &info->codec : wf_hal_texel_codec_get(view->format);
    return info->codec.texel_bytes == view->plane->block_bytes &&
           info->compressed == own->compressed;
}

static void init_view_swizzle(struct wf_sw_view *view, const weft_swizzle swizzle[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        const weft_swizzle own = (weft_swizzle)(WEFT_SWIZZLE_R + c);
        view->swizzle[c] = swizzle[c] == WEFT_SWIZZLE_SAME ? own : swizzle[c];
        view->swizzled |= view->swizzle[c] != own;
    }
}

bool wf_sw_view_init(struct wf_sw_view *view, struct wf_sw_image *image,
                     const struct wf_sw_view_desc *desc)
{
    *view = (struct wf_sw_view){.image = image, .mip = desc->mip, .layer = desc->layer};
    if (desc->mip >= image->mips || desc->layer >= image->layers)
        return false;
    view->mip_count = desc->mip_count ? desc->mip_count : image->mips - desc->mip;
    view->layer_count = desc->layer_count ? desc->layer_count : image->layers - desc->layer;
    if (view->mip_count > image->mips - desc->mip ||
        view->layer_count > image->layers - desc->layer)
        return false;
    view->kind = desc->kind ? desc->kind : default_kind(image, view->layer_count);
    init_view_swizzle(view, desc->swizzle);
    if (!kind_fits(image, view->kind, view->layer_count) || !init_view_format(view, desc))
        return false;
    view->path = wf_sw_view_path(view);
    return true;
}

void wf_sw_view_size(const struct wf_sw_view *view, int32_t lod, uint32_t out[3])
{
    out[0] = out[1] = out[2] = 0;
    if (lod < 0 || (uint32_t)lod >= view->mip_count)
        return;
    const struct wf_sw_mip *mip = &view->plane->mips[view->mip + (uint32_t)lod];
    out[0] = mip->width;
    switch (view->kind) {
    case WEFT_VIEW_1D_ARRAY:
        out[1] = view->layer_count;
        break;
    case WEFT_VIEW_2D:
    case WEFT_VIEW_CUBE:
        out[1] = mip->height;
        break;
    case WEFT_VIEW_2D_ARRAY:
        out[1] = mip->height;
        out[2] = view->layer_count;
        break;
    case WEFT_VIEW_CUBE_ARRAY:
        out[1] = mip->height;
        out[2] = view->layer_count / 6;
        break;
    case WEFT_VIEW_3D:
        out[1] = mip->height;
        out[2] = mip->depth;
        break;
    case WEFT_VIEW_1D:
    case WEFT_VIEW_DEFAULT:
        break;
    }
}

void wf_sw_sampler_init(struct wf_sw_sampler *sampler, const weft_sampler_desc *desc)
{
    *sampler = (struct wf_sw_sampler){
        .mag = desc->mag,
        .min = desc->min,
        .mip = desc->mip,
        .address = {desc->u, desc->v, desc->w},
        .border = desc->border,
        .compare = desc->compare,
        .lod_bias = desc->lod_bias,
        .lod_min = desc->lod_min,
        .lod_max = desc->lod_max,
        .anisotropy = desc->anisotropy > 1.0f ? desc->anisotropy : 1.0f,
    };
    if (desc->only_base_mip)
        sampler->lod_max = 0.0f;
    else if (!(desc->lod_max > 0.0f))
        sampler->lod_max = 1000.0f;
    sampler->path = wf_sw_sampler_path(sampler);
}
