#include "backends/software/exec/lower.h"

/// Variables live in components: the value that a component has at the end of each block is kept in
/// a map, and reading one that a block did not set asks its predecessors. Where several meet, a phi
/// is made first and filled at the end, when all blocks and edges are known.

uint32_t wf_sw_variable_add(struct wf_sw_lower *l, uint32_t type, bool dynamic)
{
    const uint32_t count = wf_sw_type_words(l, type);
    l->variables = wf_sw_ir_grow(l->ir, l->variables, &l->variable_capacity, l->variable_count + 1,
                                 sizeof *l->variables);
    struct wf_sw_variable *v = &l->variables[l->variable_count];
    *v = (struct wf_sw_variable){
        .type = type,
        .count = count,
        .first = l->component_count,
        .scratch = WF_SW_NONE,
        .global = WF_SW_NONE,
    };
    if (dynamic) {
        struct wf_sw_ir *ir = l->ir;
        ir->scratch = wf_sw_ir_grow(ir, ir->scratch, &ir->scratch_capacity, ir->scratch_count + 1,
                                    sizeof *ir->scratch);
        ir->scratch[ir->scratch_count] = (struct wf_sw_scratch){.count = count};
        v->scratch = ir->scratch_count++;
    }
    if (l->component_count > UINT32_MAX - count)
        wf_sw_fail(l->ir, "too many variables once functions are inlined");
    l->component_count += count;
    return l->variable_count++;
}

static uint64_t key(uint32_t block, uint32_t component)
{
    return (uint64_t)block << 32 | component;
}

static void define(struct wf_sw_lower *l, uint32_t block, uint32_t component, uint32_t value)
{
    if (!wf_base_map_set(&l->defined, key(block, component), value))
        wf_sw_fail_memory(l->ir);
}

static uint32_t read_in(struct wf_sw_lower *l, uint32_t block, uint32_t component)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t start = block;
    uint32_t value;
    for (;;) {
        const uint64_t *found = wf_base_map_find(&l->defined, key(block, component));
        if (found) {
            value = (uint32_t)*found;
            break;
        }
        const struct wf_sw_block_ir *b = &ir->blocks[block];
        if (b->expected == 1 && b->pred_count == 1 && ir->blocks[b->preds[0]].order < b->order) {
            block = b->preds[0];
            continue;
        }
        if (b->expected == 0) { // the start, or a place that nothing reaches
            value = wf_sw_ir_const(ir, 0);
            define(l, block, component, value);
            break;
        }
        value = wf_sw_ir_phi(ir, block);
        define(l, block, component, value);
        l->unfinished = wf_sw_ir_grow(ir, l->unfinished, &l->unfinished_capacity,
                                      l->unfinished_count + 1, sizeof *l->unfinished);
        l->unfinished[l->unfinished_count++] = (struct wf_sw_unfinished){value, block, component};
        break;
    }
    if (start != block)
        define(l, start, component, value);
    return value;
}

uint32_t wf_sw_component_read(struct wf_sw_lower *l, uint32_t component)
{
    return read_in(l, l->ir->at, component);
}

void wf_sw_component_write(struct wf_sw_lower *l, uint32_t component, uint32_t value)
{
    define(l, l->ir->at, component, value);
}

void wf_sw_finish_phis(struct wf_sw_lower *l)
{
    struct wf_sw_ir *ir = l->ir;
    while (l->unfinished_count) {
        const struct wf_sw_unfinished u = l->unfinished[--l->unfinished_count];
        const uint32_t count = ir->blocks[u.block].pred_count;
        uint32_t *args = wf_sw_ir_alloc(ir, count * (size_t)2, sizeof *args);
        for (size_t i = 0; i < count; i++) {
            const uint32_t pred = ir->blocks[u.block].preds[i];
            args[i * 2] = pred;
            args[i * 2 + 1] = read_in(l, pred, u.component);
        }
        wf_sw_ir_set_args(ir, ir->vals[u.phi].ins, args, count * 2);
    }
}

// ---- loads and stores --------------------------------------------------------------------------

/// Index of component `i` behind a pointer into scratch rows.
static uint32_t scratch_index(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t i)
{
    const uint32_t at = wf_sw_ir_const(l->ir, p->component + i);
    return p->index == WF_SW_NONE ? at : wf_sw_ir_bin(l->ir, WF_SW_IR_ADDSAT, p->index, at);
}

