// ASTC, LDR profile.
#include "support/block_reference.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/// How values of a range are stored: the tables of color ranges, smallest first.
struct quant {
    int most, trits, quints, bits;
};
static const struct quant quants[21] = {
    {1, 0, 0, 1},   {2, 1, 0, 0},   {3, 0, 0, 2},   {4, 0, 1, 0},  {5, 1, 0, 1},  {7, 0, 0, 3},
    {9, 0, 1, 1},   {11, 1, 0, 2},  {15, 0, 0, 4},  {19, 0, 1, 2}, {23, 1, 0, 3}, {31, 0, 0, 5},
    {39, 0, 1, 3},  {47, 1, 0, 4},  {63, 0, 0, 6},  {79, 0, 1, 4}, {95, 1, 0, 5}, {127, 0, 0, 7},
    {159, 0, 1, 5}, {191, 1, 0, 6}, {255, 0, 0, 8},
};

struct astc {
    int block_width, block_height, width, height, dual, selector, partitions, pattern;
    const struct quant *weight_quant, *color_quant;
    int modes[4], color_start, numbers;
    uint8_t reversed[16];
};

static int bits_for(const struct quant *q, int count)
{
    return (int)ceil(count * 8.0 * q->trits / 5) + (int)ceil(count * 7.0 * q->quints / 3) +
           count * q->bits;
}

static int bit_of(long value, int bit)
{
    return (int)(value >> bit & 1);
}

/// One trit of a packed group.
static int trit(long packed, int which)
{
    long c;
    int t[5];
    if ((packed >> 2 & 7) == 7) {
        c = (packed >> 5 & 7) * 4 + (packed & 3);
        t[4] = t[3] = 2;
    } else {
        c = packed & 31;
        if ((packed >> 5 & 3) == 3) {
            t[4] = 2;
            t[3] = bit_of(packed, 7);
        } else {
            t[4] = bit_of(packed, 7);
            t[3] = (int)(packed >> 5 & 3);
        }
    }
    if ((c & 3) == 3) {
        t[2] = 2;
        t[1] = bit_of(c, 4);
        t[0] = 2 * bit_of(c, 3) + (bit_of(c, 2) && !bit_of(c, 3));
    } else if ((c >> 2 & 3) == 3) {
        t[2] = t[1] = 2;
        t[0] = (int)(c & 3);
    } else {
        t[2] = bit_of(c, 4);
        t[1] = (int)(c >> 2 & 3);
        t[0] = 2 * bit_of(c, 1) + (bit_of(c, 0) && !bit_of(c, 1));
    }
    return t[which];
}

static int quint(long packed, int which)
{
    int q[3];
    if ((packed >> 1 & 3) == 3 && (packed >> 5 & 3) == 0) {
        q[2] = bit_of(packed, 0) * 4 + (bit_of(packed, 4) && !bit_of(packed, 0)) * 2 +
               (bit_of(packed, 3) && !bit_of(packed, 0));
        q[1] = q[0] = 4;
        return q[which];
    }
    long c;
    if ((packed >> 1 & 3) == 3) {
        q[2] = 4;
        c = (packed >> 3 & 3) * 8 + (bit_of(packed, 6) ? 0 : 4) + (bit_of(packed, 5) ? 0 : 2) +
            bit_of(packed, 0);
    } else {
        q[2] = (int)(packed >> 5 & 3);
        c = packed & 31;
    }
    q[1] = (c & 7) == 5 ? 4 : (int)(c >> 3 & 3);
    q[0] = (c & 7) == 5 ? (int)(c >> 3 & 3) : (int)(c & 7);
    return q[which];
}

/// A value of a sequence, and what it is made of.
struct value {
    int whole, digit, low;
};

