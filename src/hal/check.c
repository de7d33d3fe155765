#include "hal/hal.h"

#include <assert.h>
#include <string.h>

/// A hook that only devices with a feature need; 0: none does.
struct optional_hook {
    size_t offset;
    weft_feature_set needed_by;
};

static const struct optional_hook optional_hooks[] = {
#define WF_HAL_HOOK(result, name, parameters)
#define WF_HAL_OPTIONAL(feature, result, name, parameters)                                         \
    {offsetof(struct wf_hal_device_ops, name), feature},
#include "hal/hooks.def"
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
