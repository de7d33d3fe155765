/// \file blocks.h
/// Compressed formats with blocks that are made by hand, whose texels follow from the
/// specification.
#pragma once

#include "conform.h"

struct conform_blocks {
    weft_format format, srgb; ///< Twins.
    double tolerance;         ///< What devices may round the same block to.
    /// Writes a block of a color; colors differ from each other.
    void (*make)(uint8_t *block, uint32_t color);
    /// A texel of that block, before sRGB is decoded.
    struct conform_texel (*texel)(uint32_t color, uint32_t x, uint32_t y);
};

extern const struct conform_blocks conform_bc1, conform_etc2, conform_astc, conform_astc_10x8;
