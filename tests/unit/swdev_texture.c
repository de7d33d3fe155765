// The software device's textures, mips and surfaces, through commands.
#include <string.h>

#include "swdev.h"

static weft_texture_desc desc_2d(weft_format format, uint32_t width, uint32_t height)
{
    return (weft_texture_desc){
        .format = format,
        .width = width,
        .height = height,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage =
            WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST,
    };
}

static weft_texture_region whole(const struct wf_hal_texture *tex)
{
    return (weft_texture_region){
        .layer_count = 1,
        .width = tex->desc.width,
        .height = tex->desc.height,
        .depth = 1,
        .aspect = WEFT_ASPECT_COLOR,
    };
}

TEST(swdev_texture, odd_regions_go_in_and_come_out)
{
    struct swdev s;
    swdev_open(&s, NULL);
    const weft_texture_desc desc = desc_2d(WEFT_FORMAT_RGBA8_UNORM, 33, 17);
    struct wf_hal_texture *tex = swdev_texture(&s, &desc), *other = swdev_texture(&s, &desc);
    struct wf_hal_buffer *in = swdev_buffer(&s, UINT64_C(4) * 33 * 17, WEFT_MEMORY_DEFAULT);
    struct wf_hal_buffer *out = swdev_buffer(&s, 8 + 10 * 256, WEFT_MEMORY_READBACK);
    for (uint32_t i = 0; i < 33 * 17 * 4; i++)
        in->mapped[i] = (uint8_t)(i * 13 >> 2);
    memset(out->mapped, 0xcc, (size_t)out->size);

    const struct wf_hal_texel_layout tight = {.row_bytes = UINT64_C(4) * 33, .slice_rows = 17};
    const struct wf_hal_texel_layout wide = {.offset = 8, .row_bytes = 256, .slice_rows = 10};
    const weft_texture_region all = whole(tex);
    weft_texture_region part = all, moved = all;
    part.x = 5, part.y = 3, part.width = 7, part.height = 10;
    moved.x = 20, moved.y = 1, moved.width = 7, moved.height = 10;
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_begin_compute(cmd, NULL, UINT32_MAX, UINT32_MAX, NULL);
    s.ops->cmd_copy_buffer_to_texture(cmd, in, &tight, tex, &all);
    s.ops->cmd_copy_texture(cmd, tex, &part, other, &moved);
    s.ops->cmd_copy_texture_to_buffer(cmd, other, &moved, out, &wide);
    s.ops->cmd_end_compute(cmd);
    swdev_run(&s, cmd);
    for (uint32_t y = 0; y < 10; y++) {
        const uint8_t *row = out->mapped + 8 + (size_t)y * 256;
        EXPECT_MEM(row, in->mapped + ((size_t)(3 + y) * 33 + 5) * 4, 28);
        EXPECT(row[28] == 0xcc);
    }
    s.ops->texture_destroy(s.dev, tex);
    s.ops->texture_destroy(s.dev, other);
    s.ops->buffer_destroy(s.dev, in);
    s.ops->buffer_destroy(s.dev, out);
    swdev_close(&s);
}

