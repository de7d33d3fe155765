#include "support/fixture.h"

#include "core/core.h"

TEST(core_device, a_start_without_memory_leaves_what_can_be_used)
{
    weft_device *const dev = NULL;
    weft_buffer buffer = {.index = 1};
    EXPECT_EQ(weft_device_startup(dev).state, WEFT_DEVICE_FAILED);
    EXPECT_EQ(weft_device_wait(dev, 0), WEFT_ERROR_USAGE);
    EXPECT_EQ(weft_device_wait_idle(dev), WEFT_ERROR_USAGE);
    EXPECT_EQ(weft_device_poll(dev), 0);
    EXPECT_EQ(weft_device_get_counters(dev).draws, 0);
    EXPECT_EQ(weft_device_memory_budget(dev).used, 0);
    EXPECT(weft_device_capabilities(dev) == NULL);
    EXPECT_EQ(weft_buffer_create(dev, &(weft_buffer_desc){.size = 4}, &buffer), WEFT_ERROR_USAGE);
    EXPECT(weft_buffer_is_none(buffer));
    weft_device_shutdown(dev);
    weft_device_destroy(dev);
}

TEST(core_device, a_named_backend_has_no_fallback_and_one_record)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_startup startup = weft_device_startup(f.dev);
    EXPECT_EQ(startup.state, WEFT_DEVICE_READY);
    EXPECT_EQ(startup.record_count, 1);
    EXPECT_EQ(startup.records[0].backend, WEFT_BACKEND_NOOP);
    EXPECT(startup.records[0].started);
    EXPECT_STR(startup.records[0].reason, "");
    EXPECT_EQ(startup.capabilities->backend, WEFT_BACKEND_NOOP);
    fixture_close(&f);
}

TEST(core_device, noop_is_not_chosen_unless_it_is_named)
{
    struct fixture f = fixture_start(&(weft_device_desc){0});
    const weft_startup startup = weft_device_startup(f.dev);
    for (uint32_t i = 0; i < startup.record_count; ++i)
        EXPECT(startup.records[i].backend != WEFT_BACKEND_NOOP);
    fixture_end(&f);
    fixture_free(&f);
}

static void expect_unmet(const weft_device_desc *desc, const char *reason)
{
    struct fixture f = fixture_start(desc);
    EXPECT_EQ(weft_device_wait(f.dev, 0), WEFT_ERROR_UNSUPPORTED);
    const weft_startup startup = weft_device_startup(f.dev);
    EXPECT_EQ(startup.state, WEFT_DEVICE_FAILED);
    EXPECT(startup.capabilities == NULL);
    EXPECT_EQ(startup.record_count, 1);
    EXPECT(!startup.records[0].started);
    EXPECT_STR(startup.records[0].reason, reason);
    EXPECT_EQ(fixture_count(&f), 1);
    EXPECT(strstr(f.log->message, reason) != NULL);
    fixture_end(&f);
    fixture_free(&f);
}

TEST(core_device, the_first_unmet_requirement_is_named)
{
    weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP};
    desc.require.features = WEFT_FEATURE_COMPUTE | WEFT_FEATURE_RESIDENCY;
    expect_unmet(&desc, "feature residency is missing");
    desc.require.features = UINT64_C(1) << 63;
    expect_unmet(&desc, "feature bit 63 is unknown");
    desc.require = (weft_requirements){.limits = {.max_texture_2d = 1u << 20}};
    expect_unmet(&desc, "limit max_texture_2d is 16384, at least 1048576 is required");
    desc.require = (weft_requirements){.limits = {.uniform_offset_alignment = 16}};
    expect_unmet(&desc, "limit uniform_offset_alignment is 256, at most 16 is required");
    desc.require = (weft_requirements){
        .formats = {{WEFT_FORMAT_BC1_RGBA_UNORM, WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_STORE}}};
    expect_unmet(&desc, "format bc1_rgba_unorm cannot be stored to");
    desc = (weft_device_desc){.backends = 1u << WEFT_BACKEND_D3D12};
    expect_unmet(&desc, "this build of the library lacks it");
}

TEST(core_device, met_requirements_start)
{
    weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP};
    desc.require.features = WEFT_FEATURE_POINTERS;
    desc.require.limits.max_texture_2d = 16384;
    desc.require.limits.uniform_offset_alignment = 256;
    desc.require.formats[0].format = WEFT_FORMAT_RGBA8_UNORM;
    desc.require.formats[0].caps = WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_MSAA_4;
    struct fixture f = fixture_open_desc(&desc);
    fixture_close(&f);
}

