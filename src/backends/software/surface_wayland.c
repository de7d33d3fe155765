// Wayland windows by wl_shm.
#define _GNU_SOURCE // NOLINT(readability-identifier-naming): glibc names it; for memfd_create()
#include "backends/software/window.h"

#if defined(__unix__)

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hal/wayland.h"

#define w wf_hal_wl // NOLINT(readability-identifier-naming): it stands before every call

// Requests by their number in the protocol.
enum {
    DISPLAY_GET_REGISTRY = 1,
    REGISTRY_BIND = 0,
    SHM_CREATE_POOL = 0,
    POOL_CREATE_BUFFER = 0,
    POOL_DESTROY = 1,
    BUFFER_DESTROY = 0,
    SURFACE_ATTACH = 1,
    SURFACE_DAMAGE = 2,
    SURFACE_COMMIT = 6,
    SURFACE_DAMAGE_BUFFER = 9,
};
#define DAMAGE_BUFFER_VERSION 4u
#define MARSHAL_DESTROY       1u
#define FORMAT_XRGB8888       1u

static bool wayland_load(weft_surface_kind kind, char reason[WF_BASE_LIBRARY_REASON])
{
    (void)kind;
    return wf_hal_wayland_load(reason);
}

/// Sends a request that makes no object.
#define SEND(proxy, ...) (void)w.wl_proxy_marshal_flags(proxy, __VA_ARGS__)

// ---- a window ----------------------------------------------------------------------------------

/// The compositor reads it from `busy` on until it releases it.
struct frame_buffer {
    struct wl_proxy *pool, *buffer;
    uint8_t *memory; ///< `capacity` bytes.
    size_t capacity;
    uint32_t width, height; ///< Of `buffer`.
    bool busy;
};

/// One is shown, one waits to be shown, one is drawn to, and one is left over from another size.
#define BUFFERS 4u

struct wayland_window {
    struct wf_sw_window base;
    struct wf_hal_wayland host;
    struct wl_proxy *shm;
    struct frame_buffer buffers[BUFFERS];
};

static struct wayland_window *wayland_of(struct wf_sw_window *window)
{
    return (struct wayland_window *)window;
}

static void on_global(void *user, struct wl_proxy *registry, uint32_t name, const char *interface,
                      uint32_t version)
{
    struct wayland_window *const window = user;
    (void)version; // 1 does all that is needed
    if (!window->shm && strcmp(interface, "wl_shm") == 0)
        window->shm = w.wl_proxy_marshal_flags(registry, REGISTRY_BIND, w.shm, 1, 0, name,
                                               interface, 1u, NULL);
}

static void on_global_remove(void *user, struct wl_proxy *registry, uint32_t name)
{
    (void)user, (void)registry, (void)name;
}

static void on_release(void *user, struct wl_proxy *buffer)
{
    (void)buffer;
    ((struct frame_buffer *)user)->busy = false;
}

static wf_hal_wayland_listener *const registry_listener[] = {
    (wf_hal_wayland_listener *)on_global, (wf_hal_wayland_listener *)on_global_remove};
static wf_hal_wayland_listener *const buffer_listener[] = {(wf_hal_wayland_listener *)on_release};

/// Finds wl_shm without the host's queue seeing anything of it.
static bool bind_shm(struct wayland_window *window)
{
    struct wl_proxy *const display = w.wl_proxy_create_wrapper(window->host.display);
    if (!display)
        return false;
    w.wl_proxy_set_queue(display, window->host.queue);
    struct wl_proxy *const registry =
        w.wl_proxy_marshal_flags(display, DISPLAY_GET_REGISTRY, w.registry, 1, 0, NULL);
    w.wl_proxy_wrapper_destroy(display);
    if (!registry)
        return false;
    (void)w.wl_proxy_add_listener(registry, registry_listener, window);
    (void)w.wl_display_roundtrip_queue(window->host.display, window->host.queue);
    w.wl_proxy_destroy(registry);
    return window->shm;
}

static void drop_buffer(struct frame_buffer *buffer)
{
    if (buffer->buffer)
        SEND(buffer->buffer, BUFFER_DESTROY, NULL, 1, MARSHAL_DESTROY);
    if (buffer->pool)
        SEND(buffer->pool, POOL_DESTROY, NULL, 1, MARSHAL_DESTROY);
    if (buffer->memory)
        (void)munmap(buffer->memory, buffer->capacity);
    *buffer = (struct frame_buffer){0};
}

static void wayland_destroy(struct wf_hal_device *dev, struct wf_sw_window *base)
{
    struct wayland_window *const window = wayland_of(base);
    for (uint32_t i = 0; i < BUFFERS; i++)
        drop_buffer(&window->buffers[i]);
    if (window->shm)
        w.wl_proxy_destroy(window->shm);
    wf_hal_wayland_close(&window->host);
    wf_base_free(dev->allocator, window, sizeof *window);
}

static weft_result wayland_create(struct wf_hal_device *dev, const weft_surface_target *target,
                                  struct wf_sw_window **out, char reason[WF_BASE_LIBRARY_REASON])
{
    struct wayland_window *const window = wf_base_alloc_zero(dev->allocator, sizeof *window);
    if (!window)
        return WEFT_ERROR_MEMORY;
    if (!wf_hal_wayland_open(&window->host, target->display, target->window)) {
        wf_base_free(dev->allocator, window, sizeof *window);
        return WEFT_ERROR_MEMORY;
    }
    if (bind_shm(window)) {
        *out = &window->base;
        return WEFT_OK;
    }
    (void)snprintf(reason, WF_BASE_LIBRARY_REASON,
                   "the compositor gives no shared memory (wl_shm)");
    wayland_destroy(dev, &window->base);
    return WEFT_ERROR_SURFACE;
}

