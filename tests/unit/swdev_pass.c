// Render passes of the software device that draw nothing.
#include <string.h>

#include "backends/software/software.h"
#include "hal/texel.h"
#include "swdev.h"

static struct wf_hal_texture *target(struct swdev *s, weft_format format, uint32_t samples)
{
    const weft_texture_desc desc = {
        .format = format,
        .width = 70,
        .height = 67,
        .depth = 1,
        .layers = samples == 1 ? 3 : 1,
        .mips = samples == 1 ? 2 : 1,
        .samples = samples,
        .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC,
    };
    return swdev_texture(s, &desc);
}

static struct wf_hal_texture_view *target_view(struct swdev *s, struct wf_hal_texture *tex,
                                               uint32_t mip, uint32_t layer)
{
    struct wf_hal_texture_view *view = NULL;
    const weft_texture_view_desc desc = {.kind = WEFT_VIEW_2D,
                                         .format = tex->desc.format,
                                         .mip = mip,
                                         .mip_count = 1,
                                         .layer = layer,
                                         .layer_count = 1};
    EXPECT_EQ(s->ops->texture_view_create(s->dev, tex, &desc, &view), WEFT_OK);
    return view;
}

struct place {
    uint32_t mip, layer;
};

static void read_mip(struct swdev *s, struct wf_hal_command *cmd, struct wf_hal_texture *tex,
                     struct place place, weft_aspect_set aspect, struct wf_hal_buffer *out)
{
    const uint64_t bytes = aspect == WEFT_ASPECT_STENCIL ? 1 : 4; // of a texel
    const weft_texture_region region = {.mip = place.mip,
                                        .layer = place.layer,
                                        .layer_count = 1,
                                        .width = 70 >> place.mip,
                                        .height = 67 >> place.mip,
                                        .depth = 1,
                                        .aspect = aspect};
    const struct wf_hal_texel_layout layout = {.row_bytes = bytes * region.width,
                                               .slice_rows = region.height};
    s->ops->cmd_copy_texture_to_buffer(cmd, tex, &region, out, &layout);
}

static void expect_all(const struct wf_hal_buffer *buf, const void *texel, size_t bytes,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        EXPECT_MEM(buf->mapped + i * bytes, texel, bytes);
}

TEST(swdev_pass, clears_one_mip_of_one_layer_of_each_target)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_texture *rgba = target(&s, WEFT_FORMAT_RGBA8_UNORM, 1);
    struct wf_hal_texture *ints = target(&s, WEFT_FORMAT_R32_UINT, 1);
    struct wf_hal_texture *depth = target(&s, WEFT_FORMAT_D32_FLOAT_S8_UINT, 1);
    struct wf_hal_texture_view *views[3] = {
        target_view(&s, rgba, 1, 2), target_view(&s, ints, 1, 1), target_view(&s, depth, 1, 0)};
    struct wf_hal_buffer *out[5];
    for (uint32_t i = 0; i < 5; i++)
        out[i] = swdev_buffer(&s, UINT64_C(4) * 70 * 67, WEFT_MEMORY_READBACK);
    const struct wf_hal_render_pass pass = {
        .colors = {{.view = views[0], .load = WEFT_LOAD_CLEAR, .clear = {.f = {1, 0, 1, 0}}},
                   {.view = NULL},
                   {.view = views[1], .load = WEFT_LOAD_CLEAR, .clear = {.u = {0xfedcba98}}}},
        .depth_stencil = views[2],
        .depth_load = WEFT_LOAD_CLEAR,
        .stencil_load = WEFT_LOAD_CLEAR,
        .clear_depth = 0.3f,
        .clear_stencil = 0x91,
        .width = 35,
        .height = 33,
        .samples = 1,
    };
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_begin_render(cmd, &pass);
    s.ops->cmd_end_render(cmd);
    read_mip(&s, cmd, rgba, (struct place){1, 2}, WEFT_ASPECT_COLOR, out[0]);
    read_mip(&s, cmd, ints, (struct place){1, 1}, WEFT_ASPECT_COLOR, out[1]);
    read_mip(&s, cmd, depth, (struct place){1, 0}, WEFT_ASPECT_DEPTH, out[2]);
    read_mip(&s, cmd, depth, (struct place){1, 0}, WEFT_ASPECT_STENCIL, out[3]);
    read_mip(&s, cmd, rgba, (struct place){1, 1}, WEFT_ASPECT_COLOR, out[4]);
    swdev_run(&s, cmd);
    const uint32_t texels = 35 * 33, value = 0xfedcba98;
    expect_all(out[0], (const uint8_t[]){255, 0, 255, 0}, 4, texels);
    expect_all(out[1], &value, 4, texels);
    expect_all(out[2], &(float){0.3f}, 4, texels);
    expect_all(out[3], (const uint8_t[]){0x91}, 1, texels);
    expect_all(out[4], (const uint8_t[]){0, 0, 0, 0}, 4, texels); // another layer: as it was
    for (uint32_t i = 0; i < 5; i++)
        s.ops->buffer_destroy(s.dev, out[i]);
    for (uint32_t i = 0; i < 3; i++)
        s.ops->texture_view_destroy(s.dev, views[i]);
    s.ops->texture_destroy(s.dev, rgba);
    s.ops->texture_destroy(s.dev, ints);
    s.ops->texture_destroy(s.dev, depth);
    swdev_close(&s);
}

