#include "frame/context.h"

/// Key of a resource in maps. Buffers and textures have separate handle spaces.
static uint64_t buffer_key(weft_buffer b)
{
    return UINT64_C(1) << 63 | (uint64_t)b.generation << 32 | b.index;
}

static uint64_t texture_key(weft_texture t)
{
    return ((uint64_t)t.generation << 32 | t.index) & ~(UINT64_C(1) << 63);
}

static void use(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t resource,
                weft_stage_set stages, bool write, const char *what)
{
    struct wf_frame_use *at = wf_frame_append(frame, &frame->uses, 1);
    if (!at)
        return;
    *at = (struct wf_frame_use){resource, stages, write, what};
    pass->access_count++;
}

static void use_attachments(struct weft_frame *frame, struct wf_frame_pass *pass)
{
    const struct wf_frame_target *a = &pass->attachments;
    for (uint32_t i = 0; i < a->color_count; i++) {
        if (!weft_texture_is_none(a->textures[i]))
            use(frame, pass, texture_key(a->textures[i]), WEFT_STAGE_TARGET, true, "color write");
        if (!weft_texture_is_none(a->resolve_textures[i]))
            use(frame, pass, texture_key(a->resolve_textures[i]), WEFT_STAGE_TARGET, true,
                "resolve write");
    }
    if (!weft_texture_is_none(a->depth_texture))
        use(frame, pass, texture_key(a->depth_texture), WEFT_STAGE_TARGET, true, "depth write");
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

static void use_texture(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t sequence,
                        weft_texture texture, bool write, const char *what)
{
    if (weft_texture_is_none(texture))
        return;
    if (is_attachment(pass, texture)) {
        struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
        packet->fate = WEFT_PACKET_FAILED;
        packet->code = WEFT_RULE_FRAME_FEEDBACK_LOOP;
        packet->reason = "it samples a target that it draws into";
        wf_frame_broken(frame, WEFT_RULE_FRAME_FEEDBACK_LOOP, sequence, packet->layer,
                        "The packet's %s is of a texture that pass '%s' draws into.", what,
                        pass->label);
        return;
    }
    use(frame, pass, texture_key(texture), WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT, write, what);
}

static void use_declared(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t sequence,
                         const weft_access *access)
{
    static const struct {
        weft_stage_set stages;
        bool write;
        const char *what;
    } kinds[] = {
        [WEFT_ACCESS_SAMPLED] = {WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT, false, "sampled read"},
        [WEFT_ACCESS_STORAGE_READ] = {WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT, false,
                                      "storage read"},
        [WEFT_ACCESS_STORAGE_WRITE] = {WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT, true,
                                       "storage write"},
        [WEFT_ACCESS_VERTEX] = {WEFT_STAGE_VERTEX_INPUT, false, "vertex read"},
        [WEFT_ACCESS_INDEX] = {WEFT_STAGE_VERTEX_INPUT, false, "index read"},
        [WEFT_ACCESS_INDIRECT] = {WEFT_STAGE_DRAW_INDIRECT, false, "indirect read"},
        [WEFT_ACCESS_UNIFORM] = {WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT, false, "uniform read"},
    };
    if (access->kind < WEFT_ACCESS_SAMPLED || access->kind > WEFT_ACCESS_UNIFORM) {
        wf_frame_broken(frame, WEFT_RULE_FRAME_ACCESS_KIND, sequence, WF_FRAME_NONE,
                        "Access kind %d is none.", (int)access->kind);
        return;
    }
    use_texture(frame, pass, sequence, access->texture, kinds[access->kind].write,
                kinds[access->kind].what);
    if (!weft_buffer_is_none(access->buffer))
        use(frame, pass, buffer_key(access->buffer), kinds[access->kind].stages,
            kinds[access->kind].write, kinds[access->kind].what);
}

/// What a table holds, once for each pass.
static void use_table(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t sequence,
                      weft_argument_table table)
{
    if (weft_argument_table_is_none(table))
        return;
    const uint64_t key = (uint64_t)table.generation << 32 | table.index;
    if (wf_base_map_find(&frame->seen, key))
        return;
    if (!wf_base_map_set(&frame->seen, key, 1)) {
        wf_frame_fail(frame, WEFT_ERROR_MEMORY);
        return;
    }
    weft_argument_write held;
    for (uint32_t i = 0; weft_argument_table_get(frame->device, table, i, &held); i++) {
        if (!weft_texture_view_is_none(held.view))
            use_texture(frame, pass, sequence, weft_texture_view_texture(frame->device, held.view),
                        false, "sampled read");
        if (!weft_buffer_is_none(held.buffer))
            use(frame, pass, buffer_key(held.buffer), WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT,
                false, "buffer read");
    }
}

static void use_packet(struct weft_frame *frame, struct wf_frame_pass *pass, uint64_t sequence)
{
    const struct wf_frame_packet *packet = wf_frame_at(&frame->packets, sequence);
    const struct wf_frame_layer *layer = wf_frame_at(&frame->layers, packet->layer);
    const struct wf_frame_material *material =
        wf_frame_material_find(frame->context, packet->material);
    if (!material)
        return;
    use_table(frame, pass, sequence, pass->ops.globals);
    use_table(frame, pass, sequence, layer->globals);
    use_table(frame, pass, sequence, material->arguments);
    use_table(frame, pass, sequence, packet->arguments);
    for (uint32_t i = 0; i < material->access_count; i++)
        use_declared(frame, pass, sequence, &material->accesses[i]);
    for (uint32_t i = 0; i < packet->access_count; i++)
        use_declared(frame, pass, sequence,
                     wf_frame_at(&frame->declared, packet->first_access + i));
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
