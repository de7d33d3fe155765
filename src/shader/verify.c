// Types of arithmetic, conversions, comparisons, control flow and subgroup operations.
#include "shader/verify.h"

struct wf_shader_shape wf_shader_shape_of(const struct wf_shader_module *module, uint32_t id)
{
    const struct wf_shader_type *type = wf_shader_type(module, id);
    struct wf_shader_shape shape = {.kind = WF_SHADER_TYPE_VOID, .count = 1};
    if (type && type->kind == WF_SHADER_TYPE_VECTOR) {
        shape.count = type->count;
        type = wf_shader_type(module, type->component);
    }
    if (type && (type->kind == WF_SHADER_TYPE_BOOL || type->kind == WF_SHADER_TYPE_INT ||
                 type->kind == WF_SHADER_TYPE_FLOAT)) {
        shape.kind = type->kind;
        shape.width = type->width;
    }
    return shape;
}

const struct wf_shader_type *wf_shader_operand_type(const struct wf_shader_reader *reader,
                                                    uint32_t at)
{
    return at < reader->ins.operand_count
               ? wf_shader_type_of(reader->module, reader->ins.operands[at])
               : NULL;
}

bool wf_shader_fail_operand(struct wf_shader_reader *reader, uint32_t at, const char *wanted)
{
    return wf_shader_fail(reader, "operand %%%u must be %s",
                          at < reader->ins.operand_count ? reader->ins.operands[at] : 0, wanted);
}

bool wf_shader_fail_result(struct wf_shader_reader *reader, const char *wanted)
{
    return wf_shader_fail(reader, "its type %%%u must be %s", reader->ins.type, wanted);
}

static bool is_scalar(const struct wf_shader_shape *shape, uint8_t kind)
{
    return shape->kind == kind && shape->count == 1;
}

/// A bit for each invocation of a subgroup.
static bool is_ballot(const struct wf_shader_shape *shape)
{
    return shape->kind == WF_SHADER_TYPE_INT && shape->width == 32 && shape->count == 4;
}

static bool check_result(struct wf_shader_reader *reader, char letter,
                         const struct wf_shader_shape *result)
{
    switch (letter) {
    case 'F':
        return result->kind == WF_SHADER_TYPE_FLOAT ||
               wf_shader_fail_result(reader, "a scalar or vector of float");
    case 'I':
        return result->kind == WF_SHADER_TYPE_INT ||
               wf_shader_fail_result(reader, "a scalar or vector of int");
    case 'B':
        return result->kind == WF_SHADER_TYPE_BOOL ||
               wf_shader_fail_result(reader, "a scalar or vector of bool");
    case 'C':
        return is_scalar(result, WF_SHADER_TYPE_INT) ||
               wf_shader_fail_result(reader, "an int scalar");
    case 'O':
        return is_scalar(result, WF_SHADER_TYPE_BOOL) || wf_shader_fail_result(reader, "bool");
    case 'U':
        return is_ballot(result) || wf_shader_fail_result(reader, "a vector of four 32-bit ints");
    case 'N':
        return result->kind != WF_SHADER_TYPE_VOID ||
               wf_shader_fail_result(reader, "a number, a bool or a vector of them");
    default:
        return true;
    }
}

static bool check_scalar(struct wf_shader_reader *reader, uint32_t at, char letter,
                         const struct wf_shader_shape *shape)
{
    if (letter == 'c')
        return is_scalar(shape, WF_SHADER_TYPE_INT) ||
               wf_shader_fail_operand(reader, at, "an int scalar");
    if (letter == 'h')
        return is_scalar(shape, WF_SHADER_TYPE_FLOAT) ||
               wf_shader_fail_operand(reader, at, "a float scalar");
    return is_scalar(shape, WF_SHADER_TYPE_BOOL) ||
           wf_shader_fail_operand(reader, at, "a bool scalar");
}

/// An operand of its own component kind with the result's count.
static bool check_counted(struct wf_shader_reader *reader, uint32_t at, char letter,
                          const struct wf_shader_shape *shape, const struct wf_shader_shape *result)
{
    const uint8_t wanted = letter == 'f' ? WF_SHADER_TYPE_FLOAT : WF_SHADER_TYPE_INT;
    const bool width = letter != 'i' || shape->width == result->width;
    if (shape->kind == wanted && width && shape->count == result->count)
        return true;
    return wf_shader_fail_operand(reader, at,
                                  letter == 'f'   ? "float, with as many components as the result"
                                  : letter == 'i' ? "int, with the result's width and count"
                                                  : "int, with as many components as the result");
}

