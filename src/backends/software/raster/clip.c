/// Clipping in homogeneous coordinates. Lines are cut by everything. Filled triangles become
/// polygons only where they go behind the eye, and at the guard band, which keeps positions within
/// 24 bits; near, far, clip distances and the sides of the view volume cut them sample by sample.
/// So their edges stay where they were: the corners that cutting makes are snapped, and would fold
/// slivers over and part them from their neighbours.
#include "backends/software/raster/parts.h"

#include <string.h>

enum plane {
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_W,
    PLANE_LEFT, ///< The four in the order of CODE_LEFT and on.
    PLANE_RIGHT,
    PLANE_TOP,
    PLANE_BOTTOM,
    PLANE_GUARD_LEFT,
    PLANE_GUARD_RIGHT,
    PLANE_GUARD_TOP,
    PLANE_GUARD_BOTTOM,
    PLANE_CLIP0, ///< And MAX_CLIP - 1 more.
};

#define PLANES     (PLANE_CLIP0 + MAX_CLIP)
#define SMALLEST_W 1e-30f

/// Signed distance, of any scale: inside is not negative.
static double distance_to(const struct draw *d, const struct vertex *v, uint32_t plane)
{
    const double x = v->clip[0], y = v->clip[1], z = v->clip[2], w = v->clip[3];
    switch (plane) {
    case PLANE_NEAR:
        return z;
    case PLANE_FAR:
        return w - z;
    case PLANE_W:
        return w - SMALLEST_W;
    case PLANE_LEFT:
        return w + x;
    case PLANE_RIGHT:
        return w - x;
    case PLANE_TOP:
        return w - y;
    case PLANE_BOTTOM:
        return w + y;
    case PLANE_GUARD_LEFT:
        return x * d->scale[0] + w * ((double)d->offset[0] + GUARD);
    case PLANE_GUARD_RIGHT:
        return w * (GUARD - (double)d->offset[0]) - x * d->scale[0];
    case PLANE_GUARD_TOP:
        return y * d->scale[1] + w * ((double)d->offset[1] + GUARD);
    case PLANE_GUARD_BOTTOM:
        return w * (GUARD - (double)d->offset[1]) - y * d->scale[1];
    default:
        return v->distance[plane - PLANE_CLIP0];
    }
}

/// Planes that may cut a primitive with these codes. What is cut at one plane may stick out of the
/// guard band, so that one is always among them.
static uint32_t planes_of(const struct draw *d, uint32_t codes)
{
    uint32_t planes = 1u << PLANE_W | 15u << PLANE_GUARD_LEFT;
    if (codes & CODE_NEAR)
        planes |= 1u << PLANE_NEAR;
    if (codes & CODE_FAR)
        planes |= 1u << PLANE_FAR;
    // Behind the eye is outside of near or far too, but rounding must not decide that.
    if ((codes & CODE_W) && !(d->desc.flags & WEFT_PIPELINE_DEPTH_CLAMP))
        planes |= 1u << PLANE_NEAR | 1u << PLANE_FAR;
    planes |= (codes & CODE_SIDES) / CODE_LEFT << PLANE_LEFT;
    planes |= ((codes / CODE_CLIP0) & 0xffu) << PLANE_CLIP0;
    return planes;
}

static float mix(float a, float b, double t)
{
    return (float)((double)a + t * ((double)b - (double)a));
}

/// Varyings between two vertices. False: out of memory.
static bool mix_varyings(struct worker *w, const struct draw *d, struct vertex *out,
                         const struct vertex *a, const struct vertex *b, double t)
{
    const struct fragment_plan *p = &d->plan->fragment;
    uint32_t *v = wf_base_arena_alloc(&w->arena, (size_t)(p->varying_count + 1) * sizeof(*v), 0);
    if (!v)
        return false;
    // noperspective is linear on the screen: the same point by the weights after the division.
    const double screen = out->clip[3] > 0 ? t * b->clip[3] / out->clip[3] : t;
    for (uint32_t i = 0; i < p->varying_count; i++) {
        v[i] = a->varyings[i];
        if (p->varyings[i].mode == VARYING_FLAT)
            continue;
        float from, to;
        memcpy(&from, &a->varyings[i], sizeof(from));
        memcpy(&to, &b->varyings[i], sizeof(to));
        const float value = mix(from, to, p->varyings[i].mode == VARYING_LINEAR ? screen : t);
        memcpy(&v[i], &value, sizeof(value));
    }
    out->varyings = v;
    return true;
}

