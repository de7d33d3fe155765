#include "stage.h"

#include "texture.h"

#include <stddef.h>

#include "glass.frag.spv.h"
#include "instances.vert.spv.h"
#include "lit.frag.spv.h"
#include "mesh.vert.spv.h"
#include "shadow.frag.spv.h"

#define COLOR_FORMAT  WEFT_FORMAT_RGBA8_UNORM_SRGB
#define SHADOW_FORMAT WEFT_FORMAT_R32_FLOAT
#define DEPTH_FORMAT  WEFT_FORMAT_D32_FLOAT

static bool check(weft_result result, const char *what, struct failure *why)
{
    return result == WEFT_OK ||
           failure_set(why, "cannot make %s: %s", what, weft_result_name(result));
}

// ---- device and surface -------------------------------------------------------------------------

static bool start(struct stage *stage, weft_backend_set backends, struct failure *why)
{
    const weft_device_desc desc = {.backends = backends, .label = "demo"};
    if (weft_device_start(&desc, &stage->device) != WEFT_OK ||
        weft_device_wait(stage->device, UINT64_MAX) != WEFT_OK) {
        const weft_startup startup =
            stage->device ? weft_device_startup(stage->device) : (weft_startup){0};
        return failure_set(why, "no device: %s",
                           startup.record_count ? startup.records[0].reason : "no memory");
    }
    const weft_surface_config config = {
        .width = STAGE_WIDTH, .height = STAGE_HEIGHT, .format = COLOR_FORMAT};
    return check(weft_surface_create(stage->device, &(weft_surface_desc){.label = "picture"},
                                     &stage->surface),
                 "a surface", why) &&
           check(weft_surface_configure(stage->device, stage->surface, &config),
                 "a surface of this size", why);
}

// ---- pictures -----------------------------------------------------------------------------------

static bool load_picture(struct stage *stage, const struct image *image, bool mips,
                         struct stage_picture *out, struct failure *why)
{
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM_SRGB,
                                    .width = image->width,
                                    .height = image->height,
                                    .mips = mips ? WEFT_MIPS_ALL : 1,
                                    .usage =
                                        WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_DST |
                                        WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_RENDER,
                                    .label = "picture"};
    weft_device *dev = stage->device;
    return check(weft_texture_create(dev, &desc, &out->texture), "a texture", why) &&
           check(weft_texture_write(dev, out->texture, &(weft_texture_region){0}, image->texels,
                                    &(weft_texel_layout){0}),
                 "a texture's contents", why) &&
           check(weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = out->texture},
                                          &out->view),
                 "a view", why);
}

static bool make_mips(struct stage *stage, struct failure *why)
{
    weft_command_buffer *cmd;
    if (!check(weft_command_begin(stage->device, &(weft_command_desc){.label = "mips"}, &cmd),
               "commands", why))
        return false;
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, stage->pictures[PICTURE_WEAVE].texture);
    weft_compute_generate_mips(enc, stage->pictures[PICTURE_TILES].texture);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_FRAGMENT, 0);
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    return check(weft_command_end(cmd), "mips", why) &&
           check(weft_queue_submit(stage->device, WEFT_QUEUE_GRAPHICS, &submit, NULL), "mips", why);
}

static bool create_samplers(struct stage *stage, struct failure *why)
{
    const weft_sampler_desc linear = {
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR};
    const weft_sampler_desc edge = {.u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                    .v = WEFT_ADDRESS_CLAMP_TO_EDGE};
    return check(weft_sampler_create(stage->device, &linear, &stage->repeat), "a sampler", why) &&
           check(weft_sampler_create(stage->device, &edge, &stage->clamp), "a sampler", why);
}

static bool create_pictures(struct stage *stage, struct failure *why)
{
    struct image images[PICTURE_ATLAS] = {0};
    bool fine =
        texture_create_white(&images[PICTURE_WHITE], why) &&
        texture_create_weave(&images[PICTURE_WEAVE], why) &&
        texture_create_tiles(&images[PICTURE_TILES], why) && font_create(&stage->font, why) &&
        load_picture(stage, &stage->font.atlas, false, &stage->pictures[PICTURE_ATLAS], why);
    for (int i = 0; i < PICTURE_ATLAS; i++) {
        fine = fine && load_picture(stage, &images[i], true, &stage->pictures[i], why);
        image_finish(&images[i]);
    }
    return fine && make_mips(stage, why) && create_samplers(stage, why);
}

// ---- meshes -------------------------------------------------------------------------------------

