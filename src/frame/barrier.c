#include "frame/context.h"

_Static_assert(WEFT_STAGE_ALL == (1u << WF_FRAME_STAGES) - 1u, "every stage");

/// What the barriers so far have ordered, for all resources at once. An entry for two stages counts
/// the steps whose work in the first one comes before all work in the second one from here on:
/// since whatever comes after a step comes after those before it, one number is enough.
struct reach {
    uint32_t after[WF_FRAME_STAGES][WF_FRAME_STAGES];
    /// Likewise through a barrier that covers a hazard.
    uint32_t guarded[WF_FRAME_HAZARDS][WF_FRAME_STAGES][WF_FRAME_STAGES];
};

/// No pass's index, and not WF_FRAME_NONE.
#define NO_PASS (WF_FRAME_NONE - 1)

struct planner {
    struct weft_frame *frame;
    uint32_t index;                 ///< The current step.
    uint32_t ahead_pass;            ///< The last one that was looked through ahead.
    struct wf_frame_barrier needed; ///< Before it; no producers: none yet.
    struct reach reach;
};

/// NULL when out of memory.
static struct wf_frame_history *history_of(struct weft_frame *frame, uint64_t resource)
{
    const uint64_t *index = wf_base_map_find(&frame->seen, resource);
    if (index)
        return wf_frame_at(&frame->histories, *index);
    struct wf_frame_history *h = wf_frame_append(frame, &frame->histories, 1);
    if (!h || !wf_base_map_set(&frame->seen, resource, frame->histories.count - 1)) {
        wf_frame_out_of_memory(frame);
        return NULL;
    }
    h->write_step = h->read_step = h->ahead_pass = WF_FRAME_NONE;
    h->read_use = h->target = WF_FRAME_NONE;
    return h;
}

static bool has(uint32_t bits, uint32_t bit)
{
    return bits >> bit & 1;
}

