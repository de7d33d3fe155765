#include "mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void torus_point(double u, double v, double out[3])
{
    const double radius = 0.42 + 0.05 * sin(9 * u) * cos(5 * v);
    const double ring = 1.0 + radius * cos(v);
    out[0] = ring * cos(u);
    out[1] = radius * sin(v);
    out[2] = ring * sin(u);
}

static struct mesh_vertex torus_vertex(double u, double v)
{
    const double step = 1e-4;
    double p[3], pu[3], pv[3];
    struct mesh_vertex out;
    torus_point(u, v, p);
    torus_point(u + step, v, pu);
    torus_point(u, v + step, pv);
    for (int i = 0; i < 3; i++) {
        pu[i] -= p[i];
        pv[i] -= p[i];
    }
    const double n[3] = {pv[1] * pu[2] - pv[2] * pu[1], pv[2] * pu[0] - pv[0] * pu[2],
                         pv[0] * pu[1] - pv[1] * pu[0]};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++) {
        out.position[i] = (float)p[i];
        out.normal[i] = (float)(n[i] / length);
    }
    return out;
}

static void fill_geometry(struct mesh *m)
{
    const double turn = 6.283185307179586;
    uint32_t *index = m->indices;
    for (uint32_t i = 0; i <= MESH_RING; i++) {
        for (uint32_t k = 0; k <= MESH_TUBE; k++)
            m->vertices[i * (MESH_TUBE + 1) + k] =
                torus_vertex(turn * i / MESH_RING, turn * k / MESH_TUBE);
    }
    for (uint32_t i = 0; i < MESH_RING; i++) {
        for (uint32_t k = 0; k < MESH_TUBE; k++) {
            const uint32_t a = i * (MESH_TUBE + 1) + k, b = a + MESH_TUBE + 1;
            const uint32_t cell[6] = {a, a + 1, b, b, a + 1, b + 1};
            memcpy(index, cell, sizeof(cell));
            index += 6;
        }
    }
}

/// Looks along -z after a tilt around x; clip depth runs from 0 to 1.
static void fill_root(struct mesh_root *r)
{
    const double tilt = 0.9, distance = 2.45, near = 0.1, far = 20, focal = 1.6;
    const double c = cos(tilt), s = sin(tilt);
    const double depth = far / (near - far);
    const double view[3][4] = {{1, 0, 0, 0}, {0, c, -s, 0.3}, {0, s, c, -distance}};
    for (int column = 0; column < 4; column++) {
        float *out = &r->clip_from_world[(size_t)4 * (size_t)column];
        out[0] = (float)(view[0][column] * focal * MESH_HEIGHT / MESH_WIDTH);
        out[1] = (float)(view[1][column] * focal);
        out[2] = (float)(view[2][column] * depth + (column == 3 ? near * depth : 0));
        out[3] = (float)-view[2][column];
    }
    const float eye[4] = {0, (float)(s * distance), (float)(c * distance), 1};
    const float light[4] = {0.48f, 0.8f, 0.36f, 0};
    memcpy(r->eye, eye, sizeof(eye));
    memcpy(r->light, light, sizeof(light));
}

struct mesh *mesh_make(void)
{
    struct mesh *m = calloc(1, sizeof(*m));
    if (!m)
        return NULL;
    fill_geometry(m);
    fill_root(&m->root);
    return m;
}

double mesh_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double mesh_median(double *values, uint32_t count)
{
    qsort(values, count, sizeof(*values), compare);
    return values[count / 2];
}

void mesh_write_ppm(const char *path, const uint8_t *texels)
{
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return;
    }
    (void)fprintf(file, "P6\n%u %u\n255\n", MESH_WIDTH, MESH_HEIGHT);
    for (size_t i = 0; i < (size_t)MESH_WIDTH * MESH_HEIGHT; i++)
        (void)fwrite(texels + 4 * i, 1, 3, file);
    if (fclose(file) != 0)
        perror(path);
}
