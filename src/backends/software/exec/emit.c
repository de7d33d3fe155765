#include "backends/software/exec/emit.h"

#include <assert.h>

struct wf_sw_code *wf_sw_emit_code(struct wf_sw_emit *e, uint32_t op)
{
    e->code = wf_sw_ir_grow(e->ir, e->code, &e->code_capacity, e->code_count + 1, sizeof *e->code);
    e->lines =
        wf_sw_ir_grow(e->ir, e->lines, &e->line_capacity, e->code_count + 1, sizeof *e->lines);
    e->lines[e->code_count] = e->word;
    e->code[e->code_count] = (struct wf_sw_code){.op = (uint16_t)op};
    return &e->code[e->code_count++];
}

uint32_t wf_sw_emit_aux(struct wf_sw_emit *e, const uint16_t *slots, uint32_t count)
{
    e->aux = wf_sw_ir_grow(e->ir, e->aux, &e->aux_capacity, e->aux_count + count, sizeof *e->aux);
    memcpy(e->aux + e->aux_count, slots, count * sizeof *slots);
    e->aux_count += count;
    return e->aux_count - count;
}

// ---- slots -------------------------------------------------------------------------------------

uint32_t wf_sw_emit_words(struct wf_sw_emit *e, uint32_t count)
{
    if (e->word_count + count > UINT16_MAX)
        wf_sw_fail(e->ir, "more than %u uniform values", UINT16_MAX);
    e->word_count += count;
    return e->word_count - count;
}

/// The word of a uniform value.
uint16_t wf_sw_emit_word(struct wf_sw_emit *e, uint32_t value)
{
    struct wf_sw_val *v = &e->ir->vals[value];
    if (v->slot == WF_SW_NONE)
        v->slot = wf_sw_emit_words(e, 1);
    return (uint16_t)v->slot;
}

uint16_t wf_sw_emit_row(struct wf_sw_emit *e, uint32_t value)
{
    const struct wf_sw_val *v = &e->ir->vals[value];
    if (!v->uniform)
        return (uint16_t)v->slot;
    const uint16_t word = wf_sw_emit_word(e, value);
    const uint16_t row = (uint16_t)(e->temp_first + e->temp_count++);
    struct wf_sw_code *c = wf_sw_emit_code(e, WF_SW_OP_SPLAT);
    c->d = row;
    c->a = word;
    return row;
}

uint32_t wf_sw_emit_operand(struct wf_sw_emit *e, uint32_t value)
{
    if (e->ir->vals[value].uniform)
        return WF_SW_OPERAND_WORD | wf_sw_emit_word(e, value);
    return WF_SW_OPERAND_ROW | e->ir->vals[value].slot;
}

uint16_t wf_sw_emit_result(const struct wf_sw_emit *e, uint32_t value)
{
    const struct wf_sw_val *v = &e->ir->vals[value];
    return v->uses ? (uint16_t)v->slot : WF_SW_NO_SLOT;
}

// ---- simple operations -------------------------------------------------------------------------

/// The forms of an operation on rows: the first one, and whether those are left out that need
/// operands to be swapped or words to be copied to rows.
struct forms {
    uint16_t first;
    bool few;
};

static struct forms forms_of(uint32_t op)
{
    static const struct forms forms[] = {
#define WF_UN(name, result, operand, expression)  {WF_SW_OP_##name##_V, false},
#define WF_BIN(name, result, operand, expression) {WF_SW_OP_##name##_VV, false},
#define WF_COM(name, result, operand, expression) {WF_SW_OP_##name##_VV, true},
#define WF_TER(name, result, operand, expression) {WF_SW_OP_##name##_VVV, false},
#define WF_FEW(name, result, operand, expression) {WF_SW_OP_##name##_VVV, true},
#include "backends/software/exec/ops.def"
#undef WF_UN
#undef WF_BIN
#undef WF_COM
#undef WF_TER
#undef WF_FEW
    };
    return forms[op];
}

