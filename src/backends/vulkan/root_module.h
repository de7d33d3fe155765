/// SPIR-V modules whose root block lies in another place than at the start of the push constants.
/// Needs no header of Vulkan.
#ifndef WF_VK_ROOT_MODULE_H
#define WF_VK_ROOT_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wf_base_allocator;
struct wf_shader_module;

#define WF_VK_ROOT_BYTES 128u ///< What Vulkan promises of push constants.

/// Where a stage finds its root block.
struct wf_vk_root_place {
    uint32_t at;     ///< Bytes in the push constants: of the block, or of a pointer to it.
    bool by_pointer; ///< Behind such a pointer.
};
/// The bytes of the root block that a module declares; begin > end if none.
void wf_vk_root_range(const struct wf_shader_module *module, uint32_t *begin, uint32_t *end);
/// The module as it finds its root block there: `*count` words. NULL: out of memory.
uint32_t *wf_vk_root_placed(const struct wf_base_allocator *allocator,
                            const struct wf_shader_module *module,
                            const struct wf_vk_root_place *place, size_t *count);

#endif
