// What is behind Weft's own objects, in the hands of a host.
#include "vulkan_host.h"

enum { BYTES = RECORD_WIDTH * RECORD_HEIGHT * 4 };

/// A device that Weft opened, and a host beside it. False, after skipping, without Vulkan.
static bool open(struct fixture *f, struct host *h)
{
    *h = (struct host){0};
    *f = fixture_start(&(weft_device_desc){.backends = 1u << WEFT_BACKEND_VULKAN,
                                           .validation = WEFT_VALIDATION_FULL});
    if (weft_device_startup(f->dev).state != WEFT_DEVICE_READY) {
        fixture_end(f);
        fixture_free(f);
        test_skip("there is no Vulkan device");
        return false;
    }
    weft_vulkan_device told;
    EXPECT_EQ(weft_vulkan_get_device(f->dev, &told), WEFT_OK);
    EXPECT(told.instance && told.physical_device && told.device && told.get_instance_proc_addr);
    EXPECT_EQ(told.api_version, VK_API_VERSION_1_3);
    EXPECT(told.features != NULL);
    for (int i = 0; i < WEFT_QUEUE_COUNT; i++)
        EXPECT(told.queues[i].handle != VK_NULL_HANDLE);
    host_adopt(h, &told);
    return true;
}

static VkSemaphoreSubmitInfo point(VkSemaphore semaphore, uint64_t value)
{
    return (VkSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = semaphore,
        .value = value,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
}

static void submit(struct fixture *f, weft_command_buffer *cmd, const weft_timeline_point *wait,
                   const weft_timeline_point *signal)
{
    const weft_submit work = {
        .commands = &cmd,
        .command_count = 1,
        .waits = wait,
        .wait_count = wait ? 1 : 0,
        .signals = signal,
        .signal_count = signal ? 1 : 0,
    };
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    EXPECT_EQ(weft_queue_submit(f->dev, WEFT_QUEUE_GRAPHICS, &work, NULL), WEFT_OK);
}

TEST(vulkan_get, a_host_copies_wefts_texture_between_two_values_of_a_timeline)
{
    static uint8_t texels[BYTES], again[BYTES];
    struct host h;
    struct fixture f;
    if (!open(&f, &h))
        return;
    struct record_plain plain = record_plain_create(&f);
    weft_timeline timeline;
    VkSemaphore semaphore;
    weft_vulkan_image image;
    weft_vulkan_view view;
    weft_vulkan_buffer copy;
    EXPECT_EQ(weft_timeline_create(f.dev, NULL, &timeline), WEFT_OK);
    EXPECT_EQ(weft_vulkan_get_timeline(f.dev, timeline, &semaphore), WEFT_OK);
    const weft_buffer buffer =
        record_buffer(&f, BYTES, WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC);
    const weft_buffer second =
        record_buffer(&f, BYTES, WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC);
    EXPECT_EQ(weft_vulkan_get_buffer(f.dev, buffer, &copy), WEFT_OK);
    EXPECT_EQ(copy.size, BYTES);
    EXPECT(copy.usage & VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    EXPECT_EQ(weft_vulkan_get_view(f.dev, plain.view, &view), WEFT_OK);
    EXPECT(view.attached != VK_NULL_HANDLE);
    EXPECT_EQ(weft_vulkan_get_image(f.dev, plain.target, &image), WEFT_OK);
    EXPECT_EQ(image.layout, VK_IMAGE_LAYOUT_UNDEFINED);
    EXPECT_EQ(image.format, VK_FORMAT_R8G8B8A8_UNORM);

    weft_command_buffer *cmd = record_begin(&f);
    host_draw(cmd, &plain);
    submit(&f, cmd, NULL, &(weft_timeline_point){.timeline = timeline, .value = 1});
    EXPECT_EQ(weft_vulkan_get_image(f.dev, plain.target, &image), WEFT_OK);
    EXPECT_EQ(image.layout, VK_IMAGE_LAYOUT_GENERAL);

    const VkSemaphoreSubmitInfo drawn = point(semaphore, 1), copied = point(semaphore, 2);
    host_begin(&h);
    host_copy_out(&h, image.image, image.layout, copy.buffer);
    host_submit(&h, &drawn, &copied, false);

    host_expect_quiet(&f);
    EXPECT_EQ(weft_timeline_wait(f.dev, timeline, 2, UINT64_MAX), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TIMELINE_NOT_SUBMITTED)); // Weft does not know of it
    EXPECT_EQ(weft_native_promise(f.dev, timeline, 2), WEFT_OK);
    // Drawn before the host, and copied after it: that there is no barrier is in order.
    cmd = record_begin(&f);
    weft_compute_encoder *copies = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture_to_buffer(copies, plain.target, NULL, second, NULL);
    weft_compute_end(copies);
    submit(&f, cmd, &(weft_timeline_point){.timeline = timeline, .value = 2}, NULL);
    EXPECT_EQ(weft_timeline_wait(f.dev, timeline, 2, UINT64_MAX), WEFT_OK);
    EXPECT_EQ(weft_buffer_read(f.dev, buffer, 0, texels, BYTES), WEFT_OK);
    EXPECT_EQ(weft_buffer_read(f.dev, second, 0, again, BYTES), WEFT_OK);
    for (uint32_t i = 0; i < BYTES; i += 4)
        EXPECT(texels[i] == 255 && texels[i + 3] == 255);
    EXPECT_MEM(again, texels, BYTES);
    host_expect_quiet(&f);
    EXPECT_EQ(weft_native_promise(f.dev, timeline, 2), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TIMELINE_VALUE));
    host_drop(&h);
    record_plain_destroy(&f, &plain);
    weft_buffer_destroy(f.dev, buffer);
    weft_buffer_destroy(f.dev, second);
    weft_timeline_destroy(f.dev, timeline);
    fixture_close(&f);
}

