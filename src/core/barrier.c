// Barriers between encoders.
#include "core/record.h"
#include "core/watch.h"

static bool check_stages(const struct wf_core_subject *on, weft_stage_set stages, const char *what)
{
    bool ok = true;
    if (stages == 0)
        ok = wf_core_broken(on, WEFT_RULE_BARRIER_STAGES, "A barrier has no %s.", what);
    if (stages & ~(weft_stage_set)WEFT_STAGE_ALL)
        ok = wf_core_broken(on, WEFT_RULE_BITS_UNKNOWN, "The %s 0x%x have unknown bits.", what,
                            stages);
    return ok;
}

static bool check_hazards(struct weft_command_buffer *cmd, weft_stage_set consumers,
                          weft_hazard_set hazards)
{
    bool ok = true;
    if (hazards >> 3)
        ok = wf_core_broken(&cmd->on, WEFT_RULE_BITS_UNKNOWN, "The hazards 0x%x have unknown bits.",
                            hazards);
    if (hazards & WEFT_HAZARD_DRAW_ARGUMENTS &&
        !(consumers & (WEFT_STAGE_COMPUTE | WEFT_STAGE_DRAW_INDIRECT)))
        ok = wf_core_broken(&cmd->on, WEFT_RULE_BARRIER_HAZARD,
                            "DRAW_ARGUMENTS is guarded for the consumers 0x%x.", consumers);
    return ok;
}

void weft_command_barrier(weft_command_buffer *cmd, weft_stage_set producers,
                          weft_stage_set consumers, weft_hazard_set hazards)
{
    if (!wf_core_command_recording(cmd))
        return;
    if (cmd->validate) {
        bool ok = check_stages(&cmd->on, producers, "producers");
        ok &= check_stages(&cmd->on, consumers, "consumers");
        ok &= check_hazards(cmd, consumers, hazards);
        if (!ok)
            return;
    }
    ++cmd->counts.barriers;
    cmd->ops->cmd_barrier(cmd->hal, producers, consumers, hazards);
}

static bool check_queues(const struct wf_core_subject *on, weft_queue from, weft_queue to)
{
    if ((unsigned)from < WEFT_QUEUE_COUNT && (unsigned)to < WEFT_QUEUE_COUNT)
        return true;
    return wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN, "A transfer from %u to %u names no queue.",
                          (unsigned)from, (unsigned)to);
}

static bool check_states(const struct wf_core_subject *on, const weft_texture_barrier *b,
                         bool native)
{
    if ((unsigned)b->before > WEFT_TEXTURE_STATE_NATIVE ||
        (unsigned)b->after > WEFT_TEXTURE_STATE_NATIVE)
        return wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN,
                              "%u and %u are not both states of a texture.", (unsigned)b->before,
                              (unsigned)b->after);
    if (b->after == WEFT_TEXTURE_STATE_UNDEFINED)
        return wf_core_broken(on, WEFT_RULE_BARRIER_STATE, "The texture was to become UNDEFINED.");
    if (!native &&
        (b->before == WEFT_TEXTURE_STATE_NATIVE || b->after == WEFT_TEXTURE_STATE_NATIVE))
        return wf_core_broken(on, WEFT_RULE_BARRIER_STATE, "The texture, which is Weft's, was %s.",
                              b->after == WEFT_TEXTURE_STATE_NATIVE ? "to become NATIVE"
                                                                    : "said to be NATIVE");
    return true;
}

static bool check_texture_barrier(struct weft_command_buffer *cmd, const weft_texture_barrier *b,
                                  const struct wf_hal_texture_barrier *full, bool native)
{
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_texture_object(b->texture));
    const weft_texture_desc *desc = &full->texture->desc;
    bool ok = check_stages(&on, b->producers, "producers");
    ok &= check_stages(&on, b->consumers, "consumers");
    ok &= check_queues(&on, b->from, b->to);
    ok &= check_states(&on, b, native);
    if (!wf_base_range_fits(full->mip, full->mip_count, desc->mips) || full->mip_count == 0 ||
        !wf_base_range_fits(full->layer, full->layer_count, desc->layers) || full->layer_count == 0)
        ok = wf_core_broken(&on, WEFT_RULE_BARRIER_RANGE,
                            "%u mips from %u and %u layers from %u of a texture with %u and %u.",
                            b->mip_count, b->mip, b->layer_count, b->layer, desc->mips,
                            desc->layers);
    return ok;
}

/// `total - first` where a count is 0, without underflow.
static uint64_t rest(uint64_t first, uint64_t count, uint64_t total)
{
    return count > 0 ? count : first < total ? total - first : 0;
}

static bool texture_barrier(struct weft_command_buffer *cmd, const weft_texture_barrier *b)
{
    const struct wf_core_texture *tex = wf_core_texture_get_at(cmd->dev, &cmd->origin, b->texture);
    if (!tex)
        return false;
    const struct wf_hal_texture_barrier full = {
        .texture = tex->hal,
        .mip = b->mip,
        .mip_count = (uint32_t)rest(b->mip, b->mip_count, tex->hal->desc.mips),
        .layer = b->layer,
        .layer_count = (uint32_t)rest(b->layer, b->layer_count, tex->hal->desc.layers),
        .before = b->before,
        .after = b->after,
        .producers = b->producers,
        .consumers = b->consumers,
        .from = wf_core_queue(cmd->dev, b->from),
        .to = wf_core_queue(cmd->dev, b->to),
    };
    if (cmd->validate && !check_texture_barrier(cmd, b, &full, tex->native))
        return false;
    ++cmd->counts.barriers;
    cmd->ops->cmd_texture_barrier(cmd->hal, &full, 1);
    return true;
}

