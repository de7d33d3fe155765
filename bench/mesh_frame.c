// A 1280×720 frame of a lit mesh of 70,000 triangles through the public API on the software device:
// milliseconds per frame on two threads, and the parts of it.
// usage: bench_mesh_frame [IMAGE.ppm]
#include "mesh.h"

#include "mesh.frag.spv.h"
#include "mesh.vert.spv.h"

#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>

struct scene {
    weft_device *device;
    weft_buffer vertices, indices;
    weft_texture color, depth;
    weft_texture_view color_view, depth_view;
    weft_shader vertex, fragment;
    weft_graphics_pipeline pipeline;
};

static bool ok(weft_result result, const char *what)
{
    if (result != WEFT_OK)
        (void)fprintf(stderr, "%s: %s\n", what, weft_result_name(result));
    return result == WEFT_OK;
}

static bool make_buffers(struct scene *s, const struct mesh *m)
{
    return ok(weft_buffer_create(s->device,
                                 &(weft_buffer_desc){.size = sizeof(m->vertices),
                                                     .usage = WEFT_BUFFER_USAGE_VERTEX,
                                                     .data = m->vertices},
                                 &s->vertices),
              "vertices") &&
           ok(weft_buffer_create(s->device,
                                 &(weft_buffer_desc){.size = sizeof(m->indices),
                                                     .usage = WEFT_BUFFER_USAGE_INDEX,
                                                     .data = m->indices},
                                 &s->indices),
              "indices");
}

static bool make_target(struct scene *s, weft_format format, weft_texture *texture,
                        weft_texture_view *view)
{
    const weft_texture_desc desc = {.format = format,
                                    .width = MESH_WIDTH,
                                    .height = MESH_HEIGHT,
                                    .usage =
                                        WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC};
    return ok(weft_texture_create(s->device, &desc, texture), "target") &&
           ok(weft_texture_view_create(s->device, &(weft_texture_view_desc){.texture = *texture},
                                       view),
              "target's view");
}

static bool make_pipeline(struct scene *s)
{
    if (!ok(weft_shader_create(s->device,
                               &(weft_shader_desc){.code = mesh_vert, .size = sizeof(mesh_vert)},
                               &s->vertex),
            "vertex shader") ||
        !ok(weft_shader_create(s->device,
                               &(weft_shader_desc){.code = mesh_frag, .size = sizeof(mesh_frag)},
                               &s->fragment),
            "fragment shader"))
        return false;
    const weft_vertex_stream stream = {.stride = sizeof(struct mesh_vertex)};
    const weft_vertex_attribute attributes[2] = {
        {.location = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X3},
        {.location = 1,
         .offset = offsetof(struct mesh_vertex, normal),
         .format = WEFT_VERTEX_FORMAT_FLOAT32X3}};
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true},
        .raster = {.cull = WEFT_CULL_BACK}};
    const weft_graphics_pipeline_desc desc = {.vertex = {.shader = s->vertex},
                                              .fragment = {.shader = s->fragment},
                                              .streams = &stream,
                                              .stream_count = 1,
                                              .attributes = attributes,
                                              .attribute_count = 2,
                                              .colors = {WEFT_FORMAT_RGBA8_UNORM_SRGB},
                                              .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                              .states = &state,
                                              .state_count = 1};
    return ok(weft_graphics_pipeline_create(s->device, &desc, &s->pipeline), "pipeline");
}

static bool make_scene(struct scene *s, const struct mesh *m, uint32_t threads)
{
    const weft_software_options software = {.threads = threads};
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_SOFTWARE, .software = &software};
    return ok(weft_device_start(&desc, &s->device), "device") &&
           ok(weft_device_wait(s->device, UINT64_MAX), "device") && make_buffers(s, m) &&
           make_target(s, WEFT_FORMAT_RGBA8_UNORM_SRGB, &s->color, &s->color_view) &&
           make_target(s, WEFT_FORMAT_D32_FLOAT, &s->depth, &s->depth_view) && make_pipeline(s);
}

