// Blocks in workgroup memory: the same bytes under several layouts.
#include "cases.h"

#include "shared_blocks.comp.spv.h"

void case_workgroup_layout(struct conform *c)
{
    enum { GROUPS = 7, COUNT = GROUPS * 64 };
    uint32_t want[COUNT];
    const weft_compute_pipeline pipeline =
        conform_compute(c, CONFORM_SHADER(c, shared_blocks_comp));
    const weft_buffer words = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof want, NULL);
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.buffer = words}, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, GROUPS, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < COUNT;
         i++) // word 128 + k of the group, as the tail begins at byte 512
        want[i] = i / 64 * 10000 + 128 + (127 - i % 64) + 1;
    conform_expect_bytes(c, words, 0, want, sizeof want);
}
