#include "frame/context.h"

#include <string.h>

struct wf_frame_material *wf_frame_material_find(struct wf_frame_context *context,
                                                 weft_material material)
{
    return wf_base_pool_hot(&context->materials,
                            (struct wf_base_handle){material.index, material.generation});
}

static const char *fault_of(struct wf_frame_context *context, weft_material material)
{
    switch (wf_base_pool_state(&context->materials,
                               (struct wf_base_handle){material.index, material.generation})) {
    case WF_BASE_HANDLE_NONE:
        return "is none";
    case WF_BASE_HANDLE_FOREIGN:
        return "belongs to another device";
    case WF_BASE_HANDLE_INVALID:
        return "never was one of this device";
    case WF_BASE_HANDLE_LIVE: // until a moment ago
    case WF_BASE_HANDLE_STALE:
        break;
    }
    return "was destroyed";
}

const struct wf_frame_material *wf_frame_material_use(struct weft_frame *frame,
                                                      weft_material material, uint32_t layer)
{
    const struct wf_frame_material *found = wf_frame_material_find(frame->context, material);
    if (!found)
        wf_frame_broken(frame, WEFT_RULE_FRAME_MATERIAL, frame->judged, layer,
                        "The packet's material {%u, 0x%08x} %s.", material.index,
                        material.generation, fault_of(frame->context, material));
    return found;
}

static bool check_desc(weft_device *device, const weft_material_desc *desc)
{
    bool ok = true;
    if (weft_graphics_pipeline_is_none(desc->pipeline))
        ok = wf_frame_broken_device(device, WEFT_RULE_MATERIAL_PIPELINE_NONE, desc->label,
                                    "The material has no pipeline.");
    // Core says what it is that does not live.
    else if (weft_graphics_pipeline_ready(device, desc->pipeline) == WEFT_ERROR_USAGE)
        ok = false;
    if (!weft_argument_table_is_none(desc->arguments) &&
        weft_argument_table_write(device, desc->arguments, NULL, 0) != WEFT_OK)
        ok = false;
    const bool unaligned =
        desc->transform_offset != WEFT_NO_TRANSFORM && desc->transform_offset % 4;
    const weft_capabilities *caps = weft_device_capabilities(device);
    const uint32_t root = caps ? caps->limits.max_root_bytes : 128;
    const bool outside = desc->transform_offset != WEFT_NO_TRANSFORM &&
                         (root < 64 || desc->transform_offset > root - 64);
    if (unaligned || outside)
        ok = wf_frame_broken_device(
            device, WEFT_RULE_MATERIAL_TRANSFORM_OFFSET, desc->label,
            "The transform_offset %u does not leave 64 bytes in a root block "
            "of %u at a multiple of 4.",
            desc->transform_offset, root);
    if (desc->access_count > 0 && !desc->accesses)
        ok = wf_frame_broken_device(device, WEFT_RULE_MATERIAL_ACCESSES_NULL, desc->label,
                                    "The access_count is %u but accesses is NULL.",
                                    desc->access_count);
    for (uint32_t i = 0; desc->accesses && i < desc->access_count; i++) {
        const weft_rule rule = wf_frame_access_rule(&desc->accesses[i]);
        if (rule != WEFT_RULE_NONE)
            ok = wf_frame_broken_device(device, rule, desc->label,
                                        "Access %u of the material, of kind %d, is not whole.", i,
                                        (int)desc->accesses[i].kind);
        else
            ok &= wf_frame_access_lives(device, &desc->accesses[i]);
    }
    return ok;
}

/// Copies the accesses; false when out of memory.
static bool copy_accesses(struct wf_frame_context *context, const weft_material_desc *desc,
                          struct wf_frame_material *material)
{
    if (desc->access_count == 0)
        return true;
    material->accesses = wf_base_copy_bytes(&context->allocator, desc->accesses,
                                            desc->access_count * sizeof(weft_access));
    material->access_count = material->accesses ? desc->access_count : 0;
    return material->accesses != NULL;
}

