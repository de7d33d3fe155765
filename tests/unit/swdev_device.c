// The software device without shaders: buffers, commands, queues, timelines.
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "swdev.h"

#define MS UINT64_C(1000000)

TEST(swdev, lists_one_cpu_adapter)
{
    const struct wf_hal_backend *backend = wf_hal_backend_find(WEFT_BACKEND_SOFTWARE);
    weft_capabilities caps;
    uint32_t count = 1;
    EXPECT_EQ(backend->adapters(&caps, &count), WEFT_OK);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(caps.type, WEFT_ADAPTER_CPU);
    EXPECT(strncmp(caps.name, "Weft software device (", 22) == 0);
    EXPECT(caps.memory > 0);
    count = 0;
    EXPECT_EQ(backend->adapters(NULL, &count), WEFT_OK);
    EXPECT_EQ(count, 1);
}

TEST(swdev, has_every_hook_that_it_promises)
{
    struct swdev s;
    swdev_open(&s, NULL);
    wf_hal_ops_check(s.dev);
    EXPECT(!s.ops->lost(s.dev, NULL));
    swdev_close(&s);
}

// Every allocation of an opening fails in turn.
TEST(swdev, opening_without_memory_fails_cleanly)
{
    const struct wf_hal_backend *backend = wf_hal_backend_find(WEFT_BACKEND_SOFTWARE);
    for (uint64_t n = 1;; n++) {
        struct wf_base_counting_allocator memory;
        wf_base_counting_init(&memory, wf_base_allocator_default());
        wf_base_counting_fail(&memory, n, false);
        const weft_software_options options = {.threads = 2};
        const struct wf_hal_open open = {.allocator = &memory.allocator, .software = &options};
        struct wf_hal_device *dev = NULL;
        char reason[WF_HAL_REASON_LENGTH] = "";
        const weft_result result = backend->open(&open, &dev, reason);
        const bool all_served = memory.calls < n;
        if (result == WEFT_OK)
            dev->ops->destroy(dev);
        else
            EXPECT(result == WEFT_ERROR_MEMORY && !dev && reason[0]);
        EXPECT_EQ(memory.live_blocks, 0);
        if (all_served)
            break;
    }
}

TEST(swdev, kinds_of_memory_differ_in_what_is_mapped)
{
    struct swdev s;
    swdev_open(&s, NULL);
    const weft_buffer_desc desc = {
        .size = 20, .usage = WEFT_BUFFER_USAGE_COPY_DST, .memory = WEFT_MEMORY_GPU};
    struct wf_hal_buffer *gpu, *mapped, *readback;
    const uint64_t used = s.ops->memory_budget(s.dev).used; // the heap
    EXPECT_EQ(s.ops->buffer_create(s.dev, &desc, NULL, &gpu), WEFT_OK);
    mapped = swdev_buffer(&s, 4, WEFT_MEMORY_DEFAULT);
    readback = swdev_buffer(&s, 4, WEFT_MEMORY_READBACK);
    EXPECT(!gpu->mapped && gpu->address == 0 && gpu->size == 20);
    EXPECT(mapped->mapped && mapped->address != 0);
    EXPECT(readback->mapped && readback->address != mapped->address);
    EXPECT(s.ops->memory_budget(s.dev).used > used);
    s.ops->buffer_destroy(s.dev, gpu);
    s.ops->buffer_destroy(s.dev, mapped);
    s.ops->buffer_destroy(s.dev, readback);
    EXPECT_EQ(s.ops->memory_budget(s.dev).used, used);
    swdev_close(&s);
}

TEST(swdev, a_buffer_larger_than_the_memory_is_refused)
{
    struct swdev s;
    swdev_open(&s, NULL);
    const weft_buffer_desc desc = {.size = UINT64_C(1) << 44, .memory = WEFT_MEMORY_GPU};
    struct wf_hal_buffer *buf = NULL;
    EXPECT_EQ(s.ops->buffer_create(s.dev, &desc, NULL, &buf), WEFT_ERROR_DEVICE_MEMORY);
    EXPECT(!buf);
    swdev_close(&s);
}

