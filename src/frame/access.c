#include "frame/packet.h"

/// Kinds of handles that share a map; the key's top byte. In a handle that byte names the device,
/// which is the same for all.
enum key_kind { KEY_TEXTURE = 1, KEY_BUFFER, KEY_TABLE };

static uint64_t handle_key(enum key_kind kind, uint32_t generation, uint32_t index)
{
    return (uint64_t)kind << 56 | (uint64_t)(generation & 0x00ffffffu) << 32 | index;
}

static uint64_t buffer_key(weft_buffer b)
{
    return handle_key(KEY_BUFFER, b.generation, b.index);
}

uint64_t wf_frame_texture_key(weft_texture t)
{
    return handle_key(KEY_TEXTURE, t.generation, t.index);
}

bool wf_frame_key_is_texture(uint64_t resource)
{
    return resource >> 56 == KEY_TEXTURE;
}

/// Walks the packets of one step. What was seen last is not looked up again.
struct collector {
    struct weft_frame *frame;
    struct wf_frame_step *step;
    uint32_t mark;                    ///< Of the step, in `seen`.
    bool quiet;                       ///< Nothing is reported.
    const struct wf_frame_pass *pass; ///< Of the step.
    struct wf_frame_packet *packet;   ///< The current one.
    weft_argument_table tables[3];
    weft_buffer vertices, indices;
    uint32_t layer;
};

static inline bool same_buffer(weft_buffer a, weft_buffer b)
{
    return a.index == b.index && a.generation == b.generation;
}

/// Whether a packet uses only what its step is known to use. One that has more than the usual does
/// not count as such.
static inline bool uses_the_same(const struct collector *c, const struct wf_frame_packet *packet)
{
    const struct wf_frame_look *looks = c->frame->looks.items;
    if (c->step->kind != WF_FRAME_STEP_RENDER || packet->layer != c->layer ||
        packet->stream_count != 1 || packet->kind > WEFT_PACKET_INSTANCES ||
        packet->access_count != 0 || (packet->flags & ~WF_FRAME_HAS_TRANSFORM) != 0 ||
        looks[packet->look].used != c->mark)
        return false;
    const uint64_t *at = (const uint64_t *)c->frame->tape.items + packet->side;
    const struct wf_frame_geometry *g = (const struct wf_frame_geometry *)at;
    at += WF_FRAME_WORDS(struct wf_frame_geometry);
    if (packet->flags)
        at += WF_FRAME_TRANSFORM_WORDS;
    return same_buffer(g->indices, c->indices) &&
           same_buffer(((const weft_stream_view *)at)->buffer, c->vertices);
}

/// Sets `bit` for `key` in this step; false if it was set, or when out of memory. The map is of the
/// whole frame: an entry's high half names the step.
static bool first_time(const struct collector *c, uint64_t key, uint32_t bit)
{
    const uint64_t step = c->mark;
    uint64_t *bits = wf_base_map_find(&c->frame->seen, key);
    if (!bits) {
        if (wf_base_map_set(&c->frame->seen, key, step << 32 | UINT64_C(1) << bit))
            return true;
        wf_frame_out_of_memory(c->frame);
        return false;
    }
    if (*bits >> 32 != step)
        *bits = step << 32;
    const bool first = !(*bits >> bit & 1);
    *bits |= UINT64_C(1) << bit;
    return first;
}

static void use(const struct collector *c, const struct wf_frame_use *what)
{
    struct wf_frame_use *at = wf_frame_append(c->frame, &c->frame->uses, 1);
    if (!at)
        return;
    *at = *what;
    c->step->use_count++;
}

static void use_attachment(const struct collector *c, weft_texture texture, weft_hazard_set hazards,
                           const char *what)
{
    if (weft_texture_is_none(texture))
        return;
    use(c, &(struct wf_frame_use){.resource = wf_frame_texture_key(texture),
                                  .stages = WEFT_STAGE_TARGET,
                                  .write = true,
                                  .hazards = hazards,
                                  .what = what});
}

