// Textures, their views, samplers.
#include "backends/vulkan/vulkan.h"

#include "base/bits.h"
#include "hal/format.h"

// ---- images ------------------------------------------------------------------------------------

static VkImageUsageFlags usage_of(const weft_texture_desc *desc)
{
    const bool color = (wf_hal_format_get(desc->format)->aspects & WEFT_ASPECT_COLOR) != 0;
    const weft_texture_usage usage = desc->usage;
    VkImageUsageFlags out = 0;
    if (usage & WEFT_TEXTURE_USAGE_SAMPLED)
        out |= VK_IMAGE_USAGE_SAMPLED_BIT;
    if (usage & WEFT_TEXTURE_USAGE_STORAGE)
        out |= VK_IMAGE_USAGE_STORAGE_BIT;
    if (usage & WEFT_TEXTURE_USAGE_RENDER)
        out |= color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                     : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    if (usage & WEFT_TEXTURE_USAGE_COPY_SRC)
        out |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (usage & WEFT_TEXTURE_USAGE_COPY_DST)
        out |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    return out;
}

/// Textures whose mips can be made are drawn to, and sampled, by the backend itself.
static VkImageUsageFlags usage_for_mips(const struct wf_vk_device *dev,
                                        const weft_texture_desc *desc)
{
    const weft_format_caps need =
        WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_FILTER;
    const weft_format_caps caps = dev->base.caps.formats[desc->format];
    if (desc->mips == 1 || desc->samples != 1 || (caps & need) != need)
        return 0;
    return VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
}

static VkImageType type_of(weft_texture_kind kind)
{
    return kind == WEFT_TEXTURE_1D   ? VK_IMAGE_TYPE_1D
           : kind == WEFT_TEXTURE_3D ? VK_IMAGE_TYPE_3D
                                     : VK_IMAGE_TYPE_2D;
}

static VkImageCreateFlags flags_of(const weft_texture_desc *desc, VkImageUsageFlags usage)
{
    VkImageCreateFlags flags = 0;
    if (desc->kind == WEFT_TEXTURE_CUBE)
        flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    if (desc->kind == WEFT_TEXTURE_3D && usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
        flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    if (desc->view_format != WEFT_FORMAT_NONE)
        flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    return flags;
}

void wf_vk_image_info(const struct wf_vk_device *dev, const weft_texture_desc *desc,
                      struct wf_vk_image_info *out)
{
    const VkImageUsageFlags usage = usage_of(desc) | usage_for_mips(dev, desc);
    const uint32_t families = wf_vk_families(dev, desc->queues, out->families);
    out->formats[0] = wf_vk_format(desc->format);
    out->formats[1] = wf_vk_format(desc->view_format);
    out->list = (VkImageFormatListCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = 2,
        .pViewFormats = out->formats,
    };
    out->info = (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = desc->view_format != WEFT_FORMAT_NONE ? &out->list : NULL,
        .flags = flags_of(desc, usage),
        .imageType = type_of(desc->kind),
        .format = out->formats[0],
        .extent = {desc->width, desc->height, desc->depth},
        .mipLevels = desc->mips,
        .arrayLayers = desc->layers,
        .samples = (VkSampleCountFlagBits)desc->samples,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
        .sharingMode = families > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = families > 1 ? families : 0,
        .pQueueFamilyIndices = out->families,
    };
}

static weft_result take_memory(struct wf_vk_device *dev,
                               const VkMemoryDedicatedRequirements *dedicated,
                               const VkMemoryRequirements *needs, struct wf_vk_texture *tex)
{
    const bool alone =
        dedicated->requiresDedicatedAllocation || dedicated->prefersDedicatedAllocation;
    const struct wf_vk_memory_request request = {
        .needs = *needs,
        .memory = WEFT_MEMORY_GPU,
        .image = true,
        .dedicated = alone,
        .for_image = alone ? tex->handle : VK_NULL_HANDLE,
    };
    return wf_vk_memory_take(dev, &request, &tex->memory);
}

/// `*shared`: others lie in its memory.
static weft_result place_texture(struct wf_vk_device *dev, const struct wf_hal_placement *place,
                                 struct wf_vk_texture *tex, bool *shared)
{
    VkMemoryDedicatedRequirements dedicated = {.sType =
                                                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 needs = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
        .pNext = &dedicated,
    };
    const VkImageMemoryRequirementsInfo2 ask = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
        .image = tex->handle,
    };
    dev->vk.GetImageMemoryRequirements2(dev->handle, &ask, &needs);
    const bool placed = place && place->block;
    const weft_result result =
        placed ? wf_vk_place_enter(dev, place, &needs.memoryRequirements, &tex->place, shared)
               : take_memory(dev, &dedicated, &needs.memoryRequirements, tex);
    if (result != WEFT_OK)
        return result;
    const struct wf_vk_memory *in =
        placed ? &((struct wf_vk_block *)place->block)->memory : &tex->memory;
    const VkBindImageMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
        .image = tex->handle,
        .memory = in->handle,
        .memoryOffset = in->offset + (placed ? place->offset : 0),
    };
    return wf_vk_result(dev, dev->vk.BindImageMemory2(dev->handle, 1, &bind),
                        "binding a texture's memory");
}

