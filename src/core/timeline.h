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

/// The timeline will reach `value`.
static inline void wf_core_timeline_promise(struct wf_core_timeline *timeline, uint64_t value)
{
    uint64_t now = atomic_load(&timeline->promised);
    while (now < value && !atomic_compare_exchange_weak(&timeline->promised, &now, value)) {
    }
}

#endif
