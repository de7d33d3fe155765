// What a draw or a dispatch needs. The fast path (render_draw.c) compares a few numbers; here they
// are worked out again when something was set, and what is wrong is reported.
#include "core/build.h"
#include "core/record.h"

#include <inttypes.h>
#include <string.h>

static bool broken(const struct weft_command_buffer *cmd, weft_rule rule, const char *text)
{
    return wf_core_broken(&cmd->on, rule, "%s", text);
}

// ---- targets -----------------------------------------------------------------------------------

static const char *format_name(uint8_t format)
{
    return weft_format_get_info((weft_format)format)->name;
}

bool wf_core_check_targets(weft_render_encoder *enc, const struct wf_core_pipeline *pipeline,
                           weft_object object)
{
    const struct wf_core_targets *pass = &enc->targets, *p = &pipeline->targets;
    if (memcmp(pass, p, sizeof *pass) == 0)
        return true;
    const struct wf_core_subject on = wf_core_about_in(enc->cmd, object);
    bool ok = true;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        if (pass->colors[i] != p->colors[i])
            ok = wf_core_broken(&on, WEFT_RULE_PIPELINE_TARGETS,
                                "Color %u is %s in the pipeline and %s in the pass.", i,
                                format_name(p->colors[i]), format_name(pass->colors[i]));
    }
    if (pass->depth_stencil != p->depth_stencil)
        ok = wf_core_broken(&on, WEFT_RULE_PIPELINE_TARGETS,
                            "Depth-stencil is %s in the pipeline and %s in the pass.",
                            format_name(p->depth_stencil), format_name(pass->depth_stencil));
    if (pass->samples != p->samples)
        ok = wf_core_broken(&on, WEFT_RULE_PIPELINE_TARGETS,
                            "The pipeline has %u samples, the pass %u.", p->samples, pass->samples);
    return ok;
}

// ---- tables ------------------------------------------------------------------------------------

static bool check_slot(struct weft_command_buffer *cmd, const struct wf_core_pipeline *p,
                       uint32_t slot, const struct wf_core_bound_table *bound)
{
    if (!bound->shape)
        return wf_core_broken(&(struct wf_core_subject){.dev = cmd->dev,
                                                        .object = wf_core_command_object(),
                                                        .label = p->label,
                                                        .origin = &cmd->origin},
                              WEFT_RULE_ARGUMENTS_MISSING,
                              "Slot %u has no table, and the pipeline reads it.", slot);
    if (bound->shape != p->shapes[slot])
        return wf_core_command_broken(
            cmd, wf_core_argument_table_object(bound->handle), WEFT_RULE_ARGUMENTS_LAYOUT,
            "The table in slot %u has another layout than pipeline \"%s\".", slot, p->label);
    return true;
}

static bool check_need(struct weft_command_buffer *cmd, const struct wf_core_need *need,
                       const struct wf_core_bound_table *bound)
{
    const struct wf_core_subject on =
        wf_core_about_in(cmd, wf_core_argument_table_object(bound->handle));
    bool ok = true;
    for (uint32_t e = 0; e < need->count; ++e) {
        const uint64_t bytes = bound->version->extents[need->first_element + e].bytes;
        if (bytes == 0)
            ok = wf_core_broken(&on, WEFT_RULE_ARGUMENT_UNWRITTEN,
                                "Slot %u, binding %u, element %u was never written.", need->slot,
                                need->binding, e);
        else if (bytes < need->bytes)
            ok = wf_core_broken(&on, WEFT_RULE_ARGUMENT_BLOCK_SIZE,
                                "Slot %u, binding %u, element %u has %" PRIu64
                                " bytes; the shader's block has %" PRIu64 ".",
                                need->slot, need->binding, e, bytes, need->bytes);
    }
    return ok;
}

bool wf_core_check_tables(struct weft_command_buffer *cmd, const struct wf_core_pipeline *pipeline,
                          const struct wf_core_bound_table tables[WF_HAL_SLOTS])
{
    uint32_t good = 0;
    bool ok = true;
    for (uint32_t slot = 0; slot < WF_HAL_SLOTS; ++slot) {
        if (!(pipeline->slot_mask >> slot & 1))
            continue;
        if (check_slot(cmd, pipeline, slot, &tables[slot]))
            good |= 1u << slot;
        else
            ok = false;
    }
    for (uint32_t i = 0; i < pipeline->need_count; ++i) {
        const struct wf_core_need *need = &pipeline->needs[i];
        if (good & 1u << need->slot)
            ok &= check_need(cmd, need, &tables[need->slot]);
    }
    return ok;
}

