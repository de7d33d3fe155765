#include "base/unpack.h"

enum { NUMBER_BITS = 15, SLOWEST_RATE = 5 };

/// Learns the chance of a 0, in 1/65536: fast at first.
struct model {
    uint16_t zero;
    uint16_t rate;
};

struct models {
    struct model match[2]; ///< By whether a match was before.
    struct model length[NUMBER_BITS], distance[NUMBER_BITS];
    struct model literal[8][256]; ///< By the byte before; by the bits so far, with a 1 before them.
};

struct input {
    const uint8_t *bytes;
    size_t size, at;
    uint32_t range, code;
};

/// Past the end there are zeros; `at` tells.
static void take_byte(struct input *in)
{
    in->code = in->code << 8 | (in->at < in->size ? in->bytes[in->at] : 0u);
    in->at++;
}

/// Without a model, at even odds.
static uint32_t take_bit(struct input *in, struct model *model)
{
    const uint32_t bound = model ? (in->range >> 16) * model->zero : in->range >> 1;
    const uint32_t bit = in->code >= bound;
    in->code -= bit ? bound : 0;
    in->range = bit ? in->range - bound : bound;
    if (model) {
        const int change =
            bit ? -(model->zero >> model->rate) : (0x10000 - model->zero) >> model->rate;
        model->zero = (uint16_t)(model->zero + change);
        model->rate = (uint16_t)(model->rate + (model->rate < SLOWEST_RATE));
    }
    while (in->range < 1u << 24) {
        in->range <<= 8;
        take_byte(in);
    }
    return bit;
}

static uint32_t take_number(struct input *in, struct model models[NUMBER_BITS])
{
    uint32_t value = 1;
    int bits = 0;
    while (bits < NUMBER_BITS && take_bit(in, &models[bits]))
        bits++;
    while (bits-- > 0)
        value = value * 2 + take_bit(in, NULL);
    return value;
}

static uint8_t take_literal(struct input *in, struct model models[256])
{
    uint32_t node = 1;
    while (node < 256)
        node = node * 2 + take_bit(in, &models[node]);
    return (uint8_t)node;
}

/// FNV-1a.
static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    uint32_t value = 0x811C9DC5u;
    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * 0x01000193u;
    return value;
}

bool wf_base_unpack(const uint8_t *packed, size_t packed_size, uint8_t *out, size_t out_size)
{
    struct models models;
    struct model *all = (struct model *)&models;
    for (size_t i = 0; i < sizeof models / sizeof *all; i++)
        all[i] = (struct model){.zero = 1u << 15, .rate = 1};

    struct input in = {.bytes = packed, .size = packed_size, .range = UINT32_MAX};
    for (int i = 0; i < 4; i++)
        take_byte(&in);
    const uint32_t wanted = in.code;
    for (int i = 0; i < 4; i++)
        take_byte(&in);

    uint32_t matched = 0;
    for (size_t at = 0; at < out_size;) {
        matched = take_bit(&in, &models.match[matched]);
        if (!matched) {
            out[at] = take_literal(&in, models.literal[at > 0 ? out[at - 1] >> 5 : 0]);
            at++;
            continue;
        }
        const size_t end = at + 1 + take_number(&in, models.length);
        const size_t distance = take_number(&in, models.distance);
        if (end > out_size || distance > at)
            return false;
        for (; at < end; at++)
            out[at] = out[at - distance];
    }
    return in.at == in.size && in.code == 0 && checksum(out, out_size) == wanted;
}
