#include "backends/software/image/sample_block.h"

#include "backends/software/image/sample_loops.h"

void wf_sw_sample_block(const struct wf_sw_block *block)
{
    sample_block(block);
}
