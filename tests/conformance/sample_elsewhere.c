// Sampling where it is rarer: in vertex shaders, through arrays with an index for each invocation,
// at borders of formats with few components, through views that swizzle or begin at a mip.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"
#include "texel.h"

#include <string.h>

#include "frame_vertex.frag.spv.h"
#include "sample_2d.comp.spv.h"
#include "sample_2d_array.comp.spv.h"
#include "table_non_uniform.comp.spv.h"
#include "vertex_fetch.vert.spv.h"

// ---- vertex shaders ----------------------------------------------------------------------------

enum { WIDTH = 5 };

static struct conform_texel fetched(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    struct conform_model *model = user;
    struct conform_texel sum = {{0}};
    (void)y;
    (void)z;
    if (x < WIDTH)
        return conform_model_texel(model, x, 0, 0);
    for (uint32_t k = 0; k < 4; k++) // the middle texel, which is between the two rows
        sum.v[k] = (conform_model_texel(model, WIDTH / 2, 0, 0).v[k] +
                    conform_model_texel(model, WIDTH / 2, 1, 0).v[k]) /
                   2;
    return sum;
}

void case_sample_in_vertex_shader(struct conform *c)
{
    struct conform_model model;
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, WIDTH, 2, 1);
    conform_model_fill(&model, 21);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = model.format, .width = WIDTH, .height = 2});
    conform_model_upload(c, &model, texture, 0, 0);
    const weft_graphics_pipeline pipeline = conform_pipeline(
        c,
        &(weft_graphics_pipeline_desc){.vertex = {.shader = CONFORM_SHADER(c, vertex_fetch_vert)},
                                       .fragment = {.shader = CONFORM_SHADER(c, frame_vertex_frag)},
                                       .colors = {WEFT_FORMAT_RGBA8_UNORM}});
    const weft_argument_write writes[] = {
        {.binding = 0, .view = conform_view(c, texture)},
        {.binding = 1,
         .sampler = conform_sampler(
             c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR})}};
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH + 1, 3);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    weft_render_draw(enc, 6, WIDTH + 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, fetched, &model, 1.1 / 255);
}

// ---- arrays ------------------------------------------------------------------------------------

void case_argument_non_uniform(struct conform *c)
{
    enum { COUNT = 32, THINGS = 4 };
    uint32_t texels[THINGS][2], words[THINGS][4], want[COUNT][2];
    weft_argument_write writes[2 * THINGS + 3];
    uint32_t count = 0;
    conform_bytes_fill(texels, sizeof texels, 1);
    conform_bytes_fill(words, sizeof words, 2);
    for (uint32_t i = 0; i < THINGS; i++) {
        const weft_texture texture =
            conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 2});
        weft_texture_write(conform_device(c), texture, NULL, texels[i], NULL);
        writes[count++] =
            (weft_argument_write){.binding = 0, .element = i, .view = conform_view(c, texture)};
        writes[count++] = (weft_argument_write){
            .binding = 2,
            .element = i,
            .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, 16, words[i])};
    }
    for (uint32_t i = 0; i < 2; i++)
        writes[count++] = (weft_argument_write){
            .binding = 1,
            .element = i,
            .sampler = conform_sampler(c, &(weft_sampler_desc){.u = i ? WEFT_ADDRESS_CLAMP_TO_EDGE
                                                                      : WEFT_ADDRESS_REPEAT})};
    const weft_buffer results = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof want, NULL);
    writes[count++] = (weft_argument_write){.binding = 3, .buffer = results};
    const weft_compute_pipeline pipeline =
        conform_compute(c, CONFORM_SHADER(c, table_non_uniform_comp));
    const weft_argument_table table = conform_table(
        c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), writes, count);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < COUNT; i++) {
        want[i][0] = texels[i * 7 % THINGS][i / 8 % 2];
        want[i][1] = words[i * 7 % THINGS][i % 4];
    }
    conform_expect_bytes(c, results, 0, want, sizeof want);
}

// ---- borders -----------------------------------------------------------------------------------

/// What the format lacks is 0 and 1 in its border, too.
void case_sample_border_of_few_components(struct conform *c)
{
    static const weft_format formats[] = {WEFT_FORMAT_R8_UNORM, WEFT_FORMAT_RG8_UNORM,
                                          WEFT_FORMAT_R16_FLOAT, WEFT_FORMAT_RG11B10_UFLOAT};
    static const struct conform_probe probes[] = {{.at = {-1, 0.5f}}, {.at = {0.5f, 3}}};
    struct conform_probed probed = {.pipeline =
                                        conform_compute(c, CONFORM_SHADER(c, sample_2d_comp))};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const uint32_t components = weft_format_get_info(formats[f])->components;
        probed.view =
            conform_view(c, conform_texture(c, &(weft_texture_desc){
                                                   .format = formats[f], .width = 4, .height = 4}));
        for (int border = 0; border < 3; border++) {
            const double light = border == WEFT_BORDER_OPAQUE_WHITE;
            const struct conform_texel color = {
                {light, components > 1 ? light : 0, components > 2 ? light : 0, 1}};
            const struct conform_texel want[2] = {color, color};
            probed.sampler =
                conform_sampler(c, &(weft_sampler_desc){.u = WEFT_ADDRESS_CLAMP_TO_BORDER,
                                                        .v = WEFT_ADDRESS_CLAMP_TO_BORDER,
                                                        .border = (weft_border_color)border});
            conform_expect_probes(c, &probed, probes, want, 2, 0);
        }
    }
}

