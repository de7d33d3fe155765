// BC1 to BC7: blocks whose texels follow from the specification by hand.
#include <math.h>

#include "block_support.h"

static float texels[WF_SW_BLOCK_TEXELS][4];

/// 565 colors white and black; codes 0, 1, 2, 3 in the first row, 0 elsewhere.
static const uint8_t white_black[8] = {0xff, 0xff, 0x00, 0x00, 0xe4, 0, 0, 0};
static const uint8_t black_white[8] = {0x00, 0x00, 0xff, 0xff, 0xe4, 0, 0, 0};

TEST(block_bc, bc1_has_four_colors_or_three_and_a_hole)
{
    block_decode(WEFT_FORMAT_BC1_RGBA_UNORM, white_black, texels);
    EXPECT_BYTES(texels[0], 255, 255, 255, 255);
    EXPECT_BYTES(texels[1], 0, 0, 0, 255);
    EXPECT_BYTES(texels[2], 170, 170, 170, 255);
    EXPECT_BYTES(texels[3], 85, 85, 85, 255);
    EXPECT_BYTES(texels[15], 255, 255, 255, 255);
    block_decode(WEFT_FORMAT_BC1_RGBA_UNORM, black_white, texels);
    EXPECT_BYTES(texels[1], 255, 255, 255, 255);
    EXPECT_BYTES(texels[2], 128, 128, 128, 255); // 127.5
    EXPECT_BYTES(texels[3], 0, 0, 0, 0);
}

TEST(block_bc, bc1_components_have_five_six_and_five_bits)
{
    const uint8_t block[8] = {0x61, 0x1c, 0, 0}; // red 3, green 35, blue 1
    block_decode(WEFT_FORMAT_BC1_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 25, 142, 8, 255); // 3 / 31 × 255 = 24.7, 141.7, 8.2
}

TEST(block_bc, bc1_srgb_is_linear_light)
{
    block_decode(WEFT_FORMAT_BC1_RGBA_UNORM_SRGB, white_black, texels);
    EXPECT_NEAR(texels[2][0], pow((170 / 255.0 + 0.055) / 1.055, 2.4), 1e-6);
    EXPECT_NEAR(texels[2][3], 1, 0);
}

TEST(block_bc, bc2_alpha_has_four_bits_and_colors_are_always_four)
{
    uint8_t block[16] = {0x80, 0xf1};
    memcpy(block + 8, black_white, 8);
    block_decode(WEFT_FORMAT_BC2_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 0, 0, 0, 0);
    EXPECT_BYTES(texels[1], 255, 255, 255, 136);
    EXPECT_BYTES(texels[2], 85, 85, 85, 17);
    EXPECT_BYTES(texels[3], 170, 170, 170, 255);
}

/// Codes 0 to 7 in the first two rows: three bits each, 0b111110101100011010001000.
static const uint8_t codes[6] = {0x88, 0xc6, 0xfa};

TEST(block_bc, bc3_alpha_has_eight_steps_or_six_and_the_ends)
{
    static const int eight[8] = {210, 0, 180, 150, 120, 90, 60, 30};
    static const int six[8] = {0, 250, 50, 100, 150, 200, 0, 255};
    uint8_t block[16] = {210, 0};
    memcpy(block + 2, codes, 6);
    memcpy(block + 8, white_black, 8);
    block_decode(WEFT_FORMAT_BC3_RGBA_UNORM, block, texels);
    for (int i = 0; i < 8; i++)
        EXPECT_NEAR(texels[i][3] * 255, eight[i], 1e-4);
    EXPECT_BYTES(texels[3], 85, 85, 85, 150);
    block[0] = 0;
    block[1] = 250;
    block_decode(WEFT_FORMAT_BC3_RGBA_UNORM, block, texels);
    for (int i = 0; i < 8; i++)
        EXPECT_NEAR(texels[i][3] * 255, six[i], 1e-4);
}

TEST(block_bc, bc4_and_bc5_are_exact_quotients)
{
    uint8_t block[16] = {1, 0};
    memcpy(block + 2, codes, 6);
    block_decode(WEFT_FORMAT_BC4_R_UNORM, block, texels);
    for (int i = 2; i < 8; i++)
        EXPECT(texels[i][0] == (float)(8 - i) / (7.0f * 255.0f));
    EXPECT(texels[0][1] == 0 && texels[0][2] == 0 && texels[0][3] == 1);
    block[8] = 0x81; // -127
    block[9] = 0x7f;
    memcpy(block + 10, codes, 6);
    block_decode(WEFT_FORMAT_BC5_RG_SNORM, block, texels);
    static const float six[8] = {-1, 1, -0.6f, -0.2f, 0.2f, 0.6f, -1, 1};
    for (int i = 0; i < 8; i++)
        EXPECT(texels[i][1] == six[i]);
    EXPECT(texels[0][0] == 1 / 127.0f && texels[0][2] == 0 && texels[0][3] == 1);
    block[8] = 0x80; // as good as -127
    block_decode(WEFT_FORMAT_BC5_RG_SNORM, block, texels);
    EXPECT(texels[0][1] == -1 && texels[2][1] == -0.6f);
}

