#include "hal/hal.h"

#include <assert.h>
#include <string.h>

/// A hook that only devices with a feature need; 0: none does.
struct optional_hook {
    size_t offset;
    weft_feature_set needed_by;
};

#define OPTIONAL(hook, feature)                                                                    \
    {                                                                                              \
        offsetof(struct wf_hal_device_ops, hook), feature                                          \
    }

static const struct optional_hook optional_hooks[] = {
    OPTIONAL(native_get, 0),
    OPTIONAL(memory_block_create, WEFT_FEATURE_PLACED_RESOURCES),
    OPTIONAL(memory_block_destroy, WEFT_FEATURE_PLACED_RESOURCES),
    OPTIONAL(acceleration_sizes, WEFT_FEATURE_RAY_QUERY),
    OPTIONAL(acceleration_create, WEFT_FEATURE_RAY_QUERY),
    OPTIONAL(acceleration_destroy, WEFT_FEATURE_RAY_QUERY),
    OPTIONAL(heap_write_acceleration, WEFT_FEATURE_RAY_QUERY),
    OPTIONAL(cmd_build_acceleration, WEFT_FEATURE_RAY_QUERY),
    OPTIONAL(heap_write, WEFT_FEATURE_HEAP),
    OPTIONAL(pipeline_cache_save, WEFT_FEATURE_PIPELINE_CACHE),
    OPTIONAL(pipeline_cache_load, WEFT_FEATURE_PIPELINE_CACHE),
    OPTIONAL(timeline_wait, WEFT_FEATURE_BLOCKING_WAIT),
    OPTIONAL(serial_wait, WEFT_FEATURE_BLOCKING_WAIT),
    OPTIONAL(cmd_signal_after, WEFT_FEATURE_SPLIT_BARRIERS),
    OPTIONAL(cmd_wait_before, WEFT_FEATURE_SPLIT_BARRIERS),
    OPTIONAL(cmd_write_timestamp, WEFT_FEATURE_TIMESTAMPS_ANYWHERE),
    OPTIONAL(cmd_draw_indirect, WEFT_FEATURE_INDIRECT_DRAWS),
    OPTIONAL(cmd_draw_indexed_indirect, WEFT_FEATURE_INDIRECT_DRAWS),
    OPTIONAL(cmd_draw_mesh, WEFT_FEATURE_MESH_SHADERS),
    OPTIONAL(cmd_draw_mesh_indirect, WEFT_FEATURE_MESH_SHADERS),
    OPTIONAL(cmd_begin_occlusion, WEFT_FEATURE_OCCLUSION_QUERIES),
    OPTIONAL(cmd_end_occlusion, WEFT_FEATURE_OCCLUSION_QUERIES),
    OPTIONAL(cmd_begin_statistics, WEFT_FEATURE_PIPELINE_STATISTICS),
    OPTIONAL(cmd_end_statistics, WEFT_FEATURE_PIPELINE_STATISTICS),
    OPTIONAL(cmd_dispatch, WEFT_FEATURE_COMPUTE),
    OPTIONAL(cmd_dispatch_indirect, WEFT_FEATURE_COMPUTE),
    OPTIONAL(cmd_generate_mips, WEFT_FEATURE_GENERATE_MIPS),
    OPTIONAL(cmd_write_heap, WEFT_FEATURE_GPU_HEAP_WRITES),
};

/// The features that make the hook at `offset` necessary; all of them if it always is.
static weft_feature_set needed_by(size_t offset)
{
    for (size_t i = 0; i < sizeof optional_hooks / sizeof optional_hooks[0]; i++) {
        if (optional_hooks[i].offset == offset)
            return optional_hooks[i].needed_by;
    }
    return ~(weft_feature_set)0;
}

/// The table holds nothing but function pointers, so it can be walked as an array of them.
static bool hooks_are_whole(const struct wf_hal_device *dev)
{
    const weft_feature_set has = dev->caps.features;
    void (*hook)(void);
    for (size_t at = 0; at < sizeof *dev->ops; at += sizeof hook) {
        memcpy(&hook, (const char *)dev->ops + at, sizeof hook);
        const weft_feature_set by = needed_by(at);
        if (!hook && (by == ~(weft_feature_set)0 || (by & has)))
            return false;
    }
    return true;
}

void wf_hal_ops_check(const struct wf_hal_device *dev)
{
    const bool whole = hooks_are_whole(dev);
    assert(whole && "a hook that the capabilities demand is missing");
    assert(dev->caps.limits.max_root_bytes >= 128 && dev->caps.limits.max_color_targets >= 1);
    (void)whole;
}
