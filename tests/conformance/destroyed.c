// Objects that are destroyed while what uses them is on its way: the work is done all the same.
#include "cases.h"
#include "draw.h"

#include "copy_words.comp.spv.h"
#include "fetch.frag.spv.h"

enum { ROUNDS = 24, SIZE = 4 };

static uint64_t submit(struct conform *c, weft_command_buffer *cmd)
{
    uint64_t serial = 0;
    if (weft_command_end(cmd) == WEFT_OK)
        weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                          &(weft_submit){.commands = &cmd, .command_count = 1}, &serial);
    return serial;
}

/// Copies a word of a buffer to `to`, number `round`, and drops everything but that one.
static uint64_t compute_round(struct conform *c, weft_buffer to, uint32_t round)
{
    weft_device *const device = conform_device(c);
    const uint32_t words[2] = {0xdead, 1000 + round}, root[2] = {1, round};
    const weft_shader shader = CONFORM_SHADER(c, copy_words_comp);
    const weft_compute_pipeline pipeline = conform_compute(c, shader);
    weft_shader_destroy(device, shader);
    const weft_buffer from = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof words, words);
    const weft_argument_write writes[] = {{.binding = 0, .buffer = from},
                                          {.binding = 1, .buffer = to}};
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(device, pipeline, 0), writes, 2);
    weft_command_buffer *cmd = conform_begin(c);
    conform_barrier(cmd);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, root, sizeof root);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    const uint64_t serial = submit(c, cmd);
    weft_argument_table_destroy(device, table);
    weft_buffer_destroy(device, from);
    weft_compute_pipeline_destroy(device, pipeline);
    return serial;
}

void case_destroyed_after_dispatch(struct conform *c)
{
    uint32_t wanted[ROUNDS];
    uint64_t serial = 0;
    const weft_buffer to = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof wanted, NULL);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        wanted[i] = 1000 + i;
        serial = compute_round(c, to, i);
        conform_check(c);
    }
    weft_serial_wait(conform_device(c), serial, UINT64_MAX);
    conform_expect_bytes(c, to, 0, wanted, sizeof wanted);
}

struct drawn {
    weft_texture source, target;
    weft_texture_view views[2];
    weft_graphics_pipeline pipeline;
    weft_argument_table table;
};

static void make_drawn(struct conform *c, struct drawn *d, uint32_t round)
{
    const uint8_t texels[SIZE * SIZE][4] = {{(uint8_t)round, 7, 9, 255}};
    d->source = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = SIZE, .height = SIZE});
    weft_texture_write(conform_device(c), d->source, NULL, texels, NULL);
    d->target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    d->views[0] = conform_view(c, d->source);
    d->views[1] = conform_view(c, d->target);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, fetch_frag);
    d->pipeline = conform_pipeline(c, &desc);
    d->table = conform_table(c, weft_graphics_pipeline_layout(conform_device(c), d->pipeline, 0),
                             &(weft_argument_write){.view = d->views[0]}, 1);
    weft_shader_destroy(conform_device(c), desc.vertex.shader);
    weft_shader_destroy(conform_device(c), desc.fragment.shader);
}

static void drop_drawn(struct conform *c, const struct drawn *d)
{
    weft_device *const device = conform_device(c);
    weft_texture_destroy(device, d->source); // before its views
    weft_texture_destroy(device, d->target);
    weft_texture_view_destroy(device, d->views[0]);
    weft_texture_view_destroy(device, d->views[1]);
    weft_argument_table_destroy(device, d->table);
    weft_graphics_pipeline_destroy(device, d->pipeline);
}

/// Draws a texture to a target and copies that to `to`.
static uint64_t draw_round(struct conform *c, weft_buffer to, uint32_t round)
{
    struct drawn d;
    make_drawn(c, &d, round);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, d.views[1], conform_black);
    weft_render_set_pipeline(enc, d.pipeline);
    weft_render_set_arguments(enc, 0, d.table, NULL, 0);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_barrier(cmd);
    weft_compute_encoder *copy = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture_to_buffer(copy, d.target,
                                        &(weft_texture_region){.width = 1, .height = 1}, to,
                                        &(weft_texel_layout){.offset = 4 * (uint64_t)round});
    weft_compute_end(copy);
    const uint64_t serial = submit(c, cmd);
    drop_drawn(c, &d);
    return serial;
}

void case_destroyed_after_draw(struct conform *c)
{
    uint8_t wanted[ROUNDS][4];
    uint64_t serial = 0;
    const weft_buffer to = conform_buffer(c, 0, sizeof wanted, NULL);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        wanted[i][0] = (uint8_t)i;
        wanted[i][1] = 7;
        wanted[i][2] = 9;
        wanted[i][3] = 255;
        serial = draw_round(c, to, i);
        conform_check(c);
    }
    weft_serial_wait(conform_device(c), serial, UINT64_MAX);
    conform_expect_bytes(c, to, 0, wanted, sizeof wanted);
}

/// What was recorded holds its objects until it has run; what is discarded lets them go.
void case_destroyed_before_submit(struct conform *c)
{
    const uint32_t words[4] = {1, 2, 3, 4}, zeros[4] = {0};
    const weft_buffer to = conform_buffer(c, 0, sizeof words, zeros);
    for (uint32_t i = 0; i < 2; i++) {
        const weft_buffer from = conform_buffer(c, 0, sizeof words, words);
        weft_command_buffer *cmd = conform_begin(c);
        conform_barrier(cmd);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer(enc, from, 0, to, 0, sizeof words);
        weft_compute_end(enc);
        weft_buffer_destroy(conform_device(c), from);
        if (i == 0)
            weft_command_discard(cmd);
        else
            conform_submit(c, cmd);
        conform_expect_bytes(c, to, 0, i ? words : zeros, sizeof words);
    }
}

/// Writes of the CPU that wait for the next submission hold what they are for.
void case_destroyed_after_write(struct conform *c)
{
    uint32_t wanted[ROUNDS];
    const weft_buffer to = conform_buffer(c, 0, sizeof wanted, NULL);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        wanted[i] = 11 * i + 3;
        const weft_buffer from = conform_buffer(c, 0, 4, NULL);
        weft_buffer_write(conform_device(c), from, 0, &wanted[i], 4);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer(enc, from, 0, to, 4 * (uint64_t)i, 4);
        weft_compute_end(enc);
        weft_buffer_destroy(conform_device(c), from);
    }
    conform_submit(c, cmd);
    conform_expect_bytes(c, to, 0, wanted, sizeof wanted);
}
