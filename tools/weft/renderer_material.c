// Pipelines, argument tables and materials.
#include "renderer_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// ---- pipelines ----------------------------------------------------------------------------------

static const weft_vertex_stream stream = {.slot = 0, .stride = sizeof(struct scene_vertex)};
static const weft_vertex_attribute attributes[] = {
    {0, 0, offsetof(struct scene_vertex, position), WEFT_VERTEX_FORMAT_FLOAT32X3},
    {1, 0, offsetof(struct scene_vertex, normal), WEFT_VERTEX_FORMAT_FLOAT32X3},
    {2, 0, offsetof(struct scene_vertex, tangent), WEFT_VERTEX_FORMAT_FLOAT32X4},
    {3, 0, offsetof(struct scene_vertex, uv), WEFT_VERTEX_FORMAT_FLOAT32X4},
    {4, 0, offsetof(struct scene_vertex, color), WEFT_VERTEX_FORMAT_UNORM8X4},
};

/// What lies behind a surface shows through by 1 - alpha; colors are premultiplied.
static weft_pipeline_state state_of(bool blend, bool double_sided, bool mirrored)
{
    const weft_blend_equation over = {WEFT_BLEND_ONE, WEFT_BLEND_ONE_MINUS_SRC_ALPHA,
                                      WEFT_BLEND_OP_ADD};
    weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS_EQUAL, .depth_write = !blend},
        .raster = {.cull = double_sided ? WEFT_CULL_NONE : WEFT_CULL_BACK,
                   .front = mirrored ? WEFT_FRONT_CLOCKWISE : WEFT_FRONT_COUNTER_CLOCKWISE},
    };
    if (blend)
        state.blend.targets[0] = (weft_blend_target){.enable = true, .color = over, .alpha = over};
    return state;
}

static bool create_pipeline(struct renderer *renderer, uint32_t features,
                            weft_graphics_pipeline *out, struct failure *why)
{
    weft_constant constants[LIT_BITS];
    for (uint32_t i = 0; i < LIT_BITS; i++)
        constants[i] = (weft_constant){i, features >> i & 1};
    weft_pipeline_state states[4];
    for (int i = 0; i < 4; i++)
        states[i] = state_of(features & LIT_ALPHA_BLEND, i & 1, i & 2);
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = renderer->vertex},
        .fragment = {.shader = renderer->fragment,
                     .constants = constants,
                     .constant_count = LIT_BITS},
        .layouts = {renderer->globals_layout, renderer->material_layout},
        .streams = &stream,
        .stream_count = 1,
        .attributes = attributes,
        .attribute_count = sizeof attributes / sizeof *attributes,
        .colors = {renderer->color_format},
        .depth_stencil = WEFT_FORMAT_D32_FLOAT,
        .samples = renderer->samples,
        .states = states,
        .state_count = 4,
        .label = "lit",
    };
    const weft_result result = weft_graphics_pipeline_create(renderer->device, &desc, out);
    return result == WEFT_OK || renderer_fail(renderer, "cannot make a pipeline", result, why);
}

/// The pipeline for these features, which is made when it is first asked for.
static bool find_pipeline(struct renderer *renderer, uint32_t features, weft_graphics_pipeline *out,
                          struct failure *why)
{
    for (uint32_t i = 0; i < renderer->pipeline_count; i++)
        if (renderer->pipelines[i].features == features) {
            *out = renderer->pipelines[i].pipeline;
            return true;
        }
    if (!create_pipeline(renderer, features, out, why))
        return false;
    renderer->pipelines[renderer->pipeline_count++] = (struct gpu_pipeline){features, *out};
    return true;
}

// ---- materials ----------------------------------------------------------------------------------

static uint32_t features_of(const struct scene_material *material)
{
    uint32_t features = 0;
    features |= material->base_color_map.image >= 0 ? LIT_BASE_COLOR_MAP : 0;
    features |= material->alpha == SCENE_MASK ? LIT_ALPHA_MASK : 0;
    features |= material->alpha == SCENE_BLEND ? LIT_ALPHA_BLEND : 0;
    if (material->unlit)
        return features | LIT_UNLIT;
    features |= material->metal_rough_map.image >= 0 ? LIT_METAL_ROUGH_MAP : 0;
    features |= material->normal_map.image >= 0 ? LIT_NORMAL_MAP : 0;
    features |= material->occlusion_map.image >= 0 ? LIT_OCCLUSION_MAP : 0;
    features |= material->emissive_map.image >= 0 ? LIT_EMISSIVE_MAP : 0;
    return features;
}

