// Subgroup operations in vertex and fragment shaders. Who shares a subgroup is not told there, so
// the shaders hold one operation against another; quads are where their texels are.
#include "cases.h"
#include "draw.h"

#include "subgroup_color.frag.spv.h"
#include "subgroup_helpers.frag.spv.h"
#include "subgroup_self.frag.spv.h"
#include "subgroup_self.vert.spv.h"

enum { SIZE = 16 };

static struct conform_texel inside(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const weft_rect *r = user;
    (void)z;
    const double v = (int32_t)x >= r->x && (int32_t)y >= r->y && x < (uint32_t)r->x + r->width &&
                     y < (uint32_t)r->y + r->height;
    return (struct conform_texel){{v, v, v, 1}};
}

void case_subgroups_fragment(struct conform *c)
{
    weft_rect rect = {1, 3, 13, 11}; // with quads of which a part is covered
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, subgroup_self_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const float color[4] = {(float)conform_capabilities(c)->limits.subgroup_size, 0, 0, 0};
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_draw_rect(enc, &rect, SIZE, SIZE, 0, color);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, inside, &rect, 0);
}

void case_subgroups_vertex(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        conform_pipeline(c, &(weft_graphics_pipeline_desc){
                                .vertex = {.shader = CONFORM_SHADER(c, subgroup_self_vert)},
                                .fragment = {.shader = CONFORM_SHADER(c, subgroup_color_frag)},
                                .colors = {WEFT_FORMAT_RGBA8_UNORM}});
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const uint32_t size = conform_capabilities(c)->limits.subgroup_size;
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_root(enc, 0, 0, &size, sizeof size);
    weft_render_draw(enc, 6, 64, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_color(c, target, (const double[4]){1, 1, 1, 1}, 0);
}

/// The texels of the rectangles that are drawn tell where those around them are, drawn or not.
static struct conform_texel neighbors(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const weft_rect *rects = user;
    bool drawn = false;
    (void)z;
    for (uint32_t i = 0; i < 5; i++)
        drawn |= inside((void *)&rects[i], x, y, 0).v[0] != 0;
    if (!drawn)
        return (struct conform_texel){{0, 0, 0, 1}};
    const double across = x ^ 1, down = 100 * (y ^ 1);
    return (struct conform_texel){
        {across + 100 * y, x + down, across + down, (double)(x | 1) + 100 * (double)(y & ~1u)}};
}

void case_subgroups_helpers(struct conform *c)
{
    // Single texels at each place of a quad, and a larger piece.
    weft_rect rects[5] = {{2, 2, 1, 1}, {7, 2, 1, 1}, {2, 7, 1, 1}, {7, 7, 1, 1}, {9, 9, 5, 6}};
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA32_FLOAT}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, subgroup_helpers_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    for (uint32_t i = 0; i < 5; i++)
        conform_draw_rect(enc, &rects[i], SIZE, SIZE, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, neighbors, rects, 0);
}
