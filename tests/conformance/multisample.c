// Multisampling: standard sample positions, masks, resolves, alpha to coverage, sample shading.
#include "cases.h"
#include "draw.h"

#include "rect_uint.frag.spv.h"
#include "sample_id.frag.spv.h"
#include "sample_square.frag.spv.h"

enum { SIZE = 16 };

/// Vulkan's standard sample locations, in sixteenths of a texel.
static const uint8_t positions2[][2] = {{12, 12}, {4, 4}};
static const uint8_t positions4[][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
static const uint8_t positions8[][2] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                        {3, 13}, {1, 7},  {11, 15}, {15, 1}};

static const uint8_t (*positions_of(uint32_t samples))[2]
{
    return samples == 2 ? positions2 : samples == 4 ? positions4 : positions8;
}

/// A multisampled color with the texture that it is resolved into.
struct target {
    weft_texture samples, resolved;
    weft_texture_view views[2];
};

static struct target make_target(struct conform *c, weft_format format, uint32_t samples)
{
    const weft_format_caps cap = samples == 2   ? WEFT_FORMAT_CAN_MSAA_2
                                 : samples == 4 ? WEFT_FORMAT_CAN_MSAA_4
                                                : WEFT_FORMAT_CAN_MSAA_8;
    conform_need_format(c, format, cap | WEFT_FORMAT_CAN_RESOLVE);
    struct target t = {
        .samples = conform_texture(c, &(weft_texture_desc){.format = format,
                                                           .width = SIZE,
                                                           .height = SIZE,
                                                           .samples = samples,
                                                           .usage = WEFT_TEXTURE_USAGE_RENDER}),
        .resolved = conform_target(c, format, SIZE, SIZE)};
    t.views[0] = conform_view(c, t.samples);
    t.views[1] = conform_view(c, t.resolved);
    return t;
}

static weft_render_encoder *begin(weft_command_buffer *cmd, const struct target *t, weft_load load,
                                  weft_clear_color clear)
{
    return weft_command_begin_render(
        cmd, &(weft_render_pass_desc){
                 .colors[0] = {
                     .view = t->views[0], .resolve = t->views[1], .load = load, .clear = clear}});
}

static weft_graphics_pipeline pipeline_of(struct conform *c, weft_format format, uint32_t samples,
                                          uint32_t mask, weft_pipeline_flags flags,
                                          weft_shader fragment)
{
    weft_graphics_pipeline_desc desc = {
        .colors = {format}, .samples = samples, .sample_mask = mask, .flags = flags};
    conform_rect_shaders(c, &desc);
    if (!weft_shader_is_none(fragment))
        desc.fragment.shader = fragment;
    return conform_pipeline(c, &desc);
}

// ---- coverage ----------------------------------------------------------------------------------

/// How far texel x is covered, in sixteenths, which every device can place corners on: more from
/// texel to texel, and past each sample. Two and four samples stand on even sixteenths, eight on
/// odd ones: no sample is on such an edge.
static uint32_t part_of(uint32_t x, uint32_t samples)
{
    return samples == 8 ? (x + 1) & ~1u : x | 1;
}

/// From its left edge in the upper half of the target, from its upper edge in the lower half.
static struct conform_texel covered(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t samples = *(const uint32_t *)user;
    const uint8_t(*positions)[2] = positions_of(samples);
    (void)z;
    uint32_t count = 0;
    for (uint32_t i = 0; i < samples; i++)
        count += positions[i][y < SIZE / 2 ? 0 : 1] < part_of(x, samples);
    const double v = (double)count / samples;
    return (struct conform_texel){{v, v, v, 1}};
}

static void coverage(struct conform *c, uint32_t samples)
{
    const struct target t = make_target(c, WEFT_FORMAT_RGBA8_UNORM, samples);
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, WEFT_FORMAT_RGBA8_UNORM, samples, 0, 0, (weft_shader){0});
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        begin(cmd, &t, WEFT_LOAD_CLEAR, (weft_clear_color){.f = {0, 0, 0, 1}});
    weft_render_set_pipeline(enc, pipeline);
    for (uint32_t x = 0; x < SIZE; x++) {
        const float left = (float)x / 8 - 1, right = left + 0.125F,
                    part = (float)part_of(x, samples) / 16 / 8;
        conform_draw_clip_rect(enc, (const float[4]){left, 0, left + part, 1}, 0, conform_white);
        for (uint32_t y = SIZE / 2; y < SIZE; y++) {
            const float top = 1 - (float)y / 8;
            conform_draw_clip_rect(enc, (const float[4]){left, top - part, right, top}, 0,
                                   conform_white);
        }
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, t.resolved, NULL, covered, &samples, 1.0 / 255);
}

