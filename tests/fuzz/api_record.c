// Recording with values that no host should give: see api.c.
#include "api.h"

/// Binds what slot 0 offers, so that a draw that follows is good.
static void bind_world(weft_render_encoder *enc)
{
    weft_render_set_pipeline(enc, w.graphics[0]);
    weft_render_set_arguments(enc, 1, w.tables[0], NULL, 0);
    weft_render_set_vertex_buffer(enc, 0, w.buffers[0], 0);
    weft_render_set_vertex_buffer(enc, 1, w.buffers[0], 64);
    weft_render_set_index_buffer(enc, w.buffers[0], 0, WEFT_INDEX_UINT16);
    weft_render_set_root(enc, 0, 0, host_bytes, 16);
}

// ---- recording ---------------------------------------------------------------------------------

static void render_state(weft_render_encoder *enc)
{
    const weft_depth_stencil_state ds = depth_stencil();
    const weft_blend_state bl = blend();
    const weft_raster_state ra = raster();
    const float color[4] = {real(), real(), real(), real()};
    switch (below(7)) {
    case 0:
        weft_render_set_depth_stencil(enc, &ds);
        break;
    case 1:
        weft_render_set_blend(enc, &bl);
        break;
    case 2:
        weft_render_set_raster(enc, &ra);
        break;
    case 3:
        weft_render_set_viewport(
            enc, &(weft_viewport){color[0], color[1], color[2], color[3], real(), real()});
        break;
    case 4:
        weft_render_set_scissor(
            enc, &(weft_rect){(int32_t)number(), (int32_t)number(), number(), number()});
        break;
    case 5:
        weft_render_set_stencil_reference(enc, number());
        break;
    default:
        weft_render_set_blend_constant(enc, color);
        break;
    }
}

static void render_bind(weft_render_encoder *enc)
{
    const uint32_t offsets[2] = {number(), number()};
    const weft_buffer buffer = PICK(w.buffers);
    switch (below(6)) {
    case 0:
        weft_render_set_pipeline(enc, PICK(w.graphics));
        break;
    case 1:
        weft_render_set_arguments(enc, below(5), PICK(w.tables), offsets, below(3));
        break;
    case 2: {
        const uint32_t size = number();
        if (size <= BYTES)
            weft_render_set_root(enc, below(9), number(), host_bytes, size);
        break;
    }
    case 3:
        weft_render_set_root_pointer(enc, below(4), number(), buffer, number64());
        break;
    case 4:
        weft_render_set_vertex_buffer(enc, below(3) ? below(2) : number(), buffer, number64());
        break;
    default:
        weft_render_set_index_buffer(enc, buffer, number64(), (weft_index_type)choice(3));
        break;
    }
}

/// Counts that are good are small.
static uint32_t few(void)
{
    return byte() % 20;
}

static void render_draw(weft_render_encoder *enc)
{
    const weft_indirect_draws draws = {.buffer = PICK(w.buffers),
                                       .offset = number64(),
                                       .stride = below(2) ? 0 : number(),
                                       .max_count = few(),
                                       .count_buffer =
                                           below(2) ? (weft_buffer){0} : PICK(w.buffers),
                                       .count_offset = number64(),
                                       .root_stride = below(3) ? 0 : number(),
                                       .root_base = number64()};
    switch (below(8)) {
    case 0:
        weft_render_draw(enc, few(), few(), number(), number());
        break;
    case 1:
        weft_render_draw_indexed(enc, few(), few(), number(), (int32_t)number(), number());
        break;
    case 2:
        weft_render_draw_indirect(enc, &draws);
        break;
    case 3:
        weft_render_draw_indexed_indirect(enc, &draws);
        break;
    case 4:
        weft_render_begin_occlusion(enc, number());
        break;
    case 5:
        weft_render_end_occlusion(enc);
        break;
    case 6:
        weft_render_begin_statistics(enc, PICK(w.queries), number());
        break;
    default:
        weft_render_end_statistics(enc);
        weft_render_draw_mesh(enc, number(), 1, 1);
        weft_render_draw_mesh_indirect(enc, &draws);
        break;
    }
}

