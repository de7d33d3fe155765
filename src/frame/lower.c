#include "frame/packet.h"

#include <assert.h>
#include <string.h>

/// What the encoder has been told, so that nothing is told twice.
struct lowering {
    struct weft_frame *frame;
    weft_render_encoder *enc;
    const struct wf_frame_pass *pass;
    uint32_t look, clip, layer;
    const struct wf_frame_material *material;
    weft_argument_table tables[WEFT_ARGUMENT_SLOTS];
    weft_buffer indices;
    uint64_t index_offset;
    uint32_t index_type;
    weft_stream_view streams[2]; ///< Slots 0 and 1.
};

/// Before the first packet, and after one that was refused: nothing is known to be set.
static void forget(struct lowering *l)
{
    *l = (struct lowering){.frame = l->frame,
                           .enc = l->enc,
                           .pass = l->pass,
                           .look = WF_FRAME_NONE,
                           .clip = WF_FRAME_BAD,
                           .layer = WF_FRAME_NONE,
                           .streams = {{.slot = UINT32_MAX}, {.slot = UINT32_MAX}}};
}

static void set_table(struct lowering *l, uint32_t slot, weft_argument_table table)
{
    const weft_argument_table last = l->tables[slot];
    if ((last.index == table.index && last.generation == table.generation) ||
        weft_argument_table_is_none(table))
        return;
    weft_render_set_arguments(l->enc, slot, table, NULL, 0);
    l->tables[slot] = table;
    l->frame->state_changes++;
}

static void set_look(struct lowering *l, uint32_t index)
{
    const struct wf_frame_look *look = wf_frame_at(&l->frame->looks, index);
    const struct wf_frame_material *m = look->material;
    assert(m && "what has a look has a material");
    if (m != l->material) {
        weft_render_set_pipeline(l->enc, m->pipeline);
        if (m->has_depth_stencil)
            weft_render_set_depth_stencil(l->enc, &m->depth_stencil);
        if (m->has_blend)
            weft_render_set_blend(l->enc, &m->blend);
        if (m->has_raster)
            weft_render_set_raster(l->enc, &m->raster);
        l->frame->state_changes++;
    }
    set_table(l, 1, m->arguments);
    set_table(l, 2, look->arguments);
    l->material = m;
    l->look = index;
}

static void set_clip(struct lowering *l, uint32_t clip)
{
    const struct wf_frame_target *target = &l->pass->attachments;
    weft_rect rect = {0, 0, target->width, target->height};
    if (clip != WF_FRAME_NONE)
        rect = ((const struct wf_frame_clip *)wf_frame_at(&l->frame->clips, clip))->rect;
    weft_render_set_scissor(l->enc, &rect);
    l->clip = clip;
}

static void set_root(struct lowering *l, const struct wf_frame_packet *packet,
                     const struct wf_frame_parts *parts)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const struct wf_frame_material *m = l->material;
    assert(m && "the look is set first");
    if (m->transform_offset != WEFT_NO_TRANSFORM)
        weft_render_set_root(l->enc, m->transform_stages, m->transform_offset,
                             parts->transform ? parts->transform : identity, 16 * sizeof(float));
    if (parts->root)
        weft_render_set_root(l->enc, 0, packet->root_offset, parts->root, packet->root_size);
}

static void set_stream(struct lowering *l, uint32_t slot, weft_buffer buffer, uint64_t offset)
{
    if (slot < 2) {
        weft_stream_view *last = &l->streams[slot];
        if (last->slot == slot && last->buffer.index == buffer.index &&
            last->buffer.generation == buffer.generation && last->offset == offset)
            return;
        *last = (weft_stream_view){slot, buffer, offset};
    }
    weft_render_set_vertex_buffer(l->enc, slot, buffer, offset);
}

static void set_indices(struct lowering *l, weft_buffer buffer, uint64_t offset, uint32_t type)
{
    if (l->indices.index == buffer.index && l->indices.generation == buffer.generation &&
        l->index_offset == offset && l->index_type == type)
        return;
    weft_render_set_index_buffer(l->enc, buffer, offset, (weft_index_type)type);
    l->indices = buffer;
    l->index_offset = offset;
    l->index_type = type;
}