static bool check_operand(struct wf_shader_reader *reader, uint32_t at, char letter,
                          const struct wf_shader_shape *result)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_type *type = wf_shader_operand_type(reader, at);
    if (letter == 'x')
        return true;
    if (!type)
        return wf_shader_fail_operand(reader, at, "a value with a type");
    const struct wf_shader_shape shape = wf_shader_shape_of(module, type->id);
    const struct wf_shader_type *before = at > 0 ? wf_shader_operand_type(reader, at - 1) : NULL;
    const struct wf_shader_type *result_type = wf_shader_type(module, reader->ins.type);
    switch (letter) {
    case 'r':
        return type->id == reader->ins.type ||
               wf_shader_fail_operand(reader, at, "of the result's type");
    case '=':
        return (before && type->id == before->id) ||
               wf_shader_fail_operand(reader, at, "of the type of the operand before it");
    case 'w': {
        const struct wf_shader_shape other = wf_shader_shape_of(module, before ? before->id : 0);
        return (shape.kind == WF_SHADER_TYPE_INT && shape.width == other.width &&
                shape.count == other.count) ||
               wf_shader_fail_operand(reader, at,
                                      "int, with width and count of the operand before it");
    }
    case 's':
        return (result_type && type->id == result_type->component) ||
               wf_shader_fail_operand(reader, at, "a scalar of the result's component type");
    case 'p':
        return (type->kind == WF_SHADER_TYPE_POINTER && type->component == reader->ins.type) ||
               wf_shader_fail_operand(reader, at, "a pointer to the result's type");
    case 'u':
        return is_ballot(&shape) ||
               wf_shader_fail_operand(reader, at, "a vector of four 32-bit ints");
    case 'n':
        return shape.kind != WF_SHADER_TYPE_VOID ||
               wf_shader_fail_operand(reader, at, "a number, a bool or a vector of them");
    case 'c':
    case 'h':
    case 'o':
        return check_scalar(reader, at, letter, &shape);
    default:
        return check_counted(reader, at, letter, &shape, result);
    }
}

bool wf_shader_verify_signature(struct wf_shader_reader *reader, const char *signature,
                                uint32_t first)
{
    const struct wf_shader_shape result = wf_shader_shape_of(reader->module, reader->ins.type);
    if (!check_result(reader, signature[0], &result))
        return false;
    for (uint32_t i = 1; signature[i] != '\0'; i++) {
        if (first + i - 1 >= reader->ins.operand_count)
            return wf_shader_fail(reader, "it lacks operand %u", i);
        if (!check_operand(reader, first + i - 1, signature[i], &result))
            return false;
    }
    return true;
}

