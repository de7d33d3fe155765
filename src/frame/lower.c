#include "frame/context.h"

#include <string.h>

/// What the encoder has been told, so that nothing is told twice.
struct lowering {
    struct weft_frame *frame;
    weft_render_encoder *enc;
    const struct wf_frame_pass *pass;
    weft_material material;
    weft_argument_table tables[WEFT_ARGUMENT_SLOTS];
    weft_buffer indices;
    uint64_t index_offset;
    weft_index_type index_type;
    uint32_t clip;
    bool clip_set;
};

static bool same_table(weft_argument_table a, weft_argument_table b)
{
    return a.index == b.index && a.generation == b.generation;
}

static void set_table(struct lowering *l, uint32_t slot, weft_argument_table table)
{
    if (weft_argument_table_is_none(table) || same_table(l->tables[slot], table))
        return;
    weft_render_set_arguments(l->enc, slot, table, NULL, 0);
    l->tables[slot] = table;
    l->frame->state_changes++;
}

static void set_material(struct lowering *l, const struct wf_frame_packet *packet,
                         const struct wf_frame_material *m)
{
    if (l->material.index == packet->material.index &&
        l->material.generation == packet->material.generation)
        return;
    weft_render_set_pipeline(l->enc, m->pipeline);
    if (m->has_depth_stencil)
        weft_render_set_depth_stencil(l->enc, &m->depth_stencil);
    if (m->has_blend)
        weft_render_set_blend(l->enc, &m->blend);
    if (m->has_raster)
        weft_render_set_raster(l->enc, &m->raster);
    l->material = packet->material;
    l->frame->state_changes++;
}

static void set_clip(struct lowering *l, uint32_t clip)
{
    if (l->clip_set && l->clip == clip)
        return;
    const struct wf_frame_target *target = &l->pass->attachments;
    weft_rect rect = {0, 0, target->width, target->height};
    if (clip != WF_FRAME_NONE)
        rect = ((const struct wf_frame_clip *)wf_frame_at(&l->frame->clips, clip))->rect;
    weft_render_set_scissor(l->enc, &rect);
    l->clip = clip;
    l->clip_set = true;
}

static void set_root(struct lowering *l, const struct wf_frame_packet *packet,
                     const struct wf_frame_material *m)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const struct weft_frame *frame = l->frame;
    if (m->transform_offset != WEFT_NO_TRANSFORM) {
        const void *transform = packet->transform == WF_FRAME_NONE
                                    ? identity
                                    : wf_frame_at(&frame->transforms, packet->transform);
        weft_render_set_root(l->enc, m->transform_stages, m->transform_offset, transform,
                             16 * sizeof(float));
    }
    if (packet->root != WF_FRAME_NONE)
        weft_render_set_root(l->enc, 0, packet->root_offset,
                             wf_frame_at(&frame->root_bytes, packet->root), packet->root_size);
}

static void set_streams(struct lowering *l, const struct wf_frame_geometry *g)
{
    for (uint32_t i = 0; i < g->stream_count; i++) {
        const weft_stream_view *s = wf_frame_at(&l->frame->streams, g->first_stream + i);
        weft_render_set_vertex_buffer(l->enc, s->slot, s->buffer, s->offset);
    }
    if (!weft_buffer_is_none(g->instances.buffer))
        weft_render_set_vertex_buffer(l->enc, 1, g->instances.buffer, g->instances.offset);
    if (weft_buffer_is_none(g->indices))
        return;
    if (l->indices.index == g->indices.index && l->indices.generation == g->indices.generation &&
        l->index_offset == g->index_offset && l->index_type == g->index_type)
        return;
    weft_render_set_index_buffer(l->enc, g->indices, g->index_offset, g->index_type);
    l->indices = g->indices;
    l->index_offset = g->index_offset;
    l->index_type = g->index_type;
}

static void draw(struct lowering *l, const struct wf_frame_geometry *g)
{
    const bool indexed = !weft_buffer_is_none(g->indices);
    if (g->indirect != WF_FRAME_NONE) {
        const weft_indirect_view *v = wf_frame_at(&l->frame->indirects, g->indirect);
        const weft_indirect_draws draws = {
            .buffer = v->buffer,
            .offset = v->offset,
            .stride = v->stride,
            .max_count = v->max_count ? v->max_count : 1,
            .count_buffer = v->count_buffer,
            .count_offset = v->count_offset,
        };
        (indexed ? weft_render_draw_indexed_indirect : weft_render_draw_indirect)(l->enc, &draws);
    } else if (indexed) {
        weft_render_draw_indexed(l->enc, g->count, g->instances.count, g->first, g->vertex_offset,
                                 g->instances.first);
    } else {
        weft_render_draw(l->enc, g->count, g->instances.count, g->first, g->instances.first);
    }
}