static void set_geometry(struct lowering *l, const struct wf_frame_packet *packet,
                         const struct wf_frame_parts *parts)
{
    const struct wf_frame_geometry *g = parts->geometry;
    for (uint32_t i = 0; i < packet->stream_count; i++)
        set_stream(l, parts->streams[i].slot, parts->streams[i].buffer, parts->streams[i].offset);
    if (parts->instances)
        set_stream(l, 1, parts->instances->buffer, parts->instances->offset);
    if (!weft_buffer_is_none(g->indices))
        set_indices(l, g->indices, g->index_offset, g->index_type);
}

static void draw_indirect(struct lowering *l, const weft_indirect_view *v, bool indexed)
{
    const weft_indirect_draws draws = {
        .buffer = v->buffer,
        .offset = v->offset,
        .stride = v->stride,
        .max_count = v->max_count ? v->max_count : 1,
        .count_buffer = v->count_buffer,
        .count_offset = v->count_offset,
    };
    (indexed ? weft_render_draw_indexed_indirect : weft_render_draw_indirect)(l->enc, &draws);
}

static void draw(struct lowering *l, const struct wf_frame_parts *parts)
{
    const struct wf_frame_geometry *g = parts->geometry;
    const bool indexed = !weft_buffer_is_none(g->indices);
    if (parts->indirect)
        draw_indirect(l, parts->indirect, indexed);
    else if (indexed)
        weft_render_draw_indexed(l->enc, g->count, g->instance_count, g->first, g->vertex_offset,
                                 g->first_instance);
    else
        weft_render_draw(l->enc, g->count, g->instance_count, g->first, g->first_instance);
}

static void draw_quads(struct lowering *l, const struct wf_frame_quads *quads)
{
    const struct wf_frame_quads_memory *memory = &l->frame->quads;
    set_stream(l, 0, memory->vertices.buffer, memory->vertices.offset);
    set_indices(l, memory->indices.buffer, memory->indices.offset, WEFT_INDEX_UINT32);
    weft_render_draw_indexed(l->enc, quads->count * 6, 1, quads->first * 6, 0, 0);
}

static void lower_packet(struct lowering *l, const struct wf_frame_packet *packet)
{
    const struct weft_frame *frame = l->frame;
    const struct wf_frame_parts parts = wf_frame_packet_parts(frame, packet);
    if (l->clip != packet->clip)
        set_clip(l, packet->clip);
    if (l->look != packet->look)
        set_look(l, packet->look);
    if (l->layer != packet->layer) {
        set_table(l, 0, wf_frame_globals(l->pass, wf_frame_at(&frame->layers, packet->layer)));
        l->layer = packet->layer;
    }
    set_root(l, packet, &parts);
    if (packet->kind == WEFT_PACKET_QUADS) {
        draw_quads(l, parts.quads);
    } else {
        set_geometry(l, packet, &parts);
        draw(l, &parts);
    }
    if (packet->fate == WEFT_FATE_FAILED) // what was refused is not set: say it to the next again
        forget(l);
}

/// The pass's times, from its first step to its last.
static weft_pass_timestamps step_times(const struct weft_frame *frame,
                                       const struct wf_frame_pass *pass, bool begins, bool ends)
{
    if (pass->timer == WF_FRAME_NONE || !(begins || ends))
        return (weft_pass_timestamps){0};
    return (weft_pass_timestamps){
        .pool = frame->timers,
        .begin = begins ? pass->timer : UINT32_MAX,
        .end = ends ? pass->timer + 1 : UINT32_MAX,
    };
}

