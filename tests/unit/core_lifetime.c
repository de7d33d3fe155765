#include "support/fixture.h"

#include "core/record.h"
#include "core/upload.h"

/// Objects to retire: each remembers when it went.
struct thing {
    int order; ///< 0: still there.
};

static int released;

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)dev, (void)extra;
    ((struct thing *)object)->order = ++released;
}

static void retire(struct weft_device *dev, struct thing *thing)
{
    EXPECT(wf_core_retire_reserve(dev));
    wf_core_retire(dev, release, thing, 0, 10);
}

static void submit_nothing(struct weft_device *dev)
{
    struct wf_hal_submit submit = {0};
    EXPECT_EQ(wf_core_submit(dev, WEFT_QUEUE_GRAPHICS, &submit), WEFT_OK);
}

TEST(core_retire, what_nothing_can_use_goes_at_once)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct thing thing = {0};
    released = 0;
    retire(f.dev, &thing);
    EXPECT_EQ(thing.order, 1);
    fixture_close(&f);
}

TEST(core_retire, an_open_command_buffer_holds_what_was_destroyed_after_it_began)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct thing things[3] = {{0}};
    struct wf_core_open before = {0}, after = {0};
    released = 0;
    wf_core_open_add(f.dev, &before);
    retire(f.dev, &things[0]);
    wf_core_open_add(f.dev, &after);
    retire(f.dev, &things[1]);
    submit_nothing(f.dev);
    EXPECT_EQ(things[0].order, 0);
    EXPECT_EQ(wf_core_retired_bytes(f.dev), 20);
    wf_core_open_remove(f.dev, &before);
    (void)weft_device_poll(f.dev);
    EXPECT_EQ(things[0].order, 1); // `after` began when it was gone
    EXPECT_EQ(things[1].order, 0);
    retire(f.dev, &things[2]);
    wf_core_open_remove(f.dev, &after);
    (void)weft_device_poll(f.dev);
    EXPECT_EQ(things[1].order, 2);
    EXPECT_EQ(things[2].order, 3);
    EXPECT_EQ(wf_core_retired_bytes(f.dev), 0);
    fixture_close(&f);
}

TEST(core_retire, places_are_kept_over_many_retirements)
{
    enum { COUNT = 1000 };
    static struct thing things[COUNT];
    memset(things, 0, sizeof things);
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct wf_core_open open = {0};
    released = 0;
    for (int round = 0; round < 3; ++round) {
        wf_core_open_add(f.dev, &open);
        for (int i = 0; i < COUNT; ++i)
            retire(f.dev, &things[i]);
        wf_core_open_remove(f.dev, &open);
        EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
        for (int i = 0; i < COUNT; ++i)
            EXPECT_EQ(things[i].order, round * COUNT + i + 1);
    }
    fixture_close(&f);
}

TEST(core_retire, a_pending_upload_holds_its_destination)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 1 << 16, .memory = WEFT_MEMORY_GPU};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, "1234", 4), WEFT_OK);
    weft_buffer_destroy(f.dev, buf);
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 1 << 16);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 0);
    fixture_close(&f);
}

TEST(core_retire, rebinding_keeps_the_handle_and_lets_the_old_memory_go)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 4096, .usage = WEFT_BUFFER_USAGE_ADDRESS};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    const void *old = weft_buffer_map(f.dev, buf, 0, 4096);
    const uint64_t deaths = atomic_load(&f.dev->deaths);
    EXPECT_EQ(weft_buffer_rebind(f.dev, buf), WEFT_OK);
    EXPECT(atomic_load(&f.dev->deaths) != deaths);
    EXPECT(weft_buffer_map(f.dev, buf, 0, 4096) != NULL);
    (void)old;
    weft_buffer_destroy(f.dev, buf);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 0);
    fixture_close(&f);
}

