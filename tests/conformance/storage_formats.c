// Storage textures of every format that has them: texels written, and texels read, by a shader.
#include "cases.h"
#include "model.h"
#include "texel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load_float.comp.spv.h"
#include "load_int.comp.spv.h"
#include "load_uint.comp.spv.h"
#include "store_float.comp.spv.h"
#include "store_int.comp.spv.h"
#include "store_uint.comp.spv.h"

enum { SIDE = 8, TEXELS = SIDE * SIDE };

/// 0: floats, 1: uint, 2: sint.
static uint32_t class_index(weft_format format)
{
    const weft_sample_class sampled = weft_format_get_info(format)->sample_class;
    return sampled == WEFT_SAMPLE_CLASS_UINT ? 1 : sampled == WEFT_SAMPLE_CLASS_SINT ? 2 : 0;
}

static bool can_store(struct conform *c, weft_format format)
{
    const weft_format_info *info = weft_format_get_info(format);
    return !info->compressed && info->aspects == WEFT_ASPECT_COLOR &&
           conform_capabilities(c)->formats[format] & WEFT_FORMAT_CAN_STORE;
}

static weft_texture make(struct conform *c, weft_format format)
{
    return conform_texture(c, &(weft_texture_desc){.format = format,
                                                   .width = SIDE,
                                                   .height = SIDE,
                                                   .usage = WEFT_TEXTURE_USAGE_STORAGE});
}

/// Dispatches one invocation to each texel.
static void dispatch(struct conform *c, weft_compute_pipeline pipeline, weft_texture texture,
                     weft_buffer values)
{
    const weft_argument_write writes[] = {{.binding = 0, .view = conform_view(c, texture)},
                                          {.binding = 1, .buffer = values}};
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    weft_command_buffer *cmd = conform_begin(c);
    conform_texture_state(cmd, texture, WEFT_TEXTURE_STATE_RESTING, WEFT_TEXTURE_STATE_STORAGE);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, 1, SIDE, 1);
    weft_compute_end(enc);
    conform_texture_state(cmd, texture, WEFT_TEXTURE_STATE_STORAGE, WEFT_TEXTURE_STATE_RESTING);
    conform_submit(c, cmd);
}

// ---- written -----------------------------------------------------------------------------------

/// What is written: numbers that every format of the class holds, or rounds.
struct values {
    uint32_t words[TEXELS][4];
    struct conform_texel want[TEXELS];
};

/// Quarters up to 1, from -1 on where there are signs; alpha is 0 or 1, as two bits hold it.
static double float_value(const weft_format_info *info, uint32_t i, uint32_t k)
{
    const bool is_signed = strstr(info->name, "snorm") || strstr(info->name, "_float");
    if (k == 3)
        return i & 1;
    return is_signed ? (double)((i * (k + 2)) % 9) / 4 - 1 : (double)((i * (k + 2)) % 5) / 4;
}

static void make_values(weft_format format, struct values *out)
{
    const weft_format_info *info = weft_format_get_info(format);
    const uint32_t bits = (uint32_t)strtoul(info->name + strspn(info->name, "rgba"), NULL, 10);
    const uint32_t class = class_index(format), mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    for (uint32_t i = 0; i < TEXELS; i++) {
        out->want[i] = (struct conform_texel){{0, 0, 0, 1}};
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t noise = (i * 4 + k + 1) * 2654435761u;
            const uint32_t word = k == 3 ? i & 3 : noise & (class == 2 ? mask >> 1 : mask);
            const float number = (float)float_value(info, i, k);
            if (class > 0)
                out->words[i][k] = class == 2 && i & 1 ? 0u - word : word;
            else
                memcpy(&out->words[i][k], &number, 4);
            if (k < info->components)
                out->want[i].v[k] = class == 0   ? (double)number
                                    : class == 2 ? (double)(int32_t)out->words[i][k]
                                                 : out->words[i][k];
        }
    }
}

static struct conform_texel value_texel(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)z;
    return ((struct values *)user)->want[y * SIDE + x];
}

