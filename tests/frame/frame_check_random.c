#include "frame/check.h"
#include "frame/context.h"

#include "support/fixture.h"
#include "support/test.h"

// Plans of the library's own planner over random steps, whole and with one barrier spoiled. The
// checker must agree with an oracle that walks the graph of what a device may do.

enum { MAX_STEPS = 24, STAGES = 10 };

static uint32_t state;

static uint32_t below(uint32_t bound)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * bound) >> 32);
}

/// What frames do to resources. The first is of colors, the second of depth.
static const struct wf_frame_use kinds[] = {
    {.stages = WEFT_STAGE_TARGET, .write = true},
    {.stages = WEFT_STAGE_TARGET, .write = true, .hazards = WEFT_HAZARD_DEPTH_STENCIL},
    {.stages = WEFT_STAGE_FRAGMENT},
    {.stages = WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT},
    {.stages = WEFT_STAGE_VERTEX_INPUT},
    {.stages = WEFT_STAGE_FRAGMENT, .write = true},
    {.stages = WEFT_STAGE_COMPUTE},
    {.stages = WEFT_STAGE_COMPUTE, .write = true},
    {.stages = WEFT_STAGE_DRAW_INDIRECT, .hazards = WEFT_HAZARD_DRAW_ARGUMENTS},
};

static void add_use(struct weft_frame *frame, struct wf_frame_step *step, uint64_t resource,
                    uint32_t kind)
{
    struct wf_frame_use *u = wf_frame_append(frame, &frame->uses, 1);
    EXPECT(u);
    *u = kinds[kind <= 1 ? resource % 2 : kind];
    u->resource = resource;
    u->what = u->write ? "write" : "read";
    step->use_count++;
}

static struct wf_frame_step *add_step(struct weft_frame *frame)
{
    struct wf_frame_step *step = wf_frame_append(frame, &frame->steps, 1);
    EXPECT(step);
    *step = (struct wf_frame_step){.pass = (uint32_t)frame->steps.count - 1,
                                   .first_use = (uint32_t)frame->uses.count,
                                   .barrier = WF_FRAME_NONE};
    return step;
}

static void random_steps(struct weft_frame *frame)
{
    const uint32_t resources = 1 + below(5), count = 2 + below(MAX_STEPS - 1);
    frame->steps.count = frame->uses.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct wf_frame_step *step = add_step(frame);
        if (i > 0 && below(2))
            step->pass = (step - 1)->pass;
        step->barrier_after = below(12) == 0;
        for (uint32_t u = below(4); u > 0; u--)
            add_use(frame, step, below(resources), below(sizeof kinds / sizeof kinds[0]));
    }
}

static struct wf_frame_check_plan plan_of(const struct weft_frame *frame)
{
    return (struct wf_frame_check_plan){frame->steps.items, (uint32_t)frame->steps.count,
                                        frame->uses.items, frame->barriers.items};
}

static bool proven(const struct weft_frame *frame)
{
    const struct wf_frame_check_plan plan = plan_of(frame);
    struct wf_frame_check_pair pair;
    return wf_frame_check_proves(&plan, WF_FRAME_NONE, &pair);
}

// ---- the oracle --------------------------------------------------------------------------------

/// Barriers in the order in which they are recorded: a graph whose edges lead from one to those
/// that wait for what waits for it.
struct graph {
    struct wf_frame_barrier nodes[2 * MAX_STEPS];
    uint32_t count;
};

static void build(struct graph *g, const struct weft_frame *frame)
{
    g->count = 0;
    for (uint32_t i = 0; i < frame->steps.count; i++) {
        const struct wf_frame_step *step = wf_frame_at(&frame->steps, i);
        if (step->barrier != WF_FRAME_NONE) {
            g->nodes[g->count] =
                *(const struct wf_frame_barrier *)wf_frame_at(&frame->barriers, step->barrier);
            g->nodes[g->count++].step = i;
        }
        if (step->barrier_after)
            g->nodes[g->count++] = (struct wf_frame_barrier){
                .step = i + 1, .producers = WEFT_STAGE_COMPUTE, .consumers = WEFT_STAGE_ALL};
    }
}

