/// \file format.h
/// Texel and vertex formats and what each one is made of.
#ifndef WEFT_FORMAT_H
#define WEFT_FORMAT_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Texel formats: those of WebGPU with its BC, ETC2 and ASTC extensions and the 16-bit normalised
/// ones. Components are named from the lowest address up (RGBA8: byte 0 is red); packed formats
/// (RGB9E5, RGB10A2, RG11B10) from the lowest bit up of a little-endian 32-bit word.
typedef enum weft_format {
    WEFT_FORMAT_NONE = 0,
    WEFT_FORMAT_R8_UNORM,
    WEFT_FORMAT_R8_SNORM,
    WEFT_FORMAT_R8_UINT,
    WEFT_FORMAT_R8_SINT,
    WEFT_FORMAT_R16_UNORM,
    WEFT_FORMAT_R16_SNORM,
    WEFT_FORMAT_R16_UINT,
    WEFT_FORMAT_R16_SINT,
    WEFT_FORMAT_R16_FLOAT,
    WEFT_FORMAT_RG8_UNORM,
    WEFT_FORMAT_RG8_SNORM,
    WEFT_FORMAT_RG8_UINT,
    WEFT_FORMAT_RG8_SINT,
    WEFT_FORMAT_R32_FLOAT,
    WEFT_FORMAT_R32_UINT,
    WEFT_FORMAT_R32_SINT,
    WEFT_FORMAT_RG16_UNORM,
    WEFT_FORMAT_RG16_SNORM,
    WEFT_FORMAT_RG16_UINT,
    WEFT_FORMAT_RG16_SINT,
    WEFT_FORMAT_RG16_FLOAT,
    WEFT_FORMAT_RGBA8_UNORM,
    WEFT_FORMAT_RGBA8_UNORM_SRGB,
    WEFT_FORMAT_RGBA8_SNORM,
    WEFT_FORMAT_RGBA8_UINT,
    WEFT_FORMAT_RGBA8_SINT,
    WEFT_FORMAT_BGRA8_UNORM,
    WEFT_FORMAT_BGRA8_UNORM_SRGB,
    WEFT_FORMAT_RGB9E5_UFLOAT,
    WEFT_FORMAT_RGB10A2_UINT,
    WEFT_FORMAT_RGB10A2_UNORM,
    WEFT_FORMAT_RG11B10_UFLOAT,
    WEFT_FORMAT_RG32_FLOAT,
    WEFT_FORMAT_RG32_UINT,
    WEFT_FORMAT_RG32_SINT,
    WEFT_FORMAT_RGBA16_UNORM,
    WEFT_FORMAT_RGBA16_SNORM,
    WEFT_FORMAT_RGBA16_UINT,
    WEFT_FORMAT_RGBA16_SINT,
    WEFT_FORMAT_RGBA16_FLOAT,
    WEFT_FORMAT_RGBA32_FLOAT,
    WEFT_FORMAT_RGBA32_UINT,
    WEFT_FORMAT_RGBA32_SINT,
    WEFT_FORMAT_S8_UINT,
    WEFT_FORMAT_D16_UNORM,
    WEFT_FORMAT_D24_UNORM, ///< At least 24 bits (WebGPU's depth24plus); not copied as bytes.
    WEFT_FORMAT_D24_UNORM_S8_UINT,
    WEFT_FORMAT_D32_FLOAT,
    WEFT_FORMAT_D32_FLOAT_S8_UINT,
    WEFT_FORMAT_BC1_RGBA_UNORM,
    WEFT_FORMAT_BC1_RGBA_UNORM_SRGB,
    WEFT_FORMAT_BC2_RGBA_UNORM,
    WEFT_FORMAT_BC2_RGBA_UNORM_SRGB,
    WEFT_FORMAT_BC3_RGBA_UNORM,
    WEFT_FORMAT_BC3_RGBA_UNORM_SRGB,
    WEFT_FORMAT_BC4_R_UNORM,
    WEFT_FORMAT_BC4_R_SNORM,
    WEFT_FORMAT_BC5_RG_UNORM,
    WEFT_FORMAT_BC5_RG_SNORM,
    WEFT_FORMAT_BC6H_RGB_UFLOAT,
    WEFT_FORMAT_BC6H_RGB_FLOAT,
    WEFT_FORMAT_BC7_RGBA_UNORM,
    WEFT_FORMAT_BC7_RGBA_UNORM_SRGB,
    WEFT_FORMAT_ETC2_RGB8_UNORM,
    WEFT_FORMAT_ETC2_RGB8_UNORM_SRGB,
    WEFT_FORMAT_ETC2_RGB8A1_UNORM,
    WEFT_FORMAT_ETC2_RGB8A1_UNORM_SRGB,
    WEFT_FORMAT_ETC2_RGBA8_UNORM,
    WEFT_FORMAT_ETC2_RGBA8_UNORM_SRGB,
    WEFT_FORMAT_EAC_R11_UNORM,
    WEFT_FORMAT_EAC_R11_SNORM,
    WEFT_FORMAT_EAC_RG11_UNORM,
    WEFT_FORMAT_EAC_RG11_SNORM,
    WEFT_FORMAT_ASTC_4X4_UNORM,
    WEFT_FORMAT_ASTC_4X4_UNORM_SRGB,
    WEFT_FORMAT_ASTC_5X4_UNORM,
    WEFT_FORMAT_ASTC_5X4_UNORM_SRGB,
    WEFT_FORMAT_ASTC_5X5_UNORM,
    WEFT_FORMAT_ASTC_5X5_UNORM_SRGB,
    WEFT_FORMAT_ASTC_6X5_UNORM,
    WEFT_FORMAT_ASTC_6X5_UNORM_SRGB,
    WEFT_FORMAT_ASTC_6X6_UNORM,
    WEFT_FORMAT_ASTC_6X6_UNORM_SRGB,
    WEFT_FORMAT_ASTC_8X5_UNORM,
    WEFT_FORMAT_ASTC_8X5_UNORM_SRGB,
    WEFT_FORMAT_ASTC_8X6_UNORM,
    WEFT_FORMAT_ASTC_8X6_UNORM_SRGB,
    WEFT_FORMAT_ASTC_8X8_UNORM,
    WEFT_FORMAT_ASTC_8X8_UNORM_SRGB,
    WEFT_FORMAT_ASTC_10X5_UNORM,
    WEFT_FORMAT_ASTC_10X5_UNORM_SRGB,
    WEFT_FORMAT_ASTC_10X6_UNORM,
    WEFT_FORMAT_ASTC_10X6_UNORM_SRGB,
    WEFT_FORMAT_ASTC_10X8_UNORM,
    WEFT_FORMAT_ASTC_10X8_UNORM_SRGB,
    WEFT_FORMAT_ASTC_10X10_UNORM,
    WEFT_FORMAT_ASTC_10X10_UNORM_SRGB,
    WEFT_FORMAT_ASTC_12X10_UNORM,
    WEFT_FORMAT_ASTC_12X10_UNORM_SRGB,
    WEFT_FORMAT_ASTC_12X12_UNORM,
    WEFT_FORMAT_ASTC_12X12_UNORM_SRGB,
    WEFT_FORMAT_COUNT,
} weft_format;

