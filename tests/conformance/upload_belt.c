// Writes from the CPU: large ones, and where they stand among submissions.
#include "cases.h"
#include "model.h"

#include <string.h>

/// Memory of the device's to write from, so that an early end of the case leaks none.
static uint8_t *scratch(struct conform *c, uint64_t size)
{
    weft_buffer buffer;
    weft_buffer_create(conform_device(c),
                       &(weft_buffer_desc){.size = size, .memory = WEFT_MEMORY_DEFAULT}, &buffer);
    uint8_t *bytes = weft_buffer_map(conform_device(c), buffer, 0, size);
    conform_check(c);
    CONFORM_EXPECT(c, bytes);
    conform_bytes_fill(bytes, size, 5);
    return bytes;
}

void case_upload_large_buffer(struct conform *c)
{
    enum { SIZE = 12 << 20, PIECE = 1 << 20 };
    const uint8_t *bytes = scratch(c, SIZE);
    const weft_buffer buffer = conform_buffer(c, 0, SIZE, NULL);
    weft_buffer_write(conform_device(c), buffer, 4, bytes, SIZE - 4);
    for (uint32_t at = 0; at + PIECE < SIZE; at += PIECE)
        conform_expect_bytes(c, buffer, at + 4, bytes + at, PIECE);
}

void case_upload_large_texture(struct conform *c)
{
    enum { SIDE = 700, ROW = SIDE * 4 + 52, SIZE = ROW * SIDE, BAND = 20 };
    const uint8_t *bytes = scratch(c, SIZE);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UINT, .width = SIDE, .height = SIDE});
    weft_texture_write(conform_device(c), texture, NULL, bytes,
                       &(weft_texel_layout){.row_bytes = ROW});
    for (uint32_t y = 0; y < SIDE; y += BAND) {
        struct conform_model model;
        conform_model_init(&model, WEFT_FORMAT_RGBA8_UINT, SIDE, BAND, 1);
        conform_model_put(&model, &(struct conform_box){0, 0, 0, SIDE, BAND, 1},
                          bytes + (size_t)y * ROW, &(weft_texel_layout){.row_bytes = ROW});
        conform_expect_texels(c, texture, &(weft_texture_region){.y = y, .height = BAND},
                              conform_model_texel, &model, 0);
    }
}

static uint64_t submit(struct conform *c, weft_command_buffer *cmd)
{
    uint64_t serial = 0;
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
    weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                      &(weft_submit){.commands = &cmd, .command_count = 1}, &serial);
    conform_check(c);
    return serial;
}

static weft_command_buffer *record_copy(struct conform *c, weft_buffer from, weft_buffer to,
                                        uint64_t at)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, from, 0, to, at, 4);
    weft_compute_end(enc);
    conform_barrier(cmd);
    return cmd;
}

/// A write comes before the next submission, even of what was recorded earlier, and after the last.
void case_upload_before_the_next_submission(struct conform *c)
{
    enum { COUNT = 8 };
    const weft_buffer source = conform_buffer(c, 0, 4, NULL);
    const weft_buffer out = conform_buffer(c, 0, sizeof(uint32_t[COUNT]), NULL);
    uint32_t want[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        want[i] = 100 + i;
        weft_command_buffer *cmd = record_copy(c, source, out, i * UINT64_C(4));
        weft_buffer_write(conform_device(c), source, 0, &want[i], sizeof *want);
        submit(c, cmd);
    }
    conform_expect_bytes(c, out, 0, want, sizeof want);
}

/// `data` is copied at once: the host may change it after the call.
void case_upload_copies_at_once(struct conform *c)
{
    uint32_t texel = 0;
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_R32_UINT, .width = 16});
    for (uint32_t i = 0; i < 16; i++) {
        texel = i * i;
        weft_texture_write(conform_device(c), texture, &(weft_texture_region){.x = i, .width = 1},
                           &texel, NULL);
        texel = UINT32_MAX;
    }
    struct conform_model model;
    conform_model_init(&model, WEFT_FORMAT_R32_UINT, 16, 1, 1);
    for (uint32_t i = 0; i < 16; i++)
        memcpy(conform_model_at(&model, i, 0, 0), &(uint32_t){i * i}, 4);
    conform_model_expect(c, &model, texture, 0, 0);
}

/// Texels without waiting, of a part of some layers, tightly packed.
void case_upload_read_begun(struct conform *c)
{
    struct conform_model model, got;
    conform_model_init(&model, WEFT_FORMAT_RG8_UNORM, 9, 6, 3);
    conform_model_fill(&model, 1);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){
               .format = WEFT_FORMAT_RG8_UNORM, .width = 9, .height = 6, .layers = 3});
    conform_model_upload(c, &model, texture, 0, 0);
    weft_read read;
    weft_read_begin_texture(
        conform_device(c), texture,
        &(weft_texture_region){
            .layer = 1, .layer_count = 2, .x = 3, .y = 1, .width = 5, .height = 4},
        &read);
    conform_check(c);
    uint8_t bytes[5 * 4 * 2 * 2] = {0};
    weft_device_wait_idle(conform_device(c));
    weft_read_take(conform_device(c), read, bytes, sizeof bytes - 1);
    conform_expect_rule(c, WEFT_RULE_READ_SIZE);
    CONFORM_EXPECT(c, weft_read_take(conform_device(c), read, bytes, sizeof bytes) == WEFT_OK);
    conform_model_init(&got, WEFT_FORMAT_RG8_UNORM, 5, 4, 2);
    conform_model_copy(&got, (const uint32_t[3]){0}, &model,
                       &(struct conform_box){3, 1, 1, 5, 4, 2});
    CONFORM_EXPECT(c, !conform_draws(c) || memcmp(bytes, got.data, sizeof bytes) == 0);
}
