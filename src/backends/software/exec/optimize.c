#include "backends/software/exec/ir.h"

// ---- phis that choose between one value --------------------------------------------------------

/// The one value that a phi stands for, or WF_SW_NONE.
static uint32_t only_value(struct wf_sw_ir *ir, uint32_t phi)
{
    const struct wf_sw_ins *ins = &ir->ins[ir->vals[phi].ins];
    uint32_t only = WF_SW_NONE;
    for (uint32_t k = 1; k < ins->arg_count; k += 2) {
        const uint32_t value = wf_sw_ir_resolve(ir, ir->args[ins->args + k]);
        if (value == phi || value == only)
            continue;
        if (only != WF_SW_NONE)
            return WF_SW_NONE;
        only = value;
    }
    return only == WF_SW_NONE ? wf_sw_ir_const(ir, 0) : only;
}

void wf_sw_ir_simplify_phis(struct wf_sw_ir *ir)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < ir->ins_count; i++) {
            if (ir->ins[i].op != WF_SW_IR_PHI || ir->ins[i].dead)
                continue;
            const uint32_t phi = ir->ins[i].result, value = only_value(ir, phi);
            if (value == WF_SW_NONE)
                continue;
            ir->ins[i].dead = true;
            ir->vals[phi].forward = value;
            again = true;
        }
    }
    for (uint32_t i = 0; i < ir->ins_count; i++) {
        const struct wf_sw_ins *ins = &ir->ins[i];
        const uint32_t first = ins->op == WF_SW_IR_PHI, step = first + 1;
        for (uint32_t k = first; k < ins->arg_count; k += step)
            ir->args[ins->args + k] = wf_sw_ir_resolve(ir, ir->args[ins->args + k]);
    }
    for (uint32_t b = 0; b < ir->block_count; b++) {
        if (ir->blocks[b].end == WF_SW_END_BRANCH || ir->blocks[b].end == WF_SW_END_SWITCH)
            ir->blocks[b].value = wf_sw_ir_resolve(ir, ir->blocks[b].value);
    }
}

// ---- what nobody needs -------------------------------------------------------------------------

static void need(struct wf_sw_ir *ir, uint32_t *stack, uint32_t *depth, uint32_t value)
{
    const uint32_t ins = ir->vals[value].ins;
    ir->vals[value].uses++;
    if (ir->ins[ins].dead) {
        ir->ins[ins].dead = false;
        stack[(*depth)++] = ins;
    }
}

void wf_sw_ir_drop_dead(struct wf_sw_ir *ir)
{
    uint32_t *stack = wf_sw_ir_alloc(ir, ir->ins_count, sizeof *stack), depth = 0;
    for (uint32_t v = 0; v < ir->val_count; v++)
        ir->vals[v].uses = 0;
    for (uint32_t i = 0; i < ir->ins_count; i++) {
        const bool placed = ir->blocks[ir->ins[i].block].order != WF_SW_NONE;
        ir->ins[i].dead = !placed || !wf_sw_ir_has_effect(ir, &ir->ins[i]);
        if (!ir->ins[i].dead)
            stack[depth++] = i;
    }
    for (uint32_t k = 0; k < ir->order_count; k++) {
        const struct wf_sw_block_ir *b = &ir->blocks[ir->order[k]];
        if (b->end == WF_SW_END_BRANCH || b->end == WF_SW_END_SWITCH)
            need(ir, stack, &depth, b->value);
    }
    while (depth) {
        const struct wf_sw_ins *ins = &ir->ins[stack[--depth]];
        const uint32_t first = ins->op == WF_SW_IR_PHI, step = first + 1;
        for (uint32_t k = first; k < ins->arg_count; k += step)
            need(ir, stack, &depth, ir->args[ins->args + k]);
    }
}

// ---- loops -------------------------------------------------------------------------------------

