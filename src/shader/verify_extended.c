// Types of GLSL.std.450 operations.
#include "shader/verify.h"

#include <spirv/unified1/GLSL.std.450.h>

static const char *signature_of(uint32_t number)
{
    switch (number) {
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
    case GLSLstd450Trunc:
    case GLSLstd450FAbs:
    case GLSLstd450FSign:
    case GLSLstd450Floor:
    case GLSLstd450Ceil:
    case GLSLstd450Fract:
    case GLSLstd450Radians:
    case GLSLstd450Degrees:
    case GLSLstd450Sin:
    case GLSLstd450Cos:
    case GLSLstd450Tan:
    case GLSLstd450Asin:
    case GLSLstd450Acos:
    case GLSLstd450Atan:
    case GLSLstd450Sinh:
    case GLSLstd450Cosh:
    case GLSLstd450Tanh:
    case GLSLstd450Asinh:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh:
    case GLSLstd450Exp:
    case GLSLstd450Log:
    case GLSLstd450Exp2:
    case GLSLstd450Log2:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
    case GLSLstd450Normalize:
        return "Fr";
    case GLSLstd450Atan2:
    case GLSLstd450Pow:
    case GLSLstd450FMin:
    case GLSLstd450FMax:
    case GLSLstd450NMin:
    case GLSLstd450NMax:
    case GLSLstd450Step:
    case GLSLstd450Reflect:
        return "Frr";
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
    case GLSLstd450FMix:
    case GLSLstd450SmoothStep:
    case GLSLstd450Fma:
    case GLSLstd450FaceForward:
        return "Frrr";
    case GLSLstd450SAbs:
    case GLSLstd450SSign:
        return "Ii";
    case GLSLstd450UMin:
    case GLSLstd450SMin:
    case GLSLstd450UMax:
    case GLSLstd450SMax:
        return "Iii";
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
        return "Iiii";
    case GLSLstd450FindILsb:
    case GLSLstd450FindSMsb:
    case GLSLstd450FindUMsb:
        return "Ii";
    case GLSLstd450Modf:
        return "Frp";
    case GLSLstd450Ldexp:
        return "Frj";
    case GLSLstd450Refract:
        return "Frrh";
    case GLSLstd450Cross:
        return "Frr";
    case GLSLstd450InterpolateAtCentroid:
        return "Fp";
    case GLSLstd450InterpolateAtSample:
        return "Fpc";
    case GLSLstd450InterpolateAtOffset:
        return "Fpx";
    default:
        return NULL;
    }
}

static struct wf_shader_shape operand_shape(const struct wf_shader_reader *reader, uint32_t at)
{
    const struct wf_shader_type *type = wf_shader_operand_type(reader, at);
    return wf_shader_shape_of(reader->module, type ? type->id : 0);
}

/// Length and Distance: a float scalar from vectors (or scalars) of it.
static bool verify_length(struct wf_shader_reader *reader, uint32_t operands)
{
    const struct wf_shader_shape result = wf_shader_shape_of(reader->module, reader->ins.type);
    const struct wf_shader_shape vector = operand_shape(reader, 2);
    if (result.kind != WF_SHADER_TYPE_FLOAT || result.count != 1)
        return wf_shader_fail_result(reader, "a float scalar");
    if (vector.kind != WF_SHADER_TYPE_FLOAT || vector.width != result.width)
        return wf_shader_fail_operand(reader, 2, "floats of the result's width");
    return operands == 1 || wf_shader_verify_signature(reader, "F=", 3);
}

/// Determinant and MatrixInverse.
static bool verify_square(struct wf_shader_reader *reader, bool inverse)
{
    const struct wf_shader_type *matrix = wf_shader_operand_type(reader, 2);
    if (!matrix || matrix->kind != WF_SHADER_TYPE_MATRIX)
        return wf_shader_fail_operand(reader, 2, "a square matrix");
    const struct wf_shader_type *column = wf_shader_type(reader->module, matrix->component);
    if (column->count != matrix->count)
        return wf_shader_fail_operand(reader, 2, "a square matrix");
    return reader->ins.type == (inverse ? matrix->id : column->component) ||
           wf_shader_fail_result(reader, inverse ? "the matrix's" : "the matrix's component type");
}

