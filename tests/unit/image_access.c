// Fetches, storage reads and writes, and atomics.
#include "image_fixture.h"

static uint32_t pattern(uint32_t mip, uint32_t slice, uint32_t sample, uint32_t x, uint32_t y)
{
    return mip << 28 | slice << 20 | sample << 16 | y << 8 | x;
}

static struct wf_sw_image open_pattern(weft_texture_desc desc)
{
    desc.format = WEFT_FORMAT_R32_UINT;
    struct wf_sw_image image = image_open(&desc);
    for (uint32_t m = 0; m < image.mips; m++) {
        const struct wf_sw_mip *mip = &image.main.mips[m];
        for (uint32_t z = 0; z < (desc.kind == WEFT_TEXTURE_3D ? mip->depth : image.layers); z++)
            for (uint32_t s = 0; s < image.samples; s++)
                for (uint32_t y = 0; y < mip->height; y++)
                    for (uint32_t x = 0; x < mip->width; x++) {
                        const uint32_t value = pattern(m, z, s, x, y);
                        memcpy(image_texel(&image, (struct place){m, z, s, x, y}), &value, 4);
                    }
    }
    return image;
}

/// Coordinates, levels and samples on both sides of every limit.
static void check_fetch(const weft_texture_desc *desc, const struct wf_sw_view_desc *view_desc)
{
    struct wf_sw_image image = open_pattern(*desc);
    const struct wf_sw_view view = image_view(&image, view_desc);
    struct rng rng = {7};
    for (int round = 0; round < 200; round++) {
        int32_t c[3][64], lod[64], sample[64], offset[2][64];
        for (int i = 0; i < 64; i++) {
            for (int a = 0; a < 3; a++)
                c[a][i] = (int32_t)rng_below(&rng, 12) - 2;
            lod[i] = rng_below(&rng, 8) ? (int32_t)rng_below(&rng, image.mips) : -1;
            sample[i] = (int32_t)rng_below(&rng, image.samples + 1);
            offset[0][i] = (int32_t)rng_below(&rng, 3) - 1;
            offset[1][i] = rng_below(&rng, 16) ? 0 : INT32_MIN;
        }
        const struct wf_sw_texel_args args = {.coords = {c[0], c[1], c[2]},
                                              .lod = lod,
                                              .sample = image.samples > 1 ? sample : NULL,
                                              .offset = {offset[0], offset[1]}};
        uint32_t out[4][64];
        wf_sw_image_fetch(&view, &args, UINT64_MAX, out);
        for (int i = 0; i < 64; i++) {
            const bool flat = view.kind == WEFT_VIEW_1D || view.kind == WEFT_VIEW_1D_ARRAY;
            const int64_t x = (int64_t)c[0][i] + offset[0][i];
            const int64_t y = flat ? 0 : (int64_t)c[1][i] + offset[1][i];
            const bool array = view.kind == WEFT_VIEW_2D_ARRAY || view.kind == WEFT_VIEW_1D_ARRAY;
            const int32_t z = view.kind == WEFT_VIEW_3D ? c[2][i] : array ? c[flat ? 1 : 2][i] : 0;
            const int32_t s = image.samples > 1 ? sample[i] : 0;
            uint32_t want = 0;
            if (lod[i] >= 0 && lod[i] < (int)view.mip_count && s < (int)image.samples && x >= 0 &&
                y >= 0 && z >= 0) {
                const uint32_t m = view.mip + (uint32_t)lod[i];
                const struct wf_sw_mip *mip = &image.main.mips[m];
                const uint32_t depth = view.kind == WEFT_VIEW_3D ? mip->depth : view.layer_count;
                if (x < mip->width && y < mip->height && z < (int)depth)
                    want =
                        pattern(m, view.layer + (uint32_t)z, (uint32_t)s, (uint32_t)x, (uint32_t)y);
            }
            EXPECT_EQ(out[0][i], want);
            EXPECT_EQ(out[1][i], 0);
            EXPECT_EQ(out[3][i], 1);
        }
    }
    image_close(&image);
}

