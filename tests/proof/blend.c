// Blending in fixed-point and sRGB targets.
//
// Rule: blending is result = S × Sf op D × Df, with D the decoded texel ("Blending" in Vulkan,
// "Framebuffer Blending"). For normalised targets source, destination, constant and factors are
// clamped to [0, 1] or [-1, 1] first, and so is the result when it is stored, as the nearest number
// ("Conversion From Floating-Point to Normalized Fixed-Point"). sRGB targets decode, blend in
// linear light and encode; alpha is linear. Weft promises less than one step from the exact result.
//
// Proof: each operand is a whole number over 2^20 × max, so that the equation is a whole number
// over the square of that in 128 bits: no operand and no result of the oracle is rounded. Every
// pair of factors and every operation, texels at random with all extremes. Only what sRGB decodes
// to is irrational: there the oracle takes the nearest multiple of 2^-36, and encodes in long
// doubles. That encoding is exact for every float is a unit test (texel,
// srgb_encoding_is_exact_for_every_float); here the floats on both sides of each of its 255 steps
// are drawn.
#include "proof.h"

#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sources.frag.spv.h"
#include "value.vert.spv.h"

enum { SIDE = 64, TEXELS = SIDE * SIDE, STEPS = 1 << 20 };

enum { FACTORS = WEFT_BLEND_ONE_MINUS_SRC1_ALPHA + 1, OPS = WEFT_BLEND_OP_MAX + 1 };

/// A format under test: what its components hold.
struct kind {
    weft_format format;
    uint32_t bits; // of red, green and blue
    uint32_t alpha_bits;
    bool is_signed, srgb, bgra;
};

struct scene {
    struct proof p;
    struct kind kind;
    weft_graphics_pipeline pipeline;
    weft_texture sources[2];
    weft_argument_table table;
    float first[TEXELS][4], second[TEXELS][4], constant[4];
    uint8_t before[TEXELS * 8], after[TEXELS * 8];
    uint32_t texel_bytes;
};

static void scene_open(struct scene *s, const struct kind *kind, uint32_t threads)
{
    memset(s, 0, sizeof(*s));
    s->kind = *kind;
    s->texel_bytes = kind->bits > 10 ? 8 : 4;
    proof_open(&s->p,
               &(struct proof_desc){
                   .threads = threads, .width = SIDE, .height = SIDE, .colors = {kind->format}});
    EXPECT(weft_device_capabilities(s->p.device)->formats[kind->format] & WEFT_FORMAT_CAN_BLEND);
    s->pipeline = proof_pipeline(
        &s->p,
        (weft_graphics_pipeline_desc){.vertex = {.shader = PROOF_SHADER(&s->p, value_vert)},
                                      .fragment = {.shader = PROOF_SHADER(&s->p, sources_frag)},
                                      .flags = WEFT_PIPELINE_DUAL_SOURCE});
    weft_argument_write writes[2] = {{.binding = 0}, {.binding = 1}};
    for (uint32_t i = 0; i < 2; i++) {
        PROOF_EXPECT(weft_texture_create(
            s->p.device,
            &(weft_texture_desc){.format = WEFT_FORMAT_RGBA32_FLOAT, .width = SIDE, .height = SIDE},
            &s->sources[i]));
        PROOF_EXPECT(weft_texture_view_create(
            s->p.device, &(weft_texture_view_desc){.texture = s->sources[i]}, &writes[i].view));
    }
    PROOF_EXPECT(weft_argument_table_create(
        s->p.device,
        &(weft_argument_table_desc){.layout =
                                        weft_graphics_pipeline_layout(s->p.device, s->pipeline, 0),
                                    .writes = writes,
                                    .write_count = 2},
        &s->table));
    const struct proof_vertex corners[3] = {
        {.at = {-1, -1, 0, 1}}, {.at = {3, -1, 0, 1}}, {.at = {-1, 3, 0, 1}}};
    proof_upload(&s->p, corners, 3, NULL, 0);
}

