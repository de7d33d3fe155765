/// Shaders: a module, what was read out of it, and the backend's side of it.
#ifndef WF_CORE_SHADER_H
#define WF_CORE_SHADER_H

#include "core/object.h"

#include "base/arena.h"

struct wf_shader_reflection; ///< shader/reflect.h

/// Shared by the shader handle and by every pipeline that was made from it; freed with the last.
struct wf_core_module {
    atomic_uint references;
    struct wf_shader_module *read;
    struct wf_hal_shader *hal;
    struct wf_shader_reflection **reflections; ///< As read->entries.
    weft_reflection *entries;                  ///< Likewise, as the host sees them.
    uint32_t entry_count;
    struct wf_base_arena arena; ///< Of the two arrays and all that `entries` points to.
};

struct wf_core_shader {
    struct wf_core_module *module;
};

struct wf_core_shader_cold {
    struct wf_core_cold base;
};

static inline void wf_core_module_keep(struct wf_core_module *module)
{
    atomic_fetch_add_explicit(&module->references, 1, memory_order_relaxed);
}
/// NULL does nothing.
void wf_core_module_drop(struct weft_device *dev, struct wf_core_module *module);

/// Entry point `name` (NULL: "main") of one stage: its index, or UINT32_MAX.
uint32_t wf_core_module_entry(const struct wf_core_module *module, weft_shader_stages stage,
                              const char *name);

/// "vertex", "fragment", ...; for one stage.
const char *wf_core_stage_name(weft_shader_stages stage);

// ---- reflect.c ---------------------------------------------------------------------------------

/// Reads and reflects a whole module into a zeroed `module`. WEFT_ERROR_SHADER with `error` filled,
/// or memory. wf_core_module_unread() cleans up in every case.
weft_result wf_core_module_read(const struct wf_base_allocator *allocator, const void *code,
                                size_t size, struct wf_core_module *module,
                                struct wf_shader_error *error);
void wf_core_module_unread(struct wf_core_module *module);

/// The type in terms of arguments; NONE for an input attachment.
weft_argument_type wf_core_argument_type(uint32_t resource);
struct wf_shader_binding;
weft_view_kind wf_core_reflected_view(const struct wf_shader_binding *binding);
weft_sample_class wf_core_reflected_class(const struct wf_shader_binding *binding);
weft_format wf_core_reflected_format(const struct wf_shader_binding *binding);

// ---- check_shader.c ----------------------------------------------------------------------------

/// What a device or the interface refuses in a module.
bool wf_core_check_module(const struct wf_core_subject *on, const struct wf_core_module *module);
/// "; file.frag:12" or "".
const char *wf_core_error_place(const struct wf_shader_error *error, char out[192]);

#endif
