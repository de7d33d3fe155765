#include "frame/context.h"

#include <assert.h>

// The order is lexicographic in (pass, layer path, segment, mode, key, material, sequence). It
// comes from stable radix sorts by the least significant part first; the sequence needs none, as
// packets start in it. A STRICT packet is a segment of its own, so that nothing crosses it.

/// Whether a sort key counts for this packet.
static bool is_sorted(const struct wf_frame_layer *layer, uint8_t order)
{
    return order == WEFT_ORDER_SORTABLE || order == WEFT_ORDER_DEPTH ||
           (order == WEFT_ORDER_LAYERED && layer->sort_inside);
}

static struct wf_base_sort_item *sort_items(struct weft_frame *frame)
{
    return frame->sort.items;
}

static void sort(struct weft_frame *frame)
{
    wf_base_sort(frame->sort.items, frame->sort_scratch.items, (uint32_t)frame->sort.count);
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
    sort(frame);
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

/// Rank of the packet's material: pipelines by first appearance, then tables by first appearance.
static uint64_t material_rank(struct weft_frame *frame, const struct wf_frame_packet *packet)
{
    const struct wf_frame_material *m = wf_frame_material_find(frame->context, packet->material);
    const uint64_t keys[2] = {
        wf_base_hash_combine(1, (uint64_t)m->pipeline.generation << 32 | m->pipeline.index),
        wf_base_hash_combine(2, wf_base_hash_combine((uint64_t)packet->material.generation << 32 |
                                                         packet->material.index,
                                                     (uint64_t)packet->arguments.generation << 32 |
                                                         packet->arguments.index)),
    };
    uint64_t rank = 0;
    for (int i = 0; i < 2; i++) {
        const uint64_t *found = wf_base_map_find(&frame->materials, keys[i]);
        const uint64_t value = found ? *found : frame->materials.count;
        if (!found && !wf_base_map_set(&frame->materials, keys[i], value))
            wf_frame_out_of_memory(frame);
        rank = rank << 32 | (uint32_t)value;
    }
    return rank;
}

/// Fills the sort with the packets that are drawn, keyed by material.
static bool sort_by_material(struct weft_frame *frame)
{
    frame->sort.count = frame->sort_scratch.count = 0;
    wf_base_map_clear(&frame->materials);
    if (!wf_frame_append(frame, &frame->sort, frame->packets.count) ||
        !wf_frame_append(frame, &frame->sort_scratch, frame->packets.count))
        return false;
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < frame->packets.count; i++) {
        const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, i);
        const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
        if (packet->fate != WEFT_PACKET_DRAWN)
            continue;
        const uint64_t key = is_sorted(layer, packet->order) ? material_rank(frame, packet) : 0;
        sort_items(frame)[drawn++] = (struct wf_base_sort_item){key, i, 0};
    }
    frame->sort.count = drawn;
    sort(frame);
    return frame->failed == WEFT_OK;
}

static void sort_by_key(struct weft_frame *frame)
{
    for (size_t i = 0; i < frame->sort.count; i++) {
        struct wf_base_sort_item *item = &sort_items(frame)[i];
        const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, item->index);
        const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
        item->key = is_sorted(layer, packet->order) ? packet->sort_key >> layer->key_shift : 0;
    }
    sort(frame);
}

/// Segments count up in the sequence, so they are given in that order.
static void number_segments(struct weft_frame *frame)
{
    for (size_t i = 0; i < frame->layers.count; i++)
        ((struct wf_frame_layer *)wf_frame_at(&frame->layers, i))->segment = 0;
    for (size_t i = 0; i < frame->packets.count; i++) {
        struct wf_frame_packet *packet = wf_frame_at(&frame->packets, i);
        struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
        const bool strict = packet->order == WEFT_ORDER_STRICT;
        if (strict)
            layer->segment++;
        packet->segment = layer->segment;
        if (strict)
            layer->segment++;
    }
}

static void sort_by_segment(struct weft_frame *frame)
{
    number_segments(frame);
    for (size_t i = 0; i < frame->sort.count; i++) {
        struct wf_base_sort_item *item = &sort_items(frame)[i];
        const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, item->index);
        item->key = (uint64_t)packet->segment << 3 | packet->order;
    }
    sort(frame);
}

static void sort_by_place(struct weft_frame *frame)
{
    for (size_t i = 0; i < frame->sort.count; i++) {
        struct wf_base_sort_item *item = &sort_items(frame)[i];
        const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, item->index);
        const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
        item->key = (uint64_t)packet->pass << 32 | layer->rank;
    }
    sort(frame);
}

/// Gives each pass its stretch of the order.
static bool cut_passes(struct weft_frame *frame)
{
    for (size_t p = 0; p < frame->passes.count; p++) {
        struct wf_frame_pass *pass = wf_frame_at(&frame->passes, p);
        pass->first = pass->count = 0;
    }
    frame->order.count = 0;
    uint32_t *order = wf_frame_append(frame, &frame->order, frame->sort.count);
    if (!order)
        return false;
    for (uint32_t i = 0; i < frame->sort.count; i++) {
        order[i] = sort_items(frame)[i].index;
        struct wf_frame_packet *packet = wf_frame_at(&frame->packets, order[i]);
        struct wf_frame_pass *pass = wf_frame_at(&frame->passes, packet->pass);
        packet->position = i;
        if (pass->count++ == 0)
            pass->first = i;
    }
    return true;
}

bool wf_frame_plan(struct weft_frame *frame)
{
    if (!rank_layers(frame) || !sort_by_material(frame))
        return false;
    sort_by_key(frame);
    sort_by_segment(frame);
    sort_by_place(frame);
    return cut_passes(frame);
}
