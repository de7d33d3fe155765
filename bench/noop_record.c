// What recording one draw costs on the noop device: a 64-byte root block and a draw, in
// instructions with all that is called. The program runs itself under callgrind, twice for each
// level of validation, and divides the difference by the draws between; the raw loop calls the
// hal's hooks. It also prints nanoseconds, without callgrind.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <weft/weft.h>

#include "core/core.h"

#include "noop_record.frag.spv.h"
#include "noop_record.vert.spv.h"

enum { FEW = 1000, MANY = 2000 };

static void check(weft_result result, const char *what)
{
    if (result >= 0)
        return;
    (void)fprintf(stderr, "noop_record: %s: %s\n", what, weft_result_name(result));
    exit(1);
}

static weft_shader shader(weft_device *dev, const uint32_t *code, size_t size)
{
    weft_shader out;
    check(weft_shader_create(dev, &(weft_shader_desc){.code = code, .size = size}, &out), "shader");
    return out;
}

static weft_graphics_pipeline pipeline(weft_device *dev)
{
    weft_graphics_pipeline out;
    const weft_graphics_pipeline_desc desc = {
        .vertex.shader = shader(dev, noop_record_vert, sizeof noop_record_vert),
        .fragment.shader = shader(dev, noop_record_frag, sizeof noop_record_frag),
        .colors[0] = WEFT_FORMAT_RGBA8_UNORM,
    };
    check(weft_graphics_pipeline_create(dev, &desc, &out), "pipeline");
    return out;
}

static weft_texture_view target(weft_device *dev)
{
    weft_texture texture;
    weft_texture_view view;
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                    .width = 64,
                                    .height = 64,
                                    .usage = WEFT_TEXTURE_USAGE_RENDER};
    check(weft_texture_create(dev, &desc, &texture), "texture");
    check(weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = texture}, &view),
          "view");
    return view;
}

/// callgrind counts what happens inside of these two, by name.
void weft_bench_record(weft_render_encoder *enc, int draws, const float root[16]);
void weft_bench_raw(struct wf_hal_device *hal, struct wf_hal_command *cmd, int draws,
                    const float root[16]);

__attribute__((noinline)) void weft_bench_record(weft_render_encoder *enc, int draws,
                                                 const float root[16])
{
    for (int i = 0; i < draws; ++i) {
        weft_render_set_root(enc, 0, 0, root, 64);
        weft_render_draw(enc, 3, 1, 0, 0);
    }
}

__attribute__((noinline)) void weft_bench_raw(struct wf_hal_device *hal, struct wf_hal_command *cmd,
                                              int draws, const float root[16])
{
    for (int i = 0; i < draws; ++i) {
        hal->ops->cmd_set_root(cmd, WEFT_SHADER_STAGE_VERTEX | WEFT_SHADER_STAGE_FRAGMENT, 0, root,
                               64);
        hal->ops->cmd_draw(cmd, 3, 1, 0, 0);
    }
}

static uint64_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// Records `draws` and returns the nanoseconds that took.
static uint64_t record(weft_device *dev, weft_graphics_pipeline pipe, weft_texture_view view,
                       int draws)
{
    static const float root[16];
    weft_command_buffer *cmd;
    check(weft_command_begin(dev, NULL, &cmd), "begin");
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR}});
    weft_render_set_pipeline(enc, pipe);
    const uint64_t start = nanoseconds();
    weft_bench_record(enc, draws, root);
    const uint64_t time = nanoseconds() - start;
    weft_render_end(enc);
    check(weft_command_end(cmd), "end");
    check(weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS,
                            &(weft_submit){.commands = &cmd, .command_count = 1}, NULL),
          "submit");
    return time;
}

static uint64_t record_raw(weft_device *dev, int draws)
{
    static const float root[16];
    struct wf_hal_command_pool *pool;
    struct wf_hal_command *cmd;
    check(dev->ops->command_pool_create(dev->hal, WEFT_QUEUE_GRAPHICS, &pool), "pool");
    check(dev->ops->command_begin(dev->hal, pool, &cmd), "begin");
    const uint64_t start = nanoseconds();
    weft_bench_raw(dev->hal, cmd, draws, root);
    const uint64_t time = nanoseconds() - start;
    dev->ops->command_discard(cmd);
    dev->ops->command_pool_destroy(dev->hal, pool);
    return time;
}

static const struct level {
    const char *name;
    weft_validation validation;
    bool raw;
} levels[] = {
    {"raw", WEFT_VALIDATION_OFF, true},
    {"OFF", WEFT_VALIDATION_OFF, false},
    {"ERRORS", WEFT_VALIDATION_ERRORS, false},
    {"FULL", WEFT_VALIDATION_FULL, false},
};

/// One device, `runs` recordings; the fastest one's nanoseconds.
static uint64_t run(const struct level *level, int draws, int runs)
{
    weft_device *dev;
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP,
                                   .validation = level->validation};
    check(weft_device_start(&desc, &dev), "start");
    check(weft_device_wait(dev, UINT64_MAX), "start");
    // Leaks of this program are no news.
    weft_error_scope_push(dev, WEFT_SEVERITY_WARNING);
    const weft_graphics_pipeline pipe = pipeline(dev);
    const weft_texture_view view = target(dev);
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < runs; ++i) {
        const uint64_t time = level->raw ? record_raw(dev, draws) : record(dev, pipe, view, draws);
        best = time < best ? time : best;
    }
    weft_device_destroy(dev);
    return best;
}

/// Instructions that callgrind counts for `draws`; 0 if there is no valgrind.
static uint64_t instructions(const char *self, const char *level, int draws)
{
    char command[1024], line[256];
    uint64_t count = 0;
    (void)snprintf(command, sizeof command,
                   "valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                   "--toggle-collect='weft_bench_r*' '%s' %s %d 2>&1",
                   self, level, draws);
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

int main(int argc, char **argv)
{
    const size_t count = sizeof levels / sizeof levels[0];
    if (argc == 3) { // under callgrind
        for (size_t i = 0; i < count; ++i) {
            if (strcmp(levels[i].name, argv[1]) == 0)
                run(&levels[i], atoi(argv[2]), 1);
        }
        return 0;
    }
    printf("a 64-byte root block and a draw, noop device:\n");
    for (size_t i = 0; i < count; ++i) {
        const uint64_t few = instructions(argv[0], levels[i].name, FEW);
        const uint64_t many = instructions(argv[0], levels[i].name, MANY);
        const double each = (double)(many - few) / (MANY - FEW);
        const double ns = (double)run(&levels[i], 100000, 5) / 100000.0;
        if (few > 0 && many > few)
            printf("  %-7s %6.1f instructions, %5.1f ns\n", levels[i].name, each, ns);
        else
            printf("  %-7s (no valgrind),      %5.1f ns\n", levels[i].name, ns);
    }
    return 0;
}
