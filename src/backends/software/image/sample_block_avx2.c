// Compiled for AVX2, and only called where the processor has it.
#include "backends/software/image/sample_block.h"

#if defined(WF_SW_IMAGE_AVX2)
#include "backends/software/image/sample_loops.h"

void wf_sw_sample_block_avx2(const struct wf_sw_block *block)
{
    sample_block(block);
}
#endif
