// BC1 to BC7, after the Khronos Data Format Specification 1.3, chapters S3TC, RGTC and BPTC.
#include "backends/software/image/block.h"
#include "base/bits.h"
#include "base/half.h"
#include "hal/texel.h"

// ---- BC1 to BC5 --------------------------------------------------------------------------------

/// Red, green and blue, to the nearest of 255 steps. `opaque`: four colors whatever their order,
/// and alpha stays.
static void decode_colors(struct wf_sw_bits *bits, bool opaque, uint8_t (*out)[4])
{
    // How many sixths of each color a code takes: of four colors, of three and black.
    static const uint8_t shares[2][4][2] = {{{6, 0}, {0, 6}, {4, 2}, {2, 4}},
                                            {{6, 0}, {0, 6}, {3, 3}, {0, 0}}};
    static const uint8_t shift[3] = {11, 5, 0}, most[3] = {31, 63, 31};
    const uint32_t first = wf_sw_bits_take(bits, 16), second = wf_sw_bits_take(bits, 16);
    const bool three = !opaque && first <= second;
    uint8_t colors[4][4];
    for (uint32_t code = 0; code < 4; code++) {
        const uint8_t *share = shares[three][code];
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t sum = share[0] * (first >> shift[c] & most[c]) +
                                 share[1] * (second >> shift[c] & most[c]);
            colors[code][c] = (uint8_t)((510 * sum + 6u * most[c]) / (12u * most[c]));
        }
        colors[code][3] = three && code == 3 ? 0 : 255;
    }
    for (uint32_t i = 0; i < 16; i++) {
        const uint8_t *color = colors[wf_sw_bits_take(bits, 2)];
        for (uint32_t c = 0; c < (opaque ? 3u : 4u); c++)
            out[i][c] = color[c];
    }
}

/// One channel in fractions of the returned number of steps.
static int32_t decode_channel(struct wf_sw_bits *bits, bool sign, int32_t out[16])
{
    int32_t ends[2];
    for (uint32_t e = 0; e < 2; e++) {
        const uint32_t raw = wf_sw_bits_take(bits, 8);
        ends[e] = sign ? (int8_t)raw : (int32_t)raw;
    }
    const int32_t steps = ends[0] > ends[1] ? 7 : 5;
    for (uint32_t e = 0; e < 2; e++)
        ends[e] = wf_base_max_i32(ends[e], -127);
    int32_t values[8] = {steps * ends[0], steps * ends[1]};
    for (int32_t step = 1; step < steps; step++)
        values[step + 1] = (steps - step) * ends[0] + step * ends[1];
    if (steps == 5) {
        values[6] = sign ? -5 * 127 : 0;
        values[7] = 5 * (sign ? 127 : 255);
    }
    for (uint32_t i = 0; i < 16; i++)
        out[i] = values[wf_sw_bits_take(bits, 3)];
    return steps;
}

/// BC4 and BC5: exact quotients.
static void decode_channels(struct wf_sw_bits *bits, uint32_t count, bool sign, uint32_t (*out)[4])
{
    for (uint32_t c = 0; c < count; c++) {
        int32_t values[16];
        const int32_t whole = decode_channel(bits, sign, values) * (sign ? 127 : 255);
        for (uint32_t i = 0; i < 16; i++)
            out[i][c] = wf_base_float_bits((float)values[i] / (float)whole);
    }
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t c = count; c < 3; c++)
            out[i][c] = 0;
        out[i][3] = wf_base_float_bits(1.0f);
    }
}

static void decode_bc2_alpha(struct wf_sw_bits *bits, uint8_t (*out)[4])
{
    for (uint32_t i = 0; i < 16; i++)
        out[i][3] = (uint8_t)(wf_sw_bits_take(bits, 4) * 17);
}

static void decode_bc3_alpha(struct wf_sw_bits *bits, uint8_t (*out)[4])
{
    int32_t values[16];
    const int32_t steps = decode_channel(bits, false, values);
    for (uint32_t i = 0; i < 16; i++)
        out[i][3] = (uint8_t)((2 * values[i] + steps) / (2 * steps)); // the nearest
}

// ---- partitions and indices of BC6H and BC7 ----------------------------------------------------

/// Subsets of the texels, a bit or two bits each.
static const uint16_t two_subsets[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80,
    0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310,
    0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa,
    0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc,
    0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6,
    0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};
