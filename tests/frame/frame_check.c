#include "frame/check.h"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

// The plan checker on plans made by hand, each with its error planted, and at random against a
// simulation that tries what could happen.

enum { MAX_STEPS = 10, MAX_USES = 40 };

#define TARGET   WEFT_STAGE_TARGET
#define FRAGMENT WEFT_STAGE_FRAGMENT
#define VERTEX   WEFT_STAGE_VERTEX
#define COMPUTE  WEFT_STAGE_COMPUTE
#define INDIRECT WEFT_STAGE_DRAW_INDIRECT

struct plan {
    struct wf_frame_step steps[MAX_STEPS];
    struct wf_frame_use uses[MAX_USES];
    struct wf_frame_barrier barriers[MAX_STEPS];
    uint32_t step_count, use_count, barrier_count;
};

static struct wf_frame_step *step(struct plan *p)
{
    struct wf_frame_step *s = &p->steps[p->step_count++];
    *s = (struct wf_frame_step){.first_use = p->use_count, .barrier = WF_FRAME_NONE};
    return s;
}

static void use(struct plan *p, uint64_t resource, weft_stage_set stages, bool write,
                weft_hazard_set hazards)
{
    p->uses[p->use_count++] = (struct wf_frame_use){
        .resource = resource, .stages = stages, .write = write, .hazards = hazards, .what = "use"};
    p->steps[p->step_count - 1].use_count++;
}

/// A step that only reads, or writes, one resource.
static void reads(struct plan *p, uint64_t resource, weft_stage_set stages)
{
    step(p);
    use(p, resource, stages, false, 0);
}

static void writes(struct plan *p, uint64_t resource, weft_stage_set stages)
{
    step(p);
    use(p, resource, stages, true, 0);
}

/// Before step `at`.
static void barrier(struct plan *p, uint32_t at, weft_stage_set producers, weft_stage_set consumers,
                    weft_hazard_set hazards)
{
    p->barriers[p->barrier_count] = (struct wf_frame_barrier){
        .step = at, .producers = producers, .consumers = consumers, .hazards = hazards};
    p->steps[at].barrier = p->barrier_count++;
}

static struct wf_frame_check_plan view(const struct plan *p)
{
    return (struct wf_frame_check_plan){p->steps, p->step_count, p->uses, p->barriers};
}

static bool proven(const struct plan *p)
{
    const struct wf_frame_check_plan plan = view(p);
    struct wf_frame_check_pair pair;
    return wf_frame_check_proves(&plan, WF_FRAME_NONE, &pair);
}

static uint32_t needless(const struct plan *p)
{
    const struct wf_frame_check_plan plan = view(p);
    return wf_frame_check_needless(&plan);
}

// ---- planted errors ----------------------------------------------------------------------------

TEST(frame_check, plans_without_conflicts_need_nothing)
{
    struct plan p = {0};
    EXPECT(proven(&p));
    reads(&p, 1, FRAGMENT);
    EXPECT(proven(&p));
    reads(&p, 1, COMPUTE); // of the same
    writes(&p, 2, TARGET); // another
    EXPECT(proven(&p));
    use(&p, 2, FRAGMENT, false, 0); // the same step
    EXPECT(proven(&p));
    EXPECT_EQ(needless(&p), 0);
}

TEST(frame_check, a_missing_barrier_is_named_by_its_pair)
{
    struct plan p = {0};
    writes(&p, 1, TARGET);
    reads(&p, 2, FRAGMENT);
    step(&p);
    use(&p, 2, FRAGMENT, false, 0);
    use(&p, 1, FRAGMENT, false, 0);
    const struct wf_frame_check_plan plan = view(&p);
    struct wf_frame_check_pair pair;
    EXPECT(!wf_frame_check_proves(&plan, WF_FRAME_NONE, &pair));
    EXPECT_EQ(pair.first_step, 0);
    EXPECT_EQ(pair.first_use, 0);
    EXPECT_EQ(pair.second_step, 2);
    EXPECT_EQ(pair.second_use, 3);
}