static uint16_t slot_of(struct wf_sw_emit *e, uint32_t value)
{
    return e->ir->vals[value].uniform ? wf_sw_emit_word(e, value)
                                      : (uint16_t)e->ir->vals[value].slot;
}

static bool is_word(const struct wf_sw_emit *e, uint32_t value)
{
    return e->ir->vals[value].uniform;
}

/// Which form takes these operands.
static uint32_t choose_form(struct wf_sw_emit *e, uint32_t op, uint32_t *args, uint16_t *slots)
{
    const struct forms forms = forms_of(op);
    const uint32_t arity = wf_sw_ir_arity(op);
    if (arity == 2 && forms.few && is_word(e, args[0])) {
        const uint32_t held = args[0];
        args[0] = args[1];
        args[1] = held;
    }
    assert(arity != 2 || !is_word(e, args[0]) || !is_word(e, args[1])); // no form takes two words
    const bool mixed = arity == 3 && forms.few && is_word(e, args[1]) != is_word(e, args[2]);
    uint32_t form = 0;
    for (uint32_t k = 0; k < arity; k++) {
        const bool splat = is_word(e, args[k]) && ((arity == 3 && k == 0) || mixed);
        slots[k] = splat ? wf_sw_emit_row(e, args[k]) : slot_of(e, args[k]);
        // Forms count up as binary numbers: V is 0 and S is 1, the last operand the lowest bit.
        form = form * 2 + (is_word(e, args[k]) && !splat);
    }
    return forms.first + (arity == 3 && forms.few ? form / 2 : form);
}

static void emit_simple(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    const uint32_t arity = wf_sw_ir_arity(ins->op);
    uint32_t args[3], op = WF_SW_OP_NOT_WORDS + ins->op;
    uint16_t slots[3] = {0};
    memcpy(args, e->ir->args + ins->args, arity * sizeof *args);
    if (is_word(e, ins->result)) {
        for (uint32_t k = 0; k < arity; k++)
            slots[k] = wf_sw_emit_word(e, args[k]);
    } else {
        op = choose_form(e, ins->op, args, slots);
    }
    const uint16_t d = slot_of(e, ins->result);
    struct wf_sw_code *c = wf_sw_emit_code(e, op);
    c->d = d;
    c->a = slots[0];
    c->b = slots[1];
    c->c = slots[2];
}

/// A function: slots of its results, then of its arguments.
static void emit_call(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    const struct wf_sw_ir *ir = e->ir;
    uint16_t slots[WF_SW_FUN_MAX_ROWS];
    const bool uniform = ir->vals[ins->result].uniform;
    for (uint32_t k = 0; k < ins->results; k++) {
        const uint32_t value = ins->result + k;
        if (!ir->vals[value].uses)
            slots[k] = WF_SW_NO_SLOT;
        else
            slots[k] = slot_of(e, value);
    }
    for (uint32_t k = 0; k < ins->arg_count; k++) {
        const uint32_t value = ir->args[ins->args + k];
        slots[ins->results + k] = uniform ? wf_sw_emit_word(e, value) : wf_sw_emit_row(e, value);
    }
    const uint32_t at = wf_sw_emit_aux(e, slots, ins->results + ins->arg_count);
    struct wf_sw_code *c = wf_sw_emit_code(e, uniform ? WF_SW_OP_CALL_WORDS : WF_SW_OP_CALL);
    c->a = (uint16_t)ins->imm;
    c->x = at;
}

static void emit_move(struct wf_sw_emit *e, uint32_t to, uint32_t value, bool masked)
{
    const bool word = e->ir->vals[value].uniform;
    const uint16_t from = slot_of(e, value);
    if (!word && from == to)
        return;
    struct wf_sw_code *c =
        wf_sw_emit_code(e, word ? (masked ? WF_SW_OP_SPLAT_MASKED : WF_SW_OP_SPLAT)
                                : (masked ? WF_SW_OP_MOVE_MASKED : WF_SW_OP_MOVE));
    c->d = (uint16_t)to;
    c->a = from;
}

