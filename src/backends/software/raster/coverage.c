/// Which samples of a tile a triangle covers: 64 to 16 to 4 pixels, with blocks wholly in or out
/// decided at once.
#include "backends/software/raster/parts.h"
#include "backends/software/raster/quads.h"

#include <math.h>

#define BLOCK 16u ///< Pixels of the middle level.
#define LEAF  4u

struct cover {
    struct worker *w;
    const struct draw *d;
    const struct triangle *t;
    uint32_t x0, y0, x1, y1; ///< Bounds within the tile; x1 and y1 outside.
    uint32_t samples;
    uint32_t dead; ///< Bit set of samples that no pixel covers.
    uint32_t cuts; ///< Bit set of the triangle's cuts that go through the tile.
    struct edges edges[WF_SW_RASTER_SAMPLES];
};

/// Columns of a leaf from x on, and up to x, as bits of edges_block().
static const uint16_t columns_from[LEAF + 1] = {0xffff, 0xfafa, 0xf0f0, 0xa0a0, 0};
static const uint16_t columns_before[LEAF + 1] = {0, 0x0505, 0x0f0f, 0x5f5f, 0xffff};
static const uint16_t rows_from[LEAF + 1] = {0xffff, 0xffcc, 0xff00, 0xcc00, 0};
static const uint16_t rows_before[LEAF + 1] = {0, 0x0033, 0x00ff, 0x33ff, 0xffff};

/// The part of a leaf that is within the bounds.
static uint32_t bounds_mask(const struct cover *c, uint32_t x, uint32_t y)
{
    const uint32_t x0 = c->x0 > x ? c->x0 - x : 0, y0 = c->y0 > y ? c->y0 - y : 0;
    const uint32_t x1 = c->x1 < x + LEAF ? c->x1 - x : LEAF;
    const uint32_t y1 = c->y1 < y + LEAF ? c->y1 - y : LEAF;
    return (uint32_t)columns_from[x0] & columns_before[x1] & rows_from[y0] & rows_before[y1];
}

/// Places one edge of one sample at the tile. Only its sign counts, so that the 8 sub-pixel bits
/// are rounded off downwards. Returns false when no pixel within the bounds is inside.
static bool place_edge(struct cover *c, uint32_t sample, uint32_t i)
{
    const struct triangle *t = c->t;
    const struct tile *tile = &c->w->tile;
    struct edges *e = &c->edges[sample];
    const int64_t ex = t->edge_x[i], ey = t->edge_y[i];
    const int64_t at_x = (int64_t)tile->x * SUBPIXEL + raster_sample_x(c->samples, sample);
    const int64_t at_y = (int64_t)tile->y * SUBPIXEL + raster_sample_y(c->samples, sample);
    const int64_t value = (t->edge_c[i] + ex * at_x + ey * at_y - (t->exclusive >> i & 1)) >> 8;
    const int64_t x0 = c->x0, y0 = c->y0, x1 = c->x1 - 1, y1 = c->y1 - 1;
    const int64_t most = value + ex * (ex > 0 ? x1 : x0) + ey * (ey > 0 ? y1 : y0);
    const int64_t least = value + ex * (ex > 0 ? x0 : x1) + ey * (ey > 0 ? y0 : y1);
    if (most < 0)
        return false;
    // An edge that cuts nothing off is none: what is left fits into 32 bits within the bounds.
    const bool cuts = least < 0;
    e->x[i] = cuts ? (uint32_t)ex : 0;
    e->y[i] = cuts ? (uint32_t)ey : 0;
    e->c[i] = cuts ? (uint32_t)(uint64_t)value : 0;
    return true;
}

/// Finds the cuts that go through the part of the tile that is drawn. False: one leaves nothing.
static bool place_cuts(struct cover *c)
{
    const struct triangle *t = c->t;
    const double x[2] = {(c->w->tile.x + (double)c->x0) * SUBPIXEL,
                         (c->w->tile.x + (double)c->x1) * SUBPIXEL};
    const double y[2] = {(c->w->tile.y + (double)c->y0) * SUBPIXEL,
                         (c->w->tile.y + (double)c->y1) * SUBPIXEL};
    for (uint32_t k = 0; k < t->cut_count; k++) {
        const double *f = t->cuts[k].at;
        double least = INFINITY, most = -INFINITY, size = 0;
        for (uint32_t corner = 0; corner < 4; corner++) {
            double value = 0;
            for (uint32_t i = 0; i < 3; i++) {
                const double e = t->edge_x[i] * x[corner & 1] + t->edge_y[i] * y[corner >> 1] +
                                 (double)t->edge_c[i];
                value += e * f[i];
                size = fmax(size, fabs(e * f[i]));
            }
            least = value < least ? value : least;
            most = value <= most ? most : value;
        }
        if (!(most >= -0x1p-40 * size)) // or some distance is no number
            return false;
        // So near to zero that rounding may decide, or on both sides: each sample is asked.
        c->cuts |= (uint32_t) !(least > 0x1p-40 * size) << k;
    }
    return true;
}

