#include "frame/packet.h"

#include <string.h>

#define MOST_QUADS (UINT32_MAX / 6)

/// As shaders/quad.vert reads it.
struct quad_vertex {
    float position[2], uv[2], color[4];
};

/// Texels, origin top-left, to clip space, y up.
static void texels_to_clip(const struct wf_frame_target *target, float out[16])
{
    memset(out, 0, 16 * sizeof(float));
    out[0] = 2.0f / (float)target->width;
    out[5] = -2.0f / (float)target->height;
    out[10] = 1.0f;
    out[12] = -1.0f;
    out[13] = 1.0f;
    out[15] = 1.0f;
}

static void put_transform(const struct weft_frame *frame, const weft_quads_packet *p, uint32_t pass,
                          float *out)
{
    if (p->transform)
        memcpy(out, p->transform, 16 * sizeof(float));
    else if (pass < WF_FRAME_BAD)
        texels_to_clip(
            &((const struct wf_frame_pass *)wf_frame_at(&frame->passes, pass))->attachments, out);
    else
        memset(out, 0, 16 * sizeof(float)); // refused
}

uint64_t weft_frame_draw_quads(weft_frame *frame, const weft_quads_packet *p)
{
    if (!wf_frame_given(frame, p))
        return UINT64_MAX;
    const bool nulls = p->quad_count > 0 && !p->quads;
    const size_t count = nulls || p->quad_count > MOST_QUADS ? 0 : p->quad_count;
    uint64_t *side;
    struct wf_frame_packet *packet =
        wf_frame_packet_room(frame,
                             WF_FRAME_WORDS(struct wf_frame_quads) + WF_FRAME_TRANSFORM_WORDS +
                                 count * WF_FRAME_WORDS(weft_quad),
                             &side);
    if (!packet)
        return UINT64_MAX;
    frame->has_quads = true;
    const struct wf_frame_spot spot = wf_frame_spot(frame, p->target, p->layer, p->clip);
    *packet = (struct wf_frame_packet){
        .sort_key = p->sort_key,
        .material = p->material,
        .pass = spot.pass,
        .layer = spot.layer,
        .clip = spot.clip,
        .side = packet->side,
        .kind = WEFT_PACKET_QUADS,
        .order = (uint8_t)(p->order <= WEFT_ORDER_DEPTH ? p->order : UINT8_MAX),
        .flags = WF_FRAME_HAS_TRANSFORM | (nulls ? WF_FRAME_HAS_NULLS : 0),
    };
    *(struct wf_frame_quads *)side =
        (struct wf_frame_quads){.view = p->view, .sampler = p->sampler, .count = p->quad_count};
    side += WF_FRAME_WORDS(struct wf_frame_quads);
    put_transform(frame, p, spot.pass, (float *)side);
    if (count > 0)
        memcpy(side + WF_FRAME_TRANSFORM_WORDS, p->quads, count * sizeof(weft_quad));
    return wf_frame_packet_done(frame);
}

/// The library's own pipeline.
static bool take_own(struct weft_frame *frame, const struct wf_frame_quads *quads,
                     struct wf_frame_packet *packet)
{
    const bool textured = !weft_texture_view_is_none(quads->view);
    const struct wf_frame_pass *pass = wf_frame_at(&frame->passes, packet->pass);
    // a pass that is dropped has no format; the packet is kept for the report
    if (pass->dropped || quads->count == 0)
        return true;
    if (!wf_frame_quad_material(frame, pass, packet->layer, textured, &packet->material))
        return false;
    return !textured || wf_frame_quad_table(frame, quads->view, quads->sampler, &packet->arguments);
}

bool wf_frame_judge_quads(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    const struct wf_frame_quads *quads = wf_frame_packet_parts(frame, packet).quads;
    if (quads->count > MOST_QUADS)
        return wf_frame_broken(frame, WEFT_RULE_FRAME_QUAD_COUNT, frame->judged, packet->layer,
                               "%u quads have more indices than 32 bits count.", quads->count);
    if (packet->material.index == 0 && packet->material.generation == 0)
        return take_own(frame, quads, packet);
    if (!weft_texture_view_is_none(quads->view))
        return wf_frame_broken(frame, WEFT_RULE_FRAME_QUAD_VIEW, frame->judged, packet->layer,
                               "The quads have both a material and a view.");
    const struct wf_frame_material *material =
        wf_frame_material_use(frame, packet->material, packet->layer);
    return material &&
           wf_frame_check_transform(frame, material, wf_frame_packet_parts(frame, packet).transform,
                                    packet->layer);
}

static void write_vertices(const weft_quad *q, struct quad_vertex out[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        const bool right = i & 1, low = i & 2;
        out[i] = (struct quad_vertex){
            .position = {q->x + (right ? q->width : 0.0f), q->y + (low ? q->height : 0.0f)},
            .uv = {right ? q->u1 : q->u0, low ? q->v1 : q->v0},
        };
        memcpy(out[i].color, q->color, sizeof out[i].color);
    }
}

static void write_indices(uint32_t *out, uint32_t quads)
{
    static const uint32_t corners[6] = {0, 2, 1, 1, 2, 3};
    for (uint32_t i = 0; i < quads; i++) {
        for (uint32_t c = 0; c < 6; c++)
            out[(size_t)i * 6 + c] = i * 4 + corners[c];
    }
}

/// Numbers the quads in the order of their packets; returns how many there are.
static uint64_t number_quads(struct weft_frame *frame)
{
    uint64_t total = 0;
    const uint32_t *order = frame->order.items;
    const struct wf_frame_packet *packets = frame->packets.items;
    for (uint32_t i = 0; i < frame->order.count; i++) {
        const uint32_t sequence = order[i];
        const struct wf_frame_packet *packet = &packets[sequence];
        if (packet->kind != WEFT_PACKET_QUADS)
            continue;
        struct wf_frame_quads *quads = wf_frame_packet_parts(frame, packet).quads;
        quads->first = (uint32_t)total;
        total += quads->count;
        if (total > MOST_QUADS) {
            wf_frame_broken(frame, WEFT_RULE_FRAME_QUAD_COUNT, sequence, packet->layer,
                            "The frame has more quads than 32 bits count indices of.");
            return 0;
        }
    }
    return total;
}

bool wf_frame_quads_generate(struct weft_frame *frame)
{
    const uint64_t total = frame->has_quads ? number_quads(frame) : 0;
    if (total == 0)
        return frame->failed == WEFT_OK;
    frame->quads = (struct wf_frame_quads_memory){
        weft_transient_alloc(frame->device, total * 4 * sizeof(struct quad_vertex), 16),
        weft_transient_alloc(frame->device, total * 6 * sizeof(uint32_t), 16),
    };
    if (!frame->quads.vertices.cpu || !frame->quads.indices.cpu) {
        wf_frame_fail(frame, WEFT_ERROR_DEVICE_MEMORY);
        return false;
    }
    write_indices(frame->quads.indices.cpu, (uint32_t)total);
    struct quad_vertex *out = frame->quads.vertices.cpu;
    for (uint32_t i = 0; i < frame->order.count; i++) {
        const uint32_t sequence = *(const uint32_t *)wf_frame_at(&frame->order, i);
        const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
        if (packet->kind != WEFT_PACKET_QUADS)
            continue;
        const struct wf_frame_parts parts = wf_frame_packet_parts(frame, packet);
        for (uint32_t q = 0; q < parts.quads->count; q++, out += 4)
            write_vertices(&parts.quad[q], out);
    }
    return true;
}
