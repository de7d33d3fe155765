// 500 different graphics pipelines on Vulkan, made cold, then from the cache that the first device
// left in a file, and drawn with once, as some drivers finish their work then. At last they are
// made in the background while frames go on: the longest frame tells whether that holds one up. The
// driver's own cache on disk is turned off (for Mesa).
#define _DEFAULT_SOURCE // setenv(), mkdtemp()
#include "common.h"

#include "pipelines.frag.spv.h"
#include "record.vert.spv.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PIPELINES = 500, SIDE = 64, FRAME_DRAWS = 100, CALM_FRAMES = 200 };

struct stage {
    weft_device *device;
    weft_shader vertex, fragment;
    weft_texture_view view;
    weft_graphics_pipeline pipelines[PIPELINES];
};

static double ms(uint64_t ns)
{
    return (double)ns * 1e-6;
}

static bool open_stage(struct stage *s, const char *cache)
{
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_VULKAN,
                                   .validation = WEFT_VALIDATION_OFF,
                                   .pipeline_cache = cache};
    bench_check(weft_device_start(&desc, &s->device), "device");
    if (weft_device_wait(s->device, UINT64_MAX) != WEFT_OK) {
        (void)fprintf(stderr, "vulkan does not open\n");
        weft_device_destroy(s->device);
        return false;
    }
    bench_check(weft_error_scope_push(s->device, WEFT_SEVERITY_WARNING), "scope");
    s->vertex = bench_shader(s->device, record_vert, sizeof record_vert);
    s->fragment = bench_shader(s->device, pipelines_frag, sizeof pipelines_frag);
    s->view = bench_target(s->device, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE, 1);
    return true;
}

static weft_graphics_pipeline make_pipeline(struct stage *s, int number, weft_pipeline_flags flags)
{
    weft_graphics_pipeline out;
    const weft_constant constant = {.id = 0, .value = (uint64_t)number + 1};
    const weft_graphics_pipeline_desc desc = {
        .vertex.shader = s->vertex,
        .fragment = {.shader = s->fragment, .constants = &constant, .constant_count = 1},
        .colors[0] = WEFT_FORMAT_RGBA8_UNORM,
        .flags = flags};
    bench_check(weft_graphics_pipeline_create(s->device, &desc, &out), "pipeline");
    return out;
}

/// Draws with `count` pipelines, `each` times.
static void draw(struct stage *s, const weft_graphics_pipeline *pipelines, int count, int each)
{
    static const float root[16];
    weft_command_buffer *cmd;
    bench_check(weft_command_begin(s->device, NULL, &cmd), "begin");
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = s->view, .load = WEFT_LOAD_CLEAR}});
    for (int i = 0; i < count; ++i) {
        weft_render_set_pipeline(enc, pipelines[i]);
        weft_render_set_root(enc, 0, 0, root, sizeof root);
        for (int k = 0; k < each; ++k)
            weft_render_draw(enc, 3, 1, 0, 0);
    }
    weft_render_end(enc);
    bench_finish(s->device, cmd);
}

static void make_all(const char *cache, const char *what)
{
    static struct stage s;
    if (!open_stage(&s, cache))
        return;
    const uint64_t start = bench_wall_ns();
    for (int i = 0; i < PIPELINES; ++i)
        s.pipelines[i] = make_pipeline(&s, i, 0);
    const uint64_t made = bench_wall_ns();
    draw(&s, s.pipelines, PIPELINES, 1);
    const uint64_t drawn = bench_wall_ns();
    weft_device_destroy(s.device);
    printf(
        "  %-22s %8.1f ms to make, %8.1f ms to draw with each once, %6.1f ms to end the device\n",
        what, ms(made - start), ms(drawn - made), ms(bench_wall_ns() - drawn));
}

/// Frames until `done` says so, or CALM_FRAMES; the longest one's milliseconds.
static double frames(struct stage *s, weft_graphics_pipeline pipeline, bool until_ready, int *count)
{
    double longest = 0;
    int ready = 0;
    *count = 0;
    while (until_ready ? ready < PIPELINES : *count < CALM_FRAMES) {
        const uint64_t start = bench_wall_ns();
        draw(s, &pipeline, 1, FRAME_DRAWS);
        const double time = ms(bench_wall_ns() - start);
        longest = time > longest ? time : longest;
        ++*count;
        while (until_ready && ready < PIPELINES &&
               weft_graphics_pipeline_ready(s->device, s->pipelines[ready]) != WEFT_PENDING)
            ++ready;
    }
    return longest;
}

static void make_in_background(void)
{
    static struct stage s;
    int calm_count, busy_count;
    if (!open_stage(&s, NULL))
        return;
    const weft_graphics_pipeline pipeline = make_pipeline(&s, PIPELINES, 0);
    draw(&s, &pipeline, 1, 1);
    const double calm = frames(&s, pipeline, false, &calm_count);
    const uint64_t start = bench_wall_ns();
    for (int i = 0; i < PIPELINES; ++i)
        s.pipelines[i] = make_pipeline(&s, i, WEFT_PIPELINE_BACKGROUND);
    const uint64_t asked = bench_wall_ns();
    const double busy = frames(&s, pipeline, true, &busy_count);
    printf("  in the background      %8.1f ms to ask for, %8.1f ms until all were ready, %d frames "
           "meanwhile\n  longest frame          %8.2f ms of them, %8.2f ms of %d before\n",
           ms(asked - start), ms(bench_wall_ns() - asked), busy_count, busy, calm, calm_count);
    weft_device_destroy(s.device);
}

int main(void)
{
    char folder[] = "/tmp/weft_pipelines_XXXXXX", cache[64];
    if (!weft_backend_is_built(WEFT_BACKEND_VULKAN) || !mkdtemp(folder))
        return 0;
    (void)snprintf(cache, sizeof cache, "%s/cache", folder);
    (void)setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    printf("%d graphics pipelines:\n", PIPELINES);
    make_all(cache, "cold");
    make_all(cache, "from the cache");
    make_in_background();
    (void)remove(cache);
    (void)rmdir(folder);
    return 0;
}
