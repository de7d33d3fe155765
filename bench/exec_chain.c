// What one float operation of the interpreter costs a lane: a chain of 1,000 dependent adds and
// multiplies over 64 lanes, on each instruction set that this machine has. Median of five runs.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backends/software/exec/run.h"
#include "base/alloc.h"

#include "exec_chain.comp.spv.h"
#include "exec_mix.comp.spv.h"

enum { RUNS = 5, GROUPS = 20000, OPERATIONS = 1000 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct wf_sw_program *compile(const uint32_t *words, size_t bytes)
{
    struct wf_shader_module *module = NULL;
    struct wf_sw_program *program = NULL;
    struct wf_shader_error error;
    if (wf_shader_read(wf_base_allocator_default(), words, bytes, &module, &error)) {
        const struct wf_sw_program_desc desc = {.module = module, .entry = &module->entries[0]};
        wf_sw_program_create(wf_base_allocator_default(), &desc, &program, &error);
    }
    wf_shader_free(module);
    if (!program)
        (void)fprintf(stderr, "exec_chain: %s\n", error.message);
    return program;
}

/// Nanoseconds per operation and lane.
static double run_once(struct wf_sw_context *context, const struct wf_sw_program *program)
{
    static uint32_t values[64];
    static const float root[2] = {0.75f, 0.5f};
    const struct wf_sw_binding element = {.data = (uint8_t *)values, .size = sizeof values};
    const struct wf_sw_binding_range range = {0, 1};
    const struct wf_sw_resources resources = {
        .root = (const uint8_t *)root,
        .root_size = sizeof root,
        .sets = {{&element, &range, 1}},
    };
    const uint32_t id[3] = {0}, count[3] = {1, 1, 1};
    const double start = seconds();
    for (int k = 0; k < GROUPS; k++)
        wf_sw_run_group(context, program, &resources, id, count);
    return (seconds() - start) * 1e9 / GROUPS / OPERATIONS / WF_SW_LANES;
}

static void measure(const char *name, const struct wf_sw_program *program)
{
    uint32_t count;
    const struct wf_sw_isa *isas = wf_sw_isas(&count);
    struct wf_sw_context *context = wf_sw_context_create(wf_base_allocator_default());
    for (uint32_t i = 0; context && i < count; i++) {
        double times[RUNS];
        wf_sw_context_use(context, &isas[i]);
        run_once(context, program);
        for (int k = 0; k < RUNS; k++)
            times[k] = run_once(context, program);
        qsort(times, RUNS, sizeof *times, compare_doubles);
        printf("%-12s %-7s %6.4f ns per operation and lane (%u instructions)\n", name, isas[i].name,
               times[RUNS / 2], wf_sw_program_info(program)->instructions);
    }
    wf_sw_context_destroy(context);
}

int main(void)
{
    struct wf_sw_program *chain = compile(exec_chain_comp, sizeof exec_chain_comp);
    struct wf_sw_program *mix = compile(exec_mix_comp, sizeof exec_mix_comp);
    if (!chain || !mix)
        return 1;
    measure("exec_chain", chain);
    measure("exec_mix", mix);
    wf_sw_program_destroy(chain);
    wf_sw_program_destroy(mix);
    return 0;
}
