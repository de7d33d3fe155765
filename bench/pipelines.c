// 500 different graphics pipelines on Vulkan, made cold, then from the cache that the first device
// left in a file; some are drawn with, as software drivers do most of their work then. At last they
// are made in the background while frames go on: the longest frame tells whether that holds one up
// (on a driver that runs on the CPU, frames and pipelines share the processors). The driver's own
// cache on disk is turned off (Mesa's).
// NOLINTNEXTLINE(readability-identifier-naming): the system names it
#define _DEFAULT_SOURCE // setenv(), mkdtemp()
#include "common.h"

#include "pipelines.frag.spv.h"
#include "record.vert.spv.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    PIPELINES = 500,
    SIDE = 64,
    FRAME_DRAWS = 100,
    CALM_FRAMES = 200,
    DRAWN = 20,
    MOST_FRAMES = 100000
};

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
    draw(&s, s.pipelines, DRAWN, 1);
    const uint64_t drawn = bench_wall_ns();
    weft_device_destroy(s.device);
    printf("  %-22s %8.1f ms to make, %8.1f ms to draw with %d, %6.1f ms to end the device\n", what,
           ms(made - start), ms(drawn - made), DRAWN, ms(bench_wall_ns() - drawn));
}

struct frames {
    int count, late; ///< Late: longer than four times the median of the calm ones.
    double median, longest;
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Frames until all pipelines are ready, or CALM_FRAMES; in milliseconds.
static struct frames run_frames(struct stage *s, weft_graphics_pipeline pipeline, bool until_ready,
                                double late)
{
    static double times[MOST_FRAMES];
    struct frames f = {0};
    int ready = 0;
    while (f.count < MOST_FRAMES && (until_ready ? ready < PIPELINES : f.count < CALM_FRAMES)) {
        const uint64_t start = bench_wall_ns();
        draw(s, &pipeline, 1, FRAME_DRAWS);
        times[f.count] = ms(bench_wall_ns() - start);
        f.late += late > 0 && times[f.count] > late;
        ++f.count;
        while (until_ready && ready < PIPELINES &&
               weft_graphics_pipeline_ready(s->device, s->pipelines[ready]) != WEFT_PENDING)
            ++ready;
    }
    qsort(times, (size_t)f.count, sizeof *times, compare);
    f.median = f.count ? times[f.count / 2] : 0;
    f.longest = f.count ? times[f.count - 1] : 0;
    return f;
}

static void make_in_background(void)
{
    static struct stage s;
    if (!open_stage(&s, NULL))
        return;
    const weft_graphics_pipeline pipeline = make_pipeline(&s, PIPELINES, 0);
    draw(&s, &pipeline, 1, 1);
    const struct frames calm = run_frames(&s, pipeline, false, 0);
    const uint64_t start = bench_wall_ns();
    for (int i = 0; i < PIPELINES; ++i)
        s.pipelines[i] = make_pipeline(&s, i, WEFT_PIPELINE_BACKGROUND);
    const uint64_t asked = bench_wall_ns();
    const struct frames busy = run_frames(&s, pipeline, true, calm.median * 4);
    printf("  in the background      %8.1f ms to ask for, %8.1f ms until all were ready\n",
           ms(asked - start), ms(bench_wall_ns() - asked));
    printf("  frames before          %8.2f ms is the median, %8.2f ms the longest of %d\n",
           calm.median, calm.longest, calm.count);
    printf("  frames meanwhile       %8.2f ms is the median, %8.2f ms the longest of %d; %d took "
           "four times the median before\n",
           busy.median, busy.longest, busy.count, busy.late);
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
