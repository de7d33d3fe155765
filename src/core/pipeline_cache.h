/// The driver's work on pipelines, kept in a file of the host's choice.
///
/// The file is never trusted: it is used only if it is whole (size and hash), of this version of
/// the library, of this adapter and of this driver, and then the backend still looks at what it is.
/// It is replaced in one step, so that a reader sees the old or the new one. No failure here is an
/// error: pipelines are then built anew, and what could not be written is told as a warning.
#ifndef WF_CORE_PIPELINE_CACHE_H
#define WF_CORE_PIPELINE_CACHE_H

#include "core/core.h"

/// Remembers the name and loads what is there. False: out of memory.
bool wf_core_pipeline_cache_open(struct weft_device *dev, const char *path);
/// Writes what has been added, and forgets the name. The device may be lost or never have started.
void wf_core_pipeline_cache_close(struct weft_device *dev);

#endif
