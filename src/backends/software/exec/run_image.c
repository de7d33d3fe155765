#include "backends/software/exec/run.h"

#include <string.h>

#include "backends/software/exec/trace.h"
#include "backends/software/image/image.h"
#include "base/bits.h"

/// One instruction with its operands found.
struct access {
    struct wf_sw_run *run;
    const struct wf_sw_image_op *op;
    struct wf_sw_sample_args sample;
    struct wf_sw_texel_args texel;
    const uint32_t *values[4];
};

static const uint32_t *row(const struct access *a, uint32_t k)
{
    const uint32_t o = a->op->operands[k];
    return o == WF_SW_OPERAND_NONE ? NULL : wf_sw_row(a->run, o & WF_SW_OPERAND_SLOT);
}

static void find_operands(struct access *a)
{
    const struct wf_sw_image_op *op = a->op;
    for (uint32_t k = 0; k < 4; k++) {
        a->sample.coords[k] = (const float *)row(a, WF_SW_IMAGE_COORD + k);
        a->texel.coords[k] = (const int32_t *)row(a, WF_SW_IMAGE_COORD + k);
        a->values[k] = row(a, WF_SW_IMAGE_TEXEL + k);
    }
    for (uint32_t k = 0; k < 3; k++) {
        a->sample.ddx[k] = (const float *)row(a, WF_SW_IMAGE_DDX + k);
        a->sample.ddy[k] = (const float *)row(a, WF_SW_IMAGE_DDY + k);
        a->sample.offset[k] = (const int32_t *)row(a, WF_SW_IMAGE_OFFSET + k);
        a->texel.offset[k] = a->sample.offset[k];
    }
    a->sample.mode = (enum wf_sw_lod)op->mode;
    a->sample.lod = (const float *)row(a, WF_SW_IMAGE_LOD);
    a->sample.lod_min = (const float *)row(a, WF_SW_IMAGE_LOD_MIN);
    a->sample.dref = (const float *)row(a, WF_SW_IMAGE_DREF);
    a->sample.gather = op->gather;
    a->sample.component = op->component;
    a->sample.gather_offsets = op->has_offsets ? op->offsets : NULL;
    a->texel.lod = (const int32_t *)row(a, WF_SW_IMAGE_LOD);
    a->texel.sample = (const int32_t *)row(a, WF_SW_IMAGE_SAMPLE_INDEX);
}

static void fill(uint32_t *out, uint64_t mask, uint32_t value)
{
    for (; mask; mask &= mask - 1)
        out[wf_base_ctz64(mask)] = value;
}

/// Levels differ rarely: one call for each.
static void query_size(const struct access *a, const struct wf_sw_view *view, uint64_t mask,
                       uint32_t out[4][WF_SW_LANES])
{
    while (mask) {
        const uint32_t first = wf_base_ctz64(mask);
        const int32_t lod = a->texel.lod ? a->texel.lod[first] : 0;
        uint32_t size[3];
        wf_sw_view_size(view, lod, size);
        for (uint64_t left = mask; left; left &= left - 1) {
            const uint32_t lane = wf_base_ctz64(left);
            if (a->texel.lod && a->texel.lod[lane] != lod)
                continue;
            for (uint32_t k = 0; k < 3; k++)
                out[k][lane] = size[k];
            mask &= ~(UINT64_C(1) << lane);
        }
    }
}

/// All lanes of `mask` use one view and one sampler.
static void access_one(const struct access *a, const struct wf_sw_view *view,
                       const struct wf_sw_sampler *sampler, uint64_t mask,
                       uint32_t out[4][WF_SW_LANES])
{
    const struct wf_sw_image_op *op = a->op;
    if (!view)
        return;
    switch (op->kind) {
    case WF_SW_IMAGE_SAMPLE:
        if (sampler)
            wf_sw_image_sample(view, sampler, &a->sample, mask, out);
        break;
    case WF_SW_IMAGE_QUERY_LOD:
        if (sampler)
            wf_sw_image_query_lod(view, sampler, &a->sample, mask, (float(*)[WF_SW_LANES])out);
        break;
    case WF_SW_IMAGE_FETCH:
        wf_sw_image_fetch(view, &a->texel, mask, out);
        break;
    case WF_SW_IMAGE_READ:
        wf_sw_image_read(view, &a->texel, mask, out);
        break;
    case WF_SW_IMAGE_WRITE:
        wf_sw_image_write(view, &a->texel, mask, a->values);
        break;
    case WF_SW_IMAGE_ATOMIC:
        wf_sw_image_atomic(view, (enum wf_sw_atomic)op->atomic, &a->texel, mask, a->values[0],
                           a->values[1], out[0]);
        break;
    case WF_SW_IMAGE_SIZE:
        query_size(a, view, mask, out);
        break;
    case WF_SW_IMAGE_LEVELS:
        fill(out[0], mask, view->mip_count);
        break;
    default:
        fill(out[0], mask, view->image->samples);
        break;
    }
}

