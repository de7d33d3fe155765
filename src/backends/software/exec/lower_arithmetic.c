#include "backends/software/exec/lower.h"

uint32_t wf_sw_sign_extend(struct wf_sw_lower *l, uint32_t value, uint32_t width)
{
    if (width >= 32)
        return value;
    const uint32_t by = wf_sw_ir_const(l->ir, 32 - width);
    return wf_sw_ir_bin(l->ir, WF_SW_IR_SAR, wf_sw_ir_bin(l->ir, WF_SW_IR_SHL, value, by), by);
}

uint32_t wf_sw_truncate(struct wf_sw_lower *l, uint32_t value, uint32_t width)
{
    if (width >= 32)
        return value;
    return wf_sw_ir_bin(l->ir, WF_SW_IR_AND, value, wf_sw_ir_const(l->ir, (1u << width) - 1));
}

uint32_t wf_sw_carry(struct wf_sw_lower *l, uint32_t sum, uint32_t part)
{
    return wf_sw_ir_bin(l->ir, WF_SW_IR_AND, wf_sw_ir_bin(l->ir, WF_SW_IR_ULT, sum, part),
                        wf_sw_ir_const(l->ir, 1));
}

// ---- floats of any width -----------------------------------------------------------------------

/// The function that does for 64 bits what a simple operation does for 32.
static uint32_t wide_float(struct wf_sw_lower *l, uint32_t op)
{
    switch (op) {
    case WF_SW_IR_FADD:
        return WF_SW_FUN_DADD;
    case WF_SW_IR_FSUB:
        return WF_SW_FUN_DSUB;
    case WF_SW_IR_FMUL:
        return WF_SW_FUN_DMUL;
    case WF_SW_IR_FDIV:
        return WF_SW_FUN_DDIV;
    case WF_SW_IR_FMIN:
        return WF_SW_FUN_DMIN;
    case WF_SW_IR_FMAX:
        return WF_SW_FUN_DMAX;
    case WF_SW_IR_FSQRT:
        return WF_SW_FUN_DSQRT;
    case WF_SW_IR_FFLOOR:
        return WF_SW_FUN_DFLOOR;
    case WF_SW_IR_FTRUNC:
        return WF_SW_FUN_DTRUNC;
    case WF_SW_IR_FROUND:
        return WF_SW_FUN_DROUND;
    default:
        wf_sw_fail(l->ir, "not supported for 64-bit floats");
    }
}

uint32_t wf_sw_round(struct wf_sw_lower *l, uint32_t value, uint32_t width)
{
    return width == 16 ? wf_sw_ir_call(l->ir, WF_SW_FUN_QUANT16, &value, 1) : value;
}

static void call_pair(struct wf_sw_lower *l, uint32_t fun, const uint32_t *args, uint32_t count,
                      uint32_t *out)
{
    const uint32_t first = wf_sw_ir_add(l->ir, WF_SW_IR_CALL, fun, args, count, 2);
    out[0] = first;
    out[1] = first + 1;
}

void wf_sw_float_un(struct wf_sw_lower *l, uint32_t op, uint32_t width, const uint32_t *a,
                    uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    if (width == 64 && (op == WF_SW_IR_FNEG || op == WF_SW_IR_FABS)) {
        const uint32_t high = wf_sw_ir_un(ir, op, a[1]);
        out[0] = a[0];
        out[1] = high;
        return;
    }
    if (width == 64) {
        call_pair(l, wide_float(l, op), a, 2, out);
        return;
    }
    out[0] = wf_sw_round(l, wf_sw_ir_un(ir, op, a[0]), width);
}

void wf_sw_float_bin(struct wf_sw_lower *l, uint32_t op, uint32_t width, const uint32_t *a,
                     const uint32_t *b, uint32_t *out)
{
    if (width == 64) {
        const uint32_t args[4] = {a[0], a[1], b[0], b[1]};
        call_pair(l, wide_float(l, op), args, 4, out);
        return;
    }
    out[0] = wf_sw_round(l, wf_sw_ir_bin(l->ir, op, a[0], b[0]), width);
}