TEST(swdev, ten_thousand_buffers_live_at_once)
{
    enum { COUNT = 10000 };
    static struct wf_hal_buffer *bufs[COUNT];
    struct swdev s;
    swdev_open(&s, NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        bufs[i] = swdev_buffer(&s, 4 + i % 7 * 4, WEFT_MEMORY_DEFAULT);
        memcpy(bufs[i]->mapped, &i, sizeof i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        EXPECT(memcmp(bufs[i]->mapped, &i, sizeof i) == 0);
        s.ops->buffer_destroy(s.dev, bufs[i]);
    }
    swdev_close(&s);
}

TEST(swdev, placed_buffers_share_their_block)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_memory_block *block = NULL;
    EXPECT_EQ(
        s.ops->memory_block_create(
            s.dev, &(weft_memory_block_desc){.size = 4096, .memory = WEFT_MEMORY_DEFAULT}, &block),
        WEFT_OK);
    const weft_buffer_desc desc = {
        .size = 1024, .usage = WEFT_BUFFER_USAGE_ADDRESS, .memory = WEFT_MEMORY_DEFAULT};
    weft_memory_needs needs;
    s.ops->buffer_needs(s.dev, &desc, &needs);
    EXPECT_EQ(needs.size, 1024);
    struct wf_hal_buffer *a, *b, *c;
    EXPECT_EQ(s.ops->buffer_create(s.dev, &desc, &(struct wf_hal_placement){.block = block}, &a),
              WEFT_OK);
    EXPECT_EQ(s.ops->buffer_create(
                  s.dev, &desc,
                  &(struct wf_hal_placement){.block = block, .offset = needs.alignment}, &b),
              WEFT_OK);
    EXPECT_EQ(s.ops->buffer_create(s.dev, &desc, &(struct wf_hal_placement){.block = block}, &c),
              WEFT_OK);
    EXPECT(a->mapped == c->mapped && b->mapped == a->mapped + needs.alignment);
    EXPECT(a->address == c->address && b->address == a->address + needs.alignment);
    s.ops->buffer_destroy(s.dev, a);
    s.ops->buffer_destroy(s.dev, b);
    s.ops->buffer_destroy(s.dev, c);
    s.ops->memory_block_destroy(s.dev, block);
    swdev_close(&s);
}

TEST(swdev, copies_and_fills_keep_to_their_ranges)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_buffer *a = swdev_buffer(&s, 1000, WEFT_MEMORY_DEFAULT);
    struct wf_hal_buffer *b = swdev_buffer(&s, 1000, WEFT_MEMORY_GPU);
    struct wf_hal_buffer *c = swdev_buffer(&s, 1000, WEFT_MEMORY_READBACK);
    for (uint32_t i = 0; i < 1000; i++)
        a->mapped[i] = (uint8_t)(i * 7);
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_begin_compute(cmd, NULL, UINT32_MAX, UINT32_MAX, "");
    s.ops->cmd_fill_buffer(cmd, b, 0, 1000, 0xabababab);
    s.ops->cmd_fill_buffer(cmd, b, 4, 12, 0x01020304);
    const struct wf_hal_buffer_copy parts[2] = {{36, 100, 300}, {336, 400, 32}};
    s.ops->cmd_copy_buffer(cmd, a, b, parts, 2);
    s.ops->cmd_copy_buffer(cmd, b, c, &(struct wf_hal_buffer_copy){0, 0, 1000}, 1);
    s.ops->cmd_end_compute(cmd);
    swdev_run(&s, cmd);
    for (uint32_t i = 0; i < 1000; i++) {
        uint8_t wanted = 0xab;
        if (i >= 4 && i < 16)
            wanted = (uint8_t)(4 - i % 4);
        if (i >= 100 && i < 432)
            wanted = (uint8_t)((i - 100 + 36) * 7);
        EXPECT_EQ(c->mapped[i], wanted);
    }
    s.ops->buffer_destroy(s.dev, a);
    s.ops->buffer_destroy(s.dev, b);
    s.ops->buffer_destroy(s.dev, c);
    swdev_close(&s);
}

