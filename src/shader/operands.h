/// Walks the operands of one instruction as the grammar has them: operands of enumeration values
/// (decorations, memory access, image operands ...), of OpSpecConstantOp's operation and of
/// OpSwitch's cases included.
#ifndef WF_SHADER_OPERANDS_H
#define WF_SHADER_OPERANDS_H

#include "shader/module.h"
#include "shader/tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One operand. Pairs come as their two parts.
struct wf_shader_operand {
    uint8_t kind;     ///< enum wf_shader_kind, or a further enumeration of the grammar.
    uint8_t position; ///< Among the opcode's own operands in the grammar, result type and result
                      ///< included.
    bool nested;      ///< It belongs to an enumeration value or to OpSpecConstantOp's operation.
    uint16_t at;      ///< Word in the instruction.
    uint16_t words;
};

/// The walk. Needs module->ids of types and values met earlier, for the width of literals.
struct wf_shader_operands {
    const struct wf_shader_module *module;
    const struct wf_shader_instruction *instruction;
    struct wf_shader_pattern pattern[3]; ///< [0] is the opcode's own.
    uint32_t bits[3]; ///< Bits whose operands are still to come after pattern[n].
    uint8_t bits_kind[3];
    uint8_t depth;
    uint8_t position;
    uint8_t repeat; ///< Kind of the variadic operand being repeated, 0: none.
    uint8_t second; ///< Kind of a pair's second part, if that is next.
    uint16_t at;
    char problem[96]; ///< Why wf_shader_operand_next() answered -1.
};

void wf_shader_operands_start(struct wf_shader_operands *walk,
                              const struct wf_shader_module *module,
                              const struct wf_shader_instruction *instruction,
                              const struct wf_shader_op *op);

/// 1: `*out` is the next operand; 0: there are no more, and no words are left; -1: the instruction
/// breaks its grammar.
int wf_shader_operand_next(struct wf_shader_operands *walk, struct wf_shader_operand *out);

/// Words of a literal of this type: 1 or 2; 0 if it is no int or float type.
uint32_t wf_shader_literal_words(const struct wf_shader_module *module, uint32_t type);

/// Length of a literal string of at most `words` words; UINT32_MAX if it does not end there.
uint32_t wf_shader_string_length(const uint32_t *at, uint32_t words);

#ifdef __cplusplus
}
#endif

#endif
