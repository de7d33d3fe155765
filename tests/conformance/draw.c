// What the cases about drawing share.
#include "draw.h"

#include "internal.h"

#include "flat.frag.spv.h"
#include "rect.vert.spv.h"
#include "varying.frag.spv.h"
#include "vertex.vert.spv.h"

const float conform_black[4] = {0, 0, 0, 1}, conform_white[4] = {1, 1, 1, 1},
            conform_red[4] = {1, 0, 0, 1};

weft_buffer conform_vertices(struct conform *c, const struct conform_vertex *vertices,
                             uint32_t count)
{
    return conform_buffer(c, WEFT_BUFFER_USAGE_VERTEX, count * sizeof *vertices, vertices);
}

void conform_vertex_shaders(struct conform *c, weft_graphics_pipeline_desc *desc)
{
    static const weft_vertex_stream stream = {.stride = sizeof(struct conform_vertex)};
    static const weft_vertex_attribute attributes[] = {
        {.location = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X4},
        {.location = 1,
         .offset = offsetof(struct conform_vertex, color),
         .format = WEFT_VERTEX_FORMAT_FLOAT32X4},
    };
    desc->vertex.shader = CONFORM_SHADER(c, vertex_vert);
    desc->fragment.shader = CONFORM_SHADER(c, varying_frag);
    desc->streams = &stream;
    desc->stream_count = 1;
    desc->attributes = attributes;
    desc->attribute_count = 2;
}

weft_graphics_pipeline conform_rect_pipeline(struct conform *c, weft_format color,
                                             weft_format depth_stencil,
                                             const weft_pipeline_state *state)
{
    weft_graphics_pipeline_desc desc = {.colors = {color},
                                        .depth_stencil = depth_stencil,
                                        .states = state,
                                        .state_count = state ? 1 : 0};
    conform_rect_shaders(c, &desc);
    return conform_pipeline(c, &desc);
}

void conform_draw_clip_rect(weft_render_encoder *enc, const float rect[4], float depth,
                            const float color[4])
{
    const struct conform_rect_root root = {
        .rect = {rect[0], rect[1], rect[2], rect[3]},
        .depth = depth,
        .color = {color[0], color[1], color[2], color[3]},
    };
    weft_render_set_root(enc, 0, 0, &root, sizeof root);
    weft_render_draw(enc, 6, 1, 0, 0);
}

void conform_fill(weft_render_encoder *enc, float depth, const float color[4])
{
    conform_draw_clip_rect(enc, (const float[4]){-1, -1, 1, 1}, depth, color);
}

weft_format conform_depth_stencil_format(struct conform *c)
{
    const weft_format_caps caps = conform_capabilities(c)->formats[WEFT_FORMAT_D32_FLOAT_S8_UINT];
    return caps & WEFT_FORMAT_CAN_DEPTH_STENCIL ? WEFT_FORMAT_D32_FLOAT_S8_UINT
                                                : WEFT_FORMAT_D24_UNORM_S8_UINT;
}

bool conform_compares(weft_compare compare, double value, double stored)
{
    switch (compare) {
    case WEFT_COMPARE_NEVER:
        return false;
    case WEFT_COMPARE_LESS:
        return value < stored;
    case WEFT_COMPARE_EQUAL:
        return value == stored;
    case WEFT_COMPARE_LESS_EQUAL:
        return value <= stored;
    case WEFT_COMPARE_GREATER:
        return value > stored;
    case WEFT_COMPARE_NOT_EQUAL:
        return value != stored;
    case WEFT_COMPARE_GREATER_EQUAL:
        return value >= stored;
    default:
        return true;
    }
}

struct conform_texel conform_marked(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct conform_marks *marks = user;
    const double v = marks->at[y][x];
    (void)z;
    return (struct conform_texel){{v, v, v, 1}};
}

void conform_mark(struct conform_marks *marks, uint32_t x, uint32_t y, uint32_t width,
                  uint32_t height)
{
    for (uint32_t row = y; row < y + height; row++)
        for (uint32_t column = x; column < x + width; column++)
            marks->at[row][column] = true;
}

bool conform_read_texels(struct conform *c, weft_texture texture, void *data, size_t size)
{
    weft_texture_read(c->device, texture, &(weft_texture_region){0}, data, size, NULL);
    conform_check(c);
    if (!conform_draws(c))
        return false;
    conform_hash(c, data, size);
    return true;
}