/// Draws the sources over what `before` holds.
static void draw(struct scene *s, const weft_blend_target *blend)
{
    const weft_texture_region all = {0};
    const weft_pipeline_state state = {.blend = {.targets = {*blend}}};
    PROOF_EXPECT(
        weft_texture_write(s->p.device, s->sources[0], &all, s->first, &(weft_texel_layout){0}));
    PROOF_EXPECT(
        weft_texture_write(s->p.device, s->sources[1], &all, s->second, &(weft_texel_layout){0}));
    PROOF_EXPECT(
        weft_texture_write(s->p.device, s->p.colors[0], &all, s->before, &(weft_texel_layout){0}));
    proof_run(&s->p, NULL,
              &(struct proof_draw){.pipeline = s->pipeline,
                                   .count = 3,
                                   .state = &state,
                                   .blend_constant = s->constant,
                                   .arguments = s->table},
              1);
    PROOF_EXPECT(weft_texture_read(s->p.device, s->p.colors[0], &all, s->after,
                                   (uint64_t)TEXELS * s->texel_bytes, NULL));
}

// ---- texels ------------------------------------------------------------------------------------

static uint32_t bits_of(const struct kind *k, uint32_t c)
{
    return c == 3 ? k->alpha_bits : k->bits;
}

/// What 1 is stored as.
static int64_t max_of(const struct kind *k, uint32_t c)
{
    return (INT64_C(1) << (bits_of(k, c) - (k->is_signed ? 1 : 0))) - 1;
}

/// Component `c` as it is stored.
static int64_t stored(const struct scene *s, const uint8_t *texels, uint32_t i, uint32_t c)
{
    const struct kind *k = &s->kind;
    const uint32_t at = k->bgra && c < 3 ? (2 - c) * k->bits : c * k->bits;
    uint64_t texel = 0;
    for (uint32_t b = 0; b < s->texel_bytes; b++)
        texel |= (uint64_t)texels[(size_t)i * s->texel_bytes + b] << 8 * b;
    const uint32_t bits = bits_of(k, c);
    const int64_t value = (int64_t)(texel >> at & ((UINT64_C(1) << bits) - 1));
    return k->is_signed && value >> (bits - 1) ? value - (INT64_C(1) << bits) : value;
}

// ---- the exact equation ------------------------------------------------------------------------

/// Everything that an equation reads, as whole numbers over `one`.
struct operands {
    wide one;
    wide src, dst, second, constant;
    wide src_alpha, dst_alpha, second_alpha;
};

static wide clamp_wide(wide v, wide low, wide high)
{
    return v < low ? low : v > high ? high : v;
}

static wide factor_before(const struct operands *o, weft_blend_factor f, bool alpha)
{
    switch (f) {
    case WEFT_BLEND_ONE:
        return o->one;
    case WEFT_BLEND_SRC:
        return o->src;
    case WEFT_BLEND_ONE_MINUS_SRC:
        return o->one - o->src;
    case WEFT_BLEND_SRC_ALPHA:
        return o->src_alpha;
    case WEFT_BLEND_ONE_MINUS_SRC_ALPHA:
        return o->one - o->src_alpha;
    case WEFT_BLEND_DST:
        return o->dst;
    case WEFT_BLEND_ONE_MINUS_DST:
        return o->one - o->dst;
    case WEFT_BLEND_DST_ALPHA:
        return o->dst_alpha;
    case WEFT_BLEND_ONE_MINUS_DST_ALPHA:
        return o->one - o->dst_alpha;
    case WEFT_BLEND_SRC_ALPHA_SATURATED:
        if (alpha)
            return o->one;
        return o->src_alpha < o->one - o->dst_alpha ? o->src_alpha : o->one - o->dst_alpha;
    case WEFT_BLEND_CONSTANT:
        return o->constant;
    case WEFT_BLEND_ONE_MINUS_CONSTANT:
        return o->one - o->constant;
    case WEFT_BLEND_SRC1:
        return o->second;
    case WEFT_BLEND_ONE_MINUS_SRC1:
        return o->one - o->second;
    case WEFT_BLEND_SRC1_ALPHA:
        return o->second_alpha;
    case WEFT_BLEND_ONE_MINUS_SRC1_ALPHA:
        return o->one - o->second_alpha;
    default:
        return 0;
    }
}

