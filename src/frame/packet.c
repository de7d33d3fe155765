#include "frame/packet.h"

#include <string.h>

uint64_t wf_frame_packet_judge(struct weft_frame *frame, uint32_t sequence)
{
    const bool listening = weft_error_scope_listen(frame->device, WEFT_SEVERITY_ERROR,
                                                   wf_frame_listen, frame) == WEFT_OK;
    wf_frame_judge(frame, sequence);
    if (listening)
        weft_error_scope_pop(frame->device, NULL);
    const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    return packet->fate == WEFT_FATE_FAILED ? UINT64_MAX : sequence;
}

static inline uint64_t *put(uint64_t *at, const void *from, size_t bytes)
{
    memcpy(at, from, bytes);
    return at + WF_FRAME_WORDS_OF(bytes);
}

/// What is copied of a packet.
struct counts {
    uint32_t streams, accesses, root;
    uint32_t flags;
    bool more; ///< It has what few packets have.
};

static inline bool has_more(const weft_draw_packet *p)
{
    return (p->access_count | p->root_size | p->instances.buffer.index | p->indirect.buffer.index |
            p->indirect.count_buffer.index) != 0;
}

/// Counts that too, and returns its words. An array that is NULL counts nothing, and the packet
/// says so.
static size_t count_more(const weft_draw_packet *p, struct counts *c)
{
    c->more = true;
    c->accesses = p->accesses ? p->access_count : 0;
    c->root = p->root && p->root_size < UINT16_MAX ? p->root_size : 0;
    if ((p->access_count && !p->accesses) || (p->root_size && !p->root))
        c->flags |= WF_FRAME_HAS_NULLS;
    size_t words = c->accesses * WF_FRAME_WORDS(weft_access) + WF_FRAME_WORDS_OF(c->root);
    if (!weft_buffer_is_none(p->instances.buffer)) {
        c->flags |= WF_FRAME_HAS_INSTANCES;
        words += WF_FRAME_WORDS(weft_instance_view);
    }
    if (!weft_buffer_is_none(p->indirect.buffer) ||
        !weft_buffer_is_none(p->indirect.count_buffer)) {
        c->flags |= WF_FRAME_HAS_INDIRECT;
        words += WF_FRAME_WORDS(weft_indirect_view);
    }
    return words;
}

static inline size_t count(const weft_draw_packet *p, struct counts *c)
{
    size_t words = WF_FRAME_WORDS(struct wf_frame_geometry);
    *c = (struct counts){.streams = p->geometry.stream_count};
    if (c->streams > 0) {
        if (!p->geometry.streams) {
            c->streams = 0;
            c->flags = WF_FRAME_HAS_NULLS;
        } else if (c->streams > UINT8_MAX) {
            c->streams = UINT8_MAX; // too many in any case: slots are refused
        }
        words += c->streams * WF_FRAME_WORDS(weft_stream_view);
    }
    if (p->transform) {
        c->flags |= WF_FRAME_HAS_TRANSFORM;
        words += WF_FRAME_TRANSFORM_WORDS;
    }
    return has_more(p) ? words + count_more(p, c) : words;
}

static void put_more(const weft_draw_packet *p, const struct counts *c, uint64_t *at)
{
    if (c->flags & WF_FRAME_HAS_INSTANCES)
        at = put(at, &p->instances, sizeof p->instances);
    if (c->flags & WF_FRAME_HAS_INDIRECT)
        at = put(at, &p->indirect, sizeof p->indirect);
    if (c->root)
        at = put(at, p->root, c->root);
    if (c->accesses)
        put(at, p->accesses, c->accesses * sizeof *p->accesses);
}

static inline void put_side(const weft_draw_packet *p, const struct counts *c, bool one_at_least,
                            uint64_t *at)
{
    const weft_geometry_view *g = &p->geometry;
    struct wf_frame_geometry *head = (struct wf_frame_geometry *)at;
    head->indices = g->indices;
    head->index_offset = g->index_offset;
    head->index_type = (uint32_t)g->index_type;
    head->first = g->first;
    head->count = g->count;
    head->vertex_offset = g->vertex_offset;
    head->first_instance = p->instances.first;
    head->instance_count = one_at_least && p->instances.count == 0 ? 1 : p->instances.count;
    at += WF_FRAME_WORDS(struct wf_frame_geometry);
    if (c->flags & WF_FRAME_HAS_TRANSFORM)
        at = put(at, p->transform, 16 * sizeof(float));
    for (uint32_t i = 0; i < c->streams; i++)
        at = put(at, &g->streams[i], sizeof g->streams[i]);
    if (c->more)
        put_more(p, c, at);
}

static inline uint64_t append(weft_frame *frame, const weft_draw_packet *p, weft_packet_kind kind)
{
    if (!wf_frame_given(frame, p))
        return UINT64_MAX;
    struct counts c;
    const size_t words = count(p, &c);
    uint64_t *side;
    struct wf_frame_packet *packet = wf_frame_packet_room(frame, words, &side);
    if (!packet)
        return UINT64_MAX;
    const struct wf_frame_spot spot = wf_frame_spot(frame, p->target, p->layer, p->clip);
    packet->sort_key = p->sort_key;
    packet->material = p->material;
    packet->arguments = p->arguments;
    packet->pass = spot.pass;
    packet->layer = spot.layer;
    packet->clip = spot.clip;
    packet->access_count = c.accesses;
    packet->root_offset = wf_frame_root_bytes(p->root_offset);
    packet->root_size = p->root ? wf_frame_root_bytes(p->root_size) : 0;
    packet->code = 0;
    packet->stream_count = (uint8_t)c.streams;
    packet->reason = WF_FRAME_REASON_NONE;
    packet->kind = (uint8_t)(kind <= WEFT_PACKET_INSTANCES ? kind : WEFT_PACKET_KIND_COUNT);
    packet->order = (uint8_t)(p->order <= WEFT_ORDER_DEPTH ? p->order : UINT8_MAX);
    packet->fate = WEFT_FATE_DRAWN;
    packet->flags = (uint8_t)c.flags;
    packet->look = packet->position = 0;
    put_side(p, &c, kind == WEFT_PACKET_MESH, side);
    return wf_frame_packet_done(frame);
}

uint64_t weft_frame_draw(weft_frame *frame, const weft_draw_packet *packet)
{
    return append(frame, packet, packet ? packet->kind : WEFT_PACKET_MESH);
}

uint64_t weft_frame_draw_mesh(weft_frame *frame, const weft_draw_packet *packet)
{
    return append(frame, packet, WEFT_PACKET_MESH);
}

uint64_t weft_frame_draw_instances(weft_frame *frame, const weft_draw_packet *packet)
{
    return append(frame, packet, WEFT_PACKET_INSTANCES);
}
