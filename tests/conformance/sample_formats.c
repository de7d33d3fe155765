// What can be filtered: between two texels of every format, and the mip above four of them.
#include "cases.h"
#include "model.h"
#include "probe.h"

#include <math.h>
#include <string.h>

#include "sample_2d.comp.spv.h"

/// Texels of noise without NaNs and infinities.
static void fill(struct conform_model *model)
{
    conform_model_fill(model, (uint32_t)model->format + 100);
    for (uint32_t i = 0; i < model->width * model->height; i++) {
        const uint32_t x = i % model->width, y = i / model->width;
        const struct conform_texel t = conform_model_texel(model, x, y, 0);
        for (uint32_t k = 0; k < 4; k++)
            if (!isfinite(t.v[k]))
                memset(conform_model_at(model, x, y, 0), 0, model->bytes);
    }
}

/// The next color format that is not compressed, is read as floats, and can do `caps` here.
static weft_format next_format(struct conform *c, weft_format format, weft_format_caps caps)
{
    for (weft_format f = format + 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info(f);
        if (!info->compressed && info->aspects == WEFT_ASPECT_COLOR &&
            info->sample_class == WEFT_SAMPLE_CLASS_FLOAT &&
            (conform_capabilities(c)->formats[f] & caps) == caps)
            return f;
    }
    return WEFT_FORMAT_COUNT;
}

static void expect_linear(struct conform *c, weft_format format, struct conform_probed *probed)
{
    static const float weights[] = {0, 0.25f, 0.5f, 0.75f, 1};
    struct conform_model model;
    conform_model_init(&model, format, 2, 1, 1);
    fill(&model);
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = format, .width = 2});
    conform_model_upload(c, &model, texture, 0, 0);
    probed->view = conform_view(c, texture);
    const struct conform_texel a = conform_model_texel(&model, 0, 0, 0);
    const struct conform_texel b = conform_model_texel(&model, 1, 0, 0);
    struct conform_probe probes[5];
    float got[5][4];
    for (uint32_t i = 0; i < 5; i++)
        probes[i] = (struct conform_probe){.at = {0.25f + weights[i] / 2, 0.5f}};
    if (!conform_probe(c, probed, probes, 5, got))
        return;
    for (uint32_t i = 0; i < 20; i++) {
        const double w = weights[i / 4], l = a.v[i % 4], r = b.v[i % 4], value = got[i / 4][i % 4];
        const double want = l * (1 - w) + r * w;
        // weights and steps of 8 bits
        const double room = (fabs(l) + fabs(r)) / 256 + (conform_exact(c) ? 0 : 1.0 / 255);
        if (!(fabs(value - want) <= room))
            conform_fail(c, "%s: %.2g of the way from %.9g to %.9g is %.9g",
                         weft_format_get_info(format)->name, w, l, r, value);
    }
}

void case_sample_linear_of_formats(struct conform *c)
{
    struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
        .sampler = conform_sampler(c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                           .min = WEFT_FILTER_LINEAR,
                                                           .u = WEFT_ADDRESS_CLAMP_TO_EDGE})};
    const weft_format_caps caps =
        WEFT_FORMAT_CAN_FILTER | WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_COPY;
    for (weft_format f = next_format(c, WEFT_FORMAT_NONE, caps); f < WEFT_FORMAT_COUNT;
         f = next_format(c, f, caps))
        expect_linear(c, f, &probed);
}

/// The average of four, rounded to the format: 5 bits of mantissa, or 8 bits with a curve, or the
/// two of an alpha.
static void expect_mip(struct conform *c, weft_format format)
{
    struct conform_model model;
    conform_model_init(&model, format, 2, 2, 1);
    fill(&model);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = format,
                                .width = 2,
                                .height = 2,
                                .mips = 2,
                                .usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_RENDER});
    conform_model_upload(c, &model, texture, 0, 0);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, texture);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    struct conform_model got;
    conform_model_init(&got, format, 1, 1, 1);
    weft_texture_read(conform_device(c), texture, &(weft_texture_region){.mip = 1}, got.data,
                      got.bytes, NULL);
    conform_check(c);
    if (conform_draws(c))
        conform_hash(c, got.data, got.bytes);
    const struct conform_texel value = conform_model_texel(&got, 0, 0, 0);
    for (uint32_t k = 0; conform_draws(c) && k < 4; k++) {
        double sum = 0, size = 0;
        for (uint32_t i = 0; i < 4; i++) {
            const double v = conform_model_texel(&model, i & 1, i >> 1, 0).v[k];
            sum += v / 4;
            size += fabs(v) / 4;
        }
        const bool floats = strstr(weft_format_get_info(format)->name, "float");
        const double step = format == WEFT_FORMAT_RGB10A2_UNORM && k == 3 ? 1.02 / 3 : 2.4 / 255;
        if (!(fabs(value.v[k] - sum) <= (floats ? size / 32 : step / 2)))
            conform_fail(c, "%s: component %u is %.9g, not %.9g",
                         weft_format_get_info(format)->name, k, value.v[k], sum);
    }
}

void case_mips_of_formats(struct conform *c)
{
    const weft_format_caps caps =
        WEFT_FORMAT_CAN_FILTER | WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_COPY;
    for (weft_format f = next_format(c, WEFT_FORMAT_NONE, caps); f < WEFT_FORMAT_COUNT;
         f = next_format(c, f, caps))
        expect_mip(c, f);
}
