// Gradients, offsets and projections in textures that are not 2D. Each texel tells where it is, so
// an answer tells which one was taken, and of which mip.
#include "cases.h"
#include "model.h"
#include "probe.h"

#include "sample_moved.comp.spv.h"

enum { SIZE = 16, MIPS = 5, SLICES = 6 };

enum op {
    VOLUME_GRAD,
    LAYERS_GRAD,
    CUBE_GRAD,
    VOLUME_OFFSET,
    LAYERS_GRAD_OFFSET,
    VOLUME_FETCH,
    LAYERS_FETCH,
    VOLUME_PROJECTED,
    VOLUME_PROJECTED_GRAD,
    LAYERS_GATHER,
};

static struct conform_texel place(uint32_t level, int x, int y, int z)
{
    return (struct conform_texel){
        {40 * level / 255.0, 16 * x / 255.0, 16 * y / 255.0, 16 * z / 255.0}};
}

static weft_texture_view make(struct conform *c, weft_texture_kind kind)
{
    const bool volume = kind == WEFT_TEXTURE_3D;
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.kind = kind,
                                                .format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .depth = volume ? SIZE : 1,
                                                .layers = volume ? 1 : SLICES,
                                                .mips = MIPS});
    for (uint32_t level = 0; level < MIPS; level++) {
        struct conform_model model;
        const uint32_t side = SIZE >> level;
        conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, side, side, volume ? side : SLICES);
        for (uint32_t i = 0; i < side * side * model.depth; i++) {
            uint8_t *texel = model.data + (size_t)4 * i;
            texel[0] = (uint8_t)(40 * level);
            texel[1] = (uint8_t)(16 * (i % side));
            texel[2] = (uint8_t)(16 * (i / side % side));
            texel[3] = (uint8_t)(16 * (i / side / side));
        }
        conform_model_upload(c, &model, texture, level, 0);
    }
    return conform_view(c, texture);
}

static struct conform_probed probed_of(struct conform *c)
{
    return (struct conform_probed){
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_moved_comp)),
        .view = make(c, WEFT_TEXTURE_3D),
        .sampler = conform_sampler(c, &(weft_sampler_desc){0}),
        .others = {make(c, WEFT_TEXTURE_2D), make(c, WEFT_TEXTURE_CUBE)}};
}

static void expect_one(struct conform *c, struct conform_probed *probed, enum op op,
                       struct conform_probe probe, struct conform_texel want)
{
    probed->op = (enum conform_probe_op)op;
    conform_expect_probes(c, probed, &probe, &want, 1, 1e-6);
}

/// Texels per pixel as gradients: the longer of two counts.
void case_sample_gradients_of_kinds(struct conform *c)
{
    struct conform_probed probed = probed_of(c);
    for (uint32_t level = 0; level < MIPS - 1; level++) {
        const float step = (float)(1u << level) / SIZE, little = step / 4;
        const int side = SIZE >> level, at = side - 1; // not the first texel, so the mip matters
        const float u = ((float)at + 0.5F) / (float)side;
        const struct conform_texel volume = place(level, at, 0, at);
        const struct conform_texel layer = place(level, at, 0, 3);
        expect_one(c, &probed, VOLUME_GRAD,
                   (struct conform_probe){{u, 0.01F, u}, {little, 0, step, little}}, volume);
        expect_one(c, &probed, VOLUME_GRAD,
                   (struct conform_probe){{u, 0.01F, u}, {0, little, little, step}}, volume);
        expect_one(c, &probed, VOLUME_PROJECTED_GRAD,
                   (struct conform_probe){{u, 0.01F, u}, {0, step, 0, little}}, volume);
        // The layer is no coordinate: its gradient is not looked at.
        expect_one(c, &probed, LAYERS_GRAD,
                   (struct conform_probe){{u, 0.01F, 3}, {0, step, 0, little}}, layer);
        // +Y: s goes with x and t with z; faces are two units wide.
        expect_one(c, &probed, CUBE_GRAD,
                   (struct conform_probe){{2 * u - 1, 1, -0.98F}, {0, 0, 2 * step, little}},
                   place(level, at, 0, 2));
        expect_one(c, &probed, CUBE_GRAD,
                   (struct conform_probe){{2 * u - 1, 1, -0.98F}, {little, 0, 0, 2 * step}},
                   place(level, at, 0, 2));
    }
}

/// Offsets count texels of the level that is sampled, and wrap as coordinates do.
void case_sample_offsets_of_kinds(struct conform *c)
{
    struct conform_probed probed = probed_of(c);
    const float middle = 2.5F / 4, grad = 4.0F / SIZE; // of level 2, whose side is 4
    expect_one(c, &probed, VOLUME_OFFSET, (struct conform_probe){.at = {middle, middle, middle, 2}},
               place(2, 3, 0, 1));
    expect_one(c, &probed, LAYERS_GRAD_OFFSET,
               (struct conform_probe){{middle, middle, 4}, {grad, 0, 0, 0}}, place(2, 1, 0, 4));
    expect_one(c, &probed, VOLUME_FETCH, (struct conform_probe){.at = {1, 2, 3, 1}},
               place(1, 3, 3, 2));
    expect_one(c, &probed, LAYERS_FETCH, (struct conform_probe){.at = {5, 2, 1, 1}},
               place(1, 4, 3, 1));
    expect_one(c, &probed, VOLUME_PROJECTED, (struct conform_probe){.at = {0.1F, 0.9F, 0.6F, 2}},
               place(2, 0, 3, 2));
}

/// Gathers are from the base level of the nearest layer.
void case_sample_gather_of_layers(struct conform *c)
{
    struct conform_probed probed = probed_of(c);
    const float u = 5.0F / SIZE, v = 9.0F / SIZE; // the corner of texels 4 and 5, 8 and 9
    const double low = 16 * 9 / 255.0, high = 16 * 8 / 255.0;
    expect_one(c, &probed, LAYERS_GATHER, (struct conform_probe){.at = {u, v, 1.6F}},
               (struct conform_texel){{low, low, high, high}});
}
