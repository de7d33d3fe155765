// Atomics whose results depend on the order of workgroups and fragments: sums of floats are the
// same for any number of threads, and so is what atomics return, for a host that asks for it.
#include "support/fixture.h"

#include "order_places.comp.spv.h"
#include "order_sums.comp.spv.h"
#include "order_sums.frag.spv.h"
#include "plain.frag.spv.h"
#include "plain.vert.spv.h"

enum { GROUPS = 400, PLACES = GROUPS * 64, SIDE = 300, WORDS = 2 + PLACES };

/// A device with a buffer that shaders add to.
struct order {
    struct fixture f;
    weft_buffer buffer;
    weft_argument_table table;
};

static struct order open_order(uint32_t threads, bool serial)
{
    const weft_software_options software = {.threads = threads, .serial_atomics = serial};
    struct order o = {.f = fixture_open_desc(&(weft_device_desc){
                          .backends = 1u << WEFT_BACKEND_SOFTWARE, .software = &software})};
    static const uint32_t zeros[WORDS];
    const weft_buffer_desc desc = {.size = sizeof zeros,
                                   .data = zeros,
                                   .usage = WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_COPY_SRC};
    EXPECT_EQ(weft_buffer_create(o.f.dev, &desc, &o.buffer), WEFT_OK);
    return o;
}

static void fill_table(struct order *o, weft_argument_layout layout)
{
    const weft_argument_write write = {.buffer = o->buffer};
    const weft_argument_table_desc desc = {.layout = layout, .writes = &write, .write_count = 1};
    EXPECT_EQ(weft_argument_table_create(o->f.dev, &desc, &o->table), WEFT_OK);
}

/// Runs, and reads the results.
static void run(struct order *o, weft_command_buffer *cmd, uint32_t *out)
{
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    EXPECT_EQ(weft_queue_submit(o->f.dev, WEFT_QUEUE_GRAPHICS, &submit, NULL), WEFT_OK);
    EXPECT_EQ(weft_device_wait_idle(o->f.dev), WEFT_OK);
    EXPECT_EQ(weft_buffer_read(o->f.dev, o->buffer, 0, out, WORDS * sizeof *out), WEFT_OK);
    EXPECT_EQ(fixture_count(&o->f), 0);
}

static void close_order(struct order *o)
{
    weft_argument_table_destroy(o->f.dev, o->table);
    weft_buffer_destroy(o->f.dev, o->buffer);
    fixture_close(&o->f);
}

static weft_shader shader(struct order *o, const void *code, size_t size)
{
    weft_shader out;
    const weft_shader_desc desc = {.code = code, .size = size};
    EXPECT_EQ(weft_shader_create(o->f.dev, &desc, &out), WEFT_OK);
    return out;
}

static void dispatch(struct order *o, const void *code, size_t size, uint32_t groups, uint32_t *out)
{
    const weft_shader compute = shader(o, code, size);
    const weft_compute_pipeline_desc desc = {.compute = {.shader = compute}};
    weft_compute_pipeline pipeline;
    EXPECT_EQ(weft_compute_pipeline_create(o->f.dev, &desc, &pipeline), WEFT_OK);
    fill_table(o, weft_compute_pipeline_layout(o->f.dev, pipeline, 0));
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(o->f.dev, NULL, &cmd), WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, o->table, NULL, 0);
    weft_compute_dispatch(enc, groups, 1, 1);
    weft_compute_end(enc);
    run(o, cmd, out);
    weft_compute_pipeline_destroy(o->f.dev, pipeline);
    weft_shader_destroy(o->f.dev, compute);
    close_order(o);
}

TEST(whole_order, sums_of_floats_are_equal_for_any_number_of_threads)
{
    static uint32_t one[WORDS], other[WORDS];
    const uint32_t threads[] = {1, 2, 7, 16};
    for (int i = 0; i < 4; i++) {
        struct order o = open_order(threads[i], false);
        dispatch(&o, order_sums_comp, sizeof order_sums_comp, GROUPS * 10, i ? other : one);
        EXPECT(one[0] != 0);
        if (i)
            EXPECT_EQ(other[0], one[0]);
    }
}

