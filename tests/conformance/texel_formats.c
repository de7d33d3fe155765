// Every uncompressed format: bytes are written, and a shader sees what they mean.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"
#include "texel.h"

#include <math.h>
#include <string.h>

#include "fetch_float.comp.spv.h"
#include "fetch_int.comp.spv.h"
#include "fetch_uint.comp.spv.h"

enum { SIDE = 8, TEXELS = SIDE * SIDE };

/// A texture of noise, as it is copied through one aspect.
struct noise {
    weft_format format;
    weft_aspect_set aspect;
    uint8_t bytes[TEXELS * 16];
    struct conform_texel want[TEXELS];
};

/// Noise, but depths are 0 to 1, and nothing is a NaN, whose bits no device promises.
static void make_noise(struct noise *n)
{
    const uint32_t size = conform_texel_bytes(n->format, n->aspect);
    conform_bytes_fill(n->bytes, (size_t)TEXELS * size, (uint32_t)n->format);
    for (uint32_t i = 0; i < TEXELS; i++) {
        uint8_t *at = n->bytes + (size_t)i * size;
        const float depth = (float)i / (TEXELS - 1);
        if (n->aspect == WEFT_ASPECT_DEPTH && size == 4)
            memcpy(at, &depth, 4);
        conform_texel_decode(n->format, n->aspect, at, &n->want[i]);
        bool number = true;
        for (uint32_t k = 0; k < 4; k++)
            number = number && !isnan(n->want[i].v[k]);
        if (!number) {
            memset(at, 0, size);
            conform_texel_decode(n->format, n->aspect, at, &n->want[i]);
        }
    }
}

/// Answers as numbers, from what the shader of a class wrote.
static void to_numbers(weft_sample_class sampled, const uint32_t (*words)[4], double (*out)[4])
{
    for (uint32_t i = 0; i < 4 * TEXELS; i++) {
        const uint32_t word = words[i / 4][i % 4];
        float number;
        memcpy(&number, &word, sizeof number);
        out[i / 4][i % 4] = sampled == WEFT_SAMPLE_CLASS_UINT   ? word
                            : sampled == WEFT_SAMPLE_CLASS_SINT ? (double)(int32_t)word
                                                                : (double)number;
    }
}

/// Whole numbers and floats are exact; normalised ones are divided in 32-bit floats; sRGB tables
/// need be no finer than a tenth of a step of 8 bits, drivers' than half of one. Depth and stencil
/// only have one component.
static void judge(struct conform *c, const struct noise *n, weft_sample_class sampled,
                  const uint32_t (*words)[4])
{
    const weft_format_info *info = weft_format_get_info(n->format);
    const bool color = n->aspect == WEFT_ASPECT_COLOR;
    const double tolerance = info->srgb ? (conform_exact(c) ? 0.1 : 0.5 * 2.3) / 255
                             : strstr(info->name, "norm") ? 1e-6
                                                          : 0;
    double got[TEXELS][4];
    to_numbers(sampled, words, got);
    for (uint32_t i = 0; i < TEXELS; i++) {
        for (uint32_t k = 0; k < (color ? 4u : 1u); k++) {
            const double want = n->want[i].v[k];
            if (got[i][k] != want && !(fabs(got[i][k] - want) <= tolerance))
                conform_fail(c, "%s: component %u of texel %u is %.9g, not %.9g within %.3g",
                             info->name, k, i, got[i][k], want, tolerance);
        }
    }
}

static void expect_format(struct conform *c, weft_format format, weft_aspect_set aspect,
                          const weft_compute_pipeline pipelines[3])
{
    struct noise n = {.format = format, .aspect = aspect};
    const weft_format_info *info = weft_format_get_info(format);
    make_noise(&n);
    const weft_sample_class sampled =
        aspect == WEFT_ASPECT_STENCIL ? WEFT_SAMPLE_CLASS_UINT : info->sample_class;
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = format, .width = SIDE, .height = SIDE});
    weft_texture_write(conform_device(c), texture, &(weft_texture_region){.aspect = aspect},
                       n.bytes, NULL);
    conform_check(c);
    const struct conform_probed probed = {
        .pipeline = pipelines[sampled == WEFT_SAMPLE_CLASS_UINT   ? 1
                              : sampled == WEFT_SAMPLE_CLASS_SINT ? 2
                                                                  : 0],
        .view = conform_view_of(c, &(weft_texture_view_desc){.texture = texture, .aspect = aspect}),
        .op = CONFORM_PROBE_FETCH};
    struct conform_probe probes[TEXELS];
    uint32_t words[TEXELS][4];
    for (uint32_t i = 0; i < TEXELS; i++) {
        const uint32_t row = i / SIDE;
        probes[i] = (struct conform_probe){.at = {(float)(i % SIDE), (float)row}};
    }
    if (conform_probe(c, &probed, probes, TEXELS, words))
        judge(c, &n, sampled, (const uint32_t(*)[4])words);
}

/// All formats that have one of `aspects`, can be copied as bytes, and be sampled here.
static void expect_formats(struct conform *c, weft_aspect_set aspects)
{
    const weft_compute_pipeline pipelines[3] = {
        conform_compute(c, CONFORM_SHADER(c, fetch_float_comp)),
        conform_compute(c, CONFORM_SHADER(c, fetch_uint_comp)),
        conform_compute(c, CONFORM_SHADER(c, fetch_int_comp))};
    const weft_format_caps needed = WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_COPY;
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info(f);
        if (info->compressed || (conform_capabilities(c)->formats[f] & needed) != needed)
            continue;
        for (weft_aspect_set a = 1; a <= WEFT_ASPECT_STENCIL; a <<= 1)
            if (a & aspects & info->aspects && conform_texel_bytes(f, a) > 0)
                expect_format(c, f, a, pipelines);
    }
}

void case_texel_formats_color(struct conform *c)
{
    expect_formats(c, WEFT_ASPECT_COLOR);
}

void case_texel_formats_depth(struct conform *c)
{
    expect_formats(c, WEFT_ASPECT_DEPTH);
}

void case_texel_formats_stencil(struct conform *c)
{
    expect_formats(c, WEFT_ASPECT_STENCIL);
}