void case_multisample_coverage_2(struct conform *c)
{
    coverage(c, 2);
}

void case_multisample_coverage_4(struct conform *c)
{
    coverage(c, 4);
}

void case_multisample_coverage_8(struct conform *c)
{
    coverage(c, 8);
}

static struct conform_texel inside(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const weft_rect *r = user;
    const double v = x - (uint32_t)r->x < r->width && y - (uint32_t)r->y < r->height;
    (void)z;
    return (struct conform_texel){{v, v, v, 1}};
}

/// A scissor's edges lie between texels: all samples of one are inside, or none.
void case_multisample_scissor(struct conform *c)
{
    weft_rect r = {3, 2, 5, 7};
    const struct target t = make_target(c, WEFT_FORMAT_RGBA8_UNORM, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        begin(cmd, &t, WEFT_LOAD_CLEAR, (weft_clear_color){.f = {0, 0, 0, 1}});
    weft_render_set_pipeline(enc,
                             pipeline_of(c, WEFT_FORMAT_RGBA8_UNORM, 4, 0, 0, (weft_shader){0}));
    weft_render_set_scissor(enc, &r);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, t.resolved, NULL, inside, &r, 0);
}

// ---- masks and resolves ------------------------------------------------------------------------

/// Every sample mask of four samples: as many parts of white as it has bits.
void case_multisample_mask(struct conform *c)
{
    for (uint32_t mask = 1; mask < 16; mask++) {
        const struct target t = make_target(c, WEFT_FORMAT_RGBA8_UNORM, 4);
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc =
            begin(cmd, &t, WEFT_LOAD_CLEAR, (weft_clear_color){.f = {0, 0, 0, 1}});
        weft_render_set_pipeline(
            enc, pipeline_of(c, WEFT_FORMAT_RGBA8_UNORM, 4, mask, 0, (weft_shader){0}));
        conform_fill(enc, 0, conform_white);
        weft_render_end(enc);
        conform_submit(c, cmd);
        const double v = ((mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3)) / 4.0;
        conform_expect_color(c, t.resolved, (const double[4]){v, v, v, 1}, 1.0 / 255);
    }
}

static void expect_one_of(struct conform *c, weft_texture texture, const double a[4],
                          const double b[4])
{
    uint8_t texels[SIZE * SIZE][4];
    if (!conform_read_texels(c, texture, texels, sizeof texels))
        return;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        bool is_a = true, is_b = true;
        for (uint32_t k = 0; k < 4; k++) {
            is_a &= texels[i][k] == a[k];
            is_b &= texels[i][k] == b[k];
        }
        if (!is_a && !is_b)
            conform_fail(c, "texel %u is (%u, %u, %u, %u), which no sample holds", i, texels[i][0],
                         texels[i][1], texels[i][2], texels[i][3]);
    }
}

/// Integers are not averaged: the value of one sample counts, of sample 0 on the software device.
void case_multisample_integer_resolve(struct conform *c)
{
    const weft_shader fragment = CONFORM_SHADER(c, rect_uint_frag);
    for (uint32_t i = 0; i < 2; i++) {
        const struct target t = make_target(c, WEFT_FORMAT_RGBA8_UINT, 4);
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc =
            begin(cmd, &t, WEFT_LOAD_CLEAR, (weft_clear_color){.u = {7, 100, 255, 0}});
        weft_render_set_pipeline(
            enc, pipeline_of(c, WEFT_FORMAT_RGBA8_UINT, 4, i == 0 ? 1 : 0xe, 0, fragment));
        conform_fill(enc, 0, (const float[4]){9, 200, 3, 50});
        weft_render_end(enc);
        conform_submit(c, cmd);
        const double drawn[4] = {9, 200, 3, 50}, before[4] = {7, 100, 255, 0};
        if (conform_exact(c))
            conform_expect_color(c, t.resolved, i == 0 ? drawn : before, 0);
        else
            expect_one_of(c, t.resolved, drawn, before);
    }
}

static struct conform_texel halves(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    const double v = x < SIZE / 2 ? 0.25 : 0.75;
    return (struct conform_texel){{v, v, v, 1}};
}