void wf_vk_texture_is_fresh(struct wf_vk_device *dev, struct wf_vk_texture *tex)
{
    wf_base_mutex_lock(&dev->fresh_lock);
    tex->fresh = true;
    tex->fresh_next = dev->fresh.textures;
    dev->fresh.textures = tex;
    wf_base_mutex_unlock(&dev->fresh_lock);
}

/// Its first barrier may be in flight, of a submission that nobody counts as using it.
static void forget_fresh(struct wf_vk_device *dev, struct wf_vk_texture *tex)
{
    wf_base_mutex_lock(&dev->fresh_lock);
    struct wf_vk_texture **at = &dev->fresh.textures;
    while (tex->fresh && *at != tex)
        at = &(*at)->fresh_next;
    if (tex->fresh)
        *at = tex->fresh_next;
    const uint64_t settled = tex->settled;
    wf_base_mutex_unlock(&dev->fresh_lock);
    if (settled > atomic_load(&dev->finished))
        (void)wf_vk_serial_wait(&dev->base, settled, UINT64_MAX);
}

weft_result wf_vk_texture_create(struct wf_hal_device *hal, const weft_texture_desc *desc,
                                 const struct wf_hal_placement *place, struct wf_hal_texture **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_texture *tex = wf_base_alloc_zero(hal->allocator, sizeof *tex);
    if (!tex)
        return WEFT_ERROR_MEMORY;
    tex->base.desc = *desc;
    tex->aspects = wf_vk_format_aspects(desc->format);
    struct wf_vk_image_info info;
    wf_vk_image_info(dev, desc, &info);
    weft_result result;
    if (place && place->native)
        result = wf_vk_image_adopt(dev, place->native, desc, tex);
    else
        result = wf_vk_result(dev, dev->vk.CreateImage(dev->handle, &info.info, NULL, &tex->handle),
                              "creating a texture");
    bool shared = false;
    if (result == WEFT_OK && !tex->native)
        result = place_texture(dev, place, tex, &shared);
    if (result != WEFT_OK) {
        wf_vk_texture_destroy(hal, &tex->base);
        return result;
    }
    if (!tex->native)
        wf_vk_name(dev, VK_OBJECT_TYPE_IMAGE, (uint64_t)tex->handle, desc->label);
    if (!shared) // otherwise it comes to life by an alias barrier: until then others may use it
        wf_vk_texture_is_fresh(dev, tex);
    *out = &tex->base;
    return WEFT_OK;
}

