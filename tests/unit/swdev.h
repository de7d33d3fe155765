/// A software device opened straight through the hal, for tests of the device itself.
#pragma once

#include "hal/hal.h"

#include "support/test.h"

struct swdev {
    struct wf_base_counting_allocator memory;
    struct wf_hal_device *dev;
    const struct wf_hal_device_ops *ops;
    struct wf_hal_command_pool *pool;
    uint64_t serial; ///< Of the last submission.
};

/// `s` must not move. NULL options: two threads.
void swdev_open(struct swdev *s, const weft_software_options *options);
/// Destroys the device and expects that nothing of it is left.
void swdev_close(struct swdev *s);

struct wf_hal_command *swdev_begin(struct swdev *s);
/// Ends and submits, without waiting.
void swdev_submit(struct swdev *s, struct wf_hal_command *cmd);
/// Ends, submits and waits. Expects that the device is not lost.
void swdev_run(struct swdev *s, struct wf_hal_command *cmd);

/// A buffer for everything; fails the test when there is none.
struct wf_hal_buffer *swdev_buffer(struct swdev *s, uint64_t size, weft_memory memory);
struct wf_hal_texture *swdev_texture(struct swdev *s, const weft_texture_desc *desc);
/// A view of all of a texture's mips and layers, of its own kind.
struct wf_hal_texture_view *swdev_view(struct swdev *s, struct wf_hal_texture *tex);
