#include "exec_support.h"

#include "exec_flow.comp.spv.h"

static uint32_t collatz(uint32_t n)
{
    uint32_t steps = 0;
    for (; n != 1; steps++)
        n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
    return steps;
}

static uint32_t nested(uint32_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % 7 == 3)
            continue;
        for (uint32_t j = 0; j < i; j++) {
            if (j * i > 40)
                break;
            if (j == 2)
                continue;
            sum += j + i * 3;
        }
        if (sum > 500)
            break;
    }
    return sum;
}

static uint32_t fall(uint32_t n)
{
    switch (n % 9) {
    case 0:
        return 66;
    case 1:
        return 6;
    case 2:
    case 3:
        return n > 30 ? 154 : 2156;
    case 4:
        return 2002;
    case 7:
        return 5;
    default:
        return n * 2;
    }
}

static uint32_t early(uint32_t n)
{
    for (size_t i = 0; i < 20; i++) {
        if (i * i > n)
            return i;
        if (n == 13)
            return 4242;
        if (n % 5 == i)
            return 100 + i;
    }
    return 9999;
}

static uint32_t doloop(uint32_t n)
{
    uint32_t i = 0, last = 0;
    do {
        last = i;
        i += n % 4 + 1;
    } while (i < n);
    return last * 100 + i;
}

static uint32_t outlive(uint32_t n)
{
    uint32_t found = 0, seen = 0;
    for (size_t i = 0; i < 100; i++) {
        seen = i * n % 37;
        if (seen == 36) {
            found = i + 1;
            break;
        }
    }
    return found * 64 + seen;
}

struct flow {
    struct exec e;
    uint32_t in[64], out[64 * 10];
};

static void run_flow(struct flow *f)
{
    f->e = exec_open(exec_flow_comp, sizeof exec_flow_comp, NULL);
    for (size_t i = 0; i < 64; i++)
        f->in[i] = (i * 29 + 5) % 64;
    for (size_t i = 0; i < sizeof f->out / sizeof *f->out; i++)
        f->out[i] = 0;
    exec_buffer(&f->e, 0, f->out, sizeof f->out);
    exec_buffer(&f->e, 1, f->in, sizeof f->in);
    EXPECT_EQ(exec_group(&f->e), WF_SW_OK);
    exec_close(&f->e);
}

TEST(exec_flow, lanes_loop_as_often_as_each_needs)
{
    struct flow f;
    run_flow(&f);
    for (size_t i = 0; i < 64; i++) {
        EXPECT_EQ(f.out[i], collatz(f.in[i] + 1));
        EXPECT_EQ(f.out[320 + i], doloop(f.in[i]));
    }
}

TEST(exec_flow, nested_loops_break_and_continue)
{
    struct flow f;
    run_flow(&f);
    for (size_t i = 0; i < 64; i++)
        EXPECT_EQ(f.out[64 + i], nested(f.in[i]));
}

TEST(exec_flow, switches_fall_through)
{
    struct flow f;
    run_flow(&f);
    for (size_t i = 0; i < 64; i++)
        EXPECT_EQ(f.out[128 + i], fall(f.in[i]));
}

TEST(exec_flow, functions_return_early)
{
    struct flow f;
    run_flow(&f);
    for (size_t i = 0; i < 64; i++) {
        const uint32_t n = f.in[i];
        EXPECT_EQ(f.out[192 + i], early(n));
        EXPECT_EQ(f.out[256 + i], (n > 20 ? 1 : n + 5) * 1000 + n * 2);
        EXPECT_EQ(f.out[512 + i], n % 3 != 0);
    }
}

TEST(exec_flow, empty_ways_out_of_a_loop_lead_on)
{
    struct flow f;
    run_flow(&f);
    EXPECT_EQ(f.in[0], 5); // what all lanes are asked for
    for (size_t i = 0; i < 64; i++)
        EXPECT_EQ(f.out[576 + i], f.in[i] + 10 * 3);
}

TEST(exec_flow, lanes_keep_what_they_had_when_they_left_a_loop)
{
    struct flow f;
    run_flow(&f);
    for (size_t i = 0; i < 64; i++) {
        const uint32_t n = f.in[i];
        EXPECT_EQ(f.out[384 + i], outlive(n));
        EXPECT_EQ(f.out[448 + i], (n > 10 && f.in[n % 64] < 40) || n == 3);
    }
}
