#include "frame/packet.h"

#include <assert.h>

// The order is lexicographic in (pass, layer path, segment, mode, key, look, sequence). Packets
// that agree in all but the last three stand together, in one place: packets are counted by place,
// the few places are sorted, packets dealt out to them in sequence, and each place that sorts its
// packets does so by key and look. Every sort is a stable radix sort: the sequence needs none.
// Between two STRICT packets' segments nothing moves.

static struct wf_base_sort_item *sort_items(struct weft_frame *frame)
{
    return frame->sort.items;
}

/// Ranks layers by their paths: a parent before its children, siblings by (sort_base, push order).
/// A sort by sort_base gives the siblings' order, a walk over the tree the ranks.
static bool rank_layers(struct weft_frame *frame)
{
    const uint32_t count = (uint32_t)frame->layers.count;
    // Radix sort by sort_base; ties keep the push order.
    frame->sort.count = frame->sort_scratch.count = 0;
    if (!wf_frame_append(frame, &frame->sort, count) ||
        !wf_frame_append(frame, &frame->sort_scratch, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, i);
        sort_items(frame)[i] =
            (struct wf_base_sort_item){(uint32_t)layer->sort_base ^ UINT32_C(0x80000000), i, 0};
    }
    wf_base_sort(frame->sort.items, frame->sort_scratch.items, count);
    // Link children under their parents in reverse, so that each list ends up in order.
    for (uint32_t i = 0; i < count; i++) {
        struct wf_frame_layer *layer = wf_frame_at(&frame->layers, i);
        layer->first_child = layer->next_sibling = WF_FRAME_NONE;
    }
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t at = sort_items(frame)[i].index;
        struct wf_frame_layer *layer = wf_frame_at(&frame->layers, at);
        if (layer->parent == WF_FRAME_NONE)
            continue;
        struct wf_frame_layer *parent = wf_frame_at(&frame->layers, layer->parent);
        layer->next_sibling = parent->first_child;
        parent->first_child = at;
    }
    // Preorder walk without recursion: down, else across, else up until there is an across.
    uint32_t rank = 0;
    for (uint32_t at = 0; at != WF_FRAME_NONE;) {
        struct wf_frame_layer *layer = wf_frame_at(&frame->layers, at);
        layer->rank = rank++;
        if (layer->first_child != WF_FRAME_NONE) {
            at = layer->first_child;
            continue;
        }
        while (at != WF_FRAME_NONE) {
            layer = wf_frame_at(&frame->layers, at);
            if (layer->next_sibling != WF_FRAME_NONE) {
                at = layer->next_sibling;
                break;
            }
            at = layer->parent;
        }
    }
    assert(rank == count);
    return true;
}