TEST(core_device, every_built_backend_lists_its_adapters)
{
    uint32_t count = 0;
    EXPECT_EQ(weft_adapter_list(NULL, &count), WEFT_OK);
    EXPECT(count >= 1);
    weft_capabilities *caps = calloc(count, sizeof *caps);
    EXPECT(caps != NULL);
    uint32_t again = count;
    EXPECT_EQ(weft_adapter_list(caps, &again), WEFT_OK);
    EXPECT_EQ(again, count);
    for (uint32_t i = 0; i < count; ++i)
        EXPECT(caps[i].name[0] != '\0');
    free(caps);
}

TEST(core_device, names_go_both_ways)
{
    EXPECT_STR(weft_backend_name(WEFT_BACKEND_SOFTWARE), "software");
    EXPECT_EQ(weft_backend_from_name("noop"), WEFT_BACKEND_NOOP);
    EXPECT_EQ(weft_backend_from_name("nope"), WEFT_BACKEND_COUNT);
    EXPECT_EQ(weft_backend_from_name(NULL), WEFT_BACKEND_COUNT);
    EXPECT_STR(weft_backend_name((weft_backend)77), "unknown");
    EXPECT_STR(weft_result_name(WEFT_ERROR_LOST), "WEFT_ERROR_LOST");
    EXPECT_STR(weft_result_name((weft_result)77), "unknown result");
    EXPECT_STR(weft_feature_name(53), "residency");
    EXPECT_STR(weft_feature_name(54), "layered_rendering");
    EXPECT_STR(weft_feature_name(59), "workgroup_layout");
    EXPECT_STR(weft_feature_name(61), "subgroups_in_vertex");
    EXPECT(weft_feature_name(62) == NULL);
    EXPECT_EQ(weft_version() >> 16, WEFT_VERSION_MAJOR);
}

TEST(core_rules, the_table_is_ordered_and_found_by_code)
{
    uint32_t last = 0;
    const weft_rule_info *info;
    for (uint32_t i = 0; (info = weft_rule_at(i)) != NULL; ++i) {
        EXPECT(info->code > last);
        EXPECT(weft_rule_from_code(info->code) == info);
        last = info->code;
    }
    EXPECT(weft_rule_from_code(0) == NULL);
    EXPECT(weft_rule_from_code(last + 1) == NULL);
}

TEST(core_device, a_lost_device_names_the_cause_and_lets_objects_be_destroyed)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf;
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 64}, &buf), WEFT_OK);
    const char data[4] = {0};
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, data, 4), WEFT_OK);
    wf_core_lose(f.dev, "the test says so");
    EXPECT_EQ(weft_device_startup(f.dev).state, WEFT_DEVICE_LOST);
    EXPECT(weft_device_startup(f.dev).capabilities == NULL);
    weft_buffer other;
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 64}, &other), WEFT_ERROR_LOST);
    EXPECT(strstr(f.log->message, "the test says so") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_DEVICE_LOST));
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_ERROR_LOST);
    EXPECT(fixture_took(&f, WEFT_RULE_DEVICE_LOST));
    EXPECT_EQ(weft_device_wait(f.dev, 0), WEFT_ERROR_LOST);
    EXPECT(fixture_took(&f, WEFT_RULE_DEVICE_LOST));
    weft_buffer_destroy(f.dev, buf);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

static int ended;

static void end_attachment(weft_device *device, void *data)
{
    // objects still live: a client library destroys its own here
    const weft_buffer *buf = data;
    weft_buffer_destroy(device, *buf);
    ++ended;
}

TEST(core_device, attachments_end_before_handles_die)
{
    static const char key;
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf;
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 64}, &buf), WEFT_OK);
    EXPECT_EQ(weft_device_attach(f.dev, &key, &buf, end_attachment), WEFT_OK);
    ended = 0;
    fixture_close(&f);
    EXPECT_EQ(ended, 1);
}

TEST(core_device, two_hundred_and_fifty_five_devices_have_names_of_their_own)
{
    static struct fixture all[255];
    for (int i = 0; i < 255; ++i)
        all[i] = fixture_open(WEFT_BACKEND_NOOP);
    for (int i = 0; i < 255; ++i) {
        for (int j = 0; j < i; ++j)
            EXPECT(all[i].dev->tag != all[j].dev->tag);
    }
    struct fixture none = fixture_start(&(weft_device_desc){.backends = 1u << WEFT_BACKEND_NOOP});
    EXPECT_EQ(weft_device_wait(none.dev, 0), WEFT_ERROR_UNSUPPORTED);
    fixture_end(&none);
    fixture_free(&none);
    for (int i = 0; i < 255; ++i)
        fixture_close(&all[i]);
}