/// The result over the square of `one`.
static wide equation(const struct operands *o, const weft_blend_equation *e, bool alpha, wide low)
{
    const weft_blend_factor src = e->src == WEFT_BLEND_DEFAULT ? WEFT_BLEND_ONE : e->src;
    const wide sf = clamp_wide(factor_before(o, src, alpha), low, o->one);
    const wide df = clamp_wide(factor_before(o, e->dst, alpha), low, o->one);
    switch (e->op) {
    case WEFT_BLEND_OP_ADD:
        return o->src * sf + o->dst * df;
    case WEFT_BLEND_OP_SUBTRACT:
        return o->src * sf - o->dst * df;
    case WEFT_BLEND_OP_REVERSE_SUBTRACT:
        return o->dst * df - o->src * sf;
    case WEFT_BLEND_OP_MIN:
        return (o->src < o->dst ? o->src : o->dst) * o->one;
    case WEFT_BLEND_OP_MAX:
        return (o->src > o->dst ? o->src : o->dst) * o->one;
    }
    return 0;
}

static long double encode_exact(long double linear)
{
    return linear <= 0.0031308L ? linear * 12.92L : 1.055L * powl(linear, 1.0L / 2.4L) - 0.055L;
}

static long double decode_exact(int64_t code)
{
    const long double v = (long double)code / 255;
    return v <= 0.04045L ? v / 12.92L : powl((v + 0.055L) / 1.055L, 2.4L);
}

/// A float that is a multiple of 1 / STEPS, clamped, over STEPS.
static wide whole(float v, wide low)
{
    return clamp_wide((wide)((double)v * STEPS), low < 0 ? -STEPS : 0, STEPS);
}

/// All over STEPS × max × alpha_max: a common denominator of every operand.
static struct operands operands_of(const struct scene *s, uint32_t i, uint32_t c, wide low)
{
    const wide max = max_of(&s->kind, c), alpha_max = max_of(&s->kind, 3);
    const wide floats = max * alpha_max, texels = alpha_max * STEPS, alphas = max * STEPS;
    const wide d = stored(s, s->before, i, c), a = stored(s, s->before, i, 3);
    const wide light = (wide)(decode_exact((int64_t)d) * (long double)(floats * STEPS) + 0.5L);
    return (struct operands){
        .one = floats * STEPS,
        .src = whole(s->first[i][c], low) * floats,
        .second = whole(s->second[i][c], low) * floats,
        .constant = whole(s->constant[c], low) * floats,
        .src_alpha = whole(s->first[i][3], low) * floats,
        .second_alpha = whole(s->second[i][3], low) * floats,
        .dst = s->kind.srgb && c < 3 ? light : (d < -max ? -max : d) * texels,
        .dst_alpha = (a < -alpha_max ? -alpha_max : a) * alphas,
    };
}

// ---- linear targets ----------------------------------------------------------------------------

static float random_source(uint64_t *seed, bool is_signed)
{
    const uint32_t kind = proof_below(seed, 12);
    const float sign = is_signed && proof_below(seed, 2) ? -1 : 1;
    if (kind < 3)
        return sign * (float)kind / 2;
    if (kind == 3) // out of range: clamped
        return (float)proof_between(seed, -2 * STEPS, 2 * STEPS) / STEPS;
    return sign * (float)proof_between(seed, 0, STEPS) / STEPS;
}

