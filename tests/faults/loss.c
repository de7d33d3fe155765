// A lost device, whatever it was at: every call says so and why, nothing hangs, everything can be
// let go of.
#include "support/objects.h"

#include <weft/interop/native.h>

#include "endless.comp.spv.h"

#include "faults.h"

#define LIVE(type, KIND) HANDLE(type, w->live.of[WEFT_OBJECT_##KIND])

struct world {
    struct fixture f;
    weft_device *dev;
    struct objects live;
    char bytes[64];
};

static void listen(void *user, const weft_diagnostic *diagnostic)
{
    (void)user, (void)diagnostic;
}

// ---- every call ---------------------------------------------------------------------------------

#define LOST(function, result, ...)                                                                \
    static weft_result call_##function(struct world *w)                                            \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#include "lost.def"
#undef LOST

static const struct call {
    const char *name;
    weft_result (*make)(struct world *w);
    weft_result wanted;
} calls[] = {
#define LOST(function, result, ...) {#function, call_##function, result},
#include "lost.def"
#undef LOST
};

static void expect_call(struct world *w, const struct call *call, const char *why)
{
    fixture_clear(&w->f);
    const weft_result result = call->make(w);
    const bool fails = call->wanted == WEFT_ERROR_LOST;
    if (result != call->wanted)
        test_fail(__FILE__, __LINE__, "%s: %s", call->name, weft_result_name(result));
    if (fixture_count(&w->f) != fails ||
        (fails &&
         (fixture_last_rule(&w->f) != WEFT_RULE_DEVICE_LOST || !strstr(w->f.log->message, why))))
        test_fail(__FILE__, __LINE__, "%s: %u diagnostics, the last: %s", call->name,
                  fixture_count(&w->f), w->f.log->message);
}

/// Calls that return something else.
static void expect_values(struct world *w)
{
    const weft_buffer buffer = LIVE(buffer, BUFFER);
    EXPECT_EQ(weft_device_startup(w->dev).state, WEFT_DEVICE_LOST);
    EXPECT(weft_device_capabilities(w->dev) == NULL);
    EXPECT_EQ(weft_timeline_value(w->dev, LIVE(timeline, TIMELINE)), UINT64_MAX);
    EXPECT(weft_transient_alloc(w->dev, 64, 0).cpu == NULL);
    EXPECT(weft_buffer_map(w->dev, buffer, 0, 4) != NULL); // until the buffer is destroyed
    weft_buffer_desc desc;
    EXPECT(weft_buffer_get_desc(w->dev, buffer, &desc));
    (void)weft_device_poll(w->dev);
}

static void fail_every_call(weft_backend backend)
{
    struct world w = {.f = fixture_open(backend)};
    w.dev = w.f.dev;
    w.live = objects_make(&w.f);
    wf_core_lose(w.dev, "the test pulled the plug");
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        expect_call(&w, &calls[i], "pulled the plug");
    expect_values(&w);
    fixture_clear(&w.f);
    objects_destroy(w.dev, &w.live);
    EXPECT_EQ(fixture_count(&w.f), 0);
    fixture_close(&w.f);
}

TEST(loss, every_call_says_so)
{
    fail_every_call(WEFT_BACKEND_NOOP);
    fail_every_call(WEFT_BACKEND_SOFTWARE);
}

// ---- a real loss, by a shader without an end ---------------------------------------------------

/// A software device with a dispatch that takes it down.
struct doom {
    struct fixture f;
    weft_shader shader;
    weft_compute_pipeline pipeline;
    weft_buffer buffer;
    weft_argument_table table;
    weft_timeline timeline;
};

static struct doom doom_open(uint64_t budget)
{
    const weft_software_options software = {.threads = 2, .shader_budget = budget};
    struct doom d = {.f = fixture_open_desc(&(weft_device_desc){
                         .backends = 1u << WEFT_BACKEND_SOFTWARE, .software = &software})};
    d.shader = RECORD_SHADER(&d.f, endless_comp);
    d.buffer = record_buffer(&d.f, 64, WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_COPY_SRC);
    const weft_compute_pipeline_desc desc = {.compute = {.shader = d.shader}, .label = "for ever"};
    EXPECT_EQ(weft_compute_pipeline_create(d.f.dev, &desc, &d.pipeline), WEFT_OK);
    const weft_argument_write write = {.buffer = d.buffer};
    d.table = record_table(&d.f, weft_compute_pipeline_layout(d.f.dev, d.pipeline, 0), &write, 1);
    EXPECT_EQ(weft_timeline_create(d.f.dev, NULL, &d.timeline), WEFT_OK);
    return d;
}