TEST(swdev, commands_run_in_order_over_many_chunks)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 40004, WEFT_MEMORY_READBACK);
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_begin_compute(cmd, NULL, UINT32_MAX, UINT32_MAX, NULL);
    for (uint32_t i = 0; i < 10000; i++)
        s.ops->cmd_fill_buffer(cmd, buf, (uint64_t)i * 4, 8, i);
    s.ops->cmd_end_compute(cmd);
    swdev_run(&s, cmd);
    for (uint32_t i = 0; i < 10000; i++)
        EXPECT(memcmp(buf->mapped + (size_t)i * 4, &i, 4) == 0);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}

TEST(swdev, recording_without_memory_fails_at_the_end)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 4, WEFT_MEMORY_READBACK);
    struct wf_hal_command *cmd = swdev_begin(&s);
    wf_base_counting_fail(&s.memory, 2, true);
    for (uint32_t i = 0; i < 5000; i++)
        s.ops->cmd_fill_buffer(cmd, buf, 0, 4, i);
    wf_base_counting_fail(&s.memory, 0, false);
    s.ops->cmd_fill_buffer(cmd, buf, 0, 4, 1);
    EXPECT_EQ(s.ops->command_end(cmd), WEFT_ERROR_MEMORY);
    s.ops->command_discard(cmd);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}

TEST(swdev, steady_recording_allocates_nothing)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 4096, WEFT_MEMORY_READBACK);
    uint64_t before = 0;
    for (uint32_t frame = 0; frame < 50; frame++) {
        struct wf_hal_command *cmd = swdev_begin(&s);
        for (uint32_t i = 0; i < 2000; i++)
            s.ops->cmd_fill_buffer(cmd, buf, (uint64_t)(i % 1024) * 4, 4, i);
        swdev_run(&s, cmd);
        if (frame == 1)
            before = s.memory.calls;
    }
    EXPECT_EQ(s.memory.calls, before);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}

// ---- queues and timelines ----------------------------------------------------------------------

static struct wf_hal_timeline *timeline(struct swdev *s, uint64_t initial)
{
    struct wf_hal_timeline *out = NULL;
    EXPECT_EQ(s->ops->timeline_create(s->dev, initial, &out), WEFT_OK);
    return out;
}

static void submit_fill(struct swdev *s, weft_queue queue, struct wf_hal_buffer *buf,
                        uint32_t value, const struct wf_hal_timeline_point *wait,
                        const struct wf_hal_timeline_point *signal)
{
    struct wf_hal_command *cmd = swdev_begin(s);
    s->ops->cmd_fill_buffer(cmd, buf, 0, 4, value);
    EXPECT_EQ(s->ops->command_end(cmd), WEFT_OK);
    const struct wf_hal_submit submit = {
        .commands = &cmd,
        .command_count = 1,
        .waits = wait,
        .wait_count = wait != NULL,
        .signals = signal,
        .signal_count = signal != NULL,
        .serial = ++s->serial,
    };
    EXPECT_EQ(s->ops->queue_submit(s->dev, queue, &submit), WEFT_OK);
}

TEST(swdev, submissions_wait_for_the_cpu_and_signal_it)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 4, WEFT_MEMORY_READBACK);
    struct wf_hal_timeline *t = timeline(&s, 5);
    memset(buf->mapped, 0, 4);
    EXPECT_EQ(s.ops->timeline_value(s.dev, t), 5);
    submit_fill(&s, WEFT_QUEUE_COMPUTE, buf, 0x07070707,
                &(struct wf_hal_timeline_point){.timeline = t, .value = 7},
                &(struct wf_hal_timeline_point){.timeline = t, .value = 9});
    EXPECT_EQ(s.ops->timeline_wait(s.dev, t, 9, 5 * MS), WEFT_ERROR_TIMEOUT);
    EXPECT_EQ(s.ops->serial_wait(s.dev, s.serial, 0), WEFT_ERROR_TIMEOUT);
    EXPECT_EQ(s.ops->serial_finished(s.dev), 0);
    EXPECT_EQ(buf->mapped[0], 0);
    EXPECT_EQ(s.ops->timeline_signal(s.dev, t, 7), WEFT_OK);
    EXPECT_EQ(s.ops->timeline_wait(s.dev, t, 9, UINT64_MAX), WEFT_OK);
    EXPECT_EQ(s.ops->serial_wait(s.dev, s.serial, UINT64_MAX), WEFT_OK);
    EXPECT_EQ(s.ops->timeline_value(s.dev, t), 9);
    EXPECT_EQ(buf->mapped[0], 7);
    EXPECT_EQ(s.ops->timeline_wait(s.dev, t, 3, 0), WEFT_OK);
    s.ops->timeline_destroy(s.dev, t);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}

