// What the recording half of core has not landed yet: an object that cannot be created cannot be
// discarded either. Goes away with its arrival.
#include "core/record.h"
#include "core/surface.h"
#include "core/timeline.h"

#define NOT_YET(name)                                                                              \
    void wf_core_##name##_discard(struct weft_device *dev, struct wf_core_##name *hot)             \
    {                                                                                              \
        (void)hot;                                                                                 \
        wf_core_retire_unreserve(dev);                                                             \
    }
NOT_YET(command_allocator)
NOT_YET(surface)
NOT_YET(argument_table)
NOT_YET(graphics_pipeline)
NOT_YET(compute_pipeline)
NOT_YET(argument_layout)
NOT_YET(shader)
NOT_YET(query_pool)
NOT_YET(timeline)

bool wf_core_recorders_create(struct weft_device *dev)
{
    (void)dev;
    return true;
}

void wf_core_recorders_discard(struct weft_device *dev)
{
    (void)dev;
}

void wf_core_recorders_destroy(struct weft_device *dev)
{
    (void)dev;
}
