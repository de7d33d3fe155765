// Commands that the host records itself, as a step of the plan.
#include "frame_stage.h"

struct host {
    weft_buffer buffer; ///< Filled, if it is one.
    uint32_t calls;
};

static void fill(weft_command_buffer *cmd, void *user)
{
    struct host *host = user;
    host->calls++;
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, host->buffer, 0, 64, 0);
    weft_compute_end(enc);
}

static weft_buffer make_buffer(struct stage *s)
{
    weft_buffer out;
    EXPECT_EQ(weft_buffer_create(s->f.dev,
                                 &(weft_buffer_desc){.size = 256,
                                                     .usage = WEFT_BUFFER_USAGE_VERTEX |
                                                              WEFT_BUFFER_USAGE_COPY_DST},
                                 &out),
              WEFT_OK);
    return out;
}

static uint64_t draw_from(struct stage *s, weft_frame *frame, weft_buffer buffer)
{
    weft_draw_packet packet = stage_packet(s, 0);
    packet.geometry.streams = &(weft_stream_view){0, buffer, 0};
    return weft_frame_draw(frame, &packet);
}

/// Records a fill of the host's buffer, and says so.
static uint64_t record(weft_frame *frame, struct host *host, weft_buffer declared)
{
    const weft_access access = {.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = declared};
    return weft_frame_record(
        frame,
        &(weft_record_packet){
            .accesses = &access, .access_count = 1, .fn = fill, .user = host, .label = "fill"});
}

TEST(frame_record, draws_wait_for_what_the_host_records)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    struct host host = {.buffer = make_buffer(&s)};
    weft_frame *frame = stage_begin(&s);
    EXPECT_EQ(record(frame, &host, host.buffer), 0);
    EXPECT_EQ(host.calls, 0); // not yet
    const weft_target pass = stage_pass(frame);
    draw_from(&s, frame, host.buffer);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *r;
    EXPECT_EQ(weft_frame_submit(frame, &r), WEFT_OK);
    EXPECT_EQ(host.calls, 1);
    EXPECT_EQ(r->pass_count, 2);
    EXPECT_EQ(r->passes[0].kind, WEFT_PASS_COMPUTE);
    EXPECT_EQ(r->packets[0].kind, WEFT_PACKET_RECORD);
    EXPECT_EQ(r->packets[0].fate, WEFT_FATE_DRAWN);
    EXPECT_EQ(r->barrier_count, 1);
    EXPECT_EQ(r->barriers[0].producers, WEFT_STAGE_ALL);
    EXPECT_EQ(r->barriers[0].consumers, WEFT_STAGE_VERTEX_INPUT);
    EXPECT_STR(r->barriers[0].cause, "commands 0 storage write -> pass 1 vertex read");
    weft_buffer_destroy(s.f.dev, host.buffer);
    stage_close(&s);
}

TEST(frame_record, inside_of_a_pass_they_split_it)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    struct host host = {.buffer = make_buffer(&s)}, other = {.buffer = make_buffer(&s)};
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    draw_from(&s, frame, host.buffer);
    record(frame, &host, host.buffer);
    record(frame, &other, other.buffer); // needed by none before it
    draw_from(&s, frame, host.buffer);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *r;
    EXPECT_EQ(weft_frame_submit(frame, &r), WEFT_OK);
    EXPECT_EQ(r->passes[0].parts, 2);
    EXPECT_EQ(r->packets[1].position, 2);
    EXPECT_EQ(r->packets[2].position, 0);
    EXPECT_EQ(host.calls + other.calls, 2);
    weft_buffer_destroy(s.f.dev, host.buffer);
    weft_buffer_destroy(s.f.dev, other.buffer);
    stage_close(&s);
}

TEST(frame_record, what_is_refused_fails_the_frame_and_names_the_packet)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    struct host host = {.buffer = s.vertices}; // which no copy may write
    weft_frame *frame = stage_begin(&s);
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(record(frame, &host, s.vertices), 0);
    const weft_frame_report *r;
    EXPECT_EQ(weft_frame_submit(frame, &r), WEFT_ERROR_USAGE);
    EXPECT_EQ(r->packets[0].fate, WEFT_FATE_FAILED);
    EXPECT(r->packets[0].code != 0);
    frame = stage_begin(&s);
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    stage_close(&s);
}

static void leave_open(weft_command_buffer *cmd, void *user)
{
    (void)user;
    weft_command_begin_compute(cmd, NULL);
}

TEST(frame_record, an_encoder_that_stays_open_fails_the_frame)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_record(frame, &(weft_record_packet){.fn = leave_open});
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_ERROR_USAGE);
    frame = stage_begin(&s);
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    stage_close(&s);
}

TEST(frame_record, a_frame_that_fails_records_nothing)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    struct host host = {.buffer = make_buffer(&s)};
    weft_frame *frame = stage_begin(&s);
    record(frame, &host, host.buffer);
    EXPECT_EQ(weft_frame_record(frame, &(weft_record_packet){0}), UINT64_MAX);
    const weft_frame_report *r;
    EXPECT_EQ(weft_frame_submit(frame, &r), WEFT_ERROR_USAGE);
    EXPECT_EQ(r->diagnostics[0].code, WEFT_RULE_FRAME_RECORD_FUNCTION);
    EXPECT_EQ(host.calls, 0);
    EXPECT_EQ(r->packets[0].fate, WEFT_FATE_DROPPED);
    weft_buffer_destroy(s.f.dev, host.buffer);
    stage_close(&s);
}

TEST(frame_record, accesses_that_are_counted_are_given)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    fixture_clear(&s.f);
    EXPECT_EQ(weft_frame_record(frame, &(weft_record_packet){.fn = fill, .access_count = 1}),
              UINT64_MAX);
    EXPECT(fixture_took(&s.f, WEFT_RULE_FRAME_PACKET_NULL));
    weft_frame_cancel(frame);
    stage_close(&s);
}

/// Where no encoder of the frame's own is, the times are taken all the same.
TEST(frame_record, they_are_timed)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    struct host host = {.buffer = make_buffer(&s)};
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(s.f.dev, &(weft_frame_desc){.flags = WEFT_FRAME_GPU_TIMES}, &frame),
              WEFT_OK);
    record(frame, &host, host.buffer);
    const weft_frame_report *r;
    EXPECT_EQ(weft_frame_submit(frame, &r), WEFT_OK);
    EXPECT(r->passes[0].gpu_ns > 0);
    weft_buffer_destroy(s.f.dev, host.buffer);
    stage_close(&s);
}
