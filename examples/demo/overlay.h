/// \file overlay.h
/// Text and shapes, as quads of the frame layer.
#pragma once

#include "font.h"

#include <weft/weft.h>

#define OVERLAY_QUADS 1024

struct overlay {
    const struct font *font;
    weft_quad quads[OVERLAY_QUADS];
    uint32_t count;
};

struct overlay_rect {
    float x, y, width, height;
};

/// Appends. Colors are linear, with straight alpha. `y` is the base line of text.
void overlay_text(struct overlay *overlay, int size, float x, float y, const float color[4],
                  const char *text);
void overlay_box(struct overlay *overlay, struct overlay_rect rect, const float color[4]);
/// A box with round corners.
void overlay_panel(struct overlay *overlay, struct overlay_rect rect, float radius,
                   const float color[4]);
void overlay_disc(struct overlay *overlay, float x, float y, float radius, const float color[4]);
/// Width of a text in texels.
float overlay_text_width(const struct overlay *overlay, int size, const char *text);
