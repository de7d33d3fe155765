#include "backends/software/exec/lower.h"

#include <spirv/unified1/GLSL.std.450.h>

#include "base/half.h"
#include "shader/tables.h"

/// Operands of one instruction, component by component. A number is two words, the second one used
/// by 64-bit numbers only.
struct ext {
    const struct wf_shader_instruction *i;
    const uint32_t *ids; ///< Operands after the instruction's number.
    uint32_t count;
    uint32_t width; ///< Of the result's scalars.
    size_t words;   ///< Of each of them.
    uint32_t n;     ///< Scalars of the result.
    uint32_t *out;
};

typedef uint32_t number[2];

static void operand(struct wf_sw_lower *l, const struct ext *e, uint32_t k, uint32_t c, number out)
{
    out[0] = wf_sw_word(l, e->ids[k], c * e->words);
    out[1] = e->words == 2 ? wf_sw_word(l, e->ids[k], c * 2 + 1) : WF_SW_NONE;
}

static void constant(struct wf_sw_lower *l, uint32_t width, double value, number out)
{
    if (width != 64) {
        out[0] = wf_sw_ir_float(l->ir, (float)value);
        out[1] = WF_SW_NONE;
        return;
    }
    const uint64_t bits = wf_base_double_bits(value);
    out[0] = wf_sw_ir_const(l->ir, (uint32_t)bits);
    out[1] = wf_sw_ir_const(l->ir, (uint32_t)(bits >> 32));
}

static void un(struct wf_sw_lower *l, const struct ext *e, uint32_t op, const number a, number out)
{
    wf_sw_float_un(l, op, e->width, a, out);
}

static void bin(struct wf_sw_lower *l, const struct ext *e, uint32_t op, const number a,
                const number b, number out)
{
    wf_sw_float_bin(l, op, e->width, a, b, out);
}

/// FLT or FNE.
static uint32_t compare(struct wf_sw_lower *l, const struct ext *e, uint32_t op, const number a,
                        const number b)
{
    const uint32_t args[4] = {a[0], a[1], b[0], b[1]};
    return e->width == 64
               ? wf_sw_ir_call(l->ir, op == WF_SW_IR_FLT ? WF_SW_FUN_DLT : WF_SW_FUN_DNE, args, 4)
               : wf_sw_ir_bin(l->ir, op, a[0], b[0]);
}

static uint32_t less(struct wf_sw_lower *l, const struct ext *e, const number a, const number b)
{
    return compare(l, e, WF_SW_IR_FLT, a, b);
}

static void choose(struct wf_sw_lower *l, const struct ext *e, uint32_t condition, const number a,
                   const number b, number out)
{
    for (uint32_t k = 0; k < e->words; k++)
        out[k] = wf_sw_ir_ter(l->ir, WF_SW_IR_SELECT, condition, a[k], b[k]);
}

// ---- componentwise -----------------------------------------------------------------------------

/// The magnitude of an integer, or -1, 0 or 1 for its sign.
static void integer_sign(struct wf_sw_lower *l, const struct ext *e, bool magnitude, const number a,
                         number out)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t zero = wf_sw_ir_const(ir, 0);
    const number x = {wf_sw_sign_extend(l, a[0], e->width), a[1]};
    const uint32_t sign = wf_sw_ir_bin(ir, WF_SW_IR_SAR, x[e->words - 1], wf_sw_ir_const(ir, 31));
    if (magnitude) {
        number minus = {0};
        if (e->words == 2) {
            const uint32_t args[4] = {zero, zero, x[0], x[1]};
            minus[0] = wf_sw_ir_add(ir, WF_SW_IR_CALL, WF_SW_FUN_ISUB64, args, 4, 2);
            minus[1] = minus[0] + 1;
        } else {
            minus[0] = wf_sw_ir_un(ir, WF_SW_IR_INEG, x[0]);
        }
        choose(l, e, sign, minus, x, out);
    } else {
        const uint32_t any = e->words == 2 ? wf_sw_ir_bin(ir, WF_SW_IR_OR, x[0], x[1]) : x[0];
        const uint32_t nonzero = wf_sw_ir_bin(ir, WF_SW_IR_INE, any, zero);
        out[e->words - 1] = sign;
        out[0] = wf_sw_ir_bin(ir, WF_SW_IR_OR, sign,
                              wf_sw_ir_bin(ir, WF_SW_IR_AND, nonzero, wf_sw_ir_const(ir, 1)));
    }
    out[0] = wf_sw_truncate(l, out[0], e->width);
}

/// Minimum or maximum.
static void integer(struct wf_sw_lower *l, const struct ext *e, uint32_t op, const number a,
                    const number b, number out)
{
    const bool is_signed = op == WF_SW_IR_SMIN || op == WF_SW_IR_SMAX;
    const bool is_max = op == WF_SW_IR_SMAX || op == WF_SW_IR_UMAX;
    if (e->width == 64) {
        const uint32_t args[4] = {a[0], a[1], b[0], b[1]};
        const uint32_t below =
            wf_sw_ir_call(l->ir, is_signed ? WF_SW_FUN_SLT64 : WF_SW_FUN_ULT64, args, 4);
        choose(l, e, below, is_max ? b : a, is_max ? a : b, out);
        return;
    }
    uint32_t x = a[0], y = b[0];
    if (is_signed) {
        x = wf_sw_sign_extend(l, x, e->width);
        y = wf_sw_sign_extend(l, y, e->width);
    }
    out[0] = wf_sw_truncate(l, wf_sw_ir_bin(l->ir, op, x, y), e->width);
}

