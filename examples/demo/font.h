/// \file font.h
/// A small atlas of letters and shapes, drawn from strokes when the program starts.
#pragma once

#include "image.h"

#define FONT_GLYPHS 96

/// A rectangle of the atlas, in texels.
struct sprite {
    uint32_t x, y, width, height;
};

struct font_size {
    float height;                       ///< Of capitals, in texels.
    float advance;                      ///< Texels between letters.
    struct sprite sprites[FONT_GLYPHS]; ///< By letter, in the order of glyphs[].
};

enum { FONT_SMALL = 0, FONT_MEDIUM, FONT_TITLE, FONT_SIZES };

struct font {
    struct image atlas; ///< White; alpha is the coverage.
    struct font_size sizes[FONT_SIZES];
    struct sprite disc, white;
};

bool font_create(struct font *out, struct failure *why);
void font_finish(struct font *font);
