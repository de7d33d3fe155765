#include "backends/software/raster/raster.h"

#include "backends/software/raster/parts.h"
#include "base/thread.h"

#include <string.h>

#define ROUND_BATCHES    4096u         ///< Most batches of one geometry round.
#define ROUND_PRIMITIVES 81920u        ///< Enough to run a round.
#define GROUP_BATCHES    64u           ///< Most batches of one item of a round.
#define FLUSH_BYTES      (64ull << 20) ///< Of binned geometry.
#define ARENA_CHUNK      (256ull << 10)
#define INLINE_WORK      96u ///< Primitives and tiles that are not worth waking anyone.

const uint8_t wf_sw_raster_positions[4][WF_SW_RASTER_SAMPLES][2] = {
    {{8, 8}},
    {{12, 12}, {4, 4}},
    {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
};

void wf_sw_raster_fail(struct wf_sw_raster *r, weft_result result)
{
    int none = WEFT_OK;
    atomic_compare_exchange_strong(&r->result, &none, (int)result);
}

void wf_sw_raster_stop(struct wf_sw_raster *r, const struct draw *d, enum wf_sw_result result)
{
    if (result == WF_SW_BUDGET)
        atomic_store(&r->stopped, d->desc.label);
    wf_sw_raster_fail(r, result == WF_SW_BUDGET ? WEFT_ERROR_LOST : WEFT_ERROR_MEMORY);
}

const char *wf_sw_raster_stopped(const struct wf_sw_raster *r)
{
    return atomic_load(&r->stopped);
}

static weft_result state(struct wf_sw_raster *r)
{
    return (weft_result)atomic_load(&r->result);
}

struct wf_sw_raster *wf_sw_raster_create(struct wf_base_tasks *tasks,
                                         const struct wf_base_allocator *allocator)
{
    struct wf_sw_raster *r = wf_base_alloc_zero(allocator, sizeof(*r));
    if (!r)
        return NULL;
    r->allocator = allocator;
    r->tasks = tasks;
    r->worker_count = wf_base_tasks_count(tasks);
    wf_base_arena_init(&r->arena, allocator, ARENA_CHUNK, 0);
    r->workers = wf_base_alloc_array(allocator, r->worker_count, sizeof(*r->workers));
    r->round = wf_base_alloc_array(allocator, ROUND_BATCHES, sizeof(struct batch *));
    r->groups = wf_base_alloc_array(allocator, ROUND_BATCHES + 1, sizeof(*r->groups));
    bool ok = r->workers && r->round && r->groups;
    for (uint32_t i = 0; ok && i < r->worker_count; i++) {
        r->workers[i].raster = r;
        wf_base_arena_init(&r->workers[i].arena, allocator, ARENA_CHUNK, 0);
    }
    if (!ok) {
        wf_sw_raster_destroy(r);
        return NULL;
    }
    return r;
}

static void worker_finish(struct worker *w, const struct wf_base_allocator *a)
{
    wf_base_arena_finish(&w->arena);
    wf_sw_context_destroy(w->context);
    wf_base_free(a, w->pairs, w->pair_room * sizeof(*w->pairs));
    wf_base_free(a, w->big, w->big_room * sizeof(struct triangle *));
    wf_base_free(a, w->tile_counts, w->tile_room * sizeof(*w->tile_counts));
    wf_base_free(a, w->touched, w->tile_room * sizeof(*w->touched));
    wf_base_free(a, w->tile_memory, w->tile_bytes);
}

void wf_sw_raster_destroy(struct wf_sw_raster *r)
{
    if (!r)
        return;
    const struct wf_base_allocator *a = r->allocator;
    for (uint32_t i = 0; r->workers && i < r->worker_count; i++)
        worker_finish(&r->workers[i], a);
    wf_base_free(a, r->workers, r->worker_count * sizeof(*r->workers));
    wf_base_free(a, r->round, ROUND_BATCHES * sizeof(struct batch *));
    wf_base_free(a, r->groups, (ROUND_BATCHES + 1) * sizeof(*r->groups));
    wf_base_free(a, r->heads, r->tile_room * sizeof(struct segment *));
    wf_base_free(a, r->tails, r->tile_room * sizeof(struct segment *));
    wf_base_free(a, r->tile_list, r->tile_room * sizeof(*r->tile_list));
    wf_base_arena_finish(&r->arena);
    wf_base_free(a, r, sizeof(*r));
}

// ---- passes ------------------------------------------------------------------------------------

/// Grows the per-tile arrays of the driver.
static bool reserve_tiles(struct wf_sw_raster *r, uint32_t count)
{
    if (count <= r->tile_room)
        return true;
    const struct wf_base_allocator *a = r->allocator;
    wf_base_free(a, r->heads, r->tile_room * sizeof(struct segment *));
    wf_base_free(a, r->tails, r->tile_room * sizeof(struct segment *));
    wf_base_free(a, r->tile_list, r->tile_room * sizeof(*r->tile_list));
    r->tile_room = count;
    r->heads = wf_base_alloc_array(a, count, sizeof(struct segment *));
    r->tails = wf_base_alloc_array(a, count, sizeof(struct segment *));
    r->tile_list = wf_base_alloc_array(a, count, sizeof(*r->tile_list));
    return r->heads && r->tails && r->tile_list;
}

/// Grows one worker's per-tile arrays and tile memory.
static bool reserve_worker(struct wf_sw_raster *r, struct worker *w, uint32_t count, size_t bytes)
{
    const struct wf_base_allocator *a = r->allocator;
    if (count > w->tile_room) {
        wf_base_free(a, w->tile_counts, w->tile_room * sizeof(*w->tile_counts));
        wf_base_free(a, w->touched, w->tile_room * sizeof(*w->touched));
        w->tile_room = count;
        w->tile_counts = wf_base_alloc_array(a, count, sizeof(*w->tile_counts));
        w->touched = wf_base_alloc_array(a, count, sizeof(*w->touched));
    }
    if (bytes > w->tile_bytes) {
        wf_base_free(a, w->tile_memory, w->tile_bytes);
        w->tile_bytes = bytes;
        w->tile_memory = wf_base_alloc_aligned(a, bytes, 64);
    }
    if (!w->tile_counts || !w->touched || !w->tile_memory)
        return false;
    wf_sw_raster_tile_layout(r, &w->tile, w->tile_memory);
    return true;
}

/// After a failed growth nothing may believe in the sizes.
static void forget_tiles(struct wf_sw_raster *r)
{
    if (!r->heads || !r->tails || !r->tile_list) {
        wf_base_free(r->allocator, r->heads, r->tile_room * sizeof(struct segment *));
        wf_base_free(r->allocator, r->tails, r->tile_room * sizeof(struct segment *));
        wf_base_free(r->allocator, r->tile_list, r->tile_room * sizeof(*r->tile_list));
        r->heads = r->tails = NULL;
        r->tile_list = NULL;
        r->tile_room = 0;
    }
    for (uint32_t i = 0; i < r->worker_count; i++) {
        struct worker *w = &r->workers[i];
        if (!w->tile_counts || !w->touched) {
            wf_base_free(r->allocator, w->tile_counts, w->tile_room * sizeof(*w->tile_counts));
            wf_base_free(r->allocator, w->touched, w->tile_room * sizeof(*w->touched));
            w->tile_counts = w->touched = NULL;
            w->tile_room = 0;
        }
        if (!w->tile_memory)
            w->tile_bytes = 0;
    }
}

static uint32_t depth_bits_of(weft_format format)
{
    switch (format) {
    case WEFT_FORMAT_D16_UNORM:
        return 16;
    case WEFT_FORMAT_D24_UNORM:
    case WEFT_FORMAT_D24_UNORM_S8_UINT:
        return 24;
    case WEFT_FORMAT_D32_FLOAT:
    case WEFT_FORMAT_D32_FLOAT_S8_UINT:
        return 32;
    default:
        return 0;
    }
}

static void pass_reset(struct wf_sw_raster *r)
{
    r->batch_count = 0;
    r->first = r->last = NULL;
    r->first_big = r->last_big = NULL;
    r->last_draw = NULL;
    wf_base_arena_reset(&r->arena);
    for (uint32_t i = 0; i < r->worker_count; i++) {
        wf_base_arena_reset(&r->workers[i].arena);
        r->workers[i].block_left = 0;
    }
}

weft_result wf_sw_raster_begin(struct wf_sw_raster *r, const struct wf_sw_raster_pass *pass)
{
    atomic_store(&r->result, WEFT_OK);
    atomic_store(&r->stopped, NULL);
    r->open = true;
    r->pass = *pass;
    r->tiles_x = (pass->width + TILE - 1) / TILE;
    r->tiles_y = (pass->height + TILE - 1) / TILE;
    r->pass.layers = pass->layers ? pass->layers : 1;
    r->tile_count = r->tiles_x * r->tiles_y * r->pass.layers;
    for (uint32_t i = 0; i < WF_SW_RASTER_COLORS; i++) {
        const weft_format format = pass->colors[i].plane.format;
        r->color_bytes[i] =
            pass->colors[i].plane.data ? wf_hal_format_get(format)->codec.texel_bytes : 0;
    }
    r->depth_bits = pass->depth.data ? depth_bits_of(pass->depth.format) : 0;
    r->loaded = r->last_flush = false;
    r->depth_dirty = pass->depth_load != WEFT_LOAD_LOAD;
    r->stencil_dirty = pass->stencil_load != WEFT_LOAD_LOAD;
    r->round_count = r->round_primitives = r->group_count = 0;
    pass_reset(r);

    const uint32_t count = r->tile_count;
    const size_t bytes = wf_sw_raster_tile_layout(r, &r->workers[0].tile, NULL);
    bool ok = reserve_tiles(r, count ? count : 1);
    for (uint32_t i = 0; ok && i < r->worker_count; i++)
        ok = reserve_worker(r, &r->workers[i], count ? count : 1, bytes);
    if (!ok) {
        forget_tiles(r);
        wf_sw_raster_fail(r, WEFT_ERROR_MEMORY);
    }
    return state(r);
}

// ---- geometry rounds ---------------------------------------------------------------------------

static void run_group(void *user, uint32_t item, uint32_t worker)
{
    struct wf_sw_raster *r = user;
    for (uint32_t i = r->groups[item]; i < r->groups[item + 1]; i++) {
        if (state(r) == WEFT_OK)
            wf_sw_raster_batch(&r->workers[worker], r->round[i]);
    }
}

/// Runs items on all workers, or here when that is cheaper.
static void run_items(struct wf_sw_raster *r, void (*fn)(void *, uint32_t, uint32_t),
                      uint32_t count, bool small)
{
    if (!small && count > 1 && !r->serial) {
        wf_base_tasks_run(r->tasks, fn, r, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        fn(r, i, 0);
}

static void add_statistics(const struct batch *b)
{
    weft_pipeline_statistics *s = b->draw->desc.statistics;
    if (!s)
        return;
    s->primitives += b->primitives;
    s->vertex_invocations += b->vertices_shaded;
    s->clipped_in += b->clipped_in;
    s->clipped_out += b->clipped_out;
}

static void run_round(struct wf_sw_raster *r)
{
    if (r->round_count == 0)
        return;
    const uint64_t start = wf_base_clock_ns();
    r->groups[r->group_count] = r->round_count;
    run_items(r, run_group, r->group_count, r->round_primitives < INLINE_WORK);
    for (uint32_t i = 0; i < r->round_count; i++) {
        struct batch *b = r->round[i];
        add_statistics(b);
        if (b->big_count) {
            if (r->last_big)
                r->last_big->next_big = b;
            else
                r->first_big = b;
            r->last_big = b;
        }
    }
    r->round_count = r->round_primitives = r->group_count = 0;
    r->times.geometry += wf_base_clock_ns() - start;
}

// ---- tiles -------------------------------------------------------------------------------------

/// Links segments by tile in API order. Workers made them, this thread alone reads them.
static void link_segments(struct wf_sw_raster *r)
{
    const uint32_t count = r->tile_count;
    memset(r->heads, 0, count * sizeof(struct segment *));
    memset(r->tails, 0, count * sizeof(struct segment *));
    for (struct batch *b = r->first; b; b = b->next) {
        for (uint32_t i = 0; i < b->segment_count; i++) {
            struct segment *s = &b->segments[i];
            if (r->tails[s->tile])
                r->tails[s->tile]->next = s;
            else
                r->heads[s->tile] = s;
            r->tails[s->tile] = s;
        }
    }
}

/// Whether tiles without geometry have something to do as well.
static bool all_tiles_matter(const struct wf_sw_raster *r)
{
    bool resolves = false;
    bool clears = r->pass.depth.data && r->pass.depth_load != WEFT_LOAD_LOAD;
    clears |= r->pass.stencil.data && r->pass.stencil_load != WEFT_LOAD_LOAD;
    for (uint32_t i = 0; i < WF_SW_RASTER_COLORS; i++) {
        if (!r->color_bytes[i])
            continue;
        clears |= r->pass.colors[i].load != WEFT_LOAD_LOAD;
        resolves |= r->pass.colors[i].resolve.data != NULL;
    }
    return r->first_big || (clears && !r->loaded) || (resolves && r->last_flush);
}

static void run_tile(void *user, uint32_t item, uint32_t worker)
{
    struct wf_sw_raster *r = user;
    wf_sw_raster_tile(&r->workers[worker], r->tile_list[item]);
}

static void fold_counters(struct wf_sw_raster *r)
{
    struct draw *last = NULL;
    for (struct batch *b = r->first; b; b = b->next) {
        if (b->draw == last)
            continue;
        last = b->draw;
        if (last->desc.occlusion)
            *last->desc.occlusion += atomic_load(&last->occlusion);
        if (last->desc.statistics)
            last->desc.statistics->fragment_invocations += atomic_load(&last->fragments);
    }
}

/// Geometry that waits, then every tile that has work.
static void flush(struct wf_sw_raster *r)
{
    run_round(r);
    if (state(r) != WEFT_OK)
        return;
    const uint64_t start = wf_base_clock_ns();
    const uint32_t count = r->tile_count;
    const bool all = all_tiles_matter(r);
    uint64_t work = 0;
    link_segments(r);
    r->tile_list_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (all || r->heads[i])
            r->tile_list[r->tile_list_count++] = i;
    }
    for (struct batch *b = r->first; b && work < INLINE_WORK; b = b->next)
        work += b->count;
    run_items(r, run_tile, r->tile_list_count, work < INLINE_WORK && r->tile_list_count <= 2);
    fold_counters(r);
    r->loaded = true;
    r->times.tiles += wf_base_clock_ns() - start;
    r->times.flushes++;
    pass_reset(r);
}

weft_result wf_sw_raster_flush(struct wf_sw_raster *r)
{
    if (state(r) == WEFT_OK && r->tile_count)
        flush(r);
    return state(r);
}

weft_result wf_sw_raster_end(struct wf_sw_raster *r)
{
    r->last_flush = true;
    const weft_result result = wf_sw_raster_flush(r);
    r->open = false;
    pass_reset(r);
    return result;
}

// ---- draws -------------------------------------------------------------------------------------

static uint64_t primitives_of(weft_topology topology, uint32_t count)
{
    switch (topology) {
    case WEFT_TOPOLOGY_TRIANGLE_LIST:
        return count / 3;
    case WEFT_TOPOLOGY_TRIANGLE_STRIP:
        return count < 3 ? 0 : count - 2;
    case WEFT_TOPOLOGY_LINE_LIST:
        return count / 2;
    case WEFT_TOPOLOGY_LINE_STRIP:
        return count < 2 ? 0 : count - 1;
    case WEFT_TOPOLOGY_POINT_LIST:
        return count;
    }
    return 0;
}

static bool add_batch(struct wf_sw_raster *r, struct draw *d, uint64_t first, uint32_t count,
                      struct strip strip)
{
    struct batch *b = wf_base_arena_alloc_zero(&r->arena, sizeof(*b), 0);
    if (!b)
        return false;
    b->draw = d;
    b->first = first;
    b->count = count;
    b->index = r->batch_count++;
    b->strip = strip;
    if (r->last)
        r->last->next = b;
    else
        r->first = b;
    r->last = b;

    const uint32_t in_group =
        r->group_count ? r->round_count - r->groups[r->group_count - 1] : GROUP_BATCHES;
    const bool full =
        in_group >= GROUP_BATCHES ||
        r->round_primitives / BATCH_PRIMITIVES != (r->round_primitives + count) / BATCH_PRIMITIVES;
    if (full)
        r->groups[r->group_count++] = r->round_count;
    r->round[r->round_count++] = b;
    r->round_primitives += count;
    return true;
}

static uint64_t binned_bytes(const struct wf_sw_raster *r)
{
    uint64_t bytes = wf_base_arena_used(&r->arena);
    for (uint32_t i = 0; i < r->worker_count; i++)
        bytes += wf_base_arena_used(&r->workers[i].arena);
    return bytes;
}

/// Runs what has gathered when it is enough. True: the flush's arena has been emptied.
static bool make_room(struct wf_sw_raster *r)
{
    if (r->round_count < ROUND_BATCHES && r->round_primitives < ROUND_PRIMITIVES)
        return false;
    run_round(r);
    if (binned_bytes(r) < FLUSH_BYTES)
        return false;
    flush(r);
    return true;
}

/// Cuts a draw into batches.
static void enqueue(struct wf_sw_raster *r, const struct wf_sw_draw *desc)
{
    const uint64_t per_instance = primitives_of(desc->topology, desc->count);
    const uint64_t total = per_instance * desc->instance_count;
    const bool cuts = desc->restart != WEFT_INDEX_NONE && desc->index_type != WEFT_INDEX_NONE &&
                      (desc->topology == WEFT_TOPOLOGY_TRIANGLE_STRIP ||
                       desc->topology == WEFT_TOPOLOGY_LINE_STRIP);
    struct draw *d = NULL;
    uint32_t from = 0;
    struct strip strip = {0};
    for (uint64_t first = 0; first < total && state(r) == WEFT_OK; first += BATCH_PRIMITIVES) {
        if (!d) {
            d = wf_sw_raster_plan(r, desc);
            if (!d) {
                wf_sw_raster_fail(r, WEFT_ERROR_MEMORY);
                return;
            }
            d->primitives_per_instance = per_instance;
        }
        if (cuts) {
            const uint32_t local = (uint32_t)(first % per_instance);
            if (local < from) {
                from = 0;
                strip = (struct strip){0};
            }
            wf_sw_raster_strip_walk(desc, from, local, &strip);
            from = local;
        }
        const uint64_t left = total - first;
        if (!add_batch(r, d, first, left < BATCH_PRIMITIVES ? (uint32_t)left : BATCH_PRIMITIVES,
                       strip)) {
            wf_sw_raster_fail(r, WEFT_ERROR_MEMORY);
            return;
        }
        if (make_room(r))
            d = NULL;
    }
}

/// The interpreter's part of each worker, made when something is drawn for the first time.
static bool make_contexts(struct wf_sw_raster *r)
{
    for (uint32_t i = 0; i < r->worker_count; i++) {
        struct worker *w = &r->workers[i];
        if (!w->context)
            w->context = wf_sw_context_create(r->allocator);
        if (!w->context)
            return false;
    }
    return true;
}

/// Where the bins of several draws are flushed depends on how many threads fill them, so that only
/// a draw that shares them with none has an order that does not.
static void draw_alone(struct wf_sw_raster *r, const struct wf_sw_draw *draw)
{
    if (r->first)
        (void)wf_sw_raster_flush(r);
    r->serial = true;
    enqueue(r, draw);
    (void)wf_sw_raster_flush(r);
    r->serial = false;
}

weft_result wf_sw_raster_draw(struct wf_sw_raster *r, const struct wf_sw_draw *draw)
{
    if (state(r) != WEFT_OK)
        return state(r);
    if (draw->statistics)
        draw->statistics->vertices += (uint64_t)draw->count * draw->instance_count;
    if (!make_contexts(r))
        wf_sw_raster_fail(r, WEFT_ERROR_MEMORY);
    else if (r->tile_count && draw->serial)
        draw_alone(r, draw);
    else if (r->tile_count)
        enqueue(r, draw);
    return state(r);
}

struct wf_sw_raster_times wf_sw_raster_times_take(struct wf_sw_raster *r)
{
    const struct wf_sw_raster_times times = r->times;
    r->times = (struct wf_sw_raster_times){0};
    return times;
}