static const uint32_t three_subsets[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};
/// The texels beside 0 whose index lacks its highest bit, four bits each: of the second of two
/// subsets, of the second and the third of three.
static const uint64_t anchors[3][4] = {
    {0xffffffffffffffff, 0x22882282f882282f, 0x6ff22282ff8286ff, 0xf22fffff22ff8626},
    {0x33566688ff38ff33, 0xff586885a633f833, 0xffff5f3ff8a653f8, 0x33cfd8a5a58555f3},
    {0x8fffffff83ff388f, 0x8affa6f38f8f3f8f, 0x8663f8f6a98aaf3f, 0x8ff3ffffffffff3f},
};

struct partition {
    uint32_t subsets, number;
};

static size_t find_subset(struct partition p, uint32_t texel)
{
    if (p.subsets == 1)
        return 0;
    return p.subsets == 2 ? two_subsets[p.number] >> texel & 1u
                          : three_subsets[p.number] >> 2 * texel & 3;
}

static bool is_anchor(struct partition p, uint32_t texel)
{
    bool anchor = texel == 0;
    for (uint32_t s = 1; s < p.subsets; s++) {
        const uint64_t *table = anchors[p.subsets == 2 ? 0 : s];
        anchor |= texel == (table[p.number / 16] >> p.number % 16 * 4 & 15);
    }
    return anchor;
}

/// Weights of the second endpoint, 0 to 64, by indices of `size` bits.
static void read_weights(struct wf_sw_bits *bits, struct partition p, uint32_t size,
                         uint8_t out[16])
{
    const uint32_t most = (1u << size) - 1;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t index = wf_sw_bits_take(bits, size - is_anchor(p, i));
        out[i] = (uint8_t)((64 * index + most / 2) / most);
    }
}

static int32_t interpolate(int32_t a, int32_t b, int32_t weight)
{
    return ((64 - weight) * a + weight * b + 32) >> 6;
}

// ---- BC7 ---------------------------------------------------------------------------------------

/// Bits of each field of a mode.
struct mode7 {
    uint8_t subsets, partition, rotation, select, color, alpha, endpoint_low, shared_low;
    uint8_t index, second_index;
};

static const struct mode7 modes7[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/// Both ends of each subset, as bytes.
static void read_ends7(struct wf_sw_bits *bits, const struct mode7 *mode, uint8_t ends[6][4])
{
    const uint32_t count = 2u * mode->subsets, low = mode->endpoint_low | mode->shared_low;
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t e = 0; e < count; e++)
            ends[e][c] = (uint8_t)wf_sw_bits_take(bits, c < 3 ? mode->color : mode->alpha);
    uint32_t bit = 0;
    for (uint32_t e = 0; e < count; e++) {
        if (mode->endpoint_low || (mode->shared_low && e % 2 == 0))
            bit = wf_sw_bits_take(bits, 1);
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t size = (c < 3 ? mode->color : mode->alpha) + low;
            const uint32_t high = (((uint32_t)ends[e][c] << low) | bit) << (8 - size);
            ends[e][c] = (uint8_t)(high | high >> size);
        }
        if (!mode->alpha)
            ends[e][3] = 255;
    }
}

static void decode_bc7(struct wf_sw_bits *bits, uint8_t (*out)[4])
{
    static const struct partition whole = {1, 0};
    const uint32_t number = wf_base_ctz32((uint32_t)bits->low | 0x100);
    if (number == 8) { // reserved
        for (uint32_t i = 0; i < 16; i++)
            out[i][0] = out[i][1] = out[i][2] = out[i][3] = 0;
        return;
    }
    const struct mode7 *mode = &modes7[number];
    uint8_t ends[6][4], weights[2][16];
    (void)wf_sw_bits_take(bits, number + 1);
    const struct partition p = {mode->subsets, wf_sw_bits_take(bits, mode->partition)};
    const uint32_t rotation = wf_sw_bits_take(bits, mode->rotation);
    const uint32_t select = wf_sw_bits_take(bits, mode->select);
    read_ends7(bits, mode, ends);
    read_weights(bits, p, mode->index, weights[0]);
    if (mode->second_index)
        read_weights(bits, whole, mode->second_index, weights[1]);
    for (uint32_t i = 0; i < 16; i++) {
        uint8_t(*const pair)[4] = &ends[2 * find_subset(p, i)];
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t set = mode->second_index ? (c == 3) ^ select : 0;
            out[i][c] = (uint8_t)interpolate(pair[0][c], pair[1][c], weights[set][i]);
        }
        if (rotation) {
            const uint8_t alpha = out[i][3];
            out[i][3] = out[i][rotation - 1];
            out[i][rotation - 1] = alpha;
        }
    }
}

