// Writing down what a command buffer does: barriers, passes, copies. Draws are in watch_draw.c.
#include "core/watch_state.h"

#include "core/check.h"

#include "base/array.h"
#include "base/bits.h"

#include <string.h>

void wf_watch_recording_reset(struct wf_watch_recording *rec)
{
    rec->owner = NULL;
    rec->title[0] = '\0';
    rec->count = 0;
    rec->starved = false;
    rec->foreign = false;
    rec->touch_count = 0;
    rec->touch_lost = false;
    rec->label[0] = '\0';
    rec->group_count = 0;
}

struct wf_watch_op *wf_watch_op_add(struct wf_watch_recording *rec, enum wf_watch_op_kind kind)
{
    struct wf_watch_op *ops = wf_base_array_grow(
        rec->watch->dev->allocator, rec->ops, &rec->capacity, (size_t)rec->count + 1, sizeof *ops);
    if (!ops) {
        rec->starved = true;
        return &rec->nowhere;
    }
    rec->ops = ops;
    struct wf_watch_op *op = &ops[rec->count++];
    memset(op, 0, sizeof *op);
    op->kind = (uint8_t)kind;
    return op;
}

static uint64_t origin_of(const struct wf_watch_recording *rec)
{
    return rec->owner ? rec->owner->origin.command : WF_CORE_NO_COMMAND;
}

void wf_watch_command(struct wf_watch_recording *rec, enum wf_watch_command command)
{
    struct wf_watch_op *op = wf_watch_op_add(rec, WF_WATCH_OP_COMMAND);
    op->detail = (uint8_t)command;
    op->u.origin = origin_of(rec);
}

void wf_watch_bytes(struct wf_watch_recording *rec, const struct wf_hal_buffer *buf, uint64_t begin,
                    uint64_t end, const struct wf_watch_op *how)
{
    struct wf_watch_buffer *known = buf->watch;
    if (!known || (!known->written && !known->base.block && !(how->flags & WF_WATCH_WRITE)))
        return;
    struct wf_watch_op *op = wf_watch_op_add(rec, WF_WATCH_OP_BUFFER);
    *op = *how;
    op->kind = WF_WATCH_OP_BUFFER;
    op->u.buffer.at = known;
    op->u.buffer.begin = begin;
    op->u.buffer.end = end;
}

void wf_watch_box(struct wf_watch_recording *rec, const struct wf_hal_texture *tex,
                  const struct wf_watch_box *box, const struct wf_watch_op *how)
{
    if (!tex->watch)
        return;
    struct wf_watch_op *op = wf_watch_op_add(rec, WF_WATCH_OP_TEXTURE);
    *op = *how;
    op->kind = WF_WATCH_OP_TEXTURE;
    op->u.texture.at = tex->watch;
    op->u.texture.box = *box;
}

void wf_watch_structure(struct wf_watch_recording *rec, const struct wf_hal_acceleration *structure,
                        const struct wf_watch_op *how)
{
    struct wf_watch_acceleration *known = structure->watch;
    if (!known)
        return;
    struct wf_watch_op *op = wf_watch_op_add(rec, WF_WATCH_OP_BUFFER);
    *op = *how;
    op->kind = WF_WATCH_OP_BUFFER;
    op->u.buffer.at = &known->base;
    op->u.buffer.begin = 0;
    op->u.buffer.end = 1;
}

// ---- names -------------------------------------------------------------------------------------

/// What follows is named after the encoder, or else the innermost group.
static void relabel(struct wf_watch_recording *rec)
{
    const char *label = rec->label;
    if (label[0] == '\0' && rec->group_count > 0)
        label = rec->groups[(rec->group_count - 1) % 4];
    struct wf_watch_op *op = wf_watch_op_add(rec, WF_WATCH_OP_LABEL);
    wf_core_label_set(op->u.label, label);
}

static void push_group(struct wf_hal_command *cmd, const char *label)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        wf_core_label_set(rec->groups[rec->group_count++ % 4], label);
        relabel(rec);
    }
    wf_watch_backend(cmd)->cmd_push_group(cmd, label);
}

