/// A run of the interpreter: what the context, the loops of each instruction set, and the shared
/// handlers of memory and images agree on. Private to this folder.
#ifndef WF_SW_RUN_H
#define WF_SW_RUN_H

#include "backends/software/exec/funs.h"
#include "backends/software/exec/program.h"

enum wf_sw_status {
    WF_SW_STATUS_DONE,
    WF_SW_STATUS_BARRIER, ///< Continue at run->at when all batches have come here.
    WF_SW_STATUS_BUDGET,
};

/// A binding that the program uses, found in the tables.
struct wf_sw_found {
    const struct wf_sw_binding *elements;
    uint32_t count;
};

struct wf_sw_run {
    const struct wf_sw_program *program;
    const struct wf_sw_resources *resources;
    uint32_t *rows; ///< WF_SW_LANES words each, aligned to 64 bytes; one more than the program has.
    uint32_t *words;                 ///< Uniform registers.
    uint64_t *masks;                 ///< Lanes that wait at blocks.
    const struct wf_sw_found *found; ///< By use.
    uint8_t *shared;
    const struct wf_sw_code *at;
    uint64_t exec, helpers, killed;
    uint64_t budget;
    struct wf_sw_span span; ///< The buffer that was pointed to last.
};

/// Runs from run->at.
typedef enum wf_sw_status (*wf_sw_execute)(struct wf_sw_run *run);

struct wf_sw_isa {
    const char *name;
    wf_sw_execute execute;
};

/// The instruction sets that this machine has, the best one first. All give the same bits.
const struct wf_sw_isa *wf_sw_isas(uint32_t *count);

/// Makes a context use one of them: for tests.
void wf_sw_context_use(struct wf_sw_context *context, const struct wf_sw_isa *isa);

enum wf_sw_status wf_sw_execute_base(struct wf_sw_run *run);
enum wf_sw_status wf_sw_execute_avx2(struct wf_sw_run *run);

/// A function behind CALL: `r` points to the rows of the results, then of the arguments; `n` is how
/// many lanes.
typedef void (*wf_sw_fun_loop)(uint32_t *const *r, uint32_t n);

/// Those that are not made of vectors, from WF_SW_FUN_VECTORS on.
extern const wf_sw_fun_loop wf_sw_funs[];

/// Runs operations on words alone up to the first instruction that is none (run_words.c).
const struct wf_sw_code *wf_sw_run_words(uint32_t *words, const struct wf_sw_code *ip);

// run_memory.c and run_image.c: lanes are run->exec, side effects those that are no helpers.
void wf_sw_run_root(struct wf_sw_run *run, const struct wf_sw_code *c);
void wf_sw_run_uniform(struct wf_sw_run *run, const struct wf_sw_code *c);
void wf_sw_run_load(struct wf_sw_run *run, const struct wf_sw_mem *m);
void wf_sw_run_load_words(struct wf_sw_run *run, const struct wf_sw_mem *m);
void wf_sw_run_store(struct wf_sw_run *run, const struct wf_sw_mem *m);
void wf_sw_run_atomic(struct wf_sw_run *run, const struct wf_sw_mem *m);
void wf_sw_run_length(struct wf_sw_run *run, const struct wf_sw_mem *m, bool word);
void wf_sw_run_scratch_load(struct wf_sw_run *run, const struct wf_sw_code *c);
void wf_sw_run_scratch_store(struct wf_sw_run *run, const struct wf_sw_code *c);
void wf_sw_run_image(struct wf_sw_run *run, const struct wf_sw_image_op *op);

/// The lanes that subgroup operations count: of a subgroup those that are no helpers, and those
/// that are where there are no others, so that a loop over its values ends for them too.
uint64_t wf_sw_run_counted(const struct wf_sw_run *run, uint64_t exec);

static inline uint32_t *wf_sw_row(const struct wf_sw_run *run, uint32_t slot)
{
    return run->rows + (size_t)slot * WF_SW_LANES;
}

#endif
