// What the window systems have in common.
#include "backends/software/window.h"

#include <string.h>

const struct wf_sw_window_system *wf_sw_window_system_of(weft_surface_kind kind)
{
    switch (kind) {
#if defined(__unix__)
    case WEFT_SURFACE_XCB:
    case WEFT_SURFACE_XLIB:
        return &wf_sw_window_x11;
    case WEFT_SURFACE_WAYLAND:
        return &wf_sw_window_wayland;
#elif defined(_WIN32)
    case WEFT_SURFACE_WIN32:
        return &wf_sw_window_win32;
#endif
    default:
        return NULL;
    }
}

static void swap_row(uint32_t *out, const uint32_t *in, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = in[i];
        out[i] = (v & 0xff00ff00u) | (v >> 16 & 0xff) | (v & 0xff) << 16;
    }
}

void wf_sw_window_copy(const struct wf_sw_image *image, const weft_rect *area, uint8_t *out,
                       size_t row_bytes)
{
    const bool swap =
        image->format == WEFT_FORMAT_RGBA8_UNORM || image->format == WEFT_FORMAT_RGBA8_UNORM_SRGB;
    const size_t left = (size_t)area->x * 4;
    for (uint32_t y = (uint32_t)area->y; y < (uint32_t)area->y + area->height; y++) {
        const uint8_t *in = wf_sw_image_row(image, &image->main, 0, 0, 0, y) + left;
        uint8_t *to = out + y * row_bytes + left;
        if (swap)
            swap_row((uint32_t *)(void *)to, (const uint32_t *)(const void *)in, area->width);
        else
            memcpy(to, in, (size_t)area->width * 4);
    }
}
