// Which mips a sample comes from. Each mip has one color, so an answer tells the level.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"

#include "bias.frag.spv.h"
#include "sample_2d.comp.spv.h"

enum { SIZE = 32, MIPS = 6, STEP = 40 };

struct scene {
    weft_texture texture;
    struct conform_probed probed;
};

/// Red tells the level. Green is one in odd columns, if asked for.
static void make(struct conform *c, struct scene *s, bool columns)
{
    s->texture = conform_texture(
        c, &(weft_texture_desc){
               .format = WEFT_FORMAT_RGBA8_UNORM, .width = SIZE, .height = SIZE, .mips = MIPS});
    struct conform_model model;
    for (uint32_t level = 0; level < MIPS; level++) {
        conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, SIZE >> level, SIZE >> level, 1);
        for (size_t i = 0; i < conform_model_size(&model); i += 4) {
            model.data[i] = (uint8_t)(STEP * level);
            model.data[i + 1] = columns && i & 4 ? 255 : 0;
        }
        conform_model_upload(c, &model, s->texture, level, 0);
    }
    s->probed =
        (struct conform_probed){.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
                                .view = conform_view(c, s->texture)};
}

/// The answer of level `level`, between texels if it is no whole one, at the left texel's centre.
static struct conform_texel answer(double level, double green)
{
    return (struct conform_texel){{STEP * level / 255, green, 0, 0}};
}

/// Levels asked for, all at the centre of a left texel of every mip but the last.
static void expect_levels(struct conform *c, struct scene *s, const weft_sampler_desc *sampler,
                          const double (*asked)[2], uint32_t count)
{
    struct conform_probe probes[16];
    struct conform_texel want[16];
    for (uint32_t i = 0; i < count; i++) {
        probes[i] = (struct conform_probe){.at = {0.001f, 0.001f, 0, (float)asked[i][0]}};
        want[i] = answer(asked[i][1], 0);
    }
    s->probed.op = CONFORM_PROBE_LOD;
    s->probed.sampler = conform_sampler(c, sampler);
    conform_expect_probes(c, &s->probed, probes, want, count, conform_filter_tolerance(c));
}

void case_sample_lod_explicit(struct conform *c)
{
    static const double asked[][2] = {{0, 0},   {1, 1}, {2.25, 2}, {2.75, 3},
                                      {4.4, 4}, {5, 5}, {9, 5},    {-3, 0}};
    struct scene s;
    make(c, &s, false);
    expect_levels(c, &s, &(weft_sampler_desc){0}, asked, 8);
}

void case_sample_lod_linear_mips(struct conform *c)
{
    static const double asked[][2] = {{0, 0},       {0.5, 0.5}, {2.25, 2.25},
                                      {3.75, 3.75}, {5.5, 5},   {-1, 0}};
    struct scene s;
    make(c, &s, false);
    expect_levels(c, &s, &(weft_sampler_desc){.mip = WEFT_FILTER_LINEAR}, asked, 6);
}

void case_sample_lod_clamp(struct conform *c)
{
    static const double asked[][2] = {{0, 1.5}, {1.75, 1.75}, {3, 2.25}, {9, 2.25}};
    static const double base[][2] = {{0, 0}, {3, 0}, {0.9, 0}};
    static const double open[][2] = {{0, 2}, {2.75, 2.75}, {5, 5}};
    struct scene s;
    make(c, &s, false);
    expect_levels(
        c, &s, &(weft_sampler_desc){.mip = WEFT_FILTER_LINEAR, .lod_min = 1.5f, .lod_max = 2.25f},
        asked, 4);
    expect_levels(c, &s, &(weft_sampler_desc){.mip = WEFT_FILTER_LINEAR, .only_base_mip = true},
                  base, 3);
    expect_levels(c, &s, &(weft_sampler_desc){.mip = WEFT_FILTER_LINEAR, .lod_min = 2}, open, 3);
}

