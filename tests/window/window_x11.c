// X11 windows through the public API: what the server shows, and what becomes of windows that are
// resized, hidden and closed. Needs a display.
#include "window_draw.h"

#include "support/host_memory.h"

#include <time.h>
#include <xcb/xcb.h>
#if WEFT_TEST_VULKAN
#include <weft/interop/vulkan.h>
#endif

static xcb_connection_t *server;
static xcb_screen_t *screen;

static void open_server(void)
{
    server = xcb_connect(NULL, NULL);
    EXPECT(!xcb_connection_has_error(server));
    screen = xcb_setup_roots_iterator(xcb_get_setup(server)).data;
}

/// The host's own queue holds no error: all of ours came back to us.
static void expect_no_error(void)
{
    xcb_generic_event_t *event;
    free(xcb_get_input_focus_reply(server, xcb_get_input_focus(server), NULL)); // all has come
    while ((event = xcb_poll_for_event(server))) {
        EXPECT(event->response_type != 0);
        free(event);
    }
}

static void close_server(void)
{
    if (window_backend() == WEFT_BACKEND_SOFTWARE) // SwiftShader's come to the host
        expect_no_error();
    xcb_disconnect(server);
}

static xcb_window_t open_window(uint16_t width, uint16_t height)
{
    const xcb_window_t window = xcb_generate_id(server);
    const uint32_t values[] = {screen->black_pixel, 1, XCB_EVENT_MASK_STRUCTURE_NOTIFY};
    // Without a window manager, which there is not, it is shown at once.
    xcb_create_window(server, XCB_COPY_FROM_PARENT, window, screen->root, 0, 0, width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
    xcb_map_window(server, window);
    xcb_flush(server);
    return window;
}

static void resize(xcb_window_t window, uint32_t width, uint32_t height)
{
    const uint32_t values[] = {width, height};
    xcb_configure_window(server, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
                         values);
    xcb_flush(server);
}

static weft_surface_target target_of(xcb_window_t window)
{
    return (weft_surface_target){.kind = WEFT_SURFACE_XCB, .display = server, .xid = window};
}

/// What the server shows at x, y: 0xRRGGBB.
static uint32_t texel(xcb_window_t window, int16_t x, int16_t y)
{
    xcb_get_image_reply_t *reply = xcb_get_image_reply(
        server, xcb_get_image(server, XCB_IMAGE_FORMAT_Z_PIXMAP, window, x, y, 1, 1, UINT32_MAX),
        NULL);
    EXPECT(reply != NULL);
    uint32_t value;
    memcpy(&value, xcb_get_image_data(reply), sizeof value);
    free(reply);
    return value & 0xffffff;
}

/// Presents are asynchronous on some backends: waits until it is shown.
static bool shows(xcb_window_t window, int16_t x, int16_t y, uint32_t color)
{
    uint32_t got = 0;
    for (int i = 0; i < 200; i++) {
        got = texel(window, x, y);
        if (got == color)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    (void)fprintf(stderr, "at %d,%d: %06x instead of %06x\n", x, y, got, color);
    return false;
}

struct window {
    xcb_window_t id;
    weft_surface_target target;
    weft_surface surface;
};

static struct window make(struct fixture *f, uint16_t width, uint16_t height)
{
    struct window window = {.id = open_window(width, height)};
    window.target = target_of(window.id);
    if (!f->dev)
        *f = window_device(&window.target);
    window.surface = window_surface(f, &window.target);
    window_configure(f, window.surface, &(weft_surface_config){.format = WEFT_FORMAT_BGRA8_UNORM});
    return window;
}

static void unmake(struct fixture *f, struct window *window)
{
    weft_surface_destroy(f->dev, window->surface);
    xcb_destroy_window(server, window->id);
}

TEST(x11, a_frame_is_shown_in_every_format)
{
    open_server();
    const xcb_window_t id = open_window(61, 37);
    const weft_surface_target target = target_of(id);
    struct fixture f = window_device(&target);
    const weft_surface surface = window_surface(&f, &target);
    weft_surface_info info;
    EXPECT_EQ(weft_surface_query(f.dev, surface, &info), WEFT_OK);
    EXPECT(info.format_count > 0);
    for (uint32_t i = 0; i < info.format_count; i++) {
        const weft_format_info *format = weft_format_get_info(info.formats[i]);
        if (format->block_bytes != 4)
            continue;
        // 0 and 255 are the same in sRGB.
        const weft_surface_config config =
            window_configure(&f, surface, &(weft_surface_config){.format = info.formats[i]});
        EXPECT_EQ(config.width, 61);
        EXPECT_EQ(config.height, 37);
        window_frame(&f, surface, 0xff0000);
        EXPECT(shows(id, 0, 0, 0xff0000));
        window_frame(&f, surface, 0x0000ff);
        EXPECT(shows(id, 60, 36, 0x0000ff));
        window_frame(&f, surface, 0x00ff00);
        EXPECT(shows(id, 30, 18, 0x00ff00));
    }
    weft_surface_destroy(f.dev, surface);
    fixture_close(&f);
    close_server();
}

TEST(x11, pixels_of_the_cpu_come_out_where_they_were)
{
    enum { WIDTH = 33, HEIGHT = 9 };
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, WIDTH, HEIGHT);
    uint32_t pixels[HEIGHT][WIDTH + 3];
    for (uint32_t i = 0; i < HEIGHT * (WIDTH + 3); i++)
        pixels[i / (WIDTH + 3)][i % (WIDTH + 3)] = (i + 1) * 0x010305;
    EXPECT_EQ(weft_surface_present_pixels(f.dev, window.surface, pixels, sizeof pixels[0]),
              WEFT_OK);
    EXPECT(shows(window.id, WIDTH - 1, HEIGHT - 1, pixels[HEIGHT - 1][WIDTH - 1] & 0xffffff));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            EXPECT_EQ(texel(window.id, (int16_t)x, (int16_t)y), pixels[y][x] & 0xffffff);
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

/// More than a request of the protocol holds.
TEST(x11, a_large_window_is_shown_whole)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 2560, 2048);
    window_frame(&f, window.surface, 0x123456);
    EXPECT(shows(window.id, 2559, 2047, 0x123456));
    EXPECT(shows(window.id, 1280, 1639, 0x123456));
    EXPECT(shows(window.id, 0, 0, 0x123456));
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

TEST(x11, damage_shows_at_least_what_it_covers)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 40, 30);
    window_frame(&f, window.surface, 0x101010);
    window_begin(&f, window.surface, 0x808080);
    const weft_rect damage[] = {{10, 5, 4, 4}, {20, 15, 6, 7}, {0, 0, 0, 0}};
    EXPECT_EQ(weft_surface_present(f.dev, window.surface, damage, 3), WEFT_OK);
    EXPECT(shows(window.id, 10, 5, 0x808080));
    EXPECT(shows(window.id, 25, 21, 0x808080));
    if (window_backend() == WEFT_BACKEND_SOFTWARE)
        EXPECT(shows(window.id, 26, 22, 0x101010));
    window_begin(&f, window.surface, 0x909090);
    EXPECT_EQ(weft_surface_present(f.dev, window.surface, damage + 2, 1), WEFT_OK);
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

