// X11 windows by xcb, also under Xlib's connection. Pixels go through memory shared with the server
// where it has MIT-SHM and runs on this machine, otherwise in the requests. The Present extension
// tells of refreshes, in an event queue of our own. Every request that can fail is a checked one,
// whose error comes back to us and not to the host.
#include "backends/software/window.h"

#if defined(__unix__)

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>

#include "base/thread.h"

// ---- what is used of xcb -----------------------------------------------------------------------

struct xcb; ///< xcb_connection_t

struct xcb_cookie {
    unsigned sequence;
};

/// Of a request that has no reply; NULL: it went well. Freed with free().
struct xcb_error;

struct xcb_geometry {
    uint8_t type, depth;
    uint16_t sequence;
    uint32_t length, root;
    int16_t x, y;
    uint16_t width, height, border, pad;
};

struct xcb_attributes {
    uint8_t type, backing_store;
    uint16_t sequence;
    uint32_t length, visual;
    uint16_t window_class;
    uint8_t bit_gravity, win_gravity;
    uint32_t planes, pixel;
    uint8_t save_under, map_installed, map_state, override_redirect;
    uint32_t colormap, all_masks, your_mask;
    uint16_t do_not_propagate, pad;
};

#define XCB_MAP_VIEWABLE   2
#define XCB_Z_PIXMAP       2
#define XCB_LSB_FIRST      0
#define MAX_REQUEST_HEADER 64u

struct xcb_extension_reply {
    uint8_t type, pad;
    uint16_t sequence;
    uint32_t length;
    uint8_t present, major, first_event, first_error;
};

struct xcb_setup {
    uint8_t status, pad;
    uint16_t major, minor, length;
    uint32_t release, id_base, id_mask, motion_size;
    uint16_t vendor_length, max_request;
    uint8_t roots, formats, byte_order, bit_order;
};

struct xcb_format {
    uint8_t depth, bits, scanline_pad, pad[5];
};

struct xcb_visual {
    uint32_t id;
    uint8_t visual_class, bits;
    uint16_t entries;
    uint32_t red, green, blue, pad;
};

struct xcb_special_event; ///< A queue.

/// PresentCompleteNotify
struct xcb_complete_event {
    uint8_t type, extension;
    uint16_t sequence;
    uint32_t length;
    uint16_t event_type;
    uint8_t kind, mode;
    uint32_t event, window, serial;
};

#define PRESENT_COMPLETE_MASK 2u

/// All iterators of xcb look alike.
struct xcb_iterator {
    void *data;
    int rem, index;
};

