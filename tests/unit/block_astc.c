// ASTC: blocks whose texels follow from the specification by hand.
#include "block_support.h"

static float texels[WF_SW_BLOCK_TEXELS][4];

/// Texel `i` of a block is those 255ths, of which sixteen bits and then a half were made.
static bool is_near(int i, int r, int g, int b, int a)
{
    const int want[4] = {r, g, b, a};
    bool same = true;
    for (int c = 0; c < 4; c++)
        same = same && fabsf(texels[i][c] * 255 - (float)want[c]) < 0.3f;
    return same;
}

static bool is_magenta(int i)
{
    return texels[i][0] == 1 && texels[i][1] == 0 && texels[i][2] == 1 && texels[i][3] == 1;
}

static bool all_magenta(weft_format format, const uint8_t *block)
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    block_decode(format, block, texels);
    bool all = true;
    for (int i = 0; i < info->block_width * info->block_height; i++)
        all = all && is_magenta(i);
    return all;
}

/// A void extent of everything, of low range, red 1/2, green nearly nothing, blue and alpha 1.
static void make_void(uint8_t block[16])
{
    memset(block, 0xff, 16);
    block_put(block, 0, 12, 0xdfc);
    block_put(block, 64, 16, 0x8000);
    block_put(block, 80, 16, 0x1237);
}

TEST(block_astc, void_extents_are_one_color)
{
    uint8_t block[16];
    make_void(block);
    for (int f = WEFT_FORMAT_ASTC_4X4_UNORM; f < WEFT_FORMAT_COUNT; f += 2) {
        const struct wf_hal_format *info = wf_hal_format_get((weft_format)f);
        block_decode((weft_format)f, block, texels);
        for (int i = 0; i < info->block_width * info->block_height; i++) {
            EXPECT(texels[i][0] == 0.5f && texels[i][2] == 1 && texels[i][3] == 1);
            EXPECT(texels[i][1] == 0x1234 / 65536.0f); // a half has eleven digits
        }
    }
    block_decode(WEFT_FORMAT_ASTC_4X4_UNORM_SRGB, block, texels);
    EXPECT_NEAR(texels[0][0], pow((128 / 255.0 + 0.055) / 1.055, 2.4), 1e-6);
}

TEST(block_astc, void_extents_of_high_range_or_without_room_are_errors)
{
    uint8_t block[16];
    make_void(block);
    block_put(block, 9, 1, 1);
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_5X4_UNORM, block));
    make_void(block);
    block_put(block, 10, 2, 1);
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_5X4_UNORM, block));
    make_void(block);
    block_put(block, 12, 13, 100);
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_5X4_UNORM, block)); // t from 8191 to 8191
    block_put(block, 38, 13, 7);
    EXPECT(!all_magenta(WEFT_FORMAT_ASTC_5X4_UNORM, block));
}

/// Grid 4×4, weights of two bits: 0, but 3 (64 of 64) for the second texel; one partition whose
/// numbers have eight bits.
static void make_plain(uint8_t block[16], uint32_t mode, const uint8_t *numbers)
{
    memset(block, 0, 16);
    block_put(block, 0, 11, 0x42);
    block_put(block, 13, 4, mode);
    for (uint32_t i = 0; i < 2 * (mode / 4) + 2; i++)
        block_put(block, 17 + 8 * (int)i, 8, numbers[i]);
    block_put(block, 124, 2, 3);
}

static void decode_plain(uint32_t mode, const uint8_t *numbers)
{
    uint8_t block[16];
    make_plain(block, mode, numbers);
    block_decode(WEFT_FORMAT_ASTC_4X4_UNORM, block, texels);
}

