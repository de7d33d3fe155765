#include "frame/context.h"

#include <string.h>

static uint32_t layer_find(const struct weft_frame *frame, weft_layer layer)
{
    if (layer.index == 0 && layer.generation == 0)
        return frame->open_layer;
    if (layer.generation != wf_frame_generation(frame) || layer.index > frame->layers.count ||
        layer.index == 0)
        return WF_FRAME_NONE;
    return layer.index - 1;
}

/// False if the clip is not of this frame.
static bool clip_find(const struct weft_frame *frame, weft_clip clip, uint32_t *out)
{
    *out = frame->open_clip;
    if (clip.index == 0 && clip.generation == 0)
        return true;
    *out = clip.index - 1;
    return clip.generation == wf_frame_generation(frame) && clip.index != 0 &&
           clip.index <= frame->clips.count;
}

bool wf_frame_packet_place(struct weft_frame *frame, struct wf_frame_packet *packet,
                           weft_target target, weft_layer layer, weft_clip clip, weft_order order)
{
    bool ok = true;
    const uint64_t sequence = frame->packets.count;
    const bool given = target.index != 0 || target.generation != 0;
    packet->pass = given ? wf_frame_pass_find(frame, target) : frame->open_pass;
    packet->layer = layer_find(frame, layer);
    if (packet->pass == WF_FRAME_NONE)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_PACKET_NO_PASS, sequence, packet->layer,
                             given ? "The packet's target is no pass of this frame."
                                   : "The packet is appended while no pass is open.");
    if (packet->layer == WF_FRAME_NONE)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_LAYER_NAME, sequence, WF_FRAME_NONE,
                             "Layer {%u, %u} is not of this frame.", layer.index, layer.generation);
    if (!clip_find(frame, clip, &packet->clip))
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_CLIP_NAME, sequence, packet->layer,
                             "Clip {%u, %u} is not of this frame.", clip.index, clip.generation);
    if (order > WEFT_ORDER_DEPTH)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_ORDER, sequence, packet->layer,
                             "The packet has order %d, which is none.", (int)order);
    if (!ok)
        return false;
    const struct wf_frame_layer *at = wf_frame_at(&frame->layers, packet->layer);
    // INHERIT is 0; a stricter order is a smaller one
    if (order > at->order)
        return wf_frame_broken(frame, WEFT_RULE_FRAME_ORDER_LOOSER, sequence, packet->layer,
                               "The packet's order is looser than that of layer '%s'.", at->name);
    packet->order = (uint8_t)(order == WEFT_ORDER_INHERIT ? at->order : order);
    return true;
}

uint64_t wf_frame_packet_push(struct weft_frame *frame, const struct wf_frame_packet *packet)
{
    struct wf_frame_packet *at = wf_frame_append(frame, &frame->packets, 1);
    if (!at)
        return UINT64_MAX;
    *at = *packet;
    at->next_in_pass = WF_FRAME_NONE;
    const uint32_t sequence = (uint32_t)frame->packets.count - 1;
    struct wf_frame_pass *pass = wf_frame_at(&frame->passes, packet->pass);
    if (pass->tail == WF_FRAME_NONE)
        pass->head = sequence;
    else
        ((struct wf_frame_packet *)wf_frame_at(&frame->packets, pass->tail))->next_in_pass =
            sequence;
    pass->tail = sequence;
    ((struct wf_frame_layer *)wf_frame_at(&frame->layers, packet->layer))->packets++;
    return sequence;
}

uint64_t wf_frame_packet_refuse(struct weft_frame *frame, const struct wf_frame_packet *packet)
{
    const uint32_t rule = frame->refusal;
    frame->refusal = 0;
    // without a rule memory is out
    struct wf_frame_packet *at = rule ? wf_frame_append(frame, &frame->packets, 1) : NULL;
    if (!at)
        return UINT64_MAX;
    *at = *packet;
    at->fate = WEFT_PACKET_FAILED;
    at->code = rule;
    at->reason = "it was refused when it was appended";
    if (at->layer != WF_FRAME_NONE)
        ((struct wf_frame_layer *)wf_frame_at(&frame->layers, at->layer))->packets++;
    return UINT64_MAX;
}

bool wf_frame_check_transform(struct weft_frame *frame, const struct wf_frame_material *material,
                              const float *transform, uint32_t layer)
{
    if (!transform || material->transform_offset != WEFT_NO_TRANSFORM)
        return true;
    return wf_frame_broken(frame, WEFT_RULE_FRAME_TRANSFORM_UNUSED, frame->packets.count, layer,
                           "The packet has a transform, and its material no place for one.");
}