static void pop_group(struct wf_hal_command *cmd)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec && rec->group_count > 0) {
        --rec->group_count;
        relabel(rec);
    }
    wf_watch_backend(cmd)->cmd_pop_group(cmd);
}

static void encoder_begin(struct wf_watch_recording *rec, const char *label, bool pass)
{
    wf_core_label_set(rec->label, label);
    relabel(rec);
    wf_watch_op_add(rec, WF_WATCH_OP_ENCODER)->detail = pass;
    rec->pass = pass;
    rec->foreign = false;
    rec->last_pipeline = NULL;
}

static void encoder_end(struct wf_watch_recording *rec)
{
    rec->label[0] = '\0';
    relabel(rec);
}

// ---- barriers ----------------------------------------------------------------------------------

static struct wf_watch_op *add_barrier(struct wf_watch_recording *rec, enum wf_watch_op_kind kind,
                                       weft_stage_set producers, weft_stage_set consumers,
                                       weft_hazard_set hazards)
{
    struct wf_watch_op *op = wf_watch_op_add(rec, kind);
    op->columns = (wf_watch_columns)(producers & WEFT_STAGE_ALL);
    op->depth = wf_watch_consumers(consumers, hazards);
    op->detail = (uint8_t)hazards;
    op->u.origin = origin_of(rec);
    return op;
}

static void barrier(struct wf_hal_command *cmd, weft_stage_set producers, weft_stage_set consumers,
                    weft_hazard_set hazards)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        add_barrier(rec, WF_WATCH_OP_BARRIER, producers, consumers, hazards);
    wf_watch_backend(cmd)->cmd_barrier(cmd, producers, consumers, hazards);
}

/// A barrier for one resource guards all that its reads may need.
#define ALL_HAZARDS                                                                                \
    (WEFT_HAZARD_DRAW_ARGUMENTS | WEFT_HAZARD_DESCRIPTORS | WEFT_HAZARD_DEPTH_STENCIL)

static void buffer_barrier(struct wf_hal_command *cmd, const struct wf_hal_buffer_barrier *barriers,
                           uint32_t count)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    for (uint32_t i = 0; rec && i < count; ++i) {
        const struct wf_hal_buffer_barrier *b = &barriers[i];
        if (!b->buffer->watch)
            continue;
        struct wf_watch_op *op =
            add_barrier(rec, WF_WATCH_OP_BUFFER_BARRIER, b->producers, b->consumers, ALL_HAZARDS);
        op->u.buffer.at = b->buffer->watch;
        op->u.buffer.begin = b->offset;
        op->u.buffer.end = b->offset + b->size;
    }
    wf_watch_backend(cmd)->cmd_buffer_barrier(cmd, barriers, count);
}

static void texture_barrier(struct wf_hal_command *cmd,
                            const struct wf_hal_texture_barrier *barriers, uint32_t count)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    for (uint32_t i = 0; rec && i < count; ++i) {
        const struct wf_hal_texture_barrier *b = &barriers[i];
        if (!b->texture->watch)
            continue;
        struct wf_watch_op *op =
            add_barrier(rec, WF_WATCH_OP_TEXTURE_BARRIER, b->producers, b->consumers, ALL_HAZARDS);
        const bool slices = b->texture->desc.kind == WEFT_TEXTURE_3D;
        op->flags = b->before != b->after ? WF_WATCH_WRITE : 0;
        op->u.texture.at = b->texture->watch;
        op->u.texture.box = (struct wf_watch_box){
            .mip = {b->mip, b->mip + b->mip_count},
            .layer = {slices ? 0 : b->layer, slices ? UINT32_MAX : b->layer + b->layer_count},
            .x = {0, UINT32_MAX},
            .y = {0, UINT32_MAX},
            .aspects = ~(weft_aspect_set)0,
        };
    }
    wf_watch_backend(cmd)->cmd_texture_barrier(cmd, barriers, count);
}