/// The signature of an opcode whose types are componentwise, or NULL.
// NOLINTNEXTLINE(readability-function-size): a flat table
static const char *signature_of(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpFRem:
    case SpvOpFMod:
        return "Frr";
    case SpvOpFNegate:
    case SpvOpQuantizeToF16:
    case SpvOpDPdx:
    case SpvOpDPdy:
    case SpvOpFwidth:
    case SpvOpDPdxFine:
    case SpvOpDPdyFine:
    case SpvOpFwidthFine:
    case SpvOpDPdxCoarse:
    case SpvOpDPdyCoarse:
    case SpvOpFwidthCoarse:
        return "Fr";
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpSDiv:
    case SpvOpSRem:
    case SpvOpSMod:
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
    case SpvOpBitwiseAnd:
    case SpvOpUDiv:
    case SpvOpUMod:
        return "Iii";
    case SpvOpSNegate:
    case SpvOpNot:
        return "Ii";
    case SpvOpBitReverse:
        return "Ir";
    case SpvOpBitCount:
        return "Ij";
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
        return "Iij";
    case SpvOpBitFieldInsert:
        return "Irrcc";
    case SpvOpBitFieldSExtract:
    case SpvOpBitFieldUExtract:
        return "Ircc";
    case SpvOpConvertFToU:
    case SpvOpConvertFToS:
        return "If";
    case SpvOpConvertSToF:
    case SpvOpConvertUToF:
        return "Fj";
    case SpvOpUConvert:
    case SpvOpSConvert:
        return "Ij";
    case SpvOpFConvert:
        return "Ff";
    case SpvOpIEqual:
    case SpvOpINotEqual:
    case SpvOpUGreaterThan:
    case SpvOpSGreaterThan:
    case SpvOpUGreaterThanEqual:
    case SpvOpSGreaterThanEqual:
    case SpvOpULessThan:
    case SpvOpSLessThan:
    case SpvOpULessThanEqual:
    case SpvOpSLessThanEqual:
        return "Bjw";
    case SpvOpFOrdEqual:
    case SpvOpFUnordEqual:
    case SpvOpFOrdNotEqual:
    case SpvOpFUnordNotEqual:
    case SpvOpFOrdLessThan:
    case SpvOpFUnordLessThan:
    case SpvOpFOrdGreaterThan:
    case SpvOpFUnordGreaterThan:
    case SpvOpFOrdLessThanEqual:
    case SpvOpFUnordLessThanEqual:
    case SpvOpFOrdGreaterThanEqual:
    case SpvOpFUnordGreaterThanEqual:
        return "Bf=";
    case SpvOpLogicalEqual:
    case SpvOpLogicalNotEqual:
    case SpvOpLogicalOr:
    case SpvOpLogicalAnd:
        return "Brr";
    case SpvOpLogicalNot:
        return "Br";
    case SpvOpIsNan:
    case SpvOpIsInf:
        return "Bf";
    case SpvOpCopyObject:
        return "Zr";
    case SpvOpExpectKHR:
        return "Zrr";
    case SpvOpBranchConditional:
    case SpvOpAssumeTrueKHR:
        return "Zo";
    case SpvOpSwitch:
        return "Zc";
    case SpvOpSetMeshOutputsEXT:
        return "Zcc";
    default:
        return NULL;
    }
}

/// Subgroup operations: the scope comes first, but in the older extensions.
static const char *group_signature(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpGroupNonUniformElect:
        return "Ox";
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
        return "Oxo";
    case SpvOpGroupNonUniformAllEqual:
        return "Oxn";
    case SpvOpGroupNonUniformBallot:
        return "Uxo";
    case SpvOpGroupNonUniformInverseBallot:
        return "Oxu";
    case SpvOpGroupNonUniformBallotBitExtract:
        return "Oxuc";
    case SpvOpGroupNonUniformBallotBitCount:
        return "Cxxu";
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        return "Cxu";
    case SpvOpSubgroupBallotKHR:
        return "Uo";
    case SpvOpSubgroupAllKHR:
    case SpvOpSubgroupAnyKHR:
    case SpvOpSubgroupAllEqualKHR:
        return "Oo";
    case SpvOpSubgroupReadInvocationKHR:
        return "Nrc";
    case SpvOpSubgroupFirstInvocationKHR:
        return "Nr";
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformShuffle:
    case SpvOpGroupNonUniformShuffleXor:
    case SpvOpGroupNonUniformShuffleUp:
    case SpvOpGroupNonUniformShuffleDown:
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
    case SpvOpGroupNonUniformRotateKHR:
        return "Nxrc";
    case SpvOpGroupNonUniformBroadcastFirst:
        return "Nxr";
    case SpvOpGroupNonUniformIAdd:
    case SpvOpGroupNonUniformIMul:
    case SpvOpGroupNonUniformSMin:
    case SpvOpGroupNonUniformUMin:
    case SpvOpGroupNonUniformSMax:
    case SpvOpGroupNonUniformUMax:
    case SpvOpGroupNonUniformBitwiseAnd:
    case SpvOpGroupNonUniformBitwiseOr:
    case SpvOpGroupNonUniformBitwiseXor:
        return "Ixxr";
    case SpvOpGroupNonUniformFAdd:
    case SpvOpGroupNonUniformFMul:
    case SpvOpGroupNonUniformFMin:
    case SpvOpGroupNonUniformFMax:
        return "Fxxr";
    case SpvOpGroupNonUniformLogicalAnd:
    case SpvOpGroupNonUniformLogicalOr:
    case SpvOpGroupNonUniformLogicalXor:
        return "Bxxr";
    default:
        return NULL;
    }
}

