/// Private to the shader layer: working out constants.
#ifndef WF_SHADER_EVALUATE_H
#define WF_SHADER_EVALUATE_H

#include "shader/module.h"

static inline uint64_t wf_shader_width_mask(uint32_t width)
{
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

/// Whether OpSpecConstantOp of this operation is worked out.
bool wf_shader_can_evaluate(uint32_t opcode);

/// The value of OpSpecConstantOp `ins` of `type`, a scalar or a vector, from those of earlier
/// constants.
void wf_shader_evaluate_operation(const struct wf_shader_module *module,
                                  const struct wf_shader_instruction *ins,
                                  const struct wf_shader_type *type,
                                  const struct wf_shader_value *values,
                                  struct wf_shader_value *out);

/// The value that the module gives a constant, from those of earlier ones.
void wf_shader_evaluate(const struct wf_shader_module *module,
                        const struct wf_shader_constant *constant,
                        const struct wf_shader_value *values, struct wf_shader_value *out);

#endif
