// Floating-point instructions over many numbers, special ones first, against long doubles: within
// what Vulkan allows ("Precision and Operation of SPIR-V Instructions"), in every width.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <spirv/unified1/GLSL.std.450.h>

#include "backends/software/exec/exec.h"
#include "base/alloc.h"
#include "base/half.h"
#include "support/test.h"

typedef long double real;

/// What may lie between a result and the exact one.
enum bound {
    EXACT,    ///< Rounded correctly.
    ULPS,     ///< `ulps` units in the last place.
    EXP,      ///< 3 + 2 |x| units and `ulps` more; 1 + 2 |x| for halves.
    LOG,      ///< 3 units, or 2^-21 (2^-7 for halves) absolutely for x in [0.5, 2].
    POW,      ///< What exp2(y * log2(x)) would be.
    CIRCLE,   ///< 2^-11 (2^-7 for halves) absolutely, for x in [-pi, pi].
    ABSOLUTE, ///< Relative to the largest of the operands and the result, as its formula loses.
};

struct rule {
    const char *name;
    uint16_t opcode; ///< OpExtInst, or a core instruction.
    uint16_t number; ///< Of GLSL.std.450.
    uint8_t operands;
    uint8_t bound; ///< enum bound
    real ulps;
    real (*exact)(real x, real y, real z);
    bool (*defined)(real x, real y, real z); ///< NULL: everywhere.
    bool narrow;                             ///< Not of 64 bits.
};

// ---- what is exact -----------------------------------------------------------------------------

#define REF(name, expression)                                                                      \
    static real ref_##name(real x, real y, real z)                                                 \
    {                                                                                              \
        (void)x, (void)y, (void)z;                                                                 \
        return expression;                                                                         \
    }
#define WHERE(name, condition)                                                                     \
    static bool is_##name(real x, real y, real z)                                                  \
    {                                                                                              \
        (void)x, (void)y, (void)z;                                                                 \
        return condition;                                                                          \
    }

