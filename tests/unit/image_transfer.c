// Copies against loops over single texels.
#include "image_fixture.h"

static struct wf_sw_image open_random(weft_texture_desc desc, struct rng *rng)
{
    struct wf_sw_image image = image_open(&desc);
    for (uint64_t i = 0; i < image.size; i++)
        image.memory[i] = (uint8_t)rng_next(rng);
    return image;
}

/// A random region of the image, in whole blocks; always at least one.
static weft_texture_region random_region(const struct wf_sw_image *image, struct rng *rng)
{
    const weft_format_info *info = weft_format_get_info(image->format);
    weft_texture_region r = {.mip = rng_below(rng, image->mips), .layer_count = 1, .depth = 1};
    const struct wf_sw_mip *mip = &image->main.mips[r.mip];
    const uint32_t bw = info->block_width, bh = info->block_height;
    const uint32_t columns = (mip->width + bw - 1) / bw;
    const uint32_t bx = rng_below(rng, columns), by = rng_below(rng, mip->rows);
    r.x = bx * bw;
    r.y = by * bh;
    r.width = (1 + rng_below(rng, columns - bx)) * bw;
    r.height = (1 + rng_below(rng, mip->rows - by)) * bh;
    if (r.x + r.width > mip->width)
        r.width = mip->width - r.x;
    if (r.y + r.height > mip->height)
        r.height = mip->height - r.y;
    if (image->kind == WEFT_TEXTURE_3D) {
        r.z = rng_below(rng, mip->depth);
        r.depth = 1 + rng_below(rng, mip->depth - r.z);
    } else {
        r.layer = rng_below(rng, image->layers);
        r.layer_count = 1 + rng_below(rng, image->layers - r.layer);
    }
    return r;
}

static uint32_t region_slices(const struct wf_sw_image *image, const weft_texture_region *r)
{
    return image->kind == WEFT_TEXTURE_3D ? r->depth : r->layer_count;
}

/// Copies out and in again with every kind of layout; the rest of the image must stay.
static void check_bytes(const weft_texture_desc *desc, weft_aspect_set aspect)
{
    struct rng rng = {11};
    for (int round = 0; round < 200; round++) {
        struct wf_sw_image src = open_random(*desc, &rng), dst = open_random(*desc, &rng);
        struct wf_sw_image was = image_open(desc);
        memcpy(was.memory, dst.memory, dst.size);
        const weft_format_info *info = weft_format_get_info(src.format);
        const struct wf_sw_plane *plane = wf_sw_image_plane(&src, aspect);
        weft_texture_region r = random_region(&src, &rng);
        r.aspect = aspect;
        const uint32_t columns = (r.width + info->block_width - 1) / info->block_width;
        const uint32_t rows = (r.height + info->block_height - 1) / info->block_height;
        const uint32_t slices = region_slices(&src, &r), size = plane->block_bytes;
        const uint32_t row_bytes = columns * size + (round % 3) * 12;
        const uint32_t slice_rows = rows + round % 5;
        const uint64_t offset = (uint64_t)(round % 4) * size;
        const uint64_t needed = offset +
                                ((uint64_t)(slices - 1) * slice_rows + rows - 1) * row_bytes +
                                (uint64_t)columns * size;
        struct wf_sw_bytes bytes = {
            malloc(needed),
            needed,
            {offset, round % 3 ? row_bytes : 0, round % 5 ? slice_rows : 0}};
        memset(bytes.data, 0x5a, needed);
        EXPECT(wf_sw_image_copy_to_bytes(&src, &r, &bytes));
        for (uint32_t z = 0; z < slices; z++)
            for (uint32_t y = 0; y < rows; y++)
                EXPECT_MEM(bytes.data + offset + ((uint64_t)z * slice_rows + y) * row_bytes,
                           wf_sw_image_row(&src, plane, r.mip, (r.z ? r.z : r.layer) + z, 0,
                                           r.y / info->block_height + y) +
                               (size_t)(r.x / info->block_width) * size,
                           (size_t)columns * size);
        EXPECT(wf_sw_image_copy_from_bytes(&dst, &r, &bytes));
        EXPECT(wf_sw_image_copy(&src, &r, &was, &r));
        if (wf_hal_format_of_aspect(src.format, WEFT_ASPECT_DEPTH) != WEFT_FORMAT_D24_UNORM)
            EXPECT_MEM(dst.memory, was.memory, dst.size);
        bytes.size--;
        EXPECT(!wf_sw_image_copy_from_bytes(&dst, &r, &bytes));
        EXPECT(!wf_sw_image_copy_to_bytes(&dst, &r, &bytes));
        free(bytes.data);
        image_close(&src);
        image_close(&dst);
        image_close(&was);
    }
}