static weft_render_pass_desc describe_pass(const struct weft_frame *frame,
                                           const struct wf_frame_pass *pass,
                                           const struct wf_frame_step *step)
{
    const bool first = step->first_part, stores = !step->last_part || step->keeps;
    const weft_load depth_load = first ? pass->ops.depth_load : WEFT_LOAD_LOAD;
    const weft_store depth_store = stores ? WEFT_STORE_STORE : pass->ops.depth_store;
    const struct wf_frame_target *a = &pass->attachments;
    weft_render_pass_desc desc = {
        .depth_stencil = a->depth,
        .depth_load = depth_load,
        .stencil_load = depth_load,
        .depth_store = depth_store,
        .stencil_store = depth_store,
        .clear_depth = pass->ops.clear_depth,
        .clear_stencil = pass->ops.clear_stencil,
        .times = step_times(frame, pass, step->begins, step->ends),
        .label = pass->label,
    };
    for (uint32_t i = 0; i < a->color_count; i++) {
        if (weft_texture_view_is_none(a->colors[i]))
            continue;
        desc.colors[i] = (weft_color_attachment){
            .view = a->colors[i],
            .resolve = step->last_part ? a->resolves[i] : (weft_texture_view){0, 0},
            .load = first ? pass->ops.load : WEFT_LOAD_LOAD,
            .store = stores ? WEFT_STORE_STORE : pass->ops.store,
            .clear = pass->ops.clear[i],
        };
    }
    return desc;
}

static void lower_render(struct weft_frame *frame, weft_command_buffer *cmd,
                         const struct wf_frame_step *step)
{
    struct wf_frame_pass *pass = wf_frame_at(&frame->passes, step->pass);
    const weft_render_pass_desc desc = describe_pass(frame, pass, step);
    struct lowering l = {.frame = frame, .pass = pass};
    l.enc = weft_command_begin_render(cmd, &desc);
    forget(&l);
    const uint32_t *order = (const uint32_t *)frame->order.items + step->first;
    const struct wf_frame_packet *packets = frame->packets.items;
    for (uint32_t i = 0; i < step->count; i++) {
        weft_command_set_origin(cmd, order[i]);
        lower_packet(&l, &packets[order[i]]);
    }
    pass->draws += step->count;
    weft_command_set_origin(cmd, UINT64_MAX);
    weft_render_end(l.enc);
}

static void dispatch(struct weft_frame *frame, weft_compute_encoder *enc,
                     const struct wf_frame_packet *packet)
{
    const struct wf_frame_parts parts = wf_frame_packet_parts(frame, packet);
    const struct wf_frame_dispatch *d = parts.dispatch;
    weft_compute_set_pipeline(enc, d->pipeline);
    for (uint32_t slot = 0; slot < 3; slot++) {
        const weft_argument_table table =
            slot == 0 ? wf_frame_dispatch_globals(frame, packet, d) : d->arguments[slot];
        if (weft_argument_table_is_none(table))
            continue;
        weft_compute_set_arguments(enc, slot, table, NULL, 0);
        frame->state_changes++;
    }
    if (parts.root)
        weft_compute_set_root(enc, packet->root_offset, parts.root, packet->root_size);
    if (weft_buffer_is_none(d->indirect.buffer))
        weft_compute_dispatch(enc, d->groups[0], d->groups[1], d->groups[2]);
    else
        weft_compute_dispatch_indirect(enc, d->indirect.buffer, d->indirect.offset);
    frame->state_changes++;
}

static const struct wf_frame_packet *dispatch_of(const struct weft_frame *frame,
                                                 const struct wf_frame_step *step)
{
    return wf_frame_at(&frame->packets, *(const uint32_t *)wf_frame_at(&frame->order, step->first));
}

/// How many steps from `index` on go into one encoder: dispatches of one pass without a barrier.
static uint32_t run_of_dispatches(const struct weft_frame *frame, uint32_t index)
{
    const struct wf_frame_step *first = wf_frame_at(&frame->steps, index);
    uint32_t count = 1;
    for (; index + count < frame->steps.count; count++) {
        const struct wf_frame_step *next = wf_frame_at(&frame->steps, index + count);
        if (next->kind != WF_FRAME_STEP_DISPATCH || next->pass != first->pass ||
            next->barrier != WF_FRAME_NONE || (next - 1)->barrier_after)
            break;
    }
    return count;
}

