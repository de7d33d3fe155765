// The frame layer: a mesh off screen, quads of its picture on a surface.
#include "faults.h"

#include "support/record.h"

enum { SIDE = 8 };

struct frame {
    weft_surface surface;
    weft_shader vertex, fragment;
    weft_graphics_pipeline pipeline;
    weft_material material;
};

static bool make(struct scene *s, struct frame *f)
{
    const weft_surface_config config = {
        .width = SIDE, .height = SIDE, .format = WEFT_FORMAT_RGBA8_UNORM};
    const weft_shader_desc vertex = {.code = plain_vert, .size = sizeof plain_vert};
    const weft_shader_desc fragment = {.code = plain_frag, .size = sizeof plain_frag};
    if (!scene_ok(s, weft_surface_create(s->dev, &(weft_surface_desc){0}, &f->surface)) ||
        !scene_ok(s, weft_surface_configure(s->dev, f->surface, &config)) ||
        !scene_ok(s, weft_shader_create(s->dev, &vertex, &f->vertex)) ||
        !scene_ok(s, weft_shader_create(s->dev, &fragment, &f->fragment)))
        return false;
    const weft_graphics_pipeline_desc pipeline = {.vertex = {.shader = f->vertex},
                                                  .fragment = {.shader = f->fragment},
                                                  .colors = {WEFT_FORMAT_RGBA8_UNORM},
                                                  .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                                  .samples = 4};
    if (!scene_ok(s, weft_graphics_pipeline_create(s->dev, &pipeline, &f->pipeline)))
        return false;
    const weft_material_desc material = {.pipeline = f->pipeline,
                                         .transform_offset = WEFT_NO_TRANSFORM};
    return scene_ok(s, weft_material_create(s->dev, &material, &f->material));
}

static void draw_mesh(weft_frame *frame, weft_target offscreen, weft_material material)
{
    const weft_target pass = weft_frame_target_begin(
        frame, offscreen, &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .label = "mesh"});
    const weft_transient piece = weft_frame_alloc(frame, 64, 0);
    const weft_access access = {.kind = WEFT_ACCESS_STORAGE_READ, .buffer = piece.buffer};
    weft_frame_draw_mesh(frame, &(weft_draw_packet){.material = material,
                                                    .geometry.count = 3,
                                                    .accesses = &access,
                                                    .access_count = piece.cpu ? 1 : 0});
    weft_frame_target_end(frame, pass);
}

static void draw_quads(weft_frame *frame, weft_target offscreen)
{
    const weft_quad quad = {.width = SIDE, .height = SIDE, .u1 = 1, .v1 = 1, .color = {1, 1, 1, 1}};
    const weft_target pass =
        weft_frame_target_begin(frame, weft_frame_present_target(frame),
                                &(weft_target_ops){.load = WEFT_LOAD_CLEAR,
                                                   .depth_format = WEFT_FORMAT_D32_FLOAT,
                                                   .samples = 4,
                                                   .label = "show"});
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "ui"});
    weft_frame_clip_push(frame, &(weft_rect){0, 0, SIDE / 2, SIDE});
    weft_frame_draw_quads(
        frame, &(weft_quads_packet){.quads = &quad,
                                    .quad_count = 1,
                                    .view = weft_frame_target_view(frame, offscreen, 0)});
    weft_frame_clip_pop(frame);
    weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, pass);
}

static bool draw_frame(struct scene *s, const struct frame *f, uint32_t flags)
{
    const weft_frame_desc desc = {.surface = f->surface, .flags = flags, .label = "frame"};
    weft_frame *frame;
    const weft_result begun = weft_frame_begin(s->dev, &desc, &frame);
    if (begun < 0)
        return scene_ok(s, begun);
    const weft_target offscreen = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .depth_format = WEFT_FORMAT_D32_FLOAT,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .samples = 4});
    draw_mesh(frame, offscreen, f->material);
    draw_quads(frame, offscreen);
    const weft_frame_report *report;
    return scene_ok(s, weft_frame_submit(frame, &report));
}

void scene_frame(struct scene *s)
{
    struct frame f = {0};
    uint8_t pixels[SIDE][SIDE][4];
    if (make(s, &f) && draw_frame(s, &f, WEFT_FRAME_CHECK) &&
        draw_frame(s, &f, WEFT_FRAME_GPU_TIMES))
        scene_ok(s, weft_surface_read(s->dev, f.surface, pixels, sizeof pixels));
    weft_material_destroy(s->dev, f.material);
    weft_graphics_pipeline_destroy(s->dev, f.pipeline);
    weft_shader_destroy(s->dev, f.vertex);
    weft_shader_destroy(s->dev, f.fragment);
    weft_surface_destroy(s->dev, f.surface);
}