TEST(image_transfer, bytes_go_to_their_texels)
{
    check_bytes(
        &(weft_texture_desc){
            .format = WEFT_FORMAT_RGBA8_UNORM, .width = 17, .height = 9, .layers = 3, .mips = 4},
        0);
    check_bytes(&(weft_texture_desc){.format = WEFT_FORMAT_R8_UINT, .width = 65, .height = 1}, 0);
    check_bytes(&(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                                     .format = WEFT_FORMAT_RGBA32_FLOAT,
                                     .width = 5,
                                     .height = 6,
                                     .depth = 7,
                                     .mips = 3},
                0);
    check_bytes(
        &(weft_texture_desc){
            .format = WEFT_FORMAT_BC1_RGBA_UNORM, .width = 13, .height = 22, .mips = 4},
        0);
    check_bytes(
        &(weft_texture_desc){
            .format = WEFT_FORMAT_ASTC_10X6_UNORM, .width = 33, .height = 22, .layers = 2},
        0);
    check_bytes(
        &(weft_texture_desc){.format = WEFT_FORMAT_D32_FLOAT_S8_UINT, .width = 9, .height = 9},
        WEFT_ASPECT_DEPTH);
    check_bytes(
        &(weft_texture_desc){.format = WEFT_FORMAT_D24_UNORM_S8_UINT, .width = 9, .height = 9},
        WEFT_ASPECT_STENCIL);
}

TEST(image_transfer, depth24_drops_the_byte_above)
{
    struct wf_sw_image image =
        image_open(&(weft_texture_desc){.format = WEFT_FORMAT_D24_UNORM, .width = 2});
    uint32_t words[2] = {0xab123456, 0xffffffff};
    const struct wf_sw_bytes bytes = {(uint8_t *)words, sizeof words, {0}};
    EXPECT(wf_sw_image_copy_from_bytes(
        &image, &(weft_texture_region){.width = 2, .height = 1, .depth = 1}, &bytes));
    memcpy(words, image.memory, sizeof words);
    EXPECT_EQ(words[0], 0x123456);
    EXPECT_EQ(words[1], 0xffffff);
    image_close(&image);
}

