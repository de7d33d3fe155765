// Timelines: submissions wait for each other and for the CPU, over all queues; and the other ways
// in which submissions are made and followed.
#include "cases.h"

#include "count_up.comp.spv.h"

enum { ROUNDS = 16 };

static weft_timeline make_timeline(struct conform *c, uint64_t initial)
{
    weft_timeline out;
    weft_timeline_create(conform_device(c), &(weft_timeline_desc){.initial = initial}, &out);
    conform_check(c);
    return out;
}

static weft_command_buffer *begin_on(struct conform *c, weft_queue queue)
{
    weft_command_buffer *cmd;
    weft_command_begin(conform_device(c), &(weft_command_desc){.queue = queue}, &cmd);
    conform_check(c);
    return cmd;
}

static uint64_t submit_on(struct conform *c, weft_queue queue, weft_command_buffer *cmd,
                          const weft_timeline_point *wait, const weft_timeline_point *signal)
{
    uint64_t serial = 0;
    if (cmd)
        CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
    weft_queue_submit(conform_device(c), queue,
                      &(weft_submit){.commands = &cmd,
                                     .command_count = cmd ? 1 : 0,
                                     .waits = wait,
                                     .wait_count = wait ? 1 : 0,
                                     .signals = signal,
                                     .signal_count = signal ? 1 : 0},
                      &serial);
    conform_check(c);
    return serial;
}

/// What counts, and where.
struct counter {
    weft_compute_pipeline pipeline;
    weft_argument_table table;
    weft_buffer words;
};

static void hand_over(weft_command_buffer *cmd, weft_buffer words, weft_queue from, weft_queue to)
{
    weft_command_buffer_barrier(cmd,
                                &(weft_buffer_barrier){.buffer = words,
                                                       .producers = WEFT_STAGE_COMPUTE,
                                                       .consumers = WEFT_STAGE_COMPUTE,
                                                       .from = from,
                                                       .to = to},
                                1);
}

/// Takes the words over from the other queue, counts, and hands them back.
static weft_command_buffer *record_count(struct conform *c, const struct counter *counter,
                                         uint32_t round)
{
    static const weft_queue queues[2] = {WEFT_QUEUE_GRAPHICS, WEFT_QUEUE_COMPUTE};
    const weft_queue queue = queues[round % 2], other = queues[1 - round % 2];
    weft_command_buffer *cmd = begin_on(c, queue);
    if (round > 0)
        hand_over(cmd, counter->words, other, queue);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, counter->pipeline);
    weft_compute_set_arguments(enc, 0, counter->table, NULL, 0);
    weft_compute_set_root(enc, 0, &round, sizeof round);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    hand_over(cmd, counter->words, queue, other);
    return cmd;
}

/// Each submission, on another queue than the one before, waits for that and counts on.
void case_timeline_between_queues(struct conform *c)
{
    weft_device *const device = conform_device(c);
    const uint32_t zeros[2] = {0}, want[2] = {ROUNDS, ROUNDS};
    const weft_timeline timeline = make_timeline(c, 5);
    struct counter counter = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, count_up_comp)),
        .words = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof zeros, zeros)};
    counter.table = conform_table(c, weft_compute_pipeline_layout(device, counter.pipeline, 0),
                                  &(weft_argument_write){.buffer = counter.words}, 1);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const weft_timeline_point wait = {.timeline = timeline, .value = 5 + (uint64_t)i};
        const weft_timeline_point signal = {.timeline = timeline, .value = 6 + (uint64_t)i};
        submit_on(c, i % 2 ? WEFT_QUEUE_COMPUTE : WEFT_QUEUE_GRAPHICS, record_count(c, &counter, i),
                  &wait, &signal);
    }
    // The graphics queue takes it over at last, and reads it.
    weft_command_buffer *cmd = begin_on(c, WEFT_QUEUE_GRAPHICS);
    hand_over(cmd, counter.words, WEFT_QUEUE_COMPUTE, WEFT_QUEUE_GRAPHICS);
    const weft_timeline_point last = {.timeline = timeline, .value = 5 + ROUNDS};
    const weft_timeline_point end = {.timeline = timeline, .value = 100};
    submit_on(c, WEFT_QUEUE_GRAPHICS, cmd, &last, &end);
    CONFORM_EXPECT(c, weft_timeline_wait(device, timeline, 100, UINT64_MAX) == WEFT_OK);
    CONFORM_EXPECT(c, weft_timeline_value(device, timeline) == 100);
    weft_timeline_destroy(device, timeline);
    conform_expect_bytes(c, counter.words, 0, want, sizeof want);
}

/// From the CPU, and to it: the value rises with what is done, and a wait that is too short says
/// so.
void case_timeline_of_the_cpu(struct conform *c)
{
    weft_device *const device = conform_device(c);
    const weft_timeline timeline = make_timeline(c, 0);
    CONFORM_EXPECT(c, weft_timeline_value(device, timeline) == 0);
    CONFORM_EXPECT(c, weft_timeline_signal(device, timeline, 3) == WEFT_OK);
    CONFORM_EXPECT(c, weft_timeline_value(device, timeline) == 3);
    CONFORM_EXPECT(c, weft_timeline_wait(device, timeline, 2, 0) == WEFT_OK);
    const weft_timeline_point wait = {.timeline = timeline, .value = 3};
    const weft_timeline_point signal = {.timeline = timeline, .value = 9};
    const uint64_t serial = submit_on(c, WEFT_QUEUE_GRAPHICS, NULL, &wait, &signal);
    CONFORM_EXPECT(c, weft_timeline_wait(device, timeline, 9, UINT64_MAX) == WEFT_OK);
    CONFORM_EXPECT(c, weft_serial_wait(device, serial, UINT64_MAX) == WEFT_OK);
    conform_check(c);
    weft_timeline_signal(device, timeline, 9); // not larger
    conform_expect_rule(c, WEFT_RULE_TIMELINE_VALUE);
}

/// Serials rise by one over all queues, and finish in order.
void case_timeline_serials(struct conform *c)
{
    weft_device *const device = conform_device(c);
    uint64_t before = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const weft_queue queue = (weft_queue)(i % WEFT_QUEUE_COUNT);
        const uint64_t serial = submit_on(c, queue, NULL, NULL, NULL);
        CONFORM_EXPECT(c, serial > before);
        before = serial;
    }
    CONFORM_EXPECT(c, weft_serial_wait(device, before, UINT64_MAX) == WEFT_OK);
    CONFORM_EXPECT(c, weft_device_poll(device) >= before);
    conform_check(c);
}
