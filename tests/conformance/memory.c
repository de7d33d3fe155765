// Memory: mapping, rebinding, placing and aliasing, transient pieces, reads without waiting.
#include "cases.h"
#include "model.h"

#include <string.h>

enum { SIZE = 64 };

static weft_buffer make(struct conform *c, const weft_buffer_desc *given)
{
    weft_buffer_desc desc = *given;
    weft_buffer out;
    desc.size = SIZE;
    desc.usage |= WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST;
    weft_buffer_create(conform_device(c), &desc, &out);
    conform_check(c);
    return out;
}

static void copy(weft_command_buffer *cmd, weft_buffer from, weft_buffer to)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, from, 0, to, 0, SIZE);
    weft_compute_end(enc);
    conform_barrier(cmd);
}

// ---- mapping -----------------------------------------------------------------------------------

void case_map_refusals(struct conform *c)
{
    uint8_t bytes[SIZE] = {0};
    weft_device *const device = conform_device(c);
    const weft_buffer gpu = make(c, &(weft_buffer_desc){.memory = WEFT_MEMORY_GPU});
    const weft_buffer filled = make(c, &(weft_buffer_desc){.data = bytes});
    const weft_buffer mapped = make(c, &(weft_buffer_desc){.memory = WEFT_MEMORY_DEFAULT});
    CONFORM_EXPECT(c, !weft_buffer_map(device, gpu, 0, SIZE));
    conform_expect_rule(c, WEFT_RULE_BUFFER_NOT_MAPPED);
    CONFORM_EXPECT(c, !weft_buffer_map(device, filled, 0, SIZE)); // AUTO with data is GPU memory
    conform_expect_rule(c, WEFT_RULE_BUFFER_NOT_MAPPED);
    CONFORM_EXPECT(c, !weft_buffer_map(device, mapped, SIZE - 4, 8));
    conform_expect_rule(c, WEFT_RULE_BUFFER_RANGE);
}

/// What the CPU writes and flushes, later submissions see, time and again, without another map.
void case_map_writes_are_seen(struct conform *c)
{
    const weft_buffer staging = make(c, &(weft_buffer_desc){0}); // AUTO without data is mapped
    const weft_buffer out = conform_buffer(c, 0, SIZE, NULL);
    uint8_t *const bytes = weft_buffer_map(conform_device(c), staging, 0, SIZE);
    conform_check(c);
    CONFORM_EXPECT(c, bytes && weft_buffer_map(conform_device(c), staging, 8, 8) == bytes + 8);
    for (uint32_t round = 0; round < 3; round++) {
        conform_bytes_fill(bytes, SIZE, round);
        weft_buffer_flush(conform_device(c), staging, 0, SIZE);
        weft_command_buffer *cmd = conform_begin(c);
        copy(cmd, staging, out);
        conform_submit(c, cmd);
        uint8_t want[SIZE];
        conform_bytes_fill(want, SIZE, round);
        conform_expect_bytes(c, out, 0, want, SIZE);
    }
}

/// The pointer that was got first sees what the GPU wrote, once it has been waited for.
void case_map_readback(struct conform *c)
{
    const weft_buffer readback = make(c, &(weft_buffer_desc){.memory = WEFT_MEMORY_READBACK});
    const uint8_t *const bytes = weft_buffer_map(conform_device(c), readback, 0, SIZE);
    conform_check(c);
    CONFORM_EXPECT(c, bytes);
    for (uint32_t round = 0; round < 3; round++) {
        uint8_t want[SIZE];
        conform_bytes_fill(want, SIZE, round);
        const weft_buffer source = conform_buffer(c, 0, SIZE, want);
        weft_command_buffer *cmd = conform_begin(c);
        copy(cmd, source, readback);
        weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_HOST, 0);
        conform_submit(c, cmd);
        CONFORM_EXPECT(c, !conform_draws(c) || memcmp(bytes, want, SIZE) == 0);
    }
}

