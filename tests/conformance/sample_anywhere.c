// Hundreds of places and levels that follow no pattern, under every combination of filters, in the
// formats that a device is likely to have fast paths for.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"

#include <math.h>

#include "sample_2d.comp.spv.h"

enum { WIDTH = 21, HEIGHT = 16, MIPS = 4, COUNT = 512 };

struct scene {
    struct conform_model mips[MIPS];
    struct conform_probed probed;
    struct conform_probe probes[COUNT];
};

static void make(struct conform *c, struct scene *s, weft_format format)
{
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = format, .width = WIDTH, .height = HEIGHT, .mips = MIPS});
    for (uint32_t i = 0; i < MIPS; i++) {
        conform_model_init(&s->mips[i], format, WIDTH >> i, HEIGHT >> i, 1);
        conform_model_fill(&s->mips[i], i);
        for (size_t k = 1; k < conform_model_size(&s->mips[i]); k += 2)
            if (weft_format_get_info(format)->block_bytes > 4)
                s->mips[i].data[k] = (uint8_t)(s->mips[i].data[k] % 16 + 0x30); // halves near 1
        conform_model_upload(c, &s->mips[i], texture, i, 0);
    }
    s->probed =
        (struct conform_probed){.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
                                .view = conform_view(c, texture)};
}

/// -2 to 2, and levels -1 to MIPS.
static void scatter(struct scene *s)
{
    uint16_t noise[COUNT][3];
    conform_bytes_fill(noise, sizeof noise, 77);
    for (uint32_t i = 0; i < COUNT; i++)
        s->probes[i] = (struct conform_probe){.at = {(float)noise[i][0] / 16384 - 2,
                                                     (float)noise[i][1] / 16384 - 2, 0,
                                                     (float)noise[i][2] / 65536 * (MIPS + 1) - 1}};
}

/// Whether a nearest filter, or the choice of a mip, would change within a 256th part.
static bool on_an_edge(double x)
{
    return fabs(x - floor(x + 0.5)) < 1.0 / 256;
}

/// False if it may be one or the other.
static bool expect_level(struct scene *s, const struct conform_rule *rule, uint32_t level,
                         const float at[4], struct conform_texel *out)
{
    const double u = (double)at[0], v = (double)at[1];
    *out = conform_rule_sample(&s->mips[level], rule, u, v);
    return rule->filter == WEFT_FILTER_LINEAR ||
           (!on_an_edge(u * s->mips[level].width) && !on_an_edge(v * s->mips[level].height));
}

static bool expect_place(struct scene *s, const weft_sampler_desc *sampler, const float at[4],
                         struct conform_texel *out)
{
    const double lod = fmin(fmax((double)at[3], 0), MIPS - 1);
    const struct conform_rule rule = {
        .filter = at[3] <= 0 ? sampler->mag : sampler->min, .u = sampler->u, .v = sampler->v};
    if (sampler->mip == WEFT_FILTER_NEAREST)
        return expect_level(s, &rule, (uint32_t)(lod + 0.5), at, out) && !on_an_edge(lod + 0.5);
    const uint32_t level = (uint32_t)lod, next = level + 1 < MIPS ? level + 1 : level;
    struct conform_texel a, b;
    const bool sure = expect_level(s, &rule, level, at, &a) && expect_level(s, &rule, next, at, &b);
    for (uint32_t k = 0; sure && k < 4; k++)
        out->v[k] = a.v[k] + (b.v[k] - a.v[k]) * (lod - level);
    return sure;
}

static void expect_sampler(struct conform *c, struct scene *s, const weft_sampler_desc *sampler)
{
    float got[COUNT][4];
    s->probed.sampler = conform_sampler(c, sampler);
    if (!conform_probe(c, &s->probed, s->probes, COUNT, got))
        return;
    for (uint32_t i = 0; i < COUNT; i++) {
        struct conform_texel want;
        if (!expect_place(s, sampler, s->probes[i].at, &want))
            continue;
        // weights of 8 bits along three axes, between texels that are 1 apart
        conform_expect_answers(c, (const float(*)[4])got + i, &want, 1, 4.0 / 255);
    }
}

static void expect_format(struct conform *c, weft_format format)
{
    struct scene s;
    make(c, &s, format);
    scatter(&s);
    for (uint32_t i = 0; i < 32; i++)
        expect_sampler(c, &s,
                       &(weft_sampler_desc){.mag = (weft_filter)(i & 1),
                                            .min = (weft_filter)(i >> 1 & 1),
                                            .mip = (weft_filter)(i >> 2 & 1),
                                            .u = (weft_address_mode)(i >> 3),
                                            .v = (weft_address_mode)((i >> 3) * 3 % 4)});
}

void case_sample_anywhere_rgba8(struct conform *c)
{
    expect_format(c, WEFT_FORMAT_RGBA8_UNORM);
}

void case_sample_anywhere_bgra8_srgb(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_BGRA8_UNORM_SRGB, WEFT_FORMAT_CAN_FILTER);
    expect_format(c, WEFT_FORMAT_BGRA8_UNORM_SRGB);
}

void case_sample_anywhere_r8(struct conform *c)
{
    expect_format(c, WEFT_FORMAT_R8_UNORM);
}

void case_sample_anywhere_rgba16f(struct conform *c)
{
    expect_format(c, WEFT_FORMAT_RGBA16_FLOAT);
}