static void emit_nullary(struct wf_sw_emit *e, const struct wf_sw_ins *ins, uint32_t op)
{
    wf_sw_emit_code(e, op)->d = (uint16_t)e->ir->vals[ins->result].slot;
}

static void emit_ins(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    struct wf_sw_ir *ir = e->ir;
    e->word = ins->word;
    e->temp_count = 0;
    if (ins->op < WF_SW_IR_SIMPLE_COUNT) {
        emit_simple(e, ins);
        return;
    }
    switch (ins->op) {
    case WF_SW_IR_CONST:
    case WF_SW_IR_INPUT:
    case WF_SW_IR_UWORD:
    case WF_SW_IR_PHI:
        break; // placed before, or by copies
    case WF_SW_IR_SYSTEM:
        ir->vals[ins->result].slot = ins->imm;
        break;
    case WF_SW_IR_LANE:
        emit_nullary(e, ins, WF_SW_OP_LANE);
        break;
    case WF_SW_IR_HELPER:
        emit_nullary(e, ins, WF_SW_OP_HELPER);
        break;
    case WF_SW_IR_EXEC:
        emit_nullary(e, ins, WF_SW_OP_EXEC);
        break;
    case WF_SW_IR_CALL:
    case WF_SW_IR_CROSS:
        emit_call(e, ins);
        break;
    case WF_SW_IR_BARRIER:
        wf_sw_emit_code(e, WF_SW_OP_BARRIER);
        break;
    case WF_SW_IR_DEMOTE:
        wf_sw_emit_code(e, WF_SW_OP_DEMOTE);
        break;
    case WF_SW_IR_OUTPUT:
        emit_move(e, e->input_count + e->interface_row[ins->imm], ir->args[ins->args], false);
        break;
    case WF_SW_IR_LIVE_OUT:
        emit_move(e, ir->vals[ins->result].slot, ir->args[ins->args], true);
        break;
    default:
        wf_sw_emit_effect(e, ins);
        break;
    }
}

// ---- blocks ------------------------------------------------------------------------------------

static uint16_t mask_of(struct wf_sw_emit *e, uint32_t block)
{
    if (e->mask_of[block] == WF_SW_NONE)
        e->mask_of[block] = e->mask_count++;
    return (uint16_t)e->mask_of[block];
}

static uint32_t next_of(const struct wf_sw_emit *e, uint32_t place)
{
    return place + 1 < e->ir->order_count ? e->ir->order[place + 1] : WF_SW_NONE;
}

static void emit_jump(struct wf_sw_emit *e, uint32_t place, uint32_t target)
{
    if (e->ir->blocks[target].order <= place)
        wf_sw_emit_code(e, WF_SW_OP_BACK)->x = e->code_of[target];
    else if (target != next_of(e, place))
        wf_sw_emit_code(e, WF_SW_OP_JUMP)->a = mask_of(e, target);
}

static void emit_branch(struct wf_sw_emit *e, uint32_t place, const struct wf_sw_block_ir *b)
{
    const bool word = e->ir->vals[b->value].uniform;
    const uint16_t condition = slot_of(e, b->value);
    const uint32_t next = next_of(e, place);
    struct wf_sw_code c = {.a = condition};
    if (b->target[0] == next) {
        c.op = word ? WF_SW_OP_BRANCH_YES_WORD : WF_SW_OP_BRANCH_YES;
        c.b = mask_of(e, b->target[1]);
    } else if (b->target[1] == next) {
        c.op = word ? WF_SW_OP_BRANCH_NO_WORD : WF_SW_OP_BRANCH_NO;
        c.b = mask_of(e, b->target[0]);
    } else {
        c.op = word ? WF_SW_OP_BRANCH_BOTH_WORD : WF_SW_OP_BRANCH_BOTH;
        c.b = mask_of(e, b->target[0]);
        c.c = mask_of(e, b->target[1]);
    }
    *wf_sw_emit_code(e, c.op) = c;
}

