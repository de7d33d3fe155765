#include "frame/context.h"

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

static uint64_t texture_key(weft_texture t)
{
    return handle_key(KEY_TEXTURE, t.generation, t.index);
}

/// Sets `bit` for `key` in this pass; false if it was set, or when out of memory.
static bool first_time(struct weft_frame *frame, uint64_t key, uint32_t bit)
{
    uint64_t *bits = wf_base_map_find(&frame->seen, key);
    if (bits) {
        const bool first = !(*bits >> bit & 1);
        *bits |= UINT64_C(1) << bit;
        return first;
    }
    if (!wf_base_map_set(&frame->seen, key, UINT64_C(1) << bit)) {
        wf_frame_out_of_memory(frame);
        return false;
    }
    return true;
}

static void use(struct weft_frame *frame, struct wf_frame_pass *pass,
                const struct wf_frame_use *what)
{
    struct wf_frame_use *at = wf_frame_append(frame, &frame->uses, 1);
    if (!at)
        return;
    *at = *what;
    pass->access_count++;
}

static void use_attachment(struct weft_frame *frame, struct wf_frame_pass *pass,
                           weft_texture texture, weft_hazard_set hazards, const char *what)
{
    if (weft_texture_is_none(texture))
        return;
    use(frame, pass,
        &(struct wf_frame_use){.resource = texture_key(texture),
                               .stages = WEFT_STAGE_TARGET,
                               .write = true,
                               .hazards = hazards,
                               .what = what});
}

static void use_attachments(struct weft_frame *frame, struct wf_frame_pass *pass)
{
    const struct wf_frame_target *a = &pass->attachments;
    for (uint32_t i = 0; i < a->color_count; i++) {
        use_attachment(frame, pass, a->textures[i], 0, "color write");
        use_attachment(frame, pass, a->resolve_textures[i], 0, "resolve write");
    }
    use_attachment(frame, pass, a->depth_texture, WEFT_HAZARD_DEPTH_STENCIL, "depth write");
}

static bool is_attachment(const struct wf_frame_pass *pass, weft_texture texture)
{
    const struct wf_frame_target *a = &pass->attachments;
    const uint64_t key = texture_key(texture);
    for (uint32_t i = 0; i < a->color_count; i++) {
        if (key == texture_key(a->textures[i]) || key == texture_key(a->resolve_textures[i]))
            return true;
    }
    return key == texture_key(a->depth_texture);
}

/// False after reporting a feedback loop.
static bool check_loop(struct weft_frame *frame, const struct wf_frame_pass *pass,
                       uint64_t sequence, weft_texture texture, const char *what)
{
    if (!is_attachment(pass, texture))
        return true;
    struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    packet->fate = WEFT_PACKET_FAILED;
    packet->code = WEFT_RULE_FRAME_FEEDBACK_LOOP;
    packet->reason = "it samples a target that it draws into";
    return wf_frame_broken(frame, WEFT_RULE_FRAME_FEEDBACK_LOOP, sequence, packet->layer,
                           "The packet's %s is of a texture that pass '%s' draws into.", what,
                           pass->label);
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

/// `stages` 0: those of the kind.
static void use_as(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t resource,
                   weft_access_kind kind, weft_stage_set stages)
{
    struct wf_frame_use what = kinds[kind];
    what.resource = resource;
    if (stages)
        what.stages = stages;
    use(frame, pass, &what);
}

static void use_buffer(struct weft_frame *frame, struct wf_frame_pass *pass, weft_buffer buffer,
                       weft_access_kind kind)
{
    if (!weft_buffer_is_none(buffer) && first_time(frame, buffer_key(buffer), kind))
        use_as(frame, pass, buffer_key(buffer), kind, 0);
}

static void use_declared(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t sequence,
                         const weft_access *access)
{
    use_buffer(frame, pass, access->buffer, access->kind);
    const weft_texture texture = access->texture;
    if (!weft_texture_is_none(texture) &&
        check_loop(frame, pass, sequence, texture, kinds[access->kind].what) &&
        first_time(frame, texture_key(texture), access->kind))
        use_as(frame, pass, texture_key(texture), access->kind, 0);
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
    return stages;
}

/// What a table holds, once for each pass.
static void use_table(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t sequence,
                      weft_argument_table table)
{
    if (weft_argument_table_is_none(table) ||
        !first_time(frame, handle_key(KEY_TABLE, table.generation, table.index), 0))
        return;
    weft_argument argument;
    weft_argument_write held;
    for (uint32_t i = 0; weft_argument_table_get(frame->device, table, i, &argument, &held); i++) {
        const weft_access_kind kind = argument_access(&argument);
        const weft_stage_set stages = argument_stages(&argument);
        if (!weft_buffer_is_none(held.buffer))
            use_as(frame, pass, buffer_key(held.buffer), kind, stages);
        const weft_texture texture = weft_texture_view_is_none(held.view)
                                         ? (weft_texture){0, 0}
                                         : weft_texture_view_texture(frame->device, held.view);
        if (!weft_texture_is_none(texture) &&
            check_loop(frame, pass, sequence, texture, kinds[kind].what))
            use_as(frame, pass, texture_key(texture), kind, stages);
    }
}

static void use_geometry(struct weft_frame *frame, struct wf_frame_pass *pass,
                         const struct wf_frame_geometry *g)
{
    for (uint32_t i = 0; i < g->stream_count; i++) {
        const weft_stream_view *s = wf_frame_at(&frame->streams, g->first_stream + i);
        use_buffer(frame, pass, s->buffer, WEFT_ACCESS_VERTEX);
    }
    use_buffer(frame, pass, g->instances.buffer, WEFT_ACCESS_VERTEX);
    use_buffer(frame, pass, g->indices, WEFT_ACCESS_INDEX);
    if (g->indirect == WF_FRAME_NONE)
        return;
    const weft_indirect_view *v = wf_frame_at(&frame->indirects, g->indirect);
    use_buffer(frame, pass, v->buffer, WEFT_ACCESS_INDIRECT);
    use_buffer(frame, pass, v->count_buffer, WEFT_ACCESS_INDIRECT);
}

static void use_packet(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t sequence)
{
    const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
    const struct wf_frame_material *material =
        wf_frame_material_find(frame->context, packet->material);
    if (!material)
        return;
    use_geometry(frame, pass, wf_frame_at(&frame->geometries, packet->geometry));
    use_table(frame, pass, sequence, wf_frame_globals(pass, layer));
    use_table(frame, pass, sequence, material->arguments);
    use_table(frame, pass, sequence, packet->arguments);
    for (uint32_t i = 0; i < material->access_count; i++)
        use_declared(frame, pass, sequence, &material->accesses[i]);
    for (uint32_t i = 0; i < packet->access_count; i++)
        use_declared(frame, pass, sequence,
                     wf_frame_at(&frame->declared, packet->first_access + i));
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

void wf_frame_collect_accesses(struct weft_frame *frame)
{
    for (uint32_t p = 0; p < frame->passes.count; p++) {
        struct wf_frame_pass *pass = wf_frame_at(&frame->passes, p);
        pass->first_access = (uint32_t)frame->uses.count;
        pass->access_count = 0;
        if (pass->dropped)
            continue;
        wf_base_map_clear(&frame->seen);
        use_attachments(frame, pass);
        for (uint32_t i = pass->head; i != WF_FRAME_NONE;) {
            const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, i);
            if (packet->fate == WEFT_PACKET_DRAWN)
                use_packet(frame, pass, i);
            i = packet->next_in_pass;
        }
    }
}
