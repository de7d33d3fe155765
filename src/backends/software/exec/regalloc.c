#include "backends/software/exec/emit.h"

/// Linear scan over the order of the code. Time 2p is where the instruction at position p reads,
/// 2p + 1 is where it writes; a loop keeps alive what comes into it and what leaves it.

struct interval {
    uint32_t value;
    uint32_t start, end;
};

struct scan {
    struct wf_sw_emit *e;
    struct interval *of; ///< By value; start > end: not in use.
    uint64_t *free;      ///< Bit set of rows.
    uint32_t *heap;      ///< Values in use, the one that ends first on top.
    uint32_t heap_count;
};

#define MAX_ROWS 60000u

static bool wants_row(const struct wf_sw_ir *ir, uint32_t value)
{
    return !ir->vals[value].uniform && !ir->ins[ir->vals[value].ins].dead &&
           ir->vals[value].uses > 0;
}

static void widen(struct interval *in, uint32_t time)
{
    if (time < in->start)
        in->start = time;
    if (time > in->end)
        in->end = time;
}

/// A value written at one place of the order and read at another.
static void pair(struct scan *s, struct interval *in, uint32_t def, uint32_t use)
{
    const struct wf_sw_ir *ir = s->e->ir;
    uint32_t l = ir->blocks[ir->order[use]].loop;
    for (; l != WF_SW_NONE && def < ir->loops[l].first; l = ir->loops[l].parent)
        widen(in, 2 * s->e->block_end[ir->order[ir->loops[l].last]] + 2);
    l = ir->blocks[ir->order[def]].loop;
    for (; l != WF_SW_NONE; l = ir->loops[l].parent) {
        if (use < ir->loops[l].first || use > ir->loops[l].last)
            widen(in, 2 * s->e->block_start[ir->order[ir->loops[l].first]]);
    }
}

static uint32_t place_of(const struct wf_sw_ir *ir, uint32_t block)
{
    return ir->blocks[block].order;
}

static void note_use(struct scan *s, uint32_t value, uint32_t block, uint32_t time)
{
    const struct wf_sw_ir *ir = s->e->ir;
    struct interval *in = &s->of[value];
    if (!wants_row(ir, value))
        return;
    widen(in, time);
    pair(s, in, place_of(ir, ir->ins[ir->vals[value].ins].block), place_of(ir, block));
}

/// Whether the result may take the row of an argument that ends here.
static bool in_place(uint32_t op)
{
    return op < WF_SW_IR_SIMPLE_COUNT || op == WF_SW_IR_CALL;
}

static void note_phi(struct scan *s, const struct wf_sw_ins *ins)
{
    const struct wf_sw_emit *e = s->e;
    const struct wf_sw_ir *ir = e->ir;
    struct interval *in = &s->of[ins->result];
    const bool row = wants_row(ir, ins->result);
    for (uint32_t k = 0; k + 1 < ins->arg_count; k += 2) {
        const uint32_t from = ir->args[ins->args + k];
        if (place_of(ir, from) == WF_SW_NONE)
            continue;
        note_use(s, ir->args[ins->args + k + 1], from, 2 * e->block_copy[from]);
        if (row) {
            widen(in, 2 * e->block_copy[from] + 1);
            pair(s, in, place_of(ir, from), place_of(ir, ins->block));
        }
    }
    if (row)
        widen(in, 2 * e->block_start[ins->block] + 1);
}

static void note_ins(struct scan *s, uint32_t i)
{
    const struct wf_sw_ir *ir = s->e->ir;
    const struct wf_sw_ins *ins = &ir->ins[i];
    if (ins->op == WF_SW_IR_PHI) {
        note_phi(s, ins);
        return;
    }
    const uint32_t position = s->e->position[i];
    const uint32_t read = 2 * position + (in_place(ins->op) ? 0 : 2);
    for (uint32_t k = 0; k < ins->arg_count; k++)
        note_use(s, ir->args[ins->args + k], ins->block, read);
    for (uint32_t k = 0; k < ins->results; k++) {
        if (wants_row(ir, ins->result + k))
            widen(&s->of[ins->result + k], 2 * position + 1);
    }
}

