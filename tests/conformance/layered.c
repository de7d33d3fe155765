// Passes over several layers: clears and loads are of all of them, and each primitive goes to the
// layer that the vertex shader chose for its first vertex.
#include "cases.h"
#include "draw.h"

#include "layer.frag.spv.h"
#include "layer.vert.spv.h"
#include "layer_first.vert.spv.h"
#include "layer_in.frag.spv.h"
#include "viewport_index.vert.spv.h"

enum { SIZE = 16, LAYERS = 4 };

/// Root block of layer.vert.
struct root {
    float rect[4], depth;
    int32_t first, step;
};

static struct conform_texel same(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return *(const struct conform_texel *)user;
}

static const struct root whole = {{-1, -1, 1, 1}, 0, 0, 1};

static weft_graphics_pipeline pipeline_of(struct conform *c, weft_graphics_pipeline_desc desc)
{
    if (desc.colors[0] == WEFT_FORMAT_NONE)
        desc.colors[0] = WEFT_FORMAT_RGBA8_UNORM;
    if (weft_shader_is_none(desc.vertex.shader))
        desc.vertex.shader = CONFORM_SHADER(c, layer_vert);
    if (weft_shader_is_none(desc.fragment.shader))
        desc.fragment.shader = CONFORM_SHADER(c, layer_frag);
    return conform_pipeline(c, &desc);
}

static weft_texture make(struct conform *c, uint32_t size, uint32_t layers, uint32_t samples)
{
    return conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                   .width = size,
                                                   .height = size,
                                                   .layers = layers,
                                                   .samples = samples,
                                                   .usage = WEFT_TEXTURE_USAGE_RENDER});
}

/// What each layer of a texture is to hold, all over: the number of an instance, black after a
/// clear, or the red of before.
enum { CLEAR = 0, BEFORE = 99 };

static void expect_layer(struct conform *c, weft_texture texture, const weft_texture_region *region,
                         uint32_t number)
{
    struct conform_texel want = {{number / 255.0, 10 * number / 255.0, 0, 1}};
    if (number == BEFORE)
        want = (struct conform_texel){{1, 0, 0, 1}};
    conform_expect_texels(c, texture, region, same, &want, 0);
}

static void expect_layers(struct conform *c, weft_texture texture, const uint32_t *numbers,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        expect_layer(c, texture, &(weft_texture_region){.layer = i}, numbers[i]);
}

static void draw(weft_render_encoder *enc, weft_graphics_pipeline pipeline, const struct root *root,
                 uint32_t instances)
{
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_root(enc, 0, 0, root, sizeof *root);
    weft_render_draw(enc, 6, instances, 0, 0);
}

/// One pass over a view, cleared to black.
static void draw_to(struct conform *c, weft_texture_view view, weft_graphics_pipeline pipeline,
                    const struct root *root, uint32_t instances)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, view, conform_black);
    draw(enc, pipeline, root, instances);
    weft_render_end(enc);
    conform_submit(c, cmd);
}

void case_layered_each(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, (weft_graphics_pipeline_desc){.label = "layers"});
    const weft_texture forward = make(c, SIZE, LAYERS, 1), backward = make(c, SIZE, LAYERS, 1);
    draw_to(c, conform_view(c, forward), pipeline, &whole, LAYERS);
    expect_layers(c, forward, (const uint32_t[]){1, 2, 3, 4}, LAYERS);
    const struct root turned = {{-1, -1, 1, 1}, 0, LAYERS - 1, -1};
    draw_to(c, conform_view(c, backward), pipeline, &turned, LAYERS);
    expect_layers(c, backward, (const uint32_t[]){4, 3, 2, 1}, LAYERS);
}

/// Layers that there are not take nothing, and spoil nothing.
void case_layered_outside(struct conform *c)
{
    if (!conform_exact(c) && conform_draws(c))
        conform_refuse(c, "only the software device drops what goes to a layer that is not there");
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, (weft_graphics_pipeline_desc){.label = "layers"});
    const weft_texture texture = make(c, SIZE, LAYERS, 1), one = make(c, SIZE, 1, 1);
    const struct root root = {{-1, -1, 1, 1}, 0, -3, 2}; // -3, -1, 1, 3, 5, 7
    draw_to(c, conform_view(c, texture), pipeline, &root, 6);
    expect_layers(c, texture, (const uint32_t[]){CLEAR, 3, CLEAR, 4}, LAYERS);
    const struct root next = {{-1, -1, 1, 1}, 0, 0, 1};
    draw_to(c, conform_view(c, one), pipeline, &next, 3);
    expect_layers(c, one, (const uint32_t[]){1}, 1);
}

