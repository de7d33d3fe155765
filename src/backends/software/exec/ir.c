#include "backends/software/exec/ir.h"

#include <stdarg.h>
#include <stdio.h>

#include "shader/tables.h"

static void describe_place(struct wf_sw_ir *ir, char *text, size_t size)
{
    const uint32_t opcode = ir->word ? ir->module->words[ir->word] & 0xffffu : 0;
    if (ir->word)
        (void)snprintf(text, size, "word %u: Op%s: ", ir->word,
                       wf_shader_op_name(wf_shader_op(opcode)));
    else
        text[0] = '\0';
    const struct wf_shader_line *line = ir->word ? wf_shader_line(ir->module, ir->word) : NULL;
    *ir->error = (struct wf_shader_error){
        .word = ir->word, .opcode = (uint16_t)opcode, .out_of_memory = ir->out_of_memory};
    if (line && line->file) {
        ir->error->line = line->line;
        ir->error->column = line->column;
        (void)snprintf(ir->error->file, sizeof ir->error->file, "%s",
                       wf_shader_string(ir->module, line->file));
    }
}

void wf_sw_fail(struct wf_sw_ir *ir, const char *format, ...)
{
    char place[96], sentence[sizeof ir->error->message - sizeof place];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    describe_place(ir, place, sizeof place);
    (void)snprintf(ir->error->message, sizeof ir->error->message, "%s%s", place, sentence);
    longjmp(*ir->escape, 1);
}

void wf_sw_fail_memory(struct wf_sw_ir *ir)
{
    ir->word = 0;
    ir->out_of_memory = true;
    wf_sw_fail(ir, "out of memory while compiling the shader");
}

void *wf_sw_ir_alloc(struct wf_sw_ir *ir, size_t count, size_t size)
{
    void *memory = wf_base_arena_array(ir->arena, count ? count : 1, size);
    if (!memory)
        wf_sw_fail_memory(ir);
    return memory;
}

void *wf_sw_ir_grow(struct wf_sw_ir *ir, void *items, uint32_t *capacity, uint32_t need,
                    size_t size)
{
    if (need <= *capacity)
        return items;
    uint32_t wanted = *capacity ? *capacity * 2 : 16;
    if (wanted < need)
        wanted = need;
    void *grown = wf_sw_ir_alloc(ir, wanted, size);
    if (*capacity)
        memcpy(grown, items, *capacity * size);
    *capacity = wanted;
    return grown;
}

// ---- blocks ------------------------------------------------------------------------------------

uint32_t wf_sw_ir_block(struct wf_sw_ir *ir, uint32_t expected)
{
    if (ir->block_count == WF_SW_MAX_BLOCKS)
        wf_sw_fail(ir, "more than %u blocks once functions are inlined", WF_SW_MAX_BLOCKS);
    ir->blocks =
        wf_sw_ir_grow(ir, ir->blocks, &ir->block_capacity, ir->block_count + 1, sizeof *ir->blocks);
    ir->blocks[ir->block_count] = (struct wf_sw_block_ir){
        .first = WF_SW_NONE,
        .last = WF_SW_NONE,
        .order = WF_SW_NONE,
        .loop = WF_SW_NONE,
        .expected = expected,
    };
    return ir->block_count++;
}

void wf_sw_ir_begin(struct wf_sw_ir *ir, uint32_t block)
{
    ir->order =
        wf_sw_ir_grow(ir, ir->order, &ir->order_capacity, ir->order_count + 1, sizeof *ir->order);
    ir->blocks[block].order = ir->order_count;
    ir->order[ir->order_count++] = block;
    ir->at = block;
}

static void add_edge(struct wf_sw_ir *ir, uint32_t from, uint32_t to)
{
    struct wf_sw_block_ir *b = &ir->blocks[to];
    if (b->pred_count && b->preds[b->pred_count - 1] == from)
        return; // edges of one block are added one after another
    b->preds = wf_sw_ir_grow(ir, b->preds, &b->pred_capacity, b->pred_count + 1, sizeof *b->preds);
    b->preds[b->pred_count++] = from;
}

void wf_sw_ir_jump(struct wf_sw_ir *ir, uint32_t target)
{
    struct wf_sw_block_ir *b = &ir->blocks[ir->at];
    b->end = WF_SW_END_JUMP;
    b->target[0] = target;
    add_edge(ir, ir->at, target);
}