/// Value `i` of a sequence that begins at bit `start`.
static struct value value_of(const uint8_t *b, int start, const struct quant *q, int count, int i)
{
    struct value v = {0};
    // Positions of the packed digits in the blocks of five and three values: of each value's own
    // bits and of each digit's, written out for n bits as the specification's figures show them.
    const int n = q->bits, end = start + bits_for(q, count), limit = end < 128 ? end : 128;
    if (q->trits) {
        const int first = start + i / 5 * (8 + 5 * n);
        const int own[5] = {0, n + 2, 2 * n + 4, 3 * n + 5, 4 * n + 7};
        const long packed = reference_bits(b, limit, first + n, 2) |
                            reference_bits(b, limit, first + 2 * n + 2, 2) << 2 |
                            reference_bits(b, limit, first + 3 * n + 4, 1) << 4 |
                            reference_bits(b, limit, first + 4 * n + 5, 2) << 5 |
                            reference_bits(b, limit, first + 5 * n + 7, 1) << 7;
        v.digit = trit(packed, i % 5);
        v.low = (int)reference_bits(b, limit, first + own[i % 5], n);
    } else if (q->quints) {
        const int first = start + i / 3 * (7 + 3 * n);
        const int own[3] = {0, n + 3, 2 * n + 5};
        const long packed = reference_bits(b, limit, first + n, 3) |
                            reference_bits(b, limit, first + 2 * n + 3, 2) << 3 |
                            reference_bits(b, limit, first + 3 * n + 5, 2) << 5;
        v.digit = quint(packed, i % 3);
        v.low = (int)reference_bits(b, limit, first + own[i % 3], n);
    } else {
        v.low = (int)reference_bits(b, limit, start + i * n, n);
    }
    v.whole = v.digit * (1 << n) + v.low;
    return v;
}

/// The number that a pattern such as "b000b0bb0" makes of the bits a, b, c ...
static int pattern_of(const char *pattern, int low)
{
    int value = 0;
    for (; *pattern; pattern++)
        value = 2 * value + (*pattern == '0' ? 0 : bit_of(low, *pattern - 'a'));
    return value;
}

static int color_of(const struct astc *a, const uint8_t *b, int i)
{
    static const struct {
        int most, c;
        const char *b;
    } rows[] = {
        {5, 204, "000000000"}, {9, 113, "000000000"}, {11, 93, "b000b0bb0"}, {19, 54, "b0000bb00"},
        {23, 44, "cb000cbcb"}, {39, 26, "cb0000cbc"}, {47, 22, "dcb000dcb"}, {79, 13, "dcb0000dc"},
        {95, 11, "edcb000ed"}, {159, 6, "edcb0000e"}, {191, 5, "fedcb000f"},
    };
    const struct quant *q = a->color_quant;
    const struct value v = value_of(b, a->color_start, q, a->numbers, i);
    int value = v.whole;
    if (!q->trits && !q->quints) {
        int out = 0; // the bits again and again from the top
        for (int k = 0; k < 8; k++)
            out += bit_of(value, q->bits - 1 - k % q->bits) << (7 - k);
        return out;
    }
    int row = 0;
    while (rows[row].most != q->most)
        row++;
    const int flip = v.low & 1 ? 511 : 0;
    value = (v.digit * rows[row].c + pattern_of(rows[row].b, v.low)) ^ flip;
    return (flip & 0x80) | value >> 2;
}

static int weight_of(const struct astc *a, int i)
{
    static const struct {
        int most, c;
        const char *b;
    } rows[] = {
        {5, 50, "0000000"},  {9, 28, "0000000"},  {11, 23, "b000b0b"},
        {19, 13, "b0000b0"}, {23, 11, "cb000cb"},
    };
    const int count = a->width * a->height * (a->dual + 1);
    const struct quant *q = a->weight_quant;
    if (i >= count)
        return 0;
    const struct value v = value_of(a->reversed, 0, q, count, i);
    int value = v.whole;
    if (!q->trits && !q->quints) {
        int out = 0;
        for (int k = 0; k < 6; k++)
            out += bit_of(value, q->bits - 1 - k % q->bits) << (5 - k);
        value = out;
    } else if (q->most == 2) {
        value = (const int[]){0, 32, 63}[value];
    } else if (q->most == 4) {
        value = (const int[]){0, 16, 32, 47, 63}[value];
    } else {
        int row = 0;
        while (rows[row].most != q->most)
            row++;
        const int flip = v.low & 1 ? 127 : 0;
        value = (v.digit * rows[row].c + pattern_of(rows[row].b, v.low)) ^ flip;
        value = (flip & 0x20) | value >> 2;
    }
    return value > 32 ? value + 1 : value;
}

/// The rows of the table of block modes, bits 10 to 0: digits as they are, letters W, H, R (the
/// range's bits from the highest: R, S, T), D, P. Then the sizes that W and H are added to.
static const struct {
    const char *bits;
    int width, height;
} mode_rows[] = {
    {"DPWWHHT00RS", 4, 2},  {"DPWWHHT01RS", 8, 2},  {"DPHHWWT10RS", 2, 8},  {"DP0HWWT11RS", 2, 6},
    {"DP1WHHT11RS", 2, 2},  {"DP00HHTRS00", 12, 2}, {"DP01WWTRS00", 2, 12}, {"DP1100TRS00", 6, 10},
    {"DP1101TRS00", 10, 6}, {"HH10WWTRS00", 6, 6},
};

