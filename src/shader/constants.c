// Constants: declarations, and the values of all of them for given specializations.
#include "shader/evaluate.h"
#include "shader/reader.h"

#include <stdio.h>

static bool is_scalar(const struct wf_shader_type *type)
{
    return type->kind == WF_SHADER_TYPE_BOOL || type->kind == WF_SHADER_TYPE_INT ||
           type->kind == WF_SHADER_TYPE_FLOAT;
}

/// A literal's bits, zero-extended from the type's width (narrow signed ones are sign-extended in
/// the module).
static uint64_t literal(const struct wf_shader_type *type, const uint32_t *words)
{
    if (type->width > 32)
        return words[0] | (uint64_t)words[1] << 32;
    return words[0] & wf_shader_width_mask(type->width);
}

static bool check_composite(struct wf_shader_reader *reader, const struct wf_shader_type *type)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_instruction *ins = &reader->ins;
    const bool composite =
        type->kind == WF_SHADER_TYPE_VECTOR || type->kind == WF_SHADER_TYPE_MATRIX ||
        type->kind == WF_SHADER_TYPE_ARRAY || type->kind == WF_SHADER_TYPE_STRUCT;
    if (!composite || type->count != ins->operand_count)
        return wf_shader_fail(reader, "%u parts do not make its type %%%u", ins->operand_count,
                              type->id);
    for (uint32_t i = 0; i < type->count; i++) {
        const uint32_t wanted =
            type->kind == WF_SHADER_TYPE_STRUCT ? type->members[i].type : type->component;
        if (module->ids[ins->operands[i]].type != wanted)
            return wf_shader_fail(reader, "part %%%u is not of type %%%u", ins->operands[i],
                                  wanted);
    }
    return true;
}

/// Whether the declaration fits its type. OpSpecConstantOp: see read_operation().
static bool check_type(struct wf_shader_reader *reader, const struct wf_shader_type *type)
{
    bool fits = true;
    switch (reader->ins.opcode) {
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
        fits = type->kind == WF_SHADER_TYPE_BOOL;
        break;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        fits = type->kind == WF_SHADER_TYPE_INT || type->kind == WF_SHADER_TYPE_FLOAT;
        break;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite:
        return check_composite(reader, type);
    case SpvOpConstantNull:
    case SpvOpUndef:
        fits = type->kind != WF_SHADER_TYPE_VOID && type->kind != WF_SHADER_TYPE_FUNCTION &&
               type->kind != WF_SHADER_TYPE_RUNTIME_ARRAY;
        break;
    case SpvOpSpecConstantOp:
        break;
    default:
        return wf_shader_fail(reader, "such constants are not for shaders");
    }
    return fits || wf_shader_fail(reader, "its type %%%u does not fit", type->id);
}

/// OpSpecConstantOp: its operation is checked like the instruction in a function.
static bool check_operation(struct wf_shader_reader *reader, const struct wf_shader_type *type)
{
    const struct wf_shader_instruction whole = reader->ins;
    const uint32_t opcode = whole.operands[0];
    const bool vector = type->kind == WF_SHADER_TYPE_VECTOR;
    if (!wf_shader_can_evaluate(opcode) || (!is_scalar(type) && !vector))
        return wf_shader_fail(reader, "Op%s to type %%%u is not worked out by specialization",
                              wf_shader_op_name(wf_shader_op(opcode)), type->id);
    reader->ins = (struct wf_shader_instruction){
        .words = whole.words,
        .operands = whole.operands + 1,
        .word = whole.word,
        .type = whole.type,
        .id = whole.id,
        .opcode = (uint16_t)opcode,
        .count = whole.count,
        .operand_count = (uint16_t)(whole.operand_count - 1),
    };
    const bool ok = wf_shader_verify(reader);
    reader->ins = whole;
    return ok;
}

static bool is_spec(const struct wf_shader_reader *reader)
{
    switch (reader->ins.opcode) {
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
    case SpvOpSpecConstant:
    case SpvOpSpecConstantOp:
        return true;
    case SpvOpSpecConstantComposite:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < reader->ins.operand_count; i++) {
        const struct wf_shader_constant *part =
            wf_shader_constant(reader->module, reader->ins.operands[i]);
        if (part && part->spec)
            return true;
    }
    return false;
}