TEST(block_astc, gray_endpoint_modes)
{
    decode_plain(0, (const uint8_t[]){10, 200});
    EXPECT(is_near(0, 10, 10, 10, 255) && is_near(1, 200, 200, 200, 255));
    decode_plain(1, (const uint8_t[]){156, 0x45}); // 156 / 4 + 64, and 5 more
    EXPECT(is_near(0, 103, 103, 103, 255) && is_near(1, 108, 108, 108, 255));
    decode_plain(1, (const uint8_t[]){255, 0xff}); // 63 + 192 + 63 is too much
    EXPECT(is_near(1, 255, 255, 255, 255));
    decode_plain(4, (const uint8_t[]){10, 200, 30, 40});
    EXPECT(is_near(0, 10, 10, 10, 30) && is_near(1, 200, 200, 200, 40));
    // 100 / 2 + 128, 133 / 2 is 66: 2 more; 40 / 2, 126 / 2 is 63: one less.
    decode_plain(5, (const uint8_t[]){100, 133, 40, 126});
    EXPECT(is_near(0, 178, 178, 178, 20) && is_near(1, 180, 180, 180, 19));
}

TEST(block_astc, color_endpoint_modes)
{
    decode_plain(6, (const uint8_t[]){200, 100, 50, 128});
    EXPECT(is_near(0, 100, 50, 25, 255) && is_near(1, 200, 100, 50, 255));
    decode_plain(10, (const uint8_t[]){200, 100, 50, 128, 7, 9});
    EXPECT(is_near(0, 100, 50, 25, 7) && is_near(1, 200, 100, 50, 9));
    decode_plain(8, (const uint8_t[]){10, 20, 30, 40, 50, 60});
    EXPECT(is_near(0, 10, 30, 50, 255) && is_near(1, 20, 40, 60, 255));
    decode_plain(12, (const uint8_t[]){10, 20, 30, 40, 50, 60, 70, 80});
    EXPECT(is_near(0, 10, 30, 50, 70) && is_near(1, 20, 40, 60, 80));
    decode_plain(9, (const uint8_t[]){20, 4, 40, 4, 60, 4});
    EXPECT(is_near(0, 10, 20, 30, 255) && is_near(1, 12, 22, 32, 255));
    decode_plain(13, (const uint8_t[]){20, 4, 40, 4, 60, 4, 80, 126});
    EXPECT(is_near(0, 10, 20, 30, 40) && is_near(1, 12, 22, 32, 39));
}

TEST(block_astc, endpoints_in_falling_order_contract_towards_blue)
{
    decode_plain(8, (const uint8_t[]){20, 10, 40, 30, 60, 50});
    EXPECT(is_near(0, 30, 40, 50, 255) && is_near(1, 40, 50, 60, 255));
    decode_plain(12, (const uint8_t[]){20, 10, 40, 30, 60, 50, 70, 80});
    EXPECT(is_near(0, 30, 40, 50, 80) && is_near(1, 40, 50, 60, 70));
    decode_plain(9, (const uint8_t[]){20, 126, 40, 126, 60, 126});
    EXPECT(is_near(0, 19, 24, 29, 255) && is_near(1, 20, 25, 30, 255));
    decode_plain(13, (const uint8_t[]){20, 126, 40, 126, 60, 126, 80, 4});
    EXPECT(is_near(0, 19, 24, 29, 42) && is_near(1, 20, 25, 30, 40));
}

TEST(block_astc, endpoint_modes_of_high_range_are_errors)
{
    static const uint8_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t modes[] = {2, 3, 7, 11, 14, 15};
    for (size_t i = 0; i < sizeof modes; i++) {
        uint8_t block[16];
        make_plain(block, modes[i], numbers);
        EXPECT(all_magenta(WEFT_FORMAT_ASTC_4X4_UNORM, block));
        EXPECT(all_magenta(WEFT_FORMAT_ASTC_4X4_UNORM_SRGB, block));
    }
}

TEST(block_astc, only_the_partition_of_high_range_is_an_error)
{
    // Two partitions, of modes 0 and 2; the second mode lies below the weights.
    uint8_t block[16] = {0};
    int errors = 0;
    block_put(block, 0, 11, 0x42);
    block_put(block, 11, 2, 1);
    block_put(block, 13, 10, 5);
    block_put(block, 23, 2, 1);
    block_put(block, 94, 2, 2);
    block_decode(WEFT_FORMAT_ASTC_4X4_UNORM, block, texels);
    for (int i = 0; i < 16; i++) {
        EXPECT(is_magenta(i) || is_near(i, 0, 0, 0, 255));
        errors += is_magenta(i);
    }
    EXPECT(errors > 0 && errors < 16);
}

