#include "frame/context.h"

/// What is known of a resource that the plan's steps use; NULL if none does.
static struct wf_frame_history *known(struct weft_frame *f, uint64_t resource)
{
    const uint64_t *index = wf_base_map_find(&f->seen, resource);
    return index ? wf_frame_at(&f->histories, *index) : NULL;
}

/// Names a texture after what it is to a target or a pass, unless it has a name.
static void name_part(struct weft_frame *f, weft_texture texture, uint32_t target,
                      const char *label, const char *part)
{
    struct wf_frame_history *h =
        weft_texture_is_none(texture) ? NULL : known(f, wf_frame_texture_key(texture));
    if (!h || h->name)
        return;
    h->target = target;
    h->name = wf_base_arena_format(&f->arena, "'%s' %s", label, part);
}

static void name_parts(struct weft_frame *f, const struct wf_frame_target *t, uint32_t target,
                       const char *label)
{
    static const char *const colors[8] = {"color",   "color 1", "color 2", "color 3",
                                          "color 4", "color 5", "color 6", "color 7"};
    static const char *const resolves[8] = {"resolve",   "resolve 1", "resolve 2", "resolve 3",
                                            "resolve 4", "resolve 5", "resolve 6", "resolve 7"};
    for (uint32_t i = 0; i < t->color_count; i++) {
        name_part(f, t->textures[i], target, label, colors[i]);
        name_part(f, t->resolve_textures[i], target, label, resolves[i]);
    }
    name_part(f, t->depth_texture, target, label, "depth");
}

/// Targets give their textures names first, then passes what they add to them.
static void name_resources(struct weft_frame *f)
{
    for (uint32_t i = 0; i < f->targets.count; i++) {
        const struct wf_frame_target *t = wf_frame_at(&f->targets, i);
        name_parts(f, t, i, t->label);
    }
    for (uint32_t i = 0; i < f->passes.count; i++) {
        const struct wf_frame_pass *p = wf_frame_at(&f->passes, i);
        if (p->kind == WF_FRAME_PASS_RENDER)
            name_parts(f, &p->attachments, WF_FRAME_NONE, p->label);
    }
    for (uint32_t i = 0; i < f->uses.count; i++) {
        const uint64_t resource = ((const struct wf_frame_use *)wf_frame_at(&f->uses, i))->resource;
        struct wf_frame_history *h = known(f, resource);
        if (h && !h->name)
            h->name = wf_base_arena_format(&f->arena, "%s %u",
                                           wf_frame_key_is_texture(resource) ? "texture" : "buffer",
                                           (uint32_t)resource);
    }
}

/// Number of the packet that a step stands for; UINT64_MAX if it is a render pass.
static uint64_t step_packet(const struct weft_frame *f, const struct wf_frame_step *step)
{
    return step->kind != WF_FRAME_STEP_RENDER
               ? *(const uint32_t *)wf_frame_at(&f->order, step->first)
               : UINT64_MAX;
}

/// Item i tells of use i.
static bool report_uses(struct weft_frame *f)
{
    weft_access_report *out = wf_frame_append(f, &f->report_accesses, f->uses.count);
    if (!out)
        return false;
    for (uint32_t s = 0; s < f->steps.count; s++) {
        const struct wf_frame_step *step = wf_frame_at(&f->steps, s);
        for (uint32_t i = step->first_use; i < step->first_use + step->use_count; i++) {
            const struct wf_frame_use *u = wf_frame_at(&f->uses, i);
            const struct wf_frame_history *h = known(f, u->resource);
            out[i] = (weft_access_report){
                .pass = step->pass,
                .packet = step_packet(f, step),
                .resource = h && h->name ? h->name : "",
                .target = h ? h->target : WF_FRAME_NONE,
                .what = u->what,
                .stages = u->stages,
                .write = u->write,
            };
        }
    }
    f->report.accesses = out;
    f->report.access_count = (uint32_t)f->uses.count;
    return true;
}

/// How the step that accesses is called, and its number.
static const char *name_step(const struct weft_frame *f, const weft_access_report *access,
                             unsigned long long *number)
{
    *number = access->packet == UINT64_MAX ? access->pass : access->packet;
    if (access->packet == UINT64_MAX)
        return "pass";
    const struct wf_frame_packet *packet = wf_frame_at(&f->packets, access->packet);
    return packet->kind == WEFT_PACKET_DISPATCH ? "dispatch" : "commands";
}

