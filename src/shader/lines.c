// Source lines: OpLine, and DebugLine of NonSemantic.Shader.DebugInfo.100.
#include "shader/reader.h"

enum { DEBUG_SOURCE = 35, DEBUG_LINE = 103, DEBUG_NO_LINE = 104 };

static void push(struct wf_shader_reader *reader, uint32_t file, uint32_t line, uint32_t column)
{
    reader->lines[reader->module->line_count++] = (struct wf_shader_line){
        .word = reader->ins.word,
        .file = file,
        .line = line,
        .column = column,
    };
    reader->line_is_set = file != 0;
}

void wf_shader_end_line(struct wf_shader_reader *reader)
{
    if (!reader->line_is_set)
        return;
    push(reader, 0, 0, 0);
    // The terminator itself is still covered.
    reader->lines[reader->module->line_count - 1].word += reader->ins.count;
}

/// A number in debug information is the id of a constant.
static uint32_t number(const struct wf_shader_reader *reader, uint32_t id)
{
    const struct wf_shader_constant *constant = wf_shader_constant(reader->module, id);
    return constant ? (uint32_t)constant->value : 0;
}

/// The OpString that a DebugSource names.
static uint32_t source_file(const struct wf_shader_reader *reader, uint32_t id)
{
    if (id >= reader->module->bound || reader->ids[id].opcode != SpvOpExtInst)
        return 0;
    const struct wf_shader_instruction source = wf_shader_at(reader->module, reader->ids[id].word);
    if (source.operand_count < 3 || source.operands[1] != DEBUG_SOURCE)
        return 0;
    const uint32_t file = source.operands[2];
    return file < reader->module->bound && reader->ids[file].role == WF_SHADER_ROLE_STRING ? file
                                                                                           : 0;
}

bool wf_shader_read_line(struct wf_shader_reader *reader)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    const uint32_t *operands = ins->operands;
    if (ins->opcode == SpvOpLine) {
        push(reader, operands[0], operands[1], operands[2]);
    } else if (ins->opcode == SpvOpNoLine) {
        push(reader, 0, 0, 0);
    } else if (ins->opcode == SpvOpExtInst) {
        const struct wf_shader_import *import = wf_shader_import(reader->module, operands[0]);
        if (!import || !import->debug_info)
            return true;
        if (operands[1] == DEBUG_LINE && ins->operand_count >= 6)
            push(reader, source_file(reader, operands[2]), number(reader, operands[3]),
                 number(reader, operands[5]));
        else if (operands[1] == DEBUG_NO_LINE)
            push(reader, 0, 0, 0);
    }
    return true;
}
