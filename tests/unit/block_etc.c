// ETC2 and EAC: the examples of the specification, and blocks that follow from it by hand.
#include "block_support.h"

static float texels[WF_SW_BLOCK_TEXELS][4];

/// Writes bits `from` down to `to` of the big-endian number in the block.
static void put(uint8_t *block, int from, int to, uint32_t value)
{
    for (int i = to; i <= from; i++)
        block[7 - i / 8] =
            (uint8_t)((block[7 - i / 8] & ~(1 << i % 8)) | (value >> (i - to) & 1) << i % 8);
}

/// Codes 0, 1, 2, 3 in the first four rows of a column.
static void put_codes(uint8_t *block, int column)
{
    put(block, 16 + 4 * column + 3, 16 + 4 * column, 0xc);
    put(block, 4 * column + 3, 4 * column, 0xa);
}

TEST(block_etc, individual_mode_has_two_colors_of_four_bits)
{
    // (4, 11, 9) with table 4 and (14, 3, 8) with table 0: the specification's example.
    uint8_t block[8] = {0x4e, 0xb3, 0x98, 0x80};
    put_codes(block, 0);
    put_codes(block, 3);
    block_decode(WEFT_FORMAT_ETC2_RGB8_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 86, 205, 171, 255);
    EXPECT_BYTES(texels[4], 128, 247, 213, 255);
    EXPECT_BYTES(texels[8], 50, 169, 135, 255); // 68 - 18 (the specification's table says 58)
    EXPECT_BYTES(texels[12], 8, 127, 93, 255);
    EXPECT_BYTES(texels[3], 240, 53, 138, 255);
    EXPECT_BYTES(texels[7], 246, 59, 144, 255);
    EXPECT_BYTES(texels[11], 236, 49, 134, 255);
    EXPECT_BYTES(texels[15], 230, 43, 128, 255);
}

/// (29, 26, 8) with table 2, and (-4, -3, +3) from there with table 3: the specification's example.
static void make_differential(uint8_t block[8], uint32_t bit33)
{
    memset(block, 0, 8);
    put(block, 63, 59, 29);
    put(block, 58, 56, 4);
    put(block, 55, 51, 26);
    put(block, 50, 48, 5);
    put(block, 47, 43, 8);
    put(block, 42, 40, 3);
    put(block, 39, 37, 2);
    put(block, 36, 34, 3);
    put(block, 33, 33, bit33);
    put(block, 32, 32, 1); // one above the other
    put_codes(block, 1);
}

TEST(block_etc, differential_mode_adds_to_five_bits)
{
    uint8_t block[8];
    make_differential(block, 1);
    block_decode(WEFT_FORMAT_ETC2_RGB8_UNORM, block, texels);
    EXPECT_BYTES(texels[1], 248, 223, 75, 255);
    EXPECT_BYTES(texels[5], 255, 243, 95, 255);
    EXPECT_BYTES(texels[9], 193, 176, 77, 255);
    EXPECT_BYTES(texels[13], 164, 147, 48, 255);
}

TEST(block_etc, punched_blocks_have_holes_and_no_small_steps)
{
    uint8_t block[8];
    make_differential(block, 0);
    block_decode(WEFT_FORMAT_ETC2_RGB8A1_UNORM, block, texels);
    EXPECT_BYTES(texels[1], 239, 214, 66, 255);
    EXPECT_BYTES(texels[5], 255, 243, 95, 255);
    EXPECT_BYTES(texels[9], 0, 0, 0, 0);
    EXPECT_BYTES(texels[13], 164, 147, 48, 255);
    make_differential(block, 1);
    block_decode(WEFT_FORMAT_ETC2_RGB8A1_UNORM, block, texels);
    EXPECT_BYTES(texels[9], 193, 176, 77, 255);
}

TEST(block_etc, t_mode_paints_one_color_and_three_around_another)
{
    // (13, 1, 8), (4, 12, 13), distance 32. Red's sum overflows: 11111 and 001.
    uint8_t block[8] = {0};
    put(block, 63, 61, 7);
    put(block, 60, 59, 3); // 13 is 1101
    put(block, 58, 58, 0);
    put(block, 57, 56, 1);
    put(block, 55, 52, 1);
    put(block, 51, 48, 8);
    put(block, 47, 36, 0x4cd);
    put(block, 35, 34, 2);
    put(block, 33, 33, 1);
    put(block, 32, 32, 1);
    put_codes(block, 2);
    block_decode(WEFT_FORMAT_ETC2_RGB8_UNORM, block, texels);
    EXPECT_BYTES(texels[2], 221, 17, 136, 255);
    EXPECT_BYTES(texels[6], 100, 236, 253, 255);
    EXPECT_BYTES(texels[10], 68, 204, 221, 255);
    EXPECT_BYTES(texels[14], 36, 172, 189, 255);
    put(block, 33, 33, 0);
    block_decode(WEFT_FORMAT_ETC2_RGB8A1_UNORM, block, texels);
    EXPECT_BYTES(texels[6], 100, 236, 253, 255);
    EXPECT_BYTES(texels[10], 0, 0, 0, 0);
}

