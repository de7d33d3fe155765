/// A Vulkan layer for tests: it lets a call fail, counts what is live, offers VK_EXT_device_fault
/// where the driver does not, and no more of some limits than Vulkan promises. The test program
/// loads the same library and commands it through what weft_layer() returns. One instance and one
/// device at a time.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define LAYER_NAME   "VK_LAYER_WEFT_faults"
#define LAYER_REASON "a test pulled the plug"

enum layer_fault {
    LAYER_FAULT_NONE,
    LAYER_FAULT_MEMORY,     ///< Out of the host's or the device's memory, in turns.
    LAYER_FAULT_LOST,       ///< The device is lost, and stays so.
    LAYER_FAULT_OUTDATED,   ///< The surface is out of date.
    LAYER_FAULT_SUBOPTIMAL, ///< The call succeeds; the surface could be better.
    LAYER_FAULT_SURFACE,    ///< The surface is lost.
    LAYER_FAULT_KINDS,
};

enum layer_object {
    LAYER_INSTANCE,
    LAYER_DEVICE,
    LAYER_SURFACE,
    LAYER_MEMORY,
    LAYER_PIPELINE,
#define LAYER_OBJECT(Name, info, faults) LAYER_##Name,
#include "functions.def"
    LAYER_OBJECTS,
};

struct layer {
    enum layer_fault fault; ///< What happens at the `at`-th call that it can happen to, from 1.
    uint64_t at;
    atomic_uint_fast64_t chances; ///< Such calls since `fault` was set.
    atomic_bool hit, lost;
    const char *_Atomic struck; ///< The function that failed, without its vk.
    atomic_uint_fast64_t told;  ///< How often the reason of a loss was asked for.
    atomic_int_fast64_t live[LAYER_OBJECTS];
};

/// What the library exports under the name "weft_layer".
typedef struct layer *(*layer_get)(void);
