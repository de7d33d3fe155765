/// The upload belt: host data on its way to the GPU.
///
/// Writes copy their data into staging chunks at once and record a copy into the belt's own command
/// buffer, which the next submission carries in front. Chunks come back when the submission has
/// finished, so that in steady state nothing is allocated. When too much is on its way, the belt
/// submits by itself and waits for the oldest chunk: a write of any size needs bounded memory.
#ifndef WF_CORE_UPLOAD_H
#define WF_CORE_UPLOAD_H

#include "core/object.h"

weft_result wf_core_belt_create(struct weft_device *dev);
/// Every submission has finished; what was not submitted is dropped. `dev->belt` may be NULL.
void wf_core_belt_destroy(struct weft_device *dev);

/// For submission.c. Between lock and unlock: end gives the pending command (NULL: none), done says
/// what became of it. A command that was not submitted stays pending.
void wf_core_belt_lock(struct weft_device *dev);
void wf_core_belt_unlock(struct weft_device *dev);
weft_result wf_core_belt_end(struct weft_device *dev, struct wf_hal_command **out);
void wf_core_belt_done(struct weft_device *dev, uint64_t serial);

/// Copies `size` bytes into a buffer, ahead of the next submission. Arguments are checked.
weft_result wf_core_upload_buffer(struct weft_device *dev, struct wf_hal_buffer *dst,
                                  uint64_t offset, const void *data, uint64_t size);
/// Likewise a resolved region of a texture, from `data` as `layout` (resolved) says.
weft_result wf_core_upload_texture(struct weft_device *dev, struct wf_hal_texture *dst,
                                   const weft_texture_region *region, const void *data,
                                   const struct wf_hal_texel_layout *layout);
/// Whether writes wait for a submission. `dev->belt` may be NULL.
bool wf_core_belt_waits(struct weft_device *dev);
/// Bytes of staging memory held.
uint64_t wf_core_belt_bytes(struct weft_device *dev);

#endif
