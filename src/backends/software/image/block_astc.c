// ASTC of low range, after the Khronos Data Format Specification 1.3, chapter ASTC: the LDR
// profile.
#include <assert.h>
#include <string.h>

#include "backends/software/image/block.h"
#include "base/bits.h"
#include "base/half.h"
#include "hal/texel.h"

// ---- sequences of integers ---------------------------------------------------------------------

/// A range of values: `base` 1, 3 or 5 times 2^bits of them.
struct range {
    uint32_t base, bits;
};

/// The 21 ranges in order of size: 2, 3, 4, 5, 6, 8, 10, 12 ... 256 values.
static struct range find_range(uint32_t level)
{
    if (level == 0)
        return (struct range){1, 1};
    if (level % 3 == 2)
        return (struct range){1, level / 3 + 2};
    return level % 3 == 1 ? (struct range){3, level / 3} : (struct range){5, level / 3 - 1};
}

static uint32_t sequence_bits(struct range range, uint32_t count)
{
    const uint32_t digits = range.base == 3   ? (8 * count + 4) / 5
                            : range.base == 5 ? (7 * count + 2) / 3
                                              : 0;
    return digits + count * range.bits;
}

/// Five digits to base 3 out of 8 bits.
static void split_trits(uint32_t t, uint32_t out[5])
{
    uint32_t c = t & 31;
    out[3] = t >> 5 & 3;
    out[4] = t >> 7;
    if ((t & 28) == 28) {
        c = (t >> 3 & 28) | (t & 3);
        out[3] = out[4] = 2;
    } else if (out[3] == 3) {
        out[3] = out[4];
        out[4] = 2;
    }
    out[0] = c & 3;
    out[1] = c >> 2 & 3;
    out[2] = c >> 4;
    if (out[0] == 3) {
        out[0] = out[1];
        out[1] = out[2];
        out[2] = 2;
    } else if (out[1] == 3) {
        out[1] = out[2] = 2;
    }
    if (out[0] & 2)
        out[0] = 2;
}

/// Three digits to base 5 out of 7 bits.
static void split_quints(uint32_t q, uint32_t out[3])
{
    uint32_t c = q & 31;
    out[2] = q >> 5;
    if ((q & 6) == 6) {
        if (q >> 5 == 0) {
            out[0] = out[1] = 4;
            out[2] = q & 1 ? 4 : q >> 3 & 3;
            return;
        }
        out[2] = 4;
        c = (q & 24) | (~q >> 4 & 6) | (q & 1);
    }
    out[0] = c & 7;
    out[1] = c >> 3;
    if (out[0] == 5) {
        out[0] = out[1];
        out[1] = 4;
    }
}

/// Reads up to 64 values, digits above bits. No further bits than the sequence has.
static void read_sequence(struct wf_sw_bits bits, struct range range, uint32_t count, uint8_t *out)
{
    // How many bits of the packed digits follow on each value's own.
    static const uint8_t parts[3][5] = {{0}, {2, 2, 1, 2, 1}, {3, 2, 2}};
    const uint32_t kind = range.base / 2, group = kind == 0 ? 1 : kind == 1 ? 5 : 3;
    uint32_t left = sequence_bits(range, count);
    for (uint32_t first = 0; first < count; first += group) {
        uint32_t low[5], digits[5] = {0}, packed = 0, at = 0;
        for (uint32_t k = 0; k < group; k++) {
            const uint32_t own = wf_base_min_u32(range.bits, left);
            low[k] = wf_sw_bits_take(&bits, own);
            left -= own;
            const uint32_t part = wf_base_min_u32(parts[kind][k], left);
            packed |= wf_sw_bits_take(&bits, part) << at;
            left -= part;
            at += parts[kind][k];
        }
        if (kind == 1)
            split_trits(packed, digits);
        else if (kind == 2)
            split_quints(packed, digits);
        for (uint32_t k = 0; k < group && first + k < count; k++)
            out[first + k] = (uint8_t)(digits[k] << range.bits | low[k]);
    }
}