static void call_narrow(struct wf_sw_lower *l, const struct ext *e, uint32_t fun,
                        const uint32_t *args, uint32_t count, number out)
{
    if (e->width == 64)
        wf_sw_fail(l->ir, "not supported for 64-bit numbers");
    out[0] = wf_sw_ir_call(l->ir, fun, args, count);
    out[0] = wf_sw_round(l, out[0], e->width);
}

/// Instructions that are one function.
static bool lower_call(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    enum { FUN1, FUN2, INT_FUN };
    static const struct {
        uint8_t number, kind, fun; ///< enum GLSLstd450, how it is called, enum wf_sw_fun
    } all[] = {
        {GLSLstd450Sin, FUN1, WF_SW_FUN_SIN},
        {GLSLstd450Cos, FUN1, WF_SW_FUN_COS},
        {GLSLstd450Tan, FUN1, WF_SW_FUN_TAN},
        {GLSLstd450Asin, FUN1, WF_SW_FUN_ASIN},
        {GLSLstd450Acos, FUN1, WF_SW_FUN_ACOS},
        {GLSLstd450Atan, FUN1, WF_SW_FUN_ATAN},
        {GLSLstd450Sinh, FUN1, WF_SW_FUN_SINH},
        {GLSLstd450Cosh, FUN1, WF_SW_FUN_COSH},
        {GLSLstd450Tanh, FUN1, WF_SW_FUN_TANH},
        {GLSLstd450Asinh, FUN1, WF_SW_FUN_ASINH},
        {GLSLstd450Acosh, FUN1, WF_SW_FUN_ACOSH},
        {GLSLstd450Atanh, FUN1, WF_SW_FUN_ATANH},
        {GLSLstd450Exp, FUN1, WF_SW_FUN_EXP},
        {GLSLstd450Exp2, FUN1, WF_SW_FUN_EXP2},
        {GLSLstd450Log, FUN1, WF_SW_FUN_LOG},
        {GLSLstd450Log2, FUN1, WF_SW_FUN_LOG2},
        {GLSLstd450Atan2, FUN2, WF_SW_FUN_ATAN2},
        {GLSLstd450Pow, FUN2, WF_SW_FUN_POW},
        {GLSLstd450FindILsb, INT_FUN, WF_SW_FUN_FINDLSB},
        {GLSLstd450FindSMsb, INT_FUN, WF_SW_FUN_FINDSMSB},
        {GLSLstd450FindUMsb, INT_FUN, WF_SW_FUN_FINDUMSB},
    };
    size_t k = 0;
    while (k < sizeof all / sizeof *all && all[k].number != number_of)
        k++;
    if (k == sizeof all / sizeof *all)
        return false;
    if (all[k].kind == INT_FUN && e->width != 32)
        wf_sw_fail(l->ir, "supported for 32-bit integers only");
    for (uint32_t c = 0; c < e->n; c++) {
        number a, b = {0};
        operand(l, e, 0, c, a);
        if (all[k].kind == FUN2)
            operand(l, e, 1, c, b);
        const uint32_t args[2] = {a[0], b[0]};
        call_narrow(l, e, all[k].fun, args, all[k].kind == FUN2 ? 2 : 1, e->out + c * e->words);
    }
    return true;
}

static void sign(struct wf_sw_lower *l, const struct ext *e, const number a, number out)
{
    number zero, one, minus, inner;
    constant(l, e->width, 0.0, zero);
    constant(l, e->width, 1.0, one);
    constant(l, e->width, -1.0, minus);
    choose(l, e, less(l, e, a, zero), minus, zero, inner);
    choose(l, e, less(l, e, zero, a), one, inner, out);
}

static void clamp(struct wf_sw_lower *l, const struct ext *e, const number x, const number low,
                  const number high, number out)
{
    if (e->width == 64) {
        number t;
        bin(l, e, WF_SW_IR_FMAX, x, low, t);
        bin(l, e, WF_SW_IR_FMIN, t, high, out);
        return;
    }
    out[0] = wf_sw_ir_ter(l->ir, WF_SW_IR_FCLAMP, x[0], low[0], high[0]);
}

static void fused(struct wf_sw_lower *l, const struct ext *e, const number a, const number b,
                  const number c, number out)
{
    const uint32_t wide[6] = {a[0], a[1], b[0], b[1], c[0], c[1]}, narrow[3] = {a[0], b[0], c[0]};
    if (e->width == 64) {
        out[0] = wf_sw_ir_add(l->ir, WF_SW_IR_CALL, WF_SW_FUN_DFMA, wide, 6, 2);
        out[1] = out[0] + 1;
        return;
    }
    call_narrow(l, e, WF_SW_FUN_FMA, narrow, 3, out);
}

