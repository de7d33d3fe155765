/// Images of the software device: how texels lie in memory, and everything that reads, filters,
/// writes, copies and shrinks them. It knows nothing of commands, pipelines or threads: a caller
/// that wants several threads hands out rectangles or rows.
///
/// Layout. An image is one range of memory. Each aspect is a plane of its own: color; depth (D16 as
/// uint16, D24 as the low 24 bits of a uint32, D32 as float: the stored bits are the quantised
/// value, so that an EQUAL re-test is exact); stencil, a byte per texel. In a plane, every (mip,
/// layer or 3D slice, sample) is a row-major 2D array of texels whose rows start at multiples of 64
/// bytes. Samples lie in arrays of their own, one behind the other, because a 64×64 tile of one
/// sample is then loaded and stored by the same loop as a tile of a single-sampled image.
/// Compressed formats are row-major arrays of blocks.
///
/// Lanes. Shader-facing functions work on 64 lanes at once, structure of arrays; lanes 4k..4k+3 are
/// a 2×2 quad (bit 0 of the lane is x, bit 1 is y). Only lanes in `mask` are written, but implicit
/// derivatives read lanes 0 to 2 of each quad that has a lane in the mask. Results are 32-bit
/// words: float bits, int32 or uint32 as the view's format says. Nothing here allocates, every
/// coordinate is safe (NaN, infinite, out of range), and the results depend on the arguments only.
#ifndef WF_SW_IMAGE_IMAGE_H
#define WF_SW_IMAGE_IMAGE_H

#include <weft/device.h>
#include <weft/resource.h>

#include "hal/format.h"

#define WF_SW_IMAGE_LANES      64
#define WF_SW_IMAGE_MIPS       15u    ///< Of an image of the largest side.
#define WF_SW_IMAGE_MAX_SIDE   16384u ///< Texels, 1D, 2D and cubes.
#define WF_SW_IMAGE_MAX_DEPTH  2048u  ///< Texels, each side of a 3D image.
#define WF_SW_IMAGE_MAX_LAYERS 2048u
#define WF_SW_IMAGE_ANISOTROPY 16u ///< Places sampled for one at most.
#define WF_SW_IMAGE_ALIGN      64u ///< Bytes, of `memory` and of every row.

/// One mip of one plane.
struct wf_sw_mip {
    uint64_t offset;               ///< Bytes, from `memory` to texel 0,0 of layer 0, sample 0.
    uint64_t slice_bytes;          ///< From one layer, or slice of a 3D image, to the next.
    uint64_t sample_bytes;         ///< From one sample to the next.
    uint32_t row_bytes;            ///< From one row of blocks to the next.
    uint32_t rows;                 ///< Rows of blocks.
    uint32_t width, height, depth; ///< Texels; depth is 1 but for 3D.
};

/// One aspect of an image.
struct wf_sw_plane {
    uint32_t block_bytes; ///< 0: the image has no such plane.
    struct wf_sw_mip mips[WF_SW_IMAGE_MIPS];
};

struct wf_sw_image {
    weft_texture_kind kind;
    weft_format format;
    uint32_t width, height, depth; ///< Texels.
    uint32_t layers, mips, samples;
    uint8_t *memory; ///< `size` bytes at a multiple of WF_SW_IMAGE_ALIGN. Not owned.
    uint64_t size;
    struct wf_sw_plane main;    ///< Color or depth; of S8_UINT the stencil.
    struct wf_sw_plane stencil; ///< Beside depth only.
};

/// Fills everything but `memory` from a description, whose zero fields take their defaults. False
/// if it is beyond what the software device does (sides, mips, samples, format); `image->size` and
/// WF_SW_IMAGE_ALIGN are what the memory must be.
bool wf_sw_image_init(struct wf_sw_image *image, const weft_texture_desc *desc);

/// The plane of one aspect; NULL if there is none. 0 means color or depth.
const struct wf_sw_plane *wf_sw_image_plane(const struct wf_sw_image *image,
                                            weft_aspect_set aspect);

/// The first byte of row `y` (of blocks) in one 2D array. Everything must be in range.
static inline uint8_t *wf_sw_image_row(const struct wf_sw_image *image,
                                       const struct wf_sw_plane *plane, uint32_t mip,
                                       uint32_t slice, uint32_t sample, uint32_t y)
{
    const struct wf_sw_mip *m = &plane->mips[mip];
    return image->memory + m->offset + slice * m->slice_bytes + sample * m->sample_bytes +
           (uint64_t)y * m->row_bytes;
}

/// What the software device really does with textures of a format.
weft_format_caps wf_sw_format_caps(weft_format format);

// ---- views and samplers ------------------------------------------------------------------------

