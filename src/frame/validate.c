#include "frame/context.h"

static void drop(struct wf_frame_packet *packet, const char *reason)
{
    packet->fate = WEFT_PACKET_DROPPED;
    packet->reason = reason;
}

/// Packets that draw nothing are kept for the report, with the reason.
static void drop_empty(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    const struct wf_frame_pass *pass = wf_frame_at(&frame->passes, packet->pass);
    const struct wf_frame_geometry *g = wf_frame_at(&frame->geometries, packet->geometry);
    const struct wf_frame_clip *clip =
        packet->clip == WF_FRAME_NONE ? NULL : wf_frame_at(&frame->clips, packet->clip);
    if (pass->dropped)
        drop(packet, frame->skipped ? frame->skipped : "the pass has nothing to draw to");
    else if (clip && (clip->rect.width == 0 || clip->rect.height == 0))
        drop(packet, "its clip is empty");
    else if (g->indirect == WF_FRAME_NONE && (g->count == 0 || g->instances.count == 0))
        drop(packet, "it has nothing to draw");
}

/// What could have changed since the packet was appended.
static void check_material(struct weft_frame *frame, struct wf_frame_packet *packet,
                           uint64_t sequence)
{
    if (packet->fate != WEFT_PACKET_DRAWN ||
        wf_frame_material_find(frame->context, packet->material))
        return;
    packet->fate = WEFT_PACKET_FAILED;
    packet->code = WEFT_RULE_FRAME_MATERIAL;
    packet->reason = "its material was destroyed";
    wf_frame_broken(frame, WEFT_RULE_FRAME_MATERIAL, sequence, packet->layer,
                    "Material {%u, %u} was destroyed after the packet was appended.",
                    packet->material.index, packet->material.generation);
}

void wf_frame_validate(struct weft_frame *frame)
{
    for (size_t i = 0; i < frame->packets.count; i++) {
        struct wf_frame_packet *packet = wf_frame_at(&frame->packets, i);
        if (packet->fate == WEFT_PACKET_FAILED)
            continue;
        drop_empty(frame, packet);
        check_material(frame, packet, i);
    }
}
