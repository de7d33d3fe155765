// Frames with values that no host should give: see api.c.
#include "api.h"

static struct {
    weft_frame *frame;
    weft_target targets[SLOTS], passes[SLOTS];
    weft_layer layers[SLOTS];
    weft_clip clips[SLOTS];
} f;

static weft_access access_of(void)
{
    return (weft_access){.kind = (weft_access_kind)choice(8),
                         .buffer = below(2) ? (weft_buffer){0} : PICK(w.buffers),
                         .offset = number64(),
                         .size = number64(),
                         .texture = below(2) ? (weft_texture){0} : PICK(w.textures)};
}

void create_material(void)
{
    const weft_depth_stencil_state ds = depth_stencil();
    const weft_blend_state bl = blend();
    const weft_raster_state ra = raster();
    const weft_access access = access_of();
    const weft_material_desc desc = {.pipeline = PICK(w.graphics),
                                     .arguments = PICK(w.tables),
                                     .depth_stencil = below(3) ? NULL : &ds,
                                     .blend = below(3) ? NULL : &bl,
                                     .raster = below(3) ? NULL : &ra,
                                     .transform_offset = below(3) ? WEFT_NO_TRANSFORM : number(),
                                     .transform_stages = below(9),
                                     .accesses = &access,
                                     .access_count = below(2)};
    weft_material *out = &PICK(w.materials);
    (void)weft_material_create(w.dev, &desc, out);
    if (below(8) == 0)
        weft_material_destroy(w.dev, *out);
}

static void make_target(void)
{
    weft_target_desc desc = {.width = side(), .height = side(), .samples = below(10)};
    if (below(2)) {
        desc.color_formats[0] = format();
        desc.color_formats[below(8)] = format();
        desc.depth_format = below(2) ? WEFT_FORMAT_NONE : format();
    } else {
        desc.colors[below(2)] = PICK(w.views);
        desc.resolves[0] = below(3) ? (weft_texture_view){0} : PICK(w.views);
        desc.depth_stencil = below(2) ? (weft_texture_view){0} : PICK(w.views);
    }
    weft_target *out = &PICK(f.targets);
    *out = weft_frame_offscreen_target(f.frame, &desc);
    PICK(w.views) = weft_frame_target_view(f.frame, *out, below(3) ? 0 : number());
}

static void begin_pass(void)
{
    const weft_target_ops ops = {.load = (weft_load)(below(3) ? WEFT_LOAD_CLEAR : choice(4)),
                                 .store = (weft_store)choice(2),
                                 .clear = {{.f = {real(), real(), real(), real()}}},
                                 .depth_load = (weft_load)choice(4),
                                 .clear_depth = real(),
                                 .clear_stencil = number(),
                                 .depth_format = below(3) ? WEFT_FORMAT_NONE : format(),
                                 .samples = below(3) ? 0 : below(10),
                                 .globals = below(3) ? (weft_argument_table){0} : PICK(w.tables)};
    const weft_target target = below(2) ? weft_frame_present_target(f.frame) : PICK(f.targets);
    PICK(f.passes) = weft_frame_target_begin(f.frame, target, &ops);
}

static void nest(void)
{
    const weft_layer_desc layer = {.name = below(2) ? "layer" : NULL,
                                   .sort_base = (int32_t)number(),
                                   .order = (weft_order)choice(5),
                                   .sort_inside = below(2),
                                   .key_shift = number(),
                                   .globals = below(3) ? (weft_argument_table){0} : PICK(w.tables)};
    const weft_rect rect = {(int32_t)number(), (int32_t)number(), number(), number()};
    switch (below(5)) {
    case 0:
        PICK(f.layers) = weft_frame_layer_push(f.frame, &layer);
        break;
    case 1:
        weft_frame_layer_pop(f.frame);
        break;
    case 2:
        PICK(f.clips) = weft_frame_clip_push(f.frame, &rect);
        break;
    case 3:
        weft_frame_clip_pop(f.frame);
        break;
    default:
        weft_frame_target_end(f.frame, PICK(f.passes));
        break;
    }
}

