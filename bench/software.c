// Scenes on the software device and, in the same run, on the Vulkan driver that the loader finds
// first (tools/check/drivers.py: lavapipe), which runs on the CPU, too: how much of each scene a
// second of CPU time buys, all threads counted.
// usage: bench_software [SCENE]
#include "common.h"
#include "mesh.h"

#include "mesh.frag.spv.h"
#include "mesh.vert.spv.h"
#include "scene_compute.comp.spv.h"
#include "scene_fill.frag.spv.h"
#include "scene_fill.vert.spv.h"
#include "scene_small.vert.spv.h"
#include "scene_texture.frag.spv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 256,            ///< Texels of the sampled texture.
    LAYERS = 16,           ///< How often a frame is filled.
    CELLS = 512 * 288,     ///< Of scene_small.vert.
    SMALL_DRAWS = 2000,    ///< Of one cell each.
    INVOCATIONS = 1 << 16, ///< Of scene_compute.comp.
    LEAST_NS = 700000000,  ///< CPU time that a scene is repeated for, at least.
};

/// What the scenes are drawn with.
struct world {
    weft_device *device;
    const struct mesh *mesh;
    weft_buffer vertices, indices, values;
    weft_argument_table picture, numbers;
    weft_texture_view color[2], depth[2], resolved; ///< By samples: 1 and 4.
    weft_graphics_pipeline lit[2], fill, blend, textured, small;
    weft_compute_pipeline compute;
};

// ---- making it ----------------------------------------------------------------------------------

static weft_buffer make_buffer(weft_device *dev, weft_buffer_usage usage, const void *data,
                               size_t size)
{
    weft_buffer out;
    const weft_buffer_desc desc = {.size = size, .usage = usage, .data = data};
    bench_check(weft_buffer_create(dev, &desc, &out), "buffer");
    return out;
}

static weft_graphics_pipeline make_lit(struct world *w, weft_shader vertex, weft_shader fragment,
                                       uint32_t samples)
{
    weft_graphics_pipeline out;
    const weft_vertex_stream stream = {.stride = sizeof(struct mesh_vertex)};
    const weft_vertex_attribute attributes[2] = {
        {.location = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X3},
        {.location = 1,
         .offset = offsetof(struct mesh_vertex, normal),
         .format = WEFT_VERTEX_FORMAT_FLOAT32X3}};
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true},
        .raster = {.cull = WEFT_CULL_BACK}};
    const weft_graphics_pipeline_desc desc = {.vertex.shader = vertex,
                                              .fragment.shader = fragment,
                                              .streams = &stream,
                                              .stream_count = 1,
                                              .attributes = attributes,
                                              .attribute_count = 2,
                                              .colors = {WEFT_FORMAT_RGBA8_UNORM_SRGB},
                                              .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                              .samples = samples,
                                              .states = &state,
                                              .state_count = 1};
    bench_check(weft_graphics_pipeline_create(w->device, &desc, &out), "pipeline");
    return out;
}

static weft_graphics_pipeline make_flat(struct world *w, weft_shader vertex, weft_shader fragment,
                                        bool blend)
{
    weft_graphics_pipeline out;
    const weft_blend_equation over = {.src = WEFT_BLEND_SRC_ALPHA,
                                      .dst = WEFT_BLEND_ONE_MINUS_SRC_ALPHA};
    const weft_pipeline_state state = {
        .blend.targets[0] = {.enable = blend, .color = over, .alpha = over}};
    const weft_graphics_pipeline_desc desc = {.vertex.shader = vertex,
                                              .fragment.shader = fragment,
                                              .colors = {WEFT_FORMAT_RGBA8_UNORM_SRGB},
                                              .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                              .states = &state,
                                              .state_count = 1};
    bench_check(weft_graphics_pipeline_create(w->device, &desc, &out), "pipeline");
    return out;
}

static void make_pipelines(struct world *w)
{
    weft_device *dev = w->device;
    const weft_shader vertex = bench_shader(dev, mesh_vert, sizeof mesh_vert);
    const weft_shader fragment = bench_shader(dev, mesh_frag, sizeof mesh_frag);
    const weft_shader cover = bench_shader(dev, scene_fill_vert, sizeof scene_fill_vert);
    const weft_shader field = bench_shader(dev, scene_small_vert, sizeof scene_small_vert);
    const weft_shader flat = bench_shader(dev, scene_fill_frag, sizeof scene_fill_frag);
    const weft_shader texture = bench_shader(dev, scene_texture_frag, sizeof scene_texture_frag);
    w->lit[0] = make_lit(w, vertex, fragment, 1);
    w->lit[1] = make_lit(w, vertex, fragment, 4);
    w->fill = make_flat(w, cover, flat, false);
    w->blend = make_flat(w, cover, flat, true);
    w->textured = make_flat(w, cover, texture, false);
    w->small = make_flat(w, field, flat, false);
    const weft_compute_pipeline_desc compute = {
        .compute.shader = bench_shader(dev, scene_compute_comp, sizeof scene_compute_comp)};
    bench_check(weft_compute_pipeline_create(dev, &compute, &w->compute), "pipeline");
}

