// Where a frame of the software rasterizer goes: the mesh of mesh_frame.c drawn by raster.h itself,
// with milliseconds for the geometry and the tile phase.
// usage: bench_raster_phases [IMAGE.ppm]
#include "mesh.h"

#include "mesh.frag.spv.h"
#include "mesh.vert.spv.h"

#include "backends/software/exec/exec.h"
#include "backends/software/raster/raster.h"

#include <stdio.h>
#include <stdlib.h>

static struct wf_sw_program *compile(const uint32_t *words, size_t bytes)
{
    const struct wf_base_allocator *a = wf_base_allocator_default();
    struct wf_shader_module *module;
    struct wf_sw_program *program = NULL;
    struct wf_shader_error error;
    if (!wf_shader_read(a, words, bytes, &module, &error)) {
        (void)fprintf(stderr, "%s\n", error.message);
        return NULL;
    }
    const struct wf_sw_program_desc desc = {.module = module, .entry = &module->entries[0]};
    if (!wf_sw_program_create(a, &desc, &program, &error))
        (void)fprintf(stderr, "%s\n", error.message);
    wf_shader_free(module);
    return program;
}

struct target {
    uint8_t *color, *depth;
    struct wf_sw_raster_pass pass;
};

static bool make_target(struct target *t, uint32_t samples)
{
    const uint64_t row = (uint64_t)MESH_WIDTH * 4, plane = row * MESH_HEIGHT;
    t->color = calloc(plane, samples + 1);
    t->depth = calloc(plane, samples);
    t->pass = (struct wf_sw_raster_pass){.depth = {.data = t->depth,
                                                   .row_bytes = row,
                                                   .sample_bytes = plane,
                                                   .format = WEFT_FORMAT_D32_FLOAT},
                                         .depth_load = WEFT_LOAD_CLEAR,
                                         .depth_store = WEFT_STORE_DISCARD,
                                         .clear_depth = 1,
                                         .width = MESH_WIDTH,
                                         .height = MESH_HEIGHT,
                                         .samples = samples};
    t->pass.colors[0] =
        (struct wf_sw_raster_color){.plane = {.data = t->color + (samples > 1 ? plane : 0),
                                              .row_bytes = row,
                                              .sample_bytes = plane,
                                              .format = WEFT_FORMAT_RGBA8_UNORM_SRGB},
                                    .load = WEFT_LOAD_CLEAR,
                                    .clear = {.f = {0.02f, 0.02f, 0.03f, 1}}};
    if (samples > 1)
        t->pass.colors[0].resolve =
            (struct wf_sw_raster_plane){.data = t->color,
                                        .row_bytes = row,
                                        .sample_bytes = plane,
                                        .format = WEFT_FORMAT_RGBA8_UNORM_SRGB};
    return t->color && t->depth;
}

static bool measure(const struct wf_sw_draw *draw, uint32_t threads, uint32_t samples,
                    const char *path)
{
    struct target t;
    struct wf_base_tasks *tasks = wf_base_tasks_create(threads, wf_base_allocator_default());
    struct wf_sw_raster *r = tasks ? wf_sw_raster_create(tasks, wf_base_allocator_default()) : NULL;
    double geometry[MESH_FRAMES], tiles[MESH_FRAMES];
    bool fine = make_target(&t, samples) && r;
    for (uint32_t i = 0; fine && i <= MESH_FRAMES; i++) {
        fine = wf_sw_raster_begin(r, &t.pass) == WEFT_OK && wf_sw_raster_draw(r, draw) == WEFT_OK &&
               wf_sw_raster_end(r) == WEFT_OK;
        const struct wf_sw_raster_times times = wf_sw_raster_times_take(r);
        const uint32_t at = i ? i - 1 : 0; // the first frame warms up
        geometry[at] = (double)times.geometry * 1e-6;
        tiles[at] = (double)times.tiles * 1e-6;
    }
    if (fine)
        printf("%u sample%s, %u thread%s: geometry %.1f ms, tiles %.1f ms\n", samples,
               samples == 1 ? "" : "s", threads, threads == 1 ? "" : "s",
               mesh_median(geometry, MESH_FRAMES), mesh_median(tiles, MESH_FRAMES));
    else
        (void)fprintf(stderr, "the rasterizer failed\n");
    if (fine && path)
        mesh_write_ppm(path, t.color);
    wf_sw_raster_destroy(r);
    wf_base_tasks_destroy(tasks);
    free(t.color);
    free(t.depth);
    return fine;
}

int main(int argc, char **argv)
{
    struct mesh *m = mesh_make();
    struct wf_sw_program *vertex = compile(mesh_vert, sizeof(mesh_vert));
    struct wf_sw_program *fragment = compile(mesh_frag, sizeof(mesh_frag));
    bool fine = m && vertex && fragment;
    if (fine) {
        const uint8_t *data = (const uint8_t *)m->vertices;
        const struct wf_sw_resources resources = {.root = (const uint8_t *)&m->root,
                                                  .root_size = sizeof(m->root)};
        const struct wf_sw_raster_attribute attributes[2] = {
            {0, WEFT_VERTEX_FORMAT_FLOAT32X3, WEFT_STEP_VERTEX, data, sizeof(m->vertices), 0,
             sizeof(struct mesh_vertex)},
            {1, WEFT_VERTEX_FORMAT_FLOAT32X3, WEFT_STEP_VERTEX, data, sizeof(m->vertices),
             offsetof(struct mesh_vertex, normal), sizeof(struct mesh_vertex)}};
        const struct wf_sw_draw draw = {
            .vertex = vertex,
            .fragment = fragment,
            .vertex_resources = &resources,
            .fragment_resources = &resources,
            .attributes = attributes,
            .attribute_count = 2,
            .index_type = WEFT_INDEX_UINT32,
            .indices = (const uint8_t *)m->indices,
            .index_size = sizeof(m->indices),
            .count = MESH_TRIANGLES * 3,
            .instance_count = 1,
            .sample_mask = UINT32_MAX,
            .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true},
            .raster = {.cull = WEFT_CULL_BACK},
            .viewport = {0, 0, MESH_WIDTH, MESH_HEIGHT, 0, 1},
            .scissor = {0, 0, MESH_WIDTH, MESH_HEIGHT}};
        fine = measure(&draw, 1, 1, NULL) && measure(&draw, 2, 1, argc > 1 ? argv[1] : NULL) &&
               measure(&draw, 2, 4, NULL);
    }
    wf_sw_program_destroy(vertex);
    wf_sw_program_destroy(fragment);
    free(m);
    return fine ? 0 : 1;
}