static void present(struct fixture *f, const struct window *window)
{
    const weft_result result = weft_surface_present(f->dev, window->surface, NULL, 0);
    EXPECT(result == WEFT_OK || result == WEFT_SKIP);
}

/// Acquires an image of the window's size, configuring the surface as it asks: what a host's loop
/// does. The software device asks at once; a driver may show some frames of the old size before.
static weft_surface_image settle(struct fixture *f, const struct window *window, uint32_t width,
                                 uint32_t height)
{
    weft_surface_image image;
    for (int i = 0; i < 100; i++) {
        EXPECT_EQ(weft_surface_acquire(f->dev, window->surface, &image) < 0, false);
        if (image.status == WEFT_ACQUIRE_READY && image.width == width && image.height == height)
            return image;
        if (image.status == WEFT_ACQUIRE_READY) {
            EXPECT(window_backend() != WEFT_BACKEND_SOFTWARE);
            window_draw(f, window->surface, &image, 0x0f0f0f);
            present(f, window);
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
        if (image.status == WEFT_ACQUIRE_RECONFIGURE)
            window_configure(f, window->surface,
                             &(weft_surface_config){.format = WEFT_FORMAT_BGRA8_UNORM});
    }
    test_fail(__FILE__, __LINE__, "the surface is not ready");
}

TEST(x11, a_resized_window_is_configured_again)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 50, 40);
    window_frame(&f, window.surface, 0x111111);
    static const uint16_t sizes[][2] = {{70, 60}, {30, 90}, {1, 1}, {300, 200}, {299, 200}};
    for (uint32_t i = 0; i < 5; i++) {
        resize(window.id, sizes[i][0], sizes[i][1]);
        const weft_surface_image image = settle(&f, &window, sizes[i][0], sizes[i][1]);
        window_draw(&f, window.surface, &image, 0x202020 + i);
        present(&f, &window);
        EXPECT(
            shows(window.id, (int16_t)(sizes[i][0] - 1), (int16_t)(sizes[i][1] - 1), 0x202020 + i));
    }
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