/// Pipelines by first appearance, and within one of them looks: a counting sort.
static bool rank_looks(struct weft_frame *frame)
{
    frame->sort.count = frame->sort_scratch.count = 0;
    const uint32_t count = (uint32_t)frame->looks.count;
    if (!wf_frame_append(frame, &frame->sort, count) ||
        !wf_frame_append(frame, &frame->sort_scratch, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_frame_look *look = wf_frame_at(&frame->looks, i);
        sort_items(frame)[i] = (struct wf_base_sort_item){look->pipeline, i, 0};
    }
    wf_base_sort(frame->sort.items, frame->sort_scratch.items, count);
    for (uint32_t i = 0; i < count; i++)
        ((struct wf_frame_look *)wf_frame_at(&frame->looks, sort_items(frame)[i].index))->rank = i;
    return true;
}

/// The lane of a packet. NULL when out of memory.
static struct wf_frame_lane *lane_of(struct weft_frame *frame, const struct wf_frame_packet *packet)
{
    struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
    if (layer->lane != WF_FRAME_NONE) {
        struct wf_frame_lane *last = wf_frame_at(&frame->lanes, layer->lane);
        if (last->pass == packet->pass)
            return last;
    }
    const uint64_t key = (uint64_t)packet->pass << 32 | packet->layer;
    const uint64_t *known = wf_base_map_find(&frame->ranks, key);
    layer->lane = known ? (uint32_t)*known : (uint32_t)frame->lanes.count;
    if (known)
        return wf_frame_at(&frame->lanes, *known);
    struct wf_frame_lane *lane = wf_frame_append(frame, &frame->lanes, 1);
    if (!lane || !wf_base_map_set(&frame->ranks, key, layer->lane)) {
        wf_frame_out_of_memory(frame);
        return NULL;
    }
    *lane = (struct wf_frame_lane){
        .pass = packet->pass,
        .layer = packet->layer,
        .places = {WF_FRAME_NONE, WF_FRAME_NONE, WF_FRAME_NONE, WF_FRAME_NONE, WF_FRAME_NONE},
    };
    return lane;
}

/// A change between STRICT and not begins a new segment.
static void next_segment(struct wf_frame_lane *lane, uint8_t order)
{
    const bool strict = order == WEFT_ORDER_STRICT;
    const bool others = lane->places[WEFT_ORDER_LAYERED] != WF_FRAME_NONE ||
                        lane->places[WEFT_ORDER_SORTABLE] != WF_FRAME_NONE ||
                        lane->places[WEFT_ORDER_DEPTH] != WF_FRAME_NONE;
    if (strict ? !others : lane->places[WEFT_ORDER_STRICT] == WF_FRAME_NONE)
        return;
    lane->segment++;
    for (uint32_t i = 0; i < 5; i++)
        lane->places[i] = WF_FRAME_NONE;
}

/// Counts a packet into its place, if the last one of its layer went there as well.
static inline bool count_like_last(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    const struct wf_frame_layer *layer =
        (const struct wf_frame_layer *)frame->layers.items + packet->layer;
    if (layer->lane == WF_FRAME_NONE)
        return false;
    const struct wf_frame_lane *lane =
        (const struct wf_frame_lane *)frame->lanes.items + layer->lane;
    const uint32_t at = lane->places[packet->order];
    if (lane->pass != packet->pass || at == WF_FRAME_NONE)
        return false;
    packet->position = at;
    ((struct wf_frame_place *)frame->places.items + at)->count++;
    return true;
}

/// Counts a packet into its place.
static bool count_packet(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    struct wf_frame_lane *lane = lane_of(frame, packet);
    if (!lane)
        return false;
    next_segment(lane, packet->order);
    uint32_t *at = &lane->places[packet->order];
    if (*at == WF_FRAME_NONE) {
        struct wf_frame_place *place = wf_frame_append(frame, &frame->places, 1);
        if (!place)
            return false;
        *at = (uint32_t)frame->places.count - 1;
        place->lane = (uint32_t)(lane - (struct wf_frame_lane *)frame->lanes.items);
        place->segment = lane->segment;
        place->order = packet->order;
    }
    packet->position = *at;
    ((struct wf_frame_place *)wf_frame_at(&frame->places, *at))->count++;
    return true;
}

/// Where each place begins in the order.
static bool sort_places(struct weft_frame *frame)
{
    const uint32_t count = (uint32_t)frame->places.count;
    frame->sort.count = frame->sort_scratch.count = 0;
    struct wf_base_sort_item *items = wf_frame_take(frame, &frame->sort, count);
    if (!items || !wf_frame_take(frame, &frame->sort_scratch, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_frame_place *place = wf_frame_at(&frame->places, i);
        items[i] = (struct wf_base_sort_item){(uint64_t)place->segment << 3 | place->order, i, 0};
    }
    wf_base_sort(items, frame->sort_scratch.items, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_frame_place *place = wf_frame_at(&frame->places, items[i].index);
        const struct wf_frame_lane *lane = wf_frame_at(&frame->lanes, place->lane);
        const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, lane->layer);
        items[i].key = (uint64_t)lane->pass << 32 | layer->rank;
    }
    wf_base_sort(items, frame->sort_scratch.items, count);
    uint32_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct wf_frame_place *place = wf_frame_at(&frame->places, items[i].index);
        const struct wf_frame_lane *lane = wf_frame_at(&frame->lanes, place->lane);
        struct wf_frame_pass *pass = wf_frame_at(&frame->passes, lane->pass);
        if (pass->count == 0)
            pass->first = start;
        pass->count += place->count;
        place->start = start;
        start += place->count;
        place->count = 0; // counted again while packets are dealt out
    }
    return true;
}

