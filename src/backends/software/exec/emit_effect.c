#include "backends/software/exec/emit.h"

// ---- memory ------------------------------------------------------------------------------------

/// Operands in the order in which lower_memory.c adds them.
static uint32_t take_operand(struct wf_sw_emit *e, const struct wf_sw_ins *ins, uint32_t *k,
                             uint32_t *operand)
{
    if (*operand == WF_SW_OPERAND_NONE)
        return WF_SW_NONE;
    const uint32_t value = e->ir->args[ins->args + (*k)++];
    *operand = wf_sw_emit_operand(e, value);
    return value;
}

static uint32_t row_operand(struct wf_sw_emit *e, const struct wf_sw_ins *ins, uint32_t *k,
                            uint32_t operand)
{
    if (operand == WF_SW_OPERAND_NONE)
        return operand;
    return WF_SW_OPERAND_ROW | wf_sw_emit_row(e, e->ir->args[ins->args + (*k)++]);
}

static void emit_memory(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    struct wf_sw_ir *ir = e->ir;
    struct wf_sw_mem *mem = &ir->mems[ins->imm];
    uint16_t rows[16];
    uint32_t k = 0, count = 0;
    const bool uniform = ins->results && ir->vals[ins->result].uniform;
    take_operand(e, ins, &k, &mem->desc);
    take_operand(e, ins, &k, &mem->low);
    take_operand(e, ins, &k, &mem->high);
    take_operand(e, ins, &k, &mem->offset);
    for (uint32_t h = 0; h < 2; h++)
        mem->value[h] = row_operand(e, ins, &k, mem->value[h]);
    for (uint32_t h = 0; h < 2; h++)
        mem->compare[h] = row_operand(e, ins, &k, mem->compare[h]);
    while (ins->op == WF_SW_IR_STORE && k < ins->arg_count)
        rows[count++] = wf_sw_emit_row(e, ir->args[ins->args + k++]);
    for (uint32_t r = 0; r < ins->results; r++) {
        const uint32_t value = ins->result + r;
        rows[count++] = uniform && ir->vals[value].uses ? wf_sw_emit_word(e, value)
                                                        : wf_sw_emit_result(e, value);
    }
    mem->rows = wf_sw_emit_aux(e, rows, count);
    uint32_t op = WF_SW_OP_STORE;
    if (ins->op == WF_SW_IR_LOAD)
        op = uniform ? WF_SW_OP_LOAD_WORDS : WF_SW_OP_LOAD;
    else if (ins->op == WF_SW_IR_LENGTH)
        op = uniform ? WF_SW_OP_LENGTH_WORDS : WF_SW_OP_LENGTH;
    else if (ins->op == WF_SW_IR_ATOMIC)
        op = WF_SW_OP_ATOMIC;
    wf_sw_emit_code(e, op)->x = ins->imm;
}

static void emit_scratch_load(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    const struct wf_sw_ir *ir = e->ir;
    const uint32_t index = ir->args[ins->args];
    uint32_t at;
    struct wf_sw_code c = {.d = (uint16_t)ir->vals[ins->result].slot, .x = ins->imm};
    if (wf_sw_ir_is_const(ir, index, &at) && at <= UINT16_MAX) {
        c.op = WF_SW_OP_SLOAD_AT;
        c.b = (uint16_t)at;
    } else {
        c.op = WF_SW_OP_SLOAD;
        c.a = wf_sw_emit_row(e, index);
    }
    *wf_sw_emit_code(e, c.op) = c;
}

static void emit_scratch_store(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    const struct wf_sw_ir *ir = e->ir;
    const uint32_t index = ir->args[ins->args];
    uint32_t at;
    struct wf_sw_code c = {.b = wf_sw_emit_row(e, ir->args[ins->args + 1]), .x = ins->imm};
    if (wf_sw_ir_is_const(ir, index, &at) && at <= UINT16_MAX) {
        c.op = WF_SW_OP_SSTORE_AT;
        c.a = (uint16_t)at;
    } else {
        c.op = WF_SW_OP_SSTORE;
        c.a = wf_sw_emit_row(e, index);
    }
    *wf_sw_emit_code(e, c.op) = c;
}