// ---- root block --------------------------------------------------------------------------------

static bool check_root_part(struct weft_command_buffer *cmd, uint64_t need, uint64_t written,
                            const char *stage, const char *label)
{
    const uint64_t missing = need & ~written;
    if (missing == 0)
        return true;
    uint32_t first = 0;
    while (!(missing >> first & 1))
        ++first;
    return wf_core_broken(&(struct wf_core_subject){.dev = cmd->dev,
                                                    .object = wf_core_command_object(),
                                                    .label = label,
                                                    .origin = &cmd->origin},
                          WEFT_RULE_ROOT_UNWRITTEN,
                          "The %s shader of pipeline \"%s\" reads byte %u of the root block.",
                          stage, label, first * 4);
}

// ---- vertex streams ----------------------------------------------------------------------------

/// How many elements a stream holds.
static uint64_t elements(uint64_t bytes, const struct wf_core_stream *stream)
{
    if (bytes < stream->reach)
        return 0;
    return stream->stride == 0 ? UINT64_MAX : (bytes - stream->reach) / stream->stride + 1;
}

static bool refresh_streams(weft_render_encoder *enc)
{
    const struct wf_core_pipeline *p = enc->pipeline;
    struct weft_command_buffer *cmd = enc->cmd;
    bool ok = true;
    // A mesh pipeline takes no vertices: the fast path of other draws ends here.
    enc->vertex_limit = enc->instance_limit = p->mesh ? 0 : UINT64_MAX;
    for (uint32_t slot = 0; slot < WF_CORE_MAX_STREAMS; ++slot) {
        if (!(p->stream_mask >> slot & 1))
            continue;
        if (!(enc->stream_mask >> slot & 1)) {
            ok = wf_core_broken(&(struct wf_core_subject){.dev = cmd->dev,
                                                          .object = wf_core_command_object(),
                                                          .label = p->label,
                                                          .origin = &cmd->origin},
                                WEFT_RULE_STREAM_MISSING,
                                "Slot %u has no vertex buffer, and pipeline \"%s\" reads it.", slot,
                                p->label);
            continue;
        }
        const uint64_t count = elements(enc->stream_bytes[slot], &p->streams[slot]);
        uint64_t *limit = p->streams[slot].instance ? &enc->instance_limit : &enc->vertex_limit;
        if (count < *limit)
            *limit = count;
    }
    return ok;
}

static bool check_limit(struct weft_command_buffer *cmd, const char *what, uint64_t end,
                        uint64_t limit)
{
    if (end <= limit)
        return true;
    return wf_core_broken(&cmd->on, WEFT_RULE_STREAM_RANGE,
                          "The draw reads %s up to %" PRIu64 "; the streams hold %" PRIu64 ".",
                          what, end, limit);
}

// ---- state -------------------------------------------------------------------------------------

static bool stencil_writes(const weft_depth_stencil_state *s)
{
    if (!s->stencil || s->no_stencil_write || s->write_mask == 0)
        return false;
    const weft_stencil_face *faces[2] = {&s->front, &s->back};
    for (int i = 0; i < 2; ++i) {
        if (faces[i]->fail != WEFT_STENCIL_KEEP || faces[i]->depth_fail != WEFT_STENCIL_KEEP ||
            faces[i]->pass != WEFT_STENCIL_KEEP)
            return true;
    }
    return false;
}

/// Depth and stencil against the attachment.
static bool check_depth_state(weft_render_encoder *enc)
{
    struct weft_command_buffer *cmd = enc->cmd;
    const weft_depth_stencil_state *s = enc->depth_stencil;
    bool ok = true;
    if ((s->depth != WEFT_COMPARE_DEFAULT || s->depth_write) && !(enc->aspects & WEFT_ASPECT_DEPTH))
        ok = broken(cmd, WEFT_RULE_STATE_WITHOUT_ASPECT,
                    "The state tests or writes depth, and the pass has none.");
    if (s->stencil && !(enc->aspects & WEFT_ASPECT_STENCIL))
        ok = broken(cmd, WEFT_RULE_STATE_WITHOUT_ASPECT,
                    "The state tests stencil, and the pass has none.");
    if (s->depth_write && enc->read_only & WEFT_ASPECT_DEPTH)
        ok = broken(cmd, WEFT_RULE_STATE_READ_ONLY,
                    "The state writes depth, which is read-only in this pass.");
    if (stencil_writes(s) && enc->read_only & WEFT_ASPECT_STENCIL)
        ok = broken(cmd, WEFT_RULE_STATE_READ_ONLY,
                    "The state writes stencil, which is read-only in this pass.");
    return ok;
}

