// A split barrier orders what is before its signal and what is after its wait.
#include "cases.h"

void case_split_barriers_fill_then_copy(struct conform *c)
{
    enum { SIZE = 256 };
    uint32_t wanted[SIZE / 4];
    for (uint32_t i = 0; i < SIZE / 4; i++)
        wanted[i] = 0x01020304u;
    const weft_buffer from = conform_buffer(c, 0, SIZE, NULL),
                      to = conform_buffer(c, 0, SIZE, NULL);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, from, 0, 0, wanted[0]);
    weft_compute_end(enc);
    weft_command_signal_after(cmd, WEFT_STAGE_COPY, 0);
    weft_command_wait_before(cmd, WEFT_STAGE_COPY, 0, 0);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, from, 0, to, 0, SIZE);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    conform_expect_bytes(c, to, 0, wanted, SIZE);
}

/// An event is used again once it was waited for: each round copies on what the last one copied.
void case_split_barriers_in_rounds(struct conform *c)
{
    enum { SIZE = 64, ROUNDS = 5 };
    uint32_t wanted[SIZE / 4];
    for (uint32_t i = 0; i < SIZE / 4; i++)
        wanted[i] = 0x05060708u;
    weft_buffer buffers[ROUNDS + 1];
    for (uint32_t i = 0; i <= ROUNDS; i++)
        buffers[i] = conform_buffer(c, 0, SIZE, NULL);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, buffers[0], 0, 0, wanted[0]);
    weft_compute_end(enc);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        weft_command_signal_after(cmd, WEFT_STAGE_COPY, 7);
        weft_command_wait_before(cmd, WEFT_STAGE_COPY, 0, 7);
        enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer(enc, buffers[i], 0, buffers[i + 1], 0, SIZE);
        weft_compute_end(enc);
    }
    conform_submit(c, cmd);
    conform_expect_bytes(c, buffers[ROUNDS], 0, wanted, SIZE);
}