static void inverse_sqrt(struct wf_sw_lower *l, const struct ext *e, const number a, number out)
{
    number one, root;
    if (e->width != 64) {
        un(l, e, WF_SW_IR_FRSQ, a, out);
        return;
    }
    constant(l, 64, 1.0, one);
    un(l, e, WF_SW_IR_FSQRT, a, root);
    bin(l, e, WF_SW_IR_FDIV, one, root, out);
}

/// Numbers of a recipe: operands, what is computed on the way, the result, constants.
enum { A, B, C, X, Y, OUT, NUMBERS, ZERO = NUMBERS, ONE, TWO, THREE, RADIAN, DEGREE, BELOW_ONE };

/// A step of a recipe, for one component: steps in a row that have the same number are an
/// instruction.
struct step {
    uint8_t number; ///< enum GLSLstd450
    uint8_t op;     ///< enum wf_sw_ir_op, for any width
    uint8_t at[4];  ///< Numbers: the result, then the operands.
};

static const struct step recipes[] = {
    {GLSLstd450Round, WF_SW_IR_FROUND, {OUT, A}},
    {GLSLstd450RoundEven, WF_SW_IR_FROUND, {OUT, A}},
    {GLSLstd450Trunc, WF_SW_IR_FTRUNC, {OUT, A}},
    {GLSLstd450FAbs, WF_SW_IR_FABS, {OUT, A}},
    {GLSLstd450Floor, WF_SW_IR_FFLOOR, {OUT, A}},
    {GLSLstd450Ceil, WF_SW_IR_FNEG, {X, A}},
    {GLSLstd450Ceil, WF_SW_IR_FFLOOR, {X, X}},
    {GLSLstd450Ceil, WF_SW_IR_FNEG, {OUT, X}},
    {GLSLstd450Fract, WF_SW_IR_FFLOOR, {X, A}},
    {GLSLstd450Fract, WF_SW_IR_FSUB, {X, A, X}},
    // The difference of a tiny negative number would round up to 1.
    {GLSLstd450Fract, WF_SW_IR_FMIN, {OUT, X, BELOW_ONE}},
    {GLSLstd450Sqrt, WF_SW_IR_FSQRT, {OUT, A}},
    {GLSLstd450InverseSqrt, WF_SW_IR_FRSQ, {OUT, A}},
    {GLSLstd450Radians, WF_SW_IR_FMUL, {OUT, A, RADIAN}},
    {GLSLstd450Degrees, WF_SW_IR_FMUL, {OUT, A, DEGREE}},
    {GLSLstd450FMin, WF_SW_IR_FMIN, {OUT, A, B}},
    {GLSLstd450FMax, WF_SW_IR_FMAX, {OUT, A, B}},
    {GLSLstd450FClamp, WF_SW_IR_FCLAMP, {OUT, A, B, C}},
    // The other operand if one is NaN.
    {GLSLstd450NMin, WF_SW_IR_FMIN, {X, A, B}},
    {GLSLstd450NMin, WF_SW_IR_FNE, {Y, A, A}},
    {GLSLstd450NMin, WF_SW_IR_SELECT, {OUT, Y, B, X}},
    {GLSLstd450NMax, WF_SW_IR_FMAX, {X, A, B}},
    {GLSLstd450NMax, WF_SW_IR_FNE, {Y, A, A}},
    {GLSLstd450NMax, WF_SW_IR_SELECT, {OUT, Y, B, X}},
    {GLSLstd450NClamp, WF_SW_IR_FMAX, {X, A, B}},
    {GLSLstd450NClamp, WF_SW_IR_FNE, {Y, A, A}},
    {GLSLstd450NClamp, WF_SW_IR_SELECT, {A, Y, B, X}},
    {GLSLstd450NClamp, WF_SW_IR_FMIN, {X, A, C}},
    {GLSLstd450NClamp, WF_SW_IR_FNE, {Y, A, A}},
    {GLSLstd450NClamp, WF_SW_IR_SELECT, {OUT, Y, C, X}},
    {GLSLstd450UMin, WF_SW_IR_UMIN, {OUT, A, B}},
    {GLSLstd450SMin, WF_SW_IR_SMIN, {OUT, A, B}},
    {GLSLstd450UMax, WF_SW_IR_UMAX, {OUT, A, B}},
    {GLSLstd450SMax, WF_SW_IR_SMAX, {OUT, A, B}},
    {GLSLstd450UClamp, WF_SW_IR_UMAX, {X, A, B}},
    {GLSLstd450UClamp, WF_SW_IR_UMIN, {OUT, X, C}},
    {GLSLstd450SClamp, WF_SW_IR_SMAX, {X, A, B}},
    {GLSLstd450SClamp, WF_SW_IR_SMIN, {OUT, X, C}},
    {GLSLstd450FMix, WF_SW_IR_FSUB, {X, ONE, C}},
    {GLSLstd450FMix, WF_SW_IR_FMUL, {X, A, X}},
    {GLSLstd450FMix, WF_SW_IR_FMUL, {Y, B, C}},
    {GLSLstd450FMix, WF_SW_IR_FADD, {OUT, X, Y}},
    {GLSLstd450Step, WF_SW_IR_FLT, {X, B, A}},
    {GLSLstd450Step, WF_SW_IR_SELECT, {OUT, X, ZERO, ONE}},
    // X is the dot product that `dots` says.
    {GLSLstd450Length, WF_SW_IR_FSQRT, {OUT, X}},
    {GLSLstd450Normalize, WF_SW_IR_FRSQ, {X, X}},
    {GLSLstd450Normalize, WF_SW_IR_FMUL, {OUT, A, X}},
    {GLSLstd450FaceForward, WF_SW_IR_FLT, {X, X, ZERO}},
    {GLSLstd450FaceForward, WF_SW_IR_FNEG, {Y, A}},
    {GLSLstd450FaceForward, WF_SW_IR_SELECT, {OUT, X, A, Y}},
    {GLSLstd450Reflect, WF_SW_IR_FMUL, {X, TWO, X}},
    {GLSLstd450Reflect, WF_SW_IR_FMUL, {X, X, B}},
    {GLSLstd450Reflect, WF_SW_IR_FSUB, {OUT, A, X}},
    {GLSLstd450Refract, WF_SW_IR_FMUL, {Y, X, X}},
    {GLSLstd450Refract, WF_SW_IR_FSUB, {Y, ONE, Y}},
    {GLSLstd450Refract, WF_SW_IR_FMUL, {Y, C, Y}},
    {GLSLstd450Refract, WF_SW_IR_FMUL, {Y, C, Y}},
    {GLSLstd450Refract, WF_SW_IR_FSUB, {Y, ONE, Y}},
    {GLSLstd450Refract, WF_SW_IR_FMUL, {X, C, X}},
    {GLSLstd450Refract, WF_SW_IR_FSQRT, {OUT, Y}},
    {GLSLstd450Refract, WF_SW_IR_FADD, {X, X, OUT}},
    {GLSLstd450Refract, WF_SW_IR_FMUL, {OUT, C, A}},
    {GLSLstd450Refract, WF_SW_IR_FMUL, {X, X, B}},
    {GLSLstd450Refract, WF_SW_IR_FSUB, {OUT, OUT, X}},
    {GLSLstd450Refract, WF_SW_IR_FLT, {Y, Y, ZERO}},
    {GLSLstd450Refract, WF_SW_IR_SELECT, {OUT, Y, ZERO, OUT}},
    {GLSLstd450SmoothStep, WF_SW_IR_FSUB, {X, C, A}},
    {GLSLstd450SmoothStep, WF_SW_IR_FSUB, {Y, B, A}},
    {GLSLstd450SmoothStep, WF_SW_IR_FDIV, {X, X, Y}},
    {GLSLstd450SmoothStep, WF_SW_IR_FCLAMP, {X, X, ZERO, ONE}},
    {GLSLstd450SmoothStep, WF_SW_IR_FMUL, {Y, X, X}},
    {GLSLstd450SmoothStep, WF_SW_IR_FMUL, {X, TWO, X}},
    {GLSLstd450SmoothStep, WF_SW_IR_FSUB, {X, THREE, X}},
    {GLSLstd450SmoothStep, WF_SW_IR_FMUL, {OUT, Y, X}},
};