void wf_vk_texture_destroy(struct wf_hal_device *hal, struct wf_hal_texture *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_texture *tex = wf_vk_texture(base);
    forget_fresh(dev, tex);
    wf_vk_mips_drop(dev, tex);
    if (tex->handle && !tex->native)
        dev->vk.DestroyImage(dev->handle, tex->handle, NULL);
    wf_vk_place_leave(dev, &tex->place);
    wf_vk_memory_give(dev, &tex->memory);
    wf_base_free(hal->allocator, tex, sizeof *tex);
}

// ---- views -------------------------------------------------------------------------------------

static const VkImageViewType view_types[] = {
    [WEFT_VIEW_1D] = VK_IMAGE_VIEW_TYPE_1D,
    [WEFT_VIEW_1D_ARRAY] = VK_IMAGE_VIEW_TYPE_1D_ARRAY,
    [WEFT_VIEW_2D] = VK_IMAGE_VIEW_TYPE_2D,
    [WEFT_VIEW_2D_ARRAY] = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
    [WEFT_VIEW_3D] = VK_IMAGE_VIEW_TYPE_3D,
    [WEFT_VIEW_CUBE] = VK_IMAGE_VIEW_TYPE_CUBE,
    [WEFT_VIEW_CUBE_ARRAY] = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY,
};

static bool is_swizzled(const weft_texture_view_desc *desc)
{
    for (int i = 0; i < 4; i++) {
        if (desc->swizzle[i] != WEFT_SWIZZLE_SAME &&
            (int)desc->swizzle[i] != (int)WEFT_SWIZZLE_R + i)
            return true;
    }
    return false;
}

static VkImageUsageFlags view_usage(const struct wf_vk_device *dev, const struct wf_vk_texture *tex,
                                    const weft_texture_view_desc *desc)
{
    const weft_format_caps caps = dev->base.caps.formats[desc->format];
    VkImageUsageFlags usage = usage_of(&tex->base.desc) | usage_for_mips(dev, &tex->base.desc);
    if (!(caps & WEFT_FORMAT_CAN_STORE))
        usage &= ~(VkImageUsageFlags)VK_IMAGE_USAGE_STORAGE_BIT;
    if (!(caps & WEFT_FORMAT_CAN_RENDER))
        usage &= ~(VkImageUsageFlags)VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    return usage;
}

static VkImageViewCreateInfo plain_view(const struct wf_vk_texture *tex,
                                        const weft_texture_view_desc *desc)
{
    return (VkImageViewCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = tex->handle,
        .viewType = view_types[desc->kind],
        .format = wf_vk_format(desc->format),
        .subresourceRange =
            {
                .aspectMask = wf_vk_aspects(desc->aspect),
                .baseMipLevel = desc->mip,
                .levelCount = desc->mip_count,
                .baseArrayLayer = desc->layer,
                .layerCount = desc->layer_count,
            },
    };
}

/// What a pass attaches: all aspects, and the slices of a 3D texture as layers.
static VkImageViewCreateInfo attached_view(const struct wf_vk_texture *tex,
                                           const weft_texture_view_desc *desc)
{
    VkImageViewCreateInfo info = plain_view(tex, desc);
    const weft_texture_desc *of = &tex->base.desc;
    info.subresourceRange.aspectMask = tex->aspects;
    info.subresourceRange.levelCount = 1;
    if (of->kind == WEFT_TEXTURE_3D) {
        info.subresourceRange.baseArrayLayer = 0;
        info.subresourceRange.layerCount = wf_base_max_u32(of->depth >> desc->mip, 1);
    }
    const bool layered = info.subresourceRange.layerCount > 1;
    if (of->kind == WEFT_TEXTURE_1D)
        info.viewType = layered ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    else
        info.viewType = layered ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    return info;
}

static VkResult make_view(struct wf_vk_device *dev, VkImageViewCreateInfo info,
                          VkImageUsageFlags usage, const char *label, VkImageView *out)
{
    const VkImageViewUsageCreateInfo used = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
        .usage = usage,
    };
    info.pNext = &used;
    const VkResult result = dev->vk.CreateImageView(dev->handle, &info, NULL, out);
    if (result == VK_SUCCESS)
        wf_vk_name(dev, VK_OBJECT_TYPE_IMAGE_VIEW, (uint64_t)*out, label);
    return result;
}

