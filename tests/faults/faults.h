/// What can fail, and small programs to fail it in. See faults.c.
#pragma once

#include "core/object.h"
#include "support/host_memory.h"
#include "support/test.h"

#include <weft/weft.h>

// ---- the hal of a device, with failures (faults_hal.c) -----------------------------------------

enum fault_kind {
    FAULT_NONE,
    FAULT_CREATE,      ///< The driver has no memory for an object.
    FAULT_MAP,         ///< It has no memory that the CPU sees: uploads, reads, transient memory.
    FAULT_RECORD,      ///< A command buffer does not begin, or has run out of memory at its end.
    FAULT_SUBMIT,      ///< The driver refuses a submission.
    FAULT_WAIT,        ///< A wait for the GPU fails.
    FAULT_ACQUIRE,     ///< The surface is lost when an image is acquired.
    FAULT_RECONFIGURE, ///< It wants to be configured again.
    FAULT_PRESENT,     ///< It is lost when the image is presented.
    FAULT_LOST,        ///< The device is lost in a submission, which does not happen.
    FAULT_LOST_AFTER,  ///< The device is lost after a submission that happens.
    FAULT_KINDS,
};

const char *fault_name(enum fault_kind kind);
/// Puts the failures in front of a device's hal. One device at a time; until it ends.
void fault_install(struct weft_device *dev);
/// The `at`-th chance of that kind from here on (from 1; 0: none) fails.
void fault_arm(enum fault_kind kind, uint64_t at);
/// Whether it came to that.
bool fault_hit(void);

// ---- programs ----------------------------------------------------------------------------------

/// One life of a program on a device. It ends at the first call that fails.
struct scene {
    struct weft_device *dev;
    weft_result result; ///< Of that call.
};

/// Whether a call succeeded; keeps what it came to.
bool scene_ok(struct scene *s, weft_result result);

/// Each leaves nothing behind, whatever becomes of it.
struct scene_entry {
    const char *name;
    void (*play)(struct scene *s); ///< NULL: the device only starts and ends.
};
extern const struct scene_entry scenes[];
extern const size_t scene_count;

void scene_frame(struct scene *s);
void scene_surface(struct scene *s);
void scene_draw(struct scene *s);
void scene_compute(struct scene *s);
void scene_variants(struct scene *s);
void scene_split(struct scene *s);
void scene_texels(struct scene *s);

/// A window, on the X server that the environment names. False if there is none.
bool scene_window_open(void);
void scene_window(struct scene *s);
