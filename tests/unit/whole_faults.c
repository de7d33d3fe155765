// Any allocation of a whole program may fail: it ends in a clean error with a diagnostic, nothing
// crashes, nothing leaks.
#include "whole.h"

#include "support/host_memory.h"

#include <stdio.h>

enum { SIDE = 32 };

struct run {
    struct host_memory memory;
    atomic_uint errors, leaks;
    bool failed; ///< Some call said so.
};

static void *run_alloc(void *user, size_t size, size_t align)
{
    return host_memory_alloc(&((struct run *)user)->memory, size, align);
}

static void run_free(void *user, void *ptr, size_t size)
{
    host_memory_free(&((struct run *)user)->memory, ptr, size);
}

static void run_diagnostic(void *user, const weft_diagnostic *diagnostic)
{
    struct run *run = user;
    if (diagnostic->severity == WEFT_SEVERITY_ERROR && diagnostic->message[0] != '\0')
        atomic_fetch_add(&run->errors, 1);
    if (diagnostic->severity == WEFT_SEVERITY_WARNING)
        atomic_fetch_add(&run->leaks, 1);
}

static void run_log(void *user, weft_severity severity, const char *message)
{
    (void)user, (void)severity, (void)message;
}

// ---- the program -------------------------------------------------------------------------------

static weft_frame_desc surface_frame(weft_surface surface)
{
    return (weft_frame_desc){.surface = surface, .label = "frame"};
}

/// A frame of a mesh and quads over an offscreen picture.
static bool draw_frame(const struct whole *w, weft_surface surface, weft_material material)
{
    const weft_frame_desc desc = surface_frame(surface);
    weft_frame *frame;
    if (weft_frame_begin(w->dev, &desc, &frame) != WEFT_OK)
        return false;
    const weft_target offscreen = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .depth_format = WEFT_FORMAT_D32_FLOAT,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .samples = 4});
    const weft_target first = weft_frame_target_begin(
        frame, offscreen,
        &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .globals = w->globals, .label = "mesh"});
    const weft_stream_view stream = {.buffer = w->vertices};
    weft_frame_draw_mesh(
        frame,
        &(weft_draw_packet){.material = material,
                            .geometry = {.streams = &stream, .stream_count = 1, .count = 30}});
    weft_frame_target_end(frame, first);
    const weft_target pass =
        weft_frame_target_begin(frame, weft_frame_present_target(frame),
                                &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .label = "show"});
    (void)weft_frame_layer_push(frame, &(weft_layer_desc){.name = "ui"});
    (void)weft_frame_clip_push(frame, &(weft_rect){0, 0, SIDE / 2, SIDE});
    const weft_quad quad = {.width = SIDE, .height = SIDE, .u1 = 1, .v1 = 1, .color = {1, 1, 1, 1}};
    weft_frame_draw_quads(
        frame, &(weft_quads_packet){.quads = &quad,
                                    .quad_count = 1,
                                    .view = weft_frame_target_view(frame, offscreen, 0)});
    weft_frame_clip_pop(frame);
    weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    return weft_frame_submit(frame, &report) == WEFT_OK;
}

static bool use_frames(const struct whole *w)
{
    weft_surface surface;
    bool ok =
        weft_surface_create(w->dev, &(weft_surface_desc){.label = "window"}, &surface) == WEFT_OK;
    const weft_surface_config config = {
        .width = SIDE, .height = SIDE, .format = WEFT_FORMAT_RGBA8_UNORM};
    ok = ok && weft_surface_configure(w->dev, surface, &config) == WEFT_OK;
    weft_material material = {0};
    const weft_material_desc desc = {.pipeline = w->pipeline,
                                     .arguments = w->material,
                                     .transform_offset = WEFT_NO_TRANSFORM,
                                     .label = "material"};
    ok = ok && weft_material_create(w->dev, &desc, &material) == WEFT_OK;
    for (int i = 0; ok && i < 2; i++)
        ok = draw_frame(w, surface, material);
    uint8_t pixels[SIDE][SIDE][4];
    ok = ok && weft_surface_read(w->dev, surface, pixels, sizeof pixels) == WEFT_OK;
    weft_material_destroy(w->dev, material);
    weft_surface_destroy(w->dev, surface);
    return ok;
}

