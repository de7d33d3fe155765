#include <math.h>
#include <string.h>

#include "exec_support.h"

#include "exec_memory.comp.spv.h"

struct part {
    float position[3], weight;
    uint32_t tags[3], pad;
    float m[3][2];
    float pad2[2];
};

struct part140 {
    float position[3], weight;
    uint32_t tags[3][4];
    float m[3][4];
};

struct block {
    float rows[4][4], rowm[4][4], colm[4][4];
    float scale[3][4];
    struct part140 part;
};

struct parts {
    uint32_t count, pad[3];
    struct part parts[4];
};

struct memory {
    struct exec e;
    uint32_t out[64 * 32], in[64];
    struct block block;
    struct parts parts;
    struct {
        float xy[2];
        uint32_t index, more[4];
    } root;
};

static void fill(struct memory *m)
{
    uint32_t state = 7;
    float *f = &m->block.rows[0][0];
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < sizeof m->block / 4; i++)
        f[i] = exec_random_float(&state, -4, 4);
    for (size_t i = 0; i < 64; i++)
        m->in[i] = exec_random(&state) % 1000;
    for (size_t i = 0; i < 4; i++) {
        struct part *p = &m->parts.parts[i];
        for (size_t k = 0; k < 3; k++) {
            p->position[k] = exec_random_float(&state, 0, 8);
            p->tags[k] = exec_random(&state) % 100;
            p->m[k][0] = exec_random_float(&state, 0, 8);
            p->m[k][1] = exec_random_float(&state, 0, 8);
        }
        p->weight = (float)i;
        m->root.more[i] = i * 10 + 1;
    }
    m->root.xy[0] = 0.5f;
    m->root.xy[1] = -2.0f;
    m->root.index = 1;
}

static void run(struct memory *m)
{
    fill(m);
    m->e = exec_open(exec_memory_comp, sizeof exec_memory_comp, NULL);
    exec_buffer(&m->e, 0, m->out, sizeof m->out);
    exec_buffer(&m->e, 1, m->in, sizeof m->in);
    exec_buffer(&m->e, 2, &m->block, sizeof m->block);
    exec_buffer(&m->e, 3, &m->parts, sizeof m->parts);
    m->e.resources.root = (const uint8_t *)&m->root;
    m->e.resources.root_size = sizeof m->root;
    EXPECT_EQ(exec_group(&m->e), WF_SW_OK);
    exec_close(&m->e);
}

static float got(const struct memory *m, uint32_t row, uint32_t lane)
{
    return exec_float(m->out[exec_at(row, lane)]);
}

TEST(exec_memory, uniform_blocks_are_read_by_their_layout)
{
    static struct memory m;
    run(&m);
    for (size_t i = 0; i < 64; i++) {
        const uint32_t n = m.in[i], x = n & 3, y = n >> 2 & 3;
        EXPECT_EQ(m.out[i], exec_bits(m.block.rows[2][2]));
        EXPECT(got(&m, 1, i) == m.block.rows[x][1]);
        EXPECT(got(&m, 2, i) == m.block.rowm[2][1]);
        EXPECT(got(&m, 3, i) == m.block.rowm[y][x]);
        EXPECT(got(&m, 4, i) == m.block.colm[x][y]);
        EXPECT(got(&m, 5, i) == m.block.rowm[3][2]);
        EXPECT(got(&m, 9, i) == m.block.scale[1][0]);
        EXPECT(got(&m, 10, i) == m.block.part.m[2][1]);
        EXPECT(got(&m, 19, i) == (float)m.root.more[x]);
    }
}

TEST(exec_memory, matrices_multiply_from_both_sides)
{
    static struct memory m;
    run(&m);
    for (size_t i = 0; i < 64; i++) {
        const float v[4] = {m.root.xy[0], m.root.xy[1], (float)m.in[i], 1.0f};
        float moved[4] = {0}, back = 0;
        for (int r = 0; r < 4; r++) {
            for (int c = 0; c < 4; c++)
                moved[r] += m.block.colm[c][r] * v[c];
            back += v[r] * m.block.rowm[r][1];
        }
        EXPECT_NEAR(got(&m, 6, i), moved[0], 1e-2);
        EXPECT_NEAR(got(&m, 7, i), moved[3], 1e-2);
        EXPECT_NEAR(got(&m, 8, i), back, 1e-2);
        EXPECT_NEAR(got(&m, 12, i), moved[m.in[i] & 3], 1e-2);
        float sum = 0;
        for (size_t k = 0; k < 4; k++)
            sum += m.block.colm[1][k] * m.block.rowm[k][3];
        EXPECT_NEAR(got(&m, 20, i), sum, 1e-3);
        EXPECT_NEAR(got(&m, 22, i), 1.0f, 1e-3);
        EXPECT(isfinite(got(&m, 21, i)));
    }
}

TEST(exec_memory, variables_are_indexed_with_values)
{
    static struct memory m;
    run(&m);
    for (size_t i = 0; i < 64; i++) {
        const uint32_t n = m.in[i];
        float v[3] = {1, 2, 3};
        v[n % 3] = 10;
        EXPECT(got(&m, 11, i) == (float)(1u << n % 6));
        EXPECT(got(&m, 13, i) == (float)((n + 1) % 9 * ((n + 1) % 9)));
        EXPECT(got(&m, 14, i) == -1.0f);
        EXPECT(got(&m, 23, i) == v[0] * 100 + v[1] * 10 + v[2]);
        EXPECT(got(&m, 24, i) == v[0] * m.root.xy[1]);
        EXPECT(got(&m, 26, i) == ((v[0] < 2.5f || v[1] < 2.5f || v[2] < 2.5f) ? 1.0f : 0.0f));
        EXPECT(got(&m, 27, i) == 0.0f);
        float sum = 0;
        for (size_t k = 0; k < 3; k++)
            sum += v[k] < 2.5f ? 0 : v[k];
        EXPECT(got(&m, 28, i) == sum);
    }
}

TEST(exec_memory, structures_are_loaded_whole_and_stored_in_part)
{
    static struct memory m;
    run(&m);
    for (size_t i = 0; i < 64; i++) {
        const struct part *p = &m.parts.parts[m.in[i] & 3];
        EXPECT(got(&m, 15, i) == p->position[0] + 9.0f * p->weight);
        EXPECT(got(&m, 16, i) == (float)(p->tags[0] + p->tags[1] + 5));
        EXPECT(got(&m, 17, i) == p->m[1][0]);
        EXPECT(got(&m, 18, i) == 4.0f);
        EXPECT(got(&m, 25, i) == p->weight);
        if (m.in[i] & 1)
            EXPECT_EQ(m.parts.parts[i & 3].tags[2], 7);
    }
}

TEST(exec_memory, what_lies_outside_of_a_buffer_reads_zero_and_is_not_written)
{
    static struct memory m;
    fill(&m);
    m.e = exec_open(exec_memory_comp, sizeof exec_memory_comp, NULL);
    m.out[exec_at(3, 0)] = 0xdead;
    exec_buffer(&m.e, 0, m.out, sizeof(uint32_t) * 64 * 3);
    exec_buffer(&m.e, 1, m.in, sizeof(uint32_t) * 40);
    exec_buffer(&m.e, 2, &m.block, 40);
    EXPECT_EQ(exec_group(&m.e), WF_SW_OK);
    EXPECT_EQ(m.out[exec_at(3, 0)], 0xdead);
    EXPECT_EQ(m.out[0], 0);
    EXPECT_EQ(m.out[63], 0);
    exec_close(&m.e);
}