/// Step 0 does `a` to a resource, step 1 nothing, step 2 `b`.
static struct plan pair_of(struct wf_frame_use a, struct wf_frame_use b)
{
    struct plan p = {0};
    step(&p);
    use(&p, 1, a.stages, a.write, a.hazards);
    step(&p);
    step(&p);
    use(&p, 1, b.stages, b.write, b.hazards);
    return p;
}

/// Whether one barrier before step `at` is enough.
static bool suffices(const struct plan *bare, uint32_t at, weft_stage_set producers,
                     weft_stage_set consumers, weft_hazard_set hazards)
{
    struct plan p = *bare;
    barrier(&p, at, producers, consumers, hazards);
    return proven(&p);
}

TEST(frame_check, each_side_of_a_barrier_must_hold_every_stage)
{
    static const bool kinds[3][2] = {{true, false}, {false, true}, {true, true}};
    for (uint32_t i = 0; i < 3; i++) {
        const struct plan p =
            pair_of((struct wf_frame_use){.stages = VERTEX | FRAGMENT, .write = kinds[i][0]},
                    (struct wf_frame_use){.stages = COMPUTE | TARGET, .write = kinds[i][1]});
        EXPECT(!proven(&p));
        EXPECT(suffices(&p, 2, VERTEX | FRAGMENT, COMPUTE | TARGET, 0));
        EXPECT(suffices(&p, 1, VERTEX | FRAGMENT, COMPUTE | TARGET, 0));
        EXPECT(suffices(&p, 2, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0));
        EXPECT(!suffices(&p, 2, FRAGMENT, COMPUTE | TARGET, 0));
        EXPECT(!suffices(&p, 2, VERTEX, COMPUTE | TARGET, 0));
        EXPECT(!suffices(&p, 2, VERTEX | FRAGMENT, COMPUTE, 0));
        EXPECT(!suffices(&p, 2, VERTEX | FRAGMENT, TARGET, 0));
        EXPECT(!suffices(&p, 2, COMPUTE | TARGET, VERTEX | FRAGMENT, 0)); // turned round
        EXPECT(!suffices(&p, 2, 0, WEFT_STAGE_ALL, 0));
    }
}

TEST(frame_check, a_barrier_must_stand_between_its_steps)
{
    struct plan p = {0};
    step(&p);
    writes(&p, 1, TARGET);
    reads(&p, 1, FRAGMENT);
    step(&p);
    EXPECT(!suffices(&p, 0, TARGET, FRAGMENT, 0));
    EXPECT(!suffices(&p, 1, TARGET, FRAGMENT, 0));
    EXPECT(suffices(&p, 2, TARGET, FRAGMENT, 0));
    EXPECT(!suffices(&p, 3, TARGET, FRAGMENT, 0));
}

TEST(frame_check, caches_are_guarded)
{
    const weft_hazard_set arguments = WEFT_HAZARD_DRAW_ARGUMENTS, depth = WEFT_HAZARD_DEPTH_STENCIL;
    const struct plan draw =
        pair_of((struct wf_frame_use){.stages = COMPUTE, .write = true},
                (struct wf_frame_use){.stages = INDIRECT, .hazards = arguments});
    EXPECT(!suffices(&draw, 2, COMPUTE, INDIRECT, 0));
    EXPECT(!suffices(&draw, 2, COMPUTE, INDIRECT, depth));
    EXPECT(suffices(&draw, 2, COMPUTE, INDIRECT, arguments));
    EXPECT(suffices(&draw, 2, COMPUTE, WEFT_STAGE_ALL, 0)); // covers them
    const struct plan sampled =
        pair_of((struct wf_frame_use){.stages = TARGET, .write = true, .hazards = depth},
                (struct wf_frame_use){.stages = FRAGMENT});
    EXPECT(!suffices(&sampled, 2, TARGET, FRAGMENT, arguments));
    EXPECT(suffices(&sampled, 2, TARGET, FRAGMENT, depth));
    const struct plan again =
        pair_of((struct wf_frame_use){.stages = TARGET, .write = true, .hazards = depth},
                (struct wf_frame_use){.stages = TARGET, .write = true, .hazards = depth});
    EXPECT(suffices(&again, 2, TARGET, TARGET, 0)); // nothing reads it as a texture
    const struct plan overwritten =
        pair_of((struct wf_frame_use){.stages = INDIRECT, .hazards = arguments},
                (struct wf_frame_use){.stages = COMPUTE, .write = true});
    EXPECT(suffices(&overwritten, 2, INDIRECT, COMPUTE, 0)); // nothing to be made visible
}

