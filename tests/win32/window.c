// Windows' windows through the public API: what the system shows, and what becomes of windows that
// are resized, minimised and closed.
#include "window/window_draw.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static void take_events(void)
{
    MSG event;
    while (PeekMessageA(&event, NULL, 0, 0, PM_REMOVE)) {
        (void)TranslateMessage(&event);
        (void)DispatchMessageA(&event);
    }
}

static HWND open_window(int width, int height)
{
    static bool registered;
    const WNDCLASSA class = {.lpfnWndProc = DefWindowProcA,
                             .hInstance = GetModuleHandleA(NULL),
                             .lpszClassName = "weft test"};
    if (!registered)
        EXPECT(RegisterClassA(&class) != 0);
    registered = true;
    // Without a frame, so that all of it is to be drawn to, and not active: Wine would wait for a
    // window manager, which there is not.
    const HWND window = CreateWindowExA(0, "weft test", "weft", WS_POPUP, 40, 40, width, height,
                                        NULL, NULL, class.hInstance, NULL);
    EXPECT(window != NULL);
    (void)ShowWindow(window, SW_SHOWNOACTIVATE);
    take_events();
    return window;
}

static weft_surface_target target_of(HWND window)
{
    return (weft_surface_target){
        .kind = WEFT_SURFACE_WIN32, .display = GetModuleHandleA(NULL), .window = window};
}

/// What the window shows at x, y: 0xRRGGBB.
static bool shows(HWND window, int x, int y, uint32_t color)
{
    uint32_t got = 0;
    for (int i = 0; i < 200; i++) {
        take_events();
        HDC context = GetDC(window);
        const COLORREF texel = GetPixel(context, x, y);
        (void)ReleaseDC(window, context);
        got = (uint32_t)(GetRValue(texel) << 16 | GetGValue(texel) << 8 | GetBValue(texel));
        if (got == color)
            return true;
        Sleep(10);
    }
    (void)fprintf(stderr, "at %d,%d: %06x instead of %06x\n", x, y, got, color);
    return false;
}

struct window {
    HWND handle;
    weft_surface_target target;
    weft_surface surface;
};

static struct window make(struct fixture *f, int width, int height)
{
    struct window window = {.handle = open_window(width, height)};
    window.target = target_of(window.handle);
    if (!f->dev)
        *f = window_device(&window.target);
    window.surface = window_surface(f, &window.target);
    (void)window_configure(f, window.surface,
                           &(weft_surface_config){.format = WEFT_FORMAT_BGRA8_UNORM});
    return window;
}

static void unmake(struct fixture *f, struct window *window)
{
    weft_surface_destroy(f->dev, window->surface);
    (void)DestroyWindow(window->handle);
    take_events();
}

TEST(win32, a_frame_is_shown_in_every_format)
{
    struct fixture f = {0};
    struct window window = make(&f, 161, 137);
    weft_surface_info info;
    EXPECT_EQ(weft_surface_query(f.dev, window.surface, &info), WEFT_OK);
    EXPECT(info.format_count > 0);
    for (uint32_t i = 0; i < info.format_count; i++) {
        if (weft_format_get_info(info.formats[i])->block_bytes != 4)
            continue;
        const weft_surface_config config =
            window_configure(&f, window.surface, &(weft_surface_config){.format = info.formats[i]});
        EXPECT_EQ(config.width, 161);
        EXPECT_EQ(config.height, 137);
        window_frame(&f, window.surface, 0xff0000);
        EXPECT(shows(window.handle, 0, 0, 0xff0000));
        window_frame(&f, window.surface, 0x0000ff);
        EXPECT(shows(window.handle, 160, 136, 0x0000ff));
        window_frame(&f, window.surface, 0x00ff00);
        EXPECT(shows(window.handle, 80, 68, 0x00ff00));
    }
    unmake(&f, &window);
    fixture_close(&f);
}

TEST(win32, pixels_of_the_cpu_come_out_where_they_were)
{
    enum { WIDTH = 133, HEIGHT = 109 };
    struct fixture f = {0};
    struct window window = make(&f, WIDTH, HEIGHT);
    static uint8_t pixels[HEIGHT][WIDTH][4];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            memcpy(pixels[y][x], (const uint8_t[4]){(uint8_t)x, (uint8_t)y, 200, 255}, 4);
    EXPECT_EQ(weft_surface_present_pixels(f.dev, window.surface, pixels, 0), WEFT_OK);
    EXPECT(shows(window.handle, 0, 0, 0xc80000));
    EXPECT(shows(window.handle, 132, 0, 0xc80084));
    EXPECT(shows(window.handle, 7, 108, 0xc86c07));
    unmake(&f, &window);
    fixture_close(&f);
}

