/// The software device's interpreter: SPIR-V in, results for 64 invocations at a time out. A value
/// is a row, one 32-bit component for 64 lanes; control flow is a mask of lanes. It knows buffers
/// as bytes, images as what image/image.h does with them, and no command, pass or queue.
///
///     wf_sw_program_create(...)                      once per pipeline stage and specialization
///     wf_sw_context_create(...)                      once per worker thread
///     wf_sw_prepare(context, program, &batch)        the places of the input and output rows
///     fill batch.inputs[row][lane] for program info's inputs; set batch.active, batch.helpers
///     wf_sw_run(context, program, resources, &batch) then read batch.outputs, batch.killed
#ifndef WF_SW_EXEC_H
#define WF_SW_EXEC_H

#include "shader/module.h"

struct wf_sw_view;    // image/image.h
struct wf_sw_sampler; // image/image.h
struct wf_sw_program;
struct wf_sw_context;

#define WF_SW_LANES         64u ///< Of a batch. Lanes 4k..4k+3 are a 2x2 quad: bit 0 is x, bit 1 is y.
#define WF_SW_SETS          4u ///< Argument tables 0 to 2, and the heap as set 3.
#define WF_SW_MAX_WORKGROUP 1024u

/// A shader that ran out of budget was stopped: its results are incomplete, nothing else is harmed.
enum wf_sw_result {
    WF_SW_OK,
    WF_SW_BUDGET,
    WF_SW_MEMORY, ///< The context could not grow: nothing ran.
};

enum wf_sw_scalar {
    WF_SW_F32,
    WF_SW_I32,
    WF_SW_U32,
    WF_SW_LOW,  ///< Low word of a 64-bit component; the next row is its high word.
    WF_SW_HIGH, ///< Its high word.
};

/// A built-in of our own: where a fragment's inputs are interpolated, x and y in pixels from the
/// pixel's middle. Zero unless each sample is shaded.
#define WF_SW_BUILTIN_OFFSET 0x10000u

/// One row of a stage's inputs or outputs. Only what the entry point really reads or writes is
/// listed, in order of rows: entry i is row i.
struct wf_sw_row {
    uint32_t builtin;   ///< SpvBuiltIn, or WF_SHADER_NONE for a user variable.
    uint32_t location;  ///< WF_SHADER_NONE for a builtin.
    uint32_t component; ///< 0 to 3 in the location; of a builtin: flattened component (Position.w
                        ///< is 3, ClipDistance[5] is 5).
    uint32_t index;     ///< Dual source blending: 0 or 1.
    uint8_t type;       ///< enum wf_sw_scalar. 8- and 16-bit integers are extended, halves are F32.
    bool flat, no_perspective, centroid, sample; ///< Fragment inputs.
};

/// One descriptor binding that the entry point may use.
struct wf_sw_use {
    uint32_t set, binding;
    bool stores; ///< Written, or used atomically.
};

/// What a program needs and does. Unlisted effects do not happen.
struct wf_sw_program_info {
    uint32_t model; ///< SpvExecutionModel
    const struct wf_sw_row *inputs, *outputs;
    uint32_t input_count, output_count;
    const struct wf_sw_use *uses;
    uint32_t use_count;
    uint32_t modes;             ///< enum wf_shader_mode bits of the entry point.
    uint32_t workgroup_size[3]; ///< Compute.
    uint32_t shared_bytes;      ///< Compute.
    uint32_t root_bytes;        ///< End of the last root byte that is read.
    uint32_t instructions;      ///< Of bytecode.
    uint32_t slots;             ///< Rows of registers.
    bool discards;              ///< Kills or demotes lanes: see wf_sw_batch.killed.
    bool writes_depth;
    bool writes_sample_mask;
    bool derivatives;  ///< Needs whole quads: set helper lanes.
    bool side_effects; ///< Stores or atomics to buffers, images or through pointers.
    bool atomics;    ///< Atomics there: what they return depends on the order of groups or batches,
    bool float_sums; ///< and what they leave does where they add floats.
    bool per_sample; ///< Reads SampleId or SamplePosition, or has a `sample` input.
    bool barriers;
};

