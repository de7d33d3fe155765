/// Private to the reader: the control flow graph of one function and its dominator tree. Blocks are
/// numbered from 0 in the function, the entry first.
#ifndef WF_SHADER_FLOW_H
#define WF_SHADER_FLOW_H

#include "base/arena.h"
#include "shader/module.h"

struct wf_shader_flow {
    uint32_t count;         ///< Blocks.
    uint32_t reached;       ///< Of which reachable.
    uint32_t *successor_at; ///< count + 1: where each block's successors start.
    uint32_t *successors;   ///< Repeated as in the terminator.
    uint32_t *predecessor_at;
    uint32_t *predecessors; ///< From all blocks, unreachable ones too; each once.
    uint32_t *order;        ///< Reachable blocks in depth-first preorder.
    uint32_t *number;       ///< By block: its place in `order`; WF_SHADER_NONE: unreachable.
    uint32_t *parent;       ///< By number: its parent's number in the depth-first tree.
    uint32_t *last;         ///< By number: the last number in its depth-first subtree.
    uint32_t *dominator;    ///< By number: its immediate dominator's number; 0 for the entry.
    uint32_t *tree_first;   ///< By number: its place in the dominator tree's preorder ...
    uint32_t *tree_size;    ///< ... and how many blocks it dominates.
};

/// Builds everything in the arena; time is linear but for a logarithm. False: out of memory.
bool wf_shader_flow_build(struct wf_shader_flow *flow, struct wf_base_arena *arena,
                          const struct wf_shader_module *module,
                          const struct wf_shader_function *function);

/// Whether reachable block a dominates reachable block b.
bool wf_shader_flow_dominates(const struct wf_shader_flow *flow, uint32_t a, uint32_t b);

/// Labels that a terminator may branch to: word offsets in it of the first, and the step from one
/// to the next. Returns how many.
uint32_t wf_shader_branch_targets(const struct wf_shader_module *module,
                                  const struct wf_shader_instruction *ins, uint32_t *first,
                                  uint32_t *step);

#endif