/// The samples of a quad that no cut takes.
static uint32_t cut_quad(const struct cover *c, uint32_t x, uint32_t y, uint32_t mask)
{
    const struct triangle *t = c->t;
    uint32_t left = mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t b = wf_base_ctz32(rest);
        const int64_t px =
            (c->w->tile.x + (int32_t)(x + (b & 1))) * SUBPIXEL + raster_sample_x(c->samples, b / 4);
        const int64_t py = (c->w->tile.y + (int32_t)(y + (b >> 1 & 1))) * SUBPIXEL +
                           raster_sample_y(c->samples, b / 4);
        for (uint32_t cuts = c->cuts; cuts; cuts &= cuts - 1) {
            const double *f = t->cuts[wf_base_ctz32(cuts)].at;
            double value = 0;
            for (uint32_t i = 0; i < 3; i++)
                value += (double)(t->edge_x[i] * px + t->edge_y[i] * py + t->edge_c[i]) * f[i];
            if (value < 0)
                left &= ~(1u << b);
        }
    }
    return left;
}

static void emit_leaf(const struct cover *c, uint32_t x, uint32_t y, uint32_t mask)
{
    for (uint32_t q = 0; mask; q++, mask >>= 4) {
        const uint32_t qx = x + 2 * (q & 1), qy = y + 2 * (q >> 1);
        if (mask & 0xf)
            wf_sw_raster_quad(c->w, c->d, c->t, qx, qy,
                              c->cuts ? cut_quad(c, qx, qy, mask & 0xf) : mask & 0xf);
    }
}

/// Keeps a quad of one half until the other one has been there.
static void hold(struct worker *w, const struct triangle *t, uint32_t x, uint32_t y, uint32_t mask)
{
    const uint32_t quad = raster_quad_at(x, y);
    if (!w->held[quad])
        w->held_quads[w->held_count++] = (uint16_t)quad;
    w->held[quad] |= mask;
    w->held_of = t;
}

void wf_sw_raster_release(struct worker *w, const struct draw *d)
{
    for (uint32_t i = 0; i < w->held_count; i++) {
        const uint32_t quad = w->held_quads[i], mask = w->held[quad];
        w->held[quad] = 0;
        wf_sw_raster_quad(w, d, w->held_of, quad % (TILE / 2) * 2, quad / (TILE / 2) * 2, mask);
    }
    w->held_count = 0;
}

/// The samples of a quad that lie within the viewport.
static uint32_t within_sides(const struct cover *c, uint32_t x, uint32_t y)
{
    uint32_t mask = 0;
    for (uint32_t b = 0; b < 4 * c->samples; b++) {
        const int32_t *bounds = c->d->sample_bounds[b / 4];
        const int32_t px = c->w->tile.x + (int32_t)(x + (b & 1));
        const int32_t py = c->w->tile.y + (int32_t)(y + (b >> 1 & 1));
        const bool in = px >= bounds[0] && px < bounds[2] && py >= bounds[1] && py < bounds[3];
        mask |= (uint32_t)in << b;
    }
    return mask;
}

/// What the viewport and the cuts leave of a quad.
static uint32_t keep_quad(const struct cover *c, uint32_t x, uint32_t y, uint32_t mask)
{
    if (c->d->sides_cut)
        mask &= within_sides(c, x, y);
    return c->cuts ? cut_quad(c, x, y, mask) : mask;
}

/// One leaf. `full`: samples that are known to cover it.
static void cover_leaf(const struct cover *c, uint32_t x, uint32_t y, uint32_t full)
{
    const uint32_t within = bounds_mask(c, x, y);
    if (c->samples == 1) {
        emit_leaf(c, x, y, full ? within : within & edges_block(&c->edges[0], x, y));
        return;
    }
    uint32_t masks[WF_SW_RASTER_SAMPLES];
    uint32_t any = 0;
    for (uint32_t s = 0; s < c->samples; s++) {
        masks[s] = within;
        if (c->dead >> s & 1)
            masks[s] = 0;
        else if (!(full >> s & 1))
            masks[s] &= edges_block(&c->edges[s], x, y);
        any |= masks[s];
    }
    for (uint32_t q = 0; q < 4; q++) {
        if (!(any >> (4 * q) & 0xf))
            continue;
        uint32_t mask = 0;
        for (uint32_t s = 0; s < c->samples; s++)
            mask |= (masks[s] >> (4 * q) & 0xf) << (4 * s);
        const uint32_t qx = x + 2 * (q & 1), qy = y + 2 * (q >> 1);
        if (c->t->pair)
            hold(c->w, c->t, qx, qy, mask);
        else
            wf_sw_raster_quad(c->w, c->d, c->t, qx, qy, keep_quad(c, qx, qy, mask));
    }
}