TEST(block_astc, a_second_plane_has_weights_of_its_own_for_one_component)
{
    uint8_t block[16] = {0};
    block_put(block, 0, 11, 0x442);
    block_put(block, 17, 8, 10);
    block_put(block, 25, 8, 200);
    block_put(block, 62, 2, 1); // green
    block_put(block, 124, 2, 3);
    block_decode(WEFT_FORMAT_ASTC_4X4_UNORM, block, texels);
    EXPECT(is_near(0, 10, 200, 10, 255) && is_near(1, 10, 10, 10, 255));
}

TEST(block_astc, quints_and_trits_are_packed_digits)
{
    // Grid 4×6 and weights of four bits leave 15 bits to two numbers: 5 bits each and two quints, 0
    // and 4, which are 0000101. The second is (4 × 6) inverted by its lowest bit: 487 / 4 + 128.
    uint8_t block[16] = {0};
    block_put(block, 0, 11, 0x24e);
    block_put(block, 22, 3, 5);
    block_put(block, 25, 5, 1);
    block_put(block, 124, 4, 15);
    block_decode(WEFT_FORMAT_ASTC_6X6_UNORM, block, texels);
    EXPECT(is_near(0, 249, 249, 249, 255) && is_near(5, 0, 0, 0, 255));
    // Grid 4×4 of trits: the first is 1, a half.
    memset(block, 0, sizeof block);
    block_put(block, 0, 11, 0x51);
    block_put(block, 25, 8, 200);
    block_put(block, 127, 1, 1);
    block_decode(WEFT_FORMAT_ASTC_4X4_UNORM, block, texels);
    EXPECT(is_near(0, 100, 100, 100, 255) && is_near(1, 0, 0, 0, 255));
}

TEST(block_astc, weights_between_those_of_the_grid_are_averages)
{
    // On 8×8, a grid of 4×4: 1024 / 7 = 146 to a texel; texel 1 is (146 × 3 + 32) / 64 = 7
    // sixteenths behind the first weight, which is 64: (64 × 9 + 8) / 16 = 36.
    uint8_t block[16] = {0};
    block_put(block, 0, 11, 0x42);
    block_put(block, 25, 8, 64);
    block_put(block, 126, 2, 3);
    block_decode(WEFT_FORMAT_ASTC_8X8_UNORM, block, texels);
    EXPECT(is_near(0, 64, 64, 64, 255) && is_near(1, 36, 36, 36, 255));
    EXPECT(is_near(8, 36, 36, 36, 255));
    // Diagonally: 7 × 7 + 8 is 3 sixteenths of both, 16 - 14 + 3 left: (64 × 5 + 8) / 16 = 20.
    EXPECT(is_near(9, 20, 20, 20, 255));
}

TEST(block_astc, illegal_blocks_are_errors)
{
    static const uint8_t numbers[8] = {10, 200};
    uint8_t block[16];
    make_plain(block, 0, numbers);
    block_put(block, 0, 4, 0); // reserved
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_4X4_UNORM, block));
    make_plain(block, 0, numbers);
    block_put(block, 7, 2, 1); // a grid of 5×4
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_4X4_UNORM, block));
    EXPECT(!all_magenta(WEFT_FORMAT_ASTC_5X4_UNORM, block));
    make_plain(block, 0, numbers);
    block_put(block, 4, 1, 0);
    block_put(block, 0, 2, 1); // weights of 0 to 1: only 16 bits
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_4X4_UNORM, block));
    make_plain(block, 0, numbers);
    block_put(block, 10, 3, 7); // four partitions and two planes
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_4X4_UNORM, block));
    make_plain(block, 12, numbers);
    block_put(block, 11, 2, 2); // three times eight numbers
    block_put(block, 13, 16, 0xc000);
    EXPECT(all_magenta(WEFT_FORMAT_ASTC_4X4_UNORM, block));
}