// ---- values ------------------------------------------------------------------------------------

/// `size` bits of `value` again and again, in the highest of `wide` bits.
static uint32_t replicate(uint32_t value, uint32_t size, uint32_t wide)
{
    uint32_t out = 0;
    for (int32_t at = (int32_t)(wide - size); at > -(int32_t)size; at -= (int32_t)size)
        out |= at >= 0 ? value << at : value >> -at;
    return out;
}

/// A color value to 0 to 255.
static uint32_t expand_color(uint32_t value, struct range range)
{
    // C of the specification's table, and 16 times what B is made of beside its highest bits.
    static const uint16_t trits[6][2] = {{204, 0}, {93, 352}, {44, 80}, {22, 16}, {11, 4}, {5, 1}};
    static const uint16_t quints[5][2] = {{113, 0}, {54, 192}, {26, 40}, {13, 8}, {6, 2}};
    if (range.base == 1)
        return replicate(value, range.bits, 8);
    const uint16_t *row = range.base == 3 ? trits[range.bits - 1] : quints[range.bits - 1];
    const uint32_t digit = value >> range.bits, flip = value & 1 ? 511 : 0;
    const uint32_t x = (value & ((1u << range.bits) - 1)) >> 1;
    const uint32_t b = x << (10 - range.bits) | x * row[1] >> 4;
    return (flip & 128) | ((digit * row[0] + b) ^ flip) >> 2;
}

/// A weight to 0 to 64.
static uint32_t expand_weight(uint32_t value, struct range range)
{
    static const uint8_t factors[2][4] = {{0, 50, 23, 11}, {0, 28, 13, 0}};
    uint32_t out;
    if (range.base == 1) {
        out = replicate(value, range.bits, 6);
    } else if (range.bits == 0) {
        out = (63 * value + range.base / 2) / (range.base - 1);
    } else {
        const uint32_t digit = value >> range.bits, flip = value & 1 ? 127 : 0;
        const uint32_t x = (value & ((1u << range.bits) - 1)) >> 1;
        const uint32_t low = range.bits == 3 ? x : range.base == 3 ? 5 * x : 2 * x;
        const uint32_t b = x << (8 - range.bits) | low;
        out = (flip & 32) | ((digit * factors[range.base == 5][range.bits] + b) ^ flip) >> 2;
    }
    return out + (out > 32);
}

// ---- the block's shape -------------------------------------------------------------------------

struct block {
    uint32_t block_width, block_height;
    uint32_t width, height, planes; ///< Of the grid of weights.
    struct range range;             ///< Of the weights.
    uint32_t second;                ///< The component that has the second plane's weight.
    uint32_t partitions, pattern;
    bool good[4];          ///< Of a partition: not of high range.
    int32_t ends[4][2][4]; ///< Of a partition, 0 to 255.
    uint8_t weights[96];   ///< Planes side by side; zeros behind the last.
};

/// The block mode: false if it is reserved.
static bool read_mode(uint32_t mode, struct block *b)
{
    const uint32_t low = mode >> 5 & 3, high = mode >> 7 & 3;
    bool precise = mode >> 9 & 1;
    uint32_t range = (mode & 3) << 1;
    b->planes = 1 + (mode >> 10);
    if (range) {
        const uint32_t kind = mode >> 2 & 3;
        b->width = low + 2;
        b->height = high + (kind == 3 ? 6 : 8);
        if (kind < 2) {
            b->width = high + (kind ? 8 : 4);
            b->height = low + 2;
        } else if (kind == 3 && high & 2) {
            b->width = (high & 1) + 2;
            b->height = low + 2;
        }
    } else {
        range = mode >> 1 & 6;
        b->width = high == 0 ? 12 : low + (high == 1 ? 2 : 6);
        b->height = high == 0 ? low + 2 : 12;
        if (high == 2) {
            b->height = 6 + (mode >> 9);
            b->planes = 1;
            precise = false;
        } else if (high == 3) {
            b->width = low ? 10 : 6;
            b->height = low ? 6 : 10;
            if (low > 1)
                return false;
        }
    }
    if (range == 0)
        return false;
    b->range = find_range((range | (mode >> 4 & 1)) - 2 + 6 * precise);
    return b->width <= b->block_width && b->height <= b->block_height;
}