static void randomise(struct scene *s, uint64_t *seed)
{
    for (uint32_t i = 0; i < TEXELS * s->texel_bytes; i++)
        s->before[i] = (uint8_t)(proof_random(seed) >> 20);
    for (uint32_t i = 0; i < TEXELS; i++) {
        const uint32_t extreme = proof_below(seed, 16);
        if (extreme < 2)
            memset(s->before + (size_t)i * s->texel_bytes, extreme ? 0xff : 0, s->texel_bytes);
        for (uint32_t c = 0; c < 4; c++) {
            s->first[i][c] = random_source(seed, s->kind.is_signed);
            s->second[i][c] = random_source(seed, s->kind.is_signed);
        }
    }
    for (uint32_t c = 0; c < 4; c++)
        s->constant[c] = random_source(seed, s->kind.is_signed);
}

/// Steps between what was stored and the exact result.
static double judge_component(const struct scene *s, const weft_blend_equation *e, uint32_t i,
                              uint32_t c)
{
    const int64_t max = max_of(&s->kind, c);
    const int64_t got = stored(s, s->after, i, c);
    const struct operands o = operands_of(s, i, c, s->kind.is_signed ? -1 : 0);
    const wide low = s->kind.is_signed ? -o.one : 0;
    const wide exact = equation(&o, e, c == 3, low);
    // Squares have up to 104 bits; for the steps they become doubles, after the exact sum.
    const long double square = (long double)o.one * (long double)o.one;
    const long double wanted = (long double)exact / square;
    const long double clamped = fminl(fmaxl(wanted, s->kind.is_signed ? -1 : 0), 1);
    const long double code = s->kind.srgb && c < 3 ? encode_exact(clamped) : clamped;
    return (double)fabsl((long double)got - code * (long double)max);
}

static void report(const struct scene *s, const weft_blend_equation *e, uint32_t i, uint32_t c,
                   double steps)
{
    test_fail(__FILE__, __LINE__,
              "format %d, factors %d and %d, operation %d: component %u is %lld, %.4g steps off "
              "(source %.9g, %.9g; texel %lld, alpha %lld)",
              (int)s->kind.format, (int)e->src, (int)e->dst, (int)e->op, c,
              (long long)stored(s, s->after, i, c), steps, s->first[i][c], s->first[i][3],
              (long long)stored(s, s->before, i, c), (long long)stored(s, s->before, i, 3));
}

static double judge(const struct scene *s, const weft_blend_target *t)
{
    double worst = 0;
    for (uint32_t i = 0; i < TEXELS; i++) {
        for (uint32_t c = 0; c < 4; c++) {
            const weft_blend_equation *e = c == 3 ? &t->alpha : &t->color;
            const double steps = judge_component(s, e, i, c);
            if (!(steps < 1))
                report(s, e, i, c, steps);
            worst = steps > worst ? steps : worst;
        }
    }
    return worst;
}

static weft_blend_equation equation_at(uint32_t n)
{
    return (weft_blend_equation){(weft_blend_factor)(n % FACTORS),
                                 (weft_blend_factor)(n / FACTORS % FACTORS),
                                 (weft_blend_op)(n / FACTORS / FACTORS % OPS)};
}

/// So many equations: all that there are, if that is enough for them, otherwise any.
static void judge_format(const struct kind *kind, uint32_t count)
{
    static struct scene s;
    uint64_t seed = kind->bits;
    double worst = 0;
    scene_open(&s, kind, 2);
    for (uint32_t n = 0; n < count; n++) {
        const weft_blend_target blend = {
            .enable = true,
            .color = equation_at(count < FACTORS * FACTORS * OPS ? proof_random(&seed) : n),
            .alpha = equation_at(proof_random(&seed))};
        randomise(&s, &seed);
        draw(&s, &blend);
        const double steps = judge(&s, &blend);
        worst = steps > worst ? steps : worst;
    }
    proof_close(&s.p);
    (void)printf("blend: format %d, %u equations of %u texels, at most %.4f steps off\n",
                 (int)kind->format, count, (uint32_t)TEXELS, worst);
}