void wf_sw_variable_load(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t *out,
                         uint32_t count)
{
    struct wf_sw_variable *v = &l->variables[p->variable];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t component = p->component + i;
        if (component >= v->count) { // a constant index, and no other can lead back
            out[i] = wf_sw_ir_const(l->ir, 0);
        } else if (v->scratch != WF_SW_NONE) {
            const uint32_t index = scratch_index(l, p, i);
            out[i] = wf_sw_ir_add(l->ir, WF_SW_IR_SLOAD, v->scratch, &index, 1, 1);
        } else if (v->input) {
            out[i] = wf_sw_input_value(l, v, component);
        } else {
            out[i] = wf_sw_component_read(l, v->first + component);
        }
    }
}

void wf_sw_variable_store(struct wf_sw_lower *l, const struct wf_sw_pointer *p, const uint32_t *in,
                          uint32_t count)
{
    struct wf_sw_variable *v = &l->variables[p->variable];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t component = p->component + i;
        if (component >= v->count)
            continue;
        if (v->stored && p->index == WF_SW_NONE)
            v->stored[component] = true;
        if (v->scratch != WF_SW_NONE) {
            const uint32_t args[2] = {scratch_index(l, p, i), in[i]};
            wf_sw_ir_add(l->ir, WF_SW_IR_SSTORE, v->scratch, args, 2, 0);
        } else {
            wf_sw_component_write(l, v->first + component, in[i]);
        }
    }
    if (v->stored && p->index != WF_SW_NONE)
        memset(v->stored, 1, v->count);
}

// ---- which variables are indexed with values ---------------------------------------------------

/// The variable or parameter that a pointer comes from; 0: none that lives in registers.
static uint32_t root_of(struct wf_sw_lower *l, const uint32_t *root, uint32_t id)
{
    const struct wf_shader_id *info = &l->module->ids[id];
    if (root[id])
        return root[id];
    if (info->opcode == SpvOpVariable || info->opcode == SpvOpFunctionParameter)
        return id;
    return 0;
}

/// A chain of indices; true if it says something new about where it starts.
static bool note_chain(struct wf_sw_lower *l, uint32_t *root, const struct wf_shader_instruction *i)
{
    const uint32_t from = root_of(l, root, i->operands[0]);
    uint32_t ignored;
    root[i->id] = from;
    if (!from || l->dynamic[from])
        return false;
    for (uint32_t k = 1; k < i->operand_count; k++) {
        if (!wf_sw_constant_u32(l, i->operands[k], &ignored)) {
            l->dynamic[from] = true;
            return true;
        }
    }
    return false;
}

/// Arguments are what parameters are.
static bool note_call(struct wf_sw_lower *l, const uint32_t *root,
                      const struct wf_shader_instruction *i)
{
    const struct wf_shader_function *f = wf_shader_function(l->module, i->operands[0]);
    bool learnt = false;
    for (uint32_t k = 1; f && k < i->operand_count && k <= f->parameter_count; k++) {
        const uint32_t from = root_of(l, root, i->operands[k]);
        if (from && l->dynamic[f->parameters[k - 1]] && !l->dynamic[from]) {
            l->dynamic[from] = true;
            learnt = true;
        }
    }
    return learnt;
}

/// Notes what one instruction says; true if something new was learnt.
static bool note_dynamic(struct wf_sw_lower *l, uint32_t *root,
                         const struct wf_shader_instruction *i)
{
    switch (i->opcode) {
    case SpvOpCopyObject:
        root[i->id] = root_of(l, root, i->operands[0]);
        return false;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        return note_chain(l, root, i);
    case SpvOpFunctionCall:
        return note_call(l, root, i);
    default:
        return false;
    }
}

void wf_sw_find_dynamic(struct wf_sw_lower *l)
{
    const struct wf_shader_module *m = l->module;
    uint32_t *root = wf_sw_ir_alloc(l->ir, m->bound, sizeof *root);
    for (bool again = true; again;) { // as often as calls nest
        again = false;
        for (uint32_t b = 0; b < m->block_count; b++) {
            struct wf_shader_instruction i;
            for (uint32_t at = m->blocks[b].first; wf_shader_next(m, &at, m->blocks[b].end, &i);)
                again |= note_dynamic(l, root, &i);
        }
    }
}
