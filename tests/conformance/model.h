/// \file model.h
/// What a texture must hold, kept beside it on the CPU: copies are done to both and compared.
#pragma once

#include "conform.h"

#define CONFORM_MODEL_BYTES 65536u

/// A tight picture of some slices. Lives on the stack: a case that ends early frees nothing.
struct conform_model {
    weft_format format;
    uint32_t width, height, depth; ///< Texels; depth: slices or layers.
    uint32_t bytes;                ///< Per texel.
    uint8_t data[CONFORM_MODEL_BYTES];
};

struct conform_box {
    uint32_t x, y, z, width, height, depth;
};

/// All zero.
void conform_model_init(struct conform_model *model, weft_format format, uint32_t width,
                        uint32_t height, uint32_t depth);
/// Bytes that look random and follow from `seed`.
void conform_model_fill(struct conform_model *model, uint32_t seed);
void conform_bytes_fill(void *bytes, size_t size, uint32_t seed);
uint64_t conform_model_size(const struct conform_model *model);
uint8_t *conform_model_at(struct conform_model *model, uint32_t x, uint32_t y, uint32_t z);
/// Texels of `box` of `from` to x, y, z of `to`.
void conform_model_copy(struct conform_model *to, const uint32_t at[3], struct conform_model *from,
                        const struct conform_box *box);
/// Texels of memory, in a layout, to or from a box.
void conform_model_put(struct conform_model *model, const struct conform_box *box,
                       const uint8_t *bytes, const weft_texel_layout *layout);
void conform_model_get(struct conform_model *model, const struct conform_box *box, uint8_t *bytes,
                       const weft_texel_layout *layout);
/// A conform_expected whose user is a model.
struct conform_texel conform_model_texel(void *model, uint32_t x, uint32_t y, uint32_t z);
/// Writes all of the model to the mip and layers of the region.
void conform_model_upload(struct conform *c, struct conform_model *model, weft_texture texture,
                          uint32_t mip, uint32_t layer);
/// The whole mip, from that layer on, is as the model.
void conform_model_expect(struct conform *c, struct conform_model *model, weft_texture texture,
                          uint32_t mip, uint32_t layer);
