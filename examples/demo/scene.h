/// \file scene.h
/// What the demo shows: appended to a frame.
#pragma once

#include "stage.h"

/// Appends the shadow pass and the picture's pass. False: no memory.
bool demo_append(struct stage *stage, weft_frame *frame);
