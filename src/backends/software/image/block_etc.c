// ETC2 and EAC, after the Khronos Data Format Specification 1.3, chapter ETC2. Texels lie column by
// column, and numbers are big-endian.
#include "backends/software/image/block.h"
#include "base/half.h"
#include "hal/texel.h"

static uint32_t load_word(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int32_t clamp(int32_t value, int32_t lo, int32_t hi)
{
    return value < lo ? lo : value > hi ? hi : value;
}

// ---- colors ------------------------------------------------------------------------------------

/// The colors that the two-bit codes of both halves stand for; modes T and H have one set of them.
struct palette {
    int32_t base[2][3]; ///< Of a half.
    int32_t colors[2][4][3];
};

/// Eight bits out of six or seven.
static int32_t widen(uint32_t value, uint32_t size)
{
    return (int32_t)(value << (8 - size) | value >> (2 * size - 8));
}

/// Bases of the individual and the differential mode. The channel whose sum is outside of five bits
/// tells that the block has another mode: T, H, planar; 3: none.
static uint32_t read_bases(uint32_t high, bool differential, int32_t base[2][3])
{
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t byte = high >> (24 - 8 * c) & 255;
        if (!differential) {
            base[0][c] = (int32_t)(byte >> 4) * 17;
            base[1][c] = (int32_t)(byte & 15) * 17;
            continue;
        }
        const uint32_t sum = (byte >> 3) + (byte & 7) - (byte & 4) * 2;
        if (sum > 31)
            return c;
        base[0][c] = widen(byte >> 3, 5);
        base[1][c] = widen(sum, 5);
    }
    return 3;
}

/// `flat`: the two small steps are none.
static void make_steps(uint32_t high, bool flat, struct palette *p)
{
    static const uint8_t steps[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                        {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t code = 0; code < 4; code++) {
            const uint8_t size = steps[high >> (5 - 3 * half) & 7][code & 1];
            const int32_t step = flat && !(code & 1) ? 0 : code < 2 ? size : -size;
            for (uint32_t c = 0; c < 3; c++)
                p->colors[half][code][c] = p->base[half][c] + step;
        }
}

/// Modes T and H: two bases of four bits a channel, and a distance.
static void make_pairs(uint32_t high, bool h, struct palette *p)
{
    static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};
    // The first base's bits lie apart, so that the sum overflows.
    const uint32_t first = h ? (high >> 27 & 15) << 8 | (high >> 24 & 7) << 5 |
                                   (high >> 20 & 1) << 4 | (high >> 19 & 1) << 3 | (high >> 15 & 7)
                             : (high >> 27 & 3) << 10 | (high >> 16 & 0x3ff);
    const uint32_t second = high >> (h ? 3 : 4) & 0xfff;
    const uint32_t index =
        h ? (high & 4) | (high & 1) << 1 | (first >= second) : (high >> 1 & 6) | (high & 1);
    const int32_t distance = distances[index];
    for (uint32_t code = 0; code < 4; code++) {
        const uint32_t base = (h ? code < 2 : code == 0) ? first : second;
        const int32_t step = h || code & 1 ? (h ? code & 1 : code == 3) ? -distance : distance : 0;
        for (uint32_t c = 0; c < 3; c++)
            p->colors[0][code][c] = p->colors[1][code][c] =
                (int32_t)(base >> (8 - 4 * c) & 15) * 17 + step;
    }
}

/// A color at the origin, one to the right and one below.
static void decode_planar(uint32_t high, uint32_t low, uint8_t (*out)[4])
{
    const int32_t planes[3][3] = {
        {widen(high >> 25 & 63, 6), widen((high >> 18 & 64) | (high >> 17 & 63), 7),
         widen((high >> 11 & 32) | (high >> 8 & 24) | (high >> 7 & 7), 6)},
        {widen((high >> 1 & 62) | (high & 1), 6), widen(low >> 25, 7), widen(low >> 19 & 63, 6)},
        {widen(low >> 13 & 63, 6), widen(low >> 6 & 127, 7), widen(low & 63, 6)},
    };
    for (int32_t i = 0; i < 16; i++) {
        for (uint32_t c = 0; c < 3; c++) {
            const int32_t o = planes[0][c];
            const int32_t sum = i % 4 * (planes[1][c] - o) + i / 4 * (planes[2][c] - o) + 4 * o + 2;
            out[i][c] = (uint8_t)clamp(sum >> 2, 0, 255);
        }
        out[i][3] = 255;
    }
}