void wf_sw_float_dot(struct wf_sw_lower *l, uint32_t width, struct wf_sw_floats a,
                     struct wf_sw_floats b, uint32_t n, uint32_t *out)
{
    const size_t words = width == 64 ? 2 : 1;
    uint32_t sum[2] = {0}, product[2];
    for (uint32_t i = 0; i < n; i++) {
        wf_sw_float_bin(l, WF_SW_IR_FMUL, width, a.words + i * words * a.stride,
                        b.words + i * words * b.stride, product);
        if (i == 0)
            memcpy(sum, product, sizeof sum);
        else
            wf_sw_float_bin(l, WF_SW_IR_FADD, width, sum, product, sum);
    }
    memcpy(out, sum, words * sizeof *out);
}

// ---- componentwise operations ------------------------------------------------------------------

enum shape {
    FLOAT_UN,
    FLOAT_BIN,
    FLOAT_CALL,    ///< A function of two.
    FLOAT_COMPARE, ///< False with a NaN.
    INT_UN,
    INT_BIN,   ///< The sign does not matter.
    INT_CALL,  ///< A function of two.
    INT_SHIFT, ///< The second operand may have another width.
    INT_COMPARE,
    BOOL_BIN,
};

struct rule {
    uint16_t opcode;
    uint8_t shape;  ///< enum shape
    uint16_t op;    ///< enum wf_sw_ir_op, or enum wf_sw_fun of a function
    uint16_t wide;  ///< enum wf_sw_fun for 64 bits
    bool is_signed; ///< Narrow operands are sign-extended.
    bool swap;      ///< Operands.
    bool invert;    ///< The result.
    bool ordered;   ///< Not-equal that is false with a NaN, or its inverse.
};

