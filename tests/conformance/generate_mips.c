// Mips made by the device: a 2×2 box, by area where a side is odd, in linear light.
#include "cases.h"
#include "model.h"

/// Level 0, and how far a level may be off: a half step of 8 bits a level, a little more in light
/// that is encoded, where the steps are up to 2.3 times as large.
struct chain {
    struct conform_model base;
    weft_texture texture;
    double step;
};

static void make(struct conform *c, struct chain *chain, const weft_texture_desc *given)
{
    weft_texture_desc desc = *given;
    const weft_format_info *info = weft_format_get_info(desc.format);
    conform_need_format(c, desc.format, WEFT_FORMAT_CAN_FILTER | WEFT_FORMAT_CAN_RENDER);
    desc.usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_RENDER;
    desc.mips = desc.mips ? desc.mips : WEFT_MIPS_ALL;
    chain->texture = conform_texture(c, &desc);
    chain->step = (info->srgb ? 2.5 : 1.1) * 0.5 / 255;
    const uint32_t slices = desc.kind == WEFT_TEXTURE_3D ? desc.depth : desc.layers;
    conform_model_init(&chain->base, desc.format, desc.width, desc.height, slices ? slices : 1);
    conform_model_fill(&chain->base, 9);
    conform_model_upload(c, &chain->base, chain->texture, 0, 0);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, chain->texture);
    weft_compute_end(enc);
    conform_submit(c, cmd);
}

/// A level of numbers, not rounded.
struct level {
    uint32_t size[3];
    struct conform_texel texels[1024];
};

static struct conform_texel *texel_at(struct level *l, const uint32_t at[3])
{
    return &l->texels[(at[2] * l->size[1] + at[1]) * l->size[0] + at[0]];
}

/// The part of texel `i` of `large` ones that texel `k` of `small` ones covers, of all that it
/// covers.
static double cover(uint32_t i, uint32_t large, uint32_t k, uint32_t small)
{
    const double scale = (double)large / small, from = k * scale, to = from + scale;
    const double left = i > from ? i : from, right = i + 1 < to ? i + 1 : to;
    return right > left ? (right - left) / scale : 0;
}

static struct conform_texel average(struct level *from, const struct level *to,
                                    const uint32_t at[3])
{
    struct conform_texel sum = {{0}};
    uint32_t i[3];
    for (i[2] = 0; i[2] < from->size[2]; i[2]++)
        for (i[1] = 0; i[1] < from->size[1]; i[1]++)
            for (i[0] = 0; i[0] < from->size[0]; i[0]++) {
                double weight = 1;
                for (uint32_t k = 0; k < 3; k++)
                    weight *= cover(i[k], from->size[k], at[k], to->size[k]);
                for (uint32_t n = 0; n < 4; n++)
                    sum.v[n] += weight * texel_at(from, i)->v[n];
            }
    return sum;
}

static struct conform_texel level_texel(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    return *texel_at(user, (const uint32_t[3]){x, y, z});
}

/// Judges every level of one layer (or of the volume) against level 0.
static void expect_chain(struct conform *c, struct chain *chain, uint32_t layer, bool volume)
{
    struct level levels[2] = {
        {.size = {chain->base.width, chain->base.height, volume ? chain->base.depth : 1}}};
    weft_texture_desc desc;
    uint32_t at[3];
    CONFORM_EXPECT(c, weft_texture_get_desc(conform_device(c), chain->texture, &desc));
    for (at[2] = 0; at[2] < levels[0].size[2]; at[2]++)
        for (at[1] = 0; at[1] < levels[0].size[1]; at[1]++)
            for (at[0] = 0; at[0] < levels[0].size[0]; at[0]++)
                *texel_at(&levels[0], at) =
                    conform_model_texel(&chain->base, at[0], at[1], volume ? at[2] : layer);
    for (uint32_t mip = 1;; mip++) {
        struct level *from = &levels[(mip + 1) & 1], *to = &levels[mip & 1];
        if (mip == desc.mips || from->size[0] * from->size[1] * from->size[2] == 1)
            break;
        for (uint32_t k = 0; k < 3; k++)
            to->size[k] = from->size[k] > 1 ? from->size[k] / 2 : 1;
        for (at[2] = 0; at[2] < to->size[2]; at[2]++)
            for (at[1] = 0; at[1] < to->size[1]; at[1]++)
                for (at[0] = 0; at[0] < to->size[0]; at[0]++)
                    *texel_at(to, at) = average(from, to, at);
        const weft_texture_region region = {.mip = mip, .layer = layer};
        conform_expect_texels(c, chain->texture, &region, level_texel, to, mip * chain->step);
    }
}

void case_mips_of_2d(struct conform *c)
{
    struct chain chain;
    make(c, &chain,
         &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 16, .height = 8});
    expect_chain(c, &chain, 0, false);
}

void case_mips_of_srgb(struct conform *c)
{
    struct chain chain;
    make(c, &chain,
         &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM_SRGB, .width = 8, .height = 8});
    expect_chain(c, &chain, 0, false);
}

void case_mips_of_odd_sides(struct conform *c)
{
    static const uint32_t sizes[][2] = {{5, 3}, {7, 1}, {15, 9}, {1, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct chain chain;
        make(c, &chain,
             &(weft_texture_desc){
                 .format = WEFT_FORMAT_RGBA8_UNORM, .width = sizes[i][0], .height = sizes[i][1]});
        expect_chain(c, &chain, 0, false);
    }
}

void case_mips_of_layers(struct conform *c)
{
    struct chain chain;
    make(c, &chain,
         &(weft_texture_desc){
             .format = WEFT_FORMAT_RGBA8_UNORM, .width = 8, .height = 4, .layers = 3});
    for (uint32_t layer = 0; layer < 3; layer++)
        expect_chain(c, &chain, layer, false);
}

void case_mips_of_3d(struct conform *c)
{
    struct chain chain;
    make(c, &chain,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                              .format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = 8,
                              .height = 4,
                              .depth = 6});
    expect_chain(c, &chain, 0, true);
}

void case_mips_of_cube(struct conform *c)
{
    struct chain chain;
    make(c, &chain,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                              .format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = 8,
                              .height = 8,
                              .layers = 6});
    for (uint32_t face = 0; face < 6; face++)
        expect_chain(c, &chain, face, false);
}

/// No more mips than the texture has.
void case_mips_of_part(struct conform *c)
{
    struct chain chain;
    make(c, &chain,
         &(weft_texture_desc){
             .format = WEFT_FORMAT_RGBA8_UNORM, .width = 16, .height = 16, .mips = 3});
    expect_chain(c, &chain, 0, false);
}

void case_mips_of_1d(struct conform *c)
{
    struct chain chain;
    make(c, &chain,
         &(weft_texture_desc){
             .kind = WEFT_TEXTURE_1D, .format = WEFT_FORMAT_RGBA8_UNORM, .width = 22, .height = 1});
    expect_chain(c, &chain, 0, false);
}

void case_mips_refused(struct conform *c)
{
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){
               .format = WEFT_FORMAT_RGBA8_UINT, .width = 4, .height = 4, .mips = WEFT_MIPS_ALL});
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, texture);
    weft_compute_end(enc);
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, WEFT_RULE_MIPS_FORMAT);
}
