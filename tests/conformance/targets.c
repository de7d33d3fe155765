// Several color targets in one pass: eight of them, formats of every class, gaps.
#include "cases.h"
#include "draw.h"

#include "eight.frag.spv.h"
#include "gaps.frag.spv.h"
#include "mixed.frag.spv.h"
#include "two.frag.spv.h"

enum { SIZE = 4 };

/// Draws a full rectangle with `fragment` into targets of those formats, cleared to 0.
static void draw(struct conform *c, const weft_format formats[8], weft_shader fragment,
                 weft_texture targets[8])
{
    weft_graphics_pipeline_desc desc = {0};
    weft_render_pass_desc pass = {0};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = fragment;
    for (uint32_t i = 0; i < 8; i++) {
        desc.colors[i] = formats[i];
        if (formats[i] == WEFT_FORMAT_NONE)
            continue;
        conform_need_format(c, formats[i], WEFT_FORMAT_CAN_RENDER);
        if (i >= conform_capabilities(c)->limits.max_color_targets)
            conform_refuse(c, "max_color_targets is %u",
                           conform_capabilities(c)->limits.max_color_targets);
        targets[i] = conform_target(c, formats[i], SIZE, SIZE);
        pass.colors[i] =
            (weft_color_attachment){.view = conform_view(c, targets[i]), .load = WEFT_LOAD_CLEAR};
    }
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
}

/// Each has its own number and format; within a step of the format, 5 mantissa bits hold eighths.
void case_targets_eight(struct conform *c)
{
    static const weft_format formats[8] = {WEFT_FORMAT_RGBA8_UNORM,  WEFT_FORMAT_R8_UNORM,
                                           WEFT_FORMAT_BGRA8_UNORM,  WEFT_FORMAT_RG8_UNORM,
                                           WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_R32_FLOAT,
                                           WEFT_FORMAT_RG16_FLOAT,   WEFT_FORMAT_RGBA8_UNORM};
    weft_texture targets[8];
    draw(c, formats, CONFORM_SHADER(c, eight_frag), targets);
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t components = weft_format_get_info(formats[i])->components;
        const double v = i / 8.0;
        conform_expect_color(
            c, targets[i],
            (const double[4]){v, components > 1 ? 1 - v : 0, components > 2 ? i & 1 : 0, 1},
            0.6 / 255);
    }
}

void case_targets_classes(struct conform *c)
{
    static const weft_format formats[8] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA32_UINT,
                                           WEFT_FORMAT_RGBA16_SINT, WEFT_FORMAT_RGBA16_FLOAT};
    weft_texture targets[8];
    draw(c, formats, CONFORM_SHADER(c, mixed_frag), targets);
    conform_expect_color(c, targets[0], (const double[4]){0.2, 0.4, 0.6, 0.8}, 0.6 / 255);
    conform_expect_color(c, targets[1], (const double[4]){1, 2, 300, UINT32_MAX}, 0);
    conform_expect_color(c, targets[2], (const double[4]){-1, 2, -300, 4}, 0);
    conform_expect_color(c, targets[3], (const double[4]){1000, -0.5, 2, 3}, 0);
}

/// Slots 0 and 2 are empty.
void case_targets_gaps(struct conform *c)
{
    static const weft_format formats[8] = {WEFT_FORMAT_NONE, WEFT_FORMAT_RGBA8_UNORM,
                                           WEFT_FORMAT_NONE, WEFT_FORMAT_RGBA8_UNORM};
    weft_texture targets[8];
    draw(c, formats, CONFORM_SHADER(c, gaps_frag), targets);
    conform_expect_color(c, targets[1], (const double[4]){1, 0, 0, 1}, 0);
    conform_expect_color(c, targets[3], (const double[4]){0, 0, 1, 1}, 0);
}

/// An output of the shader that has no target is dropped.
void case_targets_surplus_output(struct conform *c)
{
    static const weft_format formats[8] = {WEFT_FORMAT_RGBA8_UNORM};
    weft_texture targets[8];
    draw(c, formats, CONFORM_SHADER(c, two_frag), targets);
    conform_expect_color(c, targets[0], (const double[4]){1, 1, 1, 1}, 0);
}