static const struct rule rules[] = {
    {SpvOpFNegate, FLOAT_UN, .op = WF_SW_IR_FNEG},
    {SpvOpFAdd, FLOAT_BIN, .op = WF_SW_IR_FADD},
    {SpvOpFSub, FLOAT_BIN, .op = WF_SW_IR_FSUB},
    {SpvOpFMul, FLOAT_BIN, .op = WF_SW_IR_FMUL},
    {SpvOpFDiv, FLOAT_BIN, .op = WF_SW_IR_FDIV},
    {SpvOpFRem, FLOAT_CALL, .op = WF_SW_FUN_FREM, .wide = WF_SW_FUN_DREM},
    {SpvOpFMod, FLOAT_CALL, .op = WF_SW_FUN_FMOD, .wide = WF_SW_FUN_DMOD},
    {SpvOpFOrdEqual, FLOAT_COMPARE, .op = WF_SW_IR_FEQ, .wide = WF_SW_FUN_DEQ},
    {SpvOpFUnordNotEqual, FLOAT_COMPARE, .op = WF_SW_IR_FNE, .wide = WF_SW_FUN_DNE},
    {SpvOpFOrdNotEqual, FLOAT_COMPARE, .op = WF_SW_IR_FLT, .wide = WF_SW_FUN_DLT, .ordered = true},
    {SpvOpFUnordEqual, FLOAT_COMPARE, .op = WF_SW_IR_FLT, .wide = WF_SW_FUN_DLT, .ordered = true,
     .invert = true},
    {SpvOpFOrdLessThan, FLOAT_COMPARE, .op = WF_SW_IR_FLT, .wide = WF_SW_FUN_DLT},
    {SpvOpFOrdGreaterThan, FLOAT_COMPARE, .op = WF_SW_IR_FLT, .wide = WF_SW_FUN_DLT, .swap = true},
    {SpvOpFOrdLessThanEqual, FLOAT_COMPARE, .op = WF_SW_IR_FLE, .wide = WF_SW_FUN_DLE},
    {SpvOpFOrdGreaterThanEqual, FLOAT_COMPARE, .op = WF_SW_IR_FLE, .wide = WF_SW_FUN_DLE,
     .swap = true},
    {SpvOpFUnordGreaterThanEqual, FLOAT_COMPARE, .op = WF_SW_IR_FLT, .wide = WF_SW_FUN_DLT,
     .invert = true},
    {SpvOpFUnordLessThanEqual, FLOAT_COMPARE, .op = WF_SW_IR_FLT, .wide = WF_SW_FUN_DLT,
     .swap = true, .invert = true},
    {SpvOpFUnordGreaterThan, FLOAT_COMPARE, .op = WF_SW_IR_FLE, .wide = WF_SW_FUN_DLE,
     .invert = true},
    {SpvOpFUnordLessThan, FLOAT_COMPARE, .op = WF_SW_IR_FLE, .wide = WF_SW_FUN_DLE, .swap = true,
     .invert = true},
    {SpvOpSNegate, INT_UN, .op = WF_SW_IR_INEG},
    {SpvOpNot, INT_UN, .op = WF_SW_IR_NOT},
    {SpvOpIAdd, INT_BIN, .op = WF_SW_IR_IADD, .wide = WF_SW_FUN_IADD64},
    {SpvOpISub, INT_BIN, .op = WF_SW_IR_ISUB, .wide = WF_SW_FUN_ISUB64},
    {SpvOpIMul, INT_BIN, .op = WF_SW_IR_IMUL, .wide = WF_SW_FUN_IMUL64},
    {SpvOpUDiv, INT_CALL, .op = WF_SW_FUN_UDIV, .wide = WF_SW_FUN_UDIV64},
    {SpvOpUMod, INT_CALL, .op = WF_SW_FUN_UMOD, .wide = WF_SW_FUN_UMOD64},
    {SpvOpSDiv, INT_CALL, .op = WF_SW_FUN_SDIV, .wide = WF_SW_FUN_SDIV64, .is_signed = true},
    {SpvOpSRem, INT_CALL, .op = WF_SW_FUN_SREM, .wide = WF_SW_FUN_SREM64, .is_signed = true},
    {SpvOpSMod, INT_CALL, .op = WF_SW_FUN_SMOD, .wide = WF_SW_FUN_SMOD64, .is_signed = true},
    {SpvOpBitwiseAnd, BOOL_BIN, .op = WF_SW_IR_AND},
    {SpvOpBitwiseOr, BOOL_BIN, .op = WF_SW_IR_OR},
    {SpvOpBitwiseXor, BOOL_BIN, .op = WF_SW_IR_XOR},
    {SpvOpShiftLeftLogical, INT_SHIFT, .op = WF_SW_IR_SHL, .wide = WF_SW_FUN_SHL64},
    {SpvOpShiftRightLogical, INT_SHIFT, .op = WF_SW_IR_SHR, .wide = WF_SW_FUN_SHR64},
    {SpvOpShiftRightArithmetic, INT_SHIFT, .op = WF_SW_IR_SAR, .wide = WF_SW_FUN_SAR64,
     .is_signed = true},
    {SpvOpIEqual, INT_COMPARE, .op = WF_SW_IR_IEQ, .wide = WF_SW_FUN_IEQ64},
    {SpvOpINotEqual, INT_COMPARE, .op = WF_SW_IR_IEQ, .wide = WF_SW_FUN_IEQ64, .invert = true},
    {SpvOpULessThan, INT_COMPARE, .op = WF_SW_IR_ULT, .wide = WF_SW_FUN_ULT64},
    {SpvOpUGreaterThan, INT_COMPARE, .op = WF_SW_IR_ULT, .wide = WF_SW_FUN_ULT64, .swap = true},
    {SpvOpULessThanEqual, INT_COMPARE, .op = WF_SW_IR_ULE, .wide = WF_SW_FUN_ULE64},
    {SpvOpUGreaterThanEqual, INT_COMPARE, .op = WF_SW_IR_ULE, .wide = WF_SW_FUN_ULE64,
     .swap = true},
    {SpvOpSLessThan, INT_COMPARE, .op = WF_SW_IR_SLT, .wide = WF_SW_FUN_SLT64, .is_signed = true},
    {SpvOpSGreaterThan, INT_COMPARE, .op = WF_SW_IR_SLT, .wide = WF_SW_FUN_SLT64, .is_signed = true,
     .swap = true},
    {SpvOpSLessThanEqual, INT_COMPARE, .op = WF_SW_IR_SLE, .wide = WF_SW_FUN_SLE64,
     .is_signed = true},
    {SpvOpSGreaterThanEqual, INT_COMPARE, .op = WF_SW_IR_SLE, .wide = WF_SW_FUN_SLE64,
     .is_signed = true, .swap = true},
    {SpvOpLogicalAnd, BOOL_BIN, .op = WF_SW_IR_AND},
    {SpvOpLogicalOr, BOOL_BIN, .op = WF_SW_IR_OR},
    {SpvOpLogicalEqual, BOOL_BIN, .op = WF_SW_IR_XOR, .invert = true},
    {SpvOpLogicalNotEqual, BOOL_BIN, .op = WF_SW_IR_XOR},
};

