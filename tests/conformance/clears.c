// Clears: each attachment by itself, in numbers of its format's class.
#include "cases.h"
#include "draw.h"

#include <string.h>

enum { SIZE = 4 };

static void clear(struct conform *c, weft_texture texture, weft_clear_color value)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, texture),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = value}}));
    conform_submit(c, cmd);
}

/// Numbers that every format of the class holds: floats of 5 mantissa bits, integers of 2 or 7.
static weft_clear_color color_for(weft_sample_class class, double out[4])
{
    static const weft_clear_color colors[] = {
        {.f = {0.25F, 0.5F, 0.75F, 1}}, {.u = {1, 2, 3, 3}}, {.i = {-1, -128, 127, -3}}};
    const uint32_t kind = class == WEFT_SAMPLE_CLASS_UINT   ? 1
                          : class == WEFT_SAMPLE_CLASS_SINT ? 2
                                                            : 0;
    for (uint32_t i = 0; i < 4; i++) {
        const double numbers[] = {colors[0].f[i], colors[1].u[i], colors[2].i[i]};
        out[i] = numbers[kind];
    }
    return colors[kind];
}

/// Floats and integers are exact; normalised numbers are rounded to the nearest step, which may be
/// missed by a tenth of one (as in Direct3D's rule). The coarsest are snorm8 and the steepest part
/// of sRGB, where one step of the code is 2.4 / 1.055 as much light.
static double tolerance_of(weft_format format)
{
    const weft_format_info *info = weft_format_get_info(format);
    if (info->srgb)
        return 0.6 / 255 * 2.4 / 1.055;
    return strstr(info->name, "norm") ? 0.6 / 127 : 0;
}

void case_clear_formats(struct conform *c)
{
    for (weft_format format = 1; format < WEFT_FORMAT_COUNT; format++) {
        const weft_format_info *info = weft_format_get_info(format);
        if (!(conform_capabilities(c)->formats[format] & WEFT_FORMAT_CAN_RENDER) ||
            !(conform_capabilities(c)->formats[format] & WEFT_FORMAT_CAN_COPY))
            continue;
        double expected[4];
        const weft_clear_color value = color_for(info->sample_class, expected);
        for (uint32_t i = info->components; i < 4; i++)
            expected[i] = i == 3;
        const weft_texture target = conform_target(c, format, SIZE, SIZE);
        clear(c, target, value);
        conform_expect_color(c, target, expected, tolerance_of(format));
    }
}

/// None of these is a 32-bit float.
void case_clear_integer_bits(struct conform *c)
{
    const weft_texture u = conform_target(c, WEFT_FORMAT_RGBA32_UINT, SIZE, SIZE);
    clear(c, u, (weft_clear_color){.u = {UINT32_MAX, 0x80000001, 0x01234567, 16777217}});
    conform_expect_color(c, u, (const double[4]){UINT32_MAX, 0x80000001, 0x01234567, 16777217}, 0);
    const weft_texture s = conform_target(c, WEFT_FORMAT_RGBA32_SINT, SIZE, SIZE);
    clear(c, s, (weft_clear_color){.i = {INT32_MIN, INT32_MAX, -16777217, 33554435}});
    conform_expect_color(c, s, (const double[4]){INT32_MIN, INT32_MAX, -16777217, 33554435}, 0);
}

static void clear_depth_stencil(struct conform *c, weft_texture texture, float depth,
                                uint32_t stencil)
{
    weft_texture_desc desc;
    CONFORM_EXPECT(c, weft_texture_get_desc(conform_device(c), texture, &desc));
    const weft_aspect_set aspects = weft_format_get_info(desc.format)->aspects;
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(weft_command_begin_render(
        cmd,
        &(weft_render_pass_desc){
            .depth_stencil = conform_view(c, texture),
            .depth_load = aspects & WEFT_ASPECT_DEPTH ? WEFT_LOAD_CLEAR : WEFT_LOAD_UNSPECIFIED,
            .stencil_load = aspects & WEFT_ASPECT_STENCIL ? WEFT_LOAD_CLEAR : WEFT_LOAD_UNSPECIFIED,
            .clear_depth = depth,
            .clear_stencil = stencil}));
    conform_submit(c, cmd);
}

static struct conform_texel number(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return (struct conform_texel){{*(const double *)user, 0, 0, 1}};
}

static void expect_aspect(struct conform *c, weft_texture texture, weft_aspect_set aspect,
                          double value, double tolerance)
{
    conform_expect_texels(c, texture, &(weft_texture_region){.aspect = aspect}, number, &value,
                          tolerance);
}