static weft_pass_timestamps times(void)
{
    if (below(3) != 0)
        return (weft_pass_timestamps){0};
    return (weft_pass_timestamps){PICK(w.queries), number(), number()};
}

static void record_render(weft_command_buffer *cmd)
{
    weft_render_pass_desc desc = {.depth_load = (weft_load)choice(4),
                                  .stencil_load = (weft_load)choice(4),
                                  .clear_depth = real(),
                                  .clear_stencil = number(),
                                  .read_only = below(3) ? 0 : below(9),
                                  .occlusion = below(2) ? PICK(w.queries) : (weft_query_pool){0},
                                  .times = times()};
    const uint32_t colors = below(3);
    for (uint32_t i = 0; i < colors; i++)
        desc.colors[i] =
            (weft_color_attachment){.view = PICK(w.views),
                                    .resolve = below(3) ? (weft_texture_view){0} : PICK(w.views),
                                    .load = (weft_load)choice(4),
                                    .store = (weft_store)choice(2),
                                    .clear.f = {real(), real(), real(), real()}};
    if (below(2))
        desc.depth_stencil = PICK(w.views);
    if (colors == 0) {
        desc.width = side();
        desc.height = side();
        desc.samples = below(9);
    }
    const bool good = below(2) == 0;
    if (good) {
        desc.colors[0] = (weft_color_attachment){.view = w.views[0], .load = WEFT_LOAD_CLEAR};
        desc.depth_stencil = (weft_texture_view){0};
    }
    weft_render_encoder *enc = weft_command_begin_render(cmd, &desc);
    if (good)
        bind_world(enc);
    const uint32_t count = below(16);
    for (uint32_t i = 0; i < count; i++) {
        switch (below(3)) {
        case 0:
            render_state(enc);
            break;
        case 1:
            render_bind(enc);
            break;
        default:
            render_draw(enc);
            break;
        }
    }
    weft_render_end(enc);
}

static void compute_copy(weft_compute_encoder *enc)
{
    const weft_buffer from = PICK(w.buffers), to = PICK(w.buffers);
    const weft_texture a = PICK(w.textures), b = PICK(w.textures);
    const weft_texture_region r = region(), s = region();
    const weft_texel_layout l = layout_of_texels();
    switch (below(7)) {
    case 0:
        weft_compute_copy_buffer(enc, from, number64(), to, number64(), number64());
        break;
    case 1:
        weft_compute_copy_buffer_to_texture(enc, from, &l, a, &r);
        break;
    case 2:
        weft_compute_copy_texture_to_buffer(enc, a, &r, to, &l);
        break;
    case 3:
        weft_compute_copy_texture(enc, a, &r, b, &s);
        break;
    case 4:
        weft_compute_fill_buffer(enc, to, number64(), number64(), number());
        break;
    case 5:
        weft_compute_generate_mips(enc, a);
        break;
    default:
        weft_compute_write_heap(enc, PICK(w.ranges), number(), PICK(w.views), PICK(w.samplers));
        break;
    }
}

static void compute_work(weft_compute_encoder *enc)
{
    const uint32_t offsets[2] = {number(), number()};
    const uint32_t size = number();
    switch (below(6)) {
    case 0:
        weft_compute_set_pipeline(enc, PICK(w.computes));
        break;
    case 1:
        weft_compute_set_arguments(enc, below(5), PICK(w.tables), offsets, below(3));
        break;
    case 2:
        if (size <= BYTES)
            weft_compute_set_root(enc, number(), host_bytes, size);
        break;
    case 3:
        weft_compute_set_root_pointer(enc, number(), PICK(w.buffers), number64());
        break;
    case 4:
        weft_compute_dispatch(enc, below(4) ? below(4) : 65536, below(3), below(3));
        break;
    default:
        weft_compute_dispatch_indirect(enc, PICK(w.buffers), number64());
        break;
    }
}

static void record_compute(weft_command_buffer *cmd)
{
    const weft_compute_pass_desc desc = {.times = times()};
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, &desc);
    if (below(2) == 0) {
        weft_compute_set_pipeline(enc, w.computes[0]);
        weft_compute_set_arguments(enc, 0, w.tables[1], NULL, 0);
        weft_compute_set_root(enc, 0, host_bytes, 4);
    }
    const uint32_t count = below(12);
    for (uint32_t i = 0; i < count; i++) {
        if (below(2))
            compute_copy(enc);
        else
            compute_work(enc);
    }
    weft_compute_end(enc);
}

