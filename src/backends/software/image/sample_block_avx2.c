// sample_block.c once more, compiled for AVX2.
#include "backends/software/image/sample_block.h"

#if defined(WF_SW_IMAGE_AVX2)
#define wf_sw_sample_block wf_sw_sample_block_avx2
#include "backends/software/image/sample_block.c"
#endif