TEST(swdev_texture, mips_of_one_color_keep_it)
{
    struct swdev s;
    swdev_open(&s, NULL);
    weft_texture_desc desc = desc_2d(WEFT_FORMAT_RGBA8_UNORM_SRGB, 300, 150);
    desc.layers = 2;
    desc.mips = 9;
    struct wf_hal_texture *tex = swdev_texture(&s, &desc);
    struct wf_hal_buffer *in = swdev_buffer(&s, UINT64_C(4) * 300 * 150, WEFT_MEMORY_DEFAULT);
    struct wf_hal_buffer *out = swdev_buffer(&s, 8, WEFT_MEMORY_READBACK);
    const uint8_t color[4] = {10, 120, 250, 77};
    for (size_t i = 0; i < in->size; i++)
        in->mapped[i] = color[i % 4];
    const struct wf_hal_texel_layout layout = {.row_bytes = 1200, .slice_rows = 150};
    weft_texture_region region = whole(tex);
    region.layer = 1;
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_copy_buffer_to_texture(cmd, in, &layout, tex, &region);
    s.ops->cmd_generate_mips(cmd, tex);
    for (uint32_t layer = 0; layer < 2; layer++) {
        const weft_texture_region last = {.mip = 8,
                                          .layer = layer,
                                          .layer_count = 1,
                                          .width = 1,
                                          .height = 1,
                                          .depth = 1,
                                          .aspect = WEFT_ASPECT_COLOR};
        s.ops->cmd_copy_texture_to_buffer(
            cmd, tex, &last, out,
            &(struct wf_hal_texel_layout){
                .offset = UINT64_C(4) * layer, .row_bytes = 4, .slice_rows = 1});
    }
    swdev_run(&s, cmd);
    for (uint32_t i = 0; i < 4; i++) {
        EXPECT_EQ(out->mapped[i], 0);
        EXPECT_EQ(out->mapped[4 + i], color[i]);
    }
    s.ops->texture_destroy(s.dev, tex);
    s.ops->buffer_destroy(s.dev, in);
    s.ops->buffer_destroy(s.dev, out);
    swdev_close(&s);
}

TEST(swdev_texture, placed_textures_lie_where_they_are_told)
{
    struct swdev s;
    swdev_open(&s, NULL);
    const weft_texture_desc desc = desc_2d(WEFT_FORMAT_RGBA8_UNORM, 16, 4);
    weft_memory_needs needs;
    s.ops->texture_needs(s.dev, &desc, &needs);
    EXPECT(needs.size >= 256 && needs.alignment > 0);
    struct wf_hal_memory_block *block = NULL;
    EXPECT_EQ(s.ops->memory_block_create(
                  s.dev, &(weft_memory_block_desc){.size = needs.size, .memory = WEFT_MEMORY_GPU},
                  &block),
              WEFT_OK);
    const struct wf_hal_placement place = {.block = block};
    struct wf_hal_texture *a = NULL, *b = NULL;
    EXPECT_EQ(s.ops->texture_create(s.dev, &desc, &place, &a), WEFT_OK);
    EXPECT_EQ(s.ops->texture_create(s.dev, &desc, &place, &b), WEFT_OK);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 512, WEFT_MEMORY_DEFAULT);
    memset(buf->mapped, 0x5a, 256);
    memset(buf->mapped + 256, 0, 256);
    const weft_texture_region all = whole(a);
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_copy_buffer_to_texture(
        cmd, buf, &(struct wf_hal_texel_layout){.row_bytes = 64, .slice_rows = 4}, a, &all);
    s.ops->cmd_alias_barrier(cmd, NULL);
    s.ops->cmd_copy_texture_to_buffer(
        cmd, b, &all, buf,
        &(struct wf_hal_texel_layout){.offset = 256, .row_bytes = 64, .slice_rows = 4});
    swdev_run(&s, cmd);
    EXPECT_MEM(buf->mapped + 256, buf->mapped, 256);
    s.ops->texture_destroy(s.dev, a);
    s.ops->texture_destroy(s.dev, b);
    s.ops->memory_block_destroy(s.dev, block);
    s.ops->buffer_destroy(s.dev, buf);
    swdev_close(&s);
}

TEST(swdev_texture, every_format_that_can_copy_can_be_made)
{
    struct swdev s;
    swdev_open(&s, NULL);
    uint32_t made = 0;
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_texture_desc desc = desc_2d((weft_format)f, 24, 24);
        if (!(s.dev->caps.formats[f] & WEFT_FORMAT_CAN_COPY))
            continue;
        struct wf_hal_texture *tex = swdev_texture(&s, &desc);
        s.ops->texture_view_destroy(s.dev, swdev_view(&s, tex));
        s.ops->texture_destroy(s.dev, tex);
        made++;
    }
    EXPECT(made > 30);
    swdev_close(&s);
}

