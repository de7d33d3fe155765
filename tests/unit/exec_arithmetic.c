#include <math.h>
#include <string.h>

#include "exec_support.h"

#include "exec_arithmetic.comp.spv.h"

enum { ROWS = 54 };

struct numbers {
    uint32_t in[256], out[ROWS * 64];
};

/// Interesting values first, then random ones.
static void fill(struct numbers *n)
{
    static const uint32_t odd[] = {0, 1, UINT32_MAX, 0x80000000u, 0x7fffffffu, 7, 31, 32};
    static const float floats[] = {0.0f, -0.0f, 1.0f, -1.5f, INFINITY, NAN, 3e9f, -3e9f};
    uint32_t state = 1;
    for (uint32_t i = 0; i < 64; i++) {
        n->in[i] = i < 64 ? odd[i / 8] : 0;
        n->in[64 + i] = odd[i % 8];
        n->in[128 + i] = exec_bits(floats[i / 8]);
        n->in[192 + i] = exec_bits(floats[i % 8]);
        if (i % 3 == 1) {
            n->in[i] = exec_random(&state);
            n->in[64 + i] = exec_random(&state) >> (i % 32);
            n->in[128 + i] = exec_bits(exec_random_float(&state, -1000, 1000));
            n->in[192 + i] = exec_bits(exec_random_float(&state, -10, 10));
        }
    }
}

static void run(struct numbers *n)
{
    struct exec e = exec_open(exec_arithmetic_comp, sizeof exec_arithmetic_comp, NULL);
    fill(n);
    exec_buffer(&e, 0, n->out, sizeof n->out);
    exec_buffer(&e, 1, n->in, sizeof n->in);
    EXPECT_EQ(exec_group(&e), WF_SW_OK);
    exec_close(&e);
}

/// Equal bits, or both a NaN.
static bool same(uint32_t got, float wanted)
{
    return got == exec_bits(wanted) || (isnan(exec_float(got)) && isnan(wanted));
}

TEST(exec_arithmetic, integers_wrap_and_divisions_by_zero_are_safe)
{
    struct numbers n;
    run(&n);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t x = n.in[i], y = n.in[64 + i], by = y & 31;
        const int32_t s = (int32_t)x, t = (int32_t)y;
        const bool traps = t == 0 || (s == INT32_MIN && t == -1);
        EXPECT_EQ(n.out[0 * 64 + i], (uint32_t)(x + y));
        EXPECT_EQ(n.out[1 * 64 + i], (uint32_t)(x - y));
        EXPECT_EQ(n.out[2 * 64 + i], (uint32_t)(x * y));
        if (y) {
            EXPECT_EQ(n.out[3 * 64 + i], x / y);
            EXPECT_EQ(n.out[4 * 64 + i], x % y);
        }
        if (!traps) {
            EXPECT_EQ((int32_t)n.out[5 * 64 + i], s / t);
            if (s >= 0 && t > 0)
                EXPECT_EQ((int32_t)n.out[6 * 64 + i], s % t);
        }
        EXPECT_EQ(n.out[7 * 64 + i], (uint32_t)(x << by));
        EXPECT_EQ(n.out[8 * 64 + i], x >> by);
        EXPECT_EQ((int32_t)n.out[9 * 64 + i], s >> by);
        EXPECT_EQ(n.out[10 * 64 + i], x & y);
        EXPECT_EQ(n.out[11 * 64 + i], x | y);
        EXPECT_EQ(n.out[12 * 64 + i], x ^ y);
        EXPECT_EQ(n.out[13 * 64 + i], ~x);
        EXPECT_EQ(n.out[14 * 64 + i], 0 - x);
    }
}

TEST(exec_arithmetic, comparisons_order_as_they_should)
{
    struct numbers n;
    run(&n);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t x = n.in[i], y = n.in[64 + i];
        const float f = exec_float(n.in[128 + i]), g = exec_float(n.in[192 + i]);
        EXPECT_EQ(n.out[15 * 64 + i], x < y);
        EXPECT_EQ(n.out[16 * 64 + i], x <= y);
        EXPECT_EQ(n.out[17 * 64 + i], (int32_t)x < (int32_t)y);
        EXPECT_EQ(n.out[18 * 64 + i], (int32_t)x >= (int32_t)y);
        EXPECT_EQ(n.out[19 * 64 + i], x == y);
        EXPECT_EQ(n.out[24 * 64 + i], f < g);
        EXPECT_EQ(n.out[25 * 64 + i], f <= g);
        EXPECT_EQ(n.out[26 * 64 + i], f == g);
        EXPECT_EQ(n.out[27 * 64 + i], f != g);
        EXPECT_EQ(n.out[50 * 64 + i], isnan(f) != 0);
        EXPECT_EQ(n.out[51 * 64 + i], isinf(g) != 0);
        EXPECT_EQ(n.out[52 * 64 + i], (x & 1) != (y & 1));
        EXPECT(same(n.out[53 * 64 + i], x > 100u ? f : g));
    }
}

