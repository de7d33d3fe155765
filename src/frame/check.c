#include "frame/check.h"

#include "frame/context.h"

// Each access is followed through the plan: what a barrier puts after one of the stages that it is
// done in, or after a stage that already comes after that one, comes after it. Nothing is
// remembered from one access to the next: slow, and easy to believe.

enum { STAGES = 10, HAZARDS = 3 };

_Static_assert(WEFT_STAGE_ALL == (1u << STAGES) - 1u, "every stage");

/// What comes after the access, by the stage that does it.
struct followed {
    weft_stage_set after[STAGES];
    weft_stage_set guarded[HAZARDS][STAGES]; ///< Likewise, through a barrier that covers a hazard.
};

/// Steps between which pairs are looked for.
struct range {
    uint32_t first, split, last; ///< First accesses before `split`, second ones from there on.
};

static weft_stage_set comes_after(weft_stage_set after, uint32_t stage,
                                  const struct wf_frame_barrier *b)
{
    return b->producers & (after | 1u << stage) ? b->consumers : 0;
}

static void follow(struct followed *f, const struct wf_frame_barrier *b)
{
    const weft_hazard_set covered =
        b->consumers == WEFT_STAGE_ALL ? (1u << HAZARDS) - 1u : b->hazards;
    for (uint32_t s = 0; s < STAGES; s++) {
        const weft_stage_set more = comes_after(f->after[s], s, b);
        for (uint32_t h = 0; h < HAZARDS; h++) {
            weft_stage_set *guarded = &f->guarded[h][s];
            if (covered & 1u << h)
                *guarded |= more;
            else if (b->producers & *guarded)
                *guarded |= b->consumers;
        }
        f->after[s] |= more;
    }
}

/// Caches that must have been flushed between two accesses.
static weft_hazard_set hazards_between(const struct wf_frame_use *a, const struct wf_frame_use *b)
{
    if (!a->write)
        return 0;
    const weft_hazard_set of_write =
        b->stages & ~(weft_stage_set)WEFT_STAGE_TARGET ? a->hazards : 0;
    return of_write | (b->write ? 0 : b->hazards);
}

static bool conflict(const struct wf_frame_use *a, const struct wf_frame_use *b)
{
    return a->resource == b->resource && (a->write || b->write);
}

/// Whether all that `b` does comes after all that `a` does.
static bool is_after(const struct followed *f, const struct wf_frame_use *a,
                     const struct wf_frame_use *b)
{
    const weft_hazard_set hazards = hazards_between(a, b);
    for (uint32_t s = 0; s < STAGES; s++) {
        if (!(a->stages & 1u << s))
            continue;
        if (b->stages & ~f->after[s])
            return false;
        for (uint32_t h = 0; h < HAZARDS; h++) {
            if (hazards & 1u << h && b->stages & ~f->guarded[h][s])
                return false;
        }
    }
    return true;
}

/// The first use of the step that must come after `a` and does not; WF_FRAME_NONE: all do.
static uint32_t missed(const struct wf_frame_check_plan *plan, const struct followed *f,
                       const struct wf_frame_use *a, const struct wf_frame_step *step)
{
    for (uint32_t i = step->first_use; i < step->first_use + step->use_count; i++) {
        if (conflict(a, &plan->uses[i]) && !is_after(f, a, &plan->uses[i]))
            return i;
    }
    return WF_FRAME_NONE;
}

/// Follows one access of a step. False: `*pair` has the access that does not come after it.
static bool follow_access(const struct wf_frame_check_plan *plan, const struct range *range,
                          uint32_t left_out, struct wf_frame_check_pair *pair)
{
    static const struct wf_frame_barrier conservative = {.producers = WEFT_STAGE_COMPUTE,
                                                         .consumers = WEFT_STAGE_ALL};
    const struct wf_frame_use *a = &plan->uses[pair->first_use];
    struct followed f = {0};
    for (uint32_t i = pair->first_step + 1; i <= range->last; i++) {
        const struct wf_frame_step *step = &plan->steps[i];
        if (plan->steps[i - 1].barrier_after)
            follow(&f, &conservative);
        if (step->barrier != WF_FRAME_NONE && i != left_out)
            follow(&f, &plan->barriers[step->barrier]);
        if (i < range->split)
            continue;
        pair->second_step = i;
        pair->second_use = missed(plan, &f, a, step);
        if (pair->second_use != WF_FRAME_NONE)
            return false;
    }
    return true;
}

static bool proves(const struct wf_frame_check_plan *plan, const struct range *range,
                   uint32_t left_out, struct wf_frame_check_pair *pair)
{
    for (uint32_t i = range->first; i < range->split && i < range->last; i++) {
        const struct wf_frame_step *step = &plan->steps[i];
        pair->first_step = i;
        for (uint32_t u = step->first_use; u < step->first_use + step->use_count; u++) {
            pair->first_use = u;
            if (!follow_access(plan, range, left_out, pair))
                return false;
        }
    }
    return true;
}

bool wf_frame_check_proves(const struct wf_frame_check_plan *plan, uint32_t left_out,
                           struct wf_frame_check_pair *pair)
{
    for (uint32_t i = 0; i + 1 < plan->step_count; i++) {
        if (!proves(plan, &(struct range){i, i + 1, plan->step_count - 1}, left_out, pair))
            return false;
    }
    return true;
}

/// Only pairs that the barrier stands between can need it. The step behind it is asked first: it
/// is what most barriers are for.
static bool is_needless(const struct wf_frame_check_plan *plan, uint32_t step)
{
    struct wf_frame_check_pair pair;
    return proves(plan, &(struct range){0, step, step}, step, &pair) &&
           proves(plan, &(struct range){0, step, plan->step_count - 1}, step, &pair);
}

uint32_t wf_frame_check_needless(const struct wf_frame_check_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->step_count; i++)
        count += plan->steps[i].barrier != WF_FRAME_NONE && is_needless(plan, i);
    return count;
}

static const char *step_kind(const struct wf_frame_step *step)
{
    return step->kind == WF_FRAME_STEP_RENDER ? "the pass" : "a dispatch of pass";
}

bool wf_frame_check(struct weft_frame *frame)
{
    const struct wf_frame_check_plan plan = {
        .steps = frame->steps.items,
        .step_count = (uint32_t)frame->steps.count,
        .uses = frame->uses.items,
        .barriers = frame->barriers.items,
    };
    struct wf_frame_check_pair pair;
    if (wf_frame_check_proves(&plan, WF_FRAME_NONE, &pair)) {
        frame->report.needless_barriers = wf_frame_check_needless(&plan);
        return true;
    }
    const struct wf_frame_step *first = &plan.steps[pair.first_step];
    const struct wf_frame_step *second = &plan.steps[pair.second_step];
    const struct wf_frame_use *a = &plan.uses[pair.first_use], *b = &plan.uses[pair.second_use];
    wf_frame_fail(frame, WEFT_ERROR_BACKEND); // the library's own fault, not its host's
    return wf_frame_broken(
        frame, WEFT_RULE_FRAME_PLAN_REFUTED, UINT64_MAX, WF_FRAME_NONE,
        "Step %u (%s %u, %s) and step %u (%s %u, %s) use resource %llx: nothing orders them.",
        pair.first_step, step_kind(first), first->pass, a->what, pair.second_step,
        step_kind(second), second->pass, b->what, (unsigned long long)a->resource);
}
