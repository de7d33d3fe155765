/// Quads on their way through the fragment program. Sixteen of them, of any triangles of one draw,
/// share a batch; their outcome is applied quad by quad in the order in which they came.
#include "backends/software/raster/parts.h"

#include "base/bits.h"

#include <string.h>

#define ALL_SAMPLES 0x11111111u ///< Times a lane mask: that mask for every sample.

static void depth_of_quad(const struct worker *w, const struct draw *d, const struct triangle *t,
                          uint32_t x, uint32_t y, uint32_t mask, float z[WF_SW_RASTER_SAMPLES][4])
{
    for (uint32_t s = 0; s < w->raster->pass.samples; s++) {
        if (mask >> (4 * s) & 0xf)
            wf_sw_raster_depth(w, d, t, x, y, s, z[s]);
    }
}

/// Tests a quad against the depth of its triangle.
static uint32_t test_quad(struct worker *w, const struct draw *d, const struct triangle *t,
                          uint32_t x, uint32_t y, uint32_t mask, bool write)
{
    float z[WF_SW_RASTER_SAMPLES][4];
    if (d->depth_test)
        depth_of_quad(w, d, t, x, y, mask, z);
    return wf_sw_raster_test(w, d, raster_quad_at(x, y), mask, (const float(*)[4])z, t->front,
                             write);
}

static void push(struct worker *w, const struct triangle *t, uint32_t x, uint32_t y, uint32_t mask,
                 uint32_t sample)
{
    if (w->draw->plan->fragment.unique)
        w->pending[raster_quad_at(x, y)] |= mask;
    w->quads[w->quad_count++] = (struct quad){t, mask, (uint8_t)x, (uint8_t)y, (uint8_t)sample};
    if (w->quad_count == QUADS)
        wf_sw_raster_shade(w);
}

void wf_sw_raster_quad(struct worker *w, const struct draw *d, const struct triangle *t, uint32_t x,
                       uint32_t y, uint32_t mask)
{
    const struct fragment_plan *f = &d->plan->fragment;
    mask &= d->sample_lanes;
    if (!mask)
        return;
    if (f->unique && (w->pending[raster_quad_at(x, y)] & mask))
        wf_sw_raster_shade(w);
    const bool tests = d->depth_test || d->stencil_test;
    if (tests && (!f->late || f->test_ahead)) {
        mask = test_quad(w, d, t, x, y, mask, !f->late);
        if (!mask)
            return;
    }
    if (!f->late && d->desc.occlusion)
        w->passed += wf_base_popcount32(mask);
    if (!f->shades)
        return;
    if (!f->per_sample) {
        push(w, t, x, y, mask, 0);
        return;
    }
    for (uint32_t s = 0; s < w->raster->pass.samples; s++) {
        if (mask >> (4 * s) & 0xf)
            push(w, t, x, y, mask & (0xfu << (4 * s)), s);
    }
}

/// Lanes with a sample set.
static uint32_t lanes_of(uint32_t mask)
{
    mask |= mask >> 16;
    mask |= mask >> 8;
    mask |= mask >> 4;
    return mask & 0xf;
}

/// Keeps the samples of a lane that `keep` has as bits.
static uint32_t keep_samples(uint32_t mask, uint32_t lane, uint32_t keep)
{
    for (uint32_t s = 0; s < WF_SW_RASTER_SAMPLES; s++) {
        if (!(keep >> s & 1))
            mask &= ~(1u << (4 * s + lane));
    }
    return mask;
}

/// Samples that an alpha value covers: so many of them, in a fixed order.
static uint32_t alpha_samples(uint32_t word, uint32_t samples)
{
    float alpha;
    memcpy(&alpha, &word, sizeof(alpha));
    if (!(alpha > 0))
        return 0;
    const uint32_t count = alpha >= 1 ? samples : (uint32_t)(alpha * (float)samples + 0.5f);
    return (1u << count) - 1;
}