static const uint32_t *number_at(struct wf_sw_lower *l, const struct ext *e, number *numbers,
                                 uint32_t place, number space)
{
    static const double values[] = {
        0, 1, 2, 3, 0.017453292519943295, 57.29577951308232, 0x1.fffffffffffffp-1};
    if (place < NUMBERS)
        return numbers[place];
    const bool single = place == BELOW_ONE && e->width != 64;
    constant(l, e->width, single ? 0x1.fffffep-1 : values[place - ZERO], space);
    return space;
}

static void take_step(struct wf_sw_lower *l, const struct ext *e, const struct step *s,
                      number *numbers)
{
    number space[3] = {{0}};
    const uint32_t *a = number_at(l, e, numbers, s->at[1], space[0]);
    const uint32_t *b = number_at(l, e, numbers, s->at[2], space[1]);
    const uint32_t *c = number_at(l, e, numbers, s->at[3], space[2]);
    uint32_t *to = numbers[s->at[0]];
    switch (s->op) {
    case WF_SW_IR_FLT:
    case WF_SW_IR_FNE:
        to[0] = compare(l, e, s->op, a, b);
        break;
    case WF_SW_IR_SELECT:
        choose(l, e, a[0], b, c, to);
        break;
    case WF_SW_IR_FCLAMP:
        clamp(l, e, a, b, c, to);
        break;
    case WF_SW_IR_FRSQ:
        inverse_sqrt(l, e, a, to);
        break;
    case WF_SW_IR_UMIN:
    case WF_SW_IR_SMIN:
    case WF_SW_IR_UMAX:
    case WF_SW_IR_SMAX:
        integer(l, e, s->op, a, b, to);
        break;
    default:
        if (wf_sw_ir_arity(s->op) == 1)
            un(l, e, s->op, a, to);
        else
            bin(l, e, s->op, a, b, to);
        break;
    }
}

