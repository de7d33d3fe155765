// Playing recordings in the order of submission.
#include "core/watch_state.h"

void wf_watch_forget(struct wf_core_watch *watch)
{
    watch->order.known = watch->position;
    watch->taken = watch->position;
    watch->unseen = true;
    watch->memory.starved = false;
}

// ---- hazards -----------------------------------------------------------------------------------

void wf_watch_hazard(void *user, const struct wf_watch_clash *clash)
{
    struct wf_core_watch *watch = user;
    const struct wf_watch_access *before = clash->before, *after = &clash->use->access;
    wf_watch_report_hazard(watch, clash);
    // From here on as if the barrier were there, so that one that is missing is told once.
    const uint64_t encoder = clash->use->encoder;
    struct wf_watch_reach reach = {0};
    if (before->queue == after->queue && before->row < WF_WATCH_STAGES)
        reach = wf_watch_reach_of(&watch->order, after->queue, (weft_stage_set)1 << before->row,
                                  before->position > encoder ? after->position - 1 : encoder);
    if (reach.at[before->queue][before->row] < before->position)
        reach.at[before->queue][before->row] = before->position;
    (void)wf_watch_order_after(&watch->order, after->queue, &reach, clash->missing);
}

/// Every barrier between the two may be what orders them.
void wf_watch_ordered(void *user, const struct wf_watch_access *before,
                      const struct wf_watch_access *after)
{
    struct wf_core_watch *watch = user;
    for (uint32_t i = 0; i < watch->idle_count && before->position > watch->everything; ++i) {
        const uint64_t at = watch->idle[i].position;
        watch->idle[i].needed |= before->position <= at && at < after->position;
    }
}

// ---- accesses ----------------------------------------------------------------------------------

/// Other resources in the same memory must have been left by an alias barrier; a texture comes to
/// life by one that names it, and waiting is not enough. The library's own uploads and reads come
/// after everything.
static void judge_alias(struct wf_core_watch *watch, struct wf_watch_resource *r)
{
    const bool host = r->block && watch->judged->owner;
    bool older = false; // what stands behind it in the list was made before it
    for (const struct wf_watch_resource *o = host ? r->block->first : NULL; o; o = o->next) {
        older |= o == r;
        if (o == r || o->begin >= r->end || r->begin >= o->end)
            continue;
        const bool unborn =
            older && r->taken == 0 && o->used == 0 && r->object.kind == WEFT_OBJECT_TEXTURE;
        if (o->used <= r->taken && !unborn)
            continue;
        if (r->object.kind != WEFT_OBJECT_TEXTURE &&
            (o->used <= watch->taken || o->used <= watch->order.known))
            continue;
        wf_watch_report_alias(watch, o, r);
        r->taken = watch->position;
    }
    r->used = watch->position;
}

static void work_of(struct wf_core_watch *watch, uint32_t row)
{
    watch->order.last[watch->judged->queue][row] = watch->position;
    watch->hosts.last[watch->judged->queue][row] = watch->position;
}

static void use_buffer(struct wf_core_watch *watch, struct wf_watch_buffer *buf, uint64_t begin,
                       uint64_t end, const struct wf_watch_use *use)
{
    watch->resource = &buf->base;
    judge_alias(watch, &buf->base);
    wf_watch_use_bytes(&watch->memory, &buf->segments, begin, end, use);
}

static void use_texture(struct wf_core_watch *watch, struct wf_watch_texture *tex,
                        const struct wf_watch_box *box, const struct wf_watch_use *use)
{
    watch->resource = &tex->base;
    judge_alias(watch, &tex->base);
    wf_watch_use_box(&watch->memory, &tex->boxes, box, use);
}

static struct wf_watch_use use_of(const struct wf_core_watch *watch, const struct wf_watch_op *op)
{
    return (struct wf_watch_use){
        .access = {.position = watch->position,
                   .queue = (uint8_t)watch->judged->queue,
                   .row = op->row,
                   .flags = op->flags},
        .columns = op->columns,
        .depth = op->depth,
        .encoder = watch->encoder,
        .pass = watch->pass,
    };
}

static void use_op(struct wf_core_watch *watch, const struct wf_watch_op *op)
{
    const struct wf_watch_use use = use_of(watch, op);
    work_of(watch, op->row);
    if (op->kind == WF_WATCH_OP_BUFFER)
        use_buffer(watch, op->u.buffer.at, op->u.buffer.begin, op->u.buffer.end, &use);
    else
        use_texture(watch, op->u.texture.at, &op->u.texture.box, &use);
}

// ---- what the backend told ---------------------------------------------------------------------

