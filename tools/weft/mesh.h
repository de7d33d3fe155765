/// \file mesh.h
/// Meshes made by formulas.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct mesh_vertex {
    float position[3], normal[3], uv[2];
};

struct mesh {
    struct mesh_vertex *vertices;
    uint32_t *indices;
    uint32_t vertex_count, index_count;
};

/// False: out of memory. A grid of `columns` × `rows` cells whose corners `place` puts: u and v run
/// from 0 to 1.
typedef void mesh_place(void *user, float u, float v, struct mesh_vertex *out);
bool mesh_create_grid(uint32_t columns, uint32_t rows, mesh_place *place, void *user,
                      struct mesh *out);

/// A floor of half side `extent`, facing up.
bool mesh_create_floor(float extent, struct mesh *out);
bool mesh_create_sphere(struct mesh *out);
/// A tube along the (2, 3) torus knot.
bool mesh_create_knot(float radius, float thickness, struct mesh *out);
/// A box of these half sides with rounded edges, of `cells` × `cells` a side.
bool mesh_create_box(float x, float y, float z, float rounding, uint32_t cells, struct mesh *out);
void mesh_finish(struct mesh *mesh);
