// What compute shaders write is read by everything that can read, a hundred times over in the same
// memory: each round's writes wait for the reads of the one before.
#include "cases.h"
#include "draw.h"

#include "consumed.comp.spv.h"
#include "consumed.frag.spv.h"

enum { SIZE = 16, ROUNDS = 100 };

struct scene {
    weft_compute_pipeline writer;
    weft_graphics_pipeline reader;
    weft_argument_table written, read;
    weft_buffer vertices, indices, arguments;
    weft_texture target, image;
    weft_texture_view view;
};

static void make_tables(struct conform *c, struct scene *s)
{
    const weft_buffer words = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, 16, NULL);
    s->image = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                .usage = WEFT_TEXTURE_USAGE_STORAGE | WEFT_TEXTURE_USAGE_SAMPLED});
    const weft_texture_view view = conform_view(c, s->image);
    const weft_argument_write written[] = {{.binding = 0, .buffer = s->vertices},
                                           {.binding = 1, .buffer = s->indices},
                                           {.binding = 2, .buffer = s->arguments},
                                           {.binding = 3, .buffer = words},
                                           {.binding = 4, .view = view}};
    const weft_argument_write read[] = {{.binding = 0, .buffer = words},
                                        {.binding = 1, .view = view}};
    s->written =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), s->writer, 0), written, 5);
    s->read =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), s->reader, 0), read, 2);
}

static void make(struct conform *c, struct scene *s)
{
    const weft_buffer_usage storage = WEFT_BUFFER_USAGE_STORAGE;
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_CAN_STORE);
    conform_vertex_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, consumed_frag);
    s->writer = conform_compute(c, CONFORM_SHADER(c, consumed_comp));
    s->reader = conform_pipeline(c, &desc);
    s->vertices = conform_buffer(c, storage | WEFT_BUFFER_USAGE_VERTEX,
                                 12 * sizeof(struct conform_vertex), NULL);
    s->indices = conform_buffer(c, storage | WEFT_BUFFER_USAGE_INDEX, 12 * sizeof(uint32_t), NULL);
    s->arguments = conform_buffer(c, storage | WEFT_BUFFER_USAGE_INDIRECT,
                                  sizeof(weft_draw_indexed_indirect_args), NULL);
    s->target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    s->view = conform_view(c, s->target);
    make_tables(c, s);
}

static void record(weft_command_buffer *cmd, const struct scene *s, uint32_t round)
{
    conform_texture_state(cmd, s->image,
                          round ? WEFT_TEXTURE_STATE_RESTING : WEFT_TEXTURE_STATE_UNDEFINED,
                          WEFT_TEXTURE_STATE_STORAGE);
    weft_compute_encoder *compute = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(compute, s->writer);
    weft_compute_set_arguments(compute, 0, s->written, NULL, 0);
    weft_compute_set_root(compute, 0, &round, sizeof round);
    weft_compute_dispatch(compute, 1, 1, 1);
    weft_compute_end(compute);
    conform_texture_state(cmd, s->image, WEFT_TEXTURE_STATE_STORAGE, WEFT_TEXTURE_STATE_RESTING);
    conform_barrier(cmd);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd,
        &(weft_render_pass_desc){
            .colors[0] = {.view = s->view, .load = round == 0 ? WEFT_LOAD_CLEAR : WEFT_LOAD_LOAD}});
    weft_render_set_pipeline(enc, s->reader);
    weft_render_set_arguments(enc, 0, s->read, NULL, 0);
    weft_render_set_vertex_buffer(enc, 0, s->vertices, 0);
    weft_render_set_index_buffer(enc, s->indices, 0, WEFT_INDEX_UINT32);
    weft_render_draw_indexed_indirect(
        enc, &(weft_indirect_draws){.buffer = s->arguments, .max_count = 1});
    weft_render_end(enc);
    conform_barrier(cmd);
}

/// The grid's first row is the lowest one: y is up.
static struct conform_texel numbered(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t round = (SIZE - 1 - y) * SIZE + x;
    const double v = (round + 1) / 255.0;
    (void)user;
    (void)z;
    return round < ROUNDS ? (struct conform_texel){{v, v, v, 1}} : (struct conform_texel){{0}};
}

/// All rounds in one command buffer.
void case_consumers_at_once(struct conform *c)
{
    struct scene s;
    make(c, &s);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < ROUNDS; i++)
        record(cmd, &s, i);
    conform_submit(c, cmd);
    conform_expect_texels(c, s.target, NULL, numbered, NULL, 1e-6);
}

/// Each round is a submission of its own, and nobody waits for any but the last.
void case_consumers_submitted(struct conform *c)
{
    struct scene s;
    uint64_t serial = 0;
    make(c, &s);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        weft_command_buffer *cmd = conform_begin(c);
        record(cmd, &s, i);
        CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
        weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                          &(weft_submit){.commands = &cmd, .command_count = 1}, &serial);
        conform_check(c);
    }
    weft_serial_wait(conform_device(c), serial, UINT64_MAX);
    conform_expect_texels(c, s.target, NULL, numbered, NULL, 1e-6);
}
