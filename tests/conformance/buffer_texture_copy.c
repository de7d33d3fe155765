// Texels between buffers and textures, in layouts.
#include "cases.h"
#include "model.h"

#include <string.h>

/// Rows of 7 texels 64 bytes apart, slices of 3 rows 4 apart, at 16: the last row ends the buffer.
enum { OFFSET = 16, ROW = 64, ROWS = 4, SIZE = OFFSET + (ROWS + 2) * ROW + 7 * 4 };
static const weft_texel_layout layout = {.offset = OFFSET, .row_bytes = ROW, .slice_rows = ROWS};
static const struct conform_box box = {2, 1, 1, 7, 3, 2};

static weft_texture_region region(bool volume)
{
    return (weft_texture_region){.x = box.x,
                                 .y = box.y,
                                 .z = volume ? box.z : 0,
                                 .layer = volume ? 0 : box.z,
                                 .layer_count = volume ? 0 : box.depth,
                                 .width = box.width,
                                 .height = box.height,
                                 .depth = volume ? box.depth : 1};
}

static weft_texture make(struct conform *c, struct conform_model *model, bool volume)
{
    conform_model_init(model, WEFT_FORMAT_RGBA8_UNORM, 11, 5, 4);
    conform_model_fill(model, 5);
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.kind = volume ? WEFT_TEXTURE_3D : WEFT_TEXTURE_2D,
                                                .format = model->format,
                                                .width = 11,
                                                .height = 5,
                                                .depth = volume ? 4 : 1,
                                                .layers = volume ? 1 : 4});
    conform_model_upload(c, model, texture, 0, 0);
    return texture;
}

/// Copies one way. What lies between the rows of the buffer stays.
static void copy(struct conform *c, bool volume, bool to_texture)
{
    uint8_t bytes[SIZE];
    struct conform_model model;
    const weft_texture texture = make(c, &model, volume);
    conform_bytes_fill(bytes, SIZE, 6);
    const weft_buffer buffer = conform_buffer(c, 0, SIZE, bytes);
    const weft_texture_region r = region(volume);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    if (to_texture)
        weft_compute_copy_buffer_to_texture(enc, buffer, &layout, texture, &r);
    else
        weft_compute_copy_texture_to_buffer(enc, texture, &r, buffer, &layout);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    if (to_texture) {
        conform_model_put(&model, &box, bytes, &layout);
        conform_model_expect(c, &model, texture, 0, 0);
    } else {
        conform_model_get(&model, &box, bytes, &layout);
        conform_expect_bytes(c, buffer, 0, bytes, SIZE);
    }
}

void case_copy_buffer_to_layers(struct conform *c)
{
    copy(c, false, true);
}

void case_copy_buffer_to_slices(struct conform *c)
{
    copy(c, true, true);
}

void case_copy_layers_to_buffer(struct conform *c)
{
    copy(c, false, false);
}

void case_copy_slices_to_buffer(struct conform *c)
{
    copy(c, true, false);
}

/// Rows of single bytes, tightly packed, at any offset.
void case_copy_buffer_to_bytes(struct conform *c)
{
    enum { BYTES = 40, AT = 3 };
    uint8_t bytes[BYTES];
    struct conform_model model;
    conform_bytes_fill(bytes, BYTES, 8);
    const weft_buffer src = conform_buffer(c, 0, BYTES, bytes);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_R8_UINT, .width = 5, .height = 7});
    const weft_texel_layout tight = {.offset = AT};
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer_to_texture(enc, src, &tight, texture, NULL);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    conform_model_init(&model, WEFT_FORMAT_R8_UINT, 5, 7, 1);
    conform_model_put(&model, &(struct conform_box){0, 0, 0, 5, 7, 1}, bytes, &tight);
    conform_model_expect(c, &model, texture, 0, 0);

    const weft_buffer dst = conform_buffer(c, 0, BYTES, bytes);
    cmd = conform_begin(c);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture_to_buffer(enc, texture, NULL, dst, &(weft_texel_layout){.offset = 1});
    weft_compute_end(enc);
    conform_submit(c, cmd);
    memcpy(bytes + 1, model.data, 35);
    conform_expect_bytes(c, dst, 0, bytes, BYTES);
}

void case_copy_buffer_texture_refusals(struct conform *c)
{
    struct conform_model model;
    const weft_texture texture = make(c, &model, false);
    const weft_buffer buffer = conform_buffer(c, 0, SIZE - 4, NULL);
    const weft_texture_region r = region(false);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture_to_buffer(enc, texture, &r, buffer, &layout);
    weft_compute_end(enc);
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, WEFT_RULE_TEXEL_LAYOUT_SIZE);
}
