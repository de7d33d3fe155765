#include "shader/evaluate.h"

#include "base/half.h"
#include "shader/reader.h"

bool wf_shader_can_evaluate(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpSConvert:
    case SpvOpUConvert:
    case SpvOpFConvert:
    case SpvOpSNegate:
    case SpvOpNot:
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpUDiv:
    case SpvOpSDiv:
    case SpvOpUMod:
    case SpvOpSRem:
    case SpvOpSMod:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
    case SpvOpShiftLeftLogical:
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
    case SpvOpBitwiseAnd:
    case SpvOpVectorShuffle:
    case SpvOpCompositeExtract:
    case SpvOpCompositeInsert:
    case SpvOpLogicalOr:
    case SpvOpLogicalAnd:
    case SpvOpLogicalNot:
    case SpvOpLogicalEqual:
    case SpvOpLogicalNotEqual:
    case SpvOpSelect:
    case SpvOpIEqual:
    case SpvOpINotEqual:
    case SpvOpULessThan:
    case SpvOpSLessThan:
    case SpvOpUGreaterThan:
    case SpvOpSGreaterThan:
    case SpvOpULessThanEqual:
    case SpvOpSLessThanEqual:
    case SpvOpUGreaterThanEqual:
    case SpvOpSGreaterThanEqual:
    case SpvOpQuantizeToF16:
        return true;
    default:
        return false;
    }
}

static int64_t sign_extend(uint64_t bits, uint32_t width)
{
    if (width >= 64)
        return (int64_t)bits;
    const uint64_t sign = (uint64_t)1 << (width - 1);
    return (int64_t)((bits ^ sign) - sign);
}

static uint64_t divide(uint32_t opcode, uint64_t a, uint64_t b, uint32_t width)
{
    const int64_t x = sign_extend(a, width);
    const int64_t y = sign_extend(b, width);
    if (b == 0)
        return 0;
    if (opcode == SpvOpUDiv)
        return a / b;
    if (opcode == SpvOpUMod)
        return a % b;
    if (y == -1) // the smallest number divided by -1 does not fit; wrap like a multiplication
        return opcode == SpvOpSDiv ? 0 - a : 0;
    if (opcode == SpvOpSDiv)
        return (uint64_t)(x / y);
    const int64_t rest = x % y;
    if (opcode == SpvOpSMod && rest != 0 && (rest < 0) != (y < 0))
        return (uint64_t)(rest + y);
    return (uint64_t)rest;
}

static uint64_t shift(uint32_t opcode, uint64_t a, uint64_t count, uint32_t width)
{
    if (count >= width)
        return opcode == SpvOpShiftRightArithmetic && sign_extend(a, width) < 0 ? UINT64_MAX : 0;
    if (opcode == SpvOpShiftLeftLogical)
        return a << count;
    if (opcode == SpvOpShiftRightLogical)
        return a >> count;
    return (uint64_t)(sign_extend(a, width) >> count);
}

/// Two operands of `width` bits; the caller masks the result.
static uint64_t binary(uint32_t opcode, uint64_t a, uint64_t b, uint32_t width)
{
    const int64_t x = sign_extend(a, width);
    const int64_t y = sign_extend(b, width);
    switch (opcode) {
    case SpvOpIAdd:
        return a + b;
    case SpvOpISub:
        return a - b;
    case SpvOpIMul:
        return a * b;
    case SpvOpUDiv:
    case SpvOpSDiv:
    case SpvOpUMod:
    case SpvOpSRem:
    case SpvOpSMod:
        return divide(opcode, a, b, width);
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
    case SpvOpShiftLeftLogical:
        return shift(opcode, a, b, width);
    case SpvOpBitwiseOr:
    case SpvOpLogicalOr:
        return a | b;
    case SpvOpBitwiseXor:
        return a ^ b;
    case SpvOpBitwiseAnd:
    case SpvOpLogicalAnd:
        return a & b;
    case SpvOpIEqual:
    case SpvOpLogicalEqual:
        return a == b;
    case SpvOpINotEqual:
    case SpvOpLogicalNotEqual:
        return a != b;
    case SpvOpULessThan:
        return a < b;
    case SpvOpULessThanEqual:
        return a <= b;
    case SpvOpUGreaterThan:
        return a > b;
    case SpvOpUGreaterThanEqual:
        return a >= b;
    case SpvOpSLessThan:
        return x < y;
    case SpvOpSLessThanEqual:
        return x <= y;
    case SpvOpSGreaterThan:
        return x > y;
    case SpvOpSGreaterThanEqual:
        return x >= y;
    default:
        return 0;
    }
}

static double to_double(uint64_t bits, uint32_t width)
{
    if (width == 64)
        return wf_base_double_from_bits(bits);
    if (width == 16)
        return wf_base_half_to_float((uint16_t)bits);
    return wf_base_float_from_bits((uint32_t)bits);
}

static uint64_t from_double(double value, uint32_t width)
{
    if (width == 64)
        return wf_base_double_bits(value);
    const float narrow = (float)value;
    return width == 16 ? wf_base_half_from_float(narrow) : wf_base_float_bits(narrow);
}