static bool check_arrays(struct weft_frame *frame, const weft_draw_packet *p, uint32_t layer)
{
    bool ok = true;
    const uint64_t sequence = frame->packets.count;
    const weft_geometry_view *g = &p->geometry;
    if ((g->stream_count > 0 && !g->streams) || (p->access_count > 0 && !p->accesses) ||
        (p->root_size > 0 && !p->root))
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_PACKET_NULL, sequence, layer,
                             "A count or size is not zero but its pointer is NULL.");
    for (uint32_t i = 0; p->accesses && i < p->access_count; i++) {
        const weft_rule rule = wf_frame_access_rule(&p->accesses[i]);
        if (rule != WEFT_RULE_NONE)
            ok = wf_frame_broken(frame, rule, sequence, layer,
                                 "Access %u of the packet, of kind %d, is not whole.", i,
                                 (int)p->accesses[i].kind);
    }
    return ok;
}

/// What is declared lives; core says why not.
static bool check_accesses(struct weft_frame *frame, const weft_draw_packet *p)
{
    if (p->access_count == 0)
        return true;
    const bool listening = weft_error_scope_listen(frame->device, WEFT_SEVERITY_ERROR,
                                                   wf_frame_listen, frame) == WEFT_OK;
    bool ok = true;
    for (uint32_t i = 0; i < p->access_count; i++)
        ok &= wf_frame_access_lives(frame->device, &p->accesses[i]);
    if (listening)
        weft_error_scope_pop(frame->device, NULL);
    if (!ok)
        wf_frame_fail(frame, WEFT_ERROR_USAGE);
    return ok;
}

static bool check_draws(struct weft_frame *frame, const weft_draw_packet *p, uint32_t layer)
{
    bool ok = true;
    const uint64_t sequence = frame->packets.count;
    if (p->kind != WEFT_DRAW_MESH && p->kind != WEFT_DRAW_INSTANCES)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_PACKET_KIND, sequence, layer,
                             "A packet of kind %d is neither mesh nor instances.", (int)p->kind);
    if (!weft_buffer_is_none(p->instances.buffer) && p->instances.stride == 0)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_INSTANCE_STRIDE, sequence, layer,
                             "The instance stream has stride 0.");
    const bool indexed = !weft_buffer_is_none(p->geometry.indices);
    const size_t size =
        indexed ? sizeof(weft_draw_indexed_indirect_args) : sizeof(weft_draw_indirect_args);
    const bool counted = !weft_buffer_is_none(p->indirect.count_buffer);
    if ((p->indirect.stride != 0 && p->indirect.stride != size) ||
        (counted && weft_buffer_is_none(p->indirect.buffer)))
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_INDIRECT, sequence, layer,
                             "The indirect view has stride %u; its arguments take %u bytes%s.",
                             p->indirect.stride, (uint32_t)size,
                             counted ? ", and it has a count" : "");
    return ok;
}

static bool check_root(struct weft_frame *frame, const weft_draw_packet *p, uint32_t layer)
{
    bool ok = true;
    const uint64_t sequence = frame->packets.count;
    const weft_capabilities *caps = weft_device_capabilities(frame->device);
    const uint32_t root = caps ? caps->limits.max_root_bytes : 0;
    if (p->root_offset % 4 || p->root_size % 4 || p->root_offset > root ||
        p->root_size > root - p->root_offset)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_ROOT_RANGE, sequence, layer,
                             "Root data at %u, %u bytes, does not fit %u bytes in units of 4.",
                             p->root_offset, p->root_size, root);
    const struct wf_frame_material *material = wf_frame_material_use(frame, p->material, layer);
    if (!material)
        return false;
    const uint32_t at = material->transform_offset;
    if (at == WEFT_NO_TRANSFORM)
        return wf_frame_check_transform(frame, material, p->transform, layer) && ok;
    if (p->root_size > 0 && p->root_offset < at + 64 && at < p->root_offset + p->root_size)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_ROOT_OVERLAP, sequence, layer,
                             "Root data at %u, %u bytes, overlaps the transform at %u.",
                             p->root_offset, p->root_size, at);
    return ok;
}

