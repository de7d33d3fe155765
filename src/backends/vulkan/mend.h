/// Modules for a driver that does not do what they say.
#ifndef WF_VK_MEND_H
#define WF_VK_MEND_H

#include "backends/vulkan/vulkan.h"
#include "shader/module.h"

/// A module that does on this driver what `module` says; NULL: `module` does. `snorm_inputs`: the
/// locations that are read as signed normalised integers, a bit each. Freed by wf_shader_free().
/// False without memory.
bool wf_vk_mend_module(const struct wf_vk_device *dev, const struct wf_shader_module *module,
                       uint32_t snorm_inputs, struct wf_shader_module **out);

#endif
