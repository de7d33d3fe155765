// A texture's twin in memory.
#include "model.h"

#include "texel.h"

#include <assert.h>
#include <string.h>

void conform_model_init(struct conform_model *model, weft_format format, uint32_t width,
                        uint32_t height, uint32_t depth)
{
    model->format = format;
    model->width = width;
    model->height = height;
    model->depth = depth;
    model->bytes = conform_texel_bytes(format, WEFT_ASPECT_COLOR);
    assert(conform_model_size(model) <= sizeof model->data);
    memset(model->data, 0, sizeof model->data);
}

void conform_bytes_fill(void *bytes, size_t size, uint32_t seed)
{
    uint8_t *out = bytes;
    uint32_t state = seed * 747796405u + 2891336453u;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        out[i] = (uint8_t)(state >> 24);
    }
}

void conform_model_fill(struct conform_model *model, uint32_t seed)
{
    conform_bytes_fill(model->data, conform_model_size(model), seed);
}

uint64_t conform_model_size(const struct conform_model *model)
{
    return (uint64_t)model->width * model->height * model->depth * model->bytes;
}

uint8_t *conform_model_at(struct conform_model *model, uint32_t x, uint32_t y, uint32_t z)
{
    return model->data +
           (((size_t)z * model->height + y) * model->width + x) * (size_t)model->bytes;
}

void conform_model_copy(struct conform_model *to, const uint32_t at[3], struct conform_model *from,
                        const struct conform_box *box)
{
    for (uint32_t z = 0; z < box->depth; z++)
        for (uint32_t y = 0; y < box->height; y++)
            memmove(conform_model_at(to, at[0], at[1] + y, at[2] + z),
                    conform_model_at(from, box->x, box->y + y, box->z + z),
                    (size_t)box->width * from->bytes);
}

/// Where a row of a box starts in laid-out memory.
static size_t row_offset(const struct conform_model *model, const struct conform_box *box,
                         const weft_texel_layout *layout, const uint32_t zy[2])
{
    const size_t row = layout->row_bytes ? layout->row_bytes : (size_t)box->width * model->bytes;
    const size_t rows = layout->slice_rows ? layout->slice_rows : box->height;
    return (size_t)layout->offset + (zy[0] * rows + zy[1]) * row;
}

void conform_model_put(struct conform_model *model, const struct conform_box *box,
                       const uint8_t *bytes, const weft_texel_layout *layout)
{
    for (uint32_t z = 0; z < box->depth; z++)
        for (uint32_t y = 0; y < box->height; y++)
            memcpy(conform_model_at(model, box->x, box->y + y, box->z + z),
                   bytes + row_offset(model, box, layout, (const uint32_t[2]){z, y}),
                   (size_t)box->width * model->bytes);
}

void conform_model_get(struct conform_model *model, const struct conform_box *box, uint8_t *bytes,
                       const weft_texel_layout *layout)
{
    for (uint32_t z = 0; z < box->depth; z++)
        for (uint32_t y = 0; y < box->height; y++)
            memcpy(bytes + row_offset(model, box, layout, (const uint32_t[2]){z, y}),
                   conform_model_at(model, box->x, box->y + y, box->z + z),
                   (size_t)box->width * model->bytes);
}

struct conform_texel conform_model_texel(void *model, uint32_t x, uint32_t y, uint32_t z)
{
    struct conform_model *m = model;
    struct conform_texel out;
    conform_texel_decode(m->format, WEFT_ASPECT_COLOR, conform_model_at(m, x, y, z), &out);
    return out;
}

/// All of one mip, from a layer on, as deep as the model.
static weft_texture_region whole(struct conform *c, const struct conform_model *model,
                                 weft_texture texture, const uint32_t mip_layer[2])
{
    weft_texture_desc desc;
    CONFORM_EXPECT(c, weft_texture_get_desc(conform_device(c), texture, &desc));
    const bool volume = desc.kind == WEFT_TEXTURE_3D;
    return (weft_texture_region){.mip = mip_layer[0],
                                 .layer = mip_layer[1],
                                 .layer_count = volume ? 0 : model->depth,
                                 .width = model->width,
                                 .height = model->height,
                                 .depth = volume ? model->depth : 1};
}

void conform_model_upload(struct conform *c, struct conform_model *model, weft_texture texture,
                          uint32_t mip, uint32_t layer)
{
    const weft_texture_region region = whole(c, model, texture, (const uint32_t[2]){mip, layer});
    weft_texture_write(conform_device(c), texture, &region, model->data, NULL);
    conform_check(c);
}

void conform_model_expect(struct conform *c, struct conform_model *model, weft_texture texture,
                          uint32_t mip, uint32_t layer)
{
    const weft_texture_region region = whole(c, model, texture, (const uint32_t[2]){mip, layer});
    conform_expect_texels(c, texture, &region, conform_model_texel, model, 0);
}