TEST(core_retire, what_was_recorded_may_be_destroyed_before_it_is_submitted)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    const weft_buffer_usage copied = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST;
    weft_buffer src, dst;
    const weft_buffer_desc desc = {
        .size = 8, .memory = WEFT_MEMORY_GPU, .usage = copied, .data = "recorded"};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &src), WEFT_OK);
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 8, .usage = copied}, &dst),
              WEFT_OK);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){0}, &cmd), WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, src, 0, dst, 0, 8);
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    weft_buffer_destroy(f.dev, src);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK); // the upload runs, the command waits
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 8);
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS,
                                &(weft_submit){.commands = &cmd, .command_count = 1}, NULL),
              WEFT_OK);
    char got[8];
    EXPECT_EQ(weft_buffer_read(f.dev, dst, 0, got, 8), WEFT_OK);
    EXPECT_MEM(got, "recorded", 8);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 0);
    weft_buffer_destroy(f.dev, dst);
    fixture_close(&f);
}

TEST(core_retire, a_table_follows_a_rebound_buffer)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 256, .usage = WEFT_BUFFER_USAGE_UNIFORM};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    weft_argument_layout layout;
    const weft_argument argument = {.type = WEFT_ARGUMENT_UNIFORM_BUFFER};
    EXPECT_EQ(weft_argument_layout_create(
                  f.dev, &(weft_argument_layout_desc){.arguments = &argument, .argument_count = 1},
                  &layout),
              WEFT_OK);
    weft_argument_table table;
    const weft_argument_write write = {.buffer = buf};
    EXPECT_EQ(weft_argument_table_create(
                  f.dev,
                  &(weft_argument_table_desc){.layout = layout, .writes = &write, .write_count = 1},
                  &table),
              WEFT_OK);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){0}, &cmd), WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    const struct wf_core_table *inside = wf_core_argument_table_find(f.dev, table)->table;
    for (int i = 0; i < 4; ++i) {
        weft_compute_set_arguments(enc, 0, table, NULL, 0);
        EXPECT(inside->writes[0].buffer == wf_core_buffer_find(f.dev, buf)->hal);
        EXPECT_EQ(inside->elements[0].backing, i);
        EXPECT_EQ(weft_buffer_rebind(f.dev, buf), WEFT_OK);
    }
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_command_discard(cmd);
    weft_argument_table_destroy(f.dev, table);
    weft_argument_layout_destroy(f.dev, layout);
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}

TEST(core_transient, slots_come_round_and_the_ring_grows_once)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_transient first = weft_transient_alloc(f.dev, 100, 0);
    const weft_transient second = weft_transient_alloc(f.dev, 100, 0);
    EXPECT(second.buffer.index == first.buffer.index && second.offset == first.offset + 256);
    EXPECT_EQ(weft_transient_advance(f.dev), WEFT_OK);
    const weft_transient other = weft_transient_alloc(f.dev, 100, 0);
    EXPECT(other.buffer.index == first.buffer.index && other.offset != first.offset);
    EXPECT_EQ(weft_transient_advance(f.dev), WEFT_OK);
    EXPECT_EQ(weft_transient_alloc(f.dev, 100, 0).offset, first.offset);

    const weft_transient large = weft_transient_alloc(f.dev, 1 << 20, 0);
    EXPECT(large.cpu != NULL && large.buffer.index != first.buffer.index);
    memset(large.cpu, 1, 1 << 20);
    EXPECT_EQ(weft_transient_advance(f.dev), WEFT_OK);
    const weft_transient grown = weft_transient_alloc(f.dev, 1 << 20, 0);
    EXPECT(grown.buffer.index == first.buffer.index);
    EXPECT(grown.gpu != 0);
    memset(grown.cpu, 1, 1 << 20);
    fixture_close(&f);
}

TEST(core_memory, a_frame_of_uploads_reads_and_transients_allocates_nothing_in_steady_state)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 1 << 16,
                                   .memory = WEFT_MEMORY_GPU,
                                   .usage =
                                       WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    static char data[1 << 16];
    uint64_t before = 0;
    for (int frame = 0; frame < 40; ++frame) {
        if (frame == 20)
            before = weft_device_get_counters(f.dev).allocations;
        EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, data, sizeof data), WEFT_OK);
        EXPECT(weft_transient_alloc(f.dev, 300000, 0).cpu != NULL);
        EXPECT_EQ(weft_buffer_read(f.dev, buf, 0, data, sizeof data), WEFT_OK);
        EXPECT_EQ(weft_transient_advance(f.dev), WEFT_OK);
    }
    EXPECT_EQ(weft_device_get_counters(f.dev).allocations, before);
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}