static uint32_t successors(const struct wf_sw_block_ir *b)
{
    switch (b->end) {
    case WF_SW_END_JUMP:
        return 1;
    case WF_SW_END_BRANCH:
        return 2;
    case WF_SW_END_SWITCH:
        return b->case_count + 1;
    default:
        return 0;
    }
}

static uint32_t successor(const struct wf_sw_block_ir *b, uint32_t k)
{
    if (b->end == WF_SW_END_SWITCH && k > 0)
        return b->cases[(k - 1) * 2 + 1];
    return b->target[k];
}

static uint32_t *target_place(struct wf_sw_block_ir *b, uint32_t k)
{
    if (b->end == WF_SW_END_SWITCH && k > 0)
        return &b->cases[(k - 1) * 2 + 1];
    return &b->target[k];
}

/// Puts a block of its own on the edge from a block to an earlier one.
static uint32_t split_edge(struct wf_sw_ir *ir, uint32_t from, uint32_t to)
{
    const uint32_t middle = wf_sw_ir_block(ir, 1);
    struct wf_sw_block_ir *b = &ir->blocks[middle], *target = &ir->blocks[to];
    b->end = WF_SW_END_JUMP;
    b->target[0] = to;
    b->preds = wf_sw_ir_alloc(ir, 1, sizeof *b->preds);
    b->preds[0] = from;
    b->pred_count = b->pred_capacity = 1;
    for (uint32_t k = 0; k < target->pred_count; k++) {
        if (target->preds[k] == from)
            target->preds[k] = middle;
    }
    for (uint32_t i = target->first; i != WF_SW_NONE; i = ir->ins[i].next) {
        struct wf_sw_ins *ins = &ir->ins[i];
        for (uint32_t k = 0; ins->op == WF_SW_IR_PHI && k < ins->arg_count; k += 2) {
            if (ir->args[ins->args + k] == from)
                ir->args[ins->args + k] = middle;
        }
    }
    return middle;
}

void wf_sw_ir_split_back_edges(struct wf_sw_ir *ir)
{
    uint32_t *order = NULL, capacity = 0, count = 0;
    for (uint32_t p = 0; p < ir->order_count; p++) {
        const uint32_t from = ir->order[p];
        order = wf_sw_ir_grow(ir, order, &capacity, count + 1, sizeof *order);
        order[count++] = from;
        const uint32_t edges = successors(&ir->blocks[from]);
        for (uint32_t k = 0; edges > 1 && k < edges; k++) {
            const uint32_t to = successor(&ir->blocks[from], k);
            if (ir->blocks[to].order > p)
                continue;
            const uint32_t middle = split_edge(ir, from, to);
            for (uint32_t j = k; j < edges; j++) { // all edges to the same block are one
                if (successor(&ir->blocks[from], j) == to)
                    *target_place(&ir->blocks[from], j) = middle;
            }
            ir->blocks[middle].order = p + 1; // for now: behind this one
            order = wf_sw_ir_grow(ir, order, &capacity, count + 1, sizeof *order);
            order[count++] = middle;
        }
    }
    for (uint32_t p = 0; p < count; p++)
        ir->blocks[order[p]].order = p;
    ir->order = order;
    ir->order_count = count;
    ir->order_capacity = capacity;
}

/// By place in the order: the last place from which an edge leads back to it.
static uint32_t *find_ends(struct wf_sw_ir *ir)
{
    uint32_t *ends = wf_sw_ir_alloc(ir, ir->order_count, sizeof *ends);
    for (uint32_t p = 0; p < ir->order_count; p++)
        ends[p] = WF_SW_NONE;
    for (uint32_t p = 0; p < ir->order_count; p++) {
        const struct wf_sw_block_ir *b = &ir->blocks[ir->order[p]];
        for (uint32_t k = 0; k < successors(b); k++) {
            const uint32_t to = ir->blocks[successor(b, k)].order;
            if (to <= p)
                ends[to] = p;
        }
    }
    return ends;
}