static void draw_packet(void)
{
    float transform[16];
    for (uint32_t i = 0; i < 16; i++)
        transform[i] = below(4) ? (float)(i % 5 == 0) : real();
    const weft_stream_view streams[2] = {{.buffer = PICK(w.buffers), .offset = number64()},
                                         {.slot = number(), .buffer = PICK(w.buffers)}};
    const weft_access access = access_of();
    weft_draw_packet packet = {
        .kind = (weft_packet_kind)choice(3),
        .order = (weft_order)choice(5),
        .sort_key = number64(),
        .material = PICK(w.materials),
        .arguments = below(3) ? (weft_argument_table){0} : PICK(w.tables),
        .geometry = {.streams = streams,
                     .stream_count = below(3),
                     .indices = below(2) ? (weft_buffer){0} : PICK(w.buffers),
                     .index_offset = number64(),
                     .index_type = (weft_index_type)choice(3),
                     .first = number(),
                     .count = byte() % 20,
                     .vertex_offset = (int32_t)number()},
        .instances = {.buffer = below(2) ? (weft_buffer){0} : PICK(w.buffers),
                      .offset = number64(),
                      .stride = number(),
                      .first = number(),
                      .count = byte() % 20},
        .transform = below(2) ? NULL : transform,
        .root = host_bytes,
        .root_offset = number(),
        .accesses = &access,
        .access_count = below(2),
    };
    packet.root_size = number();
    if (packet.root_size > BYTES)
        packet.root_size = 0;
    if (below(4) == 0) {
        packet.target = PICK(f.passes);
        packet.layer = PICK(f.layers);
        packet.clip = PICK(f.clips);
    }
    if (below(4) == 0)
        packet.indirect = (weft_indirect_view){.buffer = PICK(w.buffers),
                                               .offset = number64(),
                                               .stride = number(),
                                               .max_count = byte() % 20,
                                               .count_buffer = PICK(w.buffers),
                                               .count_offset = number64()};
    (void)weft_frame_draw(f.frame, &packet);
}

static void draw_quads(void)
{
    weft_quad quads[3];
    for (uint32_t i = 0; i < 3; i++)
        quads[i] =
            (weft_quad){real(), real(), real(), real(), 0, 0, 1, real(), {real(), 1, 1, real()}};
    const weft_quads_packet packet = {.order = (weft_order)choice(5),
                                      .target = below(4) ? (weft_target){0} : PICK(f.passes),
                                      .layer = below(4) ? (weft_layer){0} : PICK(f.layers),
                                      .clip = below(4) ? (weft_clip){0} : PICK(f.clips),
                                      .sort_key = number64(),
                                      .material = below(3) ? (weft_material){0} : PICK(w.materials),
                                      .view = below(2) ? (weft_texture_view){0} : PICK(w.views),
                                      .sampler = below(2) ? (weft_sampler){0} : PICK(w.samplers),
                                      .quads = quads,
                                      .quad_count = below(4)};
    (void)weft_frame_draw_quads(f.frame, &packet);
}

static void append(void)
{
    switch (below(7)) {
    case 0:
        make_target();
        break;
    case 1:
        begin_pass();
        break;
    case 2:
    case 3:
        nest();
        break;
    case 4:
        (void)weft_frame_alloc(f.frame, number64(), number());
        draw_packet();
        break;
    case 5:
        draw_packet();
        break;
    default:
        draw_quads();
        break;
    }
}

void make_frame(void)
{
    const weft_frame_desc desc = {.surface = below(4) ? w.surfaces[0] : PICK(w.surfaces),
                                  .flags = below(4) | WEFT_FRAME_CHECK,
                                  .label = "frame"};
    if (weft_frame_begin(w.dev, &desc, &f.frame) < 0)
        return;
    if (below(2))
        begin_pass();
    const uint32_t count = below(24);
    for (uint32_t i = 0; i < count; i++)
        append();
    if (below(16) == 0) {
        weft_frame_cancel(f.frame);
        return;
    }
    const weft_frame_report *report = NULL;
    (void)weft_frame_submit(f.frame, &report);
    char *text;
    if (report && weft_frame_report_write(report, (weft_report_format)below(3), &text) == WEFT_OK)
        weft_text_free(text);
}
