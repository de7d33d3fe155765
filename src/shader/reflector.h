/// Private to reflection: the state of reflecting one entry point, and the steps that its files
/// share.
#ifndef WF_SHADER_REFLECTOR_H
#define WF_SHADER_REFLECTOR_H

#include "base/arena.h"
#include "shader/reflect.h"

/// How a pointer, an image or a sampler is used. Bits.
enum {
    WF_SHADER_ACCESS_READ = 1,
    WF_SHADER_ACCESS_WRITE = 2,
    WF_SHADER_ACCESS_ATOMIC = 4,
    WF_SHADER_ACCESS_USED = 8, ///< Named, at least.
};

struct wf_shader_reflection_storage {
    struct wf_shader_reflection reflection; ///< First.
    const struct wf_base_allocator *allocator;
    struct wf_base_arena arena;
};

struct wf_shader_reflector {
    const struct wf_shader_module *module;
    const struct wf_shader_entry *entry;
    struct wf_shader_reflection *out;
    struct wf_base_arena *arena;
    struct wf_base_arena scratch;
    struct wf_shader_error *error;
    uint32_t *functions; ///< Indices of the functions that the entry point may run, callees first.
    uint32_t function_count;
    uint8_t *access; ///< By id: WF_SHADER_ACCESS_*.
};

/// Fails at this word. Returns false.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool wf_shader_reflector_fail(struct wf_shader_reflector *reflector, uint32_t word, const char *format, ...);
/// Likewise when memory is out.
bool wf_shader_reflector_fail_memory(struct wf_shader_reflector *reflector);

// reflect_access.c: which functions run, what they use and how.
bool wf_shader_reflect_access(struct wf_shader_reflector *reflector);
// reflect_bindings.c
bool wf_shader_reflect_bindings(struct wf_shader_reflector *reflector);
// reflect_varyings.c
bool wf_shader_reflect_varyings(struct wf_shader_reflector *reflector);
/// What writing this built-in means.
void wf_shader_note_output(struct wf_shader_reflector *reflector, uint32_t builtin);
// uniformity.c
bool wf_shader_reflect_uniformity(struct wf_shader_reflector *reflector);

/// The scalar kind and width of a number type or a vector of one.
enum wf_shader_scalar wf_shader_scalar_of(const struct wf_shader_module *module,
                                          const struct wf_shader_type *type, uint32_t *width);

/// Fills in the source line of a finding from its word.
void wf_shader_finding_locate(struct wf_shader_finding *finding,
                              const struct wf_shader_module *module);

#endif
