/// What a window system does for a surface of the software device. The libraries of the window
/// systems are opened when the first window asks for them: neither their headers nor their import
/// is needed, so what is used of them is declared beside its use. (Those of Windows every process
/// has.)
///
/// All of it runs on the thread that calls the surface's function. The host's event queue is never
/// read, and no error handler of the host is ever reached.
#ifndef WF_SOFTWARE_WINDOW_H
#define WF_SOFTWARE_WINDOW_H

#include "backends/software/image/image.h"
#include "base/library.h"
#include "hal/hal.h"

/// Each window system's window begins with it.
struct wf_sw_window {
    const struct wf_sw_window_system *system;
    uint32_t width, height; ///< Of the configuration.
    bool fifo;
};

struct wf_sw_window_system {
    uint32_t modes; ///< As in weft_surface_info.
    /// Opens the libraries, once. False: `reason` says which one or what of it is not there.
    bool (*load)(weft_surface_kind kind, char reason[WF_BASE_LIBRARY_REASON]);
    weft_result (*create)(struct wf_hal_device *dev, const weft_surface_target *target,
                          struct wf_sw_window **out, char reason[WF_BASE_LIBRARY_REASON]);
    void (*destroy)(struct wf_hal_device *dev, struct wf_sw_window *window);
    /// The window's real size, where it has one; else both stay. False: the window is gone.
    bool (*measure)(struct wf_sw_window *window, uint32_t *width, uint32_t *height);
    /// Whether the window can be drawn to now. READY: copy may be called.
    weft_acquire_status (*acquire)(struct wf_sw_window *window);
    /// Shows `area` of a finished image that has the window's size, BGRA or RGBA.
    weft_result (*present)(struct wf_hal_device *dev, struct wf_sw_window *window,
                           const struct wf_sw_image *image, const weft_rect *area);
};

extern const struct wf_sw_window_system wf_sw_window_x11;     ///< surface_x11.c
extern const struct wf_sw_window_system wf_sw_window_wayland; ///< surface_wayland.c
extern const struct wf_sw_window_system wf_sw_window_win32;   ///< surface_win32.c

/// The window system of a kind of surface; NULL: none.
const struct wf_sw_window_system *wf_sw_window_system_of(weft_surface_kind kind);

/// Copies `area` to the same place of an image of `row_bytes` a row, as BGRA.
void wf_sw_window_copy(const struct wf_sw_image *image, const weft_rect *area, uint8_t *out,
                       size_t row_bytes);

#endif
