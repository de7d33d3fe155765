/// Depth and stencil, one quad at a time, over the tile's own copies.
#include "backends/software/raster/parts.h"
#include "backends/software/raster/quads.h"

#include <math.h>
#include <string.h>

/// A depth as the target holds it: the value, or the integer of D16 and D24. The value is a float
/// before it is quantised, so that a shader that writes FragCoord.z back gets the same depth.
static float quantise(uint32_t bits, float z)
{
    if (bits == 32)
        return z;
    const double scaled = (double)z * (bits == 16 ? 65535.0 : 16777215.0);
    return (float)(int32_t)(scaled + 0.5);
}

static float clamp_depth(float z, float low, float high)
{
    return z >= low ? (z <= high ? z : high) : low; // NaN: low
}

float wf_sw_raster_depth_value(const struct wf_sw_raster *r, const struct draw *d, float z)
{
    if (d->desc.flags & WEFT_PIPELINE_DEPTH_CLAMP)
        z = clamp_depth(z, d->depth_range[0], d->depth_range[1]);
    return quantise(r->depth_bits, clamp_depth(z, 0.0f, 1.0f));
}

void wf_sw_raster_depth(const struct worker *w, const struct draw *d, const struct quad *q,
                        uint32_t sample, float z[4])
{
    const struct wf_sw_raster *r = w->raster;
    const uint32_t samples = r->pass.samples;
    const double at_x = w->tile.x + q->x + raster_sample_x(samples, sample) * (1.0 / SUBPIXEL);
    const double at_y = w->tile.y + q->y + raster_sample_y(samples, sample) * (1.0 / SUBPIXEL);
    quad_plane(q->triangle->z, q->triangle->z_slope, at_x, at_y, z);
    if (r->depth_bits == 32 && !(d->desc.flags & WEFT_PIPELINE_DEPTH_CLAMP)) {
        quad_clamp(z, 0.0f, 1.0f);
        return;
    }
    for (uint32_t l = 0; l < 4; l++)
        z[l] = wf_sw_raster_depth_value(r, d, z[l]);
}

static bool stencil_passes(weft_compare op, uint32_t reference, uint32_t value)
{
    switch (op) {
    case WEFT_COMPARE_NEVER:
        return false;
    case WEFT_COMPARE_LESS:
        return reference < value;
    case WEFT_COMPARE_EQUAL:
        return reference == value;
    case WEFT_COMPARE_LESS_EQUAL:
        return reference <= value;
    case WEFT_COMPARE_GREATER:
        return reference > value;
    case WEFT_COMPARE_NOT_EQUAL:
        return reference != value;
    case WEFT_COMPARE_GREATER_EQUAL:
        return reference >= value;
    case WEFT_COMPARE_DEFAULT:
    case WEFT_COMPARE_ALWAYS:
        break;
    }
    return true;
}

static uint32_t stencil_result(weft_stencil_op op, uint32_t value, uint32_t reference)
{
    switch (op) {
    case WEFT_STENCIL_KEEP:
        return value;
    case WEFT_STENCIL_ZERO:
        return 0;
    case WEFT_STENCIL_REPLACE:
        return reference & 0xff;
    case WEFT_STENCIL_INCREMENT_CLAMP:
        return value < 0xff ? value + 1 : 0xff;
    case WEFT_STENCIL_DECREMENT_CLAMP:
        return value > 0 ? value - 1 : 0;
    case WEFT_STENCIL_INVERT:
        return ~value & 0xff;
    case WEFT_STENCIL_INCREMENT_WRAP:
        return (value + 1) & 0xff;
    case WEFT_STENCIL_DECREMENT_WRAP:
        return (value - 1) & 0xff;
    }
    return value;
}

/// Which of four texels pass the stencil test.
static uint32_t stencil_test(const struct draw *d, const uint8_t *texels,
                             const weft_stencil_face *f)
{
    const weft_depth_stencil_state *s = &d->desc.depth_stencil;
    const uint32_t read = s->read_mask ? s->read_mask : 0xffu;
    uint32_t mask = 0;
    for (uint32_t l = 0; l < 4; l++) {
        const bool pass =
            stencil_passes(f->compare, d->desc.stencil_reference & read, texels[l] & read);
        mask |= (uint32_t)pass << l;
    }
    return mask;
}

static void stencil_apply(const struct draw *d, uint8_t *texels, weft_stencil_op op, uint32_t mask)
{
    const weft_depth_stencil_state *s = &d->desc.depth_stencil;
    const uint32_t write = s->no_stencil_write ? 0 : s->write_mask ? s->write_mask : 0xffu;
    for (uint32_t l = 0; l < 4; l++) {
        if (!(mask >> l & 1))
            continue;
        const uint32_t value = stencil_result(op, texels[l], d->desc.stencil_reference);
        texels[l] = (uint8_t)((texels[l] & ~write) | (value & write));
    }
}

/// Depth test of four texels of one sample.
static uint32_t depth_test(const struct draw *d, float *texels, uint32_t mask, const float z[4],
                           bool write)
{
    const uint32_t pass = mask & quad_compare(d->desc.depth_stencil.depth, z, texels);
    if (!write || !d->depth_write)
        return pass;
    if (pass == 0xf) {
        memcpy(texels, z, 4 * sizeof(*z));
        return pass;
    }
    for (uint32_t l = 0; l < 4; l++) {
        if (pass >> l & 1)
            texels[l] = z[l];
    }
    return pass;
}

uint32_t wf_sw_raster_test(struct worker *w, const struct draw *d, const struct quad *q,
                           const float (*z)[4], bool write)
{
    const weft_depth_stencil_state *state = &d->desc.depth_stencil;
    const weft_stencil_face *f = q->triangle->front ? &state->front : &state->back;
    const uint32_t quad = raster_quad_at(q->x, q->y);
    uint32_t result = 0;
    for (uint32_t s = 0; s < w->raster->pass.samples; s++) {
        const uint32_t at = raster_texel_at(s, quad);
        const uint32_t all = q->mask >> (4 * s) & 0xf;
        if (!all)
            continue;
        uint32_t pass = all;
        if (d->stencil_test) {
            pass &= stencil_test(d, w->tile.stencil + at, f);
            if (write)
                stencil_apply(d, w->tile.stencil + at, f->fail, all & ~pass);
        }
        uint32_t both = pass;
        if (d->depth_test)
            both = depth_test(d, w->tile.depth + at, pass, z[s], write);
        if (d->stencil_test && write) {
            stencil_apply(d, w->tile.stencil + at, f->depth_fail, pass & ~both);
            stencil_apply(d, w->tile.stencil + at, f->pass, both);
        }
        result |= both << (4 * s);
    }
    return result;
}
