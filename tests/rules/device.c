#include "support/fixture.h"

static void expect_start_refused(weft_device_desc desc, weft_rule rule)
{
    desc.backends |= 1u << WEFT_BACKEND_NOOP;
    struct fixture f = fixture_start(&desc);
    EXPECT(fixture_took(&f, rule));
    EXPECT_EQ(weft_device_startup(f.dev).state, WEFT_DEVICE_FAILED);
    EXPECT_EQ(weft_device_wait(f.dev, 0), WEFT_ERROR_USAGE);
    fixture_end(&f);
    fixture_free(&f);
}

static void *some_alloc(void *user, size_t size, size_t align)
{
    (void)user, (void)align;
    return malloc(size);
}

TEST(device_rules, each_broken_description_is_refused_by_its_rule)
{
    expect_start_refused((weft_device_desc){.frames_in_flight = 5},
                         WEFT_RULE_DEVICE_FRAMES_IN_FLIGHT);
    expect_start_refused((weft_device_desc){.backends = 1u << 31}, WEFT_RULE_BITS_UNKNOWN);
    expect_start_refused((weft_device_desc){.flags = 1u << 31}, WEFT_RULE_BITS_UNKNOWN);
    expect_start_refused((weft_device_desc){.validation = (weft_validation)77},
                         WEFT_RULE_ENUM_UNKNOWN);
    expect_start_refused((weft_device_desc){.hooks = &(weft_host_hooks){.alloc = some_alloc}},
                         WEFT_RULE_HOOKS_INCOMPLETE);
    expect_start_refused(
        (weft_device_desc){.software = &(weft_software_options){.subgroup_size = 5}},
        WEFT_RULE_DEVICE_SUBGROUP_SIZE);
    expect_start_refused(
        (weft_device_desc){.software = &(weft_software_options){.tier = (weft_software_tier)9}},
        WEFT_RULE_ENUM_UNKNOWN);
}

TEST(device_rules, a_device_that_is_not_ready_takes_no_calls)
{
    struct fixture f = fixture_start(
        &(weft_device_desc){.backends = 1u << WEFT_BACKEND_NOOP, .frames_in_flight = 9});
    fixture_clear(&f);
    weft_buffer buf = {.index = 1};
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 4}, &buf), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_DEVICE_NOT_READY));
    EXPECT(weft_buffer_is_none(buf));
    EXPECT(weft_buffer_map(f.dev, (weft_buffer){3, 4}, 0, 0) == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_DEVICE_NOT_READY));
    EXPECT(weft_device_capabilities(f.dev) == NULL);
    EXPECT_EQ(weft_device_poll(f.dev), 0);
    fixture_end(&f);
    fixture_free(&f);
}

TEST(device_rules, leaks_are_told_by_label)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 4, .label = "forgotten"};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    weft_device_shutdown(f.dev);
    EXPECT_EQ(f.log->severity, WEFT_SEVERITY_WARNING);
    EXPECT_STR(f.log->label, "forgotten");
    EXPECT(fixture_took(&f, WEFT_RULE_OBJECT_LEAKED));
    weft_device_shutdown(f.dev);
    EXPECT_EQ(weft_device_startup(f.dev).state, WEFT_DEVICE_SHUT_DOWN);
    weft_buffer_destroy(f.dev, buf); // in silence: there is nobody left to tell
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_end(&f);
    fixture_free(&f);
}

TEST(device_rules, attachments_have_keys_of_their_own)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    static const char keys[17];
    int data = 0;
    EXPECT_EQ(weft_device_attach(f.dev, &keys[0], &data, NULL), WEFT_OK);
    EXPECT_EQ(weft_device_attach(f.dev, &keys[0], NULL, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ATTACH_KEY_TAKEN));
    EXPECT(weft_device_attached(f.dev, &keys[0]) == &data);
    EXPECT(weft_device_attached(f.dev, &keys[1]) == NULL);
    for (int i = 1; i < 16; ++i)
        EXPECT_EQ(weft_device_attach(f.dev, &keys[i], NULL, NULL), WEFT_OK);
    EXPECT_EQ(weft_device_attach(f.dev, &keys[16], NULL, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ATTACH_FULL));
    fixture_close(&f);
}