static bool load_mesh(struct stage *stage, const struct mesh *mesh, struct stage_mesh *out,
                      struct failure *why)
{
    const weft_buffer_desc vertices = {.size = mesh->vertex_count * sizeof *mesh->vertices,
                                       .usage =
                                           WEFT_BUFFER_USAGE_VERTEX | WEFT_BUFFER_USAGE_COPY_DST,
                                       .data = mesh->vertices,
                                       .label = "vertices"};
    const weft_buffer_desc indices = {.size = mesh->index_count * sizeof *mesh->indices,
                                      .usage = WEFT_BUFFER_USAGE_INDEX | WEFT_BUFFER_USAGE_COPY_DST,
                                      .data = mesh->indices,
                                      .label = "indices"};
    out->index_count = mesh->index_count;
    return check(weft_buffer_create(stage->device, &vertices, &out->vertices), "a buffer", why) &&
           check(weft_buffer_create(stage->device, &indices, &out->indices), "a buffer", why);
}

static bool create_meshes(struct stage *stage, struct failure *why)
{
    struct mesh meshes[MESH_COUNT] = {0};
    bool fine = mesh_create_floor(24, &meshes[MESH_FLOOR]) &&
                mesh_create_knot(1.75f, 0.36f, &meshes[MESH_KNOT]) &&
                mesh_create_sphere(&meshes[MESH_SPHERE]) &&
                mesh_create_box(1, 1, 1, 0.22f, 16, &meshes[MESH_CUBE]) &&
                mesh_create_box(0.85f, 1.25f, 0.05f, 0.05f, 16, &meshes[MESH_PANE]);
    if (!fine)
        failure_set(why, "out of memory");
    for (int i = 0; i < MESH_COUNT; i++) {
        fine = fine && load_mesh(stage, &meshes[i], &stage->meshes[i], why);
        mesh_finish(&meshes[i]);
    }
    return fine;
}

// ---- pipelines ----------------------------------------------------------------------------------

static const weft_vertex_stream streams[] = {
    {.slot = 0, .stride = sizeof(struct mesh_vertex)},
    {.slot = 1, .stride = sizeof(struct stage_instance), .rate = WEFT_STEP_INSTANCE},
};
static const weft_vertex_attribute attributes[] = {
    {0, 0, offsetof(struct mesh_vertex, position), WEFT_VERTEX_FORMAT_FLOAT32X3},
    {1, 0, offsetof(struct mesh_vertex, normal), WEFT_VERTEX_FORMAT_FLOAT32X3},
    {2, 0, offsetof(struct mesh_vertex, uv), WEFT_VERTEX_FORMAT_FLOAT32X2},
    {3, 1, offsetof(struct stage_instance, place), WEFT_VERTEX_FORMAT_FLOAT32X4},
    {4, 1, offsetof(struct stage_instance, turn), WEFT_VERTEX_FORMAT_FLOAT32X4},
    {5, 1, offsetof(struct stage_instance, color), WEFT_VERTEX_FORMAT_FLOAT32X4},
};

static bool create_layouts(struct stage *stage, struct failure *why)
{
    const weft_argument globals[] = {{.type = WEFT_ARGUMENT_UNIFORM_BUFFER},
                                     {.binding = 1,
                                      .type = WEFT_ARGUMENT_COMBINED,
                                      .stages = WEFT_SHADER_STAGE_FRAGMENT,
                                      .sampled = WEFT_SAMPLE_CLASS_UNFILTERABLE_FLOAT}};
    const weft_argument material[] = {
        {.type = WEFT_ARGUMENT_UNIFORM_BUFFER},
        {.binding = 1, .type = WEFT_ARGUMENT_COMBINED, .stages = WEFT_SHADER_STAGE_FRAGMENT}};
    weft_device *dev = stage->device;
    return check(weft_argument_layout_create(dev,
                                             &(weft_argument_layout_desc){globals, 2, "globals"},
                                             &stage->globals_layout),
                 "a layout", why) &&
           check(weft_argument_layout_create(dev,
                                             &(weft_argument_layout_desc){material, 2, "material"},
                                             &stage->material_layout),
                 "a layout", why) &&
           check(weft_argument_table_create(
                     dev, &(weft_argument_table_desc){.layout = stage->globals_layout},
                     &stage->globals),
                 "a table", why) &&
           check(weft_argument_table_create(
                     dev, &(weft_argument_table_desc){.layout = stage->globals_layout},
                     &stage->shadow_globals),
                 "a table", why);
}

