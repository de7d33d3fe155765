#include "shader/operands.h"

#include <stdio.h>

void wf_shader_operands_start(struct wf_shader_operands *walk,
                              const struct wf_shader_module *module,
                              const struct wf_shader_instruction *instruction,
                              const struct wf_shader_op *op)
{
    *walk = (struct wf_shader_operands){.module = module, .instruction = instruction, .at = 1};
    walk->pattern[0] = wf_shader_op_pattern(op);
}

uint32_t wf_shader_literal_words(const struct wf_shader_module *module, uint32_t type)
{
    if (type >= module->bound)
        return 0;
    const struct wf_shader_id *id = &module->ids[type];
    if (id->opcode != SpvOpTypeInt && id->opcode != SpvOpTypeFloat)
        return 0;
    return module->words[id->word + 2] > 32 ? 2 : 1;
}

uint32_t wf_shader_string_length(const uint32_t *at, uint32_t words)
{
    for (uint32_t i = 0; i < words && i * 4 <= WF_SHADER_MAX_STRING; i++) {
        for (uint32_t byte = 0; byte < 4; byte++) {
            if ((at[i] >> byte * 8 & 0xFF) == 0)
                return i * 4 + byte;
        }
    }
    return UINT32_MAX;
}

static int problem(struct wf_shader_operands *walk, const char *what, const char *name)
{
    (void)snprintf(walk->problem, sizeof walk->problem, what, name);
    return -1;
}

/// The type that gives a context-dependent literal its width.
static uint32_t literal_type(const struct wf_shader_operands *walk)
{
    const struct wf_shader_instruction *ins = walk->instruction;
    if (ins->opcode != SpvOpSwitch)
        return ins->type;
    const uint32_t selector = ins->words[1];
    return selector < walk->module->bound ? walk->module->ids[selector].type : 0;
}

/// Lets the operands of an enumeration's value come next.
static int enter_enumeration(struct wf_shader_operands *walk, uint8_t kind, uint32_t value)
{
    if (walk->depth + 1u >= sizeof walk->pattern / sizeof walk->pattern[0])
        return problem(walk, "operand %s is nested too deep", wf_shader_kind_name(kind));

    if (wf_shader_kind_is_bits(kind)) {
        for (uint32_t bit = 0; bit < 32; bit++) {
            if ((value >> bit & 1) && !wf_shader_enumerant(kind, bit))
                return problem(walk, "operand %s has an unknown bit", wf_shader_kind_name(kind));
        }
        walk->depth++;
        walk->pattern[walk->depth] = (struct wf_shader_pattern){NULL, NULL};
        walk->bits[walk->depth] = value;
        walk->bits_kind[walk->depth] = kind;
        return 1;
    }
    const struct wf_shader_enumerant *found = wf_shader_enumerant(kind, value);
    if (!found) {
        (void)snprintf(walk->problem, sizeof walk->problem, "operand %s has the unknown value %u",
                       wf_shader_kind_name(kind), value);
        return -1;
    }
    walk->depth++;
    walk->pattern[walk->depth] = wf_shader_enumerant_pattern(found);
    walk->bits[walk->depth] = 0;
    return 1;
}

static int enter_operation(struct wf_shader_operands *walk, uint32_t opcode)
{
    const struct wf_shader_op *op = wf_shader_op(opcode);
    const uint8_t both = WF_SHADER_OP_HAS_TYPE | WF_SHADER_OP_HAS_ID;
    if (!op || (op->flags & both) != both || opcode == SpvOpSpecConstantOp)
        return problem(walk, "%s", "its operation is not one that makes a value");
    walk->depth++;
    walk->pattern[walk->depth] = wf_shader_op_pattern(op);
    walk->bits[walk->depth] = 0;
    uint8_t kind;
    enum wf_shader_quantity quantity;
    while (wf_shader_pattern_next(&walk->pattern[walk->depth], &kind, &quantity)) {
        if (kind == WF_SHADER_KIND_RESULT)
            break;
    }
    return 1;
}