/// FUNCTION(its result, name, arguments)
#define XCB_FUNCTIONS(FUNCTION)                                                                    \
    FUNCTION(int, xcb_connection_has_error, (struct xcb *))                                        \
    FUNCTION(int, xcb_flush, (struct xcb *))                                                       \
    FUNCTION(uint32_t, xcb_generate_id, (struct xcb *))                                            \
    FUNCTION(uint32_t, xcb_get_maximum_request_length, (struct xcb *))                             \
    FUNCTION(const struct xcb_setup *, xcb_get_setup, (struct xcb *))                              \
    FUNCTION(struct xcb_iterator, xcb_setup_pixmap_formats_iterator, (const struct xcb_setup *))   \
    FUNCTION(void, xcb_format_next, (struct xcb_iterator *))                                       \
    FUNCTION(struct xcb_iterator, xcb_setup_roots_iterator, (const struct xcb_setup *))            \
    FUNCTION(void, xcb_screen_next, (struct xcb_iterator *))                                       \
    FUNCTION(struct xcb_iterator, xcb_screen_allowed_depths_iterator, (const void *))              \
    FUNCTION(void, xcb_depth_next, (struct xcb_iterator *))                                        \
    FUNCTION(struct xcb_iterator, xcb_depth_visuals_iterator, (const void *))                      \
    FUNCTION(void, xcb_visualtype_next, (struct xcb_iterator *))                                   \
    FUNCTION(struct xcb_extension_reply *, xcb_get_extension_data, (struct xcb *, void *))         \
    FUNCTION(struct xcb_cookie, xcb_get_geometry, (struct xcb *, uint32_t))                        \
    FUNCTION(struct xcb_geometry *, xcb_get_geometry_reply,                                        \
             (struct xcb *, struct xcb_cookie, struct xcb_error **))                               \
    FUNCTION(struct xcb_cookie, xcb_get_window_attributes, (struct xcb *, uint32_t))               \
    FUNCTION(struct xcb_attributes *, xcb_get_window_attributes_reply,                             \
             (struct xcb *, struct xcb_cookie, struct xcb_error **))                               \
    FUNCTION(struct xcb_error *, xcb_request_check, (struct xcb *, struct xcb_cookie))             \
    FUNCTION(int, xcb_get_file_descriptor, (struct xcb *))                                         \
    FUNCTION(struct xcb_special_event *, xcb_register_for_special_xge,                             \
             (struct xcb *, void *, uint32_t id, uint32_t *stamp))                                 \
    FUNCTION(void, xcb_unregister_for_special_event, (struct xcb *, struct xcb_special_event *))   \
    FUNCTION(struct xcb_complete_event *, xcb_poll_for_special_event,                              \
             (struct xcb *, struct xcb_special_event *))                                           \
    FUNCTION(void, xcb_discard_reply, (struct xcb *, unsigned))                                    \
    FUNCTION(struct xcb_cookie, xcb_create_gc_checked,                                             \
             (struct xcb *, uint32_t id, uint32_t drawable, uint32_t mask, const void *values))    \
    FUNCTION(struct xcb_cookie, xcb_free_gc_checked, (struct xcb *, uint32_t))                     \
    FUNCTION(struct xcb_cookie, xcb_put_image_checked,                                             \
             (struct xcb *, uint8_t format, uint32_t drawable, uint32_t gc, uint16_t width,        \
              uint16_t height, int16_t x, int16_t y, uint8_t left_pad, uint8_t depth,              \
              uint32_t size, const uint8_t *data))

#define SHM_FUNCTIONS(FUNCTION)                                                                    \
    FUNCTION(struct xcb_cookie, xcb_shm_attach_checked,                                            \
             (struct xcb *, uint32_t segment, uint32_t id, uint8_t read_only))                     \
    FUNCTION(struct xcb_cookie, xcb_shm_detach_checked, (struct xcb *, uint32_t segment))          \
    FUNCTION(struct xcb_cookie, xcb_shm_put_image_checked,                                         \
             (struct xcb *, uint32_t drawable, uint32_t gc, uint16_t total_width,                  \
              uint16_t total_height, uint16_t x, uint16_t y, uint16_t width, uint16_t height,      \
              int16_t to_x, int16_t to_y, uint8_t depth, uint8_t format, uint8_t send_event,       \
              uint32_t segment, uint32_t offset))

#define PRESENT_FUNCTIONS(FUNCTION)                                                                \
    FUNCTION(struct xcb_cookie, xcb_present_select_input_checked,                                  \
             (struct xcb *, uint32_t id, uint32_t window, uint32_t mask))                          \
    FUNCTION(struct xcb_cookie, xcb_present_notify_msc_checked,                                    \
             (struct xcb *, uint32_t window, uint32_t serial, uint64_t msc, uint64_t divisor,      \
              uint64_t remainder))

static struct {
    XCB_FUNCTIONS(WF_BASE_FUNCTION_MEMBER)
} x;
static struct {
    SHM_FUNCTIONS(WF_BASE_FUNCTION_MEMBER)
    void *xcb_shm_id;
} shm;
static struct {
    PRESENT_FUNCTIONS(WF_BASE_FUNCTION_MEMBER)
    void *xcb_present_id;
} refresh;
static struct xcb *(*xlib_connection)(void *display);

static const char *const xcb_names[] = {XCB_FUNCTIONS(WF_BASE_FUNCTION_NAME)};
static const char *const shm_names[] = {SHM_FUNCTIONS(WF_BASE_FUNCTION_NAME) "xcb_shm_id"};
static const char *const refresh_names[] = {
    PRESENT_FUNCTIONS(WF_BASE_FUNCTION_NAME) "xcb_present_id"};
static const char *const xlib_names[] = {"XGetXCBConnection"};