bool wf_shader_read_constant(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    const struct wf_shader_instruction *ins = &reader->ins;
    const struct wf_shader_type *type = wf_shader_type(module, ins->type);
    if (!check_type(reader, type) ||
        (ins->opcode == SpvOpSpecConstantOp && !check_operation(reader, type)))
        return false;
    struct wf_shader_constant *constant = &reader->constants[module->constant_count];
    *constant = (struct wf_shader_constant){
        .id = ins->id,
        .type = ins->type,
        .word = ins->word,
        .opcode = ins->opcode,
        .spec = is_spec(reader),
        .spec_id = wf_shader_decoration_value(module, ins->id, WF_SHADER_NONE, SpvDecorationSpecId),
    };
    if (wf_shader_decoration_value(module, ins->id, WF_SHADER_NONE, SpvDecorationBuiltIn) ==
        SpvBuiltInWorkgroupSize) {
        constant->is_workgroup_size = true;
        module->workgroup_size_id = ins->id;
        if (type->kind != WF_SHADER_TYPE_VECTOR || type->count != 3)
            return wf_shader_fail(reader, "the built-in WorkgroupSize is no vector of 3");
    }
    if (constant->spec_id != WF_SHADER_NONE && (!constant->spec || !is_scalar(type)))
        constant->spec_id = WF_SHADER_NONE;

    const uint32_t index = module->constant_count;
    if (!wf_shader_define(reader, WF_SHADER_ROLE_CONSTANT, index))
        return false;
    module->constant_count++;
    wf_shader_evaluate(module, constant, reader->defaults, &reader->defaults[index]);
    if (is_scalar(type))
        constant->value = reader->defaults[index].component[0];
    return true;
}

/// The value that a module gives, before specialization.
static void declared_value(const struct wf_shader_module *module,
                           const struct wf_shader_constant *constant,
                           const struct wf_shader_value *values, struct wf_shader_value *out)
{
    const struct wf_shader_instruction ins = wf_shader_at(module, constant->word);
    const struct wf_shader_type *type = wf_shader_type(module, constant->type);
    switch (constant->opcode) {
    case SpvOpConstantTrue:
    case SpvOpSpecConstantTrue:
        out->component[0] = 1;
        break;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        out->component[0] = literal(type, ins.operands);
        break;
    case SpvOpConstantComposite:
    case SpvOpSpecConstantComposite:
        for (uint32_t i = 0; type->kind == WF_SHADER_TYPE_VECTOR && i < type->count; i++) {
            const struct wf_shader_constant *part = wf_shader_constant(module, ins.operands[i]);
            out->component[i] = part ? values[part - module->constants].component[0] : 0;
        }
        break;
    case SpvOpSpecConstantOp:
        wf_shader_evaluate_operation(module, &ins, type, values, out);
        break;
    default:
        break;
    }
}

void wf_shader_evaluate(const struct wf_shader_module *module,
                        const struct wf_shader_constant *constant,
                        const struct wf_shader_value *values, struct wf_shader_value *out)
{
    *out = (struct wf_shader_value){{0}};
    declared_value(module, constant, values, out);
}

/// The last value given for this SpecId, or NULL.
static const struct wf_shader_specialization *
find_given(const struct wf_shader_specialization *given, uint32_t count, uint32_t id)
{
    for (uint32_t i = count; i-- > 0;) {
        if (given[i].id == id)
            return &given[i];
    }
    return NULL;
}

void wf_shader_specialize(const struct wf_shader_module *module,
                          const struct wf_shader_specialization *given, uint32_t given_count,
                          struct wf_shader_value *values)
{
    for (uint32_t i = 0; i < module->constant_count; i++) {
        const struct wf_shader_constant *constant = &module->constants[i];
        values[i] = module->storage->defaults[i];
        if (!constant->spec)
            continue;
        const struct wf_shader_specialization *found =
            constant->spec_id != WF_SHADER_NONE ? find_given(given, given_count, constant->spec_id)
                                                : NULL;
        if (!found) {
            wf_shader_evaluate(module, constant, values, &values[i]);
            continue;
        }
        const struct wf_shader_type *type = wf_shader_type(module, constant->type);
        values[i].component[0] = type->kind == WF_SHADER_TYPE_BOOL
                                     ? found->value != 0
                                     : found->value & wf_shader_width_mask(type->width);
    }
}

void wf_shader_workgroup_size(const struct wf_shader_module *module,
                              const struct wf_shader_entry *entry,
                              const struct wf_shader_value *values, uint32_t out[3])
{
    const struct wf_shader_value *all = values ? values : module->storage->defaults;
    const struct wf_shader_constant *whole = wf_shader_constant(module, module->workgroup_size_id);
    for (uint32_t i = 0; i < 3; i++) {
        const struct wf_shader_constant *one = wf_shader_constant(module, entry->local_size_id[i]);
        if (whole)
            out[i] = (uint32_t)all[whole - module->constants].component[i];
        else if (one)
            out[i] = (uint32_t)all[one - module->constants].component[0];
        else
            out[i] = entry->local_size[i];
    }
}
