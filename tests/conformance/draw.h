/// \file draw.h
/// Helpers of the cases that draw: colored vertices, rectangles, comparisons.
#pragma once

#include "conform.h"

extern const float conform_black[4], conform_white[4], conform_red[4];

/// A vertex of vertex.vert: position in clip space (y up) and color.
struct conform_vertex {
    float position[4], color[4];
};
weft_buffer conform_vertices(struct conform *c, const struct conform_vertex *vertices,
                             uint32_t count);
/// Fills in vertex.vert, varying.frag and the vertex stream in slot 0.
void conform_vertex_shaders(struct conform *c, weft_graphics_pipeline_desc *desc);

/// The rectangle pipeline for those formats; `state` may be NULL.
weft_graphics_pipeline conform_rect_pipeline(struct conform *c, weft_format color,
                                             weft_format depth_stencil,
                                             const weft_pipeline_state *state);
/// Draws a rectangle given in clip space: x0, y0, x1, y1, y up. It faces front (counter-clockwise)
/// if both grow; swapping the ys turns it round.
void conform_draw_clip_rect(weft_render_encoder *enc, const float rect[4], float depth,
                            const float color[4]);
/// Draws a rectangle over the whole viewport, facing front.
void conform_fill(weft_render_encoder *enc, float depth, const float color[4]);

/// A format with depth and stencil that the device has: every device has one of the two.
weft_format conform_depth_stencil_format(struct conform *c);
/// What a comparison says of a test value against a stored one.
bool conform_compares(weft_compare compare, double value, double stored);

/// Which texels are white; the others are black. The user pointer of conform_marked().
struct conform_marks {
    bool at[32][32]; ///< By row, then column.
};
conform_expected conform_marked;
/// Marks a rectangle.
void conform_mark(struct conform_marks *marks, uint32_t x, uint32_t y, uint32_t width,
                  uint32_t height);
/// The texels of mip 0, tightly packed, into `data`; false on noop, where there is nothing to read.
bool conform_read_texels(struct conform *c, weft_texture texture, void *data, size_t size);
