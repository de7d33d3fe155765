// Nearest and linear filtering, addressing outside of 0 to 1, and gathers, on one mip.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"

#include "sample_2d.comp.spv.h"
#include "sample_gather.comp.spv.h"

/// A picture, on both sides.
struct scene {
    struct conform_model model;
    struct conform_probed probed;
};

static void make(struct conform *c, struct scene *s, uint32_t width, uint32_t height)
{
    conform_model_init(&s->model, WEFT_FORMAT_RGBA8_UNORM, width, height, 1);
    conform_model_fill(&s->model, width);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = s->model.format, .width = width, .height = height});
    conform_model_upload(c, &s->model, texture, 0, 0);
    s->probed =
        (struct conform_probed){.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
                                .view = conform_view(c, texture)};
}

/// A grid of coordinates from -3 to 3, a quarter of a texel beside the middle between texels: no
/// filter needs more than two bits to be exact, and no edge is met.
enum { STEPS = 24, GRID = STEPS * STEPS };

static double grid_coordinate(uint32_t i, uint32_t size)
{
    const int texels = (int)(6 * size), at = (int)i * texels / STEPS - texels / 2;
    return (at + (i & 1 ? 0.75 : 0.25)) / size;
}

static void expect_grid(struct conform *c, struct scene *s, const struct conform_rule *rule)
{
    struct conform_probe probes[GRID];
    struct conform_texel want[GRID];
    for (uint32_t i = 0; i < GRID; i++) {
        const double u = grid_coordinate(i % STEPS, s->model.width);
        const double v = grid_coordinate(i / STEPS, s->model.height);
        probes[i] = (struct conform_probe){.at = {(float)u, (float)v}};
        want[i] = conform_rule_sample(&s->model, rule, u, v);
    }
    s->probed.op = CONFORM_PROBE_LOD;
    s->probed.sampler = conform_rule_sampler(c, rule);
    conform_expect_probes(c, &s->probed, probes, want, GRID, conform_filter_tolerance(c));
}

static void expect_modes(struct conform *c, weft_filter filter)
{
    static const uint32_t sizes[][2] = {{4, 8}, {5, 3}, {1, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct scene s;
        make(c, &s, sizes[i][0], sizes[i][1]);
        for (int mode = 0; mode < 16; mode++)
            expect_grid(c, &s,
                        &(struct conform_rule){.filter = filter,
                                               .u = (weft_address_mode)(mode & 3),
                                               .v = (weft_address_mode)(mode >> 2)});
    }
}

void case_sample_address_nearest(struct conform *c)
{
    expect_modes(c, WEFT_FILTER_NEAREST);
}

void case_sample_address_linear(struct conform *c)
{
    expect_modes(c, WEFT_FILTER_LINEAR);
}

void case_sample_border_colors(struct conform *c)
{
    struct scene s;
    make(c, &s, 4, 5);
    for (int i = 0; i < 6; i++)
        expect_grid(c, &s,
                    &(struct conform_rule){.filter = (weft_filter)(i & 1),
                                           .u = WEFT_ADDRESS_CLAMP_TO_BORDER,
                                           .v = WEFT_ADDRESS_CLAMP_TO_BORDER,
                                           .border = (weft_border_color)(i >> 1)});
}

/// By hand: four texels, weights of quarters.
void case_sample_linear_weights(struct conform *c)
{
    static const uint8_t texels[16] = {0, 0, 0, 255, 240, 0, 0, 255, 0, 160, 0, 255, 0, 0, 80, 255};
    static const struct conform_probe probes[] = {{.at = {0.25f, 0.25f}},  {.at = {0.75f, 0.25f}},
                                                  {.at = {0.5f, 0.25f}},   {.at = {0.25f, 0.5f}},
                                                  {.at = {0.5f, 0.5f}},    {.at = {0.375f, 0.25f}},
                                                  {.at = {0.625f, 0.625f}}};
    static const struct conform_texel want[] = {
        {{0, 0, 0, 1}},
        {{240 / 255.0, 0, 0, 1}},
        {{120 / 255.0, 0, 0, 1}},
        {{0, 80 / 255.0, 0, 1}},
        {{60 / 255.0, 40 / 255.0, 20 / 255.0, 1}},
        {{60 / 255.0, 0, 0, 1}},
        {{240 * 0.75 * 0.25 / 255, 160 * 0.25 * 0.75 / 255, 80 * 0.75 * 0.75 / 255, 1}}};
    struct scene s;
    make(c, &s, 2, 2);
    weft_texture_write(conform_device(c),
                       weft_texture_view_texture(conform_device(c), s.probed.view), NULL, texels,
                       NULL);
    s.probed.sampler = conform_sampler(c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                               .min = WEFT_FILTER_LINEAR,
                                                               .u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                                               .v = WEFT_ADDRESS_CLAMP_TO_EDGE});
    conform_expect_probes(c, &s.probed, probes, want, sizeof probes / sizeof *probes,
                          conform_filter_tolerance(c));
}