void wf_sw_ir_branch(struct wf_sw_ir *ir, uint32_t condition, uint32_t yes, uint32_t no)
{
    if (yes == no) {
        wf_sw_ir_jump(ir, yes);
        return;
    }
    struct wf_sw_block_ir *b = &ir->blocks[ir->at];
    b->end = WF_SW_END_BRANCH;
    b->value = condition;
    b->target[0] = yes;
    b->target[1] = no;
    add_edge(ir, ir->at, yes);
    add_edge(ir, ir->at, no);
}

void wf_sw_ir_switch(struct wf_sw_ir *ir, uint32_t selector, uint32_t *cases, uint32_t count,
                     uint32_t otherwise)
{
    struct wf_sw_block_ir *b = &ir->blocks[ir->at];
    b->end = WF_SW_END_SWITCH;
    b->value = selector;
    b->cases = cases;
    b->case_count = count;
    b->target[0] = otherwise;
    for (uint32_t i = 0; i < count; i++)
        add_edge(ir, ir->at, cases[i * 2 + 1]);
    add_edge(ir, ir->at, otherwise);
}

void wf_sw_ir_stop(struct wf_sw_ir *ir, enum wf_sw_end end)
{
    ir->blocks[ir->at].end = (uint8_t)end;
}

// ---- instructions ------------------------------------------------------------------------------

static uint32_t make(struct wf_sw_ir *ir, uint32_t block, uint32_t op, uint32_t imm,
                     uint32_t results)
{
    if (ir->val_count + results > WF_SW_MAX_VALUES || ir->ins_count >= WF_SW_MAX_VALUES)
        wf_sw_fail(ir, "more than %u values once functions are inlined", WF_SW_MAX_VALUES);
    ir->ins = wf_sw_ir_grow(ir, ir->ins, &ir->ins_capacity, ir->ins_count + 1, sizeof *ir->ins);
    ir->vals =
        wf_sw_ir_grow(ir, ir->vals, &ir->val_capacity, ir->val_count + results, sizeof *ir->vals);
    const uint32_t index = ir->ins_count++;
    ir->ins[index] = (struct wf_sw_ins){
        .op = (uint16_t)op,
        .results = (uint8_t)results,
        .block = block,
        .next = WF_SW_NONE,
        .imm = imm,
        .result = results ? ir->val_count : WF_SW_NONE,
        .word = ir->word,
    };
    for (uint32_t i = 0; i < results; i++) {
        ir->vals[ir->val_count++] = (struct wf_sw_val){
            .ins = index, .forward = WF_SW_NONE, .slot = WF_SW_NONE, .row = WF_SW_NONE};
    }
    return index;
}

static void append(struct wf_sw_ir *ir, uint32_t block, uint32_t ins)
{
    struct wf_sw_block_ir *b = &ir->blocks[block];
    if (b->last == WF_SW_NONE)
        b->first = ins;
    else
        ir->ins[b->last].next = ins;
    b->last = ins;
}

void wf_sw_ir_set_args(struct wf_sw_ir *ir, uint32_t ins, const uint32_t *args, uint32_t count)
{
    ir->args =
        wf_sw_ir_grow(ir, ir->args, &ir->arg_capacity, ir->arg_count + count, sizeof *ir->args);
    ir->ins[ins].args = ir->arg_count;
    ir->ins[ins].arg_count = count;
    for (uint32_t i = 0; i < count; i++)
        ir->args[ir->arg_count++] = args[i];
}

uint32_t wf_sw_ir_add(struct wf_sw_ir *ir, uint32_t op, uint32_t imm, const uint32_t *args,
                      uint32_t arg_count, uint32_t results)
{
    const uint32_t ins = make(ir, ir->at, op, imm, results);
    wf_sw_ir_set_args(ir, ins, args, arg_count);
    append(ir, ir->at, ins);
    return ir->ins[ins].result;
}

uint32_t wf_sw_ir_add_first(struct wf_sw_ir *ir, uint32_t op, uint32_t imm)
{
    const uint32_t ins = make(ir, 0, op, imm, 1);
    append(ir, 0, ins);
    return ir->ins[ins].result;
}

uint32_t wf_sw_ir_insert(struct wf_sw_ir *ir, uint32_t after, uint32_t op, uint32_t argument)
{
    const uint32_t block = ir->ins[after].block, ins = make(ir, block, op, 0, 1);
    wf_sw_ir_set_args(ir, ins, &argument, 1);
    ir->ins[ins].next = ir->ins[after].next;
    ir->ins[after].next = ins;
    if (ir->blocks[block].last == after)
        ir->blocks[block].last = ins;
    return ir->ins[ins].result;
}