/// Returns the number of steps recorded.
static uint32_t lower_dispatches(struct weft_frame *frame, weft_command_buffer *cmd, uint32_t index)
{
    const uint32_t count = run_of_dispatches(frame, index);
    const struct wf_frame_step *steps = wf_frame_at(&frame->steps, index);
    struct wf_frame_pass *pass = wf_frame_at(&frame->passes, steps->pass);
    weft_compute_encoder *enc = weft_command_begin_compute(
        cmd, &(weft_compute_pass_desc){
                 .times = step_times(frame, pass, steps->begins, steps[count - 1].ends),
                 .label = pass->label});
    for (uint32_t i = 0; i < count; i++) {
        weft_command_set_origin(cmd, *(const uint32_t *)wf_frame_at(&frame->order, steps[i].first));
        dispatch(frame, enc, dispatch_of(frame, &steps[i]));
    }
    pass->draws += count;
    weft_command_set_origin(cmd, UINT64_MAX);
    weft_compute_end(enc);
    if (steps[count - 1].barrier_after)
        weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0);
    return count;
}

/// An edge of the pass where no encoder of its own has one.
static void edge(struct weft_frame *frame, weft_command_buffer *cmd,
                 const struct wf_frame_pass *pass, bool begins, bool ends)
{
    const weft_compute_pass_desc desc = {.times = step_times(frame, pass, begins, ends),
                                         .label = pass->label};
    if (!weft_query_pool_is_none(desc.times.pool))
        weft_compute_end(weft_command_begin_compute(cmd, &desc));
}

static void lower_record(struct weft_frame *frame, weft_command_buffer *cmd,
                         const struct wf_frame_step *step)
{
    const uint32_t sequence = *(const uint32_t *)wf_frame_at(&frame->order, step->first);
    const struct wf_frame_record *record =
        wf_frame_packet_parts(frame, wf_frame_at(&frame->packets, sequence)).record;
    struct wf_frame_pass *pass = wf_frame_at(&frame->passes, step->pass);
    edge(frame, cmd, pass, step->begins, false);
    weft_command_set_origin(cmd, sequence);
    weft_command_push_group(cmd, record->label);
    record->fn(cmd, record->user);
    weft_command_pop_group(cmd);
    weft_command_set_origin(cmd, UINT64_MAX);
    edge(frame, cmd, pass, false, step->ends);
    pass->draws++;
}

/// Two timestamps for each pass, if the frame wants them and the device has them.
static weft_result take_timers(struct weft_frame *frame)
{
    for (uint32_t i = 0; i < frame->passes.count; i++)
        ((struct wf_frame_pass *)wf_frame_at(&frame->passes, i))->timer = WF_FRAME_NONE;
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
    for (uint32_t i = 0; i < frame->passes.count; i++)
        ((struct wf_frame_pass *)wf_frame_at(&frame->passes, i))->timer = i * 2;
    return WEFT_OK;
}

weft_result wf_frame_lower(struct weft_frame *frame, weft_command_buffer *cmd)
{
    const weft_result res = take_timers(frame);
    if (res != WEFT_OK)
        return res;
    if (!wf_frame_quads_generate(frame))
        return frame->failed;
    // What frames before this one used, nobody remembers by resource.
    if (frame->number > 1 && frame->steps.count > 0)
        weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL,
                             WEFT_HAZARD_DRAW_ARGUMENTS | WEFT_HAZARD_DEPTH_STENCIL);
    for (uint32_t i = 0; i < frame->steps.count;) {
        const struct wf_frame_step *step = wf_frame_at(&frame->steps, i);
        if (step->barrier != WF_FRAME_NONE) {
            const struct wf_frame_barrier *b = wf_frame_at(&frame->barriers, step->barrier);
            weft_command_barrier(cmd, b->producers, b->consumers, b->hazards);
        }
        if (step->kind == WF_FRAME_STEP_RENDER) {
            lower_render(frame, cmd, step);
            i++;
        } else if (step->kind == WF_FRAME_STEP_RECORD) {
            lower_record(frame, cmd, step);
            i++;
        } else {
            i += lower_dispatches(frame, cmd, i);
        }
    }
    return WEFT_OK;
}
