// BC1 to BC7.
#include "support/block_reference.h"
#include "support/block_reference_tables.h"

#include <math.h>
#include <stdlib.h>

// ---- chapters S3TC and RGTC --------------------------------------------------------------------

/// To the nearest of 255 steps: what eight bits can hold of it.
static double to_byte(double value)
{
    return floor(value * 255 + 0.5) / 255;
}

static void color_block(const uint8_t *b, bool four, int x, int y, double out[4])
{
    const long c0 = b[0] + 256L * b[1], c1 = b[2] + 256L * b[3];
    const long code = reference_bits(b + 4, 32, 2 * (4 * y + x), 2);
    const double rgb0[3] = {(double)(c0 >> 11), (double)(c0 >> 5 & 63), (double)(c0 & 31)};
    const double rgb1[3] = {(double)(c1 >> 11), (double)(c1 >> 5 & 63), (double)(c1 & 31)};
    const double most[3] = {31, 63, 31};
    for (int c = 0; c < 3; c++) {
        double value;
        if (code == 0)
            value = rgb0[c] / most[c];
        else if (code == 1)
            value = rgb1[c] / most[c];
        else if (four || c0 > c1)
            value = (code == 2 ? 2 * rgb0[c] + rgb1[c] : rgb0[c] + 2 * rgb1[c]) / (3 * most[c]);
        else
            value = code == 2 ? (rgb0[c] + rgb1[c]) / (2 * most[c]) : 0;
        out[c] = to_byte(value);
    }
    if (!four)
        out[3] = c0 <= c1 && code == 3 ? 0 : 1;
}

static double channel_block(const uint8_t *b, bool sign, int x, int y)
{
    const int red0 = sign ? (int8_t)b[0] : b[0], red1 = sign ? (int8_t)b[1] : b[1];
    const double scale = sign ? 127 : 255;
    const double e0 = fmax(red0 / scale, -1), e1 = fmax(red1 / scale, -1);
    const long code = reference_bits(b + 2, 48, 3 * (4 * y + x), 3);
    if (code == 0)
        return e0;
    if (code == 1)
        return e1;
    if (red0 > red1)
        return ((double)(8 - code) * e0 + (double)(code - 1) * e1) / 7;
    if (code == 6)
        return sign ? -1 : 0;
    if (code == 7)
        return 1;
    return ((double)(6 - code) * e0 + (double)(code - 1) * e1) / 5;
}

// ---- chapter BPTC ------------------------------------------------------------------------------

static int anchor_of(int subsets, int number, int subset)
{
    if (subset == 0)
        return 0;
    if (subsets == 2)
        return reference_anchor_2[number];
    return subset == 1 ? reference_anchor_3_second[number] : reference_anchor_3_third[number];
}

static int subset_of(int subsets, int number, int texel)
{
    if (subsets == 1)
        return 0;
    return (subsets == 2 ? reference_two_subsets : reference_three_subsets)[number][texel] - '0';
}

/// The weight of a texel whose indices of `size` bits begin at bit `first`.
static int weight_of(const uint8_t *b, int first, int size, int subsets, int number, int texel)
{
    static const int weights2[] = {0, 21, 43, 64};
    static const int weights3[] = {0, 9, 18, 27, 37, 46, 55, 64};
    static const int weights4[] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
    int at = first, length = size;
    for (int i = 0; i <= texel; i++) {
        length = size;
        for (int s = 0; s < subsets; s++)
            if (anchor_of(subsets, number, s) == i)
                length = size - 1;
        at += i < texel ? length : 0;
    }
    const long index = reference_bits(b, 128, at, length);
    return size == 2 ? weights2[index] : size == 3 ? weights3[index] : weights4[index];
}

/// Where the fields of a mode begin, as the table of bit layouts has them.
static const struct {
    int subsets, partition_bits, color_bits, alpha_bits, color, alpha, low, low_step, index_bits,
        index, second_bits, second;
} bc7_modes[8] = {
    {3, 4, 4, 0, 5, -1, 77, 1, 3, 83, 0, 0},  {2, 6, 6, 0, 8, -1, 80, 2, 3, 82, 0, 0},
    {3, 6, 5, 0, 9, -1, -1, 0, 2, 99, 0, 0},  {2, 6, 7, 0, 10, -1, 94, 1, 2, 98, 0, 0},
    {1, 0, 5, 6, 8, 38, -1, 0, 2, 50, 3, 81}, {1, 0, 7, 8, 8, 50, -1, 0, 2, 66, 2, 97},
    {1, 0, 7, 7, 7, 49, 63, 1, 4, 65, 0, 0},  {2, 6, 5, 5, 14, 74, 94, 1, 2, 98, 0, 0},
};

