// One frame: the world sorted by material, what is transparent from back to front.
#include "renderer_internal.h"

#include "color.h"

#include <string.h>

/// Steps of depth by which the world is sorted from front to back before material counts.
#define DEPTH_BUCKETS 8

// ---- lights and camera --------------------------------------------------------------------------

static void put_vec(float out[4], struct vec3 v, float w)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    out[3] = w;
}

/// A direction that moves with the camera, given as right, up, back.
static struct vec3 camera_direction(const struct camera *camera, float right, float up, float back)
{
    return vec_normalize(
        vec_add(vec_add(vec_scale(camera->right, right), vec_scale(camera->up, up)),
                vec_scale(camera->back, back)));
}

static struct gpu_globals make_globals(const struct camera *camera)
{
    struct gpu_globals globals = {.view_projection = camera->view_projection};
    if (camera->orthographic)
        put_vec(globals.eye, camera->back, 0);
    else
        put_vec(globals.eye, camera->eye, 1);
    put_vec(globals.key_direction, camera_direction(camera, -0.75f, 0.75f, 0.5f), 0);
    put_vec(globals.fill_direction, camera_direction(camera, 0.9f, 0.1f, 0.35f), 0);
    return globals;
}

static bool write_globals(struct renderer *renderer, weft_frame *frame, const struct camera *camera,
                          struct failure *why)
{
    const struct gpu_globals globals = make_globals(camera);
    const weft_transient memory = weft_frame_alloc(frame, sizeof globals, 256);
    if (!memory.cpu)
        return renderer_fail(renderer, "no memory for the frame", WEFT_ERROR_DEVICE_MEMORY, why);
    memcpy(memory.cpu, &globals, sizeof globals);
    const weft_argument_write write = {
        .buffer = memory.buffer, .offset = memory.offset, .size = sizeof globals};
    const weft_result result =
        weft_argument_table_write(renderer->device, renderer->globals, &write, 1);
    return result == WEFT_OK || renderer_fail(renderer, "cannot set the camera", result, why);
}

// ---- packets ------------------------------------------------------------------------------------

/// Distance of an instance's middle along the view, which orders it.
static float view_depth(const struct renderer *renderer, const struct scene_instance *instance,
                        const struct camera *camera)
{
    const struct vec3 middle = mat_point(&instance->world, renderer->meshes[instance->mesh].middle);
    return -vec_dot(vec_sub(middle, camera->eye), camera->back);
}

/// Bits that rise as `depth` does, also below zero.
static uint32_t rising_bits(float depth)
{
    uint32_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static void draw_instance(struct renderer *renderer, weft_frame *frame,
                          const struct scene_instance *instance, uint64_t key)
{
    const struct scene_mesh *mesh = &renderer->scene->meshes[instance->mesh];
    const struct gpu_mesh *gpu = &renderer->meshes[instance->mesh];
    const weft_stream_view stream = {.slot = 0, .buffer = gpu->vertices};
    const bool mirrored = mat_determinant3(&instance->world) < 0;
    weft_frame_draw_mesh(frame,
                         &(weft_draw_packet){
                             .sort_key = key,
                             .material = renderer->drawables[mesh->material].materials[mirrored],
                             .geometry = {.streams = &stream,
                                          .stream_count = 1,
                                          .indices = gpu->indices,
                                          .index_type = gpu->index_type,
                                          .count = mesh->index_count},
                             .transform = instance->world.m,
                         });
}

static bool is_blended(const struct renderer *renderer, const struct scene_instance *instance)
{
    return renderer->scene->materials[renderer->scene->meshes[instance->mesh].material].alpha ==
           SCENE_BLEND;
}

static void draw_world(struct renderer *renderer, weft_frame *frame, const struct camera *camera)
{
    const struct scene *scene = renderer->scene;
    const float size = vec_length(vec_sub(scene->max, scene->min));
    const float nearest =
        -vec_dot(vec_sub(vec_scale(vec_add(scene->min, scene->max), 0.5f), camera->eye),
                 camera->back) -
        size / 2;
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "world", .order = WEFT_ORDER_SORTABLE});
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (is_blended(renderer, &scene->instances[i]))
            continue;
        const float along =
            size > 0 ? (view_depth(renderer, &scene->instances[i], camera) - nearest) / size : 0;
        const uint64_t bucket = (uint64_t)(fminf(fmaxf(along, 0), 0.999f) * DEPTH_BUCKETS);
        draw_instance(renderer, frame, &scene->instances[i], bucket);
    }
    weft_frame_layer_pop(frame);
}

