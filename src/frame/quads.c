#include "frame/context.h"

#include <string.h>

/// As shaders/quad.vert reads it.
struct quad_vertex {
    float position[2], uv[2], color[4];
};

static void quad_vertices(const weft_quad *q, struct quad_vertex out[4])
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

/// Vertices and indices in the frame's transient memory.
static bool generate(struct weft_frame *frame, const weft_quad *quads, uint32_t count,
                     struct wf_frame_geometry *out)
{
    static const uint32_t corners[6] = {0, 2, 1, 1, 2, 3};
    const weft_transient vertices =
        weft_transient_alloc(frame->device, (uint64_t)count * 4 * sizeof(struct quad_vertex), 16);
    const weft_transient indices =
        weft_transient_alloc(frame->device, (uint64_t)count * 6 * sizeof(uint32_t), 16);
    if (!vertices.cpu || !indices.cpu) {
        wf_frame_fail(frame, WEFT_ERROR_DEVICE_MEMORY);
        return false;
    }
    struct quad_vertex *v = vertices.cpu;
    uint32_t *index = indices.cpu;
    for (uint32_t i = 0; i < count; i++) {
        quad_vertices(&quads[i], v + (size_t)i * 4);
        for (uint32_t c = 0; c < 6; c++)
            index[(size_t)i * 6 + c] = i * 4 + corners[c];
    }
    const uint32_t first_stream = (uint32_t)frame->streams.count;
    weft_stream_view *stream = wf_frame_append(frame, &frame->streams, 1);
    if (!stream)
        return false;
    *stream = (weft_stream_view){0, vertices.buffer, vertices.offset};
    *out = (struct wf_frame_geometry){
        .first_stream = first_stream,
        .stream_count = 1,
        .indices = indices.buffer,
        .index_offset = indices.offset,
        .index_type = WEFT_INDEX_UINT32,
        .count = count * 6,
        .instances = {.count = 1},
        .indirect = WF_FRAME_NONE,
    };
    return true;
}

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

static bool own_material(struct weft_frame *frame, const weft_quads_packet *packet,
                         struct wf_frame_packet *hot)
{
    const bool textured = !weft_texture_view_is_none(packet->view);
    const struct wf_frame_pass *pass = wf_frame_at(&frame->passes, hot->pass);
    if (!wf_frame_quad_material(frame, pass, hot->layer, textured, &hot->material))
        return false;
    if (!textured)
        return true;
    // What core says of the view is why the packet is refused.
    const bool listening = weft_error_scope_listen(frame->device, WEFT_SEVERITY_ERROR,
                                                   wf_frame_listen, frame) == WEFT_OK;
    const bool ok = wf_frame_quad_table(frame, packet->view, packet->sampler, &hot->arguments);
    if (listening)
        weft_error_scope_pop(frame->device, NULL);
    return ok;
}

static bool material_is_good(struct weft_frame *frame, const weft_quads_packet *packet,
                             struct wf_frame_packet *hot)
{
    if (packet->material.index == 0 && packet->material.generation == 0)
        return own_material(frame, packet, hot);
    hot->material = packet->material;
    if (!weft_texture_view_is_none(packet->view))
        return wf_frame_broken(frame, WEFT_RULE_FRAME_QUAD_VIEW, frame->packets.count, hot->layer,
                               "The quads have both a material and a view.");
    const struct wf_frame_material *material =
        wf_frame_material_use(frame, packet->material, hot->layer);
    return material && wf_frame_check_transform(frame, material, packet->transform, hot->layer);
}

uint64_t weft_frame_draw_quads(weft_frame *frame, const weft_quads_packet *packet)
{
    if (!wf_frame_given(frame, packet))
        return UINT64_MAX;
    struct wf_frame_packet hot = {
        .sort_key = packet->sort_key,
        .kind = WEFT_DRAW_QUADS,
        .root = WF_FRAME_NONE,
        .transform = WF_FRAME_NONE,
    };
    if (!wf_frame_packet_place(frame, &hot, packet->target, packet->layer, packet->clip,
                               packet->order))
        return wf_frame_packet_refuse(frame, &hot);
    if (packet->quad_count > 0 && !packet->quads) {
        wf_frame_broken(frame, WEFT_RULE_FRAME_PACKET_NULL, frame->packets.count, hot.layer,
                        "The quad_count is %u but quads is NULL.", packet->quad_count);
        return wf_frame_packet_refuse(frame, &hot);
    }
    struct wf_frame_pass *pass = wf_frame_at(&frame->passes, hot.pass);
    hot.geometry = (uint32_t)frame->geometries.count;
    struct wf_frame_geometry geometry = {.indirect = WF_FRAME_NONE};
    // a pass that is dropped has no size; the packet is kept for the report
    if (!pass->dropped && packet->quad_count > 0) {
        if (packet->quad_count > UINT32_MAX / 6) {
            wf_frame_broken(frame, WEFT_RULE_FRAME_QUAD_COUNT, frame->packets.count, hot.layer,
                            "%u quads have more indices than 32 bits count.", packet->quad_count);
            return wf_frame_packet_refuse(frame, &hot);
        }
        if (!material_is_good(frame, packet, &hot) ||
            !generate(frame, packet->quads, packet->quad_count, &geometry))
            return wf_frame_packet_refuse(frame, &hot);
        hot.transform = (uint32_t)frame->transforms.count;
        float *transform = wf_frame_append(frame, &frame->transforms, 1);
        if (!transform)
            return UINT64_MAX;
        if (packet->transform)
            memcpy(transform, packet->transform, 16 * sizeof(float));
        else
            texels_to_clip(&pass->attachments, transform);
    }
    struct wf_frame_geometry *at = wf_frame_append(frame, &frame->geometries, 1);
    if (!at)
        return UINT64_MAX;
    *at = geometry;
    return wf_frame_packet_push(frame, &hot);
}