struct waiter {
    struct swdev *s;
    struct wf_hal_timeline *t;
    uint64_t value;
    weft_result result;
    struct wf_base_thread thread;
};

static void wait_on_thread(void *user)
{
    struct waiter *w = user;
    w->result = w->s->ops->timeline_wait(w->s->dev, w->t, w->value, UINT64_MAX);
}

TEST(swdev, threads_wait_for_a_timeline_at_once)
{
    enum { WAITERS = 6 };
    static struct waiter waiters[WAITERS];
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 4, WEFT_MEMORY_READBACK);
    struct wf_hal_timeline *t = timeline(&s, 0);
    for (uint32_t i = 0; i < WAITERS; i++) {
        waiters[i] = (struct waiter){.s = &s, .t = t, .value = i + 1, .result = WEFT_PENDING};
        EXPECT(wf_base_thread_start(&waiters[i].thread, NULL, wait_on_thread, &waiters[i]));
    }
    for (uint32_t i = 0; i < WAITERS; i++)
        submit_fill(&s, (weft_queue)(i % WEFT_QUEUE_COUNT), buf, i,
                    &(struct wf_hal_timeline_point){.timeline = t, .value = i},
                    &(struct wf_hal_timeline_point){.timeline = t, .value = i + 1});
    for (uint32_t i = 0; i < WAITERS; i++) {
        wf_base_thread_join(&waiters[i].thread);
        EXPECT_EQ(waiters[i].result, WEFT_OK);
    }
    s.ops->timeline_destroy(s.dev, t);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}

TEST(swdev, many_submissions_finish_in_order)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 4, WEFT_MEMORY_READBACK);
    for (uint32_t i = 0; i < 500; i++)
        submit_fill(&s, WEFT_QUEUE_GRAPHICS, buf, i, NULL, NULL);
    EXPECT_EQ(s.ops->serial_wait(s.dev, 500, UINT64_MAX), WEFT_OK);
    const uint32_t wanted = 499;
    EXPECT_MEM(buf->mapped, &wanted, 4);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}

TEST(swdev, timestamps_rise_and_resolve)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_query_pool *pool = NULL;
    const weft_query_pool_desc desc = {.kind = WEFT_QUERY_TIMESTAMP, .count = 4};
    EXPECT_EQ(s.ops->query_pool_create(s.dev, &desc, &pool), WEFT_OK);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 40, WEFT_MEMORY_READBACK);
    memset(buf->mapped, 0xee, 40);
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_write_timestamp(cmd, pool, 0);
    s.ops->cmd_begin_compute(cmd, pool, 1, 2, "work");
    s.ops->cmd_fill_buffer(cmd, buf, 0, 4, 1);
    s.ops->cmd_end_compute(cmd);
    s.ops->cmd_resolve_queries(cmd, pool, 0, 4, buf, 8);
    swdev_run(&s, cmd);
    uint64_t times[4], resolved[4];
    s.ops->query_pool_read(s.dev, pool, 0, 4, times);
    memcpy(resolved, buf->mapped + 8, sizeof resolved);
    EXPECT(times[0] > 0 && times[0] <= times[1] && times[1] <= times[2] && times[3] == 0);
    EXPECT(memcmp(times, resolved, sizeof times) == 0);
    s.ops->query_pool_destroy(s.dev, pool);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}