static void count_one(void *user, const weft_diagnostic *diagnostic)
{
    (void)diagnostic;
    ++*(int *)user;
}

TEST(core_scope, a_scope_takes_what_is_severe_enough)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_diagnostic note = {.severity = WEFT_SEVERITY_PERFORMANCE, .message = "slow"};
    const weft_diagnostic error = {
        .severity = WEFT_SEVERITY_ERROR, .code = 7, .message = "bad", .hint = "do better"};
    EXPECT_EQ(weft_error_scope_push(f.dev, WEFT_SEVERITY_WARNING), WEFT_OK);
    weft_device_report(f.dev, &note);
    EXPECT_EQ(fixture_count(&f), 1);
    weft_device_report(f.dev, &error);
    weft_device_report(f.dev, &error);
    EXPECT_EQ(fixture_count(&f), 1);
    weft_error_scope_result result;
    EXPECT_EQ(weft_error_scope_pop(f.dev, &result), WEFT_OK);
    EXPECT_EQ(result.count, 2);
    EXPECT_EQ(result.code, 7);
    EXPECT_STR(result.message, "bad");
    EXPECT_STR(result.hint, "do better");
    fixture_close(&f);
}

TEST(core_scope, a_listener_hears_and_lets_pass)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_diagnostic error = {.severity = WEFT_SEVERITY_ERROR, .message = "bad"};
    int heard = 0;
    EXPECT_EQ(weft_error_scope_listen(f.dev, WEFT_SEVERITY_ERROR, count_one, &heard), WEFT_OK);
    weft_device_report(f.dev, &error);
    EXPECT_EQ(heard, 1);
    EXPECT_EQ(fixture_count(&f), 1);
    weft_error_scope_result result;
    EXPECT_EQ(weft_error_scope_pop(f.dev, &result), WEFT_OK);
    EXPECT_EQ(result.count, 1);
    fixture_close(&f);
}

TEST(core_scope, devices_do_not_share_scopes)
{
    struct fixture a = fixture_open(WEFT_BACKEND_NOOP);
    struct fixture b = fixture_open(WEFT_BACKEND_NOOP);
    EXPECT_EQ(weft_error_scope_push(a.dev, WEFT_SEVERITY_INFO), WEFT_OK);
    EXPECT_EQ(weft_error_scope_push(b.dev, WEFT_SEVERITY_INFO), WEFT_OK);
    weft_device_report(a.dev, &(weft_diagnostic){.code = 1});
    weft_error_scope_result result;
    EXPECT_EQ(weft_error_scope_pop(a.dev, &result), WEFT_OK); // below b's
    EXPECT_EQ(result.count, 1);
    EXPECT_EQ(weft_error_scope_pop(b.dev, &result), WEFT_OK);
    EXPECT_EQ(result.count, 0);
    fixture_close(&a);
    fixture_close(&b);
}

TEST(core_device, a_handle_outlives_all_numbers_of_devices_unmistaken)
{
    enum { NUMBERS = 255 };
    weft_buffer old = {0};
    for (int i = 0; i <= 2 * NUMBERS; ++i) {
        struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
        weft_buffer buffer;
        weft_buffer_desc got;
        EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 64}, &buffer), WEFT_OK);
        if (i == 0)
            old = buffer;
        else
            EXPECT(!weft_buffer_get_desc(f.dev, old, &got));
        if (i == NUMBERS) {
            EXPECT_EQ(buffer.generation >> 24, old.generation >> 24); // the number came back
            EXPECT(buffer.generation != old.generation);
            fixture_clear(&f);
            const uint32_t word = 1;
            EXPECT_EQ(weft_buffer_write(f.dev, old, 0, &word, sizeof word), WEFT_ERROR_USAGE);
            EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_FOREIGN));
        }
        weft_buffer_destroy(f.dev, buffer);
        fixture_clear(&f);
        fixture_close(&f);
    }
}

TEST(core_device, the_256th_device_at_once_tells_why_there_is_none)
{
    enum { MOST = 255 };
    static weft_device *devices[MOST];
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP};
    for (int i = 0; i < MOST; ++i) {
        EXPECT_EQ(weft_device_start(&desc, &devices[i]), WEFT_OK);
        EXPECT_EQ(weft_device_wait(devices[i], UINT64_MAX), WEFT_OK);
    }
    expect_unmet(&desc, "255 devices are alive in this process, the most");
    weft_device_destroy(devices[100]);
    EXPECT_EQ(weft_device_start(&desc, &devices[100]), WEFT_OK);
    EXPECT_EQ(weft_device_wait(devices[100], UINT64_MAX), WEFT_OK);
    for (int i = 0; i < MOST; ++i)
        weft_device_destroy(devices[i]);
}