/// The samples themselves are stored beside the resolve: a second pass loads them, adds to them and
/// resolves again. Left: one sample of the first pass; right: that and two of the second.
void case_multisample_load_after_resolve(struct conform *c)
{
    const struct target t = make_target(c, WEFT_FORMAT_RGBA8_UNORM, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        begin(cmd, &t, WEFT_LOAD_CLEAR, (weft_clear_color){.f = {0, 0, 0, 1}});
    weft_render_set_pipeline(enc,
                             pipeline_of(c, WEFT_FORMAT_RGBA8_UNORM, 4, 1, 0, (weft_shader){0}));
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_barrier(cmd);
    enc = begin(cmd, &t, WEFT_LOAD_LOAD, (weft_clear_color){.f = {0}});
    weft_render_set_pipeline(enc,
                             pipeline_of(c, WEFT_FORMAT_RGBA8_UNORM, 4, 0xc, 0, (weft_shader){0}));
    conform_draw_rect(enc, &(weft_rect){SIZE / 2, 0, SIZE / 2, SIZE}, SIZE, SIZE, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, t.resolved, NULL, halves, NULL, 1.0 / 255);
}

// ---- alpha to coverage -------------------------------------------------------------------------

/// More alpha never covers fewer samples; none at 0 and all at 1. Nothing else is promised.
void case_multisample_alpha_to_coverage(struct conform *c)
{
    const struct target t = make_target(c, WEFT_FORMAT_RGBA8_UNORM, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        begin(cmd, &t, WEFT_LOAD_CLEAR, (weft_clear_color){.f = {0, 0, 0, 0}});
    weft_render_set_pipeline(enc, pipeline_of(c, WEFT_FORMAT_RGBA8_UNORM, 4, 0,
                                              WEFT_PIPELINE_ALPHA_TO_COVERAGE, (weft_shader){0}));
    for (int32_t x = 0; x < SIZE; x++)
        conform_draw_rect(enc, &(weft_rect){x, 0, 1, SIZE}, SIZE, SIZE, 0,
                          (const float[4]){1, 1, 1, (float)x / (SIZE - 1)});
    weft_render_end(enc);
    conform_submit(c, cmd);
    uint8_t texels[SIZE][SIZE][4];
    if (!conform_read_texels(c, t.resolved, texels, sizeof texels))
        return;
    uint32_t sum = 0, before = 0;
    for (uint32_t x = 0; x < SIZE; x++) {
        // Dithered over texels perhaps: the area of a column counts.
        sum = 0;
        for (uint32_t y = 0; y < SIZE; y++)
            sum += texels[y][x][0];
        CONFORM_EXPECT(c, sum >= before && (x > 0 || sum == 0));
        before = sum;
    }
    CONFORM_EXPECT(c, sum == 255 * SIZE);
}

// ---- sample shading ----------------------------------------------------------------------------

static weft_texture shade(struct conform *c, weft_pipeline_flags flags, weft_shader fragment)
{
    const struct target t = make_target(c, WEFT_FORMAT_RGBA8_UNORM, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        begin(cmd, &t, WEFT_LOAD_CLEAR, (weft_clear_color){.f = {0, 0, 0, 0}});
    weft_render_set_pipeline(enc, pipeline_of(c, WEFT_FORMAT_RGBA8_UNORM, 4, 0, flags, fragment));
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return t.resolved;
}

/// With the flag the shader runs at each sample: the mean of the squares of the positions, which is
/// not the square of the center. Without it, once at the center.
void case_multisample_sample_shading(struct conform *c)
{
    const weft_shader fragment = CONFORM_SHADER(c, sample_square_frag);
    double mean[2] = {0, 0};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 2; k++)
            mean[k] += positions4[i][k] * positions4[i][k] / 256.0 / 4;
    conform_expect_color(c, shade(c, WEFT_PIPELINE_SAMPLE_SHADING, fragment),
                         (const double[4]){mean[0], mean[1], 0, 1}, 1.5 / 255);
    conform_expect_color(c, shade(c, 0, fragment), (const double[4]){0.25, 0.25, 0, 1}, 1.0 / 255);
}

/// A shader that asks for the sample runs for each one, flag or not.
void case_multisample_sample_id(struct conform *c)
{
    conform_expect_color(c, shade(c, 0, CONFORM_SHADER(c, sample_id_frag)),
                         (const double[4]){(0.125 + 0.25 + 0.5 + 1) / 4, 0.25, 0, 1}, 1.5 / 255);
}
