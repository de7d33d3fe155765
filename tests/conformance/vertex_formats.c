// Vertex formats: the numbers that each one's bytes stand for, by the format's name.
#include "cases.h"
#include "draw.h"
#include "texel.h"

#include "value_float.frag.spv.h"
#include "value_float.vert.spv.h"
#include "value_sint.frag.spv.h"
#include "value_sint.vert.spv.h"
#include "value_uint.frag.spv.h"
#include "value_uint.vert.spv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Each instance has its own bytes, after four others.
enum { PATTERNS = 6, BEFORE = 4, STRIDE = 20, HEIGHT = 2 };

struct data {
    weft_vertex_format format;
    uint8_t bytes[PATTERNS][STRIDE];
};

static const char *digits_of(const char *name)
{
    return name + strcspn(name, "0123456789");
}

/// What `bits` bits mean in a format whose name begins so.
static double number_of(const char *name, const uint8_t *bytes, uint32_t bits)
{
    uint32_t word = 0;
    memcpy(&word, bytes, bits / 8);
    const double top = ldexp(1, (int)bits) - 1;
    const double signed_value = word > top / 2 ? word - (top + 1) : word;
    if (strncmp(name, "unorm", 5) == 0)
        return word / top;
    if (strncmp(name, "snorm", 5) == 0)
        return fmax(signed_value / floor(top / 2), -1);
    if (strncmp(name, "sint", 4) == 0)
        return signed_value;
    if (strncmp(name, "uint", 4) == 0)
        return word;
    float value;
    memcpy(&value, &word, sizeof value);
    return bits == 16 ? conform_half(word) : value;
}

static struct conform_texel decoded(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct data *data = user;
    const weft_vertex_format_info *info = weft_vertex_format_get_info(data->format);
    const uint8_t *bytes = data->bytes[x] + BEFORE;
    (void)y;
    (void)z;
    struct conform_texel out = {{0, 0, 0, 1}};
    if (data->format == WEFT_VERTEX_FORMAT_UNORM10_10_10_2) {
        uint32_t word;
        memcpy(&word, bytes, sizeof word);
        for (uint32_t i = 0; i < 3; i++)
            out.v[i] = (word >> 10 * i & 1023) / 1023.0;
        out.v[3] = (word >> 30) / 3.0;
        return out;
    }
    const uint32_t bits = (uint32_t)strtoul(digits_of(info->name), NULL, 10);
    for (uint32_t i = 0; i < info->components; i++)
        out.v[i] = number_of(info->name, bytes + i * bits / 8, bits);
    if (data->format == WEFT_VERTEX_FORMAT_UNORM8X4_BGRA) {
        const double blue = out.v[0];
        out.v[0] = out.v[2];
        out.v[2] = blue;
    }
    return out;
}

/// Both ends, the middle, and bytes that differ all. Floats are finite in all of them.
static void fill(struct data *data)
{
    static const uint8_t bytes[PATTERNS] = {0x00, 0xff, 0x80, 0x7f, 0x01, 0x00};
    const char *name = weft_vertex_format_get_info(data->format)->name;
    const bool is_float = strncmp(name, "float", 5) == 0;
    for (uint32_t i = 0; i < PATTERNS; i++) {
        memset(data->bytes[i], bytes[i], STRIDE);
        for (uint32_t k = 0; k < STRIDE; k++)
            if (i == PATTERNS - 1 || is_float)
                data->bytes[i][k] = (uint8_t)(k * 37 + i * 11 + 0x21);
    }
    static const float numbers[PATTERNS] = {0, 1, -2.5F, 65504, 1e-20F, -3e30F};
    for (uint32_t i = 0; i < PATTERNS && strncmp(name, "float32", 7) == 0; i++)
        memcpy(data->bytes[i] + BEFORE, &numbers[i], 4);
    static const uint16_t halves[PATTERNS] = {0, 0x3c00, 0xc100, 0x7bff, 0x0401, 0x8000};
    for (uint32_t i = 0; i < PATTERNS && strncmp(name, "float16", 7) == 0; i++)
        memcpy(data->bytes[i] + BEFORE, &halves[i], 2);
}

static weft_graphics_pipeline pipeline_for(struct conform *c, weft_vertex_format format,
                                           weft_format *target)
{
    const weft_vertex_stream stream = {.stride = STRIDE, .rate = WEFT_STEP_INSTANCE};
    const weft_vertex_attribute attribute = {.offset = BEFORE, .format = format};
    weft_graphics_pipeline_desc desc = {
        .streams = &stream, .stream_count = 1, .attributes = &attribute, .attribute_count = 1};
    switch (weft_vertex_format_get_info(format)->shader_class) {
    case WEFT_SAMPLE_CLASS_UINT:
        *target = WEFT_FORMAT_RGBA32_UINT;
        desc.vertex.shader = CONFORM_SHADER(c, value_uint_vert);
        desc.fragment.shader = CONFORM_SHADER(c, value_uint_frag);
        break;
    case WEFT_SAMPLE_CLASS_SINT:
        *target = WEFT_FORMAT_RGBA32_SINT;
        desc.vertex.shader = CONFORM_SHADER(c, value_sint_vert);
        desc.fragment.shader = CONFORM_SHADER(c, value_sint_frag);
        break;
    default:
        *target = WEFT_FORMAT_RGBA32_FLOAT;
        desc.vertex.shader = CONFORM_SHADER(c, value_float_vert);
        desc.fragment.shader = CONFORM_SHADER(c, value_float_frag);
        break;
    }
    conform_need_format(c, *target, WEFT_FORMAT_CAN_RENDER);
    desc.colors[0] = *target;
    return conform_pipeline(c, &desc);
}

static void check_format(struct conform *c, weft_vertex_format format)
{
    struct data data = {.format = format};
    fill(&data);
    weft_format target_format;
    const weft_graphics_pipeline pipeline = pipeline_for(c, format, &target_format);
    const weft_texture target = conform_target(c, target_format, PATTERNS, HEIGHT);
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_VERTEX, sizeof data.bytes, data.bytes);
    const float columns = PATTERNS;
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc =
        conform_begin_pass(cmd, conform_view(c, target), (const float[4]){0});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, buffer, 0);
    weft_render_set_root(enc, 0, 0, &columns, sizeof columns);
    weft_render_draw(enc, 6, PATTERNS, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    const char *name = weft_vertex_format_get_info(format)->name;
    conform_expect_texels(c, target, NULL, decoded, &data, strncmp(name + 1, "norm", 4) ? 0 : 1e-6);
}

static void check_class(struct conform *c, const char *prefix)
{
    for (weft_vertex_format f = 1; f < WEFT_VERTEX_FORMAT_COUNT; f++)
        if (strncmp(weft_vertex_format_get_info(f)->name, prefix, strlen(prefix)) == 0)
            check_format(c, f);
}

void case_vertex_format_uint(struct conform *c)
{
    check_class(c, "uint");
}

void case_vertex_format_sint(struct conform *c)
{
    check_class(c, "sint");
}

void case_vertex_format_unorm(struct conform *c)
{
    check_class(c, "unorm");
}

void case_vertex_format_snorm(struct conform *c)
{
    check_class(c, "snorm");
}

void case_vertex_format_float(struct conform *c)
{
    check_class(c, "float");
}