static void use_attachments(const struct collector *c)
{
    const struct wf_frame_target *a = &c->pass->attachments;
    for (uint32_t i = 0; i < a->color_count; i++) {
        use_attachment(c, a->textures[i], 0, "color write");
        if (c->step->last_part)
            use_attachment(c, a->resolve_textures[i], 0, "resolve write");
    }
    use_attachment(c, a->depth_texture, WEFT_HAZARD_DEPTH_STENCIL, "depth write");
}

static bool is_attachment(const struct wf_frame_pass *pass, weft_texture texture)
{
    const struct wf_frame_target *a = &pass->attachments;
    const uint64_t key = wf_frame_texture_key(texture);
    for (uint32_t i = 0; i < a->color_count; i++) {
        if (key == wf_frame_texture_key(a->textures[i]) ||
            key == wf_frame_texture_key(a->resolve_textures[i]))
            return true;
    }
    return key == wf_frame_texture_key(a->depth_texture);
}

/// False after reporting a feedback loop.
static bool check_loop(const struct collector *c, weft_texture texture, const char *what)
{
    if (c->quiet || c->step->kind != WF_FRAME_STEP_RENDER || !is_attachment(c->pass, texture))
        return true;
    const uint64_t sequence =
        (uint64_t)(c->packet - (struct wf_frame_packet *)c->frame->packets.items);
    return wf_frame_broken(c->frame, WEFT_RULE_FRAME_FEEDBACK_LOOP, sequence, c->packet->layer,
                           "The packet's %s is of a texture that pass '%s' draws into.", what,
                           c->pass->label);
}

#define SHADERS (WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT)

/// By weft_access_kind.
static const struct wf_frame_use kinds[] = {
    [WEFT_ACCESS_SAMPLED] = {.stages = SHADERS, .what = "sampled read"},
    [WEFT_ACCESS_STORAGE_READ] = {.stages = SHADERS, .what = "storage read"},
    [WEFT_ACCESS_STORAGE_WRITE] = {.stages = SHADERS, .write = true, .what = "storage write"},
    [WEFT_ACCESS_VERTEX] = {.stages = WEFT_STAGE_VERTEX_INPUT, .what = "vertex read"},
    [WEFT_ACCESS_INDEX] = {.stages = WEFT_STAGE_VERTEX_INPUT, .what = "index read"},
    [WEFT_ACCESS_INDIRECT] = {.stages = WEFT_STAGE_DRAW_INDIRECT,
                              .hazards = WEFT_HAZARD_DRAW_ARGUMENTS,
                              .what = "indirect read"},
    [WEFT_ACCESS_UNIFORM] = {.stages = SHADERS, .what = "uniform read"},
};

/// Nobody knows which stages the host's own commands use, nor whether a texture is a depth buffer.
static void use_by_host(const struct collector *c, struct wf_frame_use *what)
{
    what->stages = WEFT_STAGE_ALL;
    if (what->write && what->resource >> 56 == KEY_TEXTURE)
        what->hazards = WEFT_HAZARD_DEPTH_STENCIL;
    use(c, what);
}

/// `stages` 0: those of the kind.
static void use_as(const struct collector *c, uint64_t resource, weft_access_kind kind,
                   weft_stage_set stages)
{
    struct wf_frame_use what = kinds[kind];
    what.resource = resource;
    if (c->step->kind == WF_FRAME_STEP_RECORD) {
        use_by_host(c, &what);
        return;
    }
    if (stages)
        what.stages = stages;
    else if (what.stages == SHADERS && c->step->kind == WF_FRAME_STEP_DISPATCH)
        what.stages = WEFT_STAGE_COMPUTE;
    use(c, &what);
}

static void use_buffer(const struct collector *c, weft_buffer buffer, weft_access_kind kind)
{
    if (!weft_buffer_is_none(buffer) && first_time(c, buffer_key(buffer), kind))
        use_as(c, buffer_key(buffer), kind, 0);
}

