/// Resolve: the average of a pixel's samples, in linear space for sRGB; integers take sample 0.
#include "backends/software/raster/parts.h"

#include "base/half.h"

#include <string.h>

/// Averages 64 pixels, given as packed texels of each sample, into packed texels.
static void average(weft_format from, weft_format to, uint32_t samples,
                    uint8_t texels[WF_SW_RASTER_SAMPLES][LANES * 16], uint8_t *out)
{
    uint32_t sample[4][LANES];
    float sum[4][LANES];
    memset(sum, 0, sizeof(sum));
    for (uint32_t s = 0; s < samples; s++) {
        wf_sw_raster_decode(from, texels[s], sample);
        for (uint32_t c = 0; c < 4; c++) {
            for (uint32_t l = 0; l < LANES; l++)
                sum[c][l] += wf_base_float_from_bits(sample[c][l]);
        }
    }
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t l = 0; l < LANES; l++)
            sample[c][l] = wf_base_float_bits(sum[c][l] / (float)samples);
    }
    const uint32_t *const rows[4] = {sample[0], sample[1], sample[2], sample[3]};
    wf_sw_raster_encode(to, rows, out);
}

void wf_sw_raster_resolve(const struct worker *w, uint32_t color)
{
    const struct wf_sw_raster *r = w->raster;
    const struct wf_sw_raster_color *target = &r->pass.colors[color];
    const struct tile *tile = &w->tile;
    const size_t bytes = r->color_bytes[color];
    const bool integer =
        wf_hal_format_get(target->plane.format)->info.sample_class != WEFT_SAMPLE_CLASS_FLOAT;
    uint8_t texels[WF_SW_RASTER_SAMPLES][LANES * 16];
    uint8_t line[LANES * 16];
    memset(texels, 0, sizeof(texels));
    for (uint32_t y = 0; y < tile->height; y++) {
        uint8_t *row = target->resolve.data +
                       target->resolve.row_bytes * (uint64_t)(tile->y + (int32_t)y) +
                       (size_t)tile->x * bytes;
        for (uint32_t s = 0; s < r->pass.samples; s++) {
            for (uint32_t x = 0; x < tile->width; x++) {
                const uint32_t at =
                    raster_texel_at(s, raster_quad_at(x, y)) + (y & 1) * 2 + (x & 1);
                memcpy(texels[s] + x * bytes, tile->colors[color] + at * bytes, bytes);
            }
        }
        if (!integer)
            average(target->plane.format, target->resolve.format, r->pass.samples, texels, line);
        memcpy(row, integer ? texels[0] : line, tile->width * bytes);
    }
}