static bool check_packet(struct weft_frame *frame, const weft_draw_packet *p, uint32_t layer)
{
    bool ok = check_arrays(frame, p, layer) && check_accesses(frame, p);
    ok &= check_draws(frame, p, layer);
    ok &= check_root(frame, p, layer);
    return ok;
}

/// Copies the side data of a packet. False when out of memory.
static bool copy_side(struct weft_frame *frame, const weft_draw_packet *p,
                      struct wf_frame_packet *packet)
{
    packet->transform = packet->root = WF_FRAME_NONE;
    if (p->transform) {
        packet->transform = (uint32_t)frame->transforms.count;
        void *at = wf_frame_append(frame, &frame->transforms, 1);
        if (!at)
            return false;
        memcpy(at, p->transform, 16 * sizeof(float));
    }
    if (p->root_size > 0) {
        packet->root = (uint32_t)frame->root_bytes.count;
        packet->root_offset = (uint16_t)p->root_offset;
        packet->root_size = (uint16_t)p->root_size;
        void *at = wf_frame_append(frame, &frame->root_bytes, p->root_size);
        if (!at)
            return false;
        memcpy(at, p->root, p->root_size);
    }
    packet->first_access = (uint32_t)frame->declared.count;
    packet->access_count = p->access_count;
    if (p->access_count > 0) {
        void *at = wf_frame_append(frame, &frame->declared, p->access_count);
        if (!at)
            return false;
        memcpy(at, p->accesses, p->access_count * sizeof(weft_access));
    }
    return true;
}

static bool copy_geometry(struct weft_frame *frame, const weft_draw_packet *p,
                          struct wf_frame_packet *packet)
{
    const weft_geometry_view *from = &p->geometry;
    const uint32_t first = (uint32_t)frame->streams.count;
    if (from->stream_count > 0) {
        void *at = wf_frame_append(frame, &frame->streams, from->stream_count);
        if (!at)
            return false;
        memcpy(at, from->streams, from->stream_count * sizeof(weft_stream_view));
    }
    uint32_t indirect = WF_FRAME_NONE;
    if (!weft_buffer_is_none(p->indirect.buffer)) {
        indirect = (uint32_t)frame->indirects.count;
        weft_indirect_view *at = wf_frame_append(frame, &frame->indirects, 1);
        if (!at)
            return false;
        *at = p->indirect;
    }
    packet->geometry = (uint32_t)frame->geometries.count;
    struct wf_frame_geometry *to = wf_frame_append(frame, &frame->geometries, 1);
    if (!to)
        return false;
    *to = (struct wf_frame_geometry){
        .first_stream = first,
        .stream_count = from->stream_count,
        .indices = from->indices,
        .index_offset = from->index_offset,
        .index_type = from->index_type,
        .first = from->first,
        .count = from->count,
        .vertex_offset = from->vertex_offset,
        .instances = p->instances,
        .indirect = indirect,
    };
    if (p->kind == WEFT_DRAW_MESH && to->instances.count == 0)
        to->instances.count = 1;
    return true;
}

uint64_t weft_frame_draw(weft_frame *frame, const weft_draw_packet *packet)
{
    if (!wf_frame_given(frame, packet))
        return UINT64_MAX;
    struct wf_frame_packet hot = {
        .sort_key = packet->sort_key,
        .material = packet->material,
        .arguments = packet->arguments,
        .kind = (uint8_t)(packet->kind <= WEFT_DRAW_QUADS ? packet->kind : WEFT_DRAW_MESH),
    };
    if (!wf_frame_packet_place(frame, &hot, packet->target, packet->layer, packet->clip,
                               packet->order) ||
        !check_packet(frame, packet, hot.layer) || !copy_side(frame, packet, &hot) ||
        !copy_geometry(frame, packet, &hot))
        return wf_frame_packet_refuse(frame, &hot);
    return wf_frame_packet_push(frame, &hot);
}

static uint64_t draw_as(weft_frame *frame, const weft_draw_packet *packet, weft_draw_kind kind)
{
    weft_draw_packet copy = packet ? *packet : (weft_draw_packet){0};
    copy.kind = kind;
    return weft_frame_draw(frame, packet ? &copy : NULL);
}

uint64_t weft_frame_draw_mesh(weft_frame *frame, const weft_draw_packet *packet)
{
    return draw_as(frame, packet, WEFT_DRAW_MESH);
}

uint64_t weft_frame_draw_instances(weft_frame *frame, const weft_draw_packet *packet)
{
    return draw_as(frame, packet, WEFT_DRAW_INSTANCES);
}