/// Planes of a texture.
typedef uint32_t weft_aspect_set;
enum {
    WEFT_ASPECT_COLOR = 1u << 0,
    WEFT_ASPECT_DEPTH = 1u << 1,
    WEFT_ASPECT_STENCIL = 1u << 2,
};

/// What a shader sees when it reads a format.
typedef enum weft_sample_class {
    WEFT_SAMPLE_CLASS_NONE = 0,
    WEFT_SAMPLE_CLASS_FLOAT,              ///< Normalised and floating-point formats.
    WEFT_SAMPLE_CLASS_UNFILTERABLE_FLOAT, ///< In layouts only: float that is not filtered.
    WEFT_SAMPLE_CLASS_UINT,
    WEFT_SAMPLE_CLASS_SINT,
    WEFT_SAMPLE_CLASS_DEPTH,
} weft_sample_class;

/// Constant facts of one format.
typedef struct weft_format_info {
    const char *name;     ///< Lower case, such as "rgba8_unorm".
    uint32_t block_bytes; ///< Bytes per block (texel, if not compressed) of the first aspect.
    uint32_t block_width, block_height; ///< Texels; 1×1 unless compressed.
    uint32_t components;                ///< 1–4.
    weft_aspect_set aspects;
    weft_sample_class sample_class; ///< Of the color or depth aspect; stencil reads as UINT.
    bool srgb;                      ///< Red, green and blue are stored sRGB-encoded.
    bool compressed;
    weft_format twin; ///< The same bits with (or without) sRGB; NONE if there is none.
} weft_format_info;

