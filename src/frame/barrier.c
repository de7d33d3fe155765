#include "frame/context.h"

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
    *h = (struct wf_frame_history){.write_step = WF_FRAME_NONE, .read_step = WF_FRAME_NONE};
    return h;
}

/// How a step is called in a barrier's cause.
static const char *step_name(const struct weft_frame *frame, uint32_t step, uint32_t *number)
{
    const struct wf_frame_step *s = wf_frame_at(&frame->steps, step);
    const bool render = s->kind == WF_FRAME_STEP_RENDER;
    *number = render ? s->pass : *(const uint32_t *)wf_frame_at(&frame->order, s->first);
    return render ? "pass" : "dispatch";
}

/// The barrier before a step, made if there is none yet. NULL when out of memory.
static struct wf_frame_barrier *barrier_of(struct weft_frame *frame, uint32_t index)
{
    struct wf_frame_step *step = wf_frame_at(&frame->steps, index);
    if (step->barrier != WF_FRAME_NONE)
        return wf_frame_at(&frame->barriers, step->barrier);
    struct wf_frame_barrier *barrier = wf_frame_append(frame, &frame->barriers, 1);
    if (!barrier)
        return NULL;
    barrier->step = index;
    step->barrier = (uint32_t)frame->barriers.count - 1;
    return barrier;
}

/// The first access pair explains the barrier; others only widen its stages.
static void need(struct weft_frame *frame, uint32_t index, const struct wf_frame_history *h,
                 bool after_write, const struct wf_frame_use *u)
{
    struct wf_frame_barrier *barrier = barrier_of(frame, index);
    if (!barrier)
        return;
    barrier->producers |= after_write ? h->write_stages : h->read_stages;
    barrier->consumers |= u->stages;
    if (!u->write)
        barrier->hazards |= u->hazards;
    if (after_write && (u->stages & ~(weft_stage_set)WEFT_STAGE_TARGET))
        barrier->hazards |= h->hazards;
    if (barrier->cause)
        return;
    uint32_t from, to;
    const char *from_name = step_name(frame, after_write ? h->write_step : h->read_step, &from);
    const char *to_name = step_name(frame, index, &to);
    barrier->cause = wf_base_arena_format(&frame->arena, "%s %u %s -> %s %u %s", from_name, from,
                                          after_write ? h->what : "read", to_name, to, u->what);
    if (barrier->cause)
        return;
    wf_frame_out_of_memory(frame);
    barrier->cause = "";
}

static void find_hazards(struct weft_frame *frame, uint32_t index)
{
    const struct wf_frame_step *step = wf_frame_at(&frame->steps, index);
    for (uint32_t i = 0; i < step->use_count; i++) {
        const struct wf_frame_use *u = wf_frame_at(&frame->uses, step->first_use + i);
        const struct wf_frame_history *h = history_of(frame, u->resource);
        if (!h)
            return;
        const bool earlier_write = h->write_step != WF_FRAME_NONE && h->write_step != index;
        if (earlier_write && (u->stages & ~h->visible))
            need(frame, index, h, true, u);
        const bool earlier_read = h->read_stages && h->read_step != index;
        if (earlier_read && u->write && (u->stages & ~h->closed))
            need(frame, index, h, false, u);
    }
}

/// A barrier orders everything of its stages, not one resource: other writes become visible and
/// other reads are waited for too.
static void apply_barrier(struct weft_frame *frame, uint32_t index)
{
    const struct wf_frame_step *step = wf_frame_at(&frame->steps, index);
    if (step->barrier == WF_FRAME_NONE)
        return;
    const struct wf_frame_barrier *b = wf_frame_at(&frame->barriers, step->barrier);
    for (size_t i = 0; i < frame->histories.count; i++) {
        struct wf_frame_history *h = wf_frame_at(&frame->histories, i);
        const bool unguarded = h->hazards & ~b->hazards;
        if (h->write_step != WF_FRAME_NONE && !(h->write_stages & ~b->producers))
            h->visible |= unguarded ? b->consumers & WEFT_STAGE_TARGET : b->consumers;
        if (!(h->read_stages & ~b->producers))
            h->closed |= b->consumers;
    }
}

static void remember(struct weft_frame *frame, uint32_t index)
{
    const struct wf_frame_step *step = wf_frame_at(&frame->steps, index);
    for (uint32_t i = 0; i < step->use_count; i++) {
        const struct wf_frame_use *u = wf_frame_at(&frame->uses, step->first_use + i);
        struct wf_frame_history *h = history_of(frame, u->resource);
        if (!h)
            return;
        if (u->write) {
            const bool again = h->write_step == index;
            h->write_stages = u->stages | (again ? h->write_stages : 0);
            h->hazards = u->hazards | (again ? h->hazards : 0);
            h->write_step = index;
            h->visible = 0;
            h->what = u->what;
            // what this step itself reads is not ordered with its writes
            if (h->read_step != index)
                h->read_stages = h->closed = 0;
        } else {
            h->read_stages |= u->stages;
            h->closed = 0;
            h->read_step = index;
        }
    }
}

bool wf_frame_plan_barriers(struct weft_frame *frame)
{
    frame->histories.count = frame->barriers.count = 0;
    wf_base_map_clear(&frame->seen);
    for (uint32_t i = 0; i < frame->steps.count; i++) {
        find_hazards(frame, i);
        apply_barrier(frame, i);
        remember(frame, i);
    }
    return frame->failed == WEFT_OK;
}