/// Nearest takes the texel to the last coordinate before the next one.
void case_sample_nearest_edges(struct conform *c)
{
    enum { SIZE = 8, COUNT = SIZE * 3 };
    static const float inside[3] = {1 / 64.0f, 0.5f, 1 - 1 / 64.0f};
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT];
    struct scene s;
    make(c, &s, SIZE, SIZE);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t texel = i / 3;
        const float u = ((float)texel + inside[i % 3]) / SIZE;
        probes[i] = (struct conform_probe){.at = {u, 1 - u}};
        want[i] = conform_model_texel(&s.model, texel, SIZE - 1 - texel, 0);
    }
    s.probed.sampler = conform_sampler(c, &(weft_sampler_desc){0});
    conform_expect_probes(c, &s.probed, probes, want, COUNT, 1e-6);
}

void case_sample_offset(struct conform *c)
{
    enum { COUNT = 16 };
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT];
    const struct conform_rule rule = {.filter = WEFT_FILTER_LINEAR,
                                      .v = WEFT_ADDRESS_CLAMP_TO_EDGE};
    struct scene s;
    make(c, &s, 8, 8);
    for (uint32_t i = 0; i < COUNT; i++) {
        const double u = (i + 0.25) / 16, v = (i * 5 % 16 + 0.75) / 16;
        probes[i] = (struct conform_probe){.at = {(float)u, (float)v}};
        want[i] = conform_rule_sample(&s.model, &rule, u + 2 / 8.0, v - 3 / 8.0);
    }
    s.probed.op = CONFORM_PROBE_OFFSET;
    s.probed.sampler = conform_rule_sampler(c, &rule);
    conform_expect_probes(c, &s.probed, probes, want, COUNT, conform_filter_tolerance(c));
}

// ---- gathers -----------------------------------------------------------------------------------

static const struct conform_rule gather_rule = {.u = WEFT_ADDRESS_REPEAT,
                                                .v = WEFT_ADDRESS_CLAMP_TO_BORDER,
                                                .border = WEFT_BORDER_OPAQUE_WHITE};

void case_sample_gather_components(struct conform *c)
{
    enum { COUNT = 64 };
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT];
    struct scene s;
    make(c, &s, 4, 4);
    s.probed.sampler = conform_rule_sampler(c, &gather_rule);
    for (uint32_t component = 0; component < 4; component++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint32_t row = i / 8;
            const double uv[2] = {(i % 8 - 1.75) / 4, (row - 1.75) / 4};
            probes[i] = (struct conform_probe){.at = {(float)uv[0], (float)uv[1]}};
            want[i] = conform_rule_gather(&s.model, &gather_rule, uv, component);
        }
        s.probed.op = (enum conform_probe_op)(CONFORM_PROBE_GATHER + component);
        conform_expect_probes(c, &s.probed, probes, want, COUNT, 1e-6);
    }
}

void case_sample_gather_offsets(struct conform *c)
{
    enum { COUNT = 64 };
    static const int corners[4][2] = {{-2, -1}, {1, -1}, {0, 2}, {3, 1}};
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT], want_each[COUNT];
    struct scene s;
    make(c, &s, 4, 4);
    s.probed.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_gather_comp));
    s.probed.sampler = conform_rule_sampler(c, &gather_rule);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t row = i / 8;
        const double uv[2] = {(i % 8 + 0.25) / 8, (row + 0.25) / 8};
        const int x = (int)(i % 5) - 2, y = (int)(i % 7) - 3;
        const double moved[2] = {uv[0] + x / 4.0, uv[1] + y / 4.0};
        probes[i] = (struct conform_probe){.at = {(float)uv[0], (float)uv[1]},
                                           .more = {(float)x, (float)y}};
        want[i] = conform_rule_gather(&s.model, &gather_rule, moved, 0);
        for (uint32_t k = 0; k < 4; k++) { // the upper left texel of each
            const double at[2] = {uv[0] + corners[k][0] / 4.0, uv[1] + corners[k][1] / 4.0};
            want_each[i].v[k] = conform_rule_gather(&s.model, &gather_rule, at, 0).v[3];
        }
    }
    s.probed.op = CONFORM_PROBE_GATHER_OFFSET;
    conform_expect_probes(c, &s.probed, probes, want, COUNT, 1e-6);
    s.probed.op = CONFORM_PROBE_GATHER_OFFSETS;
    conform_expect_probes(c, &s.probed, probes, want_each, COUNT, 1e-6);
}
