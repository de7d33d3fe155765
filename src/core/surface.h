/// Surfaces and the images that they lend.
#ifndef WF_CORE_SURFACE_H
#define WF_CORE_SURFACE_H

#include "core/object.h"

#define WF_CORE_SURFACE_IMAGES 8u

/// A view of one of the backend's images, kept until the next configuration.
struct wf_core_surface_image {
    struct wf_hal_texture *texture;
    struct wf_hal_texture_view *view;
};

struct wf_core_surface {
    struct wf_hal_surface *hal;
    weft_surface_kind kind;
    bool configured;
    bool acquired;  ///< `image` is lent to the host.
    bool submitted; ///< A submission named it since.
    weft_surface_image image;
    weft_surface_config config;
    struct wf_core_surface_image images[WF_CORE_SURFACE_IMAGES];
    uint32_t image_count;
};

struct wf_core_surface_cold {
    struct wf_core_cold base;
};

#endif