/// Normalised formats round to the nearest step. sRGB in linear light, where steps are 2.4 times as
/// far apart at most.
static double step_of(weft_format format)
{
    const weft_format_info *info = weft_format_get_info(format);
    if (!strstr(info->name, "norm"))
        return 0;
    return strstr(info->name, "16_")     ? 0.51 / 32767
           : strstr(info->name, "snorm") ? 0.51 / 127
           : info->srgb                  ? 1.2 / 255
                                         : 0.51 / 255;
}

static void expect_stored(struct conform *c, weft_format format, const weft_shader shaders[3])
{
    const weft_argument arguments[] = {
        {.binding = 0,
         .type = WEFT_ARGUMENT_STORAGE_TEXTURE,
         .storage = format,
         .sampled = weft_format_get_info(format)->sample_class},
        {.binding = 1, .type = WEFT_ARGUMENT_STORAGE_BUFFER, .flags = WEFT_ARGUMENT_READ_ONLY}};
    weft_argument_layout layout;
    weft_argument_layout_create(
        conform_device(c),
        &(weft_argument_layout_desc){.arguments = arguments, .argument_count = 2}, &layout);
    weft_compute_pipeline pipeline;
    weft_compute_pipeline_create(
        conform_device(c),
        &(weft_compute_pipeline_desc){.compute = {.shader = shaders[class_index(format)]},
                                      .layouts = {layout}},
        &pipeline);
    conform_check(c);
    struct values values;
    make_values(format, &values);
    const weft_texture texture = make(c, format);
    dispatch(c, pipeline, texture,
             conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof values.words, values.words));
    conform_expect_texels(c, texture, NULL, value_texel, &values, step_of(format));
}

void case_storage_formats_written(struct conform *c)
{
    const weft_shader shaders[3] = {CONFORM_SHADER(c, store_float_comp),
                                    CONFORM_SHADER(c, store_uint_comp),
                                    CONFORM_SHADER(c, store_int_comp)};
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++)
        if (can_store(c, f))
            expect_stored(c, f, shaders);
}

// ---- read --------------------------------------------------------------------------------------

/// SPIR-V's number of a format ("Image Format"); 0 if it has none.
static uint32_t spirv_format(weft_format format)
{
    static const uint8_t numbers[WEFT_FORMAT_COUNT] = {
        [WEFT_FORMAT_RGBA32_FLOAT] = 1,   [WEFT_FORMAT_RGBA16_FLOAT] = 2,
        [WEFT_FORMAT_R32_FLOAT] = 3,      [WEFT_FORMAT_RGBA8_UNORM] = 4,
        [WEFT_FORMAT_RGBA8_SNORM] = 5,    [WEFT_FORMAT_RG32_FLOAT] = 6,
        [WEFT_FORMAT_RG16_FLOAT] = 7,     [WEFT_FORMAT_RG11B10_UFLOAT] = 8,
        [WEFT_FORMAT_R16_FLOAT] = 9,      [WEFT_FORMAT_RGBA16_UNORM] = 10,
        [WEFT_FORMAT_RGB10A2_UNORM] = 11, [WEFT_FORMAT_RG16_UNORM] = 12,
        [WEFT_FORMAT_RG8_UNORM] = 13,     [WEFT_FORMAT_R16_UNORM] = 14,
        [WEFT_FORMAT_R8_UNORM] = 15,      [WEFT_FORMAT_RGBA16_SNORM] = 16,
        [WEFT_FORMAT_RG16_SNORM] = 17,    [WEFT_FORMAT_RG8_SNORM] = 18,
        [WEFT_FORMAT_R16_SNORM] = 19,     [WEFT_FORMAT_R8_SNORM] = 20,
        [WEFT_FORMAT_RGBA32_SINT] = 21,   [WEFT_FORMAT_RGBA16_SINT] = 22,
        [WEFT_FORMAT_RGBA8_SINT] = 23,    [WEFT_FORMAT_R32_SINT] = 24,
        [WEFT_FORMAT_RG32_SINT] = 25,     [WEFT_FORMAT_RG16_SINT] = 26,
        [WEFT_FORMAT_RG8_SINT] = 27,      [WEFT_FORMAT_R16_SINT] = 28,
        [WEFT_FORMAT_R8_SINT] = 29,       [WEFT_FORMAT_RGBA32_UINT] = 30,
        [WEFT_FORMAT_RGBA16_UINT] = 31,   [WEFT_FORMAT_RGBA8_UINT] = 32,
        [WEFT_FORMAT_R32_UINT] = 33,      [WEFT_FORMAT_RGB10A2_UINT] = 34,
        [WEFT_FORMAT_RG32_UINT] = 35,     [WEFT_FORMAT_RG16_UINT] = 36,
        [WEFT_FORMAT_RG8_UINT] = 37,      [WEFT_FORMAT_R16_UINT] = 38,
        [WEFT_FORMAT_R8_UINT] = 39,
    };
    return numbers[format];
}

