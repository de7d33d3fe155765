// Memory that a frame hands out: each frame draws from its own, whatever the slots.
#include "cases.h"

#include <string.h>

#include "frame_vertex.frag.spv.h"
#include "frame_vertex.vert.spv.h"

enum { FRAMES = 7, HEIGHT = 4 };

struct vertex {
    float position[2], color[4];
};

static weft_material material(struct conform *c)
{
    static const weft_vertex_stream stream = {.slot = 0, .stride = sizeof(struct vertex)};
    static const weft_vertex_attribute attributes[] = {
        {.location = 0, .slot = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
        {.location = 1, .slot = 0, .offset = 8, .format = WEFT_VERTEX_FORMAT_FLOAT32X4}};
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = CONFORM_SHADER(c, frame_vertex_vert)},
        .fragment = {.shader = CONFORM_SHADER(c, frame_vertex_frag)},
        .streams = &stream,
        .stream_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
        .colors = {WEFT_FORMAT_RGBA8_UNORM}};
    weft_material out;
    weft_material_create(conform_device(c),
                         &(weft_material_desc){.pipeline = conform_pipeline(c, &desc),
                                               .transform_offset = WEFT_NO_TRANSFORM},
                         &out);
    conform_check(c);
    return out;
}

static struct conform_texel shade(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    return (struct conform_texel){{(20 * x + 10) / 255.0, 1 - x / 51.0, 0.2, 1}};
}

/// Six vertices of column `x` of the target.
static void fill_column(struct vertex out[6], uint32_t x)
{
    const struct conform_texel color = shade(NULL, x, 0, 0);
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t corner = (const uint32_t[6]){0, 1, 2, 2, 1, 3}[i];
        out[i].position[0] = (float)(x + (corner & 1)) * 2 / FRAMES - 1;
        out[i].position[1] = corner & 2 ? 1 : -1;
        for (uint32_t k = 0; k < 4; k++)
            out[i].color[k] = (float)color.v[k];
    }
}

void case_transient_of_frames(struct conform *c)
{
    const weft_material columns = material(c);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, FRAMES, HEIGHT);
    const weft_texture_view view = conform_view(c, target);
    for (uint32_t i = 0; i < FRAMES; i++) {
        weft_frame *frame;
        weft_frame_begin(conform_device(c), &(weft_frame_desc){.flags = WEFT_FRAME_CHECK}, &frame);
        conform_check(c);
        const weft_transient piece = weft_frame_alloc(frame, sizeof(struct vertex[6]), 0);
        conform_check(c);
        fill_column(piece.cpu, i);
        const weft_target offscreen =
            weft_frame_offscreen_target(frame, &(weft_target_desc){.colors = {view}});
        const weft_target pass = weft_frame_target_begin(
            frame, offscreen, &(weft_target_ops){.load = i ? WEFT_LOAD_LOAD : WEFT_LOAD_CLEAR});
        const weft_stream_view stream = {.buffer = piece.buffer, .offset = piece.offset};
        weft_frame_draw(
            frame,
            &(weft_draw_packet){.material = columns,
                                .geometry = {.streams = &stream, .stream_count = 1, .count = 6}});
        weft_frame_target_end(frame, pass);
        weft_frame_submit(frame, NULL);
        conform_check(c);
    }
    conform_expect_texels(c, target, NULL, shade, NULL, 0.51 / 255);
}
