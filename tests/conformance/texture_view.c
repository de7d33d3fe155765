// Views: swizzles, the sRGB twin, parts of mips and layers, and what shaders learn of their size.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"
#include "texel.h"

#include "sample_1d.comp.spv.h"
#include "sample_2d.comp.spv.h"
#include "sample_2d_array.comp.spv.h"
#include "sample_3d.comp.spv.h"
#include "sample_cube.comp.spv.h"
#include "sample_cube_array.comp.spv.h"

/// Fetches one texel through a view.
static void expect_texel(struct conform *c, const weft_texture_view_desc *desc,
                         const struct conform_texel *want, double tolerance)
{
    const struct conform_probed probed = {.pipeline =
                                              conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
                                          .view = conform_view_of(c, desc),
                                          .sampler = conform_sampler(c, &(weft_sampler_desc){0}),
                                          .op = CONFORM_PROBE_FETCH};
    conform_expect_probes(c, &probed, &(struct conform_probe){{0}, {0}}, want, 1, tolerance);
}

void case_view_swizzle(struct conform *c)
{
    static const uint8_t bytes[4] = {51, 102, 153, 204};
    static const struct {
        weft_swizzle swizzle[4];
        double want[4];
    } views[] = {
        {{0, 0, 0, 0}, {0.2, 0.4, 0.6, 0.8}},
        {{WEFT_SWIZZLE_B, WEFT_SWIZZLE_G, WEFT_SWIZZLE_R, WEFT_SWIZZLE_A}, {0.6, 0.4, 0.2, 0.8}},
        {{WEFT_SWIZZLE_A, WEFT_SWIZZLE_A, WEFT_SWIZZLE_A, WEFT_SWIZZLE_ONE}, {0.8, 0.8, 0.8, 1}},
        {{WEFT_SWIZZLE_ZERO, WEFT_SWIZZLE_SAME, WEFT_SWIZZLE_ONE, WEFT_SWIZZLE_R},
         {0, 0.4, 1, 0.2}},
    };
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM});
    weft_texture_write(conform_device(c), texture, NULL, bytes, NULL);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        weft_texture_view_desc desc = {.texture = texture};
        struct conform_texel want;
        for (uint32_t k = 0; k < 4; k++) {
            desc.swizzle[k] = views[i].swizzle[k];
            want.v[k] = views[i].want[k];
        }
        expect_texel(c, &desc, &want, 1e-6);
    }
}

/// What a format lacks is swizzled as 0 and 1.
void case_view_swizzle_of_one_component(struct conform *c)
{
    static const uint8_t byte = 51;
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_R8_UNORM});
    weft_texture_write(conform_device(c), texture, NULL, &byte, NULL);
    expect_texel(c,
                 &(weft_texture_view_desc){.texture = texture,
                                           .swizzle = {WEFT_SWIZZLE_A, WEFT_SWIZZLE_B,
                                                       WEFT_SWIZZLE_R, WEFT_SWIZZLE_ZERO}},
                 &(struct conform_texel){{1, 0, 0.2, 0}}, 1e-6);
}

void case_view_srgb_twin(struct conform *c)
{
    static const uint8_t bytes[4] = {20, 128, 240, 128};
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                .view_format = WEFT_FORMAT_RGBA8_UNORM_SRGB});
    weft_texture_write(conform_device(c), texture, NULL, bytes, NULL);
    struct conform_texel encoded, linear;
    for (uint32_t i = 0; i < 4; i++) {
        encoded.v[i] = bytes[i] / 255.0;
        linear.v[i] = i < 3 ? conform_srgb_decode(encoded.v[i]) : encoded.v[i];
    }
    expect_texel(c, &(weft_texture_view_desc){.texture = texture}, &encoded, 1e-6);
    // Vulkan's promise for decoding is half a step of the encoded byte or better
    expect_texel(
        c, &(weft_texture_view_desc){.texture = texture, .format = WEFT_FORMAT_RGBA8_UNORM_SRGB},
        &linear, conform_exact(c) ? 1e-4 : 0.5 * 2.3 / 255);
}

/// One mip of one layer of many.
void case_view_one_mip_of_one_layer(struct conform *c)
{
    enum { LAYERS = 4, MIPS = 3 };
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = 8,
                                                .height = 4,
                                                .mips = MIPS,
                                                .layers = LAYERS});
    for (uint32_t i = 0; i < LAYERS * MIPS; i++) {
        struct conform_model model;
        conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 8 >> i % MIPS, 4 >> i % MIPS, 1);
        model.data[0] = (uint8_t)(i * 20);
        conform_model_upload(c, &model, texture, i % MIPS, i / MIPS);
    }
    for (uint32_t i = 0; i < LAYERS * MIPS; i++)
        expect_texel(c,
                     &(weft_texture_view_desc){.texture = texture,
                                               .kind = WEFT_VIEW_2D,
                                               .mip = i % MIPS,
                                               .mip_count = 1,
                                               .layer = i / MIPS,
                                               .layer_count = 1},
                     &(struct conform_texel){{i * 20 / 255.0}}, 1e-6);
}

