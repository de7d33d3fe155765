/// Inputs of the fragment program for the queued quads.
#include "backends/software/raster/parts.h"
#include "backends/software/raster/quads.h"

#include "base/half.h"

#include <string.h>

/// Weights of a batch: of vertices 1 and 2, for perspective and on the screen, and 1/w.
struct weights {
    float b1[LANES], b2[LANES];
    float l0[LANES], l1[LANES], l2[LANES];
    float inv_w[LANES];
};

/// Where a quad is sampled, in 1/256 pixels: lane 0.
static void quad_position(const struct worker *w, const struct quad *q, int32_t *x, int32_t *y)
{
    const bool per_sample = w->draw->plan->fragment.per_sample;
    const uint32_t samples = per_sample ? w->raster->pass.samples : 1;
    *x = (w->tile.x + q->x) * SUBPIXEL + raster_sample_x(samples, q->sample);
    *y = (w->tile.y + q->y) * SUBPIXEL + raster_sample_y(samples, q->sample);
}

/// Screen weight of the vertex opposite to edge `i`. Every term but the last product is exact.
static void screen_weights(const struct triangle *t, uint32_t i, int32_t x, int32_t y, float out[4])
{
    const double edge_x = t->edge_x[i], edge_y = t->edge_y[i];
    quad_scaled_steps(edge_x * x + edge_y * y + (double)t->edge_c[i], edge_x * SUBPIXEL,
                      edge_y * SUBPIXEL, t->inv_area, out);
}

static void fill_weights(const struct worker *w, struct weights *k)
{
    float p0[LANES], p1[LANES], p2[LANES];
    for (uint32_t i = 0; i < QUADS; i++) {
        const struct quad *q = &w->quads[i < w->quad_count ? i : w->quad_count - 1];
        const struct triangle *t = q->triangle;
        const size_t at = (size_t)4 * i;
        int32_t x, y;
        quad_position(w, q, &x, &y);
        screen_weights(t, 0, x, y, k->l0 + at);
        screen_weights(t, 1, x, y, k->l1 + at);
        screen_weights(t, 2, x, y, k->l2 + at);
        for (size_t l = at; l < at + 4; l++) {
            p0[l] = k->l0[l] * t->inv_w[0];
            p1[l] = k->l1[l] * t->inv_w[1];
            p2[l] = k->l2[l] * t->inv_w[2];
        }
    }
    for (uint32_t l = 0; l < LANES; l++) {
        k->inv_w[l] = p0[l] + (p1[l] + p2[l]);
        const float w_here = 1.0f / k->inv_w[l];
        k->b1[l] = p1[l] * w_here;
        k->b2[l] = p2[l] * w_here;
    }
}

/// One varying over a quad, from its values at the vertices.
static void interpolate4(const uint32_t *v0, const uint32_t *v1, const uint32_t *v2,
                         const float b1[4], const float b2[4], uint32_t out[4])
{
    const float a0 = wf_base_float_from_bits(*v0);
    quad_interpolate(a0, wf_base_float_from_bits(*v1) - a0, wf_base_float_from_bits(*v2) - a0, b1,
                     b2, out);
}

static void fill_varyings(const struct worker *w, const struct weights *k,
                          uint32_t (*inputs)[LANES])
{
    const struct fragment_plan *f = &w->draw->plan->fragment;
    for (uint32_t i = 0; i < w->quad_count; i++) {
        const struct triangle *t = w->quads[i].triangle;
        const uint32_t *v0 = t->varyings[0], *v1 = t->varyings[1], *v2 = t->varyings[2];
        const size_t at = (size_t)4 * i;
        const float *b1 = k->b1 + at, *b2 = k->b2 + at, *l1 = k->l1 + at, *l2 = k->l2 + at;
        for (uint32_t j = 0; j < f->varying_count; j++) {
            uint32_t *out = inputs[f->varyings[j].input_row] + at;
            switch ((enum varying_mode)f->varyings[j].mode) {
            case VARYING_PERSPECTIVE:
                interpolate4(&v0[j], &v1[j], &v2[j], b1, b2, out);
                break;
            case VARYING_LINEAR:
                interpolate4(&v0[j], &v1[j], &v2[j], l1, l2, out);
                break;
            case VARYING_FLAT:
                out[0] = out[1] = out[2] = out[3] = v0[j];
                break;
            }
        }
    }
}