/// Takes away what the program itself decided against.
static void apply_program_masks(struct worker *w, const struct wf_sw_batch *batch)
{
    const struct fragment_plan *f = &w->draw->plan->fragment;
    const uint32_t samples = w->raster->pass.samples;
    for (uint32_t i = 0; i < w->quad_count; i++) {
        struct quad *q = &w->quads[i];
        q->mask &= ~((uint32_t)(batch->killed >> (4 * i) & 0xf) * ALL_SAMPLES);
        for (uint32_t l = 0; l < 4; l++) {
            if (f->sample_mask_row >= 0)
                q->mask = keep_samples(q->mask, l, batch->outputs[f->sample_mask_row][4 * i + l]);
            if (f->alpha_row >= 0)
                q->mask = keep_samples(
                    q->mask, l, alpha_samples(batch->outputs[f->alpha_row][4 * i + l], samples));
        }
    }
}

/// Tests, writes and counts what was not known before shading.
static void finish_late(struct worker *w, const struct draw *d, const struct wf_sw_batch *batch)
{
    const struct fragment_plan *f = &d->plan->fragment;
    const bool tests = d->depth_test || d->stencil_test;
    for (uint32_t i = 0; i < w->quad_count; i++) {
        struct quad *q = &w->quads[i];
        if (q->mask && tests && f->depth_row < 0) {
            q->mask = test_quad(w, d, q->triangle, q->x, q->y, q->mask, true);
        } else if (q->mask && tests) {
            float z[WF_SW_RASTER_SAMPLES][4];
            for (uint32_t l = 0; l < 4; l++) {
                float value;
                memcpy(&value, &batch->outputs[f->depth_row][4 * i + l], sizeof(value));
                value = wf_sw_raster_depth_value(w->raster, d, value);
                for (uint32_t s = 0; s < WF_SW_RASTER_SAMPLES; s++)
                    z[s][l] = value;
            }
            q->mask = wf_sw_raster_test(w, d, raster_quad_at(q->x, q->y), q->mask,
                                        (const float(*)[4])z, q->triangle->front, true);
        }
        if (d->desc.occlusion)
            w->passed += wf_base_popcount32(q->mask);
    }
}

static bool run(struct worker *w, const struct draw *d, struct wf_sw_batch *batch)
{
    if (!wf_sw_prepare(w->context, d->desc.fragment, batch)) {
        wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
        return false;
    }
    batch->active = batch->helpers = batch->killed = 0;
    for (uint32_t i = 0; i < w->quad_count; i++) {
        const uint64_t lanes = lanes_of(w->quads[i].mask);
        batch->active |= UINT64_C(0xf) << (4 * i);
        batch->helpers |= (~lanes & 0xf) << (4 * i);
        if (d->desc.statistics)
            w->shaded += wf_base_popcount32((uint32_t)lanes);
    }
    wf_sw_raster_interpolate(w, batch->inputs);
    const enum wf_sw_result result =
        wf_sw_run(w->context, d->desc.fragment, &d->fragment_resources, batch);
    if (result == WF_SW_OK)
        return true;
    wf_sw_raster_fail(w->raster, result == WF_SW_BUDGET ? WEFT_ERROR_LOST : WEFT_ERROR_MEMORY);
    return false;
}

void wf_sw_raster_shade(struct worker *w)
{
    if (w->quad_count == 0)
        return;
    const struct draw *d = w->draw;
    const struct fragment_plan *f = &d->plan->fragment;
    if (f->unique) {
        for (uint32_t i = 0; i < w->quad_count; i++)
            w->pending[raster_quad_at(w->quads[i].x, w->quads[i].y)] = 0;
    }
    struct wf_sw_batch batch;
    if (atomic_load_explicit(&w->raster->result, memory_order_relaxed) == WEFT_OK &&
        run(w, d, &batch)) {
        if (batch.killed || f->sample_mask_row >= 0 || f->alpha_row >= 0)
            apply_program_masks(w, &batch);
        if (f->late)
            finish_late(w, d, &batch);
        for (uint32_t i = 0; i < WF_SW_RASTER_COLORS; i++) {
            if (f->colors[i].written)
                wf_sw_raster_write_color(w, d, i, batch.outputs);
        }
    }
    w->quad_count = 0;
}
