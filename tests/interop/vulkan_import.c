// The host's images and buffers as Weft's.
#include "vulkan_host.h"

enum { BYTES = RECORD_WIDTH * RECORD_HEIGHT * 4 };

static const weft_texture_desc like = {
    .format = WEFT_FORMAT_RGBA8_UNORM,
    .width = RECORD_WIDTH,
    .height = RECORD_HEIGHT,
    .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC,
};

static weft_texture import(struct fixture *f, const weft_vulkan_image *image)
{
    const weft_native native = weft_vulkan_from_image(image);
    weft_texture_desc desc = like;
    desc.place.native = &native;
    weft_texture texture;
    EXPECT_EQ(weft_texture_create(f->dev, &desc, &texture), WEFT_OK);
    return texture;
}

static void hand_over(weft_command_buffer *cmd, weft_texture texture, weft_texture_state before,
                      weft_texture_state after)
{
    weft_command_texture_barrier(cmd,
                                 &(weft_texture_barrier){.texture = texture,
                                                         .before = before,
                                                         .after = after,
                                                         .producers = WEFT_STAGE_ALL,
                                                         .consumers = WEFT_STAGE_ALL},
                                 1);
}

static uint8_t red(const uint8_t *texels, size_t x, size_t y)
{
    return texels[(y * RECORD_WIDTH + x) * 4];
}

TEST(vulkan_import, weft_draws_to_the_hosts_image_and_hands_it_over)
{
    static uint8_t texels[BYTES];
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    struct fixture f = host_fixture(&h);
    struct host_image image = host_image(&h);
    struct host_buffer copy = host_buffer(&h, BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const weft_vulkan_image told =
        host_image_told(&image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    const weft_texture texture = import(&f, &told);
    weft_vulkan_image got;
    EXPECT_EQ(weft_vulkan_get_image(f.dev, texture, &got), WEFT_OK);
    EXPECT(got.image == image.handle);
    EXPECT_EQ(got.layout, VK_IMAGE_LAYOUT_UNDEFINED);
    EXPECT_EQ(got.native_layout, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    const weft_texture_view view = record_view(&f, texture);
    struct record_plain plain = record_plain_create(&f);

    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, view);
    weft_render_set_pipeline(enc, plain.pipeline);
    weft_render_set_scissor(enc, &(weft_rect){3, 5, 20, 10});
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    hand_over(cmd, texture, WEFT_TEXTURE_STATE_RESTING, WEFT_TEXTURE_STATE_NATIVE);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);

    host_begin(&h);
    host_copy_out(&h, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, copy.handle);
    host_submit(&h, NULL, NULL, true);

    cmd = record_begin(&f);
    hand_over(cmd, texture, WEFT_TEXTURE_STATE_NATIVE, WEFT_TEXTURE_STATE_RESTING);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT_EQ(weft_texture_read(f.dev, texture, NULL, texels, sizeof texels, NULL), WEFT_OK);
    EXPECT_MEM(copy.mapped, texels, BYTES);
    EXPECT_EQ(red(texels, 3, 5), 255); // the corner of what was drawn
    EXPECT_EQ(red(texels, 2, 5), 0);
    EXPECT_EQ(red(texels, 22, 14), 255);
    EXPECT_EQ(red(texels, 22, 15), 0);

    EXPECT_EQ(weft_vulkan_get_image(f.dev, texture, &got), WEFT_OK);
    EXPECT_EQ(got.layout, VK_IMAGE_LAYOUT_GENERAL);
    host_expect_quiet(&f);
    record_plain_destroy(&f, &plain);
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, texture);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);

    // It is the host's as before.
    memset(copy.mapped, 0, BYTES);
    host_begin(&h);
    host_copy_out(&h, image.handle, VK_IMAGE_LAYOUT_GENERAL, copy.handle);
    host_submit(&h, NULL, NULL, true);
    EXPECT_MEM(copy.mapped, texels, BYTES);
    fixture_close(&f);
    host_image_free(&h, &image);
    host_buffer_free(&h, &copy);
    host_close(&h);
}