enum answer { OUTSIDE, PARTLY, INSIDE };

/// One sample over the part of a middle block that is within the bounds.
static enum answer ask_block(const struct cover *c, const struct edges *e, uint32_t x, uint32_t y)
{
    const uint32_t x0 = c->x0 > x ? c->x0 : x, y0 = c->y0 > y ? c->y0 : y;
    const uint32_t x1 = (c->x1 < x + BLOCK ? c->x1 : x + BLOCK) - 1;
    const uint32_t y1 = (c->y1 < y + BLOCK ? c->y1 : y + BLOCK) - 1;
    enum answer answer = INSIDE;
    for (uint32_t i = 0; i < 3; i++) {
        const bool right = (int32_t)e->x[i] > 0, down = (int32_t)e->y[i] > 0;
        const uint32_t most = e->c[i] + e->x[i] * (right ? x1 : x0) + e->y[i] * (down ? y1 : y0);
        const uint32_t least = e->c[i] + e->x[i] * (right ? x0 : x1) + e->y[i] * (down ? y0 : y1);
        if ((int32_t)most < 0)
            return OUTSIDE;
        if ((int32_t)least < 0)
            answer = PARTLY;
    }
    return answer;
}

static void walk_leaves(const struct cover *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                        uint32_t full)
{
    for (uint32_t y = y0 & ~(LEAF - 1); y < y1; y += LEAF) {
        for (uint32_t x = x0 & ~(LEAF - 1); x < x1; x += LEAF)
            cover_leaf(c, x, y, full);
    }
}

static void walk_blocks(struct cover *c)
{
    const uint32_t dead = c->dead;
    for (uint32_t y = c->y0 & ~(BLOCK - 1); y < c->y1; y += BLOCK) {
        for (uint32_t x = c->x0 & ~(BLOCK - 1); x < c->x1; x += BLOCK) {
            uint32_t full = 0;
            c->dead = dead;
            for (uint32_t s = 0; s < c->samples; s++) {
                const enum answer answer =
                    dead >> s & 1 ? OUTSIDE : ask_block(c, &c->edges[s], x, y);
                full |= (answer == INSIDE ? 1u : 0u) << s;
                c->dead |= (answer == OUTSIDE ? 1u : 0u) << s;
            }
            if (c->dead + 1 == 1u << c->samples)
                continue;
            walk_leaves(c, c->x0 > x ? c->x0 : x, c->y0 > y ? c->y0 : y,
                        c->x1 < x + BLOCK ? c->x1 : x + BLOCK,
                        c->y1 < y + BLOCK ? c->y1 : y + BLOCK, full);
        }
    }
}

void wf_sw_raster_cover(struct worker *w, const struct draw *d, const struct triangle *t)
{
    if (t->layer != w->tile.layer)
        return;
    if (w->held_count && w->held_of->pair != t->pair)
        wf_sw_raster_release(w, d);
    const struct tile *tile = &w->tile;
    const int32_t x1 = t->x1 - tile->x, y1 = t->y1 - tile->y;
    const int32_t x0 = t->x0 - tile->x, y0 = t->y0 - tile->y;
    if (x0 >= TILE || y0 >= TILE || x1 <= 0 || y1 <= 0)
        return;
    struct cover c;
    c.w = w;
    c.d = d;
    c.t = t;
    c.x0 = x0 > 0 ? (uint32_t)x0 : 0;
    c.y0 = y0 > 0 ? (uint32_t)y0 : 0;
    c.x1 = x1 < TILE ? (uint32_t)x1 : TILE;
    c.y1 = y1 < TILE ? (uint32_t)y1 : TILE;
    c.samples = w->raster->pass.samples;
    c.dead = 0;
    c.cuts = 0;
    if (t->cut_count && !place_cuts(&c))
        return;
    for (uint32_t s = 0; s < c.samples; s++) {
        for (uint32_t i = 0; i < 3; i++) {
            if (!place_edge(&c, s, i)) {
                c.dead |= 1u << s;
                break;
            }
        }
    }
    if (c.dead + 1 == 1u << c.samples)
        return;
    if (c.x1 - c.x0 <= BLOCK && c.y1 - c.y0 <= BLOCK)
        walk_leaves(&c, c.x0, c.y0, c.x1, c.y1, 0);
    else
        walk_blocks(&c);
}
