/// The executor thread and what waits for it: submissions, timelines, serials, and the state of
/// being lost. All queues feed one FIFO, so a wait must name a value that was submitted before or
/// that the CPU will signal (no WEFT_FEATURE_TIMELINE_ANY_ORDER): it holds everything behind it up.
#ifndef WF_SOFTWARE_QUEUE_H
#define WF_SOFTWARE_QUEUE_H

#include <stdatomic.h>

#include "base/thread.h"
#include "hal/hal.h"

struct wf_sw_device;
struct wf_sw_submission;

struct wf_sw_queue {
    struct wf_base_thread thread;
    struct wf_base_mutex lock;
    struct wf_base_cond work; ///< The executor waits: for submissions and timeline values.
    struct wf_base_cond done; ///< Others wait: for serials and timeline values.
    struct wf_sw_submission *first, *last; ///< Not yet executed, oldest first.
    struct wf_sw_submission *spare;        ///< To be used again.
    uint64_t submitted;                    ///< The newest submission's serial.
    bool quit;                             ///< Waits on timelines are given up.
    atomic_uint_fast64_t finished;         ///< Serial.
    atomic_bool lost;
    char reason[WF_HAL_REASON_LENGTH]; ///< Written before `lost` is set.
};

/// Starts the executor thread. False when out of memory or threads.
bool wf_sw_queue_init(struct wf_sw_device *dev);
/// Executes what is left, then ends the thread.
void wf_sw_queue_finish(struct wf_sw_device *dev);
/// Waits until what was submitted before is executed.
void wf_sw_queue_drain(struct wf_sw_device *dev);
/// Loses the device; the first reason stays. Submissions not yet executed are dropped. Any thread.
void wf_sw_queue_lose(struct wf_sw_device *dev, const char *reason);

#endif