static uint32_t *copy_operand(struct wf_sw_lower *l, const struct ext *e, uint32_t k, uint32_t *n)
{
    const struct wf_shader_type *t = wf_shader_type_of(l->module, e->ids[k]);
    const uint32_t count = wf_sw_type_words(l, t->id);
    uint32_t *words = wf_sw_ir_alloc(l->ir, count + 1, sizeof *words);
    wf_sw_copy_words(l, e->ids[k], words, count);
    *n = wf_sw_scalars(l, t);
    return words;
}

static void dot(struct wf_sw_lower *l, const struct ext *e, const uint32_t *a, const uint32_t *b,
                uint32_t n, number out)
{
    wf_sw_float_dot(l, e->width, (struct wf_sw_floats){a, 1}, (struct wf_sw_floats){b, 1}, n, out);
}

/// Those that are made of others, component by component.
static bool lower_made(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    static const struct {
        uint8_t number, left, right; ///< enum GLSLstd450, operands
    } dots[] = {
        {GLSLstd450Length, 0, 0},  {GLSLstd450Normalize, 0, 0}, {GLSLstd450FaceForward, 2, 1},
        {GLSLstd450Reflect, 1, 0}, {GLSLstd450Refract, 1, 0},
    };
    const struct step *first = recipes, *const end = recipes + sizeof recipes / sizeof *recipes;
    while (first < end && first->number != number_of)
        first++;
    if (first == end)
        return false;
    number product = {0};
    for (size_t k = 0; k < sizeof dots / sizeof *dots; k++) {
        if (dots[k].number == number_of) {
            uint32_t n;
            const uint32_t *left = copy_operand(l, e, dots[k].left, &n);
            dot(l, e, left, copy_operand(l, e, dots[k].right, &n), n, product);
        }
    }
    for (uint32_t component = 0; component < e->n; component++) {
        number numbers[NUMBERS] = {{0}};
        for (uint32_t k = 0; k < e->count && k < 3; k++)
            operand(l, e, k, k == 2 && number_of == GLSLstd450Refract ? 0 : component, numbers[k]);
        memcpy(numbers[X], product, sizeof product);
        for (const struct step *s = first; s < end && s->number == number_of; s++)
            take_step(l, e, s, numbers);
        memcpy(e->out + component * e->words, numbers[OUT], e->words * sizeof *e->out);
    }
    return true;
}

/// Componentwise ones of which there are no steps.
static bool lower_special(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    for (uint32_t component = 0; component < e->n; component++) {
        number in[3] = {{0}};
        uint32_t *out = e->out + component * e->words;
        for (uint32_t k = 0; k < e->count && k < 3; k++)
            operand(l, e, k, component, in[k]);
        switch (number_of) {
        case GLSLstd450FSign:
            sign(l, e, in[0], out);
            break;
        case GLSLstd450SAbs:
        case GLSLstd450SSign:
            integer_sign(l, e, number_of == GLSLstd450SAbs, in[0], out);
            break;
        case GLSLstd450Fma:
            fused(l, e, in[0], in[1], in[2], out);
            break;
        default:
            return false;
        }
    }
    return true;
}

// ---- vectors -----------------------------------------------------------------------------------

static void cross(struct wf_sw_lower *l, const struct ext *e, const uint32_t *a, const uint32_t *b)
{
    for (uint32_t c = 0; c < 3; c++) {
        const size_t i = (c + 1) % 3 * e->words, j = (c + 2) % 3 * e->words;
        number left, right;
        bin(l, e, WF_SW_IR_FMUL, a + i, b + j, left);
        bin(l, e, WF_SW_IR_FMUL, b + i, a + j, right);
        bin(l, e, WF_SW_IR_FSUB, left, right, e->out + c * e->words);
    }
}

/// A scalar is as long as its magnitude.
static bool lower_geometric(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    uint32_t n;
    if (number_of < GLSLstd450Length || number_of > GLSLstd450Refract)
        return false;
    uint32_t *a = copy_operand(l, e, 0, &n);
    const uint32_t *b = e->count > 1 ? copy_operand(l, e, 1, &n) : NULL;
    number square;
    switch (number_of) {
    case GLSLstd450Distance:
        for (uint32_t k = 0; k < n; k++)
            bin(l, e, WF_SW_IR_FSUB, a + k * e->words, b + k * e->words, a + k * e->words);
        dot(l, e, a, a, n, square);
        un(l, e, n == 1 ? WF_SW_IR_FABS : WF_SW_IR_FSQRT, n == 1 ? a : square, e->out);
        return true;
    case GLSLstd450Cross:
        cross(l, e, a, b);
        return true;
    case GLSLstd450Length:
        if (n > 1)
            return lower_made(l, e, number_of);
        un(l, e, WF_SW_IR_FABS, a, e->out);
        return true;
    case GLSLstd450Normalize:
        if (n > 1)
            return lower_made(l, e, number_of);
        sign(l, e, a, e->out);
        return true;
    default:
        return lower_made(l, e, number_of);
    }
}

// ---- matrices ----------------------------------------------------------------------------------