static void use_device(struct run *run, weft_device *dev, struct whole_result *out)
{
    struct whole w;
    run->failed = !whole_create(&w, dev);
    w.triangles = 2; // of no interest here, but time
    run->failed = run->failed || !whole_render(&w, out) || !use_frames(&w);
    whole_destroy(&w);
    const weft_device_state state = weft_device_startup(dev).state;
    EXPECT(state == WEFT_DEVICE_READY || (run->failed && state == WEFT_DEVICE_LOST));
}

/// One life of a program in which `count` allocations from number `at` on fail.
static void live_once(struct run *run, weft_backend backend, uint64_t at, uint64_t count,
                      struct whole_result *out)
{
    *run = (struct run){.memory = {.fail_at = at, .fail_count = count}};
    const weft_host_hooks hooks = {.alloc = run_alloc,
                                   .free = run_free,
                                   .diagnostic = run_diagnostic,
                                   .log = run_log,
                                   .user = run};
    const weft_software_options software = {.threads = 1};
    weft_device *dev;
    (void)weft_device_start(&(weft_device_desc){.backends = 1u << backend,
                                                .validation = WEFT_VALIDATION_FULL,
                                                .hooks = &hooks,
                                                .software = &software},
                            &dev);
    run->failed = true;
    if (dev && weft_device_wait(dev, UINT64_MAX) == WEFT_OK)
        use_device(run, dev, out);
    weft_device_destroy(dev);
    const bool reached = atomic_load(&run->memory.calls) >= at && at != 0;
    if (run->failed && dev && atomic_load(&run->errors) == 0)
        test_fail(__FILE__, __LINE__, "allocation %llu: no diagnostic", (unsigned long long)at);
    if (!reached && run->failed)
        test_fail(__FILE__, __LINE__, "allocation %llu: failed without a cause",
                  (unsigned long long)at);
    if (atomic_load(&run->leaks) != 0 || atomic_load(&run->memory.live_bytes) != 0)
        test_fail(__FILE__, __LINE__, "allocation %llu: %zu bytes are left", (unsigned long long)at,
                  (size_t)atomic_load(&run->memory.live_bytes));
}

static void fail_each(weft_backend backend, uint64_t count)
{
    static struct whole_result wanted, got;
    struct run run;
    live_once(&run, backend, 0, 0, &wanted);
    const uint64_t calls = atomic_load(&run.memory.calls);
    EXPECT(calls > 100);
    uint64_t survived = 0;
    for (uint64_t at = 1; at <= calls; at++) {
        memset(&got, 0, sizeof got);
        live_once(&run, backend, at, count, &got);
        if (run.failed)
            continue;
        survived++; // it had another way, and no harm was done
        EXPECT_MEM(&got, &wanted, sizeof got);
    }
    printf("%llu allocations, %llu were no loss\n", (unsigned long long)calls,
           (unsigned long long)survived);
}

TEST(whole_faults, any_allocation_may_fail_on_noop)
{
    fail_each(WEFT_BACKEND_NOOP, 1);
}

TEST(whole_faults, any_allocation_and_all_after_it_may_fail_on_noop)
{
    fail_each(WEFT_BACKEND_NOOP, UINT64_MAX);
}

TEST(whole_faults, any_allocation_may_fail_on_software)
{
    fail_each(WEFT_BACKEND_SOFTWARE, 1);
}

TEST(whole_faults, any_allocation_and_all_after_it_may_fail_on_software)
{
    fail_each(WEFT_BACKEND_SOFTWARE, UINT64_MAX);
}
