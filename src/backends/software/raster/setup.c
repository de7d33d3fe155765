/// Triangle setup: from three screen positions in 24.8 fixed point to edge functions, the depth
/// plane and pixel bounds. Everything up to the depth plane is exact.
#include "backends/software/raster/parts.h"

#include <math.h>

#define BLOCK          64u     ///< Triangles allocated at a time.
#define MAX_POINT_SIZE 8192.0f ///< Pixels.

/// A corner with all that setup wants of it.
struct corner {
    int32_t x, y;
    float z, inv_w;
    const uint32_t *varyings;
    const struct vertex *vertex;
};

static struct corner corner_of(const struct vertex *v)
{
    return (struct corner){v->x, v->y, v->z, v->inv_w, v->varyings, v};
}

static struct triangle *triangle_take(struct worker *w)
{
    if (w->block_left == 0) {
        w->block = wf_base_arena_alloc(&w->arena, BLOCK * sizeof(*w->block), 0);
        if (!w->block) {
            wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
            return NULL;
        }
        w->block_left = BLOCK;
    }
    w->block_left--;
    return w->block++;
}

static void set_edge(struct triangle *t, uint32_t i, const struct corner *a, const struct corner *b)
{
    t->edge_x[i] = a->y - b->y;
    t->edge_y[i] = b->x - a->x;
    t->edge_c[i] = -((int64_t)t->edge_x[i] * a->x + (int64_t)t->edge_y[i] * a->y);
    // The top-left rule. With the inside positive and y down, an edge is a left one when its
    // function grows with x, and a top one when it is level and its function grows with y.
    const bool top_left = t->edge_x[i] > 0 || (t->edge_x[i] == 0 && t->edge_y[i] > 0);
    if (!top_left)
        t->exclusive |= (uint8_t)(1u << i);
}

/// Pixels that may have a covered sample. False: none within the bounds.
static bool set_bounds(const struct wf_sw_raster *r, struct triangle *t, const struct corner c[3],
                       const int32_t bounds[4])
{
    const int32_t x_min =
        c[0].x < c[1].x ? (c[0].x < c[2].x ? c[0].x : c[2].x) : (c[1].x < c[2].x ? c[1].x : c[2].x);
    const int32_t x_max =
        c[0].x > c[1].x ? (c[0].x > c[2].x ? c[0].x : c[2].x) : (c[1].x > c[2].x ? c[1].x : c[2].x);
    const int32_t y_min =
        c[0].y < c[1].y ? (c[0].y < c[2].y ? c[0].y : c[2].y) : (c[1].y < c[2].y ? c[1].y : c[2].y);
    const int32_t y_max =
        c[0].y > c[1].y ? (c[0].y > c[2].y ? c[0].y : c[2].y) : (c[1].y > c[2].y ? c[1].y : c[2].y);
    // One sample lies in the pixel's middle; several may be anywhere in it.
    const int32_t low = r->pass.samples == 1 ? 127 : 0, high = r->pass.samples == 1 ? -128 : 0;
    const int32_t x0 = (x_min + low) >> 8, x1 = ((x_max + high) >> 8) + 1;
    const int32_t y0 = (y_min + low) >> 8, y1 = ((y_max + high) >> 8) + 1;
    if (x0 >= bounds[2] || y0 >= bounds[3] || x1 <= bounds[0] || y1 <= bounds[1])
        return false;
    t->x0 = (int16_t)(x0 > bounds[0] ? x0 : bounds[0]);
    t->y0 = (int16_t)(y0 > bounds[1] ? y0 : bounds[1]);
    t->x1 = (int16_t)(x1 < bounds[2] ? x1 : bounds[2]);
    t->y1 = (int16_t)(y1 < bounds[3] ? y1 : bounds[3]);
    return t->x0 < t->x1 && t->y0 < t->y1;
}

/// Depth bias by the Vulkan formula: slope × steepest slope + constant × smallest step.
static double bias_of(const struct wf_sw_raster *r, const struct draw *d, const struct triangle *t,
                      const struct corner c[3])
{
    const weft_raster_state *s = &d->desc.raster;
    if (s->depth_bias == 0 && s->depth_bias_slope == 0)
        return 0;
    double step;
    if (r->depth_bits == 32) {
        int exponent;
        float largest = fmaxf(fabsf(c[0].z), fmaxf(fabsf(c[1].z), fabsf(c[2].z)));
        if (!(d->desc.flags & WEFT_PIPELINE_DEPTH_CLAMP)) // what is cut off does not count
            largest = fminf(fmaxf(c[0].z, fmaxf(c[1].z, c[2].z)), d->depth_range[1]);
        frexpf(largest, &exponent);
        step = ldexp(1.0, exponent - 1 - 23);
    } else {
        step = ldexp(1.0, -(int)r->depth_bits);
    }
    const double slope = fmax(fabs(t->z_slope[0]), fabs(t->z_slope[1]));
    const double bias = (double)s->depth_bias_slope * slope + (double)s->depth_bias * step;
    if (s->depth_bias_clamp > 0)
        return fmin(bias, s->depth_bias_clamp);
    if (s->depth_bias_clamp < 0)
        return fmax(bias, s->depth_bias_clamp);
    return bias;
}