/// Above level 0 the minification filter, at or below it the other, with levels not mixed.
void case_sample_lod_filters(struct conform *c)
{
    static const struct conform_probe probes[] = {
        {.at = {2.0625f / SIZE, 0.5f / SIZE, 0, 0}}, // right of a texel's edge
        {.at = {2.25f / SIZE, 0.5f / SIZE, 0, -1}},
        {.at = {2.0625f / SIZE, 0.5f / SIZE, 0, 0.25f}},
        {.at = {4.125f / SIZE, 1.0f / SIZE, 0, 1}}};
    static const double linear[4] = {0.4375, 0.25, 0.4375, 0.4375};
    struct scene s;
    make(c, &s, true);
    for (uint32_t minify = 0; minify < 2; minify++) {
        struct conform_texel want[4];
        for (uint32_t i = 0; i < 4; i++)
            want[i] = answer(i == 3, (i >= 2) == (minify != 0) ? linear[i] : 0);
        s.probed.sampler = conform_sampler(
            c, &(weft_sampler_desc){.min = minify ? WEFT_FILTER_LINEAR : WEFT_FILTER_NEAREST,
                                    .mag = minify ? WEFT_FILTER_NEAREST : WEFT_FILTER_LINEAR});
        conform_expect_probes(c, &s.probed, probes, want, 4, conform_filter_tolerance(c));
    }
}

/// The longer of the two gradients counts, in texels; the sampler's bias is added.
void case_sample_lod_gradients(struct conform *c)
{
    static const struct conform_probe probes[] = {
        {.more = {1.0f / SIZE, 0, 0, 1.0f / SIZE}}, {.more = {2.0f / SIZE, 0, 0, 1.0f / SIZE}},
        {.more = {0, 1.0f / SIZE, 8.0f / SIZE, 0}}, {.more = {0, 0, 0, 0}},
        {.more = {0, 0, 0, 5.0f / SIZE}},           {.more = {0, 1, 0, 0}},
    };
    static const double levels[] = {0, 1, 3, 0, 2, 5}; // 5 texels: level 2.32
    static const float biases[] = {0, 1, -1.25f};
    struct scene s;
    make(c, &s, false);
    s.probed.op = CONFORM_PROBE_GRADIENT;
    for (uint32_t b = 0; b < 3; b++) {
        struct conform_probe own[6];
        struct conform_texel want[6];
        for (uint32_t i = 0; i < 6; i++) {
            own[i] = probes[i];
            own[i].at[0] = own[i].at[1] = 0.001f;
            const double exact = (i == 4 ? 2.32 : levels[i]) + biases[b];
            const double level = i == 3 ? 0 : (double)(int)(exact + 0.5);
            want[i] = answer(level < 0 ? 0 : level > 5 ? 5 : level, 0);
        }
        s.probed.sampler = conform_sampler(c, &(weft_sampler_desc){.lod_bias = biases[b]});
        conform_expect_probes(c, &s.probed, own, want, 6, conform_filter_tolerance(c));
    }
}

// ---- levels that follow from the screen --------------------------------------------------------

enum { TARGET = 8 };

/// `texels` of the texture to a pixel, and a bias in the shader.
struct screen {
    float texels, bias;
    bool query;
    double want[4], tolerance;
};

static void expect_screen(struct conform *c, struct scene *s, const struct screen *screen)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA32_FLOAT}};
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, bias_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA32_FLOAT, TARGET, TARGET);
    const weft_argument_write writes[] = {
        {.binding = 0, .view = s->probed.view},
        {.binding = 1, .sampler = conform_sampler(c, &(weft_sampler_desc){0})}};
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    const float step = screen->texels / SIZE;
    const float color[4] = {step, step, screen->bias, (float)screen->query};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    conform_draw_rect(enc, &(weft_rect){0, 0, TARGET, TARGET}, TARGET, TARGET, 0, color);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_color(c, target, screen->want, screen->tolerance);
}

void case_sample_lod_implicit(struct conform *c)
{
    static const float steps[][3] = {{2, 0, 1}, {4, 0, 2}, {8, 0, 3}, {4, 1, 3}, {4, -1.25f, 1}};
    struct scene s;
    make(c, &s, false);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        expect_screen(c, &s,
                      &(struct screen){.texels = steps[i][0],
                                       .bias = steps[i][1],
                                       .want = {STEP * steps[i][2] / 255},
                                       .tolerance = conform_filter_tolerance(c)});
}

/// Which level is sampled, and the one before the clamp to those that there are, which a device may
/// know to 6 bits only.
void case_sample_lod_query(struct conform *c)
{
    static const double steps[][3] = {{4, 2, 2}, {0.5, 0, -1}, {64, 5, 6}};
    struct scene s;
    make(c, &s, false);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        expect_screen(c, &s,
                      &(struct screen){.texels = (float)steps[i][0],
                                       .query = true,
                                       .want = {steps[i][1], steps[i][2], 0, 1},
                                       .tolerance = 1.0 / 64});
}
