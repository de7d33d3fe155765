#include <math.h>
#include <string.h>

#include "base/half.h"
#include "exec_support.h"

#include "exec_wide.comp.spv.h"

struct wide {
    uint64_t out[64 * 44], in[128];
    double doubles[128];
    struct {
        uint8_t b[64];
        int16_t s[64];
        uint16_t h[64];
    } narrow, before;
};

static void run(struct wide *w)
{
    uint32_t state = 3;
    for (size_t i = 0; i < 128; i++) {
        w->in[i] = (uint64_t)exec_random(&state) << 32 | exec_random(&state);
        if (i % 5 == 1)
            w->in[i] >>= exec_random(&state) % 64;
        w->doubles[i] = (double)exec_random_float(&state, -1000, 1000) * 1.000000001;
    }
    w->in[65] = 0;
    w->in[2] = UINT64_C(1) << 63;
    w->in[66] = UINT64_MAX;
    for (size_t i = 0; i < 64; i++) {
        w->narrow.b[i] = (uint8_t)exec_random(&state);
        w->narrow.s[i] = (int16_t)exec_random(&state);
        w->narrow.h[i] = wf_base_half_from_float(exec_random_float(&state, -100, 100));
    }
    w->before = w->narrow;
    struct exec e = exec_open(exec_wide_comp, sizeof exec_wide_comp, NULL);
    exec_buffer(&e, 0, w->out, sizeof w->out);
    exec_buffer(&e, 1, w->in, sizeof w->in);
    exec_buffer(&e, 2, w->doubles, sizeof w->doubles);
    exec_buffer(&e, 3, &w->narrow, sizeof w->narrow);
    EXPECT_EQ(exec_group(&e), WF_SW_OK);
    exec_close(&e);
}

TEST(exec_wide, integers_of_64_bits)
{
    static struct wide w;
    run(&w);
    for (size_t i = 0; i < 64; i++) {
        const uint64_t x = w.in[i], y = w.in[64 + i];
        const int64_t p = (int64_t)x, q = (int64_t)y;
        EXPECT_EQ(w.out[exec_at(0, i)], x + y);
        EXPECT_EQ(w.out[exec_at(1, i)], x - y);
        EXPECT_EQ(w.out[exec_at(2, i)], x * y);
        EXPECT_EQ(w.out[exec_at(3, i)], y ? x / y : 0);
        EXPECT_EQ(w.out[exec_at(4, i)], y ? x % y : 0);
        if (q != 0 && q != -1)
            EXPECT_EQ(w.out[exec_at(5, i)], p / q);
        EXPECT_EQ(w.out[exec_at(6, i)], x << 13);
        EXPECT_EQ(w.out[exec_at(7, i)], x >> 21);
        EXPECT_EQ(w.out[exec_at(8, i)], p >> 35);
        EXPECT_EQ(w.out[exec_at(9, i)], ~x ^ y);
        EXPECT_EQ(w.out[exec_at(10, i)], 0 - x);
        EXPECT_EQ(w.out[exec_at(11, i)], x < y);
        EXPECT_EQ(w.out[exec_at(12, i)], p < q);
        EXPECT_EQ(w.out[exec_at(13, i)], x == y);
        EXPECT_EQ(w.out[exec_at(14, i)], p >= q);
        EXPECT_EQ(w.out[exec_at(15, i)], p > 0);
        EXPECT_EQ(w.out[exec_at(16, i)], (uint64_t)(float)(uint32_t)x);
        EXPECT_EQ(w.out[exec_at(17, i)], (uint32_t)x);
        EXPECT_EQ(w.out[exec_at(18, i)], (int64_t)(int32_t)x);
        EXPECT_EQ(w.out[exec_at(19, i)], p > q ? p : q);
        EXPECT_EQ(w.out[exec_at(20, i)], x < y ? x : y);
        EXPECT_EQ(w.out[exec_at(21, i)], p < 0 ? 0 - x : x);
    }
}

static double got(const struct wide *w, uint32_t row, uint32_t lane)
{
    double d;
    memcpy(&d, &w->out[exec_at(row, lane)], sizeof d);
    return d;
}

TEST(exec_wide, floats_of_64_bits)
{
    static struct wide w;
    run(&w);
    for (size_t i = 0; i < 64; i++) {
        const double f = w.doubles[i], g = w.doubles[64 + i];
        EXPECT(got(&w, 22, i) == f + g);
        EXPECT(got(&w, 23, i) == f - g);
        EXPECT(got(&w, 24, i) == f * g);
        EXPECT(got(&w, 25, i) == f / g);
        EXPECT(got(&w, 26, i) == sqrt(fabs(f)));
        EXPECT(got(&w, 27, i) == floor(f));
        EXPECT_EQ(w.out[exec_at(28, i)], f < g);
        EXPECT_EQ(w.out[exec_at(29, i)], (int64_t)f);
        EXPECT(got(&w, 30, i) == (double)(float)f);
        EXPECT(got(&w, 31, i) == fma(f, g, 1.0));
        EXPECT(got(&w, 32, i) == (f > 0 ? f : -g));
        EXPECT(got(&w, 33, i) == (f * f + g * g) + 1.0);
        EXPECT(got(&w, 34, i) == i * 0.25);
    }
}

TEST(exec_wide, numbers_of_8_and_16_bits)
{
    static struct wide w;
    run(&w);
    for (size_t i = 0; i < 64; i++) {
        const uint8_t c = w.before.b[i];
        const int16_t t = w.before.s[i];
        const float k = wf_base_half_to_float(w.before.h[i]);
        const float tripled = wf_base_half_to_float(wf_base_half_from_float(k * 3.0f));
        const float tenth = wf_base_half_to_float(wf_base_half_from_float(0.1f));
        const float sum = wf_base_half_to_float(wf_base_half_from_float(tripled + tenth));
        EXPECT_EQ(w.out[exec_at(35, i)], (uint8_t)(c + 200));
        EXPECT_EQ(w.out[exec_at(36, i)], (int16_t)(t * 7));
        EXPECT_EQ(w.out[exec_at(37, i)], t / 3);
        EXPECT_EQ(w.out[exec_at(38, i)], t >> 2);
        EXPECT_EQ(w.out[exec_at(39, i)], t < 0);
        EXPECT_EQ(w.out[exec_at(40, i)], c / 7);
        EXPECT(got(&w, 41, i) == (double)sum);
        EXPECT_EQ(w.out[exec_at(42, i)], w.before.h[i]);
        EXPECT(got(&w, 43, i) ==
               (double)wf_base_half_to_float(wf_base_half_from_float(sqrtf(fabsf(k)))));
        EXPECT_EQ(w.narrow.b[i], (uint8_t)(c + 1));
        EXPECT_EQ(w.narrow.s[i], (int16_t)-t);
        EXPECT_EQ(w.narrow.h[i], wf_base_half_from_float(k * 0.5f));
    }
}