static void use_texture(const struct collector *c, weft_texture texture, weft_access_kind kind,
                        weft_stage_set stages)
{
    if (!weft_texture_is_none(texture) && check_loop(c, texture, kinds[kind].what) &&
        first_time(c, wf_frame_texture_key(texture), kind))
        use_as(c, wf_frame_texture_key(texture), kind, stages);
}

static void use_declared(const struct collector *c, const weft_access *accesses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        use_buffer(c, accesses[i].buffer, accesses[i].kind);
        use_texture(c, accesses[i].texture, accesses[i].kind, 0);
    }
}

/// How an element of a table is used.
static weft_access_kind argument_access(const weft_argument *argument)
{
    switch (argument->type) {
    case WEFT_ARGUMENT_STORAGE_BUFFER:
    case WEFT_ARGUMENT_STORAGE_TEXTURE:
    case WEFT_ARGUMENT_STORAGE_TEXELS:
        return argument->flags & WEFT_ARGUMENT_READ_ONLY ? WEFT_ACCESS_STORAGE_READ
                                                         : WEFT_ACCESS_STORAGE_WRITE;
    case WEFT_ARGUMENT_SAMPLED_TEXTURE:
    case WEFT_ARGUMENT_COMBINED:
        return WEFT_ACCESS_SAMPLED;
    default:
        return WEFT_ACCESS_UNIFORM;
    }
}

static weft_stage_set argument_stages(const weft_argument *argument)
{
    weft_stage_set stages = 0;
    if (argument->stages & WEFT_SHADER_STAGE_VERTEX)
        stages |= WEFT_STAGE_VERTEX;
    if (argument->stages & WEFT_SHADER_STAGE_FRAGMENT)
        stages |= WEFT_STAGE_FRAGMENT;
    if (argument->stages & (WEFT_SHADER_STAGE_TASK | WEFT_SHADER_STAGE_MESH))
        stages |= WEFT_STAGE_MESH;
    if (argument->stages & WEFT_SHADER_STAGE_COMPUTE)
        stages |= WEFT_STAGE_COMPUTE;
    return stages;
}

/// What a table holds, once for each step.
static void use_table(struct collector *c, uint32_t slot, weft_argument_table table)
{
    const weft_argument_table last = c->tables[slot];
    if ((last.index == table.index && last.generation == table.generation) ||
        weft_argument_table_is_none(table))
        return;
    c->tables[slot] = table;
    if (!first_time(c, handle_key(KEY_TABLE, table.generation, table.index), 0))
        return;
    weft_argument argument;
    weft_argument_write held;
    weft_device *device = c->frame->device;
    for (uint32_t i = 0; weft_argument_table_get(device, table, i, &argument, &held); i++) {
        const weft_access_kind kind = argument_access(&argument);
        const weft_stage_set stages = argument_stages(&argument);
        if (!weft_buffer_is_none(held.buffer))
            use_as(c, buffer_key(held.buffer), kind, stages);
        const weft_texture texture = weft_texture_view_is_none(held.view)
                                         ? (weft_texture){0, 0}
                                         : weft_texture_view_texture(device, held.view);
        if (!weft_texture_is_none(texture) && check_loop(c, texture, kinds[kind].what))
            use_as(c, wf_frame_texture_key(texture), kind, stages);
    }
}

static void use_stream(struct collector *c, weft_buffer buffer)
{
    if (same_buffer(buffer, c->vertices))
        return;
    c->vertices = buffer;
    use_buffer(c, buffer, WEFT_ACCESS_VERTEX);
}

static void use_indices(struct collector *c, weft_buffer buffer)
{
    if (same_buffer(buffer, c->indices))
        return;
    c->indices = buffer;
    use_buffer(c, buffer, WEFT_ACCESS_INDEX);
}

static void use_geometry(struct collector *c, const struct wf_frame_parts *parts)
{
    for (uint32_t i = 0; i < c->packet->stream_count; i++)
        use_stream(c, parts->streams[i].buffer);
    if (parts->instances)
        use_stream(c, parts->instances->buffer);
    use_indices(c, parts->geometry->indices);
    if (!parts->indirect)
        return;
    use_buffer(c, parts->indirect->buffer, WEFT_ACCESS_INDIRECT);
    use_buffer(c, parts->indirect->count_buffer, WEFT_ACCESS_INDIRECT);
}

