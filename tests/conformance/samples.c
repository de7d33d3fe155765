// What each sample has of its own: depth, stencil, and a mask from the shader; and resolves of
// formats that are not plain.
#include "cases.h"
#include "draw.h"

#include "mask_out.frag.spv.h"

enum { SIZE = 16 };

/// Vulkan's standard positions of four samples, in sixteenths of a texel.
static const uint8_t positions[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};

static weft_texture samples_of(struct conform *c, weft_format format)
{
    conform_need_format(c, format, WEFT_FORMAT_CAN_MSAA_4);
    return conform_texture(c, &(weft_texture_desc){.format = format,
                                                   .width = SIZE,
                                                   .height = SIZE,
                                                   .samples = 4,
                                                   .usage = WEFT_TEXTURE_USAGE_RENDER});
}

/// A pass on a color that is cleared to black and resolved into `resolved`, its samples dropped.
static weft_render_pass_desc pass_of(struct conform *c, weft_format format, weft_texture *resolved)
{
    conform_need_format(c, format, WEFT_FORMAT_CAN_RESOLVE);
    *resolved = conform_target(c, format, SIZE, SIZE);
    return (weft_render_pass_desc){.colors[0] = {.view = conform_view(c, samples_of(c, format)),
                                                 .resolve = conform_view(c, *resolved),
                                                 .load = WEFT_LOAD_CLEAR,
                                                 .store = WEFT_STORE_DISCARD,
                                                 .clear = {.f = {0, 0, 0, 1}}}};
}

static struct conform_texel in_front(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)z;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 4; i++)
        count += x + positions[i][0] / 16.0 + y + positions[i][1] / 16.0 < SIZE + 0.40625;
    const double v = count / 4.0;
    return (struct conform_texel){{v, v, v, 1}};
}

/// A slanted plane cuts a level one along x + y = 16 + 13/32: samples before it pass, each by
/// its own depth. No sample is nearer to the cut than 1/32.
void case_samples_depth(struct conform *c)
{
    // Depth 0.5 on the cut, 1/64 more for each texel of x + y.
    const float low = 0.5F - 16.40625F / 64, mid = low + 16.0F / 64, high = low + 32.0F / 64;
    const struct conform_vertex slanted[6] = {
        {{-1, 1, low, 1}, {1, 1, 1, 1}},  {{-1, -1, mid, 1}, {1, 1, 1, 1}},
        {{1, 1, mid, 1}, {1, 1, 1, 1}},   {{1, 1, mid, 1}, {1, 1, 1, 1}},
        {{-1, -1, mid, 1}, {1, 1, 1, 1}}, {{1, -1, high, 1}, {1, 1, 1, 1}}};
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true}};
    weft_texture resolved;
    weft_render_pass_desc pass = pass_of(c, WEFT_FORMAT_RGBA8_UNORM, &resolved);
    pass.depth_stencil = conform_view(c, samples_of(c, WEFT_FORMAT_D32_FLOAT));
    pass.depth_load = WEFT_LOAD_CLEAR;
    pass.clear_depth = 0.5F;
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                        .samples = 4,
                                        .states = &state,
                                        .state_count = 1};
    conform_vertex_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, slanted, 6), 0);
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, resolved, NULL, in_front, NULL, 1.0 / 255);
}

static weft_graphics_pipeline masked(struct conform *c, weft_format depth_stencil, uint32_t mask,
                                     const weft_pipeline_state *state)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .depth_stencil = depth_stencil,
                                        .samples = 4,
                                        .sample_mask = mask,
                                        .states = state,
                                        .state_count = 1};
    conform_rect_shaders(c, &desc);
    return conform_pipeline(c, &desc);
}

/// Three samples are marked in stencil, then all are drawn where there is no mark.
void case_samples_stencil(struct conform *c)
{
    const weft_pipeline_state mark = {.depth_stencil = {.stencil = true,
                                                        .front.pass = WEFT_STENCIL_REPLACE,
                                                        .back.pass = WEFT_STENCIL_REPLACE},
                                      .blend.targets[0].mask = WEFT_COLOR_MASK_NO_COLOR};
    const weft_pipeline_state test = {.depth_stencil = {.stencil = true,
                                                        .front.compare = WEFT_COMPARE_NOT_EQUAL,
                                                        .back.compare = WEFT_COMPARE_NOT_EQUAL}};
    const weft_format format = conform_depth_stencil_format(c);
    weft_texture resolved;
    weft_render_pass_desc pass = pass_of(c, WEFT_FORMAT_RGBA8_UNORM, &resolved);
    pass.depth_stencil = conform_view(c, samples_of(c, format));
    pass.depth_load = pass.stencil_load = WEFT_LOAD_CLEAR;
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_stencil_reference(enc, 3);
    weft_render_set_pipeline(enc, masked(c, format, 0xb, &mark));
    conform_fill(enc, 0, conform_white);
    weft_render_set_pipeline(enc, masked(c, format, 0, &test));
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_color(c, resolved, (const double[4]){0.25, 0.25, 0.25, 1}, 1.0 / 255);
}

static weft_texture resolve_of(struct conform *c, weft_format format, uint32_t mask,
                               const float color[4], weft_shader fragment)
{
    weft_texture resolved;
    const weft_render_pass_desc pass = pass_of(c, format, &resolved);
    weft_graphics_pipeline_desc desc = {.colors = {format}, .samples = 4, .sample_mask = mask};
    conform_rect_shaders(c, &desc);
    if (!weft_shader_is_none(fragment))
        desc.fragment.shader = fragment;
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, color);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return resolved;
}

/// The shader's mask and the pipeline's both hold: of samples 1 and 2 only the latter is left.
void case_samples_mask_of_the_shader(struct conform *c)
{
    const weft_shader fragment = CONFORM_SHADER(c, mask_out_frag);
    const weft_texture both = resolve_of(c, WEFT_FORMAT_RGBA8_UNORM, 0, conform_white, fragment);
    conform_expect_color(c, both, (const double[4]){0.5, 0.5, 0.5, 1}, 1.0 / 255);
    const weft_texture one = resolve_of(c, WEFT_FORMAT_RGBA8_UNORM, 0xd, conform_white, fragment);
    conform_expect_color(c, one, (const double[4]){0.25, 0.25, 0.25, 1}, 1.0 / 255);
}

/// sRGB is averaged as light (one step is up to 2.4 / 1.055 steps of light), floats beyond 1.
void case_samples_resolve_light_and_floats(struct conform *c)
{
    const weft_texture srgb =
        resolve_of(c, WEFT_FORMAT_RGBA8_UNORM_SRGB, 0x7, conform_white, (weft_shader){0});
    conform_expect_color(c, srgb, (const double[4]){0.75, 0.75, 0.75, 1}, 2.4 / 1.055 / 255);
    const weft_texture floats = resolve_of(c, WEFT_FORMAT_RGBA16_FLOAT, 0x1,
                                           (const float[4]){4000, -4, 1, 9}, (weft_shader){0});
    conform_expect_color(c, floats, (const double[4]){1000, -1, 0.25, 3}, 0);
}