/// How much of the way from `in` to `out` lies before a plane.
static double way_to(const struct draw *d, const struct vertex *in, const struct vertex *out,
                     uint32_t plane)
{
    const double from = distance_to(d, in, plane), to = distance_to(d, out, plane);
    return from / (from - to);
}

/// A point on the way from `in` to `out`. Always seen from the inside, so that the neighbour across
/// this edge gets the same point.
static bool between(struct worker *w, const struct draw *d, struct vertex *result,
                    const struct vertex *in, const struct vertex *out, double t)
{
    for (uint32_t c = 0; c < 4; c++)
        result->clip[c] = mix(in->clip[c], out->clip[c], t);
    for (uint32_t c = 0; c < d->plan->vertex.clip_count; c++)
        result->distance[c] = mix(in->distance[c], out->distance[c], t);
    result->point_size = in->point_size;
    result->culls = 0;
    return mix_varyings(w, d, result, in, out, t);
}

/// The point where that way crosses a plane.
static bool cross(struct worker *w, const struct draw *d, struct vertex *result,
                  const struct vertex *in, const struct vertex *out, uint32_t plane)
{
    if (!between(w, d, result, in, out, way_to(d, in, out, plane)))
        return false;
    if (plane == PLANE_NEAR)
        result->clip[2] = 0;
    else if (plane == PLANE_FAR)
        result->clip[2] = result->clip[3];
    else if (plane == PLANE_W)
        result->clip[3] = SMALLEST_W;
    return true;
}

static uint32_t clip_plane(struct worker *w, const struct draw *d, const struct vertex *in,
                           uint32_t count, struct vertex *out, uint32_t plane)
{
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct vertex *a = &in[i], *b = &in[(i + 1) % count];
        const bool a_in = distance_to(d, a, plane) >= 0, b_in = distance_to(d, b, plane) >= 0;
        if (a_in && made < MAX_POLYGON)
            out[made++] = *a;
        if (a_in == b_in || made == MAX_POLYGON)
            continue;
        if (!cross(w, d, &out[made], a_in ? a : b, a_in ? b : a, plane)) {
            wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
            return 0;
        }
        made++;
    }
    return made;
}

static bool in_front(const struct vertex *v)
{
    return v->clip[3] >= SMALLEST_W;
}

/// Whether a plane can end a triangle before it goes behind the eye: all that is there is beyond
/// the plane, and what comes from before it crosses it on its way.
static bool ends_before_eye(const struct draw *d, const struct vertex v[3], uint32_t plane)
{
    for (uint32_t i = 0; i < 9; i++) {
        const struct vertex *in = &v[i / 3], *out = &v[i % 3];
        if (!in_front(in) || in_front(out))
            continue;
        if (distance_to(d, out, plane) >= 0)
            return false;
        if (distance_to(d, in, plane) >= 0 &&
            way_to(d, in, out, plane) >= 0.999999 * way_to(d, in, out, PLANE_W))
            return false;
    }
    return true;
}

/// The polygon in front of the eye: all of the triangle that can be seen.
static uint32_t clip_eye(struct worker *w, const struct draw *d, const struct vertex v[3],
                         struct vertex *out)
{
    const bool clamps = (d->desc.flags & WEFT_PIPELINE_DEPTH_CLAMP) != 0;
    uint32_t made = 0, plane = PLANE_NEAR;
    while (plane < PLANE_W && (clamps || !ends_before_eye(d, v, plane)))
        plane++;
    for (uint32_t i = 0; i < 3; i++) {
        const struct vertex *a = &v[i], *b = &v[(i + 1) % 3];
        if (in_front(a))
            out[made++] = *a;
        if (in_front(a) == in_front(b))
            continue;
        const struct vertex *in = in_front(a) ? a : b, *behind = in_front(a) ? b : a;
        // Where the plane hides the whole edge, any point of it will do.
        const bool hidden = distance_to(d, in, plane) < 0;
        const bool ok =
            hidden ? between(w, d, &out[made], in, behind, 0.5 * way_to(d, in, behind, PLANE_W))
                   : cross(w, d, &out[made], in, behind, plane);
        if (!ok) {
            wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
            return 0;
        }
        made++;
    }
    return made;
}

