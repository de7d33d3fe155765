// What recording one draw costs on the noop device, in instructions with all that is called. The
// program runs itself under callgrind, twice for each level of validation, and divides the
// difference by the draws between; the raw loop calls the hal's hooks. It also prints nanoseconds,
// without callgrind.
#include "record.h"

#include "core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 1000, MANY = 2000 };

/// callgrind counts what happens inside, by name.
void weft_bench_raw(struct wf_hal_device *hal, struct wf_hal_command *cmd, int draws,
                    const float root[16]);

__attribute__((noinline)) void weft_bench_raw(struct wf_hal_device *hal, struct wf_hal_command *cmd,
                                              int draws, const float root[16])
{
    for (int i = 0; i < draws; ++i) {
        hal->ops->cmd_set_root(cmd, WEFT_SHADER_STAGE_VERTEX | WEFT_SHADER_STAGE_FRAGMENT, 0, root,
                               64);
        hal->ops->cmd_draw(cmd, 3, 1, 0, 0);
    }
}

static uint64_t record_raw(weft_device *dev, int draws)
{
    static const float root[16];
    struct wf_hal_command_pool *pool;
    struct wf_hal_command *cmd;
    bench_check(dev->ops->command_pool_create(dev->hal, WEFT_QUEUE_GRAPHICS, &pool), "pool");
    bench_check(dev->ops->command_begin(dev->hal, pool, &cmd), "begin");
    const uint64_t start = bench_thread_ns();
    weft_bench_raw(dev->hal, cmd, draws, root);
    const uint64_t time = bench_thread_ns() - start;
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
    struct record_scene scene;
    record_open(&scene, WEFT_BACKEND_NOOP, level->validation);
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < runs; ++i) {
        const uint64_t time = level->raw ? record_raw(scene.device, draws)
                                         : record_run(&scene, RECORD_ROOT, draws, true);
        best = time < best ? time : best;
    }
    record_close(&scene);
    return best;
}

static uint64_t instructions(const char *self, const struct level *level, int draws)
{
    char arguments[64];
    (void)snprintf(arguments, sizeof arguments, "%s %d", level->name, draws);
    return bench_instructions(self, arguments, "weft_bench_r*");
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
        const uint64_t few = instructions(argv[0], &levels[i], FEW);
        const uint64_t many = instructions(argv[0], &levels[i], MANY);
        const double each = (double)(many - few) / (MANY - FEW);
        const double ns = (double)run(&levels[i], 100000, 5) / 100000.0;
        if (few > 0 && many > few)
            printf("  %-7s %6.1f instructions, %5.1f ns\n", levels[i].name, each, ns);
        else
            printf("  %-7s (no valgrind),      %5.1f ns\n", levels[i].name, ns);
    }
    return 0;
}
