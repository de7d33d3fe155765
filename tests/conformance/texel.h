/// \file texel.h
/// Texels of every uncompressed format to and from numbers, straight from the definition of each
/// format: an oracle of its own, slow and plain.
#pragma once

#include "conform.h"

/// False for compressed formats, and for D24, whose bytes are nobody's business.
bool conform_texel_decode(weft_format format, weft_aspect_set aspect, const void *bytes,
                          struct conform_texel *out);
/// Bytes of one texel as `aspect` is copied; 0 if it cannot be.
uint32_t conform_texel_bytes(weft_format format, weft_aspect_set aspect);
/// Linear light of an sRGB-encoded value from 0 to 1 (IEC 61966-2-1).
double conform_srgb_decode(double encoded);
double conform_srgb_encode(double linear);
/// Value of IEEE 754 binary16 bits.
double conform_half(uint32_t bits);
