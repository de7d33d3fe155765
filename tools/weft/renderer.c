// A device, a surface, and the scene moved onto it.
#include "renderer_internal.h"

#include "lit.frag.spv.h"
#include "lit.vert.spv.h"

#include <stdlib.h>

bool renderer_fail(struct renderer *renderer, const char *what, weft_result result,
                   struct failure *why)
{
    if (renderer->complaints.errors)
        return failure_set(why, "%s: %s", what, renderer->complaints.first.text);
    return failure_set(why, "%s: %s", what, weft_result_name(result));
}

// ---- the device ---------------------------------------------------------------------------------

static bool start_device(struct renderer *renderer, const struct render_options *options,
                         struct failure *why)
{
    const weft_software_options software = {.threads = options->threads};
    const weft_surface_target headless = {.kind = WEFT_SURFACE_HEADLESS};
    const weft_device_desc desc = {.backends = options->backends,
                                   .software = &software,
                                   .surface = options->window ? options->window : &headless,
                                   .label = "weft"};
    return cli_start_device(&desc, &renderer->complaints, &renderer->device, why);
}

/// The samples asked for, or 4 where the device has them.
static bool choose_samples(struct renderer *renderer, uint32_t wanted, struct failure *why)
{
    const weft_capabilities *caps = weft_device_capabilities(renderer->device);
    const bool four = caps->limits.max_samples >= 4 &&
                      caps->formats[renderer->color_format] & WEFT_FORMAT_CAN_MSAA_4 &&
                      caps->formats[WEFT_FORMAT_D32_FLOAT] & WEFT_FORMAT_CAN_MSAA_4;
    renderer->samples = wanted ? wanted : four ? 4 : 1;
    if (renderer->samples == 4 && !four)
        return failure_set(why, "the device %s cannot draw with 4 samples; use --samples 1",
                           caps->name);
    return true;
}

static bool offers(const weft_surface_info *info, weft_format format)
{
    for (uint32_t i = 0; i < info->format_count; i++)
        if (info->formats[i] == format)
            return true;
    return false;
}

static bool open_surface(struct renderer *renderer, const weft_surface_target *target,
                         weft_surface *out, weft_surface_info *info, struct failure *why)
{
    const bool headless = target->kind == WEFT_SURFACE_HEADLESS;
    const weft_surface_desc desc = {.target = *target, .label = headless ? "picture" : "window"};
    weft_result result = weft_surface_create(renderer->device, &desc, out);
    if (result == WEFT_OK)
        result = weft_surface_query(renderer->device, *out, info);
    return result == WEFT_OK || renderer_fail(renderer, "cannot make a surface", result, why);
}

/// The surfaces, and a format that all have: that of windows first if there is one.
static bool create_surfaces(struct renderer *renderer, const struct render_options *options,
                            struct failure *why)
{
    const weft_surface_target headless = {.kind = WEFT_SURFACE_HEADLESS};
    weft_surface_info picture = {0}, window;
    if (!open_surface(renderer, &headless, &renderer->surface, &picture, why))
        return false;
    window = picture;
    if (options->window &&
        !open_surface(renderer, options->window, &renderer->window, &window, why))
        return false;
    weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_BGRA8_UNORM_SRGB};
    const int first = options->window ? 1 : 0;
    for (int i = 0; i < 2 && renderer->color_format == WEFT_FORMAT_NONE; i++) {
        const weft_format format = formats[i ^ first];
        if (offers(&picture, format) && offers(&window, format))
            renderer->color_format = format;
    }
    renderer->swap_red_blue = renderer->color_format == WEFT_FORMAT_BGRA8_UNORM_SRGB;
    if (renderer->color_format == WEFT_FORMAT_NONE)
        return failure_set(why, "the device %s shows no 8-bit sRGB colors",
                           weft_device_capabilities(renderer->device)->name);
    return options->window || renderer_resize(renderer, options->width, options->height, why);
}

static bool configure(struct renderer *renderer, weft_surface surface, uint32_t width,
                      uint32_t height, struct failure *why)
{
    const uint32_t limit = weft_device_capabilities(renderer->device)->limits.max_texture_2d;
    if (width > limit || height > limit)
        return failure_set(why, "%ux%u texels: the device has at most %u a side", width, height,
                           limit);
    const weft_surface_config config = {
        .width = width, .height = height, .format = renderer->color_format};
    const weft_result result = weft_surface_configure(renderer->device, surface, &config);
    return result == WEFT_OK ||
           renderer_fail(renderer, "cannot configure the surface", result, why);
}

