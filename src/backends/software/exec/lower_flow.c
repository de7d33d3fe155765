#include "backends/software/exec/lower.h"

/// Functions are inlined. The blocks of each are put in an order in which everything between a
/// header and its merge block (and its continue target) stands between them, so that lanes meet
/// again as early as the shader's author expects.

// ---- the order ---------------------------------------------------------------------------------

struct visit {
    uint32_t block;
    uint32_t step;
};

struct ordering {
    const struct wf_shader_function *function;
    uint8_t *state; ///< By block of the function: 0 new, 1 seen, 2 done.
    uint32_t *post; ///< In post-order.
    uint32_t count;
};

/// The k-th edge out of a block for the sake of the order: merge block, continue target, then the
/// real ones from the last to the first. False when there are no more.
static bool order_edge(struct wf_sw_lower *l, const struct wf_shader_block *b, uint32_t k,
                       uint32_t *label)
{
    if (k == 0 || k == 1) {
        *label = k == 0 ? b->merge_label : b->continue_label;
        return true;
    }
    const struct wf_shader_instruction t = wf_shader_at(l->module, b->terminator);
    k -= 2;
    switch (t.opcode) {
    case SpvOpBranch:
        *label = t.operands[0];
        return k < 1;
    case SpvOpBranchConditional:
        if (k < 2)
            *label = t.operands[2 - k];
        return k < 2;
    case SpvOpSwitch: {
        const struct wf_shader_type *type = wf_shader_type_of(l->module, t.operands[0]);
        const uint32_t size = type && type->width == 64 ? 3 : 2;
        const uint32_t cases = (t.operand_count - 2u) / size;
        if (k < cases)
            *label = t.operands[2 + (cases - 1 - k) * size + size - 1];
        else if (k == cases)
            *label = t.operands[1];
        return k <= cases;
    }
    default:
        return false;
    }
}

static void find_order(struct wf_sw_lower *l, struct ordering *o)
{
    const struct wf_shader_function *f = o->function;
    const struct wf_shader_block *blocks = l->module->blocks + f->first_block;
    struct visit *stack = wf_sw_ir_alloc(l->ir, f->block_count, sizeof *stack);
    uint32_t depth = 1;
    o->state = wf_sw_ir_alloc(l->ir, f->block_count, 1);
    o->post = wf_sw_ir_alloc(l->ir, f->block_count, sizeof *o->post);
    o->state[0] = 1;
    stack[0] = (struct visit){0, 0};
    while (depth) {
        struct visit *v = &stack[depth - 1];
        uint32_t label = 0;
        if (!order_edge(l, &blocks[v->block], v->step++, &label)) {
            o->post[o->count++] = v->block;
            depth--;
            continue;
        }
        const struct wf_shader_block *to = label ? wf_shader_block(l->module, label) : NULL;
        const uint32_t index = to ? (uint32_t)(to - blocks) : UINT32_MAX;
        if (index < f->block_count && !o->state[index]) {
            o->state[index] = 1;
            stack[depth++] = (struct visit){index, 0};
        }
    }
}

/// The k-th real edge out of a block, as a block of the function; false when there are no more.
static bool real_edge(struct wf_sw_lower *l, const struct ordering *o, uint32_t from, uint32_t k,
                      uint32_t *to)
{
    const struct wf_shader_block *blocks = l->module->blocks + o->function->first_block;
    uint32_t label = 0;
    if (!order_edge(l, &blocks[from], k + 2, &label))
        return false;
    *to = (uint32_t)(wf_shader_block(l->module, label) - blocks);
    return *to < o->function->block_count;
}

/// Marks what the blocks that are marked lead to; true if there was something new.
static bool reach(struct wf_sw_lower *l, const struct ordering *o, bool *reached)
{
    bool learnt = false;
    for (uint32_t k = o->count; k-- > 0;) {
        const uint32_t from = o->post[k];
        uint32_t to;
        for (uint32_t e = 0; reached[from] && real_edge(l, o, from, e, &to); e++) {
            learnt |= !reached[to];
            reached[to] = true;
        }
    }
    return learnt;
}

/// Counts the real edges into each block, and says which blocks they reach.
static void count_edges(struct wf_sw_lower *l, const struct ordering *o, uint32_t *expected,
                        bool *reached)
{
    reached[0] = true;
    expected[0] = 1;
    while (reach(l, o, reached)) // once more than needed, unless an edge back reaches something new
        ;
    for (uint32_t k = 0; k < o->count; k++) {
        const uint32_t from = o->post[k];
        uint32_t to;
        for (uint32_t e = 0; reached[from] && real_edge(l, o, from, e, &to); e++)
            expected[to]++;
    }
}

