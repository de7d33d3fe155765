#include "hal/hal.h"

// One line a backend, in order of preference: Vulkan > Metal > D3D12 > D3D11 > OpenGL > WebGPU >
// WebGL 2 > software > noop.
#ifdef WF_HAS_VULKAN
extern const struct wf_hal_backend wf_vk_backend;
#endif
#ifdef WF_HAS_SOFTWARE
extern const struct wf_hal_backend wf_sw_backend;
#endif
#ifdef WF_HAS_NOOP
extern const struct wf_hal_backend wf_noop_backend;
#endif

static const struct wf_hal_backend *const backends[] = {
#ifdef WF_HAS_VULKAN
    &wf_vk_backend,
#endif
#ifdef WF_HAS_SOFTWARE
    &wf_sw_backend,
#endif
#ifdef WF_HAS_NOOP
    &wf_noop_backend,
#endif
    NULL,
};

const struct wf_hal_backend *wf_hal_backend_at(uint32_t index)
{
    return index < sizeof backends / sizeof backends[0] ? backends[index] : NULL;
}

const struct wf_hal_backend *wf_hal_backend_find(weft_backend id)
{
    for (uint32_t i = 0; backends[i]; i++) {
        if (backends[i]->id == id)
            return backends[i];
    }
    return NULL;
}
