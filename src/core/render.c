// Render passes: beginning and ending.
#include "core/check.h"
#include "core/record.h"

#include <string.h>

bool wf_core_render_refuse(const weft_render_encoder *enc)
{
    if (enc->state == WF_CORE_ENCODER_SWALLOWS)
        return false;
    struct weft_command_buffer *cmd = enc->cmd;
    return wf_core_broken(&cmd->on, WEFT_RULE_ENCODER_CLOSED,
                          "The render encoder was used after its end.");
}

/// For callers whose weft_command_begin() failed. Never written to.
static weft_render_encoder no_encoder = {.state = WF_CORE_ENCODER_SWALLOWS};

/// The hal's view behind a handle; NULL for none. A bad handle, or a surface's image that is not
/// acquired, fails the command buffer.
static struct wf_hal_texture_view *view_of(struct weft_command_buffer *cmd, weft_texture_view view,
                                           bool *ok)
{
    if (weft_texture_view_is_none(view))
        return NULL;
    const struct wf_core_texture_view *found = wf_core_view_use(cmd->dev, &cmd->origin, view);
    const struct wf_core_texture *tex =
        found ? wf_core_texture_get_at(cmd->dev, &cmd->origin, found->texture) : NULL;
    if (tex != NULL && wf_core_command_uses_texture(cmd, found->texture, tex))
        return found->hal;
    *ok = false;
    return NULL;
}

static bool resolve_attachments(struct weft_command_buffer *cmd, const weft_render_pass_desc *desc,
                                struct wf_hal_render_pass *pass)
{
    bool ok = true;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        const weft_color_attachment *color = &desc->colors[i];
        pass->colors[i] = (struct wf_hal_color_attachment){
            .view = view_of(cmd, color->view, &ok),
            .resolve = view_of(cmd, color->resolve, &ok),
            .load = color->load,
            .store = color->store,
            .clear = color->clear,
        };
    }
    pass->depth_stencil = view_of(cmd, desc->depth_stencil, &ok);
    return ok;
}

static void take_size(struct wf_hal_render_pass *pass, const struct wf_hal_texture_view *view)
{
    const weft_texture_desc *texture = &view->texture->desc;
    pass->width = wf_core_mip_side(texture->width, view->desc.mip);
    pass->height = wf_core_mip_side(texture->height, view->desc.mip);
    pass->samples = texture->samples;
    pass->layers = wf_core_attachment_layers(view);
}

/// Everything but the attachments; the size is that of the last attachment.
static void resolve_rest(const weft_render_pass_desc *desc, struct wf_hal_render_pass *pass)
{
    pass->depth_load = desc->depth_load;
    pass->stencil_load = desc->stencil_load;
    pass->depth_store = desc->depth_store;
    pass->stencil_store = desc->stencil_store;
    pass->clear_depth = desc->clear_depth;
    pass->clear_stencil = desc->clear_stencil;
    pass->read_only = desc->read_only;
    pass->width = desc->width;
    pass->height = desc->height;
    pass->samples = desc->samples > 0 ? desc->samples : 1;
    pass->layers = 1;
    pass->time_begin = desc->times.begin;
    pass->time_end = desc->times.end;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        if (pass->colors[i].view)
            take_size(pass, pass->colors[i].view);
    }
    if (pass->depth_stencil)
        take_size(pass, pass->depth_stencil);
}

static bool resolve_queries(struct weft_command_buffer *cmd, const weft_render_pass_desc *desc,
                            struct wf_hal_render_pass *pass)
{
    bool ok = wf_core_pass_times(cmd, &desc->times, &pass->times);
    if (weft_query_pool_is_none(desc->occlusion))
        return ok;
    struct wf_core_query_pool *pool =
        wf_core_query_use(cmd, desc->occlusion, WEFT_QUERY_OCCLUSION, 0, 0);
    pass->occlusion = pool ? pool->hal : NULL;
    return ok && pool;
}

static struct wf_core_targets targets_of(const struct wf_hal_render_pass *pass)
{
    struct wf_core_targets targets = {.samples = (uint8_t)pass->samples};
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        if (pass->colors[i].view)
            targets.colors[i] = (uint8_t)pass->colors[i].view->desc.format;
    }
    if (pass->depth_stencil)
        targets.depth_stencil = (uint8_t)pass->depth_stencil->desc.format;
    return targets;
}

