#include "backends/software/exec/run.h"

#include <string.h>

#include "backends/software/exec/trace.h"
#include "backends/software/image/image.h"
#include "base/bits.h"
#include "base/half.h"

/// Bytes that an access may touch.
struct range {
    uint8_t *data;
    uint64_t size;
};

static struct range binding_range(const struct wf_sw_run *run, uint32_t use, uint32_t element)
{
    const struct wf_sw_found *f = &run->found[use];
    if (element >= f->count)
        return (struct range){0};
    return (struct range){f->elements[element].data, f->elements[element].size};
}

static void copy_words(uint32_t *out, const struct range *r, uint64_t offset, uint32_t count)
{
    if (r->data && wf_base_range_fits(offset, count * UINT64_C(4), r->size)) {
        memcpy(out, r->data + offset, count * sizeof *out);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        out[k] = 0;
        if (r->data && wf_base_range_fits(offset + k * UINT64_C(4), 4, r->size))
            memcpy(&out[k], r->data + offset + k * UINT64_C(4), 4);
    }
}

/// The root block is only read, but a range is also for what is written.
static uint8_t *root_bytes(const struct wf_sw_run *run)
{
    uint8_t *data;
    memcpy(&data, &run->resources->root, sizeof data);
    return data;
}

void wf_sw_run_root(struct wf_sw_run *run, const struct wf_sw_code *c)
{
    const struct range r = {root_bytes(run), run->resources->root_size};
    copy_words(run->words + c->d, &r, c->x, c->a);
}

void wf_sw_run_uniform(struct wf_sw_run *run, const struct wf_sw_code *c)
{
    const struct range r = binding_range(run, c->b, c->c);
    copy_words(run->words + c->d, &r, c->x, c->a);
}

// ---- places ------------------------------------------------------------------------------------

/// An operand, lane by lane: a step of 0 reads the same word for all.
struct lanes {
    const uint32_t *at;
    size_t step;
};

static struct lanes operand(const struct wf_sw_run *run, uint32_t o)
{
    static const uint32_t zero = 0;
    const uint32_t slot = o & WF_SW_OPERAND_SLOT;
    switch (o & WF_SW_OPERAND_KIND) {
    case WF_SW_OPERAND_ROW:
        return (struct lanes){wf_sw_row(run, slot), 1};
    case WF_SW_OPERAND_WORD:
        return (struct lanes){run->words + slot, 0};
    default:
        return (struct lanes){&zero, 0};
    }
}

/// Where the lanes of an access are.
struct place {
    struct wf_sw_run *run;
    const struct wf_sw_mem *mem;
    struct lanes desc, offset, low, high;
    struct range range; ///< If it is the same for all lanes.
    bool one_range;
};

static struct place place_of(struct wf_sw_run *run, const struct wf_sw_mem *m)
{
    struct place p = {
        .run = run,
        .mem = m,
        .desc = operand(run, m->desc),
        .offset = operand(run, m->offset),
        .low = operand(run, m->low),
        .high = operand(run, m->high),
        .one_range = true,
    };
    switch (m->space) {
    case WF_SW_SPACE_ROOT:
        p.range = (struct range){root_bytes(run), run->resources->root_size};
        break;
    case WF_SW_SPACE_SHARED:
        p.range = (struct range){run->shared, run->program->info.shared_bytes};
        break;
    case WF_SW_SPACE_BUFFER:
        p.one_range = p.desc.step == 0;
        if (p.one_range)
            p.range = binding_range(run, m->use, *p.desc.at);
        break;
    default:
        p.one_range = false;
        break;
    }
    return p;
}

static uint8_t *pointed_at(struct wf_sw_run *run, uint64_t address, size_t bytes)
{
    uint64_t offset = address - run->span.address;
    if (offset >= run->span.size) {
        struct wf_sw_span span;
        if (!run->resources->resolve ||
            !run->resources->resolve(run->resources->arena, address, &span))
            return NULL;
        run->span = span;
        offset = address - span.address;
    }
    return wf_base_range_fits(offset, bytes, run->span.size) ? run->span.data + offset : NULL;
}

static struct range chosen_range(const struct wf_sw_run *run, uint32_t place)
{
    if (place == WF_SW_CHOSEN_SHARED)
        return (struct range){run->shared, run->program->info.shared_bytes};
    const uint32_t use = (place >> 16) - 1;
    if (use >= run->program->info.use_count)
        return (struct range){0};
    return binding_range(run, use, place & 0xffff);
}