/// A square matrix, or what is left of it: rows and columns that have their bit set.
struct square {
    const uint32_t *words;
    uint32_t size, rows, columns;
};

/// The determinant, by the first row that is left.
static void minor(struct wf_sw_lower *l, const struct ext *e, struct square m, number out)
{
    const uint32_t row = wf_base_ctz32(m.rows) & 3; // there is one
    bool first = true, negative = false;
    for (uint32_t column = 0; column < m.size; column++) {
        if (!(m.columns >> column & 1))
            continue;
        const uint32_t *entry = m.words + e->words * (column * m.size + row);
        number part, inner;
        if ((m.columns & (m.columns - 1)) == 0) { // 1 × 1
            memcpy(out, entry, e->words * sizeof *entry);
            return;
        }
        const struct square rest = {m.words, m.size, m.rows & ~(1u << row),
                                    m.columns & ~(1u << column)};
        minor(l, e, rest, inner);
        bin(l, e, WF_SW_IR_FMUL, entry, inner, part);
        if (first)
            memcpy(out, part, e->words * sizeof *part);
        else
            bin(l, e, negative ? WF_SW_IR_FSUB : WF_SW_IR_FADD, out, part, out);
        first = false;
        negative = !negative;
    }
}

static bool lower_matrix(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    if (number_of != GLSLstd450Determinant && number_of != GLSLstd450MatrixInverse)
        return false;
    const struct wf_shader_type *t = wf_shader_type_of(l->module, e->ids[0]);
    uint32_t n;
    const uint32_t *m = copy_operand(l, e, 0, &n);
    const uint32_t size = t->count, all = (1u << size) - 1;
    if (t->kind != WF_SHADER_TYPE_MATRIX || n != size * size)
        wf_sw_fail(l->ir, "not a square matrix");
    number whole, one, factor;
    minor(l, e, (struct square){m, size, all, all}, whole);
    if (number_of == GLSLstd450Determinant) {
        memcpy(e->out, whole, e->words * sizeof *whole);
        return true;
    }
    constant(l, e->width, 1.0, one);
    bin(l, e, WF_SW_IR_FDIV, one, whole, factor);
    for (uint32_t column = 0; column < size; column++) {
        for (uint32_t row = 0; row < size; row++) {
            number part;
            uint32_t *out = e->out + e->words * (column * size + row);
            const struct square rest = {m, size, all & ~(1u << column), all & ~(1u << row)};
            minor(l, e, rest, part);
            if ((row + column) & 1)
                un(l, e, WF_SW_IR_FNEG, part, part);
            bin(l, e, WF_SW_IR_FMUL, part, factor, out);
        }
    }
    return true;
}

// ---- two results, packing, interpolation -------------------------------------------------------

/// Whole part and fraction, both with the sign of the number, and the fraction of an infinity is 0.
/// The whole part goes to the pointer or to the second member.
static void modf_parts(struct wf_sw_lower *l, const struct ext *e, const struct wf_shader_type *t,
                       uint32_t *fraction, uint32_t *whole)
{
    for (uint32_t c = 0; c < wf_sw_scalars(l, t); c++) {
        number a;
        operand(l, e, 0, c, a);
        uint32_t *const part = fraction + c * e->words, *const high = part + e->words - 1;
        un(l, e, WF_SW_IR_FTRUNC, a, whole + c * e->words);
        bin(l, e, WF_SW_IR_FSUB, a, whole + c * e->words, part);
        const uint32_t none = compare(l, e, WF_SW_IR_FNE, a, whole + c * e->words);
        for (uint32_t k = 0; k < e->words; k++)
            part[k] = wf_sw_ir_bin(l->ir, WF_SW_IR_AND, part[k], none);
        const uint32_t top = wf_sw_ir_const(l->ir, 0x80000000u);
        *high = wf_sw_ir_bin(l->ir, WF_SW_IR_OR, *high,
                             wf_sw_ir_bin(l->ir, WF_SW_IR_AND, a[e->words - 1], top));
    }
}

static void frexp_parts(struct wf_sw_lower *l, const struct ext *e, const struct wf_shader_type *t,
                        uint32_t *mantissa, uint32_t *exponent)
{
    for (uint32_t c = 0; c < wf_sw_scalars(l, t); c++) {
        number a;
        operand(l, e, 0, c, a);
        const uint32_t fun = e->width == 64 ? WF_SW_FUN_DFREXP : WF_SW_FUN_FREXP;
        const uint32_t first = wf_sw_ir_add(l->ir, WF_SW_IR_CALL, fun, a, e->words, e->words + 1);
        for (uint32_t k = 0; k < e->words; k++)
            mantissa[c * e->words + k] = first + k;
        exponent[c] = first + e->words;
    }
}

