// The rules of structured control flow, and that every definition dominates its uses.
//
// Checked: no branch to the entry block; a merge block has one header, which dominates it; so for
// continue targets; back edges lead from a loop's continue construct to its header, one per loop; a
// loop that is no OpLoopMerge's or that has two entries is refused; OpSwitch has an
// OpSelectionMerge; a conditional branch has a merge instruction or leaves a construct. Not
// checked: that a branch leaves only constructs that it may leave.
#include "shader/flow.h"
#include "shader/reader.h"

/// One function under check.
struct checker {
    struct wf_shader_reader *reader;
    const struct wf_shader_function *function;
    struct wf_shader_block *blocks; ///< The function's first.
    struct wf_shader_flow flow;
    uint32_t *merge_of; ///< By block: 1 + the block whose merge block it is; 0: none.
    uint8_t *exits;     ///< By block: it is a merge block, a continue target or a loop header.
    uint32_t *stamp;    ///< By block: for counting predecessors.
    uint32_t stamps;
};

static uint32_t block_of(const struct checker *c, uint32_t label)
{
    return c->reader->ids[label].index - c->function->first_block;
}

static bool is_reached(const struct checker *c, uint32_t block)
{
    return c->flow.number[block] != WF_SHADER_NONE;
}

static bool check_header(struct checker *c, uint32_t index)
{
    struct wf_shader_block *block = &c->blocks[index];
    if (block->merge == 0)
        return true;
    wf_shader_move_to(c->reader, block->merge);
    const uint32_t merge = block_of(c, block->merge_label);
    if (merge == index)
        return wf_shader_fail(c->reader, "a block cannot be its own merge block");
    if (c->merge_of[merge] != 0)
        return wf_shader_fail(c->reader, "%%%u is already the merge block of %%%u",
                              block->merge_label, c->blocks[c->merge_of[merge] - 1].label);
    c->merge_of[merge] = index + 1;
    c->exits[merge] = 1;
    if (is_reached(c, index) && is_reached(c, merge) &&
        !wf_shader_flow_dominates(&c->flow, index, merge))
        return wf_shader_fail(c->reader, "the header %%%u does not dominate its merge block %%%u",
                              block->label, block->merge_label);
    if (block->continue_label == 0)
        return true;
    const uint32_t next = block_of(c, block->continue_label);
    c->exits[next] = 1;
    c->exits[index] = 1;
    if (next == merge)
        return wf_shader_fail(c->reader, "the continue target is the merge block");
    if (is_reached(c, index) && is_reached(c, next) &&
        !wf_shader_flow_dominates(&c->flow, index, next))
        return wf_shader_fail(c->reader,
                              "the loop header %%%u does not dominate its continue target %%%u",
                              block->label, block->continue_label);
    return true;
}

/// A branch from a reachable block.
static bool check_edge(struct checker *c, uint32_t from, uint32_t to)
{
    const struct wf_shader_block *target = &c->blocks[to];
    const uint32_t a = c->flow.number[from];
    const uint32_t b = c->flow.number[to];
    const bool retreats = b <= a && a <= c->flow.last[b];
    if (!retreats)
        return true;
    if (!wf_shader_flow_dominates(&c->flow, to, from))
        return wf_shader_fail(c->reader, "a loop around %%%u can be entered in more than one place",
                              target->label);
    if (target->continue_label == 0)
        return wf_shader_fail(c->reader, "it branches back to %%%u, which has no OpLoopMerge",
                              target->label);
    const uint32_t next = block_of(c, target->continue_label);
    if (!is_reached(c, next) || !wf_shader_flow_dominates(&c->flow, next, from))
        return wf_shader_fail(c->reader,
                              "it branches back to %%%u from outside of its continue construct",
                              target->label);
    return true;
}

static bool check_branch(struct checker *c, uint32_t index)
{
    const struct wf_shader_block *block = &c->blocks[index];
    wf_shader_move_to(c->reader, block->terminator);
    const uint32_t first = c->flow.successor_at[index];
    const uint32_t last = c->flow.successor_at[index + 1];
    for (uint32_t e = first; e < last; e++) {
        const uint32_t to = c->flow.successors[e];
        if (to == 0)
            return wf_shader_fail(c->reader, "it branches to the function's first block");
        if (is_reached(c, index) && !check_edge(c, index, to))
            return false;
    }
    if (!is_reached(c, index) || block->merge != 0)
        return true;
    if (c->reader->ins.opcode == SpvOpSwitch)
        return wf_shader_fail(c->reader, "no OpSelectionMerge is before it");
    if (c->reader->ins.opcode == SpvOpBranchConditional) {
        const uint32_t yes = c->flow.successors[first];
        const uint32_t no = c->flow.successors[first + 1];
        if (yes != no && !c->exits[yes] && !c->exits[no])
            return wf_shader_fail(c->reader,
                                  "no merge instruction is before it, and it leaves no construct");
    }
    return true;
}