/// Blending needs formats that can.
static bool check_blend_targets(weft_render_encoder *enc)
{
    struct weft_command_buffer *cmd = enc->cmd;
    bool ok = true;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        const weft_blend_target *target = &enc->blend->targets[enc->blend->independent ? i : 0];
        const uint8_t format = enc->targets.colors[i];
        if (format != 0 && target->enable &&
            !(cmd->dev->caps.formats[format] & WEFT_FORMAT_CAN_BLEND))
            ok = wf_core_broken(&cmd->on, WEFT_RULE_BLEND_FORMAT,
                                "Blending is on for color %u, whose format is %s.", i,
                                format_name(format));
    }
    return ok;
}

static bool same_blend(const weft_blend_state *a, const weft_blend_state *b)
{
    if (a->independent != b->independent)
        return false;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        const weft_blend_target *x = &a->targets[i], *y = &b->targets[i];
        if (x->enable != y->enable || x->mask != y->mask ||
            memcmp(&x->color, &y->color, sizeof x->color) != 0 ||
            memcmp(&x->alpha, &y->alpha, sizeof x->alpha) != 0)
            return false;
    }
    return true;
}

/// Where blend state is baked, a state that the pipeline does not list is built while drawing.
static void note_variant(weft_render_encoder *enc)
{
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_hal_graphics_pipeline_desc *desc = &enc->pipeline->build->graphics;
    if (wf_core_has(cmd->dev, WEFT_FEATURE_DYNAMIC_BLEND))
        return;
    for (uint32_t i = 0; i < desc->state_count; ++i) {
        if (same_blend(&desc->states[i].blend, enc->blend))
            return;
    }
    atomic_fetch_add_explicit(&cmd->dev->counters.pipeline_variants, 1, memory_order_relaxed);
    wf_core_note(&cmd->on, WEFT_RULE_PIPELINE_VARIANT,
                 "Pipeline \"%s\" does not list this blend state.", enc->pipeline->label);
}

static bool check_state(weft_render_encoder *enc)
{
    note_variant(enc);
    const bool depth = check_depth_state(enc);
    return check_blend_targets(enc) && depth;
}

// ---- draws -------------------------------------------------------------------------------------

/// Everything but ranges and the root block. Clears the bits of what was found good, so that it is
/// not looked at again.
static bool check_common(weft_render_encoder *enc)
{
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_pipeline *p = enc->pipeline;
    if (!p)
        return broken(cmd, WEFT_RULE_PIPELINE_MISSING, "No graphics pipeline is set.");
    uint64_t good = WF_CORE_STALE_PIPELINE;
    if (enc->stale & WF_CORE_STALE_STREAMS && refresh_streams(enc))
        good |= WF_CORE_STALE_STREAMS;
    if (enc->stale & WF_CORE_STALE_TABLES && wf_core_check_tables(cmd, p, enc->tables))
        good |= WF_CORE_STALE_TABLES;
    if (enc->stale & WF_CORE_STALE_STATE && check_state(enc))
        good |= WF_CORE_STALE_STATE;
    enc->stale &= ~good;
    return enc->stale == 0;
}

static bool check_root(weft_render_encoder *enc)
{
    const struct wf_core_pipeline *p = enc->pipeline;
    if (!p)
        return false;
    bool ok = check_root_part(enc->cmd, p->root_need[0], enc->root_written[0],
                              p->mesh ? "mesh" : "vertex", p->label);
    ok &= check_root_part(enc->cmd, p->root_need[1], enc->root_written[1], "fragment", p->label);
    return ok;
}

/// What every draw begins with. False: nothing more is to be said.
static bool check_kind(weft_render_encoder *enc, bool mesh)
{
    const struct wf_core_pipeline *p = enc->pipeline;
    if (enc->stale & WF_CORE_REFUSED)
        return false;
    return !p || p->mesh == mesh ||
           wf_core_broken(&enc->cmd->on, WEFT_RULE_DRAW_PIPELINE,
                          p->mesh ? "Pipeline \"%s\" has a mesh shader, and this is another draw."
                                  : "Pipeline \"%s\" has no mesh shader, and this draws with one.",
                          p->label);
}