static bool is_sorted(const struct wf_frame_layer *layer, uint8_t order)
{
    return order == WEFT_ORDER_SORTABLE || order == WEFT_ORDER_DEPTH ||
           (order == WEFT_ORDER_LAYERED && layer->sort_inside);
}

/// Packets go to their places, in sequence.
static void deal(struct weft_frame *frame)
{
    struct wf_base_sort_item *items = sort_items(frame);
    const struct wf_frame_look *looks = frame->looks.items;
    const struct wf_frame_packet *packets = frame->packets.items;
    const struct wf_frame_layer *layers = frame->layers.items;
    struct wf_frame_place *places = frame->places.items;
    for (uint32_t i = 0; i < frame->packets.count; i++) {
        const struct wf_frame_packet *packet = &packets[i];
        if (packet->fate != WEFT_FATE_DRAWN)
            continue;
        const struct wf_frame_layer *layer = &layers[packet->layer];
        struct wf_frame_place *place = &places[packet->position];
        items[place->start + place->count++] = (struct wf_base_sort_item){
            .key = packet->sort_key >> layer->key_shift,
            .index = i,
            .payload = packet->look == WF_FRAME_NONE ? 0 : looks[packet->look].rank,
        };
    }
}

static void sort_inside(struct weft_frame *frame)
{
    for (uint32_t i = 0; i < frame->places.count; i++) {
        const struct wf_frame_place *place = wf_frame_at(&frame->places, i);
        const struct wf_frame_lane *lane = wf_frame_at(&frame->lanes, place->lane);
        if (is_sorted(wf_frame_at(&frame->layers, lane->layer), place->order))
            wf_base_sort_payload(&sort_items(frame)[place->start],
                                 wf_frame_at(&frame->sort_scratch, place->start), place->count);
    }
}

static void reset(struct weft_frame *frame)
{
    for (uint32_t i = 0; i < frame->passes.count; i++) {
        struct wf_frame_pass *pass = wf_frame_at(&frame->passes, i);
        pass->first = pass->count = 0;
    }
    for (uint32_t i = 0; i < frame->layers.count; i++)
        ((struct wf_frame_layer *)wf_frame_at(&frame->layers, i))->lane = WF_FRAME_NONE;
    wf_base_map_clear(&frame->ranks);
    frame->lanes.count = frame->places.count = frame->order.count = 0;
}

bool wf_frame_plan_order(struct weft_frame *frame)
{
    if (!rank_layers(frame) || !rank_looks(frame))
        return false;
    reset(frame);
    uint32_t drawn = 0;
    struct wf_frame_packet *packets = frame->packets.items;
    for (uint32_t i = 0; i < frame->packets.count; i++) {
        struct wf_frame_packet *packet = &packets[i];
        if (packet->fate != WEFT_FATE_DRAWN)
            continue;
        if (!count_like_last(frame, packet) && !count_packet(frame, packet))
            return false;
        drawn++;
    }
    if (!sort_places(frame))
        return false;
    frame->sort.count = frame->sort_scratch.count = 0;
    uint32_t *order = wf_frame_take(frame, &frame->order, drawn);
    if (!order || !wf_frame_take(frame, &frame->sort, drawn) ||
        !wf_frame_take(frame, &frame->sort_scratch, drawn))
        return false;
    deal(frame);
    sort_inside(frame);
    const struct wf_base_sort_item *items = sort_items(frame);
    for (uint32_t i = 0; i < drawn; i++) {
        order[i] = items[i].index;
        packets[order[i]].position = i;
    }
    return true;
}
