// Storage textures that are not 2D, their sizes, and atomics.
#include "cases.h"
#include "model.h"

#include <string.h>

#include "image_atomics.comp.spv.h"
#include "storage_kinds.comp.spv.h"

/// Dispatches with textures that are stored to.
static void dispatch(struct conform *c, weft_compute_pipeline pipeline,
                     const weft_argument_write *writes, uint32_t count, uint32_t groups)
{
    weft_device *const device = conform_device(c);
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(device, pipeline, 0), writes, count);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < count; i++)
        if (!weft_texture_view_is_none(writes[i].view))
            conform_texture_state(cmd, weft_texture_view_texture(device, writes[i].view),
                                  WEFT_TEXTURE_STATE_RESTING, WEFT_TEXTURE_STATE_STORAGE);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, groups, 1, 1);
    weft_compute_end(enc);
    for (uint32_t i = 0; i < count; i++)
        if (!weft_texture_view_is_none(writes[i].view))
            conform_texture_state(cmd, weft_texture_view_texture(device, writes[i].view),
                                  WEFT_TEXTURE_STATE_STORAGE, WEFT_TEXTURE_STATE_RESTING);
    conform_submit(c, cmd);
}

/// The shader stores x + 16 y + 256 z, and a number that tells the kind.
static struct conform_texel place(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t kind = *(const uint32_t *)user;
    const uint32_t row = kind == 0 ? x / 4 : y, column = kind == 0 ? x % 4 : x;
    return (struct conform_texel){{column + 16 * row + 256 * z + kind, 0, 0, 1}};
}

void case_storage_kinds(struct conform *c)
{
    static const weft_texture_desc descs[4] = {
        {.kind = WEFT_TEXTURE_1D, .width = 16},
        {.kind = WEFT_TEXTURE_2D, .width = 4, .height = 4, .layers = 6},
        {.kind = WEFT_TEXTURE_3D, .width = 4, .height = 4, .depth = 6},
        {.kind = WEFT_TEXTURE_CUBE, .width = 4, .height = 4, .layers = 6}};
    static const uint32_t sizes[4][4] = {{16}, {4, 4, 6}, {4, 4, 6}, {4, 4}};
    weft_texture textures[4];
    weft_argument_write writes[5];
    for (uint32_t i = 0; i < 4; i++) {
        weft_texture_desc desc = descs[i];
        desc.format = WEFT_FORMAT_R32_UINT;
        desc.usage = WEFT_TEXTURE_USAGE_STORAGE;
        textures[i] = conform_texture(c, &desc);
        writes[i] = (weft_argument_write){.binding = i, .view = conform_view(c, textures[i])};
    }
    const weft_buffer out = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof sizes, NULL);
    writes[4] = (weft_argument_write){.binding = 4, .buffer = out};
    dispatch(c, conform_compute(c, CONFORM_SHADER(c, storage_kinds_comp)), writes, 5, 1);
    for (uint32_t i = 0; i < 4; i++)
        conform_expect_texels(c, textures[i], &(weft_texture_region){.layer_count = i & 1 ? 6 : 0},
                              place, &i, 0);
    conform_expect_bytes(c, out, 0, sizes, sizeof sizes);
}

/// 256 invocations on each texel; every result is the same in any order.
void case_storage_atomics(struct conform *c)
{
    enum { WIDTH = 8 };
    conform_need_format(c, WEFT_FORMAT_R32_UINT, WEFT_FORMAT_CAN_STORE | WEFT_FORMAT_CAN_ATOMIC);
    conform_need_format(c, WEFT_FORMAT_R32_SINT, WEFT_FORMAT_CAN_STORE | WEFT_FORMAT_CAN_ATOMIC);
    static const uint32_t before[WIDTH] = {1, 1000, 3, UINT32_MAX, 0, 5, 5, 7};
    static const int32_t signed_before[WIDTH] = {1, 5, -1000, 4, 4, 4, 4, 4};
    // 0 to 255 add up to 32640, and cancel out
    static const uint32_t after[WIDTH] = {32641, 5, 255, 1, 0x7fffffff, 5, 9, 70};
    static const int32_t signed_after[WIDTH] = {1 - 32640, -255, -3, 4, 4, 4, 4, 4};
    struct conform_model models[2];
    weft_texture textures[2];
    weft_argument_write writes[2];
    for (uint32_t i = 0; i < 2; i++) {
        const weft_format format = i ? WEFT_FORMAT_R32_SINT : WEFT_FORMAT_R32_UINT;
        textures[i] = conform_texture(c, &(weft_texture_desc){.format = format,
                                                              .width = WIDTH,
                                                              .usage = WEFT_TEXTURE_USAGE_STORAGE});
        conform_model_init(&models[i], format, WIDTH, 1, 1);
        memcpy(models[i].data, i ? (const void *)signed_before : before, sizeof before);
        conform_model_upload(c, &models[i], textures[i], 0, 0);
        writes[i] = (weft_argument_write){.binding = i, .view = conform_view(c, textures[i])};
        memcpy(models[i].data, i ? (const void *)signed_after : after, sizeof after);
    }
    dispatch(c, conform_compute(c, CONFORM_SHADER(c, image_atomics_comp)), writes, 2, 4);
    for (uint32_t i = 0; i < 2; i++)
        conform_model_expect(c, &models[i], textures[i], 0, 0);
}