// ---- terminators -------------------------------------------------------------------------------

static uint32_t target(struct wf_sw_lower *l, uint32_t label)
{
    const struct wf_shader_block *b = wf_shader_block(l->module, label);
    const uint32_t block = l->block_of[b - l->module->blocks];
    if (block == WF_SW_NONE)
        wf_sw_fail(l->ir, "branches out of its function");
    return block;
}

/// Whether a selector of 64 bits is this literal.
static uint32_t is_wide_case(struct wf_sw_lower *l, uint32_t id, const uint32_t *literal)
{
    const uint32_t args[4] = {wf_sw_word(l, id, 0), wf_sw_word(l, id, 1),
                              wf_sw_ir_const(l->ir, literal[0]), wf_sw_ir_const(l->ir, literal[1])};
    return wf_sw_ir_call(l->ir, WF_SW_FUN_IEQ64, args, 4);
}

/// Cases of 64 bits are numbered, and the selector is the number of the one that it equals.
static void lower_switch(struct wf_sw_lower *l, const struct wf_shader_instruction *t)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_type *type = wf_shader_type_of(l->module, t->operands[0]);
    const bool wide = type->width == 64;
    const size_t size = wide ? 3 : 2;
    const uint32_t count = (uint32_t)((t->operand_count - 2u) / size);
    uint32_t *cases = wf_sw_ir_alloc(ir, count * (size_t)2, sizeof *cases);
    uint32_t selector = wide ? wf_sw_ir_const(ir, UINT32_MAX) : wf_sw_word(l, t->operands[0], 0);
    for (size_t k = 0; k < count; k++) {
        const uint32_t mask = type->width < 32 ? (1u << type->width) - 1 : UINT32_MAX;
        const uint32_t *one = t->operands + 2 + k * size;
        cases[k * 2] = wide ? (uint32_t)k : one[0] & mask;
        cases[k * 2 + 1] = target(l, one[size - 1]);
        if (wide)
            selector = wf_sw_ir_ter(ir, WF_SW_IR_SELECT, is_wide_case(l, t->operands[0], one),
                                    wf_sw_ir_const(ir, (uint32_t)k), selector);
    }
    wf_sw_ir_switch(ir, selector, cases, count, target(l, t->operands[1]));
}

static void lower_return(struct wf_sw_lower *l, const struct wf_shader_instruction *t)
{
    if (t->opcode == SpvOpReturnValue && l->frame->result != WF_SW_NONE) {
        const struct wf_sw_variable *v = &l->variables[l->frame->result];
        const uint32_t count = v->count, first = v->first;
        for (uint32_t k = 0; k < count; k++)
            wf_sw_component_write(l, first + k, wf_sw_word(l, t->operands[0], k));
    }
    l->ir->blocks[l->frame->done].expected++;
    wf_sw_ir_jump(l->ir, l->frame->done);
}

static void lower_terminator(struct wf_sw_lower *l, const struct wf_shader_instruction *t)
{
    struct wf_sw_ir *ir = l->ir;
    switch (t->opcode) {
    case SpvOpBranch:
        wf_sw_ir_jump(ir, target(l, t->operands[0]));
        break;
    case SpvOpBranchConditional:
        wf_sw_ir_branch(ir, wf_sw_word(l, t->operands[0], 0), target(l, t->operands[1]),
                        target(l, t->operands[2]));
        break;
    case SpvOpSwitch:
        lower_switch(l, t);
        break;
    case SpvOpReturn:
    case SpvOpReturnValue:
        lower_return(l, t);
        break;
    case SpvOpKill:
    case SpvOpTerminateInvocation:
        l->info->discards = true;
        wf_sw_ir_stop(ir, WF_SW_END_KILL);
        break;
    case SpvOpUnreachable:
        l->ir->blocks[l->frame->done].expected++;
        wf_sw_ir_jump(ir, l->frame->done);
        break;
    default:
        wf_sw_fail(ir, "not supported");
    }
}

// ---- phis of the module ------------------------------------------------------------------------

