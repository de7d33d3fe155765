#include "backends/software/exec/run.h"

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "base/cpu.h"

struct wf_sw_context {
    const struct wf_base_allocator *allocator;
    const struct wf_sw_isa *isa;
    uint8_t *memory; ///< Everything below, cut to size for the program at hand.
    size_t capacity;
    uint64_t serial; ///< Of the program that the memory is cut for.
    uint32_t *rows;
    uint32_t *words;
    uint64_t *masks;
    struct wf_sw_found *found;
    uint8_t *shared;
    uint32_t *local;       ///< Compute: LocalInvocationId x, y, z and index of each invocation.
    struct wf_sw_run *run; ///< Compute: one for each batch.
    uint32_t batches;
    size_t row_words, word_words, mask_words; ///< Of one batch.
};

// ---- instruction sets --------------------------------------------------------------------------

const struct wf_sw_isa *wf_sw_isas(uint32_t *count)
{
    static const struct wf_sw_isa all[] = {
#if defined(WF_SW_HAS_AVX)
        {"avx2", wf_sw_execute_avx2},
#endif
        {"base", wf_sw_execute_base},
    };
    uint32_t first = 0;
#if defined(WF_SW_HAS_AVX)
    first = wf_base_cpu_has_avx2() ? 0 : 1;
#endif
    *count = (uint32_t)(sizeof all / sizeof *all) - first;
    return all + first;
}

void wf_sw_context_use(struct wf_sw_context *context, const struct wf_sw_isa *isa)
{
    context->isa = isa;
}

struct wf_sw_context *wf_sw_context_create(const struct wf_base_allocator *allocator)
{
    struct wf_sw_context *context = wf_base_alloc_zero(allocator, sizeof *context);
    uint32_t count;
    if (!context)
        return NULL;
    context->allocator = allocator;
    context->isa = wf_sw_isas(&count);
    return context;
}

void wf_sw_context_destroy(struct wf_sw_context *context)
{
    if (!context)
        return;
    wf_base_free(context->allocator, context->memory, context->capacity);
    wf_base_free(context->allocator, context, sizeof *context);
}

// ---- memory for a program ----------------------------------------------------------------------

static size_t take(size_t *at, size_t bytes)
{
    const size_t here = *at;
    *at += (bytes + 63) / 64 * 64;
    return here;
}

static uint32_t invocations(const struct wf_sw_program *p)
{
    const uint32_t *size = p->info.workgroup_size;
    return size[0] * size[1] * size[2];
}

/// Lanes that do the same share what it costs, so that a loop without end is left as soon by many.
static uint64_t budget_of(const struct wf_sw_program *p, uint64_t lanes)
{
    return p->budget / WF_SW_LANES * wf_base_popcount64(lanes);
}

/// A stopped run leaves lanes at blocks.
static void clear_masks(struct wf_sw_context *x)
{
    for (size_t k = 0; k < x->mask_words * x->batches; k++)
        x->masks[k] = 0;
}

/// Constants keep their words; everything else in a context may be left over from another program.
static void start_program(struct wf_sw_context *x, const struct wf_sw_program *p)
{
    assert(x->masks && x->words);
    clear_masks(x);
    for (uint32_t b = 0; b < x->batches; b++) {
        uint32_t *words = x->words + b * x->word_words;
        memset(words, 0, x->word_words * sizeof *words);
        if (p->constant_count)
            memcpy(words + WF_SW_SYSTEM_COUNT, p->constants, p->constant_count * sizeof *words);
    }
    if (p->info.model != SpvExecutionModelGLCompute)
        return;
    const uint32_t *size = p->info.workgroup_size;
    const uint32_t count = x->batches * WF_SW_LANES;
    for (uint32_t i = 0; i < count; i++) {
        x->local[i] = i % size[0];
        x->local[count + i] = i / size[0] % size[1];
        x->local[count * 2 + i] = i / size[0] / size[1] % size[2];
        x->local[count * 3 + i] = i;
    }
}