/// The module with another format in its only image type (OpTypeImage, whose word 8 that is).
static weft_shader shader_with(struct conform *c, const uint32_t *code, size_t size,
                               uint32_t format)
{
    enum { WORDS = 1024, HEADER = 5, TYPE_IMAGE = 25, FORMAT = 8 };
    uint32_t words[WORDS];
    CONFORM_EXPECT(c, size <= sizeof words);
    memcpy(words, code, size);
    for (size_t i = HEADER; i < size / 4 && words[i] >> 16; i += words[i] >> 16)
        if ((words[i] & 0xffff) == TYPE_IMAGE)
            words[i + FORMAT] = format;
    return conform_shader(c, words, size);
}

static weft_shader load_shader(struct conform *c, weft_format format)
{
    const uint32_t number = spirv_format(format);
    switch (class_index(format)) {
    case 0:
        return shader_with(c, load_float_comp, sizeof load_float_comp, number);
    case 1:
        return shader_with(c, load_uint_comp, sizeof load_uint_comp, number);
    default:
        return shader_with(c, load_int_comp, sizeof load_int_comp, number);
    }
}

/// Texels of noise, without NaNs.
static void make_noise(struct conform_model *model)
{
    conform_model_fill(model, (uint32_t)model->format);
    for (uint32_t i = 0; i < TEXELS; i++) {
        const struct conform_texel t = conform_model_texel(model, i % SIDE, i / SIDE, 0);
        if (isnan(t.v[0]) || isnan(t.v[1]) || isnan(t.v[2]) || isnan(t.v[3]))
            memset(conform_model_at(model, i % SIDE, i / SIDE, 0), 0, model->bytes);
    }
}

static double number_of(weft_format format, uint32_t word)
{
    float number;
    memcpy(&number, &word, sizeof number);
    const uint32_t class = class_index(format);
    return class == 1 ? word : class == 2 ? (double)(int32_t)word : (double)number;
}

static void expect_loaded(struct conform *c, weft_format format)
{
    struct conform_model model;
    uint32_t words[TEXELS][4];
    conform_model_init(&model, format, SIDE, SIDE, 1);
    make_noise(&model);
    const weft_texture texture = make(c, format);
    conform_model_upload(c, &model, texture, 0, 0);
    const weft_buffer values = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof words, NULL);
    dispatch(c, conform_compute(c, load_shader(c, format)), texture, values);
    if (!conform_read_buffer(c, values, 0, words, sizeof words))
        return;
    for (uint32_t i = 0; i < 4 * TEXELS; i++) {
        const struct conform_texel want =
            conform_model_texel(&model, i / 4 % SIDE, i / 4 / SIDE, 0);
        const double got = number_of(format, words[i / 4][i % 4]);
        if (got != want.v[i % 4] && !(fabs(got - want.v[i % 4]) <= 1e-6))
            conform_fail(c, "%s: component %u of texel %u is %.9g, not %.9g",
                         weft_format_get_info(format)->name, i % 4, i / 4, got, want.v[i % 4]);
    }
}

void case_storage_formats_read(struct conform *c)
{
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++)
        if (can_store(c, f) && spirv_format(f))
            expect_loaded(c, f);
}
