/// Building pipelines on a thread of the device's own.
#ifndef WF_CORE_BUILD_H
#define WF_CORE_BUILD_H

#include "core/pipeline.h"

struct wf_core_builder; ///< build.c

/// What a pipeline is built from. Lives in the pipeline's arena.
struct wf_core_build {
    union {
        struct wf_hal_graphics_pipeline_desc graphics;
        struct wf_hal_compute_pipeline_desc compute;
    };
};

/// Builds now, on this thread, and reports a failure.
void wf_core_build_now(struct weft_device *dev, struct wf_core_pipeline *pipeline);
/// Has it built by the worker; by this thread if there can be no worker.
void wf_core_build_later(struct weft_device *dev, struct wf_core_pipeline *pipeline);
/// Waits until it was built or has failed.
void wf_core_build_wait(struct weft_device *dev, struct wf_core_pipeline *pipeline);
/// Drops what was not begun and joins the worker. NULL does nothing.
void wf_core_builder_destroy(struct weft_device *dev, struct wf_core_builder *builder);

#endif