static void record_barrier(weft_command_buffer *cmd)
{
    const weft_texture_barrier texture = {.texture = PICK(w.textures),
                                          .mip = number(),
                                          .mip_count = number(),
                                          .layer = number(),
                                          .layer_count = number(),
                                          .before = (weft_texture_state)choice(6),
                                          .after = (weft_texture_state)choice(6),
                                          .producers = number(),
                                          .consumers = number(),
                                          .to = (weft_queue)choice(3)};
    const weft_buffer_barrier buffer = {.buffer = PICK(w.buffers),
                                        .offset = number64(),
                                        .size = number64(),
                                        .producers = number(),
                                        .consumers = number(),
                                        .from = (weft_queue)choice(3)};
    const weft_object object = {
        .kind = (weft_object_kind)choice(20), .index = number(), .generation = number()};
    switch (below(6)) {
    case 0:
        weft_command_barrier(cmd, number(), number(), below(9));
        break;
    case 1:
        weft_command_texture_barrier(cmd, &texture, 1);
        break;
    case 2:
        weft_command_buffer_barrier(cmd, &buffer, 1);
        break;
    case 3:
        weft_command_alias_barrier(cmd, object, object);
        break;
    case 4:
        weft_command_signal_after(cmd, number(), number());
        break;
    default:
        weft_command_wait_before(cmd, number(), below(9), number());
        break;
    }
}

static void record_other(weft_command_buffer *cmd)
{
    switch (below(5)) {
    case 0:
        weft_command_write_timestamp(cmd, PICK(w.queries), number());
        break;
    case 1:
        weft_command_resolve_queries(cmd, PICK(w.queries), number(), number(), PICK(w.buffers),
                                     number64());
        break;
    case 2:
        weft_command_push_group(cmd, below(2) ? "group" : NULL);
        break;
    case 3:
        weft_command_pop_group(cmd);
        break;
    default:
        weft_command_marker(cmd, "marker");
        weft_command_set_origin(cmd, number64());
        break;
    }
}

static void submit(weft_command_buffer *cmd)
{
    const weft_timeline_point wait = {PICK(w.timelines), number64(), number()};
    const weft_timeline_point signal = {PICK(w.timelines), number64(), number()};
    const weft_surface surface = PICK(w.surfaces);
    // What nothing will signal is not waited for: with validation off that would be for ever.
    const bool waits = weft_timeline_value(w.dev, wait.timeline) >= wait.value && below(2);
    const weft_submit desc = {.commands = &cmd,
                              .command_count = 1,
                              .waits = &wait,
                              .wait_count = waits,
                              .signals = &signal,
                              .signal_count = below(2),
                              .surfaces = &surface,
                              .surface_count = below(4) == 0};
    uint64_t serial;
    if (weft_queue_submit(w.dev, (weft_queue)choice(3), &desc, &serial) != WEFT_OK)
        weft_command_discard(cmd);
}

void record_commands(void)
{
    const weft_command_desc desc = {.queue = (weft_queue)(below(8) ? 0 : choice(3)),
                                    .allocator =
                                        below(3) ? (weft_command_allocator){0} : PICK(w.allocators),
                                    .flags = below(8) ? 0 : below(3),
                                    .label = "commands"};
    weft_command_buffer *cmd;
    if (weft_command_begin(w.dev, &desc, &cmd) != WEFT_OK)
        return;
    const uint32_t count = 1 + below(8);
    for (uint32_t i = 0; i < count; i++) {
        switch (below(5)) {
        case 0:
        case 1:
            record_render(cmd);
            break;
        case 2:
            record_compute(cmd);
            break;
        case 3:
            record_barrier(cmd);
            break;
        default:
            record_other(cmd);
            break;
        }
    }
    if (below(16) == 0)
        weft_command_discard(cmd);
    else if (weft_command_end(cmd) == WEFT_OK)
        submit(cmd);
}
