// What recording and submitting come to on the noop device, where nothing is broken.
#include "support/fixture.h"

#include "core/core.h"

static weft_texture target(struct fixture *f, weft_texture_view *view)
{
    weft_texture texture;
    const weft_texture_desc desc = {
        .format = WEFT_FORMAT_RGBA8_UNORM,
        .width = 64,
        .height = 32,
        .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC,
        .label = "target",
    };
    EXPECT_EQ(weft_texture_create(f->dev, &desc, &texture), WEFT_OK);
    EXPECT_EQ(weft_texture_view_create(f->dev, &(weft_texture_view_desc){.texture = texture}, view),
              WEFT_OK);
    return texture;
}

static weft_command_buffer *clear(struct fixture *f, weft_texture_view view)
{
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f->dev, NULL, &cmd), WEFT_OK);
    weft_render_encoder *enc =
        weft_command_begin_render(cmd, &(weft_render_pass_desc){
                                           .colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR},
                                           .label = "clear",
                                       });
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    return cmd;
}

static uint64_t submit(struct fixture *f, weft_command_buffer *cmd, const weft_surface *surface)
{
    uint64_t serial = 0;
    const weft_submit desc = {
        .commands = &cmd,
        .command_count = 1,
        .surfaces = surface,
        .surface_count = surface ? 1 : 0,
    };
    EXPECT_EQ(weft_queue_submit(f->dev, WEFT_QUEUE_GRAPHICS, &desc, &serial), WEFT_OK);
    return serial;
}

TEST(core_record, a_pass_is_recorded_and_submitted)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture_view view;
    weft_texture texture = target(&f, &view);
    const uint64_t serial = submit(&f, clear(&f, view), NULL);
    EXPECT(serial > 0);
    EXPECT_EQ(weft_serial_wait(f.dev, serial, UINT64_MAX), WEFT_OK);
    const weft_device_counters counters = weft_device_get_counters(f.dev);
    EXPECT_EQ(counters.command_buffers, 1);
    EXPECT_EQ(counters.render_passes, 1);
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, texture);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_record, recording_again_allocates_nothing)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture_view view;
    weft_texture texture = target(&f, &view);
    for (int i = 0; i < 4; ++i)
        submit(&f, clear(&f, view), NULL);
    const uint64_t before = weft_device_get_counters(f.dev).allocations;
    for (int i = 0; i < 100; ++i)
        submit(&f, clear(&f, view), NULL);
    EXPECT_EQ(weft_device_get_counters(f.dev).allocations, before);
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, texture);
    fixture_close(&f);
}

TEST(core_record, a_headless_surface_is_presented_again_and_again)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_surface surface;
    EXPECT_EQ(weft_surface_create(f.dev, &(weft_surface_desc){.label = "window"}, &surface),
              WEFT_OK);
    const weft_surface_config config = {.width = 64, .height = 32};
    EXPECT_EQ(weft_surface_configure(f.dev, surface, &config), WEFT_OK);
    uint64_t before = 0;
    for (int i = 0; i < 20; ++i) {
        weft_surface_image image, again;
        EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_OK);
        EXPECT_EQ(image.status, WEFT_ACQUIRE_READY);
        EXPECT_EQ(image.width, 64);
        EXPECT_EQ(weft_surface_acquire(f.dev, surface, &again), WEFT_OK);
        EXPECT_EQ(again.texture.index, image.texture.index);
        submit(&f, clear(&f, image.view), &surface);
        EXPECT_EQ(weft_surface_present(f.dev, surface, NULL, 0), WEFT_OK);
        if (i == 10)
            before = weft_device_get_counters(f.dev).allocations;
    }
    EXPECT_EQ(weft_device_get_counters(f.dev).allocations, before);
    uint8_t pixels[64 * 32 * 4];
    EXPECT_EQ(weft_surface_read(f.dev, surface, pixels, sizeof pixels), WEFT_OK);
    weft_surface_destroy(f.dev, surface);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_record, a_surface_without_size_is_skipped)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_surface surface;
    EXPECT_EQ(weft_surface_create(f.dev, &(weft_surface_desc){0}, &surface), WEFT_OK);
    EXPECT_EQ(weft_surface_configure(f.dev, surface, &(weft_surface_config){.width = 64}), WEFT_OK);
    weft_surface_image image;
    EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_SKIP);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_SKIP);
    EXPECT(weft_texture_is_none(image.texture));
    weft_surface_destroy(f.dev, surface);
    fixture_close(&f);
}

TEST(core_record, what_was_destroyed_waits_for_open_command_buffers)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture_view view;
    weft_texture texture = target(&f, &view);
    weft_command_buffer *cmd = clear(&f, view);
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, texture);
    EXPECT(weft_device_memory_budget(f.dev).retired > 0);
    submit(&f, cmd, NULL);
    weft_device_poll(f.dev);
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 0);
    fixture_close(&f);
}

TEST(core_record, an_open_command_buffer_is_told_of_and_given_back_at_shutdown)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){.label = "forgotten"}, &cmd), WEFT_OK);
    weft_command_begin_compute(cmd, NULL);
    fixture_end(&f);
    EXPECT_EQ(f.log->severity, WEFT_SEVERITY_WARNING);
    EXPECT_EQ(f.log->object.kind, WEFT_OBJECT_COMMAND_BUFFER);
    EXPECT(strstr(f.log->message, "\"forgotten\"") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_OBJECT_LEAKED));
    fixture_free(&f);
}