#if WEFT_TEST_VULKAN
/// Work that comes to no end until the host says so: whoever waits for the device waits for ever.
TEST(x11, a_window_is_configured_again_while_the_device_is_busy)
{
    if (window_backend() != WEFT_BACKEND_VULKAN) {
        test_skip("the software device draws to its windows itself, in order");
        return;
    }
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 50, 40);
    weft_timeline timeline;
    weft_vulkan_device native;
    VkSemaphore semaphore;
    EXPECT_EQ(weft_timeline_create(f.dev, NULL, &timeline), WEFT_OK);
    EXPECT_EQ(weft_vulkan_get_device(f.dev, &native), WEFT_OK);
    EXPECT_EQ(weft_vulkan_get_timeline(f.dev, timeline, &semaphore), WEFT_OK);
    const PFN_vkSignalSemaphore signal =
        (PFN_vkSignalSemaphore)native.get_instance_proc_addr(native.instance, "vkSignalSemaphore");
    EXPECT(signal != NULL);
    for (uint64_t i = 1; i <= 12; i++) {
        const uint32_t width = 50 + 10 * (uint32_t)i, height = 90 - (uint32_t)i;
        window_frame(&f, window.surface, 0x111111);
        EXPECT_EQ(weft_native_promise(f.dev, timeline, i), WEFT_OK);
        const weft_timeline_point until = {
            .timeline = timeline, .value = i, .stages = WEFT_STAGE_ALL};
        EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS,
                                    &(weft_submit){.waits = &until, .wait_count = 1}, NULL),
                  WEFT_OK);
        resize(window.id, width, height);
        free(xcb_get_input_focus_reply(server, xcb_get_input_focus(server), NULL)); // it has it
        const weft_surface_config config = window_configure(
            &f, window.surface, &(weft_surface_config){.format = WEFT_FORMAT_BGRA8_UNORM});
        EXPECT_EQ(config.width, width);
        EXPECT_EQ(config.height, height);
        EXPECT_EQ(signal(native.device,
                         &(VkSemaphoreSignalInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                                  .semaphore = semaphore,
                                                  .value = i}),
                  VK_SUCCESS);
        for (int k = 0; k < 5; k++) {
            const weft_surface_image image = settle(&f, &window, width, height);
            window_draw(&f, window.surface, &image, 0x202020 + (uint32_t)i);
            present(&f, &window);
        }
        EXPECT(
            shows(window.id, (int16_t)(width - 1), (int16_t)(height - 1), 0x202020 + (uint32_t)i));
    }
    weft_timeline_destroy(f.dev, timeline);
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}
#endif

/// The window changes while a frame is drawn: that frame is shown or not, and the next one fits.
TEST(x11, a_window_is_resized_between_acquire_and_present)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 50, 40);
    uint32_t width = 50, height = 40;
    for (uint32_t i = 0; i < 10; i++) {
        const weft_surface_image image = settle(&f, &window, width, height);
        window_draw(&f, window.surface, &image, 0x303030);
        width = 50 + 13 * (i % 3);
        height = 40 + 7 * (i % 4);
        resize(window.id, width, height);
        present(&f, &window);
    }
    const weft_surface_image image = settle(&f, &window, width, height);
    window_draw(&f, window.surface, &image, 0x404040);
    present(&f, &window);
    EXPECT(shows(window.id, 49, 46, 0x404040));
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

TEST(x11, two_windows_share_a_device)
{
    open_server();
    struct fixture f = {0};
    struct window windows[2] = {make(&f, 40, 40), make(&f, 60, 30)};
    xcb_configure_window(server, windows[1].id, XCB_CONFIG_WINDOW_X, &(uint32_t){200});
    for (uint32_t i = 0; i < 8; i++) {
        window_begin(&f, windows[0].surface, 0x500000 + i);
        window_begin(&f, windows[1].surface, 0x005000 + i);
        EXPECT_EQ(weft_surface_present(f.dev, windows[1].surface, NULL, 0), WEFT_OK);
        EXPECT_EQ(weft_surface_present(f.dev, windows[0].surface, NULL, 0), WEFT_OK);
    }
    EXPECT(shows(windows[0].id, 39, 39, 0x500007));
    EXPECT(shows(windows[1].id, 59, 29, 0x005007));
    unmake(&f, &windows[0]);
    window_frame(&f, windows[1].surface, 0x606060);
    EXPECT(shows(windows[1].id, 0, 0, 0x606060));
    unmake(&f, &windows[1]);
    fixture_close(&f);
    close_server();
}