TEST(frame_check, barriers_chain)
{
    struct plan p = {0};
    writes(&p, 1, TARGET);
    step(&p);
    step(&p);
    reads(&p, 1, COMPUTE);
    struct plan chain = p;
    barrier(&chain, 1, TARGET, FRAGMENT, 0);
    barrier(&chain, 3, FRAGMENT, COMPUTE, 0);
    EXPECT(proven(&chain));
    EXPECT_EQ(needless(&chain), 0);
    chain.barriers[1].producers = VERTEX; // broken
    EXPECT(!proven(&chain));
    chain = p;
    barrier(&chain, 3, TARGET, FRAGMENT, 0);
    barrier(&chain, 1, FRAGMENT, COMPUTE, 0); // in the wrong order
    EXPECT(!proven(&chain));
    // a guard anywhere in the chain will do, once the write is behind it
    p.uses[1].hazards = WEFT_HAZARD_DRAW_ARGUMENTS;
    for (uint32_t guard = 0; guard < 4; guard++) {
        chain = p;
        barrier(&chain, 1, TARGET, FRAGMENT, guard & 1 ? WEFT_HAZARD_DRAW_ARGUMENTS : 0);
        barrier(&chain, 2, VERTEX, COMPUTE, WEFT_HAZARD_DRAW_ARGUMENTS); // not of the chain
        barrier(&chain, 3, FRAGMENT, COMPUTE, guard & 2 ? WEFT_HAZARD_DRAW_ARGUMENTS : 0);
        EXPECT_EQ(proven(&chain), guard != 0);
    }
}

TEST(frame_check, barrier_after_goes_from_compute_to_all)
{
    struct plan p = {0};
    writes(&p, 1, COMPUTE);
    step(&p);
    use(&p, 1, INDIRECT, false, WEFT_HAZARD_DRAW_ARGUMENTS);
    EXPECT(!proven(&p));
    p.steps[0].barrier_after = true;
    EXPECT(proven(&p));
    p.uses[0].stages = FRAGMENT;
    EXPECT(!proven(&p));
    p.uses[0].stages = COMPUTE;
    p.steps[0].barrier_after = false;
    p.steps[1].barrier_after = true; // too late
    EXPECT(!proven(&p));
}

TEST(frame_check, needless_barriers_are_counted)
{
    struct plan p = {0};
    writes(&p, 1, TARGET);
    reads(&p, 1, FRAGMENT);
    reads(&p, 1, FRAGMENT);
    writes(&p, 2, TARGET);
    barrier(&p, 1, TARGET, FRAGMENT, 0);
    EXPECT_EQ(needless(&p), 0);
    barrier(&p, 2, TARGET, FRAGMENT, 0); // either would do for step 2, the first for step 1 too
    EXPECT_EQ(needless(&p), 1);
    barrier(&p, 3, FRAGMENT, TARGET, 0); // nothing is written again
    EXPECT_EQ(needless(&p), 2);
    barrier(&p, 0, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0); // nothing before it
    EXPECT_EQ(needless(&p), 3);
    p.steps[3].barrier = WF_FRAME_NONE;
    p.steps[0].barrier = WF_FRAME_NONE;
    p.steps[1].barrier = WF_FRAME_NONE; // now step 1 lacks it
    EXPECT(!proven(&p));
}
