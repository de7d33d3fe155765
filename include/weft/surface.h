/// \file surface.h
/// Surfaces: where frames are presented. Creating and destroying is as in resource.h, but for
/// windows: see weft_surface_destroy().
///
/// Windows. The host opens the window and its connection, and keeps both until the surface is
/// destroyed. The host alone takes the window's events: Weft reads no event queue of the host,
/// installs no error handler, and what goes wrong with a window is a result or a status, also when
/// it was closed behind the host's back. A host's loop takes its events, acquires, draws what it
/// got READY for, presents; it needs no event to learn that an X11 window has another size: acquire
/// says RECONFIGURE. A Wayland window has the size that is configured, so there the host configures
/// when its events say so.
///
/// Threads. Calls on one surface come from one thread at a time; present is made on the thread that
/// calls it, and the one that takes the window's events is a good choice: what the host answered to
/// the window system before is before the frame then. XCB and Wayland connections may be used by
/// other threads meanwhile; an Xlib Display only after XInitThreads(), which libX11 1.8 calls by
/// itself.
///
/// How long calls take. Acquire waits for the window system where the mode says so (FIFO), but at
/// most for 100 ms: then it says SKIP, and the host's loop goes on. On the software device present
/// waits until the image is drawn, so a submission before it that waits for a timeline must not
/// wait for what the same thread does later.
#ifndef WEFT_SURFACE_H
#define WEFT_SURFACE_H

#include <weft/base.h>
#include <weft/format.h>
#include <weft/resource.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_surface_kind {
    WEFT_SURFACE_HEADLESS = 0, ///< Images that can be read back; no window.
    WEFT_SURFACE_XCB,
    WEFT_SURFACE_XLIB,
    WEFT_SURFACE_WAYLAND,
    WEFT_SURFACE_WIN32,
    WEFT_SURFACE_METAL_LAYER,
    WEFT_SURFACE_ANDROID,
    WEFT_SURFACE_CANVAS,
    WEFT_SURFACE_KIND_COUNT,
} weft_surface_kind;

/// A native window. Which members are read follows from the kind.
typedef struct weft_surface_target {
    weft_surface_kind kind;
    void *display;        ///< xcb_connection_t *, Display *, wl_display *, HINSTANCE: not NULL.
    void *window;         ///< wl_surface *, HWND, CAMetalLayer *, ANativeWindow *.
    uint64_t xid;         ///< xcb_window_t, Window.
    const char *selector; ///< CSS selector of a canvas.
} weft_surface_target;

typedef struct weft_surface_desc {
    weft_surface_target target;
    const char *label;
} weft_surface_desc;
WEFT_API weft_result weft_surface_create(weft_device *device, const weft_surface_desc *desc,
                                         weft_surface *out);
/// With a window it waits until the device has left it: when this returns, the window may be
/// closed, and its connection. So does weft_device_destroy() for surfaces that are left.
WEFT_API void weft_surface_destroy(weft_device *device, weft_surface surface);

typedef enum weft_present_mode {
    WEFT_PRESENT_FIFO = 0, ///< Everywhere. Frames are shown in turn, each for a refresh or longer.
    WEFT_PRESENT_FIFO_RELAXED,
    WEFT_PRESENT_MAILBOX,
    WEFT_PRESENT_IMMEDIATE,
} weft_present_mode;

typedef enum weft_color_space {
    WEFT_COLOR_SPACE_SRGB = 0,
    WEFT_COLOR_SPACE_EXTENDED_LINEAR,
    WEFT_COLOR_SPACE_HDR10,
    WEFT_COLOR_SPACE_DISPLAY_P3,
} weft_color_space;

typedef struct weft_surface_config {
    uint32_t width,
        height;         ///< Texels; 0 in either: acquire answers SKIP. A window's real size wins.
    weft_format format; ///< NONE: the surface's preferred 8-bit sRGB format.
    weft_color_space color_space;
    weft_present_mode mode;
    weft_texture_usage usage; ///< Beyond RENDER, which is always there.
} weft_surface_config;

/// What a surface offers.
typedef struct weft_surface_info {
    weft_format formats[16];
    uint32_t format_count;
    uint32_t modes;             ///< Bit set of (1u << weft_present_mode).
    uint32_t color_spaces;      ///< Bit set of (1u << weft_color_space).
    weft_surface_config config; ///< As it stands, with the actual extent and format.
} weft_surface_info;
WEFT_API weft_result weft_surface_query(weft_device *device, weft_surface surface,
                                        weft_surface_info *out);

/// Sets or changes the configuration. On failure the old one stays. The host's resources are
/// untouched; an acquired image that no submission named is given back, and its handles end.
WEFT_API weft_result weft_surface_configure(weft_device *device, weft_surface surface,
                                            const weft_surface_config *config);

typedef enum weft_acquire_status {
    WEFT_ACQUIRE_READY = 0,
    WEFT_ACQUIRE_SKIP,        ///< Zero size or not visible: draw nothing this time.
    WEFT_ACQUIRE_RECONFIGURE, ///< Configure it again first.
    WEFT_ACQUIRE_LOST,
} weft_acquire_status;

typedef struct weft_surface_image {
    weft_acquire_status status;
    weft_texture texture; ///< Owned by the surface; valid until present. None unless READY.
    weft_texture_view view;
    uint32_t width, height;
    weft_format format;
} weft_surface_image;

/// Takes the next image. Acquiring twice without a present gives the same image. WEFT_ERROR_MEMORY
/// with status SKIP: there was no memory for it; the next time there may be some.
WEFT_API weft_result weft_surface_acquire(weft_device *device, weft_surface surface,
                                          weft_surface_image *out);
/// Shows the acquired image after the submissions that wrote it. `damage` may be NULL: all of it.
WEFT_API weft_result weft_surface_present(weft_device *device, weft_surface surface,
                                          const weft_rect *damage, uint32_t damage_count);
/// Presents pixels of the CPU, of the surface's format, `row_bytes` apart. WEFT_SKIP: nothing was
/// shown, since the surface has no size, is not visible or must be configured again.
WEFT_API weft_result weft_surface_present_pixels(weft_device *device, weft_surface surface,
                                                 const void *pixels, uint32_t row_bytes);
/// Reads the image presented last (HEADLESS only), rows tightly packed, in the surface's format.
/// Waits.
WEFT_API weft_result weft_surface_read(weft_device *device, weft_surface surface, void *data,
                                       uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