static const struct wf_sw_binding *element(const struct wf_sw_run *run, uint32_t use,
                                           uint32_t operand, uint32_t lane)
{
    static const struct wf_sw_binding none = {0};
    const struct wf_sw_found *f = &run->found[use];
    uint32_t index = 0;
    if ((operand & WF_SW_OPERAND_KIND) == WF_SW_OPERAND_WORD)
        index = run->words[operand & WF_SW_OPERAND_SLOT];
    else if ((operand & WF_SW_OPERAND_KIND) == WF_SW_OPERAND_ROW)
        index = wf_sw_row(run, operand & WF_SW_OPERAND_SLOT)[lane];
    return index < f->count ? &f->elements[index] : &none;
}

static bool varies(uint32_t operand)
{
    return (operand & WF_SW_OPERAND_KIND) == WF_SW_OPERAND_ROW;
}

/// Lanes of `mask` that use the same descriptors as its first one.
static uint64_t alike(const struct access *a, uint64_t mask)
{
    const uint32_t image = a->op->operands[WF_SW_IMAGE_DESC];
    const uint32_t sampler = a->op->operands[WF_SW_IMAGE_SAMPLER_DESC];
    const uint32_t first = wf_base_ctz64(mask);
    if (!varies(image) && !varies(sampler))
        return mask;
    uint64_t same = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t lane = wf_base_ctz64(left);
        if (element(a->run, a->op->use, image, lane) == element(a->run, a->op->use, image, first) &&
            element(a->run, a->op->sampler_use, sampler, lane) ==
                element(a->run, a->op->sampler_use, sampler, first))
            same |= UINT64_C(1) << lane;
    }
    return same;
}

/// Writes down which view of the heap an instruction uses, for whoever traces.
static void trace_view(const struct wf_sw_run *run, const struct wf_sw_image_op *op,
                       const struct wf_sw_view *view)
{
    struct wf_sw_trace *trace = run->resources->trace;
    const bool texels = op->kind <= WF_SW_IMAGE_ATOMIC;
    if (!trace || !view || !texels || run->program->info.uses[op->use].set != WF_SW_SETS - 1)
        return;
    wf_base_mutex_lock(&trace->lock);
    wf_sw_trace_view(trace, run->program->info.model,
                     op->kind == WF_SW_IMAGE_WRITE    ? WF_SW_TOUCH_WRITE
                     : op->kind == WF_SW_IMAGE_ATOMIC ? WF_SW_TOUCH_ATOMIC
                                                      : WF_SW_TOUCH_READ,
                     view);
    wf_base_mutex_unlock(&trace->lock);
}

void wf_sw_run_image(struct wf_sw_run *run, const struct wf_sw_image_op *op)
{
    _Alignas(64) uint32_t out[4][WF_SW_LANES];
    struct access a = {.run = run, .op = op};
    const bool writes = op->kind == WF_SW_IMAGE_WRITE || op->kind == WF_SW_IMAGE_ATOMIC;
    uint64_t mask = writes ? run->exec & ~run->helpers : run->exec;
    memset(out, 0, sizeof out);
    find_operands(&a);
    while (mask) {
        const uint64_t same = alike(&a, mask);
        const uint32_t lane = wf_base_ctz64(same);
        const struct wf_sw_binding *image =
            element(run, op->use, op->operands[WF_SW_IMAGE_DESC], lane);
        const struct wf_sw_binding *sampler =
            element(run, op->sampler_use, op->operands[WF_SW_IMAGE_SAMPLER_DESC], lane);
        trace_view(run, op, image->view);
        access_one(&a, image->view, sampler->sampler, same, out);
        mask &= ~same;
    }
    const uint16_t *slots = run->program->aux + op->rows;
    for (uint32_t k = 0; k < 4; k++) {
        if (slots[k] != WF_SW_NO_SLOT)
            memcpy(wf_sw_row(run, slots[k]), out[k], sizeof out[k]);
    }
}