/// The first byte of a lane's access, or NULL where it leaves what it may touch.
static inline uint8_t *lane_place(const struct place *p, size_t lane, size_t bytes)
{
    struct range r = p->range;
    if (p->mem->space == WF_SW_SPACE_POINTER) {
        const uint64_t address =
            p->low.at[lane * p->low.step] | (uint64_t)p->high.at[lane * p->high.step] << 32;
        return pointed_at(p->run, address + p->mem->at, bytes);
    }
    if (p->mem->space == WF_SW_SPACE_CHOSEN) {
        r = chosen_range(p->run, p->high.at[lane * p->high.step]);
        const uint64_t offset = (uint64_t)p->mem->at + p->low.at[lane * p->low.step];
        return wf_base_range_fits(offset, bytes, r.size) ? r.data + offset : NULL;
    }
    if (!p->one_range)
        r = binding_range(p->run, p->mem->use, p->desc.at[lane * p->desc.step]);
    const uint64_t offset = p->mem->at + (uint64_t)p->offset.at[lane * p->offset.step];
    return wf_base_range_fits(offset, bytes, r.size) ? r.data + offset : NULL;
}

/// Writes down what the lanes of an access point to, for whoever traces.
static void trace_lanes(const struct place *p, uint64_t lanes, uint32_t bytes,
                        enum wf_sw_touch_kind kind)
{
    struct wf_sw_trace *trace = p->run->resources->trace;
    if (!trace || p->mem->space != WF_SW_SPACE_POINTER)
        return;
    wf_base_mutex_lock(&trace->lock);
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = wf_base_ctz64(lanes);
        const uint64_t address = p->mem->at + (p->low.at[lane * p->low.step] |
                                               (uint64_t)p->high.at[lane * p->high.step] << 32);
        if (pointed_at(p->run, address, bytes))
            wf_sw_trace_bytes(trace, p->run->program->info.model, kind, address, bytes);
    }
    wf_base_mutex_unlock(&trace->lock);
}

static uint32_t width_bytes(uint8_t width)
{
    static const uint8_t bytes[] = {4, 2, 1, 2};
    return bytes[width];
}

static uint32_t read_narrow(const uint8_t *at, uint8_t width)
{
    uint16_t half;
    if (width == WF_SW_WIDTH_U8)
        return *at;
    memcpy(&half, at, sizeof half);
    return width == WF_SW_WIDTH_HALF ? wf_base_half_to_float_bits(half) : half;
}

static void write_narrow(uint8_t *at, uint8_t width, uint32_t value)
{
    uint16_t half = (uint16_t)value;
    if (width == WF_SW_WIDTH_U8) {
        *at = (uint8_t)value;
        return;
    }
    if (width == WF_SW_WIDTH_HALF)
        half = wf_base_half_from_float(wf_base_float_from_bits(value));
    memcpy(at, &half, sizeof half);
}

/// The lowest lane of a mask, taken out of it.
static inline uint32_t take_lane(uint64_t *mask)
{
    const uint32_t lane = wf_base_ctz64(*mask);
    *mask &= *mask - 1;
    return lane;
}

// ---- loads -------------------------------------------------------------------------------------

/// The rows of an access; the last row of the context for results that nobody needs.
static uint32_t result_rows(const struct wf_sw_run *run, const struct wf_sw_mem *m,
                            uint32_t *rows[16])
{
    const uint16_t *slots = run->program->aux + m->rows;
    uint32_t *const unused = wf_sw_row(run, run->program->row_count);
    for (size_t k = 0; k < 16; k++)
        rows[k] = unused;
    for (size_t k = 0; k < m->count; k++) {
        if (slots[k] != WF_SW_NO_SLOT)
            rows[k] = wf_sw_row(run, slots[k]);
    }
    return m->count;
}

static inline void load_lanes(const struct place *p, uint32_t *const *rows, size_t count)
{
    for (uint64_t left = p->run->exec; left;) {
        const size_t lane = take_lane(&left);
        const uint8_t *from = lane_place(p, lane, count * 4);
        for (size_t k = 0; k < count; k++) {
            uint32_t value = 0;
            if (from)
                memcpy(&value, from + k * 4, 4);
            rows[k][lane] = value;
        }
    }
}

