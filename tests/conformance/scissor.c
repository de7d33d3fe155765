// Scissor and viewport: what lies outside is not touched, and both may exceed the target.
#include "cases.h"

enum { WIDTH = 16, HEIGHT = 8 };

static const float black[4] = {0, 0, 0, 1}, white[4] = {1, 1, 1, 1};

/// White inside of a rectangle, black outside.
static struct conform_texel inside(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const weft_rect *r = user;
    (void)z;
    const int64_t left = r->x, top = r->y, px = x, py = y;
    const double v = px >= left && px < left + r->width && py >= top && py < top + r->height;
    return (struct conform_texel){{v, v, v, 1}};
}

static weft_graphics_pipeline rect_pipeline(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    return conform_pipeline(c, &desc);
}

/// Fills the whole viewport under a scissor.
static weft_texture draw(struct conform *c, const weft_viewport *viewport, const weft_rect *scissor)
{
    const weft_graphics_pipeline pipeline = rect_pipeline(c);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, HEIGHT);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), black);
    weft_render_set_pipeline(enc, pipeline);
    if (viewport)
        weft_render_set_viewport(enc, viewport);
    if (scissor)
        weft_render_set_scissor(enc, scissor);
    conform_draw_rect(enc, &(weft_rect){0, 0, WIDTH, HEIGHT}, WIDTH, HEIGHT, 0, white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

void case_scissor_inside(struct conform *c)
{
    weft_rect r = {3, 2, 5, 4};
    conform_expect_texels(c, draw(c, NULL, &r), NULL, inside, &r, 0);
}

void case_scissor_larger(struct conform *c)
{
    weft_rect r = {-100, -3, 1000, 8};
    conform_expect_texels(c, draw(c, NULL, &r), NULL, inside, &r, 0);
}

void case_scissor_empty(struct conform *c)
{
    weft_rect r = {4, 4, 0, 0};
    conform_expect_texels(c, draw(c, NULL, &r), NULL, inside, &r, 0);
}

void case_scissor_outside(struct conform *c)
{
    weft_rect r = {WIDTH, 0, 4, HEIGHT};
    conform_expect_texels(c, draw(c, NULL, &r), NULL, inside, &r, 0);
}

void case_viewport_part(struct conform *c)
{
    weft_rect r = {2, 1, 7, 5};
    conform_expect_texels(c, draw(c, &(weft_viewport){2, 1, 7, 5, 0, 1}, NULL), NULL, inside, &r,
                          0);
}

void case_viewport_larger(struct conform *c)
{
    weft_rect r = {-5, 3, 64, 64};
    conform_expect_texels(c, draw(c, &(weft_viewport){-5, 3, 64, 64, 0, 1}, NULL), NULL, inside, &r,
                          0);
}