/// Submits what takes the device down; the timeline is promised 1.
static uint64_t doom_submit(struct doom *d)
{
    weft_command_buffer *cmd = record_begin(&d->f);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, d->pipeline);
    weft_compute_set_arguments(enc, 0, d->table, NULL, 0);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    const weft_timeline_point signal = {.timeline = d->timeline, .value = 1};
    const weft_submit work = {
        .commands = &cmd, .command_count = 1, .signals = &signal, .signal_count = 1};
    uint64_t serial;
    EXPECT_EQ(weft_queue_submit(d->f.dev, WEFT_QUEUE_GRAPHICS, &work, &serial), WEFT_OK);
    return serial;
}

/// And waits until it is down.
static void doom_strike(struct doom *d)
{
    EXPECT_EQ(weft_serial_wait(d->f.dev, doom_submit(d), UINT64_MAX), WEFT_ERROR_LOST);
    EXPECT(strstr(d->f.log->message, "for ever") != NULL);
}

static void doom_close(struct doom *d)
{
    fixture_clear(&d->f);
    weft_timeline_destroy(d->f.dev, d->timeline);
    weft_argument_table_destroy(d->f.dev, d->table);
    weft_buffer_destroy(d->f.dev, d->buffer);
    weft_compute_pipeline_destroy(d->f.dev, d->pipeline);
    weft_shader_destroy(d->f.dev, d->shader);
    EXPECT_EQ(fixture_count(&d->f), 0);
    fixture_close(&d->f);
}

/// The newest diagnostic tells the loss and its cause.
static void expect_told(struct doom *d)
{
    EXPECT_EQ(fixture_last_rule(&d->f), WEFT_RULE_DEVICE_LOST);
    EXPECT(strstr(d->f.log->message, "for ever") != NULL);
    fixture_clear(&d->f);
}

TEST(loss, in_the_middle_of_recording)
{
    struct doom d = doom_open(2000);
    struct record_plain plain = record_plain_create(&d.f);
    weft_command_buffer *done = record_begin(&d.f);
    EXPECT_EQ(weft_command_end(done), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&d.f);
    weft_render_encoder *enc = record_pass(cmd, plain.view);
    weft_render_set_pipeline(enc, plain.pipeline);
    doom_strike(&d);
    fixture_clear(&d.f);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_LOST);
    expect_told(&d);
    const weft_submit work = {.commands = &done, .command_count = 1};
    EXPECT_EQ(weft_queue_submit(d.f.dev, WEFT_QUEUE_GRAPHICS, &work, NULL), WEFT_ERROR_LOST);
    expect_told(&d);
    weft_command_discard(done);
    record_plain_destroy(&d.f, &plain);
    doom_close(&d);
}

TEST(loss, with_an_image_acquired)
{
    struct doom d = doom_open(2000);
    weft_device *dev = d.f.dev;
    weft_surface surface;
    weft_surface_image image;
    const weft_surface_config config = {.width = 4, .height = 4};
    EXPECT_EQ(weft_surface_create(dev, &(weft_surface_desc){0}, &surface), WEFT_OK);
    EXPECT_EQ(weft_surface_configure(dev, surface, &config), WEFT_OK);
    EXPECT_EQ(weft_surface_acquire(dev, surface, &image), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&d.f);
    weft_render_end(record_pass(cmd, image.view));
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    doom_strike(&d);
    fixture_clear(&d.f);
    const weft_submit work = {
        .commands = &cmd, .command_count = 1, .surfaces = &surface, .surface_count = 1};
    EXPECT_EQ(weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &work, NULL), WEFT_ERROR_LOST);
    expect_told(&d);
    weft_command_discard(cmd);
    EXPECT_EQ(weft_surface_present(dev, surface, NULL, 0), WEFT_ERROR_LOST);
    expect_told(&d);
    EXPECT_EQ(weft_surface_acquire(dev, surface, &image), WEFT_ERROR_LOST);
    expect_told(&d);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_LOST);
    weft_surface_destroy(dev, surface);
    doom_close(&d);
}