/// The buffer that holds the bytes; of several that share memory, one.
static void use_addresses(struct wf_core_watch *watch, uint64_t begin, uint64_t end,
                          const struct wf_watch_use *use)
{
    uint32_t low = 0, high = watch->space_count;
    while (low < high) { // to the first that begins behind
        const uint32_t middle = low + (high - low) / 2;
        if (watch->spaces[middle].begin <= begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t back = 0; low-- > 0 && back < 8; ++back) {
        const struct wf_watch_space *s = &watch->spaces[low];
        if (begin >= s->end)
            continue;
        use_buffer(watch, s->buffer, begin - s->begin, (end < s->end ? end : s->end) - s->begin,
                   use);
        return;
    }
}

static void use_touch(struct wf_core_watch *watch, const struct wf_hal_touch *touch)
{
    struct wf_watch_op how = {
        .row = wf_watch_row_of(touch->stage),
        .flags =
            (uint8_t)((touch->write ? WF_WATCH_WRITE : 0) | (touch->atomic ? WF_WATCH_ATOMIC : 0) |
                      (touch->stage != WEFT_SHADER_STAGE_COMPUTE ? WF_WATCH_SHADER : 0)),
    };
    how.columns = how.depth = (wf_watch_columns)(1u << how.row);
    if (!touch->view) {
        const struct wf_watch_use use = use_of(watch, &how);
        use_addresses(watch, touch->address, touch->address + touch->size, &use);
        return;
    }
    const struct wf_watch_box box = wf_watch_view_box(touch->view);
    if (box.aspects & (WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL))
        how.depth = wf_watch_depth_column(how.row);
    const struct wf_watch_use use = use_of(watch, &how);
    if (touch->view->texture->watch)
        use_texture(watch, touch->view->texture->watch, &box, &use);
}

/// Those of one dispatch, or of the draws of one pass.
static void use_touches(struct wf_core_watch *watch)
{
    const struct wf_watch_recording *rec = watch->judged;
    while (!rec->touch_lost && watch->touch < rec->touch_count) {
        const struct wf_hal_touch *touch = &rec->touches[watch->touch++];
        if (touch->stage == 0)
            return;
        use_touch(watch, touch);
    }
}

// ---- barriers ----------------------------------------------------------------------------------

/// Makes an order of a barrier; false: it was there before.
static bool order_by(struct wf_watch_order *order, const struct wf_core_watch *watch,
                     const struct wf_watch_op *op)
{
    const uint32_t queue = watch->judged->queue;
    const struct wf_watch_reach reach =
        wf_watch_reach_of(order, queue, op->columns, watch->position);
    return wf_watch_order_after(order, queue, &reach, op->depth);
}

static void idle_add(struct wf_core_watch *watch, const struct wf_watch_op *op)
{
    if (watch->idle_count == WF_WATCH_IDLE)
        return;
    watch->idle[watch->idle_count++] = (struct wf_watch_idle){
        .op = *op,
        .position = watch->position,
        .index = watch->index,
        .label = watch->label,
        .buffer_label = watch->buffer_label,
    };
}

/// A barrier of everything serves whoever comes later: those before it that nobody needed until
/// then nobody will.
static void judge_idle(struct wf_core_watch *watch)
{
    const uint32_t index = watch->index, label = watch->label, buffer = watch->buffer_label;
    const bool queues = (watch->memory.queues & (watch->memory.queues - 1)) != 0;
    for (uint32_t i = 0; i < watch->idle_count && !watch->unseen && !queues; ++i) {
        const struct wf_watch_idle *idle = &watch->idle[i];
        if (idle->needed)
            continue;
        watch->index = idle->index;
        watch->label = idle->label;
        watch->buffer_label = idle->buffer_label;
        wf_watch_report_unneeded(watch, &idle->op, true);
    }
    watch->index = index;
    watch->label = label;
    watch->buffer_label = buffer;
    watch->idle_count = 0;
    watch->everything = watch->position;
    watch->unseen = false;
}

static void barrier(struct wf_core_watch *watch, const struct wf_watch_op *op)
{
    (void)order_by(&watch->order, watch, op);
    if (!watch->judged->owner)
        return; // the host cannot count on it, nor leave it out
    const bool gained = order_by(&watch->hosts, watch, op);
    const bool host = op->columns & WEFT_STAGE_HOST && op->columns != WEFT_STAGE_ALL;
    if (!gained && !host) // what the CPU wrote nobody sees
        wf_watch_report_unneeded(watch, op, false);
    const wf_watch_columns consumers = op->depth & WF_WATCH_PLAIN;
    if (op->columns == WEFT_STAGE_ALL && consumers == WEFT_STAGE_ALL)
        judge_idle(watch);
    else if (gained && !((op->columns | consumers) & WEFT_STAGE_HOST))
        idle_add(watch, op);
}

static struct wf_watch_fence fence_of(const struct wf_core_watch *watch,
                                      const struct wf_watch_op *op)
{
    return (struct wf_watch_fence){watch->judged->queue, op->columns, op->depth, watch->position};
}

static void texture_barrier(struct wf_core_watch *watch, const struct wf_watch_op *op)
{
    struct wf_watch_texture *tex = op->u.texture.at;
    struct wf_watch_fence fence = fence_of(watch, op);
    wf_watch_fence_box(&watch->memory, &tex->boxes, &op->u.texture.box, &fence);
    if (!(op->flags & WF_WATCH_WRITE))
        return;
    // A change of state is a write: after what the producers did, before what the consumers do.
    watch->resource = &tex->base;
    const struct wf_watch_use use = {
        .access = {.position = ++watch->position,
                   .since = watch->position,
                   .columns = op->depth,
                   .viewer = (uint8_t)watch->judged->queue,
                   .queue = (uint8_t)watch->judged->queue,
                   .row = WF_WATCH_ROW_STATE,
                   .flags = WF_WATCH_WRITE | WF_WATCH_READS},
        .columns = op->depth,
        .depth = op->depth,
        .encoder = watch->position - 1,
    };
    wf_watch_name_command(watch, WF_WATCH_BARRIER, op->u.origin);
    wf_watch_use_box(&watch->memory, &tex->boxes, &op->u.texture.box, &use);
}

static void alias(struct wf_core_watch *watch, const struct wf_watch_op *op)
{
    struct wf_watch_resource *after = op->u.alias.after;
    const struct wf_watch_reach reach =
        wf_watch_reach_of(&watch->order, watch->judged->queue, WEFT_STAGE_ALL, watch->position);
    (void)wf_watch_order_after(&watch->order, watch->judged->queue, &reach, (wf_watch_columns)~0u);
    if (after)
        after->taken = watch->position;
    else
        watch->taken = watch->position;
}

/// The encoders of one command buffer are judged after each other.
static void play(struct wf_core_watch *watch, const struct wf_watch_op *op)
{
    const uint32_t queue = watch->judged->queue;
    struct wf_watch_fence fence;
    switch ((enum wf_watch_op_kind)op->kind) {
    case WF_WATCH_OP_COMMAND:
        ++watch->position;
        wf_watch_name_command(watch, op->detail, op->u.origin);
        break;
    case WF_WATCH_OP_LABEL:
        watch->label = wf_watch_label(watch, op->u.label);
        break;
    case WF_WATCH_OP_ENCODER:
        watch->encoder = watch->position;
        watch->pass = op->detail;
        break;
    case WF_WATCH_OP_BUFFER:
    case WF_WATCH_OP_TEXTURE:
        use_op(watch, op);
        break;
    case WF_WATCH_OP_UNSEEN:
        watch->unseen = true;
        for (uint32_t s = 0; s < (uint32_t)WF_WATCH_STAGES; ++s) {
            if (op->columns >> s & 1)
                work_of(watch, s);
        }
        break;
    case WF_WATCH_OP_TOUCHED:
        use_touches(watch);
        break;
    case WF_WATCH_OP_BARRIER:
        barrier(watch, op);
        break;
    case WF_WATCH_OP_BUFFER_BARRIER:
        fence = fence_of(watch, op);
        wf_watch_fence_bytes(&watch->memory, &op->u.buffer.at->segments, op->u.buffer.begin,
                             op->u.buffer.end, &fence);
        break;
    case WF_WATCH_OP_TEXTURE_BARRIER:
        texture_barrier(watch, op);
        break;
    case WF_WATCH_OP_ALIAS:
        alias(watch, op);
        break;
    case WF_WATCH_OP_SIGNAL:
        watch->events[op->detail] =
            wf_watch_reach_of(&watch->order, queue, op->columns, watch->position);
        break;
    case WF_WATCH_OP_WAIT:
        (void)wf_watch_order_after(&watch->order, queue, &watch->events[op->detail], op->depth);
        break;
    }
}

void wf_watch_judge(struct wf_core_watch *watch, const struct wf_watch_recording *rec)
{
    watch->judged = rec;
    watch->index = 0;
    watch->touch = 0;
    watch->label = 0;
    watch->buffer_label = wf_watch_label(watch, rec->title);
    watch->encoder = watch->position;
    watch->pass = false;
    for (uint32_t i = 0; i < rec->count; ++i)
        play(watch, &rec->ops[i]);
    watch->judged = NULL;
}