/// Not for ever, and it comes back when the window does.
TEST(x11, a_hidden_window_is_skipped)
{
    if (window_backend() != WEFT_BACKEND_SOFTWARE) // such a driver draws it all the same
        test_skip("only the software device looks whether a window is shown");
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 40, 40);
    window_frame(&f, window.surface, 0x707070);
    xcb_unmap_window(server, window.id);
    weft_surface_image image;
    for (int i = 0; i < 5; i++) {
        EXPECT_EQ(weft_surface_acquire(f.dev, window.surface, &image), WEFT_SKIP);
        EXPECT_EQ(image.status, WEFT_ACQUIRE_SKIP);
    }
    xcb_map_window(server, window.id);
    window_frame(&f, window.surface, 0x717171);
    EXPECT(shows(window.id, 20, 20, 0x717171));
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

/// Frames go nowhere until it is said.
static void expect_lost(struct fixture *f, const struct window *window)
{
    weft_surface_image image = {0};
    weft_result result = WEFT_OK;
    for (int i = 0; i < 100 && image.status != WEFT_ACQUIRE_LOST; i++) {
        result = weft_surface_acquire(f->dev, window->surface, &image);
        if (image.status == WEFT_ACQUIRE_READY) {
            EXPECT(window_backend() != WEFT_BACKEND_SOFTWARE);
            window_draw(f, window->surface, &image, 0x0f0f0f);
            (void)weft_surface_present(f->dev, window->surface, NULL, 0);
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
        if (image.status == WEFT_ACQUIRE_RECONFIGURE &&
            weft_surface_configure(f->dev, window->surface, &(weft_surface_config){0}) < 0)
            image.status = WEFT_ACQUIRE_LOST, result = WEFT_ERROR_SURFACE;
    }
    if (strstr(weft_device_capabilities(f->dev)->name, "SwiftShader"))
        return; // it does not look after its windows
    EXPECT_EQ(result, WEFT_ERROR_SURFACE);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_LOST);
    fixture_clear(f);
}

TEST(x11, a_destroyed_window_is_a_lost_surface)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 40, 40);
    window_frame(&f, window.surface, 0x727272);
    xcb_destroy_window(server, window.id);
    xcb_flush(server);
    expect_lost(&f, &window);
    EXPECT_EQ(weft_surface_configure(f.dev, window.surface, &(weft_surface_config){0}),
              WEFT_ERROR_SURFACE);
    EXPECT_EQ(weft_device_startup(f.dev).state, WEFT_DEVICE_READY);
    weft_surface_destroy(f.dev, window.surface);
    struct window next = make(&f, 20, 20); // the device lives on
    window_frame(&f, next.surface, 0x737373);
    EXPECT(shows(next.id, 19, 19, 0x737373));
    unmake(&f, &next);
    fixture_close(&f);
    close_server();
}

/// It may be shown to nobody, or be an error; and nothing of it reaches the host's queue.
TEST(x11, a_window_is_destroyed_while_a_frame_is_drawn)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 40, 40);
    window_frame(&f, window.surface, 0x747474);
    window_begin(&f, window.surface, 0x757575);
    xcb_destroy_window(server, window.id);
    xcb_flush(server);
    const weft_result result = weft_surface_present(f.dev, window.surface, NULL, 0);
    EXPECT(result == WEFT_OK || result == WEFT_SKIP || result == WEFT_ERROR_SURFACE);
    expect_lost(&f, &window);
    weft_surface_destroy(f.dev, window.surface);
    fixture_close(&f);
    close_server();
}

/// The surface is done with the window when its destruction returns, whatever is on its way.
TEST(x11, a_window_is_closed_right_after_its_surface)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 400, 400), other = make(&f, 8, 8);
    window_frame(&f, window.surface, 0x767676);
    window_frame(&f, window.surface, 0x777777);
    weft_command_buffer *open; // keeps other objects alive, not this one
    EXPECT_EQ(weft_command_begin(f.dev, NULL, &open), WEFT_OK);
    window_begin(&f, window.surface, 0x787878);
    unmake(&f, &window);
    unmake(&f, &other);
    close_server();
    weft_command_discard(open);
    fixture_close(&f);
}

