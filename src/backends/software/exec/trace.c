#include "backends/software/exec/trace.h"

#include <stdlib.h>

#include "base/array.h"

#define BLOCK_SHIFT 8
#define MODEL_SHIFT 56

bool wf_sw_trace_init(struct wf_sw_trace *trace, const struct wf_base_allocator *allocator)
{
    *trace = (struct wf_sw_trace){.last = 0};
    wf_base_map_init(&trace->map, allocator);
    return wf_base_mutex_init(&trace->lock);
}

void wf_sw_trace_finish(struct wf_sw_trace *trace)
{
    const struct wf_base_allocator *a = trace->map.allocator;
    wf_base_free(a, trace->blocks, trace->block_capacity * sizeof *trace->blocks);
    wf_base_free(a, trace->touches, trace->touch_capacity * sizeof *trace->touches);
    wf_base_map_finish(&trace->map);
    wf_base_mutex_finish(&trace->lock);
}

/// NULL without memory.
static struct wf_sw_trace_block *block_of(struct wf_sw_trace *trace, uint64_t key)
{
    if (trace->blocks && trace->last < trace->block_count && trace->blocks[trace->last].key == key)
        return &trace->blocks[trace->last];
    const uint64_t *found = wf_base_map_find(&trace->map, key);
    if (found) {
        trace->last = (uint32_t)*found;
        return &trace->blocks[*found];
    }
    struct wf_sw_trace_block *blocks =
        wf_base_array_grow(trace->map.allocator, trace->blocks, &trace->block_capacity,
                           (size_t)trace->block_count + 1, sizeof *blocks);
    if (!blocks)
        return NULL;
    trace->blocks = blocks;
    if (!wf_base_map_set(&trace->map, key, trace->block_count))
        return NULL;
    trace->last = trace->block_count++;
    blocks[trace->last] = (struct wf_sw_trace_block){.key = key};
    return &blocks[trace->last];
}

void wf_sw_trace_bytes(struct wf_sw_trace *trace, uint32_t model, enum wf_sw_touch_kind kind,
                       uint64_t address, uint32_t bytes)
{
    for (uint64_t word = address >> 2; word <= (address + bytes - 1) >> 2; ++word) {
        struct wf_sw_trace_block *block =
            block_of(trace, (uint64_t)model << MODEL_SHIFT | word >> (BLOCK_SHIFT - 2));
        if (block)
            block->words[kind] |= UINT64_C(1) << (word & 63);
    }
}

static struct wf_sw_touch *touch_add(struct wf_sw_trace *trace)
{
    struct wf_sw_touch *touches =
        wf_base_array_grow(trace->map.allocator, trace->touches, &trace->touch_capacity,
                           (size_t)trace->touch_count + 1, sizeof *touches);
    if (!touches)
        return NULL;
    trace->touches = touches;
    return &touches[trace->touch_count++];
}

void wf_sw_trace_view(struct wf_sw_trace *trace, uint32_t model, enum wf_sw_touch_kind kind,
                      const struct wf_sw_view *view)
{
    for (uint32_t i = trace->touch_count; i-- > 0;) {
        const struct wf_sw_touch *t = &trace->touches[i];
        if (t->view == view && t->model == model && t->kind == kind)
            return;
    }
    struct wf_sw_touch *touch = touch_add(trace);
    if (touch)
        *touch = (struct wf_sw_touch){.model = model, .kind = kind, .view = view};
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = ((const struct wf_sw_trace_block *)a)->key;
    const uint64_t y = ((const struct wf_sw_trace_block *)b)->key;
    return (x > y) - (x < y);
}

/// One kind's words of a block, those left out that a stronger kind has.
static uint64_t words_of(const struct wf_sw_trace_block *block, enum wf_sw_touch_kind kind)
{
    uint64_t words = block->words[kind];
    if (kind != WF_SW_TOUCH_WRITE)
        words &= ~block->words[WF_SW_TOUCH_WRITE];
    if (kind == WF_SW_TOUCH_READ)
        words &= ~block->words[WF_SW_TOUCH_ATOMIC];
    return words;
}

static void take_kind(struct wf_sw_trace *trace, enum wf_sw_touch_kind kind)
{
    struct wf_sw_touch *open = NULL;
    for (uint32_t b = 0; b < trace->block_count; ++b) {
        const struct wf_sw_trace_block *block = &trace->blocks[b];
        const uint32_t model = (uint32_t)(block->key >> MODEL_SHIFT);
        const uint64_t base = block->key << BLOCK_SHIFT & (UINT64_MAX >> BLOCK_SHIFT);
        const uint64_t words = words_of(block, kind);
        for (uint32_t w = 0; w < 64; ++w) {
            const uint64_t at = base + w * UINT64_C(4);
            if (!(words >> w & 1))
                continue;
            if (!open || open->model != model || open->address + open->size != at) {
                open = touch_add(trace);
                if (!open)
                    return;
                *open = (struct wf_sw_touch){.model = model, .kind = kind, .address = at};
            }
            open->size += 4;
        }
    }
}

const struct wf_sw_touch *wf_sw_trace_take(struct wf_sw_trace *trace, uint32_t *count)
{
    if (trace->block_count > 0) {
        qsort(trace->blocks, trace->block_count, sizeof *trace->blocks, by_key);
        for (int kind = 0; kind < WF_SW_TOUCH_KINDS; ++kind)
            take_kind(trace, (enum wf_sw_touch_kind)kind);
        trace->block_count = 0;
        wf_base_map_clear(&trace->map);
    }
    *count = trace->touch_count;
    trace->touch_count = 0;
    return trace->touches;
}
