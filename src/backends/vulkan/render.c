// Render passes: dynamic rendering, state that is set by command, draws.
#include "backends/vulkan/vulkan.h"

#include <string.h>

// ---- passes ------------------------------------------------------------------------------------

static VkAttachmentLoadOp load_op(weft_load load)
{
    return load == WEFT_LOAD_LOAD    ? VK_ATTACHMENT_LOAD_OP_LOAD
           : load == WEFT_LOAD_CLEAR ? VK_ATTACHMENT_LOAD_OP_CLEAR
                                     : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
}

static VkAttachmentStoreOp store_op(weft_store store)
{
    return store == WEFT_STORE_STORE ? VK_ATTACHMENT_STORE_OP_STORE
                                     : VK_ATTACHMENT_STORE_OP_DONT_CARE;
}

static VkRenderingAttachmentInfo color_attachment(const struct wf_hal_color_attachment *color)
{
    VkRenderingAttachmentInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    if (!color->view)
        return info;
    info.imageView = wf_vk_texture_view(color->view)->attached;
    info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.loadOp = load_op(color->load);
    info.storeOp = store_op(color->store);
    memcpy(&info.clearValue.color, &color->clear, sizeof color->clear);
    if (color->resolve) {
        const weft_sample_class kind = weft_format_get_info(color->view->desc.format)->sample_class;
        const bool integers = kind == WEFT_SAMPLE_CLASS_UINT || kind == WEFT_SAMPLE_CLASS_SINT;
        info.resolveMode = integers ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_AVERAGE_BIT;
        info.resolveImageView = wf_vk_texture_view(color->resolve)->attached;
        info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    }
    return info;
}

static VkRenderingAttachmentInfo depth_attachment(const struct wf_hal_render_pass *pass,
                                                  weft_load load, weft_store store)
{
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = wf_vk_texture_view(pass->depth_stencil)->attached,
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .loadOp = load_op(load),
        .storeOp = store_op(store),
        .clearValue.depthStencil = {pass->clear_depth, pass->clear_stencil},
    };
}

static void begin_rendering(struct wf_vk_command *cmd, const struct wf_hal_render_pass *pass)
{
    VkRenderingAttachmentInfo colors[WF_HAL_MAX_COLORS], depth, stencil;
    uint32_t color_count = 0;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; i++) {
        colors[i] = color_attachment(&pass->colors[i]);
        if (pass->colors[i].view)
            color_count = i + 1;
    }
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {pass->width, pass->height}},
        .layerCount = pass->layers,
        .colorAttachmentCount = color_count,
        .pColorAttachments = colors,
    };
    if (pass->depth_stencil) {
        const VkImageAspectFlags aspects =
            wf_vk_format_aspects(pass->depth_stencil->texture->desc.format);
        depth = depth_attachment(pass, pass->depth_load, pass->depth_store);
        stencil = depth_attachment(pass, pass->stencil_load, pass->stencil_store);
        info.pDepthAttachment = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? &depth : NULL;
        info.pStencilAttachment = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &stencil : NULL;
    }
    cmd->vk->CmdBeginRendering(cmd->handle, &info);
}

/// What an encoder starts with: nothing is set.
static void begin_encoder(struct wf_vk_command *cmd)
{
    cmd->pipeline = NULL;
    cmd->root_split = false;
    cmd->dirty = 0;
    for (uint32_t i = 0; i < WF_HAL_SLOTS; i++)
        cmd->bound[i].table = NULL;
}

void wf_vk_cmd_begin_render(struct wf_hal_command *base, const struct wf_hal_render_pass *pass)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    wf_vk_query_begin_pass(cmd, pass);
    wf_vk_cmd_push_group(base, pass->label);
    if (pass->times && pass->time_begin != UINT32_MAX)
        wf_vk_write_time(cmd, pass->times, pass->time_begin);
    cmd->times = pass->times;
    cmd->time_end = pass->time_end;
    cmd->occlusion = pass->occlusion;
    begin_encoder(cmd);
    cmd->rendering = true;
    begin_rendering(cmd, pass);
}

void wf_vk_cmd_end_render(struct wf_hal_command *base)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->vk->CmdEndRendering(cmd->handle);
    cmd->rendering = false;
    if (cmd->times && cmd->time_end != UINT32_MAX)
        wf_vk_write_time(cmd, cmd->times, cmd->time_end);
    wf_vk_cmd_pop_group(base);
}