// ---- rebinding ---------------------------------------------------------------------------------

/// Work recorded before has the old memory, work recorded after the new one.
void case_rebind_keeps_recorded_work(struct conform *c)
{
    uint8_t old_bytes[SIZE], new_bytes[SIZE];
    conform_bytes_fill(old_bytes, SIZE, 1);
    conform_bytes_fill(new_bytes, SIZE, 2);
    const weft_buffer buffer = make(c, &(weft_buffer_desc){.memory = WEFT_MEMORY_DEFAULT});
    const weft_buffer before = conform_buffer(c, 0, SIZE, NULL);
    const weft_buffer after = conform_buffer(c, 0, SIZE, NULL);
    void *bytes = weft_buffer_map(conform_device(c), buffer, 0, SIZE);
    conform_check(c);
    memcpy(bytes, old_bytes, SIZE);
    weft_buffer_flush(conform_device(c), buffer, 0, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    copy(cmd, buffer, before);
    weft_buffer_rebind(conform_device(c), buffer);
    bytes = weft_buffer_map(conform_device(c), buffer, 0, SIZE);
    conform_check(c);
    memcpy(bytes, new_bytes, SIZE);
    weft_buffer_flush(conform_device(c), buffer, 0, SIZE);
    copy(cmd, buffer, after);
    conform_submit(c, cmd);
    conform_expect_bytes(c, before, 0, old_bytes, SIZE);
    conform_expect_bytes(c, after, 0, new_bytes, SIZE);
}

// ---- placing -----------------------------------------------------------------------------------

static weft_memory_block block(struct conform *c, uint64_t size)
{
    weft_memory_block out;
    weft_memory_block_create(conform_device(c), &(weft_memory_block_desc){.size = size}, &out);
    conform_check(c);
    return out;
}

/// A buffer and a texture of one piece of memory, used by turns.
void case_placed_aliases(struct conform *c)
{
    enum { SIDE = 16, BYTES = SIDE * SIDE * 4 };
    weft_device *const device = conform_device(c);
    weft_buffer_desc buffer_desc = {.size = BYTES,
                                    .usage =
                                        WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
                                    .memory = WEFT_MEMORY_GPU};
    weft_texture_desc texture_desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                      .width = SIDE,
                                      .height = SIDE,
                                      .usage = WEFT_TEXTURE_USAGE_COPY_SRC |
                                               WEFT_TEXTURE_USAGE_COPY_DST};
    weft_memory_needs a, b;
    weft_buffer_memory_needs(device, &buffer_desc, &a);
    weft_texture_memory_needs(device, &texture_desc, &b);
    conform_check(c);
    const uint64_t at = a.alignment > b.alignment ? a.alignment : b.alignment;
    buffer_desc.place = texture_desc.place =
        (weft_placement){.block = block(c, at + (a.size > b.size ? a.size : b.size)), .offset = at};
    weft_buffer buffer;
    weft_texture texture;
    weft_buffer_create(device, &buffer_desc, &buffer);
    weft_texture_create(device, &texture_desc, &texture);
    conform_check(c);

    struct conform_model model;
    uint32_t ones[BYTES / 4];
    conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE, 1);
    conform_model_fill(&model, 4);
    memset(ones, 0x11, sizeof ones);
    const weft_buffer source = conform_buffer(c, 0, BYTES, model.data);
    const weft_buffer out[2] = {conform_buffer(c, 0, BYTES, NULL),
                                conform_buffer(c, 0, BYTES, NULL)};
    const weft_object objects[2] = {{buffer.index, buffer.generation, WEFT_OBJECT_BUFFER},
                                    {texture.index, texture.generation, WEFT_OBJECT_TEXTURE}};
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, buffer, 0, 0, 0x11111111);
    weft_compute_end(enc);
    conform_barrier(cmd);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, buffer, 0, out[0], 0, BYTES);
    weft_compute_end(enc);
    weft_command_alias_barrier(cmd, objects[0], objects[1]);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer_to_texture(enc, source, NULL, texture, NULL);
    weft_compute_end(enc);
    conform_barrier(cmd);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture_to_buffer(enc, texture, NULL, out[1], NULL);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    conform_expect_bytes(c, out[0], 0, ones, sizeof ones);
    conform_expect_bytes(c, out[1], 0, model.data, BYTES);
}

