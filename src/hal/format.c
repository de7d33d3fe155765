#include "hal/format.h"

#include "base/bits.h"

#define COUNT(r, g, b, a) (((r) != 0) + ((g) != 0) + ((b) != 0) + ((a) != 0))
// clang-format off
#define CODEC(bytes, num, kind, r, g, b, a) \
    {(bytes), COUNT(r, g, b, a), WF_HAL_NUMERIC_##num, WF_HAL_TEXEL_##kind, {(r), (g), (b), (a)}}
// clang-format on

static const struct wf_hal_format formats[WEFT_FORMAT_COUNT] = {
#define WF_FORMAT(id, text, bytes, num, r, g, b, a, class_, srgb_, twin_, kind)                    \
    [WEFT_FORMAT_##id] = {.codec = CODEC(bytes, num, kind, r, g, b, a),                            \
                          .block_width = 1,                                                        \
                          .block_height = 1,                                                       \
                          .aspects = WEFT_ASPECT_COLOR,                                            \
                          .sample_class = WEFT_SAMPLE_CLASS_##class_,                              \
                          .srgb = (srgb_),                                                         \
                          .twin = WEFT_FORMAT_##twin_},
#define WF_FORMAT_BGRA(id, text, srgb_, twin_, kind)                                               \
    WF_FORMAT(id, text, 4, UNORM, 8, 8, 8, 8, FLOAT, srgb_, twin_, kind)
#define WF_FORMAT_DEPTH(id, text, bytes, num, depth_bits, stencil, kind)                           \
    [WEFT_FORMAT_##id] = {.codec = CODEC(bytes, num, kind, depth_bits, 0, 0, 0),                   \
                          .block_width = 1,                                                        \
                          .block_height = 1,                                                       \
                          .aspects = WEFT_ASPECT_DEPTH | ((stencil) ? WEFT_ASPECT_STENCIL : 0),    \
                          .sample_class = WEFT_SAMPLE_CLASS_DEPTH,                                 \
                          .stencil_bytes = (stencil)},
#define WF_FORMAT_STENCIL(id, text)                                                                \
    [WEFT_FORMAT_##id] = {.codec = CODEC(1, UINT, UINT8, 8, 0, 0, 0),                              \
                          .block_width = 1,                                                        \
                          .block_height = 1,                                                       \
                          .aspects = WEFT_ASPECT_STENCIL,                                          \
                          .sample_class = WEFT_SAMPLE_CLASS_UINT},
#define WF_FORMAT_BLOCK(id, text, bytes, width, height, count, srgb_, twin_)                       \
    [WEFT_FORMAT_##id] = {.codec = {.texel_bytes = (bytes), .components = (count)},                \
                          .block_width = (width),                                                  \
                          .block_height = (height),                                                \
                          .aspects = WEFT_ASPECT_COLOR,                                            \
                          .sample_class = WEFT_SAMPLE_CLASS_FLOAT,                                 \
                          .srgb = (srgb_),                                                         \
                          .compressed = true,                                                      \
                          .twin = WEFT_FORMAT_##twin_},
#include "hal/formats.def"
};

static const struct wf_hal_texel_codec vertex_formats[WEFT_VERTEX_FORMAT_COUNT] = {
#define WF_VERTEX_FORMAT(id, text, bytes, num, r, g, b, a, kind)                                   \
    [WEFT_VERTEX_FORMAT_##id] = CODEC(bytes, num, kind, r, g, b, a),
#define WF_VERTEX_FORMAT_BGRA(id, text)                                                            \
    [WEFT_VERTEX_FORMAT_##id] = CODEC(4, UNORM, BGRA8, 8, 8, 8, 8),
#include "hal/formats.def"
};

const struct wf_hal_format *wf_hal_format_get(weft_format format)
{
    const uint32_t index = (uint32_t)format;
    return &formats[index < WEFT_FORMAT_COUNT ? index : 0];
}

const struct wf_hal_texel_codec *wf_hal_vertex_format_get(weft_vertex_format format)
{
    const uint32_t index = (uint32_t)format;
    return &vertex_formats[index < WEFT_VERTEX_FORMAT_COUNT ? index : 0];
}

weft_format wf_hal_format_of_aspect(weft_format format, weft_aspect_set aspect)
{
    const weft_aspect_set aspects = wf_hal_format_get(format)->aspects;
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
    const struct wf_hal_format *info = wf_hal_format_get(format);
    if (info->codec.texel_bytes == 0)
        return 0;
    return wf_base_div_up(width, info->block_width) * info->codec.texel_bytes;
}

uint64_t wf_hal_format_image_bytes(weft_format format, uint32_t width, uint32_t height,
                                   uint32_t depth)
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    if (info->codec.texel_bytes == 0)
        return 0;
    // Rows fit: a product of two 32-bit numbers.
    const uint64_t row = wf_hal_format_row_bytes(format, width);
    const uint64_t rows = wf_base_div_up(height, info->block_height) * depth;
    if (row != 0 && rows > UINT64_MAX / row)
        return UINT64_MAX;
    return row * rows;
}
