// Types of loads, stores, access chains and atomics.
#include "shader/verify.h"

/// The type of the n-th operand if it is a pointer; fails otherwise.
static const struct wf_shader_type *pointer_operand(struct wf_shader_reader *reader, uint32_t at)
{
    const struct wf_shader_type *type = wf_shader_operand_type(reader, at);
    if (type && type->kind == WF_SHADER_TYPE_POINTER)
        return type;
    wf_shader_fail_operand(reader, at, "a pointer");
    return NULL;
}

static bool verify_load(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *pointer = pointer_operand(reader, 0);
    if (!pointer)
        return false;
    return pointer->component == reader->ins.type ||
           wf_shader_fail_operand(reader, 0, "a pointer to the result's type");
}

/// What is written must be memory that shaders may write (SPIR-V, "Storage Class").
static bool check_writable(struct wf_shader_reader *reader, const struct wf_shader_type *pointer)
{
    return (pointer->storage != SpvStorageClassInput &&
            pointer->storage != SpvStorageClassUniformConstant &&
            pointer->storage != SpvStorageClassPushConstant) ||
           wf_shader_fail_operand(reader, 0, "a pointer to memory that can be written");
}

static bool verify_store(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *pointer = pointer_operand(reader, 0);
    if (!pointer || !check_writable(reader, pointer))
        return false;
    return reader->ids[reader->ins.operands[1]].type == pointer->component ||
           wf_shader_fail_operand(reader, 1, "of the type that the pointer points to");
}

static bool verify_copy(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *to = pointer_operand(reader, 0);
    if (!to || !check_writable(reader, to))
        return false;
    const struct wf_shader_type *from = pointer_operand(reader, 1);
    if (!from)
        return false;
    return to->component == from->component ||
           wf_shader_fail_operand(reader, 1, "a pointer to the same type as the target");
}

/// The value of a constant index, if it is one whose value is fixed.
static bool fixed_index(const struct wf_shader_reader *reader, uint32_t id, uint64_t *value)
{
    const struct wf_shader_constant *constant = wf_shader_constant(reader->module, id);
    if (!constant || constant->opcode != SpvOpConstant)
        return false;
    *value = constant->value;
    return true;
}

/// One step of an access chain: the type below, or 0.
static uint32_t step_down(struct wf_shader_reader *reader, uint32_t at,
                          const struct wf_shader_type *type)
{
    const uint32_t id = reader->ins.operands[at];
    const struct wf_shader_shape shape = wf_shader_shape_of(reader->module, reader->ids[id].type);
    if (shape.kind != WF_SHADER_TYPE_INT || shape.count != 1) {
        wf_shader_fail_operand(reader, at, "an int scalar");
        return 0;
    }
    uint64_t value = 0;
    const bool fixed = fixed_index(reader, id, &value);
    switch (type->kind) {
    case WF_SHADER_TYPE_STRUCT:
        if (!fixed || value >= type->count) {
            wf_shader_fail(reader, "index %%%u of the structure %%%u is no constant below %u", id,
                           type->id, type->count);
            return 0;
        }
        return type->members[value].type;
    case WF_SHADER_TYPE_VECTOR:
    case WF_SHADER_TYPE_MATRIX:
        if (fixed && value >= type->count) {
            wf_shader_fail(reader, "index %%%u is not below %u", id, type->count);
            return 0;
        }
        return type->component;
    case WF_SHADER_TYPE_ARRAY:
    case WF_SHADER_TYPE_RUNTIME_ARRAY:
        return type->component;
    default:
        wf_shader_fail(reader, "index %%%u goes into %%%u, which has no parts", id, type->id);
        return 0;
    }
}

static bool verify_chain(struct wf_shader_reader *reader, uint32_t first)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_type *result = wf_shader_type(module, reader->ins.type);
    const struct wf_shader_type *base = pointer_operand(reader, 0);
    if (!base)
        return false;
    if (result->kind != WF_SHADER_TYPE_POINTER || result->storage != base->storage)
        return wf_shader_fail_result(reader, "a pointer to the base's storage class");
    if (first == 2) {
        const struct wf_shader_shape element =
            wf_shader_shape_of(module, reader->ids[reader->ins.operands[1]].type);
        if (element.kind != WF_SHADER_TYPE_INT || element.count != 1)
            return wf_shader_fail_operand(reader, 1, "an int scalar");
    }
    uint32_t at = base->component;
    for (uint32_t i = first; i < reader->ins.operand_count; i++) {
        const struct wf_shader_type *type = wf_shader_type(module, at);
        if (!type)
            return wf_shader_fail(reader, "it reaches %%%u, which is no type", at);
        at = step_down(reader, i, type);
        if (at == 0)
            return false;
    }
    return at == result->component ||
           wf_shader_fail(reader, "it ends at type %%%u, but its result points to %%%u", at,
                          result->component);
}

