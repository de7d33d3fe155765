// Anisotropic filtering. The specification leaves the scheme to the device, so these cases ask for
// what every scheme gives: the level that follows from the shorter side, detail along it, and an
// average over no more than the footprint along the longer one.
#include "cases.h"
#include "draw.h"
#include "probe.h"
#include "sample_rule.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bias.frag.spv.h"
#include "sample_2d.comp.spv.h"

enum { SIZE = 64, MIPS = 7, STEP = 30, TARGET = 8 };

/// Red tells the level. Green is one in odd rows of the base level, blue in its right half; other
/// levels have the average.
static weft_texture_view make(struct conform *c)
{
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){
               .format = WEFT_FORMAT_RGBA8_UNORM, .width = SIZE, .height = SIZE, .mips = MIPS});
    struct conform_model model;
    for (uint32_t level = 0; level < MIPS; level++) {
        const uint32_t side = SIZE >> level;
        conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, side, side, 1);
        for (uint32_t y = 0; y < side; y++) {
            for (uint32_t x = 0; x < side; x++) {
                uint8_t *texel = conform_model_at(&model, x, y, 0);
                texel[0] = (uint8_t)(STEP * level);
                texel[1] = level > 0 ? 128 : (uint8_t)(255 * (y & 1));
                texel[2] = side == 1 ? 128 : (uint8_t)(255 * (x >= side / 2));
            }
        }
        conform_model_upload(c, &model, texture, level, 0);
    }
    return conform_view(c, texture);
}

static const weft_sampler_desc linear = {.mag = WEFT_FILTER_LINEAR,
                                         .min = WEFT_FILTER_LINEAR,
                                         .mip = WEFT_FILTER_LINEAR,
                                         .u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                         .v = WEFT_ADDRESS_CLAMP_TO_EDGE};

static weft_sampler sampler_of(struct conform *c, float anisotropy, float bias)
{
    weft_sampler_desc desc = linear;
    desc.anisotropy = anisotropy;
    desc.lod_bias = bias;
    return conform_sampler(c, &desc);
}

/// A probe whose footprint is so many texels along x and y of the screen.
static struct conform_probe footprint(float u, float v, const float texels[4])
{
    return (struct conform_probe){
        .at = {u / SIZE, v / SIZE},
        .more = {texels[0] / SIZE, texels[1] / SIZE, texels[2] / SIZE, texels[3] / SIZE}};
}

static struct conform_probed probed_of(struct conform *c)
{
    return (struct conform_probed){.pipeline =
                                       conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
                                   .view = make(c),
                                   .op = CONFORM_PROBE_GRADIENT};
}

/// Not what the software device promises. How finely others filter, Vulkan leaves to them.
_Noreturn static void miss(struct conform *c, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (conform_exact(c))
        conform_fail(c, "%s", text);
    conform_refuse(c, "anisotropy is the driver's business: %s", text);
}

/// log2(longer / min(longer / shorter, anisotropy)), and the bias on top.
void case_anisotropy_level(struct conform *c)
{
    static const struct {
        float texels[4], anisotropy, bias;
        double level;
    } rows[] = {
        {{8, 0, 0, 1}, 8, 0, 0},      {{8, 0, 0, 1}, 16, 0, 0}, {{8, 0, 0, 1}, 2, 0, 2},
        {{8, 0, 0, 1}, 1, 0, 3},      {{0, 1, 8, 0}, 8, 0, 0},  {{0, 8, 2, 0}, 16, 0, 1},
        {{8, 0, 0, 1}, 8, 1, 1},      {{32, 0, 0, 1}, 4, 0, 3}, {{4, 0, 0, 4}, 16, 0, 2},
        {{3, 4, 4, -3}, 4, 0, 2.322}, {{0, 0, 0, 0}, 16, 0, 0}, {{16, 0, 0, 0}, 16, 0, 0},
    };
    const float most = conform_capabilities(c)->limits.max_anisotropy;
    struct conform_probed probed = probed_of(c);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].anisotropy > most && i > 0)
            continue;
        float got[1][4];
        const struct conform_probe probe = footprint(32.5f, 32.5f, rows[i].texels);
        probed.sampler = sampler_of(c, rows[i].anisotropy, rows[i].bias);
        if (!conform_probe(c, &probed, &probe, 1, got))
            continue;
        const double level = (double)got[0][0] * 255 / STEP;
        if (level < rows[i].level - 0.1 || level > rows[i].level + 0.1)
            miss(c, "row %zu: level %.2f is sampled, not %.2f", i, level, rows[i].level);
    }
}