_Static_assert(sizeof x == sizeof xcb_names && sizeof shm == sizeof shm_names &&
                   sizeof refresh == sizeof refresh_names,
               "one name each");

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool xcb_there, shm_there, refresh_there, xlib_there;
static char xcb_reason[WF_BASE_LIBRARY_REASON], xlib_reason[WF_BASE_LIBRARY_REASON];

static void load_once(void)
{
    char nobody[WF_BASE_LIBRARY_REASON];
    xcb_there = wf_base_library_load("libxcb.so.1", xcb_names, COUNT(xcb_names), &x, xcb_reason);
    shm_there = wf_base_library_load("libxcb-shm.so.0", shm_names, COUNT(shm_names), &shm, nobody);
    refresh_there = wf_base_library_load("libxcb-present.so.0", refresh_names, COUNT(refresh_names),
                                         &refresh, nobody);
    xlib_there = wf_base_library_load("libX11-xcb.so.1", xlib_names, COUNT(xlib_names),
                                      &xlib_connection, xlib_reason);
}

static bool x11_load(weft_surface_kind kind, char reason[WF_BASE_LIBRARY_REASON])
{
    static struct wf_base_once once = WF_BASE_ONCE_INIT;
    wf_base_once(&once, load_once);
    const bool there = xcb_there && (kind == WEFT_SURFACE_XCB || xlib_there);
    if (!there)
        memcpy(reason, xcb_there ? xlib_reason : xcb_reason, WF_BASE_LIBRARY_REASON);
    return there;
}

// ---- a window ----------------------------------------------------------------------------------

struct x11_window {
    struct wf_sw_window base;
    struct xcb *connection;
    uint32_t id, gc;
    uint8_t depth;
    bool shares;     ///< The server may take shared memory.
    uint8_t *pixels; ///< BGRA, rows tight; of `capacity` bytes.
    size_t capacity;
    uint32_t segment;          ///< Of the server for `pixels`; 0: they are not shared.
    struct xcb_cookie pending; ///< The newest put.
    bool has_pending;
    struct xcb_special_event *refreshes; ///< NULL: nobody tells of them.
    uint32_t refresh_id;
    uint32_t serial;  ///< Of the refresh that is waited for.
    uint64_t give_up; ///< When it is not waited for any more; 0: it is not.
};

/// Another thread of the host may read our event off the socket, which then stays silent.
#define GLANCE_MS 4

static struct x11_window *x11_of(struct wf_sw_window *window)
{
    return (struct x11_window *)window;
}

static bool is_fine(struct x11_window *window, struct xcb_cookie cookie)
{
    struct xcb_error *const error = x.xcb_request_check(window->connection, cookie);
    free(error);
    return !error && !x.xcb_connection_has_error(window->connection);
}

/// Forgets whatever the server says to it.
static void ignore(struct x11_window *window, struct xcb_cookie cookie)
{
    x.xcb_discard_reply(window->connection, cookie.sequence);
}

struct look {
    uint32_t width, height, visual;
    uint8_t depth;
    bool viewable;
};

/// What the server says of the window; it has then carried out the puts before. False: gone.
static bool look(struct x11_window *window, struct look *out)
{
    struct xcb *const c = window->connection;
    struct xcb_error *errors[2] = {NULL};
    const struct xcb_cookie first = x.xcb_get_geometry(c, window->id);
    const struct xcb_cookie second = x.xcb_get_window_attributes(c, window->id);
    struct xcb_geometry *const geometry = x.xcb_get_geometry_reply(c, first, &errors[0]);
    struct xcb_attributes *const attributes =
        x.xcb_get_window_attributes_reply(c, second, &errors[1]);
    bool there = geometry && attributes;
    if (there)
        *out = (struct look){.width = geometry->width,
                             .height = geometry->height,
                             .visual = attributes->visual,
                             .depth = geometry->depth,
                             .viewable = attributes->map_state == XCB_MAP_VIEWABLE};
    free(geometry);
    free(attributes);
    free(errors[0]);
    free(errors[1]);
    if (window->has_pending) {
        window->has_pending = false;
        there = is_fine(window, window->pending) && there;
    }
    return there;
}