static void find_intervals(struct scan *s)
{
    const struct wf_sw_ir *ir = s->e->ir;
    for (uint32_t v = 0; v < ir->val_count; v++)
        s->of[v] = (struct interval){.value = v, .start = UINT32_MAX, .end = 0};
    for (uint32_t p = 0; p < ir->order_count; p++) {
        const uint32_t block = ir->order[p];
        const struct wf_sw_block_ir *b = &ir->blocks[block];
        for (uint32_t i = b->first; i != WF_SW_NONE; i = ir->ins[i].next) {
            if (!ir->ins[i].dead)
                note_ins(s, i);
        }
        if (b->end == WF_SW_END_BRANCH || b->end == WF_SW_END_SWITCH)
            note_use(s, b->value, block, 2 * s->e->block_end[block]);
    }
}

// ---- the scan ----------------------------------------------------------------------------------

static void heap_swap(struct scan *s, uint32_t a, uint32_t b)
{
    const uint32_t value = s->heap[a];
    s->heap[a] = s->heap[b];
    s->heap[b] = value;
}

static uint32_t ends(const struct scan *s, uint32_t at)
{
    return s->of[s->heap[at]].end;
}

static void heap_push(struct scan *s, uint32_t value)
{
    uint32_t at = s->heap_count++;
    s->heap[at] = value;
    for (; at && ends(s, at) < ends(s, (at - 1) / 2); at = (at - 1) / 2)
        heap_swap(s, at, (at - 1) / 2);
}

static uint32_t heap_pop(struct scan *s)
{
    const uint32_t top = s->heap[0];
    s->heap[0] = s->heap[--s->heap_count];
    for (uint32_t at = 0;;) {
        uint32_t least = at;
        for (uint32_t child = at * 2 + 1; child <= at * 2 + 2; child++) {
            if (child < s->heap_count && ends(s, child) < ends(s, least))
                least = child;
        }
        if (least == at)
            return top;
        heap_swap(s, at, least);
        at = least;
    }
}

static void give_row(struct scan *s, uint32_t row)
{
    s->free[row / 64] |= UINT64_C(1) << (row % 64);
}

static uint32_t take_row(struct scan *s)
{
    for (uint32_t k = 0; k < MAX_ROWS / 64; k++) {
        if (s->free[k]) {
            const uint32_t bit = wf_base_ctz64(s->free[k]);
            s->free[k] &= s->free[k] - 1;
            return k * 64 + bit;
        }
    }
    wf_sw_fail(s->e->ir, "more than %u values at the same time", MAX_ROWS);
}

static int64_t by_start(const struct interval *a, const struct interval *b)
{
    return a->start != b->start ? (int64_t)a->start - b->start : (int64_t)a->value - b->value;
}

/// Heap sort: the sorts of the library are for keys that intervals do not have.
static void sort(struct interval *items, uint32_t count)
{
    for (uint32_t size = count, build = count / 2; size > 1 || build;) {
        uint32_t at;
        if (build) {
            at = --build;
        } else {
            const struct interval last = items[--size];
            items[size] = items[0];
            items[0] = last;
            at = 0;
        }
        for (;;) {
            uint32_t most = at;
            for (uint32_t child = at * 2 + 1; child <= at * 2 + 2; child++) {
                if (child < size && by_start(&items[child], &items[most]) > 0)
                    most = child;
            }
            if (most == at)
                break;
            const struct interval held = items[at];
            items[at] = items[most];
            items[most] = held;
            at = most;
        }
    }
}

