// Control flow graphs, and dominators by Lengauer and Tarjan's algorithm with path compression.
#include "shader/flow.h"
#include "shader/operands.h"

uint32_t wf_shader_branch_targets(const struct wf_shader_module *module,
                                  const struct wf_shader_instruction *ins, uint32_t *first,
                                  uint32_t *step)
{
    *first = 1;
    *step = 1;
    switch (ins->opcode) {
    case SpvOpBranch:
        return 1;
    case SpvOpBranchConditional:
        *first = 2;
        return 2;
    case SpvOpSwitch:
        *first = 2;
        *step = 1 + wf_shader_literal_words(module, module->ids[ins->words[1]].type);
        return 1 + (ins->count - 3u) / *step;
    default:
        return 0;
    }
}

static bool link_blocks(struct wf_shader_flow *flow, struct wf_base_arena *arena,
                        const struct wf_shader_module *module,
                        const struct wf_shader_function *function)
{
    uint32_t first, step;
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct wf_shader_instruction end =
            wf_shader_at(module, module->blocks[function->first_block + i].terminator);
        flow->successor_at[i + 1] =
            flow->successor_at[i] + wf_shader_branch_targets(module, &end, &first, &step);
    }
    const uint32_t edges = flow->successor_at[flow->count];
    flow->successors = wf_base_arena_array(arena, (size_t)edges + 1, sizeof *flow->successors);
    flow->predecessors = wf_base_arena_array(arena, (size_t)edges + 1, sizeof *flow->predecessors);
    uint32_t *cursor = wf_base_arena_array(arena, flow->count, sizeof *cursor);
    uint32_t *seen = wf_base_arena_array(arena, flow->count, sizeof *seen);
    if (!flow->successors || !flow->predecessors || !cursor || !seen)
        return false;
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct wf_shader_instruction end =
            wf_shader_at(module, module->blocks[function->first_block + i].terminator);
        const uint32_t targets = wf_shader_branch_targets(module, &end, &first, &step);
        for (uint32_t n = 0; n < targets; n++) {
            const uint32_t target =
                module->ids[end.words[first + n * step]].index - function->first_block;
            flow->successors[flow->successor_at[i] + n] = target;
            flow->predecessor_at[target + 1] += seen[target] != i + 1;
            seen[target] = i + 1;
        }
    }
    for (uint32_t i = 0; i < flow->count; i++) {
        flow->predecessor_at[i + 1] += flow->predecessor_at[i];
        cursor[i] = flow->predecessor_at[i];
        seen[i] = 0;
    }
    for (uint32_t i = 0; i < flow->count; i++) {
        for (uint32_t e = flow->successor_at[i]; e < flow->successor_at[i + 1]; e++) {
            const uint32_t target = flow->successors[e];
            if (seen[target] != i + 1)
                flow->predecessors[cursor[target]++] = i;
            seen[target] = i + 1;
        }
    }
    return true;
}

/// Numbers the reachable blocks. `next` has room for one item per block.
static void walk_depth_first(struct wf_shader_flow *flow, uint32_t *next)
{
    for (uint32_t i = 0; i < flow->count; i++)
        flow->number[i] = WF_SHADER_NONE;
    uint32_t block = 0;
    flow->number[0] = 0;
    flow->reached = 1;
    next[0] = flow->successor_at[0];
    for (;;) {
        if (next[block] == flow->successor_at[block + 1]) {
            const uint32_t number = flow->number[block];
            flow->last[number] = flow->reached - 1;
            if (number == 0)
                return;
            block = flow->order[flow->parent[number]];
            continue;
        }
        const uint32_t target = flow->successors[next[block]++];
        if (flow->number[target] != WF_SHADER_NONE)
            continue;
        flow->parent[flow->reached] = flow->number[block];
        flow->order[flow->reached] = target;
        flow->number[target] = flow->reached++;
        next[target] = flow->successor_at[target];
        block = target;
    }
}

/// The forest of Lengauer and Tarjan, by number. Ancestor WF_SHADER_NONE: a root.
struct forest {
    uint32_t *ancestor, *label, *semi, *bucket, *bucket_next, *stack;
};

