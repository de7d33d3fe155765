/// Blocks of compressed formats to numbers, straight from the Khronos Data Format
/// Specification 1.3, texel by texel and bit by bit: slow, plain, and nothing in common with the
/// library's decoders.
#pragma once

#include <weft/format.h>

/// One texel of a block: red, green, blue (linear light) and alpha. Any bytes are a block.
void reference_texel(weft_format format, const uint8_t *block, int x, int y, double out[4]);

/// Of the families.
void reference_bc(weft_format format, const uint8_t *block, int x, int y, double out[4]);
void reference_etc(weft_format format, const uint8_t *block, int x, int y, double out[4]);
void reference_astc(weft_format format, const uint8_t *block, int x, int y, double out[4]);

/// Bits `first` to first + count - 1 of a little-endian number; those behind `limit` are 0.
long reference_bits(const uint8_t *block, int limit, int first, int count);
double reference_srgb(double encoded);
double reference_half(long bits);