static uint32_t compare(struct wf_sw_lower *l, const struct rule *r, uint32_t width,
                        const uint32_t *a, const uint32_t *b)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t value;
    if (width == 64) {
        const uint32_t args[4] = {a[0], a[1], b[0], b[1]}, back[4] = {b[0], b[1], a[0], a[1]};
        value = wf_sw_ir_call(ir, r->wide, args, 4);
        if (r->ordered)
            value = wf_sw_ir_bin(ir, WF_SW_IR_OR, value, wf_sw_ir_call(ir, r->wide, back, 4));
    } else {
        value = wf_sw_ir_bin(ir, r->op, a[0], b[0]);
        if (r->ordered)
            value = wf_sw_ir_bin(ir, WF_SW_IR_OR, value, wf_sw_ir_bin(ir, r->op, b[0], a[0]));
    }
    return r->invert ? wf_sw_ir_un(ir, WF_SW_IR_NOT, value) : value;
}

static void int_call(struct wf_sw_lower *l, const struct rule *r, uint32_t width, const uint32_t *a,
                     const uint32_t *b, uint32_t *out)
{
    if (width == 64) {
        const uint32_t args[4] = {a[0], a[1], b[0], b[1]};
        call_pair(l, r->wide, args, 4, out);
        return;
    }
    const uint32_t args[2] = {a[0], b[0]};
    out[0] = wf_sw_truncate(l, wf_sw_ir_call(l->ir, r->op, args, 2), width);
}

static void int_un(struct wf_sw_lower *l, const struct rule *r, uint32_t width, const uint32_t *a,
                   uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    if (width != 64) {
        out[0] = wf_sw_truncate(l, wf_sw_ir_un(ir, r->op, a[0]), width);
    } else if (r->op == WF_SW_IR_NOT) {
        out[0] = wf_sw_ir_un(ir, WF_SW_IR_NOT, a[0]);
        out[1] = wf_sw_ir_un(ir, WF_SW_IR_NOT, a[1]);
    } else {
        const uint32_t zero = wf_sw_ir_const(ir, 0);
        const uint32_t args[4] = {zero, zero, a[0], a[1]};
        call_pair(l, WF_SW_FUN_ISUB64, args, 4, out);
    }
}

