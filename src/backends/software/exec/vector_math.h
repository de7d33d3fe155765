/// Elementary functions over vectors, made of IEEE operations in a fixed order: the same bits
/// everywhere. Polynomials are those of Moshier's Cephes library for single precision (public
/// domain); errors are tested against the C library's double precision.
#ifndef WF_SW_VECTOR_MATH_H
#define WF_SW_VECTOR_MATH_H

#include "backends/software/exec/vector.h"

/// Of functions that several others are made of: a call costs less than a copy in each of them.
#if defined(__GNUC__)
#define V_SHARED __attribute__((noinline))
#else
#define V_SHARED
#endif

/// c[0] * x^(n-1) + ... + c[n-1]
static inline v_F v_poly(v_F x, const float *c, int n)
{
    v_F sum = FC(c[0]);
    for (int i = 1; i < n; i++)
        sum = sum * x + FC(c[i]);
    return sum;
}

static inline v_U v_is_nan(v_F x)
{
    return MASK(x != x);
}

static inline v_F v_power_of_two(v_I n)
{
    return AS_F(TO_U(n + IC(127)) << 23);
}

/// x * 2^n for n in [-200, 200], in two steps of which only the last one rounds.
static inline v_F v_scale(v_F x, v_I n)
{
    const v_I half = n >> 1;
    return x * v_power_of_two(half) * v_power_of_two(n - half);
}

static V_SHARED v_F v_exp2(v_F x)
{
    static const float c[] = {1.535336188319500e-4f,
                              1.339887440266574e-3f,
                              9.618437357674640e-3f,
                              5.550332471162809e-2f,
                              2.402264791363012e-1f,
                              6.931472028550421e-1f,
                              1.0f};
    const v_F clamped = v_min(v_max(x, FC(-151.0f)), FC(129.0f));
    const v_F whole = v_round(clamped);
    const v_F y = v_scale(v_poly(clamped - whole, c, 7), v_to_int(whole));
    return v_selectf(v_is_nan(x), x, y);
}

static V_SHARED v_F v_exp(v_F x)
{
    static const float c[] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                              4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
    const v_F clamped = v_min(v_max(x, FC(-104.5f)), FC(89.0f));
    const v_F whole = v_round(clamped * FC(1.44269504088896341f));
    const v_F r = (clamped - whole * FC(0.693359375f)) - whole * FC(-2.12194440e-4f);
    const v_F y = (v_poly(r, c, 6) * (r * r) + r) + FC(1.0f);
    return v_selectf(v_is_nan(x), x, v_scale(y, v_to_int(whole)));
}

/// Splits a positive number in a mantissa around 1 and an exponent.
static inline v_F v_split(v_F x, v_F *exponent)
{
    const v_U tiny = MASK(x < FC(1.17549435e-38f));
    const v_U bits = AS_U(v_selectf(tiny, x * FC(8388608.0f), x));
    const v_F e = v_int_to_float(TO_I(bits >> 23) - IC(126));
    const v_F m = AS_F((bits & UC(0x7fffffu)) | UC(0x3f000000u)); // [0.5, 1)
    const v_U low = MASK(m < FC(0.707106781186547524f));
    const v_F scaled = v_selectf(low, m + m, m);
    *exponent = (e - AS_F(AS_U(FC(1.0f)) & low)) - AS_F(AS_U(FC(23.0f)) & tiny);
    return scaled - FC(1.0f);
}

/// log(1 + f) - f
static inline v_F v_log_tail(v_F f)
{
    static const float c[] = {7.0376836292e-2f,  -1.1514610310e-1f, 1.1676998740e-1f,
                              -1.2420140846e-1f, 1.4249322787e-1f,  -1.6668057665e-1f,
                              2.0000714765e-1f,  -2.4999993993e-1f, 3.3333331174e-1f};
    const v_F z = f * f;
    return v_poly(f, c, 9) * f * z;
}

/// The values of a logarithm where there is none to compute.
static inline v_F v_log_ends(v_F x, v_F y)
{
    const v_F inf = AS_F(UC(0x7f800000u));
    y = v_selectf(MASK(x == inf), inf, y);
    y = v_selectf(MASK(x == FC(0.0f)), AS_F(UC(0xff800000u)), y);
    return v_selectf(MASK(x < FC(0.0f)) | v_is_nan(x), AS_F(UC(0x7fc00000u)), y);
}

static V_SHARED v_F v_log(v_F x)
{
    v_F e;
    const v_F f = v_split(x, &e);
    v_F y = v_log_tail(f) + e * FC(-2.12194440e-4f);
    y = y - FC(0.5f) * (f * f);
    return v_log_ends(x, (f + y) + e * FC(0.693359375f));
}

static V_SHARED v_F v_log2(v_F x)
{
    v_F e;
    const v_F f = v_split(x, &e), more = FC(0.44269504088896340736f); // log2(e) - 1
    const v_F y = v_log_tail(f) - FC(0.5f) * (f * f);
    v_F z = y * more;
    z = z + f * more;
    z = z + y;
    z = z + f;
    return v_log_ends(x, z + e);
}