static int bc7_end(const uint8_t *b, int mode, int end, int c)
{
    const int ends = 2 * bc7_modes[mode].subsets;
    int size = c < 3 ? bc7_modes[mode].color_bits : bc7_modes[mode].alpha_bits;
    if (size == 0)
        return 255;
    const int first = c < 3 ? bc7_modes[mode].color + (c * ends + end) * size
                            : bc7_modes[mode].alpha + end * size;
    long value = reference_bits(b, 128, first, size);
    if (bc7_modes[mode].low >= 0) {
        const int at = bc7_modes[mode].low + end / bc7_modes[mode].low_step;
        value = 2 * value + reference_bits(b, 128, at, 1);
        size++;
    }
    // The top bits again in the place of those that are missing.
    value = (value << (8 - size)) + (value >> (2 * size - 8));
    return (int)value;
}

static void bc7_block(const uint8_t *b, int x, int y, double out[4])
{
    int mode = 0;
    while (mode < 8 && !(b[0] >> mode & 1))
        mode++;
    out[0] = out[1] = out[2] = out[3] = 0;
    if (mode == 8)
        return;
    const int texel = 4 * y + x, subsets = bc7_modes[mode].subsets;
    const int number = (int)reference_bits(b, 128, mode + 1, bc7_modes[mode].partition_bits);
    const int subset = subset_of(subsets, number, texel);
    int color =
        weight_of(b, bc7_modes[mode].index, bc7_modes[mode].index_bits, subsets, number, texel);
    int alpha = color;
    if (bc7_modes[mode].second_bits)
        alpha = weight_of(b, bc7_modes[mode].second, bc7_modes[mode].second_bits, 1, 0, texel);
    if (mode == 4 && b[0] >> 7) {
        const int other = color;
        color = alpha;
        alpha = other;
    }
    for (int c = 0; c < 4; c++) {
        const int weight = c < 3 ? color : alpha;
        const int e0 = bc7_end(b, mode, 2 * subset, c), e1 = bc7_end(b, mode, 2 * subset + 1, c);
        const int value = ((64 - weight) * e0 + weight * e1 + 32) / 64;
        out[c] = (double)value / 255;
    }
    const long rotation = mode == 4   ? reference_bits(b, 128, 5, 2)
                          : mode == 5 ? reference_bits(b, 128, 6, 2)
                                      : 0;
    if (rotation) {
        const double other = out[3];
        out[3] = out[rotation - 1];
        out[rotation - 1] = other;
    }
}

static const struct {
    int mode, size, red, green, blue; ///< Bits of the first endpoint and of the differences.
} bc6h_modes[14] = {
    {0, 10, 5, 5, 5}, {1, 7, 6, 6, 6},  {2, 11, 5, 4, 4},  {6, 11, 4, 5, 4},  {10, 11, 4, 4, 5},
    {14, 9, 5, 5, 5}, {18, 8, 6, 5, 5}, {22, 8, 5, 6, 5},  {26, 8, 5, 5, 6},  {30, 6, 0, 0, 0},
    {3, 10, 0, 0, 0}, {7, 11, 9, 9, 9}, {11, 12, 8, 8, 8}, {15, 16, 4, 4, 4},
};

static long two_complement(long value, int size)
{
    return value >= 1L << (size - 1) ? value - (1L << size) : value;
}

static long bc6h_unquantize(long x, int size, bool sign)
{
    if (!sign) {
        if (size >= 15 || x == 0)
            return x;
        return x == (1L << size) - 1 ? 0xffff : ((x << 15) + 0x4000) >> (size - 1);
    }
    const long a = labs(x);
    if (size >= 16 || x == 0)
        return x;
    const long whole = a >= (1L << (size - 1)) - 1 ? 0x7fff : ((a << 15) + 0x4000) >> (size - 1);
    return x < 0 ? -whole : whole;
}