static int letter(const char *bits, int mode, char which)
{
    int value = 0;
    for (int i = 0; i < 11; i++)
        if (bits[i] == which)
            value = 2 * value + bit_of(mode, 10 - i);
    return value;
}

static bool fits_row(const char *bits, int mode)
{
    for (int i = 0; i < 11; i++)
        if ((bits[i] == '0' && bit_of(mode, 10 - i)) || (bits[i] == '1' && !bit_of(mode, 10 - i)))
            return false;
    return letter(bits, mode, 'R') || letter(bits, mode, 'S');
}

static bool read_mode(struct astc *a, int mode)
{
    for (size_t i = 0; i < sizeof mode_rows / sizeof mode_rows[0]; i++) {
        const char *bits = mode_rows[i].bits;
        if (!fits_row(bits, mode))
            continue;
        const int range =
            4 * letter(bits, mode, 'R') + 2 * letter(bits, mode, 'S') + letter(bits, mode, 'T');
        a->width = mode_rows[i].width + letter(bits, mode, 'W');
        a->height = mode_rows[i].height + letter(bits, mode, 'H');
        a->dual = letter(bits, mode, 'D');
        static const int low[8] = {0, 0, 1, 2, 3, 4, 5, 7}, high[8] = {0, 0, 9, 11, 15, 19, 23, 31};
        const int most = letter(bits, mode, 'P') ? high[range] : low[range];
        for (int k = 0; k < 21; k++)
            if (quants[k].most == most)
                a->weight_quant = &quants[k];
        return a->width <= a->block_width && a->height <= a->block_height;
    }
    return false;
}

/// False for illegal blocks.
static bool read_block(struct astc *a, const uint8_t *b)
{
    if (!read_mode(a, (int)reference_bits(b, 128, 0, 11)))
        return false;
    for (int i = 0; i < 128; i++)
        if (b[i / 8] >> i % 8 & 1)
            a->reversed[(127 - i) / 8] |= (uint8_t)(1 << (127 - i) % 8);
    const int weights = a->width * a->height * (a->dual + 1);
    const int weight_bits = bits_for(a->weight_quant, weights);
    a->partitions = 1 + (int)reference_bits(b, 128, 11, 2);
    if (weights > 64 || weight_bits < 24 || weight_bits > 96 || (a->dual && a->partitions == 4))
        return false;
    int config = 17, below = 128 - weight_bits;
    a->color_start = 17;
    if (a->partitions == 1) {
        a->modes[0] = (int)reference_bits(b, 128, 13, 4);
    } else {
        a->pattern = (int)reference_bits(b, 128, 13, 10);
        a->color_start = config = 29;
        const int base = (int)reference_bits(b, 128, 23, 2);
        for (int i = 0; i < a->partitions && base == 0; i++)
            a->modes[i] = (int)reference_bits(b, 128, 25, 4);
        if (base) {
            config = 25 + 3 * a->partitions;
            below -= 3 * a->partitions - 4;
        }
        for (int i = 0; i < a->partitions && base; i++) {
            const int p = a->partitions, high = (int)reference_bits(b, 128, 25 + i, 1);
            int m = 0;
            for (int k = 0; k < 2; k++) { // the bits go on below the weights
                const int at = p + 2 * i + k;
                m += (int)reference_bits(b, 128, at < 4 ? 25 + at : below + at - 4, 1) << k;
            }
            a->modes[i] = 4 * (base - 1 + high) + m;
        }
    }
    if (a->dual) {
        config += 2;
        a->selector = (int)reference_bits(b, 128, below - 2, 2);
    }
    for (int i = 0; i < a->partitions; i++)
        a->numbers += 2 * (a->modes[i] / 4 + 1);
    const int remaining = 128 - config - weight_bits;
    if (a->numbers > 18 || remaining < (13 * a->numbers + 4) / 5)
        return false;
    for (int k = 0; k < 21; k++)
        if (bits_for(&quants[k], a->numbers) <= remaining)
            a->color_quant = &quants[k];
    return true;
}

struct rgba {
    int v[4];
};

static struct rgba color(int r, int g, int b, int a)
{
    return (struct rgba){{r, g, b, a}};
}