// ---- images ------------------------------------------------------------------------------------

static void emit_image(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    struct wf_sw_ir *ir = e->ir;
    struct wf_sw_image_op *op = &ir->images[ins->imm];
    uint16_t rows[4];
    uint32_t arg = ins->args;
    for (uint32_t k = 0; k < WF_SW_IMAGE_OPERANDS; k++) {
        if (op->operands[k] == WF_SW_OPERAND_NONE)
            continue;
        const uint32_t value = ir->args[arg++];
        if (k >= WF_SW_IMAGE_DESC)
            op->operands[k] = wf_sw_emit_operand(e, value);
        else
            op->operands[k] = WF_SW_OPERAND_ROW | wf_sw_emit_row(e, value);
    }
    for (uint32_t r = 0; r < 4; r++)
        rows[r] = wf_sw_emit_result(e, ins->result + r);
    op->rows = wf_sw_emit_aux(e, rows, 4);
    wf_sw_emit_code(e, WF_SW_OP_IMAGE)->x = ins->imm;
}

void wf_sw_emit_effect(struct wf_sw_emit *e, const struct wf_sw_ins *ins)
{
    switch (ins->op) {
    case WF_SW_IR_SLOAD:
        emit_scratch_load(e, ins);
        break;
    case WF_SW_IR_SSTORE:
        emit_scratch_store(e, ins);
        break;
    case WF_SW_IR_IMAGE:
        emit_image(e, ins);
        break;
    default:
        emit_memory(e, ins);
        break;
    }
}

// ---- uniform words -----------------------------------------------------------------------------

static bool before(const struct wf_sw_uword *a, const struct wf_sw_uword *b)
{
    if (a->space != b->space)
        return a->space < b->space;
    if (a->use != b->use)
        return a->use < b->use;
    if (a->desc != b->desc)
        return a->desc < b->desc;
    return a->offset < b->offset;
}

/// Shell sort: a few hundred at most in practice, and never quadratic.
static void sort(struct wf_sw_uword *items, uint32_t count)
{
    for (uint32_t gap = count / 2; gap; gap /= 2) {
        for (uint32_t i = gap; i < count; i++) {
            const struct wf_sw_uword held = items[i];
            uint32_t j = i;
            for (; j >= gap && before(&held, &items[j - gap]); j -= gap)
                items[j] = items[j - gap];
            items[j] = held;
        }
    }
}

/// Neighbours, up to gaps of 16 bytes, are read at once.
void wf_sw_emit_uwords(struct wf_sw_emit *e)
{
    struct wf_sw_ir *ir = e->ir;
    struct wf_sw_uword *words = wf_sw_ir_alloc(ir, ir->uword_count, sizeof *words);
    uint32_t count = 0;
    for (uint32_t k = 0; k < ir->uword_count; k++) {
        if (ir->vals[ir->uwords[k].value].uses)
            words[count++] = ir->uwords[k];
    }
    sort(words, count);
    for (uint32_t i = 0; i < count;) {
        const struct wf_sw_uword *w = &words[i];
        uint32_t n = 1, end = i + 1;
        for (; end < count; end++) {
            const struct wf_sw_uword *next = &words[end];
            const uint32_t away = next->offset - w->offset;
            if (next->space != w->space || next->use != w->use || next->desc != w->desc ||
                away % 4 || away / 4 >= 64 || away / 4 > n + 4)
                break;
            n = away / 4 + 1;
        }
        const uint32_t first = wf_sw_emit_words(e, n);
        for (uint32_t k = i; k < end; k++)
            ir->vals[words[k].value].slot = first + (words[k].offset - w->offset) / 4;
        struct wf_sw_code *c =
            wf_sw_emit_code(e, w->space == WF_SW_SPACE_ROOT ? WF_SW_OP_ROOT : WF_SW_OP_UNIFORM);
        c->d = (uint16_t)first;
        c->a = (uint16_t)n;
        c->b = (uint16_t)w->use;
        c->c = (uint16_t)w->desc;
        c->x = w->offset;
        i = end;
    }
}

