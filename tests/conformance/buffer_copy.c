// Copies and fills of buffers.
#include "cases.h"
#include "model.h"

#include <string.h>

enum { SIZE = 256 };

struct pair {
    weft_buffer src, dst;
    uint8_t from[SIZE], to[SIZE]; ///< What each holds.
};

static void make(struct conform *c, struct pair *p)
{
    conform_bytes_fill(p->from, SIZE, 1);
    conform_bytes_fill(p->to, SIZE, 2);
    p->src = conform_buffer(c, 0, SIZE, p->from);
    p->dst = conform_buffer(c, 0, SIZE, p->to);
}

struct copy {
    uint64_t from, to, size;
};

/// Records copies that do not touch each other, and does them to the bytes.
static void copy_all(struct conform *c, struct pair *p, const struct copy *copies, size_t count)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    for (size_t i = 0; i < count; i++) {
        weft_compute_copy_buffer(enc, p->src, copies[i].from, p->dst, copies[i].to, copies[i].size);
        memcpy(p->to + copies[i].to, p->from + copies[i].from, copies[i].size);
    }
    weft_compute_end(enc);
    conform_submit(c, cmd);
    conform_expect_bytes(c, p->dst, 0, p->to, SIZE);
    conform_expect_bytes(c, p->src, 0, p->from, SIZE);
}

void case_buffer_copy_offsets(struct conform *c)
{
    static const struct copy copies[] = {{0, 4, 4}, {252, 8, 4}, {100, 252, 4}, {20, 60, 128}};
    struct pair p;
    make(c, &p);
    copy_all(c, &p, copies, 4);
}

void case_buffer_copy_whole(struct conform *c)
{
    struct pair p;
    make(c, &p);
    copy_all(c, &p, &(struct copy){0, 0, SIZE}, 1);
}

void case_buffer_copy_nothing(struct conform *c)
{
    static const struct copy copies[] = {{0, 0, 0}, {SIZE, SIZE, 0}};
    struct pair p;
    make(c, &p);
    copy_all(c, &p, copies, 2);
}

void case_buffer_copy_within_one(struct conform *c)
{
    struct pair p;
    make(c, &p);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, p.dst, 16, p.dst, 80, 64);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    memcpy(p.to + 80, p.to + 16, 64);
    conform_expect_bytes(c, p.dst, 0, p.to, SIZE);
}

static void refused(struct conform *c, const struct pair *p, const struct copy *copy,
                    weft_rule rule)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, p->dst, copy->from, p->dst, copy->to, copy->size);
    weft_compute_end(enc);
    const weft_result result = weft_command_end(cmd);
    conform_expect_rule(c, rule);
    CONFORM_EXPECT(c, result == WEFT_ERROR_USAGE);
}

void case_buffer_copy_refusals(struct conform *c)
{
    struct pair p;
    make(c, &p);
    refused(c, &p, &(struct copy){0, 60, 64}, WEFT_RULE_COPY_OVERLAP);
    refused(c, &p, &(struct copy){60, 0, 64}, WEFT_RULE_COPY_OVERLAP);
    refused(c, &p, &(struct copy){0, 64, 63}, WEFT_RULE_COPY_SIZE);
    refused(c, &p, &(struct copy){0, 65, 64}, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    refused(c, &p, &(struct copy){0, 128, 132}, WEFT_RULE_COMMAND_BUFFER_RANGE);
    conform_expect_bytes(c, p.dst, 0, p.to, SIZE);
}

static void fill(uint8_t *bytes, size_t size, uint32_t value)
{
    for (size_t i = 0; i < size; i += 4)
        memcpy(bytes + i, &value, 4);
}

void case_buffer_fill(struct conform *c)
{
    struct pair p;
    make(c, &p);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, p.dst, 4, 8, 0x01020304);
    weft_compute_fill_buffer(enc, p.dst, 200, 0, 0xfffefdfc); // to the end
    weft_compute_fill_buffer(enc, p.src, 0, 0, 7);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    fill(p.to + 4, 8, 0x01020304);
    fill(p.to + 200, SIZE - 200, 0xfffefdfc);
    fill(p.from, SIZE, 7);
    conform_expect_bytes(c, p.dst, 0, p.to, SIZE);
    conform_expect_bytes(c, p.src, 0, p.from, SIZE);
}

void case_buffer_fill_order(struct conform *c)
{
    struct pair p;
    make(c, &p);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < 8; i++) {
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_fill_buffer(enc, p.dst, (uint64_t)i * 8, 64, i);
        weft_compute_end(enc);
        conform_barrier(cmd);
        fill(p.to + (size_t)i * 8, 64, i);
    }
    conform_submit(c, cmd);
    conform_expect_bytes(c, p.dst, 0, p.to, SIZE);
}

void case_buffer_write_order(struct conform *c)
{
    struct pair p;
    make(c, &p);
    for (uint32_t i = 0; i < 16; i++) {
        uint8_t bytes[32];
        conform_bytes_fill(bytes, sizeof bytes, i);
        weft_buffer_write(conform_device(c), p.dst, (uint64_t)i * 12, bytes, sizeof bytes);
        memcpy(p.to + (size_t)i * 12, bytes, sizeof bytes);
    }
    conform_expect_bytes(c, p.dst, 0, p.to, SIZE);
}

/// From the kinds of memory that the GPU reads to those that it writes.
void case_buffer_copy_memories(struct conform *c)
{
    uint8_t bytes[SIZE];
    conform_bytes_fill(bytes, SIZE, 4);
    for (uint32_t i = 0; i < 4; i++) {
        weft_buffer_desc desc = {.size = SIZE,
                                 .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
                                 .memory = i & 1 ? WEFT_MEMORY_DEFAULT : WEFT_MEMORY_GPU,
                                 .data = bytes};
        weft_buffer from, to;
        weft_buffer_create(conform_device(c), &desc, &from);
        desc.memory = i & 2 ? WEFT_MEMORY_READBACK : WEFT_MEMORY_GPU;
        desc.data = NULL;
        weft_buffer_create(conform_device(c), &desc, &to);
        conform_check(c);
        weft_command_buffer *cmd = conform_begin(c);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer(enc, from, 0, to, 0, SIZE);
        weft_compute_end(enc);
        weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_HOST, 0);
        conform_submit(c, cmd);
        conform_expect_bytes(c, to, 0, bytes, SIZE);
    }
}