static bool verify_array_length(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *pointer = pointer_operand(reader, 0);
    if (!pointer)
        return false;
    const struct wf_shader_type *type = wf_shader_type(reader->module, pointer->component);
    const uint32_t member = reader->ins.operands[1];
    if (!type || type->kind != WF_SHADER_TYPE_STRUCT)
        return wf_shader_fail_operand(reader, 0, "a pointer to a structure");
    const struct wf_shader_type *array =
        member + 1u == type->count ? wf_shader_type(reader->module, type->members[member].type)
                                   : NULL;
    if (!array || array->kind != WF_SHADER_TYPE_RUNTIME_ARRAY)
        return wf_shader_fail(reader, "member %u is not a runtime array at the structure's end",
                              member);
    const struct wf_shader_shape result = wf_shader_shape_of(reader->module, reader->ins.type);
    return (result.kind == WF_SHADER_TYPE_INT && result.count == 1 && result.width == 32) ||
           wf_shader_fail_result(reader, "an int of 32 bits");
}

/// The operand that holds an atomic's value, 0: none; -1: not an atomic that this knows.
static int atomic_value(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpAtomicLoad:
    case SpvOpAtomicIIncrement:
    case SpvOpAtomicIDecrement:
        return 0;
    case SpvOpAtomicStore:
    case SpvOpAtomicExchange:
    case SpvOpAtomicIAdd:
    case SpvOpAtomicISub:
    case SpvOpAtomicSMin:
    case SpvOpAtomicUMin:
    case SpvOpAtomicSMax:
    case SpvOpAtomicUMax:
    case SpvOpAtomicAnd:
    case SpvOpAtomicOr:
    case SpvOpAtomicXor:
    case SpvOpAtomicFAddEXT:
    case SpvOpAtomicFMinEXT:
    case SpvOpAtomicFMaxEXT:
        return 3;
    case SpvOpAtomicCompareExchange:
        return 4;
    default:
        return -1;
    }
}

static bool verify_atomic(struct wf_shader_reader *reader, uint32_t value)
{
    const struct wf_shader_type *pointer = pointer_operand(reader, 0);
    if (!pointer)
        return false;
    const uint16_t opcode = reader->ins.opcode;
    const struct wf_shader_shape shape = wf_shader_shape_of(reader->module, pointer->component);
    const bool is_float = opcode == SpvOpAtomicFAddEXT || opcode == SpvOpAtomicFMinEXT ||
                          opcode == SpvOpAtomicFMaxEXT;
    const bool either =
        opcode == SpvOpAtomicLoad || opcode == SpvOpAtomicStore || opcode == SpvOpAtomicExchange;
    const bool fits = (shape.kind == WF_SHADER_TYPE_INT && !is_float) ||
                      (shape.kind == WF_SHADER_TYPE_FLOAT && (is_float || either));
    if (!fits || shape.count != 1)
        return wf_shader_fail_operand(reader, 0, "a pointer to a number of its kind");
    if (reader->ins.type != 0 && reader->ins.type != pointer->component)
        return wf_shader_fail_result(reader, "what the pointer points to");
    for (uint32_t at = value; value != 0 && at < reader->ins.operand_count; at++) {
        if (reader->ids[reader->ins.operands[at]].type != pointer->component)
            return wf_shader_fail_operand(reader, at, "of the type that the pointer points to");
    }
    return true;
}

static bool verify_pointer_conversion(struct wf_shader_reader *reader)
{
    const bool to_pointer = reader->ins.opcode == SpvOpConvertUToPtr;
    const struct wf_shader_type *result = wf_shader_type(reader->module, reader->ins.type);
    const struct wf_shader_type *operand = wf_shader_operand_type(reader, 0);
    const struct wf_shader_type *pointer = to_pointer ? result : operand;
    const struct wf_shader_type *number = to_pointer ? operand : result;
    if (!pointer || pointer->kind != WF_SHADER_TYPE_POINTER ||
        pointer->storage != SpvStorageClassPhysicalStorageBuffer)
        return wf_shader_fail(reader, "it needs a pointer to PhysicalStorageBuffer");
    return (number && number->kind == WF_SHADER_TYPE_INT) ||
           wf_shader_fail(reader, "it needs an int scalar");
}

static bool verify_compare(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *pointer = pointer_operand(reader, 0);
    if (!pointer)
        return false;
    const struct wf_shader_shape result = wf_shader_shape_of(reader->module, reader->ins.type);
    const bool distance = reader->ins.opcode == SpvOpPtrDiff;
    if (result.kind != (distance ? WF_SHADER_TYPE_INT : WF_SHADER_TYPE_BOOL) || result.count != 1)
        return wf_shader_fail_result(reader, distance ? "an int" : "a bool");
    return reader->ids[reader->ins.operands[1]].type == pointer->id ||
           wf_shader_fail_operand(reader, 1, "of the type of the operand before it");
}

bool wf_shader_verify_memory(struct wf_shader_reader *reader, bool *known)
{
    *known = true;
    switch (reader->ins.opcode) {
    case SpvOpLoad:
        return verify_load(reader);
    case SpvOpStore:
        return verify_store(reader);
    case SpvOpCopyMemory:
        return verify_copy(reader);
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        return verify_chain(reader, 1);
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
        return verify_chain(reader, 2);
    case SpvOpPtrEqual:
    case SpvOpPtrNotEqual:
    case SpvOpPtrDiff:
        return verify_compare(reader);
    case SpvOpArrayLength:
        return verify_array_length(reader);
    case SpvOpConvertUToPtr:
    case SpvOpConvertPtrToU:
        return verify_pointer_conversion(reader);
    default:
        break;
    }
    const int value = atomic_value(reader->ins.opcode);
    *known = value >= 0;
    return value < 0 || verify_atomic(reader, (uint32_t)value);
}
