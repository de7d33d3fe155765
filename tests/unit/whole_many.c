// Several threads record, submit, make and destroy at once on one device.
#include "whole.h"

#include "plain.frag.spv.h"
#include "plain.vert.spv.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 5, ROUNDS = 12, SIDE = 24 };

struct shared {
    weft_device *dev;
    struct whole whole;
    struct whole_result wanted;
    weft_graphics_pipeline plain;
    atomic_uint bad;
};

struct worker {
    struct shared *shared;
    uint32_t number;
};

static bool submit(weft_device *dev, weft_command_buffer *cmd, uint64_t *serial)
{
    const weft_submit desc = {.commands = &cmd, .command_count = 1};
    if (weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &desc, serial) == WEFT_OK)
        return true;
    weft_command_discard(cmd);
    return false;
}

/// Draws to a target of its own with the shared pipeline, and reads one pixel.
static bool draw_plain(struct shared *s, weft_command_allocator allocator)
{
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                    .width = SIDE,
                                    .height = SIDE,
                                    .usage =
                                        WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC};
    weft_texture texture;
    weft_texture_view view;
    bool ok = weft_texture_create(s->dev, &desc, &texture) == WEFT_OK;
    ok &= weft_texture_view_create(s->dev, &(weft_texture_view_desc){.texture = texture}, &view) ==
          WEFT_OK;
    weft_command_buffer *cmd;
    if (weft_command_begin(s->dev, &(weft_command_desc){.allocator = allocator}, &cmd) != WEFT_OK)
        return false;
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR}});
    weft_render_set_pipeline(enc, s->plain);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    ok &= weft_command_end(cmd) == WEFT_OK && submit(s->dev, cmd, NULL);
    uint8_t pixel[4] = {0};
    const weft_texture_region one = {.x = 11, .y = 12, .width = 1, .height = 1, .depth = 1};
    ok &= weft_texture_read(s->dev, texture, &one, pixel, sizeof pixel, NULL) == WEFT_OK;
    ok &= pixel[0] == 255 && pixel[1] == 128 && pixel[2] == 64;
    weft_texture_view_destroy(s->dev, view);
    weft_texture_destroy(s->dev, texture);
    return ok;
}

/// Makes a pipeline of shaders of its own, in the background, and drops it.
static bool make_pipeline(struct shared *s)
{
    weft_shader vertex, fragment;
    const weft_shader_desc vertex_desc = {.code = plain_vert, .size = sizeof plain_vert};
    const weft_shader_desc fragment_desc = {.code = plain_frag, .size = sizeof plain_frag};
    bool ok = weft_shader_create(s->dev, &vertex_desc, &vertex) == WEFT_OK;
    ok &= weft_shader_create(s->dev, &fragment_desc, &fragment) == WEFT_OK;
    const weft_graphics_pipeline_desc desc = {.vertex = {.shader = vertex},
                                              .fragment = {.shader = fragment},
                                              .colors = {WEFT_FORMAT_RGBA16_FLOAT},
                                              .flags = WEFT_PIPELINE_BACKGROUND};
    weft_graphics_pipeline pipeline;
    ok &= weft_graphics_pipeline_create(s->dev, &desc, &pipeline) == WEFT_OK;
    ok &= weft_graphics_pipeline_ready(s->dev, pipeline) >= WEFT_OK;
    weft_shader_destroy(s->dev, vertex);
    weft_graphics_pipeline_destroy(s->dev, pipeline);
    weft_shader_destroy(s->dev, fragment);
    return ok;
}