static bool lower_split(struct wf_sw_lower *l, struct ext *e, uint32_t number_of)
{
    const bool is_modf = number_of == GLSLstd450Modf || number_of == GLSLstd450ModfStruct;
    const bool is_struct = number_of == GLSLstd450ModfStruct || number_of == GLSLstd450FrexpStruct;
    if (!is_modf && number_of != GLSLstd450Frexp && number_of != GLSLstd450FrexpStruct)
        return false;
    const struct wf_shader_type *t = wf_shader_type_of(l->module, e->ids[0]);
    e->width = wf_sw_scalar_of(l, t)->width;
    e->words = e->width == 64 ? 2 : 1;
    const uint32_t count = wf_sw_type_words(l, t->id);
    uint32_t *second = is_struct ? e->out + count : wf_sw_ir_alloc(l->ir, count, sizeof *second);
    if (is_modf)
        modf_parts(l, e, t, e->out, second);
    else
        frexp_parts(l, e, t, e->out, second);
    if (is_struct)
        return true;
    const struct wf_sw_pointer p = wf_sw_pointer(l, e->ids[1]);
    const uint32_t stored = wf_sw_type_words(l, p.type);
    if (stored > count)
        wf_sw_fail(l->ir, "the pointer's type differs from the operand's");
    wf_sw_store(l, &p, second, stored);
    return true;
}

static bool lower_ldexp(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    if (number_of != GLSLstd450Ldexp)
        return false;
    for (uint32_t c = 0; c < e->n; c++) {
        number a;
        operand(l, e, 0, c, a);
        const uint32_t exponent = wf_sw_word(l, e->ids[1], c);
        const uint32_t wide[3] = {a[0], a[1], exponent}, narrow[2] = {a[0], exponent};
        uint32_t *out = e->out + c * e->words;
        if (e->width == 64) {
            out[0] = wf_sw_ir_add(l->ir, WF_SW_IR_CALL, WF_SW_FUN_DLDEXP, wide, 3, 2);
            out[1] = out[0] + 1;
        } else {
            call_narrow(l, e, WF_SW_FUN_LDEXP, narrow, 2, out);
        }
    }
    return true;
}

static bool lower_half(struct wf_sw_lower *l, const struct ext *e, bool pack)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t sixteen = wf_sw_ir_const(ir, 16), x = wf_sw_word(l, e->ids[0], 0);
    const uint32_t y = wf_sw_word(l, e->ids[0], 1);
    const uint32_t low = pack ? x : wf_sw_truncate(l, x, 16);
    const uint32_t high = pack ? y : wf_sw_ir_bin(ir, WF_SW_IR_SHR, x, sixteen);
    const uint32_t fun = pack ? WF_SW_FUN_TO_HALF : WF_SW_FUN_FROM_HALF;
    e->out[0] = wf_sw_ir_call(ir, fun, &low, 1);
    e->out[1] = wf_sw_ir_call(ir, fun, &high, 1);
    if (pack)
        e->out[0] = wf_sw_ir_bin(ir, WF_SW_IR_OR, e->out[0],
                                 wf_sw_ir_bin(ir, WF_SW_IR_SHL, e->out[1], sixteen));
    return true;
}

static bool lower_pack(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    static const uint8_t funs[][2] = {
        {GLSLstd450PackSnorm4x8, WF_SW_FUN_PACK_SNORM4X8},
        {GLSLstd450PackUnorm4x8, WF_SW_FUN_PACK_UNORM4X8},
        {GLSLstd450PackSnorm2x16, WF_SW_FUN_PACK_SNORM2X16},
        {GLSLstd450PackUnorm2x16, WF_SW_FUN_PACK_UNORM2X16},
        {GLSLstd450UnpackSnorm4x8, WF_SW_FUN_UNPACK_SNORM4X8},
        {GLSLstd450UnpackUnorm4x8, WF_SW_FUN_UNPACK_UNORM4X8},
        {GLSLstd450UnpackSnorm2x16, WF_SW_FUN_UNPACK_SNORM2X16},
        {GLSLstd450UnpackUnorm2x16, WF_SW_FUN_UNPACK_UNORM2X16},
    };
    if (number_of == GLSLstd450PackHalf2x16 || number_of == GLSLstd450UnpackHalf2x16)
        return lower_half(l, e, number_of == GLSLstd450PackHalf2x16);
    if (number_of == GLSLstd450PackDouble2x32 || number_of == GLSLstd450UnpackDouble2x32) {
        e->out[0] = wf_sw_word(l, e->ids[0], 0);
        e->out[1] = wf_sw_word(l, e->ids[0], 1);
        return true;
    }
    for (size_t k = 0; k < sizeof funs / sizeof *funs; k++) {
        if (funs[k][0] != number_of)
            continue;
        uint32_t n;
        const struct wf_sw_fun_info info = wf_sw_fun_infos[funs[k][1]];
        const uint32_t *a = copy_operand(l, e, 0, &n);
        const uint32_t first =
            wf_sw_ir_add(l->ir, WF_SW_IR_CALL, funs[k][1], a, info.arguments, info.results);
        for (uint32_t r = 0; r < info.results; r++)
            e->out[r] = first + r;
        return true;
    }
    return false;
}