// ---- BC6H --------------------------------------------------------------------------------------

/// Bits of the first endpoint and of the differences to it (0: the others are stored as they are).
struct mode6 {
    uint8_t size, delta[3];
    char layout[24];
};

/// The order of the endpoints' bits. A number in the low half of a byte is the component (0 to 2:
/// red, green, blue of the first endpoint, and so on), in the high half: 0 to 5 that bit of it; 6
/// its bits from the highest down to bit 10; 7 to 13 its bits from 0 to 3 and up to 9.
static const struct mode6 modes6[14] = {
    {10, {5, 5, 5}, "\x47\x48\x4b\xd0\xd1\xd2\x83\x4a\x77\x84\x0b\x7a\x85\x1b\x78\x86\x2b\x89\x3b"},
    {7,
     {6, 6, 6},
     "\x57\x4a\x5a\xa0\x0b\x1b\x48\xa1\x58\x2b\x47\xa2\x3b\x5b\x4b\x93\x77\x94\x7a"
     "\x95\x78\x96\x99"},
    {11, {5, 4, 4}, "\xd0\xd1\xd2\x83\x60\x77\x74\x61\x0b\x7a\x75\x62\x1b\x78\x86\x2b\x89\x3b"},
    {11,
     {4, 5, 4},
     "\xd0\xd1\xd2\x73\x60\x4a\x77\x84\x61\x7a\x75\x62\x1b\x78\x76\x0b\x2b\x79\x47\x3b"},
    {11,
     {4, 4, 5},
     "\xd0\xd1\xd2\x73\x60\x48\x77\x74\x61\x0b\x7a\x85\x62\x78\x76\x1b\x2b\x79\x4b\x3b"},
    {9, {5, 5, 5}, "\xc0\x48\xc1\x47\xc2\x4b\x83\x4a\x77\x84\x0b\x7a\x85\x1b\x78\x86\x2b\x89\x3b"},
    {8, {6, 5, 5}, "\xb0\x4a\x48\xb1\x2b\x47\xb2\x3b\x4b\x93\x77\x84\x0b\x7a\x85\x1b\x78\x96\x99"},
    {8,
     {5, 6, 5},
     "\xb0\x0b\x48\xb1\x57\x47\xb2\x5a\x4b\x83\x4a\x77\x94\x7a\x85\x1b\x78\x86\x2b"
     "\x89\x3b"},
    {8,
     {5, 5, 6},
     "\xb0\x1b\x48\xb1\x58\x47\xb2\x5b\x4b\x83\x4a\x77\x84\x0b\x7a\x95\x78\x86\x2b"
     "\x89\x3b"},
    {6,
     {0, 0, 0},
     "\x90\x4a\x0b\x1b\x48\x91\x57\x58\x2b\x47\x92\x5a\x3b\x5b\x4b\x93\x77\x94\x7a"
     "\x95\x78\x96\x99"},
    {10, {0, 0, 0}, "\xd0\xd1\xd2\xd3\xd4\xd5"},
    {11, {9, 9, 9}, "\xd0\xd1\xd2\xc3\x60\xc4\x61\xc5\x62"},
    {12, {8, 8, 8}, "\xd0\xd1\xd2\xb3\x60\xb4\x61\xb5\x62"},
    {16, {4, 4, 4}, "\xd0\xd1\xd2\x73\x60\x74\x61\x75\x62"},
};

static int32_t extend_sign(int32_t value, uint32_t size)
{
    const int32_t sign = 1 << (size - 1), low = value & (2 * sign - 1);
    return (low ^ sign) - sign;
}

static int32_t expand6(int32_t value, uint32_t size, bool sign)
{
    const int32_t magnitude = value < 0 ? -value : value;
    const int32_t most = (1 << (size - sign)) - 1;
    int32_t whole = value;
    if (size < 15 + (uint32_t)sign) {
        whole = (magnitude * 32768 + 16384) >> (size - 1);
        if (magnitude == 0)
            whole = 0;
        else if (magnitude >= most)
            whole = sign ? 0x7fff : 0xffff;
        whole = value < 0 ? -whole : whole;
    }
    return whole;
}

