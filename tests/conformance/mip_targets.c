// Rendering into one mip or one layer of a texture, and textures whose chain of mips ends early.
#include "cases.h"
#include "draw.h"

#include "fetch.frag.spv.h"
#include "lod.frag.spv.h"

enum { SIZE = 32, MIPS = 3 };

static weft_texture make(struct conform *c, weft_texture_kind kind, uint32_t layers, uint32_t mips)
{
    return conform_texture(
        c, &(weft_texture_desc){.kind = kind,
                                .format = WEFT_FORMAT_RGBA8_UNORM,
                                .width = SIZE,
                                .height = SIZE,
                                .layers = layers,
                                .mips = mips,
                                .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED});
}

static weft_texture_view part(struct conform *c, weft_texture texture, uint32_t mip, uint32_t layer)
{
    return conform_view_of(c, &(weft_texture_view_desc){.texture = texture,
                                                        .kind = WEFT_VIEW_2D,
                                                        .mip = mip,
                                                        .mip_count = 1,
                                                        .layer = layer,
                                                        .layer_count = 1});
}

/// A number of its own for each mip and layer, as red; white in the corner texel at the bottom
/// right, so that the size of the part matters.
struct part {
    uint32_t size, number;
};

static struct conform_texel filled(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct part *p = user;
    (void)z;
    if (x == p->size - 1 && y == p->size - 1)
        return (struct conform_texel){{1, 1, 1, 1}};
    return (struct conform_texel){{p->number * 10 / 255.0, 0, 0, 1}};
}

static void fill_part(weft_command_buffer *cmd, weft_graphics_pipeline pipeline,
                      weft_texture_view view, const struct part *p)
{
    weft_render_encoder *enc = conform_begin_pass(cmd, view, conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, (const float[4]){(float)p->number * 10 / 255, 0, 0, 1});
    const int32_t last = (int32_t)p->size - 1;
    conform_draw_rect(enc, &(weft_rect){last, last, 1, 1}, p->size, p->size, 0, conform_white);
    weft_render_end(enc);
}

/// All parts are drawn, then all are compared, so that one must not spoil another.
static void each_part(struct conform *c, weft_texture texture, uint32_t mips, uint32_t layers)
{
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < mips * layers; i++) {
        const struct part p = {.size = SIZE >> i % mips, .number = i + 1};
        fill_part(cmd, pipeline, part(c, texture, i % mips, i / mips), &p);
    }
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < mips * layers; i++) {
        struct part p = {.size = SIZE >> i % mips, .number = i + 1};
        conform_expect_texels(c, texture,
                              &(weft_texture_region){.mip = i % mips, .layer = i / mips}, filled,
                              &p, 1e-6);
    }
}

void case_mip_target_mips(struct conform *c)
{
    each_part(c, make(c, WEFT_TEXTURE_2D, 1, 6), 6, 1);
}

void case_mip_target_layers(struct conform *c)
{
    each_part(c, make(c, WEFT_TEXTURE_2D, 4, MIPS), MIPS, 4);
}

void case_mip_target_cube(struct conform *c)
{
    each_part(c, make(c, WEFT_TEXTURE_CUBE, 0, 2), 2, 6);
}

static struct conform_texel one_color(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return *(const struct conform_texel *)user;
}

/// Each mip is drawn from the one above, in the same texture: half as much each time.
void case_mip_target_from_the_one_above(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, fetch_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_argument_layout layout =
        weft_graphics_pipeline_layout(conform_device(c), pipeline, 0);
    const weft_texture texture = make(c, WEFT_TEXTURE_2D, 1, 6);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(
        conform_begin_pass(cmd, part(c, texture, 0, 0), (const float[4]){1, 128 / 255.0F, 0, 1}));
    for (uint32_t mip = 1; mip < 6; mip++) {
        const weft_argument_table table = conform_table(
            c, layout, &(weft_argument_write){.view = part(c, texture, mip - 1, 0)}, 1);
        conform_barrier(cmd);
        weft_render_encoder *enc = conform_begin_pass(cmd, part(c, texture, mip, 0), conform_black);
        weft_render_set_pipeline(enc, pipeline);
        weft_render_set_arguments(enc, 0, table, NULL, 0);
        conform_fill(enc, 0, (const float[4]){1, 0.5F, 1, 1});
        weft_render_end(enc);
    }
    conform_submit(c, cmd);
    for (uint32_t mip = 0; mip < 6; mip++) {
        struct conform_texel wanted = {{1, (128 >> mip) / 255.0, 0, 1}};
        conform_expect_texels(c, texture, &(weft_texture_region){.mip = mip}, one_color, &wanted,
                              1e-6);
    }
}

// ---- partial chains ----------------------------------------------------------------------------

/// The mips that a view shows.
struct chain {
    uint32_t first, count;
};

static struct conform_texel by_level(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct chain *chain = user;
    const uint32_t level = x < chain->count ? x : chain->count - 1;
    (void)y;
    (void)z;
    return (struct conform_texel){{(chain->first + level + 1) * 10 / 255.0, 0, 0, 1}};
}

/// Samples levels 0 to 7 of a view, one in each column.
static weft_texture sample_levels(struct conform *c, weft_texture_view view)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, lod_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_argument_write writes[2] = {
        {.binding = 0, .view = view},
        {.binding = 1, .sampler = conform_sampler(c, &(weft_sampler_desc){0})}};
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 8, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    for (int32_t x = 0; x < 8; x++)
        conform_draw_rect(enc, &(weft_rect){x, 0, 1, 1}, 8, 1, 0, (const float[4]){(float)x});
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// Of the six mips that 32 texels could have, three exist: levels beyond are the last one. A view
/// may show fewer still.
void case_mip_target_partial_chain(struct conform *c)
{
    static const struct chain chains[3] = {{0, MIPS}, {1, 2}, {1, 1}};
    const weft_texture texture = make(c, WEFT_TEXTURE_2D, 1, MIPS);
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t mip = 0; mip < MIPS; mip++)
        fill_part(cmd, pipeline, part(c, texture, mip, 0),
                  &(struct part){.size = SIZE >> mip, .number = mip + 1});
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < 3; i++) {
        struct chain chain = chains[i];
        const weft_texture_view view = conform_view_of(
            c, &(weft_texture_view_desc){
                   .texture = texture, .mip = chain.first, .mip_count = chain.count});
        conform_expect_texels(c, sample_levels(c, view), NULL, by_level, &chain, 1e-6);
    }
}
