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
    if (p->root)
        at = put(at, p->root, c->root);
    if (p->accesses)
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

/// Both halves at once.
static inline uint64_t pair(const void *halves)
{
    uint64_t both;
    memcpy(&both, halves, sizeof both);
    return both;
}

_Static_assert(offsetof(weft_draw_packet, root_size) == offsetof(weft_draw_packet, root_offset) + 4,
               "a pair");

/// What most packets are: in the open pass and clip, with what each draw needs and no more.
static inline bool is_usual(const weft_draw_packet *p, weft_packet_kind kind)
{
    const uint64_t pairs = pair(&p->root_offset) | pair(&p->target) | pair(&p->clip);
    const uint32_t others = p->access_count | p->instances.buffer.index | p->indirect.buffer.index |
                            p->indirect.count_buffer.index | (uint32_t)kind >> 1;
    return (pairs | others) == 0 && p->order <= WEFT_ORDER_DEPTH && p->geometry.stream_count == 1 &&
           p->geometry.streams;
}

_Static_assert(WEFT_PACKET_MESH == 0 && WEFT_PACKET_INSTANCES == 1, "kinds of is_usual()");
_Static_assert(offsetof(struct wf_frame_packet, pass) -
                           offsetof(struct wf_frame_packet, sort_key) ==
                       offsetof(weft_draw_packet, geometry) -
                           offsetof(weft_draw_packet, sort_key) &&
                   offsetof(struct wf_frame_packet, pass) == 24,
               "one copy takes what is before");
_Static_assert(offsetof(struct wf_frame_packet, clip) ==
                       offsetof(struct wf_frame_packet, pass) + 4 &&
                   offsetof(struct weft_frame, open_clip) ==
                       offsetof(struct weft_frame, open_pass) + 4,
               "a pair");

/// Often: what is usual takes a short way. Branches, stores and registers are counted here.
static inline uint64_t append(weft_frame *frame, const weft_draw_packet *p, weft_packet_kind kind)
{
    enum {
        HEAD = WF_FRAME_WORDS(struct wf_frame_geometry) + WF_FRAME_WORDS(weft_stream_view),
        MOST = HEAD + WF_FRAME_TRANSFORM_WORDS
    };
    if (!frame)
        return UINT64_MAX;
    if (!frame->quick || !p || !is_usual(p, kind) ||
        frame->tape.count + MOST > frame->tape.capacity ||
        frame->packets.count == frame->packets.capacity)
        return append_any(frame, p, kind);
    const size_t sequence = frame->packets.count++;
    struct wf_frame_packet *packet = (struct wf_frame_packet *)frame->packets.items + sequence;
    memset(&packet->access_count, 0,
           sizeof *packet - offsetof(struct wf_frame_packet, access_count));
    memcpy(&packet->sort_key, &p->sort_key, offsetof(struct wf_frame_packet, pass));
    memcpy(&packet->pass, &frame->open_pass, 2 * sizeof packet->pass); // and the clip
    packet->layer = wf_frame_layer_spot(frame, p->layer);
    packet->side = (uint32_t)frame->tape.count;
    packet->kind = (uint8_t)kind;
    packet->order = (uint8_t)p->order;
    uint64_t *side = (uint64_t *)frame->tape.items + frame->tape.count;
    put_head(p, (struct wf_frame_geometry *)side);
    side += WF_FRAME_WORDS(struct wf_frame_geometry);
    if (p->transform) {
        packet->flags = WF_FRAME_HAS_TRANSFORM;
        packet->stream_count = 1;
        frame->tape.count += MOST;
        put(put(side, p->transform, 16 * sizeof(float)), p->geometry.streams,
            sizeof(weft_stream_view));
    } else {
        packet->flags = 0;
        packet->stream_count = 1;
        frame->tape.count += HEAD;
        put(side, p->geometry.streams, sizeof(weft_stream_view));
    }
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