static const char *name_cause(struct weft_frame *f, const weft_barrier_cause *cause)
{
    const weft_access_report *from = &f->report.accesses[cause->from];
    const weft_access_report *to = &f->report.accesses[cause->to];
    unsigned long long from_number, to_number;
    const char *from_name = name_step(f, from, &from_number);
    const char *to_name = name_step(f, to, &to_number);
    const char *text = wf_base_arena_format(&f->arena, "%s %llu %s -> %s %llu %s", from_name,
                                            from_number, from->what, to_name, to_number, to->what);
    return text ? text : "";
}

/// The packet that a barrier stands before; UINT64_MAX: a whole pass.
static uint64_t packet_after(const struct weft_frame *f, const struct wf_frame_step *step)
{
    const bool whole = step->kind == WF_FRAME_STEP_RENDER && step->first_part;
    return whole ? UINT64_MAX : *(const uint32_t *)wf_frame_at(&f->order, step->first);
}

static bool report_barriers(struct weft_frame *f)
{
    _Static_assert(sizeof(weft_barrier_cause) == sizeof(struct wf_frame_cause), "the same");
    weft_barrier_report *out = wf_frame_append(f, &f->report_barriers, f->barriers.count);
    if (!out)
        return false;
    const weft_barrier_cause *causes = f->causes.items;
    for (uint32_t i = 0; i < f->barriers.count; i++) {
        const struct wf_frame_barrier *b = wf_frame_at(&f->barriers, i);
        const struct wf_frame_step *step = wf_frame_at(&f->steps, b->step);
        out[i] = (weft_barrier_report){
            .before_pass = step->pass,
            .before_packet = packet_after(f, step),
            .producers = b->producers,
            .consumers = b->consumers,
            .hazards = b->hazards,
            .cause = b->cause_count > 0 ? name_cause(f, &causes[b->first_cause]) : "",
            .causes = b->cause_count > 0 ? &causes[b->first_cause] : NULL,
            .cause_count = b->cause_count,
        };
    }
    f->report.barriers = out;
    f->report.barrier_count = (uint32_t)f->barriers.count;
    return true;
}

static uint64_t target_bytes(const struct wf_frame_target *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->color_count; i++) {
        const bool resolved = !weft_texture_view_is_none(t->resolves[i]);
        sum += weft_format_image_bytes(t->formats[i], t->width, t->height, t->layers) *
               (t->samples + resolved);
    }
    return sum +
           weft_format_image_bytes(t->depth_format, t->width, t->height, t->layers) * t->samples;
}

static void live_in(weft_target_report *targets, uint32_t target, uint32_t pass)
{
    if (target == WF_FRAME_NONE)
        return;
    weft_target_report *t = &targets[target];
    if (t->first_pass == UINT32_MAX || pass < t->first_pass)
        t->first_pass = pass;
    if (t->last_pass == UINT32_MAX || pass > t->last_pass)
        t->last_pass = pass;
}

static bool report_targets(struct weft_frame *f)
{
    _Static_assert((int)WF_FRAME_TARGET_PRESENT == (int)WEFT_TARGET_PRESENT &&
                       (int)WF_FRAME_TARGET_VIEWS == (int)WEFT_TARGET_HOST &&
                       (int)WF_FRAME_TARGET_TRANSIENT == (int)WEFT_TARGET_TRANSIENT,
                   "the same");
    weft_target_report *out = wf_frame_append(f, &f->report_targets, f->targets.count);
    if (!out)
        return false;
    for (uint32_t i = 0; i < f->targets.count; i++) {
        const struct wf_frame_target *t = wf_frame_at(&f->targets, i);
        out[i] = (weft_target_report){
            .kind = (weft_target_kind)t->kind,
            .label = t->label,
            .width = t->width,
            .height = t->height,
            .layers = t->layers,
            .samples = t->samples,
            .color_count = t->color_count,
            .depth = t->depth_format,
            .bytes = target_bytes(t),
            .first_pass = UINT32_MAX,
            .last_pass = UINT32_MAX,
        };
        for (uint32_t c = 0; c < t->color_count; c++)
            out[i].colors[c] = t->formats[c];
    }
    for (uint32_t i = 0; i < f->passes.count; i++) {
        const struct wf_frame_pass *p = wf_frame_at(&f->passes, i);
        live_in(out, p->kind == WF_FRAME_PASS_RENDER ? p->target : WF_FRAME_NONE, i);
    }
    for (uint32_t i = 0; i < f->report.access_count; i++)
        live_in(out, f->report.accesses[i].target, f->report.accesses[i].pass);
    f->report.targets = out;
    f->report.target_count = (uint32_t)f->targets.count;
    return true;
}

bool wf_frame_report_accesses(struct weft_frame *f)
{
    if (f->planned) {
        name_resources(f);
        if (!report_uses(f) || !report_barriers(f))
            return false;
    }
    return report_targets(f);
}