/// One scalar: `a` and `b` are its words, narrow ones extended as the rule wants it.
static void apply(struct wf_sw_lower *l, const struct rule *r, uint32_t width, const uint32_t *a,
                  const uint32_t *b, uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    switch (r->shape) {
    case FLOAT_UN:
        wf_sw_float_un(l, r->op, width, a, out);
        break;
    case FLOAT_BIN:
        wf_sw_float_bin(l, r->op, width, a, b, out);
        break;
    case FLOAT_CALL:
        int_call(l, r, width == 16 ? 32 : width, a, b, out);
        out[0] = wf_sw_round(l, out[0], width);
        break;
    case INT_UN:
        int_un(l, r, width, a, out);
        break;
    case INT_BIN:
        if (width == 64)
            int_call(l, r, width, a, b, out);
        else
            out[0] = wf_sw_truncate(l, wf_sw_ir_bin(ir, r->op, a[0], b[0]), width);
        break;
    case INT_CALL:
        int_call(l, r, width, a, b, out);
        break;
    case INT_SHIFT:
        if (width == 64) {
            const uint32_t args[3] = {a[0], a[1], b[0]};
            call_pair(l, r->wide, args, 3, out);
        } else {
            out[0] = wf_sw_truncate(l, wf_sw_ir_bin(ir, r->op, a[0], b[0]), width);
        }
        break;
    case FLOAT_COMPARE:
    case INT_COMPARE:
        out[0] = compare(l, r, width, a, b);
        break;
    default: // BOOL_BIN: word by word
        for (uint32_t k = 0; k < (width == 64 ? 2u : 1u); k++) {
            out[k] = wf_sw_ir_bin(ir, r->op, a[k], b[k]);
            if (r->invert)
                out[k] = wf_sw_ir_un(ir, WF_SW_IR_NOT, out[k]);
        }
        break;
    }
}

static void lower_by_rule(struct wf_sw_lower *l, const struct wf_shader_instruction *i,
                          const struct rule *r)
{
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    const struct wf_shader_type *scalar =
        wf_sw_scalar_of(l, wf_shader_type_of(l->module, i->operands[0]));
    const uint32_t width = scalar->kind == WF_SHADER_TYPE_BOOL ? 32 : scalar->width;
    const size_t words = width == 64 ? 2 : 1;
    const uint32_t n = wf_sw_scalars(l, t);
    const bool binary = i->operand_count > 1;
    const bool extend = r->is_signed && width < 32;
    const size_t total = wf_sw_type_words(l, i->type), out_words = total / n;
    uint32_t *out = wf_sw_ir_alloc(l->ir, total + 1, sizeof *out);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t a[2], b[2] = {0};
        const uint32_t b_words = r->shape == INT_SHIFT
                                     ? wf_sw_type_words(l, l->module->ids[i->operands[1]].type) / n
                                     : words;
        for (uint32_t k = 0; k < words; k++)
            a[k] = wf_sw_word(l, i->operands[0], c * words + k);
        for (uint32_t k = 0; binary && k < b_words; k++)
            b[k] = wf_sw_word(l, i->operands[1], c * b_words + k);
        if (extend) {
            a[0] = wf_sw_sign_extend(l, a[0], width);
            if (binary && r->shape != INT_SHIFT)
                b[0] = wf_sw_sign_extend(l, b[0], width);
        }
        if (r->swap)
            apply(l, r, width, b, a, out + c * out_words);
        else
            apply(l, r, width, a, b, out + c * out_words);
    }
    memcpy(wf_sw_define(l, i->id, total), out, total * sizeof *out);
}

// ---- vectors and matrices ----------------------------------------------------------------------

struct matrix {
    const uint32_t *words;
    uint32_t columns, rows;
};

static uint32_t *copy_value(struct wf_sw_lower *l, uint32_t id)
{
    const uint32_t count = wf_sw_type_words(l, l->module->ids[id].type);
    uint32_t *words = wf_sw_ir_alloc(l->ir, count, sizeof *words);
    wf_sw_copy_words(l, id, words, count);
    return words;
}

static struct matrix matrix_of(struct wf_sw_lower *l, uint32_t id)
{
    const struct wf_shader_type *t = wf_shader_type_of(l->module, id);
    struct matrix m = {.words = copy_value(l, id), .columns = 1};
    if (t->kind == WF_SHADER_TYPE_MATRIX) {
        m.columns = t->count;
        t = wf_sw_type(l, t->component);
    }
    m.rows = t->kind == WF_SHADER_TYPE_VECTOR ? t->count : 1;
    return m;
}