static bool same_view(const VkImageViewCreateInfo *a, const VkImageViewCreateInfo *b)
{
    return a->viewType == b->viewType &&
           a->subresourceRange.aspectMask == b->subresourceRange.aspectMask &&
           a->subresourceRange.levelCount == b->subresourceRange.levelCount &&
           a->subresourceRange.layerCount == b->subresourceRange.layerCount;
}

static VkResult make_sampled(struct wf_vk_device *dev, const struct wf_vk_texture *tex,
                             const weft_texture_view_desc *desc, VkImageUsageFlags usage,
                             struct wf_vk_texture_view *view)
{
    static const VkComponentSwizzle swizzles[] = {
        [WEFT_SWIZZLE_SAME] = VK_COMPONENT_SWIZZLE_IDENTITY,
        [WEFT_SWIZZLE_ZERO] = VK_COMPONENT_SWIZZLE_ZERO,
        [WEFT_SWIZZLE_ONE] = VK_COMPONENT_SWIZZLE_ONE,
        [WEFT_SWIZZLE_R] = VK_COMPONENT_SWIZZLE_R,
        [WEFT_SWIZZLE_G] = VK_COMPONENT_SWIZZLE_G,
        [WEFT_SWIZZLE_B] = VK_COMPONENT_SWIZZLE_B,
        [WEFT_SWIZZLE_A] = VK_COMPONENT_SWIZZLE_A,
    };
    VkImageViewCreateInfo info = plain_view(tex, desc);
    if (is_swizzled(desc)) {
        info.components =
            (VkComponentMapping){swizzles[desc->swizzle[0]], swizzles[desc->swizzle[1]],
                                 swizzles[desc->swizzle[2]], swizzles[desc->swizzle[3]]};
        usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    }
    return make_view(dev, info, usage, desc->label, &view->sampled);
}

static VkResult make_views(struct wf_vk_device *dev, const struct wf_vk_texture *tex,
                           const weft_texture_view_desc *desc, struct wf_vk_texture_view *view)
{
    const VkImageUsageFlags attachable =
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    const VkImageUsageFlags usage = view_usage(dev, tex, desc);
    const VkImageUsageFlags shaders =
        usage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
    const VkImageViewCreateInfo plain = plain_view(tex, desc), attached = attached_view(tex, desc);
    const bool alike = same_view(&plain, &attached) && !is_swizzled(desc);
    VkResult result = VK_SUCCESS;
    if (shaders)
        result =
            make_sampled(dev, tex, desc, alike ? shaders | (usage & attachable) : shaders, view);
    view->storage = view->sampled;
    if (result == VK_SUCCESS && usage & VK_IMAGE_USAGE_STORAGE_BIT && is_swizzled(desc))
        result = make_view(dev, plain, VK_IMAGE_USAGE_STORAGE_BIT, desc->label, &view->storage);
    if (result != VK_SUCCESS || !(usage & attachable))
        return result;
    if (view->sampled && alike) {
        view->attached = view->sampled;
        return result;
    }
    return make_view(dev, attached, usage & attachable, desc->label, &view->attached);
}

weft_result wf_vk_texture_view_create(struct wf_hal_device *hal, struct wf_hal_texture *tex,
                                      const weft_texture_view_desc *desc,
                                      struct wf_hal_texture_view **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_texture_view *view = wf_base_alloc_zero(hal->allocator, sizeof *view);
    if (!view)
        return WEFT_ERROR_MEMORY;
    view->base = (struct wf_hal_texture_view){tex, *desc};
    const weft_result result = wf_vk_result(dev, make_views(dev, wf_vk_texture(tex), desc, view),
                                            "creating a texture view");
    if (result != WEFT_OK) {
        wf_vk_texture_view_destroy(hal, &view->base);
        return result;
    }
    *out = &view->base;
    return WEFT_OK;
}