// ---- buffers -----------------------------------------------------------------------------------

/// Memory that the compositor maps as well.
static bool make_pool(struct wayland_window *window, struct frame_buffer *out, size_t size)
{
    const int fd = size <= INT32_MAX ? memfd_create("weft", MFD_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    void *memory = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory != MAP_FAILED) {
        out->memory = memory;
        out->capacity = size;
        out->pool = w.wl_proxy_marshal_flags(window->shm, SHM_CREATE_POOL, w.pool, 1, 0, NULL, fd,
                                             (int32_t)size);
    }
    (void)close(fd); // the request has a copy
    return out->pool;
}

/// Gives the buffer the window's size. It is not busy.
static bool fit_buffer(struct wayland_window *window, struct frame_buffer *out)
{
    const uint32_t width = window->base.width, height = window->base.height;
    const size_t need = (size_t)width * height * 4;
    if (out->buffer && out->width == width && out->height == height)
        return true;
    if (out->buffer)
        SEND(out->buffer, BUFFER_DESTROY, NULL, 1, MARSHAL_DESTROY);
    out->buffer = NULL;
    if (need > out->capacity) { // more than now: a window that is dragged larger asks often
        drop_buffer(out);
        if (!make_pool(window, out, need + need / 4))
            return false;
    }
    out->width = width;
    out->height = height;
    out->buffer = w.wl_proxy_marshal_flags(out->pool, POOL_CREATE_BUFFER, w.buffer, 1, 0, NULL, 0,
                                           (int32_t)width, (int32_t)height, (int32_t)(width * 4),
                                           FORMAT_XRGB8888);
    if (out->buffer)
        (void)w.wl_proxy_add_listener(out->buffer, buffer_listener, out);
    return out->buffer;
}

static struct frame_buffer *free_buffer(struct wayland_window *window)
{
    for (uint32_t i = 0; i < BUFFERS; i++) {
        if (!window->buffers[i].busy)
            return &window->buffers[i];
    }
    return NULL;
}

// ---- frames ------------------------------------------------------------------------------------

static bool has_free_buffer(void *user)
{
    return free_buffer(user);
}

static weft_acquire_status wayland_acquire(struct wf_sw_window *base)
{
    struct wayland_window *const window = wayland_of(base);
    return wf_hal_wayland_wait(&window->host, base->fifo, has_free_buffer, window);
}

/// A Wayland surface has no size before it is presented to: it takes that of the configuration.
// NOLINTNEXTLINE(readability-non-const-parameter): the table says what its type is
static bool wayland_measure(struct wf_sw_window *base, uint32_t *width, uint32_t *height)
{
    (void)width, (void)height;
    return w.wl_display_get_error(wayland_of(base)->host.display) == 0;
}

static void commit(struct wayland_window *window, struct frame_buffer *buffer,
                   const weft_rect *area)
{
    struct wl_proxy *const surface = window->host.surface;
    const uint32_t version = w.wl_proxy_get_version(surface);
    SEND(surface, SURFACE_ATTACH, NULL, version, 0, buffer->buffer, 0, 0);
    if (version >= DAMAGE_BUFFER_VERSION)
        SEND(surface, SURFACE_DAMAGE_BUFFER, NULL, version, 0, area->x, area->y,
             (int32_t)area->width, (int32_t)area->height);
    else // in the surface's own units, which the buffer's scale is not known in
        SEND(surface, SURFACE_DAMAGE, NULL, version, 0, 0, 0, INT32_MAX, INT32_MAX);
    wf_hal_wayland_ask(&window->host);
    SEND(surface, SURFACE_COMMIT, NULL, version, 0);
    buffer->busy = true;
}

static weft_result wayland_present(struct wf_hal_device *dev, struct wf_sw_window *base,
                                   const struct wf_sw_image *image, const weft_rect *area)
{
    struct wayland_window *const window = wayland_of(base);
    struct frame_buffer *const buffer = free_buffer(window); // acquire() saw one
    (void)dev;
    if (!buffer || !fit_buffer(window, buffer))
        return WEFT_ERROR_MEMORY;
    const weft_rect whole = {0, 0, base->width, base->height}; // it holds some older frame
    wf_sw_window_copy(image, &whole, buffer->memory, (size_t)base->width * 4);
    commit(window, buffer, area);
    if (w.wl_display_flush(window->host.display) < 0 &&
        errno != EAGAIN) // a full socket is read later
        return WEFT_ERROR_SURFACE;
    return WEFT_OK;
}

const struct wf_sw_window_system wf_sw_window_wayland = {
    .modes = 1u << WEFT_PRESENT_FIFO | 1u << WEFT_PRESENT_MAILBOX | 1u << WEFT_PRESENT_IMMEDIATE,
    .load = wayland_load,
    .create = wayland_create,
    .destroy = wayland_destroy,
    .measure = wayland_measure,
    .acquire = wayland_acquire,
    .present = wayland_present,
};

#endif