static weft_pipeline_state state_of(bool blend)
{
    const weft_blend_equation over = {WEFT_BLEND_ONE, WEFT_BLEND_ONE_MINUS_SRC_ALPHA,
                                      WEFT_BLEND_OP_ADD};
    weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = !blend},
        .raster = {.cull = WEFT_CULL_BACK}};
    if (blend)
        state.blend.targets[0] = (weft_blend_target){.enable = true, .color = over, .alpha = over};
    return state;
}

static bool create_pipeline(struct stage *stage, int index, int vertex, int fragment,
                            struct failure *why)
{
    const bool shadow = index >= PIPELINE_SHADOW;
    const bool instances = index == PIPELINE_INSTANCES || index == PIPELINE_SHADOW_INSTANCES;
    const weft_pipeline_state state = state_of(index == PIPELINE_GLASS);
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = stage->shaders[vertex]},
        .fragment = {.shader = stage->shaders[fragment]},
        .layouts = {stage->globals_layout,
                    shadow ? (weft_argument_layout){0} : stage->material_layout},
        .streams = streams,
        .stream_count = instances ? 2 : 1,
        .attributes = attributes,
        .attribute_count = instances ? 6 : 3,
        .colors = {shadow ? SHADOW_FORMAT : COLOR_FORMAT},
        .depth_stencil = DEPTH_FORMAT,
        .samples = shadow ? 1 : STAGE_SAMPLES,
        .states = &state,
        .state_count = 1,
        .label = "demo",
    };
    return check(weft_graphics_pipeline_create(stage->device, &desc, &stage->pipelines[index]),
                 "a pipeline", why);
}

static bool create_pipelines(struct stage *stage, struct failure *why)
{
    const weft_shader_desc descs[SHADER_COUNT] = {
        {.code = mesh_vert, .size = sizeof mesh_vert, .label = "mesh.vert"},
        {.code = instances_vert, .size = sizeof instances_vert, .label = "instances.vert"},
        {.code = lit_frag, .size = sizeof lit_frag, .label = "lit.frag"},
        {.code = glass_frag, .size = sizeof glass_frag, .label = "glass.frag"},
        {.code = shadow_frag, .size = sizeof shadow_frag, .label = "shadow.frag"},
    };
    for (int i = 0; i < SHADER_COUNT; i++)
        if (!check(weft_shader_create(stage->device, &descs[i], &stage->shaders[i]), descs[i].label,
                   why))
            return false;
    return create_layouts(stage, why) &&
           create_pipeline(stage, PIPELINE_LIT, SHADER_MESH, SHADER_LIT, why) &&
           create_pipeline(stage, PIPELINE_INSTANCES, SHADER_INSTANCES, SHADER_LIT, why) &&
           create_pipeline(stage, PIPELINE_GLASS, SHADER_MESH, SHADER_GLASS, why) &&
           create_pipeline(stage, PIPELINE_SHADOW, SHADER_MESH, SHADER_SHADOW, why) &&
           create_pipeline(stage, PIPELINE_SHADOW_INSTANCES, SHADER_INSTANCES, SHADER_SHADOW, why);
}

// ---- materials ----------------------------------------------------------------------------------

static const struct {
    int pipeline, picture;
    struct stage_surface surface;
    const char *label;
} looks[MATERIAL_COUNT] = {
    [MATERIAL_FLOOR] = {PIPELINE_LIT, PICTURE_TILES, {{1, 1, 1, 1}, 0, 0.55f, 12, 1}, "floor"},
    [MATERIAL_KNOT] = {PIPELINE_LIT, PICTURE_WEAVE, {{1, 1, 1, 1}, 0, 0.5f, 1, 0}, "weave"},
    [MATERIAL_GOLD] = {PIPELINE_LIT,
                       PICTURE_WHITE,
                       {{1.0f, 0.70f, 0.28f, 1}, 1, 0.25f, 1, 0},
                       "gold"},
    [MATERIAL_CHROME] = {PIPELINE_LIT,
                         PICTURE_WHITE,
                         {{0.86f, 0.88f, 0.92f, 1}, 1, 0.06f, 1, 0},
                         "chrome"},
    [MATERIAL_CUBES] = {PIPELINE_INSTANCES, PICTURE_WHITE, {{1, 1, 1, 1}, 0, 0.35f, 1, 0}, "cubes"},
    [MATERIAL_GLASS_0] = {PIPELINE_GLASS,
                          PICTURE_WHITE,
                          {{0.05f, 0.62f, 0.78f, 0.42f}, 0, 0, 1, 0},
                          "cyan glass"},
    [MATERIAL_GLASS_1] = {PIPELINE_GLASS,
                          PICTURE_WHITE,
                          {{0.80f, 0.10f, 0.42f, 0.42f}, 0, 0, 1, 0},
                          "red glass"},
    [MATERIAL_GLASS_2] = {PIPELINE_GLASS,
                          PICTURE_WHITE,
                          {{0.92f, 0.62f, 0.06f, 0.42f}, 0, 0, 1, 0},
                          "amber glass"},
    [MATERIAL_SHADOW] = {PIPELINE_SHADOW, -1, {{0}, 0, 0, 0, 0}, "shadow"},
    [MATERIAL_SHADOW_CUBES] = {PIPELINE_SHADOW_INSTANCES, -1, {{0}, 0, 0, 0, 0}, "shadow of cubes"},
};

