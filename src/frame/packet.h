/// How packets lie in the IR: the parts of their side data on the tape.
#ifndef WF_FRAME_PACKET_H
#define WF_FRAME_PACKET_H

#include "frame/context.h"

#include <stddef.h>

/// Sizes on the tape, in its units of 8 bytes.
#define WF_FRAME_WORDS(type)     (sizeof(type) / 8)
#define WF_FRAME_WORDS_OF(bytes) (((size_t)(bytes) + 7) / 8)
#define WF_FRAME_TRANSFORM_WORDS (16 * sizeof(float) / 8)

_Static_assert(sizeof(struct wf_frame_packet) == 64, "one cache line");
_Static_assert(sizeof(struct wf_frame_geometry) % 8 == 0, "on the tape");
_Static_assert(offsetof(struct wf_frame_geometry, first_instance) ==
                   offsetof(weft_geometry_view, streams),
               "one copy takes all that is before");
_Static_assert(sizeof(struct wf_frame_quads) % 8 == 0, "on the tape");
_Static_assert(sizeof(struct wf_frame_dispatch) % 8 == 0, "on the tape");
_Static_assert(sizeof(struct wf_frame_record) % 8 == 0, "on the tape");
_Static_assert(sizeof(weft_stream_view) % 8 == 0, "on the tape");
_Static_assert(sizeof(weft_instance_view) % 8 == 0, "on the tape");
_Static_assert(sizeof(weft_indirect_view) % 8 == 0, "on the tape");
_Static_assert(sizeof(weft_access) % 8 == 0, "on the tape");
_Static_assert(sizeof(weft_quad) % 8 == 0, "on the tape");

/// What a packet has beside the hot record; NULL for what it has not. Valid until the next packet
/// is appended.
struct wf_frame_parts {
    union {
        void *head;
        struct wf_frame_geometry *geometry;
        struct wf_frame_quads *quads;
        struct wf_frame_dispatch *dispatch;
        struct wf_frame_record *record;
    };
    const float *transform;
    const weft_stream_view *streams;
    const weft_instance_view *instances;
    const weft_indirect_view *indirect;
    const void *root;
    const weft_access *accesses;
    const weft_quad *quad;
};

/// Whether a packet is a step of its own, and no draw.
static inline bool wf_frame_stands_alone(uint32_t kind)
{
    return kind == WEFT_PACKET_DISPATCH || kind == WEFT_PACKET_RECORD;
}

static inline size_t wf_frame_head_words(uint32_t kind)
{
    return kind == WEFT_PACKET_DISPATCH ? WF_FRAME_WORDS(struct wf_frame_dispatch)
           : kind == WEFT_PACKET_RECORD ? WF_FRAME_WORDS(struct wf_frame_record)
           : kind == WEFT_PACKET_QUADS  ? WF_FRAME_WORDS(struct wf_frame_quads)
                                        : WF_FRAME_WORDS(struct wf_frame_geometry);
}

static inline struct wf_frame_parts wf_frame_packet_parts(const struct weft_frame *frame,
                                                          const struct wf_frame_packet *packet)
{
    uint64_t *at = (uint64_t *)frame->tape.items + packet->side;
    struct wf_frame_parts parts = {.head = at};
    at += wf_frame_head_words(packet->kind);
    if (packet->flags & WF_FRAME_HAS_TRANSFORM) {
        parts.transform = (const float *)at;
        at += WF_FRAME_TRANSFORM_WORDS;
    }
    parts.streams = (const weft_stream_view *)at;
    at += packet->stream_count * WF_FRAME_WORDS(weft_stream_view);
    if (packet->flags & WF_FRAME_HAS_INSTANCES) {
        parts.instances = (const weft_instance_view *)at;
        at += WF_FRAME_WORDS(weft_instance_view);
    }
    if (packet->flags & WF_FRAME_HAS_INDIRECT) {
        parts.indirect = (const weft_indirect_view *)at;
        at += WF_FRAME_WORDS(weft_indirect_view);
    }
    if (packet->root_size > 0 && packet->root_size != UINT16_MAX) {
        parts.root = at;
        at += WF_FRAME_WORDS_OF(packet->root_size);
    }
    parts.accesses = (const weft_access *)at;
    at += packet->access_count * WF_FRAME_WORDS(weft_access);
    parts.quad = (const weft_quad *)at;
    return parts;
}

/// The table of slot 0 for a dispatch: its own, the layer's, or the pass's.
static inline weft_argument_table wf_frame_dispatch_globals(const struct weft_frame *frame,
                                                            const struct wf_frame_packet *packet,
                                                            const struct wf_frame_dispatch *d)
{
    if (!weft_argument_table_is_none(d->arguments[0]))
        return d->arguments[0];
    return wf_frame_globals(wf_frame_at(&frame->passes, packet->pass),
                            wf_frame_at(&frame->layers, packet->layer));
}

/// Room for a packet and `words` of its side data, neither initialised but for where that is; NULL
/// when out of memory.
static inline struct wf_frame_packet *wf_frame_packet_room(struct weft_frame *frame, size_t words,
                                                           uint64_t **side)
{
    const size_t at = frame->tape.count;
    *side = wf_frame_take(frame, &frame->tape, words);
    struct wf_frame_packet *packet = *side ? wf_frame_take(frame, &frame->packets, 1) : NULL;
    if (packet)
        packet->side = (uint32_t)at;
    return packet;
}

/// Index of the layer that was given, or of the one that is open.
static inline uint32_t wf_frame_layer_spot(const struct weft_frame *frame, weft_layer layer)
{
    if (layer.generation == frame->generation && layer.index - 1 < (uint32_t)frame->layers.count)
        return layer.index - 1;
    return layer.index == 0 && layer.generation == 0 ? frame->open_layer : WF_FRAME_BAD;
}

/// Pass, layer and clip of a packet, from what was given and what is open.
struct wf_frame_spot {
    uint32_t pass, layer, clip;
};

static inline struct wf_frame_spot wf_frame_spot(const struct weft_frame *frame, weft_target target,
                                                 weft_layer layer, weft_clip clip)
{
    struct wf_frame_spot spot = {frame->open_pass, wf_frame_layer_spot(frame, layer),
                                 frame->open_clip};
    if (target.index != 0 || target.generation != 0)
        spot.pass = wf_frame_pass_find(frame, target);
    if (clip.index != 0 || clip.generation != 0)
        spot.clip = clip.generation == frame->generation && clip.index != 0 &&
                            clip.index <= frame->clips.count
                        ? clip.index - 1
                        : WF_FRAME_BAD;
    return spot;
}

/// Likewise of what stands alone: a pass between those of targets is made for it, and marked. The
/// pass is WF_FRAME_NONE when out of memory. dispatch.c
struct wf_frame_spot wf_frame_spot_alone(struct weft_frame *frame, weft_target target,
                                         weft_layer layer);

/// The last packet was filled in: judges it at once, if the frame does. Returns its sequence, or
/// UINT64_MAX.
static inline uint64_t wf_frame_packet_done(struct weft_frame *frame)
{
    const uint32_t sequence = (uint32_t)frame->packets.count - 1;
    return frame->eager ? wf_frame_packet_judge(frame, sequence) : sequence;
}

/// Bytes of a root block as a packet keeps them.
static inline uint16_t wf_frame_root_bytes(uint32_t bytes)
{
    return (uint16_t)(bytes < UINT16_MAX ? bytes : UINT16_MAX);
}

#endif