/// The vertex of least semidominator on the way to the root, compressing the way.
static uint32_t evaluate(struct forest *forest, uint32_t vertex)
{
    uint32_t depth = 0;
    if (forest->ancestor[vertex] == WF_SHADER_NONE)
        return vertex;
    uint32_t at = vertex;
    while (forest->ancestor[forest->ancestor[at]] != WF_SHADER_NONE) {
        forest->stack[depth++] = at;
        at = forest->ancestor[at];
    }
    while (depth > 0) {
        const uint32_t child = forest->stack[--depth];
        const uint32_t above = forest->ancestor[child];
        if (forest->semi[forest->label[above]] < forest->semi[forest->label[child]])
            forest->label[child] = forest->label[above];
        forest->ancestor[child] = forest->ancestor[above];
    }
    return forest->label[vertex];
}

static void find_dominators(struct wf_shader_flow *flow, struct forest *forest)
{
    for (uint32_t i = 0; i < flow->reached; i++) {
        forest->ancestor[i] = WF_SHADER_NONE;
        forest->bucket[i] = WF_SHADER_NONE;
        forest->label[i] = i;
        forest->semi[i] = i;
    }
    for (uint32_t w = flow->reached; w-- > 1;) {
        const uint32_t block = flow->order[w];
        for (uint32_t e = flow->predecessor_at[block]; e < flow->predecessor_at[block + 1]; e++) {
            const uint32_t from = flow->number[flow->predecessors[e]];
            if (from == WF_SHADER_NONE)
                continue;
            const uint32_t least = forest->semi[evaluate(forest, from)];
            if (least < forest->semi[w])
                forest->semi[w] = least;
        }
        forest->bucket_next[w] = forest->bucket[forest->semi[w]];
        forest->bucket[forest->semi[w]] = w;
        const uint32_t parent = flow->parent[w];
        forest->ancestor[w] = parent;
        for (uint32_t v = forest->bucket[parent]; v != WF_SHADER_NONE; v = forest->bucket_next[v]) {
            const uint32_t u = evaluate(forest, v);
            flow->dominator[v] = forest->semi[u] < forest->semi[v] ? u : parent;
        }
        forest->bucket[parent] = WF_SHADER_NONE;
    }
    flow->dominator[0] = 0;
    for (uint32_t w = 1; w < flow->reached; w++) {
        if (flow->dominator[w] != forest->semi[w])
            flow->dominator[w] = flow->dominator[flow->dominator[w]];
    }
}

/// Numbers the dominator tree. A dominator's number is below those that it dominates.
static void number_tree(struct wf_shader_flow *flow, uint32_t *cursor)
{
    for (uint32_t i = 0; i < flow->reached; i++)
        flow->tree_size[i] = 1;
    for (uint32_t i = flow->reached; i-- > 1;)
        flow->tree_size[flow->dominator[i]] += flow->tree_size[i];
    flow->tree_first[0] = 0;
    cursor[0] = 1;
    for (uint32_t i = 1; i < flow->reached; i++) {
        const uint32_t above = flow->dominator[i];
        flow->tree_first[i] = cursor[above];
        cursor[above] += flow->tree_size[i];
        cursor[i] = flow->tree_first[i] + 1;
    }
}

bool wf_shader_flow_build(struct wf_shader_flow *flow, struct wf_base_arena *arena,
                          const struct wf_shader_module *module,
                          const struct wf_shader_function *function)
{
    const size_t count = function->block_count;
    uint32_t *rows = wf_base_arena_array(arena, count * 16 + 2, sizeof *rows);
    if (!rows)
        return false;
    *flow = (struct wf_shader_flow){.count = function->block_count};
    uint32_t **const places[] = {&flow->order,     &flow->number,     &flow->parent,   &flow->last,
                                 &flow->dominator, &flow->tree_first, &flow->tree_size};
    const uint32_t place_count = sizeof places / sizeof places[0];
    for (uint32_t i = 0; i < place_count; i++)
        *places[i] = rows + i * count;
    uint32_t *const work = rows + place_count * count;
    struct forest forest = {
        work, work + count, work + 2 * count, work + 3 * count, work + 4 * count, work + 5 * count};
    uint32_t *const starts = work + 6 * count;
    flow->successor_at = starts;
    flow->predecessor_at = starts + count + 1;
    if (!link_blocks(flow, arena, module, function))
        return false;
    walk_depth_first(flow, forest.stack);
    find_dominators(flow, &forest);
    number_tree(flow, forest.stack);
    return true;
}

bool wf_shader_flow_dominates(const struct wf_shader_flow *flow, uint32_t a, uint32_t b)
{
    const uint32_t top = flow->number[a];
    const uint32_t at = flow->tree_first[flow->number[b]];
    return flow->tree_first[top] <= at && at < flow->tree_first[top] + flow->tree_size[top];
}