TEST(image_access, fetches_are_exact_and_bounded)
{
    check_fetch(&(weft_texture_desc){.width = 7, .height = 5, .mips = WEFT_MIPS_ALL},
                &(struct wf_sw_view_desc){0});
    check_fetch(&(weft_texture_desc){.width = 7, .height = 5, .layers = 6, .mips = 2},
                &(struct wf_sw_view_desc){.layer = 1, .layer_count = 3, .mip = 1});
    check_fetch(&(weft_texture_desc){.width = 6, .height = 6, .samples = 4},
                &(struct wf_sw_view_desc){0});
    check_fetch(
        &(weft_texture_desc){
            .kind = WEFT_TEXTURE_3D, .width = 5, .height = 6, .depth = 7, .mips = 3},
        &(struct wf_sw_view_desc){0});
    check_fetch(&(weft_texture_desc){.kind = WEFT_TEXTURE_1D, .width = 8, .layers = 4, .mips = 4},
                &(struct wf_sw_view_desc){0});
}

TEST(image_access, writes_are_read_back_and_dropped_outside)
{
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA16_FLOAT,
                                          WEFT_FORMAT_R32_SINT, WEFT_FORMAT_RG8_UINT,
                                          WEFT_FORMAT_RGB10A2_UNORM};
    for (int f = 0; f < 5; f++) {
        struct wf_sw_image image =
            image_open(&(weft_texture_desc){.format = formats[f], .width = 8, .height = 8});
        const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
        int32_t x[64], y[64];
        uint32_t texel[4][64], out[4][64];
        for (int i = 0; i < 64; i++) {
            x[i] = i % 8 + (i == 9 ? 8 : 0);
            y[i] = i / 8 - (i == 10 ? 100 : 0);
            for (uint32_t c = 0; c < 4; c++)
                texel[c][i] =
                    wf_hal_texel_is_integer(view.codec) ? (uint32_t)i : wf_base_float_bits(1);
        }
        const uint32_t *const rows[4] = {texel[0], texel[1], texel[2], texel[3]};
        const struct wf_sw_texel_args args = {.coords = {x, y}};
        wf_sw_image_write(&view, &args, ~UINT64_C(2), rows);
        wf_sw_image_read(&view, &args, UINT64_MAX, out);
        for (int i = 0; i < 64; i++) {
            const bool dropped = i == 1 || i == 9 || i == 10;
            EXPECT_EQ(out[0][i], dropped ? 0 : texel[0][i]);
        }
        EXPECT_EQ(out[3][9], view.codec->components == 4           ? 0
                             : wf_hal_texel_is_integer(view.codec) ? 1
                                                                   : out[3][9]);
        image_close(&image);
    }
}

TEST(image_access, missing_rows_are_zeros)
{
    struct wf_sw_image image =
        image_open(&(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UINT, .width = 4, .height = 4});
    memset(image.memory, 9, image.size);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    uint32_t red[64] = {1, 2, 3}, out[4][64];
    wf_sw_image_write(&view, &(struct wf_sw_texel_args){0}, 7,
                      (const uint32_t *const[4]){red, NULL, NULL, NULL});
    wf_sw_image_read(&view, &(struct wf_sw_texel_args){0}, 1, out);
    EXPECT_EQ(out[0][0], 3); // the highest lane was last
    EXPECT_EQ(out[3][0], 0);
    image_close(&image);
}

TEST(image_access, cube_storage_takes_the_face_as_layer)
{
    struct wf_sw_image image =
        open_pattern((weft_texture_desc){.kind = WEFT_TEXTURE_CUBE, .width = 4, .height = 4});
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    int32_t face[64];
    uint32_t out[4][64];
    for (int i = 0; i < 64; i++)
        face[i] = i;
    wf_sw_image_read(&view, &(struct wf_sw_texel_args){.coords = {NULL, NULL, face}}, 0xff, out);
    for (uint32_t i = 0; i < 8; i++)
        EXPECT_EQ(out[0][i], i < 6 ? pattern(0, i, 0, 0, 0) : 0);
    image_close(&image);
}

