// Textures other than 2D: coordinates, layers, slices, faces and the seams between them.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"

#include "cube_at.frag.spv.h"
#include "fetch_multisample.comp.spv.h"
#include "sample_1d.comp.spv.h"
#include "sample_2d_array.comp.spv.h"
#include "sample_3d.comp.spv.h"
#include "sample_cube.comp.spv.h"
#include "sample_cube_array.comp.spv.h"

static const weft_sampler_desc linear_edge = {.mag = WEFT_FILTER_LINEAR,
                                              .min = WEFT_FILTER_LINEAR,
                                              .u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                              .v = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                              .w = WEFT_ADDRESS_CLAMP_TO_EDGE};

/// A texture of a kind, as the model.
static weft_texture_view make(struct conform *c, struct conform_model *model,
                              weft_texture_kind kind)
{
    const bool volume = kind == WEFT_TEXTURE_3D;
    conform_model_fill(model, 3);
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.kind = kind,
                                                .format = model->format,
                                                .width = model->width,
                                                .height = model->height,
                                                .depth = volume ? model->depth : 1,
                                                .layers = volume ? 1 : model->depth});
    conform_model_upload(c, model, texture, 0, 0);
    return conform_view(c, texture);
}

static struct conform_texel mix(struct conform_texel a, struct conform_texel b, double weight)
{
    struct conform_texel out;
    for (uint32_t i = 0; i < 4; i++)
        out.v[i] = a.v[i] * (1 - weight) + b.v[i] * weight;
    return out;
}

void case_sample_1d(struct conform *c)
{
    enum { SIZE = 5, COUNT = 2 * SIZE };
    struct conform_model model;
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT];
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, SIZE, 1, 1);
    struct conform_probed probed = {.view = make(c, &model, WEFT_TEXTURE_1D)};
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t left = i / 2, right = left + 1 < SIZE ? left + 1 : left;
        probes[i] =
            (struct conform_probe){.at = {((float)left + 0.5f + (i & 1 ? 0.25f : 0)) / SIZE}};
        want[i] = mix(conform_model_texel(&model, left, 0, 0),
                      conform_model_texel(&model, right, 0, 0), i & 1 ? 0.25 : 0);
    }
    probed.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_1d_comp));
    probed.sampler = conform_sampler(c, &linear_edge);
    conform_expect_probes(c, &probed, probes, want, COUNT, conform_filter_tolerance(c));
}

/// The layer is the nearest whole number, clamped; layers are never mixed.
void case_sample_array_layers(struct conform *c)
{
    static const float asked[] = {0, 1, 2, 3, 0.4f, 0.6f, 1.49f, 2.51f, -3, -0.3f, 99, 3.6f};
    static const uint32_t layers[] = {0, 1, 2, 3, 0, 1, 1, 3, 0, 0, 3, 3};
    enum { COUNT = sizeof layers / sizeof *layers };
    struct conform_model model;
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT];
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 3, 2, 4);
    struct conform_probed probed = {.view = make(c, &model, WEFT_TEXTURE_2D)};
    for (uint32_t i = 0; i < COUNT; i++) {
        probes[i] = (struct conform_probe){.at = {0.5f, 0.75f, asked[i]}};
        want[i] = conform_model_texel(&model, 1, 1, layers[i]);
    }
    probed.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_array_comp));
    probed.sampler = conform_sampler(c, &linear_edge);
    conform_expect_probes(c, &probed, probes, want, COUNT, conform_filter_tolerance(c));
}

void case_sample_3d(struct conform *c)
{
    enum { W = 3, H = 2, D = 4, COUNT = 2 * D };
    struct conform_model model;
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT];
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, W, H, D);
    struct conform_probed probed = {.view = make(c, &model, WEFT_TEXTURE_3D)};
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t z = i / 2, next = z + 1 < D ? z + 1 : z;
        const double weight = i & 1 ? 0.75 : 0;
        probes[i] =
            (struct conform_probe){.at = {1.5f / W, 0.5f, ((float)z + 0.5f + (float)weight) / D}};
        want[i] = mix(
            mix(conform_model_texel(&model, 1, 0, z), conform_model_texel(&model, 1, 1, z), 0.5),
            mix(conform_model_texel(&model, 1, 0, next), conform_model_texel(&model, 1, 1, next),
                0.5),
            weight);
    }
    probed.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_3d_comp));
    probed.sampler = conform_sampler(c, &linear_edge);
    conform_expect_probes(c, &probed, probes, want, COUNT, conform_filter_tolerance(c));
}

// ---- cubes -------------------------------------------------------------------------------------

/// The direction that hits (s, t) of a face, 0 to 1 each: the table of the specification, read
/// from right to left.
static void face_direction(uint32_t face, float s, float t, float out[3])
{
    const float a = 2 * s - 1, b = 2 * t - 1;
    const float table[6][3] = {{1, -b, -a}, {-1, -b, a}, {a, 1, b},
                               {a, -1, -b}, {a, -b, 1},  {-a, -b, -1}};
    for (uint32_t i = 0; i < 3; i++)
        out[i] = table[face][i];
}

enum { SIDE = 4 };

static float centre(uint32_t i)
{
    return ((float)i + 0.5f) / SIDE;
}

