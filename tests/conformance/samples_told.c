// What a shader is told of its samples, and samples fetched one by one.
#include "cases.h"
#include "draw.h"
#include "probe.h"

#include "fetch_multisample.comp.spv.h"
#include "fetch_multisample_array.comp.spv.h"
#include "mask_in.frag.spv.h"
#include "mask_in_sample.frag.spv.h"

enum { SIZE = 16, WIDTH = 4 * SIZE, SAMPLES = 4, LAYERS = 3 };

/// Vulkan's standard positions of four samples along x, in sixteenths of a texel.
static const uint8_t columns[SAMPLES] = {6, 14, 2, 10};

/// How far the texel of step i is covered, in sixteenths, which every device can place corners on;
/// samples stand on even ones.
static uint32_t part_of(uint32_t i)
{
    return i | 1;
}

/// Every other column of the right half.
static uint32_t column_of(uint32_t i)
{
    return WIDTH / 2 + 2 * i + 1;
}

static uint32_t covered_at(uint32_t step)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SAMPLES; i++)
        count += columns[i] < part_of(step);
    return count;
}

/// What covered samples hold, by step.
struct told {
    bool all_white;
    uint32_t step;
};

static struct conform_texel resolved_to(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct told *told = user;
    const double part = covered_at(told->step) / (double)SAMPLES,
                 v = part * (told->all_white ? 1 : part);
    (void)x;
    (void)y;
    (void)z;
    return (struct conform_texel){{v, v, v, 1}};
}

static void expect_told(struct conform *c, weft_shader fragment, struct told told)
{
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM,
                        WEFT_FORMAT_CAN_MSAA_4 | WEFT_FORMAT_CAN_RESOLVE);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}, .samples = SAMPLES};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = fragment;
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture samples =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = WIDTH,
                                                .height = SIZE,
                                                .samples = SAMPLES,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    const weft_texture resolved = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, samples),
                                                    .resolve = conform_view(c, resolved),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0, 0, 0, 1}}}});
    weft_render_set_pipeline(enc, pipeline);
    for (uint32_t i = 0; i < SIZE; i++) {
        // One triangle is all of it in the lower half, and lies within the target, so that it is
        // not clipped into several: where two meet, each is told of its own samples. Columns in
        // between are not judged: multisample/scissor is the case of a scissor's edges.
        const uint32_t x = column_of(i);
        const struct conform_rect_root root = {
            .rect = {((float)x + (float)part_of(i) / 16) * 2 / WIDTH - 1, -1, -1, 1},
            .color = {SAMPLES}};
        weft_render_set_scissor(enc, &(weft_rect){(int32_t)x, 0, 1, SIZE});
        weft_render_set_root(enc, 0, 0, &root, sizeof root);
        weft_render_draw(enc, 3, 1, 0, 0);
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    for (told.step = 0; told.step < SIZE; told.step++)
        conform_expect_texels(
            c, resolved,
            &(weft_texture_region){.x = column_of(told.step), .y = SIZE / 2, .width = 1},
            resolved_to, &told, 1.5 / 255);
}

void case_multisample_mask_in(struct conform *c)
{
    expect_told(c, CONFORM_SHADER(c, mask_in_frag), (struct told){.all_white = false});
}

void case_multisample_mask_in_sample(struct conform *c)
{
    expect_told(c, CONFORM_SHADER(c, mask_in_sample_frag), (struct told){.all_white = true});
}

// ---- fetches -----------------------------------------------------------------------------------

/// Each sample and layer has a color of its own, by sample masks.
static weft_texture make_samples(struct conform *c, uint32_t layers)
{
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                .width = SIZE,
                                .height = 2,
                                .layers = layers,
                                .samples = SAMPLES,
                                .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED});
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t layer = 0; layer < layers; layer++) {
        const weft_texture_view view = conform_view_of(
            c, &(weft_texture_view_desc){
                   .texture = texture, .kind = WEFT_VIEW_2D, .layer = layer, .layer_count = 1});
        weft_render_encoder *enc = conform_begin_pass(cmd, view, conform_black);
        for (uint32_t s = 0; s < SAMPLES; s++) {
            weft_graphics_pipeline_desc desc = {
                .colors = {WEFT_FORMAT_RGBA8_UNORM}, .samples = SAMPLES, .sample_mask = 1u << s};
            conform_rect_shaders(c, &desc);
            weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
            conform_fill(enc, 0,
                         (const float[4]){(float)(50 * s) / 255, (float)(80 * layer) / 255, 0, 1});
        }
        weft_render_end(enc);
    }
    conform_submit(c, cmd);
    return texture;
}

static void expect_fetches(struct conform *c, struct conform_probed *probed, uint32_t layers)
{
    struct conform_probe probes[SAMPLES * LAYERS];
    struct conform_texel want[SAMPLES * LAYERS];
    for (uint32_t i = 0; i < SAMPLES * layers; i++) {
        const uint32_t s = i % SAMPLES, layer = i / SAMPLES;
        probes[i] = (struct conform_probe){.at = {(float)i, (float)(i % 2), (float)layer},
                                           .more = {(float)s}};
        want[i] = (struct conform_texel){{50 * s / 255.0, 80 * layer / 255.0, 0, 1}};
    }
    probed->op = CONFORM_PROBE_FETCH;
    conform_expect_probes(c, probed, probes, want, SAMPLES * layers, 1e-6);
}

void case_fetch_each_sample(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_CAN_MSAA_4);
    struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, fetch_multisample_comp)),
        .view = conform_view(c, make_samples(c, 1))};
    expect_fetches(c, &probed, 1);
}

void case_fetch_samples_of_layers(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_CAN_MSAA_4);
    struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, fetch_multisample_array_comp)),
        .view = conform_view(c, make_samples(c, LAYERS))};
    expect_fetches(c, &probed, LAYERS);
    probed.op = CONFORM_PROBE_SIZE;
    conform_expect_probes(c, &probed, &(struct conform_probe){0},
                          &(struct conform_texel){{SIZE, 2, LAYERS, SAMPLES}}, 1, 0);
}
