// Sampling: which texels, with which weights, of which levels.
//
// Rules (Vulkan, "Texel Coordinate Systems", "Wrapping Operation", "Scale Factor Operation, LOD
// Operation and Image Level Selection", "Texel Filtering", "Cube Map Edge Handling"): a linear
// filter mixes the texels at floor(s × width - 1/2) and the next one by the fraction, along each
// axis; nearest takes floor(s × width); the address mode wraps whole coordinates. The level is the
// given one or log2 of the longer gradient, plus bias, clamped; mip linear mixes two levels by the
// fraction, nearest takes ceil(level + 1/2) - 1. Beyond an edge of a cube lies the neighbouring
// face; the texel that is missing at its corner is the average of the three others. A gather takes
// the four texels that a linear filter would, counter-clockwise from the lower left.
//
// Proof: coordinates are multiples of 2^-20, levels of 2^-10, texels whole numbers: indices and
// weights are whole, and so is the whole filter in 128 bits. What the device may lose: a rounding
// of s × size (u = 2^-24 of it: of the weight, a part of 2^-24 × size × 4, far less than the 2^-8
// that Vulkan asks for) and six of the mixing. A cube's coordinates come from a division, so two
// more. log2 is within 2^-20.
#include "proof.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sample_2d.comp.spv.h"
#include "sample_3d.comp.spv.h"
#include "sample_cube.comp.spv.h"

enum { PROBES = 2048, STEPS = 1 << 20, LEVEL_STEPS = 1 << 10, MIPS = 7, MOST = 64 };
enum { OP_LEVEL, OP_GRADIENT, OP_GATHER };

struct probe {
    float at[4], more[4];
};

/// A texture of whole numbers from 0 to 255, and everything about how it is sampled.
struct model {
    weft_texture_kind kind;
    weft_format format; // RGBA8_UNORM or RGBA16_FLOAT
    uint32_t size[3], mips;
    uint8_t texels[MIPS][MOST * MOST * 8][4];
    weft_sampler_desc sampler;
};

struct scene {
    struct proof p;
    weft_compute_pipeline pipelines[4]; // by kind
    weft_buffer probes, results;
    struct probe in[PROBES];
    float out[PROBES][4];
};

static void make_pipeline(struct scene *s, weft_texture_kind kind, weft_shader shader)
{
    PROOF_EXPECT(weft_compute_pipeline_create(
        s->p.device, &(weft_compute_pipeline_desc){.compute = {.shader = shader}},
        &s->pipelines[kind]));
}

static void scene_open(struct scene *s, uint32_t threads)
{
    proof_open(&s->p, &(struct proof_desc){.threads = threads, .width = 1, .height = 1});
    make_pipeline(s, WEFT_TEXTURE_2D, PROOF_SHADER(&s->p, sample_2d_comp));
    make_pipeline(s, WEFT_TEXTURE_3D, PROOF_SHADER(&s->p, sample_3d_comp));
    make_pipeline(s, WEFT_TEXTURE_CUBE, PROOF_SHADER(&s->p, sample_cube_comp));
    const weft_buffer_desc in = {.size = sizeof(s->in), .usage = WEFT_BUFFER_USAGE_STORAGE},
                           out = {.size = sizeof(s->out),
                                  .usage = WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_COPY_SRC};
    PROOF_EXPECT(weft_buffer_create(s->p.device, &in, &s->probes));
    PROOF_EXPECT(weft_buffer_create(s->p.device, &out, &s->results));
}

// ---- the texture -------------------------------------------------------------------------------

static uint32_t side(const struct model *m, uint32_t axis, uint32_t mip)
{
    const uint32_t size = m->size[axis] >> mip;
    return m->kind == WEFT_TEXTURE_CUBE && axis == 2 ? 6 : size ? size : 1;
}

static void fill(struct model *m, uint64_t *seed)
{
    for (uint32_t mip = 0; mip < m->mips; mip++) {
        const uint32_t count = side(m, 0, mip) * side(m, 1, mip) * side(m, 2, mip);
        for (uint32_t i = 0; i < 4 * count; i++)
            m->texels[mip][i / 4][i % 4] = (uint8_t)(proof_random(seed) >> 17);
    }
}

