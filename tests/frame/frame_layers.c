#include "frame_stage.h"

#include "frame_layers.frag.spv.h"
#include "frame_layers.vert.spv.h"

// Passes on targets of several layers: what the pass has of its own has as many. Drawn by the
// software device.

enum { LAYERS = 3 };

/// Root block of shaders/frame_layers.vert.
struct root {
    float right, depth;
    int32_t first;
};

/// The near draw takes columns 0–7 of the layers 1 and 2, the far one 0–12.5 of all.
static const struct root near = {0, 0.2f, 1}, far = {0.5625f, 0.6f, 0};

/// A target of the host's, and what passes on it have of their own.
struct layered {
    struct stage s;
    weft_shader vertex, fragment;
    weft_graphics_pipeline pipeline;
    weft_material material;
    weft_texture texture;
    weft_texture_view view;
    weft_format depth;
    uint32_t samples;
};

static void make_material(struct layered *l)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true}};
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = l->vertex},
        .fragment = {.shader = l->fragment},
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .depth_stencil = l->depth,
        .samples = l->samples,
        .states = &state,
        .state_count = l->depth != WEFT_FORMAT_NONE,
    };
    EXPECT_EQ(weft_graphics_pipeline_create(l->s.f.dev, &desc, &l->pipeline), WEFT_OK);
    const weft_material_desc material = {.pipeline = l->pipeline,
                                         .transform_offset = WEFT_NO_TRANSFORM};
    EXPECT_EQ(weft_material_create(l->s.f.dev, &material, &l->material), WEFT_OK);
}

static struct layered layered_open(uint32_t samples, weft_format depth)
{
    struct layered l = {.s = stage_open(WEFT_BACKEND_SOFTWARE), .depth = depth, .samples = samples};
    l.vertex = stage_shader(&l.s, frame_layers_vert, sizeof frame_layers_vert);
    l.fragment = stage_shader(&l.s, frame_layers_frag, sizeof frame_layers_frag);
    make_material(&l);
    return l;
}

static void layered_close(struct layered *l)
{
    weft_material_destroy(l->s.f.dev, l->material);
    weft_graphics_pipeline_destroy(l->s.f.dev, l->pipeline);
    weft_shader_destroy(l->s.f.dev, l->fragment);
    weft_shader_destroy(l->s.f.dev, l->vertex);
    stage_close(&l->s);
}

static void draw(const struct layered *l, weft_frame *frame, const struct root *root,
                 uint32_t instances)
{
    weft_frame_draw(frame, &(weft_draw_packet){.kind = WEFT_PACKET_INSTANCES,
                                               .material = l->material,
                                               .geometry = {.count = 6},
                                               .instances = {.count = instances},
                                               .root = root,
                                               .root_size = sizeof *root});
}

static void expect_pixel(const uint8_t *got, const double *wanted, double share)
{
    for (uint32_t i = 0; i < 4; i++)
        EXPECT_NEAR(got[i], wanted[i] * share, share == 1 ? 0 : 1);
}

/// What layer `layer` of the view holds, at `region` of the texture.
static void expect_layer(const struct layered *l, uint32_t layer, const weft_texture_region *region)
{
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    EXPECT_EQ(weft_texture_read(l->s.f.dev, l->texture, region, pixels, sizeof pixels, NULL),
              WEFT_OK);
    const double behind[4] = {100 + 10.0 * layer, 153, 0, 255};
    const double before[4] = {90 + 10.0 * layer, 51, 0, 255};
    const bool hidden = layer > 0 && l->depth != WEFT_FORMAT_NONE;
    for (uint32_t y = 0; y < STAGE_SIZE; y++) {
        expect_pixel(pixels[y][3], hidden ? before : behind, 1);
        expect_pixel(pixels[y][10], behind, 1);
        if (l->samples > 1) // two of four samples
            expect_pixel(pixels[y][12], behind, 0.5);
        expect_pixel(pixels[y][14], behind, 0);
    }
}

