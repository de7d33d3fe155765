/// Bins: which tiles a batch's triangles touch, as one segment per tile.
#include "backends/software/raster/parts.h"

#include <string.h>

/// Grows an array of the worker. False: out of memory.
static bool grow(const struct wf_sw_raster *r, void **items, uint32_t *room, size_t size)
{
    const uint32_t more = *room ? *room * 2 : 1024;
    void *grown = wf_base_realloc_array(r->allocator, *items, *room, more, size);
    if (!grown)
        return false;
    *items = grown;
    *room = more;
    return true;
}

static void add_pair(struct worker *w, uint32_t tile, const struct triangle *t)
{
    if (w->pair_count == w->pair_room) {
        void *items = w->pairs;
        if (!grow(w->raster, &items, &w->pair_room, sizeof(*w->pairs))) {
            wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
            return;
        }
        w->pairs = items;
    }
    w->pairs[w->pair_count++] = (struct bin_pair){tile, t};
}

static void add_big(struct worker *w, const struct triangle *t)
{
    if (w->big_count == w->big_room) {
        void *items = w->big;
        if (!grow(w->raster, &items, &w->big_room, sizeof(struct triangle *))) {
            wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
            return;
        }
        w->big = items;
    }
    w->big[w->big_count++] = t;
}

/// Whether a tile lies wholly outside of one edge.
static bool misses(const struct triangle *t, int32_t x, int32_t y)
{
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t far_x = t->edge_x[i] > 0 ? x + TILE : x;
        const int64_t far_y = t->edge_y[i] > 0 ? y + TILE : y;
        if (t->edge_x[i] * far_x * SUBPIXEL + t->edge_y[i] * far_y * SUBPIXEL + t->edge_c[i] < 0)
            return true;
    }
    return false;
}

void wf_sw_raster_bin(struct worker *w, const struct triangle *t)
{
    const uint32_t tx0 = (uint32_t)t->x0 / TILE, tx1 = (uint32_t)(t->x1 - 1) / TILE;
    const uint32_t ty0 = (uint32_t)t->y0 / TILE, ty1 = (uint32_t)(t->y1 - 1) / TILE;
    const uint32_t tiles_x = w->raster->tiles_x;
    const uint32_t first = t->layer * tiles_x * w->raster->tiles_y;
    if (tx0 == tx1 && ty0 == ty1) {
        add_pair(w, first + ty0 * tiles_x + tx0, t);
        return;
    }
    if ((tx1 - tx0 + 1) * (ty1 - ty0 + 1) > BIG_TILES) {
        add_big(w, t);
        return;
    }
    for (uint32_t ty = ty0; ty <= ty1; ty++) {
        for (uint32_t tx = tx0; tx <= tx1; tx++) {
            if (!misses(t, (int32_t)(tx * TILE), (int32_t)(ty * TILE)))
                add_pair(w, first + ty * tiles_x + tx, t);
        }
    }
}

/// Counts pairs per tile. Returns the number of tiles, which are in w->touched.
static uint32_t count_tiles(struct worker *w)
{
    uint32_t touched = 0;
    for (uint32_t i = 0; i < w->pair_count; i++) {
        if (w->tile_counts[w->pairs[i].tile]++ == 0)
            w->touched[touched++] = w->pairs[i].tile;
    }
    return touched;
}

bool wf_sw_raster_bin_finish(struct worker *w, struct batch *b)
{
    if (w->big_count) {
        b->big = wf_base_arena_copy(&w->arena, w->big, w->big_count * sizeof(struct triangle *));
        if (!b->big)
            return false;
        b->big_count = w->big_count;
    }
    if (w->pair_count == 0)
        return true;
    const uint32_t touched = count_tiles(w);
    const struct triangle **sorted =
        wf_base_arena_alloc(&w->arena, w->pair_count * sizeof(struct triangle *), 0);
    struct segment *segments = wf_base_arena_alloc(&w->arena, touched * sizeof(*segments), 0);
    uint32_t at = 0;
    for (uint32_t i = 0; i < touched; i++) {
        const uint32_t tile = w->touched[i];
        const uint32_t count = w->tile_counts[tile];
        if (sorted && segments)
            segments[i] = (struct segment){NULL, b, sorted + at, count, tile};
        w->tile_counts[tile] = at; // from here on: where the tile's next triangle goes
        at += count;
    }
    for (uint32_t i = 0; sorted && i < w->pair_count; i++)
        sorted[w->tile_counts[w->pairs[i].tile]++] = w->pairs[i].triangle;
    for (uint32_t i = 0; i < touched; i++)
        w->tile_counts[w->touched[i]] = 0;
    if (!sorted || !segments)
        return false;
    b->segments = segments;
    b->segment_count = touched;
    return true;
}
