// Every function that takes a handle refuses one that is none, stale, foreign or made up, under a
// rule of handles, at every level of validation. tools/check/calls.py tells which function is
// missing.
#include "handles.h"

static bool is_handle_rule(uint32_t code)
{
    return code == WEFT_RULE_HANDLE_NONE || code == WEFT_RULE_HANDLE_STALE ||
           code == WEFT_RULE_HANDLE_FOREIGN || code == WEFT_RULE_HANDLE_INVALID;
}

/// Makes the call where it belongs; the result is what it came to in the end.
static void make_call(struct world *w, const struct call *call, weft_object bad)
{
    w->result = WEFT_OK;
    if (call->place == DEVICE || call->place == SILENT) {
        call->make(w, bad);
        return;
    }
    w->cmd = record_begin(&w->f);
    if (call->place == RENDER)
        w->render = record_pass(w->cmd, w->mesh.view);
    if (call->place >= COMPUTE)
        w->compute = weft_command_begin_compute(w->cmd, NULL);
    call->make(w, bad);
    if (call->place == RENDER)
        weft_render_end(w->render);
    if (call->place >= COMPUTE)
        weft_compute_end(w->compute);
    w->result = weft_command_end(w->cmd);
    if (w->result == WEFT_OK)
        weft_command_discard(w->cmd);
}

static void expect_refused(struct world *w, const struct call *call, weft_object bad,
                           weft_rule rule)
{
    fixture_clear(&w->f);
    make_call(w, call, bad);
    const struct fixture_log *log = w->f.log;
    if (w->result != WEFT_ERROR_USAGE)
        test_fail(__FILE__, __LINE__, "%s came to %s for W%04d: %s", call->name,
                  weft_result_name(w->result), (int)rule, log->message);
    if (call->place == SILENT) {
        if (log->count != 0)
            test_fail(__FILE__, __LINE__, "%s is not silent: %s", call->name, log->message);
        return;
    }
    if (!fixture_saw(&w->f, rule))
        test_fail(__FILE__, __LINE__, "%s: not W%04d but, of %u, W%04d: %s", call->name, (int)rule,
                  log->count, (int)fixture_last_rule(&w->f), log->message);
    for (uint32_t i = 0; i < log->count && i < FIXTURE_CODES; ++i) {
        if (call->place != COMPUTE_BARE && !is_handle_rule(log->codes[i]))
            test_fail(__FILE__, __LINE__, "%s: W%04u, too", call->name, log->codes[i]);
    }
}

/// None stands for nothing, or is refused like the others.
static void expect_none(struct world *w, const struct call *call)
{
    const weft_object none = object_of(call->kind, 0, 0);
    const unsigned role = call->none & NONE_BITS;
    if (role == NONE_IS_REFUSED) {
        expect_refused(w, call, none, WEFT_RULE_HANDLE_NONE);
        return;
    }
    fixture_clear(&w->f);
    if (role == NONE_DOES_NOTHING)
        make_call(w, call, none);
    if (fixture_count(&w->f) != 0)
        test_fail(__FILE__, __LINE__, "%s: none is refused: %s", call->name, w->f.log->message);
}

static void refuse(struct world *w, const struct call *call, const struct objects *stale,
                   const struct objects *foreign)
{
    const weft_object live = w->live.of[call->kind];
    const weft_feature_set needs = (call->none & NEEDS_MESH ? WEFT_FEATURE_MESH_SHADERS : 0) |
                                   (call->none & NEEDS_RAYS ? WEFT_FEATURE_RAY_QUERY : 0);
    if (needs & ~weft_device_capabilities(w->f.dev)->features)
        return;
    const weft_device_counters before = weft_device_get_counters(w->f.dev);
    expect_none(w, call);
    expect_refused(w, call, stale->of[call->kind], WEFT_RULE_HANDLE_STALE);
    expect_refused(w, call, foreign->of[call->kind], WEFT_RULE_HANDLE_FOREIGN);
    // A slot that was never given out, and a generation that has not come yet.
    expect_refused(w, call, object_of(call->kind, 0x00ffffff, live.generation),
                   WEFT_RULE_HANDLE_INVALID);
    expect_refused(w, call, object_of(call->kind, UINT32_MAX, UINT32_MAX),
                   WEFT_RULE_HANDLE_FOREIGN);
    const weft_device_counters after = weft_device_get_counters(w->f.dev);
    if (after.submissions != before.submissions || after.copies != before.copies)
        test_fail(__FILE__, __LINE__, "%s: something happened", call->name);
}

/// The slots of what was destroyed are taken again: only the generation tells.
static void expect_slots_reused(const struct objects *stale, const struct objects *live)
{
    for (int kind = 0; kind < WEFT_OBJECT_FRAME; ++kind) {
        const weft_object *old = &stale->of[kind], *now = &live->of[kind];
        if (old->index != now->index || (old->index != 0 && old->generation == now->generation))
            test_fail(__FILE__, __LINE__, "kind %d: slot %u, then %u", kind, old->index,
                      now->index);
    }
}

static void refuse_all(weft_backend backend, weft_validation validation)
{
    struct world w = {.f = fixture_open_validation(backend, validation)};
    struct fixture other = fixture_open_validation(backend, validation);
    const struct objects stale = objects_make(&w.f);
    const struct objects foreign = objects_make(&other);
    objects_destroy(w.f.dev, &stale);
    w.live = objects_make(&w.f);
    expect_slots_reused(&stale, &w.live);
    w.mesh = record_mesh_create(&w.f);
    if (weft_device_capabilities(w.f.dev)->features & WEFT_FEATURE_MESH_SHADERS)
        w.meshlets = meshlets_create(&w.f);
    if (weft_device_capabilities(w.f.dev)->features & WEFT_FEATURE_RAY_QUERY)
        w.rays = rays_create(&w.f);
    EXPECT_EQ(weft_heap_range_create(w.f.dev, WEFT_HEAP_SAMPLER, 4, &w.samplers), WEFT_OK);
    EXPECT_EQ(fixture_count(&w.f), 0);
    for (size_t i = 0; i < device_calls_count; ++i)
        refuse(&w, &device_calls[i], &stale, &foreign);
    for (size_t i = 0; i < recorded_calls_count; ++i)
        refuse(&w, &recorded_calls[i], &stale, &foreign);
    weft_heap_range_destroy(w.f.dev, w.samplers);
    objects_destroy(w.f.dev, &w.live);
    record_mesh_destroy(&w.f, &w.mesh);
    meshlets_destroy(&w.f, &w.meshlets);
    rays_destroy(&w.f, &w.rays);
    objects_destroy(other.dev, &foreign);
    fixture_close(&other);
    fixture_close(&w.f);
}

TEST(handle_rules, bad_handles_are_refused_everywhere_on_noop)
{
    refuse_all(WEFT_BACKEND_NOOP, WEFT_VALIDATION_FULL);
    refuse_all(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
}

TEST(handle_rules, bad_handles_are_refused_everywhere_on_software)
{
    refuse_all(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_ERRORS);
    refuse_all(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_OFF);
}

/// A handle of one kind says nothing to the functions of another.
TEST(handle_rules, what_was_a_buffer_is_no_texture)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buffer = record_buffer(&f, 4, 0);
    const weft_texture texture = {buffer.index, buffer.generation};
    EXPECT_EQ(weft_texture_write(f.dev, texture, NULL, "data", NULL), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_count(&f), 1);
    EXPECT(is_handle_rule(fixture_last_rule(&f)));
    weft_buffer_destroy(f.dev, buffer);
    fixture_close(&f);
}