/// Writes the shared tables with what they hold, uploads, and signals a timeline.
static bool write_things(struct shared *s, uint32_t round)
{
    const weft_argument_write write = {.buffer = s->whole.scene};
    bool ok = weft_argument_table_write(s->dev, s->whole.globals, &write, 1) == WEFT_OK;
    weft_buffer buffer;
    const uint32_t data[2] = {round, ~round};
    const weft_buffer_desc desc = {
        .size = 8, .data = data, .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_ADDRESS};
    ok &= weft_buffer_create(s->dev, &desc, &buffer) == WEFT_OK;
    ok &= weft_buffer_address(s->dev, buffer) != 0;
    uint32_t got[2] = {0};
    ok &= weft_buffer_read(s->dev, buffer, 0, got, sizeof got) == WEFT_OK;
    ok &= got[0] == round && got[1] == ~round;
    weft_timeline timeline;
    ok &= weft_timeline_create(s->dev, NULL, &timeline) == WEFT_OK;
    ok &= weft_timeline_signal(s->dev, timeline, 3) == WEFT_OK;
    ok &= weft_timeline_wait(s->dev, timeline, 3, UINT64_MAX) == WEFT_OK;
    weft_timeline_destroy(s->dev, timeline);
    weft_buffer_destroy(s->dev, buffer);
    return ok;
}

/// The shared picture: all render it in turn to the same target, as submissions are in order.
static bool draw_whole(struct shared *s)
{
    weft_command_buffer *cmd = whole_record(&s->whole);
    uint64_t serial;
    return cmd && submit(s->dev, cmd, &serial) &&
           weft_serial_wait(s->dev, serial, UINT64_MAX) == WEFT_OK;
}

static void *work(void *user)
{
    const struct worker *w = user;
    struct shared *s = w->shared;
    weft_command_allocator allocator;
    bool ok = weft_command_allocator_create(s->dev, NULL, &allocator) == WEFT_OK;
    for (uint32_t i = 0; ok && i < ROUNDS; i++) {
        switch ((i + w->number) % 4) {
        case 0:
            ok = draw_whole(s);
            break;
        case 1:
            ok = make_pipeline(s);
            break;
        case 2:
            ok = write_things(s, i);
            break;
        default:
            break;
        }
        ok = ok && draw_plain(s, allocator);
        (void)weft_device_poll(s->dev);
        if (ok && i % 4 == 3)
            ok = weft_command_allocator_reset(s->dev, allocator) == WEFT_OK;
    }
    weft_command_allocator_destroy(s->dev, allocator);
    if (!ok)
        atomic_fetch_add(&s->bad, 1);
    return NULL;
}

static void make_plain(struct fixture *f, struct shared *s)
{
    weft_shader vertex, fragment;
    const weft_shader_desc vertex_desc = {.code = plain_vert, .size = sizeof plain_vert};
    const weft_shader_desc fragment_desc = {.code = plain_frag, .size = sizeof plain_frag};
    EXPECT_EQ(weft_shader_create(f->dev, &vertex_desc, &vertex), WEFT_OK);
    EXPECT_EQ(weft_shader_create(f->dev, &fragment_desc, &fragment), WEFT_OK);
    const weft_graphics_pipeline_desc desc = {.vertex = {.shader = vertex},
                                              .fragment = {.shader = fragment},
                                              .colors = {WEFT_FORMAT_RGBA8_UNORM}};
    EXPECT_EQ(weft_graphics_pipeline_create(f->dev, &desc, &s->plain), WEFT_OK);
    weft_shader_destroy(f->dev, vertex);
    weft_shader_destroy(f->dev, fragment);
}

TEST(whole_many, threads_record_submit_make_and_destroy_at_once)
{
    const weft_software_options software = {.threads = 3};
    struct fixture f = fixture_open_desc(&(weft_device_desc){
        .backends = 1u << WEFT_BACKEND_SOFTWARE,
        .validation = WEFT_VALIDATION_FULL,
        .software = &software,
    });
    static struct shared s;
    s = (struct shared){.dev = f.dev};
    EXPECT(whole_create(&s.whole, f.dev));
    EXPECT(whole_render(&s.whole, &s.wanted));
    make_plain(&f, &s);
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){&s, i};
        EXPECT_EQ(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        EXPECT_EQ(pthread_join(threads[i], NULL), 0);
    if (atomic_load(&s.bad) != 0 || fixture_count(&f) != 0)
        test_fail(__FILE__, __LINE__, "%u threads failed: %s", atomic_load(&s.bad), f.log->message);
    static struct whole_result got;
    EXPECT(whole_render(&s.whole, &got));
    EXPECT_MEM(&got, &s.wanted, sizeof got);
    weft_graphics_pipeline_destroy(f.dev, s.plain);
    whole_destroy(&s.whole);
    fixture_close(&f);
}