/// Where to interpolate, in pixels from the middle. False: where inputs are anyway.
static bool interpolation_offset(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of,
                                 uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    if (number_of == GLSLstd450InterpolateAtCentroid)
        return false;
    if (number_of == GLSLstd450InterpolateAtOffset) {
        out[0] = wf_sw_word(l, e->ids[1], 0);
        out[1] = wf_sw_word(l, e->ids[1], 1);
        return true;
    }
    const uint32_t args[2] = {wf_sw_word(l, e->ids[1], 0),
                              wf_sw_ir_add_first(ir, WF_SW_IR_SYSTEM, WF_SW_SYSTEM_SAMPLES)};
    out[0] = wf_sw_ir_add(ir, WF_SW_IR_CALL, WF_SW_FUN_SAMPLE_OFFSET, args, 2, 2);
    out[1] = out[0] + 1;
    return true;
}

/// Where an interpolation instruction wants inputs.
struct place {
    bool centroid, moved;
    uint32_t offset[2]; ///< If `moved`: from the pixel's middle.
};

/// The centroid is an input of its own, all else by way of the derivatives of the value at the
/// pixel's middle or sample.
static uint32_t interpolate_row(struct wf_sw_lower *l, const struct ext *e,
                                const struct place *place, uint32_t row)
{
    const uint32_t middle = wf_sw_input_at(l, row, place->centroid);
    number value = {middle};
    for (uint32_t axis = 0; place->moved && axis < 2; axis++) {
        const uint32_t fun = axis == 0 ? WF_SW_FUN_DDX_FINE : WF_SW_FUN_DDY_FINE;
        const number slope = {wf_sw_ir_add(l->ir, WF_SW_IR_CROSS, fun, &middle, 1, 1)};
        const number to = {place->offset[axis]};
        const number from = {wf_sw_builtin_input(l, WF_SW_BUILTIN_OFFSET, axis)};
        number distance, part;
        bin(l, e, WF_SW_IR_FSUB, to, from, distance);
        bin(l, e, WF_SW_IR_FMUL, slope, distance, part);
        bin(l, e, WF_SW_IR_FADD, value, part, value);
    }
    return value[0];
}

/// Lanes may choose different ones: each is interpolated by itself, and then one is taken.
static uint32_t interpolate_indexed(struct wf_sw_lower *l, const struct ext *e,
                                    const struct place *place, const struct wf_sw_pointer *p,
                                    uint32_t c)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_sw_variable v = l->variables[p->variable];
    uint32_t value = wf_sw_ir_const(ir, 0);
    for (uint32_t k = p->component + c; k < v.count; k++) {
        const uint32_t at = wf_sw_ir_const(ir, k - p->component - c);
        const uint32_t one = interpolate_row(l, e, place, v.rows[k]);
        if (p->index == WF_SW_NONE)
            return one;
        value = wf_sw_ir_ter(ir, WF_SW_IR_SELECT, wf_sw_ir_bin(ir, WF_SW_IR_IEQ, p->index, at), one,
                             value);
    }
    return value;
}

static bool lower_interpolate(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    if (number_of < GLSLstd450InterpolateAtCentroid || number_of > GLSLstd450InterpolateAtOffset)
        return false;
    const struct wf_sw_pointer p = wf_sw_pointer(l, e->ids[0]);
    if (p.space != WF_SW_POINTER_VARIABLE || !l->variables[p.variable].rows ||
        l->variables[p.variable].output)
        wf_sw_fail(l->ir, "only inputs are interpolated");
    struct place place = {.centroid = number_of == GLSLstd450InterpolateAtCentroid};
    place.moved = interpolation_offset(l, e, number_of, place.offset);
    l->info->derivatives |= place.moved;
    for (uint32_t c = 0; c < e->n; c++)
        e->out[c] = interpolate_indexed(l, e, &place, &p, c);
    return true;
}

void wf_sw_lower_extended(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_shader_import *import = wf_shader_import(l->module, i->operands[0]);
    const uint32_t number_of = i->operands[1];
    if (import && import->non_semantic)
        return;
    if (!import || !import->glsl)
        wf_sw_fail(l->ir, "instruction set %s is not supported", import ? import->name : "?");
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    const struct wf_shader_type *scalar = wf_sw_scalar_of(l, t);
    const uint32_t total = wf_sw_type_words(l, i->type);
    struct ext e = {
        .i = i,
        .ids = i->operands + 2,
        .count = i->operand_count - 2u,
        .width = scalar->width,
        .words = scalar->width == 64 ? 2 : 1,
        .n = wf_sw_scalars(l, t),
        .out = wf_sw_ir_alloc(l->ir, total + 2, sizeof *e.out),
    };
    if (!lower_split(l, &e, number_of) && !lower_call(l, &e, number_of) &&
        !lower_geometric(l, &e, number_of) && !lower_matrix(l, &e, number_of) &&
        !lower_ldexp(l, &e, number_of) && !lower_pack(l, &e, number_of) &&
        !lower_interpolate(l, &e, number_of) && !lower_made(l, &e, number_of) &&
        !lower_special(l, &e, number_of)) {
        const char *name = wf_shader_glsl_name(number_of);
        wf_sw_fail(l->ir, "GLSL.std.450 %s is not supported", name ? name : "instruction");
    }
    memcpy(wf_sw_define(l, i->id, total), e.out, total * sizeof *e.out);
}