static void lower_packet(struct lowering *l, uint32_t sequence)
{
    struct weft_frame *frame = l->frame;
    const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
    const struct wf_frame_material *m = wf_frame_material_find(frame->context, packet->material);
    const struct wf_frame_geometry *g = wf_frame_at(&frame->geometries, packet->geometry);
    set_clip(l, packet->clip);
    set_material(l, packet, m);
    set_table(l, 0, wf_frame_globals(l->pass, layer));
    set_table(l, 1,
              packet->kind == WEFT_DRAW_QUADS && weft_argument_table_is_none(m->arguments)
                  ? packet->arguments
                  : m->arguments);
    if (packet->kind != WEFT_DRAW_QUADS)
        set_table(l, 2, packet->arguments);
    set_root(l, packet, m);
    set_streams(l, g);
    draw(l, g);
    if (packet->fate == WEFT_PACKET_FAILED) // what was refused is not set: say it to the next again
        *l = (struct lowering){.frame = frame, .enc = l->enc, .pass = l->pass};
}

static weft_render_pass_desc describe_pass(const struct weft_frame *frame, uint32_t index)
{
    const struct wf_frame_pass *pass = wf_frame_at(&frame->passes, index);
    const struct wf_frame_target *a = &pass->attachments;
    weft_render_pass_desc desc = {
        .depth_stencil = a->depth,
        .depth_load = pass->ops.depth_load,
        .stencil_load = pass->ops.depth_load,
        .depth_store = pass->ops.depth_store,
        .stencil_store = pass->ops.depth_store,
        .clear_depth = pass->ops.clear_depth,
        .clear_stencil = pass->ops.clear_stencil,
        .label = pass->label,
    };
    for (uint32_t i = 0; i < a->color_count; i++) {
        if (weft_texture_view_is_none(a->colors[i]))
            continue;
        desc.colors[i] = (weft_color_attachment){
            .view = a->colors[i],
            .resolve = a->resolves[i],
            .load = pass->ops.load,
            .store = pass->ops.store,
            .clear = pass->ops.clear[i],
        };
    }
    if (index * 2 + 1 < frame->timer_count)
        desc.times = (weft_pass_timestamps){frame->timers, index * 2, index * 2 + 1};
    return desc;
}

static void lower_pass(struct weft_frame *frame, weft_command_buffer *cmd, uint32_t index)
{
    struct wf_frame_pass *pass = wf_frame_at(&frame->passes, index);
    if (pass->dropped)
        return;
    if (pass->barrier)
        weft_command_barrier(cmd, pass->producers, pass->consumers, pass->hazards);
    const weft_render_pass_desc desc = describe_pass(frame, index);
    struct lowering l = {.frame = frame, .pass = pass};
    l.enc = weft_command_begin_render(cmd, &desc);
    for (uint32_t i = 0; i < pass->count; i++) {
        const uint32_t sequence = *(const uint32_t *)wf_frame_at(&frame->order, pass->first + i);
        weft_command_set_origin(cmd, sequence);
        lower_packet(&l, sequence);
        pass->draws++;
    }
    weft_command_set_origin(cmd, UINT64_MAX);
    weft_render_end(l.enc);
}

/// Two timestamps for each pass, if the frame wants them and the device has them.
static weft_result take_timers(struct weft_frame *frame)
{
    frame->timer_count = 0;
    const weft_capabilities *caps = weft_device_capabilities(frame->device);
    const uint32_t need = (uint32_t)frame->passes.count * 2;
    if (!(frame->flags & WEFT_FRAME_GPU_TIMES) || need == 0 || !caps ||
        !(caps->features & WEFT_FEATURE_TIMESTAMPS))
        return WEFT_OK;
    if (frame->timer_capacity < need) {
        weft_query_pool_destroy(frame->device, frame->timers);
        frame->timer_capacity = 0;
        const weft_result res = weft_query_pool_create(
            frame->device,
            &(weft_query_pool_desc){
                .kind = WEFT_QUERY_TIMESTAMP, .count = need * 2, .label = "frame timers"},
            &frame->timers);
        if (res != WEFT_OK)
            return res;
        frame->timer_capacity = need * 2;
    }
    frame->timer_count = need;
    return WEFT_OK;
}

weft_result wf_frame_lower(struct weft_frame *frame, weft_command_buffer *cmd)
{
    const weft_result res = take_timers(frame);
    if (res != WEFT_OK)
        return res;
    // What frames before this one used, nobody remembers by resource.
    if (frame->number > 1 && frame->passes.count > 0)
        weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL,
                             WEFT_HAZARD_DRAW_ARGUMENTS | WEFT_HAZARD_DEPTH_STENCIL);
    for (uint32_t i = 0; i < frame->passes.count; i++)
        lower_pass(frame, cmd, i);
    return WEFT_OK;
}