static void frag_coord(const struct worker *w, const struct weights *k, uint32_t component,
                       uint32_t row[LANES])
{
    if (component == 3) {
        memcpy(row, k->inv_w, sizeof(k->inv_w));
        return;
    }
    for (uint32_t i = 0; i < w->quad_count; i++) {
        int32_t x, y;
        quad_position(w, &w->quads[i], &x, &y);
        const double at_x = x * (1.0 / SUBPIXEL), at_y = y * (1.0 / SUBPIXEL);
        for (uint32_t l = 0; l < 4; l++) {
            const double px = at_x + (l & 1), py = at_y + (l >> 1);
            const double value = component == 0   ? px
                                 : component == 1 ? py
                                                  : raster_plane(w->quads[i].triangle, px, py);
            row[4 * i + l] = wf_base_float_bits((float)value);
        }
    }
}

static uint32_t point_coord(const struct worker *w, const struct quad *q, uint32_t lane,
                            uint32_t component)
{
    const float *point = q->triangle->point;
    int32_t x, y;
    quad_position(w, q, &x, &y);
    const int32_t at =
        component == 0 ? x + (int32_t)(lane & 1) * SUBPIXEL : y + (int32_t)(lane >> 1) * SUBPIXEL;
    if (point[2] == 0)
        return 0;
    return wf_base_float_bits(0.5f + ((float)at / SUBPIXEL - point[component]) / point[2]);
}

static uint32_t sample_mask_in(const struct worker *w, const struct quad *q, uint32_t lane)
{
    uint32_t mask = 0;
    for (uint32_t s = 0; s < w->raster->pass.samples; s++)
        mask |= (q->mask >> (4 * s + lane) & 1) << s;
    return mask;
}

static uint32_t sample_position(const struct worker *w, const struct quad *q, uint32_t component)
{
    const uint32_t samples = w->raster->pass.samples;
    const int32_t at =
        component == 0 ? raster_sample_x(samples, q->sample) : raster_sample_y(samples, q->sample);
    return wf_base_float_bits((float)at / SUBPIXEL);
}

static uint32_t builtin_value(const struct worker *w, const struct quad *q, uint32_t lane,
                              const struct builtin_row *b)
{
    switch (b->builtin) {
    case SpvBuiltInFrontFacing:
        return q->triangle->front;
    case SpvBuiltInPrimitiveId:
        return q->triangle->primitive;
    case SpvBuiltInPointCoord:
        return point_coord(w, q, lane, b->component);
    case SpvBuiltInSampleId:
        return q->sample;
    case SpvBuiltInSamplePosition:
        return sample_position(w, q, b->component);
    case SpvBuiltInSampleMask:
        return b->component == 0 ? sample_mask_in(w, q, lane) : 0;
    default:
        return 0;
    }
}

void wf_sw_raster_interpolate(const struct worker *w, uint32_t (*inputs)[LANES])
{
    const struct fragment_plan *f = &w->draw->plan->fragment;
    struct weights k;
    fill_weights(w, &k);
    fill_varyings(w, &k, inputs);
    for (uint32_t i = 0; i < f->builtin_count; i++) {
        const struct builtin_row *b = &f->builtins[i];
        uint32_t *row = inputs[b->row];
        if (b->builtin == SpvBuiltInFragCoord) {
            frag_coord(w, &k, b->component, row);
            continue;
        }
        for (uint32_t l = 0; l < 4 * w->quad_count; l++)
            row[l] = builtin_value(w, &w->quads[l / 4], l % 4, b);
    }
}
