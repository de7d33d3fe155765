/// Listings of modules for people, much like spirv-dis: `%color_12 = OpLoad %v4float_7 %uv_9`. An
/// id is its number, with its name before it if it has one.
#ifndef WF_SHADER_DISASM_H
#define WF_SHADER_DISASM_H

#include "shader/module.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_base_text;

/// Appends the whole module: comments with the header's fields, then one line per instruction.
void wf_shader_disassemble(const struct wf_shader_module *module, struct wf_base_text *out);

/// Appends the instruction at `word`, without a line's end.
void wf_shader_disassemble_at(const struct wf_shader_module *module, uint32_t word,
                              struct wf_base_text *out);

#ifdef __cplusplus
}
#endif

#endif
