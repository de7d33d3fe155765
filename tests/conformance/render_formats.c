// Every format that renders: a color drawn and a color cleared are the right bytes in order.
#include "cases.h"
#include "texel.h"

#include <string.h>

#include "flat_int.frag.spv.h"
#include "flat_uint.frag.spv.h"

enum { WIDTH = 5, HEIGHT = 3, SPLIT = 2 };

/// Two colors as the format takes them: bits of floats or integers.
struct colors {
    uint32_t drawn[4], cleared[4];
};

/// Left of SPLIT drawn, right of it cleared.
static weft_texture render(struct conform *c, weft_format format, const struct colors *colors)
{
    weft_graphics_pipeline_desc desc = {.colors = {format}};
    conform_rect_shaders(c, &desc);
    const weft_sample_class sampled = weft_format_get_info(format)->sample_class;
    if (sampled == WEFT_SAMPLE_CLASS_UINT)
        desc.fragment.shader = CONFORM_SHADER(c, flat_uint_frag);
    if (sampled == WEFT_SAMPLE_CLASS_SINT)
        desc.fragment.shader = CONFORM_SHADER(c, flat_int_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, format, WIDTH, HEIGHT);
    weft_render_pass_desc pass = {
        .colors[0] = {.view = conform_view(c, target), .load = WEFT_LOAD_CLEAR}};
    memcpy(&pass.colors[0].clear, colors->cleared, sizeof colors->cleared);
    float drawn[4];
    memcpy(drawn, colors->drawn, sizeof drawn);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, pipeline);
    conform_draw_rect(enc, &(weft_rect){0, 0, SPLIT, HEIGHT}, WIDTH, HEIGHT, 0, drawn);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

static void set_floats(uint32_t out[4], const double color[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        const float value = (float)color[i];
        memcpy(&out[i], &value, sizeof value);
    }
}

// ---- bytes -------------------------------------------------------------------------------------

/// 8-bit formats, byte by byte: the color is the middle of what rounds to them.
static void expect_bytes(struct conform *c, weft_format format, bool blue_first)
{
    static const uint8_t drawn[4] = {51, 102, 204, 153}, cleared[4] = {255, 17, 68, 34};
    double colors[2][4];
    for (uint32_t i = 0; i < 8; i++) {
        const double value = (i < 4 ? drawn : cleared)[i % 4] / 255.0;
        colors[i / 4][i % 4] =
            i % 4 < 3 && weft_format_get_info(format)->srgb ? conform_srgb_decode(value) : value;
    }
    conform_need_format(c, format, WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_COPY);
    struct colors bits;
    set_floats(bits.drawn, colors[0]);
    set_floats(bits.cleared, colors[1]);
    const weft_texture target = render(c, format, &bits);
    uint8_t got[HEIGHT][WIDTH][4];
    weft_texture_read(conform_device(c), target, NULL, got, sizeof got, NULL);
    conform_check(c);
    for (uint32_t i = 0; conform_draws(c) && i < WIDTH * HEIGHT * 4; i++) {
        const uint32_t x = i / 4 % WIDTH, k = i % 4;
        const uint8_t *want = x < SPLIT ? drawn : cleared;
        const uint8_t byte = want[blue_first && k < 3 ? 2 - k : k];
        if (got[i / 4 / WIDTH][x][k] != byte)
            conform_fail(c, "byte %u of texel %u is %u, not %u", k, x, got[i / 4 / WIDTH][x][k],
                         byte);
    }
}

void case_render_bytes_rgba(struct conform *c)
{
    expect_bytes(c, WEFT_FORMAT_RGBA8_UNORM, false);
}

void case_render_bytes_rgba_srgb(struct conform *c)
{
    expect_bytes(c, WEFT_FORMAT_RGBA8_UNORM_SRGB, false);
}

void case_render_bytes_bgra(struct conform *c)
{
    expect_bytes(c, WEFT_FORMAT_BGRA8_UNORM, true);
}

void case_render_bytes_bgra_srgb(struct conform *c)
{
    expect_bytes(c, WEFT_FORMAT_BGRA8_UNORM_SRGB, true);
}

// ---- all formats -------------------------------------------------------------------------------

struct halves {
    struct conform_texel drawn, cleared;
};

static struct conform_texel half_texel(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct halves *h = user;
    (void)y;
    (void)z;
    return x < SPLIT ? h->drawn : h->cleared;
}

/// Only the components that the format has.
static void set_want(weft_format format, const double color[4], struct conform_texel *out)
{
    *out = (struct conform_texel){{0, 0, 0, 1}};
    for (uint32_t i = 0; i < weft_format_get_info(format)->components; i++)
        out->v[i] = color[i];
}

static void expect_all(struct conform *c, weft_sample_class sampled, const double drawn[4],
                       const double cleared[4])
{
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info(f);
        const weft_format_caps needed = WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_COPY;
        if (info->aspects != WEFT_ASPECT_COLOR || info->sample_class != sampled ||
            (conform_capabilities(c)->formats[f] & needed) != needed)
            continue;
        struct colors colors;
        struct halves want;
        set_want(f, drawn, &want.drawn);
        set_want(f, cleared, &want.cleared);
        if (sampled == WEFT_SAMPLE_CLASS_FLOAT) {
            set_floats(colors.drawn, drawn);
            set_floats(colors.cleared, cleared);
        } else {
            for (uint32_t i = 0; i < 4; i++) {
                colors.drawn[i] = (uint32_t)(int32_t)drawn[i];
                colors.cleared[i] = (uint32_t)(int32_t)cleared[i];
            }
        }
        // half a step of the coarsest, 8 bits, in linear light
        conform_expect_texels(c, render(c, f, &colors), NULL, half_texel, &want,
                              sampled == WEFT_SAMPLE_CLASS_FLOAT ? 1.2 / 255 : 0);
    }
}

/// Numbers that formats with few bits hold; alpha is one, as two bits hold it.
void case_render_formats_float(struct conform *c)
{
    expect_all(c, WEFT_SAMPLE_CLASS_FLOAT, (const double[4]){0.25, 0.75, 0.5, 1},
               (const double[4]){0.875, 0, 0.375, 0});
}

void case_render_formats_uint(struct conform *c)
{
    expect_all(c, WEFT_SAMPLE_CLASS_UINT, (const double[4]){3, 255, 128, 2},
               (const double[4]){200, 0, 1, 3});
}

void case_render_formats_sint(struct conform *c)
{
    expect_all(c, WEFT_SAMPLE_CLASS_SINT, (const double[4]){-3, 127, -128, 2},
               (const double[4]){100, -1, 1, -100});
}