TEST(block_etc, h_mode_paints_two_pairs)
{
    // (13, 1, 8), (4, 12, 13), distance 32: the specification's example. Green's sum is too small:
    // 00011 and 100, which is -4. The distance's last bit says that the first color is the larger.
    uint8_t block[8] = {0};
    put(block, 62, 59, 13);
    put(block, 58, 56, 0); // green 1: 000 and 1
    put(block, 55, 53, 0);
    put(block, 52, 52, 1);
    put(block, 51, 51, 1); // blue 8: 1 and 000
    put(block, 50, 50, 1);
    put(block, 49, 47, 0);
    put(block, 46, 43, 4);
    put(block, 42, 39, 12);
    put(block, 38, 35, 13);
    put(block, 34, 34, 1);
    put(block, 33, 33, 1);
    put(block, 32, 32, 0);
    put_codes(block, 0);
    block_decode(WEFT_FORMAT_ETC2_RGB8_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 253, 49, 168, 255);
    EXPECT_BYTES(texels[4], 189, 0, 104, 255);
    EXPECT_BYTES(texels[8], 100, 236, 253, 255);
    EXPECT_BYTES(texels[12], 36, 172, 189, 255);
}

TEST(block_etc, planar_mode_is_a_plane)
{
    // The specification's example: (12, 64, 62), (50, 5, 37), (40, 112, 45).
    static const int want[16][3] = {
        {48, 129, 251},  {87, 99, 226},   {126, 70, 201},  {164, 40, 175},
        {77, 153, 234},  {115, 123, 209}, {154, 94, 183},  {193, 64, 158},
        {105, 177, 217}, {144, 147, 191}, {183, 118, 166}, {221, 88, 141},
        {134, 201, 199}, {172, 171, 174}, {211, 142, 149}, {250, 112, 124},
    };
    uint8_t block[8] = {0};
    put(block, 62, 57, 12);
    put(block, 56, 56, 1); // green 64: 1 and 000000
    put(block, 54, 49, 0);
    put(block, 48, 48, 1); // blue 62: 1, 11 and 110
    put(block, 44, 43, 3);
    put(block, 41, 39, 6);
    put(block, 38, 34, 25); // red 50: 11001 and 0
    put(block, 33, 33, 1);
    put(block, 32, 32, 0);
    put(block, 31, 25, 5);
    put(block, 24, 19, 37);
    put(block, 18, 13, 40);
    put(block, 12, 6, 112);
    put(block, 5, 0, 45);
    // Blue must overflow: 11111 and a delta of 011 or 001.
    put(block, 47, 45, 7);
    put(block, 42, 42, 0);
    block_decode(WEFT_FORMAT_ETC2_RGB8_UNORM, block, texels);
    for (int i = 0; i < 16; i++)
        EXPECT_BYTES(texels[i], want[i][0], want[i][1], want[i][2], 255);
    put(block, 33, 33, 0); // planes have no holes
    block_decode(WEFT_FORMAT_ETC2_RGB8A1_UNORM, block, texels);
    EXPECT_BYTES(texels[7], 193, 64, 158, 255);
}

/// Pixel b (below the first) has index 3, the others 0.
static void make_eac(uint8_t *block, int base, uint32_t multiplier, uint32_t table)
{
    memset(block, 0, 8);
    block[0] = (uint8_t)base;
    put(block, 55, 52, multiplier);
    put(block, 51, 48, table);
    put(block, 44, 42, 3);
}

TEST(block_etc, alpha_is_a_base_and_multiplied_steps)
{
    uint8_t block[16] = {0};
    make_eac(block, 103, 2, 13);
    block_decode(WEFT_FORMAT_ETC2_RGBA8_UNORM, block, texels);
    EXPECT_NEAR(texels[4][3] * 255, 83, 1e-4); // the specification's example
    EXPECT_NEAR(texels[0][3] * 255, 101, 1e-4);
    make_eac(block, 103, 0, 13);
    block_decode(WEFT_FORMAT_ETC2_RGBA8_UNORM_SRGB, block, texels);
    EXPECT_NEAR(texels[4][3] * 255, 103, 1e-4);
}

TEST(block_etc, eac_has_eleven_bits)
{
    uint8_t block[16];
    make_eac(block, 103, 2, 13);
    make_eac(block + 8, 103, 0, 13);
    block_decode(WEFT_FORMAT_EAC_RG11_UNORM, block, texels);
    EXPECT(texels[4][0] == 668 / 2047.0f); // both are the specification's examples
    EXPECT(texels[4][1] == 818 / 2047.0f);
    EXPECT(texels[4][2] == 0 && texels[4][3] == 1);
    make_eac(block, 60, 2, 13);
    block_decode(WEFT_FORMAT_EAC_R11_SNORM, block, texels);
    EXPECT(texels[4][0] == 320 / 1023.0f);
    make_eac(block, -128, 0, 15);
    block_decode(WEFT_FORMAT_EAC_R11_SNORM, block, texels);
    EXPECT(texels[0][0] == (-127 * 8 - 3) / 1023.0f);
    make_eac(block, -128, 1, 15);
    block_decode(WEFT_FORMAT_EAC_R11_SNORM, block, texels);
    EXPECT(texels[0][0] == -1);
}
