#include "frame/packet.h"

#include <string.h>

uint64_t weft_frame_record(weft_frame *frame, const weft_record_packet *p)
{
    if (!wf_frame_given(frame, p))
        return UINT64_MAX;
    const bool nulls = p->access_count && !p->accesses;
    const uint32_t accesses = nulls ? 0 : p->access_count;
    const struct wf_frame_spot spot = wf_frame_spot_alone(frame, p->target, p->layer);
    const char *label = wf_frame_keep(frame, p->label ? p->label : "commands");
    uint64_t *side;
    struct wf_frame_packet *packet =
        spot.pass == WF_FRAME_NONE
            ? NULL
            : wf_frame_packet_room(frame,
                                   WF_FRAME_WORDS(struct wf_frame_record) +
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
        .kind = WEFT_PACKET_RECORD,
        .order = (uint8_t)(p->order <= WEFT_ORDER_DEPTH ? p->order : UINT8_MAX),
        .flags = nulls ? WF_FRAME_HAS_NULLS : 0,
        .look = WF_FRAME_NONE,
    };
    *(struct wf_frame_record *)side =
        (struct wf_frame_record){.fn = p->fn, .user = p->user, .label = label};
    if (accesses > 0)
        memcpy(side + WF_FRAME_WORDS(struct wf_frame_record), p->accesses,
               accesses * sizeof(weft_access));
    return wf_frame_packet_done(frame);
}

bool wf_frame_judge_record(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    return wf_frame_packet_parts(frame, packet).record->fn ||
           wf_frame_broken(frame, WEFT_RULE_FRAME_RECORD_FUNCTION, frame->judged, packet->layer,
                           "The packet has no function that records.");
}