void weft_command_texture_barrier(weft_command_buffer *cmd, const weft_texture_barrier *barriers,
                                  uint32_t count)
{
    if (!wf_core_command_recording(cmd) ||
        !wf_core_check_array(&cmd->on, barriers, count, "barriers"))
        return;
    for (uint32_t i = 0; i < count; ++i)
        texture_barrier(cmd, &barriers[i]);
}

static bool check_buffer_barrier(struct weft_command_buffer *cmd, const weft_buffer_barrier *b,
                                 const struct wf_hal_buffer_barrier *full)
{
    const struct wf_core_subject on = wf_core_about_in(cmd, wf_core_buffer_object(b->buffer));
    bool ok = check_stages(&on, b->producers, "producers");
    ok &= check_stages(&on, b->consumers, "consumers");
    ok &= check_queues(&on, b->from, b->to);
    if (!wf_base_range_fits(full->offset, full->size, full->buffer->size) || full->size == 0)
        ok =
            wf_core_broken(&on, WEFT_RULE_BARRIER_RANGE,
                           "%llu bytes from %llu of a buffer of %llu.", (unsigned long long)b->size,
                           (unsigned long long)b->offset, (unsigned long long)full->buffer->size);
    return ok;
}

static bool buffer_barrier(struct weft_command_buffer *cmd, const weft_buffer_barrier *b)
{
    const struct wf_core_buffer *buf = wf_core_buffer_get_at(cmd->dev, &cmd->origin, b->buffer);
    if (!buf)
        return false;
    const struct wf_hal_buffer_barrier full = {
        .buffer = buf->hal,
        .offset = b->offset,
        .size = rest(b->offset, b->size, buf->size),
        .producers = b->producers,
        .consumers = b->consumers,
        .from = wf_core_queue(cmd->dev, b->from),
        .to = wf_core_queue(cmd->dev, b->to),
    };
    if (cmd->validate && !check_buffer_barrier(cmd, b, &full))
        return false;
    ++cmd->counts.barriers;
    cmd->ops->cmd_buffer_barrier(cmd->hal, &full, 1);
    return true;
}

void weft_command_buffer_barrier(weft_command_buffer *cmd, const weft_buffer_barrier *barriers,
                                 uint32_t count)
{
    if (!wf_core_command_recording(cmd) ||
        !wf_core_check_array(&cmd->on, barriers, count, "barriers"))
        return;
    for (uint32_t i = 0; i < count; ++i)
        buffer_barrier(cmd, &barriers[i]);
}

/// A buffer, a texture (which is given), or none for any.
static bool check_alias(struct weft_command_buffer *cmd, weft_object object,
                        const struct wf_core_texture **texture)
{
    *texture = NULL;
    if (object.index == 0 && object.generation == 0)
        return true;
    if (object.kind == WEFT_OBJECT_BUFFER)
        return wf_core_buffer_get_at(cmd->dev, &cmd->origin,
                                     (weft_buffer){object.index, object.generation}) != NULL;
    if (object.kind == WEFT_OBJECT_TEXTURE) {
        *texture = wf_core_texture_get_at(cmd->dev, &cmd->origin,
                                          (weft_texture){object.index, object.generation});
        return *texture != NULL;
    }
    return wf_core_broken(&cmd->on, WEFT_RULE_BARRIER_ALIAS, "A %s was given.",
                          wf_core_kind_name(object.kind));
}

void weft_command_alias_barrier(weft_command_buffer *cmd, weft_object before, weft_object after)
{
    if (!wf_core_command_recording(cmd))
        return;
    const struct wf_core_texture *texture;
    const bool ok = check_alias(cmd, before, &texture);
    if (!check_alias(cmd, after, &texture) || !ok)
        return;
    ++cmd->counts.barriers;
    wf_core_watch_alias(cmd, before, after);
    cmd->ops->cmd_alias_barrier(cmd->hal, texture ? texture->hal : NULL);
}

// ---- split barriers ----------------------------------------------------------------------------

/// Capability, stages and event of a split barrier; the capability at every level.
static bool split_ok(struct weft_command_buffer *cmd, weft_stage_set stages, const char *what,
                     uint32_t event)
{
    if (!wf_core_command_can(cmd, &cmd->on, WEFT_FEATURE_SPLIT_BARRIERS, "A split barrier"))
        return false;
    bool ok = true;
    if (event >= WF_CORE_EVENTS)
        ok = wf_core_broken(&cmd->on, WEFT_RULE_EVENT_RANGE, "Event %u was used.", event);
    if (cmd->validate)
        ok &= check_stages(&cmd->on, stages, what);
    return ok;
}

void weft_command_signal_after(weft_command_buffer *cmd, weft_stage_set producers, uint32_t event)
{
    if (!wf_core_command_recording(cmd) || !split_ok(cmd, producers, "producers", event))
        return;
    cmd->events |= UINT64_C(1) << event;
    ++cmd->counts.barriers;
    cmd->ops->cmd_signal_after(cmd->hal, producers, event);
}

void weft_command_wait_before(weft_command_buffer *cmd, weft_stage_set consumers,
                              weft_hazard_set hazards, uint32_t event)
{
    if (!wf_core_command_recording(cmd) || !split_ok(cmd, consumers, "consumers", event))
        return;
    bool ok = true;
    if (!(cmd->events >> event & 1))
        ok = wf_core_broken(&cmd->on, WEFT_RULE_EVENT_NOT_SIGNALLED,
                            "Event %u was waited for and not signalled before.", event);
    if (cmd->validate)
        ok &= check_hazards(cmd, consumers, hazards);
    if (!ok)
        return;
    cmd->events &= ~(UINT64_C(1) << event);
    ++cmd->counts.barriers;
    cmd->ops->cmd_wait_before(cmd->hal, consumers, hazards, event);
}