static const struct xcb_visual *find_visual(const struct xcb_setup *setup, uint32_t id)
{
    struct xcb_iterator screen = x.xcb_setup_roots_iterator(setup);
    for (; screen.rem > 0; x.xcb_screen_next(&screen)) {
        struct xcb_iterator depth = x.xcb_screen_allowed_depths_iterator(screen.data);
        for (; depth.rem > 0; x.xcb_depth_next(&depth)) {
            struct xcb_iterator visual = x.xcb_depth_visuals_iterator(depth.data);
            for (; visual.rem > 0; x.xcb_visualtype_next(&visual)) {
                const struct xcb_visual *const found = visual.data;
                if (found->id == id)
                    return found;
            }
        }
    }
    return NULL;
}

/// Whether a texel of the window is four bytes: blue, green, red, and one that is alpha or nothing.
static bool is_bgra(struct x11_window *window, const struct look *seen)
{
    const struct xcb_setup *const setup = x.xcb_get_setup(window->connection);
    const struct xcb_visual *const visual = find_visual(setup, seen->visual);
    uint8_t bits = 0;
    struct xcb_iterator it = x.xcb_setup_pixmap_formats_iterator(setup);
    for (; it.rem > 0; x.xcb_format_next(&it)) {
        const struct xcb_format *const format = it.data;
        if (format->depth == seen->depth)
            bits = format->bits;
    }
    return (seen->depth == 24 || seen->depth == 32) && bits == 32 &&
           setup->byte_order == XCB_LSB_FIRST && visual && visual->red == 0xff0000 &&
           visual->green == 0xff00 && visual->blue == 0xff;
}

/// Whether the server has an extension: asking it for one that it lacks would end the connection.
static bool has(struct xcb *connection, void *extension)
{
    const struct xcb_extension_reply *const reply = x.xcb_get_extension_data(connection, extension);
    return reply && reply->present;
}

static void open_refreshes(struct x11_window *window)
{
    struct xcb *const c = window->connection;
    if (!refresh_there || !has(c, refresh.xcb_present_id))
        return;
    window->refresh_id = x.xcb_generate_id(c);
    window->refreshes =
        x.xcb_register_for_special_xge(c, refresh.xcb_present_id, window->refresh_id, NULL);
    if (!window->refreshes) // its events would come to the host
        return;
    const struct xcb_cookie cookie = refresh.xcb_present_select_input_checked(
        c, window->refresh_id, window->id, PRESENT_COMPLETE_MASK);
    if (is_fine(window, cookie))
        return;
    x.xcb_unregister_for_special_event(c, window->refreshes);
    window->refreshes = NULL;
}

static weft_result open_window(struct x11_window *window, char reason[WF_BASE_LIBRARY_REASON])
{
    struct look seen;
    if (x.xcb_connection_has_error(window->connection) || !look(window, &seen)) {
        (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "the X server has no window 0x%x",
                       window->id);
        return WEFT_ERROR_SURFACE;
    }
    if (!is_bgra(window, &seen)) {
        (void)snprintf(reason, WF_BASE_LIBRARY_REASON,
                       "the window's texels (depth %u, visual 0x%x) are not 8-bit BGRA", seen.depth,
                       seen.visual);
        return WEFT_ERROR_UNSUPPORTED;
    }
    window->depth = seen.depth;
    window->shares = shm_there && has(window->connection, shm.xcb_shm_id);
    window->gc = x.xcb_generate_id(window->connection);
    const struct xcb_cookie cookie =
        x.xcb_create_gc_checked(window->connection, window->gc, window->id, 0, NULL);
    if (is_fine(window, cookie)) {
        open_refreshes(window);
        return WEFT_OK;
    }
    (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "the X server gives no graphics context");
    return WEFT_ERROR_SURFACE;
}

static weft_result x11_create(struct wf_hal_device *dev, const weft_surface_target *target,
                              struct wf_sw_window **out, char reason[WF_BASE_LIBRARY_REASON])
{
    struct x11_window *const window = wf_base_alloc_zero(dev->allocator, sizeof *window);
    if (!window)
        return WEFT_ERROR_MEMORY;
    window->id = (uint32_t)target->xid;
    window->connection =
        target->kind == WEFT_SURFACE_XLIB ? xlib_connection(target->display) : target->display;
    const weft_result result = open_window(window, reason);
    if (result == WEFT_OK)
        *out = &window->base;
    else
        wf_base_free(dev->allocator, window, sizeof *window);
    return result;
}

