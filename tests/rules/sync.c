#include "support/record.h"

/// Ends a recording that broke exactly one rule, and begins another.
static void took(struct fixture *f, weft_command_buffer **cmd, weft_rule rule)
{
    EXPECT_EQ(weft_command_end(*cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    *cmd = record_begin(f);
}

TEST(sync_rules, barriers_are_whole)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&f);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, 0, 0);
    took(&f, &cmd, WEFT_RULE_BARRIER_STAGES);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, 1u << 20, 0);
    took(&f, &cmd, WEFT_RULE_BITS_UNKNOWN);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_FRAGMENT, WEFT_HAZARD_DRAW_ARGUMENTS);
    took(&f, &cmd, WEFT_RULE_BARRIER_HAZARD);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0x40);
    took(&f, &cmd, WEFT_RULE_BITS_UNKNOWN);
    weft_command_discard(cmd);
    fixture_close(&f);
}

TEST(sync_rules, resource_barriers_name_what_is_there)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture texture =
        record_texture(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_STORAGE, 1);
    weft_buffer buffer = record_buffer(&f, 64, WEFT_BUFFER_USAGE_STORAGE);
    weft_command_buffer *cmd = record_begin(&f);
    const weft_texture_barrier whole = {
        .texture = texture,
        .after = WEFT_TEXTURE_STATE_STORAGE,
        .producers = WEFT_STAGE_ALL,
        .consumers = WEFT_STAGE_COMPUTE,
    };
    weft_command_texture_barrier(cmd, &whole, 1);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_texture_barrier t = whole;
    t.after = WEFT_TEXTURE_STATE_UNDEFINED;
    weft_command_texture_barrier(cmd, &t, 1);
    took(&f, &cmd, WEFT_RULE_BARRIER_STATE);
    t = whole;
    t.mip = 1;
    weft_command_texture_barrier(cmd, &t, 1);
    took(&f, &cmd, WEFT_RULE_BARRIER_RANGE);
    t = whole;
    t.before = (weft_texture_state)9;
    weft_command_texture_barrier(cmd, &t, 1);
    took(&f, &cmd, WEFT_RULE_ENUM_UNKNOWN);
    t = whole;
    t.to = (weft_queue)7;
    weft_command_texture_barrier(cmd, &t, 1);
    took(&f, &cmd, WEFT_RULE_ENUM_UNKNOWN);
    weft_buffer_barrier b = {
        .buffer = buffer, .offset = 32, .producers = WEFT_STAGE_ALL, .consumers = WEFT_STAGE_ALL};
    weft_command_buffer_barrier(cmd, &b, 1);
    EXPECT_EQ(fixture_count(&f), 0);
    b.size = 33;
    weft_command_buffer_barrier(cmd, &b, 1);
    took(&f, &cmd, WEFT_RULE_BARRIER_RANGE);
    weft_command_alias_barrier(cmd, (weft_object){0}, (weft_object){0});
    EXPECT_EQ(fixture_count(&f), 0);
    weft_command_alias_barrier(cmd, (weft_object){0},
                               (weft_object){.kind = WEFT_OBJECT_SAMPLER, .index = 1});
    took(&f, &cmd, WEFT_RULE_BARRIER_ALIAS);
    weft_command_discard(cmd);
    weft_buffer_destroy(f.dev, buffer);
    weft_texture_destroy(f.dev, texture);
    fixture_close(&f);
}

TEST(sync_rules, events_are_signalled_before_they_are_waited_for)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&f);
    weft_command_signal_after(cmd, WEFT_STAGE_COPY, 63);
    weft_command_wait_before(cmd, WEFT_STAGE_ALL, 0, 63);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_command_wait_before(cmd, WEFT_STAGE_ALL, 0, 63);
    took(&f, &cmd, WEFT_RULE_EVENT_NOT_SIGNALLED);
    weft_command_signal_after(cmd, WEFT_STAGE_COPY, 64);
    took(&f, &cmd, WEFT_RULE_EVENT_RANGE);
    weft_command_discard(cmd);
    fixture_close(&f);
}

TEST(sync_rules, timelines_only_rise)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_timeline line;
    EXPECT_EQ(weft_timeline_create(f.dev, NULL, &line), WEFT_OK);
    EXPECT_EQ(weft_timeline_signal(f.dev, line, 4), WEFT_OK);
    EXPECT_EQ(weft_timeline_signal(f.dev, line, 4), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TIMELINE_VALUE));
    EXPECT_EQ(weft_timeline_wait(f.dev, line, 5, 0), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TIMELINE_NOT_SUBMITTED));
    weft_timeline_point point = {.timeline = line, .value = 3};
    weft_submit desc = {.signals = &point, .signal_count = 1};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TIMELINE_VALUE));
    const weft_timeline_point same[2] = {{.timeline = line, .value = 5},
                                         {.timeline = line, .value = 5}};
    desc = (weft_submit){.signals = same, .signal_count = 2};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TIMELINE_VALUE));
    point.value = 9;
    desc = (weft_submit){.waits = &point, .wait_count = 1};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TIMELINE_NOT_SUBMITTED));
    point = (weft_timeline_point){.timeline = line, .value = 4, .stages = 1u << 30};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BITS_UNKNOWN));
    EXPECT_EQ(weft_serial_wait(f.dev, 1000, 0), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SERIAL_UNKNOWN));
    weft_timeline_destroy(f.dev, line);
    EXPECT_EQ(weft_timeline_value(f.dev, line), 0);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    fixture_close(&f);
}

/// Submits what breaks exactly one rule.
static void submit_refused(struct fixture *f, weft_queue queue, weft_command_buffer *const *cmds,
                           uint32_t count, weft_rule rule)
{
    const weft_submit desc = {.commands = cmds, .command_count = count};
    uint64_t serial = 7;
    EXPECT_EQ(weft_queue_submit(f->dev, queue, &desc, &serial), WEFT_ERROR_USAGE);
    EXPECT_EQ(serial, 0);
    EXPECT(fixture_took(f, rule));
}

TEST(sync_rules, submissions_are_all_or_nothing)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmds[2] = {record_begin(&f), NULL};
    submit_refused(&f, WEFT_QUEUE_GRAPHICS, cmds, 1, WEFT_RULE_COMMAND_STATE);
    EXPECT_EQ(weft_command_end(cmds[0]), WEFT_OK);
    submit_refused(&f, WEFT_QUEUE_GRAPHICS, cmds, 2, WEFT_RULE_SUBMIT_NULL);
    cmds[1] = cmds[0];
    submit_refused(&f, WEFT_QUEUE_GRAPHICS, cmds, 2, WEFT_RULE_SUBMIT_TWICE);
    submit_refused(&f, WEFT_QUEUE_COMPUTE, cmds, 1, WEFT_RULE_SUBMIT_QUEUE);
    submit_refused(&f, (weft_queue)9, cmds, 1, WEFT_RULE_ENUM_UNKNOWN);
    record_submit(&f, cmds[0]); // is as good as ever
    submit_refused(&f, WEFT_QUEUE_GRAPHICS, cmds, 1, WEFT_RULE_COMMAND_STATE);
    struct fixture other = fixture_open(WEFT_BACKEND_NOOP);
    cmds[0] = record_begin(&other);
    EXPECT_EQ(weft_command_end(cmds[0]), WEFT_OK);
    submit_refused(&f, WEFT_QUEUE_GRAPHICS, cmds, 1, WEFT_RULE_HANDLE_FOREIGN);
    weft_command_discard(cmds[0]);
    fixture_close(&other);
    fixture_close(&f);
}