void wf_vk_cmd_begin_compute(struct wf_hal_command *base, struct wf_hal_query_pool *times,
                             uint32_t time_begin, uint32_t time_end, const char *label)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    wf_vk_cmd_push_group(base, label ? label : "");
    if (times && time_begin != UINT32_MAX)
        wf_vk_write_time(cmd, times, time_begin);
    cmd->times = times;
    cmd->time_end = time_end;
    begin_encoder(cmd);
}

void wf_vk_cmd_end_compute(struct wf_hal_command *base)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    if (cmd->times && cmd->time_end != UINT32_MAX)
        wf_vk_write_time(cmd, cmd->times, cmd->time_end);
    wf_vk_cmd_pop_group(base);
}

// ---- state -------------------------------------------------------------------------------------

/// Sets that a change of pipeline takes away: those at and above the first slot whose layout is
/// another one.
static uint32_t disturbed(const struct wf_vk_pipeline *from, const struct wf_vk_pipeline *to)
{
    for (uint32_t i = 0; i < WF_HAL_SLOTS; i++) {
        if (!from || from->layouts[i] != to->layouts[i])
            return (WF_VK_DIRTY_SLOTS | WF_VK_DIRTY_HEAP) & ~((1u << i) - 1u);
    }
    return !from->heap && to->heap ? WF_VK_DIRTY_HEAP : 0;
}

void wf_vk_cmd_set_pipeline(struct wf_hal_command *base, struct wf_hal_pipeline *pipeline)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    struct wf_vk_pipeline *to = (struct wf_vk_pipeline *)pipeline;
    if (cmd->pipeline == to)
        return;
    cmd->dirty |= disturbed(cmd->pipeline, to) | WF_VK_DIRTY_PIPELINE |
                  (cmd->root_split ? WF_VK_DIRTY_ROOT : 0);
    cmd->pipeline = to;
}

void wf_vk_cmd_set_compute_pipeline(struct wf_hal_command *base, struct wf_hal_pipeline *pipeline)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    struct wf_vk_pipeline *to = (struct wf_vk_pipeline *)pipeline;
    cmd->dirty |= disturbed(cmd->pipeline, to);
    cmd->pipeline = to;
    cmd->vk->CmdBindPipeline(cmd->handle, to->point, to->handle);
}

static bool same_face(const weft_stencil_face *a, const weft_stencil_face *b)
{
    return a->compare == b->compare && a->fail == b->fail && a->depth_fail == b->depth_fail &&
           a->pass == b->pass;
}

static void set_stencil_face(struct wf_vk_command *cmd, VkStencilFaceFlags face,
                             const weft_stencil_face *f)
{
    cmd->vk->CmdSetStencilOp(cmd->handle, face, wf_vk_stencil_op(f->fail),
                             wf_vk_stencil_op(f->pass), wf_vk_stencil_op(f->depth_fail),
                             wf_vk_compare(f->compare, VK_COMPARE_OP_ALWAYS));
}

static uint32_t write_mask(const weft_depth_stencil_state *state)
{
    return state->no_stencil_write ? 0 : state->write_mask ? state->write_mask : 0xffu;
}

// Each piece of state is a command of its own, which costs a driver more than Weft's whole part of
// a draw: only what differs is sent.

static void set_depth(struct wf_vk_command *cmd, const weft_depth_stencil_state *was,
                      const weft_depth_stencil_state *state, bool all)
{
    const bool on = state->depth != WEFT_COMPARE_DEFAULT;
    if (all || on != (was->depth != WEFT_COMPARE_DEFAULT))
        cmd->vk->CmdSetDepthTestEnable(cmd->handle, on);
    if (all || was->depth_write != state->depth_write)
        cmd->vk->CmdSetDepthWriteEnable(cmd->handle, state->depth_write);
    if (all || was->depth != state->depth)
        cmd->vk->CmdSetDepthCompareOp(cmd->handle,
                                      wf_vk_compare(state->depth, VK_COMPARE_OP_ALWAYS));
}

static void set_stencil(struct wf_vk_command *cmd, const weft_depth_stencil_state *was,
                        const weft_depth_stencil_state *state, bool all)
{
    if (all || was->stencil != state->stencil)
        cmd->vk->CmdSetStencilTestEnable(cmd->handle, state->stencil);
    if (all || !same_face(&was->front, &state->front))
        set_stencil_face(cmd, VK_STENCIL_FACE_FRONT_BIT, &state->front);
    if (all || !same_face(&was->back, &state->back))
        set_stencil_face(cmd, VK_STENCIL_FACE_BACK_BIT, &state->back);
    if (all || was->read_mask != state->read_mask)
        cmd->vk->CmdSetStencilCompareMask(cmd->handle, VK_STENCIL_FACE_FRONT_AND_BACK,
                                          state->read_mask ? state->read_mask : 0xffu);
    if (all || write_mask(was) != write_mask(state))
        cmd->vk->CmdSetStencilWriteMask(cmd->handle, VK_STENCIL_FACE_FRONT_AND_BACK,
                                        write_mask(state));
}

