#include "hal/format.h"

#include "base/bits.h"

#define BITS(numeric_, r, g, b, a)                                                                 \
    {                                                                                              \
        .numeric = WF_HAL_NUMERIC_##numeric_, .bits = {r, g, b, a}, .shift = {                     \
            0,                                                                                     \
            r,                                                                                     \
            (r) + (g),                                                                             \
            (r) + (g) + (b)                                                                        \
        }                                                                                          \
    }
#define BGRA_BITS                                                                                  \
    {                                                                                              \
        .numeric = WF_HAL_NUMERIC_UNORM, .bits = {8, 8, 8, 8}, .shift = { 16, 8, 0, 24 }           \
    }
#define COUNT(r, g, b, a) (((r) != 0) + ((g) != 0) + ((b) != 0) + ((a) != 0))

static const struct wf_hal_format formats[WEFT_FORMAT_COUNT] = {
    [WEFT_FORMAT_NONE] = {.info = {.name = "none"}},
#define WF_FORMAT(id, text, bytes, num, r, g, b, a, class_, srgb_, twin_, codec)                   \
    [WEFT_FORMAT_##id] = {.info = {.name = (text),                                                 \
                                   .block_bytes = (bytes),                                         \
                                   .block_width = 1,                                               \
                                   .block_height = 1,                                              \
                                   .components = COUNT(r, g, b, a),                                \
                                   .aspects = WEFT_ASPECT_COLOR,                                   \
                                   .sample_class = WEFT_SAMPLE_CLASS_##class_,                     \
                                   .srgb = (srgb_),                                                \
                                   .twin = WEFT_FORMAT_##twin_},                                   \
                          .bits = BITS(num, r, g, b, a)},
#define WF_FORMAT_BGRA(id, text, srgb_, twin_, codec)                                              \
    [WEFT_FORMAT_##id] = {.info = {.name = (text),                                                 \
                                   .block_bytes = 4,                                               \
                                   .block_width = 1,                                               \
                                   .block_height = 1,                                              \
                                   .components = 4,                                                \
                                   .aspects = WEFT_ASPECT_COLOR,                                   \
                                   .sample_class = WEFT_SAMPLE_CLASS_FLOAT,                        \
                                   .srgb = (srgb_),                                                \
                                   .twin = WEFT_FORMAT_##twin_},                                   \
                          .bits = BGRA_BITS},
#define WF_FORMAT_DEPTH(id, text, bytes, num, depth_bits, stencil, codec)                          \
    [WEFT_FORMAT_##                                                                                \
        id] = {.info = {.name = (text),                                                            \
                        .block_bytes = (bytes),                                                    \
                        .block_width = 1,                                                          \
                        .block_height = 1,                                                         \
                        .components = 1 + (stencil),                                               \
                        .aspects = WEFT_ASPECT_DEPTH | ((stencil) ? WEFT_ASPECT_STENCIL : 0),      \
                        .sample_class = WEFT_SAMPLE_CLASS_DEPTH},                                  \
               .bits = BITS(num, depth_bits, 0, 0, 0),                                             \
               .stencil_bytes = (stencil)},
#define WF_FORMAT_STENCIL(id, text, codec)                                                         \
    [WEFT_FORMAT_##id] = {.info = {.name = (text),                                                 \
                                   .block_bytes = 1,                                               \
                                   .block_width = 1,                                               \
                                   .block_height = 1,                                              \
                                   .components = 1,                                                \
                                   .aspects = WEFT_ASPECT_STENCIL,                                 \
                                   .sample_class = WEFT_SAMPLE_CLASS_UINT},                        \
                          .bits = BITS(UINT, 8, 0, 0, 0)},
#define WF_FORMAT_BLOCK(id, text, bytes, width, height, count, srgb_, twin_)                       \
    [WEFT_FORMAT_##id] = {.info = {.name = (text),                                                 \
                                   .block_bytes = (bytes),                                         \
                                   .block_width = (width),                                         \
                                   .block_height = (height),                                       \
                                   .components = (count),                                          \
                                   .aspects = WEFT_ASPECT_COLOR,                                   \
                                   .sample_class = WEFT_SAMPLE_CLASS_FLOAT,                        \
                                   .srgb = (srgb_),                                                \
                                   .compressed = true,                                             \
                                   .twin = WEFT_FORMAT_##twin_}},
#include "hal/formats.def"
};

static const struct wf_hal_vertex_format vertex_formats[WEFT_VERTEX_FORMAT_COUNT] = {
    [WEFT_VERTEX_FORMAT_NONE] = {.info = {.name = "none"}},
#define WF_VERTEX_FORMAT(id, text, size, num, r, g, b, a, class_, codec)                           \
    [WEFT_VERTEX_FORMAT_##id] = {.info = {.name = (text),                                          \
                                          .bytes = (size),                                         \
                                          .components = COUNT(r, g, b, a),                         \
                                          .shader_class = WEFT_SAMPLE_CLASS_##class_},             \
                                 .bits = BITS(num, r, g, b, a)},
#define WF_VERTEX_FORMAT_BGRA(id, text, codec)                                                     \
    [WEFT_VERTEX_FORMAT_##id] = {.info = {.name = (text),                                          \
                                          .bytes = 4,                                              \
                                          .components = 4,                                         \
                                          .shader_class = WEFT_SAMPLE_CLASS_FLOAT},                \
                                 .bits = BGRA_BITS},
#include "hal/formats.def"
};

const struct wf_hal_format *wf_hal_format_get(weft_format format)
{
    const uint32_t index = (uint32_t)format;
    return &formats[index < WEFT_FORMAT_COUNT ? index : 0];
}

const struct wf_hal_vertex_format *wf_hal_vertex_format_get(weft_vertex_format format)
{
    const uint32_t index = (uint32_t)format;
    return &vertex_formats[index < WEFT_VERTEX_FORMAT_COUNT ? index : 0];
}

weft_format wf_hal_format_of_aspect(weft_format format, weft_aspect_set aspect)
{
    const weft_aspect_set aspects = wf_hal_format_get(format)->info.aspects;
    if (!(aspects & aspect))
        return WEFT_FORMAT_NONE;
    if (aspect == WEFT_ASPECT_STENCIL)
        return WEFT_FORMAT_S8_UINT;
    if (format == WEFT_FORMAT_D24_UNORM_S8_UINT)
        return WEFT_FORMAT_D24_UNORM;
    return format == WEFT_FORMAT_D32_FLOAT_S8_UINT ? WEFT_FORMAT_D32_FLOAT : format;
}

uint64_t wf_hal_format_row_bytes(weft_format format, uint32_t width)
{
    const weft_format_info *info = &wf_hal_format_get(format)->info;
    if (info->block_bytes == 0)
        return 0;
    return wf_base_div_up(width, info->block_width) * info->block_bytes;
}

uint64_t wf_hal_format_image_bytes(weft_format format, uint32_t width, uint32_t height,
                                   uint32_t depth)
{
    const weft_format_info *info = &wf_hal_format_get(format)->info;
    if (info->block_bytes == 0)
        return 0;
    // Rows fit: a product of two 32-bit numbers.
    const uint64_t row = wf_hal_format_row_bytes(format, width);
    const uint64_t rows = wf_base_div_up(height, info->block_height) * depth;
    if (row != 0 && rows > UINT64_MAX / row)
        return UINT64_MAX;
    return row * rows;
}