TEST(whole_order, serial_atomics_return_what_was_there_in_order)
{
    static uint32_t got[WORDS];
    const uint32_t threads[] = {1, 2, 7, 16};
    for (int i = 0; i < 4; i++) {
        struct order o = open_order(threads[i], true);
        dispatch(&o, order_places_comp, sizeof order_places_comp, GROUPS, got);
        EXPECT_EQ(got[1], PLACES);
        for (uint32_t k = 0; k < PLACES; k++)
            EXPECT_EQ(got[2 + k], k);
    }
}

/// Draws plainly and adding in turn, the second time over a part of the target.
static void record(struct order *o, weft_texture_view view, const weft_graphics_pipeline *pipelines,
                   uint32_t *sums)
{
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(o->f.dev, NULL, &cmd), WEFT_OK);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR}});
    for (uint32_t i = 0; i < 4; i++) {
        const weft_rect part = {.width = SIDE, .height = i < 2 ? SIDE : SIDE / 2};
        weft_render_set_pipeline(enc, pipelines[i & 1]);
        if (i & 1)
            weft_render_set_arguments(enc, 0, o->table, NULL, 0);
        weft_render_set_scissor(enc, &part);
        weft_render_draw(enc, 3, 1, 0, 0);
    }
    weft_render_end(enc);
    run(o, cmd, sums);
}

/// The pixels are the sums before they were added to.
static void draw(struct order *o, uint32_t *sums, void *pixels, size_t size)
{
    weft_device *dev = o->f.dev;
    const weft_texture_desc texture_desc = {.format = WEFT_FORMAT_R32_FLOAT,
                                            .width = SIDE,
                                            .height = SIDE,
                                            .usage = WEFT_TEXTURE_USAGE_RENDER |
                                                     WEFT_TEXTURE_USAGE_COPY_SRC};
    weft_texture texture;
    weft_texture_view view;
    EXPECT_EQ(weft_texture_create(dev, &texture_desc, &texture), WEFT_OK);
    EXPECT_EQ(weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = texture}, &view),
              WEFT_OK);
    const weft_shader shaders[3] = {shader(o, plain_vert, sizeof plain_vert),
                                    shader(o, plain_frag, sizeof plain_frag),
                                    shader(o, order_sums_frag, sizeof order_sums_frag)};
    weft_graphics_pipeline pipelines[2];
    for (uint32_t i = 0; i < 2; i++) {
        const weft_graphics_pipeline_desc desc = {.vertex = {.shader = shaders[0]},
                                                  .fragment = {.shader = shaders[1 + i]},
                                                  .colors = {WEFT_FORMAT_R32_FLOAT}};
        EXPECT_EQ(weft_graphics_pipeline_create(dev, &desc, &pipelines[i]), WEFT_OK);
    }
    fill_table(o, weft_graphics_pipeline_layout(dev, pipelines[1], 0));
    record(o, view, pipelines, sums);
    EXPECT_EQ(weft_texture_read(dev, texture, NULL, pixels, size, NULL), WEFT_OK);
    for (uint32_t i = 0; i < 2; i++)
        weft_graphics_pipeline_destroy(dev, pipelines[i]);
    for (uint32_t i = 0; i < 3; i++)
        weft_shader_destroy(dev, shaders[i]);
    weft_texture_view_destroy(dev, view);
    weft_texture_destroy(dev, texture);
    close_order(o);
}

TEST(whole_order, fragments_add_in_the_same_order_for_any_number_of_threads)
{
    static uint32_t one[WORDS], other[WORDS];
    static float pixels[SIDE][SIDE], others[SIDE][SIDE];
    const uint32_t threads[] = {1, 2, 7, 16};
    for (int i = 0; i < 4; i++) {
        struct order o = open_order(threads[i], false);
        draw(&o, i ? other : one, i ? others : pixels, sizeof pixels);
        EXPECT(one[0] != 0);
        EXPECT(pixels[0][0] != pixels[SIDE - 1][SIDE - 1]);
        if (i) {
            EXPECT_EQ(other[0], one[0]);
            EXPECT_MEM(others, pixels, sizeof pixels);
        }
    }
}
