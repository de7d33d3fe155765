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

/// What the device claims besides what it is, from when it is opened on.
enum layer_claim {
    LAYER_CLAIM_INCOHERENT = 1u << 0,  ///< No memory is coherent.
    LAYER_CLAIM_FEW_TEXELS = 1u << 1,  ///< LAYER_TEXELS a buffer, at LAYER_TEXEL_ALIGNMENT, and no
                                       ///< RGBA8_UNORM.
    LAYER_CLAIM_DEPTH_APART = 1u << 2, ///< Depth lies in a memory of its own, which is not there.
    LAYER_CLAIM_IMAGES_APART =
        1u << 3, ///< Images once made likewise, against what was said before.
    LAYER_CLAIM_ONE_PIPELINE = 1u << 4, ///< A second graphics pipeline ends with VK_ERROR_UNKNOWN.
};
#define LAYER_ATOM            256u ///< Bytes that are flushed together.
#define LAYER_TEXELS          1024u
#define LAYER_TEXEL_ALIGNMENT 128u

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
    uint32_t claims;            ///< Bit set of enum layer_claim.
    atomic_uint_fast64_t flushes,
        illegal;                   ///< Ranges flushed or invalidated; those that must not be.
    atomic_uint_fast64_t discards; ///< Recorded barriers of images from the layout UNDEFINED.
    atomic_uint_fast64_t copies;   ///< Recorded ones between buffers.
    atomic_int_fast64_t live[LAYER_OBJECTS];
};

/// What the library exports under the name "weft_layer".
typedef struct layer *(*layer_get)(void);
