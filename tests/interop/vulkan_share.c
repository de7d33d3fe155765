// Weft on a device that the host opened.
#include "vulkan_host.h"

enum { BYTES = RECORD_WIDTH * RECORD_HEIGHT * 4 };

/// Clears, draws over everything, and reads back.
static void draw(struct fixture *f)
{
    static uint8_t texels[BYTES];
    struct record_plain plain = record_plain_create(f);
    weft_command_buffer *cmd = record_begin(f);
    host_draw(cmd, &plain);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(f, cmd);
    EXPECT_EQ(weft_texture_read(f->dev, plain.target, NULL, texels, sizeof texels, NULL), WEFT_OK);
    for (uint32_t i = 0; i < BYTES; i += 4)
        EXPECT(texels[i] == 255 && texels[i + 1] >= 127 && texels[i + 1] <= 128 &&
               texels[i + 3] == 255);
    record_plain_destroy(f, &plain);
}

static void expect_same(const weft_vulkan_device *got, const weft_vulkan_device *given)
{
    EXPECT(got->instance == given->instance);
    EXPECT(got->physical_device == given->physical_device);
    EXPECT(got->device == given->device);
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++) {
        EXPECT(got->queues[i].handle == given->queues[WEFT_QUEUE_GRAPHICS].handle);
        EXPECT_EQ(got->queues[i].family, given->queues[WEFT_QUEUE_GRAPHICS].family);
    }
}

TEST(vulkan_share, weft_draws_on_the_hosts_device_with_what_was_enabled)
{
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    struct fixture f = host_fixture(&h);
    const weft_capabilities *caps = weft_device_capabilities(f.dev);
    EXPECT_EQ(caps->backend, WEFT_BACKEND_VULKAN);
    const weft_feature_set not_enabled = WEFT_FEATURE_HEAP | WEFT_FEATURE_INT64 |
                                         WEFT_FEATURE_MESH_SHADERS | WEFT_FEATURE_RAY_QUERY |
                                         WEFT_FEATURE_LINE_FILL | WEFT_FEATURE_DYNAMIC_BLEND |
                                         WEFT_FEATURE_ANISOTROPY | WEFT_FEATURE_INDIRECT_COUNT;
    EXPECT_EQ(caps->features & not_enabled, 0);
    EXPECT_EQ((caps->features & WEFT_FEATURE_POINTERS) != 0, h.features12.bufferDeviceAddress);
    EXPECT_EQ(caps->compute_queues + caps->copy_queues, 0);
    draw(&f);
    EXPECT(h.locks > 0);
    EXPECT_EQ(h.locked, 0);
    weft_vulkan_device told;
    EXPECT_EQ(weft_vulkan_get_device(f.dev, &told), WEFT_OK);
    expect_same(&told, &h.shared);
    EXPECT_EQ(told.extension_count, 0);
    host_expect_quiet(&f);
    fixture_close(&f);
    host_close(&h);
}

TEST(vulkan_share, what_is_enabled_is_offered)
{
    struct host h;
    if (!host_open(&h, HOST_RICH))
        return;
    struct fixture f = host_fixture(&h);
    const weft_feature_set features = weft_device_capabilities(f.dev)->features;
    EXPECT_EQ((features & WEFT_FEATURE_POINTERS) != 0, h.features12.bufferDeviceAddress);
    EXPECT_EQ((features & WEFT_FEATURE_INT64) != 0, h.features.features.shaderInt64);
    EXPECT_EQ((features & WEFT_FEATURE_ANISOTROPY) != 0, h.features.features.samplerAnisotropy);
    EXPECT_EQ(features & (WEFT_FEATURE_MESH_SHADERS | WEFT_FEATURE_DYNAMIC_BLEND), 0);
    draw(&f);
    host_expect_quiet(&f);
    fixture_close(&f);
    host_close(&h);
}

TEST(vulkan_share, devices_of_weft_share_one_of_the_hosts)
{
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    h.shared.lock_queue = NULL; // one thread needs none
    h.shared.unlock_queue = NULL;
    struct fixture a = host_fixture(&h);
    weft_vulkan_device told;
    EXPECT_EQ(weft_vulkan_get_device(a.dev, &told), WEFT_OK);
    const weft_native native = weft_vulkan_from_device(&told);
    struct fixture b = fixture_open_desc(&(weft_device_desc){.native = &native});
    draw(&a);
    draw(&b);
    fixture_close(&b);
    draw(&a);
    fixture_close(&a);
    host_close(&h);
}

enum { ROUNDS = 40 };

/// Submits and waits, on a thread of its own; NULL if all went well.
static void *submit_often(void *of)
{
    struct fixture *f = of;
    weft_result result = WEFT_OK;
    for (int i = 0; i < ROUNDS && result == WEFT_OK; i++) {
        weft_command_buffer *cmd;
        result = weft_command_begin(f->dev, NULL, &cmd);
        if (result == WEFT_OK)
            result = weft_command_end(cmd);
        const weft_submit work = {.commands = &cmd, .command_count = 1};
        if (result == WEFT_OK)
            result = weft_queue_submit(f->dev, WEFT_QUEUE_GRAPHICS, &work, NULL);
        if (result == WEFT_OK && i % 8 == 0)
            result = weft_device_wait_idle(f->dev);
    }
    return result == WEFT_OK ? NULL : f;
}

