/// Modules for a driver that does not do what they say.
#ifndef WF_VK_MEND_H
#define WF_VK_MEND_H

#include "backends/vulkan/vulkan.h"
#include "shader/module.h"

struct wf_vk_mend {
    const struct wf_shader_entry *entry;
    uint32_t snorm_inputs; ///< Of a vertex shader: locations read as signed normalised integers.
    uint32_t linear;       ///< Locations of wf_vk_linear_varyings().
};

/// A module that does on this driver what `module` says; NULL: `module` does. Freed by
/// wf_shader_free(). False without memory.
bool wf_vk_mend_module(const struct wf_vk_device *dev, const struct wf_shader_module *module,
                       const struct wf_vk_mend *how, struct wf_shader_module **out);
/// Varyings without perspective, a bit a location, but for those that cannot be mended.
uint32_t wf_vk_linear_varyings(const struct wf_shader_module *vertex,
                               const struct wf_shader_module *fragment);

#endif
