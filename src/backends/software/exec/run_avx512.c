// Compiled with -mavx512f and its like: see CMakeLists.txt.
#define WF_SW_BYTES   64
#define WF_SW_EXECUTE wf_sw_execute_avx512

#include "backends/software/exec/run_loop.inc"