static void close_scene(struct scene *s)
{
    if (!s->device)
        return;
    weft_graphics_pipeline_destroy(s->device, s->pipeline);
    weft_shader_destroy(s->device, s->vertex);
    weft_shader_destroy(s->device, s->fragment);
    weft_texture_view_destroy(s->device, s->color_view);
    weft_texture_view_destroy(s->device, s->depth_view);
    weft_texture_destroy(s->device, s->color);
    weft_texture_destroy(s->device, s->depth);
    weft_buffer_destroy(s->device, s->vertices);
    weft_buffer_destroy(s->device, s->indices);
    weft_device_destroy(s->device);
}

static weft_result record(struct scene *s, const struct mesh *m, weft_command_buffer **out)
{
    const weft_result result = weft_command_begin(s->device, &(weft_command_desc){0}, out);
    if (result != WEFT_OK)
        return result;
    const weft_render_pass_desc pass = {.colors = {{.view = s->color_view,
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0.02f, 0.02f, 0.03f, 1}}}},
                                        .depth_stencil = s->depth_view,
                                        .depth_load = WEFT_LOAD_CLEAR,
                                        .depth_store = WEFT_STORE_DISCARD,
                                        .clear_depth = 1};
    weft_render_encoder *enc = weft_command_begin_render(*out, &pass);
    weft_render_set_pipeline(enc, s->pipeline);
    weft_render_set_root(enc, 0, 0, &m->root, sizeof(m->root));
    weft_render_set_vertex_buffer(enc, 0, s->vertices, 0);
    weft_render_set_index_buffer(enc, s->indices, 0, WEFT_INDEX_UINT32);
    weft_render_draw_indexed(enc, MESH_TRIANGLES * 3, 1, 0, 0, 0);
    weft_render_end(enc);
    return weft_command_end(*out);
}

static bool frame(struct scene *s, const struct mesh *m, double *recorded, double *drawn)
{
    weft_command_buffer *cmd;
    uint64_t serial;
    const double start = mesh_clock_ms();
    if (!ok(record(s, m, &cmd), "recording"))
        return false;
    const double middle = mesh_clock_ms();
    if (!ok(weft_queue_submit(s->device, WEFT_QUEUE_GRAPHICS,
                              &(weft_submit){.commands = &cmd, .command_count = 1}, &serial),
            "submission") ||
        !ok(weft_serial_wait(s->device, serial, UINT64_MAX), "wait"))
        return false;
    *recorded = middle - start;
    *drawn = mesh_clock_ms() - middle;
    return true;
}

static bool save(struct scene *s, const char *path)
{
    const size_t size = (size_t)MESH_WIDTH * MESH_HEIGHT * 4;
    uint8_t *texels = malloc(size);
    const bool read = texels && ok(weft_texture_read(s->device, s->color, &(weft_texture_region){0},
                                                     texels, size, &(weft_texel_layout){0}),
                                   "reading back");
    if (read)
        mesh_write_ppm(path, texels);
    free(texels);
    return read;
}

static bool measure(const struct mesh *m, uint32_t threads, const char *path)
{
    struct scene s = {0};
    double recorded[MESH_FRAMES], drawn[MESH_FRAMES], spare[2];
    bool fine = make_scene(&s, m, threads) && frame(&s, m, &spare[0], &spare[1]);
    for (uint32_t i = 0; fine && i < MESH_FRAMES; i++)
        fine = frame(&s, m, &recorded[i], &drawn[i]);
    if (fine)
        printf("mesh frame, %u triangles, %ux%u, %u thread%s: %.1f ms (recording %.3f ms)\n",
               MESH_TRIANGLES, MESH_WIDTH, MESH_HEIGHT, threads, threads == 1 ? "" : "s",
               mesh_median(drawn, MESH_FRAMES), mesh_median(recorded, MESH_FRAMES));
    if (fine && path)
        fine = save(&s, path);
    close_scene(&s);
    return fine;
}

int main(int argc, char **argv)
{
    struct mesh *m = mesh_make();
    const bool fine = m && measure(m, 1, NULL) && measure(m, 2, argc > 1 ? argv[1] : NULL);
    free(m);
    return fine ? 0 : 1;
}