static bool covers(const struct wf_frame_barrier *b, uint32_t hazard)
{
    return b->consumers == WEFT_STAGE_ALL || has(b->hazards, hazard);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/// How many steps' work in stage `s` comes before what waits for `b`, which stands after `steps`
/// steps: all, if `b` waits for that stage; else those that come before a stage that it waits for.
static uint32_t through(const uint32_t after[WF_FRAME_STAGES], uint32_t s,
                        const struct wf_frame_barrier *b, uint32_t steps)
{
    if (has(b->producers, s))
        return steps;
    uint32_t most = 0;
    for (uint32_t p = 0; p < WF_FRAME_STAGES; p++) {
        if (has(b->producers, p))
            most = larger(most, after[p]);
    }
    return most;
}

/// Likewise, with a hazard covered on the way.
static uint32_t guarded_through(const struct reach *r, uint32_t hazard, uint32_t s,
                                const struct wf_frame_barrier *b, uint32_t steps)
{
    if (covers(b, hazard))
        return through(r->after[s], s, b, steps);
    uint32_t most = 0;
    for (uint32_t p = 0; p < WF_FRAME_STAGES; p++) {
        if (has(b->producers, p))
            most = larger(most, r->guarded[hazard][s][p]);
    }
    return most;
}

static void raise(uint32_t counts[WF_FRAME_STAGES], weft_stage_set stages, uint32_t to)
{
    for (uint32_t t = 0; t < WF_FRAME_STAGES; t++) {
        if (has(stages, t))
            counts[t] = larger(counts[t], to);
    }
}

/// A barrier orders everything of its stages, not one resource.
static void apply(struct planner *p, const struct wf_frame_barrier *b, uint32_t steps)
{
    struct reach *r = &p->reach;
    for (uint32_t s = 0; s < WF_FRAME_STAGES; s++) {
        for (uint32_t h = 0; h < WF_FRAME_HAZARDS; h++)
            raise(r->guarded[h][s], b->consumers, guarded_through(r, h, s, b, steps));
        raise(r->after[s], b->consumers, through(r->after[s], s, b, steps));
    }
    p->frame->barrier_work++;
}

/// Whether work of the current step in stage `t` comes after that of `step` in stage `s`, with the
/// hazards covered, when the barrier that is needed so far is made.
static bool is_after(const struct planner *p, uint32_t step, uint32_t s, uint32_t t,
                     weft_hazard_set hazards)
{
    const struct reach *r = &p->reach;
    const struct wf_frame_barrier *b = &p->needed;
    const bool waits = has(b->consumers, t);
    if (r->after[s][t] <= step && !(waits && through(r->after[s], s, b, p->index) > step))
        return false;
    for (uint32_t h = 0; h < WF_FRAME_HAZARDS; h++) {
        if (has(hazards, h) && r->guarded[h][s][t] <= step &&
            !(waits && guarded_through(r, h, s, b, p->index) > step))
            return false;
    }
    return true;
}

/// Notes that use `to` waits for use `from`.
static void explain(struct planner *p, uint32_t from, uint32_t to)
{
    struct wf_frame_cause *cause = wf_frame_append(p->frame, &p->frame->causes, 1);
    if (!cause)
        return;
    *cause = (struct wf_frame_cause){from, to};
    p->needed.cause_count++;
}

/// Puts what `u` does after the work of `step` in stage `s`. False if it was already.
static bool order(struct planner *p, uint32_t step, uint32_t s, weft_hazard_set hazards,
                  const struct wf_frame_use *u)
{
    weft_stage_set missing = 0;
    for (uint32_t t = 0; t < WF_FRAME_STAGES; t++) {
        if (has(u->stages, t) && !is_after(p, step, s, t, hazards))
            missing |= 1u << t;
    }
    if (!missing)
        return false;
    struct wf_frame_barrier *b = &p->needed;
    b->producers |= 1u << s;
    b->consumers |= missing;
    b->hazards |= hazards;
    return true;
}

/// Use number `to` waits for all reads since the last write.
static void order_after_reads(struct planner *p, const struct wf_frame_history *h, uint32_t to)
{
    const struct wf_frame_use *u = wf_frame_at(&p->frame->uses, to);
    bool waits = false;
    for (uint32_t s = 0; s < WF_FRAME_STAGES; s++) {
        if (has(h->read_stages, s))
            waits |= order(p, h->reads[s], s, 0, u);
    }
    for (uint32_t r = waits ? h->read_use : WF_FRAME_NONE; r != WF_FRAME_NONE;
         r = ((const struct wf_frame_use *)wf_frame_at(&p->frame->uses, r))->previous)
        explain(p, r, to);
}

/// Use number `to` waits for the last write.
static void order_after_write(struct planner *p, const struct wf_frame_history *h, uint32_t to)
{
    const struct wf_frame_use *u = wf_frame_at(&p->frame->uses, to);
    weft_hazard_set hazards = u->write ? 0 : u->hazards;
    if (u->stages & ~(weft_stage_set)WEFT_STAGE_TARGET)
        hazards |= h->hazards;
    bool waits = false;
    for (uint32_t s = 0; s < WF_FRAME_STAGES; s++) {
        if (has(h->write_stages, s))
            waits |= order(p, h->write_step, s, hazards, u);
    }
    if (waits)
        explain(p, h->write_use, to);
}

/// Reads come first: what waits for them often waits through them for the write that they read.
/// `pass`: what it writes itself, up to here, is left out.
static bool find_needed(struct planner *p, const struct wf_frame_step *step, uint32_t pass)
{
    for (uint32_t i = 0; i < 2 * step->use_count; i++) {
        const bool after_writes = i >= step->use_count;
        const uint32_t use = step->first_use + (after_writes ? i - step->use_count : i);
        const struct wf_frame_use *u = wf_frame_at(&p->frame->uses, use);
        const struct wf_frame_history *h = history_of(p->frame, u->resource);
        if (!h)
            return false;
        p->frame->barrier_work++;
        if (h->ahead_pass == pass)
            continue;
        if (!after_writes && u->write)
            order_after_reads(p, h, use);
        else if (after_writes && h->write_step != WF_FRAME_NONE)
            order_after_write(p, h, use);
    }
    return true;
}

static void write_ahead(struct weft_frame *frame, const struct wf_frame_step *step)
{
    for (uint32_t i = 0; i < step->use_count; i++) {
        const struct wf_frame_use *u = wf_frame_at(&frame->uses, step->first_use + i);
        struct wf_frame_history *h = u->write ? history_of(frame, u->resource) : NULL;
        if (h)
            h->ahead_pass = step->pass;
    }
}

/// The first barrier among the dispatches of a pass serves all of them: it also puts those to come
/// after what is known by now. Once for each pass.
static bool look_ahead(struct planner *p)
{
    const struct wf_frame_step *step = wf_frame_at(&p->frame->steps, p->index);
    if (!p->needed.producers || step->pass == p->ahead_pass)
        return true;
    p->ahead_pass = step->pass;
    for (uint32_t i = p->index + 1; i < p->frame->steps.count; i++) {
        const struct wf_frame_step *next = wf_frame_at(&p->frame->steps, i);
        if (next->pass != step->pass)
            break;
        write_ahead(p->frame, next - 1);
        if (!find_needed(p, next, step->pass))
            return false;
    }
    return p->frame->failed == WEFT_OK;
}

static bool make_needed(struct planner *p, struct wf_frame_step *step)
{
    if (!p->needed.producers)
        return true;
    struct wf_frame_barrier *barrier = wf_frame_append(p->frame, &p->frame->barriers, 1);
    if (!barrier)
        return false;
    *barrier = p->needed;
    step->barrier = (uint32_t)p->frame->barriers.count - 1;
    apply(p, barrier, p->index);
    return true;
}

static void remember_write(struct weft_frame *frame, struct wf_frame_history *h, uint32_t index,
                           uint32_t at)
{
    const struct wf_frame_use *u = wf_frame_at(&frame->uses, at);
    const bool again = h->write_step == index;
    h->write_stages = u->stages | (again ? h->write_stages : 0);
    h->hazards = u->hazards | (again ? h->hazards : 0);
    h->write_step = index;
    h->write_use = at;
    // what this step itself reads is not ordered with its writes
    for (uint32_t s = 0; s < WF_FRAME_STAGES; s++) {
        if (h->reads[s] != index)
            h->read_stages &= ~(1u << s);
    }
    if (h->read_step != index)
        h->read_use = WF_FRAME_NONE;
    else
        ((struct wf_frame_use *)wf_frame_at(&frame->uses, h->first_read))->previous = WF_FRAME_NONE;
}

static void remember_read(struct weft_frame *frame, struct wf_frame_history *h, uint32_t index,
                          uint32_t at)
{
    struct wf_frame_use *u = wf_frame_at(&frame->uses, at);
    u->previous = h->read_use;
    h->read_use = at;
    if (h->read_step != index)
        h->first_read = at;
    h->read_step = index;
    h->read_stages |= u->stages;
    for (uint32_t s = 0; s < WF_FRAME_STAGES; s++) {
        if (has(u->stages, s))
            h->reads[s] = index;
    }
}

static void remember(struct weft_frame *frame, uint32_t index, const struct wf_frame_step *step)
{
    for (uint32_t i = 0; i < step->use_count; i++) {
        const uint32_t at = step->first_use + i;
        const struct wf_frame_use *u = wf_frame_at(&frame->uses, at);
        struct wf_frame_history *h = history_of(frame, u->resource);
        if (!h)
            return;
        (u->write ? remember_write : remember_read)(frame, h, index, at);
    }
}

bool wf_frame_plan_barriers(struct weft_frame *frame)
{
    static const struct wf_frame_barrier conservative = {.producers = WEFT_STAGE_COMPUTE,
                                                         .consumers = WEFT_STAGE_ALL};
    frame->histories.count = frame->barriers.count = frame->causes.count = 0;
    frame->barrier_work = 0;
    wf_base_map_clear(&frame->seen);
    struct planner p = {.frame = frame, .ahead_pass = WF_FRAME_NONE};
    for (; p.index < frame->steps.count; p.index++) {
        struct wf_frame_step *step = wf_frame_at(&frame->steps, p.index);
        p.needed = (struct wf_frame_barrier){.step = p.index,
                                             .first_cause = (uint32_t)frame->causes.count};
        if (!find_needed(&p, step, NO_PASS) || !look_ahead(&p) || !make_needed(&p, step))
            return false;
        remember(frame, p.index, step);
        if (step->barrier_after)
            apply(&p, &conservative, p.index + 1);
    }
    return frame->failed == WEFT_OK;
}
