/// One tile from load to store: its segments in API order, merged with the triangles that are
/// offered to all tiles.
#include "backends/software/raster/parts.h"

/// Ends the quads of one draw: shades what is left and hands its counts over.
static void finish_draw(struct worker *w)
{
    if (!w->draw)
        return;
    wf_sw_raster_shade(w);
    // The counters are the one thing of a draw that workers change.
    struct draw *d = (struct draw *)w->draw;
    if (w->passed)
        atomic_fetch_add_explicit(&d->occlusion, w->passed, memory_order_relaxed);
    if (w->shaded)
        atomic_fetch_add_explicit(&d->fragments, w->shaded, memory_order_relaxed);
    w->passed = w->shaded = 0;
    w->draw = NULL;
}

static void begin_draw(struct worker *w, struct draw *d)
{
    if (w->draw == d)
        return;
    finish_draw(w);
    w->draw = d;
}

/// One batch's triangles: those of the tile's segment and the big ones, by their order.
static void walk_batch(struct worker *w, const struct batch *b, const struct segment *s)
{
    const uint32_t count = s ? s->count : 0;
    uint32_t i = 0, k = 0;
    begin_draw(w, b->draw);
    while (i < count || k < b->big_count) {
        const bool big =
            i == count || (k < b->big_count && b->big[k]->order < s->triangles[i]->order);
        wf_sw_raster_cover(w, b->draw, big ? b->big[k++] : s->triangles[i++]);
    }
    wf_sw_raster_release(w, b->draw);
}

static void walk(struct worker *w, uint32_t tile)
{
    const struct wf_sw_raster *r = w->raster;
    const struct segment *s = r->heads[tile];
    const struct batch *big = r->first_big;
    while (s || big) {
        const bool segment_first = s && (!big || s->batch->index <= big->index);
        const struct batch *b = segment_first ? s->batch : big;
        const struct segment *own = segment_first ? s : NULL;
        walk_batch(w, b, own);
        if (big && big == b)
            big = big->next_big;
        if (own)
            s = s->next;
    }
    finish_draw(w);
}

void wf_sw_raster_tile(struct worker *w, uint32_t number)
{
    const struct wf_sw_raster *r = w->raster;
    const uint32_t tile = number % (r->tiles_x * r->tiles_y);
    w->tile.layer = number / (r->tiles_x * r->tiles_y);
    w->tile.x = (int32_t)(tile % r->tiles_x * TILE);
    w->tile.y = (int32_t)(tile / r->tiles_x * TILE);
    const uint32_t right = r->pass.width - (uint32_t)w->tile.x;
    const uint32_t below = r->pass.height - (uint32_t)w->tile.y;
    w->tile.width = right < TILE ? right : TILE;
    w->tile.height = below < TILE ? below : TILE;
    wf_sw_raster_tile_load(w);
    walk(w, number);
    wf_sw_raster_tile_store(w);
}