/// Collects a component of an endpoint (or the partition: 'P', 0) from the table of all bits.
static long bc6h_collect(const uint8_t *b, int row, char component, int end)
{
    long value = 0;
    for (int bit = 0; bit < 82; bit++) {
        const char *token = reference_bc6h_bits[row].bits + 4L * bit;
        if (token[0] == component && token[1] == '0' + end)
            value += reference_bits(b, 128, bit, 1)
                     << (token[2] <= '9' ? token[2] - '0' : token[2] - 'a' + 10);
    }
    return value;
}

static long bc6h_end(const uint8_t *b, int row, int end, int c, bool sign)
{
    const int size = bc6h_modes[row].size;
    const int deltas[3] = {bc6h_modes[row].red, bc6h_modes[row].green, bc6h_modes[row].blue};
    long value = bc6h_collect(b, row, "RGB"[c], end);
    if (end > 0 && deltas[c]) {
        const long base = bc6h_collect(b, row, "RGB"[c], 0);
        value = (base + two_complement(value, deltas[c])) & ((1L << size) - 1);
    }
    return bc6h_unquantize(sign ? two_complement(value, size) : value, size, sign);
}

static void bc6h_block(const uint8_t *b, bool sign, int x, int y, double out[4])
{
    const int low = b[0] & 3, mode = low < 2 ? low : b[0] & 31;
    int row = 0;
    while (row < 14 && bc6h_modes[row].mode != mode)
        row++;
    if (row == 14)
        return;
    const int texel = 4 * y + x, subsets = row < 10 ? 2 : 1;
    const int number = subsets == 2 ? (int)bc6h_collect(b, row, 'P', 0) : 0;
    const int subset = subset_of(subsets, number, texel);
    const long w =
        weight_of(b, subsets == 2 ? 82 : 65, subsets == 2 ? 3 : 4, subsets, number, texel);
    for (int c = 0; c < 3; c++) {
        const long e0 = bc6h_end(b, row, 2 * subset, c, sign);
        const long e1 = bc6h_end(b, row, 2 * subset + 1, c, sign);
        const long i = (long)floor((double)((64 - w) * e0 + w * e1 + 32) / 64);
        if (!sign)
            out[c] = reference_half(i * 31 / 64);
        else
            out[c] = reference_half(i < 0 ? (-i * 31 / 32) | 0x8000 : i * 31 / 32);
    }
}

void reference_bc(weft_format format, const uint8_t *block, int x, int y, double out[4])
{
    switch (format) {
    case WEFT_FORMAT_BC1_RGBA_UNORM:
    case WEFT_FORMAT_BC1_RGBA_UNORM_SRGB:
        color_block(block, false, x, y, out);
        break;
    case WEFT_FORMAT_BC2_RGBA_UNORM:
    case WEFT_FORMAT_BC2_RGBA_UNORM_SRGB:
        color_block(block + 8, true, x, y, out);
        out[3] = (double)reference_bits(block, 64, 4 * (4 * y + x), 4) / 15;
        break;
    case WEFT_FORMAT_BC3_RGBA_UNORM:
    case WEFT_FORMAT_BC3_RGBA_UNORM_SRGB:
        color_block(block + 8, true, x, y, out);
        out[3] = to_byte(channel_block(block, false, x, y));
        break;
    case WEFT_FORMAT_BC5_RG_UNORM:
    case WEFT_FORMAT_BC5_RG_SNORM:
        out[1] = channel_block(block + 8, format == WEFT_FORMAT_BC5_RG_SNORM, x, y);
        out[0] = channel_block(block, format == WEFT_FORMAT_BC5_RG_SNORM, x, y);
        break;
    case WEFT_FORMAT_BC4_R_UNORM:
    case WEFT_FORMAT_BC4_R_SNORM:
        out[0] = channel_block(block, format == WEFT_FORMAT_BC4_R_SNORM, x, y);
        break;
    case WEFT_FORMAT_BC6H_RGB_UFLOAT:
    case WEFT_FORMAT_BC6H_RGB_FLOAT:
        bc6h_block(block, format == WEFT_FORMAT_BC6H_RGB_FLOAT, x, y, out);
        break;
    default:
        bc7_block(block, x, y, out);
        break;
    }
}