TEST(win32, damage_shows_what_it_covers)
{
    struct fixture f = {0};
    struct window window = make(&f, 150, 120);
    window_frame(&f, window.surface, 0x102030);
    EXPECT(shows(window.handle, 70, 60, 0x102030));
    (void)window_begin(&f, window.surface, 0xfedcba);
    const weft_rect damage = {50, 40, 30, 25};
    EXPECT_EQ(weft_surface_present(f.dev, window.surface, &damage, 1), WEFT_OK);
    EXPECT(shows(window.handle, 50, 40, 0xfedcba));
    EXPECT(shows(window.handle, 79, 64, 0xfedcba));
    unmake(&f, &window);
    fixture_close(&f);
}

TEST(win32, a_resized_window_is_configured_again)
{
    struct fixture f = {0};
    struct window window = make(&f, 140, 120);
    window_frame(&f, window.surface, 0xffffff);
    for (int i = 0; i < 6; i++) {
        const int width = 150 + 37 * i, height = 220 - 11 * i;
        EXPECT(SetWindowPos(window.handle, NULL, 0, 0, width, height, SWP_NOMOVE | SWP_NOZORDER));
        take_events();
        weft_surface_image image;
        EXPECT_EQ(weft_surface_acquire(f.dev, window.surface, &image), WEFT_OK);
        EXPECT_EQ(image.status, WEFT_ACQUIRE_RECONFIGURE);
        const weft_surface_config config =
            window_configure(&f, window.surface, &(weft_surface_config){0});
        EXPECT_EQ(config.width, (uint32_t)width);
        EXPECT_EQ(config.height, (uint32_t)height);
        window_frame(&f, window.surface, 0x00ff00);
        EXPECT(shows(window.handle, width - 1, height - 1, 0x00ff00));
    }
    unmake(&f, &window);
    fixture_close(&f);
}

TEST(win32, a_hidden_window_is_skipped_and_comes_back)
{
    struct fixture f = {0};
    struct window window = make(&f, 160, 120);
    window_frame(&f, window.surface, 0xffffff);
    static const int hides[] = {SW_HIDE, SW_MINIMIZE};
    for (int i = 0; i < 2; i++) {
        weft_surface_image image;
        (void)ShowWindow(window.handle, hides[i]);
        take_events();
        EXPECT_EQ(weft_surface_acquire(f.dev, window.surface, &image), WEFT_SKIP);
        EXPECT_EQ(image.status, WEFT_ACQUIRE_SKIP);
        (void)ShowWindow(window.handle, SW_SHOWNOACTIVATE);
        take_events();
        (void)window_configure(&f, window.surface, &(weft_surface_config){0});
        window_frame(&f, window.surface, 0x0000ff);
        EXPECT(shows(window.handle, 10, 10, 0x0000ff));
    }
    unmake(&f, &window);
    fixture_close(&f);
}

TEST(win32, two_windows_share_a_device)
{
    struct fixture f = {0};
    struct window a = make(&f, 130, 130), b = make(&f, 190, 140);
    for (uint32_t i = 0; i < 5; i++) {
        window_frame(&f, a.surface, 0x0000ff - i);
        window_frame(&f, b.surface, 0xff0000 + i);
        EXPECT(shows(a.handle, 129, 129, 0x0000ff - i));
        EXPECT(shows(b.handle, 189, 139, 0xff0000 + i));
    }
    unmake(&f, &a);
    window_frame(&f, b.surface, 0xffffff);
    EXPECT(shows(b.handle, 5, 5, 0xffffff));
    unmake(&f, &b);
    fixture_close(&f);
}

TEST(win32, a_destroyed_window_is_a_lost_surface)
{
    struct fixture f = {0};
    struct window window = make(&f, 160, 120);
    weft_surface_image image = window_begin(&f, window.surface, 0xffffff);
    EXPECT_EQ(weft_surface_present(f.dev, window.surface, NULL, 0), WEFT_OK);
    EXPECT(DestroyWindow(window.handle));
    EXPECT_EQ(weft_surface_acquire(f.dev, window.surface, &image), WEFT_ERROR_SURFACE);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_LOST);
    weft_surface_destroy(f.dev, window.surface);
    fixture_clear(&f);
    fixture_close(&f);
}

TEST(win32, a_window_that_is_not_there_is_refused)
{
    struct fixture f = {0};
    struct window window = make(&f, 160, 120);
    unmake(&f, &window);
    weft_surface surface;
    EXPECT(weft_surface_create(f.dev, &(weft_surface_desc){.target = window.target}, &surface) !=
           WEFT_OK);
    fixture_clear(&f);
    fixture_close(&f);
}

TEST(win32, fifo_is_paced)
{
    struct fixture f = {0};
    struct window window = make(&f, 160, 120);
    enum { FRAMES = 31 };
    const ULONGLONG start = GetTickCount64();
    for (uint32_t i = 0; i < FRAMES; i++)
        window_frame(&f, window.surface, i);
    // Not faster than the quickest of screens.
    EXPECT(GetTickCount64() - start >= (FRAMES - 1) * 1000 / 500);
    unmake(&f, &window);
    fixture_close(&f);
}