// ---- BC7 ---------------------------------------------------------------------------------------

/// A field of `count` bits at bit `first`.
struct field {
    int first, count;
    uint32_t value;
};

static void make(uint8_t block[16], const struct field *fields)
{
    memset(block, 0, 16);
    for (; fields->count; fields++)
        block_put(block, fields->first, fields->count, fields->value);
}

TEST(block_bc, bc7_mode_0_three_subsets_of_four_bits_and_a_low_one)
{
    // Partition 0: rows 0 0 1 1, 0 0 1 1, 0 2 2 1, 2 2 2 2; red in the first end of each subset.
    static const struct field fields[] = {
        {0, 1, 1},      {1, 4, 0},  {5, 4, 15}, {13, 4, 8}, {21, 4, 1},
        {29 + 8, 4, 7}, {77, 1, 1}, {79, 1, 0}, {81, 1, 1}, {0}};
    uint8_t block[16];
    make(block, fields);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 255, 8, 8, 255);   // 11111, 00001
    EXPECT_BYTES(texels[2], 132, 115, 0, 255); // 10000 → 10000100, 01110 → 01110011
    EXPECT_BYTES(texels[9], 24, 8, 8, 255);    // 00011 → 00011000
}

TEST(block_bc, bc7_mode_1_shares_a_low_bit_and_has_three_index_bits)
{
    // Partition 13: two rows each. Subset 0 from black to white, subset 1 all of one color.
    static const struct field fields[] = {{0, 2, 2},   {2, 6, 13}, {14, 6, 63}, {38, 6, 63},
                                          {62, 6, 63}, {80, 1, 0}, {81, 1, 1},  {82, 2, 3},
                                          {84, 3, 7},  {0}};
    uint8_t block[16];
    make(block, fields);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    // 1111110 → 11111101 = 253; index 3 is 27 / 64: (27 × 253 + 32) / 64 = 107.2
    EXPECT_BYTES(texels[0], 107, 107, 107, 255);
    EXPECT_BYTES(texels[1], 253, 253, 253, 255);
    EXPECT_BYTES(texels[2], 0, 0, 0, 255);
    EXPECT_BYTES(texels[8], 2, 2, 2, 255); // 0000001 → 00000010
}

TEST(block_bc, bc7_modes_2_and_3_and_7_have_two_index_bits)
{
    static const struct field two[] = {{0, 3, 4}, {9, 5, 1}, {39, 5, 16}, {69, 5, 31}, {0}};
    static const struct field three[] = {{0, 4, 8}, {4, 6, 13}, {10, 7, 127}, {94, 1, 0}, {0}};
    static const struct field seven[] = {{0, 8, 128}, {8, 6, 13}, {14, 5, 31}, {74, 5, 16},
                                         {79, 5, 0},  {94, 1, 1}, {99, 2, 2},  {0}};
    uint8_t block[16];
    make(block, two);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 8, 132, 255, 255);
    make(block, three);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 254, 0, 0, 255);
    make(block, seven);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 255, 4, 4, 134); // 100001 → 10000110, 000001 → 00000100
    // Index 2, weight 43, to the other end, which is all 0.
    EXPECT_BYTES(texels[1], (21 * 255 + 32) / 64, 1, 1, (21 * 134 + 32) / 64);
}

TEST(block_bc, bc7_mode_4_has_two_sets_of_indices_and_turns)
{
    struct field fields[] = {{0, 5, 16},  {5, 2, 0},  {7, 1, 0},  {13, 5, 31},
                             {44, 6, 63}, {50, 1, 1}, {81, 2, 3}, {0}};
    uint8_t block[16];
    make(block, fields);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], (21 * 255 + 32) / 64, 0, 0, (27 * 255 + 32) / 64);
    fields[2].value = 1; // colors by the second set
    make(block, fields);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], (27 * 255 + 32) / 64, 0, 0, (21 * 255 + 32) / 64);
    fields[1].value = 2; // alpha and green change places
    make(block, fields);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], (27 * 255 + 32) / 64, (21 * 255 + 32) / 64, 0, 0);
}

TEST(block_bc, bc7_modes_5_and_6_have_one_subset)
{
    static const struct field five[] = {{0, 6, 32},   {6, 2, 3},  {8, 7, 64}, {50, 8, 200},
                                        {58, 8, 100}, {97, 1, 1}, {0}};
    static const struct field six[] = {{0, 7, 64}, {7, 7, 127},    {56, 7, 127}, {63, 1, 0},
                                       {64, 1, 1}, {65 + 3, 4, 1}, {0}};
    uint8_t block[16];
    make(block, five);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    EXPECT_BYTES(texels[0], 129, 0, (43 * 200 + 21 * 100 + 32) / 64, 0); // 1000000 → 10000001
    make(block, six);
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM_SRGB, block, texels);
    EXPECT_NEAR(texels[0][0], pow((254 / 255.0 + 0.055) / 1.055, 2.4), 1e-6);
    EXPECT_NEAR(texels[1][3] * 255, 16, 1e-4); // (4 × 255 + 32) / 64 = 16.4
}