static void use_draw(struct collector *c, const struct wf_frame_parts *parts)
{
    const struct wf_frame_packet *packet = c->packet;
    if (packet->kind != WEFT_PACKET_QUADS)
        use_geometry(c, parts);
    use_table(c, 0, wf_frame_globals(c->pass, wf_frame_at(&c->frame->layers, packet->layer)));
    struct wf_frame_look *look = wf_frame_at(&c->frame->looks, packet->look);
    if (look->used == c->mark)
        return;
    look->used = c->mark;
    use_table(c, 1, look->material->arguments);
    use_table(c, 2, look->arguments);
    use_declared(c, look->material->accesses, look->material->access_count);
}

static void use_dispatch(struct collector *c, const struct wf_frame_dispatch *d)
{
    use_table(c, 0, wf_frame_dispatch_globals(c->frame, c->packet, d));
    use_table(c, 1, d->arguments[1]);
    use_table(c, 2, d->arguments[2]);
    use_buffer(c, d->indirect.buffer, WEFT_ACCESS_INDIRECT);
}

void wf_frame_collect_step(struct weft_frame *frame, struct wf_frame_step *step, uint32_t mark,
                           bool quiet)
{
    struct collector c = {.frame = frame,
                          .step = step,
                          .mark = mark,
                          .quiet = quiet,
                          .pass = wf_frame_at(&frame->passes, step->pass),
                          .layer = WF_FRAME_NONE};
    step->first_use = (uint32_t)frame->uses.count;
    step->use_count = 0;
    if (step->kind == WF_FRAME_STEP_RENDER)
        use_attachments(&c);
    const uint32_t *order = (const uint32_t *)frame->order.items + step->first;
    struct wf_frame_packet *packets = frame->packets.items;
    for (uint32_t i = 0; i < step->count; i++) {
        c.packet = &packets[order[i]];
        if (uses_the_same(&c, c.packet))
            continue;
        c.layer = c.packet->layer;
        const struct wf_frame_parts parts = wf_frame_packet_parts(frame, c.packet);
        if (step->kind == WF_FRAME_STEP_DISPATCH)
            use_dispatch(&c, parts.dispatch);
        else if (step->kind == WF_FRAME_STEP_RENDER)
            use_draw(&c, &parts);
        use_declared(&c, parts.accesses, c.packet->access_count);
    }
}

void wf_frame_forget_uses(struct weft_frame *frame)
{
    frame->uses.count = 0;
    wf_base_map_clear(&frame->seen);
    for (uint32_t i = 0; i < frame->looks.count; i++)
        ((struct wf_frame_look *)wf_frame_at(&frame->looks, i))->used = 0;
}

void wf_frame_collect_accesses(struct weft_frame *frame)
{
    wf_frame_forget_uses(frame);
    for (uint32_t i = 0; i < frame->steps.count; i++)
        wf_frame_collect_step(frame, wf_frame_at(&frame->steps, i), i + 1, false);
}

weft_rule wf_frame_access_rule(const weft_access *access)
{
    if (access->kind < WEFT_ACCESS_SAMPLED || access->kind > WEFT_ACCESS_UNIFORM)
        return WEFT_RULE_FRAME_ACCESS_KIND;
    return weft_buffer_is_none(access->buffer) == weft_texture_is_none(access->texture)
               ? WEFT_RULE_FRAME_ACCESS_RESOURCE
               : WEFT_RULE_NONE;
}

bool wf_frame_access_lives(weft_device *device, const weft_access *access)
{
    weft_buffer_desc buffer;
    weft_texture_desc texture;
    return weft_buffer_is_none(access->buffer)
               ? weft_texture_get_desc(device, access->texture, &texture)
               : weft_buffer_get_desc(device, access->buffer, &buffer);
}
