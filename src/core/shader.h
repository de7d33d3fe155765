/// Shaders: a module, what was read out of it, and the backend's side of it.
#ifndef WF_CORE_SHADER_H
#define WF_CORE_SHADER_H

#include "core/object.h"

#include "base/arena.h"

/// Shared by the shader handle and by every pipeline that was made from it; freed with the last.
struct wf_core_module {
    atomic_uint references;
    struct wf_shader_module *read;
    struct wf_hal_shader *hal;
    struct wf_base_arena arena; ///< Of the reflections.
    weft_reflection *entries;   ///< As in read->entries.
    uint32_t entry_count;
};

struct wf_core_shader {
    struct wf_core_module *module;
};

struct wf_core_shader_cold {
    struct wf_core_cold base;
};

void wf_core_module_keep(struct wf_core_module *module);
/// NULL does nothing. On a device that is lost, too.
void wf_core_module_drop(struct weft_device *dev, struct wf_core_module *module);

/// "vertex", "fragment", ...; for one stage.
const char *wf_core_stage_name(weft_shader_stages stage);

#endif
