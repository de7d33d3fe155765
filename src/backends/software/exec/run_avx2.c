// Compiled with -mavx2: see CMakeLists.txt.
#define WF_SW_BYTES   32
#define WF_SW_EXECUTE wf_sw_execute_avx2

#include "backends/software/exec/run_loop.inc"