// ---- copies for phis ---------------------------------------------------------------------------

struct move {
    uint32_t to, from; ///< Slots.
    bool masked;
};

struct moves {
    struct move *items;
    uint32_t count, capacity;
};

static void add_move(struct wf_sw_emit *e, struct moves *m, uint32_t to, uint32_t from, bool masked)
{
    m->items = wf_sw_ir_grow(e->ir, m->items, &m->capacity, m->count + 1, sizeof *m->items);
    m->items[m->count++] = (struct move){to, from, masked};
}

/// Whether lanes that are not here may hold a value in the phi's row already.
static bool must_mask(const struct wf_sw_ir *ir, const struct wf_sw_ins *phi, uint32_t from)
{
    const struct wf_sw_block_ir *b = &ir->blocks[phi->block];
    if (ir->vals[phi->result].carried)
        return true;
    if (!b->joins)
        return false; // all lanes come the same way
    if (b->loop != WF_SW_NONE && ir->loops[b->loop].first == b->order && ir->loops[b->loop].simple)
        return false;
    for (uint32_t k = 0; k < phi->arg_count; k += 2) {
        if (ir->blocks[ir->args[phi->args + k]].order < ir->blocks[from].order)
            return true; // not the first to write
    }
    for (uint32_t l = ir->blocks[from].loop; l != WF_SW_NONE; l = ir->loops[l].parent) {
        if (b->order < ir->loops[l].first || ir->loops[l].last < b->order)
            return true; // lanes leave at different times
    }
    return false;
}

static uint32_t argument_from(const struct wf_sw_ir *ir, const struct wf_sw_ins *phi, uint32_t from)
{
    for (uint32_t k = 0; k + 1 < phi->arg_count; k += 2) {
        if (ir->args[phi->args + k] == from)
            return ir->args[phi->args + k + 1];
    }
    return WF_SW_NONE;
}

static void emit_one(struct wf_sw_emit *e, const struct move *m, bool words)
{
    struct wf_sw_code *c = wf_sw_emit_code(e, words       ? WF_SW_OP_MOVE_WORD
                                              : m->masked ? WF_SW_OP_MOVE_MASKED
                                                          : WF_SW_OP_MOVE);
    c->d = (uint16_t)m->to;
    c->a = (uint16_t)m->from;
}

/// Moves that happen at once, as a sequence.
struct sequence {
    const struct moves *moves;
    uint32_t *readers; ///< By slot: moves left that read it.
    uint32_t *writer;  ///< By slot: the move that writes it, + 1.
    bool *done;        ///< By move.
    uint32_t *ready;   ///< Moves whose target nobody reads any more.
    uint32_t ready_count, left;
    bool words;
};

static void drain(struct wf_sw_emit *e, struct sequence *s)
{
    while (s->ready_count) {
        const uint32_t k = s->ready[--s->ready_count], from = s->moves->items[k].from;
        emit_one(e, &s->moves->items[k], s->words);
        s->done[k] = true;
        s->left--;
        if (--s->readers[from] == 0 && s->writer[from] && !s->done[s->writer[from] - 1])
            s->ready[s->ready_count++] = s->writer[from] - 1;
    }
}

/// What is left is rings: the target of one move is kept in a spare slot for its one reader.
static void open_ring(struct wf_sw_emit *e, struct sequence *s, uint32_t move)
{
    const uint32_t target = s->moves->items[move].to;
    const struct move save = {.to = s->words ? e->spare_word : e->temp_first, .from = target};
    emit_one(e, &save, s->words);
    for (uint32_t k = 0; k < s->moves->count; k++) {
        if (!s->done[k] && s->moves->items[k].from == target) {
            s->moves->items[k].from = save.to;
            s->readers[save.to]++;
        }
    }
    s->readers[target] = 0;
    s->ready[s->ready_count++] = move;
}

