#include "backends/software/exec/lower.h"

static void call(struct wf_sw_lower *l, uint32_t fun, const uint32_t *args, uint32_t arg_count,
                 uint32_t *out, uint32_t results)
{
    const uint32_t first = wf_sw_ir_add(l->ir, WF_SW_IR_CALL, fun, args, arg_count, results);
    for (uint32_t k = 0; k < results; k++)
        out[k] = first + k;
}

static void float_to_int(struct wf_sw_lower *l, uint32_t from, const uint32_t *a, uint32_t to,
                         bool is_signed, uint32_t *out)
{
    if (from == 64) {
        uint32_t wide[2];
        call(l, is_signed ? WF_SW_FUN_F64_TO_I64 : WF_SW_FUN_F64_TO_U64, a, 2, wide, 2);
        out[0] = wf_sw_truncate(l, wide[0], to);
        if (to == 64)
            out[1] = wide[1];
    } else if (to == 64) {
        call(l, is_signed ? WF_SW_FUN_F32_TO_I64 : WF_SW_FUN_F32_TO_U64, a, 1, out, 2);
    } else {
        out[0] = wf_sw_truncate(l,
                                is_signed ? wf_sw_ir_un(l->ir, WF_SW_IR_F2I, a[0])
                                          : wf_sw_ir_call(l->ir, WF_SW_FUN_F2U, a, 1),
                                to);
    }
}

static void int_to_float(struct wf_sw_lower *l, uint32_t from, const uint32_t *a, bool is_signed,
                         uint32_t to, uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t low = is_signed ? wf_sw_sign_extend(l, a[0], from) : a[0];
    if (from == 64 || to == 64) {
        uint32_t wide[2] = {low, from == 64 ? a[1] : wf_sw_ir_const(ir, 0)};
        if (from != 64 && is_signed)
            wide[1] = wf_sw_ir_bin(ir, WF_SW_IR_SAR, low, wf_sw_ir_const(ir, 31));
        if (to == 64) {
            call(l, is_signed ? WF_SW_FUN_I64_TO_F64 : WF_SW_FUN_U64_TO_F64, wide, 2, out, 2);
            return;
        }
        call(l, is_signed ? WF_SW_FUN_I64_TO_F32 : WF_SW_FUN_U64_TO_F32, wide, 2, out, 1);
    } else {
        out[0] = wf_sw_ir_un(ir, is_signed ? WF_SW_IR_I2F : WF_SW_IR_U2F, low);
    }
    out[0] = wf_sw_round(l, out[0], to);
}

static void int_to_int(struct wf_sw_lower *l, uint32_t from, const uint32_t *a, bool is_signed,
                       uint32_t to, uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t low = is_signed ? wf_sw_sign_extend(l, a[0], from) : a[0];
    out[0] = wf_sw_truncate(l, low, to);
    if (to != 64)
        return;
    if (from == 64)
        out[1] = a[1];
    else if (is_signed)
        out[1] = wf_sw_ir_bin(ir, WF_SW_IR_SAR, low, wf_sw_ir_const(ir, 31));
    else
        out[1] = wf_sw_ir_const(ir, 0);
}

static void float_to_float(struct wf_sw_lower *l, uint32_t from, const uint32_t *a, uint32_t to,
                           uint32_t *out)
{
    if (from == to) {
        out[0] = a[0];
        if (to == 64)
            out[1] = a[1];
        return;
    }
    if (to == 64) {
        call(l, WF_SW_FUN_F32_TO_F64, a, 1, out, 2);
        return;
    }
    out[0] = a[0];
    if (from == 64)
        call(l, to == 16 ? WF_SW_FUN_F64_TO_F16 : WF_SW_FUN_F64_TO_F32, a, 2, out, 1);
    if (from == 64 && to == 16)
        call(l, WF_SW_FUN_FROM_HALF, out, 1, out, 1);
    else
        out[0] = wf_sw_round(l, out[0], to);
}

/// A half toward zero: the one below in magnitude, where the nearest is too large.
static void to_half_toward_zero(struct wf_sw_lower *l, uint32_t from, const uint32_t *a,
                                uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t nearest, back[2], size[2] = {a[0], from == 64 ? a[1] : a[0]}, too_large;
    call(l, from == 64 ? WF_SW_FUN_F64_TO_F16 : WF_SW_FUN_TO_HALF, a, from / 32, &nearest, 1);
    call(l, WF_SW_FUN_FROM_HALF, &nearest, 1, back, 1);
    back[0] = wf_sw_ir_un(ir, WF_SW_IR_FABS, back[0]);
    size[from / 32 - 1] = wf_sw_ir_un(ir, WF_SW_IR_FABS, size[from / 32 - 1]);
    if (from == 64) {
        call(l, WF_SW_FUN_F32_TO_F64, back, 1, back, 2);
        const uint32_t args[4] = {size[0], size[1], back[0], back[1]};
        too_large = wf_sw_ir_call(ir, WF_SW_FUN_DLT, args, 4);
    } else {
        too_large = wf_sw_ir_bin(ir, WF_SW_IR_FLT, size[0], back[0]);
    }
    nearest = wf_sw_ir_bin(ir, WF_SW_IR_IADD, nearest, too_large); // true is -1
    call(l, WF_SW_FUN_FROM_HALF, &nearest, 1, out, 1);
}

static bool is_toward_zero(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const uint32_t mode =
        wf_shader_decoration_value(l->module, i->id, WF_SHADER_NONE, SpvDecorationFPRoundingMode);
    if (mode == SpvFPRoundingModeRTP || mode == SpvFPRoundingModeRTN)
        wf_sw_fail(l->ir, "this rounding mode is not supported");
    return mode == SpvFPRoundingModeRTZ;
}

