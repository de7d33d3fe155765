/// \file mesh.h
/// Helpers of the cases with mesh shaders.
#pragma once

#include "draw.h"

/// Shaders that are not given are mesh_cells.mesh and mesh_color.frag; the target is RGBA8_UNORM.
weft_graphics_pipeline mesh_pipeline(struct conform *c, weft_graphics_pipeline_desc desc);

/// What mesh_cells.mesh draws with that many workgroups.
struct mesh_cells {
    uint32_t groups[3];
    uint32_t size; ///< Texels of a cell's side.
};
struct conform_texel mesh_cell_color(const uint32_t groups[3], uint32_t number);
conform_expected mesh_cells; ///< The user pointer is a struct mesh_cells.
conform_expected mesh_same;  ///< The user pointer is the texel that all are.