/// Parameters of wf_sw_view_init(). Zero fields have the meaning that they have in
/// weft_texture_view_desc.
struct wf_sw_view_desc {
    weft_view_kind kind;
    weft_format format;
    uint32_t mip, mip_count, layer, layer_count;
    weft_aspect_set aspect; ///< One aspect is sampled; for rendering the image has them all.
    weft_swizzle swizzle[4];
};

/// An image seen with a kind, a format and a range. The memory pointer is read at each use.
struct wf_sw_view {
    struct wf_sw_image *image;
    const struct wf_sw_plane *plane; ///< That of `aspect`.
    weft_format format;              ///< Of that aspect: S8_UINT for the stencil of a depth format.
    weft_view_kind kind;             ///< Never DEFAULT.
    weft_aspect_set aspect;          ///< Exactly one bit.
    weft_sample_class sample_class;
    uint32_t mip, mip_count, layer, layer_count;
    weft_swizzle swizzle[4];                ///< R, G, B, A, ZERO or ONE: never SAME.
    bool swizzled;                          ///< Not the identity.
    uint8_t path;                           ///< Private to the sampler: which loops fit.
    const struct wf_hal_texel_codec *codec; ///< Of compressed formats no numbers: see block.h.
};

/// False if the range, the kind or the format does not fit the image.
bool wf_sw_view_init(struct wf_sw_view *view, struct wf_sw_image *image,
                     const struct wf_sw_view_desc *desc);

/// A sampler with its defaults resolved.
struct wf_sw_sampler {
    weft_filter mag, min, mip;
    weft_address_mode address[3];
    weft_border_color border;
    weft_compare compare; ///< DEFAULT: a comparison yields 0.
    float lod_bias, lod_min, lod_max;
    float anisotropy; ///< 1: none.
    uint8_t path;     ///< Private to the sampler.
};

void wf_sw_sampler_init(struct wf_sw_sampler *sampler, const weft_sampler_desc *desc);

// ---- what shaders do with views ----------------------------------------------------------------

/// Where the level of detail comes from.
enum wf_sw_lod {
    WF_SW_LOD_IMPLICIT, ///< Quad derivatives plus the `lod` row (bias), if there is one.
    WF_SW_LOD_EXPLICIT, ///< The `lod` row; without one, 0.
    WF_SW_LOD_GRADIENT, ///< `ddx` and `ddy`.
};

/// Operands of a sample instruction; each row has 64 entries. A missing row reads as zeros. A
/// projective instruction is divided by the caller.
struct wf_sw_sample_args {
    const float *coords[4]; ///< Coordinates (1D 1, 2D 2, 3D and cube 3), then the array layer.
    enum wf_sw_lod mode;
    const float *lod;                   ///< Bias or level, see `mode`.
    const float *ddx[3], *ddy[3];       ///< GRADIENT: one row per coordinate.
    const float *lod_min;               ///< The MinLod operand.
    const int32_t *offset[3];           ///< Texels.
    const float *dref;                  ///< Depth reference: the instruction compares.
    bool gather;                        ///< Four texels of one component, from level 0.
    uint32_t component;                 ///< Of a gather without `dref`.
    const int32_t (*gather_offsets)[2]; ///< ConstOffsets: four {x, y}; NULL: none.
};

/// Samples. With `dref`, a sample writes the result to row 0 and (0, 0, 1) to the others.
void wf_sw_image_sample(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                        const struct wf_sw_sample_args *args, uint64_t mask,
                        uint32_t out[4][WF_SW_IMAGE_LANES]);

/// OpImageQueryLod: row 0 is the level that would be accessed, row 1 the level before clamping.
/// Only coords (and nothing else) of `args` are used, the derivatives are implicit.
void wf_sw_image_query_lod(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                           const struct wf_sw_sample_args *args, uint64_t mask,
                           float out[2][WF_SW_IMAGE_LANES]);

/// Operands of texel accesses; each row has 64 entries. A missing row reads as zeros.
struct wf_sw_texel_args {
    const int32_t *coords[4]; ///< Texels, then the array layer. Cube storage: the layer and face
                              ///< as one index in row 2.
    const int32_t *lod;       ///< Relative to the view; fetches only.
    const int32_t *sample;
    const int32_t *offset[3]; ///< Texels; fetches only.
};

/// texelFetch. Out of range (texel, layer, level or sample): 0, 0, 0 and, where the format has no
/// alpha, 1.
void wf_sw_image_fetch(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                       uint64_t mask, uint32_t out[4][WF_SW_IMAGE_LANES]);

/// imageLoad, from the first mip of the view, without the swizzle. Out of range as for a fetch.
void wf_sw_image_read(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                      uint64_t mask, uint32_t out[4][WF_SW_IMAGE_LANES]);

