#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/software/exec/run.h"
#include "exec_support.h"

#include "exec_math.comp.spv.h"

/// What a function may differ from the C library's double: in units of the last place of the
/// result, or absolutely, whichever allows more.
struct bound {
    const char *name;
    float low, high; ///< Of x.
    float y_low, y_high;
    double (*exact)(double x, double y);
    double ulps, absolute;
    bool growing; ///< `ulps` is for 0 and grows by 2 per unit of |x|: exp.
};

static double f_sin(double x, double y)
{
    return (void)y, sin(x);
}
static double f_cos(double x, double y)
{
    return (void)y, cos(x);
}
static double f_tan(double x, double y)
{
    return (void)y, tan(x);
}
static double f_asin(double x, double y)
{
    return (void)y, asin(x);
}
static double f_acos(double x, double y)
{
    return (void)y, acos(x);
}
static double f_atan(double x, double y)
{
    return (void)y, atan(x);
}
static double f_atan2(double x, double y)
{
    return atan2(x, y);
}
static double f_sinh(double x, double y)
{
    return (void)y, sinh(x);
}
static double f_cosh(double x, double y)
{
    return (void)y, cosh(x);
}
static double f_tanh(double x, double y)
{
    return (void)y, tanh(x);
}
static double f_asinh(double x, double y)
{
    return (void)y, asinh(x);
}
static double f_acosh(double x, double y)
{
    return (void)y, acosh(x);
}
static double f_atanh(double x, double y)
{
    return (void)y, atanh(x);
}
static double f_pow(double x, double y)
{
    return pow(x, y);
}
static double f_exp(double x, double y)
{
    return (void)y, exp(x);
}
static double f_log(double x, double y)
{
    return (void)y, log(x);
}
static double f_exp2(double x, double y)
{
    return (void)y, exp2(x);
}
static double f_log2(double x, double y)
{
    return (void)y, log2(x);
}
static double f_sqrt(double x, double y)
{
    return (void)y, sqrt(x);
}
static double f_rsqrt(double x, double y)
{
    return (void)y, 1 / sqrt(x);
}
static double f_round(double x, double y)
{
    return (void)y, nearbyint(x);
}
static double f_trunc(double x, double y)
{
    return (void)y, trunc(x);
}
static double f_floor(double x, double y)
{
    return (void)y, floor(x);
}
static double f_ceil(double x, double y)
{
    return (void)y, ceil(x);
}
static double f_fract(double x, double y)
{
    return (void)y, x - floor(x);
}
static double f_abs(double x, double y)
{
    return (void)y, fabs(x);
}
static double f_sign(double x, double y)
{
    return (void)y, (x > 0) - (x < 0);
}
static double f_radians(double x, double y)
{
    return (void)y, x * 3.14159265358979323846 / 180;
}
static double f_degrees(double x, double y)
{
    return (void)y, x * 180 / 3.14159265358979323846;
}
static double f_min(double x, double y)
{
    return x < y ? x : y;
}
static double f_max(double x, double y)
{
    return x > y ? x : y;
}
static double f_step(double x, double y)
{
    return y < x ? 0 : 1;
}
static double f_fma(double x, double y)
{
    return x * y + 0.125;
}
static double f_mix(double x, double y)
{
    return x * 0.75 + y * 0.25;
}
static double f_clamp(double x, double y)
{
    return (void)y, x < -2 ? -2 : x > 3 ? 3 : x;
}
static double f_smoothstep(double x, double y)
{
    double t = (x + 3) / 7;
    (void)y;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}
static double f_ldexp(double x, double y)
{
    return ldexp(x, (int)y);
}
static double f_frexp(double x, double y)
{
    int e;
    const double m = frexp(x, &e);
    (void)y;
    return (double)((float)m * 1000.0f + (float)e);
}
static double f_modf(double x, double y)
{
    (void)y;
    return trunc(x) + (x - trunc(x)) * 0.5;
}

