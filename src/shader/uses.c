// Operands against the grammar, and ids against the roles that their places ask for.
#include "shader/reader.h"

enum {
    TYPES = 1 << WF_SHADER_ROLE_TYPE,
    CONSTANTS = 1 << WF_SHADER_ROLE_CONSTANT,
    VARIABLES = 1 << WF_SHADER_ROLE_VARIABLE,
    VALUES = 1 << WF_SHADER_ROLE_VALUE | CONSTANTS | VARIABLES,
    FUNCTIONS = 1 << WF_SHADER_ROLE_FUNCTION,
    LABELS = 1 << WF_SHADER_ROLE_LABEL,
    STRINGS = 1 << WF_SHADER_ROLE_STRING,
    IMPORTS = 1 << WF_SHADER_ROLE_EXT_IMPORT,
    ANY = 0xFFFE,
};

/// What an id's place asks for.
struct rule {
    uint32_t roles;
    bool forward; ///< It may be defined later.
};

static const char *roles_name(uint32_t roles)
{
    switch (roles) {
    case TYPES:
        return "a type";
    case CONSTANTS:
        return "a constant";
    case VARIABLES:
        return "a module-scope variable";
    case FUNCTIONS:
        return "a function";
    case LABELS:
        return "a label";
    case STRINGS:
        return "a string";
    case IMPORTS:
        return "an instruction set";
    default:
        return "a value";
    }
}

static bool is_non_semantic(const struct wf_shader_reader *reader)
{
    if (reader->ins.opcode != SpvOpExtInst || reader->ins.operand_count == 0)
        return false;
    const struct wf_shader_import *import =
        wf_shader_import(reader->module, reader->ins.operands[0]);
    return import && import->non_semantic;
}

/// `pair` counts the ids met at this position.
static struct rule control_rule(uint16_t opcode, uint8_t position, uint32_t pair)
{
    switch (opcode) {
    case SpvOpPhi:
        return (struct rule){pair % 2 == 0 ? VALUES : LABELS, true};
    case SpvOpBranch:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
        return (struct rule){LABELS, true};
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        if (position > 0)
            return (struct rule){LABELS, true};
        break;
    default:
        break;
    }
    return (struct rule){VALUES, false};
}

static struct rule type_rule(uint16_t opcode, uint8_t position)
{
    switch (opcode) {
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return position == 2 ? (struct rule){CONSTANTS, false} : (struct rule){TYPES, true};
    case SpvOpTypeStruct:
    case SpvOpTypeForwardPointer:
        return (struct rule){TYPES, true};
    default:
        return (struct rule){position == 1 || opcode == SpvOpTypeFunction ||
                                     opcode == SpvOpTypePointer
                                 ? TYPES
                                 : TYPES | CONSTANTS,
                             false};
    }
}

static struct rule other_rule(const struct wf_shader_reader *reader, uint8_t position)
{
    switch (reader->ins.opcode) {
    case SpvOpName:
    case SpvOpMemberName:
        return (struct rule){ANY, true};
    case SpvOpSource:
    case SpvOpLine:
        return (struct rule){STRINGS, false};
    case SpvOpVariable:
        return (struct rule){CONSTANTS | VARIABLES, false};
    case SpvOpFunction:
        return (struct rule){TYPES, false};
    case SpvOpFunctionCall:
        return position == 2 ? (struct rule){FUNCTIONS, true} : (struct rule){VALUES, false};
    case SpvOpExtInst:
        if (position == 2)
            return (struct rule){IMPORTS, false};
        return is_non_semantic(reader) ? (struct rule){ANY, true} : (struct rule){VALUES, false};
    default:
        return (struct rule){VALUES, false};
    }
}

