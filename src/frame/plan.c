#include "frame/context.h"

bool wf_frame_plan(struct weft_frame *frame)
{
    if (!wf_frame_plan_order(frame) || !wf_frame_plan_steps(frame))
        return false;
    wf_frame_collect_accesses(frame);
    frame->planned = frame->failed == WEFT_OK && wf_frame_plan_barriers(frame);
    return frame->planned && (!(frame->flags & WEFT_FRAME_CHECK) || wf_frame_check(frame));
}