void wf_vk_cmd_set_depth_stencil(struct wf_hal_command *base, const weft_depth_stencil_state *state)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    const bool all = !cmd->state_set[0];
    set_depth(cmd, &cmd->depth_stencil, state, all);
    set_stencil(cmd, &cmd->depth_stencil, state, all);
    cmd->state_set[0] = true;
    cmd->depth_stencil = *state;
}

static void record_blend(const struct wf_vk_command *cmd)
{
    const uint32_t count = cmd->base.dev->caps.limits.max_color_targets;
    VkBool32 enables[WF_HAL_MAX_COLORS];
    VkColorBlendEquationEXT equations[WF_HAL_MAX_COLORS];
    VkColorComponentFlags masks[WF_HAL_MAX_COLORS];
    for (uint32_t i = 0; i < count; i++) {
        const VkPipelineColorBlendAttachmentState t = wf_vk_blend_target(&cmd->blend, i);
        enables[i] = t.blendEnable;
        masks[i] = t.colorWriteMask;
        equations[i] =
            (VkColorBlendEquationEXT){t.srcColorBlendFactor, t.dstColorBlendFactor, t.colorBlendOp,
                                      t.srcAlphaBlendFactor, t.dstAlphaBlendFactor, t.alphaBlendOp};
    }
    cmd->vk->CmdSetColorBlendEnableEXT(cmd->handle, 0, count, enables);
    cmd->vk->CmdSetColorBlendEquationEXT(cmd->handle, 0, count, equations);
    cmd->vk->CmdSetColorWriteMaskEXT(cmd->handle, 0, count, masks);
}

void wf_vk_cmd_set_blend(struct wf_hal_command *base, const weft_blend_state *state)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    if (cmd->state_set[1] && wf_vk_blend_equal(&cmd->blend, state))
        return;
    cmd->state_set[1] = true;
    cmd->blend = *state;
    if (wf_vk_device(base->dev)->dynamic_blend)
        record_blend(cmd);
    else
        cmd->dirty |= WF_VK_DIRTY_PIPELINE;
}

static bool has_bias(const weft_raster_state *state)
{
    return state->depth_bias != 0.0F || state->depth_bias_slope != 0.0F;
}

static bool same_bias(const weft_raster_state *a, const weft_raster_state *b)
{
    return a->depth_bias == b->depth_bias && a->depth_bias_slope == b->depth_bias_slope &&
           a->depth_bias_clamp == b->depth_bias_clamp;
}

void wf_vk_cmd_set_raster(struct wf_hal_command *base, const weft_raster_state *state)
{
    static const VkCullModeFlags culls[] = {
        [WEFT_CULL_NONE] = VK_CULL_MODE_NONE,
        [WEFT_CULL_FRONT] = VK_CULL_MODE_FRONT_BIT,
        [WEFT_CULL_BACK] = VK_CULL_MODE_BACK_BIT,
    };
    struct wf_vk_command *cmd = wf_vk_command(base);
    const struct wf_vk_device *dev = wf_vk_device(base->dev);
    const struct wf_vk_functions *vk = cmd->vk;
    const weft_raster_state *was = &cmd->raster;
    const bool all = !cmd->state_set[2];
    if (all || was->cull != state->cull)
        vk->CmdSetCullMode(cmd->handle, culls[state->cull]);
    // The viewport is upside down, so that y points up in clip space: faces are as seen there.
    if (all || was->front != state->front)
        vk->CmdSetFrontFace(cmd->handle, state->front == WEFT_FRONT_CLOCKWISE
                                             ? VK_FRONT_FACE_CLOCKWISE
                                             : VK_FRONT_FACE_COUNTER_CLOCKWISE);
    if (all || has_bias(was) != has_bias(state))
        vk->CmdSetDepthBiasEnable(cmd->handle, has_bias(state));
    if (all || !same_bias(was, state)) {
        const bool clamp = dev->adapter.features.features.depthBiasClamp;
        vk->CmdSetDepthBias(cmd->handle, state->depth_bias, clamp ? state->depth_bias_clamp : 0.0F,
                            state->depth_bias_slope);
    }
    if (!dev->dynamic_fill)
        cmd->dirty |= all || was->fill != state->fill ? WF_VK_DIRTY_PIPELINE : 0u;
    else if (all || was->fill != state->fill)
        vk->CmdSetPolygonModeEXT(cmd->handle, state->fill == WEFT_FILL_LINE ? VK_POLYGON_MODE_LINE
                                                                            : VK_POLYGON_MODE_FILL);
    cmd->state_set[2] = true;
    cmd->raster = *state;
}

