#include "shader/disasm.h"

#include "base/half.h"
#include "base/text.h"
#include "shader/operands.h"
#include "shader/tables.h"

#include <math.h>
#include <string.h>

enum { RESULT_COLUMN = 15 };

static bool is_plain(const char *name)
{
    if (*name == '\0')
        return false;
    for (const char *c = name; *c; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        if (!letter && !(*c >= '0' && *c <= '9' && c != name))
            return false;
    }
    return true;
}

static void write_id(const struct wf_shader_module *module, uint32_t id, struct wf_base_text *out)
{
    const char *name = wf_shader_name(module, id);
    if (is_plain(name))
        wf_base_text_format(out, "%%%s_%u", name, id);
    else
        wf_base_text_format(out, "%%%u", id);
}

static void write_string(const uint32_t *words, uint32_t count, struct wf_base_text *out)
{
    wf_base_text_append_char(out, '"');
    for (uint32_t i = 0; i < count * 4; i++) {
        const char c = (char)(words[i / 4] >> i % 4 * 8 & 0xFF);
        if (c == '\0')
            break;
        if (c == '"' || c == '\\')
            wf_base_text_append_char(out, '\\');
        // Listings go to terminals: no escape sequences from a module.
        const bool control = (unsigned char)c < 0x20 && c != '\n' && c != '\t';
        wf_base_text_append_char(out, (char)(control || c == 0x7F ? '?' : c));
    }
    wf_base_text_append_char(out, '"');
}

static void write_float(double value, int digits, struct wf_base_text *out)
{
    // Not decimal where that would not read back: infinities and NaN.
    if (isfinite(value))
        wf_base_text_format(out, "%.*g", digits, value);
    else
        wf_base_text_append(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static void write_number(const struct wf_shader_type *type, const uint32_t *words,
                         struct wf_base_text *out)
{
    const uint64_t bits = words[0] | (type && type->width > 32 ? (uint64_t)words[1] << 32 : 0);
    if (!type || (type->kind != WF_SHADER_TYPE_FLOAT && !type->is_signed)) {
        wf_base_text_format(out, "%llu", (unsigned long long)bits);
    } else if (type->kind != WF_SHADER_TYPE_FLOAT) {
        wf_base_text_format(out, "%lld",
                            type->width > 32 ? (long long)bits : (long long)(int32_t)words[0]);
    } else if (type->width == 16) {
        write_float(wf_base_half_to_float((uint16_t)bits), 5, out);
    } else if (type->width == 32) {
        float value;
        memcpy(&value, words, sizeof value);
        write_float(value, 9, out);
    } else {
        double value;
        memcpy(&value, &bits, sizeof value);
        write_float(value, 17, out);
    }
}

static void write_bits(uint8_t kind, uint32_t value, struct wf_base_text *out)
{
    if (value == 0)
        wf_base_text_append(out, "None");
    const char *separator = "";
    for (uint32_t bit = 0; bit < 32; bit++) {
        if ((value >> bit & 1) == 0)
            continue;
        wf_base_text_format(out, "%s%s", separator, wf_shader_value_name(kind, bit));
        separator = "|";
    }
}

static void write_extended(const struct wf_shader_module *module, uint32_t set, uint32_t number,
                           struct wf_base_text *out)
{
    const struct wf_shader_import *import = wf_shader_import(module, set);
    const char *name = NULL;
    if (import && import->glsl)
        name = wf_shader_glsl_name(number);
    else if (import && import->debug_info)
        name = wf_shader_debug_name(number);
    if (name)
        wf_base_text_append(out, name);
    else
        wf_base_text_format(out, "%u", number);
}

/// The type of a context-dependent literal.
static const struct wf_shader_type *literal_type(const struct wf_shader_module *module,
                                                 const struct wf_shader_instruction *ins)
{
    return ins->opcode == SpvOpSwitch ? wf_shader_type_of(module, ins->words[1])
                                      : wf_shader_type(module, ins->type);
}

static void write_operand(const struct wf_shader_module *module,
                          const struct wf_shader_instruction *ins,
                          const struct wf_shader_operand *operand, struct wf_base_text *out)
{
    const uint32_t *at = ins->words + operand->at;
    switch (operand->kind) {
    case WF_SHADER_KIND_RESULT_TYPE:
    case WF_SHADER_KIND_ID:
    case WF_SHADER_KIND_SCOPE:
    case WF_SHADER_KIND_SEMANTICS:
        write_id(module, *at, out);
        break;
    case WF_SHADER_KIND_STRING:
        write_string(at, operand->words, out);
        break;
    case WF_SHADER_KIND_NUMBER:
        write_number(literal_type(module, ins), at, out);
        break;
    case WF_SHADER_KIND_EXT_INSTRUCTION:
        write_extended(module, ins->operands[0], *at, out);
        break;
    case WF_SHADER_KIND_SPEC_OPCODE:
        wf_base_text_append(out, wf_shader_op_name(wf_shader_op(*at)));
        break;
    default:
        if (wf_shader_kind_is_bits(operand->kind))
            write_bits(operand->kind, *at, out);
        else if (wf_shader_kind_is_values(operand->kind))
            wf_base_text_append(out, wf_shader_value_name(operand->kind, *at));
        else
            wf_base_text_format(out, "%u", *at);
        break;
    }
}

void wf_shader_disassemble_at(const struct wf_shader_module *module, uint32_t word,
                              struct wf_base_text *out)
{
    const struct wf_shader_instruction ins = wf_shader_at(module, word);
    const struct wf_shader_op *op = wf_shader_op(ins.opcode);
    if (ins.id != 0) {
        const size_t start = out->size;
        write_id(module, ins.id, out);
        for (size_t width = out->size - start; width < RESULT_COLUMN; width++)
            wf_base_text_append_char(out, ' ');
        wf_base_text_append(out, " = ");
    } else {
        wf_base_text_format(out, "%*s", RESULT_COLUMN + 3, "");
    }
    wf_base_text_format(out, "Op%s", wf_shader_op_name(op));
    if (!op)
        return;
    struct wf_shader_operands walk;
    struct wf_shader_operand operand;
    wf_shader_operands_start(&walk, module, &ins, op);
    while (wf_shader_operand_next(&walk, &operand) > 0) {
        if (operand.kind == WF_SHADER_KIND_RESULT)
            continue;
        wf_base_text_append_char(out, ' ');
        write_operand(module, &ins, &operand, out);
    }
}

void wf_shader_disassemble(const struct wf_shader_module *module, struct wf_base_text *out)
{
    wf_base_text_format(out, "; SPIR-V %u.%u, generator 0x%08x, bound %u\n",
                        module->version >> 16 & 0xFF, module->version >> 8 & 0xFF,
                        module->generator, module->bound);
    struct wf_shader_instruction ins;
    for (uint32_t word = 5; wf_shader_next(module, &word, module->word_count, &ins);) {
        wf_shader_disassemble_at(module, ins.word, out);
        wf_base_text_append_char(out, '\n');
    }
}
