/// Primitive assembly: one batch of the geometry phase from indices to binned triangles.
#include "backends/software/raster/parts.h"

#define CUT 0xffffu ///< Corner of a primitive that a restart index cut.

static uint32_t corners_of(weft_topology topology)
{
    switch (topology) {
    case WEFT_TOPOLOGY_POINT_LIST:
        return 1;
    case WEFT_TOPOLOGY_LINE_LIST:
    case WEFT_TOPOLOGY_LINE_STRIP:
        return 2;
    default:
        return 3;
    }
}

static uint32_t restart_index(const struct wf_sw_draw *d)
{
    return d->restart == WEFT_INDEX_UINT16 ? 0xffffu : 0xffffffffu;
}

void wf_sw_raster_strip_walk(const struct wf_sw_draw *d, uint32_t from, uint32_t to,
                             struct strip *strip)
{
    const uint32_t last = corners_of(d->topology) - 1;
    for (uint32_t at = from ? from + last : 0; at < to + last; at++) {
        if (wf_sw_raster_index(d, (uint64_t)d->first + at) == restart_index(d))
            strip->start = at + 1;
        if (at >= last && strip->start <= at - last)
            strip->primitives++;
    }
}

/// The slot of a vertex within the batch: a new one when it is met for the first time.
static uint16_t vertex_slot(struct worker *w, uint32_t index, uint32_t instance)
{
    uint32_t h = (index * 0x9e3779b1u + instance * 0x85ebca77u) >> 21;
    while (w->hash_stamps[h] == w->stamp) {
        const uint16_t slot = w->hash_slots[h];
        if (w->vertex_index[slot] == index && w->vertex_instance[slot] == instance)
            return slot;
        h = (h + 1) % VERTEX_HASH;
    }
    const uint16_t slot = (uint16_t)w->vertex_count++;
    w->hash_stamps[h] = w->stamp;
    w->hash_slots[h] = slot;
    w->vertex_index[slot] = index;
    w->vertex_instance[slot] = instance;
    return slot;
}

/// Positions in the index list (or vertices) of a primitive's corners.
static void corner_positions(const struct wf_sw_draw *d, uint32_t local, uint32_t strip_start,
                             uint32_t out[3])
{
    switch (d->topology) {
    case WEFT_TOPOLOGY_TRIANGLE_LIST:
        out[0] = 3 * local;
        out[1] = 3 * local + 1;
        out[2] = 3 * local + 2;
        break;
    case WEFT_TOPOLOGY_TRIANGLE_STRIP: {
        // Odd triangles turn the other way round; their first vertex stays the provoking one.
        const uint32_t odd = (local - strip_start) & 1;
        out[0] = local;
        out[1] = local + 1 + odd;
        out[2] = local + 2 - odd;
        break;
    }
    case WEFT_TOPOLOGY_LINE_LIST:
        out[0] = 2 * local;
        out[1] = 2 * local + 1;
        break;
    case WEFT_TOPOLOGY_LINE_STRIP:
        out[0] = local;
        out[1] = local + 1;
        break;
    case WEFT_TOPOLOGY_POINT_LIST:
        out[0] = local;
        break;
    }
}

static bool strips(weft_topology topology)
{
    return topology == WEFT_TOPOLOGY_TRIANGLE_STRIP || topology == WEFT_TOPOLOGY_LINE_STRIP;
}

/// Fills w->corners, w->primitives and the list of vertices to shade.
static void gather(struct worker *w, struct batch *b)
{
    const struct wf_sw_draw *d = &b->draw->desc;
    const uint32_t corners = corners_of(d->topology);
    const bool indexed = d->index_type != WEFT_INDEX_NONE;
    const bool cuts = indexed && d->restart != WEFT_INDEX_NONE && strips(d->topology);
    uint32_t instance = (uint32_t)(b->first / b->draw->primitives_per_instance);
    uint32_t local = (uint32_t)(b->first % b->draw->primitives_per_instance);
    struct strip strip = b->strip;
    w->vertex_count = 0;
    w->stamp++;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t at[3] = {0, 0, 0};
        if (cuts)
            wf_sw_raster_strip_walk(d, local, local + 1, &strip);
        const bool cut = strip.start > local;
        corner_positions(d, local, strip.start, at);
        for (uint32_t c = 0; c < corners && !cut; c++) {
            uint32_t index = d->first + at[c];
            if (indexed)
                index =
                    wf_sw_raster_index(d, (uint64_t)d->first + at[c]) + (uint32_t)d->vertex_offset;
            w->corners[i][c] = vertex_slot(w, index, d->first_instance + instance);
        }
        if (cut)
            w->corners[i][0] = CUT;
        w->primitives[i] = cuts ? strip.primitives - 1 : local;
        if (++local == b->draw->primitives_per_instance) {
            local = 0;
            strip = (struct strip){0};
            instance++;
        }
    }
}

static void assemble_edges(struct worker *w, struct draw *d, const struct vertex *const v[3],
                           uint32_t codes, uint32_t primitive)
{
    struct vertex corners[3] = {*v[0], *v[1], *v[2]};
    if (!wf_sw_raster_spread_flat(w, d, corners, 3))
        return;
    const struct vertex *const all[3] = {&corners[0], &corners[1], &corners[2]};
    if (codes)
        wf_sw_raster_clip(w, d, all, codes, primitive);
    else
        wf_sw_raster_setup_edges(w, d, all, all, primitive);
}

static void assemble_triangle(struct worker *w, struct draw *d, const uint16_t corners[3],
                              uint32_t primitive)
{
    const struct vertex *const v[3] = {&w->vertices[corners[0]], &w->vertices[corners[1]],
                                       &w->vertices[corners[2]]};
    const uint32_t any = v[0]->code | v[1]->code | v[2]->code;
    const uint32_t all = v[0]->code & v[1]->code & v[2]->code;
    if ((any & CODE_BAD) || (all & CODE_REJECT))
        return;
    if (d->desc.raster.fill == WEFT_FILL_LINE)
        assemble_edges(w, d, v, any & CODE_CUT, primitive);
    else if (any & CODE_POLYGON)
        wf_sw_raster_clip(w, d, v, any & CODE_CUT, primitive);
    else
        wf_sw_raster_setup(w, d, v, any & CODE_SAMPLES, primitive);
}

static void assemble(struct worker *w, struct batch *b)
{
    struct draw *d = b->draw;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint16_t *corners = w->corners[i];
        if (corners[0] == CUT)
            continue;
        const uint32_t primitive = w->primitives[i];
        b->primitives++;
        b->clipped_in++;
        w->layer = w->vertices[corners[0]].layer;
        if (w->layer >= w->raster->pass.layers)
            continue;
        switch (corners_of(d->desc.topology)) {
        case 1:
            wf_sw_raster_setup_point(w, d, &w->vertices[corners[0]], primitive);
            break;
        case 2:
            wf_sw_raster_setup_line(w, d, &w->vertices[corners[0]], &w->vertices[corners[1]],
                                    primitive);
            break;
        default:
            assemble_triangle(w, d, corners, primitive);
            break;
        }
    }
}

void wf_sw_raster_batch(struct worker *w, struct batch *b)
{
    w->batch = b;
    w->order = 0;
    w->pair_count = 0;
    w->big_count = 0;
    gather(w, b);
    if (w->vertex_count == 0 || !wf_sw_raster_shade_vertices(w, b->draw))
        return;
    assemble(w, b);
    if (!wf_sw_raster_bin_finish(w, b))
        wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
}
