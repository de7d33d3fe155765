// What the recording half of core has not landed yet: an object that cannot be created cannot be
// discarded either. Goes away with its arrival.
#include "core/build.h"

#define NOT_YET(name)                                                                              \
    void wf_core_##name##_discard(struct weft_device *dev, struct wf_core_##name *hot)             \
    {                                                                                              \
        (void)hot;                                                                                 \
        wf_core_retire_unreserve(dev);                                                             \
    }
NOT_YET(graphics_pipeline)
NOT_YET(compute_pipeline)
NOT_YET(shader)

void wf_core_build_wait(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    (void)dev, (void)pipeline;
}

void wf_core_builder_destroy(struct weft_device *dev, struct wf_core_builder *builder)
{
    (void)dev, (void)builder;
}