static bool verify_select(struct wf_shader_reader *reader)
{
    const struct wf_shader_shape condition =
        wf_shader_shape_of(reader->module, reader->ids[reader->ins.operands[0]].type);
    const struct wf_shader_shape result = wf_shader_shape_of(reader->module, reader->ins.type);
    if (condition.kind != WF_SHADER_TYPE_BOOL ||
        (condition.count != 1 && condition.count != result.count))
        return wf_shader_fail_operand(reader, 0, "a bool, or one per component of the result");
    return wf_shader_verify_signature(reader, "Zxrr", 0);
}

static bool verify_any_all(struct wf_shader_reader *reader)
{
    const struct wf_shader_shape result = wf_shader_shape_of(reader->module, reader->ins.type);
    const struct wf_shader_shape vector =
        wf_shader_shape_of(reader->module, reader->ids[reader->ins.operands[0]].type);
    if (!check_result(reader, 'O', &result))
        return false;
    return (vector.kind == WF_SHADER_TYPE_BOOL && vector.count > 1) ||
           wf_shader_fail_operand(reader, 0, "a vector of bool");
}

/// OpIAddCarry and its kin: a structure of two results like the operands.
static bool verify_extended_arithmetic(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *result = wf_shader_type(reader->module, reader->ins.type);
    const struct wf_shader_type *operand = wf_shader_operand_type(reader, 0);
    if (result->kind != WF_SHADER_TYPE_STRUCT || result->count != 2 ||
        result->members[0].type != result->members[1].type)
        return wf_shader_fail_result(reader, "a structure of two equal members");
    const struct wf_shader_shape shape =
        wf_shader_shape_of(reader->module, result->members[0].type);
    if (shape.kind != WF_SHADER_TYPE_INT)
        return wf_shader_fail_result(reader, "a structure of two ints or int vectors");
    if (!operand || operand->id != result->members[0].type)
        return wf_shader_fail_operand(reader, 0, "of the type of the result's members");
    return wf_shader_verify_signature(reader, "Zx=", 0);
}

/// Integer dot products: of vectors of one length and width, or of 32 bits as four bytes.
static bool verify_integer_dot(struct wf_shader_reader *reader, bool accumulates)
{
    const struct wf_shader_shape result = wf_shader_shape_of(reader->module, reader->ins.type);
    const bool formatted = reader->ins.operand_count > (accumulates ? 3u : 2u);
    struct wf_shader_shape shapes[2];
    for (uint32_t i = 0; i < 2; i++) {
        const struct wf_shader_type *type = wf_shader_operand_type(reader, i);
        shapes[i] = wf_shader_shape_of(reader->module, type ? type->id : 0);
        const bool packed = shapes[i].count == 1 && shapes[i].width == 32 && formatted;
        if (shapes[i].kind != WF_SHADER_TYPE_INT || (shapes[i].count == 1 && !packed))
            return wf_shader_fail_operand(reader, i, "a vector of int, or 32 bits of them");
    }
    if (shapes[0].count != shapes[1].count || shapes[0].width != shapes[1].width)
        return wf_shader_fail_operand(reader, 1, "as wide and long as the operand before it");
    const uint32_t least = shapes[0].count == 1 ? 8 : shapes[0].width;
    if (result.kind != WF_SHADER_TYPE_INT || result.count != 1 || result.width < least)
        return wf_shader_fail_result(reader, "an int at least as wide as the components");
    return !accumulates || wf_shader_verify_signature(reader, "Zr", 2);
}

static uint64_t bits_of(const struct wf_shader_module *module, const struct wf_shader_type *type)
{
    if (!type)
        return 0;
    if (type->kind == WF_SHADER_TYPE_POINTER)
        return type->storage == SpvStorageClassPhysicalStorageBuffer ? 64 : 0;
    const struct wf_shader_shape shape = wf_shader_shape_of(module, type->id);
    return (uint64_t)shape.width * shape.count;
}

static bool verify_bitcast(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *result = wf_shader_type(reader->module, reader->ins.type);
    const uint64_t bits = bits_of(reader->module, result);
    if (bits == 0)
        return wf_shader_fail_result(reader, "a number, a vector of them or a physical pointer");
    return bits_of(reader->module, wf_shader_operand_type(reader, 0)) == bits ||
           wf_shader_fail_operand(reader, 0, "as many bits wide as the result");
}