static weft_argument_table make_table(struct world *w, weft_argument_layout layout,
                                      const weft_argument_write *write)
{
    weft_argument_table out;
    const weft_argument_table_desc desc = {.layout = layout, .writes = write, .write_count = 1};
    bench_check(weft_argument_table_create(w->device, &desc, &out), "table");
    return out;
}

/// A picture with mips, sampled with all filters on.
static void make_picture(struct world *w)
{
    static uint8_t texels[SIDE * SIDE][4];
    for (int i = 0; i < SIDE * SIDE; ++i)
        for (int k = 0; k < 4; ++k)
            texels[i][k] = (uint8_t)(i * (k + 3) ^ (i >> 8));
    weft_texture texture;
    weft_argument_write write = {0};
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                    .width = SIDE,
                                    .height = SIDE,
                                    .mips = WEFT_MIPS_ALL,
                                    .usage =
                                        WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_DST |
                                        WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_RENDER};
    const weft_sampler_desc sampler = {
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR};
    weft_device *dev = w->device;
    bench_check(weft_texture_create(dev, &desc, &texture), "texture");
    bench_check(weft_texture_write(dev, texture, NULL, texels, NULL), "texels");
    bench_check(
        weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = texture}, &write.view),
        "view");
    bench_check(weft_sampler_create(dev, &sampler, &write.sampler), "sampler");
    weft_command_buffer *cmd;
    bench_check(weft_command_begin(dev, NULL, &cmd), "begin");
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, texture);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_FRAGMENT, 0);
    bench_finish(dev, cmd);
    w->picture = make_table(w, weft_graphics_pipeline_layout(dev, w->textured, 0), &write);
}

static bool make_world(struct world *w, weft_backend backend, const struct mesh *mesh)
{
    static float zeros[INVOCATIONS * 4];
    *w = (struct world){.device = bench_device(backend, WEFT_VALIDATION_OFF), .mesh = mesh};
    weft_device *dev = w->device;
    if (!dev)
        return false;
    w->vertices = make_buffer(dev, WEFT_BUFFER_USAGE_VERTEX, mesh->vertices, sizeof mesh->vertices);
    w->indices = make_buffer(dev, WEFT_BUFFER_USAGE_INDEX, mesh->indices, sizeof mesh->indices);
    w->values = make_buffer(dev, WEFT_BUFFER_USAGE_STORAGE, zeros, sizeof zeros);
    for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t samples = i ? 4 : 1;
        w->color[i] =
            bench_target(dev, WEFT_FORMAT_RGBA8_UNORM_SRGB, MESH_WIDTH, MESH_HEIGHT, samples);
        w->depth[i] = bench_target(dev, WEFT_FORMAT_D32_FLOAT, MESH_WIDTH, MESH_HEIGHT, samples);
    }
    w->resolved = bench_target(dev, WEFT_FORMAT_RGBA8_UNORM_SRGB, MESH_WIDTH, MESH_HEIGHT, 1);
    make_pipelines(w);
    make_picture(w);
    w->numbers = make_table(w, weft_compute_pipeline_layout(dev, w->compute, 0),
                            &(weft_argument_write){.buffer = w->values});
    return true;
}

// ---- the scenes ---------------------------------------------------------------------------------

static weft_render_encoder *begin_pass(struct world *w, weft_command_buffer *cmd, uint32_t many)
{
    const weft_render_pass_desc pass = {
        .colors = {{.view = w->color[many],
                    .resolve = many ? w->resolved : (weft_texture_view){0},
                    .load = WEFT_LOAD_CLEAR,
                    .store = many ? WEFT_STORE_DISCARD : WEFT_STORE_STORE}},
        .depth_stencil = w->depth[many],
        .depth_load = WEFT_LOAD_CLEAR,
        .depth_store = WEFT_STORE_DISCARD,
        .clear_depth = 1};
    return weft_command_begin_render(cmd, &pass);
}

static void draw_mesh(struct world *w, weft_command_buffer *cmd, uint32_t many)
{
    weft_render_encoder *enc = begin_pass(w, cmd, many);
    weft_render_set_pipeline(enc, w->lit[many]);
    weft_render_set_root(enc, 0, 0, &w->mesh->root, sizeof w->mesh->root);
    weft_render_set_vertex_buffer(enc, 0, w->vertices, 0);
    weft_render_set_index_buffer(enc, w->indices, 0, WEFT_INDEX_UINT32);
    weft_render_draw_indexed(enc, MESH_TRIANGLES * 3, 1, 0, 0, 0);
    weft_render_end(enc);
}

static void scene_mesh(struct world *w, weft_command_buffer *cmd)
{
    draw_mesh(w, cmd, 0);
}

static void scene_mesh_4(struct world *w, weft_command_buffer *cmd)
{
    draw_mesh(w, cmd, 1);
}

static void draw_layers(struct world *w, weft_command_buffer *cmd, weft_graphics_pipeline pipeline,
                        const weft_argument_table *table)
{
    weft_render_encoder *enc = begin_pass(w, cmd, 0);
    weft_render_set_pipeline(enc, pipeline);
    if (table)
        weft_render_set_arguments(enc, 0, *table, NULL, 0);
    for (int i = 0; i < LAYERS; ++i)
        weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
}

