#include "support/fixture.h"

#include "core/core.h"

static uint32_t pattern(uint64_t i)
{
    return (uint32_t)(i * 2654435761u + 12345u);
}

static weft_buffer gpu_buffer(struct fixture *f, uint64_t size)
{
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = size,
                                   .memory = WEFT_MEMORY_GPU,
                                   .usage =
                                       WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC};
    EXPECT_EQ(weft_buffer_create(f->dev, &desc, &buf), WEFT_OK);
    return buf;
}

TEST(core_upload, initial_data_arrives_in_every_kind_of_memory)
{
    static const weft_memory kinds[] = {WEFT_MEMORY_AUTO, WEFT_MEMORY_DEFAULT, WEFT_MEMORY_GPU,
                                        WEFT_MEMORY_READBACK};
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    for (int k = 0; k < 4; ++k) {
        weft_buffer buf;
        const weft_buffer_desc desc = {
            .size = 8, .memory = kinds[k], .usage = WEFT_BUFFER_USAGE_COPY_SRC, .data = "abcdefgh"};
        EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
        char got[8];
        EXPECT_EQ(weft_buffer_read(f.dev, buf, 0, got, 8), WEFT_OK);
        EXPECT_MEM(got, "abcdefgh", 8);
        weft_buffer_destroy(f.dev, buf);
    }
    fixture_close(&f);
}

TEST(core_upload, a_write_larger_than_the_belt_is_split_and_bounded)
{
    const uint64_t size = (UINT64_C(100) << 20) + 4;
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    const weft_buffer buf = gpu_buffer(&f, size);
    uint32_t *data = malloc(size);
    EXPECT(data != NULL);
    for (uint64_t i = 0; i < size / 4; ++i)
        data[i] = pattern(i);
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, data, size), WEFT_OK);
    EXPECT(weft_device_memory_budget(f.dev).upload_used <= UINT64_C(65) << 20);
    memset(data, 0, size);
    EXPECT_EQ(weft_buffer_read(f.dev, buf, 0, data, size), WEFT_OK);
    bool same = true;
    for (uint64_t i = 0; i < size / 4; ++i)
        same = same && data[i] == pattern(i);
    EXPECT(same);
    free(data);
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}

TEST(core_upload, writes_take_effect_in_call_order)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    const weft_buffer buf = gpu_buffer(&f, 4096);
    uint32_t wanted[1024] = {0};
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, wanted, sizeof wanted), WEFT_OK);
    for (uint32_t i = 0; i < 500; ++i) {
        const uint32_t at = pattern(i) % 1000, count = 1 + i % 24;
        for (uint32_t k = 0; k < count; ++k)
            wanted[at + k] = i;
        EXPECT_EQ(weft_buffer_write(f.dev, buf, (uint64_t)at * 4, &wanted[at], (uint64_t)count * 4),
                  WEFT_OK);
    }
    uint32_t got[1024];
    EXPECT_EQ(weft_buffer_read(f.dev, buf, 0, got, sizeof got), WEFT_OK);
    EXPECT_MEM(got, wanted, sizeof got);
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}

TEST(core_upload, a_mapped_buffer_without_copies_is_read_through_its_mapping)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 16, .usage = WEFT_BUFFER_USAGE_COPY_DST};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 4, "wxyz", 4), WEFT_OK);
    char got[3];
    EXPECT_EQ(weft_buffer_read(f.dev, buf, 5, got, 3), WEFT_OK);
    EXPECT_MEM(got, "xyz", 3);
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}

static void texture_roundtrip(struct fixture *f, const weft_texture_desc *desc,
                              const weft_texture_region *region, uint32_t texel)
{
    weft_texture tex;
    EXPECT_EQ(weft_texture_create(f->dev, desc, &tex), WEFT_OK);
    const uint64_t texels = (uint64_t)region->width * region->height * region->depth *
                            (region->layer_count ? region->layer_count : 1);
    uint8_t *sent = malloc(texels * texel), *got = calloc(texels, texel);
    EXPECT(sent && got);
    for (uint64_t i = 0; i < texels * texel; ++i)
        sent[i] = (uint8_t)pattern(i);
    EXPECT_EQ(weft_texture_write(f->dev, tex, region, sent, NULL), WEFT_OK);
    EXPECT_EQ(weft_texture_read(f->dev, tex, region, got, texels * texel, NULL), WEFT_OK);
    EXPECT(memcmp(sent, got, texels * texel) == 0);
    free(sent);
    free(got);
    weft_texture_destroy(f->dev, tex);
}

#define COPIED (WEFT_TEXTURE_USAGE_COPY_DST | WEFT_TEXTURE_USAGE_COPY_SRC)

