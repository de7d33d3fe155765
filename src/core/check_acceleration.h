/// Checks of acceleration structures. The descriptions are resolved.
#ifndef WF_CORE_CHECK_ACCELERATION_H
#define WF_CORE_CHECK_ACCELERATION_H

#include "core/record.h"

bool wf_core_check_acceleration_desc(struct weft_device *dev,
                                     const weft_acceleration_structure_desc *desc);
/// A build with good handles: what, from where, against what the structure was created for.
bool wf_core_check_acceleration_build(struct weft_command_buffer *cmd,
                                      const weft_acceleration_build *build);
/// Shaders read top levels.
bool wf_core_check_acceleration_level(const struct wf_core_subject *on,
                                      const struct wf_hal_acceleration *structure);

/// Bytes of a vertex, or of a box.
uint32_t wf_core_geometry_bytes(const weft_acceleration_geometry *geometry);
static inline uint32_t wf_core_geometry_stride(const weft_acceleration_geometry *geometry)
{
    return geometry->stride > 0 ? geometry->stride : wf_core_geometry_bytes(geometry);
}

#endif