static struct rgba blue_contract(int r, int g, int b, int a)
{
    return color((r + b) >> 1, (g + b) >> 1, b, a);
}

static void bit_transfer_signed(int *a, int *b)
{
    *b >>= 1;
    *b |= *a & 0x80;
    *a >>= 1;
    *a &= 0x3f;
    if (*a & 0x20)
        *a -= 0x40;
}

static bool ends_direct(int mode, const int *v, struct rgba *e0, struct rgba *e1)
{
    const int s0 = v[0] + v[2] + v[4], s1 = v[1] + v[3] + v[5];
    const int a0 = mode == 12 ? v[6] : 255, a1 = mode == 12 ? v[7] : 255;
    if (s1 >= s0) {
        *e0 = color(v[0], v[2], v[4], a0);
        *e1 = color(v[1], v[3], v[5], a1);
    } else {
        *e0 = blue_contract(v[1], v[3], v[5], a1);
        *e1 = blue_contract(v[0], v[2], v[4], a0);
    }
    return true;
}

static bool ends_offset(int mode, int *v, struct rgba *e0, struct rgba *e1)
{
    for (int i = 0; i < (mode == 13 ? 4 : 3); i++)
        bit_transfer_signed(v + 2L * i + 1, v + 2L * i);
    const int a0 = mode == 13 ? v[6] : 255, a1 = mode == 13 ? v[6] + v[7] : 255;
    if (v[1] + v[3] + v[5] >= 0) {
        *e0 = color(v[0], v[2], v[4], a0);
        *e1 = color(v[0] + v[1], v[2] + v[3], v[4] + v[5], a1);
    } else {
        *e0 = blue_contract(v[0] + v[1], v[2] + v[3], v[4] + v[5], a1);
        *e1 = blue_contract(v[0], v[2], v[4], a0);
    }
    return true;
}

