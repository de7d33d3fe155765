// Wayland windows through the public API; SDL makes them. Needs a compositor, whose process is
// WEFT_TEST_SERVER.
#include "window_draw.h"

#include <SDL.h>
#include <SDL_syswm.h>
#include <signal.h>
#include <time.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct window {
    SDL_Window *sdl;
    weft_surface_target target;
    weft_surface surface;
};

static SDL_Window *open_window(int width, int height, weft_surface_target *target)
{
    SDL_Window *sdl = SDL_CreateWindow("weft test", 0, 0, width, height, SDL_WINDOW_RESIZABLE);
    EXPECT(sdl != NULL);
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    EXPECT(SDL_GetWindowWMInfo(sdl, &info));
    EXPECT_EQ(info.subsystem, SDL_SYSWM_WAYLAND);
    *target = (weft_surface_target){.kind = WEFT_SURFACE_WAYLAND,
                                    .display = info.info.wl.display,
                                    .window = info.info.wl.surface};
    for (int i = 0; i < 20; i++) { // the compositor says which size it has
        SDL_PumpEvents();
        SDL_Delay(5);
    }
    return sdl;
}

/// The window's own size is what a host configures.
static void configure(struct fixture *f, struct window *window, weft_present_mode mode)
{
    int width, height;
    SDL_GetWindowSize(window->sdl, &width, &height);
    const weft_surface_config config =
        window_configure(f, window->surface,
                         &(weft_surface_config){.width = (uint32_t)width,
                                                .height = (uint32_t)height,
                                                .format = WEFT_FORMAT_BGRA8_UNORM,
                                                .mode = mode});
    EXPECT_EQ(config.width, width);
    EXPECT_EQ(config.height, height);
}

static struct window make(struct fixture *f, int width, int height)
{
    struct window window = {0};
    if (!f->dev)
        EXPECT_EQ(SDL_Init(SDL_INIT_VIDEO), 0);
    window.sdl = open_window(width, height, &window.target);
    if (!f->dev)
        *f = window_device(&window.target);
    window.surface = window_surface(f, &window.target);
    configure(f, &window, WEFT_PRESENT_FIFO);
    return window;
}

static void unmake(struct fixture *f, struct window *window)
{
    weft_surface_destroy(f->dev, window->surface);
    SDL_DestroyWindow(window->sdl);
}

static void finish(struct fixture *f)
{
    EXPECT(SDL_PollEvent(NULL) >= 0);
    fixture_close(f);
    SDL_Quit();
}

/// One turn of a host's loop; whether a frame was shown.
static bool turn(struct fixture *f, struct window *window, uint32_t color)
{
    weft_surface_image image;
    SDL_PumpEvents();
    EXPECT_EQ(weft_surface_acquire(f->dev, window->surface, &image) < 0, false);
    if (image.status == WEFT_ACQUIRE_RECONFIGURE)
        configure(f, window, WEFT_PRESENT_FIFO);
    if (image.status != WEFT_ACQUIRE_READY)
        return false;
    window_draw(f, window->surface, &image, color);
    EXPECT_EQ(weft_surface_present(f->dev, window->surface, NULL, 0) < 0, false);
    return true;
}

static uint32_t turns(struct fixture *f, struct window *window, uint32_t count)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < count; i++)
        shown += turn(f, window, i * 0x030507);
    return shown;
}

/// Turns until so many frames were shown, however late a busy machine's compositor is.
static void show(struct fixture *f, struct window *window, uint32_t count)
{
    const double end = now_s() + 30;
    for (uint32_t shown = 0; shown < count;) {
        shown += turn(f, window, shown * 0x030507);
        EXPECT(now_s() < end);
    }
}

TEST(wayland, fifo_waits_for_the_compositor)
{
    struct fixture f = {0};
    struct window window = make(&f, 200, 100);
    show(&f, &window, 1);
    const double begin = now_s();
    show(&f, &window, 30);
    const double took = now_s() - begin;
    EXPECT(took > 0.25); // at 60 Hz a half of a second
    unmake(&f, &window);
    finish(&f);
}

TEST(wayland, other_modes_do_not_wait)
{
    struct fixture f = {0};
    struct window window = make(&f, 64, 64);
    weft_surface_info info;
    EXPECT_EQ(weft_surface_query(f.dev, window.surface, &info), WEFT_OK);
    for (unsigned mode = WEFT_PRESENT_MAILBOX; mode <= WEFT_PRESENT_IMMEDIATE; mode++) {
        if (!(info.modes >> mode & 1))
            continue;
        configure(&f, &window, (weft_present_mode)mode);
        const double begin = now_s();
        show(&f, &window, 60);
        EXPECT(now_s() - begin < 20);
    }
    unmake(&f, &window);
    finish(&f);
}