void wf_vk_cmd_set_viewport(struct wf_hal_command *base, const weft_viewport *v)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    const VkViewport viewport = {v->x,       v->y + v->height, v->width,
                                 -v->height, v->min_depth,     v->max_depth};
    cmd->vk->CmdSetViewport(cmd->handle, 0, 1, &viewport);
}

void wf_vk_cmd_set_scissor(struct wf_hal_command *base, const weft_rect *s)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    const VkRect2D scissor = {{s->x, s->y}, {s->width, s->height}};
    cmd->vk->CmdSetScissor(cmd->handle, 0, 1, &scissor);
}

void wf_vk_cmd_set_stencil_reference(struct wf_hal_command *base, uint32_t reference)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->vk->CmdSetStencilReference(cmd->handle, VK_STENCIL_FACE_FRONT_AND_BACK, reference);
}

void wf_vk_cmd_set_blend_constant(struct wf_hal_command *base, const float color[4])
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->vk->CmdSetBlendConstants(cmd->handle, color);
}

// ---- what draws read ---------------------------------------------------------------------------

void wf_vk_cmd_set_table(struct wf_hal_command *base, uint32_t slot, struct wf_hal_table *table,
                         const uint32_t *offsets, uint32_t offset_count)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    struct wf_vk_bound *bound = &cmd->bound[slot];
    if (offset_count == 0 && bound->table == (const struct wf_vk_table *)table)
        return;
    bound->table = (const struct wf_vk_table *)table;
    bound->offset_count = offset_count;
    for (uint32_t i = 0; i < offset_count; i++)
        bound->offsets[i] = offsets[i];
    cmd->dirty |= 1u << slot;
}

/// From the first write of one stage alone on, each has a copy of the root block of its own.
static const weft_shader_stages both_stages = WEFT_SHADER_STAGE_VERTEX | WEFT_SHADER_STAGE_FRAGMENT;

static void set_root_part(struct wf_vk_command *cmd, weft_shader_stages stages, uint32_t offset,
                          const void *data, uint32_t size)
{
    if (!cmd->root_split)
        memcpy(cmd->root[1], cmd->root[0], sizeof cmd->root[0]);
    cmd->root_split = true;
    if (stages & ~(weft_shader_stages)WEFT_SHADER_STAGE_FRAGMENT)
        memcpy(cmd->root[0] + offset, data, size);
    if (stages & WEFT_SHADER_STAGE_FRAGMENT)
        memcpy(cmd->root[1] + offset, data, size);
    cmd->dirty |= WF_VK_DIRTY_ROOT;
}

/// Any write; it is remembered in case that the stages part later.
static __attribute__((noinline)) void set_root(struct wf_vk_command *cmd, weft_shader_stages stages,
                                               uint32_t offset, const void *data, uint32_t size)
{
    const struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    if (cmd->rendering && (cmd->root_split || (stages & both_stages) != both_stages)) {
        set_root_part(cmd, stages, offset, data, size);
        return;
    }
    memcpy(cmd->root[0] + offset, data, size);
    cmd->vk->CmdPushConstants(cmd->handle, dev->root_layout, dev->root_stages, offset, size, data);
}

/// A matrix for both stages, once per draw: that takes a short way.
void wf_vk_cmd_set_root(struct wf_hal_command *base, weft_shader_stages stages, uint32_t offset,
                        const void *data, uint32_t size)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    if (size != 64 || stages != both_stages || cmd->root_split) {
        set_root(cmd, stages, offset, data, size);
        return;
    }
    const struct wf_vk_device *dev = wf_vk_device(base->dev);
    memcpy(cmd->root[0] + offset, data, 64);
    cmd->vk->CmdPushConstants(cmd->handle, dev->root_layout, dev->root_stages, offset, 64, data);
}

