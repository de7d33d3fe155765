#include "backends/software/exec/lower.h"

#include <spirv/unified1/GLSL.std.450.h>

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
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
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

static uint32_t less(struct wf_sw_lower *l, const struct ext *e, const number a, const number b)
{
    const uint32_t args[4] = {a[0], a[1], b[0], b[1]};
    return e->width == 64 ? wf_sw_ir_call(l->ir, WF_SW_FUN_DLT, args, 4)
                          : wf_sw_ir_bin(l->ir, WF_SW_IR_FLT, a[0], b[0]);
}

static void choose(struct wf_sw_lower *l, const struct ext *e, uint32_t condition, const number a,
                   const number b, number out)
{
    for (uint32_t k = 0; k < e->words; k++)
        out[k] = wf_sw_ir_ter(l->ir, WF_SW_IR_SELECT, condition, a[k], b[k]);
}

// ---- componentwise -----------------------------------------------------------------------------

enum simple_kind { UN, BIN, FUN1, FUN2, INT_BIN, INT_FUN };

/// An instruction that is one operation or one function.
struct simple {
    uint8_t number; ///< enum GLSLstd450
    uint8_t kind;   ///< enum simple_kind
    uint16_t op;    ///< enum wf_sw_ir_op or enum wf_sw_fun
};

static const struct simple *simple_of(uint32_t number_of)
{
    static const struct simple all[] = {
        {GLSLstd450Round, UN, WF_SW_IR_FROUND},
        {GLSLstd450RoundEven, UN, WF_SW_IR_FROUND},
        {GLSLstd450Trunc, UN, WF_SW_IR_FTRUNC},
        {GLSLstd450FAbs, UN, WF_SW_IR_FABS},
        {GLSLstd450Floor, UN, WF_SW_IR_FFLOOR},
        {GLSLstd450Sqrt, UN, WF_SW_IR_FSQRT},
        {GLSLstd450FMin, BIN, WF_SW_IR_FMIN},
        {GLSLstd450FMax, BIN, WF_SW_IR_FMAX},
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
        {GLSLstd450UMin, INT_BIN, WF_SW_IR_UMIN},
        {GLSLstd450SMin, INT_BIN, WF_SW_IR_SMIN},
        {GLSLstd450UMax, INT_BIN, WF_SW_IR_UMAX},
        {GLSLstd450SMax, INT_BIN, WF_SW_IR_SMAX},
        {GLSLstd450FindILsb, INT_FUN, WF_SW_FUN_FINDLSB},
        {GLSLstd450FindSMsb, INT_FUN, WF_SW_FUN_FINDSMSB},
        {GLSLstd450FindUMsb, INT_FUN, WF_SW_FUN_FINDUMSB},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].number == number_of)
            return &all[k];
    }
    return NULL;
}

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

static bool lower_simple(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    const struct simple *s = simple_of(number_of);
    if (!s)
        return false;
    for (uint32_t c = 0; c < e->n; c++) {
        number a, b = {0};
        uint32_t *out = e->out + c * e->words;
        operand(l, e, 0, c, a);
        if (e->count > 1)
            operand(l, e, 1, c, b);
        const uint32_t args[2] = {a[0], b[0]};
        switch (s->kind) {
        case UN:
            un(l, e, s->op, a, out);
            break;
        case BIN:
            bin(l, e, s->op, a, b, out);
            break;
        case FUN1:
            call_narrow(l, e, s->op, args, 1, out);
            break;
        case FUN2:
            call_narrow(l, e, s->op, args, 2, out);
            break;
        case INT_FUN:
            if (e->width != 32)
                wf_sw_fail(l->ir, "supported for 32-bit integers only");
            out[0] = wf_sw_ir_call(l->ir, s->op, args, 1);
            break;
        default:
            integer(l, e, s->op, a, b, out);
            break;
        }
    }
    return true;
}

