/// Color output: blending in linear floats, write masks, and the way into the tile.
#include "backends/software/raster/parts.h"

#include "base/bits.h"

#include <string.h>

/// What a blend equation reads.
enum operand { OPERAND_ZERO, OPERAND_SRC, OPERAND_SECOND, OPERAND_DST, OPERAND_CONSTANT, OPERANDS };

enum range { RANGE_FLOAT, RANGE_UNORM, RANGE_SNORM };

/// All of it as rows of floats, by operand and component.
struct operands {
    float rows[OPERANDS][4][LANES];
    enum range range;
};

/// What a blend factor is: an operand's own component or its alpha, or one minus that.
static const struct {
    uint8_t operand;
    bool alpha, one_minus;
} factors[] = {
    [WEFT_BLEND_ZERO] = {OPERAND_ZERO, false, false},
    [WEFT_BLEND_ONE] = {OPERAND_ZERO, false, true},
    [WEFT_BLEND_SRC] = {OPERAND_SRC, false, false},
    [WEFT_BLEND_ONE_MINUS_SRC] = {OPERAND_SRC, false, true},
    [WEFT_BLEND_SRC_ALPHA] = {OPERAND_SRC, true, false},
    [WEFT_BLEND_ONE_MINUS_SRC_ALPHA] = {OPERAND_SRC, true, true},
    [WEFT_BLEND_DST] = {OPERAND_DST, false, false},
    [WEFT_BLEND_ONE_MINUS_DST] = {OPERAND_DST, false, true},
    [WEFT_BLEND_DST_ALPHA] = {OPERAND_DST, true, false},
    [WEFT_BLEND_ONE_MINUS_DST_ALPHA] = {OPERAND_DST, true, true},
    [WEFT_BLEND_CONSTANT] = {OPERAND_CONSTANT, false, false},
    [WEFT_BLEND_ONE_MINUS_CONSTANT] = {OPERAND_CONSTANT, false, true},
    [WEFT_BLEND_SRC1] = {OPERAND_SECOND, false, false},
    [WEFT_BLEND_ONE_MINUS_SRC1] = {OPERAND_SECOND, false, true},
    [WEFT_BLEND_SRC1_ALPHA] = {OPERAND_SECOND, true, false},
    [WEFT_BLEND_ONE_MINUS_SRC1_ALPHA] = {OPERAND_SECOND, true, true},
};

static enum range range_of(weft_format format)
{
    switch (wf_hal_format_get(format)->codec.numeric) {
    case WF_HAL_NUMERIC_UNORM:
        return RANGE_UNORM;
    case WF_HAL_NUMERIC_SNORM:
        return RANGE_SNORM;
    default:
        return RANGE_FLOAT;
    }
}

/// Fixed-point targets clamp what goes into the equation. NaN becomes the low end.
static void clamp_row(float row[LANES], enum range range)
{
    const float low = range == RANGE_SNORM ? -1.0f : 0.0f;
    if (range == RANGE_FLOAT)
        return;
    for (uint32_t l = 0; l < LANES; l++) {
        const float v = row[l] > low ? row[l] : low;
        row[l] = v < 1.0f ? v : 1.0f;
    }
}

/// min(source alpha, 1 - destination alpha); one for alpha itself.
static void saturated_row(const struct operands *o, uint32_t c, float out[LANES])
{
    const float *src = o->rows[OPERAND_SRC][3], *dst = o->rows[OPERAND_DST][3];
    for (uint32_t l = 0; l < LANES; l++) {
        const float left = 1.0f - dst[l];
        out[l] = c == 3 ? 1.0f : src[l] < left ? src[l] : left;
    }
}

/// Factors of component `c`.
static void factor_row(const struct operands *o, weft_blend_factor factor, uint32_t c,
                       float out[LANES])
{
    if (factor == WEFT_BLEND_SRC_ALPHA_SATURATED) {
        saturated_row(o, c, out);
        return;
    }
    const float *row = o->rows[factors[factor].operand][factors[factor].alpha ? 3 : c];
    const bool one_minus = factors[factor].one_minus;
    for (uint32_t l = 0; l < LANES; l++)
        out[l] = one_minus ? 1.0f - row[l] : row[l];
    // One minus a negative number is more than one: factors are clamped as the operands are.
    if (one_minus && o->range == RANGE_SNORM)
        clamp_row(out, RANGE_SNORM);
}