static const uint8_t *texel(const struct model *m, uint32_t mip, const int64_t at[3])
{
    const int64_t i = (at[2] * side(m, 1, mip) + at[1]) * side(m, 0, mip) + at[0];
    return m->texels[mip][i];
}

/// A whole number up to 255 as a half float.
static uint16_t half_of(uint32_t v)
{
    uint32_t exponent = 0;
    while (v >> (exponent + 1))
        exponent++;
    return v ? (uint16_t)((exponent + 15) << 10 | ((v << (10 - exponent)) & 0x3ff)) : 0;
}

static weft_texture upload(struct scene *s, const struct model *m)
{
    static uint16_t halves[MOST * MOST * 8][4];
    const bool flat = m->kind != WEFT_TEXTURE_3D;
    const weft_texture_desc desc = {.kind = m->kind,
                                    .format = m->format,
                                    .width = m->size[0],
                                    .height = m->size[1],
                                    .depth = flat ? 1 : m->size[2],
                                    .mips = m->mips};
    weft_texture texture;
    PROOF_EXPECT(weft_texture_create(s->p.device, &desc, &texture));
    for (uint32_t mip = 0; mip < m->mips; mip++) {
        const uint32_t count = side(m, 0, mip) * side(m, 1, mip) * side(m, 2, mip);
        for (uint32_t i = 0; i < 4 * count; i++)
            halves[i / 4][i % 4] = half_of(m->texels[mip][i / 4][i % 4]);
        const bool bytes = m->format == WEFT_FORMAT_RGBA8_UNORM;
        const weft_texture_region region = {.mip = mip,
                                            .layer_count = m->kind == WEFT_TEXTURE_CUBE ? 6 : 0};
        PROOF_EXPECT(weft_texture_write(s->p.device, texture, &region,
                                        bytes ? (const void *)m->texels[mip] : halves,
                                        &(weft_texel_layout){0}));
    }
    return texture;
}

/// What 1 of the model is.
static long double unit(const struct model *m)
{
    return m->format == WEFT_FORMAT_RGBA8_UNORM ? 1 / 255.0L : 1;
}

static void sample(struct scene *s, const struct model *m, uint32_t op)
{
    const weft_texture texture = upload(s, m);
    weft_argument_write writes[4] = {{.binding = 0, .buffer = s->probes},
                                     {.binding = 1, .buffer = s->results},
                                     {.binding = 2},
                                     {.binding = 3}};
    weft_argument_table table;
    weft_command_buffer *cmd;
    PROOF_EXPECT(weft_texture_view_create(
        s->p.device, &(weft_texture_view_desc){.texture = texture}, &writes[2].view));
    PROOF_EXPECT(weft_sampler_create(s->p.device, &m->sampler, &writes[3].sampler));
    PROOF_EXPECT(weft_argument_table_create(
        s->p.device,
        &(weft_argument_table_desc){
            .layout = weft_compute_pipeline_layout(s->p.device, s->pipelines[m->kind], 0),
            .writes = writes,
            .write_count = 4},
        &table));
    memcpy(weft_buffer_map(s->p.device, s->probes, 0, sizeof(s->in)), s->in, sizeof(s->in));
    PROOF_EXPECT(weft_buffer_flush(s->p.device, s->probes, 0, sizeof(s->in)));
    PROOF_EXPECT(weft_command_begin(s->p.device, &(weft_command_desc){0}, &cmd));
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, s->pipelines[m->kind]);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &op, sizeof(op));
    weft_compute_dispatch(enc, PROBES / 64, 1, 1);
    weft_compute_end(enc);
    proof_submit(&s->p, cmd);
    PROOF_EXPECT(weft_buffer_read(s->p.device, s->results, 0, s->out, sizeof(s->out)));
    weft_argument_table_destroy(s->p.device, table);
    weft_sampler_destroy(s->p.device, writes[3].sampler);
    weft_texture_view_destroy(s->p.device, writes[2].view);
    weft_texture_destroy(s->p.device, texture);
}