/// Rows stay apart where the footprint is eight times as wide as a row is high.
void case_anisotropy_detail(struct conform *c)
{
    static const float wide[4] = {8, 0, 0, 1}, turned[4] = {0, 1, 8, 0}, both[4] = {8, 0, 0, 8};
    struct conform_probed probed = probed_of(c);
    const struct conform_probe probes[] = {
        footprint(16, 20.5f, wide),   footprint(16, 21.5f, wide), footprint(16, 20.5f, turned),
        footprint(16, 21.5f, turned), footprint(16, 20.5f, both), footprint(16, 21.5f, both)};
    const struct conform_texel want[] = {{{0, 0}},
                                         {{0, 1}},
                                         {{0, 0}},
                                         {{0, 1}},
                                         {{STEP * 3 / 255.0, 128 / 255.0}},
                                         {{STEP * 3 / 255.0, 128 / 255.0}}};
    probed.sampler = sampler_of(c, 8, 0);
    if (conform_exact(c)) {
        conform_expect_probes(c, &probed, probes, want, 6, conform_filter_tolerance(c));
        return;
    }
    float got[6][4];
    if (!conform_probe(c, &probed, probes, 6, got))
        return;
    for (uint32_t i = 0; i < 6; i++)
        if (fabs(got[i][0] - want[i].v[0]) > 0.1 || fabs(got[i][1] - want[i].v[1]) > 0.1)
            miss(c, "probe %u gives (%.3g, %.3g)", i, (double)got[i][0], (double)got[i][1]);
}

/// Across the step in the middle: nothing on one side, all on the other, half at the step, and
/// never less when the footprint moves on.
void case_anisotropy_average(struct conform *c)
{
    static const float wide[4] = {8, 0, 0, 1};
    enum { COUNT = 41, MIDDLE = 20 };
    struct conform_probed probed = probed_of(c);
    struct conform_probe probes[COUNT];
    float got[COUNT][4];
    for (uint32_t i = 0; i < COUNT; i++)
        probes[i] = footprint(32 + ((float)i - MIDDLE) * 0.25f, 20.5f, wide);
    probed.sampler = sampler_of(c, 8, 0);
    if (!conform_probe(c, &probed, probes, COUNT, got))
        return;
    for (uint32_t i = 0; i < COUNT; i++) {
        const float away = ((float)i - MIDDLE) * 0.25f, blue = got[i][2];
        // Half a texel more than half the footprint: that is the width of a linear filter.
        const bool fine = away <= -4.5f ? blue == 0 : away >= 4.5f ? blue == 1 : true;
        const bool half = away != 0 || (blue > 0.499f && blue < 0.501f);
        // At two texels away a footprint of eight is cut at a quarter, give or take a probe.
        const bool part = away != -2 || (blue > 0.1f && blue < 0.4f);
        if (!fine || !half || !part || (i > 0 && blue < got[i - 1][2] - 1e-6f))
            miss(c, "%.2f texels from the step %.4f of it is seen", (double)away, (double)blue);
    }
}

