/// Vulkan as a program would write it by hand, without Weft: the yardstick of vulkan_record.c. It
/// records what record.h describes.
#ifndef BENCH_RAW_VULKAN_H
#define BENCH_RAW_VULKAN_H

#include "record.h"

struct raw_vulkan;

/// The loader's first device; ends the program with a message if there is none.
struct raw_vulkan *raw_vulkan_open(void);
void raw_vulkan_close(struct raw_vulkan *raw);

/// "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 25.0.7". Lives as long as `raw`.
const char *raw_vulkan_name(const struct raw_vulkan *raw);

/// Nanoseconds that a frame of `count` writes of `bytes` bytes takes, submission not included: into
/// staging memory, and from there to multiples of `step` of one buffer, shuffled or not, in one
/// copy; or, if `step` is 0, into a buffer each. The fastest of `frames`.
uint64_t raw_vulkan_writes(struct raw_vulkan *raw, uint32_t count, uint32_t bytes, uint32_t step,
                           bool shuffled, int frames);

/// As record_run().
uint64_t raw_vulkan_run(struct raw_vulkan *raw, enum record_kind kind, int draws, bool submit);

#endif
