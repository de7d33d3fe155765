/// From SPIR-V to the IR: what the lower_*.c files share. Private to them.
#ifndef WF_SW_LOWER_H
#define WF_SW_LOWER_H

#include "backends/software/exec/funs.h"
#include "backends/software/exec/ir.h"

/// Components of a value, in lower->words; a 64-bit component takes two, low first.
struct wf_sw_words {
    uint32_t first, count;
};

enum wf_sw_pointer_space {
    WF_SW_POINTER_NONE,
    WF_SW_POINTER_VARIABLE, ///< In registers, or scratch rows if the variable says so.
    WF_SW_POINTER_SHARED,
    WF_SW_POINTER_BUFFER,
    WF_SW_POINTER_ROOT,
    WF_SW_POINTER_PHYSICAL,
    WF_SW_POINTER_CHOSEN, ///< At run time, into buffers and shared memory: see WF_SW_CHOSEN.
    WF_SW_POINTER_OPAQUE, ///< An image or sampler binding.
    WF_SW_POINTER_TEXEL,  ///< OpImageTexelPointer.
};

/// What a pointer id stands for, known when it is compiled.
struct wf_sw_pointer {
    uint8_t space;      ///< enum wf_sw_pointer_space
    bool read_only;     ///< Buffer whose words nobody writes: uniform blocks.
    bool row_major;     ///< Matrix behind it.
    bool packed;        ///< No explicit layout: components of 4 bytes (shared memory).
    bool described;     ///< The first index of the next chain chooses the descriptor.
    uint32_t type;      ///< Pointee's id.
    uint32_t variable;  ///< Index in lower->variables.
    uint32_t component; ///< Variable: component that it starts at.
    uint32_t index;     ///< Variable: components added to it, a value or WF_SW_NONE.
    uint32_t use;       ///< Buffer, opaque.
    uint32_t desc;      ///< Value: element of the binding.
    uint32_t offset;    ///< Bytes, a value or WF_SW_NONE.
    uint64_t at;        ///< Bytes, constant.
    uint32_t low, high; ///< Physical: the address. Chosen: offset, place.
    uint32_t matrix_stride;
    uint32_t
        stride; ///< Of a vector's components if it is a column of a row-major matrix; 0: natural.
    uint32_t array_stride;          ///< Of OpPtrAccessChain's first index.
    uint32_t image, coords, sample; ///< Texel: index in lower->opaques, words of the coordinates.
};

/// An image, a sampler, or both.
struct wf_sw_opaque {
    uint32_t type; ///< Id of the image's type, 0 for a sampler alone.
    uint32_t use, desc;
    uint32_t sampler_use, sampler_desc;
};

/// A variable whose components are values of their own (or scratch rows).
struct wf_sw_variable {
    uint32_t type;
    uint32_t count;   ///< Components.
    uint32_t first;   ///< Number of its first component among all variables' components.
    uint32_t scratch; ///< Index in ir->scratch, or WF_SW_NONE.
    bool input, output;
    uint32_t global;  ///< Index of the module's variable, or WF_SW_NONE.
    bool *stored;     ///< Output: by component.
    uint32_t *rows;   ///< Input and output: interface row of each component.
    uint32_t *values; ///< Input: value of each component, or WF_SW_NONE.
};

/// A component of a variable read in a block before it was set there.
struct wf_sw_unfinished {
    uint32_t phi, block, component;
};

/// A frame of the call in progress.
struct wf_sw_frame {
    const struct wf_shader_function *function;
    uint32_t done;   ///< Block that returns go to.
    uint32_t result; ///< Variable that holds the result, or WF_SW_NONE.
    struct wf_sw_frame *outer;
};

struct wf_sw_phi {
    uint32_t first; ///< Value of the first component.
    uint32_t word;  ///< Of the OpPhi.
    uint32_t count;
};

struct wf_sw_lower {
    struct wf_sw_ir *ir;
    const struct wf_shader_module *module;
    const struct wf_shader_entry *entry;
    const struct wf_shader_value *constants; ///< Specialized, by index.
    uint32_t subgroup_size;
    bool variable_pointers; ///< Pointers into buffers and shared memory are values.
    bool shared_blocks;     ///< Shared memory has layouts of its own.
    struct wf_sw_program_info *info;

