// What a user and a window manager do to the one window of an X server, and what it shows.
// usage: window_probe grab FILE.ppm | title | size | resize WIDTH HEIGHT | hide | show | close
//                     | key KEYSYM | drag BUTTON DX DY | wheel STEPS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

static xcb_connection_t *server;
static xcb_screen_t *screen;
static xcb_window_t window;
static xcb_get_geometry_reply_t *geometry;

static int fail(const char *why)
{
    (void)fprintf(stderr, "window_probe: %s\n", why);
    exit(1);
}

/// The largest child of the root: SDL makes small ones of its own.
static void find_window(void)
{
    xcb_query_tree_reply_t *tree =
        xcb_query_tree_reply(server, xcb_query_tree(server, screen->root), NULL);
    if (!tree)
        fail("the server does not answer");
    const xcb_window_t *children = xcb_query_tree_children(tree);
    for (int i = 0; i < xcb_query_tree_children_length(tree); i++) {
        xcb_get_geometry_reply_t *g =
            xcb_get_geometry_reply(server, xcb_get_geometry(server, children[i]), NULL);
        if (g && g->width > 16 && (!geometry || g->width > geometry->width)) {
            free(geometry);
            geometry = g;
            window = children[i];
        } else {
            free(g);
        }
    }
    free(tree);
    if (!window)
        fail("there is no window yet");
}

static void grab(const char *path)
{
    const uint16_t width = geometry->width, height = geometry->height;
    xcb_get_image_reply_t *image = xcb_get_image_reply(
        server,
        xcb_get_image(server, XCB_IMAGE_FORMAT_Z_PIXMAP, window, 0, 0, width, height, UINT32_MAX),
        NULL);
    if (!image)
        fail("the window is not shown");
    const uint8_t *texels = xcb_get_image_data(image);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail("the file cannot be written");
    (void)fprintf(file, "P6\n%u %u\n255\n", width, height);
    const size_t count = (size_t)width * height;
    for (size_t i = 0; i < count; i++) {
        const uint8_t rgb[3] = {texels[4 * i + 2], texels[4 * i + 1], texels[4 * i]};
        (void)fwrite(rgb, 1, sizeof rgb, file);
    }
    free(image);
    if (fclose(file) != 0)
        fail("the file cannot be written");
}

static xcb_atom_t atom(const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        server, xcb_intern_atom(server, 0, (uint16_t)strlen(name), name), NULL);
    const xcb_atom_t value = reply ? reply->atom : XCB_ATOM_NONE;
    free(reply);
    return value;
}

static void print_title(void)
{
    xcb_get_property_reply_t *reply = xcb_get_property_reply(
        server,
        xcb_get_property(server, 0, window, atom("_NET_WM_NAME"), atom("UTF8_STRING"), 0, 256),
        NULL);
    if (reply)
        printf("%.*s\n", xcb_get_property_value_length(reply),
               (const char *)xcb_get_property_value(reply));
    free(reply);
}

static void ask_to_close(void)
{
    const xcb_client_message_event_t event = {
        .response_type = XCB_CLIENT_MESSAGE,
        .format = 32,
        .window = window,
        .type = atom("WM_PROTOCOLS"),
        .data.data32 = {atom("WM_DELETE_WINDOW"), XCB_CURRENT_TIME},
    };
    xcb_send_event(server, 0, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&event);
}

/// As if the user's own mouse and keyboard did it.
static void fake(uint8_t type, uint8_t detail, int x, int y)
{
    xcb_test_fake_input(server, type, detail, XCB_CURRENT_TIME, screen->root, (int16_t)x,
                        (int16_t)y, 0);
}

static void press_key(uint32_t keysym)
{
    const xcb_setup_t *setup = xcb_get_setup(server);
    const uint8_t count = (uint8_t)(setup->max_keycode - setup->min_keycode + 1);
    xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(
        server, xcb_get_keyboard_mapping(server, setup->min_keycode, count), NULL);
    const xcb_keysym_t *keysyms = map ? xcb_get_keyboard_mapping_keysyms(map) : NULL;
    for (uint8_t i = 0; map && i < count; i++)
        if (keysyms[(size_t)i * map->keysyms_per_keycode] == keysym) {
            fake(XCB_KEY_PRESS, (uint8_t)(setup->min_keycode + i), 0, 0);
            fake(XCB_KEY_RELEASE, (uint8_t)(setup->min_keycode + i), 0, 0);
        }
    free(map);
}

/// Over the window.
static void point(int dx, int dy)
{
    fake(XCB_MOTION_NOTIFY, 0, geometry->x + geometry->width / 2 + dx,
         geometry->y + geometry->height / 2 + dy);
}

static void drag(uint8_t button, int dx, int dy)
{
    enum { STEPS = 5 };
    point(0, 0);
    fake(XCB_BUTTON_PRESS, button, 0, 0);
    for (int i = 1; i <= STEPS; i++)
        point(dx * i / STEPS, dy * i / STEPS);
    fake(XCB_BUTTON_RELEASE, button, 0, 0);
}

static void wheel(int steps)
{
    point(0, 0);
    for (int i = 0; i < abs(steps); i++) {
        fake(XCB_BUTTON_PRESS, steps > 0 ? 4 : 5, 0, 0);
        fake(XCB_BUTTON_RELEASE, steps > 0 ? 4 : 5, 0, 0);
    }
}

static int number(int argc, char **argv, int index)
{
    return index < argc ? atoi(argv[index]) : fail("a number is missing");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    server = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(server))
        fail("there is no server");
    screen = xcb_setup_roots_iterator(xcb_get_setup(server)).data;
    find_window();
    if (strcmp(what, "grab") == 0 && argc > 2)
        grab(argv[2]);
    else if (strcmp(what, "title") == 0)
        print_title();
    else if (strcmp(what, "size") == 0)
        printf("%ux%u\n", geometry->width, geometry->height);
    else if (strcmp(what, "resize") == 0)
        xcb_configure_window(
            server, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
            (uint32_t[]){(uint32_t)number(argc, argv, 2), (uint32_t)number(argc, argv, 3)});
    else if (strcmp(what, "hide") == 0)
        xcb_unmap_window(server, window);
    else if (strcmp(what, "show") == 0)
        xcb_map_window(server, window);
    else if (strcmp(what, "close") == 0)
        ask_to_close();
    else if (strcmp(what, "key") == 0)
        press_key((uint32_t)number(argc, argv, 2));
    else if (strcmp(what, "drag") == 0)
        drag((uint8_t)number(argc, argv, 2), number(argc, argv, 3), number(argc, argv, 4));
    else if (strcmp(what, "wheel") == 0)
        wheel(number(argc, argv, 2));
    else
        fail("what?");
    // The answer to a last request says that the server has carried out all before it.
    free(xcb_get_input_focus_reply(server, xcb_get_input_focus(server), NULL));
    free(geometry);
    xcb_disconnect(server);
    return 0;
}