static void make_target(struct layered *l, const weft_texture_desc *desc,
                        const weft_texture_view_desc *view)
{
    weft_texture_desc full = *desc;
    full.format = WEFT_FORMAT_RGBA8_UNORM;
    full.usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC;
    EXPECT_EQ(weft_texture_create(l->s.f.dev, &full, &l->texture), WEFT_OK);
    weft_texture_view_desc of = *view;
    of.texture = l->texture;
    of.mip_count = 1;
    EXPECT_EQ(weft_texture_view_create(l->s.f.dev, &of, &l->view), WEFT_OK);
}

static void end_target(struct layered *l)
{
    weft_texture_view_destroy(l->s.f.dev, l->view);
    weft_texture_destroy(l->s.f.dev, l->texture);
}

static void draw_frame(const struct layered *l)
{
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(l->s.f.dev,
                               &(weft_frame_desc){.flags = WEFT_FRAME_CHECK, .label = "layers"},
                               &frame),
              WEFT_OK);
    const weft_target target =
        weft_frame_offscreen_target(frame, &(weft_target_desc){.colors = {l->view}});
    const weft_target_ops ops = {
        .load = WEFT_LOAD_CLEAR, .samples = l->samples, .depth_format = l->depth};
    const weft_target pass = weft_frame_target_begin(frame, target, &ops);
    draw(l, frame, &near, 2);
    draw(l, frame, &far, LAYERS);
    weft_frame_target_end(frame, pass);
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    EXPECT_EQ(fixture_count(&l->s.f), 0);
}

/// Targets of one layer, of three of an array, and of a mip's slices, one frame after the other:
/// they are equally large, and none takes the depth or the samples of another.
static void check_targets(uint32_t samples, weft_format depth)
{
    struct layered l = layered_open(samples, depth);
    for (uint32_t round = 0; round < 2; round++) {
        make_target(&l, &(weft_texture_desc){.width = STAGE_SIZE, .height = STAGE_SIZE},
                    &(weft_texture_view_desc){0});
        draw_frame(&l);
        expect_layer(&l, 0, &(weft_texture_region){0});
        end_target(&l);
        make_target(&l,
                    &(weft_texture_desc){.width = STAGE_SIZE, .height = STAGE_SIZE, .layers = 5},
                    &(weft_texture_view_desc){
                        .kind = WEFT_VIEW_2D_ARRAY, .layer = 1, .layer_count = LAYERS});
        draw_frame(&l);
        for (uint32_t i = 0; i < LAYERS; i++)
            expect_layer(&l, i, &(weft_texture_region){.layer = 1 + i});
        end_target(&l);
        make_target(&l,
                    &(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                                         .width = 2 * STAGE_SIZE,
                                         .height = 2 * STAGE_SIZE,
                                         .depth = 2 * LAYERS,
                                         .mips = 2},
                    &(weft_texture_view_desc){.mip = 1});
        draw_frame(&l);
        for (uint32_t i = 0; i < LAYERS; i++)
            expect_layer(&l, i, &(weft_texture_region){.mip = 1, .z = i, .depth = 1});
        end_target(&l);
    }
    layered_close(&l);
}

TEST(frame_layers, a_pass_of_several_layers_needs_nothing_of_its_own)
{
    check_targets(1, WEFT_FORMAT_NONE);
}

TEST(frame_layers, a_pass_has_a_depth_for_each_layer)
{
    check_targets(1, WEFT_FORMAT_D32_FLOAT);
}

TEST(frame_layers, a_pass_has_samples_for_each_layer_and_resolves_them)
{
    check_targets(4, WEFT_FORMAT_NONE);
}

TEST(frame_layers, a_pass_has_samples_and_a_depth_for_each_layer)
{
    check_targets(4, WEFT_FORMAT_D32_FLOAT);
}
