#include "backends/noop/noop.h"
#include "support/test.h"

static struct wf_hal_device *open_noop(void)
{
    static const weft_software_options options;
    const struct wf_hal_open open = {
        .allocator = wf_base_allocator_default(), .software = &options, .frames_in_flight = 2};
    char reason[WF_HAL_REASON_LENGTH];
    struct wf_hal_device *dev;
    EXPECT_EQ(wf_hal_backend_find(WEFT_BACKEND_NOOP)->open(&open, &dev, reason), WEFT_OK);
    wf_hal_ops_check(dev);
    return dev;
}

TEST(noop, counts_what_was_submitted_and_nothing_else)
{
    struct wf_hal_device *dev = open_noop();
    struct wf_hal_command_pool *pool;
    EXPECT_EQ(dev->ops->command_pool_create(dev, WEFT_QUEUE_GRAPHICS, &pool), WEFT_OK);
    struct wf_hal_command *cmds[2];
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ(dev->ops->command_begin(dev, pool, &cmds[i]), WEFT_OK);
        dev->ops->cmd_barrier(cmds[i], WEFT_STAGE_COPY, WEFT_STAGE_COMPUTE, 0);
        dev->ops->cmd_dispatch(cmds[i], 1, 2, 3);
        dev->ops->cmd_dispatch(cmds[i], 4, 5, 6);
        EXPECT_EQ(dev->ops->command_end(cmds[i]), WEFT_OK);
    }
    EXPECT_EQ(wf_noop_counts_get(dev).dispatches, 0);
    dev->ops->command_discard(cmds[1]);
    const struct wf_hal_submit submit = {.commands = cmds, .command_count = 1, .serial = 1};
    EXPECT_EQ(dev->ops->queue_submit(dev, WEFT_QUEUE_GRAPHICS, &submit), WEFT_OK);
    EXPECT_EQ(dev->ops->serial_finished(dev), 1);
    EXPECT_EQ(wf_noop_counts_get(dev).dispatches, 2);
    EXPECT_EQ(wf_noop_counts_get(dev).barriers, 1);
    dev->ops->command_pool_destroy(dev, pool);
    dev->ops->destroy(dev);
}

TEST(noop, a_timeline_reaches_what_was_signalled)
{
    struct wf_hal_device *dev = open_noop();
    struct wf_hal_timeline *timeline;
    EXPECT_EQ(dev->ops->timeline_create(dev, 3, &timeline), WEFT_OK);
    EXPECT_EQ(dev->ops->timeline_wait(dev, timeline, 3, 0), WEFT_OK);
    EXPECT_EQ(dev->ops->timeline_wait(dev, timeline, 4, 1000000), WEFT_ERROR_TIMEOUT);
    EXPECT_EQ(dev->ops->timeline_signal(dev, timeline, 4), WEFT_OK);
    EXPECT_EQ(dev->ops->timeline_wait(dev, timeline, 4, UINT64_MAX), WEFT_OK);
    EXPECT_EQ(dev->ops->timeline_value(dev, timeline), 4);
    dev->ops->timeline_destroy(dev, timeline);
    dev->ops->destroy(dev);
}

TEST(noop, budget_follows_what_lives)
{
    struct wf_hal_device *dev = open_noop();
    struct wf_hal_buffer *buffer;
    const weft_buffer_desc desc = {.size = 256, .memory = WEFT_MEMORY_DEFAULT};
    EXPECT_EQ(dev->ops->buffer_create(dev, &desc, NULL, &buffer), WEFT_OK);
    EXPECT(buffer->mapped != NULL);
    EXPECT_EQ(dev->ops->memory_budget(dev).used, 256);
    dev->ops->buffer_destroy(dev, buffer);
    EXPECT_EQ(dev->ops->memory_budget(dev).used, 0);
    dev->ops->destroy(dev);
}
