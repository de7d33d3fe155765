/// Opening and closing a device's parts.
#ifndef WF_CORE_STARTUP_H
#define WF_CORE_STARTUP_H

#include "core/core.h"

/// Checks the description (already resolved). Reports every broken rule.
bool wf_core_check_device_desc(struct weft_device *dev, const weft_device_desc *desc);
/// Tries the backends in order and opens the first that meets the requirements. Fills
/// `dev->startup`, `hal`, `ops` and `caps`. The failure is reported.
weft_result wf_core_startup_open(struct weft_device *dev, const weft_device_desc *desc);

/// Records for each backend that would have been tried why none is, and reports it.
void wf_core_startup_refuse(struct weft_device *dev, const weft_device_desc *desc,
                            const char *reason);

/// Ends attachments, newest first.
void wf_core_attach_finish(struct weft_device *dev);
/// Frees what the device holds, in any state of completeness, and the hal device. The GPU is idle.
void wf_core_device_close(struct weft_device *dev);

#endif