TEST(core_record, a_timeline_rises_with_submissions)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_timeline line;
    EXPECT_EQ(weft_timeline_create(f.dev, &(weft_timeline_desc){.initial = 3}, &line), WEFT_OK);
    EXPECT_EQ(weft_timeline_value(f.dev, line), 3);
    const weft_timeline_point signal = {.timeline = line, .value = 5};
    const weft_submit desc = {.signals = &signal, .signal_count = 1};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_OK);
    EXPECT_EQ(weft_timeline_wait(f.dev, line, 5, UINT64_MAX), WEFT_OK);
    EXPECT_EQ(weft_timeline_signal(f.dev, line, 9), WEFT_OK);
    EXPECT_EQ(weft_timeline_value(f.dev, line), 9);
    weft_timeline_destroy(f.dev, line);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_record, a_lost_device_fails_every_call_and_lets_go_of_everything)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture_view view;
    weft_texture texture = target(&f, &view);
    weft_timeline line;
    weft_surface surface;
    EXPECT_EQ(weft_timeline_create(f.dev, NULL, &line), WEFT_OK);
    EXPECT_EQ(weft_surface_create(f.dev, &(weft_surface_desc){0}, &surface), WEFT_OK);
    weft_command_buffer *ready = clear(&f, view), *recording, *none;
    EXPECT_EQ(weft_command_begin(f.dev, NULL, &recording), WEFT_OK);
    wf_core_lose(f.dev, "the test pulled the plug");

    EXPECT_EQ(weft_command_begin(f.dev, NULL, &none), WEFT_ERROR_LOST);
    EXPECT(none == NULL);
    EXPECT(strstr(f.log->message, "pulled the plug") != NULL);
    weft_render_end(weft_command_begin_render(NULL, &(weft_render_pass_desc){0}));
    weft_compute_end(weft_command_begin_compute(NULL, NULL));
    EXPECT_EQ(weft_command_end(recording), WEFT_ERROR_LOST);
    const weft_submit desc = {.commands = &ready, .command_count = 1};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_LOST);
    weft_command_discard(ready);
    EXPECT_EQ(weft_timeline_wait(f.dev, line, 1, 0), WEFT_ERROR_LOST);
    EXPECT_EQ(weft_timeline_signal(f.dev, line, 1), WEFT_ERROR_LOST);
    EXPECT_EQ(weft_timeline_value(f.dev, line), UINT64_MAX);
    EXPECT_EQ(weft_serial_wait(f.dev, 0, 0), WEFT_ERROR_LOST);
    weft_surface_image image;
    EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_ERROR_LOST);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_LOST);
    EXPECT_EQ(weft_surface_present(f.dev, surface, NULL, 0), WEFT_ERROR_LOST);
    EXPECT_EQ(weft_shader_create(f.dev, &(weft_shader_desc){0}, &(weft_shader){0}),
              WEFT_ERROR_LOST);
    EXPECT_EQ(weft_argument_table_write(f.dev, (weft_argument_table){0}, NULL, 0), WEFT_ERROR_LOST);
    EXPECT_EQ(weft_query_pool_read(f.dev, (weft_query_pool){0}, 0, 0, NULL, 0), WEFT_ERROR_LOST);

    fixture_clear(&f);
    weft_timeline_destroy(f.dev, line);
    weft_surface_destroy(f.dev, surface);
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, texture);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

// ---- rules that no backend of today can trip: the snapshot of capabilities is bent --------------

TEST(core_record, an_allocator_is_for_one_queue)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    f.dev->caps.compute_queues = 1;
    weft_command_allocator allocator;
    EXPECT_EQ(weft_command_allocator_create(f.dev, NULL, &allocator), WEFT_OK);
    weft_command_buffer *cmd;
    const weft_command_desc desc = {.queue = WEFT_QUEUE_COMPUTE, .allocator = allocator};
    EXPECT_EQ(weft_command_begin(f.dev, &desc, &cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_ALLOCATOR_QUEUE));
    weft_command_allocator_destroy(f.dev, allocator);
    fixture_close(&f);
}

TEST(core_record, colors_are_below_the_limit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    f.dev->caps.limits.max_color_targets = 4;
    weft_texture_view view;
    weft_texture texture = target(&f, &view);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, NULL, &cmd), WEFT_OK);
    weft_render_pass_desc pass = {0};
    pass.colors[4] = (weft_color_attachment){.view = view, .load = WEFT_LOAD_CLEAR};
    weft_render_end(weft_command_begin_render(cmd, &pass));
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_PASS_COLOR_COUNT));
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, texture);
    fixture_close(&f);
}

TEST(core_record, a_call_that_needs_a_missing_feature_is_refused_at_every_level)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
    f.dev->caps.features &= ~(WEFT_FEATURE_INDIRECT_DRAWS | WEFT_FEATURE_COMPUTE |
                              WEFT_FEATURE_SPLIT_BARRIERS | WEFT_FEATURE_TIMESTAMPS_ANYWHERE |
                              WEFT_FEATURE_GENERATE_MIPS | WEFT_FEATURE_GPU_HEAP_WRITES);
    weft_texture_view view;
    weft_texture texture = target(&f, &view);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, NULL, &cmd), WEFT_OK);
    weft_command_signal_after(cmd, WEFT_STAGE_ALL, 0);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_command_write_timestamp(cmd, (weft_query_pool){0}, 0);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR}});
    weft_render_draw_indirect(enc, &(weft_indirect_draws){.max_count = 1});
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_render_end(enc);
    weft_compute_encoder *compute = weft_command_begin_compute(cmd, NULL);
    weft_compute_dispatch(compute, 1, 1, 1);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_compute_generate_mips(compute, texture);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_compute_write_heap(compute, (weft_heap_range){0}, 0, view, (weft_sampler){0});
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_compute_end(compute);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_UNSUPPORTED);
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, texture);
    fixture_close(&f);
}