/// None stands for any.
static struct wf_watch_resource *resource_of(struct weft_device *dev, weft_object object)
{
    if (object.kind == WEFT_OBJECT_BUFFER) {
        const struct wf_core_buffer *buf =
            wf_core_buffer_find(dev, (weft_buffer){object.index, object.generation});
        return buf ? buf->hal->watch : NULL;
    }
    const struct wf_core_texture *tex =
        wf_core_texture_find(dev, (weft_texture){object.index, object.generation});
    return tex ? tex->hal->watch : NULL;
}

void wf_core_watch_alias(struct weft_command_buffer *cmd, weft_object before, weft_object after)
{
    if (!cmd->dev->watch || !cmd->hal->watch)
        return;
    struct wf_watch_op *op = wf_watch_op_add(wf_watch_of(cmd->hal), WF_WATCH_OP_ALIAS);
    op->u.alias.before = resource_of(cmd->dev, before);
    op->u.alias.after = resource_of(cmd->dev, after);
}

static void signal_after(struct wf_hal_command *cmd, weft_stage_set producers, uint32_t event)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        add_barrier(rec, WF_WATCH_OP_SIGNAL, producers, 0, 0)->detail = (uint8_t)event;
    wf_watch_backend(cmd)->cmd_signal_after(cmd, producers, event);
}

static void wait_before(struct wf_hal_command *cmd, weft_stage_set consumers,
                        weft_hazard_set hazards, uint32_t event)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        add_barrier(rec, WF_WATCH_OP_WAIT, 0, consumers, hazards)->detail = (uint8_t)event;
    wf_watch_backend(cmd)->cmd_wait_before(cmd, consumers, hazards, event);
}

// ---- passes ------------------------------------------------------------------------------------

static const struct wf_watch_op target_write = {
    .row = WF_WATCH_ROW_TARGET,
    .flags = WF_WATCH_WRITE,
    .columns = WEFT_STAGE_TARGET,
    .depth = WEFT_STAGE_TARGET,
};
static const struct wf_watch_op target_update = {
    .row = WF_WATCH_ROW_TARGET,
    .flags = WF_WATCH_WRITE | WF_WATCH_READS,
    .columns = WEFT_STAGE_TARGET,
    .depth = WEFT_STAGE_TARGET,
};
static const struct wf_watch_op target_read = {
    .row = WF_WATCH_ROW_TARGET,
    .columns = WEFT_STAGE_TARGET,
    .depth = WEFT_STAGE_TARGET,
};

static void use_depth(struct wf_watch_recording *rec, const struct wf_hal_render_pass *pass)
{
    const struct wf_hal_texture_view *view = pass->depth_stencil;
    const weft_aspect_set has = weft_format_get_info(view->desc.format)->aspects;
    const struct {
        weft_aspect_set aspect;
        weft_load load;
    } parts[2] = {{WEFT_ASPECT_DEPTH, pass->depth_load}, {WEFT_ASPECT_STENCIL, pass->stencil_load}};
    for (int i = 0; i < 2; ++i) {
        if (!(has & parts[i].aspect))
            continue;
        struct wf_watch_box box = wf_watch_view_box(view);
        box.aspects = parts[i].aspect;
        wf_watch_box(rec, view->texture, &box,
                     pass->read_only & parts[i].aspect ? &target_read
                     : parts[i].load == WEFT_LOAD_LOAD ? &target_update
                                                       : &target_write);
    }
}

static void begin_render(struct wf_hal_command *cmd, const struct wf_hal_render_pass *pass)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        encoder_begin(rec, pass->label, true);
        rec->targets = *pass;
        rec->indices = NULL;
        memset(rec->streams, 0, sizeof rec->streams);
        wf_watch_command(rec, WF_WATCH_PASS);
        for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
            const struct wf_hal_color_attachment *color = &pass->colors[i];
            if (!color->view)
                continue;
            const struct wf_watch_box box = wf_watch_view_box(color->view);
            wf_watch_box(rec, color->view->texture, &box,
                         color->load == WEFT_LOAD_LOAD ? &target_update : &target_write);
        }
        if (pass->depth_stencil)
            use_depth(rec, pass);
    }
    wf_watch_backend(cmd)->cmd_begin_render(cmd, pass);
}

