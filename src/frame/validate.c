#include "frame/packet.h"

/// Fills in the order, and says what is not of this frame.
static bool check_spot(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    bool ok = true;
    const uint64_t sequence = frame->judged;
    if (packet->pass >= WF_FRAME_BAD) {
        const bool given = packet->pass == WF_FRAME_BAD;
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_PACKET_NO_PASS, sequence, packet->layer,
                             given ? "The packet's target is no pass of this frame."
                                   : "The packet is appended while no pass is open.");
    }
    if (packet->layer >= WF_FRAME_BAD)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_LAYER_NAME, sequence, WF_FRAME_NONE,
                             "The packet's layer is not of this frame.");
    if (packet->clip == WF_FRAME_BAD)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_CLIP_NAME, sequence, packet->layer,
                             "The packet's clip is not of this frame.");
    if (packet->order > WEFT_ORDER_DEPTH)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_ORDER, sequence, packet->layer,
                             "The packet's order is none.");
    if (!ok)
        return false;
    const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
    // INHERIT is 0; a stricter order is a smaller one
    if (packet->order > layer->order)
        return wf_frame_broken(frame, WEFT_RULE_FRAME_ORDER_LOOSER, sequence, packet->layer,
                               "The packet's order is looser than that of layer '%s'.",
                               layer->name);
    if (packet->order == WEFT_ORDER_INHERIT)
        packet->order = (uint8_t)layer->order;
    return true;
}

/// What is declared is whole, and lives; core says why not.
static bool check_accesses(struct weft_frame *frame, const struct wf_frame_packet *packet)
{
    const weft_access *accesses = wf_frame_packet_parts(frame, packet).accesses;
    bool ok = true;
    for (uint32_t i = 0; i < packet->access_count; i++) {
        const weft_rule rule = wf_frame_access_rule(&accesses[i]);
        if (rule != WEFT_RULE_NONE)
            ok = wf_frame_broken(frame, rule, frame->judged, packet->layer,
                                 "Access %u of the packet, of kind %d, is not whole.", i,
                                 (int)accesses[i].kind);
        else
            ok &= wf_frame_access_lives(frame->device, &accesses[i]);
    }
    return ok;
}

bool wf_frame_check_root_range(struct weft_frame *frame, const struct wf_frame_packet *packet)
{
    const weft_capabilities *caps = weft_device_capabilities(frame->device);
    const uint32_t root = caps ? caps->limits.max_root_bytes : 0;
    const uint32_t at = packet->root_offset, size = packet->root_size;
    if (size == 0 && at == 0)
        return true;
    if (at % 4 == 0 && size % 4 == 0 && at + size <= root)
        return true;
    return wf_frame_broken(frame, WEFT_RULE_FRAME_ROOT_RANGE, frame->judged, packet->layer,
                           "Root data at %u, %u bytes, does not fit %u bytes in units of 4.", at,
                           size, root);
}

bool wf_frame_check_transform(struct weft_frame *frame, const struct wf_frame_material *material,
                              const float *transform, uint32_t layer)
{
    if (!transform || material->transform_offset != WEFT_NO_TRANSFORM)
        return true;
    return wf_frame_broken(frame, WEFT_RULE_FRAME_TRANSFORM_UNUSED, frame->judged, layer,
                           "The packet has a transform, and its material no place for one.");
}

static bool check_indirect(struct weft_frame *frame, const struct wf_frame_packet *packet,
                           const struct wf_frame_parts *parts)
{
    const weft_indirect_view *v = parts->indirect;
    const bool indexed = !weft_buffer_is_none(parts->geometry->indices);
    const size_t size =
        indexed ? sizeof(weft_draw_indexed_indirect_args) : sizeof(weft_draw_indirect_args);
    if ((v->stride == 0 || v->stride == size) && !weft_buffer_is_none(v->buffer))
        return true;
    return wf_frame_broken(frame, WEFT_RULE_FRAME_INDIRECT, frame->judged, packet->layer,
                           "The indirect view has stride %u; its arguments take %u bytes%s.",
                           v->stride, (uint32_t)size,
                           weft_buffer_is_none(v->buffer) ? ", and only a count" : "");
}

