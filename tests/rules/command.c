#include "support/record.h"

/// Ends a recording that broke exactly one rule.
static void end_refused(struct fixture *f, weft_command_buffer *cmd, weft_rule rule)
{
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

TEST(command_rules, states_follow_each_other)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
    weft_command_buffer *cmd = record_begin(&f);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_STATE));
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_STATE));
    record_submit(&f, cmd);
    weft_command_discard(cmd);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_STATE));
    weft_command_discard(NULL);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(command_rules, the_first_error_sticks)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&f);
    weft_command_barrier(cmd, 0, WEFT_STAGE_ALL, 0);
    EXPECT(fixture_took(&f, WEFT_RULE_BARRIER_STAGES));
    weft_render_encoder *enc = weft_command_begin_render(cmd, &(weft_render_pass_desc){0});
    EXPECT(fixture_took(&f, WEFT_RULE_PASS_EMPTY));
    weft_render_draw(enc, 3, 1, 0, 0); // swallowed
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(command_rules, diagnostics_carry_the_origin)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&f);
    weft_command_set_origin(cmd, 4711);
    weft_command_barrier(cmd, 0, WEFT_STAGE_ALL, 0);
    EXPECT_EQ(f.log->command, 4711);
    weft_command_discard(cmd);
    fixture_close(&f);
}

TEST(command_rules, one_encoder_is_open_at_a_time)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_command_buffer *cmd = record_begin(&f);
    record_pass(cmd, p.view);
    weft_compute_end(weft_command_begin_compute(cmd, NULL));
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_ENCODER_OPEN));
    end_refused(&f, cmd, WEFT_RULE_COMMAND_ENCODER_OPEN);

    cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_render_end(enc);
    weft_render_draw(enc, 3, 1, 0, 0);
    EXPECT(fixture_took(&f, WEFT_RULE_ENCODER_CLOSED));
    weft_render_end(enc);
    end_refused(&f, cmd, WEFT_RULE_ENCODER_CLOSED);

    cmd = record_begin(&f);
    weft_compute_encoder *compute = weft_command_begin_compute(cmd, NULL);
    weft_compute_end(compute);
    weft_compute_dispatch(compute, 1, 1, 1);
    end_refused(&f, cmd, WEFT_RULE_ENCODER_CLOSED);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

TEST(command_rules, groups_are_balanced)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_command_buffer *cmd = record_begin(&f);
    weft_command_push_group(cmd, "group");
    weft_command_marker(cmd, "marker");
    end_refused(&f, cmd, WEFT_RULE_COMMAND_GROUPS);

    cmd = record_begin(&f);
    weft_command_push_group(cmd, "group");
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_command_pop_group(cmd); // not the encoder's
    weft_render_end(enc);
    weft_command_pop_group(cmd);
    end_refused(&f, cmd, WEFT_RULE_COMMAND_GROUPS);

    cmd = record_begin(&f);
    enc = record_pass(cmd, p.view);
    weft_command_push_group(cmd, NULL);
    weft_render_end(enc);
    end_refused(&f, cmd, WEFT_RULE_COMMAND_GROUPS);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

TEST(command_rules, queues_do_what_they_are_for)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_command_buffer *cmd;
    const weft_command_desc desc = {.queue = WEFT_QUEUE_COPY};
    EXPECT_EQ(weft_command_begin(f.dev, &desc, &cmd), WEFT_OK);
    weft_render_end(record_pass(cmd, p.view));
    end_refused(&f, cmd, WEFT_RULE_COMMAND_QUEUE_CANNOT);
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){.queue = (weft_queue)8}, &cmd),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ENUM_UNKNOWN));
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){.flags = 0x100}, &cmd),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BITS_UNKNOWN));
    EXPECT(cmd == NULL);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

TEST(command_rules, allocators_wait_for_their_command_buffers)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_command_allocator allocator;
    EXPECT_EQ(weft_command_allocator_create(f.dev, NULL, &allocator), WEFT_OK);
    weft_command_buffer *cmd;
    const weft_command_desc desc = {.allocator = allocator};
    EXPECT_EQ(weft_command_begin(f.dev, &desc, &cmd), WEFT_OK);
    EXPECT_EQ(weft_command_allocator_reset(f.dev, allocator), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_ALLOCATOR_BUSY));
    weft_command_allocator_destroy(f.dev, allocator);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_ALLOCATOR_BUSY));
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT_EQ(weft_command_allocator_reset(f.dev, allocator), WEFT_OK);
    weft_command_allocator_destroy(f.dev, allocator);
    EXPECT_EQ(weft_command_begin(f.dev, &desc, &cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    fixture_close(&f);
}

TEST(command_rules, a_prevalidated_command_buffer_checks_handles_and_states_only)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_command_buffer *cmd;
    const weft_command_desc desc = {.flags = WEFT_COMMAND_PREVALIDATED};
    EXPECT_EQ(weft_command_begin(f.dev, &desc, &cmd), WEFT_OK);
    weft_render_encoder *enc = record_pass(cmd, m.view);
    weft_render_set_pipeline(enc, m.pipeline);
    weft_render_draw(enc, 300, 1, 0, 0); // nothing of what it needs is there
    EXPECT_EQ(fixture_count(&f), 0);
    weft_render_set_vertex_buffer(enc, 0, (weft_buffer){0}, 0);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_NONE));
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}