/// What is not drawn to is as it was loaded; views see layers from their own first one on.
void case_layered_loads(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, (weft_graphics_pipeline_desc){.label = "layers"});
    const weft_texture texture = make(c, SIZE, LAYERS + 2, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(conform_begin_pass(cmd, conform_view(c, texture), conform_red));
    conform_barrier(cmd);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){
                 .colors[0] = {
                     .view = conform_view_of(c, &(weft_texture_view_desc){.texture = texture,
                                                                          .layer = 1,
                                                                          .layer_count = LAYERS}),
                     .load = WEFT_LOAD_LOAD}});
    const struct root root = {{-1, -1, 1, 1}, 0, 1, 2}; // 1 and 3 of four
    draw(enc, pipeline, &root, 2);
    weft_render_end(enc);
    conform_submit(c, cmd);
    expect_layers(c, texture, (const uint32_t[]){BEFORE, BEFORE, 1, BEFORE, 2, BEFORE}, LAYERS + 2);
}

/// A vertex shader that writes no layer draws to the first.
void case_layered_default(struct conform *c)
{
    const weft_texture texture = make(c, SIZE, LAYERS, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, texture), conform_black);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL));
    conform_fill(enc, 0, conform_red);
    weft_render_end(enc);
    conform_submit(c, cmd);
    expect_layers(c, texture, (const uint32_t[]){BEFORE, CLEAR, CLEAR, CLEAR}, LAYERS);
}

/// Each layer has a depth of its own: the second draw is behind in every other layer.
void case_layered_depth(struct conform *c)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true}};
    const weft_graphics_pipeline pipeline = pipeline_of(
        c, (weft_graphics_pipeline_desc){
               .depth_stencil = WEFT_FORMAT_D16_UNORM, .states = &state, .state_count = 1});
    const weft_texture texture = make(c, SIZE, LAYERS, 1);
    const weft_texture depth =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_D16_UNORM,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .layers = LAYERS,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, texture),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0, 0, 0, 1}}},
                                      .depth_stencil = conform_view(c, depth),
                                      .depth_load = WEFT_LOAD_CLEAR,
                                      .clear_depth = 0.75F});
    const struct root near = {{-1, -1, 1, 1}, 0.25F, 0, 2};   // 0 and 2
    const struct root middle = {{-1, -1, 1, 1}, 0.5F, 3, -1}; // 3, 2, 1, 0
    draw(enc, pipeline, &near, 2);
    draw(enc, pipeline, &middle, 4);
    weft_render_end(enc);
    conform_submit(c, cmd);
    expect_layers(c, texture, (const uint32_t[]){1, 3, 2, 1}, LAYERS);
    static const double depths[LAYERS] = {0.25, 0.5, 0.25, 0.5};
    for (uint32_t i = 0; i < LAYERS; i++) {
        struct conform_texel want = {{depths[i], 0, 0, 1}};
        conform_expect_texels(c, depth, &(weft_texture_region){.layer = i}, same, &want,
                              0.6 / 65535);
    }
}

/// All layers are resolved, drawn to or not. Half of the samples of the drawn ones are covered.
void case_layered_resolve(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM,
                        WEFT_FORMAT_CAN_MSAA_4 | WEFT_FORMAT_CAN_RESOLVE);
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, (weft_graphics_pipeline_desc){.samples = 4, .sample_mask = 5});
    const weft_texture samples = make(c, SIZE, LAYERS, 4), resolved = make(c, SIZE, LAYERS, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, samples),
                                                    .resolve = conform_view(c, resolved),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0, 0, 1, 1}}}});
    const struct root root = {{-1, -1, 1, 1}, 0, 1, 2};
    draw(enc, pipeline, &root, 2);
    weft_render_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < LAYERS; i++) {
        const double half = i % 2 ? 0.5 : 1, number = i % 2 ? (i + 1) / 2.0 : 0;
        struct conform_texel want = {{number / 2 / 255, 10 * number / 2 / 255, half, 1}};
        conform_expect_texels(c, resolved, &(weft_texture_region){.layer = i}, same, &want,
                              0.6 / 255);
    }
}

// ---- kinds of textures -------------------------------------------------------------------------

void case_layered_cube(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, (weft_graphics_pipeline_desc){.label = "layers"});
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                                                .format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .mips = 2,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    for (uint32_t mip = 0; mip < 2; mip++) {
        draw_to(c,
                conform_view_of(
                    c, &(weft_texture_view_desc){.texture = texture, .mip = mip, .mip_count = 1}),
                pipeline, &whole, 5);
        for (uint32_t i = 0; i < 6; i++)
            expect_layer(c, texture, &(weft_texture_region){.mip = mip, .layer = i},
                         i < 5 ? i + 1 : CLEAR);
    }
}

