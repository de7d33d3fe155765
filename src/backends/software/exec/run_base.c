// Every machine: SSE2 on x86-64, NEON on arm64, one lane at a time where the compiler has no
// vectors.
#if defined(__GNUC__)
#define WF_SW_BYTES 16
#else
#define WF_SW_BYTES 4
#endif
#define WF_SW_EXECUTE wf_sw_execute_base

#include "backends/software/exec/run_loop.inc"