static bool create_table(struct stage *stage, int index, struct stage_material *out,
                         struct failure *why)
{
    const weft_buffer_desc desc = {.size = sizeof(struct stage_surface),
                                   .usage = WEFT_BUFFER_USAGE_UNIFORM | WEFT_BUFFER_USAGE_COPY_DST,
                                   .data = &looks[index].surface,
                                   .label = looks[index].label};
    if (!check(weft_buffer_create(stage->device, &desc, &out->surface), "a buffer", why))
        return false;
    const weft_argument_write writes[2] = {{.buffer = out->surface},
                                           {.binding = 1,
                                            .view = stage->pictures[looks[index].picture].view,
                                            .sampler = stage->repeat}};
    const weft_argument_table_desc table = {stage->material_layout, writes, 2, looks[index].label};
    return check(weft_argument_table_create(stage->device, &table, &out->table), "a table", why);
}

static bool create_material(struct stage *stage, int index, struct stage_material *out,
                            struct failure *why)
{
    const int pipeline = looks[index].pipeline;
    const bool instances = pipeline == PIPELINE_INSTANCES || pipeline == PIPELINE_SHADOW_INSTANCES;
    if (looks[index].picture >= 0 && !create_table(stage, index, out, why))
        return false;
    const weft_material_desc desc = {.pipeline = stage->pipelines[pipeline],
                                     .arguments = out->table,
                                     .transform_offset = instances ? WEFT_NO_TRANSFORM : 0,
                                     .transform_stages = WEFT_SHADER_STAGE_VERTEX,
                                     .label = looks[index].label};
    return check(weft_material_create(stage->device, &desc, &out->material), "a material", why);
}

static bool create_materials(struct stage *stage, struct failure *why)
{
    for (int i = 0; i < MATERIAL_COUNT; i++)
        if (!create_material(stage, i, &stage->materials[i], why))
            return false;
    return true;
}

// ---- the whole ----------------------------------------------------------------------------------

bool stage_create(struct stage *out, weft_backend_set backends, struct failure *why)
{
    *out = (struct stage){0};
    return start(out, backends, why) && create_pictures(out, why) && create_meshes(out, why) &&
           create_pipelines(out, why) && create_materials(out, why);
}

/// Destroying what was never made does nothing.
void stage_destroy(struct stage *stage)
{
    weft_device *dev = stage->device;
    font_finish(&stage->font);
    if (!dev)
        return;
    for (int i = 0; i < MATERIAL_COUNT; i++) {
        weft_material_destroy(dev, stage->materials[i].material);
        weft_argument_table_destroy(dev, stage->materials[i].table);
        weft_buffer_destroy(dev, stage->materials[i].surface);
    }
    for (int i = 0; i < MESH_COUNT; i++) {
        weft_buffer_destroy(dev, stage->meshes[i].vertices);
        weft_buffer_destroy(dev, stage->meshes[i].indices);
    }
    for (int i = 0; i < PICTURE_COUNT; i++) {
        weft_texture_view_destroy(dev, stage->pictures[i].view);
        weft_texture_destroy(dev, stage->pictures[i].texture);
    }
    for (int i = 0; i < PIPELINE_COUNT; i++)
        weft_graphics_pipeline_destroy(dev, stage->pipelines[i]);
    for (int i = 0; i < SHADER_COUNT; i++)
        weft_shader_destroy(dev, stage->shaders[i]);
    weft_argument_table_destroy(dev, stage->globals);
    weft_argument_table_destroy(dev, stage->shadow_globals);
    weft_argument_layout_destroy(dev, stage->globals_layout);
    weft_argument_layout_destroy(dev, stage->material_layout);
    weft_sampler_destroy(dev, stage->repeat);
    weft_sampler_destroy(dev, stage->clamp);
    weft_surface_destroy(dev, stage->surface);
    weft_device_destroy(dev);
}
