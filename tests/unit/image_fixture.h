/// An image with memory of its own, and rows of 64 lanes, for the tests of image/.
#ifndef TESTS_UNIT_IMAGE_FIXTURE_H
#define TESTS_UNIT_IMAGE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "backends/software/image/image.h"
#include "base/half.h"
#include "hal/texel.h"
#include "support/test.h"

struct rng {
    uint32_t state;
};

static inline uint32_t rng_next(struct rng *r)
{
    r->state = r->state * 1664525u + 1013904223u;
    return r->state >> 8;
}

static inline uint32_t rng_below(struct rng *r, uint32_t limit)
{
    return rng_next(r) % limit;
}

/// The memory is exactly as large as asked for, so that sanitizers see every step outside.
static inline struct wf_sw_image image_open(const weft_texture_desc *desc)
{
    struct wf_sw_image image;
    EXPECT(wf_sw_image_init(&image, desc));

    image.memory = aligned_alloc(WF_SW_IMAGE_ALIGN, (image.size + WF_SW_IMAGE_ALIGN - 1) / 64 * 64);
    EXPECT(image.memory != NULL);
    memset(image.memory, 0, image.size);
    return image;
}

static inline void image_close(struct wf_sw_image *image)
{
    free(image->memory);
    image->memory = NULL;
}

struct place {
    uint32_t mip, slice, sample, x, y;
};

/// The first byte of a texel of the main plane.
static inline uint8_t *image_texel(const struct wf_sw_image *image, struct place p)
{
    return wf_sw_image_row(image, &image->main, p.mip, p.slice, p.sample, p.y) +
           (size_t)p.x * image->main.block_bytes;
}

/// The same, decoded.
static inline void image_load(const struct wf_sw_image *image, weft_format format, struct place p,
                              uint32_t out[4])
{
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(format);
    wf_hal_texel_decode(codec, image_texel(image, p), 1, (uint32_t(*)[4])out);
}

static inline struct wf_sw_view image_view(struct wf_sw_image *image,
                                           const struct wf_sw_view_desc *desc)
{
    struct wf_sw_view view;
    EXPECT(wf_sw_view_init(&view, image, desc));
    return view;
}

/// Fills every texel of the main plane with tame random values: floats are 0 to 1.
static inline void image_fill_random(struct wf_sw_image *image, struct rng *rng)
{
    const struct wf_hal_format *info = wf_hal_format_get(image->format);
    weft_format format = image->format;
    if (info->aspects & WEFT_ASPECT_DEPTH)
        format = wf_hal_format_of_aspect(format, WEFT_ASPECT_DEPTH);
    const struct wf_hal_texel_codec *codec = wf_hal_texel_codec_get(format);
    for (uint32_t m = 0; m < image->mips; m++) {
        const struct wf_sw_mip *mip = &image->main.mips[m];
        const uint32_t slices = image->kind == WEFT_TEXTURE_3D ? mip->depth : image->layers;
        for (uint32_t slice = 0; slice < slices; slice++)
            for (uint32_t s = 0; s < image->samples; s++)
                for (uint32_t y = 0; y < mip->height; y++)
                    for (uint32_t x = 0; x < mip->width; x++) {
                        uint32_t texel[1][4];
                        for (int c = 0; c < 4; c++)
                            texel[0][c] =
                                wf_hal_texel_is_integer(codec)
                                    ? rng_next(rng)
                                    : wf_base_float_bits((float)rng_below(rng, 65536) / 65535);
                        wf_hal_texel_encode(codec, (const uint32_t(*)[4])texel, 1,
                                            image_texel(image, (struct place){m, slice, s, x, y}));
                    }
    }
}

static inline float lane_float(uint32_t (*rows)[64], uint32_t c, uint32_t lane)
{
    return wf_base_float_from_bits(rows[c][lane]);
}

static inline void fill_row_f(float row[64], float value)
{
    for (int i = 0; i < 64; i++)
        row[i] = value;
}

#endif