void case_sample_cube_faces(struct conform *c)
{
    enum { COUNT = 6 * SIDE * SIDE };
    struct conform_model model;
    struct conform_probe probes[COUNT] = {0};
    struct conform_texel want[COUNT];
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE, 6);
    struct conform_probed probed = {.view = make(c, &model, WEFT_TEXTURE_CUBE)};
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE % SIDE, face = i / (SIDE * SIDE);
        face_direction(face, centre(x), centre(y), probes[i].at);
        for (uint32_t k = 0; k < 3; k++)
            probes[i].at[k] *= 1 + (float)(i % 3); // the length does not matter
        want[i] = conform_model_texel(&model, x, y, face);
    }
    probed.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_cube_comp));
    probed.sampler = conform_sampler(c, &(weft_sampler_desc){0});
    conform_expect_probes(c, &probed, probes, want, COUNT, 1e-6);
}

enum { SEAM_PROBES = 2 * SIDE };

/// On an edge a linear filter mixes the texels of both faces in halves, whatever the address modes
/// say: right of +Z is +X, and above +X is +Y, turned.
static weft_texture_view make_seams(struct conform *c, struct conform_probe probes[SEAM_PROBES],
                                    struct conform_texel want[SEAM_PROBES])
{
    struct conform_model model;
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE, 6);
    const weft_texture_view view = make(c, &model, WEFT_TEXTURE_CUBE);
    for (uint32_t i = 0; i < SIDE; i++) {
        probes[i] = (struct conform_probe){.at = {1, 1 - 2 * centre(i), 1}};
        want[i] = mix(conform_model_texel(&model, SIDE - 1, i, 4),
                      conform_model_texel(&model, 0, i, 0), 0.5);
        probes[SIDE + i] = (struct conform_probe){.at = {1, 1, 1 - 2 * centre(i)}};
        want[SIDE + i] = mix(conform_model_texel(&model, i, 0, 0),
                             conform_model_texel(&model, SIDE - 1, SIDE - 1 - i, 2), 0.5);
    }
    return view;
}

void case_sample_cube_seams(struct conform *c)
{
    struct conform_probe probes[SEAM_PROBES];
    struct conform_texel want[SEAM_PROBES];
    const struct conform_probed probed = {
        .view = make_seams(c, probes, want),
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_cube_comp)),
        .sampler = conform_sampler(c, &linear_edge)};
    conform_expect_probes(c, &probed, probes, want, SEAM_PROBES, conform_filter_tolerance(c));
}

static struct conform_texel seam_at(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)y;
    (void)z;
    return ((const struct conform_texel *)user)[x];
}

/// The same, a texel of the target for each probe.
void case_sample_cube_seams_drawn(struct conform *c)
{
    struct conform_probe probes[SEAM_PROBES];
    struct conform_texel want[SEAM_PROBES];
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, cube_at_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_argument_write writes[] = {
        {.binding = 0, .view = make_seams(c, probes, want)},
        {.binding = 1, .sampler = conform_sampler(c, &linear_edge)}};
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SEAM_PROBES, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    for (int32_t i = 0; i < SEAM_PROBES; i++)
        conform_draw_rect(enc, &(weft_rect){i, 0, 1, 1}, SEAM_PROBES, 1, 0, probes[i].at);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, seam_at, want, conform_filter_tolerance(c) + 0.5 / 255);
}

void case_sample_cube_array(struct conform *c)
{
    enum { CUBES = 3, COUNT = 6 * CUBES };
    struct conform_model model;
    struct conform_probe probes[COUNT] = {0};
    struct conform_texel want[COUNT];
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE, 6 * CUBES);
    struct conform_probed probed = {.view = make(c, &model, WEFT_TEXTURE_CUBE)};
    for (uint32_t i = 0; i < COUNT; i++) {
        face_direction(i % 6, centre(1), centre(3), probes[i].at);
        probes[i].at[3] = (float)(i / 6); // NOLINT(bugprone-integer-division): a cube
        want[i] = conform_model_texel(&model, 1, 3, i);
    }
    probed.pipeline = conform_compute(c, CONFORM_SHADER(c, sample_cube_array_comp));
    probed.sampler = conform_sampler(c, &(weft_sampler_desc){0});
    conform_expect_probes(c, &probed, probes, want, COUNT, 1e-6);
}

// ---- samples -----------------------------------------------------------------------------------

void case_fetch_multisample(struct conform *c)
{
    static const float color[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                .width = 3,
                                .height = 2,
                                .samples = 4,
                                .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED});
    struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, fetch_multisample_comp)),
        .view = conform_view(c, texture),
        .op = CONFORM_PROBE_FETCH};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(conform_begin_pass(cmd, probed.view, color));
    conform_submit(c, cmd);
    struct conform_probe probes[4];
    struct conform_texel want[4];
    for (uint32_t i = 0; i < 4; i++) {
        probes[i] =
            (struct conform_probe){.at = {(float)(i % 3), (float)(i % 2)}, .more = {(float)i}};
        want[i] = (struct conform_texel){{0.2, 0.4, 0.6, 0.8}};
    }
    conform_expect_probes(c, &probed, probes, want, 4, 1e-6);
    probed.op = CONFORM_PROBE_SIZE;
    conform_expect_probes(c, &probed, probes, &(struct conform_texel){{3, 2, 4, 0}}, 1, 0);
}
