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

/// What every draw has.
static inline void put_head(const weft_draw_packet *p, struct wf_frame_geometry *head)
{
    memcpy(head, &p->geometry, offsetof(struct wf_frame_geometry, first_instance));
    head->first_instance = p->instances.first;
    head->instance_count = p->instances.count;
}

static void put_side(const weft_draw_packet *p, const struct counts *c, uint64_t *at)
{
    put_head(p, (struct wf_frame_geometry *)at);
    at += WF_FRAME_WORDS(struct wf_frame_geometry);
    if (c->flags & WF_FRAME_HAS_TRANSFORM)
        at = put(at, p->transform, 16 * sizeof(float));
    for (uint32_t i = 0; i < c->streams; i++)
        at = put(at, &p->geometry.streams[i], sizeof p->geometry.streams[i]);
    if (c->more)
        put_more(p, c, at);
}

/// Any packet, with all that it can have.
static uint64_t append_any(weft_frame *frame, const weft_draw_packet *p, weft_packet_kind kind)
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
    *packet = (struct wf_frame_packet){
        .sort_key = p->sort_key,
        .material = p->material,
        .arguments = p->arguments,
        .pass = spot.pass,
        .layer = spot.layer,
        .clip = spot.clip,
        .side = packet->side,
        .kind = (uint8_t)(kind <= WEFT_PACKET_INSTANCES ? kind : WEFT_PACKET_KIND_COUNT),
        .order = (uint8_t)(p->order <= WEFT_ORDER_DEPTH ? p->order : UINT8_MAX),
        .flags = (uint8_t)c.flags,
        .stream_count = (uint8_t)c.streams,
        .access_count = c.accesses,
        .root_offset = wf_frame_root_bytes(p->root_offset),
        .root_size = p->root ? wf_frame_root_bytes(p->root_size) : 0,
    };
    put_side(p, &c, side);
    return wf_frame_packet_done(frame);
}

/// What most packets are: in the open pass and clip, with what each draw needs and no more.
static inline bool is_usual(const weft_draw_packet *p, weft_packet_kind kind)
{
    const uint32_t others = p->access_count | p->root_offset | p->root_size |
                            p->instances.buffer.index | p->indirect.buffer.index |
                            p->indirect.count_buffer.index | p->target.index |
                            p->target.generation | p->clip.index | p->clip.generation;
    return others == 0 &&
           kind <= WEFT_PACKET_INSTANCES && p->order <= WEFT_ORDER_DEPTH &&
           p->geometry.stream_count == 1 && p->geometry.streams;
}

/// Often: what is usual takes a short way.
static inline uint64_t append(weft_frame *frame, const weft_draw_packet *p, weft_packet_kind kind)
{
    enum {
        MOST_WORDS = WF_FRAME_WORDS(struct wf_frame_geometry) + WF_FRAME_TRANSFORM_WORDS +
                     WF_FRAME_WORDS(weft_stream_view)
    };
    if (!frame || !frame->quick || !p || !is_usual(p, kind) ||
        frame->tape.capacity - frame->tape.count < MOST_WORDS ||
        frame->packets.capacity == frame->packets.count)
        return append_any(frame, p, kind);
    const size_t sequence = frame->packets.count++;
    struct wf_frame_packet *packet = (struct wf_frame_packet *)frame->packets.items + sequence;
    uint64_t *side = (uint64_t *)frame->tape.items + frame->tape.count;
    *packet = (struct wf_frame_packet){
        .sort_key = p->sort_key,
        .material = p->material,
        .arguments = p->arguments,
        .pass = frame->open_pass,
        .layer = wf_frame_layer_spot(frame, p->layer),
        .clip = frame->open_clip,
        .side = (uint32_t)frame->tape.count,
        .kind = (uint8_t)kind,
        .order = (uint8_t)p->order,
        .flags = p->transform ? WF_FRAME_HAS_TRANSFORM : 0,
        .stream_count = 1,
    };
    put_head(p, (struct wf_frame_geometry *)side);
    side += WF_FRAME_WORDS(struct wf_frame_geometry);
    if (p->transform)
        side = put(side, p->transform, 16 * sizeof(float));
    side = put(side, p->geometry.streams, sizeof *p->geometry.streams);
    frame->tape.count = (size_t)(side - (uint64_t *)frame->tape.items);
    return sequence;
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