static bool is_simple(const struct wf_sw_ir *ir, uint32_t header)
{
    const struct wf_sw_block_ir *b = &ir->blocks[ir->order[header]];
    uint32_t in = 0, back = 0;
    for (uint32_t k = 0; k < b->pred_count; k++) {
        if (ir->blocks[b->preds[k]].order < header)
            in++;
        else
            back++;
    }
    return in == 1 && back == 1;
}

void wf_sw_ir_find_loops(struct wf_sw_ir *ir)
{
    const uint32_t *ends = find_ends(ir);
    uint32_t open = WF_SW_NONE; // innermost loop at hand
    for (uint32_t p = 0; p < ir->order_count; p++) {
        while (open != WF_SW_NONE && ir->loops[open].last < p)
            open = ir->loops[open].parent;
        if (ends[p] == WF_SW_NONE)
            continue;
        for (uint32_t l = open; l != WF_SW_NONE; l = ir->loops[l].parent) {
            if (ir->loops[l].last < ends[p])
                ir->loops[l].last = ends[p]; // loops nest, whatever the module says
        }
        ir->loops =
            wf_sw_ir_grow(ir, ir->loops, &ir->loop_capacity, ir->loop_count + 1, sizeof *ir->loops);
        ir->loops[ir->loop_count] = (struct wf_sw_loop){
            .first = p, .last = ends[p], .parent = open, .simple = is_simple(ir, p)};
        open = ir->loop_count++;
    }
    uint32_t next = 0;
    open = WF_SW_NONE;
    for (uint32_t p = 0; p < ir->order_count; p++) {
        while (open != WF_SW_NONE && ir->loops[open].last < p)
            open = ir->loops[open].parent;
        if (next < ir->loop_count && ir->loops[next].first == p)
            open = next++;
        ir->blocks[ir->order[p]].loop = open;
    }
}

// ---- what is the same for all lanes ------------------------------------------------------------

struct uniformity {
    struct wf_sw_ir *ir;
    bool *inside; ///< By place: between a branch that lanes take differently and where they meet.
    bool changed;
};

/// Whether a value that is uniform where it is defined is so at a place too: lanes leave a loop
/// with what they had then.
static bool uniform_at(const struct wf_sw_ir *ir, uint32_t value, uint32_t place)
{
    const uint32_t loop = ir->blocks[ir->ins[ir->vals[value].ins].block].loop;
    return ir->vals[value].uniform && (loop == WF_SW_NONE || (ir->loops[loop].first <= place &&
                                                              place <= ir->loops[loop].last));
}

static bool phi_uniform(const struct wf_sw_ir *ir, const struct wf_sw_ins *ins)
{
    const struct wf_sw_block_ir *b = &ir->blocks[ins->block];
    const bool heads_simple =
        b->loop != WF_SW_NONE && ir->loops[b->loop].first == b->order && ir->loops[b->loop].simple;
    if (b->joins && !heads_simple)
        return false;
    for (uint32_t k = 0; k + 1 < ins->arg_count; k += 2) {
        const uint32_t from = ir->args[ins->args + k];
        if (!uniform_at(ir, ir->args[ins->args + k + 1], ir->blocks[from].order))
            return false;
    }
    return true;
}

static bool ins_uniform(const struct wf_sw_ir *ir, const struct wf_sw_ins *ins)
{
    switch (ins->op) {
    case WF_SW_IR_CONST:
    case WF_SW_IR_SYSTEM:
    case WF_SW_IR_UWORD:
        return true;
    case WF_SW_IR_INPUT:
    case WF_SW_IR_LANE:
    case WF_SW_IR_HELPER:
    case WF_SW_IR_EXEC:
    case WF_SW_IR_CROSS:
    case WF_SW_IR_ATOMIC:
    case WF_SW_IR_SLOAD:
    case WF_SW_IR_IMAGE:
        return false;
    case WF_SW_IR_PHI:
        return phi_uniform(ir, ins);
    default:
        break;
    }
    const uint32_t place = ir->blocks[ins->block].order;
    for (uint32_t k = 0; k < ins->arg_count; k++) {
        if (!uniform_at(ir, ir->args[ins->args + k], place))
            return false;
    }
    return true;
}

