/// The functions behind CALL: their numbers, and how many rows they take and make.
#ifndef WF_SW_FUNS_H
#define WF_SW_FUNS_H

#include <stdint.h>

enum wf_sw_fun {
#define WF_FUN(name, results, arguments)        WF_SW_FUN_##name,
#define WF_FUN_VECTOR(name, results, arguments) WF_SW_FUN_##name,
#define WF_FUN_CROSS(name, results, arguments)  WF_SW_FUN_##name,
#include "backends/software/exec/funs.def"
#undef WF_FUN
#undef WF_FUN_VECTOR
#undef WF_FUN_CROSS
    WF_SW_FUN_COUNT,
};

/// How many are made of vectors.
enum {
#define WF_FUN(name, results, arguments)
#define WF_FUN_VECTOR(name, results, arguments) WF_SW_FUN_VECTOR_##name,
#define WF_FUN_CROSS(name, results, arguments)
#include "backends/software/exec/funs.def"
#undef WF_FUN
#undef WF_FUN_VECTOR
#undef WF_FUN_CROSS
    WF_SW_FUN_VECTORS,
};

#define WF_SW_FUN_MAX_ROWS 16u

struct wf_sw_fun_info {
    uint8_t results, arguments;
};

extern const struct wf_sw_fun_info wf_sw_fun_infos[WF_SW_FUN_COUNT];

#endif
