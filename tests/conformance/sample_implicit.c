// Levels of detail that follow from the screen, in textures that are not 2D.
#include "cases.h"
#include "model.h"

#include "implicit_kinds.frag.spv.h"
#include "query_kinds.frag.spv.h"

enum { SIZE = 16, MIPS = 5, STEP = 40, TARGET = 4 };

/// Each mip has a color; green tells the layer.
static weft_texture_view make(struct conform *c, const weft_texture_desc *given)
{
    const bool volume = given->kind == WEFT_TEXTURE_3D;
    weft_texture_desc desc = *given;
    desc.format = WEFT_FORMAT_RGBA8_UNORM;
    desc.mips = MIPS;
    const weft_texture texture = conform_texture(c, &desc);
    for (uint32_t level = 0; level < MIPS; level++) {
        struct conform_model model;
        const uint32_t side = SIZE >> level, slices = desc.layers ? desc.layers : 1;
        conform_model_init(&model, desc.format, side, desc.kind == WEFT_TEXTURE_1D ? 1 : side,
                           volume ? side : slices);
        const size_t slice = (size_t)model.width * model.height * 4;
        for (size_t i = 0; i < conform_model_size(&model); i += 4) {
            model.data[i] = (uint8_t)(STEP * level);
            model.data[i + 1] = volume ? 0 : (uint8_t)(100 * (i / slice % 2));
        }
        conform_model_upload(c, &model, texture, level, 0);
    }
    return conform_view(c, texture);
}

struct scene {
    weft_graphics_pipeline pipeline;
    weft_argument_table table;
};

static void make_scene(struct conform *c, struct scene *s, weft_format format, weft_shader fragment)
{
    weft_graphics_pipeline_desc desc = {.colors = {format}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = fragment;
    s->pipeline = conform_pipeline(c, &desc);
    const weft_argument_write writes[] = {
        {.binding = 0, .sampler = conform_sampler(c, &(weft_sampler_desc){0})},
        {.binding = 1,
         .view = make(c, &(weft_texture_desc){.kind = WEFT_TEXTURE_1D, .width = SIZE})},
        {.binding = 2,
         .view = make(c, &(weft_texture_desc){.width = SIZE, .height = SIZE, .layers = 2})},
        {.binding = 3,
         .view = make(c,
                      &(weft_texture_desc){
                          .kind = WEFT_TEXTURE_3D, .width = SIZE, .height = SIZE, .depth = SIZE})},
        {.binding = 4,
         .view =
             make(c, &(weft_texture_desc){
                         .kind = WEFT_TEXTURE_CUBE, .width = SIZE, .height = SIZE, .layers = 6})}};
    s->table = conform_table(c, weft_graphics_pipeline_layout(conform_device(c), s->pipeline, 0),
                             writes, 5);
}

/// Draws with texture `which`, `texels` of it to a pixel along x.
static weft_texture draw(struct conform *c, const struct scene *s, weft_format format,
                         uint32_t which, float texels)
{
    const float color[4] = {texels * (which == 3 ? 2.0f : 1.0f) / SIZE, 0, (float)which, 0};
    const weft_texture target = conform_target(c, format, TARGET, TARGET);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){1, 1, 1, 1});
    weft_render_set_pipeline(enc, s->pipeline);
    weft_render_set_arguments(enc, 0, s->table, NULL, 0);
    conform_draw_rect(enc, &(weft_rect){0, 0, TARGET, TARGET}, TARGET, TARGET, 0, color);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

static void expect_level(struct conform *c, const struct scene *s, uint32_t which, float texels,
                         uint32_t level)
{
    const bool array = which == 1 || which == 4;
    const double want[4] = {(double)(STEP * level) / 255, array ? 100 / 255.0 : 0, 0, 0};
    conform_expect_color(c, draw(c, s, WEFT_FORMAT_RGBA8_UNORM, which, texels), want, 0.5 / 255);
}

static void expect_levels(struct conform *c, uint32_t which)
{
    struct scene s;
    make_scene(c, &s, WEFT_FORMAT_RGBA8_UNORM, CONFORM_SHADER(c, implicit_kinds_frag));
    expect_level(c, &s, which, 0.25f, 0);
    expect_level(c, &s, which, 1, 0);
    expect_level(c, &s, which, 2, 1);
    if (which == 3) // more would leave the face
        return;
    expect_level(c, &s, which, 4, 2);
    expect_level(c, &s, which, 8, 3);
    expect_level(c, &s, which, 100, 4);
}

void case_sample_implicit_1d(struct conform *c)
{
    expect_levels(c, 0);
}

void case_sample_implicit_array(struct conform *c)
{
    expect_levels(c, 1);
}

void case_sample_implicit_3d(struct conform *c)
{
    expect_levels(c, 2);
}

void case_sample_implicit_cube(struct conform *c)
{
    expect_levels(c, 3);
}

void case_sample_implicit_offset(struct conform *c)
{
    expect_levels(c, 4);
}

void case_sample_implicit_projected(struct conform *c)
{
    expect_levels(c, 5);
}

/// Which level would be sampled, and the one before the clamp to those that there are.
void case_sample_query_of_kinds(struct conform *c)
{
    static const double steps[][3] = {{0.5, 0, -1}, {2, 1, 1}, {4, 2, 2}, {64, 4, 6}};
    struct scene s;
    conform_need_format(c, WEFT_FORMAT_RGBA32_FLOAT, WEFT_FORMAT_CAN_RENDER);
    make_scene(c, &s, WEFT_FORMAT_RGBA32_FLOAT, CONFORM_SHADER(c, query_kinds_frag));
    for (uint32_t which = 0; which < 4; which++) {
        for (uint32_t i = 0; i < (which == 3 ? 2 : 4); i++) { // more would leave a cube's face
            const weft_texture target =
                draw(c, &s, WEFT_FORMAT_RGBA32_FLOAT, which, (float)steps[i][0]);
            // A device may know the level to 6 bits only.
            conform_expect_color(c, target, (const double[4]){steps[i][1], steps[i][2], 0, 1},
                                 1.0 / 64);
        }
    }
}
