/// Calls with a handle that is not good, one row each: see handles.c.
#pragma once

#include "support/meshlets.h"
#include "support/objects.h"
#include "support/rays.h"

struct world {
    struct fixture f;
    struct record_mesh mesh;
    struct meshlets meshlets; ///< These two: where the device has them.
    struct rays rays;
    struct objects live;
    weft_heap_range samplers;
    weft_command_buffer *cmd;
    weft_render_encoder *render;
    weft_compute_encoder *compute;
    weft_result result; ///< Of the call under test.
};

enum place {
    DEVICE,
    SILENT, ///< On the device; says so by its result alone.
    COMMAND,
    RENDER,
    COMPUTE,
    COMPUTE_BARE, ///< Nothing is bound, so that other rules are broken, too.
};

enum none {
    NONE_IS_REFUSED,
    NONE_IS_FINE,      ///< It stands for nothing, or for a default.
    NONE_DOES_NOTHING, ///< To destroy it.
    NONE_BITS = 3,
    NEEDS_MESH = 4, ///< Devices without mesh shaders, or ray queries, refuse it as a whole.
    NEEDS_RAYS = 8,
};

struct call {
    const char *name; ///< "function: parameter", or a path into the description.
    void (*make)(struct world *w, weft_object bad);
    weft_object_kind kind;
    enum place place;
    unsigned none; ///< enum none
};

extern const struct call device_calls[], recorded_calls[];
extern const size_t device_calls_count, recorded_calls_count;