static bool verify_return(struct wf_shader_reader *reader)
{
    const struct wf_shader_function *function = &reader->functions[reader->function - 1];
    const bool is_void =
        wf_shader_type(reader->module, function->result)->kind == WF_SHADER_TYPE_VOID;
    if (reader->ins.opcode == SpvOpReturn)
        return is_void || wf_shader_fail(reader, "the function returns a value");
    if (is_void)
        return wf_shader_fail(reader, "the function returns none");
    return reader->ids[reader->ins.operands[0]].type == function->result ||
           wf_shader_fail_operand(reader, 0, "of the function's result type");
}

static bool verify_mesh_tasks(struct wf_shader_reader *reader)
{
    if (reader->ins.operand_count > 3) {
        const struct wf_shader_variable *payload =
            wf_shader_variable(reader->module, reader->ins.operands[3]);
        if (!payload || payload->storage != SpvStorageClassTaskPayloadWorkgroupEXT)
            return wf_shader_fail_operand(reader, 3, "a variable of TaskPayloadWorkgroupEXT");
    }
    return wf_shader_verify_signature(reader, "Zccc", 0);
}

bool wf_shader_verify(struct wf_shader_reader *reader)
{
    const uint16_t opcode = reader->ins.opcode;
    const char *signature = signature_of(opcode);
    if (!signature)
        signature = group_signature(opcode);
    if (signature)
        return wf_shader_verify_signature(reader, signature, 0);
    switch (opcode) {
    case SpvOpSelect:
        return verify_select(reader);
    case SpvOpAny:
    case SpvOpAll:
        return verify_any_all(reader);
    case SpvOpIAddCarry:
    case SpvOpISubBorrow:
    case SpvOpUMulExtended:
    case SpvOpSMulExtended:
        return verify_extended_arithmetic(reader);
    case SpvOpSDotKHR:
    case SpvOpUDotKHR:
    case SpvOpSUDotKHR:
        return verify_integer_dot(reader, false);
    case SpvOpSDotAccSatKHR:
    case SpvOpUDotAccSatKHR:
    case SpvOpSUDotAccSatKHR:
        return verify_integer_dot(reader, true);
    case SpvOpBitcast:
        return verify_bitcast(reader);
    case SpvOpEmitMeshTasksEXT:
        return verify_mesh_tasks(reader);
    case SpvOpReturn:
    case SpvOpReturnValue:
        return verify_return(reader);
    case SpvOpExtInst:
        return wf_shader_verify_extended(reader);
    default:
        break;
    }
    bool known = false;
    const bool memory = wf_shader_verify_memory(reader, &known);
    if (known)
        return memory;
    const bool composite = wf_shader_verify_composite(reader, &known);
    if (known)
        return composite;
    const bool image = wf_shader_verify_image(reader, &known);
    if (known)
        return image;
    return wf_shader_verify_ray(reader, &known);
}

static bool verify_call(struct wf_shader_reader *reader)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    const struct wf_shader_function *callee = wf_shader_function(reader->module, ins->operands[0]);
    const struct wf_shader_type *type = wf_shader_type(reader->module, callee->type);
    if (callee->result != ins->type)
        return wf_shader_fail_result(reader, "the function's result type");
    if (type->count != ins->operand_count - 1u)
        return wf_shader_fail(reader, "it has %u arguments, the function %u parameters",
                              ins->operand_count - 1u, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        if (reader->ids[ins->operands[i + 1]].type != type->parameters[i])
            return wf_shader_fail_operand(reader, i + 1, "of its parameter's type");
    }
    return true;
}

/// What needs definitions that come later.
bool wf_shader_verify_late(struct wf_shader_reader *reader)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    switch (ins->opcode) {
    case SpvOpFunctionCall:
        return verify_call(reader);
    case SpvOpTypeForwardPointer: {
        const struct wf_shader_type *type = wf_shader_type(reader->module, ins->operands[0]);
        return (type->kind == WF_SHADER_TYPE_POINTER && type->storage == ins->operands[1]) ||
               wf_shader_fail(reader, "%%%u is no pointer to this storage class", ins->operands[0]);
    }
    case SpvOpMemberName:
    case SpvOpMemberDecorate:
    case SpvOpMemberDecorateString:
        return reader->ids[ins->operands[0]].opcode == SpvOpTypeStruct ||
               wf_shader_fail(reader, "%%%u is no structure type", ins->operands[0]);
    default:
        return true;
    }
}