static bool covers(const struct wf_frame_barrier *b, weft_hazard_set hazard)
{
    return b->consumers == WEFT_STAGE_ALL || b->hazards & hazard;
}

/// Whether a path leads from `from` to a barrier before step `to` that `stage` waits for, through
/// one that covers `hazard` (0: none need to).
static bool leads(const struct graph *g, uint32_t from, uint32_t to, weft_stage_set stage,
                  weft_hazard_set hazard)
{
    const struct wf_frame_barrier *b = &g->nodes[from];
    if (b->step > to)
        return false;
    if (hazard && covers(b, hazard))
        hazard = 0;
    if (!hazard && b->consumers & stage)
        return true;
    for (uint32_t i = from + 1; i < g->count; i++) {
        if (g->nodes[i].producers & b->consumers && leads(g, i, to, stage, hazard))
            return true;
    }
    return false;
}

static bool ordered(const struct graph *g, uint32_t from, weft_stage_set before, uint32_t to,
                    weft_stage_set after, weft_hazard_set hazard)
{
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->nodes[i].step > from && g->nodes[i].producers & before &&
            leads(g, i, to, after, hazard))
            return true;
    }
    return false;
}

static bool may_race(const struct graph *g, uint32_t from, const struct wf_frame_use *a,
                     uint32_t to, const struct wf_frame_use *b)
{
    for (uint32_t s = 0; s < STAGES * STAGES; s++) {
        const weft_stage_set before = 1u << s / STAGES, after = 1u << s % STAGES;
        if (!(a->stages & before) || !(b->stages & after))
            continue;
        if (!ordered(g, from, before, to, after, 0))
            return true;
        if (a->write && !b->write && b->hazards && !ordered(g, from, before, to, after, b->hazards))
            return true;
        if (a->write && a->hazards && b->stages != WEFT_STAGE_TARGET &&
            !ordered(g, from, before, to, after, a->hazards))
            return true;
    }
    return false;
}

static bool races(const struct weft_frame *frame)
{
    static struct graph g;
    build(&g, frame);
    for (uint32_t j = 1; j < frame->steps.count; j++) {
        const struct wf_frame_step *to = wf_frame_at(&frame->steps, j);
        for (uint32_t u = 0; u < to->first_use; u++) {
            uint32_t i = 0;
            while (u >= ((struct wf_frame_step *)wf_frame_at(&frame->steps, i))->first_use +
                            ((struct wf_frame_step *)wf_frame_at(&frame->steps, i))->use_count)
                i++;
            const struct wf_frame_use *a = wf_frame_at(&frame->uses, u);
            for (uint32_t v = to->first_use; v < to->first_use + to->use_count; v++) {
                const struct wf_frame_use *b = wf_frame_at(&frame->uses, v);
                if (a->resource == b->resource && (a->write || b->write) &&
                    may_race(&g, i, a, j, b))
                    return true;
            }
        }
    }
    return false;
}

// ---- tests -------------------------------------------------------------------------------------

struct seen {
    uint32_t kept, refuted;
};

/// The checker says of the plan as it stands what the oracle says.
static void agree(const struct weft_frame *frame, struct seen *seen)
{
    const bool wrong = races(frame);
    EXPECT_EQ(proven(frame), !wrong);
    if (wrong)
        seen->refuted++;
    else
        seen->kept++;
}

