// What a host shares of its own, without a driver: tests/interop has one.
#include "support/record.h"

#include <weft/interop/native.h>

static void expect_start_refused(const weft_device_desc *desc, weft_rule rule)
{
    struct fixture f = fixture_start(desc);
    EXPECT(fixture_took(&f, rule));
    EXPECT_EQ(weft_device_wait(f.dev, 0), WEFT_ERROR_USAGE);
    fixture_end(&f);
    fixture_free(&f);
}

TEST(native_rules, a_native_device_is_for_its_own_backend)
{
    const int thing = 0; // nobody looks at it
    weft_native native = {WEFT_BACKEND_NOOP, &thing, sizeof thing};
    weft_device_desc desc = {.native = &native};
    expect_start_refused(&desc, WEFT_RULE_DEVICE_NATIVE); // it shares none
    native.backend = WEFT_BACKEND_SOFTWARE;
    expect_start_refused(&desc, WEFT_RULE_DEVICE_NATIVE);
    native.backend = (weft_backend)99;
    expect_start_refused(&desc, WEFT_RULE_DEVICE_NATIVE);
    native.backend = WEFT_BACKEND_VULKAN;
    desc.backends = 1u << WEFT_BACKEND_VULKAN | 1u << WEFT_BACKEND_SOFTWARE;
    expect_start_refused(&desc, WEFT_RULE_DEVICE_NATIVE);
    desc.backends = 0;
    native.object = NULL;
    expect_start_refused(&desc, WEFT_RULE_POINTER_NULL);
    native.object = &thing;
    if (weft_backend_is_built(WEFT_BACKEND_VULKAN)) // of another size than what it is said to be
        expect_start_refused(&desc, WEFT_RULE_NATIVE_OBJECT);
}

static void expect_nothing_got(struct fixture *f, weft_object object, weft_rule rule)
{
    uint64_t out = 1;
    EXPECT_EQ(weft_native_get(f->dev, object, WEFT_BACKEND_VULKAN, &out, sizeof out),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    EXPECT_EQ(out, 0);
}

static void get_all(weft_backend backend)
{
    struct fixture f = fixture_open(backend);
    const weft_texture texture =
        record_texture(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_SAMPLED, 1);
    const weft_texture_view view = record_view(&f, texture);
    weft_sampler sampler;
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){0}, &sampler), WEFT_OK);
    expect_nothing_got(&f, (weft_object){.kind = WEFT_OBJECT_DEVICE}, WEFT_RULE_NATIVE_BACKEND);
    expect_nothing_got(&f, (weft_object){texture.index, texture.generation, WEFT_OBJECT_TEXTURE},
                       WEFT_RULE_NATIVE_BACKEND);
    expect_nothing_got(&f, (weft_object){sampler.index, sampler.generation, WEFT_OBJECT_SAMPLER},
                       WEFT_RULE_NATIVE_KIND);
    expect_nothing_got(&f, (weft_object){.kind = WEFT_OBJECT_FRAME}, WEFT_RULE_NATIVE_KIND);
    expect_nothing_got(&f, (weft_object){.kind = (weft_object_kind)77}, WEFT_RULE_NATIVE_KIND);
    weft_texture_destroy(f.dev, texture);
    expect_nothing_got(&f, (weft_object){view.index, view.generation, WEFT_OBJECT_TEXTURE_VIEW},
                       WEFT_RULE_HANDLE_STALE); // an orphan
    weft_timeline timeline;
    EXPECT_EQ(weft_timeline_create(f.dev, NULL, &timeline), WEFT_OK);
    EXPECT_EQ(weft_native_promise(f.dev, timeline, 1), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_BACKEND)); // nobody could keep it
    weft_command_buffer *cmd = record_begin(&f);
    void *out = &f;
    weft_native_command(cmd, backend, &out, sizeof out);
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_BACKEND));
    EXPECT(out == NULL);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    weft_texture_view_destroy(f.dev, view);
    weft_sampler_destroy(f.dev, sampler);
    weft_timeline_destroy(f.dev, timeline);
    fixture_close(&f);
}

TEST(native_rules, devices_of_other_backends_have_nothing_to_tell)
{
    get_all(WEFT_BACKEND_NOOP);
    get_all(WEFT_BACKEND_SOFTWARE);
}

static void expect_not_created(struct fixture *f, const weft_placement *place, weft_memory memory,
                               weft_rule rule)
{
    weft_texture texture;
    weft_buffer buffer;
    const weft_texture_desc texture_desc = {.format = WEFT_FORMAT_RGBA8_UNORM, .place = *place};
    const weft_buffer_desc buffer_desc = {.size = 64, .memory = memory, .place = *place};
    if (memory == WEFT_MEMORY_AUTO) {
        EXPECT_EQ(weft_texture_create(f->dev, &texture_desc, &texture), WEFT_ERROR_USAGE);
        EXPECT(fixture_saw(f, rule));
        EXPECT(weft_texture_is_none(texture));
        fixture_clear(f);
    }
    EXPECT_EQ(weft_buffer_create(f->dev, &buffer_desc, &buffer), WEFT_ERROR_USAGE);
    EXPECT(fixture_saw(f, rule));
    EXPECT(weft_buffer_is_none(buffer));
    fixture_clear(f);
}

TEST(native_rules, only_a_device_of_its_backend_takes_a_hosts_texture)
{
    const int thing = 0;
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_native native = {WEFT_BACKEND_VULKAN, &thing, sizeof thing};
    weft_placement place = {.native = &native};
    expect_not_created(&f, &place, WEFT_MEMORY_AUTO, WEFT_RULE_NATIVE_BACKEND);
    native.backend = WEFT_BACKEND_NOOP; // it shares nothing
    expect_not_created(&f, &place, WEFT_MEMORY_AUTO, WEFT_RULE_NATIVE_BACKEND);
    expect_not_created(&f, &place, WEFT_MEMORY_READBACK, WEFT_RULE_PLACEMENT_NATIVE);
    native.object = NULL;
    expect_not_created(&f, &place, WEFT_MEMORY_AUTO, WEFT_RULE_POINTER_NULL);
    native.object = &thing;
    const weft_memory_block_desc desc = {.size = 65536, .memory = WEFT_MEMORY_GPU};
    EXPECT_EQ(weft_memory_block_create(f.dev, &desc, &place.block), WEFT_OK);
    expect_not_created(&f, &place, WEFT_MEMORY_AUTO, WEFT_RULE_PLACEMENT_NATIVE);
    weft_memory_block_destroy(f.dev, place.block);
    fixture_close(&f);
}

TEST(native_rules, only_a_hosts_texture_goes_back_to_its_host)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture texture =
        record_texture(&f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_SAMPLED, 1);
    weft_texture_barrier barrier = {
        .texture = texture,
        .after = WEFT_TEXTURE_STATE_NATIVE,
        .producers = WEFT_STAGE_ALL,
        .consumers = WEFT_STAGE_ALL,
    };
    for (int i = 0; i < 2; i++) {
        weft_command_buffer *cmd = record_begin(&f);
        weft_command_texture_barrier(cmd, &barrier, 1);
        EXPECT(fixture_took(&f, WEFT_RULE_BARRIER_STATE));
        EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
        barrier.before = WEFT_TEXTURE_STATE_NATIVE;
        barrier.after = WEFT_TEXTURE_STATE_RESTING;
    }
    weft_texture_destroy(f.dev, texture);
    fixture_close(&f);
}