TEST(device_rules, the_portability_lint_tells_each_thing_once)
{
    struct fixture f = fixture_open_desc(&(weft_device_desc){
        .backends = 1u << WEFT_BACKEND_NOOP, .flags = WEFT_DEVICE_PORTABILITY_LINT});
    weft_buffer buf;
    weft_buffer_desc desc = {.size = 64, .usage = WEFT_BUFFER_USAGE_ADDRESS};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    EXPECT(strstr(f.log->message, "d3d12, d3d11, opengl, webgpu, webgl2") != NULL);
    EXPECT_EQ(f.log->severity, WEFT_SEVERITY_WARNING);
    EXPECT(fixture_took(&f, WEFT_RULE_PORTABILITY));
    weft_buffer_destroy(f.dev, buf);
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_buffer_destroy(f.dev, buf);
    weft_texture tex;
    EXPECT_EQ(weft_texture_create(
                  f.dev, &(weft_texture_desc){.format = WEFT_FORMAT_R8_UNORM, .width = 9000}, &tex),
              WEFT_OK);
    EXPECT(fixture_took(&f, WEFT_RULE_PORTABILITY));
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(device_rules, the_portability_lint_knows_who_has_no_anisotropy)
{
    struct fixture f = fixture_open_desc(&(weft_device_desc){
        .backends = 1u << WEFT_BACKEND_NOOP, .flags = WEFT_DEVICE_PORTABILITY_LINT});
    weft_sampler sampler;
    weft_sampler_desc desc = {
        .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR};
    EXPECT_EQ(weft_sampler_create(f.dev, &desc, &sampler), WEFT_OK);
    weft_sampler_destroy(f.dev, sampler);
    EXPECT_EQ(fixture_count(&f), 0);
    desc.anisotropy = 4;
    EXPECT_EQ(weft_sampler_create(f.dev, &desc, &sampler), WEFT_OK);
    EXPECT(strstr(f.log->message, "anisotropy; not sure to be there on: webgl2.") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_PORTABILITY));
    weft_sampler_destroy(f.dev, sampler);
    fixture_close(&f);
}

TEST(scope_rules, scopes_are_sixteen_deep_and_pop_in_pairs)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    for (int i = 0; i < 16; ++i)
        EXPECT_EQ(weft_error_scope_push(f.dev, WEFT_SEVERITY_ERROR), WEFT_OK);
    EXPECT_EQ(weft_error_scope_push(f.dev, WEFT_SEVERITY_ERROR), WEFT_ERROR_USAGE);
    weft_error_scope_result result;
    EXPECT_EQ(weft_error_scope_pop(f.dev, &result), WEFT_OK);
    EXPECT_EQ(result.count, 1); // the seventeenth push
    EXPECT_EQ(result.code, WEFT_RULE_ERROR_SCOPE_DEPTH);
    for (int i = 1; i < 16; ++i)
        EXPECT_EQ(weft_error_scope_pop(f.dev, &result), WEFT_OK);
    EXPECT_EQ(fixture_count(&f), 0);
    EXPECT_EQ(weft_error_scope_pop(f.dev, &result), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ERROR_SCOPE_EMPTY));
    fixture_close(&f);
}

TEST(rule_texts, remedies_name_all_that_helps)
{
    const char *const workgroup = weft_rule_from_code(WEFT_RULE_SHADER_WORKGROUP)->remedy;
    EXPECT(strstr(workgroup, "max_workgroup_size") && strstr(workgroup, "max_workgroup_memory"));
    const char *const late = weft_rule_from_code(WEFT_RULE_PIPELINE_NOT_READY)->remedy;
    EXPECT(strstr(late, "weft_graphics_pipeline_ready()") &&
           strstr(late, "weft_compute_pipeline_ready()"));
}