TEST(loss, with_a_frame_open)
{
    struct doom d = doom_open(2000);
    weft_device *dev = d.f.dev;
    weft_surface surface;
    const weft_surface_config config = {.width = 4, .height = 4, .format = WEFT_FORMAT_RGBA8_UNORM};
    EXPECT_EQ(weft_surface_create(dev, &(weft_surface_desc){0}, &surface), WEFT_OK);
    EXPECT_EQ(weft_surface_configure(dev, surface, &config), WEFT_OK);
    weft_frame *frame;
    const weft_frame_desc desc = {.surface = surface, .label = "the last"};
    EXPECT_EQ(weft_frame_begin(dev, &desc, &frame), WEFT_OK);
    const weft_target pass = weft_frame_target_begin(frame, weft_frame_present_target(frame),
                                                     &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    doom_strike(&d);
    const weft_quad quad = {.width = 4, .height = 4, .color = {1, 1, 1, 1}};
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1});
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_LOST);
    expect_told(&d);
    EXPECT(report && !report->presented);
    EXPECT_EQ(weft_frame_begin(dev, &desc, &frame), WEFT_ERROR_LOST);
    EXPECT(frame == NULL);
    expect_told(&d);
    weft_surface_destroy(dev, surface);
    doom_close(&d);
}

TEST(loss, with_work_in_flight)
{
    struct doom d = doom_open(1 << 20);
    weft_device *dev = d.f.dev;
    char bytes[64] = {0};
    const uint64_t first = doom_submit(&d);
    weft_read read;
    const weft_result begun = weft_read_begin_buffer(dev, d.buffer, 0, 64, &read);
    weft_buffer used =
        record_buffer(&d.f, 64, WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST);
    (void)weft_buffer_write(dev, used, 0, bytes, 64); // all of this may come before or after
    (void)weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &(weft_submit){0}, NULL);
    weft_buffer_destroy(dev, used);
    EXPECT_EQ(weft_serial_wait(dev, first, UINT64_MAX), WEFT_ERROR_LOST);
    EXPECT_EQ(weft_device_wait_idle(dev), WEFT_ERROR_LOST);
    if (begun == WEFT_OK) {
        EXPECT_EQ(weft_read_poll(dev, read), WEFT_ERROR_LOST);
        EXPECT_EQ(weft_read_take(dev, read, bytes, 64), WEFT_ERROR_LOST);
    }
    EXPECT_EQ(weft_buffer_read(dev, d.buffer, 0, bytes, 64), WEFT_ERROR_LOST);
    expect_told(&d);
    doom_close(&d);
}

// ---- waiting threads ----------------------------------------------------------------------------

struct waiter {
    struct doom *doom;
    uint64_t serial;
    weft_result (*wait)(const struct waiter *w);
    weft_result result;
};

static weft_result wait_serial(const struct waiter *w)
{
    return weft_serial_wait(w->doom->f.dev, w->serial, UINT64_MAX);
}

static weft_result wait_timeline(const struct waiter *w)
{
    return weft_timeline_wait(w->doom->f.dev, w->doom->timeline, 1, UINT64_MAX);
}

static weft_result wait_idle(const struct waiter *w)
{
    return weft_device_wait_idle(w->doom->f.dev);
}

static weft_result wait_read(const struct waiter *w)
{
    char bytes[64];
    return weft_buffer_read(w->doom->f.dev, w->doom->buffer, 0, bytes, 64);
}

static void *run_waiter(void *user)
{
    struct waiter *w = user;
    w->result = w->wait(w);
    return NULL;
}

TEST(loss, wakes_who_waits)
{
    struct doom d = doom_open(1 << 20);
    const uint64_t serial = doom_submit(&d);
    struct waiter waiters[] = {{&d, serial, wait_serial, 0},
                               {&d, serial, wait_timeline, 0},
                               {&d, serial, wait_idle, 0},
                               {&d, serial, wait_read, 0}};
    pthread_t threads[sizeof waiters / sizeof waiters[0]];
    for (size_t i = 0; i < sizeof waiters / sizeof waiters[0]; i++)
        EXPECT_EQ(pthread_create(&threads[i], NULL, run_waiter, &waiters[i]), 0);
    for (size_t i = 0; i < sizeof waiters / sizeof waiters[0]; i++)
        EXPECT_EQ(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < sizeof waiters / sizeof waiters[0]; i++)
        EXPECT_EQ(waiters[i].result, WEFT_ERROR_LOST);
    expect_told(&d);
    doom_close(&d);
}
