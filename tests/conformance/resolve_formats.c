// Resolves of every format and number of samples: the mean, in linear light; of integers sample 0.
#include "cases.h"
#include "draw.h"

#include "flat_int.frag.spv.h"
#include "flat_uint.frag.spv.h"

#include <math.h>
#include <string.h>

enum { SIZE = 4 };

/// One step of the coarsest component, which a mean between two steps may be off by half of.
static double step_of(const weft_format_info *info)
{
    if (info->srgb)
        return 1.0 / 255 * 2.4 / 1.055;
    if (strstr(info->name, "float"))
        return 2e-7; // the numbers here have few bits; a sum may be rounded
    return strstr(info->name, "snorm") ? 1.0 / 127 : strstr(info->name, "a2") ? 1.0 / 3 : 1.0 / 255;
}

/// A color as the root block has it for flat.frag, flat_uint.frag and flat_int.frag.
union color {
    float f[4];
    int32_t i[4];
    weft_clear_color clear;
};

static union color color_of(weft_sample_class sampled, const double numbers[4])
{
    union color out;
    for (uint32_t k = 0; k < 4; k++) {
        if (sampled == WEFT_SAMPLE_CLASS_FLOAT)
            out.f[k] = (float)numbers[k];
        else
            out.i[k] = (int32_t)numbers[k];
    }
    return out;
}

/// Under all samples, and over those of the mask.
struct halves {
    weft_format format;
    uint32_t samples, mask;
    const double *under, *over;
};

static weft_graphics_pipeline pipeline_of(struct conform *c, const struct halves *h)
{
    const weft_sample_class sampled = weft_format_get_info(h->format)->sample_class;
    weft_graphics_pipeline_desc desc = {
        .colors = {h->format}, .samples = h->samples, .sample_mask = h->mask};
    conform_rect_shaders(c, &desc);
    if (sampled == WEFT_SAMPLE_CLASS_UINT)
        desc.fragment.shader = CONFORM_SHADER(c, flat_uint_frag);
    if (sampled == WEFT_SAMPLE_CLASS_SINT)
        desc.fragment.shader = CONFORM_SHADER(c, flat_int_frag);
    return conform_pipeline(c, &desc);
}

static weft_texture resolve(struct conform *c, const struct halves *h)
{
    const weft_sample_class sampled = weft_format_get_info(h->format)->sample_class;
    const weft_texture samples =
        conform_texture(c, &(weft_texture_desc){.format = h->format,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .samples = h->samples,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    const weft_texture out = conform_target(c, h->format, SIZE, SIZE);
    const union color under = color_of(sampled, h->under), over = color_of(sampled, h->over);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, samples),
                                                    .resolve = conform_view(c, out),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .store = WEFT_STORE_DISCARD,
                                                    .clear = under.clear}});
    weft_render_set_pipeline(enc, pipeline_of(c, h));
    conform_fill(enc, 0, over.f);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return out;
}

/// Drivers take any one sample of integers.
static struct conform_texel within(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct halves *h = user;
    struct conform_texel middle = {{0, 0, 0, 1}};
    (void)x, (void)y, (void)z;
    for (uint32_t k = 0; k < weft_format_get_info(h->format)->components; k++)
        middle.v[k] = (h->under[k] + h->over[k]) / 2;
    return middle;
}

static void expect_either(struct conform *c, weft_texture resolved, struct halves *h)
{
    double most = 0;
    for (uint32_t k = 0; k < weft_format_get_info(h->format)->components; k++)
        most = fmax(most, fabs(h->under[k] - h->over[k]) / 2);
    conform_expect_texels(c, resolved, NULL, within, h, most);
}

static void expect_halves(struct conform *c, struct halves *h)
{
    const weft_format_info *info = weft_format_get_info(h->format);
    const bool integers = info->sample_class != WEFT_SAMPLE_CLASS_FLOAT;
    double want[4] = {0, 0, 0, 1};
    for (uint32_t k = 0; k < info->components; k++) {
        want[k] = (h->under[k] + h->over[k]) / 2;
        if (integers)
            want[k] = h->mask & 1 ? h->over[k] : h->under[k];
    }
    const weft_texture resolved = resolve(c, h);
    if (conform_exact(c) || !integers)
        conform_expect_color(c, resolved, want,
                             (integers           ? 0
                              : conform_exact(c) ? 0.55
                                                 : 1.05) *
                                 step_of(info));
    else
        expect_either(c, resolved, h);
}

/// All formats that can be resolved with so many samples; one half of the samples is drawn over.
static void expect_samples(struct conform *c, uint32_t samples, weft_format_caps cap)
{
    static const double floats[2][4] = {{0, 0.25, 0.75, 1}, {1, 0.5, 0.25, 1}};
    static const double numbers[2][4] = {{7, 1, 0, 3}, {3, 100, 5, 2}};
    const weft_format_caps needed =
        cap | WEFT_FORMAT_CAN_RESOLVE | WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_COPY;
    const uint32_t half = (1u << samples / 2) - 1;
    uint32_t tried = 0;
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info(f);
        if (info->aspects != WEFT_ASPECT_COLOR ||
            (conform_capabilities(c)->formats[f] & needed) != needed)
            continue;
        tried++;
        const double(*colors)[4] = info->sample_class == WEFT_SAMPLE_CLASS_FLOAT ? floats : numbers;
        expect_halves(c, &(struct halves){f, samples, half, colors[0], colors[1]});
        expect_halves(c, &(struct halves){f, samples, half << samples / 2, colors[0], colors[1]});
    }
    if (tried == 0)
        conform_refuse(c, "no format has %u samples and can be resolved", samples);
}

void case_resolve_formats_2(struct conform *c)
{
    expect_samples(c, 2, WEFT_FORMAT_CAN_MSAA_2);
}

void case_resolve_formats_4(struct conform *c)
{
    expect_samples(c, 4, WEFT_FORMAT_CAN_MSAA_4);
}

void case_resolve_formats_8(struct conform *c)
{
    expect_samples(c, 8, WEFT_FORMAT_CAN_MSAA_8);
}