// ---- the rule ----------------------------------------------------------------------------------

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/// -1: the border.
static int64_t wrap(int64_t i, int64_t size, weft_address_mode mode)
{
    const int64_t in = i - floor_div(i, size) * size, twice = i - floor_div(i, 2 * size) * 2 * size;
    switch (mode) {
    case WEFT_ADDRESS_REPEAT:
        return in;
    case WEFT_ADDRESS_MIRROR_REPEAT:
        return twice < size ? twice : 2 * size - 1 - twice;
    case WEFT_ADDRESS_CLAMP_TO_EDGE:
        return i < 0 ? 0 : i >= size ? size - 1 : i;
    default:
        return i < 0 || i >= size ? -1 : i;
    }
}

static int64_t border(const struct model *m, uint32_t c)
{
    const int64_t one = m->format == WEFT_FORMAT_RGBA8_UNORM ? 255 : 1;
    const weft_border_color color = m->sampler.border;
    if (c == 3)
        return color == WEFT_BORDER_TRANSPARENT_BLACK ? 0 : one;
    return color == WEFT_BORDER_OPAQUE_WHITE ? one : 0;
}

static weft_address_mode mode_of(const struct model *m, uint32_t axis)
{
    return axis == 0 ? m->sampler.u : axis == 1 ? m->sampler.v : m->sampler.w;
}

static int64_t wrapped_texel(const struct model *m, uint32_t mip, const int64_t at[3], uint32_t c)
{
    int64_t inside[3] = {0, 0, 0};
    for (uint32_t a = 0; a < (m->kind == WEFT_TEXTURE_3D ? 3u : 2u); a++) {
        inside[a] = wrap(at[a], side(m, a, mip), mode_of(m, a));
        if (inside[a] < 0)
            return border(m, c);
    }
    return texel(m, mip, inside)[c];
}

/// Coordinates in 1 / STEPS of the texture; axes that there are.
struct place {
    int64_t at[3];
    uint32_t axes;
};

/// A component of one level, over STEPS to the power of axes.
static wide level_of(const struct model *m, const struct place *p, uint32_t mip, bool linear,
                     uint32_t c)
{
    int64_t first[3] = {0, 0, 0}, fraction[3] = {0, 0, 0};
    for (uint32_t a = 0; a < p->axes; a++) {
        const int64_t x = p->at[a] * side(m, a, mip) - (linear ? STEPS / 2 : 0);
        first[a] = floor_div(x, STEPS);
        fraction[a] = linear ? x - first[a] * STEPS : 0;
    }
    wide sum = 0;
    for (uint32_t k = 0; k < 1u << p->axes; k++) {
        wide weight = 1;
        int64_t at[3];
        for (uint32_t a = 0; a < 3; a++) {
            const bool far = k >> a & 1;
            at[a] = first[a] + far;
            if (a < p->axes)
                weight *= far ? fraction[a] : STEPS - fraction[a];
        }
        if (weight)
            sum += weight * wrapped_texel(m, mip, at, c);
    }
    return sum;
}

/// The level in 1 / LEVEL_STEPS, before it is clamped to those that there are.
static int64_t clamp_level(const struct model *m, int64_t level)
{
    const int64_t low = (int64_t)(m->sampler.lod_min * LEVEL_STEPS),
                  high = (int64_t)(m->sampler.lod_max * LEVEL_STEPS);
    level += (int64_t)(m->sampler.lod_bias * LEVEL_STEPS);
    return level < low ? low : level > high ? high : level;
}