bool renderer_resize(struct renderer *renderer, uint32_t width, uint32_t height,
                     struct failure *why)
{
    if (renderer->width == width && renderer->height == height)
        return true;
    if (!configure(renderer, renderer->surface, width, height, why))
        return false;
    renderer->width = width;
    renderer->height = height;
    return true;
}

/// Tells a failed acquire from one that may go well later. `*again`: configure, and try it again.
static bool acquire(struct renderer *renderer, uint32_t out[2], bool *again, struct failure *why)
{
    weft_surface_image image;
    const weft_result result = weft_surface_acquire(renderer->device, renderer->window, &image);
    const bool ready = image.status == WEFT_ACQUIRE_READY;
    out[0] = ready ? image.width : 0;
    out[1] = ready ? image.height : 0;
    *again = image.status == WEFT_ACQUIRE_RECONFIGURE;
    return result >= 0 || renderer_fail(renderer, "cannot draw to the window", result, why);
}

bool renderer_acquire(struct renderer *renderer, uint32_t width, uint32_t height, uint32_t out[2],
                      struct failure *why)
{
    bool again = renderer->asked[0] != width || renderer->asked[1] != height;
    out[0] = out[1] = 0;
    for (int tries = 0; tries < 3; tries++) { // a window that is dragged may have changed again
        if (again && !configure(renderer, renderer->window, width, height, why))
            return false;
        renderer->asked[0] = width;
        renderer->asked[1] = height;
        if (!acquire(renderer, out, &again, why))
            return false;
        if (!again)
            return true;
    }
    return true;
}

// ---- shaders and layouts ------------------------------------------------------------------------

static bool create_shader(struct renderer *renderer, const void *code, size_t size,
                          const char *name, weft_shader *out, struct failure *why)
{
    const weft_shader_desc desc = {.code = code, .size = size, .label = name};
    const weft_result result = weft_shader_create(renderer->device, &desc, out);
    return result == WEFT_OK || renderer_fail(renderer, name, result, why);
}

static bool create_layouts(struct renderer *renderer, struct failure *why)
{
    const weft_argument globals = {.type = WEFT_ARGUMENT_UNIFORM_BUFFER};
    weft_argument material[1 + LIT_MAPS] = {{.type = WEFT_ARGUMENT_UNIFORM_BUFFER}};
    for (uint32_t i = 1; i <= LIT_MAPS; i++)
        material[i] = (weft_argument){.binding = i,
                                      .type = WEFT_ARGUMENT_COMBINED,
                                      .stages = WEFT_SHADER_STAGE_FRAGMENT,
                                      .view = WEFT_VIEW_2D};
    weft_result result = weft_argument_layout_create(
        renderer->device, &(weft_argument_layout_desc){&globals, 1, "globals"},
        &renderer->globals_layout);
    if (result == WEFT_OK)
        result = weft_argument_layout_create(
            renderer->device, &(weft_argument_layout_desc){material, 1 + LIT_MAPS, "material"},
            &renderer->material_layout);
    if (result == WEFT_OK)
        result = weft_argument_table_create(
            renderer->device,
            &(weft_argument_table_desc){.layout = renderer->globals_layout, .label = "globals"},
            &renderer->globals);
    return result == WEFT_OK ||
           renderer_fail(renderer, "cannot make an argument layout", result, why);
}

// ---- meshes -------------------------------------------------------------------------------------

static struct vec3 middle_of(const struct scene_mesh *mesh)
{
    struct vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->vertices[i].position;
        min = (struct vec3){fminf(min.x, p[0]), fminf(min.y, p[1]), fminf(min.z, p[2])};
        max = (struct vec3){fmaxf(max.x, p[0]), fmaxf(max.y, p[1]), fmaxf(max.z, p[2])};
    }
    return vec_scale(vec_add(min, max), 0.5f);
}

static bool create_mesh(struct renderer *renderer, const struct scene_mesh *mesh,
                        struct gpu_mesh *out, struct failure *why)
{
    const weft_buffer_desc vertices = {
        .size = (uint64_t)mesh->vertex_count * sizeof *mesh->vertices,
        .usage = WEFT_BUFFER_USAGE_VERTEX | WEFT_BUFFER_USAGE_COPY_DST,
        .data = mesh->vertices,
        .label = "vertices"};
    const weft_buffer_desc indices = {.size = (uint64_t)mesh->index_count * sizeof *mesh->indices,
                                      .usage = WEFT_BUFFER_USAGE_INDEX | WEFT_BUFFER_USAGE_COPY_DST,
                                      .data = mesh->indices,
                                      .label = "indices"};
    weft_result result = weft_buffer_create(renderer->device, &vertices, &out->vertices);
    if (result == WEFT_OK)
        result = weft_buffer_create(renderer->device, &indices, &out->indices);
    out->index_type = WEFT_INDEX_UINT32;
    out->middle = middle_of(mesh);
    return result == WEFT_OK || renderer_fail(renderer, "cannot make a buffer", result, why);
}