// ---- memory ------------------------------------------------------------------------------------

/// Memory that the server sees. False: it does not; the caller takes any other.
static bool share(struct x11_window *window, size_t size)
{
    const int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    if (id < 0)
        return false;
    void *const memory = shmat(id, NULL, 0);
    // shmat() fails with -1 cast to a pointer.
    bool fine = (intptr_t)memory != -1;
    if (fine) {
        window->segment = x.xcb_generate_id(window->connection);
        fine = is_fine(window, shm.xcb_shm_attach_checked(window->connection, window->segment,
                                                          (uint32_t)id, true));
    }
    (void)shmctl(id, IPC_RMID, NULL); // it goes when both have left it, also by a crash
    if (fine) {
        window->pixels = memory;
        return true;
    }
    window->segment = 0;
    window->shares = false; // a server elsewhere: it would refuse the next one as well
    if ((intptr_t)memory != -1)
        (void)shmdt(memory);
    return false;
}

static void drop_pixels(struct wf_hal_device *dev, struct x11_window *window)
{
    if (window->segment != 0) {
        ignore(window, shm.xcb_shm_detach_checked(window->connection, window->segment));
        (void)shmdt(window->pixels);
    } else {
        wf_base_free(dev->allocator, window->pixels, window->capacity);
    }
    window->segment = 0;
    window->pixels = NULL;
    window->capacity = 0;
}

/// Room for the window's texels. It only grows: a window that is dragged larger asks often.
static bool make_pixels(struct wf_hal_device *dev, struct x11_window *window)
{
    const size_t need = (size_t)window->base.width * window->base.height * 4;
    if (need <= window->capacity)
        return true;
    const size_t size = need + need / 4;
    drop_pixels(dev, window);
    if (!window->shares || !share(window, size))
        window->pixels = wf_base_alloc(dev->allocator, size);
    window->capacity = window->pixels ? size : 0;
    return window->pixels;
}

static void x11_destroy(struct wf_hal_device *dev, struct wf_sw_window *base)
{
    struct x11_window *const window = x11_of(base);
    if (window->has_pending)
        ignore(window, window->pending);
    drop_pixels(dev, window);
    if (window->refreshes) {
        ignore(window, refresh.xcb_present_select_input_checked(window->connection,
                                                                window->refresh_id, window->id, 0));
        x.xcb_unregister_for_special_event(window->connection, window->refreshes);
    }
    ignore(window, x.xcb_free_gc_checked(window->connection, window->gc));
    x.xcb_flush(window->connection);
    wf_base_free(dev->allocator, window, sizeof *window);
}

// ---- frames ------------------------------------------------------------------------------------

static bool x11_measure(struct wf_sw_window *base, uint32_t *width, uint32_t *height)
{
    struct look seen;
    if (!look(x11_of(base), &seen))
        return false;
    *width = seen.width;
    *height = seen.height;
    return true;
}

/// Asks to be told of the next refresh, which is when the newest put is surely shown.
static void ask_for_refresh(struct x11_window *window)
{
    if (!window->refreshes || !window->base.fifo)
        return;
    window->give_up = wf_base_deadline_ns(WF_HAL_WINDOW_GIVE_UP_NS);
    ignore(window, refresh.xcb_present_notify_msc_checked(window->connection, window->id,
                                                          ++window->serial, 0, 1, 0));
}

/// Takes the events of refreshes that came.
static void take_refreshes(struct x11_window *window)
{
    struct xcb_complete_event *event;
    while ((event = x.xcb_poll_for_special_event(window->connection, window->refreshes))) {
        if (event->serial == window->serial)
            window->give_up = 0;
        free(event);
    }
}

