/// Resolve: the average of a pixel's samples, in linear space for sRGB; integers take sample 0.
#include "backends/software/raster/parts.h"

#include "base/half.h"

#include <string.h>

/// Pixels whose samples differ, until there are enough of them to be averaged.
struct resolver {
    weft_format from, to;
    uint32_t samples, bytes;
    uint32_t count;
    uint8_t *places[LANES];                           ///< Where the results go.
    uint8_t texels[WF_SW_RASTER_SAMPLES][LANES * 16]; ///< Packed.
};

static void average(struct resolver *r)
{
    uint32_t sample[4][LANES];
    float sum[4][LANES];
    uint8_t out[LANES * 16];
    memset(sum, 0, sizeof(sum));
    for (uint32_t s = 0; s < r->samples; s++) {
        wf_sw_raster_decode(r->from, r->texels[s], sample);
        for (uint32_t c = 0; c < 4; c++) {
            for (uint32_t l = 0; l < LANES; l++)
                sum[c][l] += wf_base_float_from_bits(sample[c][l]);
        }
    }
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t l = 0; l < LANES; l++)
            sample[c][l] = wf_base_float_bits(sum[c][l] / (float)r->samples);
    }
    const uint32_t *const rows[4] = {sample[0], sample[1], sample[2], sample[3]};
    wf_sw_raster_encode(r->to, rows, out);
    for (uint32_t l = 0; l < r->count; l++)
        memcpy(r->places[l], out + (size_t)l * r->bytes, r->bytes);
    r->count = 0;
}

/// One pixel. `texel`: its sample 0 in the tile.
static inline void resolve_pixel(struct resolver *r, const uint8_t *texel, uint8_t *place,
                                 uint32_t bytes)
{
    const size_t step = (size_t)TILE_PIXELS * bytes;
    bool equal = true;
    for (uint32_t s = 1; s < r->samples; s++)
        equal &= memcmp(texel, texel + s * step, bytes) == 0;
    if (equal) {
        memcpy(place, texel, bytes);
        return;
    }
    for (uint32_t s = 0; s < r->samples; s++)
        memcpy(r->texels[s] + (size_t)r->count * bytes, texel + s * step, bytes);
    r->places[r->count++] = place;
    if (r->count == LANES)
        average(r);
}

/// The whole tile. Inlined for each size of texel.
static inline void resolve_tile(struct resolver *r, const struct tile *tile, const uint8_t *texels,
                                const struct wf_sw_raster_plane *plane, uint32_t bytes)
{
    for (uint32_t y = 0; y < tile->height; y++) {
        uint8_t *row = plane->data + plane->layer_bytes * tile->layer +
                       plane->row_bytes * (uint64_t)(tile->y + (int32_t)y) +
                       (size_t)tile->x * bytes;
        for (uint32_t x = 0; x < tile->width; x++) {
            const size_t at = raster_texel_at(0, raster_quad_at(x, y)) + (y & 1) * 2 + (x & 1);
            resolve_pixel(r, texels + at * bytes, row + (size_t)x * bytes, bytes);
        }
    }
    if (r->count)
        average(r);
}

void wf_sw_raster_resolve(const struct worker *w, uint32_t color)
{
    const struct wf_sw_raster_color *target = &w->raster->pass.colors[color];
    const uint8_t *texels = w->tile.colors[color];
    struct resolver r = {.from = target->plane.format,
                         .to = target->resolve.format,
                         .samples = w->raster->pass.samples,
                         .bytes = w->raster->color_bytes[color]};
    // Integers take sample 0: the one sample is equal to itself.
    if (wf_hal_format_get(r.from)->sample_class != WEFT_SAMPLE_CLASS_FLOAT)
        r.samples = 1;
    if (r.bytes == 4)
        resolve_tile(&r, &w->tile, texels, &target->resolve, 4);
    else
        resolve_tile(&r, &w->tile, texels, &target->resolve, r.bytes);
}
