// Recording on several threads at once, with shared tables, and destruction in between.
#include "support/record.h"

#include "base/thread.h"

#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 200 };

struct worker {
    struct fixture *f;
    struct record_mesh *m;
    weft_timeline line;
    uint32_t number;
    atomic_uint bad;
};

/// One frame: its own texture, its own part of the shared table, a pipeline in the background.
static bool frame(struct worker *w, uint32_t round)
{
    weft_device *dev = w->f->dev;
    weft_texture target = {0};
    weft_texture_view view = {0};
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                    .width = 16,
                                    .height = 16,
                                    .usage = WEFT_TEXTURE_USAGE_RENDER};
    bool ok = weft_texture_create(dev, &desc, &target) == WEFT_OK &&
              weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = target}, &view) ==
                  WEFT_OK;
    const weft_argument_write write = {
        .binding = 1, .buffer = w->m->uniforms, .offset = (uint64_t)(round & 1) * 256, .size = 64};
    if (round % 4 == 0)
        ok = ok && weft_argument_table_write(dev, w->m->material, &write, 1) == WEFT_OK;
    weft_graphics_pipeline_desc late_desc = record_mesh_desc(w->m);
    late_desc.flags = WEFT_PIPELINE_BACKGROUND;
    weft_graphics_pipeline late = {0};
    if (round % 8 == w->number)
        ok = ok && weft_graphics_pipeline_create(dev, &late_desc, &late) == WEFT_OK;
    weft_command_buffer *cmd = NULL;
    ok = ok && weft_command_begin(dev, NULL, &cmd) == WEFT_OK;
    weft_render_encoder *enc = record_pass(cmd, view);
    record_mesh_bind(enc, w->m);
    if (!weft_graphics_pipeline_is_none(late))
        weft_render_set_pipeline(enc, late);
    for (int i = 0; i < 20; ++i)
        weft_render_draw(enc, 3, 2, 0, 0);
    weft_render_end(enc);
    weft_texture_view_destroy(dev, view);
    weft_texture_destroy(dev, target);
    weft_graphics_pipeline_destroy(dev, late);
    const weft_timeline_point point = {.timeline = w->line, .value = round + 1};
    const weft_submit submit = {
        .commands = &cmd, .command_count = 1, .signals = &point, .signal_count = 1};
    ok = weft_command_end(cmd) == WEFT_OK && ok;
    ok = ok && weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &submit, NULL) == WEFT_OK;
    return ok && weft_timeline_wait(dev, w->line, round + 1, UINT64_MAX) == WEFT_OK;
}

static void work(void *user)
{
    struct worker *w = user;
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        if (!frame(w, i))
            atomic_fetch_add(&w->bad, 1);
    }
}

TEST(record_threads, frames_are_recorded_on_many_threads_at_once)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_ERRORS);
    struct record_mesh m = record_mesh_create(&f);
    static struct worker workers[THREADS];
    struct wf_base_thread threads[THREADS];
    for (uint32_t i = 0; i < THREADS; ++i) {
        workers[i] = (struct worker){.f = &f, .m = &m, .number = i};
        EXPECT_EQ(weft_timeline_create(f.dev, NULL, &workers[i].line), WEFT_OK);
        EXPECT(wf_base_thread_start(&threads[i], "record test", work, &workers[i]));
    }
    for (uint32_t i = 0; i < THREADS; ++i)
        wf_base_thread_join(&threads[i]);
    for (uint32_t i = 0; i < THREADS; ++i) {
        EXPECT_EQ(atomic_load(&workers[i].bad), 0);
        weft_timeline_destroy(f.dev, workers[i].line);
    }
    EXPECT_EQ(fixture_count(&f), 0);
    EXPECT_EQ(weft_device_get_counters(f.dev).draws, (uint64_t)THREADS * ROUNDS * 20);
    record_mesh_destroy(&f, &m);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 0);
    fixture_close(&f);
}
