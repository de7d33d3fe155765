#include "frame/packet.h"

#include <string.h>

// The order is cut into steps. A dispatch between draws of one pass is moved before the pass if
// nothing that stands before it in the pass uses what it uses. Otherwise the pass is split there:
// its parts are steps of their own, which keep the contents of the attachments between them.
// Commands of the host's own are treated alike.

/// What the pass did with a resource before the packet at hand.
enum { READ = 1, WRITTEN = 2, ATTACHED = 4 };

struct cutter {
    struct weft_frame *frame;
    struct wf_frame_pass *pass;
    uint32_t index;        ///< Of the pass.
    uint32_t marks;        ///< Given to probes.
    bool occupied, pinned; ///< Something stays before it; something that it may not pass does.
    bool shown;            ///< What stays since the last draw uses an attachment.
    uint32_t hoisted;
};

static uint32_t *order_at(const struct weft_frame *frame, uint32_t place)
{
    return wf_frame_at(&frame->order, place);
}

static struct wf_frame_packet *packet_at(const struct weft_frame *frame, uint32_t place)
{
    return wf_frame_at(&frame->packets, *order_at(frame, place));
}

/// What these packets use, until the next probe. No loop is told of: the plan's own steps do that.
static struct wf_frame_step probe(struct cutter *c, enum wf_frame_step_kind kind, uint32_t first,
                                  uint32_t count)
{
    struct wf_frame_step step = {.kind = kind,
                                 .pass = c->index,
                                 .first = first,
                                 .count = count,
                                 .first_part = true,
                                 .last_part = true};
    c->frame->uses.count = 0;
    wf_frame_collect_step(c->frame, &step, ++c->marks, true);
    return step;
}

static void touch(struct cutter *c, const struct wf_frame_step *step, uint64_t how)
{
    for (uint32_t i = 0; i < step->use_count; i++) {
        const struct wf_frame_use *use = wf_frame_at(&c->frame->uses, step->first_use + i);
        const uint64_t *before = wf_base_map_find(&c->frame->touched, use->resource);
        const uint64_t bits = how | (use->write ? WRITTEN : READ) | (before ? *before : 0);
        if (!wf_base_map_set(&c->frame->touched, use->resource, bits))
            wf_frame_out_of_memory(c->frame);
    }
}

/// What was done before with resources that the step uses, as far as their order counts.
static uint64_t clash(const struct cutter *c, const struct wf_frame_step *step)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < step->use_count; i++) {
        const struct wf_frame_use *use = wf_frame_at(&c->frame->uses, step->first_use + i);
        const uint64_t *before = wf_base_map_find(&c->frame->touched, use->resource);
        if (before && (use->write || (*before & WRITTEN)))
            bits |= *before;
    }
    return bits;
}

static enum wf_frame_step_kind kind_alone(const struct wf_frame_packet *packet)
{
    return packet->kind == WEFT_PACKET_RECORD ? WF_FRAME_STEP_RECORD : WF_FRAME_STEP_DISPATCH;
}

/// Whether a dispatch stays where it is.
static bool stays(struct cutter *c, uint32_t place)
{
    const struct wf_frame_packet *packet = packet_at(c->frame, place);
    const struct wf_frame_step step = probe(c, kind_alone(packet), place, 1);
    const uint64_t bits = clash(c, &step);
    const bool fixed =
        packet->order == WEFT_ORDER_STRICT || (c->frame->flags & WEFT_FRAME_REFERENCE);
    if (bits == 0 && !c->pinned && !(fixed && c->occupied))
        return false;
    touch(c, &step, 0);
    c->occupied = true;
    c->shown |= (bits & ATTACHED) != 0;
    // undeclared, what comes after it may need it
    if (packet->kind == WEFT_PACKET_DISPATCH)
        c->pinned |= wf_frame_packet_parts(c->frame, packet).dispatch->barrier_after != 0;
    return true;
}

/// Draws from a place on that stand together.
static uint32_t run_of_draws(const struct weft_frame *frame, uint32_t place, uint32_t end)
{
    uint32_t count = 0;
    while (place + count < end && !wf_frame_stands_alone(packet_at(frame, place + count)->kind))
        count++;
    return count;
}

/// Moves dispatches that may be to the front of the pass's packets.
static void hoist(struct cutter *c)
{
    struct weft_frame *frame = c->frame;
    const uint32_t first = c->pass->first, end = first + c->pass->count;
    uint32_t *kept = frame->sort_scratch.items; // as large as the order, and larger
    uint32_t kept_count = 0;
    wf_base_map_clear(&frame->touched);
    const struct wf_frame_step attachments = probe(c, WF_FRAME_STEP_RENDER, first, 0);
    touch(c, &attachments, ATTACHED);
    for (uint32_t i = first; i < end;) {
        const uint32_t draws = run_of_draws(frame, i, end);
        if (draws == 0 && !stays(c, i)) {
            packet_at(frame, i)->reason = WF_FRAME_REASON_HOISTED;
            *order_at(frame, first + c->hoisted++) = *order_at(frame, i);
            i++;
            continue;
        }
        const uint32_t count = draws ? draws : 1;
        if (draws > 0) {
            const struct wf_frame_step step = probe(c, WF_FRAME_STEP_RENDER, i, draws);
            touch(c, &step, 0);
            c->occupied = true;
            c->shown = false;
        }
        memcpy(&kept[kept_count], order_at(frame, i), count * sizeof *kept);
        kept_count += count;
        i += count;
    }
    if (kept_count > 0)
        memcpy(order_at(frame, first + c->hoisted), kept, kept_count * sizeof *kept);
    for (uint32_t i = first; i < end; i++)
        packet_at(frame, i)->position = i;
}