/// `out` column j, row i: the sum over k of a's column k, row i times b's column j, row k.
static void multiply(struct wf_sw_lower *l, uint32_t width, const struct matrix *a,
                     const struct matrix *b, uint32_t *out)
{
    const size_t words = width == 64 ? 2 : 1;
    for (uint32_t j = 0; j < b->columns; j++) {
        for (uint32_t i = 0; i < a->rows; i++)
            wf_sw_float_dot(l, width, (struct wf_sw_floats){a->words + i * words, a->rows},
                            (struct wf_sw_floats){b->words + words * j * b->rows, 1}, a->columns,
                            out + words * (j * a->rows + i));
    }
}

static void scale(struct wf_sw_lower *l, uint32_t width, const uint32_t *a, const uint32_t *factor,
                  uint32_t n, uint32_t *out)
{
    const size_t words = width == 64 ? 2 : 1;
    for (uint32_t i = 0; i < n; i++)
        wf_sw_float_bin(l, WF_SW_IR_FMUL, width, a + i * words, factor, out + i * words);
}

static bool lower_matrix(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    const uint32_t width = wf_sw_scalar_of(l, t)->width;
    const size_t words = width == 64 ? 2 : 1;
    const uint32_t total = wf_sw_type_words(l, i->type);
    const struct matrix a = matrix_of(l, i->operands[0]);
    struct matrix b = a;
    if (i->operand_count > 1)
        b = matrix_of(l, i->operands[1]);
    uint32_t *out = wf_sw_ir_alloc(l->ir, total, sizeof *out);
    switch (i->opcode) {
    case SpvOpDot:
        wf_sw_float_dot(l, width, (struct wf_sw_floats){a.words, 1},
                        (struct wf_sw_floats){b.words, 1}, a.rows, out);
        break;
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        scale(l, width, a.words, b.words, a.columns * a.rows, out);
        break;
    case SpvOpVectorTimesMatrix: // the vector is a row
        for (uint32_t j = 0; j < b.columns; j++)
            wf_sw_float_dot(l, width, (struct wf_sw_floats){a.words, 1},
                            (struct wf_sw_floats){b.words + words * j * b.rows, 1}, b.rows,
                            out + j * words);
        break;
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
        multiply(l, width, &a, &b, out);
        break;
    case SpvOpOuterProduct:
        for (uint32_t j = 0; j < b.rows; j++)
            scale(l, width, a.words, b.words + j * words, a.rows, out + words * j * a.rows);
        break;
    default: // Transpose
        for (uint32_t j = 0; j < a.columns; j++) {
            for (uint32_t k = 0; k < a.rows; k++)
                memcpy(out + words * (k * a.columns + j), a.words + words * (j * a.rows + k),
                       words * sizeof *out);
        }
        break;
    }
    memcpy(wf_sw_define(l, i->id, total), out, total * sizeof *out);
    return true;
}

// ---- the rest ----------------------------------------------------------------------------------

static void mul_high_wide(struct wf_sw_lower *l, bool is_signed, const uint32_t *a, uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    call_pair(l, WF_SW_FUN_UMULHI64, a, 4, out);
    for (uint32_t k = 0; is_signed && k < 2; k++) { // a negative factor is 2^64 too large
        const uint32_t sign = wf_sw_ir_bin(ir, WF_SW_IR_SAR, a[k * 2 + 1], wf_sw_ir_const(ir, 31));
        const uint32_t args[4] = {out[0], out[1],
                                  wf_sw_ir_bin(ir, WF_SW_IR_AND, sign, a[2 - k * 2]),
                                  wf_sw_ir_bin(ir, WF_SW_IR_AND, sign, a[3 - k * 2])};
        call_pair(l, WF_SW_FUN_ISUB64, args, 4, out);
    }
}