/// In [0, 1): the difference of a tiny negative number would round up to 1.
static void fract(struct wf_sw_lower *l, const struct ext *e, const number a, number out)
{
    number whole, rest, below;
    un(l, e, WF_SW_IR_FFLOOR, a, whole);
    bin(l, e, WF_SW_IR_FSUB, a, whole, rest);
    constant(l, e->width, e->width == 64 ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1, below);
    bin(l, e, WF_SW_IR_FMIN, rest, below, out);
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

/// Minimum or maximum: the other operand if the first one is NaN, as it is if the second one is.
static void prefer_numbers(struct wf_sw_lower *l, const struct ext *e, uint32_t op, const number a,
                           const number b, number out)
{
    const uint32_t args[4] = {a[0], a[1], a[0], a[1]};
    const uint32_t is_nan = e->width == 64 ? wf_sw_ir_call(l->ir, WF_SW_FUN_DNE, args, 4)
                                           : wf_sw_ir_bin(l->ir, WF_SW_IR_FNE, a[0], a[0]);
    number better;
    bin(l, e, op, a, b, better);
    choose(l, e, is_nan, b, better, out);
}

static void mix(struct wf_sw_lower *l, const struct ext *e, const number a, const number b,
                const number t, number out)
{
    number one, rest, left, right;
    constant(l, e->width, 1.0, one);
    bin(l, e, WF_SW_IR_FSUB, one, t, rest);
    bin(l, e, WF_SW_IR_FMUL, a, rest, left);
    bin(l, e, WF_SW_IR_FMUL, b, t, right);
    bin(l, e, WF_SW_IR_FADD, left, right, out);
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

static void smoothstep(struct wf_sw_lower *l, const struct ext *e, const number from,
                       const number to, const number x, number out)
{
    number above, range, t, zero, one, two, three, square;
    constant(l, e->width, 0.0, zero);
    constant(l, e->width, 1.0, one);
    constant(l, e->width, 2.0, two);
    constant(l, e->width, 3.0, three);
    bin(l, e, WF_SW_IR_FSUB, x, from, above);
    bin(l, e, WF_SW_IR_FSUB, to, from, range);
    bin(l, e, WF_SW_IR_FDIV, above, range, t);
    clamp(l, e, t, zero, one, t);
    bin(l, e, WF_SW_IR_FMUL, t, t, square);
    bin(l, e, WF_SW_IR_FMUL, two, t, t);
    bin(l, e, WF_SW_IR_FSUB, three, t, t);
    bin(l, e, WF_SW_IR_FMUL, square, t, out);
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

static void nclamp(struct wf_sw_lower *l, const struct ext *e, const number x, const number low,
                   const number high, number out)
{
    number t;
    prefer_numbers(l, e, WF_SW_IR_FMAX, x, low, t);
    prefer_numbers(l, e, WF_SW_IR_FMIN, t, high, out);
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

/// Componentwise ones that are made of others.
static bool lower_made(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    for (uint32_t c = 0; c < e->n; c++) {
        number a = {0}, b = {0}, t = {0}, k, one, zero;
        uint32_t *out = e->out + c * e->words;
        if (e->count == 0)
            return false;
        operand(l, e, 0, c, a);
        if (e->count > 1)
            operand(l, e, 1, c, b);
        if (e->count > 2)
            operand(l, e, 2, c, t);
        switch (number_of) {
        case GLSLstd450Fract:
            fract(l, e, a, out);
            break;
        case GLSLstd450FSign:
            sign(l, e, a, out);
            break;
        case GLSLstd450Ceil:
            un(l, e, WF_SW_IR_FNEG, a, k);
            un(l, e, WF_SW_IR_FFLOOR, k, k);
            un(l, e, WF_SW_IR_FNEG, k, out);
            break;
        case GLSLstd450NMin:
        case GLSLstd450NMax:
            prefer_numbers(l, e, number_of == GLSLstd450NMin ? WF_SW_IR_FMIN : WF_SW_IR_FMAX, a, b,
                           out);
            break;
        case GLSLstd450SAbs:
        case GLSLstd450SSign:
            integer_sign(l, e, number_of == GLSLstd450SAbs, a, out);
            break;
        case GLSLstd450Radians:
        case GLSLstd450Degrees:
            constant(l, e->width,
                     number_of == GLSLstd450Radians ? 0.017453292519943295 : 57.29577951308232, k);
            bin(l, e, WF_SW_IR_FMUL, a, k, out);
            break;
        case GLSLstd450InverseSqrt:
            inverse_sqrt(l, e, a, out);
            break;
        case GLSLstd450FClamp:
            clamp(l, e, a, b, t, out);
            break;
        case GLSLstd450NClamp:
            nclamp(l, e, a, b, t, out);
            break;
        case GLSLstd450UClamp:
            integer(l, e, WF_SW_IR_UMAX, a, b, k);
            integer(l, e, WF_SW_IR_UMIN, k, t, out);
            break;
        case GLSLstd450SClamp:
            integer(l, e, WF_SW_IR_SMAX, a, b, k);
            integer(l, e, WF_SW_IR_SMIN, k, t, out);
            break;
        case GLSLstd450FMix:
            mix(l, e, a, b, t, out);
            break;
        case GLSLstd450Step:
            constant(l, e->width, 0.0, zero);
            constant(l, e->width, 1.0, one);
            choose(l, e, less(l, e, b, a), zero, one, out);
            break;
        case GLSLstd450SmoothStep:
            smoothstep(l, e, a, b, t, out);
            break;
        case GLSLstd450Fma:
            fused(l, e, a, b, t, out);
            break;
        default:
            return false;
        }
    }
    return e->n != 0;
}

// ---- vectors -----------------------------------------------------------------------------------

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

static void length(struct wf_sw_lower *l, const struct ext *e, const uint32_t *a, uint32_t n,
                   number out)
{
    number square;
    if (n == 1) {
        un(l, e, WF_SW_IR_FABS, a, out);
        return;
    }
    dot(l, e, a, a, n, square);
    un(l, e, WF_SW_IR_FSQRT, square, out);
}

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

static void normalize(struct wf_sw_lower *l, const struct ext *e, const uint32_t *a, uint32_t n)
{
    number square, factor;
    if (n == 1) {
        sign(l, e, a, e->out);
        return;
    }
    dot(l, e, a, a, n, square);
    inverse_sqrt(l, e, square, factor);
    for (uint32_t c = 0; c < n; c++)
        bin(l, e, WF_SW_IR_FMUL, a + c * e->words, factor, e->out + c * e->words);
}

static void face_forward(struct wf_sw_lower *l, const struct ext *e, const uint32_t *normal,
                         const uint32_t *incident, const uint32_t *reference)
{
    number product, zero, minus;
    dot(l, e, reference, incident, e->n, product);
    constant(l, e->width, 0.0, zero);
    const uint32_t keep = less(l, e, product, zero);
    for (uint32_t c = 0; c < e->n; c++) {
        un(l, e, WF_SW_IR_FNEG, normal + c * e->words, minus);
        choose(l, e, keep, normal + c * e->words, minus, e->out + c * e->words);
    }
}

static void reflect(struct wf_sw_lower *l, const struct ext *e, const uint32_t *incident,
                    const uint32_t *normal)
{
    number product, two, part;
    dot(l, e, normal, incident, e->n, product);
    constant(l, e->width, 2.0, two);
    bin(l, e, WF_SW_IR_FMUL, two, product, product);
    for (uint32_t c = 0; c < e->n; c++) {
        bin(l, e, WF_SW_IR_FMUL, product, normal + c * e->words, part);
        bin(l, e, WF_SW_IR_FSUB, incident + c * e->words, part, e->out + c * e->words);
    }
}

static void refract(struct wf_sw_lower *l, const struct ext *e, const uint32_t *incident,
                    const uint32_t *normal, const number eta)
{
    number product, zero, one, k, t, factor, left, right, value;
    constant(l, e->width, 0.0, zero);
    constant(l, e->width, 1.0, one);
    dot(l, e, normal, incident, e->n, product);
    bin(l, e, WF_SW_IR_FMUL, product, product, t);
    bin(l, e, WF_SW_IR_FSUB, one, t, t);
    bin(l, e, WF_SW_IR_FMUL, eta, t, t);
    bin(l, e, WF_SW_IR_FMUL, eta, t, t);
    bin(l, e, WF_SW_IR_FSUB, one, t, k);
    const uint32_t total = less(l, e, k, zero);
    un(l, e, WF_SW_IR_FSQRT, k, t);
    bin(l, e, WF_SW_IR_FMUL, eta, product, factor);
    bin(l, e, WF_SW_IR_FADD, factor, t, factor);
    for (uint32_t c = 0; c < e->n; c++) {
        bin(l, e, WF_SW_IR_FMUL, eta, incident + c * e->words, left);
        bin(l, e, WF_SW_IR_FMUL, factor, normal + c * e->words, right);
        bin(l, e, WF_SW_IR_FSUB, left, right, value);
        choose(l, e, total, zero, value, e->out + c * e->words);
    }
}

static bool lower_geometric(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    uint32_t n = 0, ignored;
    if (number_of < GLSLstd450Length || number_of > GLSLstd450Refract)
        return false;
    uint32_t *a = copy_operand(l, e, 0, &n);
    uint32_t *b = e->count > 1 ? copy_operand(l, e, 1, &ignored) : NULL;
    uint32_t *c = e->count > 2 ? copy_operand(l, e, 2, &ignored) : NULL;
    switch (number_of) {
    case GLSLstd450Length:
        length(l, e, a, n, e->out);
        break;
    case GLSLstd450Distance:
        for (uint32_t k = 0; k < n; k++)
            bin(l, e, WF_SW_IR_FSUB, a + k * e->words, b + k * e->words, a + k * e->words);
        length(l, e, a, n, e->out);
        break;
    case GLSLstd450Cross:
        cross(l, e, a, b);
        break;
    case GLSLstd450Normalize:
        normalize(l, e, a, n);
        break;
    case GLSLstd450FaceForward:
        face_forward(l, e, a, b, c);
        break;
    case GLSLstd450Reflect:
        reflect(l, e, a, b);
        break;
    default:
        refract(l, e, a, b, c);
        break;
    }
    return true;
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

/// Whole part and fraction; the whole part goes to the pointer or to the second member.
static void modf_parts(struct wf_sw_lower *l, const struct ext *e, const struct wf_shader_type *t,
                       uint32_t *fraction, uint32_t *whole)
{
    for (uint32_t c = 0; c < wf_sw_scalars(l, t); c++) {
        number a;
        operand(l, e, 0, c, a);
        un(l, e, WF_SW_IR_FTRUNC, a, whole + c * e->words);
        bin(l, e, WF_SW_IR_FSUB, a, whole + c * e->words, fraction + c * e->words);
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

static bool lower_pack(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t n, fun, results = 1;
    switch (number_of) {
    case GLSLstd450PackSnorm4x8:
        fun = WF_SW_FUN_PACK_SNORM4X8;
        break;
    case GLSLstd450PackUnorm4x8:
        fun = WF_SW_FUN_PACK_UNORM4X8;
        break;
    case GLSLstd450PackSnorm2x16:
        fun = WF_SW_FUN_PACK_SNORM2X16;
        break;
    case GLSLstd450PackUnorm2x16:
        fun = WF_SW_FUN_PACK_UNORM2X16;
        break;
    case GLSLstd450UnpackSnorm4x8:
        fun = WF_SW_FUN_UNPACK_SNORM4X8;
        results = 4;
        break;
    case GLSLstd450UnpackUnorm4x8:
        fun = WF_SW_FUN_UNPACK_UNORM4X8;
        results = 4;
        break;
    case GLSLstd450UnpackSnorm2x16:
        fun = WF_SW_FUN_UNPACK_SNORM2X16;
        results = 2;
        break;
    case GLSLstd450UnpackUnorm2x16:
        fun = WF_SW_FUN_UNPACK_UNORM2X16;
        results = 2;
        break;
    case GLSLstd450PackHalf2x16: {
        const uint32_t x = wf_sw_word(l, e->ids[0], 0), y = wf_sw_word(l, e->ids[0], 1);
        const uint32_t low = wf_sw_ir_call(ir, WF_SW_FUN_TO_HALF, &x, 1);
        const uint32_t high = wf_sw_ir_call(ir, WF_SW_FUN_TO_HALF, &y, 1);
        e->out[0] = wf_sw_ir_bin(ir, WF_SW_IR_OR, low,
                                 wf_sw_ir_bin(ir, WF_SW_IR_SHL, high, wf_sw_ir_const(ir, 16)));
        return true;
    }
    case GLSLstd450UnpackHalf2x16: {
        const uint32_t bits = wf_sw_word(l, e->ids[0], 0);
        const uint32_t low = wf_sw_truncate(l, bits, 16);
        const uint32_t high = wf_sw_ir_bin(ir, WF_SW_IR_SHR, bits, wf_sw_ir_const(ir, 16));
        e->out[0] = wf_sw_ir_call(ir, WF_SW_FUN_FROM_HALF, &low, 1);
        e->out[1] = wf_sw_ir_call(ir, WF_SW_FUN_FROM_HALF, &high, 1);
        return true;
    }
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
        e->out[0] = wf_sw_word(l, e->ids[0], 0);
        e->out[1] = wf_sw_word(l, e->ids[0], 1);
        return true;
    default:
        return false;
    }
    const uint32_t *a = copy_operand(l, e, 0, &n);
    const uint32_t first =
        wf_sw_ir_add(ir, WF_SW_IR_CALL, fun, a, wf_sw_fun_infos[fun].arguments, results);
    for (uint32_t k = 0; k < results; k++)
        e->out[k] = first + k;
    return true;
}

/// Where to interpolate, in pixels from the middle. False: at the middle.
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

/// By way of the derivatives of the value at the pixel's middle, which also stands for the
/// centroid: the rasterizer is not asked again.
static bool lower_interpolate(struct wf_sw_lower *l, const struct ext *e, uint32_t number_of)
{
    uint32_t offset[2];
    if (number_of < GLSLstd450InterpolateAtCentroid || number_of > GLSLstd450InterpolateAtOffset)
        return false;
    const struct wf_sw_pointer p = wf_sw_pointer(l, e->ids[0]);
    wf_sw_load(l, &p, e->out, e->n);
    if (!interpolation_offset(l, e, number_of, offset))
        return true;
    l->info->derivatives = true;
    for (uint32_t c = 0; c < e->n; c++) {
        number value = {e->out[c]};
        for (uint32_t axis = 0; axis < 2; axis++) {
            const uint32_t fun = axis == 0 ? WF_SW_FUN_DDX_FINE : WF_SW_FUN_DDY_FINE;
            const number slope = {wf_sw_ir_add(l->ir, WF_SW_IR_CROSS, fun, &e->out[c], 1, 1)};
            const number distance = {offset[axis]};
            number part;
            bin(l, e, WF_SW_IR_FMUL, slope, distance, part);
            bin(l, e, WF_SW_IR_FADD, value, part, value);
        }
        e->out[c] = value[0];
    }
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
    if (!lower_split(l, &e, number_of) && !lower_simple(l, &e, number_of) &&
        !lower_geometric(l, &e, number_of) && !lower_matrix(l, &e, number_of) &&
        !lower_ldexp(l, &e, number_of) && !lower_pack(l, &e, number_of) &&
        !lower_interpolate(l, &e, number_of) && !lower_made(l, &e, number_of)) {
        const char *name = wf_shader_glsl_name(number_of);
        wf_sw_fail(l->ir, "GLSL.std.450 %s is not supported", name ? name : "instruction");
    }
    memcpy(wf_sw_define(l, i->id, total), e.out, total * sizeof *e.out);
}