static void end_render(struct wf_hal_command *cmd)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    bool resolves = false;
    if (rec && rec->unseen)
        wf_watch_command(rec, WF_WATCH_DRAWS);
    if (rec)
        wf_watch_op_add(rec, WF_WATCH_OP_TOUCHED);
    for (uint32_t i = 0; rec && i < WF_HAL_MAX_COLORS; ++i) {
        const struct wf_hal_texture_view *view = rec->targets.colors[i].resolve;
        if (!view)
            continue;
        if (!resolves)
            wf_watch_command(rec, WF_WATCH_RESOLVE);
        resolves = true;
        const struct wf_watch_box box = wf_watch_view_box(view);
        wf_watch_box(rec, view->texture, &box, &target_write);
    }
    if (rec)
        encoder_end(rec);
    wf_watch_backend(cmd)->cmd_end_render(cmd);
}

static void begin_compute(struct wf_hal_command *cmd, struct wf_hal_query_pool *times,
                          uint32_t time_begin, uint32_t time_end, const char *label)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        encoder_begin(rec, label, false);
    wf_watch_backend(cmd)->cmd_begin_compute(cmd, times, time_begin, time_end, label);
}

static void end_compute(struct wf_hal_command *cmd)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        encoder_end(rec);
    wf_watch_backend(cmd)->cmd_end_compute(cmd);
}

// ---- copies ------------------------------------------------------------------------------------

static const struct wf_watch_op copy_write = {
    .row = WF_WATCH_ROW_COPY,
    .flags = WF_WATCH_WRITE,
    .columns = WEFT_STAGE_COPY,
    .depth = WEFT_STAGE_COPY,
};
static const struct wf_watch_op copy_read = {
    .row = WF_WATCH_ROW_COPY,
    .columns = WEFT_STAGE_COPY,
    .depth = WEFT_STAGE_COPY,
};

static struct wf_watch_box region_box(const struct wf_hal_texture *tex,
                                      const weft_texture_region *r)
{
    const bool slices = tex->desc.kind == WEFT_TEXTURE_3D;
    const uint32_t layer = slices ? r->z : r->layer;
    return (struct wf_watch_box){
        .mip = {r->mip, r->mip + 1},
        .layer = {layer, layer + (slices ? r->depth : r->layer_count)},
        .x = {r->x, r->x + r->width},
        .y = {r->y, r->y + r->height},
        .aspects = r->aspect,
    };
}

static void copy_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                        struct wf_hal_buffer *dst, const struct wf_hal_buffer_copy *regions,
                        uint32_t region_count)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    for (uint32_t i = 0; rec && i < region_count; i++) {
        const struct wf_hal_buffer_copy *r = &regions[i];
        wf_watch_command(rec, WF_WATCH_COPY);
        wf_watch_bytes(rec, src, r->src_offset, r->src_offset + r->size, &copy_read);
        wf_watch_bytes(rec, dst, r->dst_offset, r->dst_offset + r->size, &copy_write);
    }
    wf_watch_backend(cmd)->cmd_copy_buffer(cmd, src, dst, regions, region_count);
}

/// A copy between a buffer and a texture; `in` into the texture.
static void copy_texels(struct wf_watch_recording *rec, const struct wf_hal_buffer *buf,
                        const struct wf_hal_texel_layout *layout, const struct wf_hal_texture *tex,
                        const weft_texture_region *region, bool in)
{
    const struct wf_core_extent extent = wf_core_region_extent(&tex->desc, region);
    const struct wf_watch_box box = region_box(tex, region);
    wf_watch_command(rec, WF_WATCH_COPY);
    wf_watch_bytes(rec, buf, layout->offset, wf_core_layout_end(&extent, layout),
                   in ? &copy_read : &copy_write);
    wf_watch_box(rec, tex, &box, in ? &copy_write : &copy_read);
}