TEST(swdev_pass, resolves_without_a_draw)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_texture *many = target(&s, WEFT_FORMAT_RGBA8_UNORM, 4);
    struct wf_hal_texture *one = target(&s, WEFT_FORMAT_RGBA8_UNORM, 1);
    struct wf_hal_texture_view *from = target_view(&s, many, 0, 0),
                               *to = target_view(&s, one, 0, 1);
    struct wf_hal_query_pool *times = NULL;
    const weft_query_pool_desc desc = {.kind = WEFT_QUERY_TIMESTAMP, .count = 2};
    EXPECT_EQ(s.ops->query_pool_create(s.dev, &desc, &times), WEFT_OK);
    struct wf_hal_buffer *out = swdev_buffer(&s, UINT64_C(4) * 70 * 67, WEFT_MEMORY_READBACK);
    const struct wf_hal_render_pass pass = {
        .colors = {{.view = from,
                    .resolve = to,
                    .load = WEFT_LOAD_CLEAR,
                    .store = WEFT_STORE_DISCARD,
                    .clear = {.f = {0, 1, 0, 1}}}},
        .width = 70,
        .height = 67,
        .samples = 4,
        .times = times,
        .time_begin = 1,
        .time_end = 0,
    };
    struct wf_hal_command *cmd = swdev_begin(&s);
    s.ops->cmd_begin_render(cmd, &pass);
    s.ops->cmd_end_render(cmd);
    read_mip(&s, cmd, one, (struct place){0, 1}, WEFT_ASPECT_COLOR, out);
    swdev_run(&s, cmd);
    expect_all(out, (const uint8_t[]){0, 255, 0, 255}, 4, 70 * 67);
    uint64_t at[2];
    s.ops->query_pool_read(s.dev, times, 0, 2, at);
    EXPECT(at[1] > 0 && at[0] >= at[1]);
    s.ops->query_pool_destroy(s.dev, times);
    s.ops->buffer_destroy(s.dev, out);
    s.ops->texture_view_destroy(s.dev, from);
    s.ops->texture_view_destroy(s.dev, to);
    s.ops->texture_destroy(s.dev, many);
    s.ops->texture_destroy(s.dev, one);
    swdev_close(&s);
}

/// One texel all over the first mip and layer.
static void fill(const struct wf_sw_image *image, weft_aspect_set aspect, const void *texel)
{
    const struct wf_sw_plane *plane = wf_sw_image_plane(image, aspect);
    const uint32_t rows = image->samples * 67;
    for (uint32_t at = 0; plane && at < rows * 70; at++) {
        const uint32_t row = at / 70;
        memcpy(wf_sw_image_row(image, plane, 0, 0, row / 67, row % 67) +
                   (size_t)(at % 70) * plane->block_bytes,
               texel, plane->block_bytes);
    }
}