/// One scalar of 64 bits.
static void extend_wide(struct wf_sw_lower *l, uint16_t opcode, const uint32_t *a, uint32_t *low,
                        uint32_t *high)
{
    const bool is_add = opcode == SpvOpIAddCarry;
    if (!is_add && opcode != SpvOpISubBorrow) {
        call_pair(l, WF_SW_FUN_IMUL64, a, 4, low);
        mul_high_wide(l, opcode == SpvOpSMulExtended, a, high);
        return;
    }
    call_pair(l, is_add ? WF_SW_FUN_IADD64 : WF_SW_FUN_ISUB64, a, 4, low);
    const uint32_t sum[4] = {low[0], low[1], a[0], a[1]};
    high[0] = wf_sw_ir_bin(l->ir, WF_SW_IR_AND,
                           wf_sw_ir_call(l->ir, WF_SW_FUN_ULT64, is_add ? sum : a, 4),
                           wf_sw_ir_const(l->ir, 1));
    high[1] = wf_sw_ir_const(l->ir, 0);
}

/// One scalar of up to 32 bits; narrow ones are computed in 32.
static void extend(struct wf_sw_lower *l, uint16_t opcode, uint32_t width, const uint32_t *in,
                   uint32_t *low, uint32_t *high)
{
    struct wf_sw_ir *ir = l->ir;
    const bool is_signed = opcode == SpvOpSMulExtended;
    uint32_t a[2] = {in[0], in[1]};
    for (uint32_t k = 0; is_signed && k < 2; k++)
        a[k] = wf_sw_sign_extend(l, a[k], width);
    const uint32_t op = opcode == SpvOpIAddCarry    ? WF_SW_IR_IADD
                        : opcode == SpvOpISubBorrow ? WF_SW_IR_ISUB
                                                    : WF_SW_IR_IMUL;
    const uint32_t whole = wf_sw_ir_bin(ir, op, a[0], a[1]);
    *low = wf_sw_truncate(l, whole, width);
    if (opcode == SpvOpISubBorrow)
        *high = wf_sw_carry(l, a[0], a[1]);
    else if (width < 32)
        *high = wf_sw_truncate(l, wf_sw_ir_bin(ir, WF_SW_IR_SHR, whole, wf_sw_ir_const(ir, width)),
                               width);
    else if (opcode == SpvOpIAddCarry)
        *high = wf_sw_carry(l, whole, a[0]);
    else
        *high = wf_sw_ir_call(ir, is_signed ? WF_SW_FUN_SMULHI : WF_SW_FUN_UMULHI, a, 2);
}

static bool lower_extended_integer(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_shader_type *t = wf_shader_type_of(l->module, i->operands[0]);
    const uint32_t width = wf_sw_scalar_of(l, t)->width, words = width == 64 ? 2 : 1;
    const uint32_t n = wf_sw_scalars(l, t) * words;
    uint32_t *out = wf_sw_ir_alloc(l->ir, n * (size_t)2, sizeof *out);
    for (uint32_t c = 0; c < n; c += words) {
        uint32_t in[4] = {0};
        for (uint32_t k = 0; k < words * 2; k++)
            in[k] = wf_sw_word(l, i->operands[k / words], c + k % words);
        if (words == 2)
            extend_wide(l, i->opcode, in, out + c, out + n + c);
        else
            extend(l, i->opcode, width, in, out + c, out + n + c);
    }
    memcpy(wf_sw_define(l, i->id, n * 2), out, n * (sizeof *out * 2));
    return true;
}

static bool lower_bits(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    static const struct {
        uint16_t opcode, fun;
    } bits[] = {{SpvOpBitFieldInsert, WF_SW_FUN_BFI},
                {SpvOpBitFieldSExtract, WF_SW_FUN_SBFE},
                {SpvOpBitFieldUExtract, WF_SW_FUN_UBFE},
                {SpvOpBitReverse, WF_SW_FUN_BITREV},
                {SpvOpBitCount, WF_SW_FUN_BITCOUNT}};
    for (size_t k = 0; k < sizeof bits / sizeof *bits; k++) {
        if (bits[k].opcode != i->opcode)
            continue;
        const struct wf_shader_type *t = wf_shader_type_of(l->module, i->operands[0]);
        const uint32_t n = wf_sw_scalars(l, t);
        if (wf_sw_scalar_of(l, t)->width != 32)
            wf_sw_fail(l->ir, "supported for 32-bit integers only");
        uint32_t *out = wf_sw_ir_alloc(l->ir, n, sizeof *out);
        for (uint32_t c = 0; c < n; c++) {
            uint32_t args[4];
            const uint32_t scalars = i->opcode == SpvOpBitFieldInsert ? 2 : 1;
            for (uint32_t a = 0; a < i->operand_count && a < 4; a++)
                args[a] = wf_sw_word(l, i->operands[a], a < scalars ? c : 0);
            out[c] = wf_sw_ir_call(l->ir, bits[k].fun, args, i->operand_count);
        }
        memcpy(wf_sw_define(l, i->id, n), out, n * sizeof *out);
        return true;
    }
    return false;
}