TEST(wayland, a_window_gets_other_sizes)
{
    struct fixture f = {0};
    struct window window = make(&f, 80, 60);
    for (int i = 0; i < 12; i++) {
        SDL_SetWindowSize(window.sdl, 80 + 37 * (i % 4), 60 + 23 * (i % 5));
        SDL_PumpEvents();
        configure(&f, &window, i % 2 ? WEFT_PRESENT_MAILBOX : WEFT_PRESENT_FIFO);
        show(&f, &window, 2);
    }
    unmake(&f, &window);
    finish(&f);
}

TEST(wayland, a_window_without_size_is_skipped)
{
    struct fixture f = {0};
    struct window window = make(&f, 80, 60);
    weft_surface_image image;
    EXPECT_EQ(weft_surface_configure(f.dev, window.surface, &(weft_surface_config){0}), WEFT_OK);
    EXPECT_EQ(weft_surface_acquire(f.dev, window.surface, &image), WEFT_SKIP);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_SKIP);
    configure(&f, &window, WEFT_PRESENT_FIFO);
    show(&f, &window, 1);
    unmake(&f, &window);
    finish(&f);
}

TEST(wayland, two_windows_share_a_device)
{
    struct fixture f = {0};
    struct window windows[2] = {make(&f, 80, 60), make(&f, 50, 90)};
    for (uint32_t i = 0; i < 10; i++) {
        turn(&f, &windows[0], i); // below the other one, where windows fill the screen
        show(&f, &windows[1], 1);
    }
    unmake(&f, &windows[1]);
    show(&f, &windows[0], 2); // the other one is gone: it is seen again
    unmake(&f, &windows[0]);
    finish(&f);
}

/// A minimised window gets no callbacks: it is skipped after a while, not waited for.
TEST(wayland, a_hidden_window_does_not_hang)
{
    if (!getenv("WEFT_TEST_FLOATING"))
        test_skip("this compositor minimises nothing");
    struct fixture f = {0};
    struct window hidden = make(&f, 640, 480), other = make(&f, 64, 48);
    show(&f, &hidden, 3);
    SDL_MinimizeWindow(hidden.sdl);
    (void)turns(&f, &hidden, 2); // until the compositor knows
    const double begin = now_s();
    EXPECT(turns(&f, &hidden, 8) <=
           1); // one may be tried, in case that it would bring the window back
    EXPECT(now_s() - begin < 20);
    show(&f, &other, 3);
    unmake(&f, &other);
    unmake(&f, &hidden);
    finish(&f);
}

/// A window that is shown again has to be drawn to before it can be seen.
TEST(wayland, a_window_that_was_hidden_comes_back)
{
    struct fixture f = {0};
    struct window window = make(&f, 80, 60);
    show(&f, &window, 3);
    SDL_HideWindow(window.sdl);
    SDL_PumpEvents();
    SDL_ShowWindow(window.sdl);
    show(&f, &window, 5);
    unmake(&f, &window);
    finish(&f);
}

/// Nothing of the surface is left in the host's connection.
TEST(wayland, a_window_is_closed_right_after_its_surface)
{
    struct fixture f = {0};
    struct window window = make(&f, 400, 300);
    weft_surface_image image;
    show(&f, &window, 1);
    if (weft_surface_acquire(f.dev, window.surface, &image) == WEFT_OK)
        window_draw(&f, window.surface, &image, 2);
    unmake(&f, &window);
    SDL_Quit();
    fixture_close(&f);
}

/// The last one by its name: the compositor ends.
TEST(wayland_without_server, a_compositor_that_ends_is_a_lost_surface)
{
    const char *server = getenv("WEFT_TEST_SERVER");
    if (!server)
        test_skip("no compositor that may be ended");
    struct fixture f = {0};
    struct window window = make(&f, 80, 60);
    show(&f, &window, 1);
    kill((pid_t)atoi(server), SIGKILL);
    SDL_Delay(100);
    weft_surface_image image;
    EXPECT_EQ(weft_surface_acquire(f.dev, window.surface, &image), WEFT_ERROR_SURFACE);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_LOST);
    weft_surface_destroy(f.dev, window.surface);
    fixture_close(&f); // SDL is left alone: it ends the process when its connection is gone
}