/// Textures of one piece of memory, used by turns: each begins anew when it is named.
void case_placed_textures_by_turns(struct conform *c)
{
    enum { SIDE = 16, BYTES = SIDE * SIDE * 4, TURNS = 4 };
    weft_device *const device = conform_device(c);
    weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = SIDE,
                              .height = SIDE,
                              .usage = WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST |
                                       WEFT_TEXTURE_USAGE_RENDER};
    weft_memory_needs needs;
    weft_texture_memory_needs(device, &desc, &needs);
    conform_check(c);
    desc.place.block = block(c, needs.size);
    weft_texture textures[2];
    weft_object objects[2];
    weft_buffer in[TURNS], out[TURNS];
    struct conform_model models[TURNS];
    for (uint32_t i = 0; i < 2; i++) {
        weft_texture_create(device, &desc, &textures[i]);
        conform_check(c);
        objects[i] = (weft_object){textures[i].index, textures[i].generation, WEFT_OBJECT_TEXTURE};
    }
    for (uint32_t i = 0; i < TURNS; i++) {
        conform_model_init(&models[i], WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE, 1);
        conform_model_fill(&models[i], i);
        in[i] = conform_buffer(c, 0, BYTES, models[i].data);
        out[i] = conform_buffer(c, 0, BYTES, NULL);
    }
    weft_command_buffer *cmd = NULL;
    for (uint32_t i = 0; i < TURNS; i++) { // two of each submission
        const weft_texture texture = textures[(i + 1) % 2];
        if (i % 2 == 0)
            cmd = conform_begin(c);
        weft_command_alias_barrier(cmd, i == 0 ? (weft_object){0} : objects[i % 2],
                                   objects[(i + 1) % 2]);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer_to_texture(enc, in[i], NULL, texture, NULL);
        weft_compute_end(enc);
        conform_barrier(cmd);
        enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_texture_to_buffer(enc, texture, NULL, out[i], NULL);
        weft_compute_end(enc);
        if (i % 2 == 1)
            conform_submit(c, cmd);
    }
    for (uint32_t i = 0; i < TURNS; i++)
        conform_expect_bytes(c, out[i], 0, models[i].data, BYTES);
}