static void copy_buffer_to_texture(struct wf_hal_command *cmd, struct wf_hal_buffer *src,
                                   const struct wf_hal_texel_layout *layout,
                                   struct wf_hal_texture *dst, const weft_texture_region *region)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        copy_texels(rec, src, layout, dst, region, true);
    wf_watch_backend(cmd)->cmd_copy_buffer_to_texture(cmd, src, layout, dst, region);
}

static void copy_texture_to_buffer(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                                   const weft_texture_region *region, struct wf_hal_buffer *dst,
                                   const struct wf_hal_texel_layout *layout)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        copy_texels(rec, dst, layout, src, region, false);
    wf_watch_backend(cmd)->cmd_copy_texture_to_buffer(cmd, src, region, dst, layout);
}

static void copy_texture(struct wf_hal_command *cmd, struct wf_hal_texture *src,
                         const weft_texture_region *src_region, struct wf_hal_texture *dst,
                         const weft_texture_region *dst_region)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        const struct wf_watch_box from = region_box(src, src_region);
        const struct wf_watch_box to = region_box(dst, dst_region);
        wf_watch_command(rec, WF_WATCH_COPY);
        wf_watch_box(rec, src, &from, &copy_read);
        wf_watch_box(rec, dst, &to, &copy_write);
    }
    wf_watch_backend(cmd)->cmd_copy_texture(cmd, src, src_region, dst, dst_region);
}

static void fill_buffer(struct wf_hal_command *cmd, struct wf_hal_buffer *buf, uint64_t offset,
                        uint64_t size, uint32_t value)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        wf_watch_command(rec, WF_WATCH_FILL);
        wf_watch_bytes(rec, buf, offset, offset + size, &copy_write);
    }
    wf_watch_backend(cmd)->cmd_fill_buffer(cmd, buf, offset, size, value);
}

static void generate_mips(struct wf_hal_command *cmd, struct wf_hal_texture *tex)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        struct wf_watch_box box = {
            .mip = {0, 1},
            .layer = {0, UINT32_MAX},
            .x = {0, UINT32_MAX},
            .y = {0, UINT32_MAX},
            .aspects = ~(weft_aspect_set)0,
        };
        wf_watch_command(rec, WF_WATCH_MIPS);
        wf_watch_box(rec, tex, &box, &copy_read);
        box.mip[0] = 1;
        box.mip[1] = tex->desc.mips;
        wf_watch_box(rec, tex, &box, &copy_write);
    }
    wf_watch_backend(cmd)->cmd_generate_mips(cmd, tex);
}

// ---- builds ------------------------------------------------------------------------------------

static const struct wf_watch_op build_write = {
    .row = WF_WATCH_ROW_ACCELERATION,
    .flags = WF_WATCH_WRITE,
    .columns = WEFT_STAGE_ACCELERATION,
    .depth = WEFT_STAGE_ACCELERATION,
};
static const struct wf_watch_op build_update = {
    .row = WF_WATCH_ROW_ACCELERATION,
    .flags = WF_WATCH_WRITE | WF_WATCH_READS,
    .columns = WEFT_STAGE_ACCELERATION,
    .depth = WEFT_STAGE_ACCELERATION,
};
static const struct wf_watch_op build_read = {
    .row = WF_WATCH_ROW_ACCELERATION,
    .columns = WEFT_STAGE_ACCELERATION,
    .depth = WEFT_STAGE_ACCELERATION,
};

/// `size` bytes, or to the buffer's end.
static void use_input(struct wf_watch_recording *rec, const struct wf_hal_buffer *buf,
                      uint64_t offset, uint64_t size)
{
    if (buf)
        wf_watch_bytes(rec, buf, offset, wf_base_min_u64(offset + size, buf->size), &build_read);
}