// ---- colors ------------------------------------------------------------------------------------

static void contract_blue(int32_t color[4])
{
    color[0] = (color[0] + color[2]) >> 1;
    color[1] = (color[1] + color[2]) >> 1;
}

/// Both colors of an endpoint mode; false for those of high range.
static bool make_ends(uint32_t mode, const uint8_t *v, int32_t ends[2][4])
{
    if (0xc88c >> mode & 1)
        return false;
    const uint32_t count = 2 * (mode / 4) + 2;
    if (mode == 6 || mode == 10) { // a color, and a part of it
        for (uint32_t c = 0; c < 3; c++) {
            ends[0][c] = v[c] * v[3] >> 8;
            ends[1][c] = v[c];
        }
        ends[0][3] = mode == 10 ? v[4] : 255;
        ends[1][3] = mode == 10 ? v[5] : 255;
        return true;
    }
    const bool gray = mode < 8, offset = mode & 1 && mode != 1;
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t at = 2 * (gray ? c / 3 : c);
        int32_t first = 255, second = 255;
        if (at < count) {
            first = v[at];
            second = v[at + 1];
            if (mode == 1) {
                first = v[0] >> 2 | (v[1] & 0xc0);
                second = first + (v[1] & 63);
            } else if (offset) { // six bits and a sign; the eighth is the other's
                first = first >> 1 | (second & 128);
                second = first + (second >> 1 & 31) - (second >> 1 & 32);
            }
        }
        ends[0][c] = first;
        ends[1][c] = second;
    }
    const int32_t *a = ends[0], *b = ends[1];
    if (!gray && b[0] + b[1] + b[2] < a[0] + a[1] + a[2]) {
        int32_t other[4];
        memcpy(other, ends[0], sizeof other);
        memcpy(ends[0], ends[1], sizeof other);
        memcpy(ends[1], other, sizeof other);
        contract_blue(ends[0]);
        contract_blue(ends[1]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        int32_t *const value = &ends[i / 4][i % 4];
        *value = *value < 0 ? 0 : *value > 255 ? 255 : *value;
    }
    return true;
}

static uint32_t bits_at(struct wf_sw_bits bits, uint32_t first, uint32_t count)
{
    for (; first > 32; first -= 32)
        (void)wf_sw_bits_take(&bits, 32);
    (void)wf_sw_bits_take(&bits, first);
    return wf_sw_bits_take(&bits, count);
}

/// Endpoint modes of the partitions. Where they differ, what the header has no room for lies below
/// the weights, which begin at bit `top`; returns the bits taken there.
static uint32_t read_end_modes(struct wf_sw_bits *bits, struct wf_sw_bits whole, uint32_t top,
                               struct block *b, uint32_t modes[4])
{
    const uint32_t count = b->partitions;
    const uint32_t select = count > 1 ? wf_sw_bits_take(bits, 2) : 0;
    uint32_t fields = wf_sw_bits_take(bits, 4);
    if (select == 0) {
        for (uint32_t i = 0; i < count; i++)
            modes[i] = fields;
        return 0;
    }
    const uint32_t more = 3 * count - 4;
    fields |= bits_at(whole, top - more, more) << 4;
    for (uint32_t i = 0; i < count; i++)
        modes[i] = (select - 1 + (fields >> i & 1)) << 2 | (fields >> (count + 2 * i) & 3);
    return more;
}

