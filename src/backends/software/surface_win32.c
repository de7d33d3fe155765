// Windows' windows by GDI, which every process can draw with.
#include "backends/software/window.h"

#if defined(_WIN32)

#include <stdio.h>
#include <string.h>

#include "base/library.h"
#include "base/thread.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

struct win32_window {
    struct wf_sw_window base;
    HWND handle;
    uint8_t *pixels;
    size_t capacity;
    uint64_t presented; ///< When; FIFO only.
};

/// Waits for the compositor's next refresh. Absent: there is no compositor.
static struct {
    HRESULT(WINAPI *DwmFlush)(void);
} dwm;
static struct wf_base_once dwm_once = WF_BASE_ONCE_INIT;

static void load_dwm(void)
{
    static const char *const names[] = {"DwmFlush"};
    char reason[WF_BASE_LIBRARY_REASON];
    (void)wf_base_library_load("dwmapi.dll", names, 1, &dwm, reason);
}

static struct win32_window *win32_of(struct wf_sw_window *window)
{
    return (struct win32_window *)window;
}

static bool win32_load(weft_surface_kind kind, char reason[WF_BASE_LIBRARY_REASON])
{
    (void)kind, (void)reason;
    wf_base_once(&dwm_once, load_dwm);
    return true;
}

static weft_result win32_create(struct wf_hal_device *dev, const weft_surface_target *target,
                                struct wf_sw_window **out, char reason[WF_BASE_LIBRARY_REASON])
{
    if (!IsWindow(target->window)) {
        (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "the system has no such window");
        return WEFT_ERROR_SURFACE;
    }
    struct win32_window *const window = wf_base_alloc_zero(dev->allocator, sizeof *window);
    if (!window)
        return WEFT_ERROR_MEMORY;
    window->handle = target->window;
    *out = &window->base;
    return WEFT_OK;
}

static void win32_destroy(struct wf_hal_device *dev, struct wf_sw_window *base)
{
    struct win32_window *const window = win32_of(base);
    wf_base_free(dev->allocator, window->pixels, window->capacity);
    wf_base_free(dev->allocator, window, sizeof *window);
}

/// Nothing in it while the window is an icon.
static bool win32_measure(struct wf_sw_window *base, uint32_t *width, uint32_t *height)
{
    RECT client;
    if (!GetClientRect(win32_of(base)->handle, &client))
        return false;
    *width = (uint32_t)client.right;
    *height = (uint32_t)client.bottom;
    return true;
}

/// A system without a compositor, or one that does not wait, is paced by the clock: a little
/// faster than it refreshes, so that a late sleeper misses none.
static void pace(struct win32_window *window)
{
    const bool waited = dwm.DwmFlush && SUCCEEDED(dwm.DwmFlush());
    HDC screen = GetDC(NULL);
    const int rate = screen ? GetDeviceCaps(screen, VREFRESH) : 0;
    if (screen)
        (void)ReleaseDC(NULL, screen);
    const uint64_t period = UINT64_C(1000000000) / (uint64_t)(rate > 1 ? rate : 60);
    const uint64_t due = window->presented + (waited ? period / 4 * 3 : period);
    const uint64_t now = wf_base_clock_ns();
    if (now < due && due - now <= period)
        Sleep((DWORD)((due - now) / 1000000));
}

static weft_acquire_status win32_acquire(struct wf_sw_window *base)
{
    struct win32_window *const window = win32_of(base);
    uint32_t width, height;
    if (!win32_measure(base, &width, &height))
        return WEFT_ACQUIRE_LOST;
    if (IsIconic(window->handle) || !IsWindowVisible(window->handle)) {
        if (base->fifo) // nothing tells when it is shown again, and hosts ask in a loop
            Sleep((DWORD)(WF_HAL_WINDOW_WAIT_NS / 10000000));
        return WEFT_ACQUIRE_SKIP;
    }
    if (width != base->width || height != base->height)
        return WEFT_ACQUIRE_RECONFIGURE;
    if (base->fifo && window->presented != 0)
        pace(window);
    return WEFT_ACQUIRE_READY;
}

/// Room for the window's texels. It only grows: a window that is dragged larger asks often.
static bool make_pixels(struct wf_hal_device *dev, struct win32_window *window)
{
    const size_t need = (size_t)window->base.width * window->base.height * 4;
    if (need <= window->capacity)
        return true;
    wf_base_free(dev->allocator, window->pixels, window->capacity);
    window->capacity = need + need / 4;
    window->pixels = wf_base_alloc(dev->allocator, window->capacity);
    if (!window->pixels)
        window->capacity = 0;
    return window->pixels;
}

static weft_result win32_present(struct wf_hal_device *dev, struct wf_sw_window *base,
                                 const struct wf_sw_image *image, const weft_rect *area)
{
    struct win32_window *const window = win32_of(base);
    const size_t row_bytes = (size_t)base->width * 4;
    if (!make_pixels(dev, window))
        return WEFT_ERROR_MEMORY;
    wf_sw_window_copy(image, area, window->pixels, row_bytes);
    // The rows of the area, as a picture of their own; negative: the first one is on top.
    const BITMAPINFO rows = {.bmiHeader = {.biSize = sizeof rows.bmiHeader,
                                           .biWidth = (LONG)base->width,
                                           .biHeight = -(LONG)area->height,
                                           .biPlanes = 1,
                                           .biBitCount = 32,
                                           .biCompression = BI_RGB}};
    HDC context = GetDC(window->handle);
    if (!context)
        return WEFT_ERROR_SURFACE;
    const int drawn =
        SetDIBitsToDevice(context, area->x, area->y, area->width, area->height, area->x, 0, 0,
                          area->height, window->pixels + (size_t)area->y * row_bytes, &rows, 0);
    (void)ReleaseDC(window->handle, context);
    (void)GdiFlush();
    window->presented = base->fifo ? wf_base_clock_ns() : 0;
    return drawn != 0 || IsWindow(window->handle) ? WEFT_OK : WEFT_ERROR_SURFACE;
}

const struct wf_sw_window_system wf_sw_window_win32 = {
    .modes = 1u << WEFT_PRESENT_FIFO | 1u << WEFT_PRESENT_IMMEDIATE,
    .load = win32_load,
    .create = win32_create,
    .destroy = win32_destroy,
    .measure = win32_measure,
    .acquire = win32_acquire,
    .present = win32_present,
};

#endif