TEST(vulkan_share, threads_take_turns_at_the_hosts_queue)
{
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    struct fixture devices[] = {host_fixture(&h), host_fixture(&h)};
    pthread_t threads[2];
    const int before = h.locks;
    for (int i = 0; i < 2; i++)
        EXPECT_EQ(pthread_create(&threads[i], NULL, submit_often, &devices[i]), 0);
    for (int i = 0; i < ROUNDS; i++) {
        host_begin(&h);
        host_submit(&h, NULL, NULL, true);
    }
    for (int i = 0; i < 2; i++) {
        void *failed;
        EXPECT_EQ(pthread_join(threads[i], &failed), 0);
        EXPECT(failed == NULL);
        host_expect_quiet(&devices[i]);
    }
    EXPECT(h.locks - before >= 3 * ROUNDS);
    fixture_close(&devices[0]);
    fixture_close(&devices[1]);
    host_close(&h);
}

/// Starts and expects a failure; the reason is in the log.
static struct fixture start(const weft_vulkan_device *device)
{
    const weft_native native = weft_vulkan_from_device(device);
    struct fixture f = fixture_start(&(weft_device_desc){.native = &native});
    EXPECT_EQ(weft_device_startup(f.dev).state, WEFT_DEVICE_FAILED);
    return f;
}

static void end(struct fixture *f)
{
    fixture_end(f);
    fixture_free(f);
}

static void expect_lack(struct host *h, const char *what)
{
    struct fixture f = start(&h->shared);
    EXPECT_EQ(weft_device_wait(f.dev, 0), WEFT_ERROR_UNSUPPORTED);
    const char *reason = weft_device_startup(f.dev).records[0].reason;
    if (!strstr(reason, "was opened without ") || !strstr(reason, what))
        test_fail(__FILE__, __LINE__, "%s: %s", what, reason);
    end(&f);
    h->device = h->shared.device;
    h->DestroyDevice = (PFN_vkDestroyDevice)h->GetDeviceProcAddr(h->device, "vkDestroyDevice");
    h->DestroyDevice(h->device, NULL);
    h->device = VK_NULL_HANDLE;
    host_close(h);
}

TEST(vulkan_share, a_need_that_was_not_enabled_is_named)
{
    struct host h;
    if (host_open(&h, HOST_WITHOUT_SYNC_2))
        expect_lack(&h, "synchronization2");
}

TEST(vulkan_share, few_push_constants_need_addresses)
{
    struct host h;
    if (!host_open(&h, HOST_WITHOUT_ADDRESSES))
        return;
    if (host_push_constants(&h) < 256)
        expect_lack(&h, "buffer device addresses");
    else
        host_close(&h);
}

static void expect_refused(const weft_vulkan_device *device, const char *member)
{
    struct fixture f = start(device);
    EXPECT_EQ(weft_device_wait(f.dev, 0), WEFT_ERROR_USAGE);
    if (!strstr(f.log->message, member))
        test_fail(__FILE__, __LINE__, "%s: %s", member, f.log->message);
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_OBJECT));
    end(&f);
}

TEST(vulkan_share, each_missing_member_is_named)
{
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    const weft_vulkan_device whole = h.shared;
    weft_vulkan_device d = whole;
    d.instance = VK_NULL_HANDLE;
    expect_refused(&d, ".instance is null");
    d = whole;
    d.physical_device = VK_NULL_HANDLE;
    expect_refused(&d, ".physical_device is null");
    d = whole;
    d.device = VK_NULL_HANDLE;
    expect_refused(&d, ".device is null");
    d = whole;
    d.get_instance_proc_addr = NULL;
    expect_refused(&d, ".get_instance_proc_addr is NULL");
    d = whole;
    d.api_version = VK_API_VERSION_1_2;
    expect_refused(&d, ".api_version is below 1.3");
    d = whole;
    d.queues[WEFT_QUEUE_GRAPHICS].handle = VK_NULL_HANDLE;
    expect_refused(&d, ".queues has no graphics queue");
    d = whole;
    d.queues[WEFT_QUEUE_GRAPHICS].family = 77;
    expect_refused(&d, "a family of");
    d = whole;
    d.queues[WEFT_QUEUE_COMPUTE].handle = d.queues[WEFT_QUEUE_COPY].handle = (VkQueue)&d;
    expect_refused(&d, "the compute and the copy queue");
    d = whole;
    d.features = NULL;
    expect_refused(&d, ".features is NULL");
    d = whole;
    d.extension_count = 1;
    expect_refused(&d, ".extensions is NULL");
    d = whole;
    d.instance_extensions = NULL;
    expect_refused(&d, ".instance_extensions is NULL");
    d = whole;
    d.unlock_queue = NULL;
    expect_refused(&d, "one of");
    weft_native native = weft_vulkan_from_device(&whole);
    native.size--;
    struct fixture f = fixture_start(&(weft_device_desc){.native = &native});
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_OBJECT));
    end(&f);
    host_close(&h);
}