void wf_vk_cmd_set_vertex_buffer(struct wf_hal_command *base, uint32_t slot,
                                 struct wf_hal_buffer *buf, uint64_t offset)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->vk->CmdBindVertexBuffers(cmd->handle, slot, 1, &wf_vk_buffer(buf)->handle, &offset);
}

void wf_vk_cmd_set_index_buffer(struct wf_hal_command *base, struct wf_hal_buffer *buf,
                                uint64_t offset, weft_index_type type)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    cmd->vk->CmdBindIndexBuffer(cmd->handle, wf_vk_buffer(buf)->handle, offset,
                                type == WEFT_INDEX_UINT16 ? VK_INDEX_TYPE_UINT16
                                                          : VK_INDEX_TYPE_UINT32);
}

// ---- before a draw or dispatch -----------------------------------------------------------------

/// Pushes the root blocks of both stages. True if they must lie apart.
static bool push_roots(struct wf_vk_command *cmd)
{
    const struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    const struct wf_vk_pipeline *p = cmd->pipeline;
    const uint32_t begin = p->shared_begin, end = p->shared_end;
    const bool apart =
        begin < end && memcmp(cmd->root[0] + begin, cmd->root[1] + begin, end - begin) != 0;
    if (apart && p->root_shift == 0) {
        VkDeviceAddress blocks[2];
        if (wf_vk_roots_write(cmd, blocks))
            cmd->vk->CmdPushConstants(cmd->handle, dev->root_layout, dev->root_stages, 0,
                                      sizeof blocks, blocks);
        return true;
    }
    // One after the other: what both read is the same, or they lie apart.
    cmd->vk->CmdPushConstants(cmd->handle, dev->root_layout, dev->root_stages, 0, WF_VK_ROOT_BYTES,
                              cmd->root[0]);
    if (p->fragment_begin < p->fragment_end)
        cmd->vk->CmdPushConstants(cmd->handle, dev->root_layout, dev->root_stages,
                                  p->fragment_begin + (apart ? p->root_shift : 0),
                                  p->fragment_end - p->fragment_begin,
                                  cmd->root[1] + p->fragment_begin);
    return apart;
}

/// False, with the command failed, if the variant cannot be made.
static bool bind_pipeline(struct wf_vk_command *cmd)
{
    struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    const bool apart = cmd->root_split && push_roots(cmd);
    const struct wf_vk_variant *newest = cmd->pipeline->first;
    VkPipeline wanted;
    if (newest && newest->split == apart && dev->dynamic_blend && dev->dynamic_fill) {
        wanted = newest->handle; // as most often
    } else {
        const weft_result result = wf_vk_pipeline_variant(dev, cmd->pipeline, &cmd->blend,
                                                          cmd->raster.fill, apart, &wanted);
        wf_vk_command_fail(cmd, result);
        if (result != WEFT_OK)
            return false;
    }
    if (wanted == cmd->bound_pipeline)
        return true;
    cmd->vk->CmdBindPipeline(cmd->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, wanted);
    cmd->bound_pipeline = wanted;
    // lavapipe forgets it at a pipeline without colors (handle_graphics_pipeline in lvp_execute.c).
    if (cmd->blend_forgotten && cmd->pipeline->colors && cmd->state_set[1] && dev->dynamic_blend)
        record_blend(cmd);
    cmd->blend_forgotten = !cmd->pipeline->colors;
    return true;
}

static void bind_sets(struct wf_vk_command *cmd)
{
    const struct wf_vk_device *dev = wf_vk_device(cmd->base.dev);
    const struct wf_vk_pipeline *p = cmd->pipeline;
    const uint32_t slots = cmd->dirty & WF_VK_DIRTY_SLOTS;
    for (uint32_t i = 0; slots >> i; i++) {
        const struct wf_vk_bound *bound = &cmd->bound[i];
        // No offsets are NULL: drivers copy the array, and an empty one is memory all the same.
        if (slots & 1u << i && bound->table && p->layouts[i])
            cmd->vk->CmdBindDescriptorSets(cmd->handle, p->point, p->layout, i, 1,
                                           &bound->table->set, bound->offset_count,
                                           bound->offset_count ? bound->offsets : NULL);
    }
    // A lower set of another layout takes the heap away, one of the same layout does not.
    if (cmd->dirty & WF_VK_DIRTY_HEAP && p->heap)
        cmd->vk->CmdBindDescriptorSets(cmd->handle, p->point, p->layout, WF_VK_HEAP_SET, 1,
                                       &dev->heap.set, 0, NULL);
}