bool renderer_load_meshes(struct renderer *renderer, struct failure *why)
{
    const struct scene *scene = renderer->scene;
    renderer->meshes = calloc(scene->mesh_count + (size_t)1, sizeof *renderer->meshes);
    if (!renderer->meshes)
        return failure_set(why, "out of memory");
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        if (scene->meshes[i].index_count > 0 &&
            !create_mesh(renderer, &scene->meshes[i], &renderer->meshes[i], why))
            return false;
    return true;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool load(struct renderer *renderer, const struct render_options *options,
                 struct failure *why)
{
    return start_device(renderer, options, why) && create_surfaces(renderer, options, why) &&
           choose_samples(renderer, options->samples, why) &&
           create_shader(renderer, lit_vert, sizeof lit_vert, "lit.vert", &renderer->vertex, why) &&
           create_shader(renderer, lit_frag, sizeof lit_frag, "lit.frag", &renderer->fragment,
                         why) &&
           create_layouts(renderer, why) && renderer_load_textures(renderer, why) &&
           renderer_load_materials(renderer, why) && renderer_load_meshes(renderer, why);
}

struct renderer *renderer_create(const struct render_options *options, const struct scene *scene,
                                 struct failure *why)
{
    struct renderer *renderer = calloc(1, sizeof *renderer);
    if (!renderer) {
        failure_set(why, "out of memory");
        return NULL;
    }
    renderer->scene = scene;
    renderer->complaints.print = true;
    for (int i = 0; i < 4; i++)
        renderer->background[i] = options->background[i];
    if (load(renderer, options, why))
        return renderer;
    renderer_destroy(renderer);
    return NULL;
}

static void destroy_materials(struct renderer *renderer)
{
    for (uint32_t i = 0; renderer->drawables && i < renderer->scene->material_count; i++) {
        for (int mirrored = 0; mirrored < 2; mirrored++)
            weft_material_destroy(renderer->device, renderer->drawables[i].materials[mirrored]);
        weft_argument_table_destroy(renderer->device, renderer->drawables[i].table);
    }
    for (uint32_t i = 0; i < renderer->pipeline_count; i++)
        weft_graphics_pipeline_destroy(renderer->device, renderer->pipelines[i].pipeline);
    for (uint32_t i = 0; i < renderer->sampler_count; i++)
        weft_sampler_destroy(renderer->device, renderer->samplers[i].sampler);
}

static void destroy_texture(struct renderer *renderer, struct gpu_texture *texture)
{
    weft_texture_view_destroy(renderer->device, texture->view);
    weft_texture_destroy(renderer->device, texture->texture);
}

static void destroy_objects(struct renderer *renderer)
{
    weft_device *device = renderer->device;
    destroy_materials(renderer);
    for (uint32_t i = 0; renderer->meshes && i < renderer->scene->mesh_count; i++) {
        weft_buffer_destroy(device, renderer->meshes[i].vertices);
        weft_buffer_destroy(device, renderer->meshes[i].indices);
    }
    for (uint32_t i = 0; renderer->textures && i < 2 * renderer->scene->image_count; i++)
        destroy_texture(renderer, &renderer->textures[i]);
    destroy_texture(renderer, &renderer->white);
    weft_buffer_destroy(device, renderer->material_buffer);
    weft_argument_table_destroy(device, renderer->globals);
    weft_argument_layout_destroy(device, renderer->globals_layout);
    weft_argument_layout_destroy(device, renderer->material_layout);
    weft_shader_destroy(device, renderer->vertex);
    weft_shader_destroy(device, renderer->fragment);
    weft_surface_destroy(device, renderer->surface);
    weft_surface_destroy(device, renderer->window);
    weft_device_destroy(device);
}

void renderer_destroy(struct renderer *renderer)
{
    if (!renderer)
        return;
    if (renderer->device)
        destroy_objects(renderer);
    free(renderer->drawables);
    free(renderer->pipelines);
    free(renderer->samplers);
    free(renderer->textures);
    free(renderer->meshes);
    free(renderer);
}

const weft_capabilities *renderer_capabilities(const struct renderer *renderer)
{
    return weft_device_capabilities(renderer->device);
}

uint32_t renderer_samples(const struct renderer *renderer)
{
    return renderer->samples;
}