/// Measures the operand at `walk->at`, and enters what it brings with it. `left` is not zero.
static int take(struct wf_shader_operands *walk, uint8_t kind, uint32_t left,
                struct wf_shader_operand *out)
{
    const uint32_t *at = walk->instruction->words + walk->at;
    uint32_t words = 1;
    switch (kind) {
    case WF_SHADER_KIND_STRING: {
        const uint32_t length = wf_shader_string_length(at, left);
        if (length == UINT32_MAX)
            return problem(walk, "%s", "a string does not end, or is too long");
        words = length / 4 + 1;
        break;
    }
    case WF_SHADER_KIND_NUMBER:
        words = wf_shader_literal_words(walk->module, literal_type(walk));
        if (words == 0)
            return problem(walk, "%s", "a literal's type is not int or float");
        break;
    case WF_SHADER_KIND_NUMBER_ID:
        kind = walk->instruction->opcode == SpvOpSwitch ? WF_SHADER_KIND_NUMBER
                                                        : WF_SHADER_KIND_INTEGER;
        walk->second = WF_SHADER_KIND_ID;
        words = kind == WF_SHADER_KIND_INTEGER
                    ? 1
                    : wf_shader_literal_words(walk->module, literal_type(walk));
        if (words == 0)
            return problem(walk, "%s", "a literal's type is not int or float");
        break;
    case WF_SHADER_KIND_ID_INTEGER:
    case WF_SHADER_KIND_ID_ID:
        walk->second = kind == WF_SHADER_KIND_ID_ID ? WF_SHADER_KIND_ID : WF_SHADER_KIND_INTEGER;
        kind = WF_SHADER_KIND_ID;
        break;
    default:
        break;
    }
    if (words > left)
        return problem(walk, "%s", "it is too short for its last operand");

    out->kind = kind;
    out->at = walk->at;
    out->words = (uint16_t)words;
    walk->at = (uint16_t)(walk->at + words);
    if (kind == WF_SHADER_KIND_SPEC_OPCODE)
        return enter_operation(walk, at[0]);
    if (wf_shader_kind_is_bits(kind) || wf_shader_kind_is_values(kind))
        return enter_enumeration(walk, kind, at[0]);
    return 1;
}

/// Finds the next kind in the patterns; false when all are used up. `*optional`: it may be absent.
static bool next_kind(struct wf_shader_operands *walk, uint8_t *kind, bool *optional)
{
    for (;;) {
        enum wf_shader_quantity quantity;
        struct wf_shader_pattern *pattern = &walk->pattern[walk->depth];
        if (pattern->at && wf_shader_pattern_next(pattern, kind, &quantity)) {
            if (walk->depth == 0)
                walk->position++;
            if (quantity == WF_SHADER_VARIADIC)
                walk->repeat = *kind;
            *optional = quantity != WF_SHADER_ONE;
            return true;
        }
        uint32_t *bits = &walk->bits[walk->depth];
        if (*bits != 0) {
            uint32_t bit = 0;
            while ((*bits >> bit & 1) == 0)
                bit++;
            *bits &= *bits - 1;
            *pattern =
                wf_shader_enumerant_pattern(wf_shader_enumerant(walk->bits_kind[walk->depth], bit));
        } else if (walk->depth > 0) {
            walk->depth--;
        } else {
            return false;
        }
    }
}

int wf_shader_operand_next(struct wf_shader_operands *walk, struct wf_shader_operand *out)
{
    const uint32_t left = (uint32_t)walk->instruction->count - walk->at;
    uint8_t kind = walk->second ? walk->second : walk->repeat;
    bool optional = walk->second == 0;
    walk->second = 0;
    // A repeated operand is always the grammar's last one.
    if (kind == 0) {
        if (!next_kind(walk, &kind, &optional))
            return left == 0 ? 0 : problem(walk, "%s", "it has words after its last operand");
    }
    if (left == 0) {
        if (!optional)
            return problem(walk, "it lacks an operand (%s)", wf_shader_kind_name(kind));
        walk->repeat = 0;
        // Only optional operands may follow an absent one.
        while (next_kind(walk, &kind, &optional)) {
            if (!optional)
                return problem(walk, "it lacks an operand (%s)", wf_shader_kind_name(kind));
            walk->repeat = 0;
        }
        return 0;
    }
    out->position = (uint8_t)(walk->position - 1);
    out->nested = walk->depth > 0;
    return take(walk, kind, left, out);
}
