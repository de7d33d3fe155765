// A window of X11 through its life: shown, resized, given pixels.
#include "faults.h"

#include "support/record.h"

#include <xcb/xcb.h>

enum { SIDE = 32 };

static xcb_connection_t *connection;

bool scene_window_open(void)
{
    if (!connection)
        connection = xcb_connect(NULL, NULL);
    return !xcb_connection_has_error(connection);
}

static void open_window(xcb_window_t window)
{
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, SIDE, SIDE, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    xcb_map_window(connection, window);
}

/// The answer to a question comes after everything before it.
static void settle(void)
{
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
}

static bool configure(struct scene *s, weft_surface surface)
{
    const weft_surface_config config = {
        .width = SIDE, .height = SIDE, .usage = WEFT_TEXTURE_USAGE_COPY_DST};
    return scene_ok(s, weft_surface_configure(s->dev, surface, &config));
}

/// As a host does: what is out of date is configured again, and again.
static bool acquire(struct scene *s, weft_surface surface, weft_surface_image *image)
{
    for (int i = 0; i < 4; ++i) {
        if (!scene_ok(s, weft_surface_acquire(s->dev, surface, image)))
            return false;
        if (image->status == WEFT_ACQUIRE_READY)
            return true;
        if (!configure(s, surface))
            return false;
    }
    return scene_ok(s, WEFT_ERROR_TIMEOUT);
}

static bool show(struct scene *s, weft_surface surface)
{
    weft_surface_image image;
    weft_command_buffer *cmd;
    if (!acquire(s, surface, &image) || !scene_ok(s, weft_command_begin(s->dev, NULL, &cmd)))
        return false;
    weft_render_end(record_pass(cmd, image.view));
    if (!scene_ok(s, weft_command_end(cmd)))
        return false;
    const weft_submit work = {
        .commands = &cmd, .command_count = 1, .surfaces = &surface, .surface_count = 1};
    if (!scene_ok(s, weft_queue_submit(s->dev, WEFT_QUEUE_GRAPHICS, &work, NULL))) {
        weft_command_discard(cmd);
        return false;
    }
    const weft_result result = weft_surface_present(s->dev, surface, NULL, 0);
    return result == WEFT_SKIP || scene_ok(s, result);
}

static bool resize(xcb_window_t window)
{
    const uint32_t size[2] = {SIDE * 2, SIDE * 2};
    xcb_configure_window(connection, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
                         size);
    settle();
    return true;
}

static bool present_pixels(struct scene *s, weft_surface surface)
{
    static const uint8_t pixels[SIDE * 2][SIDE * 2][4];
    weft_surface_image image;
    if (!acquire(s, surface, &image))
        return false;
    const weft_result result = weft_surface_present_pixels(s->dev, surface, pixels, 0);
    return result == WEFT_SKIP || scene_ok(s, result);
}

void scene_window(struct scene *s)
{
    const xcb_window_t window = xcb_generate_id(connection);
    open_window(window);
    settle();
    const weft_surface_desc desc = {
        .target = {.kind = WEFT_SURFACE_XCB, .display = connection, .xid = window}};
    weft_surface surface;
    weft_surface_info info;
    weft_surface_image unused;
    const bool ok = scene_ok(s, weft_surface_create(s->dev, &desc, &surface)) &&
                    scene_ok(s, weft_surface_query(s->dev, surface, &info)) &&
                    configure(s, surface) && show(s, surface) && show(s, surface) &&
                    resize(window) && show(s, surface) && show(s, surface) &&
                    present_pixels(s, surface) && configure(s, surface) && show(s, surface) &&
                    acquire(s, surface, &unused) && configure(s, surface) && show(s, surface);
    weft_surface_destroy(s->dev, surface);
    xcb_destroy_window(connection, window);
    settle();
    (void)ok;
}