static bool judge_draw(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    bool ok = true;
    if (packet->kind > WEFT_PACKET_INSTANCES)
        return wf_frame_broken(frame, WEFT_RULE_FRAME_PACKET_KIND, frame->judged, packet->layer,
                               "The packet's kind is neither mesh nor instances.");
    const struct wf_frame_parts parts = wf_frame_packet_parts(frame, packet);
    if (packet->kind == WEFT_PACKET_MESH && parts.geometry->instance_count == 0)
        parts.geometry->instance_count = 1;
    if (parts.instances && parts.instances->stride == 0)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_INSTANCE_STRIDE, frame->judged, packet->layer,
                             "The instance stream has stride 0.");
    if (parts.indirect)
        ok &= check_indirect(frame, packet, &parts);
    ok &= wf_frame_check_root_range(frame, packet);
    const struct wf_frame_material *material =
        wf_frame_material_use(frame, packet->material, packet->layer);
    if (!material)
        return false;
    ok &= wf_frame_check_transform(frame, material, parts.transform, packet->layer);
    const uint32_t at = material->transform_offset;
    if (at != WEFT_NO_TRANSFORM && packet->root_size > 0 && packet->root_offset < at + 64 &&
        at < (uint32_t)packet->root_offset + packet->root_size)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_ROOT_OVERLAP, frame->judged, packet->layer,
                             "Root data at %u, %u bytes, overlaps the transform at %u.",
                             packet->root_offset, packet->root_size, at);
    return ok;
}

/// What draws nothing is kept for the report, with the reason.
static enum wf_frame_reason why_dropped(const struct weft_frame *frame,
                                        const struct wf_frame_packet *packet)
{
    const struct wf_frame_pass *pass = wf_frame_at(&frame->passes, packet->pass);
    const struct wf_frame_clip *clip =
        packet->clip == WF_FRAME_NONE ? NULL : wf_frame_at(&frame->clips, packet->clip);
    if (pass->dropped)
        return WF_FRAME_REASON_SKIPPED;
    if (clip && (clip->rect.width == 0 || clip->rect.height == 0))
        return WF_FRAME_REASON_CLIPPED;
    const struct wf_frame_parts parts = wf_frame_packet_parts(frame, packet);
    if (packet->kind == WEFT_PACKET_QUADS)
        return parts.quads->count == 0 ? WF_FRAME_REASON_EMPTY : WF_FRAME_REASON_NONE;
    const bool empty =
        !parts.indirect && (parts.geometry->count == 0 || parts.geometry->instance_count == 0);
    return empty ? WF_FRAME_REASON_EMPTY : WF_FRAME_REASON_NONE;
}

/// The rank of what has this key, by first appearance; `next` if it is new.
static uint32_t rank_of(struct weft_frame *frame, uint64_t key, uint32_t next, bool *is_new)
{
    const uint64_t *found = wf_base_map_find(&frame->ranks, key);
    *is_new = !found;
    if (!found && !wf_base_map_set(&frame->ranks, key, next))
        wf_frame_out_of_memory(frame);
    return found ? (uint32_t)*found : next;
}

static uint32_t new_look(struct weft_frame *frame, const struct wf_frame_packet *packet,
                         const struct wf_frame_material *material)
{
    struct wf_frame_look *look = wf_frame_append(frame, &frame->looks, 1);
    if (!look)
        return 0;
    const weft_graphics_pipeline p = material->pipeline;
    bool is_new;
    look->material = material;
    look->arguments = packet->arguments;
    look->pipeline = rank_of(frame, wf_base_hash_combine(1, (uint64_t)p.generation << 32 | p.index),
                             frame->pipeline_count, &is_new);
    frame->pipeline_count += is_new;
    return (uint32_t)frame->looks.count - 1;
}

/// Packets of one material and one table of slot 2 look alike.
static uint32_t look_of(struct weft_frame *frame, const struct wf_frame_packet *packet,
                        struct wf_frame_material *material)
{
    const bool plain = weft_argument_table_is_none(packet->arguments);
    if (plain && material->seen == frame->number)
        return material->look;
    uint32_t look = (uint32_t)frame->looks.count;
    bool is_new = true;
    if (!plain) {
        const weft_material m = packet->material;
        const weft_argument_table t = packet->arguments;
        const uint64_t key =
            wf_base_hash_combine(2, wf_base_hash_combine((uint64_t)m.generation << 32 | m.index,
                                                         (uint64_t)t.generation << 32 | t.index));
        look = rank_of(frame, key, look, &is_new);
    }
    if (is_new)
        look = new_look(frame, packet, material);
    if (plain) {
        material->seen = frame->number;
        material->look = look;
    }
    return look;
}