TEST(image_transfer, bad_regions_change_nothing)
{
    struct rng rng = {12};
    struct wf_sw_image image = open_random((weft_texture_desc){.format = WEFT_FORMAT_BC1_RGBA_UNORM,
                                                               .width = 16,
                                                               .height = 10,
                                                               .layers = 2,
                                                               .mips = 2},
                                           &rng);
    static uint8_t memory[4096];
    const weft_texture_region bad[] = {
        {.mip = 2, .width = 4, .height = 4, .depth = 1},
        {.layer = 2, .width = 4, .height = 4, .depth = 1},
        {.layer = 1, .layer_count = 2, .width = 4, .height = 4, .depth = 1},
        {.layer_count = UINT32_MAX, .width = 4, .height = 4, .depth = 1},
        {.x = 16, .width = 4, .height = 4, .depth = 1},
        {.x = UINT32_MAX - 3, .width = 8, .height = 4, .depth = 1},
        {.x = 2, .width = 4, .height = 4, .depth = 1},
        {.width = 6, .height = 4, .depth = 1},
        {.y = 8, .width = 4, .height = 4, .depth = 1},
        {.z = 1, .width = 4, .height = 4, .depth = 1},
        {.width = 4, .height = 4, .depth = 2},
        {.width = 4, .height = 4, .depth = 1, .aspect = WEFT_ASPECT_DEPTH},
        {.width = 4, .height = 4, .depth = 1, .aspect = WEFT_ASPECT_COLOR | WEFT_ASPECT_STENCIL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct wf_sw_bytes bytes = {memory, sizeof memory, {0}};
        EXPECT(!wf_sw_image_copy_from_bytes(&image, &bad[i], &bytes));
        EXPECT(!wf_sw_image_copy_to_bytes(&image, &bad[i], &bytes));
        EXPECT(!wf_sw_image_copy(&image, &bad[i], &image,
                                 &(weft_texture_region){.width = 4, .height = 4, .depth = 1}));
    }
    const weft_texel_layout layouts[] = {
        {.offset = UINT64_MAX}, {.row_bytes = 8}, {.slice_rows = 1}, {.row_bytes = UINT32_MAX}};
    for (int i = 0; i < 4; i++) {
        struct wf_sw_bytes bytes = {memory, sizeof memory, layouts[i]};
        EXPECT(!wf_sw_image_copy_to_bytes(
            &image, &(weft_texture_region){.width = 16, .height = 10, .depth = 1, .layer_count = 2},
            &bytes));
    }
    image_close(&image);
}

TEST(image_transfer, empty_regions_do_nothing)
{
    struct wf_sw_image image =
        image_open(&(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 4});
    const struct wf_sw_bytes nothing = {NULL, 0, {0}};
    EXPECT(wf_sw_image_copy_from_bytes(
        &image, &(weft_texture_region){.width = 0, .height = 1, .depth = 1}, &nothing));
    EXPECT(wf_sw_image_copy_to_bytes(
        &image, &(weft_texture_region){.width = 4, .height = 0, .depth = 1}, &nothing));
    image_close(&image);
}

TEST(image_transfer, overlapping_copies_go_as_if_through_a_third_place)
{
    struct rng rng = {13};
    for (int round = 0; round < 300; round++) {
        const weft_texture_desc desc = {
            .format = WEFT_FORMAT_R8_UNORM, .width = 9, .height = 7, .layers = 4};
        struct wf_sw_image image = open_random(desc, &rng);
        struct wf_sw_image copy = image_open(&desc), want = image_open(&desc);
        memcpy(copy.memory, image.memory, image.size);
        memcpy(want.memory, image.memory, image.size);
        const weft_texture_region from = random_region(&image, &rng);
        weft_texture_region to = from;
        to.x = rng_below(&rng, 10 - from.width);
        to.y = rng_below(&rng, 8 - from.height);
        to.layer = rng_below(&rng, 5 - from.layer_count);
        EXPECT(wf_sw_image_copy(&copy, &from, &want, &to));
        EXPECT(wf_sw_image_copy(&image, &from, &image, &to));
        EXPECT_MEM(image.memory, want.memory, image.size);
        image_close(&image);
        image_close(&copy);
        image_close(&want);
    }
}

TEST(image_transfer, layers_and_slices_stand_for_each_other)
{
    struct rng rng = {14};
    struct wf_sw_image layers = open_random(
        (weft_texture_desc){.format = WEFT_FORMAT_RG8_UNORM, .width = 6, .height = 5, .layers = 4},
        &rng);
    struct wf_sw_image volume = image_open(&(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                                                                .format = WEFT_FORMAT_RG8_UNORM,
                                                                .width = 6,
                                                                .height = 5,
                                                                .depth = 8});
    EXPECT(wf_sw_image_copy(
        &layers,
        &(weft_texture_region){.layer = 1, .layer_count = 3, .width = 6, .height = 5, .depth = 1},
        &volume, &(weft_texture_region){.z = 4, .width = 6, .height = 5, .depth = 3}));
    for (uint32_t z = 0; z < 3; z++)
        for (uint32_t y = 0; y < 5; y++)
            EXPECT_MEM(wf_sw_image_row(&volume, &volume.main, 0, 4 + z, 0, y),
                       wf_sw_image_row(&layers, &layers.main, 0, 1 + z, 0, y), 12);
    image_close(&layers);
    image_close(&volume);
}