static void use_geometry(struct wf_watch_recording *rec, const struct wf_hal_geometry *g)
{
    const bool triangles = g->kind == WEFT_GEOMETRY_TRIANGLES;
    const uint32_t index = g->index_type == WEFT_INDEX_UINT16 ? 2 : 4;
    use_input(rec, g->buffer, g->offset,
              (uint64_t)g->stride * (triangles ? g->vertex_count : g->count));
    use_input(rec, g->indices, g->index_offset, (uint64_t)g->count * 3 * index);
    use_input(rec, g->transform, g->transform_offset, sizeof(float[12]));
}

/// The bottom levels that a top level has are known to the GPU alone.
static void build_acceleration(struct wf_hal_command *cmd,
                               const struct wf_hal_acceleration_build *build)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    const struct wf_watch_acceleration *known = build->structure->watch;
    if (rec && known) {
        wf_watch_command(rec, WF_WATCH_BUILD);
        wf_watch_structure(rec, build->structure, build->update ? &build_update : &build_write);
        for (uint32_t i = 0; i < build->geometry_count; ++i)
            use_geometry(rec, &build->geometries[i]);
        use_input(rec, build->instances, build->instance_offset,
                  (uint64_t)build->instance_count * sizeof(weft_acceleration_instance));
        if (build->scratch)
            wf_watch_bytes(
                rec, build->scratch, build->scratch_offset,
                wf_base_min_u64(build->scratch_offset + known->scratch, build->scratch->size),
                &build_write);
    }
    wf_watch_backend(cmd)->cmd_build_acceleration(cmd, build);
}

/// Descriptors are no memory that the watch sees.
static void write_heap(struct wf_hal_command *cmd, weft_heap_kind kind, uint32_t index,
                       struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec)
        wf_watch_op_add(rec, WF_WATCH_OP_UNSEEN)->columns = WEFT_STAGE_ALL;
    wf_watch_backend(cmd)->cmd_write_heap(cmd, kind, index, view, sampler);
}

static void resolve_queries(struct wf_hal_command *cmd, struct wf_hal_query_pool *pool,
                            uint32_t first, uint32_t count, struct wf_hal_buffer *buf,
                            uint64_t offset)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        const uint64_t each = pool->kind == WEFT_QUERY_STATISTICS ? sizeof(weft_pipeline_statistics)
                                                                  : sizeof(uint64_t);
        wf_watch_op_add(rec, WF_WATCH_OP_ENCODER); // outside of encoders: it is one of its own
        wf_watch_op_add(rec, WF_WATCH_OP_UNSEEN);  // the pool's results
        wf_watch_command(rec, WF_WATCH_QUERIES);
        wf_watch_bytes(rec, buf, offset, offset + count * each, &copy_write);
    }
    wf_watch_backend(cmd)->cmd_resolve_queries(cmd, pool, first, count, buf, offset);
}

void wf_watch_record_hooks(struct wf_hal_device_ops *ops)
{
    ops->cmd_barrier = barrier;
    ops->cmd_buffer_barrier = buffer_barrier;
    ops->cmd_texture_barrier = texture_barrier;
    ops->cmd_signal_after = signal_after;
    ops->cmd_wait_before = wait_before;
    ops->cmd_push_group = push_group;
    ops->cmd_pop_group = pop_group;
    ops->cmd_begin_render = begin_render;
    ops->cmd_end_render = end_render;
    ops->cmd_begin_compute = begin_compute;
    ops->cmd_end_compute = end_compute;
    ops->cmd_copy_buffer = copy_buffer;
    ops->cmd_copy_buffer_to_texture = copy_buffer_to_texture;
    ops->cmd_copy_texture_to_buffer = copy_texture_to_buffer;
    ops->cmd_copy_texture = copy_texture;
    ops->cmd_fill_buffer = fill_buffer;
    ops->cmd_generate_mips = generate_mips;
    ops->cmd_build_acceleration = build_acceleration;
    ops->cmd_write_heap = write_heap;
    ops->cmd_resolve_queries = resolve_queries;
}
