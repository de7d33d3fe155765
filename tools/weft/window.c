#include "window.h"

#include <SDL.h>
#include <SDL_syswm.h>
#include <stdlib.h>
#include <string.h>

/// A drag across the window's height is half a turn.
#define TURN_PER_HEIGHT 3.14159265f
/// How often it looks for input.
#define GLANCE_MS 8

struct window {
    SDL_Window *sdl;
    weft_surface_target target;
};

/// The native window under SDL's.
static bool find_target(struct window *window, struct failure *why)
{
    SDL_SysWMinfo info;
    memset(&info, 0, sizeof info);
    SDL_VERSION(&info.version);
    if (!SDL_GetWindowWMInfo(window->sdl, &info))
        return failure_set(why, "the window cannot be drawn to: %s", SDL_GetError());
#if defined(SDL_VIDEO_DRIVER_X11)
    if (info.subsystem == SDL_SYSWM_X11) {
        window->target = (weft_surface_target){.kind = WEFT_SURFACE_XLIB,
                                               .display = info.info.x11.display,
                                               .xid = info.info.x11.window};
        return true;
    }
#endif
#if defined(SDL_VIDEO_DRIVER_WAYLAND)
    if (info.subsystem == SDL_SYSWM_WAYLAND) {
        window->target = (weft_surface_target){.kind = WEFT_SURFACE_WAYLAND,
                                               .display = info.info.wl.display,
                                               .window = info.info.wl.surface};
        return true;
    }
#endif
    return failure_set(why, "windows of SDL's driver \"%s\" cannot be drawn to",
                       SDL_GetCurrentVideoDriver());
}

static bool open_window(struct window *window, const char *title, uint32_t width, uint32_t height,
                        struct failure *why)
{
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    // Not the drivers without windows. Without the variable, libwayland complains by itself.
    SDL_SetHint(SDL_HINT_VIDEODRIVER, getenv("XDG_RUNTIME_DIR") ? "x11,wayland" : "x11");
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        return failure_set(why,
                           "no display can be opened (%s); \"weft render MODEL -o FILE.png\" draws "
                           "without a display",
                           SDL_GetError());
    window->sdl = SDL_CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                   (int)width, (int)height, SDL_WINDOW_RESIZABLE);
    if (!window->sdl)
        return failure_set(why, "no window can be opened: %s", SDL_GetError());
    return find_target(window, why);
}

bool window_create(const char *title, uint32_t width, uint32_t height, struct window **out,
                   struct failure *why)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return failure_set(why, "out of memory");
    if (open_window(*out, title, width, height, why))
        return true;
    window_destroy(*out);
    *out = NULL;
    return false;
}

void window_destroy(struct window *window)
{
    if (!window)
        return;
    if (window->sdl)
        SDL_DestroyWindow(window->sdl);
    SDL_Quit();
    free(window);
}

weft_surface_target window_target(const struct window *window)
{
    return window->target;
}

bool window_size(const struct window *window, uint32_t *width, uint32_t *height)
{
    int w, h;
    SDL_GetWindowSizeInPixels(window->sdl, &w, &h);
    *width = w > 0 ? (uint32_t)w : 0;
    *height = h > 0 ? (uint32_t)h : 0;
    return !(SDL_GetWindowFlags(window->sdl) & (SDL_WINDOW_HIDDEN | SDL_WINDOW_MINIMIZED));
}

void window_set_title(struct window *window, const char *title)
{
    SDL_SetWindowTitle(window->sdl, title);
}

static void take_key(SDL_Keycode key, struct window_input *out)
{
    out->quit = out->quit || key == SDLK_ESCAPE;
    out->frame = out->frame || key == SDLK_f;
    out->screenshot = out->screenshot || key == SDLK_s;
}

/// The left button turns; the others move, or the left one with Shift.
static void take_motion(const SDL_MouseMotionEvent *motion, float height, struct window_input *out)
{
    const float x = (float)motion->xrel / height, y = (float)motion->yrel / height;
    const bool left = motion->state & SDL_BUTTON_LMASK;
    const bool other = motion->state & (SDL_BUTTON_MMASK | SDL_BUTTON_RMASK);
    if (other || (left && SDL_GetModState() & KMOD_SHIFT)) {
        out->pan_x += x;
        out->pan_y += y;
    } else if (left) {
        out->turn_x += TURN_PER_HEIGHT * x;
        out->turn_y += TURN_PER_HEIGHT * y;
    }
}

static void take_event(const struct window *window, const SDL_Event *event,
                       struct window_input *out)
{
    uint32_t width, height;
    switch (event->type) {
    case SDL_QUIT:
        out->quit = true;
        break;
    case SDL_KEYDOWN:
        take_key(event->key.keysym.sym, out);
        break;
    case SDL_MOUSEMOTION:
        (void)window_size(window, &width, &height);
        take_motion(&event->motion, height > 0 ? (float)height : 1, out);
        break;
    case SDL_MOUSEWHEEL:
        out->zoom += event->wheel.preciseY;
        break;
    case SDL_WINDOWEVENT:
        out->redraw = true;
        break;
    default:
        break;
    }
}

// SDL_WaitEventTimeout() wakes itself up by a message to the window on a second connection. In SDL
// 2.26 the message about closing may find the window gone, and Xlib then ends the process.
void window_input(struct window *window, int timeout_ms, struct window_input *out)
{
    SDL_Event event;
    *out = (struct window_input){0};
    int there = SDL_PollEvent(&event);
    for (int waited = 0; !there && waited < timeout_ms; waited += GLANCE_MS) {
        SDL_Delay(GLANCE_MS);
        there = SDL_PollEvent(&event);
    }
    for (; there; there = SDL_PollEvent(&event))
        take_event(window, &event, out);
}
