/// The plan checker: proves from the rules of weft/sync.h alone that a plan orders every pair of
/// steps that need it. It shares no code with what makes plans, only the plain data.
#ifndef WF_FRAME_CHECK_H
#define WF_FRAME_CHECK_H

#include "frame/ir.h"

/// A finished plan. A step's barrier stands right before it.
struct wf_frame_check_plan {
    const struct wf_frame_step *steps;
    uint32_t step_count;
    const struct wf_frame_use *uses;
    const struct wf_frame_barrier *barriers;
};

/// Two uses of one resource that nothing orders, or not visibly; by their indices.
struct wf_frame_check_pair {
    uint32_t first_step, first_use;
    uint32_t second_step, second_use;
};

/// Whether each access happens before, and is visible to, the later ones that conflict with it.
/// If not, `*pair` is the first pair that is missing. `left_out`: the step whose barrier is not
/// looked at; WF_FRAME_NONE: none.
bool wf_frame_check_proves(const struct wf_frame_check_plan *plan, uint32_t left_out,
                           struct wf_frame_check_pair *pair);

/// How many barriers each could be left out, and the plan would still be proven.
uint32_t wf_frame_check_needless(const struct wf_frame_check_plan *plan);

#endif