/// Layers of a view count from its first one.
void case_view_some_layers(struct conform *c)
{
    enum { LAYERS = 6, FIRST = 2 };
    struct conform_model model;
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 2, 2, LAYERS);
    conform_model_fill(&model, 7);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){
               .format = WEFT_FORMAT_RGBA8_UNORM, .width = 2, .height = 2, .layers = LAYERS});
    conform_model_upload(c, &model, texture, 0, 0);
    const struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_array_comp)),
        .view = conform_view_of(
            c, &(weft_texture_view_desc){.texture = texture, .layer = FIRST, .layer_count = 3}),
        .sampler = conform_sampler(c, &(weft_sampler_desc){0})};
    struct conform_probe probes[4];
    struct conform_texel want[4];
    for (uint32_t i = 0; i < 4; i++) {
        probes[i] = (struct conform_probe){.at = {0.75f, 0.25f, (float)i}};
        want[i] = conform_model_texel(&model, 1, 0, FIRST + (i < 2 ? i : 2));
    }
    conform_expect_probes(c, &probed, probes, want, 4, 1e-6);
}

// ---- sizes -------------------------------------------------------------------------------------

struct sized {
    weft_texture_desc texture;
    weft_texture_view_desc view;
    double want[2][4]; ///< At levels 0 and 1.
};

static void expect_sizes(struct conform *c, weft_compute_pipeline pipeline, const struct sized *s)
{
    weft_texture_desc texture = s->texture;
    weft_texture_view_desc view = s->view;
    texture.format = WEFT_FORMAT_RGBA8_UNORM;
    view.texture = conform_texture(c, &texture);
    const struct conform_probed probed = {.pipeline = pipeline,
                                          .view = conform_view_of(c, &view),
                                          .sampler = conform_sampler(c, &(weft_sampler_desc){0}),
                                          .op = CONFORM_PROBE_SIZE};
    struct conform_probe probes[2] = {{{0}, {0}}, {{0, 0, 0, 1}, {1}}};
    struct conform_texel want[2];
    for (uint32_t i = 0; i < 8; i++)
        want[i / 4].v[i % 4] = s->want[i / 4][i % 4];
    conform_expect_probes(c, &probed, probes, want, 2, 0);
}

void case_view_size_2d(struct conform *c)
{
    static const struct sized sized[] = {
        {{.width = 13, .height = 6, .mips = WEFT_MIPS_ALL}, {.mip = 0}, {{13, 6, 4}, {6, 3, 4}}},
        {{.width = 13, .height = 6, .mips = 3}, {.mip = 1}, {{6, 3, 2}, {3, 1, 2}}},
    };
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp));
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++)
        expect_sizes(c, pipeline, &sized[i]);
}

void case_view_size_1d(struct conform *c)
{
    static const struct sized sized = {
        {.kind = WEFT_TEXTURE_1D, .width = 9, .mips = 2}, {.mip = 0}, {{9, 2}, {4, 2}}};
    expect_sizes(c, conform_compute(c, CONFORM_SHADER(c, sample_1d_comp)), &sized);
}

void case_view_size_array(struct conform *c)
{
    static const struct sized sized = {{.width = 9, .height = 5, .mips = 2, .layers = 7},
                                       {.layer = 3},
                                       {{9, 5, 4, 2}, {4, 2, 4, 2}}};
    expect_sizes(c, conform_compute(c, CONFORM_SHADER(c, sample_2d_array_comp)), &sized);
}

void case_view_size_3d(struct conform *c)
{
    static const struct sized sized = {
        {.kind = WEFT_TEXTURE_3D, .width = 9, .height = 5, .depth = 6, .mips = 2},
        {.mip = 0},
        {{9, 5, 6, 2}, {4, 2, 3, 2}}};
    expect_sizes(c, conform_compute(c, CONFORM_SHADER(c, sample_3d_comp)), &sized);
}

void case_view_size_cube(struct conform *c)
{
    static const struct sized sized = {
        {.kind = WEFT_TEXTURE_CUBE, .width = 8, .height = 8, .layers = 6, .mips = 2},
        {.mip = 0},
        {{8, 8, 2}, {4, 4, 2}}};
    expect_sizes(c, conform_compute(c, CONFORM_SHADER(c, sample_cube_comp)), &sized);
}

void case_view_size_cube_array(struct conform *c)
{
    static const struct sized sized = {
        {.kind = WEFT_TEXTURE_CUBE, .width = 8, .height = 8, .layers = 18, .mips = 2},
        {.layer = 6},
        {{8, 8, 2, 2}, {4, 4, 2, 2}}};
    expect_sizes(c, conform_compute(c, CONFORM_SHADER(c, sample_cube_array_comp)), &sized);
}