/// Until the refresh that was asked for. False: it has not come in the time that acquire may take.
static bool wait_for_refresh(struct x11_window *window)
{
    const uint64_t deadline = wf_base_deadline_ns(WF_HAL_WINDOW_WAIT_NS);
    while (window->give_up != 0 && !x.xcb_connection_has_error(window->connection)) {
        take_refreshes(window);
        const uint64_t now = wf_base_clock_ns();
        if (now >= window->give_up)
            window->give_up = 0;
        if (window->give_up == 0 || now >= deadline)
            break;
        struct pollfd fd = {.fd = x.xcb_get_file_descriptor(window->connection), .events = POLLIN};
        (void)poll(&fd, 1, GLANCE_MS);
    }
    return window->give_up == 0;
}

static weft_acquire_status x11_acquire(struct wf_sw_window *base)
{
    struct look seen;
    const bool in_time = !base->fifo || wait_for_refresh(x11_of(base));
    if (!look(x11_of(base), &seen))
        return WEFT_ACQUIRE_LOST;
    if (seen.width != base->width || seen.height != base->height)
        return WEFT_ACQUIRE_RECONFIGURE;
    if (!in_time)
        return WEFT_ACQUIRE_SKIP;
    if (seen.viewable)
        return WEFT_ACQUIRE_READY;
    // Nothing tells when it is shown again, and hosts ask in a loop.
    if (base->fifo)
        (void)nanosleep(&(struct timespec){.tv_nsec = (long)(WF_HAL_WINDOW_WAIT_NS / 10)}, NULL);
    return WEFT_ACQUIRE_SKIP;
}

/// Sends whole rows, as many at a time as a request takes.
static void put_rows(struct x11_window *window, const weft_rect *rows)
{
    const size_t row_bytes = (size_t)window->base.width * 4;
    const size_t most = (size_t)x.xcb_get_maximum_request_length(window->connection) * 4;
    const size_t fit = (most - MAX_REQUEST_HEADER) / row_bytes;
    const uint32_t step = fit > 0 ? (uint32_t)(fit < rows->height ? fit : rows->height) : 1;
    const uint32_t end = (uint32_t)rows->y + rows->height;
    for (uint32_t y = (uint32_t)rows->y; y < end; y += step) {
        const uint32_t count = step < end - y ? step : end - y;
        if (window->has_pending)
            ignore(window, window->pending);
        window->pending = x.xcb_put_image_checked(
            window->connection, XCB_Z_PIXMAP, window->id, window->gc, (uint16_t)window->base.width,
            (uint16_t)count, 0, (int16_t)y, 0, window->depth, (uint32_t)(count * row_bytes),
            window->pixels + y * row_bytes);
        window->has_pending = true;
    }
}

static weft_result x11_present(struct wf_hal_device *dev, struct wf_sw_window *base,
                               const struct wf_sw_image *image, const weft_rect *area)
{
    struct x11_window *const window = x11_of(base);
    if (!make_pixels(dev, window))
        return WEFT_ERROR_MEMORY;
    const weft_rect rows = {0, area->y, base->width, area->height};
    const weft_rect *const sent = window->segment != 0 ? area : &rows;
    wf_sw_window_copy(image, sent, window->pixels, (size_t)base->width * 4);
    if (window->segment != 0) {
        window->pending = shm.xcb_shm_put_image_checked(
            window->connection, window->id, window->gc, (uint16_t)base->width,
            (uint16_t)base->height, (uint16_t)area->x, (uint16_t)area->y, (uint16_t)area->width,
            (uint16_t)area->height, (int16_t)area->x, (int16_t)area->y, window->depth, XCB_Z_PIXMAP,
            false, window->segment, 0);
        window->has_pending = true;
    } else {
        put_rows(window, &rows);
    }
    ask_for_refresh(window);
    return x.xcb_flush(window->connection) > 0 ? WEFT_OK : WEFT_ERROR_SURFACE;
}

const struct wf_sw_window_system wf_sw_window_x11 = {
    .modes = 1u << WEFT_PRESENT_FIFO | 1u << WEFT_PRESENT_IMMEDIATE,
    .load = x11_load,
    .create = x11_create,
    .destroy = x11_destroy,
    .measure = x11_measure,
    .acquire = x11_acquire,
    .present = x11_present,
};

#endif
