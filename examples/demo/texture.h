/// \file texture.h
/// Pictures made by formulas, as sRGB texels.
#pragma once

#include "image.h"

/// Threads that cross over and under each other.
bool texture_create_weave(struct image *out, struct failure *why);
/// Large tiles with joints.
bool texture_create_tiles(struct image *out, struct failure *why);
bool texture_create_white(struct image *out, struct failure *why);