static void load_narrow(const struct place *p, uint32_t *const *rows, uint32_t count)
{
    const size_t bytes = width_bytes(p->mem->width);
    for (uint64_t left = p->run->exec; left;) {
        const size_t lane = take_lane(&left);
        const uint8_t *from = lane_place(p, lane, count * bytes);
        for (size_t k = 0; k < count; k++)
            rows[k][lane] = from ? read_narrow(from + k * bytes, p->mem->width) : 0;
    }
}

/// Where 64 lanes read or write one row of memory in order, as most buffers are walked; or NULL.
static uint8_t *whole_row(const struct place *p, uint64_t lanes)
{
    const struct wf_sw_mem *m = p->mem;
    if (lanes != UINT64_MAX || m->count != 1 || m->width != WF_SW_WIDTH_32 || !p->one_range ||
        p->offset.step != 1)
        return NULL;
    const uint32_t first = p->offset.at[0];
    const size_t bytes = WF_SW_LANES * sizeof(uint32_t);
    const uint64_t offset = (uint64_t)m->at + first;
    uint32_t differs = 0;
    if (first > UINT32_MAX - bytes || !wf_base_range_fits(offset, bytes, p->range.size))
        return NULL;
    for (uint32_t lane = 0; lane < WF_SW_LANES; lane++)
        differs |= p->offset.at[lane] ^ (first + lane * 4);
    return differs ? NULL : p->range.data + offset;
}

void wf_sw_run_load(struct wf_sw_run *run, const struct wf_sw_mem *m)
{
    const struct place p = place_of(run, m);
    uint32_t *rows[16];
    const uint32_t count = result_rows(run, m, rows);
    const uint8_t *row = whole_row(&p, run->exec);
    trace_lanes(&p, run->exec & ~run->helpers, count * width_bytes(m->width), WF_SW_TOUCH_READ);
    if (row) {
        memcpy(rows[0], row, WF_SW_LANES * sizeof **rows);
        return;
    }
    for (size_t k = 0; k < count && run->exec != UINT64_MAX; k++)
        memset(rows[k], 0, sizeof **rows * WF_SW_LANES); // the same for any history of the row
    if (m->width != WF_SW_WIDTH_32) {
        load_narrow(&p, rows, count);
        return;
    }
    switch (count) { // lets the compiler unroll
    case 1:
        load_lanes(&p, rows, 1);
        break;
    case 2:
        load_lanes(&p, rows, 2);
        break;
    case 3:
        load_lanes(&p, rows, 3);
        break;
    case 4:
        load_lanes(&p, rows, 4);
        break;
    default:
        load_lanes(&p, rows, count);
        break;
    }
}

void wf_sw_run_load_words(struct wf_sw_run *run, const struct wf_sw_mem *m)
{
    const struct place p = place_of(run, m);
    const uint16_t *slots = run->program->aux + m->rows;
    const size_t bytes = width_bytes(m->width);
    const uint8_t *from = lane_place(&p, 0, m->count * bytes);
    trace_lanes(&p, 1, (uint32_t)(m->count * bytes), WF_SW_TOUCH_READ);
    for (size_t k = 0; k < m->count; k++) {
        uint32_t value = 0;
        if (from && m->width == WF_SW_WIDTH_32)
            memcpy(&value, from + k * 4, 4);
        else if (from)
            value = read_narrow(from + k * bytes, m->width);
        if (slots[k] != WF_SW_NO_SLOT)
            run->words[slots[k]] = value;
    }
}

void wf_sw_run_length(struct wf_sw_run *run, const struct wf_sw_mem *m, bool word)
{
    const struct lanes desc = operand(run, m->desc);
    const uint32_t slot = run->program->aux[m->rows];
    for (size_t lane = 0; lane < (word ? 1 : WF_SW_LANES); lane++) {
        const struct range r = binding_range(run, m->use, desc.at[lane * desc.step]);
        const uint32_t bytes = r.size > UINT32_MAX ? UINT32_MAX : (uint32_t)r.size;
        if (word)
            run->words[slot] = bytes;
        else
            wf_sw_row(run, slot)[lane] = bytes;
    }
}

// ---- stores and atomics ------------------------------------------------------------------------