/// Neighbours in one block do not touch each other.
void case_placed_neighbours(struct conform *c)
{
    enum { COUNT = 4, BYTES = 256 };
    weft_device *const device = conform_device(c);
    weft_buffer_desc desc = {.size = BYTES,
                             .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
                             .memory = WEFT_MEMORY_GPU};
    weft_memory_needs needs;
    weft_buffer_memory_needs(device, &desc, &needs);
    conform_check(c);
    const uint64_t step = (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
    desc.place.block = block(c, COUNT * step);
    weft_buffer buffers[COUNT];
    uint8_t bytes[BYTES];
    for (uint32_t i = 0; i < COUNT; i++) {
        desc.place.offset = i * step;
        weft_buffer_create(device, &desc, &buffers[i]);
        conform_check(c);
        conform_bytes_fill(bytes, BYTES, i);
        weft_buffer_write(device, buffers[i], 0, bytes, BYTES);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        conform_bytes_fill(bytes, BYTES, i);
        conform_expect_bytes(c, buffers[i], 0, bytes, BYTES);
    }
}

void case_placed_refusals(struct conform *c)
{
    weft_device *const device = conform_device(c);
    weft_buffer_desc desc = {.size = 256, .memory = WEFT_MEMORY_GPU};
    weft_memory_needs needs;
    weft_buffer_memory_needs(device, &desc, &needs);
    conform_check(c);
    weft_buffer buffer;
    desc.place.block = block(c, 2 * needs.size + needs.alignment);
    desc.place.offset = 1;
    weft_buffer_create(device, &desc, &buffer);
    if (needs.alignment > 1)
        conform_expect_rule(c, WEFT_RULE_PLACEMENT_ALIGNMENT);
    desc.place.offset = 1024 * needs.alignment * needs.size;
    weft_buffer_create(device, &desc, &buffer);
    conform_expect_rule(c, WEFT_RULE_PLACEMENT_RANGE);
    CONFORM_EXPECT(c, weft_buffer_is_none(buffer));
    desc.place.offset = 0;
    weft_buffer_create(device, &desc, &buffer);
    conform_check(c);
    weft_memory_block_destroy(device, desc.place.block);
    conform_expect_rule(c, WEFT_RULE_BLOCK_IN_USE);
    weft_buffer_rebind(device, buffer);
    conform_expect_rule(c, WEFT_RULE_BUFFER_REBIND_PLACED);
}

// ---- transient memory --------------------------------------------------------------------------

/// Pieces of each frame hold what was written into them, whatever the slots and sizes.
void case_transient_frames(struct conform *c)
{
    enum { FRAMES = 7, PIECES = 5, BYTES = FRAMES * PIECES * SIZE };
    const weft_buffer out = conform_buffer(c, 0, BYTES, NULL);
    uint8_t want[BYTES];
    conform_bytes_fill(want, BYTES, 3);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        weft_transient_advance(conform_device(c));
        weft_command_buffer *cmd = conform_begin(c);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        for (uint32_t i = 0; i < PIECES; i++) {
            const size_t at = ((size_t)frame * PIECES + i) * SIZE;
            const uint64_t align = UINT64_C(16) << i;
            const weft_transient piece =
                weft_transient_alloc(conform_device(c), SIZE + i * UINT64_C(70000), align);
            conform_check(c);
            CONFORM_EXPECT(c, piece.cpu && piece.offset % align == 0 && piece.size >= SIZE);
            memcpy(piece.cpu, want + at, SIZE);
            weft_compute_copy_buffer(enc, piece.buffer, piece.offset, out, at, SIZE);
        }
        weft_compute_end(enc);
        CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
        weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                          &(weft_submit){.commands = &cmd, .command_count = 1}, NULL);
        conform_check(c);
    }
    conform_expect_bytes(c, out, 0, want, BYTES);
}

// ---- reads -------------------------------------------------------------------------------------

/// Reads that were begun see what was submitted before them, and nothing after.
void case_read_without_waiting(struct conform *c)
{
    enum { READS = 4 };
    weft_device *const device = conform_device(c);
    const weft_buffer buffer = conform_buffer(c, 0, SIZE, NULL);
    weft_read reads[READS];
    for (uint32_t i = 0; i < READS; i++) {
        weft_command_buffer *cmd = conform_begin(c);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_fill_buffer(enc, buffer, 0, 0, i);
        weft_compute_end(enc);
        conform_barrier(cmd);
        CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
        weft_queue_submit(device, WEFT_QUEUE_GRAPHICS,
                          &(weft_submit){.commands = &cmd, .command_count = 1}, NULL);
        weft_read_begin_buffer(device, buffer, 4, 8, &reads[i]);
        conform_check(c);
    }
    weft_device_wait_idle(device);
    for (uint32_t i = 0; i < READS; i++) {
        uint32_t words[2] = {99, 99};
        CONFORM_EXPECT(c, weft_read_poll(device, reads[i]) == WEFT_OK);
        CONFORM_EXPECT(c, weft_read_take(device, reads[i], words, sizeof words) == WEFT_OK);
        CONFORM_EXPECT(c, !conform_draws(c) || (words[0] == i && words[1] == i));
    }
    weft_read_poll(device, reads[0]);
    conform_expect_rule(c, WEFT_RULE_READ_INVALID);
}