static const struct bound bounds[] = {
    {"sin", -3.15f, 3.15f, 0, 0, f_sin, 0, 1.0 / 2048 / 1024, false},
    {"cos", -3.15f, 3.15f, 0, 0, f_cos, 0, 1.0 / 2048 / 1024, false},
    {"tan", -1.5f, 1.5f, 0, 0, f_tan, 16, 1e-6, false},
    {"asin", -1, 1, 0, 0, f_asin, 16, 1e-6, false},
    {"acos", -1, 1, 0, 0, f_acos, 16, 1e-6, false},
    {"atan", -50, 50, 0, 0, f_atan, 4, 0, false},
    {"atan2", -9, 9, -9, 9, f_atan2, 8, 0, false},
    {"sinh", -80, 80, 0, 0, f_sinh, 64, 0, false},
    {"cosh", -80, 80, 0, 0, f_cosh, 64, 0, false},
    {"tanh", -9, 9, 0, 0, f_tanh, 8, 0, false},
    {"asinh", -100, 100, 0, 0, f_asinh, 16, 0, false},
    {"acosh", 1, 100, 0, 0, f_acosh, 16, 1e-6, false},
    {"atanh", -0.99f, 0.99f, 0, 0, f_atanh, 16, 0, false},
    {"pow", 0.01f, 20, -8, 8, f_pow, 128, 0, false},
    {"exp", -80, 80, 0, 0, f_exp, 3, 0, true},
    {"log", 1e-6f, 1000, 0, 0, f_log, 3, 0, false},
    {"exp2", -120, 120, 0, 0, f_exp2, 3, 0, true},
    {"log2", 1e-6f, 1000, 0, 0, f_log2, 3, 0, false},
    {"sqrt", 0, 1e6f, 0, 0, f_sqrt, 0.5, 0, false},
    {"inversesqrt", 1e-6f, 1e6f, 0, 0, f_rsqrt, 2, 0, false},
    {"round", -100, 100, 0, 0, f_round, 0, 0, false},
    {"roundEven", -100, 100, 0, 0, f_round, 0, 0, false},
    {"trunc", -100, 100, 0, 0, f_trunc, 0, 0, false},
    {"floor", -100, 100, 0, 0, f_floor, 0, 0, false},
    {"ceil", -100, 100, 0, 0, f_ceil, 0, 0, false},
    {"fract", -100, 100, 0, 0, f_fract, 1, 0, false},
    {"abs", -100, 100, 0, 0, f_abs, 0, 0, false},
    {"sign", -1, 1, 0, 0, f_sign, 0, 0, false},
    {"radians", -1000, 1000, 0, 0, f_radians, 2, 0, false},
    {"degrees", -100, 100, 0, 0, f_degrees, 2, 0, false},
    {"min", -5, 5, -5, 5, f_min, 0, 0, false},
    {"max", -5, 5, -5, 5, f_max, 0, 0, false},
    {"step", -5, 5, -5, 5, f_step, 0, 0, false},
    {"fma", -5, 5, -5, 5, f_fma, 0.501, 0, false},
    {"mix", -5, 5, -5, 5, f_mix, 4, 1e-6, false},
    {"clamp", -5, 5, 0, 0, f_clamp, 0, 0, false},
    {"smoothstep", -5, 5, 0, 0, f_smoothstep, 16, 1e-6, false},
    {"ldexp", -5, 5, -20, 20, f_ldexp, 0, 0, false},
    {"frexp", -500, 500, 0, 0, f_frexp, 0, 0, false},
    {"modf", -500, 500, 0, 0, f_modf, 1, 0, false},
};

enum { FUNCTIONS = sizeof bounds / sizeof *bounds, GROUPS = 200 };

static double last_place(double x)
{
    const float f = (float)fabs(x);
    return (double)nextafterf(f, INFINITY) - (double)f;
}

