/// The missing-barrier check of FULL validation.
///
/// At FULL the device's table of hal functions is a copy in which the functions that create,
/// record and submit are the watch's: each does its own work and calls the backend's. So whatever
/// reaches the GPU is seen, the library's own uploads and reads included, and the other levels of
/// validation pay nothing, not even a branch.
///
/// Recording (watch_record.c) writes down what each command touches, as a list of operations of its
/// command buffer. Submitting (watch_judge.c) plays the lists in order: every access is compared
/// with the ones before it to the same bytes or subresources (watch_memory.c), and is in order if
/// barriers, timelines or the CPU's waiting say so (watch_order.c). What is not is reported
/// (watch_report.c), and judged from then on as if the barrier were there.
///
/// Recordings are guarded as their command buffers are; everything else by the watch's lock, under
/// which nothing is called but memory. Without memory the watch forgets, and reports nothing.
#ifndef WF_CORE_WATCH_H
#define WF_CORE_WATCH_H

#include "core/record.h"

struct wf_core_watch;

/// Replaces `dev->ops` if the device validates at FULL. WEFT_ERROR_MEMORY.
weft_result wf_core_watch_create(struct weft_device *dev);
/// Puts the backend's table back. NULL-safe.
void wf_core_watch_destroy(struct weft_device *dev);

// The rest does nothing on a device without a watch.

/// Names the object around what the hal made (`buf` and `tex` may be NULL).
void wf_core_watch_buffer(struct weft_device *dev, const struct wf_hal_buffer *buf,
                          weft_object object);
void wf_core_watch_texture(struct weft_device *dev, const struct wf_hal_texture *tex,
                           weft_object object);
void wf_core_watch_acceleration(struct weft_device *dev, const struct wf_hal_acceleration *hal,
                                weft_object object);
/// What stages of a pipeline read and write of its tables. False when out of memory.
bool wf_core_watch_pipeline(struct weft_device *dev, struct wf_core_pipeline *pipeline,
                            const struct wf_core_stage *stages, uint32_t count);
/// A command buffer that was begun.
void wf_core_watch_begin(struct weft_command_buffer *cmd);
/// Memory of `before` is that of `after` from here on; NULL: any.
void wf_core_watch_alias(struct weft_command_buffer *cmd, weft_object before, weft_object after);
/// The CPU knows that every submission up to `serial` has finished.
void wf_core_watch_finished(struct weft_device *dev, uint64_t serial);
/// The CPU knows that a timeline has reached a value.
void wf_core_watch_reached(struct weft_device *dev, const struct wf_hal_timeline *timeline,
                           uint64_t value);
/// Something that is not seen may have put what was submitted up to now in order: it is forgotten.
void wf_core_watch_blind(struct weft_device *dev);
/// Reports what was found. No lock is held.
void wf_core_watch_tell(struct weft_device *dev);

#endif