bool wf_sw_raster_spread_flat(struct worker *w, const struct draw *d, struct vertex *corners,
                              uint32_t count)
{
    const struct fragment_plan *p = &d->plan->fragment;
    for (uint32_t c = 1; c < count; c++) {
        uint32_t *v =
            wf_base_arena_alloc(&w->arena, (size_t)(p->varying_count + 1) * sizeof(*v), 0);
        if (!v) {
            wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
            return false;
        }
        for (uint32_t i = 0; i < p->varying_count; i++) {
            const bool flat = p->varyings[i].mode == VARYING_FLAT;
            v[i] = corners[flat ? 0 : c].varyings[i];
        }
        corners[c].varyings = v;
    }
    return true;
}

void wf_sw_raster_clip(struct worker *w, struct draw *d, const struct vertex *const v[3],
                       uint32_t codes, uint32_t primitive)
{
    struct vertex polygons[2][MAX_POLYGON];
    struct vertex *now = polygons[0], *next = polygons[1];
    for (uint32_t c = 0; c < 3; c++)
        now[c] = *v[c];
    if (!wf_sw_raster_spread_flat(w, d, now, 3))
        return;
    const bool lines = d->desc.raster.fill == WEFT_FILL_LINE;
    uint32_t count = 3, planes = planes_of(d, codes);
    if (!lines) {
        planes &= 15u << PLANE_GUARD_LEFT;
        if ((codes & CODE_W) && !(d->desc.flags & WEFT_PIPELINE_DEPTH_CLAMP))
            codes |= CODE_NEAR | CODE_FAR;
        if (codes & CODE_W) {
            count = clip_eye(w, d, now, next);
            now = polygons[1];
            next = polygons[0];
        }
    }
    for (uint32_t plane = 0; plane < PLANES && count >= 3; plane++) {
        if (!(planes & (1u << plane)))
            continue;
        count = clip_plane(w, d, now, count, next, plane);
        struct vertex *swap = now;
        now = next;
        next = swap;
    }
    for (uint32_t i = 0; i < count; i++) {
        wf_sw_raster_project(d, &now[i]);
        if (now[i].code & (CODE_BAD | CODE_W))
            return;
    }
    bool done = false;
    for (uint32_t i = 1; i + 1 < count && !done; i++) {
        const struct vertex *const piece[3] = {&now[0], &now[i], &now[i + 1]};
        if (lines)
            done = wf_sw_raster_setup_edges(w, d, v, piece, primitive);
        else
            wf_sw_raster_setup(w, d, piece, codes & CODE_SAMPLES, primitive);
    }
}

bool wf_sw_raster_clip_line(struct worker *w, const struct draw *d, struct vertex ends[2])
{
    const uint32_t planes = planes_of(d, ends[0].code | ends[1].code);
    if (!wf_sw_raster_spread_flat(w, d, ends, 2))
        return false;
    for (uint32_t plane = 0; plane < PLANES; plane++) {
        if (!(planes & (1u << plane)))
            continue;
        const bool in0 = distance_to(d, &ends[0], plane) >= 0;
        const bool in1 = distance_to(d, &ends[1], plane) >= 0;
        if (!in0 && !in1)
            return false;
        if (in0 == in1)
            continue;
        struct vertex made = {0};
        if (!cross(w, d, &made, &ends[in0 ? 0 : 1], &ends[in0 ? 1 : 0], plane)) {
            wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
            return false;
        }
        ends[in0 ? 1 : 0] = made;
    }
    for (uint32_t i = 0; i < 2; i++) {
        wf_sw_raster_project(d, &ends[i]);
        if (ends[i].code & (CODE_BAD | CODE_W))
            return false;
    }
    return true;
}
