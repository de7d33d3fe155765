/// What SPIR-V's grammar says: opcodes, operand kinds, names. The data is generated when the
/// library is built, by tools/gen/spirv_tables.py, from the grammar files of spirv-headers, and
/// unpacked when it is first asked for. All functions are thread-safe.
#ifndef WF_SHADER_TABLES_H
#define WF_SHADER_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Operand kinds that code names; tools/gen/spirv_tables.py has the same list. Other enumerations
/// follow.
enum wf_shader_kind {
    WF_SHADER_KIND_NONE,
    WF_SHADER_KIND_RESULT_TYPE,
    WF_SHADER_KIND_RESULT,
    WF_SHADER_KIND_ID,
    WF_SHADER_KIND_SEMANTICS,
    WF_SHADER_KIND_SCOPE,
    WF_SHADER_KIND_INTEGER,
    WF_SHADER_KIND_STRING,
    WF_SHADER_KIND_NUMBER, ///< As wide as the type that the context gives.
    WF_SHADER_KIND_EXT_INSTRUCTION,
    WF_SHADER_KIND_SPEC_OPCODE,
    WF_SHADER_KIND_FLOAT,
    WF_SHADER_KIND_NUMBER_ID, ///< Pairs of a literal and an id.
    WF_SHADER_KIND_ID_INTEGER,
    WF_SHADER_KIND_ID_ID,
    WF_SHADER_KIND_CAPABILITY,
    WF_SHADER_KIND_DECORATION,
    WF_SHADER_KIND_EXECUTION_MODE,
    WF_SHADER_KIND_EXECUTION_MODEL,
    WF_SHADER_KIND_STORAGE_CLASS,
    WF_SHADER_KIND_BUILTIN,
    WF_SHADER_KIND_DIM,
    WF_SHADER_KIND_IMAGE_FORMAT,
    WF_SHADER_KIND_IMAGE_OPERANDS,
    WF_SHADER_KIND_MEMORY_ACCESS,
    WF_SHADER_KIND_ADDRESSING_MODEL,
    WF_SHADER_KIND_MEMORY_MODEL,
    WF_SHADER_KIND_SOURCE_LANGUAGE,
};

/// The grammar's instruction classes that code asks for.
enum wf_shader_class {
    WF_SHADER_CLASS_OTHER,
    WF_SHADER_CLASS_DEBUG,
    WF_SHADER_CLASS_ANNOTATION,
    WF_SHADER_CLASS_EXTENSION,
    WF_SHADER_CLASS_MODE,
    WF_SHADER_CLASS_TYPE,
    WF_SHADER_CLASS_CONSTANT,
    WF_SHADER_CLASS_MEMORY,
    WF_SHADER_CLASS_FUNCTION,
    WF_SHADER_CLASS_IMAGE,
    WF_SHADER_CLASS_CONVERSION,
    WF_SHADER_CLASS_COMPOSITE,
    WF_SHADER_CLASS_ARITHMETIC,
    WF_SHADER_CLASS_BIT,
    WF_SHADER_CLASS_RELATIONAL,
    WF_SHADER_CLASS_DERIVATIVE,
    WF_SHADER_CLASS_CONTROL,
    WF_SHADER_CLASS_ATOMIC,
    WF_SHADER_CLASS_PRIMITIVE,
    WF_SHADER_CLASS_BARRIER,
    WF_SHADER_CLASS_GROUP,
    WF_SHADER_CLASS_NON_UNIFORM,
};

enum {
    WF_SHADER_OP_HAS_TYPE = 1,
    WF_SHADER_OP_HAS_ID = 2,
    WF_SHADER_OP_HAS_EXTENSION = 4, ///< An extension may bring it before its version.
};

/// One opcode. Offsets are for the functions below.
struct wf_shader_op {
    uint16_t opcode;
    uint16_t operands, capabilities;
    uint8_t version; ///< 0x13 is 1.3; 0: no version, only extensions.
    uint8_t group;   ///< enum wf_shader_class
    uint8_t flags;
};

/// One value or bit of an enumeration.
struct wf_shader_enumerant {
    uint16_t value; ///< Of a bit enumeration: the bit's number.
    uint16_t operands, implies;
};

/// How often an operand appears.
enum wf_shader_quantity { WF_SHADER_ONE, WF_SHADER_OPTIONAL, WF_SHADER_VARIADIC };

/// A position in a list of operands; see wf_shader_pattern_next().
struct wf_shader_pattern {
    const uint8_t *at, *end;
};

/// NULL: no such opcode.
const struct wf_shader_op *wf_shader_op(uint32_t opcode);
/// Without the "Op" before it; "?" for NULL.
const char *wf_shader_op_name(const struct wf_shader_op *op);
struct wf_shader_pattern wf_shader_op_pattern(const struct wf_shader_op *op);
/// Capabilities of which one is needed; `*count` 0: none is.
const uint16_t *wf_shader_op_capabilities(const struct wf_shader_op *op, uint32_t *count);

/// Steps to the next operand; false at the end.
bool wf_shader_pattern_next(struct wf_shader_pattern *pattern, uint8_t *kind,
                            enum wf_shader_quantity *quantity);

bool wf_shader_kind_is_bits(uint8_t kind);
bool wf_shader_kind_is_values(uint8_t kind);
const char *wf_shader_kind_name(uint8_t kind);

/// The enumerant of this value (of a bit enumeration: this bit's number), or NULL.
const struct wf_shader_enumerant *wf_shader_enumerant(uint8_t kind, uint32_t value);
const char *wf_shader_enumerant_name(const struct wf_shader_enumerant *enumerant);
struct wf_shader_pattern wf_shader_enumerant_pattern(const struct wf_shader_enumerant *enumerant);
/// Of a capability: those that it brings with it.
const uint16_t *wf_shader_capability_implies(const struct wf_shader_enumerant *capability,
                                             uint32_t *count);
/// The name of a value of an enumeration, or "?".
const char *wf_shader_value_name(uint8_t kind, uint32_t value);

/// GLSL.std.450: whether there is such an instruction, and its count of operand ids.
bool wf_shader_glsl_has(uint32_t number, uint32_t *operands);
/// The instruction's name, or NULL.
const char *wf_shader_glsl_name(uint32_t number);
/// NonSemantic.Shader.DebugInfo.100: the instruction's name, or NULL.
const char *wf_shader_debug_name(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