static bool lower_tests(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_type *t = wf_shader_type_of(l->module, i->operands[0]);
    const struct wf_shader_type *scalar = wf_sw_scalar_of(l, t);
    const uint32_t n = wf_sw_scalars(l, t);
    uint32_t *out = wf_sw_ir_alloc(ir, n, sizeof *out);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t a[2] = {wf_sw_word(l, i->operands[0], c)};
        switch (i->opcode) {
        case SpvOpIsNan:
        case SpvOpIsInf:
            if (scalar->width == 64) {
                const uint32_t wide[2] = {wf_sw_word(l, i->operands[0], c * 2),
                                          wf_sw_word(l, i->operands[0], c * 2 + 1)};
                // Inf and NaN stay what they are in a narrower format, but so does overflow.
                const uint32_t magnitude =
                    wf_sw_ir_bin(ir, WF_SW_IR_AND, wide[1], wf_sw_ir_const(ir, 0x7fffffffu));
                const uint32_t inf[4] = {wide[0], magnitude, wf_sw_ir_const(ir, 0),
                                         wf_sw_ir_const(ir, 0x7ff00000u)};
                const uint32_t back[4] = {inf[2], inf[3], inf[0], inf[1]};
                out[c] = i->opcode == SpvOpIsInf ? wf_sw_ir_call(ir, WF_SW_FUN_IEQ64, inf, 4)
                                                 : wf_sw_ir_call(ir, WF_SW_FUN_ULT64, back, 4);
            } else {
                out[c] = i->opcode == SpvOpIsNan
                             ? wf_sw_ir_bin(ir, WF_SW_IR_FNE, a[0], a[0])
                             : wf_sw_ir_bin(ir, WF_SW_IR_IEQ, wf_sw_ir_un(ir, WF_SW_IR_FABS, a[0]),
                                            wf_sw_ir_const(ir, 0x7f800000u));
            }
            break;
        case SpvOpLogicalNot:
            out[c] = wf_sw_ir_un(ir, WF_SW_IR_NOT, a[0]);
            break;
        default: // Any, All: folded into out[0]
            out[0] = c == 0 ? a[0]
                            : wf_sw_ir_bin(ir, i->opcode == SpvOpAny ? WF_SW_IR_OR : WF_SW_IR_AND,
                                           out[0], a[0]);
            break;
        }
    }
    const uint32_t total = wf_sw_type_words(l, i->type);
    memcpy(wf_sw_define(l, i->id, total), out, total * sizeof *out);
    return true;
}

bool wf_sw_lower_arithmetic(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (rules[k].opcode == i->opcode) {
            lower_by_rule(l, i, &rules[k]);
            return true;
        }
    }
    switch (i->opcode) {
    case SpvOpDot:
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
    case SpvOpVectorTimesMatrix:
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
    case SpvOpOuterProduct:
    case SpvOpTranspose:
        return lower_matrix(l, i);
    case SpvOpIAddCarry:
    case SpvOpISubBorrow:
    case SpvOpUMulExtended:
    case SpvOpSMulExtended:
        return lower_extended_integer(l, i);
    case SpvOpIsNan:
    case SpvOpIsInf:
    case SpvOpLogicalNot:
    case SpvOpAny:
    case SpvOpAll:
        return lower_tests(l, i);
    default:
        return lower_bits(l, i);
    }
}