TEST(block_bc, bc7_without_a_mode_is_nothing)
{
    uint8_t block[16];
    memset(block, 0xff, sizeof block);
    block[0] = 0;
    block_decode(WEFT_FORMAT_BC7_RGBA_UNORM, block, texels);
    for (int i = 0; i < 16; i++)
        EXPECT_BYTES(texels[i], 0, 0, 0, 0);
}

// ---- BC6H --------------------------------------------------------------------------------------

/// Bits of the first endpoint of each mode, red first, whose lowest 10 or fewer lie side by side.
static const struct {
    uint32_t mode;
    int mode_bits, size, red, green, blue;
} modes[14] = {
    {0, 2, 10, 5, 15, 25},  {1, 2, 7, 5, 15, 25},   {2, 5, 11, 5, 15, 25}, {6, 5, 11, 5, 15, 25},
    {10, 5, 11, 5, 15, 25}, {14, 5, 9, 5, 15, 25},  {18, 5, 8, 5, 15, 25}, {22, 5, 8, 5, 15, 25},
    {26, 5, 8, 5, 15, 25},  {30, 5, 6, 5, 15, 25},  {3, 5, 10, 5, 15, 25}, {7, 5, 11, 5, 15, 25},
    {11, 5, 12, 5, 15, 25}, {15, 5, 16, 5, 15, 25},
};

TEST(block_bc, bc6h_first_endpoints_lie_in_the_same_place_in_every_mode)
{
    for (int m = 0; m < 14; m++) {
        // Red 1, green 2, blue 3 in the lowest bits: every index 0, every difference 0.
        uint8_t block[16] = {0};
        block_put(block, 0, modes[m].mode_bits, modes[m].mode);
        block_put(block, modes[m].red, 2, 1);
        block_put(block, modes[m].green, 2, 2);
        block_put(block, modes[m].blue, 2, 3);
        block_decode(WEFT_FORMAT_BC6H_RGB_UFLOAT, block, texels);
        for (int c = 0; c < 3; c++) {
            const uint32_t x = (uint32_t)c + 1, size = (uint32_t)modes[m].size;
            const uint32_t whole = size >= 15 ? x : ((x << 15) + 0x4000) >> (size - 1);
            const float want = wf_base_half_to_float((uint16_t)(whole * 31 / 64));
            EXPECT(texels[0][c] == want);
        }
        EXPECT(texels[0][3] == 1);
    }
}

TEST(block_bc, bc6h_mode_3_goes_from_one_end_to_the_other)
{
    // From 0 to the largest red; the third texel's index is 15, the second's 1.
    static const struct field fields[] = {{0, 5, 3}, {35, 10, 1023}, {68, 4, 1}, {72, 4, 15}, {0}};
    uint8_t block[16];
    make(block, fields);
    block_decode(WEFT_FORMAT_BC6H_RGB_UFLOAT, block, texels);
    EXPECT(texels[0][0] == 0 && texels[2][0] == 65504);
    EXPECT(texels[1][0] == wf_base_half_to_float((4 * 0xffff + 32) / 64 * 31 / 64));
    // As a signed number the end is -1 of 511: (32768 + 16384) / 512 = 96, of 31 / 32: 93.
    block_decode(WEFT_FORMAT_BC6H_RGB_FLOAT, block, texels);
    EXPECT(texels[2][0] == -wf_base_half_to_float(93));
}

TEST(block_bc, bc6h_mode_15_stores_high_bits_backwards_and_adds_differences)
{
    // Red: bits 10 to 15 lie from bit 44 down to 39; a difference of -1 in four bits.
    static const struct field fields[] = {{0, 5, 15},  {5, 10, 2},  {44, 1, 1},
                                          {35, 4, 15}, {68, 4, 15}, {0}};
    uint8_t block[16];
    make(block, fields);
    block_decode(WEFT_FORMAT_BC6H_RGB_UFLOAT, block, texels);
    EXPECT(texels[0][0] == wf_base_half_to_float(1026 * 31 / 64));
    EXPECT(texels[1][0] == wf_base_half_to_float(1025 * 31 / 64));
}

TEST(block_bc, bc6h_reserved_modes_are_black)
{
    for (uint32_t mode = 19; mode < 32; mode += 4) {
        uint8_t block[16];
        memset(block, 0xff, sizeof block);
        block_put(block, 0, 5, mode);
        block_decode(WEFT_FORMAT_BC6H_RGB_FLOAT, block, texels);
        EXPECT(texels[5][0] == 0 && texels[5][1] == 0 && texels[5][2] == 0 && texels[5][3] == 1);
    }
}