static void convert(struct wf_sw_lower *l, const struct wf_shader_instruction *i, uint32_t from,
                    const uint32_t *a, uint32_t to, uint32_t *out)
{
    switch (i->opcode) {
    case SpvOpConvertFToU:
    case SpvOpConvertFToS:
        float_to_int(l, from, a, to, i->opcode == SpvOpConvertFToS, out);
        break;
    case SpvOpConvertUToF:
    case SpvOpConvertSToF:
        int_to_float(l, from, a, i->opcode == SpvOpConvertSToF, to, out);
        break;
    case SpvOpUConvert:
    case SpvOpSConvert:
        int_to_int(l, from, a, i->opcode == SpvOpSConvert, to, out);
        break;
    case SpvOpFConvert:
        if (to == 16 && from != 16 && is_toward_zero(l, i))
            to_half_toward_zero(l, from, a, out);
        else
            float_to_float(l, from, a, to, out);
        break;
    default: // QuantizeToF16
        out[0] = wf_sw_round(l, a[0], 16);
        break;
    }
}

static bool lower_numbers(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    const uint32_t to = wf_sw_scalar_of(l, t)->width, n = wf_sw_scalars(l, t);
    const uint32_t from = wf_sw_scalar_of(l, wf_shader_type_of(l->module, i->operands[0]))->width;
    const size_t from_words = from == 64 ? 2 : 1, to_words = to == 64 ? 2 : 1;
    uint32_t *out = wf_sw_ir_alloc(l->ir, n * to_words, sizeof *out);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t a[2] = {wf_sw_word(l, i->operands[0], c * from_words)};
        if (from == 64)
            a[1] = wf_sw_word(l, i->operands[0], c * 2 + 1);
        convert(l, i, from, a, to, out + c * to_words);
    }
    memcpy(wf_sw_define(l, i->id, n * to_words), out, n * to_words * sizeof *out);
    return true;
}

// ---- bit casts ---------------------------------------------------------------------------------

static uint32_t bits_of(struct wf_sw_lower *l, const struct wf_shader_type *t, uint32_t *width)
{
    const struct wf_shader_type *scalar = wf_sw_scalar_of(l, t);
    *width = scalar->kind == WF_SHADER_TYPE_POINTER ? 64 : scalar->width;
    return *width * wf_sw_scalars(l, t);
}

/// Packs components of 8 or 16 bits into words.
static void pack(struct wf_sw_lower *l, const uint32_t *in, uint32_t n, uint32_t width, bool half,
                 uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t at = c * width;
        uint32_t bits = in[c];
        if (half)
            bits = wf_sw_ir_call(ir, WF_SW_FUN_TO_HALF, &bits, 1);
        bits = wf_sw_ir_bin(ir, WF_SW_IR_SHL, bits, wf_sw_ir_const(ir, at % 32));
        out[at / 32] = at % 32 ? wf_sw_ir_bin(ir, WF_SW_IR_OR, out[at / 32], bits) : bits;
    }
}

static void unpack(struct wf_sw_lower *l, const uint32_t *in, uint32_t n, uint32_t width, bool half,
                   uint32_t *out)
{
    struct wf_sw_ir *ir = l->ir;
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t at = c * width;
        uint32_t bits = wf_sw_ir_bin(ir, WF_SW_IR_SHR, in[at / 32], wf_sw_ir_const(ir, at % 32));
        bits = wf_sw_truncate(l, bits, width);
        out[c] = half ? wf_sw_ir_call(ir, WF_SW_FUN_FROM_HALF, &bits, 1) : bits;
    }
}

/// Also conversions between pointers and integers of the same size.
static bool lower_bitcast(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_shader_type *to = wf_sw_type(l, i->type);
    const struct wf_shader_type *from = wf_shader_type_of(l->module, i->operands[0]);
    uint32_t from_width, to_width;
    const uint32_t bits = bits_of(l, from, &from_width);
    if (bits != bits_of(l, to, &to_width))
        wf_sw_fail(l->ir, "the types differ in size");
    const uint32_t count = wf_sw_type_words(l, i->type);
    const uint32_t from_count = wf_sw_type_words(l, from->id);
    uint32_t *in = wf_sw_ir_alloc(l->ir, from_count, sizeof *in);
    uint32_t *words = wf_sw_ir_alloc(l->ir, bits / 32 + 1, sizeof *words);
    uint32_t *out = wf_sw_ir_alloc(l->ir, count, sizeof *out);
    wf_sw_copy_words(l, i->operands[0], in, from_count);
    const bool from_half = wf_sw_scalar_of(l, from)->kind == WF_SHADER_TYPE_FLOAT;
    const bool to_half = wf_sw_scalar_of(l, to)->kind == WF_SHADER_TYPE_FLOAT;
    if (from_width < 32)
        pack(l, in, from_count, from_width, from_half, words);
    else
        memcpy(words, in, from_count * sizeof *in);
    if (to_width < 32)
        unpack(l, words, count, to_width, to_half, out);
    else
        memcpy(out, words, count * sizeof *out);
    memcpy(wf_sw_define(l, i->id, count), out, count * sizeof *out);
    return true;
}

bool wf_sw_lower_convert(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    switch (i->opcode) {
    case SpvOpConvertFToU:
    case SpvOpConvertFToS:
    case SpvOpConvertUToF:
    case SpvOpConvertSToF:
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpFConvert:
    case SpvOpQuantizeToF16:
        return lower_numbers(l, i);
    case SpvOpBitcast:
    case SpvOpConvertPtrToU:
    case SpvOpConvertUToPtr:
        return lower_bitcast(l, i);
    default:
        return false;
    }
}
