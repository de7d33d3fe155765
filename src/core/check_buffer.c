#include "core/check.h"
#include "core/lint.h"

#include "base/bits.h"

#include <inttypes.h>

static bool check_size(const struct wf_core_subject *on, const weft_buffer_desc *desc)
{
    bool ok = true;
    if (desc->size == 0)
        ok = wf_core_broken(on, WEFT_RULE_BUFFER_SIZE_ZERO, "A buffer of 0 bytes was asked for.");
    if (desc->size % 4 != 0)
        ok = wf_core_broken(on, WEFT_RULE_BUFFER_SIZE_ALIGNMENT,
                            "A buffer of %" PRIu64 " bytes was asked for.", desc->size);
    if (desc->size > on->dev->caps.limits.max_buffer_size)
        ok =
            wf_core_broken(on, WEFT_RULE_BUFFER_SIZE_LIMIT,
                           "A buffer of %" PRIu64 " bytes was asked for; the limit is %" PRIu64 ".",
                           desc->size, on->dev->caps.limits.max_buffer_size);
    if (ok)
        wf_core_lint_limit(on, WF_CORE_LINT_BUFFER_SIZE, desc->size);
    return ok;
}

static bool check_usage(const struct wf_core_subject *on, const weft_buffer_desc *desc)
{
    bool ok = true;
    ok &= wf_core_check_bits(on, desc->usage, WEFT_BUFFER_USAGE_ALL_BITS, "usage");
    ok &= wf_core_check_bits(on, desc->queues, (1u << WEFT_QUEUE_COUNT) - 1, "queue set");
    ok &= wf_core_check_enum(on, (unsigned)desc->memory, WEFT_MEMORY_READBACK, "kind of memory");
    if (desc->place.native && desc->memory != WEFT_MEMORY_GPU)
        ok = wf_core_broken(on, WEFT_RULE_PLACEMENT_NATIVE,
                            "A buffer of the host's own was to have memory %d.", (int)desc->memory);
    if (desc->usage & WEFT_BUFFER_USAGE_ADDRESS &&
        !wf_core_need(on, WEFT_FEATURE_POINTERS, "Usage ADDRESS"))
        ok = false;
    if (desc->usage & WEFT_BUFFER_USAGE_ACCELERATION &&
        !wf_core_need(on, WEFT_FEATURE_RAY_QUERY, "Usage ACCELERATION"))
        ok = false;
    return ok;
}

bool wf_core_check_buffer_desc(struct weft_device *dev, const weft_buffer_desc *desc)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_BUFFER, desc->label);
    const bool size = check_size(&on, desc);
    const bool usage = check_usage(&on, desc);
    return size && usage;
}

bool wf_core_check_buffer_range(struct weft_device *dev, weft_buffer handle,
                                const struct wf_core_buffer *buf, uint64_t offset, uint64_t size,
                                const char *what)
{
    if (wf_base_range_fits(offset, size, buf->size))
        return true;
    return wf_core_broken_object(dev, wf_core_buffer_object(handle), WEFT_RULE_BUFFER_RANGE,
                                 "%s %" PRIu64 " bytes from %" PRIu64 " leaves a buffer of %" PRIu64
                                 " bytes.",
                                 what, size, offset, buf->size);
}

bool wf_core_check_buffer_write(struct weft_device *dev, weft_buffer handle,
                                const struct wf_core_buffer *buf, uint64_t offset, uint64_t size)
{
    bool ok = wf_core_check_buffer_range(dev, handle, buf, offset, size, "Writing");
    if ((offset | size) % 4 != 0)
        ok = wf_core_broken_object(
            dev, wf_core_buffer_object(handle), WEFT_RULE_BUFFER_WRITE_ALIGNMENT,
            "%" PRIu64 " bytes were to be written at %" PRIu64 ".", size, offset);
    if (!(buf->usage & WEFT_BUFFER_USAGE_COPY_DST))
        ok = wf_core_broken_object(dev, wf_core_buffer_object(handle), WEFT_RULE_BUFFER_COPY_DST,
                                   "This buffer was created with usage 0x%x.", buf->usage);
    return ok;
}