static void check(const struct bound *b, double x, double y, float got)
{
    const double wanted = b->exact(x, y), error = fabs((double)got - wanted);
    const double ulps = b->growing ? b->ulps + 2 * fabs(x) : b->ulps;
    const double allowed = ulps * last_place(wanted);
    if (error > allowed && error > b->absolute)
        test_fail(__FILE__, __LINE__, "%s(%.9g, %.9g) is %.9g, not %.9g: %.2f ulp", b->name, x, y,
                  (double)got, wanted, error / last_place(wanted));
}

static struct exec open_function(uint32_t number)
{
    const struct wf_shader_specialization constant = {0, number};
    return exec_open(exec_math_comp, sizeof exec_math_comp,
                     &(struct exec_options){.constants = &constant, .constant_count = 1});
}

TEST(exec_math, functions_are_within_their_bounds)
{
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        const struct bound *b = &bounds[f];
        struct exec e = open_function(f);
        float in[128], out[64];
        uint32_t state = f * 7919;
        exec_buffer(&e, 0, out, sizeof out);
        exec_buffer(&e, 1, in, sizeof in);
        for (int g = 0; g < GROUPS; g++) {
            for (size_t i = 0; i < 64; i++) {
                in[i * 2] = exec_random_float(&state, b->low, b->high);
                in[i * 2 + 1] = exec_random_float(&state, b->y_low, b->y_high);
            }
            EXPECT_EQ(exec_group(&e), WF_SW_OK);
            for (size_t i = 0; i < 64; i++)
                check(b, in[i * 2], in[i * 2 + 1], out[i]);
        }
        exec_close(&e);
    }
}

static float at(uint32_t function, float x, float y)
{
    struct exec e = open_function(function);
    float in[128], out[64];
    for (size_t i = 0; i < 64; i++) {
        in[i * 2] = x;
        in[i * 2 + 1] = y;
    }
    exec_buffer(&e, 0, out, sizeof out);
    exec_buffer(&e, 1, in, sizeof in);
    EXPECT_EQ(exec_group(&e), WF_SW_OK);
    exec_close(&e);
    return out[63];
}

TEST(exec_math, ends_of_the_number_line)
{
    EXPECT(isnan(at(0, INFINITY, 0)));
    EXPECT(fabsf(at(0, 1e9f, 0) - (float)sin((double)1e9f)) < 1e-5f);
    EXPECT(fabsf(at(1, -123456.7f, 0) - (float)cos((double)-123456.7f)) < 1e-5f);
    EXPECT(at(14, 100, 0) == INFINITY);
    EXPECT(at(14, -200, 0) == 0);
    EXPECT(isnan(at(14, NAN, 0)));
    EXPECT(at(16, 128, 0) == INFINITY);
    EXPECT(at(16, -149, 0) == 0x1p-149f);
    EXPECT(at(15, 0, 0) == -INFINITY);
    EXPECT(isnan(at(15, -1, 0)));
    EXPECT(at(15, INFINITY, 0) == INFINITY);
    EXPECT_NEAR(at(15, 0x1p-140f, 0), -140 * log(2), 1e-4);
    EXPECT_NEAR(at(17, 0x1p-149f, 0), -149, 0);
    EXPECT(at(13, 0, 2) == 0);
    EXPECT(at(13, 5, 0) == 1);
    EXPECT(at(13, 2, 10) == 1024);
    EXPECT(at(6, 0, -1) > 3.14159f);
    EXPECT(at(6, -1, 0) < -1.5707f);
    EXPECT(at(6, 0, 0) == 0);
    EXPECT(at(5, INFINITY, 0) > 1.5707f);
    EXPECT(isnan(at(3, 1.5f, 0)));
    EXPECT(at(20, 2.5f, 0) == 2 && at(21, 3.5f, 0) == 4 && at(20, 1e10f, 0) == 1e10f);
    EXPECT(signbit(at(22, -0.5f, 0)) && signbit(at(23, -0.0f, 0)));
    EXPECT(at(25, -1e-10f, 0) < 1.0f);
    EXPECT(isnan(at(27, NAN, 0)) || at(27, NAN, 0) == 0);
    EXPECT(at(37, 1, 1000) == INFINITY);
    EXPECT(at(37, 1, -149) == 0x1p-149f);
}