/// Samples at a level that is given.
static long double rule(const struct model *m, const struct place *p, int64_t given, uint32_t c)
{
    const int64_t level = clamp_level(m, given), last = (int64_t)(m->mips - 1) * LEVEL_STEPS;
    const bool linear = (level > 0 ? m->sampler.min : m->sampler.mag) == WEFT_FILTER_LINEAR;
    const int64_t d = level < 0 ? 0 : level > last ? last : level;
    const long double scale = powl(STEPS, (long double)p->axes);
    if (m->sampler.mip == WEFT_FILTER_NEAREST) {
        const int64_t twice = 2 * d + LEVEL_STEPS; // ceil(d + 1/2) - 1
        const int64_t mip = -floor_div(-twice, INT64_C(2) * LEVEL_STEPS) - 1;
        return (long double)level_of(m, p, (uint32_t)mip, linear, c) / scale;
    }
    const uint32_t mip = (uint32_t)(d / LEVEL_STEPS);
    const int64_t toward = d % LEVEL_STEPS;
    wide sum = level_of(m, p, mip, linear, c) * (LEVEL_STEPS - toward);
    if (toward)
        sum += level_of(m, p, mip + 1, linear, c) * toward;
    return (long double)sum / scale / LEVEL_STEPS;
}

// ---- random samples ----------------------------------------------------------------------------

static void random_model(struct model *m, uint64_t *seed, weft_texture_kind kind)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 16, 31, 64};
    m->kind = kind;
    m->format = proof_below(seed, 2) ? WEFT_FORMAT_RGBA8_UNORM : WEFT_FORMAT_RGBA16_FLOAT;
    for (uint32_t a = 0; a < 3; a++)
        m->size[a] =
            kind == WEFT_TEXTURE_3D ? 1 + proof_below(seed, 20) : sizes[proof_below(seed, 8)];
    if (kind != WEFT_TEXTURE_3D)
        m->size[2] = 1;
    if (kind == WEFT_TEXTURE_CUBE)
        m->size[1] = m->size[0];
    uint32_t largest = m->size[0];
    for (uint32_t a = 1; a < 3; a++)
        largest = m->size[a] > largest ? m->size[a] : largest;
    m->mips = 1;
    while (largest >> m->mips && proof_below(seed, 8))
        m->mips++;
    m->sampler = (weft_sampler_desc){
        .mag = (weft_filter)proof_below(seed, 2),
        .min = (weft_filter)proof_below(seed, 2),
        .mip = (weft_filter)proof_below(seed, 2),
        .u = (weft_address_mode)proof_below(seed, 4),
        .v = (weft_address_mode)proof_below(seed, 4),
        .w = (weft_address_mode)proof_below(seed, 4),
        .border = (weft_border_color)proof_below(seed, 3),
        .lod_bias = proof_below(seed, 2) ? (float)proof_between(seed, -2000, 2000) / 1024 : 0,
        .lod_min = proof_below(seed, 3) ? 0 : (float)proof_between(seed, 0, 2000) / 1024,
        .lod_max = 8};
    fill(m, seed);
}

/// Whether a nearest filter's choice hangs on a rounding: the side is no power of two, and the
/// place is all but on the border between two texels.
static bool is_close(const struct model *m, const struct place *p, bool gather)
{
    for (uint32_t mip = 0; mip < m->mips; mip++) {
        for (uint32_t a = 0; a < p->axes; a++) {
            const int64_t size = side(m, a, mip);
            const int64_t x = p->at[a] * size - (gather ? STEPS / 2 : 0);
            const int64_t in = x - floor_div(x, STEPS) * STEPS;
            if ((size & (size - 1)) && (in < 64 || in > STEPS - 64))
                return true;
        }
    }
    return false;
}

static void random_place(uint64_t *seed, const struct model *m, struct place *p, float at[4])
{
    p->axes = m->kind == WEFT_TEXTURE_3D ? 3 : 2;
    for (uint32_t a = 0; a < p->axes; a++) {
        const bool near = proof_below(seed, 2);
        p->at[a] = near ? proof_between(seed, -STEPS / 8, STEPS + STEPS / 8)
                        : proof_between(seed, -4 * STEPS, 4 * STEPS);
        if (proof_below(seed, 4) == 0) // on the grid of sixteenths
            p->at[a] = p->at[a] / (STEPS / 16) * (STEPS / 16);
        at[a] = (float)p->at[a] / STEPS;
    }
}

static long double room_of(const struct model *m)
{
    const uint32_t texels = m->size[0] + m->size[1] + (m->kind == WEFT_TEXTURE_3D ? m->size[2] : 0);
    return 255 * 0x1p-24L * (4 * texels + 10);
}

