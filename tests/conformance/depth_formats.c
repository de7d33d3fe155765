// Depth formats: each holds depth to its step. Read by sampling, as 24 bits are not copied.
#include "cases.h"
#include "draw.h"
#include "probe.h"

#include <math.h>

#include "fetch.frag.spv.h"
#include "sample_2d.comp.spv.h"

enum { WIDTH = 16, HEIGHT = 2 };

/// Awkward depths, and both ends.
static float depth_of(uint32_t x)
{
    return x == WIDTH - 1 ? 1.0F : (float)x / 15.7F;
}

static struct conform_texel expected(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    return (struct conform_texel){{depth_of(x), 0, 0, 1}};
}

static void write_depths(struct conform *c, weft_command_buffer *cmd, weft_format format,
                         weft_texture_view view)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}};
    const bool stencil = weft_format_get_info(format)->aspects & WEFT_ASPECT_STENCIL;
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.depth_stencil = view,
                                      .depth_load = WEFT_LOAD_CLEAR,
                                      .stencil_load = stencil ? WEFT_LOAD_CLEAR : 0});
    weft_graphics_pipeline_desc desc = {
        .depth_stencil = format, .states = &state, .state_count = 1};
    conform_rect_shaders(c, &desc);
    desc.fragment = (weft_shader_use){0};
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    for (int32_t x = 0; x < WIDTH; x++)
        conform_draw_rect(enc, &(weft_rect){x, 0, 1, HEIGHT}, WIDTH, HEIGHT, depth_of((uint32_t)x),
                          conform_white);
    weft_render_end(enc);
}

/// Samples the depth into red of a float target.
static weft_texture sample_depths(struct conform *c, weft_command_buffer *cmd,
                                  weft_texture_view view)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_R32_FLOAT, WIDTH, HEIGHT);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_R32_FLOAT}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, fetch_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(
        enc, 0,
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.view = view}, 1),
        NULL, 0);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    return target;
}

/// Half a step of `bits` (and a tenth), or what arithmetic in 24-bit floats may lose.
static void holds(struct conform *c, weft_format format, uint32_t bits)
{
    const double step = 1.0 / (double)((UINT32_C(1) << bits) - 1), arithmetic = 1.0 / (1 << 23);
    conform_need_format(c, format, WEFT_FORMAT_CAN_DEPTH_STENCIL | WEFT_FORMAT_CAN_SAMPLE);
    conform_need_format(c, WEFT_FORMAT_R32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    const weft_texture depth = conform_target(c, format, WIDTH, HEIGHT);
    weft_command_buffer *cmd = conform_begin(c);
    write_depths(c, cmd, format, conform_view(c, depth));
    conform_barrier(cmd);
    const weft_texture_view sampled = conform_view_of(
        c, &(weft_texture_view_desc){.texture = depth, .aspect = WEFT_ASPECT_DEPTH});
    const weft_texture target = sample_depths(c, cmd, sampled);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, expected, NULL, 0.6 * step + arithmetic);
}

void case_depth_format_d16(struct conform *c)
{
    holds(c, WEFT_FORMAT_D16_UNORM, 16);
}

void case_depth_format_d24(struct conform *c)
{
    holds(c, WEFT_FORMAT_D24_UNORM, 24);
}

void case_depth_format_d24_s8(struct conform *c)
{
    holds(c, WEFT_FORMAT_D24_UNORM_S8_UINT, 24);
}

void case_depth_format_d32(struct conform *c)
{
    holds(c, WEFT_FORMAT_D32_FLOAT, 24);
}

void case_depth_format_d32_s8(struct conform *c)
{
    holds(c, WEFT_FORMAT_D32_FLOAT_S8_UINT, 24);
}

/// Between two texels, one after the other.
static void expect_between(struct conform *c, weft_format format, struct conform_probed *probed)
{
    const weft_texture depth = conform_target(c, format, WIDTH, HEIGHT);
    weft_command_buffer *cmd = conform_begin(c);
    write_depths(c, cmd, format, conform_view(c, depth));
    conform_submit(c, cmd);
    probed->view = conform_view_of(
        c, &(weft_texture_view_desc){.texture = depth, .aspect = WEFT_ASPECT_DEPTH});
    struct conform_probe probes[WIDTH - 1];
    float got[WIDTH - 1][4];
    for (uint32_t x = 0; x + 1 < WIDTH; x++)
        probes[x] = (struct conform_probe){.at = {((float)x + 1.25f) / WIDTH, 0.5f}};
    if (!conform_probe(c, probed, probes, WIDTH - 1, got))
        return;
    for (uint32_t x = 0; x + 1 < WIDTH; x++) {
        const double want = 0.25 * depth_of(x) + 0.75 * depth_of(x + 1);
        if (!(fabs(got[x][0] - want) <= 1.0 / 256)) // weights of 8 bits
            conform_fail(c, "%s: between texels %u and %u is %.9g, not %.9g",
                         weft_format_get_info(format)->name, x, x + 1, got[x][0], want);
    }
}

void case_depth_format_linear(struct conform *c)
{
    const weft_format_caps needed =
        WEFT_FORMAT_CAN_DEPTH_STENCIL | WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_FILTER;
    struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
        .sampler = conform_sampler(c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                           .min = WEFT_FILTER_LINEAR,
                                                           .u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                                           .v = WEFT_ADDRESS_CLAMP_TO_EDGE})};
    uint32_t tried = 0;
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++) {
        if (!(weft_format_get_info(f)->aspects & WEFT_ASPECT_DEPTH) ||
            (conform_capabilities(c)->formats[f] & needed) != needed)
            continue;
        tried++;
        expect_between(c, f, &probed);
    }
    if (tried == 0)
        conform_refuse(c, "no depth is filtered");
}