static void emit_switch(struct wf_sw_emit *e, const struct wf_sw_block_ir *b)
{
    const uint32_t words = 1 + b->case_count * 2;
    e->switches = wf_sw_ir_grow(e->ir, e->switches, &e->switch_capacity, e->switch_count + words,
                                sizeof *e->switches);
    uint32_t *table = e->switches + e->switch_count;
    table[0] = b->case_count;
    for (size_t k = 0; k < b->case_count; k++) {
        table[1 + k * 2] = b->cases[k * 2];
        table[2 + k * 2] = mask_of(e, b->cases[k * 2 + 1]);
    }
    const uint16_t selector = slot_of(e, b->value), otherwise = mask_of(e, b->target[0]);
    struct wf_sw_code *c =
        wf_sw_emit_code(e, e->ir->vals[b->value].uniform ? WF_SW_OP_SWITCH_WORD : WF_SW_OP_SWITCH);
    c->a = selector;
    c->b = otherwise;
    c->x = e->switch_count;
    e->switch_count += words;
}

/// What a block begins with, so that only lanes that belong there run it.
static void emit_head(struct wf_sw_emit *e, uint32_t place)
{
    const uint32_t block = e->ir->order[place];
    e->code_of[block] = e->code_count;
    if (place == 0)
        return;
    const struct wf_sw_block_ir *before = &e->ir->blocks[e->ir->order[place - 1]];
    const bool falls = before->end == WF_SW_END_JUMP && before->target[0] == block;
    if (e->mask_of[block] != WF_SW_NONE)
        wf_sw_emit_code(e, WF_SW_OP_JOIN)->a = (uint16_t)e->mask_of[block];
    else if (!falls)
        wf_sw_emit_code(e, WF_SW_OP_CHECK);
}

static void emit_block(struct wf_sw_emit *e, uint32_t place)
{
    const struct wf_sw_ir *ir = e->ir;
    const uint32_t block = ir->order[place];
    const struct wf_sw_block_ir *b = &ir->blocks[block];
    emit_head(e, place);
    for (uint32_t i = b->first; i != WF_SW_NONE; i = ir->ins[i].next) {
        if (!ir->ins[i].dead)
            emit_ins(e, &ir->ins[i]);
    }
    wf_sw_emit_copies(e, block);
    switch (b->end) {
    case WF_SW_END_JUMP:
        emit_jump(e, place, b->target[0]);
        break;
    case WF_SW_END_BRANCH:
        emit_branch(e, place, b);
        break;
    case WF_SW_END_SWITCH:
        emit_switch(e, b);
        break;
    case WF_SW_END_KILL:
        wf_sw_emit_code(e, WF_SW_OP_KILL);
        break;
    default:
        break;
    }
}

/// Blocks without lanes go on at the next one that may have some.
static void link_heads(struct wf_sw_emit *e)
{
    const struct wf_sw_ir *ir = e->ir;
    uint32_t next = e->code_count - 1, seen = WF_SW_NONE; // END
    for (uint32_t place = ir->order_count; place-- > 0;) {
        const uint32_t block = ir->order[place];
        if (e->code_of[block] == seen)
            continue; // an empty block: the head there is that of the one behind it
        seen = e->code_of[block];
        struct wf_sw_code *c = &e->code[seen];
        if (c->op == WF_SW_OP_JOIN || c->op == WF_SW_OP_CHECK)
            c->x = next;
        if (c->op == WF_SW_OP_JOIN)
            next = e->code_of[block];
    }
}

// ---- the whole ---------------------------------------------------------------------------------