/// At most one block branches back to each loop header.
static bool check_loops(struct checker *c)
{
    for (uint32_t i = 0; i < c->flow.count; i++) {
        if (c->blocks[i].continue_label == 0 || !is_reached(c, i))
            continue;
        uint32_t back = WF_SHADER_NONE;
        for (uint32_t e = c->flow.predecessor_at[i]; e < c->flow.predecessor_at[i + 1]; e++) {
            const uint32_t from = c->flow.predecessors[e];
            if (!is_reached(c, from) || !wf_shader_flow_dominates(&c->flow, i, from))
                continue;
            if (back != WF_SHADER_NONE && back != from) {
                wf_shader_move_to(c->reader, c->blocks[i].merge);
                return wf_shader_fail(c->reader, "two blocks branch back to the loop header %%%u",
                                      c->blocks[i].label);
            }
            back = from;
        }
    }
    return true;
}

/// Whether the value `id`, if it is defined in this function, is there in block `user`.
static bool check_dominance(struct checker *c, uint32_t id, uint32_t user)
{
    const struct wf_shader_id *found = &c->reader->ids[id];
    const bool local = found->role == WF_SHADER_ROLE_VALUE && found->index != WF_SHADER_NONE &&
                       c->reader->ids[c->blocks[user].label].function == found->function;
    if (!local || !is_reached(c, user))
        return true; // non-semantic instructions may name values of other functions
    const uint32_t home = found->index - c->function->first_block;
    if (home == user || (is_reached(c, home) && wf_shader_flow_dominates(&c->flow, home, user)))
        return true;
    return wf_shader_fail(c->reader,
                          "%%%u may not be computed yet: its block does not dominate %%%u", id,
                          c->blocks[user].label);
}

/// OpPhi: one value per predecessor, of its type, and there at that predecessor's end.
static bool check_phi(struct checker *c, uint32_t index)
{
    const struct wf_shader_instruction *ins = &c->reader->ins;
    const uint32_t stamp = ++c->stamps;
    const uint32_t first = c->flow.predecessor_at[index];
    const uint32_t last = c->flow.predecessor_at[index + 1];
    uint32_t missing = last - first;
    for (uint32_t e = first; e < last; e++)
        c->stamp[c->flow.predecessors[e]] = stamp;
    for (uint32_t i = 0; i + 1 < ins->operand_count; i += 2) {
        const uint32_t value = ins->operands[i];
        const uint32_t from = block_of(c, ins->operands[i + 1]);
        if (c->stamp[from] != stamp)
            return wf_shader_fail(c->reader, "%%%u is no predecessor, or appears twice",
                                  ins->operands[i + 1]);
        c->stamp[from] = 0;
        missing--;
        if (c->reader->ids[value].type != ins->type)
            return wf_shader_fail(c->reader, "%%%u is not of its type %%%u", value, ins->type);
        if (!check_dominance(c, value, from))
            return false;
    }
    return missing == 0 ||
           wf_shader_fail(c->reader, "it has no value for %u of its predecessors", missing);
}

/// Ids in a block's instructions. Uses in the block of the definition come after it: uses.c saw to
/// that.
static bool check_uses(struct checker *c, uint32_t index)
{
    struct wf_shader_reader *reader = c->reader;
    const struct wf_shader_block *block = &c->blocks[index];
    for (uint32_t word = block->first; word < block->end; word += reader->ins.count) {
        wf_shader_move_to(reader, word);
        if (reader->ins.opcode == SpvOpPhi) {
            if (!check_phi(c, index))
                return false;
            continue;
        }
        struct wf_shader_operands walk;
        struct wf_shader_operand operand;
        wf_shader_operands_start(&walk, reader->module, &reader->ins, reader->op);
        while (wf_shader_operand_next(&walk, &operand) > 0) {
            if (operand.kind == WF_SHADER_KIND_ID &&
                !check_dominance(c, reader->ins.words[operand.at], index))
                return false;
        }
    }
    return true;
}

static bool check_blocks(struct checker *c)
{
    for (uint32_t i = 0; i < c->flow.count; i++) {
        c->blocks[i].reachable = is_reached(c, i);
        if (!check_header(c, i))
            return false;
    }
    for (uint32_t i = 0; i < c->flow.count; i++) {
        if (!check_branch(c, i) || !check_uses(c, i))
            return false;
    }
    return check_loops(c);
}

bool wf_shader_check_flow(struct wf_shader_reader *reader, struct wf_shader_function *function)
{
    struct wf_base_arena *arena = &reader->scratch;
    const struct wf_base_arena_mark mark = wf_base_arena_mark_get(arena);
    const size_t count = function->block_count;
    struct checker c = {
        .reader = reader,
        .function = function,
        .blocks = reader->blocks + function->first_block,
        .merge_of = wf_base_arena_array(arena, count, sizeof *c.merge_of),
        .exits = wf_base_arena_array(arena, count, sizeof *c.exits),
        .stamp = wf_base_arena_array(arena, count, sizeof *c.stamp),
    };
    bool ok = c.merge_of && c.exits && c.stamp &&
              wf_shader_flow_build(&c.flow, arena, reader->module, function);
    if (!ok)
        wf_shader_fail_memory(reader);
    ok = ok && check_blocks(&c);
    wf_base_arena_rewind(arena, mark);
    return ok;
}