uint32_t wf_sw_ir_phi(struct wf_sw_ir *ir, uint32_t block)
{
    const uint32_t ins = make(ir, block, WF_SW_IR_PHI, 0, 1);
    struct wf_sw_block_ir *b = &ir->blocks[block];
    ir->ins[ins].next = b->first;
    b->first = ins;
    if (b->last == WF_SW_NONE)
        b->last = ins;
    return ir->ins[ins].result;
}

uint32_t wf_sw_ir_resolve(struct wf_sw_ir *ir, uint32_t value)
{
    uint32_t root = value;
    while (ir->vals[root].forward != WF_SW_NONE)
        root = ir->vals[root].forward;
    while (ir->vals[value].forward != WF_SW_NONE) { // shorten the path for the next time
        const uint32_t next = ir->vals[value].forward;
        ir->vals[value].forward = root;
        value = next;
        if (value == root)
            break;
    }
    return root;
}

uint32_t wf_sw_ir_arity(uint32_t op)
{
    static const uint8_t arity[] = {
#define WF_UN(name, result, operand, expression)  1,
#define WF_BIN(name, result, operand, expression) 2,
#define WF_COM(name, result, operand, expression) 2,
#define WF_TER(name, result, operand, expression) 3,
#define WF_FEW(name, result, operand, expression) 3,
#include "backends/software/exec/ops.def"
#undef WF_UN
#undef WF_BIN
#undef WF_COM
#undef WF_TER
#undef WF_FEW
    };
    return arity[op];
}

bool wf_sw_ir_has_effect(const struct wf_sw_ir *ir, const struct wf_sw_ins *ins)
{
    switch (ins->op) {
    case WF_SW_IR_STORE:
    case WF_SW_IR_ATOMIC:
    case WF_SW_IR_SSTORE:
    case WF_SW_IR_BARRIER:
    case WF_SW_IR_DEMOTE:
    case WF_SW_IR_OUTPUT:
        return true;
    case WF_SW_IR_IMAGE:
        return ir->images[ins->imm].kind == WF_SW_IMAGE_WRITE ||
               ir->images[ins->imm].kind == WF_SW_IMAGE_ATOMIC;
    default:
        return false;
    }
}

// ---- constants and folding ---------------------------------------------------------------------

/// Finds an equal value or remembers this one. `make_it` is only called for a new one.
static uint64_t key_of(uint32_t block, uint32_t op, const uint32_t *args, uint32_t count)
{
    uint64_t key = wf_base_hash_combine(block, op);
    for (uint32_t i = 0; i < count; i++)
        key = wf_base_hash_combine(key, args[i]);
    return key;
}

static bool same(const struct wf_sw_ir *ir, uint32_t value, uint32_t block, uint32_t op,
                 const uint32_t *args, uint32_t count)
{
    const struct wf_sw_ins *ins = &ir->ins[ir->vals[value].ins];
    if (ins->block != block || ins->op != op)
        return false;
    if (op == WF_SW_IR_CONST)
        return ins->imm == args[0];
    return ins->arg_count == count && memcmp(ir->args + ins->args, args, count * sizeof *args) == 0;
}

static void remember(struct wf_sw_ir *ir, uint64_t key, uint32_t value)
{
    if (!wf_base_map_set(&ir->known, key, value))
        wf_sw_fail_memory(ir);
}

uint32_t wf_sw_ir_const(struct wf_sw_ir *ir, uint32_t bits)
{
    const uint64_t key = key_of(0, WF_SW_IR_CONST, &bits, 1);
    const uint64_t *found = wf_base_map_find(&ir->known, key);
    if (found && same(ir, (uint32_t)*found, 0, WF_SW_IR_CONST, &bits, 1))
        return (uint32_t)*found;
    const uint32_t value = wf_sw_ir_add_first(ir, WF_SW_IR_CONST, bits);
    remember(ir, key, value);
    return value;
}

uint32_t wf_sw_ir_float(struct wf_sw_ir *ir, float value)
{
    return wf_sw_ir_const(ir, wf_base_float_bits(value));
}

bool wf_sw_ir_is_const(const struct wf_sw_ir *ir, uint32_t value, uint32_t *bits)
{
    const struct wf_sw_ins *ins = &ir->ins[ir->vals[value].ins];
    if (ins->op != WF_SW_IR_CONST)
        return false;
    *bits = ins->imm;
    return true;
}

static uint32_t add_simple(struct wf_sw_ir *ir, uint32_t op, const uint32_t *args, uint32_t count)
{
    const uint64_t key = key_of(ir->at, op, args, count);
    const uint64_t *found = wf_base_map_find(&ir->known, key);
    if (found && same(ir, (uint32_t)*found, ir->at, op, args, count))
        return (uint32_t)*found;
    const uint32_t value = wf_sw_ir_add(ir, op, 0, args, count, 1);
    remember(ir, key, value);
    return value;
}