static bool fit(struct wf_sw_context *x, const struct wf_sw_program *p)
{
    const bool compute = p->info.model == SpvExecutionModelGLCompute;
    if (x->memory && x->serial == p->serial)
        return true;
    x->serial = 0; // no program's, should there be no memory
    x->batches = compute ? (invocations(p) + WF_SW_LANES - 1) / WF_SW_LANES : 1;
    x->row_words = (p->row_count + (size_t)1) * WF_SW_LANES;
    x->word_words = (p->word_count + (size_t)15) / 16 * 16;
    x->mask_words = (p->mask_count + (size_t)7) / 8 * 8;
    size_t end = 0;
    const size_t rows = take(&end, x->batches * x->row_words * sizeof *x->rows);
    const size_t words = take(&end, x->batches * x->word_words * sizeof *x->words);
    const size_t masks = take(&end, x->batches * x->mask_words * sizeof *x->masks);
    const size_t found = take(&end, p->info.use_count * sizeof *x->found);
    const size_t shared = take(&end, p->info.shared_bytes);
    const size_t local = take(&end, compute ? sizeof *x->local * 4 * x->batches * WF_SW_LANES : 0);
    const size_t run = take(&end, compute ? x->batches * sizeof *x->run : 0);
    if (end > x->capacity) {
        uint8_t *memory = wf_base_alloc_aligned(x->allocator, end, 64);
        if (!memory)
            return false;
        wf_base_free(x->allocator, x->memory, x->capacity);
        x->memory = memory;
        x->capacity = end;
        memset(memory, 0, end);
    }
    x->rows = (uint32_t *)(void *)(x->memory + rows);
    x->words = (uint32_t *)(void *)(x->memory + words);
    x->masks = (uint64_t *)(void *)(x->memory + masks);
    x->found = (struct wf_sw_found *)(void *)(x->memory + found);
    x->shared = x->memory + shared;
    x->local = (uint32_t *)(void *)(x->memory + local);
    x->run = (struct wf_sw_run *)(void *)(x->memory + run);
    x->serial = p->serial;
    start_program(x, p);
    return true;
}

static void find_bindings(struct wf_sw_context *x, const struct wf_sw_program *p,
                          const struct wf_sw_resources *r)
{
    for (uint32_t k = 0; k < p->info.use_count; k++) {
        const struct wf_sw_use *use = &p->info.uses[k];
        const struct wf_sw_table *table = &r->sets[use->set];
        x->found[k] = (struct wf_sw_found){0};
        if (use->binding < table->range_count) {
            const struct wf_sw_binding_range *range = &table->ranges[use->binding];
            x->found[k] = (struct wf_sw_found){table->elements + range->first, range->count};
        }
    }
}

static struct wf_sw_run run_of(struct wf_sw_context *x, const struct wf_sw_program *p,
                               const struct wf_sw_resources *r, uint32_t batch)
{
    return (struct wf_sw_run){
        .program = p,
        .resources = r,
        .rows = x->rows + batch * x->row_words,
        .words = x->words + batch * x->word_words,
        .masks = x->masks + batch * x->mask_words,
        .found = x->found,
        .shared = x->shared,
        .at = p->code,
    };
}

uint64_t wf_sw_run_counted(const struct wf_sw_run *run, uint64_t exec)
{
    const uint32_t size = run->program->subgroup_size;
    uint64_t counted = exec & ~run->helpers;
    for (uint32_t first = 0; first < WF_SW_LANES; first += size) {
        const uint64_t group = UINT64_MAX >> (WF_SW_LANES - size) << first;
        if (!(counted & group))
            counted |= exec & group;
    }
    return counted;
}

// ---- vertex and fragment programs --------------------------------------------------------------

