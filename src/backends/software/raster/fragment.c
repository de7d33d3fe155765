/// Quads on their way through the fragment program. Sixteen of them, of any triangles of one draw,
/// share a batch; their outcome is applied quad by quad in the order in which they came.
#include "backends/software/raster/parts.h"

#include "base/bits.h"

#include <string.h>

/// Tests a quad against the depth of its triangle. Returns the samples that pass.
static uint32_t test_quad(struct worker *w, const struct draw *d, const struct quad *q, bool write)
{
    float z[WF_SW_RASTER_SAMPLES][4];
    for (uint32_t s = 0; d->depth_test && s < w->raster->pass.samples; s++) {
        if (q->mask >> (4 * s) & 0xf)
            wf_sw_raster_depth(w, d, q, s, z[s]);
    }
    return wf_sw_raster_test(w, d, q, (const float(*)[4])z, write);
}

static void push(struct worker *w, const struct quad *q)
{
    if (w->draw->plan->fragment.unique)
        w->pending[raster_quad_at(q->x, q->y)] |= q->mask;
    w->quads[w->quad_count++] = *q;
    if (w->quad_count == QUADS)
        wf_sw_raster_shade(w);
}

void wf_sw_raster_quad(struct worker *w, const struct draw *d, const struct triangle *t, uint32_t x,
                       uint32_t y, uint32_t mask)
{
    const struct fragment_plan *f = &d->plan->fragment;
    struct quad q = {t, mask & d->sample_lanes, 0, (uint8_t)x, (uint8_t)y, 0};
    if (!q.mask)
        return;
    q.covered = q.mask;
    if (f->unique && (w->pending[raster_quad_at(x, y)] & q.mask))
        wf_sw_raster_shade(w);
    if ((d->depth_test || d->stencil_test) && (!f->late || f->test_ahead)) {
        q.mask = test_quad(w, d, &q, !f->late);
        if (!q.mask)
            return;
    }
    if (!f->late && d->desc.occlusion)
        w->passed += wf_base_popcount32(q.mask);
    if (!f->shades)
        return;
    if (!f->per_sample) {
        push(w, &q);
        return;
    }
    const struct quad all = q;
    for (uint32_t s = 0; s < w->raster->pass.samples; s++) {
        q.mask = all.mask & (0xfu << (4 * s));
        q.covered = all.covered & (0xfu << (4 * s));
        q.sample = (uint8_t)s;
        if (q.mask)
            push(w, &q);
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

/// Tests a quad against the depth that the program wrote.
static uint32_t test_written(struct worker *w, const struct draw *d, const struct quad *q,
                             const uint32_t words[4])
{
    float z[WF_SW_RASTER_SAMPLES][4];
    for (uint32_t l = 0; l < 4; l++) {
        float value;
        memcpy(&value, &words[l], sizeof(value));
        value = wf_sw_raster_depth_value(w->raster, d, value);
        for (uint32_t s = 0; s < WF_SW_RASTER_SAMPLES; s++)
            z[s][l] = value;
    }
    return wf_sw_raster_test(w, d, q, (const float(*)[4])z, true);
}

/// Tests, writes and counts what was not known before shading.
static void finish_late(struct worker *w, const struct draw *d, const struct wf_sw_batch *batch)
{
    const int16_t row = d->plan->fragment.depth_row;
    const bool tests = d->depth_test || d->stencil_test;
    for (uint32_t i = 0; i < w->quad_count; i++) {
        struct quad *q = &w->quads[i];
        if (q->mask && tests)
            q->mask = row < 0 ? test_quad(w, d, q, true)
                              : test_written(w, d, q, batch->outputs[row] + (size_t)4 * i);
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
    batch->samples = w->raster->pass.samples;
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
    wf_sw_raster_stop(w->raster, d, result);
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