static void fill(struct wf_frame_material *material, const weft_material_desc *desc)
{
    material->pipeline = desc->pipeline;
    material->arguments = desc->arguments;
    material->transform_offset = desc->transform_offset;
    material->transform_stages = desc->transform_stages
                                     ? desc->transform_stages
                                     : WEFT_SHADER_STAGE_VERTEX | WEFT_SHADER_STAGE_FRAGMENT;
    material->has_depth_stencil = desc->depth_stencil != NULL;
    material->has_blend = desc->blend != NULL;
    material->has_raster = desc->raster != NULL;
    if (desc->depth_stencil)
        material->depth_stencil = *desc->depth_stencil;
    if (desc->blend)
        material->blend = *desc->blend;
    if (desc->raster)
        material->raster = *desc->raster;
}

static weft_result out_of_memory(weft_device *device, const weft_material_desc *desc)
{
    wf_frame_broken_device(device, WEFT_RULE_NONE, desc->label,
                           "To create a material failed: out of memory, or too many live.");
    return WEFT_ERROR_MEMORY;
}

weft_result weft_material_create(weft_device *device, const weft_material_desc *desc,
                                 weft_material *out)
{
    if (out)
        *out = (weft_material){0, 0};
    struct wf_frame_context *context;
    const weft_result got = wf_frame_context_get(device, &context);
    if (got != WEFT_OK)
        return got;
    const weft_result state = weft_device_wait(device, 0);
    if (state != WEFT_OK)
        return state;
    if (!wf_frame_given_device(device, desc, out) || !check_desc(device, desc))
        return WEFT_ERROR_USAGE;
    const struct wf_base_handle h = wf_base_pool_take(&context->materials);
    if (!h.index)
        return out_of_memory(device, desc);
    struct wf_frame_material *material = wf_base_pool_hot(&context->materials, h);
    fill(material, desc);
    if (!copy_accesses(context, desc, material)) {
        wf_base_pool_give(&context->materials, h);
        return out_of_memory(device, desc);
    }
    *out = (weft_material){h.index, h.generation};
    return WEFT_OK;
}

/// The lock is held.
static void give(struct wf_frame_context *context, weft_material name,
                 const struct wf_frame_material *material)
{
    wf_base_free(&context->allocator, material->accesses,
                 material->access_count * sizeof(weft_access));
    wf_base_pool_give(&context->materials, (struct wf_base_handle){name.index, name.generation});
}

void wf_frame_materials_pin(struct wf_frame_context *context)
{
    wf_base_mutex_lock(&context->lock);
    context->pinned = true;
    wf_base_mutex_unlock(&context->lock);
}

void wf_frame_materials_unpin(struct wf_frame_context *context)
{
    wf_base_mutex_lock(&context->lock);
    context->pinned = false;
    const struct wf_frame_material *material;
    while ((material = wf_frame_material_find(context, context->ended)) != NULL) {
        const weft_material name = context->ended;
        context->ended = material->also_ended;
        give(context, name, material);
    }
    wf_base_mutex_unlock(&context->lock);
}

/// Ends a material, or marks it while they are pinned. False if it does not live.
static bool end(struct wf_frame_context *context, weft_material name)
{
    wf_base_mutex_lock(&context->lock);
    struct wf_frame_material *material = wf_frame_material_find(context, name);
    const bool live = material && !material->ended;
    if (live && context->pinned) {
        material->ended = true;
        material->also_ended = context->ended;
        context->ended = name;
    } else if (live) {
        give(context, name, material);
    }
    wf_base_mutex_unlock(&context->lock);
    return live;
}

void weft_material_destroy(weft_device *device, weft_material material)
{
    if (material.index == 0 && material.generation == 0)
        return;
    struct wf_frame_context *context;
    wf_frame_context_get(device, &context);
    if (!context || !end(context, material))
        wf_frame_broken_device(
            device, WEFT_RULE_MATERIAL_STALE, NULL,
            "To destroy material {%u, 0x%08x} failed: it %s.", material.index, material.generation,
            context ? fault_of(context, material) : "never was one of this device");
}
