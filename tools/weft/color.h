/// \file color.h
/// Colors on the command line.
#pragma once

#include <stdbool.h>

/// Reads #rgb, #rrggbb, #rrggbbaa, a name, or "transparent", as sRGB with straight alpha, 0 to 1.
bool color_parse(const char *text, float out[4]);
float color_to_linear(float srgb);
float color_to_srgb(float linear);