static inline v_F v_pow(v_F x, v_F y)
{
    const v_F r = v_exp2(y * v_log2(x));
    return v_selectf(MASK(y == FC(0.0f)), FC(1.0f), r);
}

// ---- trigonometry ------------------------------------------------------------------------------

/// One angle that is too large for the vectors: |x| up to 2^40, beyond that it is 0.
static inline float v_reduce_large(float x, int32_t *quadrant)
{
    if (!(fabsf(x) < 1099511627776.0f)) {
        *quadrant = 0;
        return x - x; // NaN for infinities
    }
    const double turns = floor((double)x * 0.63661977236758134308 + 0.5);
    *quadrant = (int32_t)((int64_t)turns & 3);
    return (float)(((double)x - turns * 1.57079632679489655800) -
                   turns * 6.12323399573676603587e-17);
}

/// x minus a multiple of a quarter turn, in [-pi/4, pi/4], and that multiple.
static inline v_F v_reduce(v_F x, v_I *quadrant)
{
    const v_U small = MASK(v_abs(x) < FC(8192.0f));
    const v_F safe = AS_F(AS_U(x) & small);
    const v_F turns = v_round(safe * FC(0.636619772367581343f));
    v_F r = safe - turns * FC(1.5703125f);
    r = r - turns * FC(4.837512969970703125e-4f);
    r = r - turns * FC(7.54978995489188216e-8f);
    *quadrant = v_to_int(turns);
    uint32_t lanes[VL], any = 0;
    memcpy(lanes, &small, sizeof lanes);
    for (int i = 0; i < VL; i++)
        any |= ~lanes[i];
    if (any) {
        float in[VL], out[VL];
        int32_t q[VL];
        memcpy(in, &x, sizeof in);
        memcpy(out, &r, sizeof out);
        memcpy(q, quadrant, sizeof q);
        for (int i = 0; i < VL; i++) {
            if (!lanes[i])
                out[i] = v_reduce_large(in[i], &q[i]);
        }
        memcpy(&r, out, sizeof out);
        memcpy(quadrant, q, sizeof q);
    }
    return r;
}

static inline v_F v_sin_part(v_F x)
{
    static const float c[] = {-1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f};
    const v_F z = x * x;
    return v_poly(z, c, 3) * z * x + x;
}

static inline v_F v_cos_part(v_F x)
{
    static const float c[] = {2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f};
    const v_F z = x * x;
    return (v_poly(z, c, 3) * z * z - FC(0.5f) * z) + FC(1.0f);
}

/// The sine `quarters` quarter turns on.
static V_SHARED v_F v_sin_shifted(v_F x, int quarters)
{
    v_I quadrant;
    const v_F r = v_reduce(x, &quadrant);
    const v_U q = TO_U(quadrant) + UC((uint32_t)quarters);
    const v_F value = v_selectf(MASK((q & UC(1)) != UC(0)), v_cos_part(r), v_sin_part(r));
    return AS_F(AS_U(value) ^ ((q & UC(2)) << 30));
}

static inline v_F v_sin(v_F x)
{
    return v_sin_shifted(x, 0);
}

static inline v_F v_cos(v_F x)
{
    return v_sin_shifted(x, 1);
}

static inline v_F v_tan(v_F x)
{
    v_I quadrant;
    const v_F r = v_reduce(x, &quadrant);
    const v_U odd = MASK((TO_U(quadrant) & UC(1)) != UC(0));
    const v_F s = v_sin_part(r), c = v_cos_part(r);
    return v_selectf(odd, v_neg(c), s) / v_selectf(odd, s, c);
}

static V_SHARED v_F v_atan(v_F x)
{
    static const float c[] = {8.05374449538e-2f, -1.38776856032e-1f, 1.99777106478e-1f,
                              -3.33329491539e-1f};
    const v_F a = v_abs(x);
    const v_U far = MASK(a > FC(2.414213562373095f)),
              mid = MASK(a > FC(0.4142135623730950f)) & ~far;
    v_F t = v_selectf(far, FC(-1.0f) / a, a);
    t = v_selectf(mid, (a - FC(1.0f)) / (a + FC(1.0f)), t);
    v_F base = AS_F(AS_U(FC(1.57079632679489662f)) & far);
    base = v_selectf(mid, FC(0.785398163397448310f), base);
    const v_F z = t * t;
    return v_copysign(base + (v_poly(z, c, 4) * z * t + t), x);
}

static inline v_F v_atan2(v_F y, v_F x)
{
    const v_F ay = v_abs(y), ax = v_abs(x);
    v_F ratio = ay / ax;
    ratio = v_selectf(MASK(ay == ax), FC(1.0f), ratio);       // also of infinities
    ratio = v_selectf(MASK(ay == FC(0.0f)), FC(0.0f), ratio); // also of zeros
    const v_F angle = v_atan(ratio);
    const v_U back = TO_U(TO_I(AS_U(x)) >> 31);
    const v_F turned = v_selectf(back, FC(3.14159265358979324f) - angle, angle);
    const v_U bad = v_is_nan(x) | v_is_nan(y);
    return v_selectf(bad, x + y, v_copysign(turned, y));
}