static struct rule rule_of(const struct wf_shader_reader *reader,
                           const struct wf_shader_operand *operand, uint32_t pair)
{
    if (operand->kind == WF_SHADER_KIND_RESULT_TYPE)
        return (struct rule){TYPES, false};
    if (operand->kind == WF_SHADER_KIND_SCOPE || operand->kind == WF_SHADER_KIND_SEMANTICS)
        return (struct rule){CONSTANTS, false};
    switch (reader->op->group) {
    case WF_SHADER_CLASS_ANNOTATION:
        return (struct rule){ANY, true};
    case WF_SHADER_CLASS_MODE:
        if (reader->ins.opcode == SpvOpEntryPoint && operand->position == 3)
            return (struct rule){VARIABLES, true};
        return (struct rule){operand->nested ? CONSTANTS : FUNCTIONS, true};
    case WF_SHADER_CLASS_TYPE:
        return type_rule(reader->ins.opcode, operand->position);
    case WF_SHADER_CLASS_CONSTANT:
        return (struct rule){CONSTANTS, false};
    case WF_SHADER_CLASS_CONTROL:
        return control_rule(reader->ins.opcode, operand->position, pair);
    default:
        return other_rule(reader, operand->position);
    }
}

static bool check_defined(struct wf_shader_reader *reader, uint32_t id, struct rule rule)
{
    const struct wf_shader_id *found = &reader->ids[id];
    if (found->role == WF_SHADER_ROLE_NONE) {
        // A composite type may only wait for a pointer that was announced; types.c sees to it.
        return wf_shader_fail(reader, "operand %%%u is %s", id,
                              rule.forward ? "not defined anywhere" : "used before its definition");
    }
    if ((rule.roles >> found->role & 1) == 0)
        return wf_shader_fail(reader, "operand %%%u must be %s, but it is an Op%s", id,
                              roles_name(rule.roles),
                              wf_shader_op_name(wf_shader_op(found->opcode)));
    const bool local = found->role == WF_SHADER_ROLE_VALUE || found->role == WF_SHADER_ROLE_LABEL;
    if (local && reader->function != 0 && found->function != reader->function && rule.roles != ANY)
        return wf_shader_fail(reader, "operand %%%u belongs to another function", id);
    return true;
}

static bool is_id(uint8_t kind)
{
    return kind == WF_SHADER_KIND_ID || kind == WF_SHADER_KIND_RESULT_TYPE ||
           kind == WF_SHADER_KIND_SCOPE || kind == WF_SHADER_KIND_SEMANTICS;
}

/// `late`: everything is defined, so look at what was allowed to wait; otherwise at all else.
static bool check(struct wf_shader_reader *reader, bool late)
{
    struct wf_shader_operands walk;
    struct wf_shader_operand operand;
    wf_shader_operands_start(&walk, reader->module, &reader->ins, reader->op);
    uint32_t ids = 0;
    int more;
    uint8_t position = 0;
    while ((more = wf_shader_operand_next(&walk, &operand)) > 0) {
        ids = operand.position == position ? ids : 0;
        position = operand.position;
        const uint32_t id = reader->ins.words[operand.at];
        // glslang 12 writes id 0 into debug records of recursive types; they mean nothing to us.
        const bool harmless = id == 0 && operand.position > 3 && is_non_semantic(reader);
        if ((operand.kind == WF_SHADER_KIND_RESULT || is_id(operand.kind)) && !harmless) {
            if (id == 0 || id >= reader->module->bound)
                return wf_shader_fail(reader, "id %u is not 1 to %u", id,
                                      reader->module->bound - 1);
        }
        if (!is_id(operand.kind) || harmless)
            continue;
        const struct rule rule = rule_of(reader, &operand, ids++);
        if (rule.forward == late && !check_defined(reader, id, rule))
            return false;
    }
    return more == 0 || wf_shader_fail(reader, "%s", walk.problem);
}

bool wf_shader_check_operands(struct wf_shader_reader *reader)
{
    return check(reader, false);
}

bool wf_shader_check_forward_operands(struct wf_shader_reader *reader)
{
    switch (reader->op->group) {
    case WF_SHADER_CLASS_ANNOTATION:
    case WF_SHADER_CLASS_MODE:
    case WF_SHADER_CLASS_CONTROL:
        return check(reader, true);
    default:
        break;
    }
    switch (reader->ins.opcode) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
    case SpvOpTypeStruct:
    case SpvOpTypeForwardPointer:
    case SpvOpFunctionCall:
    case SpvOpExtInst:
        return check(reader, true);
    default:
        return true;
    }
}