TEST(exec_arithmetic, floats_round_once_per_operation)
{
    struct numbers n;
    run(&n);
    for (uint32_t i = 0; i < 64; i++) {
        const float f = exec_float(n.in[128 + i]), g = exec_float(n.in[192 + i]);
        const volatile float product = f * g;
        EXPECT(same(n.out[20 * 64 + i], f + g));
        EXPECT(same(n.out[21 * 64 + i], f - g));
        EXPECT(same(n.out[22 * 64 + i], product));
        EXPECT(same(n.out[23 * 64 + i], f / g));
        EXPECT(same(n.out[32 * 64 + i], product + 3.5f));
        EXPECT(same(n.out[33 * 64 + i], 3.5f - product));
        EXPECT(same(n.out[34 * 64 + i], product - f));
        EXPECT(same(n.out[30 * 64 + i], (float)(int32_t)n.in[i]));
        EXPECT(same(n.out[31 * 64 + i], (float)n.in[i]));
        if (isfinite(f) && isfinite(g) && g != 0)
            EXPECT_NEAR(exec_float(n.out[49 * 64 + i]), f - g * floorf(f / g), 1e-3);
    }
}

TEST(exec_arithmetic, conversions_of_floats_saturate)
{
    struct numbers n;
    run(&n);
    for (uint32_t i = 0; i < 64; i++) {
        const float f = exec_float(n.in[128 + i]);
        int32_t s = 0;
        uint32_t u = 0;
        if (f >= 2147483648.0f)
            s = INT32_MAX;
        else if (f < -2147483648.0f)
            s = INT32_MIN;
        else if (!isnan(f))
            s = (int32_t)f;
        if (f >= 4294967296.0f)
            u = UINT32_MAX;
        else if (f > 0)
            u = (uint32_t)f;
        EXPECT_EQ((int32_t)n.out[28 * 64 + i], s);
        EXPECT_EQ(n.out[29 * 64 + i], u);
    }
}

static uint32_t reverse(uint32_t x)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

static int32_t highest(uint32_t x)
{
    int32_t at = -1;
    for (int i = 0; i < 32; i++) {
        if (x >> i & 1)
            at = i;
    }
    return at;
}

TEST(exec_arithmetic, wide_products_and_bits)
{
    struct numbers n;
    run(&n);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t x = n.in[i], y = n.in[64 + i];
        const int64_t product = (int64_t)(int32_t)x * (int32_t)y;
        uint32_t ones = 0;
        for (int k = 0; k < 32; k++)
            ones += x >> k & 1;
        EXPECT_EQ(n.out[35 * 64 + i], (uint32_t)((uint64_t)x * y >> 32));
        EXPECT_EQ(n.out[36 * 64 + i], (uint32_t)((uint64_t)product >> 32));
        EXPECT_EQ(n.out[37 * 64 + i], (uint32_t)(x + y));
        EXPECT_EQ(n.out[38 * 64 + i], (uint64_t)x + y > UINT32_MAX);
        EXPECT_EQ(n.out[39 * 64 + i], (uint32_t)(x - y));
        EXPECT_EQ(n.out[40 * 64 + i], x < y);
        EXPECT_EQ(n.out[41 * 64 + i], x >> 3 & 0x1ff);
        EXPECT_EQ((int32_t)n.out[42 * 64 + i], (int32_t)(x << 20) >> 25);
        EXPECT_EQ(n.out[43 * 64 + i], (x & ~0x7ff0u) | (y << 4 & 0x7ff0u));
        EXPECT_EQ(n.out[44 * 64 + i], reverse(x));
        EXPECT_EQ(n.out[45 * 64 + i], ones);
        EXPECT_EQ((int32_t)n.out[46 * 64 + i], x ? highest(x & (0 - x)) : -1);
        EXPECT_EQ((int32_t)n.out[47 * 64 + i], highest(x));
        EXPECT_EQ((int32_t)n.out[48 * 64 + i], highest((int32_t)x < 0 ? ~x : x));
    }
}
