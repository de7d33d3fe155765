#include <weft/weft.h>

#include "hal/hal.h"

weft_result weft_adapter_list(weft_capabilities *out, uint32_t *count)
{
    if (!count)
        return WEFT_ERROR_USAGE;
    const uint32_t room = out ? *count : 0;
    uint32_t total = 0;
    weft_result result = WEFT_OK;
    const struct wf_hal_backend *backend;
    for (uint32_t i = 0; (backend = wf_hal_backend_at(i)) != NULL; ++i) {
        uint32_t found = total < room ? room - total : 0;
        const weft_result listed = backend->adapters(found ? out + total : NULL, &found);
        if (listed < 0)
            continue; // a backend without a driver here has no adapters
        if (listed == WEFT_PENDING)
            result = WEFT_PENDING;
        total += found;
    }
    *count = total;
    return result;
}