static uint32_t atomic_once(enum wf_sw_atomic op, uint32_t old, uint32_t value, uint32_t compare,
                            uint32_t *after)
{
    struct wf_sw_image image =
        image_open(&(weft_texture_desc){.format = WEFT_FORMAT_R32_UINT, .width = 4});
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    uint32_t values[64] = {value}, compares[64] = {compare}, out[64];
    memcpy(image.memory, &old, 4);
    wf_sw_image_atomic(&view, op, &(struct wf_sw_texel_args){0}, 1, values, compares, out);
    memcpy(after, image.memory, 4);
    image_close(&image);
    return out[0];
}

TEST(image_access, atomics_do_what_they_say)
{
    static const struct {
        enum wf_sw_atomic op;
        uint32_t old, value, compare, after;
    } cases[] = {
        {WF_SW_ATOMIC_LOAD, 5, 9, 0, 5},
        {WF_SW_ATOMIC_STORE, 5, 9, 0, 9},
        {WF_SW_ATOMIC_EXCHANGE, 5, 9, 0, 9},
        {WF_SW_ATOMIC_COMPARE_EXCHANGE, 5, 9, 5, 9},
        {WF_SW_ATOMIC_COMPARE_EXCHANGE, 5, 9, 6, 5},
        {WF_SW_ATOMIC_ADD, 0xffffffff, 2, 0, 1},
        {WF_SW_ATOMIC_SUB, 1, 2, 0, 0xffffffff},
        {WF_SW_ATOMIC_AND, 6, 3, 0, 2},
        {WF_SW_ATOMIC_OR, 6, 3, 0, 7},
        {WF_SW_ATOMIC_XOR, 6, 3, 0, 5},
        {WF_SW_ATOMIC_UMIN, 0xffffffff, 3, 0, 3},
        {WF_SW_ATOMIC_UMAX, 0xffffffff, 3, 0, 0xffffffff},
        {WF_SW_ATOMIC_SMIN, 0xffffffff, 3, 0, 0xffffffff},
        {WF_SW_ATOMIC_SMAX, 0xffffffff, 3, 0, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t after;
        EXPECT_EQ(atomic_once(cases[i].op, cases[i].old, cases[i].value, cases[i].compare, &after),
                  cases[i].old);
        EXPECT_EQ(after, cases[i].after);
    }
}

TEST(image_access, atomics_of_one_texel_add_up_and_stay_inside)
{
    struct wf_sw_image image =
        image_open(&(weft_texture_desc){.format = WEFT_FORMAT_R32_UINT, .width = 3, .height = 2});
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    int32_t x[64];
    uint32_t one[64], out[64];
    for (int i = 0; i < 64; i++) {
        x[i] = i % 4; // every fourth lane is outside
        one[i] = 1;
    }
    wf_sw_image_atomic(&view, WF_SW_ATOMIC_ADD, &(struct wf_sw_texel_args){.coords = {x}},
                       UINT64_MAX, one, NULL, out);
    uint32_t row[3];
    memcpy(row, image.memory, sizeof row);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(row[i], 16);
    EXPECT_EQ(out[3], 0);
    EXPECT_EQ(out[60], 15);
    image_close(&image);

    struct wf_sw_image wide =
        image_open(&(weft_texture_desc){.format = WEFT_FORMAT_RGBA16_UINT, .width = 4});
    const struct wf_sw_view wide_view = image_view(&wide, &(struct wf_sw_view_desc){0});
    uint32_t *pointers[64] = {one};
    wf_sw_image_texel_pointers(&wide_view, &(struct wf_sw_texel_args){0}, 1, pointers);
    EXPECT(pointers[0] == NULL);
    image_close(&wide);
}
