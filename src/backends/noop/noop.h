/// The noop backend: every hook of the hal succeeds, does nothing and is counted. It proves what
/// core and the frame layer record, and is what recording cost is measured on. It must not validate
/// anything: core does, the same for every backend.
#ifndef WF_NOOP_NOOP_H
#define WF_NOOP_NOOP_H

#include "hal/hal.h"

#include "base/thread.h"

#include <stdatomic.h>

/// What one command buffer, or a device's finished submissions together, came to.
struct wf_noop_counts {
    uint64_t render_passes, compute_passes, draws, indirect_draws, dispatches;
    uint64_t copies, fills, mip_chains, barriers, queries, markers;
    uint64_t pipelines, tables, roots, root_bytes, states, streams, heap_writes;
};

struct wf_noop_device {
    struct wf_hal_device base;
    struct wf_base_mutex lock;
    struct wf_base_cond changed;   ///< A timeline was signalled.
    struct wf_noop_counts counts;  ///< Of submitted work. Locked.
    _Atomic uint64_t finished;     ///< Newest serial: work is done the moment it is submitted.
    _Atomic uint64_t allocated;    ///< Bytes of device memory in use.
    _Atomic uint64_t pipelines;    ///< Made, or loaded: what the pipeline cache holds.
    _Atomic uint64_t next_address; ///< GPU addresses are only handed out, never used.
};

struct wf_noop_command {
    struct wf_hal_command base;
    struct wf_hal_command_pool *pool;
    struct wf_noop_command *next; ///< In the pool's free list.
    struct wf_noop_counts counts;
};

struct wf_noop_timeline {
    struct wf_hal_timeline base;
    uint64_t value; ///< Locked by the device.
};

static inline struct wf_noop_device *wf_noop_device(struct wf_hal_device *dev)
{
    return (struct wf_noop_device *)dev; // `base` is the first member
}

/// Zeroed memory of the device's allocator, or NULL.
static inline void *wf_noop_new(struct wf_hal_device *dev, size_t size)
{
    return wf_base_alloc_zero(dev->allocator, size);
}

/// Counts what was submitted so far.
struct wf_noop_counts wf_noop_counts_get(struct wf_hal_device *dev);

void wf_noop_fill_formats(weft_capabilities *caps);

// The hooks of the hal, each in the file of its object.
#define WF_HAL_HOOK(result, name, parameters) result wf_noop_##name parameters;
#include "hal/hooks.def"

/// A submission took the command: it goes back to its pool.
void wf_noop_command_recycle(struct wf_noop_command *cmd);

#endif
