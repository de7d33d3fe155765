/// Rules of surfaces.
#ifndef WF_CORE_CHECK_SURFACE_H
#define WF_CORE_CHECK_SURFACE_H

#include "core/surface.h"

bool wf_core_check_surface_desc(struct weft_device *dev, const weft_surface_desc *desc);
/// `config` has its format.
bool wf_core_check_surface_config(struct weft_device *dev, weft_surface handle,
                                  const struct wf_core_surface *surface,
                                  const weft_surface_info *info, const weft_surface_config *config);
/// At every level: it is about the surface's state.
bool wf_core_check_present(struct weft_device *dev, weft_surface handle,
                           const struct wf_core_surface *surface, const weft_rect *damage,
                           uint32_t count);
/// At every level: it bounds host memory.
bool wf_core_check_present_pixels(struct weft_device *dev, weft_surface handle,
                                  const struct wf_core_texture *texture, uint32_t row_bytes);
/// Whether the surface can be read back.
bool wf_core_check_surface_readable(struct weft_device *dev, weft_surface handle,
                                    const struct wf_core_surface *surface);

#endif