/// The shader with one extended instruction in place of another: GLSL has no name for it.
static float at_other(uint32_t function, uint32_t from, uint32_t to, float x, float y)
{
    static uint32_t words[sizeof exec_math_comp / 4];
    const struct wf_shader_specialization constant = {0, function};
    memcpy(words, exec_math_comp, sizeof words);
    for (size_t i = 5; i < sizeof words / 4; i += words[i] >> 16) {
        if ((words[i] & 0xffff) == SpvOpExtInst && words[i + 4] == from)
            words[i + 4] = to;
    }
    struct exec e = exec_open(words, sizeof words,
                              &(struct exec_options){.constants = &constant, .constant_count = 1});
    float in[128], out[64];
    for (size_t i = 0; i < 64; i++) {
        in[i * 2] = x;
        in[i * 2 + 1] = y;
    }
    exec_buffer(&e, 0, out, sizeof out);
    exec_buffer(&e, 1, in, sizeof in);
    EXPECT_EQ(exec_group(&e), WF_SW_OK);
    exec_close(&e);
    return out[31];
}

TEST(exec_math, the_n_functions_ignore_a_nan)
{
    enum { FMIN = 37, FMAX = 40, FCLAMP = 43, NMIN = 79, NMAX = 80, NCLAMP = 81 };
    EXPECT(at_other(30, FMIN, NMIN, NAN, 2) == 2);
    EXPECT(at_other(30, FMIN, NMIN, 3, NAN) == 3);
    EXPECT(at_other(30, FMIN, NMIN, 3, -4) == -4);
    EXPECT(at_other(31, FMAX, NMAX, NAN, 2) == 2);
    EXPECT(at_other(31, FMAX, NMAX, 3, NAN) == 3);
    EXPECT(at_other(31, FMAX, NMAX, 3, -4) == 3);
    EXPECT(at_other(35, FCLAMP, NCLAMP, NAN, 0) == -2);
    EXPECT(at_other(35, FCLAMP, NCLAMP, 7, 0) == 3);
}

/// Equal bits, or both a NaN.
static bool same(const uint32_t *a, const uint32_t *b)
{
    for (size_t i = 0; i < 64; i++) {
        if (a[i] != b[i] && !(isnan(exec_float(a[i])) && isnan(exec_float(b[i]))))
            return false;
    }
    return true;
}

static void compare_isas(struct exec *e, const struct wf_sw_isa *isas, uint32_t count,
                         const char *name)
{
    uint32_t out[2][64];
    for (uint32_t k = 0; k < count; k++) {
        exec_buffer(e, 0, out[k > 0], sizeof out[0]);
        wf_sw_context_use(e->context, &isas[k]);
        EXPECT_EQ(exec_group(e), WF_SW_OK);
        if (k && !same(out[0], out[1]))
            test_fail(__FILE__, __LINE__, "%s differs on %s", name, isas[k].name);
    }
}

TEST(exec_math, every_instruction_set_gives_the_same_bits)
{
    uint32_t count;
    const struct wf_sw_isa *isas = wf_sw_isas(&count);
    if (count < 2)
        test_skip("this machine has one instruction set");
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        struct exec e = open_function(f);
        uint32_t in[128], state = f;
        exec_buffer(&e, 1, in, sizeof in);
        for (int g = 0; g < 20; g++) {
            for (size_t i = 0; i < 128; i++)
                in[i] =
                    g & 1 ? exec_random(&state) : exec_bits(exec_random_float(&state, -100, 100));
            compare_isas(&e, isas, count, bounds[f].name);
        }
        exec_close(&e);
    }
}