struct wf_sw_program_desc {
    const struct wf_shader_module *module; ///< Not kept.
    const struct wf_shader_entry *entry;   ///< One of the module's.
    const struct wf_shader_specialization *specializations;
    uint32_t specialization_count;
    uint32_t subgroup_size; ///< Power of two, 4 to 64; 0: 64.
    /// Instructions of a run of 64 invocations, each counted for every one that it is executed for;
    /// fewer invocations have their share of it. 0: 2^32.
    uint64_t budget;
};

/// Compiles an entry point. On failure `*out` is NULL and `*error` names what cannot be done (an
/// opcode, capability, storage class, builtin ...) and where. Thread-safe. `error` is not NULL.
bool wf_sw_program_create(const struct wf_base_allocator *allocator,
                          const struct wf_sw_program_desc *desc, struct wf_sw_program **out,
                          struct wf_shader_error *error);
/// NULL is ignored.
void wf_sw_program_destroy(struct wf_sw_program *program);
const struct wf_sw_program_info *wf_sw_program_info(const struct wf_sw_program *program);

/// A descriptor. A buffer has data and size (dynamic offset applied), an image has a view, a
/// sampler has a sampler, a combined one both. All zero: reads as zero, writes are dropped.
struct wf_sw_binding {
    uint8_t *data; ///< 4-byte aligned.
    uint64_t size;
    const struct wf_sw_view *view;
    const struct wf_sw_sampler *sampler;
};

/// Elements [first, first + count) of the table's elements belong to one binding.
struct wf_sw_binding_range {
    uint32_t first, count;
};

/// A descriptor set. Binding numbers at or beyond `range_count` are empty.
struct wf_sw_table {
    const struct wf_sw_binding *elements;
    const struct wf_sw_binding_range *ranges; ///< By binding number.
    uint32_t range_count;
};

/// One buffer in the device's address space.
struct wf_sw_span {
    uint64_t address; ///< Of its first byte.
    uint8_t *data;    ///< Where that byte is.
    uint64_t size;
};

struct wf_sw_trace; ///< trace.h

/// What a program may touch, the same for all batches of a draw or dispatch. Plain pointers that
/// outlive the run; resources are not written.
struct wf_sw_resources {
    const uint8_t *root; ///< Root block as this stage sees it; may be NULL if root_size is 0.
    uint32_t root_size;
    struct wf_sw_table sets[WF_SW_SETS];
    /// Finds the buffer that holds `address`; false: none. NULL: no address is valid.
    bool (*resolve)(const void *arena, uint64_t address, struct wf_sw_span *out);
    const void *arena;
    struct wf_sw_trace *trace; ///< Told of what is reached through pointers and set 3; or NULL.
};

/// A worker's registers, masks and shared memory. One thread at a time.
struct wf_sw_context *wf_sw_context_create(const struct wf_base_allocator *allocator);
/// NULL is ignored.
void wf_sw_context_destroy(struct wf_sw_context *context);

/// 64 invocations.
struct wf_sw_batch {
    uint64_t active;  ///< Lanes that run.
    uint64_t helpers; ///< Those of them that only help derivatives: their side effects are dropped.
    uint32_t (*inputs)[WF_SW_LANES];        ///< To be filled; undefined after the run.
    const uint32_t (*outputs)[WF_SW_LANES]; ///< Valid until the next prepare with this context.
    uint32_t samples;                       ///< Of the target, for interpolateAtSample(); 0: 1.
    uint64_t killed;                        ///< Out: lanes that were discarded or demoted.
};

/// Gives the batch its rows, growing the context when the program is bigger than any before (never
/// twice for the same program). Zeroes the masks, not the rows. False: no memory.
bool wf_sw_prepare(struct wf_sw_context *context, const struct wf_sw_program *program,
                   struct wf_sw_batch *batch);

/// Runs a prepared batch of a vertex or fragment program. Prepare again (or rely on the same rows:
/// they do not move while the same program runs) and fill all inputs for the next batch.
enum wf_sw_result wf_sw_run(struct wf_sw_context *context, const struct wf_sw_program *program,
                            const struct wf_sw_resources *resources, struct wf_sw_batch *batch);

/// Runs one workgroup of a compute program on this thread, in an order that is always the same.
enum wf_sw_result wf_sw_run_group(struct wf_sw_context *context,
                                  const struct wf_sw_program *program,
                                  const struct wf_sw_resources *resources,
                                  const uint32_t group_id[3], const uint32_t group_count[3]);

#endif
