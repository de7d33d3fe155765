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

/// Where the components of a format lie. A texel is read as one little-endian number.
struct wf_hal_format_bits {
    enum wf_hal_numeric numeric;
    uint8_t shift[4], bits[4]; ///< Of red, green, blue, alpha; 0 bits: not there. Depth is red.
};

struct wf_hal_format {
    weft_format_info info;
    struct wf_hal_format_bits bits;
    uint8_t stencil_bytes; ///< Bytes of the stencil plane beside depth, or 0.
};

/// Never NULL; NONE's (all zero) for a value that is no format.
const struct wf_hal_format *wf_hal_format_get(weft_format format);

/// The format of one aspect: S8_UINT for the stencil of a depth format, D16_UNORM, D24_UNORM or
/// D32_FLOAT for the depth, the format itself for color. NONE if the format lacks the aspect.
weft_format wf_hal_format_of_aspect(weft_format format, weft_aspect_set aspect);

struct wf_hal_vertex_format {
    weft_vertex_format_info info;
    struct wf_hal_format_bits
        bits; ///< Attributes up to 16 bytes: the shifts are those of the bits.
};

/// Never NULL; NONE's (all zero) for a value that is no vertex format.
const struct wf_hal_vertex_format *wf_hal_vertex_format_get(weft_vertex_format format);

/// See weft_format_row_bytes() and weft_format_image_bytes().
uint64_t wf_hal_format_row_bytes(weft_format format, uint32_t width);
uint64_t wf_hal_format_image_bytes(weft_format format, uint32_t width, uint32_t height,
                                   uint32_t depth);

#endif
