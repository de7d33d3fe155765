// No function crashes on NULL. Where a pointer may be NULL, its comment says so; everywhere else
// the call is refused, and says what is missing if there is a device to say it.
#include "support/objects.h"

#include <weft/interop/native.h>

struct world {
    struct fixture f;
    weft_device *dev;
    struct objects live;
    struct record_mesh mesh;
    weft_command_buffer *cmd;
    weft_render_encoder *render;
    weft_compute_encoder *compute;
    weft_frame *frame;
    weft_target target, pass;
    weft_material material;
    weft_texture texture; ///< Like the live one.
    char bytes[64];
    uint32_t words[16];
    float numbers[16];
    // what a call that is fine makes
    weft_device *other;
    weft_timeline timeline;
    weft_command_allocator allocator;
    weft_command_buffer *begun;
};

#define LIVE(type, KIND) HANDLE(type, w->live.of[WEFT_OBJECT_##KIND])

static weft_result usage_if(bool bad)
{
    return bad ? WEFT_ERROR_USAGE : WEFT_OK;
}

static void listen(void *user, const weft_diagnostic *diagnostic)
{
    (void)user, (void)diagnostic;
}

static weft_result describe_nothing(void)
{
    char *text;
    const weft_result result = weft_shader_describe(NULL, 64, &text);
    const bool says = text && text[0] != '\0';
    weft_text_free(text);
    return usage_if(result == WEFT_ERROR_SHADER && says);
}

static weft_frame *begin_frame(struct world *w)
{
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(w->dev, &(weft_frame_desc){0}, &frame), WEFT_OK);
    return frame;
}

static weft_result present_all(struct world *w)
{
    const weft_surface surface = LIVE(surface, SURFACE);
    const weft_surface_config config = {.width = 4, .height = 4};
    weft_surface_image image;
    EXPECT_EQ(weft_surface_configure(w->dev, surface, &config), WEFT_OK);
    EXPECT_EQ(weft_surface_acquire(w->dev, surface, &image), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&w->f);
    weft_render_end(record_pass(cmd, image.view));
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    const weft_submit work = {
        .commands = &cmd, .command_count = 1, .surfaces = &surface, .surface_count = 1};
    EXPECT_EQ(weft_queue_submit(w->dev, WEFT_QUEUE_GRAPHICS, &work, NULL), WEFT_OK);
    return weft_surface_present(w->dev, surface, NULL, 0);
}

#define NULLS(function, parameter, place, outcome, ...)                                            \
    static weft_result call_##function##_##parameter(struct world *w)                              \
    {                                                                                              \
        (void)w;                                                                                   \
        return __VA_ARGS__;                                                                        \
    }
#include "nulls.def"
#undef NULLS

enum place {
    DEVICE,
    COMMAND, ///< While a command buffer records, outside of encoders.
    RENDER,
    COMPUTE,
    FRAME, ///< While a frame is open.
};

enum outcome {
    SILENT,  ///< WEFT_ERROR_USAGE, or what stands for it; nobody is there to be told.
    NOTHING, ///< It returns nothing, and nothing happens.
    REFUSED, ///< WEFT_ERROR_USAGE, and one diagnostic.
    FINE,
};

static const struct call {
    const char *name;
    weft_result (*make)(struct world *w);
    enum place place;
    enum outcome outcome;
} calls[] = {
#define NULLS(function, parameter, place, outcome, ...)                                            \
    {#function ": " #parameter, call_##function##_##parameter, place, outcome},
#include "nulls.def"
#undef NULLS
};

static void begin(struct world *w, enum place place)
{
    if (place == FRAME) {
        w->frame = begin_frame(w);
        w->target = weft_frame_offscreen_target(
            w->frame, &(weft_target_desc){
                          .color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4});
    } else if (place != DEVICE) {
        w->cmd = record_begin(&w->f);
        if (place == RENDER)
            w->render = record_pass(w->cmd, w->mesh.view);
        if (place == COMPUTE)
            w->compute = weft_command_begin_compute(w->cmd, NULL);
    }
}

/// What it came to in the end.
static weft_result end(struct world *w, enum place place, weft_result result)
{
    if (place == FRAME)
        return weft_frame_submit(w->frame, NULL);
    if (place == DEVICE)
        return result;
    if (place == RENDER)
        weft_render_end(w->render);
    if (place == COMPUTE)
        weft_compute_end(w->compute);
    result = weft_command_end(w->cmd);
    if (result == WEFT_OK)
        weft_command_discard(w->cmd);
    return result;
}

static void drop_made(struct world *w)
{
    weft_device_destroy(w->other);
    weft_timeline_destroy(w->dev, w->timeline);
    weft_command_allocator_destroy(w->dev, w->allocator);
    weft_command_discard(w->begun);
    w->other = NULL;
    w->timeline = (weft_timeline){0};
    w->allocator = (weft_command_allocator){0};
    w->begun = NULL;
}

static void check(struct world *w, const struct call *call)
{
    begin(w, call->place);
    fixture_clear(&w->f);
    const weft_result result = end(w, call->place, call->make(w));
    const bool fails = call->outcome == SILENT || call->outcome == REFUSED;
    const uint32_t told = fixture_count(&w->f);
    if (result != (fails ? WEFT_ERROR_USAGE : WEFT_OK))
        test_fail(__FILE__, __LINE__, "%s: %s, %s", call->name, weft_result_name(result),
                  w->f.log->message);
    if (told != (call->outcome == REFUSED))
        test_fail(__FILE__, __LINE__, "%s: %u diagnostics, the last: %s", call->name, told,
                  w->f.log->message);
    if (told != 0 && fixture_last_rule(&w->f) != WEFT_RULE_POINTER_NULL &&
        fixture_last_rule(&w->f) != WEFT_RULE_ARRAY_NULL)
        test_fail(__FILE__, __LINE__, "%s: W%04d, %s", call->name, (int)fixture_last_rule(&w->f),
                  w->f.log->message);
    drop_made(w);
}

static void check_all(weft_validation validation)
{
    struct world w = {.f = fixture_open_validation(WEFT_BACKEND_NOOP, validation)};
    w.dev = w.f.dev;
    w.live = objects_make(&w.f);
    w.mesh = record_mesh_create(&w.f);
    const weft_texture_desc like = {.format = WEFT_FORMAT_RGBA8_UNORM, .width = 4, .height = 4};
    EXPECT_EQ(weft_texture_create(w.dev, &like, &w.texture), WEFT_OK);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i)
        check(&w, &calls[i]);
    weft_texture_destroy(w.dev, w.texture);
    record_mesh_destroy(&w.f, &w.mesh);
    objects_destroy(w.dev, &w.live);
    fixture_close(&w.f);
}

TEST(null_rules, no_function_crashes_on_null)
{
    check_all(WEFT_VALIDATION_FULL);
    check_all(WEFT_VALIDATION_OFF);
}