static void blend_component(const struct operands *o, const weft_blend_equation *e, uint32_t c,
                            float out[LANES])
{
    float sf[LANES], df[LANES];
    factor_row(o, e->src == WEFT_BLEND_DEFAULT ? WEFT_BLEND_ONE : e->src, c, sf);
    factor_row(o, e->dst == WEFT_BLEND_DEFAULT ? WEFT_BLEND_ZERO : e->dst, c, df);
    const float *s = o->rows[OPERAND_SRC][c], *d = o->rows[OPERAND_DST][c];
    const float s_sign = e->op == WEFT_BLEND_OP_REVERSE_SUBTRACT ? -1.0f : 1.0f;
    const float d_sign = e->op == WEFT_BLEND_OP_SUBTRACT ? -1.0f : 1.0f;
    switch (e->op) {
    case WEFT_BLEND_OP_ADD:
    case WEFT_BLEND_OP_SUBTRACT:
    case WEFT_BLEND_OP_REVERSE_SUBTRACT:
        for (uint32_t l = 0; l < LANES; l++)
            out[l] = s[l] * sf[l] * s_sign + d[l] * df[l] * d_sign;
        break;
    case WEFT_BLEND_OP_MIN:
        for (uint32_t l = 0; l < LANES; l++)
            out[l] = s[l] < d[l] ? s[l] : d[l];
        break;
    case WEFT_BLEND_OP_MAX:
        for (uint32_t l = 0; l < LANES; l++)
            out[l] = s[l] > d[l] ? s[l] : d[l];
        break;
    }
}

// ---- into the tile -----------------------------------------------------------------------------

/// Packs the targets of the queued quads, of one sample, in queue order.
static void gather(const struct worker *w, const uint8_t *target, uint32_t bytes, uint32_t sample,
                   uint8_t *texels)
{
    for (uint32_t i = 0; i < w->quad_count; i++) {
        const uint32_t at = raster_texel_at(sample, raster_quad_at(w->quads[i].x, w->quads[i].y));
        memcpy(texels + (size_t)4 * bytes * i, target + (size_t)at * bytes, (size_t)4 * bytes);
    }
}

/// Where packed texels of one sample go.
struct scatter {
    const struct color_plan *plan;
    uint8_t *target;
    const uint8_t *texels;
    uint32_t sample;
};

static void merge_texel(uint8_t *dst, const uint8_t *src, const uint8_t *mask, uint32_t bytes)
{
    for (uint32_t b = 0; b < bytes; b++)
        dst[b] = (uint8_t)((dst[b] & ~mask[b]) | (src[b] & mask[b]));
}

/// Writes where the quads' masks are set, in queue order. Inlined for each size of texel.
static inline void scatter_sized(const struct worker *w, const struct scatter *s, uint32_t bytes)
{
    const bool partial = s->plan->partial;
    for (uint32_t i = 0; i < w->quad_count; i++) {
        const struct quad *q = &w->quads[i];
        const uint32_t mask = q->mask >> (4 * s->sample) & 0xf;
        const uint32_t at = raster_texel_at(s->sample, raster_quad_at(q->x, q->y));
        const uint8_t *src = s->texels + (size_t)4 * bytes * i;
        uint8_t *dst = s->target + (size_t)at * bytes;
        if (mask == 0xf && !partial) {
            memcpy(dst, src, (size_t)4 * bytes);
            continue;
        }
        for (uint32_t l = 0; l < 4; l++, src += bytes, dst += bytes) {
            if (!(mask >> l & 1))
                continue;
            if (partial)
                merge_texel(dst, src, s->plan->keep_mask, bytes);
            else
                memcpy(dst, src, bytes);
        }
    }
}

