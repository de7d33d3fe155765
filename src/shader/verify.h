/// Private to the reader: types of operands and results. An instruction that no rule here knows has
/// only had its operands' roles checked.
#ifndef WF_SHADER_VERIFY_H
#define WF_SHADER_VERIFY_H

#include "shader/reader.h"

/// A scalar or a vector of numbers or bools.
struct wf_shader_shape {
    uint8_t kind; ///< WF_SHADER_TYPE_BOOL, _INT or _FLOAT; WF_SHADER_TYPE_VOID: something else.
    uint32_t width;
    uint32_t count; ///< 1: scalar.
};

struct wf_shader_shape wf_shader_shape_of(const struct wf_shader_module *module, uint32_t id);

/// The type of the n-th operand after the result, or NULL if it has none (or is absent).
const struct wf_shader_type *wf_shader_operand_type(const struct wf_shader_reader *reader,
                                                    uint32_t at);

/// Fails about the n-th operand: "operand %12 must be ...".
bool wf_shader_fail_operand(struct wf_shader_reader *reader, uint32_t at, const char *wanted);
bool wf_shader_fail_result(struct wf_shader_reader *reader, const char *wanted);

/// Checks the result and the operands from `first` on against a signature. Its first letter is the
/// result, the others are operands; operands past its end are not looked at.
///   F I B: scalar or vector of float, int, bool    C O: int or bool scalar    U N: as u, n
///   Z: anything
///   r: the result's type    i: int, count and width as the result    j, f: int, float with the
///   result's count    =: the type of the operand before    w: int, count and width as the operand
///   before    s: a scalar of the result's component type    c: int scalar    h: float scalar
///   o: bool scalar    u: vector of four ints of 32 bits    n: scalar or vector of any kind
///   x: anything    p: pointer to the result's type
bool wf_shader_verify_signature(struct wf_shader_reader *reader, const char *signature,
                                uint32_t first);

// Each answers for the opcodes that it knows; `*known` tells whether it does.
bool wf_shader_verify_memory(struct wf_shader_reader *reader, bool *known);
bool wf_shader_verify_composite(struct wf_shader_reader *reader, bool *known);
bool wf_shader_verify_image(struct wf_shader_reader *reader, bool *known);
bool wf_shader_verify_ray(struct wf_shader_reader *reader, bool *known);
bool wf_shader_verify_extended(struct wf_shader_reader *reader);

#endif