TEST(blend, of_eight_bits_is_within_one_step)
{
    judge_format(&(struct kind){.format = WEFT_FORMAT_RGBA8_UNORM, .bits = 8, .alpha_bits = 8},
                 proof_rounds(60));
    judge_format(
        &(struct kind){.format = WEFT_FORMAT_BGRA8_UNORM, .bits = 8, .alpha_bits = 8, .bgra = true},
        proof_rounds(10));
}

TEST(blend, of_ten_bits_is_within_one_step)
{
    judge_format(&(struct kind){.format = WEFT_FORMAT_RGB10A2_UNORM, .bits = 10, .alpha_bits = 2},
                 proof_rounds(20));
}

TEST(blend, of_sixteen_bits_is_within_one_step)
{
    judge_format(&(struct kind){.format = WEFT_FORMAT_RGBA16_UNORM, .bits = 16, .alpha_bits = 16},
                 proof_rounds(20));
}

TEST(blend, of_signed_numbers_is_within_one_step)
{
    judge_format(
        &(struct kind){
            .format = WEFT_FORMAT_RGBA8_SNORM, .bits = 8, .alpha_bits = 8, .is_signed = true},
        proof_rounds(20));
    judge_format(
        &(struct kind){
            .format = WEFT_FORMAT_RGBA16_SNORM, .bits = 16, .alpha_bits = 16, .is_signed = true},
        proof_rounds(20));
}

TEST(blend, in_linear_light_is_within_one_step)
{
    judge_format(
        &(struct kind){
            .format = WEFT_FORMAT_RGBA8_UNORM_SRGB, .bits = 8, .alpha_bits = 8, .srgb = true},
        proof_rounds(30));
    judge_format(&(struct kind){.format = WEFT_FORMAT_BGRA8_UNORM_SRGB,
                                .bits = 8,
                                .alpha_bits = 8,
                                .srgb = true,
                                .bgra = true},
                 proof_rounds(5));
}

static float float_of(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

/// Bits of the least float that is nearest to `code` or more.
static uint32_t step_to(uint32_t code)
{
    uint32_t low = 0, high = 0x3f800000; // 0 is below, 1 is not
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (encode_exact((long double)float_of(middle)) * 255 < (long double)code - 0.5L)
            low = middle;
        else
            high = middle;
    }
    return high;
}

TEST(blend, floats_on_both_sides_of_each_step_are_encoded_apart)
{
    static struct scene s;
    scene_open(
        &s,
        &(struct kind){
            .format = WEFT_FORMAT_RGBA8_UNORM_SRGB, .bits = 8, .alpha_bits = 8, .srgb = true},
        2);
    for (uint32_t code = 1; code <= 255; code++) {
        const uint32_t step = step_to(code);
        for (uint32_t i = 0; i < 16; i++) { // so many floats below, and from the step on
            for (uint32_t c = 0; c < 3; c++)
                s.first[16 * code + i][c] = float_of(step + i - 8);
        }
    }
    draw(&s, &(weft_blend_target){0});
    for (uint32_t i = 16; i < TEXELS; i++) {
        for (uint32_t c = 0; c < 3; c++)
            EXPECT_EQ(stored(&s, s.after, i, c), i / 16 - (i % 16 < 8));
    }
    proof_close(&s.p);
}

TEST(blend, is_the_same_for_any_number_of_threads)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    static struct scene s;
    uint64_t first = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t seed = 5;
        scene_open(&s,
                   &(struct kind){.format = WEFT_FORMAT_RGBA8_UNORM, .bits = 8, .alpha_bits = 8},
                   threads[i]);
        const weft_blend_target blend = {
            .enable = true, .color = equation_at(70), .alpha = equation_at(500)};
        randomise(&s, &seed);
        draw(&s, &blend);
        const uint64_t hash = proof_hash(s.after, sizeof(s.after));
        first = i ? first : hash;
        EXPECT_EQ(hash, first);
        proof_close(&s.p);
    }
}
