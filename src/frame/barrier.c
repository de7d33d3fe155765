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
    *h = (struct wf_frame_history){.write_pass = WF_FRAME_NONE, .read_pass = WF_FRAME_NONE};
    return h;
}

/// The first access pair explains the barrier; others only widen its stages.
static void need(struct weft_frame *frame, struct wf_frame_pass *pass, uint32_t index,
                 const struct wf_frame_history *h, bool after_write, const struct wf_frame_use *u)
{
    pass->producers |= after_write ? h->write_stages : h->read_stages;
    pass->consumers |= u->stages;
    if (!u->write)
        pass->hazards |= u->hazards;
    if (after_write && (u->stages & ~(weft_stage_set)WEFT_STAGE_TARGET))
        pass->hazards |= h->hazards;
    if (pass->barrier)
        return;
    pass->barrier = true;
    const char *cause = wf_base_arena_format(&frame->arena, "pass %u %s -> pass %u %s",
                                             after_write ? h->write_pass : h->read_pass,
                                             after_write ? h->what : "read", index, u->what);
    if (!cause)
        wf_frame_out_of_memory(frame);
    pass->cause = cause ? cause : "";
}

static void find_hazards(struct weft_frame *frame, uint32_t index)
{
    struct wf_frame_pass *pass = wf_frame_at(&frame->passes, index);
    for (uint32_t i = 0; i < pass->access_count; i++) {
        const struct wf_frame_use *u = wf_frame_at(&frame->uses, pass->first_access + i);
        const struct wf_frame_history *h = history_of(frame, u->resource);
        if (!h)
            return;
        const bool earlier_write = h->write_pass != WF_FRAME_NONE && h->write_pass != index;
        if (earlier_write && (u->stages & ~h->visible))
            need(frame, pass, index, h, true, u);
        const bool earlier_read = h->read_stages && h->read_pass != index;
        if (earlier_read && u->write && (u->stages & ~h->closed))
            need(frame, pass, index, h, false, u);
    }
}

/// A barrier orders everything of its stages, not one resource: other writes become visible and
/// other reads are waited for too.
static void apply_barrier(struct weft_frame *frame, const struct wf_frame_pass *pass)
{
    if (!pass->barrier)
        return;
    for (size_t i = 0; i < frame->histories.count; i++) {
        struct wf_frame_history *h = wf_frame_at(&frame->histories, i);
        const bool unguarded = h->hazards & ~pass->hazards;
        if (h->write_pass != WF_FRAME_NONE && !(h->write_stages & ~pass->producers))
            h->visible |= unguarded ? pass->consumers & WEFT_STAGE_TARGET : pass->consumers;
        if (!(h->read_stages & ~pass->producers))
            h->closed |= pass->consumers;
    }
}

static void remember(struct weft_frame *frame, uint32_t index)
{
    const struct wf_frame_pass *pass = wf_frame_at(&frame->passes, index);
    for (uint32_t i = 0; i < pass->access_count; i++) {
        const struct wf_frame_use *u = wf_frame_at(&frame->uses, pass->first_access + i);
        struct wf_frame_history *h = history_of(frame, u->resource);
        if (!h)
            return;
        if (u->write) {
            const bool again = h->write_pass == index;
            h->write_stages = u->stages | (again ? h->write_stages : 0);
            h->hazards = u->hazards | (again ? h->hazards : 0);
            h->write_pass = index;
            h->visible = 0;
            h->what = u->what;
            // what this pass itself reads is not ordered with its writes
            if (h->read_pass != index)
                h->read_stages = h->closed = 0;
        } else {
            h->read_stages |= u->stages;
            h->closed = 0;
            h->read_pass = index;
        }
    }
}

bool wf_frame_plan_barriers(struct weft_frame *frame)
{
    frame->histories.count = 0;
    wf_base_map_clear(&frame->seen);
    for (uint32_t i = 0; i < frame->passes.count; i++) {
        struct wf_frame_pass *pass = wf_frame_at(&frame->passes, i);
        pass->barrier = false;
        pass->producers = pass->consumers = 0;
        pass->hazards = 0;
        find_hazards(frame, i);
        apply_barrier(frame, pass);
        remember(frame, i);
    }
    return frame->failed == WEFT_OK;
}
