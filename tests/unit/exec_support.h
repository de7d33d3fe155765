/// Shaders run straight through the interpreter's own header: tests hand it bytes as buffers.
#pragma once

#include "backends/software/exec/exec.h"
#include "support/test.h"

#define EXEC_BINDINGS 8u

struct exec {
    struct wf_shader_module *module;
    struct wf_sw_program *program;
    struct wf_sw_context *context;
    struct wf_sw_resources resources;
    struct wf_sw_binding elements[EXEC_BINDINGS]; ///< Binding i of set 0 is element i.
    struct wf_sw_binding_range ranges[EXEC_BINDINGS];
    struct wf_shader_error error;
};

/// What differs from run to run of a shader.
struct exec_options {
    const struct wf_shader_specialization *constants;
    uint32_t constant_count;
    uint64_t budget;
    uint32_t subgroup_size;
};

/// Reads and compiles; a failure ends the test.
struct exec exec_open(const uint32_t *words, size_t bytes, const struct exec_options *options);
/// The same, but a program that cannot be made leaves `program` NULL and `error` filled.
struct exec exec_try(const uint32_t *words, size_t bytes, const struct exec_options *options);
void exec_close(struct exec *e);

/// Gives binding `i` of set 0 its bytes.
void exec_buffer(struct exec *e, uint32_t i, void *data, uint64_t size);
/// The one buffer that physical pointers may point to, and its address.
#define EXEC_ADDRESS UINT64_C(0x7000000100000)
void exec_arena(struct exec *e, struct wf_sw_span *span, void *data, uint64_t size);
/// Runs one workgroup.
enum wf_sw_result exec_group(struct exec *e);

/// The row of an input or output; a missing one ends the test.
uint32_t exec_input(const struct exec *e, uint32_t builtin, uint32_t location, uint32_t component);
uint32_t exec_output(const struct exec *e, uint32_t builtin, uint32_t location, uint32_t component);

/// Where shaders here put the value of a lane: rows of 64.
static inline size_t exec_at(size_t row, size_t lane)
{
    return row * 64 + lane;
}

uint32_t exec_bits(float f);
float exec_float(uint32_t bits);
/// The next of a fixed sequence of random numbers.
uint32_t exec_random(uint32_t *state);
/// A float in [low, high).
float exec_random_float(uint32_t *state, float low, float high);