    uint32_t *type_words;       ///< By type index: components + 1; 0: not known yet.
    uint32_t *words;            ///< Values.
    struct wf_sw_words *values; ///< By id.
    struct wf_sw_pointer *pointers;
    struct wf_sw_opaque *opaques;
    uint32_t *pointer_of; ///< By id: index + 1.
    uint32_t *opaque_of;  ///< By id: index + 1.
    bool *dynamic;        ///< By id of a variable or parameter: indexed with values.
    uint32_t *scratch_of; ///< By id of a function's variable: scratch record + 1.
    struct wf_sw_variable *variables;
    uint32_t component_count; ///< Of all variables.
    struct wf_sw_unfinished *unfinished;
    struct wf_base_map defined; ///< (block, component) to value.
    struct wf_base_map uniform; ///< Uniform word to value.

    uint32_t *block_of;     ///< By module block: where it begins,
    uint32_t *block_end_of; ///< and the block that holds its terminator.
    struct wf_sw_phi *phis; ///< Of the function at hand and those around it.
    struct wf_sw_frame *frame;

    struct wf_sw_use *uses;
    struct wf_sw_row *rows; ///< Interface, inputs and outputs mixed.
    bool *row_is_output;
    uint32_t word_count, word_capacity, pointer_count, pointer_capacity, opaque_count,
        opaque_capacity;
    uint32_t variable_count, variable_capacity, unfinished_count, unfinished_capacity;
    uint32_t phi_count, phi_capacity, use_count, use_capacity, row_count, row_capacity,
        row_flag_capacity;
    uint32_t shared_bytes;
    uint64_t depth; ///< Of calls.
};

// ---- lower_type.c: types, values, constants ----------------------------------------------------
const struct wf_shader_type *wf_sw_type(struct wf_sw_lower *l, uint32_t id);
/// Whether pointers of this type may be chosen at run time.
bool wf_sw_is_choosable(const struct wf_shader_type *t);
/// Components of a type, at most WF_SW_MAX_WORDS unless it only lives in memory.
uint32_t wf_sw_type_words(struct wf_sw_lower *l, uint32_t id);
/// Components without the limit, saturating.
uint64_t wf_sw_type_words_any(struct wf_sw_lower *l, uint32_t id);
uint32_t wf_sw_type_length(struct wf_sw_lower *l, const struct wf_shader_type *type);
/// The scalar that a scalar, vector or matrix is made of.
const struct wf_shader_type *wf_sw_scalar_of(struct wf_sw_lower *l, const struct wf_shader_type *t);
/// Scalars in a scalar, vector or matrix.
uint32_t wf_sw_scalars(struct wf_sw_lower *l, const struct wf_shader_type *t);
/// Type of member or element `index`, and the component that it starts at.
uint32_t wf_sw_part(struct wf_sw_lower *l, const struct wf_shader_type *t, uint32_t index,
                    uint32_t *component);
uint32_t wf_sw_part_count(struct wf_sw_lower *l, const struct wf_shader_type *t);

/// A new value of `count` components, to be filled. Moves lower->words.
uint32_t *wf_sw_define(struct wf_sw_lower *l, uint32_t id, uint32_t count);
/// The components of an id: constants are made when first used.
uint32_t *wf_sw_value(struct wf_sw_lower *l, uint32_t id, uint32_t *count);
/// Component `i` of an id; zero beyond its end.
uint32_t wf_sw_word(struct wf_sw_lower *l, uint32_t id, uint32_t i);
bool wf_sw_constant_u32(struct wf_sw_lower *l, uint32_t id, uint32_t *out);
/// Copies a value to `out`, which has room for `count`.
void wf_sw_copy_words(struct wf_sw_lower *l, uint32_t id, uint32_t *out, uint32_t count);

// ---- lower_variable.c: variables in registers, SSA ---------------------------------------------
uint32_t wf_sw_variable_add(struct wf_sw_lower *l, uint32_t type, bool dynamic);
void wf_sw_component_write(struct wf_sw_lower *l, uint32_t component, uint32_t value);
uint32_t wf_sw_component_read(struct wf_sw_lower *l, uint32_t component);
void wf_sw_finish_phis(struct wf_sw_lower *l);
void wf_sw_variable_load(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t *out,
                         uint32_t count);
void wf_sw_variable_store(struct wf_sw_lower *l, const struct wf_sw_pointer *p, const uint32_t *in,
                          uint32_t count);
void wf_sw_find_dynamic(struct wf_sw_lower *l);

// ---- lower_interface.c: global variables -------------------------------------------------------
void wf_sw_outputs(struct wf_sw_lower *l);
uint32_t wf_sw_use_of(struct wf_sw_lower *l, uint32_t set, uint32_t binding);
struct wf_sw_pointer wf_sw_global_pointer(struct wf_sw_lower *l,
                                          const struct wf_shader_variable *global);