TEST(vulkan_import, what_the_host_wrote_is_kept)
{
    static uint8_t texels[BYTES];
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    struct fixture f = host_fixture(&h);
    struct host_image image = host_image(&h);
    const VkClearColorValue color = {.float32 = {0, 1, 0, 1}};
    const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    host_begin(&h);
    host_barrier(&h, image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    h.CmdClearColorImage(h.cmd, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1,
                         &whole);
    host_submit(&h, NULL, NULL, false); // Weft's first submission comes behind it
    const weft_vulkan_image told =
        host_image_told(&image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_UNDEFINED);
    const weft_texture texture = import(&f, &told);
    EXPECT_EQ(weft_texture_read(f.dev, texture, NULL, texels, sizeof texels, NULL), WEFT_OK);
    for (uint32_t i = 0; i < BYTES; i += 4)
        EXPECT(texels[i] == 0 && texels[i + 1] == 255 && texels[i + 2] == 0);
    host_expect_quiet(&f);
    weft_texture_destroy(f.dev, texture);
    fixture_close(&f);
    host_image_free(&h, &image);
    host_close(&h);
}

TEST(vulkan_import, a_buffer_of_the_hosts_is_written_and_read)
{
    enum { SIZE = 256 };
    uint8_t in[SIZE], out[SIZE];
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    struct fixture f = host_fixture(&h);
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    struct host_buffer own = host_buffer(&h, SIZE, usage);
    const weft_vulkan_buffer told = {own.handle, SIZE, usage};
    const weft_native native = weft_vulkan_from_buffer(&told);
    for (int i = 0; i < SIZE; i++)
        in[i] = (uint8_t)(i * 7);
    const weft_buffer_desc desc = {
        .size = SIZE,
        .usage = WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC,
        .data = in,
        .place.native = &native,
    };
    weft_buffer buffer;
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buffer), WEFT_OK);
    EXPECT_EQ(weft_buffer_read(f.dev, buffer, 0, out, SIZE), WEFT_OK);
    EXPECT_MEM(out, in, SIZE);
    weft_vulkan_buffer got;
    EXPECT_EQ(weft_vulkan_get_buffer(f.dev, buffer, &got), WEFT_OK);
    EXPECT(got.buffer == own.handle);
    EXPECT_EQ(got.size, SIZE);
    host_expect_quiet(&f);
    EXPECT_EQ(weft_buffer_rebind(f.dev, buffer), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_REBIND_PLACED));
    weft_buffer_destroy(f.dev, buffer);
    fixture_close(&f);
    EXPECT_MEM(own.mapped, in, SIZE);
    host_buffer_free(&h, &own);
    host_close(&h);
}

static void expect_image_refused(struct fixture *f, const weft_vulkan_image *image,
                                 const char *member)
{
    const weft_native native = weft_vulkan_from_image(image);
    weft_texture_desc desc = like;
    desc.place.native = &native;
    weft_texture texture;
    EXPECT_EQ(weft_texture_create(f->dev, &desc, &texture), WEFT_ERROR_USAGE);
    EXPECT(weft_texture_is_none(texture));
    if (!strstr(f->log->message, member))
        test_fail(__FILE__, __LINE__, "%s: %s", member, f->log->message);
    EXPECT(fixture_took(f, WEFT_RULE_NATIVE_OBJECT));
}

static void expect_buffer_refused(struct fixture *f, const weft_vulkan_buffer *buffer,
                                  const char *member)
{
    const weft_native native = weft_vulkan_from_buffer(buffer);
    const weft_buffer_desc desc = {
        .size = 64, .usage = WEFT_BUFFER_USAGE_VERTEX, .place.native = &native};
    weft_buffer out;
    EXPECT_EQ(weft_buffer_create(f->dev, &desc, &out), WEFT_ERROR_USAGE);
    EXPECT(weft_buffer_is_none(out));
    if (!strstr(f->log->message, member))
        test_fail(__FILE__, __LINE__, "%s: %s", member, f->log->message);
    EXPECT(fixture_took(f, WEFT_RULE_NATIVE_OBJECT));
}

TEST(vulkan_import, what_does_not_fit_its_description_is_refused)
{
    struct host h;
    if (!host_open(&h, HOST_PLAIN))
        return;
    struct fixture f = host_fixture(&h);
    struct host_image own = host_image(&h);
    const weft_vulkan_image whole =
        host_image_told(&own, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED);
    weft_vulkan_image i = whole;
    i.image = VK_NULL_HANDLE;
    expect_image_refused(&f, &i, ".image is null");
    i = whole;
    i.format = VK_FORMAT_R8G8B8A8_SRGB;
    expect_image_refused(&f, &i, ".format is not");
    i = whole;
    i.usage &= ~(VkImageUsageFlags)VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    expect_image_refused(&f, &i, ".usage lacks");
    i = whole;
    i.native_layout = VK_IMAGE_LAYOUT_PREINITIALIZED;
    expect_image_refused(&f, &i, ".native_layout is PREINITIALIZED");
    weft_native native = weft_vulkan_from_image(&whole);
    weft_texture_desc desc = like;
    weft_texture texture;
    desc.place.native = &native;
    desc.view_format = WEFT_FORMAT_RGBA8_UNORM_SRGB;
    EXPECT_EQ(weft_texture_create(f.dev, &desc, &texture), WEFT_ERROR_USAGE);
    EXPECT(strstr(f.log->message, ".flags lacks") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_OBJECT));
    native.size = 1;
    EXPECT_EQ(weft_texture_create(f.dev, &desc, &texture), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_NATIVE_OBJECT));

    struct host_buffer bytes = host_buffer(&h, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const weft_vulkan_buffer filled = {bytes.handle, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT};
    weft_vulkan_buffer b = filled;
    b.buffer = VK_NULL_HANDLE;
    expect_buffer_refused(&f, &b, ".buffer is null");
    b = filled;
    b.size = 60;
    expect_buffer_refused(&f, &b, ".size is below");
    b = filled;
    b.usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
    expect_buffer_refused(&f, &b, ".usage lacks");
    host_buffer_free(&h, &bytes);
    host_image_free(&h, &own);
    fixture_close(&f);
    host_close(&h);
}