static bool flush(struct wf_vk_command *cmd)
{
    if (cmd->dirty & (WF_VK_DIRTY_PIPELINE | WF_VK_DIRTY_ROOT) && !cmd->pipeline->base.compute &&
        !bind_pipeline(cmd))
        return false;
    bind_sets(cmd);
    cmd->dirty = 0;
    return true;
}

/// NULL if the draw must be left out: there is no pipeline for it, and the command has failed.
static inline struct wf_vk_command *ready(struct wf_hal_command *base)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    return cmd->dirty && !flush(cmd) ? NULL : cmd;
}

// ---- draws and dispatches ----------------------------------------------------------------------

static __attribute__((noinline)) void flush_and_draw(struct wf_hal_command *base,
                                                     uint32_t vertex_count, uint32_t instance_count,
                                                     uint32_t first_vertex, uint32_t first_instance)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    cmd->vk->CmdDraw(cmd->handle, vertex_count, instance_count, first_vertex, first_instance);
}

void wf_vk_cmd_draw(struct wf_hal_command *base, uint32_t vertex_count, uint32_t instance_count,
                    uint32_t first_vertex, uint32_t first_instance)
{
    const struct wf_vk_command *cmd = wf_vk_command(base);
    if (cmd->dirty)
        flush_and_draw(base, vertex_count, instance_count, first_vertex, first_instance);
    else
        cmd->vk->CmdDraw(cmd->handle, vertex_count, instance_count, first_vertex, first_instance);
}

void wf_vk_cmd_draw_indexed(struct wf_hal_command *base, uint32_t index_count,
                            uint32_t instance_count, uint32_t first_index, int32_t vertex_offset,
                            uint32_t first_instance)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    cmd->vk->CmdDrawIndexed(cmd->handle, index_count, instance_count, first_index, vertex_offset,
                            first_instance);
}

void wf_vk_cmd_draw_indirect(struct wf_hal_command *base, const struct wf_hal_indirect *draws)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    VkBuffer buf = wf_vk_buffer(draws->buffer)->handle;
    if (draws->count_buffer)
        cmd->vk->CmdDrawIndirectCount(cmd->handle, buf, draws->offset,
                                      wf_vk_buffer(draws->count_buffer)->handle,
                                      draws->count_offset, draws->max_count, draws->stride);
    else
        cmd->vk->CmdDrawIndirect(cmd->handle, buf, draws->offset, draws->max_count, draws->stride);
}

void wf_vk_cmd_draw_indexed_indirect(struct wf_hal_command *base,
                                     const struct wf_hal_indirect *draws)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    VkBuffer buf = wf_vk_buffer(draws->buffer)->handle;
    if (draws->count_buffer)
        cmd->vk->CmdDrawIndexedIndirectCount(cmd->handle, buf, draws->offset,
                                             wf_vk_buffer(draws->count_buffer)->handle,
                                             draws->count_offset, draws->max_count, draws->stride);
    else
        cmd->vk->CmdDrawIndexedIndirect(cmd->handle, buf, draws->offset, draws->max_count,
                                        draws->stride);
}

void wf_vk_cmd_draw_mesh(struct wf_hal_command *base, uint32_t x, uint32_t y, uint32_t z)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    cmd->vk->CmdDrawMeshTasksEXT(cmd->handle, x, y, z);
}

void wf_vk_cmd_draw_mesh_indirect(struct wf_hal_command *base, const struct wf_hal_indirect *draws)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    VkBuffer buf = wf_vk_buffer(draws->buffer)->handle;
    if (draws->count_buffer)
        cmd->vk->CmdDrawMeshTasksIndirectCountEXT(
            cmd->handle, buf, draws->offset, wf_vk_buffer(draws->count_buffer)->handle,
            draws->count_offset, draws->max_count, draws->stride);
    else
        cmd->vk->CmdDrawMeshTasksIndirectEXT(cmd->handle, buf, draws->offset, draws->max_count,
                                             draws->stride);
}

void wf_vk_cmd_dispatch(struct wf_hal_command *base, uint32_t x, uint32_t y, uint32_t z)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    cmd->vk->CmdDispatch(cmd->handle, x, y, z);
}

void wf_vk_cmd_dispatch_indirect(struct wf_hal_command *base, struct wf_hal_buffer *buf,
                                 uint64_t offset)
{
    const struct wf_vk_command *cmd = ready(base);
    if (!cmd)
        return;
    cmd->vk->CmdDispatchIndirect(cmd->handle, wf_vk_buffer(buf)->handle, offset);
}