static struct wf_frame_step *add_step(struct cutter *c, enum wf_frame_step_kind kind,
                                      uint32_t first, uint32_t count)
{
    struct wf_frame_step *step = wf_frame_append(c->frame, &c->frame->steps, 1);
    if (step)
        *step = (struct wf_frame_step){.kind = kind,
                                       .pass = c->index,
                                       .first = first,
                                       .count = count,
                                       .barrier = WF_FRAME_NONE};
    return step;
}

static bool add_dispatches(struct cutter *c, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_frame_packet *packet = packet_at(c->frame, first + i);
        struct wf_frame_step *step = add_step(c, kind_alone(packet), first + i, 1);
        if (!step)
            return false;
        step->barrier_after = packet->kind == WEFT_PACKET_DISPATCH &&
                              wf_frame_packet_parts(c->frame, packet).dispatch->barrier_after;
    }
    return true;
}

static uint64_t view_bytes(const struct weft_frame *frame, weft_texture_view view,
                           const struct wf_frame_target *a)
{
    weft_texture_view_info info;
    if (weft_texture_view_is_none(view) || !weft_texture_view_get_info(frame->device, view, &info))
        return 0;
    const weft_aspect_set both = WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL;
    const weft_format_info *format = weft_format_get_info(info.format);
    const uint64_t texel = format->block_bytes + ((format->aspects & both) == both ? 1 : 0);
    return texel * a->width * a->height * a->layers * a->samples;
}

/// Bytes that one store, or one load, of all attachments moves.
static uint64_t attachment_bytes(const struct weft_frame *frame, const struct wf_frame_target *a)
{
    uint64_t bytes = view_bytes(frame, a->depth, a);
    for (uint32_t i = 0; i < a->color_count; i++)
        bytes += view_bytes(frame, a->colors[i], a);
    return bytes;
}

/// The parts of a render pass and the dispatches between them. The first part clears, so it is
/// there even if nothing draws in it.
static bool add_parts(struct cutter *c)
{
    struct wf_frame_pass *pass = c->pass;
    const uint32_t end = pass->first + pass->count;
    size_t last = SIZE_MAX;
    for (uint32_t at = pass->first + c->hoisted; at < end || pass->parts == 0;) {
        const uint32_t draws = pass->has_dispatches ? run_of_draws(c->frame, at, end) : end - at;
        if (draws > 0 || pass->parts == 0) {
            struct wf_frame_step *part = add_step(c, WF_FRAME_STEP_RENDER, at, draws);
            if (!part)
                return false;
            part->first_part = pass->parts++ == 0;
            last = c->frame->steps.count - 1;
            at += draws;
        } else {
            if (!add_dispatches(c, at, 1))
                return false;
            at++;
        }
    }
    struct wf_frame_step *part = wf_frame_at(&c->frame->steps, last);
    part->last_part = true;
    part->keeps = c->shown;
    if (pass->parts > 1)
        pass->split_bytes =
            UINT64_C(2) * (pass->parts - 1) * attachment_bytes(c->frame, &pass->attachments);
    return true;
}

static bool cut_pass(struct cutter *c)
{
    struct weft_frame *frame = c->frame;
    const size_t begin = frame->steps.count;
    const bool render = c->pass->kind == WF_FRAME_PASS_RENDER && !c->pass->dropped;
    if (render && c->pass->has_dispatches)
        hoist(c);
    // of a pass with nothing to draw to, dispatches are left
    if (!add_dispatches(c, c->pass->first, render ? c->hoisted : c->pass->count))
        return false;
    if (render && !add_parts(c))
        return false;
    if (frame->steps.count == begin)
        return true;
    ((struct wf_frame_step *)wf_frame_at(&frame->steps, begin))->begins = true;
    ((struct wf_frame_step *)wf_frame_at(&frame->steps, frame->steps.count - 1))->ends = true;
    return true;
}

bool wf_frame_plan_steps(struct weft_frame *frame)
{
    uint32_t marks = 0;
    frame->steps.count = 0;
    wf_frame_forget_uses(frame);
    for (uint32_t i = 0; i < frame->passes.count; i++) {
        struct cutter c = {
            .frame = frame, .pass = wf_frame_at(&frame->passes, i), .index = i, .marks = marks};
        if (!cut_pass(&c))
            return false;
        marks = c.marks;
    }
    return frame->failed == WEFT_OK;
}