/// Facts of `format`; those of NONE (all zero, name "none") for a value that is no format.
WEFT_API const weft_format_info *weft_format_get_info(weft_format format);

/// Bytes of one row of blocks of a `width`-texel-wide image, tightly packed. 0 for NONE.
WEFT_API uint64_t weft_format_row_bytes(weft_format format, uint32_t width);

/// Bytes of a tightly packed width × height × depth image. 0 for NONE; UINT64_MAX if it overflows.
WEFT_API uint64_t weft_format_image_bytes(weft_format format, uint32_t width, uint32_t height,
                                          uint32_t depth);

/// Formats of vertex attributes (WebGPU's GPUVertexFormat).
typedef enum weft_vertex_format {
    WEFT_VERTEX_FORMAT_NONE = 0,
    WEFT_VERTEX_FORMAT_UINT8,
    WEFT_VERTEX_FORMAT_UINT8X2,
    WEFT_VERTEX_FORMAT_UINT8X4,
    WEFT_VERTEX_FORMAT_SINT8,
    WEFT_VERTEX_FORMAT_SINT8X2,
    WEFT_VERTEX_FORMAT_SINT8X4,
    WEFT_VERTEX_FORMAT_UNORM8,
    WEFT_VERTEX_FORMAT_UNORM8X2,
    WEFT_VERTEX_FORMAT_UNORM8X4,
    WEFT_VERTEX_FORMAT_SNORM8,
    WEFT_VERTEX_FORMAT_SNORM8X2,
    WEFT_VERTEX_FORMAT_SNORM8X4,
    WEFT_VERTEX_FORMAT_UINT16,
    WEFT_VERTEX_FORMAT_UINT16X2,
    WEFT_VERTEX_FORMAT_UINT16X4,
    WEFT_VERTEX_FORMAT_SINT16,
    WEFT_VERTEX_FORMAT_SINT16X2,
    WEFT_VERTEX_FORMAT_SINT16X4,
    WEFT_VERTEX_FORMAT_UNORM16,
    WEFT_VERTEX_FORMAT_UNORM16X2,
    WEFT_VERTEX_FORMAT_UNORM16X4,
    WEFT_VERTEX_FORMAT_SNORM16,
    WEFT_VERTEX_FORMAT_SNORM16X2,
    WEFT_VERTEX_FORMAT_SNORM16X4,
    WEFT_VERTEX_FORMAT_FLOAT16,
    WEFT_VERTEX_FORMAT_FLOAT16X2,
    WEFT_VERTEX_FORMAT_FLOAT16X4,
    WEFT_VERTEX_FORMAT_FLOAT32,
    WEFT_VERTEX_FORMAT_FLOAT32X2,
    WEFT_VERTEX_FORMAT_FLOAT32X3,
    WEFT_VERTEX_FORMAT_FLOAT32X4,
    WEFT_VERTEX_FORMAT_UINT32,
    WEFT_VERTEX_FORMAT_UINT32X2,
    WEFT_VERTEX_FORMAT_UINT32X3,
    WEFT_VERTEX_FORMAT_UINT32X4,
    WEFT_VERTEX_FORMAT_SINT32,
    WEFT_VERTEX_FORMAT_SINT32X2,
    WEFT_VERTEX_FORMAT_SINT32X3,
    WEFT_VERTEX_FORMAT_SINT32X4,
    WEFT_VERTEX_FORMAT_UNORM10_10_10_2,
    WEFT_VERTEX_FORMAT_UNORM8X4_BGRA,
    WEFT_VERTEX_FORMAT_COUNT,
} weft_vertex_format;

/// Constant facts of one vertex format.
typedef struct weft_vertex_format_info {
    const char *name;               ///< Lower case, such as "float32x3".
    uint32_t bytes;                 ///< Of the whole attribute.
    uint32_t components;            ///< 1–4.
    weft_sample_class shader_class; ///< FLOAT, UINT or SINT: what the shader must declare.
} weft_vertex_format_info;

/// Facts of `format`; those of NONE (all zero, name "none") for a value that is no vertex format.
WEFT_API const weft_vertex_format_info *weft_vertex_format_get_info(weft_vertex_format format);

#ifdef __cplusplus
}
#endif

#endif