static void begin_phi(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const uint32_t count = wf_sw_type_words(l, i->type);
    uint32_t *values = wf_sw_ir_alloc(l->ir, count, sizeof *values);
    for (uint32_t k = 0; k < count; k++)
        values[k] = wf_sw_ir_phi(l->ir, l->ir->at);
    memcpy(wf_sw_define(l, i->id, count), values, count * sizeof *values);
    l->phis = wf_sw_ir_grow(l->ir, l->phis, &l->phi_capacity, l->phi_count + 1, sizeof *l->phis);
    l->phis[l->phi_count++] =
        (struct wf_sw_phi){.first = l->values[i->id].first, .word = i->word, .count = count};
}

static void finish_phi(struct wf_sw_lower *l, const struct wf_sw_phi *phi)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_instruction i = wf_shader_at(l->module, phi->word);
    uint32_t *args = wf_sw_ir_alloc(ir, i.operand_count + 1u, sizeof *args);
    ir->word = phi->word;
    for (uint32_t c = 0; c < phi->count; c++) {
        const uint32_t value = l->words[phi->first + c];
        uint32_t n = 0;
        for (uint32_t k = 0; k + 1 < i.operand_count; k += 2) {
            const struct wf_shader_block *from = wf_shader_block(l->module, i.operands[k + 1]);
            const uint32_t block = l->block_end_of[from - l->module->blocks];
            if (block == WF_SW_NONE)
                continue; // never reached
            args[n++] = block;
            args[n++] = wf_sw_word(l, i.operands[k], c);
        }
        wf_sw_ir_set_args(ir, ir->vals[value].ins, args, n);
    }
}

// ---- functions ---------------------------------------------------------------------------------

static void lower_block(struct wf_sw_lower *l, uint32_t index)
{
    const struct wf_shader_block *b = &l->module->blocks[index];
    struct wf_shader_instruction i;
    wf_sw_ir_begin(l->ir, l->block_of[index]);
    for (uint32_t at = b->first; wf_shader_next(l->module, &at, b->end, &i);) {
        l->ir->word = i.word;
        if (i.opcode == SpvOpPhi) {
            begin_phi(l, &i);
        } else if (i.word == b->terminator) {
            lower_terminator(l, &i);
            l->block_end_of[index] = l->ir->at;
        } else {
            wf_sw_lower_instruction(l, &i);
        }
    }
}

/// Depth follows the call graph's, which is limited and has no cycle.
void wf_sw_lower_function(struct wf_sw_lower *l, struct wf_sw_frame *frame)
{
    const struct wf_shader_function *f = frame->function;
    struct wf_sw_ir *ir = l->ir;
    struct ordering o = {.function = f};
    if (f->block_count == 0)
        wf_sw_fail(ir, "a function without a body");
    const uint32_t first_phi = l->phi_count;
    frame->outer = l->frame;
    l->frame = frame;
    find_order(l, &o);
    uint32_t *expected = wf_sw_ir_alloc(ir, f->block_count, sizeof *expected);
    bool *reached = wf_sw_ir_alloc(ir, f->block_count, sizeof *reached);
    count_edges(l, &o, expected, reached);
    for (uint32_t k = 0; k < f->block_count; k++) {
        l->block_of[f->first_block + k] = WF_SW_NONE;
        l->block_end_of[f->first_block + k] = WF_SW_NONE;
    }
    for (uint32_t k = o.count; k-- > 0;) {
        if (reached[o.post[k]])
            l->block_of[f->first_block + o.post[k]] = wf_sw_ir_block(ir, expected[o.post[k]]);
    }
    wf_sw_ir_jump(ir, l->block_of[f->first_block]);
    for (uint32_t k = o.count; k-- > 0;) {
        if (reached[o.post[k]])
            lower_block(l, f->first_block + o.post[k]);
    }
    while (l->phi_count > first_phi) {
        const struct wf_sw_phi phi = l->phis[--l->phi_count];
        finish_phi(l, &phi);
    }
    l->frame = frame->outer;
}

void wf_sw_lower_entry(struct wf_sw_lower *l)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t prologue = wf_sw_ir_block(ir, 0);
    wf_sw_ir_begin(ir, prologue);
    struct wf_sw_frame frame = {
        .function = wf_shader_function(l->module, l->entry->function),
        .done = wf_sw_ir_block(ir, 0),
        .result = WF_SW_NONE,
    };
    ir->word = l->entry->word;
    if (!frame.function || frame.function->parameter_count)
        wf_sw_fail(ir, "the entry point's function cannot be an entry point");
    wf_sw_lower_function(l, &frame);
    ir->word = 0;
    wf_sw_ir_begin(ir, frame.done);
    wf_sw_outputs(l);
    wf_sw_ir_stop(ir, WF_SW_END_FINISH);
    wf_sw_finish_phis(l);
}