static real smooth(real low, real high, real x)
{
    real t = (x - low) / (high - low);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

REF(round, nearbyintl(x))
REF(trunc, truncl(x))
REF(abs, fabsl(x))
REF(sign, isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
REF(floor, floorl(x))
REF(ceil, ceill(x))
REF(fract, x - floorl(x))
REF(radians, x * 0.017453292519943295769L)
REF(degrees, x * 57.29577951308232087680L)
REF(sin, sinl(x))
REF(cos, cosl(x))
REF(tan, tanl(x))
REF(asin, asinl(x))
REF(acos, acosl(x))
REF(atan, atanl(x))
REF(sinh, sinhl(x))
REF(cosh, coshl(x))
REF(tanh, tanhl(x))
REF(asinh, asinhl(x))
REF(acosh, acoshl(x))
REF(atanh, atanhl(x))
REF(atan2, atan2l(x, y))
REF(pow, powl(x, y))
REF(exp, expl(x))
REF(exp2, exp2l(x))
REF(log, logl(x))
REF(log2, log2l(x))
REF(sqrt, sqrtl(x))
REF(rsqrt, 1 / sqrtl(x))
REF(min, y < x ? y : x)
REF(max, x < y ? y : x)
REF(nmin, fminl(x, y))
REF(nmax, fmaxl(x, y))
REF(clamp, fminl(fmaxl(x, y), z))
REF(mix, x *(1 - z) + y * z)
REF(step, y < x ? 0 : 1)
REF(smooth, smooth(x, y, z))
REF(fma, fmal(x, y, z))
REF(add, x + y)
REF(sub, x - y)
REF(mul, x *y)
REF(div, x / y)
REF(neg, -x)

WHERE(number, !isnan(x) && !isnan(y) && !isnan(z))
WHERE(finite, isfinite(x) && isfinite(y) && isfinite(z))
WHERE(circle, fabsl(x) <= 3.14159265358979323846L)
WHERE(slope, fabsl(x) <= 1.5L)
WHERE(one, fabsl(x) <= 1)
WHERE(inside, fabsl(x) < 1)
WHERE(above_one, x >= 1 && isfinite(x))
WHERE(positive, x > 0)
WHERE(not_negative, x >= 0)
WHERE(base, x > 0 && isfinite(x) && isfinite(y))
WHERE(point, (x != 0 || y != 0) && isfinite(x) && isfinite(y))
WHERE(range, isfinite(x) && isfinite(y) && y <= z)
WHERE(edges, x<y && fabsl(x) < 1e4L && fabsl(y) < 1e4L && fabsl(z) < 1e4L && y - x> 1e-3L)
WHERE(blend, isfinite(x) && isfinite(y) && z >= 0 && z <= 1)
// Vulkan bounds division for divisors from 2^-126 to 2^126.
WHERE(divisor, isfinite(x) && fabsl(y) >= 0x1p-126L && fabsl(y) <= 0x1p126L)

#define GLSL(name, number, operands, ...)                                                          \
    {                                                                                              \
#name, SpvOpExtInst, GLSLstd450##number, operands, __VA_ARGS__                             \
    }

static const struct rule rules[] = {
    {"add", SpvOpFAdd, 0, 2, EXACT, 0, ref_add, is_number, false},
    {"sub", SpvOpFSub, 0, 2, EXACT, 0, ref_sub, is_number, false},
    {"mul", SpvOpFMul, 0, 2, EXACT, 0, ref_mul, is_number, false},
    {"div", SpvOpFDiv, 0, 2, ULPS, 2.5L, ref_div, is_divisor, false},
    {"neg", SpvOpFNegate, 0, 1, EXACT, 0, ref_neg, NULL, false},
    GLSL(round, Round, 1, EXACT, 0, ref_round, NULL, false),
    GLSL(round_even, RoundEven, 1, EXACT, 0, ref_round, NULL, false),
    GLSL(trunc, Trunc, 1, EXACT, 0, ref_trunc, NULL, false),
    GLSL(abs, FAbs, 1, EXACT, 0, ref_abs, NULL, false),
    GLSL(sign, FSign, 1, EXACT, 0, ref_sign, is_number, false),
    GLSL(floor, Floor, 1, EXACT, 0, ref_floor, NULL, false),
    GLSL(ceil, Ceil, 1, EXACT, 0, ref_ceil, NULL, false),
    GLSL(fract, Fract, 1, ULPS, 1, ref_fract, is_finite, false),
    GLSL(radians, Radians, 1, ULPS, 1.5L, ref_radians, NULL, false),
    GLSL(degrees, Degrees, 1, ULPS, 1.5L, ref_degrees, NULL, false),
    GLSL(sin, Sin, 1, CIRCLE, 0, ref_sin, is_circle, true),
    GLSL(cos, Cos, 1, CIRCLE, 0, ref_cos, is_circle, true),
    GLSL(tan, Tan, 1, ABSOLUTE, 8192, ref_tan, is_slope, true),
    GLSL(asin, Asin, 1, ULPS, 4096, ref_asin, is_one, true),
    GLSL(acos, Acos, 1, ULPS, 4096, ref_acos, is_one, true),
    GLSL(atan, Atan, 1, ULPS, 4096, ref_atan, is_number, true),
    GLSL(atan2, Atan2, 2, ULPS, 4096, ref_atan2, is_point, true),
    GLSL(sinh, Sinh, 1, EXP, 5, ref_sinh, NULL, true),
    GLSL(cosh, Cosh, 1, EXP, 5, ref_cosh, NULL, true),
    GLSL(tanh, Tanh, 1, ULPS, 8, ref_tanh, NULL, true),
    GLSL(asinh, Asinh, 1, ULPS, 8, ref_asinh, NULL, true),
    GLSL(acosh, Acosh, 1, ULPS, 8, ref_acosh, is_above_one, true),
    GLSL(atanh, Atanh, 1, ULPS, 8, ref_atanh, is_inside, true),
    GLSL(pow, Pow, 2, POW, 0, ref_pow, is_base, true),
    GLSL(exp, Exp, 1, EXP, 0, ref_exp, NULL, true),
    GLSL(exp2, Exp2, 1, EXP, 0, ref_exp2, NULL, true),
    GLSL(log, Log, 1, LOG, 0, ref_log, is_positive, true),
    GLSL(log2, Log2, 1, LOG, 0, ref_log2, is_positive, true),
    GLSL(sqrt, Sqrt, 1, EXACT, 0, ref_sqrt, is_not_negative, false),
    GLSL(inverse_sqrt, InverseSqrt, 1, ULPS, 2, ref_rsqrt, is_positive, false),
    GLSL(min, FMin, 2, EXACT, 0, ref_min, is_number, false),
    GLSL(max, FMax, 2, EXACT, 0, ref_max, is_number, false),
    GLSL(nmin, NMin, 2, EXACT, 0, ref_nmin, NULL, false),
    GLSL(nmax, NMax, 2, EXACT, 0, ref_nmax, NULL, false),
    GLSL(clamp, FClamp, 3, EXACT, 0, ref_clamp, is_range, false),
    GLSL(nclamp, NClamp, 3, EXACT, 0, ref_clamp, is_range, false),
    GLSL(mix, FMix, 3, ABSOLUTE, 2, ref_mix, is_blend, false),
    GLSL(step, Step, 2, EXACT, 0, ref_step, is_number, false),
    GLSL(smooth_step, SmoothStep, 3, ABSOLUTE, 16, ref_smooth, is_edges, false),
    GLSL(fma, Fma, 3, EXACT, 0, ref_fma, is_finite, false),
};

// ---- a module for one rule and width -----------------------------------------------------------

struct module {
    uint32_t words[512];
    uint32_t count;
};

static void emit(struct module *m, uint16_t opcode, const uint32_t *operands, uint32_t count)
{
    m->words[m->count++] = opcode | (count + 1) << 16;
    for (uint32_t k = 0; k < count; k++)
        m->words[m->count++] = operands[k];
}

#define I(m, opcode, ...)                                                                          \
    emit(m, opcode, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

enum {
    MAIN = 1,
    GLSL_SET,
    LANE,
    VOID,
    MAIN_TYPE,
    UINT,
    FLOAT,
    ARRAY,
    BLOCK,
    TO_BLOCK,
    TO_FLOAT,
    TO_UINT,
    ZERO,
    LABEL,
    INDEX,
    RESULT,
    PLACE,
    BUFFER = 20, ///< The result's, then the operands'.
    AT = 24,
    VALUE = 28,
    IDS = 32,
};

static void build_types(struct module *m, uint32_t width, uint32_t operands)
{
    I(m, SpvOpDecorate, LANE, SpvDecorationBuiltIn, SpvBuiltInLocalInvocationIndex);
    I(m, SpvOpDecorate, ARRAY, SpvDecorationArrayStride, width / 8);
    I(m, SpvOpMemberDecorate, BLOCK, 0, SpvDecorationOffset, 0);
    I(m, SpvOpDecorate, BLOCK, SpvDecorationBlock);
    for (uint32_t k = 0; k <= operands; k++) {
        I(m, SpvOpDecorate, BUFFER + k, SpvDecorationDescriptorSet, 0);
        I(m, SpvOpDecorate, BUFFER + k, SpvDecorationBinding, k);
    }
    I(m, SpvOpTypeVoid, VOID);
    I(m, SpvOpTypeFunction, MAIN_TYPE, VOID);
    I(m, SpvOpTypeInt, UINT, 32, 0);
    I(m, SpvOpTypeFloat, FLOAT, width);
    I(m, SpvOpTypeRuntimeArray, ARRAY, FLOAT);
    I(m, SpvOpTypeStruct, BLOCK, ARRAY);
    I(m, SpvOpTypePointer, TO_BLOCK, SpvStorageClassStorageBuffer, BLOCK);
    I(m, SpvOpTypePointer, TO_FLOAT, SpvStorageClassStorageBuffer, FLOAT);
    I(m, SpvOpTypePointer, TO_UINT, SpvStorageClassInput, UINT);
    I(m, SpvOpConstant, UINT, ZERO, 0);
    I(m, SpvOpVariable, TO_UINT, LANE, SpvStorageClassInput);
    for (uint32_t k = 0; k <= operands; k++)
        I(m, SpvOpVariable, TO_BLOCK, BUFFER + k, SpvStorageClassStorageBuffer);
}

static void build(struct module *m, const struct rule *r, uint32_t width)
{
    *m = (struct module){.words = {SpvMagicNumber, 0x10600, 0, IDS, 0}, .count = 5};
    I(m, SpvOpCapability, SpvCapabilityShader);
    if (width == 64)
        I(m, SpvOpCapability, SpvCapabilityFloat64);
    if (width == 16) {
        I(m, SpvOpCapability, SpvCapabilityFloat16);
        I(m, SpvOpCapability, SpvCapabilityStorageBuffer16BitAccess);
    }
    // "GLSL.std.450"
    I(m, SpvOpExtInstImport, GLSL_SET, 0x4c534c47, 0x6474732e, 0x3035342e, 0);
    I(m, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    const uint32_t entry[] = {SpvExecutionModelGLCompute,
                              MAIN,
                              0x6e69616d,
                              0,
                              LANE,
                              BUFFER,
                              BUFFER + 1,
                              BUFFER + 2,
                              BUFFER + 3};
    emit(m, SpvOpEntryPoint, entry, 6 + r->operands);
    I(m, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, WF_SW_LANES, 1, 1);
    build_types(m, width, r->operands);
    I(m, SpvOpFunction, VOID, MAIN, 0, MAIN_TYPE);
    I(m, SpvOpLabel, LABEL);
    I(m, SpvOpLoad, UINT, INDEX, LANE);
    for (uint32_t k = 0; k < r->operands; k++) {
        I(m, SpvOpAccessChain, TO_FLOAT, AT + k, BUFFER + 1 + k, ZERO, INDEX);
        I(m, SpvOpLoad, FLOAT, VALUE + k, AT + k);
    }
    const uint32_t extended[] = {FLOAT, RESULT,    GLSL_SET,  r->number,
                                 VALUE, VALUE + 1, VALUE + 2, VALUE + 3};
    const uint32_t core[] = {FLOAT, RESULT, VALUE, VALUE + 1};
    if (r->opcode == SpvOpExtInst)
        emit(m, r->opcode, extended, 4 + r->operands);
    else
        emit(m, r->opcode, core, 2 + r->operands);
    I(m, SpvOpAccessChain, TO_FLOAT, PLACE, BUFFER, ZERO, INDEX);
    I(m, SpvOpStore, PLACE, RESULT);
    emit(m, SpvOpReturn, NULL, 0);
    emit(m, SpvOpFunctionEnd, NULL, 0);
}

// ---- numbers -----------------------------------------------------------------------------------

static const int mantissa_of[] = {[16 / 16] = 11, [32 / 16] = 24, [64 / 16] = 53};
static const int least_of[] = {[16 / 16] = -14, [32 / 16] = -126, [64 / 16] = -1022};

static real load(const uint8_t *at, uint32_t width)
{
    uint16_t half;
    float f;
    double d;
    if (width == 16) {
        memcpy(&half, at, sizeof half);
        return (real)wf_base_float_from_bits(wf_base_half_to_float_bits(half));
    }
    if (width == 32) {
        memcpy(&f, at, sizeof f);
        return (real)f;
    }
    memcpy(&d, at, sizeof d);
    return (real)d;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/// A special number, any bits, or a tame number, as `kind` says.
static void make(uint8_t *at, uint32_t width, uint32_t kind, uint64_t *state)
{
    static const double tame[] = {0.0,    1.0, 0.5, 2.0,  1.5,    2.5,        0.75,  3.0,
                                  1024.0, 0.1, 1.1, 10.0, 0.9999, 3.14159265, 1e-3,  100.0,
                                  1e4,    0.3, 7.0, 12.5, 88.0,   0x1p-10,    0x1p9, 6e4};
    enum { TAME = sizeof tame / sizeof *tame, EDGES = 8 };
    const int mantissa = mantissa_of[width / 16];
    const uint64_t random = next_random(state), one = 1;
    const uint64_t infinity = ((one << (width - (uint32_t)mantissa)) - 1) << (mantissa - 1);
    const uint64_t edges[EDGES] = {
        1,        (one << (mantissa - 1)) - 1,      one << (mantissa - 1), infinity - 1,
        infinity, infinity | one << (mantissa - 2), infinity / 2 + 1,      infinity / 2 - 1};
    uint64_t bits = random;
    double value = kind / 2 < TAME
                       ? tame[kind / 2 % TAME]
                       : ldexp(1 + (double)(random >> 12) * 0x1p-52, (int)(random % 13) - 6);
    if (kind < (TAME + EDGES) * 2 && kind >= TAME * 2) {
        bits = edges[(kind - TAME * 2) / 2] | (uint64_t)(kind & 1) << (width - 1);
    } else if (kind < TAME * 2 || random & 64) {
        value = kind & 1 ? -value : value;
        const float single = (float)value;
        const uint16_t half = wf_base_half_from_float(single);
        bits = 0;
        if (width == 16)
            memcpy(&bits, &half, sizeof half);
        else if (width == 32)
            memcpy(&bits, &single, sizeof single);
        else
            memcpy(&bits, &value, sizeof value);
    }
    memcpy(at, &bits, width / 8);
}

enum { SPECIALS = 64, COUNT = 16384 };

// ---- the verdict -------------------------------------------------------------------------------

static real unit_of(real exact, uint32_t width)
{
    int exponent = 0;
    (void)frexpl(exact, &exponent);
    exponent--;
    if (exact == 0 || exponent < least_of[width / 16])
        exponent = least_of[width / 16];
    return ldexpl(1, exponent - mantissa_of[width / 16] + 1);
}

static real allowed(const struct rule *r, uint32_t width, const real in[3], real exact)
{
    const real unit = unit_of(exact, width), x = fabsl(in[0]);
    const bool half = width == 16;
    real largest = fabsl(exact);
    switch (r->bound) {
    case EXACT:
        return unit * 0.5001L;
    case ULPS:
        return unit * r->ulps;
    case EXP:
        return unit * ((half ? 1 : 3) + 2 * x + r->ulps);
    case LOG:
        return in[0] >= 0.5L && in[0] <= 2 ? (half ? 0x1p-7L : 0x1p-21L) : 3 * unit;
    case POW:
        return unit * ((half ? 1 : 3) + 8 * fabsl(in[1] * log2l(in[0])));
    case CIRCLE:
        return half ? 0x1p-7L : 0x1p-11L;
    default:
        for (uint32_t k = 0; k < r->operands; k++)
            largest = fmaxl(largest, fabsl(in[k]));
        return unit_of(r->number == GLSLstd450SmoothStep ? 1 : largest, width) * r->ulps;
    }
}

static bool fits(const struct rule *r, uint32_t width, const real in[3], real got)
{
    const real exact = r->exact(in[0], in[1], in[2]);
    const int mantissa = mantissa_of[width / 16];
    const real most = ldexpl(2 - ldexpl(1, 1 - mantissa), 1 - least_of[width / 16]);
    if (isnan(exact))
        return isnan(got);
    const real near = allowed(r, width, in, exact);
    if (fabsl(exact) + near >= most + unit_of(most, width) / 2 && isinf(got) &&
        signbit(got) == signbit(exact))
        return true; // so large that it may be infinite
    if (isinf(exact))
        return false;
    return fabsl(got - exact) <= near;
}

/// Whether the instruction is defined there.
static bool check(const struct rule *r, uint32_t width, uint8_t *const data[4], size_t at)
{
    real in[3] = {0};
    for (uint32_t k = 0; k < r->operands; k++)
        in[k] = load(data[1 + k] + at * width / 8, width);
    const real got = load(data[0] + at * width / 8, width);
    if (r->defined && !r->defined(in[0], in[1], in[2]))
        return false;
    if (!fits(r, width, in, got))
        test_fail(__FILE__, __LINE__, "%s of %u bits: (%La, %La, %La) is %La, not %La", r->name,
                  width, in[0], in[1], in[2], got, r->exact(in[0], in[1], in[2]));
    return true;
}

static void run(const struct rule *r, uint32_t width)
{
    static _Alignas(64) uint8_t data[4][COUNT * 8];
    static struct module m;
    struct wf_shader_module *module = NULL;
    struct wf_shader_error error = {0};
    struct wf_sw_program *program = NULL;
    uint64_t state = 1;
    build(&m, r, width);
    for (size_t i = 0; i < COUNT; i++) {
        // All pairs of special numbers first.
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t kind = (uint32_t)(k == 0 ? i % SPECIALS : k == 1 ? i / SPECIALS : i * 7);
            if (k == 2)
                kind %= SPECIALS * 2;
            make(data[1 + k] + i * width / 8, width, kind, &state);
        }
    }
    if (!wf_shader_read(wf_base_allocator_default(), m.words, m.count * sizeof *m.words, &module,
                        &error))
        test_fail(__FILE__, __LINE__, "%s: %s", r->name, error.message);
    const struct wf_sw_program_desc desc = {.module = module, .entry = &module->entries[0]};
    if (!wf_sw_program_create(wf_base_allocator_default(), &desc, &program, &error))
        test_fail(__FILE__, __LINE__, "%s: %s", r->name, error.message);
    struct wf_sw_context *context = wf_sw_context_create(wf_base_allocator_default());
    for (size_t i = 0; i < COUNT; i += WF_SW_LANES) {
        struct wf_sw_binding elements[4];
        const struct wf_sw_binding_range ranges[4] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}};
        const uint32_t id[3] = {0, 0, 0}, count[3] = {1, 1, 1};
        for (uint32_t k = 0; k < 4; k++)
            elements[k] = (struct wf_sw_binding){.data = data[k] + i * width / 8,
                                                 .size = (uint64_t)WF_SW_LANES * width / 8};
        const struct wf_sw_resources resources = {.sets = {{elements, ranges, 4}}};
        EXPECT_EQ(wf_sw_run_group(context, program, &resources, id, count), WF_SW_OK);
    }
    wf_sw_context_destroy(context);
    wf_sw_program_destroy(program);
    wf_shader_free(module);
    uint8_t *const all[4] = {data[0], data[1], data[2], data[3]};
    size_t checked = 0;
    for (size_t i = 0; i < COUNT; i++)
        checked += check(r, width, all, i);
    EXPECT(checked > COUNT / 16);
}

static void run_all(uint32_t width)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (width < 64 || !rules[k].narrow)
            run(&rules[k], width);
    }
}

TEST(spirv_precision, floats)
{
    run_all(32);
}

TEST(spirv_precision, halves)
{
    run_all(16);
}

TEST(spirv_precision, doubles)
{
    run_all(64);
}
