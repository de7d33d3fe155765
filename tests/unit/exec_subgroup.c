#include <string.h>

#include "exec_support.h"

#include "exec_subgroup.comp.spv.h"

static uint32_t value(uint32_t i)
{
    return i * 3 + 1;
}

static void check_odd_lanes(const uint32_t *out, uint32_t i, uint32_t size)
{
    const uint32_t first = i & ~(size - 1), in = i - first;
    uint32_t all = 0, before = 0, ballot = 0;
    for (uint32_t k = first + 1; k < first + size; k += 2) {
        all += value(k);
        before += k < i ? value(k) : 0;
        if (k % 3 == 0 && k - first < 32)
            ballot |= 1u << (k - first);
    }
    EXPECT_EQ(out[4 * 64 + i], in == 1);
    EXPECT_EQ(out[5 * 64 + i], all);
    EXPECT_EQ(out[6 * 64 + i], before + value(i));
    EXPECT_EQ(out[7 * 64 + i], before);
    EXPECT_EQ(out[8 * 64 + i], value(first + 1));
    EXPECT_EQ(out[9 * 64 + i], ballot);
    EXPECT_EQ(out[10 * 64 + i], 1);
    EXPECT_EQ(out[11 * 64 + i], first == (5 & ~(size - 1)));
    EXPECT_EQ(out[12 * 64 + i], size == 2);
}

static void check_all_lanes(const uint32_t *out, uint32_t i, uint32_t size)
{
    const uint32_t first = i & ~(size - 1), in = i - first;
    EXPECT_EQ(out[0 * 64 + i], size);
    EXPECT_EQ(out[1 * 64 + i], i / size);
    EXPECT_EQ(out[2 * 64 + i], in);
    EXPECT_EQ(out[3 * 64 + i], 64 / size);
    EXPECT_EQ(out[13 * 64 + i], value(first + (i + 3) % size));
    if ((in ^ 5) < size)
        EXPECT_EQ(out[14 * 64 + i], value(first + (in ^ 5)));
    if (in > 0)
        EXPECT_EQ(out[15 * 64 + i], value(i - 1));
    if (in + 1 < size)
        EXPECT_EQ(out[16 * 64 + i], value(i + 1));
    EXPECT_EQ(out[17 * 64 + i], value(i ^ 1));
    EXPECT_EQ(out[18 * 64 + i], value(i ^ 3));
    EXPECT_EQ(out[19 * 64 + i], value((i & ~3u) + 2));
    EXPECT_EQ(out[20 * 64 + i], value(i | 3));
    float sum = 0;
    for (uint32_t k = first; k < first + size; k++)
        sum += (float)value(k);
    EXPECT_EQ(out[21 * 64 + i], exec_bits(sum));
    EXPECT_EQ(out[22 * 64 + i], size / 4);
    EXPECT_EQ(out[23 * 64 + i], (in + 2) / 4);
    EXPECT_EQ(out[24 * 64 + i], 1);
    EXPECT_EQ(out[25 * 64 + i], size - 3);
    EXPECT_EQ(out[26 * 64 + i], (in & 3) == 1);
    const uint32_t low = in >= 32 ? UINT32_MAX : (1u << in) - 1;
    EXPECT_EQ(out[27 * 64 + i], low);
    EXPECT_EQ(out[28 * 64 + i], ~low & (size >= 32 ? UINT32_MAX : (1u << size) - 1));
}

TEST(exec_subgroup, lanes_talk_within_their_subgroup)
{
    static const uint32_t sizes[] = {4, 8, 32, 64};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        static uint32_t out[64 * 29];
        struct exec e = exec_open(exec_subgroup_comp, sizeof exec_subgroup_comp,
                                  &(struct exec_options){.subgroup_size = sizes[s]});
        exec_buffer(&e, 0, out, sizeof out);
        EXPECT_EQ(exec_group(&e), WF_SW_OK);
        for (uint32_t i = 0; i < 64; i++) {
            check_all_lanes(out, i, sizes[s]);
            if (i & 1)
                check_odd_lanes(out, i, sizes[s]);
        }
        exec_close(&e);
    }
}