bool wf_core_check_draw(weft_render_encoder *enc, uint64_t vertex_end, uint64_t instance_end)
{
    if (!check_kind(enc, false))
        return false;
    bool ok = check_common(enc);
    ok &= check_root(enc);
    if (enc->pipeline && !(enc->stale & WF_CORE_STALE_STREAMS)) {
        ok &= check_limit(enc->cmd, "vertices", vertex_end, enc->vertex_limit);
        ok &= check_limit(enc->cmd, "instances", instance_end, enc->instance_limit);
    }
    return ok;
}

/// The index buffer against the pipeline. Sets index_fits.
static bool check_index_buffer(weft_render_encoder *enc)
{
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_pipeline *p = enc->pipeline;
    if (enc->index_type == WEFT_INDEX_NONE)
        return broken(cmd, WEFT_RULE_INDEX_MISSING, "No index buffer is set.");
    if (p && p->restart != WEFT_INDEX_NONE && p->restart != enc->index_type)
        return broken(cmd, WEFT_RULE_INDEX_RESTART,
                      p->restart == WEFT_INDEX_UINT16
                          ? "The pipeline restarts at 16-bit indices; these have 32."
                          : "The pipeline restarts at 32-bit indices; these have 16.");
    enc->index_fits = p != NULL;
    return true;
}

static bool check_mesh_queries(const weft_render_encoder *enc)
{
    return !enc->statistics_open || broken(enc->cmd, WEFT_RULE_STATISTICS_MESH,
                                           "A statistics query is open at a mesh draw.");
}

bool wf_core_check_draw_mesh(weft_render_encoder *enc, uint32_t x, uint32_t y, uint32_t z)
{
    const weft_limits *limits = &enc->cmd->dev->caps.limits;
    const uint32_t most = limits->max_mesh_workgroups;
    if (!check_kind(enc, true))
        return false;
    bool ok = check_common(enc);
    ok &= check_root(enc);
    ok &= check_mesh_queries(enc);
    if (x > most || y > most || z > most || (uint64_t)x * y > limits->max_mesh_workgroups_total ||
        (uint64_t)x * y * z > limits->max_mesh_workgroups_total)
        ok = wf_core_broken(&enc->cmd->on, WEFT_RULE_DRAW_MESH_SIZE,
                            "%u x %u x %u workgroups were drawn; max_mesh_workgroups is %u, "
                            "max_mesh_workgroups_total %u.",
                            x, y, z, most, limits->max_mesh_workgroups_total);
    return ok;
}

bool wf_core_check_draw_indexed(weft_render_encoder *enc, uint64_t index_end, uint64_t instance_end)
{
    if (!check_kind(enc, false))
        return false;
    struct weft_command_buffer *cmd = enc->cmd;
    bool ok = check_common(enc);
    ok &= check_root(enc);
    if (check_index_buffer(enc)) {
        if (index_end > enc->index_limit)
            ok = wf_core_broken(&cmd->on, WEFT_RULE_INDEX_RANGE,
                                "The draw reads indices up to %" PRIu64
                                "; the buffer holds %" PRIu64 ".",
                                index_end, enc->index_limit);
    } else {
        ok = false;
    }
    if (enc->pipeline && !(enc->stale & WF_CORE_STALE_STREAMS)) {
        ok &= check_limit(cmd, "vertices", 1, enc->vertex_limit);
        ok &= check_limit(cmd, "instances", instance_end, enc->instance_limit);
    }
    return ok;
}

// ---- indirect draws ----------------------------------------------------------------------------

static bool need(struct weft_command_buffer *cmd, weft_feature_set feature, const char *what)
{
    return wf_core_need(&cmd->on, feature, what);
}

static bool check_indirect_features(struct weft_command_buffer *cmd,
                                    const weft_indirect_draws *draws)
{
    bool ok = true;
    if (draws->max_count > 1)
        ok = need(cmd, WEFT_FEATURE_MULTI_DRAW, "More than one draw in an indirect call");
    if (!weft_buffer_is_none(draws->count_buffer))
        ok &= need(cmd, WEFT_FEATURE_INDIRECT_COUNT, "A draw count in a buffer");
    if (draws->root_stride != 0)
        ok &= need(cmd, WEFT_FEATURE_ROOT_STRIDE, "A root block for each indirect draw");
    return ok;
}

