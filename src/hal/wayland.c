#include "hal/wayland.h"

#include <string.h>

#include "base/system.h"
#include "base/thread.h"

struct wf_hal_wayland_library wf_hal_wl;
#define w wf_hal_wl // NOLINT(readability-identifier-naming): it stands before every call

static const char *const names[] = {
    WF_HAL_WAYLAND_FUNCTIONS(WF_BASE_FUNCTION_NAME) // interfaces are data that the library exports
    "wl_registry_interface",
    "wl_shm_interface",
    "wl_shm_pool_interface",
    "wl_buffer_interface",
    "wl_callback_interface",
};

_Static_assert(sizeof wf_hal_wl == sizeof names, "one name each");

#define SURFACE_FRAME 3u ///< The request's number in the protocol.

static bool there;
static char load_reason[WF_BASE_LIBRARY_REASON];

static void load_once(void)
{
    there = wf_base_library_load("libwayland-client.so.0", names, sizeof names / sizeof *names,
                                 &wf_hal_wl, load_reason);
}

bool wf_hal_wayland_load(char reason[WF_BASE_LIBRARY_REASON])
{
    static struct wf_base_once once = WF_BASE_ONCE_INIT;
    wf_base_once(&once, load_once);
    if (!there)
        memcpy(reason, load_reason, WF_BASE_LIBRARY_REASON);
    return there;
}

bool wf_hal_wayland_open(struct wf_hal_wayland *window, void *display, void *surface)
{
    *window = (struct wf_hal_wayland){.display = display};
    window->queue = w.wl_display_create_queue(display);
    window->surface = window->queue ? w.wl_proxy_create_wrapper(surface) : NULL;
    if (window->surface) {
        w.wl_proxy_set_queue(window->surface, window->queue);
        return true;
    }
    wf_hal_wayland_close(window);
    return false;
}

void wf_hal_wayland_close(struct wf_hal_wayland *window)
{
    wf_hal_wayland_forget(window);
    if (window->surface)
        w.wl_proxy_wrapper_destroy(window->surface);
    if (window->queue) {
        (void)w.wl_display_flush(window->display);
        w.wl_event_queue_destroy(window->queue);
    }
    *window = (struct wf_hal_wayland){0};
}

static void on_done(void *user, struct wl_proxy *callback, uint32_t time)
{
    struct wf_hal_wayland *const window = user;
    (void)time;
    w.wl_proxy_destroy(callback);
    window->callback = NULL;
}

static wf_hal_wayland_listener *const callback_listener[] = {(wf_hal_wayland_listener *)on_done};

void wf_hal_wayland_ask(struct wf_hal_wayland *window)
{
    if (window->callback)
        return;
    window->callback = w.wl_proxy_marshal_flags(window->surface, SURFACE_FRAME, w.callback,
                                                w.wl_proxy_get_version(window->surface), 0, NULL);
    if (window->callback)
        (void)w.wl_proxy_add_listener(window->callback, callback_listener, window);
    window->give_up = wf_base_deadline_ns(WF_HAL_WINDOW_GIVE_UP_NS);
}

void wf_hal_wayland_forget(struct wf_hal_wayland *window)
{
    if (window->callback)
        w.wl_proxy_destroy(window->callback);
    window->callback = NULL;
}

/// Calls the listeners of our queue, after waiting for something until `deadline`. False: the
/// connection is broken.
static bool dispatch(struct wf_hal_wayland *window, uint64_t deadline)
{
    if (w.wl_display_prepare_read_queue(window->display, window->queue) != 0)
        return w.wl_display_dispatch_queue_pending(window->display, window->queue) >= 0;
    (void)w.wl_display_flush(window->display);
    const uint64_t now = wf_base_clock_ns();
    const int wait_ms = now < deadline ? (int)((deadline - now + 999999) / 1000000) : 0;
    if (!wf_base_wait_readable(w.wl_display_get_fd(window->display), wait_ms)) {
        w.wl_display_cancel_read(window->display);
        return true;
    }
    return w.wl_display_read_events(window->display) >= 0 &&
           w.wl_display_dispatch_queue_pending(window->display, window->queue) >= 0;
}

weft_acquire_status wf_hal_wayland_wait(struct wf_hal_wayland *window, bool paced,
                                        bool (*ready)(void *user), void *user)
{
    const uint64_t deadline = wf_base_deadline_ns(WF_HAL_WINDOW_WAIT_NS);
    uint64_t until = 0; // at first what is there already
    do {
        if (w.wl_display_get_error(window->display) != 0 || !dispatch(window, until))
            return WEFT_ACQUIRE_LOST;
        if (wf_base_clock_ns() >= window->give_up)
            wf_hal_wayland_forget(window);
        if (!(paced && window->callback) && (!ready || ready(user)))
            return WEFT_ACQUIRE_READY;
        until = deadline;
    } while (wf_base_clock_ns() < deadline);
    return WEFT_ACQUIRE_SKIP;
}
