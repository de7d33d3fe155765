#include "backends/software/exec/lower.h"

static uint32_t *copy_value(struct wf_sw_lower *l, uint32_t id, uint32_t *count)
{
    *count = wf_sw_type_words(l, l->module->ids[id].type);
    uint32_t *words = wf_sw_ir_alloc(l->ir, *count, sizeof *words);
    wf_sw_copy_words(l, id, words, *count);
    return words;
}

static void define(struct wf_sw_lower *l, const struct wf_shader_instruction *i,
                   const uint32_t *words)
{
    const uint32_t count = wf_sw_type_words(l, i->type);
    memcpy(wf_sw_define(l, i->id, count), words, count * sizeof *words);
}

/// The component where a path of literal indices ends, and the type there.
static uint32_t follow(struct wf_sw_lower *l, uint32_t *type, const uint32_t *path, uint32_t length)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < length; k++) {
        uint32_t component;
        *type = wf_sw_part(l, wf_sw_type(l, *type), path[k], &component);
        at += component;
    }
    return at;
}

static void lower_extract(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t count, type = l->module->ids[i->operands[0]].type;
    const uint32_t *words = copy_value(l, i->operands[0], &count);
    const uint32_t at = follow(l, &type, i->operands + 1, i->operand_count - 1u);
    if (wf_sw_type_words(l, type) != wf_sw_type_words(l, i->type))
        wf_sw_fail(l->ir, "the part differs from the result in type");
    define(l, i, words + at);
}

static void lower_insert(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t count, part_count, type = i->type;
    const uint32_t *part = copy_value(l, i->operands[0], &part_count);
    uint32_t *words = copy_value(l, i->operands[1], &count);
    const uint32_t at = follow(l, &type, i->operands + 2, i->operand_count - 2u);
    if (wf_sw_type_words(l, type) != part_count || count != wf_sw_type_words(l, i->type))
        wf_sw_fail(l->ir, "the part differs from its place in type");
    memcpy(words + at, part, part_count * sizeof *words);
    define(l, i, words);
}

static void lower_construct(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const uint32_t total = wf_sw_type_words(l, i->type);
    uint32_t *words = wf_sw_ir_alloc(l->ir, total, sizeof *words), at = 0;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        uint32_t count;
        const uint32_t *part = copy_value(l, i->operands[k], &count);
        if (count > total - at)
            wf_sw_fail(l->ir, "more parts than the type has");
        memcpy(words + at, part, count * sizeof *words);
        at += count;
    }
    if (at != total)
        wf_sw_fail(l->ir, "fewer parts than the type has");
    define(l, i, words);
}

static void lower_shuffle(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t a_count, b_count;
    const uint32_t *a = copy_value(l, i->operands[0], &a_count);
    const uint32_t *b = copy_value(l, i->operands[1], &b_count);
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    const size_t words = wf_sw_scalar_of(l, t)->width == 64 ? 2 : 1;
    uint32_t *out = wf_sw_ir_alloc(l->ir, t->count * words, sizeof *out);
    for (uint32_t c = 0; c < t->count && c + 2 < i->operand_count; c++) {
        for (uint32_t k = 0; k < words; k++) {
            const uint64_t from = (uint64_t)i->operands[2 + c] * words + k;
            if (from < a_count)
                out[c * words + k] = a[from];
            else if (from - a_count < b_count)
                out[c * words + k] = b[from - a_count];
            else
                out[c * words + k] = wf_sw_ir_const(l->ir, 0); // 0xffffffff: undefined
        }
    }
    define(l, i, out);
}

static uint32_t is_at(struct wf_sw_lower *l, uint32_t index, uint32_t c)
{
    return wf_sw_ir_bin(l->ir, WF_SW_IR_IEQ, index, wf_sw_ir_const(l->ir, c));
}

/// A component chosen by a value: the last one that compares equal; none is 0.
static void lower_extract_dynamic(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t count;
    const uint32_t *a = copy_value(l, i->operands[0], &count);
    const size_t words = wf_sw_type_words(l, i->type) == 2 ? 2 : 1;
    const uint32_t index = wf_sw_word(l, i->operands[1], 0);
    uint32_t out[2] = {wf_sw_ir_const(l->ir, 0), wf_sw_ir_const(l->ir, 0)};
    for (uint32_t c = 0; c < count / words; c++) {
        for (uint32_t k = 0; k < words; k++)
            out[k] =
                wf_sw_ir_ter(l->ir, WF_SW_IR_SELECT, is_at(l, index, c), a[c * words + k], out[k]);
    }
    define(l, i, out);
}

static void lower_insert_dynamic(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t count, words;
    uint32_t *a = copy_value(l, i->operands[0], &count);
    const uint32_t *part = copy_value(l, i->operands[1], &words);
    const uint32_t index = wf_sw_word(l, i->operands[2], 0);
    for (uint32_t c = 0; c < count; c++)
        a[c] =
            wf_sw_ir_ter(l->ir, WF_SW_IR_SELECT, is_at(l, index, c / words), part[c % words], a[c]);
    define(l, i, a);
}

static void lower_select(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t conditions, count, other;
    const uint32_t *condition = copy_value(l, i->operands[0], &conditions);
    uint32_t *a = copy_value(l, i->operands[1], &count);
    const uint32_t *b = copy_value(l, i->operands[2], &other);
    const uint32_t words = conditions > 1 ? count / conditions : count;
    if (other != count || count != wf_sw_type_words(l, i->type))
        wf_sw_fail(l->ir, "the two objects differ in type");
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t chosen = conditions > 1 ? wf_base_min_u32(c / words, conditions - 1) : 0;
        a[c] = wf_sw_ir_ter(l->ir, WF_SW_IR_SELECT, condition[chosen], a[c], b[c]);
    }
    define(l, i, a);
}

static void lower_copy_object(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const uint32_t from = i->operands[0];
    if (l->opaque_of[from]) {
        l->opaque_of[i->id] = l->opaque_of[from];
        return;
    }
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    if (t->kind == WF_SHADER_TYPE_POINTER) {
        const struct wf_sw_pointer p = wf_sw_pointer(l, from);
        wf_sw_publish_pointer(l, i->id, &p);
        if (p.space != WF_SW_POINTER_PHYSICAL)
            return;
    }
    uint32_t count;
    define(l, i, copy_value(l, from, &count));
}

bool wf_sw_lower_composite(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    switch (i->opcode) {
    case SpvOpCompositeExtract:
        lower_extract(l, i);
        return true;
    case SpvOpCompositeInsert:
        lower_insert(l, i);
        return true;
    case SpvOpCompositeConstruct:
        lower_construct(l, i);
        return true;
    case SpvOpVectorShuffle:
        lower_shuffle(l, i);
        return true;
    case SpvOpVectorExtractDynamic:
        lower_extract_dynamic(l, i);
        return true;
    case SpvOpVectorInsertDynamic:
        lower_insert_dynamic(l, i);
        return true;
    case SpvOpSelect:
        lower_select(l, i);
        return true;
    case SpvOpCopyObject:
    case SpvOpCopyLogical:
        lower_copy_object(l, i);
        return true;
    case SpvOpUndef:
        return true; // zero when it is used
    default:
        return false;
    }
}