/// Where the server tells of refreshes, as this one does.
TEST(x11, fifo_waits_for_the_server)
{
    if (window_backend() != WEFT_BACKEND_SOFTWARE)
        test_skip("some drivers show frames of a software renderer as they come");
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 40, 40);
    struct timespec begin, end;
    window_frame(&f, window.surface, 0);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (uint32_t i = 0; i < 30; i++)
        window_frame(&f, window.surface, i);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double took =
        (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
    EXPECT(took > 0.25); // at 60 Hz a half of a second
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

/// Events that the host asked for come to the host.
TEST(x11, the_hosts_events_are_left_alone)
{
    open_server();
    struct fixture f = {0};
    struct window window = make(&f, 40, 40);
    for (uint32_t i = 0; i < 3; i++) {
        resize(window.id, 50 + i, 40);
        const weft_surface_image image = settle(&f, &window, 50 + i, 40);
        window_draw(&f, window.surface, &image, i);
        present(&f, &window);
    }
    uint32_t seen = 0;
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(server))) {
        EXPECT(event->response_type != 0);
        seen += (event->response_type & 0x7f) == XCB_CONFIGURE_NOTIFY;
        free(event);
    }
    EXPECT_EQ(seen, 3);
    unmake(&f, &window);
    fixture_close(&f);
    close_server();
}

static void be_silent(void *user, weft_severity severity, const char *message)
{
    (void)user, (void)severity, (void)message;
}

/// A window is opened, drawn to, resized, and drawn to again, as far as memory allows.
static void show_two_sizes(weft_device *device, xcb_window_t id)
{
    static uint32_t pixels[90 * 90];
    const weft_surface_target target = target_of(id);
    const weft_surface_config config = {.format = WEFT_FORMAT_BGRA8_UNORM};
    weft_surface surface;
    if (weft_surface_create(device, &(weft_surface_desc){.target = target}, &surface) != WEFT_OK)
        return;
    for (uint32_t side = 30; side <= 90; side += 60) {
        resize(id, side, side);
        if (weft_surface_configure(device, surface, &config) == WEFT_OK)
            (void)weft_surface_present_pixels(device, surface, pixels, 0);
    }
    weft_surface_destroy(device, surface);
}

TEST(x11, memory_that_runs_out_is_an_error)
{
    open_server();
    const xcb_window_t id = open_window(30, 30);
    bool failed = true;
    const uint64_t step = window_backend() == WEFT_BACKEND_SOFTWARE ? 1 : 4; // drivers start slowly
    for (uint64_t number = 1; failed; number += step) {
        struct host_memory memory = {0};
        const weft_host_hooks hooks = {.alloc = host_memory_alloc,
                                       .free = host_memory_free,
                                       .log = be_silent,
                                       .user = &memory};
        weft_device *device;
        EXPECT_EQ(
            weft_device_start(
                &(weft_device_desc){.backends = 1u << window_backend(), .hooks = &hooks}, &device),
            WEFT_OK);
        EXPECT_EQ(weft_device_wait(device, UINT64_MAX), WEFT_OK);
        atomic_store(&memory.fail_count, 1);
        atomic_store(&memory.fail_at, atomic_load(&memory.calls) + number);
        show_two_sizes(device, id);
        failed = atomic_load(&memory.calls) >= atomic_load(&memory.fail_at);
        atomic_store(&memory.fail_at, 0);
        weft_device_destroy(device);
        EXPECT_EQ(atomic_load(&memory.live_bytes), 0);
        EXPECT(number < 200);
    }
    close_server();
}

TEST(x11, a_window_that_is_not_there_is_refused)
{
    open_server();
    const weft_surface_target target = target_of(0x7654321);
    struct fixture f = fixture_open(window_backend());
    weft_surface surface;
    const weft_result result =
        weft_surface_create(f.dev, &(weft_surface_desc){.target = target}, &surface);
    EXPECT(result != WEFT_ERROR_USAGE); // drivers differ in what they say, and when
    EXPECT(window_backend() != WEFT_BACKEND_SOFTWARE || result == WEFT_ERROR_SURFACE);
    EXPECT(weft_surface_is_none(surface) == (result != WEFT_OK));
    weft_surface_destroy(f.dev, surface);
    fixture_close(&f);
    close_server();
}