static void emit_parallel(struct wf_sw_emit *e, const struct moves *m, bool words)
{
    struct wf_sw_ir *ir = e->ir;
    if (m->count == 0)
        return;
    if (m->count == 1) {
        emit_one(e, &m->items[0], words);
        return;
    }
    const uint32_t slots = wf_base_max_u32(e->row_count, e->word_count);
    struct sequence s = {.moves = m, .left = m->count, .words = words};
    s.readers = wf_sw_ir_alloc(ir, slots, sizeof *s.readers);
    s.writer = wf_sw_ir_alloc(ir, slots, sizeof *s.writer);
    s.done = wf_sw_ir_alloc(ir, m->count, sizeof *s.done);
    s.ready = wf_sw_ir_alloc(ir, m->count, sizeof *s.ready);
    for (uint32_t k = 0; k < m->count; k++) {
        s.readers[m->items[k].from]++;
        s.writer[m->items[k].to] = k + 1;
    }
    for (uint32_t k = 0; k < m->count; k++) {
        if (!s.readers[m->items[k].to])
            s.ready[s.ready_count++] = k;
    }
    drain(e, &s);
    for (uint32_t k = 0; s.left && k < m->count; k++) {
        if (s.done[k])
            continue;
        open_ring(e, &s, k);
        drain(e, &s);
    }
}

static uint32_t successor(const struct wf_sw_block_ir *b, uint32_t k)
{
    if (b->end == WF_SW_END_SWITCH && k > 0)
        return b->cases[(k - 1) * 2 + 1];
    return b->target[k];
}

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

/// Copies into phi rows and words, and of words into phi rows.
struct copies {
    struct moves rows, words, splats;
};

static void collect(struct wf_sw_emit *e, uint32_t from, uint32_t to, struct copies *c)
{
    struct wf_sw_ir *ir = e->ir;
    for (uint32_t i = ir->blocks[to].first; i != WF_SW_NONE; i = ir->ins[i].next) {
        const struct wf_sw_ins *phi = &ir->ins[i];
        if (phi->dead || phi->op != WF_SW_IR_PHI)
            continue;
        const uint32_t value = argument_from(ir, phi, from);
        if (value == WF_SW_NONE)
            continue;
        const bool masked = must_mask(ir, phi, from);
        const uint32_t slot = ir->vals[phi->result].slot;
        if (ir->vals[phi->result].uniform) {
            if (value != phi->result)
                add_move(e, &c->words, wf_sw_emit_word(e, phi->result), wf_sw_emit_word(e, value),
                         false);
        } else if (ir->vals[value].uniform) {
            add_move(e, &c->splats, slot, wf_sw_emit_word(e, value), masked);
        } else if (slot != ir->vals[value].slot) {
            add_move(e, &c->rows, slot, ir->vals[value].slot, masked);
        }
    }
}

/// Rows first: a row that dies here may be the target of a splat. Words last: splats read them.
void wf_sw_emit_copies(struct wf_sw_emit *e, uint32_t block)
{
    const struct wf_sw_block_ir *b = &e->ir->blocks[block];
    struct copies c = {0};
    for (uint32_t k = 0; k < successors(b); k++) {
        const uint32_t to = successor(b, k);
        if (e->seen_by[to] == block + 1)
            continue;
        e->seen_by[to] = block + 1;
        collect(e, block, to, &c);
    }
    emit_parallel(e, &c.rows, false);
    for (uint32_t k = 0; k < c.splats.count; k++) {
        const struct move *m = &c.splats.items[k];
        struct wf_sw_code *code =
            wf_sw_emit_code(e, m->masked ? WF_SW_OP_SPLAT_MASKED : WF_SW_OP_SPLAT);
        code->d = (uint16_t)m->to;
        code->a = (uint16_t)m->from;
    }
    emit_parallel(e, &c.words, true);
}