/// Lanes take different ways at `from`: all places up to the one where every way has met again are
/// joins. Places inside an interval that is already marked need no walk of their own.
static void mark_joins(struct uniformity *u, uint32_t from)
{
    struct wf_sw_ir *ir = u->ir;
    if (u->inside[from])
        return;
    uint32_t meet = from + 1;
    for (uint32_t p = from; p < meet && p < ir->order_count; p++) {
        const struct wf_sw_block_ir *b = &ir->blocks[ir->order[p]];
        for (uint32_t k = 0; k < successors(b); k++)
            meet = wf_base_max_u32(meet, ir->blocks[successor(b, k)].order);
    }
    for (uint32_t p = from + 1; p <= meet && p < ir->order_count; p++) {
        ir->blocks[ir->order[p]].joins = true;
        u->inside[p] = p < meet;
    }
    u->inside[from] = true;
    u->changed = true;
}

static void check_block(struct uniformity *u, uint32_t place)
{
    struct wf_sw_ir *ir = u->ir;
    const struct wf_sw_block_ir *b = &ir->blocks[ir->order[place]];
    for (uint32_t i = b->first; i != WF_SW_NONE; i = ir->ins[i].next) {
        const struct wf_sw_ins *ins = &ir->ins[i];
        if (ins->dead || !ins->results || !ir->vals[ins->result].uniform || ins_uniform(ir, ins))
            continue;
        for (uint32_t k = 0; k < ins->results; k++)
            ir->vals[ins->result + k].uniform = false;
        u->changed = true;
    }
    if ((b->end == WF_SW_END_BRANCH || b->end == WF_SW_END_SWITCH) &&
        !uniform_at(ir, b->value, place))
        mark_joins(u, place);
}

void wf_sw_ir_find_uniform(struct wf_sw_ir *ir)
{
    struct uniformity u = {.ir = ir, .changed = true};
    u.inside = wf_sw_ir_alloc(ir, ir->order_count, sizeof *u.inside);
    for (uint32_t v = 0; v < ir->val_count; v++)
        ir->vals[v].uniform = true;
    while (u.changed) {
        u.changed = false;
        for (uint32_t p = 0; p < ir->order_count; p++)
            check_block(&u, p);
    }
}

// ---- multiply and add --------------------------------------------------------------------------

/// The product behind an operand, if it can become part of the sum.
static struct wf_sw_ins *product(struct wf_sw_ir *ir, const struct wf_sw_ins *sum, uint32_t k,
                                 uint32_t op)
{
    const uint32_t value = ir->args[sum->args + k];
    struct wf_sw_ins *ins = &ir->ins[ir->vals[value].ins];
    if (ins->op != op || ins->dead || ins->block != sum->block || ir->vals[value].uses != 1)
        return NULL;
    if (ir->vals[value].uniform && !ir->vals[sum->result].uniform)
        return NULL; // better once for all lanes
    return ins;
}

static void fuse_into(struct wf_sw_ir *ir, struct wf_sw_ins *sum, struct wf_sw_ins *mul, uint32_t k,
                      uint16_t op)
{
    uint32_t args[3] = {ir->args[mul->args], ir->args[mul->args + 1], ir->args[sum->args + 1 - k]};
    if (ir->vals[args[0]].uniform && !ir->vals[args[1]].uniform) {
        const uint32_t first = args[0];
        args[0] = args[1];
        args[1] = first;
    }
    mul->dead = true;
    sum->op = op;
    wf_sw_ir_set_args(ir, (uint32_t)(sum - ir->ins), args, 3);
}

