/// \file window.h
/// A window and what the user does in it, through SDL. Knows nothing of devices and scenes.
#pragma once

#include "failure.h"

#include <stdint.h>
#include <weft/surface.h>

struct window;

/// What came in since the last time, added up.
struct window_input {
    bool quit, frame, screenshot; ///< Closed or Escape; F; S.
    bool redraw;                  ///< The picture may be damaged, or have another size.
    float turn_x, turn_y;         ///< Radians, right and down.
    float pan_x, pan_y;           ///< Heights of the window, right and down.
    float zoom;                   ///< Steps of the wheel, away from the user.
};

/// Opens a window and shows it. False where there is no display; says what else can be done.
bool window_create(const char *title, uint32_t width, uint32_t height, struct window **out,
                   struct failure *why);
void window_destroy(struct window *window);

weft_surface_target window_target(const struct window *window);
/// Its size now, in texels. False: it is hidden, and nothing should be shown in it.
bool window_size(const struct window *window, uint32_t *width, uint32_t *height);
void window_set_title(struct window *window, const char *title);
/// Takes the input that is there; waits up to `timeout_ms` for the first.
void window_input(struct window *window, int timeout_ms, struct window_input *out);