/// Judges a draw with which nothing is wrong, and that has nothing special: most are like that.
/// False, with nothing changed, if it needs a closer look.
static inline bool judge_usual(struct weft_frame *frame, struct wf_frame_packet *packet)
{
    const uint32_t special = packet->access_count | packet->root_offset | packet->root_size |
                             packet->kind >> 1 | (packet->flags & ~WF_FRAME_HAS_TRANSFORM);
    if (special != 0 || packet->pass >= WF_FRAME_BAD || packet->layer >= WF_FRAME_BAD ||
        packet->clip != WF_FRAME_NONE)
        return false;
    const struct wf_frame_layer *layer =
        (const struct wf_frame_layer *)frame->layers.items + packet->layer;
    const struct wf_frame_pass *pass =
        (const struct wf_frame_pass *)frame->passes.items + packet->pass;
    struct wf_frame_geometry *g =
        (struct wf_frame_geometry *)((uint64_t *)frame->tape.items + packet->side);
    const weft_material m = packet->material;
    struct wf_frame_material *material = wf_base_pool_look(
        &frame->context->materials, (struct wf_base_handle){m.index, m.generation});
    if (packet->order > layer->order || pass->dropped || g->count == 0 ||
        (g->instance_count == 0 && packet->kind != WEFT_PACKET_MESH) || !material ||
        (packet->flags && material->transform_offset == WEFT_NO_TRANSFORM))
        return false;
    if (g->instance_count == 0)
        g->instance_count = 1;
    if (packet->order == WEFT_ORDER_INHERIT)
        packet->order = (uint8_t)layer->order;
    packet->look = weft_argument_table_is_none(packet->arguments) && material->seen == frame->number
                       ? material->look
                       : look_of(frame, packet, material);
    return true;
}

void wf_frame_judge(struct weft_frame *frame, uint32_t sequence)
{
    struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    frame->judged = sequence;
    bool ok = true;
    if (packet->flags & WF_FRAME_HAS_NULLS)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_PACKET_NULL, sequence, packet->layer,
                             "A count or size is not zero but its pointer is NULL.");
    ok = check_spot(frame, packet) && ok;
    if (ok && packet->access_count > 0)
        ok = check_accesses(frame, packet);
    if (ok && packet->kind == WEFT_PACKET_DISPATCH)
        ok = wf_frame_judge_dispatch(frame, packet);
    else if (ok && packet->kind == WEFT_PACKET_RECORD)
        ok = wf_frame_judge_record(frame, packet);
    else if (ok && packet->kind == WEFT_PACKET_QUADS)
        ok = wf_frame_judge_quads(frame, packet);
    else if (ok)
        ok = judge_draw(frame, packet);
    frame->judged = UINT64_MAX;
    if (!ok) {
        wf_frame_fail(frame, WEFT_ERROR_USAGE);
        if (packet->fate != WEFT_FATE_FAILED) { // core's refusal, which nobody heard
            packet->fate = WEFT_FATE_FAILED;
            packet->reason = WF_FRAME_REASON_REFUSED;
        }
        return;
    }
    if (wf_frame_stands_alone(packet->kind))
        return;
    packet->reason = (uint8_t)why_dropped(frame, packet);
    if (packet->reason != WF_FRAME_REASON_NONE)
        packet->fate = WEFT_FATE_DROPPED;
    struct wf_frame_material *material =
        packet->fate == WEFT_FATE_DRAWN ? wf_frame_material_find(frame->context, packet->material)
                                        : NULL;
    if (material)
        packet->look = look_of(frame, packet, material);
}

/// A material could have been destroyed since its packet was judged.
static void check_again(struct weft_frame *frame, uint32_t sequence)
{
    struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    if (packet->fate != WEFT_FATE_DRAWN || wf_frame_stands_alone(packet->kind) ||
        wf_frame_material_find(frame->context, packet->material))
        return;
    wf_frame_broken(frame, WEFT_RULE_FRAME_MATERIAL, sequence, packet->layer,
                    "Material {%u, %u} was destroyed after the packet was appended.",
                    packet->material.index, packet->material.generation);
}

void wf_frame_validate(struct weft_frame *frame)
{
    // What core finds while a packet is judged is of that packet.
    const bool listening = weft_error_scope_listen(frame->device, WEFT_SEVERITY_ERROR,
                                                   wf_frame_listen, frame) == WEFT_OK;
    for (uint32_t i = 0; i < frame->packets.count; i++) {
        if (frame->eager)
            check_again(frame, i);
        else if (!judge_usual(frame, (struct wf_frame_packet *)frame->packets.items + i))
            wf_frame_judge(frame, i);
    }
    if (listening)
        weft_error_scope_pop(frame->device, NULL);
}
