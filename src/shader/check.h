/// Reflections of the stages of one pipeline, checked against each other and put together.
#ifndef WF_SHADER_CHECK_H
#define WF_SHADER_CHECK_H

#include "shader/reflect.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Findings that a caller has room for.
struct wf_shader_findings {
    struct wf_shader_finding *items;
    uint32_t capacity;
    uint32_t count; ///< How many there are; those past `capacity` were only counted.
};

/// Matches each input of `consumer` that it uses with the outputs of `producer`: by location and
/// component for varyings, not at all for built-ins. An input needs an output of its scalar type
/// and width that writes all of its components; ints and 64-bit floats must be flat in a fragment
/// shader, unless they are per primitive, which both are then. Superfluous outputs are fine.
void wf_shader_check_interface(const struct wf_shader_reflection *producer,
                               const struct wf_shader_reflection *consumer,
                               struct wf_shader_findings *findings);

/// One binding of a pipeline's argument layout.
struct wf_shader_layout_entry {
    uint64_t size;                         ///< The most that a stage's block needs.
    const struct wf_shader_binding *first; ///< The rest is as in the first stage that has it.
    uint32_t set, binding;
    uint32_t stages; ///< enum wf_shader_stage bits.
    uint32_t count;  ///< The most that a stage declares; 0: runtime-sized in one of them.
    enum wf_shader_resource type;
    bool written;  ///< A stage writes it.
    bool writable; ///< A stage could: it does not declare it read-only.
};

/// Puts the bindings of some different stages together, sorted by set and binding, into `entries`,
/// which has room for the sum of their binding counts. Returns how many there are. Two stages (or
/// two variables) that disagree about a binding are findings; about the heap, set 3, they may: it
/// holds views of many types.
uint32_t wf_shader_merge_bindings(const struct wf_shader_reflection *const *stages,
                                  uint32_t stage_count, struct wf_shader_layout_entry *entries,
                                  struct wf_shader_findings *findings);

#ifdef __cplusplus
}
#endif

#endif