TEST(vulkan_get, a_host_records_in_the_midst_of_wefts_commands)
{
    uint32_t words[16];
    static uint8_t texels[BYTES];
    struct host h;
    struct fixture f;
    if (!open(&f, &h))
        return;
    struct record_plain plain = record_plain_create(&f);
    weft_vulkan_buffer raw;
    const weft_buffer buffer =
        record_buffer(&f, sizeof words, WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC);
    EXPECT_EQ(weft_vulkan_get_buffer(f.dev, buffer, &raw), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&f);
    for (int i = 0; i < 2; i++) {
        host_draw(cmd, &plain);
        h.cmd = weft_vulkan_command(cmd);
        EXPECT(h.cmd != VK_NULL_HANDLE);
        h.CmdFillBuffer(h.cmd, raw.buffer, (VkDeviceSize)i * 32, 32,
                        0x11111111u * (uint32_t)(i + 1));
        weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    }
    weft_render_encoder *enc = record_pass(cmd, plain.view);
    EXPECT(weft_vulkan_command(cmd) == VK_NULL_HANDLE); // inside of an encoder
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_saw(&f, WEFT_RULE_COMMAND_ENCODER_OPEN));
    fixture_clear(&f);

    cmd = record_begin(&f);
    enc = record_pass(cmd, plain.view);
    weft_render_end(enc);
    h.cmd = weft_vulkan_command(cmd);
    h.CmdFillBuffer(h.cmd, raw.buffer, 0, sizeof words, 0x2a2a2a2a);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    host_draw(cmd, &plain);
    submit(&f, cmd, NULL, NULL);
    EXPECT_EQ(weft_buffer_read(f.dev, buffer, 0, words, sizeof words), WEFT_OK);
    for (int i = 0; i < 16; i++)
        EXPECT_EQ(words[i], 0x2a2a2a2a);
    EXPECT_EQ(weft_texture_read(f.dev, plain.target, NULL, texels, BYTES, NULL), WEFT_OK);
    EXPECT_EQ(texels[0], 255);
    host_expect_quiet(&f);
    host_drop(&h);
    record_plain_destroy(&f, &plain);
    weft_buffer_destroy(f.dev, buffer);
    fixture_close(&f);
}

TEST(vulkan_get, another_structure_is_refused)
{
    struct host h;
    struct fixture f;
    if (!open(&f, &h))
        return;
    weft_vulkan_device told;
    const weft_object device = {.kind = WEFT_OBJECT_DEVICE};
    EXPECT_EQ(weft_native_get(f.dev, device, WEFT_BACKEND_VULKAN, &told, sizeof told - 1),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_OBJECT));
    EXPECT(told.device == VK_NULL_HANDLE);
    EXPECT_EQ(weft_native_get(f.dev, device, WEFT_BACKEND_METAL, &told, sizeof told),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_BACKEND));
    host_drop(&h);
    fixture_close(&f);
}

/// A host that shares what Weft opened with another device of Weft's.
TEST(vulkan_get, wefts_own_device_can_be_shared_in_turn)
{
    struct host h;
    struct fixture f;
    if (!open(&f, &h))
        return;
    struct fixture g = host_fixture(&h);
    const weft_capabilities *first = weft_device_capabilities(f.dev);
    const weft_capabilities *second = weft_device_capabilities(g.dev);
    EXPECT_EQ(first->features, second->features);
    EXPECT_EQ(first->compute_queues, second->compute_queues);
    EXPECT_MEM(second->formats, first->formats, sizeof first->formats);
    struct record_plain plain = record_plain_create(&g);
    weft_command_buffer *cmd = record_begin(&g);
    weft_render_end(record_pass(cmd, plain.view));
    submit(&g, cmd, NULL, NULL);
    EXPECT_EQ(weft_device_wait_idle(g.dev), WEFT_OK);
    host_expect_quiet(&f);
    host_expect_quiet(&g);
    record_plain_destroy(&g, &plain);
    fixture_close(&g);
    host_drop(&h);
    fixture_close(&f);
}