static bool check_indirect_numbers(struct weft_command_buffer *cmd,
                                   const weft_indirect_draws *draws, uint32_t tight)
{
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_buffer_object(draws->buffer));
    const uint32_t most = cmd->dev->caps.limits.max_indirect_count;
    bool ok = true;
    if (draws->stride % 4 != 0 || (draws->stride != 0 && draws->stride < tight))
        ok = wf_core_broken(&on, WEFT_RULE_INDIRECT_STRIDE,
                            "The stride is %u; one draw has %u bytes.", draws->stride, tight);
    if (draws->max_count > most)
        ok = wf_core_broken(&on, WEFT_RULE_INDIRECT_COUNT,
                            "%u draws were asked for; max_indirect_count is %u.", draws->max_count,
                            most);
    if (draws->root_stride % 8 != 0)
        ok = wf_core_broken(&on, WEFT_RULE_INDIRECT_STRIDE,
                            "The root stride is %u, no multiple of 8.", draws->root_stride);
    return ok;
}

static bool check_indirect_ranges(struct weft_command_buffer *cmd, const weft_indirect_draws *draws,
                                  uint32_t tight)
{
    struct weft_device *dev = cmd->dev;
    const uint32_t stride = draws->stride != 0 ? draws->stride : tight;
    const uint64_t bytes = (uint64_t)stride * (draws->max_count - 1) + tight;
    const struct wf_core_buffer *buf = wf_core_buffer_find(dev, draws->buffer);
    bool ok = true;
    if (buf)
        ok = wf_core_check_range(
            cmd, &(struct wf_core_range_use){draws->buffer, buf, WEFT_BUFFER_USAGE_INDIRECT,
                                             draws->offset, bytes, 4, "indirect arguments"});
    const struct wf_core_buffer *count = wf_core_buffer_find(dev, draws->count_buffer);
    if (count)
        ok &= wf_core_check_range(
            cmd, &(struct wf_core_range_use){draws->count_buffer, count, WEFT_BUFFER_USAGE_INDIRECT,
                                             draws->count_offset, 4, 4, "a draw count"});
    return ok;
}

uint32_t wf_core_indirect_bytes(enum wf_core_draw kind)
{
    static const uint8_t bytes[] = {
        [WF_CORE_DRAW_VERTICES] = sizeof(weft_draw_indirect_args),
        [WF_CORE_DRAW_INDEXED] = sizeof(weft_draw_indexed_indirect_args),
        [WF_CORE_DRAW_MESH] = sizeof(weft_draw_mesh_indirect_args),
    };
    return bytes[kind];
}

bool wf_core_check_draw_indirect(weft_render_encoder *enc, const weft_indirect_draws *draws,
                                 enum wf_core_draw kind)
{
    const uint32_t tight = wf_core_indirect_bytes(kind);
    struct weft_command_buffer *cmd = enc->cmd;
    if (!check_kind(enc, kind == WF_CORE_DRAW_MESH))
        return false;
    bool ok = check_common(enc);
    if (draws->root_stride == 0) // otherwise each draw brings its own
        ok &= check_root(enc);
    if (kind == WF_CORE_DRAW_INDEXED)
        ok &= check_index_buffer(enc);
    if (kind == WF_CORE_DRAW_MESH)
        ok &= check_mesh_queries(enc);
    ok &= check_indirect_features(cmd, draws);
    ok &= check_indirect_numbers(cmd, draws, tight);
    ok &= check_indirect_ranges(cmd, draws, tight);
    return ok;
}

// ---- dispatches --------------------------------------------------------------------------------

bool wf_core_check_dispatch(weft_compute_encoder *enc)
{
    struct weft_command_buffer *cmd = enc->cmd;
    const struct wf_core_pipeline *p = enc->pipeline;
    if (enc->stale & WF_CORE_REFUSED)
        return false;
    if (!p)
        return broken(cmd, WEFT_RULE_PIPELINE_MISSING, "No compute pipeline is set.");
    bool ok = true;
    if (enc->stale)
        ok = wf_core_check_tables(cmd, p, enc->tables);
    enc->stale = ok ? 0 : WF_CORE_STALE_TABLES;
    ok &= check_root_part(cmd, p->root_need[0], enc->root_written, "compute", p->label);
    return ok;
}
