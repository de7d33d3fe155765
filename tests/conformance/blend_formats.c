// Blending and write masks in every format that can.
#include "cases.h"
#include "draw.h"

#include "flat_int.frag.spv.h"
#include "flat_uint.frag.spv.h"

#include <math.h>
#include <string.h>

enum { SIZE = 4 };

/// One step of the coarsest component around the largest value: fixed-point formats by their bits,
/// sRGB by its steepest part, floats by their mantissas (numbers here need less: exact).
static double step_of(weft_format format)
{
    const weft_format_info *info = weft_format_get_info(format);
    if (info->srgb)
        return 1.0 / 255 * 2.4 / 1.055;
    if (strstr(info->name, "float"))
        return 0;
    return strstr(info->name, "snorm") ? 1.0 / 127 : strstr(info->name, "a2") ? 1.0 / 3 : 1.0 / 255;
}

static void only_components(weft_format format, double color[4])
{
    for (uint32_t i = weft_format_get_info(format)->components; i < 4; i++)
        color[i] = i == 3;
}

/// 0.25 under, 0.5 over: 0.5 × 0.5 + 0.25 × 2 = 0.75 in red; every component differs.
void case_blend_every_format(struct conform *c)
{
    const weft_pipeline_state state = {
        .blend.targets[0] = {.enable = true,
                             .color = {WEFT_BLEND_CONSTANT, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                             .alpha = {WEFT_BLEND_ZERO, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}}};
    for (weft_format format = 1; format < WEFT_FORMAT_COUNT; format++) {
        const weft_format_caps caps = conform_capabilities(c)->formats[format];
        if (!(caps & WEFT_FORMAT_CAN_BLEND) || !(caps & WEFT_FORMAT_CAN_RENDER) ||
            !(caps & WEFT_FORMAT_CAN_COPY))
            continue;
        const weft_texture target = conform_target(c, format, SIZE, SIZE);
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target),
                                                      (const float[4]){0.25F, 0.5F, 0.125F, 1});
        weft_render_set_pipeline(enc, conform_rect_pipeline(c, format, WEFT_FORMAT_NONE, &state));
        weft_render_set_blend_constant(enc, (const float[4]){0.5F, 0.25F, 1, 1});
        conform_fill(enc, 0, (const float[4]){1, 0.5F, 0.5F, 0.5F});
        weft_render_end(enc);
        conform_submit(c, cmd);
        double expected[4] = {0.75, 0.625, 0.625, 1};
        only_components(format, expected);
        conform_expect_color(c, target, expected, step_of(format));
    }
}

/// Numbers that every format of a class holds, as bits: under and over.
static void colors_for(weft_sample_class class, uint32_t bits[2][4], double numbers[2][4])
{
    static const float floats[2][4] = {{0, 1, 0, 1}, {1, 0, 1, 0}};
    static const uint32_t integers[2][4] = {{1, 2, 3, 1}, {3, 1, 2, 2}};
    const bool is_float = class == WEFT_SAMPLE_CLASS_FLOAT;
    memcpy(bits, is_float ? (const void *)floats : integers, sizeof floats);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 4; k++)
            numbers[i][k] = is_float ? (double)floats[i][k] : (double)integers[i][k];
}

static weft_graphics_pipeline masked_pipeline(struct conform *c, weft_format format, uint32_t mask)
{
    const weft_pipeline_state state = {.blend.targets[0].mask = mask};
    weft_graphics_pipeline_desc desc = {.colors = {format}, .states = &state, .state_count = 1};
    conform_rect_shaders(c, &desc);
    if (weft_format_get_info(format)->sample_class == WEFT_SAMPLE_CLASS_UINT)
        desc.fragment.shader = CONFORM_SHADER(c, flat_uint_frag);
    if (weft_format_get_info(format)->sample_class == WEFT_SAMPLE_CLASS_SINT)
        desc.fragment.shader = CONFORM_SHADER(c, flat_int_frag);
    return conform_pipeline(c, &desc);
}

static void check_mask(struct conform *c, weft_format format, uint32_t mask)
{
    uint32_t bits[2][4];
    double numbers[2][4], expected[4];
    float over[4];
    colors_for(weft_format_get_info(format)->sample_class, bits, numbers);
    memcpy(over, bits[1], sizeof over);
    const weft_texture target = conform_target(c, format, SIZE, SIZE);
    weft_render_pass_desc pass = {
        .colors[0] = {.view = conform_view(c, target), .load = WEFT_LOAD_CLEAR}};
    memcpy(&pass.colors[0].clear, bits[0], sizeof bits[0]);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, masked_pipeline(c, format, mask));
    conform_fill(enc, 0, over);
    weft_render_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < 4; i++)
        expected[i] = numbers[mask >> i & 1][i];
    only_components(format, expected);
    conform_expect_color(c, target, expected, 0);
}

/// Also where components share bytes: what is masked keeps its bits.
void case_blend_masks_of_every_format(struct conform *c)
{
    static const uint32_t masks[] = {WEFT_COLOR_MASK_R, WEFT_COLOR_MASK_G,
                                     WEFT_COLOR_MASK_B | WEFT_COLOR_MASK_A};
    for (weft_format format = 1; format < WEFT_FORMAT_COUNT; format++) {
        const weft_format_caps caps = conform_capabilities(c)->formats[format];
        if (!(caps & WEFT_FORMAT_CAN_RENDER) || !(caps & WEFT_FORMAT_CAN_COPY))
            continue;
        for (uint32_t i = 0; i < 3; i++)
            check_mask(c, format, masks[i]);
    }
}

static weft_texture blend_once(struct conform *c, weft_format format, const float under[4],
                               const float over[4], const float constant[4])
{
    const weft_pipeline_state state = {
        .blend.targets[0] = {.enable = true,
                             .color = {WEFT_BLEND_CONSTANT, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                             .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ZERO, WEFT_BLEND_OP_ADD}}};
    const weft_texture target = conform_target(c, format, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), under);
    weft_render_set_pipeline(enc, conform_rect_pipeline(c, format, WEFT_FORMAT_NONE, &state));
    weft_render_set_blend_constant(enc, constant);
    conform_fill(enc, 0, over);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// Fixed-point targets clamp source and constant before they blend: 2 counts as 1, 3 as 1,
/// and -1 as 0. snorm clamps at -1 and 1.
void case_blend_clamps_its_inputs(struct conform *c)
{
    conform_expect_color(c,
                         blend_once(c, WEFT_FORMAT_RGBA8_UNORM, (const float[4]){0, 0.2F, 0.4F, 0},
                                    (const float[4]){2, 0.4F, -1, 7},
                                    (const float[4]){0.4F, 3, 0.5F, 1}),
                         (const double[4]){0.4, 0.6, 0.4, 1}, 1.0 / 255);
    conform_need_format(c, WEFT_FORMAT_RGBA8_SNORM, WEFT_FORMAT_CAN_BLEND);
    conform_expect_color(c,
                         blend_once(c, WEFT_FORMAT_RGBA8_SNORM, (const float[4]){0, 0.5F, 0, 0},
                                    (const float[4]){-3, -0.5F, 0.5F, -9},
                                    (const float[4]){0.5F, 0.5F, -2, 1}),
                         (const double[4]){-0.5, 0.25, -0.5, -1}, 1.5 / 127);
}
