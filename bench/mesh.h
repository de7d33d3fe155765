/// The scene of the mesh benchmarks: a torus with waves of about 70,000 triangles, seen so that it
/// fills most of a 1280×720 picture.
#ifndef BENCH_MESH_H
#define BENCH_MESH_H

#include <stddef.h>
#include <stdint.h>

#define MESH_WIDTH     1280u
#define MESH_HEIGHT    720u
#define MESH_RING      264u ///< Cells around the hole.
#define MESH_TUBE      132u ///< Cells around the tube.
#define MESH_VERTICES  ((MESH_RING + 1u) * (MESH_TUBE + 1u))
#define MESH_TRIANGLES (MESH_RING * MESH_TUBE * 2u)
#define MESH_FRAMES    21u ///< Measured; the median counts.

struct mesh_vertex {
    float position[3], normal[3];
};

/// The root block of bench/shaders/mesh.*.
struct mesh_root {
    float clip_from_world[16], eye[4], light[4];
};

struct mesh {
    struct mesh_vertex vertices[MESH_VERTICES];
    uint32_t indices[MESH_TRIANGLES * 3u];
    struct mesh_root root;
};

/// NULL when out of memory. Freed with free().
struct mesh *mesh_make(void);

double mesh_clock_ms(void);
/// Sorts.
double mesh_median(double *values, uint32_t count);
/// Writes RGBA8 texels as a PPM image, to look at.
void mesh_write_ppm(const char *path, const uint8_t *texels);

#endif
