#include <string.h>

#include "exec_support.h"

#include "exec_helpers.frag.spv.h"
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
    EXPECT_EQ(out[exec_at(4, i)], in == 1);
    EXPECT_EQ(out[exec_at(5, i)], all);
    EXPECT_EQ(out[exec_at(6, i)], before + value(i));
    EXPECT_EQ(out[exec_at(7, i)], before);
    EXPECT_EQ(out[exec_at(8, i)], value(first + 1));
    EXPECT_EQ(out[exec_at(9, i)], ballot);
    EXPECT_EQ(out[exec_at(10, i)], 1);
    EXPECT_EQ(out[exec_at(11, i)], first == (5 & ~(size - 1)));
    EXPECT_EQ(out[exec_at(12, i)], size == 2);
}

static void check_all_lanes(const uint32_t *out, uint32_t i, uint32_t size)
{
    const uint32_t first = i & ~(size - 1), in = i - first;
    EXPECT_EQ(out[exec_at(0, i)], size);
    EXPECT_EQ(out[exec_at(1, i)], i / size);
    EXPECT_EQ(out[exec_at(2, i)], in);
    EXPECT_EQ(out[exec_at(3, i)], 64 / size);
    EXPECT_EQ(out[exec_at(13, i)], value(first + (i + 3) % size));
    if ((in ^ 5) < size)
        EXPECT_EQ(out[exec_at(14, i)], value(first + (in ^ 5)));
    if (in > 0)
        EXPECT_EQ(out[exec_at(15, i)], value(i - 1));
    if (in + 1 < size)
        EXPECT_EQ(out[exec_at(16, i)], value(i + 1));
    EXPECT_EQ(out[exec_at(17, i)], value(i ^ 1));
    EXPECT_EQ(out[exec_at(18, i)], value(i ^ 3));
    EXPECT_EQ(out[exec_at(19, i)], value((i & ~3u) + 2));
    EXPECT_EQ(out[exec_at(20, i)], value(i | 3));
    float sum = 0;
    for (uint32_t k = first; k < first + size; k++)
        sum += (float)value(k);
    EXPECT_EQ(out[exec_at(21, i)], exec_bits(sum));
    EXPECT_EQ(out[exec_at(22, i)], size / 4);
    EXPECT_EQ(out[exec_at(23, i)], (in + 2) / 4);
    EXPECT_EQ(out[exec_at(24, i)], 1);
    EXPECT_EQ(out[exec_at(25, i)], size - 3);
    EXPECT_EQ(out[exec_at(26, i)], (in & 3) == 1);
    const uint32_t low = in >= 32 ? UINT32_MAX : (1u << in) - 1;
    EXPECT_EQ(out[exec_at(27, i)], low);
    EXPECT_EQ(out[exec_at(28, i)], ~low & (size >= 32 ? UINT32_MAX : (1u << size) - 1));
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
        for (size_t i = 0; i < 64; i++) {
            check_all_lanes(out, i, sizes[s]);
            if (i & 1)
                check_odd_lanes(out, i, sizes[s]);
        }
        exec_close(&e);
    }
}

/// Of subgroups of eight lanes: one with a helper in front, one of helpers alone.
TEST(exec_subgroup, helpers_count_only_where_there_are_no_others)
{
    enum { SIZE = 8 };
    struct exec e = exec_open(exec_helpers_frag, sizeof exec_helpers_frag,
                              &(struct exec_options){.subgroup_size = SIZE, .budget = 100000});
    struct wf_sw_batch batch;
    EXPECT(wf_sw_prepare(e.context, e.program, &batch));
    const uint32_t key = exec_input(&e, WF_SHADER_NONE, 0, 0);
    for (uint32_t i = 0; i < 64; i++)
        batch.inputs[key][i] = i == 0 ? 99 : i % 4 + 10; // nobody but a helper has 99
    batch.active = UINT64_MAX;
    batch.helpers = 0xff00 | 0x3; // all of the second subgroup, two lanes of the first
    EXPECT_EQ(wf_sw_run(e.context, e.program, &e.resources, &batch), WF_SW_OK);
    const uint32_t elected = exec_output(&e, WF_SHADER_NONE, 0, 0);
    const uint32_t sum = exec_output(&e, WF_SHADER_NONE, 0, 1);
    const uint32_t beside = exec_output(&e, WF_SHADER_NONE, 0, 2);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t group = i / SIZE, first = group == 0 ? 2 : group * SIZE;
        EXPECT_EQ(batch.outputs[elected][i], i == first);
        EXPECT_EQ(batch.outputs[sum][i], group == 0 ? 6 : SIZE);
        EXPECT_EQ(batch.outputs[beside][i], i == 1 ? 99 : (i ^ 1) % 4 + 10);
    }
    exec_close(&e);
}