/// imageStore into the first mip of the view. Out of range: dropped. `texel` rows may be NULL
/// beyond the format's components. Lanes store in ascending order.
void wf_sw_image_write(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                       uint64_t mask, const uint32_t *const texel[4]);

/// Addresses of the texels of lanes in `mask`, for atomics on 32-bit formats (R32): NULL where out
/// of range or where the format has another size.
void wf_sw_image_texel_pointers(const struct wf_sw_view *view, const struct wf_sw_texel_args *args,
                                uint64_t mask, uint32_t *out[WF_SW_IMAGE_LANES]);

enum wf_sw_atomic {
    WF_SW_ATOMIC_LOAD,
    WF_SW_ATOMIC_STORE,
    WF_SW_ATOMIC_EXCHANGE,
    WF_SW_ATOMIC_COMPARE_EXCHANGE,
    WF_SW_ATOMIC_ADD,
    WF_SW_ATOMIC_SUB,
    WF_SW_ATOMIC_AND,
    WF_SW_ATOMIC_OR,
    WF_SW_ATOMIC_XOR,
    WF_SW_ATOMIC_UMIN,
    WF_SW_ATOMIC_UMAX,
    WF_SW_ATOMIC_SMIN,
    WF_SW_ATOMIC_SMAX,
    WF_SW_ATOMIC_FADD,
    WF_SW_ATOMIC_FMIN,
    WF_SW_ATOMIC_FMAX,
};

/// What an atomic leaves of `old`, in memory of 32 or 64 bits.
uint32_t wf_sw_atomic_combine(enum wf_sw_atomic op, uint32_t old, uint32_t value, uint32_t compare);
uint64_t wf_sw_atomic_combine_wide(enum wf_sw_atomic op, uint64_t old, uint64_t value,
                                   uint64_t compare);
/// Does it at once for all threads; what was there before.
uint32_t wf_sw_atomic_apply(_Atomic uint32_t *at, enum wf_sw_atomic op, uint32_t value,
                            uint32_t compare);
uint64_t wf_sw_atomic_apply_wide(_Atomic uint64_t *at, enum wf_sw_atomic op, uint64_t value,
                                 uint64_t compare);

/// One atomic per lane in ascending order; `out` gets the texel before (0 where out of range).
/// `value` and `compare` may be NULL where the operation has no use for them.
void wf_sw_image_atomic(const struct wf_sw_view *view, enum wf_sw_atomic op,
                        const struct wf_sw_texel_args *args, uint64_t mask, const uint32_t *value,
                        const uint32_t *compare, uint32_t out[WF_SW_IMAGE_LANES]);

/// Size of level `lod` of the view as OpImageQuerySize tells it: coordinates, then layers (cube
/// arrays: cubes). Zeros for a level that the view does not have.
void wf_sw_view_size(const struct wf_sw_view *view, int32_t lod, uint32_t out[3]);

// Levels and samples of a view are view->mip_count and view->image->samples.

// ---- copies, mips -----------------------------------------------------------------------------
// Regions are resolved: no zero field but `mip`, `layer`, `x`, `y`, `z` and `aspect` (3D: the
// layer count is ignored). A region that leaves the image or the memory makes the call return false
// and change nothing.

/// Bytes in host memory or in a buffer; the layout may have zero fields for tight ones.
struct wf_sw_bytes {
    uint8_t *data;
    uint64_t size; ///< Bytes behind `data`.
    weft_texel_layout layout;
};

bool wf_sw_image_copy_from_bytes(struct wf_sw_image *dst, const weft_texture_region *region,
                                 const struct wf_sw_bytes *src);
bool wf_sw_image_copy_to_bytes(const struct wf_sw_image *src, const weft_texture_region *region,
                               const struct wf_sw_bytes *dst);
/// Formats of equal block size. The size is that of `src_region`; layers and 3D slices may stand
/// for each other. All samples are copied. Overlapping regions of one image are copied as if
/// through a third place when they are the same mip and layer.
bool wf_sw_image_copy(const struct wf_sw_image *src, const weft_texture_region *src_region,
                      struct wf_sw_image *dst, const weft_texture_region *dst_region);

/// Makes mip `mip` (1 to mips - 1) of one layer from the one above, rows `y0` to `y1` - 1 of it and
/// all its slices: a box over the texels that each one covers (odd sizes: three with their true
/// weights), in linear space for sRGB, sample 0 alone. Integers take the nearest. False for formats
/// that cannot be filtered or a mip that is not there.
bool wf_sw_image_make_mip(struct wf_sw_image *image, uint32_t mip, uint32_t layer, uint32_t y0,
                          uint32_t y1);

#endif
