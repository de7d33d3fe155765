#include "frame/packet.h"

static bool has_barrier_after(const struct weft_frame *frame, uint32_t place)
{
    const uint32_t sequence = *(const uint32_t *)wf_frame_at(&frame->order, place);
    const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    return wf_frame_packet_parts(frame, packet).dispatch->barrier_after;
}

/// One step for each render pass, dropped ones without packets included, and for each dispatch.
bool wf_frame_plan_steps(struct weft_frame *frame)
{
    frame->steps.count = 0;
    for (uint32_t p = 0; p < frame->passes.count; p++) {
        const struct wf_frame_pass *pass = wf_frame_at(&frame->passes, p);
        if (pass->dropped)
            continue;
        const bool render = pass->kind == WF_FRAME_PASS_RENDER;
        const uint32_t count = render ? 1 : pass->count;
        struct wf_frame_step *steps = wf_frame_append(frame, &frame->steps, count);
        if (!steps)
            return false;
        for (uint32_t i = 0; i < count; i++)
            steps[i] = (struct wf_frame_step){
                .kind = render ? WF_FRAME_STEP_RENDER : WF_FRAME_STEP_DISPATCH,
                .pass = p,
                .first = pass->first + i,
                .count = render ? pass->count : 1,
                .barrier = WF_FRAME_NONE,
                .barrier_after = !render && has_barrier_after(frame, pass->first + i),
            };
    }
    return true;
}

bool wf_frame_plan(struct weft_frame *frame)
{
    if (!wf_frame_plan_order(frame) || !wf_frame_plan_steps(frame))
        return false;
    wf_frame_collect_accesses(frame);
    if (frame->failed != WEFT_OK || !wf_frame_plan_barriers(frame))
        return false;
    return !(frame->flags & WEFT_FRAME_CHECK) || wf_frame_check(frame);
}
