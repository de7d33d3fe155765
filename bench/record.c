#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record.frag.spv.h"
#include "record.vert.spv.h"
#include "record_table.frag.spv.h"

const char *record_kind_name(enum record_kind kind)
{
    static const char *const names[RECORD_KINDS] = {"root", "table", "pipeline"};
    return names[kind];
}

void record_check(weft_result result, const char *what)
{
    if (result >= 0)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, weft_result_name(result));
    exit(1);
}

uint64_t record_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- the scene ----------------------------------------------------------------------------------

static weft_shader make_shader(weft_device *dev, const uint32_t *code, size_t size)
{
    weft_shader out;
    record_check(weft_shader_create(dev, &(weft_shader_desc){.code = code, .size = size}, &out),
                 "shader");
    return out;
}

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
    record_check(weft_graphics_pipeline_create(dev, &desc, &out), "pipeline");
    return out;
}

static weft_argument_table make_table(weft_device *dev, weft_graphics_pipeline pipeline, float tint)
{
    const float values[4] = {tint, tint, tint, 1};
    weft_buffer buffer;
    weft_argument_table table;
    record_check(weft_buffer_create(dev,
                                    &(weft_buffer_desc){.size = sizeof values,
                                                        .usage = WEFT_BUFFER_USAGE_UNIFORM,
                                                        .data = values},
                                    &buffer),
                 "buffer");
    const weft_argument_table_desc desc = {.layout =
                                               weft_graphics_pipeline_layout(dev, pipeline, 0),
                                           .writes = &(weft_argument_write){.buffer = buffer},
                                           .write_count = 1};
    record_check(weft_argument_table_create(dev, &desc, &table), "table");
    return table;
}

static weft_texture_view make_target(weft_device *dev)
{
    weft_texture texture;
    weft_texture_view view;
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                    .width = RECORD_SIDE,
                                    .height = RECORD_SIDE,
                                    .usage = WEFT_TEXTURE_USAGE_RENDER};
    record_check(weft_texture_create(dev, &desc, &texture), "texture");
    record_check(
        weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = texture}, &view),
        "view");
    return view;
}

void record_open(struct record_scene *scene, weft_backend backend, weft_validation validation)
{
    const weft_device_desc desc = {.backends = 1u << backend, .validation = validation};
    record_check(weft_device_start(&desc, &scene->device), "start");
    weft_device *dev = scene->device;
    record_check(weft_device_wait(dev, UINT64_MAX), "start");
    // Leaks of these programs are no news.
    record_check(weft_error_scope_push(dev, WEFT_SEVERITY_WARNING), "scope");
    const weft_shader vertex = make_shader(dev, record_vert, sizeof record_vert);
    const weft_shader fragment = make_shader(dev, record_frag, sizeof record_frag);
    const weft_shader tinted = make_shader(dev, record_table_frag, sizeof record_table_frag);
    for (int i = 0; i < 2; ++i)
        scene->plain[i] = make_pipeline(dev, vertex, fragment, i ? WEFT_CULL_BACK : WEFT_CULL_NONE);
    scene->tinted = make_pipeline(dev, vertex, tinted, WEFT_CULL_NONE);
    for (int i = 0; i < 2; ++i)
        scene->tables[i] = make_table(dev, scene->tinted, (float)i);
    scene->view = make_target(dev);
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
    record_check(weft_command_begin(scene->device, NULL, &cmd), "begin");
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = scene->view, .load = WEFT_LOAD_CLEAR}});
    weft_render_set_pipeline(enc, kind == RECORD_TABLE ? scene->tinted : scene->plain[0]);
    const uint64_t start = record_nanoseconds();
    record_draws(scene, enc, kind, draws);
    const uint64_t time = record_nanoseconds() - start;
    weft_render_end(enc);
    record_check(weft_command_end(cmd), "end");
    if (!submit) {
        weft_command_discard(cmd);
        return time;
    }
    const weft_submit work = {.commands = &cmd, .command_count = 1};
    record_check(weft_queue_submit(scene->device, WEFT_QUEUE_GRAPHICS, &work, NULL), "submit");
    record_check(weft_device_wait_idle(scene->device), "wait");
    return time;
}

uint64_t record_instructions(const char *program, const char *arguments)
{
    char command[1024], line[256];
    uint64_t count = 0;
    (void)snprintf(command, sizeof command,
                   "valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                   "--toggle-collect='weft_bench_r*' '%s' %s 2>&1",
                   program, arguments);
    FILE *out = popen(command, "r");
    if (!out)
        return 0;
    while (fgets(line, sizeof line, out)) {
        const char *at = strstr(line, "Collected : ");
        if (at)
            count = strtoull(at + strlen("Collected : "), NULL, 10);
    }
    return pclose(out) == 0 ? count : 0;
}