/// asin(a) for a in [0, 0.5]
static inline v_F v_asin_part(v_F a)
{
    static const float c[] = {4.2163199048e-2f, 2.4181311049e-2f, 4.5470025998e-2f,
                              7.4953002686e-2f, 1.6666752422e-1f};
    const v_F z = a * a;
    return v_poly(z, c, 5) * z * a + a;
}

static inline v_F v_asin(v_F x)
{
    const v_F a = v_abs(x);
    const v_U far = MASK(a > FC(0.5f));
    const v_F s = v_selectf(far, v_sqrt(FC(0.5f) * (FC(1.0f) - a)), a);
    const v_F p = v_asin_part(s);
    return v_copysign(v_selectf(far, FC(1.57079632679489662f) - (p + p), p), x);
}

static inline v_F v_acos(v_F x)
{
    const v_F a = v_abs(x);
    const v_U far = MASK(a > FC(0.5f));
    const v_F p = v_asin_part(v_selectf(far, v_sqrt(FC(0.5f) * (FC(1.0f) - a)), a));
    const v_U back = TO_U(TO_I(AS_U(x)) >> 31);
    const v_F outer = v_selectf(back, FC(3.14159265358979324f) - (p + p), p + p);
    const v_F inner = FC(1.57079632679489662f) - v_copysign(p, x);
    return v_selectf(far, outer, inner);
}

// ---- hyperbolic functions ----------------------------------------------------------------------

static inline v_F v_sinh(v_F x)
{
    static const float c[] = {2.03721912945e-4f, 8.33028376239e-3f, 1.66667160211e-1f};
    const v_F a = v_abs(x), z = x * x;
    const v_F near = v_poly(z, c, 3) * z * x + x;
    const v_F half = v_exp(a - FC(0.693147180559945309f)); // half of e^a, which may overflow
    const v_F far = v_copysign(half - FC(0.25f) / half, x);
    return v_selectf(MASK(a < FC(1.0f)), near, v_selectf(v_is_nan(x), x, far));
}

static inline v_F v_cosh(v_F x)
{
    const v_F half = v_exp(v_abs(x) - FC(0.693147180559945309f));
    return half + FC(0.25f) / half;
}

static inline v_F v_tanh(v_F x)
{
    static const float c[] = {-5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f,
                              1.33314422036e-1f, -3.33332819422e-1f};
    const v_F a = v_abs(x), z = x * x;
    const v_F near = v_poly(z, c, 5) * z * x + x;
    const v_F far = FC(1.0f) - FC(2.0f) / (v_exp(a + a) + FC(1.0f));
    return v_selectf(MASK(a < FC(0.625f)), near, v_selectf(v_is_nan(x), x, v_copysign(far, x)));
}

static inline v_F v_asinh(v_F x)
{
    static const float c[] = {2.0122003309e-2f, -4.2699340972e-2f, 7.4847586088e-2f,
                              -1.6666288134e-1f};
    const v_F a = v_abs(x), z = x * x;
    const v_F near = v_poly(z, c, 4) * z * x + x;
    const v_U huge = MASK(a > FC(1500.0f));
    const v_F sum = v_selectf(huge, a, a + v_sqrt(z + FC(1.0f)));
    const v_F far = v_log(sum) + AS_F(AS_U(FC(0.693147180559945309f)) & huge);
    return v_selectf(MASK(a < FC(0.5f)), near, v_selectf(v_is_nan(x), x, v_copysign(far, x)));
}

static inline v_F v_acosh(v_F x)
{
    static const float c[] = {1.7596881071e-3f, -7.5272886713e-3f, 2.6454905019e-2f,
                              -1.1784741703e-1f, 1.4142135263e0f};
    const v_F t = x - FC(1.0f);
    const v_F near = v_poly(t, c, 5) * v_sqrt(t);
    const v_U huge = MASK(x > FC(1500.0f));
    const v_F sum = v_selectf(huge, x, x + v_sqrt(x * x - FC(1.0f)));
    const v_F far = v_log(sum) + AS_F(AS_U(FC(0.693147180559945309f)) & huge);
    return v_selectf(MASK(t < FC(0.5f)), near, far);
}

static inline v_F v_atanh(v_F x)
{
    static const float c[] = {1.81740078349e-1f, 8.24370301058e-2f, 1.46691431730e-1f,
                              1.99782164500e-1f, 3.33337300303e-1f};
    const v_F a = v_abs(x), z = x * x;
    const v_F near = v_poly(z, c, 5) * z * x + x;
    const v_F far = FC(0.5f) * v_log((FC(1.0f) + a) / (FC(1.0f) - a));
    return v_selectf(MASK(a < FC(0.5f)), near, v_copysign(far, x));
}

/// The bits of the number without its fraction.
static inline v_F v_truncate_to_uint(v_F x)
{
    return AS_F(v_float_to_uint(x));
}

/// x - y * floor(x / y)
static inline v_F v_mod(v_F x, v_F y)
{
    return x - y * v_floor(x / y);
}

#endif
