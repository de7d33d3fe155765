#include "backends/software/exec/lower.h"

#include "shader/tables.h"

const struct wf_shader_type *wf_sw_type(struct wf_sw_lower *l, uint32_t id)
{
    const struct wf_shader_type *t = wf_shader_type(l->module, id);
    if (!t)
        wf_sw_fail(l->ir, "type %%%u is missing", id);
    return t;
}

uint32_t wf_sw_type_length(struct wf_sw_lower *l, const struct wf_shader_type *type)
{
    uint32_t length;
    if (type->kind == WF_SHADER_TYPE_ARRAY && wf_sw_constant_u32(l, type->length_id, &length))
        return length;
    return type->count;
}

bool wf_sw_is_choosable(const struct wf_shader_type *t)
{
    return t->kind == WF_SHADER_TYPE_POINTER &&
           (t->storage == SpvStorageClassStorageBuffer || t->storage == SpvStorageClassWorkgroup);
}

static uint64_t scalar_words(struct wf_sw_lower *l, const struct wf_shader_type *t)
{
    if (t->kind == WF_SHADER_TYPE_POINTER)
        return wf_sw_is_choosable(t) || t->storage == SpvStorageClassPhysicalStorageBuffer ? 2 : 1;
    if (t->kind == WF_SHADER_TYPE_INT || t->kind == WF_SHADER_TYPE_FLOAT) {
        if (t->width > 64)
            wf_sw_fail(l->ir, "numbers of %u bits are not supported", t->width);
        return t->width == 64 ? 2 : 1;
    }
    return 1;
}

/// Nesting is limited by the reader.
uint64_t wf_sw_type_words_any(struct wf_sw_lower *l, uint32_t id)
{
    const struct wf_shader_type *t = wf_sw_type(l, id);
    const size_t index = (size_t)(t - l->module->types);
    if (l->type_words[index])
        return l->type_words[index] - 1;
    uint64_t words = 0;
    switch (t->kind) {
    case WF_SHADER_TYPE_VOID:
    case WF_SHADER_TYPE_RUNTIME_ARRAY:
        break;
    case WF_SHADER_TYPE_VECTOR:
    case WF_SHADER_TYPE_MATRIX:
        words = t->count * wf_sw_type_words_any(l, t->component);
        break;
    case WF_SHADER_TYPE_ARRAY:
        words = wf_sw_type_length(l, t) * wf_sw_type_words_any(l, t->component);
        break;
    case WF_SHADER_TYPE_STRUCT:
        for (uint32_t i = 0; i < t->count; i++)
            words += wf_sw_type_words_any(l, t->members[i].type);
        break;
    default:
        words = scalar_words(l, t);
        break;
    }
    if (words > UINT32_MAX / 8)
        words = UINT32_MAX / 8;
    l->type_words[index] = (uint32_t)words + 1;
    return words;
}

uint32_t wf_sw_type_words(struct wf_sw_lower *l, uint32_t id)
{
    const uint64_t words = wf_sw_type_words_any(l, id);
    if (words > WF_SW_MAX_WORDS)
        wf_sw_fail(l->ir, "a value of more than %u components", WF_SW_MAX_WORDS);
    return (uint32_t)words;
}

const struct wf_shader_type *wf_sw_scalar_of(struct wf_sw_lower *l, const struct wf_shader_type *t)
{
    while (t->kind == WF_SHADER_TYPE_VECTOR || t->kind == WF_SHADER_TYPE_MATRIX)
        t = wf_sw_type(l, t->component);
    return t;
}

uint32_t wf_sw_scalars(struct wf_sw_lower *l, const struct wf_shader_type *t)
{
    if (t->kind == WF_SHADER_TYPE_MATRIX)
        return t->count * wf_sw_type(l, t->component)->count;
    return t->kind == WF_SHADER_TYPE_VECTOR ? t->count : 1;
}

uint32_t wf_sw_part_count(struct wf_sw_lower *l, const struct wf_shader_type *t)
{
    return t->kind == WF_SHADER_TYPE_ARRAY ? wf_sw_type_length(l, t) : t->count;
}

uint32_t wf_sw_part(struct wf_sw_lower *l, const struct wf_shader_type *t, uint32_t index,
                    uint32_t *component)
{
    const uint32_t count = wf_sw_part_count(l, t);
    if (count == 0 || (t->kind != WF_SHADER_TYPE_STRUCT && t->kind != WF_SHADER_TYPE_ARRAY &&
                       t->kind != WF_SHADER_TYPE_MATRIX && t->kind != WF_SHADER_TYPE_VECTOR))
        wf_sw_fail(l->ir, "an index into something that has no parts");
    if (index >= count)
        index = count - 1; // undefined by the API: anything inside will do
    if (t->kind != WF_SHADER_TYPE_STRUCT) {
        *component = index * wf_sw_type_words(l, t->component);
        return t->component;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < index; i++)
        at += wf_sw_type_words(l, t->members[i].type);
    *component = at;
    return t->members[index].type;
}

// ---- values ------------------------------------------------------------------------------------

uint32_t *wf_sw_define(struct wf_sw_lower *l, uint32_t id, uint32_t count)
{
    l->words =
        wf_sw_ir_grow(l->ir, l->words, &l->word_capacity, l->word_count + count, sizeof *l->words);
    const uint32_t first = l->word_count;
    l->word_count += count;
    l->values[id] = (struct wf_sw_words){first, count};
    return l->words + first;
}

