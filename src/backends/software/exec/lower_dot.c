#include "backends/software/exec/lower.h"

/// Integer dot products: of vectors, or of four bytes in each word. Sums are taken in 64 bits and
/// saturated or cut to the result's width. Only those of 32-bit and wider numbers can leave 64
/// bits, and then wrap around: SPIR-V leaves it undefined what becomes of a sum of products that
/// overflows.

struct dot {
    bool left_signed, right_signed, saturates;
    uint32_t width; ///< Of the components.
    bool packed;
};

/// Component `c`, extended to 64 bits.
static void component(struct wf_sw_lower *l, const struct dot *d, uint32_t id, uint32_t c,
                      bool is_signed, uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    if (d->width == 64) {
        out[0] = wf_sw_word(l, id, c * 2);
        out[1] = wf_sw_word(l, id, c * 2 + 1);
        return;
    }
    uint32_t word = wf_sw_word(l, id, d->packed ? 0 : c);
    if (d->packed)
        word = wf_sw_ir_bin(ir, WF_SW_IR_SHR, word, wf_sw_ir_const(ir, c * 8));
    word = wf_sw_truncate(l, word, d->width);
    if (is_signed)
        word = wf_sw_sign_extend(l, word, d->width);
    out[0] = word;
    out[1] = is_signed ? wf_sw_ir_bin(ir, WF_SW_IR_SAR, word, wf_sw_ir_const(ir, 31))
                       : wf_sw_ir_const(ir, 0);
}

static void pair(struct wf_sw_lower *l, uint32_t fun, const uint32_t *a, const uint32_t *b,
                 uint32_t *out)
{
    const uint32_t args[4] = {a[0], a[1], b[0], b[1]};
    out[0] = wf_sw_ir_add(l->ir, WF_SW_IR_CALL, fun, args, 4, 2);
    out[1] = out[0] + 1;
}

static uint32_t less(struct wf_sw_lower *l, bool is_signed, const uint32_t *a, const uint32_t *b)
{
    const uint32_t args[4] = {a[0], a[1], b[0], b[1]};
    return wf_sw_ir_call(l->ir, is_signed ? WF_SW_FUN_SLT64 : WF_SW_FUN_ULT64, args, 4);
}

static void choose(struct wf_sw_lower *l, uint32_t condition, uint64_t number, uint32_t *value)
{
    for (uint32_t k = 0; k < 2; k++)
        value[k] = wf_sw_ir_ter(l->ir, WF_SW_IR_SELECT, condition,
                                wf_sw_ir_const(l->ir, (uint32_t)(number >> k * 32)), value[k]);
}

/// The accumulator is added at last, where it saturates.
static void accumulate(struct wf_sw_lower *l, bool is_signed, uint32_t width, const uint32_t *add,
                       uint32_t *sum)
{
    struct wf_sw_ir *ir = l->ir;
    const uint64_t most = (is_signed ? UINT64_MAX >> 1 : UINT64_MAX) >> (64 - width);
    const uint64_t least = is_signed ? ~most : 0;
    const uint32_t top[2] = {wf_sw_ir_const(ir, (uint32_t)most),
                             wf_sw_ir_const(ir, (uint32_t)(most >> 32))};
    const uint32_t bottom[2] = {wf_sw_ir_const(ir, (uint32_t)least),
                                wf_sw_ir_const(ir, (uint32_t)(least >> 32))};
    uint32_t before[2] = {sum[0], sum[1]};
    pair(l, WF_SW_FUN_IADD64, before, add, sum);
    if (width < 64) {
        const uint32_t above = less(l, is_signed, top, sum);
        const uint32_t below = is_signed ? less(l, true, sum, bottom) : WF_SW_NONE;
        choose(l, above, most, sum);
        if (is_signed)
            choose(l, below, least, sum);
    } else if (is_signed) { // two of one sign made one of the other
        const uint32_t flip =
            wf_sw_ir_bin(ir, WF_SW_IR_AND, wf_sw_ir_bin(ir, WF_SW_IR_XOR, sum[1], before[1]),
                         wf_sw_ir_bin(ir, WF_SW_IR_XOR, sum[1], add[1]));
        const uint32_t zero = wf_sw_ir_const(ir, 0);
        const uint32_t over = wf_sw_ir_bin(ir, WF_SW_IR_SLT, flip, zero);
        const uint32_t negative = wf_sw_ir_bin(ir, WF_SW_IR_SLT, add[1], zero);
        choose(l, wf_sw_ir_bin(ir, WF_SW_IR_AND, over, negative), least, sum);
        choose(l, wf_sw_ir_bin(ir, WF_SW_IR_AND, over, wf_sw_ir_un(ir, WF_SW_IR_NOT, negative)),
               most, sum);
    } else {
        choose(l, less(l, false, sum, before), most, sum);
    }
}

bool wf_sw_lower_dot(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    if (i->opcode < SpvOpSDotKHR || i->opcode > SpvOpSUDotAccSatKHR)
        return false;
    const struct wf_shader_type *t = wf_shader_type_of(l->module, i->operands[0]);
    const bool packed = t->kind == WF_SHADER_TYPE_INT;
    const uint32_t kind = (uint32_t)(i->opcode - SpvOpSDotKHR) % 3; // S, U, SU
    const struct dot d = {
        .left_signed = kind != 1,
        .right_signed = kind == 0,
        .saturates = i->opcode >= SpvOpSDotAccSatKHR,
        .width = packed ? 8 : wf_sw_scalar_of(l, t)->width,
        .packed = packed,
    };
    const uint32_t n = packed ? 4 : t->count, width = wf_sw_type(l, i->type)->width;
    const uint32_t zero = wf_sw_ir_const(l->ir, 0);
    uint32_t sum[2] = {zero, zero};
    for (uint32_t c = 0; c < n; c++) {
        uint32_t a[2], b[2], product[2];
        component(l, &d, i->operands[0], c, d.left_signed, a);
        component(l, &d, i->operands[1], c, d.right_signed, b);
        pair(l, WF_SW_FUN_IMUL64, a, b, product);
        pair(l, WF_SW_FUN_IADD64, sum, product, sum);
    }
    if (d.saturates) {
        const struct dot as = {.width = width};
        uint32_t add[2];
        component(l, &as, i->operands[2], 0, d.left_signed, add);
        accumulate(l, d.left_signed, width, add, sum);
    }
    sum[0] = wf_sw_truncate(l, sum[0], width);
    memcpy(wf_sw_define(l, i->id, width == 64 ? 2 : 1), sum, (width == 64 ? 2 : 1) * sizeof *sum);
    return true;
}
