// Types of ray queries.
#include "shader/verify.h"

/// Letters of operands behind the query, and of results:
///   a: acceleration structure    u: int of 32 bits    f: float of 32 bits    2 3: vectors of such
///   b: bool    m: four columns of three floats    i: a constant that says which intersection
struct rule {
    uint16_t opcode;
    char result; ///< 0: none.
    char operands[8];
};

static const struct rule rules[] = {
    {SpvOpRayQueryInitializeKHR, 0, "auu3f3f"},
    {SpvOpRayQueryTerminateKHR, 0, ""},
    {SpvOpRayQueryGenerateIntersectionKHR, 0, "f"},
    {SpvOpRayQueryConfirmIntersectionKHR, 0, ""},
    {SpvOpRayQueryProceedKHR, 'b', ""},
    {SpvOpRayQueryGetIntersectionTypeKHR, 'u', "i"},
    {SpvOpRayQueryGetRayTMinKHR, 'f', ""},
    {SpvOpRayQueryGetRayFlagsKHR, 'u', ""},
    {SpvOpRayQueryGetIntersectionTKHR, 'f', "i"},
    {SpvOpRayQueryGetIntersectionInstanceCustomIndexKHR, 'u', "i"},
    {SpvOpRayQueryGetIntersectionInstanceIdKHR, 'u', "i"},
    {SpvOpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, 'u', "i"},
    {SpvOpRayQueryGetIntersectionGeometryIndexKHR, 'u', "i"},
    {SpvOpRayQueryGetIntersectionPrimitiveIndexKHR, 'u', "i"},
    {SpvOpRayQueryGetIntersectionBarycentricsKHR, '2', "i"},
    {SpvOpRayQueryGetIntersectionFrontFaceKHR, 'b', "i"},
    {SpvOpRayQueryGetIntersectionCandidateAABBOpaqueKHR, 'b', ""},
    {SpvOpRayQueryGetIntersectionObjectRayDirectionKHR, '3', "i"},
    {SpvOpRayQueryGetIntersectionObjectRayOriginKHR, '3', "i"},
    {SpvOpRayQueryGetWorldRayDirectionKHR, '3', ""},
    {SpvOpRayQueryGetWorldRayOriginKHR, '3', ""},
    {SpvOpRayQueryGetIntersectionObjectToWorldKHR, 'm', "i"},
    {SpvOpRayQueryGetIntersectionWorldToObjectKHR, 'm', "i"},
};

static const char *name_of(char letter)
{
    switch (letter) {
    case 'a':
        return "an acceleration structure";
    case 'u':
        return "a 32-bit int scalar";
    case 'f':
        return "a 32-bit float scalar";
    case '2':
        return "a vector of two 32-bit floats";
    case '3':
        return "a vector of three 32-bit floats";
    case 'b':
        return "a bool";
    case 'm':
        return "a matrix of four columns of three floats";
    default:
        return "a constant 0 or 1";
    }
}

static bool is(const struct wf_shader_module *module, const struct wf_shader_type *type,
               char letter)
{
    if (!type)
        return false;
    if (letter == 'a')
        return type->kind == WF_SHADER_TYPE_ACCELERATION_STRUCTURE;
    if (letter == 'm')
        return type->kind == WF_SHADER_TYPE_MATRIX && type->count == 4 &&
               is(module, wf_shader_type(module, type->component), '3');
    const struct wf_shader_shape shape = wf_shader_shape_of(module, type->id);
    if (letter == 'b')
        return shape.kind == WF_SHADER_TYPE_BOOL && shape.count == 1;
    const uint32_t count = letter == '2' || letter == '3' ? (uint32_t)(letter - '0') : 1;
    return shape.kind == (letter == 'u' ? WF_SHADER_TYPE_INT : WF_SHADER_TYPE_FLOAT) &&
           shape.width == 32 && shape.count == count;
}

static bool check_operand(struct wf_shader_reader *reader, uint32_t at, char letter)
{
    if (letter != 'i')
        return is(reader->module, wf_shader_operand_type(reader, at), letter) ||
               wf_shader_fail_operand(reader, at, name_of(letter));
    const struct wf_shader_constant *which =
        wf_shader_constant(reader->module, reader->ins.operands[at]);
    return (which && which->value <= 1 &&
            is(reader->module, wf_shader_type(reader->module, which->type), 'u')) ||
           wf_shader_fail_operand(reader, at, "a constant 0 or 1");
}

/// An address in 64 bits, or in two times 32.
static bool verify_address(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *type = wf_shader_operand_type(reader, 0);
    const struct wf_shader_shape shape = wf_shader_shape_of(reader->module, type ? type->id : 0);
    if (!is(reader->module, wf_shader_type(reader->module, reader->ins.type), 'a'))
        return wf_shader_fail_result(reader, "an acceleration structure");
    return (shape.kind == WF_SHADER_TYPE_INT && shape.width * shape.count == 64) ||
           wf_shader_fail_operand(reader, 0, "64 bits of int");
}

static bool verify_query(struct wf_shader_reader *reader, const struct rule *rule)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_type *pointer = wf_shader_operand_type(reader, 0);
    const struct wf_shader_type *query = pointer && pointer->kind == WF_SHADER_TYPE_POINTER
                                             ? wf_shader_type(module, pointer->component)
                                             : NULL;
    if (!query || query->kind != WF_SHADER_TYPE_RAY_QUERY)
        return wf_shader_fail_operand(reader, 0, "a pointer to a ray query");
    if (rule->result && !is(module, wf_shader_type(module, reader->ins.type), rule->result))
        return wf_shader_fail_result(reader, name_of(rule->result));
    for (uint32_t i = 0; rule->operands[i] != '\0'; i++) {
        if (!check_operand(reader, i + 1, rule->operands[i]))
            return false;
    }
    return true;
}

bool wf_shader_verify_ray(struct wf_shader_reader *reader, bool *known)
{
    const uint16_t opcode = reader->ins.opcode;
    *known = opcode == SpvOpConvertUToAccelerationStructureKHR;
    if (*known)
        return verify_address(reader);
    for (uint32_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].opcode != opcode)
            continue;
        *known = true;
        return verify_query(reader, &rules[i]);
    }
    return true;
}