/// 16 bits hold it to half a step and a tenth; 32-bit floats hold it.
void case_clear_depth(struct conform *c)
{
    static const float values[] = {0, 0.3F, 1};
    for (uint32_t i = 0; i < 3; i++) {
        const weft_texture d16 = conform_target(c, WEFT_FORMAT_D16_UNORM, SIZE, SIZE);
        clear_depth_stencil(c, d16, values[i], 0);
        expect_aspect(c, d16, WEFT_ASPECT_DEPTH, values[i], 0.6 / 65535);
        const weft_texture d32 = conform_target(c, WEFT_FORMAT_D32_FLOAT, SIZE, SIZE);
        clear_depth_stencil(c, d32, values[i], 0);
        expect_aspect(c, d32, WEFT_ASPECT_DEPTH, values[i], 0);
    }
}

void case_clear_stencil(struct conform *c)
{
    static const weft_format formats[] = {WEFT_FORMAT_S8_UINT, WEFT_FORMAT_D24_UNORM_S8_UINT,
                                          WEFT_FORMAT_D32_FLOAT_S8_UINT};
    for (uint32_t i = 0; i < 3; i++) {
        if (!(conform_capabilities(c)->formats[formats[i]] & WEFT_FORMAT_CAN_DEPTH_STENCIL))
            continue;
        const weft_texture target = conform_target(c, formats[i], SIZE, SIZE);
        clear_depth_stencil(c, target, 0.5F, 0xa5);
        expect_aspect(c, target, WEFT_ASPECT_STENCIL, 0xa5, 0);
        clear_depth_stencil(c, target, 0.5F, 0xff);
        expect_aspect(c, target, WEFT_ASPECT_STENCIL, 0xff, 0);
    }
}

/// One aspect is cleared, the other loaded.
void case_clear_aspects_apart(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_D32_FLOAT_S8_UINT, WEFT_FORMAT_CAN_DEPTH_STENCIL);
    const weft_texture target = conform_target(c, WEFT_FORMAT_D32_FLOAT_S8_UINT, SIZE, SIZE);
    const weft_texture_view view = conform_view(c, target);
    clear_depth_stencil(c, target, 0.25F, 7);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(
        weft_command_begin_render(cmd, &(weft_render_pass_desc){.depth_stencil = view,
                                                                .depth_load = WEFT_LOAD_LOAD,
                                                                .stencil_load = WEFT_LOAD_CLEAR,
                                                                .clear_depth = 1,
                                                                .clear_stencil = 9}));
    conform_submit(c, cmd);
    expect_aspect(c, target, WEFT_ASPECT_DEPTH, 0.25, 0);
    expect_aspect(c, target, WEFT_ASPECT_STENCIL, 9, 0);
    cmd = conform_begin(c);
    weft_render_end(
        weft_command_begin_render(cmd, &(weft_render_pass_desc){.depth_stencil = view,
                                                                .depth_load = WEFT_LOAD_CLEAR,
                                                                .stencil_load = WEFT_LOAD_LOAD,
                                                                .clear_depth = 0.75F,
                                                                .clear_stencil = 1}));
    conform_submit(c, cmd);
    expect_aspect(c, target, WEFT_ASPECT_DEPTH, 0.75, 0);
    expect_aspect(c, target, WEFT_ASPECT_STENCIL, 9, 0);
}

/// Color 0 is cleared again while color 1 is loaded.
void case_clear_attachments_apart(struct conform *c)
{
    weft_texture targets[2];
    weft_render_pass_desc pass = {0};
    for (uint32_t i = 0; i < 2; i++) {
        targets[i] = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
        pass.colors[i] =
            (weft_color_attachment){.view = conform_view(c, targets[i]),
                                    .load = WEFT_LOAD_CLEAR,
                                    .clear = {.f = {i == 0 ? 1 : 0, i == 1 ? 1 : 0, 0, 1}}};
    }
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(weft_command_begin_render(cmd, &pass));
    conform_barrier(cmd);
    pass.colors[0].clear = (weft_clear_color){.f = {0, 0, 1, 0}};
    pass.colors[1].load = WEFT_LOAD_LOAD;
    pass.colors[1].clear = (weft_clear_color){.f = {1, 1, 1, 1}};
    weft_render_end(weft_command_begin_render(cmd, &pass));
    conform_submit(c, cmd);
    conform_expect_color(c, targets[0], (const double[4]){0, 0, 1, 0}, 0);
    conform_expect_color(c, targets[1], (const double[4]){0, 1, 0, 1}, 0);
}
