/// Inputs of the fragment program for the queued quads.
#include "backends/software/raster/parts.h"
#include "backends/software/raster/quads.h"

#include "base/half.h"

#include <string.h>

/// Where the queued quads are sampled, in 1/256 pixels: lane 0.
struct positions {
    int32_t x[QUADS], y[QUADS];
};

/// Weights of a batch: of vertices 1 and 2, for perspective and on the screen, and 1/w.
struct weights {
    float b1[LANES], b2[LANES];
    float l0[LANES], l1[LANES], l2[LANES];
    float inv_w[LANES];
};

static void fill_positions(const struct worker *w, struct positions *p)
{
    const bool per_sample = w->draw->plan->fragment.per_sample;
    const uint32_t samples = per_sample ? w->raster->pass.samples : 1;
    for (uint32_t i = 0; i < w->quad_count; i++) {
        const struct quad *q = &w->quads[i];
        p->x[i] = (w->tile.x + q->x) * SUBPIXEL + raster_sample_x(samples, q->sample);
        p->y[i] = (w->tile.y + q->y) * SUBPIXEL + raster_sample_y(samples, q->sample);
    }
}

/// The first quad after `first` that is not of the same triangle.
static uint32_t run_end(const struct worker *w, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < w->quad_count && w->quads[end].triangle == w->quads[first].triangle)
        end++;
    return end;
}

/// Screen weights of quads [first, end) of one triangle. Every term but the last product is exact.
static void screen_weights(const struct triangle *t, const struct positions *p, uint32_t first,
                           uint32_t end, struct weights *k)
{
    float *const rows[3] = {k->l0, k->l1, k->l2};
    for (uint32_t e = 0; e < 3; e++) {
        const double edge_x = t->edge_x[e], edge_y = t->edge_y[e], edge_c = (double)t->edge_c[e];
        for (size_t i = first; i < end; i++)
            quad_scaled_steps(edge_x * p->x[i] + edge_y * p->y[i] + edge_c, edge_x * SUBPIXEL,
                              edge_y * SUBPIXEL, t->inv_area, rows[e] + 4 * i);
    }
}

/// From screen weights to those of perspective.
static void divide(const struct worker *w, struct weights *k)
{
    float p1[LANES], p2[LANES];
    for (size_t i = 0; i < w->quad_count; i++) {
        const struct triangle *t = w->quads[i].triangle;
        for (size_t l = 4 * i; l < 4 * i + 4; l++) {
            p1[l] = k->l1[l] * t->inv_w[1];
            p2[l] = k->l2[l] * t->inv_w[2];
            k->inv_w[l] = k->l0[l] * t->inv_w[0] + (p1[l] + p2[l]);
        }
    }
    for (uint32_t l = 0; l < 4 * w->quad_count; l++) {
        const float w_here = 1.0f / k->inv_w[l];
        k->b1[l] = p1[l] * w_here;
        k->b2[l] = p2[l] * w_here;
    }
}

static void fill_weights(const struct worker *w, const struct positions *p, struct weights *k)
{
    for (uint32_t i = 0, end; i < w->quad_count; i = end) {
        end = run_end(w, i);
        screen_weights(w->quads[i].triangle, p, i, end, k);
    }
    divide(w, k);
}

/// Moves the lanes of pixels that are partly covered to their first covered sample.
static void fill_centroid_weights(const struct worker *w, const struct weights *center,
                                  struct weights *k)
{
    const uint32_t samples = w->raster->pass.samples;
    memcpy(k, center, sizeof(*k));
    for (uint32_t l = 0; l < 4 * w->quad_count; l++) {
        const struct quad *q = &w->quads[l / 4];
        const uint32_t covered = q->covered >> l % 4 & ALL_SAMPLES;
        if (covered == 0 || covered == (ALL_SAMPLES & (uint32_t)((UINT64_C(1) << 4 * samples) - 1)))
            continue;
        const uint32_t sample = wf_base_ctz32(covered) / 4;
        const struct triangle *t = q->triangle;
        const double x =
            (w->tile.x + q->x + (int32_t)(l & 1)) * SUBPIXEL + raster_sample_x(samples, sample);
        const double y = (w->tile.y + q->y + (int32_t)(l >> 1 & 1)) * SUBPIXEL +
                         raster_sample_y(samples, sample);
        float *const rows[3] = {k->l0, k->l1, k->l2};
        for (uint32_t e = 0; e < 3; e++)
            rows[e][l] =
                (float)((t->edge_x[e] * x + t->edge_y[e] * y + (double)t->edge_c[e]) * t->inv_area);
    }
    divide(w, k);
}

/// One varying over quads [first, end) of one triangle.
static void fill_run(const uint32_t *const at_vertex[3], const float *w1, const float *w2,
                     uint32_t *row, const uint32_t run[2])
{
    const float a0 = wf_base_float_from_bits(*at_vertex[0]);
    const float d1 = wf_base_float_from_bits(*at_vertex[1]) - a0;
    const float d2 = wf_base_float_from_bits(*at_vertex[2]) - a0;
    for (size_t l = (size_t)4 * run[0]; l < (size_t)4 * run[1]; l += 4)
        quad_interpolate(a0, d1, d2, w1 + l, w2 + l, row + l);
}

