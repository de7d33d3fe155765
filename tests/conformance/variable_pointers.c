// Pointers that are chosen as the shader runs.
#include "variable_pointers.h"

#include "cases.h"

/// Even invocations read from one buffer and count up there, odd ones in the other; what was read
/// is in the third.
void case_variable_pointers(struct conform *c)
{
    enum { GROUPS = 5, COUNT = GROUPS * 64 };
    uint32_t even[COUNT], odd[COUNT], to[COUNT] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        even[i] = 1000 + i;
        odd[i] = 5000 + i;
    }
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, variable_pointers));
    const weft_argument_write writes[] = {
        {.binding = 0, .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof even, even)},
        {.binding = 1, .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof odd, odd)},
        {.binding = 2, .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof to, to)}};
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), writes, 3);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, GROUPS, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < COUNT; i++)
        to[i] = i % 2 ? odd[i]++ : even[i]++;
    conform_expect_bytes(c, writes[0].buffer, 0, even, sizeof even);
    conform_expect_bytes(c, writes[1].buffer, 0, odd, sizeof odd);
    conform_expect_bytes(c, writes[2].buffer, 0, to, sizeof to);
}