static void fuse(struct wf_sw_ir *ir, struct wf_sw_ins *sum)
{
    const uint32_t mul_op = sum->op == WF_SW_IR_IADD ? WF_SW_IR_IMUL : WF_SW_IR_FMUL;
    struct wf_sw_ins *mul = product(ir, sum, 0, mul_op);
    if (mul) {
        fuse_into(ir, sum, mul, 0,
                  sum->op == WF_SW_IR_IADD   ? WF_SW_IR_IMAD
                  : sum->op == WF_SW_IR_FADD ? WF_SW_IR_FMAD
                                             : WF_SW_IR_FMSUB);
        return;
    }
    mul = product(ir, sum, 1, mul_op);
    if (mul)
        fuse_into(ir, sum, mul, 1,
                  sum->op == WF_SW_IR_IADD   ? WF_SW_IR_IMAD
                  : sum->op == WF_SW_IR_FADD ? WF_SW_IR_FMAD
                                             : WF_SW_IR_FNMAD);
}

void wf_sw_ir_fuse(struct wf_sw_ir *ir)
{
    for (uint32_t i = 0; i < ir->ins_count; i++) {
        const uint16_t op = ir->ins[i].op;
        if (!ir->ins[i].dead && (op == WF_SW_IR_FADD || op == WF_SW_IR_FSUB || op == WF_SW_IR_IADD))
            fuse(ir, &ir->ins[i]);
    }
}

// ---- values that lanes take along when they leave a loop ---------------------------------------

static bool leaves(const struct wf_sw_ir *ir, uint32_t value, uint32_t place)
{
    const uint32_t loop = ir->blocks[ir->ins[ir->vals[value].ins].block].loop;
    return loop != WF_SW_NONE && (place < ir->loops[loop].first || ir->loops[loop].last < place);
}

/// The masked copy of a value, made behind its definition. A phi of rows needs none: its own copies
/// are masked.
static uint32_t copy_of(struct wf_sw_ir *ir, uint32_t *copies, uint32_t value)
{
    const uint32_t def = ir->vals[value].ins;
    if (ir->ins[def].op == WF_SW_IR_PHI && !ir->vals[value].uniform) {
        ir->vals[value].carried = true;
        return value;
    }
    if (copies[value])
        return copies[value] - 1;
    uint32_t after = def;
    while (ir->ins[def].op == WF_SW_IR_PHI && ir->ins[after].next != WF_SW_NONE &&
           ir->ins[ir->ins[after].next].op == WF_SW_IR_PHI)
        after = ir->ins[after].next;
    const uint32_t copy = wf_sw_ir_insert(ir, after, WF_SW_IR_LIVE_OUT, value);
    ir->vals[copy].carried = true;
    ir->vals[copy].uses = 1;
    copies[value] = copy + 1;
    return copy;
}

void wf_sw_ir_carry_out(struct wf_sw_ir *ir)
{
    if (ir->loop_count == 0)
        return;
    uint32_t *copies = wf_sw_ir_alloc(ir, ir->val_count, sizeof *copies);
    const uint32_t count = ir->ins_count;
    for (uint32_t i = 0; i < count; i++) {
        if (ir->ins[i].dead)
            continue;
        const bool phi = ir->ins[i].op == WF_SW_IR_PHI;
        for (uint32_t k = phi; k < ir->ins[i].arg_count; k += phi ? 2 : 1) {
            const uint32_t at = ir->ins[i].args + k, value = ir->args[at];
            const uint32_t block = phi ? ir->args[at - 1] : ir->ins[i].block;
            if (leaves(ir, value, ir->blocks[block].order)) {
                const uint32_t copy = copy_of(ir, copies, value);
                ir->args[at] = copy; // only now: the copy may have moved the array
            }
        }
    }
    for (uint32_t p = 0; p < ir->order_count; p++) {
        struct wf_sw_block_ir *b = &ir->blocks[ir->order[p]];
        if ((b->end == WF_SW_END_BRANCH || b->end == WF_SW_END_SWITCH) && leaves(ir, b->value, p))
            b->value = copy_of(ir, copies, b->value);
    }
}