static struct gpu_material pack_material(const struct scene_material *in)
{
    struct gpu_material out = {
        .emissive = {in->emissive[0], in->emissive[1], in->emissive[2], in->alpha_cutoff},
        .factors = {in->metallic, in->roughness, in->normal_scale, in->occlusion_strength},
        .uv_row_u = {in->uv_transform[0], in->uv_transform[1], in->uv_transform[2]},
        .uv_row_v = {in->uv_transform[3], in->uv_transform[4], in->uv_transform[5]},
        .uv_sets = {in->base_color_map.uv_set, in->metal_rough_map.uv_set, in->normal_map.uv_set,
                    in->occlusion_map.uv_set, in->emissive_map.uv_set},
    };
    memcpy(out.base_color, in->base_color, sizeof out.base_color);
    return out;
}

/// All materials' numbers in one buffer.
static bool create_material_buffer(struct renderer *renderer, struct failure *why)
{
    const weft_limits *limits = &weft_device_capabilities(renderer->device)->limits;
    const uint32_t align =
        limits->uniform_offset_alignment ? limits->uniform_offset_alignment : 256;
    renderer->material_stride = (uint32_t)(sizeof(struct gpu_material) + align - 1) / align * align;
    const uint32_t count = renderer->scene->material_count;
    uint8_t *data = calloc(count, renderer->material_stride);
    if (!data)
        return failure_set(why, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        const struct gpu_material packed = pack_material(&renderer->scene->materials[i]);
        memcpy(data + (size_t)i * renderer->material_stride, &packed, sizeof packed);
    }
    const weft_buffer_desc desc = {.size = (uint64_t)count * renderer->material_stride,
                                   .usage = WEFT_BUFFER_USAGE_UNIFORM | WEFT_BUFFER_USAGE_COPY_DST,
                                   .data = data,
                                   .label = "materials"};
    const weft_result result =
        weft_buffer_create(renderer->device, &desc, &renderer->material_buffer);
    free(data);
    return result == WEFT_OK || renderer_fail(renderer, "cannot make a buffer", result, why);
}

static bool create_table(struct renderer *renderer, uint32_t index, weft_argument_table *out,
                         struct failure *why)
{
    const struct scene_material *material = &renderer->scene->materials[index];
    const struct {
        const struct scene_texture *texture;
        bool srgb;
    } maps[LIT_MAPS] = {{&material->base_color_map, true},
                        {&material->metal_rough_map, false},
                        {&material->normal_map, false},
                        {&material->occlusion_map, false},
                        {&material->emissive_map, true}};
    weft_argument_write writes[1 + LIT_MAPS] = {
        {.buffer = renderer->material_buffer,
         .offset = (uint64_t)index * renderer->material_stride,
         .size = sizeof(struct gpu_material)}};
    for (uint32_t i = 0; i < LIT_MAPS; i++) {
        writes[i + 1] = (weft_argument_write){
            .binding = i + 1, .view = renderer_view(renderer, maps[i].texture, maps[i].srgb)};
        if (!renderer_sampler(renderer, maps[i].texture, &writes[i + 1].sampler, why))
            return false;
    }
    const weft_argument_table_desc desc = {renderer->material_layout, writes, 1 + LIT_MAPS,
                                           material->name};
    const weft_result result = weft_argument_table_create(renderer->device, &desc, out);
    return result == WEFT_OK ||
           renderer_fail(renderer, "cannot make an argument table", result, why);
}

static bool create_drawable(struct renderer *renderer, uint32_t index, struct gpu_drawable *out,
                            struct failure *why)
{
    const struct scene_material *material = &renderer->scene->materials[index];
    weft_graphics_pipeline pipeline;
    if (!find_pipeline(renderer, features_of(material), &pipeline, why) ||
        !create_table(renderer, index, &out->table, why))
        return false;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        const weft_pipeline_state state =
            state_of(material->alpha == SCENE_BLEND, material->double_sided, mirrored);
        const weft_material_desc desc = {.pipeline = pipeline,
                                         .arguments = out->table,
                                         .depth_stencil = &state.depth_stencil,
                                         .blend = &state.blend,
                                         .raster = &state.raster,
                                         .transform_stages = WEFT_SHADER_STAGE_VERTEX,
                                         .label = material->name};
        const weft_result result =
            weft_material_create(renderer->device, &desc, &out->materials[mirrored]);
        if (result != WEFT_OK)
            return renderer_fail(renderer, "cannot make a material", result, why);
    }
    return true;
}

bool renderer_load_materials(struct renderer *renderer, struct failure *why)
{
    const uint32_t count = renderer->scene->material_count;
    renderer->drawables = calloc(count + (size_t)1, sizeof *renderer->drawables);
    renderer->pipelines = calloc(1u << LIT_BITS, sizeof *renderer->pipelines);
    if (!renderer->drawables || !renderer->pipelines)
        return failure_set(why, "out of memory");
    if (!create_material_buffer(renderer, why))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!create_drawable(renderer, i, &renderer->drawables[i], why))
            return false;
    return true;
}