// What a pass leaves must be what the codec says, for every format that says that it
// renders, and every number of samples.
static void expect_same_clear(struct swdev *s, weft_format format, uint32_t samples, bool color)
{
    struct wf_hal_texture *got = target(s, format, samples), *wanted = target(s, format, samples);
    struct wf_hal_texture_view *view = target_view(s, got, 0, 0);
    const struct wf_sw_image *a = &wf_sw_texture(got)->image, *b = &wf_sw_texture(wanted)->image;
    uint8_t texel[16];
    struct wf_hal_render_pass pass = {.width = 70, .height = 67, .samples = samples};
    if (color) {
        const bool ints = weft_format_get_info(format)->sample_class == WEFT_SAMPLE_CLASS_UINT ||
                          weft_format_get_info(format)->sample_class == WEFT_SAMPLE_CLASS_SINT;
        const weft_clear_color clear = ints ? (weft_clear_color){.u = {1, 2, 3, 1}}
                                            : (weft_clear_color){.f = {0.25f, 0.5f, 0.75f, 0.125f}};
        pass.colors[3].view = view;
        pass.colors[3].load = WEFT_LOAD_CLEAR;
        pass.colors[3].clear = clear;
        wf_hal_texel_encode(wf_hal_texel_codec_get(format), &clear.u, 1, texel);
        fill(b, WEFT_ASPECT_COLOR, texel);
    } else {
        pass.depth_stencil = view;
        pass.depth_load = pass.stencil_load = WEFT_LOAD_CLEAR;
        pass.clear_depth = 0.7f;
        pass.clear_stencil = 0x42;
        const weft_clear_color depth = {.f = {0.7f}};
        const weft_format part = wf_hal_format_of_aspect(format, WEFT_ASPECT_DEPTH);
        if (part != WEFT_FORMAT_NONE)
            wf_hal_texel_encode(wf_hal_texel_codec_get(part), &depth.u, 1, texel);
        fill(b, WEFT_ASPECT_DEPTH, texel);
        fill(b, WEFT_ASPECT_STENCIL, &(uint8_t){0x42});
    }
    struct wf_hal_command *cmd = swdev_begin(s);
    s->ops->cmd_begin_render(cmd, &pass);
    s->ops->cmd_end_render(cmd);
    swdev_run(s, cmd);
    if (a->size != b->size || memcmp(a->memory, b->memory, (size_t)a->size) != 0)
        test_fail(__FILE__, __LINE__, "%s, %u samples", weft_format_get_info(format)->name,
                  samples);
    s->ops->texture_view_destroy(s->dev, view);
    s->ops->texture_destroy(s->dev, got);
    s->ops->texture_destroy(s->dev, wanted);
}

TEST(swdev_pass, every_format_that_renders_is_cleared_exactly)
{
    struct swdev s;
    swdev_open(&s, NULL);
    uint32_t tried = 0;
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_caps caps = s.dev->caps.formats[f];
        const bool color = (caps & WEFT_FORMAT_CAN_RENDER) &&
                           weft_format_get_info((weft_format)f)->aspects == WEFT_ASPECT_COLOR;
        if (!color && !(caps & WEFT_FORMAT_CAN_DEPTH_STENCIL))
            continue;
        expect_same_clear(&s, (weft_format)f, 1, color);
        if (caps & WEFT_FORMAT_CAN_MSAA_2)
            expect_same_clear(&s, (weft_format)f, 2, color);
        if (caps & WEFT_FORMAT_CAN_MSAA_4)
            expect_same_clear(&s, (weft_format)f, 4, color);
        if (caps & WEFT_FORMAT_CAN_MSAA_8)
            expect_same_clear(&s, (weft_format)f, 8, color);
        tried++;
    }
    EXPECT(tried > 20);
    swdev_close(&s);
}