/// An input at the pixel's middle (or sample) or its centroid, however it is decorated.
uint32_t wf_sw_input_at(struct wf_sw_lower *l, uint32_t row, bool centroid);
uint32_t wf_sw_builtin_input(struct wf_sw_lower *l, uint32_t builtin, uint32_t component);
uint32_t wf_sw_input_value(struct wf_sw_lower *l, struct wf_sw_variable *v, uint32_t component);

// ---- lower_memory.c: access chains, loads, stores ----------------------------------------------
struct wf_sw_pointer wf_sw_pointer(struct wf_sw_lower *l, uint32_t id);
/// Remembers where an id points, and makes words of it where it may be used as a value.
void wf_sw_publish_pointer(struct wf_sw_lower *l, uint32_t id, const struct wf_sw_pointer *p);
void wf_sw_set_pointer(struct wf_sw_lower *l, uint32_t id, const struct wf_sw_pointer *p);
void wf_sw_load(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t *out,
                uint32_t count);
void wf_sw_store(struct wf_sw_lower *l, const struct wf_sw_pointer *p, const uint32_t *in,
                 uint32_t count);
/// A memory record for a pointer, and its operands.
uint32_t wf_sw_memory_record(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint64_t offset,
                             uint32_t *args, uint32_t *arg_count);
bool wf_sw_lower_memory(struct wf_sw_lower *l, const struct wf_shader_instruction *i);

// ---- the instruction families: true if the opcode is theirs ------------------------------------
bool wf_sw_lower_arithmetic(struct wf_sw_lower *l, const struct wf_shader_instruction *i);
bool wf_sw_lower_dot(struct wf_sw_lower *l, const struct wf_shader_instruction *i);
bool wf_sw_lower_convert(struct wf_sw_lower *l, const struct wf_shader_instruction *i);
bool wf_sw_lower_composite(struct wf_sw_lower *l, const struct wf_shader_instruction *i);
bool wf_sw_lower_atomic(struct wf_sw_lower *l, const struct wf_shader_instruction *i);
bool wf_sw_lower_image(struct wf_sw_lower *l, const struct wf_shader_instruction *i);
bool wf_sw_lower_group(struct wf_sw_lower *l, const struct wf_shader_instruction *i);
void wf_sw_lower_extended(struct wf_sw_lower *l, const struct wf_shader_instruction *i);

// ---- lower_arithmetic.c: floats of any width ---------------------------------------------------
/// `op`: WF_SW_IR_F... of 32 bits. Words: one, or low and high.
void wf_sw_float_un(struct wf_sw_lower *l, uint32_t op, uint32_t width, const uint32_t *a,
                    uint32_t *out);
void wf_sw_float_bin(struct wf_sw_lower *l, uint32_t op, uint32_t width, const uint32_t *a,
                     const uint32_t *b, uint32_t *out);
/// Floats in an array of words, `stride` of them apart.
struct wf_sw_floats {
    const uint32_t *words;
    uint32_t stride;
};

/// The sum of products of `n` pairs, in order.
void wf_sw_float_dot(struct wf_sw_lower *l, uint32_t width, struct wf_sw_floats a,
                     struct wf_sw_floats b, uint32_t n, uint32_t *out);
/// Words of a number from its zero-extended canonical form, sign-extended to 32 bits.
uint32_t wf_sw_sign_extend(struct wf_sw_lower *l, uint32_t value, uint32_t width);
/// 1 if `sum`, of `part` and something else, is too small for it, or if taking `part` from `sum`
/// borrows; else 0.
uint32_t wf_sw_carry(struct wf_sw_lower *l, uint32_t sum, uint32_t part);
/// Rounds what was computed with 32 bits to a float of 16.
uint32_t wf_sw_round(struct wf_sw_lower *l, uint32_t value, uint32_t width);
/// Keeps `width` bits.
uint32_t wf_sw_truncate(struct wf_sw_lower *l, uint32_t value, uint32_t width);

// ---- lower_image.c -----------------------------------------------------------------------------
void wf_sw_set_opaque(struct wf_sw_lower *l, uint32_t id, const struct wf_sw_opaque *o);
uint32_t wf_sw_image_atomic_at(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t op,
                               uint32_t value, uint32_t compare);

// ---- lower_flow.c ------------------------------------------------------------------------------
void wf_sw_lower_function(struct wf_sw_lower *l, struct wf_sw_frame *frame);
void wf_sw_lower_entry(struct wf_sw_lower *l);

// ---- lower.c -----------------------------------------------------------------------------------
void wf_sw_check_capabilities(struct wf_sw_lower *l);
void wf_sw_lower_instruction(struct wf_sw_lower *l, const struct wf_shader_instruction *i);

#endif
