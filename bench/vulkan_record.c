// What recording one draw costs on Vulkan, through Weft and by hand (raw_vulkan.c), side by side:
// instructions, with all that is called down to the driver, and nanoseconds. The program runs
// itself under callgrind, twice for each row, and divides the difference by the draws between. The
// driver is the one that the loader finds first: tools/check/drivers.py chooses it.
#include "raw_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 500, MANY = 1500, TIMED = 20000, RUNS = 5 };

/// Aims, in instructions of a root block and a draw above the raw loop.
static const struct level {
    const char *name;
    weft_validation validation; ///< DEFAULT: no Weft at all.
    unsigned aim;
} levels[] = {
    {"raw", WEFT_VALIDATION_DEFAULT, 0},
    {"OFF", WEFT_VALIDATION_OFF, 100},
    {"ERRORS", WEFT_VALIDATION_ERRORS, 1000},
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

static uint64_t run_raw(enum record_kind kind, int draws, int runs)
{
    struct raw_vulkan *raw = raw_vulkan_open();
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < runs; ++i) {
        const uint64_t time = raw_vulkan_run(raw, kind, draws, runs > 1);
        best = time < best ? time : best;
    }
    raw_vulkan_close(raw);
    return best;
}

static uint64_t run_weft(weft_validation validation, enum record_kind kind, int draws, int runs)
{
    struct record_scene scene;
    record_open(&scene, WEFT_BACKEND_VULKAN, validation);
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < runs; ++i) {
        const uint64_t time = record_run(&scene, kind, draws, runs > 1);
        best = time < best ? time : best;
    }
    record_close(&scene);
    return best;
}

/// The fastest one's nanoseconds. A single run is not submitted: it is for callgrind.
static uint64_t run(size_t level, enum record_kind kind, int draws, int runs)
{
    const weft_validation validation = levels[level].validation;
    return validation ? run_weft(validation, kind, draws, runs) : run_raw(kind, draws, runs);
}

static uint64_t instructions(const char *self, size_t level, enum record_kind kind, int draws)
{
    char arguments[64];
    (void)snprintf(arguments, sizeof arguments, "%zu %d %d", level, (int)kind, draws);
    return bench_instructions(self, arguments, "weft_bench_r*");
}

/// Prints a row and returns the instructions of a draw, 0 if they could not be counted.
static double print_row(const char *self, size_t level, enum record_kind kind, double raw)
{
    const uint64_t few = instructions(self, level, kind, FEW);
    const uint64_t many = instructions(self, level, kind, MANY);
    const double ns = (double)run(level, kind, TIMED, RUNS) / TIMED;
    printf("  %-9s %-7s", record_kind_name(kind), levels[level].name);
    if (few == 0 || many <= few) {
        printf(" (no valgrind) %30.1f ns\n", ns);
        return 0;
    }
    const double each = (double)(many - few) / (MANY - FEW);
    printf(" %7.1f instructions, %7.1f ns", each, ns);
    if (level > 0 && raw > 0)
        printf(", %+.1f above raw", each - raw);
    if (level > 0 && raw > 0 && kind == RECORD_ROOT)
        printf(" (aim: %u)", levels[level].aim);
    printf("\n");
    return each;
}

int main(int argc, char **argv)
{
    if (argc == 4) { // under callgrind
        const size_t level = (size_t)atoi(argv[1]);
        const int kind = atoi(argv[2]);
        if (level < LEVELS && kind >= 0 && kind < RECORD_KINDS)
            run(level, (enum record_kind)kind, atoi(argv[3]), 1);
        return 0;
    }
    struct raw_vulkan *raw = raw_vulkan_open();
    printf("a draw on %s:\n", raw_vulkan_name(raw));
    raw_vulkan_close(raw);
    const size_t rows = weft_backend_is_built(WEFT_BACKEND_VULKAN) ? LEVELS : 1;
    for (int kind = 0; kind < RECORD_KINDS; ++kind) {
        double first = 0;
        for (size_t level = 0; level < rows; ++level) {
            const double each = print_row(argv[0], level, (enum record_kind)kind, first);
            first = level == 0 ? each : first;
        }
    }
    return 0;
}
