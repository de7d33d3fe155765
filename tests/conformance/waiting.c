// Waiting for the GPU: in reads, for submissions and for timelines.
#include "cases.h"

static weft_timeline make_timeline(struct conform *c)
{
    weft_timeline timeline;
    weft_timeline_create(conform_device(c), NULL, &timeline);
    conform_check(c);
    return timeline;
}

/// Reads, serials and timelines block until the work is done, and its results are there.
void case_waiting_blocks(struct conform *c)
{
    weft_device *device = conform_device(c);
    uint32_t got = 0;
    const weft_buffer buffer = conform_buffer(c, 0, 4, NULL);
    const weft_timeline timeline = make_timeline(c);
    for (uint64_t i = 1; i <= 20; i++) {
        weft_command_buffer *cmd = conform_begin(c);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_fill_buffer(enc, buffer, 0, 4, (uint32_t)i);
        weft_compute_end(enc);
        CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
        const weft_timeline_point signal = {.timeline = timeline, .value = i};
        uint64_t serial = 0;
        weft_queue_submit(
            device, WEFT_QUEUE_GRAPHICS,
            &(weft_submit){
                .commands = &cmd, .command_count = 1, .signals = &signal, .signal_count = 1},
            &serial);
        conform_check(c);
        if (i % 3 == 0)
            weft_serial_wait(device, serial, UINT64_MAX);
        else if (i % 3 == 1)
            weft_timeline_wait(device, timeline, i, UINT64_MAX);
        weft_buffer_read(device, buffer, 0, &got, 4);
        conform_check(c);
        CONFORM_EXPECT(c, weft_timeline_value(device, timeline) == i);
        CONFORM_EXPECT(c, weft_device_poll(device) >= serial);
        CONFORM_EXPECT(c, !conform_draws(c) || got == i);
    }
}

/// A wait ends in time, done or not; time does not make a failure.
void case_waiting_times_out(struct conform *c)
{
    weft_device *device = conform_device(c);
    const weft_timeline timeline = make_timeline(c);
    const weft_timeline_point signal = {.timeline = timeline, .value = 1};
    uint64_t serial = 0;
    weft_queue_submit(device, WEFT_QUEUE_GRAPHICS,
                      &(weft_submit){.signals = &signal, .signal_count = 1}, &serial);
    conform_check(c);
    const weft_result first = weft_serial_wait(device, serial, 0);
    CONFORM_EXPECT(c, first == WEFT_OK || first == WEFT_ERROR_TIMEOUT);
    const weft_result second = weft_timeline_wait(device, timeline, 1, 0);
    CONFORM_EXPECT(c, second == WEFT_OK || second == WEFT_ERROR_TIMEOUT);
    CONFORM_EXPECT(c, weft_timeline_wait(device, timeline, 1, UINT64_MAX) == WEFT_OK);
    CONFORM_EXPECT(c, weft_serial_wait(device, serial, UINT64_MAX) == WEFT_OK);
    conform_check(c);
    CONFORM_EXPECT(c, weft_timeline_wait(device, timeline, 2, 0) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, WEFT_RULE_TIMELINE_NOT_SUBMITTED);
    CONFORM_EXPECT(c, weft_serial_wait(device, serial + 1, 0) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, WEFT_RULE_SERIAL_UNKNOWN);
}
