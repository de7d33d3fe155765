/// \file ray.h
/// Helpers of the cases with acceleration structures and ray queries.
#pragma once

#include "conform.h"

/// Triangles of vertices of three floats; geometries and instances of cases lie in front of 8 by 8
/// cells with sides of 1, from (0, 0) on.
weft_acceleration_geometry ray_triangles(struct conform *c, const float (*vertices)[3],
                                         uint32_t vertex_count, weft_geometry_flags flags);
/// Two triangles over a range of cells, at that depth. The user of ray_triangles() with 6 vertices.
void ray_quad(float vertices[6][3], float x0, float y0, float x1, float y1, float z);
/// A structure that has only been created.
weft_acceleration_structure ray_create(struct conform *c,
                                       const weft_acceleration_structure_desc *desc);
/// Records a build and the barrier that what reads it needs.
void ray_build(weft_command_buffer *cmd, const weft_acceleration_build *build);
/// A bottom level, built.
weft_acceleration_structure
ray_bottom(struct conform *c, const weft_acceleration_geometry *geometries, uint32_t count);
/// A top level, built.
weft_acceleration_structure ray_top(struct conform *c, const weft_acceleration_instance *instances,
                                    uint32_t count);
/// An instance moved by x, y, z, seen under every mask.
weft_acceleration_instance ray_instance(struct conform *c, weft_acceleration_structure structure,
                                        float x, float y, float z);

/// As in ray_grid.comp.
struct ray_root {
    uint32_t flags, mask, accept;
    float start, most;
};
struct ray_hit {
    uint32_t type, instance, custom, geometry, primitive;
    float t, at[2];
    uint32_t front;
    float origin;
    uint32_t candidates, pad;
};
enum { RAY_NONE, RAY_TRIANGLE, RAY_GENERATED };
enum { RAY_OPAQUE = 1, RAY_NO_OPAQUE = 2, RAY_CULL_BACK = 16, RAY_CULL_FRONT = 32 }; ///< Flags.

/// What rays along z meet, cell by cell; false on noop. The root may be NULL: no flags, start at
/// -1, anything up to 100.
bool ray_trace(struct conform *c, weft_acceleration_structure top, const struct ray_root *root,
               struct ray_hit hits[8][8]);