/// Where the footprint is as long as it is wide, nothing is different; nor is it for explicit
/// levels.
void case_anisotropy_isotropic(struct conform *c)
{
    enum { COUNT = 64 };
    struct conform_probed probed = probed_of(c);
    struct conform_probe probes[COUNT];
    float plain[COUNT][4], got[COUNT][4];
    const float room = conform_exact(c) ? 0 : 4.0F / 255;
    for (uint32_t i = 0; i < COUNT; i++) {
        const float size = 0.25f + (float)i * 0.125f;
        probes[i] = footprint(3.3f + (float)i * 0.8f, 5.7f + (float)i * 0.6f,
                              (const float[4]){size, size / 2, -size / 2, size});
        probes[i].at[3] = (float)i * 0.1f;
    }
    for (uint32_t k = 0; k < 2; k++) {
        probed.op = k ? CONFORM_PROBE_LOD : CONFORM_PROBE_GRADIENT;
        probed.sampler = sampler_of(c, 1, 0);
        const bool draws = conform_probe(c, &probed, probes, COUNT, plain);
        probed.sampler = sampler_of(c, 2, 0);
        if (!conform_probe(c, &probed, probes, COUNT, got) || !draws)
            continue;
        for (uint32_t i = 0; i < COUNT; i++)
            for (uint32_t n = 0; n < 4; n++)
                if (fabsf(got[i][n] - plain[i][n]) > room)
                    miss(c, "probe %u gives %.8g with anisotropy, %.8g without", i,
                         (double)got[i][n], (double)plain[i][n]);
    }
}

/// The same from a fragment shader, whose footprint follows from the screen.
void case_anisotropy_implicit(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, bias_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, TARGET, TARGET);
    const weft_argument_write writes[] = {{.binding = 0, .view = make(c)},
                                          {.binding = 1, .sampler = sampler_of(c, 4, 0)}};
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_white);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    // Four texels to a pixel along x, one along y: the left half of the texture.
    conform_draw_rect(enc, &(weft_rect){0, 0, TARGET, TARGET}, TARGET, TARGET, 0,
                      (const float[4]){4.0f / SIZE, 1.0f / SIZE, 0, 0});
    weft_render_end(enc);
    conform_submit(c, cmd);
    uint8_t texels[TARGET][TARGET][4];
    if (!conform_read_texels(c, target, texels, sizeof texels))
        return;
    for (uint32_t y = 0; y < TARGET; y++) {
        const uint8_t wanted[4] = {0, (uint8_t)(255 * (y & 1)), 0, 0};
        for (uint32_t i = 0; i < 6 * 4; i++)
            if (abs(texels[y][i / 4][i % 4] - wanted[i % 4]) > 1)
                miss(c, "texel (%u, %u) has %u in its channel %u, not %u", i / 4, y,
                     texels[y][i / 4][i % 4], i % 4, wanted[i % 4]);
    }
}

void case_anisotropy_range(struct conform *c)
{
    const float most = conform_capabilities(c)->limits.max_anisotropy;
    const float bad[] = {most + 1, 0.5f, -1};
    for (uint32_t i = 0; i < 3; i++) {
        weft_sampler out;
        const weft_sampler_desc desc = {.anisotropy = bad[i]};
        CONFORM_EXPECT(c, weft_sampler_create(conform_device(c), &desc, &out) != WEFT_OK);
        conform_expect_rule(c, WEFT_RULE_SAMPLER_ANISOTROPY);
    }
    CONFORM_EXPECT(c, most >= 1);
    conform_sampler(c, &(weft_sampler_desc){.anisotropy = 1});
    conform_sampler(c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                            .min = WEFT_FILTER_LINEAR,
                                            .mip = WEFT_FILTER_LINEAR,
                                            .anisotropy = most});
}

/// It goes with linear filters only.
void case_anisotropy_filters(struct conform *c)
{
    for (uint32_t nearest = 0; nearest < 3; nearest++) {
        weft_sampler out;
        weft_sampler_desc desc = linear;
        desc.anisotropy = 2;
        *(nearest == 0 ? &desc.mag : nearest == 1 ? &desc.min : &desc.mip) = WEFT_FILTER_NEAREST;
        CONFORM_EXPECT(c, weft_sampler_create(conform_device(c), &desc, &out) != WEFT_OK);
        conform_expect_rule(c, WEFT_RULE_SAMPLER_ANISOTROPY_FILTER);
    }
}