// ---- surfaces ----------------------------------------------------------------------------------

TEST(swdev_surface, a_ring_of_images_is_acquired_and_presented)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_surface *surface = NULL;
    struct wf_hal_texture *image = NULL, *again = NULL;
    const weft_surface_target target = {.kind = WEFT_SURFACE_HEADLESS};
    EXPECT_EQ(s.ops->surface_create(s.dev, &target, &surface), WEFT_OK);
    EXPECT_EQ(s.ops->surface_acquire(s.dev, surface, &image), WEFT_ACQUIRE_RECONFIGURE);
    weft_surface_config config = {.width = 8, .height = 4};
    EXPECT_EQ(s.ops->surface_configure(s.dev, surface, &config), WEFT_OK);
    EXPECT_EQ(config.format, WEFT_FORMAT_RGBA8_UNORM_SRGB);
    EXPECT(!s.ops->surface_presented(s.dev, surface));
    struct wf_hal_texture *last = NULL;
    for (uint32_t frame = 0; frame < 5; frame++) {
        EXPECT_EQ(s.ops->surface_acquire(s.dev, surface, &image), WEFT_ACQUIRE_READY);
        EXPECT_EQ(s.ops->surface_acquire(s.dev, surface, &again), WEFT_ACQUIRE_READY);
        EXPECT(image == again && image != last && image->desc.width == 8);
        EXPECT_EQ(s.ops->surface_present(s.dev, surface, NULL, 0), WEFT_OK);
        EXPECT(s.ops->surface_presented(s.dev, surface) == image);
        last = image;
    }
    EXPECT_EQ(s.ops->surface_present(s.dev, surface, NULL, 0), WEFT_SKIP);
    config.width = 0;
    EXPECT_EQ(s.ops->surface_configure(s.dev, surface, &config), WEFT_OK);
    EXPECT_EQ(s.ops->surface_acquire(s.dev, surface, &image), WEFT_ACQUIRE_SKIP);
    s.ops->surface_destroy(s.dev, surface);
    swdev_close(&s);
}

TEST(swdev_surface, what_it_does_not_offer_is_refused_and_the_old_stays)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_surface *surface = NULL;
    for (int kind = WEFT_SURFACE_WAYLAND + 1; kind < WEFT_SURFACE_KIND_COUNT; kind++) {
        const weft_surface_target window = {.kind = (weft_surface_kind)kind};
        EXPECT_EQ(s.ops->surface_create(s.dev, &window, &surface), WEFT_ERROR_UNSUPPORTED);
        EXPECT(!surface);
    }
    const weft_surface_target target = {.kind = WEFT_SURFACE_HEADLESS};
    EXPECT_EQ(s.ops->surface_create(s.dev, &target, &surface), WEFT_OK);
    weft_surface_config config = {.width = 8, .height = 4, .format = WEFT_FORMAT_BGRA8_UNORM};
    EXPECT_EQ(s.ops->surface_configure(s.dev, surface, &config), WEFT_OK);
    weft_surface_config bad = config;
    bad.format = WEFT_FORMAT_R8_UNORM;
    EXPECT_EQ(s.ops->surface_configure(s.dev, surface, &bad), WEFT_ERROR_SURFACE);
    bad = config;
    bad.color_space = WEFT_COLOR_SPACE_HDR10;
    EXPECT_EQ(s.ops->surface_configure(s.dev, surface, &bad), WEFT_ERROR_SURFACE);
    weft_surface_info info;
    s.ops->surface_query(s.dev, surface, &info);
    EXPECT_EQ(info.config.format, WEFT_FORMAT_BGRA8_UNORM);
    EXPECT(info.format_count > 0 && info.modes & 1u << WEFT_PRESENT_FIFO);
    s.ops->surface_destroy(s.dev, surface);
    swdev_close(&s);
}
