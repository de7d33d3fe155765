// Depth bias: o = slope_factor × m + constant_factor × r, clamped; m is the larger slope of depth
// per texel and r the smallest step of the format (Vulkan, "Depth Bias").
#include "cases.h"
#include "draw.h"

#include <math.h>

enum { SIZE = 16 };

/// A plane whose depth is `middle` + `slope` × texels to the right of the center.
struct plane {
    double middle, slope, offset;
};

static struct conform_texel biased(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct plane *p = user;
    (void)y;
    (void)z;
    return (struct conform_texel){
        {p->middle + p->slope * (x + 0.5 - SIZE / 2.0) + p->offset, 0, 0, 1}};
}

static weft_texture draw(struct conform *c, weft_format format, const struct plane *p,
                         const weft_raster_state *raster)
{
    const float near = (float)(p->middle - p->slope * SIZE / 2),
                far = (float)(p->middle + p->slope * SIZE / 2);
    const struct conform_vertex vertices[6] = {{{-1, -1, near, 1}, {0}}, {{1, -1, far, 1}, {0}},
                                               {{-1, 1, near, 1}, {0}},  {{-1, 1, near, 1}, {0}},
                                               {{1, -1, far, 1}, {0}},   {{1, 1, far, 1}, {0}}};
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}, .raster = *raster};
    weft_graphics_pipeline_desc desc = {
        .depth_stencil = format, .states = &state, .state_count = 1};
    conform_vertex_shaders(c, &desc);
    desc.fragment = (weft_shader_use){0};
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, format, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.depth_stencil = conform_view(c, target),
                                      .depth_load = WEFT_LOAD_CLEAR});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, 6), 0);
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// 16 bits: r = 2^-16, a thousand times; drivers may take up to twice as much ("r is at most
/// 2 x 2^-n").
void case_depth_bias_constant(struct conform *c)
{
    struct plane p = {.middle = 0.5, .offset = ldexp(1000, -16)};
    const weft_texture d16 =
        draw(c, WEFT_FORMAT_D16_UNORM, &p, &(weft_raster_state){.depth_bias = 1000});
    const double room = conform_exact(c) ? 0 : p.offset / 2;
    p.offset += room;
    conform_expect_texels(c, d16, NULL, biased, &p, room + 1.1 / 65535);
}

/// Floats: r = 2^(e - 23), e the exponent of the triangle's largest depth: -1 for 0.75.
void case_depth_bias_constant_float(struct conform *c)
{
    struct plane p = {.middle = 0.75, .offset = ldexp(-4096, -1 - 23)};
    const weft_texture d32 =
        draw(c, WEFT_FORMAT_D32_FLOAT, &p, &(weft_raster_state){.depth_bias = -4096});
    conform_expect_texels(c, d32, NULL, biased, &p, ldexp(1, -23));
}

/// Depth falls by 1/64 per texel: m is 1/64 although the slope is negative.
void case_depth_bias_slope(struct conform *c)
{
    struct plane p = {.middle = 0.5, .slope = -1.0 / 64, .offset = 4.0 / 64};
    const weft_texture d32 =
        draw(c, WEFT_FORMAT_D32_FLOAT, &p, &(weft_raster_state){.depth_bias_slope = 4});
    conform_expect_texels(c, d32, NULL, biased, &p, 1e-6);
}

/// The clamp bounds the whole offset: from above if positive, from below if negative.
void case_depth_bias_clamp(struct conform *c)
{
    struct plane up = {.middle = 0.5, .slope = 1.0 / 64, .offset = 0.03125};
    const weft_raster_state above = {.depth_bias_slope = 8, .depth_bias_clamp = 0.03125F};
    conform_expect_texels(c, draw(c, WEFT_FORMAT_D32_FLOAT, &up, &above), NULL, biased, &up, 1e-6);
    struct plane down = {.middle = 0.5, .slope = 1.0 / 64, .offset = -0.03125};
    const weft_raster_state below = {.depth_bias_slope = -8, .depth_bias_clamp = -0.03125F};
    conform_expect_texels(c, draw(c, WEFT_FORMAT_D32_FLOAT, &down, &below), NULL, biased, &down,
                          1e-6);
    struct plane within = {.middle = 0.5, .slope = 1.0 / 64, .offset = 1.0 / 64};
    const weft_raster_state loose = {.depth_bias_slope = 1, .depth_bias_clamp = 0.5F};
    conform_expect_texels(c, draw(c, WEFT_FORMAT_D32_FLOAT, &within, &loose), NULL, biased, &within,
                          1e-6);
}
