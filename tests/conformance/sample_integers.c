// Textures of integers: found as others are, never filtered. And comparisons in arrays and cubes.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"

#include <string.h>

#include "sample_int.comp.spv.h"
#include "sample_shadow_kinds.comp.spv.h"
#include "sample_uint.comp.spv.h"

enum { WIDTH = 5, HEIGHT = 4, COUNT = 64 };

static const struct conform_rule rules[] = {
    {.u = WEFT_ADDRESS_MIRROR_REPEAT, .v = WEFT_ADDRESS_CLAMP_TO_EDGE},
    {.u = WEFT_ADDRESS_CLAMP_TO_BORDER, .v = WEFT_ADDRESS_REPEAT, .integers = true},
    {.u = WEFT_ADDRESS_REPEAT,
     .v = WEFT_ADDRESS_CLAMP_TO_BORDER,
     .border = WEFT_BORDER_OPAQUE_BLACK,
     .integers = true},
    {.u = WEFT_ADDRESS_CLAMP_TO_BORDER,
     .v = WEFT_ADDRESS_MIRROR_REPEAT,
     .border = WEFT_BORDER_OPAQUE_WHITE,
     .integers = true}, // ones
};

/// What `op` gives at (u, v).
static struct conform_texel expected(struct conform_model *model, const struct conform_rule *rule,
                                     enum conform_probe_op op, const double uv[2])
{
    if (op == CONFORM_PROBE_LOD)
        return conform_rule_sample(model, rule, uv[0], uv[1]);
    return conform_rule_gather(model, rule, uv, op - CONFORM_PROBE_GATHER);
}

static void expect_op(struct conform *c, struct conform_model *model,
                      const struct conform_rule *rule, const struct conform_probed *probed)
{
    struct conform_probe probes[COUNT];
    uint32_t got[COUNT][4];
    double uv[COUNT][2];
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t row = i / 8;
        uv[i][0] = ((i % 8) * 1.5 - 3.75) / WIDTH;
        uv[i][1] = (row * 1.5 - 3.75) / HEIGHT;
        probes[i] = (struct conform_probe){.at = {(float)uv[i][0], (float)uv[i][1]}};
    }
    if (!conform_probe(c, probed, probes, COUNT, got))
        return;
    const bool is_signed =
        weft_format_get_info(model->format)->sample_class == WEFT_SAMPLE_CLASS_SINT;
    for (uint32_t i = 0; i < 4 * COUNT; i++) {
        const uint32_t word = got[i / 4][i % 4];
        const double value = is_signed ? (double)(int32_t)word : (double)word;
        const double want = expected(model, rule, probed->op, uv[i / 4]).v[i % 4];
        if (value != want)
            conform_fail(c, "component %u of probe %u is %.0f, not %.0f", i % 4, i / 4, value,
                         want);
    }
}

static void expect_format(struct conform *c, weft_format format, weft_shader shader)
{
    struct conform_model model;
    conform_model_init(&model, format, WIDTH, HEIGHT, 1);
    conform_model_fill(&model, (uint32_t)format);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = format, .width = WIDTH, .height = HEIGHT});
    conform_model_upload(c, &model, texture, 0, 0);
    struct conform_probed probed = {.pipeline = conform_compute(c, shader),
                                    .view = conform_view(c, texture)};
    static const enum conform_probe_op ops[] = {CONFORM_PROBE_LOD, CONFORM_PROBE_GATHER,
                                                (enum conform_probe_op)(CONFORM_PROBE_GATHER + 1)};
    for (uint32_t i = 0; i < 12; i++) {
        const struct conform_rule *rule = &rules[i / 3];
        probed.op = ops[i % 3];
        probed.sampler = conform_rule_sampler(c, rule);
        expect_op(c, &model, rule, &probed);
    }
}

void case_sample_uint(struct conform *c)
{
    const weft_shader shader = CONFORM_SHADER(c, sample_uint_comp);
    expect_format(c, WEFT_FORMAT_RGBA8_UINT, shader);
    expect_format(c, WEFT_FORMAT_RG32_UINT, shader);
    expect_format(c, WEFT_FORMAT_R16_UINT, shader);
}

void case_sample_sint(struct conform *c)
{
    const weft_shader shader = CONFORM_SHADER(c, sample_int_comp);
    expect_format(c, WEFT_FORMAT_RGBA8_SINT, shader);
    expect_format(c, WEFT_FORMAT_RGBA32_SINT, shader);
    expect_format(c, WEFT_FORMAT_RG16_SINT, shader);
}

// ---- comparisons -------------------------------------------------------------------------------

/// Layer i holds the depth (i + 1) / 16.
static weft_texture_view depths(struct conform *c, weft_texture_kind kind, uint32_t layers)
{
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.kind = kind,
                                                .format = WEFT_FORMAT_D32_FLOAT,
                                                .width = 2,
                                                .height = 2,
                                                .layers = layers});
    for (uint32_t i = 0; i < layers; i++) {
        const float depth = (float)(i + 1) / 16;
        const float texels[4] = {depth, depth, depth, depth};
        weft_texture_write(conform_device(c), texture, &(weft_texture_region){.layer = i}, texels,
                           NULL);
    }
    return conform_view(c, texture);
}

void case_sample_compare_kinds(struct conform *c)
{
    enum { LAYERS = 4, CUBES = 2, PROBES = 6 * CUBES };
    static const float faces[6][3] = {{1, 0.5f, 0.5f},  {-1, 0.5f, 0.5f}, {0.5f, 1, 0.5f},
                                      {0.5f, -1, 0.5f}, {0.5f, 0.5f, 1},  {0.5f, 0.5f, -1}};
    conform_need_format(c, WEFT_FORMAT_D32_FLOAT, WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_COPY);
    struct conform_probe probes[PROBES];
    struct conform_texel want[PROBES];
    for (uint32_t i = 0; i < PROBES; i++) {
        const uint32_t cube = i / 6, layer = i % LAYERS;
        const double reference = (i % 5 * 2 + 1.5) / 16;
        probes[i] = (struct conform_probe){
            .at = {faces[i % 6][0], faces[i % 6][1], faces[i % 6][2], (float)cube},
            .more = {(float)layer, (float)reference}};
        want[i] =
            (struct conform_texel){{reference < (layer + 1) / 16.0, reference < (i % 6 + 1) / 16.0,
                                    reference < (i + 1) / 16.0, 1}};
    }
    const struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_shadow_kinds_comp)),
        .view = depths(c, WEFT_TEXTURE_CUBE, 6 * CUBES),
        .sampler = conform_sampler(c, &(weft_sampler_desc){.compare = WEFT_COMPARE_LESS}),
        .others = {depths(c, WEFT_TEXTURE_2D, LAYERS), depths(c, WEFT_TEXTURE_CUBE, 6)}};
    conform_expect_probes(c, &probed, probes, want, PROBES, 0);
}