/// Inputs lie where the caller puts them; the value of an output is made in its row.
static void place_fixed(struct scan *s)
{
    struct wf_sw_emit *e = s->e;
    struct wf_sw_ir *ir = e->ir;
    for (uint32_t p = 0; p < ir->order_count; p++) {
        for (uint32_t i = ir->blocks[ir->order[p]].first; i != WF_SW_NONE; i = ir->ins[i].next) {
            const struct wf_sw_ins *ins = &ir->ins[i];
            if (ins->dead)
                continue;
            const uint32_t row = ins->op == WF_SW_IR_INPUT || ins->op == WF_SW_IR_OUTPUT
                                     ? e->interface_row[ins->imm]
                                     : WF_SW_NONE;
            if (ins->op == WF_SW_IR_INPUT) {
                ir->vals[ins->result].slot = row;
            } else if (ins->op == WF_SW_IR_OUTPUT) {
                const uint32_t value = ir->args[ins->args];
                const bool own = ir->ins[ir->vals[value].ins].op != WF_SW_IR_INPUT;
                if (own && wants_row(ir, value) && ir->vals[value].slot == WF_SW_NONE)
                    ir->vals[value].slot = e->input_count + row;
            }
        }
    }
}

/// Rows of inputs are free once the last value that is the same input has been read.
static void hold_inputs(struct scan *s)
{
    const struct wf_sw_emit *e = s->e;
    const struct wf_sw_ir *ir = e->ir;
    uint32_t *last = wf_sw_ir_alloc(e->ir, e->input_count, sizeof *last); // value + 1
    for (uint32_t v = 0; v < ir->val_count; v++) {
        const uint32_t slot = ir->vals[v].slot;
        if (slot < e->input_count && s->of[v].start <= s->of[v].end &&
            (!last[slot] || s->of[last[slot] - 1].end < s->of[v].end))
            last[slot] = v + 1;
    }
    for (uint32_t i = 0; i < e->input_count; i++) {
        if (last[i])
            heap_push(s, last[i] - 1);
    }
}

static void run(struct scan *s, const struct interval *items, uint32_t count)
{
    struct wf_sw_emit *e = s->e;
    struct wf_sw_ir *ir = e->ir;
    hold_inputs(s);
    for (uint32_t k = 0; k < count; k++) {
        const struct interval *in = &items[k];
        while (s->heap_count && ends(s, 0) < in->start)
            give_row(s, ir->vals[heap_pop(s)].slot);
        struct wf_sw_val *v = &ir->vals[in->value];
        if (v->slot != WF_SW_NONE)
            continue; // fixed
        v->slot = take_row(s);
        e->row_count = wf_base_max_u32(e->row_count, v->slot + 1);
        heap_push(s, in->value);
    }
}

void wf_sw_allocate_rows(struct wf_sw_emit *e)
{
    struct wf_sw_ir *ir = e->ir;
    struct scan s = {.e = e};
    s.of = wf_sw_ir_alloc(ir, ir->val_count, sizeof *s.of);
    s.free = wf_sw_ir_alloc(ir, MAX_ROWS / 64 + 1, sizeof *s.free);
    s.heap = wf_sw_ir_alloc(ir, ir->val_count, sizeof *s.heap);
    const uint32_t fixed = e->input_count + e->output_count;
    if (fixed >= MAX_ROWS)
        wf_sw_fail(ir, "more than %u input and output components", MAX_ROWS);
    for (uint32_t k = fixed / 64; k < MAX_ROWS / 64; k++)
        s.free[k] = UINT64_MAX;
    s.free[fixed / 64] &= UINT64_MAX << (fixed % 64); // those below are not free
    find_intervals(&s);
    place_fixed(&s);
    struct interval *items = wf_sw_ir_alloc(ir, ir->val_count, sizeof *items);
    uint32_t count = 0;
    for (uint32_t v = 0; v < ir->val_count; v++) {
        if (s.of[v].start <= s.of[v].end)
            items[count++] = s.of[v];
    }
    sort(items, count);
    e->row_count = fixed;
    run(&s, items, count);
}
