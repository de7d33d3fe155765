/// The shader layer: SPIR-V 1.0 to 1.6 in, a checked and indexed module out. Core matches pipelines
/// against it (reflect.h, check.h); backends compile from it. It knows no device, no resource and
/// no backend.
///
/// A module that wf_shader_read() accepted keeps these promises, so that what walks it need not
/// check them again:
/// - every instruction lies inside the module, has its grammar's operands, and every id in it is
///   below `bound`, is defined once, and has the role (type, value, label, function ...) that its
///   place asks for;
/// - a value is defined before its use, except by OpPhi, in the same function, and its block
///   dominates the use's;
/// - types nest at most WF_SHADER_MAX_TYPE_DEPTH deep; only pointers close cycles;
/// - each block has one terminator, its last instruction; branch targets are blocks of the same
///   function; merge instructions stand right before their branch; the call graph has no cycle.
#ifndef WF_SHADER_MODULE_H
#define WF_SHADER_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <spirv/unified1/spirv.h>

#ifdef __cplusplus
extern "C" {
#endif

struct wf_base_allocator;

/// "No id", "no number", "not decorated".
#define WF_SHADER_NONE UINT32_MAX

// Limits on what is read. A module beyond one is refused by name; memory and time stay linear in
// its size.
#define WF_SHADER_MAX_BYTES      (64u << 20) ///< Of a module.
#define WF_SHADER_MAX_BOUND      4194303u ///< SPIR-V's universal limit; also see WF_SHADER_BOUND_SLACK.
#define WF_SHADER_BOUND_SLACK    65536u ///< Bound may be this, or four times the module's words.
#define WF_SHADER_MAX_TYPE_DEPTH 64u    ///< Of nested arrays and structures.
#define WF_SHADER_MAX_MEMBERS    16383u ///< Of one structure.
#define WF_SHADER_MAX_FUNCTIONS  65535u ///< Of a module.
#define WF_SHADER_MAX_PARAMETERS 255u   ///< Of one function.
#define WF_SHADER_MAX_GLOBALS    65535u ///< Module-scope variables.
#define WF_SHADER_DECORATION_SLACK                                                                 \
    65536u ///< Decorations, groups applied, may be this and the module's words.
#define WF_SHADER_MAX_STRING     65535u ///< Bytes of one literal string.
#define WF_SHADER_MAX_ENTRIES    256u   ///< Entry points.
#define WF_SHADER_MAX_CALL_DEPTH 256u   ///< Of nested function calls.

/// Why a module was refused, and where.
struct wf_shader_error {
    uint32_t word;     ///< Offset of the instruction's first word; 0: the header or the whole.
    uint16_t opcode;   ///< SpvOp of that instruction; 0 for the header.
    char message[256]; ///< Whole sentence: place, opcode's name, rule. UTF-8, always terminated.
    char file[128];    ///< Source file from debug information; empty if unknown.
    uint32_t line;     ///< 1-based; 0: unknown.
    uint32_t column;
    bool out_of_memory; ///< It was not refused: there was no memory to read it.
};

/// What an id stands for.
enum wf_shader_role {
    WF_SHADER_ROLE_NONE, ///< Not defined.
    WF_SHADER_ROLE_TYPE,
    WF_SHADER_ROLE_CONSTANT, ///< A value known before execution, OpUndef at module scope included.
    WF_SHADER_ROLE_VARIABLE, ///< At module scope. Variables of functions are values.
    WF_SHADER_ROLE_VALUE,    ///< The result of an instruction in a function, parameters included.
    WF_SHADER_ROLE_FUNCTION,
    WF_SHADER_ROLE_LABEL,
    WF_SHADER_ROLE_STRING,
    WF_SHADER_ROLE_EXT_IMPORT, ///< OpExtInstImport.
    WF_SHADER_ROLE_OTHER,      ///< Decoration groups, non-semantic debug records.
};

/// Where an id is defined. `ids[0]` and holes are all zero.
struct wf_shader_id {
    uint32_t word;  ///< Offset of the defining instruction.
    uint32_t type;  ///< Its type's id; 0: it has none.
    uint32_t index; ///< Into types, constants, variables, functions or blocks, by role. Of a value:
                    ///< its block.
    uint32_t function; ///< Index of the owning function + 1; 0: module scope. For parameters and
                       ///< body only.
    uint16_t opcode;
    uint8_t role; ///< enum wf_shader_role
};

enum wf_shader_type_kind {
    WF_SHADER_TYPE_VOID,
    WF_SHADER_TYPE_BOOL,
    WF_SHADER_TYPE_INT,
    WF_SHADER_TYPE_FLOAT,
    WF_SHADER_TYPE_VECTOR,
    WF_SHADER_TYPE_MATRIX,
    WF_SHADER_TYPE_ARRAY,
    WF_SHADER_TYPE_RUNTIME_ARRAY,
    WF_SHADER_TYPE_STRUCT,
    WF_SHADER_TYPE_POINTER,
    WF_SHADER_TYPE_FUNCTION,
    WF_SHADER_TYPE_IMAGE,
    WF_SHADER_TYPE_SAMPLER,
    WF_SHADER_TYPE_SAMPLED_IMAGE,
    WF_SHADER_TYPE_ACCELERATION_STRUCTURE,
    WF_SHADER_TYPE_RAY_QUERY,
    WF_SHADER_TYPE_OTHER, ///< Events, pipes, opaque: only Kernel modules have them.
};

/// One structure member with its layout decorations.
struct wf_shader_member {
    uint32_t type;
    uint32_t offset;        ///< WF_SHADER_NONE: no explicit layout.
    uint32_t matrix_stride; ///< 0: none.
    uint32_t builtin;       ///< SpvBuiltIn or WF_SHADER_NONE.
    uint32_t location, component;
    uint64_t size; ///< Bytes by layout, matrices included; a runtime array counts as 0.
    bool row_major;
    bool non_writable, non_readable;
    bool flat, no_perspective, centroid, sample, patch; ///< Of interface blocks.
    bool per_primitive;
    const char *name; ///< Never NULL; "" if stripped.
};

struct wf_shader_type {
    uint32_t id;
    uint8_t kind;  ///< enum wf_shader_type_kind
    uint8_t depth; ///< 1 for scalars and pointers, 1 + deepest part for others.
    bool is_signed;
    bool block, buffer_block; ///< Structure decorated Block or BufferBlock.
    uint32_t width;           ///< Bits of an int or float.
    uint32_t component;       ///< Vector: scalar. Matrix: column. Array: element. Pointer: pointee.
                              ///< Image: sampled type. Sampled image: image. Function: result.
    uint32_t count;     ///< Vector components, matrix columns, array elements (spec constant: its
                        ///< default), structure members, function parameters. Runtime array: 0.
    uint32_t length_id; ///< Array: the constant that gives the length.
    uint32_t stride;    ///< ArrayStride of an array or pointer; 0: none.
    uint32_t storage;   ///< Pointer: SpvStorageClass.
    /// End of the last byte by explicit layout, scalars natural, pointers 8, bools 4, opaque things
    /// 0. A runtime array counts as 0. Saturates at UINT64_MAX. Matrices: columns tightly packed;
    /// see wf_shader_member.size for decorated ones.
    uint64_t size;
    uint64_t leaves; ///< Scalars in it, flattened; opaque things and pointers count as 1. Saturates
                     ///< at UINT64_MAX.
    const struct wf_shader_member *members; ///< Structure, `count` of them.
    const uint32_t *parameters;             ///< Function: type ids, `count` of them.
    struct {
        uint32_t dim;                                  ///< SpvDim
        uint32_t format;                               ///< SpvImageFormat
        uint8_t depth, arrayed, multisampled, sampled; ///< As in OpTypeImage.
    } image;
};

/// A module-scope constant. Composite parts are in the instruction: see
/// wf_shader_at(constant.word).
struct wf_shader_constant {
    uint32_t id, type, word;
    uint16_t opcode;
    bool spec;              ///< Its value may depend on specialization.
    bool is_workgroup_size; ///< Decorated BuiltIn WorkgroupSize.
    uint32_t spec_id;       ///< SpecId of a scalar, or WF_SHADER_NONE.
    uint64_t value; ///< Scalar: bits, zero-extended from its width; bool 0 or 1. Null: 0. Default
                    ///< if spec.
};

/// A module-scope OpVariable.
struct wf_shader_variable {
    uint32_t id, word;
    uint32_t pointer_type, type; ///< `type` is the pointee.
    uint32_t storage;            ///< SpvStorageClass
    uint32_t initializer;        ///< Constant's or variable's id, 0: none.
    uint32_t set, binding;       ///< These and the next: WF_SHADER_NONE if not decorated.
    uint32_t location, component, index;
    uint32_t builtin; ///< SpvBuiltIn. Block members carry their own.
    uint32_t input_attachment;
    bool flat, no_perspective, centroid, sample, patch, invariant, per_primitive;
    bool non_writable, non_readable, coherent, is_volatile, restrict_pointer, aliased;
    const char *name; ///< Never NULL.
};

/// One block of a function. Instructions are [first, terminator], the merge instruction included.
struct wf_shader_block {
    uint32_t label;                       ///< Id.
    uint32_t word;                        ///< Of OpLabel.
    uint32_t first;                       ///< Of the first instruction after OpLabel.
    uint32_t terminator;                  ///< Of the branch, return, kill or unreachable.
    uint32_t end;                         ///< After the terminator.
    uint32_t merge;                       ///< Word of OpSelectionMerge or OpLoopMerge; 0: none.
    uint32_t merge_label, continue_label; ///< Ids; 0: none. `continue_label` marks a loop header.
    bool reachable;                       ///< From the function's entry.
};

struct wf_shader_function {
    uint32_t id, word;
    uint32_t end;               ///< After OpFunctionEnd.
    uint32_t type, result;      ///< Function type's and result type's ids.
    uint32_t control;           ///< SpvFunctionControlMask
    const uint32_t *parameters; ///< Ids.
    uint32_t parameter_count;
    uint32_t first_block,
        block_count; ///< In module->blocks; the first is the entry. None: an import (refused).
};

/// Execution modes that shaders use. Values of some modes are in wf_shader_entry.
enum wf_shader_mode {
    WF_SHADER_MODE_ORIGIN_UPPER_LEFT = 1 << 0,
    WF_SHADER_MODE_ORIGIN_LOWER_LEFT = 1 << 1,
    WF_SHADER_MODE_PIXEL_CENTER_INTEGER = 1 << 2,
    WF_SHADER_MODE_EARLY_FRAGMENT_TESTS = 1 << 3,
    WF_SHADER_MODE_DEPTH_REPLACING = 1 << 4,
    WF_SHADER_MODE_DEPTH_GREATER = 1 << 5,
    WF_SHADER_MODE_DEPTH_LESS = 1 << 6,
    WF_SHADER_MODE_DEPTH_UNCHANGED = 1 << 7,
    WF_SHADER_MODE_STENCIL_REPLACING = 1 << 8,
    WF_SHADER_MODE_POST_DEPTH_COVERAGE = 1 << 9,
    WF_SHADER_MODE_LOCAL_SIZE = 1 << 10,
    WF_SHADER_MODE_LOCAL_SIZE_ID = 1 << 11,
    WF_SHADER_MODE_XFB = 1 << 12,
    WF_SHADER_MODE_CONTRACTION_OFF = 1 << 13,
    WF_SHADER_MODE_SIGNED_ZERO_INF_NAN = 1 << 14,
    WF_SHADER_MODE_DENORM_PRESERVE = 1 << 15,
    WF_SHADER_MODE_DENORM_FLUSH = 1 << 16,
    WF_SHADER_MODE_DERIVATIVE_QUADS = 1 << 17,
    WF_SHADER_MODE_DERIVATIVE_LINEAR = 1 << 18,
    WF_SHADER_MODE_OUTPUT_POINTS = 1 << 19, ///< These three: of mesh shaders.
    WF_SHADER_MODE_OUTPUT_LINES = 1 << 20,
    WF_SHADER_MODE_OUTPUT_TRIANGLES = 1 << 21,
};

struct wf_shader_entry {
    uint32_t model; ///< SpvExecutionModel
    const char *name;
    uint32_t function; ///< Id.
    uint32_t word;
    const uint32_t *interface_ids;
    uint32_t interface_count;
    uint32_t modes; ///< enum wf_shader_mode bits.
    uint32_t
        local_size[3]; ///< LocalSize, or the defaults of LocalSizeId; 1 if not given. BuiltIn
                       ///< WorkgroupSize overrides both: wf_shader_workgroup_size() settles it.
    uint32_t local_size_id[3];                   ///< LocalSizeId's constants; 0: none.
    uint32_t output_vertices, output_primitives; ///< 0: not given.
};

/// A decoration, groups already applied.
struct wf_shader_decoration {
    uint32_t target;
    uint32_t member; ///< WF_SHADER_NONE: the id itself.
    uint32_t kind;   ///< SpvDecoration
    uint32_t word;   ///< Of its first extra operand in module->words.
    uint32_t count;  ///< Words of extra operands.
};

/// From here to the next record's word, instructions come from this place.
struct wf_shader_line {
    uint32_t word;
    uint32_t file; ///< Id of an OpString; 0: no line information from here.
    uint32_t line, column;
};

struct wf_shader_import {
    uint32_t id;
    const char *name;
    bool non_semantic; ///< Its instructions may be skipped.
    bool glsl;         ///< GLSL.std.450
    bool debug_info;   ///< NonSemantic.Shader.DebugInfo.100
};

/// A checked module. Everything lives as long as the module; nothing in it changes, so threads may
/// share it.
struct wf_shader_module {
    const uint32_t *words; ///< Native byte order, header included.
    uint32_t word_count;
    uint32_t bound;
    uint32_t version; ///< Like the header: 0x00010500 is 1.5.
    uint32_t generator;
    uint32_t addressing, memory; ///< SpvAddressingModel, SpvMemoryModel
    uint32_t workgroup_size_id;  ///< Constant decorated BuiltIn WorkgroupSize; 0: none.
    uint32_t first_function;     ///< Word of the first OpFunction, word_count if none.

    const struct wf_shader_id *ids; ///< `bound` of them.
    const uint32_t *capabilities;   ///< SpvCapability
    const char *const *extensions;
    const struct wf_shader_import *imports;
    const struct wf_shader_entry *entries;
    const struct wf_shader_type *types;
    const struct wf_shader_constant *constants; ///< In order of definition.
    const struct wf_shader_variable *variables;
    const struct wf_shader_function *functions;
    const struct wf_shader_block *blocks;
    const struct wf_shader_decoration *decorations; ///< Sorted by target.
    const struct wf_shader_line *lines;             ///< Sorted by word.
    uint32_t capability_count, extension_count, import_count, entry_count, type_count,
        constant_count;
    uint32_t variable_count, function_count, block_count, decoration_count, line_count;

    struct wf_shader_storage *storage; ///< Private.
};

/// Reads and checks `bytes` bytes of SPIR-V in either byte order. On failure `*out` is NULL and
/// `*error` says why (`error` may be NULL). The words are copied. Any bytes are safe to pass;
/// `words` need only be readable.
bool wf_shader_read(const struct wf_base_allocator *allocator, const uint32_t *words, size_t bytes,
                    struct wf_shader_module **out, struct wf_shader_error *error);

/// NULL is ignored.
void wf_shader_free(struct wf_shader_module *module);

/// One instruction, decoded as far as its operands' start.
struct wf_shader_instruction {
    const uint32_t *words;    ///< All of it, first word included.
    const uint32_t *operands; ///< After the result type and the result id.
    uint32_t word;            ///< Offset in the module.
    uint32_t type, id;        ///< 0: none.
    uint16_t opcode;
    uint16_t count;         ///< Words, first one included.
    uint16_t operand_count; ///< Words in `operands`.
};

/// The instruction that starts at `word` (a word that came from the module's tables).
struct wf_shader_instruction wf_shader_at(const struct wf_shader_module *module, uint32_t word);

/// Reads the instruction at `*word` and steps past it; false at `end`.
///     for (uint32_t at = block->first; wf_shader_next(module, &at, block->end, &ins);)
bool wf_shader_next(const struct wf_shader_module *module, uint32_t *word, uint32_t end,
                    struct wf_shader_instruction *out);

/// The type with this id, or NULL.
const struct wf_shader_type *wf_shader_type(const struct wf_shader_module *module, uint32_t id);
/// The type of the value with this id, or NULL.
const struct wf_shader_type *wf_shader_type_of(const struct wf_shader_module *module, uint32_t id);
const struct wf_shader_constant *wf_shader_constant(const struct wf_shader_module *module,
                                                    uint32_t id);
const struct wf_shader_variable *wf_shader_variable(const struct wf_shader_module *module,
                                                    uint32_t id);
const struct wf_shader_function *wf_shader_function(const struct wf_shader_module *module,
                                                    uint32_t id);
const struct wf_shader_block *wf_shader_block(const struct wf_shader_module *module,
                                              uint32_t label);
const struct wf_shader_import *wf_shader_import(const struct wf_shader_module *module, uint32_t id);
/// The entry point of this name and SpvExecutionModel; a NULL name is the first of that model.
const struct wf_shader_entry *wf_shader_entry(const struct wf_shader_module *module, uint32_t model,
                                              const char *name);
bool wf_shader_has_capability(const struct wf_shader_module *module, uint32_t capability);

/// The id's OpName, or "".
const char *wf_shader_name(const struct wf_shader_module *module, uint32_t id);
/// The text of an OpString, or "".
const char *wf_shader_string(const struct wf_shader_module *module, uint32_t id);

/// All decorations of an id, its members' too.
const struct wf_shader_decoration *wf_shader_decorations(const struct wf_shader_module *module,
                                                         uint32_t id, uint32_t *count);
/// One decoration of an id (member WF_SHADER_NONE) or of a member of a structure type; NULL if it
/// has none.
const struct wf_shader_decoration *wf_shader_decoration(const struct wf_shader_module *module,
                                                        uint32_t id, uint32_t member,
                                                        uint32_t kind);
/// The decoration's first extra operand, or WF_SHADER_NONE if it is absent.
uint32_t wf_shader_decoration_value(const struct wf_shader_module *module, uint32_t id,
                                    uint32_t member, uint32_t kind);

/// Where the instruction at `word` came from; NULL if nothing says so.
const struct wf_shader_line *wf_shader_line(const struct wf_shader_module *module, uint32_t word);

/// A host's value for a specialization constant.
struct wf_shader_specialization {
    uint32_t id;    ///< SpecId.
    uint64_t value; ///< Bits; only the constant's width is used. Bool: zero or not.
};

/// The value of a scalar or vector constant; bits zero-extended from the component's width. Of an
/// array, a structure or a matrix it is zero: walk the parts that its instruction names.
struct wf_shader_value {
    uint64_t component[4];
};

/// Works out every scalar and vector constant for these specializations (unknown ids are ignored),
/// OpSpecConstantOp included, into `values` (constant_count of them, by index). An integer division
/// by zero is 0. Cost: constants times `given_count`.
void wf_shader_specialize(const struct wf_shader_module *module,
                          const struct wf_shader_specialization *given, uint32_t given_count,
                          struct wf_shader_value *values);

/// The workgroup size of an entry point, given the values of wf_shader_specialize() (NULL:
/// defaults).
void wf_shader_workgroup_size(const struct wf_shader_module *module,
                              const struct wf_shader_entry *entry,
                              const struct wf_shader_value *values, uint32_t out[3]);

#ifdef __cplusplus
}
#endif

#endif