static void scatter(const struct worker *w, const struct scatter *s, uint32_t bytes)
{
    switch (bytes) {
    case 4:
        scatter_sized(w, s, 4);
        break;
    case 8:
        scatter_sized(w, s, 8);
        break;
    case 16:
        scatter_sized(w, s, 16);
        break;
    default:
        scatter_sized(w, s, bytes);
        break;
    }
}

/// A component's output row; one that is not written reads as 0, 0, 0, 1.
static const uint32_t *output_row(const uint32_t (*outputs)[LANES], int16_t row, uint32_t c,
                                  uint32_t spare[LANES], bool integer)
{
    if (row >= 0)
        return outputs[row];
    for (uint32_t l = 0; l < LANES; l++)
        spare[l] = c != 3 ? 0 : integer ? 1 : 0x3f800000u;
    return spare;
}

/// Everything but the destination.
static void load_operands(struct operands *o, const struct draw *d, const struct color_plan *p,
                          const uint32_t (*outputs)[LANES], enum range range)
{
    uint32_t spare[LANES];
    memset(o, 0, sizeof(*o));
    o->range = range;
    for (uint32_t c = 0; c < 4; c++) {
        float *src = o->rows[OPERAND_SRC][c], *second = o->rows[OPERAND_SECOND][c];
        memcpy(src, output_row(outputs, p->rows[c], c, spare, false), sizeof(spare));
        memcpy(second, output_row(outputs, p->second_rows[c], c, spare, false), sizeof(spare));
        for (uint32_t l = 0; l < LANES; l++)
            o->rows[OPERAND_CONSTANT][c][l] = d->desc.blend_constant[c];
        for (enum operand k = OPERAND_SRC; k < OPERANDS; k++)
            clamp_row(o->rows[k][c], range);
    }
}

static void write_blended(struct worker *w, const struct draw *d, uint32_t color,
                          const uint32_t (*outputs)[LANES])
{
    const struct wf_sw_raster *r = w->raster;
    const struct color_plan *p = &d->plan->fragment.colors[color];
    const weft_format format = r->pass.colors[color].plane.format;
    const enum range range = range_of(format);
    const uint32_t bytes = r->color_bytes[color];
    uint8_t texels[LANES * 16];
    float result[4][LANES];
    struct operands o;
    load_operands(&o, d, p, outputs, range);
    memset(texels, 0, sizeof(texels));
    for (uint32_t s = 0; s < r->pass.samples; s++) {
        uint32_t dst[4][LANES];
        gather(w, w->tile.colors[color], bytes, s, texels);
        wf_sw_raster_decode(format, texels, dst);
        memcpy(o.rows[OPERAND_DST], dst, sizeof(dst));
        for (uint32_t c = 0; c < 4; c++)
            blend_component(&o, c == 3 ? &p->state.alpha : &p->state.color, c, result[c]);
        uint32_t words[4][LANES];
        memcpy(words, result, sizeof(words));
        const uint32_t *const rows[4] = {words[0], words[1], words[2], words[3]};
        wf_sw_raster_encode(format, rows, texels);
        scatter(w, &(struct scatter){p, w->tile.colors[color], texels, s}, bytes);
    }
}

void wf_sw_raster_write_color(struct worker *w, const struct draw *d, uint32_t color,
                              const uint32_t (*outputs)[LANES])
{
    const struct wf_sw_raster *r = w->raster;
    const struct color_plan *p = &d->plan->fragment.colors[color];
    if (p->blends) {
        write_blended(w, d, color, outputs);
        return;
    }
    const weft_format format = r->pass.colors[color].plane.format;
    const bool integer = wf_hal_format_get(format)->sample_class != WEFT_SAMPLE_CLASS_FLOAT;
    const uint32_t bytes = r->color_bytes[color];
    uint8_t texels[LANES * 16];
    uint32_t spare[4][LANES];
    const uint32_t *rows[4];
    for (uint32_t c = 0; c < 4; c++)
        rows[c] = output_row(outputs, p->rows[c], c, spare[c], integer);
    wf_sw_raster_encode(format, rows, texels);
    for (uint32_t s = 0; s < r->pass.samples; s++)
        scatter(w, &(struct scatter){p, w->tile.colors[color], texels, s}, bytes);
}