static double judge(struct scene *s, uint64_t *seed, weft_texture_kind kind)
{
    static struct model m;
    static struct place places[PROBES];
    static int64_t levels[PROBES];
    random_model(&m, seed, kind);
    for (uint32_t i = 0; i < PROBES; i++) {
        random_place(seed, &m, &places[i], s->in[i].at);
        levels[i] = proof_between(seed, -2000, (int32_t)m.mips * LEVEL_STEPS);
        if (proof_below(seed, 4) == 0)
            levels[i] = levels[i] / (LEVEL_STEPS / 2) * (LEVEL_STEPS / 2);
        s->in[i].at[3] = (float)levels[i] / LEVEL_STEPS;
    }
    sample(s, &m, OP_LEVEL);
    double worst = 0;
    const bool nearest =
        m.sampler.mag == WEFT_FILTER_NEAREST || m.sampler.min == WEFT_FILTER_NEAREST;
    for (uint32_t i = 0; i < PROBES; i++) {
        if (nearest && is_close(&m, &places[i], false))
            continue;
        for (uint32_t c = 0; c < 4; c++) {
            const long double wanted = rule(&m, &places[i], levels[i], c);
            const long double got = s->out[i][c] / unit(&m), room = room_of(&m);
            if (!(fabsl(got - wanted) <= room))
                test_fail(__FILE__, __LINE__,
                          "component %u at (%.8g, %.8g, %.8g), level %g, of %u x %u x %u, %u mips: "
                          "%.9Lg, not %.9Lg within %.3Lg",
                          c, s->in[i].at[0], s->in[i].at[1], s->in[i].at[2], s->in[i].at[3],
                          m.size[0], m.size[1], m.size[2], m.mips, got, wanted, room);
            worst = fmax(worst, (double)(fabsl(got - wanted) / room));
        }
    }
    return worst;
}

static void judge_many(weft_texture_kind kind, const char *name, uint32_t quick)
{
    static struct scene s;
    double worst = 0;
    uint64_t seed = 3;
    const uint32_t rounds = proof_rounds(quick);
    scene_open(&s, 2);
    for (uint32_t i = 0; i < rounds; i++)
        worst = fmax(worst, judge(&s, &seed, kind));
    proof_close(&s.p);
    (void)printf("sampling: %u samples %s, %.2f of the error that is allowed\n", rounds * PROBES,
                 name, worst);
}

TEST(sampling, of_two_dimensions_mixes_the_right_texels)
{
    judge_many(WEFT_TEXTURE_2D, "in 2D", 60);
}

TEST(sampling, of_three_dimensions_mixes_the_right_texels)
{
    judge_many(WEFT_TEXTURE_3D, "in 3D", 30);
}

TEST(sampling, gathers_the_right_texels)
{
    static struct scene s;
    static struct model m;
    static struct place places[PROBES];
    static const int64_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    uint64_t seed = 3;
    const uint32_t rounds = proof_rounds(20);
    scene_open(&s, 2);
    for (uint32_t round = 0; round < rounds; round++) {
        random_model(&m, &seed, WEFT_TEXTURE_2D);
        for (uint32_t i = 0; i < PROBES; i++)
            random_place(&seed, &m, &places[i], s.in[i].at);
        sample(&s, &m, OP_GATHER);
        for (uint32_t i = 0; i < PROBES; i++) {
            if (is_close(&m, &places[i], true))
                continue;
            for (uint32_t k = 0; k < 4; k++) {
                int64_t at[3] = {0, 0, 0};
                for (uint32_t a = 0; a < 2; a++)
                    at[a] = floor_div(places[i].at[a] * m.size[a] - STEPS / 2, STEPS) + order[k][a];
                EXPECT_NEAR(s.out[i][k], (double)(wrapped_texel(&m, 0, at, 0) * unit(&m)), 1e-7);
            }
        }
    }
    proof_close(&s.p);
}

// ---- levels from gradients ---------------------------------------------------------------------

