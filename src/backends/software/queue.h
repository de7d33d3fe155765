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

weft_result wf_sw_timeline_create(struct wf_hal_device *dev, uint64_t initial,
                                  struct wf_hal_timeline **out);
void wf_sw_timeline_destroy(struct wf_hal_device *dev, struct wf_hal_timeline *timeline);
uint64_t wf_sw_timeline_value(struct wf_hal_device *dev, struct wf_hal_timeline *timeline);
weft_result wf_sw_timeline_wait(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                uint64_t value, uint64_t timeout_ns);
weft_result wf_sw_timeline_signal(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                  uint64_t value);
weft_result wf_sw_queue_submit(struct wf_hal_device *hal, weft_queue queue,
                               const struct wf_hal_submit *submit);
uint64_t wf_sw_serial_finished(struct wf_hal_device *dev);
weft_result wf_sw_serial_wait(struct wf_hal_device *dev, uint64_t serial, uint64_t timeout_ns);
bool wf_sw_lost(struct wf_hal_device *dev, char reason[WF_HAL_REASON_LENGTH]);

#endif
