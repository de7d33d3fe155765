/// The format table: what each texel and vertex format is made of. Shared by core, backends, tests.
#ifndef WF_HAL_FORMAT_H
#define WF_HAL_FORMAT_H

#include <weft/format.h>

/// How the bits of one component stand for a number.
enum wf_hal_numeric {
    WF_HAL_NUMERIC_NONE = 0, ///< Compressed.
    WF_HAL_NUMERIC_UNORM,
    WF_HAL_NUMERIC_SNORM,
    WF_HAL_NUMERIC_UINT,
    WF_HAL_NUMERIC_SINT,
    WF_HAL_NUMERIC_FLOAT,  ///< IEEE, 16 or 32 bits.
    WF_HAL_NUMERIC_UFLOAT, ///< 5 bits of exponent, no sign; 10 or 11 bits.
    WF_HAL_NUMERIC_SHARED, ///< 9 bits each and one exponent of 5 bits.
};

/// Which code of texel.c reads and writes them.
enum wf_hal_texel_kind {
    WF_HAL_TEXEL_NONE = 0, ///< Compressed, or depth with stencil.
    WF_HAL_TEXEL_UNORM8,   ///< Any count of components of so many bits, little-endian.
    WF_HAL_TEXEL_SNORM8,
    WF_HAL_TEXEL_UINT8,
    WF_HAL_TEXEL_SINT8,
    WF_HAL_TEXEL_UNORM16,
    WF_HAL_TEXEL_SNORM16,
    WF_HAL_TEXEL_UINT16,
    WF_HAL_TEXEL_SINT16,
    WF_HAL_TEXEL_FLOAT16,
    WF_HAL_TEXEL_WORDS, ///< 32 bits each.
    WF_HAL_TEXEL_UNORM24,
    WF_HAL_TEXEL_RGBA8,
    WF_HAL_TEXEL_BGRA8,
    WF_HAL_TEXEL_SRGB8,
    WF_HAL_TEXEL_BGRA8_SRGB,
    WF_HAL_TEXEL_RGB10A2,
    WF_HAL_TEXEL_RGB10A2_UINT,
    WF_HAL_TEXEL_RGB9E5,
    WF_HAL_TEXEL_RG11B10,
};

/// What numbers a texel or a vertex attribute holds, for texel.h.
struct wf_hal_texel_codec {
    uint8_t texel_bytes; ///< Of compressed formats: of a block.
    uint8_t components;  ///< In memory.
    uint8_t numeric;     ///< enum wf_hal_numeric
    uint8_t kind;        ///< enum wf_hal_texel_kind
    uint8_t bits[4];     ///< Of red, green, blue, alpha; 0: not there. Depth is red.
};

/// The lowest bit of component `c` in a texel that is read as one little-endian number.
static inline uint32_t wf_hal_texel_shift(const struct wf_hal_texel_codec *codec, uint32_t c)
{
    if (codec->kind == WF_HAL_TEXEL_BGRA8 || codec->kind == WF_HAL_TEXEL_BGRA8_SRGB)
        return c < 3 ? 16 - 8 * c : 24;
    uint32_t shift = 0;
    for (uint32_t i = 0; i < c; i++)
        shift += codec->bits[i];
    return shift;
}

static inline bool wf_hal_texel_is_integer(const struct wf_hal_texel_codec *codec)
{
    return codec->numeric == WF_HAL_NUMERIC_UINT || codec->numeric == WF_HAL_NUMERIC_SINT;
}

/// FLOAT, UINT or SINT; NONE for a vertex format that is none.
static inline weft_sample_class wf_hal_texel_class(const struct wf_hal_texel_codec *codec)
{
    switch (codec->numeric) {
    case WF_HAL_NUMERIC_NONE:
        return WEFT_SAMPLE_CLASS_NONE;
    case WF_HAL_NUMERIC_UINT:
        return WEFT_SAMPLE_CLASS_UINT;
    case WF_HAL_NUMERIC_SINT:
        return WEFT_SAMPLE_CLASS_SINT;
    default:
        return WEFT_SAMPLE_CLASS_FLOAT;
    }
}

/// The fields are those of weft_format_info.
struct wf_hal_format {
    struct wf_hal_texel_codec codec;
    uint8_t block_width, block_height;
    uint8_t aspects, sample_class;
    bool srgb, compressed;
    uint8_t twin;
    uint8_t stencil_bytes; ///< Bytes of the stencil plane beside depth, or 0.
};

/// Never NULL; NONE's (all zero) for a value that is no format.
const struct wf_hal_format *wf_hal_format_get(weft_format format);

/// The format of one aspect: S8_UINT for the stencil of a depth format, D16_UNORM, D24_UNORM or
/// D32_FLOAT for the depth, the format itself for color. NONE if the format lacks the aspect.
weft_format wf_hal_format_of_aspect(weft_format format, weft_aspect_set aspect);

/// Never NULL; NONE's (all zero) for a value that is no vertex format.
const struct wf_hal_texel_codec *wf_hal_vertex_format_get(weft_vertex_format format);

/// See weft_format_row_bytes() and weft_format_image_bytes().
uint64_t wf_hal_format_row_bytes(weft_format format, uint32_t width);
uint64_t wf_hal_format_image_bytes(weft_format format, uint32_t width, uint32_t height,
                                   uint32_t depth);

#endif