static void set_depth(struct triangle *t, const struct corner c[3])
{
    const double k1 = ((double)c[1].z - c[0].z) * t->inv_area;
    const double k2 = ((double)c[2].z - c[0].z) * t->inv_area;
    t->z_slope[0] = SUBPIXEL * (t->edge_x[1] * k1 + t->edge_x[2] * k2);
    t->z_slope[1] = SUBPIXEL * (t->edge_y[1] * k1 + t->edge_y[2] * k2);
    t->z = c[0].z + ((double)t->edge_c[1] * k1 + (double)t->edge_c[2] * k2);
}

static int64_t area_of(const struct corner c[3])
{
    return (int64_t)(c[1].x - c[0].x) * (c[2].y - c[0].y) -
           (int64_t)(c[2].x - c[0].x) * (c[1].y - c[0].y);
}

/// What a triangle has beside its corners.
struct traits {
    const int32_t *bounds;
    uint32_t primitive;
    bool front;
    bool biased;    ///< A polygon that is filled: depth bias applies.
    double bias;    ///< Otherwise: that of the polygon whose edge this is.
    float point[3]; ///< Center and size; zero: no point.
    uint32_t pair;
    uint32_t cuts; ///< CODE_SAMPLES that cut it.
};

/// How far a vertex is inside of a plane of CODE_SAMPLES, after the division by w.
static double inside_of(const struct vertex *v, uint32_t code)
{
    const double z = v->clip[2], w = v->clip[3];
    if (code == CODE_NEAR)
        return z / w;
    if (code == CODE_FAR)
        return (w - z) / w;
    return v->distance[wf_base_ctz32(code / CODE_CLIP0)] / w;
}

static bool set_cuts(struct worker *w, struct triangle *t, const struct corner c[3], uint32_t codes)
{
    struct cut *cuts = wf_base_arena_alloc(&w->arena, wf_base_popcount32(codes) * sizeof(*cuts), 0);
    if (!cuts) {
        wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
        return false;
    }
    t->cuts = cuts;
    for (uint32_t rest = codes; rest; rest &= rest - 1, t->cut_count++) {
        for (uint32_t i = 0; i < 3; i++)
            cuts[t->cut_count].at[i] = inside_of(c[i].vertex, rest & (0 - rest));
    }
    return true;
}

/// Sets a triangle up and bins it, whichever way it turns; nothing if it has no area.
static void emit(struct worker *w, const struct draw *d, const struct corner corners[3],
                 const struct traits *traits)
{
    int64_t area = area_of(corners);
    struct corner c[3] = {corners[0], corners[area > 0 ? 1 : 2], corners[area > 0 ? 2 : 1]};
    area = area > 0 ? area : -area;
    struct triangle bounded;
    if (area == 0 || !set_bounds(w->raster, &bounded, c, traits->bounds))
        return;
    struct triangle *t = triangle_take(w);
    if (!t)
        return;
    t->x0 = bounded.x0;
    t->y0 = bounded.y0;
    t->x1 = bounded.x1;
    t->y1 = bounded.y1;
    t->exclusive = 0;
    set_edge(t, 0, &c[1], &c[2]);
    set_edge(t, 1, &c[2], &c[0]);
    set_edge(t, 2, &c[0], &c[1]);
    t->inv_area = 1.0 / (double)area;
    set_depth(t, c);
    t->z += traits->biased ? bias_of(w->raster, d, t, c) : traits->bias;
    for (uint32_t i = 0; i < 3; i++) {
        t->varyings[i] = c[i].varyings;
        t->inv_w[i] = c[i].inv_w;
        t->point[i] = traits->point[i];
    }
    t->front = traits->front;
    t->primitive = traits->primitive;
    t->layer = w->layer;
    t->order = w->order++;
    t->pair = traits->pair;
    t->cut_count = 0;
    if (!traits->cuts || set_cuts(w, t, c, traits->cuts))
        wf_sw_raster_bin(w, t);
}

/// Which way a triangle faces. False: it is culled.
static bool face(const struct draw *d, const struct corner c[3], bool *front)
{
    // On a screen with y down, a positive area turns clockwise, as it does in clip space with y up.
    const bool clockwise = area_of(c) > 0;
    *front = clockwise == (d->desc.raster.front == WEFT_FRONT_CLOCKWISE);
    return d->desc.raster.cull != (*front ? WEFT_CULL_FRONT : WEFT_CULL_BACK);
}