static void encoder_init(weft_render_encoder *enc, struct weft_command_buffer *cmd,
                         const weft_render_pass_desc *desc, const struct wf_hal_render_pass *pass)
{
    struct weft_device *dev = cmd->dev;
    memset(enc, 0, sizeof *enc);
    enc->depth_stencil = &enc->set.depth_stencil;
    enc->blend = &enc->set.blend;
    enc->cmd = cmd;
    enc->ops = cmd->ops;
    enc->hal = cmd->hal;
    enc->state = WF_CORE_ENCODER_OPEN;
    enc->validate = cmd->validate;
    enc->stale = WF_CORE_STALE_ALL;
    enc->root_limit = dev->caps.limits.max_root_bytes;
    enc->targets = targets_of(pass);
    enc->width = pass->width;
    enc->height = pass->height;
    if (pass->depth_stencil)
        enc->aspects = weft_format_get_info(pass->depth_stencil->desc.format)->aspects;
    enc->read_only = desc->read_only;
    enc->occlusion = desc->occlusion;
    enc->groups = cmd->groups;
}

/// What a pass starts with: whole target, stencil reference 0, blend constant 0.
static void initial_state(const weft_render_encoder *enc)
{
    const weft_viewport viewport = {0.0f, 0.0f, (float)enc->width, (float)enc->height, 0.0f, 1.0f};
    const weft_rect scissor = {0, 0, enc->width, enc->height};
    const float constant[4] = {0};
    enc->ops->cmd_set_viewport(enc->hal, &viewport);
    enc->ops->cmd_set_scissor(enc->hal, &scissor);
    enc->ops->cmd_set_stencil_reference(enc->hal, 0);
    enc->ops->cmd_set_blend_constant(enc->hal, constant);
}

/// Resolves and checks a pass. False after the error stuck.
static bool resolve_pass(struct weft_command_buffer *cmd, const weft_render_pass_desc *desc,
                         struct wf_hal_render_pass *pass)
{
    bool ok = wf_core_command_on_queue(cmd, true, "A render pass");
    ok &= resolve_attachments(cmd, desc, pass);
    if (!ok)
        return false;
    resolve_rest(desc, pass);
    ok = resolve_queries(cmd, desc, pass);
    if (cmd->validate)
        ok &= wf_core_check_render_pass(cmd, desc, pass);
    return ok;
}

weft_render_encoder *weft_command_begin_render(weft_command_buffer *cmd,
                                               const weft_render_pass_desc *desc)
{
    if (!wf_core_command_recording(cmd))
        return &no_encoder;
    weft_render_encoder *enc = &cmd->render;
    wf_core_label_set(cmd->pass, desc ? desc->label : NULL);
    cmd->in_encoder = true;
    struct wf_hal_render_pass pass = {.label = cmd->pass};
    if (!wf_core_check_given(&cmd->on, desc, "description") || !resolve_pass(cmd, desc, &pass)) {
        enc->cmd = cmd;
        enc->state = WF_CORE_ENCODER_SWALLOWS;
        return enc;
    }
    encoder_init(enc, cmd, desc, &pass);
    ++cmd->counts.render_passes;
    cmd->ops->cmd_begin_render(cmd->hal, &pass);
    initial_state(enc);
    return enc;
}

static void check_closed(weft_render_encoder *enc)
{
    struct weft_command_buffer *cmd = enc->cmd;
    if (enc->occlusion_open)
        wf_core_broken(&cmd->on, WEFT_RULE_OCCLUSION_NESTED,
                       "An occlusion query is open at the end of the pass.");
    if (enc->statistics_open)
        wf_core_broken(&cmd->on, WEFT_RULE_STATISTICS_NESTED,
                       "A statistics query is open at the end of the pass.");
    if (enc->validate && cmd->groups != enc->groups)
        wf_core_broken(&cmd->on, WEFT_RULE_COMMAND_GROUPS,
                       "%u debug groups that the pass began are still open.",
                       cmd->groups - enc->groups);
}

void weft_render_end(weft_render_encoder *enc)
{
    if (!enc || enc == &no_encoder)
        return;
    struct weft_command_buffer *cmd = enc->cmd;
    if (enc->state == WF_CORE_ENCODER_OPEN) {
        check_closed(enc);
        cmd->groups = enc->groups;
        cmd->ops->cmd_end_render(cmd->hal);
    } else if (enc->state == WF_CORE_ENCODER_CLOSED) {
        wf_core_render_refuse(enc);
        return;
    }
    enc->state = WF_CORE_ENCODER_CLOSED;
    cmd->in_encoder = false;
    cmd->pass[0] = '\0';
}