static void scene_fill(struct world *w, weft_command_buffer *cmd)
{
    draw_layers(w, cmd, w->fill, NULL);
}

static void scene_blend(struct world *w, weft_command_buffer *cmd)
{
    draw_layers(w, cmd, w->blend, NULL);
}

static void scene_texture(struct world *w, weft_command_buffer *cmd)
{
    draw_layers(w, cmd, w->textured, &w->picture);
}

static void draw_small(struct world *w, weft_command_buffer *cmd, uint32_t draws, uint32_t cells)
{
    weft_render_encoder *enc = begin_pass(w, cmd, 0);
    weft_render_set_pipeline(enc, w->small);
    for (uint32_t i = 0; i < draws; ++i)
        weft_render_draw(enc, cells * 6, 1, i * cells * 6, 0);
    weft_render_end(enc);
}

static void scene_small(struct world *w, weft_command_buffer *cmd)
{
    draw_small(w, cmd, 1, CELLS);
}

static void scene_draws(struct world *w, weft_command_buffer *cmd)
{
    draw_small(w, cmd, SMALL_DRAWS, 1);
}

static void scene_compute(struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, w->compute);
    weft_compute_set_arguments(enc, 0, w->numbers, NULL, 0);
    weft_compute_dispatch(enc, INVOCATIONS / 64, 1, 1);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0);
}

static const struct scene {
    const char *name, *unit;
    double units; ///< Of a frame, in millions.
    void (*record)(struct world *w, weft_command_buffer *cmd);
} scenes[] = {
    {"mesh", "triangles of a lit mesh", MESH_TRIANGLES * 1e-6, scene_mesh},
    {"mesh_4", "the same, 4 samples", MESH_TRIANGLES * 1e-6, scene_mesh_4},
    {"fill", "texels filled", LAYERS *MESH_WIDTH *MESH_HEIGHT * 1e-6, scene_fill},
    {"blend", "texels blended", LAYERS *MESH_WIDTH *MESH_HEIGHT * 1e-6, scene_blend},
    {"texture", "texels textured, trilinear", LAYERS *MESH_WIDTH *MESH_HEIGHT * 1e-6,
     scene_texture},
    {"small", "triangles of 6 texels", CELLS * 2e-6, scene_small},
    {"draws", "draws of two triangles", SMALL_DRAWS * 1e-6, scene_draws},
    {"compute", "invocations of 64 steps", INVOCATIONS * 1e-6, scene_compute},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

// ---- measuring ----------------------------------------------------------------------------------

static void run_frame(struct world *w, const struct scene *scene)
{
    weft_command_buffer *cmd;
    bench_check(weft_command_begin(w->device, NULL, &cmd), "begin");
    scene->record(w, cmd);
    bench_finish(w->device, cmd);
}

/// Millions of the scene's units per second of CPU time.
static double measure(struct world *w, const struct scene *scene)
{
    run_frame(w, scene); // compiles shaders, touches memory
    uint64_t frames = 0, used = 0;
    const uint64_t start = bench_process_ns();
    while (used < LEAST_NS) {
        run_frame(w, scene);
        ++frames;
        used = bench_process_ns() - start;
    }
    return scene->units * (double)frames / ((double)used * 1e-9);
}

/// One backend's results, 0 for scenes that were not run.
static void run_backend(weft_backend backend, const struct mesh *mesh, const char *only,
                        double out[SCENES])
{
    struct world world;
    memset(out, 0, sizeof(double[SCENES]));
    if (!weft_backend_is_built(backend) || !make_world(&world, backend, mesh))
        return;
    const weft_capabilities *about = weft_device_capabilities(world.device);
    printf("%-9s %s, %s\n", weft_backend_name(backend), about->name, about->driver);
    for (int i = 0; i < SCENES; ++i)
        if (!only || strcmp(only, scenes[i].name) == 0)
            out[i] = measure(&world, &scenes[i]);
    weft_device_destroy(world.device);
}

int main(int argc, char **argv)
{
    struct mesh *mesh = mesh_make();
    const char *only = argc > 1 ? argv[1] : NULL;
    double software[SCENES], vulkan[SCENES];
    if (!mesh)
        return 1;
    run_backend(WEFT_BACKEND_SOFTWARE, mesh, only, software);
    run_backend(WEFT_BACKEND_VULKAN, mesh, only, vulkan);
    free(mesh);
    printf("%ux%u, millions per second of CPU time:\n", MESH_WIDTH, MESH_HEIGHT);
    printf("  %-28s %9s %9s  %s\n", "", "software", "vulkan", "software / vulkan");
    for (int i = 0; i < SCENES; ++i) {
        if (software[i] <= 0)
            continue;
        printf("  %-28s %9.3f", scenes[i].unit, software[i]);
        if (vulkan[i] > 0)
            printf(" %9.3f  %.2f", vulkan[i], software[i] / vulkan[i]);
        printf("\n");
    }
    return 0;
}
