#include "support/fixture.h"

#include "base/thread.h"

#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 300 };

struct worker {
    weft_device *dev;
    weft_buffer shared;
    uint32_t number;
    atomic_uint bad;
};

/// Creates, writes, reads and destroys; each thread in its own part of a shared buffer.
static void work(void *user)
{
    struct worker *w = user;
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        weft_buffer buf = {0};
        const weft_buffer_desc desc = {.size = 256, .memory = WEFT_MEMORY_GPU};
        weft_texture tex = {0};
        const weft_texture_desc tex_desc = {
            .format = WEFT_FORMAT_RGBA8_UNORM, .width = 4, .height = 4};
        const uint32_t value = w->number << 16 | i;
        uint32_t got = 0;
        bool ok = weft_buffer_create(w->dev, &desc, &buf) == WEFT_OK &&
                  weft_texture_create(w->dev, &tex_desc, &tex) == WEFT_OK;
        weft_texture_view view = {0};
        ok = ok && weft_texture_view_create(w->dev, &(weft_texture_view_desc){.texture = tex},
                                            &view) == WEFT_OK;
        ok = ok && weft_texture_view_index(w->dev, view, WEFT_HEAP_SAMPLED) != UINT32_MAX;
        ok = ok && weft_buffer_write(w->dev, buf, 0, &value, 4) == WEFT_OK;
        ok = ok &&
             weft_buffer_write(w->dev, w->shared, (uint64_t)w->number * 4, &value, 4) == WEFT_OK;
        ok = ok && weft_transient_alloc(w->dev, 64, 0).cpu != NULL;
        if (i % 8 == 0)
            ok = ok &&
                 weft_buffer_read(w->dev, w->shared, (uint64_t)w->number * 4, &got, 4) == WEFT_OK &&
                 got == value;
        weft_texture_destroy(w->dev, tex);
        weft_buffer_destroy(w->dev, buf);
        weft_texture_view_destroy(w->dev, view);
        (void)weft_device_poll(w->dev);
        if (!ok)
            atomic_fetch_add(&w->bad, 1);
    }
}

TEST(core_threads, objects_are_made_and_destroyed_on_many_threads_at_once)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_buffer shared;
    const weft_buffer_desc desc = {.size = (uint64_t)THREADS * 4,
                                   .memory = WEFT_MEMORY_GPU,
                                   .usage =
                                       WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &shared), WEFT_OK);
    static struct worker workers[THREADS];
    struct wf_base_thread threads[THREADS];
    for (uint32_t i = 0; i < THREADS; ++i) {
        workers[i] = (struct worker){.dev = f.dev, .shared = shared, .number = i};
        EXPECT(wf_base_thread_start(&threads[i], "core test", work, &workers[i]));
    }
    for (uint32_t i = 0; i < THREADS; ++i)
        wf_base_thread_join(&threads[i]);
    for (uint32_t i = 0; i < THREADS; ++i)
        EXPECT_EQ(atomic_load(&workers[i].bad), 0);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_buffer_destroy(f.dev, shared);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
    EXPECT_EQ(weft_device_memory_budget(f.dev).retired, 0);
    fixture_close(&f);
}

static void catch_one(void *user)
{
    struct worker *w = user;
    weft_error_scope_result result;
    (void)weft_error_scope_push(w->dev, WEFT_SEVERITY_ERROR);
    (void)weft_buffer_map(w->dev, (weft_buffer){0}, 0, 0);
    (void)weft_error_scope_pop(w->dev, &result);
    if (result.count != 1 || result.code != WEFT_RULE_HANDLE_NONE)
        atomic_fetch_add(&w->bad, 1);
}

TEST(core_threads, a_scope_catches_its_own_threads_diagnostics_only)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct worker other = {.dev = f.dev};
    EXPECT_EQ(weft_error_scope_push(f.dev, WEFT_SEVERITY_ERROR), WEFT_OK);
    struct wf_base_thread thread;
    EXPECT(wf_base_thread_start(&thread, "core test", catch_one, &other));
    wf_base_thread_join(&thread);
    weft_error_scope_result result;
    EXPECT_EQ(weft_error_scope_pop(f.dev, &result), WEFT_OK);
    EXPECT_EQ(result.count, 0);
    EXPECT_EQ(atomic_load(&other.bad), 0);
    fixture_close(&f);
}
