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

/// What commands of a queue work with.
struct queue_work {
    weft_buffer buffer;
    weft_texture depth, other, color, bytes;
    weft_query_pool pool;
};

static weft_texture queue_texture(struct fixture *f, weft_format format, uint32_t mips)
{
    weft_texture out;
    EXPECT_EQ(weft_texture_create(f->dev,
                                  &(weft_texture_desc){.format = format,
                                                       .width = 4,
                                                       .height = 4,
                                                       .mips = mips,
                                                       .usage = WEFT_TEXTURE_USAGE_COPY_SRC |
                                                                WEFT_TEXTURE_USAGE_COPY_DST |
                                                                WEFT_TEXTURE_USAGE_SAMPLED |
                                                                WEFT_TEXTURE_USAGE_RENDER},
                                  &out),
              WEFT_OK);
    return out;
}

/// One command, of eight kinds.
static void queue_record(weft_command_buffer *cmd, const struct queue_work *w, int what)
{
    const weft_texture_region depth = {.aspect = WEFT_ASPECT_DEPTH};
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    if (what == 0)
        weft_compute_copy_buffer_to_texture(enc, w->buffer, NULL, w->depth, &depth);
    else if (what == 1)
        weft_compute_copy_texture_to_buffer(enc, w->depth, &depth, w->buffer, NULL);
    else if (what == 2)
        weft_compute_copy_texture(enc, w->depth, &depth, w->other, &depth);
    else if (what == 3)
        weft_compute_generate_mips(enc, w->color);
    else if (what == 4)
        weft_compute_copy_buffer_to_texture(enc, w->buffer, &(weft_texel_layout){.offset = 1},
                                            w->bytes, NULL);
    weft_compute_end(enc);
    if (what == 5)
        weft_command_write_timestamp(cmd, w->pool, 0);
    else if (what == 6)
        weft_command_resolve_queries(cmd, w->pool, 0, 1, w->buffer, 0);
    else if (what == 7)
        weft_compute_end(
            weft_command_begin_compute(cmd, &(weft_compute_pass_desc){.times = {w->pool, 0, 1}}));
}

TEST(command_rules, queues_copy_and_count_what_they_can)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct queue_work w = {.depth = queue_texture(&f, WEFT_FORMAT_D32_FLOAT, 1),
                           .other = queue_texture(&f, WEFT_FORMAT_D32_FLOAT, 1),
                           .color = queue_texture(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_MIPS_ALL),
                           .bytes = queue_texture(&f, WEFT_FORMAT_R8_UNORM, 1)};
    EXPECT_EQ(weft_buffer_create(f.dev,
                                 &(weft_buffer_desc){.size = 256,
                                                     .usage = WEFT_BUFFER_USAGE_COPY_SRC |
                                                              WEFT_BUFFER_USAGE_COPY_DST |
                                                              WEFT_BUFFER_USAGE_QUERY},
                                 &w.buffer),
              WEFT_OK);
    EXPECT_EQ(
        weft_query_pool_create(
            f.dev, &(weft_query_pool_desc){.kind = WEFT_QUERY_TIMESTAMP, .count = 2}, &w.pool),
        WEFT_OK);
    static const struct {
        weft_queue queue;
        int first, end;
    } refused[] = {{WEFT_QUEUE_COMPUTE, 0, 4}, {WEFT_QUEUE_COPY, 0, 8}};
    weft_command_buffer *cmd;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        for (int what = refused[i].first; what < refused[i].end; what++) {
            const weft_command_desc desc = {.queue = refused[i].queue};
            EXPECT_EQ(weft_command_begin(f.dev, &desc, &cmd), WEFT_OK);
            queue_record(cmd, &w, what);
            end_refused(&f, cmd, WEFT_RULE_COMMAND_QUEUE_CANNOT);
        }
    }
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){.queue = WEFT_QUEUE_COMPUTE}, &cmd),
              WEFT_OK);
    for (int what = 4; what < 8; what++)
        queue_record(cmd, &w, what);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    weft_command_discard(cmd);
    weft_query_pool_destroy(f.dev, w.pool);
    weft_buffer_destroy(f.dev, w.buffer);
    weft_texture_destroy(f.dev, w.depth);
    weft_texture_destroy(f.dev, w.other);
    weft_texture_destroy(f.dev, w.color);
    weft_texture_destroy(f.dev, w.bytes);
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