void wf_vk_texture_view_destroy(struct wf_hal_device *hal, struct wf_hal_texture_view *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_texture_view *view = wf_vk_texture_view(base);
    if (view->attached && view->attached != view->sampled)
        dev->vk.DestroyImageView(dev->handle, view->attached, NULL);
    if (view->storage && view->storage != view->sampled)
        dev->vk.DestroyImageView(dev->handle, view->storage, NULL);
    if (view->sampled)
        dev->vk.DestroyImageView(dev->handle, view->sampled, NULL);
    wf_base_free(hal->allocator, view, sizeof *view);
}

// ---- samplers ----------------------------------------------------------------------------------

static VkSamplerCreateInfo sampler_info(const struct wf_vk_device *dev,
                                        const weft_sampler_desc *desc)
{
    static const VkSamplerAddressMode modes[] = {
        [WEFT_ADDRESS_REPEAT] = VK_SAMPLER_ADDRESS_MODE_REPEAT,
        [WEFT_ADDRESS_MIRROR_REPEAT] = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
        [WEFT_ADDRESS_CLAMP_TO_EDGE] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        [WEFT_ADDRESS_CLAMP_TO_BORDER] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
    };
    static const VkBorderColor borders[] = {
        [WEFT_BORDER_TRANSPARENT_BLACK] = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
        [WEFT_BORDER_OPAQUE_BLACK] = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK,
        [WEFT_BORDER_OPAQUE_WHITE] = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
    };
    const float bias = dev->adapter.properties.properties.limits.maxSamplerLodBias;
    const float most = desc->lod_max > 0.0F ? desc->lod_max : VK_LOD_CLAMP_NONE;
    return (VkSamplerCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = (VkFilter)desc->mag,
        .minFilter = (VkFilter)desc->min,
        .mipmapMode = (VkSamplerMipmapMode)desc->mip,
        .addressModeU = modes[desc->u],
        .addressModeV = modes[desc->v],
        .addressModeW = modes[desc->w],
        .mipLodBias = wf_base_clamp_f32(desc->lod_bias, -bias, bias),
        .anisotropyEnable = desc->anisotropy > 1.0F,
        .maxAnisotropy = desc->anisotropy > 1.0F ? desc->anisotropy : 1.0F,
        .compareEnable = desc->compare != WEFT_COMPARE_DEFAULT,
        .compareOp = wf_vk_compare(desc->compare, VK_COMPARE_OP_NEVER),
        .minLod = desc->lod_min,
        .maxLod = desc->only_base_mip ? 0.0F : most,
        // Each color of integers follows that of floats.
        .borderColor = (VkBorderColor)(borders[desc->border] + (desc->integer_border ? 1 : 0)),
    };
}

weft_result wf_vk_sampler_create(struct wf_hal_device *hal, const weft_sampler_desc *desc,
                                 struct wf_hal_sampler **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_sampler *sampler = wf_base_alloc_zero(hal->allocator, sizeof *sampler);
    if (!sampler)
        return WEFT_ERROR_MEMORY;
    sampler->base.desc = *desc;
    const VkSamplerCreateInfo info = sampler_info(dev, desc);
    const weft_result result =
        wf_vk_result(dev, dev->vk.CreateSampler(dev->handle, &info, NULL, &sampler->handle),
                     "creating a sampler");
    if (result != WEFT_OK) {
        wf_base_free(hal->allocator, sampler, sizeof *sampler);
        return result;
    }
    wf_vk_name(dev, VK_OBJECT_TYPE_SAMPLER, (uint64_t)sampler->handle, desc->label);
    *out = &sampler->base;
    return WEFT_OK;
}

void wf_vk_sampler_destroy(struct wf_hal_device *hal, struct wf_hal_sampler *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_sampler *sampler = (struct wf_vk_sampler *)base;
    dev->vk.DestroySampler(dev->handle, sampler->handle, NULL);
    wf_base_free(hal->allocator, sampler, sizeof *sampler);
}