/// Both endpoints; false for modes of high range.
static bool ends_of(int mode, int *v, struct rgba *e0, struct rgba *e1)
{
    int low, high;
    switch (mode) {
    case 0:
        *e0 = color(v[0], v[0], v[0], 255);
        *e1 = color(v[1], v[1], v[1], 255);
        return true;
    case 1:
        low = v[0] >> 2 | (v[1] & 0xc0);
        high = low + (v[1] & 0x3f);
        *e0 = color(low, low, low, 255);
        *e1 = color(high, high, high, 255);
        return true;
    case 4:
        *e0 = color(v[0], v[0], v[0], v[2]);
        *e1 = color(v[1], v[1], v[1], v[3]);
        return true;
    case 5:
        bit_transfer_signed(&v[1], &v[0]);
        bit_transfer_signed(&v[3], &v[2]);
        *e0 = color(v[0], v[0], v[0], v[2]);
        *e1 = color(v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
        return true;
    case 6:
        *e0 = color(v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, 255);
        *e1 = color(v[0], v[1], v[2], 255);
        return true;
    case 10:
        *e0 = color(v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, v[4]);
        *e1 = color(v[0], v[1], v[2], v[5]);
        return true;
    case 8:
    case 12:
        return ends_direct(mode, v, e0, e1);
    case 9:
    case 13:
        return ends_offset(mode, v, e0, e1);
    default:
        return false;
    }
}

static uint32_t hash52(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

static int partition_of(const struct astc *a, int x, int y)
{
    const int count = a->partitions, seed = a->pattern + (count - 1) * 1024;
    if (count == 1)
        return 0;
    if (a->block_width * a->block_height < 31) {
        x <<= 1;
        y <<= 1;
    }
    const uint32_t r = hash52((uint32_t)seed);
    int seeds[9], sh1, sh2;
    for (int i = 1; i <= 8; i++)
        seeds[i] = (int)(r >> 4 * (i - 1) & 15) * (int)(r >> 4 * (i - 1) & 15);
    if (seed & 1) {
        sh1 = seed & 2 ? 4 : 5;
        sh2 = count == 3 ? 6 : 5;
    } else {
        sh1 = count == 3 ? 6 : 5;
        sh2 = seed & 2 ? 4 : 5;
    }
    const int va =
        (int)(((uint32_t)((seeds[1] >> sh1) * x + (seeds[2] >> sh2) * y) + (r >> 14)) & 63);
    const int vb =
        (int)(((uint32_t)((seeds[3] >> sh1) * x + (seeds[4] >> sh2) * y) + (r >> 10)) & 63);
    int vc = (int)(((uint32_t)((seeds[5] >> sh1) * x + (seeds[6] >> sh2) * y) + (r >> 6)) & 63);
    int vd = (int)(((uint32_t)((seeds[7] >> sh1) * x + (seeds[8] >> sh2) * y) + (r >> 2)) & 63);
    if (count < 4)
        vd = 0;
    if (count < 3)
        vc = 0;
    if (va >= vb && va >= vc && va >= vd)
        return 0;
    if (vb >= vc && vb >= vd)
        return 1;
    return vc >= vd ? 2 : 3;
}

static int infill(const struct astc *a, int x, int y, int plane)
{
    const int step = a->dual + 1;
    const int ds = (1024 + a->block_width / 2) / (a->block_width - 1);
    const int dt = (1024 + a->block_height / 2) / (a->block_height - 1);
    const int gs = (ds * x * (a->width - 1) + 32) >> 6, gt = (dt * y * (a->height - 1) + 32) >> 6;
    const int fs = gs & 15, ft = gt & 15, v0 = (gs >> 4) + (gt >> 4) * a->width;
    const int p00 = weight_of(a, v0 * step + plane);
    const int p01 = fs ? weight_of(a, (v0 + 1) * step + plane) : 0;
    const int p10 = ft ? weight_of(a, (v0 + a->width) * step + plane) : 0;
    const int p11 = fs && ft ? weight_of(a, (v0 + a->width + 1) * step + plane) : 0;
    const int w11 = (fs * ft + 8) >> 4, w10 = ft - w11, w01 = fs - w11, w00 = 16 - fs - ft + w11;
    return (p00 * w00 + p01 * w01 + p10 * w10 + p11 * w11 + 8) >> 4;
}

/// What a sixteen-bit result is, before sRGB: a byte, or a half rounded towards zero.
static double result_of(long value, bool srgb)
{
    if (srgb)
        return floor((double)value / 256) / 255;
    if (value == 65535)
        return 1;
    double scale = 1; // eleven digits of it
    while ((double)value / scale >= 2048)
        scale *= 2;
    return floor((double)value / scale) * scale / 65536;
}

static void error_color(double out[4])
{
    out[0] = out[2] = out[3] = 1;
    out[1] = 0;
}

static void void_extent(const uint8_t *b, bool srgb, double out[4])
{
    long at[4];
    bool ones = true;
    for (int i = 0; i < 4; i++) {
        at[i] = reference_bits(b, 128, 12 + 13 * i, 13);
        ones = ones && at[i] == 8191;
    }
    const bool high_range = reference_bits(b, 128, 9, 1);
    if (high_range || reference_bits(b, 128, 10, 2) != 3 ||
        (!ones && (at[0] >= at[1] || at[2] >= at[3]))) {
        error_color(out);
        return;
    }
    for (int c = 0; c < 4; c++)
        out[c] = result_of(reference_bits(b, 128, 64 + 16 * c, 16), srgb);
}

void reference_astc(weft_format format, const uint8_t *block, int x, int y, double out[4])
{
    const weft_format_info *info = weft_format_get_info(format);
    struct astc a = {.block_width = (int)info->block_width,
                     .block_height = (int)info->block_height};
    if (reference_bits(block, 128, 0, 9) == 0x1fc) {
        void_extent(block, info->srgb, out);
        return;
    }
    error_color(out);
    if (!read_block(&a, block))
        return;
    const int part = partition_of(&a, x, y);
    int v[8] = {0}, first = 0;
    for (int i = 0; i < part; i++)
        first += 2 * (a.modes[i] / 4 + 1);
    for (int i = 0; i < 2 * (a.modes[part] / 4 + 1); i++)
        v[i] = color_of(&a, block, first + i);
    struct rgba e0, e1;
    if (!ends_of(a.modes[part], v, &e0, &e1))
        return;
    for (int c = 0; c < 4; c++) {
        const long w = infill(&a, x, y, a.dual && c == a.selector);
        long c0 = e0.v[c] < 0 ? 0 : e0.v[c] > 255 ? 255 : e0.v[c];
        long c1 = e1.v[c] < 0 ? 0 : e1.v[c] > 255 ? 255 : e1.v[c];
        c0 = c0 * 256 + (info->srgb ? 0x80 : c0);
        c1 = c1 * 256 + (info->srgb ? 0x80 : c1);
        out[c] = result_of((c0 * (64 - w) + c1 * w + 32) / 64, info->srgb);
    }
}
