#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.frag.spv.h"
#include "record.vert.spv.h"
#include "record_table.frag.spv.h"

const char *record_kind_name(enum record_kind kind)
{
    static const char *const names[RECORD_KINDS] = {"root", "table", "pipeline"};
    return names[kind];
}

// ---- the scene ----------------------------------------------------------------------------------

static weft_graphics_pipeline make_pipeline(weft_device *dev, weft_shader vertex,
                                            weft_shader fragment, weft_cull cull)
{
    weft_graphics_pipeline out;
    const weft_pipeline_state state = {.raster.cull = cull};
    const weft_graphics_pipeline_desc desc = {.vertex.shader = vertex,
                                              .fragment.shader = fragment,
                                              .colors[0] = WEFT_FORMAT_RGBA8_UNORM,
                                              .states = &state,
                                              .state_count = 1};
    bench_check(weft_graphics_pipeline_create(dev, &desc, &out), "pipeline");
    return out;
}

static weft_argument_table make_table(weft_device *dev, weft_graphics_pipeline pipeline, float tint)
{
    const float values[4] = {tint, tint, tint, 1};
    weft_buffer buffer;
    weft_argument_table table;
    bench_check(weft_buffer_create(dev,
                                   &(weft_buffer_desc){.size = sizeof values,
                                                       .usage = WEFT_BUFFER_USAGE_UNIFORM,
                                                       .data = values},
                                   &buffer),
                "buffer");
    const weft_argument_table_desc desc = {.layout =
                                               weft_graphics_pipeline_layout(dev, pipeline, 0),
                                           .writes = &(weft_argument_write){.buffer = buffer},
                                           .write_count = 1};
    bench_check(weft_argument_table_create(dev, &desc, &table), "table");
    return table;
}

void record_open(struct record_scene *scene, weft_backend backend, weft_validation validation)
{
    weft_device *const dev = scene->device = bench_device(backend, validation);
    if (!dev)
        exit(1);
    const weft_shader vertex = bench_shader(dev, record_vert, sizeof record_vert);
    const weft_shader fragment = bench_shader(dev, record_frag, sizeof record_frag);
    const weft_shader tinted = bench_shader(dev, record_table_frag, sizeof record_table_frag);
    for (int i = 0; i < 2; ++i)
        scene->plain[i] = make_pipeline(dev, vertex, fragment, i ? WEFT_CULL_BACK : WEFT_CULL_NONE);
    scene->tinted = make_pipeline(dev, vertex, tinted, WEFT_CULL_NONE);
    for (int i = 0; i < 2; ++i)
        scene->tables[i] = make_table(dev, scene->tinted, (float)i);
    scene->view = bench_target(dev, WEFT_FORMAT_RGBA8_UNORM, RECORD_SIDE, RECORD_SIDE, 1);
}

void record_close(struct record_scene *scene)
{
    weft_device_destroy(scene->device);
}

// ---- recording ----------------------------------------------------------------------------------

/// callgrind counts what happens inside of these, by name.
void weft_bench_record_root(weft_render_encoder *enc, int draws, const float root[16]);
void weft_bench_record_table(weft_render_encoder *enc, int draws, const float root[16],
                             const weft_argument_table tables[2]);
void weft_bench_record_pipeline(weft_render_encoder *enc, int draws, const float root[16],
                                const weft_graphics_pipeline pipelines[2]);

__attribute__((noinline)) void weft_bench_record_root(weft_render_encoder *enc, int draws,
                                                      const float root[16])
{
    for (int i = 0; i < draws; ++i) {
        weft_render_set_root(enc, 0, 0, root, 64);
        weft_render_draw(enc, 3, 1, 0, 0);
    }
}

__attribute__((noinline)) void weft_bench_record_table(weft_render_encoder *enc, int draws,
                                                       const float root[16],
                                                       const weft_argument_table tables[2])
{
    for (int i = 0; i < draws; ++i) {
        weft_render_set_root(enc, 0, 0, root, 64);
        weft_render_set_arguments(enc, 0, tables[i & 1], NULL, 0);
        weft_render_draw(enc, 3, 1, 0, 0);
    }
}

__attribute__((noinline)) void weft_bench_record_pipeline(weft_render_encoder *enc, int draws,
                                                          const float root[16],
                                                          const weft_graphics_pipeline pipelines[2])
{
    for (int i = 0; i < draws; ++i) {
        weft_render_set_pipeline(enc, pipelines[i & 1]);
        weft_render_set_root(enc, 0, 0, root, 64);
        weft_render_draw(enc, 3, 1, 0, 0);
    }
}

static void record_draws(struct record_scene *s, weft_render_encoder *enc, enum record_kind kind,
                         int draws)
{
    static const float root[16];
    switch (kind) {
    case RECORD_TABLE:
        weft_bench_record_table(enc, draws, root, s->tables);
        break;
    case RECORD_PIPELINE:
        weft_bench_record_pipeline(enc, draws, root, s->plain);
        break;
    default:
        weft_bench_record_root(enc, draws, root);
        break;
    }
}

uint64_t record_run(struct record_scene *scene, enum record_kind kind, int draws, bool submit)
{
    weft_command_buffer *cmd;
    bench_check(weft_command_begin(scene->device, NULL, &cmd), "begin");
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = scene->view, .load = WEFT_LOAD_CLEAR}});
    weft_render_set_pipeline(enc, kind == RECORD_TABLE ? scene->tinted : scene->plain[0]);
    const uint64_t start = bench_thread_ns();
    record_draws(scene, enc, kind, draws);
    const uint64_t time = bench_thread_ns() - start;
    weft_render_end(enc);
    if (submit) {
        bench_finish(scene->device, cmd);
        return time;
    }
    bench_check(weft_command_end(cmd), "end");
    weft_command_discard(cmd);
    return time;
}