static void draw_transparent(struct renderer *renderer, weft_frame *frame,
                             const struct camera *camera)
{
    const struct scene *scene = renderer->scene;
    weft_frame_layer_push(
        frame,
        &(weft_layer_desc){.name = "transparent", .sort_base = 1, .order = WEFT_ORDER_DEPTH});
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (is_blended(renderer, &scene->instances[i])) {
            const float depth = view_depth(renderer, &scene->instances[i], camera);
            draw_instance(renderer, frame, &scene->instances[i], UINT32_MAX - rising_bits(depth));
        }
    weft_frame_layer_pop(frame);
}

/// The background as the target has it: linear and premultiplied.
static weft_clear_color clear_color(const float background[4])
{
    weft_clear_color clear = {.f = {0, 0, 0, background[3]}};
    for (int i = 0; i < 3; i++)
        clear.f[i] = color_to_linear(background[i]) * background[3];
    return clear;
}

static void append(struct renderer *renderer, weft_frame *frame, const struct camera *camera)
{
    const weft_target_ops ops = {.load = WEFT_LOAD_CLEAR,
                                 .clear = {clear_color(renderer->background)},
                                 .depth_store = WEFT_STORE_DISCARD,
                                 .depth_format = WEFT_FORMAT_D32_FLOAT,
                                 .samples = renderer->samples,
                                 .globals = renderer->globals,
                                 .label = "model"};
    const weft_target pass = weft_frame_target_begin(frame, weft_frame_present_target(frame), &ops);
    draw_world(renderer, frame, camera);
    draw_transparent(renderer, frame, camera);
    weft_frame_target_end(frame, pass);
}

// ---- reading back -------------------------------------------------------------------------------

/// PNG has straight alpha: takes it out of the sRGB-encoded, premultiplied colors.
static void take_out_alpha(struct image *image)
{
    const size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++) {
        uint8_t *texel = image->texels + 4 * i;
        if (texel[3] == 0 || texel[3] == 255)
            continue;
        for (int c = 0; c < 3; c++) {
            const float linear = color_to_linear((float)texel[c] / 255) * 255 / (float)texel[3];
            texel[c] = (uint8_t)(color_to_srgb(fminf(linear, 1)) * 255 + 0.5f);
        }
    }
}

static void swap_red_blue(struct image *image)
{
    const size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++) {
        uint8_t *texel = image->texels + 4 * i, red = texel[0];
        texel[0] = texel[2];
        texel[2] = red;
    }
}

static bool read_back(struct renderer *renderer, struct image *image, struct failure *why)
{
    const uint64_t size = (uint64_t)image->width * image->height * 4;
    const weft_result result =
        weft_surface_read(renderer->device, renderer->surface, image->texels, size);
    if (result != WEFT_OK)
        return renderer_fail(renderer, "cannot read the picture back", result, why);
    if (renderer->swap_red_blue)
        swap_red_blue(image);
    if (renderer->background[3] < 1)
        take_out_alpha(image);
    return true;
}

/// One frame for a surface. `*report` lives until the next one.
static bool draw_frame(struct renderer *renderer, weft_surface surface, const struct camera *camera,
                       const weft_frame_report **report, struct failure *why)
{
    weft_frame *frame = NULL;
    weft_result result = weft_frame_begin(
        renderer->device, &(weft_frame_desc){.surface = surface, .label = "model"}, &frame);
    if (result != WEFT_OK) {
        weft_frame_cancel(frame);
        return renderer_fail(renderer, "cannot begin a frame", result, why);
    }
    if (!write_globals(renderer, frame, camera, why)) {
        weft_frame_cancel(frame);
        return false;
    }
    append(renderer, frame, camera);
    result = weft_frame_submit(frame, report);
    return result >= 0 || renderer_fail(renderer, "cannot draw", result, why);
}

bool renderer_draw(struct renderer *renderer, const struct camera *camera, struct image *image,
                   weft_report_format format, char **plan, struct failure *why)
{
    const weft_frame_report *report = NULL;
    if (!renderer_resize(renderer, image->width, image->height, why) ||
        !draw_frame(renderer, renderer->surface, camera, &report, why))
        return false;
    if (plan && weft_frame_report_write(report, format, plan) != WEFT_OK)
        return failure_set(why, "out of memory for the plan");
    return read_back(renderer, image, why);
}

bool renderer_show(struct renderer *renderer, const struct camera *camera, uint32_t *draws,
                   struct failure *why)
{
    const weft_frame_report *report = NULL;
    if (!draw_frame(renderer, renderer->window, camera, &report, why))
        return false;
    *draws = 0;
    for (uint32_t i = 0; report && i < report->pass_count; i++)
        *draws += report->passes[i].draws;
    return true;
}
