/// Surfaces and the images that they lend.
#ifndef WF_CORE_SURFACE_H
#define WF_CORE_SURFACE_H

#include "core/object.h"

#define WF_CORE_SURFACE_IMAGES 8u

/// One of the backend's images under the handles that are lent to the host. They live until the
/// next configuration, so that acquiring allocates nothing.
struct wf_core_surface_image {
    struct wf_hal_texture *hal;
    weft_texture texture;
    weft_texture_view view;
};

/// Guarded by the recorders' surface_lock.
struct wf_core_surface {
    struct wf_hal_surface *hal;
    weft_surface_kind kind;
    bool configured;
    bool acquired;        ///< `lent` is with the host.
    bool submitted;       ///< A submission named the surface since.
    uint64_t acquisition; ///< Counts acquired images.
    weft_surface_image lent;
    struct wf_core_surface_image images[WF_CORE_SURFACE_IMAGES];
    uint32_t image_count;
};

struct wf_core_surface_cold {
    struct wf_core_cold base;
};

#endif