/// All of a block but its colors' use; false for illegal blocks.
static bool read_block(struct wf_sw_bits bits, struct block *b)
{
    const struct wf_sw_bits whole = bits;
    struct wf_sw_bits down = {0, 0}; // the same backwards
    for (uint32_t i = 0; i < 64; i++) {
        down.low |= (whole.high >> (63 - i) & 1) << i;
        down.high |= (whole.low >> (63 - i) & 1) << i;
    }
    uint8_t values[64];
    uint32_t modes[4];
    if (!read_mode(wf_sw_bits_take(&bits, 11), b))
        return false;
    const uint32_t count = b->width * b->height * b->planes, size = sequence_bits(b->range, count);
    b->partitions = 1 + wf_sw_bits_take(&bits, 2);
    if (count > 64 || size < 24 || size > 96 || (b->partitions == 4 && b->planes == 2))
        return false;
    uint32_t header = 17;
    if (b->partitions > 1) {
        b->pattern = wf_sw_bits_take(&bits, 10);
        header = 29;
    }
    uint32_t top = 128 - size;
    top -= read_end_modes(&bits, whole, top, b, modes);
    if (b->planes == 2) {
        top -= 2;
        b->second = bits_at(whole, top, 2);
    }
    uint32_t numbers = 0, level = 20;
    for (uint32_t i = 0; i < b->partitions; i++)
        numbers += 2 * (modes[i] / 4) + 2;
    while (level >= 4 && header + sequence_bits(find_range(level), numbers) > top)
        level--;
    if (numbers > 18 || level < 4)
        return false;
    const struct range range = find_range(level);
    read_sequence(bits, range, numbers, values);
    for (uint32_t i = 0; i < numbers; i++)
        values[i] = (uint8_t)expand_color(values[i], range);
    const uint8_t *v = values;
    for (uint32_t i = 0; i < b->partitions; v += 2 * (modes[i] / 4) + 2, i++)
        b->good[i] = make_ends(modes[i], v, b->ends[i]);
    memset(b->weights, 0, sizeof b->weights);
    read_sequence(down, b->range, count, b->weights);
    for (uint32_t i = 0; i < count; i++)
        b->weights[i] = (uint8_t)expand_weight(b->weights[i], b->range);
    return true;
}

// ---- texels ------------------------------------------------------------------------------------

static uint32_t hash(uint32_t p)
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
    return p ^ p >> 17;
}

static uint32_t find_partition(const struct block *b, uint32_t x, uint32_t y)
{
    if (b->partitions == 1)
        return 0;
    const uint32_t seed = b->pattern + (b->partitions - 1) * 1024, random = hash(seed);
    const uint32_t small = b->block_width * b->block_height < 31;
    const uint32_t by_seed = seed & 2 ? 4 : 5, by_count = b->partitions == 3 ? 6 : 5;
    uint32_t best = 0, part = 0;
    for (uint32_t i = 0; i < b->partitions; i++) {
        const uint32_t first = random >> 8 * i & 15, second = random >> (8 * i + 4) & 15;
        const uint32_t slope_x = first * first >> (seed & 1 ? by_seed : by_count);
        const uint32_t slope_y = second * second >> (seed & 1 ? by_count : by_seed);
        const uint32_t value =
            (slope_x * (x << small) + slope_y * (y << small) + (random >> (14 - 4 * i))) & 63;
        if (value > best) {
            best = value;
            part = i;
        }
    }
    return part;
}