TEST(core_upload, textures_of_every_shape_come_back_as_they_were_written)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_texture_desc desc = {
        .format = WEFT_FORMAT_RGBA8_UINT, .width = 100, .height = 70, .usage = COPIED};
    texture_roundtrip(&f, &desc, &(weft_texture_region){.width = 100, .height = 70, .depth = 1}, 4);
    desc.mips = 3;
    desc.layers = 4;
    texture_roundtrip(&f, &desc,
                      &(weft_texture_region){.mip = 1,
                                             .layer = 1,
                                             .layer_count = 3,
                                             .x = 3,
                                             .y = 5,
                                             .width = 40,
                                             .height = 20,
                                             .depth = 1},
                      4);
    desc = (weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                               .format = WEFT_FORMAT_R16_UINT,
                               .width = 33,
                               .height = 17,
                               .depth = 9,
                               .usage = COPIED};
    texture_roundtrip(&f, &desc,
                      &(weft_texture_region){.x = 1, .z = 2, .width = 32, .height = 17, .depth = 5},
                      2);
    // more than one chunk, cut into bands of rows
    desc = (weft_texture_desc){
        .format = WEFT_FORMAT_RGBA32_FLOAT, .width = 700, .height = 301, .usage = COPIED};
    texture_roundtrip(&f, &desc, &(weft_texture_region){.width = 700, .height = 301, .depth = 1},
                      16);
    fixture_close(&f);
}

TEST(core_upload, texels_lie_as_the_layout_says)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_texture tex;
    const weft_texture_desc desc = {
        .format = WEFT_FORMAT_R8_UINT, .width = 2, .height = 2, .layers = 2, .usage = COPIED};
    EXPECT_EQ(weft_texture_create(f.dev, &desc, &tex), WEFT_OK);
    const weft_texture_region both = {.layer_count = 2};
    const weft_texel_layout loose = {.offset = 1, .row_bytes = 4, .slice_rows = 3};
    EXPECT_EQ(weft_texture_write(f.dev, tex, &both, ".ab..cd......ef..gh", &loose), WEFT_OK);
    char got[8];
    EXPECT_EQ(weft_texture_read(f.dev, tex, &both, got, 8, NULL), WEFT_OK);
    EXPECT_MEM(got, "abcdefgh", 8);
    char wide[19];
    memset(wide, '.', sizeof wide);
    EXPECT_EQ(weft_texture_read(f.dev, tex, &both, wide, 19, &loose), WEFT_OK);
    EXPECT_MEM(wide, ".ab..cd......ef..gh", 19);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(core_read, a_read_begun_is_polled_and_taken)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    const weft_buffer buf = gpu_buffer(&f, 64);
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, "first...", 8), WEFT_OK);
    weft_read one, two;
    EXPECT_EQ(weft_read_begin_buffer(f.dev, buf, 0, 8, &one), WEFT_OK);
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, "second..", 8), WEFT_OK);
    EXPECT_EQ(weft_read_begin_buffer(f.dev, buf, 0, 8, &two), WEFT_OK);
    weft_buffer_destroy(f.dev, buf);
    EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
    char got[8];
    EXPECT_EQ(weft_read_poll(f.dev, two), WEFT_OK);
    EXPECT_EQ(weft_read_take(f.dev, two, got, 8), WEFT_OK);
    EXPECT_MEM(got, "second..", 8);
    EXPECT_EQ(weft_read_take(f.dev, one, got, 8), WEFT_OK);
    EXPECT_MEM(got, "first...", 8);
    fixture_close(&f);
}

/// The image goes, and with it what was to be written to it.
TEST(core_upload, an_image_that_was_written_to_is_given_back)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    static const uint32_t texels[64 * 64];
    weft_surface surface;
    weft_surface_image image;
    EXPECT_EQ(weft_surface_create(f.dev, &(weft_surface_desc){.label = "picture"}, &surface),
              WEFT_OK);
    for (uint32_t side = 64; side >= 16; side /= 2) {
        const weft_surface_config config = {.width = side,
                                            .height = side,
                                            .format = WEFT_FORMAT_RGBA8_UNORM,
                                            .usage = WEFT_TEXTURE_USAGE_COPY_DST};
        EXPECT_EQ(weft_surface_configure(f.dev, surface, &config), WEFT_OK);
        EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_OK);
        EXPECT_EQ(weft_texture_write(f.dev, image.texture, NULL, texels, NULL), WEFT_OK);
    }
    weft_surface_destroy(f.dev, surface);
    weft_buffer buf = gpu_buffer(&f, 16); // and others go on
    EXPECT_EQ(weft_buffer_write(f.dev, buf, 0, texels, 16), WEFT_OK);
    uint32_t got[4];
    EXPECT_EQ(weft_buffer_read(f.dev, buf, 0, got, 16), WEFT_OK);
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}
