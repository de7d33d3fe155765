// Images and samplers on the device.
#include "renderer_internal.h"

#include <stdlib.h>
#include <string.h>

/// Creates a texture and writes its first mip; the others are made by finish_mips().
static bool create_texture(struct renderer *renderer, const struct image *image, bool srgb,
                           struct gpu_texture *out, struct failure *why)
{
    const weft_texture_desc desc = {
        .format = srgb ? WEFT_FORMAT_RGBA8_UNORM_SRGB : WEFT_FORMAT_RGBA8_UNORM,
        .width = image->width,
        .height = image->height,
        .mips = WEFT_MIPS_ALL,
        .usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_DST |
                 WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_RENDER,
        .label = "model texture",
    };
    weft_result result = weft_texture_create(renderer->device, &desc, &out->texture);
    if (result == WEFT_OK)
        result = weft_texture_write(renderer->device, out->texture, &(weft_texture_region){0},
                                    image->texels, &(weft_texel_layout){0});
    if (result == WEFT_OK)
        result = weft_texture_view_create(
            renderer->device, &(weft_texture_view_desc){.texture = out->texture}, &out->view);
    return result == WEFT_OK || renderer_fail(renderer, "cannot make a texture", result, why);
}

/// Marks images as used in a way: bit 0 as colors, bit 1 as numbers.
static void mark(uint8_t *uses, const struct scene_texture *texture, bool srgb)
{
    if (texture->image >= 0)
        uses[texture->image] |= srgb ? 1 : 2;
}

static void mark_material(uint8_t *uses, const struct scene_material *material)
{
    mark(uses, &material->base_color_map, true);
    mark(uses, &material->emissive_map, true);
    mark(uses, &material->metal_rough_map, false);
    mark(uses, &material->normal_map, false);
    mark(uses, &material->occlusion_map, false);
}

static bool create_textures(struct renderer *renderer, const uint8_t *uses, struct failure *why)
{
    const uint8_t white[4] = {255, 255, 255, 255};
    const struct image pixel = {1, 1, (uint8_t *)white};
    if (!create_texture(renderer, &pixel, false, &renderer->white, why))
        return false;
    for (uint32_t i = 0; i < 2 * renderer->scene->image_count; i++)
        if (uses[i / 2] >> i % 2 & 1 && !create_texture(renderer, &renderer->scene->images[i / 2],
                                                        i % 2 == 0, &renderer->textures[i], why))
            return false;
    return true;
}

/// Makes the mips of all textures in one submission.
static bool make_mips(struct renderer *renderer, struct failure *why)
{
    weft_command_buffer *cmd;
    weft_result result =
        weft_command_begin(renderer->device, &(weft_command_desc){.label = "mips"}, &cmd);
    if (result != WEFT_OK)
        return renderer_fail(renderer, "cannot make mips", result, why);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    for (uint32_t i = 0; i < 2 * renderer->scene->image_count; i++)
        if (!weft_texture_is_none(renderer->textures[i].texture))
            weft_compute_generate_mips(enc, renderer->textures[i].texture);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_FRAGMENT, 0);
    result = weft_command_end(cmd);
    if (result == WEFT_OK)
        result = weft_queue_submit(renderer->device, WEFT_QUEUE_GRAPHICS,
                                   &(weft_submit){.commands = &cmd, .command_count = 1}, NULL);
    return result == WEFT_OK || renderer_fail(renderer, "cannot make mips", result, why);
}

bool renderer_load_textures(struct renderer *renderer, struct failure *why)
{
    const struct scene *scene = renderer->scene;
    uint8_t *uses = calloc(scene->image_count + (size_t)1, 1);
    renderer->textures = calloc(2 * (size_t)scene->image_count + 1, sizeof *renderer->textures);
    renderer->samplers =
        calloc((size_t)scene->material_count * LIT_MAPS + 1, sizeof *renderer->samplers);
    if (!uses || !renderer->textures || !renderer->samplers) {
        free(uses);
        return failure_set(why, "out of memory");
    }
    for (uint32_t i = 0; i < scene->material_count; i++)
        mark_material(uses, &scene->materials[i]);
    const bool fine = create_textures(renderer, uses, why) &&
                      (scene->image_count == 0 || make_mips(renderer, why));
    free(uses);
    return fine;
}

weft_texture_view renderer_view(const struct renderer *renderer,
                                const struct scene_texture *texture, bool srgb)
{
    return texture->image < 0 ? renderer->white.view
                              : renderer->textures[2 * texture->image + (srgb ? 0 : 1)].view;
}

static weft_address_mode address_mode(enum scene_wrap wrap)
{
    switch (wrap) {
    case SCENE_MIRROR:
        return WEFT_ADDRESS_MIRROR_REPEAT;
    case SCENE_CLAMP:
        return WEFT_ADDRESS_CLAMP_TO_EDGE;
    default:
        return WEFT_ADDRESS_REPEAT;
    }
}

static bool same_settings(const struct scene_texture *a, const struct scene_texture *b)
{
    return a->wrap_u == b->wrap_u && a->wrap_v == b->wrap_v && a->nearest_mag == b->nearest_mag &&
           a->nearest_min == b->nearest_min && a->nearest_mip == b->nearest_mip &&
           a->no_mips == b->no_mips;
}

bool renderer_sampler(struct renderer *renderer, const struct scene_texture *texture,
                      weft_sampler *out, struct failure *why)
{
    for (uint32_t i = 0; i < renderer->sampler_count; i++)
        if (same_settings(&renderer->samplers[i].settings, texture)) {
            *out = renderer->samplers[i].sampler;
            return true;
        }
    const weft_sampler_desc desc = {
        .mag = texture->nearest_mag ? WEFT_FILTER_NEAREST : WEFT_FILTER_LINEAR,
        .min = texture->nearest_min ? WEFT_FILTER_NEAREST : WEFT_FILTER_LINEAR,
        .mip = texture->nearest_mip ? WEFT_FILTER_NEAREST : WEFT_FILTER_LINEAR,
        .u = address_mode(texture->wrap_u),
        .v = address_mode(texture->wrap_v),
        .only_base_mip = texture->no_mips,
        .label = "model sampler",
    };
    const weft_result result = weft_sampler_create(renderer->device, &desc, out);
    if (result != WEFT_OK)
        return renderer_fail(renderer, "cannot make a sampler", result, why);
    renderer->samplers[renderer->sampler_count++] = (struct gpu_sampler){*texture, *out};
    return true;
}
