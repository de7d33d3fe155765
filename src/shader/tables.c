#include "shader/tables.h"

#include "base/thread.h"
#include "base/unpack.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "spirv_tables.h"

enum {
    KIND_BITS = 1,
    KIND_VALUES = 2,
    PATTERN_OPTIONAL = 0xFE,
    PATTERN_VARIADIC = 0xFF,
    NO_INSTRUCTION = 0xFE,
    FIRST_KIND_NAME = OP_COUNT,
    FIRST_ENUMERANT_NAME = FIRST_KIND_NAME + KIND_COUNT,
    FIRST_GLSL_NAME = FIRST_ENUMERANT_NAME + ENUMERANT_COUNT,
    FIRST_DEBUG_NAME = FIRST_GLSL_NAME + GLSL_COUNT,
    NAME_COUNT = FIRST_DEBUG_NAME + DEBUG_COUNT,
};

struct kind_row {
    uint16_t first, count;
    uint8_t flags;
};

// What the generator packed: tables for who first reads a module, names for who first reports or
// lists one.
static struct wf_shader_op op_rows[OP_COUNT];
static struct kind_row kind_rows[KIND_COUNT];
static struct wf_shader_enumerant enumerant_rows[ENUMERANT_COUNT];
static uint8_t glsl_operands[GLSL_COUNT];
static uint8_t pattern_pool[PATTERN_POOL_COUNT];
static uint16_t list_pool[LIST_POOL_COUNT];
static char name_text[NAMES_SIZE];
static uint16_t name_offsets[NAME_COUNT];

static uint16_t next_number(const uint8_t **at)
{
    uint32_t value = 0, shift = 0;
    do
        value |= (**at & 0x7Fu) << shift;
    while (shift += 7, *(*at)++ & 0x80);
    return (uint16_t)value;
}

static void read_instructions(const uint8_t **at)
{
    uint16_t opcode = 0;
    for (size_t i = 0; i < OP_COUNT; i++) {
        struct wf_shader_op *op = &op_rows[i];
        opcode = (uint16_t)(opcode + next_number(at));
        op->opcode = opcode;
        op->operands = next_number(at);
        op->capabilities = next_number(at);
        op->version = (uint8_t)next_number(at);
        op->group = (uint8_t)next_number(at);
        op->flags = (uint8_t)next_number(at);
    }
}

static void read_kinds(const uint8_t **at)
{
    struct wf_shader_enumerant *row = enumerant_rows;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        kind_rows[i].flags = (uint8_t)next_number(at);
        kind_rows[i].count = next_number(at);
        kind_rows[i].first = (uint16_t)(row - enumerant_rows);
        uint16_t value = 0;
        for (size_t k = 0; k < kind_rows[i].count; k++, row++) {
            value = (uint16_t)(value + next_number(at));
            row->value = value;
            row->operands = next_number(at);
            row->implies = next_number(at);
        }
    }
    assert(row == enumerant_rows + ENUMERANT_COUNT);
}

static void unpack_grammar(void)
{
    uint8_t numbers[GRAMMAR_SIZE];
    const uint8_t *at = numbers;
    const bool whole = wf_base_unpack(grammar, sizeof grammar, numbers, sizeof numbers);
    assert(whole);
    (void)whole;
    read_instructions(&at);
    read_kinds(&at);
    for (size_t i = 0; i < GLSL_COUNT; i++)
        glsl_operands[i] = (uint8_t)next_number(&at);
    for (size_t i = 0; i < PATTERN_POOL_COUNT; i++)
        pattern_pool[i] = (uint8_t)next_number(&at);
    for (size_t i = 0; i < LIST_POOL_COUNT; i++)
        list_pool[i] = next_number(&at);
    assert(at == numbers + sizeof numbers);
}

static void need_grammar(void)
{
    static struct wf_base_once once = WF_BASE_ONCE_INIT;
    wf_base_once(&once, unpack_grammar);
}

static void unpack_names(void)
{
    const bool whole = wf_base_unpack(names, sizeof names, (uint8_t *)name_text, sizeof name_text);
    assert(whole);
    (void)whole;
    size_t offset = 0;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        name_offsets[i] = (uint16_t)offset;
        offset += strlen(name_text + offset) + 1;
    }
    assert(offset == sizeof name_text);
}

static const char *name_at(size_t index)
{
    static struct wf_base_once once = WF_BASE_ONCE_INIT;
    wf_base_once(&once, unpack_names);
    return name_text + name_offsets[index];
}

const struct wf_shader_op *wf_shader_op(uint32_t opcode)
{
    need_grammar();
    size_t low = 0, high = OP_COUNT;
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
    return op ? name_at((size_t)(op - op_rows)) : "?";
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
    need_grammar();
    return kind < KIND_COUNT && kind_rows[kind].flags == KIND_BITS;
}

bool wf_shader_kind_is_values(uint8_t kind)
{
    need_grammar();
    return kind < KIND_COUNT && kind_rows[kind].flags == KIND_VALUES;
}

const char *wf_shader_kind_name(uint8_t kind)
{
    return kind < KIND_COUNT ? name_at(FIRST_KIND_NAME + kind) : "?";
}

const struct wf_shader_enumerant *wf_shader_enumerant(uint8_t kind, uint32_t value)
{
    need_grammar();
    if (kind >= KIND_COUNT)
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
    return enumerant ? name_at(FIRST_ENUMERANT_NAME + (size_t)(enumerant - enumerant_rows)) : "?";
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

bool wf_shader_glsl_has(uint32_t number, uint32_t *operands)
{
    need_grammar();
    *operands = number < GLSL_COUNT ? glsl_operands[number] : NO_INSTRUCTION;
    return *operands != NO_INSTRUCTION;
}

/// Names of extended sets have holes, which are empty.
static const char *extended_name(uint32_t number, uint32_t count, size_t first)
{
    const char *name = number < count ? name_at(first + number) : "";
    return name[0] ? name : NULL;
}

const char *wf_shader_glsl_name(uint32_t number)
{
    return extended_name(number, GLSL_COUNT, FIRST_GLSL_NAME);
}

const char *wf_shader_debug_name(uint32_t number)
{
    return extended_name(number, DEBUG_COUNT, FIRST_DEBUG_NAME);
}
