// A shader that does not end is stopped and named; the process goes on with another device.
#include "support/fixture.h"

#include "endless.comp.spv.h"
#include "endless.frag.spv.h"
#include "endless.vert.spv.h"
#include "plain.frag.spv.h"
#include "plain.vert.spv.h"

static struct fixture open_device(uint32_t threads)
{
    const weft_software_options software = {.threads = threads, .shader_budget = 2000};
    return fixture_open_desc(
        &(weft_device_desc){.backends = 1u << WEFT_BACKEND_SOFTWARE, .software = &software});
}

static weft_shader shader(struct fixture *f, const void *code, size_t size)
{
    weft_shader out;
    const weft_shader_desc desc = {.code = code, .size = size};
    EXPECT_EQ(weft_shader_create(f->dev, &desc, &out), WEFT_OK);
    return out;
}

/// Submits and expects that the device is lost to a shader of the pipeline with that label.
static void expect_stopped(struct fixture *f, weft_command_buffer *cmd, const char *label)
{
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    uint64_t serial;
    EXPECT_EQ(weft_queue_submit(f->dev, WEFT_QUEUE_GRAPHICS, &submit, &serial), WEFT_OK);
    EXPECT_EQ(weft_serial_wait(f->dev, serial, UINT64_MAX), WEFT_ERROR_LOST);
    EXPECT_EQ(weft_device_startup(f->dev).state, WEFT_DEVICE_LOST);
    EXPECT(fixture_count(f) >= 1);
    EXPECT(strstr(f->log->message, label) != NULL);
    EXPECT(strstr(f->log->message, "stopped") != NULL);
    weft_buffer none = {1, 1};
    EXPECT_EQ(weft_buffer_create(f->dev, &(weft_buffer_desc){.size = 4}, &none), WEFT_ERROR_LOST);
    EXPECT(weft_buffer_is_none(none));
}

TEST(whole_endless, a_dispatch_is_stopped)
{
    struct fixture f = open_device(2);
    const weft_shader code = shader(&f, endless_comp, sizeof endless_comp);
    const weft_compute_pipeline_desc desc = {.compute = {.shader = code}, .label = "for ever"};
    weft_compute_pipeline pipeline;
    EXPECT_EQ(weft_compute_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    const weft_buffer_desc storage = {.size = 4, .usage = WEFT_BUFFER_USAGE_STORAGE};
    weft_buffer buffer;
    EXPECT_EQ(weft_buffer_create(f.dev, &storage, &buffer), WEFT_OK);
    const weft_argument_write write = {.buffer = buffer};
    const weft_argument_table_desc table_desc = {
        .layout = weft_compute_pipeline_layout(f.dev, pipeline, 0),
        .writes = &write,
        .write_count = 1};
    weft_argument_table table;
    EXPECT_EQ(weft_argument_table_create(f.dev, &table_desc, &table), WEFT_OK);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, NULL, &cmd), WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, 100, 100, 100); // the first is enough
    weft_compute_end(enc);
    expect_stopped(&f, cmd, "for ever");
    weft_argument_table_destroy(f.dev, table);
    weft_buffer_destroy(f.dev, buffer);
    weft_compute_pipeline_destroy(f.dev, pipeline);
    weft_shader_destroy(f.dev, code);
    fixture_close(&f);
}

/// Draws one triangle over a target.
static void draw(struct fixture *f, weft_shader vertex, weft_shader fragment, bool ends)
{
    const weft_texture_desc texture_desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                            .width = 300,
                                            .height = 300,
                                            .usage = WEFT_TEXTURE_USAGE_RENDER};
    weft_texture texture;
    weft_texture_view view;
    EXPECT_EQ(weft_texture_create(f->dev, &texture_desc, &texture), WEFT_OK);
    EXPECT_EQ(
        weft_texture_view_create(f->dev, &(weft_texture_view_desc){.texture = texture}, &view),
        WEFT_OK);
    const weft_graphics_pipeline_desc desc = {.vertex = {.shader = vertex},
                                              .fragment = {.shader = fragment},
                                              .colors = {WEFT_FORMAT_RGBA8_UNORM},
                                              .label = "without end"};
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f->dev, &desc, &pipeline), WEFT_OK);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f->dev, NULL, &cmd), WEFT_OK);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR}});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    if (ends) {
        EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
        const weft_submit submit = {.commands = &cmd, .command_count = 1};
        EXPECT_EQ(weft_queue_submit(f->dev, WEFT_QUEUE_GRAPHICS, &submit, NULL), WEFT_OK);
        EXPECT_EQ(weft_device_wait_idle(f->dev), WEFT_OK);
    } else {
        expect_stopped(f, cmd, "without end");
    }
    weft_graphics_pipeline_destroy(f->dev, pipeline);
    weft_texture_view_destroy(f->dev, view);
    weft_texture_destroy(f->dev, texture);
}

#define SHADER(f, name) shader(f, name, sizeof(name))

TEST(whole_endless, a_fragment_shader_is_stopped_and_another_device_draws)
{
    struct fixture f = open_device(3);
    weft_shader vertex = SHADER(&f, plain_vert), fragment = SHADER(&f, endless_frag);
    draw(&f, vertex, fragment, false);
    struct fixture next = open_device(3);
    weft_shader next_vertex = SHADER(&next, plain_vert), next_fragment = SHADER(&next, plain_frag);
    draw(&next, next_vertex, next_fragment, true);
    EXPECT_EQ(fixture_count(&next), 0);
    weft_shader_destroy(next.dev, next_vertex);
    weft_shader_destroy(next.dev, next_fragment);
    fixture_close(&next);
    weft_shader_destroy(f.dev, vertex);
    weft_shader_destroy(f.dev, fragment);
    fixture_close(&f);
}

TEST(whole_endless, a_vertex_shader_is_stopped)
{
    struct fixture f = open_device(2);
    weft_shader vertex = SHADER(&f, endless_vert), fragment = SHADER(&f, plain_frag);
    draw(&f, vertex, fragment, false);
    weft_shader_destroy(f.dev, vertex);
    weft_shader_destroy(f.dev, fragment);
    fixture_close(&f);
}
