/// The host's Wayland window, for any backend: what is used of libwayland-client, which is opened
/// when the first window asks for it, and pacing by the compositor. Our objects have an event queue
/// of their own, so that the host's events stay where the host looks for them; reading the socket
/// is shared with the host's threads as libwayland means it to be.
#ifndef WF_HAL_WAYLAND_H
#define WF_HAL_WAYLAND_H

#include "base/library.h"
#include "hal/hal.h"

struct wl_display;
struct wl_event_queue;
struct wl_proxy;
struct wl_interface;

/// A table of an interface's events.
typedef void wf_hal_wayland_listener(void);

/// FUNCTION(its result, name, arguments)
#define WF_HAL_WAYLAND_FUNCTIONS(FUNCTION)                                                         \
    FUNCTION(struct wl_event_queue *, wl_display_create_queue, (struct wl_display *))              \
    FUNCTION(void, wl_event_queue_destroy, (struct wl_event_queue *))                              \
    FUNCTION(int, wl_display_roundtrip_queue, (struct wl_display *, struct wl_event_queue *))      \
    FUNCTION(int, wl_display_dispatch_queue_pending,                                               \
             (struct wl_display *, struct wl_event_queue *))                                       \
    FUNCTION(int, wl_display_prepare_read_queue, (struct wl_display *, struct wl_event_queue *))   \
    FUNCTION(int, wl_display_read_events, (struct wl_display *))                                   \
    FUNCTION(void, wl_display_cancel_read, (struct wl_display *))                                  \
    FUNCTION(int, wl_display_flush, (struct wl_display *))                                         \
    FUNCTION(int, wl_display_get_fd, (struct wl_display *))                                        \
    FUNCTION(int, wl_display_get_error, (struct wl_display *))                                     \
    FUNCTION(void *, wl_proxy_create_wrapper, (void *))                                            \
    FUNCTION(void, wl_proxy_wrapper_destroy, (void *))                                             \
    FUNCTION(void, wl_proxy_set_queue, (struct wl_proxy *, struct wl_event_queue *))               \
    FUNCTION(uint32_t, wl_proxy_get_version, (struct wl_proxy *))                                  \
    FUNCTION(int, wl_proxy_add_listener,                                                           \
             (struct wl_proxy *, wf_hal_wayland_listener *const *, void *))                        \
    FUNCTION(void, wl_proxy_destroy, (struct wl_proxy *))                                          \
    FUNCTION(struct wl_proxy *, wl_proxy_marshal_flags,                                            \
             (struct wl_proxy *, uint32_t opcode, const struct wl_interface *, uint32_t version,   \
              uint32_t flags, ...))

/// libwayland-client, once it was loaded.
extern struct wf_hal_wayland_library {
    WF_HAL_WAYLAND_FUNCTIONS(WF_BASE_FUNCTION_MEMBER)
    const struct wl_interface *registry, *shm, *pool, *buffer, *callback;
} wf_hal_wl;

struct wf_hal_wayland {
    struct wl_display *display;
    struct wl_event_queue *queue;
    struct wl_proxy *surface;  ///< The host's, as a wrapper whose new objects are in `queue`.
    struct wl_proxy *callback; ///< Comes when the next frame is due; NULL: it came.
    uint64_t give_up;          ///< When `callback` is not waited for any more.
};

/// Opens the library, once. False: `reason` says which one or what of it is not there.
bool wf_hal_wayland_load(char reason[WF_BASE_LIBRARY_REASON]);

/// Takes a window; the library is loaded. False: out of memory; it is closed then.
bool wf_hal_wayland_open(struct wf_hal_wayland *window, void *display, void *surface);
/// What else is in the queue is destroyed. A window that is zero is closed.
void wf_hal_wayland_close(struct wf_hal_wayland *window);

/// Asks for a callback with the next commit: it comes when a frame behind that one is due, and not
/// as long as nobody sees the window.
void wf_hal_wayland_ask(struct wf_hal_wayland *window);
/// The next frame is due, whatever was asked for.
void wf_hal_wayland_forget(struct wf_hal_wayland *window);

/// Waits until the next frame is due (if `paced`) and `ready` (if not NULL) says yes. SKIP: not in
/// WF_HAL_WINDOW_WAIT_NS. LOST: the connection is broken.
weft_acquire_status wf_hal_wayland_wait(struct wf_hal_wayland *window, bool paced,
                                        bool (*ready)(void *user), void *user);

#endif
