#include "shader/tables.h"

#include <stddef.h>

struct kind_row {
    uint16_t first, count, name;
    uint8_t flags;
};

struct extended_row {
    uint16_t name;
    uint8_t operands;
};

#include "spirv_tables.h"

enum { KIND_BITS = 1, KIND_VALUES = 2, PATTERN_OPTIONAL = 0xFE, PATTERN_VARIADIC = 0xFF };

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const struct wf_shader_op *wf_shader_op(uint32_t opcode)
{
    size_t low = 0, high = COUNT(op_rows);
    // Rows ascend strictly, so an opcode's row is never past the opcode's own number.
    if (opcode < high)
        high = (size_t)opcode + 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (op_rows[middle].opcode == opcode)
            return &op_rows[middle];
        if (op_rows[middle].opcode < opcode)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *wf_shader_op_name(const struct wf_shader_op *op)
{
    return op ? string_pool + op->name : "?";
}

static struct wf_shader_pattern pattern_at(uint16_t offset)
{
    const uint8_t *list = pattern_pool + offset;
    return (struct wf_shader_pattern){list + 1, list + 1 + list[0]};
}

struct wf_shader_pattern wf_shader_op_pattern(const struct wf_shader_op *op)
{
    return pattern_at(op->operands);
}

const uint16_t *wf_shader_op_capabilities(const struct wf_shader_op *op, uint32_t *count)
{
    *count = list_pool[op->capabilities];
    return list_pool + op->capabilities + 1;
}

bool wf_shader_pattern_next(struct wf_shader_pattern *pattern, uint8_t *kind,
                            enum wf_shader_quantity *quantity)
{
    if (pattern->at == pattern->end)
        return false;
    *quantity = WF_SHADER_ONE;
    if (*pattern->at >= PATTERN_OPTIONAL) {
        *quantity = *pattern->at == PATTERN_OPTIONAL ? WF_SHADER_OPTIONAL : WF_SHADER_VARIADIC;
        pattern->at++;
    }
    *kind = *pattern->at++;
    return true;
}

bool wf_shader_kind_is_bits(uint8_t kind)
{
    return kind < COUNT(kind_rows) && kind_rows[kind].flags == KIND_BITS;
}

bool wf_shader_kind_is_values(uint8_t kind)
{
    return kind < COUNT(kind_rows) && kind_rows[kind].flags == KIND_VALUES;
}

const char *wf_shader_kind_name(uint8_t kind)
{
    return kind < COUNT(kind_rows) ? string_pool + kind_rows[kind].name : "?";
}

const struct wf_shader_enumerant *wf_shader_enumerant(uint8_t kind, uint32_t value)
{
    if (kind >= COUNT(kind_rows))
        return NULL;
    const struct wf_shader_enumerant *rows = enumerant_rows + kind_rows[kind].first;
    size_t low = 0, high = kind_rows[kind].count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (rows[middle].value == value)
            return &rows[middle];
        if (rows[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *wf_shader_enumerant_name(const struct wf_shader_enumerant *enumerant)
{
    return enumerant ? string_pool + enumerant->name : "?";
}

struct wf_shader_pattern wf_shader_enumerant_pattern(const struct wf_shader_enumerant *enumerant)
{
    return pattern_at(enumerant->operands);
}

const uint16_t *wf_shader_capability_implies(const struct wf_shader_enumerant *capability,
                                             uint32_t *count)
{
    *count = list_pool[capability->implies];
    return list_pool + capability->implies + 1;
}

const char *wf_shader_value_name(uint8_t kind, uint32_t value)
{
    return wf_shader_enumerant_name(wf_shader_enumerant(kind, value));
}

const char *wf_shader_glsl_name(uint32_t number, uint32_t *operands)
{
    *operands = 0;
    if (number >= COUNT(glsl_rows) || glsl_rows[number].name == 0)
        return NULL;
    *operands = glsl_rows[number].operands;
    return string_pool + glsl_rows[number].name;
}

const char *wf_shader_debug_name(uint32_t number)
{
    if (number >= COUNT(debug_rows) || debug_rows[number].name == 0)
        return NULL;
    return string_pool + debug_rows[number].name;
}
