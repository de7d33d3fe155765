#include "frame/packet.h"

#include <string.h>

/// The pass that dispatches go to between render passes; WF_FRAME_NONE when out of memory.
static uint32_t compute_pass(struct weft_frame *frame)
{
    if (frame->compute_pass != WF_FRAME_NONE)
        return frame->compute_pass;
    struct wf_frame_pass *pass = wf_frame_append(frame, &frame->passes, 1);
    if (!pass)
        return WF_FRAME_NONE;
    pass->kind = WF_FRAME_PASS_COMPUTE;
    pass->label = "compute";
    frame->compute_pass = (uint32_t)frame->passes.count - 1;
    return frame->compute_pass;
}

struct wf_frame_spot wf_frame_spot_alone(struct weft_frame *frame, weft_target target,
                                         weft_layer layer)
{
    struct wf_frame_spot spot = wf_frame_spot(frame, target, layer, (weft_clip){0, 0});
    if (spot.pass == WF_FRAME_NONE)
        spot.pass = compute_pass(frame);
    else if (spot.pass != WF_FRAME_BAD)
        ((struct wf_frame_pass *)wf_frame_at(&frame->passes, spot.pass))->has_dispatches = true;
    return spot;
}

uint64_t weft_frame_dispatch(weft_frame *frame, const weft_dispatch_packet *p)
{
    if (!wf_frame_given(frame, p))
        return UINT64_MAX;
    const bool nulls = (p->root_size && !p->root) || (p->access_count && !p->accesses);
    const uint16_t root = nulls ? 0 : wf_frame_root_bytes(p->root_size);
    const size_t root_bytes = root == UINT16_MAX ? 0 : root;
    const uint32_t accesses = nulls ? 0 : p->access_count;
    const struct wf_frame_spot spot = wf_frame_spot_alone(frame, p->target, p->layer);
    uint64_t *side;
    struct wf_frame_packet *packet =
        spot.pass == WF_FRAME_NONE
            ? NULL
            : wf_frame_packet_room(frame,
                                   WF_FRAME_WORDS(struct wf_frame_dispatch) +
                                       WF_FRAME_WORDS_OF(root_bytes) +
                                       accesses * WF_FRAME_WORDS(weft_access),
                                   &side);
    if (!packet)
        return UINT64_MAX;
    *packet = (struct wf_frame_packet){
        .sort_key = p->sort_key,
        .pass = spot.pass,
        .layer = spot.layer,
        .clip = WF_FRAME_NONE,
        .side = packet->side,
        .access_count = accesses,
        .root_offset = wf_frame_root_bytes(p->root_offset),
        .root_size = root,
        .kind = WEFT_PACKET_DISPATCH,
        .order = (uint8_t)(p->order <= WEFT_ORDER_DEPTH ? p->order : UINT8_MAX),
        .flags = nulls ? WF_FRAME_HAS_NULLS : 0,
        .look = WF_FRAME_NONE,
    };
    *(struct wf_frame_dispatch *)side = (struct wf_frame_dispatch){
        .pipeline = p->pipeline,
        .arguments = {p->arguments[0], p->arguments[1], p->arguments[2]},
        .groups = {p->groups[0], p->groups[1], p->groups[2]},
        .barrier_after = p->barrier_after,
        .indirect = p->indirect,
    };
    side += WF_FRAME_WORDS(struct wf_frame_dispatch);
    if (root_bytes > 0)
        memcpy(side, p->root, root_bytes);
    if (accesses > 0)
        memcpy(side + WF_FRAME_WORDS_OF(root_bytes), p->accesses, accesses * sizeof(weft_access));
    return wf_frame_packet_done(frame);
}

static bool is_empty(const struct wf_frame_dispatch *d)
{
    return weft_buffer_is_none(d->indirect.buffer) &&
           (d->groups[0] == 0 || d->groups[1] == 0 || d->groups[2] == 0);
}

bool wf_frame_judge_dispatch(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    const struct wf_frame_dispatch *d = wf_frame_packet_parts(frame, packet).dispatch;
    bool ok = true;
    if (weft_compute_pipeline_is_none(d->pipeline))
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_DISPATCH_PIPELINE, frame->judged, packet->layer,
                             "The dispatch has no pipeline.");
    // core says what it is that does not live
    else if (weft_compute_pipeline_ready(frame->device, d->pipeline) == WEFT_ERROR_USAGE)
        ok = false;
    if (d->indirect.offset % 4)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_INDIRECT, frame->judged, packet->layer,
                             "The dispatch's counts lie at %llu, which is no multiple of 4.",
                             (unsigned long long)d->indirect.offset);
    if (ok && is_empty(d)) {
        packet->fate = WEFT_FATE_DROPPED;
        packet->reason = WF_FRAME_REASON_EMPTY;
    }
    return wf_frame_check_root_range(frame, packet) && ok;
}