static uint64_t unary(uint32_t opcode, uint64_t a, uint32_t from, uint32_t to)
{
    switch (opcode) {
    case SpvOpSNegate:
        return 0 - a;
    case SpvOpNot:
        return ~a;
    case SpvOpLogicalNot:
        return a ^ 1;
    case SpvOpSConvert:
        return (uint64_t)sign_extend(a, from);
    case SpvOpFConvert:
        return from_double(to_double(a, from), to);
    case SpvOpQuantizeToF16:
        return from_double(to_double(from_double(to_double(a, from), 16), 16), to);
    default:
        return a; // OpUConvert
    }
}

/// The value of an operand, zero if it has none.
static struct wf_shader_value operand(const struct wf_shader_module *module,
                                      const struct wf_shader_value *values, uint32_t id)
{
    const struct wf_shader_constant *constant = wf_shader_constant(module, id);
    return constant ? values[constant - module->constants] : (struct wf_shader_value){{0}};
}

/// OpCompositeExtract: walks composites of any kind down to a scalar or a vector.
static void extract(const struct wf_shader_module *module, const struct wf_shader_instruction *ins,
                    const struct wf_shader_value *values, struct wf_shader_value *out)
{
    uint32_t id = ins->operands[1];
    for (uint32_t i = 2; i < ins->operand_count; i++) {
        const struct wf_shader_constant *constant = wf_shader_constant(module, id);
        const struct wf_shader_type *type = wf_shader_type_of(module, id);
        if (!constant || !type)
            return;
        if (type->kind == WF_SHADER_TYPE_VECTOR) {
            const uint32_t index = ins->operands[i];
            out->component[0] =
                index < 4 ? values[constant - module->constants].component[index] : 0;
            return;
        }
        const struct wf_shader_instruction parts = wf_shader_at(module, constant->word);
        const bool composite = constant->opcode == SpvOpConstantComposite ||
                               constant->opcode == SpvOpSpecConstantComposite;
        if (!composite || ins->operands[i] >= parts.operand_count)
            return; // OpConstantNull or OpUndef: zero
        id = parts.operands[ins->operands[i]];
    }
    *out = operand(module, values, id);
}

static void shuffle(const struct wf_shader_module *module, const struct wf_shader_instruction *ins,
                    const struct wf_shader_value *values, struct wf_shader_value *out)
{
    const struct wf_shader_value a = operand(module, values, ins->operands[1]);
    const struct wf_shader_value b = operand(module, values, ins->operands[2]);
    const uint32_t first = wf_shader_type_of(module, ins->operands[1])->count;
    for (uint32_t i = 3; i < ins->operand_count && i < 7; i++) {
        const uint32_t index = ins->operands[i];
        if (index < first)
            out->component[i - 3] = a.component[index];
        else if (index - first < 4)
            out->component[i - 3] = b.component[index - first];
    }
}

static void insert(const struct wf_shader_module *module, const struct wf_shader_instruction *ins,
                   const struct wf_shader_value *values, struct wf_shader_value *out)
{
    *out = operand(module, values, ins->operands[2]);
    if (ins->operand_count > 3 && ins->operands[3] < 4)
        out->component[ins->operands[3]] = operand(module, values, ins->operands[1]).component[0];
}

static uint32_t width_of(const struct wf_shader_module *module, uint32_t id)
{
    const struct wf_shader_type *type = wf_shader_type_of(module, id);
    return type && type->width != 0 ? type->width : 1;
}

static void componentwise(const struct wf_shader_module *module,
                          const struct wf_shader_instruction *ins,
                          const struct wf_shader_type *type, const struct wf_shader_value *values,
                          struct wf_shader_value *out)
{
    const uint32_t opcode = ins->operands[0];
    const uint32_t *ids = ins->operands + 1;
    const uint32_t operands = ins->operand_count - 1u;
    const uint32_t count = type->kind == WF_SHADER_TYPE_VECTOR ? type->count : 1;
    const uint32_t width = type->width != 0 ? type->width : 1;
    const uint32_t from = width_of(module, ids[0]);
    const struct wf_shader_value a = operand(module, values, ids[0]);
    const struct wf_shader_value b = operands > 1 ? operand(module, values, ids[1]) : a;
    const struct wf_shader_value c = operands > 2 ? operand(module, values, ids[2]) : a;
    const struct wf_shader_type *condition = wf_shader_type_of(module, ids[0]);
    const bool one_condition = condition && condition->kind == WF_SHADER_TYPE_BOOL;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits;
        if (opcode == SpvOpSelect)
            bits = a.component[one_condition ? 0 : i] != 0 ? b.component[i] : c.component[i];
        else if (operands == 1)
            bits = unary(opcode, a.component[i], from, width);
        else
            bits = binary(opcode, a.component[i], b.component[i], from);
        out->component[i] = bits & wf_shader_width_mask(width);
    }
}

void wf_shader_evaluate_operation(const struct wf_shader_module *module,
                                  const struct wf_shader_instruction *ins,
                                  const struct wf_shader_type *type,
                                  const struct wf_shader_value *values, struct wf_shader_value *out)
{
    switch (ins->operands[0]) {
    case SpvOpCompositeExtract:
        extract(module, ins, values, out);
        break;
    case SpvOpVectorShuffle:
        shuffle(module, ins, values, out);
        break;
    case SpvOpCompositeInsert:
        insert(module, ins, values, out);
        break;
    default:
        componentwise(module, ins, type, values, out);
        break;
    }
}
