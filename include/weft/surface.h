/// \file surface.h
/// Surfaces: where frames are presented. Creating and destroying is as in resource.h.
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
    void *display;        ///< xcb_connection_t *, Display *, wl_display *, HINSTANCE.
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
WEFT_API void weft_surface_destroy(weft_device *device, weft_surface surface);

typedef enum weft_present_mode {
    WEFT_PRESENT_FIFO = 0, ///< Everywhere.
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

/// Takes the next image. Acquiring twice without a present gives the same image.
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