/// `punch`: the bit that tells the individual mode tells instead whether a code is a hole.
static void decode_colors(const uint8_t *block, bool punch, uint8_t (*out)[4])
{
    const uint32_t high = load_word(block), low = load_word(block + 4);
    const bool bit = high >> 1 & 1, holes = punch && !bit;
    struct palette p;
    const uint32_t mode = read_bases(high, punch || bit, p.base);
    if (mode == 2) {
        decode_planar(high, low, out);
        return;
    }
    if (mode == 3)
        make_steps(high, holes, &p);
    else
        make_pairs(high, mode == 1, &p);
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t at = i % 4 * 4 + i / 4;
        const uint32_t code = (low >> (16 + at) & 1) << 1 | (low >> at & 1);
        const uint32_t half = (high & 1 ? i / 4 : i % 4) / 2;
        const bool hole = holes && code == 2;
        for (uint32_t c = 0; c < 3; c++)
            out[i][c] = hole ? 0 : (uint8_t)clamp(p.colors[half][code][c], 0, 255);
        out[i][3] = hole ? 0 : 255;
    }
}

// ---- one channel -------------------------------------------------------------------------------

/// How a channel's numbers are made.
enum channel {
    CHANNEL_ALPHA,    ///< 0 to 255.
    CHANNEL_UNSIGNED, ///< 0 to 2047.
    CHANNEL_SIGNED,   ///< -1023 to 1023.
};

static void decode_channel(const uint8_t *block, enum channel kind, int32_t out[16])
{
    // Magnitudes of the four negative steps, the first in the lowest four bits. The positive ones
    // are each one less.
    static const uint16_t steps[16] = {0xf963, 0xda73, 0xd852, 0xd642, 0xc863, 0xb973,
                                       0xb874, 0xb853, 0xa862, 0xa852, 0xa842, 0xa752,
                                       0xa743, 0xa321, 0x9864, 0x9753};
    const uint32_t high = load_word(block), low = load_word(block + 4);
    const uint64_t codes = (uint64_t)(high & 0xffff) << 32 | low;
    const int32_t multiplier = block[1] >> 4;
    int32_t base = block[0], scale = multiplier, least = 0, most = 255;
    if (kind != CHANNEL_ALPHA) {
        scale = multiplier ? 8 * multiplier : 1;
        base = 8 * base + 4;
        most = 2047;
    }
    if (kind == CHANNEL_SIGNED) {
        base = 8 * clamp((int8_t)block[0], -127, 127);
        least = -1023;
        most = 1023;
    }
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t code = (uint32_t)(codes >> (45 - 3 * (i % 4 * 4 + i / 4))) & 7;
        const int32_t size = steps[block[1] & 15] >> 4 * (code & 3) & 15;
        out[i] = clamp(base + (code & 4 ? size - 1 : -size) * scale, least, most);
    }
}

static void decode_channels(const uint8_t *block, uint32_t count, bool sign, uint32_t (*out)[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        int32_t values[16] = {0};
        if (c < count)
            decode_channel(block + 8 * (size_t)c, sign ? CHANNEL_SIGNED : CHANNEL_UNSIGNED, values);
        for (uint32_t i = 0; i < 16; i++)
            out[i][c] =
                wf_base_float_bits(c == 3 ? 1.0f : (float)values[i] / (sign ? 1023.0f : 2047.0f));
    }
}

// ---- all of them -------------------------------------------------------------------------------

void wf_sw_decode_etc(weft_format format, const uint8_t *block, uint32_t (*out)[4])
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    uint8_t texels[16][4];
    int32_t alpha[16];
    switch (format) {
    case WEFT_FORMAT_EAC_R11_UNORM:
    case WEFT_FORMAT_EAC_R11_SNORM:
    case WEFT_FORMAT_EAC_RG11_UNORM:
    case WEFT_FORMAT_EAC_RG11_SNORM:
        decode_channels(block, info->codec.components,
                        format == WEFT_FORMAT_EAC_R11_SNORM || format == WEFT_FORMAT_EAC_RG11_SNORM,
                        out);
        return;
    case WEFT_FORMAT_ETC2_RGBA8_UNORM:
    case WEFT_FORMAT_ETC2_RGBA8_UNORM_SRGB:
        decode_channel(block, CHANNEL_ALPHA, alpha);
        decode_colors(block + 8, false, texels);
        for (uint32_t i = 0; i < 16; i++)
            texels[i][3] = (uint8_t)alpha[i];
        break;
    default:
        decode_colors(block, info->codec.components == 4, texels);
        break;
    }
    wf_sw_decode_rgba8(info->srgb, texels, out);
}
