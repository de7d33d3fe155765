/// Timelines.
#ifndef WF_CORE_TIMELINE_H
#define WF_CORE_TIMELINE_H

#include "core/object.h"

struct wf_core_timeline {
    struct wf_hal_timeline *hal;
    atomic_uint_fast64_t promised; ///< The largest value signalled, or submitted to be.
};

struct wf_core_timeline_cold {
    struct wf_core_cold base;
};

#endif