/// Between the weights of the grid, in sixteenths.
static uint32_t find_weight(const struct block *b, uint32_t x, uint32_t y, uint32_t plane)
{
    assert(b->block_width > 1 && b->block_height > 1);
    const uint32_t step_x = (1024 + b->block_width / 2) / (b->block_width - 1);
    const uint32_t step_y = (1024 + b->block_height / 2) / (b->block_height - 1);
    const uint32_t s = (step_x * x * (b->width - 1) + 32) >> 6;
    const uint32_t t = (step_y * y * (b->height - 1) + 32) >> 6;
    const uint32_t fs = s & 15, ft = t & 15, both = (fs * ft + 8) >> 4;
    const size_t first = (s >> 4) + (t >> 4) * b->width;
    const uint8_t *w = b->weights + first * b->planes + plane;
    const uint8_t *below = w + (size_t)b->width * b->planes;
    return (w[0] * (16 - fs - ft + both) + w[b->planes] * (fs - both) + below[0] * (ft - both) +
            below[b->planes] * both + 8) >>
           4;
}

/// Sixteen bits to what is stored: eight bits, or a half rounded towards zero.
static uint32_t finish(uint32_t value, bool srgb, uint32_t c)
{
    float out = srgb ? (float)(value >> 8) / 255.0f : 1.0f;
    if (srgb && c < 3)
        out = wf_hal_srgb_to_linear[value >> 8];
    if (!srgb && value < 65535) {
        const uint32_t size = wf_base_log2_u64(value | 1024); // highest bit; a half has ten below
        out = (float)(value >> (size - 10) << (size - 10)) / 65536.0f;
    }
    return wf_base_float_bits(out);
}

static void finish_texel(const uint32_t value[4], bool srgb, uint32_t out[4])
{
    for (uint32_t c = 0; c < 4; c++)
        out[c] = finish(value[c], srgb, c);
}

static const uint32_t magenta[4] = {65535, 0, 65535, 65535};

static void decode_texel(const struct block *b, uint32_t x, uint32_t y, bool srgb, uint32_t out[4])
{
    const uint32_t part = find_partition(b, x, y);
    if (!b->good[part]) {
        finish_texel(magenta, srgb, out);
        return;
    }
    uint32_t value[4], weights[2];
    weights[0] = weights[1] = find_weight(b, x, y, 0);
    if (b->planes == 2)
        weights[1] = find_weight(b, x, y, 1);
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t weight = weights[c == b->second];
        const uint32_t first = (uint32_t)b->ends[part][0][c], last = (uint32_t)b->ends[part][1][c];
        const uint32_t low = first << 8 | (srgb ? 128 : first);
        const uint32_t high = last << 8 | (srgb ? 128 : last);
        value[c] = (low * (64 - weight) + high * weight + 32) >> 6;
    }
    finish_texel(value, srgb, out);
}

/// A block of one color. Its extent is not used, but must be one.
static bool read_void(struct wf_sw_bits bits, uint32_t color[4])
{
    uint32_t extent[4];
    bool all = true;
    const uint32_t head = wf_sw_bits_take(&bits, 12);
    for (uint32_t i = 0; i < 4; i++) {
        extent[i] = wf_sw_bits_take(&bits, 13);
        all = all && extent[i] == 0x1fff;
    }
    for (uint32_t c = 0; c < 4; c++)
        color[c] = wf_sw_bits_take(&bits, 16);
    return head == 0xdfc && (all || (extent[0] < extent[1] && extent[2] < extent[3]));
}

void wf_sw_decode_astc(weft_format format, const uint8_t *block, uint32_t (*out)[4])
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    const struct wf_sw_bits bits = wf_sw_bits_load(block, 16);
    struct block b = {.block_width = info->block_width, .block_height = info->block_height};
    uint32_t color[4];
    memcpy(color, magenta, sizeof color);
    const bool plain = (bits.low & 0x1ff) == 0x1fc;
    const bool detailed = !plain && read_block(bits, &b);
    if (plain && !read_void(bits, color))
        memcpy(color, magenta, sizeof color);
    for (uint32_t y = 0; y < b.block_height; y++)
        for (uint32_t x = 0; x < b.block_width; x++, out++) {
            if (detailed)
                decode_texel(&b, x, y, info->srgb, *out);
            else
                finish_texel(color, info->srgb, *out);
        }
}