/// The four ends, as 16-bit numbers or 15 bits and a sign.
static void read_ends6(struct wf_sw_bits *bits, const struct mode6 *mode, bool sign,
                       int32_t ends[12])
{
    for (const char *at = mode->layout; *at; at++) {
        const uint32_t how = (uint8_t)*at >> 4;
        int32_t *const value = &ends[*at & 15];
        if (how == 6)
            for (uint32_t bit = mode->size; bit-- > 10;)
                *value |= (int32_t)(wf_sw_bits_take(bits, 1) << bit);
        else if (how > 6)
            *value |= (int32_t)wf_sw_bits_take(bits, how - 3);
        else
            *value |= (int32_t)(wf_sw_bits_take(bits, 1) << how);
    }
    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t delta = mode->delta[i % 3];
        if (i >= 3 && delta)
            ends[i] = (ends[i % 3] + extend_sign(ends[i], delta)) & ((1 << mode->size) - 1);
    }
    for (uint32_t i = 0; i < 12; i++)
        ends[i] = expand6(sign ? extend_sign(ends[i], mode->size) : ends[i], mode->size, sign);
}

static uint16_t half6(int32_t value, bool sign)
{
    if (!sign)
        return (uint16_t)(value * 31 >> 6);
    return (uint16_t)(value < 0 ? (-value * 31 >> 5) | 0x8000 : value * 31 >> 5);
}

static void decode_bc6h(struct wf_sw_bits *bits, bool sign, uint32_t (*out)[4])
{
    int32_t ends[12] = {0};
    uint8_t weights[16] = {0};
    struct partition p = {1, 0};
    uint32_t number = wf_sw_bits_take(bits, 2);
    if (number >= 2) {
        const uint32_t more = wf_sw_bits_take(bits, 3);
        number = number == 2 ? 2 + more : 10 + more;
    }
    if (number < 14) {
        read_ends6(bits, &modes6[number], sign, ends);
        if (number < 10)
            p = (struct partition){2, wf_sw_bits_take(bits, 5)};
        read_weights(bits, p, number < 10 ? 3 : 4, weights);
    }
    for (uint32_t i = 0; i < 16; i++) {
        const int32_t *pair = &ends[6 * find_subset(p, i)];
        for (uint32_t c = 0; c < 3; c++)
            out[i][c] = wf_base_half_to_float_bits(
                half6(interpolate(pair[c], pair[c + 3], weights[i]), sign));
        out[i][3] = wf_base_float_bits(1.0f);
    }
}

// ---- all of them -------------------------------------------------------------------------------

void wf_sw_decode_bc(weft_format format, const uint8_t *block, uint32_t (*out)[4])
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    struct wf_sw_bits bits = wf_sw_bits_load(block, info->codec.texel_bytes);
    uint8_t texels[16][4];
    switch (format) {
    case WEFT_FORMAT_BC4_R_UNORM:
    case WEFT_FORMAT_BC4_R_SNORM:
    case WEFT_FORMAT_BC5_RG_UNORM:
    case WEFT_FORMAT_BC5_RG_SNORM:
        decode_channels(&bits, info->codec.components,
                        format == WEFT_FORMAT_BC4_R_SNORM || format == WEFT_FORMAT_BC5_RG_SNORM,
                        out);
        return;
    case WEFT_FORMAT_BC6H_RGB_UFLOAT:
    case WEFT_FORMAT_BC6H_RGB_FLOAT:
        decode_bc6h(&bits, format == WEFT_FORMAT_BC6H_RGB_FLOAT, out);
        return;
    case WEFT_FORMAT_BC1_RGBA_UNORM:
    case WEFT_FORMAT_BC1_RGBA_UNORM_SRGB:
        decode_colors(&bits, false, texels);
        break;
    case WEFT_FORMAT_BC2_RGBA_UNORM:
    case WEFT_FORMAT_BC2_RGBA_UNORM_SRGB:
        decode_bc2_alpha(&bits, texels);
        decode_colors(&bits, true, texels);
        break;
    case WEFT_FORMAT_BC3_RGBA_UNORM:
    case WEFT_FORMAT_BC3_RGBA_UNORM_SRGB:
        decode_bc3_alpha(&bits, texels);
        decode_colors(&bits, true, texels);
        break;
    default:
        decode_bc7(&bits, texels);
        break;
    }
    wf_sw_decode_rgba8(info->srgb, texels, out);
}
