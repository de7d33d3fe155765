// Places that follow no pattern in volumes, under all address modes, and in cubes, over their
// seams.
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"

#include <math.h>

#include "sample_3d.comp.spv.h"
#include "sample_cube.comp.spv.h"

enum { COUNT = 512 };

struct scene {
    struct conform_model model;
    struct conform_probed probed;
    struct conform_probe probes[COUNT];
    struct conform_texel want[COUNT];
};

static void make(struct conform *c, struct scene *s, const weft_texture_desc *desc,
                 weft_shader shader)
{
    const bool volume = desc->kind == WEFT_TEXTURE_3D;
    const weft_texture texture = conform_texture(c, desc);
    conform_model_init(&s->model, desc->format, desc->width, desc->height,
                       volume ? desc->depth : desc->layers);
    conform_model_fill(&s->model, 41);
    conform_model_upload(c, &s->model, texture, 0, 0);
    s->probed = (struct conform_probed){.pipeline = conform_compute(c, shader),
                                        .view = conform_view(c, texture)};
}

/// Coordinates from -`reach` to `reach`.
static void scatter(struct scene *s, float reach)
{
    uint16_t noise[COUNT][3];
    conform_bytes_fill(noise, sizeof noise, 78);
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < 3; k++)
            s->probes[i].at[k] = ((float)noise[i][k] / 32768 - 1) * reach;
}

static void add(struct conform_texel *sum, const struct conform_texel *texel, double weight)
{
    for (uint32_t k = 0; k < 4; k++)
        sum->v[k] += texel->v[k] * weight;
}

// ---- volumes -----------------------------------------------------------------------------------

/// Eight texels, wrapped along each axis. The border is transparent black.
static struct conform_texel volume_sample(struct conform_model *model, const float at[3],
                                          const weft_address_mode modes[3])
{
    const uint32_t sizes[3] = {model->width, model->height, model->depth};
    struct conform_texel sum = {{0}};
    for (uint32_t corner = 0; corner < 8; corner++) {
        double weight = 1;
        int texel[3];
        bool border = false;
        for (uint32_t k = 0; k < 3; k++) {
            const double x = (double)at[k] * sizes[k] - 0.5, low = floor(x);
            const int upper = (int)(corner >> k & 1);
            weight *= upper ? x - low : 1 - (x - low);
            texel[k] = conform_rule_wrap((int)low + upper, (int)sizes[k], modes[k]);
            border = border || texel[k] < 0;
        }
        if (border)
            continue;
        const struct conform_texel t =
            conform_model_texel(model, (uint32_t)texel[0], (uint32_t)texel[1], (uint32_t)texel[2]);
        add(&sum, &t, weight);
    }
    return sum;
}

void case_sample_around_volume(struct conform *c)
{
    struct scene s = {0};
    make(c, &s,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                              .format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = 5,
                              .height = 8,
                              .depth = 3},
         CONFORM_SHADER(c, sample_3d_comp));
    scatter(&s, 2);
    for (uint32_t i = 0; i < 8; i++) {
        const weft_address_mode modes[3] = {(weft_address_mode)(i % 4),
                                            (weft_address_mode)((i + i / 4) % 4),
                                            (weft_address_mode)((i * 3 + 1) % 4)};
        for (uint32_t k = 0; k < COUNT; k++)
            s.want[k] = volume_sample(&s.model, s.probes[k].at, modes);
        s.probed.sampler = conform_sampler(c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                                   .min = WEFT_FILTER_LINEAR,
                                                                   .u = modes[0],
                                                                   .v = modes[1],
                                                                   .w = modes[2]});
        // weights of 8 bits along three axes
        conform_expect_probes(c, &s.probed, s.probes, s.want, COUNT, 4.0 / 255);
    }
}

// ---- cubes -------------------------------------------------------------------------------------

enum { SIDE = 8 };

/// Face, and s and t from 0 to 1, of a direction: the table of the specification.
static uint32_t find_face(const double r[3], double st[2])
{
    const double x = fabs(r[0]), y = fabs(r[1]), z = fabs(r[2]);
    const uint32_t axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    const bool negative = r[axis] < 0;
    const double sign = negative ? -1 : 1;
    const double s = axis == 0 ? -sign * r[2] : axis == 1 ? r[0] : sign * r[0];
    const double t = axis == 1 ? sign * r[2] : -r[1];
    st[0] = (s / fabs(r[axis]) + 1) / 2;
    st[1] = (t / fabs(r[axis]) + 1) / 2;
    return axis * 2 + negative;
}

/// The direction of (s, t) of a face, also beside it.
static void find_direction(uint32_t face, const double st[2], double out[3])
{
    const double a = 2 * st[0] - 1, b = 2 * st[1] - 1;
    const double table[6][3] = {{1, -b, -a}, {-1, -b, a}, {a, 1, b},
                                {a, -1, -b}, {a, -b, 1},  {-a, -b, -1}};
    for (uint32_t i = 0; i < 3; i++)
        out[i] = table[face][i];
}

/// A texel of a face, or the neighbour's where it lies beside: what its centre's direction hits.
static struct conform_texel cube_texel(struct conform_model *model, uint32_t face, int x, int y)
{
    double r[3], st[2] = {(x + 0.5) / SIDE, (y + 0.5) / SIDE};
    find_direction(face, st, r);
    const uint32_t hit = find_face(r, st);
    return conform_model_texel(model, (uint32_t)(st[0] * SIDE), (uint32_t)(st[1] * SIDE), hit);
}

static bool beside(int i)
{
    return i < 0 || i >= SIDE;
}

/// False near a corner of the cube, where three texels meet and devices differ.
static bool cube_sample(struct conform_model *model, const float at[3], struct conform_texel *out)
{
    const double r[3] = {(double)at[0], (double)at[1], (double)at[2]};
    double st[2];
    const uint32_t face = find_face(r, st);
    const double x = st[0] * SIDE - 0.5, y = st[1] * SIDE - 0.5;
    const int i = (int)floor(x), j = (int)floor(y);
    *out = (struct conform_texel){{0}};
    for (int corner = 0; corner < 4; corner++) {
        const int right = corner & 1, below = corner >> 1;
        if (beside(i + right) && beside(j + below))
            return false;
        const struct conform_texel t = cube_texel(model, face, i + right, j + below);
        add(out, &t, (right ? x - i : 1 - (x - i)) * (below ? y - j : 1 - (y - j)));
    }
    return true;
}

void case_sample_around_cube(struct conform *c)
{
    struct scene s = {0};
    make(c, &s,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                              .format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = SIDE,
                              .height = SIDE,
                              .layers = 6},
         CONFORM_SHADER(c, sample_cube_comp));
    scatter(&s, 3);
    s.probed.sampler = conform_sampler(
        c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR});
    float got[COUNT][4];
    if (!conform_probe(c, &s.probed, s.probes, COUNT, got))
        return;
    for (uint32_t i = 0; i < COUNT; i++)
        if (cube_sample(&s.model, s.probes[i].at, &s.want[i]))
            conform_expect_answers(c, (const float(*)[4])got + i, &s.want[i], 1, 3.0 / 255);
}