TEST(sampling, takes_the_level_of_the_longer_gradient)
{
    static struct scene s;
    static struct model m;
    uint64_t seed = 3;
    const uint32_t rounds = proof_rounds(20);
    double worst = 0;
    scene_open(&s, 2);
    for (uint32_t round = 0; round < rounds; round++) {
        // Every texel of a level is its number: what is sampled is the level.
        random_model(&m, &seed, WEFT_TEXTURE_2D);
        m.format = WEFT_FORMAT_RGBA16_FLOAT;
        m.sampler.u = m.sampler.v = WEFT_ADDRESS_REPEAT;
        m.sampler.mip = WEFT_FILTER_LINEAR;
        for (uint32_t mip = 0; mip < m.mips; mip++)
            memset(m.texels[mip], (int)mip, sizeof(m.texels[mip]));
        for (uint32_t i = 0; i < PROBES; i++) {
            for (uint32_t k = 0; k < 4; k++)
                s.in[i].more[k] = (float)proof_between(&seed, -STEPS, STEPS) / STEPS *
                                  powf(2, -(float)proof_below(&seed, 8));
        }
        sample(&s, &m, OP_GRADIENT);
        for (uint32_t i = 0; i < PROBES; i++) {
            const float *g = s.in[i].more;
            const long double x =
                hypotl((long double)g[0] * m.size[0], (long double)g[1] * m.size[1]);
            const long double y =
                hypotl((long double)g[2] * m.size[0], (long double)g[3] * m.size[1]);
            long double level = log2l(fmaxl(x, y)) + (long double)m.sampler.lod_bias;
            level = fminl(fmaxl(level, m.sampler.lod_min), m.sampler.lod_max);
            level = fminl(fmaxl(level, 0), m.mips - 1);
            EXPECT_NEAR(s.out[i][0], (double)level, 0x1p-20);
            worst = fmax(worst, fabs(s.out[i][0] - (double)level));
        }
    }
    proof_close(&s.p);
    (void)printf("sampling: %u levels, at most %.3g off\n", rounds * PROBES, worst);
}

// ---- cubes -------------------------------------------------------------------------------------

/// By face: the axes of s, t and outwards, and their signs ("Cube Map Face Selection").
static const struct {
    int axis[3], sign[3];
} faces[6] = {{{2, 1, 0}, {-1, -1, 1}}, {{2, 1, 0}, {1, -1, -1}}, {{0, 2, 1}, {1, 1, 1}},
              {{0, 2, 1}, {1, -1, -1}}, {{0, 1, 2}, {1, -1, 1}},  {{0, 1, 2}, {-1, -1, -1}}};

/// A texel that may lie one beyond an edge of its face: the cube is unfolded there. False: a
/// corner.
static bool cube_texel(const struct model *m, uint32_t face, const int64_t texel_of[2], uint32_t c,
                       int64_t *out)
{
    const int64_t n = side(m, 0, 0);
    int64_t at[2] = {2 * texel_of[0] + 1 - n,
                     2 * texel_of[1] + 1 - n}; // from the face's middle, in half texels
    int64_t p[3];
    const bool out_s = at[0] < -n || at[0] > n, out_t = at[1] < -n || at[1] > n;
    if (out_s && out_t)
        return false;
    p[faces[face].axis[2]] = faces[face].sign[2] * n;
    for (int a = 0; a < 2; a++) {
        // What sticks out is folded: it goes inwards along the old face's normal.
        const int64_t beyond = at[a] > n ? at[a] - n : at[a] < -n ? -n - at[a] : 0;
        if (beyond)
            p[faces[face].axis[2]] = faces[face].sign[2] * (n - beyond);
        p[faces[face].axis[a]] = faces[face].sign[a] * (at[a] > n ? n : at[a] < -n ? -n : at[a]);
    }
    for (uint32_t f = 0; f < 6; f++) {
        if (p[faces[f].axis[2]] != faces[f].sign[2] * n)
            continue;
        const int64_t texel_at[3] = {(faces[f].sign[0] * p[faces[f].axis[0]] + n - 1) / 2,
                                     (faces[f].sign[1] * p[faces[f].axis[1]] + n - 1) / 2, f};
        *out = texel(m, 0, texel_at)[c];
    }
    return true;
}