static void number_interface(struct wf_sw_emit *e)
{
    struct wf_sw_ir *ir = e->ir;
    e->interface_row = wf_sw_ir_alloc(ir, e->row_total, sizeof *e->interface_row);
    for (uint32_t r = 0; r < e->row_total; r++)
        e->interface_row[r] = WF_SW_NONE;
    for (uint32_t i = 0; i < ir->ins_count; i++) {
        if (!ir->ins[i].dead &&
            (ir->ins[i].op == WF_SW_IR_INPUT || ir->ins[i].op == WF_SW_IR_OUTPUT))
            e->interface_row[ir->ins[i].imm] = 0;
    }
    for (uint32_t r = 0; r < e->row_total; r++) {
        if (e->interface_row[r] != WF_SW_NONE)
            e->interface_row[r] = e->row_is_output[r] ? e->output_count++ : e->input_count++;
    }
}

static void number_positions(struct wf_sw_emit *e)
{
    struct wf_sw_ir *ir = e->ir;
    uint32_t position = 0;
    e->position = wf_sw_ir_alloc(ir, ir->ins_count, sizeof *e->position);
    e->block_start = wf_sw_ir_alloc(ir, ir->block_count, sizeof *e->block_start);
    e->block_copy = wf_sw_ir_alloc(ir, ir->block_count, sizeof *e->block_copy);
    e->block_end = wf_sw_ir_alloc(ir, ir->block_count, sizeof *e->block_end);
    for (uint32_t p = 0; p < ir->order_count; p++) {
        const uint32_t block = ir->order[p];
        e->block_start[block] = position++;
        for (uint32_t i = ir->blocks[block].first; i != WF_SW_NONE; i = ir->ins[i].next) {
            if (!ir->ins[i].dead)
                e->position[i] = position++;
        }
        e->block_copy[block] = position++;
        e->block_end[block] = position++;
    }
}

static void place_constants(struct wf_sw_emit *e)
{
    struct wf_sw_ir *ir = e->ir;
    e->word_count = WF_SW_SYSTEM_COUNT;
    for (uint32_t i = ir->blocks[0].first; i != WF_SW_NONE; i = ir->ins[i].next) {
        const struct wf_sw_ins *ins = &ir->ins[i];
        if (ins->dead || ins->op != WF_SW_IR_CONST)
            continue;
        e->constants = wf_sw_ir_grow(ir, e->constants, &e->constant_capacity, e->constant_count + 1,
                                     sizeof *e->constants);
        e->constants[e->constant_count++] = ins->imm;
        ir->vals[ins->result].slot = wf_sw_emit_words(e, 1);
    }
}

static void place_scratch(struct wf_sw_emit *e)
{
    struct wf_sw_ir *ir = e->ir;
    for (uint32_t k = 0; k < ir->scratch_count; k++) {
        ir->scratch[k].first = e->row_count;
        e->row_count += ir->scratch[k].count;
        if (e->row_count > 60000)
            wf_sw_fail(ir, "indexed variables of more than %u components", 60000u);
    }
    e->temp_first = e->row_count;
    e->row_count += WF_SW_MAX_TEMPS;
}

void wf_sw_emit_program(struct wf_sw_emit *e)
{
    struct wf_sw_ir *ir = e->ir;
    ir->word = 0;
    number_interface(e);
    number_positions(e);
    wf_sw_allocate_rows(e);
    place_scratch(e);
    place_constants(e);
    e->code_of = wf_sw_ir_alloc(ir, ir->block_count, sizeof *e->code_of);
    e->mask_of = wf_sw_ir_alloc(ir, ir->block_count, sizeof *e->mask_of);
    for (uint32_t b = 0; b < ir->block_count; b++)
        e->mask_of[b] = WF_SW_NONE;
    e->seen_by = wf_sw_ir_alloc(ir, ir->block_count, sizeof *e->seen_by);
    e->spare_word = wf_sw_emit_words(e, 1);
    wf_sw_emit_uwords(e);
    for (uint32_t p = 0; p < ir->order_count; p++)
        emit_block(e, p);
    wf_sw_emit_code(e, WF_SW_OP_END);
    link_heads(e);
}
