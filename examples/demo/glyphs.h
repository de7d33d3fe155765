/// \file glyphs.h
/// The letters of the demo, as strokes.
#pragma once

/// Strokes are separated by spaces; each is a list of points, two digits x and y. The base line is
/// y 2, small letters reach 6, capitals 8, tails 0. A stroke of more than two points is a smooth
/// curve through that polygon.
struct glyph {
    char letter;
    char width; ///< 0 to 6.
    const char *strokes;
};

extern const struct glyph glyphs[];
extern const unsigned glyph_count;