// ---- views -------------------------------------------------------------------------------------

/// A gather takes a component behind the swizzle.
void case_view_swizzle_and_gather(struct conform *c)
{
    static const struct conform_rule rule = {.u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                             .v = WEFT_ADDRESS_CLAMP_TO_EDGE};
    const double uv[2] = {0.5, 0.5};
    struct conform_model model;
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 2, 2, 1);
    conform_model_fill(&model, 31);
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = model.format, .width = 2, .height = 2});
    conform_model_upload(c, &model, texture, 0, 0);
    struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
        .view = conform_view_of(
            c, &(weft_texture_view_desc){.texture = texture,
                                         .swizzle = {WEFT_SWIZZLE_B, WEFT_SWIZZLE_ONE,
                                                     WEFT_SWIZZLE_A, WEFT_SWIZZLE_ZERO}}),
        .sampler = conform_rule_sampler(c, &rule)};
    const struct conform_texel want[4] = {conform_rule_gather(&model, &rule, uv, 2),
                                          {{1, 1, 1, 1}},
                                          conform_rule_gather(&model, &rule, uv, 3),
                                          {{0, 0, 0, 0}}};
    for (uint32_t i = 0; i < 4; i++) {
        probed.op = (enum conform_probe_op)(CONFORM_PROBE_GATHER + i);
        conform_expect_probes(c, &probed, &(struct conform_probe){.at = {0.5f, 0.5f}}, &want[i], 1,
                              1e-6);
    }
}

/// Levels count from the view's first mip, and end with its last.
void case_view_some_mips(struct conform *c)
{
    enum { MIPS = 6, FIRST = 2, COUNT = 3 };
    static const float asked[] = {0, 1, 2, 3, -1};
    static const uint32_t levels[] = {2, 3, 4, 4, 2};
    struct conform_probe probes[5];
    struct conform_texel want[5];
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){
               .format = WEFT_FORMAT_RGBA8_UNORM, .width = 32, .height = 32, .mips = MIPS});
    for (uint32_t level = 0; level < MIPS; level++) {
        struct conform_model model;
        conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 32 >> level, 32 >> level, 1);
        memset(model.data, (int)(40 * level), conform_model_size(&model));
        conform_model_upload(c, &model, texture, level, 0);
    }
    for (uint32_t i = 0; i < 5; i++) {
        const double v = 40 * levels[i] / 255.0;
        probes[i] = (struct conform_probe){.at = {0.5f, 0.5f, 0, asked[i]}};
        want[i] = (struct conform_texel){{v, v, v, v}};
    }
    const struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
        .view = conform_view_of(
            c, &(weft_texture_view_desc){.texture = texture, .mip = FIRST, .mip_count = COUNT}),
        .sampler = conform_sampler(c, &(weft_sampler_desc){0})};
    conform_expect_probes(c, &probed, probes, want, 5, conform_filter_tolerance(c));
}

/// A cube is also an array of six.
void case_view_cube_as_array(struct conform *c)
{
    struct conform_model model;
    struct conform_probe probes[6];
    struct conform_texel want[6];
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 4, 4, 6);
    conform_model_fill(&model, 8);
    const weft_texture texture = conform_texture(c, &(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                                                                         .format = model.format,
                                                                         .width = 4,
                                                                         .height = 4,
                                                                         .layers = 6});
    conform_model_upload(c, &model, texture, 0, 0);
    for (uint32_t i = 0; i < 6; i++) {
        probes[i] = (struct conform_probe){.at = {0.375f, 0.875f, (float)i}};
        want[i] = conform_model_texel(&model, 1, 3, i);
    }
    const struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_array_comp)),
        .view = conform_view_of(
            c, &(weft_texture_view_desc){.texture = texture, .kind = WEFT_VIEW_2D_ARRAY}),
        .sampler = conform_sampler(c, &(weft_sampler_desc){0})};
    conform_expect_probes(c, &probed, probes, want, 6, 1e-6);
}

/// What is cleared through the twin is encoded, and read as bytes through the texture.
void case_view_render_to_the_twin(struct conform *c)
{
    static const float light[4] = {0.5f, 0.25f, 0.05f, 0.5f};
    const weft_texture target =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = 4,
                                                .height = 4,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER,
                                                .view_format = WEFT_FORMAT_RGBA8_UNORM_SRGB});
    const weft_texture_view view = conform_view_of(
        c, &(weft_texture_view_desc){.texture = target, .format = WEFT_FORMAT_RGBA8_UNORM_SRGB});
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(conform_begin_pass(cmd, view, light));
    conform_submit(c, cmd);
    double want[4];
    for (uint32_t i = 0; i < 4; i++)
        want[i] = i < 3 ? conform_srgb_encode((double)light[i]) : (double)light[i];
    conform_expect_color(c, target, want, 0.6 / 255);
}
