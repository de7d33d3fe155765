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
    for (size_t i = 0; i < 64; i++) {
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
    for (size_t i = 0; i < 64; i++) {
        const uint32_t x = n.in[i], y = n.in[64 + i], by = y & 31;
        const int32_t s = (int32_t)x, t = (int32_t)y;
        const bool traps = t == 0 || (s == INT32_MIN && t == -1);
        EXPECT_EQ(n.out[exec_at(0, i)], (uint32_t)(x + y));
        EXPECT_EQ(n.out[exec_at(1, i)], (uint32_t)(x - y));
        EXPECT_EQ(n.out[exec_at(2, i)], (uint32_t)(x * y));
        if (y) {
            EXPECT_EQ(n.out[exec_at(3, i)], x / y);
            EXPECT_EQ(n.out[exec_at(4, i)], x % y);
        }
        if (!traps) {
            EXPECT_EQ((int32_t)n.out[exec_at(5, i)], s / t);
            if (s >= 0 && t > 0)
                EXPECT_EQ((int32_t)n.out[exec_at(6, i)], s % t);
        }
        EXPECT_EQ(n.out[exec_at(7, i)], (uint32_t)(x << by));
        EXPECT_EQ(n.out[exec_at(8, i)], x >> by);
        EXPECT_EQ((int32_t)n.out[exec_at(9, i)], s >> by);
        EXPECT_EQ(n.out[exec_at(10, i)], x & y);
        EXPECT_EQ(n.out[exec_at(11, i)], x | y);
        EXPECT_EQ(n.out[exec_at(12, i)], x ^ y);
        EXPECT_EQ(n.out[exec_at(13, i)], ~x);
        EXPECT_EQ(n.out[exec_at(14, i)], 0 - x);
    }
}

TEST(exec_arithmetic, comparisons_order_as_they_should)
{
    struct numbers n;
    run(&n);
    for (size_t i = 0; i < 64; i++) {
        const uint32_t x = n.in[i], y = n.in[64 + i];
        const float f = exec_float(n.in[128 + i]), g = exec_float(n.in[192 + i]);
        EXPECT_EQ(n.out[exec_at(15, i)], x < y);
        EXPECT_EQ(n.out[exec_at(16, i)], x <= y);
        EXPECT_EQ(n.out[exec_at(17, i)], (int32_t)x < (int32_t)y);
        EXPECT_EQ(n.out[exec_at(18, i)], (int32_t)x >= (int32_t)y);
        EXPECT_EQ(n.out[exec_at(19, i)], x == y);
        EXPECT_EQ(n.out[exec_at(24, i)], f < g);
        EXPECT_EQ(n.out[exec_at(25, i)], f <= g);
        EXPECT_EQ(n.out[exec_at(26, i)], f == g);
        EXPECT_EQ(n.out[exec_at(27, i)], f != g);
        EXPECT_EQ(n.out[exec_at(50, i)], isnan(f) != 0);
        EXPECT_EQ(n.out[exec_at(51, i)], isinf(g) != 0);
        EXPECT_EQ(n.out[exec_at(52, i)], (x & 1) != (y & 1));
        EXPECT(same(n.out[exec_at(53, i)], x > 100u ? f : g));
    }
}

TEST(exec_arithmetic, floats_round_once_per_operation)
{
    struct numbers n;
    run(&n);
    for (size_t i = 0; i < 64; i++) {
        const float f = exec_float(n.in[128 + i]), g = exec_float(n.in[192 + i]);
        const volatile float product = f * g;
        EXPECT(same(n.out[exec_at(20, i)], f + g));
        EXPECT(same(n.out[exec_at(21, i)], f - g));
        EXPECT(same(n.out[exec_at(22, i)], product));
        EXPECT(same(n.out[exec_at(23, i)], f / g));
        EXPECT(same(n.out[exec_at(32, i)], product + 3.5f));
        EXPECT(same(n.out[exec_at(33, i)], 3.5f - product));
        EXPECT(same(n.out[exec_at(34, i)], product - f));
        EXPECT(same(n.out[exec_at(30, i)], (float)(int32_t)n.in[i]));
        EXPECT(same(n.out[exec_at(31, i)], (float)n.in[i]));
        if (isfinite(f) && isfinite(g) && g != 0)
            EXPECT_NEAR(exec_float(n.out[exec_at(49, i)]), f - g * floorf(f / g), 1e-3);
    }
}

TEST(exec_arithmetic, conversions_of_floats_saturate)
{
    struct numbers n;
    run(&n);
    for (size_t i = 0; i < 64; i++) {
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
        EXPECT_EQ((int32_t)n.out[exec_at(28, i)], s);
        EXPECT_EQ(n.out[exec_at(29, i)], u);
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
    for (size_t i = 0; i < 64; i++) {
        const uint32_t x = n.in[i], y = n.in[64 + i];
        const int64_t product = (int64_t)(int32_t)x * (int32_t)y;
        uint32_t ones = 0;
        for (size_t k = 0; k < 32; k++)
            ones += x >> k & 1;
        EXPECT_EQ(n.out[exec_at(35, i)], (uint32_t)((uint64_t)x * y >> 32));
        EXPECT_EQ(n.out[exec_at(36, i)], (uint32_t)((uint64_t)product >> 32));
        EXPECT_EQ(n.out[exec_at(37, i)], (uint32_t)(x + y));
        EXPECT_EQ(n.out[exec_at(38, i)], (uint64_t)x + y > UINT32_MAX);
        EXPECT_EQ(n.out[exec_at(39, i)], (uint32_t)(x - y));
        EXPECT_EQ(n.out[exec_at(40, i)], x < y);
        EXPECT_EQ(n.out[exec_at(41, i)], x >> 3 & 0x1ff);
        EXPECT_EQ((int32_t)n.out[exec_at(42, i)], (int32_t)(x << 20) >> 25);
        EXPECT_EQ(n.out[exec_at(43, i)], (x & ~0x7ff0u) | (y << 4 & 0x7ff0u));
        EXPECT_EQ(n.out[exec_at(44, i)], reverse(x));
        EXPECT_EQ(n.out[exec_at(45, i)], ones);
        EXPECT_EQ((int32_t)n.out[exec_at(46, i)], x ? highest(x & (0 - x)) : -1);
        EXPECT_EQ((int32_t)n.out[exec_at(47, i)], highest(x));
        EXPECT_EQ((int32_t)n.out[exec_at(48, i)], highest((int32_t)x < 0 ? ~x : x));
    }
}