void wf_sw_run_store(struct wf_sw_run *run, const struct wf_sw_mem *m)
{
    const struct place p = place_of(run, m);
    const size_t bytes = width_bytes(m->width);
    uint32_t *rows[16];
    const uint32_t count = result_rows(run, m, rows);
    uint8_t *row = whole_row(&p, run->exec & ~run->helpers);
    trace_lanes(&p, run->exec & ~run->helpers, (uint32_t)(count * bytes), WF_SW_TOUCH_WRITE);
    if (row) {
        memcpy(row, rows[0], WF_SW_LANES * sizeof **rows);
        return;
    }
    for (uint64_t left = run->exec & ~run->helpers; left;) {
        const size_t lane = take_lane(&left);
        uint8_t *to = lane_place(&p, lane, count * bytes);
        for (size_t k = 0; k < count && to; k++) {
            if (m->width == WF_SW_WIDTH_32)
                memcpy(to + k * 4, &rows[k][lane], 4);
            else
                write_narrow(to + k * bytes, m->width, rows[k][lane]);
        }
    }
}

/// Shared memory belongs to this thread, and only there may 64 bits lie across a boundary of
/// theirs.
static uint64_t wide_at(const struct wf_sw_run *run, enum wf_sw_atomic op, uint8_t *at,
                        uint64_t value, uint64_t compare)
{
    if ((uintptr_t)at - (uintptr_t)run->shared >= run->program->info.shared_bytes)
        return (uintptr_t)at % 8 == 0
                   ? wf_sw_atomic_apply_wide((_Atomic uint64_t *)(void *)at, op, value, compare)
                   : 0;
    uint64_t old;
    memcpy(&old, at, sizeof old);
    value = wf_sw_atomic_combine_wide(op, old, value, compare);
    memcpy(at, &value, sizeof value);
    return old;
}

void wf_sw_run_atomic(struct wf_sw_run *run, const struct wf_sw_mem *m)
{
    const struct place p = place_of(run, m);
    const bool wide = m->width == WF_SW_WIDTH_64;
    const enum wf_sw_atomic op = (enum wf_sw_atomic)m->atomic;
    const struct lanes value = operand(run, m->value[0]), compare = operand(run, m->compare[0]);
    const struct lanes value_high = operand(run, m->value[1]);
    const struct lanes compare_high = operand(run, m->compare[1]);
    uint32_t *out[16];
    result_rows(run, m, out);
    uint64_t left = run->exec;
    if (op != WF_SW_ATOMIC_LOAD)
        left &= ~run->helpers;
    for (size_t k = 0; k < m->count && left != UINT64_MAX; k++)
        memset(out[k], 0, WF_SW_LANES * sizeof **out);
    trace_lanes(&p, left, wide ? 8 : 4, WF_SW_TOUCH_ATOMIC);
    while (left) {
        const size_t lane = take_lane(&left);
        uint8_t *at = lane_place(&p, lane, wide ? 8 : 4);
        const uint32_t low = value.at[lane * value.step], than = compare.at[lane * compare.step];
        uint64_t old = 0;
        if (at && wide)
            old = wide_at(run, op, at, low | (uint64_t)value_high.at[lane * value_high.step] << 32,
                          than | (uint64_t)compare_high.at[lane * compare_high.step] << 32);
        else if (at && (uintptr_t)at % 4 == 0)
            old = wf_sw_atomic_apply((_Atomic uint32_t *)(void *)at, op, low, than);
        out[0][lane] = (uint32_t)old;
        if (wide)
            out[1][lane] = (uint32_t)(old >> 32);
    }
}

// ---- variables that are indexed ----------------------------------------------------------------

void wf_sw_run_scratch_load(struct wf_sw_run *run, const struct wf_sw_code *c)
{
    const struct wf_sw_scratch *s = &run->program->scratch[c->x];
    const uint32_t *index = wf_sw_row(run, c->a), *from = wf_sw_row(run, s->first);
    uint32_t *out = wf_sw_row(run, c->d);
    for (size_t lane = 0; lane < WF_SW_LANES; lane++)
        out[lane] = index[lane] < s->count ? from[(size_t)index[lane] * WF_SW_LANES + lane] : 0;
}

void wf_sw_run_scratch_store(struct wf_sw_run *run, const struct wf_sw_code *c)
{
    const struct wf_sw_scratch *s = &run->program->scratch[c->x];
    const uint32_t *index = wf_sw_row(run, c->a), *value = wf_sw_row(run, c->b);
    uint32_t *to = wf_sw_row(run, s->first);
    for (uint64_t left = run->exec; left;) {
        const size_t lane = take_lane(&left);
        if (index[lane] < s->count)
            to[(size_t)index[lane] * WF_SW_LANES + lane] = value[lane];
    }
}