bool wf_sw_constant_u32(struct wf_sw_lower *l, uint32_t id, uint32_t *out)
{
    const struct wf_shader_constant *c = wf_shader_constant(l->module, id);
    if (c) {
        *out = (uint32_t)l->constants[c - l->module->constants].component[0];
        return true;
    }
    if (l->module->ids[id].role == WF_SHADER_ROLE_VALUE && l->values[id].count == 1)
        return wf_sw_ir_is_const(l->ir, l->words[l->values[id].first], out);
    return false;
}

static uint32_t canonical(const struct wf_shader_type *scalar, uint64_t value)
{
    if (scalar->kind == WF_SHADER_TYPE_BOOL)
        return value ? UINT32_MAX : 0;
    if (scalar->kind == WF_SHADER_TYPE_FLOAT && scalar->width == 16)
        return wf_base_half_to_float_bits((uint16_t)value);
    if (scalar->width < 32)
        return (uint32_t)(value & ((UINT64_C(1) << scalar->width) - 1));
    return (uint32_t)value;
}

/// The components of one constant, parts first. Depth follows the type's, which is limited.
static void constant_words(struct wf_sw_lower *l, uint32_t id, uint32_t type, uint32_t *out)
{
    const struct wf_shader_type *t = wf_sw_type(l, type);
    const struct wf_shader_constant *c = wf_shader_constant(l->module, id);
    const uint32_t count = wf_sw_type_words(l, type);
    const bool composite =
        c && (c->opcode == SpvOpConstantComposite || c->opcode == SpvOpSpecConstantComposite);
    const bool flat = t->kind != WF_SHADER_TYPE_ARRAY && t->kind != WF_SHADER_TYPE_STRUCT &&
                      t->kind != WF_SHADER_TYPE_MATRIX;
    if (c && flat) {
        const struct wf_shader_type *scalar = wf_sw_scalar_of(l, t);
        const uint64_t *value = l->constants[c - l->module->constants].component;
        const bool wide = scalar->width == 64 && scalar->kind != WF_SHADER_TYPE_BOOL;
        for (size_t i = 0; i < wf_sw_scalars(l, t) && i < 4; i++) {
            if (wide || count == wf_sw_scalars(l, t) * 2) {
                out[i * 2] = wf_sw_ir_const(l->ir, (uint32_t)value[i]);
                out[i * 2 + 1] = wf_sw_ir_const(l->ir, (uint32_t)(value[i] >> 32));
            } else {
                out[i] = wf_sw_ir_const(l->ir, canonical(scalar, value[i]));
            }
        }
        return;
    }
    if (!composite) {
        if (c && c->opcode == SpvOpSpecConstantOp)
            wf_sw_fail(l->ir, "a specialization operation that makes an array, a structure or a "
                              "matrix is not supported");
        for (uint32_t i = 0; i < count; i++)
            out[i] = wf_sw_ir_const(l->ir, 0);
        return;
    }
    const struct wf_shader_instruction ins = wf_shader_at(l->module, c->word);
    for (uint32_t i = 0; i < ins.operand_count && i < wf_sw_part_count(l, t); i++) {
        uint32_t at;
        const uint32_t part = wf_sw_part(l, t, i, &at);
        constant_words(l, ins.operands[i], part, out + at);
    }
}

uint32_t *wf_sw_value(struct wf_sw_lower *l, uint32_t id, uint32_t *count)
{
    const struct wf_shader_id *info = &l->module->ids[id];
    if (l->values[id].count == 0 && info->role == WF_SHADER_ROLE_VARIABLE && l->variable_pointers) {
        const struct wf_sw_pointer p = wf_sw_pointer(l, id); // made of constants
        wf_sw_publish_pointer(l, id, &p);                    // a value if it may be chosen
    }
    if (l->values[id].count == 0) {
        const uint32_t words = wf_sw_type_words(l, info->type);
        const bool constant = info->role == WF_SHADER_ROLE_CONSTANT || info->opcode == SpvOpUndef;
        if (!constant && words)
            wf_sw_fail(l->ir, "%%%u, of Op%s, cannot be used as a value here", id,
                       wf_shader_op_name(wf_shader_op(info->opcode)));
        wf_sw_define(l, id, words);
        uint32_t *out = wf_sw_ir_alloc(l->ir, words, sizeof *out);
        constant_words(l, id, info->type, out);
        memcpy(l->words + l->values[id].first, out, words * sizeof *out);
    }
    if (count)
        *count = l->values[id].count;
    return l->words + l->values[id].first;
}

uint32_t wf_sw_word(struct wf_sw_lower *l, uint32_t id, uint32_t i)
{
    uint32_t count;
    const uint32_t *words = wf_sw_value(l, id, &count);
    return i < count ? words[i] : wf_sw_ir_const(l->ir, 0);
}

void wf_sw_copy_words(struct wf_sw_lower *l, uint32_t id, uint32_t *out, uint32_t count)
{
    uint32_t have;
    const uint32_t *words = wf_sw_value(l, id, &have);
    for (uint32_t i = 0; i < count; i++)
        out[i] = i < have ? words[i] : wf_sw_ir_const(l->ir, 0);
}
