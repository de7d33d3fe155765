#include <string.h>

#include "exec_support.h"

#include "exec_group.comp.spv.h"
#include "exec_pointer.comp.spv.h"

struct counters {
    uint32_t added, ored, xored, smallest;
    int32_t lowest;
    uint32_t swapped, most, compared;
};

static void check_size(uint32_t n)
{
    static uint32_t out[3 + 1024];
    static uint32_t part[1024], next[1024];
    struct counters c = {.smallest = 5000, .lowest = 3};
    const struct wf_shader_specialization constants[] = {{0, n}, {1, 4}};
    struct exec e = exec_open(exec_group_comp, sizeof exec_group_comp,
                              &(struct exec_options){.constants = constants, .constant_count = 2});
    memset(out, 0, sizeof out);
    exec_buffer(&e, 0, out, sizeof out);
    exec_buffer(&e, 1, &c, sizeof c);
    EXPECT_EQ(exec_group(&e), WF_SW_OK);

    uint32_t maximum = 0, bits = 0, xored = 0;
    for (size_t i = 0; i < n; i++) {
        part[i] = i * i;
        bits |= 1u << i % 32;
        xored ^= i;
    }
    for (uint32_t left = n; left > 1; left = (left + 1) / 2) {
        for (size_t i = 0; i < left - (left + 1) / 2; i++)
            part[i] += part[i + (left + 1) / 2];
    }
    EXPECT_EQ(out[0], part[0]);
    for (uint32_t r = 0; r < 4; r++) {
        for (size_t i = 0; i < n; i++)
            next[i] = part[(i + 1) % n] + r;
        memcpy(part, next, sizeof part);
    }
    for (size_t i = 0; i < n; i++)
        maximum = part[i] > maximum ? part[i] : maximum;
    EXPECT_EQ(out[1], maximum);
    EXPECT_EQ(out[2], n);
    for (size_t i = 0; i < n; i++)
        EXPECT_EQ(out[3 + i], i);
    EXPECT_EQ(c.added, n * (n - 1) / 2);
    EXPECT_EQ(c.ored, bits);
    EXPECT_EQ(c.xored, xored);
    EXPECT_EQ(c.smallest, 5);
    EXPECT_EQ(c.lowest, -(int32_t)(n - 1));
    EXPECT_EQ(c.swapped, n);
    EXPECT_EQ(c.most, n - 1);
    EXPECT_EQ(c.compared, n);
    exec_close(&e);
}

TEST(exec_group, barriers_hold_for_every_size)
{
    static const uint32_t sizes[] = {1, 7, 64, 65, 100, 256, 1024};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_size(sizes[i]);
}

TEST(exec_group, a_group_knows_its_place)
{
    static uint32_t out[3 + 100];
    struct counters c = {0};
    const struct wf_shader_specialization constant = {0, 100};
    struct exec e = exec_open(exec_group_comp, sizeof exec_group_comp,
                              &(struct exec_options){.constants = &constant, .constant_count = 1});
    exec_buffer(&e, 0, out, sizeof out);
    exec_buffer(&e, 1, &c, sizeof c);
    exec_group(&e);
    const uint32_t id[3] = {7, 0, 0}, count[3] = {9, 1, 1};
    EXPECT_EQ(wf_sw_run_group(e.context, e.program, &e.resources, id, count), WF_SW_OK);
    for (size_t i = 0; i < 100; i++)
        EXPECT_EQ(out[3 + i], 700 + i);
    exec_close(&e);
}

struct node {
    uint64_t next;
    uint32_t value, pad;
};

TEST(exec_pointer, chains_are_followed_and_arrays_indexed)
{
    static uint32_t out[64 * 7];
    static struct {
        struct node nodes[5];
        uint32_t words[256];
    } memory;
    struct {
        uint64_t head, words, raw;
    } root = {EXEC_ADDRESS, EXEC_ADDRESS + sizeof memory.nodes, EXEC_ADDRESS + 16};
    static const uint32_t order[5] = {0, 3, 1, 4, 2};
    for (size_t k = 0; k < 5; k++) {
        memory.nodes[order[k]].value = 100 + k;
        memory.nodes[order[k]].next = EXEC_ADDRESS + UINT64_C(16) * order[(k + 1) % 5];
    }
    for (size_t i = 0; i < 256; i++)
        memory.words[i] = i * 3;
    struct exec e = exec_open(exec_pointer_comp, sizeof exec_pointer_comp, NULL);
    struct wf_sw_span span;
    exec_arena(&e, &span, &memory, sizeof memory);
    exec_buffer(&e, 0, out, sizeof out);
    e.resources.root = (const uint8_t *)&root;
    e.resources.root_size = sizeof root;
    EXPECT_EQ(exec_group(&e), WF_SW_OK);
    uint32_t *words = memory.words;
    for (size_t i = 0; i < 64; i++) {
        uint32_t raw;
        memcpy(&raw, (uint8_t *)&memory + 16 + i * 4, 4);
        EXPECT_EQ(out[i], 100 + i % 5);
        EXPECT_EQ(out[64 + i], 510);
        EXPECT_EQ(out[128 + i], i * 6);
        if (i < 16)
            EXPECT_EQ(out[192 + i], raw);
        EXPECT_EQ(words[i * 2 + 1], i + 1000);
        EXPECT_EQ(out[256 + i], memory.nodes[1].value);
        EXPECT_EQ(out[320 + i], 16);
        EXPECT_EQ(out[384 + i], 0); // past the buffer
    }
    EXPECT_EQ(words[200], 600 + 64);
    exec_close(&e);
}

TEST(exec_pointer, pointers_to_nowhere_read_zero)
{
    static uint32_t out[64 * 7];
    const uint64_t root[3] = {1, UINT64_MAX - 8, 0};
    struct exec e = exec_open(exec_pointer_comp, sizeof exec_pointer_comp, NULL);
    exec_buffer(&e, 0, out, sizeof out);
    e.resources.root = (const uint8_t *)root;
    e.resources.root_size = sizeof root;
    EXPECT_EQ(exec_group(&e), WF_SW_OK);
    EXPECT_EQ(out[63], 0);
    EXPECT_EQ(out[128 + 5], 0);
    exec_close(&e);
}