/// The filter at an exact place of a face. The coordinate is a quotient; weights are long doubles.
static long double cube_rule(const struct model *m, uint32_t face, const long double at[2],
                             uint32_t c)
{
    const long double n = (long double)side(m, 0, 0);
    const long double x = at[0] * n - 0.5L, y = at[1] * n - 0.5L;
    const int64_t i = (int64_t)floorl(x), j = (int64_t)floorl(y);
    long double t[4], sum = 0;
    uint32_t missing = 4;
    for (uint32_t k = 0; k < 4; k++) {
        int64_t value = 0;
        const int64_t corner[2] = {i + (k & 1), j + (k >> 1)};
        if (!cube_texel(m, face, corner, c, &value))
            missing = k;
        t[k] = (long double)value;
        sum += t[k];
    }
    if (missing < 4)
        t[missing] = sum / 3;
    const long double a = x - (long double)i, b = y - (long double)j;
    return (t[0] * (1 - a) + t[1] * a) * (1 - b) + (t[2] * (1 - a) + t[3] * a) * b;
}

/// Directions in 1 / STEPS; some close to edges and corners.
static uint32_t random_direction(uint64_t *seed, float out[4], long double at[2])
{
    int64_t d[3];
    for (uint32_t a = 0; a < 3; a++)
        d[a] = proof_between(seed, -STEPS, STEPS);
    const uint32_t major = proof_below(seed, 3);
    d[major] = proof_below(seed, 2) ? STEPS : -STEPS;
    for (uint32_t a = 0; a < 3; a++) {
        if (a != major && proof_below(seed, 3) == 0)
            d[a] = (proof_below(seed, 2) ? INT64_C(1) : -1) *
                   proof_between(seed, STEPS / 8 * 7, STEPS - 1);
        if (a != major && (d[a] == STEPS || d[a] == -STEPS))
            d[a] = 0; // on the edge itself either face will do
        out[a] = (float)d[a] / STEPS;
    }
    const uint32_t face = 2 * major + (d[major] < 0);
    for (uint32_t a = 0; a < 2; a++)
        at[a] = (1 + (long double)(faces[face].sign[a] * d[faces[face].axis[a]]) / STEPS) / 2;
    return face;
}

TEST(sampling, of_cubes_goes_on_over_their_edges)
{
    static struct scene s;
    static struct model m;
    uint64_t seed = 3;
    const uint32_t rounds = proof_rounds(20);
    double worst = 0;
    scene_open(&s, 2);
    for (uint32_t round = 0; round < rounds; round++) {
        static uint32_t face[PROBES];
        static long double at[PROBES][2];
        random_model(&m, &seed, WEFT_TEXTURE_CUBE);
        m.sampler = (weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR};
        for (uint32_t i = 0; i < PROBES; i++) {
            face[i] = random_direction(&seed, s.in[i].at, at[i]);
            s.in[i].at[3] = 0;
        }
        sample(&s, &m, OP_LEVEL);
        for (uint32_t i = 0; i < PROBES; i++) {
            for (uint32_t c = 0; c < 4; c++) {
                const long double wanted = cube_rule(&m, face[i], at[i], c);
                const long double got = s.out[i][c] / unit(&m), room = room_of(&m);
                EXPECT_NEAR((double)got, (double)wanted, (double)room);
                worst = fmax(worst, (double)(fabsl(got - wanted) / room));
            }
        }
    }
    proof_close(&s.p);
    (void)printf("sampling: %u samples of cubes, %.2f of the error that is allowed\n",
                 rounds * PROBES, worst);
}

TEST(sampling, is_the_same_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    static struct scene s;
    uint64_t first = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t seed = 5;
        scene_open(&s, threads[i]);
        (void)judge(&s, &seed, WEFT_TEXTURE_2D);
        const uint64_t hash = proof_hash(s.out, sizeof(s.out));
        first = i ? first : hash;
        EXPECT_EQ(hash, first);
        proof_close(&s.p);
    }
}