/// The slices of a mip, which are fewer than those of the mip above.
void case_layered_volume(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, (weft_graphics_pipeline_desc){.label = "layers"});
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                                                .format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .depth = 6,
                                                .mips = 2,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    for (uint32_t mip = 0; mip < 2; mip++) {
        draw_to(c,
                conform_view_of(
                    c, &(weft_texture_view_desc){.texture = texture, .mip = mip, .mip_count = 1}),
                pipeline, &whole, 6u >> mip);
        for (uint32_t i = 0; i < 6u >> mip; i++)
            expect_layer(c, texture, &(weft_texture_region){.mip = mip, .z = i, .depth = 1}, i + 1);
    }
}

/// Larger than anything that a device may cut a target into, with a part of each layer covered.
static struct conform_texel lower_left(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t number = *(const uint32_t *)user;
    (void)z;
    const double on = x < 300 && y >= 212;
    return (struct conform_texel){{on * number / 255, on * 10 * number / 255, 0, 1}};
}

void case_layered_large(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        pipeline_of(c, (weft_graphics_pipeline_desc){.label = "layers"});
    const weft_texture texture = make(c, 512, 3, 1);
    const struct root root = {{-1, -1, 300 / 256.0F - 1, 300 / 256.0F - 1}, 0, 0, 1};
    draw_to(c, conform_view(c, texture), pipeline, &root, 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t number = i + 1;
        conform_expect_texels(c, texture, &(weft_texture_region){.layer = i}, lower_left, &number,
                              0);
    }
}

// ---- shaders -----------------------------------------------------------------------------------

void case_layered_read(struct conform *c)
{
    const weft_graphics_pipeline pipeline = pipeline_of(
        c, (weft_graphics_pipeline_desc){.fragment.shader = CONFORM_SHADER(c, layer_in_frag)});
    const weft_texture texture = make(c, SIZE, LAYERS, 1);
    const struct root root = {{-1, -1, 1, 1}, 0, LAYERS - 1, -1};
    draw_to(c, conform_view(c, texture), pipeline, &root, LAYERS);
    for (uint32_t i = 0; i < LAYERS; i++) {
        struct conform_texel want = {{i / 255.0, 10 * (LAYERS - i) / 255.0, 0, 1}};
        conform_expect_texels(c, texture, &(weft_texture_region){.layer = i}, same, &want, 0);
    }
}

void case_layered_first_vertex(struct conform *c)
{
    static const int32_t roots[2][2] = {{2, 0}, {1, 99}};
    const weft_graphics_pipeline pipeline = pipeline_of(
        c, (weft_graphics_pipeline_desc){.vertex.shader = CONFORM_SHADER(c, layer_first_vert)});
    for (uint32_t k = 0; k < 2; k++) {
        const weft_texture texture = make(c, SIZE, LAYERS, 1);
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, texture), conform_black);
        weft_render_set_pipeline(enc, pipeline);
        weft_render_set_root(enc, 0, 0, roots[k], sizeof roots[k]);
        weft_render_draw(enc, 3, 1, 0, 0);
        weft_render_end(enc);
        conform_submit(c, cmd);
        for (uint32_t i = 0; i < LAYERS; i++) {
            struct conform_texel drawn = {{1, 1, 1, 1}}, clear = {{0, 0, 0, 1}};
            conform_expect_texels(c, texture, &(weft_texture_region){.layer = i}, same,
                                  i == (uint32_t)roots[k][0] ? &drawn : &clear, 0);
        }
    }
}

/// Attachments of different numbers of layers, and a second viewport.
void case_layered_refusals(struct conform *c)
{
    const weft_texture_view four = conform_view(c, make(c, SIZE, LAYERS, 1));
    const weft_texture_view two = conform_view(c, make(c, SIZE, 2, 1));
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors = {{.view = four, .load = WEFT_LOAD_CLEAR},
                                                 {.view = two, .load = WEFT_LOAD_CLEAR}}}));
    weft_command_discard(cmd);
    conform_expect_rule(c, WEFT_RULE_PASS_LAYERS);
    weft_shader out;
    CONFORM_EXPECT(c, weft_shader_create(conform_device(c),
                                         &(weft_shader_desc){.code = viewport_index_vert,
                                                             .size = sizeof viewport_index_vert},
                                         &out) != WEFT_OK);
    conform_expect_rule(c, WEFT_RULE_SHADER_FEATURE);
}