static void fill_varyings(const struct worker *w, const struct weights *center,
                          const struct weights *centroid, uint32_t (*inputs)[LANES])
{
    const struct fragment_plan *f = &w->draw->plan->fragment;
    for (uint32_t i = 0, end; i < w->quad_count; i = end) {
        const struct triangle *t = w->quads[i].triangle;
        end = run_end(w, i);
        for (uint32_t j = 0; j < f->varying_count; j++) {
            const struct varying *v = &f->varyings[j];
            const struct weights *k = v->centroid ? centroid : center;
            const uint32_t *const at_vertex[3] = {t->varyings[0] + j, t->varyings[1] + j,
                                                  t->varyings[2] + j};
            uint32_t *row = inputs[v->input_row];
            switch ((enum varying_mode)v->mode) {
            case VARYING_PERSPECTIVE:
                fill_run(at_vertex, k->b1, k->b2, row, (const uint32_t[2]){i, end});
                break;
            case VARYING_LINEAR:
                fill_run(at_vertex, k->l1, k->l2, row, (const uint32_t[2]){i, end});
                break;
            case VARYING_FLAT:
                for (uint32_t l = 4 * i; l < 4 * end; l++)
                    row[l] = *at_vertex[0];
                break;
            }
        }
    }
}

/// Components x, y and z; w is 1/w as interpolated.
static void frag_coord(const struct worker *w, const struct positions *p, uint32_t component,
                       uint32_t row[LANES])
{
    for (uint32_t i = 0; i < w->quad_count; i++) {
        const struct triangle *t = w->quads[i].triangle;
        const int32_t x = p->x[i], y = p->y[i];
        const float at_x = (float)x / SUBPIXEL, at_y = (float)y / SUBPIXEL;
        float values[4] = {at_x, at_x + 1, at_x, at_x + 1};
        if (component == 1)
            memcpy(values, (const float[4]){at_y, at_y, at_y + 1, at_y + 1}, sizeof(values));
        else if (component == 2)
            quad_plane(t->z, t->z_slope, x * (1.0 / SUBPIXEL), y * (1.0 / SUBPIXEL), values);
        memcpy(row + (size_t)4 * i, values, sizeof(values));
    }
}

static void point_coord(const struct worker *w, const struct positions *p, uint32_t component,
                        uint32_t row[LANES])
{
    for (uint32_t l = 0; l < 4 * w->quad_count; l++) {
        const float *point = w->quads[l / 4].triangle->point;
        const int32_t step = (int32_t)(component == 0 ? l & 1 : l >> 1 & 1) * SUBPIXEL;
        const int32_t at = (component == 0 ? p->x[l / 4] : p->y[l / 4]) + step;
        const float offset = (float)at / SUBPIXEL - point[component];
        row[l] = point[2] == 0 ? 0 : wf_base_float_bits(0.5f + offset / point[2]);
    }
}

static uint32_t sample_mask_in(const struct worker *w, const struct quad *q, uint32_t lane)
{
    uint32_t mask = 0;
    for (uint32_t s = 0; s < w->raster->pass.samples; s++)
        mask |= (q->covered >> (4 * s + lane) & 1) << s;
    return mask;
}

static uint32_t sample_position(const struct worker *w, const struct quad *q, uint32_t component)
{
    const uint32_t samples = w->raster->pass.samples;
    const int32_t at =
        component == 0 ? raster_sample_x(samples, q->sample) : raster_sample_y(samples, q->sample);
    return wf_base_float_bits((float)at / SUBPIXEL);
}

/// From the pixel's middle to where its inputs are interpolated.
static uint32_t offset_from_middle(const struct worker *w, const struct quad *q, uint32_t component)
{
    const uint32_t samples = w->draw->plan->fragment.per_sample ? w->raster->pass.samples : 1;
    const int32_t at =
        component == 0 ? raster_sample_x(samples, q->sample) : raster_sample_y(samples, q->sample);
    const int32_t middle = SUBPIXEL / 2;
    return wf_base_float_bits((float)(at - middle) / SUBPIXEL);
}

static uint32_t builtin_value(const struct worker *w, const struct quad *q, uint32_t lane,
                              const struct builtin_row *b)
{
    switch (b->builtin) {
    case SpvBuiltInFrontFacing:
        return q->triangle->front;
    case SpvBuiltInPrimitiveId:
        return q->triangle->primitive;
    case SpvBuiltInLayer:
        return q->triangle->layer;
    case SpvBuiltInSampleId:
        return q->sample;
    case SpvBuiltInSamplePosition:
        return sample_position(w, q, b->component);
    case WF_SW_BUILTIN_OFFSET:
        return offset_from_middle(w, q, b->component);
    case SpvBuiltInSampleMask:
        return b->component == 0 ? sample_mask_in(w, q, lane) : 0;
    default:
        return 0;
    }
}

void wf_sw_raster_interpolate(const struct worker *w, uint32_t (*inputs)[LANES])
{
    const struct fragment_plan *f = &w->draw->plan->fragment;
    struct positions p;
    struct weights k, centroid;
    fill_positions(w, &p);
    fill_weights(w, &p, &k);
    if (f->needs_centroid)
        fill_centroid_weights(w, &k, &centroid);
    fill_varyings(w, &k, f->needs_centroid ? &centroid : &k, inputs);
    for (uint32_t i = 0; i < f->builtin_count; i++) {
        const struct builtin_row *b = &f->builtins[i];
        uint32_t *row = inputs[b->row];
        if (b->builtin == SpvBuiltInFragCoord && b->component == 3) {
            memcpy(row, k.inv_w, sizeof(k.inv_w));
        } else if (b->builtin == SpvBuiltInFragCoord) {
            frag_coord(w, &p, b->component, row);
        } else if (b->builtin == SpvBuiltInPointCoord) {
            point_coord(w, &p, b->component, row);
        } else {
            for (uint32_t l = 0; l < 4 * w->quad_count; l++)
                row[l] = builtin_value(w, &w->quads[l / 4], l % 4, b);
        }
    }
}
