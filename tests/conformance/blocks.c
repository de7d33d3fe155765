// Blocks by hand, after the Khronos Data Format Specification.
#include "blocks.h"

#include <string.h>

/// A two-bit code of a texel that tells columns, rows and their order.
static uint32_t code_of(uint32_t x, uint32_t y)
{
    return (x + 2 * (y % 2) + (y > 1)) % 4;
}

// ---- BC1: four colors of five, six and five bits -----------------------------------------------

static void bc1_color(uint32_t color, uint32_t rgb[3])
{
    rgb[0] = 8 + color % 8 * 3;
    rgb[1] = 20 + color / 8 % 8 * 5;
    rgb[2] = 31 - color % 16;
}

/// The second color is black, and the first one larger.
static void bc1_make(uint8_t *block, uint32_t color)
{
    uint32_t rgb[3];
    bc1_color(color, rgb);
    memset(block, 0, 8);
    block[0] = (uint8_t)(rgb[1] << 5 | rgb[2]);
    block[1] = (uint8_t)(rgb[0] << 3 | rgb[1] >> 3);
    for (uint32_t i = 0; i < 16; i++)
        block[4 + i / 4] = (uint8_t)(block[4 + i / 4] | code_of(i % 4, i / 4) << i % 4 * 2);
}

static struct conform_texel bc1_texel(uint32_t color, uint32_t x, uint32_t y)
{
    static const double share[4] = {1, 0, 2 / 3.0, 1 / 3.0};
    const double s = share[code_of(x, y)];
    uint32_t rgb[3];
    bc1_color(color, rgb);
    return (struct conform_texel){{s * rgb[0] / 31, s * rgb[1] / 63, s * rgb[2] / 31, 1}};
}

/// Devices may widen to eight bits by copying bits (at most 0.75 off) and mix those rounding down.
const struct conform_blocks conform_bc1 = {
    WEFT_FORMAT_BC1_RGBA_UNORM, WEFT_FORMAT_BC1_RGBA_UNORM_SRGB, 1.75 / 255, bc1_make, bc1_texel};

// ---- ETC2: the individual mode, both halves alike ----------------------------------------------

static void etc2_color(uint32_t color, uint32_t rgb[3])
{
    rgb[0] = 1 + color % 14;
    rgb[1] = 1 + color / 14 % 14;
    rgb[2] = 14 - color % 7;
}

/// Table 0: +2, +8, -2, -8. High bits of the codes before the low bits, columns first.
static void etc2_make(uint8_t *block, uint32_t color)
{
    uint32_t rgb[3], high = 0, low = 0;
    etc2_color(color, rgb);
    for (uint32_t i = 0; i < 16; i++) {
        high |= code_of(i / 4, i % 4) >> 1 << i;
        low |= (code_of(i / 4, i % 4) & 1) << i;
    }
    for (uint32_t i = 0; i < 3; i++)
        block[i] = (uint8_t)(rgb[i] * 17);
    block[3] = 0;
    block[4] = (uint8_t)(high >> 8);
    block[5] = (uint8_t)high;
    block[6] = (uint8_t)(low >> 8);
    block[7] = (uint8_t)low;
}

static struct conform_texel etc2_texel(uint32_t color, uint32_t x, uint32_t y)
{
    static const double add[4] = {2, 8, -2, -8};
    const double a = add[code_of(x, y)];
    uint32_t rgb[3];
    etc2_color(color, rgb);
    return (struct conform_texel){
        {(rgb[0] * 17 + a) / 255, (rgb[1] * 17 + a) / 255, (rgb[2] * 17 + a) / 255, 1}};
}

/// Exact, but for the number that is made of it.
const struct conform_blocks conform_etc2 = {WEFT_FORMAT_ETC2_RGB8_UNORM,
                                            WEFT_FORMAT_ETC2_RGB8_UNORM_SRGB, 0.25 / 255, etc2_make,
                                            etc2_texel};

// ---- ASTC: two luminances and a weight of two bits for each texel ------------------------------

static void set_bits(uint8_t *block, uint32_t first, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (value >> i & 1)
            block[(first + i) / 8] = (uint8_t)(block[(first + i) / 8] | 1u << (first + i) % 8);
}

/// Grid 4×4 and weights of 0 to 3 (block mode 0x42), one partition, mode 0, eight bits each end.
static void astc_make(uint8_t *block, uint32_t color)
{
    memset(block, 0, 16);
    set_bits(block, 0, 11, 0x42);
    set_bits(block, 17, 8, color);
    set_bits(block, 25, 8, 250 - color);
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t code = code_of(i % 4, i / 4);
        set_bits(block, 127 - 2 * i, 1, code & 1);
        set_bits(block, 126 - 2 * i, 1, code >> 1);
    }
}

static struct conform_texel astc_texel(uint32_t color, uint32_t x, uint32_t y)
{
    static const double weights[4] = {0, 21 / 64.0, 43 / 64.0, 1};
    const double w = weights[code_of(x, y)];
    const double v = (color * (1 - w) + (250 - color) * w) / 255;
    return (struct conform_texel){{v, v, v, 1}};
}

/// Of sixteen bits the device may keep eight.
const struct conform_blocks conform_astc = {
    WEFT_FORMAT_ASTC_4X4_UNORM, WEFT_FORMAT_ASTC_4X4_UNORM_SRGB, 1.0 / 255, astc_make, astc_texel};

/// A block of one color that knows of no others: a void extent without an extent.
static void astc_void_make(uint8_t *block, uint32_t color)
{
    memset(block, 0xff, 8);
    block[0] = 0xfc;
    block[1] = 0xfd; // not of high range
    for (uint32_t i = 0; i < 4; i++)
        block[9 + 2 * i] = block[8 + 2 * i] = (uint8_t)(color * (i + 1) + 40 * i);
}

static struct conform_texel astc_void_texel(uint32_t color, uint32_t x, uint32_t y)
{
    struct conform_texel texel;
    (void)x;
    (void)y;
    for (uint32_t i = 0; i < 4; i++)
        texel.v[i] = (uint8_t)(color * (i + 1) + 40 * i) / 255.0;
    return texel;
}

const struct conform_blocks conform_astc_10x8 = {WEFT_FORMAT_ASTC_10X8_UNORM,
                                                 WEFT_FORMAT_ASTC_10X8_UNORM_SRGB, 1.0 / 255,
                                                 astc_void_make, astc_void_texel};