/// Leaves out one barrier, each of its stages and hazards, and moves it by one step either way.
static void spoil(struct weft_frame *frame, uint32_t index, struct seen *seen)
{
    struct wf_frame_barrier *b = wf_frame_at(&frame->barriers, index);
    struct wf_frame_step *step = wf_frame_at(&frame->steps, b->step);
    const struct wf_frame_barrier whole = *b;
    step->barrier = WF_FRAME_NONE;
    agree(frame, seen);
    for (uint32_t by = 0; by < 2; by++) {
        struct wf_frame_step *other = by ? step + 1 : step - 1;
        if ((by && whole.step + 1 == frame->steps.count) || other->barrier != WF_FRAME_NONE)
            continue;
        other->barrier = index;
        agree(frame, seen);
        other->barrier = WF_FRAME_NONE;
    }
    step->barrier = index;
    for (uint32_t s = 0; s < 2 * STAGES + 3; s++) {
        if (s < STAGES)
            b->producers &= ~(1u << s);
        else if (s < 2 * STAGES)
            b->consumers &= ~(1u << (s - STAGES));
        else
            b->hazards &= ~(1u << (s - 2 * STAGES));
        if (b->producers != whole.producers || b->consumers != whole.consumers ||
            b->hazards != whole.hazards)
            agree(frame, seen);
        *b = whole;
    }
}

static weft_frame *begin(struct fixture *f)
{
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(f->dev, &(weft_frame_desc){.flags = WEFT_FRAME_CHECK}, &frame),
              WEFT_OK);
    return frame;
}

TEST(frame_check, agrees_with_the_oracle_on_plans_that_are_whole_and_spoiled)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = begin(&f);
    struct seen spoiled = {0};
    state = 7;
    for (uint32_t round = 0; round < 500; round++) {
        random_steps(frame);
        EXPECT(wf_frame_plan_barriers(frame));
        EXPECT(proven(frame));
        EXPECT(!races(frame));
        const struct wf_frame_check_plan plan = plan_of(frame);
        EXPECT_EQ(wf_frame_check_needless(&plan), 0);
        for (uint32_t i = 0; i < frame->barriers.count; i++)
            spoil(frame, i, &spoiled);
    }
    EXPECT(spoiled.refuted > 4000);
    weft_frame_cancel(frame);
    fixture_close(&f);
}

TEST(frame_check, a_refuted_plan_fails_its_frame)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = begin(&f);
    add_use(frame, add_step(frame), 1, 0);
    add_use(frame, add_step(frame), 1, 2);
    EXPECT(wf_frame_plan_barriers(frame));
    EXPECT(wf_frame_check(frame));
    ((struct wf_frame_step *)wf_frame_at(&frame->steps, 1))->barrier = WF_FRAME_NONE;
    EXPECT(!wf_frame_check(frame));
    EXPECT_EQ(fixture_last_rule(&f), WEFT_RULE_FRAME_PLAN_REFUTED);
    EXPECT_EQ(frame->failed, WEFT_ERROR_BACKEND);
    weft_frame_cancel(frame);
    frame = begin(&f);
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    fixture_close(&f);
}

/// Many passes that each write a target of their own and read those of two earlier ones.
static uint64_t work_of(weft_frame *frame, uint32_t count, bool one_pass)
{
    frame->steps.count = frame->uses.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct wf_frame_step *step = add_step(frame);
        step->pass = one_pass ? 0 : i;
        add_use(frame, step, 2 * (uint64_t)i, 0);
        for (uint32_t k = 0; k < 2; k++)
            add_use(frame, step, i ? 2 * (uint64_t)below(i) : 1, 2);
    }
    EXPECT(wf_frame_plan_barriers(frame));
    EXPECT(frame->barriers.count > 4);
    return frame->barrier_work;
}

TEST(frame_check, planning_barriers_is_linear_in_steps_and_resources)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = begin(&f);
    state = 3;
    for (uint32_t count = 1000; count <= 100000; count *= 10) {
        EXPECT(work_of(frame, count, false) <= 7 * (uint64_t)count); // 3 uses twice, a barrier
        EXPECT(work_of(frame, count, true) <= 13 * (uint64_t)count); // and once ahead
    }
    weft_frame_cancel(frame);
    fixture_close(&f);
}