uint32_t wf_sw_ir_un(struct wf_sw_ir *ir, uint32_t op, uint32_t a)
{
    uint32_t x;
    if (wf_sw_ir_is_const(ir, a, &x)) {
        switch (op) {
        case WF_SW_IR_NOT:
            return wf_sw_ir_const(ir, ~x);
        case WF_SW_IR_INEG:
            return wf_sw_ir_const(ir, 0 - x);
        case WF_SW_IR_FNEG:
            return wf_sw_ir_const(ir, x ^ 0x80000000u);
        case WF_SW_IR_I2F:
            return wf_sw_ir_float(ir, (float)(int32_t)x);
        case WF_SW_IR_U2F:
            return wf_sw_ir_float(ir, (float)x);
        default:
            break;
        }
    }
    return add_simple(ir, op, &a, 1);
}

/// Integer operations on two constants.
static bool fold(uint32_t op, uint32_t x, uint32_t y, uint32_t *out)
{
    switch (op) {
    case WF_SW_IR_IADD:
        *out = x + y;
        return true;
    case WF_SW_IR_ISUB:
        *out = x - y;
        return true;
    case WF_SW_IR_IMUL:
        *out = x * y;
        return true;
    case WF_SW_IR_AND:
        *out = x & y;
        return true;
    case WF_SW_IR_OR:
        *out = x | y;
        return true;
    case WF_SW_IR_XOR:
        *out = x ^ y;
        return true;
    case WF_SW_IR_SHL:
        *out = x << (y & 31);
        return true;
    case WF_SW_IR_SHR:
        *out = x >> (y & 31);
        return true;
    case WF_SW_IR_SAR:
        *out = (uint32_t)((int32_t)x >> (y & 31));
        return true;
    case WF_SW_IR_ULT:
        *out = x < y ? UINT32_MAX : 0;
        return true;
    case WF_SW_IR_ADDSAT:
        *out = x + y < x ? UINT32_MAX : x + y;
        return true;
    case WF_SW_IR_IEQ:
        *out = x == y ? UINT32_MAX : 0;
        return true;
    case WF_SW_IR_INE:
        *out = x != y ? UINT32_MAX : 0;
        return true;
    default:
        return false;
    }
}

uint32_t wf_sw_ir_bin(struct wf_sw_ir *ir, uint32_t op, uint32_t a, uint32_t b)
{
    uint32_t x = 0, y = 0, folded;
    const bool left = wf_sw_ir_is_const(ir, a, &x), right = wf_sw_ir_is_const(ir, b, &y);
    if (left && right && fold(op, x, y, &folded))
        return wf_sw_ir_const(ir, folded);
    const bool adds =
        op == WF_SW_IR_IADD || op == WF_SW_IR_ADDSAT || op == WF_SW_IR_OR || op == WF_SW_IR_XOR;
    if (left && x == 0 && adds)
        return b;
    if (right && y == 0 &&
        (adds || op == WF_SW_IR_ISUB || op == WF_SW_IR_SHL || op == WF_SW_IR_SHR ||
         op == WF_SW_IR_SAR))
        return a;
    if (op == WF_SW_IR_IMUL && ((left && x == 0) || (right && y == 0)))
        return wf_sw_ir_const(ir, 0);
    if (left && x == 1 && op == WF_SW_IR_IMUL)
        return b;
    if (right && y == 1 && op == WF_SW_IR_IMUL)
        return a;
    const uint32_t args[2] = {a, b};
    return add_simple(ir, op, args, 2);
}

uint32_t wf_sw_ir_ter(struct wf_sw_ir *ir, uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x, y, z;
    if (op == WF_SW_IR_SELECT) {
        if (b == c)
            return b;
        if (wf_sw_ir_is_const(ir, a, &x))
            return x ? b : c;
    }
    if (op == WF_SW_IR_INDEX && wf_sw_ir_is_const(ir, a, &x) && wf_sw_ir_is_const(ir, b, &y) &&
        wf_sw_ir_is_const(ir, c, &z))
        return wf_sw_ir_const(ir, (x < z ? x : z) * y);
    const uint32_t args[3] = {a, b, c};
    return add_simple(ir, op, args, 3);
}

uint32_t wf_sw_ir_call(struct wf_sw_ir *ir, uint32_t fun, const uint32_t *args, uint32_t count)
{
    return wf_sw_ir_add(ir, WF_SW_IR_CALL, fun, args, count, 1);
}
