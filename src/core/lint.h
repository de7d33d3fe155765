/// Portability lint: see lint.c.
#ifndef WF_CORE_LINT_H
#define WF_CORE_LINT_H

#include "core/object.h"

enum wf_core_lint_limit {
    WF_CORE_LINT_BUFFER_SIZE,
    WF_CORE_LINT_TEXTURE_2D, ///< And 1D, and cubes.
    WF_CORE_LINT_TEXTURE_3D,
    WF_CORE_LINT_LAYERS,
    WF_CORE_LINT_LIMITS,
};

/// For a feature (one bit) that the device has. wf_core_need() calls it when the lint is on.
void wf_core_lint_feature(const struct wf_core_subject *on, weft_feature_set feature,
                          const char *what);
/// For a value within the device's own limits. Does nothing when the lint is off.
void wf_core_lint_limit(const struct wf_core_subject *on, enum wf_core_lint_limit limit,
                        uint64_t value);

#endif
