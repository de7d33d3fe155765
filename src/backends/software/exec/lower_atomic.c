#include "backends/software/exec/lower.h"

#include "backends/software/image/image.h"

/// Where the value and the comparator of each atomic are among the operands; 0: there is none.
struct atomic {
    uint16_t opcode;
    uint8_t op, value, compare;
};

static const struct atomic *find_atomic(uint16_t opcode)
{
    static const struct atomic all[] = {
        {SpvOpAtomicLoad, WF_SW_ATOMIC_LOAD, 0, 0},
        {SpvOpAtomicStore, WF_SW_ATOMIC_STORE, 3, 0},
        {SpvOpAtomicExchange, WF_SW_ATOMIC_EXCHANGE, 3, 0},
        {SpvOpAtomicCompareExchange, WF_SW_ATOMIC_COMPARE_EXCHANGE, 4, 5},
        {SpvOpAtomicIIncrement, WF_SW_ATOMIC_ADD, 0, 0},
        {SpvOpAtomicIDecrement, WF_SW_ATOMIC_SUB, 0, 0},
        {SpvOpAtomicIAdd, WF_SW_ATOMIC_ADD, 3, 0},
        {SpvOpAtomicISub, WF_SW_ATOMIC_SUB, 3, 0},
        {SpvOpAtomicSMin, WF_SW_ATOMIC_SMIN, 3, 0},
        {SpvOpAtomicUMin, WF_SW_ATOMIC_UMIN, 3, 0},
        {SpvOpAtomicSMax, WF_SW_ATOMIC_SMAX, 3, 0},
        {SpvOpAtomicUMax, WF_SW_ATOMIC_UMAX, 3, 0},
        {SpvOpAtomicAnd, WF_SW_ATOMIC_AND, 3, 0},
        {SpvOpAtomicOr, WF_SW_ATOMIC_OR, 3, 0},
        {SpvOpAtomicXor, WF_SW_ATOMIC_XOR, 3, 0},
        {SpvOpAtomicFAddEXT, WF_SW_ATOMIC_FADD, 3, 0},
        {SpvOpAtomicFMinEXT, WF_SW_ATOMIC_FMIN, 3, 0},
        {SpvOpAtomicFMaxEXT, WF_SW_ATOMIC_FMAX, 3, 0},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].opcode == opcode)
            return &all[k];
    }
    return NULL;
}

/// An operand of one or two words, added to those of the record.
static void add_operand(struct wf_sw_lower *l, uint32_t id, uint32_t words, uint32_t *operands,
                        uint32_t *args, uint32_t *arg_count)
{
    for (uint32_t k = 0; k < words; k++) {
        operands[k] = WF_SW_OPERAND_ROW;
        args[(*arg_count)++] = id ? wf_sw_word(l, id, k) : wf_sw_ir_const(l->ir, k == 0);
    }
}

static uint32_t memory_atomic(struct wf_sw_lower *l, const struct wf_shader_instruction *i,
                              const struct atomic *a, const struct wf_sw_pointer *p, uint32_t words)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t args[12], arg_count = 0;
    const uint32_t record = wf_sw_memory_record(l, p, 0, args, &arg_count);
    struct wf_sw_mem *mem = &ir->mems[record];
    mem->count = (uint8_t)words;
    mem->width = words == 2 ? WF_SW_WIDTH_64 : WF_SW_WIDTH_32;
    mem->atomic = a->op;
    if (a->op != WF_SW_ATOMIC_LOAD)
        add_operand(l, a->value ? i->operands[a->value] : 0, words, mem->value, args, &arg_count);
    if (a->compare)
        add_operand(l, i->operands[a->compare], words, mem->compare, args, &arg_count);
    if (p->space == WF_SW_POINTER_BUFFER)
        l->uses[p->use].stores |= a->op != WF_SW_ATOMIC_LOAD;
    return wf_sw_ir_add(ir, WF_SW_IR_ATOMIC, record, args, arg_count, words);
}

bool wf_sw_lower_atomic(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct wf_sw_ir *ir = l->ir;
    const struct atomic *a = find_atomic(i->opcode);
    if (!a)
        return false;
    const struct wf_sw_pointer p = wf_sw_pointer(l, i->operands[0]);
    const uint32_t width = wf_sw_type(l, p.type)->width, words = width == 64 ? 2 : 1;
    const bool texel = p.space == WF_SW_POINTER_TEXEL;
    if (width < 32 || (texel && width != 32))
        wf_sw_fail(ir, "an atomic of %u bits is not supported here", width);
    if (a->op != WF_SW_ATOMIC_LOAD && p.read_only)
        wf_sw_fail(ir, "writes to read-only memory");
    if (p.space != WF_SW_POINTER_SHARED) {
        l->info->side_effects = true;
        l->info->atomics |= a->op != WF_SW_ATOMIC_LOAD;
        l->info->float_sums |= a->op == WF_SW_ATOMIC_FADD;
    }
    uint32_t result;
    if (texel) {
        const uint32_t value = a->op == WF_SW_ATOMIC_LOAD ? WF_SW_NONE
                               : a->value                 ? wf_sw_word(l, i->operands[a->value], 0)
                                                          : wf_sw_ir_const(ir, 1);
        result = wf_sw_image_atomic_at(l, &p, a->op, value,
                                       a->compare ? wf_sw_word(l, i->operands[a->compare], 0)
                                                  : WF_SW_NONE);
    } else {
        result = memory_atomic(l, i, a, &p, words);
    }
    if (!i->id)
        return true;
    uint32_t *out = wf_sw_define(l, i->id, words);
    for (uint32_t k = 0; k < words; k++)
        out[k] = result + k;
    return true;
}