/// Frexp: a pointer to ints, and FrexpStruct and ModfStruct: a structure of the fraction and the
/// rest.
static bool verify_split(struct wf_shader_reader *reader, uint32_t number)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_type *result = wf_shader_type(module, reader->ins.type);
    const struct wf_shader_shape value = operand_shape(reader, 2);
    struct wf_shader_shape rest = {0};
    if (value.kind != WF_SHADER_TYPE_FLOAT)
        return wf_shader_fail_operand(reader, 2, "a scalar or vector of float");
    if (number == GLSLstd450Frexp) {
        const struct wf_shader_type *pointer = wf_shader_operand_type(reader, 3);
        if (!pointer || pointer->kind != WF_SHADER_TYPE_POINTER)
            return wf_shader_fail_operand(reader, 3, "a pointer");
        rest = wf_shader_shape_of(module, pointer->component);
        if (!wf_shader_verify_signature(reader, "Fr", 2))
            return false;
    } else {
        if (result->kind != WF_SHADER_TYPE_STRUCT || result->count != 2 ||
            result->members[0].type != reader->ids[reader->ins.operands[2]].type)
            return wf_shader_fail_result(reader, "a structure of the operand's type and the rest");
        rest = wf_shader_shape_of(module, result->members[1].type);
    }
    const uint8_t kind = number == GLSLstd450ModfStruct ? WF_SHADER_TYPE_FLOAT : WF_SHADER_TYPE_INT;
    return (rest.kind == kind && rest.count == value.count) ||
           wf_shader_fail(reader, "the second result does not fit the operand");
}

/// The packing operations: shapes of result and operand.
struct packing {
    uint32_t number;
    struct wf_shader_shape result, operand;
};

static bool verify_packing(struct wf_shader_reader *reader, uint32_t number, bool *known)
{
    enum { I = WF_SHADER_TYPE_INT, F = WF_SHADER_TYPE_FLOAT };
    static const struct packing all[] = {
        {GLSLstd450PackSnorm4x8, {I, 32, 1}, {F, 32, 4}},
        {GLSLstd450PackUnorm4x8, {I, 32, 1}, {F, 32, 4}},
        {GLSLstd450PackSnorm2x16, {I, 32, 1}, {F, 32, 2}},
        {GLSLstd450PackUnorm2x16, {I, 32, 1}, {F, 32, 2}},
        {GLSLstd450PackHalf2x16, {I, 32, 1}, {F, 32, 2}},
        {GLSLstd450PackDouble2x32, {F, 64, 1}, {I, 32, 2}},
        {GLSLstd450UnpackSnorm2x16, {F, 32, 2}, {I, 32, 1}},
        {GLSLstd450UnpackUnorm2x16, {F, 32, 2}, {I, 32, 1}},
        {GLSLstd450UnpackHalf2x16, {F, 32, 2}, {I, 32, 1}},
        {GLSLstd450UnpackSnorm4x8, {F, 32, 4}, {I, 32, 1}},
        {GLSLstd450UnpackUnorm4x8, {F, 32, 4}, {I, 32, 1}},
        {GLSLstd450UnpackDouble2x32, {I, 32, 2}, {F, 64, 1}},
    };
    *known = true;
    for (uint32_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].number != number)
            continue;
        const struct wf_shader_shape r = wf_shader_shape_of(reader->module, reader->ins.type);
        const struct wf_shader_shape o = operand_shape(reader, 2);
        const struct packing *p = &all[i];
        if (r.kind != p->result.kind || r.width != p->result.width || r.count != p->result.count)
            return wf_shader_fail_result(reader, "what the operation packs to");
        if (o.kind != p->operand.kind || o.width != p->operand.width || o.count != p->operand.count)
            return wf_shader_fail_operand(reader, 2, "what the operation packs from");
        return true;
    }
    *known = false;
    return true;
}

static bool verify_glsl(struct wf_shader_reader *reader, uint32_t number)
{
    const char *signature = signature_of(number);
    if (signature) {
        const bool cross = number == GLSLstd450Cross;
        if (cross && wf_shader_shape_of(reader->module, reader->ins.type).count != 3)
            return wf_shader_fail_result(reader, "a vector of 3");
        return wf_shader_verify_signature(reader, signature, 2);
    }
    switch (number) {
    case GLSLstd450Length:
        return verify_length(reader, 1);
    case GLSLstd450Distance:
        return verify_length(reader, 2);
    case GLSLstd450Determinant:
        return verify_square(reader, false);
    case GLSLstd450MatrixInverse:
        return verify_square(reader, true);
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct:
    case GLSLstd450ModfStruct:
        return verify_split(reader, number);
    default: {
        bool known;
        const bool ok = verify_packing(reader, number, &known);
        return known
                   ? ok
                   : wf_shader_fail(reader, "GLSL.std.450 has no operation %u for shaders", number);
    }
    }
}

bool wf_shader_verify_extended(struct wf_shader_reader *reader)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    const struct wf_shader_import *import = wf_shader_import(reader->module, ins->operands[0]);
    if (!import->glsl)
        return true;
    uint32_t operands;
    const uint32_t number = ins->operands[1];
    if (!wf_shader_glsl_has(number, &operands))
        return wf_shader_fail(reader, "GLSL.std.450 has no operation %u", number);
    if (ins->operand_count - 2u != operands)
        return wf_shader_fail(reader, "%s has %u operands, not %u", wf_shader_glsl_name(number),
                              operands, ins->operand_count - 2u);
    return verify_glsl(reader, number);
}