bool wf_sw_prepare(struct wf_sw_context *context, const struct wf_sw_program *program,
                   struct wf_sw_batch *batch)
{
    *batch = (struct wf_sw_batch){0};
    if (!fit(context, program))
        return false;
    batch->inputs = (uint32_t(*)[WF_SW_LANES])context->rows;
    batch->outputs = (const uint32_t(*)[WF_SW_LANES])(
        context->rows + (size_t)program->info.input_count * WF_SW_LANES);
    return true;
}

enum wf_sw_result wf_sw_run(struct wf_sw_context *context, const struct wf_sw_program *program,
                            const struct wf_sw_resources *resources, struct wf_sw_batch *batch)
{
    if (!fit(context, program))
        return WF_SW_MEMORY;
    find_bindings(context, program, resources);
    struct wf_sw_run run = run_of(context, program, resources, 0);
    run.exec = batch->active;
    run.helpers = batch->helpers;
    run.budget = budget_of(program, run.exec);
    run.words[WF_SW_SYSTEM_SAMPLES] = batch->samples ? batch->samples : 1;
    const enum wf_sw_status status = context->isa->execute(&run);
    batch->killed = run.killed;
    if (status == WF_SW_STATUS_DONE)
        return WF_SW_OK;
    clear_masks(context);
    return WF_SW_BUDGET;
}

// ---- workgroups --------------------------------------------------------------------------------

static void fill_inputs(const struct wf_sw_context *x, const struct wf_sw_program *p, size_t batch)
{
    const size_t count = (size_t)x->batches * WF_SW_LANES;
    uint32_t *rows = x->rows + batch * x->row_words;
    for (uint32_t k = 0; k < p->info.input_count; k++) {
        const struct wf_sw_row *row = &p->info.inputs[k];
        size_t axis = 3;
        if (row->builtin == SpvBuiltInLocalInvocationId)
            axis = row->component;
        memcpy(rows + k * (size_t)WF_SW_LANES, x->local + axis * count + batch * WF_SW_LANES,
               WF_SW_LANES * sizeof *rows);
    }
}

static void start_batch(struct wf_sw_context *x, const struct wf_sw_program *p,
                        const struct wf_sw_resources *r, const uint32_t *system, uint32_t batch)
{
    const uint32_t left = invocations(p) - batch * WF_SW_LANES;
    struct wf_sw_run *run = &x->run[batch];
    *run = run_of(x, p, r, batch);
    run->exec = left >= WF_SW_LANES ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    run->budget = budget_of(p, run->exec);
    memcpy(run->words, system, WF_SW_SYSTEM_COUNT * sizeof *system);
    fill_inputs(x, p, batch);
}

enum wf_sw_result wf_sw_run_group(struct wf_sw_context *context,
                                  const struct wf_sw_program *program,
                                  const struct wf_sw_resources *resources,
                                  const uint32_t group_id[3], const uint32_t group_count[3])
{
    struct wf_sw_context *x = context;
    if (!fit(x, program))
        return WF_SW_MEMORY;
    find_bindings(x, program, resources);
    uint32_t system[WF_SW_SYSTEM_COUNT];
    memcpy(system + WF_SW_SYSTEM_GROUP, group_id, 3 * sizeof *system);
    memcpy(system + WF_SW_SYSTEM_GROUPS, group_count, 3 * sizeof *system);
    system[WF_SW_SYSTEM_SAMPLES] = 1;
    if (program->info.shared_bytes)
        memset(x->shared, 0, program->info.shared_bytes);
    for (uint32_t b = 0; b < x->batches; b++)
        start_batch(x, program, resources, system, b);
    uint32_t left = x->batches;
    while (left) { // from barrier to barrier
        for (uint32_t b = 0; b < x->batches; b++) {
            struct wf_sw_run *run = &x->run[b];
            if (!run->at)
                continue;
            const enum wf_sw_status status = x->isa->execute(run);
            if (status == WF_SW_STATUS_BUDGET) {
                clear_masks(x);
                return WF_SW_BUDGET;
            }
            if (status == WF_SW_STATUS_DONE) {
                run->at = NULL;
                left--;
            }
        }
    }
    return WF_SW_OK;
}
