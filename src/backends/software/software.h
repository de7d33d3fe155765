/// The software device's own objects: what the hal's pointers stand for. Only the files of this
/// folder include it; the rooms exec/, raster/ and image/ know memory.h and each other's headers.
#ifndef WF_SOFTWARE_SOFTWARE_H
#define WF_SOFTWARE_SOFTWARE_H

#include "backends/software/image/image.h"
#include "backends/software/memory.h"
#include "hal/hal.h"

struct wf_sw_memory_block {
    struct wf_hal_memory_block base;
    uint8_t *memory;
};

struct wf_sw_buffer {
    struct wf_hal_buffer base;
    uint8_t *memory; ///< base.size bytes.
    bool placed;     ///< The memory is a block's.
};

struct wf_sw_texture {
    struct wf_hal_texture base;
    struct wf_sw_image image;
    bool placed;
};

struct wf_sw_texture_view {
    struct wf_hal_texture_view base;
    struct wf_sw_view view;
};

struct wf_sw_hal_sampler {
    struct wf_hal_sampler base;
    struct wf_sw_sampler sampler;
};

#endif