void wf_sw_raster_setup(struct worker *w, struct draw *d, const struct vertex *const v[3],
                        uint32_t codes, uint32_t primitive)
{
    bool front;
    w->batch->clipped_out++;
    const struct corner c[3] = {corner_of(v[0]), corner_of(v[1]), corner_of(v[2])};
    if (!face(d, c, &front))
        return;
    emit(w, d, c,
         &(struct traits){.bounds = d->bounds,
                          .primitive = primitive,
                          .front = front,
                          .biased = true,
                          .cuts = codes});
}

/// Two triangles that make the parallelogram with these corners, in order around it.
static void emit_quad(struct worker *w, const struct draw *d, const struct corner q[4],
                      struct traits *traits)
{
    traits->pair = w->raster->pass.samples > 1 ? w->order + 1 : 0;
    for (uint32_t half = 0; half < 2; half++) {
        const struct corner c[3] = {q[0], q[1 + half], q[2 + half]};
        emit(w, d, c, traits);
    }
}

void wf_sw_raster_setup_point(struct worker *w, struct draw *d, const struct vertex *v,
                              uint32_t primitive)
{
    if (v->code & (CODE_BAD | CODE_REJECT | CODE_GUARD))
        return;
    w->batch->clipped_out++;
    float size = v->point_size > 1.0f ? v->point_size : 1.0f;
    size = size < MAX_POINT_SIZE ? size : MAX_POINT_SIZE;
    const int32_t side = (int32_t)(size * SUBPIXEL + 0.5f), half = side / 2;
    const struct corner middle = corner_of(v);
    struct corner q[4] = {middle, middle, middle, middle};
    for (uint32_t i = 0; i < 4; i++) {
        q[i].x += (i == 1 || i == 2 ? side : 0) - half;
        q[i].y += (i >= 2 ? side : 0) - half;
    }
    emit_quad(w, d, q,
              &(struct traits){.bounds = d->point_bounds,
                               .primitive = primitive,
                               .front = true,
                               .point = {(float)v->x / SUBPIXEL, (float)v->y / SUBPIXEL,
                                         (float)side / SUBPIXEL}});
}

/// A line one pixel wide: the parallelogram of non-strict lines, which gives one pixel per step of
/// the longer axis. Its ends are cut square, not by the diamond-exit rule. False: nothing is left.
static bool line(struct worker *w, struct draw *d, const struct vertex *a, const struct vertex *b,
                 struct traits *traits)
{
    if (((a->code | b->code) & CODE_BAD) || (a->code & b->code & CODE_REJECT))
        return false;
    struct vertex ends[2] = {*a, *b};
    if (((a->code | b->code) & (CODE_CUT | CODE_SIDES)) && !wf_sw_raster_clip_line(w, d, ends))
        return false;
    const struct corner from = corner_of(&ends[0]);
    struct corner to = corner_of(&ends[1]);
    const int32_t dx = to.x - from.x, dy = to.y - from.y;
    const bool flat = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
    struct corner q[4] = {from, to, to, from};
    for (uint32_t i = 0; i < 4; i++) {
        const int32_t off = i < 2 ? -SUBPIXEL / 2 : SUBPIXEL / 2;
        q[i].x += flat ? 0 : off;
        q[i].y += flat ? off : 0;
    }
    emit_quad(w, d, q, traits);
    return true;
}

void wf_sw_raster_setup_line(struct worker *w, struct draw *d, const struct vertex *a,
                             const struct vertex *b, uint32_t primitive)
{
    struct traits traits = {.bounds = d->point_bounds, .primitive = primitive, .front = true};
    w->batch->clipped_out += line(w, d, a, b, &traits);
}

bool wf_sw_raster_setup_edges(struct worker *w, struct draw *d, const struct vertex *const v[3],
                              const struct vertex *const piece[3], uint32_t primitive)
{
    const struct corner given[3] = {corner_of(piece[0]), corner_of(piece[1]), corner_of(piece[2])};
    const int64_t area = area_of(given);
    if (area == 0)
        return false;
    struct traits traits = {.bounds = d->point_bounds, .primitive = primitive};
    w->batch->clipped_out++;
    if (!face(d, given, &traits.front))
        return true;
    const struct corner c[3] = {given[0], given[area > 0 ? 1 : 2], given[area > 0 ? 2 : 1]};
    struct triangle plane = {.inv_area = 1.0 / (double)(area > 0 ? area : -area)};
    for (uint32_t i = 0; i < 3; i++)
        set_edge(&plane, i, &c[(i + 1) % 3], &c[(i + 2) % 3]);
    set_depth(&plane, c);
    traits.bias = bias_of(w->raster, d, &plane, c);
    for (uint32_t i = 0; i < 3; i++)
        line(w, d, v[i], v[(i + 1) % 3], &traits);
    return true;
}
